/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step: one concern, from its keys over its plan to what can be measured. */
#ifndef FB_STEP_H
#define FB_STEP_H

#include "plan.h"

enum fb_verdict { FB_HELD, FB_DIFFERS, FB_UNMEASURED };

struct fb_row {
	const char *key;		/* dotted path, with the title in it: login.user.taro */
	enum fb_verdict verdict;
	const char *wanted, *measured;	/* measured: the reason when FB_UNMEASURED */
};

struct fb_report {
	struct fb_view *view;
	struct fb_row *row;
	size_t n, cap;
};

/* Values of secret keys are never passed here. */
void fb_report_add(struct fb_report *report, const char *key, enum fb_verdict verdict, const char *wanted,
		   const char *measured);
/* FB_HELD if both are equal, else FB_DIFFERS. */
void fb_report_compare(struct fb_report *report, const char *key, const char *wanted, const char *measured);

struct fb_step {
	const char *name, *summary;
	bool each_boot;			/* what it sets is lost with the power: planned at every boot, see struct fb_engine */
	const struct fb_key *keys;
	size_t n_keys;
	/* Judge several keys together. May be NULL. */
	void (*check)(struct fb_conf *conf);
	/*
	 * Ask the network, before plan(), when apply runs online or by hand; the answer is in view->measured. It may take a
	 * while, but has limits of its own. NULL: nothing could be measured, plan() keeps what is there. May be NULL.
	 */
	const void *(*measure)(struct fb_view *view, const struct fb_conf *conf);
	/*
	 * conf is NULL when there is no accepted provision.conf: then only what must hold on any box of ours is planned.
	 * Pure over view and conf.
	 */
	void (*plan)(struct fb_plan *plan, const struct fb_conf *conf);
	/* One row for each key of this step, from live facts. conf is never NULL. May be NULL. */
	void (*probe)(struct fb_report *report, const struct fb_conf *conf);
};

extern const struct fb_step *const fb_steps[];
extern const size_t fb_n_steps;
size_t fb_step_keys(struct fb_arena *arena, struct fb_keys **ret_table);	/* all tables, in step order */

#endif
