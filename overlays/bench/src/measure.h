/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of the matrix, measured step by step, so that rows can be interleaved. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "latency.h"
#include "options.h"
#include "path.h"
#include "telemetry.h"
#include "users.h"

/* What all rows of a run share. */
struct bench_session {
	struct fb_arena *arena;
	struct fb_fs *fs;		/* where /proc and /sys are */
	const struct bench_options *options;
	struct bench_conf conf;
	struct bench_run run;
	const size_t *path_of_conf;	/* of each run.path: its index in conf */
	struct bench_users *users;	/* NULL: not a scheduled run */
	enum bench_status over;		/* not BENCH_OK: users came or the day's bytes are used up; the rest is skipped */
	const char *over_reason;
	bool was_stopped;		/* SIGINT or SIGTERM: the rest is skipped, results are kept */
	void (*progress)(struct bench_session *session, const struct bench_row *row, double trial_elapsed_s);
};

enum { BENCH_TRIALS_MAX = 256 };

struct bench_measure {
	struct bench_session *session;
	struct bench_path *path;
	size_t path_index;
	struct bench_row *row;
	struct bench_meter *meter;
	struct bench_pinger *pinger;
	double value[BENCH_TRIALS_MAX];	/* forward figures that count */
	double back[BENCH_TRIALS_MAX];
	size_t n_values;
	unsigned n_failures;		/* in a row: on a lossy line now and then a UDP test does not begin */
	double offered_mbps;		/* UDP: what the search found */
	bool is_over;
};

/* Facts of the path, ceiling, latency of the idle line. A row that cannot be measured is over with its reason. */
void bench_measure_begin(struct bench_measure *m);

/* UDP: the search. TCP: nothing. */
void bench_measure_search(struct bench_measure *m);

/* One trial of the method. False when the row is over. */
bool bench_measure_trial(struct bench_measure *m);

/* Figures, spread, telemetry. */
void bench_measure_end(struct bench_measure *m);

/* Attempt one trial: busy peers are asked again; the row keeps it. Its status is that of the last attempt. */
const struct bench_trial *bench_measure_attempt(struct bench_measure *m, enum bench_protocol protocol, double offered_mbps,
						unsigned seconds, bool is_short);

void bench_row_fail(struct bench_row *row, enum bench_status status, const char *reason);
void bench_row_ceiling(struct bench_session *session, struct bench_row *row, const struct bench_path *path, size_t index);

#endif
