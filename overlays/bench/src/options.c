/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one row an option. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum type { FLAG, TEXT, WORDS, WHOLE, NUMBER, METHOD, LANG };

struct option {
	const char *name;
	enum type type;
	size_t offset;
	double min, max;
	const char *argument, *doc;
};

#define AT(field) offsetof(struct bench_options, field)
static const struct option options[] = {
	{ "--method", METHOD, AT(method), 0, 0, "NAME", "best-of-5, trimmed-mean-of-7 (default), mean, until-confident[:PERCENT]" },
	{ "--time", WHOLE, AT(seconds), 1, BENCH_SECONDS_MAX, "SECONDS", "length of a trial (default 10)" },
	{ "--cells", TEXT, AT(cells), 0, 0, "LIST", "of the matrix, with * and ?: tcp4-send,udp6-*,*-both" },
	{ "--streams", WHOLE, AT(streams), 1, BENCH_STREAMS_MAX, "N", "parallel streams (default 1)" },
	{ "--loss", NUMBER, AT(loss_percent), 0, 50, "PERCENT", "UDP: greatest loss that counts as carried (default 10)" },
	{ "--swap", FLAG, AT(is_swapped), 0, 0, NULL, "exchange roles: the peer is client, we are server" },
	{ "--peer", WORDS, AT(peer), 0, 0, "ADDRESS", "for a kind of path as word: its peer; once more for the other family" },
	{ "--port", WHOLE, AT(port), 1, 65535, "N", "port of the peers given by --peer, or of our server (default 5201)" },
	{ "--congestion", TEXT, AT(congestion), 0, 0, "NAME", "TCP congestion control (default: the system's; it is recorded)" },
	{ "--governor", WORDS, AT(governor), 0, 0, "NAME", "measure under this CPU governor, once for each; put back afterwards" },
	{ "--seed", WHOLE, AT(seed), 0, 1e9, "N", "of the shuffling, to have the same order again" },
	{ "--no-latency", FLAG, AT(has_no_latency), 0, 0, NULL, "send no echo requests beside the load" },
	{ "--scheduled", FLAG, AT(is_scheduled), 0, 0, NULL, "stay out of users' way: skip, cut, count the day's bytes" },
	{ "--json", TEXT, AT(json), 0, 0, "FILE", "results for programs; also what compare and report read" },
	{ "--csv", TEXT, AT(csv), 0, 0, "FILE", "a line a result" },
	{ "--prom", TEXT, AT(prom), 0, 0, "FILE", "Prometheus textfile" },
	{ "--html", TEXT, AT(html), 0, 0, "FILE", "report to look at" },
	{ "--lang", LANG, AT(lang), 0, 0, "en|ja", "language of the report" },
	{ "--history", TEXT, AT(history), 0, 0, "DIR", "keep a dated copy of every run there; the report shows them" },
	{ "--conf", TEXT, AT(conf), 0, 0, "FILE", "paths and limits (default /etc/r4s/bench.conf)" },
	{ "--root", TEXT, AT(root), 0, 0, "DIR", "where /proc and /sys are" },
	{ "--state", TEXT, AT(state), 0, 0, "DIR", "default /var/lib/r4s/bench" },
	{ "--runtime", TEXT, AT(runtime), 0, 0, "DIR", "default /run/r4s-bench" },
	{ "--quiet", FLAG, AT(is_quiet), 0, 0, NULL, "no progress" },
	{ "--base", TEXT, AT(base), 0, 0, "PATH", "compare with one file: the other paths against this one" },
	{ "--least", NUMBER, AT(least_percent), 0, 100, "PERCENT", "compare: a smaller difference does not matter (default 2)" },
	{ "--listen", WORDS, AT(listen), 0, 0, "DEV|ADDRESS", "server: where; once for each" },
	{ "--max-mbps", NUMBER, AT(max_mbps), 0, 400000, "N", "server: what one client may use; 0: no limit" },
	{ "--max-time", WHOLE, AT(max_seconds), 1, BENCH_SECONDS_MAX, "SECONDS", "server: how long one client may measure" },
};

static int take_number(const struct option *option, const char *text, double *ret, struct fb_error *err)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= option->min && value <= option->max))
		return fb_fail(err, EINVAL, "%s %s: wanted a number from %g to %g", option->name, text, option->min,
			       option->max);
	if (option->type == WHOLE && value != floor(value))
		return fb_fail(err, EINVAL, "%s %s: wanted a whole number", option->name, text);
	*ret = value;
	return 0;
}

static int take_lang(const char *text, enum bench_lang *ret, struct fb_error *err)
{
	for (unsigned i = 0; i < BENCH_N_LANGS; i++) {
		if (!strcmp(bench_lang_names[i], text)) {
			*ret = (enum bench_lang)i;
			return 0;
		}
	}
	return fb_fail(err, EINVAL, "--lang %s: wanted en or ja", text);
}

static int take_value(struct fb_arena *arena, const struct option *option, const char *text, struct bench_options *out,
		      struct fb_error *err)
{
	void *at = (char *)out + option->offset;
	double value = 0;
	int rc;
	switch (option->type) {
	case WHOLE:
	case NUMBER:
		rc = take_number(option, text, &value, err);
		if (rc == 0 && option->type == WHOLE)
			*(unsigned *)at = (unsigned)value;
		else if (rc == 0)
			*(double *)at = value;
		return rc;
	case METHOD:
		return bench_method_parse(arena, text, at, err);
	case LANG:
		return take_lang(text, at, err);
	case WORDS:
		fb_strs_add(arena, at, text);
		return 0;
	case TEXT:
		if (!*text)
			return fb_fail(err, EINVAL, "%s: the value is empty", option->name);
		*(const char **)at = text;
		return 0;
	case FLAG:
		break;
	}
	*(bool *)at = true;
	return 0;
}

static const struct option *find(const char *word, size_t len)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(options); i++)
		if (strlen(options[i].name) == len && !strncmp(options[i].name, word, len))
			return &options[i];
	return NULL;
}

int bench_options_parse(struct fb_arena *arena, int argc, char **argv, struct bench_options *ret_options,
			struct fb_error *err)
{
	struct bench_options out = {
		.conf = "/etc/r4s/bench.conf", .root = "/", .state = "/var/lib/r4s/bench", .runtime = "/run/r4s-bench",
		.cells = "", .loss_percent = 10, .streams = 1, .seconds = 10, .port = 5201, .congestion = "",
		.json = "", .csv = "", .prom = "", .html = "", .history = "", .base = "", .least_percent = 2, .max_mbps = -1,
	};
	int rc = bench_method_parse(arena, "trimmed-mean-of-7", &out.method, err);
	for (int i = 1; rc == 0 && i < argc; i++) {
		if (strncmp(argv[i], "--", 2) || !strcmp(argv[i], "--help") || !strcmp(argv[i], "--version")) {
			fb_strs_add(arena, &out.word, argv[i]);
			continue;
		}
		const char *equals = strchr(argv[i], '=');
		const struct option *option = find(argv[i], equals ? (size_t)(equals - argv[i]) : strlen(argv[i]));
		if (!option)
			rc = fb_fail(err, EINVAL, "unknown option %s", argv[i]);
		else if (option->type == FLAG)
			rc = equals ? fb_fail(err, EINVAL, "%s takes no value", option->name)
				    : take_value(arena, option, "", &out, err);
		else if (!equals && i + 1 == argc)
			rc = fb_fail(err, EINVAL, "%s wants a value: %s", option->name, option->argument);
		else
			rc = take_value(arena, option, equals ? equals + 1 : argv[++i], &out, err);
		out.has_conf |= option && !strcmp(option->name, "--conf");
	}
	if (rc == 0)
		*ret_options = out;
	return rc;
}

const char *bench_options_help(struct fb_arena *arena)
{
	struct fb_buf buf = { .arena = arena };
	for (size_t i = 0; i < FB_ARRAY_LEN(options); i++) {
		const char *head = fb_format(arena, "%s%s%s", options[i].name, options[i].argument ? " " : "",
					     options[i].argument ? options[i].argument : "");
		fb_buf_add(&buf, "  %-24s %s\n", head, options[i].doc);
	}
	return fb_buf_text(&buf);
}
