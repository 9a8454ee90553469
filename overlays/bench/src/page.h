/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTML page while it is written: escaping, figures as text, and the parts that all sections
 * share. */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "cell.h"
#include "lang.h"
#include "result.h"

struct bench_page {
	struct fb_buf out;
	enum bench_lang lang;
	const struct bench_run *run; /* the one shown in full */
	const struct bench_run *const *all; /* all runs, oldest first: the history */
	size_t n_all;
	const struct bench_cell *cell; /* the cells of run, sorted */
	size_t n_cells;
};

#define PAGE_ADD(page, ...) fb_buf_add(&(page)->out, __VA_ARGS__)

/* The word of the page's language. */
const char *bench_page_word(const struct bench_page *page, enum bench_word word);

/* Text as it may stand in HTML, in attributes too. Control characters become spaces. */
const char *bench_page_escape(const struct bench_page *page, const char *text);

/* Escaped, and cut with an ellipsis to so many columns; a CJK character counts two. */
const char *bench_page_cut(const struct bench_page *page, const char *text, size_t columns);

/* Three digits at least: 9.41, 94.1, 941, 2350; "–" for NAN. Without unit. */
const char *bench_page_rate(const struct bench_page *page, double mbps);

/* "597 – 670", with as many decimals as it takes to tell both ends apart. Nothing if either is NAN.
 */
const char *bench_page_range(const struct bench_page *page, double low, double high);

/* With so many decimals; "–" for NAN. */
const char *bench_page_number(const struct bench_page *page, double x, int decimals);

/* 2026-12-01 14:00, local time with the zone's name; "–" for NAN. */
const char *bench_page_date(const struct bench_page *page, double at_s, bool with_time);

/* "TCP · IPv4 · send · 4 streams", escaped. */
const char *bench_page_cell(const struct bench_page *page, const struct bench_cell *cell);

/* The row's path, with the governor where the same cell was measured under several. Not escaped. */
const char *bench_page_series(const struct bench_page *page, const struct bench_row *row);

/* Heading and explanation; every section ends with bench_page_end(). id is for links inside the
 * page. */
void bench_page_section(struct bench_page *page, const char *id, enum bench_word title,
			enum bench_word note);
void bench_page_end(struct bench_page *page);

/* "refused: connection refused", escaped: why a row has no figure. */
const char *bench_page_reason(const struct bench_page *page, const struct bench_row *row);

/* The sections, in the order of the page. */
void bench_draw_head(struct bench_page *page);
void bench_draw_rates(struct bench_page *page);
void bench_draw_latency(struct bench_page *page);
void bench_draw_cpu(struct bench_page *page);
void bench_draw_history(struct bench_page *page);
void bench_draw_topology(struct bench_page *page);
void bench_draw_methods(struct bench_page *page);
void bench_draw_table(struct bench_page *page);
void bench_draw_facts(struct bench_page *page, const struct bench_telemetry *telemetry);

extern const char *const bench_page_style[]; /* the style sheet, a line each, NULL at the end */

#endif
