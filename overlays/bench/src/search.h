/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The greatest UDP rate that a path carries with no more than a given loss. */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include "result.h"

/* What one trial at a rate said. */
struct bench_probe {
	double offered_mbps;		/* what really went out; the sender may not reach the wanted rate */
	double received_mbps, loss_percent;
	double reordered_percent;	/* of the datagrams; NAN if unknown */
};

struct bench_search_plan {
	double loss_limit_percent;
	double seed_mbps;		/* offered rate to begin with */
	double cap_mbps;		/* nothing above is tried: the port's own rate */
	unsigned short_s, long_s;
	unsigned n_max;			/* trials in all */
	/* Make one trial. Non-zero ends the search: the path failed, and the caller knows how. */
	int (*probe)(void *context, double offered_mbps, unsigned seconds, struct bench_probe *ret_probe);
	void *context;
};

/*
 * Bracket the boundary from the seed in steps of 1, 2, 4 … %, halve the bracket to 1 % with short trials, then decide each
 * end by 2 of 3 long ones. ret_search holds the bracket also when the trials ran out. Returns what probe returned.
 */
int bench_search(const struct bench_search_plan *plan, struct bench_search *ret_search);

#endif
