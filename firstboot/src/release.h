/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a signed list (InRelease, Release) of a repository says. */
#ifndef FB_RELEASE_H
#define FB_RELEASE_H

#include "base.h"

/* A field of its head, "" if it is not there. */
const char *fb_release_field(struct fb_arena *arena, const char *release, const char *name);

/* The field "Date" in seconds since 1970, 0 if it is not there or no date. */
int64_t fb_release_date(struct fb_arena *arena, const char *release);

/* The compressed index of component and architecture: its path below dists/SUITE and its size. NULL: there is none. */
const char *fb_release_index(struct fb_arena *arena, const char *release, const char *component, const char *arch,
			     int64_t *ret_size_bytes);

#endif
