/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may log in: what names, shells and password hashes of provision.conf have to look like. */
#ifndef FB_LOGIN_H
#define FB_LOGIN_H

#include "key.h"

/* Judges as described at fb_valid_fn. */
const char *fb_login_check_user(struct fb_arena *arena, const char *value);
const char *fb_login_check_group(struct fb_arena *arena, const char *value);
const char *fb_login_check_shell(struct fb_arena *arena, const char *value);
/* The full length of each scheme of crypt(5), so that a hash that was cut while copying locks nobody out. */
const char *fb_login_check_hash(struct fb_arena *arena, const char *value);

#endif
