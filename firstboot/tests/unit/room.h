/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A root directory of its own for one test, and plain ways to look at it that do not use the code under test. */
#ifndef FB_ROOM_H
#define FB_ROOM_H

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs.h"
#include "test.h"

enum { ROOM_CUT = 42 };		/* exit code of a process that ended at its cut */

struct room {
	char dir[PATH_MAX - 64];
	struct fb_fs fs;
	struct fb_arena *arena;
};

static struct room *room_now;	/* paths below are relative to it, unless they start with a slash */

__attribute__((unused))
static const char *room_path(const char *path)
{
	static char full[4][PATH_MAX];
	static unsigned turn;
	turn = (turn + 1) % 4;
	(void)snprintf(full[turn], PATH_MAX, "%s%s%s", *path == '/' ? "" : room_now->dir, *path == '/' ? "" : "/", path);
	return full[turn];
}

__attribute__((unused))
static struct room *room_make(void)
{
	static struct room room;
	const char *tmp = getenv("TMPDIR");
	struct fb_error err;
	memset(&room, 0, sizeof(room));
	(void)snprintf(room.dir, sizeof(room.dir), "%s/r4s-test.XXXXXX", tmp ? tmp : "/tmp");
	(void)umask(022);
	if (!mkdtemp(room.dir))
		test_fail(__FILE__, __LINE__, "cannot make %s", room.dir);
	room.arena = fb_arena_new();
	if (fb_fs_open(&room.fs, room.dir, &err) < 0)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	room_now = &room;
	return &room;
}

__attribute__((unused))
static int room_unlink(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

__attribute__((unused))
static void room_end(struct room *room)
{
	fb_fs_close(&room->fs);
	fb_arena_free(room->arena);
	if (chdir("/") < 0 || nftw(room->dir, room_unlink, 16, FTW_DEPTH | FTW_PHYS) < 0)
		test_fail(__FILE__, __LINE__, "cannot remove %s", room->dir);
}

/* Also makes the directories above. */
__attribute__((unused))
static void room_write(const char *path, const char *text)
{
	char full[PATH_MAX];
	(void)snprintf(full, sizeof(full), "%s", room_path(path));
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(full, 0755);	/* there already is fine; else fopen() below fails */
		*slash = '/';
	}
	FILE *f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		test_fail(__FILE__, __LINE__, "cannot write %s", full);
}

/* NULL if it is not there. The text lives as long as the room. */
__attribute__((unused))
static const char *room_read(const char *path)
{
	FILE *f = fopen(room_path(path), "r");
	if (!f)
		return NULL;
	struct fb_buf buf = { .arena = room_now->arena };
	char piece[4096];
	for (size_t n; (n = fread(piece, 1, sizeof(piece), f)) > 0;)
		fb_buf_mem(&buf, piece, n);
	(void)fclose(f);		/* only read from */
	return fb_buf_text(&buf);
}

__attribute__((unused))
static int room_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* What the directory holds, sorted, between blanks. */
__attribute__((unused))
static const char *room_names(const char *path)
{
	struct dirent **entry;
	struct fb_buf buf = { .arena = room_now->arena };
	int n = scandir(room_path(path), &entry, NULL, room_by_name);
	for (int i = 0; i < n; i++) {
		if (strcmp(entry[i]->d_name, ".") && strcmp(entry[i]->d_name, ".."))
			fb_buf_add(&buf, "%s%s", buf.len ? " " : "", entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return fb_buf_text(&buf);
}

/* A write beyond this many bytes fails as on a full disk, in this process. */
__attribute__((unused))
static void room_limit_file_size(rlim_t bytes)
{
	struct rlimit limit = { bytes, bytes };
	(void)signal(SIGXFSZ, SIG_IGN);		/* cannot fail for this signal */
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		test_fail(__FILE__, __LINE__, "setrlimit failed");
}

static unsigned room_cut;

__attribute__((unused))
static void room_before(struct fb_fs *fs, const char *what, const char *path)
{
	(void)what;
	(void)path;
	if (fs->mutations == room_cut)
		_exit(ROOM_CUT);
}

/* The process ends just before the n-th mutation from now, n counted from 1. */
__attribute__((unused))
static void room_cut_at(struct fb_fs *fs, unsigned n)
{
	room_cut = fs->mutations + n;
	fs->before = room_before;
}

#endif
