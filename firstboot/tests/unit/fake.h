/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A world outside the disk that does what the test says and writes down what it was asked. */
#ifndef FB_FAKE_H
#define FB_FAKE_H

#include <errno.h>

#include "env.h"
#include "room.h"

struct fake {
	struct fb_env env;		/* first: the callbacks get a pointer to it */
	struct fb_facts facts;		/* handed out as they stand here */
	struct fb_arena *arena;
	struct fb_buf calls;		/* one line a call: "exec /bin/x a b", "unit restart ssh.service", "wait" */
	struct fb_buf logged;		/* one line a message: "step: text" */
	/* What an exec does; NULL: nothing, with success. */
	int (*on_exec)(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err);
	const char *failing_unit;	/* a unit request for it fails with -EIO */
	int gather_rc;
	uint64_t us;			/* grows by 1000 with each look at the clock, by the whole limit with each wait */
};

__attribute__((unused))
static int fake_gather(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *ret_facts,
		       struct fb_error *err)
{
	struct fake *fake = (struct fake *)env;
	(void)fs;
	(void)arena;
	if (fake->gather_rc < 0)
		return fb_fail(err, -fake->gather_rc, "gather: told to fail");
	*ret_facts = fake->facts;
	return 0;
}

__attribute__((unused))
static int fake_exec(struct fb_env *env, struct fb_arena *arena, const char *const *argv, unsigned timeout_ms,
		     char **ret_out, struct fb_error *err)
{
	struct fake *fake = (struct fake *)env;
	(void)arena;
	if (!timeout_ms)
		return fb_fail(err, EINVAL, "no time limit");
	fb_buf_add(&fake->calls, "exec");
	for (const char *const *arg = argv; *arg; arg++)
		fb_buf_add(&fake->calls, " %s", *arg);
	fb_buf_add(&fake->calls, "\n");
	return fake->on_exec ? fake->on_exec(fake, argv, ret_out, err) : 0;
}

__attribute__((unused))
static int fake_unit(struct fb_env *env, const char *unit, enum fb_verb verb, struct fb_error *err)
{
	struct fake *fake = (struct fake *)env;
	fb_buf_add(&fake->calls, "unit %s %s\n", fb_verb_name(verb), unit);
	if (fake->failing_unit && !strcmp(unit, fake->failing_unit))
		return fb_fail(err, EIO, "%s %s: told to fail", fb_verb_name(verb), unit);
	return 0;
}

__attribute__((unused))
static void fake_notify(struct fb_env *env, const char *status)
{
	(void)env;
	(void)status;
}

__attribute__((unused))
static void fake_log(struct fb_env *env, int priority, const char *stage, const char *step, const char *text)
{
	struct fake *fake = (struct fake *)env;
	(void)priority;
	(void)stage;
	fb_buf_add(&fake->logged, "%s%s%s\n", step ? step : "", step ? ": " : "", text);
}

__attribute__((unused))
static void fake_wait(struct fb_env *env, unsigned timeout_ms)
{
	struct fake *fake = (struct fake *)env;
	fb_buf_add(&fake->calls, "wait\n");
	fake->us += (uint64_t)timeout_ms * 1000;
}

__attribute__((unused))
static uint64_t fake_now(struct fb_env *env)
{
	struct fake *fake = (struct fake *)env;
	return fake->us += 1000;
}

/* A running box in the room, that has its randomness but no links. */
__attribute__((unused))
static void fake_start(struct fake *fake, struct fb_arena *arena)
{
	*fake = (struct fake){
		.env = { .is_live = true, .gather = fake_gather, .exec = fake_exec, .unit = fake_unit, .notify = fake_notify,
			 .log = fake_log, .wait = fake_wait, .now_us = fake_now },
		.facts = { .is_live = true, .has_seed = true, .now = 1767225600, .box_tag = "" },	/* 2026-01-01 */
		.arena = arena, .calls = { .arena = arena }, .logged = { .arena = arena },
	};
}

__attribute__((unused))
static void fake_offline(struct fake *fake)
{
	fake->env.is_live = fake->facts.is_live = fake->facts.has_seed = false;
}

#endif
