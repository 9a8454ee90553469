/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory tree in memory, to be compared. */
#ifndef FB_CUT_TREE_H
#define FB_CUT_TREE_H

#include <sys/types.h>

#include "base.h"

struct tree_entry {
	const char *path;		/* from the root, with a slash in front */
	mode_t mode;			/* type and permission */
	uid_t uid;
	gid_t gid;
	const char *text;		/* of a file, target of a link, else "" */
	size_t len;
};

struct tree {
	struct tree_entry *entry;	/* by path */
	size_t n;
};

/* Without what does not outlive a boot: /run and /proc. */
struct tree tree_read(struct fb_arena *arena, const char *root);
const struct tree_entry *tree_find(const struct tree *tree, const char *path);
bool tree_is_same(const struct tree_entry *a, const struct tree_entry *b);	/* either may be NULL: absent */

/* NULL if both are equal, else the first difference in words. */
const char *tree_diff(struct fb_arena *arena, const struct tree *want, const struct tree *got);

#endif
