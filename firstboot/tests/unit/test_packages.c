/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages, upgrades and what comes by itself: plans over dpkg's records, and the words that are judged. */
#include "../../steps/apt.h"

#include "box.h"
#include "dpkg.h"

extern const struct fb_step fb_step_apt, fb_step_packages, fb_step_updates;

#define STATUS                                                                                                  \
	"Package: vim\nStatus: install ok installed\nVersion: 2\n\n"                                              \
	"Package: cron\nStatus: deinstall ok config-files\n\n"                                                    \
	"Package: bind9-dnsutils\nStatus: hold ok installed\nProvides: x, dnsutils (= 1:9.18), y\nDescription: z\n Package: jq\n"

TEST(dpkg_status)
{
	static const struct {
		const char *name;
		bool want;
	} rows[] = {
		{ "vim", true }, { "vi", false }, { "vim-tiny", false }, { "cron", false }, { "dnsutils", true }, { "x", true }, { "y", true },
		{ "dnsutil", false }, { "jq", false }, { "1:9.18", false }, { "bind9-dnsutils", true },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_ROW(rows[i].name, fb_dpkg_has(arena, STATUS, rows[i].name) == rows[i].want);
	CHECK(!fb_dpkg_has(arena, "", "vim"));
	CHECK(!fb_dpkg_is_interrupted(arena, STATUS));
	CHECK(fb_dpkg_is_interrupted(arena, STATUS "\nPackage: a\nStatus: install ok unpacked\n"));
	CHECK(fb_dpkg_is_interrupted(arena, "Package: a\nStatus: install reinstreq half-installed\n"));
	fb_arena_free(arena);
}

TEST(diversions)
{
	static const char old[] = "/bin/sh\n/bin/sh.distrib\ndash\n";
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_dpkg_divert(arena, old, "/etc/a", "/etc/a.b");
	CHECK_STR(text, "/bin/sh\n/bin/sh.distrib\ndash\n/etc/a\n/etc/a.b\n:\n");
	CHECK(fb_dpkg_is_diverted(text, "/etc/a", "/etc/a.b"));
	CHECK(!fb_dpkg_is_diverted(text, "/etc/a", "/etc/a.c"));
	CHECK(!fb_dpkg_is_diverted(old, "/etc/a", "/etc/a.b"));
	CHECK(!fb_dpkg_is_diverted("x\n/etc/a\n/etc/a.b\n", "/etc/a", "/etc/a.b"));	/* no line of a "from" */
	fb_arena_free(arena);
}

TEST(values)
{
	static const struct {
		fb_valid_fn *valid;
		const char *value;
		bool is_good;
	} rows[] = {
		{ fb_valid_mirror, "https://mirrors.xtom.de/armbian/", true }, { fb_valid_mirror, "http://192.168.1.2:3142/debian", true },
		{ fb_valid_mirror, "http://a.example", true }, { fb_valid_mirror, "http://a.example/x/a+b_c-d.e", true },
		{ fb_valid_mirror, "ftp://a.example/", false }, { fb_valid_mirror, "a.example/debian", false },
		{ fb_valid_mirror, "http://", false }, { fb_valid_mirror, "http:///a", false },
		{ fb_valid_mirror, "http://u:p@a.example/", false }, { fb_valid_mirror, "http://a.example/x y", false },
		{ fb_valid_mirror, "http://a.example/~x", false }, { fb_valid_mirror, "http://a.example/%20", false }, { fb_valid_mirror, "http://a.example/a/../b", false },
		{ fb_valid_mirror, "http://a.example/..", false }, { fb_valid_mirror, "http://a.example:x/", false },
		{ fb_valid_mirror, "http://a.example:/", false }, { fb_valid_mirror, "http://a.example/\nSigned-By: x", false },
		{ fb_valid_mirror, "http://a_b.example/", false }, { fb_valid_mirror, "http://a.example/[x]", false },
		{ fb_valid_package, "vim", true }, { fb_valid_package, "g++", true }, { fb_valid_package, "libc6-dev", true },
		{ fb_valid_package, "python3.11", true }, { fb_valid_package, "v", false }, { fb_valid_package, "vim-", false },
		{ fb_valid_package, "Vim", false }, { fb_valid_package, "-o", false }, { fb_valid_package, "vim=1", false },
		{ fb_valid_package, "vim/stable", false }, { fb_valid_package, "./x.deb", false }, { fb_valid_package, "", false },
		{ fb_valid_package, "vim nano", false }, { fb_valid_package, "linux-*", false },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_ROW(rows[i].value, !rows[i].valid(arena, rows[i].value) == rows[i].is_good);
	fb_arena_free(arena);
}

TEST(checks)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "apt { }\n", "" },
		{ "apt {\npackages = { \"vim\", \"jq\",\n\"vim\" } }\n", "p:3: apt.packages: \"vim\" is there twice\n" },
		{ "apt {\nmirrors = { \"http://a.example/\",\n\"http://a.example\" } }\n", "p:3: apt.mirrors: \"http://a.example\" is there twice\n" },
		{ "apt { upgrade = false\nkernel-upgrade = true }\n",
		  "p:2: apt.kernel-upgrade: is true, but apt.upgrade is false, so it has no effect\n" },
		{ "apt {\nmirrors = { \"rsync://a.example/\" } }\n",
		  "p:2: apt.mirrors: \"rsync://a.example/\" is not the address of a mirror; write http://HOST/PATH or https://HOST/PATH, such as https://mirrors.xtom.de/armbian/\n" },
	};
	const struct fb_keys tables[] = { { fb_step_apt.keys, fb_step_apt.n_keys }, { fb_step_packages.keys, fb_step_packages.n_keys },
					  { fb_step_updates.keys, fb_step_updates.n_keys } };
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_buf buf = { .arena = arena };
		struct fb_conf conf;
		fb_conf_parse(&conf, arena, "p", rows[i].text, strlen(rows[i].text), tables, 3, &conf.value);
		if (!conf.n_complaints) {
			fb_step_apt.check(&conf);
			fb_step_packages.check(&conf);
		}
		for (size_t k = 0; k < conf.n_complaints; k++)
			fb_buf_add(&buf, "%s\n", fb_conf_message(&conf, &conf.complaint[k]));
		CHECK_STR(fb_buf_text(&buf), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(room)
{
	static const struct {
		const char *said;
		int64_t want;
	} rows[] = {
		{ "", 0 },
		{ "After this operation, 12.3 MB of additional disk space will be used.\n'http://a/x.deb' x_1.deb 708 MD5Sum:aa\n'http://a/y.deb' y.deb 292 SHA256:bb\n",
		  12301000 },
		{ "After this operation, 5 MB disk space will be freed.\n'http://a/x.deb' x.deb 100 MD5Sum:aa\n", 100 },
		{ "After this operation, 1.5 GB of additional disk space", 1500000000 },
		{ "After this operation, 0 B of additional disk space will be used.\n'broken", 0 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_ROW(rows[i].said, fb_apt_room(rows[i].said) == rows[i].want);
}

/* The tools of a plan, without the unit around them. */
static const char *tools(struct box *box, const struct fb_step *step)
{
	struct fb_buf buf = { .arena = box->arena };
	(void)box_plan(box, step);
	for (size_t i = 0; i < box->plan.n; i++) {
		const char *const *arg = box->plan.change[i].argv;
		while (arg && *arg && strcmp(*arg, "--") != 0)
			arg++;
		fb_buf_add(&buf, "%s:", box->plan.change[i].path);
		for (bool is_option = false; arg && *arg && *++arg;) {
			bool is_next = !strcmp(*arg, "-o");
			if (!is_option && !is_next)
				fb_buf_add(&buf, " %s", *arg);
			is_option = is_next;
		}
		fb_buf_add(&buf, "%s\n", box->plan.change[i].once ? " ONCE" : "");
	}
	for (size_t i = 0; i < box->plan.n_follow; i++)
		fb_buf_add(&buf, "then %s\n", box->plan.follow[i].unit ? box->plan.follow[i].unit : "reboot");
	for (size_t i = 0; i < box->plan.notes.n; i++)
		fb_buf_add(&buf, "note %s\n", box->plan.notes.item[i]);
	if (box->plan.later)
		fb_buf_add(&buf, "later %s\n", box->plan.later);
	return fb_buf_text(&buf);
}

static const char *wanted[] = { "vim", "jq", "nosuch", FB_APT_OPTIONAL };
static struct fb_apt_asked asked;

/* box_view() leaves measured out. */
static void plan_asked(struct fb_plan *plan, const struct fb_conf *conf)
{
	plan->view->measured = &asked;
	fb_step_packages.plan(plan, conf);
}
static const struct fb_step asking = { .plan = plan_asked };

static void prepare(struct box *box, size_t n_wanted)
{
	box_open(box);
	box->facts.stage = FB_STAGE_ALL;
	box->conf.value.apt = (struct fb_apt){ .packages = { wanted, n_wanted }, .upgrade = true };
	box_put(box, FB_DPKG_STATUS, STATUS);
	asked = (struct fb_apt_asked){ .update_why = "", .broken_why = "", .need_bytes = 1, .free_bytes = 2 };
	fb_apt_due(box_view(box), &box->conf.value.apt, &asked.due);
}

#define GET "/usr/bin/apt-get -q -y --no-install-recommends"

TEST(packages_and_upgrade)
{
	struct box box;
	prepare(&box, 4);
	fb_strs_add(box.arena, &asked.found, "jq");
	fb_strs_add(box.arena, &asked.unknown, "nosuch");
	fb_strs_add(box.arena, &asked.unknown, FB_APT_OPTIONAL);
	CHECK_STR(tools(&box, &asking), "install packages: " GET " install jq\n"
					FB_APT_PREFERENCES ":\n"
					"upgrade packages: " GET " --with-new-pkgs upgrade ONCE\n"
					"note apt.packages: no source has \"nosuch\"\n");
	CHECK(box.plan.change[0].is_retryable && box.plan.change[0].when == FB_ONLINE);
	asked.update_why = "E: x is silent.";		/* then it is not known that nobody has it, and no half upgrade */
	CHECK_STR(tools(&box, &asking), "install packages: " GET " install jq\nlater apt-get update: E: x is silent.\n");
	asked.need_bytes = 300 << 20;
	asked.free_bytes = 200 << 20;
	CHECK_STR(tools(&box, &asking),
		  "later the disk is too full: packages need 300 MiB, 200 MiB are free; make room, then run: r4s-firstboot apply\n");
	box.facts.is_live = false;
	CHECK_STR(tools(&box, &asking), "");
	box_close(&box);
}

TEST(once)
{
	struct box box;
	prepare(&box, 2);
	fb_strs_add(box.arena, &asked.found, "jq");
	CHECK_STR(tools(&box, &asking), "install packages: " GET " install jq\n"
					"mark packages as wanted: /usr/bin/apt-mark manual vim jq ONCE\n"
					FB_APT_PREFERENCES ":\nupgrade packages: " GET " --with-new-pkgs upgrade ONCE\n");
	fb_strs_add(box.arena, &box.facts.once, "packages: vim jq");
	fb_strs_add(box.arena, &box.facts.once, FB_APT_UPGRADE);
	CHECK_STR(tools(&box, &asking), "");		/* jq is missing all the same: the owner has removed it */
	box.conf.value.apt.kernel_upgrade = true;
	CHECK_STR(tools(&box, &asking), "upgrade packages: " GET " --with-new-pkgs upgrade ONCE\n");
	fb_strs_add(box.arena, &box.facts.once, FB_APT_KERNEL_UPGRADE);
	CHECK_STR(tools(&box, &asking), "");
	box.conf.value.apt.unattended_upgrades = true;	/* needs its package: another list */
	CHECK_STR(tools(&box, &asking), "install packages: " GET " install jq unattended-upgrades\n"
					"mark packages as wanted: /usr/bin/apt-mark manual vim jq unattended-upgrades ONCE\n");
	box_close(&box);
}

TEST(restart)
{
	struct box box;
	prepare(&box, 1);
	box_put(&box, "/run/reboot-required", "");
	fb_strs_add(box.arena, &box.facts.once, "packages: vim");
	fb_strs_add(box.arena, &box.facts.once, FB_APT_UPGRADE);	/* it was due when the run began, and is done now */
	CHECK_STR(tools(&box, &asking), "write back: ONCE\nthen reboot\n");
	fb_strs_add(box.arena, &box.facts.once, "restart-after-upgrade: " FB_APT_UPGRADE);
	CHECK_STR(tools(&box, &asking), "");
	asked.due.upgrade_token = NULL;			/* a restart that somebody else's package asks for */
	box.facts.once.n = 2;
	CHECK_STR(tools(&box, &asking), "");
	box_close(&box);
}

TEST(repair)
{
	struct box box;
	prepare(&box, 1);
	asked.is_interrupted = true;
	box.conf.value.apt.upgrade = false;
	CHECK_STR(tools(&box, &asking), "mark packages as wanted: /usr/bin/apt-mark manual vim ONCE\n");
	box_put(&box, "/var/lib/dpkg/updates/0001", "");
	CHECK_STR(tools(&box, &asking), "configure packages: /usr/bin/dpkg --force-confdef --force-confold --configure -a\n"
					"repair packages: " GET " --fix-broken install\n"
					"mark packages as wanted: /usr/bin/apt-mark manual vim ONCE\n");
	box_close(&box);
}

TEST(updates)
{
	struct box box;
	box_open(&box);
	box_put(&box, "/usr/bin/apt-get", "");
	box_put(&box, "/etc/cron.d/armbian-updates", "@reboot root x\n");
	const char *first = box_plan(&box, &fb_step_updates);
	CHECK(strstr(first, "file /etc/apt/apt.conf.d/zz-r4s-periodic\n"));
	CHECK(strstr(first, "link /etc/systemd/system/apt-daily.timer\n"));
	CHECK(strstr(first, "file /etc/cron.d/armbian-updates.r4s\nremove /etc/cron.d/armbian-updates\n"));
	CHECK(strstr(first, "--add /etc/cron.d/armbian-updates\n"));
	CHECK(strstr(first, "then unattended-upgrades.service\n"));
	box_act(&box);
	CHECK_STR(box_get(&box, "/etc/cron.d/armbian-updates.r4s"), "@reboot root x\n");
	CHECK(strstr(box_get(&box, "/etc/apt/apt.conf.d/zz-r4s-periodic"), "#clear APT::Periodic;\nAPT::Periodic::Enable \"0\";\n"));
	box_put(&box, FB_DPKG_DIVERSIONS, "/etc/cron.d/armbian-updates\n/etc/cron.d/armbian-updates.r4s\n:\n");
	CHECK(!strstr(box_plan(&box, &fb_step_updates), "cron"));
	box_put(&box, "/etc/apt/apt.conf", "APT::Periodic::Enable \"1\";\n");
	CHECK(strstr(box_plan(&box, &fb_step_updates), "note apt.unattended-upgrades: /etc/apt/apt.conf sets APT::Periodic"));
	box.conf.value.apt.unattended_upgrades = true;
	CHECK(strstr(box_plan(&box, &fb_step_updates), "--rename --remove /etc/cron.d/armbian-updates\n"));
	box_act(&box);
	CHECK(strstr(box_get(&box, "/etc/apt/apt.conf.d/zz-r4s-periodic"), "APT::Periodic::Unattended-Upgrade \"1\";\n"));
	CHECK_STR(box_plan_as(&box, &fb_step_updates, NULL), "");
	box_close(&box);
}

TEST_MAIN()
