/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps scheduled runs out of users' way: traffic on the watched ports, and what was sent today. */
#include "users.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "sample.h"

enum { DAY_S = 86400, BUSY_LOOKS = 2 };

static double watched_bytes(struct bench_users *users)
{
	struct fb_arena *scratch = fb_arena_new();
	struct bench_sample now = { 0 };
	double bytes = 0;
	bench_sample_ifaces(users->fs, scratch, &now);
	for (size_t i = 0; i < now.n_ifaces; i++)
		if (fb_strs_has(&users->conf->watch, now.iface[i].dev))
			bytes += now.iface[i].rx_bytes + now.iface[i].tx_bytes;
	fb_arena_free(scratch);
	return bytes;
}

/* Mbit/s since the last look, which this one becomes. */
static double rate_since(struct bench_users *users)
{
	double bytes = watched_bytes(users), now_s = bench_clock_s(), span_s = now_s - users->last_s;
	double mbps = span_s > 0 ? (bytes - users->last_bytes) * 8 / 1e6 / span_s : 0;
	users->last_bytes = bytes;
	users->last_s = now_s;
	return mbps > 0 ? mbps : 0;	/* a port that was taken away and came back begins at 0 */
}

void bench_users_begin(struct bench_users *users, struct fb_arena *arena)
{
	struct fb_fs real;
	struct fb_error err;
	char *text;
	long day;
	double bytes;
	users->today = (long)(bench_now_s() / DAY_S);
	users->today_bytes = 0;
	if (fb_fs_open(&real, "/", &err) < 0)
		return;
	if (fb_fs_read(&real, arena, users->quota_file, 256, &text, NULL, &err) == 0 &&
	    sscanf(text, "%ld %lf", &day, &bytes) == 2 && day == users->today && bytes > 0)
		users->today_bytes = bytes;
	fb_fs_close(&real);
	users->last_bytes = watched_bytes(users);
	users->last_s = bench_clock_s();
	users->n_busy = 0;
}

bool bench_users_are_idle(struct bench_users *users, unsigned seconds, double *ret_mbps)
{
	(void)rate_since(users);
	for (unsigned i = 0; users->conf->watch.n && i < seconds; i++) {
		(void)poll(NULL, 0, 1000);	/* the line is watched for a while: waiting is the work here */
		double mbps = rate_since(users);
		if (mbps > users->conf->busy_mbps) {
			*ret_mbps = mbps;
			return false;
		}
	}
	return true;
}

bool bench_users_came(struct bench_users *users, double *ret_mbps)
{
	if (!users->conf->watch.n || bench_clock_s() - users->last_s < 1)
		return false;
	*ret_mbps = rate_since(users);
	users->n_busy = *ret_mbps > users->conf->busy_mbps ? users->n_busy + 1 : 0;
	return users->n_busy >= BUSY_LOOKS;
}

bool bench_users_may_send(const struct bench_users *users, double bytes)
{
	double limit = users->conf->daily_mb * 1e6;
	return limit <= 0 || users->today_bytes + bytes <= limit;
}

int bench_users_sent(struct bench_users *users, double bytes, struct fb_error *err)
{
	char text[64];
	users->today_bytes += bytes;
	(void)snprintf(text, sizeof(text), "%ld %.0f\n", users->today, users->today_bytes);
	return bench_write_file(users->quota_file, text, err);
}
