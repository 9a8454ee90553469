/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows a run has, and in which order they are measured. */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include "measure.h"
#include "undo.h"

/*
 * Fill session->run with paths and rows: paths x cells x governors. names are paths of session->conf. Without --cells the
 * cells are TCP send and receive over IPv4 and IPv6, with is_matrix the eight of the NVR500's table.
 */
int bench_matrix_build(struct bench_session *session, const struct fb_strs *names, bool is_matrix, struct fb_error *err);

/*
 * Measure all rows. Rows of the same cell on several paths are interleaved trial by trial in shuffled order, so that what
 * changes with time hits all of them. keep is called after each cell: results so far are safe.
 */
void bench_matrix_run(struct bench_session *session, struct bench_undo *undo, void (*keep)(struct bench_session *session));

#endif
