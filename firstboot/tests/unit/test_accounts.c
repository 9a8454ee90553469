/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accounts step: what it refuses, and what it plans for a root directory. */
#include "room.h"

#include "step.h"

extern const struct fb_step fb_step_accounts;

#define KEY_A "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEIMXrZD4QpiImw8yvtHem/JVGvJYQRpQJic8g8sOSZD"
#define KEY_B "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRoaXMgaXMgYW4gZXhhbXBsZSwgbm90IHlvdXIga2V5"
#define HASH "$5$fyEP.3o.TwzQkMgm$2Br8hXTU2ujHo5K8aT304h8sUgrmL2DmNCb6OygIuD3"
#define HEADER "# Written by r4s-firstboot from provision.conf; edit that file instead.\n"

static const char passwd[] = "root:x:0:0:root:/root:/bin/bash\nbin:x:2:2:bin:/bin:/usr/sbin/nologin\n";
static const char shadow[] = "root:$6$default:20000:0:99999:7:::\nbin:*:19000::::::\n";
static const char group[] = "root:x:0:\nbin:x:2:\nsudo:x:27:\n";
static const char gshadow[] = "root:*::\nbin:*::\nsudo:*::\n";

static struct fb_conf *parse(struct fb_arena *arena, const char *text)
{
	struct fb_keys table = { fb_step_accounts.keys, fb_step_accounts.n_keys };
	struct fb_conf *conf = fb_alloc(arena, sizeof(*conf));
	fb_conf_parse(conf, arena, "p.conf", text, strlen(text), &table, 1, &conf->value);
	if (!conf->n_complaints)
		fb_step_accounts.check(conf);
	return conf;
}

/* All complaints, one a line. */
static const char *complaints(struct fb_arena *arena, const char *text)
{
	struct fb_buf buf = { .arena = arena };
	struct fb_conf *conf = parse(arena, text);
	for (size_t i = 0; i < conf->n_complaints; i++)
		fb_buf_add(&buf, "%s%s", i ? "\n" : "", fb_conf_message(conf, &conf->complaint[i]));
	return fb_buf_text(&buf);
}

TEST(config_errors)
{
	static const char no_way[] = "login: there is no way in; give root-keys, or a user with keys";
	static const char password_only[] =
		"login: a password is the only way in, but SSH takes none; give root-keys, or set ssh-password = true";
	static const struct { const char *text, *line, *want; } rows[] = {
		{ "login { root-keys = { \"" KEY_A "\" } }", "", "" },
		{ "login { user \"taro\" { keys = { \"" KEY_A " me\" } } }", "", "" },
		{ "login { ssh-password = true root-password-hash = \"" HASH "\" }", "", "" },
		{ "login { ssh-password = true user \"taro\" { password-hash = \"" HASH "\" } }", "", "" },
		{ "login { root-password-hash = \"" HASH "\" user \"taro\" { keys = { \"" KEY_A "\" } } }", "", "" },
		{ "# a remark\n", "", "the file is empty; r4s-firstboot example prints one to start from" },
		{ "\n# a remark\nlogin { # more\n ssh-password = true\n}", ":3", no_way },
		{ "login { root-keys = { } }", ":1", no_way },
		{ "login {\n root-password-hash = \"" HASH "\" }", ":1", password_only },
		{ "login { user \"taro\" { password-hash = \"" HASH "\" } }", ":1", password_only },
		{ "login { root-keys = { \"" KEY_A "\" }\n# a user\nuser \"taro\" { groups = { \"sudo\" } } }", ":3",
		  "login.user: \"taro\" has neither keys nor a password-hash, so nobody could log in with it" },
		{ "login { root-keys = {\n\"" KEY_A "\",\n# the same\n\"" KEY_B "\",\n\"" KEY_A " again\" } }", ":5",
		  "login.root-keys: this key stands here twice, first on line 2" },
		{ "login { user \"taro\" { keys = { \"" KEY_A "\",\n\"" KEY_A "\" } } }", ":2",
		  "login.user.keys: this key stands here twice, first on line 1" },
		{ "login { user \"Taro\" { } }", ":1", "login.user: \"Taro\" is not a user name: a letter a-z, then a-z, 0-9, _ and -, "
		  "at most 31 characters" },
		{ "login {\n root-password-hash = \"hunter2\" }", ":2",
		  "login.root-password-hash: is a plain password or an old DES hash; make a hash with: mkpasswd -m yescrypt "
		  "(or: openssl passwd -6)" },
		{ "login { root-password-hash = \"\" }", ":1",
		  "login.root-password-hash: is empty; leave the key out to lock the password" },
		{ "login { user \"taro\" { shell = \"/bin/sh;id\" } }", ":1", "login.user.shell: \"/bin/sh;id\" is not the full path of a "
		  "shell, such as /bin/bash; letters, digits, / . _ and - are allowed" },
		{ "login { user \"taro\" { groups = { \"sudo\",\n\"a:b\" } } }", ":2", "login.user.groups: \"a:b\" is not a group name: a "
		  "letter a-z or _, then a-z, 0-9, _ and -, at most 31 characters" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(complaints(arena, rows[i].text),
			  *rows[i].want ? fb_format(arena, "p.conf%s: %s", rows[i].line, rows[i].want) : "");
	fb_arena_free(arena);
}

TEST(example_key_is_refused_until_it_is_ones_own)
{
	struct fb_arena *arena = fb_arena_new();
	const char *example = fb_step_accounts.keys[0].example;
	CHECK_STR(complaints(arena, fb_format(arena, "login { root-keys = %s }", example)),
		  "p.conf:1: login.root-keys: \"ssh-ed25519 AAAA... me@pc\" is cut or damaged after ssh-ed25519; copy the whole "
		  "line of the .pub file");
	fb_arena_free(arena);
}

TEST(each_example_is_accepted)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_buf login = { .arena = arena }, user = { .arena = arena };
	for (size_t i = 0; i < fb_step_accounts.n_keys; i++) {
		const struct fb_key *key = &fb_step_accounts.keys[i];
		const char *value = key->example ? key->example : key->preset, *quote = key->type == FB_STR ? "\"" : "";
		if (strstr(value, "AAAA..."))	/* the place of one's own key */
			value = "{ \"" KEY_A "\" }";
		if (key->type != FB_SECTIONS)
			fb_buf_add(strncmp(key->path, "login.user.", 11) ? &login : &user, "%s = %s%s%s\n",
				   strrchr(key->path, '.') + 1, quote, value, quote);
	}
	CHECK_STR(complaints(arena, fb_format(arena, "login {\n%suser \"taro\" {\n%s}\n}\n", login.text, user.text)), "");
	fb_arena_free(arena);
}

struct world {
	struct fb_facts facts;
	struct fb_view view;
	struct fb_plan plan;
};

static void debian(void)
{
	room_write("etc/passwd", passwd);
	room_write("etc/shadow", shadow);
	room_write("etc/group", group);
	room_write("etc/gshadow", gshadow);
	CHECK(chmod(room_path("etc/shadow"), 0640) == 0 && chmod(room_path("etc/gshadow"), 0640) == 0);
	room_write("etc/skel/.profile", "# skel\n");
	room_write("etc/ssh/sshd_config", "# main\nInclude /etc/ssh/sshd_config.d/*.conf\nPermitRootLogin yes\n");
	room_write("bin/bash", "");
}

static struct fb_plan *plan(struct room *room, const struct fb_conf *conf)
{
	static struct world world;
	world = (struct world){ .view = { .fs = &room->fs, .arena = room->arena, .env = &fb_env_offline } };
	world.view.facts = &world.facts;
	world.plan.view = &world.view;
	fb_step_accounts.plan(&world.plan, conf);
	CHECK_INT(world.view.rc, 0);
	return &world.plan;
}

static const struct fb_change *change(const struct fb_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->change[i].path, path))
			return &plan->change[i];
	test_fail(__FILE__, __LINE__, "no change of %s", path);
}

static bool leaves(const struct fb_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->change[i].path, path))
			return false;
	return true;
}

TEST(nothing_is_planned_without_a_config)
{
	struct room *room = room_make();
	debian();
	CHECK_INT(plan(room, NULL)->n, 0);
	room_end(room);
}

TEST(root_with_a_key)
{
	struct room *room = room_make();
	debian();
	struct fb_plan *p = plan(room, parse(room->arena, "login { root-keys = { \"" KEY_A " me\" } }"));
	CHECK_INT(p->notes.n, 0);
	CHECK_STR(change(p, "/etc/shadow")->text, "root:*:20000:0:99999:7:::\nbin:*:19000::::::\n");
	CHECK(change(p, "/etc/shadow")->is_secret);
	CHECK_INT(change(p, "/etc/shadow")->mode, 0640);
	CHECK(leaves(p, "/etc/passwd") && leaves(p, "/etc/group") && leaves(p, "/etc/gshadow"));
	CHECK_INT(change(p, "/root/.ssh")->mode, 0700);
	CHECK_STR(change(p, "/root/.ssh/authorized_keys")->text, HEADER KEY_A " me\n");
	CHECK_INT(change(p, "/root/.ssh/authorized_keys")->mode, 0600);
	CHECK_STR(change(p, "/etc/ssh/sshd_config.d/05-r4s.conf")->text, HEADER
		  "# Of several values for one setting sshd takes the first, and this file is read before the rest.\n"
		  "PermitRootLogin prohibit-password\nPubkeyAuthentication yes\nPasswordAuthentication no\n"
		  "KbdInteractiveAuthentication no\n");
	CHECK_INT(p->n_follow, 1);
	CHECK_STR(p->follow[0].unit, "ssh.service");
	CHECK_INT(p->follow[0].verb, FB_RELOAD);
	room_end(room);
}

TEST(root_by_password_only_where_both_are_asked_for)
{
	static const struct { const char *conf, *root, *others; } rows[] = {
		{ "ssh-password = true root-password-hash = \"" HASH "\"", "PermitRootLogin yes\n", "PasswordAuthentication yes\n" },
		{ "ssh-password = true", "PermitRootLogin prohibit-password\n", "PasswordAuthentication yes\n" },
		{ "root-password-hash = \"" HASH "\"", "PermitRootLogin prohibit-password\n", "PasswordAuthentication no\n" },
	};
	struct room *room = room_make();
	debian();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *text = fb_format(room->arena, "login { root-keys = { \"" KEY_A "\" } %s }", rows[i].conf);
		const char *rules = change(plan(room, parse(room->arena, text)), "/etc/ssh/sshd_config.d/05-r4s.conf")->text;
		CHECK_ROW(rows[i].conf, strstr(rules, rows[i].root));
		CHECK_ROW(rows[i].conf, strstr(rules, rows[i].others));
	}
	room_end(room);
}

TEST(a_user_with_home_and_keys)
{
	struct room *room = room_make();
	debian();
	struct fb_plan *p = plan(room, parse(room->arena, "login { user \"taro\" { keys = { \"" KEY_A "\", \"" KEY_B "\" } "
					     "groups = { \"sudo\" } } }"));
	CHECK_INT(p->notes.n, 0);
	CHECK_STR(change(p, "/etc/passwd")->text, fb_format(room->arena, "%staro:x:1000:1000::/home/taro:/bin/bash\n", passwd));
	CHECK_STR(change(p, "/etc/group")->text, "root:x:0:\nbin:x:2:\nsudo:x:27:taro\ntaro:x:1000:\n");
	CHECK(change(p, "/etc/passwd")->group && change(p, "/etc/passwd")->group == change(p, "/etc/shadow")->group);
	CHECK(change(p, "/etc/group") < change(p, "/etc/shadow") && change(p, "/etc/shadow") < change(p, "/etc/passwd"));
	static const struct { const char *path; mode_t mode; } owned[] = {
		{ "/home/taro", 0700 }, { "/home/taro/.profile", 0644 }, { "/home/taro/.ssh", 0700 },
		{ "/home/taro/.ssh/authorized_keys", 0600 },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(owned); i++) {
		CHECK_INT(change(p, owned[i].path)->mode, owned[i].mode);
		CHECK_INT(change(p, owned[i].path)->uid, 1000);
		CHECK_INT(change(p, owned[i].path)->gid, 1000);
	}
	CHECK_STR(change(p, "/home/taro/.ssh/authorized_keys")->text, HEADER KEY_A "\n" KEY_B "\n");
	CHECK_STR(change(p, "/etc/sudoers.d/r4s")->text, HEADER "taro ALL=(ALL:ALL) NOPASSWD: ALL\n");
	CHECK_INT(change(p, "/etc/sudoers.d/r4s")->mode, 0440);
	CHECK(leaves(p, "/root/.ssh"));
	room_end(room);
}

TEST(sudo_with_a_password_asks_for_it)
{
	struct room *room = room_make();
	debian();
	room_write("etc/sudoers.d/r4s", HEADER "taro ALL=(ALL:ALL) NOPASSWD: ALL\n");
	struct fb_plan *p = plan(room, parse(room->arena, "login { user \"taro\" { keys = { \"" KEY_A "\" } groups = { \"sudo\" } "
					     "password-hash = \"" HASH "\" } }"));
	CHECK_INT(change(p, "/etc/sudoers.d/r4s")->kind, FB_REMOVE);
	room_end(room);
}

TEST(what_a_user_has_is_kept)
{
	struct room *room = room_make();
	debian();
	room_write("home/taro/.profile", "# mine\n");
	CHECK(chmod(room_path("home/taro"), 0777) == 0);
	CHECK(chmod(room_path("etc/shadow"), 0644) == 0);
	struct fb_plan *p = plan(room, parse(room->arena, "login { user \"taro\" { keys = { \"" KEY_A "\" } } }"));
	CHECK(leaves(p, "/home/taro/.profile"));
	CHECK_INT(change(p, "/home/taro")->mode, 0755);
	CHECK_INT(change(p, "/etc/shadow")->mode, 0640);
	room_end(room);
}

TEST(keys_go_only_if_they_are_ours)
{
	struct room *room = room_make();
	struct fb_conf *conf;
	debian();
	conf = parse(room->arena, "login { user \"taro\" { keys = { \"" KEY_A "\" } } }");
	room_write("root/.ssh/authorized_keys", KEY_B " by hand\n");
	CHECK(leaves(plan(room, conf), "/root/.ssh/authorized_keys"));
	room_write("root/.ssh/authorized_keys", HEADER KEY_B "\n");
	CHECK_INT(change(plan(room, conf), "/root/.ssh/authorized_keys")->kind, FB_REMOVE);
	room_end(room);
}

TEST(what_cannot_be_had_is_noted)
{
	struct room *room = room_make();
	debian();
	room_write("etc/passwd", "root:x:0:0:root:/root:/bin/bash\ndns:x:150:150::/:/bin/false\n");
	room_write("etc/ssh/sshd_config", "# Include /etc/ssh/sshd_config.d/*.conf\nPermitRootLogin yes\n");
	room_write("home/taro/x", "");
	CHECK(symlink("/etc", room_path("home/taro/.ssh")) == 0);
	struct fb_plan *p = plan(room, parse(room->arena, "login { root-keys = { \"" KEY_A "\" } "
					     "user \"taro\" { keys = { \"" KEY_A "\" } shell = \"/bin/zsh\" groups = { \"lab\" } } "
					     "user \"dns\" { keys = { \"" KEY_A "\" } } }"));
	static const char *const notes[] = {
		"user taro gets /bin/bash: the shell /bin/zsh is not on this box",
		"user dns was left alone: the name is a system account of this box (uid 150)",
		"user taro is not in group lab: there is no such group on this box",
		"the keys of /home/taro were not written: /home/taro/.ssh is not a directory",
		("the rules for logins by SSH are not in force: /etc/ssh/sshd_config has no line "
		 "\"Include /etc/ssh/sshd_config.d/*.conf\""),
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(notes); i++)
		CHECK_STR(i < p->notes.n ? p->notes.item[i] : NULL, notes[i]);
	CHECK_INT(p->notes.n, FB_ARRAY_LEN(notes));
	CHECK(leaves(p, "/home/dns"));
	CHECK(leaves(p, "/home/taro/.ssh/authorized_keys"));
	CHECK(strstr(change(p, "/etc/passwd")->text, "taro:x:1000:1000::/home/taro:/bin/bash\n"));
	room_end(room);
}

TEST(damaged_account_files_are_not_touched)
{
	struct room *room = room_make();
	debian();
	FILE *f = fopen(room_path("etc/shadow"), "a");
	CHECK(f && fwrite("\0\0", 1, 2, f) == 2 && fclose(f) == 0);
	struct fb_plan *p = plan(room, parse(room->arena, "login { root-keys = { \"" KEY_A "\" } user \"taro\" { keys = { \"" KEY_B
					     "\" } } }"));
	CHECK_INT(p->notes.n, 1);
	CHECK_STR(p->notes.item[0], "no account was changed: /etc/shadow is missing or damaged");
	CHECK(leaves(p, "/etc/shadow") && leaves(p, "/etc/passwd") && leaves(p, "/home/taro"));
	CHECK_STR(change(p, "/root/.ssh/authorized_keys")->text, HEADER KEY_A "\n");
	room_end(room);
}

TEST_MAIN()
