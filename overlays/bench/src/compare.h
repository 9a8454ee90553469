/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which differences between two runs, or between two paths of one run, are real, and by how much.
 */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "result.h"
#include "stats.h"

/*
 * FASTER, SLOWER: the difference is significant for the table as a whole (Holm, 5 %) and at least
 * the limit. EQUAL: the 95 % interval of the difference lies within the limit, whether it is
 * significant or not. UNCLEAR: neither can be said; more trials would tell.
 */
enum bench_verdict {
	BENCH_FASTER,
	BENCH_SLOWER,
	BENCH_EQUAL,
	BENCH_UNCLEAR,
	BENCH_TOO_FEW,
	BENCH_NO_FIGURE,
	BENCH_ONLY_A,
	BENCH_ONLY_B,
	BENCH_N_VERDICTS
};

/* The limit below which a difference does not matter: what one would not change a setting for. */
enum { BENCH_LEAST_PERCENT = 2 };

struct bench_difference {
	const struct bench_row *a, *b; /* NULL where the run has no such row */
	size_t n_a, n_b; /* trials compared */
	double mean_a, mean_b; /* Mbit/s; of an both-ways row the sum of the directions */
	struct bench_welch welch; /* of the means, in Mbit/s */
	double p; /* after Holm's correction; NAN if nothing could be tested */
	double percent, low_percent,
		high_percent; /* the difference and its 95 % interval, in percent of mean_a */
	enum bench_verdict verdict;
};

/* b against a: rows of the same path and cell. Returns how many differences *ret_differences has.
 */
size_t bench_compare_runs(struct fb_arena *arena, const struct bench_run *a,
			  const struct bench_run *b, double least_percent,
			  struct bench_difference **ret_differences);

/* All other paths of a run against the path base, cell by cell. 0 if the run has no such path. */
size_t bench_compare_paths(struct fb_arena *arena, const struct bench_run *run, const char *base,
			   double least_percent, struct bench_difference **ret_differences);

bool bench_compare_has(const struct bench_difference *difference, size_t n,
		       enum bench_verdict verdict);

/*
 * For people. file_a and file_b name the files; b and file_b are NULL when paths of one run were
 * compared. Tells also what else differs between the runs (kernel, governor, method …), since a
 * difference may come from that.
 */
const char *bench_compare_text(struct fb_arena *arena, const char *file_a,
			       const struct bench_run *a, const char *file_b,
			       const struct bench_run *b, const struct bench_difference *difference,
			       size_t n, double least_percent);

#endif
