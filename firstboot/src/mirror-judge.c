/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Let apt fetch and check the signed lists of one mirror, into a directory of its own, and nothing else. */
#include "mirror-judge.h"

#include <stdlib.h>
#include <string.h>

#include "apt-run.h"
#include "release.h"
#include "text.h"

static const char scratch[] = "/run/r4s/mirror";
enum { LIMIT_S = 20, DEPTH_MAX = 5 };

void fb_mirror_suites(struct fb_arena *arena, const struct fb_sources *sources, enum fb_repo repo,
		      struct fb_strs *ret_suites)
{
	*ret_suites = (struct fb_strs){ 0 };
	for (size_t i = 0; i < sources->n; i++) {
		const struct fb_source *source = &sources->source[i];
		for (size_t k = 0; fb_sources_is_movable(source, repo) && k < source->suites.n; k++)
			if (!fb_strs_has(ret_suites, source->suites.item[k]))
				fb_strs_add(arena, ret_suites, source->suites.item[k]);
	}
}

/*
 * "Targets" with a name that there is not: apt fetches the signed lists and no index. Trusted= and the like of the old
 * stanza are left behind: a mirror has to be good without.
 */
static const char *stanzas(struct fb_arena *arena, const struct fb_sources *sources, enum fb_repo repo, const char *uri)
{
	struct fb_buf buf = { .arena = arena };
	for (size_t i = 0; i < sources->n; i++) {
		const struct fb_source *source = &sources->source[i];
		if (!fb_sources_is_movable(source, repo) || !source->suites.n)
			continue;
		fb_buf_add(&buf, "Types: deb\nURIs: %s\nSuites: %s\nComponents: %s\nTargets: none\n", uri,
			   fb_text_join(arena, &source->suites, " "), fb_text_join(arena, &source->components, " "));
		if (*source->signed_by)
			fb_buf_add(&buf, "Signed-By:%s%s\n", strchr(" \t\n", *source->signed_by) ? "" : " ", source->signed_by);
		fb_buf_add(&buf, "\n");
	}
	return fb_buf_text(&buf);
}

/* Hooks of an update are for the real one. What the owner says about proxies and certificates counts here too. */
static const char *settings(struct fb_arena *arena, const char *dir)
{
	return fb_format(arena,
			 "#clear APT::Update;\n"
			 "APT::Update::Error-Mode \"any\";\n"
			 "Dir::State::Lists \"%s/lists\";\n"
			 "Dir::Etc::SourceList \"%s/mirror.sources\";\n"
			 "Dir::Etc::SourceParts \"/dev/null\";\n"
			 "Dir::Cache::pkgcache \"\";\n"
			 "Dir::Cache::srcpkgcache \"\";\n"
			 "Acquire::AllowInsecureRepositories \"false\";\n"
			 "Acquire::AllowWeakRepositories \"false\";\n"
			 "Acquire::Check-Date \"true\";\n"
			 "Acquire::Check-Valid-Until \"true\";\n"
			 "Acquire::Languages \"none\";\n"
			 "Acquire::Retries \"0\";\n"
			 "Acquire::http::Timeout \"10\";\n"
			 "Acquire::https::Timeout \"10\";\n",
			 dir, dir);
}

static void owner(struct fb_view *view, uid_t *ret_uid, gid_t *ret_gid)
{
	const char *passwd = fb_view_text(view, "/etc/passwd"), *line;
	size_t len;
	*ret_uid = *ret_gid = 0;
	for (const char *at = passwd ? passwd : ""; fb_text_next_line(&at, &line, &len);) {
		char *end;
		const char *id = fb_text_starts(line, "_apt:") ? strchr(line + strlen("_apt:"), ':') : NULL;
		if (!id)
			continue;
		*ret_uid = (uid_t)strtoul(id + 1, &end, 10);
		*ret_gid = *end == ':' ? (gid_t)strtoul(end + 1, NULL, 10) : 0;
	}
}

static int lay(struct fb_view *view, const char *dir, const char *sources, struct fb_error *err)
{
	const char *const dirs[] = { scratch, dir, fb_format(view->arena, "%s/lists", dir),
				     fb_format(view->arena, "%s/lists/partial", dir) };
	const char *text = settings(view->arena, dir);
	struct fb_file files[] = {
		{ .path = fb_format(view->arena, "%s/apt.conf", dir), .text = text, .len = strlen(text), .mode = 0644 },
		{ .path = fb_format(view->arena, "%s/mirror.sources", dir), .text = sources, .len = strlen(sources),
		  .mode = 0644 },
	};
	uid_t uid;
	gid_t gid;
	int rc = 0;
	owner(view, &uid, &gid);
	for (size_t i = 0; rc == 0 && i < FB_ARRAY_LEN(dirs); i++)
		rc = fb_fs_mkdir(view->fs, dirs[i], 0755, i < 2 ? 0 : uid, i < 2 ? 0 : gid, err);
	return rc < 0 ? rc : fb_fs_replace(view->fs, files, FB_ARRAY_LEN(files), err);
}

/* The list that apt kept; it keeps none that it does not accept. */
static const char *kept(struct fb_view *view, const char *dir, const char *uri, const char *suite)
{
	static const char *const kinds[] = { "InRelease", "Release" };
	const char *list = NULL;
	size_t len = strlen(uri);
	while (len && uri[len - 1] == '/')
		len--;
	const char *name = fb_uri_list_name(view->arena, fb_format(view->arena, "%.*s/dists/%s", (int)len, uri, suite));
	for (size_t i = 0; i < FB_ARRAY_LEN(kinds) && !list; i++)
		list = fb_view_text(view, fb_format(view->arena, "%s/lists/%s_%s", dir, name, kinds[i]));
	return list;
}

void fb_mirror_judge(struct fb_view *view, const struct fb_sources *sources, enum fb_repo repo,
		     const struct fb_strs *suites, size_t nth, struct fb_judged *judged)
{
	struct fb_arena *arena = view->arena;
	const char *dir = fb_format(arena, "%s/%zu", scratch, nth);
	const char *const tool[] = { "/usr/bin/apt-get", "-qq", "-c", fb_format(arena, "%s/apt.conf", dir), "update", NULL };
	struct fb_error err;
	judged->why = "";
	judged->release = fb_alloc(arena, suites->n * sizeof(*judged->release) + 1);
	judged->date = fb_alloc(arena, suites->n * sizeof(*judged->date) + 1);
	int rc = lay(view, dir, stanzas(arena, sources, repo, judged->uri), &err);
	if (rc == 0)
		rc = view->env->exec(view->env, arena, fb_apt_argv(arena, FB_APT_JUDGE, LIMIT_S, tool), fb_apt_wait_ms(LIMIT_S),
				     NULL, &err);
	if (rc < 0) {
		judged->why = fb_apt_reason(arena, err.text);
		return;
	}
	for (size_t i = 0; i < suites->n && !*judged->why; i++) {
		judged->release[i] = kept(view, dir, judged->uri, suites->item[i]);
		judged->date[i] = judged->release[i] ? fb_release_date(arena, judged->release[i]) : 0;
		if (!judged->release[i])
			judged->why = fb_format(arena, "apt accepts no signed list of %s from it", suites->item[i]);
		else if (!judged->date[i])
			judged->why = fb_format(arena, "its list of %s has no date", suites->item[i]);
	}
}

static void remove_all(struct fb_view *view, const char *path, int depth)
{
	struct fb_strs names;
	struct fb_stat st;
	struct fb_error ignored;	/* scratch in /run: what stays is gone at the next boot */
	if (fb_fs_stat(view->fs, path, &st, &ignored) < 0)
		return;
	if (st.type == FB_IS_DIR && depth < DEPTH_MAX && fb_fs_list(view->fs, view->arena, path, &names, &ignored) == 0)
		for (size_t i = 0; i < names.n; i++)
			remove_all(view, fb_format(view->arena, "%s/%s", path, names.item[i]), depth + 1);
	(void)fb_fs_remove(view->fs, path, &ignored);
}

void fb_mirror_clean(struct fb_view *view)
{
	remove_all(view, scratch, 0);
}
