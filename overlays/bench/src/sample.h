/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One look at the counters of /proc and /sys below a root. What is absent there is absent here, and no error. */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include "result.h"

struct bench_cpu_ticks {
	unsigned core;
	double total, idle, softirq;
};

struct bench_irq_count {
	const char *name;		/* what /proc/interrupts says behind the controller */
	unsigned core;
	double count;
};

struct bench_state_time {
	const char *policy;
	double khz, time;		/* time in 10 ms */
};

struct bench_zone {
	const char *zone;
	double celsius;
};

struct bench_sample {
	struct bench_cpu_ticks *cpu;	size_t n_cpus;
	struct bench_irq_count *irq;	size_t n_irqs;
	struct bench_state_time *state;	size_t n_states;
	struct bench_zone *zone;	size_t n_zones;
	struct bench_iface *iface;	size_t n_ifaces;	/* without lo */
	double softnet_dropped, softnet_squeezed;		/* NAN if unknown */
};

/* All of it. All memory from arena. */
void bench_sample(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *ret_sample);

/* The parts that are wanted more often. */
void bench_sample_cpus(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample);
void bench_sample_zones(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample);
void bench_sample_ifaces(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample);
bool bench_is_throttled(struct fb_fs *fs, struct fb_arena *arena);	/* a cooling device holds a CPU's clock down */
double bench_core_khz(struct fb_fs *fs, struct fb_arena *arena, unsigned core);	/* NAN if unknown */

#endif
