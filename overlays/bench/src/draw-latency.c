/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency under load: from the idle line to the busy one, a stroke a row. */
#include "svg.h"

#include <math.h>

enum { DRAWING_HEIGHT = 22, MIDDLE = 11 };

static bool has_latency(const struct bench_row *row)
{
	return row->latency && !isnan(row->latency->loaded_median_ms);
}

static double greatest(const struct bench_run *run)
{
	double most = 0;
	for (size_t i = 0; i < run->n_rows; i++) {
		if (!has_latency(&run->row[i]))
			continue;
		const struct bench_latency *latency = run->row[i].latency;
		most = fmax(most, fmax(latency->loaded_p95_ms, latency->loaded_median_ms));
		most = fmax(most, latency->idle_median_ms);	/* fmax passes over NAN */
	}
	return most;
}

static void draw_legend(struct bench_page *page)
{
	static const struct {
		const char *drawing;
		enum bench_word word;
	} keys[] = {
		{ "<circle class=\"idle\" cx=\"15\" cy=\"10\" r=\"5\"/>", W_LEGEND_IDLE },
		{ "<circle class=\"loaded\" cx=\"15\" cy=\"10\" r=\"5\"/>", W_LEGEND_LOADED },
		{ "<path class=\"range\" d=\"M2 10H26M26 5v10\"/>", W_LEGEND_P95 },
	};
	PAGE_ADD(page, "<ul class=\"legend\">");
	for (size_t i = 0; i < FB_ARRAY_LEN(keys); i++)
		PAGE_ADD(
			page,
			"<li><svg width=\"30\" height=\"20\" aria-hidden=\"true\">%s</svg> %s</li>\n",
			keys[i].drawing, bench_page_word(page, keys[i].word));
	PAGE_ADD(page, "</ul>\n");
}

static void draw_row(struct bench_page *page, const struct bench_row *row,
		     const struct bench_scale *scale)
{
	const struct bench_latency *latency = row->latency;
	const char *idle = bench_page_number(page, latency->idle_median_ms, 2);
	const char *loaded = bench_page_number(page, latency->loaded_median_ms, 2);
	const char *change =
		fb_format(page->out.arena, bench_page_word(page, W_MS_CHANGE), idle, loaded);
	double at_loaded = bench_svg_percent(scale, latency->loaded_median_ms);
	PAGE_ADD(
		page,
		"<div class=\"row\"><div class=\"figures\"><b><i class=\"swatch %s\"></i>%s</b><span>%s</span></div>\n",
		bench_kind_names[row->kind], bench_page_cut(page, bench_page_series(page, row), 30),
		change);
	bench_svg_open(
		page, "bar", DRAWING_HEIGHT,
		fb_format(page->out.arena, "%s: %s", bench_page_escape(page, row->path), change));
	bench_svg_bar(page, "track", 100, MIDDLE - 2, 4);
	bench_svg_grid_x(page, scale);
	if (!isnan(latency->loaded_p95_ms)) {
		double at_p95 = bench_svg_percent(scale, latency->loaded_p95_ms);
		PAGE_ADD(page,
			 "<line class=\"range\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
			 at_loaded, at_p95, MIDDLE, MIDDLE);
		bench_svg_mark(page, "range", at_p95, MIDDLE - 5, 10);
	}
	bench_svg_point(page, "loaded", 0, at_loaded, MIDDLE);
	if (!isnan(latency->idle_median_ms))
		bench_svg_point(page, "idle", 0, bench_svg_percent(scale, latency->idle_median_ms),
				MIDDLE);
	bench_svg_close(page);
	PAGE_ADD(page, "<div class=\"below\"><span>p95 %s ms · max %s ms</span><span>",
		 bench_page_number(page, latency->loaded_p95_ms, 2),
		 bench_page_number(page, latency->loaded_max_ms, 2));
	if (latency->n_lost)
		PAGE_ADD(page, bench_page_word(page, W_LOST), latency->n_lost,
			 latency->n_loaded + latency->n_lost);
	PAGE_ADD(page, "</span></div></div>\n");
}

void bench_draw_latency(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	struct bench_scale scale = bench_svg_scale(greatest(run), 4);
	bool is_open = false;
	for (size_t i = 0; i < page->n_cells; i++) {
		bool is_panel = false;
		for (size_t r = 0; r < run->n_rows; r++) {
			if (!bench_cell_has(&page->cell[i], &run->row[r]) ||
			    !has_latency(&run->row[r]))
				continue;
			if (!is_open) {
				bench_page_section(page, "latency", W_LATENCY, W_LATENCY_NOTE);
				draw_legend(page);
				PAGE_ADD(page, "<div class=\"panels\">\n");
			}
			if (!is_panel)
				PAGE_ADD(page, "<div class=\"panel\"><h3>%s</h3>\n",
					 bench_page_cell(page, &page->cell[i]));
			is_open = is_panel = true;
			draw_row(page, &run->row[r], &scale);
		}
		if (is_panel) {
			bench_svg_axis(page, &scale, W_MS_AXIS);
			PAGE_ADD(page, "</div>\n");
		}
	}
	if (!is_open)
		return; /* nobody measured it: the section would be empty */
	PAGE_ADD(page, "</div>\n");
	bench_page_end(page);
}
