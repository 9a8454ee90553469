/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is true of this board only: read from /usr/share/r4s-router/board.conf in the root. */
#ifndef FB_BOARD_H
#define FB_BOARD_H

#include "config.h"
#include "fs.h"

struct fb_board_port {
	const char *id_path;		/* udev ID_PATH of the port; "": the port has its name already */
	const char *driver;
};

/* What the light says. */
enum fb_led { FB_LED_PROVISIONING, FB_LED_READY, FB_LED_DEGRADED, FB_LED_FAILED, FB_N_LEDS };

struct fb_board {
	const char *name;
	struct fb_board_port port[FB_N_PORTS];
	const char *eeprom;		/* file that holds an EUI-48, "" if the board never has one */
	long eeprom_offset;		/* bytes */
	const char *eeprom_bind, *eeprom_bind_text;	/* attribute and text that make the file appear */
	const char *cpuid;		/* file with the SoC's unique number */
	long cpuid_offset, cpuid_len;	/* bytes */
	const char *console;
	const char *led_name;		/* in /sys/class/leds; "" or NULL: no light */
	const char *led_pattern[FB_N_LEDS];	/* "on", "off", "blink ON-MS OFF-MS" or the name of a trigger of the kernel */
};

extern const char *const fb_port_name[FB_N_PORTS];	/* wan0, lan0 */
extern const char *const fb_port_key[FB_N_PORTS];	/* network.wan, network.lan */

/* -ENOENT with err filled when the image carries no board data. */
int fb_board_read(struct fb_fs *fs, struct fb_arena *arena, struct fb_board *ret_board, struct fb_error *err);

#endif
