/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pass before libconfuse: comments, quotes, the shape of sections, and where each value stands. */
#include "scan.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "encoding.h"

enum { DEPTH_MAX = 8 };

struct section {
	const char *path, *title;
	unsigned line;
};

struct scan {
	struct fb_conf *conf;
	const struct fb_keys *table;
	size_t n_tables;
	struct fb_complaint *wrong;	/* the first word that is out of place */
	char *text;			/* the copy that comments are blanked in */
	size_t at;
	unsigned line;
	struct section open[DEPTH_MAX];
	size_t depth;
	size_t cap_places;
	const char *word[2];		/* the last words seen: a key, or the head of a section and its title */
	unsigned word_line[2];
	size_t n_words;
	const char *key;		/* whose values follow, NULL between keys */
	unsigned key_line;
	size_t n_values;
	bool in_list;
};

const struct fb_key *fb_key_find(const struct fb_keys *table, size_t n_tables, const char *path)
{
	for (size_t t = 0; t < n_tables; t++)
		for (size_t k = 0; k < table[t].n; k++)
			if (!strcmp(table[t].key[k].path, path))
				return &table[t].key[k];
	return NULL;
}

static bool is_section(const struct scan *scan, const char *path)
{
	size_t len = strlen(path);
	for (size_t t = 0; t < scan->n_tables; t++)
		for (size_t k = 0; k < scan->table[t].n; k++) {
			const char *known = scan->table[t].key[k].path;
			if (!strncmp(known, path, len) && known[len] == '.')
				return true;
		}
	return false;
}

static const char *title_of(const struct scan *scan)
{
	for (size_t i = scan->depth; i-- > 0;)
		if (*scan->open[i].title)
			return scan->open[i].title;
	return "";
}

static const char *path_in(struct scan *scan, const char *name)
{
	return scan->depth ? fb_format(scan->conf->arena, "%s.%s", scan->open[scan->depth - 1].path, name) : name;
}

static void note(struct scan *scan, struct fb_place place)
{
	struct fb_conf *conf = scan->conf;
	if (conf->n_places == scan->cap_places) {
		scan->cap_places = scan->cap_places ? scan->cap_places * 2 : 64;
		struct fb_place *bigger = fb_alloc(conf->arena, scan->cap_places * sizeof(*bigger));
		if (conf->n_places)
			memcpy(bigger, conf->place, conf->n_places * sizeof(*bigger));
		conf->place = bigger;
	}
	conf->place[conf->n_places++] = place;
}

/* Letters to change to get from a to b; counted only as far as needed to tell "close" from "not". */
static unsigned distance(const char *a, const char *b)
{
	size_t n = strlen(b);
	unsigned row[64];
	if (n >= FB_ARRAY_LEN(row))
		return 99;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 0; a[i]; i++) {
		unsigned diagonal = row[0];
		row[0]++;
		for (size_t j = 1; j <= n; j++) {
			unsigned best = diagonal + (a[i] != b[j - 1]);
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

static void wrong(struct scan *scan, unsigned line, const char *fmt, ...) FB_PRINTF(3, 4);

static void wrong(struct scan *scan, unsigned line, const char *fmt, ...)
{
	if (scan->wrong->text)
		return;			/* the first is the cause */
	va_list args;
	va_start(args, fmt);
	*scan->wrong = (struct fb_complaint){ line, fb_vformat(scan->conf->arena, fmt, args) };
	va_end(args);
}

static void unknown(struct scan *scan, const char *path, const char *name, unsigned line)
{
	const char *close = NULL, *elsewhere = NULL;
	unsigned best = 3;		/* two letters off is a slip, three is another word */
	size_t prefix = strlen(path) - strlen(name);
	for (size_t t = 0; t < scan->n_tables; t++)
		for (size_t k = 0; k < scan->table[t].n; k++) {
			const char *known = scan->table[t].key[k].path;
			const char *last = strrchr(known, '.') ? strrchr(known, '.') + 1 : known;
			if (!strcmp(last, name))
				elsewhere = known;
			if (strncmp(known, path, prefix))
				continue;
			const char *here = fb_strndup(scan->conf->arena, known + prefix, strcspn(known + prefix, "."));
			if (distance(name, here) < best) {
				best = distance(name, here);
				close = here;
			}
		}
	const char *where = scan->depth ? fb_format(scan->conf->arena, " in section %s", scan->open[scan->depth - 1].path) : "";
	const char *hint = close ? fb_format(scan->conf->arena, "; did you mean %s?", close) :
			   elsewhere ? fb_format(scan->conf->arena, "; there is %s", elsewhere) : "";
	wrong(scan, line, "unknown key %s%s%s", name, where, hint);
}

/* What the word is used as: a key, or the head of a section with a title or without. */
static void shape(struct scan *scan, const char *path, const char *name, bool is_key, bool has_title, unsigned line)
{
	const struct fb_key *key = fb_key_find(scan->table, scan->n_tables, path);
	bool is_titled = key && key->type == FB_SECTIONS;
	if (!key && !is_section(scan, path))
		unknown(scan, path, name, line);
	else if (is_key && (!key || is_titled))
		wrong(scan, line, "%s is a section: write %s%s { ... }", path, name, is_titled ? " \"NAME\"" : "");
	else if (!is_key && key && !is_titled)
		wrong(scan, line, "%s is not a section: write %s = ...", path, name);
	else if (is_titled && !has_title)
		wrong(scan, line, "%s needs a name: write %s \"NAME\" { ... }", path, name);
	else if (!is_key && !is_titled && has_title)
		wrong(scan, line, "%s takes no name: write %s { ... }", path, name);
}

/* libconfuse would not say what is allowed. */
static void type_of_value(struct scan *scan, const char *text, unsigned line)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off" };
	const struct fb_key *key = fb_key_find(scan->table, scan->n_tables, scan->key);
	bool is_word = false;
	if (!key || scan->in_list)
		return;
	for (size_t i = 0; i < FB_ARRAY_LEN(words); i++)
		is_word |= !strcasecmp(text, words[i]);
	if (key->type == FB_BOOL && !is_word)
		wrong(scan, line, "%s: \"%s\" is not true or false", scan->key, text);
	if (key->type == FB_INT && (!*text || text[strspn(text, "0123456789-")]))
		wrong(scan, line, "%s: \"%s\" is not a number", scan->key, text);
}

/* A key or the head of a section begins; say so if it was there before. */
static void begin(struct scan *scan, const char *path, const char *title, const char *name, unsigned line)
{
	unsigned first = fb_conf_line(scan->conf, path, title, 0);
	if (first) {
		const char *titled = *title && !strcmp(name, title) ? "" : title;
		fb_complain_at(scan->conf, line, "%s%s%s%s: given twice, first on line %u", path, *titled ? " \"" : "",
			       titled, *titled ? "\"" : "", first);
	}
	note(scan, (struct fb_place){ .path = path, .title = title, .line = line, .is_key = true });
}

static void punctuation(struct scan *scan, char c)
{
	if (c == '=' && scan->n_words) {
		const char *name = scan->word[scan->n_words - 1];
		scan->key = path_in(scan, name);
		scan->key_line = scan->word_line[scan->n_words - 1];
		scan->n_values = 0;
		shape(scan, scan->key, name, true, false, scan->key_line);
		begin(scan, scan->key, title_of(scan), name, scan->key_line);
	} else if (c == '{' && scan->key) {
		const struct fb_key *key = fb_key_find(scan->table, scan->n_tables, scan->key);
		if (key && key->type != FB_LIST)
			wrong(scan, scan->line, "%s takes one value, not a list", scan->key);
		scan->in_list = true;
	} else if (c == '{' && scan->n_words && scan->depth < DEPTH_MAX) {
		size_t head = scan->n_words == 2 ? 0 : scan->n_words - 1;
		const char *title = scan->n_words == 2 ? scan->word[1] : "";
		const char *path = path_in(scan, scan->word[head]);
		shape(scan, path, scan->word[head], false, scan->n_words == 2, scan->word_line[head]);
		begin(scan, path, title, scan->word[head], scan->word_line[head]);
		scan->open[scan->depth++] = (struct section){ path, title, scan->word_line[head] };
	} else if (c == '}' && scan->in_list) {
		scan->in_list = false;
		scan->key = NULL;
	} else if (c == '}' && scan->depth) {
		scan->depth--;
	}
	scan->n_words = 0;
}

/* A word stands in len bytes from at on, quotes included. */
static void word(struct scan *scan, const char *text, size_t at, size_t len)
{
	unsigned line = scan->line;
	if (scan->key) {
		type_of_value(scan, text, line);
		note(scan, (struct fb_place){ .path = scan->key, .title = title_of(scan), .index = scan->n_values++,
					      .line = line, .at = at, .len = len });
		if (!scan->in_list)
			scan->key = NULL;
		return;
	}
	if (scan->n_words == 2) {		/* libconfuse will refuse it; keep the newest */
		scan->word[0] = scan->word[1];
		scan->word_line[0] = scan->word_line[1];
		scan->n_words = 1;
	}
	scan->word[scan->n_words] = text;
	scan->word_line[scan->n_words++] = line;
}

/* No value needs one, and libconfuse has rules of its own for them. */
static bool escape(struct scan *scan)
{
	fb_complain_at(scan->conf, scan->line, "\\ is not allowed: nothing is escaped in this file");
	return false;
}

static bool quoted(struct scan *scan)
{
	char quote = scan->text[scan->at];
	size_t start = ++scan->at;
	for (; scan->text[scan->at] && scan->text[scan->at] != '\n'; scan->at++) {
		if (scan->text[scan->at] == quote) {
			scan->at++;
			word(scan, fb_strndup(scan->conf->arena, scan->text + start, scan->at - 1 - start), start - 1,
			     scan->at - start + 1);
			return true;
		}
		if (scan->text[scan->at] == '\\')
			return escape(scan);
	}
	fb_complain_at(scan->conf, scan->line, "text in quotes does not end on its line; close it with %c", quote);
	return false;
}

static bool comment(struct scan *scan)
{
	char *text = scan->text;
	bool is_block = text[scan->at] == '/' && text[scan->at + 1] == '*';
	if (text[scan->at] != '#' && !is_block && !(text[scan->at] == '/' && text[scan->at + 1] == '/'))
		return false;
	unsigned start = scan->line;
	if (is_block) {
		text[scan->at] = text[scan->at + 1] = ' ';
		scan->at += 2;
	}
	for (; text[scan->at]; scan->at++) {
		if (!is_block && text[scan->at] == '\n')
			return true;
		if (is_block && text[scan->at] == '*' && text[scan->at + 1] == '/') {
			text[scan->at] = text[scan->at + 1] = ' ';
			scan->at += 2;
			return true;
		}
		if (text[scan->at] == '\n')
			scan->line++;
		else
			text[scan->at] = ' ';
	}
	if (is_block)
		fb_complain_at(scan->conf, start, "comment that starts with /* has no end");
	return true;
}

/* libconfuse ends a word at ( ) + and * without a word about it. */
static bool bare(struct scan *scan)
{
	size_t start = scan->at;
	while (scan->text[scan->at] && !strchr(" \t\r\n\"'={},#", scan->text[scan->at]))
		scan->at++;
	const char *text = fb_strndup(scan->conf->arena, scan->text + start, scan->at - start);
	if (strchr(text, '\\'))
		return escape(scan);
	if (scan->text[scan->at] == '=' && scan->text[scan->at - 1] == '+')
		fb_complain_at(scan->conf, scan->line, "+= is not allowed: give the whole list with =");
	else if (strpbrk(text, "()+*"))
		fb_complain_at(scan->conf, scan->line, "%s has to stand in quotes: it holds ( ) + or *", text);
	else
		word(scan, text, start, scan->at - start);
	return !strpbrk(text, "()+*");
}

/* libconfuse would only say that the file ends too soon. */
static bool is_closed(struct scan *scan)
{
	if (scan->in_list)
		fb_complain_at(scan->conf, scan->key_line, "list %s is not closed: a } is missing", scan->key);
	else if (scan->key)
		fb_complain_at(scan->conf, scan->key_line, "%s: the value after = is missing", scan->key);
	else if (scan->depth)
		fb_complain_at(scan->conf, scan->open[scan->depth - 1].line, "section %s is not closed: a } is missing",
			       scan->open[scan->depth - 1].path);
	return !scan->key && !scan->depth;
}

char *fb_scan(struct fb_conf *conf, const struct fb_keys *table, size_t n_tables, struct fb_complaint *ret_wrong)
{
	if (!fb_encoding_check(conf))
		return NULL;
	struct scan scan = { .conf = conf, .table = table, .n_tables = n_tables, .wrong = ret_wrong, .line = 1 };
	scan.text = fb_strndup(conf->arena, conf->text, conf->len);
	if (!strncmp(scan.text, "\xef\xbb\xbf", 3))		/* the mark some editors put in front */
		memset(scan.text, ' ', 3);
	bool is_empty = true;
	while (scan.text[scan.at]) {
		char c = scan.text[scan.at];
		if (c == '\n')
			scan.line++;
		if (c == '\r')
			scan.text[scan.at] = ' ';
		if (strchr(" \t\r\n", c)) {
			scan.at++;
			continue;
		}
		if (comment(&scan))
			continue;
		is_empty = false;
		if (strchr("={},", c)) {
			punctuation(&scan, c);
			scan.at++;
		} else if (c == '"' || c == '\'') {
			if (!quoted(&scan))
				return NULL;
		} else if (!bare(&scan)) {
			return NULL;
		}
	}
	unsigned line = 1;
	for (const char *s = scan.text; *s; s++) {
		if (*s == '\n')
			line++;
		if (s[0] == '$' && s[1] == '{') {
			fb_complain_at(conf, line, "${...} is not allowed: no variable is replaced in this file; write the value");
			return NULL;
		}
	}
	if (is_empty && !conf->n_complaints)
		fb_complain_at(conf, 0, "the file is empty; r4s-firstboot example prints one to start from");
	return is_empty || !is_closed(&scan) ? NULL : scan.text;
}
