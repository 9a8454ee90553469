/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's routes as procfs tells them. */
#ifndef FB_ROUTE_H
#define FB_ROUTE_H

#include "base.h"

/*
 * Default gateways over a link, from the texts of /proc/net/route and /proc/net/ipv6_route (either
 * may be NULL).
 */
struct fb_strs fb_route_gateways(struct fb_arena *arena, const char *link, const char *route,
				 const char *ipv6_route);

#endif
