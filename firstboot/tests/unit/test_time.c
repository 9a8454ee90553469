/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time step and chrony's files: what is refused, what is commented out, what the probe makes of chronyc's words. */
#include "chrony.h"

#include "box.h"

extern const struct fb_step fb_step_time;

static const char *judged(struct fb_arena *arena, const char *text)
{
	const struct fb_keys table = { fb_step_time.keys, fb_step_time.n_keys };
	struct fb_buf buf = { .arena = arena };
	struct fb_conf conf;
	fb_conf_parse(&conf, arena, "p", text, strlen(text), &table, 1, &conf.value);
	fb_step_time.check(&conf);
	for (size_t i = 0; i < conf.n_complaints; i++)
		fb_buf_add(&buf, "%s\n", fb_conf_message(&conf, &conf.complaint[i]));
	return fb_buf_text(&buf);
}

TEST(timezone)
{
	static const char *const good[] = {
		"UTC", "Asia/Tokyo", "Etc/UTC", "Etc/GMT+9", "America/Argentina/Buenos_Aires", "America/Port-au-Prince",
	};
	static const char *const bad[] = {
		"Tokyo", "asia/tokyo", "Asia/", "/Asia/Tokyo", "Asia//Tokyo", "../../etc/passwd", "Asia/../Tokyo", "Asia/.Tokyo",
		"posix/Asia/Tokyo", "Asia/Tokyo;reboot", "Asia/To kyo", "Asia/Tokyo%n", "JST-9", "UTC/",
	};
	const struct fb_key *key = &fb_step_time.keys[0];
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(good); i++)
		CHECK_ROW(good[i], !key->valid(arena, good[i]));
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++)
		CHECK_STR(judged(arena, fb_format(arena, "time { timezone = \"%s\" }\n", bad[i])),
			  fb_format(arena, "p:1: time.timezone: \"%s\" is not a time zone; write Area/City as in /usr/share/zoneinfo/, "
					   "such as Asia/Tokyo, or UTC\n", bad[i]));
	fb_arena_free(arena);
}

TEST(time_servers_are_checked_together)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "time { }\n", "" },
		{ "time { ntp-pools = { } ntp-servers = { \"192.168.1.1\", \"2001:db8::123\" } }\n", "" },
		{ "time {\nntp-pools = { }\n}\n",
		  "p:2: time.ntp-pools: is empty, and so is time.ntp-servers; the box has no clock of its own that runs without power, so name one time server at least\n" },
		{ "time {\nntp-servers = { \"a.example\",\n\"ntp.jst.mfeed.ad.jp\" }\n}\n", "p:3: time.ntp-servers: \"ntp.jst.mfeed.ad.jp\" is there twice\n" },
		{ "time {\nntp-servers = { \"ntp-b2.nict.go.jp\" }\n}\n",
		  "p:2: time.ntp-servers: \"ntp-b2.nict.go.jp\" is NICT once more, beside \"ntp.nict.jp\"; NICT wants at most 20 queries an hour, so name it once\n" },
		{ "time {\nntp-pools = { \"192.168.1.1\" }\n}\n",
		  "p:2: time.ntp-pools: \"192.168.1.1\" ends in a part of digits only, which reads as an address; put a letter into it\n" },
		{ "time {\nntp-servers = { \"a.example iburst\" }\n}\n",
		  "p:2: time.ntp-servers: \"a.example iburst\" is not a host; write a name such as time.example.net, or an IPv4 or IPv6 address\n" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(judged(arena, rows[i].text), rows[i].want);
	fb_arena_free(arena);
}

TEST(nict_is_known_by_its_domains)
{
	static const struct {
		const char *host;
		bool want;
	} rows[] = {
		{ "ntp.nict.jp", true },      { "NTP.NICT.JP", true },	    { "nict.jp", true },   { "ntp-a2.nict.go.jp", true },
		{ "ntp.xnict.jp", false },    { "ntp.nict.jp.example", false }, { "jp", false },   { "192.168.1.1", false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_ROW(rows[i].host, fb_chrony_is_nict(rows[i].host) == rows[i].want);
}

/* Without the comment lines. */
static const char *directives(struct fb_arena *arena, const char *text)
{
	struct fb_buf buf = { .arena = arena };
	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		if (*at != '#')
			fb_buf_mem(&buf, at, strcspn(at, "\n") + 1);
	return fb_buf_text(&buf);
}

TEST(sources)
{
	static const char *pools[] = { "ntp.nict.jp", "ntp.jst.mfeed.ad.jp" }, *servers[] = { "192.168.1.1", "ntp-a2.nict.go.jp" };
	const struct fb_time time = { .ntp_pools = { pools, 2 }, .ntp_servers = { servers, 2 } };
	struct fb_arena *arena = fb_arena_new();
	CHECK_STR(directives(arena, fb_chrony_sources(arena, &time)),
		  "server ntp.nict.jp iburst minpoll 9 maxpoll 10\n"
		  "pool ntp.jst.mfeed.ad.jp iburst maxsources 2\n"
		  "server 192.168.1.1 iburst\n"
		  "server ntp-a2.nict.go.jp iburst minpoll 9 maxpoll 10\n");
	fb_arena_free(arena);
}

#define SOURCES "# r4s-firstboot: the time servers that provision.conf names.\nsourcedir /etc/chrony/sources.d\n"
#define STEP "# r4s-firstboot: the box starts in the past; step the clock at its first three updates.\nmakestep 1 3\n"
#define RTC "# r4s-firstboot: without this chrony does not tell the kernel that the clock is right.\nrtcsync\n"

TEST(chrony_conf)
{
	static const struct {
		const char *old, *want;
	} rows[] = {
		/* Debian 12 */
		{ "confdir /etc/chrony/conf.d\n\n# Use Debian vendor zone.\npool 2.debian.pool.ntp.org iburst\n\nsourcedir /run/chrony-dhcp\n"
		  "sourcedir /etc/chrony/sources.d\nkeyfile /etc/chrony/chrony.keys\nrtcsync\nmakestep 1 3\n",
		  "confdir /etc/chrony/conf.d\n\n# Use Debian vendor zone.\n#r4s# pool 2.debian.pool.ntp.org iburst\n\n#r4s# sourcedir /run/chrony-dhcp\n"
		  "sourcedir /etc/chrony/sources.d\nkeyfile /etc/chrony/chrony.keys\nrtcsync\nmakestep 1 3\n" },
		/* Ubuntu 22.04 */
		{ "pool ntp.ubuntu.com        iburst maxsources 4\npool 0.ubuntu.pool.ntp.org iburst maxsources 1\n"
		  "sourcedir /run/chrony-dhcp\nsourcedir /etc/chrony/sources.d\nmakestep 1 3\n",
		  "#r4s# pool ntp.ubuntu.com        iburst maxsources 4\n#r4s# pool 0.ubuntu.pool.ntp.org iburst maxsources 1\n"
		  "#r4s# sourcedir /run/chrony-dhcp\nsourcedir /etc/chrony/sources.d\nmakestep 1 3\n" RTC },
		{ "\tServer a.example\npeer b.example\npoolx\n# server c\n!server d\nlocal stratum 10\nMakeStep 1 -1\nsourcedir /etc/chrony/sources.d",
		  "#r4s# \tServer a.example\n#r4s# peer b.example\npoolx\n# server c\n!server d\nlocal stratum 10\nMakeStep 1 -1\nsourcedir /etc/chrony/sources.d\n" RTC },
		{ "RtcSync", "RtcSync\n" SOURCES STEP },
		{ "sourcedir /etc/chrony/sources.d\r\nmakestep 1 3\n", "sourcedir /etc/chrony/sources.d\r\nmakestep 1 3\n" SOURCES RTC },
		{ "", SOURCES STEP RTC },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *once = fb_chrony_conf(arena, rows[i].old);
		CHECK_STR(once, rows[i].want);
		CHECK_STR(fb_chrony_conf(arena, once), once);
	}
	fb_arena_free(arena);
}

TEST(words_of_chronyc)
{
	static const char *both[] = { "ntp.nict.jp", "ntp.jst.mfeed.ad.jp" };
	static const struct {
		const char *sources, *want;
		bool is_held;
	} rows[] = {
		{ "^,*,ntp.nict.jp,1,9,377,12,0.1,0.1,0.1\n^,+,ntp.jst.mfeed.ad.jp,2,6,17,3,0.1,0.1,0.1\n", "ntp.nict.jp, ntp.jst.mfeed.ad.jp", true },
		{ "^,?,ntp.jst.mfeed.ad.jp,0,6,0,4294967295,0,0,0\n^,*,NTP.nict.jp,1,9,1,12,0.1,0.1,0.1\n"
		  "^,-,ntp.jst.mfeed.ad.jp,2,6,3,1,0,0,0\n", "ntp.nict.jp, ntp.jst.mfeed.ad.jp", true },
		{ "^,*,ntp.nict.jp,1,9,377,12,0.1,0.1,0.1\n", "ntp.nict.jp, ntp.jst.mfeed.ad.jp (no address yet)", false },
		{ "^,?,ntp.nict.jp,0,9,0,4294967295,0,0,0\n^,*,ntp.jst.mfeed.ad.jp,2,6,17,3,0,0,0\n", "ntp.nict.jp (no answer yet), ntp.jst.mfeed.ad.jp", false },
		{ "^,?,ntp.nict.jp,1,9,1,2,0,0,0\n^,?,ntp.jst.mfeed.ad.jp,2,6,1,3,0,0,0\n",
		  "ntp.nict.jp, ntp.jst.mfeed.ad.jp; the clock follows no source yet", false },
		{ "", "ntp.nict.jp (no address yet), ntp.jst.mfeed.ad.jp (no address yet); the clock follows no source yet", false },
		{ "junk\n,\n\n", "ntp.nict.jp (no address yet), ntp.jst.mfeed.ad.jp (no address yet); the clock follows no source yet", false },
	};
	const struct fb_strs names = { both, 2 }, none = { NULL, 0 };
	struct fb_arena *arena = fb_arena_new();
	bool is_held;
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		CHECK_STR(fb_chrony_judge(arena, &names, rows[i].sources, &is_held), rows[i].want);
		CHECK_ROW(rows[i].want, is_held == rows[i].is_held);
	}
	CHECK_STR(fb_chrony_judge(arena, &none, "", &is_held), "none");
	CHECK(is_held);
	fb_arena_free(arena);
}

static const char *pools[] = { "ntp.nict.jp" };

static void box_clock(struct box *box)
{
	box_open(box);
	box->conf.value.time = (struct fb_time){ .timezone = "Asia/Tokyo", .ntp_pools = { pools, 1 } };
	box_put(box, "/usr/share/zoneinfo/Asia/Tokyo", "TZif");
	box_put(box, "/usr/sbin/chronyd", "x");
	box_put_bytes(box, "/etc/chrony/chrony.conf", "pool 2.debian.pool.ntp.org iburst\n", 34, 0640);
}

TEST(the_plan_is_empty_after_itself)
{
	struct box box;
	struct fb_error err;
	box_clock(&box);
	CHECK_STR(box_plan(&box, &fb_step_time),
		  "link /etc/localtime\nfile /etc/timezone\nfile /etc/chrony/sources.d/r4s.sources\nfile /etc/chrony/chrony.conf\nthen chrony.service\n");
	CHECK_STR(box.plan.change[0].target, "../usr/share/zoneinfo/Asia/Tokyo");
	CHECK_INT(box.plan.change[3].mode, 0640);
	CHECK_INT(box.plan.follow[0].verb, FB_RESTART);
	CHECK_INT(box.plan.follow[0].impact, FB_QUIET);
	box_act(&box);
	CHECK_INT(fb_fs_symlink(&box.room->fs, "/etc/localtime", "../usr/share/zoneinfo/Asia/Tokyo", &err), 0);
	CHECK_STR(box_get(&box, "/etc/timezone"), "Asia/Tokyo\n");
	CHECK_STR(box_plan(&box, &fb_step_time), "");
	CHECK_STR(box_plan_as(&box, &fb_step_time, NULL), "");
	box_close(&box);
}

TEST(what_the_image_lacks_is_noted)
{
	struct box box;
	box_clock(&box);
	box.conf.value.time.timezone = "Asia/Edo";
	CHECK(!unlink(room_path("usr/sbin/chronyd")));
	CHECK_STR(box_plan(&box, &fb_step_time),
		  "note time.timezone: /usr/share/zoneinfo/Asia/Edo is not there; the zone stays as it was\n"
		  "note chrony is not installed: time.ntp-pools and time.ntp-servers have no effect\n");
	box.conf.value.time.timezone = "Asia";
	CHECK(strstr(box_plan(&box, &fb_step_time), "note time.timezone: /usr/share/zoneinfo/Asia is not there"));
	box_put(&box, "/usr/sbin/chronyd", "x");
	CHECK(!unlink(room_path("etc/chrony/chrony.conf")));
	CHECK(strstr(box_plan(&box, &fb_step_time),
		     "note /etc/chrony/chrony.conf is missing, so chrony does not start; reinstall the package chrony with --force-confmiss\n"));
	box_close(&box);
}

TEST(probe)
{
	struct box box;
	struct fb_error err;
	box_clock(&box);
	CHECK_INT(fb_fs_symlink(&box.room->fs, "/etc/localtime", "/usr/share/zoneinfo/Etc/UTC", &err), 0);
	CHECK_STR(box_probe(&box, &fb_step_time),
		  "differs time.timezone: Asia/Tokyo | Etc/UTC\n"
		  "differs time.ntp-pools: ntp.nict.jp | run /usr/bin/chronyc: not a running system\n"
		  "held time.ntp-servers: none | none\n");
	box_put(&box, "/run/systemd/container", "systemd-nspawn\n");
	CHECK(strstr(box_probe(&box, &fb_step_time),
		     "unmeasured time.ntp-pools: ntp.nict.jp | a container may not set the clock, so chrony does not run in it\n"
		     "held time.ntp-servers: none | none\n"));
	box.facts.is_live = false;
	CHECK_STR(box_probe(&box, &fb_step_time),
		  "unmeasured time.timezone: Asia/Tokyo | not a running system\n"
		  "unmeasured time.ntp-pools: ntp.nict.jp | not a running system\n"
		  "unmeasured time.ntp-servers: none | not a running system\n");
	box_close(&box);
}

TEST_MAIN()
