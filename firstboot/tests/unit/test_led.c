/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The light: patterns of board data as writes into a tree in the shape of the LED class, and the data of our own board. */
#include "led.h"

#include "room.h"

#define LED "sys/class/leds/red:power/"
static const char triggers[] = "none timer heartbeat default-on mmc1\n";

static void put_led(const char *active)
{
	struct fb_buf buf = { .arena = room_now->arena };
	for (const char *at = triggers; *at;) {
		size_t len = strcspn(at, " \n");
		bool is_active = strlen(active) == len && !strncmp(at, active, len);
		fb_buf_add(&buf, "%s%.*s%s ", is_active ? "[" : "", (int)len, at, is_active ? "]" : "");
		at += len + 1;
	}
	room_write(LED "trigger", fb_buf_text(&buf));
	room_write(LED "brightness", "");
	room_write(LED "delay_on", "");
	room_write(LED "delay_off", "");
}

static struct fb_strs writes;

static void write_down(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	(void)what;
	fb_strs_add(room_now->arena, &writes, strrchr(path, '/') + 1);
}

TEST(patterns)
{
	static const struct {
		const char *pattern, *active, *want;	/* the attributes written, in this order */
		const char *on, *off, *brightness;
	} rows[] = {
		{ "blink 500 250", "none", "trigger delay_on delay_off", "500", "250", "" },
		{ "blink 500 250", "timer", "delay_on delay_off", "500", "250", "" },
		{ "heartbeat", "timer", "trigger", "", "", "" },
		{ "heartbeat", "heartbeat", "", "", "", "" },
		{ "on", "timer", "trigger brightness", "", "", "1" },
		{ "off", "none", "brightness", "", "", "0" },
		{ "", "none", "", "", "", "" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct room *room = room_make();
		struct fb_board board = { .led_name = "red:power", .led_pattern[FB_LED_DEGRADED] = rows[i].pattern };
		struct fb_error err;
		put_led(rows[i].active);
		writes = (struct fb_strs){ 0 };
		room->fs.before = write_down;
		CHECK_INT(fb_led_show(&room->fs, room->arena, &board, FB_LED_DEGRADED, &err), 0);
		struct fb_buf buf = { .arena = room->arena };
		for (size_t w = 0; w < writes.n; w++)
			fb_buf_add(&buf, "%s%s", w ? " " : "", writes.item[w]);
		CHECK_STR(fb_buf_text(&buf), rows[i].want);
		CHECK_STR(room_read(LED "delay_on"), rows[i].on);
		CHECK_STR(room_read(LED "delay_off"), rows[i].off);
		CHECK_STR(room_read(LED "brightness"), rows[i].brightness);
		room_end(room);
	}
}

TEST(a_box_without_lights_is_no_error)
{
	struct room *room = room_make();
	struct fb_board board = { .led_name = "red:power", .led_pattern[FB_LED_READY] = "heartbeat" };
	struct fb_error err;
	CHECK_INT(fb_led_show(&room->fs, room->arena, &board, FB_LED_READY, &err), 0);
	put_led("none");
	board.led_name = "";
	CHECK_INT(fb_led_show(&room->fs, room->arena, &board, FB_LED_READY, &err), 0);
	board.led_name = NULL;
	CHECK_INT(fb_led_show(&room->fs, room->arena, &board, FB_LED_READY, &err), 0);
	CHECK_INT(room->fs.mutations, 0);
	room_end(room);
}

TEST(what_is_off_is_told)
{
	static const struct {
		const char *pattern, *want;
	} rows[] = {
		{ "blink 500", "led: \"blink 500\" is no pattern; write blink ON-MS OFF-MS" },
		{ "blink", "led: \"blink\" is no pattern; write blink ON-MS OFF-MS" },
		{ "heartbeat", "/sys/class/leds/red:power/trigger is not there: the kernel has no LED triggers" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct room *room = room_make();
		struct fb_board board = { .led_name = "red:power", .led_pattern[FB_LED_FAILED] = rows[i].pattern };
		struct fb_error err;
		room_write(LED "brightness", "");
		CHECK(fb_led_show(&room->fs, room->arena, &board, FB_LED_FAILED, &err) < 0);
		CHECK_STR(err.text, rows[i].want);
		room_end(room);
	}
}

/* The patterns come from the file that the box gets, through the parser that it uses. */
TEST(the_boards_patterns_are_all_different)
{
	struct room *room = room_make();
	struct fb_board board;
	struct fb_error err = { "" };
	const char *text = room_read(TOP_DIR "/board-nanopi-r4s/board.conf");
	CHECK(text);
	room_write("usr/share/r4s-router/board.conf", text);
	CHECK_INT(fb_board_read(&room->fs, room->arena, &board, &err), 0);
	CHECK_STR(board.led_name, "red:power");
	for (size_t i = 0; i < FB_N_LEDS; i++) {
		put_led("none");
		CHECK_INT(fb_led_show(&room->fs, room->arena, &board, (enum fb_led)i, &err), 0);
		CHECK(room->fs.mutations > 0 && *board.led_pattern[i]);
		CHECK(strcmp(board.led_pattern[i], "on"));	/* that is what the kernel shows before us */
		for (size_t k = 0; k < i; k++)
			CHECK_ROW(board.led_pattern[i], strcmp(board.led_pattern[i], board.led_pattern[k]));
	}
	room_end(room);
}

TEST_MAIN()
