/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live table: rows on standard output, progress on standard error while that is a terminal. */
#include "live.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 10 };

static const char *number(char *buf, size_t size, double value, const char *format)
{
	(void)snprintf(buf, size, "-");
	if (isfinite(value))
		(void)snprintf(buf, size, format, value);
	return buf;
}

void bench_live_head(const struct bench_session *s)
{
	if (!s->options->is_quiet)
		printf("%-14s %-16s %9s %6s %9s %9s  %-10s %s\n", "path", "cell", "Mbit/s", "%", "min", "max", "ms loaded",
		       "notes");
}

static void cell_name(const struct bench_row *row, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s%d-%s%s%s", bench_protocol_names[row->protocol], row->family,
		       bench_direction_names[row->direction], row->streams > 1 ? " P" : "", row->is_swapped ? " swap" : "");
}

void bench_live_progress(struct bench_session *s, const struct bench_row *row, double trial_elapsed_s)
{
	static double last_s = -1;
	char cell[48], last[24];
	if (s->options->is_quiet || !isatty(STDERR_FILENO) || (int)(trial_elapsed_s * 4) == (int)(last_s * 4))
		return;
	last_s = trial_elapsed_s;
	size_t done = 0;
	for (size_t i = 0; i < s->run.n_rows; i++)
		done += !isnan(s->run.row[i].took_s);
	unsigned bar = s->run.n_rows ? (unsigned)(BAR_WIDTH * done / s->run.n_rows) : 0;
	double mbps = row->n_trials ? row->trial[row->n_trials - 1].mbps : NAN;
	cell_name(row, cell, sizeof(cell));
	fprintf(stderr, "\r[%.*s%*s] %zu/%zu %s %s: trial %zu, %.0f s, last %s Mbit/s\033[K", (int)bar, "##########",
		(int)(BAR_WIDTH - bar), "", done, s->run.n_rows, row->path, cell, row->n_trials + 1, trial_elapsed_s,
		number(last, sizeof(last), mbps, "%.1f"));
	fflush(stderr);
}

static void notes(const struct bench_row *row)
{
	if (row->status != BENCH_OK)
		printf("%s: %s ", bench_status_names[row->status], row->reason);
	if (row->direction == BENCH_BOTH && row->status == BENCH_OK)
		printf("back %.1f ", row->back_mbps);
	const struct bench_search *search = row->search;
	if (search && search->low_mbps > 0)
		printf("%s %.1f..%.1f Mbit/s at %g %% loss, %u trials, %.0f s%s",
		       search->is_bracketed ? "offered" : "sender bound", search->low_mbps, search->high_mbps,
		       search->loss_limit_percent, search->n_trials, search->took_s,
		       search->is_reordering ? ", reordering line" : "");
	if (row->governor && *row->governor)
		printf(" (%s)", row->governor);
	printf("\n");
}

void bench_live_rows(const struct bench_session *s, size_t *done)
{
	char cell[48], a[24], b[24], c[24], d[24], e[24];
	if (!s->options->is_quiet && isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	for (; *done < s->run.n_rows && !isnan(s->run.row[*done].took_s); ++*done) {
		const struct bench_row *row = &s->run.row[*done];
		if (s->options->is_quiet)
			continue;
		cell_name(row, cell, sizeof(cell));
		printf("%-14s %-16s %9s %6s %9s %9s  %-10s ", row->path, cell, number(a, sizeof(a), row->mbps, "%.2f"),
		       number(b, sizeof(b), row->percent_of_ceiling, "%.1f"), number(c, sizeof(c), row->min_mbps, "%.2f"),
		       number(d, sizeof(d), row->max_mbps, "%.2f"),
		       number(e, sizeof(e), row->latency ? row->latency->loaded_median_ms : NAN, "%.2f"));
		notes(row);
	}
	fflush(stdout);
}
