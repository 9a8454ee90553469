/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether SSH host key files are whole: a power cut or a full disk leaves empty or cut ones. */
#ifndef FB_HOSTKEY_H
#define FB_HOSTKEY_H

#include "base.h"

/* A kind of key, as ssh-keygen and OpenSSH's PROTOCOL.key name it. */
struct fb_hostkey_type {
	const char *name;		/* for ssh-keygen -t and in the file name */
	const char *bits;		/* for ssh-keygen -b; NULL: its own choice */
	const char *wire;		/* how the type's name inside the key starts */
	unsigned n_fields;		/* strings of the private part: type, numbers, comment */
};

extern const struct fb_hostkey_type fb_hostkey_types[];	/* what Debian's sshd offers by default */
extern const size_t fb_hostkey_n_types;

struct fb_hostkey {
	const unsigned char *blob;	/* public key as on the wire; NULL: the format tells none */
	size_t len;			/* bytes */
	const char *comment;		/* of a public key file, "" without one */
};

/* A line "TYPE BLOB COMMENT", alone in its file. False if it is anything else. */
bool fb_hostkey_public(struct fb_arena *arena, const struct fb_hostkey_type *type, const char *text,
		       struct fb_hostkey *ret_key);

/*
 * A private key that sshd can load: no pass phrase, every length inside it right up to the last
 * byte. PEM files of old tools are judged by their lines alone.
 */
bool fb_hostkey_private(struct fb_arena *arena, const struct fb_hostkey_type *type,
			const char *text, struct fb_hostkey *ret_key);

bool fb_hostkey_is_pair(const struct fb_hostkey *private, const struct fb_hostkey *public);

#endif
