/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass before libconfuse: blank the comments (libconfuse miscounts lines after them and refuses them in lists),
 * refuse what it would swallow in silence, and note on which line each key and value stands.
 */
#ifndef FB_SCAN_H
#define FB_SCAN_H

#include "conf.h"

struct fb_place {
	const char *path;	/* dotted, without titles */
	const char *title;	/* "" outside titled sections */
	size_t index;		/* of a list item */
	unsigned line;
	bool is_key;		/* the key itself or the head of a section; else one of its values */
	size_t at, len;		/* bytes of a value in the text, with its quotes */
};

/*
 * Returns a copy of the text that is safe for libconfuse, or NULL after a complaint that ends the run.
 * Fills conf->place; ret_wrong is the first word that no row knows, or that is used as what it is not; if any.
 */
char *fb_scan(struct fb_conf *conf, const struct fb_keys *table, size_t n_tables, struct fb_complaint *ret_wrong);

const struct fb_key *fb_key_find(const struct fb_keys *table, size_t n_tables, const char *path);
void fb_complain_at(struct fb_conf *conf, unsigned line, const char *fmt, ...) FB_PRINTF(3, 4);

#endif
