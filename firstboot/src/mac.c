/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MAC addresses: text and bytes, what makes one acceptable, where a board's own ones come from. */
#include "mac.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

enum { MULTICAST = 0x01, LOCAL = 0x02, CPUID_MAX = 64 };

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;
	if (!at)
		return -1;
	long value = at - digits;
	return (int)(value < 16 ? value : value - 6);
}

bool fb_mac_parse(const char *text, unsigned char ret_mac[FB_MAC_LEN])
{
	unsigned char mac[FB_MAC_LEN];
	if (strlen(text) != 3 * FB_MAC_LEN - 1)
		return false;
	for (size_t i = 0; i < FB_MAC_LEN; i++) {
		const char *pair = text + 3 * i;
		int high = hex_digit(pair[0]), low = hex_digit(pair[1]);
		if (high < 0 || low < 0 || pair[2] != (i == FB_MAC_LEN - 1 ? '\0' : ':'))
			return false;
		mac[i] = (unsigned char)(high << 4 | low);
	}
	memcpy(ret_mac, mac, FB_MAC_LEN);
	return true;
}

const char *fb_mac_text(struct fb_arena *arena, const unsigned char mac[FB_MAC_LEN])
{
	return fb_format(arena, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3],
			 mac[4], mac[5]);
}

bool fb_mac_is_equal(const unsigned char a[FB_MAC_LEN], const unsigned char b[FB_MAC_LEN])
{
	return !memcmp(a, b, FB_MAC_LEN);
}

bool fb_mac_is_unicast(const unsigned char mac[FB_MAC_LEN])
{
	static const unsigned char zero[FB_MAC_LEN];
	return !(mac[0] & MULTICAST) && !fb_mac_is_equal(mac, zero);
}

bool fb_mac_is_local(const unsigned char mac[FB_MAC_LEN])
{
	return mac[0] & LOCAL;
}

void fb_mac_make_local(unsigned char mac[FB_MAC_LEN])
{
	mac[0] = (unsigned char)((mac[0] & ~MULTICAST) | LOCAL);
}

/* Whether len bytes at offset lie in a file of size bytes. */
static bool is_inside(size_t size, long offset, size_t len)
{
	return offset >= 0 && (size_t)offset <= size && len <= size - (size_t)offset;
}

bool fb_mac_from_eeprom(const unsigned char *data, size_t len, long offset, enum fb_port_role role,
			unsigned char ret_mac[FB_MAC_LEN])
{
	if (!is_inside(len, offset, FB_MAC_LEN))
		return false;
	unsigned char mac[FB_MAC_LEN];
	memcpy(mac, data + offset, FB_MAC_LEN);
	if (!fb_mac_is_unicast(mac) || fb_mac_is_local(mac))
		return false;		/* an empty chip reads as all 0xff */
	if (role == FB_LAN)
		mac[0] |= LOCAL;
	memcpy(ret_mac, mac, FB_MAC_LEN);
	return true;
}

bool fb_mac_from_cpuid(const unsigned char *data, size_t len, long offset, long id_len,
		       enum fb_port_role role, unsigned char ret_mac[FB_MAC_LEN])
{
	if (id_len <= 0 || id_len > CPUID_MAX || !is_inside(len, offset, (size_t)id_len))
		return false;
	char text[2 * CPUID_MAX + 1];
	unsigned all_and = 0xff, all_or = 0;
	for (long i = 0; i < id_len; i++) {
		unsigned char byte = data[offset + i];
		(void)snprintf(text + 2 * i, 3, "%02x", byte);	/* two digits and the end fit */
		all_and &= byte;
		all_or |= byte;
	}
	unsigned char hash[EVP_MAX_MD_SIZE];
	if (all_or == 0 || all_and == 0xff ||		/* fuses that were never blown */
	    !EVP_Digest(text, (size_t)id_len * 2, hash, NULL, EVP_sha256(), NULL))
		return false;
	memcpy(ret_mac, hash, FB_MAC_LEN);
	fb_mac_make_local(ret_mac);
	if (role == FB_LAN)
		ret_mac[FB_MAC_LEN - 1] ^= 0x01;
	return true;
}

const char *fb_valid_mac_choice(struct fb_arena *arena, const char *value)
{
	(void)arena;		/* the messages are fixed */
	static const char *const words[] = { "random", "board", "keep" };
	for (size_t i = 0; i < FB_ARRAY_LEN(words); i++)
		if (!strcmp(value, words[i]))
			return NULL;
	unsigned char mac[FB_MAC_LEN];
	if (!fb_mac_parse(value, mac))
		return "is not random, board, keep or six pairs of hex digits, such as 02:00:00:00:00:01";
	if (mac[0] & MULTICAST)
		return "is not the address of one port: its first pair must be even, such as 02";
	if (!fb_mac_is_unicast(mac))
		return "is not an address: it is all zero";
	return NULL;
}
