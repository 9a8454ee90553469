/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast the processor runs: governor and limits of each cpufreq policy, now and through Armbian's own file. */
#include <stdlib.h>
#include <string.h>

#include "step.h"
#include "text.h"
#include "valid.h"

#define DEFAULTS "/etc/default/cpufrequtils"
#define CPUFREQ "/sys/devices/system/cpu/cpufreq"

/* Those of the kernel that need nobody's help; "userspace" would stand still. */
static const char *const governors[] = { "ondemand", "schedutil", "conservative", "performance", "powersave" };

static const char *valid_governor(struct fb_arena *arena, const char *value)
{
	return fb_valid_choice(arena, value, governors, FB_ARRAY_LEN(governors));
}

static const struct fb_key keys[] = {
	{ .path = "cpu.governor",
	  .type = FB_STR,
	  .offset = offsetof(struct fb_config, cpu.governor),
	  .preset = "ondemand",
	  .valid = valid_governor,
	  .range = "ondemand, schedutil, conservative, performance or powersave",
	  .doc = "How the speed of the processor follows its load. \"performance\" keeps it at its limit: more throughput, more heat." },
	{ .path = "cpu.min-khz",
	  .type = FB_INT,
	  .offset = offsetof(struct fb_config, cpu.min_khz),
	  .preset = "0",
	  .range = "kHz, such as 1008000; 0: the board's own limit",
	  .max = 10000000,
	  .doc = "No core runs slower than this. A core takes its next higher step, or its fastest." },
	{ .path = "cpu.max-khz",
	  .type = FB_INT,
	  .offset = offsetof(struct fb_config, cpu.max_khz),
	  .preset = "0",
	  .range = "kHz, such as 1416000; 0: the board's own limit",
	  .max = 10000000,
	  .doc = "No core runs faster than this. A core takes its next lower step, or its slowest." },
};

static void check_cpu(struct fb_conf *conf)
{
	const struct fb_cpu *cpu = &conf->value.cpu;
	const struct {
		const char *path;
		long khz;
	} rows[] = { { "cpu.min-khz", cpu->min_khz }, { "cpu.max-khz", cpu->max_khz } };
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		if (rows[i].khz > 0 && rows[i].khz < 10000)		/* no processor that Linux runs on is that slow */
			fb_conf_complain(conf, rows[i].path, NULL, 0,
					 "%ld looks like MHz; write kHz, such as %ld000, or 0 for the board's own limit",
					 rows[i].khz, rows[i].khz);
	if (cpu->min_khz && cpu->max_khz && cpu->min_khz > cpu->max_khz)
		fb_conf_complain(conf, "cpu.min-khz", NULL, 0, "%ld is more than cpu.max-khz, %ld", cpu->min_khz,
				 cpu->max_khz);
}

/* One policy: the cores that share a clock. Speeds in kHz. */
struct policy {
	const char *dir, *name;
	const char *governor, *available;	/* the kernel's words, without the newline */
	long min, max;				/* what is set */
	long want_min, want_max;		/* what this policy can do of it */
	bool has_governor;			/* the wanted one is there */
	bool is_hot;				/* the kernel holds the upper limit down until the board is cooler */
};

static const char *attr(struct fb_view *view, const char *dir, const char *name)
{
	const char *text = fb_view_text(view, fb_format(view->arena, "%s/%s", dir, name));
	size_t len = text ? strcspn(text, "\n") : 0;
	while (len && text[len - 1] == ' ')
		len--;
	return fb_strndup(view->arena, text ? text : "", len);
}

static long attr_long(struct fb_view *view, const char *dir, const char *name)
{
	return strtol(attr(view, dir, name), NULL, 10);		/* the kernel's own number */
}

/* The kernel moves a limit onto a step of the table: the lower one up, the upper one down (cpufreq_set_policy()). */
static long step_at(struct fb_view *view, const char *steps, long khz, bool is_min)
{
	long best = 0;
	for (const char *word; (word = fb_text_next_word(view->arena, &steps));) {
		long step = strtol(word, NULL, 10);
		if (is_min ? step >= khz && (!best || step < best) : step <= khz && step > best)
			best = step;
	}
	return best ? best : khz;	/* a driver without a table takes any speed */
}

static long clamp(long value, long low, long high)
{
	return value < low ? low : value > high ? high : value;
}

/* The thermal zones lower scaling_max_freq as well, and nobody can raise it then (drivers/thermal/cpufreq_cooling.c). */
static bool is_throttled(struct fb_view *view)
{
	static const char thermal[] = "/sys/class/thermal";
	struct fb_strs names;
	bool is_hot = false;
	(void)fb_view_list(view, thermal, &names);	/* absent: nothing in it */
	for (size_t i = 0; i < names.n; i++) {
		const char *dir = fb_format(view->arena, "%s/%s", thermal, names.item[i]);
		is_hot |= fb_text_starts(names.item[i], "cooling_device") && strstr(attr(view, dir, "type"), "cpufreq") &&
			  attr_long(view, dir, "cur_state") > 0;
	}
	return is_hot;
}

static struct policy read_policy(struct fb_view *view, const char *name, const struct fb_cpu *cpu)
{
	const char *dir = fb_format(view->arena, CPUFREQ "/%s", name), *word;
	long lowest = attr_long(view, dir, "cpuinfo_min_freq"), highest = attr_long(view, dir, "cpuinfo_max_freq");
	const char *steps = attr(view, dir, "scaling_available_frequencies");
	struct policy policy = {
		.dir = dir, .name = name, .governor = attr(view, dir, "scaling_governor"),
		.available = attr(view, dir, "scaling_available_governors"),
		.min = attr_long(view, dir, "scaling_min_freq"), .max = attr_long(view, dir, "scaling_max_freq"),
	};
	policy.want_max = clamp(cpu->max_khz ? cpu->max_khz : highest, lowest, highest);
	policy.want_min = clamp(cpu->min_khz ? cpu->min_khz : lowest, lowest, highest);
	policy.want_max = step_at(view, steps, policy.want_max, false);
	policy.want_min = step_at(view, steps, policy.want_min, true);
	if (policy.want_min > policy.want_max)		/* no step lies between both */
		policy.want_min = policy.want_max;
	for (const char *at = policy.available; (word = fb_text_next_word(view->arena, &at));)
		policy.has_governor |= !strcmp(word, cpu->governor);
	return policy;
}

/* None on a box without cpufreq, and in a container: there the processor is the host's. */
static size_t read_policies(struct fb_view *view, const struct fb_cpu *cpu, struct policy **ret_policy)
{
	struct fb_strs names = { 0 };
	size_t n = 0;
	if (view->facts->is_live && !fb_view_exists(view, "/run/systemd/container"))
		(void)fb_view_list(view, CPUFREQ, &names);	/* absent: nothing in it */
	struct policy *policy = fb_alloc(view->arena, (names.n + 1) * sizeof(*policy));
	for (size_t i = 0; i < names.n; i++)
		if (fb_text_starts(names.item[i], "policy"))
			policy[n++] = read_policy(view, names.item[i], cpu);
	bool is_hot = n && is_throttled(view);
	for (size_t i = 0; i < n; i++)
		policy[i].is_hot = is_hot && policy[i].max < policy[i].want_max;
	*ret_policy = policy;
	return n;
}

/* armbian-hardware-optimization reads this file in the middle of each boot and sets what it says. */
static void plan_defaults(struct fb_plan *plan, const struct fb_cpu *cpu)
{
	struct fb_view *view = plan->view;
	struct fb_stat st = { .mode = 0644 };
	bool is_file = fb_view_stat(view, DEFAULTS, &st) && st.type == FB_IS_FILE;
	const char *text = is_file ? fb_view_text(view, DEFAULTS) : NULL;
	const struct {
		const char *name, *value;
	} vars[] = {
		{ "ENABLE", "true" },
		{ "GOVERNOR", cpu->governor },
		{ "MIN_SPEED", cpu->min_khz ? fb_format(view->arena, "%ld", cpu->min_khz) : "" },	/* empty: left as it is */
		{ "MAX_SPEED", cpu->max_khz ? fb_format(view->arena, "%ld", cpu->max_khz) : "" },
	};
	if (!text)
		text = "# Written by r4s-firstboot from provision.conf; edit that file instead.\n";
	for (size_t i = 0; i < FB_ARRAY_LEN(vars); i++)
		text = fb_text_set_var(view->arena, text, vars[i].name, vars[i].value);
	(void)fb_want_owned_file(plan, DEFAULTS, text, st.mode, st.uid, st.gid,
				 "speed of the processor, also for Armbian's own script");
}

static void plan_limit(struct fb_plan *plan, const struct policy *policy, bool is_min)
{
	struct fb_arena *arena = plan->view->arena;
	if (!is_min && policy->is_hot)
		return;
	(void)fb_want_attr(plan, FB_LIVE,
			   fb_format(arena, "%s/%s", policy->dir, is_min ? "scaling_min_freq" : "scaling_max_freq"),
			   fb_format(arena, "%ld", is_min ? policy->want_min : policy->want_max),
			   is_min ? "lowest speed" : "highest speed");
}

static void plan_policy(struct fb_plan *plan, const struct policy *policy, const struct fb_cpu *cpu)
{
	struct fb_arena *arena = plan->view->arena;
	/* The lower limit must never pass the upper one, not even between two writes. */
	bool is_min_first = policy->want_max < policy->min;
	plan_limit(plan, policy, is_min_first);
	plan_limit(plan, policy, !is_min_first);
	if (policy->has_governor)
		(void)fb_want_attr(plan, FB_LIVE, fb_format(arena, "%s/scaling_governor", policy->dir), cpu->governor,
				   "how the speed follows the load");
	else
		fb_plan_note(plan, "cpu.governor: %s has no \"%s\", only: %s; it stays at %s", policy->name, cpu->governor,
			     policy->available, policy->governor);
}

static void plan_cpu(struct fb_plan *plan, const struct fb_conf *conf)
{
	struct policy *policy;
	if (!conf)
		return;		/* the image keeps the speed of its distribution */
	const struct fb_cpu *cpu = &conf->value.cpu;
	plan_defaults(plan, cpu);
	size_t n = read_policies(plan->view, cpu, &policy);
	for (size_t i = 0; i < n; i++)
		plan_policy(plan, &policy[i], cpu);
}

/* What is set, once if it is the same everywhere, else for each policy. */
static const char *by_policy(struct fb_arena *arena, const struct policy *policy, const char *const *text, size_t n)
{
	struct fb_buf buf = { .arena = arena };
	bool is_same = true;
	for (size_t i = 1; i < n; i++)
		is_same &= !strcmp(text[i], text[0]);
	for (size_t i = 0; i < n && !is_same; i++)
		fb_buf_add(&buf, "%s%s %s", i ? ", " : "", policy[i].name, text[i]);
	return is_same ? text[0] : fb_buf_text(&buf);
}

static void probe_governor(struct fb_report *report, const struct fb_cpu *cpu, const struct policy *policy, size_t n)
{
	struct fb_arena *arena = report->view->arena;
	const char **text = fb_alloc(arena, n * sizeof(*text));
	bool is_held = true;
	for (size_t i = 0; i < n; i++) {
		is_held &= !strcmp(policy[i].governor, cpu->governor);
		text[i] = policy[i].has_governor ? policy[i].governor :
			  fb_format(arena, "%s (it has only: %s)", policy[i].governor, policy[i].available);
	}
	fb_report_add(report, "cpu.governor", is_held ? FB_HELD : FB_DIFFERS, cpu->governor, by_policy(arena, policy, text, n));
}

static void probe_limit(struct fb_report *report, const char *key, long wanted, bool is_min, const struct policy *policy,
			size_t n)
{
	struct fb_arena *arena = report->view->arena;
	const char **text = fb_alloc(arena, n * sizeof(*text));
	const char *want = wanted ? fb_format(arena, "%ld", wanted) : "the board's own limit";
	bool is_held = true, is_hot = false;
	for (size_t i = 0; i < n; i++) {
		long is = is_min ? policy[i].min : policy[i].max, target = is_min ? policy[i].want_min : policy[i].want_max;
		bool is_excused = !is_min && policy[i].is_hot;
		is_held &= is == target || is_excused;
		is_hot |= is_excused;
		text[i] = is == target ? fb_format(arena, "%ld", is) :
			  fb_format(arena, "%ld instead of %ld", is, target);
	}
	const char *measured = by_policy(arena, policy, text, n);
	if (is_held && is_hot)
		fb_report_add(report, key, FB_UNMEASURED, want, fb_format(arena, "the board is hot and slows itself down: %s", measured));
	else
		fb_report_add(report, key, is_held ? FB_HELD : FB_DIFFERS, want, measured);
}

static void probe_cpu(struct fb_report *report, const struct fb_conf *conf)
{
	const struct fb_cpu *cpu = &conf->value.cpu;
	struct policy *policy;
	size_t n = read_policies(report->view, cpu, &policy);
	if (n) {
		probe_governor(report, cpu, policy, n);
		probe_limit(report, "cpu.min-khz", cpu->min_khz, true, policy, n);
		probe_limit(report, "cpu.max-khz", cpu->max_khz, false, policy, n);
		return;
	}
	const char *why = report->view->facts->is_live ? "this kernel does not set the speed of the processor (no cpufreq)" :
							 "not a running system";
	const char *const wanted[] = { cpu->governor, fb_format(report->view->arena, "%ld", cpu->min_khz),
				       fb_format(report->view->arena, "%ld", cpu->max_khz) };
	for (size_t i = 0; i < FB_ARRAY_LEN(keys); i++)
		fb_report_add(report, keys[i].path, FB_UNMEASURED, wanted[i], why);
}

const struct fb_step fb_step_cpu = {
	.name = "cpu",
	.each_boot = true, .summary = "speed of the processor",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = check_cpu,
	.plan = plan_cpu,
	.probe = probe_cpu,
};
