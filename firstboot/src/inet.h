/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IPv4 and IPv6 addresses and prefixes as values: read, print, compare. */
#ifndef FB_INET_H
#define FB_INET_H

#include "base.h"

struct fb_inet {
	unsigned bits;			/* of the family: 32 or 128 */
	unsigned prefix;		/* bits of the network part; == bits for an address alone */
	unsigned char byte[16];		/* network order; IPv4 uses the first four */
};

enum fb_inet_kind {
	FB_INET_UNICAST,
	FB_INET_UNSPECIFIED,
	FB_INET_LOOPBACK,
	FB_INET_LINK_LOCAL,
	FB_INET_MULTICAST,
	FB_INET_RESERVED,
};

/* ADDRESS, and ADDRESS/PREFIX. */
bool fb_inet_parse(const char *text, struct fb_inet *ret_inet);
bool fb_inet_parse_prefix(const char *text, struct fb_inet *ret_inet);

/* The same two as canonical text (RFC 5952 for IPv6). */
const char *fb_inet_format(struct fb_arena *arena, const struct fb_inet *inet);
const char *fb_inet_format_prefix(struct fb_arena *arena, const struct fb_inet *inet);

enum fb_inet_kind fb_inet_kind(const struct fb_inet *inet);
bool fb_inet_is_same(const struct fb_inet *a, const struct fb_inet *b);	/* whatever the prefixes */
bool fb_inet_contains(const struct fb_inet *net, const struct fb_inet *address);
bool fb_inet_overlaps(const struct fb_inet *a, const struct fb_inet *b);

/*
 * Whether the address is the first of its network (in IPv6 the anycast address of the routers in
 * it), or the last of an IPv4 one. Never with /31, /32, /127 and /128, where every address is a
 * host (RFC 3021, RFC 6164).
 */
bool fb_inet_is_network(const struct fb_inet *inet);
bool fb_inet_is_broadcast(const struct fb_inet *inet);

#endif
