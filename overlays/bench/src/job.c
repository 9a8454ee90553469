/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child for every measurement: started, watched, given a deadline, killed by its pid. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MAX = 8 << 20, TICK_MS = 100, GRACE_S = 8 };	/* connecting, draining queues, exchanging results */

struct child {
	pid_t pid, server_pid;
	int fd;
};

static void in_child(pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(126);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);		/* whatever happens to us, no stray load on the line */
	if (getppid() != parent)
		_exit(126);
}

static pid_t start_server(const struct bench_job *job)
{
	pid_t parent = getpid(), pid = fork();
	if (pid == 0) {
		in_child(parent);
		bench_iperf_serve_once(job);
	}
	return pid;
}

static void exec_remote(struct fb_arena *arena, const struct bench_job *job, int fd)
{
	struct fb_strs words = { 0 };
	bench_iperf_words(arena, job, &words);
	fb_strs_add(arena, &words, NULL);
	if (dup2(fd, 1) < 0)
		_exit(126);
	(void)poll(NULL, 0, 300);	/* a listening socket cannot be waited for from outside; refused is tried again */
	execvp(words.item[0], (char *const *)(uintptr_t)words.item);
	_exit(127);
}

static int start(struct fb_arena *arena, const struct bench_job *job, struct child *child, struct fb_error *err)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return fb_fail(err, errno, "start a measurement: %s", strerror(errno));
	if (job->remote)
		child->server_pid = start_server(job);
	pid_t parent = getpid();
	child->pid = fork();
	if (child->pid < 0) {
		int code = errno;
		(void)close(fds[0]);
		(void)close(fds[1]);
		return fb_fail(err, code, "start a measurement: %s", strerror(code));
	}
	if (child->pid == 0) {
		in_child(parent);
		if (job->remote)
			exec_remote(arena, job, fds[1]);
		bench_iperf_client(job, fds[1]);
	}
	(void)close(fds[1]);
	child->fd = fds[0];
	return 0;
}

static void end(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(-pid, SIGKILL);
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* False when the child has said all. */
static bool take(int fd, struct fb_buf *buf)
{
	char piece[16384];
	ssize_t n = read(fd, piece, sizeof(piece));
	if (n < 0)
		return errno == EINTR;
	if (buf->len < TEXT_MAX)
		fb_buf_mem(buf, piece, (size_t)n);
	return n > 0;
}

static enum bench_status watch(const struct bench_job *job, const struct bench_ticker *ticker, int fd,
			       struct fb_buf *buf, const char **ret_reason)
{
	struct pollfd fds[2] = { { .fd = fd, .events = POLLIN }, { .fd = ticker->fd, .events = POLLIN } };
	double start_s = bench_clock_s(), tick_s = 0;
	for (;;) {
		double elapsed_s = bench_clock_s() - start_s;
		if (elapsed_s > job->seconds + GRACE_S) {
			*ret_reason = "it did not end in time and was killed; the peer or the line went silent";
			return BENCH_TIMEOUT;
		}
		double left_ms = (tick_s - elapsed_s) * 1000;
		int n = poll(fds, 2, left_ms < 1 ? 0 : (int)left_ms + 1);
		if (n < 0 && errno != EINTR)
			return BENCH_FAILED;
		if (n > 0 && fds[0].revents && !take(fd, buf))
			return BENCH_OK;
		bool is_due = elapsed_s >= tick_s;
		if (is_due)
			tick_s = elapsed_s + TICK_MS / 1000.0;
		if (ticker->tick && (is_due || (n > 0 && fds[1].revents))) {
			enum bench_status status = ticker->tick(ticker->context, elapsed_s, ret_reason);
			if (status != BENCH_OK)
				return status;
		}
	}
}

int bench_job_run(struct fb_arena *arena, const struct bench_job *job, const struct bench_ticker *ticker,
		  struct bench_trial *ret_trial, struct fb_error *err)
{
	static const struct bench_ticker none = { .fd = -1 };
	struct child child = { .fd = -1 };
	struct bench_trial trial = {
		.reason = "", .peer_version = "", .started_s = bench_now_s(), .seconds = NAN,
		.mbps = NAN, .back_mbps = NAN, .offered_mbps = NAN, .loss_percent = NAN, .out_of_order = NAN,
		.retransmits = NAN, .counter_mbps = NAN, .sent_bytes = NAN,
	};
	int rc = start(arena, job, &child, err);
	if (rc < 0) {
		end(child.server_pid);
		return rc;
	}
	double start_s = bench_clock_s();
	struct fb_buf buf = { .arena = arena };
	const char *reason = "";
	trial.status = watch(job, ticker ? ticker : &none, child.fd, &buf, &reason);
	trial.reason = reason;
	end(child.pid);
	end(child.server_pid);
	(void)close(child.fd);
	trial.took_s = bench_clock_s() - start_s;
	if (trial.status == BENCH_OK)
		bench_trial_judge(arena, job, fb_buf_text(&buf), buf.len, &trial);
	*ret_trial = trial;
	return 0;
}
