/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts and state for people and programs. */
#include "report.h"

#include <string.h>

const char *fb_verdict_name(enum fb_verdict verdict)
{
	static const char *const names[] = {
		[FB_HELD] = "held", [FB_DIFFERS] = "differs", [FB_UNMEASURED] = "not measurable here",
	};
	return names[verdict];
}

void fb_report_add(struct fb_report *report, const char *key, enum fb_verdict verdict, const char *wanted,
		   const char *measured)
{
	if (report->n == report->cap) {
		report->cap = report->cap ? report->cap * 2 : 32;
		struct fb_row *bigger = fb_alloc(report->view->arena, report->cap * sizeof(*bigger));
		if (report->n)
			memcpy(bigger, report->row, report->n * sizeof(*bigger));
		report->row = bigger;
	}
	report->row[report->n++] = (struct fb_row){ key, verdict, wanted, measured };
}

void fb_report_compare(struct fb_report *report, const char *key, const char *wanted, const char *measured)
{
	fb_report_add(report, key, strcmp(wanted, measured) ? FB_DIFFERS : FB_HELD, wanted, measured);
}

bool fb_report_holds(const struct fb_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		if (report->row[i].verdict == FB_DIFFERS)
			return false;
	return true;
}

static size_t count(const struct fb_report *report, enum fb_verdict verdict)
{
	size_t n = 0;
	for (size_t i = 0; i < report->n; i++)
		n += report->row[i].verdict == verdict;
	return n;
}

const char *fb_report_text(struct fb_arena *arena, const struct fb_report *report, const char *board)
{
	static const char *const marks[] = { [FB_HELD] = "held", [FB_DIFFERS] = "DIFFERS", [FB_UNMEASURED] = "-" };
	struct fb_buf buf = { .arena = arena };
	int width = 0;
	for (size_t i = 0; i < report->n; i++)
		if ((int)strlen(report->row[i].key) > width)
			width = (int)strlen(report->row[i].key);
	fb_buf_add(&buf, "Acceptance report: %s\n", board);
	for (size_t i = 0; i < report->n; i++) {
		const struct fb_row *row = &report->row[i];
		fb_buf_add(&buf, "%-8s %-*s  %s", marks[row->verdict], width, row->key, row->wanted);
		if (row->verdict == FB_DIFFERS)
			fb_buf_add(&buf, "; measured: %s", row->measured);
		else if (row->verdict == FB_UNMEASURED)
			fb_buf_add(&buf, "; not measurable here: %s", row->measured);
		fb_buf_add(&buf, "\n");
	}
	fb_buf_add(&buf, "%zu held, %zu differ, %zu not measurable here\n", count(report, FB_HELD), count(report, FB_DIFFERS),
		   count(report, FB_UNMEASURED));
	return fb_buf_text(&buf);
}

json_t *fb_report_json(const struct fb_report *report, const char *board)
{
	json_t *root = json_object(), *rows = json_array();
	for (size_t i = 0; i < report->n; i++) {
		const struct fb_row *row = &report->row[i];
		json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "key", row->key, "verdict",
						      fb_verdict_name(row->verdict), "wanted", row->wanted, "measured",
						      row->measured));
	}
	json_object_set_new(root, "format", json_integer(1));
	json_object_set_new(root, "board", json_string(board));
	json_object_set_new(root, "holds", json_boolean(fb_report_holds(report)));
	json_object_set_new(root, "keys", rows);
	return root;
}

const char *fb_status_text(struct fb_arena *arena, const struct fb_state *state, const struct fb_run *run)
{
	struct fb_buf buf = { .arena = arena };
	fb_buf_add(&buf, "state: %s\n", fb_result_name(run->result == FB_RES_NEW ? state->result : run->result));
	if (run->result != FB_RES_NEW)
		fb_buf_add(&buf, "stage: %s\n", fb_stage_name(run->stage));
	if (run->result == FB_RES_RUNNING && *run->step)
		fb_buf_add(&buf, "step: %s\n", run->step);
	if (*state->error)
		fb_buf_add(&buf, "error: %s\n", state->error);
	for (size_t i = 0; i < state->notes.n; i++)
		fb_buf_add(&buf, "note: %s\n", state->notes.item[i]);
	for (size_t i = 0; i < state->n_follow; i++)
		fb_buf_add(&buf, "still to do: %s%s%s (%s)\n", state->follow[i].unit ? fb_verb_name(state->follow[i].verb) : "reboot",
			   state->follow[i].unit ? " " : "", state->follow[i].unit ? state->follow[i].unit : "",
			   state->follow[i].why);
	for (size_t i = 0; i < run->n_times; i++) {
		const struct fb_step_time *time = &run->time[i];
		fb_buf_add(&buf, "%8.1f ms  %s %s, %u changes%s%s\n", (double)time->us / 1000, time->stage, time->step,
			   time->changes, time->error ? ": " : "", time->error ? time->error : "");
	}
	return fb_buf_text(&buf);
}

json_t *fb_status_json(const struct fb_state *state, const struct fb_run *run)
{
	json_t *steps = json_array(), *notes = json_array(), *owed = json_array();
	for (size_t i = 0; i < run->n_times; i++) {
		const struct fb_step_time *time = &run->time[i];
		json_array_append_new(steps, json_pack("{s:s, s:s, s:I, s:i, s:s*}", "stage", time->stage, "step", time->step,
						       "us", (json_int_t)time->us, "changes", (int)time->changes, "error",
						       time->error));
	}
	for (size_t i = 0; i < state->notes.n; i++)
		json_array_append_new(notes, json_string(state->notes.item[i]));
	for (size_t i = 0; i < state->n_follow; i++)
		json_array_append_new(owed, json_pack("{s:s, s:s*, s:s}", "do",
						      state->follow[i].unit ? fb_verb_name(state->follow[i].verb) : "reboot",
						      "unit", state->follow[i].unit, "why", state->follow[i].why));
	return json_pack("{s:i, s:s, s:b, s:s, s:s, s:s, s:o, s:o, s:o}", "format", 1, "state",
			 fb_result_name(run->result == FB_RES_NEW ? state->result : run->result), "provisioned",
			 state->is_provisioned, "stage", fb_stage_name(run->stage), "step", run->step, "error", state->error,
			 "notes", notes, "still-to-do", owed, "steps", steps);
}
