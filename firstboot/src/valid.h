/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges of one value that several steps share. Each is an fb_valid_fn (see key.h): NULL if the
 * value is good, else a clause that follows the quoted value. All work by a list of allowed
 * characters: what passes is safe in a unit file, a configuration file and an argv.
 */
#ifndef FB_VALID_H
#define FB_VALID_H

#include "key.h"

fb_valid_fn fb_valid_hostname;	/* of this box (RFC 1123): at most 64 characters */
fb_valid_fn fb_valid_domain;	/* DNS name without a dot at its end, at most 253 characters */
fb_valid_fn fb_valid_address;	/* IPv4 or IPv6 */
fb_valid_fn fb_valid_cidr;	/* ADDRESS/PREFIX */
fb_valid_fn fb_valid_host;	/* DNS name or address */

/* For the validator of a key that knows only n words. */
const char *fb_valid_choice(struct fb_arena *arena, const char *value, const char *const *choice,
			    size_t n);

#endif
