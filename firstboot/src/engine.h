/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plan, act, plan again; the only place that performs changes. */
#ifndef FB_ENGINE_H
#define FB_ENGINE_H

#include "state.h"
#include "step.h"

struct fb_engine {
	struct fb_fs fs;
	struct fb_env *env;
	struct fb_arena *arena;
	enum fb_stage stage;
	struct fb_board board;
	int board_rc;			/* < 0: there is no board data, board_err says why */
	struct fb_error board_err;
	struct fb_conf *conf;		/* NULL: no accepted provision.conf; only the invariants of the box are planned */
	bool is_changed;		/* conf is not what the box held so far */
	struct fb_state state;
	struct fb_run run;
	unsigned changes, deferred, failures;
	int first_rc;			/* of the first failed step */
	unsigned retries;		/* steps that have to run again, since the world was not ready (-EAGAIN) */
};

/* fs, env, arena, stage, conf are set by the caller. Reads board data and state. */
void fb_engine_start(struct fb_engine *engine);

/* Plans of all steps, each from the disk as it is; calls show for each. */
typedef void fb_show_fn(void *userdata, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts);
int fb_engine_plan(struct fb_engine *engine, fb_show_fn *show, void *userdata, struct fb_error *err);

/* A failed step does not stop the others: the box must stay as reachable as it can be. Failures are logged and counted. */
int fb_engine_apply(struct fb_engine *engine, struct fb_error *err);

/* Measure each key, and say which changes a plan would still make. */
int fb_engine_verify(struct fb_engine *engine, struct fb_report *ret_report, struct fb_error *err);
bool fb_report_holds(const struct fb_report *report);

#endif
