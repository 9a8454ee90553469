/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pass before libconfuse: encoding, comments, quotes, and where each value stands. */
#include "scan.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 8 };

struct section {
	const char *path, *title;
	unsigned line;
};

struct scan {
	struct fb_conf *conf;
	const struct fb_keys *table;
	size_t n_tables;
	struct fb_complaint *unknown;
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

static void note(struct scan *scan, const char *path, const char *title, size_t index, unsigned line, bool is_key)
{
	struct fb_conf *conf = scan->conf;
	if (conf->n_places == scan->cap_places) {
		scan->cap_places = scan->cap_places ? scan->cap_places * 2 : 64;
		struct fb_place *bigger = fb_alloc(conf->arena, scan->cap_places * sizeof(*bigger));
		if (conf->n_places)
			memcpy(bigger, conf->place, conf->n_places * sizeof(*bigger));
		conf->place = bigger;
	}
	conf->place[conf->n_places++] = (struct fb_place){ path, title, index, line, is_key };
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

static void unknown(struct scan *scan, const char *path, const char *name, unsigned line)
{
	if (scan->unknown->text)
		return;
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
	scan->unknown->line = line;
	scan->unknown->text = fb_format(scan->conf->arena, "unknown key %s%s%s", name, where, hint);
}

/* A key or the head of a section begins; say so if it was there before. */
static void begin(struct scan *scan, const char *path, const char *title, const char *name, unsigned line)
{
	if (!fb_key_find(scan->table, scan->n_tables, path) && !is_section(scan, path))
		unknown(scan, path, name, line);
	unsigned first = fb_conf_line(scan->conf, path, title, 0);
	if (first) {
		const char *titled = *title && !strcmp(name, title) ? "" : title;
		fb_complain_at(scan->conf, line, "%s%s%s%s: given twice, first on line %u", path, *titled ? " \"" : "",
			       titled, *titled ? "\"" : "", first);
	}
	note(scan, path, title, 0, line, true);
}

static void punctuation(struct scan *scan, char c)
{
	if (c == '=' && scan->n_words) {
		const char *name = scan->word[scan->n_words - 1];
		scan->key = path_in(scan, name);
		scan->key_line = scan->word_line[scan->n_words - 1];
		scan->n_values = 0;
		begin(scan, scan->key, title_of(scan), name, scan->word_line[scan->n_words - 1]);
	} else if (c == '{' && scan->key) {
		scan->in_list = true;
	} else if (c == '{' && scan->n_words && scan->depth < DEPTH_MAX) {
		size_t head = scan->n_words == 2 ? 0 : scan->n_words - 1;
		const char *title = scan->n_words == 2 ? scan->word[1] : "";
		const char *path = path_in(scan, scan->word[head]);
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

static void word(struct scan *scan, const char *text, unsigned line)
{
	if (scan->key) {
		note(scan, scan->key, title_of(scan), scan->n_values++, line, false);
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

static bool quoted(struct scan *scan)
{
	char quote = scan->text[scan->at];
	size_t start = ++scan->at;
	for (; scan->text[scan->at] && scan->text[scan->at] != '\n'; scan->at++) {
		if (scan->text[scan->at] == quote) {
			word(scan, fb_strndup(scan->conf->arena, scan->text + start, scan->at - start), scan->line);
			scan->at++;
			return true;
		}
		if (scan->text[scan->at] == '\\' && scan->text[scan->at + 1] && scan->text[scan->at + 1] != '\n')
			scan->at++;
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
	if (scan->text[scan->at] == '=' && scan->text[scan->at - 1] == '+')
		fb_complain_at(scan->conf, scan->line, "+= is not allowed: give the whole list with =");
	else if (strpbrk(text, "()+*"))
		fb_complain_at(scan->conf, scan->line, "%s has to stand in quotes: it holds ( ) + or *", text);
	else
		word(scan, text, scan->line);
	return !strpbrk(text, "()+*");
}

/* How many bytes of valid UTF-8 start here; 0 if none do. */
static size_t utf8_len(const unsigned char *s)
{
	if (s[0] < 0x80)
		return 1;
	size_t n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
	if (s[0] >= 0xf5)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static bool encoding(struct fb_conf *conf)
{
	const unsigned char *s = (const unsigned char *)conf->text;
	if (conf->len >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff))) {
		fb_complain_at(conf, 0, "saved as UTF-16 (\"Unicode\"); save it as UTF-8");
		return false;
	}
	unsigned line = 1;
	for (size_t i = 0; i < conf->len;) {
		size_t n = utf8_len(s + i);
		if (n == 0 || n > conf->len - i) {
			fb_complain_at(conf, line, "byte 0x%02x is not UTF-8 text; is this the right file?", s[i]);
			return false;
		}
		if ((s[i] < ' ' && !strchr("\t\r\n", s[i])) || s[i] == 0 || s[i] == 0x7f) {
			fb_complain_at(conf, line, "control character 0x%02x; is this the right file?", s[i]);
			return false;
		}
		if (s[i] == '\n')
			line++;
		i += n;
	}
	return true;
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

char *fb_scan(struct fb_conf *conf, const struct fb_keys *table, size_t n_tables, struct fb_complaint *ret_unknown)
{
	if (!encoding(conf))
		return NULL;
	struct scan scan = { .conf = conf, .table = table, .n_tables = n_tables, .unknown = ret_unknown, .line = 1 };
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
