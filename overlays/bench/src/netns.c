/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network namespaces by name, and the two clocks. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int bench_netns_enter(const char *name)
{
	char path[300];
	if (!*name)
		return 0;
	(void)snprintf(path, sizeof(path), "/run/netns/%s", name);
	FB_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 || setns(fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

int bench_netns_save(void)
{
	return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
}

void bench_netns_back(int fd)
{
	if (fd >= 0) {
		(void)setns(fd, CLONE_NEWNET);		/* our own namespace: it cannot be gone */
		(void)close(fd);
	}
}

static double seconds(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now) < 0)
		return 0;
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double bench_now_s(void)
{
	return seconds(CLOCK_REALTIME);
}

double bench_clock_s(void)
{
	return seconds(CLOCK_MONOTONIC);
}
