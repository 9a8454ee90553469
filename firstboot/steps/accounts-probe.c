/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the box says about its logins: the account files as they stand, and the rules that sshd itself reports. */
#include <string.h>

#include "accounts.h"
#include "passwd.h"
#include "sshkey.h"
#include "text.h"

static const char not_running[] = "not a running system";

/* measured is NULL where it could not be had. */
static void add_row(struct fb_report *report, const char *key, const char *wanted, const char *measured,
		    const char *why)
{
	if (!report->view->facts->is_live)
		fb_report_add(report, key, FB_UNMEASURED, wanted, not_running);
	else if (!measured)
		fb_report_add(report, key, FB_UNMEASURED, wanted, why);
	else
		fb_report_compare(report, key, wanted, measured);
}

/* A hash never shows: only what kind it is. */
static void add_hash_row(struct fb_report *report, const char *key, const char *hash, const char *in_shadow)
{
	const char *measured = "another password";
	if (!in_shadow)
		measured = "no account";
	else if (!*in_shadow)
		measured = "no password needed";
	else if (*in_shadow == '*' || *in_shadow == '!')
		measured = "locked";
	else if (*hash && !strcmp(in_shadow, hash))
		measured = "set";
	add_row(report, key, *hash ? "set" : "locked", measured, "");
}

static const char *brief_list(struct fb_arena *arena, const struct fb_strs *lines)
{
	struct fb_strs briefs = { 0 };
	for (size_t i = 0; i < lines->n; i++)
		fb_strs_add(arena, &briefs, fb_sshkey_brief(arena, lines->item[i]));
	return lines->n ? fb_text_join(arena, &briefs, ", ") : "none";
}

static void add_keys_row(struct fb_report *report, const char *key, const struct fb_strs *wanted, const char *home)
{
	struct fb_view *view = report->view;
	const char *wanted_text = brief_list(view->arena, wanted);
	const char *text = fb_view_text(view, fb_format(view->arena, "%s/.ssh/authorized_keys", home));
	const char *line;
	struct fb_strs found = { 0 };
	size_t len;
	for (const char *at = text ? text : ""; fb_text_next_line(&at, &line, &len);)
		if (len && *line != '#')
			fb_strs_add(view->arena, &found, fb_strndup(view->arena, line, len));
	enum fb_verdict verdict = found.n == wanted->n ? FB_HELD : FB_DIFFERS;
	for (size_t i = 0; verdict == FB_HELD && i < found.n; i++)
		if (strcmp(found.item[i], wanted->item[i]))
			verdict = FB_DIFFERS;
	if (!view->facts->is_live)
		fb_report_add(report, key, FB_UNMEASURED, wanted_text, not_running);
	else
		fb_report_add(report, key, verdict, wanted_text, brief_list(view->arena, &found));
}

/* The groups of a user in the order of provision.conf, then those it does not name. */
static const char *groups_of(struct fb_arena *arena, const char *group, const char *name, const struct fb_strs *wanted)
{
	struct fb_strs all, found = { 0 };
	fb_passwd_names(arena, group, &all);
	for (size_t i = 0; i < wanted->n; i++)
		if (fb_passwd_has_member(arena, group, wanted->item[i], name))
			fb_strs_add(arena, &found, wanted->item[i]);
	for (size_t i = 0; i < all.n; i++)
		if (!fb_strs_has(&found, all.item[i]) && fb_passwd_has_member(arena, group, all.item[i], name))
			fb_strs_add(arena, &found, all.item[i]);
	return found.n ? fb_text_join(arena, &found, ", ") : "none";
}

static void add_user_rows(struct fb_report *report, const struct fb_user *user, const struct fb_passwd_files *files)
{
	struct fb_arena *arena = report->view->arena;
	const char *name = user->head.title, *key = fb_format(arena, "login.user.%s", name);
	const char *home = fb_passwd_get(arena, files->passwd, name, FB_PW_HOME);
	const char *shell = fb_passwd_get(arena, files->passwd, name, FB_PW_SHELL);
	const char *wanted_home = fb_format(arena, "/home/%s", name);
	const char *wanted_groups = user->groups.n ? fb_text_join(arena, &user->groups, ", ") : "none";
	add_row(report, key, wanted_home, home ? home : "no account", "");
	add_keys_row(report, fb_format(arena, "%s.keys", key), &user->keys, wanted_home);
	add_hash_row(report, fb_format(arena, "%s.password-hash", key), user->password_hash,
		     fb_passwd_get(arena, files->shadow, name, FB_SP_HASH));
	add_row(report, fb_format(arena, "%s.groups", key), wanted_groups,
		groups_of(arena, files->group, name, &user->groups), "");
	add_row(report, fb_format(arena, "%s.shell", key), user->shell, shell ? shell : "no account", "");
}

/* Value of one line "name value" of what sshd prints. */
static const char *setting(struct fb_arena *arena, const char *text, const char *name)
{
	const char *line;
	size_t len, name_len = strlen(name);
	while (fb_text_next_line(&text, &line, &len))
		if (len > name_len && !strncmp(line, name, name_len) && line[name_len] == ' ')
			return fb_strndup(arena, line + name_len + 1, len - name_len - 1);
	return "";
}

static const char *sshd_rules(struct fb_arena *arena, bool takes_password, const char *root)
{
	if (!strcmp(root, "yes"))
		root = "keys and password";
	else if (!strcmp(root, "without-password") || !strcmp(root, "prohibit-password"))
		root = "keys only";
	return fb_format(arena, "%s (root: %s)", takes_password ? "true" : "false", root);
}

static void add_sshd_row(struct fb_report *report, const struct fb_login *login)
{
	static const char *const argv[] = { "/usr/sbin/sshd", "-T", NULL };
	struct fb_view *view = report->view;
	const char *root = login->ssh_password && *login->root_password_hash ? "yes" : "prohibit-password";
	const char *why = "", *measured = NULL;
	const char *text = view->facts->is_live ? fb_view_ask(view, argv, &why) : NULL;
	if (text) {
		bool takes_password = !strcmp(setting(view->arena, text, "passwordauthentication"), "yes") ||
				      !strcmp(setting(view->arena, text, "kbdinteractiveauthentication"), "yes");
		measured = sshd_rules(view->arena, takes_password, setting(view->arena, text, "permitrootlogin"));
	}
	add_row(report, "login.ssh-password", sshd_rules(view->arena, login->ssh_password, root), measured, why);
}

static const char *text_or_empty(struct fb_view *view, const char *path)
{
	const char *text = fb_view_text(view, path);
	return text ? text : "";
}

void fb_accounts_probe(struct fb_report *report, const struct fb_conf *conf)
{
	struct fb_view *view = report->view;
	const struct fb_login *login = &conf->value.login;
	const struct fb_user *user = login->users.item;
	struct fb_passwd_files files = {
		.passwd = text_or_empty(view, "/etc/passwd"), .shadow = text_or_empty(view, "/etc/shadow"),
		.group = text_or_empty(view, "/etc/group"),
	};
	add_keys_row(report, "login.root-keys", &login->root_keys, "/root");
	add_hash_row(report, "login.root-password-hash", login->root_password_hash,
		     fb_passwd_get(view->arena, files.shadow, "root", FB_SP_HASH));
	add_sshd_row(report, login);
	for (size_t i = 0; i < login->users.n; i++)
		add_user_rows(report, &user[i], &files);
}
