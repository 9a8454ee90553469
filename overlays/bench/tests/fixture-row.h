/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What belongs to a single row of the made-up run in fixture.h. */
#ifndef FIXTURE_ROW_H
#define FIXTURE_ROW_H

#include <math.h>
#include <string.h>

#include "result.h"

enum { FIXTURE_N_CORES = 6, FIXTURE_N_STEPS = 40 };

/* Between 0 and 1, the same in every run of the test. */
static double fixture_noise(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return (double)(*seed >> 8 & 0xffff) / 0xffff;
}

static struct bench_telemetry *fixture_telemetry(struct fb_arena *arena,
						 const struct bench_row *row, unsigned *seed)
{
	static struct bench_residency residency[] = {
		{ "policy0", 1416000, 91.4 },
		{ "policy0", 1008000, 8.6 },
		{ "policy4", 1800000, 97.2 },
		{ "policy4", 1416000, 2.8 },
	};
	static struct bench_temperature temperature[] = { { "cpu-thermal", 41.1, 52.8 },
							  { "gpu-thermal", 40.0, 47.5 } };
	static struct bench_irq irq[] = { { "wan0", 4, 8120 }, { "lan0", 5, 7655 } };
	struct bench_iface iface[] = { { "wan0", 21e6, 1187e6, 160e3, 812e3, 0, 3, 0 },
				       { "wg0", 9e6, 1101e6, 150e3, 811e3, 0, 0, 0 } };
	struct bench_telemetry *tele = fb_alloc(arena, sizeof(*tele));
	*tele = (struct bench_telemetry){
		.step_s = 0.25,
		.core = fb_alloc(arena, FIXTURE_N_CORES * sizeof(struct bench_core)),
		.n_cores = FIXTURE_N_CORES,
		.residency = residency,
		.n_residencies = FB_ARRAY_LEN(residency),
		.temperature = temperature,
		.n_temperatures = FB_ARRAY_LEN(temperature),
		.irq = irq,
		.n_irqs = FB_ARRAY_LEN(irq),
		.iface = fb_alloc(arena, sizeof(iface)),
		.n_ifaces = FB_ARRAY_LEN(iface),
		.throttled_count = 0,
		.softnet_dropped = 0,
		.softnet_squeezed = 12,
		.own_cpu_percent = 0.7,
	};
	memcpy(tele->iface, iface, sizeof(iface));
	for (unsigned c = 0; c < FIXTURE_N_CORES; c++) {
		double level = row->kind == BENCH_TUNNEL ? (c == 4   ? 94
							    : c == 1 ? 78
								     : 45)
			       : c >= 4			 ? 55
							 : 12,
		       sum = 0;
		double *busy = fb_alloc(arena, FIXTURE_N_STEPS * sizeof(*busy));
		for (size_t i = 0; i < FIXTURE_N_STEPS; i++) {
			double ramp = i < 3 ? (double)(i + 1) / 4 : 1;
			busy[i] = fmin(100, ramp * level + 8 * (fixture_noise(seed) - 0.5));
			busy[i] = fmax(0, busy[i]);
			sum += busy[i];
		}
		tele->core[c] = (struct bench_core){
			.core = c,
			.busy_percent = sum / FIXTURE_N_STEPS,
			.softirq_percent = level * (c == 4 ? 0.74 : 0.3),
			.max_khz = c >= 4 ? 1800000 : 1416000,
			.busy = busy,
			.n_busy = FIXTURE_N_STEPS,
		};
	}
	return tele;
}

static struct bench_latency *fixture_latency(struct fb_arena *arena, const struct bench_row *row)
{
	struct bench_latency *found = fb_alloc(arena, sizeof(*found));
	double grow = row->kind == BENCH_TUNNEL ? 9 : row->kind == BENCH_FASTPATH_OFF ? 4 : 1;
	*found = (struct bench_latency){
		.n_idle = 50,
		.n_loaded = 500,
		.n_lost = row->kind == BENCH_TUNNEL ? 3 : 0,
		.idle_median_ms = 0.41,
		.idle_p95_ms = 0.55,
		.loaded_median_ms = 0.9 + 0.7 * grow,
		.loaded_p95_ms = 1.4 + 1.2 * grow,
		.loaded_max_ms = 3 + 2 * grow,
	};
	return found;
}

static struct bench_search *fixture_search(struct fb_arena *arena, double mbps, bool is_bracketed)
{
	struct bench_search *found = fb_alloc(arena, sizeof(*found));
	*found = (struct bench_search){
		.loss_limit_percent = 10,
		.seed_mbps = mbps * 0.97,
		.low_mbps = mbps * 1.08,
		.high_mbps = mbps * 1.11,
		.n_trials = 8,
		.n_remeasured = 1,
		.took_s = 31.5,
		.is_bracketed = is_bracketed,
	};
	return found;
}

#endif
