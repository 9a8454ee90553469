/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine over steps of the test's own: order, follow-ups, failures, convergence, deferral, records. */
#include <sys/wait.h>

#include "scene.h"

TEST(apply_does_all_and_the_second_time_nothing)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_a;
	plan_b = file_b;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(s.engine.changes, 2);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK_STR(room_read("etc/b"), "b\n");
	CHECK_STR(state_text(&s, "result"), "ready");
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(s.engine.changes, 0);
	CHECK_STR(fb_buf_text(&s.fake.logged), "a: file /etc/a: why a\nb: file /etc/b: why b\n");
	room_end(s.room);
}

static void show_nothing(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts)
{
	(void)userdata;
	(void)step;
	(void)plan;
	(void)facts;
}

TEST(without_board_data_the_box_is_closed_all_the_same)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_a;
	CHECK(unlink(room_path("usr/share/r4s-router/board.conf")) == 0);
	start(&s);
	CHECK_INT(fb_engine_plan(&s.engine, show_nothing, NULL, &s.err), -ENOENT);
	CHECK(strstr(s.err.text, "/usr/share/r4s-router/board.conf is missing"));
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK(strstr(state_text(&s, "error"), "/usr/share/r4s-router/board.conf is missing"));
	room_write("usr/share/r4s-router/board.conf", "# c\nnme = \"x\"\n");
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK(strstr(state_text(&s, "error"), "/usr/share/r4s-router/board.conf:2: unknown key nme; did you mean name?"));
	room_end(s.room);
}

static void cannot_read(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	(void)fb_view_text(plan->view, "/etc");		/* a directory: a failed read, not "absent" */
	(void)fb_want_file(plan, "/etc/never", "x", 0644, "why");
}

TEST(a_failing_step_does_not_stop_the_others)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	room_write("etc/x", "");
	plan_a = cannot_read;
	plan_b = file_b;
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK_INT(s.engine.failures, 1);
	CHECK_STR(room_names("etc"), "b x");
	CHECK_STR(state_text(&s, "result"), "failed");
	CHECK_STR(state_text(&s, "error"), fb_format(s.room->arena, "a: read %s/etc: Is a directory", s.room->dir));
	json_t *root = state(&s);
	CHECK(json_is_false(json_object_get(root, "provisioned")));
	json_decref(root);
	room_end(s.room);
}

TEST(gather_that_fails_fails_the_steps)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	s.fake.gather_rc = -EIO;
	plan_a = file_a;
	CHECK_INT(apply(&s), FB_EXIT_IO);
	CHECK_INT(s.engine.failures, 2);
	CHECK(!room_read("etc/a"));
	room_end(s.room);
}

static void never_ends(struct fb_plan *plan, const struct fb_conf *conf)
{
	static unsigned n;
	(void)conf;
	(void)fb_want_file(plan, "/etc/a", fb_format(plan->view->arena, "%u\n", n++), 0644, "never content");
}

TEST(a_step_that_does_not_converge_is_reported)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = never_ends;
	plan_b = file_b;
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK_STR(state_text(&s, "error"), "a: did not hold: file /etc/a is still to do after it was done (never content)");
	CHECK_STR(room_read("etc/b"), "b\n");
	room_end(s.room);
}

static void file_and_restart(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	if (fb_want_file(plan, "/etc/a", "a\n", 0644, "why a")) {
		fb_follow_up(plan, "a.service", FB_RESTART, FB_LINK_DROP, "a has changed");
		fb_follow_up(plan, "z.service", FB_RELOAD, FB_QUIET, "z has changed");
	}
}

static char seen_owed[8192];

/* What is owed at the moment when /etc/a is about to be published. */
static void look_before_publish(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (strcmp(what, "rename") || strcmp(path, "/etc/a"))
		return;
	const char *text = room_read("var/lib/r4s/state.json");
	(void)snprintf(seen_owed, sizeof(seen_owed), "%s", text ? text : "nothing");
}

TEST(follow_ups_are_on_disk_before_their_files_and_gone_after)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_and_restart;
	s.engine.fs.before = look_before_publish;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK(strstr(seen_owed, "a.service") && strstr(seen_owed, "z.service"));
	CHECK_INT(n_owed(&s), 0);
	/* the quiet one first */
	CHECK_STR(fb_buf_text(&s.fake.calls), "unit reload z.service\nunit restart a.service\n");
	room_end(s.room);
}

static void cut_after_publish(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (!strcmp(what, "fsync directory") && !strcmp(path, "/etc/a"))
		_exit(ROOM_CUT);
}

TEST(a_restart_that_a_power_cut_swallowed_is_made_up_for)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_and_restart;
	pid_t pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		s.engine.fs.before = cut_after_publish;
		(void)apply(&s);
		_exit(0);
	}
	int status;
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == ROOM_CUT);
	CHECK_STR(room_read("etc/a"), "a\n");		/* so the next plan is empty … */
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(s.engine.changes, 0);			/* … and still the units are told */
	CHECK_STR(fb_buf_text(&s.fake.calls), "unit reload z.service\nunit restart a.service\n");
	CHECK_INT(n_owed(&s), 0);
	room_end(s.room);
}

TEST(a_boot_needs_no_follow_ups_and_forgets_old_ones)
{
	struct scene s;
	open_scene(&s, FB_STAGE_EARLY);
	room_write("var/lib/r4s/state.json", "{\"format\": 1, \"follow-ups\": [{\"unit\": \"old.service\", "
		   "\"verb\": \"restart\", \"impact\": \"quiet\", \"why\": \"x\"}, {\"impact\": \"reboot\", \"why\": \"y\"}]}");
	plan_a = file_and_restart;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/a"), "a\n");
	CHECK_STR(fb_buf_text(&s.fake.calls), "");
	CHECK_INT(n_owed(&s), 0);
	room_end(s.room);
}

TEST(a_follow_up_that_fails_stays_owed_and_the_others_are_paid)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_and_restart;
	s.fake.failing_unit = "z.service";
	CHECK_INT(apply(&s), FB_EXIT_IO);
	CHECK_STR(fb_buf_text(&s.fake.calls), "unit reload z.service\nunit restart a.service\n");
	CHECK_INT(n_owed(&s), 1);
	CHECK_STR(state_text(&s, "error"), "follow-ups: reload z.service: told to fail");
	s.fake.failing_unit = NULL;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(n_owed(&s), 0);
	CHECK_STR(state_text(&s, "error"), "");
	room_end(s.room);
}

static void needs_reboot(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	if (fb_want_file(plan, "/etc/a", "a\n", 0644, "why a"))
		fb_follow_up(plan, NULL, FB_RESTART, FB_REBOOT, "the name changes");
}

TEST(a_reboot_is_owed_until_the_next_boot)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = needs_reboot;
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	CHECK_INT(n_owed(&s), 1);
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	CHECK_INT(n_owed(&s), 1);
	CHECK_STR(fb_buf_text(&s.fake.calls), "");
	s.engine.stage = FB_STAGE_EARLY;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(n_owed(&s), 0);
	room_end(s.room);
}

static void group_of_two(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	fb_group_begin(plan);
	(void)fb_want_file(plan, "/etc/one", "1\n", 0644, "why");
	(void)fb_want_file(plan, "/etc/two", "2\n", 0644, "why");
	fb_group_end(plan);
	(void)fb_want_file(plan, "/etc/after", "3\n", 0644, "why");
}

static struct fb_buf mutations;

static void write_down(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (!strncmp(path, "/etc/", 5) && (!strcmp(what, "fsync") || !strcmp(what, "rename")))
		fb_buf_add(&mutations, "%s %s\n", what, path);
}

TEST(a_group_is_staged_whole_before_any_of_it_is_published)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = group_of_two;
	mutations = (struct fb_buf){ .arena = s.room->arena };
	s.engine.fs.before = write_down;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(fb_buf_text(&mutations), "fsync /etc/one\nfsync /etc/two\nrename /etc/one\nrename /etc/two\n"
					   "fsync /etc/after\nrename /etc/after\n");
	room_end(s.room);
}

static const struct fb_product products[] = {
	{ .name = "key.pub", .path = "/etc/ssh/key.pub", .mode = 0644 },
	{ .name = "key", .path = "/etc/ssh/key", .mode = 0600, .is_secret = true },	/* last: the plan looks at it */
};
static const char *const keygen[] = { "/bin/keygen", "-f", "@work@/key", "@work@", NULL };

static void make_key(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	if (fb_view_exists(plan->view, "/etc/ssh/key"))
		return;
	struct fb_change *change = fb_plan_exec(plan, FB_LIVE, "make key", keygen, 1000, "no key");
	change->product = products;
	change->n_products = 2;
}

static bool is_half;

static int do_keygen(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)ret_out;
	const char *work = fb_format(fake->arena, "%s/run/r4s/work", room_now->dir);
	struct stat st;
	if (strcmp(argv[2], fb_format(fake->arena, "%s/key", work)) || strcmp(argv[3], work))
		return fb_fail(err, EINVAL, "argv is %s %s", argv[2], argv[3]);
	if (stat(work, &st) < 0 || (st.st_mode & 07777) != 0700 || strcmp(room_names("run/r4s/work"), ""))
		return fb_fail(err, EINVAL, "the work directory is not private and empty");
	room_write("run/r4s/work/key", "private\n");
	if (!is_half)
		room_write("run/r4s/work/key.pub", "public\n");
	return 0;
}

TEST(products_of_a_tool_are_moved_to_their_places)
{
	struct scene s;
	struct stat st;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = make_key;
	s.fake.on_exec = do_keygen;
	is_half = false;
	room_write("run/r4s/work/rest", "of a run that was cut\n");
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_STR(room_read("etc/ssh/key"), "private\n");
	CHECK_STR(room_read("etc/ssh/key.pub"), "public\n");
	CHECK(stat(room_path("etc/ssh/key"), &st) == 0 && (st.st_mode & 07777) == 0600);
	CHECK_STR(room_names("etc/ssh"), "key key.pub");
	CHECK(stat(room_path("run/r4s/work"), &st) < 0);
	room_end(s.room);
}

TEST(a_tool_that_left_half_publishes_nothing)
{
	struct scene s;
	struct stat st;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = make_key;
	s.fake.on_exec = do_keygen;
	is_half = true;
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK_STR(state_text(&s, "error"), "a: make key: /bin/keygen left no key.pub");
	CHECK(!room_read("etc/ssh/key"));
	CHECK(stat(room_path("run/r4s/work"), &st) < 0);	/* the private half does not lie about */
	room_end(s.room);
}

static int fail_exec(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)fake;
	(void)ret_out;
	return fb_fail(err, ETIME, "%s: killed after 1 s", argv[0]);
}

TEST(a_tool_that_fails_fails_its_step)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = make_key;
	plan_b = file_b;
	s.fake.on_exec = fail_exec;
	CHECK_INT(apply(&s), FB_EXIT_OS);
	CHECK_STR(state_text(&s, "error"), "a: /bin/keygen: killed after 1 s");
	CHECK_STR(room_read("etc/b"), "b\n");
	room_end(s.room);
}

static bool is_unit_asked;

static void one_of_each(struct fb_plan *plan, const struct fb_conf *conf)
{
	static const char *const argv[] = { "/bin/tool", NULL };
	(void)conf;
	(void)fb_want_file(plan, "/etc/a", "a\n", 0644, "anytime");
	if (!fb_view_exists(plan->view, "/ran"))
		(void)fb_plan_exec(plan, FB_AT_BOOT, "tool", argv, 1000, "at boot");
	if (!is_unit_asked)
		fb_plan_unit(plan, "u.service", FB_START, "with bus");
	(void)fb_want_attr(plan, FB_LIVE, "/proc/x", "1", "live");
}

static int note_ran(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)fake;
	(void)argv;
	(void)ret_out;
	(void)err;
	room_write("ran", "");
	return 0;
}

TEST(early_does_all_but_the_bus)
{
	struct scene s;
	open_scene(&s, FB_STAGE_EARLY);
	plan_a = one_of_each;
	s.fake.on_exec = note_ran;
	is_unit_asked = false;
	room_write("proc/x", "0\n");
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK_INT(s.engine.changes, 3);
	CHECK_INT(s.engine.deferred, 1);
	CHECK_STR(fb_buf_text(&s.fake.calls), "exec /bin/tool\n");
	room_end(s.room);
}

static int ask_unit(struct fb_env *env, const char *unit, enum fb_verb verb, struct fb_error *err)
{
	is_unit_asked = true;
	return fake_unit(env, unit, verb, err);
}

TEST(by_hand_nothing_of_a_boot_is_done)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = one_of_each;
	s.fake.env.unit = ask_unit;
	is_unit_asked = false;
	room_write("proc/x", "0\n");
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);		/* something is left for the boot */
	CHECK_INT(s.engine.changes, 3);
	CHECK_INT(s.engine.deferred, 1);
	CHECK_STR(fb_buf_text(&s.fake.calls), "unit start u.service\n");
	room_end(s.room);
}

TEST(offline_only_files_and_no_history)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	fake_offline(&s.fake);
	plan_a = one_of_each;
	plan_b = file_and_restart;
	is_unit_asked = false;
	room_write("proc/x", "0\n");
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	CHECK_INT(s.engine.changes, 1);
	CHECK_INT(s.engine.deferred, 3);
	CHECK_STR(fb_buf_text(&s.fake.calls), "");
	CHECK_STR(room_read("proc/x"), "0\n");
	CHECK_STR(room_names("."), "etc proc usr");	/* neither /var/lib/r4s nor /run */
	room_end(s.room);
}

static void notes(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;
	fb_plan_note(plan, "no such shell");
}

TEST(notes_make_it_degraded_and_are_kept)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = notes;
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	CHECK_STR(state_text(&s, "result"), "degraded");
	CHECK(strstr(room_read("var/lib/r4s/state.json"), "no such shell"));
	plan_a = NULL;
	CHECK_INT(apply(&s), FB_EXIT_OK);
	CHECK(!strstr(room_read("var/lib/r4s/state.json"), "no such shell"));
	room_end(s.room);
}

TEST(notes_of_a_plan_that_changed_something_stand_once)
{
	struct scene s;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = notes;
	plan_b = file_b;
	CHECK_INT(apply(&s), FB_EXIT_DEGRADED);
	json_t *root = state(&s);
	CHECK_INT(json_array_size(json_object_get(root, "notes")), 1);
	json_decref(root);
	room_end(s.room);
}

TEST(state_that_is_damaged_or_gone_breaks_nothing)
{
	static const char *const texts[] = {
		"", "{", "null", "[1, 2]", "{\"follow-ups\": 7, \"notes\": {\"a\": 1}, \"result\": \"what\"}",
		"{\"follow-ups\": [1, {}, {\"unit\": 3}, {\"unit\": \"x\", \"verb\": \"fly\"}], \"provisioned\": 1}",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(texts); i++) {
		struct scene s;
		open_scene(&s, FB_STAGE_EARLY);
		room_write("var/lib/r4s/state.json", texts[i]);
		room_write("run/r4s/run.json", texts[i]);
		plan_a = file_a;
		CHECK_ROW(texts[i], apply(&s) == FB_EXIT_OK);
		CHECK_STR(room_read("etc/a"), "a\n");
		room_end(s.room);
	}
}

TEST(verify_lists_what_apply_would_change)
{
	struct scene s;
	struct fb_report report;
	open_scene(&s, FB_STAGE_ALL);
	plan_a = file_a;
	start(&s);
	CHECK_INT(fb_engine_verify(&s.engine, &report, &s.err), 0);
	CHECK_INT(report.n, 1);
	CHECK_STR(report.row[0].key, "a");
	CHECK_STR(report.row[0].wanted, "/etc/a");
	CHECK_STR(report.row[0].measured, "apply would change it (why a)");
	CHECK(!fb_report_holds(&report));
	CHECK(!room_read("etc/a"));
	room_end(s.room);
}

static unsigned n_cut_states;

static void both(struct fb_plan *plan, const struct fb_conf *conf)
{
	make_key(plan, conf);
	group_of_two(plan, conf);
	file_and_restart(plan, conf);
}

/* The process ends before every mutating call in turn; the next run brings the box to the same end. */
TEST(a_cut_before_any_mutation_heals)
{
	for (unsigned cut = 1;; cut++) {
		struct scene s;
		open_scene(&s, FB_STAGE_ALL);
		plan_a = both;
		plan_b = file_b;
		s.fake.on_exec = do_keygen;
		is_half = false;
		pid_t pid = fork();
		CHECK(pid >= 0);
		if (pid == 0) {
			room_cut_at(&s.engine.fs, cut);
			_exit(apply(&s) == FB_EXIT_OK ? 0 : 1);
		}
		int status;
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
		if (WEXITSTATUS(status) == 0) {		/* there was no such mutation any more */
			room_end(s.room);
			break;
		}
		CHECK_INT(WEXITSTATUS(status), ROOM_CUT);
		CHECK_INT(apply(&s), FB_EXIT_OK);
		CHECK_STR(room_read("etc/ssh/key"), "private\n");
		CHECK_STR(room_names("etc"), "a after b one ssh two");
		CHECK_STR(room_names("etc/ssh"), "key key.pub");
		CHECK_STR(room_names("var/lib/r4s"), "state.json");
		CHECK_INT(n_owed(&s), 0);
		n_cut_states++;
		room_end(s.room);
	}
	CHECK(n_cut_states > 50);
}

TEST_MAIN()
