/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run one tool with a time limit: no shell, no input, a clean environment. */
#ifndef FB_SPAWN_H
#define FB_SPAWN_H

#include "base.h"

/*
 * Waits until argv[0] (an absolute path) has ended. ret_out (may be NULL) gets standard output, at most 1 MiB.
 * -ETIME: it was killed after timeout_ms. -ENOENT: no such tool. -EIO: it ended with an error; err quotes its last words.
 */
int fb_spawn(struct fb_arena *arena, const char *const *argv, unsigned timeout_ms, char **ret_out, struct fb_error *err);

#endif
