/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ask systemd for a unit over D-Bus. */
#ifndef FB_BUS_H
#define FB_BUS_H

#include "env.h"

/*
 * FB_RELOAD and FB_RESTART touch only an active unit and wait, bounded, until its job has ended. FB_START and FB_STOP
 * are queued and not waited for: at boot their turn may come only after ours. A unit that is not installed is no error.
 */
int fb_bus_unit(const char *unit, enum fb_verb verb, struct fb_error *err);

#endif
