/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's clock, and whether an NTP client vouches for it. */
#include "clock.h"

#include <errno.h>
#include <string.h>
#include <sys/timex.h>

enum { GOOD_US = 1000000 };	/* TLS and apt need no better */

static int read_clock(struct fb_clock *clock, time_t *ret_now, bool *ret_is_synced, struct fb_error *err)
{
	(void)clock;		/* there is one kernel */
	struct timex timex = { .modes = 0 };
	if (ntp_adjtime(&timex) < 0)
		return fb_fail(err, errno, "ask the kernel for its clock: %s", strerror(errno));
	*ret_now = timex.time.tv_sec;
	*ret_is_synced = !(timex.status & STA_UNSYNC) && timex.maxerror < GOOD_US;
	return 0;
}

static int set_clock(struct fb_clock *clock, time_t now, struct fb_error *err)
{
	(void)clock;		/* as above */
	const struct timespec time = { .tv_sec = now };
	return clock_settime(CLOCK_REALTIME, &time) < 0 ?
		       fb_fail(err, errno, "set the clock: %s", strerror(errno)) : 0;
}

struct fb_clock fb_clock_kernel = { .read = read_clock, .set = set_clock };
