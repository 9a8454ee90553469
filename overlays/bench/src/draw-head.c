/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The top of the page: which box, when, and the answer in one glance. */
#include "page.h"

#include <math.h>

#include "text.h"

static void draw_fact(struct bench_page *page, enum bench_word word, const char *text)
{
	if (*text)
		PAGE_ADD(page, "<dt>%s</dt><dd>%s</dd>\n", bench_page_word(page, word),
			 bench_page_escape(page, text));
}

static const char *duration(struct bench_page *page, double s)
{
	if (isnan(s))
		return "";
	bool is_long = s >= 120;
	return fb_format(page->out.arena, bench_page_word(page, is_long ? W_MINUTES : W_SECONDS),
			 is_long ? s / 60 : s);
}

/* The cell that most paths have a figure for: the same measurement over every path is what can be
 * compared. */
static const struct bench_cell *common_cell(const struct bench_page *page)
{
	const struct bench_cell *found = NULL;
	size_t most = 0;
	for (size_t c = 0; c < page->n_cells; c++) {
		size_t n = 0;
		for (size_t i = 0; i < page->run->n_rows; i++)
			n += page->run->row[i].status == BENCH_OK &&
			     bench_cell_has(&page->cell[c], &page->run->row[i]);
		if (!found || n > most) {
			found = &page->cell[c];
			most = n;
		}
	}
	return found;
}

static void draw_tile(struct bench_page *page, const struct bench_row *row)
{
	PAGE_ADD(page, "<li class=\"tile %s\"><span class=\"name\">%s</span>",
		 bench_kind_names[row->kind],
		 bench_page_cut(page, bench_page_series(page, row), 24));
	if (row->status != BENCH_OK || isnan(row->mbps)) {
		PAGE_ADD(page, "<span class=\"big\">–</span><span>%s</span></li>\n",
			 bench_status_word(page->lang, row->status));
		return;
	}
	PAGE_ADD(page, "<span class=\"big\">%s <small>Mbit/s</small></span>",
		 bench_page_rate(page, row->mbps));
	if (!isnan(row->percent_of_ceiling)) {
		PAGE_ADD(page, "<span>");
		PAGE_ADD(page, bench_page_word(page, W_TILE_CEILING), row->percent_of_ceiling,
			 bench_page_rate(page, row->ceiling_mbps));
		PAGE_ADD(page, "</span>");
	}
	PAGE_ADD(page, "</li>\n");
}

static void draw_tiles(struct bench_page *page)
{
	const struct bench_cell *cell = common_cell(page);
	if (!cell)
		return;
	PAGE_ADD(page, "<h2>%s</h2>\n<ul class=\"tiles\">\n", bench_page_cell(page, cell));
	for (size_t i = 0; i < page->run->n_rows; i++)
		if (bench_cell_has(cell, &page->run->row[i]))
			draw_tile(page, &page->run->row[i]);
	PAGE_ADD(page, "</ul>\n");
}

static void draw_failures(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	size_t n = 0;
	for (size_t i = 0; i < run->n_rows; i++)
		n += run->row[i].status != BENCH_OK;
	if (!n)
		return;
	PAGE_ADD(page, "<div class=\"alert\"><b>");
	PAGE_ADD(page, bench_page_word(page, W_FAILED_ROWS), n, run->n_rows);
	PAGE_ADD(page, "</b><ul>\n");
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i];
		struct bench_cell cell = bench_cell_of(row);
		if (row->status != BENCH_OK)
			PAGE_ADD(page, "<li>%s · %s%s%s</li>\n",
				 bench_page_escape(page, bench_page_series(page, row)),
				 bench_page_cell(page, &cell), bench_page_word(page, W_COLON),
				 bench_page_reason(page, row));
	}
	PAGE_ADD(page, "</ul></div>\n");
}

void bench_draw_head(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	struct fb_arena *arena = page->out.arena;
	PAGE_ADD(page, "<header>\n<h1>%s</h1>\n<p class=\"note\">%s</p>\n<dl>\n",
		 bench_page_escape(page, run->host), bench_page_word(page, W_LEAD));
	draw_fact(page, W_AT, bench_page_date(page, run->started_s, true));
	draw_fact(page, W_TOOK, duration(page, run->took_s));
	draw_fact(page, W_BOARD, run->board);
	draw_fact(page, W_KERNEL, run->kernel);
	struct fb_strs words = run->command;
	draw_fact(page, W_COMMAND, fb_text_join(arena, &words, " "));
	PAGE_ADD(page, "</dl>\n");
	draw_tiles(page);
	draw_failures(page);
	PAGE_ADD(page, "</header>\n");
}
