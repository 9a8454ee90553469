/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /etc/r4s/bench.conf and paths given in words. */
#include "path.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { CONF_MAX_BYTES = 64 << 10, PATHS_MAX = 64, DEFAULT_PORT = 5201 };

struct line {
	struct fb_arena *arena;
	struct bench_conf *conf;
	const char *where;		/* file:line */
	struct fb_strs word;
	struct fb_error *err;
};

/* Put a numeric address where its family belongs. */
static int take_address(struct fb_arena *arena, struct bench_path *path, const char *text, const char *where,
			struct fb_error *err)
{
	unsigned char bytes[16];
	int family = inet_pton(AF_INET, text, bytes) == 1 ? 4 : inet_pton(AF_INET6, text, bytes) == 1 ? 6 : 0;
	const char **slot = family == 4 ? &path->peer4 : &path->peer6;
	if (!family)
		return fb_fail(err, EINVAL, "%s: \"%s\" is no numeric IPv4 or IPv6 address (a name may lead to either)",
			       where, text);
	if (**slot)
		return fb_fail(err, EINVAL, "%s: a second IPv%d address: %s after %s", where, family, text, *slot);
	*slot = fb_strdup(arena, text);
	return 0;
}

static struct bench_path blank_path(const char *name, enum bench_kind kind)
{
	return (struct bench_path){
		.name = name, .kind = kind, .peer4 = "", .peer6 = "", .port = DEFAULT_PORT, .from = "", .remote = "",
		.dev = "", .link_mbps = NAN, .governor = "", .tunnel_peer = "", .handshake_age_s = NAN,
	};
}

static int find_kind(const char *name, const char *where, enum bench_kind *ret_kind, struct fb_error *err)
{
	int kind = bench_name_index(bench_kind_names, BENCH_N_KINDS, name);
	if (kind < 0)
		return fb_fail(err, EINVAL, "%s: unknown path \"%s\"; kinds of paths: direct routed fastpath-off tunnel",
			       where, name);
	*ret_kind = (enum bench_kind)kind;
	return 0;
}

static bool has_path(const struct bench_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->n_paths; i++)
		if (!strcmp(conf->path[i].name, name))
			return true;
	return false;
}

static int add_path(struct bench_conf *conf, const struct bench_path *path, double line_mbps, bool is_shaped,
		    const char *where, struct fb_error *err)
{
	if (has_path(conf, path->name))
		return fb_fail(err, EEXIST, "%s: path %s is there twice", where, path->name);
	if (!*path->peer4 && !*path->peer6)
		return fb_fail(err, EINVAL, "%s: path %s has no peer", where, path->name);
	if (conf->n_paths == PATHS_MAX)
		return fb_fail(err, E2BIG, "%s: more than %d paths", where, PATHS_MAX);
	conf->path[conf->n_paths] = *path;
	conf->line_mbps[conf->n_paths] = line_mbps;
	conf->is_shaped[conf->n_paths++] = is_shaped;
	return 0;
}

static int take_number(const char *text, double min, double max, const char *where, double *ret, struct fb_error *err)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= min && value <= max))
		return fb_fail(err, EINVAL, "%s: \"%s\" is no number from %g to %g", where, text, min, max);
	*ret = value;
	return 0;
}

static struct fb_strs split(struct fb_arena *arena, const char *text, char between)
{
	struct fb_strs parts = { 0 };
	for (const char *at = text;;) {
		const char *end = strchrnul(at, between);
		fb_strs_add(arena, &parts, fb_strndup(arena, at, (size_t)(end - at)));
		if (!*end)
			return parts;
		at = end + 1;
	}
}

/* path NAME KIND peer=ADDRESS... [port=N] [from=NAMESPACE] [line=MBPS] [shaper=MBPS] [remote=WORD,WORD] */
static int line_path(struct line *line)
{
	enum bench_kind kind = BENCH_DIRECT;
	double rate = NAN, port = DEFAULT_PORT;
	bool is_shaped = false;
	if (line->word.n < 4)
		return fb_fail(line->err, EINVAL, "%s: wanted: path NAME KIND peer=ADDRESS [port= from= line= shaper= remote=]",
			       line->where);
	int rc = find_kind(line->word.item[2], line->where, &kind, line->err);
	struct bench_path path = blank_path(line->word.item[1], kind);
	for (size_t i = 3; rc == 0 && i < line->word.n; i++) {
		const char *word = line->word.item[i], *value = strchr(word, '=');
		if (!value)
			rc = fb_fail(line->err, EINVAL, "%s: \"%s\" is not of the form KEY=VALUE", line->where, word);
		else if (fb_text_starts(word, "peer="))
			rc = take_address(line->arena, &path, value + 1, line->where, line->err);
		else if (fb_text_starts(word, "port="))
			rc = take_number(value + 1, 1, 65535, line->where, &port, line->err);
		else if (fb_text_starts(word, "from="))
			path.from = value + 1;
		else if (fb_text_starts(word, "remote="))
			path.remote = value + 1;
		else if ((is_shaped = fb_text_starts(word, "shaper=")) || fb_text_starts(word, "line="))
			rc = take_number(value + 1, 0.1, 400000, line->where, &rate, line->err);
		else
			rc = fb_fail(line->err, EINVAL, "%s: unknown key in \"%s\"", line->where, word);
	}
	path.port = (unsigned)port;
	return rc < 0 ? rc : add_path(line->conf, &path, rate, is_shaped, line->where, line->err);
}

static void take_rest(struct line *line, struct fb_strs *to)
{
	for (size_t i = 1; i < line->word.n; i++)
		fb_strs_add(line->arena, to, line->word.item[i]);
}

static int line_list(struct line *line, size_t offset)
{
	take_rest(line, (struct fb_strs *)(void *)((char *)line->conf + offset));
	return 0;
}

static int line_number(struct line *line, size_t offset)
{
	if (line->word.n != 2)
		return fb_fail(line->err, EINVAL, "%s: %s takes one number", line->where, line->word.item[0]);
	return take_number(line->word.item[1], 0, 1e9, line->where,
			   (double *)(void *)((char *)line->conf + offset), line->err);
}

static int line_seconds(struct line *line, size_t offset)
{
	double value;
	(void)offset;
	int rc = line->word.n != 2 ? fb_fail(line->err, EINVAL, "%s: %s takes one number", line->where, line->word.item[0])
		: take_number(line->word.item[1], 1, 3600, line->where, &value, line->err);
	if (rc == 0)
		line->conf->server_seconds = (unsigned)value;
	return rc;
}

static int line_path_at(struct line *line, size_t offset)
{
	(void)offset;
	return line_path(line);
}

static const struct {
	const char *key;
	int (*read)(struct line *line, size_t offset);
	size_t offset;
} keys[] = {
	{ "path", line_path_at, 0 },
	{ "listen", line_list, offsetof(struct bench_conf, listen) },
	{ "watch", line_list, offsetof(struct bench_conf, watch) },
	{ "fastpath-off", line_list, offsetof(struct bench_conf, fastpath_off) },
	{ "fastpath-on", line_list, offsetof(struct bench_conf, fastpath_on) },
	{ "busy-mbps", line_number, offsetof(struct bench_conf, busy_mbps) },
	{ "daily-mb", line_number, offsetof(struct bench_conf, daily_mb) },
	{ "server-mbps", line_number, offsetof(struct bench_conf, server_mbps) },
	{ "server-seconds", line_seconds, 0 },
};

static int read_line(struct line *line)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i].key, line->word.item[0]))
			return keys[i].read(line, keys[i].offset);
	return fb_fail(line->err, EINVAL, "%s: unknown key \"%s\"", line->where, line->word.item[0]);
}

int bench_conf_load(struct fb_arena *arena, const char *file, bool is_needed, struct bench_conf *ret_conf,
		    struct fb_error *err)
{
	struct bench_conf conf = { .busy_mbps = 2, .daily_mb = 4000, .server_mbps = 0, .server_seconds = 60 };
	struct fb_fs fs;
	char *text = NULL;
	int rc = fb_fs_open(&fs, "/", err);
	conf.path = fb_alloc(arena, PATHS_MAX * sizeof(*conf.path));
	conf.line_mbps = fb_alloc(arena, PATHS_MAX * sizeof(*conf.line_mbps));
	conf.is_shaped = fb_alloc(arena, PATHS_MAX * sizeof(*conf.is_shaped));
	if (rc == 0)
		rc = fb_fs_read(&fs, arena, bench_absolute(arena, file), CONF_MAX_BYTES, &text, NULL, err);
	fb_fs_close(&fs);
	if (rc == -ENOENT && is_needed)
		return fb_fail(err, ENOENT, "read %s: no such file", file);
	if (rc < 0 && rc != -ENOENT)
		return rc;
	rc = 0;
	const char *at = text ? text : "", *begin;
	size_t len;
	for (unsigned n = 1; rc == 0 && fb_text_next_line(&at, &begin, &len); n++) {
		struct line line = { arena, &conf, fb_format(arena, "%s:%u", file, n), { 0 }, err };
		const char *hash = memchr(begin, '#', len);
		const char *rest = fb_strndup(arena, begin, hash ? (size_t)(hash - begin) : len), *word;
		while ((word = fb_text_next_word(arena, &rest)))
			fb_strs_add(arena, &line.word, word);
		if (line.word.n)
			rc = read_line(&line);
	}
	if (rc == 0)
		*ret_conf = conf;
	return rc;
}

int bench_path_find(struct fb_arena *arena, struct bench_conf *conf, const char *word, struct fb_strs *ret_names,
		    struct fb_error *err)
{
	const char *equals = strchr(word, '=');
	if (!equals) {
		size_t before = ret_names->n;
		for (size_t i = 0; i < conf->n_paths; i++)
			if (!strcmp(conf->path[i].name, word) || !strcmp(bench_kind_names[conf->path[i].kind], word))
				fb_strs_add(arena, ret_names, conf->path[i].name);
		if (ret_names->n > before)
			return 0;
		return fb_fail(err, EINVAL, "unknown path \"%s\": neither in the configuration nor KIND=ADDRESS; kinds: direct routed fastpath-off tunnel", word);
	}
	struct fb_strs head = split(arena, fb_strndup(arena, word, (size_t)(equals - word)), ':');
	struct fb_strs tail = split(arena, equals + 1, '@');
	struct fb_strs peers = split(arena, tail.item[0], ',');
	enum bench_kind kind = BENCH_DIRECT;
	int rc = find_kind(head.item[0], word, &kind, err);
	if (rc < 0)
		return rc;
	struct bench_path path = blank_path(head.n > 1 ? head.item[1] : head.item[0], kind);
	path.from = tail.n > 1 ? tail.item[1] : "";
	for (size_t i = 0; rc == 0 && i < peers.n; i++)
		rc = take_address(arena, &path, peers.item[i], word, err);
	if (rc == 0)
		rc = add_path(conf, &path, NAN, false, word, err);
	if (rc == 0)
		fb_strs_add(arena, ret_names, path.name);
	return rc;
}
