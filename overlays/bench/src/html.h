/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTML report: one file that needs nothing else. */
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include "lang.h"
#include "result.h"

/*
 * The page. The newest of the n runs is shown in full, all of them together as history; n is at
 * least 1, the order does not matter.
 */
const char *bench_html(struct fb_arena *arena, const struct bench_run *run, size_t n,
		       enum bench_lang lang);

#endif
