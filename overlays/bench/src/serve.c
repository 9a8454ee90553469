/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child that serves: libiperf's server in a loop, and a watch over how long one client stays. */
#include "server.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <iperf_api.h>

#include "job.h"

enum { WATCH_MS = 500, GRACE_S = 4, TESTS_MAX = 200, EXIT_TOO_LONG = 3 };	/* a fresh child now and then: leaks stay small */

struct watch {
	struct iperf_test *test;
	double max_s;
	atomic_uint n_tests;		/* a new client is not the old one staying on */
};

/* A client that measures longer than it may, or holds the connection and says nothing, ends this child. */
static void *watch(void *context)
{
	struct watch *watch = context;
	const struct timespec pause = { .tv_nsec = WATCH_MS * 1000000L };
	double since_s = 0;
	unsigned seen = 0;
	for (;;) {
		(void)nanosleep(&pause, NULL);
		unsigned n = atomic_load(&watch->n_tests);
		if (n != seen || iperf_get_control_socket(watch->test) < 0)
			since_s = 0;
		seen = n;
		if (since_s <= 0 && iperf_get_control_socket(watch->test) >= 0)
			since_s = bench_clock_s();
		if (since_s > 0 && bench_clock_s() - since_s > watch->max_s + GRACE_S)
			_exit(EXIT_TOO_LONG);
	}
	return NULL;
}

/* Most of this has no setter: the library's own reader of arguments is the only way. */
static int set(struct iperf_test *test, const struct bench_serve *serve)
{
	static char words[][24] = { "iperf3", "-s", "-J", "-p", "--bind-dev", "-B", "--server-bitrate-limit" };
	static char port[16], limit[48], dev[32], address[64];
	(void)snprintf(port, sizeof(port), "%u", serve->port);
	(void)snprintf(limit, sizeof(limit), "%.0f/5", serve->max_mbps * 1e6);
	(void)snprintf(dev, sizeof(dev), "%s", serve->dev);
	(void)snprintf(address, sizeof(address), "%s", serve->address);
	char *argv[16] = { words[0], words[1], words[2], words[3], port };
	const struct { bool is_wanted; char *word, *value; } more[] = {
		{ *dev, words[4], dev }, { *address, words[5], address }, { serve->max_mbps > 0, words[6], limit },
	};
	int argc = 5;
	for (size_t i = 0; i < FB_ARRAY_LEN(more); i++) {
		if (more[i].is_wanted) {
			argv[argc++] = more[i].word;
			argv[argc++] = more[i].value;
		}
	}
	return iperf_parse_arguments(test, argc, argv);
}

void bench_iperf_serve(const struct bench_serve *serve)
{
	(void)signal(SIGPIPE, SIG_IGN);
	struct iperf_test *test = iperf_new_test();
	if (!test || iperf_defaults(test) < 0 || set(test, serve) < 0)
		_exit(2);
	iperf_set_test_logfile(test, "/dev/null");
	static struct watch context;
	context.test = test;
	context.max_s = serve->max_seconds;
	pthread_t thread;
	if (pthread_create(&thread, NULL, watch, &context))
		_exit(2);
	for (unsigned i = 0; i < TESTS_MAX; i++) {
		(void)signal(SIGPIPE, SIG_IGN);
		atomic_fetch_add(&context.n_tests, 1);
		int rc = iperf_run_server(test);
		if (rc < -1 || (rc < 0 && i_errno == IELISTEN))
			_exit(2);	/* it cannot listen: the parent tries again when something has changed */
		iperf_reset_test(test);
	}
	_exit(0);
}
