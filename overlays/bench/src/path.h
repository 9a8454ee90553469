/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths: how they are named, and what the system knows about each. */
#ifndef BENCH_PATH_H
#define BENCH_PATH_H

#include "result.h"

/* /etc/r4s/bench.conf: one line a fact, '#' starts a comment; all values are plain words. */
struct bench_conf {
	struct bench_path *path;	size_t n_paths;
	double *line_mbps;		/* of each path: the shaped or bought rate below it, NAN: the port's speed */
	bool *is_shaped;		/* of each path: line_mbps is that of a Linux shaper */
	struct fb_strs listen;		/* devices or addresses that the server listens on */
	struct fb_strs watch;		/* devices whose traffic is the users' */
	struct fb_strs fastpath_off, fastpath_on;	/* words that turn the fast path off and on */
	double busy_mbps;		/* more than this on watch: users are at work */
	double daily_mb;		/* what scheduled runs may send in a day, in 10^6 bytes; 0: no limit */
	double server_mbps;		/* what one client of the server may use; 0: no limit */
	unsigned server_seconds;	/* and for how long */
};

/* The defaults alone if file does not exist and is_needed is false. */
int bench_conf_load(struct fb_arena *arena, const char *file, bool is_needed, struct bench_conf *ret_conf,
		    struct fb_error *err);

/*
 * A path in words: KIND[:NAME]=ADDRESS[,ADDRESS][@NAMESPACE], an address of each family at most, or the name of a path
 * or a kind in conf. Appends to conf what is new, and to ret_names the names that are meant.
 */
int bench_path_find(struct fb_arena *arena, struct bench_conf *conf, const char *word, struct fb_strs *ret_names,
		    struct fb_error *err);

/* Ask the system: device, MTU, WireGuard, speed of the port, governor. What it does not know stays empty. */
void bench_path_look(struct fb_arena *arena, struct fb_fs *fs, struct bench_path *path, int family);

/* Our address as the peer sees it, "" if there is no route. */
const char *bench_path_own_address(struct fb_arena *arena, const struct bench_path *path, int family);

/* False if the path's device has lost its carrier or is gone. */
bool bench_path_is_up(const struct bench_path *path);

#endif
