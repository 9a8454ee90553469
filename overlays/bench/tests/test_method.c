/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Methods: their names, how many trials they want, which figure they make. */
#include "test.h"

#include <math.h>

#include "method.h"

static struct bench_method parse(struct fb_arena *arena, const char *name)
{
	struct bench_method method = { 0 };
	struct fb_error err;
	if (bench_method_parse(arena, name, &method, &err) < 0)
		test_fail(__FILE__, __LINE__, "%s: %s", name, err.text);
	return method;
}

TEST(names)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *name; unsigned n_min, n_max; } good[] = {
		{ "best-of-5", 5, 5 }, { "trimmed-mean-of-7", 7, 7 }, { "mean", 3, 3 }, { "mean-of-10", 10, 10 },
		{ "until-confident", 3, 20 }, { "until-confident:0.5", 3, 20 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(good); i++) {
		struct bench_method method = parse(arena, good[i].name);
		CHECK(method.n_min == good[i].n_min && method.n_max == good[i].n_max);
		CHECK(!strcmp(method.name, good[i].name));
	}
	fb_arena_free(arena);
}

TEST(bad_names_are_refused_with_the_list)
{
	static const char *const bad[] = {
		"", "best", "best-of-", "best-of-0", "best-of-1e9", "best-of-5x", "best-of--3", "trimmed-mean-of-2", "median",
		"mean-of-", "until-confident:", "until-confident:0", "until-confident:99", "until-confident:nan",
		"best-of-nan", "best-of-2.5",
	};
	struct fb_arena *arena = fb_arena_new();
	struct bench_method method = { .n_max = 77 };
	struct fb_error err;
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		if (bench_method_parse(arena, bad[i], &method, &err) == 0)
			test_fail(__FILE__, __LINE__, "\"%s\" was taken", bad[i]);
		CHECK(strstr(err.text, "trimmed-mean-of-7") && method.n_max == 77);
	}
	fb_arena_free(arena);
}

TEST(figures)
{
	static const double value[] = { 936, 941, 940, 938, 900, 942, 939 };
	struct fb_arena *arena = fb_arena_new();
	struct bench_method best = parse(arena, "best-of-5"), trimmed = parse(arena, "trimmed-mean-of-7");
	struct bench_method mean = parse(arena, "mean");
	CHECK(bench_method_figure(&best, value, 5).value == 941);
	CHECK(bench_method_figure(&trimmed, value, 7).value == 939);	/* 938.8 to three digits */
	CHECK(bench_method_figure(&trimmed, value, 7).min == 900 && bench_method_figure(&trimmed, value, 7).max == 942);
	CHECK(fabs(bench_method_figure(&mean, value, 3).value - 939) < 1e-9);
	CHECK(isnan(bench_method_figure(&mean, value, 1).ci95));
	fb_arena_free(arena);
}

TEST(until_confident_stops_when_it_is)
{
	static const double still[] = { 100, 100.1, 99.9, 100 };
	double wild[20];
	struct fb_arena *arena = fb_arena_new();
	struct bench_method method = parse(arena, "until-confident:1");
	for (size_t i = 0; i < 20; i++)
		wild[i] = i % 2 ? 50 : 150;
	CHECK(bench_method_wants_more(&method, still, 2));
	CHECK(!bench_method_wants_more(&method, still, 3));
	for (size_t n = 1; n < 20; n++)
		CHECK(bench_method_wants_more(&method, wild, n));
	CHECK(!bench_method_wants_more(&method, wild, 20));
	fb_arena_free(arena);
}

TEST_MAIN()
