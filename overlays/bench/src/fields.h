/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plain structs to JSON and back, by one table a struct. */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include <jansson.h>

#include "base.h"

enum bench_field_type {
	BENCH_F_NUMBER,		/* double; NAN: key left out */
	BENCH_F_UNSIGNED,	/* unsigned */
	BENCH_F_INT,		/* int */
	BENCH_F_BOOL,
	BENCH_F_TEXT,		/* const char *, never NULL */
	BENCH_F_NAME,		/* enum as one of names */
	BENCH_F_TEXTS,		/* struct fb_strs */
	BENCH_F_NUMBERS,	/* const double *, count at n_offset */
	BENCH_F_LIST,		/* array of structs, count at n_offset */
	BENCH_F_OBJECT,		/* pointer to a struct, NULL: key left out */
};

struct bench_field {
	const char *key;
	enum bench_field_type type;
	size_t offset, n_offset;
	const struct bench_table *sub;		/* of LIST and OBJECT */
	const char *const *names;		/* of NAME */
	size_t n_names;
	bool must;				/* its absence is an error */
};

struct bench_table {
	size_t size;
	const struct bench_field *field;
	size_t n;
};

/* A new object, owned by the caller. */
json_t *bench_fields_pack(const struct bench_table *table, const void *from);

/* Fill to, zeroed by the caller. Absent numbers become NAN, absent texts "". where names the object in messages. */
int bench_fields_unpack(struct fb_arena *arena, const struct bench_table *table, const json_t *json, const char *where,
			void *to, struct fb_error *err);

#endif
