/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the box did while a row was measured: counters summed over its trials, CPU and heat step by step. */
#ifndef BENCH_TELEMETRY_H
#define BENCH_TELEMETRY_H

#include "result.h"

struct bench_meter;

/* fs: where /proc and /sys are; from: the network namespace whose interfaces count. Both live as long as the meter. */
struct bench_meter *bench_meter_new(struct fb_arena *arena, struct fb_fs *fs, const char *from);

void bench_meter_start(struct bench_meter *meter);			/* a trial begins */
void bench_meter_tick(struct bench_meter *meter, double elapsed_s);	/* cheap; looks once a second */
void bench_meter_stop(struct bench_meter *meter);			/* it has ended */

/*
 * Counters from the trial's begin to now, to be taken just before the load ends: what is still on its way after that is
 * counted by the port but by no measurement.
 */
void bench_meter_mark(struct bench_meter *meter, double elapsed_s);

/* Counters of dev until the last trial's mark, and their span. False if there is no mark or no such device. */
bool bench_meter_iface(const struct bench_meter *meter, const char *dev, struct bench_iface *ret_iface, double *ret_span_s);

struct bench_telemetry *bench_meter_result(struct bench_meter *meter);

#endif
