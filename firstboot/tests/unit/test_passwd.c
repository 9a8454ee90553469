/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The account files as text: what is asked for changes, all else stays byte for byte. */
#include "test.h"

#include "passwd.h"

static const char passwd[] =
	"root:x:0:0:root:/root:/bin/bash\n"
	"# kept\n"
	"\n"
	"bin:x:2:2:bin:/bin:/usr/sbin/nologin\n"
	"jiro:x:1000:1000:Jiro,,,:/home/jiro:/bin/sh\n";
static const char shadow[] = "root:$6$old:20000:0:99999:7:::\nbin:*:19000::::::\njiro:!:0:0:99999:7:::\n";
static const char group[] = "root:x:0:\nbin:x:2:\nsudo:x:27:jiro\nadm:x:4:syslog,jiro\nusers:x:100:\njiro:x:1000:\n";
static const char gshadow[] = "root:*::\nbin:*::\nsudo:*::jiro\nadm:*::syslog,jiro\nusers:*::\njiro:!::\n";

static struct fb_passwd_files debian(void)
{
	return (struct fb_passwd_files){ .passwd = passwd, .shadow = shadow, .group = group, .gshadow = gshadow };
}

static struct fb_user user(struct fb_arena *arena, const char *name, const char *hash, const char *one, const char *two)
{
	struct fb_user user = { .head.title = name, .password_hash = hash, .shell = "/bin/bash" };
	if (one)
		fb_strs_add(arena, &user.groups, one);
	if (two)
		fb_strs_add(arena, &user.groups, two);
	return user;
}

TEST(fields_are_found)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text, *name; size_t field; const char *want; } rows[] = {
		{ passwd, "root", FB_PW_SHELL, "/bin/bash" }, { passwd, "root", 0, "root" }, { passwd, "root", FB_PW_UID, "0" },
		{ passwd, "jiro", FB_PW_HOME, "/home/jiro" }, { passwd, "jiro", 7, NULL }, { passwd, "jir", 0, NULL },
		{ passwd, "jiro1", 0, NULL }, { passwd, "Jiro", 0, NULL }, { passwd, "bin", FB_PW_PASSWORD, "x" },
		{ group, "users", FB_GR_MEMBERS, "" }, { "a", "a", 0, "a" }, { "a", "a", 1, NULL }, { "", "a", 0, NULL },
		{ "a:b", "a", 1, "b" }, { "a:\n", "a", 1, "" }, { "ab:1\na:2\n", "a", 1, "2" }, { "a:1\na:2\n", "a", 1, "1" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_passwd_get(arena, rows[i].text, rows[i].name, rows[i].field), rows[i].want);
	fb_arena_free(arena);
}

TEST(one_field_changes)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text, *name; size_t field; const char *value, *want; } rows[] = {
		{ "a:x:1\nb:x:2\n", "a", 1, "y", "a:y:1\nb:x:2\n" }, { "a:x:1\nb:x:2\n", "b", 2, "3", "a:x:1\nb:x:3\n" },
		{ "a:x:1\nb:x:2", "b", 2, "3", "a:x:1\nb:x:3" }, { "a:x\n", "a", 1, "", "a:\n" },
		{ "a:x\nb:y\n", "a", 4, "z", "a:x:::z\nb:y\n" }, { "a\nb:y\n", "a", 1, "z", "a:z\nb:y\n" },
		{ "a:x\n", "c", 1, "z", "a:x\n" }, { "a:x\n", "a", 1, "x", "a:x\n" }, { "", "a", 1, "x", "" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(fb_passwd_set(arena, rows[i].text, rows[i].name, rows[i].field, rows[i].value), rows[i].want);
	fb_arena_free(arena);
}

TEST(lines_are_added_behind_a_whole_line)
{
	struct fb_arena *arena = fb_arena_new();
	CHECK_STR(fb_passwd_add(arena, "a:x\n", "b:y"), "a:x\nb:y\n");
	CHECK_STR(fb_passwd_add(arena, "a:x", "b:y"), "a:x\nb:y\n");
	CHECK_STR(fb_passwd_add(arena, "", "b:y"), "b:y\n");
	fb_arena_free(arena);
}

TEST(members_come_and_go)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *text; bool is_member; const char *want; } rows[] = {
		{ "g:x:1:\n", true, "g:x:1:u\n" }, { "g:x:1:a\n", true, "g:x:1:a,u\n" }, { "g:x:1:a,u\n", true, "g:x:1:a,u\n" },
		{ "g:x:1:uu\n", true, "g:x:1:uu,u\n" }, { "g:x:1:u\n", false, "g:x:1:\n" }, { "g:x:1:a,u,b\n", false, "g:x:1:a,b\n" },
		{ "g:x:1:uu\n", false, "g:x:1:uu\n" }, { "g:x:1\n", true, "g:x:1:u\n" }, { "h:x:1:\n", true, "h:x:1:\n" },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *text = fb_passwd_set_member(arena, rows[i].text, "g", "u", rows[i].is_member);
		CHECK_STR(text, rows[i].want);
		if (fb_passwd_get(arena, text, "g", 0))
			CHECK_ROW(text, fb_passwd_has_member(arena, text, "g", "u") == rows[i].is_member);
	}
	fb_arena_free(arena);
}

TEST(names_leave_out_comments_and_empty_lines)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_strs names;
	fb_passwd_names(arena, passwd, &names);
	CHECK_INT(names.n, 3);
	CHECK_STR(names.item[2], "jiro");
	fb_passwd_names(arena, "alone", &names);
	CHECK_INT(names.n, 1);
	CHECK_STR(names.item[0], "alone");
	fb_arena_free(arena);
}

TEST(root_gets_a_hash_or_is_locked)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_passwd_files files = debian();
	fb_passwd_put_hash(arena, &files, "root", "$y$new");
	CHECK_STR(files.shadow, "root:$y$new:20000:0:99999:7:::\nbin:*:19000::::::\njiro:!:0:0:99999:7:::\n");
	CHECK_STR(files.passwd, passwd);
	fb_passwd_put_hash(arena, &files, "root", "");
	CHECK_STR(files.shadow, "root:*:20000:0:99999:7:::\nbin:*:19000::::::\njiro:!:0:0:99999:7:::\n");

	/* A password in passwd itself would win; a last change of 0 would ask for a new password at the login. */
	files = (struct fb_passwd_files){ .passwd = "root::0:0:root:/root:/bin/bash\n", .shadow = "root:old:0:0:99999:7:::\n" };
	fb_passwd_put_hash(arena, &files, "root", "$y$new");
	CHECK_STR(files.passwd, "root:x:0:0:root:/root:/bin/bash\n");
	CHECK_STR(files.shadow, "root:$y$new::0:99999:7:::\n");

	files.shadow = "";
	fb_passwd_put_hash(arena, &files, "root", "");
	CHECK_STR(files.shadow, "root:*::0:99999:7:::\n");
	fb_arena_free(arena);
}

TEST(a_new_user_is_added_once)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_passwd_files files = debian(), again;
	struct fb_user taro = user(arena, "taro", "$y$hash", "sudo", "users");
	uid_t uid = 0;
	gid_t gid = 0;
	CHECK_STR(fb_passwd_put_user(arena, &files, &taro, &uid, &gid), NULL);
	CHECK_INT(uid, 1001);
	CHECK_INT(gid, 1001);
	CHECK_STR(files.passwd, fb_format(arena, "%staro:x:1001:1001::/home/taro:/bin/bash\n", passwd));
	CHECK_STR(files.shadow, fb_format(arena, "%staro:$y$hash::0:99999:7:::\n", shadow));
	CHECK_STR(files.group,
		  "root:x:0:\nbin:x:2:\nsudo:x:27:jiro,taro\nadm:x:4:syslog,jiro\nusers:x:100:taro\njiro:x:1000:\ntaro:x:1001:\n");
	CHECK_STR(files.gshadow,
		  "root:*::\nbin:*::\nsudo:*::jiro,taro\nadm:*::syslog,jiro\nusers:*::taro\njiro:!::\ntaro:!::\n");
	again = files;
	CHECK_STR(fb_passwd_put_user(arena, &again, &taro, &uid, &gid), NULL);
	CHECK_STR(again.passwd, files.passwd);
	CHECK_STR(again.shadow, files.shadow);
	CHECK_STR(again.group, files.group);
	CHECK_STR(again.gshadow, files.gshadow);
	fb_arena_free(arena);
}

TEST(a_user_who_is_there_is_taken_over)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_passwd_files files = debian();
	struct fb_user jiro = user(arena, "jiro", "", "sudo", "nosuchgroup");
	uid_t uid = 0;
	gid_t gid = 0;
	CHECK_STR(fb_passwd_put_user(arena, &files, &jiro, &uid, &gid), NULL);
	CHECK_INT(uid, 1000);
	CHECK_STR(fb_passwd_get(arena, files.passwd, "jiro", FB_PW_SHELL), "/bin/bash");
	CHECK_STR(fb_passwd_get(arena, files.passwd, "jiro", 4), "Jiro,,,");
	CHECK_STR(fb_passwd_get(arena, files.shadow, "jiro", FB_SP_HASH), "*");
	CHECK_STR(fb_passwd_get(arena, files.shadow, "jiro", FB_SP_CHANGED), "");
	CHECK_STR(files.group, "root:x:0:\nbin:x:2:\nsudo:x:27:jiro\nadm:x:4:syslog\nusers:x:100:\njiro:x:1000:\n");
	CHECK_STR(files.gshadow, "root:*::\nbin:*::\nsudo:*::jiro\nadm:*::syslog\nusers:*::\njiro:!::\n");
	fb_arena_free(arena);
}

/* Each file is published on its own: what stands after a power cut between two of them becomes the same whole. */
TEST(a_half_made_user_is_completed)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_passwd_files whole = debian();
	struct fb_user taro = user(arena, "taro", "$y$hash", "sudo", NULL);
	uid_t uid = 0;
	gid_t gid = 0;
	CHECK_STR(fb_passwd_put_user(arena, &whole, &taro, &uid, &gid), NULL);
	for (unsigned n = 0; n < 8; n++) {	/* passwd is published last */
		struct fb_passwd_files files = debian();
		files.group = n & 1 ? whole.group : files.group;
		files.gshadow = n & 2 ? whole.gshadow : files.gshadow;
		files.shadow = n & 4 ? whole.shadow : files.shadow;
		CHECK_STR(fb_passwd_put_user(arena, &files, &taro, &uid, &gid), NULL);
		CHECK_STR(files.passwd, whole.passwd);
		CHECK_STR(files.shadow, whole.shadow);
		CHECK_STR(files.group, whole.group);
		CHECK_STR(files.gshadow, whole.gshadow);
	}
	fb_arena_free(arena);
}

TEST(numbers_in_use_are_passed_over)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_user taro = user(arena, "taro", "", NULL, NULL);
	struct fb_passwd_files files = {
		.passwd = "a:x:1000:1000:::\n", .shadow = "", .group = "a:x:1000:\ng:x:1001:\n", .gshadow = NULL,
	};
	uid_t uid = 0;
	gid_t gid = 0;
	CHECK_STR(fb_passwd_put_user(arena, &files, &taro, &uid, &gid), NULL);
	CHECK_INT(uid, 1002);
	CHECK_INT(gid, 1002);
	CHECK_STR(files.gshadow, NULL);

	/* The group is there, its number is another user's. */
	files = (struct fb_passwd_files){ .passwd = "a:x:1000:1000:::\n", .shadow = "", .group = "taro:x:1000:\nb:x:1001:\n" };
	CHECK_STR(fb_passwd_put_user(arena, &files, &taro, &uid, &gid), NULL);
	CHECK_INT(uid, 1002);
	CHECK_INT(gid, 1000);
	fb_arena_free(arena);
}

TEST(accounts_of_the_system_are_left_alone)
{
	struct fb_arena *arena = fb_arena_new();
	static const struct { const char *passwd, *group, *want; } rows[] = {
		{ "taro:x:999:999:::\n", "", "is a system account of this box (uid 999)" },
		{ "taro:x:0:0:::\n", "", "is a system account of this box (uid 0)" },
		{ "taro:x:\n", "", "is a system account of this box (uid )" },
		{ "taro\n", "", "is a system account of this box (uid unknown)" },
		{ "taro:x:-1:0:::\n", "", "is a system account of this box (uid -1)" },
		{ "", "taro:x:50:\n", "is the name of a system group of this box (gid 50)" },
		{ "taro:x:1000::::\n", "", "has no group number in /etc/passwd" },
	};
	struct fb_user taro = user(arena, "taro", "", NULL, NULL);
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_passwd_files files = { .passwd = rows[i].passwd, .shadow = "", .group = rows[i].group, .gshadow = "" };
		uid_t uid = 7;
		gid_t gid = 7;
		CHECK_STR(fb_passwd_put_user(arena, &files, &taro, &uid, &gid), rows[i].want);
		CHECK_STR(files.passwd, rows[i].passwd);
		CHECK_STR(files.group, rows[i].group);
		CHECK_STR(files.shadow, "");
		CHECK(uid == 7 && gid == 7);
	}
	fb_arena_free(arena);
}

TEST_MAIN()
