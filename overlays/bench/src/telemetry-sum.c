/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Telemetry of a row: the difference between a trial's two looks, added up, and told at the end. */
#include "telemetry-in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more in a growing array of the arena. */
static void *grow(struct fb_arena *arena, void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	size_t bigger = *cap ? *cap * 2 : 64;
	void *copy = fb_alloc(arena, bigger * size);
	if (n)
		memcpy(copy, items, n * size);
	*cap = bigger;
	return copy;
}

static void add_irq(struct bench_meter *meter, const struct bench_irq_count *irq, double more)
{
	size_t i = 0;
	while (i < meter->n_irqs && (meter->irq[i].core != irq->core || strcmp(meter->irq[i].name, irq->name)))
		i++;
	if (i == meter->n_irqs) {
		meter->irq = grow(meter->arena, meter->irq, i, &meter->cap_irqs, sizeof(*meter->irq));
		meter->irq[meter->n_irqs++] = (struct bench_irq_count){ fb_strdup(meter->arena, irq->name), irq->core, 0 };
	}
	meter->irq[i].count += more;
}

static void irqs(struct bench_meter *meter, const struct bench_sample *now)
{
	/* Both looks list them in the same order; a line that came in between shifts only what is behind it. */
	for (size_t i = 0, j = 0; i < now->n_irqs; i++) {
		const struct bench_irq_count *irq = &now->irq[i], *old = meter->before.irq;
		size_t k = j;
		while (k < meter->before.n_irqs && (old[k].core != irq->core || strcmp(old[k].name, irq->name)))
			k++;
		double more = irq->count - (k < meter->before.n_irqs ? old[k].count : 0);
		if (k < meter->before.n_irqs)
			j = k + 1;
		if (more > 0)
			add_irq(meter, irq, more);
	}
}

static void states(struct bench_meter *meter, const struct bench_sample *now)
{
	for (size_t i = 0; i < now->n_states; i++) {
		const struct bench_state_time *state = &now->state[i];
		double before = i < meter->before.n_states ? meter->before.state[i].time : 0;
		size_t j = 0;
		while (j < meter->n_states && (meter->state[j].khz != state->khz || strcmp(meter->state[j].policy, state->policy)))
			j++;
		if (j == meter->n_states) {
			meter->state = grow(meter->arena, meter->state, j, &meter->cap_states, sizeof(*meter->state));
			meter->state[meter->n_states++] =
				(struct bench_state_time){ fb_strdup(meter->arena, state->policy), state->khz, 0 };
		}
		meter->state[j].time += fmax(state->time - before, 0);
	}
}

static struct bench_iface minus(const struct bench_iface *a, const struct bench_iface *b)
{
	return (struct bench_iface){
		a->dev, a->rx_bytes - b->rx_bytes, a->tx_bytes - b->tx_bytes, a->rx_packets - b->rx_packets,
		a->tx_packets - b->tx_packets, a->rx_dropped - b->rx_dropped, a->tx_dropped - b->tx_dropped,
		a->errors - b->errors,
	};
}

static struct bench_iface since_begin(const struct bench_meter *meter, const struct bench_iface *now)
{
	static const struct bench_iface zero = { 0 };
	const struct bench_iface *old = &zero;
	for (size_t k = 0; k < meter->before.n_ifaces; k++)
		if (!strcmp(meter->before.iface[k].dev, now->dev))
			old = &meter->before.iface[k];
	return minus(now, old);
}

/* The sums' entry of dev, made if it is new. NULL if there are too many. */
static struct bench_iface *sum_of(struct bench_meter *meter, const char *dev)
{
	for (size_t i = 0; i < meter->n_ifaces; i++)
		if (!strcmp(meter->iface[i].dev, dev))
			return &meter->iface[i];
	if (meter->n_ifaces == IFACES_MAX)
		return NULL;
	struct bench_iface *sum = &meter->iface[meter->n_ifaces++];
	*sum = (struct bench_iface){ .dev = fb_strdup(meter->arena, dev) };
	return sum;
}

static void ifaces(struct bench_meter *meter, const struct bench_sample *now)
{
	static const struct bench_iface zero = { 0 };
	for (size_t i = 0; i < now->n_ifaces; i++) {
		struct bench_iface *sum = sum_of(meter, now->iface[i].dev);
		struct bench_iface more = since_begin(meter, &now->iface[i]), negative = minus(&zero, &more);
		if (sum)
			*sum = minus(sum, &negative);
	}
}

void bench_meter_since_begin(struct bench_meter *meter, const struct bench_sample *now)
{
	meter->n_last = 0;
	for (size_t i = 0; i < now->n_ifaces; i++) {
		struct bench_iface *sum = sum_of(meter, now->iface[i].dev);
		if (!sum)
			continue;
		struct bench_iface *last = &meter->last[meter->n_last++];
		*last = since_begin(meter, &now->iface[i]);
		last->dev = sum->dev;
	}
}

static void cores(struct bench_meter *meter, const struct bench_sample *now)
{
	const struct bench_sample *old = &meter->before;
	for (size_t i = 0, j = 0; i < now->n_cpus; i++) {
		const struct bench_cpu_ticks *cpu = &now->cpu[i];
		while (j < old->n_cpus && old->cpu[j].core < cpu->core)
			j++;
		if (j == old->n_cpus || old->cpu[j].core != cpu->core || cpu->core >= CORES_MAX)
			continue;	/* it went off line or came: no difference to take */
		struct core *core = &meter->core[cpu->core];
		core->is_known = true;
		core->total += cpu->total - old->cpu[j].total;
		core->idle += cpu->idle - old->cpu[j].idle;
		core->softirq += cpu->softirq - old->cpu[j].softirq;
	}
}

void bench_meter_sum(struct bench_meter *meter, const struct bench_sample *now)
{
	cores(meter, now);
	irqs(meter, now);
	states(meter, now);
	ifaces(meter, now);
	meter->dropped += now->softnet_dropped - meter->before.softnet_dropped;
	meter->squeezed += now->softnet_squeezed - meter->before.softnet_squeezed;
}

bool bench_meter_iface(const struct bench_meter *meter, const char *dev, struct bench_iface *ret_iface, double *ret_span_s)
{
	for (size_t i = 0; i < meter->n_last; i++) {
		if (!strcmp(meter->last[i].dev, dev)) {
			*ret_iface = meter->last[i];
			*ret_span_s = meter->marked_s;
			return true;
		}
	}
	return false;
}

static void tell_cores(struct bench_meter *meter, struct bench_telemetry *out)
{
	out->core = fb_alloc(meter->arena, CORES_MAX * sizeof(*out->core));
	for (unsigned i = 0; i < CORES_MAX; i++) {
		const struct core *core = &meter->core[i];
		if (!core->is_known)
			continue;
		double total = core->total > 0 ? core->total : NAN;
		out->core[out->n_cores++] = (struct bench_core){
			.core = i, .busy_percent = fmax(100 * (1 - core->idle / total), 0),
			.softirq_percent = 100 * core->softirq / total, .max_khz = core->max_khz,
			.busy = core->busy, .n_busy = core->busy ? meter->n_steps : 0,
		};
	}
}

static void tell_residency(struct bench_meter *meter, struct bench_telemetry *out)
{
	out->residency = fb_alloc(meter->arena, (meter->n_states + 1) * sizeof(*out->residency));
	for (size_t i = 0; i < meter->n_states; i++) {
		double total = 0;
		for (size_t j = 0; j < meter->n_states; j++)
			if (!strcmp(meter->state[j].policy, meter->state[i].policy))
				total += meter->state[j].time;
		if (meter->state[i].time > 0)
			out->residency[out->n_residencies++] = (struct bench_residency){
				meter->state[i].policy, meter->state[i].khz, 100 * meter->state[i].time / total };
	}
}

static int by_count(const void *a, const void *b)
{
	double x = ((const struct bench_irq_count *)a)->count, y = ((const struct bench_irq_count *)b)->count;
	return (x < y) - (x > y);
}

static void tell_irqs(struct bench_meter *meter, struct bench_telemetry *out)
{
	size_t n = meter->n_irqs < TOP_IRQS ? meter->n_irqs : TOP_IRQS;
	if (meter->n_irqs)
		qsort(meter->irq, meter->n_irqs, sizeof(*meter->irq), by_count);
	out->irq = fb_alloc(meter->arena, (n + 1) * sizeof(*out->irq));
	out->n_irqs = n;
	for (size_t i = 0; i < n; i++)
		out->irq[i] = (struct bench_irq){ meter->irq[i].name, meter->irq[i].core,
						  meter->irq[i].count / meter->lasted_s };
}

struct bench_telemetry *bench_meter_result(struct bench_meter *meter)
{
	struct bench_telemetry *out = fb_alloc(meter->arena, sizeof(*out));
	out->step_s = 1;
	tell_cores(meter, out);
	tell_residency(meter, out);
	tell_irqs(meter, out);
	out->temperature = meter->zone;
	out->n_temperatures = meter->n_zones;
	out->iface = meter->iface;
	out->n_ifaces = meter->n_ifaces;
	out->throttled_count = meter->throttled;
	out->softnet_dropped = meter->dropped;
	out->softnet_squeezed = meter->squeezed;
	out->own_cpu_percent = meter->lasted_s > 0 ? 100 * meter->own_cpu_s / meter->lasted_s : NAN;
	return out;
}
