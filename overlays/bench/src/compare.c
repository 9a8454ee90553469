/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs rows and judges their difference. */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "cell.h"

enum { TRIALS_MIN = 2 }; /* below that there is no spread, and no test */
static const double significant = 0.05;

/*
 * The row of the path and cell. Where governors were compared within a run there are several, then
 * the governor has to be the same; where there is one, it may differ: that is then what the
 * comparison is about.
 */
static const struct bench_row *partner(const struct bench_run *run, const char *path,
				       const struct bench_row *row)
{
	struct bench_cell cell = bench_cell_of(row);
	const struct bench_row *only = NULL;
	size_t n = 0;
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *other = &run->row[i];
		if (strcmp(other->path, path) || !bench_cell_has(&cell, other))
			continue;
		if (!strcmp(other->governor, row->governor))
			return other;
		only = other;
		n++;
	}
	return n == 1 ? only : NULL;
}

static void set_percent(struct bench_difference *difference)
{
	difference->percent = difference->welch.difference / difference->mean_a * 100;
	difference->low_percent = difference->welch.low / difference->mean_a * 100;
	difference->high_percent = difference->welch.high / difference->mean_a * 100;
}

/* Everything but the verdict, which needs the p-values of the whole table. */
static struct bench_difference measure(struct fb_arena *arena, const struct bench_row *a,
				       const struct bench_row *b)
{
	struct bench_difference found = {
		.a = a,
		.b = b,
		.mean_a = NAN,
		.mean_b = NAN,
		.welch = { NAN, NAN, NAN, NAN, NAN },
		.p = NAN,
		.percent = NAN,
		.low_percent = NAN,
		.high_percent = NAN,
	};
	double *from = NULL, *to = NULL;
	if (a && a->status == BENCH_OK)
		found.n_a = bench_row_sample(arena, a, &from);
	if (b && b->status == BENCH_OK)
		found.n_b = bench_row_sample(arena, b, &to);
	if (found.n_a)
		found.mean_a = bench_stats(from, found.n_a).mean;
	if (found.n_b)
		found.mean_b = bench_stats(to, found.n_b).mean;
	if (!found.n_a || !found.n_b || !(found.mean_a > 0))
		return found;
	found.welch = bench_welch(from, found.n_a, to, found.n_b);
	found.p = found.welch.p;
	set_percent(&found);
	return found;
}

static enum bench_verdict judge(const struct bench_difference *difference, double least_percent)
{
	if (!difference->a || !difference->b)
		return difference->a ? BENCH_ONLY_A : BENCH_ONLY_B;
	if (!difference->n_a || !difference->n_b || isnan(difference->percent))
		return BENCH_NO_FIGURE;
	if (difference->n_a < TRIALS_MIN || difference->n_b < TRIALS_MIN)
		return BENCH_TOO_FEW;
	if (difference->low_percent >= -least_percent && difference->high_percent <= least_percent)
		return BENCH_EQUAL;
	if (difference->p < significant && fabs(difference->percent) >= least_percent)
		return difference->percent > 0 ? BENCH_FASTER : BENCH_SLOWER;
	return BENCH_UNCLEAR;
}

static void judge_all(struct fb_arena *arena, struct bench_difference *difference, size_t n,
		      double least_percent)
{
	double *p = fb_alloc(arena, (n + 1) * sizeof(*p));
	for (size_t i = 0; i < n; i++)
		p[i] = difference[i].p;
	bench_holm(arena, p, n);
	for (size_t i = 0; i < n; i++) {
		difference[i].p = p[i];
		difference[i].verdict = judge(&difference[i], least_percent);
	}
}

size_t bench_compare_runs(struct fb_arena *arena, const struct bench_run *a,
			  const struct bench_run *b, double least_percent,
			  struct bench_difference **ret_differences)
{
	struct bench_difference *difference =
		fb_alloc(arena, (a->n_rows + b->n_rows + 1) * sizeof(*difference));
	size_t n = 0;
	for (size_t i = 0; i < a->n_rows; i++)
		difference[n++] =
			measure(arena, &a->row[i], partner(b, a->row[i].path, &a->row[i]));
	for (size_t i = 0; i < b->n_rows; i++) {
		bool is_paired = false;
		for (size_t k = 0; k < a->n_rows; k++)
			is_paired |= difference[k].b == &b->row[i];
		if (!is_paired)
			difference[n++] = measure(arena, NULL, &b->row[i]);
	}
	judge_all(arena, difference, n, least_percent);
	*ret_differences = difference;
	return n;
}

size_t bench_compare_paths(struct fb_arena *arena, const struct bench_run *run, const char *base,
			   double least_percent, struct bench_difference **ret_differences)
{
	struct bench_difference *difference =
		fb_alloc(arena, (run->n_rows + 1) * sizeof(*difference));
	size_t n = 0;
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_row *row = &run->row[i], *from = partner(run, base, row);
		if (strcmp(row->path, base) && from)
			difference[n++] = measure(arena, from, row);
	}
	judge_all(arena, difference, n, least_percent);
	*ret_differences = difference;
	return n;
}

bool bench_compare_has(const struct bench_difference *difference, size_t n,
		       enum bench_verdict verdict)
{
	for (size_t i = 0; i < n; i++)
		if (difference[i].verdict == verdict)
			return true;
	return false;
}
