/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs that only read results: compare and report. */
#include <errno.h>
#include <stdio.h>
#include <sysexits.h>

#include "compare.h"
#include "html.h"
#include "run.h"

static int complain(int code, const struct fb_error *err)
{
	fprintf(stderr, "r4s-bench: %s\n", err->text);
	return code;
}

static int exit_of(int rc)
{
	return rc == -EINVAL ? EX_DATAERR : rc == -ENOENT ? EX_NOINPUT : EX_IOERR;
}

static int load(struct fb_arena *arena, const struct bench_options *o, struct bench_run *run, size_t n)
{
	struct fb_error err;
	for (size_t i = 0; i < n; i++) {
		int rc = bench_run_load(arena, o->word.item[i + 1], &run[i], &err);
		if (rc < 0)
			return complain(exit_of(rc), &err);
	}
	return 0;
}

int bench_verb_report(struct fb_arena *arena, const struct bench_options *o)
{
	size_t n = o->word.n - 1;
	struct bench_run *run = fb_alloc(arena, n * sizeof(*run));
	struct fb_error err;
	int code = load(arena, o, run, n);
	if (code)
		return code;
	const char *page = bench_html(arena, run, n, o->lang);
	if (!*o->html)
		return fputs(page, stdout) < 0 ? EX_IOERR : 0;
	return bench_write_file(o->html, page, &err) < 0 ? complain(EX_IOERR, &err) : 0;
}

int bench_verb_compare(struct fb_arena *arena, const struct bench_options *o)
{
	struct bench_run run[2] = { 0 };
	struct bench_difference *difference = NULL;
	size_t n = o->word.n - 1, n_found;
	int code = load(arena, o, run, n);
	if (code)
		return code;
	if (n == 1 && !*o->base) {
		fprintf(stderr, "r4s-bench: compare: wanted two files, or one file and --base PATH\n");
		return EX_USAGE;
	}
	if (n == 2)
		n_found = bench_compare_runs(arena, &run[0], &run[1], o->least_percent, &difference);
	else
		n_found = bench_compare_paths(arena, &run[0], o->base, o->least_percent, &difference);
	if (!n_found) {
		fprintf(stderr, "r4s-bench: compare: %s\n",
			n == 2 ? "the files have no row" : "the file has no such path, or no other");
		return EX_DATAERR;
	}
	const char *text = bench_compare_text(arena, o->word.item[1], &run[0], n == 2 ? o->word.item[2] : NULL,
					      n == 2 ? &run[1] : NULL, difference, n_found, o->least_percent);
	return fputs(text, stdout) < 0 ? EX_IOERR : 0;
}
