/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of apply: which config, which stage, how it ends. */
#ifndef FB_RUN_H
#define FB_RUN_H

#include "engine.h"

enum fb_exit {
	FB_EXIT_OK = 0, FB_EXIT_DEGRADED = 2, FB_EXIT_USAGE = 64, FB_EXIT_BUG = 70, FB_EXIT_OS = 71, FB_EXIT_IO = 74,
	FB_EXIT_RETRY = 75, FB_EXIT_PERMISSION = 77, FB_EXIT_CONFIG = 78,
};

enum fb_exit fb_run_apply(struct fb_engine *engine, const struct fb_conf *refused);
enum fb_exit fb_exit_of(int rc);

#endif
