/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON file of a run: its tables, reading, writing. */
#include "result.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fields.h"

const char *const bench_kind_names[] = { "direct", "routed", "fastpath-off", "tunnel" };
const char *const bench_protocol_names[] = { "tcp", "udp" };
const char *const bench_direction_names[] = { "send", "receive", "both" };
const char *const bench_status_names[] = {
	"ok", "busy", "refused", "unreachable", "gone", "timeout", "link-down", "version",
	"no-family", "skipped", "cut", "quota", "failed",
};

#define NUMBER(s, key)		{ #key, BENCH_F_NUMBER, offsetof(struct s, key), 0, NULL, NULL, 0, false }
#define UNSIGNED(s, key)	{ #key, BENCH_F_UNSIGNED, offsetof(struct s, key), 0, NULL, NULL, 0, false }
#define BOOL(s, key)		{ #key, BENCH_F_BOOL, offsetof(struct s, key), 0, NULL, NULL, 0, false }
#define TEXT(s, key)		{ #key, BENCH_F_TEXT, offsetof(struct s, key), 0, NULL, NULL, 0, false }
#define INT(s, key, must)	{ #key, BENCH_F_INT, offsetof(struct s, key), 0, NULL, NULL, 0, must }
#define NAME(s, key, names)	{ #key, BENCH_F_NAME, offsetof(struct s, key), 0, NULL, names, FB_ARRAY_LEN(names), true }
#define MUST_TEXT(s, key)	{ #key, BENCH_F_TEXT, offsetof(struct s, key), 0, NULL, NULL, 0, true }
#define OBJECT(s, key)		{ #key, BENCH_F_OBJECT, offsetof(struct s, key), 0, &key##_table, NULL, 0, false }
#define LIST(s, key, at, count, must) \
	{ key, BENCH_F_LIST, offsetof(struct s, at), offsetof(struct s, count), &at##_table, NULL, 0, must }
#define TABLE(s) static const struct bench_table s##_table = { sizeof(struct bench_##s), s##_fields, FB_ARRAY_LEN(s##_fields) }

static const struct bench_field trial_fields[] = {
	NAME(bench_trial, status, bench_status_names), TEXT(bench_trial, reason),
	NUMBER(bench_trial, started_s), NUMBER(bench_trial, took_s), NUMBER(bench_trial, seconds),
	NUMBER(bench_trial, mbps), NUMBER(bench_trial, back_mbps), NUMBER(bench_trial, offered_mbps),
	NUMBER(bench_trial, loss_percent), NUMBER(bench_trial, out_of_order), NUMBER(bench_trial, retransmits),
	NUMBER(bench_trial, counter_mbps), NUMBER(bench_trial, sent_bytes),
	TEXT(bench_trial, peer_version), BOOL(bench_trial, is_short),
};
TABLE(trial);

static const struct bench_field search_fields[] = {
	NUMBER(bench_search, loss_limit_percent), NUMBER(bench_search, seed_mbps),
	NUMBER(bench_search, low_mbps), NUMBER(bench_search, high_mbps),
	UNSIGNED(bench_search, n_trials), UNSIGNED(bench_search, n_remeasured),
	NUMBER(bench_search, took_s), BOOL(bench_search, is_bracketed), BOOL(bench_search, is_reordering),
};
TABLE(search);

static const struct bench_field latency_fields[] = {
	UNSIGNED(bench_latency, n_idle), UNSIGNED(bench_latency, n_loaded), UNSIGNED(bench_latency, n_lost),
	NUMBER(bench_latency, idle_median_ms), NUMBER(bench_latency, idle_p95_ms),
	NUMBER(bench_latency, loaded_median_ms), NUMBER(bench_latency, loaded_p95_ms),
	NUMBER(bench_latency, loaded_max_ms),
};
TABLE(latency);

static const struct bench_field core_fields[] = {
	UNSIGNED(bench_core, core), NUMBER(bench_core, busy_percent), NUMBER(bench_core, softirq_percent),
	NUMBER(bench_core, max_khz),
	{ "busy", BENCH_F_NUMBERS, offsetof(struct bench_core, busy), offsetof(struct bench_core, n_busy), NULL, NULL, 0, false },
};
TABLE(core);

static const struct bench_field residency_fields[] = {
	TEXT(bench_residency, policy), NUMBER(bench_residency, khz), NUMBER(bench_residency, percent),
};
TABLE(residency);

static const struct bench_field temperature_fields[] = {
	TEXT(bench_temperature, zone), NUMBER(bench_temperature, start_c), NUMBER(bench_temperature, max_c),
};
TABLE(temperature);

static const struct bench_field irq_fields[] = {
	TEXT(bench_irq, name), UNSIGNED(bench_irq, core), NUMBER(bench_irq, per_s),
};
TABLE(irq);

static const struct bench_field iface_fields[] = {
	MUST_TEXT(bench_iface, dev), NUMBER(bench_iface, rx_bytes), NUMBER(bench_iface, tx_bytes),
	NUMBER(bench_iface, rx_packets), NUMBER(bench_iface, tx_packets),
	NUMBER(bench_iface, rx_dropped), NUMBER(bench_iface, tx_dropped), NUMBER(bench_iface, errors),
};
TABLE(iface);

static const struct bench_field telemetry_fields[] = {
	NUMBER(bench_telemetry, step_s),
	LIST(bench_telemetry, "cores", core, n_cores, false),
	LIST(bench_telemetry, "residency", residency, n_residencies, false),
	LIST(bench_telemetry, "temperatures", temperature, n_temperatures, false),
	LIST(bench_telemetry, "irqs", irq, n_irqs, false),
	LIST(bench_telemetry, "ifaces", iface, n_ifaces, false),
	NUMBER(bench_telemetry, throttled_count), NUMBER(bench_telemetry, softnet_dropped),
	NUMBER(bench_telemetry, softnet_squeezed), NUMBER(bench_telemetry, own_cpu_percent),
};
TABLE(telemetry);

static const struct bench_field path_fields[] = {
	MUST_TEXT(bench_path, name), NAME(bench_path, kind, bench_kind_names),
	TEXT(bench_path, peer4), TEXT(bench_path, peer6), UNSIGNED(bench_path, port), TEXT(bench_path, from),
	TEXT(bench_path, dev), UNSIGNED(bench_path, mtu), BOOL(bench_path, via_wireguard),
	INT(bench_path, outer_family, false), NUMBER(bench_path, link_mbps), TEXT(bench_path, governor),
	TEXT(bench_path, tunnel_peer), NUMBER(bench_path, handshake_age_s), TEXT(bench_path, remote),
};
TABLE(path);

static const struct bench_field row_fields[] = {
	MUST_TEXT(bench_row, path), NAME(bench_row, kind, bench_kind_names), INT(bench_row, family, true),
	NAME(bench_row, protocol, bench_protocol_names), NAME(bench_row, direction, bench_direction_names),
	UNSIGNED(bench_row, streams), BOOL(bench_row, is_swapped), MUST_TEXT(bench_row, method),
	TEXT(bench_row, governor), TEXT(bench_row, congestion),
	NAME(bench_row, status, bench_status_names), TEXT(bench_row, reason),
	NUMBER(bench_row, started_s), NUMBER(bench_row, took_s),
	NUMBER(bench_row, mbps), NUMBER(bench_row, min_mbps), NUMBER(bench_row, max_mbps),
	NUMBER(bench_row, ci95_mbps), NUMBER(bench_row, back_mbps),
	NUMBER(bench_row, ceiling_mbps), NUMBER(bench_row, percent_of_ceiling), TEXT(bench_row, ceiling_formula),
	UNSIGNED(bench_row, n_counted),
	LIST(bench_row, "trials", trial, n_trials, false),
	OBJECT(bench_row, search), OBJECT(bench_row, latency), OBJECT(bench_row, telemetry),
};
TABLE(row);

static const struct bench_field run_fields[] = {
	TEXT(bench_run, program), TEXT(bench_run, host), TEXT(bench_run, board), TEXT(bench_run, kernel),
	NUMBER(bench_run, started_s), NUMBER(bench_run, took_s),
	{ "command", BENCH_F_TEXTS, offsetof(struct bench_run, command), 0, NULL, NULL, 0, false },
	LIST(bench_run, "paths", path, n_paths, true),
	LIST(bench_run, "results", row, n_rows, true),
};
TABLE(run);

int bench_name_index(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

char *bench_run_to_json(struct fb_arena *arena, const struct bench_run *run)
{
	json_t *head = json_pack("{s:s, s:i}", "format", "r4s-bench", "version", BENCH_FILE_VERSION);
	json_t *body = bench_fields_pack(&run_table, run);
	json_object_update(head, body);
	json_decref(body);
	char *text = json_dumps(head, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	json_decref(head);
	char *copy = fb_format(arena, "%s\n", text ? text : "{}");
	free(text);
	return copy;
}

static int check_row(const struct bench_row *row, size_t i, const char *name, struct fb_error *err)
{
	if (row->family != 4 && row->family != 6)
		return fb_fail(err, EINVAL, "%s: results[%zu].family is neither 4 nor 6", name, i);
	if (row->status == BENCH_OK && !(row->mbps >= 0))
		return fb_fail(err, EINVAL, "%s: results[%zu] is ok and has no mbps", name, i);
	return 0;
}

int bench_run_from_json(struct fb_arena *arena, const char *name, const char *text, size_t len,
			struct bench_run *ret_run, struct fb_error *err)
{
	json_error_t where;
	json_t *json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
	if (!json)
		return fb_fail(err, EINVAL, "%s:%d: not whole JSON: %s", name, where.line, where.text);
	const char *format = json_string_value(json_object_get(json, "format"));
	json_int_t version = json_integer_value(json_object_get(json, "version"));
	struct bench_run run = { 0 };
	int rc = 0;
	if (!format || strcmp(format, "r4s-bench"))
		rc = fb_fail(err, EINVAL, "%s is JSON, but no result of r4s-bench", name);
	else if (version != BENCH_FILE_VERSION)
		rc = fb_fail(err, EINVAL, "%s has version %d of the format; this program reads version %d", name,
			     (int)version, BENCH_FILE_VERSION);
	else
		rc = bench_fields_unpack(arena, &run_table, json, name, &run, err);
	json_decref(json);
	for (size_t i = 0; rc == 0 && i < run.n_rows; i++)
		rc = check_row(&run.row[i], i, name, err);
	if (rc == 0)
		*ret_run = run;
	return rc;
}

const char *bench_absolute(struct fb_arena *arena, const char *file)
{
	char cwd[4096];
	if (*file == '/' || !getcwd(cwd, sizeof(cwd)))
		return file;
	return fb_format(arena, "%s/%s", cwd, file);
}

int bench_run_load(struct fb_arena *arena, const char *file, struct bench_run *ret_run, struct fb_error *err)
{
	struct fb_fs fs;
	char *text;
	size_t len;
	int rc = fb_fs_open(&fs, "/", err);
	if (rc < 0)
		return rc;
	rc = fb_fs_read(&fs, arena, bench_absolute(arena, file), BENCH_FILE_MAX, &text, &len, err);
	if (rc == -ENOENT)
		(void)fb_fail(err, ENOENT, "read %s: no such file", file);
	fb_fs_close(&fs);
	return rc < 0 ? rc : bench_run_from_json(arena, file, text, len, ret_run, err);
}

int bench_write_file(const char *file, const char *text, struct fb_error *err)
{
	struct fb_fs fs;
	int rc = fb_fs_open(&fs, "/", err);
	if (rc < 0)
		return rc;
	struct fb_arena *arena = fb_arena_new();
	struct fb_file entry = {
		.path = bench_absolute(arena, file), .text = text, .len = strlen(text), .mode = 0644,
		.uid = geteuid(), .gid = getegid(),
	};
	rc = fb_fs_replace(&fs, &entry, 1, err);
	fb_arena_free(arena);
	fb_fs_close(&fs);
	return rc;
}
