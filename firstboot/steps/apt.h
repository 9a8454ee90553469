/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the steps around apt share. */
#ifndef FB_STEPS_APT_H
#define FB_STEPS_APT_H

#include "sources.h"
#include "step.h"

/* What is to be done once on this box, and is not yet. */
struct fb_apt_due {
	struct fb_strs wanted;		/* packages */
	struct fb_strs missing;		/* of them */
	const char *packages_token;	/* NULL: done */
	const char *upgrade_token;	/* NULL: done, or not wanted */
};
void fb_apt_due(struct fb_view *view, const struct fb_apt *apt, struct fb_apt_due *ret_due);

/* The package that is taken only where a source has it: its repository is not on each image. */
#define FB_APT_OPTIONAL "armbian-config"
/* apt's preferences while the upgrade runs: the owner's, and no version of kernel and boot loader allowed. */
#define FB_APT_PREFERENCES "/run/r4s/apt-preferences"
#define FB_APT_UPGRADE "upgrade"
#define FB_APT_KERNEL_UPGRADE "kernel-upgrade"

/* What apt says about the work that is due. */
struct fb_apt_asked {
	struct fb_apt_due due;		/* before anything was done in this run */
	const char *update_why;		/* "": the lists are fresh; else why not */
	bool is_interrupted;		/* a power cut in the midst of dpkg: apt does nothing before that is repaired */
	struct fb_strs found, unknown;	/* of the missing packages: a source has them; none has */
	const char *broken_why;		/* "": what is found can be installed; else why not */
	int64_t need_bytes, free_bytes;
	const char *uri[FB_N_REPOS];	/* mirrors of provision.conf that are in use; NULL: none of that repository */
};
struct fb_apt_asked *fb_apt_ask(struct fb_view *view, const struct fb_apt_due *due);

/* apt-get with the options that keep it from asking and from waiting for ever, then the words, then the packages. */
const char *const *fb_apt_get(struct fb_arena *arena, const char *const *words, const struct fb_strs *packages);
/* Never a removal: what could only be upgraded by one is kept back. */
const char *const *fb_apt_upgrade_words(const char *token);
/* Bytes that a run takes, from what apt-get --print-uris says: what it fetches, and the room afterwards. */
int64_t fb_apt_room(const char *said);

/* The files of apt's sources with these addresses. */
void fb_apt_plan_sources(struct fb_plan *plan, const struct fb_sources *sources, const char *const uri[FB_N_REPOS]);
void fb_apt_in_use(struct fb_view *view, const struct fb_apt *apt, const char *ret_uri[FB_N_REPOS]);

fb_valid_fn fb_valid_mirror, fb_valid_package;

#endif
