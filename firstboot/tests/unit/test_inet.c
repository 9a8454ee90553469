/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses and prefixes: what is read, how it is printed, and how two of them relate. */
#include "inet.h"

#include "test.h"

static struct fb_inet prefix_of(const char *text)
{
	struct fb_inet inet = { 0 };
	CHECK_ROW(text, fb_inet_parse_prefix(text, &inet));
	return inet;
}

TEST(address_is_read_and_printed_canonically)
{
	static const struct {
		const char *text, *want;	/* NULL: refused */
	} rows[] = {
		{ "192.168.1.50", "192.168.1.50" },
		{ "0.0.0.0", "0.0.0.0" },
		{ "255.255.255.255", "255.255.255.255" },
		{ "FD77:0:0:0::0001", "fd77::1" },
		{ "2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1" },
		{ "::ffff:192.0.2.1", "::ffff:192.0.2.1" },
		{ "", NULL },
		{ "192.168.1", NULL },
		{ "192.168.1.256", NULL },
		{ "192.168.01.1", NULL },
		{ "192.168.1.1 ", NULL },
		{ " 192.168.1.1", NULL },
		{ "192.168.1.1/24", NULL },
		{ "0x7f000001", NULL },
		{ "fe80::1%wan0", NULL },
		{ "fd77:::1", NULL },
		{ "1:2:3:4:5:6:7:8:9", NULL },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_inet inet;
		bool is_good = fb_inet_parse(rows[i].text, &inet);
		CHECK_ROW(rows[i].text, is_good == (rows[i].want != NULL));
		if (is_good)
			CHECK_STR(fb_inet_format(arena, &inet), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(prefix_is_read_and_printed_canonically)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "192.168.1.50/24", "192.168.1.50/24" },
		{ "0.0.0.0/0", "0.0.0.0/0" },
		{ "10.0.0.1/32", "10.0.0.1/32" },
		{ "FD77::0:1/64", "fd77::1/64" },
		{ "::/128", "::/128" },
		{ "10.0.0.1/33", NULL },
		{ "fd77::1/129", NULL },
		{ "10.0.0.1/", NULL },
		{ "10.0.0.1/024", NULL },
		{ "10.0.0.1/+24", NULL },
		{ "10.0.0.1/-1", NULL },
		{ "10.0.0.1/24x", NULL },
		{ "10.0.0.1/24/24", NULL },
		{ "10.0.0.1/255.255.255.0", NULL },
		{ "10.0.0.1/99999999999999999999", NULL },
		{ "10.0.0.1", NULL },
		{ "/24", NULL },
		{ "00000000000000000000000000000000000000000000000000000010.0.0.1/24", NULL },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_inet inet;
		bool is_good = fb_inet_parse_prefix(rows[i].text, &inet);
		CHECK_ROW(rows[i].text, is_good == (rows[i].want != NULL));
		if (is_good)
			CHECK_STR(fb_inet_format_prefix(arena, &inet), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(a_refused_text_leaves_the_output_alone)
{
	struct fb_inet inet = { .bits = 7 };
	CHECK(!fb_inet_parse("nonsense", &inet) && !fb_inet_parse_prefix("10.0.0.1/64", &inet));
	CHECK_INT(inet.bits, 7);
}

TEST(networks_contain_and_overlap)
{
	static const struct {
		const char *a, *b;
		bool contains, overlaps;	/* a contains b's address; both share an address */
	} rows[] = {
		{ "192.168.1.1/24", "192.168.1.254/24", true, true },
		{ "192.168.1.1/24", "192.168.2.1/24", false, false },
		{ "192.168.2.1/23", "192.168.3.1/24", true, true },
		{ "192.168.3.1/24", "192.168.2.1/23", false, true },
		{ "10.0.0.0/8", "10.255.255.255/32", true, true },
		{ "10.0.0.127/25", "10.0.0.128/25", false, false },
		{ "0.0.0.0/0", "203.0.113.7/32", true, true },
		{ "0.0.0.0/0", "fd77::1/64", false, false },
		{ "::/0", "fd77::1/64", true, true },
		{ "fd77::1/64", "fd77:0:0:1::1/64", false, false },
		{ "fd77::1/63", "fd77:0:0:1::1/64", true, true },
		{ "192.0.2.1/32", "192.0.2.1/24", true, true },
		{ "192.0.2.1/32", "192.0.2.2/32", false, false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_inet a = prefix_of(rows[i].a), b = prefix_of(rows[i].b);
		CHECK_ROW(rows[i].a, fb_inet_contains(&a, &b) == rows[i].contains);
		CHECK_ROW(rows[i].a, fb_inet_overlaps(&a, &b) == rows[i].overlaps);
		CHECK_ROW(rows[i].a, fb_inet_overlaps(&b, &a) == rows[i].overlaps);
	}
}

TEST(same_address_under_any_prefix)
{
	struct fb_inet a = prefix_of("192.0.2.1/24"), b = prefix_of("192.0.2.1/32"), c = prefix_of("192.0.2.2/24");
	CHECK(fb_inet_is_same(&a, &b));
	CHECK(!fb_inet_is_same(&a, &c));
}

TEST(first_and_last_address_of_a_network)
{
	static const struct {
		const char *text;
		bool is_network, is_broadcast;
	} rows[] = {
		{ "192.168.1.0/24", true, false },
		{ "192.168.1.1/24", false, false },
		{ "192.168.1.255/24", false, true },
		{ "192.168.1.255/23", false, true },
		{ "192.168.0.255/23", false, false },
		{ "192.168.1.0/23", false, false },
		{ "10.0.0.4/30", true, false },
		{ "10.0.0.7/30", false, true },
		{ "10.0.0.4/31", false, false },
		{ "10.0.0.5/31", false, false },
		{ "10.0.0.0/32", false, false },
		{ "fd77::/64", true, false },
		{ "fd77::ffff:ffff:ffff:ffff/64", false, false },
		{ "fd77::/127", false, false },
		{ "fd77::/128", false, false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_inet inet = prefix_of(rows[i].text);
		CHECK_ROW(rows[i].text, fb_inet_is_network(&inet) == rows[i].is_network);
		CHECK_ROW(rows[i].text, fb_inet_is_broadcast(&inet) == rows[i].is_broadcast);
	}
}

TEST(kinds_of_addresses)
{
	static const struct {
		const char *text;
		enum fb_inet_kind kind;
	} rows[] = {
		{ "192.168.1.1", FB_INET_UNICAST },	   { "100.64.0.1", FB_INET_UNICAST },
		{ "223.255.255.255", FB_INET_UNICAST },	   { "0.0.0.0", FB_INET_UNSPECIFIED },
		{ "0.1.2.3", FB_INET_UNSPECIFIED },	   { "127.0.0.1", FB_INET_LOOPBACK },
		{ "127.255.255.255", FB_INET_LOOPBACK },   { "128.0.0.1", FB_INET_UNICAST },
		{ "169.254.1.1", FB_INET_LINK_LOCAL },	   { "169.255.1.1", FB_INET_UNICAST },
		{ "224.0.0.1", FB_INET_MULTICAST },	   { "239.1.1.1", FB_INET_MULTICAST },
		{ "240.0.0.1", FB_INET_RESERVED },	   { "255.255.255.255", FB_INET_RESERVED },
		{ "::", FB_INET_UNSPECIFIED },		   { "::1", FB_INET_LOOPBACK },
		{ "::2", FB_INET_UNICAST },		   { "::ffff:10.0.0.1", FB_INET_RESERVED },
		{ "fe80::1", FB_INET_LINK_LOCAL },	   { "febf::1", FB_INET_LINK_LOCAL },
		{ "fec0::1", FB_INET_UNICAST },		   { "fd77::1", FB_INET_UNICAST },
		{ "ff02::1", FB_INET_MULTICAST },	   { "2001:db8::1", FB_INET_UNICAST },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_inet inet;
		CHECK_ROW(rows[i].text, fb_inet_parse(rows[i].text, &inet));
		CHECK_ROW(rows[i].text, fb_inet_kind(&inet) == rows[i].kind);
	}
}

TEST_MAIN()
