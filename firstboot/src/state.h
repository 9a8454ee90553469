/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept for people and for follow-ups. Nothing is decided by it that the disk can tell: deleting it only makes the
 * box look at everything once more. /var/lib/r4s/state.json lasts; /run/r4s/run.json tells about this boot.
 */
#ifndef FB_STATE_H
#define FB_STATE_H

#include "plan.h"

#define FB_STATE_DIR "/var/lib/r4s"
#define FB_RUN_DIR "/run/r4s"

enum fb_result { FB_RES_NEW, FB_RES_RUNNING, FB_RES_READY, FB_RES_DEGRADED, FB_RES_FAILED, FB_RES_REFUSED };

struct fb_state {
	bool is_provisioned;
	bool is_applied;		/* the held provision.conf was carried out to the end: later boots do not force it again */
	enum fb_result result;
	const char *error;		/* "" if none */
	struct fb_strs notes;		/* what could not be had */
	struct fb_strs once;		/* what is not done again, such as the first full upgrade */
	struct fb_follow *follow;	/* not carried out yet */
	size_t n_follow;
};

struct fb_step_time {
	const char *step, *stage;
	uint64_t us;
	unsigned changes;
	const char *error;		/* NULL: fine */
};

struct fb_run {
	enum fb_stage stage;
	const char *step;		/* at work now, "" between */
	enum fb_result result;
	struct fb_step_time *time;
	size_t n_times;
};

const char *fb_result_name(enum fb_result result);

/* Absent or unreadable gives an empty state: it is rebuilt. */
void fb_state_load(struct fb_fs *fs, struct fb_arena *arena, struct fb_state *ret_state);
/* Writes only what differs from the disk. */
int fb_state_save(struct fb_fs *fs, struct fb_arena *arena, const struct fb_state *state, struct fb_error *err);
void fb_state_follow(struct fb_arena *arena, struct fb_state *state, const struct fb_follow *follow, size_t n);

void fb_run_load(struct fb_fs *fs, struct fb_arena *arena, struct fb_run *ret_run);
int fb_run_save(struct fb_fs *fs, struct fb_arena *arena, const struct fb_run *run, struct fb_error *err);
bool fb_run_is_final(const struct fb_run *run);		/* the handoff of this boot has said how it went */
void fb_run_time(struct fb_arena *arena, struct fb_run *run, const struct fb_step_time *time);

/* Replace a text file unless it says the same already. */
int fb_save_text(struct fb_fs *fs, struct fb_arena *arena, const char *path, const char *text, struct fb_error *err);

#endif
