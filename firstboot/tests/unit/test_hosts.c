/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /etc/hosts: one line is ours, the rest is not touched. */
#include "test.h"

#include "hosts.h"

TEST(only_our_line_changes)
{
	static const struct {
		const char *name, *old, *hostname, *want;
	} rows[] = {
		{ "replaced in place", "127.0.0.1 localhost\n127.0.1.1\told-name\n::1 localhost\n", "r4s",
		  "127.0.0.1 localhost\n127.0.1.1\tr4s\n::1 localhost\n" },
		{ "added at the end", "127.0.0.1\tlocalhost\n\n# mine\n10.0.0.5 nas\n", "r4s",
		  "127.0.0.1\tlocalhost\n\n# mine\n10.0.0.5 nas\n127.0.1.1\tr4s\n" },
		{ "several labels", "127.0.1.1 x\n", "r4s.home.arpa", "127.0.1.1\tr4s.home.arpa r4s\n" },
		{ "no newline at the end", "127.0.0.1 localhost", "r4s", "127.0.0.1 localhost\n127.0.1.1\tr4s\n" },
		{ "our line without newline", "127.0.1.1 x", "r4s", "127.0.1.1\tr4s\n" },
		{ "empty", "", "r4s", "127.0.1.1\tr4s\n" },
		{ "look-alikes stay", "127.0.1.10 a\n127.0.1.1x b\n#127.0.1.1 c\n", "r4s",
		  "127.0.1.10 a\n127.0.1.1x b\n#127.0.1.1 c\n127.0.1.1\tr4s\n" },
		{ "only the first", "  127.0.1.1 a\n127.0.1.1 b\n", "r4s", "127.0.1.1\tr4s\n127.0.1.1 b\n" },
		{ "odd bytes stay", "\t\xff\xfe \r\n127.0.1.1 x\r\n", "r4s", "\t\xff\xfe \r\n127.0.1.1\tr4s\n" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *got = fb_hosts_text(arena, rows[i].old, rows[i].hostname);
		CHECK_STR(got, rows[i].want);
		CHECK_STR(fb_hosts_text(arena, got, rows[i].hostname), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(absent_file_gets_localhost_too)
{
	struct fb_arena *arena = fb_arena_new();
	const char *got = fb_hosts_text(arena, NULL, "r4s");
	CHECK(strstr(got, "127.0.0.1\tlocalhost\n") == got);
	CHECK(strstr(got, "\n::1\tlocalhost"));
	CHECK(strstr(got, "\n127.0.1.1\tr4s\n"));
	fb_arena_free(arena);
}

TEST_MAIN()
