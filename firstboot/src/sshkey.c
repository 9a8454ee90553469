/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judge lines of authorized_keys. */
#include "sshkey.h"

#include <string.h>

#include "text.h"

enum { RSA_MIN_BITS = 2048, RSA_MAX_BITS = 16384 };	/* the most that OpenSSH reads (SSHBUF_MAX_BIGNUM) */

/* RFC 4253, 5656, 8709 and OpenSSH's PROTOCOL.u2f: which fields follow the type. */
static const struct type {
	const char *name;
	const char *curve;		/* a field of its own before the point; NULL: none */
	size_t point_len;		/* bytes; 0: RSA's two numbers instead */
	bool has_application;		/* of a security key, such as "ssh:" */
} types[] = {
	{ "ssh-ed25519", NULL, 32, false },
	{ "ssh-rsa", NULL, 0, false },
	{ "ecdsa-sha2-nistp256", "nistp256", 65, false },
	{ "ecdsa-sha2-nistp384", "nistp384", 97, false },
	{ "ecdsa-sha2-nistp521", "nistp521", 133, false },
	{ "sk-ssh-ed25519@openssh.com", NULL, 32, true },
	{ "sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", 65, true },
};

/* What people paste instead of a key, by a text that gives it away. */
static const struct {
	const char *sign, *wrong;
} mistakes[] = {
	{ "PRIVATE KEY", "is a private key, which has to stay secret; put the line of its .pub file here" },
	{ "PuTTY-User-Key-File", "is a private key, which has to stay secret; put the line of its .pub file here" },
	{ "b3BlbnNzaC1rZXktdj", "is a private key, which has to stay secret; put the line of its .pub file here" },
	{ "ssh-dss", "is a DSA key, which SSH no longer takes; make a new one with: ssh-keygen -t ed25519" },
	{ "-cert-v01@", "is a certificate; put the line of the .pub file of the key itself here" },
	{ "SHA256:", "is a fingerprint, not a key; put the line of the .pub file here" },
	{ "MD5:", "is a fingerprint, not a key; put the line of the .pub file here" },
	{ "----", "is a key in another form; print the line that belongs here with: ssh-keygen -i -f FILE" },
	{ ".pub", "is the name of a file; put the line that stands in it here" },
};

struct reader {
	const unsigned char *at;
	size_t left;
};

/* A field is its length in 4 bytes, big endian, and that many bytes. */
static bool next_field(struct reader *reader, const unsigned char **ret_field, size_t *ret_len)
{
	if (reader->left < 4)
		return false;
	const unsigned char *at = reader->at;
	size_t len = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
	if (len > reader->left - 4)
		return false;
	*ret_field = at + 4;
	*ret_len = len;
	reader->at += 4 + len;
	reader->left -= 4 + len;
	return true;
}

static bool is_next_text(struct reader *reader, const char *text)
{
	const unsigned char *field;
	size_t len;
	return next_field(reader, &field, &len) && len == strlen(text) && !memcmp(field, text, len);
}

/* The number of bits of a positive number in its shortest form; 0 if it is not one. */
static unsigned next_bits(struct reader *reader)
{
	const unsigned char *field;
	size_t len;
	if (!next_field(reader, &field, &len) || !len || field[0] >= 0x80)
		return 0;
	if (field[0] == 0) {
		if (len < 2 || field[1] < 0x80)
			return 0;
		field++;
		len--;
	}
	unsigned bits = (unsigned)len * 8;
	for (unsigned char top = field[0]; top < 0x80; top = (unsigned char)(top << 1))
		bits--;
	return bits;
}

/* The fields after the type. ret_bits is of an RSA key, else 0. */
static bool is_body(const struct type *type, struct reader *reader, unsigned *ret_bits)
{
	const unsigned char *field;
	size_t len;
	*ret_bits = 0;
	if (!type->point_len) {
		bool has_exponent = next_bits(reader) > 0;
		*ret_bits = next_bits(reader);
		return has_exponent && *ret_bits && !reader->left;
	}
	if (type->curve && !is_next_text(reader, type->curve))
		return false;
	if (!next_field(reader, &field, &len) || len != type->point_len)
		return false;
	if (type->curve && field[0] != 4)	/* SEC 1: an uncompressed point, the one form that SSH takes */
		return false;
	if (type->has_application && (!next_field(reader, &field, &len) || !len))
		return false;
	return !reader->left;
}

static const struct type *type_of(const char *name)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(types); i++)
		if (!strcmp(name, types[i].name))
			return &types[i];
	return NULL;
}

static const char *check_first_word(struct fb_arena *arena, const char *value)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(mistakes); i++)
		if (strstr(value, mistakes[i].sign))
			return mistakes[i].wrong;
	const char *word, *at = value;
	while ((word = fb_text_next_word(arena, &at)))
		if (type_of(word))
			return "has something before the key type; options are not taken here, write only TYPE KEY COMMENT";
	struct fb_strs names = { 0 };
	for (size_t i = 0; i < FB_ARRAY_LEN(types); i++)
		fb_strs_add(arena, &names, types[i].name);
	return fb_format(arena, "is not a public key in one line, TYPE KEY COMMENT, with a type of %s",
			 fb_text_join(arena, &names, ", "));
}

const char *fb_sshkey_check(struct fb_arena *arena, const char *value)
{
	const char *at = value, *name = fb_text_next_word(arena, &at);
	const struct type *type = name ? type_of(name) : NULL;
	if (!type || *value == ' ')
		return check_first_word(arena, value);
	const char *key = fb_text_next_word(arena, &at);
	if (!key)
		return fb_format(arena, "has nothing after %s; copy the whole line of the .pub file", name);

	struct reader reader;
	unsigned char *bytes;
	unsigned bits;
	if (fb_base64_decode(arena, key, strlen(key), &bytes, &reader.left) < 0)
		return fb_format(arena, "is cut or damaged after %s; copy the whole line of the .pub file", name);
	reader.at = bytes;
	if (!is_next_text(&reader, name))
		return fb_format(arena, "says %s, but the key after it is not of that type; copy the whole line of the .pub file",
				 name);
	if (!is_body(type, &reader, &bits))
		return fb_format(arena, "is cut or damaged after %s; copy the whole line of the .pub file", name);
	if (bits && (bits < RSA_MIN_BITS || bits > RSA_MAX_BITS))
		return fb_format(arena, "is an RSA key of %u bits; allowed are %d to %d, or better: ssh-keygen -t ed25519",
				 bits, RSA_MIN_BITS, RSA_MAX_BITS);
	if (at[strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 @._+:/=,-")])
		return "has a comment with other characters than letters, digits, spaces and @ . _ + : / = , -";
	return NULL;
}

bool fb_sshkey_is_same(struct fb_arena *arena, const char *line, const char *other)
{
	for (int i = 0; i < 2; i++) {
		const char *a = fb_text_next_word(arena, &line), *b = fb_text_next_word(arena, &other);
		if (!a || !b || strcmp(a, b))
			return false;
	}
	return true;
}

const char *fb_sshkey_brief(struct fb_arena *arena, const char *line)
{
	enum { SHOWN = 8 };		/* characters at the end: the start is the same in all keys of a type */
	const char *at = line, *type = fb_text_next_word(arena, &at), *key = fb_text_next_word(arena, &at);
	if (fb_sshkey_check(arena, line))
		return "a line of another form";
	return fb_format(arena, "%s ...%s%s", type, key + strlen(key) - SHOWN, at);
}
