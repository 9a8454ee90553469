/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dpkg's own records say, as texts. */
#ifndef FB_DPKG_H
#define FB_DPKG_H

#include "base.h"

#define FB_DPKG_STATUS "/var/lib/dpkg/status"
#define FB_DPKG_DIVERSIONS "/var/lib/dpkg/diversions"

/* Installed under that name, or provided by what is installed. status: text of FB_DPKG_STATUS. */
bool fb_dpkg_has(struct fb_arena *arena, const char *status, const char *name);

/* A package is half installed or not configured: an earlier run was cut. */
bool fb_dpkg_is_interrupted(struct fb_arena *arena, const char *status);

/* Whether a local diversion moves path away; the text of FB_DPKG_DIVERSIONS with one that does. */
bool fb_dpkg_is_diverted(const char *diversions, const char *path, const char *to);
const char *fb_dpkg_divert(struct fb_arena *arena, const char *diversions, const char *path, const char *to);

#endif
