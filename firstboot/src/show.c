/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan as a diff that a person can read before anything is changed. */
#include "report.h"

#include <string.h>

enum { TABLE_MAX = 1 << 20 };	/* cells; beyond that a diff is everything out, everything in */

struct line {
	const char *text;
	size_t len;
};

static size_t split(struct fb_arena *arena, const char *text, struct line **ret_line)
{
	size_t n = 0;
	for (const char *at = text; *at; at++)
		n += *at == '\n' || !at[1];
	struct line *line = fb_alloc(arena, (n + 1) * sizeof(*line));
	for (size_t i = 0; i < n; i++) {
		line[i] = (struct line){ text, strcspn(text, "\n") };
		text += line[i].len + (text[line[i].len] == '\n');
	}
	*ret_line = line;
	return n;
}

static bool is_same(const struct line *a, const struct line *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static void put(struct fb_buf *buf, const char *mark, const struct line *line)
{
	fb_buf_add(buf, "  %s%.*s\n", mark, (int)line->len, line->text);
}

/* The lines that leave and come, by the longest common subsequence. */
static void diff(struct fb_buf *buf, const char *old_text, const char *new_text)
{
	struct line *old, *new;
	size_t n = split(buf->arena, old_text, &old), m = split(buf->arena, new_text, &new), i = 0, j = 0;
	bool is_small = n < TABLE_MAX / (m + 1);
	size_t width = m + 1;
	unsigned *common = is_small ? fb_alloc(buf->arena, (n + 1) * width * sizeof(*common)) : NULL;
	for (size_t a = n; is_small && a-- > 0;)
		for (size_t b = m; b-- > 0;) {
			unsigned down = common[(a + 1) * width + b], right = common[a * width + b + 1];
			common[a * width + b] = is_same(&old[a], &new[b]) ? common[(a + 1) * width + b + 1] + 1 :
					       down > right ? down : right;
		}
	while (i < n || j < m) {
		if (is_small && i < n && j < m && is_same(&old[i], &new[j])) {
			i++;
			j++;
		} else if (i < n && (j == m || !is_small || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
			put(buf, "-", &old[i++]);
		} else {
			put(buf, "+", &new[j++]);
		}
	}
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
