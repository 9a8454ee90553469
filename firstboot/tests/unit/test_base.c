/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, errors, lists, growing text, and the helpers over text. */
#include <errno.h>
#include <stdlib.h>

#include "base.h"
#include "test.h"
#include "text.h"

static struct fb_arena *arena;

__attribute__((constructor)) static void make_arena(void)
{
	arena = fb_arena_new();
}

__attribute__((destructor)) static void free_arena(void)
{
	fb_arena_free(arena);
}

TEST(fail_fills_the_message_and_returns_the_negative_code)
{
	struct fb_error err;
	CHECK_INT(fb_fail(&err, ENOSPC, "replace %s: %s", "/etc/hosts", "full"), -ENOSPC);
	CHECK_STR(err.text, "replace /etc/hosts: full");
}

TEST(fail_may_wrap_its_own_text)
{
	struct fb_error err;
	(void)fb_fail(&err, EIO, "inner");
	CHECK_INT(fb_fail(&err, EIO, "outer: %s", err.text), -EIO);
	CHECK_STR(err.text, "outer: inner");
}

TEST(fail_cuts_what_is_too_long_and_ends_it)
{
	struct fb_error err;
	char *big = fb_alloc(arena, 3 * sizeof(err.text));
	memset(big, 'x', 3 * sizeof(err.text) - 1);
	(void)fb_fail(&err, EIO, "%s", big);
	CHECK_INT(strlen(err.text), sizeof(err.text) - 1);
}

TEST(alloc_is_zeroed_aligned_and_may_be_large)
{
	static const size_t sizes[] = { 1, 7, 16, 16384, 16385, 1 << 20, 3 };
	for (size_t i = 0; i < FB_ARRAY_LEN(sizes); i++) {
		unsigned char *mem = fb_alloc(arena, sizes[i]);
		CHECK_INT((uintptr_t)mem % sizeof(max_align_t) % 16, 0);
		for (size_t k = 0; k < sizes[i]; k++)
			CHECK_INT(mem[k], 0);
		memset(mem, 0xee, sizes[i]);	/* the sanitizer sees an overlap with the next one */
	}
}

TEST(alloc_keeps_earlier_blocks)
{
	char *first = fb_strdup(arena, "first");
	for (int i = 0; i < 5000; i++)
		(void)fb_format(arena, "filler %d", i);
	CHECK_STR(first, "first");
}

TEST(strndup_takes_only_so_many)
{
	CHECK_STR(fb_strndup(arena, "abcdef", 3), "abc");
	CHECK_STR(fb_strndup(arena, "abcdef", 0), "");
}

TEST(strs_grow_in_order_and_find)
{
	struct fb_strs strs = { 0 };
	for (int i = 0; i < 100; i++)
		fb_strs_add(arena, &strs, fb_format(arena, "%d", i));
	CHECK_INT(strs.n, 100);
	CHECK_STR(strs.item[0], "0");
	CHECK_STR(strs.item[64], "64");
	CHECK_STR(strs.item[99], "99");
	CHECK(fb_strs_has(&strs, "33"));
	CHECK(!fb_strs_has(&strs, "100"));
	CHECK(!fb_strs_has(&(struct fb_strs){ 0 }, ""));
}

TEST(buf_of_nothing_is_empty_text)
{
	struct fb_buf buf = { .arena = arena };
	CHECK_STR(fb_buf_text(&buf), "");
}

TEST(buf_grows_and_keeps_bytes)
{
	struct fb_buf buf = { .arena = arena };
	for (int i = 0; i < 1000; i++)
		fb_buf_add(&buf, "%03d,", i);
	fb_buf_mem(&buf, "a\0b", 3);
	CHECK_INT(buf.len, 4003);
	CHECK(!memcmp(buf.text, "000,001,", 8));
	CHECK(!memcmp(buf.text + 3996, "999,a\0b", 8));
}

TEST(lines_come_one_by_one_with_and_without_a_last_newline)
{
	const char *at = "one\n\nthree", *line;
	size_t len;
	CHECK(fb_text_next_line(&at, &line, &len) && len == 3 && !strncmp(line, "one", 3));
	CHECK(fb_text_next_line(&at, &line, &len) && len == 0);
	CHECK(fb_text_next_line(&at, &line, &len) && len == 5 && !strncmp(line, "three", 5));
	CHECK(!fb_text_next_line(&at, &line, &len));
	at = "\n";
	CHECK(fb_text_next_line(&at, &line, &len) && len == 0);
	CHECK(!fb_text_next_line(&at, &line, &len));
}

TEST(words_are_set_apart_by_blanks)
{
	const char *at = "  one\t two ";
	CHECK_STR(fb_text_next_word(arena, &at), "one");
	CHECK_STR(fb_text_next_word(arena, &at), "two");
	CHECK(!fb_text_next_word(arena, &at));
}

TEST(starts_ends_and_made_of)
{
	CHECK(fb_text_starts("abc", "ab") && fb_text_starts("abc", "") && !fb_text_starts("ab", "abc"));
	CHECK(fb_text_ends("abc", "bc") && fb_text_ends("abc", "") && !fb_text_ends("bc", "abc"));
	CHECK(fb_text_is_made_of("aabb", "ab"));
	CHECK(!fb_text_is_made_of("aabc", "ab"));
	CHECK(!fb_text_is_made_of("", "ab"));
}

TEST(join)
{
	struct fb_strs strs = { 0 };
	CHECK_STR(fb_text_join(arena, &strs, ", "), "");
	fb_strs_add(arena, &strs, "a");
	CHECK_STR(fb_text_join(arena, &strs, ", "), "a");
	fb_strs_add(arena, &strs, "b");
	CHECK_STR(fb_text_join(arena, &strs, ", "), "a, b");
}

TEST(set_var_changes_only_its_lines)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "KEY=new\n" },
		{ "KEY=old\n", "KEY=new\n" },
		{ "# KEY=old\nOTHER=1\n", "# KEY=old\nOTHER=1\nKEY=new\n" },
		{ "KEY=a\nX=1\n  KEY=b\n", "KEY=new\nX=1\nKEY=new\n" },
		{ "KEY_TOO=1\nMYKEY=2\n", "KEY_TOO=1\nMYKEY=2\nKEY=new\n" },
		{ "KEY=old", "KEY=new" },
		{ "X=1", "X=1\nKEY=new\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *got = fb_text_set_var(arena, rows[i].text, "KEY", "new");
		CHECK_STR(got, rows[i].want);
		CHECK_STR(fb_text_set_var(arena, got, "KEY", "new"), got);
	}
}

TEST(base64_decodes_what_rfc4648_gives)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" }, { "Zg==", "f" }, { "Zm8=", "fo" }, { "Zm9v", "foo" }, { "Zm9vYg==", "foob" },
		{ "Zm9vYmE=", "fooba" }, { "Zm9vYmFy", "foobar" }, { "+/+/", "\xfb\xff\xbf" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		unsigned char *bytes;
		size_t len;
		CHECK_ROW(rows[i].text, fb_base64_decode(arena, rows[i].text, strlen(rows[i].text), &bytes, &len) == 0);
		CHECK_ROW(rows[i].text, len == strlen(rows[i].want) && !memcmp(bytes, rows[i].want, len));
	}
}

TEST(base64_refuses_all_else)
{
	static const char *const rows[] = {
		"Z", "Zg", "Zg=", "Zg===", "====", "=", "Zm9v=", "Z=9v", "Zm 9", "Zm9-", "Zm9_", "Zh==", "Zm9=", "Zg==Zg==",
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		unsigned char *bytes;
		size_t len;
		CHECK_ROW(rows[i], fb_base64_decode(arena, rows[i], strlen(rows[i]), &bytes, &len) == -EINVAL);
	}
}

TEST_MAIN()
