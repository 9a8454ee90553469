/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the network step share: network.c says what the ports are, network-system.c
 * gets the rest of the system to agree, network-check.c judges, network-probe.c measures.
 */
#ifndef FB_NETWORK_H
#define FB_NETWORK_H

#include "step.h"

#define FB_NETWORK_HEAD "# Written by r4s-firstboot from provision.conf; edit that file instead.\n"

enum fb_method {
	FB_METHOD_NONE,
	FB_METHOD_DHCP,
	FB_METHOD_STATIC
}; /* NONE: a word that its key refuses */
enum fb_method fb_network_method(const struct fb_port *port);

/* The .network file of a port, and where it belongs. */
const char *fb_network_path(struct fb_arena *arena, enum fb_port_role role);
const char *fb_network_text(struct fb_arena *arena, enum fb_port_role role,
			    const struct fb_port *port);

void fb_network_plan_units(struct fb_plan *plan);
void fb_network_plan_resolver(struct fb_plan *plan,
			      const struct fb_port *port); /* of FB_N_PORTS ports */
bool fb_network_plan_netplan(struct fb_plan *plan); /* whether networkd's own files of this boot change */
void fb_network_plan_managers(struct fb_plan *plan);

fb_valid_fn fb_network_valid_address, fb_network_valid_gateway, fb_network_valid_dns;
void fb_network_check(struct fb_conf *conf);

void fb_network_probe(struct fb_report *report, const struct fb_conf *conf);

#endif
