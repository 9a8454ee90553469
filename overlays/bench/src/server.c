/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb server. It begins before its devices and addresses exist: the kernel tells when a link or an address comes or
 * goes, and a child is started or ended then. A child that ends is replaced, at once or, if it did not live, a bit later.
 */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "job.h"
#include "path.h"
#include "run.h"
#include "sock.h"

enum { LISTENERS_MAX = 16 };
static const double retry_s = 5, short_life_s = 1;

struct listener {
	struct bench_serve serve;
	const char *word;
	unsigned ifindex;		/* that the child is bound to */
	pid_t pid;
	double started_s, next_s;	/* not before next_s */
	bool is_told;			/* that it waits */
};

static void start(struct listener *l)
{
	pid_t parent = getpid(), pid = fork();
	if (pid != 0) {
		l->pid = pid > 0 ? pid : 0;
		l->started_s = bench_clock_s();
		l->next_s = l->started_s + (pid > 0 ? 0 : retry_s);
		return;
	}
	sigset_t none;
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	int null = open("/dev/null", O_RDWR);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 || getppid() != parent)
		_exit(2);
	bench_iperf_serve(&l->serve);
}

static void stop(struct listener *l)
{
	if (l->pid <= 0)
		return;
	(void)kill(l->pid, SIGKILL);
	while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
		;
	l->pid = 0;
}

static void say(const struct listener *l, const char *what)
{
	fprintf(stderr, "r4s-bench: server on %s port %u: %s\n", l->word, l->serve.port, what);
}

/* Make the child fit what is there now. */
static void settle(struct listener *l)
{
	unsigned ifindex = *l->serve.dev ? if_nametoindex(l->serve.dev) : 1;
	if (l->pid && ifindex != l->ifindex) {
		say(l, "the device has gone or is another one now");
		stop(l);
	}
	if (!ifindex && !l->is_told)
		say(l, "waits for the device");
	l->is_told = !ifindex;
	if (ifindex && !l->pid && bench_clock_s() >= l->next_s) {
		l->ifindex = ifindex;
		start(l);
	}
}

static void reap(struct listener *l, size_t n)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < n; i++) {
			if (l[i].pid != pid)
				continue;
			l[i].pid = 0;
			/* An address that is not there yet makes libiperf's child end at once: wait for an event, or a little. */
			if (bench_clock_s() - l[i].started_s < short_life_s)
				l[i].next_s = bench_clock_s() + retry_s;
			if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
				say(&l[i], "a client stayed longer than it may; it was cut");
		}
	}
}

static int watch_links(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* What it says does not matter: the state is read anew. Overflow (ENOBUFS) is an event as well. */
static bool drain(int fd)
{
	char buf[8192];
	bool had_any = false;
	while (recv(fd, buf, sizeof(buf), 0) > 0 || errno == ENOBUFS) {
		had_any = true;
		errno = 0;
	}
	return had_any;
}

static int serve(struct listener *l, size_t n)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	FB_CLOSE int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	FB_CLOSE int links = watch_links();
	if (signals < 0 || links < 0) {
		fprintf(stderr, "r4s-bench: server: %s\n", strerror(errno));
		return EX_OSERR;
	}
	for (;;) {
		struct signalfd_siginfo info;
		struct pollfd fds[] = { { .fd = signals, .events = POLLIN }, { .fd = links, .events = POLLIN } };
		for (size_t i = 0; i < n; i++)
			settle(&l[i]);
		if (poll(fds, FB_ARRAY_LEN(fds), (int)(retry_s * 1000)) < 0 && errno != EINTR)
			break;
		if (fds[1].revents && drain(links))
			for (size_t i = 0; i < n; i++)
				l[i].next_s = 0;
		while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
			if (info.ssi_signo != SIGCHLD) {
				for (size_t i = 0; i < n; i++)
					stop(&l[i]);
				return 0;
			}
		}
		reap(l, n);
	}
	return EX_OSERR;
}

int bench_verb_server(struct fb_arena *arena, const struct bench_options *o)
{
	struct bench_conf conf;
	struct fb_error err;
	struct listener listeners[LISTENERS_MAX] = { 0 };
	int rc = bench_conf_load(arena, o->conf, o->has_conf, &conf, &err);
	if (rc < 0) {
		fprintf(stderr, "r4s-bench: %s\n", err.text);
		return rc == -EINVAL ? EX_USAGE : EX_IOERR;
	}
	const struct fb_strs *words = o->listen.n ? &o->listen : &conf.listen;
	if (!words->n || words->n > LISTENERS_MAX) {
		fprintf(stderr, "r4s-bench: server: wanted 1 to %d places: --listen DEVICE or ADDRESS, or a listen line in %s\n",
			LISTENERS_MAX, o->conf);
		return EX_USAGE;
	}
	for (size_t i = 0; i < words->n; i++) {
		struct bench_sockaddr address;
		bool is_address = bench_sockaddr(words->item[i], 0, &address);
		if (!is_address && strlen(words->item[i]) >= IF_NAMESIZE) {
			fprintf(stderr, "r4s-bench: server: \"%s\" is neither an address nor a device's name\n", words->item[i]);
			return EX_USAGE;
		}
		listeners[i] = (struct listener){ .word = words->item[i], .serve = {
			.dev = is_address ? "" : words->item[i], .address = is_address ? words->item[i] : "", .port = o->port,
			.max_seconds = o->max_seconds ? o->max_seconds : conf.server_seconds,
			.max_mbps = o->max_mbps >= 0 ? o->max_mbps : conf.server_mbps,
		} };
	}
	return serve(listeners, words->n);
}
