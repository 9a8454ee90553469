/* SPDX-License-Identifier: GPL-2.0-or-later */
/* provision.conf through libconfuse into struct fb_config, driven by the key tables. */
#include "conf.h"

#include <confuse.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

enum { QUOTE_MAX = 72 };		/* bytes of a value that a message repeats */

struct parse {
	struct fb_conf *conf;
	const struct fb_keys *table;
	size_t n_tables;
	struct fb_complaint error;
};

static struct parse *current;		/* libconfuse's error callback carries no pointer */

static const char *last_part(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot ? dot + 1 : path;
}

unsigned fb_conf_line(const struct fb_conf *conf, const char *path, const char *title, size_t index)
{
	unsigned line = 0;
	for (size_t i = 0; i < conf->n_places; i++) {
		const struct fb_place *place = &conf->place[i];
		if (strcmp(place->path, path) || strcmp(place->title, title ? title : ""))
			continue;
		if (!place->is_key && place->index == index)
			return place->line;
		if (place->is_key && !line)
			line = place->line;
	}
	return line;
}

bool fb_conf_is_set(const struct fb_conf *conf, const char *path, const char *title)
{
	return fb_conf_line(conf, path, title, 0) != 0;
}

static void add(struct fb_conf *conf, unsigned line, const char *text)
{
	size_t n = conf->n_complaints, at = n;
	struct fb_complaint *all = fb_alloc(conf->arena, (n + 1) * sizeof(*all));
	while (at > 0 && conf->complaint[at - 1].line > line)
		at--;
	if (n) {
		memcpy(all, conf->complaint, at * sizeof(*all));
		memcpy(all + at + 1, conf->complaint + at, (n - at) * sizeof(*all));
	}
	all[at] = (struct fb_complaint){ line, text };
	conf->complaint = all;
	conf->n_complaints = n + 1;
}

void fb_complain_at(struct fb_conf *conf, unsigned line, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(conf, line, fb_vformat(conf->arena, fmt, args));
	va_end(args);
}

void fb_conf_complain(struct fb_conf *conf, const char *path, const char *title, size_t index, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = fb_vformat(conf->arena, fmt, args);
	va_end(args);
	add(conf, fb_conf_line(conf, path, title, index), fb_format(conf->arena, "%s: %s", path, text));
}

const char *fb_conf_message(const struct fb_conf *conf, const struct fb_complaint *complaint)
{
	if (!complaint->line)
		return fb_format(conf->arena, "%s: %s", conf->name, complaint->text);
	return fb_format(conf->arena, "%s:%u: %s", conf->name, complaint->line, complaint->text);
}

void fb_conf_refuse_kept(struct fb_conf *conf)
{
	for (size_t i = 0; i < conf->n_kept; i++)
		fb_conf_complain(conf, conf->kept[i].path, conf->kept[i].title, conf->kept[i].index,
				 "says \"kept\", but this box holds no such secret; write it anew");
}

static void on_error(cfg_t *cfg, const char *fmt, va_list args)
{
	if (current->error.text)
		return;			/* the first is the cause */
	current->error.line = cfg->line > 0 ? (unsigned)cfg->line : 0;
	current->error.text = fb_vformat(current->conf->arena, fmt, args);
}

/* The direct child of section that path names or lies in; NULL if path is elsewhere. */
static const char *child_of(struct fb_arena *arena, const char *section, const char *path)
{
	size_t len = strlen(section);
	if (len) {
		if (strncmp(path, section, len) || path[len] != '.')
			return NULL;
		path += len + 1;
	}
	const char *dot = strchr(path, '.');
	return dot ? fb_strndup(arena, path, (size_t)(dot - path)) : path;
}

static cfg_opt_t option(struct fb_arena *arena, const struct fb_key *key, const char *name)
{
	switch (key->type) {
	case FB_BOOL:
		return (cfg_opt_t)CFG_BOOL(name, key->preset && !strcmp(key->preset, "true") ? cfg_true : cfg_false, CFGF_NONE);
	case FB_INT:
		return (cfg_opt_t)CFG_INT(name, key->preset ? strtol(key->preset, NULL, 10) : 0, CFGF_NONE);
	case FB_LIST:
		return (cfg_opt_t)CFG_STR_LIST(name, key->preset ? fb_strdup(arena, key->preset) : NULL, CFGF_NONE);
	case FB_STR:
	case FB_SECTIONS:
		break;
	}
	return (cfg_opt_t)CFG_STR(name, key->preset ? key->preset : "", CFGF_NONE);
}

static cfg_opt_t *options(struct parse *parse, const char *section)
{
	struct fb_arena *arena = parse->conf->arena;
	struct fb_strs names = { 0 };
	for (size_t t = 0; t < parse->n_tables; t++)
		for (size_t k = 0; k < parse->table[t].n; k++) {
			const char *name = child_of(arena, section, parse->table[t].key[k].path);
			if (name && !fb_strs_has(&names, name))
				fb_strs_add(arena, &names, name);
		}
	cfg_opt_t *opts = fb_alloc(arena, (names.n + 1) * sizeof(*opts));
	for (size_t i = 0; i < names.n; i++) {
		const char *path = *section ? fb_format(arena, "%s.%s", section, names.item[i]) : names.item[i];
		const struct fb_key *key = fb_key_find(parse->table, parse->n_tables, path);
		if (key && key->type != FB_SECTIONS)
			opts[i] = option(arena, key, names.item[i]);
		else
			opts[i] = (cfg_opt_t)CFG_SEC(names.item[i], options(parse, path),
						     key ? CFGF_MULTI | CFGF_TITLE : CFGF_NONE);
	}
	opts[names.n] = (cfg_opt_t)CFG_END();
	return opts;
}

static void judge(struct fb_conf *conf, const struct fb_key *key, const char *title, size_t index, const char *value)
{
	const char *wrong = NULL;
	if (key->is_secret && !strcmp(value, "kept")) {
		struct fb_place *kept = fb_alloc(conf->arena, (conf->n_kept + 1) * sizeof(*kept));
		if (conf->n_kept)
			memcpy(kept, conf->kept, conf->n_kept * sizeof(*kept));
		kept[conf->n_kept++] = (struct fb_place){ .path = key->path, .title = title, .index = index };
		conf->kept = kept;
		return;
	}
	for (const char *s = value; *s && !wrong; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			wrong = "holds a control character; write it in one line of plain text";
	if (!wrong && key->valid)
		wrong = key->valid(conf->arena, value);
	if (wrong && key->is_secret)
		fb_conf_complain(conf, key->path, title, index, "%s", wrong);
	else if (wrong)		/* a long value may be a private key that was pasted here by mistake */
		fb_conf_complain(conf, key->path, title, index, "\"%.*s%s\" %s", QUOTE_MAX, value,
				 strlen(value) > QUOTE_MAX ? "..." : "", wrong);
}

static void take(struct parse *parse, const struct fb_key *key, cfg_t *sec, const char *title, void *into)
{
	struct fb_conf *conf = parse->conf;
	const char *name = last_part(key->path);
	void *field = (char *)into + key->offset;
	switch (key->type) {
	case FB_BOOL:
		*(bool *)field = cfg_getbool(sec, name);
		return;
	case FB_INT: {
		long value = cfg_getint(sec, name);
		*(long *)field = value;
		if (value < key->min || value > key->max)
			fb_conf_complain(conf, key->path, title, 0, "%ld is out of range; allowed is %s", value, key->range);
		return;
	}
	case FB_STR: {
		const char *value = fb_strdup(conf->arena, cfg_getstr(sec, name));
		*(const char **)field = value;
		if (*value || fb_conf_is_set(conf, key->path, title))
			judge(conf, key, title, 0, value);
		return;
	}
	case FB_LIST: {
		struct fb_strs values = { 0 };
		for (unsigned i = 0; i < cfg_size(sec, name); i++) {
			const char *value = fb_strdup(conf->arena, cfg_getnstr(sec, name, i));
			fb_strs_add(conf->arena, &values, value);
			judge(conf, key, title, i, value);
		}
		*(struct fb_strs *)field = values;
		return;
	}
	case FB_SECTIONS:
		return;			/* taken as a whole by take_titled() */
	}
}

static void take_section(struct parse *parse, cfg_t *sec, const char *section, const char *title, void *into);

static void take_titled(struct parse *parse, const struct fb_key *key, cfg_t *sec, struct fb_array *array)
{
	const char *name = last_part(key->path);
	array->n = cfg_size(sec, name);
	array->item = array->n ? fb_alloc(parse->conf->arena, array->n * key->size) : NULL;
	for (unsigned i = 0; i < array->n; i++) {
		cfg_t *one = cfg_getnsec(sec, name, i);
		struct fb_titled *item = (struct fb_titled *)((char *)array->item + i * key->size);
		item->title = fb_strdup(parse->conf->arena, cfg_title(one));
		judge(parse->conf, key, item->title, 0, item->title);
		take_section(parse, one, key->path, item->title, item);
	}
}

static void take_section(struct parse *parse, cfg_t *sec, const char *section, const char *title, void *into)
{
	struct fb_arena *arena = parse->conf->arena;
	struct fb_strs seen = { 0 };
	for (size_t t = 0; t < parse->n_tables; t++)
		for (size_t k = 0; k < parse->table[t].n; k++) {
			const char *name = child_of(arena, section, parse->table[t].key[k].path);
			if (!name || fb_strs_has(&seen, name))
				continue;
			fb_strs_add(arena, &seen, name);
			const char *path = *section ? fb_format(arena, "%s.%s", section, name) : name;
			const struct fb_key *key = fb_key_find(parse->table, parse->n_tables, path);
			if (!key)
				take_section(parse, cfg_getsec(sec, name), path, title, into);
			else if (key->type == FB_SECTIONS)
				take_titled(parse, key, sec, (struct fb_array *)((char *)into + key->offset));
			else
				take(parse, key, sec, title, into);
		}
}

void fb_conf_parse(struct fb_conf *conf, struct fb_arena *arena, const char *name, const char *text, size_t len,
		   const struct fb_keys *table, size_t n_tables, void *into)
{
	*conf = (struct fb_conf){ .arena = arena, .name = name, .text = text, .len = len };
	struct parse parse = { .conf = conf, .table = table, .n_tables = n_tables };
	if (len > FB_CONF_MAX_BYTES) {
		fb_complain_at(conf, 0, "%zu bytes is too large; at most %d are read", len, FB_CONF_MAX_BYTES);
		return;
	}
	struct fb_complaint wrong = { 0 };
	const char *clean = fb_scan(conf, table, n_tables, &wrong);
	if (!clean)
		return;

	current = &parse;
	cfg_t *cfg = cfg_init(options(&parse, ""), CFGF_NONE);
	cfg_set_error_function(cfg, on_error);
	int rc = cfg_parse_buf(cfg, clean);
	if (rc != CFG_SUCCESS || wrong.text) {
		struct fb_complaint *end = &parse.error;
		if (wrong.text && (!end->text || wrong.line <= end->line))
			end = &wrong;
		conf->n_complaints = 0;
		fb_complain_at(conf, end->line, "%s", end->text ? end->text : "cannot be read as a configuration file");
	} else {
		take_section(&parse, cfg, "", NULL, into);
		conf->is_read = true;
	}
	cfg_free(cfg);
	current = NULL;
}
