/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for the greatest UDP rate within a loss limit. Two things make it more than a bisection: a path that is bound
 * by a CPU may lose more at a lower rate for once, so an end of the bracket is believed only by 2 of 3 long trials, and
 * is moved on if they deny it; and reordered datagrams look like loss at the edge, so such a trial is made again.
 */
#include "search.h"

#include <math.h>

#include "job.h"

static const double width = 0.01;		/* of the bracket, relative */
static const double reorder_limit_percent = 0.1;
static const unsigned reorder_patience = 4;	/* rates lowered for it by 1, 2, 4 and 8 %: then it is the line's nature */
static const double reach = 0.97;		/* a sender that stays below this part of the wanted rate cannot do more */

struct state {
	const struct bench_search_plan *plan;
	struct bench_search *out;
	double floor_mbps;
	bool is_sender_bound;
	unsigned n_denied;		/* by reordering alone, the loss being within the limit */
	bool has_order;			/* some rate kept the order: then reordering is a limit like loss */
	int rc;
};

static bool has_trials(const struct state *s)
{
	return s->rc == 0 && s->out->n_trials < s->plan->n_max;
}

static bool trial_at(struct state *s, double rate, unsigned seconds, struct bench_probe *probe)
{
	s->out->n_trials++;
	s->rc = s->plan->probe(s->plan->context, rate, seconds, probe);
	return s->rc == 0;
}

static bool is_line_reordering(const struct state *s)
{
	return !s->has_order && s->n_denied >= reorder_patience;
}

/* One question to the path: is the loss at this rate within the limit? No trials left count as no. */
static bool holds(struct state *s, double rate, unsigned seconds)
{
	struct bench_probe probe = { 0 };
	if (!has_trials(s) || !trial_at(s, rate, seconds, &probe))
		return false;
	if (!is_line_reordering(s) && probe.reordered_percent > reorder_limit_percent) {
		s->out->n_remeasured++;
		if (!has_trials(s) || !trial_at(s, rate, seconds, &probe))
			return false;
		if (probe.reordered_percent > reorder_limit_percent) {
			s->n_denied += probe.loss_percent <= s->plan->loss_limit_percent;
			return false;
		}
	}
	s->has_order |= probe.reordered_percent <= reorder_limit_percent;
	if (probe.offered_mbps < rate * reach && probe.loss_percent <= s->plan->loss_limit_percent)
		s->is_sender_bound = true;
	return probe.loss_percent <= s->plan->loss_limit_percent;
}

/* 2 of 3 long trials; the third only if the first two differ. */
static bool holds_surely(struct state *s, double rate)
{
	int yes = holds(s, rate, s->plan->long_s), no = !yes;
	while (has_trials(s) && yes < 2 && no < 2) {
		bool one = holds(s, rate, s->plan->long_s);
		yes += one;
		no += !one;
	}
	return yes > no;
}

/* Walk up from a rate that held until one does not, or the cap or the sender ends it. */
static void bracket_up(struct state *s)
{
	for (double step = width; has_trials(s); step *= 2) {
		double rate = fmin(s->out->low_mbps * (1 + step), s->plan->cap_mbps);
		if (rate <= s->out->low_mbps || s->is_sender_bound) {
			s->out->is_bracketed = false;
			s->out->high_mbps = s->out->low_mbps;
			return;
		}
		if (!holds(s, rate, s->plan->short_s)) {
			s->out->high_mbps = rate;
			return;
		}
		s->out->low_mbps = rate;
	}
}

static void bracket_down(struct state *s)
{
	for (double step = width; has_trials(s); step *= 2) {
		double rate = fmax(s->out->high_mbps * (1 - fmin(step, 0.5)), s->floor_mbps);
		if (holds(s, rate, s->plan->short_s)) {
			s->out->low_mbps = rate;
			return;
		}
		if (rate <= s->floor_mbps)
			return;
		s->out->high_mbps = rate;
	}
}

static void find_bracket(struct state *s)
{
	double seed = fmin(s->plan->seed_mbps, s->plan->cap_mbps);
	if (holds(s, seed, s->plan->short_s)) {
		s->out->low_mbps = seed;
		bracket_up(s);
	} else if (s->rc == 0) {
		s->out->high_mbps = seed;
		bracket_down(s);
	}
}

static void halve(struct state *s)
{
	while (has_trials(s) && s->out->low_mbps > 0 && s->out->high_mbps > s->out->low_mbps * (1 + 1.5 * width)) {
		double rate = (s->out->low_mbps + s->out->high_mbps) / 2;
		if (holds(s, rate, s->plan->short_s))
			s->out->low_mbps = rate;
		else
			s->out->high_mbps = rate;
	}
}

/* Long trials judge the ends; an end that does not hold becomes the other one, and the walk goes on in doubling steps. */
static void confirm(struct state *s)
{
	bool is_high_sure = false;
	double step = width;
	for (; has_trials(s) && s->out->low_mbps > s->floor_mbps && !holds_surely(s, s->out->low_mbps); step *= 2) {
		if (s->rc)
			return;
		is_high_sure = true;
		s->out->high_mbps = s->out->low_mbps;
		s->out->low_mbps *= 1 - fmin(step, 0.5);
	}
	if (is_high_sure)
		return;
	for (step = width; has_trials(s) && s->out->is_bracketed && holds_surely(s, s->out->high_mbps); step *= 2) {
		s->out->low_mbps = s->out->high_mbps;
		s->out->high_mbps = fmin(s->out->high_mbps * (1 + step), s->plan->cap_mbps);
		s->out->is_bracketed = s->out->high_mbps > s->out->low_mbps && !s->is_sender_bound;
	}
}

int bench_search(const struct bench_search_plan *plan, struct bench_search *ret_search)
{
	double start_s = bench_clock_s();
	*ret_search = (struct bench_search){
		.loss_limit_percent = plan->loss_limit_percent, .seed_mbps = plan->seed_mbps, .is_bracketed = true,
	};
	struct state s = { .plan = plan, .out = ret_search, .floor_mbps = plan->seed_mbps / 16 };
	find_bracket(&s);
	if (s.rc == 0 && is_line_reordering(&s)) {	/* those denials say nothing about the rate: begin anew */
		ret_search->low_mbps = ret_search->high_mbps = 0;
		ret_search->is_bracketed = true;
		find_bracket(&s);
	}
	ret_search->is_reordering = is_line_reordering(&s);
	if (s.rc == 0 && ret_search->is_bracketed)
		halve(&s);
	if (s.rc == 0)
		confirm(&s);
	ret_search->took_s = bench_clock_s() - start_s;
	return s.rc;
}
