/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files below one root: confined lookups, whole-or-nothing writes. */
#include "fs.h"

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

/* Open a path inside the root. Returns an fd or a negative errno. */
static int open_in(const struct fb_fs *fs, const char *path, int flags)
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

/* Open the directory that holds path; *ret_name is the last component. Returns an fd or a negative errno. */
static int open_parent(const struct fb_fs *fs, const char *path, const char **ret_name)
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
	return open_in(fs, dir, O_RDONLY | O_DIRECTORY);
}

static int fail_at(const struct fb_fs *fs, struct fb_error *err, int rc, const char *what, const char *path)
{
	return fb_fail(err, -rc, "%s %s%s: %s", what, fs->root, path, strerror(-rc));
}

static void before(struct fb_fs *fs, const char *what, const char *path)
{
	fs->mutations++;
	if (fs->before)
		fs->before(fs, what, path);
}

int fb_fs_stat(struct fb_fs *fs, const char *path, struct fb_stat *ret_stat, struct fb_error *err)
{
	const char *name;
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return -ENOENT;
	if (dir < 0)
		return fail_at(fs, err, dir, "look at", path);
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? -ENOENT : fail_at(fs, err, -errno, "look at", path);
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
	FB_CLOSE int fd = open_in(fs, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return -ENOENT;
	if (fd < 0)
		return fail_at(fs, err, fd, "read", path);
	struct stat st;
	if (fstat(fd, &st) < 0)
		return fail_at(fs, err, -errno, "read", path);
	if (!S_ISREG(st.st_mode))
		return fail_at(fs, err, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL, "read", path);

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
			return fail_at(fs, err, -errno, "read", path);
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
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return -ENOENT;
	if (dir < 0)
		return fail_at(fs, err, dir, "read link", path);
	char target[4096];
	ssize_t len = readlinkat(dir, name, target, sizeof(target));
	if (len < 0)
		return errno == ENOENT ? -ENOENT : fail_at(fs, err, -errno, "read link", path);
	if ((size_t)len == sizeof(target))
		return fail_at(fs, err, -ENAMETOOLONG, "read link", path);
	*ret_target = fb_strndup(arena, target, (size_t)len);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int fb_fs_list(struct fb_fs *fs, struct fb_arena *arena, const char *path, struct fb_strs *ret_names, struct fb_error *err)
{
	int fd = open_in(fs, path, O_RDONLY | O_DIRECTORY);
	if (fd == -ENOENT || fd == -ENOTDIR)
		return -ENOENT;
	if (fd < 0)
		return fail_at(fs, err, fd, "list", path);
	DIR *dir = fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		(void)close(fd);	/* only read from */
		return fail_at(fs, err, rc, "list", path);
	}
	struct fb_strs names = { 0 };
	errno = 0;
	for (struct dirent *entry; (entry = readdir(dir)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			fb_strs_add(arena, &names, fb_strdup(arena, entry->d_name));
	int rc = -errno;
	(void)closedir(dir);		/* only read from */
	if (rc < 0)
		return fail_at(fs, err, rc, "list", path);
	if (names.n)
		qsort(names.item, names.n, sizeof(*names.item), by_name);
	*ret_names = names;
	return 0;
}

/* Make every missing directory above path. */
static int make_parents(struct fb_fs *fs, const char *path, struct fb_error *err)
{
	char dir[4096];
	if (snprintf(dir, sizeof(dir), "%s", path) >= (int)sizeof(dir))
		return fail_at(fs, err, -ENAMETOOLONG, "create directories of", path);
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		FB_CLOSE int there = open_in(fs, dir, O_PATH | O_DIRECTORY);
		if (there == -ENOENT) {
			int rc = fb_fs_mkdir(fs, dir, 0755, 0, 0, err);
			if (rc < 0)
				return rc;
		} else if (there < 0) {
			return fail_at(fs, err, there, "create directory", dir);
		}
		*slash = '/';
	}
	return 0;
}

/* The name under which a file waits: fixed, so that what a power cut leaves is overwritten by the next run. */
static int staged_name(const char *name, char staged[NAME_MAX + 1])
{
	return snprintf(staged, NAME_MAX + 1, ".%s.r4s", name) > NAME_MAX ? -ENAMETOOLONG : 0;
}

static int own(int fd, mode_t mode, uid_t uid, gid_t gid)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_uid != uid || st.st_gid != gid) && fchown(fd, uid, gid) < 0)
		return -errno;
	return fchmod(fd, mode) < 0 ? -errno : 0;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int stage(struct fb_fs *fs, const struct fb_file *file)
{
	const char *name;
	char staged[NAME_MAX + 1];
	FB_CLOSE int dir = open_parent(fs, file->path, &name);
	if (dir < 0)
		return dir;
	int rc = staged_name(name, staged);
	if (rc < 0)
		return rc;
	before(fs, "unstage", file->path);
	if (unlinkat(dir, staged, 0) < 0 && errno != ENOENT)
		return -errno;
	before(fs, "stage", file->path);
	FB_CLOSE int fd = openat(dir, staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	before(fs, "write", file->path);
	rc = write_all(fd, file->text, file->len);
	if (rc == 0)
		rc = own(fd, file->mode, file->uid, file->gid);
	before(fs, "fsync", file->path);
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	if (rc < 0)
		(void)unlinkat(dir, staged, 0);		/* the first error is the one to tell */
	return rc;
}

static int publish(struct fb_fs *fs, const struct fb_file *file)
{
	const char *name;
	char staged[NAME_MAX + 1];
	FB_CLOSE int dir = open_parent(fs, file->path, &name);
	if (dir < 0)
		return dir;
	int rc = staged_name(name, staged);
	if (rc < 0)
		return rc;
	before(fs, "rename", file->path);
	if (renameat(dir, staged, dir, name) < 0)
		return -errno;
	before(fs, "fsync directory", file->path);
	return fsync(dir) < 0 ? -errno : 0;
}

static void unstage(struct fb_fs *fs, const struct fb_file *file, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *name;
		char staged[NAME_MAX + 1];
		FB_CLOSE int dir = open_parent(fs, file[i].path, &name);
		if (dir >= 0 && staged_name(name, staged) == 0)
			(void)unlinkat(dir, staged, 0);		/* the first error is the one to tell */
	}
}

int fb_fs_replace(struct fb_fs *fs, const struct fb_file *file, size_t n, struct fb_error *err)
{
	for (size_t i = 0; i < n; i++) {
		int rc = make_parents(fs, file[i].path, err);
		if (rc == 0) {
			rc = stage(fs, &file[i]);
			if (rc < 0)
				(void)fail_at(fs, err, rc, "write", file[i].path);	/* rc is returned below */
		}
		if (rc < 0) {
			unstage(fs, file, i);
			return rc;
		}
	}
	for (size_t i = 0; i < n; i++) {
		int rc = publish(fs, &file[i]);
		if (rc < 0) {
			unstage(fs, file + i, n - i);
			return fail_at(fs, err, rc, "replace", file[i].path);
		}
	}
	return 0;
}

int fb_fs_symlink(struct fb_fs *fs, const char *path, const char *target, struct fb_error *err)
{
	int rc = make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	char staged[NAME_MAX + 1];
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir < 0 || (rc = staged_name(name, staged)) < 0)
		return fail_at(fs, err, dir < 0 ? dir : rc, "link", path);
	before(fs, "unstage", path);
	if (unlinkat(dir, staged, 0) < 0 && errno != ENOENT)
		return fail_at(fs, err, -errno, "link", path);
	before(fs, "stage link", path);
	if (symlinkat(target, dir, staged) < 0)
		return fail_at(fs, err, -errno, "link", path);
	before(fs, "rename", path);
	if (renameat(dir, staged, dir, name) < 0) {
		rc = -errno;
		(void)unlinkat(dir, staged, 0);		/* the first error is the one to tell */
		return fail_at(fs, err, rc, "link", path);
	}
	before(fs, "fsync directory", path);
	return fsync(dir) < 0 ? fail_at(fs, err, -errno, "link", path) : 0;
}

int fb_fs_mkdir(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err)
{
	int rc = make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir < 0)
		return fail_at(fs, err, dir, "create directory", path);
	before(fs, "mkdir", path);
	if (mkdirat(dir, name, mode) < 0 && errno != EEXIST)
		return fail_at(fs, err, -errno, "create directory", path);
	FB_CLOSE int made = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (made < 0)
		return fail_at(fs, err, -errno, "create directory", path);
	before(fs, "chmod", path);
	rc = own(made, mode, uid, gid);
	if (rc < 0)
		return fail_at(fs, err, rc, "set owner and mode of", path);
	before(fs, "fsync directory", path);
	return fsync(made) < 0 || fsync(dir) < 0 ? fail_at(fs, err, -errno, "create directory", path) : 0;
}

int fb_fs_remove(struct fb_fs *fs, const char *path, struct fb_error *err)
{
	const char *name;
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return 0;
	if (dir < 0)
		return fail_at(fs, err, dir, "remove", path);
	before(fs, "remove", path);
	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT &&
	    !(errno == EISDIR && unlinkat(dir, name, AT_REMOVEDIR) == 0))
		return fail_at(fs, err, -errno, "remove", path);
	before(fs, "fsync directory", path);
	return fsync(dir) < 0 ? fail_at(fs, err, -errno, "remove", path) : 0;
}

int fb_fs_chmod(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err)
{
	FB_CLOSE int fd = open_in(fs, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return fail_at(fs, err, fd, "set owner and mode of", path);
	before(fs, "chmod", path);
	int rc = own(fd, mode, uid, gid);
	if (rc < 0)
		return fail_at(fs, err, rc, "set owner and mode of", path);
	before(fs, "fsync", path);
	return fsync(fd) < 0 ? fail_at(fs, err, -errno, "set owner and mode of", path) : 0;
}

int fb_fs_write_attr(struct fb_fs *fs, const char *path, const char *text, struct fb_error *err)
{
	FB_CLOSE int fd = open_in(fs, path, O_WRONLY | O_NOFOLLOW);
	if (fd < 0)
		return fail_at(fs, err, fd, "write to", path);
	before(fs, "write", path);
	int rc = write_all(fd, text, strlen(text));
	return rc < 0 ? fail_at(fs, err, rc, "write to", path) : 0;
}

int fb_fs_sync(struct fb_fs *fs, struct fb_error *err)
{
	FB_CLOSE int fd = open_in(fs, "/", O_RDONLY | O_DIRECTORY);
	if (fd < 0 || syncfs(fd) < 0)
		return fail_at(fs, err, fd < 0 ? fd : -errno, "write everything back to", "/");
	return 0;
}

int fb_fs_lock(struct fb_fs *fs, const char *path, int *ret_fd, struct fb_error *err)
{
	int rc = make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	FB_CLOSE int dir = open_parent(fs, path, &name);
	if (dir < 0)
		return fail_at(fs, err, dir, "lock", path);
	int fd = openat(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail_at(fs, err, -errno, "lock", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		rc = errno == EWOULDBLOCK ? -EBUSY : -errno;
		(void)close(fd);	/* nothing was written */
		return fail_at(fs, err, rc, "lock", path);
	}
	*ret_fd = fd;
	return 0;
}
