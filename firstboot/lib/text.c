/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers over text in memory. */
#include "text.h"

#include <errno.h>
#include <string.h>

bool fb_text_next_line(const char **at, const char **ret_line, size_t *ret_len)
{
	const char *line = *at;
	if (!*line)
		return false;
	size_t len = strcspn(line, "\n");
	*at = line[len] ? line + len + 1 : line + len;
	*ret_line = line;
	*ret_len = len;
	return true;
}

const char *fb_text_next_word(struct fb_arena *arena, const char **at)
{
	const char *word = *at + strspn(*at, " \t");
	size_t len = strcspn(word, " \t");
	*at = word + len;
	return len ? fb_strndup(arena, word, len) : NULL;
}

bool fb_text_starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool fb_text_ends(const char *text, const char *suffix)
{
	size_t len = strlen(text), tail = strlen(suffix);
	return len >= tail && !strcmp(text + len - tail, suffix);
}

bool fb_text_is_made_of(const char *text, const char *allowed)
{
	return *text && text[strspn(text, allowed)] == '\0';
}

const char *fb_text_join(struct fb_arena *arena, const struct fb_strs *strs, const char *between)
{
	struct fb_buf buf = { .arena = arena };
	for (size_t i = 0; i < strs->n; i++)
		fb_buf_add(&buf, "%s%s", i ? between : "", strs->item[i]);
	return fb_buf_text(&buf);
}

const char *fb_text_set_var(struct fb_arena *arena, const char *text, const char *name, const char *value)
{
	struct fb_buf buf = { .arena = arena };
	size_t name_len = strlen(name), len;
	bool is_set = false;
	const char *line;
	for (const char *at = text; fb_text_next_line(&at, &line, &len);) {
		const char *word = line + strspn(line, " \t");
		if (!strncmp(word, name, name_len) && word[name_len] == '=') {
			fb_buf_add(&buf, "%s=%s", name, value);
			is_set = true;
		} else {
			fb_buf_mem(&buf, line, len);
		}
		if (line[len] == '\n' || (!is_set && !*at))
			fb_buf_mem(&buf, "\n", 1);
	}
	if (!is_set)
		fb_buf_add(&buf, "%s=%s\n", name, value);
	return fb_buf_text(&buf);
}

static int digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

int fb_base64_decode(struct fb_arena *arena, const char *text, size_t len, unsigned char **ret_bytes, size_t *ret_len)
{
	size_t n_pad = 0;
	while (n_pad < 2 && n_pad < len && text[len - 1 - n_pad] == '=')
		n_pad++;
	if (len % 4)
		return -EINVAL;
	unsigned char *bytes = fb_alloc(arena, len / 4 * 3 + 1);
	size_t n = 0;
	uint32_t bits = 0;
	for (size_t i = 0; i < len - n_pad; i++) {
		int value = digit(text[i]);
		if (value < 0)
			return -EINVAL;
		bits = bits << 6 | (uint32_t)value;
		if (i % 4)
			bytes[n++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
	}
	/* "QQ==" holds 8 of 12 bits, "QUI=" 16 of 18: the rest must be zero, or one value has several spellings. */
	if ((n_pad == 2 && bits & 0xf) || (n_pad == 1 && bits & 0x3))
		return -EINVAL;
	*ret_bytes = bytes;
	*ret_len = n;
	return 0;
}
