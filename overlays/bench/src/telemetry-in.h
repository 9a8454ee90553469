/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What telemetry.c and telemetry-sum.c share, and nobody else. */
#ifndef BENCH_TELEMETRY_IN_H
#define BENCH_TELEMETRY_IN_H

#include "sample.h"
#include "telemetry.h"

enum { CORES_MAX = 256, STEPS_MAX = 1200, ZONES_MAX = 32, IFACES_MAX = 64, TOP_IRQS = 12 };

struct core {
	double total, idle, softirq, max_khz;
	struct bench_cpu_ticks last;	/* at the last step */
	double *busy;
	bool is_known;
};

struct bench_meter {
	struct fb_arena *arena, *scratch;	/* scratch: one trial's two looks */
	struct fb_fs *fs;
	const char *from;
	struct bench_sample before;
	double started_s, lasted_s, next_s, own_cpu_s, own_before_s;
	struct core core[CORES_MAX];
	size_t n_steps;
	struct bench_irq_count *irq;		size_t n_irqs, cap_irqs;
	struct bench_state_time *state;		size_t n_states, cap_states;
	struct bench_temperature zone[ZONES_MAX];	size_t n_zones;
	struct bench_iface iface[IFACES_MAX];	size_t n_ifaces;	/* sums */
	struct bench_iface last[IFACES_MAX];	size_t n_last;		/* at the mark of the last trial */
	double marked_s;
	double throttled, dropped, squeezed;
};

/* Counters of now less those of meter->before. */
void bench_meter_since_begin(struct bench_meter *meter, const struct bench_sample *now);

/* Add the difference of now and meter->before to the sums. */
void bench_meter_sum(struct bench_meter *meter, const struct bench_sample *now);

#endif
