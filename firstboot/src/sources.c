/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of the box: whose they are, and their files with another address. */
#include "sources.h"

#include <string.h>
#include <strings.h>

#include "release.h"
#include "text.h"

#define LISTS "/var/lib/apt/lists/"

bool fb_uri_same(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	while (a_len && a[a_len - 1] == '/')
		a_len--;
	while (b_len && b[b_len - 1] == '/')
		b_len--;
	return a_len == b_len && !strncmp(a, b, a_len);
}

/* As apt's URItoFileName() does it: no scheme, no user, odd characters as %xx, slashes as underscores. */
const char *fb_uri_list_name(struct fb_arena *arena, const char *uri)
{
	struct fb_buf buf = { .arena = arena };
	const char *colon = strchr(uri, ':'), *at = colon ? colon + 1 : uri;
	bool has_host = fb_text_starts(at, "//");
	if (has_host)
		at += 2;
	size_t host = has_host ? strcspn(at, "/") : 0;
	for (size_t i = 0; i < host; i++)
		if (at[i] == '@') {
			at += i + 1;
			break;
		}
	size_t len = strlen(at);
	while (len && at[len - 1] == '/')
		len--;
	for (size_t i = 0; i < len; i++) {
		bool is_odd = strchr("\\|{}[]<>\"^~_=!@#$%^&*", at[i]) || at[i] <= ' ' || at[i] > '~';
		if (is_odd)
			fb_buf_add(&buf, "%%%02x", (unsigned char)at[i]);
		else
			fb_buf_mem(&buf, at[i] == '/' ? "_" : at + i, 1);
	}
	return fb_buf_text(&buf);
}

static enum fb_repo by_key(const struct fb_source *source)
{
	static const struct {
		const char *prefix;	/* of the keyring's file name */
		enum fb_repo repo;
	} known[] = {
		{ "armbian", FB_REPO_ARMBIAN }, { "debian-archive", FB_REPO_DISTRO }, { "ubuntu-archive", FB_REPO_DISTRO },
	};
	const char *end = source->signed_by + strcspn(source->signed_by, ", \t\n"), *name = end;
	const char *key = source->signed_by + strspn(source->signed_by, " \t\n");
	end = key + strcspn(key, ", \t\n");
	for (name = end; name > key && name[-1] != '/'; name--)
		;
	for (size_t i = 0; i < FB_ARRAY_LEN(known) && *key == '/'; i++)
		if (fb_text_starts(name, known[i].prefix))
			return known[i].repo;
	return FB_REPO_OTHER;
}

static enum fb_repo by_origin(struct fb_view *view, const struct fb_source *source)
{
	static const struct {
		const char *origin;
		enum fb_repo repo;
	} known[] = {
		{ "Armbian", FB_REPO_ARMBIAN }, { "Debian", FB_REPO_DISTRO }, { "Debian Backports", FB_REPO_DISTRO },
		{ "Ubuntu", FB_REPO_DISTRO },
	};
	static const char *const kinds[] = { "InRelease", "Release" };
	for (size_t i = 0; i < source->n_uris * FB_ARRAY_LEN(kinds) && source->suites.n; i++) {
		const char *uri = source->uri[i / FB_ARRAY_LEN(kinds)].text;
		const char *path = fb_format(view->arena, LISTS "%s_dists_%s_%s", fb_uri_list_name(view->arena, uri),
					     source->suites.item[0], kinds[i % FB_ARRAY_LEN(kinds)]);
		const char *list = fb_view_text(view, path);
		const char *origin = list ? fb_release_field(view->arena, list, "Origin") : "";
		for (size_t k = 0; k < FB_ARRAY_LEN(known); k++)
			if (!strcasecmp(origin, known[k].origin))
				return known[k].repo;
	}
	return FB_REPO_OTHER;
}

static const char *codename(struct fb_view *view)
{
	const char *text = fb_view_text(view, "/etc/os-release"), *line;
	static const char name[] = "VERSION_CODENAME=";
	size_t len;
	for (const char *at = text ? text : ""; fb_text_next_line(&at, &line, &len);)
		if (len > strlen(name) && !strncmp(line, name, strlen(name))) {
			const char *value = line + strlen(name) + (line[strlen(name)] == '"');
			return fb_strndup(view->arena, value, strcspn(value, "\"\n"));
		}
	return "";
}

static enum fb_repo repo_of(struct fb_view *view, const struct fb_source *source)
{
	enum fb_repo repo = by_key(source);
	size_t n_security = 0;
	if (repo == FB_REPO_OTHER)
		repo = by_origin(view, source);
	for (size_t i = 0; i < source->suites.n; i++)
		n_security += fb_text_ends(source->suites.item[i], "-security");
	if (repo == FB_REPO_DISTRO && n_security == source->suites.n)
		return FB_REPO_OTHER;
	/* Armbian signs armbian-config's own repository with the same key; that one knows no release of the distribution. */
	if (repo == FB_REPO_ARMBIAN && !fb_strs_has(&source->suites, codename(view)))
		return FB_REPO_OTHER;
	return repo;
}

/* apt leaves out names with other characters, such as those of editors' copies. */
static bool is_read(const char *name)
{
	return !fb_text_starts(name, ".") &&
	       fb_text_is_made_of(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.");
}

void fb_sources_read(struct fb_view *view, struct fb_sources *ret_all)
{
	static const char dir[] = "/etc/apt/sources.list.d";
	struct fb_strs names;
	*ret_all = (struct fb_sources){ 0 };
	const char *text = fb_view_text(view, "/etc/apt/sources.list");
	if (text)
		fb_sources_parse_list(view->arena, ret_all, "/etc/apt/sources.list", text);
	(void)fb_view_list(view, dir, &names);		/* no directory, no names */
	for (size_t i = 0; i < names.n; i++) {
		const char *path = fb_format(view->arena, "%s/%s", dir, names.item[i]);
		bool is_deb822 = fb_text_ends(path, ".sources"), is_list = fb_text_ends(path, ".list");
		text = (is_deb822 || is_list) && is_read(names.item[i]) ? fb_view_text(view, path) : NULL;
		if (text)
			(is_deb822 ? fb_sources_parse_deb822 : fb_sources_parse_list)(view->arena, ret_all, path, text);
	}
	for (size_t i = 0; i < ret_all->n; i++)
		ret_all->source[i].repo = repo_of(view, &ret_all->source[i]);
}

bool fb_sources_is_movable(const struct fb_source *source, enum fb_repo repo)
{
	static const char *const schemes[] = { "http:", "https:", "mirror:", "mirror+http:", "mirror+https:" };
	bool is_net = false;
	for (size_t i = 0; i < FB_ARRAY_LEN(schemes) && source->n_uris; i++)
		is_net |= fb_text_starts(source->uri[0].text, schemes[i]);
	return source->is_enabled && source->repo == repo && is_net;
}

static bool is_right(const struct fb_source *source, const char *uri)
{
	return source->n_uris == 1 && fb_uri_same(source->uri[0].text, uri);
}

const char *fb_sources_edit(struct fb_arena *arena, const struct fb_sources *all, const char *path,
			    const char *const uri[FB_N_REPOS])
{
	struct fb_buf buf = { .arena = arena };
	const char *text = NULL;
	size_t at = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct fb_source *source = &all->source[i];
		const char *want = uri[source->repo];
		if (strcmp(source->path, path))
			continue;
		text = source->file;
		if (!want || !fb_sources_is_movable(source, source->repo) || is_right(source, want))
			continue;
		for (size_t k = 0; k < source->n_uris; k++) {
			size_t end = source->uri[k].at;
			/* A second address goes with the blanks before it, and with its line if it had one of its own. */
			while (k && end > at && strchr(" \t\r\n", text[end - 1]))
				end--;
			fb_buf_mem(&buf, text + at, end - at);
			if (k == 0)
				fb_buf_add(&buf, "%s", want);
			at = source->uri[k].at + source->uri[k].len;
		}
	}
	if (text)
		fb_buf_add(&buf, "%s", text + at);
	return fb_buf_text(&buf);
}
