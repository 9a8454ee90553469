/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's routes as procfs tells them. */
#include "route.h"

#include <stdlib.h>
#include <string.h>

#include "inet.h"
#include "text.h"

static struct fb_strs words_of(struct fb_arena *arena, const char *line)
{
	struct fb_strs words = { 0 };
	for (const char *word; (word = fb_text_next_word(arena, &line));)
		fb_strs_add(arena, &words, word);
	return words;
}

static void add_once(struct fb_arena *arena, struct fb_strs *strs, const char *text)
{
	if (!fb_strs_has(strs, text))
		fb_strs_add(arena, strs, text);
}

struct fb_strs fb_route_gateways(struct fb_arena *arena, const char *link, const char *route,
				 const char *ipv6_route)
{
	static const char any6[] = "00000000000000000000000000000000";
	struct fb_strs found = { 0 };
	const char *line;
	size_t len;
	for (const char *at = route ? route : ""; fb_text_next_line(&at, &line, &len);) {
		/* Iface Destination Gateway Flags RefCnt Use Metric Mask …, in the CPU's byte order */
		struct fb_strs word = words_of(arena, fb_strndup(arena, line, len));
		struct fb_inet gateway = { .bits = 32 };
		if (word.n < 8 || strcmp(word.item[0], link) || strcmp(word.item[1], "00000000") ||
		    strcmp(word.item[7], "00000000") || !strcmp(word.item[2], "00000000"))
			continue;
		uint32_t bits = (uint32_t)strtoul(word.item[2], NULL, 16);
		memcpy(gateway.byte, &bits, sizeof(bits));
		add_once(arena, &found, fb_inet_format(arena, &gateway));
	}
	for (const char *at = ipv6_route ? ipv6_route : ""; fb_text_next_line(&at, &line, &len);) {
		/* destination length source length next-hop metric refcnt use flags iface */
		struct fb_strs word = words_of(arena, fb_strndup(arena, line, len));
		struct fb_inet gateway = { .bits = 128 };
		if (word.n < 10 || strcmp(word.item[9], link) || strcmp(word.item[0], any6) ||
		    strcmp(word.item[1], "00") || strlen(word.item[4]) != strlen(any6) ||
		    !strcmp(word.item[4], any6))
			continue;
		for (size_t i = 0; i < sizeof(gateway.byte); i++)
			gateway.byte[i] = (unsigned char)strtoul(
				fb_strndup(arena, word.item[4] + 2 * i, 2), NULL, 16);
		add_once(arena, &found, fb_inet_format(arena, &gateway));
	}
	return found;
}
