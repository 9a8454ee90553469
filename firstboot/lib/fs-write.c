/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files below one root: writes that happen whole or not at all, also when the power is cut in the middle. */
#include "fs-in.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fb_fs_make_parents(struct fb_fs *fs, const char *path, struct fb_error *err)
{
	char dir[4096];
	if (snprintf(dir, sizeof(dir), "%s", path) >= (int)sizeof(dir))
		return fb_fs_fail_at(fs, err, -ENAMETOOLONG, "create directories of", path);
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		FB_CLOSE int there = fb_fs_open_in(fs, dir, O_PATH | O_DIRECTORY);
		if (there == -ENOENT) {
			int rc = fb_fs_mkdir(fs, dir, 0755, 0, 0, err);
			if (rc < 0)
				return rc;
		} else if (there < 0) {
			return fb_fs_fail_at(fs, err, there, "create directory", dir);
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
	if (mode == FB_FS_ANY_MODE)
		return 0;
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
	FB_CLOSE int dir = fb_fs_open_parent(fs, file->path, &name);
	if (dir < 0)
		return dir;
	int rc = staged_name(name, staged);
	if (rc < 0)
		return rc;
	fb_fs_before(fs, "unstage", file->path);
	if (unlinkat(dir, staged, 0) < 0 && errno != ENOENT)
		return -errno;
	fb_fs_before(fs, "stage", file->path);
	FB_CLOSE int fd = openat(dir, staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	fb_fs_before(fs, "write", file->path);
	rc = write_all(fd, file->text, file->len);
	if (rc == 0)
		rc = own(fd, file->mode, file->uid, file->gid);
	fb_fs_before(fs, "fsync", file->path);
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
	FB_CLOSE int dir = fb_fs_open_parent(fs, file->path, &name);
	if (dir < 0)
		return dir;
	int rc = staged_name(name, staged);
	if (rc < 0)
		return rc;
	fb_fs_before(fs, "rename", file->path);
	if (renameat(dir, staged, dir, name) < 0)
		return -errno;
	fb_fs_before(fs, "fsync directory", file->path);
	return fsync(dir) < 0 ? -errno : 0;
}

static void unstage(struct fb_fs *fs, const struct fb_file *file, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *name;
		char staged[NAME_MAX + 1];
		FB_CLOSE int dir = fb_fs_open_parent(fs, file[i].path, &name);
		if (dir >= 0 && staged_name(name, staged) == 0)
			(void)unlinkat(dir, staged, 0);		/* the first error is the one to tell */
	}
}

int fb_fs_replace(struct fb_fs *fs, const struct fb_file *file, size_t n, struct fb_error *err)
{
	for (size_t i = 0; i < n; i++) {
		int rc = fb_fs_make_parents(fs, file[i].path, err);
		if (rc == 0) {
			rc = stage(fs, &file[i]);
			if (rc < 0)
				(void)fb_fs_fail_at(fs, err, rc, "write", file[i].path);	/* rc is returned below */
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
			return fb_fs_fail_at(fs, err, rc, "replace", file[i].path);
		}
	}
	return 0;
}

int fb_fs_symlink(struct fb_fs *fs, const char *path, const char *target, struct fb_error *err)
{
	int rc = fb_fs_make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	char staged[NAME_MAX + 1];
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir < 0 || (rc = staged_name(name, staged)) < 0)
		return fb_fs_fail_at(fs, err, dir < 0 ? dir : rc, "link", path);
	fb_fs_before(fs, "unstage", path);
	if (unlinkat(dir, staged, 0) < 0 && errno != ENOENT)
		return fb_fs_fail_at(fs, err, -errno, "link", path);
	fb_fs_before(fs, "stage link", path);
	if (symlinkat(target, dir, staged) < 0)
		return fb_fs_fail_at(fs, err, -errno, "link", path);
	fb_fs_before(fs, "rename", path);
	if (renameat(dir, staged, dir, name) < 0) {
		rc = -errno;
		(void)unlinkat(dir, staged, 0);		/* the first error is the one to tell */
		return fb_fs_fail_at(fs, err, rc, "link", path);
	}
	fb_fs_before(fs, "fsync directory", path);
	return fsync(dir) < 0 ? fb_fs_fail_at(fs, err, -errno, "link", path) : 0;
}

/*
 * A new directory waits under another name until mode and owner are right: one that a power cut left half-made would
 * never be looked at again, and networkd cannot enter a directory that is only root's.
 */
static int make_dir(struct fb_fs *fs, int dir, const char *name, const char *path, mode_t mode, uid_t uid, gid_t gid)
{
	char staged[NAME_MAX + 1];
	int rc = staged_name(name, staged);
	if (rc < 0)
		return rc;
	fb_fs_before(fs, "stage directory", path);
	if (mkdirat(dir, staged, 0700) < 0 && errno != EEXIST)	/* left by a cut: as good as new */
		return -errno;
	FB_CLOSE int made = openat(dir, staged, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (made < 0)
		return -errno;
	fb_fs_before(fs, "chmod", path);
	rc = own(made, mode, uid, gid);
	if (rc == 0 && fsync(made) < 0)
		rc = -errno;
	fb_fs_before(fs, "rename", path);
	if (rc == 0 && renameat(dir, staged, dir, name) < 0)
		rc = -errno;
	if (rc < 0)
		(void)unlinkat(dir, staged, AT_REMOVEDIR);	/* the first error is the one to tell */
	return rc;
}

int fb_fs_mkdir(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err)
{
	int rc = fb_fs_make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	const char *name;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir < 0)
		return fb_fs_fail_at(fs, err, dir, "create directory", path);
	FB_CLOSE int there = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (there < 0 && errno != ENOENT)
		return fb_fs_fail_at(fs, err, -errno, "create directory", path);
	if (there < 0) {
		rc = make_dir(fs, dir, name, path, mode, uid, gid);
		if (rc < 0)
			return fb_fs_fail_at(fs, err, rc, "create directory", path);
	} else {
		fb_fs_before(fs, "chmod", path);
		rc = own(there, mode, uid, gid);
		if (rc < 0)
			return fb_fs_fail_at(fs, err, rc, "set owner and mode of", path);
	}
	fb_fs_before(fs, "fsync directory", path);
	return (there >= 0 && fsync(there) < 0) || fsync(dir) < 0 ?
		       fb_fs_fail_at(fs, err, -errno, "create directory", path) : 0;
}

int fb_fs_remove(struct fb_fs *fs, const char *path, struct fb_error *err)
{
	const char *name;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	if (dir == -ENOENT || dir == -ENOTDIR)
		return 0;
	if (dir < 0)
		return fb_fs_fail_at(fs, err, dir, "remove", path);
	fb_fs_before(fs, "remove", path);
	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT &&
	    !(errno == EISDIR && unlinkat(dir, name, AT_REMOVEDIR) == 0))
		return fb_fs_fail_at(fs, err, -errno, "remove", path);
	fb_fs_before(fs, "fsync directory", path);
	return fsync(dir) < 0 ? fb_fs_fail_at(fs, err, -errno, "remove", path) : 0;
}

int fb_fs_chmod(struct fb_fs *fs, const char *path, mode_t mode, uid_t uid, gid_t gid, struct fb_error *err)
{
	FB_CLOSE int fd = fb_fs_open_in(fs, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return fb_fs_fail_at(fs, err, fd, "set owner and mode of", path);
	fb_fs_before(fs, "chmod", path);
	int rc = own(fd, mode, uid, gid);
	if (rc < 0)
		return fb_fs_fail_at(fs, err, rc, "set owner and mode of", path);
	fb_fs_before(fs, "fsync", path);
	return fsync(fd) < 0 ? fb_fs_fail_at(fs, err, -errno, "set owner and mode of", path) : 0;
}

int fb_fs_write_attr(struct fb_fs *fs, const char *path, const char *text, struct fb_error *err)
{
	FB_CLOSE int fd = fb_fs_open_in(fs, path, O_WRONLY | O_NOFOLLOW);
	if (fd < 0)
		return fb_fs_fail_at(fs, err, fd, "write to", path);
	fb_fs_before(fs, "write", path);
	int rc = write_all(fd, text, strlen(text));
	return rc < 0 ? fb_fs_fail_at(fs, err, rc, "write to", path) : 0;
}

int fb_fs_replace_secret(struct fb_fs *fs, const struct fb_file *file, struct fb_error *err)
{
	static const char zeros[4096];
	struct stat st;
	/* Held open, the old file keeps its blocks although its name goes to the new one. */
	FB_CLOSE int old = fb_fs_open_in(fs, file->path, O_WRONLY | O_NOFOLLOW);
	bool is_file = old >= 0 && fstat(old, &st) == 0 && S_ISREG(st.st_mode);
	int rc = fb_fs_replace(fs, file, 1, err);
	if (rc < 0 || !is_file)
		return rc;
	fb_fs_before(fs, "overwrite", file->path);
	for (off_t left = st.st_size; rc == 0 && left > 0; left -= (off_t)sizeof(zeros))
		rc = write_all(old, zeros, left < (off_t)sizeof(zeros) ? (size_t)left : sizeof(zeros));
	if (rc == 0 && fsync(old) < 0)
		rc = -errno;
	return rc < 0 ? fb_fs_fail_at(fs, err, rc, "overwrite the old", file->path) : 0;
}

int fb_fs_append(struct fb_fs *fs, const char *path, const char *text, size_t max_bytes, struct fb_error *err)
{
	const char *name;
	struct stat st;
	int rc = fb_fs_make_parents(fs, path, err);
	if (rc < 0)
		return rc;
	FB_CLOSE int dir = fb_fs_open_parent(fs, path, &name);
	char older[NAME_MAX + 1];
	if (dir < 0 || snprintf(older, sizeof(older), "%s.1", name) >= (int)sizeof(older))
		return fb_fs_fail_at(fs, err, dir < 0 ? dir : -ENAMETOOLONG, "append to", path);
	size_t len = strlen(text);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && (size_t)st.st_size + len > max_bytes) {
		fb_fs_before(fs, "rename", path);
		if (renameat(dir, name, dir, older) < 0)
			return fb_fs_fail_at(fs, err, -errno, "rotate", path);
	}
	fb_fs_before(fs, "append", path);
	FB_CLOSE int fd = openat(dir, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
	rc = fd < 0 ? -errno : write_all(fd, text, len);
	if (rc == 0 && (fsync(fd) < 0 || fsync(dir) < 0))
		rc = -errno;
	return rc < 0 ? fb_fs_fail_at(fs, err, rc, "append to", path) : 0;
}

int fb_fs_sync(struct fb_fs *fs, struct fb_error *err)
{
	FB_CLOSE int fd = fb_fs_open_in(fs, "/", O_RDONLY | O_DIRECTORY);
	if (fd < 0 || syncfs(fd) < 0)
		return fb_fs_fail_at(fs, err, fd < 0 ? fd : -errno, "write everything back to", "/");
	return 0;
}
