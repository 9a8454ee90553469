/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock gate of the online stage, and the light through a boot; with two invented steps. */
#include "fake.h"
#include "run.h"

static const char *const apt[] = { "/usr/bin/apt", NULL };
static bool is_apt_done, does_fail;
static unsigned n_measured;

static void plan_steps(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	(void)fb_want_file(plan, "/etc/quiet", "1\n", 0644, "needs no network");
	if (!is_apt_done)
		(void)fb_plan_exec(plan, FB_ONLINE, "apt", apt, 1000, "needs the network");
	if (does_fail)
		plan->view->rc = fb_fail(&plan->view->err, EIO, "told to fail");
}

static const void *measure(struct fb_view *view, const struct fb_conf *conf)
{
	(void)view;
	(void)conf;
	n_measured++;
	return NULL;
}

static const struct fb_step step = { .name = "step", .summary = "both", .plan = plan_steps, .measure = measure };
const struct fb_step *const fb_steps[] = { &step };
const size_t fb_n_steps = 1;

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
};

static int do_exec(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)fake;
	(void)argv;
	(void)ret_out;
	(void)err;
	is_apt_done = true;
	return 0;
}

static void open_scene(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	s->room = room_make();
	room_write("usr/share/r4s-router/board.conf",
		   "name = \"b\"\nled { name = \"l\" provisioning = \"p\" ready = \"r\" degraded = \"d\" failed = \"f\" }\n");
	fake_start(&s->fake, s->room->arena);
	s->fake.on_exec = do_exec;
	is_apt_done = does_fail = false;
	n_measured = 0;
}

static enum fb_exit apply(struct scene *s, enum fb_stage stage, const struct fb_conf *refused)
{
	room_write("sys/class/leds/l/trigger", "");
	s->engine = (struct fb_engine){
		.fs = s->room->fs, .env = &s->fake.env, .arena = s->room->arena, .stage = stage,
		.conf = refused ? NULL : &s->conf,
	};
	fb_engine_start(&s->engine);
	return fb_run_apply(&s->engine, refused);
}

static const char *light(void)
{
	return room_read("sys/class/leds/l/trigger");
}

/* The clock becomes right while the stage waits. */
static void come_right(struct fb_env *env, unsigned timeout_ms)
{
	struct fake *fake = (struct fake *)env;
	fake_wait(env, timeout_ms);
	fake->facts.is_clock_good = fake->us > 20000000;
}

TEST(nothing_needs_the_network_before_the_clock_is_right)
{
	struct scene s;
	open_scene(&s);
	s.fake.env.wait = come_right;
	CHECK_INT(apply(&s, FB_STAGE_ONLINE, NULL), FB_EXIT_OK);
	const char *calls = fb_buf_text(&s.fake.calls);
	CHECK(!strncmp(calls, "wait\nwait\n", 10) && strstr(calls, "exec /usr/bin/apt\n"));
	CHECK(s.fake.us < 30000000);
	CHECK_INT(n_measured, 1);
	room_end(s.room);
}

TEST(the_gate_has_a_limit_and_the_rest_goes_on)
{
	struct scene s;
	open_scene(&s);
	CHECK_INT(apply(&s, FB_STAGE_ONLINE, NULL), FB_EXIT_RETRY);
	CHECK(s.fake.us >= 60000000 && s.fake.us < 65000000);
	CHECK(!strstr(fb_buf_text(&s.fake.calls), "exec"));
	CHECK(strstr(fb_buf_text(&s.fake.logged), "no time server has answered yet"));
	CHECK_STR(room_read("etc/quiet"), "1\n");
	CHECK_INT(n_measured, 0);
	CHECK_INT(apply(&s, FB_STAGE_HANDOFF, NULL), FB_EXIT_DEGRADED);
	s.fake.facts.is_clock_good = true;
	CHECK_INT(apply(&s, FB_STAGE_ONLINE, NULL), FB_EXIT_OK);
	CHECK(is_apt_done);
	room_end(s.room);
}

TEST(by_hand_nobody_waits)
{
	struct scene s;
	open_scene(&s);
	CHECK_INT(apply(&s, FB_STAGE_ALL, NULL), FB_EXIT_DEGRADED);
	CHECK_STR(fb_buf_text(&s.fake.calls), "");
	CHECK(s.fake.us < 1000000);
	room_end(s.room);
}

TEST(only_the_online_stage_waits)
{
	static const enum fb_stage stages[] = { FB_STAGE_EARLY, FB_STAGE_HANDOFF };
	for (size_t i = 0; i < FB_ARRAY_LEN(stages); i++) {
		struct scene s;
		open_scene(&s);
		(void)apply(&s, stages[i], NULL);
		CHECK(!strstr(fb_buf_text(&s.fake.calls), "wait"));
		room_end(s.room);
	}
}

TEST(the_light_through_a_boot)
{
	struct scene s;
	open_scene(&s);
	(void)apply(&s, FB_STAGE_EARLY, NULL);
	CHECK_STR(light(), "p");
	(void)apply(&s, FB_STAGE_ONLINE, NULL);		/* no clock */
	CHECK_STR(light(), "p");
	(void)apply(&s, FB_STAGE_HANDOFF, NULL);
	CHECK(strchr(light(), 'd'));			/* over the "p" of its start */
	(void)apply(&s, FB_STAGE_ONLINE, NULL);		/* the next try, in the background */
	CHECK_STR(light(), "");				/* left as it is */
	s.fake.facts.is_clock_good = true;
	(void)apply(&s, FB_STAGE_ONLINE, NULL);
	CHECK_STR(light(), "");
	(void)apply(&s, FB_STAGE_HANDOFF, NULL);
	CHECK(strchr(light(), 'r'));
	does_fail = true;
	(void)apply(&s, FB_STAGE_EARLY, NULL);
	CHECK(strchr(light(), 'f'));
	room_end(s.room);
}

TEST(a_refused_config_shows_at_once_and_stays)
{
	static const enum fb_stage stages[] = { FB_STAGE_EARLY, FB_STAGE_ONLINE, FB_STAGE_HANDOFF };
	static const struct fb_complaint complaint = { 3, "hostname: no" };
	const struct fb_conf refused = { .name = "provision.conf", .complaint = (struct fb_complaint *)(uintptr_t)&complaint,
					 .n_complaints = 1 };
	struct scene s;
	open_scene(&s);
	struct fb_conf in_arena = refused;
	in_arena.arena = s.room->arena;
	for (size_t i = 0; i < FB_ARRAY_LEN(stages); i++) {
		CHECK_INT(apply(&s, stages[i], &in_arena), FB_EXIT_CONFIG);
		CHECK_STR(light(), "f");
	}
	room_end(s.room);
}

TEST(an_image_that_is_built_has_no_light)
{
	struct scene s;
	open_scene(&s);
	fake_offline(&s.fake);
	(void)apply(&s, FB_STAGE_ALL, NULL);
	CHECK_STR(light(), "");
	room_end(s.room);
}

TEST(a_light_that_fails_fails_nothing)
{
	struct scene s;
	open_scene(&s);
	room_write("usr/share/r4s-router/board.conf", "name = \"b\"\nled { name = \"l\" provisioning = \"blink 1\" ready = \"blink\" }\n");
	s.fake.facts.is_clock_good = true;
	CHECK_INT(apply(&s, FB_STAGE_ONLINE, NULL), FB_EXIT_OK);
	CHECK(strstr(fb_buf_text(&s.fake.logged), "led: \"blink 1\" is no pattern"));
	room_end(s.room);
}

TEST_MAIN()
