/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of apply: which config, which stage, how it ends. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "led.h"
#include "choose.h"
#include "report.h"

enum { ONLINE_LIMIT_US = 60000000, CLOCK_LIMIT_US = 60000000, LOOK_AGAIN_MS = 2000 };

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

/*
 * The gate: with a wrong clock no certificate and no signed list is valid, so what needs the network waits for a right
 * one. 1: not within the limit; the box goes on without, and the unit tries again.
 */
static int await_clock(struct fb_engine *engine, struct fb_error *err)
{
	uint64_t start_us = engine->env->now_us(engine->env);
	if (!engine->env->is_live || !engine->conf || engine->stage != FB_STAGE_ONLINE)
		return 0;
	for (;;) {
		struct fb_facts facts;
		int rc = engine->env->gather(engine->env, &engine->fs, engine->arena, &facts, err);
		if (rc < 0 || facts.is_clock_good)
			return rc;
		if (engine->env->now_us(engine->env) - start_us >= CLOCK_LIMIT_US)
			break;
		engine->env->wait(engine->env, LOOK_AGAIN_MS);
	}
	engine->env->log(engine->env, LOG_WARNING, fb_stage_name(engine->stage), NULL,
			 "no time server has answered yet, so the clock may be wrong; what needs the network waits for a later try");
	return 1;
}

/* A light that cannot be had is worth a line, not a failure. */
static void show(struct fb_engine *engine, enum fb_led led)
{
	struct fb_error err;
	if (engine->env->is_live && engine->board_rc == 0 &&
	    fb_led_show(&engine->fs, engine->arena, &engine->board, led, &err) < 0)
		engine->env->log(engine->env, LOG_WARNING, fb_stage_name(engine->stage), NULL, err.text);
}

static void show_result(struct fb_engine *engine, enum fb_result result)
{
	static const enum fb_led leds[] = {
		[FB_RES_READY] = FB_LED_READY, [FB_RES_DEGRADED] = FB_LED_DEGRADED, [FB_RES_FAILED] = FB_LED_FAILED,
		[FB_RES_REFUSED] = FB_LED_FAILED,
	};
	if (result >= FB_RES_READY)
		show(engine, leds[result]);
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
	if (engine->conf && result == FB_RES_READY)
		engine->state.is_applied = true;
	return fb_state_save(&engine->fs, engine->arena, &engine->state, err);
}

/* A new file has to be carried out to its end, by a later boot too; this goes to the disk before the first change. */
static int begin(struct fb_engine *engine, struct fb_error *err)
{
	if (!engine->is_changed || !engine->state.is_applied || !engine->env->is_live)
		return 0;
	engine->state.is_applied = false;
	return fb_state_save(&engine->fs, engine->arena, &engine->state, err);
}

/* The boot partition is for people with a PC: secrets leave it, and a refusal is told there. It is worth no failure. */
static void tidy_boot(struct fb_engine *engine, const struct fb_conf *refused, enum fb_result result)
{
	struct fb_error err;
	int rc = 0;
	if (!engine->env->is_live)
		return;
	if (engine->conf && !refused && (result == FB_RES_READY || result == FB_RES_DEGRADED))
		rc = fb_boot_keep(&engine->fs, engine->arena, &err);
	if (rc == 0)
		rc = fb_boot_tell(&engine->fs, engine->arena, refused, &err);
	if (rc < 0)
		engine->env->log(engine->env, LOG_WARNING, fb_stage_name(engine->stage), NULL, err.text);
}

enum fb_exit fb_run_apply(struct fb_engine *engine, const struct fb_conf *refused)
{
	struct fb_error err;
	if (refused || is_unconfigured(engine))
		show_result(engine, FB_RES_REFUSED);	/* at once: whoever stands before the box waits for a reason */
	else if (engine->stage != FB_STAGE_ONLINE || !fb_run_is_final(&engine->run))
		show(engine, FB_LED_PROVISIONING);	/* else it is a later try, and the light tells how the boot went */
	int after = begin(engine, &err);
	if (after == 0)
		after = await_clock(engine, &err);
	int rc = after < 0 ? after : fb_engine_apply(engine, &err);
	if (rc == 0 && after == 0 && !engine->failures)
		after = after_steps(engine, &err);
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
	tidy_boot(engine, refused, rc < 0 ? FB_RES_FAILED : result);
	show_result(engine, rc < 0 ? FB_RES_FAILED : result);	/* after what it stands for is on the disk */
	if (result != FB_RES_RUNNING || !fb_run_is_final(&engine->run))
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
	if (engine->retries || (engine->stage == FB_STAGE_ONLINE && after > 0))
		return FB_EXIT_RETRY;		/* the unit tries again, and the handoff then tells anew */
	bool is_degraded = result == FB_RES_DEGRADED || (after > 0) || (engine->deferred && engine->stage == FB_STAGE_ALL);
	return is_degraded ? FB_EXIT_DEGRADED : FB_EXIT_OK;
}
