/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges of what goes to apt: addresses of mirrors, names of packages. */
#include <string.h>

#include "apt.h"
#include "text.h"
#include "valid.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

const char *fb_valid_mirror(struct fb_arena *arena, const char *value)
{
	static const char form[] =
		"is not the address of a mirror; write http://HOST/PATH or https://HOST/PATH, such as https://mirrors.xtom.de/armbian/";
	const char *host = fb_text_starts(value, "https://") ? value + strlen("https://") :
			   fb_text_starts(value, "http://")  ? value + strlen("http://") :
							       NULL;
	if (!host)
		return form;
	size_t host_len = strcspn(host, "/"), name_len = strcspn(host, ":/");
	const char *name = fb_strndup(arena, host, name_len), *path = host + host_len;
	const char *port = host[name_len] == ':' ? fb_strndup(arena, host + name_len + 1, host_len - name_len - 1) : "80";
	if (strchr(name, '@') || memchr(host, '@', host_len))
		return "holds a user or password; a mirror has to be open to all";
	if (fb_valid_host(arena, name))
		return "has no host name or IPv4 address that is one; write http://HOST/PATH or https://HOST/PATH";
	if (!fb_text_is_made_of(port, "0123456789") || strlen(port) > 5)
		return "has a port that is no number";
	if (*path && !fb_text_is_made_of(path, LETTERS "/-._+"))
		return "has a path with other characters than letters, digits and / - . _ +";
	if (strstr(path, "/../") || fb_text_ends(path, "/.."))
		return "has a path that climbs with ..";
	return NULL;
}

/* Debian Policy 5.6.7: lower case letters, digits, plus, minus, dots; two characters at least. */
const char *fb_valid_package(struct fb_arena *arena, const char *value)
{
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	(void)arena;	/* the message is fixed */
	/* apt reads "NAME-" as: remove it. */
	bool is_name = fb_text_is_made_of(value, "abcdefghijklmnopqrstuvwxyz0123456789+-.") && strchr(lower, value[0]) &&
		       strlen(value) >= 2 && strlen(value) <= 128 && !fb_text_ends(value, "-");
	return is_name ? NULL :
			 "is not a package name; allowed are lower-case letters, digits, '+', '-' and '.', such as iputils-ping";
}
