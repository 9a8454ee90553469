/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apt's tools in a unit of their own. Our sandbox is too tight for maintainer scripts; and an upgrade must not die with
 * the program or the login that asked for it.
 */
#ifndef FB_APT_RUN_H
#define FB_APT_RUN_H

#include "base.h"

enum fb_apt_room {
	FB_APT_SYSTEM,		/* may change the system. Only one at a time: a second one fails, to be tried again */
	FB_APT_JUDGE,		/* user _apt, no privilege, may write to /run/r4s/mirror only */
};

/* The command line that runs tool (ends with NULL) and waits for it. systemd ends it after limit_s. */
const char *const *fb_apt_argv(struct fb_arena *arena, enum fb_apt_room room, unsigned limit_s, const char *const *tool);

/* How long to wait for such a command line. */
unsigned fb_apt_wait_ms(unsigned limit_s);

/* What the tool said, from the message of its failed run. */
const char *fb_apt_reason(struct fb_arena *arena, const char *message);

#endif
