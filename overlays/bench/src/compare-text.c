/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as a table for people. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "cell.h"
#include "compare.h"

static const struct {
	const char *name, *meaning;
} verdicts[BENCH_N_VERDICTS] = {
	[BENCH_FASTER] = { "faster", "really faster" },
	[BENCH_SLOWER] = { "slower", "really slower" },
	[BENCH_EQUAL] = { "equal", "equal within the limit" },
	[BENCH_UNCLEAR] = { "unclear", "unclear: more trials would tell" },
	[BENCH_TOO_FEW] = { "too few trials", "with too few trials to tell" },
	[BENCH_NO_FIGURE] = { "no figure", "without a figure" },
	[BENCH_ONLY_A] = { "only in A", "only in A" },
	[BENCH_ONLY_B] = { "only in B", "only in B" },
};

static void add_head(struct fb_buf *buf, char side, const char *file, const struct bench_run *run)
{
	char when[64] = "";
	time_t at = isnan(run->started_s) ? 0 : (time_t)run->started_s;
	struct tm tm;
	if (localtime_r(&at, &tm))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M %Z",
			       &tm); /* too long cannot be; "" says nothing */
	fb_buf_add(buf, "%c  %s  (%s, %s, kernel %s)\n", side, file, run->host, when, run->kernel);
}

/* "kernel 6.18.2 -> 6.18.3", once for each different pair. */
static void note(struct fb_arena *arena, struct fb_strs *notes, const char *what, const char *a,
		 const char *b)
{
	if (!strcmp(a, b))
		return;
	const char *text = fb_format(arena, "%s %s -> %s", what, *a ? a : "?", *b ? b : "?");
	if (!fb_strs_has(notes, text))
		fb_strs_add(arena, notes, text);
}

static void add_conditions(struct fb_arena *arena, struct fb_buf *buf, const struct bench_run *a,
			   const struct bench_run *b, const struct bench_difference *difference,
			   size_t n)
{
	struct fb_strs notes = { 0 };
	note(arena, &notes, "host", a->host, b->host);
	note(arena, &notes, "board", a->board, b->board);
	note(arena, &notes, "kernel", a->kernel, b->kernel);
	note(arena, &notes, "program", a->program, b->program);
	for (size_t i = 0; i < n; i++) {
		if (!difference[i].a || !difference[i].b)
			continue;
		note(arena, &notes, "method", difference[i].a->method, difference[i].b->method);
		note(arena, &notes, "governor", difference[i].a->governor,
		     difference[i].b->governor);
		note(arena, &notes, "congestion control", difference[i].a->congestion,
		     difference[i].b->congestion);
	}
	for (size_t i = 0; i < a->n_paths; i++)
		for (size_t k = 0; k < b->n_paths; k++)
			if (!strcmp(a->path[i].name, b->path[k].name) &&
			    a->path[i].mtu != b->path[k].mtu)
				note(arena, &notes, fb_format(arena, "MTU of %s", a->path[i].name),
				     fb_format(arena, "%u", a->path[i].mtu),
				     fb_format(arena, "%u", b->path[k].mtu));
	if (!notes.n)
		return;
	fb_buf_add(buf, "Between them also differ:");
	for (size_t i = 0; i < notes.n; i++)
		fb_buf_add(buf, "%s %s", i ? ";" : "", notes.item[i]);
	fb_buf_add(buf, "\n");
}

static const char *p_text(struct fb_arena *arena, double p)
{
	return isnan(p) ? "-" : p < 0.001 ? "<0.001" : fb_format(arena, "%.3f", p);
}

/* Rounded here, so that no minus is left before a zero. */
static double tenth(double percent)
{
	return round(percent * 10) / 10 + 0.0;
}

static const char *figure(struct fb_arena *arena, double mean, size_t n)
{
	return n ? fb_format(arena, "%.2f (%zu)", mean, n) : "-";
}

/* Why there is no figure: the reason of the side that failed. */
static const char *reason(struct fb_arena *arena, const struct bench_difference *difference)
{
	const struct bench_row *sides[] = { difference->a, difference->b };
	for (size_t i = 0; i < FB_ARRAY_LEN(sides); i++)
		if (sides[i] && sides[i]->status != BENCH_OK)
			return fb_format(arena, ": %s %s%s%s", i ? "B" : "A",
					 bench_status_names[sides[i]->status],
					 *sides[i]->reason ? ", " : "", sides[i]->reason);
	return "";
}

static void add_row(struct fb_arena *arena, struct fb_buf *buf,
		    const struct bench_difference *difference, bool by_path, int width)
{
	const struct bench_row *row = difference->b ? difference->b : difference->a;
	struct bench_cell cell = bench_cell_of(row);
	const char *path =
		by_path ? fb_format(arena, "%s / %s", row->path, difference->a->path) : row->path;
	const char *change = isnan(difference->percent)
				     ? "-"
				     : fb_format(arena, "%+.1f %%", tenth(difference->percent));
	const char *interval =
		isnan(difference->low_percent)
			? "-"
			: fb_format(arena, "%+.1f ... %+.1f %%", tenth(difference->low_percent),
				    tenth(difference->high_percent));
	fb_buf_add(buf, "%-*s  %-20s  %14s  %14s  %9s  %19s  %6s  %s%s\n", width, path,
		   bench_cell_text(arena, &cell),
		   figure(arena, difference->mean_a, difference->n_a),
		   figure(arena, difference->mean_b, difference->n_b), change, interval,
		   p_text(arena, difference->p), verdicts[difference->verdict].name,
		   reason(arena, difference));
}

static int path_width(const struct bench_difference *difference, size_t n, bool by_path)
{
	size_t width = strlen("path");
	for (size_t i = 0; i < n; i++) {
		const struct bench_row *row = difference[i].b ? difference[i].b : difference[i].a;
		size_t len = strlen(row->path) +
			     (by_path ? strlen(" / ") + strlen(difference[i].a->path) : 0);
		width = len > width ? len : width;
	}
	return (int)(width < 40 ? width : 40);
}

const char *bench_compare_text(struct fb_arena *arena, const char *file_a,
			       const struct bench_run *a, const char *file_b,
			       const struct bench_run *b, const struct bench_difference *difference,
			       size_t n, double least_percent)
{
	struct fb_buf buf = { .arena = arena };
	bool by_path = !b;
	int width = path_width(difference, n, by_path);
	add_head(&buf, 'A', file_a, a);
	if (b) {
		add_head(&buf, 'B', file_b, b);
		add_conditions(arena, &buf, a, b, difference, n);
	} else {
		fb_buf_add(
			&buf,
			"Each path against another of the same run: B is the one named first.\n");
	}
	fb_buf_add(&buf, "\n%-*s  %-20s  %14s  %14s  %9s  %19s  %6s  %s\n", width, "path", "cell",
		   "A Mbit/s (n)", "B Mbit/s (n)", "B to A", "95 % interval", "p", "verdict");
	for (size_t i = 0; i < n; i++)
		add_row(arena, &buf, &difference[i], by_path, width);
	fb_buf_add(&buf, "\n");
	for (unsigned verdict = 0; verdict < BENCH_N_VERDICTS; verdict++) {
		size_t count = 0;
		for (size_t i = 0; i < n; i++)
			count += difference[i].verdict == verdict;
		if (count)
			fb_buf_add(&buf, "%zu %s\n", count, verdicts[verdict].meaning);
	}
	fb_buf_add(
		&buf,
		"Means of the trials, Welch's test, p by Holm for the whole table; limit %g %%.\n",
		least_percent);
	return fb_buf_text(&buf);
}
