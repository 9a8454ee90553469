/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of authorized_keys. The keys were made by ssh-keygen for these tests; their private halves are gone. */
#include "test.h"

#include "sshkey.h"

#define ED25519 \
	"ssh-ed25519 " \
	"AAAAC3NzaC1lZDI1NTE5AAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZD"
#define RSA1024 \
	"ssh-rsa " \
	"AAAAB3NzaC1yc2EAAAADAQABAAAAgQDEvJTy8yy6gnH8F92KIQykoFO5Rwlwbxegnfoek3hh5Tgc4h2/LqB+OVpB" \
	"2/kwRyrdnDor70mD+AQazCQ+wbehcVM4Hh2sxwebh1mx8ihoz82UJe/OJXb4nefF6we4lB+3J4P/F+OExFalO89B" \
	"Oe6XZg/VOg9Cb2pgIukbbUzzAQ=="
#define RSA2048 \
	"ssh-rsa " \
	"AAAAB3NzaC1yc2EAAAADAQABAAABAQDEJGnPiI/kuu2jUyglTxyc2Xlw7Ps+6YXG6nVhQPIkTwHE9X9/W8HCVU3K" \
	"O7QY2aVGcAUuNBZtQZ/kRnpD+l0dUq6HoQ5XCf6+3I7VoSrmiFv2iCmwnu/hZg/y+sIKjkRna4Ot1khBg++S6x+j" \
	"T91blDPadhKhPzKZEKOqMyQaYOrgAIvPxgzMJmPZcfznsEqvGFlzupthmBzN5FR6B3Lkj6GtEcatjeHASPTuoOHA" \
	"mxhM4eTIgTSSyP8VsIlvvwJThZ1E1S9aFLa/kA2jcFz9RUitesSBg/ztpJGUJpqAxbS8mAlUzZATbeOvvnbLuWU4" \
	"cwxAdxm3mxis0pTxVbEx"
#define RSA3072 \
	"ssh-rsa " \
	"AAAAB3NzaC1yc2EAAAADAQABAAABgQC9q89sh35QlyhgsqLs4QQ6PV1QEtotgLf0MAMjwI/5m3PfHtYijM+EXOZk" \
	"w51XRXML7dxyyfM7K7QfpbJ5p+7mEGlplGg2C5KsFzQb21pyxSbYYtqgU0pxBvuQRiflY6TsNu/cLkPzD5gUe7DB" \
	"cTYwtUWLb63b5ZN2KqXyKNNMG+Xk6dcVLbp/D6Iut2RyTL53N2W3QmWPh+XCncwTjfBGlnUtGwhBCD1AOzmEAUx2" \
	"QVDfu996GgZGEEB5qFcdhFWQHCoajU1/BvVS0wUfxGHBG1Nh0NzizEydSsSPnJ5R3oeRWal/PUgzg1EUTFSBODnV" \
	"L+iCBnBpbPDzzM1l8w705bSwE8VjfxGMfBUjQ0Frcvt165EkmKTzW97FbkoXDOrqKjMNyPche+47etzefwUlDLRV" \
	"ap071EXTnc3R8oPRltvj0avkFasSS8IvwFIw8F3ajToMh/5Jh932W+1p9NLXas7AjTh/97y+IgRF8pbBoTk6Q/p8" \
	"RbvIJ8WoiNnvR9M="
#define ECDSA256 \
	"ecdsa-sha2-nistp256 " \
	"AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBIG72k/2B9eXvtHcO23hCidcM7jkTqJMbO6B" \
	"KWEJ805p5uEJwDd0eER1EnFxgnz+S6vLXH+XFyzY6APZmN7HhtQ="
#define ECDSA384 \
	"ecdsa-sha2-nistp384 " \
	"AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBG03d8e0sdsOgjCU3m2pDcO9aHkFx7pHt7Tp" \
	"pMxepqwt6R7qGWAlq5iO2qQdv3hqVBQOA0BS1l1q2UoNNHvdFNd7X7+p34jqCVex6JCyLgqkmSSXMny0cdiWip0G" \
	"p9iWqA=="
#define ECDSA521 \
	"ecdsa-sha2-nistp521 " \
	"AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAG0FZlmYLLpTZIg/1yaXAqk6LtL6eHnJjuK" \
	"U++FzA5c5AjwoD3NpiRXb7d1cfqDQtNMKG5/l/Yl6Q2+kBaLviYy8QEOC1UoHRaq+V6u48QRiRc3aSKpkYx9rDjU" \
	"3aeOT+hDYXu0n9RlIXXEIOMllP1Y7q+fHb74QD+P+xK4WOnmKSi2CA=="
/* Of security keys, with the points of the keys above: no device at hand makes them. */
#define SK_ED25519 \
	"sk-ssh-ed25519@openssh.com " \
	"AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZDAAAABHNzaDo="
#define SK_ECDSA \
	"sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBIG7" \
	"2k/2B9eXvtHcO23hCidcM7jkTqJMbO6BKWEJ805p5uEJwDd0eER1EnFxgnz+S6vLXH+XFyzY6APZmN7HhtQAAAAEc3NoOg=="

TEST(whole_lines_are_good)
{
	static const char *const good[] = {
		ED25519, ED25519 " taro@pc", ED25519 "  taro@pc, of 2026-12-01 ", RSA2048 " me", RSA3072, ECDSA256 " a", ECDSA384,
		ECDSA521, SK_ED25519 " yubikey", SK_ECDSA,
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(good); i++)
		CHECK_STR(fb_sshkey_check(arena, good[i]), NULL);
	fb_arena_free(arena);
}

TEST(a_line_cut_anywhere_in_the_key_is_refused)
{
	static const char *const whole[] = { ED25519, RSA2048, ECDSA256, ECDSA384, ECDSA521, SK_ED25519, SK_ECDSA };
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(whole); i++)
		for (size_t len = 0; len < strlen(whole[i]); len++)
			CHECK_ROW(whole[i], fb_sshkey_check(arena, fb_strndup(arena, whole[i], len)));
	fb_arena_free(arena);
}

#define CUT(type) "is cut or damaged after " type "; copy the whole line of the .pub file"

TEST(what_is_no_key_gets_its_own_message)
{
	static const char private[] = "is a private key, which has to stay secret; put the line of its .pub file here";
	static const char print[] = "is a fingerprint, not a key; put the line of the .pub file here";
	static const char options[] =
		"has something before the key type; options are not taken here, write only TYPE KEY COMMENT";
	static const char unknown[] =
		"is not a public key in one line, TYPE KEY COMMENT, with a type of ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, "
		"ecdsa-sha2-nistp384, ecdsa-sha2-nistp521, sk-ssh-ed25519@openssh.com, sk-ecdsa-sha2-nistp256@openssh.com";
	static const char comment[] = "has a comment with other characters than letters, digits, spaces and @ . _ + : / = , -";
	static const struct { const char *value, *want; } rows[] = {
		{ "", unknown }, { "hello", unknown }, { "ssh-ed448 AAAA", unknown }, { "AAAAC3NzaC1lZDI1NTE5", unknown },
		{ "ssh-ed25519", "has nothing after ssh-ed25519; copy the whole line of the .pub file" },
		{ "ssh-ed25519 ", "has nothing after ssh-ed25519; copy the whole line of the .pub file" },
		{ "ssh-ed25519 AAAA...", CUT("ssh-ed25519") },
		{ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", CUT("ssh-ed25519") },
		{ "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZD",
		  "says ssh-rsa, but the key after it is not of that type; copy the whole line of the .pub file" },
		/* 33 bytes; one byte behind the end; curve of another size; compressed point; no application */
		{ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIUIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZDeA==", CUT("ssh-ed25519") },
		{ "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZDeA==", CUT("ssh-ed25519") },
		{ "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAzODQAAABBBIG72k/2B9eXvtHcO23hCidcM7jkTqJMbO6BKW"
		  "EJ805p5uEJwDd0eER1EnFxgnz+S6vLXH+XFyzY6APZmN7HhtQ=", CUT("ecdsa-sha2-nistp256") },
		{ "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBAoG72k/2B9eXvtHcO23hCidcM7jkTqJMbO6BKW"
		  "EJ805p5uEJwDd0eER1EnFxgnz+S6vLXH+XFyzY6APZmN7HhtQ=", CUT("ecdsa-sha2-nistp256") },
		{ "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZD",
		  CUT("sk-ssh-ed25519@openssh.com") },
		/* RSA: modulus 1; no exponent; a negative modulus; a modulus with zeros in front */
		{ "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE=",
		  "is an RSA key of 1 bits; allowed are 2048 to 16384, or better: ssh-keygen -t ed25519" },
		{ "ssh-rsa AAAAB3NzaC1yc2EAAAAAAAAAAQE=", CUT("ssh-rsa") },
		{ "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAf8=", CUT("ssh-rsa") },
		{ "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAgAB", CUT("ssh-rsa") },
		{ RSA1024 " me", "is an RSA key of 1024 bits; allowed are 2048 to 16384, or better: ssh-keygen -t ed25519" },
		{ "ssh-dss AAAAB3NzaC1kc3MAAAADAQABAAAAAQE= me",
		  "is a DSA key, which SSH no longer takes; make a new one with: ssh-keygen -t ed25519" },
		{ "-----BEGIN OPENSSH PRIVATE KEY-----", private },
		{ "-----BEGIN RSA PRIVATE KEY-----", private },
		{ "PuTTY-User-Key-File-3: ssh-ed25519", private },
		{ "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", private },
		{ "SHA256:BZoBemCtWdGrs4UG09gBgjez35FktauzXRi9rDjaoJc", print },
		{ "256 SHA256:BZoBemCtWdGrs4UG09gBgjez35FktauzXRi9rDjaoJc taro@pc (ED25519)", print },
		{ "256 MD5:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff me (RSA)", print },
		{ "---- BEGIN SSH2 PUBLIC KEY ----",
		  "is a key in another form; print the line that belongs here with: ssh-keygen -i -f FILE" },
		{ "~/.ssh/id_ed25519.pub", "is the name of a file; put the line that stands in it here" },
		{ "ssh-ed25519-cert-v01@openssh.com AAAA", "is a certificate; put the line of the .pub file of the key itself here" },
		{ "no-pty " ED25519, options }, { "from=\"10.0.0.0/8\" " ED25519 " me", options }, { "host " ED25519, options },
		{ " " ED25519, options },
		{ ED25519 " me#1", comment }, { ED25519 " \"me\"", comment }, { ED25519 " $(id)", comment },
		{ ED25519 " a\nb", comment }, { ED25519 " \xe5\xa4\xaa", comment },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *got = fb_sshkey_check(arena, rows[i].value);
		if (!got || strcmp(got, rows[i].want))
			test_fail(__FILE__, __LINE__, "[%s] \"%s\", wanted \"%s\"", rows[i].value, got ? got : "(good)", rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(comments_do_not_make_another_key)
{
	struct fb_arena *arena = fb_arena_new();
	CHECK(fb_sshkey_is_same(arena, ED25519 " me@pc", ED25519 "  you"));
	CHECK(fb_sshkey_is_same(arena, ED25519, ED25519));
	CHECK(!fb_sshkey_is_same(arena, ED25519, RSA2048));
	CHECK(!fb_sshkey_is_same(arena, RSA3072, RSA2048));
	CHECK(!fb_sshkey_is_same(arena, "", ""));
	fb_arena_free(arena);
}

TEST(brief_form)
{
	struct fb_arena *arena = fb_arena_new();
	CHECK_STR(fb_sshkey_brief(arena, ED25519 " taro@pc"), "ssh-ed25519 ...8g8sOSZD taro@pc");
	CHECK_STR(fb_sshkey_brief(arena, ED25519), "ssh-ed25519 ...8g8sOSZD");
	CHECK_STR(fb_sshkey_brief(arena, "no-pty " ED25519), "a line of another form");
	CHECK_STR(fb_sshkey_brief(arena, "\xff\xfe"), "a line of another form");
	fb_arena_free(arena);
}

TEST_MAIN()
