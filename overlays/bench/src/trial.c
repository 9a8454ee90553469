/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a worker's JSON means: figures, or why there are none. */
#include "job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* libiperf has numbers for its errors but tells only texts in JSON. The first row whose words occur decides. */
static const struct {
	const char *words;
	enum bench_status status;
} errors[] = {
	{ "server is busy", BENCH_BUSY },
	{ "Connection refused", BENCH_REFUSED },
	{ "larger than server limit", BENCH_REFUSED },
	{ "test authorization failed", BENCH_REFUSED },
	{ "Network is unreachable", BENCH_UNREACHABLE },
	{ "No route to host", BENCH_UNREACHABLE },
	{ "Cannot assign requested address", BENCH_NO_FAMILY },
	{ "Address family not supported", BENCH_NO_FAMILY },
	{ "unable to connect", BENCH_UNREACHABLE },
	{ "timed out", BENCH_UNREACHABLE },
	{ "received an unknown control message", BENCH_VERSION },
	{ "unknown control message", BENCH_VERSION },
	{ "bad state", BENCH_VERSION },
	{ "unable to send parameters", BENCH_VERSION },
	{ "unable to receive parameters", BENCH_VERSION },
	{ "unable to send cookie", BENCH_GONE },
	{ "closed unexpectedly", BENCH_GONE },
	{ "server has terminated", BENCH_GONE },
	{ "Connection reset", BENCH_GONE },
	{ "Broken pipe", BENCH_GONE },
	{ "unable to receive results", BENCH_GONE },
	{ "unable to send results", BENCH_GONE },
	{ "unable to receive control message", BENCH_GONE },
	{ "unable to write to", BENCH_GONE },
	{ "unable to read from", BENCH_GONE },
};

static void fail(struct bench_trial *trial, enum bench_status status, const char *reason)
{
	trial->status = status;
	trial->reason = reason;
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double mbps(const json_t *sum)
{
	return number(sum, "bits_per_second") / 1e6;
}

/* "[  5]   0.00-3.00   sec  65 datagrams received out-of-order", one line a stream, by a server without -J. */
static double out_of_order_in_words(const char *text)
{
	double total = 0;
	for (const char *at = text; (at = strstr(at, " datagrams received out-of-order")); at++) {
		const char *digits = at;
		while (digits > text && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		total += strtod(digits, NULL);
	}
	return total;
}

static double out_of_order_in_streams(const json_t *end)
{
	const json_t *streams = json_object_get(end, "streams");
	double total = NAN;
	for (size_t i = 0; i < json_array_size(streams); i++) {
		double n = number(json_object_get(json_array_get(streams, i), "udp"), "out_of_order");
		if (!isnan(n))
			total = isnan(total) ? n : total + n;
	}
	return total;
}

/* The client's own count is always 0 for what it sent: there the server's words or its JSON count. */
static double out_of_order(const json_t *root, const json_t *end, bool we_receive)
{
	const char *words = json_string_value(json_object_get(root, "server_output_text"));
	const json_t *peer = json_object_get(root, "server_output_json");
	if (we_receive)
		return out_of_order_in_streams(end);
	if (words)
		return out_of_order_in_words(words);
	return out_of_order_in_streams(json_object_get(peer, "end"));
}

static void judge_udp(const struct bench_job *job, const json_t *root, const json_t *end, struct bench_trial *trial)
{
	const json_t *got = json_object_get(end, "sum_received"), *sent = json_object_get(end, "sum_sent");
	if (!sent)
		sent = json_object_get(end, "sum");
	trial->offered_mbps = mbps(sent);
	double seen = number(got, "packets"), lost = number(got, "lost_packets");
	if (isnan(seen) || seen <= 0) {		/* servers before 3.12 tell no received sum */
		seen = number(json_object_get(end, "sum"), "packets");
		lost = number(json_object_get(end, "sum"), "lost_packets");
	}
	/* lost_percent divides by what was sent, which holds the tail still in flight; the last number seen does not. */
	trial->loss_percent = seen > 0 ? fmax(lost, 0) / seen * 100 : 100;
	if (isnan(trial->mbps))
		trial->mbps = trial->offered_mbps * (1 - trial->loss_percent / 100);
	bool we_receive = (job->direction == BENCH_RECEIVE) != (job->remote != NULL);
	trial->out_of_order = out_of_order(root, end, we_receive);
}

static void judge_figures(struct fb_arena *arena, const struct bench_job *job, const json_t *root,
			  struct bench_trial *trial)
{
	const json_t *end = json_object_get(root, "end");
	const json_t *got = json_object_get(end, "sum_received"), *sent = json_object_get(end, "sum_sent");
	const json_t *back = json_object_get(end, "sum_received_bidir_reverse");
	bool is_turned = job->direction == BENCH_BOTH && job->remote;	/* the peer's client tells its own sending first */
	trial->mbps = mbps(is_turned ? back : got);
	if (job->direction == BENCH_BOTH)
		trial->back_mbps = mbps(is_turned ? got : back);
	if (job->protocol == BENCH_UDP)
		judge_udp(job, root, end, trial);
	trial->seconds = number(got, "seconds");
	trial->retransmits = number(sent, "retransmits");
	const json_t *first = sent ? sent : json_object_get(end, "sum");
	trial->sent_bytes = number(first, "bytes");
	double more = number(json_object_get(end, "sum_sent_bidir_reverse"), "bytes");
	if (!isnan(more))
		trial->sent_bytes += more;
	const json_t *start = json_object_get(json_object_get(root, "server_output_json"), "start");
	const char *version = json_string_value(json_object_get(start, "version"));
	if (version)
		trial->peer_version = fb_strdup(arena, version);
	if (!(trial->mbps >= 0) || (job->direction == BENCH_BOTH && !(trial->back_mbps >= 0)))
		fail(trial, BENCH_VERSION, "the peer's results lack the figures of this test; it may be another version of iperf3");
	else if (trial->mbps <= 0 || trial->sent_bytes <= 0)
		fail(trial, BENCH_GONE, "not one byte arrived");
}

static void judge_error(struct fb_arena *arena, const char *text, struct bench_trial *trial)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(errors); i++) {
		if (strstr(text, errors[i].words)) {
			fail(trial, errors[i].status, fb_strdup(arena, text));
			return;
		}
	}
	fail(trial, BENCH_FAILED, fb_strdup(arena, text));
}

void bench_trial_judge(struct fb_arena *arena, const struct bench_job *job, const char *text, size_t len,
		       struct bench_trial *trial)
{
	json_error_t where;
	json_t *root = len ? json_loadb(text, len, 0, &where) : NULL;
	const char *error = json_string_value(json_object_get(root, "error"));
	if (!len)
		fail(trial, BENCH_FAILED, job->remote ? "the command on the peer said nothing; does it have iperf3?"
						      : "the measuring process ended without a word");
	else if (!root)
		fail(trial, BENCH_VERSION, fb_format(arena, "the result is not JSON: %s", where.text));
	else if (error)
		judge_error(arena, error, trial);
	else
		judge_figures(arena, job, root, trial);
	json_decref(root);
}
