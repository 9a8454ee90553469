/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drawing in SVG that fits any width: along x everything is in percent of the drawing, along y in
 * CSS pixels, and what has to be read is HTML beside it. So letters keep their size on a phone, and
 * no script is needed.
 */
#ifndef BENCH_SVG_H
#define BENCH_SVG_H

#include "page.h"

/* An axis from 0 to max, with a tick at each step; made of round numbers. */
struct bench_scale {
	double max, step;
};
struct bench_scale bench_svg_scale(double greatest, unsigned n_steps);
double bench_svg_percent(const struct bench_scale *scale, double value); /* held within 0 and 100 */

/* label says in words what is drawn, escaped. */
void bench_svg_open(struct bench_page *page, const char *class, unsigned height, const char *label);
void bench_svg_close(struct bench_page *page);

void bench_svg_grid_x(struct bench_page *page,
		      const struct bench_scale *scale); /* a line at each tick */
void bench_svg_grid_y(struct bench_page *page, const struct bench_scale *scale, unsigned height);
void bench_svg_bar(struct bench_page *page, const char *class, double to_percent, double y,
		   double height);
void bench_svg_range(struct bench_page *page, double low_percent, double high_percent, double y,
		     double cap);
void bench_svg_range_y(struct bench_page *page, const char *kind, double x_percent, double low_y,
		       double high_y);
void bench_svg_mark(struct bench_page *page, const char *class, double at_percent, double y,
		    double height);

/* Four shapes, so that colour is never the only difference. */
void bench_svg_point(struct bench_page *page, const char *class, unsigned shape, double x_percent,
		     double y);

/* Where a figure is missing. */
void bench_svg_cross(struct bench_page *page, double x_percent, double y);

/* Points of a line: x 0..1000 and y 0..height, both from the upper left. NAN in y breaks the line.
 */
void bench_svg_line(struct bench_page *page, const char *class, const double *x, const double *y,
		    size_t n, unsigned height);
/* The same as steps of equal width, filled down to the bottom. */
void bench_svg_area(struct bench_page *page, const char *class, const double *y, size_t n,
		    unsigned height);

/* Ticks as HTML below a drawing whose x axis is the scale. */
void bench_svg_axis(struct bench_page *page, const struct bench_scale *scale, enum bench_word unit);

#endif
