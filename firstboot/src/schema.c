/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key tables as text: nothing about a key is written down twice. */
#include "schema.h"

#include <string.h>

static const char *type_name(enum fb_type type)
{
	static const char *const names[] = {
		[FB_BOOL] = "boolean", [FB_INT] = "integer", [FB_STR] = "string", [FB_LIST] = "list of strings",
		[FB_SECTIONS] = "titled section",
	};
	return names[type];
}

static const char *preset_text(struct fb_arena *arena, const struct fb_key *key)
{
	if (!key->preset)
		return "none";
	return key->type == FB_STR ? fb_format(arena, "\"%s\"", key->preset) : key->preset;
}

typedef void each_fn(void *userdata, struct fb_arena *arena, const struct fb_key *key);

static void each(struct fb_arena *arena, each_fn *fn, void *userdata)
{
	struct fb_keys *table;
	size_t n = fb_step_keys(arena, &table);
	for (size_t t = 0; t < n; t++)
		for (size_t k = 0; k < table[t].n; k++)
			fn(userdata, arena, &table[t].key[k]);
}

static void text_of(void *userdata, struct fb_arena *arena, const struct fb_key *key)
{
	fb_buf_add(userdata, "%s\n    %s, default %s\n    allowed: %s\n    %s\n", key->path, type_name(key->type),
		   preset_text(arena, key), key->range, key->doc);
}

const char *fb_schema_text(struct fb_arena *arena)
{
	struct fb_buf buf = { .arena = arena };
	each(arena, text_of, &buf);
	return fb_buf_text(&buf);
}

static void json_of(void *userdata, struct fb_arena *arena, const struct fb_key *key)
{
	json_array_append_new(userdata, json_pack("{s:s, s:s, s:s*, s:s, s:s, s:b}", "key", key->path, "type",
						  type_name(key->type), "default", key->preset ? preset_text(arena, key) : NULL,
						  "allowed", key->range, "doc", key->doc, "secret", key->is_secret));
}

json_t *fb_schema_json(struct fb_arena *arena)
{
	json_t *keys = json_array();
	each(arena, json_of, keys);
	return json_pack("{s:i, s:o}", "format", 1, "keys", keys);
}

/* Text as troff wants it: no line starts a request, no backslash or hyphen is read as something else. */
static const char *troff(struct fb_arena *arena, const char *text)
{
	struct fb_buf buf = { .arena = arena };
	if (*text == '.' || *text == '\'')
		fb_buf_add(&buf, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			fb_buf_add(&buf, "\\e");
		else if (*text == '-')
			fb_buf_add(&buf, "\\-");
		else
			fb_buf_mem(&buf, text, 1);
	}
	return fb_buf_text(&buf);
}

static void man_of(void *userdata, struct fb_arena *arena, const struct fb_key *key)
{
	fb_buf_add(userdata, ".TP\n.B %s\n%s, default %s. %s\nAllowed: %s.\n", troff(arena, key->path),
		   troff(arena, type_name(key->type)), troff(arena, preset_text(arena, key)), troff(arena, key->doc),
		   troff(arena, key->range));
}

const char *fb_schema_man(struct fb_arena *arena)
{
	struct fb_buf buf = { .arena = arena };
	each(arena, man_of, &buf);
	return fb_buf_text(&buf);
}

struct example {
	struct fb_buf buf;
	const struct fb_keys *table;
	size_t n_tables;
};

static void comment(struct example *ex, int depth, const char *text)
{
	int room = 96 - depth * 8;
	while (*text) {
		size_t len = strlen(text);
		if (len > (size_t)room) {
			len = (size_t)room;
			while (len > 1 && text[len] != ' ')
				len--;
		}
		fb_buf_add(&ex->buf, "%.*s# %.*s\n", depth, "\t\t\t\t", (int)len, text);
		text += len;
		while (*text == ' ')
			text++;
	}
}

static void leaf(struct example *ex, int depth, const char *mark, const char *name, const struct fb_key *key)
{
	const char *value = key->example ? key->example : key->preset ? key->preset : "";
	bool is_quoted = key->type == FB_STR;
	bool is_off = !key->preset || key->example;	/* there is nothing or something else in force without it */
	comment(ex, depth, fb_format(ex->buf.arena, "%s Allowed: %s.", key->doc, key->range));
	fb_buf_add(&ex->buf, "%.*s%s%s = %s%s%s\n", depth, "\t\t\t\t", *mark || !is_off ? mark : "# ", name,
		   is_quoted ? "\"" : "", value, is_quoted ? "\"" : "");
}

static const struct fb_key *row(const struct example *ex, const char *path)
{
	for (size_t t = 0; t < ex->n_tables; t++)
		for (size_t k = 0; k < ex->table[t].n; k++)
			if (!strcmp(ex->table[t].key[k].path, path))
				return &ex->table[t].key[k];
	return NULL;
}

/* All of one section; mark is "# " inside a section that is only shown. */
static void section(struct example *ex, const char *path, int depth, const char *mark)
{
	struct fb_arena *arena = ex->buf.arena;
	struct fb_strs seen = { 0 };
	size_t len = strlen(path);
	for (size_t t = 0; t < ex->n_tables; t++)
		for (size_t k = 0; k < ex->table[t].n; k++) {
			const char *key_path = ex->table[t].key[k].path;
			if (len && (strncmp(key_path, path, len) || key_path[len] != '.'))
				continue;
			const char *rest = key_path + (len ? len + 1 : 0);
			const char *name = fb_strndup(arena, rest, strcspn(rest, "."));
			if (fb_strs_has(&seen, name))
				continue;
			fb_strs_add(arena, &seen, name);
			const char *child = len ? fb_format(arena, "%s.%s", path, name) : name;
			const struct fb_key *key = row(ex, child);
			if (key && key->type != FB_SECTIONS) {
				leaf(ex, depth, mark, name, key);
				continue;
			}
			if (key)
				comment(ex, depth, fb_format(arena, "%s Title: %s.", key->doc, key->range));
			const char *inner = key ? "# " : mark;
			fb_buf_add(&ex->buf, "%.*s%s%s%s%s%s {\n", depth, "\t\t\t\t", inner, name, key ? " \"" : "",
				   key ? key->example : "", key ? "\"" : "");
			section(ex, child, depth + 1, inner);
			fb_buf_add(&ex->buf, "%.*s%s}\n", depth, "\t\t\t\t", inner);
		}
}

const char *fb_example_text(struct fb_arena *arena)
{
	struct example ex = { .buf = { .arena = arena } };
	struct fb_keys *table;
	ex.n_tables = fb_step_keys(arena, &table);
	ex.table = table;
	fb_buf_add(&ex.buf,
		   "# provision.conf: the whole router in one file. Every key has a default but login: there must be one way in.\n"
		   "# Lines with a value show the default; lines that start with # are examples: take the # away and edit.\n"
		   "# Judge it on any PC before you use it: r4s-firstboot --config provision.conf check\n\n");
	section(&ex, "", 0, "");
	return fb_buf_text(&ex.buf);
}
