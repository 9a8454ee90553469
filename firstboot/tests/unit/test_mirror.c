/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choice of a mirror, with an apt and a network that do what the test says. */
#include "mirror.h"

#include "apt-run.h"
#include "box.h"
#include "fake.h"

#define OLD "Thu, 01 Jan 2026 00:00:00 UTC"
#define NEW "Fri, 09 Jan 2026 00:00:01 UTC"		/* seven days and more later */
#define NEAR "Thu, 08 Jan 2026 00:00:00 UTC"		/* seven days later */

/* A mirror as it answers. */
struct mirror {
	const char *date;	/* of its list; NULL: apt refuses it */
	long status;		/* of its index */
	int64_t size;
	uint64_t first_us, rate_bps;
};

static const struct mirror *world;
static struct fake fake;

/* The scratch directory tells which candidate it is about. */
static int apt_get(struct fake *self, const char *const *argv, char **ret_out, struct fb_error *err)
{
	const char *conf = NULL;
	if (!strcmp(argv[0], "/usr/bin/dpkg")) {
		*ret_out = fb_strdup(self->arena, "arm64\n");
		return 0;
	}
	for (size_t i = 0; argv[i]; i++)
		conf = !strcmp(argv[i], "-c") ? argv[i + 1] : conf;
	CHECK(conf && !strncmp(conf, "/run/r4s/mirror/", 16));
	size_t nth = (size_t)(conf[16] - '0');
	if (!world[nth].date)
		return fb_fail(err, EIO, "run x: exit status 100: E: m%zu is not signed.", nth);
	const char *path = fb_format(self->arena, "run/r4s/mirror/%zu/lists/m%zu.example_a_dists_bookworm_InRelease", nth, nth);
	room_write(path, fb_format(self->arena, "Date: %s\nSHA256:\n aa 500 main/binary-arm64/Packages.xz\n", world[nth].date));
	return 0;
}

static void probe_urls(struct fb_env *env, struct fb_arena *arena, struct fb_url_probe *probe, size_t n, unsigned timeout_ms)
{
	CHECK(timeout_ms <= 10000);
	for (size_t i = 0; i < n; i++) {
		size_t nth = (size_t)(probe[i].url[strlen("http://m")] - '0');
		CHECK_STR(probe[i].url, fb_format(arena, "http://m%zu.example/a/dists/bookworm/main/binary-arm64/Packages.xz", nth));
		fb_buf_add(&((struct fake *)env)->calls, "probe %zu\n", nth);
		probe[i].status = world[nth].status;
		probe[i].why = world[nth].status == 200 ? "" : "no";
		probe[i].size_bytes = world[nth].size;
		probe[i].first_byte_us = world[nth].first_us;
		probe[i].rate_bps = world[nth].rate_bps;
	}
}

TEST(choice)
{
	static const struct {
		const char *name;
		struct mirror m[3];
		char used;		/* the digit of the mirror in use */
		const char *list;	/* date of the list that the box has; NULL: none */
		const char *want, *why;
	} rows[] = {
		{ "the fastest of three", { { NEW, 200, 500, 9000, 1000000 }, { NEW, 200, 500, 9000, 9000000 }, { NEW, 200, 500, 9000, 2000000 } },
		  'x', NULL, "http://m1.example/a/", "" },
		{ "a near one beats one a little wider", { { NEW, 200, 500, 9000000, 9000000 }, { NEW, 200, 500, 10000, 8000000 }, { NULL, 0, 0, 0, 0 } },
		  'x', NULL, "http://m1.example/a/", "http://m2.example/a/: E: m2 is not signed." },
		{ "in use and good: it stays", { { NEW, 200, 500, 9000, 1000000 }, { NEW, 200, 500, 9000, 9000000 }, { NEW, 200, 500, 1, 1 } },
		  '2', NULL, "http://m2.example/a/", "" },
		{ "in use and cut: another", { { NEW, 200, 500, 9000, 1000000 }, { NULL, 0, 0, 0, 0 }, { NEW, 200, 499, 1, 1 } }, '2', NULL, "http://m0.example/a/",
		  "http://m1.example/a/: E: m1 is not signed.|http://m2.example/a/: its main/binary-arm64/Packages.xz has 499 bytes, and the signed list says 500: it is cut" },
		{ "stale against another", { { OLD, 200, 500, 1, 9000000 }, { NEW, 200, 500, 9000, 1 }, { NULL, 0, 0, 0, 0 } }, '0', NULL, "http://m1.example/a/",
		  "http://m0.example/a/: its list of bookworm is of 2026-01-01, and one of 2026-01-09 is known: it is stale|http://m2.example/a/: E: m2 is not signed." },
		{ "seven days are not stale", { { OLD, 200, 500, 1, 9000000 }, { NEAR, 200, 500, 9000, 1 }, { NULL, 0, 0, 0, 0 } }, 'x', NULL, "http://m0.example/a/",
		  "http://m2.example/a/: E: m2 is not signed." },
		{ "stale against what the box has", { { OLD, 200, 500, 1, 1 }, { NULL, 0, 0, 0, 0 }, { NULL, 0, 0, 0, 0 } }, 'x', NEW, NULL,
		  "http://m0.example/a/: its list of bookworm is of 2026-01-01, and one of 2026-01-09 is known: it is stale|"
		  "http://m1.example/a/: E: m1 is not signed.|http://m2.example/a/: E: m2 is not signed." },
		{ "an index that is not there", { { NEW, 404, -1, 0, 0 }, { NULL, 0, 0, 0, 0 }, { NULL, 0, 0, 0, 0 } }, 'x', NULL, NULL,
		  "http://m0.example/a/: its main/binary-arm64/Packages.xz: HTTP status 404|http://m1.example/a/: E: m1 is not signed.|http://m2.example/a/: E: m2 is not signed." },
		{ "we do not get through, apt does", { { NEW, 0, -1, 0, 0 }, { NULL, 0, 0, 0, 0 }, { NULL, 0, 0, 0, 0 } }, 'x', NULL, "http://m0.example/a/",
		  "http://m1.example/a/: E: m1 is not signed.|http://m2.example/a/: E: m2 is not signed." },
		{ "that one comes last", { { NEW, 0, -1, 0, 0 }, { NEW, 200, -1, 900000, 1 }, { NULL, 0, 0, 0, 0 } }, 'x', NULL, "http://m1.example/a/",
		  "http://m2.example/a/: E: m2 is not signed." },
	};
	static const char *uris[] = { "http://m0.example/a/", "http://m1.example/a/", "http://m2.example/a/" };
	const struct fb_strs candidates = { uris, 3 };
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		struct fb_sources sources;
		struct fb_mirror_choice choice;
		box_open(&box);
		fake_start(&fake, box.arena);
		fake.on_exec = apt_get;
		fake.env.probe_urls = probe_urls;
		world = rows[i].m;
		box_put(&box, "/etc/passwd", "root:x:0:0:::\n_apt:x:0:0:::\n");
		box_put(&box, "/etc/apt/sources.list", fb_format(box.arena, "deb [signed-by=/k/debian-archive.gpg] http://m%c.example/a bookworm main\n", rows[i].used));
		if (rows[i].list)
			box_put(&box, "/var/lib/apt/lists/mx.example_a_dists_bookworm_InRelease", fb_format(box.arena, "Date: %s\n", rows[i].list));
		struct fb_view *view = box_view(&box);
		view->env = &fake.env;
		fb_sources_read(view, &sources);
		fb_mirror_choose(view, &sources, FB_REPO_DISTRO, &candidates, &choice);
		const char *why = "";
		for (size_t k = 0; k < choice.why.n; k++)
			why = fb_format(box.arena, "%s%s%s", why, k ? "|" : "", choice.why.item[k]);
		if (choice.uri != rows[i].want && (!choice.uri || !rows[i].want || strcmp(choice.uri, rows[i].want)))
			test_fail(__FILE__, __LINE__, "[%s] chose %s", rows[i].name, choice.uri ? choice.uri : "none");
		CHECK_STR(why, rows[i].why);
		CHECK_ROW(rows[i].name, !fb_view_exists(view, "/run/r4s/mirror"));
		box_close(&box);
	}
}

TEST(nobody_is_asked_without_need)
{
	static const char *uris[] = { "http://m0.example/a/" };
	const struct fb_strs one = { uris, 1 }, none = { 0 };
	struct box box;
	struct fb_sources sources;
	struct fb_mirror_choice choice;
	box_open(&box);
	fake_start(&fake, box.arena);
	struct fb_view *view = box_view(&box);
	view->env = &fake.env;
	fb_sources_read(view, &sources);
	fb_mirror_choose(view, &sources, FB_REPO_DISTRO, &one, &choice);	/* no source to use it for */
	CHECK(!choice.is_asked && !choice.uri);
	box_put(&box, "/etc/apt/sources.list", "deb [signed-by=/k/debian-archive.gpg] http://x.example/a bookworm main\n");
	fb_sources_read(view, &sources);
	fb_mirror_choose(view, &sources, FB_REPO_DISTRO, &none, &choice);
	CHECK(!choice.is_asked && !choice.uri);
	CHECK_STR(fb_buf_text(&fake.calls), "");
	box_close(&box);
}

TEST(reasons)
{
	static const struct {
		const char *message, *want;
	} rows[] = {
		{ "run /usr/bin/systemd-run: exit status 100: E: no.", "E: no." },
		{ "run /usr/bin/systemd-run: exit status 1", "it took too long and was stopped" },
		{ "run /usr/bin/systemd-run: exit status 255", "it ended with exit status 255" },
		{ "run /usr/bin/systemd-run: did not end within 5 ms and was stopped", "it did not end within its time limit" },
		{ "run /usr/bin/systemd-run: no such program", "run /usr/bin/systemd-run: no such program" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_apt_reason(arena, rows[i].message), rows[i].want);
	fb_arena_free(arena);
}

TEST_MAIN()
