/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One measurement to be made, and the process that makes it. */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include "result.h"

struct bench_job {
	const char *address;		/* numeric: libiperf has no setter for a family */
	unsigned port;
	const char *from;		/* network namespace to measure from, "" for our own */
	enum bench_protocol protocol;
	enum bench_direction direction;
	unsigned streams, seconds;
	double offered_mbps;		/* UDP: total of all streams */
	const char *congestion;		/* TCP: "" for the system's */
	const char *const *remote;	/* --swap: words that run a command on the peer; NULL: we are the client */
	const char *own_address;	/* --swap: where the peer finds us */
};

/* Runs in the child: measures as client, writes libiperf's JSON (or {"error": …}) to fd. Never returns. */
void bench_iperf_client(const struct bench_job *job, int fd) __attribute__((noreturn));

/* Runs in the child: serves one test on the port. Never returns. */
void bench_iperf_serve_once(const struct bench_job *job) __attribute__((noreturn));

/* The words of the stock client that does the same measurement from the peer's side. */
void bench_iperf_words(struct fb_arena *arena, const struct bench_job *job, struct fb_strs *ret_words);

/* Called all 100 ms while a job runs. status other than BENCH_OK ends the job with that and reason. */
struct bench_ticker {
	enum bench_status (*tick)(void *context, double elapsed_s, const char **ret_reason);
	void *context;
	int fd;				/* wake also when this can be read: -1 for none */
};

/*
 * Fork, measure, wait with a deadline of seconds + 8, kill by pid when it is over. ret_trial is always filled; a figure
 * counts only if its status is BENCH_OK. A negative errno means that our own machine failed (no fork, no pipe).
 */
int bench_job_run(struct fb_arena *arena, const struct bench_job *job, const struct bench_ticker *ticker,
		  struct bench_trial *ret_trial, struct fb_error *err);

/* Judge what a worker wrote. Fills figures, or status and reason. */
void bench_trial_judge(struct fb_arena *arena, const struct bench_job *job, const char *text, size_t len,
		       struct bench_trial *trial);

/* Enter the network namespace /run/netns/NAME; "" does nothing. 0 or a negative errno. */
int bench_netns_enter(const char *name);
int bench_netns_save(void);		/* an fd that is our own namespace */
void bench_netns_back(int fd);		/* return there and close fd */

double bench_now_s(void);		/* since 1970 */
double bench_clock_s(void);		/* monotonic */

#endif
