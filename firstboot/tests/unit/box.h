/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of a step: a room for its files, invented facts, and plans told as text. Paths are those of the box. */
#ifndef FB_BOX_H
#define FB_BOX_H

#include <fcntl.h>
#include <sched.h>

#include "room.h"
#include "step.h"

struct box {
	struct room *room;
	struct fb_arena *arena;
	struct fb_facts facts;
	struct fb_link link[2];
	struct fb_board board;
	struct fb_conf conf;
	struct fb_view view;
	struct fb_plan plan;
};

/* Steps ask for files of root. Who is not root becomes it in a user namespace of its own: this needs no rights. */
static void box_become_root(void)
{
	static const char *const files[] = { "/proc/self/setgroups", "/proc/self/uid_map", "/proc/self/gid_map" };
	char lines[3][32] = { "deny" };
	(void)snprintf(lines[1], sizeof(lines[1]), "0 %u 1", (unsigned)geteuid());
	(void)snprintf(lines[2], sizeof(lines[2]), "0 %u 1", (unsigned)getegid());
	if (geteuid() == 0)
		return;
	CHECK(unshare(CLONE_NEWUSER) == 0);
	for (size_t i = 0; i < FB_ARRAY_LEN(files); i++) {
		FB_CLOSE int fd = open(files[i], O_WRONLY | O_CLOEXEC);
		CHECK(fd >= 0 && write(fd, lines[i], strlen(lines[i])) > 0);
	}
}

/* A live box at early boot with a seed; a board without ports, MAC source or config values. */
static void box_open(struct box *box)
{
	box_become_root();
	*box = (struct box){ .room = room_make() };
	box->arena = box->room->arena;
	box->facts = (struct fb_facts){
		.stage = FB_STAGE_EARLY, .is_live = true, .has_seed = true, .box_tag = "", .link = box->link,
	};
	for (size_t i = 0; i < sizeof(box->facts.seed); i++)
		box->facts.seed[i] = (unsigned char)(i + 1);
	box->board = (struct fb_board){ .name = "test", .eeprom = "", .eeprom_bind = "", .eeprom_bind_text = "", .cpuid = "" };
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		box->board.port[i] = (struct fb_board_port){ "", "" };
		box->conf.value.port[i] = (struct fb_port){ .mac = "random", .method = "dhcp", .domain = "" };
	}
	box->conf.value.hostname = "r4s-router";
	box->conf.arena = box->arena;
}

static void box_close(struct box *box)
{
	room_end(box->room);
}

/* len bytes. Replaces what is there, also if it may only be read. */
static void box_put_bytes(struct box *box, const char *path, const char *text, size_t len, mode_t mode)
{
	CHECK(room_now == box->room);
	(void)unlink(room_path(path + 1));	/* need not be there */
	room_write(path + 1, "");		/* makes the directories as well */
	FILE *f = fopen(room_path(path + 1), "w");
	CHECK(f && fwrite(text, 1, len, f) == len && !fclose(f) && !chmod(room_path(path + 1), mode));
}

__attribute__((unused))
static void box_put(struct box *box, const char *path, const char *text)
{
	box_put_bytes(box, path, text, strlen(text), 0644);
}

/* NULL: absent. */
__attribute__((unused))
static const char *box_get(struct box *box, const char *path)
{
	CHECK(room_now == box->room);
	return room_read(path + 1);
}

static struct fb_view *box_view(struct box *box)
{
	box->view = (struct fb_view){
		.fs = &box->room->fs, .arena = box->arena, .facts = &box->facts, .board = &box->board, .env = &fb_env_offline,
	};
	return &box->view;
}

/* The plan as one line a change: kind, path; an exec is its command line, an attribute ends with its text. */
static const char *box_plan_as(struct box *box, const struct fb_step *step, const struct fb_conf *conf)
{
	struct fb_buf buf = { .arena = box->arena };
	box->plan = (struct fb_plan){ .view = box_view(box) };
	step->plan(&box->plan, conf);
	CHECK_INT(box->view.rc, 0);
	for (size_t i = 0; i < box->plan.n; i++) {
		const struct fb_change *change = &box->plan.change[i];
		fb_buf_add(&buf, "%s%s", fb_kind_name(change->kind), change->kind == FB_EXEC ? "" : " ");
		for (const char *const *arg = change->argv; change->kind == FB_EXEC && *arg; arg++)
			fb_buf_add(&buf, " %s", **arg ? *arg : "''");
		fb_buf_add(&buf, "%s%s%s\n", change->kind == FB_EXEC ? "" : change->path, change->kind == FB_ATTR ? " " : "",
			   change->kind == FB_ATTR ? change->text : "");
	}
	for (size_t i = 0; i < box->plan.n_follow; i++)
		fb_buf_add(&buf, "then %s\n", box->plan.follow[i].unit ? box->plan.follow[i].unit : "reboot");
	for (size_t i = 0; i < box->plan.notes.n; i++)
		fb_buf_add(&buf, "note %s\n", box->plan.notes.item[i]);
	return fb_buf_text(&buf);
}

__attribute__((unused))
static const char *box_plan(struct box *box, const struct fb_step *step)
{
	return box_plan_as(box, step, &box->conf);
}

/* Carry out what the last plan wants of files. */
__attribute__((unused))
static void box_act(struct box *box)
{
	struct fb_error err;
	for (size_t i = 0; i < box->plan.n; i++) {
		const struct fb_change *change = &box->plan.change[i];
		if (change->kind == FB_FILE)
			box_put_bytes(box, change->path, change->text, change->len, change->mode);
		else if (change->kind == FB_REMOVE)
			CHECK_INT(fb_fs_remove(&box->room->fs, change->path, &err), 0);
	}
}

/* The verdicts, one line a row. */
__attribute__((unused))
static const char *box_probe(struct box *box, const struct fb_step *step)
{
	static const char *const words[] = { [FB_HELD] = "held", [FB_DIFFERS] = "differs", [FB_UNMEASURED] = "unmeasured" };
	struct fb_buf buf = { .arena = box->arena };
	struct fb_report report = { .view = box_view(box) };
	step->probe(&report, &box->conf);
	CHECK_INT(box->view.rc, 0);
	for (size_t i = 0; i < report.n; i++)
		fb_buf_add(&buf, "%s %s: %s | %s\n", words[report.row[i].verdict], report.row[i].key, report.row[i].wanted,
			   report.row[i].measured);
	return fb_buf_text(&buf);
}

#endif
