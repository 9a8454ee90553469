/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One trial of a row: the job, what is watched while it runs, and asking a busy peer again. */
#include "measure.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>

#include "job.h"
#include "text.h"

enum { ATTEMPTS = 8, ATTEMPTS_GONE = 3, WAIT_MS = 250, PING_EVERY_MS = 100, LINK_DOWN_TICKS = 3, DEV_HEAD_BYTES = 14 };
static const double MARK_BEFORE_S = 0.15;	/* more than a tick: it must not come after the load's end */

struct watch {
	struct bench_measure *m;
	double ping_s, mark_s;		/* mark_s: when the counters are read; 0 once they are */
	unsigned n_down;
};

/* Everything that happens beside a running trial. */
static enum bench_status tick(void *context, double elapsed_s, const char **ret_reason)
{
	struct watch *watch = context;
	struct bench_measure *m = watch->m;
	struct bench_session *s = m->session;
	double mbps;
	bool may_ping = elapsed_s >= watch->ping_s;
	if (may_ping)
		watch->ping_s = elapsed_s + PING_EVERY_MS / 1000.0;
	if (m->pinger)
		bench_pinger_tick(m->pinger, may_ping);
	bench_meter_tick(m->meter, elapsed_s);
	if (!may_ping)
		return BENCH_OK;	/* woken by an answer: the rest is for every 100 ms */
	if (watch->mark_s > 0 && elapsed_s >= watch->mark_s) {
		bench_meter_mark(m->meter, elapsed_s);
		watch->mark_s = 0;
	}
	if (s->progress)
		s->progress(s, m->row, elapsed_s);
	if (s->was_stopped) {
		*ret_reason = "stopped by a signal";
		return BENCH_CUT;
	}
	if (s->users && bench_users_came(s->users, &mbps)) {
		*ret_reason = fb_format(s->arena, "cut: users came, %.1f Mbit/s on the watched ports", mbps);
		return BENCH_CUT;
	}
	watch->n_down = bench_path_is_up(m->path) ? 0 : watch->n_down + 1;
	if (watch->n_down < LINK_DOWN_TICKS)
		return BENCH_OK;
	*ret_reason = fb_format(s->arena, "%s lost its link in mid-run", m->path->dev);
	return BENCH_LINK_DOWN;
}

/* Payload that passed our own port: every counted packet has one header, also one that the card will cut in pieces. */
static double by_counters(const struct bench_measure *m, const struct bench_job *job)
{
	struct bench_iface iface;
	double span_s;
	if (!*m->path->dev || !bench_meter_iface(m->meter, m->path->dev, &iface, &span_s))
		return NAN;
	bool we_send = job->direction != BENCH_RECEIVE;
	double bytes = we_send ? iface.tx_bytes : iface.rx_bytes, packets = we_send ? iface.tx_packets : iface.rx_packets;
	double head = (m->path->via_wireguard ? 0 : DEV_HEAD_BYTES) + (m->row->family == 6 ? 40 : 20) +
		      (job->protocol == BENCH_UDP ? 8 : 32);
	return fmax(bytes - packets * head, 0) * 8 / 1e6 / span_s;
}

static const char *const *words_of(struct fb_arena *arena, const char *text)
{
	struct fb_strs words = { 0 };
	char *copy = fb_strdup(arena, text);
	for (char *c = copy; *c; c++)
		if (*c == ',')
			*c = ' ';
	const char *at = copy;
	for (const char *word; (word = fb_text_next_word(arena, &at));)
		fb_strs_add(arena, &words, word);
	fb_strs_add(arena, &words, NULL);
	return words.item;
}

static struct bench_job make_job(struct bench_measure *m, enum bench_protocol protocol, double offered_mbps, unsigned seconds)
{
	const struct bench_session *s = m->session;
	struct bench_job job = {
		.address = m->row->family == 6 ? m->path->peer6 : m->path->peer4, .port = m->path->port,
		.from = m->path->from, .protocol = protocol, .direction = m->row->direction,
		.streams = m->row->streams, .seconds = seconds, .offered_mbps = offered_mbps,
		.congestion = s->options->congestion,
	};
	if (m->row->is_swapped) {
		job.remote = words_of(s->arena, m->path->remote);
		job.own_address = bench_path_own_address(s->arena, m->path, m->row->family);
	}
	return job;
}

static bool is_worth_asking_again(const struct bench_job *job, const struct bench_trial *trial, unsigned attempt)
{
	/* Our own server of a swapped trial may not be listening yet. */
	if (trial->status == BENCH_BUSY || (job->remote && trial->status == BENCH_REFUSED))
		return attempt < ATTEMPTS;
	/* A server that is between two tests resets who comes in that moment. */
	return trial->status == BENCH_GONE && trial->took_s < 0.5 && attempt < ATTEMPTS_GONE;
}

static void count_bytes(struct bench_session *s, const struct bench_job *job, const struct bench_trial *trial)
{
	struct fb_error err;
	double bytes = trial->sent_bytes;
	if (!s->users || trial->status == BENCH_BUSY)
		return;
	if (isnan(bytes))	/* killed: what it can have sent at most is not known, what it was to send is */
		bytes = job->offered_mbps > 0 ? job->offered_mbps * 1e6 / 8 * trial->took_s : 0;
	if (bench_users_sent(s->users, bytes, &err) < 0) {
		s->over = BENCH_QUOTA;	/* a cap that cannot be kept may not be exceeded */
		s->over_reason = fb_format(s->arena, "the day's count cannot be kept: %s", err.text);
	}
}

const struct bench_trial *bench_measure_attempt(struct bench_measure *m, enum bench_protocol protocol, double offered_mbps,
						unsigned seconds, bool is_short)
{
	struct bench_session *s = m->session;
	struct bench_job job = make_job(m, protocol, offered_mbps, seconds);
	struct bench_trial trial;
	struct fb_error err;
	for (unsigned attempt = 1; ; attempt++) {
		struct watch watch = { .m = m, .mark_s = seconds - MARK_BEFORE_S };
		struct bench_ticker ticker = { tick, &watch, bench_pinger_fd(m->pinger) };
		bench_meter_start(m->meter);
		int rc = bench_job_run(s->arena, &job, &ticker, &trial, &err);
		bench_meter_stop(m->meter);
		if (rc < 0) {
			trial = (struct bench_trial){
				.status = BENCH_FAILED, .reason = fb_strdup(s->arena, err.text), .peer_version = "", .mbps = NAN };
			break;
		}
		if (!is_worth_asking_again(&job, &trial, attempt) || s->was_stopped)
			break;
		/* A server says busy for a moment after each test; asking at once hits that moment about once in three. */
		(void)poll(NULL, 0, (int)(WAIT_MS * attempt) + rand() % WAIT_MS);
	}
	if (trial.status == BENCH_OK)
		trial.counter_mbps = by_counters(m, &job);
	else if (trial.status == BENCH_BUSY)
		trial.reason = fb_format(s->arena, "%s (asked %d times)", trial.reason, ATTEMPTS);
	trial.is_short = is_short;
	count_bytes(s, &job, &trial);
	struct bench_trial *kept = &m->row->trial[m->row->n_trials];
	if (m->row->n_trials + 1 < BENCH_TRIALS_MAX)
		m->row->n_trials++;
	*kept = trial;
	return kept;
}
