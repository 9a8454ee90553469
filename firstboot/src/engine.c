/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plan, act, plan again. */
#include "engine.h"

#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "act.h"

enum { ROUNDS_MAX = 3 };	/* a port may appear while we are at it; what is not done then is not going to be */

void fb_engine_start(struct fb_engine *engine)
{
	fb_state_load(&engine->fs, engine->arena, &engine->state);
	fb_run_load(&engine->fs, engine->arena, &engine->run);
	engine->run.stage = engine->stage;
	engine->board_rc = fb_board_read(&engine->fs, engine->arena, &engine->board, &engine->board_err);
}

/* Facts and an empty plan for one step, then the plan. A failed read makes the plan void. */
static int plan_step(struct fb_engine *engine, const struct fb_step *step, const struct fb_conf *conf, struct fb_view *view,
		     struct fb_facts *facts, const void *measured, struct fb_plan *ret_plan, struct fb_error *err)
{
	int rc = engine->env->gather(engine->env, &engine->fs, engine->arena, facts, err);
	if (rc < 0)
		return rc;
	facts->stage = engine->stage;
	facts->is_provisioned = engine->state.is_provisioned;
	facts->once = engine->state.once;
	*view = (struct fb_view){
		.fs = &engine->fs, .arena = engine->arena, .facts = facts, .env = engine->env,
		.measured = measured,
		.board = engine->board_rc < 0 ? NULL : &engine->board,
	};
	*ret_plan = (struct fb_plan){ .view = view };
	step->plan(ret_plan, conf);
	if (view->rc < 0)
		*err = view->err;
	return view->rc;
}

int fb_engine_plan(struct fb_engine *engine, fb_show_fn *show, void *userdata, struct fb_error *err)
{
	if (engine->board_rc < 0) {
		*err = engine->board_err;
		return engine->board_rc;
	}
	for (size_t i = 0; i < fb_n_steps; i++) {
		struct fb_view view;
		struct fb_facts facts;
		struct fb_plan plan;
		int rc = plan_step(engine, fb_steps[i], engine->conf, &view, &facts, NULL, &plan, err);
		if (rc < 0)
			return rc;
		engine->changes += (unsigned)plan.n;
		show(userdata, fb_steps[i], &plan, &facts);
	}
	return 0;
}

/* How much of the plan can be done now; *ret_first is the first such change. */
static unsigned possible(const struct fb_plan *plan, const struct fb_facts *facts, const struct fb_change **ret_first)
{
	unsigned n = 0;
	for (size_t i = plan->n; i-- > 0;)
		if (fb_change_is_possible(&plan->change[i], facts)) {
			*ret_first = &plan->change[i];
			n++;
		}
	return n;
}

/* Follow-ups go to the disk before the files they follow: a restart that is owed cannot be seen on the disk. */
static int owe(struct fb_engine *engine, const struct fb_plan *plan, struct fb_error *err)
{
	bool is_moot = !engine->env->is_live || engine->stage == FB_STAGE_EARLY;	/* units start later, with the new files */
	if (!plan->n_follow || is_moot)
		return 0;
	fb_state_follow(engine->arena, &engine->state, plan->follow, plan->n_follow);
	return fb_state_save(&engine->fs, engine->arena, &engine->state, err);
}

/*
 * A provision.conf that was carried out to the end is not forced over what its owner has changed by hand since: verify
 * tells the difference, and an apply by hand removes it.
 */
static bool is_forced(const struct fb_engine *engine, const struct fb_step *step)
{
	return !engine->env->is_live || engine->stage == FB_STAGE_ALL || !engine->state.is_applied || step->each_boot;
}

/* What only the network can tell. Done once for all rounds of a step. */
static const void *measure(struct fb_engine *engine, const struct fb_step *step, const struct fb_conf *conf)
{
	bool is_online = engine->stage == FB_STAGE_ONLINE || engine->stage == FB_STAGE_ALL;
	struct fb_facts facts;
	struct fb_error ignored;	/* plan_step() meets it again and tells */
	if (!step->measure || !conf || !engine->env->is_live || !is_online ||
	    engine->env->gather(engine->env, &engine->fs, engine->arena, &facts, &ignored) < 0 || !facts.is_clock_good)
		return NULL;
	facts.stage = engine->stage;
	facts.is_provisioned = engine->state.is_provisioned;
	facts.once = engine->state.once;
	struct fb_view view = { .fs = &engine->fs, .arena = engine->arena, .facts = &facts, .env = engine->env };
	return step->measure(&view, conf);
}

static int run_step(struct fb_engine *engine, const struct fb_step *step, unsigned *ret_changes, struct fb_error *err)
{
	struct fb_view view;
	struct fb_facts facts;
	struct fb_plan plan;
	const struct fb_change *first = NULL;
	const struct fb_conf *conf = is_forced(engine, step) ? engine->conf : NULL;
	const void *measured = measure(engine, step, conf);
	int rc = plan_step(engine, step, conf, &view, &facts, measured, &plan, err);
	for (int round = 0; rc == 0 && possible(&plan, &facts, &first); round++) {
		if (round == ROUNDS_MAX)
			return fb_fail(err, EPROTO, "did not hold: %s %s is still to do after it was done (%s)",
				       fb_kind_name(first->kind), first->path, first->why);
		rc = owe(engine, &plan, err);
		if (rc == 0)
			rc = fb_act(engine, step, &plan, &facts, ret_changes, err);
		if (rc == 0)
			rc = plan_step(engine, step, conf, &view, &facts, measured, &plan, err);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < plan.notes.n; i++) {
		fb_strs_add(engine->arena, &engine->state.notes, plan.notes.item[i]);
		engine->env->log(engine->env, LOG_WARNING, fb_stage_name(engine->stage), step->name, plan.notes.item[i]);
	}
	engine->deferred += (unsigned)plan.n;
	return plan.later ? fb_fail(err, EAGAIN, "%s", plan.later) : 0;
}

/* What this boot is doing, for status --wait. It lives in /run and is worth no failure. */
static void tell(struct fb_engine *engine, const char *step)
{
	struct fb_error ignored;
	engine->run.step = step;
	engine->env->notify(engine->env, *step ? step : "done");
	if (engine->env->is_live)
		(void)fb_run_save(&engine->fs, engine->arena, &engine->run, &ignored);
}

static int pay(struct fb_engine *engine, struct fb_error *err)
{
	struct fb_state *state = &engine->state;
	size_t n_before = state->n_follow;
	int first_rc = 0;
	if (!engine->env->is_live)
		return 0;
	if (engine->stage == FB_STAGE_EARLY) {
		state->n_follow = 0;		/* this boot starts everything anew */
	} else {
		for (enum fb_impact impact = FB_QUIET; impact < FB_REBOOT; impact++)
			for (size_t i = 0; i < state->n_follow;) {
				struct fb_follow *follow = &state->follow[i];
				int rc = follow->impact == impact ?
						 engine->env->unit(engine->env, follow->unit, follow->verb, err) : 1;
				if (rc < 0 && first_rc == 0)
					first_rc = rc;
				if (rc == 0)
					memmove(follow, follow + 1, (--state->n_follow - i) * sizeof(*follow));
				else
					i++;
			}
	}
	if (state->n_follow != n_before) {
		struct fb_error save_err;
		int rc = fb_state_save(&engine->fs, engine->arena, state, &save_err);
		if (rc < 0 && first_rc == 0) {
			*err = save_err;
			first_rc = rc;
		}
	}
	return first_rc;
}

static void failed(struct fb_engine *engine, const char *step, int rc, const struct fb_error *err)
{
	if (rc == -EAGAIN) {		/* the world is not ready: degraded until a later try */
		engine->retries++;
		fb_strs_add(engine->arena, &engine->state.notes, fb_format(engine->arena, "%s: %s", step, err->text));
		engine->env->log(engine->env, LOG_WARNING, fb_stage_name(engine->stage), step, err->text);
		return;
	}
	if (!engine->failures++) {
		engine->first_rc = rc;
		engine->state.error = fb_format(engine->arena, "%s: %s", step, err->text);
	}
	engine->env->log(engine->env, LOG_ERR, fb_stage_name(engine->stage), step, err->text);
}

int fb_engine_apply(struct fb_engine *engine, struct fb_error *err)
{
	engine->state.notes = (struct fb_strs){ 0 };
	engine->state.error = "";
	if (!fb_run_is_final(&engine->run) || engine->stage != FB_STAGE_ONLINE)
		engine->run.result = FB_RES_RUNNING;	/* else it is a later try for a cable that came late */
	if (engine->stage == FB_STAGE_EARLY || engine->stage == FB_STAGE_ALL)
		engine->run.n_times = 0;	/* a new story */
	if (engine->board_rc < 0)
		failed(engine, "board", engine->board_rc, &engine->board_err);	/* go on: the box must be closed all the same */
	for (size_t i = 0; i < fb_n_steps; i++) {
		struct fb_step_time time = { .step = fb_steps[i]->name, .stage = fb_stage_name(engine->stage) };
		struct fb_error step_err;
		uint64_t start_us = engine->env->now_us(engine->env);
		tell(engine, fb_steps[i]->name);
		int rc = run_step(engine, fb_steps[i], &time.changes, &step_err);
		if (rc < 0) {
			failed(engine, fb_steps[i]->name, rc, &step_err);
			time.error = fb_strdup(engine->arena, step_err.text);
		}
		time.us = engine->env->now_us(engine->env) - start_us;
		engine->changes += time.changes;
		fb_run_time(engine->arena, &engine->run, &time);
	}
	struct fb_error pay_err;
	int rc = pay(engine, &pay_err);
	if (rc < 0)
		failed(engine, "follow-ups", rc, &pay_err);
	if (engine->changes) {
		rc = fb_fs_sync(&engine->fs, err);
		if (rc < 0)
			return rc;
	}
	tell(engine, "");
	return 0;
}

int fb_engine_verify(struct fb_engine *engine, struct fb_report *ret_report, struct fb_error *err)
{
	*ret_report = (struct fb_report){ 0 };
	if (engine->board_rc < 0) {
		*err = engine->board_err;
		return engine->board_rc;
	}
	for (size_t i = 0; i < fb_n_steps; i++) {
		struct fb_view *view = fb_alloc(engine->arena, sizeof(*view));
		struct fb_facts *facts = fb_alloc(engine->arena, sizeof(*facts));
		struct fb_plan plan;
		int rc = plan_step(engine, fb_steps[i], engine->conf, view, facts, NULL, &plan, err);
		if (rc < 0)
			return rc;
		ret_report->view = view;
		for (size_t k = 0; k < plan.n; k++)
			fb_report_add(ret_report, fb_steps[i]->name, FB_DIFFERS, plan.change[k].path,
				      fb_format(engine->arena, "apply would change it (%s)", plan.change[k].why));
		if (fb_steps[i]->probe && engine->conf)
			fb_steps[i]->probe(ret_report, engine->conf);
		if (view->rc < 0) {
			*err = view->err;
			return view->rc;
		}
	}
	return 0;
}
