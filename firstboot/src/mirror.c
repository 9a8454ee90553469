/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mirror to use: judged by apt, compared with each other, measured. */
#include "mirror.h"

#include <string.h>
#include <time.h>

#include "mirror-judge.h"
#include "release.h"
#include "text.h"

enum {
	STALE_S = 7 * 24 * 3600,	/* behind the newest date that is known; bookworm's own list was 143 days old once */
	PROBE_MAX_BYTES = 1 << 20, PROBE_LIMIT_MS = 8000,
	TYPICAL_FETCHES = 4,		/* round trips to a first byte that an update takes */
	TYPICAL_BITS = 8 * (10 << 20),	/* size of bookworm's main index, compressed: 8.6 MiB (arm64) */
};

struct contest {
	struct fb_view *view;
	const struct fb_sources *sources;
	enum fb_repo repo;
	struct fb_strs suites;
	struct fb_judged *judged;
	uint64_t *cost_us;		/* of a typical update */
	size_t n;
	size_t current;			/* n: none of the candidates is in use */
};

static const char *day(struct fb_arena *arena, int64_t seconds)
{
	char text[32];
	time_t then = (time_t)seconds;
	struct tm tm;
	return gmtime_r(&then, &tm) && strftime(text, sizeof(text), "%Y-%m-%d", &tm) ? fb_strdup(arena, text) : "?";
}

/* The newest date of a suite that a signed list tells: one of a candidate, or one that the box has already. */
static int64_t newest(const struct contest *contest, size_t suite)
{
	struct fb_view *view = contest->view;
	int64_t date = 0;
	for (size_t i = 0; i < contest->n; i++)
		if (!*contest->judged[i].why && contest->judged[i].date[suite] > date)
			date = contest->judged[i].date[suite];
	for (size_t i = 0; i < contest->sources->n; i++) {
		const struct fb_source *source = &contest->sources->source[i];
		for (size_t k = 0; fb_sources_is_movable(source, contest->repo) && k < source->n_uris; k++) {
			const char *path = fb_format(view->arena, "/var/lib/apt/lists/%s_dists_%s_InRelease",
						     fb_uri_list_name(view->arena, source->uri[k].text),
						     contest->suites.item[suite]);
			const char *list = fb_view_text(view, path);
			int64_t known = list ? fb_release_date(view->arena, list) : 0;
			date = known > date ? known : date;
		}
	}
	return date;
}

static void refuse_stale(struct contest *contest)
{
	struct fb_arena *arena = contest->view->arena;
	for (size_t suite = 0; suite < contest->suites.n; suite++) {
		int64_t date = newest(contest, suite);
		for (size_t i = 0; i < contest->n; i++)
			if (!*contest->judged[i].why && contest->judged[i].date[suite] < date - STALE_S)
				contest->judged[i].why =
					fb_format(arena, "its list of %s is of %s, and one of %s is known: it is stale",
						  contest->suites.item[suite], day(arena, contest->judged[i].date[suite]),
						  day(arena, date));
	}
}

static const char *first_component(const struct contest *contest)
{
	for (size_t i = 0; i < contest->sources->n; i++)
		if (fb_sources_is_movable(&contest->sources->source[i], contest->repo) &&
		    contest->sources->source[i].components.n)
			return contest->sources->source[i].components.item[0];
	return "main";
}

/* What the transfer of the index shows. A list that is signed and good is not enough: a copy may be half done. */
static void weigh(struct contest *contest, size_t i, const struct fb_url_probe *probe, const char *index, int64_t size)
{
	struct fb_judged *judged = &contest->judged[i];
	struct fb_arena *arena = contest->view->arena;
	contest->cost_us[i] = UINT64_MAX;	/* apt gets through where we do not, by a proxy perhaps: good, but last */
	if (probe->status >= 400)
		judged->why = fb_format(arena, "its %s: HTTP status %ld", index, probe->status);
	else if (!*probe->why && probe->size_bytes >= 0 && probe->size_bytes != size)
		judged->why = fb_format(arena, "its %s has %lld bytes, and the signed list says %lld: it is cut", index,
					(long long)probe->size_bytes, (long long)size);
	else if (!*probe->why)
		contest->cost_us[i] = probe->first_byte_us * TYPICAL_FETCHES +
				      (uint64_t)TYPICAL_BITS * 1000000 / (probe->rate_bps + 1);
}

/* Measure the good ones, or only the one. */
static void measure(struct contest *contest, size_t first, size_t end)
{
	static const char *const argv[] = { "/usr/bin/dpkg", "--print-architecture", NULL };
	struct fb_view *view = contest->view;
	const char *ignored, *asked = fb_view_ask(view, argv, &ignored), *index[contest->n + 1];
	const char *arch = asked ? fb_strndup(view->arena, asked, strcspn(asked, "\n")) : "arm64";
	struct fb_url_probe *probe = fb_alloc(view->arena, (contest->n + 1) * sizeof(*probe));
	size_t whose[contest->n + 1], n = 0;
	int64_t size[contest->n + 1];
	for (size_t i = first; i < end; i++) {
		const struct fb_judged *judged = &contest->judged[i];
		contest->cost_us[i] = UINT64_MAX;
		index[n] = *judged->why ? NULL : fb_release_index(view->arena, judged->release[0], first_component(contest), arch,
								  &size[n]);
		if (!index[n])
			continue;
		size_t len = strlen(judged->uri);
		while (len && judged->uri[len - 1] == '/')
			len--;
		probe[n].url = fb_format(view->arena, "%.*s/dists/%s/%s", (int)len, judged->uri, contest->suites.item[0], index[n]);
		probe[n].max_bytes = PROBE_MAX_BYTES;
		whose[n++] = i;
	}
	if (!n || !view->env->probe_urls)
		return;
	view->env->probe_urls(view->env, view->arena, probe, n, PROBE_LIMIT_MS);
	for (size_t i = 0; i < n; i++)
		weigh(contest, whose[i], &probe[i], index[i], size[i]);
}

static size_t in_use(const struct contest *contest)
{
	for (size_t i = 0; i < contest->n; i++)
		for (size_t k = 0; k < contest->sources->n; k++) {
			const struct fb_source *source = &contest->sources->source[k];
			if (fb_sources_is_movable(source, contest->repo) && source->n_uris == 1 &&
			    fb_uri_same(source->uri[0].text, contest->judged[i].uri))
				return i;
		}
	return contest->n;
}

static const char *winner(struct contest *contest)
{
	const struct fb_judged *best = NULL;
	uint64_t best_us = 0;
	if (contest->current < contest->n && !*contest->judged[contest->current].why) {
		measure(contest, contest->current, contest->current + 1);
		if (!*contest->judged[contest->current].why)
			return contest->judged[contest->current].uri;	/* good enough to stay: no change without need */
	}
	measure(contest, 0, contest->n);
	for (size_t i = 0; i < contest->n; i++)
		if (!*contest->judged[i].why && (!best || contest->cost_us[i] < best_us)) {
			best = &contest->judged[i];
			best_us = contest->cost_us[i];
		}
	return best ? best->uri : NULL;
}

void fb_mirror_choose(struct fb_view *view, const struct fb_sources *sources, enum fb_repo repo,
		      const struct fb_strs *candidates, struct fb_mirror_choice *ret_choice)
{
	struct contest contest = { .view = view, .sources = sources, .repo = repo, .n = candidates->n };
	*ret_choice = (struct fb_mirror_choice){ 0 };
	fb_mirror_suites(view->arena, sources, repo, &contest.suites);
	ret_choice->is_asked = contest.suites.n && contest.n;
	if (!ret_choice->is_asked)
		return;
	contest.judged = fb_alloc(view->arena, contest.n * sizeof(*contest.judged));
	contest.cost_us = fb_alloc(view->arena, contest.n * sizeof(*contest.cost_us));
	fb_mirror_clean(view);
	for (size_t i = 0; i < contest.n; i++) {
		contest.judged[i].uri = candidates->item[i];
		fb_mirror_judge(view, sources, repo, &contest.suites, i, &contest.judged[i]);
	}
	fb_mirror_clean(view);
	refuse_stale(&contest);
	contest.current = in_use(&contest);
	ret_choice->uri = winner(&contest);
	for (size_t i = 0; i < contest.n; i++)
		if (*contest.judged[i].why)
			fb_strs_add(view->arena, &ret_choice->why,
				    fb_format(view->arena, "%s: %s", contest.judged[i].uri, contest.judged[i].why));
}
