/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of authorized_keys: TYPE KEY [COMMENT]. Options before the type are not taken. */
#ifndef FB_SSHKEY_H
#define FB_SSHKEY_H

#include "key.h"

/* Judges as described at fb_valid_fn: type, base64, and the structure inside to the last byte. */
const char *fb_sshkey_check(struct fb_arena *arena, const char *value);

bool fb_sshkey_is_same(struct fb_arena *arena, const char *line, const char *other);	/* whatever the comments say */

/* For people: "ssh-ed25519 ...x8Jq0aZb me@pc". */
const char *fb_sshkey_brief(struct fb_arena *arena, const char *line);

#endif
