/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run one tool with a time limit. */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUT_MAX_BYTES = 1 << 20, WORDS_MAX_BYTES = 400 };

static int64_t now_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return 0;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void child(const char *const *argv, int out, int words)
{
	static const char *const env[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };
	int in = open("/dev/null", O_RDONLY);
	sigset_t none;
	sigemptyset(&none);
	(void)setpgid(0, 0);		/* so that what it starts is killed with it; cannot fail in a fresh child */
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(words, 2) < 0)
		_exit(126);
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Read what is there. False at the end. */
static bool drain(int fd, struct fb_buf *buf, size_t max)
{
	char piece[4096];
	ssize_t n = read(fd, piece, sizeof(piece));
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (buf->len + (size_t)n > max && buf->len < max)
		fb_buf_mem(buf, piece, max - buf->len);
	else if (buf->len < max)
		fb_buf_mem(buf, piece, (size_t)n);
	return n > 0;
}

/* Collect both pipes until they end or the time is up. */
static bool collect(int out_fd, int words_fd, int64_t end_ms, struct fb_buf *out, struct fb_buf *words)
{
	struct pollfd fds[2] = { { .fd = out_fd, .events = POLLIN }, { .fd = words_fd, .events = POLLIN } };
	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		int64_t left_ms = end_ms - now_ms();
		if (left_ms <= 0)
			return false;
		int n = poll(fds, 2, (int)left_ms);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0 && fds[0].revents && !drain(out_fd, out, OUT_MAX_BYTES))
			fds[0].fd = -1;
		if (n > 0 && fds[1].revents && !drain(words_fd, words, WORDS_MAX_BYTES))
			fds[1].fd = -1;
	}
	return true;
}

/* Wait for the child until end_ms, by a short poll only after its pipes are closed. */
static bool reap(pid_t pid, int64_t end_ms, int *ret_status)
{
	for (;;) {
		pid_t done = waitpid(pid, ret_status, WNOHANG);
		if (done == pid || (done < 0 && errno != EINTR))
			return true;
		if (now_ms() >= end_ms)
			return false;
		(void)poll(NULL, 0, 1);		/* a tool that closed its output but still runs: rare */
	}
}

static void end_of_words(struct fb_buf *words)
{
	while (words->len && strchr("\r\n ", words->text[words->len - 1]))
		words->text[--words->len] = '\0';
	for (size_t i = 0; i < words->len; i++)
		if (words->text[i] == '\n')
			words->text[i] = ' ';
}

int fb_spawn(struct fb_arena *arena, const char *const *argv, unsigned timeout_ms, char **ret_out, struct fb_error *err)
{
	int out[2], words[2];
	if (pipe2(out, O_CLOEXEC) < 0)
		return fb_fail(err, errno, "run %s: %s", argv[0], strerror(errno));
	FB_CLOSE int out_read = out[0];
	FB_CLOSE int out_write = out[1];
	if (pipe2(words, O_CLOEXEC) < 0)
		return fb_fail(err, errno, "run %s: %s", argv[0], strerror(errno));
	FB_CLOSE int words_read = words[0];
	FB_CLOSE int words_write = words[1];

	int64_t end_ms = now_ms() + timeout_ms;
	pid_t pid = fork();
	if (pid < 0)
		return fb_fail(err, errno, "run %s: %s", argv[0], strerror(errno));
	if (pid == 0)
		child(argv, out_write, words_write);
	fb_close_fd(&out_write);
	fb_close_fd(&words_write);
	out_write = words_write = -1;

	struct fb_buf text = { .arena = arena }, said = { .arena = arena };
	int status = 0;
	bool is_done = collect(out_read, words_read, end_ms, &text, &said) && reap(pid, end_ms, &status);
	if (!is_done) {
		(void)kill(-pid, SIGKILL);	/* the group may be gone already */
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, &status, 0);
		return fb_fail(err, ETIME, "run %s: did not end within %u ms and was stopped", argv[0], timeout_ms);
	}
	end_of_words(&said);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !said.len)
		return fb_fail(err, ENOENT, "run %s: no such program", argv[0]);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return fb_fail(err, EIO, "run %s: %s %d%s%s", argv[0], WIFEXITED(status) ? "exit status" : "signal",
			       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), said.len ? ": " : "",
			       fb_buf_text(&said));
	if (ret_out)
		*ret_out = text.text ? text.text : fb_strdup(arena, "");
	return 0;
}
