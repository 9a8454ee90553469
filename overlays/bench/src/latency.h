/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips to the peer before and while a line is loaded, by ICMP echo. */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include "result.h"

struct bench_pinger;

/* NULL and a word in err if there is no right or no way to send echo requests: then there is no latency, no error. */
struct bench_pinger *bench_pinger_new(struct fb_arena *arena, const char *address, const char *from, struct fb_error *err);
void bench_pinger_close(struct bench_pinger *pinger);
int bench_pinger_fd(const struct bench_pinger *pinger);

void bench_pinger_idle(struct bench_pinger *pinger);			/* 20 round trips on the idle line: a second */
void bench_pinger_tick(struct bench_pinger *pinger, bool may_send);	/* take answers; send one more */

/* NULL if not one answer came. */
struct bench_latency *bench_pinger_result(const struct bench_pinger *pinger);

#endif
