/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host key files as ssh-keygen writes them are whole; anything cut, zeroed or mixed is not. */
#include "test.h"

#include <stdlib.h>

#include "hostkey.h"
#include "samples.h"

static const struct {
	const char *name, *private, *public;
} samples[] = {
	{ "ed25519", sample_ed25519, sample_ed25519_pub },
	{ "rsa", sample_rsa, sample_rsa_pub },
	{ "ecdsa", sample_ecdsa, sample_ecdsa_pub },
};

static const struct fb_hostkey_type *type_named(const char *name)
{
	for (size_t i = 0; i < fb_hostkey_n_types; i++)
		if (!strcmp(fb_hostkey_types[i].name, name))
			return &fb_hostkey_types[i];
	abort();
}

TEST(real_keys_are_whole_pairs)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(samples); i++) {
		const struct fb_hostkey_type *type = type_named(samples[i].name);
		struct fb_hostkey private, public;
		CHECK_ROW(type->name, fb_hostkey_private(arena, type, samples[i].private, &private));
		CHECK_ROW(type->name, fb_hostkey_public(arena, type, samples[i].public, &public));
		CHECK_ROW(type->name, fb_hostkey_is_pair(&private, &public));
		CHECK_STR(public.comment, "r4s-firstboot@" SAMPLE_TAG);
	}
	fb_arena_free(arena);
}

TEST(keys_of_another_type_are_refused)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(samples); i++) {
		const struct fb_hostkey_type *other = type_named(samples[(i + 1) % FB_ARRAY_LEN(samples)].name);
		struct fb_hostkey key;
		CHECK_ROW(other->name, !fb_hostkey_private(arena, other, samples[i].private, &key));
		CHECK_ROW(other->name, !fb_hostkey_public(arena, other, samples[i].public, &key));
	}
	fb_arena_free(arena);
}

TEST(two_halves_of_different_keys_are_no_pair)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_hostkey private, public;
	CHECK(fb_hostkey_private(arena, type_named("ed25519"), sample_ed25519, &private));
	CHECK(fb_hostkey_public(arena, type_named("rsa"), sample_rsa_pub, &public));
	CHECK(!fb_hostkey_is_pair(&private, &public));
	fb_arena_free(arena);
}

/* Only the newline at the end may be missing. */
TEST(every_cut_of_a_private_key_is_seen)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(samples); i++) {
		const struct fb_hostkey_type *type = type_named(samples[i].name);
		for (size_t len = 0; len + 1 < strlen(samples[i].private); len++) {
			struct fb_hostkey key;
			CHECK(!fb_hostkey_private(arena, type, fb_strndup(arena, samples[i].private, len), &key));
		}
	}
	fb_arena_free(arena);
}

/* A line of base64 that is lost or doubled still decodes: the lengths inside tell. */
TEST(lost_and_doubled_lines_are_seen)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(samples); i++) {
		const struct fb_hostkey_type *type = type_named(samples[i].name);
		const char *text = samples[i].private;
		struct fb_hostkey key;
		const char *line = strchr(text, '\n') + 1;
		for (const char *next; (next = strchr(line, '\n') + 1), *line != '-'; line = next) {
			const char *lost = fb_format(arena, "%.*s%s", (int)(line - text), text, next);
			const char *doubled = fb_format(arena, "%.*s%s", (int)(next - text), text, line);
			CHECK_ROW(lost, !fb_hostkey_private(arena, type, lost, &key));
			CHECK_ROW(doubled, !fb_hostkey_private(arena, type, doubled, &key));
		}
	}
	fb_arena_free(arena);
}

TEST(bad_files_are_refused)
{
	static const char begin[] = "-----BEGIN OPENSSH PRIVATE KEY-----\n", end[] = "-----END OPENSSH PRIVATE KEY-----\n";
	struct fb_arena *arena = fb_arena_new();
	const struct {
		const char *name, *text;
	} rows[] = {
		{ "empty", "" },
		{ "binary", "\x01\x02\x03" },
		{ "no body", fb_format(arena, "%s%s", begin, end) },
		{ "other structure", fb_format(arena, "%sAAAA\n%s", begin, end) },
		{ "not base64", fb_format(arena, "%s!!!!\n%s", begin, end) },
		{ "text behind the end", fb_format(arena, "%sx\n", sample_ed25519) },
		{ "text before the start", fb_format(arena, "x\n%s", sample_ed25519) },
		{ "pass phrase", sample_encrypted },
		{ "public key", sample_ed25519_pub },
		{ "another END", fb_format(arena, "%sAAAA\n-----END RSA PRIVATE KEY-----\n", begin) },
		{ "certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_hostkey key;
		CHECK_ROW(rows[i].name, !fb_hostkey_private(arena, type_named("ed25519"), rows[i].text, &key));
	}
	fb_arena_free(arena);
}

TEST(pem_of_old_tools_is_whole_but_tells_no_public_key)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_hostkey private, public;
	CHECK(fb_hostkey_private(arena, type_named("rsa"), sample_pem, &private));
	CHECK(fb_hostkey_public(arena, type_named("rsa"), sample_rsa_pub, &public));
	CHECK(!fb_hostkey_is_pair(&private, &public));
	fb_arena_free(arena);
}

TEST(public_files_are_one_whole_line)
{
	struct fb_arena *arena = fb_arena_new();
	const struct fb_hostkey_type *type = type_named("ed25519");
	const char *blob = strchr(sample_ed25519_pub, ' ') + 1;
	const struct {
		const char *name, *text;
		bool is_good;
	} rows[] = {
		{ "no comment", fb_format(arena, "ssh-ed25519 %.*s\n", (int)strcspn(blob, " "), blob), true },
		{ "no newline", fb_strndup(arena, sample_ed25519_pub, strlen(sample_ed25519_pub) - 1), true },
		{ "empty", "", false },
		{ "type alone", "ssh-ed25519", false },
		{ "type and blank", "ssh-ed25519 ", false },
		{ "two lines", fb_format(arena, "%s%s", sample_ed25519_pub, sample_ed25519_pub), false },
		{ "cut blob", fb_strndup(arena, sample_ed25519_pub, 30), false },
		{ "other name outside", fb_format(arena, "ssh-ed25519x %s", blob), false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_hostkey key;
		CHECK_ROW(rows[i].name, fb_hostkey_public(arena, type, rows[i].text, &key) == rows[i].is_good);
	}
	fb_arena_free(arena);
}

TEST_MAIN()
