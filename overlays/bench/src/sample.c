/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the counters of /proc and /sys. */
#include "sample.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { READ_MAX = 1 << 20, CORES_MAX = 256, LINES_MAX = 1024 };

/* NULL if it is not there. */
static char *read_text(struct fb_fs *fs, struct fb_arena *arena, const char *path)
{
	struct fb_error err;
	char *text;
	return fb_fs_read(fs, arena, path, READ_MAX, &text, NULL, &err) < 0 ? NULL : text;
}

static double read_number(struct fb_fs *fs, struct fb_arena *arena, const char *path)
{
	const char *text = read_text(fs, arena, path);
	return text && (isdigit((unsigned char)*text) || *text == '-') ? strtod(text, NULL) : NAN;
}

/* Numbers from *at on, as many as there are, n at most. */
static size_t numbers(const char **at, double *value, size_t n)
{
	size_t i = 0;
	for (; i < n; i++) {
		while (**at == ' ' || **at == '\t')
			(*at)++;
		if (!isdigit((unsigned char)**at))
			break;
		char *end;
		value[i] = strtod(*at, &end);
		*at = end;
	}
	return i;
}

void bench_sample_cpus(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	const char *at = read_text(fs, arena, "/proc/stat"), *line;
	size_t len;
	sample->cpu = fb_alloc(arena, CORES_MAX * sizeof(*sample->cpu));
	while (at && sample->n_cpus < CORES_MAX && fb_text_next_line(&at, &line, &len)) {
		double t[8] = { 0 };	/* user nice system idle iowait irq softirq steal */
		unsigned core;
		int used = 0;
		if (sscanf(line, "cpu%u%n", &core, &used) != 1 || line[3] == ' ' || core >= CORES_MAX)
			continue;
		const char *rest = line + used;
		if (numbers(&rest, t, FB_ARRAY_LEN(t)) < 4)
			continue;
		struct bench_cpu_ticks *cpu = &sample->cpu[sample->n_cpus++];
		*cpu = (struct bench_cpu_ticks){ .core = core, .idle = t[3] + t[4], .softirq = t[6] };
		for (size_t i = 0; i < FB_ARRAY_LEN(t); i++)
			cpu->total += t[i];
	}
}

/* "  24:   10   20  GICv3 44 Level  eth0": a number, counts for each core, words. */
static void interrupts(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	const char *at = read_text(fs, arena, "/proc/interrupts"), *line;
	size_t len, n_cores = 0;
	if (!at || !fb_text_next_line(&at, &line, &len))
		return;
	const char *head = fb_strndup(arena, line, len);
	unsigned core_of[CORES_MAX];
	for (const char *word; n_cores < CORES_MAX && (word = fb_text_next_word(arena, &head));)
		if (sscanf(word, "CPU%u", &core_of[n_cores]) == 1)
			n_cores++;
	sample->irq = fb_alloc(arena, (n_cores + 1) * LINES_MAX * sizeof(*sample->irq));
	for (size_t n = 0; n < LINES_MAX && fb_text_next_line(&at, &line, &len); n++) {
		double count[CORES_MAX];
		const char *text = fb_strndup(arena, line, len), *colon = strchr(text, ':');
		if (!colon)
			continue;
		const char *rest = colon + 1;
		size_t n_counts = numbers(&rest, count, n_cores);
		while (*rest == ' ')
			rest++;
		while (*text == ' ')
			text++;
		const char *name = fb_format(arena, "%.*s %s", (int)(colon - text), text, rest);
		for (size_t i = 0; i < n_counts; i++)
			if (count[i] > 0)
				sample->irq[sample->n_irqs++] = (struct bench_irq_count){ name, core_of[i], count[i] };
	}
}

static void residency(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	static const char base[] = "/sys/devices/system/cpu/cpufreq";
	struct fb_strs policies = { 0 };
	struct fb_error err;
	(void)fb_fs_list(fs, arena, base, &policies, &err);	/* none: no figures */
	sample->state = fb_alloc(arena, LINES_MAX * sizeof(*sample->state));
	for (size_t i = 0; i < policies.n; i++) {
		const char *path = fb_format(arena, "%s/%s/stats/time_in_state", base, policies.item[i]);
		const char *at = read_text(fs, arena, path), *line;
		size_t len;
		while (at && sample->n_states < LINES_MAX && fb_text_next_line(&at, &line, &len)) {
			double pair[2];
			if (numbers(&line, pair, 2) == 2)
				sample->state[sample->n_states++] =
					(struct bench_state_time){ policies.item[i], pair[0], pair[1] };
		}
	}
}

void bench_sample_zones(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	static const char base[] = "/sys/class/thermal";
	struct fb_strs names = { 0 };
	struct fb_error err;
	(void)fb_fs_list(fs, arena, base, &names, &err);	/* none: no figures */
	sample->zone = fb_alloc(arena, (names.n + 1) * sizeof(*sample->zone));
	for (size_t i = 0; i < names.n; i++) {
		if (!fb_text_starts(names.item[i], "thermal_zone"))
			continue;
		double milli = read_number(fs, arena, fb_format(arena, "%s/%s/temp", base, names.item[i]));
		char *type = read_text(fs, arena, fb_format(arena, "%s/%s/type", base, names.item[i]));
		if (type)
			type[strcspn(type, "\n")] = '\0';
		if (!isnan(milli))
			sample->zone[sample->n_zones++] =
				(struct bench_zone){ type && *type ? type : names.item[i], milli / 1000 };
	}
}

bool bench_is_throttled(struct fb_fs *fs, struct fb_arena *arena)
{
	static const char base[] = "/sys/class/thermal";
	struct fb_strs names = { 0 };
	struct fb_error err;
	(void)fb_fs_list(fs, arena, base, &names, &err);	/* none: nothing throttles */
	for (size_t i = 0; i < names.n; i++) {
		if (!fb_text_starts(names.item[i], "cooling_device"))
			continue;
		const char *type = read_text(fs, arena, fb_format(arena, "%s/%s/type", base, names.item[i]));
		if (type && strstr(type, "cpu") &&
		    read_number(fs, arena, fb_format(arena, "%s/%s/cur_state", base, names.item[i])) > 0)
			return true;
	}
	return false;
}

double bench_core_khz(struct fb_fs *fs, struct fb_arena *arena, unsigned core)
{
	return read_number(fs, arena, fb_format(arena, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", core));
}

void bench_sample_ifaces(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	const char *at = read_text(fs, arena, "/proc/net/dev"), *line;
	size_t len;
	sample->iface = fb_alloc(arena, LINES_MAX * sizeof(*sample->iface));
	while (at && sample->n_ifaces < LINES_MAX && fb_text_next_line(&at, &line, &len)) {
		double n[16];	/* rx: bytes packets errs drop fifo frame compressed multicast, tx: the same shape */
		const char *text = fb_strndup(arena, line, len), *colon = strchr(text, ':'), *rest = colon ? colon + 1 : "";
		while (*text == ' ')
			text++;
		if (!colon || numbers(&rest, n, FB_ARRAY_LEN(n)) < FB_ARRAY_LEN(n) || !strncmp(text, "lo:", 3))
			continue;
		sample->iface[sample->n_ifaces++] = (struct bench_iface){
			.dev = fb_strndup(arena, text, (size_t)(colon - text)), .rx_bytes = n[0], .tx_bytes = n[8],
			.rx_packets = n[1], .tx_packets = n[9], .rx_dropped = n[3] + n[4], .tx_dropped = n[11] + n[12],
			.errors = n[2] + n[10],
		};
	}
}

/* A line a core, in hexadecimal: processed, dropped, squeezed (the budget ended before the queue). */
static void softnet(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *sample)
{
	const char *at = read_text(fs, arena, "/proc/net/softnet_stat"), *line;
	size_t len;
	sample->softnet_dropped = sample->softnet_squeezed = at ? 0 : NAN;
	while (at && fb_text_next_line(&at, &line, &len)) {
		unsigned processed, dropped, squeezed;
		if (sscanf(line, "%x %x %x", &processed, &dropped, &squeezed) == 3) {
			sample->softnet_dropped += dropped;
			sample->softnet_squeezed += squeezed;
		}
	}
}

void bench_sample(struct fb_fs *fs, struct fb_arena *arena, struct bench_sample *ret_sample)
{
	*ret_sample = (struct bench_sample){ 0 };
	bench_sample_cpus(fs, arena, ret_sample);
	bench_sample_zones(fs, arena, ret_sample);
	bench_sample_ifaces(fs, arena, ret_sample);
	interrupts(fs, arena, ret_sample);
	residency(fs, arena, ret_sample);
	softnet(fs, arena, ret_sample);
}
