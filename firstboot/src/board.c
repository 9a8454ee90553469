/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Board data: the same file syntax and parser as provision.conf, with a table of its own. */
#include "board.h"

#include <errno.h>
#include <string.h>

#include "conf.h"

static const char path[] = "/usr/share/r4s-router/board.conf";

const char *const fb_port_name[FB_N_PORTS] = { "wan0", "lan0" };
const char *const fb_port_key[FB_N_PORTS] = { "network.wan", "network.lan" };

struct port_section {
	struct fb_titled head;
	struct fb_board_port port;
};

struct board_file {
	struct fb_board board;
	struct fb_array port;		/* of struct port_section */
};

#define AT(field) offsetof(struct board_file, field)
#define IN_PORT(field) offsetof(struct port_section, port.field)
static const struct fb_key keys[] = {
	{ .path = "name", .type = FB_STR, .offset = AT(board.name) },
	{ .path = "console", .type = FB_STR, .offset = AT(board.console) },
	{ .path = "led.name", .type = FB_STR, .offset = AT(board.led_name) },
	{ .path = "led.provisioning", .type = FB_STR, .offset = AT(board.led_pattern[FB_LED_PROVISIONING]) },
	{ .path = "led.ready", .type = FB_STR, .offset = AT(board.led_pattern[FB_LED_READY]) },
	{ .path = "led.degraded", .type = FB_STR, .offset = AT(board.led_pattern[FB_LED_DEGRADED]) },
	{ .path = "led.failed", .type = FB_STR, .offset = AT(board.led_pattern[FB_LED_FAILED]) },
	{ .path = "port", .type = FB_SECTIONS, .offset = AT(port), .size = sizeof(struct port_section) },
	{ .path = "port.path", .type = FB_STR, .offset = IN_PORT(id_path) },
	{ .path = "port.driver", .type = FB_STR, .offset = IN_PORT(driver) },
	{ .path = "mac.eeprom", .type = FB_STR, .offset = AT(board.eeprom) },
	{ .path = "mac.eeprom-offset", .type = FB_INT, .offset = AT(board.eeprom_offset), .max = 65535, .range = "0 to 65535" },
	{ .path = "mac.eeprom-bind", .type = FB_STR, .offset = AT(board.eeprom_bind) },
	{ .path = "mac.eeprom-bind-text", .type = FB_STR, .offset = AT(board.eeprom_bind_text) },
	{ .path = "mac.cpuid", .type = FB_STR, .offset = AT(board.cpuid) },
	{ .path = "mac.cpuid-offset", .type = FB_INT, .offset = AT(board.cpuid_offset), .max = 65535, .range = "0 to 65535" },
	{ .path = "mac.cpuid-len", .type = FB_INT, .offset = AT(board.cpuid_len), .max = 64, .range = "0 to 64" },
};

int fb_board_read(struct fb_fs *fs, struct fb_arena *arena, struct fb_board *ret_board, struct fb_error *err)
{
	char *text;
	size_t len;
	int rc = fb_fs_read(fs, arena, path, FB_CONF_MAX_BYTES, &text, &len, err);
	if (rc == -ENOENT)
		return fb_fail(err, ENOENT, "%s%s is missing: the image carries no board data, so nobody can tell which "
			       "port is WAN", fs->root, path);
	if (rc < 0)
		return rc;
	struct board_file file = { 0 };
	struct fb_conf conf;
	const struct fb_keys table = { keys, FB_ARRAY_LEN(keys) };
	fb_conf_parse(&conf, arena, path, text, len, &table, 1, &file);
	if (conf.n_complaints)
		return fb_fail(err, EINVAL, "%s%s", fs->root, fb_conf_message(&conf, &conf.complaint[0]));
	const struct port_section *section = file.port.item;
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		file.board.port[i] = (struct fb_board_port){ "", "" };
		for (size_t s = 0; s < file.port.n; s++)
			if (!strcmp(section[s].head.title, fb_port_name[i]))
				file.board.port[i] = section[s].port;
	}
	*ret_board = file.board;
	return 0;
}
