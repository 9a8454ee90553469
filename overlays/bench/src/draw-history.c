/* SPDX-License-Identifier: GPL-2.0-or-later */
/* History: the same cell in all runs that were given, a line a path. */
#include "svg.h"

#include <math.h>
#include <string.h>

/* More marks than that would cover each other on a phone; the line still goes through every run. */
enum { DRAWING_HEIGHT = 150, MARGIN_PERCENT = 3, MARKS_MAX = 12 };

struct series {
	const struct bench_row *row; /* of the newest run: names path, kind and governor */
	unsigned shape;
	size_t n; /* one entry a run; NAN where it has no figure */
	double *mbps, *low, *high;
	bool *is_bad; /* measured, and failed */
};

static const struct bench_row *find(const struct bench_run *run, const struct bench_row *like)
{
	struct bench_cell cell = bench_cell_of(like);
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i];
		if (bench_cell_has(&cell, row) && !strcmp(row->path, like->path) &&
		    !strcmp(row->governor, like->governor))
			return row;
	}
	return NULL;
}

static struct series make_series(struct bench_page *page, const struct bench_row *row,
				 unsigned shape)
{
	struct fb_arena *arena = page->out.arena;
	size_t n = page->n_all;
	struct series series = {
		.row = row,
		.shape = shape,
		.n = n,
		.mbps = fb_alloc(arena, n * sizeof(double)),
		.low = fb_alloc(arena, n * sizeof(double)),
		.high = fb_alloc(arena, n * sizeof(double)),
		.is_bad = fb_alloc(arena, n * sizeof(bool)),
	};
	for (size_t i = 0; i < n; i++) {
		const struct bench_row *then = find(page->all[i], row);
		bool has_figure = then && then->status == BENCH_OK;
		series.mbps[i] = has_figure ? then->mbps : NAN;
		series.low[i] = has_figure ? then->min_mbps : NAN;
		series.high[i] = has_figure ? then->max_mbps : NAN;
		series.is_bad[i] = then && !has_figure;
	}
	return series;
}

/* Where each run stands along x, in percent: by time, or evenly if the clock says nothing. */
static double *places(struct bench_page *page)
{
	double *at = fb_alloc(page->out.arena, page->n_all * sizeof(*at));
	double first = page->all[0]->started_s,
	       span = page->all[page->n_all - 1]->started_s - first;
	for (size_t i = 0; i < page->n_all; i++) {
		double share = span > 0 ? (page->all[i]->started_s - first) / span
					: (double)i / (double)(page->n_all - 1);
		at[i] = MARGIN_PERCENT + (100 - 2 * MARGIN_PERCENT) * share;
	}
	return at;
}

static double height_of(const struct bench_scale *scale, double mbps)
{
	return DRAWING_HEIGHT * (1 - bench_svg_percent(scale, mbps) / 100);
}

static void draw_series(struct bench_page *page, const struct series *series, const double *at,
			const struct bench_scale *scale)
{
	const char *kind = bench_kind_names[series->row->kind];
	double *x = fb_alloc(page->out.arena, series->n * sizeof(*x)),
	       *y = fb_alloc(page->out.arena, series->n * sizeof(*y));
	for (size_t i = 0; i < series->n; i++) {
		x[i] = at[i] * 10;
		y[i] = isnan(series->mbps[i]) ? NAN : height_of(scale, series->mbps[i]);
	}
	bench_svg_line(page, fb_format(page->out.arena, "line %s", kind), x, y, series->n,
		       DRAWING_HEIGHT);
	size_t every = (series->n + MARKS_MAX - 1) / MARKS_MAX;
	for (size_t i = 0; i < series->n; i++) {
		bool is_marked = (series->n - 1 - i) % every == 0;
		if (!isnan(series->low[i]) && !isnan(series->high[i]))
			bench_svg_range_y(page, kind, at[i], height_of(scale, series->low[i]),
					  height_of(scale, series->high[i]));
		if (!isnan(y[i]) && is_marked)
			bench_svg_point(page, fb_format(page->out.arena, "point %s", kind),
					series->shape, at[i], y[i]);
		else if (series->is_bad[i])
			bench_svg_cross(page, at[i], DRAWING_HEIGHT - 8);
	}
}

/* Shape, name, newest figure, and how it moved since the oldest one. */
static void draw_key(struct bench_page *page, const struct series *series)
{
	double first = NAN, last = NAN;
	for (size_t i = 0; i < series->n; i++)
		if (!isnan(series->mbps[i])) {
			first = isnan(first) ? series->mbps[i] : first;
			last = series->mbps[i];
		}
	PAGE_ADD(page, "<li><svg width=\"20\" height=\"20\" aria-hidden=\"true\">");
	bench_svg_point(page,
			fb_format(page->out.arena, "point %s", bench_kind_names[series->row->kind]),
			series->shape, 50, 10);
	PAGE_ADD(page, "</svg> %s <b>%s</b> Mbit/s",
		 bench_page_cut(page, bench_page_series(page, series->row), 24),
		 bench_page_rate(page, last));
	double change = round((last / first - 1) * 1000) / 10;
	if (first > 0)
		PAGE_ADD(page, change == 0 ? " (±0 %%)" : " (%+.1f %%)", change);
	PAGE_ADD(page, "</li>\n");
}

static void draw_panel(struct bench_page *page, const struct bench_cell *cell, const double *at)
{
	const struct bench_run *run = page->run;
	struct series *series = fb_alloc(page->out.arena, (run->n_rows + 1) * sizeof(*series));
	size_t n = 0;
	double most = 0;
	for (size_t i = 0; i < run->n_rows; i++)
		if (bench_cell_has(cell, &run->row[i]) && find(run, &run->row[i]) == &run->row[i]) {
			series[n] = make_series(page, &run->row[i], (unsigned)n);
			for (size_t k = 0; k < page->n_all; k++)
				most = fmax(most, fmax(series[n].mbps[k], series[n].high[k]));
			n++;
		}
	struct bench_scale scale = bench_svg_scale(most, 4);
	PAGE_ADD(page, "<div class=\"panel\"><h3>%s</h3>\n<p class=\"unit top\">%s</p>\n",
		 bench_page_cell(page, cell), bench_page_word(page, W_MBPS_AXIS));
	PAGE_ADD(page, "<div class=\"plot\"><div class=\"scale\" aria-hidden=\"true\">");
	for (double tick = scale.max; tick > -scale.step / 2; tick -= scale.step)
		PAGE_ADD(page, "<span>%.6g</span>", fabs(tick) < scale.step / 2 ? 0 : tick);
	PAGE_ADD(page, "</div>");
	bench_svg_open(page, "history", DRAWING_HEIGHT, bench_page_cell(page, cell));
	bench_svg_grid_y(page, &scale, DRAWING_HEIGHT);
	for (size_t i = 0; i < n; i++)
		draw_series(page, &series[i], at, &scale);
	bench_svg_close(page);
	PAGE_ADD(
		page,
		"<div class=\"ends\"><span>%s</span><span>%s</span></div></div>\n<ul class=\"legend\">",
		bench_page_date(page, page->all[0]->started_s, false),
		bench_page_date(page, page->all[page->n_all - 1]->started_s, false));
	for (size_t i = 0; i < n; i++)
		draw_key(page, &series[i]);
	PAGE_ADD(page, "</ul></div>\n");
}

void bench_draw_history(struct bench_page *page)
{
	bench_page_section(page, "history", W_HISTORY,
			   page->n_all > 1 ? W_HISTORY_NOTE : W_HISTORY_ONE);
	if (page->n_all > 1) {
		const double *at = places(page);
		PAGE_ADD(page, "<div class=\"panels\">\n");
		for (size_t i = 0; i < page->n_cells; i++)
			draw_panel(page, &page->cell[i], at);
		PAGE_ADD(page, "</div>\n");
	}
	bench_page_end(page);
}
