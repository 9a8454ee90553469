/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many trials make a figure, and which figure they make. */
#include "method.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "text.h"

enum { TRIALS_MAX = 100, CONFIDENT_MIN = 3, CONFIDENT_MAX = 20, DIGITS = 3 };

/* default_n 0: the number must be given. */
static const struct {
	const char *prefix;
	enum bench_method_kind kind;
	unsigned default_n, least_n;
	double default_width;
} methods[] = {
	{ "best-of-", BENCH_BEST, 0, 1, 0 },
	{ "trimmed-mean-of-", BENCH_TRIMMED_MEAN, 0, 3, 0 },
	{ "mean-of-", BENCH_MEAN, 0, 1, 0 },
	{ "mean", BENCH_MEAN, 3, 1, 0 },
	{ "until-confident:", BENCH_UNTIL_CONFIDENT, 0, 0, 0 },
	{ "until-confident", BENCH_UNTIL_CONFIDENT, 0, 0, 2 },
};

int bench_method_parse(struct fb_arena *arena, const char *name, struct bench_method *ret_method, struct fb_error *err)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(methods); i++) {
		if (!fb_text_starts(name, methods[i].prefix))
			continue;
		const char *rest = name + strlen(methods[i].prefix);
		char *end;
		double value = strtod(rest, &end);
		bool has_value = *rest >= '0' && *rest <= '9' && !*end;
		struct bench_method method = { .kind = methods[i].kind, .name = fb_strdup(arena, name) };
		if (methods[i].kind == BENCH_UNTIL_CONFIDENT) {
			if (!*rest && methods[i].default_width > 0)
				value = methods[i].default_width;
			else if (!has_value || value < 0.1 || value > 50)
				break;
			method.width_percent = value;
			method.n_min = CONFIDENT_MIN;
			method.n_max = CONFIDENT_MAX;
		} else {
			if (!*rest && methods[i].default_n)
				value = methods[i].default_n;
			else if (!has_value || value < methods[i].least_n || value > TRIALS_MAX || value != floor(value))
				break;
			method.n_min = method.n_max = (unsigned)value;
		}
		*ret_method = method;
		return 0;
	}
	return fb_fail(err, EINVAL, "unknown method \"%s\"; wanted: best-of-5, trimmed-mean-of-7, mean, until-confident or until-confident:PERCENT (0.1 to 50); other counts up to %d may stand for 5 and 7, and mean-of-N for mean", name, TRIALS_MAX);
}

bool bench_method_wants_more(const struct bench_method *method, const double *value, size_t n)
{
	if (n < method->n_min)
		return true;
	if (n >= method->n_max)
		return false;
	struct bench_stats stats = bench_stats(value, n);
	return !(stats.ci95 <= stats.mean * method->width_percent / 100);
}

struct bench_figure bench_method_figure(const struct bench_method *method, const double *value, size_t n)
{
	struct bench_stats stats = bench_stats(value, n);
	struct bench_figure figure = { stats.mean, stats.min, stats.max, stats.ci95 };
	if (method->kind == BENCH_BEST)
		figure.value = stats.max;
	if (method->kind == BENCH_TRIMMED_MEAN)
		figure.value = n < 3 ? stats.mean : bench_round_significant(bench_trimmed_mean(value, n), DIGITS);
	return figure;
}
