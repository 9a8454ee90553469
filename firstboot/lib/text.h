/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers over text in memory. */
#ifndef FB_TEXT_H
#define FB_TEXT_H

#include "base.h"

/* Take the next line off *at. ret_len leaves the newline out. False at the end of the text. */
bool fb_text_next_line(const char **at, const char **ret_line, size_t *ret_len);

/* Take the next word off *at, words being set apart by spaces and tabs. NULL if there is none. */
const char *fb_text_next_word(struct fb_arena *arena, const char **at);

bool fb_text_starts(const char *text, const char *prefix);
bool fb_text_ends(const char *text, const char *suffix);
bool fb_text_is_made_of(const char *text, const char *allowed);	/* and not empty */
const char *fb_text_join(struct fb_arena *arena, const struct fb_strs *strs, const char *between);

/*
 * A file of NAME=value lines (systemd's EnvironmentFile): every line that sets name becomes name=value; without such a
 * line one is added. The rest stays byte for byte.
 */
const char *fb_text_set_var(struct fb_arena *arena, const char *text, const char *name, const char *value);

/* RFC 4648, strict: whole groups of four, padding at the end only, unused bits zero. 0 or -EINVAL. */
int fb_base64_decode(struct fb_arena *arena, const char *text, size_t len, unsigned char **ret_bytes, size_t *ret_len);

#endif
