/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input from outside: the configuration, paths in words, options, result files, what a worker says. */
#include "room.h"

#include <errno.h>
#include <math.h>

#include "job.h"
#include "options.h"
#include "path.h"

static int load(const char *text, struct bench_conf *conf, struct fb_error *err)
{
	room_write("bench.conf", text);
	return bench_conf_load(room_now->arena, room_path("bench.conf"), true, conf, err);
}

TEST(configuration)
{
	struct room *room = room_make();
	room_now = room;
	struct bench_conf conf;
	struct fb_error err;
	CHECK(load("# c\npath a direct peer=192.0.2.1 peer=2001:db8::1 shaper=100 port=5300\npath b tunnel peer=10.0.0.1 from=lan remote=ssh,root@x\n"
		   "listen lan0 wg0\nwatch lan0\nbusy-mbps 3\ndaily-mb 10\nserver-mbps 50\nserver-seconds 7\nfastpath-off /bin/a b\nfastpath-on /bin/c", &conf, &err) == 0);
	CHECK(conf.n_paths == 2 && conf.path[0].port == 5300 && conf.line_mbps[0] == 100 && conf.is_shaped[0]);
	CHECK(isnan(conf.line_mbps[1]) && !strcmp(conf.path[1].from, "lan") && !strcmp(conf.path[1].remote, "ssh,root@x"));
	CHECK(conf.listen.n == 2 && conf.watch.n == 1 && conf.busy_mbps == 3 && conf.server_seconds == 7);
	struct fb_strs names = { 0 };
	CHECK(bench_path_find(room->arena, &conf, "tunnel", &names, &err) == 0 && names.n == 1);
	CHECK(bench_path_find(room->arena, &conf, "routed:x=192.0.2.9,2001:db8::9@ns", &names, &err) == 0 && conf.n_paths == 3);
	CHECK(!strcmp(conf.path[2].name, "x") && !strcmp(conf.path[2].from, "ns") && !strcmp(conf.path[2].peer6, "2001:db8::9"));
	room_end(room);
}

TEST(bad_configurations_name_line_and_value)
{
	static const struct { const char *text, *words; } bad[] = {
		{ "\npath a direct peer=host.example", ":2: \"host.example\" is no numeric" },
		{ "path a sideways peer=192.0.2.1", "unknown path \"sideways\"" },
		{ "path a direct peer=192.0.2.1 peer=192.0.2.2", "second IPv4 address" },
		{ "path a direct peer=192.0.2.1 port=0", "\"0\" is no number from 1 to 65535" },
		{ "path a direct peer=192.0.2.1 line=nan", "\"nan\" is no number" },
		{ "path a direct peer=192.0.2.1 line=1e9", "\"1e9\" is no number" },
		{ "path a direct peer=192.0.2.1 x=1", "unknown key in \"x=1\"" },
		{ "path a direct peer=192.0.2.1 junk", "not of the form KEY=VALUE" },
		{ "path a direct", "wanted: path NAME KIND" },
		{ "path a direct port=1", "has no peer" },
		{ "path a direct peer=192.0.2.1\npath a tunnel peer=192.0.2.1", ":2: path a is there twice" },
		{ "colour blue", "unknown key \"colour\"" },
		{ "server-seconds 0", "\"0\" is no number" },
		{ "busy-mbps", "takes one number" },
		{ "daily-mb -5", "\"-5\" is no number" },
	};
	struct room *room = room_make();
	room_now = room;
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		struct bench_conf conf;
		struct fb_error err = { "" };
		if (load(bad[i].text, &conf, &err) == 0 || !strstr(err.text, bad[i].words))
			test_fail(__FILE__, __LINE__, "\"%s\": \"%s\", wanted \"%s\"", bad[i].text, err.text, bad[i].words);
	}
	room_end(room);
}

TEST(bad_options)
{
	static const struct { const char *word[4]; const char *words; } bad[] = {
		{ { "run", "--method", "luck" }, "unknown method \"luck\"" },
		{ { "run", "--loss", "51" }, "from 0 to 50" },
		{ { "run", "--loss=-1" }, "from 0 to 50" },
		{ { "run", "--loss", "nan" }, "from 0 to 50" },
		{ { "run", "--streams", "0" }, "from 1 to 128" },
		{ { "run", "--streams", "1000000" }, "from 1 to 128" },
		{ { "run", "--time", "2.5" }, "whole number" },
		{ { "run", "--time", "999999" }, "from 1 to 3600" },
		{ { "run", "--json" }, "wants a value" },
		{ { "run", "--json=" }, "empty" },
		{ { "run", "--swap=yes" }, "takes no value" },
		{ { "run", "--frobnicate" }, "unknown option --frobnicate" },
		{ { "run", "--lang", "fr" }, "en or ja" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		char words[4][64], *argv[5] = { "r4s-bench" };
		int argc = 1;
		struct bench_options options;
		struct fb_error err = { "" };
		for (; argc < 5 && bad[i].word[argc - 1]; argc++) {
			(void)snprintf(words[argc - 1], sizeof(words[0]), "%s", bad[i].word[argc - 1]);
			argv[argc] = words[argc - 1];
		}
		if (bench_options_parse(arena, argc, argv, &options, &err) == 0 || !strstr(err.text, bad[i].words))
			test_fail(__FILE__, __LINE__, "%s: \"%s\", wanted \"%s\"", words[1], err.text, bad[i].words);
	}
	fb_arena_free(arena);
}

/* Every prefix of a good file is refused; so is a foreign, a later and a lying one. */
TEST(result_files)
{
	struct fb_arena *arena = fb_arena_new();
	double busy[] = { 10, NAN, 30 };
	struct bench_core core = { .core = 4, .busy_percent = 20, .softirq_percent = NAN, .max_khz = 1.8e6, .busy = busy, .n_busy = 3 };
	struct bench_telemetry telemetry = { .step_s = 1, .core = &core, .n_cores = 1 };
	struct bench_trial trial = { .reason = "", .peer_version = "", .mbps = 94.1, .loss_percent = NAN };
	struct bench_row row = {
		.path = "a \"b\"\n", .family = 4, .method = "mean", .governor = "", .congestion = "cubic", .reason = "",
		.ceiling_formula = "", .mbps = 94.1, .ci95_mbps = NAN, .trial = &trial, .n_trials = 1, .telemetry = &telemetry,
	};
	struct bench_run run = { .program = "p", .host = "h\xff", .board = "", .kernel = "", .row = &row, .n_rows = 1 }, back;
	struct fb_error err;
	const char *text = bench_run_to_json(arena, &run);
	CHECK(bench_run_from_json(arena, "f", text, strlen(text), &back, &err) == 0);
	CHECK(back.n_rows == 1 && back.row[0].mbps == 94.1 && isnan(back.row[0].ci95_mbps) && !strcmp(back.row[0].path, row.path));
	CHECK(back.row[0].telemetry->core[0].n_busy == 3 && isnan(back.row[0].telemetry->core[0].busy[1]));
	CHECK(!strcmp(bench_run_to_json(arena, &back), bench_run_to_json(arena, &back)));
	for (size_t len = 0; len + 2 < strlen(text); len++)
		CHECK(bench_run_from_json(arena, "f", text, len, &back, &err) == -EINVAL);
	static const char *const bad[] = {
		"{}", "[]", "{\"format\": \"r4s-bench\"}", "{\"format\": \"r4s-bench\", \"version\": 2, \"paths\": [], \"results\": []}",
		"{\"format\": \"r4s-bench\", \"version\": 1, \"paths\": []}",
		"{\"format\": \"r4s-bench\", \"version\": 1, \"paths\": [], \"results\": [7]}",
		"{\"format\": \"r4s-bench\", \"version\": 1, \"paths\": {}, \"results\": []}",
		"{\"start\": {}, \"end\": {}}",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++)
		CHECK(bench_run_from_json(arena, "f", bad[i], strlen(bad[i]), &back, &err) == -EINVAL);
	fb_arena_free(arena);
}

TEST(what_a_worker_says)
{
	static const struct { const char *text; enum bench_status status; } said[] = {
		{ "", BENCH_FAILED }, { "nonsense", BENCH_VERSION }, { "{\"end\": {", BENCH_VERSION }, { "{}", BENCH_VERSION },
		{ "[1]", BENCH_VERSION }, { "{\"end\": {\"sum_sent\": {}, \"sum_received\": {}}}", BENCH_VERSION },
		{ "{\"error\": \"the server is busy running a test. try again later\"}", BENCH_BUSY },
		{ "{\"error\": \"unable to connect to server: Connection refused\"}", BENCH_REFUSED },
		{ "{\"error\": \"unable to connect to server: Connection timed out\"}", BENCH_UNREACHABLE },
		{ "{\"error\": \"control socket has closed unexpectedly\"}", BENCH_GONE },
		{ "{\"error\": \"received an unknown control message (ensure other side is iperf3 and not iperf)\"}", BENCH_VERSION },
		{ "{\"error\": \"something new\"}", BENCH_FAILED },
		{ "{\"end\": {\"sum_sent\": {\"bytes\": 0, \"bits_per_second\": 0}, \"sum_received\": {\"bits_per_second\": 0}}}", BENCH_GONE },
		{ "{\"end\": {\"sum_sent\": {\"bytes\": 9, \"bits_per_second\": 8e6}, \"sum_received\": {\"bits_per_second\": 7e6}}}", BENCH_OK },
	};
	struct fb_arena *arena = fb_arena_new();
	struct bench_job job = { .streams = 1, .congestion = "" };
	for (size_t i = 0; i < FB_ARRAY_LEN(said); i++) {
		struct bench_trial trial = { .status = BENCH_OK, .reason = "" };
		bench_trial_judge(arena, &job, said[i].text, strlen(said[i].text), &trial);
		if (trial.status != said[i].status || (trial.status != BENCH_OK) != (*trial.reason != '\0'))
			test_fail(__FILE__, __LINE__, "%s: %s (%s)", said[i].text, bench_status_names[trial.status], trial.reason);
	}
	fb_arena_free(arena);
}

TEST_MAIN()
