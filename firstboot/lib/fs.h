/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only door to the disk. Every path is absolute and is resolved inside the root that was opened; symbolic links
 * cannot lead out of it. Reads return -ENOENT for what is not there and leave err alone; all else fills err.
 */
#ifndef FB_FS_H
#define FB_FS_H

#include <sys/types.h>

#include "base.h"

enum { FB_FS_READ_MAX = 8 << 20 };	/* bytes; no file that we edit comes near it */

struct fb_fs {
	int root_fd;
	const char *root;		/* as given, "" for "/": for messages and for tools that write below it */
	/* Called before each call that changes the disk. Tests end the process here; NULL otherwise. */
	void (*before)(struct fb_fs *fs, const char *what, const char *path);
	unsigned mutations;
};

enum fb_filetype { FB_IS_FILE, FB_IS_DIR, FB_IS_LINK, FB_IS_OTHER };

struct fb_stat {
	enum fb_filetype type;
	mode_t mode;			/* permission bits only */
	uid_t uid;
	gid_t gid;
	off_t size_bytes;
};

#define FB_FS_ANY_MODE ((mode_t)-1)	/* as the file system has it: FAT knows neither owners nor modes */

struct fb_file {
	const char *path;
	const char *text;
	size_t len;
	mode_t mode;
	uid_t uid;
	gid_t gid;
};

int fb_fs_open(struct fb_fs *fs, const char *root, struct fb_error *err);
void fb_fs_close(struct fb_fs *fs);

int fb_fs_stat(struct fb_fs *fs, const char *path, struct fb_stat *ret_stat, struct fb_error *err);	/* of a link itself */
int fb_fs_read(struct fb_fs *fs, struct fb_arena *arena, const char *path, size_t max_bytes,
	       char **ret_text, size_t *ret_len, struct fb_error *err);		/* -EFBIG beyond max_bytes */
int fb_fs_readlink(struct fb_fs *fs, struct fb_arena *arena, const char *path, char **ret_target, struct fb_error *err);
int fb_fs_list(struct fb_fs *fs, struct fb_arena *arena, const char *path, struct fb_strs *ret_names,
	       struct fb_error *err);		/* sorted, without . and .. */

/*
 * Stage all n files beside their targets, fsync each, then rename each and fsync the directories: after a power cut a
 * file is whole, old or new. Missing parent directories are made 0755 root:root.
 */
int fb_fs_replace(struct fb_fs *fs, const struct fb_file *file, size_t n, struct fb_error *err);
int fb_fs_symlink(struct fb_fs *fs, const char *path, const char *target, struct fb_error *err);
int fb_fs_mkdir(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err);
int fb_fs_remove(struct fb_fs *fs, const char *path, struct fb_error *err);	/* file, link or empty directory; gone is fine */
int fb_fs_chmod(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err);
int fb_fs_write_attr(struct fb_fs *fs, const char *path, const char *text, struct fb_error *err);	/* sysfs, procfs */
/*
 * As fb_fs_replace() for one file; then the old content is overwritten in place before its blocks are given back. Flash
 * may keep them all the same.
 */
int fb_fs_replace_secret(struct fb_fs *fs, const struct fb_file *file, struct fb_error *err);
/* Append and fsync; once the file would grow beyond max_bytes it becomes path.1 and a new one begins. */
int fb_fs_append(struct fb_fs *fs, const char *path, const char *text, size_t max_bytes, struct fb_error *err);
int fb_fs_sync(struct fb_fs *fs, struct fb_error *err);		/* the whole file system of the root */

/* Take the lock file; the fd belongs to the caller and is the lock. -EBUSY if another process holds it. */
int fb_fs_lock(struct fb_fs *fs, const char *path, int *ret_fd, struct fb_error *err);

#endif
