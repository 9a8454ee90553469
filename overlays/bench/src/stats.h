/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics behind every figure. Values are in any unit, results in the same. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include "base.h"

struct bench_stats {
	size_t n;
	double mean, min, max, median;
	double sd; /* of the sample, n - 1; NAN below two values */
	double ci95; /* half of the 95 % interval of the mean, Student's t; NAN too */
};

/* n must be at least 1. */
struct bench_stats bench_stats(const double *value, size_t n);

/* The Vyatta write-up's: highest and lowest dropped, mean of the rest. NAN below three values. */
double bench_trimmed_mean(const double *value, size_t n);
double bench_median(const double *value, size_t n); /* NAN without values */
/* Linear between ranks; NAN without values. */
double bench_percentile(const double *value, size_t n, double percent);

/* x rounded to so many significant digits. */
double bench_round_significant(double x, unsigned digits);
/* The same as text, trailing zeroes kept: 93.9, 941, 0.995. "-" for NAN. */
const char *bench_significant(struct fb_arena *arena, double x, unsigned digits);

/* Student's t: the t that P(|T| > t) = p has, and p of a given t. df > 0, need not be whole. */
double bench_t_quantile(double p, double df);
double bench_t_two_sided(double t, double df);

/* Welch's test of mean(b) - mean(a), which does not take equal variances for granted. */
struct bench_welch {
	double difference; /* mean(b) - mean(a) */
	double low, high; /* its 95 % confidence interval */
	double p; /* two-sided; NAN if a side has fewer than two values */
	double df; /* Welch-Satterthwaite */
};
struct bench_welch bench_welch(const double *a, size_t n_a, const double *b, size_t n_b);

/*
 * Holm's step-down: with many cells in a table, one in twenty would differ by chance. p becomes
 * the p-value that still means what it says for the whole table; NAN stays and does not count.
 */
void bench_holm(struct fb_arena *arena, double *p, size_t n);

#endif
