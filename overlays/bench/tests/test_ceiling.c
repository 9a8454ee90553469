/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ceilings against the figures worked out by hand from the frame formats. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "ceiling.h"

static void check(const char *name, const struct bench_line *line, double want)
{
	struct bench_ceiling ceiling;
	struct fb_error err;
	if (bench_ceiling(line, &ceiling, &err) < 0)
		test_fail(__FILE__, __LINE__, "%s: %s", name, err.text);
	if (fabs(ceiling.mbps - want) > 0.005)
		test_fail(__FILE__, __LINE__, "%s: %.4f Mbit/s, wanted %.2f", name, ceiling.mbps,
			  want);
}

TEST(a_gigabit_line_carries_what_the_table_of_limits_says)
{
	static const struct {
		const char *name;
		unsigned mtu;
		enum bench_outer outer;
		bool has_pppoe;
		double tcp4, tcp6, udp4, udp6;
		unsigned frame;
	} rows[] = {
		{ "plain", 1500, BENCH_OUTER_NONE, false, 941.48, 928.48, 957.09, 944.08, 1538 },
		{ "WireGuard over IPv4, MTU 1420", 1420, BENCH_OUTER_WG4, false, 901.19, 888.01,
		  917.00, 903.82, 1518 },
		{ "WireGuard over IPv4, MTU 1440", 1440, BENCH_OUTER_WG4, false, 902.47, 889.47,
		  918.08, 905.07, 1538 },
		{ "WireGuard over IPv6, MTU 1420", 1420, BENCH_OUTER_WG6, false, 889.47, 876.46,
		  905.07, 892.07, 1538 },
		{ "WireGuard, IPv4, PPPoE", 1432, BENCH_OUTER_WG4, true, 897.27, 884.27, 912.87,
		  899.87, 1538 },
		{ "WireGuard, IPv6, PPPoE", 1412, BENCH_OUTER_WG6, true, 884.27, 871.26, 899.87,
		  886.87, 1538 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const double want[] = { rows[i].tcp4, rows[i].tcp6, rows[i].udp4, rows[i].udp6 };
		for (unsigned k = 0; k < FB_ARRAY_LEN(want); k++) {
			struct bench_line line = {
				.line_mbps = 1000,
				.mtu_bytes = rows[i].mtu,
				.outer = rows[i].outer,
				.has_pppoe = rows[i].has_pppoe,
				.family = k & 1 ? 6 : 4,
				.is_udp = k & 2,
			};
			struct bench_ceiling ceiling;
			struct fb_error err;
			check(rows[i].name, &line, want[k]);
			CHECK_INT(bench_ceiling(&line, &ceiling, &err), 0);
			CHECK_INT(ceiling.frame_bytes, rows[i].frame);
		}
	}
}

TEST(without_timestamps_a_little_more)
{
	struct bench_line line = {
		.line_mbps = 1000, .mtu_bytes = 1500, .family = 4, .has_no_timestamps = true
	};
	check("IPv4", &line, 949.28);
	line.family = 6;
	check("IPv6", &line, 936.28);
}

/* A 100 Mbit/s tbf line in namespaces showed 95 direct, 90 to 91 and 89 to 90 through the tunnel. */
TEST(a_shaper_counts_the_mac_header_alone)
{
	struct bench_line direct = {
		.line_mbps = 100, .mtu_bytes = 1500, .family = 4, .is_shaped = true
	};
	check("direct", &direct, 95.64);
	struct bench_line tunnel = direct;
	tunnel.mtu_bytes = 1420;
	tunnel.outer = BENCH_OUTER_WG4;
	check("tunnel, IPv4", &tunnel, 91.57);
	tunnel.family = 6;
	check("tunnel, IPv6", &tunnel, 90.23);
	direct.is_udp = true;
	direct.payload_bytes = 1448; /* what iperf3 takes: the MSS of its control connection */
	check("UDP of 1448 bytes", &direct, 97.18);
}

TEST(frames_per_second)
{
	static const struct {
		unsigned mtu;
		enum bench_outer outer;
		double want;
	} rows[] = {
		{ 1500, BENCH_OUTER_NONE, 81274 },
		{ 1420, BENCH_OUTER_WG4, 82345 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct bench_line line = { .line_mbps = 1000,
					   .mtu_bytes = rows[i].mtu,
					   .family = 4,
					   .outer = rows[i].outer };
		struct bench_ceiling ceiling;
		struct fb_error err;
		CHECK_INT(bench_ceiling(&line, &ceiling, &err), 0);
		CHECK(fabs(ceiling.frames_per_s - rows[i].want) < 1);
	}
}

/* 1000 bytes of UDP make a packet of 1028; WireGuard fills it up to 1040. At full size nothing is
 * filled up. */
TEST(the_tunnel_pads_small_packets)
{
	struct bench_line line = {
		.line_mbps = 1000,
		.mtu_bytes = 1420,
		.family = 4,
		.is_udp = true,
		.payload_bytes = 1000,
		.outer = BENCH_OUTER_WG4,
	};
	struct bench_ceiling ceiling;
	struct fb_error err;
	CHECK_INT(bench_ceiling(&line, &ceiling, &err), 0);
	CHECK_INT(ceiling.frame_bytes, 1040 + 60 + 38);
	line.payload_bytes = 0;
	CHECK_INT(bench_ceiling(&line, &ceiling, &err), 0);
	CHECK_INT(ceiling.frame_bytes, 1420 + 60 + 38);
}

TEST(the_formula_shows_every_byte)
{
	static const struct {
		struct bench_line line;
		const char *want;
	} rows[] = {
		{ { .line_mbps = 1000, .mtu_bytes = 1500, .family = 4 },
		  "1000 x 1448 / 1538; 1448 = 1500 - 20 IPv4 - 20 TCP - 12 timestamps; 1538 = 1500 + 38 Ethernet" },
		{ { .line_mbps = 1000,
		    .mtu_bytes = 1412,
		    .family = 6,
		    .is_udp = true,
		    .outer = BENCH_OUTER_WG6,
		    .has_pppoe = true },
		  "1000 x 1364 / 1538; 1364 = 1412 - 40 IPv6 - 8 UDP; "
		  "1538 = 1412 + 80 WireGuard over IPv6 + 8 PPPoE + 38 Ethernet" },
		{ { .line_mbps = 100,
		    .mtu_bytes = 1420,
		    .family = 4,
		    .is_udp = true,
		    .payload_bytes = 1000,
		    .outer = BENCH_OUTER_WG4,
		    .is_shaped = true },
		  "100 x 1000 / 1114; 1000 = 1028 - 20 IPv4 - 8 UDP; "
		  "1114 = 1028 + 12 padding + 60 WireGuard over IPv4 + 14 MAC (shaper)" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct bench_ceiling ceiling;
		struct fb_error err;
		CHECK_INT(bench_ceiling(&rows[i].line, &ceiling, &err), 0);
		CHECK_STR(bench_ceiling_formula(arena, &rows[i].line, &ceiling), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(lines_that_cannot_be_are_refused)
{
	static const struct {
		const char *name;
		struct bench_line line;
		const char *want;
	} rows[] = {
		{ "no speed",
		  { .mtu_bytes = 1500, .family = 4 },
		  "ceiling: the speed of the line is not known" },
		{ "NAN",
		  { .line_mbps = NAN, .mtu_bytes = 1500, .family = 4 },
		  "ceiling: the speed of the line is not known" },
		{ "family",
		  { .line_mbps = 1, .mtu_bytes = 1500, .family = 5 },
		  "ceiling: address family 5; it is 4 or 6" },
		{ "MTU",
		  { .line_mbps = 1, .mtu_bytes = 52, .family = 4 },
		  "ceiling: MTU 52; it is between 53 and 65535" },
		{ "fragments",
		  { .line_mbps = 1,
		    .mtu_bytes = 1420,
		    .family = 4,
		    .is_udp = true,
		    .payload_bytes = 1448 },
		  "ceiling: 1448 bytes of payload do not fit in one packet; MTU 1420 has room for 1392" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct bench_ceiling ceiling = { .mbps = -1 };
		struct fb_error err;
		CHECK_ROW(rows[i].name, bench_ceiling(&rows[i].line, &ceiling, &err) == -EINVAL);
		CHECK_STR(err.text, rows[i].want);
		CHECK_ROW(rows[i].name, ceiling.mbps == -1);
	}
}

TEST_MAIN()
