/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Telemetry of a row: the difference of two looks at every trial's ends, added up, and one look a second between. */
#include "telemetry-in.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "job.h"

struct bench_meter *bench_meter_new(struct fb_arena *arena, struct fb_fs *fs, const char *from)
{
	struct bench_meter *meter = fb_alloc(arena, sizeof(*meter));
	meter->arena = arena;
	meter->fs = fs;
	meter->from = from;
	for (size_t i = 0; i < CORES_MAX; i++)
		meter->core[i].max_khz = NAN;
	return meter;
}

static double own_cpu_s(void)
{
	struct rusage use;
	if (getrusage(RUSAGE_SELF, &use) < 0)
		return 0;
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

/* Interfaces are those of the path's namespace, all else is the same everywhere. */
static void look(struct bench_meter *meter, struct bench_sample *ret_sample)
{
	int home = *meter->from ? bench_netns_save() : -1;
	(void)bench_netns_enter(meter->from);	/* a namespace that is gone ends the trial with its own message */
	bench_sample(meter->fs, meter->scratch, ret_sample);
	bench_netns_back(home);
}

static void heat(struct bench_meter *meter, const struct bench_sample *now)
{
	for (size_t i = 0; i < now->n_zones; i++) {
		size_t j = 0;
		while (j < meter->n_zones && strcmp(meter->zone[j].zone, now->zone[i].zone))
			j++;
		if (j == ZONES_MAX)
			continue;
		if (j == meter->n_zones)
			meter->zone[meter->n_zones++] = (struct bench_temperature){
				fb_strdup(meter->arena, now->zone[i].zone), now->zone[i].celsius, now->zone[i].celsius };
		meter->zone[j].max_c = fmax(meter->zone[j].max_c, now->zone[i].celsius);
	}
}

void bench_meter_start(struct bench_meter *meter)
{
	meter->scratch = fb_arena_new();
	meter->own_before_s = own_cpu_s();
	look(meter, &meter->before);
	heat(meter, &meter->before);
	for (size_t i = 0; i < meter->before.n_cpus; i++) {
		unsigned core = meter->before.cpu[i].core;
		if (core < CORES_MAX)
			meter->core[core].last = meter->before.cpu[i];
	}
	meter->started_s = bench_clock_s();
	meter->next_s = 1;
	meter->n_last = 0;
}

static void step_core(struct bench_meter *meter, struct fb_arena *scratch, const struct bench_cpu_ticks *now)
{
	struct core *core = &meter->core[now->core];
	double total = now->total - core->last.total, idle = now->idle - core->last.idle;
	if (!core->busy) {
		core->busy = fb_alloc(meter->arena, STEPS_MAX * sizeof(*core->busy));
		for (size_t i = 0; i < STEPS_MAX; i++)
			core->busy[i] = NAN;
	}
	core->busy[meter->n_steps] = total > 0 ? fmin(fmax(100 * (1 - idle / total), 0), 100) : NAN;
	core->max_khz = fmax(core->max_khz, bench_core_khz(meter->fs, scratch, now->core));
	core->last = *now;
}

void bench_meter_tick(struct bench_meter *meter, double elapsed_s)
{
	if (elapsed_s < meter->next_s || meter->n_steps == STEPS_MAX)
		return;
	meter->next_s += 1;
	struct fb_arena *scratch = fb_arena_new();
	struct bench_sample now = { 0 };
	bench_sample_cpus(meter->fs, scratch, &now);
	bench_sample_zones(meter->fs, scratch, &now);
	for (size_t i = 0; i < now.n_cpus; i++)
		if (now.cpu[i].core < CORES_MAX)
			step_core(meter, scratch, &now.cpu[i]);
	heat(meter, &now);
	meter->throttled += bench_is_throttled(meter->fs, scratch);
	meter->n_steps++;
	fb_arena_free(scratch);
}

void bench_meter_mark(struct bench_meter *meter, double elapsed_s)
{
	struct bench_sample now = { 0 };
	int home = *meter->from ? bench_netns_save() : -1;
	(void)bench_netns_enter(meter->from);	/* as in look() */
	bench_sample_ifaces(meter->fs, meter->scratch, &now);
	bench_netns_back(home);
	bench_meter_since_begin(meter, &now);
	meter->marked_s = elapsed_s;
}

void bench_meter_stop(struct bench_meter *meter)
{
	struct bench_sample now;
	look(meter, &now);
	meter->lasted_s += bench_clock_s() - meter->started_s;
	heat(meter, &now);
	bench_meter_sum(meter, &now);
	fb_arena_free(meter->scratch);
	meter->scratch = NULL;
	meter->before = (struct bench_sample){ 0 };
	meter->own_cpu_s += own_cpu_s() - meter->own_before_s;
}
