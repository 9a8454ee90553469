/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line editing of passwd, shadow, group and gshadow. */
#include "passwd.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Debian's range for people: FIRST_UID and LAST_UID of adduser.conf(5). */
enum { ID_FIRST = 1000, ID_LAST = 59999 };

/* What lies before the field, the field, and what follows it. */
struct cut {
	const char *line, *field;
	size_t len;
	size_t n_missing;		/* colons to add before the field exists */
};

static bool find_line(const char *text, const char *name, const char **ret_line, size_t *ret_len)
{
	size_t name_len = strlen(name);
	while (fb_text_next_line(&text, ret_line, ret_len))
		if (*ret_len >= name_len && !strncmp(*ret_line, name, name_len) &&
		    (*ret_len == name_len || (*ret_line)[name_len] == ':'))
			return true;
	return false;
}

static bool find_field(const char *text, const char *name, size_t field, struct cut *ret_cut)
{
	const char *line;
	size_t line_len;
	if (!find_line(text, name, &line, &line_len))
		return false;
	const char *at = line, *end = line + line_len;
	for (; field; field--) {
		const char *colon = memchr(at, ':', (size_t)(end - at));
		if (!colon)
			break;
		at = colon + 1;
	}
	if (field)
		at = end;
	const char *colon = memchr(at, ':', (size_t)(end - at));
	*ret_cut = (struct cut){ line, at, (size_t)((colon ? colon : end) - at), field };
	return true;
}

const char *fb_passwd_get(struct fb_arena *arena, const char *text, const char *name, size_t field)
{
	struct cut cut;
	if (!find_field(text, name, field, &cut) || cut.n_missing)
		return NULL;
	return fb_strndup(arena, cut.field, cut.len);
}

const char *fb_passwd_set(struct fb_arena *arena, const char *text, const char *name, size_t field, const char *value)
{
	struct cut cut;
	if (!find_field(text, name, field, &cut))
		return text;
	if (!cut.n_missing && cut.len == strlen(value) && !strncmp(cut.field, value, cut.len))
		return text;
	struct fb_buf buf = { .arena = arena };
	fb_buf_mem(&buf, text, (size_t)(cut.field - text));
	while (cut.n_missing-- > 0)
		fb_buf_mem(&buf, ":", 1);
	fb_buf_add(&buf, "%s%s", value, cut.field + cut.len);
	return fb_buf_text(&buf);
}

const char *fb_passwd_add(struct fb_arena *arena, const char *text, const char *line)
{
	return fb_format(arena, "%s%s%s\n", text, *text && !fb_text_ends(text, "\n") ? "\n" : "", line);
}

static struct fb_strs split(struct fb_arena *arena, const char *text)
{
	struct fb_strs items = { 0 };
	while (*text) {
		size_t len = strcspn(text, ",");
		if (len)
			fb_strs_add(arena, &items, fb_strndup(arena, text, len));
		text += len;
		text += *text == ',';
	}
	return items;
}

static struct fb_strs members(struct fb_arena *arena, const char *text, const char *group)
{
	const char *list = fb_passwd_get(arena, text, group, FB_GR_MEMBERS);
	return split(arena, list ? list : "");
}

bool fb_passwd_has_member(struct fb_arena *arena, const char *text, const char *group, const char *user)
{
	struct fb_strs now = members(arena, text, group);
	return fb_strs_has(&now, user);
}

const char *fb_passwd_set_member(struct fb_arena *arena, const char *text, const char *group, const char *user,
				 bool is_member)
{
	struct fb_strs now = members(arena, text, group), then = { 0 };
	if (fb_strs_has(&now, user) == is_member)
		return text;
	for (size_t i = 0; i < now.n; i++)
		if (strcmp(now.item[i], user))
			fb_strs_add(arena, &then, now.item[i]);
	if (is_member)
		fb_strs_add(arena, &then, user);
	return fb_passwd_set(arena, text, group, FB_GR_MEMBERS, fb_text_join(arena, &then, ","));
}

void fb_passwd_names(struct fb_arena *arena, const char *text, struct fb_strs *ret_names)
{
	const char *line;
	size_t len;
	*ret_names = (struct fb_strs){ 0 };
	while (fb_text_next_line(&text, &line, &len)) {
		size_t name_len = strcspn(line, ":\n");
		if (name_len && name_len <= len && *line != '#')
			fb_strs_add(arena, ret_names, fb_strndup(arena, line, name_len));
	}
}

void fb_passwd_put_hash(struct fb_arena *arena, struct fb_passwd_files *files, const char *name, const char *hash)
{
	hash = *hash ? hash : "*";
	/* A password that stands in passwd itself, even an empty one, would count instead of the one in shadow. */
	files->passwd = fb_passwd_set(arena, files->passwd, name, FB_PW_PASSWORD, "x");
	const char *changed = fb_passwd_get(arena, files->shadow, name, FB_SP_CHANGED);
	if (!fb_passwd_get(arena, files->shadow, name, 0)) {
		/* Without a date of the last change: the clock may be wrong now, and an image stays reproducible. */
		const char *line = fb_format(arena, "%s:%s::0:99999:7:::", name, hash);
		files->shadow = fb_passwd_add(arena, files->shadow, line);
		return;
	}
	files->shadow = fb_passwd_set(arena, files->shadow, name, FB_SP_HASH, hash);
	if (changed && !strcmp(changed, "0"))	/* 0: a new password is demanded at the next login */
		files->shadow = fb_passwd_set(arena, files->shadow, name, FB_SP_CHANGED, "");
}

static bool is_number(const char *text, unsigned long *ret_value)
{
	if (!text || !fb_text_is_made_of(text, "0123456789") || strlen(text) > 9)
		return false;
	*ret_value = strtoul(text, NULL, 10);
	return true;
}

/* Of passwd or of group: in both the number is the third field. */
static bool has_id(struct fb_arena *arena, const char *text, unsigned long id)
{
	struct fb_strs names;
	unsigned long other;
	fb_passwd_names(arena, text, &names);
	for (size_t i = 0; i < names.n; i++)
		if (is_number(fb_passwd_get(arena, text, names.item[i], FB_PW_UID), &other) && other == id)
			return true;
	return false;
}

static bool is_free(struct fb_arena *arena, const struct fb_passwd_files *files, unsigned long uid,
		    unsigned long own_gid)
{
	return !has_id(arena, files->passwd, uid) && (uid == own_gid || !has_id(arena, files->group, uid));
}

/* Private group and passwd line. NULL, or why not. */
static const char *put_account(struct fb_arena *arena, struct fb_passwd_files *files, const char *name)
{
	const char *uid_text = fb_passwd_get(arena, files->passwd, name, FB_PW_UID);
	const char *gid_text = fb_passwd_get(arena, files->group, name, FB_GR_GID);
	unsigned long uid = 0, gid = 0;
	if (fb_passwd_get(arena, files->passwd, name, 0)) {
		if (!is_number(uid_text, &uid) || uid < ID_FIRST)
			return fb_format(arena, "is a system account of this box (uid %s)",
					 uid_text ? uid_text : "unknown");
		return NULL;
	}
	bool has_group = fb_passwd_get(arena, files->group, name, 0) != NULL;
	if (has_group && (!is_number(gid_text, &gid) || gid < ID_FIRST))
		return fb_format(arena, "is the name of a system group of this box (gid %s)",
				 gid_text ? gid_text : "unknown");
	/* A group without its user is what a power cut between the files leaves: the user gets the same number. */
	uid = has_group ? gid : ID_FIRST;
	while (uid <= ID_LAST && !is_free(arena, files, uid, gid))
		uid++;
	if (uid > ID_LAST)
		return "has no free uid left on this box";
	if (!has_group) {
		gid = uid;
		files->group = fb_passwd_add(arena, files->group, fb_format(arena, "%s:x:%lu:", name, gid));
	}
	if (files->gshadow && !fb_passwd_get(arena, files->gshadow, name, 0))
		files->gshadow = fb_passwd_add(arena, files->gshadow, fb_format(arena, "%s:!::", name));
	files->passwd = fb_passwd_add(arena, files->passwd, fb_format(arena, "%s:x:%lu:%lu:::", name, uid, gid));
	return NULL;
}

const char *fb_passwd_put_user(struct fb_arena *arena, struct fb_passwd_files *files, const struct fb_user *user,
			       uid_t *ret_uid, gid_t *ret_gid)
{
	const char *name = user->head.title;
	unsigned long uid, gid;
	const char *wrong = put_account(arena, files, name);
	if (wrong)
		return wrong;
	if (!is_number(fb_passwd_get(arena, files->passwd, name, FB_PW_UID), &uid) ||
	    !is_number(fb_passwd_get(arena, files->passwd, name, FB_PW_GID), &gid))
		return "has no group number in /etc/passwd";
	files->passwd = fb_passwd_set(arena, files->passwd, name, FB_PW_HOME, fb_format(arena, "/home/%s", name));
	files->passwd = fb_passwd_set(arena, files->passwd, name, FB_PW_SHELL, user->shell);
	fb_passwd_put_hash(arena, files, name, user->password_hash);

	struct fb_strs groups;
	fb_passwd_names(arena, files->group, &groups);
	for (size_t i = 0; i < groups.n; i++) {
		bool is_member = fb_strs_has(&user->groups, groups.item[i]);
		files->group = fb_passwd_set_member(arena, files->group, groups.item[i], name, is_member);
		if (files->gshadow)
			files->gshadow = fb_passwd_set_member(arena, files->gshadow, groups.item[i], name, is_member);
	}
	*ret_uid = (uid_t)uid;
	*ret_gid = (gid_t)gid;
	return NULL;
}
