/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cpu step over trees in the shape of sysfs: two policies as on the RK3399, and what kernels do to a value. */
#include "box.h"

extern const struct fb_step fb_step_cpu;

#define CPUFREQ "/sys/devices/system/cpu/cpufreq/"
#define A53 "408000 600000 816000 1008000 1200000 1416000"
#define A72 A53 " 1608000 1800000"
#define GOVERNORS "conservative ondemand userspace powersave performance schedutil"

static void put_policy(struct box *box, const char *name, const char *steps, const char *highest)
{
	const struct {
		const char *attr, *text;
	} files[] = {
		{ "cpuinfo_min_freq", "408000" }, { "cpuinfo_max_freq", highest }, { "scaling_available_frequencies", steps },
		{ "scaling_available_governors", GOVERNORS }, { "scaling_governor", "ondemand" },
		{ "scaling_min_freq", "408000" }, { "scaling_max_freq", highest },
	};
	/* The kernel ends lists with a blank. */
	for (size_t i = 0; i < FB_ARRAY_LEN(files); i++)
		box_put(box, fb_format(box->arena, CPUFREQ "%s/%s", name, files[i].attr),
			fb_format(box->arena, "%s%s\n", files[i].text, strchr(files[i].text, ' ') ? " " : ""));
}

/* An RK3399 as the kernel leaves it, and its owner wants nothing special. */
static void open_rk3399(struct box *box)
{
	box_open(box);
	box->conf.value.cpu.governor = "ondemand";
	put_policy(box, "policy0", A53, "1416000");
	put_policy(box, "policy4", A72, "1800000");
	box_put(box, "/etc/default/cpufrequtils", "ENABLE=true\nMIN_SPEED=\nMAX_SPEED=\nGOVERNOR=ondemand\n");
}

/* What the plan writes into the tree, as the kernel would take it. */
static void act(struct box *box)
{
	box_act(box);
	for (size_t i = 0; i < box->plan.n; i++)
		if (box->plan.change[i].kind == FB_ATTR)
			box_put(box, box->plan.change[i].path, fb_format(box->arena, "%s\n", box->plan.change[i].text));
}

static const char *judged(struct fb_arena *arena, const char *text)
{
	const struct fb_keys table = { fb_step_cpu.keys, fb_step_cpu.n_keys };
	struct fb_buf buf = { .arena = arena };
	struct fb_conf conf;
	fb_conf_parse(&conf, arena, "p", text, strlen(text), &table, 1, &conf.value);
	fb_step_cpu.check(&conf);
	for (size_t i = 0; i < conf.n_complaints; i++)
		fb_buf_add(&buf, "%s\n", fb_conf_message(&conf, &conf.complaint[i]));
	return fb_buf_text(&buf);
}

TEST(values)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "cpu { }\n", "" },
		{ "cpu {\ngovernor = \"performance\"\nmin-khz = 600000\nmax-khz = 600000\n}\n", "" },
		{ "cpu {\nmin-khz = 1416\n}\n",
		  "p:2: cpu.min-khz: 1416 looks like MHz; write kHz, such as 1416000, or 0 for the board's own limit\n" },
		{ "cpu {\nmax-khz = 1800000\nmin-khz = 1800001\n}\n", "p:3: cpu.min-khz: 1800001 is more than cpu.max-khz, 1800000\n" },
		{ "cpu {\nmax-khz = -1\n}\n", "p:2: cpu.max-khz: -1 is out of range; allowed is kHz, such as 1416000; 0: the board's own limit\n" },
		{ "cpu {\nmax-khz = 10000001\n}\n",
		  "p:2: cpu.max-khz: 10000001 is out of range; allowed is kHz, such as 1416000; 0: the board's own limit\n" },
	};
	static const char *const bad[] = { "", "Ondemand", "userspace", "ondemand;reboot", "turbo" };
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(judged(arena, rows[i].text), rows[i].want);
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++)
		CHECK_ROW(bad[i], strstr(judged(arena, fb_format(arena, "cpu { governor = \"%s\" }\n", bad[i])),
					 fb_format(arena, "p:1: cpu.governor: \"%s\" is not ", bad[i])));
	fb_arena_free(arena);
}

TEST(armbians_file)
{
	static const struct {
		const char *old, *want;
	} rows[] = {
		{ NULL, "# Written by r4s-firstboot from provision.conf; edit that file instead.\n"
			"ENABLE=true\nGOVERNOR=schedutil\nMIN_SPEED=\nMAX_SPEED=1416000\n" },
		{ "ENABLE=false\nMIN_SPEED=408000\nMAX_SPEED=2016000\nGOVERNOR=ondemand\n",
		  "ENABLE=true\nMIN_SPEED=\nMAX_SPEED=1416000\nGOVERNOR=schedutil\n" },
		{ "# mine\nMAX_SPEED=1\nOTHER=\"x y\"\nMAX_SPEED=2\n",
		  "# mine\nMAX_SPEED=1416000\nOTHER=\"x y\"\nMAX_SPEED=1416000\nENABLE=true\nGOVERNOR=schedutil\nMIN_SPEED=\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		box_open(&box);
		box.conf.value.cpu = (struct fb_cpu){ .governor = "schedutil", .max_khz = 1416000 };
		if (rows[i].old)
			box_put(&box, "/etc/default/cpufrequtils", rows[i].old);
		CHECK_STR(box_plan(&box, &fb_step_cpu), "file /etc/default/cpufrequtils\n");
		box_act(&box);
		CHECK_STR(box_get(&box, "/etc/default/cpufrequtils"), rows[i].want);
		CHECK_STR(box_plan(&box, &fb_step_cpu), "");
		CHECK_STR(box_plan_as(&box, &fb_step_cpu, NULL), "");
		box_close(&box);
	}
}

TEST(each_policy_takes_what_it_can)
{
	static const struct {
		const char *name;
		struct fb_cpu cpu;
		const char *plan, *probe;
	} rows[] = {
		{ "nothing to do", { "ondemand", 0, 0 }, "",
		  "held cpu.governor: ondemand | ondemand\n"
		  "held cpu.min-khz: the board's own limit | 408000\n"
		  "held cpu.max-khz: the board's own limit | policy0 1416000, policy4 1800000\n" },
		{ "governor", { "performance", 0, 0 },
		  "attribute " CPUFREQ "policy0/scaling_governor performance\n"
		  "attribute " CPUFREQ "policy4/scaling_governor performance\n",
		  "held cpu.governor: performance | performance\n"
		  "held cpu.min-khz: the board's own limit | 408000\n"
		  "held cpu.max-khz: the board's own limit | policy0 1416000, policy4 1800000\n" },
		{ "beyond what the small cores can", { "ondemand", 1608000, 9000000 },
		  "attribute " CPUFREQ "policy0/scaling_min_freq 1416000\n"
		  "attribute " CPUFREQ "policy4/scaling_min_freq 1608000\n",
		  "held cpu.governor: ondemand | ondemand\n"
		  "held cpu.min-khz: 1608000 | policy0 1416000, policy4 1608000\n"
		  "held cpu.max-khz: 9000000 | policy0 1416000, policy4 1800000\n" },
		{ "onto the steps", { "ondemand", 500000, 1300000 },
		  "attribute " CPUFREQ "policy0/scaling_max_freq 1200000\n"
		  "attribute " CPUFREQ "policy0/scaling_min_freq 600000\n"
		  "attribute " CPUFREQ "policy4/scaling_max_freq 1200000\n"
		  "attribute " CPUFREQ "policy4/scaling_min_freq 600000\n",
		  "held cpu.governor: ondemand | ondemand\n"
		  "held cpu.min-khz: 500000 | 600000\n"
		  "held cpu.max-khz: 1300000 | 1200000\n" },
		{ "no step between both", { "ondemand", 1300000, 1300000 },
		  "attribute " CPUFREQ "policy0/scaling_max_freq 1200000\n"
		  "attribute " CPUFREQ "policy0/scaling_min_freq 1200000\n"
		  "attribute " CPUFREQ "policy4/scaling_max_freq 1200000\n"
		  "attribute " CPUFREQ "policy4/scaling_min_freq 1200000\n",
		  "held cpu.governor: ondemand | ondemand\n"
		  "held cpu.min-khz: 1300000 | 1200000\n"
		  "held cpu.max-khz: 1300000 | 1200000\n" },
		{ "below all", { "ondemand", 0, 100000 },
		  "attribute " CPUFREQ "policy0/scaling_max_freq 408000\n"
		  "attribute " CPUFREQ "policy4/scaling_max_freq 408000\n",
		  "held cpu.governor: ondemand | ondemand\n"
		  "held cpu.min-khz: the board's own limit | 408000\n"
		  "held cpu.max-khz: 100000 | 408000\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		open_rk3399(&box);
		box.conf.value.cpu = rows[i].cpu;
		const char *plan = box_plan(&box, &fb_step_cpu);
		const char *attrs = strstr(plan, "attribute");
		CHECK_STR(attrs ? attrs : "", rows[i].plan);
		act(&box);
		CHECK_STR(box_plan(&box, &fb_step_cpu), "");
		CHECK_STR(box_probe(&box, &fb_step_cpu), rows[i].probe);
		box_close(&box);
	}
}

TEST(the_lower_limit_never_passes_the_upper_one_between_two_writes)
{
	struct box box;
	open_rk3399(&box);
	box_put(&box, CPUFREQ "policy4/scaling_min_freq", "1608000\n");
	box.conf.value.cpu.max_khz = 1200000;
	const char *plan = strstr(box_plan(&box, &fb_step_cpu), "attribute " CPUFREQ "policy4");
	CHECK_STR(plan, "attribute " CPUFREQ "policy4/scaling_min_freq 408000\n"
			"attribute " CPUFREQ "policy4/scaling_max_freq 1200000\n");
	act(&box);
	box.conf.value.cpu = (struct fb_cpu){ "ondemand", 1608000, 1800000 };
	plan = strstr(box_plan(&box, &fb_step_cpu), "attribute " CPUFREQ "policy4");
	CHECK_STR(plan, "attribute " CPUFREQ "policy4/scaling_max_freq 1800000\n"
			"attribute " CPUFREQ "policy4/scaling_min_freq 1608000\n");
	box_close(&box);
}

TEST(a_governor_that_one_policy_lacks)
{
	struct box box;
	open_rk3399(&box);
	box.conf.value.cpu.governor = "schedutil";
	box_put(&box, "/etc/default/cpufrequtils", "ENABLE=true\nMIN_SPEED=\nMAX_SPEED=\nGOVERNOR=schedutil\n");
	box_put(&box, CPUFREQ "policy0/scaling_available_governors", "ondemand schedutil2 performance \n");
	CHECK_STR(box_plan(&box, &fb_step_cpu),
		  "attribute " CPUFREQ "policy4/scaling_governor schedutil\n"
		  "note cpu.governor: policy0 has no \"schedutil\", only: ondemand schedutil2 performance; it stays at ondemand\n");
	act(&box);
	CHECK_STR(strtok((char *)(uintptr_t)box_probe(&box, &fb_step_cpu), "\n"),
		  "differs cpu.governor: schedutil | policy0 ondemand (it has only: ondemand schedutil2 performance), policy4 schedutil");
	box_close(&box);
}

TEST(what_somebody_else_set_is_told_and_put_right)
{
	struct box box;
	open_rk3399(&box);
	box_put(&box, CPUFREQ "policy4/scaling_governor", "powersave\n");
	box_put(&box, CPUFREQ "policy0/scaling_max_freq", "816000\n");
	CHECK_STR(box_probe(&box, &fb_step_cpu),
		  "differs cpu.governor: ondemand | policy0 ondemand, policy4 powersave\n"
		  "held cpu.min-khz: the board's own limit | 408000\n"
		  "differs cpu.max-khz: the board's own limit | policy0 816000 instead of 1416000, policy4 1800000\n");
	CHECK_STR(box_plan(&box, &fb_step_cpu),
		  "attribute " CPUFREQ "policy0/scaling_max_freq 1416000\n"
		  "attribute " CPUFREQ "policy4/scaling_governor ondemand\n");
	box_close(&box);
}

TEST(a_hot_board_is_left_alone)
{
	struct box box;
	open_rk3399(&box);
	box_put(&box, CPUFREQ "policy4/scaling_max_freq", "1200000\n");
	box_put(&box, "/sys/class/thermal/thermal_zone0/type", "cpu\n");
	box_put(&box, "/sys/class/thermal/cooling_device0/type", "pwm-fan\n");
	box_put(&box, "/sys/class/thermal/cooling_device0/cur_state", "2\n");
	box_put(&box, "/sys/class/thermal/cooling_device1/type", "cpufreq-cpu4\n");
	box_put(&box, "/sys/class/thermal/cooling_device1/cur_state", "0\n");
	CHECK_STR(box_plan(&box, &fb_step_cpu), "attribute " CPUFREQ "policy4/scaling_max_freq 1800000\n");
	box_put(&box, "/sys/class/thermal/cooling_device1/cur_state", "3\n");
	CHECK_STR(box_plan(&box, &fb_step_cpu), "");
	CHECK_STR(strstr(box_probe(&box, &fb_step_cpu), "unmeasured"),
		  "unmeasured cpu.max-khz: the board's own limit | the board is hot and slows itself down: "
		  "policy0 1416000, policy4 1200000 instead of 1800000\n");
	box_close(&box);
}

TEST(a_driver_without_a_table_takes_any_speed)
{
	struct box box;
	open_rk3399(&box);
	CHECK(!unlink(room_path(&(CPUFREQ "policy0/scaling_available_frequencies")[1])));
	box.conf.value.cpu.min_khz = 777777;
	CHECK(strstr(box_plan(&box, &fb_step_cpu), "policy0/scaling_min_freq 777777\n"));
	box_close(&box);
}

TEST(where_there_is_nothing_to_set)
{
	static const char file[] = "file /etc/default/cpufrequtils\n";
	struct box box;
	box_open(&box);
	box.conf.value.cpu.governor = "ondemand";
	CHECK_STR(box_plan(&box, &fb_step_cpu), file);
	CHECK_STR(box_probe(&box, &fb_step_cpu),
		  "unmeasured cpu.governor: ondemand | this kernel does not set the speed of the processor (no cpufreq)\n"
		  "unmeasured cpu.min-khz: 0 | this kernel does not set the speed of the processor (no cpufreq)\n"
		  "unmeasured cpu.max-khz: 0 | this kernel does not set the speed of the processor (no cpufreq)\n");
	/* A container sees the host's policies and may not touch them. */
	put_policy(&box, "policy0", A53, "1416000");
	box_put(&box, "/run/systemd/container", "systemd-nspawn\n");
	box.conf.value.cpu.governor = "performance";
	CHECK_STR(box_plan(&box, &fb_step_cpu), file);
	/* An image that is being built is no running system. */
	CHECK(!unlink(room_path("run/systemd/container")));
	box.facts.is_live = false;
	CHECK_STR(box_plan(&box, &fb_step_cpu), file);
	CHECK(strstr(box_probe(&box, &fb_step_cpu), "unmeasured cpu.governor: performance | not a running system\n"));
	box_close(&box);
}

TEST_MAIN()
