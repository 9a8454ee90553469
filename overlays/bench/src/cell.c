/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes two rows comparable. */
#include "cell.h"

#include <math.h>
#include <stdlib.h>

struct bench_cell bench_cell_of(const struct bench_row *row)
{
	return (struct bench_cell){ row->protocol, row->family, row->direction, row->streams,
				    row->is_swapped };
}

int bench_cell_compare(const struct bench_cell *a, const struct bench_cell *b)
{
	const int order[] = {
		(int)a->protocol - (int)b->protocol,   a->family - b->family,
		(int)a->streams - (int)b->streams,     a->is_swapped - b->is_swapped,
		(int)a->direction - (int)b->direction,
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(order); i++)
		if (order[i])
			return order[i];
	return 0;
}

bool bench_cell_has(const struct bench_cell *cell, const struct bench_row *row)
{
	struct bench_cell own = bench_cell_of(row);
	return !bench_cell_compare(cell, &own);
}

static int by_cell(const void *a, const void *b)
{
	return bench_cell_compare(a, b);
}

const struct bench_cell *bench_cells(struct fb_arena *arena, const struct bench_run *run,
				     size_t *ret_n)
{
	struct bench_cell *cell = fb_alloc(arena, (run->n_rows + 1) * sizeof(*cell));
	size_t n = 0;
	for (size_t i = 0; i < run->n_rows; i++)
		cell[i] = bench_cell_of(&run->row[i]);
	qsort(cell, run->n_rows, sizeof(*cell), by_cell);
	for (size_t i = 0; i < run->n_rows; i++)
		if (!n || bench_cell_compare(&cell[n - 1], &cell[i]))
			cell[n++] = cell[i];
	*ret_n = n;
	return cell;
}

const char *bench_cell_text(struct fb_arena *arena, const struct bench_cell *cell)
{
	struct fb_buf buf = { .arena = arena };
	fb_buf_add(&buf, "IPv%d %s %s", cell->family, cell->protocol == BENCH_UDP ? "UDP" : "TCP",
		   bench_direction_names[cell->direction]);
	if (cell->streams > 1)
		fb_buf_add(&buf, " x%u", cell->streams);
	if (cell->is_swapped)
		fb_buf_add(&buf, " swapped");
	return fb_buf_text(&buf);
}

size_t bench_row_sample(struct fb_arena *arena, const struct bench_row *row, double **ret_mbps)
{
	double *mbps = fb_alloc(arena, (row->n_trials + 1) * sizeof(*mbps));
	size_t n = 0;
	for (size_t i = 0; i < row->n_trials; i++) {
		const struct bench_trial *trial = &row->trial[i];
		if (trial->status != BENCH_OK || trial->is_short || isnan(trial->mbps))
			continue;
		bool has_back = row->direction == BENCH_BOTH && !isnan(trial->back_mbps);
		mbps[n++] = trial->mbps + (has_back ? trial->back_mbps : 0);
	}
	*ret_mbps = mbps;
	return n;
}
