/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The door to the disk: nothing leads out of the root, and a write happens whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs.h"
#include "room.h"
#include "test.h"

/* What stands in the file, read by plain means; NULL if nothing. */
static const char *content(const char *path)
{
	return room_read(path);
}

static int put(struct fb_fs *fs, const char *path, const char *text, struct fb_error *err)
{
	struct fb_file file = { .path = path, .text = text, .len = strlen(text), .mode = 0640, .uid = 0, .gid = 0 };
	return fb_fs_replace(fs, &file, 1, err);
}

TEST(open_of_no_directory_says_so)
{
	struct fb_fs fs;
	struct fb_error err;
	CHECK_INT(fb_fs_open(&fs, "/nonexistent/root", &err), -ENOENT);
	CHECK_STR(err.text, "open root directory /nonexistent/root: No such file or directory");
}

TEST(replace_makes_file_parents_mode_and_leaves_no_rest)
{
	struct room *room = room_make();
	struct fb_error err;
	struct stat st;
	CHECK_INT(put(&room->fs, "/etc/a/b/file", "text\n", &err), 0);
	CHECK_STR(content("etc/a/b/file"), "text\n");
	CHECK(stat(room_path("etc/a/b/file"), &st) == 0 && (st.st_mode & 07777) == 0640);
	CHECK(stat(room_path("etc/a"), &st) == 0 && (st.st_mode & 07777) == 0755);
	CHECK_STR(room_names("etc/a/b"), "file");
	room_end(room);
}

TEST(replace_overwrites_a_link_not_its_target)
{
	struct room *room = room_make();
	struct fb_error err;
	struct stat st;
	room_write("etc/real", "real\n");
	CHECK(symlink("real", room_path("etc/link")) == 0);
	CHECK_INT(put(&room->fs, "/etc/link", "new\n", &err), 0);
	CHECK_STR(content("etc/real"), "real\n");
	CHECK(lstat(room_path("etc/link"), &st) == 0 && S_ISREG(st.st_mode));
	room_end(room);
}

TEST(failed_replace_leaves_the_old_file_and_no_rest)
{
	struct room *room = room_make();
	struct fb_error err;
	room_write("etc/one", "old one\n");
	CHECK(mkdir(room_path("etc/two"), 0755) == 0);		/* rename of a file over a directory fails */
	struct fb_file file[] = {
		{ .path = "/etc/two", .text = "new two\n", .len = 8, .mode = 0644 },
		{ .path = "/etc/one", .text = "new one\n", .len = 8, .mode = 0644 },
	};
	CHECK_INT(fb_fs_replace(&room->fs, file, 2, &err), -EISDIR);
	CHECK_STR(err.text, fb_format(room->arena, "replace %s/etc/two: Is a directory", room->dir));
	CHECK_STR(content("etc/one"), "old one\n");
	CHECK_STR(room_names("etc"), "one two");
	room_end(room);
}

TEST(failed_stage_publishes_nothing_of_the_group)
{
	struct room *room = room_make();
	struct fb_error err;
	room_write("etc/one", "old one\n");
	room_write("etc/plain", "");
	struct fb_file file[] = {
		{ .path = "/etc/one", .text = "new one\n", .len = 8, .mode = 0644 },
		{ .path = "/etc/plain/below-a-file", .text = "x", .len = 1, .mode = 0644 },
	};
	CHECK_INT(fb_fs_replace(&room->fs, file, 2, &err), -ENOTDIR);
	CHECK_STR(content("etc/one"), "old one\n");
	CHECK_STR(room_names("etc"), "one plain");
	room_end(room);
}

TEST(full_disk_leaves_the_old_file_and_no_rest)
{
	struct room *room = room_make();
	pid_t pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		struct fb_error err;
		room_write("etc/file", "old\n");
		room_limit_file_size(4096);
		char *big = fb_alloc(room->arena, 100001);
		memset(big, 'x', 100000);
		_exit(put(&room->fs, "/etc/file", big, &err) == -EFBIG ? 0 : 1);
	}
	int status;
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK_STR(content("etc/file"), "old\n");
	CHECK_STR(room_names("etc"), "file");
	room_end(room);
}

TEST(what_a_power_cut_staged_is_overwritten)
{
	struct room *room = room_make();
	struct fb_error err;
	room_write("etc/.file.r4s", "torn");
	CHECK_INT(put(&room->fs, "/etc/file", "whole\n", &err), 0);
	CHECK_STR(content("etc/file"), "whole\n");
	CHECK_STR(room_names("etc"), "file");
	room_end(room);
}

TEST(a_staged_link_laid_as_a_trap_is_not_followed)
{
	struct room *room = room_make();
	struct fb_error err;
	room_write("etc/victim", "mine\n");
	CHECK(symlink("victim", room_path("etc/.file.r4s")) == 0);
	CHECK_INT(put(&room->fs, "/etc/file", "new\n", &err), 0);
	CHECK_STR(content("etc/victim"), "mine\n");
	CHECK_STR(content("etc/file"), "new\n");
	room_end(room);
}

/* A directory outside the root, and links inside that point to it in every way. */
static void lay_traps(struct room *room, char outside[], size_t size)
{
	(void)snprintf(outside, size, "%s.outside", room->dir);
	if (mkdir(outside, 0755) < 0 || chdir(room->dir) < 0)
		test_fail(__FILE__, __LINE__, "cannot make %s", outside);
	const char *base = strrchr(outside, '/') + 1;
	CHECK(symlink(outside, "absolute") == 0);
	CHECK(symlink(fb_format(room->arena, "../%s", base), "dotdot") == 0);
	CHECK(symlink(fb_format(room->arena, "../../../../../../..%s", outside), "far") == 0);
	CHECK(symlink("/proc/self/cwd", "magic") == 0);
	FILE *f = fopen(fb_format(room->arena, "%s/secret", outside), "w");
	CHECK(f && fputs("secret", f) >= 0 && fclose(f) == 0);
}

TEST(links_cannot_lead_a_read_out_of_the_root)
{
	struct room *room = room_make();
	struct fb_error err;
	char outside[4096], *text;
	lay_traps(room, outside, sizeof(outside));
	static const char *const ways[] = { "/absolute/secret", "/dotdot/secret", "/far/secret", "/magic/absolute/secret", "/../secret" };
	for (size_t i = 0; i < FB_ARRAY_LEN(ways); i++) {
		size_t len;
		struct fb_stat st;
		CHECK_ROW(ways[i], fb_fs_read(&room->fs, room->arena, ways[i], 100, &text, &len, &err) == -ENOENT);
		CHECK_ROW(ways[i], fb_fs_stat(&room->fs, ways[i], &st, &err) == -ENOENT);
	}
	CHECK(unlink(fb_format(room->arena, "%s/secret", outside)) == 0 && rmdir(outside) == 0);
	room_end(room);
}

TEST(links_cannot_lead_a_write_out_of_the_root)
{
	struct room *room = room_make();
	char outside[4096];
	lay_traps(room, outside, sizeof(outside));
	static const char *const ways[] = { "absolute", "dotdot", "far", "magic" };
	for (size_t i = 0; i < FB_ARRAY_LEN(ways); i++) {
		struct fb_error err;
		(void)put(&room->fs, fb_format(room->arena, "/%s/secret", ways[i]), "overwritten", &err);
		(void)fb_fs_symlink(&room->fs, fb_format(room->arena, "/%s/secret", ways[i]), "x", &err);
		(void)fb_fs_remove(&room->fs, fb_format(room->arena, "/%s/secret", ways[i]), &err);
		(void)fb_fs_mkdir(&room->fs, fb_format(room->arena, "/%s/dir", ways[i]), 0777, 0, 0, &err);
		(void)fb_fs_chmod(&room->fs, fb_format(room->arena, "/%s/secret", ways[i]), 0777, 0, 0, &err);
		(void)fb_fs_write_attr(&room->fs, fb_format(room->arena, "/%s/secret", ways[i]), "attr", &err);
		CHECK_ROW(ways[i], !strcmp(room_names(outside), "secret"));
		CHECK_ROW(ways[i], !strcmp(room_read(fb_format(room->arena, "%s/secret", outside)), "secret"));
	}
	CHECK(unlink(fb_format(room->arena, "%s/secret", outside)) == 0 && rmdir(outside) == 0);
	room_end(room);
}

TEST(absolute_links_stay_inside_and_work)
{
	struct room *room = room_make();
	struct fb_error err;
	char *text;
	size_t len;
	room_write("run/real", "inside\n");
	CHECK(symlink("/run", room_path("var-run")) == 0);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/var-run/real", 100, &text, &len, &err), 0);
	CHECK_STR(text, "inside\n");
	CHECK_INT(put(&room->fs, "/var-run/new", "too\n", &err), 0);
	CHECK_STR(content("run/new"), "too\n");
	room_end(room);
}

TEST(read_limits_types_and_absence)
{
	struct room *room = room_make();
	struct fb_error err = { "untouched" };
	char *text = NULL;
	size_t len;
	room_write("ten", "0123456789");
	CHECK(mkfifo(room_path("fifo"), 0600) == 0);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/none", 10, &text, &len, &err), -ENOENT);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/none/deeper", 10, &text, &len, &err), -ENOENT);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/ten/deeper", 10, &text, &len, &err), -ENOENT);
	CHECK_STR(err.text, "untouched");
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/ten", 10, &text, &len, &err), 0);
	CHECK_INT(len, 10);
	text = NULL;
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/ten", 9, &text, &len, &err), -EFBIG);
	CHECK_STR(err.text, fb_format(room->arena, "read %s/ten: larger than 9 bytes", room->dir));
	CHECK(!text);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/", 9, &text, &len, &err), -EISDIR);
	CHECK_INT(fb_fs_read(&room->fs, room->arena, "/fifo", 9, &text, &len, &err), -EINVAL);	/* and does not hang */
	room_end(room);
}

TEST(read_of_a_file_larger_than_its_first_guess)
{
	struct fb_fs fs;
	struct fb_error err;
	struct fb_arena *arena = fb_arena_new();
	char *text;
	size_t len;
	CHECK_INT(fb_fs_open(&fs, "/", &err), 0);
	CHECK_STR(fs.root, "");
	CHECK_INT(fb_fs_read(&fs, arena, "/proc/self/smaps", FB_FS_READ_MAX, &text, &len, &err), 0);	/* size 0 in stat */
	CHECK(len > 4096 && strlen(text) == len);
	fb_fs_close(&fs);
	fb_arena_free(arena);
}

TEST(symlink_replaces_file_and_link)
{
	struct room *room = room_make();
	struct fb_error err;
	char *target;
	room_write("etc/localtime", "a file\n");
	CHECK_INT(fb_fs_symlink(&room->fs, "/etc/localtime", "../one", &err), 0);
	CHECK_INT(fb_fs_symlink(&room->fs, "/etc/localtime", "../two", &err), 0);
	CHECK_INT(fb_fs_readlink(&room->fs, room->arena, "/etc/localtime", &target, &err), 0);
	CHECK_STR(target, "../two");
	CHECK_STR(room_names("etc"), "localtime");
	CHECK_INT(fb_fs_readlink(&room->fs, room->arena, "/etc/none", &target, &err), -ENOENT);
	CHECK_INT(fb_fs_readlink(&room->fs, room->arena, "/etc", &target, &err), -EINVAL);
	room_end(room);
}

TEST(mkdir_sets_the_mode_also_of_what_is_there)
{
	struct room *room = room_make();
	struct fb_error err;
	struct fb_stat st;
	CHECK_INT(fb_fs_mkdir(&room->fs, "/home/taro/.ssh", 0700, 0, 0, &err), 0);
	CHECK_INT(fb_fs_stat(&room->fs, "/home/taro/.ssh", &st, &err), 0);
	CHECK(st.type == FB_IS_DIR && st.mode == 0700);
	CHECK_INT(fb_fs_stat(&room->fs, "/home/taro", &st, &err), 0);
	CHECK(st.type == FB_IS_DIR && st.mode == 0755);
	CHECK_INT(fb_fs_mkdir(&room->fs, "/home/taro/.ssh", 0711, 0, 0, &err), 0);
	CHECK_INT(fb_fs_stat(&room->fs, "/home/taro/.ssh", &st, &err), 0);
	CHECK_INT(st.mode, 0711);
	room_write("plain", "");
	CHECK(fb_fs_mkdir(&room->fs, "/plain", 0755, 0, 0, &err) < 0);
	room_end(room);
}

TEST(remove_takes_files_links_and_empty_directories)
{
	struct room *room = room_make();
	struct fb_error err;
	room_write("d/file", "x");
	CHECK(symlink("file", room_path("d/link")) == 0);
	CHECK_INT(fb_fs_remove(&room->fs, "/d", &err), -ENOTEMPTY);
	CHECK_STR(err.text, fb_format(room->arena, "remove %s/d: Directory not empty", room->dir));
	CHECK_INT(fb_fs_remove(&room->fs, "/d/link", &err), 0);
	CHECK_STR(room_names("d"), "file");
	CHECK_INT(fb_fs_remove(&room->fs, "/d/file", &err), 0);
	CHECK_INT(fb_fs_remove(&room->fs, "/d/file", &err), 0);
	CHECK_INT(fb_fs_remove(&room->fs, "/d", &err), 0);
	CHECK_INT(fb_fs_remove(&room->fs, "/d/deeper/still", &err), 0);
	CHECK_STR(room_names("."), "");
	room_end(room);
}

TEST(chmod_does_not_follow_links)
{
	struct room *room = room_make();
	struct fb_error err;
	struct fb_stat st;
	room_write("file", "x");
	CHECK(symlink("file", room_path("link")) == 0);
	CHECK(fb_fs_chmod(&room->fs, "/link", 0600, 0, 0, &err) < 0);
	CHECK_INT(fb_fs_chmod(&room->fs, "/file", 04755, 0, 0, &err), 0);
	CHECK_INT(fb_fs_stat(&room->fs, "/file", &st, &err), 0);
	CHECK_INT(st.mode, 04755);
	room_end(room);
}

TEST(list_is_sorted)
{
	struct room *room = room_make();
	struct fb_error err;
	struct fb_strs names;
	room_write("d/b", "");
	room_write("d/a", "");
	room_write("d/.c", "");
	CHECK_INT(fb_fs_list(&room->fs, room->arena, "/d", &names, &err), 0);
	CHECK_INT(names.n, 3);
	CHECK_STR(names.item[0], ".c");
	CHECK_STR(names.item[1], "a");
	CHECK_STR(names.item[2], "b");
	CHECK_INT(fb_fs_list(&room->fs, room->arena, "/none", &names, &err), -ENOENT);
	CHECK_INT(fb_fs_list(&room->fs, room->arena, "/d/a", &names, &err), -ENOENT);
	room_end(room);
}

TEST(a_second_lock_is_refused_until_the_first_is_gone)
{
	struct room *room = room_make();
	struct fb_error err;
	int first, second;
	CHECK_INT(fb_fs_lock(&room->fs, "/run/r4s/lock", &first, &err), 0);
	CHECK_INT(fb_fs_lock(&room->fs, "/run/r4s/lock", &second, &err), -EBUSY);
	CHECK(close(first) == 0);
	CHECK_INT(fb_fs_lock(&room->fs, "/run/r4s/lock", &second, &err), 0);
	CHECK(close(second) == 0);
	room_end(room);
}

static unsigned n_before;
static void count_before(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (*what && *path == '/')
		n_before++;
}

TEST(before_is_called_for_each_mutation)
{
	struct room *room = room_make();
	struct fb_error err;
	room->fs.before = count_before;
	n_before = 0;
	CHECK_INT(put(&room->fs, "/file", "x", &err), 0);
	CHECK_INT(n_before, 6);		/* unstage, stage, write, fsync, rename, fsync of the directory */
	CHECK_INT(room->fs.mutations, n_before);
	room_end(room);
}

/* The process ends before mutation after mutation: at each the target is whole, old or new. */
TEST(a_cut_anywhere_leaves_old_or_new)
{
	for (unsigned cut = 1; cut <= 12; cut++) {
		struct room *room = room_make();
		struct fb_error err;
		room_write("etc/a", "old a\n");
		room_write("etc/b", "old b\n");
		struct fb_file file[] = {
			{ .path = "/etc/a", .text = "new a\n", .len = 6, .mode = 0644 },
			{ .path = "/etc/b", .text = "new b\n", .len = 6, .mode = 0644 },
		};
		pid_t pid = fork();
		CHECK(pid >= 0);
		if (pid == 0) {
			room_cut_at(&room->fs, cut);
			(void)fb_fs_replace(&room->fs, file, 2, &err);
			_exit(0);
		}
		int status;
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == ROOM_CUT);
		const char *a = content("etc/a"), *b = content("etc/b");
		CHECK(!strcmp(a, "old a\n") || !strcmp(a, "new a\n"));
		CHECK(!strcmp(b, "old b\n") || !strcmp(b, "new b\n"));
		CHECK_INT(fb_fs_replace(&room->fs, file, 2, &err), 0);
		CHECK_STR(content("etc/a"), "new a\n");
		CHECK_STR(content("etc/b"), "new b\n");
		CHECK_STR(room_names("etc"), "a b");
		room_end(room);
	}
}

TEST_MAIN()
