/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which MAC address a port gets, and what its .link file says about it. */
#ifndef FB_PORTS_H
#define FB_PORTS_H

#include "mac.h"
#include "step.h"

/* Where an address came from. It stands in the .link file: a later run knows what it may keep. */
enum fb_mac_source {
	FB_MAC_LATER,		/* an image: the box draws or reads its own */
	FB_MAC_GIVEN,
	FB_MAC_RANDOM,
	FB_MAC_EEPROM,
	FB_MAC_CPUID,
	FB_MAC_FALLBACK,	/* random, since the board tells none */
	FB_MAC_KERNEL,
	FB_N_MAC_SOURCES
};
extern const char *const fb_mac_source_line[FB_N_MAC_SOURCES];

struct fb_port_mac {
	enum fb_mac_source source;
	bool has_mac;
	unsigned char mac[FB_MAC_LEN];
};

/* The .link file of a port, and what it says now. */
const char *fb_ports_path(struct fb_view *view, enum fb_port_role role);
struct fb_port_mac fb_ports_recorded(struct fb_view *view, enum fb_port_role role);
void fb_ports_decide(struct fb_view *view, const struct fb_config *config,
		     struct fb_port_mac ret_mac[FB_N_PORTS]);

#endif
