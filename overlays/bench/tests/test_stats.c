/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics against textbooks, published tables and the figures of the write-ups. */
#include "test.h"

#include <math.h>

#include "stats.h"

#define CHECK_NEAR(got, want, tolerance)                                                     \
	do {                                                                                 \
		double got_ = (got), want_ = (want);                                         \
		if (!(fabs(got_ - want_) <= (tolerance)))                                    \
			test_fail(__FILE__, __LINE__, "%s is %.9g, wanted %.9g", #got, got_, \
				  want_);                                                    \
	} while (0)

TEST(mean_median_spread)
{
	static const double value[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct bench_stats stats = bench_stats(value, FB_ARRAY_LEN(value));
	CHECK_NEAR(stats.mean, 5, 0);
	CHECK_NEAR(stats.median, 4.5, 0);
	CHECK_NEAR(stats.min, 2, 0);
	CHECK_NEAR(stats.max, 9, 0);
	CHECK_NEAR(stats.sd, sqrt(32.0 / 7), 1e-12);
	CHECK_NEAR(stats.ci95, 2.364624 * sqrt(32.0 / 7) / sqrt(8), 1e-5);
}

TEST(one_value_has_no_spread)
{
	static const double value[] = { 941.5 };
	struct bench_stats stats = bench_stats(value, 1);
	CHECK_NEAR(stats.mean, 941.5, 0);
	CHECK_NEAR(stats.median, 941.5, 0);
	CHECK(isnan(stats.sd) && isnan(stats.ci95));
	CHECK(isnan(bench_trimmed_mean(value, 1)));
	CHECK(isnan(bench_median(value, 0)));
}

/* A sum of squares would lose all digits here. */
TEST(a_small_spread_on_a_large_mean_survives)
{
	static const double value[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	CHECK_NEAR(bench_stats(value, 4).sd, sqrt(30), 1e-9);
}

TEST(the_trimmed_mean_drops_one_from_each_end)
{
	static const double value[] = { 94, 12, 93, 95, 94.5, 300, 93.5 };
	CHECK_NEAR(bench_trimmed_mean(value, 7), (94 + 93 + 95 + 94.5 + 93.5) / 5, 1e-9);
	static const double equal[] = { 5, 5, 5 };
	CHECK_NEAR(bench_trimmed_mean(equal, 3), 5, 1e-12);
}

TEST(percentiles_lie_between_ranks)
{
	static const double value[] = { 40, 10, 30, 20 };
	static const struct {
		double percent, want;
	} rows[] = { { 0, 10 }, { 50, 25 }, { 95, 38.5 }, { 100, 40 } };
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_NEAR(bench_percentile(value, 4, rows[i].percent), rows[i].want, 1e-9);
}

TEST(significant_digits)
{
	static const struct {
		double x;
		unsigned digits;
		const char *want;
	} rows[] = {
		{ 941.48, 3, "941" }, { 93.94, 3, "93.9" },    { 9.999, 3, "10.0" },
		{ 99.95, 3, "100" },  { 0.99468, 3, "0.995" }, { 1234.5, 3, "1230" },
		{ 0, 3, "0.00" },     { -12.345, 3, "-12.3" }, { 0.0012345, 2, "0.0012" },
		{ NAN, 3, "-" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(bench_significant(arena, rows[i].x, rows[i].digits), rows[i].want);
	fb_arena_free(arena);
}

/* Any table of Student's t, two-sided. */
TEST(quantiles_of_student)
{
	static const struct {
		double p, df, want;
	} rows[] = {
		{ 0.05, 1, 12.7062 }, { 0.05, 2, 4.30265 },  { 0.05, 4, 2.77645 },
		{ 0.05, 6, 2.44691 }, { 0.05, 30, 2.04227 }, { 0.05, 1e6, 1.95997 },
		{ 0.01, 1, 63.6567 }, { 0.01, 10, 3.16927 }, { 0.001, 5, 6.86883 },
		{ 0.5, 3, 0.764892 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		CHECK_NEAR(bench_t_quantile(rows[i].p, rows[i].df), rows[i].want,
			   rows[i].want * 2e-5);
		CHECK_NEAR(bench_t_two_sided(rows[i].want, rows[i].df), rows[i].p,
			   rows[i].p * 1e-4);
	}
	CHECK_NEAR(bench_t_two_sided(0, 3), 1, 0);
	CHECK(isnan(bench_t_quantile(0, 3)) && isnan(bench_t_quantile(0.05, 0)) &&
	      isnan(bench_t_two_sided(1, NAN)));
}

/* With 1, 2 and 4 degrees of freedom the distribution has a closed form. */
TEST(student_in_closed_form)
{
	static const double t[] = { 0.01, 0.5, 1, 1.549, 2.5, 7, 40, 900 };
	for (size_t i = 0; i < FB_ARRAY_LEN(t); i++) {
		double x = t[i], s = 1 + x * x / 4;
		CHECK_NEAR(bench_t_two_sided(x, 1), 1 - 2 / M_PI * atan(x), 1e-12);
		CHECK_NEAR(bench_t_two_sided(x, 2), 1 - x / sqrt(2 + x * x), 1e-12);
		CHECK_NEAR(bench_t_two_sided(x, 4), 1 - 0.75 * x / sqrt(s) * (1 - x * x / (12 * s)),
			   1e-12);
		CHECK_NEAR(bench_t_two_sided(-x, 4), bench_t_two_sided(x, 4), 0);
	}
}

/* Small enough for a pencil: variances 1 and 4 over n = 3. */
TEST(welch)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 2, 4, 6 }, c[] = { 5, 6, 7 };
	struct bench_welch unequal = bench_welch(a, 3, b, 3);
	CHECK_NEAR(unequal.difference, 2, 1e-12);
	CHECK_NEAR(unequal.df, 50.0 / 17, 1e-9);
	CHECK_NEAR(unequal.high - unequal.low,
		   2 * sqrt(5.0 / 3) * bench_t_quantile(0.05, 50.0 / 17), 1e-9);
	CHECK(unequal.low < 0 && unequal.high > 0 && unequal.p > 0.05);
	struct bench_welch equal = bench_welch(a, 3, c, 3);
	double t = 4 / sqrt(2.0 / 3);
	CHECK_NEAR(equal.df, 4, 1e-9);
	CHECK_NEAR(equal.p,
		   1 - 0.75 * t / sqrt(1 + t * t / 4) * (1 - t * t / (12 * (1 + t * t / 4))),
		   1e-12);
	CHECK_NEAR(equal.low, 4 - 2.776445 * sqrt(2.0 / 3), 1e-5);
	CHECK(equal.p < 0.05 && equal.low > 0);
}

TEST(welch_at_its_edges)
{
	static const double same[] = { 941, 941, 941 }, other[] = { 940, 940, 940 },
			    one[] = { 900 };
	CHECK_NEAR(bench_welch(same, 3, same, 3).p, 1, 0);
	CHECK_NEAR(bench_welch(same, 3, other, 3).p, 0, 0);
	CHECK_NEAR(bench_welch(same, 3, other, 3).low, -1, 0);
	struct bench_welch few = bench_welch(same, 3, one, 1);
	CHECK_NEAR(few.difference, -41, 1e-9);
	CHECK(isnan(few.p) && isnan(few.low) && isnan(few.df));
	CHECK(isnan(bench_welch(same, 3, one, 0).difference));
}

/* Swapping the sides turns the sign and nothing else. */
TEST(welch_is_symmetric)
{
	static const double a[] = { 1, 2, 4, 8, 16 }, b[] = { 3, 3, 4 };
	struct bench_welch there = bench_welch(a, 5, b, 3), back = bench_welch(b, 3, a, 5);
	CHECK_NEAR(there.p, back.p, 1e-12);
	CHECK_NEAR(there.low, -back.high, 1e-9);
}

/* Holm 1979: sorted p times n, n - 1, …, never falling. */
TEST(many_tests_at_once)
{
	struct fb_arena *arena = fb_arena_new();
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 };
	static const double want[] = { 0.03, NAN, 0.06, 0.06, 0.02 };
	bench_holm(arena, p, FB_ARRAY_LEN(p));
	for (size_t i = 0; i < FB_ARRAY_LEN(p); i++)
		if (isnan(want[i]))
			CHECK(isnan(p[i]));
		else
			CHECK_NEAR(p[i], want[i], 1e-12);
	double large[] = { 0.9, 0.8 };
	bench_holm(arena, large, 2);
	CHECK_NEAR(large[0], 1, 0);
	CHECK_NEAR(large[1], 1, 0);
	bench_holm(arena, NULL, 0);
	fb_arena_free(arena);
}

/* The R4S write-up: 530 Mbit/s under ondemand, 630 under performance, called +19 %. */
TEST(the_write_ups_governor_gain)
{
	struct fb_arena *arena = fb_arena_new();
	static const double ondemand[] = { 530 }, performance[] = { 630 };
	struct bench_welch gain = bench_welch(ondemand, 1, performance, 1);
	CHECK_STR(bench_significant(arena, gain.difference / 530 * 100, 2), "19");
	fb_arena_free(arena);
}

TEST_MAIN()
