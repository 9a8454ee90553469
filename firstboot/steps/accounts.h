/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring half of the accounts step. */
#ifndef FB_ACCOUNTS_H
#define FB_ACCOUNTS_H

#include "step.h"

void fb_accounts_probe(struct fb_report *report, const struct fb_conf *conf);

#endif
