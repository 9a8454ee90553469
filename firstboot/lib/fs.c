/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files below one root: confined lookups and reads, and the lock. */
#include "fs-in.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fb_fs_open(struct fb_fs *fs, const char *root, struct fb_error *err)
{
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fb_fail(err, errno, "open root directory %s: %s", root, strerror(errno));
	*fs = (struct fb_fs){ .root_fd = fd, .root = strcmp(root, "/") ? root : "" };
	return 0;
}

void fb_fs_close(struct fb_fs *fs)
{
	fb_close_fd(&fs->root_fd);
	fs->root_fd = -1;
}

int fb_fs_open_in(const struct fb_fs *fs, const char *path, int flags)
{
	while (*path == '/')
		path++;
	if (!*path)
		path = ".";
	struct open_how how = { .flags = (uint64_t)(flags | O_CLOEXEC), .resolve = RESOLVE_IN_ROOT };
	long fd = syscall(SYS_openat2, fs->root_fd, path, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM) && !*fs->root)
		fd = openat(fs->root_fd, path, flags | O_CLOEXEC);	/* "/" confines by itself */
	return fd < 0 ? -errno : (int)fd;
}

int fb_fs_open_parent(const struct fb_fs *fs, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	if (!slash || !slash[1])
		return -EINVAL;
	char dir[4096];
	if ((size_t)(slash - path) >= sizeof(dir))
		return -ENAMETOOLONG;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	*ret_name = slash + 1;
	return fb_fs_open_in(fs, dir, O_RDONLY | O_DIRECTORY);
}

int fb_fs_fail_at(const struct fb_fs *fs, struct fb_error *err, int rc, const char *what, const char *path)
{
	return fb_fail(err, -rc, "%s %s%s: %s", what, fs->root, path, strerror(-rc));
}

void fb_fs_before(struct fb_fs *fs, const char *what, const char *path)
{
	fs->mutations++;
	if (fs->before)
		fs->before(fs, what, path);
}

int fb_fs_stat(struct fb_fs *fs, const char *path, struct fb_stat *ret_stat, struct fb_error *err)
{
	const char *name;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return -ENOENT;
	if (dir < 0)
		return fb_fs_fail_at(fs, err, dir, "look at", path);
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? -ENOENT : fb_fs_fail_at(fs, err, -errno, "look at", path);
	*ret_stat = (struct fb_stat){
		.type = S_ISREG(st.st_mode) ? FB_IS_FILE : S_ISDIR(st.st_mode) ? FB_IS_DIR :
			S_ISLNK(st.st_mode) ? FB_IS_LINK : FB_IS_OTHER,
		.mode = st.st_mode & 07777, .uid = st.st_uid, .gid = st.st_gid, .size_bytes = st.st_size,
	};
	return 0;
}

int fb_fs_read(struct fb_fs *fs, struct fb_arena *arena, const char *path, size_t max_bytes,
	       char **ret_text, size_t *ret_len, struct fb_error *err)
{
	FB_CLOSE int fd = fb_fs_open_in(fs, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return -ENOENT;
	if (fd < 0)
		return fb_fs_fail_at(fs, err, fd, "read", path);
	struct stat st;
	if (fstat(fd, &st) < 0)
		return fb_fs_fail_at(fs, err, -errno, "read", path);
	if (!S_ISREG(st.st_mode))
		return fb_fs_fail_at(fs, err, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL, "read", path);

	/* procfs and sysfs say 0 or 4096: read until the end, in growing pieces. */
	size_t cap = st.st_size > 0 && (size_t)st.st_size < max_bytes ? (size_t)st.st_size + 1 : 4096, len = 0;
	char *text = fb_alloc(arena, cap + 1);
	for (;;) {
		if (len == cap) {
			char *bigger = fb_alloc(arena, cap * 2 + 1);
			memcpy(bigger, text, len);
			text = bigger;
			cap *= 2;
		}
		ssize_t n = read(fd, text + len, cap - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fb_fs_fail_at(fs, err, -errno, "read", path);
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max_bytes)
			return fb_fail(err, EFBIG, "read %s%s: larger than %zu bytes", fs->root, path, max_bytes);
	}
	text[len] = '\0';
	*ret_text = text;
	if (ret_len)
		*ret_len = len;
	return 0;
}

int fb_fs_readlink(struct fb_fs *fs, struct fb_arena *arena, const char *path, char **ret_target, struct fb_error *err)
{
	const char *name;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return -ENOENT;
	if (dir < 0)
		return fb_fs_fail_at(fs, err, dir, "read link", path);
	char target[4096];
	ssize_t len = readlinkat(dir, name, target, sizeof(target));
	if (len < 0)
		return errno == ENOENT ? -ENOENT : fb_fs_fail_at(fs, err, -errno, "read link", path);
	if ((size_t)len == sizeof(target))
		return fb_fs_fail_at(fs, err, -ENAMETOOLONG, "read link", path);
	*ret_target = fb_strndup(arena, target, (size_t)len);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int fb_fs_list(struct fb_fs *fs, struct fb_arena *arena, const char *path, struct fb_strs *ret_names, struct fb_error *err)
{
	int fd = fb_fs_open_in(fs, path, O_RDONLY | O_DIRECTORY);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return -ENOENT;
	if (fd < 0)
		return fb_fs_fail_at(fs, err, fd, "list", path);
	DIR *dir = fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		(void)close(fd);	/* only read from */
		return fb_fs_fail_at(fs, err, rc, "list", path);
	}
	struct fb_strs names = { 0 };
	errno = 0;
	for (struct dirent *entry; (entry = readdir(dir)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			fb_strs_add(arena, &names, fb_strdup(arena, entry->d_name));
	int rc = -errno;
	(void)closedir(dir);		/* only read from */
	if (rc < 0)
		return fb_fs_fail_at(fs, err, rc, "list", path);
	if (names.n)
		qsort(names.item, names.n, sizeof(*names.item), by_name);
	*ret_names = names;
	return 0;
}

int fb_fs_lock(struct fb_fs *fs, const char *path, int *ret_fd, struct fb_error *err)
{
	int rc = fb_fs_make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir < 0)
		return fb_fs_fail_at(fs, err, dir, "lock", path);
	int fd = openat(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fb_fs_fail_at(fs, err, -errno, "lock", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		rc = errno == EWOULDBLOCK ? -EBUSY : -errno;
		(void)close(fd);	/* nothing was written */
		return fb_fs_fail_at(fs, err, rc, "lock", path);
	}
	*ret_fd = fd;
	return 0;
}
