/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report: well formed, self-contained, complete, and safe whatever a file says. */
#include "test.h"

#include <ctype.h>

#include "fixture.h"
#include "html.h"

static const char *page_of(struct fb_arena *arena, const struct bench_run *run, size_t n,
			   enum bench_lang lang)
{
	return bench_html(arena, run, n, lang);
}

static void check_has(const char *page, const char *text)
{
	if (!strstr(page, text))
		test_fail(__FILE__, __LINE__, "the page has no \"%s\"", text);
}

static void check_has_not(const char *page, const char *text)
{
	const char *at = strstr(page, text);
	if (at)
		test_fail(__FILE__, __LINE__, "the page has \"%s\": %.80s", text, at);
}

/* Every element closes in order, attributes are quoted and no bare & or < is left: so any parser
 * reads the same tree. */
static void check_well_formed(const char *page)
{
	enum { DEPTH_MAX = 64, NAME_MAX_LEN = 32 };
	static char open[DEPTH_MAX][NAME_MAX_LEN];
	size_t depth = 0;
	const char *at = page + strlen("<!DOCTYPE html>\n");
	for (; *at; at++) {
		if (*at == '&' && !(strspn(at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789") > 1 &&
				    strchr(at, ';')))
			test_fail(__FILE__, __LINE__, "a bare &: %.60s", at);
		if (*at != '<')
			continue;
		bool is_end = at[1] == '/';
		const char *name = at + 1 + is_end;
		size_t len = strcspn(name, " />\n");
		CHECK(len > 0 && len < NAME_MAX_LEN);
		bool in_quotes = false;
		while (*at && (in_quotes || *at != '>')) {
			in_quotes ^= *at == '"';
			at++;
		}
		CHECK(*at == '>');
		if (is_end) {
			if (!depth || strncmp(open[depth - 1], name, len) || open[depth - 1][len])
				test_fail(__FILE__, __LINE__, "</%.*s> closes <%s>", (int)len, name,
					  depth ? open[depth - 1] : "");
			depth--;
		} else if (at[-1] != '/') {
			CHECK(depth < DEPTH_MAX);
			memcpy(open[depth], name, len);
			open[depth++][len] = '\0';
		}
	}
	CHECK_INT(depth, 0);
}

/* What every page must keep, whatever the run was. */
static void check_page(const char *page)
{
	static const char *const never[] = { "nan",	"inf%", "-inf", "http:",   "https:",
					     "<script", "src=", "url(", "@import", "(null)" };
	check_well_formed(page);
	for (size_t i = 0; i < FB_ARRAY_LEN(never); i++)
		check_has_not(page, never[i]);
}

TEST(a_full_run_in_both_languages)
{
	static const struct {
		enum bench_lang lang;
		const char *want[8];
	} rows[] = {
		{ BENCH_EN,
		  { "<html lang=\"en\">", "Latency under load", "CPU per core over time",
		    "<h2>Paths</h2>", "1 of 36 measurements gave no figure", "refused: connect to",
		    "loss ≤ 10 %: between", "both ways" } },
		{ BENCH_JA,
		  { "<html lang=\"ja\">", "負荷時の遅延", "コアごとの CPU 使用率の推移",
		    "<h2>経路</h2>", "36 件の測定のうち 1 件は値が得られませんでした",
		    "接続拒否：connect to", "損失 ≤ 10 %：送出", "双方向" } },
	};
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run = fixture_run(arena, 0, 1);
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *page = page_of(arena, &run, 1, rows[i].lang);
		check_page(page);
		for (size_t k = 0; k < FB_ARRAY_LEN(rows[i].want); k++)
			check_has(page, rows[i].want[k]);
		check_has(page, "941.48");
		check_has(page, "1448 = 1500 - 20 IPv4 - 20 TCP - 12 timestamps");
	}
	fb_arena_free(arena);
}

TEST(the_japanese_page_has_no_english_heading)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run[] = { fixture_run(arena, 0, 1), fixture_run(arena, 9, 1) };
	const char *page = page_of(arena, run, 2, BENCH_JA);
	for (const char *at = page; (at = strstr(at, "<h2>")); at++)
		if (isalpha((unsigned char)at[4]) &&
		    strncmp(at, "<h2>TCP · ", strlen("<h2>TCP · ")))
			test_fail(__FILE__, __LINE__, "%.40s", at);
	fb_arena_free(arena);
}

TEST(the_newest_run_is_shown_and_all_are_history)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run[] = { fixture_run(arena, 9, 1), fixture_run(arena, 0, 1),
				   fixture_run(arena, 30, 1) };
	run[1].host = "newest";
	const char *page = page_of(arena, run, 3, BENCH_EN);
	check_page(page);
	check_has(page, "<h1>newest</h1>");
	check_has(page, "<svg class=\"history\"");
	check_has_not(page, "One run so far");
	page = page_of(arena, run, 1, BENCH_EN);
	check_has(page, "One run so far");
	check_has_not(page, "<svg class=\"history\"");
	fb_arena_free(arena);
}

/* Two runs at the same second, and one that knows no time at all. */
TEST(history_without_a_clock)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run[] = { fixture_run(arena, 0, 1), fixture_run(arena, 0, 1) };
	check_page(page_of(arena, run, 2, BENCH_EN));
	run[0].started_s = NAN;
	check_page(page_of(arena, run, 2, BENCH_EN));
	fb_arena_free(arena);
}

TEST(nothing_measured)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run = { .program = "",
				 .host = "",
				 .board = "",
				 .kernel = "",
				 .started_s = NAN,
				 .took_s = NAN };
	for (unsigned lang = 0; lang < BENCH_N_LANGS; lang++) {
		const char *page = page_of(arena, &run, 1, lang);
		check_page(page);
		check_has(page, bench_word(lang, W_NO_ROWS));
	}
	fb_arena_free(arena);
}

/* All statuses, and rows of which nothing is known but that they exist. */
TEST(rows_without_figures_say_why)
{
	struct fb_arena *arena = fb_arena_new();
	struct bench_row row[BENCH_N_STATUSES];
	struct bench_telemetry empty = { .step_s = NAN,
					 .throttled_count = NAN,
					 .softnet_dropped = NAN,
					 .softnet_squeezed = NAN,
					 .own_cpu_percent = NAN };
	struct bench_core core = { .busy_percent = NAN, .softirq_percent = NAN, .max_khz = NAN };
	empty.core = &core;
	empty.n_cores = 1;
	for (unsigned i = 0; i < BENCH_N_STATUSES; i++) {
		row[i] = fixture_row("p", i % BENCH_N_KINDS);
		row[i].status = i;
		row[i].streams = i + 1;
		row[i].reason = i % 2 ? "the reason" : "";
		row[i].telemetry = i % 3 ? NULL : &empty;
	}
	struct bench_run run = { .program = "x",
				 .host = "h",
				 .board = "",
				 .kernel = "",
				 .started_s = 0,
				 .took_s = 1,
				 .row = row,
				 .n_rows = BENCH_N_STATUSES };
	for (unsigned lang = 0; lang < BENCH_N_LANGS; lang++) {
		const char *page = page_of(arena, &run, 1, lang);
		check_page(page);
		for (unsigned i = 1; i < BENCH_N_STATUSES; i++)
			check_has(page, bench_status_word(lang, i));
		check_has(page, "the reason");
	}
	fb_arena_free(arena);
}

/* A file comes from anywhere: every text of it goes through the escape. */
TEST(hostile_texts_stay_texts)
{
	static const char evil[] = "\"><script>alert(1)</script>&'\x01\n\xe6\x9d\xb1\xe4\xba\xac";
	struct fb_arena *arena = fb_arena_new();
	struct bench_run run = fixture_run(arena, 0, 1);
	const char **texts[] = {
		&run.program,
		&run.host,
		&run.board,
		&run.kernel,
		&run.path[0].name,
		&run.path[0].peer4,
		&run.path[0].peer6,
		&run.path[0].from,
		&run.path[0].dev,
		&run.path[0].governor,
		&run.path[0].tunnel_peer,
		&run.row[0].path,
		&run.row[0].method,
		&run.row[0].governor,
		&run.row[0].congestion,
		&run.row[0].ceiling_formula,
		&run.row[0].telemetry->residency[0].policy,
		&run.row[0].telemetry->temperature[0].zone,
		&run.row[0].telemetry->irq[0].name,
		&run.row[0].telemetry->iface[0].dev,
		&run.command.item[0],
	};
	for (size_t i = 0; i < run.n_rows; i++)
		if (run.row[i].status != BENCH_OK)
			run.row[i].reason = evil;
	for (size_t i = 0; i < FB_ARRAY_LEN(texts); i++) {
		const char *before = *texts[i];
		*texts[i] = evil;
		const char *page = page_of(arena, &run, 1, BENCH_EN);
		check_page(page);
		check_has(page, "&quot;&gt;&lt;script&gt;");
		*texts[i] = before;
	}
	fb_arena_free(arena);
}

TEST(absurd_figures_stay_on_the_drawing)
{
	static const double absurd[] = { -1, 0, 1e-9, 1e15, NAN, INFINITY, -INFINITY };
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(absurd); i++) {
		struct bench_run run = fixture_run(arena, 0, 1);
		struct bench_row *row = &run.row[0];
		row->mbps = row->min_mbps = row->max_mbps = row->ceiling_mbps = absurd[i];
		row->latency->loaded_median_ms = row->latency->loaded_p95_ms = absurd[i];
		row->telemetry->core[0].softirq_percent = absurd[i];
		check_well_formed(page_of(arena, &run, 1, BENCH_EN));
	}
	fb_arena_free(arena);
}

TEST_MAIN()
