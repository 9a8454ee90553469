/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Secrets of provision.conf: hidden in one copy, restored from the other. */
#include "kept.h"

#include <string.h>

#include "scan.h"

static const char kept[] = "\"kept\"";

static bool is_secret(const struct fb_place *place, const struct fb_keys *table, size_t n_tables)
{
	const struct fb_key *key = place->is_key ? NULL : fb_key_find(table, n_tables, place->path);
	return key && key->is_secret;
}

static bool is_kept(const struct fb_conf *conf, const struct fb_place *place)
{
	const char *text = conf->text + place->at;
	size_t len = place->len;
	if (len >= 2 && (*text == '"' || *text == '\'')) {
		text++;
		len -= 2;
	}
	return len == strlen("kept") && !strncmp(text, "kept", len);
}

/* The same value in another file. NULL: it is not there, or is no secret there either. */
static const struct fb_place *same(const struct fb_conf *held, const struct fb_place *place)
{
	for (size_t i = 0; held && i < held->n_places; i++) {
		const struct fb_place *other = &held->place[i];
		if (!other->is_key && other->index == place->index && !strcmp(other->path, place->path) &&
		    !strcmp(other->title, place->title) && !is_kept(held, other))
			return other;
	}
	return NULL;
}

/* The places are in the order of the text. */
static const char *replace(struct fb_arena *arena, const struct fb_conf *conf, const struct fb_conf *held, bool is_hiding,
			   const struct fb_keys *table, size_t n_tables)
{
	struct fb_buf buf = { .arena = arena };
	size_t done = 0;
	for (size_t i = 0; i < conf->n_places; i++) {
		const struct fb_place *place = &conf->place[i];
		if (!is_secret(place, table, n_tables) || is_kept(conf, place) == is_hiding)
			continue;
		const struct fb_place *from = is_hiding ? NULL : same(held, place);
		if (!is_hiding && !from)
			continue;
		fb_buf_mem(&buf, conf->text + done, place->at - done);
		fb_buf_mem(&buf, from ? held->text + from->at : kept, from ? from->len : strlen(kept));
		done = place->at + place->len;
	}
	fb_buf_mem(&buf, conf->text + done, conf->len - done);
	return fb_buf_text(&buf);
}

const char *fb_kept_hide(struct fb_arena *arena, const struct fb_conf *conf, const struct fb_keys *table, size_t n_tables)
{
	return replace(arena, conf, NULL, true, table, n_tables);
}

const char *fb_kept_restore(struct fb_arena *arena, const struct fb_conf *conf, const struct fb_conf *held,
			    const struct fb_keys *table, size_t n_tables)
{
	return replace(arena, conf, held, false, table, n_tables);
}
