/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apt's sources, deb822 and one-line: who stands behind them, and other addresses in their place. All but the addresses
 * stays byte for byte.
 */
#ifndef FB_SOURCES_H
#define FB_SOURCES_H

#include "plan.h"

enum fb_repo { FB_REPO_OTHER, FB_REPO_ARMBIAN, FB_REPO_DISTRO, FB_N_REPOS };

/* One address as it stands in the file. */
struct fb_uri {
	const char *text;
	size_t at, len;			/* place in the file */
};

/* A stanza or a line. */
struct fb_source {
	const char *path;
	const char *file;		/* whole text of it */
	bool is_enabled;
	struct fb_uri *uri;
	size_t n_uris;
	struct fb_strs suites, components;
	const char *signed_by;		/* as it stands after the colon, with its further lines; "" if none */
	enum fb_repo repo;		/* set by fb_sources_read() */
};

struct fb_sources {
	struct fb_source *source;
	size_t n, cap;
};

/* Add what one file holds. */
void fb_sources_parse_deb822(struct fb_arena *arena, struct fb_sources *all, const char *path, const char *text);
void fb_sources_parse_list(struct fb_arena *arena, struct fb_sources *all, const char *path, const char *text);

/*
 * All sources of the box. Armbian's and the distribution's are known by the key that signs them, else by the Origin that
 * their list states, never by a host name. A stanza of security suites only stays where it is: few mirrors carry them.
 */
void fb_sources_read(struct fb_view *view, struct fb_sources *ret_all);

/* The file with the only address uri[repo] in the sources of each repo that has one (NULL: they stay). */
const char *fb_sources_edit(struct fb_arena *arena, const struct fb_sources *all, const char *path,
			    const char *const uri[FB_N_REPOS]);
bool fb_sources_is_movable(const struct fb_source *source, enum fb_repo repo);
bool fb_uri_same(const char *a, const char *b);		/* but for slashes at the end */

/* The name under which apt keeps what comes from an address: of the list up to "_dists_". */
const char *fb_uri_list_name(struct fb_arena *arena, const char *uri);

#endif
