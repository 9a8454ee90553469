/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Secrets of provision.conf. Once the box holds them, the copy on the boot partition says "kept" in their place; a file
 * that says "kept" gets back what the box holds. Both work on the text, so that everything else stays byte for byte.
 */
#ifndef FB_KEPT_H
#define FB_KEPT_H

#include "conf.h"

/* The text with "kept" for each secret. The same text (by content) if there is none. */
const char *fb_kept_hide(struct fb_arena *arena, const struct fb_conf *conf, const struct fb_keys *table, size_t n_tables);
/*
 * The text with what held has for each "kept". held may be NULL. What held lacks stays "kept", and is then refused as
 * the secret it is not.
 */
const char *fb_kept_restore(struct fb_arena *arena, const struct fb_conf *conf, const struct fb_conf *held,
			    const struct fb_keys *table, size_t n_tables);

#endif
