/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State and run records as JSON. */
#include "state.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char state_path[] = FB_STATE_DIR "/state.json";
static const char run_path[] = FB_RUN_DIR "/run.json";

static const char *const result_names[] = {
	[FB_RES_NEW] = "new", [FB_RES_RUNNING] = "running", [FB_RES_READY] = "ready", [FB_RES_DEGRADED] = "degraded",
	[FB_RES_FAILED] = "failed", [FB_RES_REFUSED] = "refused",
};

const char *fb_result_name(enum fb_result result)
{
	return result_names[result];
}

static unsigned index_of(json_t *value, const char *(*name)(unsigned), unsigned n)
{
	const char *text = json_string_value(value);
	for (unsigned i = 0; text && i < n; i++)
		if (!strcmp(name(i), text))
			return i;
	return 0;
}

static const char *nth_result(unsigned i)
{
	return fb_result_name((enum fb_result)i);
}

static const char *nth_verb(unsigned i)
{
	return fb_verb_name((enum fb_verb)i);
}

static const char *nth_stage(unsigned i)
{
	return fb_stage_name((enum fb_stage)i);
}

static const char *nth_impact(unsigned i)
{
	static const char *const names[] = { [FB_QUIET] = "quiet", [FB_LINK_DROP] = "link-drop", [FB_REBOOT] = "reboot" };
	return names[i];
}

static const char *text_of(struct fb_arena *arena, json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? fb_strdup(arena, text) : NULL;
}

static json_t *load(struct fb_fs *fs, struct fb_arena *arena, const char *path)
{
	struct fb_error ignored;	/* a record that cannot be read is as good as none */
	char *text;
	size_t len;
	if (fb_fs_read(fs, arena, path, 1 << 20, &text, &len, &ignored) < 0)
		return NULL;
	return json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
}

static int save(struct fb_fs *fs, struct fb_arena *arena, const char *path, json_t *root, struct fb_error *err)
{
	char *json = json_dumps(root, JSON_INDENT(2));
	const char *text = fb_format(arena, "%s\n", json ? json : "{}");
	free(json);
	json_decref(root);
	return fb_save_text(fs, arena, path, text, err);
}

int fb_save_text(struct fb_fs *fs, struct fb_arena *arena, const char *path, const char *text, struct fb_error *err)
{
	struct fb_error ignored;	/* unreadable: write it anew */
	struct fb_file file = { .path = path, .text = text, .len = strlen(text), .mode = 0644 };
	char *old;
	size_t len;
	if (fb_fs_read(fs, arena, path, FB_FS_READ_MAX, &old, &len, &ignored) == 0 && len == file.len && !memcmp(old, text, len))
		return 0;
	return fb_fs_replace(fs, &file, 1, err);
}

void fb_state_follow(struct fb_arena *arena, struct fb_state *state, const struct fb_follow *follow, size_t n)
{
	struct fb_follow *all = fb_alloc(arena, (state->n_follow + n) * sizeof(*all) + 1);
	if (state->n_follow)
		memcpy(all, state->follow, state->n_follow * sizeof(*all));
	state->follow = all;
	for (size_t i = 0; i < n; i++) {
		bool is_known = false;
		for (size_t k = 0; k < state->n_follow && !is_known; k++)
			is_known = all[k].verb == follow[i].verb && all[k].impact == follow[i].impact &&
				   !strcmp(all[k].unit ? all[k].unit : "", follow[i].unit ? follow[i].unit : "");
		if (!is_known)
			all[state->n_follow++] = follow[i];
	}
}

void fb_state_load(struct fb_fs *fs, struct fb_arena *arena, struct fb_state *ret_state)
{
	*ret_state = (struct fb_state){ .error = "" };
	json_t *root = load(fs, arena, state_path), *item;
	size_t i;
	ret_state->is_provisioned = json_is_true(json_object_get(root, "provisioned"));
	ret_state->is_applied = json_is_true(json_object_get(root, "applied"));
	ret_state->result = (enum fb_result)index_of(json_object_get(root, "result"), nth_result, FB_ARRAY_LEN(result_names));
	const char *error = text_of(arena, root, "error");
	ret_state->error = error ? error : "";
	json_array_foreach(json_object_get(root, "notes"), i, item)
		if (json_is_string(item))
			fb_strs_add(arena, &ret_state->notes, fb_strdup(arena, json_string_value(item)));
	json_array_foreach(json_object_get(root, "once"), i, item)
		if (json_is_string(item))
			fb_strs_add(arena, &ret_state->once, fb_strdup(arena, json_string_value(item)));
	json_array_foreach(json_object_get(root, "follow-ups"), i, item) {
		const char *why = text_of(arena, item, "why");
		struct fb_follow follow = {
			.unit = text_of(arena, item, "unit"), .why = why ? why : "",
			.verb = (enum fb_verb)index_of(json_object_get(item, "verb"), nth_verb, FB_STOP + 1),
			.impact = (enum fb_impact)index_of(json_object_get(item, "impact"), nth_impact, FB_REBOOT + 1),
		};
		if (follow.unit || follow.impact == FB_REBOOT)
			fb_state_follow(arena, ret_state, &follow, 1);
	}
	json_decref(root);
}

int fb_state_save(struct fb_fs *fs, struct fb_arena *arena, const struct fb_state *state, struct fb_error *err)
{
	json_t *root = json_object(), *notes = json_array(), *once = json_array(), *follow = json_array();
	for (size_t i = 0; i < state->notes.n; i++)
		json_array_append_new(notes, json_string(state->notes.item[i]));
	for (size_t i = 0; i < state->once.n; i++)
		json_array_append_new(once, json_string(state->once.item[i]));
	for (size_t i = 0; i < state->n_follow; i++) {
		json_t *item = json_object();
		if (state->follow[i].unit)
			json_object_set_new(item, "unit", json_string(state->follow[i].unit));
		json_object_set_new(item, "verb", json_string(nth_verb(state->follow[i].verb)));
		json_object_set_new(item, "impact", json_string(nth_impact(state->follow[i].impact)));
		json_object_set_new(item, "why", json_string(state->follow[i].why));
		json_array_append_new(follow, item);
	}
	json_object_set_new(root, "format", json_integer(1));
	json_object_set_new(root, "provisioned", json_boolean(state->is_provisioned));
	json_object_set_new(root, "applied", json_boolean(state->is_applied));
	json_object_set_new(root, "result", json_string(fb_result_name(state->result)));
	json_object_set_new(root, "error", json_string(state->error));
	json_object_set_new(root, "notes", notes);
	json_object_set_new(root, "once", once);
	json_object_set_new(root, "follow-ups", follow);
	return save(fs, arena, state_path, root, err);
}

bool fb_run_is_final(const struct fb_run *run)
{
	return run->result == FB_RES_READY || run->result == FB_RES_DEGRADED;
}

void fb_run_time(struct fb_arena *arena, struct fb_run *run, const struct fb_step_time *time)
{
	struct fb_step_time *all = fb_alloc(arena, (run->n_times + 1) * sizeof(*all));
	if (run->n_times)
		memcpy(all, run->time, run->n_times * sizeof(*all));
	all[run->n_times++] = *time;
	run->time = all;
}

void fb_run_load(struct fb_fs *fs, struct fb_arena *arena, struct fb_run *ret_run)
{
	*ret_run = (struct fb_run){ .step = "" };
	json_t *root = load(fs, arena, run_path), *item;
	size_t i;
	const char *step = text_of(arena, root, "step");
	ret_run->step = step ? step : "";
	ret_run->stage = (enum fb_stage)index_of(json_object_get(root, "stage"), nth_stage, FB_STAGE_HANDOFF + 1);
	ret_run->result = (enum fb_result)index_of(json_object_get(root, "result"), nth_result, FB_ARRAY_LEN(result_names));
	json_array_foreach(json_object_get(root, "steps"), i, item) {
		const char *name = text_of(arena, item, "step"), *stage = text_of(arena, item, "stage");
		struct fb_step_time time = {
			.step = name ? name : "", .stage = stage ? stage : "", .error = text_of(arena, item, "error"),
			.us = (uint64_t)json_integer_value(json_object_get(item, "us")),
			.changes = (unsigned)json_integer_value(json_object_get(item, "changes")),
		};
		fb_run_time(arena, ret_run, &time);
	}
	json_decref(root);
}

int fb_run_save(struct fb_fs *fs, struct fb_arena *arena, const struct fb_run *run, struct fb_error *err)
{
	json_t *root = json_object(), *steps = json_array();
	for (size_t i = 0; i < run->n_times; i++) {
		json_t *item = json_object();
		json_object_set_new(item, "stage", json_string(run->time[i].stage));
		json_object_set_new(item, "step", json_string(run->time[i].step));
		json_object_set_new(item, "us", json_integer((json_int_t)run->time[i].us));
		json_object_set_new(item, "changes", json_integer(run->time[i].changes));
		if (run->time[i].error)
			json_object_set_new(item, "error", json_string(run->time[i].error));
		json_array_append_new(steps, item);
	}
	json_object_set_new(root, "format", json_integer(1));
	json_object_set_new(root, "stage", json_string(fb_stage_name(run->stage)));
	json_object_set_new(root, "step", json_string(run->step));
	json_object_set_new(root, "result", json_string(fb_result_name(run->result)));
	json_object_set_new(root, "steps", steps);
	return save(fs, arena, run_path, root, err);
}
