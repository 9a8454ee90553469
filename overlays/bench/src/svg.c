/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing in SVG that fits any width. */
#include "svg.h"

#include <math.h>

struct bench_scale bench_svg_scale(double greatest, unsigned n_steps)
{
	static const double round_steps[] = { 1, 2, 2.5, 5, 10 };
	if (!(greatest > 0) || !isfinite(greatest))
		greatest = 1;
	double power = pow(10, floor(log10(greatest / n_steps)));
	double step = power * 10;
	for (size_t i = 0; i < FB_ARRAY_LEN(round_steps); i++) {
		step = round_steps[i] * power;
		if (step * n_steps >= greatest * (1 - 1e-9))
			break;
	}
	return (struct bench_scale){ .max = ceil(greatest / step - 1e-9) * step, .step = step };
}

double bench_svg_percent(const struct bench_scale *scale, double value)
{
	return isnan(value) ? 0 : fmax(0, fmin(100, value / scale->max * 100));
}

void bench_svg_open(struct bench_page *page, const char *class, unsigned height, const char *label)
{
	PAGE_ADD(
		page,
		"<svg class=\"%s\" role=\"img\" width=\"100%%\" height=\"%u\" aria-label=\"%s\">\n",
		class, height, label);
}

void bench_svg_close(struct bench_page *page)
{
	PAGE_ADD(page, "</svg>\n");
}

void bench_svg_grid_x(struct bench_page *page, const struct bench_scale *scale)
{
	for (double at = 0; at <= scale->max * (1 + 1e-9); at += scale->step)
		PAGE_ADD(page,
			 "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
			 bench_svg_percent(scale, at), bench_svg_percent(scale, at));
	PAGE_ADD(page, "\n");
}

void bench_svg_grid_y(struct bench_page *page, const struct bench_scale *scale, unsigned height)
{
	for (double at = 0; at <= scale->max * (1 + 1e-9); at += scale->step) {
		double y = height * (1 - at / scale->max);
		PAGE_ADD(page,
			 "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", y,
			 y);
	}
	PAGE_ADD(page, "\n");
}

void bench_svg_bar(struct bench_page *page, const char *class, double to_percent, double y,
		   double height)
{
	PAGE_ADD(page, "<rect class=\"%s\" x=\"0\" y=\"%g\" width=\"%.2f%%\" height=\"%g\"/>\n",
		 class, y, to_percent, height);
}

/* Drawn twice: a halo in the colour of the page keeps it visible on bars of any colour. */
void bench_svg_range(struct bench_page *page, double low_percent, double high_percent, double y,
		     double cap)
{
	static const char *const layers[] = { "range halo", "range" };
	for (size_t i = 0; i < FB_ARRAY_LEN(layers); i++) {
		PAGE_ADD(page,
			 "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%g\" y2=\"%g\"/>",
			 layers[i], low_percent, high_percent, y, y);
		PAGE_ADD(page,
			 "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%g\" y2=\"%g\"/>",
			 layers[i], low_percent, low_percent, y - cap, y + cap);
		PAGE_ADD(page,
			 "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%g\" y2=\"%g\"/>\n",
			 layers[i], high_percent, high_percent, y - cap, y + cap);
	}
}

void bench_svg_range_y(struct bench_page *page, const char *kind, double x_percent, double low_y,
		       double high_y)
{
	PAGE_ADD(page,
		 "<line class=\"line spread %s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
		 kind, x_percent, x_percent, low_y, high_y);
}

void bench_svg_mark(struct bench_page *page, const char *class, double at_percent, double y,
		    double height)
{
	PAGE_ADD(page, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%g\" y2=\"%g\"/>\n",
		 class, at_percent, at_percent, y, y + height);
}

void bench_svg_point(struct bench_page *page, const char *class, unsigned shape, double x_percent,
		     double y)
{
	static const char *const shapes[] = {
		"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", /* circle */
		"M-4.5 -4.5h9v9h-9z", /* square */
		"M0 -6L6 5H-6z", /* triangle */
		"M0 -6.5L6.5 0L0 6.5L-6.5 0z", /* diamond */
	};
	PAGE_ADD(
		page,
		"<svg x=\"%.2f%%\" y=\"%.1f\" overflow=\"visible\"><path class=\"%s\" d=\"%s\"/></svg>\n",
		x_percent, y, class, shapes[shape % FB_ARRAY_LEN(shapes)]);
}

void bench_svg_cross(struct bench_page *page, double x_percent, double y)
{
	PAGE_ADD(page, "<svg x=\"%.2f%%\" y=\"%.1f\" overflow=\"visible\">", x_percent, y);
	PAGE_ADD(page, "<path class=\"bad\" d=\"M-4 -4L4 4M-4 4L4 -4\"/></svg>\n");
}

static void open_stretched(struct bench_page *page, unsigned height)
{
	PAGE_ADD(
		page,
		"<svg width=\"100%%\" height=\"%u\" viewBox=\"0 0 1000 %u\" preserveAspectRatio=\"none\" "
		"overflow=\"visible\">",
		height, height);
}

void bench_svg_line(struct bench_page *page, const char *class, const double *x, const double *y,
		    size_t n, unsigned height)
{
	bool is_drawing = false;
	open_stretched(page, height);
	PAGE_ADD(page, "<path class=\"%s\" d=\"", class);
	for (size_t i = 0; i < n; i++) {
		if (!isnan(y[i]))
			PAGE_ADD(page, "%c%.1f %.1f", is_drawing ? 'L' : 'M', x[i], y[i]);
		is_drawing = !isnan(y[i]);
	}
	PAGE_ADD(page, "\"/></svg>\n");
}

void bench_svg_area(struct bench_page *page, const char *class, const double *y, size_t n,
		    unsigned height)
{
	bool is_drawing = false;
	open_stretched(page, height);
	PAGE_ADD(page, "<path class=\"%s\" d=\"", class);
	for (size_t i = 0; i < n; i++) {
		if (is_drawing && isnan(y[i]))
			PAGE_ADD(page, "V%uz", height);
		if (!is_drawing && !isnan(y[i]))
			PAGE_ADD(page, "M%.1f %u", 1000.0 * (double)i / (double)n, height);
		is_drawing = !isnan(y[i]);
		if (is_drawing)
			PAGE_ADD(page, "V%.1fH%.1f", y[i], 1000.0 * (double)(i + 1) / (double)n);
	}
	PAGE_ADD(page, is_drawing ? "V%uz\"/></svg>\n" : "\"/></svg>\n", height);
}

void bench_svg_axis(struct bench_page *page, const struct bench_scale *scale, enum bench_word unit)
{
	int decimals = scale->step < 0.1	   ? 2
		       : scale->step < 1	   ? 1
		       : fmod(scale->step, 1) == 0 ? 0
						   : 1;
	PAGE_ADD(page, "<div class=\"axis\" aria-hidden=\"true\">");
	for (double at = 0; at <= scale->max * (1 + 1e-9); at += scale->step) {
		bool is_last = at + scale->step > scale->max * (1 + 1e-9);
		PAGE_ADD(page, "<span style=\"left:%.2f%%\"%s>%.*f</span>",
			 bench_svg_percent(scale, at),
			 is_last   ? " class=\"last\""
			 : at == 0 ? " class=\"first\""
				   : "",
			 decimals, at);
	}
	PAGE_ADD(page, "</div><p class=\"unit\">%s</p>\n", bench_page_word(page, unit));
}
