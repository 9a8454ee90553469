/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serving side: one child for each place that is listened on, each with limits. */
#ifndef BENCH_SERVER_H
#define BENCH_SERVER_H

#include "base.h"

struct bench_serve {
	const char *dev, *address;	/* one of both; "" for the other */
	unsigned port, max_seconds;
	double max_mbps;		/* of one client; 0: no limit */
};

/* Runs in the child: serves stock iperf3 clients one after the other. Never returns. */
void bench_iperf_serve(const struct bench_serve *serve) __attribute__((noreturn));

#endif
