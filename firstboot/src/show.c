/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan as a diff that a person can read before anything is changed. */
#include "report.h"

#include <string.h>

static size_t line_len(const char *text)
{
	size_t len = strcspn(text, "\n");
	return text[len] ? len + 1 : len;
}

static void lines(struct fb_buf *buf, const char *mark, const char *from, const char *to)
{
	while (from < to) {
		size_t len = line_len(from);
		bool has_newline = from[len - 1] == '\n';
		fb_buf_add(buf, "  %s%.*s%s", mark, (int)len, from, has_newline ? "" : "\n");
		from += len;
	}
}

/* What both have in common at the start and the end is left out. */
static void diff(struct fb_buf *buf, const char *old, const char *new)
{
	const char *old_end = old + strlen(old), *new_end = new + strlen(new);
	while (old < old_end && new < new_end) {
		size_t len = line_len(old);
		if (len != line_len(new) || memcmp(old, new, len))
			break;
		old += len;
		new += len;
	}
	while (old_end > old && new_end > new && old_end[-1] == new_end[-1]) {
		const char *o = old_end - 1, *n = new_end - 1;
		while (o > old && o[-1] != '\n')
			o--;
		while (n > new && n[-1] != '\n')
			n--;
		if (old_end - o != new_end - n || memcmp(o, n, (size_t)(old_end - o)))
			break;
		old_end = o;
		new_end = n;
	}
	lines(buf, "-", old, old_end);
	lines(buf, "+", new, new_end);
}

static const char *command(struct fb_arena *arena, const struct fb_change *change)
{
	struct fb_buf buf = { .arena = arena };
	for (const char *const *arg = change->argv; *arg; arg++)
		fb_buf_add(&buf, "%s%s", arg == change->argv ? "" : " ", **arg ? *arg : "\"\"");
	return fb_buf_text(&buf);
}

static void one(struct fb_buf *buf, const struct fb_change *change, bool is_possible)
{
	fb_buf_add(buf, "%s %s", fb_kind_name(change->kind), change->path);
	if (change->kind == FB_FILE || change->kind == FB_DIR || change->kind == FB_MODE)
		fb_buf_add(buf, " %04o %u:%u", change->mode, change->uid, change->gid);
	if (change->kind == FB_LINK)
		fb_buf_add(buf, " -> %s", change->target);
	if (change->kind == FB_UNIT)
		fb_buf_add(buf, " %s", fb_verb_name(change->verb));
	fb_buf_add(buf, "  # %s%s\n", change->why, is_possible ? "" : " (later: needs the running box)");
	if (change->is_secret)
		fb_buf_add(buf, "  (content not shown)\n");
	else if (change->kind == FB_FILE || change->kind == FB_ATTR)
		diff(buf, change->old ? change->old : "", change->text);
	else if (change->kind == FB_EXEC)
		fb_buf_add(buf, "  %s\n", command(buf->arena, change));
}

void fb_plan_text(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts)
{
	struct fb_buf *buf = userdata;
	if (plan->n || plan->notes.n)
		fb_buf_add(buf, "== %s: %s\n", step->name, step->summary);
	for (size_t i = 0; i < plan->n; i++)
		one(buf, &plan->change[i], fb_change_is_possible(&plan->change[i], facts));
	for (size_t i = 0; i < plan->n_follow; i++)
		fb_buf_add(buf, "then %s%s%s  # %s\n", plan->follow[i].unit ? fb_verb_name(plan->follow[i].verb) : "reboot",
			   plan->follow[i].unit ? " " : "", plan->follow[i].unit ? plan->follow[i].unit : "", plan->follow[i].why);
	for (size_t i = 0; i < plan->notes.n; i++)
		fb_buf_add(buf, "note: %s\n", plan->notes.item[i]);
}

void fb_plan_json(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct fb_change *change = &plan->change[i];
		json_array_append_new(userdata, json_pack("{s:s, s:s, s:s, s:s, s:b, s:s*}", "step", step->name, "kind",
							  fb_kind_name(change->kind), "path", change->path, "why", change->why,
							  "now", fb_change_is_possible(change, facts), "text",
							  change->is_secret ? NULL : change->text));
	}
}
