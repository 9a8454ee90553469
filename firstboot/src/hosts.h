/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one line of /etc/hosts that is ours. */
#ifndef FB_HOSTS_H
#define FB_HOSTS_H

#include "base.h"

/*
 * The text of /etc/hosts in which 127.0.1.1 (Debian's address for the machine's own name) is
 * hostname, and its first label if it has several. All other lines stay byte for byte. old: NULL
 * if there is no file.
 */
const char *fb_hosts_text(struct fb_arena *arena, const char *old, const char *hostname);

#endif
