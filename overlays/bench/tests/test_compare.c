/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which differences are called real. */
#include "test.h"

#include "cell.h"
#include "compare.h"
#include "fixture.h"

/* A row with these trials; NAN ends them. */
static struct bench_row row_of(struct fb_arena *arena, const char *path, const double *mbps)
{
	struct bench_row row = fixture_row(path, BENCH_DIRECT);
	row.trial = fb_alloc(arena, 16 * sizeof(*row.trial));
	for (; !isnan(mbps[row.n_trials]); row.n_trials++)
		row.trial[row.n_trials] = (struct bench_trial){ .status = BENCH_OK,
								.mbps = mbps[row.n_trials],
								.back_mbps = NAN };
	return row;
}

static struct bench_run run_of(struct bench_row *row, size_t n)
{
	return (struct bench_run){ .program = "r4s-bench",
				   .host = "a",
				   .board = "b",
				   .kernel = "c",
				   .row = row,
				   .n_rows = n };
}

TEST(each_verdict_has_its_case)
{
	static const struct {
		const char *name;
		double a[8], b[8];
		enum bench_verdict want;
	} rows[] = {
		{ "faster",
		  { 530, 531, 529, 532, NAN },
		  { 630, 631, 629, 632, NAN },
		  BENCH_FASTER },
		{ "slower",
		  { 630, 631, 629, 632, NAN },
		  { 530, 531, 529, 532, NAN },
		  BENCH_SLOWER },
		{ "significant but small",
		  { 940, 940.2, 939.9, NAN },
		  { 945, 945.1, 945.2, NAN },
		  BENCH_EQUAL },
		{ "the same figures", { 900, 901, 902, NAN }, { 900, 901, 902, NAN }, BENCH_EQUAL },
		{ "no spread, no difference", { 900, 900, NAN }, { 900, 900, NAN }, BENCH_EQUAL },
		{ "no spread, a difference", { 900, 900, NAN }, { 950, 950, NAN }, BENCH_FASTER },
		{ "too wide to say",
		  { 400, 600, 500, NAN },
		  { 450, 700, 560, NAN },
		  BENCH_UNCLEAR },
		{ "one trial", { 900, NAN }, { 100, 101, NAN }, BENCH_TOO_FEW },
		{ "no trial", { NAN }, { 100, 101, NAN }, BENCH_NO_FIGURE },
		{ "nothing arrived", { 0, 0, NAN }, { 100, 101, NAN }, BENCH_NO_FIGURE },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct bench_row a = row_of(arena, "p", rows[i].a),
				 b = row_of(arena, "p", rows[i].b);
		struct bench_run run_a = run_of(&a, 1), run_b = run_of(&b, 1);
		struct bench_difference *found;
		CHECK_INT(bench_compare_runs(arena, &run_a, &run_b, BENCH_LEAST_PERCENT, &found),
			  1);
		if (found[0].verdict != rows[i].want)
			test_fail(__FILE__, __LINE__, "[%s] verdict %d, wanted %d", rows[i].name,
				  found[0].verdict, rows[i].want);
		CHECK_ROW(rows[i].name, bench_compare_has(found, 1, rows[i].want));
	}
	fb_arena_free(arena);
}

/* 3 Mbit/s of 100, p about 0.03: real if it is the only test, not if it is the best of twenty. */
TEST(a_large_table_asks_for_more)
{
	static const double a[] = { 100, 101, 99, 100, NAN }, b[] = { 103, 105.5, 101, 102.5, NAN };
	struct fb_arena *arena = fb_arena_new();
	struct bench_row from[20], to[20];
	for (unsigned i = 0; i < 20; i++) {
		from[i] = row_of(arena, "p", a);
		to[i] = row_of(arena, "p", i ? a : b);
		from[i].streams = to[i].streams = i + 1;
	}
	struct bench_run run_a = run_of(from, 1), run_b = run_of(to, 1);
	struct bench_difference *found;
	CHECK_INT(bench_compare_runs(arena, &run_a, &run_b, BENCH_LEAST_PERCENT, &found), 1);
	CHECK_INT(found[0].verdict, BENCH_FASTER);
	run_a.n_rows = run_b.n_rows = 20;
	CHECK_INT(bench_compare_runs(arena, &run_a, &run_b, BENCH_LEAST_PERCENT, &found), 20);
	CHECK_INT(found[0].verdict, BENCH_UNCLEAR);
	CHECK(fabs(found[0].p - 20 * found[0].welch.p) < 1e-9);
	fb_arena_free(arena);
}

TEST(rows_are_paired_by_path_cell_and_governor)
{
	static const double low[] = { 530, 531, NAN }, high[] = { 630, 631, NAN };
	struct fb_arena *arena = fb_arena_new();
	struct bench_row a[3], b[3];
	for (unsigned i = 0; i < 2; i++) {
		a[i] = row_of(arena, "wg", i ? high : low);
		b[1 - i] = a[i];
		a[i].governor = b[1 - i].governor = i ? "performance" : "ondemand";
	}
	a[2] = row_of(arena, "old", low);
	b[2] = row_of(arena, "new", low);
	struct bench_run run_a = run_of(a, 3), run_b = run_of(b, 3);
	struct bench_difference *found;
	CHECK_INT(bench_compare_runs(arena, &run_a, &run_b, BENCH_LEAST_PERCENT, &found), 4);
	static const enum bench_verdict want[] = { BENCH_EQUAL, BENCH_EQUAL, BENCH_ONLY_A,
						   BENCH_ONLY_B };
	for (size_t i = 0; i < FB_ARRAY_LEN(want); i++)
		CHECK_INT(found[i].verdict, want[i]);
	/* Alone in its run, a row is compared whatever its governor: that is the question then. */
	run_a.n_rows = run_b.n_rows = 1;
	CHECK_INT(bench_compare_runs(arena, &run_a, &run_b, BENCH_LEAST_PERCENT, &found), 1);
	CHECK_INT(found[0].verdict, BENCH_FASTER);
	fb_arena_free(arena);
}

/* Short trials of a search and failed ones are no sample; both directions count together. */
TEST(only_counted_trials_are_compared)
{
	static const double mbps[] = { 400, 410, 90, 1, NAN };
	struct fb_arena *arena = fb_arena_new();
	struct bench_row row = row_of(arena, "p", mbps);
	double *sample;
	row.trial[2].is_short = true;
	row.trial[3].status = BENCH_TIMEOUT;
	CHECK_INT(bench_row_sample(arena, &row, &sample), 2);
	row.direction = BENCH_BOTH;
	row.trial[0].back_mbps = 300;
	CHECK_INT(bench_row_sample(arena, &row, &sample), 2);
	CHECK(sample[0] == 700 && sample[1] == 410);
	fb_arena_free(arena);
}

TEST(paths_of_one_run_side_by_side)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run = fixture_run(arena, 0, 1);
	struct bench_difference *found;
	size_t n = bench_compare_paths(arena, &run, "direct", BENCH_LEAST_PERCENT, &found);
	CHECK_INT(n, 27); /* three other paths, nine cells */
	size_t n_slower = 0, n_none = 0;
	for (size_t i = 0; i < n; i++) {
		CHECK_STR(found[i].a->path, "direct");
		n_slower += found[i].verdict == BENCH_SLOWER;
		n_none += found[i].verdict == BENCH_NO_FIGURE;
	}
	CHECK_INT(n_slower, 17); /* without fast path, but for the refused cell, and tunnel */
	CHECK_INT(n_none, 1);
	CHECK_INT(bench_compare_paths(arena, &run, "nowhere", BENCH_LEAST_PERCENT, &found), 0);
	fb_arena_free(arena);
}

TEST(the_text_tells_verdict_reason_and_conditions)
{
	static const char *const want[] = {
		"A  old.json  (r4s-tokyo, ",
		"B  new.json  (r4s-tokyo, ",
		"Between them also differ: kernel 6.18.1 -> 6.18.2-current-rockchip64; MTU of tunnel osaka 1412 -> 1420\n",
		"IPv4 TCP send",
		"  faster\n",
		"  equal\n",
		"no figure: A refused, connect to [2001:db8:0:1::2]:5201: Connection refused\n",
		"1 without a figure\n",
		"limit 2 %.\n",
	};
	struct fb_arena *arena = fb_arena_new();
	struct bench_run a = fixture_run(arena, 9, 0.8), b = fixture_run(arena, 0, 1);
	a.kernel = "6.18.1";
	a.path[BENCH_TUNNEL].mtu = 1412;
	struct bench_difference *found;
	size_t n = bench_compare_runs(arena, &a, &b, BENCH_LEAST_PERCENT, &found);
	const char *text = bench_compare_text(arena, "old.json", &a, "new.json", &b, found, n,
					      BENCH_LEAST_PERCENT);
	for (size_t i = 0; i < FB_ARRAY_LEN(want); i++)
		if (!strstr(text, want[i]))
			test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s", want[i], text);
	CHECK(!strstr(text, "nan"));
	fb_arena_free(arena);
}

TEST_MAIN()
