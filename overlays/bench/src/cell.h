/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes two rows comparable: the same cell of the matrix, measured over one path or another.
 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "result.h"

struct bench_cell {
	enum bench_protocol protocol;
	int family;
	enum bench_direction direction;
	unsigned streams;
	bool is_swapped;
};

struct bench_cell bench_cell_of(const struct bench_row *row);
int bench_cell_compare(const struct bench_cell *a,
		       const struct bench_cell *b); /* as qsort wants it */
bool bench_cell_has(const struct bench_cell *cell, const struct bench_row *row);

/* Every cell of the run once, sorted. */
const struct bench_cell *bench_cells(struct fb_arena *arena, const struct bench_run *run,
				     size_t *ret_n);

/* "IPv4 TCP send", with streams and swapped roles where they are not the plain case. English. */
const char *bench_cell_text(struct fb_arena *arena, const struct bench_cell *cell);

/* The trials that the row's method counts, both directions summed: its sample. Short and failed
 * ones are left out. */
size_t bench_row_sample(struct fb_arena *arena, const struct bench_row *row, double **ret_mbps);

#endif
