/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read from and changed on the box, on a tree that looks like an R4S: telemetry, governor and the way back. */
#include "room.h"

#include <errno.h>
#include <math.h>

#include "sample.h"
#include "telemetry.h"
#include "undo.h"

#define CPUFREQ "sys/devices/system/cpu/cpufreq/"

static void write_policy(const char *policy, const char *governor)
{
	struct fb_arena *arena = room_now->arena;
	room_write(fb_format(arena, CPUFREQ "%s/scaling_governor", policy), fb_format(arena, "%s\n", governor));
	room_write(fb_format(arena, CPUFREQ "%s/scaling_available_governors", policy), "ondemand performance powersave \n");
}

static void write_box(unsigned busy, unsigned softirq, unsigned irq, const char *temp, unsigned slow, unsigned fast)
{
	struct fb_arena *arena = room_now->arena;
	room_write("proc/stat", fb_format(arena, "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 100 0 %u 1000 0 0 0 0 0 0\ncpu4 %u 0 0 1000 0 0 %u 0 0 0\nintr 1\n",
					  100 + busy, 100 + busy, softirq));
	room_write("proc/interrupts", fb_format(arena, "           CPU0       CPU4\n  24:          5          %u     GICv3  44 Level     wan0\nIPI0:    7   8  Rescheduling interrupts\nErr:  0\n", irq));
	room_write("proc/net/dev", fb_format(arena, "Inter-|   Receive | Transmit\n face |bytes\n    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n  wan0:%u 10 1 2 0 0 0 0 2000 20 3 4 0 0 0 0\n", 1000 + irq));
	room_write("proc/net/softnet_stat", "0000ffff 00000001 0000000a 0 0 0 0 0 0 0 0 0 0\n00000001 00000002 00000000 0 0\n");
	room_write("sys/class/thermal/thermal_zone0/temp", temp);
	room_write("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
	room_write("sys/class/thermal/cooling_device0/type", "thermal-cpufreq-0\n");
	room_write("sys/class/thermal/cooling_device0/cur_state", "0\n");
	room_write(CPUFREQ "policy4/stats/time_in_state", fb_format(arena, "408000 %u\n1800000 %u\n", slow, fast));
	room_write("sys/devices/system/cpu/cpu4/cpufreq/scaling_cur_freq", "1800000\n");
}

TEST(telemetry_of_a_trial)
{
	struct room *room = room_make();
	room_now = room;
	write_box(0, 0, 100, "45000\n", 1000, 1000);
	struct bench_meter *meter = bench_meter_new(room->arena, &room->fs, "");
	bench_meter_start(meter);
	write_box(300, 100, 400, "61500\n", 1100, 1300);
	room_write("sys/class/thermal/cooling_device0/cur_state", "2\n");
	bench_meter_tick(meter, 1.01);
	bench_meter_tick(meter, 1.02);		/* too early for another look */
	bench_meter_stop(meter);
	struct bench_telemetry *t = bench_meter_result(meter);
	CHECK(t->n_cores == 2 && t->core[1].core == 4);
	CHECK(t->core[1].busy_percent == 100 && t->core[1].softirq_percent == 25 && t->core[1].max_khz == 1800000);
	CHECK(t->core[1].n_busy == 1 && t->core[1].busy[0] == 100 && isnan(t->core[0].max_khz));
	CHECK(t->n_temperatures == 1 && t->temperature[0].start_c == 45 && t->temperature[0].max_c == 61.5);
	CHECK(!strcmp(t->temperature[0].zone, "cpu-thermal") && t->throttled_count == 1);
	CHECK(t->n_residencies == 2 && t->residency[0].percent == 25 && t->residency[1].percent == 75);
	CHECK(t->n_irqs == 1 && t->irq[0].core == 4 && strstr(t->irq[0].name, "wan0"));
	CHECK(t->n_ifaces == 1 && !strcmp(t->iface[0].dev, "wan0") && t->iface[0].rx_bytes == 300);
	CHECK(t->softnet_dropped == 0);
	room_end(room);
}

TEST(telemetry_of_an_empty_box)
{
	struct room *room = room_make();
	room_now = room;
	struct bench_meter *meter = bench_meter_new(room->arena, &room->fs, "");
	bench_meter_start(meter);
	bench_meter_tick(meter, 1.5);
	bench_meter_stop(meter);
	struct bench_telemetry *t = bench_meter_result(meter);
	CHECK(!t->n_cores && !t->n_irqs && !t->n_ifaces && !t->n_temperatures && !t->n_residencies);
	CHECK(isnan(t->softnet_dropped) && t->throttled_count == 0);
	room_end(room);
}

TEST(damaged_counters_are_no_figures)
{
	struct room *room = room_make();
	room_now = room;
	room_write("proc/stat", "cpu0 1 2\ncpu99999999999 1 1 1 1 1 1 1\ncpuX\n\n");
	room_write("proc/interrupts", "CPU0 CPU1\n 1: 99999999999999999999999 x\n:\n2\n");
	room_write("proc/net/dev", "wan0: 1 2 3\n:\neth0");
	room_write("proc/net/softnet_stat", "zz\n");
	room_write("sys/class/thermal/thermal_zone0/temp", "hot\n");
	struct bench_sample sample;
	bench_sample(&room->fs, room->arena, &sample);
	CHECK(!sample.n_cpus && !sample.n_ifaces && !sample.n_zones);
	room_end(room);
}

TEST(governor_is_put_back_by_the_next_start)
{
	struct room *room = room_make();
	room_now = room;
	struct fb_error err;
	write_policy("policy0", "ondemand");
	write_policy("policy4", "powersave");
	struct bench_undo undo = { room->arena, &room->fs, room_path("restore") };
	undo.file = fb_strdup(room->arena, undo.file);
	CHECK(bench_undo_governor(&undo, "performance", &err) == 0);
	CHECK(!strcmp(room_read(CPUFREQ "policy0/scaling_governor"), "performance") && room_read("restore"));
	CHECK(bench_undo_governor(&undo, "ondemand", &err) == 0);	/* and then the process is killed */
	struct bench_undo next = undo;
	CHECK(bench_undo_restore(&next, &err) == 0);
	CHECK(!strncmp(room_read(CPUFREQ "policy0/scaling_governor"), "ondemand", 8));
	CHECK(!strncmp(room_read(CPUFREQ "policy4/scaling_governor"), "powersave", 9));
	CHECK(!room_read("restore"));
	CHECK(bench_undo_restore(&next, &err) == 0);
	room_end(room);
}

TEST(governor_that_is_not_there)
{
	struct room *room = room_make();
	room_now = room;
	struct fb_error err;
	struct bench_undo undo = { room->arena, &room->fs, fb_strdup(room->arena, room_path("restore")) };
	CHECK(bench_undo_governor(&undo, "performance", &err) == -ENOENT);
	write_policy("policy0", "ondemand");
	CHECK(bench_undo_governor(&undo, "turbo", &err) == -EINVAL && strstr(err.text, "ondemand performance powersave"));
	CHECK(!room_read("restore"));
	room_end(room);
}

/* A way back that fails must not keep the others from being taken. */
TEST(every_step_back_is_taken)
{
	struct room *room = room_make();
	room_now = room;
	struct fb_error err;
	write_policy("policy0", "performance");
	room_write("restore", "attr /" CPUFREQ "policy0/scaling_governor ondemand\nattr /sys/gone 1\nrun /bin/false\nnonsense\n");
	struct bench_undo undo = { room->arena, &room->fs, fb_strdup(room->arena, room_path("restore")) };
	CHECK(bench_undo_restore(&undo, &err) < 0);
	CHECK(!strncmp(room_read(CPUFREQ "policy0/scaling_governor"), "ondemand", 8) && !room_read("restore"));
	room_end(room);
}

TEST_MAIN()
