/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read provision.conf, judge it and say, with file:line, everything that is wrong with it. */
#ifndef FB_CONF_H
#define FB_CONF_H

#include "key.h"

enum { FB_CONF_MAX_BYTES = 256 << 10 };

struct fb_complaint {
	unsigned line;		/* 0: about the file as a whole */
	const char *text;
};

/* A table of keys: what one step brings. */
struct fb_keys {
	const struct fb_key *key;
	size_t n;
};

struct fb_conf {
	struct fb_arena *arena;
	const char *name;			/* of the file, for messages */
	struct fb_config value;
	const char *text;			/* the file as read */
	size_t len;
	bool is_read;				/* value is filled, though it may hold what was complained about */
	struct fb_place *kept;			/* secrets that say "kept" */
	size_t n_kept;
	struct fb_complaint *complaint;		/* by line */
	size_t n_complaints;
	struct fb_place *place;			/* where each value stands */
	size_t n_places;
};

/*
 * Parse len bytes of text into the struct that the rows' offsets belong to (for provision.conf: &conf->value). Syntax
 * errors and unknown keys end with that one complaint; else each value is judged by its row. Cross-field checks are the
 * caller's (see struct fb_step), by fb_conf_complain().
 */
void fb_conf_parse(struct fb_conf *conf, struct fb_arena *arena, const char *name, const char *text, size_t len,
		   const struct fb_keys *table, size_t n_tables, void *into);

/* title: of the titled section the key lies in, else NULL. index: which item of a list, else 0. */
unsigned fb_conf_line(const struct fb_conf *conf, const char *path, const char *title, size_t index);
bool fb_conf_is_set(const struct fb_conf *conf, const char *path, const char *title);	/* given in the file, not a default */
void fb_conf_complain(struct fb_conf *conf, const char *path, const char *title, size_t index, const char *fmt, ...)
	FB_PRINTF(5, 6);

/* What says "kept" has no value here: complain about each. */
void fb_conf_refuse_kept(struct fb_conf *conf);

/* "provision.conf:12: text", or "provision.conf: text". */
const char *fb_conf_message(const struct fb_conf *conf, const struct fb_complaint *complaint);

#endif
