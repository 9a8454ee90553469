/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps scheduled runs out of users' way: traffic on the watched ports, and what was sent today. */
#ifndef BENCH_USERS_H
#define BENCH_USERS_H

#include "path.h"

struct bench_users {
	struct fb_fs *fs;
	const struct bench_conf *conf;
	double last_bytes, last_s;	/* at the last look */
	unsigned n_busy;		/* looks in a row above the limit */
	const char *quota_file;		/* absolute */
	double today_bytes;
	long today;			/* days since 1970 */
};

/* Starts from what the quota file says; a file of another day, or a damaged one, counts as nothing sent. */
void bench_users_begin(struct bench_users *users, struct fb_arena *arena);

/* Look at the watched ports for seconds; false and a rate if users are at work. */
bool bench_users_are_idle(struct bench_users *users, unsigned seconds, double *ret_mbps);

/* Cheap; called often. True when the watched ports were busy for two seconds running. */
bool bench_users_came(struct bench_users *users, double *ret_mbps);

/* May so many more bytes be sent today? */
bool bench_users_may_send(const struct bench_users *users, double bytes);
int bench_users_sent(struct bench_users *users, double bytes, struct fb_error *err);	/* and keep it */

#endif
