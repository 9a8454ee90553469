/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether SSH host key files are whole: a power cut or a full disk leaves empty or cut ones. */
#include "hostkey.h"

#include <string.h>

#include "text.h"

const struct fb_hostkey_type fb_hostkey_types[] = {
	{ "ed25519", NULL, "ssh-ed25519", 4 },		/* type, public, private, comment */
	{ "rsa", "3072", "ssh-rsa", 8 },		/* type, n, e, d, iqmp, p, q, comment */
	{ "ecdsa", NULL, "ecdsa-sha2-nistp", 5 },	/* type, curve, public, private, comment */
};
const size_t fb_hostkey_n_types = FB_ARRAY_LEN(fb_hostkey_types);

enum { CIPHER_BLOCK = 8 };	/* bytes that the cipher "none" pads to (cipher.c of OpenSSH) */

/* Bytes of the SSH wire format (RFC 4251) that are still to be read. */
struct wire {
	const unsigned char *at;
	size_t left;
};

static bool take_u32(struct wire *wire, uint32_t *ret_value)
{
	if (wire->left < 4)
		return false;
	*ret_value = (uint32_t)wire->at[0] << 24 | (uint32_t)wire->at[1] << 16 |
		     (uint32_t)wire->at[2] << 8 | wire->at[3];
	wire->at += 4;
	wire->left -= 4;
	return true;
}

static bool take_string(struct wire *wire, struct wire *ret_string)
{
	uint32_t len;
	if (!take_u32(wire, &len) || len > wire->left)
		return false;
	*ret_string = (struct wire){ wire->at, len };
	wire->at += len;
	wire->left -= len;
	return true;
}

static bool starts_with(const struct wire *wire, const char *text)
{
	size_t len = strlen(text);
	return wire->left >= len && !memcmp(wire->at, text, len);
}

static bool is_text(const struct wire *wire, const char *text)
{
	return wire->left == strlen(text) && starts_with(wire, text);
}

bool fb_hostkey_public(struct fb_arena *arena, const struct fb_hostkey_type *type, const char *text,
		       struct fb_hostkey *ret_key)
{
	size_t line = strcspn(text, "\n"), name = strcspn(text, " \n");
	if ((text[line] && text[line + 1]) || text[name] != ' ' ||
	    !fb_text_starts(text, type->wire))
		return false;
	const char *base64 = text + name + 1;
	size_t base64_len = strcspn(base64, " \n"), len;
	unsigned char *blob;
	if (fb_base64_decode(arena, base64, base64_len, &blob, &len) < 0)
		return false;
	struct wire wire = { blob, len }, inner_name;
	if (!take_string(&wire, &inner_name) ||
	    !is_text(&inner_name, fb_strndup(arena, text, name)))
		return false;
	const char *comment = base64 + base64_len;
	comment += *comment == ' ';
	comment = fb_strndup(arena, comment, (size_t)(text + line - comment));
	*ret_key = (struct fb_hostkey){ blob, len, comment };
	return true;
}

/* The decoded body between "-----BEGIN label-----" and the same END, which is the last line. */
static bool unwrap(struct fb_arena *arena, const char *text, const char **ret_label,
		   struct wire *ret_body)
{
	static const char begin[] = "-----BEGIN ", dashes[] = "-----";
	if (!fb_text_starts(text, begin))
		return false;
	const char *label = text + strlen(begin), *label_end = strstr(label, dashes);
	if (!label_end)
		return false;
	label = fb_strndup(arena, label, (size_t)(label_end - label));
	const char *body = label_end + strlen(dashes);
	const char *end_line = fb_format(arena, "\n-----END %s-----", label);
	const char *end = strstr(body, end_line);
	if (!end || end[strlen(end_line) + strspn(end + strlen(end_line), "\r\n")])
		return false;
	struct fb_buf base64 = { .arena = arena };
	for (const char *line = body; line < end; line += strspn(line, "\r\n")) {
		size_t len = strcspn(line, "\r\n");
		fb_buf_mem(&base64, line, len);
		line += len;
	}
	unsigned char *bytes;
	size_t len;
	if (!base64.len || fb_base64_decode(arena, base64.text, base64.len, &bytes, &len) < 0)
		return false;
	*ret_body = (struct wire){ bytes, len };
	*ret_label = label;
	return true;
}

/* What a pass phrase would hide: check, check, n_fields strings, then the padding 1, 2, 3... */
static bool is_whole_private(struct wire wire, const struct fb_hostkey_type *type)
{
	uint32_t check, again;
	struct wire field;
	if (wire.left % CIPHER_BLOCK || !take_u32(&wire, &check) || !take_u32(&wire, &again) ||
	    check != again)
		return false;
	for (unsigned i = 0; i < type->n_fields; i++)
		if (!take_string(&wire, &field) || (i == 0 && !starts_with(&field, type->wire)))
			return false;
	if (wire.left >= CIPHER_BLOCK)
		return false;
	for (size_t i = 0; i < wire.left; i++)
		if (wire.at[i] != i + 1)
			return false;
	return true;
}

bool fb_hostkey_private(struct fb_arena *arena, const struct fb_hostkey_type *type,
			const char *text, struct fb_hostkey *ret_key)
{
	static const char magic[] = "openssh-key-v1";		/* its NUL belongs to the format */
	const char *label;
	struct wire wire, cipher, kdf, kdf_options, public, private, name;
	uint32_t n_keys;
	if (!unwrap(arena, text, &label, &wire))
		return false;
	if (strcmp(label, "OPENSSH PRIVATE KEY")) {
		if (!fb_text_ends(label, "PRIVATE KEY"))
			return false;
		*ret_key = (struct fb_hostkey){ .comment = "" };
		return true;
	}
	if (wire.left < sizeof(magic) || memcmp(wire.at, magic, sizeof(magic)))
		return false;
	wire.at += sizeof(magic);
	wire.left -= sizeof(magic);
	if (!take_string(&wire, &cipher) || !take_string(&wire, &kdf) ||
	    !take_string(&wire, &kdf_options) || !take_u32(&wire, &n_keys) ||
	    !take_string(&wire, &public) || !take_string(&wire, &private) || wire.left)
		return false;
	struct fb_hostkey key = { public.at, public.left, "" };
	if (n_keys != 1 || !is_text(&cipher, "none") || !is_text(&kdf, "none") ||
	    kdf_options.left || !take_string(&public, &name) || !starts_with(&name, type->wire) ||
	    !is_whole_private(private, type))
		return false;
	*ret_key = key;
	return true;
}

bool fb_hostkey_is_pair(const struct fb_hostkey *private, const struct fb_hostkey *public)
{
	return private->blob && private->len == public->len &&
	       !memcmp(private->blob, public->blob, private->len);
}
