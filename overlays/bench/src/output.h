/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run's results in files. Every file is replaced whole or stays as it was. */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include "options.h"
#include "result.h"

const char *bench_csv(struct fb_arena *arena, const struct bench_run *run);
const char *bench_prom(struct fb_arena *arena, const struct bench_run *run);

/* Before a measurement of minutes: can the files be written at the end? */
int bench_output_check(struct fb_arena *arena, const struct bench_options *options, struct fb_error *err);

/* Write every file that the options name. All are tried; the first failure is returned. */
int bench_output_write(struct fb_arena *arena, const struct bench_options *options, const struct bench_run *run,
		       struct fb_error *err);

/* The dated copy of --history, older ones than the newest 100 removed; then the report over all of them. */
int bench_output_history(struct fb_arena *arena, const struct bench_options *options, const struct bench_run *run,
			 struct fb_error *err);

/* The runs of a history directory, newest last; damaged files are left out and counted. */
int bench_history_load(struct fb_arena *arena, const char *dir, struct bench_run **ret_run, size_t *ret_n,
		       size_t *ret_n_bad, struct fb_error *err);

#endif
