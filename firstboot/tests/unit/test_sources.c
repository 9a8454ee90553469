/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apt's sources: whose they are, and that an edit changes the addresses and nothing else. */
#include "sources.h"

#include "box.h"
#include "release.h"

#define DEBIAN_KEY "/usr/share/keyrings/debian-archive-keyring.gpg"
#define ARMBIAN_KEY "/usr/share/keyrings/armbian-archive-keyring.gpg"

static const char *const to[FB_N_REPOS] = { [FB_REPO_ARMBIAN] = "https://a.example/armbian/", [FB_REPO_DISTRO] = "http://d.example/debian" };

static void read_file(struct box *box, const char *path, const char *text, struct fb_sources *ret_all)
{
	box_open(box);
	box_put(box, "/etc/os-release", "NAME=x\nVERSION_CODENAME=bookworm\n");
	box_put(box, path, text);
	fb_sources_read(box_view(box), ret_all);
	CHECK_INT(box->view.rc, 0);
}

TEST(edits_change_addresses_only)
{
	static const struct {
		const char *name, *path, *old, *want;
	} rows[] = {
		{ "deb822", "/etc/apt/sources.list.d/a.sources",
		  "# head\nTypes: deb\nURIs: http://x.example\nSuites: bookworm\nComponents: main\nX-More: y\nSigned-By: " ARMBIAN_KEY "\n",
		  "# head\nTypes: deb\nURIs: https://a.example/armbian/\nSuites: bookworm\nComponents: main\nX-More: y\nSigned-By: " ARMBIAN_KEY "\n" },
		{ "no newline at the end, odd case, tabs", "/etc/apt/sources.list.d/a.sources",
		  "signed-by:" DEBIAN_KEY "\nTYPES: deb\nsuites: stable\nuris:\thttp://x.example/  ",
		  "signed-by:" DEBIAN_KEY "\nTYPES: deb\nsuites: stable\nuris:\thttp://d.example/debian  " },
		{ "several addresses on one line", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://x.example/a  http://y.example/b\nSuites: s\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs: http://d.example/debian\nSuites: s\nSigned-By: " DEBIAN_KEY "\n" },
		{ "several on lines of their own, a comment between", "/etc/apt/sources.list.d/a.sources",
		  "URIs:\n http://x.example\n# why\n\thttp://y.example\nSuites: s\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs:\n http://d.example/debian\n# why\nSuites: s\nSigned-By: " DEBIAN_KEY "\n" },
		{ "one of several is it already", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://d.example/debian http://y.example\nSuites: s\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs: http://d.example/debian\nSuites: s\nSigned-By: " DEBIAN_KEY "\n" },
		{ "a slash at the end is no difference", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://d.example/debian/\nSuites: s\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs: http://d.example/debian/\nSuites: s\nSigned-By: " DEBIAN_KEY "\n" },
		{ "disabled stanzas stay", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://x.example\nEnabled: No\nSuites: s\nSigned-By: " DEBIAN_KEY "\n\n\nURIs: http://x.example\nEnabled: yes\nSuites: s\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs: http://x.example\nEnabled: No\nSuites: s\nSigned-By: " DEBIAN_KEY "\n\n\nURIs: http://d.example/debian\nEnabled: yes\nSuites: s\nSigned-By: " DEBIAN_KEY "\n" },
		{ "security suites alone stay, beside others they move", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://x.example\nSuites: s-security\nSigned-By: " DEBIAN_KEY "\n\nURIs: http://x.example\nSuites: s s-security\nSigned-By: " DEBIAN_KEY "\n",
		  "URIs: http://x.example\nSuites: s-security\nSigned-By: " DEBIAN_KEY "\n\nURIs: http://d.example/debian\nSuites: s s-security\nSigned-By: " DEBIAN_KEY "\n" },
		{ "strangers and armbian-config stay", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://x.example\nSuites: bookworm\nSigned-By: /usr/share/keyrings/else.gpg\n\nURIs: http://x.example\nSuites: stable\nSigned-By: " ARMBIAN_KEY "\n",
		  "URIs: http://x.example\nSuites: bookworm\nSigned-By: /usr/share/keyrings/else.gpg\n\nURIs: http://x.example\nSuites: stable\nSigned-By: " ARMBIAN_KEY "\n" },
		{ "both repositories in one file", "/etc/apt/sources.list",
		  "deb [signed-by=" ARMBIAN_KEY "] http://x.example bookworm main\ndeb [ arch=arm64  signed-by=" DEBIAN_KEY " ]\thttp://y.example bookworm main # c\n",
		  "deb [signed-by=" ARMBIAN_KEY "] https://a.example/armbian/ bookworm main\ndeb [ arch=arm64  signed-by=" DEBIAN_KEY " ]\thttp://d.example/debian bookworm main # c\n" },
		{ "comments, cdrom and what is no source", "/etc/apt/sources.list.d/a.list",
		  "# deb http://x.example bookworm main\n\ndeb [signed-by=" DEBIAN_KEY "] cdrom:[Debian 12 x]/ bookworm main\ndebx http://x.example\n deb-src [signed-by=" DEBIAN_KEY "] http://x.example bookworm main",
		  "# deb http://x.example bookworm main\n\ndeb [signed-by=" DEBIAN_KEY "] cdrom:[Debian 12 x]/ bookworm main\ndebx http://x.example\n deb-src [signed-by=" DEBIAN_KEY "] http://d.example/debian bookworm main" },
		{ "a key within the stanza tells nothing", "/etc/apt/sources.list.d/a.sources",
		  "URIs: http://x.example\nSuites: bookworm\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n armbian\n -----END PGP PUBLIC KEY BLOCK-----\n",
		  "URIs: http://x.example\nSuites: bookworm\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n armbian\n -----END PGP PUBLIC KEY BLOCK-----\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		struct fb_sources all;
		read_file(&box, rows[i].path, rows[i].old, &all);
		const char *got = all.n ? fb_sources_edit(box.arena, &all, rows[i].path, to) : rows[i].old;
		if (strcmp(got, rows[i].want))
			test_fail(__FILE__, __LINE__, "[%s] got: %s", rows[i].name, got);
		box_close(&box);
	}
}

TEST(origin_tells_where_no_key_does)
{
	static const struct {
		const char *origin;
		enum fb_repo want;
	} rows[] = {
		{ "Debian", FB_REPO_DISTRO }, { "Ubuntu", FB_REPO_DISTRO }, { "armbian", FB_REPO_ARMBIAN }, { "Debian-like", FB_REPO_OTHER },
		{ "", FB_REPO_OTHER },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		struct fb_sources all;
		box_open(&box);
		box_put(&box, "/var/lib/apt/lists/x.example:8080_a%5fb_dists_bookworm_InRelease",
			fb_format(box.arena, "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nOrigin: %s\nLabel: x\n", rows[i].origin));
		box_put(&box, "/etc/os-release", "VERSION_CODENAME=\"bookworm\"\n");
		box_put(&box, "/etc/apt/sources.list", "deb http://x.example:8080/a_b/ bookworm main\n");
		fb_sources_read(box_view(&box), &all);
		CHECK_INT(all.n, 1);
		CHECK_ROW(rows[i].origin, all.source[0].repo == rows[i].want);
		box_close(&box);
	}
}

TEST(files_that_apt_leaves_out)
{
	struct box box;
	struct fb_sources all;
	box_open(&box);
	box_put(&box, "/etc/apt/sources.list.d/a.sources.disabled", "URIs: http://x.example\nSuites: s\n");
	box_put(&box, "/etc/apt/sources.list.d/a.list~", "deb http://x.example s main\n");
	box_put(&box, "/etc/apt/sources.list.d/.a.list", "deb http://x.example s main\n");
	box_put(&box, "/etc/apt/sources.list.d/a b.list", "deb http://x.example s main\n");
	fb_sources_read(box_view(&box), &all);
	CHECK_INT(all.n, 0);
	box_close(&box);
}

TEST(names_of_lists)
{
	static const struct {
		const char *uri, *want;
	} rows[] = {
		{ "http://x.example/debian/", "x.example_debian" }, { "https://u:p@x.example/a/b", "x.example_a_b" },
		{ "http://x.example:81/a_b", "x.example:81_a%5fb" }, { "file:/srv/a", "_srv_a" }, { "mirror+https://x.example/~a", "x.example_%7ea" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_uri_list_name(arena, rows[i].uri), rows[i].want);
	fb_arena_free(arena);
}

TEST(release)
{
	static const char text[] = "Origin: x\nDate: Sat, 12 Jul 2025 09:12:34 UTC\nSHA256:\n"
				   " aa 10 main/binary-arm64/Packages\n bb 7 main/binary-arm64/Packages.gz\n cc     5 main/binary-arm64/Packages.xz\n"
				   " dd 3 contrib/main/binary-arm64/Packages.xz\n ee 9 main/binary-armhf/Packages.gz\n";
	struct fb_arena *arena = fb_arena_new();
	int64_t size = 0;
	CHECK_INT(fb_release_date(arena, text), 1752311554);
	CHECK_INT(fb_release_date(arena, "Date: Sat, 12 Jul 2025 09:12:34 +0900\n"), 0);
	CHECK_INT(fb_release_date(arena, "Date: yesterday\n"), 0);
	CHECK_INT(fb_release_date(arena, ""), 0);
	CHECK_STR(fb_release_index(arena, text, "main", "arm64", &size), "main/binary-arm64/Packages.xz");
	CHECK_INT(size, 5);
	CHECK_STR(fb_release_index(arena, text, "main", "armhf", &size), "main/binary-armhf/Packages.gz");
	CHECK_INT(size, 9);
	CHECK_STR(fb_release_index(arena, text, "universe", "arm64", &size), NULL);
	fb_arena_free(arena);
}

TEST_MAIN()
