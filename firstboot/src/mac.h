/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MAC addresses: text and bytes, what makes one acceptable, where a board's own ones come from. */
#ifndef FB_MAC_H
#define FB_MAC_H

#include "key.h"

enum { FB_MAC_LEN = 6 };

/* Exactly aa:bb:cc:dd:ee:ff, in either case; the text that is made is in lower case. */
bool fb_mac_parse(const char *text, unsigned char ret_mac[FB_MAC_LEN]);
const char *fb_mac_text(struct fb_arena *arena, const unsigned char mac[FB_MAC_LEN]);
bool fb_mac_is_equal(const unsigned char a[FB_MAC_LEN], const unsigned char b[FB_MAC_LEN]);
bool fb_mac_is_unicast(const unsigned char mac[FB_MAC_LEN]);	/* and not all zero */
bool fb_mac_is_local(const unsigned char mac[FB_MAC_LEN]);	/* locally administered */

/* Make six random bytes a locally administered unicast address. */
void fb_mac_make_local(unsigned char mac[FB_MAC_LEN]);

/*
 * The address of a port from what the board carries; data is the whole file, offsets and lengths
 * are bytes of it. False if it holds nothing usable.
 *
 * EEPROM: one EUI-48, globally administered. WAN bears it, LAN the same with the local bit set (as
 * OpenWrt does for the R4S, target/linux/rockchip/armv8/base-files/etc/board.d/02_network).
 *
 * cpuid: SHA-256 over the number as lower-case hex text, so that WAN gets the address that U-Boot
 * gives the first port and LAN the one of the second (rockchip_setup_macaddr() in
 * arch/arm/mach-rockchip/misc.c).
 */
bool fb_mac_from_eeprom(const unsigned char *data, size_t len, long offset, enum fb_port_role role,
			unsigned char ret_mac[FB_MAC_LEN]);
bool fb_mac_from_cpuid(const unsigned char *data, size_t len, long offset, long id_len,
		       enum fb_port_role role, unsigned char ret_mac[FB_MAC_LEN]);

fb_valid_fn fb_valid_mac_choice;		/* random, board, keep or an address */

#endif
