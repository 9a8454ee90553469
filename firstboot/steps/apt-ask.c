/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What apt says before it does anything: fresh lists, which packages there are, how much room they take. */
#include <stdlib.h>
#include <string.h>

#include "apt-run.h"
#include "apt.h"
#include "text.h"

enum {
	LOCK_S = 300,			/* wait for another apt or dpkg: apt-daily has held the lock for minutes on first boots */
	UPDATE_LIMIT_S = 300, ASK_LIMIT_MS = 60000,
	RESERVE_BYTES = 64 << 20,	/* stays free, for the box's own records; our choice */
};

const char *const *fb_apt_get(struct fb_arena *arena, const char *const *words, const struct fb_strs *packages)
{
	struct fb_strs argv = { 0 };
	static const char *const options[] = {
		"/usr/bin/apt-get", "-q", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confdef", "-o",
		"Dpkg::Options::=--force-confold", "-o", "Acquire::Retries=2", "-o",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(options); i++)
		fb_strs_add(arena, &argv, options[i]);
	fb_strs_add(arena, &argv, fb_format(arena, "DPkg::Lock::Timeout=%d", LOCK_S));
	for (; *words; words++)
		fb_strs_add(arena, &argv, *words);
	for (size_t i = 0; packages && i < packages->n; i++)
		fb_strs_add(arena, &argv, packages->item[i]);
	fb_strs_add(arena, &argv, NULL);
	return argv.item;
}

const char *const *fb_apt_upgrade_words(const char *token)
{
	static const char *const all[] = { "--with-new-pkgs", "upgrade", NULL };
	static const char *const held[] = { "-o", "Dir::Etc::Preferences=" FB_APT_PREFERENCES, "--with-new-pkgs", "upgrade", NULL };
	return !strcmp(token, FB_APT_KERNEL_UPGRADE) ? all : held;
}

int64_t fb_apt_room(const char *said)
{
	static const struct {
		const char *unit;
		int64_t bytes;
	} units[] = { { " kB of additional", 1000 }, { " MB of additional", 1000000 }, { " GB of additional", 1000000000 },
		      { " B of additional", 1 } };
	static const char after[] = "After this operation, ";
	const char *line, *room = strstr(said, after);
	int64_t bytes = 0;
	size_t len;
	for (const char *at = said; fb_text_next_line(&at, &line, &len);) {	/* 'URL' FILE BYTES SUM */
		const char *end = line + len, *file = *line == '\'' ? memchr(line + 1, '\'', len - 1) : NULL;
		const char *size = file && file + 2 < end ? memchr(file + 2, ' ', (size_t)(end - file - 2)) : NULL;
		bytes += size ? strtoll(size, NULL, 10) : 0;
	}
	for (size_t i = 0; room && i < FB_ARRAY_LEN(units); i++) {
		char *unit;
		double more = strtod(room + strlen(after), &unit);
		if (fb_text_starts(unit, units[i].unit))
			return bytes + (int64_t)(more * (double)units[i].bytes);
	}
	return bytes;
}

static int ask(struct fb_view *view, const char *const *argv, const char **ret_said, struct fb_error *err)
{
	char *said = NULL;
	int rc = view->env->exec(view->env, view->arena, argv, ASK_LIMIT_MS, &said, err);
	*ret_said = said ? said : "";
	return rc;
}

/* Whether "apt-cache policy" names a version of it that could be installed. */
static bool has_candidate(struct fb_arena *arena, const char *policy, const char *name)
{
	static const char label[] = "Candidate: ";
	const char *at = strstr(policy, fb_format(arena, "\n%s:\n", name));
	const char *candidate = at ? strstr(at, label) : NULL;
	return candidate && !fb_text_starts(candidate + strlen(label), "(none)");
}

static void find_packages(struct fb_view *view, struct fb_apt_asked *asked)
{
	static const char *const words[] = { "-s", "install", NULL };
	const struct fb_strs *missing = &asked->due.missing;
	struct fb_strs argv = { 0 };
	struct fb_error err;
	const char *said;
	fb_strs_add(view->arena, &argv, "/usr/bin/apt-cache");
	fb_strs_add(view->arena, &argv, "policy");
	for (size_t i = 0; i < missing->n; i++)
		fb_strs_add(view->arena, &argv, missing->item[i]);
	fb_strs_add(view->arena, &argv, NULL);
	if (!missing->n)
		return;
	const char *policy = ask(view, argv.item, &said, &err) < 0 ? "" : fb_format(view->arena, "\n%s", said);
	for (size_t i = 0; i < missing->n; i++) {
		struct fb_strs one = { &missing->item[i], 1 };
		/* A name that only others provide has no version: apt-get has to say whether it finds one of them. */
		bool is_found = has_candidate(view->arena, policy, one.item[0]) ||
				ask(view, fb_apt_get(view->arena, words, &one), &said, &err) == 0;
		fb_strs_add(view->arena, is_found ? &asked->found : &asked->unknown, one.item[0]);
	}
}

static void find_room(struct fb_view *view, struct fb_apt_asked *asked)
{
	static const char *const df[] = { "/usr/bin/df", "--output=avail", "-B1", "/var/cache/apt", NULL };
	static const char *const install[] = { "--print-uris", "install", NULL };
	/* With the kernel, whether it is held or not: rather too much. */
	static const char *const upgrade[] = { "--print-uris", "--with-new-pkgs", "upgrade", NULL };
	struct fb_error err;
	const char *said;
	asked->need_bytes = RESERVE_BYTES;
	asked->free_bytes = INT64_MAX;		/* if df fails, apt's own checks are left */
	if (ask(view, df, &said, &err) == 0 && strchr(said, '\n'))
		asked->free_bytes = strtoll(strchr(said, '\n'), NULL, 10);
	if (asked->found.n && ask(view, fb_apt_get(view->arena, install, &asked->found), &said, &err) < 0)
		asked->broken_why = fb_apt_reason(view->arena, err.text);
	else if (asked->found.n)
		asked->need_bytes += fb_apt_room(said);
	if (asked->due.upgrade_token && ask(view, fb_apt_get(view->arena, upgrade, NULL), &said, &err) == 0)
		asked->need_bytes += fb_apt_room(said);
}

struct fb_apt_asked *fb_apt_ask(struct fb_view *view, const struct fb_apt_due *due)
{
	static const char *const check[] = { "check", NULL };
	static const char *const update[] = { "-o", "APT::Update::Error-Mode=any", "update", NULL };
	struct fb_apt_asked *asked = fb_alloc(view->arena, sizeof(*asked));
	struct fb_error err;
	const char *const *argv = fb_apt_argv(view->arena, FB_APT_SYSTEM, UPDATE_LIMIT_S, fb_apt_get(view->arena, update, NULL));
	*asked = (struct fb_apt_asked){ .due = *due, .update_why = "", .broken_why = "" };
	if (view->env->exec(view->env, view->arena, argv, fb_apt_wait_ms(UPDATE_LIMIT_S), NULL, &err) < 0)
		asked->update_why = fb_apt_reason(view->arena, err.text);
	/* It waits for the lock, so what it finds is no other run at work. */
	argv = fb_apt_argv(view->arena, FB_APT_SYSTEM, LOCK_S + ASK_LIMIT_MS / 1000, fb_apt_get(view->arena, check, NULL));
	asked->is_interrupted = view->env->exec(view->env, view->arena, argv, fb_apt_wait_ms(LOCK_S + ASK_LIMIT_MS / 1000), NULL,
						&err) < 0;
	find_packages(view, asked);
	find_room(view, asked);
	return asked;
}
