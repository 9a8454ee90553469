/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine with two steps of the test's own in place of src/steps.c, and a box that does what the test says. */
#ifndef FB_SCENE_H
#define FB_SCENE_H

#include <jansson.h>

#include "engine.h"
#include "fake.h"
#include "room.h"
#include "run.h"
#include "test.h"

static void (*plan_a)(struct fb_plan *plan, const struct fb_conf *conf);
static void (*plan_b)(struct fb_plan *plan, const struct fb_conf *conf);
static void (*probe_a)(struct fb_report *report, const struct fb_conf *conf);

static const void *(*measure_a)(struct fb_view *view, const struct fb_conf *conf);

static void run_a(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (plan_a)
		plan_a(plan, conf);
}

static void run_b(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (plan_b)
		plan_b(plan, conf);
}

static void run_probe(struct fb_report *report, const struct fb_conf *conf)
{
	if (probe_a)
		probe_a(report, conf);
}

static const void *run_measure(struct fb_view *view, const struct fb_conf *conf)
{
	return measure_a ? measure_a(view, conf) : NULL;
}

static const struct fb_step step_a = {
	.name = "a", .summary = "first", .plan = run_a, .probe = run_probe, .measure = run_measure,
};
static const struct fb_step step_b = { .name = "b", .summary = "second, at each boot", .plan = run_b, .each_boot = true };
const struct fb_step *const fb_steps[] = { &step_a, &step_b };
const size_t fb_n_steps = 2;

size_t fb_step_keys(struct fb_arena *arena, struct fb_keys **ret_table)
{
	*ret_table = fb_alloc(arena, sizeof(**ret_table));
	return 0;
}

struct scene {
	struct room *room;
	struct fake fake;
	struct fb_engine engine;
	struct fb_conf conf;
	struct fb_error err;
};

__attribute__((unused))
static void open_scene(struct scene *s, enum fb_stage stage)
{
	memset(s, 0, sizeof(*s));
	s->room = room_make();
	room_write("usr/share/r4s-router/board.conf", "name = \"test board\"\n");
	fake_start(&s->fake, s->room->arena);
	s->fake.facts.is_clock_good = true;
	s->engine = (struct fb_engine){
		.fs = s->room->fs, .env = &s->fake.env, .arena = s->room->arena, .stage = stage, .conf = &s->conf,
	};
	plan_a = plan_b = NULL;
	probe_a = NULL;
	measure_a = NULL;
}

__attribute__((unused))
static void start(struct scene *s)
{
	s->engine.changes = s->engine.deferred = s->engine.failures = s->engine.retries = 0;
	fb_engine_start(&s->engine);
}

__attribute__((unused))
static enum fb_exit apply(struct scene *s)
{
	start(s);
	return fb_run_apply(&s->engine, NULL);
}

__attribute__((unused))
static json_t *state(const struct scene *s)
{
	const char *text = room_read("var/lib/r4s/state.json");
	json_t *root = text ? json_loads(text, 0, NULL) : NULL;
	if (!root)
		test_fail(__FILE__, __LINE__, "no state.json in %s", s->room->dir);
	return root;
}

__attribute__((unused))
static const char *state_text(const struct scene *s, const char *key)
{
	json_t *root = state(s);
	const char *text = fb_strdup(s->room->arena, json_string_value(json_object_get(root, key)));
	json_decref(root);
	return text;
}

__attribute__((unused))
static size_t n_owed(const struct scene *s)
{
	json_t *root = state(s);
	size_t n = json_array_size(json_object_get(root, "follow-ups"));
	json_decref(root);
	return n;
}

__attribute__((unused))
static void file_a(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	(void)fb_want_file(plan, "/etc/a", "a\n", 0644, "why a");
}

__attribute__((unused))
static void file_b(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	(void)fb_want_file(plan, "/etc/b", "b\n", 0644, "why b");
}

#endif
