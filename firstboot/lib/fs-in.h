/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fs.c and fs-write.c share, and nobody else. */
#ifndef FB_FS_IN_H
#define FB_FS_IN_H

#include "fs.h"

/* Open a path inside the root. Returns an fd or a negative errno. */
int fb_fs_open_in(const struct fb_fs *fs, const char *path, int flags);

/* Open the directory that holds path; *ret_name is the last component. Returns an fd or a negative errno. */
int fb_fs_open_parent(const struct fb_fs *fs, const char *path, const char **ret_name);

/* Make every missing directory above path. */
int fb_fs_make_parents(struct fb_fs *fs, const char *path, struct fb_error *err);

int fb_fs_fail_at(const struct fb_fs *fs, struct fb_error *err, int rc, const char *what, const char *path);
void fb_fs_before(struct fb_fs *fs, const char *what, const char *path);	/* a call that changes the disk follows */

#endif
