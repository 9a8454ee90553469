/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows a run has, and in which order they are measured. */
#include "matrix.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

struct cell {
	enum bench_protocol protocol;
	int family;
	enum bench_direction direction;
};

enum { CELLS_MAX = 12 };

/* TCP first: UDP's search takes its seed from there. */
static size_t all_cells(struct cell *cells)
{
	size_t n = 0;
	for (int protocol = BENCH_TCP; protocol < BENCH_N_PROTOCOLS; protocol++)
		for (int family = 4; family <= 6; family += 2)
			for (int direction = BENCH_SEND; direction < BENCH_N_DIRECTIONS; direction++)
				cells[n++] = (struct cell){ (enum bench_protocol)protocol, family,
							    (enum bench_direction)direction };
	return n;
}

static bool is_named(struct fb_arena *arena, const struct cell *cell, const char *patterns, bool *used)
{
	const char *name = fb_format(arena, "%s%d-%s", bench_protocol_names[cell->protocol], cell->family,
				     bench_direction_names[cell->direction]);
	bool is_hit = false;
	size_t i = 0;
	for (const char *at = patterns; ; i++) {
		const char *end = strchrnul(at, ',');
		if (fnmatch(fb_strndup(arena, at, (size_t)(end - at)), name, 0) == 0)
			is_hit = used[i] = true;
		if (!*end)
			return is_hit;
		at = end + 1;
	}
}

static int choose_cells(struct bench_session *s, bool is_matrix, struct cell *cells, size_t *ret_n, struct fb_error *err)
{
	const char *patterns = s->options->cells;
	struct cell all[CELLS_MAX];
	bool used[64] = { false };
	size_t n_all = all_cells(all), n = 0, n_patterns = 1;
	if (!*patterns)
		patterns = is_matrix ? "*-send,*-receive" : "tcp*-send,tcp*-receive";
	for (const char *c = patterns; *c; c++)
		n_patterns += *c == ',';
	if (n_patterns > FB_ARRAY_LEN(used))
		return fb_fail(err, EINVAL, "--cells: more than %zu patterns", FB_ARRAY_LEN(used));
	for (size_t i = 0; i < n_all; i++)
		if (is_named(s->arena, &all[i], patterns, used))
			cells[n++] = all[i];
	for (size_t i = 0; i < n_patterns; i++)
		if (!used[i])
			return fb_fail(err, EINVAL, "--cells %s: pattern %zu names no cell; cells are {tcp,udp}{4,6}-{send,receive,both}", patterns, i + 1);
	*ret_n = n;
	return 0;
}

static struct bench_row blank_row(const struct bench_session *s, const struct bench_path *path, const struct cell *cell,
				  const char *governor)
{
	return (struct bench_row){
		.path = path->name, .kind = path->kind, .family = cell->family, .protocol = cell->protocol,
		.direction = cell->direction, .streams = s->options->streams, .is_swapped = s->options->is_swapped,
		.method = s->options->method.name, .governor = governor, .congestion = "",
		.status = BENCH_SKIPPED, .reason = "not measured yet", .started_s = NAN, .took_s = NAN,
		.mbps = NAN, .min_mbps = NAN, .max_mbps = NAN, .ci95_mbps = NAN, .back_mbps = NAN,
		.ceiling_mbps = NAN, .percent_of_ceiling = NAN, .ceiling_formula = "",
	};
}

int bench_matrix_build(struct bench_session *s, const struct fb_strs *names, bool is_matrix, struct fb_error *err)
{
	static const char *const as_it_is[] = { "" };
	struct cell cells[CELLS_MAX];
	size_t n_cells = 0;
	int rc = choose_cells(s, is_matrix, cells, &n_cells, err);
	if (rc < 0)
		return rc;
	const struct fb_strs *governors = &s->options->governor;
	size_t n_governors = governors->n ? governors->n : 1;
	size_t *index = fb_alloc(s->arena, names->n * sizeof(*index));
	s->run.path = fb_alloc(s->arena, names->n * sizeof(*s->run.path));
	s->run.row = fb_alloc(s->arena, names->n * n_cells * n_governors * sizeof(*s->run.row));
	for (size_t i = 0; i < names->n; i++) {
		while (strcmp(s->conf.path[index[i]].name, names->item[i]))
			index[i]++;
		s->run.path[i] = s->conf.path[index[i]];
	}
	s->run.n_paths = names->n;
	s->path_of_conf = index;
	for (size_t g = 0; g < n_governors; g++)
		for (size_t c = 0; c < n_cells; c++)
			for (size_t p = 0; p < names->n; p++)
				s->run.row[s->run.n_rows++] = blank_row(s, &s->run.path[p], &cells[c],
									governors->n ? governors->item[g] : as_it_is[0]);
	return 0;
}

static void shuffle(size_t *order, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)rand() % i, t = order[i - 1];
		order[i - 1] = order[j];
		order[j] = t;
	}
}

/* A row of a path without the fast path: it is off for this row's trial only, the rows between have it. */
static bool fastpath(struct bench_measure *m, struct bench_undo *undo, bool is_off)
{
	struct bench_session *s = m->session;
	struct fb_error err;
	if (m->row->kind != BENCH_FASTPATH_OFF || m->is_over)
		return true;
	int rc = is_off ? bench_undo_command(undo, &s->conf.fastpath_off, &s->conf.fastpath_on, &err)
			: bench_undo_run(undo, &s->conf.fastpath_on, &err);
	if (rc == 0)
		return true;
	bench_row_fail(m->row, BENCH_FAILED, fb_strdup(s->arena, err.text));
	m->is_over = true;
	return false;
}

/* The rows of one cell: all begin and search, then trial by trial in turn, then all end. */
static void run_group(struct bench_session *s, struct bench_undo *undo, struct bench_row *row, size_t n)
{
	struct bench_measure *m = fb_alloc(s->arena, n * sizeof(*m));
	size_t *order = fb_alloc(s->arena, n * sizeof(*order));
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
		m[i] = (struct bench_measure){
			.session = s, .row = &row[i], .path = &s->run.path[i], .path_index = s->path_of_conf[i],
		};
	}
	shuffle(order, n);
	for (size_t i = 0; i < n; i++) {
		struct bench_measure *one = &m[order[i]];
		one->row->status = BENCH_OK;
		one->row->reason = "";
		bench_measure_begin(one);
		if (one->row->protocol == BENCH_UDP && fastpath(one, undo, true)) {
			bench_measure_search(one);
			(void)fastpath(one, undo, false);
		}
	}
	for (bool is_more = true; is_more;) {
		is_more = false;
		shuffle(order, n);
		for (size_t i = 0; i < n; i++) {
			struct bench_measure *one = &m[order[i]];
			if (one->is_over || !fastpath(one, undo, true))
				continue;
			is_more |= bench_measure_trial(one);
			if (one->row->kind == BENCH_FASTPATH_OFF) {
				bool was_over = one->is_over;
				one->is_over = false;
				(void)fastpath(one, undo, false);
				one->is_over |= was_over;
			}
		}
	}
	for (size_t i = 0; i < n; i++)
		bench_measure_end(&m[i]);
}

void bench_matrix_run(struct bench_session *s, struct bench_undo *undo, void (*keep)(struct bench_session *session))
{
	size_t n_paths = s->run.n_paths;
	const char *governor = "";
	srand(s->options->seed);
	for (size_t i = 0; i < s->run.n_rows; i += n_paths) {
		struct bench_row *row = &s->run.row[i];
		struct fb_error err;
		int rc = 0;
		if (strcmp(row->governor, governor))
			rc = bench_undo_governor(undo, row->governor, &err);
		if (rc < 0) {
			for (size_t p = 0; p < n_paths; p++)
				bench_row_fail(&row[p], BENCH_SKIPPED, fb_strdup(s->arena, err.text));
		} else {
			governor = row->governor;
			run_group(s, undo, row, n_paths);
		}
		s->run.took_s = bench_now_s() - s->run.started_s;
		keep(s);
	}
}
