/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of the matrix: begin, search, trials, end. */
#include "measure.h"

#include <math.h>
#include <string.h>

#include "ceiling.h"
#include "job.h"
#include "search.h"

enum { FAILURES_MAX = 3, SEED_SECONDS = 2, SHORT_SECONDS = 2, LONG_SECONDS = 5, SEARCH_TRIALS_MAX = 20 };
static const double unknown_port_mbps = 10000;

void bench_row_fail(struct bench_row *row, enum bench_status status, const char *reason)
{
	row->status = status;
	row->reason = reason;
	row->mbps = row->min_mbps = row->max_mbps = row->ci95_mbps = row->back_mbps = row->percent_of_ceiling = NAN;
}

static void stop(struct bench_measure *m, enum bench_status status, const char *reason)
{
	bench_row_fail(m->row, status, reason);
	m->is_over = true;
}

static const char *read_line(struct bench_session *s, const char *path)
{
	struct fb_error err;
	char *text;
	if (fb_fs_read(s->fs, s->arena, path, 256, &text, NULL, &err) < 0)
		return "";
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static struct bench_line line_of(struct bench_session *s, const struct bench_row *row, const struct bench_path *path,
				 size_t index, bool is_udp)
{
	double line_mbps = s->conf.line_mbps[index];
	return (struct bench_line){
		.line_mbps = isnan(line_mbps) ? path->link_mbps : line_mbps, .mtu_bytes = path->mtu, .family = row->family,
		.is_udp = is_udp, .is_shaped = s->conf.is_shaped[index],
		.has_no_timestamps = !strcmp(read_line(s, "/proc/sys/net/ipv4/tcp_timestamps"), "0"),
		.outer = !path->via_wireguard ? BENCH_OUTER_NONE : path->outer_family == 6 ? BENCH_OUTER_WG6 : BENCH_OUTER_WG4,
	};
}

/* Unknown speed or MTU: no ceiling, and that is no error. */
void bench_row_ceiling(struct bench_session *s, struct bench_row *row, const struct bench_path *path, size_t index)
{
	struct bench_line line = line_of(s, row, path, index, row->protocol == BENCH_UDP);
	struct bench_ceiling ceiling;
	struct fb_error err;
	if (!(line.line_mbps > 0) || bench_ceiling(&line, &ceiling, &err) < 0)
		return;
	row->ceiling_mbps = ceiling.mbps;
	row->ceiling_formula = bench_ceiling_formula(s->arena, &line, &ceiling);
}

void bench_measure_begin(struct bench_measure *m)
{
	struct bench_session *s = m->session;
	struct bench_row *row = m->row;
	const char *peer = row->family == 6 ? m->path->peer6 : m->path->peer4;
	struct fb_error err;
	row->started_s = bench_now_s();
	row->trial = fb_alloc(s->arena, BENCH_TRIALS_MAX * sizeof(*row->trial));
	if (s->over != BENCH_OK) {
		stop(m, s->over, s->over_reason);
		return;
	}
	if (!*peer) {
		stop(m, BENCH_NO_FAMILY, fb_format(s->arena, "path %s has no IPv%d peer", row->path, row->family));
		return;
	}
	if (row->is_swapped && !*m->path->remote) {
		stop(m, BENCH_SKIPPED, fb_format(s->arena, "to swap roles, a command has to run on the peer: give path %s remote=ssh,root@%s in the configuration", row->path, peer));
		return;
	}
	bench_path_look(s->arena, s->fs, m->path, row->family);
	if (!*row->governor)
		row->governor = m->path->governor;
	int home = bench_netns_save();
	if (bench_netns_enter(m->path->from) < 0) {
		bench_netns_back(home);
		stop(m, BENCH_FAILED, fb_format(s->arena, "there is no network namespace %s", m->path->from));
		return;
	}
	row->congestion = row->protocol == BENCH_UDP ? "" : *s->options->congestion ? s->options->congestion
		: read_line(s, "/proc/sys/net/ipv4/tcp_congestion_control");
	bench_netns_back(home);
	if (!bench_path_is_up(m->path)) {
		stop(m, BENCH_LINK_DOWN, fb_format(s->arena, "%s has no link", m->path->dev));
		return;
	}
	bench_row_ceiling(s, row, m->path, m->path_index);
	m->meter = bench_meter_new(s->arena, s->fs, m->path->from);
	if (!s->options->has_no_latency)
		m->pinger = bench_pinger_new(s->arena, peer, m->path->from, &err);
	if (m->pinger)
		bench_pinger_idle(m->pinger);
}

/* True if the trial's failure ends the row. */
static bool judge(struct bench_measure *m, const struct bench_trial *trial)
{
	static const bool is_final[BENCH_N_STATUSES] = {
		[BENCH_BUSY] = true, [BENCH_REFUSED] = true, [BENCH_UNREACHABLE] = true, [BENCH_VERSION] = true,
		[BENCH_NO_FAMILY] = true, [BENCH_CUT] = true,
	};
	if (trial->status == BENCH_CUT && m->session->over == BENCH_OK) {
		m->session->over = BENCH_SKIPPED;
		m->session->over_reason = m->session->was_stopped ? "stopped by a signal" : "users are at work on this line";
	}
	if (!is_final[trial->status] && ++m->n_failures < FAILURES_MAX && bench_path_is_up(m->path))
		return false;
	stop(m, trial->status, trial->reason);
	return true;
}

/* TCP's rate on the same path and direction, in datagrams' payload: from this run, else from a short trial. */
static double seed_mbps(struct bench_measure *m)
{
	struct bench_session *s = m->session;
	const struct bench_row *row = m->row;
	double tcp_mbps = NAN;
	for (size_t i = 0; i < s->run.n_rows; i++) {
		const struct bench_row *other = &s->run.row[i];
		if (other->protocol == BENCH_TCP && other->status == BENCH_OK && other->mbps > 0 && other->family == row->family &&
		    other->direction == row->direction && !strcmp(other->path, row->path) &&
		    !strcmp(other->governor, row->governor) && other->streams == row->streams)
			tcp_mbps = other->mbps;
	}
	while (isnan(tcp_mbps) && !m->is_over) {
		const struct bench_trial *trial = bench_measure_attempt(m, BENCH_TCP, 0, SEED_SECONDS, true);
		if (trial->status == BENCH_OK)
			tcp_mbps = trial->mbps;
		else if (judge(m, trial))
			break;
	}
	struct bench_line tcp = line_of(s, row, m->path, m->path_index, false);
	struct bench_line udp = line_of(s, row, m->path, m->path_index, true);
	struct bench_ceiling a, b;
	struct fb_error err;
	double ratio = bench_ceiling(&tcp, &a, &err) == 0 && bench_ceiling(&udp, &b, &err) == 0 ? b.mbps / a.mbps : 1;
	return tcp_mbps * ratio / (1 - s->options->loss_percent / 100);
}

static int probe(void *context, double offered_mbps, unsigned seconds, struct bench_probe *ret_probe)
{
	struct bench_measure *m = context;
	for (;;) {
		const struct bench_trial *trial = bench_measure_attempt(m, BENCH_UDP, offered_mbps, seconds, true);
		if (trial->status == BENCH_OK) {
			m->n_failures = 0;
			/* About 1448 bytes a datagram: enough for a share of what was reordered. */
			double datagrams = trial->offered_mbps * 1e6 / 8 * seconds / 1448;
			*ret_probe = (struct bench_probe){
				trial->offered_mbps, trial->mbps, trial->loss_percent, 100 * trial->out_of_order / datagrams };
			return 0;
		}
		if (judge(m, trial))
			return -1;
	}
}

void bench_measure_search(struct bench_measure *m)
{
	struct bench_session *s = m->session;
	if (m->is_over || m->row->protocol != BENCH_UDP)
		return;
	double seed = seed_mbps(m);
	if (m->is_over)
		return;
	unsigned longest = s->options->seconds;
	struct bench_search_plan plan = {
		.loss_limit_percent = s->options->loss_percent, .seed_mbps = seed,
		.cap_mbps = m->path->link_mbps > 0 ? m->path->link_mbps : unknown_port_mbps,
		.short_s = longest < SHORT_SECONDS ? longest : SHORT_SECONDS,
		.long_s = longest < LONG_SECONDS ? longest : LONG_SECONDS,
		.n_max = SEARCH_TRIALS_MAX, .probe = probe, .context = m,
	};
	m->row->search = fb_alloc(s->arena, sizeof(*m->row->search));
	int rc = bench_search(&plan, m->row->search);
	m->offered_mbps = m->row->search->low_mbps;
	if (rc == 0 && !(m->offered_mbps > 0))
		stop(m, BENCH_FAILED, fb_format(s->arena, "no rate from %.1f Mbit/s down keeps the loss within %g %%",
						seed, s->options->loss_percent));
}

static bool may_begin(struct bench_measure *m)
{
	struct bench_session *s = m->session;
	double rate = m->offered_mbps > 0 ? m->offered_mbps : m->n_values ? m->value[m->n_values - 1] : 0;
	if (s->over == BENCH_OK && s->users && !bench_users_may_send(s->users, rate * 1e6 / 8 * s->options->seconds)) {
		s->over = BENCH_QUOTA;
		s->over_reason = fb_format(s->arena, "the day's %g MB are used up", s->conf.daily_mb);
	}
	if (s->over != BENCH_OK)
		stop(m, s->over, s->over_reason);
	return !m->is_over;
}

bool bench_measure_trial(struct bench_measure *m)
{
	struct bench_session *s = m->session;
	if (m->is_over || !may_begin(m))
		return false;
	const struct bench_trial *trial = bench_measure_attempt(m, m->row->protocol, m->offered_mbps, s->options->seconds, false);
	if (trial->status != BENCH_OK)
		return !judge(m, trial);
	m->n_failures = 0;
	m->value[m->n_values] = trial->mbps;
	m->back[m->n_values++] = trial->back_mbps;
	m->is_over = !bench_method_wants_more(&s->options->method, m->value, m->n_values) ||
		     m->row->n_trials + 2 >= BENCH_TRIALS_MAX;
	return !m->is_over;
}

void bench_measure_end(struct bench_measure *m)
{
	struct bench_row *row = m->row;
	const struct bench_method *method = &m->session->options->method;
	if (m->pinger)
		row->latency = bench_pinger_result(m->pinger);
	bench_pinger_close(m->pinger);
	m->pinger = NULL;
	row->took_s = bench_now_s() - row->started_s;
	if (m->meter && row->n_trials)
		row->telemetry = bench_meter_result(m->meter);
	if (row->status != BENCH_OK || !m->n_values)
		return;
	struct bench_figure figure = bench_method_figure(method, m->value, m->n_values);
	row->mbps = figure.value;
	row->min_mbps = figure.min;
	row->max_mbps = figure.max;
	row->ci95_mbps = figure.ci95;
	row->n_counted = (unsigned)m->n_values;
	if (row->direction == BENCH_BOTH)
		row->back_mbps = bench_method_figure(method, m->back, m->n_values).value;
	double sum = row->mbps + (row->direction == BENCH_BOTH ? row->back_mbps : 0);
	row->percent_of_ceiling = 100 * sum / (row->ceiling_mbps * (row->direction == BENCH_BOTH ? 2 : 1));
}
