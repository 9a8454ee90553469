/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * provision.conf as plain data. A step fills its part through its key table (see key.h) and any step may read all of it.
 * Strings are never NULL: a key that was not given and has no default is "".
 */
#ifndef FB_CONFIG_H
#define FB_CONFIG_H

#include "base.h"

/* Titled sections of one kind, in file order; item points to n of them. */
struct fb_array {
	void *item;
	size_t n;
};

/* Every titled section starts with this. */
struct fb_titled {
	const char *title;
};

struct fb_user {
	struct fb_titled head;			/* login name */
	struct fb_strs keys;			/* authorized_keys lines */
	const char *password_hash;		/* crypt(5), "" = no password */
	struct fb_strs groups;			/* supplementary */
	const char *shell;
};

struct fb_login {
	struct fb_strs root_keys;
	const char *root_password_hash;		/* crypt(5), "" = locked */
	bool ssh_password;
	struct fb_array users;			/* of struct fb_user */
};

struct fb_time {
	const char *timezone;
	struct fb_strs ntp_pools, ntp_servers;
};

struct fb_port {
	const char *mac;			/* random, board, keep or aa:bb:cc:dd:ee:ff */
	const char *method;			/* dhcp or static */
	struct fb_strs address;			/* ADDRESS/PREFIX, both families */
	struct fb_strs gateway, dns;		/* addresses, both families */
	const char *domain;
};

struct fb_cpu {
	const char *governor;
	long min_khz, max_khz;			/* 0: the board's own limit */
};

struct fb_apt {
	struct fb_strs armbian_mirrors, mirrors;	/* addresses of repositories, best guess first; none: keep */
	struct fb_strs packages;
	bool upgrade, kernel_upgrade, unattended_upgrades;
};

enum fb_port_role { FB_WAN, FB_LAN, FB_N_PORTS };

struct fb_config {
	const char *hostname;
	struct fb_login login;
	struct fb_time time;
	struct fb_port port[FB_N_PORTS];
	struct fb_apt apt;
	struct fb_cpu cpu;
};

#endif
