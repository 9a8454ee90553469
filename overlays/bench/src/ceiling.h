/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The greatest payload rate that a line can carry: arithmetic over frames, no measurement. */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include "base.h"

/*
 * Bytes that a frame costs beyond its IP packet. On the wire 14 MAC header, 4 FCS, 8 preamble and
 * start delimiter, 12 gap (IEEE 802.3, 3.1.1 and 4.4.2); a Linux shaper (tbf, htb) counts the MAC
 * header alone.
 */
enum { BENCH_FRAME_WIRE = 38, BENCH_FRAME_SHAPER = 14 };

enum bench_outer {
	BENCH_OUTER_NONE,
	BENCH_OUTER_WG4,
	BENCH_OUTER_WG6
}; /* WireGuard over IPv4, over IPv6 */

/* Zero is the plain case, but for line_mbps, mtu_bytes and family. */
struct bench_line {
	double line_mbps; /* of the port or the shaper */
	unsigned
		mtu_bytes; /* of the interface that the packets enter: 1500, or the tunnel's 1420 */
	int family; /* of the packets measured: 4 or 6 */
	bool is_udp;
	bool has_no_timestamps; /* TCP timestamps are on unless somebody turned them off */
	unsigned payload_bytes; /* of a datagram or segment; 0: as much as fits */
	enum bench_outer outer;
	bool has_pppoe;
	bool is_shaped; /* BENCH_FRAME_SHAPER instead of BENCH_FRAME_WIRE */
};

struct bench_ceiling {
	double mbps; /* payload, one direction; a full-duplex line carries it both ways at once */
	double frames_per_s;
	unsigned payload_bytes, frame_bytes;
};

/* -EINVAL and a message for a line that cannot be: no room for payload, a datagram that would be
 * fragmented. */
int bench_ceiling(const struct bench_line *line, struct bench_ceiling *ret_ceiling,
		  struct fb_error *err);

/* "1000 x 1448 / 1538; 1448 = 1500 - 20 IPv4 - 20 TCP - 12 timestamps; 1538 = 1500 + 38 Ethernet"
 */
const char *bench_ceiling_formula(struct fb_arena *arena, const struct bench_line *line,
				  const struct bench_ceiling *ceiling);

#endif
