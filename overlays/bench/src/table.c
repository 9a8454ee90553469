/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as CSV and as a Prometheus textfile. */
#include <math.h>
#include <string.h>

#include "output.h"

struct number {
	const char *name, *help;	/* help: NULL if it is for the CSV only */
	size_t offset;
};

#define AT(field) offsetof(struct bench_row, field)
static const struct number numbers[] = {
	{ "mbps", "Payload rate by the row's method, Mbit/s.", AT(mbps) },
	{ "min_mbps", "Lowest trial.", AT(min_mbps) },
	{ "max_mbps", "Highest trial.", AT(max_mbps) },
	{ "ci95_mbps", "Half width of the 95 % confidence interval of the mean.", AT(ci95_mbps) },
	{ "back_mbps", "The other direction of a bidirectional row.", AT(back_mbps) },
	{ "ceiling_mbps", "What the line can carry of this payload, computed.", AT(ceiling_mbps) },
	{ "percent_of_ceiling", "Rate in percent of the ceiling.", AT(percent_of_ceiling) },
	{ "took_s", NULL, AT(took_s) },
	{ "started_s", "When the row was measured, seconds since 1970.", AT(started_s) },
};

static double value_of(const struct bench_row *row, const struct number *number)
{
	return *(const double *)(const void *)((const char *)row + number->offset);
}

/* RFC 4180: quoted when it must be, quotes doubled. A cell that begins like a formula is kept from being one. */
static void csv_text(struct fb_buf *buf, const char *text)
{
	if (strchr("=+-@", *text) && *text)
		text = fb_format(buf->arena, "'%s", text);
	if (!strpbrk(text, ",\"\r\n")) {
		fb_buf_add(buf, "%s", text);
		return;
	}
	fb_buf_add(buf, "\"");
	for (; *text; text++)
		fb_buf_add(buf, *text == '"' ? "\"\"" : "%c", *text);
	fb_buf_add(buf, "\"");
}

static void csv_number(struct fb_buf *buf, double value)
{
	if (isfinite(value))
		fb_buf_add(buf, ",%.10g", value);
	else
		fb_buf_add(buf, ",");
}

const char *bench_csv(struct fb_arena *arena, const struct bench_run *run)
{
	struct fb_buf buf = { .arena = arena };
	fb_buf_add(&buf, "host,path,kind,family,protocol,direction,streams,swapped,method,governor,congestion,status");
	for (size_t i = 0; i < FB_ARRAY_LEN(numbers); i++)
		fb_buf_add(&buf, ",%s", numbers[i].name);
	fb_buf_add(&buf, ",n_counted,udp_low_mbps,udp_high_mbps,idle_ms,loaded_ms,reason\r\n");
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i];
		csv_text(&buf, run->host);
		fb_buf_add(&buf, ",");
		csv_text(&buf, row->path);
		fb_buf_add(&buf, ",%s,%d,%s,%s,%u,%d,", bench_kind_names[row->kind], row->family,
			   bench_protocol_names[row->protocol], bench_direction_names[row->direction], row->streams,
			   row->is_swapped);
		csv_text(&buf, row->method);
		fb_buf_add(&buf, ",%s,%s,%s", row->governor, row->congestion, bench_status_names[row->status]);
		for (size_t k = 0; k < FB_ARRAY_LEN(numbers); k++)
			csv_number(&buf, value_of(row, &numbers[k]));
		fb_buf_add(&buf, ",%u", row->n_counted);
		csv_number(&buf, row->search ? row->search->low_mbps : NAN);
		csv_number(&buf, row->search ? row->search->high_mbps : NAN);
		csv_number(&buf, row->latency ? row->latency->idle_median_ms : NAN);
		csv_number(&buf, row->latency ? row->latency->loaded_median_ms : NAN);
		fb_buf_add(&buf, ",");
		csv_text(&buf, row->reason);
		fb_buf_add(&buf, "\r\n");
	}
	return fb_buf_text(&buf);
}

/* Label values of the exposition format: backslash, quote and newline are escaped. */
static const char *label(struct fb_arena *arena, const char *text)
{
	struct fb_buf buf = { .arena = arena };
	for (; *text; text++) {
		if (*text == '\n')
			fb_buf_add(&buf, "\\n");
		else
			fb_buf_add(&buf, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	}
	return fb_buf_text(&buf);
}

static const char *labels(struct fb_arena *arena, const struct bench_row *row)
{
	return fb_format(arena, "path=\"%s\",kind=\"%s\",family=\"%d\",protocol=\"%s\",direction=\"%s\",streams=\"%u\",swapped=\"%d\",method=\"%s\",governor=\"%s\"",
			 label(arena, row->path), bench_kind_names[row->kind], row->family,
			 bench_protocol_names[row->protocol], bench_direction_names[row->direction], row->streams,
			 row->is_swapped, label(arena, row->method), label(arena, row->governor));
}

static void head(struct fb_buf *buf, const char *name, const char *help)
{
	fb_buf_add(buf, "# HELP r4s_bench_%s %s\n# TYPE r4s_bench_%s gauge\n", name, help, name);
}

const char *bench_prom(struct fb_arena *arena, const struct bench_run *run)
{
	struct fb_buf buf = { .arena = arena };
	for (size_t k = 0; k < FB_ARRAY_LEN(numbers); k++) {
		if (!numbers[k].help)
			continue;
		head(&buf, numbers[k].name, numbers[k].help);
		for (size_t i = 0; i < run->n_rows; i++)
			if (isfinite(value_of(&run->row[i], &numbers[k])))
				fb_buf_add(&buf, "r4s_bench_%s{%s} %.10g\n", numbers[k].name, labels(arena, &run->row[i]),
					   value_of(&run->row[i], &numbers[k]));
	}
	head(&buf, "latency_ms", "Median round trip, idle and under load.");
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_latency *latency = run->row[i].latency;
		if (latency && isfinite(latency->idle_median_ms))
			fb_buf_add(&buf, "r4s_bench_latency_ms{%s,load=\"0\"} %.6g\n", labels(arena, &run->row[i]),
				   latency->idle_median_ms);
		if (latency && isfinite(latency->loaded_median_ms))
			fb_buf_add(&buf, "r4s_bench_latency_ms{%s,load=\"1\"} %.6g\n", labels(arena, &run->row[i]),
				   latency->loaded_median_ms);
	}
	head(&buf, "ok", "1 if the row has a figure, else 0 and the status that says why.");
	for (size_t i = 0; i < run->n_rows; i++)
		fb_buf_add(&buf, "r4s_bench_ok{%s,status=\"%s\"} %d\n", labels(arena, &run->row[i]),
			   bench_status_names[run->row[i].status], run->row[i].status == BENCH_OK);
	return fb_buf_text(&buf);
}
