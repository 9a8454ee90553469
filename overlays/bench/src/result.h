/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run of r4s-bench found, as plain data, and its JSON form. All memory belongs to the arena that was given.
 * Rates are Mbit/s (10^6) of payload, sizes bytes, times seconds since 1970 unless the name says otherwise.
 * A number that could not be had is NAN and is left out of the file (or null in a list).
 *
 * The file (one object; keys that a reader does not know are to be ignored; "version" grows when a key changes meaning):
 *   format "r4s-bench", version 1, program, host, board, kernel, started_s, took_s, command [words]
 *   paths   [{ name, kind, peer4, peer6, from, dev, mtu, via_wireguard, outer_family, link_mbps, governor,
 *              tunnel_peer, handshake_age_s }]
 *   results [{ path, kind, family 4|6, protocol tcp|udp, direction send|receive|both, streams, is_swapped, method,
 *              governor, congestion, status, reason, started_s, took_s,
 *              mbps, min_mbps, max_mbps, ci95_mbps, back_mbps, ceiling_mbps, ceiling_formula, percent_of_ceiling,
 *              n_counted, trials [...], search {...}, latency {...}, telemetry {...} }]
 *   trial   { status, reason, started_s, took_s, seconds, mbps, back_mbps, offered_mbps, loss_percent, out_of_order,
 *             retransmits, counter_mbps, sent_bytes, peer_version, is_short }
 *   search  { loss_limit_percent, seed_mbps, low_mbps, high_mbps, n_trials, took_s, n_remeasured, is_bracketed,
 *             is_reordering }
 *   latency { n_idle, n_loaded, n_lost, idle_median_ms, idle_p95_ms, loaded_median_ms, loaded_p95_ms, loaded_max_ms }
 *   telemetry { step_s, cores [{ core, busy_percent, softirq_percent, max_khz, busy [per step] }],
 *             residency [{ policy, khz, percent }], temperatures [{ zone, start_c, max_c }], throttled_count,
 *             irqs [{ name, core, per_s }], softnet_dropped, softnet_squeezed, own_cpu_percent,
 *             ifaces [{ dev, rx_bytes, tx_bytes, rx_packets, tx_packets, rx_dropped, tx_dropped, errors }] }
 */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include "fs.h"

enum { BENCH_FILE_MAX = 8 << 20, BENCH_FILE_VERSION = 1 };

enum bench_kind { BENCH_DIRECT, BENCH_ROUTED, BENCH_FASTPATH_OFF, BENCH_TUNNEL, BENCH_N_KINDS };
enum bench_protocol { BENCH_TCP, BENCH_UDP, BENCH_N_PROTOCOLS };
enum bench_direction { BENCH_SEND, BENCH_RECEIVE, BENCH_BOTH, BENCH_N_DIRECTIONS };

/* How a trial or a row ended. Only BENCH_OK has figures that count. */
enum bench_status {
	BENCH_OK, BENCH_BUSY, BENCH_REFUSED, BENCH_UNREACHABLE, BENCH_GONE, BENCH_TIMEOUT, BENCH_LINK_DOWN, BENCH_VERSION,
	BENCH_NO_FAMILY, BENCH_SKIPPED, BENCH_CUT, BENCH_QUOTA, BENCH_FAILED, BENCH_N_STATUSES
};

struct bench_trial {
	enum bench_status status;
	const char *reason;		/* "" when ok */
	double started_s, took_s, seconds;	/* seconds: the span that the rates are over */
	double mbps;			/* what arrived; the direction's own */
	double back_mbps;		/* direction both: what arrived here meanwhile */
	double offered_mbps;		/* UDP: what was sent */
	double loss_percent;		/* UDP */
	double out_of_order;		/* UDP: datagrams */
	double retransmits;		/* TCP, sender */
	double counter_mbps;		/* payload that passed our own interface in this direction, by its counters:
					 * near mbps, but for UDP that we send near offered_mbps */
	double sent_bytes;		/* payload, both directions: for the daily cap */
	const char *peer_version;	/* "" if unknown */
	bool is_short;			/* a trial of the search, not of the method */
};

struct bench_search {
	double loss_limit_percent, seed_mbps;
	double low_mbps, high_mbps;	/* greatest offered rate that held the limit, least that did not */
	unsigned n_trials, n_remeasured;
	double took_s;
	bool is_reordering;		/* datagrams out of order at every rate: loss alone decided */
	bool is_bracketed;		/* false: the limit held even at the greatest rate that could be offered */
};

struct bench_latency {
	unsigned n_idle, n_loaded, n_lost;
	double idle_median_ms, idle_p95_ms, loaded_median_ms, loaded_p95_ms, loaded_max_ms;
};

struct bench_core {
	unsigned core;
	double busy_percent, softirq_percent, max_khz;
	const double *busy;		/* one figure a step; NAN: unknown */
	size_t n_busy;
};
struct bench_residency { const char *policy; double khz, percent; };
struct bench_temperature { const char *zone; double start_c, max_c; };
struct bench_irq { const char *name; unsigned core; double per_s; };
struct bench_iface {
	const char *dev;
	double rx_bytes, tx_bytes, rx_packets, tx_packets, rx_dropped, tx_dropped, errors;
};

struct bench_telemetry {
	double step_s;			/* length of one step of core[].busy */
	struct bench_core *core;		size_t n_cores;
	struct bench_residency *residency;	size_t n_residencies;
	struct bench_temperature *temperature;	size_t n_temperatures;
	struct bench_irq *irq;			size_t n_irqs;
	struct bench_iface *iface;		size_t n_ifaces;
	double throttled_count, softnet_dropped, softnet_squeezed;
	double own_cpu_percent;		/* r4s-bench without its iperf worker, of one core */
};

struct bench_path {
	const char *name;		/* what rows refer to */
	enum bench_kind kind;
	const char *peer4, *peer6;	/* numeric addresses; "" if the path has none of that family */
	unsigned port;
	const char *from;		/* network namespace of the client, "" for our own */
	const char *remote;		/* words that run a command on the peer, for --swap; "" if it cannot */
	const char *dev;		/* device to the peer, "" if unknown */
	unsigned mtu;			/* of dev; 0 if unknown */
	bool via_wireguard;
	int outer_family;		/* of the tunnel's endpoint: 4, 6, or 0 */
	double link_mbps;		/* speed of the port below, NAN if unknown */
	const char *governor;		/* "" if unknown */
	const char *tunnel_peer;	/* public key's first characters and endpoint, "" */
	double handshake_age_s;
};

struct bench_row {
	const char *path;
	enum bench_kind kind;
	int family;			/* 4 or 6 */
	enum bench_protocol protocol;
	enum bench_direction direction;
	unsigned streams;
	bool is_swapped;		/* the peer was client, we were server */
	const char *method, *governor, *congestion;
	enum bench_status status;
	const char *reason;
	double started_s, took_s;
	double mbps, min_mbps, max_mbps, ci95_mbps, back_mbps;
	double ceiling_mbps, percent_of_ceiling;
	const char *ceiling_formula;
	unsigned n_counted;		/* trials behind mbps */
	struct bench_trial *trial;	size_t n_trials;
	struct bench_search *search;		/* NULL if none was made */
	struct bench_latency *latency;
	struct bench_telemetry *telemetry;
};

struct bench_run {
	const char *program, *host, *board, *kernel;
	double started_s, took_s;
	struct fb_strs command;
	struct bench_path *path;	size_t n_paths;
	struct bench_row *row;		size_t n_rows;
};

extern const char *const bench_kind_names[BENCH_N_KINDS];
extern const char *const bench_protocol_names[BENCH_N_PROTOCOLS];
extern const char *const bench_direction_names[BENCH_N_DIRECTIONS];
extern const char *const bench_status_names[BENCH_N_STATUSES];

/* Index of name in names, or -1. */
int bench_name_index(const char *const *names, size_t n, const char *name);

/* The run as the text of a JSON file, with a newline at its end. */
char *bench_run_to_json(struct fb_arena *arena, const struct bench_run *run);

/* -EINVAL: not a file of r4s-bench, cut, or of a later version; err says which, and where. name is for messages. */
int bench_run_from_json(struct fb_arena *arena, const char *name, const char *text, size_t len,
			struct bench_run *ret_run, struct fb_error *err);

/* A path as the user gave it, made absolute. */
const char *bench_absolute(struct fb_arena *arena, const char *file);

/* Read FILE, a path as the user gave it. */
int bench_run_load(struct fb_arena *arena, const char *file, struct bench_run *ret_run, struct fb_error *err);

/* Replace FILE by text in one step; what was there stays whole if anything fails. */
int bench_write_file(const char *file, const char *text, struct fb_error *err);

#endif
