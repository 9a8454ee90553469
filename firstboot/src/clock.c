/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floor of the clock, its last known time, and the wait for a right one. */
#include "clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* When the image was made; its mtime is the floor that systemd itself knows, see systemd(1). Content: seconds since 1970. */
static const char epoch_path[] = "/usr/lib/clock-epoch";
static const char saved_path[] = "/var/lib/r4s/clock";

static const time_t latest = 4102444800;	/* 2100-01-01: what claims to be later is damaged */

enum {
	LOOK_AGAIN_MS = 15000,		/* a name that could not be looked up; chrony itself waits up to an hour */
	TOOL_LIMIT_MS = 10000,
	/* chrony asks a server up to 8 times when it goes online; NICT wants at most 20 queries an hour on average. */
	BURST_GAP_US = 600000000,
};

/* 0: absent, or no time. */
static int read_time(struct fb_fs *fs, struct fb_arena *arena, const char *path, time_t *ret_time, struct fb_error *err)
{
	char *text, *end;
	int rc = fb_fs_read(fs, arena, path, 64, &text, NULL, err);
	*ret_time = 0;
	if (rc == -ENOENT || rc == -EFBIG)
		return 0;
	if (rc < 0)
		return rc;
	long long value = strtoll(text, &end, 10);
	if (end != text && (!*end || *end == '\n') && value > 0 && value < latest)
		*ret_time = (time_t)value;
	return 0;
}

static const char *date_of(struct fb_arena *arena, time_t when)
{
	char text[32];
	struct tm tm;
	bool is_good = gmtime_r(&when, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	return is_good ? fb_strdup(arena, text) : "no date";
}

int fb_clock_floor(struct fb_fs *fs, struct fb_arena *arena, struct fb_clock *clock, const char **ret_text,
		   struct fb_error *err)
{
	time_t now, epoch, saved;
	bool is_synced;
	int rc = clock->read(clock, &now, &is_synced, err);
	if (rc == 0)
		rc = read_time(fs, arena, epoch_path, &epoch, err);
	if (rc == 0)
		rc = read_time(fs, arena, saved_path, &saved, err);
	if (rc < 0)
		return rc;
	time_t floor = saved > epoch ? saved : epoch;
	*ret_text = NULL;
	if (now >= floor)
		return 0;
	rc = clock->set(clock, floor, err);
	if (rc == 0)
		*ret_text = fb_format(arena, "the clock was at %s; set to %s, %s", date_of(arena, now), date_of(arena, floor),
				      saved > epoch ? "the last time that was kept" : "when the image was made");
	return rc;
}

int fb_clock_save(struct fb_fs *fs, struct fb_arena *arena, struct fb_clock *clock, struct fb_error *err)
{
	time_t now, saved;
	bool is_synced;
	int rc = clock->read(clock, &now, &is_synced, err);
	if (rc == 0)
		rc = read_time(fs, arena, saved_path, &saved, err);
	if (rc < 0)
		return rc;
	/* A time that was kept while a clock was far ahead must not stay; only a right clock can tell that it was. */
	if (is_synced ? now == saved : now <= saved)
		return 0;
	const char *text = fb_format(arena, "%lld\n", (long long)now);
	const struct fb_file file = { .path = saved_path, .text = text, .len = strlen(text), .mode = 0644 };
	return fb_fs_replace(fs, &file, 1, err);
}

/* The addresses of all ports with a cable, as one number (FNV-1a); 0: there is no network. */
static uint64_t network_of(const struct fb_facts *facts)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < facts->n_links; i++) {
		const struct fb_link *link = &facts->link[i];
		for (size_t a = 0; link->has_carrier && strcmp(link->name, "lo") && a < link->address.n; a++) {
			const char *texts[] = { link->name, link->address.item[a] };
			hash = hash ? hash : 14695981039346656037u;
			for (size_t t = 0; t < FB_ARRAY_LEN(texts); t++)
				for (const char *c = texts[t]; *c; c++)
					hash = (hash ^ (unsigned char)*c) * 1099511628211u;
		}
	}
	return hash;
}

static int chronyc(struct fb_env *env, struct fb_arena *arena, const char *command, struct fb_error *err)
{
	const char *const argv[] = { "/usr/bin/chronyc", command, NULL };
	return env->exec(env, arena, argv, TOOL_LIMIT_MS, NULL, err);
}

struct sync {
	bool has_looked;
	uint64_t network;		/* of the last look */
	uint64_t burst_us;		/* when the servers were asked anew, 0: never */
};

/* 1: the clock is right. 0: not yet. */
static int look(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct sync *sync, struct fb_error *err)
{
	struct fb_facts facts;
	struct fb_error ignored;	/* chronyd may not be there yet: the next look asks again */
	int rc = env->gather(env, fs, arena, &facts, err);
	if (rc < 0 || facts.is_clock_good)
		return rc < 0 ? rc : 1;
	uint64_t network = network_of(&facts), now_us = env->now_us(env);
	bool is_new = sync->has_looked && network && network != sync->network;	/* at first chrony is just asking */
	if (is_new && (!sync->burst_us || now_us - sync->burst_us > BURST_GAP_US)) {
		/* A server that was asked before there was a network is asked again only after a minute, NICT after nine. */
		(void)chronyc(env, arena, "offline", &ignored);
		sync->burst_us = now_us;
	}
	if (network)
		(void)chronyc(env, arena, "online", &ignored);	/* also looks up the names that are not known yet */
	sync->network = network;
	sync->has_looked = true;
	return 0;
}

int fb_clock_sync(struct fb_env *env, struct fb_fs *fs, struct fb_error *err)
{
	struct sync sync = { 0 };
	for (;;) {
		struct fb_arena *arena = fb_arena_new();	/* it may take months: nothing may pile up */
		int rc = look(env, fs, arena, &sync, err);
		fb_arena_free(arena);
		if (rc != 0)
			return rc < 0 ? rc : 0;
		env->wait(env, LOOK_AGAIN_MS);
	}
}
