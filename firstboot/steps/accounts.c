/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may log in and how: root, users with their homes and keys, and the rules of the SSH server. */
#include <string.h>
#include <strings.h>

#include "accounts.h"
#include "login.h"
#include "passwd.h"
#include "sshkey.h"
#include "step.h"
#include "text.h"

static const char header[] = "# Written by r4s-firstboot from provision.conf; edit that file instead.\n";
static const char default_shell[] = "/bin/bash";

/* Not a key: who forgets to put an own one there is told so, instead of being locked out. */
#define EXAMPLE_KEY "ssh-ed25519 AAAA... me@pc"
#define EXAMPLE_HASH "$y$j9T$Tbc4a7nbd/Z.OGURk8wTS.$F927K9nUPC6Go5ECS0gyTzk6.HwAHHGQtWZL4NSYiL/"

static const struct fb_key keys[] = {
	{ .path = "login.root-keys", .type = FB_LIST, .offset = offsetof(struct fb_config, login.root_keys),
	  .valid = fb_sshkey_check, .range = "lines of .pub files, TYPE KEY COMMENT, without options",
	  .doc = "SSH keys that log in as root. They are the whole of /root/.ssh/authorized_keys.",
	  .example = "{ \"" EXAMPLE_KEY "\" }" },
	{ .path = "login.root-password-hash", .type = FB_STR,
	  .offset = offsetof(struct fb_config, login.root_password_hash), .valid = fb_login_check_hash, .is_secret = true,
	  .range = "a crypt(5) hash as printed by mkpasswd -m yescrypt or openssl passwd -6, never the password itself",
	  .doc = "Password of root, for the console. Without it the password is locked and only keys log in.",
	  .example = EXAMPLE_HASH },
	{ .path = "login.ssh-password", .type = FB_BOOL, .offset = offsetof(struct fb_config, login.ssh_password),
	  .preset = "false", .range = "true or false",
	  .doc = "Whether SSH takes passwords too. Keys are safer; the console takes passwords in any case." },
	{ .path = "login.user", .type = FB_SECTIONS, .offset = offsetof(struct fb_config, login.users),
	  .size = sizeof(struct fb_user), .valid = fb_login_check_user,
	  .range = "a login name: a letter a-z, then a-z, 0-9, _ and -, at most 31 characters",
	  .doc = "A user with the home /home/NAME. Taking the section away later leaves the account on the box.",
	  .example = "taro" },
	{ .path = "login.user.keys", .type = FB_LIST, .offset = offsetof(struct fb_user, keys),
	  .valid = fb_sshkey_check, .range = "lines of .pub files, TYPE KEY COMMENT, without options",
	  .doc = "SSH keys of the user. They are the whole of the user's authorized_keys.",
	  .example = "{ \"" EXAMPLE_KEY "\" }" },
	{ .path = "login.user.password-hash", .type = FB_STR, .offset = offsetof(struct fb_user, password_hash),
	  .valid = fb_login_check_hash, .is_secret = true,
	  .range = "a crypt(5) hash as printed by mkpasswd -m yescrypt or openssl passwd -6, never the password itself",
	  .doc = "Password of the user, for the console and sudo. Without it only keys log in.",
	  .example = EXAMPLE_HASH },
	{ .path = "login.user.groups", .type = FB_LIST, .offset = offsetof(struct fb_user, groups),
	  .valid = fb_login_check_group, .range = "names of groups that exist on the box",
	  .doc = "All further groups of the user. A member of sudo who has no password uses sudo without one.",
	  .example = "{ \"sudo\" }" },
	{ .path = "login.user.shell", .type = FB_STR, .offset = offsetof(struct fb_user, shell),
	  .preset = default_shell, .valid = fb_login_check_shell, .range = "full path of a shell that is on the box",
	  .doc = "Login shell of the user. One that is not on the box is replaced by /bin/bash until it is." },
};

static void check_twice(struct fb_conf *conf, const char *path, const char *title, const struct fb_strs *lines)
{
	for (size_t i = 1; i < lines->n; i++)
		for (size_t k = 0; k < i; k++)
			if (fb_sshkey_is_same(conf->arena, lines->item[i], lines->item[k])) {
				fb_conf_complain(conf, path, title, i, "this key stands here twice, first on line %u",
						 fb_conf_line(conf, path, title, k));
				break;
			}
}

static void check_accounts(struct fb_conf *conf)
{
	const struct fb_login *login = &conf->value.login;
	const struct fb_user *user = login->users.item;
	bool has_key = login->root_keys.n > 0, has_hash = *login->root_password_hash;
	check_twice(conf, "login.root-keys", NULL, &login->root_keys);
	for (size_t i = 0; i < login->users.n; i++) {
		const char *name = user[i].head.title;
		check_twice(conf, "login.user.keys", name, &user[i].keys);
		if (!user[i].keys.n && !*user[i].password_hash)
			fb_conf_complain(conf, "login.user", name, 0,
					 "\"%s\" has neither keys nor a password-hash, so nobody could log in with it", name);
		has_key |= user[i].keys.n > 0;
		has_hash |= *user[i].password_hash != '\0';
	}
	if (!has_key && !has_hash)
		fb_conf_complain(conf, "login", NULL, 0, "there is no way in; give root-keys, or a user with keys");
	else if (!has_key && !login->ssh_password)
		fb_conf_complain(conf, "login", NULL, 0,
				 "a password is the only way in, but SSH takes none; give root-keys, or set ssh-password = true");
}

/* In the order in which they are published: an account must not be there before its group and its locked password. */
static const struct {
	const char *path;
	size_t offset;
	mode_t most;			/* what the mode may allow at most */
	bool is_secret;
} db[] = {
	{ "/etc/group", offsetof(struct fb_passwd_files, group), 0644, false },
	{ "/etc/gshadow", offsetof(struct fb_passwd_files, gshadow), 0640, true },
	{ "/etc/shadow", offsetof(struct fb_passwd_files, shadow), 0640, true },
	{ "/etc/passwd", offsetof(struct fb_passwd_files, passwd), 0644, false },
};

static const char **text_at(struct fb_passwd_files *files, size_t i)
{
	return (const char **)((char *)files + db[i].offset);
}

/*
 * NULL, or the path of what is missing or has bytes of zero in it as after a power cut. Only gshadow may be missing.
 * The texts and ret_stat are then of no use.
 */
static const char *read_files(struct fb_view *view, struct fb_passwd_files *ret_files, struct fb_stat *ret_stat)
{
	for (size_t i = 0; i < FB_ARRAY_LEN(db); i++) {
		const char *text = NULL;
		if (fb_view_stat(view, db[i].path, &ret_stat[i]) && ret_stat[i].type == FB_IS_FILE)
			text = fb_view_text(view, db[i].path);
		if (text && strlen(text) != (size_t)ret_stat[i].size_bytes)
			text = NULL;
		*text_at(ret_files, i) = text;
		if (!text && db[i].offset != offsetof(struct fb_passwd_files, gshadow))
			return db[i].path;
	}
	return NULL;
}

struct owner {
	uid_t uid;
	gid_t gid;
	bool is_known;
};

static void put_user(struct fb_plan *plan, struct fb_passwd_files *files, const struct fb_user *wanted,
		     struct owner *owner)
{
	struct fb_user user = *wanted;
	const char *name = user.head.title;
	if (!fb_view_exists(plan->view, user.shell)) {
		fb_plan_note(plan, "user %s gets %s: the shell %s is not on this box", name, default_shell, user.shell);
		user.shell = default_shell;
	}
	const char *wrong = fb_passwd_put_user(plan->view->arena, files, &user, &owner->uid, &owner->gid);
	owner->is_known = !wrong;
	if (wrong)
		fb_plan_note(plan, "user %s was left alone: the name %s", name, wrong);
}

static void plan_files(struct fb_plan *plan, const struct fb_login *login, struct owner *owner)
{
	struct fb_arena *arena = plan->view->arena;
	const struct fb_user *user = login->users.item;
	struct fb_passwd_files files;
	struct fb_stat st[FB_ARRAY_LEN(db)];
	const char *broken = read_files(plan->view, &files, st);
	if (broken) {
		fb_plan_note(plan, "no account was changed: %s is missing or damaged", broken);
		return;
	}
	fb_passwd_put_hash(arena, &files, "root", login->root_password_hash);
	for (size_t i = 0; i < login->users.n; i++)
		put_user(plan, &files, &user[i], &owner[i]);
	for (size_t i = 0; i < login->users.n; i++)
		for (size_t k = 0; k < user[i].groups.n; k++)
			if (!fb_passwd_get(arena, files.group, user[i].groups.item[k], 0))
				fb_plan_note(plan, "user %s is not in group %s: there is no such group on this box",
					     user[i].head.title, user[i].groups.item[k]);
	fb_group_begin(plan);
	for (size_t i = 0; i < FB_ARRAY_LEN(db); i++) {
		const char *text = *text_at(&files, i);
		if (!text)
			continue;
		(void)(db[i].is_secret ? fb_want_secret : fb_want_owned_file)(
			plan, db[i].path, text, st[i].mode & db[i].most, st[i].uid, st[i].gid, "accounts of provision.conf");
	}
	fb_group_end(plan);
}

/* A user could point .ssh elsewhere and have us write there as root: only a real directory is taken. */
static void plan_keys(struct fb_plan *plan, const char *home, uid_t uid, gid_t gid, const struct fb_strs *lines)
{
	struct fb_arena *arena = plan->view->arena;
	const char *dir = fb_format(arena, "%s/.ssh", home), *path = fb_format(arena, "%s/authorized_keys", dir);
	struct fb_stat st;
	if (fb_view_stat(plan->view, dir, &st) && st.type != FB_IS_DIR) {
		fb_plan_note(plan, "the keys of %s were not written: %s is not a directory", home, dir);
		return;
	}
	if (!lines->n) {
		bool is_file = fb_view_stat(plan->view, path, &st) && st.type == FB_IS_FILE;
		const char *old = is_file ? fb_view_text(plan->view, path) : NULL;
		if (old && fb_text_starts(old, header))
			(void)fb_want_absent(plan, path, "no key is left in provision.conf");
		return;
	}
	const char *text = fb_format(arena, "%s%s\n", header, fb_text_join(arena, lines, "\n"));
	(void)fb_want_dir(plan, dir, 0700, uid, gid, "keys of provision.conf");
	(void)fb_want_owned_file(plan, path, text, 0600, uid, gid, "keys of provision.conf");
}

static void plan_home(struct fb_plan *plan, const struct fb_user *user, const struct owner *owner)
{
	struct fb_view *view = plan->view;
	const char *home = fb_format(view->arena, "/home/%s", user->head.title);
	mode_t mode = 0700;
	struct fb_stat st;
	struct fb_strs skel;
	if (fb_view_stat(view, home, &st)) {
		if (st.type != FB_IS_DIR) {
			fb_plan_note(plan, "user %s has no home: %s is not a directory", user->head.title, home);
			return;
		}
		mode = st.mode & (mode_t)~022;		/* sshd takes no keys from a home that others can write to */
	}
	(void)fb_want_dir(plan, home, mode, owner->uid, owner->gid, "home of a user of provision.conf");
	(void)fb_view_list(view, "/etc/skel", &skel);	/* absent: nothing to copy */
	for (size_t i = 0; i < skel.n; i++) {
		const char *from = fb_format(view->arena, "/etc/skel/%s", skel.item[i]);
		const char *to = fb_format(view->arena, "%s/%s", home, skel.item[i]);
		if (!fb_view_stat(view, from, &st) || st.type != FB_IS_FILE || fb_view_exists(view, to))
			continue;
		const char *text = fb_view_text(view, from);
		if (text)
			(void)fb_want_owned_file(plan, to, text, st.mode, owner->uid, owner->gid,
						 "first files of a home");
	}
	plan_keys(plan, home, owner->uid, owner->gid, &user->keys);
}

static void plan_sudo(struct fb_plan *plan, const struct fb_login *login, const struct owner *owner)
{
	static const char path[] = "/etc/sudoers.d/r4s";
	const struct fb_user *user = login->users.item;
	struct fb_buf buf = { .arena = plan->view->arena };
	for (size_t i = 0; i < login->users.n; i++)
		if (owner[i].is_known && fb_strs_has(&user[i].groups, "sudo") && !*user[i].password_hash)
			fb_buf_add(&buf, "%s%s ALL=(ALL:ALL) NOPASSWD: ALL\n", buf.len ? "" : header, user[i].head.title);
	if (buf.len)
		(void)fb_want_file(plan, path, fb_buf_text(&buf), 0440, "members of sudo who have no password to give");
	else
		(void)fb_want_absent(plan, path, "nobody uses sudo without a password");
}

static bool includes_drop_ins(const char *text)
{
	const char *line;
	size_t len;
	while (fb_text_next_line(&text, &line, &len)) {
		size_t indent = strspn(line, " \t");
		const char *found = strstr(line, "/etc/ssh/sshd_config.d/");
		if (!strncasecmp(line + indent, "include", strlen("include")) && found && found < line + len)
			return true;
	}
	return false;
}

static void plan_sshd(struct fb_plan *plan, const struct fb_login *login)
{
	bool root_password = login->ssh_password && *login->root_password_hash;
	const char *text = fb_format(plan->view->arena,
		"%s"
		"# Of several values for one setting sshd takes the first, and this file is read before the rest.\n"
		"PermitRootLogin %s\n"
		"PubkeyAuthentication yes\n"
		"PasswordAuthentication %s\n"
		"KbdInteractiveAuthentication no\n",
		header, root_password ? "yes" : "prohibit-password", login->ssh_password ? "yes" : "no");
	if (fb_want_file(plan, "/etc/ssh/sshd_config.d/05-r4s.conf", text, 0644, "who may log in by SSH"))
		fb_follow_up(plan, "ssh.service", FB_RELOAD, FB_QUIET, "new rules for logins by SSH");
	const char *main_text = fb_view_text(plan->view, "/etc/ssh/sshd_config");
	if (!main_text)
		fb_plan_note(plan, "no login by SSH: /etc/ssh/sshd_config is missing; is openssh-server installed?");
	else if (!includes_drop_ins(main_text))
		fb_plan_note(plan, "the rules for logins by SSH are not in force: /etc/ssh/sshd_config has no line "
			     "\"Include /etc/ssh/sshd_config.d/*.conf\"");
}

static void plan_accounts(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (!conf)
		return;
	const struct fb_login *login = &conf->value.login;
	const struct fb_user *user = login->users.item;
	struct owner *owner = fb_alloc(plan->view->arena, (login->users.n + 1) * sizeof(*owner));
	plan_files(plan, login, owner);
	plan_keys(plan, "/root", 0, 0, &login->root_keys);
	for (size_t i = 0; i < login->users.n; i++)
		if (owner[i].is_known)
			plan_home(plan, &user[i], &owner[i]);
	plan_sudo(plan, login, owner);
	plan_sshd(plan, login);
}

const struct fb_step fb_step_accounts = {
	.name = "accounts",
	.summary = "root, users, keys and the rules of the SSH server",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = check_accounts,
	.plan = plan_accounts,
	.probe = fb_accounts_probe,
};
