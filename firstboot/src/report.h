/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people and programs read: plans, verdicts, state. */
#ifndef FB_REPORT_H
#define FB_REPORT_H

#include <jansson.h>

#include "engine.h"

const char *fb_verdict_name(enum fb_verdict verdict);

/* The acceptance report, one line a key. */
const char *fb_report_text(struct fb_arena *arena, const struct fb_report *report, const char *board);
json_t *fb_report_json(const struct fb_report *report, const char *board);

/* A fb_show_fn: userdata is a struct fb_buf that gets the plan as a diff. */
void fb_plan_text(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts);
/* A fb_show_fn: userdata is a json_t array. */
void fb_plan_json(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts);

const char *fb_status_text(struct fb_arena *arena, const struct fb_state *state, const struct fb_run *run);
json_t *fb_status_json(const struct fb_state *state, const struct fb_run *run);

#endif
