/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "options.h"

/* Each returns the exit code: 0 all rows have figures, 2 some have reasons instead, 64 usage, 71 OS, 74 I/O, 75 busy. */
int bench_verb_run(struct fb_arena *arena, const struct bench_options *options);
int bench_verb_restore(struct fb_arena *arena, const struct bench_options *options);
int bench_verb_compare(struct fb_arena *arena, const struct bench_options *options);
int bench_verb_report(struct fb_arena *arena, const struct bench_options *options);
int bench_verb_server(struct fb_arena *arena, const struct bench_options *options);

#endif
