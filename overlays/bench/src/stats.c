/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics behind every figure. */
#include "stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double *sorted(struct fb_arena *arena, const double *value, size_t n)
{
	double *copy = fb_alloc(arena, n * sizeof(*copy));
	memcpy(copy, value, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_value);
	return copy;
}

double bench_percentile(const double *value, size_t n, double percent)
{
	if (!n)
		return NAN;
	struct fb_arena *arena = fb_arena_new();
	const double *rank = sorted(arena, value, n);
	double at = (double)(n - 1) * percent / 100;
	size_t below = (size_t)at;
	double found = rank[below];
	if (below + 1 < n)
		found += (at - (double)below) * (rank[below + 1] - rank[below]);
	fb_arena_free(arena);
	return found;
}

double bench_median(const double *value, size_t n)
{
	return bench_percentile(value, n, 50);
}

double bench_trimmed_mean(const double *value, size_t n)
{
	if (n < 3)
		return NAN;
	struct bench_stats all = bench_stats(value, n);
	return (all.mean * (double)n - all.min - all.max) / (double)(n - 2);
}

/* Two passes: the second over the differences from the mean, which keeps the digits that a sum of
 * squares loses. */
struct bench_stats bench_stats(const double *value, size_t n)
{
	assert(n > 0);
	struct bench_stats stats = {
		.n = n, .min = value[0], .max = value[0], .sd = NAN, .ci95 = NAN
	};
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++) {
		sum += value[i];
		stats.min = fmin(stats.min, value[i]);
		stats.max = fmax(stats.max, value[i]);
	}
	stats.mean = sum / (double)n;
	stats.median = bench_median(value, n);
	if (n < 2)
		return stats;
	for (size_t i = 0; i < n; i++)
		squares += (value[i] - stats.mean) * (value[i] - stats.mean);
	stats.sd = sqrt(squares / (double)(n - 1));
	stats.ci95 = bench_t_quantile(0.05, (double)(n - 1)) * stats.sd / sqrt((double)n);
	return stats;
}

double bench_round_significant(double x, unsigned digits)
{
	if (x == 0 || !isfinite(x))
		return x;
	double scale = pow(10, (double)digits - 1 - floor(log10(fabs(x))));
	return round(x * scale) / scale;
}

const char *bench_significant(struct fb_arena *arena, double x, unsigned digits)
{
	if (isnan(x))
		return "-";
	x = bench_round_significant(x, digits);
	int before = x == 0 || !isfinite(x) ? 1 : (int)floor(log10(fabs(x))) + 1;
	int after = (int)digits - before;
	return fb_format(arena, "%.*f", after > 0 ? after : 0, x);
}

/* Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). */
static double beta_fraction(double a, double b, double x)
{
	enum { TERMS_MAX = 1000 }; /* some 10 are needed in practice, more as a and b grow */
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < tiny ? tiny : d);
	double value = d;
	for (int m = 1; m <= TERMS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step = 1;
		for (int half = 0; half < 2; half++) {
			double term = half ? odd : even;
			d = 1 + term * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + term / c;
			c = fabs(c) < tiny ? tiny : c;
			step = c * d;
			value *= step;
		}
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return value;
}

/* I_x(a, b) (DLMF 8.17); the fraction converges fast on one side of the mean, so the other is
 * turned over (8.17.4). */
static double incomplete_beta(double a, double b, double x)
{
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double bench_t_two_sided(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double bench_t_quantile(double p, double df)
{
	if (!(p > 0) || p > 1 || !(df > 0))
		return NAN;
	double low = 0, high = 1;
	while (bench_t_two_sided(high, df) > p && high < 1e12)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) { /* p falls as t grows */
		double middle = (low + high) / 2;
		if (bench_t_two_sided(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

struct bench_welch bench_welch(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct bench_welch welch = { NAN, NAN, NAN, NAN, NAN };
	if (!n_a || !n_b)
		return welch;
	struct bench_stats from = bench_stats(a, n_a), to = bench_stats(b, n_b);
	welch.difference = to.mean - from.mean;
	if (n_a < 2 || n_b < 2)
		return welch;
	double var_a = from.sd * from.sd / (double)n_a, var_b = to.sd * to.sd / (double)n_b,
	       var = var_a + var_b;
	if (!(var > 0)) { /* every trial gave the same figure: there is no chance left to explain a
			     difference */
		welch.df = (double)(n_a + n_b - 2);
		welch.low = welch.high = welch.difference;
		welch.p = welch.difference == 0 ? 1 : 0;
		return welch;
	}
	welch.df =
		var * var / (var_a * var_a / (double)(n_a - 1) + var_b * var_b / (double)(n_b - 1));
	welch.p = bench_t_two_sided(welch.difference / sqrt(var), welch.df);
	double half = bench_t_quantile(0.05, welch.df) * sqrt(var);
	welch.low = welch.difference - half;
	welch.high = welch.difference + half;
	return welch;
}

struct ranked {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	return by_value(&((const struct ranked *)a)->p, &((const struct ranked *)b)->p);
}

void bench_holm(struct fb_arena *arena, double *p, size_t n)
{
	struct ranked *rank = fb_alloc(arena, n * sizeof(*rank));
	size_t n_tests = 0;
	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			rank[n_tests++] = (struct ranked){ p[i], i };
	qsort(rank, n_tests, sizeof(*rank), by_p);
	double worst = 0;
	for (size_t i = 0; i < n_tests; i++) {
		worst = fmax(worst, fmin(1, rank[i].p * (double)(n_tests - i)));
		p[rank[i].at] = worst;
	}
}
