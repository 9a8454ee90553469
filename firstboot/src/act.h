/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perform the changes of one plan, in order. */
#ifndef FB_ACT_H
#define FB_ACT_H

#include "engine.h"

int fb_act(struct fb_engine *engine, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts,
	   unsigned *ret_changes, struct fb_error *err);

#endif
