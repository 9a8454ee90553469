/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The greatest payload rate that a line can carry. */
#include "ceiling.h"

#include <errno.h>

/* Header sizes: RFC 791, RFC 8200, RFC 9293, RFC 7323 (timestamps, padded to 12), RFC 768, RFC
 * 2516. */
enum { IP4 = 20, IP6 = 40, TCP = 20, TIMESTAMPS = 12, UDP = 8, PPPOE = 8 };
/* A WireGuard data packet: 16 header, 16 Poly1305 tag; the plain packet is padded to a multiple of
 * 16, the padding being clamped at the tunnel's MTU (drivers/net/wireguard/send.c,
 * calculate_skb_padding). */
enum { WG_HEADER = 16, WG_TAG = 16, WG_PAD = 16 };

static const struct outer {
	unsigned bytes;
	const char *text;
} outers[] = {
	[BENCH_OUTER_NONE] = { 0, "" },
	[BENCH_OUTER_WG4] = { IP4 + UDP + WG_HEADER + WG_TAG, " + 60 WireGuard over IPv4" },
	[BENCH_OUTER_WG6] = { IP6 + UDP + WG_HEADER + WG_TAG, " + 80 WireGuard over IPv6" },
};

static unsigned headers(const struct bench_line *line)
{
	return (line->family == 6 ? IP6 : IP4) +
	       (line->is_udp ? UDP : TCP + (line->has_no_timestamps ? 0 : TIMESTAMPS));
}

static unsigned frame_overhead(const struct bench_line *line)
{
	return (line->is_shaped ? BENCH_FRAME_SHAPER : BENCH_FRAME_WIRE) +
	       (line->has_pppoe ? PPPOE : 0);
}

/* What a packet of so many bytes is when the tunnel has padded it. */
static unsigned padded(const struct bench_line *line, unsigned packet)
{
	if (line->outer == BENCH_OUTER_NONE)
		return packet;
	unsigned up = (packet + WG_PAD - 1) / WG_PAD * WG_PAD;
	return up < line->mtu_bytes ? up : line->mtu_bytes;
}

int bench_ceiling(const struct bench_line *line, struct bench_ceiling *ret_ceiling,
		  struct fb_error *err)
{
	if (!(line->line_mbps > 0))
		return fb_fail(err, EINVAL, "ceiling: the speed of the line is not known");
	if (line->family != 4 && line->family != 6)
		return fb_fail(err, EINVAL, "ceiling: address family %d; it is 4 or 6",
			       line->family);
	unsigned head = headers(line);
	if (line->mtu_bytes <= head || line->mtu_bytes > 65535)
		return fb_fail(err, EINVAL, "ceiling: MTU %u; it is between %u and 65535",
			       line->mtu_bytes, head + 1);
	unsigned room = line->mtu_bytes - head;
	if (line->payload_bytes > room)
		return fb_fail(
			err, EINVAL,
			"ceiling: %u bytes of payload do not fit in one packet; MTU %u has room for %u",
			line->payload_bytes, line->mtu_bytes, room);
	unsigned payload = line->payload_bytes ? line->payload_bytes : room;
	unsigned frame =
		padded(line, payload + head) + outers[line->outer].bytes + frame_overhead(line);
	*ret_ceiling = (struct bench_ceiling){
		.mbps = line->line_mbps * payload / frame,
		.frames_per_s = line->line_mbps * 1e6 / 8 / frame,
		.payload_bytes = payload,
		.frame_bytes = frame,
	};
	return 0;
}

const char *bench_ceiling_formula(struct fb_arena *arena, const struct bench_line *line,
				  const struct bench_ceiling *ceiling)
{
	struct fb_buf buf = { .arena = arena };
	unsigned packet = ceiling->payload_bytes + headers(line), inner = padded(line, packet);
	fb_buf_add(&buf, "%g x %u / %u; %u = %u", line->line_mbps, ceiling->payload_bytes,
		   ceiling->frame_bytes, ceiling->payload_bytes, packet);
	fb_buf_add(&buf, " - %u IPv%d - %u %s", line->family == 6 ? IP6 : IP4,
		   line->family == 6 ? 6 : 4, line->is_udp ? UDP : TCP,
		   line->is_udp ? "UDP" : "TCP");
	if (!line->is_udp && !line->has_no_timestamps)
		fb_buf_add(&buf, " - %u timestamps", TIMESTAMPS);
	fb_buf_add(&buf, "; %u = %u", ceiling->frame_bytes, packet);
	if (inner != packet)
		fb_buf_add(&buf, " + %u padding", inner - packet);
	fb_buf_add(&buf, "%s", outers[line->outer].text);
	if (line->has_pppoe)
		fb_buf_add(&buf, " + %u PPPoE", PPPOE);
	fb_buf_add(&buf, line->is_shaped ? " + %u MAC (shaper)" : " + %u Ethernet",
		   line->is_shaped ? BENCH_FRAME_SHAPER : BENCH_FRAME_WIRE);
	return fb_buf_text(&buf);
}
