/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apt's own judgement on one mirror. */
#ifndef FB_MIRROR_JUDGE_H
#define FB_MIRROR_JUDGE_H

#include "sources.h"

struct fb_judged {
	const char *uri;
	const char *why;		/* "": apt accepts it; else why not */
	const char **release;		/* the signed list of each suite, in the order of suites */
	int64_t *date;			/* of each */
};

/* The suites that the sources of repo want, each once. */
void fb_mirror_suites(struct fb_arena *arena, const struct fb_sources *sources, enum fb_repo repo,
		      struct fb_strs *ret_suites);

/* Number nth gives the scratch directory its name. */
void fb_mirror_judge(struct fb_view *view, const struct fb_sources *sources, enum fb_repo repo,
		     const struct fb_strs *suites, size_t nth, struct fb_judged *judged);

/* Remove all scratch files. */
void fb_mirror_clean(struct fb_view *view);

#endif
