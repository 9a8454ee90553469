/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that touches libiperf. It runs in a child of its own: the library calls exit(), and may hang when a link dies. */
#include "job.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <iperf_api.h>

enum { CONNECT_TIMEOUT_MS = 3000 };

static void say(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);
		if (n <= 0)
			return;		/* the parent is gone or has given up: nobody listens */
		text += n;
		len -= (size_t)n;
	}
}

static void complain(int fd, const char *what)
{
	char text[512];
	int n = snprintf(text, sizeof(text), "{\"error\": \"%s\"}", what);
	say(fd, text, n < (int)sizeof(text) ? (size_t)n : sizeof(text) - 1);
	_exit(1);
}

static struct iperf_test *new_test(char role, const struct bench_job *job)
{
	struct iperf_test *test = iperf_new_test();
	if (!test || iperf_defaults(test) < 0)
		return NULL;
	iperf_set_test_role(test, role);
	iperf_set_test_server_port(test, (int)job->port);
	iperf_set_test_json_output(test, 1);
	iperf_set_test_logfile(test, "/dev/null");	/* the JSON goes to standard output, too */
	return test;
}

static void set_client(struct iperf_test *test, const struct bench_job *job)
{
	iperf_set_test_server_hostname(test, job->address);
	iperf_set_test_connect_timeout(test, CONNECT_TIMEOUT_MS);
	iperf_set_test_duration(test, (int)job->seconds);
	iperf_set_test_num_streams(test, (int)job->streams);
	iperf_set_test_reverse(test, job->direction == BENCH_RECEIVE);
	iperf_set_test_bidirectional(test, job->direction == BENCH_BOTH);
	if (job->protocol == BENCH_UDP) {
		set_protocol(test, Pudp);
		iperf_set_test_blksize(test, 0);	/* else 3.12 keeps TCP's 128 KiB: "Message too long" */
		iperf_set_test_rate(test, (uint64_t)(job->offered_mbps * 1e6 / job->streams));
		iperf_set_test_udp_counters_64bit(test, 1);
		/* Datagrams out of order are counted by the receiver only; its words come back over the control link. */
		if (job->direction != BENCH_RECEIVE)
			iperf_set_test_get_server_output(test, 1);
	} else if (*job->congestion) {
		char name[32];
		(void)snprintf(name, sizeof(name), "%s", job->congestion);
		iperf_set_test_congestion_control(test, name);
	}
}

void bench_iperf_client(const struct bench_job *job, int fd)
{
	(void)signal(SIGPIPE, SIG_IGN);		/* set again: libiperf changes dispositions */
	if (bench_netns_enter(job->from) < 0)
		complain(fd, "cannot enter the network namespace of this path");
	struct iperf_test *test = new_test('c', job);
	if (!test)
		complain(fd, "libiperf: no memory for a test");
	set_client(test, job);
	int rc = iperf_run_client(test);
	/* In JSON mode 3.12 returns 0 on errors, and 3.18 returns -1 with or without a text: the text decides. */
	const char *json = iperf_get_test_json_output_string(test);
	if (json)
		say(fd, json, strlen(json));
	else
		complain(fd, rc < 0 ? iperf_strerror(i_errno) : "libiperf ended without a result");
	_exit(rc < 0);
}

void bench_iperf_serve_once(const struct bench_job *job)
{
	(void)signal(SIGPIPE, SIG_IGN);
	if (bench_netns_enter(job->from) < 0)
		_exit(1);
	struct iperf_test *test = new_test('s', job);
	if (!test)
		_exit(1);
	iperf_set_test_bind_address(test, job->own_address);
	(void)iperf_run_server(test);
	_exit(0);
}

void bench_iperf_words(struct fb_arena *arena, const struct bench_job *job, struct fb_strs *ret_words)
{
	/* Directions are named as seen from here; the peer's client sees them the other way round. */
	static const char *const turn[] = { "-R", NULL, "--bidir" };
	for (size_t i = 0; job->remote && job->remote[i]; i++)
		fb_strs_add(arena, ret_words, job->remote[i]);
	const char *const fixed[] = { "iperf3", "-J", "-c", job->own_address };
	for (size_t i = 0; i < FB_ARRAY_LEN(fixed); i++)
		fb_strs_add(arena, ret_words, fixed[i]);
	fb_strs_add(arena, ret_words, "-p");
	fb_strs_add(arena, ret_words, fb_format(arena, "%u", job->port));
	fb_strs_add(arena, ret_words, "-t");
	fb_strs_add(arena, ret_words, fb_format(arena, "%u", job->seconds));
	fb_strs_add(arena, ret_words, "-P");
	fb_strs_add(arena, ret_words, fb_format(arena, "%u", job->streams));
	if (job->protocol == BENCH_UDP) {
		fb_strs_add(arena, ret_words, "-u");
		fb_strs_add(arena, ret_words, "--get-server-output");
		fb_strs_add(arena, ret_words, "-b");
		fb_strs_add(arena, ret_words, fb_format(arena, "%.0f", job->offered_mbps * 1e6 / job->streams));
	} else if (*job->congestion) {
		fb_strs_add(arena, ret_words, "-C");
		fb_strs_add(arena, ret_words, job->congestion);
	}
	if (turn[job->direction])
		fb_strs_add(arena, ret_words, turn[job->direction]);
}
