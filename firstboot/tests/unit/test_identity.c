/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host name, machine-id, and the EEPROM that has to be made readable. */
#include "box.h"

extern const struct fb_step fb_step_identity;

static const char id_file[] = "/etc/machine-id", id[] = "0123456789abcdef0123456789abcdef\n";
static const char sysctl[] = "/proc/sys/kernel/hostname";

/* All as it shall be. */
static void settled_open(struct box *box)
{
	box_open(box);
	box_put(box, "/etc/hostname", "r4s-router\n");
	box_put(box, "/etc/hosts", "127.0.0.1\tlocalhost\n127.0.1.1\tr4s-router\n");
	box_put(box, sysctl, "r4s-router\n");
	box_put_bytes(box, id_file, id, strlen(id), 0444);
}

TEST(a_settled_box_needs_nothing)
{
	struct box box;
	settled_open(&box);
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	CHECK_STR(box_probe(&box, &fb_step_identity),
		  "held hostname: r4s-router | r4s-router\n"
		  "held machine-id: of this box alone, on disk | of this box alone, on disk\n");
	box_close(&box);
}

TEST(a_new_name_goes_everywhere)
{
	struct box box;
	settled_open(&box);
	box.conf.value.hostname = "gate.home.arpa";
	CHECK_STR(box_plan(&box, &fb_step_identity),
		  "file /etc/hostname\nfile /etc/hosts\nattribute /proc/sys/kernel/hostname gate.home.arpa\n");
	CHECK(strstr(box_probe(&box, &fb_step_identity), "differs hostname: gate.home.arpa | r4s-router\n"));
	box_act(&box);
	CHECK_STR(box_get(&box, "/etc/hostname"), "gate.home.arpa\n");
	CHECK_STR(box_get(&box, "/etc/hosts"), "127.0.0.1\tlocalhost\n127.0.1.1\tgate.home.arpa gate\n");
	box_put(&box, sysctl, "gate.home.arpa\n");
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	box_close(&box);
}

TEST(a_bad_machine_id_is_replaced_also_without_a_config)
{
	static const char *const bad[] = {
		"", "\n", "uninitialized\n", "0123456789abcdef0123456789abcde\n", "0123456789abcdef0123456789abcdef0\n",
		"0123456789abcdef0123456789abcdeg\n", "00000000000000000000000000000000\n", "0123456789abcdef0123456789abcdef\nx",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		struct box box;
		settled_open(&box);
		box_put(&box, id_file, bad[i]);
		CHECK_STR(box_plan_as(&box, &fb_step_identity, NULL), "file /etc/machine-id\n");
		CHECK_INT(box.plan.change[0].mode, 0444);
		CHECK(strstr(box_probe(&box, &fb_step_identity), "differs machine-id: of this box alone, on disk | none\n"));
		box_act(&box);
		/* The bytes of the seed with version 4 and its variant. */
		CHECK_STR(box_get(&box, id_file), "0102030405064708890a0b0c0d0e0f10\n");
		CHECK_STR(box_plan(&box, &fb_step_identity), "");
		box_close(&box);
	}
}

TEST(an_absent_machine_id_is_made)
{
	struct box box;
	box_open(&box);
	CHECK_STR(box_plan_as(&box, &fb_step_identity, NULL), "file /etc/machine-id\n");
	box_close(&box);
}

TEST(an_id_in_memory_is_noted)
{
	static const struct {
		const char *mounts;
		bool is_noted;
	} rows[] = {
		{ "22 1 0:20 / / rw - ext4 /dev/sda1 rw\n45 22 0:24 /machine-id /etc/machine-id ro - tmpfs tmpfs rw\n", true },
		{ "22 1 0:20 / / rw - ext4 /dev/sda1 rw\n23 22 0:24 / /run rw - tmpfs tmpfs rw\n", false },
		{ "45 22 8:1 /id /etc/machine-id ro - ext4 /dev/sda1 rw\n23 22 0:24 / /run rw - tmpfs tmpfs rw\n", false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		settled_open(&box);
		box_put(&box, "/proc/self/mountinfo", rows[i].mounts);
		CHECK_ROW(rows[i].mounts, !strncmp(box_plan(&box, &fb_step_identity), "note ", 5) == rows[i].is_noted);
		CHECK_ROW(rows[i].mounts, !strstr(box_probe(&box, &fb_step_identity), "differs machine-id") == !rows[i].is_noted);
		box_close(&box);
	}
}

TEST(an_image_carries_no_machine_id)
{
	struct box box;
	settled_open(&box);
	box_put(&box, "/var/lib/dbus/machine-id", id);
	box.facts = (struct fb_facts){ .box_tag = "" };
	CHECK_STR(box_plan_as(&box, &fb_step_identity, NULL), "file /etc/machine-id\nremove /var/lib/dbus/machine-id\n");
	box_act(&box);
	CHECK_STR(box_get(&box, id_file), "");
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	box_close(&box);
}

TEST(the_card_of_a_box_keeps_its_machine_id)
{
	struct box box;
	settled_open(&box);
	box.facts = (struct fb_facts){ .box_tag = "", .is_provisioned = true };
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	CHECK_STR(box_probe(&box, &fb_step_identity),
		  "unmeasured hostname: r4s-router | not a running system\n"
		  "unmeasured machine-id: of this box alone, on disk | not a running system\n");
	box_close(&box);
}

TEST(the_eeprom_is_bound_once_and_only_when_it_is_wanted)
{
	static const char bind[] = "/sys/bus/i2c/devices/i2c-2/new_device";
	struct box box;
	settled_open(&box);
	box.board.eeprom = "/sys/bus/i2c/devices/2-0051/eeprom";
	box.board.eeprom_bind = bind;
	box.board.eeprom_bind_text = "24c02 0x51";
	box.conf.value.port[FB_LAN].mac = "board";
	CHECK_STR(box_plan(&box, &fb_step_identity), "");	/* no such bus in this box */
	box_put(&box, bind, "");
	CHECK_STR(box_plan(&box, &fb_step_identity),
		  "attribute /sys/bus/i2c/devices/i2c-2/new_device 24c02 0x51\nrun /usr/bin/udevadm settle --timeout=10\n");
	box.conf.value.port[FB_LAN].mac = "random";
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	box.conf.value.port[FB_WAN].mac = "board";
	box_put(&box, "/sys/bus/i2c/devices/2-0051/name", "24c02\n");	/* bound, though no chip answered */
	CHECK_STR(box_plan(&box, &fb_step_identity), "");
	box_close(&box);
}

TEST_MAIN()
