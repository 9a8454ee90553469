/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The closure step: what must never exist is planned away, with and without a config. */
#include "room.h"

#include "step.h"

extern const struct fb_step fb_step_closure;

/* mkpasswd -m sha512crypt -R 1000 1234; and of another password */
#define HASH_1234 "$6$rounds=1000$4ji0JdzZ53qrYDKt$sLdVS6Omnvuw0w6tQvQvOJFj12hcPpboBi8D.eHorqU3L7Rw2ZRcl9BNkQnLSr.8PWnrA90z5oQiBY2ZDp3zO1"
#define HASH_OTHER "$6$rounds=1000$pXm02JEEvuPGsm45$ltUkQeRDFy.faWRmChiCY06z9pXqew/sk7oS9R290qEujoUoZWD5ePNOxCdJdZSoNd2nClc.kgfLC1RU1wWIK."

struct world {
	struct fb_facts facts;
	struct fb_view view;
	struct fb_plan plan;
};

static struct fb_plan *plan(struct room *room, const struct fb_conf *conf, bool is_provisioned)
{
	static struct world world;
	world = (struct world){ .view = { .fs = &room->fs, .arena = room->arena, .env = &fb_env_offline } };
	world.facts.is_provisioned = is_provisioned;
	world.view.facts = &world.facts;
	world.plan.view = &world.view;
	fb_step_closure.plan(&world.plan, conf);
	CHECK_INT(world.view.rc, 0);
	return &world.plan;
}

/* The plan as "KIND PATH" between commas. */
static const char *summary(const struct fb_plan *plan)
{
	struct fb_buf buf = { .arena = plan->view->arena };
	for (size_t i = 0; i < plan->n; i++)
		fb_buf_add(&buf, "%s%s %s", i ? ", " : "", fb_kind_name(plan->change[i].kind), plan->change[i].path);
	return fb_buf_text(&buf);
}

TEST(nothing_to_do_on_an_empty_root)
{
	struct room *room = room_make();
	CHECK_STR(summary(plan(room, NULL, false)), "");
	room_end(room);
}

TEST(root_1234_is_locked_where_nobody_else_does_it)
{
	static const struct { const char *hash; bool has_conf, is_provisioned; const char *want; } rows[] = {
		{ HASH_1234, false, false, "*" }, { "", false, false, "*" }, { HASH_OTHER, false, false, NULL },
		{ "*", false, false, NULL }, { "!", false, false, NULL }, { "!*", false, false, NULL }, { "x", false, false, NULL },
		{ HASH_1234, true, false, NULL }, { HASH_1234, false, true, NULL },
	};
	struct room *room = room_make();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_conf conf = { .text = "login { }\n" };
		room_write("etc/shadow", fb_format(room->arena, "bin:*:1::::::\nroot:%s:20000:0:99999:7:::\n", rows[i].hash));
		struct fb_plan *p = plan(room, rows[i].has_conf ? &conf : NULL, rows[i].is_provisioned);
		const struct fb_change *shadow = NULL;
		for (size_t k = 0; k < p->n; k++)
			if (!strcmp(p->change[k].path, "/etc/shadow"))
				shadow = &p->change[k];
		CHECK_ROW(rows[i].hash, !shadow == !rows[i].want);
		if (shadow) {
			CHECK_STR(shadow->text, "bin:*:1::::::\nroot:*:20000:0:99999:7:::\n");
			CHECK(shadow->is_secret);
		}
	}
	room_end(room);
}

TEST(consoles_that_log_in_by_themselves_are_closed)
{
	static const char autologin[] = "[Service]\nExecStart=\nExecStart=-/sbin/agetty --noclear --autologin root %I $TERM\n";
	struct room *room = room_make();
	room_write("etc/systemd/system/getty@.service.d/override.conf", autologin);
	room_write("etc/systemd/system/getty@tty1.service.d/a.conf", autologin);
	room_write("etc/systemd/system/getty@tty1.service.d/b.conf", "[Service]\nTTYVTDisallocate=no\n# --autologin\n");
	room_write("etc/systemd/system/getty@tty1.service.d/c.conf.bak", autologin);
	room_write("etc/systemd/system/serial-getty@ttyS2.service.d/autologin.conf", autologin);
	room_write("etc/systemd/system/serial-getty@ttyS3.service", autologin);
	room_write("etc/systemd/system/other.service.d/override.conf", autologin);
	CHECK(symlink("/dev/null", room_path("etc/systemd/system/getty@tty2.service")) == 0);
	CHECK(symlink("/etc/systemd/system/other.service.d/override.conf",
		      room_path("etc/systemd/system/getty@.service.d/z.conf")) == 0);
	CHECK_STR(summary(plan(room, NULL, true)),
		  "remove /etc/systemd/system/getty@.service.d/override.conf, "
		  "remove /etc/systemd/system/getty@.service.d/z.conf, "
		  "remove /etc/systemd/system/getty@tty1.service.d/a.conf, "
		  "remove /etc/systemd/system/serial-getty@ttyS2.service.d/autologin.conf, "
		  "remove /etc/systemd/system/serial-getty@ttyS3.service");
	room_end(room);
}

TEST(the_first_login_asks_nothing)
{
	struct room *room = room_make();
	room_write("root/.not_logged_in_yet", "");
	room_write("etc/profile.d/armbian-check-first-login.sh", "x\n");
	room_write("etc/profile.d/armbian-check-first-login-reboot.sh", "x\n");
	room_write("etc/profile.d/armbian-lang.sh", "x\n");
	CHECK_STR(summary(plan(room, NULL, true)),
		  "remove /root/.not_logged_in_yet, remove /etc/profile.d/armbian-check-first-login-reboot.sh, "
		  "remove /etc/profile.d/armbian-check-first-login.sh");
	room_end(room);
}

TEST(host_keys_are_not_made_twice)
{
	struct room *room = room_make();
	room_write("etc/default/armbian-firstrun", "# remark\nOPENSSHD_REGENERATE_HOST_KEYS=true\n");
	CHECK(chmod(room_path("etc/default/armbian-firstrun"), 0600) == 0);
	struct fb_plan *p = plan(room, NULL, true);
	CHECK_STR(summary(p), "file /etc/default/armbian-firstrun");
	CHECK_STR(p->change[0].text, "# remark\nOPENSSHD_REGENERATE_HOST_KEYS=false\n");
	CHECK_INT(p->change[0].mode, 0600);
	room_write("etc/default/armbian-firstrun", p->change[0].text);
	CHECK_STR(summary(plan(room, NULL, true)), "");
	room_end(room);
}

TEST(the_greeting_comes_back_once)
{
	struct room *room = room_make();
	room_write("etc/update-motd.d/10-header", "#!/bin/sh\n");
	room_write("etc/update-motd.d/30-sysinfo", "#!/bin/sh\n");
	CHECK(chmod(room_path("etc/update-motd.d/30-sysinfo"), 0755) == 0);
	struct fb_plan *p = plan(room, NULL, false);
	CHECK_STR(summary(p), "mode /etc/update-motd.d/10-header");
	CHECK_INT(p->change[0].mode, 0755);
	CHECK_STR(summary(plan(room, NULL, true)), "");
	room_end(room);
}

TEST(a_fat_boot_partition_stops_no_boot)
{
	static const struct { const char *old, *want; } rows[] = {
		{ "UUID=1 / ext4 defaults,commit=120 0 1\nLABEL=armbi_boot  /boot\tvfat defaults 0 2\n# end\n",
		  "UUID=1 / ext4 defaults,commit=120 0 1\n"
		  "LABEL=armbi_boot /boot vfat defaults,nofail,umask=0077,x-systemd.device-timeout=10s 0 2\n# end\n" },
		{ "LABEL=b /boot vfat defaults\n", "LABEL=b /boot vfat defaults,nofail,umask=0077,x-systemd.device-timeout=10s 0 0\n" },
		{ "LABEL=b /boot vfat ro,nofail 0 0\n", NULL }, { "LABEL=b /boot ext4 defaults 0 2\n", NULL },
		{ "# LABEL=b /boot vfat defaults 0 2\n", NULL }, { "LABEL=b /boot/efi vfat defaults 0 2\n", NULL }, { "", NULL },
	};
	struct room *room = room_make();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		room_write("etc/fstab", rows[i].old);
		const struct fb_plan *p = plan(room, NULL, false);
		CHECK_STR(summary(p), rows[i].want ? "file /etc/fstab" : "");
		if (rows[i].want)
			CHECK_STR(p->change[0].text, rows[i].want);
	}
	room_end(room);
}

TEST(the_box_keeps_its_config)
{
	struct room *room = room_make();
	struct fb_conf conf = { .text = "login { }\n" };
	struct fb_plan *p = plan(room, &conf, true);
	CHECK_STR(summary(p), "directory /etc/r4s, file /etc/r4s/provision.conf");
	CHECK_STR(p->change[1].text, conf.text);
	CHECK_INT(p->change[1].mode, 0600);
	CHECK(p->change[1].is_secret);
	room_end(room);
}

TEST_MAIN()
