/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the shared validators let pass, and with which words they refuse the rest. */
#include "valid.h"

#include "test.h"

struct row {
	const char *value, *want;	/* NULL: good */
};

#define HOST "is not a host name; allowed are letters, digits, '-', and dots between parts, such as r4s-router"
#define DOMAIN "is not a domain name; allowed are letters, digits, '-', and dots between parts, such as home.arpa"
#define EMPTY "has an empty part: no dot may stand at the start, at the end or beside another"
#define HYPHEN "has a part that begins or ends with '-'"
#define LONG_PART "has a part of more than 63 characters between its dots"
#define DIGITS_ONLY "ends in a part of digits only, which reads as an address; put a letter into it"
#define ADDRESS "is not an IPv4 or IPv6 address, such as 192.168.1.1 or 2001:db8::1"
#define CIDR "is not ADDRESS/PREFIX, such as 192.168.1.50/24 or fd77::1/64"
#define ANY_HOST "is not a host; write a name such as time.example.net, or an IPv4 or IPv6 address"
#define X10 "xxxxxxxxxx"
#define X60 X10 X10 X10 X10 X10 X10

static void judge(fb_valid_fn *valid, const struct row *row, size_t n)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < n; i++) {
		const char *got = valid(arena, row[i].value);
		if (got != row[i].want && (!got || !row[i].want || strcmp(got, row[i].want)))
			test_fail(__FILE__, __LINE__, "[%s] %s, wanted %s", row[i].value, got ? got : "good",
				  row[i].want ? row[i].want : "good");
	}
	fb_arena_free(arena);
}

TEST(hostname)
{
	static const struct row rows[] = {
		{ "r4s-tokyo", NULL },
		{ "R4S", NULL },
		{ "a", NULL },
		{ "7gw", NULL },
		{ "3.gw.example.net", NULL },
		{ X60 "abc", NULL },
		{ X60 ".abc", NULL },
		{ X60 "abcd", LONG_PART },
		{ X60 ".abcd", "is longer than 64 characters, the limit of Linux for a host name" },
		{ "", HOST },
		{ "r4s tokyo", HOST },
		{ "r4s_tokyo", HOST },
		{ "r4s;reboot", HOST },
		{ "$(reboot)", HOST },
		{ "`reboot`", HOST },
		{ "r4s%n", HOST },
		{ "r4s\n", HOST },
		{ "r4s\"", HOST },
		{ "t\xc3\xb6kyo", HOST },
		{ "r4s/../x", HOST },
		{ "gw.", EMPTY },
		{ ".gw", EMPTY },
		{ "gw..net", EMPTY },
		{ ".", EMPTY },
		{ "-gw", HYPHEN },
		{ "gw-", HYPHEN },
		{ "gw.-a.net", HYPHEN },
		{ "12345", DIGITS_ONLY },
		{ "192.168.1.1", DIGITS_ONLY },
		{ "Localhost", "is the name that every machine has for itself; choose another, such as r4s-router" },
	};
	judge(fb_valid_hostname, rows, FB_ARRAY_LEN(rows));
}

TEST(domain)
{
	static const struct row rows[] = {
		{ "home.arpa", NULL },
		{ "lan", NULL },
		{ "ntp.jst.mfeed.ad.jp", NULL },
		{ "xn--r8jz45g.example", NULL },
		{ X60 "." X60 "." X60 "." X60 "." "abcdefghi", NULL },
		{ X60 "." X60 "." X60 "." X60 "." "abcdefghij", "is longer than 253 characters, the limit of DNS for a name" },
		{ "home.arpa.", EMPTY },
		{ "~.", DOMAIN },
		{ "home arpa", DOMAIN },
		{ "home.arpa\nDNS=1.1.1.1", DOMAIN },
		{ "", DOMAIN },
		{ "10.0.0.1", DIGITS_ONLY },
	};
	judge(fb_valid_domain, rows, FB_ARRAY_LEN(rows));
}

TEST(address)
{
	static const struct row rows[] = {
		{ "192.168.1.1", NULL },
		{ "2001:db8::1", NULL },
		{ "192.168.1.1/24", "has a prefix length; write the address alone, such as 192.168.1.1" },
		{ "192.168.1.500", ADDRESS },
		{ "192.168.1", ADDRESS },
		{ "fe80::1%wan0", ADDRESS },
		{ "dns.example.net", ADDRESS },
		{ "1.1.1.1;id", ADDRESS },
		{ "", ADDRESS },
	};
	judge(fb_valid_address, rows, FB_ARRAY_LEN(rows));
}

TEST(cidr)
{
	static const struct row rows[] = {
		{ "192.168.1.50/24", NULL },
		{ "0.0.0.0/0", NULL },
		{ "fd77::1/64", NULL },
		{ "192.168.1.50", "has no prefix length; write ADDRESS/PREFIX, such as 192.168.1.50/24" },
		{ "fd77::1", "has no prefix length; write ADDRESS/PREFIX, such as fd77::1/64" },
		{ "192.168.1.500/24", CIDR },
		{ "192.168.1.50/33", CIDR },
		{ "fd77::1/129", CIDR },
		{ "192.168.1.50/255.255.255.0", CIDR },
		{ "192.168.1.50/24 ", CIDR },
		{ "", CIDR },
	};
	judge(fb_valid_cidr, rows, FB_ARRAY_LEN(rows));
}

TEST(host)
{
	static const struct row rows[] = {
		{ "ntp.nict.jp", NULL },
		{ "192.168.1.1", NULL },
		{ "2001:db8::123", NULL },
		{ "192.168.1.300", ANY_HOST },
		{ "192.168.1.1/24", ANY_HOST },
		{ "ntp.nict.jp iburst", ANY_HOST },
		{ "ntp_1.example.net", ANY_HOST },
		{ "", ANY_HOST },
	};
	judge(fb_valid_host, rows, FB_ARRAY_LEN(rows));
}

TEST(choice)
{
	static const char *const words[] = { "dhcp", "static", "none" };
	struct fb_arena *arena = fb_arena_new();
	CHECK_STR(fb_valid_choice(arena, "dhcp", words, 2), NULL);
	CHECK_STR(fb_valid_choice(arena, "static", words, 2), NULL);
	CHECK_STR(fb_valid_choice(arena, "none", words, 2), "is not one of dhcp, static");
	CHECK_STR(fb_valid_choice(arena, "DHCP", words, 3), "is not one of dhcp, static, none");
	CHECK_STR(fb_valid_choice(arena, "", words, 1), "is not one of dhcp");
	fb_arena_free(arena);
}

TEST_MAIN()
