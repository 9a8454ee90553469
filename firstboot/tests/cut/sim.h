/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A box in a directory: kernel, udev and ssh-keygen as far as the steps use them, and a power switch. */
#ifndef FB_CUT_SIM_H
#define FB_CUT_SIM_H

#include "env.h"

enum { SIM_CUT = 42 };		/* exit code of a process whose power was cut */

struct sim {
	struct fb_env env;		/* first: the callbacks get a pointer to it */
	const char *root, *keys;	/* the box; a directory with one real host key of each type */
	struct fb_link link[2];
	unsigned char burnt_in[2][6];
	unsigned n, cut;		/* mutations so far; the power fails before number cut, 0: never */
	char first[256];		/* which one the first was */
	uint64_t us;
	char calls[8192];		/* "reload ssh.service\n" for each request to systemd */
	int calls_fd;			/* -1, or where they go as well: it outlives a cut */
};

void sim_start(struct sim *sim, const char *root, const char *keys);
void sim_power_on(struct sim *sim);
void sim_before(struct fb_fs *fs, const char *what, const char *path);	/* for fb_fs.before; acts on the sim started last */

#endif
