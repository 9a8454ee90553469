/* SPDX-License-Identifier: GPL-2.0-or-later */
/* r4s-bench: measures the box's paths, serves others' measurements, compares and shows results. */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "options.h"
#include "run.h"

static const struct {
	const char *name, *words, *doc;
	int (*run)(struct fb_arena *arena, const struct bench_options *options);
	size_t least, most;		/* words after the verb */
} verbs[] = {
	{ "run", "PATH...|matrix [PATH...]", "measure paths: KIND[:NAME]=ADDRESS[,ADDRESS][@NETNS] or names of the configuration",
	  bench_verb_run, 1, 64 },
	{ "server", "", "serve stock iperf3 clients, with limits", bench_verb_server, 0, 0 },
	{ "compare", "A.json B.json | A.json", "which differences are real; with one file, its paths against --base PATH",
	  bench_verb_compare, 1, 2 },
	{ "report", "RESULT.json...", "make an HTML report of results: --html FILE, else on standard output",
	  bench_verb_report, 1, 256 },
	{ "restore", "", "put back what a killed run has changed (governor, fast path)", bench_verb_restore, 0, 0 },
};

static int help(struct fb_arena *arena, FILE *to)
{
	fprintf(to, "usage: r4s-bench [OPTION...] VERB\n");
	for (size_t i = 0; i < FB_ARRAY_LEN(verbs); i++)
		fprintf(to, "  %-8s %-26s %s\n", verbs[i].name, verbs[i].words, verbs[i].doc);
	fprintf(to, "kinds of paths: direct routed fastpath-off tunnel\noptions:\n%s", bench_options_help(arena));
	return to == stdout ? 0 : EX_USAGE;
}

static int run(struct fb_arena *arena, int argc, char **argv)
{
	struct bench_options options;
	struct fb_error err;
	if (bench_options_parse(arena, argc, argv, &options, &err) < 0) {
		fprintf(stderr, "r4s-bench: %s\n", err.text);
		return EX_USAGE;
	}
	if (fb_strs_has(&options.word, "--help"))
		return help(arena, stdout);
	if (fb_strs_has(&options.word, "--version")) {
		puts("r4s-bench 1");
		return 0;
	}
	if (!options.word.n)
		return help(arena, stderr);
	for (size_t i = 0; i < FB_ARRAY_LEN(verbs); i++) {
		if (strcmp(verbs[i].name, options.word.item[0]))
			continue;
		size_t n = options.word.n - 1;
		if (n >= verbs[i].least && n <= verbs[i].most)
			return verbs[i].run(arena, &options);
		fprintf(stderr, "r4s-bench: wanted: r4s-bench %s %s\n", verbs[i].name, verbs[i].words);
		return EX_USAGE;
	}
	fprintf(stderr, "r4s-bench: unknown verb \"%s\"; r4s-bench --help lists them\n", options.word.item[0]);
	return EX_USAGE;
}

int main(int argc, char **argv)
{
	struct fb_arena *arena = fb_arena_new();
	int code = run(arena, argc, argv);
	fb_arena_free(arena);
	return code;
}
