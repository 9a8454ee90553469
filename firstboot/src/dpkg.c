/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dpkg's own records say: /var/lib/dpkg/status (deb822) and diversions (three lines each: from, to, package). */
#include "dpkg.h"

#include <string.h>

#include "text.h"

struct package {
	const char *name, *status, *provides;
	size_t name_len, status_len, provides_len;
};

/* Take the next paragraph off *at. */
static bool next(const char **at, struct package *ret)
{
	static const struct {
		const char *field;
		size_t text, len;
	} fields[] = {
		{ "Package: ", offsetof(struct package, name), offsetof(struct package, name_len) },
		{ "Status: ", offsetof(struct package, status), offsetof(struct package, status_len) },
		{ "Provides: ", offsetof(struct package, provides), offsetof(struct package, provides_len) },
	};
	const char *line;
	size_t len;
	*ret = (struct package){ .name = "", .status = "", .provides = "" };
	bool is_any = false;
	while (fb_text_next_line(at, &line, &len)) {
		if (!len && is_any)
			return true;
		is_any |= len > 0;
		for (size_t i = 0; i < FB_ARRAY_LEN(fields); i++) {
			size_t skip = strlen(fields[i].field);
			if (len < skip || strncmp(line, fields[i].field, skip))
				continue;
			*(const char **)(void *)((char *)ret + fields[i].text) = line + skip;
			*(size_t *)(void *)((char *)ret + fields[i].len) = len - skip;
		}
	}
	return is_any;
}

/* The third word: not-installed, config-files, half-installed, unpacked, half-configured, triggers-…, installed. */
static const char *state_of(struct fb_arena *arena, const struct package *package)
{
	const char *at = fb_strndup(arena, package->status, package->status_len), *word = NULL;
	for (int i = 0; i < 3; i++)
		word = fb_text_next_word(arena, &at);
	return word ? word : "";
}

/* "a, b (= 1.0), c" */
static bool provides(const struct package *package, const char *name)
{
	size_t len = strlen(name);
	const char *end = package->provides + package->provides_len;
	for (const char *at = package->provides; at < end;) {
		at += strspn(at, ", ");
		size_t word = strcspn(at, ", \n");
		if (word == len && !strncmp(at, name, len))
			return true;
		at += word;
		while (at < end && *at != ',')		/* the version */
			at++;
	}
	return false;
}

bool fb_dpkg_has(struct fb_arena *arena, const char *status, const char *name)
{
	struct package package;
	size_t len = strlen(name);
	for (const char *at = status; next(&at, &package);) {
		bool is_it = package.name_len == len && !strncmp(package.name, name, len);
		if ((is_it || provides(&package, name)) && !strcmp(state_of(arena, &package), "installed"))
			return true;
	}
	return false;
}

bool fb_dpkg_is_interrupted(struct fb_arena *arena, const char *status)
{
	static const char *const states[] = { "half-installed", "unpacked", "half-configured", "triggers-awaited",
					      "triggers-pending" };
	struct package package;
	for (const char *at = status; next(&at, &package);)
		for (size_t i = 0; i < FB_ARRAY_LEN(states); i++)
			if (!strcmp(state_of(arena, &package), states[i]))
				return true;
	return false;
}

bool fb_dpkg_is_diverted(const char *diversions, const char *path, const char *to)
{
	const char *line[3] = { "", "", "" };
	size_t len[3] = { 0 };
	for (const char *at = diversions; fb_text_next_line(&at, &line[0], &len[0]) &&
					  fb_text_next_line(&at, &line[1], &len[1]) && fb_text_next_line(&at, &line[2], &len[2]);)
		if (len[0] == strlen(path) && !strncmp(line[0], path, len[0]) && len[1] == strlen(to) &&
		    !strncmp(line[1], to, len[1]))
			return true;
	return false;
}

const char *fb_dpkg_divert(struct fb_arena *arena, const char *diversions, const char *path, const char *to)
{
	return fb_format(arena, "%s%s\n%s\n:\n", diversions, path, to);		/* ":" is the administrator, no package */
}
