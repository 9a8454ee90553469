/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verb run: from words to rows, and what must hold before and after: one run at a time, changes put back. */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "job.h"
#include "live.h"
#include "matrix.h"
#include "output.h"

enum { EXIT_SOME_FAILED = 2, IDLE_LOOK_S = 5, LOCK_WAIT_S = 600 };

static struct bench_session *running;		/* for the signal handler alone */
static size_t n_shown;

static void on_signal(int number)
{
	(void)number;
	if (running)
		running->was_stopped = true;
}

static int complain(int code, const struct fb_error *err)
{
	fprintf(stderr, "r4s-bench: %s\n", err->text);
	return code;
}

static int exit_of(int rc)
{
	static const struct { int rc, code; } codes[] = {
		{ -EINVAL, EX_USAGE }, { -EEXIST, EX_USAGE }, { -E2BIG, EX_USAGE }, { -EBUSY, EX_TEMPFAIL },
		{ -EACCES, EX_NOPERM }, { -EPERM, EX_NOPERM }, { -ENOMEM, EX_OSERR },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(codes); i++)
		if (codes[i].rc == rc)
			return codes[i].code;
	return EX_IOERR;
}

/* Names of paths, in order, each once. "matrix" is a word of its own: the eight cells; alone, of every path. */
static int choose_paths(struct bench_session *s, struct fb_strs *names, bool *ret_is_matrix, struct fb_error *err)
{
	const struct bench_options *o = s->options;
	struct fb_strs all = { 0 };
	for (size_t i = 1; i < o->word.n; i++) {
		const char *word = o->word.item[i];
		if (!strcmp(word, "matrix")) {
			*ret_is_matrix = true;
			continue;
		}
		if (o->peer.n && !strchr(word, '='))
			for (size_t k = 0; k < o->peer.n; k++)
				word = fb_format(s->arena, "%s%c%s", word, k ? ',' : '=', o->peer.item[k]);
		int rc = bench_path_find(s->arena, &s->conf, word, &all, err);
		if (rc < 0)
			return rc;
	}
	for (size_t i = 0; !all.n && *ret_is_matrix && i < s->conf.n_paths; i++)
		fb_strs_add(s->arena, &all, s->conf.path[i].name);
	for (size_t i = 0; i < all.n; i++)
		if (!fb_strs_has(names, all.item[i]))
			fb_strs_add(s->arena, names, all.item[i]);
	for (size_t i = 0; o->peer.n && i < s->conf.n_paths; i++)
		s->conf.path[i].port = o->port;
	if (!names->n)
		return fb_fail(err, EINVAL, "nothing to measure: name a path, as direct=192.0.2.7, or list paths in %s", o->conf);
	return 0;
}

static void tell_machine(struct bench_session *s)
{
	struct utsname name;
	struct fb_error err;
	char *board = NULL, host[256] = "";
	(void)gethostname(host, sizeof(host) - 1);	/* without a name the field is empty */
	if (fb_fs_read(s->fs, s->arena, "/proc/device-tree/model", 256, &board, NULL, &err) < 0 &&
	    fb_fs_read(s->fs, s->arena, "/sys/class/dmi/id/product_name", 256, &board, NULL, &err) < 0)
		board = fb_strdup(s->arena, "");
	board[strcspn(board, "\n")] = '\0';
	s->run.program = "r4s-bench 1";
	s->run.host = fb_strdup(s->arena, host);
	s->run.board = board;
	s->run.kernel = uname(&name) == 0 ? fb_format(s->arena, "%s %s", name.release, name.machine) : "";
	s->run.started_s = bench_now_s();
	for (size_t i = 0; i < s->options->word.n; i++)
		fb_strs_add(s->arena, &s->run.command, s->options->word.item[i]);
}

static void keep(struct bench_session *s)
{
	struct fb_error err;
	bench_live_rows(s, &n_shown);
	if (bench_output_write(s->arena, s->options, &s->run, &err) < 0)
		fprintf(stderr, "r4s-bench: %s\n", err.text);	/* the measurement goes on; the end tries again */
}

/* One run at a time, and one that puts back at a time: the lock is held by whoever may change the box. */
static int take_lock(struct fb_arena *arena, const struct bench_options *o, bool may_wait, int *ret_fd, struct fb_error *err)
{
	struct fb_fs fs;
	int rc = fb_fs_open(&fs, "/", err);
	const char *dir = bench_absolute(arena, o->runtime);
	struct fb_stat stat;
	if (rc == 0 && fb_fs_stat(&fs, dir, &stat, err) == -ENOENT)
		rc = fb_fs_mkdir(&fs, dir, 0755, geteuid(), getegid(), err);
	const char *file = fb_format(arena, "%s/lock", dir);
	if (rc == 0)
		rc = fb_fs_lock(&fs, file, ret_fd, err);
	for (unsigned i = 0; rc == -EBUSY && may_wait && i < LOCK_WAIT_S; i++) {
		const struct timespec second = { .tv_sec = 1 };
		(void)nanosleep(&second, NULL);		/* the lock of a run that ends within minutes */
		rc = fb_fs_lock(&fs, file, ret_fd, err);
	}
	if (rc == -EBUSY)
		(void)fb_fail(err, EBUSY, "another r4s-bench is measuring (it holds %s)", file);
	fb_fs_close(&fs);
	return rc;
}

static bool users_are_away(struct bench_session *s)
{
	double mbps = 0;
	if (!s->users)
		return true;
	bench_users_begin(s->users, s->arena);
	if (bench_users_are_idle(s->users, IDLE_LOOK_S, &mbps))
		return true;
	s->over = BENCH_SKIPPED;
	s->over_reason = fb_format(s->arena, "skipped: users are at work, %.1f Mbit/s on the watched ports", mbps);
	return false;
}

static int measure(struct bench_session *s, struct bench_undo *undo)
{
	const struct bench_options *o = s->options;
	struct fb_error err;
	struct sigaction action = { .sa_handler = on_signal };
	running = s;
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	s->progress = bench_live_progress;
	if (!users_are_away(s))
		fprintf(stderr, "r4s-bench: %s\n", s->over_reason);
	bench_live_head(s);
	bench_matrix_run(s, undo, keep);
	s->run.took_s = bench_now_s() - s->run.started_s;
	int code = 0;
	for (size_t i = 0; i < s->run.n_rows; i++)
		if (s->run.row[i].status != BENCH_OK)
			code = EXIT_SOME_FAILED;
	if (bench_undo_restore(undo, &err) < 0)
		code = complain(EX_OSERR, &err);
	int rc = bench_output_write(s->arena, o, &s->run, &err);
	if (rc == 0 && s->over == BENCH_OK)		/* half a run would bend the history */
		rc = bench_output_history(s->arena, o, &s->run, &err);
	return rc < 0 ? complain(exit_of(rc), &err) : code;
}

/* The R4S write-up's table: CPU use under each governor that lets the clock follow the load, and at full speed. */
static void add_governors(struct bench_session *s, struct fb_strs *to)
{
	static const char *const wanted[] = { "ondemand", "schedutil", "performance" };
	struct fb_strs has = bench_governors(s->arena, s->fs);
	for (size_t i = 0; i < FB_ARRAY_LEN(wanted); i++)
		if (fb_strs_has(&has, wanted[i]))
			fb_strs_add(s->arena, to, wanted[i]);
}

int bench_verb_run(struct fb_arena *arena, const struct bench_options *o)
{
	struct bench_options options = *o;
	struct fb_fs fs;
	struct fb_error err;
	struct fb_strs names = { 0 };
	bool is_matrix = false;
	int rc = fb_fs_open(&fs, o->root, &err);
	if (rc < 0)
		return complain(exit_of(rc), &err);
	struct bench_session s = { .arena = arena, .fs = &fs, .options = &options, .over_reason = "" };
	if (!options.seed)
		options.seed = (unsigned)time(NULL) ^ (unsigned)getpid();
	rc = bench_conf_load(arena, o->conf, o->has_conf, &s.conf, &err);
	if (rc == 0 && o->is_scheduled && o->word.n == 2 && !strcmp(o->word.item[1], "matrix") && !s.conf.n_paths) {
		fprintf(stderr, "r4s-bench: %s lists no path: nothing to do\n", o->conf);	/* a box without peers */
		fb_fs_close(&fs);
		return 0;
	}
	if (rc == 0)
		rc = choose_paths(&s, &names, &is_matrix, &err);
	if (rc == 0 && options.method.kind == BENCH_MEAN && !options.governor.n)
		add_governors(&s, &options.governor);
	if (rc == 0)
		rc = bench_matrix_build(&s, &names, is_matrix, &err);
	if (rc == 0)
		rc = bench_output_check(arena, &options, &err);
	FB_CLOSE int lock = -1;
	if (rc == 0)
		rc = take_lock(arena, o, false, &lock, &err);
	struct bench_undo undo = { arena, &fs, fb_format(arena, "%s/restore", bench_absolute(arena, o->runtime)) };
	if (rc == 0)
		rc = bench_undo_restore(&undo, &err);	/* of a run that was killed */
	struct bench_users users = {
		.fs = &fs, .conf = &s.conf, .quota_file = fb_format(arena, "%s/quota", bench_absolute(arena, o->state)),
	};
	if (options.is_scheduled)
		s.users = &users;
	int code = 0;
	if (rc == 0) {
		tell_machine(&s);
		code = measure(&s, &undo);
	} else {
		code = complain(exit_of(rc), &err);
	}
	fb_fs_close(&fs);
	return code;
}

int bench_verb_restore(struct fb_arena *arena, const struct bench_options *o)
{
	struct fb_fs fs;
	struct fb_error err;
	FB_CLOSE int lock = -1;
	int rc = fb_fs_open(&fs, o->root, &err);
	if (rc < 0)
		return complain(exit_of(rc), &err);
	struct bench_undo undo = { arena, &fs, fb_format(arena, "%s/restore", bench_absolute(arena, o->runtime)) };
	rc = take_lock(arena, o, true, &lock, &err);
	if (rc == 0)
		rc = bench_undo_restore(&undo, &err);
	fb_fs_close(&fs);
	return rc < 0 ? complain(exit_of(rc), &err) : 0;
}
