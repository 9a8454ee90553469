/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges of one value that several steps share. */
#include "valid.h"

#include <string.h>
#include <strings.h>

#include "inet.h"

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum {
	HOSTNAME_MAX = 64, /* characters: HOST_NAME_MAX of Linux */
	DOMAIN_MAX = 253, /* characters: RFC 1035's 255 bytes on the wire */
	LABEL_MAX = 63, /* characters: RFC 1035 */
};

/* What is wrong with the parts of a dotted name; NULL if nothing is. */
static const char *wrong_part(const char *name)
{
	for (const char *part = name;; part++) {
		size_t len = strcspn(part, ".");
		if (!len)
			return "has an empty part: no dot may stand at the start, at the end or beside another";
		if (len > LABEL_MAX)
			return "has a part of more than 63 characters between its dots";
		if (part[0] == '-' || part[len - 1] == '-')
			return "has a part that begins or ends with '-'";
		if (!part[len] && strspn(part, DIGITS) == len)
			return "ends in a part of digits only, which reads as an address; put a letter into it";
		part += len;
		if (!*part)
			return NULL;
	}
}

static bool has_name_letters(const char *name)
{
	return *name && !name[strspn(name, LETTERS DIGITS "-.")];
}

const char *fb_valid_hostname(struct fb_arena *arena, const char *value)
{
	(void)arena; /* the messages are fixed */
	if (!has_name_letters(value))
		return "is not a host name; allowed are letters, digits, '-', and dots between parts, such as r4s-router";
	if (strlen(value) > HOSTNAME_MAX)
		return "is longer than 64 characters, the limit of Linux for a host name";
	if (!strcasecmp(value, "localhost"))
		return "is the name that every machine has for itself; choose another, such as r4s-router";
	return wrong_part(value);
}

const char *fb_valid_domain(struct fb_arena *arena, const char *value)
{
	(void)arena; /* the messages are fixed */
	if (!has_name_letters(value))
		return "is not a domain name; allowed are letters, digits, '-', and dots between parts, such as home.arpa";
	if (strlen(value) > DOMAIN_MAX)
		return "is longer than 253 characters, the limit of DNS for a name";
	return wrong_part(value);
}

const char *fb_valid_address(struct fb_arena *arena, const char *value)
{
	(void)arena; /* the messages are fixed */
	struct fb_inet inet;
	if (fb_inet_parse_prefix(value, &inet))
		return "has a prefix length; write the address alone, such as 192.168.1.1";
	if (!fb_inet_parse(value, &inet))
		return "is not an IPv4 or IPv6 address, such as 192.168.1.1 or 2001:db8::1";
	return NULL;
}

const char *fb_valid_cidr(struct fb_arena *arena, const char *value)
{
	struct fb_inet inet;
	if (fb_inet_parse(value, &inet))
		return fb_format(arena, "has no prefix length; write ADDRESS/PREFIX, such as %s/%d",
				 value, inet.bits == 32 ? 24 : 64);
	if (!fb_inet_parse_prefix(value, &inet))
		return "is not ADDRESS/PREFIX, such as 192.168.1.50/24 or fd77::1/64";
	return NULL;
}

const char *fb_valid_host(struct fb_arena *arena, const char *value)
{
	struct fb_inet inet;
	if (fb_inet_parse(value, &inet) || !fb_valid_domain(arena, value))
		return NULL;
	return "is not a host; write a name such as time.example.net, or an IPv4 or IPv6 address";
}

const char *fb_valid_choice(struct fb_arena *arena, const char *value, const char *const *choice,
			    size_t n)
{
	struct fb_buf clause = { .arena = arena };
	fb_buf_add(&clause, "is not one of");
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(value, choice[i]))
			return NULL;
		fb_buf_add(&clause, "%s %s", i ? "," : "", choice[i]);
	}
	return fb_buf_text(&clause);
}
