/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plain structs to JSON and back, by one table a struct. */
#include "fields.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { LIST_MAX = 100000 };	/* no run comes near it; a foreign file may */

static json_t *pack_number(double value)
{
	return isfinite(value) ? json_real(value) : NULL;
}

static json_t *pack_list(const struct bench_field *field, const char *at, const char *base)
{
	size_t n = *(const size_t *)(const void *)(base + field->n_offset);
	const char *item = *(const char *const *)(const void *)at;
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *value;
		if (field->type == BENCH_F_LIST)
			value = bench_fields_pack(field->sub, item + i * field->sub->size);
		else
			value = pack_number(((const double *)(const void *)item)[i]);
		json_array_append_new(list, value ? value : json_null());
	}
	return list;
}

static json_t *pack_texts(const struct fb_strs *strs)
{
	json_t *list = json_array();
	for (size_t i = 0; i < strs->n; i++)
		json_array_append_new(list, json_string(strs->item[i]));
	return list;
}

/* A text that came from outside may not be UTF-8: then it is told as such. */
static json_t *pack_text(const char *text)
{
	json_t *value = json_string(text);
	return value ? value : json_string("(not UTF-8)");
}

static json_t *pack_field(const struct bench_field *field, const char *base)
{
	const char *at = base + field->offset;
	const void *p = at;
	switch (field->type) {
	case BENCH_F_NUMBER:
		return pack_number(*(const double *)p);
	case BENCH_F_UNSIGNED:
		return json_integer(*(const unsigned *)p);
	case BENCH_F_INT:
		return json_integer(*(const int *)p);
	case BENCH_F_BOOL:
		return json_boolean(*(const bool *)p);
	case BENCH_F_TEXT:
		return pack_text(*(const char *const *)p);
	case BENCH_F_NAME:
		return json_string(field->names[*(const unsigned *)p]);
	case BENCH_F_TEXTS:
		return pack_texts(p);
	case BENCH_F_NUMBERS:
	case BENCH_F_LIST:
		return pack_list(field, at, base);
	case BENCH_F_OBJECT:
		return *(const void *const *)p ? bench_fields_pack(field->sub, *(const void *const *)p) : NULL;
	}
	return NULL;
}

json_t *bench_fields_pack(const struct bench_table *table, const void *from)
{
	json_t *object = json_object();
	for (size_t i = 0; i < table->n; i++) {
		json_t *value = pack_field(&table->field[i], from);
		if (value)
			json_object_set_new(object, table->field[i].key, value);
	}
	return object;
}

struct reader {
	struct fb_arena *arena;
	const struct bench_field *field;
	const json_t *value;
	const char *where;
	char *base;
	struct fb_error *err;
};

static int wrong(const struct reader *r, const char *wanted)
{
	return fb_fail(r->err, EINVAL, "%s.%s is not %s", r->where, r->field->key, wanted);
}

static int read_integer(const struct reader *r, void *at)
{
	if (!json_is_integer(r->value))
		return wrong(r, "a whole number");
	json_int_t n = json_integer_value(r->value);
	bool is_signed = r->field->type == BENCH_F_INT;
	if (n > 1000000000 || n < (is_signed ? -1000000000 : 0))
		return wrong(r, "a number in its range");
	if (is_signed)
		*(int *)at = (int)n;
	else
		*(unsigned *)at = (unsigned)n;
	return 0;
}

static int read_name(const struct reader *r, void *at)
{
	const char *name = json_string_value(r->value);
	for (size_t i = 0; name && i < r->field->n_names; i++) {
		if (!strcmp(name, r->field->names[i])) {
			*(unsigned *)at = (unsigned)i;
			return 0;
		}
	}
	return wrong(r, "one of the known words");
}

static int read_texts(const struct reader *r, void *at)
{
	if (!json_is_array(r->value))
		return wrong(r, "a list");
	for (size_t i = 0; i < json_array_size(r->value); i++) {
		const char *text = json_string_value(json_array_get(r->value, i));
		if (!text)
			return wrong(r, "a list of texts");
		fb_strs_add(r->arena, at, fb_strdup(r->arena, text));
	}
	return 0;
}

static int read_list(const struct reader *r, void *at)
{
	if (!json_is_array(r->value) || json_array_size(r->value) > LIST_MAX)
		return wrong(r, "a list of a sane length");
	size_t n = json_array_size(r->value);
	bool is_plain = r->field->type == BENCH_F_NUMBERS;
	size_t size = is_plain ? sizeof(double) : r->field->sub->size;
	char *items = fb_alloc(r->arena, n ? n * size : 1);
	for (size_t i = 0; i < n; i++) {
		const json_t *item = json_array_get(r->value, i);
		if (is_plain) {
			if (!json_is_number(item) && !json_is_null(item))
				return wrong(r, "a list of numbers");
			((double *)(void *)items)[i] = json_is_null(item) ? NAN : json_number_value(item);
			continue;
		}
		const char *where = fb_format(r->arena, "%s.%s[%zu]", r->where, r->field->key, i);
		int rc = bench_fields_unpack(r->arena, r->field->sub, item, where, items + i * size, r->err);
		if (rc < 0)
			return rc;
	}
	*(char **)at = items;
	*(size_t *)(void *)(r->base + r->field->n_offset) = n;
	return 0;
}

static int read_object(const struct reader *r, void *at)
{
	void *object = fb_alloc(r->arena, r->field->sub->size);
	const char *where = fb_format(r->arena, "%s.%s", r->where, r->field->key);
	int rc = bench_fields_unpack(r->arena, r->field->sub, r->value, where, object, r->err);
	if (rc == 0)
		*(void **)at = object;
	return rc;
}

static int read_field(const struct reader *r)
{
	void *at = r->base + r->field->offset;
	switch (r->field->type) {
	case BENCH_F_NUMBER:
		if (!json_is_number(r->value))
			return wrong(r, "a number");
		*(double *)at = json_number_value(r->value);
		return 0;
	case BENCH_F_UNSIGNED:
	case BENCH_F_INT:
		return read_integer(r, at);
	case BENCH_F_BOOL:
		if (!json_is_boolean(r->value))
			return wrong(r, "true or false");
		*(bool *)at = json_is_true(r->value);
		return 0;
	case BENCH_F_TEXT:
		if (!json_is_string(r->value))
			return wrong(r, "a text");
		*(const char **)at = fb_strdup(r->arena, json_string_value(r->value));
		return 0;
	case BENCH_F_NAME:
		return read_name(r, at);
	case BENCH_F_TEXTS:
		return read_texts(r, at);
	case BENCH_F_NUMBERS:
	case BENCH_F_LIST:
		return read_list(r, at);
	case BENCH_F_OBJECT:
		return read_object(r, at);
	}
	return 0;
}

int bench_fields_unpack(struct fb_arena *arena, const struct bench_table *table, const json_t *json, const char *where,
			void *to, struct fb_error *err)
{
	if (!json_is_object(json))
		return fb_fail(err, EINVAL, "%s is not an object", where);
	for (size_t i = 0; i < table->n; i++) {
		const struct bench_field *field = &table->field[i];
		const json_t *value = json_object_get(json, field->key);
		char *at = (char *)to + field->offset;
		if (value) {
			struct reader r = { arena, field, value, where, to, err };
			int rc = read_field(&r);
			if (rc < 0)
				return rc;
		} else if (field->must) {
			return fb_fail(err, EINVAL, "%s.%s is missing", where, field->key);
		} else if (field->type == BENCH_F_NUMBER) {
			*(double *)(void *)at = NAN;
		} else if (field->type == BENCH_F_TEXT) {
			*(const char **)(void *)at = "";
		}
	}
	return 0;
}
