/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line editing of the account files: passwd, shadow, group and gshadow are lines of fields between colons, the name
 * first. Everything works on text and gives new text; lines that are not asked for stay byte for byte.
 */
#ifndef FB_PASSWD_H
#define FB_PASSWD_H

#include <sys/types.h>

#include "config.h"

/* Number of a field; see passwd(5), shadow(5), group(5), gshadow(5). */
enum { FB_PW_PASSWORD = 1, FB_PW_UID = 2, FB_PW_GID = 3, FB_PW_HOME = 5, FB_PW_SHELL = 6 };
enum { FB_SP_HASH = 1, FB_SP_CHANGED = 2 };
enum { FB_GR_GID = 2, FB_GR_MEMBERS = 3 };	/* members: also of gshadow */

struct fb_passwd_files {
	const char *passwd, *shadow, *group;
	const char *gshadow;		/* NULL: the box has none */
};

/* Field of the first line with that name; NULL if there is no such line or field. */
const char *fb_passwd_get(struct fb_arena *arena, const char *text, const char *name, size_t field);
/* Change one field; a line that is too short gets the fields it lacks. Without such a line the text stays. */
const char *fb_passwd_set(struct fb_arena *arena, const char *text, const char *name, size_t field, const char *value);
const char *fb_passwd_add(struct fb_arena *arena, const char *text, const char *line);

bool fb_passwd_has_member(struct fb_arena *arena, const char *text, const char *group, const char *user);
const char *fb_passwd_set_member(struct fb_arena *arena, const char *text, const char *group, const char *user,
				 bool is_member);
void fb_passwd_names(struct fb_arena *arena, const char *text, struct fb_strs *ret_names);

/* Set a password hash, "" = locked: no password fits, keys still work. Adds the shadow line if it is missing. */
void fb_passwd_put_hash(struct fb_arena *arena, struct fb_passwd_files *files, const char *name, const char *hash);

/*
 * Make the account of a user what provision.conf says, with the home /home/NAME and groups of exactly those given that
 * exist. Returns NULL, or why nothing was changed, as a clause that can follow the name.
 */
const char *fb_passwd_put_user(struct fb_arena *arena, struct fb_passwd_files *files, const struct fb_user *user,
			       uid_t *ret_uid, gid_t *ret_gid);

#endif
