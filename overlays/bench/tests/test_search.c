/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The UDP search against lines that are known by formula: no network. */
#include "test.h"

#include <math.h>

#include "search.h"

struct line {
	double rate_mbps;		/* it carries this much and drops the rest */
	double sender_mbps;		/* more than this the sender cannot make; 0: any */
	double base_loss_percent;	/* random loss at every rate */
	double reorder_above_mbps;	/* datagrams out of order from this rate on; 0: never */
	unsigned bad_trial, bad_trial_2;	/* these trials lose 20 % more: a CPU that was busy elsewhere */
	unsigned fail_trial;		/* the peer is gone in this one */
	unsigned n, n_long;
};

static int probe(void *context, double offered, unsigned seconds, struct bench_probe *ret)
{
	struct line *line = context;
	line->n++;
	line->n_long += seconds >= 5;
	if (line->fail_trial == line->n)
		return -1;
	double out = line->sender_mbps > 0 ? fmin(offered, line->sender_mbps) : offered;
	double carried = fmin(out * (1 - line->base_loss_percent / 100), line->rate_mbps);
	double loss = 100 * (1 - carried / out);
	if (line->n == line->bad_trial || line->n == line->bad_trial_2)
		loss += 20;
	*ret = (struct bench_probe){ out, carried, loss,
				     line->reorder_above_mbps > 0 && offered > line->reorder_above_mbps ? 1 : 0 };
	return 0;
}

static struct bench_search_plan plan_for(struct line *line, double seed)
{
	return (struct bench_search_plan){
		.loss_limit_percent = 10, .seed_mbps = seed, .cap_mbps = 1000, .short_s = 2, .long_s = 5, .n_max = 20,
		.probe = probe, .context = line,
	};
}

static struct bench_search search(struct line *line, double seed)
{
	struct bench_search_plan plan = plan_for(line, seed);
	struct bench_search out;
	CHECK(bench_search(&plan, &out) == 0);
	CHECK(out.n_trials == line->n);
	return out;
}

/* 97.2 Mbit/s of payload and 10 % loss: 108 offered, whatever the seed; 10 trials when the seed is TCP's rate. */
TEST(bracket_holds_the_boundary)
{
	static const double seeds[] = { 107.3, 108.5, 106, 100, 90, 120, 60 };
	for (size_t i = 0; i < FB_ARRAY_LEN(seeds); i++) {
		struct line line = { .rate_mbps = 97.2 };
		struct bench_search out = search(&line, seeds[i]);
		CHECK(out.is_bracketed && out.low_mbps <= 108 && out.high_mbps >= 108);
		CHECK(out.high_mbps / out.low_mbps < 1.03);
		CHECK(line.n_long >= 4);
		if (i < 3)
			CHECK(out.n_trials <= 10);
	}
}

TEST(one_disturbed_trial_does_not_move_it)
{
	for (unsigned bad = 1; bad <= 10; bad++) {
		struct line line = { .rate_mbps = 97.2, .bad_trial = bad };
		struct bench_search out = search(&line, 107.3);
		CHECK(out.low_mbps <= 108.01 && out.low_mbps >= 104.7);
	}
}

TEST(two_disturbed_trials_in_a_row_move_it_little)
{
	struct line line = { .rate_mbps = 97.2, .bad_trial = 6, .bad_trial_2 = 7 };
	struct bench_search out = search(&line, 107.3);
	CHECK(out.low_mbps <= 108.01 && out.low_mbps >= 101);
}

TEST(a_sender_that_cannot_do_more_ends_it)
{
	struct line line = { .rate_mbps = 900, .sender_mbps = 310 };
	struct bench_search out = search(&line, 300);
	CHECK(!out.is_bracketed && out.low_mbps >= 300 && out.n_trials < 15);
}

TEST(the_port_caps_it)
{
	struct line line = { .rate_mbps = 5000 };
	struct bench_search out = search(&line, 980);
	CHECK(!out.is_bracketed && out.low_mbps == 1000);
}

/* Reordering above a rate bounds the result; each such trial is made again first. */
TEST(reordering_lowers_the_rate)
{
	struct line line = { .rate_mbps = 97.2, .reorder_above_mbps = 103 };
	struct bench_search out = search(&line, 107.3);
	CHECK(out.n_remeasured >= 1 && !out.is_reordering);
	CHECK(out.low_mbps <= 103 && out.low_mbps > 97);
}

/* A line that reorders at every rate would drive it to nothing: then loss alone decides, and that is told. */
TEST(reordering_at_every_rate_is_told)
{
	struct line line = { .rate_mbps = 97.2, .reorder_above_mbps = 0.001 };
	struct bench_search out = search(&line, 107.3);
	CHECK(out.is_reordering);
	CHECK(out.low_mbps <= 108.01 && out.low_mbps > 104);
}

TEST(random_loss_below_the_limit_is_borne)
{
	struct line line = { .rate_mbps = 97.2, .base_loss_percent = 3 };
	struct bench_search out = search(&line, 40);	/* TCP is far below on such a line */
	CHECK(out.low_mbps <= 108.01 && out.high_mbps >= 107.9);
}

TEST(random_loss_above_the_limit_ends_at_nothing)
{
	struct line line = { .rate_mbps = 97.2, .base_loss_percent = 30 };
	struct bench_search out = search(&line, 107);
	CHECK(out.low_mbps == 0 && out.n_trials <= 20);
}

TEST(a_peer_that_goes_ends_the_search)
{
	struct line line = { .rate_mbps = 97.2, .fail_trial = 4 };
	struct bench_search_plan plan = plan_for(&line, 107.3);
	struct bench_search out;
	CHECK(bench_search(&plan, &out) == -1);
	CHECK(line.n == 4);
}

TEST_MAIN()
