/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "lang.h"
#include "method.h"

enum { BENCH_STREAMS_MAX = 128, BENCH_SECONDS_MAX = 3600 };

struct bench_options {
	struct fb_strs word;		/* what is no option: verb first */
	const char *conf, *root, *state, *runtime;
	bool has_conf;			/* --conf was given: the file must be there */
	struct fb_strs peer;		/* --peer */
	const char *cells;		/* patterns, comma between: "tcp4-*,udp6-send" */
	struct bench_method method;
	struct fb_strs governor;
	double loss_percent;
	unsigned streams, seconds, seed;
	unsigned port;
	const char *congestion;
	const char *base;		/* compare: the path that the others are held against */
	double least_percent;		/* compare: a smaller difference does not matter */
	const char *json, *csv, *prom, *html, *history;
	enum bench_lang lang;
	bool is_swapped, is_scheduled, is_quiet, has_no_latency;
	struct fb_strs listen;		/* server */
	double max_mbps;		/* server: of one client; 0: no limit; negative: not given */
	unsigned max_seconds;		/* server: 0: not given */
};

/* -EINVAL with a message for the person. "--help" and "--version" come back as words. */
int bench_options_parse(struct fb_arena *arena, int argc, char **argv, struct bench_options *ret_options,
			struct fb_error *err);

/* The list of options, one a line. */
const char *bench_options_help(struct fb_arena *arena);

#endif
