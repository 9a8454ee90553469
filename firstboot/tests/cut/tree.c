/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory tree in memory. */
#include "tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* nftw() carries no pointer of ours. */
static struct {
	struct fb_arena *arena;
	const char *root;
	struct tree tree;
	size_t cap;
} reading;

static _Noreturn void broken(const char *path)
{
	perror(path);
	exit(70);
}

static void read_text(struct tree_entry *entry, const char *full, const struct stat *st)
{
	char *text = fb_alloc(reading.arena, (size_t)st->st_size + 1);
	size_t len = 0;
	if (S_ISLNK(st->st_mode)) {
		ssize_t n = readlink(full, text, (size_t)st->st_size);
		if (n < 0)
			broken(full);
		len = (size_t)n;
	} else if (S_ISREG(st->st_mode)) {
		FILE *f = fopen(full, "r");
		if (!f)
			broken(full);
		len = fread(text, 1, (size_t)st->st_size, f);
		(void)fclose(f);	/* only read from */
	}
	entry->text = text;
	entry->len = len;
}

static int visit(const char *full, const struct stat *st, int type, struct FTW *ftw)
{
	const char *path = full + strlen(reading.root);
	(void)type;
	(void)ftw;
	if (!strncmp(path, "/run/", 5) || !strncmp(path, "/proc/", 6))
		return 0;
	if (reading.tree.n == reading.cap) {
		reading.cap = reading.cap ? reading.cap * 2 : 256;
		struct tree_entry *bigger = fb_alloc(reading.arena, reading.cap * sizeof(*bigger));
		if (reading.tree.n)
			memcpy(bigger, reading.tree.entry, reading.tree.n * sizeof(*bigger));
		reading.tree.entry = bigger;
	}
	struct tree_entry *entry = &reading.tree.entry[reading.tree.n++];
	*entry = (struct tree_entry){ fb_strdup(reading.arena, *path ? path : "/"), st->st_mode, st->st_uid, st->st_gid, "", 0 };
	read_text(entry, full, st);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct tree_entry *)a)->path, ((const struct tree_entry *)b)->path);
}

struct tree tree_read(struct fb_arena *arena, const char *root)
{
	memset(&reading, 0, sizeof(reading));
	reading.arena = arena;
	reading.root = root;
	if (nftw(root, visit, 16, FTW_PHYS) < 0)
		broken(root);
	qsort(reading.tree.entry, reading.tree.n, sizeof(*reading.tree.entry), by_path);
	return reading.tree;
}

const struct tree_entry *tree_find(const struct tree *tree, const char *path)
{
	const struct tree_entry key = { .path = path };
	return bsearch(&key, tree->entry, tree->n, sizeof(key), by_path);
}

bool tree_is_same(const struct tree_entry *a, const struct tree_entry *b)
{
	if (!a || !b)
		return a == b;
	return a->mode == b->mode && a->uid == b->uid && a->gid == b->gid && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static const char *first_missing(struct fb_arena *arena, const struct tree *in, const struct tree *from, const char *what)
{
	for (size_t i = 0; i < in->n; i++)
		if (!tree_find(from, in->entry[i].path))
			return fb_format(arena, "%s %s", in->entry[i].path, what);
	return NULL;
}

const char *tree_diff(struct fb_arena *arena, const struct tree *want, const struct tree *got)
{
	const char *missing = first_missing(arena, want, got, "is missing");
	missing = missing ? missing : first_missing(arena, got, want, "is left over");
	for (size_t i = 0; !missing && i < want->n; i++) {
		const struct tree_entry *a = &want->entry[i], *b = tree_find(got, a->path);
		if (!tree_is_same(a, b))
			return fb_format(arena, "%s is %o %u:%u \"%.80s\", wanted %o %u:%u \"%.80s\"", a->path, b->mode, b->uid,
					 b->gid, b->text, a->mode, a->uid, a->gid, a->text);
	}
	return missing;
}
