/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MAC addresses: text, checks, and derivation from what a board carries. */
#include "test.h"

#include "mac.h"

static const unsigned char serial[] = {		/* a cpuid of an RK3399 lies at byte 7 of its eFuse, 16 bytes long */
	0, 0, 0, 0, 0, 0, 0,
	0x52, 0x4b, 0x33, 0x39, 0x39, 0x00, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0,
};

TEST(text_becomes_bytes_and_back)
{
	struct fb_arena *arena = fb_arena_new();
	unsigned char mac[FB_MAC_LEN];
	CHECK(fb_mac_parse("0A:1b:2C:3d:4E:f9", mac));
	CHECK_STR(fb_mac_text(arena, mac), "0a:1b:2c:3d:4e:f9");
	fb_arena_free(arena);
}

TEST(what_is_not_an_address_leaves_the_output_alone)
{
	static const char *const bad[] = {
		"", "02", "02:00:00:00:00", "02:00:00:00:00:0", "02:00:00:00:00:001", "02:00:00:00:00:01:", "02-00-00-00-00-01",
		"02:00:00:00:00:0g", "020000000001", " 2:00:00:00:00:01", "02:00:00:00:00:01\n", "+2:00:00:00:00:01",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		unsigned char mac[FB_MAC_LEN] = { 9, 9, 9, 9, 9, 9 };
		CHECK_ROW(bad[i], !fb_mac_parse(bad[i], mac));
		CHECK_ROW(bad[i], mac[0] == 9 && mac[5] == 9);
	}
}

TEST(random_bytes_become_local_unicast)
{
	for (unsigned first = 0; first < 256; first++) {
		unsigned char mac[FB_MAC_LEN] = { (unsigned char)first };
		fb_mac_make_local(mac);
		CHECK(fb_mac_is_unicast(mac) && fb_mac_is_local(mac));
		CHECK_INT(mac[0] & 0xfc, first & 0xfc);
	}
}

TEST(choice_is_judged)
{
	static const char not_one[] = "is not random, board, keep or six pairs of hex digits, such as 02:00:00:00:00:01";
	static const char odd[] = "is not the address of one port: its first pair must be even, such as 02";
	static const struct {
		const char *value, *wrong;
	} rows[] = {
		{ "random", NULL }, { "board", NULL }, { "keep", NULL }, { "02:00:00:00:00:01", NULL }, { "B8:27:EB:00:00:01", NULL },
		{ "", not_one }, { "Random", not_one }, { "02:00:00:00:00", not_one }, { "02:00:00:00:00:01; reboot", not_one },
		{ "$(id)", not_one }, { "01:00:5e:00:00:01", odd }, { "ff:ff:ff:ff:ff:ff", odd },
		{ "00:00:00:00:00:00", "is not an address: it is all zero" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_valid_mac_choice(arena, rows[i].value), rows[i].wrong);
	fb_arena_free(arena);
}

TEST(eeprom_gives_wan_its_address_and_lan_the_local_twin)
{
	static const unsigned char chip[] = { 0xff, 0xff, 0x00, 0x04, 0xa3, 0x12, 0x34, 0x56 };
	struct fb_arena *arena = fb_arena_new();
	unsigned char mac[FB_MAC_LEN];
	CHECK(fb_mac_from_eeprom(chip, sizeof(chip), 2, FB_WAN, mac));
	CHECK_STR(fb_mac_text(arena, mac), "00:04:a3:12:34:56");
	CHECK(fb_mac_from_eeprom(chip, sizeof(chip), 2, FB_LAN, mac));
	CHECK_STR(fb_mac_text(arena, mac), "02:04:a3:12:34:56");
	fb_arena_free(arena);
}

TEST(eeprom_without_an_address_is_refused)
{
	static const struct {
		const char *name;
		unsigned char data[FB_MAC_LEN];
		size_t len;
		long offset;
	} rows[] = {
		{ "empty chip", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 6, 0 },
		{ "all zero", { 0 }, 6, 0 },
		{ "local", { 0x02, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 6, 0 },
		{ "multicast", { 0x01, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 6, 0 },
		{ "cut", { 0x00, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 5, 0 },
		{ "behind the end", { 0x00, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 6, 250 },
		{ "one byte behind", { 0x00, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 6, 1 },
		{ "before the start", { 0x00, 0x04, 0xa3, 0x12, 0x34, 0x56 }, 6, -1 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		unsigned char mac[FB_MAC_LEN];
		CHECK_ROW(rows[i].name, !fb_mac_from_eeprom(rows[i].data, rows[i].len, rows[i].offset, FB_WAN, mac));
	}
}

/* The wanted value: printf 524b33393900102030405060708090a0 | sha256sum, first six bytes, 0xfe and 0x02 applied. */
TEST(cpuid_gives_what_u_boot_gives)
{
	struct fb_arena *arena = fb_arena_new();
	unsigned char mac[FB_MAC_LEN];
	CHECK(fb_mac_from_cpuid(serial, sizeof(serial), 7, 16, FB_WAN, mac));
	CHECK_STR(fb_mac_text(arena, mac), "1a:10:56:69:9b:24");
	CHECK(fb_mac_from_cpuid(serial, sizeof(serial), 7, 16, FB_LAN, mac));
	CHECK_STR(fb_mac_text(arena, mac), "1a:10:56:69:9b:25");
	fb_arena_free(arena);
}

TEST(cpuid_that_says_nothing_is_refused)
{
	static const unsigned char zero[32], full[32] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	unsigned char mac[FB_MAC_LEN];
	CHECK(!fb_mac_from_cpuid(zero, sizeof(zero), 7, 16, FB_WAN, mac));
	CHECK(!fb_mac_from_cpuid(full, sizeof(full), 7, 16, FB_WAN, mac));
	CHECK(!fb_mac_from_cpuid(serial, sizeof(serial) - 1, 7, 16, FB_WAN, mac));
	CHECK(!fb_mac_from_cpuid(serial, sizeof(serial), 7, 0, FB_WAN, mac));
	CHECK(!fb_mac_from_cpuid(serial, sizeof(serial), -1, 16, FB_WAN, mac));
	CHECK(!fb_mac_from_cpuid(serial, sizeof(serial), 0, 65, FB_WAN, mac));
}

TEST_MAIN()
