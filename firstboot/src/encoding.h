/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a file is text that can be read at all. */
#ifndef FB_ENCODING_H
#define FB_ENCODING_H

#include "conf.h"

/* UTF-8 without control characters but tabs and line ends. False after a complaint. */
bool fb_encoding_check(struct fb_conf *conf);

#endif
