/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a step wants. Each fb_want_*() compares with the disk and adds a change only where they differ, so a plan made
 * after its own execution is empty. Only the engine performs changes.
 */
#ifndef FB_PLAN_H
#define FB_PLAN_H

#include "board.h"
#include "conf.h"
#include "env.h"

enum fb_kind {
	FB_FILE,		/* whole content, mode and owner; those of one group are staged together */
	FB_DIR,
	FB_LINK,
	FB_REMOVE,
	FB_MODE,		/* of what exists */
	FB_ATTR,		/* one write into sysfs or procfs */
	FB_EXEC,		/* a tool of the box; may produce files */
	FB_UNIT,
};

/* When a change can be carried out. What cannot be done now is deferred, never an error. */
enum fb_when {
	FB_ANYTIME,		/* also offline */
	FB_LIVE,		/* on the running box */
	FB_AT_BOOT,		/* only in the early stage: never on a live link */
	FB_WITH_BUS,		/* when units can be asked for: not early */
	FB_ONLINE,		/* when there is a network and a right clock: the online stage, or by hand */
};

/* A file that an exec leaves in its work directory, and where it belongs. */
struct fb_product {
	const char *name, *path;
	mode_t mode;
	bool is_secret;
};

struct fb_change {
	enum fb_kind kind;
	enum fb_when when;
	const char *path;		/* FB_UNIT: the unit; FB_EXEC: a word for what it does */
	const char *why;
	unsigned group;			/* files with the same number are published together; 0: alone */
	bool is_secret;			/* content is never shown */
	const char *text, *old;		/* FB_FILE, FB_ATTR; old: what stands there, NULL if nothing */
	size_t len;
	mode_t mode;
	uid_t uid;
	gid_t gid;
	const char *target;		/* FB_LINK */
	const char *const *argv;	/* FB_EXEC: "@work@" is replaced by the path of a private directory */
	unsigned timeout_ms;
	const char *once;		/* FB_EXEC: recorded when it has succeeded, see struct fb_facts; NULL: no */
	bool is_retryable;		/* FB_EXEC: its failure is no fault of the box; the stage ends with "try again" */
	const struct fb_product *product;
	size_t n_products;
	enum fb_verb verb;		/* FB_UNIT */
};

/* What has to happen after a file is in place. It is recorded before, since it cannot be seen on the disk. */
enum fb_impact { FB_QUIET, FB_LINK_DROP, FB_REBOOT };
struct fb_follow {
	const char *unit;		/* NULL with FB_REBOOT */
	enum fb_verb verb;
	enum fb_impact impact;
	const char *why;
};

/* The read-only world a plan is made from. */
struct fb_view {
	struct fb_fs *fs;
	struct fb_arena *arena;
	const struct fb_facts *facts;
	const struct fb_board *board;	/* NULL: the image carries no board data */
	struct fb_env *env;		/* for fb_view_ask() */
	const void *measured;		/* what measure() of this step found (see struct fb_step); NULL: it was not asked */
	int rc;				/* the first failed read; readers go on with "absent" and the engine drops the plan */
	struct fb_error err;
};

/* NULL: not there (or a failed read, kept in view->rc). */
const char *fb_view_text(struct fb_view *view, const char *path);
const char *fb_view_link(struct fb_view *view, const char *path);
bool fb_view_stat(struct fb_view *view, const char *path, struct fb_stat *ret_stat);
bool fb_view_exists(struct fb_view *view, const char *path);
bool fb_view_list(struct fb_view *view, const char *path, struct fb_strs *ret_names);
/* For probes: the output of a tool that only reads; NULL if it is absent or fails (err_text says why). */
const char *fb_view_ask(struct fb_view *view, const char *const *argv, const char **ret_why);

struct fb_plan {
	struct fb_view *view;
	struct fb_change *change;
	size_t n, cap;
	struct fb_follow *follow;
	size_t n_follow, cap_follow;
	unsigned group, last_group;
	struct fb_strs notes;		/* what cannot be had, in words, for the report; the step is degraded by it */
	const char *later;		/* why the step has to run again; NULL: it is done */
};

/* Text files. text is the whole content. Returns whether it differs from the disk. */
bool fb_want_file(struct fb_plan *plan, const char *path, const char *text, mode_t mode, const char *why);
bool fb_want_owned_file(struct fb_plan *plan, const char *path, const char *text, mode_t mode, uid_t uid, gid_t gid,
			const char *why);
bool fb_want_secret(struct fb_plan *plan, const char *path, const char *text, mode_t mode, uid_t uid, gid_t gid,
		    const char *why);
bool fb_want_dir(struct fb_plan *plan, const char *path, mode_t mode, uid_t uid, gid_t gid, const char *why);
bool fb_want_link(struct fb_plan *plan, const char *path, const char *target, const char *why);
bool fb_want_absent(struct fb_plan *plan, const char *path, const char *why);
/* Keeps the owner; absent is fine. */
bool fb_want_mode(struct fb_plan *plan, const char *path, mode_t mode, const char *why);
bool fb_want_attr(struct fb_plan *plan, enum fb_when when, const char *path, const char *text, const char *why);
/* Without a comparison: the step itself has seen that it is needed. */
struct fb_change *fb_plan_exec(struct fb_plan *plan, enum fb_when when, const char *name, const char *const *argv,
			       unsigned timeout_ms, const char *why);
void fb_plan_unit(struct fb_plan *plan, const char *unit, enum fb_verb verb, const char *why);
/* Files wanted between begin and end are published together. */
void fb_group_begin(struct fb_plan *plan);
void fb_group_end(struct fb_plan *plan);
/* Call it when a want returned true. */
void fb_follow_up(struct fb_plan *plan, const char *unit, enum fb_verb verb, enum fb_impact impact, const char *why);
void fb_plan_note(struct fb_plan *plan, const char *fmt, ...) FB_PRINTF(2, 3);
/* Something outside the box is not ready: the other changes are carried out, then the stage ends with "try again". */
void fb_plan_later(struct fb_plan *plan, const char *fmt, ...) FB_PRINTF(2, 3);

/* Whether the engine would carry the change out now. */
bool fb_change_is_possible(const struct fb_change *change, const struct fb_facts *facts);
const char *fb_kind_name(enum fb_kind kind);

#endif
