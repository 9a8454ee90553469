/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of apply: its stages, what it waits for, its exit code, and what it keeps for later boots. */
#include "scene.h"

TEST(refused_config_is_recorded_and_the_invariants_hold)
{
	struct scene s;
	static const struct fb_complaint complaint = { 3, "hostname: no" };
	open_scene(&s, FB_STAGE_HANDOFF);
	struct fb_conf refused = { .arena = s.room->arena, .name = "/boot/provision.conf", .n_complaints = 1 };
	refused.complaint = fb_alloc(s.room->arena, sizeof(complaint));
	*refused.complaint = complaint;
	s.engine.conf = NULL;
	plan_a = file_a;
	start(&s);
	CHECK_INT(fb_run_apply(&s.engine, &refused), FB_EXIT_CONFIG);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK_STR(state_text(&s, "result"), "refused");
	CHECK_STR(state_text(&s, "error"), "/boot/provision.conf:3: hostname: no");
	room_end(s.room);
}

TEST(no_config_is_refused_with_what_to_do)
{
	struct scene s;
	open_scene(&s, FB_STAGE_HANDOFF);
	s.engine.conf = NULL;
	CHECK_INT(apply(&s), FB_EXIT_CONFIG);
	CHECK_STR(state_text(&s, "result"), "refused");
	CHECK_STR(state_text(&s, "error"), "no provision.conf: put one on the boot partition (/boot/provision.conf)");
	room_end(s.room);
}

static unsigned n_looks, n_needed;

static void late_lease(struct fb_report *report, const struct fb_conf *conf)
{
	(void)conf;
	fb_report_compare(report, "network.wan.method", "dhcp", ++n_looks >= n_needed ? "dhcp" : "no lease yet");
}

TEST(online_waits_for_what_comes_late)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ONLINE);
	probe_a = late_lease;
	n_looks = 0;
	n_needed = 3;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(fb_buf_text(&s.fake.calls), "wait\nwait\n");
	room_end(s.room);
}

TEST(online_gives_up_after_its_limit)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ONLINE);
	probe_a = late_lease;
	n_looks = 0;
	n_needed = 1000;
	CHECK_INT(apply(&s), FB_EXIT_RETRY);
	CHECK(s.fake.us < 65000000);
	room_end(s.room);
}

static void differs(struct fb_report *report, const struct fb_conf *conf)
{
	(void)conf;
	fb_report_compare(report, "hostname", "a", "b");
	fb_report_add(report, "cpu", FB_UNMEASURED, "x", "not here");
}

TEST(handoff_writes_the_report_and_tells_the_difference)
{
	struct scene s;
	open_scene(&s, FB_STAGE_HANDOFF);
	probe_a = differs;
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	CHECK_STR(room_read("var/lib/r4s/report.txt"), "Acceptance report: test board\n"
						       "DIFFERS  hostname  a; measured: b\n"
						       "-        cpu       x; not measurable here: not here\n"
						       "0 held, 1 differ, 1 not measurable here\n");
	json_t *root = json_loads(room_read("var/lib/r4s/report.json"), 0, NULL);
	CHECK(root && json_is_false(json_object_get(root, "holds")));
	CHECK_INT(json_array_size(json_object_get(root, "keys")), 2);
	json_decref(root);
	CHECK_STR(state_text(&s, "result"), "degraded");
	room_end(s.room);
}

TEST(handoff_makes_the_box_provisioned)
{
	struct scene s;
	open_scene(&s, FB_STAGE_HANDOFF);
	CHECK_INT(apply(&s), FB_EXIT_OK);
	json_t *root = state(&s);
	CHECK(json_is_true(json_object_get(root, "provisioned")));
	json_decref(root);
	s.engine.stage = FB_STAGE_EARLY;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	root = state(&s);
	CHECK(json_is_true(json_object_get(root, "provisioned")));	/* a later boot does not undo it */
	json_decref(root);
	room_end(s.room);
}

static bool has_once(const struct scene *s, const char *token)
{
	json_t *root = state(s), *item;
	size_t i;
	bool is_there = false;
	json_array_foreach(json_object_get(root, "once"), i, item)
		is_there |= !strcmp(json_string_value(item), token);
	json_decref(root);
	return is_there;
}

static void upgrade_once(struct fb_plan *plan, const struct fb_conf *conf)
{
	static const char *const argv[] = { "/bin/upgrade", NULL };
	(void)conf;
	if (!fb_strs_has(&plan->view->facts->once, "upgrade"))
		fb_plan_exec(plan, FB_ONLINE, "upgrade", argv, 1000, "once")->once = "upgrade";
}

TEST(what_is_done_once_is_done_once)
{
	struct scene s;
	open_scene(&s, FB_STAGE_EARLY);
	plan_a = upgrade_once;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(fb_buf_text(&s.fake.calls), "");
	s.engine.stage = FB_STAGE_ONLINE;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(fb_buf_text(&s.fake.calls), "exec /bin/upgrade\n");
	CHECK(has_once(&s, "upgrade"));
	CHECK_INT(apply(&s), FB_EXIT_OK);
	s.engine.stage = FB_STAGE_ALL;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(fb_buf_text(&s.fake.calls), "exec /bin/upgrade\n");
	room_end(s.room);
}

static int fail_always(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)fake;
	(void)ret_out;
	return fb_fail(err, EIO, "%s: no", argv[0]);
}

TEST(what_failed_was_not_done)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = upgrade_once;
	s.fake.on_exec = fail_always;
	CHECK(apply(&s) != FB_EXIT_OK);
	CHECK(!has_once(&s, "upgrade"));
	s.fake.on_exec = NULL;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK(has_once(&s, "upgrade"));
	room_end(s.room);
}

static unsigned n_measured;
static const char *seen_measured;

static const void *measure_word(struct fb_view *view, const struct fb_conf *conf)
{
	(void)conf;
	n_measured++;
	return fb_strdup(view->arena, "measured");
}

static void plan_measured(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	const char *word = plan->view->measured;
	if (!word)
		return;			/* also when it is only to be verified */
	seen_measured = word;
	(void)fb_want_file(plan, "/etc/a", word, 0644, "as measured");
}

TEST(the_network_is_asked_once_and_only_when_there_is_one)
{
	static const struct {
		enum fb_stage stage;
		bool is_clock_good, is_live;
		unsigned want;
	} rows[] = {
		{ FB_STAGE_EARLY, true, true, 0 },  { FB_STAGE_ONLINE, true, true, 1 }, { FB_STAGE_HANDOFF, true, true, 0 },
		{ FB_STAGE_ALL, true, true, 1 },    { FB_STAGE_ALL, false, true, 0 },	{ FB_STAGE_ALL, true, false, 0 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct scene s;
		open_scene(&s, rows[i].stage);
		s.fake.facts.is_clock_good = rows[i].is_clock_good;
		if (!rows[i].is_live)
			fake_offline(&s.fake);
		plan_a = plan_measured;
		measure_a = measure_word;
		n_measured = 0;
		seen_measured = NULL;
		(void)apply(&s);		/* its exit code is of no interest here */
		CHECK_INT(n_measured, rows[i].want);
		CHECK_STR(seen_measured, rows[i].want ? "measured" : NULL);
		CHECK_STR(room_read("etc/a"), rows[i].want ? "measured" : NULL);
		room_end(s.room);
	}
}

static void not_now(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	(void)fb_want_file(plan, "/etc/a", "a\n", 0644, "why a");
	fb_plan_later(plan, "no mirror answers");
}

TEST(a_step_may_ask_to_be_run_again)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ONLINE);
	plan_a = not_now;
	plan_b = file_b;
	CHECK_INT(apply(&s), FB_EXIT_RETRY);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK_STR(room_read("etc/b"), "b\n");
	CHECK_INT(s.engine.state.notes.n, 1);
	CHECK_STR(s.engine.state.notes.item[0], "a: no mirror answers");
	CHECK_INT(s.engine.failures, 0);
	room_end(s.room);
}

TEST(online_goes_on_with_a_wrong_clock_and_asks_to_be_run_again)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ONLINE);
	s.fake.facts.is_clock_good = false;
	plan_a = file_a;
	CHECK_INT(apply(&s), FB_EXIT_RETRY);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK(strstr(fb_buf_text(&s.fake.logged), "no time server has answered yet"));
	CHECK(s.fake.us >= 60000000 && s.fake.us < 65000000);
	room_end(s.room);
}

static void by_config(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (conf)
		(void)fb_want_file(plan, "/etc/a", "a\n", 0644, "why a");
}

static void by_config_too(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (conf)
		(void)fb_want_file(plan, "/etc/b", "b\n", 0644, "why b");
}

TEST(an_unchanged_config_is_not_forced_over_hand_edits)
{
	struct scene s;
	open_scene(&s, FB_STAGE_HANDOFF);
	plan_a = by_config;
	plan_b = by_config_too;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	room_write("etc/a", "by hand\n");
	room_write("etc/b", "by hand\n");
	s.engine.stage = FB_STAGE_EARLY;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/a"), "by hand\n");
	CHECK_STR(room_read("etc/b"), "b\n");		/* what a boot loses is set at each boot */
	s.engine.stage = FB_STAGE_ALL;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/a"), "a\n");
	room_end(s.room);
}

static void look_at_state(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (!strcmp(what, "stage") && !strcmp(path, "/etc/a") && !strstr(room_read("var/lib/r4s/state.json"), "\"applied\": false"))
		test_fail(__FILE__, __LINE__, "%s before the state says that it is not applied", path);
}

TEST(a_changed_config_is_forced_also_after_a_cut)
{
	struct scene s;
	open_scene(&s, FB_STAGE_HANDOFF);
	plan_a = by_config;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	room_write("etc/a", "of the old config\n");
	s.engine.stage = FB_STAGE_EARLY;
	s.engine.is_changed = true;
	s.engine.fs.before = look_at_state;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/a"), "a\n");
	room_write("etc/a", "as if the boot had been cut\n");
	s.engine.is_changed = false;			/* the next one finds nothing new */
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/a"), "a\n");
	room_end(s.room);
}

TEST_MAIN()
