/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that chrony reads and the lines that chronyc prints, as texts. */
#ifndef FB_CHRONY_H
#define FB_CHRONY_H

#include "base.h"
#include "config.h"

/* The file for /etc/chrony/sources.d. */
const char *fb_chrony_sources(struct fb_arena *arena, const struct fb_time *time);

/*
 * chrony.conf without any source of the distribution's, reading ours, and with a step at the start.
 * All other lines stay byte for byte.
 */
const char *fb_chrony_conf(struct fb_arena *arena, const char *old);

/* Servers of NICT, Japan's national time service, which asks for at most 20 queries an hour. */
bool fb_chrony_is_nict(const char *host);

/*
 * How the configured names fare, from the output of "chronyc -c -N sources": a text, and whether
 * all answer and the clock follows one source.
 */
const char *fb_chrony_judge(struct fb_arena *arena, const struct fb_strs *names,
			    const char *sources, bool *ret_is_held);

#endif
