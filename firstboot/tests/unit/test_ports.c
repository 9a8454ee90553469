/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Port names and MACs: what is drawn, what is kept, and what is done at a boot and only there. */
#include "box.h"

#include "mac.h"

extern const struct fb_step fb_step_ports;

static const char wan_file[] = "/etc/systemd/network/05-wan0.link", lan_file[] = "/etc/systemd/network/05-lan0.link";
static const char wan_path[] = "platform-fe300000.ethernet", lan_path[] = "platform-f8000000.pcie-pci-0000:01:00.0";
static const char both_files[] = "file /etc/systemd/network/05-wan0.link\nfile /etc/systemd/network/05-lan0.link\n";
static const char udev[] = "/run/udev/control";

/* A box as udev sees it before our files: names by the kernel, LAN up. */
static void board_open(struct box *box)
{
	box_open(box);
	box->board.port[FB_WAN].id_path = wan_path;
	box->board.port[FB_LAN].id_path = lan_path;
	box->link[0] = (struct fb_link){ .name = "end0", .id_path = wan_path, .mac = { 0x12, 1, 1, 1, 1, 1 } };
	box->link[1] = (struct fb_link){ .name = "enp1s0", .id_path = lan_path, .mac = { 0x12, 2, 2, 2, 2, 2 }, .is_up = true };
	box->facts.n_links = 2;
	box_put(box, udev, "");
}

static const char *value_of(struct box *box, const char *path, const char *key)
{
	const char *text = box_get(box, path), *at = text ? strstr(text, fb_format(box->arena, "\n%s=", key)) : NULL;
	if (!at)
		return NULL;
	at += strlen(key) + 2;
	return fb_strndup(box->arena, at, strcspn(at, "\n"));
}

static const char *mac_of(struct box *box, const char *path)
{
	return value_of(box, path, "MACAddress");
}

/* What the kernel and udev make of the files. */
static void boot(struct box *box)
{
	static const char *const files[] = { wan_file, lan_file };
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		const char *mac = mac_of(box, files[i]);
		(void)snprintf(box->link[i].name, sizeof(box->link[i].name), "%s", fb_port_name[i]);
		CHECK(!mac || fb_mac_parse(mac, box->link[i].mac));
		box->link[i].is_up = false;
	}
}

/* Plan, act, boot; then nothing may be left to do, whatever the seed. */
static void settle(struct box *box)
{
	(void)box_plan(box, &fb_step_ports);
	box_act(box);
	boot(box);
	memset(box->facts.seed, 0x77, sizeof(box->facts.seed));
	const char *left = box_plan(box, &fb_step_ports);
	CHECK(!*left || !strncmp(left, "note ", 5));
}

TEST(first_boot_writes_files_then_renames)
{
	struct box box;
	board_open(&box);
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "file /etc/systemd/network/05-wan0.link\n"
		  "file /etc/systemd/network/05-lan0.link\n"
		  "run /usr/bin/ip link set dev enp1s0 down\n"
		  "run /usr/bin/udevadm control --reload\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/end0\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/enp1s0\n"
		  "run /usr/bin/udevadm settle --timeout=10\n");
	for (size_t i = 2; i < box.plan.n; i++)
		CHECK_INT(box.plan.change[i].when, FB_AT_BOOT);
	box_act(&box);
	CHECK_STR(box_get(&box, wan_file),
		  "# Written by r4s-firstboot from provision.conf; edit that file instead.\n"
		  "# MACAddress: random, drawn once on this box\n"
		  "[Match]\n"
		  "Path=platform-fe300000.ethernet\n"
		  "\n"
		  "[Link]\n"
		  "Name=wan0\n"
		  "MACAddressPolicy=none\n"
		  "MACAddress=12:12:13:14:15:16\n");
	CHECK_STR(mac_of(&box, lan_file), "1a:1a:1b:1c:1d:1e");
	settle(&box);
	box_close(&box);
}

TEST(only_the_port_that_differs_is_touched)
{
	struct box box;
	board_open(&box);
	settle(&box);
	box.link[FB_LAN].mac[5] ^= 1;
	box.link[FB_LAN].is_up = false;
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "run /usr/bin/udevadm control --reload\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/lan0\n"
		  "run /usr/bin/udevadm settle --timeout=10\n");
	box_close(&box);
}

TEST(an_image_gets_names_but_no_random_mac)
{
	struct box box;
	board_open(&box);
	box.facts = (struct fb_facts){ .box_tag = "" };
	CHECK_STR(box_plan(&box, &fb_step_ports), both_files);
	box_act(&box);
	CHECK_STR(value_of(&box, wan_file, "Name"), "wan0");
	CHECK_STR(mac_of(&box, wan_file), NULL);
	CHECK_STR(box_plan(&box, &fb_step_ports), "");
	box_close(&box);
}

TEST(a_recorded_random_mac_is_kept_where_it_is_acceptable)
{
	static const struct {
		const char *mac;
		bool is_kept;
	} rows[] = {
		{ "0a:00:00:00:00:07", true },
		{ "00:04:a3:12:34:56", false },		/* of a vendor */
		{ "0b:00:00:00:00:07", false },		/* multicast */
		{ "00:00:00:00:00:00", false },
		{ "0a:00:00:00:00", false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		board_open(&box);
		box_put(&box, wan_file, fb_format(box.arena, "[Link]\nMACAddress=%s\n", rows[i].mac));
		settle(&box);
		CHECK_ROW(rows[i].mac, !strcmp(mac_of(&box, wan_file), rows[i].mac) == rows[i].is_kept);
		box_close(&box);
	}
}

TEST(two_ports_never_share_an_address)
{
	static const char *const lan_choices[] = { "random", "0a:00:00:00:00:07" };
	for (size_t i = 0; i < FB_ARRAY_LEN(lan_choices); i++) {
		struct box box;
		board_open(&box);
		box.conf.value.port[FB_LAN].mac = lan_choices[i];
		box_put(&box, wan_file, "[Link]\nMACAddress=0a:00:00:00:00:07\n");
		box_put(&box, lan_file, "[Link]\nMACAddress=0a:00:00:00:00:07\n");
		settle(&box);
		CHECK_ROW(lan_choices[i], strcmp(mac_of(&box, wan_file), mac_of(&box, lan_file)) != 0);
		CHECK_ROW(lan_choices[i], i == 0 || !strcmp(mac_of(&box, lan_file), "0a:00:00:00:00:07"));
		box_close(&box);
	}
	struct box box;
	board_open(&box);
	memset(box.facts.seed, 0, sizeof(box.facts.seed));	/* both would draw the same */
	settle(&box);
	CHECK_STR(mac_of(&box, wan_file), "02:00:00:00:00:00");
	CHECK_STR(mac_of(&box, lan_file), "02:00:00:00:00:01");
	box_close(&box);
}

TEST(given_and_keep)
{
	struct box box;
	board_open(&box);
	box.conf.value.port[FB_WAN].mac = "B8:27:EB:00:00:01";
	box.conf.value.port[FB_LAN].mac = "keep";
	settle(&box);
	CHECK_STR(mac_of(&box, wan_file), "b8:27:eb:00:00:01");
	CHECK_STR(mac_of(&box, lan_file), NULL);
	CHECK_STR(value_of(&box, lan_file, "MACAddressPolicy"), "none");
	CHECK_STR(box_probe(&box, &fb_step_ports),
		  "held network.wan.mac: B8:27:EB:00:00:01, on wan0 | b8:27:eb:00:00:01, on wan0\n"
		  "held network.lan.mac: keep, on lan0 | 12:02:02:02:02:02, on lan0\n");
	box_close(&box);
}

static void carry(struct box *box, const char *eeprom, size_t len, bool has_cpuid)
{
	board_open(box);
	box->conf.value.port[FB_WAN].mac = box->conf.value.port[FB_LAN].mac = "board";
	box->board.eeprom = "/sys/bus/i2c/devices/2-0051/eeprom";
	box->board.cpuid = "/sys/bus/nvmem/devices/rockchip-efuse0/nvmem";
	box->board.cpuid_offset = 2;
	box->board.cpuid_len = 4;
	if (eeprom)
		box_put_bytes(box, box->board.eeprom, eeprom, len, 0644);
	if (has_cpuid)
		box_put(box, box->board.cpuid, "..CPU!");
}

TEST(board_prefers_the_eeprom)
{
	struct box box;
	carry(&box, "\x00\x04\xa3\x12\x34\x56", 6, true);
	settle(&box);
	CHECK_STR(mac_of(&box, wan_file), "00:04:a3:12:34:56");
	CHECK_STR(mac_of(&box, lan_file), "02:04:a3:12:34:56");
	CHECK_STR(box_probe(&box, &fb_step_ports),
		  "held network.wan.mac: 00:04:a3:12:34:56 (board), on wan0 | 00:04:a3:12:34:56, on wan0\n"
		  "held network.lan.mac: 02:04:a3:12:34:56 (board), on lan0 | 02:04:a3:12:34:56, on lan0\n");
	box_close(&box);
}

TEST(board_without_an_eeprom_uses_the_soc_and_keeps_it)
{
	struct box box;
	carry(&box, "\xff\xff\xff\xff\xff\xff", 6, true);
	settle(&box);
	const char *wan = mac_of(&box, wan_file), *lan = mac_of(&box, lan_file);
	unsigned char want[FB_MAC_LEN];
	CHECK(fb_mac_from_cpuid((const unsigned char *)"CPU!", 4, 0, 4, FB_WAN, want));
	CHECK_STR(wan, fb_mac_text(box.arena, want));
	CHECK(strcmp(wan, lan) && !strncmp(wan, lan, 15));
	box_put_bytes(&box, box.board.eeprom, "\x00\x04\xa3\x12\x34\x56", 6, 0644);	/* an address does not change later */
	CHECK_STR(box_plan(&box, &fb_step_ports), "");
	box_close(&box);
}

TEST(board_that_tells_nothing_gets_a_random_mac_and_says_so)
{
	struct box box;
	carry(&box, NULL, 0, false);
	settle(&box);
	CHECK_STR(mac_of(&box, wan_file), "12:12:13:14:15:16");
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "note network.wan.mac: neither EEPROM nor SoC number can be read; the MAC is random and is kept\n"
		  "note network.lan.mac: neither EEPROM nor SoC number can be read; the MAC is random and is kept\n");
	CHECK(strstr(box_probe(&box, &fb_step_ports), "differs network.wan.mac: board, on wan0 | "
		     "12:12:13:14:15:16, on wan0: random, as the board's own cannot be read\n"));
	box_put(&box, box.board.cpuid, "..CPU!");		/* now it tells */
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "file /etc/systemd/network/05-wan0.link\n"
		  "file /etc/systemd/network/05-lan0.link\n"
		  "run /usr/bin/udevadm control --reload\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/wan0\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/lan0\n"
		  "run /usr/bin/udevadm settle --timeout=10\n");
	box_close(&box);
}

TEST(a_container_sets_the_address_itself)
{
	struct box box;
	box_open(&box);
	box.link[0] = (struct fb_link){ .name = "wan0", .id_path = "" };
	box.link[1] = (struct fb_link){ .name = "lan0", .id_path = "", .is_up = true };
	box.facts.n_links = 2;
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "file /etc/systemd/network/05-wan0.link\n"
		  "file /etc/systemd/network/05-lan0.link\n"
		  "run /usr/bin/ip link set dev wan0 address 12:12:13:14:15:16\n"
		  "run /usr/bin/ip link set dev lan0 address 1a:1a:1b:1c:1d:1e\n");
	box_act(&box);
	CHECK_STR(value_of(&box, wan_file, "OriginalName"), "wan0");
	CHECK_STR(value_of(&box, wan_file, "Path"), NULL);
	settle(&box);
	box_close(&box);
}

TEST(a_live_link_is_left_alone)
{
	static const enum fb_stage stages[] = { FB_STAGE_ALL, FB_STAGE_ONLINE, FB_STAGE_HANDOFF };
	for (size_t i = 0; i < FB_ARRAY_LEN(stages); i++) {
		struct box box;
		board_open(&box);
		box.facts.stage = stages[i];
		CHECK_STR(box_plan(&box, &fb_step_ports), fb_format(box.arena, "%sthen reboot\n", both_files));
		box_act(&box);
		CHECK_STR(box_plan(&box, &fb_step_ports), "");
		CHECK(strstr(box_probe(&box, &fb_step_ports),
			     "differs network.wan.mac: 12:12:13:14:15:16 (random), on wan0 | 12:01:01:01:01:01, on end0\n"));
		box_close(&box);
	}
}

TEST(an_absent_port_is_no_error)
{
	struct box box;
	board_open(&box);
	box.facts.n_links = 1;
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "file /etc/systemd/network/05-wan0.link\n"
		  "file /etc/systemd/network/05-lan0.link\n"
		  "run /usr/bin/udevadm control --reload\n"
		  "run /usr/bin/udevadm trigger --action=add /sys/class/net/end0\n"
		  "run /usr/bin/udevadm settle --timeout=10\n");
	settle(&box);
	CHECK(strstr(box_probe(&box, &fb_step_ports), "differs network.lan.mac: random, on lan0 | "
		     "there is no such port in this box\n"));
	box.facts.n_links = 0;
	box_put(&box, lan_file, "");
	CHECK_STR(box_plan(&box, &fb_step_ports),
		  "file /etc/systemd/network/05-lan0.link\nrun /usr/bin/udevadm control --reload\n");
	box_close(&box);
}

TEST(nothing_is_planned_without_a_config_or_board_data)
{
	struct box box;
	board_open(&box);
	CHECK_STR(box_plan_as(&box, &fb_step_ports, NULL), "");
	box.plan = (struct fb_plan){ .view = box_view(&box) };
	box.view.board = NULL;
	fb_step_ports.plan(&box.plan, &box.conf);
	CHECK_INT(box.plan.n, 0);
	box_close(&box);
}

TEST(the_same_address_twice_is_refused)
{
	struct box box;
	box_open(&box);
	box.conf.name = "provision.conf";
	box.conf.value.port[FB_WAN].mac = "0a:00:00:00:00:0f";
	box.conf.value.port[FB_LAN].mac = "0A:00:00:00:00:0F";
	fb_step_ports.check(&box.conf);
	CHECK_INT(box.conf.n_complaints, 1);
	CHECK_STR(box.conf.complaint[0].text,
		  "network.lan.mac: \"0A:00:00:00:00:0F\" is the MAC of the WAN port too; give each its own");
	box.conf.n_complaints = 0;
	box.conf.value.port[FB_LAN].mac = "0a:00:00:00:00:0e";
	fb_step_ports.check(&box.conf);
	CHECK_INT(box.conf.n_complaints, 0);
	box_close(&box);
}

TEST_MAIN()
