/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The floor of the clock, what is kept of it, and the wait for a right one; with a clock and a chronyc that only pretend. */
#include "clock.h"

#include <sys/wait.h>

#include "fake.h"

enum { IN_2025 = 1735689600, IMAGE = 1780000000, KEPT = 1790000000 };

struct pretended {
	struct fb_clock clock;		/* first: the callbacks get a pointer to it */
	time_t now;
	bool is_synced;
	int rc;
	unsigned n_set;
};

static int read_it(struct fb_clock *clock, time_t *ret_now, bool *ret_is_synced, struct fb_error *err)
{
	const struct pretended *p = (const struct pretended *)clock;
	*ret_now = p->now;
	*ret_is_synced = p->is_synced;
	return p->rc < 0 ? fb_fail(err, -p->rc, "read: told to fail") : 0;
}

static int set_it(struct fb_clock *clock, time_t now, struct fb_error *err)
{
	struct pretended *p = (struct pretended *)clock;
	(void)err;
	p->now = now;
	p->n_set++;
	return 0;
}

static struct pretended pretend(time_t now, bool is_synced)
{
	return (struct pretended){ { read_it, set_it }, now, is_synced, 0, 0 };
}

static void put_number(const char *path, long long number)
{
	if (number)
		room_write(path, fb_format(room_now->arena, "%lld\n", number));
}

TEST(the_floor_is_the_later_of_image_and_kept_time)
{
	static const struct {
		const char *name;
		long long now, image, kept, want;
		const char *text;
	} rows[] = {
		{ "no battery", 0, IMAGE, KEPT, KEPT,
		  "the clock was at 1970-01-01 00:00:00 UTC; set to 2026-09-21 14:13:20 UTC, the last time that was kept" },
		{ "dead battery with a plausible date", IN_2025, IMAGE, KEPT, KEPT,
		  "the clock was at 2025-01-01 00:00:00 UTC; set to 2026-09-21 14:13:20 UTC, the last time that was kept" },
		{ "first boot", IN_2025, IMAGE, 0, IMAGE,
		  "the clock was at 2025-01-01 00:00:00 UTC; set to 2026-05-28 20:26:40 UTC, when the image was made" },
		{ "older card, newer image", IN_2025, KEPT, IMAGE, KEPT,
		  "the clock was at 2025-01-01 00:00:00 UTC; set to 2026-09-21 14:13:20 UTC, when the image was made" },
		{ "good battery", KEPT + 1, IMAGE, KEPT, KEPT + 1, NULL },
		{ "to the second", KEPT, IMAGE, KEPT, KEPT, NULL },
		{ "ahead of all", KEPT * 1LL + 1000000, IMAGE, 0, KEPT * 1LL + 1000000, NULL },
		{ "nothing known", IN_2025, 0, 0, IN_2025, NULL },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct room *room = room_make();
		struct pretended p = pretend((time_t)rows[i].now, false);
		struct fb_error err;
		const char *text = "";
		put_number("usr/lib/clock-epoch", rows[i].image);
		put_number("var/lib/r4s/clock", rows[i].kept);
		CHECK_INT(fb_clock_floor(&room->fs, room->arena, &p.clock, &text, &err), 0);
		CHECK_ROW(rows[i].name, p.now == rows[i].want);
		CHECK_STR(text, rows[i].text);
		CHECK_INT(p.n_set, text != NULL);
		CHECK_INT(room->fs.mutations, 0);
		room_end(room);
	}
}

TEST(what_is_no_time_is_no_floor)
{
	static const char *const texts[] = { "", "\n", "junk", "12x", "-5\n", "99999999999\n", "4102444800\n",
					     "1790000000 1\n", "9999999999999999999999999999999999999999999999999999999999999999999999\n" };
	for (size_t i = 0; i < FB_ARRAY_LEN(texts); i++) {
		struct room *room = room_make();
		struct pretended p = pretend(IN_2025, false);
		struct fb_error err;
		const char *text;
		room_write("var/lib/r4s/clock", texts[i]);
		CHECK_INT(fb_clock_floor(&room->fs, room->arena, &p.clock, &text, &err), 0);
		CHECK_ROW(texts[i], p.now == IN_2025 && !text);
		CHECK_INT(fb_clock_save(&room->fs, room->arena, &p.clock, &err), 0);
		CHECK_STR(room_read("var/lib/r4s/clock"), "1735689600\n");
		room_end(room);
	}
}

TEST(what_is_kept)
{
	static const struct {
		const char *name;
		long long kept, now;
		bool is_synced;
		long long want;
	} rows[] = {
		{ "first", 0, IN_2025, false, IN_2025 },
		{ "time goes on without a server", KEPT, KEPT + 600, false, KEPT + 600 },
		{ "behind and not right", KEPT, IN_2025, false, KEPT },
		{ "right", KEPT, KEPT + 600, true, KEPT + 600 },
		{ "right, after a clock that was ahead", KEPT * 2LL, KEPT, true, KEPT },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct room *room = room_make();
		struct pretended p = pretend((time_t)rows[i].now, rows[i].is_synced);
		struct fb_error err;
		put_number("var/lib/r4s/clock", rows[i].kept);
		CHECK_INT(fb_clock_save(&room->fs, room->arena, &p.clock, &err), 0);
		CHECK_STR(room_read("var/lib/r4s/clock"), fb_format(room->arena, "%lld\n", rows[i].want));
		CHECK_INT(p.n_set, 0);
		unsigned before = room->fs.mutations;
		CHECK_INT(fb_clock_save(&room->fs, room->arena, &p.clock, &err), 0);
		CHECK_ROW(rows[i].name, room->fs.mutations == before);	/* the card is not written for nothing */
		room_end(room);
	}
}

TEST(a_cut_leaves_the_old_or_the_new_time)
{
	for (unsigned cut = 1;; cut++) {
		struct room *room = room_make();
		struct pretended p = pretend(KEPT, true);
		struct fb_error err;
		put_number("var/lib/r4s/clock", IMAGE);
		pid_t child = fork();
		if (child == 0) {
			room_cut_at(&room->fs, cut);
			_exit(fb_clock_save(&room->fs, room->arena, &p.clock, &err) < 0);
		}
		int status;
		CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
		const char *kept = room_read("var/lib/r4s/clock");
		bool is_done = WEXITSTATUS(status) == 0;
		CHECK(!strcmp(kept, "1790000000\n") || (!is_done && !strcmp(kept, "1780000000\n")));
		room_end(room);
		if (is_done) {
			CHECK(cut > 4);
			return;
		}
		CHECK_INT(WEXITSTATUS(status), ROOM_CUT);
	}
}

TEST(a_clock_that_cannot_be_asked)
{
	struct room *room = room_make();
	struct pretended p = pretend(IN_2025, true);
	struct fb_error err;
	const char *text;
	p.rc = -EPERM;
	put_number("usr/lib/clock-epoch", IMAGE);
	CHECK_INT(fb_clock_floor(&room->fs, room->arena, &p.clock, &text, &err), -EPERM);
	CHECK_INT(fb_clock_save(&room->fs, room->arena, &p.clock, &err), -EPERM);
	CHECK_STR(err.text, "read: told to fail");
	CHECK_INT(p.n_set, 0);
	CHECK_STR(room_read("var/lib/r4s/clock"), NULL);
	room_end(room);
}

/* A wait that plays a story: what the box looks like at each look. */
static struct fb_link link_now[2];
static const struct scene {
	bool has_cable;
	const char *address;
	bool is_good;
} *story;

static void next_scene(struct fb_env *env, unsigned timeout_ms)
{
	static const char *items[1];
	struct fake *fake = (struct fake *)env;
	fake->us += timeout_ms * 1000ull;
	fb_buf_add(&fake->calls, "--\n");
	items[0] = story->address;
	fake->facts.is_clock_good = story->is_good;
	link_now[1].has_carrier = story->has_cable;
	link_now[1].address = (struct fb_strs){ items, story->address != NULL };
	story++;
}

static int chronyd_is_deaf(struct fake *fake, const char *const *argv, char **ret_out, struct fb_error *err)
{
	(void)fake;
	(void)argv;
	(void)ret_out;
	return fb_fail(err, EIO, "506 Cannot talk to daemon");
}

static const char *told_from(bool has_cable, const struct scene *scenes, bool is_deaf)
{
	static const char *wan[] = { "192.0.2.5/24" };
	static const char *loopback[] = { "127.0.0.1/8" };
	static struct fake fake;
	struct room *room = room_make();
	struct fb_error err;
	fake_start(&fake, room->arena);
	fake.env.wait = next_scene;
	fake.on_exec = is_deaf ? chronyd_is_deaf : NULL;
	memset(link_now, 0, sizeof(link_now));
	link_now[0] = (struct fb_link){ .name = "lo", .has_carrier = true, .address = { loopback, 1 } };
	link_now[1] = (struct fb_link){ .name = "wan0", .has_carrier = has_cable, .address = { wan, has_cable } };
	fake.facts.link = link_now;
	fake.facts.n_links = 2;
	story = scenes;
	CHECK_INT(fb_clock_sync(&fake.env, &room->fs, &err), 0);
	const char *text = fb_buf_text(&fake.calls);
	static char kept[4096];
	(void)snprintf(kept, sizeof(kept), "%s", text);
	room_end(room);
	return kept;
}

static const char *told(const struct scene *scenes, bool is_deaf)
{
	return told_from(false, scenes, is_deaf);
}

#define OFF "exec /usr/bin/chronyc offline\n"
#define ON "exec /usr/bin/chronyc online\n"

TEST(a_late_cable_makes_chrony_ask_at_once)
{
	static const struct scene scenes[] = {
		{ false, NULL, false }, { true, NULL, false }, { true, "192.0.2.5/24", false }, { true, "192.0.2.5/24", true },
	};
	CHECK_STR(told(scenes, false), "--\n--\n--\n" OFF ON "--\n");
}

TEST(a_late_name_server_is_asked_again_and_again_but_no_time_server)
{
	static const struct scene scenes[] = {
		{ true, "192.0.2.5/24", false }, { true, "192.0.2.5/24", false }, { true, "192.0.2.5/24", false },
		{ true, "192.0.2.5/24", true },
	};
	CHECK_STR(told(scenes, false), "--\n" OFF ON "--\n" ON "--\n" ON "--\n");
}

TEST(a_loose_cable_does_not_make_many_queries)
{
	static const struct scene scenes[] = {
		{ true, "192.0.2.5/24", false }, { false, "192.0.2.5/24", false }, { true, "192.0.2.5/24", false },
		{ true, "192.0.2.6/24", false }, { true, "192.0.2.6/24", true },
	};
	CHECK_STR(told(scenes, false), "--\n" OFF ON "--\n--\n" ON "--\n" ON "--\n");
}

TEST(a_chronyd_that_does_not_answer_yet_is_no_end)
{
	static const struct scene scenes[] = { { true, "192.0.2.5/24", false }, { true, "192.0.2.5/24", true } };
	CHECK_STR(told(scenes, true), "--\n" OFF ON "--\n");
}

TEST(a_network_that_was_there_before_gets_no_second_burst)
{
	static const struct scene scenes[] = { { true, "192.0.2.5/24", false }, { true, "192.0.2.5/24", true } };
	CHECK_STR(told_from(true, scenes, false), ON "--\n" ON "--\n");
}

TEST_MAIN()
