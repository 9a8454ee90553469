/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run changes on the box (governor, fast path) and how it is put back whatever happens: the way back is written
 * down and synced before the change. A run that was killed leaves the file; the next start, or r4s-bench-restore.path,
 * reads it.
 */
#ifndef BENCH_UNDO_H
#define BENCH_UNDO_H

#include "path.h"

struct bench_undo {
	struct fb_arena *arena;
	struct fb_fs *fs;		/* where /sys is */
	const char *file;		/* absolute, on the real root */
};

/* Set every CPU policy's governor. -ENOENT: there is no cpufreq. -EINVAL: the kernel has no such governor. */
int bench_undo_governor(struct bench_undo *undo, const char *governor, struct fb_error *err);

/* Run off; on runs at bench_undo_restore, if it was not run before. */
int bench_undo_command(struct bench_undo *undo, const struct fb_strs *off, const struct fb_strs *on,
		       struct fb_error *err);

/* Run words now. */
int bench_undo_run(struct bench_undo *undo, const struct fb_strs *words, struct fb_error *err);

/* Put back what the file names, last change first, and remove it. Nothing to do is fine. */
int bench_undo_restore(struct bench_undo *undo, struct fb_error *err);

/* Governors that the first policy has; none without cpufreq. */
struct fb_strs bench_governors(struct fb_arena *arena, struct fb_fs *fs);

#endif
