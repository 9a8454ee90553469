/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of the HTML report. */
#include "html.h"

#include <assert.h>
#include <stdlib.h>

#include "page.h"

static int by_start(const void *a, const void *b)
{
	const struct bench_run *first = *(const struct bench_run *const *)a,
			       *second = *(const struct bench_run *const *)b;
	return (first->started_s > second->started_s) - (first->started_s < second->started_s);
}

static void open_page(struct bench_page *page)
{
	const char *host = bench_page_escape(page, page->run->host);
	PAGE_ADD(page, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\"/>\n",
		 bench_lang_names[page->lang]);
	PAGE_ADD(page,
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
	PAGE_ADD(page, "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	PAGE_ADD(page, bench_page_word(page, W_TITLE), host);
	PAGE_ADD(page, "</title>\n<style>\n");
	for (const char *const *line = bench_page_style; *line; line++)
		PAGE_ADD(page, "%s\n", *line);
	PAGE_ADD(page, "</style>\n</head>\n<body>\n<main>\n");
}

const char *bench_html(struct fb_arena *arena, const struct bench_run *run, size_t n,
		       enum bench_lang lang)
{
	assert(n > 0);
	const struct bench_run **all = fb_alloc(arena, n * sizeof(struct bench_run *));
	for (size_t i = 0; i < n; i++)
		all[i] = &run[i];
	qsort(all, n, sizeof(*all), by_start);
	struct bench_page page = {
		.out = { .arena = arena }, .lang = lang, .run = all[n - 1], .all = all, .n_all = n
	};
	page.cell = bench_cells(arena, page.run, &page.n_cells);
	open_page(&page);
	static void (*const sections[])(struct bench_page * page) = {
		bench_draw_head, bench_draw_rates,    bench_draw_latency, bench_draw_history,
		bench_draw_cpu,	 bench_draw_topology, bench_draw_methods, bench_draw_table,
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(sections); i++)
		sections[i](&page);
	PAGE_ADD(&page, "<footer>");
	PAGE_ADD(&page, bench_page_word(&page, W_MADE_BY),
		 bench_page_escape(&page, page.run->program));
	PAGE_ADD(&page, "</footer>\n</main>\n</body>\n</html>\n");
	return fb_buf_text(&page.out);
}
