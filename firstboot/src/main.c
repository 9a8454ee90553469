/* SPDX-License-Identifier: GPL-2.0-or-later */
/* r4s-firstboot: provision.conf becomes a ready router, and anybody can see that it did. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "choose.h"
#include "report.h"
#include "run.h"
#include "schema.h"

struct cli {
	struct fb_arena *arena;
	struct fb_fs fs;
	const char *root, *config;
	bool is_json, is_man, is_waiting;
	enum fb_stage stage;
	unsigned wait_s;
};

static const char usage[] =
	"usage: r4s-firstboot [--root DIR] [--config FILE] [--json] VERB\n"
	"  check     judge provision.conf: exit 0, or 78 with each error as file:line: message\n"
	"  plan      show what apply would change: exit 0 nothing, 2 changes\n"
	"  apply     carry it out: exit 0 done, 2 degraded or deferred, 75 try again, 78 provision.conf refused\n"
	"            --stage=early|online|handoff: only what that stage of a boot does\n"
	"  verify    compare what is wanted with what is measured: exit 0 all holds, 2 something differs\n"
	"  status    what the box did and does; --wait[=SECONDS] until it is ready or has failed\n"
	"  schema    all keys with type, default, allowed values (--man: as a man page section)\n"
	"  example   a commented provision.conf to start from\n";

static enum fb_exit say(const struct fb_error *err, enum fb_exit code)
{
	(void)fprintf(stderr, "r4s-firstboot: %s\n", err->text);	/* if nobody can read it, the exit code still tells */
	return code;
}

static enum fb_exit print(const char *text, enum fb_exit code)
{
	return fputs(text, stdout) < 0 || fflush(stdout) ? FB_EXIT_IO : code;
}

static enum fb_exit print_json(json_t *root, enum fb_exit code)
{
	int rc = json_dumpf(root, stdout, JSON_INDENT(2));
	json_decref(root);
	return rc < 0 ? FB_EXIT_IO : print("\n", code);
}

static void complain(const struct fb_conf *conf)
{
	for (size_t i = 0; i < conf->n_complaints; i++)
		(void)fprintf(stderr, "%s\n", fb_conf_message(conf, &conf->complaint[i]));	/* as above */
}

/* 0: an accepted config. Else what to exit with, said already. */
static enum fb_exit load(struct cli *cli, bool is_alone, struct fb_conf *ret_conf)
{
	struct fb_error err;
	int rc = fb_conf_load(&cli->fs, cli->arena, cli->config, is_alone, ret_conf, &err);
	if (rc == -ENOENT) {
		(void)fb_fail(&err, ENOENT, "no provision.conf: neither %s/boot/provision.conf nor %s/etc/r4s/provision.conf; "
			      "name one with --config", cli->fs.root, cli->fs.root);
		return say(&err, FB_EXIT_CONFIG);
	}
	if (rc < 0)
		return say(&err, FB_EXIT_CONFIG);
	complain(ret_conf);
	return ret_conf->n_complaints ? FB_EXIT_CONFIG : FB_EXIT_OK;
}

static enum fb_exit check(struct cli *cli)
{
	struct fb_conf conf = { 0 };
	if (!cli->is_json) {
		enum fb_exit code = load(cli, true, &conf);
		return code ? code : print(fb_format(cli->arena, "%s: good\n", conf.name), FB_EXIT_OK);
	}
	struct fb_error err;
	int rc = fb_conf_load(&cli->fs, cli->arena, cli->config, true, &conf, &err);
	if (rc == -ENOENT)
		(void)fb_fail(&err, ENOENT, "no provision.conf");
	json_t *errors = json_array();
	if (rc < 0)
		json_array_append_new(errors, json_pack("{s:i, s:s}", "line", 0, "message", err.text));
	for (size_t i = 0; rc == 0 && i < conf.n_complaints; i++)
		json_array_append_new(errors, json_pack("{s:i, s:s}", "line", (int)conf.complaint[i].line, "message",
							conf.complaint[i].text));
	bool is_good = json_array_size(errors) == 0;
	return print_json(json_pack("{s:i, s:b, s:s*, s:o}", "format", 1, "good", is_good, "file", conf.name, "errors", errors),
			  is_good ? FB_EXIT_OK : FB_EXIT_CONFIG);
}

static void start(struct cli *cli, struct fb_engine *engine, struct fb_conf *conf)
{
	bool is_live = !cli->root;	/* "--root /" is an image that is being built, seen from a chroot */
	*engine = (struct fb_engine){
		.fs = cli->fs, .env = is_live ? &fb_env_live : &fb_env_offline, .arena = cli->arena, .stage = cli->stage,
		.conf = conf,
	};
	fb_engine_start(engine);
}

static enum fb_exit plan(struct cli *cli)
{
	struct fb_conf conf;
	struct fb_engine engine;
	struct fb_error err;
	enum fb_exit code = load(cli, false, &conf);
	if (code)
		return code;
	struct fb_buf text = { .arena = cli->arena };
	json_t *changes = json_array();
	start(cli, &engine, &conf);
	int rc = cli->is_json ? fb_engine_plan(&engine, fb_plan_json, changes, &err) :
				fb_engine_plan(&engine, fb_plan_text, &text, &err);
	if (rc < 0) {
		json_decref(changes);
		return say(&err, fb_exit_of(rc));
	}
	code = engine.changes ? FB_EXIT_DEGRADED : FB_EXIT_OK;
	if (cli->is_json)
		return print_json(json_pack("{s:i, s:o}", "format", 1, "changes", changes), code);
	json_decref(changes);
	return print(engine.changes ? fb_buf_text(&text) : "nothing to do\n", code);
}

static enum fb_exit verify(struct cli *cli)
{
	struct fb_conf conf;
	struct fb_engine engine;
	struct fb_error err;
	struct fb_report report;
	enum fb_exit code = load(cli, false, &conf);
	if (code)
		return code;
	start(cli, &engine, &conf);
	int rc = fb_engine_verify(&engine, &report, &err);
	if (rc < 0)
		return say(&err, fb_exit_of(rc));
	code = fb_report_holds(&report) ? FB_EXIT_OK : FB_EXIT_DEGRADED;
	if (cli->is_json)
		return print_json(fb_report_json(&report, engine.board.name), code);
	return print(fb_report_text(cli->arena, &report, engine.board.name), code);
}

/*
 * A boot, or an image that is being built, has to be closed even without a good config. By hand, a refused config
 * changes nothing.
 */
static enum fb_exit apply(struct cli *cli)
{
	struct fb_choice choice;
	struct fb_engine engine;
	struct fb_error err;
	if (geteuid() != 0) {
		(void)fb_fail(&err, EPERM, "apply needs root: run it with sudo");
		return say(&err, FB_EXIT_PERMISSION);
	}
	fb_choose(&cli->fs, cli->arena, cli->config, &choice);
	if (choice.refused)
		complain(choice.refused);
	if (choice.refused && cli->stage == FB_STAGE_ALL)
		return FB_EXIT_CONFIG;
	start(cli, &engine, choice.conf);
	engine.is_changed = choice.is_changed;
	FB_CLOSE int lock = -1;
	int rc = fb_fs_lock(&cli->fs, FB_RUN_DIR "/lock", &lock, &err);
	if (rc == -EBUSY)
		(void)fb_fail(&err, EBUSY, "another apply is at work; try again when it has ended");
	if (rc < 0)
		return say(&err, fb_exit_of(rc));
	enum fb_exit code = fb_run_apply(&engine, choice.refused);
	return print(fb_format(cli->arena, "%u changes, %u for later, %u failures\n", engine.changes, engine.deferred,
			       engine.failures), code);
}

static enum fb_exit status_code(const struct fb_state *state, const struct fb_run *run)
{
	static const enum fb_exit codes[] = {
		[FB_RES_NEW] = FB_EXIT_RETRY, [FB_RES_RUNNING] = FB_EXIT_RETRY, [FB_RES_READY] = FB_EXIT_OK,
		[FB_RES_DEGRADED] = FB_EXIT_DEGRADED, [FB_RES_FAILED] = FB_EXIT_OS, [FB_RES_REFUSED] = FB_EXIT_CONFIG,
	};
	return codes[run->result == FB_RES_NEW ? state->result : run->result];
}

/* Wake up when something in /run/r4s is replaced, at the latest after a second. */
static void await_record(int watch)
{
	char events[4096];
	struct pollfd fd = { .fd = watch, .events = POLLIN };
	if (poll(&fd, 1, 1000) > 0 && read(watch, events, sizeof(events)) < 0)
		return;		/* the caller looks again anyway */
}

/* The wall clock steps by years when the first time server answers. */
static time_t uptime_s(void)
{
	struct timespec now;
	return clock_gettime(CLOCK_BOOTTIME, &now) < 0 ? 0 : now.tv_sec;
}

static enum fb_exit status(struct cli *cli)
{
	struct fb_state state;
	struct fb_run run;
	time_t end = uptime_s() + cli->wait_s;
	FB_CLOSE int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	for (;;) {
		/* without /run/r4s there is nothing to watch yet: then the second in await_record() counts */
		(void)inotify_add_watch(watch, FB_RUN_DIR, IN_MOVED_TO);
		fb_state_load(&cli->fs, cli->arena, &state);
		fb_run_load(&cli->fs, cli->arena, &run);
		if (!cli->is_waiting || status_code(&state, &run) != FB_EXIT_RETRY || uptime_s() >= end)
			break;
		await_record(watch);
	}
	if (cli->is_json)
		return print_json(fb_status_json(&state, &run), status_code(&state, &run));
	return print(fb_status_text(cli->arena, &state, &run), status_code(&state, &run));
}

static enum fb_exit schema(struct cli *cli)
{
	if (cli->is_json)
		return print_json(fb_schema_json(cli->arena), FB_EXIT_OK);
	return print(cli->is_man ? fb_schema_man(cli->arena) : fb_schema_text(cli->arena), FB_EXIT_OK);
}

static enum fb_exit example(struct cli *cli)
{
	return print(fb_example_text(cli->arena), FB_EXIT_OK);
}

/* What the clock's own units call: no provision.conf, no plan. */
static enum fb_exit clock_floor(struct cli *cli)
{
	struct fb_error err;
	const char *text;
	/* The floor of an image must not set the clock of the machine that builds it. */
	int rc = cli->root ? fb_fail(&err, EPERM, "clock-floor is only for the running system, not for --root %s", cli->root) :
			     fb_clock_floor(&cli->fs, cli->arena, &fb_clock_kernel, &text, &err);
	if (rc < 0)
		return say(&err, fb_exit_of(rc));
	return text ? print(fb_format(cli->arena, "%s\n", text), FB_EXIT_OK) : FB_EXIT_OK;
}

static enum fb_exit clock_save(struct cli *cli)
{
	struct fb_error err;
	int rc = fb_clock_save(&cli->fs, cli->arena, &fb_clock_kernel, &err);
	return rc < 0 ? say(&err, fb_exit_of(rc)) : FB_EXIT_OK;
}

static enum fb_exit clock_sync(struct cli *cli)
{
	struct fb_error err;
	int rc = fb_clock_sync(&fb_env_live, &cli->fs, &err);
	return rc < 0 ? say(&err, fb_exit_of(rc)) : FB_EXIT_OK;
}

static const struct {
	const char *name;
	enum fb_exit (*run)(struct cli *cli);
} verbs[] = {
	{ "check", check }, { "plan", plan }, { "apply", apply }, { "verify", verify },
	{ "status", status }, { "schema", schema }, { "example", example },
	{ "clock-floor", clock_floor }, { "clock-save", clock_save }, { "clock-sync", clock_sync },	/* not for people */
};

static bool take_stage(struct cli *cli, const char *name)
{
	for (enum fb_stage stage = FB_STAGE_EARLY; stage <= FB_STAGE_HANDOFF; stage++)
		if (!strcmp(fb_stage_name(stage), name)) {
			cli->stage = stage;
			return true;
		}
	return false;
}

static bool take_seconds(struct cli *cli, const char *text)
{
	char *end;
	unsigned long seconds = text ? strtoul(text, &end, 10) : 600;
	cli->is_waiting = true;
	cli->wait_s = (unsigned)seconds;
	return !text || (*text && !*end && seconds <= 86400);
}

/* False: the words are off. */
static bool take_options(struct cli *cli, int argc, char **argv)
{
	enum { ROOT = 256, CONFIG, JSON, STAGE, WAIT, MAN, HELP };
	static const struct option options[] = {
		{ "root", required_argument, NULL, ROOT }, { "config", required_argument, NULL, CONFIG },
		{ "json", no_argument, NULL, JSON }, { "stage", required_argument, NULL, STAGE },
		{ "wait", optional_argument, NULL, WAIT }, { "man", no_argument, NULL, MAN },
		{ "help", no_argument, NULL, HELP }, { 0 },
	};
	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
		bool is_good = true;
		switch (option) {
		case ROOT: cli->root = optarg; break;
		case CONFIG: cli->config = optarg; break;
		case JSON: cli->is_json = true; break;
		case MAN: cli->is_man = true; break;
		case STAGE: is_good = take_stage(cli, optarg); break;
		case WAIT: is_good = take_seconds(cli, optarg); break;
		case HELP: exit(print(usage, FB_EXIT_OK));
		default: return false;
		}
		if (!is_good)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct cli cli = { .arena = fb_arena_new() };
	struct fb_error err;
	enum fb_exit code = FB_EXIT_USAGE;
	(void)prctl(PR_SET_DUMPABLE, 0);	/* hashes pass through; no core of them. Best effort beside LimitCORE=0 */
	(void)umask(022);	/* modes are set explicitly; only directories on the way take this */
	if (take_options(&cli, argc, argv) && optind + 1 == argc) {
		for (size_t i = 0; i < FB_ARRAY_LEN(verbs); i++) {
			if (strcmp(verbs[i].name, argv[optind]))
				continue;
			int rc = fb_fs_open(&cli.fs, cli.root ? cli.root : "/", &err);
			code = rc < 0 ? say(&err, fb_exit_of(rc)) : verbs[i].run(&cli);
			if (rc == 0)
				fb_fs_close(&cli.fs);
			fb_arena_free(cli.arena);
			return code;
		}
	}
	(void)fputs(usage, stderr);		/* if nobody can read it, the exit code still tells */
	fb_arena_free(cli.arena);
	return code;
}
