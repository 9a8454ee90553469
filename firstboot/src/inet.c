/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IPv4 and IPv6 addresses and prefixes as values: read, print, compare. */
#include "inet.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

bool fb_inet_parse(const char *text, struct fb_inet *ret_inet)
{
	struct fb_inet inet = { .bits = strchr(text, ':') ? 128 : 32 };
	inet.prefix = inet.bits;
	if (inet_pton(inet.bits == 128 ? AF_INET6 : AF_INET, text, inet.byte) != 1)
		return false;
	*ret_inet = inet;
	return true;
}

bool fb_inet_parse_prefix(const char *text, struct fb_inet *ret_inet)
{
	char address[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	if (!slash || (size_t)(slash - text) >= sizeof(address))
		return false;
	memcpy(address, text, (size_t)(slash - text));
	address[slash - text] = '\0';

	const char *digits = slash + 1;
	size_t n = strspn(digits, "0123456789");
	if (n < 1 || n > 3 || digits[n] || (n > 1 && *digits == '0'))
		return false;
	unsigned long prefix = strtoul(digits, NULL, 10);
	struct fb_inet inet;
	if (!fb_inet_parse(address, &inet) || prefix > inet.bits)
		return false;
	inet.prefix = (unsigned)prefix;
	*ret_inet = inet;
	return true;
}

const char *fb_inet_format(struct fb_arena *arena, const struct fb_inet *inet)
{
	char text[INET6_ADDRSTRLEN] = "";
	int family = inet->bits == 128 ? AF_INET6 : AF_INET;
	(void)inet_ntop(family, inet->byte, text, sizeof(text));	/* it fits */
	return fb_strdup(arena, text);
}

const char *fb_inet_format_prefix(struct fb_arena *arena, const struct fb_inet *inet)
{
	return fb_format(arena, "%s/%u", fb_inet_format(arena, inet), inet->prefix);
}

/* Whether bits from..to of the address (to not included) are all the given value. */
static bool bits_are(const struct fb_inet *inet, unsigned from, unsigned to, unsigned value)
{
	for (unsigned i = from; i < to; i++)
		if (((inet->byte[i / 8] >> (7 - i % 8)) & 1u) != value)
			return false;
	return true;
}

static bool same_bits(const struct fb_inet *a, const struct fb_inet *b, unsigned n)
{
	if (a->bits != b->bits || memcmp(a->byte, b->byte, n / 8))
		return false;
	return n % 8 == 0 || (a->byte[n / 8] ^ b->byte[n / 8]) >> (8 - n % 8) == 0;
}

bool fb_inet_is_same(const struct fb_inet *a, const struct fb_inet *b)
{
	return same_bits(a, b, a->bits);
}

bool fb_inet_contains(const struct fb_inet *net, const struct fb_inet *address)
{
	return same_bits(net, address, net->prefix);
}

bool fb_inet_overlaps(const struct fb_inet *a, const struct fb_inet *b)
{
	return same_bits(a, b, a->prefix < b->prefix ? a->prefix : b->prefix);
}

bool fb_inet_is_network(const struct fb_inet *inet)
{
	return inet->prefix + 1 < inet->bits && bits_are(inet, inet->prefix, inet->bits, 0);
}

bool fb_inet_is_broadcast(const struct fb_inet *inet)
{
	return inet->bits == 32 && inet->prefix + 1 < inet->bits &&
	       bits_are(inet, inet->prefix, inet->bits, 1);
}

enum fb_inet_kind fb_inet_kind(const struct fb_inet *inet)
{
	/* RFC 6890 */
	static const struct {
		struct fb_inet net;
		enum fb_inet_kind kind;
	} table[] = {
		{ { 32, 8, { 0 } }, FB_INET_UNSPECIFIED },
		{ { 32, 8, { 127 } }, FB_INET_LOOPBACK },
		{ { 32, 16, { 169, 254 } }, FB_INET_LINK_LOCAL },
		{ { 32, 4, { 224 } }, FB_INET_MULTICAST },
		{ { 32, 4, { 240 } }, FB_INET_RESERVED },
		{ { 128, 128, { 0 } }, FB_INET_UNSPECIFIED },
		{ { 128, 128, { [15] = 1 } }, FB_INET_LOOPBACK },
		{ { 128, 96, { [10] = 0xff, [11] = 0xff } },
		  FB_INET_RESERVED }, /* IPv4 in IPv6 clothes */
		{ { 128, 10, { 0xfe, 0x80 } }, FB_INET_LINK_LOCAL },
		{ { 128, 8, { 0xff } }, FB_INET_MULTICAST },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(table); i++)
		if (fb_inet_contains(&table[i].net, inet))
			return table[i].kind;
	return FB_INET_UNICAST;
}
