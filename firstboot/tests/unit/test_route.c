/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Default gateways out of the texts of procfs. */
#include "route.h"

#include "test.h"

TEST(default_gateways)
{
	/* 192.168.1.1 and 192.168.77.254 as a little-endian kernel prints them; a tests' host is one. */
	static const char route[] =
		"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
		"wan0\t00000000\t0101A8C0\t0003\t0\t0\t1024\t00000000\t0\t0\t0\n"
		"wan0\t00000000\t0101A8C0\t0003\t0\t0\t2048\t00000000\t0\t0\t0\n"
		"lan0\t00000000\tFE4DA8C0\t0003\t0\t0\t4096\t00000000\t0\t0\t0\n"
		"wan0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
		"wan0\t00000000\t0201A8C0\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
		"wg0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n";
	static const char ipv6_route[] =
		"fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     wan0\n"
		"00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000211220000334455 00000400 00000001 00000000 00450003     wan0\n"
		"00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
		"20010db8000000000000000000000000 20 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00450003     wan0\n";
	struct fb_arena *arena = fb_arena_new();
	struct fb_strs found = fb_route_gateways(arena, "wan0", route, ipv6_route);
	CHECK_INT(found.n, 2);
	CHECK_STR(found.item[0], "192.168.1.1");
	CHECK_STR(found.item[1], "fe80::211:2200:33:4455");
	found = fb_route_gateways(arena, "lan0", route, ipv6_route);
	CHECK_INT(found.n, 1);
	CHECK_STR(found.item[0], "192.168.77.254");
	CHECK_INT(fb_route_gateways(arena, "wg0", route, ipv6_route).n, 0);
	CHECK_INT(fb_route_gateways(arena, "wan0", "short\nline\n", "x\n").n, 0);
	CHECK_INT(fb_route_gateways(arena, "wan0", NULL, NULL).n, 0);
	fb_arena_free(arena);
}

TEST_MAIN()
