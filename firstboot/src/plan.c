/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wants become changes only where they differ from the disk. */
#include "plan.h"

#include <errno.h>
#include <string.h>

static void failed(struct fb_view *view, int rc)
{
	if (rc < 0 && rc != -ENOENT && view->rc == 0)
		view->rc = rc;
}

/* Reads fill a message of their own first, so that the kept one is the first. */
static struct fb_error *message(struct fb_view *view, struct fb_error *spare)
{
	return view->rc ? spare : &view->err;
}

const char *fb_view_text(struct fb_view *view, const char *path)
{
	char *text = NULL;
	struct fb_error spare;
	failed(view, fb_fs_read(view->fs, view->arena, path, FB_FS_READ_MAX, &text, NULL, message(view, &spare)));
	return text;
}

const char *fb_view_link(struct fb_view *view, const char *path)
{
	struct fb_stat st;
	char *target = NULL;
	struct fb_error spare;
	if (fb_view_stat(view, path, &st) && st.type == FB_IS_LINK)
		failed(view, fb_fs_readlink(view->fs, view->arena, path, &target, message(view, &spare)));
	return target;
}

bool fb_view_stat(struct fb_view *view, const char *path, struct fb_stat *ret_stat)
{
	struct fb_error spare;
	int rc = fb_fs_stat(view->fs, path, ret_stat, message(view, &spare));
	failed(view, rc);
	return rc == 0;
}

bool fb_view_exists(struct fb_view *view, const char *path)
{
	struct fb_stat st;
	return fb_view_stat(view, path, &st);
}

bool fb_view_list(struct fb_view *view, const char *path, struct fb_strs *ret_names)
{
	struct fb_error spare;
	*ret_names = (struct fb_strs){ 0 };
	int rc = fb_fs_list(view->fs, view->arena, path, ret_names, message(view, &spare));
	failed(view, rc);
	return rc == 0;
}

const char *fb_view_ask(struct fb_view *view, const char *const *argv, const char **ret_why)
{
	struct fb_error err;
	char *out = NULL;
	int rc = view->env->exec(view->env, view->arena, argv, 10000, &out, &err);
	if (rc < 0) {
		*ret_why = fb_strdup(view->arena, err.text);
		return NULL;
	}
	return out ? out : "";
}

static struct fb_change *add(struct fb_plan *plan, struct fb_change change)
{
	if (plan->n == plan->cap) {
		plan->cap = plan->cap ? plan->cap * 2 : 16;
		struct fb_change *bigger = fb_alloc(plan->view->arena, plan->cap * sizeof(*bigger));
		if (plan->n)
			memcpy(bigger, plan->change, plan->n * sizeof(*bigger));
		plan->change = bigger;
	}
	change.group = plan->group;
	plan->change[plan->n] = change;
	return &plan->change[plan->n++];
}

static bool want_file(struct fb_plan *plan, struct fb_change want)
{
	struct fb_view *view = plan->view;
	struct fb_stat st;
	const char *old = NULL;
	want.kind = FB_FILE;
	want.len = strlen(want.text);
	if (fb_view_stat(view, want.path, &st) && st.type == FB_IS_FILE)
		old = fb_view_text(view, want.path);
	if (old && (size_t)st.size_bytes == want.len && !memcmp(old, want.text, want.len)) {
		if (st.mode == want.mode && st.uid == want.uid && st.gid == want.gid)
			return false;
		want.kind = FB_MODE;
	}
	want.old = old;
	add(plan, want);
	return true;
}

bool fb_want_owned_file(struct fb_plan *plan, const char *path, const char *text, mode_t mode, uid_t uid, gid_t gid,
			const char *why)
{
	return want_file(plan, (struct fb_change){ .path = path, .text = text, .mode = mode, .uid = uid, .gid = gid, .why = why });
}

bool fb_want_file(struct fb_plan *plan, const char *path, const char *text, mode_t mode, const char *why)
{
	return fb_want_owned_file(plan, path, text, mode, 0, 0, why);
}

bool fb_want_secret(struct fb_plan *plan, const char *path, const char *text, mode_t mode, uid_t uid, gid_t gid,
		    const char *why)
{
	return want_file(plan, (struct fb_change){ .path = path, .text = text, .mode = mode, .uid = uid, .gid = gid,
						   .why = why, .is_secret = true });
}

bool fb_want_dir(struct fb_plan *plan, const char *path, mode_t mode, uid_t uid, gid_t gid, const char *why)
{
	struct fb_stat st;
	if (fb_view_stat(plan->view, path, &st) && st.type == FB_IS_DIR && st.mode == mode && st.uid == uid && st.gid == gid)
		return false;
	add(plan, (struct fb_change){ .kind = FB_DIR, .path = path, .mode = mode, .uid = uid, .gid = gid, .why = why });
	return true;
}

bool fb_want_link(struct fb_plan *plan, const char *path, const char *target, const char *why)
{
	const char *old = fb_view_link(plan->view, path);
	if (old && !strcmp(old, target))
		return false;
	add(plan, (struct fb_change){ .kind = FB_LINK, .path = path, .target = target, .old = old, .why = why });
	return true;
}

bool fb_want_absent(struct fb_plan *plan, const char *path, const char *why)
{
	if (!fb_view_exists(plan->view, path))
		return false;
	add(plan, (struct fb_change){ .kind = FB_REMOVE, .path = path, .why = why });
	return true;
}

bool fb_want_mode(struct fb_plan *plan, const char *path, mode_t mode, const char *why)
{
	struct fb_stat st;
	if (!fb_view_stat(plan->view, path, &st) || st.type == FB_IS_LINK || st.mode == mode)
		return false;
	add(plan, (struct fb_change){ .kind = FB_MODE, .path = path, .mode = mode, .uid = st.uid, .gid = st.gid, .why = why });
	return true;
}

bool fb_want_attr(struct fb_plan *plan, enum fb_when when, const char *path, const char *text, const char *why)
{
	struct fb_stat st;
	bool is_readable = plan->view->facts->is_live && fb_view_stat(plan->view, path, &st) && (st.mode & 0444);
	const char *old = is_readable ? fb_view_text(plan->view, path) : NULL;	/* sysfs has files that can only be written */
	size_t len = old ? strlen(old) : 0;
	if (len && old[len - 1] == '\n')
		len--;
	if (old && len == strlen(text) && !strncmp(old, text, len))
		return false;
	add(plan, (struct fb_change){ .kind = FB_ATTR, .when = when, .path = path, .text = text, .len = strlen(text),
				      .old = old, .why = why });
	return true;
}

struct fb_change *fb_plan_exec(struct fb_plan *plan, enum fb_when when, const char *name, const char *const *argv,
			       unsigned timeout_ms, const char *why)
{
	return add(plan, (struct fb_change){ .kind = FB_EXEC, .when = when, .path = name, .argv = argv,
					     .timeout_ms = timeout_ms, .why = why });
}

void fb_plan_unit(struct fb_plan *plan, const char *unit, enum fb_verb verb, const char *why)
{
	add(plan, (struct fb_change){ .kind = FB_UNIT, .when = FB_WITH_BUS, .path = unit, .verb = verb, .why = why });
}

void fb_group_begin(struct fb_plan *plan)
{
	plan->group = ++plan->last_group;
}

void fb_group_end(struct fb_plan *plan)
{
	plan->group = 0;
}

static bool same_follow(const struct fb_follow *a, const char *unit, enum fb_verb verb, enum fb_impact impact)
{
	return a->verb == verb && a->impact == impact && !a->unit == !unit && (!unit || !strcmp(a->unit, unit));
}

void fb_follow_up(struct fb_plan *plan, const char *unit, enum fb_verb verb, enum fb_impact impact, const char *why)
{
	for (size_t i = 0; i < plan->n_follow; i++)
		if (same_follow(&plan->follow[i], unit, verb, impact))
			return;
	if (plan->n_follow == plan->cap_follow) {
		plan->cap_follow = plan->cap_follow ? plan->cap_follow * 2 : 8;
		struct fb_follow *bigger = fb_alloc(plan->view->arena, plan->cap_follow * sizeof(*bigger));
		if (plan->n_follow)
			memcpy(bigger, plan->follow, plan->n_follow * sizeof(*bigger));
		plan->follow = bigger;
	}
	plan->follow[plan->n_follow++] = (struct fb_follow){ unit, verb, impact, why };
}

void fb_plan_note(struct fb_plan *plan, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = fb_vformat(plan->view->arena, fmt, args);
	va_end(args);
	if (!fb_strs_has(&plan->notes, text))
		fb_strs_add(plan->view->arena, &plan->notes, text);
}

void fb_plan_later(struct fb_plan *plan, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	plan->later = fb_vformat(plan->view->arena, fmt, args);
	va_end(args);
}

bool fb_change_is_possible(const struct fb_change *change, const struct fb_facts *facts)
{
	switch (change->when) {
	case FB_ANYTIME:
		return true;
	case FB_LIVE:
		return facts->is_live;
	case FB_AT_BOOT:
		return facts->is_live && facts->stage == FB_STAGE_EARLY;
	case FB_WITH_BUS:
		return facts->is_live && facts->stage != FB_STAGE_EARLY;
	case FB_ONLINE:
		return facts->is_live && facts->is_clock_good &&
		       (facts->stage == FB_STAGE_ONLINE || facts->stage == FB_STAGE_ALL);
	}
	return false;
}

const char *fb_kind_name(enum fb_kind kind)
{
	static const char *const names[] = {
		[FB_FILE] = "file", [FB_DIR] = "directory", [FB_LINK] = "link", [FB_REMOVE] = "remove", [FB_MODE] = "mode",
		[FB_ATTR] = "attribute", [FB_EXEC] = "run", [FB_UNIT] = "unit",
	};
	return names[kind];
}
