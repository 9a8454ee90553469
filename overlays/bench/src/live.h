/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person sees while a run is at work: a line a row, and what is being done now. */
#ifndef BENCH_LIVE_H
#define BENCH_LIVE_H

#include "measure.h"

void bench_live_head(const struct bench_session *session);
void bench_live_progress(struct bench_session *session, const struct bench_row *row, double trial_elapsed_s);
void bench_live_rows(const struct bench_session *session, size_t *done);	/* rows from *done on that have ended */

#endif
