/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The world outside the disk: facts about the running box, tools, units. Live, offline, or scripted by a test. */
#ifndef FB_ENV_H
#define FB_ENV_H

#include <time.h>

#include "config.h"
#include "fs.h"

enum fb_stage {
	FB_STAGE_ALL,		/* by hand: everything that is possible now */
	FB_STAGE_EARLY,		/* before any network or login: no bus, no waiting */
	FB_STAGE_ONLINE,
	FB_STAGE_HANDOFF,
};

enum fb_verb { FB_RELOAD, FB_RESTART, FB_START, FB_STOP };	/* RELOAD, RESTART: only if the unit is active */

struct fb_link {
	char name[16];			/* IFNAMSIZ */
	const char *id_path;		/* udev's ID_PATH, "" if udev says nothing */
	unsigned char mac[6];
	bool is_up;			/* IFF_UP */
	bool has_carrier;
	struct fb_strs address;		/* ADDRESS/PREFIX, IPv6 link-local left out */
};

struct fb_facts {
	enum fb_stage stage;
	bool is_live;			/* the root is the running system: links, procfs and tools are this box's */
	bool is_provisioned;		/* an earlier run got to its end */
	struct fb_strs once;		/* what was done on this box and is not done again */
	time_t now;
	bool is_clock_good;		/* set by an NTP client, or by the host of a container */
	struct fb_link *link;
	size_t n_links;
	unsigned char seed[64];		/* fresh randomness of this run; a plan uses it only for what is absent */
	bool has_seed;			/* false offline: an image must not carry what has to be unique */
	const char *box_tag;		/* 16 hex digits that belong to this machine-id alone; "" without one */
};

/* How fast a file comes from the network. At most max_bytes are taken. */
struct fb_url_probe {
	const char *url;
	size_t max_bytes;
	const char *why;		/* "": it came; else why not */
	long status;			/* HTTP status, 0: none */
	int64_t size_bytes;		/* as the server announces it; -1: it does not */
	uint64_t first_byte_us;		/* until the first byte, name look-up and handshakes included */
	uint64_t rate_bps;		/* bits a second */
};

struct fb_env {
	bool is_live;
	int (*gather)(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *ret_facts,
		      struct fb_error *err);
	/* Run argv[0] by its path, no shell; ret_out (may be NULL) gets its standard output. -ETIME: killed at the limit. */
	int (*exec)(struct fb_env *env, struct fb_arena *arena, const char *const *argv, unsigned timeout_ms,
		    char **ret_out, struct fb_error *err);
	int (*unit)(struct fb_env *env, const char *unit, enum fb_verb verb, struct fb_error *err);
	void (*notify)(struct fb_env *env, const char *status);		/* one line for systemd */
	/* priority as in syslog(3); step may be NULL. To the journal with fields, else to standard error. */
	void (*log)(struct fb_env *env, int priority, const char *stage, const char *step, const char *text);
	/* Fetch n files in parallel, within timeout_ms. Failures are told in the probe. NULL: there is no network to ask. */
	void (*probe_urls)(struct fb_env *env, struct fb_arena *arena, struct fb_url_probe *probe, size_t n, unsigned timeout_ms);
	/* Until something about links or addresses changes, at most timeout_ms. */
	void (*wait)(struct fb_env *env, unsigned timeout_ms);
	uint64_t (*now_us)(struct fb_env *env);				/* monotonic */
};

/* The live box's probe_urls. */
void fb_env_probe_urls(struct fb_env *env, struct fb_arena *arena, struct fb_url_probe *probe, size_t n, unsigned timeout_ms);

extern struct fb_env fb_env_live;
extern struct fb_env fb_env_offline;

const char *fb_stage_name(enum fb_stage stage);
const char *fb_verb_name(enum fb_verb verb);

#endif
