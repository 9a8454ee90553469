/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up run with everything that a report can show. Its figures are arithmetic, not
 * measurements. Include it once a program.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <math.h>
#include <string.h>

#include "ceiling.h"
#include "fixture-row.h"
#include "result.h"
#include "stats.h"

enum { FIXTURE_N_TRIALS = 7 };

static const struct {
	const char *name, *dev, *from;
	unsigned mtu;
	double share;
} fixture_paths[BENCH_N_KINDS] = {
	[BENCH_DIRECT] = { "direct", "wan0", "", 1500, 0.9996 },
	[BENCH_ROUTED] = { "routed", "wan0", "lan", 1500, 0.992 },
	[BENCH_FASTPATH_OFF] = { "no-fast-path", "wan0", "lan", 1500, 0.91 },
	[BENCH_TUNNEL] = { "tunnel osaka", "wg0", "", 1420, 0.70 },
};

/* A row with nothing known, as a plain file may hold it. */
__attribute__((unused)) static struct bench_row fixture_row(const char *path, enum bench_kind kind)
{
	return (struct bench_row){
		.path = path,
		.kind = kind,
		.family = 4,
		.protocol = BENCH_TCP,
		.direction = BENCH_SEND,
		.streams = 1,
		.method = "trimmed-mean-of-7",
		.governor = "",
		.congestion = "",
		.status = BENCH_OK,
		.reason = "",
		.started_s = NAN,
		.took_s = NAN,
		.mbps = NAN,
		.min_mbps = NAN,
		.max_mbps = NAN,
		.ci95_mbps = NAN,
		.back_mbps = NAN,
		.ceiling_mbps = NAN,
		.percent_of_ceiling = NAN,
		.ceiling_formula = "",
	};
}

static void fixture_measure(struct fb_arena *arena, struct bench_row *row, double share,
			    unsigned *seed)
{
	struct bench_line line = {
		.line_mbps = 1000,
		.mtu_bytes = fixture_paths[row->kind].mtu,
		.family = row->family,
		.is_udp = row->protocol == BENCH_UDP,
		.outer = row->kind == BENCH_TUNNEL ? BENCH_OUTER_WG4 : BENCH_OUTER_NONE,
	};
	struct bench_ceiling ceiling;
	struct fb_error err;
	if (bench_ceiling(&line, &ceiling, &err) < 0)
		return;
	double mbps[FIXTURE_N_TRIALS];
	row->trial = fb_alloc(arena, FIXTURE_N_TRIALS * sizeof(*row->trial));
	row->n_trials = FIXTURE_N_TRIALS;
	for (size_t i = 0; i < FIXTURE_N_TRIALS; i++) {
		double loss = (1 - share) * (1 + 0.3 * (fixture_noise(seed) - 0.5));
		mbps[i] = ceiling.mbps * (1 - loss) - 0.2 * fixture_noise(seed);
		row->trial[i] = (struct bench_trial){
			.status = BENCH_OK,
			.reason = "",
			.mbps = mbps[i],
			.back_mbps = row->direction == BENCH_BOTH ? mbps[i] * 0.94 : NAN,
			.started_s = row->started_s,
			.took_s = 10,
			.offered_mbps = NAN,
			.loss_percent = NAN,
			.out_of_order = NAN,
			.retransmits = NAN,
			.counter_mbps = mbps[i],
			.sent_bytes = mbps[i] * 1e7 / 8,
			.peer_version = "3.18",
		};
	}
	struct bench_stats stats = bench_stats(mbps, FIXTURE_N_TRIALS);
	row->mbps = bench_trimmed_mean(mbps, FIXTURE_N_TRIALS);
	row->back_mbps = row->direction == BENCH_BOTH ? row->mbps * 0.94 : NAN;
	row->min_mbps = stats.min;
	row->max_mbps = stats.max;
	row->ci95_mbps = stats.ci95;
	row->ceiling_mbps = ceiling.mbps;
	row->percent_of_ceiling = row->mbps / ceiling.mbps * 100;
	row->ceiling_formula = bench_ceiling_formula(arena, &line, &ceiling);
	row->n_counted = FIXTURE_N_TRIALS;
}

static struct bench_path fixture_path(enum bench_kind kind)
{
	bool is_tunnel = kind == BENCH_TUNNEL;
	return (struct bench_path){
		.name = fixture_paths[kind].name,
		.kind = kind,
		.peer4 = is_tunnel ? "10.99.0.2" : "192.0.2.2",
		.peer6 = is_tunnel ? "fd99::2" : "2001:db8:0:1::2",
		.port = 5201,
		.from = fixture_paths[kind].from,
		.remote = "",
		.dev = fixture_paths[kind].dev,
		.mtu = fixture_paths[kind].mtu,
		.via_wireguard = is_tunnel,
		.outer_family = is_tunnel ? 4 : 0,
		.link_mbps = 1000,
		.governor = "ondemand",
		.tunnel_peer = is_tunnel ? "xTIBA5rb… 192.0.2.2:51820" : "",
		.handshake_age_s = is_tunnel ? 37 : NAN,
	};
}

/*
 * Four paths, nine cells each, one row refused. age_days moves it back in time, factor changes the
 * rates of the tunnel.
 */
__attribute__((unused)) static struct bench_run fixture_run(struct fb_arena *arena,
							    unsigned age_days, double factor)
{
	struct bench_run run = {
		.program = "r4s-bench 0.1.0",
		.host = "r4s-tokyo",
		.board = "FriendlyElec NanoPi R4S",
		.kernel = "6.18.2-current-rockchip64",
		.started_s = 1796050800.0 - age_days * 86400.0,
		.took_s = 2711,
		.path = fb_alloc(arena, BENCH_N_KINDS * sizeof(*run.path)),
		.n_paths = BENCH_N_KINDS,
		.row = fb_alloc(arena, 64 * sizeof(*run.row)),
	};
	static const char *const words[] = { "run", "matrix", "--method", "trimmed-mean-of-7" };
	for (size_t i = 0; i < FB_ARRAY_LEN(words); i++)
		fb_strs_add(arena, &run.command, words[i]);
	unsigned seed = age_days + 7;
	for (unsigned kind = 0; kind < BENCH_N_KINDS; kind++) {
		run.path[kind] = fixture_path(kind);
		for (unsigned cell = 0; cell < 9; cell++) {
			struct bench_row *row = &run.row[run.n_rows++];
			*row = fixture_row(fixture_paths[kind].name, kind);
			row->family = cell & 2 ? 6 : 4;
			row->protocol = cell & 4 ? BENCH_UDP : BENCH_TCP;
			row->direction = cell == 8  ? BENCH_BOTH
					 : cell & 1 ? BENCH_RECEIVE
						    : BENCH_SEND;
			row->started_s = run.started_s + 60.0 * (double)run.n_rows;
			row->governor = "ondemand";
			row->congestion = row->protocol == BENCH_TCP ? "cubic" : "";
			if (kind == BENCH_FASTPATH_OFF && cell == 3) {
				row->status = BENCH_REFUSED;
				row->reason =
					"connect to [2001:db8:0:1::2]:5201: Connection refused";
				continue;
			}
			fixture_measure(arena, row,
					fixture_paths[kind].share *
						(kind == BENCH_TUNNEL ? factor : 1),
					&seed);
			row->telemetry = fixture_telemetry(arena, row, &seed);
			if (row->protocol == BENCH_UDP)
				row->search =
					fixture_search(arena, row->mbps, kind != BENCH_DIRECT);
			else
				row->latency = fixture_latency(arena, row);
		}
	}
	return run;
}

#endif
