/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the words of apt's sources stand: deb822 stanzas (sources.list(5)) and one-line entries. */
#include "sources.h"

#include <string.h>
#include <strings.h>

#include "text.h"

static const char blanks[] = " \t";

static struct fb_source *add(struct fb_arena *arena, struct fb_sources *all, const char *path, const char *text)
{
	if (all->n == all->cap) {
		all->cap = all->cap ? all->cap * 2 : 8;
		struct fb_source *bigger = fb_alloc(arena, all->cap * sizeof(*bigger));
		if (all->n)
			memcpy(bigger, all->source, all->n * sizeof(*bigger));
		all->source = bigger;
	}
	struct fb_source *source = &all->source[all->n++];
	*source = (struct fb_source){ .path = path, .file = text, .is_enabled = true, .signed_by = "" };
	return source;
}

static void add_uri(struct fb_arena *arena, struct fb_source *source, const char *word, size_t len)
{
	struct fb_uri *bigger = fb_alloc(arena, (source->n_uris + 1) * sizeof(*bigger));
	if (source->n_uris)
		memcpy(bigger, source->uri, source->n_uris * sizeof(*bigger));
	bigger[source->n_uris++] = (struct fb_uri){ fb_strndup(arena, word, len), (size_t)(word - source->file), len };
	source->uri = bigger;
}

static bool is_no(const char *line, size_t len)
{
	static const char *const words[] = { "no", "false", "without", "off", "disable", "0" };	/* apt's StringToBool() */
	while (len && strchr(blanks, line[len - 1]))
		len--;
	for (size_t i = 0; i < FB_ARRAY_LEN(words); i++)
		if (strlen(words[i]) == len && !strncasecmp(line, words[i], len))
			return true;
	return false;
}

enum field { NONE, OTHER, URIS, SUITES, COMPONENTS, SIGNED_BY, ENABLED };

static enum field field_of(const char *line, size_t len)
{
	static const struct {
		const char *name;
		enum field field;
	} names[] = {
		{ "URIs", URIS }, { "URI", URIS }, { "Suites", SUITES }, { "Suite", SUITES },
		{ "Components", COMPONENTS }, { "Component", COMPONENTS }, { "Sections", COMPONENTS },
		{ "Section", COMPONENTS }, { "Signed-By", SIGNED_BY }, { "Enabled", ENABLED },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(names); i++)
		if (strlen(names[i].name) == len && !strncasecmp(line, names[i].name, len))
			return names[i].field;
	return OTHER;
}

/* One line of a field's value; the field's first line and each further one. */
static void take(struct fb_arena *arena, struct fb_source *source, enum field field, const char *value, size_t len)
{
	if (field == ENABLED) {
		size_t skip = strspn(value, blanks);
		source->is_enabled = skip > len || !is_no(value + skip, len - skip);
	}
	if (field == SIGNED_BY) {
		bool is_more = *source->signed_by;
		source->signed_by = fb_format(arena, "%s%s%.*s", source->signed_by, is_more ? "\n" : "", (int)len, value);
	}
	if (field != URIS && field != SUITES && field != COMPONENTS)
		return;
	for (size_t at = 0; at < len;) {
		at += strspn(value + at, blanks);
		size_t word = at < len ? strcspn(value + at, " \t\r\n") : 0;
		if (!word)
			break;
		if (field == URIS)
			add_uri(arena, source, value + at, word);
		else
			fb_strs_add(arena, field == SUITES ? &source->suites : &source->components,
				    fb_strndup(arena, value + at, word));
		at += word;
	}
}

void fb_sources_parse_deb822(struct fb_arena *arena, struct fb_sources *all, const char *path, const char *text)
{
	struct fb_source *source = NULL;
	enum field field = NONE;
	const char *line;
	size_t len;
	for (const char *at = text; fb_text_next_line(&at, &line, &len);) {
		if (len && *line == '#')
			continue;		/* a comment does not even end a field */
		if (strspn(line, " \t\r") >= len) {
			source = NULL;		/* the stanza ends */
			field = NONE;
			continue;
		}
		if (!source)
			source = add(arena, all, path, text);
		if (strchr(blanks, *line)) {
			take(arena, source, field, line, len);
			continue;
		}
		size_t name = strcspn(line, ":\n");
		field = line[name] == ':' ? field_of(line, name) : OTHER;
		if (field != OTHER)
			take(arena, source, field, line + name + 1, len - name - 1);
	}
}

/* The next word of a line; a bracket keeps blanks together, as in cdrom:[Debian 12]/. */
static size_t word_len(const char *word, const char *end)
{
	size_t len = 0;
	for (int depth = 0; word + len < end && (depth || !strchr(" \t\r#", word[len])); len++)
		depth += word[len] == '[' ? 1 : word[len] == ']' && depth ? -1 : 0;
	return len;
}

static const char *skip(const char *at, const char *end)
{
	while (at < end && strchr(" \t\r", *at))
		at++;
	return at;
}

static void take_options(struct fb_arena *arena, struct fb_source *source, const char *options, size_t len)
{
	static const char name[] = "signed-by=";
	const char *at = fb_strndup(arena, options, len);
	for (const char *word; (word = fb_text_next_word(arena, &at));)
		if (!strncasecmp(word, name, strlen(name)))
			source->signed_by = word + strlen(name);
}

void fb_sources_parse_list(struct fb_arena *arena, struct fb_sources *all, const char *path, const char *text)
{
	const char *line;
	size_t len;
	for (const char *at = text; fb_text_next_line(&at, &line, &len);) {
		const char *end = line + len, *word = skip(line, end);
		size_t n = word_len(word, end);
		bool is_ours = (n == 3 && !strncmp(word, "deb", n)) || (n == 7 && !strncmp(word, "deb-src", n));
		if (!is_ours)
			continue;		/* empty, a comment, or not for us to understand */
		struct fb_source *source = add(arena, all, path, text);
		word = skip(word + n, end);
		if (word < end && *word == '[') {
			n = word_len(word, end);
			if (n > 2)
				take_options(arena, source, word + 1, n - 2);
			word = skip(word + n, end);
		}
		for (int nth = 0; (n = word_len(word, end)); nth++, word = skip(word + n, end)) {
			if (nth == 0)
				add_uri(arena, source, word, n);
			else
				fb_strs_add(arena, nth == 1 ? &source->suites : &source->components, fb_strndup(arena, word, n));
		}
	}
}
