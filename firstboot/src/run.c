/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of apply: which config, which stage, how it ends. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "report.h"

enum { ONLINE_LIMIT_US = 60000000, LOOK_AGAIN_MS = 2000 };
static const char *const usual[] = { "/boot/provision.conf", "/etc/r4s/provision.conf" };

enum fb_exit fb_exit_of(int rc)
{
	switch (-rc) {
	case 0:
		return FB_EXIT_OK;
	case EPERM:
	case EACCES:
		return FB_EXIT_PERMISSION;
	case EIO:
	case ENOSPC:
	case EROFS:
	case EDQUOT:
		return FB_EXIT_IO;
	case EBUSY:
	case EAGAIN:
		return FB_EXIT_RETRY;
	default:
		return FB_EXIT_OS;
	}
}

/* A file named on the command line lies outside the root. */
static int read_outside(struct fb_arena *arena, const char *file, char **ret_text, size_t *ret_len, struct fb_error *err)
{
	FB_CLEANUP(fb_fs_close) struct fb_fs host = { .root_fd = -1 };
	char *full = realpath(file, NULL);
	if (!full)
		return fb_fail(err, errno == ENOENT ? EINVAL : errno, "%s: cannot be read: %s", file, strerror(errno));
	const char *path = fb_strdup(arena, full);
	free(full);
	int rc = fb_fs_open(&host, "/", err);
	return rc < 0 ? rc : fb_fs_read(&host, arena, path, FB_CONF_MAX_BYTES, ret_text, ret_len, err);
}

int fb_conf_load(struct fb_fs *fs, struct fb_arena *arena, const char *file, struct fb_conf *ret_conf, struct fb_error *err)
{
	char *text;
	size_t len;
	const char *name = file;
	int rc = file ? read_outside(arena, file, &text, &len, err) : -ENOENT;
	for (size_t i = 0; !file && rc == -ENOENT && i < FB_ARRAY_LEN(usual); i++) {
		name = usual[i];
		rc = fb_fs_read(fs, arena, name, FB_CONF_MAX_BYTES, &text, &len, err);
	}
	if (rc < 0)
		return rc;
	struct fb_keys *table;
	size_t n = fb_step_keys(arena, &table);
	fb_conf_parse(ret_conf, arena, name, text, len, table, n, &ret_conf->value);
	for (size_t i = 0; ret_conf->is_read && i < fb_n_steps; i++)
		if (fb_steps[i]->check)
			fb_steps[i]->check(ret_conf);
	return 0;
}

/* At the end of the boot: measure, write the report, and say so. */
static int hand_off(struct fb_engine *engine, struct fb_error *err)
{
	struct fb_report report;
	int rc = fb_engine_verify(engine, &report, err);
	if (rc < 0)
		return rc;
	json_t *root = fb_report_json(&report, engine->board.name);
	char *json = json_dumps(root, JSON_INDENT(2));
	const char *json_text = fb_format(engine->arena, "%s\n", json ? json : "{}");
	free(json);
	json_decref(root);
	const char *text = fb_report_text(engine->arena, &report, engine->board.name);
	rc = fb_save_text(&engine->fs, engine->arena, FB_STATE_DIR "/report.json", json_text, err);
	if (rc == 0)
		rc = fb_save_text(&engine->fs, engine->arena, FB_STATE_DIR "/report.txt", text, err);
	return rc < 0 ? rc : fb_report_holds(&report) ? 0 : 1;
}

/* Until everything that is wanted can be measured, or the limit: a cable may come late, and a lease takes its time. */
static int await_network(struct fb_engine *engine, struct fb_error *err)
{
	uint64_t start_us = engine->env->now_us(engine->env);
	for (;;) {
		struct fb_report report;
		int rc = fb_engine_verify(engine, &report, err);
		if (rc < 0 || fb_report_holds(&report))
			return rc;
		if (engine->env->now_us(engine->env) - start_us >= ONLINE_LIMIT_US)
			return 1;
		engine->env->wait(engine->env, LOOK_AGAIN_MS);
	}
}

static int after_steps(struct fb_engine *engine, struct fb_error *err)
{
	if (!engine->env->is_live || !engine->conf)
		return 0;
	if (engine->stage == FB_STAGE_ONLINE)
		return await_network(engine, err);
	if (engine->stage == FB_STAGE_HANDOFF)
		return hand_off(engine, err);
	return 0;
}

static bool is_last_stage(const struct fb_engine *engine)
{
	return engine->stage == FB_STAGE_HANDOFF || engine->stage == FB_STAGE_ALL;
}

/* A box without its file is no router. An image that is being built may get the file later. */
static bool is_unconfigured(const struct fb_engine *engine)
{
	return engine->env->is_live && !engine->conf;
}

static enum fb_result result_of(const struct fb_engine *engine, const struct fb_conf *refused, int after)
{
	if (refused || is_unconfigured(engine))
		return FB_RES_REFUSED;
	if (engine->failures || after < 0)
		return FB_RES_FAILED;
	if (!is_last_stage(engine))
		return FB_RES_RUNNING;
	return after > 0 || engine->state.notes.n || engine->state.n_follow ? FB_RES_DEGRADED : FB_RES_READY;
}

/* Only what lasts: a run that changed nothing leaves the disk alone. */
static int record(struct fb_engine *engine, enum fb_result result, struct fb_error *err)
{
	if (result == FB_RES_RUNNING || !engine->env->is_live)
		return 0;		/* an image that is being built has no history */
	engine->state.result = result;
	if (engine->conf && (result == FB_RES_READY || result == FB_RES_DEGRADED))
		engine->state.is_provisioned = true;
	return fb_state_save(&engine->fs, engine->arena, &engine->state, err);
}

enum fb_exit fb_run_apply(struct fb_engine *engine, const struct fb_conf *refused)
{
	struct fb_error err;
	int rc = fb_engine_apply(engine, &err);
	int after = rc == 0 && !engine->failures ? after_steps(engine, &err) : 0;
	if (rc < 0 || after < 0) {
		engine->env->log(engine->env, LOG_ERR, fb_stage_name(engine->stage), NULL, err.text);
		engine->state.error = fb_strdup(engine->arena, err.text);
	}
	if (refused)
		engine->state.error = fb_conf_message(refused, &refused->complaint[0]);
	else if (is_unconfigured(engine))
		engine->state.error = "no provision.conf: put one on the boot partition (/boot/provision.conf)";
	enum fb_result result = result_of(engine, refused, rc < 0 ? rc : after);
	rc = record(engine, result, &err);
	if (rc < 0)
		engine->env->log(engine->env, LOG_ERR, fb_stage_name(engine->stage), NULL, err.text);
	engine->run.result = result;
	if (result == FB_RES_REFUSED && !refused)
		engine->env->log(engine->env, LOG_ERR, fb_stage_name(engine->stage), NULL, engine->state.error);
	if (engine->env->is_live)
		(void)fb_run_save(&engine->fs, engine->arena, &engine->run, &err);	/* lives in /run; the exit code tells too */
	if (result == FB_RES_REFUSED)
		return FB_EXIT_CONFIG;
	if (engine->failures)
		return fb_exit_of(engine->first_rc);
	if (after < 0 || rc < 0)
		return fb_exit_of(after < 0 ? after : rc);
	bool is_degraded = result == FB_RES_DEGRADED || (after > 0) || (engine->deferred && engine->stage == FB_STAGE_ALL);
	return is_degraded ? FB_EXIT_DEGRADED : FB_EXIT_OK;
}
