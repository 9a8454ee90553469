/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which mirror to use. A candidate counts only if apt itself accepts its signed list of each wanted suite, if that is
 * fresh, and if the index that it names is there; of several good ones the fastest is taken.
 */
#ifndef FB_MIRROR_H
#define FB_MIRROR_H

#include "sources.h"

struct fb_mirror_choice {
	bool is_asked;			/* there are candidates, and sources to use them for */
	const char *uri;		/* NULL: none is good */
	struct fb_strs why;		/* of each candidate that was refused: "ADDRESS: reason" */
};

/* Asks the network, with limits. Scratch files lie in /run/r4s/mirror and are removed. */
void fb_mirror_choose(struct fb_view *view, const struct fb_sources *sources, enum fb_repo repo,
		      const struct fb_strs *candidates, struct fb_mirror_choice *ret_choice);

#endif
