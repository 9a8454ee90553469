/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many trials make a figure, and which figure they make. */
#ifndef BENCH_METHOD_H
#define BENCH_METHOD_H

#include "base.h"

enum bench_method_kind { BENCH_BEST, BENCH_TRIMMED_MEAN, BENCH_MEAN, BENCH_UNTIL_CONFIDENT };

struct bench_method {
	enum bench_method_kind kind;
	const char *name;		/* as it stands in the results: "until-confident:2" */
	unsigned n_min, n_max;		/* equal for all but until-confident */
	double width_percent;		/* of until-confident: half of the 95 % interval, of the mean */
};

/*
 * best-of-N, trimmed-mean-of-N, mean[-of-N], until-confident[:PERCENT]. Known by the write-ups: best-of-5 (NVR500),
 * trimmed-mean-of-7 (Vyatta), mean (R4S, 3 trials). -EINVAL with the list of them for any other word.
 */
int bench_method_parse(struct fb_arena *arena, const char *name, struct bench_method *ret_method, struct fb_error *err);

bool bench_method_wants_more(const struct bench_method *method, const double *value, size_t n);

struct bench_figure {
	double value, min, max, ci95;	/* ci95: NAN below two values */
};
/* n must be at least 1. */
struct bench_figure bench_method_figure(const struct bench_method *method, const double *value, size_t n);

#endif
