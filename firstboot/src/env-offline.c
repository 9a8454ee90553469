/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No running box: a root directory that is being prepared, or a config judged on a PC. */
#include "env.h"

#include <errno.h>
#include <stdio.h>

static int gather(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *ret_facts,
		  struct fb_error *err)
{
	(void)env;		/* nothing to ask: there are no facts about a box that does not run */
	(void)fs;
	(void)arena;
	(void)err;
	*ret_facts = (struct fb_facts){ .now = time(NULL), .box_tag = "" };
	return 0;
}

static int exec_nothing(struct fb_env *env, struct fb_arena *arena, const char *const *argv, unsigned timeout_ms,
			char **ret_out, struct fb_error *err)
{
	(void)env;
	(void)arena;
	(void)timeout_ms;
	(void)ret_out;
	return fb_fail(err, ENOTSUP, "run %s: not a running system", argv[0]);
}

static int unit_nothing(struct fb_env *env, const char *unit, enum fb_verb verb, struct fb_error *err)
{
	(void)env;
	return fb_fail(err, ENOTSUP, "%s %s: not a running system", fb_verb_name(verb), unit);
}

static void notify_nobody(struct fb_env *env, const char *status)
{
	(void)env;
	(void)status;
}

static void log_stderr(struct fb_env *env, int priority, const char *stage, const char *step, const char *text)
{
	(void)env;
	(void)priority;
	(void)stage;
	(void)fprintf(stderr, "r4s-firstboot: %s%s%s\n", step ? step : "", step ? ": " : "", text);	/* nowhere else to tell */
}

static void wait_never(struct fb_env *env, unsigned timeout_ms)
{
	(void)env;
	(void)timeout_ms;
}

static uint64_t now_us(struct fb_env *env)
{
	(void)env;
	struct timespec now;
	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

struct fb_env fb_env_offline = {
	.gather = gather, .exec = exec_nothing, .unit = unit_nothing, .notify = notify_nobody, .log = log_stderr,
	.wait = wait_never, .now_us = now_us,
};

const char *fb_stage_name(enum fb_stage stage)
{
	static const char *const names[] = {
		[FB_STAGE_ALL] = "all", [FB_STAGE_EARLY] = "early", [FB_STAGE_ONLINE] = "online", [FB_STAGE_HANDOFF] = "handoff",
	};
	return names[stage];
}

const char *fb_verb_name(enum fb_verb verb)
{
	static const char *const names[] = {
		[FB_RELOAD] = "reload", [FB_RESTART] = "restart", [FB_START] = "start", [FB_STOP] = "stop",
	};
	return names[verb];
}
