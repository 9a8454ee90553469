/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, shells and hashes. The hashes were made by mkpasswd and openssl from random passwords that nobody kept. */
#include "test.h"

#include "login.h"

struct row {
	const char *value, *want;
};

static void check_rows(fb_valid_fn *valid, const struct row *row, size_t n)
{
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < n; i++) {
		const char *got = valid(arena, row[i].value);
		if ((!got != !row[i].want) || (got && strcmp(got, row[i].want)))
			test_fail(__FILE__, __LINE__, "[%s] \"%s\", wanted \"%s\"", row[i].value, got ? got : "(good)",
				  row[i].want ? row[i].want : "(good)");
	}
	fb_arena_free(arena);
}

TEST(user_names)
{
	static const char pattern[] = "is not a user name: a letter a-z, then a-z, 0-9, _ and -, at most 31 characters";
	static const char system[] = "is a name of the system's own; take another one";
	static const struct row rows[] = {
		{ "taro", NULL }, { "t", NULL }, { "taro-2_x", NULL }, { "abcdefghijklmnopqrstuvwxyz01234", NULL },
		{ "abcdefghijklmnopqrstuvwxyz012345", pattern }, { "Taro", pattern }, { "2taro", pattern }, { "-taro", pattern },
		{ "ta ro", pattern }, { "taro$", pattern }, { "ta:ro", pattern }, { "ta/ro", pattern }, { "taro;id", pattern },
		{ "\xe5\xa4\xaa\xe9\x83\x8e", pattern }, { "taro\n", pattern }, { "", pattern }, { "ta.ro", pattern },
		{ "root", "is not a user to add; root has login.root-keys and login.root-password-hash" },
		{ "daemon", system }, { "sshd", system }, { "nobody", system }, { "_apt", system }, { "_chrony", system },
		{ "systemd-network", system }, { "messagebus", system }, { "sudo", system }, { "www-data", system },
	};
	check_rows(fb_login_check_user, rows, FB_ARRAY_LEN(rows));
}

TEST(group_names)
{
	static const char pattern[] = "is not a group name: a letter a-z or _, then a-z, 0-9, _ and -, at most 31 characters";
	static const struct row rows[] = {
		{ "sudo", NULL }, { "systemd-journal", NULL }, { "_ssh", NULL },
		{ "", pattern }, { "su do", pattern }, { "sudo,adm", pattern }, { "SUDO", pattern }, { "sudo:x", pattern },
		{ "abcdefghijklmnopqrstuvwxyz012345", pattern },
	};
	check_rows(fb_login_check_group, rows, FB_ARRAY_LEN(rows));
}

TEST(shells)
{
	static const char wrong[] =
		"is not the full path of a shell, such as /bin/bash; letters, digits, / . _ and - are allowed";
	static const struct row rows[] = {
		{ "/bin/bash", NULL }, { "/usr/bin/zsh-5.9", NULL },
		{ "bash", wrong }, { "", wrong }, { "/", wrong }, { "/bin/bash -i", wrong }, { "/bin/../bash", wrong },
		{ "/bin/", wrong }, { "//bash", wrong }, { "/bin/ba:sh", wrong }, { "/bin/$SHELL", wrong }, { "/bin/a;b", wrong },
	};
	check_rows(fb_login_check_shell, rows, FB_ARRAY_LEN(rows));
}

TEST(whole_hashes_are_good)
{
	static const struct row rows[] = {
		{ "$y$j9T$cnCfEVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0", NULL },
		{ "$y$jFT$DP9dOpqzuzEDnyqrGm5gR.$vMP9IwMQEH.FnTjwwYin5Jbl9nzqrHxEoHA0YUq6fZ5", NULL },
		{ "$gy$j9T$rG7zLKr8GmB.WGSCbwSGP.$nDnNcj1tbLQrev.P.OiqPn1whH93ewFB066HOOhQGuC", NULL },
		{ "$7$CU..../....c5dZNgOPa4MrP.a/J76Nf/$gm/umDDOrCbjyGWWOiGOEdFN8mUOShSXRsWheAqrib5", NULL },
		{ "$2b$05$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q", NULL },
		{ "$2y$12$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q", NULL },
		{ "$2a$05$f9MB4z.FCs.BTbJFV.d5CeietAMaZUgDpFqQb3dZ4btIReRXDywd6", NULL },
		{ "$6$YvJeipQwZk312yYc$B5v4G5AvLhCYGUmutD.0.FuUDF4Ky/0aDwI7TJKxWQpQdd6o9R5QuDSNAhQsD1Pjd2DnDXk6g7hJc9lIiO/DF1",
		  NULL },
		{ "$6$rounds=10000$.owS/7zzYIJj2Lod$"
		  ".glrteQFgI7hSbb/xSq.hqclTEz3j4c2T.q0xv5NNzAkpyEUUY2q/QDkHhoIsM6cQ6doDr68i1lF81i8mHOfa.", NULL },
		{ "$5$fyEP.3o.TwzQkMgm$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", NULL },
		{ "$5$rounds=1000$fyEP$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", NULL },
	};
	check_rows(fb_login_check_hash, rows, FB_ARRAY_LEN(rows));
}

TEST(a_hash_cut_anywhere_is_refused)
{
	static const char *const whole[] = {
		"$y$j9T$cnCfEVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0",
		"$gy$j9T$rG7zLKr8GmB.WGSCbwSGP.$nDnNcj1tbLQrev.P.OiqPn1whH93ewFB066HOOhQGuC",
		"$7$CU..../....c5dZNgOPa4MrP.a/J76Nf/$gm/umDDOrCbjyGWWOiGOEdFN8mUOShSXRsWheAqrib5",
		"$2b$05$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q",
		"$6$YvJeipQwZk312yYc$B5v4G5AvLhCYGUmutD.0.FuUDF4Ky/0aDwI7TJKxWQpQdd6o9R5QuDSNAhQsD1Pjd2DnDXk6g7hJc9lIiO/DF1",
		"$5$fyEP.3o.TwzQkMgm$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3",
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(whole); i++) {
		for (size_t len = 0; len < strlen(whole[i]); len++)
			CHECK_ROW(whole[i], fb_login_check_hash(arena, fb_strndup(arena, whole[i], len)));
		for (size_t start = 1; start < strlen(whole[i]); start++)
			CHECK_ROW(whole[i], fb_login_check_hash(arena, whole[i] + start));
		CHECK_ROW(whole[i], fb_login_check_hash(arena, fb_format(arena, "%sx", whole[i])));
		CHECK_ROW(whole[i], fb_login_check_hash(arena, fb_format(arena, "%s\n", whole[i])));
		CHECK_ROW(whole[i], !fb_login_check_hash(arena, whole[i]));
	}
	fb_arena_free(arena);
}

#define MAKE_ONE "make a hash with: mkpasswd -m yescrypt (or: openssl passwd -6)"

TEST(what_is_no_hash_gets_its_own_message)
{
	static const char locked[] = "is a locked password, not a hash; leave the key out to lock it";
	static const char plain[] = "is a plain password or an old DES hash; " MAKE_ONE;
	static const char unknown[] = "begins like no hash that is taken ($y$ $gy$ $7$ $2b$ $6$ $5$); " MAKE_ONE;
	static const char cut6[] =
		"is cut or damaged: a $6$ hash ends with a $ and 86 letters, digits, . or /; copy all of it";
	static const char cut_y[] =
		"is cut or damaged: a $y$ hash ends with a $ and 43 letters, digits, . or /; copy all of it";
	static const char middle_y[] = "is damaged between $y$ and the last $; copy all of the hash";
	static const char middle_5[] = "is damaged between $5$ and the last $; copy all of the hash";
	static const struct row rows[] = {
		{ "", "is empty; leave the key out to lock the password" },
		{ "*", locked }, { "!", locked }, { "!$6$salt$x", locked },
		{ "hunter2", plain }, { "iB5OBtlZP/LBo", plain }, { "x", plain },
		{ "$1$LG3spSv8$5qJYqNqUVZPnDkobcpkuD1", "is an MD5 hash, which is too weak; " MAKE_ONE },
		{ "$ecret", unknown }, { "$", unknown }, { "$md5,rounds=71617$FgcUc3g.$$KpuW44HH0JJLvCNTp6SYC1", unknown },
		{ "$2x$05$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q", unknown },
		{ "$6$salt$x", cut6 }, { "$6$", cut6 }, { "$6$salt", cut6 },
		{ "$y$j9T$cnCfEVgac0ho8nYKI5HAB1", cut_y },
		{ "$y$j9T$cnCfEVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1lo:0", cut_y },
		{ "$y$z9T$cnCfEVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0", middle_y },
		{ "$y$cnCfEVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0", middle_y },
		{ "$y$j9T$$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0", middle_y },
		{ "$y$j9T$cnC:EVgac0ho8nYKI5HAB1$Ngr9r9bn9oehO70jVCrUa1shqt1EtKzxZQ6SaG1loj0", middle_y },
		{ "$5$$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$fyEP.3o.TwzQkMgmx$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$fy EP$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$rounds=999$fyEP$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$rounds=01000$fyEP$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$rounds=5000$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$5$rounds=5000$$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3", middle_5 },
		{ "$2b$32$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q",
		  "is damaged between $2b$ and the last $; copy all of the hash" },
		{ "$2b$03$jHc9VNqj1EYZwyx3VOtjiey6qceHMrsAXXIg.wY9Hf0Xuo0C7v/0q",
		  "is damaged between $2b$ and the last $; copy all of the hash" },
		{ "$7$zU..../....c5dZNgOPa4MrP.a/J76Nf/$gm/umDDOrCbjyGWWOiGOEdFN8mUOShSXRsWheAqrib5",
		  "is damaged between $7$ and the last $; copy all of the hash" },
		{ "$7$CU..../....$gm/umDDOrCbjyGWWOiGOEdFN8mUOShSXRsWheAqrib5",
		  "is damaged between $7$ and the last $; copy all of the hash" },
	};
	check_rows(fb_login_check_hash, rows, FB_ARRAY_LEN(rows));
}

TEST_MAIN()
