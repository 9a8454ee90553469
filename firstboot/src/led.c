/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns of the light, as the kernel's LED class understands them. */
#include "led.h"

#include <errno.h>
#include <string.h>

#include "text.h"

/* The trigger that is active stands in brackets: "none [timer] heartbeat". */
static bool is_active(const char *triggers, const char *name)
{
	const char *open = strchr(triggers, '[');
	size_t len = strlen(name);
	return open && !strncmp(open + 1, name, len) && open[1 + len] == ']';
}

static int write_in(struct fb_fs *fs, struct fb_arena *arena, const char *dir, const char *name, const char *text,
		    struct fb_error *err)
{
	return fb_fs_write_attr(fs, fb_format(arena, "%s/%s", dir, name), text, err);
}

/* A trigger that is on already stays: setting it again would start its pattern anew. */
static int set_trigger(struct fb_fs *fs, struct fb_arena *arena, const char *dir, const char *name, struct fb_error *err)
{
	char *triggers;
	int rc = fb_fs_read(fs, arena, fb_format(arena, "%s/trigger", dir), FB_FS_READ_MAX, &triggers, NULL, err);
	if (rc == -ENOENT)
		return fb_fail(err, ENOENT, "%s/trigger is not there: the kernel has no LED triggers", dir);
	return rc < 0 || is_active(triggers, name) ? rc : write_in(fs, arena, dir, "trigger", name, err);
}

int fb_led_show(struct fb_fs *fs, struct fb_arena *arena, const struct fb_board *board, enum fb_led led,
		struct fb_error *err)
{
	const char *at = board->led_pattern[led];
	const char *word = at ? fb_text_next_word(arena, &at) : NULL;
	const char *dir = fb_format(arena, "/sys/class/leds/%s", board->led_name ? board->led_name : "");
	struct fb_strs names;
	if (!word || !board->led_name || !*board->led_name || fb_fs_list(fs, arena, dir, &names, err) == -ENOENT)
		return 0;
	bool is_on = !strcmp(word, "on"), is_steady = is_on || !strcmp(word, "off");
	if (is_steady) {
		int rc = set_trigger(fs, arena, dir, "none", err);
		return rc < 0 ? rc : write_in(fs, arena, dir, "brightness", is_on ? "1" : "0", err);
	}
	if (strcmp(word, "blink"))
		return set_trigger(fs, arena, dir, word, err);
	const char *on_ms = fb_text_next_word(arena, &at), *off_ms = fb_text_next_word(arena, &at);
	if (!on_ms || !off_ms)
		return fb_fail(err, EINVAL, "led: \"%s\" is no pattern; write blink ON-MS OFF-MS", board->led_pattern[led]);
	int rc = set_trigger(fs, arena, dir, "timer", err);
	if (rc == 0)
		rc = write_in(fs, arena, dir, "delay_on", on_ms, err);
	return rc < 0 ? rc : write_in(fs, arena, dir, "delay_off", off_ms, err);
}
