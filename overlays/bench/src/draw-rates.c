/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Throughput: one panel a cell of the matrix, one bar a path, so that what a path costs is seen at
 * a glance. */
#include "svg.h"

#include <math.h>

enum { BAR_TOP = 4, BAR_HEIGHT = 18, HALF_TOP = 2, HALF_HEIGHT = 10, DRAWING_HEIGHT = 26 };

static double greatest(const struct bench_run *run)
{
	double most = 0;
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i];
		const double shown[] = { row->mbps, row->max_mbps, row->back_mbps,
					 row->ceiling_mbps };
		for (size_t s = 0; s < FB_ARRAY_LEN(shown); s++)
			most = fmax(most, shown[s]); /* fmax passes over NAN */
	}
	return most;
}

static void draw_legend(struct bench_page *page)
{
	static const struct {
		const char *drawing;
		enum bench_word word;
	} keys[] = {
		{ "<rect class=\"direct\" x=\"0\" y=\"3\" width=\"30\" height=\"14\"/>",
		  W_LEGEND_BAR },
		{ "<path class=\"range\" d=\"M3 10H27M3 5v10M27 5v10\"/>", W_LEGEND_RANGE },
		{ "<path class=\"ceiling\" d=\"M15 1v18\"/>", W_LEGEND_CEILING },
	};
	PAGE_ADD(page, "<ul class=\"legend\">");
	for (size_t i = 0; i < FB_ARRAY_LEN(keys); i++)
		PAGE_ADD(
			page,
			"<li><svg width=\"30\" height=\"20\" aria-hidden=\"true\">%s</svg> %s</li>\n",
			keys[i].drawing, bench_page_word(page, keys[i].word));
	PAGE_ADD(page, "</ul>\n");
}

/* Name of the path to the left, figure and share of the ceiling to the right. */
static void draw_figures(struct bench_page *page, const struct bench_row *row)
{
	PAGE_ADD(page, "<div class=\"figures\"><b><i class=\"swatch %s\"></i>%s</b><span>",
		 bench_kind_names[row->kind],
		 bench_page_cut(page, bench_page_series(page, row), 30));
	if (row->direction == BENCH_BOTH)
		PAGE_ADD(page, "<b>↑ %s ↓ %s</b> Mbit/s", bench_page_rate(page, row->mbps),
			 bench_page_rate(page, row->back_mbps));
	else
		PAGE_ADD(page, "<b>%s</b> Mbit/s", bench_page_rate(page, row->mbps));
	if (!isnan(row->percent_of_ceiling))
		PAGE_ADD(page, " · %.1f %%", row->percent_of_ceiling);
	PAGE_ADD(page, "</span></div>\n");
}

/* Lowest and highest figure of what came back, which the file keeps for each trial only. */
static void back_range(const struct bench_row *row, double *ret_low, double *ret_high)
{
	*ret_low = *ret_high = NAN;
	for (size_t i = 0; i < row->n_trials; i++)
		if (row->trial[i].status == BENCH_OK && !row->trial[i].is_short) {
			*ret_low = fmin(*ret_low, row->trial[i].back_mbps);
			*ret_high = fmax(*ret_high, row->trial[i].back_mbps);
		}
}

/* The bar with its whiskers: where the trials lay. */
static void draw_bar(struct bench_page *page, const struct bench_row *row,
		     const struct bench_scale *scale, bool is_back)
{
	bool is_half = row->direction == BENCH_BOTH;
	double y = is_back ? HALF_TOP + HALF_HEIGHT + 2 : is_half ? HALF_TOP : BAR_TOP;
	double height = is_half ? HALF_HEIGHT : BAR_HEIGHT, low = row->min_mbps,
	       high = row->max_mbps;
	if (is_back)
		back_range(row, &low, &high);
	bench_svg_bar(page, bench_kind_names[row->kind],
		      bench_svg_percent(scale, is_back ? row->back_mbps : row->mbps), y, height);
	if (!isnan(low) && !isnan(high))
		bench_svg_range(page, bench_svg_percent(scale, low), bench_svg_percent(scale, high),
				y + height / 2, height / 3.5);
}

static void draw_bars(struct bench_page *page, const struct bench_row *row,
		      const struct bench_scale *scale)
{
	struct bench_cell cell = bench_cell_of(row);
	bench_svg_open(page, "bar", DRAWING_HEIGHT,
		       fb_format(page->out.arena, "%s, %s: %s Mbit/s",
				 bench_page_escape(page, row->path), bench_page_cell(page, &cell),
				 bench_page_rate(page, row->mbps)));
	bench_svg_bar(page, "track", 100, BAR_TOP, BAR_HEIGHT);
	bench_svg_grid_x(page, scale);
	if (!isnan(row->ceiling_mbps))
		bench_svg_mark(page, "ceiling", bench_svg_percent(scale, row->ceiling_mbps), 0,
			       DRAWING_HEIGHT);
	draw_bar(page, row, scale, false);
	if (row->direction == BENCH_BOTH)
		draw_bar(page, row, scale, true);
	bench_svg_close(page);
}

static void draw_below(struct bench_page *page, const struct bench_row *row)
{
	PAGE_ADD(page, "<div class=\"below\"><span>%s</span><span>",
		 bench_page_range(page, row->min_mbps, row->max_mbps));
	if (!isnan(row->ceiling_mbps))
		PAGE_ADD(page, bench_page_word(page, W_OF_CEILING),
			 bench_page_rate(page, row->ceiling_mbps));
	PAGE_ADD(page, "</span></div>\n");
}

static void draw_row(struct bench_page *page, const struct bench_row *row,
		     const struct bench_scale *scale)
{
	bool has_figure = row->status == BENCH_OK && !isnan(row->mbps);
	if (!has_figure) {
		PAGE_ADD(
			page,
			"<div class=\"row\"><div class=\"figures\"><b><i class=\"swatch none\"></i>%s</b><span>%s</span></div>\n",
			bench_page_cut(page, bench_page_series(page, row), 30),
			bench_page_word(page, W_NO_FIGURE));
		PAGE_ADD(page, "<p class=\"failed\">%s</p></div>\n", bench_page_reason(page, row));
		return;
	}
	PAGE_ADD(page, "<div class=\"row\">");
	draw_figures(page, row);
	draw_bars(page, row, scale);
	draw_below(page, row);
	PAGE_ADD(page, "</div>\n");
}

void bench_draw_rates(struct bench_page *page)
{
	bench_page_section(page, "throughput", W_THROUGHPUT, W_THROUGHPUT_NOTE);
	if (!page->n_cells)
		PAGE_ADD(page, "<p class=\"failed\">%s</p>\n", bench_page_word(page, W_NO_ROWS));
	else
		draw_legend(page);
	struct bench_scale scale = bench_svg_scale(greatest(page->run), 4);
	PAGE_ADD(page, "<div class=\"panels\">\n");
	for (size_t i = 0; i < page->n_cells; i++) {
		PAGE_ADD(page, "<div class=\"panel\"><h3>%s</h3>\n",
			 bench_page_cell(page, &page->cell[i]));
		for (size_t r = 0; r < page->run->n_rows; r++)
			if (bench_cell_has(&page->cell[i], &page->run->row[r]))
				draw_row(page, &page->run->row[r], &scale);
		bench_svg_axis(page, &scale, W_MBPS_AXIS);
		PAGE_ADD(page, "</div>\n");
	}
	PAGE_ADD(page, "</div>\n");
	bench_page_end(page);
}
