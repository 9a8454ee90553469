/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run's results in files, and the directory of dated copies. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "html.h"
#include "text.h"

enum { HISTORY_MAX = 100 };

static const char *dir_of(struct fb_arena *arena, const char *file)
{
	const char *path = bench_absolute(arena, file), *slash = strrchr(path, '/');
	return slash == path ? "/" : fb_strndup(arena, path, (size_t)(slash - path));
}

/* A file is replaced by one beside it: what has to be writable is the directory, and the name must not be another thing. */
static int check(struct fb_arena *arena, const char *file, struct fb_error *err)
{
	struct fb_fs fs;
	struct fb_stat stat;
	const char *dir = dir_of(arena, file);
	int rc = fb_fs_open(&fs, "/", err);
	if (rc < 0)
		return rc;
	rc = fb_fs_stat(&fs, bench_absolute(arena, file), &stat, err);
	fb_fs_close(&fs);
	if (rc < 0 && rc != -ENOENT)
		return rc;
	if (rc == 0 && stat.type != FB_IS_FILE)
		return fb_fail(err, EISDIR, "write %s: it is there and is no file", file);
	if (access(dir, W_OK | X_OK) < 0 && errno != ENOENT)
		return fb_fail(err, errno, "write %s: directory %s: %s", file, dir, strerror(errno));
	if (access(dir, F_OK) < 0)
		return fb_fail(err, errno, "write %s: there is no directory %s", file, dir);
	return 0;
}

int bench_output_check(struct fb_arena *arena, const struct bench_options *o, struct fb_error *err)
{
	const char *const files[] = { o->json, o->csv, o->prom, o->html };
	for (size_t i = 0; i < FB_ARRAY_LEN(files); i++) {
		int rc = *files[i] ? check(arena, files[i], err) : 0;
		if (rc < 0)
			return rc;
	}
	return *o->history ? check(arena, fb_format(arena, "%s/new", o->history), err) : 0;
}

int bench_output_write(struct fb_arena *arena, const struct bench_options *o, const struct bench_run *run,
		       struct fb_error *err)
{
	struct fb_error one;
	int failed = 0;
	const struct {
		const char *file, *text;
	} outs[] = {
		{ o->json, *o->json ? bench_run_to_json(arena, run) : "" },
		{ o->csv, *o->csv ? bench_csv(arena, run) : "" },
		{ o->prom, *o->prom ? bench_prom(arena, run) : "" },
		{ o->html, *o->html && !*o->history ? bench_html(arena, run, 1, o->lang) : "" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(outs); i++) {
		int rc = *outs[i].text ? bench_write_file(outs[i].file, outs[i].text, &one) : 0;
		if (rc < 0 && failed == 0)
			*err = one;
		failed = failed < 0 ? failed : rc;
	}
	return failed;
}

static int list(struct fb_arena *arena, const char *dir, struct fb_strs *ret_files, struct fb_error *err)
{
	struct fb_fs fs;
	struct fb_strs names = { 0 };
	int rc = fb_fs_open(&fs, "/", err);
	if (rc < 0)
		return rc;
	const char *path = bench_absolute(arena, dir);
	rc = fb_fs_list(&fs, arena, path, &names, err);
	fb_fs_close(&fs);
	if (rc == -ENOENT)
		return fb_fail(err, ENOENT, "read %s: no such directory", dir);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		if (fb_text_starts(names.item[i], "bench-") && fb_text_ends(names.item[i], ".json"))
			fb_strs_add(arena, ret_files, fb_format(arena, "%s/%s", path, names.item[i]));
	return rc;
}

int bench_history_load(struct fb_arena *arena, const char *dir, struct bench_run **ret_run, size_t *ret_n,
		       size_t *ret_n_bad, struct fb_error *err)
{
	struct fb_strs files = { 0 };
	int rc = list(arena, dir, &files, err);
	if (rc < 0)
		return rc;
	struct bench_run *runs = fb_alloc(arena, (files.n + 1) * sizeof(*runs));
	size_t n = 0;
	for (size_t i = 0; i < files.n; i++)
		if (bench_run_load(arena, files.item[i], &runs[n], err) == 0)
			n++;
	*ret_run = runs;
	*ret_n = n;
	*ret_n_bad = files.n - n;
	return 0;
}

static int prune(struct fb_arena *arena, const char *dir, struct fb_error *err)
{
	struct fb_fs fs;
	struct fb_strs files = { 0 };
	int rc = list(arena, dir, &files, err);		/* sorted by name, that is, by date */
	if (rc < 0)
		return rc;
	rc = fb_fs_open(&fs, "/", err);
	for (size_t i = 0; rc == 0 && i + HISTORY_MAX < files.n; i++)
		rc = fb_fs_remove(&fs, files.item[i], err);
	fb_fs_close(&fs);
	return rc;
}

int bench_output_history(struct fb_arena *arena, const struct bench_options *o, const struct bench_run *run,
			 struct fb_error *err)
{
	char stamp[32];
	time_t started = (time_t)run->started_s;
	struct tm tm;
	struct bench_run *runs;
	size_t n, n_bad;
	if (!*o->history)
		return 0;
	if (!gmtime_r(&started, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm))
		return fb_fail(err, EINVAL, "the clock shows no date");
	const char *file = fb_format(arena, "%s/bench-%s.json", o->history, stamp);
	int rc = bench_write_file(file, bench_run_to_json(arena, run), err);
	if (rc == 0)
		rc = prune(arena, o->history, err);
	if (rc == 0 && *o->html)
		rc = bench_history_load(arena, o->history, &runs, &n, &n_bad, err);
	if (rc == 0 && *o->html && n)
		rc = bench_write_file(o->html, bench_html(arena, runs, n, o->lang), err);
	return rc;
}
