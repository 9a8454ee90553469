/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping, figures as text, and the parts that all sections share. */
#include "page.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const char none[] = "–";

const char *bench_page_word(const struct bench_page *page, enum bench_word word)
{
	return bench_word(page->lang, word);
}

static void add_escaped(struct fb_buf *buf, const char *text, size_t len)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = {
		{ '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" },
		{ '"', "&quot;" }, { '\'', "&#39;" },
	};
	for (size_t i = 0; i < len; i++) {
		const char *entity = NULL;
		for (size_t e = 0; e < FB_ARRAY_LEN(entities); e++)
			if (entities[e].c == text[i])
				entity = entities[e].entity;
		char plain = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i];
		if (entity)
			fb_buf_mem(buf, entity, strlen(entity));
		else
			fb_buf_mem(buf, &plain, 1);
	}
}

const char *bench_page_escape(const struct bench_page *page, const char *text)
{
	struct fb_buf buf = { .arena = page->out.arena };
	add_escaped(&buf, text, strlen(text));
	return fb_buf_text(&buf);
}

/* Bytes of the UTF-8 character at text, and how many columns it takes: what is above U+1100 is
 * mostly wide. */
static size_t character(const char *text, size_t *ret_columns)
{
	unsigned char c = (unsigned char)*text;
	size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	size_t have = 1;
	while (have < len && ((unsigned char)text[have] & 0xc0) == 0x80)
		have++;
	*ret_columns = c >= 0xe1 && !(c == 0xe2 && (unsigned char)text[1] < 0xba) ? 2 : 1;
	return have;
}

const char *bench_page_cut(const struct bench_page *page, const char *text, size_t columns)
{
	size_t len = 0, used = 0, fits = 0;
	while (text[len]) {
		size_t wide, step = character(text + len, &wide);
		if (used + wide > columns)
			break;
		if (used + wide < columns) /* leaves room for the ellipsis */
			fits = len + step;
		used += wide;
		len += step;
	}
	struct fb_buf buf = { .arena = page->out.arena };
	add_escaped(&buf, text, text[len] ? fits : len);
	if (text[len])
		fb_buf_add(&buf, "…");
	return fb_buf_text(&buf);
}

const char *bench_page_number(const struct bench_page *page, double x, int decimals)
{
	return isnan(x) ? none : fb_format(page->out.arena, "%.*f", decimals, x);
}

const char *bench_page_rate(const struct bench_page *page, double mbps)
{
	return bench_page_number(page, mbps, mbps < 9.995 ? 2 : mbps < 99.95 ? 1 : 0);
}

const char *bench_page_range(const struct bench_page *page, double low, double high)
{
	if (isnan(low) || isnan(high))
		return "";
	int decimals = high - low >= 10 && high >= 100 ? 0 : high - low >= 0.1 ? 1 : 2;
	return fb_format(page->out.arena, "%.*f – %.*f", decimals, low, decimals, high);
}

const char *bench_page_date(const struct bench_page *page, double at_s, bool with_time)
{
	if (isnan(at_s) || fabs(at_s) > 1e11)
		return none;
	time_t at = (time_t)at_s;
	struct tm tm;
	char text[64];
	if (!localtime_r(&at, &tm) ||
	    !strftime(text, sizeof(text), with_time ? "%Y-%m-%d %H:%M %Z" : "%Y-%m-%d", &tm))
		return none;
	return fb_strdup(page->out.arena, text);
}

const char *bench_page_cell(const struct bench_page *page, const struct bench_cell *cell)
{
	struct fb_buf buf = { .arena = page->out.arena };
	fb_buf_add(&buf, "%s · IPv%d · %s", cell->protocol == BENCH_UDP ? "UDP" : "TCP",
		   cell->family, bench_direction_word(page->lang, cell->direction));
	if (cell->streams > 1)
		fb_buf_add(&buf, " · "),
			fb_buf_add(&buf, bench_page_word(page, W_STREAMS), cell->streams);
	if (cell->is_swapped)
		fb_buf_add(&buf, " · %s", bench_page_word(page, W_SWAPPED));
	return fb_buf_text(&buf);
}

const char *bench_page_series(const struct bench_page *page, const struct bench_row *row)
{
	struct bench_cell cell = bench_cell_of(row);
	for (size_t i = 0; i < page->run->n_rows; i++) {
		const struct bench_row *other = &page->run->row[i];
		if (!strcmp(other->path, row->path) && bench_cell_has(&cell, other) &&
		    strcmp(other->governor, row->governor))
			return fb_format(page->out.arena, "%s, %s", row->path,
					 *row->governor ? row->governor : "?");
	}
	return row->path;
}

const char *bench_page_reason(const struct bench_page *page, const struct bench_row *row)
{
	const char *status = bench_status_word(page->lang, row->status);
	if (!*row->reason)
		return status;
	return fb_format(page->out.arena, "%s%s%s", status, bench_page_word(page, W_COLON),
			 bench_page_escape(page, row->reason));
}

void bench_page_section(struct bench_page *page, const char *id, enum bench_word title,
			enum bench_word note)
{
	PAGE_ADD(page, "<section id=\"%s\">\n<h2>%s</h2>\n", id, bench_page_word(page, title));
	PAGE_ADD(page, "<p class=\"note\">%s</p>\n", bench_page_word(page, note));
}

void bench_page_end(struct bench_page *page)
{
	PAGE_ADD(page, "</section>\n");
}
