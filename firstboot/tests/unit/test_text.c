/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines, words, NAME=value files and base64. */
#include "test.h"

#include "text.h"

TEST(lines_end_at_newlines_and_at_the_end)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text, *want; } rows[] = {
		{ "", "" }, { "a", "<a>" }, { "a\n", "<a>" }, { "a\n\nb", "<a><><b>" }, { "\n", "<>" }, { "a\r\n", "<a\r>" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_buf got = { .arena = arena };
		const char *at = rows[i].text, *line;
		size_t len;
		while (fb_text_next_line(&at, &line, &len))
			fb_buf_add(&got, "<%.*s>", (int)len, line);
		CHECK_STR(fb_buf_text(&got), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(words_are_set_apart_by_blanks)
{
	struct fb_arena *arena = fb_arena_new();
	const char *at = "  ssh-ed25519\tAAAA  me@pc ";
	CHECK_STR(fb_text_next_word(arena, &at), "ssh-ed25519");
	CHECK_STR(fb_text_next_word(arena, &at), "AAAA");
	CHECK_STR(at, "  me@pc ");
	CHECK_STR(fb_text_next_word(arena, &at), "me@pc");
	CHECK(!fb_text_next_word(arena, &at));
	CHECK(!fb_text_next_word(arena, &at));
	fb_arena_free(arena);
}

TEST(starts_ends_and_is_made_of)
{
	CHECK(fb_text_starts("getty@.service.d", "getty@"));
	CHECK(!fb_text_starts("get", "getty@"));
	CHECK(fb_text_ends("a.conf", ".conf"));
	CHECK(!fb_text_ends("conf", ".conf"));
	CHECK(fb_text_ends("", ""));
	CHECK(fb_text_is_made_of("0123", "3210"));
	CHECK(!fb_text_is_made_of("0123x", "3210"));
	CHECK(!fb_text_is_made_of("", "3210"));
}

TEST(items_are_joined)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_strs items = { 0 };
	CHECK_STR(fb_text_join(arena, &items, ", "), "");
	fb_strs_add(arena, &items, "sudo");
	CHECK_STR(fb_text_join(arena, &items, ", "), "sudo");
	fb_strs_add(arena, &items, "adm");
	CHECK_STR(fb_text_join(arena, &items, ", "), "sudo, adm");
	fb_arena_free(arena);
}

TEST(one_variable_is_set_and_the_rest_stays)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text, *want; } rows[] = {
		{ "KEYS=true\n", "KEYS=false\n" },
		{ "KEYS=true", "KEYS=false" },
		{ "KEYS=false\n", "KEYS=false\n" },
		{ "", "KEYS=false\n" },
		{ "A=1", "A=1\nKEYS=false\n" },
		{ "A=1\n", "A=1\nKEYS=false\n" },
		{ "# KEYS=true\nKEYS_TOO=true\n\n  KEYS=\"true\"\nB=2\n", "# KEYS=true\nKEYS_TOO=true\n\nKEYS=false\nB=2\n" },
		{ "KEYS=true\nA=1\nKEYS=true\n", "KEYS=false\nA=1\nKEYS=false\n" },
		{ "KEYS=true\nA=1", "KEYS=false\nA=1" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_text_set_var(arena, rows[i].text, "KEYS", "false"), rows[i].want);
	fb_arena_free(arena);
}

TEST(base64_is_decoded)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text, *want; } rows[] = {	/* RFC 4648, 10 */
		{ "", "" }, { "Zg==", "f" }, { "Zm8=", "fo" }, { "Zm9v", "foo" }, { "Zm9vYg==", "foob" }, { "Zm9vYmE=", "fooba" },
		{ "Zm9vYmFy", "foobar" }, { "+/+/", "\xfb\xff\xbf" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		unsigned char *bytes;
		size_t len;
		CHECK_INT(fb_base64_decode(arena, rows[i].text, strlen(rows[i].text), &bytes, &len), 0);
		CHECK_INT(len, strlen(rows[i].want));
		CHECK_ROW(rows[i].text, !memcmp(bytes, rows[i].want, len));
	}
	fb_arena_free(arena);
}

TEST(what_is_not_strict_base64_is_refused)
{
	struct fb_arena *arena = fb_arena_new();
	static const char *const bad[] = {
		"Z", "Zg", "Zg=", "Zm9", "Z===", "====", "=", "Zg==Zg==", "Zm9v\n", "Zm9 ", "Zm-_", "Zh==", "Zo==", "Zm9=",
		"Zm+=", "Zm9vZm9*",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(bad); i++) {
		unsigned char *bytes = NULL;
		size_t len = 99;
		CHECK_ROW(bad[i], fb_base64_decode(arena, bad[i], strlen(bad[i]), &bytes, &len) < 0);
		CHECK_ROW(bad[i], !bytes && len == 99);
	}
	unsigned char *bytes;
	size_t len;
	CHECK(fb_base64_decode(arena, "Zm\0v", 4, &bytes, &len) < 0);
	fb_arena_free(arena);
}

TEST_MAIN()
