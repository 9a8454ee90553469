/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the report is made of: scales, names, figures, words. */
#include "test.h"

#include <math.h>

#include "page.h"
#include "svg.h"

TEST(scales_are_round_and_reach)
{
	static const struct {
		double greatest, max, step;
	} rows[] = {
		{ 941, 1000, 250 },   { 1000, 1000, 250 }, { 1001, 1500, 500 }, { 95.6, 100, 25 },
		{ 2300, 3000, 1000 }, { 0.41, 0.6, 0.2 },  { 0, 1, 0.25 },	{ NAN, 1, 0.25 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct bench_scale scale = bench_svg_scale(rows[i].greatest, 4);
		CHECK(fabs(scale.max - rows[i].max) < 1e-9 &&
		      fabs(scale.step - rows[i].step) < 1e-9);
	}
}

TEST(long_names_are_cut_between_characters)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *want;
	} rows[] = {
		{ "tunnel", 6, "tunnel" },     { "tunnel", 5, "tunn…" },
		{ "東京大阪", 8, "東京大阪" }, { "東京大阪", 7, "東京大…" },
		{ "a<b", 3, "a&lt;b" },	       { "", 3, "" },
		{ "\xe6\x9d", 4, "\xe6\x9d" },
	};
	struct bench_page page = { .out = { .arena = fb_arena_new() } };
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(bench_page_cut(&page, rows[i].text, rows[i].columns), rows[i].want);
	fb_arena_free(page.out.arena);
}

TEST(figures_keep_three_digits)
{
	static const struct {
		double mbps;
		const char *want;
	} rows[] = {
		{ 941.48, "941" }, { 99.96, "100" }, { 94.46, "94.5" }, { 9.999, "10.0" },
		{ 9.41, "9.41" },  { 0, "0.00" },    { NAN, "–" },
	};
	struct bench_page page = { .out = { .arena = fb_arena_new() } };
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(bench_page_rate(&page, rows[i].mbps), rows[i].want);
	CHECK_STR(bench_page_range(&page, 597.3, 670.1), "597 – 670");
	CHECK_STR(bench_page_range(&page, 941.0, 941.4), "941.0 – 941.4");
	CHECK_STR(bench_page_range(&page, 70.04, 91.6), "70.0 – 91.6");
	CHECK_STR(bench_page_range(&page, NAN, 1), "");
	fb_arena_free(page.out.arena);
}

TEST(methods_are_named_in_japanese)
{
	static const struct {
		const char *method, *want;
	} rows[] = {
		{ "best-of-5", "5 回の最大" },
		{ "trimmed-mean-of-7", "7 回の刈込み平均" },
		{ "mean", "平均" },
		{ "mean-of-4", "4 回の平均" },
		{ "until-confident:1.5", "95 % 区間が ±1.5 % になるまで反復" },
		{ "until-confident", "95 % 区間が狭くなるまで反復" },
		{ "of-tomorrow%s", "of-tomorrow%s" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		CHECK_STR(bench_method_word(arena, BENCH_JA, rows[i].method), rows[i].want);
		CHECK_STR(bench_method_word(arena, BENCH_EN, rows[i].method), rows[i].method);
	}
	fb_arena_free(arena);
}

TEST(every_word_is_there_in_both_languages)
{
	for (unsigned word = 0; word < W_N_WORDS; word++)
		for (unsigned lang = 0; lang < BENCH_N_LANGS; lang++)
			CHECK(bench_word(lang, word) && *bench_word(lang, word));
}

TEST_MAIN()
