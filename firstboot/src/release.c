/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a signed list (InRelease, Release) of a repository says. */
#include "release.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "text.h"

const char *fb_release_field(struct fb_arena *arena, const char *release, const char *name)
{
	size_t name_len = strlen(name), len;
	const char *line;
	for (const char *at = release; fb_text_next_line(&at, &line, &len);) {
		if (len <= name_len || line[name_len] != ':' || strncasecmp(line, name, name_len))
			continue;
		const char *value = line + name_len + 1;
		size_t skip = strspn(value, " \t"), rest = len - name_len - 1;
		return skip < rest ? fb_strndup(arena, value + skip, rest - skip) : "";
	}
	return "";
}

int64_t fb_release_date(struct fb_arena *arena, const char *release)
{
	const char *text = fb_release_field(arena, release, "Date");
	struct tm tm = { 0 };
	char *end = strptime(text, "%a, %d %b %Y %H:%M:%S", &tm);	/* no locale is ever set, so the names are English */
	const char *zone = end ? end + strspn(end, " ") : "";
	bool is_utc = !strncmp(zone, "UTC", 3) || !strncmp(zone, "GMT", 3) || !strncmp(zone, "+0000", 5);
	return is_utc ? (int64_t)timegm(&tm) : 0;
}

/* One line of a list of files: sum, size, path. */
static const char *size_of(struct fb_arena *arena, const char *line, size_t len, const char *path, int64_t *ret_size)
{
	const char *at = fb_strndup(arena, line, len), *words[3];
	for (size_t i = 0; i < FB_ARRAY_LEN(words); i++)
		if (!(words[i] = fb_text_next_word(arena, &at)))
			return NULL;
	if (strcmp(words[2], path))
		return NULL;
	*ret_size = strtoll(words[1], NULL, 10);
	return *ret_size > 0 ? path : NULL;
}

const char *fb_release_index(struct fb_arena *arena, const char *release, const char *component, const char *arch,
			     int64_t *ret_size_bytes)
{
	static const char *const kinds[] = { "xz", "gz" };
	const char *line, *found = NULL;
	size_t len;
	for (size_t i = 0; i < FB_ARRAY_LEN(kinds) && !found; i++) {
		const char *path = fb_format(arena, "%s/binary-%s/Packages.%s", component, arch, kinds[i]);
		for (const char *at = release; !found && fb_text_next_line(&at, &line, &len);)
			if (len > strlen(path) && *line == ' ' && !strncmp(line + len - strlen(path), path, strlen(path)))
				found = size_of(arena, line, len, path, ret_size_bytes);
	}
	return found;
}
