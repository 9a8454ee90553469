/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All figures as a table, and where they come from: the part that can be read without seeing a
 * chart. */
#include "page.h"

#include <math.h>
#include <string.h>

static void draw_columns(struct bench_page *page)
{
	static const struct {
		enum bench_word word;
		bool is_number;
	} columns[] = {
		{ W_COL_PATH, false },	{ W_COL_CELL, false },	 { W_COL_MBPS, true },
		{ W_COL_RANGE, true },	{ W_COL_CI, true },	 { W_COL_PERCENT, true },
		{ W_COL_TRIALS, true }, { W_COL_METHOD, false },
	};
	PAGE_ADD(page, "<thead><tr>");
	for (size_t i = 0; i < FB_ARRAY_LEN(columns); i++)
		PAGE_ADD(page, "<th scope=\"col\"%s>%s</th>",
			 columns[i].is_number ? " class=\"number\"" : "",
			 bench_page_word(page, columns[i].word));
	PAGE_ADD(page, "</tr></thead>\n<tbody>\n");
}

/* Carries its column's name along: on a phone each row becomes a card. */
static void open_cell(struct bench_page *page, enum bench_word column, bool is_number)
{
	PAGE_ADD(page, "<td data-column=\"%s\"%s>", bench_page_word(page, column),
		 is_number ? " class=\"number\"" : "");
}

static void draw_method(struct bench_page *page, const struct bench_row *row)
{
	open_cell(page, W_COL_METHOD, false);
	PAGE_ADD(page, "%s",
		 bench_page_escape(page,
				   bench_method_word(page->out.arena, page->lang, row->method)));
	if (*row->congestion)
		PAGE_ADD(page, " · %s", bench_page_escape(page, row->congestion));
	if (row->search && row->search->is_bracketed)
		PAGE_ADD(page, bench_page_word(page, W_SEARCH_LINE),
			 row->search->loss_limit_percent,
			 bench_page_rate(page, row->search->low_mbps),
			 bench_page_rate(page, row->search->high_mbps), row->search->n_trials,
			 row->search->took_s);
	else if (row->search)
		PAGE_ADD(page, bench_page_word(page, W_SEARCH_OPEN),
			 row->search->loss_limit_percent,
			 bench_page_rate(page, row->search->low_mbps), row->search->n_trials,
			 row->search->took_s);
	if (row->search && row->search->is_reordering)
		PAGE_ADD(page, "%s", bench_page_word(page, W_REORDERING));
	if (row->search && row->search->n_remeasured)
		PAGE_ADD(page, bench_page_word(page, W_REMEASURED), row->search->n_remeasured);
	PAGE_ADD(page, "</td>");
}

static void draw_row(struct bench_page *page, const struct bench_row *row)
{
	struct bench_cell cell = bench_cell_of(row);
	PAGE_ADD(page, "<tr><th scope=\"row\">%s</th>",
		 bench_page_escape(page, bench_page_series(page, row)));
	open_cell(page, W_COL_CELL, false);
	PAGE_ADD(page, "%s</td>", bench_page_cell(page, &cell));
	if (row->status != BENCH_OK || isnan(row->mbps)) {
		PAGE_ADD(page, "<td colspan=\"6\" class=\"failed\">%s</td></tr>\n",
			 bench_page_reason(page, row));
		return;
	}
	open_cell(page, W_COL_MBPS, true);
	PAGE_ADD(page, "<span><b>%s</b>", bench_page_number(page, row->mbps, 2));
	if (row->direction == BENCH_BOTH)
		PAGE_ADD(page, " / <b>%s</b>", bench_page_number(page, row->back_mbps, 2));
	PAGE_ADD(page, "</span></td>");
	open_cell(page, W_COL_RANGE, true);
	PAGE_ADD(page, "%s – %s</td>", bench_page_number(page, row->min_mbps, 2),
		 bench_page_number(page, row->max_mbps, 2));
	open_cell(page, W_COL_CI, true);
	PAGE_ADD(page, "%s%s</td>", isnan(row->ci95_mbps) ? "" : "±",
		 bench_page_number(page, row->ci95_mbps, 2));
	open_cell(page, W_COL_PERCENT, true);
	PAGE_ADD(page, "%s %% / %s</td>", bench_page_number(page, row->percent_of_ceiling, 1),
		 bench_page_number(page, row->ceiling_mbps, 2));
	open_cell(page, W_COL_TRIALS, true);
	PAGE_ADD(page, "%u</td>", row->n_counted);
	draw_method(page, row);
	PAGE_ADD(page, "</tr>\n");
}

/* Each formula once, with the ceiling it gives. */
static void draw_formulas(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	struct fb_strs seen = { 0 };
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i];
		if (!*row->ceiling_formula || fb_strs_has(&seen, row->ceiling_formula))
			continue;
		if (!seen.n)
			PAGE_ADD(page, "<h3>%s</h3>\n<ul class=\"formulas\">\n",
				 bench_page_word(page, W_HOW_CEILING));
		fb_strs_add(page->out.arena, &seen, row->ceiling_formula);
		PAGE_ADD(page, "<li><b>%s Mbit/s</b> = <span class=\"formula\">%s</span></li>\n",
			 bench_page_number(page, row->ceiling_mbps, 2),
			 bench_page_escape(page, row->ceiling_formula));
	}
	if (seen.n)
		PAGE_ADD(page, "</ul>\n");
}

void bench_draw_table(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	bench_page_section(page, "figures", W_TABLE, W_TABLE_NOTE);
	PAGE_ADD(page, "<div class=\"wide\" tabindex=\"0\"><table>\n");
	draw_columns(page);
	for (size_t c = 0; c < page->n_cells; c++)
		for (size_t i = 0; i < run->n_rows; i++)
			if (bench_cell_has(&page->cell[c], &run->row[i]))
				draw_row(page, &run->row[i]);
	if (!run->n_rows)
		PAGE_ADD(page, "<tr><td colspan=\"8\" class=\"failed\">%s</td></tr>\n",
			 bench_page_word(page, W_NO_ROWS));
	PAGE_ADD(page, "</tbody></table></div>\n");
	bench_page_end(page);
}

void bench_draw_methods(struct bench_page *page)
{
	PAGE_ADD(page, "<section id=\"methods\">\n<h2>%s</h2>\n%s", bench_page_word(page, W_HOW),
		 bench_page_word(page, W_HOW_METHODS));
	draw_formulas(page);
	bench_page_end(page);
}
