/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each want: nothing to do where it holds, one change where it does not, and nothing to do after that change. */
#include "act.h"
#include "fake.h"
#include "plan.h"
#include "room.h"
#include "test.h"

/* The engine wants a table of steps; these tests make their plans by hand. */
const struct fb_step *const fb_steps[] = { NULL };
const size_t fb_n_steps = 0;

struct scene {
	struct room *room;
	struct fake fake;
	struct fb_view view;
	struct fb_engine engine;
};

static void open_scene(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->room = room_make();
	fake_start(&scene->fake, scene->room->arena);
	scene->engine = (struct fb_engine){
		.fs = scene->room->fs, .env = &scene->fake.env, .arena = scene->room->arena, .stage = FB_STAGE_ALL,
	};
	scene->view = (struct fb_view){
		.fs = &scene->engine.fs, .arena = scene->room->arena, .facts = &scene->fake.facts, .env = &scene->fake.env,
	};
}

static struct fb_plan new_plan(struct scene *scene)
{
	scene->view.rc = 0;
	return (struct fb_plan){ .view = &scene->view };
}

static void carry_out(struct scene *scene, const struct fb_plan *plan)
{
	static const struct fb_step step = { .name = "test" };
	struct fb_error err;
	unsigned changes = 0;
	if (fb_act(&scene->engine, &step, plan, &scene->fake.facts, &changes, &err) < 0)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	CHECK_INT(changes, plan->n);
}

typedef bool want_fn(struct fb_plan *plan);

static void twice(struct scene *scene, enum fb_kind kind, want_fn *want)
{
	struct fb_plan first = new_plan(scene);
	CHECK(want(&first));
	CHECK_INT(first.n, 1);
	CHECK_STR(fb_kind_name(first.change[0].kind), fb_kind_name(kind));
	CHECK_STR(first.change[0].why, "why");
	CHECK_INT(scene->view.rc, 0);
	carry_out(scene, &first);
	struct fb_plan second = new_plan(scene);
	CHECK(!want(&second));
	CHECK_INT(second.n, 0);
	CHECK_INT(scene->view.rc, 0);
}

static bool want_file(struct fb_plan *plan)
{
	return fb_want_file(plan, "/etc/new", "text\n", 0644, "why");
}

TEST(file_that_is_absent)
{
	struct scene s;
	open_scene(&s);
	twice(&s, FB_FILE, want_file);
	CHECK_STR(room_read("etc/new"), "text\n");
	room_end(s.room);
}

TEST(file_with_other_text_keeps_the_old_for_the_diff)
{
	struct scene s;
	open_scene(&s);
	room_write("etc/new", "tExt\n");
	struct fb_plan plan = new_plan(&s);
	CHECK(want_file(&plan));
	CHECK_STR(plan.change[0].old, "tExt\n");
	twice(&s, FB_FILE, want_file);
	room_end(s.room);
}

TEST(file_with_only_another_mode_is_not_written)
{
	struct scene s;
	struct stat before, after;
	open_scene(&s);
	room_write("etc/new", "text\n");
	CHECK(chmod(room_path("etc/new"), 0600) == 0 && stat(room_path("etc/new"), &before) == 0);
	twice(&s, FB_MODE, want_file);
	CHECK(stat(room_path("etc/new"), &after) == 0 && after.st_ino == before.st_ino && (after.st_mode & 07777) == 0644);
	room_end(s.room);
}

TEST(file_with_a_prefix_of_the_text_differs)
{
	struct scene s;
	open_scene(&s);
	room_write("etc/new", "text\nmore\n");
	twice(&s, FB_FILE, want_file);
	CHECK_STR(room_read("etc/new"), "text\n");
	room_end(s.room);
}

TEST(file_in_place_of_a_link_or_a_zeroed_file)
{
	struct scene s;
	open_scene(&s);
	room_write("etc/real", "text\n");
	CHECK(symlink("real", room_path("etc/new")) == 0);
	twice(&s, FB_FILE, want_file);		/* a link to the right text is not the file */
	CHECK_STR(room_read("etc/real"), "text\n");
	FILE *f = fopen(room_path("etc/new"), "w");
	CHECK(f && fwrite("text\n\0\0", 1, 7, f) == 7 && fclose(f) == 0);	/* as a power cut may leave it */
	twice(&s, FB_FILE, want_file);
	room_end(s.room);
}

TEST(file_where_a_directory_stands_is_a_change_that_fails)
{
	struct scene s;
	struct fb_error err;
	unsigned changes = 0;
	static const struct fb_step step = { .name = "test" };
	open_scene(&s);
	room_write("etc/new/inner", "");
	struct fb_plan plan = new_plan(&s);
	CHECK(want_file(&plan));
	CHECK(fb_act(&s.engine, &step, &plan, &s.fake.facts, &changes, &err) < 0);
	CHECK_STR(err.text, fb_format(s.room->arena, "replace %s/etc/new: Is a directory", s.room->dir));
	CHECK_INT(changes, 0);
	room_end(s.room);
}

static bool want_secret(struct fb_plan *plan)
{
	return fb_want_secret(plan, "/etc/secret", "s3cret\n", 0600, 0, 0, "why");
}

TEST(secret)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	CHECK(want_secret(&plan) && plan.change[0].is_secret);
	twice(&s, FB_FILE, want_secret);
	room_end(s.room);
}

static bool want_dir(struct fb_plan *plan)
{
	return fb_want_dir(plan, "/home/taro/.ssh", 0700, 0, 0, "why");
}

TEST(directory_absent_or_with_another_mode)
{
	struct scene s;
	open_scene(&s);
	twice(&s, FB_DIR, want_dir);
	CHECK(chmod(room_path("home/taro/.ssh"), 0755) == 0);
	twice(&s, FB_DIR, want_dir);
	room_end(s.room);
}

static bool want_link(struct fb_plan *plan)
{
	return fb_want_link(plan, "/etc/localtime", "../usr/share/zoneinfo/Asia/Tokyo", "why");
}

TEST(link_absent_elsewhere_or_in_place_of_a_file)
{
	struct scene s;
	open_scene(&s);
	twice(&s, FB_LINK, want_link);
	CHECK(unlink(room_path("etc/localtime")) == 0 && symlink("/elsewhere", room_path("etc/localtime")) == 0);
	twice(&s, FB_LINK, want_link);
	CHECK(unlink(room_path("etc/localtime")) == 0);
	room_write("etc/localtime", "TZif");
	twice(&s, FB_LINK, want_link);
	CHECK_STR(room_names("etc"), "localtime");
	room_end(s.room);
}

static bool want_absent(struct fb_plan *plan)
{
	return fb_want_absent(plan, "/root/marker", "why");
}

TEST(absent_for_file_and_dangling_link)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	CHECK(!want_absent(&plan));
	room_write("root/marker", "");
	twice(&s, FB_REMOVE, want_absent);
	CHECK(symlink("/nowhere", room_path("root/marker")) == 0);
	twice(&s, FB_REMOVE, want_absent);
	room_end(s.room);
}

static bool want_mode(struct fb_plan *plan)
{
	return fb_want_mode(plan, "/etc/key", 0600, "why");
}

TEST(mode_of_what_is_there)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	CHECK(!want_mode(&plan));
	CHECK(mkdir(room_path("etc"), 0755) == 0 && symlink("none", room_path("etc/key")) == 0);
	CHECK(!want_mode(&plan));		/* a link has no mode of its own */
	CHECK(unlink(room_path("etc/key")) == 0);
	room_write("etc/key", "k");
	twice(&s, FB_MODE, want_mode);
	room_end(s.room);
}

static bool want_attr(struct fb_plan *plan)
{
	return fb_want_attr(plan, FB_LIVE, "/proc/sys/kernel/hostname", "box", "why");
}

TEST(attribute_is_compared_without_its_newline)
{
	struct scene s;
	open_scene(&s);
	room_write("proc/sys/kernel/hostname", "old\n");
	struct fb_plan plan = new_plan(&s);
	CHECK(want_attr(&plan));
	CHECK_STR(plan.change[0].old, "old\n");
	room_write("proc/sys/kernel/hostname", "box\n");
	plan = new_plan(&s);
	CHECK(!want_attr(&plan));
	room_write("proc/sys/kernel/hostname", "boxer\n");
	CHECK(want_attr(&plan));
	room_end(s.room);
}

TEST(attribute_is_written_in_place)
{
	struct scene s;
	struct stat before, after;
	open_scene(&s);
	room_write("proc/sys/kernel/hostname", "old");
	CHECK(stat(room_path("proc/sys/kernel/hostname"), &before) == 0);
	twice(&s, FB_ATTR, want_attr);
	CHECK(stat(room_path("proc/sys/kernel/hostname"), &after) == 0 && before.st_ino == after.st_ino);
	room_end(s.room);
}

TEST(attribute_is_not_looked_at_offline)
{
	struct scene s;
	open_scene(&s);
	fake_offline(&s.fake);
	room_write("proc/sys/kernel/hostname", "box\n");	/* of the machine that makes the image */
	struct fb_plan plan = new_plan(&s);
	CHECK(want_attr(&plan));
	CHECK(!fb_change_is_possible(&plan.change[0], &s.fake.facts));
	room_end(s.room);
}

TEST(group_numbers)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	fb_want_file(&plan, "/a", "x", 0644, "why");
	fb_group_begin(&plan);
	fb_want_file(&plan, "/b", "x", 0644, "why");
	fb_want_file(&plan, "/c", "x", 0644, "why");
	fb_group_end(&plan);
	fb_want_file(&plan, "/d", "x", 0644, "why");
	fb_group_begin(&plan);
	fb_want_file(&plan, "/e", "x", 0644, "why");
	fb_group_end(&plan);
	CHECK_INT(plan.change[0].group, 0);
	CHECK(plan.change[1].group && plan.change[1].group == plan.change[2].group);
	CHECK_INT(plan.change[3].group, 0);
	CHECK(plan.change[4].group && plan.change[4].group != plan.change[1].group);
	carry_out(&s, &plan);
	CHECK_STR(room_names("."), "a b c d e");
	room_end(s.room);
}

TEST(many_changes_keep_their_order)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	for (int i = 0; i < 100; i++)
		fb_want_file(&plan, fb_format(s.room->arena, "/%02d", i), "x", 0644, "why");
	CHECK_INT(plan.n, 100);
	CHECK_STR(plan.change[0].path, "/00");
	CHECK_STR(plan.change[99].path, "/99");
	room_end(s.room);
}

TEST(follow_ups_and_notes_stand_once)
{
	struct scene s;
	open_scene(&s);
	struct fb_plan plan = new_plan(&s);
	for (int i = 0; i < 2; i++) {
		fb_follow_up(&plan, "ssh.service", FB_RELOAD, FB_QUIET, "one");
		fb_follow_up(&plan, "ssh.service", FB_RESTART, FB_QUIET, "other verb");
		fb_follow_up(&plan, NULL, FB_START, FB_REBOOT, "reboot");
		fb_plan_note(&plan, "note %d", 1);
	}
	CHECK_INT(plan.n_follow, 3);
	CHECK_STR(plan.follow[1].why, "other verb");
	CHECK(!plan.follow[2].unit);
	CHECK_INT(plan.notes.n, 1);
	CHECK_STR(plan.notes.item[0], "note 1");
	room_end(s.room);
}

TEST(a_failed_read_is_kept_and_the_first_one_counts)
{
	struct scene s;
	open_scene(&s);
	room_write("dir/x", "");
	struct fb_plan plan = new_plan(&s);
	CHECK(!fb_view_text(&s.view, "/absent"));
	CHECK_INT(s.view.rc, 0);
	CHECK(!fb_view_text(&s.view, "/dir"));
	CHECK_INT(s.view.rc, -EISDIR);
	CHECK(mkfifo(room_path("fifo"), 0600) == 0);
	CHECK(!fb_view_text(&s.view, "/fifo"));
	CHECK_INT(s.view.rc, -EISDIR);
	CHECK_STR(s.view.err.text, fb_format(s.room->arena, "read %s/dir: Is a directory", s.room->dir));
	CHECK_INT(plan.n, 0);
	room_end(s.room);
}

TEST(view_readers)
{
	struct scene s;
	struct fb_stat st;
	struct fb_strs names;
	open_scene(&s);
	room_write("d/b", "text");
	CHECK(symlink("b", room_path("d/a")) == 0);
	CHECK_STR(fb_view_text(&s.view, "/d/a"), "text");
	CHECK_STR(fb_view_link(&s.view, "/d/a"), "b");
	CHECK(!fb_view_link(&s.view, "/d/b"));
	CHECK(!fb_view_link(&s.view, "/none"));
	CHECK(fb_view_exists(&s.view, "/d/a") && !fb_view_exists(&s.view, "/d/c"));
	CHECK(fb_view_stat(&s.view, "/d/a", &st) && st.type == FB_IS_LINK);
	CHECK(fb_view_list(&s.view, "/d", &names) && names.n == 2);
	CHECK(!fb_view_list(&s.view, "/none", &names) && names.n == 0);
	CHECK_INT(s.view.rc, 0);
	room_end(s.room);
}

static int answer(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	if (!strcmp(argv[0], "/bin/good")) {
		*ret_out = fb_strdup(fake->arena, "said\n");
		return 0;
	}
	return fb_fail(err, ENOENT, "run %s: No such file or directory", argv[0]);
}

TEST(ask_gives_the_answer_or_why_not)
{
	static const char *const good[] = { "/bin/good", "x", NULL }, *const bad[] = { "/bin/bad", NULL };
	struct scene s;
	const char *why = NULL;
	open_scene(&s);
	s.fake.on_exec = answer;
	CHECK_STR(fb_view_ask(&s.view, good, &why), "said\n");
	CHECK(!fb_view_ask(&s.view, bad, &why));
	CHECK_STR(why, "run /bin/bad: No such file or directory");
	CHECK_INT(s.view.rc, 0);
	CHECK_STR(fb_buf_text(&s.fake.calls), "exec /bin/good x\nexec /bin/bad\n");
	room_end(s.room);
}

TEST(what_is_possible_when)
{
	static const struct {
		enum fb_when when;
		bool offline, early, online, handoff, by_hand;
	} rows[] = {
		{ FB_ANYTIME, true, true, true, true, true },
		{ FB_LIVE, false, true, true, true, true },
		{ FB_AT_BOOT, false, true, false, false, false },
		{ FB_WITH_BUS, false, false, true, true, true },
		{ FB_ONLINE, false, false, true, false, true },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const struct fb_change change = { .when = rows[i].when };
		struct fb_facts facts = { .is_live = false, .stage = FB_STAGE_ALL };
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].offline);
		facts = (struct fb_facts){ .is_live = true, .is_clock_good = true, .stage = FB_STAGE_EARLY };
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].early);
		facts.stage = FB_STAGE_ONLINE;
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].online);
		facts.stage = FB_STAGE_HANDOFF;
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].handoff);
		facts.stage = FB_STAGE_ALL;
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].by_hand);
		facts.is_clock_good = false;
		CHECK_INT(fb_change_is_possible(&change, &facts), rows[i].by_hand && rows[i].when != FB_ONLINE);
	}
}

TEST_MAIN()
