/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where packages come from: the mirrors of provision.conf, once they are proven good, in apt's own files. */
#include "apt.h"

#include <string.h>

#include "mirror.h"
#include "text.h"

#define LISTS "/var/lib/apt/lists"
enum { MIRRORS_MAX = 8 };

static const struct fb_key keys[] = {
	{ .path = "apt.armbian-mirrors",
	  .type = FB_LIST,
	  .offset = offsetof(struct fb_config, apt.armbian_mirrors),
	  .preset = "{ \"https://mirrors.xtom.de/armbian/\" }",
	  .valid = fb_valid_mirror,
	  .range = "addresses http://HOST/PATH or https://HOST/PATH, at most 8; { } keeps what the image has",
	  .doc = "Mirrors of Armbian's packages. One counts only if apt accepts its signed and fresh list; of several good ones the fastest is taken, and stays while it is good. If none is good, the image's own stays." },
	{ .path = "apt.mirrors",
	  .type = FB_LIST,
	  .offset = offsetof(struct fb_config, apt.mirrors),
	  .valid = fb_valid_mirror,
	  .range = "addresses http://HOST/PATH or https://HOST/PATH, at most 8; { } keeps what the image has",
	  .example = "{ \"https://ftp.riken.jp/Linux/debian/debian/\" }",
	  .doc = "Mirrors of the distribution's packages (Debian, Ubuntu), chosen in the same way. Security updates that have a source of their own stay with it." },
};

static const struct {
	const char *key, *what;
	enum fb_repo repo;
	size_t offset;			/* of the list in struct fb_apt */
} mirrors[] = {
	{ "apt.armbian-mirrors", "Armbian", FB_REPO_ARMBIAN, offsetof(struct fb_apt, armbian_mirrors) },
	{ "apt.mirrors", "the distribution", FB_REPO_DISTRO, offsetof(struct fb_apt, mirrors) },
};

static const struct fb_strs *candidates_of(const struct fb_apt *apt, size_t i)
{
	return (const struct fb_strs *)(const void *)((const char *)apt + mirrors[i].offset);
}

struct measured {
	struct fb_mirror_choice choice[FB_ARRAY_LEN(mirrors)];
};

static void check_apt(struct fb_conf *conf)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(mirrors); i++) {
		const struct fb_strs *list = candidates_of(&conf->value.apt, i);
		if (list->n > MIRRORS_MAX)
			fb_conf_complain(conf, mirrors[i].key, NULL, MIRRORS_MAX, "has %zu mirrors; at most %d are tried", list->n,
					 MIRRORS_MAX);
		for (size_t k = 0; k < list->n; k++)
			for (size_t before = 0; before < k; before++)
				if (fb_uri_same(list->item[before], list->item[k]))
					fb_conf_complain(conf, mirrors[i].key, NULL, k, "\"%s\" is there twice", list->item[k]);
	}
}

static const void *measure_apt(struct fb_view *view, const struct fb_conf *conf)
{
	struct measured *measured = fb_alloc(view->arena, sizeof(*measured));
	struct fb_sources sources;
	fb_sources_read(view, &sources);
	for (size_t i = 0; i < FB_ARRAY_LEN(mirrors); i++)
		fb_mirror_choose(view, &sources, mirrors[i].repo, candidates_of(&conf->value.apt, i), &measured->choice[i]);
	return measured;
}

void fb_apt_plan_sources(struct fb_plan *plan, const struct fb_sources *sources, const char *const uri[FB_N_REPOS])
{
	for (size_t i = 0; i < sources->n; i++) {
		const char *path = sources->source[i].path;
		struct fb_stat st;
		bool is_done = i && !strcmp(path, sources->source[i - 1].path);		/* sources of a file stand together */
		if (!is_done && fb_view_stat(plan->view, path, &st))
			fb_want_owned_file(plan, path, fb_sources_edit(plan->view->arena, sources, path, uri), st.mode, st.uid,
					   st.gid, "the mirror that was found good");
	}
}

/* Lists that no source names any more. apt keeps them too while an update has any error. */
static void plan_lists(struct fb_plan *plan, const struct fb_sources *sources)
{
	struct fb_arena *arena = plan->view->arena;
	struct fb_strs names, known = { 0 };
	(void)fb_view_list(plan->view, LISTS, &names);	/* no directory, no names */
	for (size_t i = 0; i < sources->n; i++)
		for (size_t k = 0; sources->source[i].is_enabled && k < sources->source[i].n_uris; k++)
			fb_strs_add(arena, &known, fb_format(arena, "%s_", fb_uri_list_name(arena, sources->source[i].uri[k].text)));
	for (size_t i = 0; i < names.n; i++) {
		bool is_known = !strstr(names.item[i], "_dists_");
		for (size_t k = 0; k < known.n && !is_known; k++)
			is_known = fb_text_starts(names.item[i], known.item[k]);
		if (!is_known && fb_want_absent(plan, fb_format(arena, LISTS "/%s", names.item[i]), "list of a source that is gone") &&
		    plan->view->facts->is_live)
			plan->change[plan->n - 1].when = FB_ONLINE;	/* that stage may write there */
	}
}

static void plan_apt(struct fb_plan *plan, const struct fb_conf *conf)
{
	const struct measured *measured = plan->view->measured;
	const char *uri[FB_N_REPOS] = { NULL };
	struct fb_sources sources;
	if (!conf)
		return;		/* the image keeps the sources of its distribution */
	fb_sources_read(plan->view, &sources);
	for (size_t i = 0; measured && i < FB_ARRAY_LEN(mirrors); i++) {
		const struct fb_mirror_choice *choice = &measured->choice[i];
		uri[mirrors[i].repo] = choice->uri;
		for (size_t k = 0; k < choice->why.n && !choice->uri; k++)
			fb_plan_note(plan, "%s: %s", mirrors[i].key, choice->why.item[k]);
		if (choice->is_asked && !choice->uri)
			fb_plan_later(plan, "%s: no mirror is good now, the sources stay as they were", mirrors[i].key);
	}
	if (measured)
		fb_apt_plan_sources(plan, &sources, uri);
	plan_lists(plan, &sources);
}

void fb_apt_in_use(struct fb_view *view, const struct fb_apt *apt, const char *ret_uri[FB_N_REPOS])
{
	struct fb_sources sources;
	fb_sources_read(view, &sources);
	for (size_t i = 0; i < FB_ARRAY_LEN(mirrors); i++) {
		const struct fb_strs *list = candidates_of(apt, i);
		ret_uri[mirrors[i].repo] = NULL;
		for (size_t k = list->n; k-- > 0;)
			for (size_t s = 0; s < sources.n; s++)
				if (fb_sources_is_movable(&sources.source[s], mirrors[i].repo) &&
				    fb_uri_same(sources.source[s].uri[0].text, list->item[k]))
					ret_uri[mirrors[i].repo] = list->item[k];
	}
}

static void probe_apt(struct fb_report *report, const struct fb_conf *conf)
{
	struct fb_view *view = report->view;
	struct fb_sources sources;
	fb_sources_read(view, &sources);
	for (size_t i = 0; i < FB_ARRAY_LEN(mirrors); i++) {
		const struct fb_strs *list = candidates_of(&conf->value.apt, i);
		struct fb_strs used = { 0 };
		bool is_held = true;
		for (size_t s = 0; s < sources.n; s++) {
			bool is_ours = fb_sources_is_movable(&sources.source[s], mirrors[i].repo);
			for (size_t u = 0; is_ours && u < sources.source[s].n_uris; u++) {
				const char *uri = sources.source[s].uri[u].text;
				bool is_listed = false;
				for (size_t k = 0; k < list->n; k++)
					is_listed |= fb_uri_same(uri, list->item[k]);
				is_held &= is_listed || !list->n;
				if (!fb_strs_has(&used, uri))
					fb_strs_add(view->arena, &used, uri);
			}
		}
		const char *wanted = list->n > 1 ? fb_format(view->arena, "one of %s", fb_text_join(view->arena, list, ", ")) :
				     list->n ? list->item[0] : "as the image has it";
		if (!view->facts->is_live)
			fb_report_add(report, mirrors[i].key, FB_UNMEASURED, wanted, "not a running system");
		else if (!used.n && list->n)
			fb_report_add(report, mirrors[i].key, FB_UNMEASURED, wanted,
				      fb_format(view->arena, "no source of %s is on this box", mirrors[i].what));
		else
			fb_report_add(report, mirrors[i].key, is_held ? FB_HELD : FB_DIFFERS, wanted,
				      used.n ? fb_text_join(view->arena, &used, ", ") : "none");
	}
}

const struct fb_step fb_step_apt = {
	.name = "apt",
	.summary = "mirrors of packages",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = check_apt,
	.measure = measure_apt,
	.plan = plan_apt,
	.probe = probe_apt,
};
