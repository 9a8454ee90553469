/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The light on the box tells a person who has nothing else how far it is. Which light and which patterns: board.conf. */
#ifndef FB_LED_H
#define FB_LED_H

#include "board.h"

/* A box without lights, or a board whose data names none, is no error. -EINVAL: the data is off, or the kernel lacks it. */
int fb_led_show(struct fb_fs *fs, struct fb_arena *arena, const struct fb_board *board, enum fb_led led,
		struct fb_error *err);

#endif
