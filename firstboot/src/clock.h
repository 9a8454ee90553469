/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a box without a battery: never earlier than the image or the last known time, and right soon after there is
 * a network. chrony measures and sets the time; this is what happens before it can, and what helps it when it could not.
 */
#ifndef FB_CLOCK_H
#define FB_CLOCK_H

#include "env.h"

/* The kernel's clock. A test brings one of its own. */
struct fb_clock {
	/* is_synced: an NTP client has set it and claims to be less than a second off. */
	int (*read)(struct fb_clock *clock, time_t *ret_now, bool *ret_is_synced, struct fb_error *err);
	int (*set)(struct fb_clock *clock, time_t now, struct fb_error *err);
};

extern struct fb_clock fb_clock_kernel;

/* At boot: raise the clock to its floor. *ret_text says what was done, NULL if nothing had to be. */
int fb_clock_floor(struct fb_fs *fs, struct fb_arena *arena, struct fb_clock *clock, const char **ret_text,
		   struct fb_error *err);

/* Now and then, and when the box goes off: keep the time for the next boot. A clock that is not known to be right only
 * moves it on. */
int fb_clock_save(struct fb_fs *fs, struct fb_arena *arena, struct fb_clock *clock, struct fb_error *err);

/* Until the clock is right, however long that takes: let chrony look names up and ask again when the network changes. */
int fb_clock_sync(struct fb_env *env, struct fb_fs *fs, struct fb_error *err);

#endif
