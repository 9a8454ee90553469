/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must never exist on a box of ours: a default password, an open console, a first-login prompt. */
#include <crypt.h>
#include <string.h>

#include "passwd.h"
#include "step.h"
#include "text.h"

static const char marker[] = "/root/.not_logged_in_yet";
static const char default_password[] = "1234";	/* ROOTPWD in Armbian's lib/functions/configuration/main-config.sh */

static bool is_locked(const char *hash)
{
	return *hash == '*' || *hash == '!';
}

/* Costs what the hash was made to cost (yescrypt: 30 ms of CPU on a PC), so ask only where nothing else tells. */
static bool is_default(struct fb_arena *arena, const char *hash)
{
	if (!*hash)
		return true;		/* no password at all is no better */
	if (is_locked(hash))
		return false;
	struct crypt_data *data = fb_alloc(arena, sizeof(*data));
	const char *made = crypt_r(default_password, hash, data);
	return made && !strcmp(made, hash);
}

/* With a config the accounts step has set what it says. Without one nobody has, until the box was provisioned once. */
static void plan_password(struct fb_plan *plan)
{
	static const char path[] = "/etc/shadow";
	struct fb_view *view = plan->view;
	struct fb_stat st;
	const char *text = fb_view_stat(view, path, &st) ? fb_view_text(view, path) : NULL;
	const char *hash = text ? fb_passwd_get(view->arena, text, "root", FB_SP_HASH) : NULL;
	if (hash && strlen(text) == (size_t)st.size_bytes && is_default(view->arena, hash))
		(void)fb_want_secret(plan, path, fb_passwd_set(view->arena, text, "root", FB_SP_HASH, "*"), st.mode,
				     st.uid, st.gid, "root has the default password");
}

static bool has_autologin(const char *text)
{
	const char *line;
	size_t len;
	while (fb_text_next_line(&text, &line, &len)) {
		const char *found = strstr(line, "--autologin");
		if (!strncmp(line, "ExecStart", strlen("ExecStart")) && found && found < line + len)
			return true;
	}
	return false;
}

static void add_if_autologin(struct fb_view *view, const char *path, struct fb_strs *paths)
{
	const char *target = fb_view_link(view, path);
	if (target && !strcmp(target, "/dev/null"))
		return;			/* a masked unit */
	const char *text = fb_view_text(view, path);
	if (text && has_autologin(text))
		fb_strs_add(view->arena, paths, path);
}

/* Units and drop-ins of any getty that log somebody in without asking. */
static struct fb_strs autologin_files(struct fb_view *view)
{
	static const char dir[] = "/etc/systemd/system";
	static const char *const gettys[] = { "getty@", "serial-getty@", "console-getty.", "container-getty@" };
	struct fb_strs names, inner, paths = { 0 };
	(void)fb_view_list(view, dir, &names);		/* absent: nothing in it */
	for (size_t i = 0; i < names.n; i++) {
		bool is_getty = false;
		for (size_t k = 0; k < FB_ARRAY_LEN(gettys); k++)
			is_getty |= fb_text_starts(names.item[i], gettys[k]);
		if (!is_getty)
			continue;
		const char *path = fb_format(view->arena, "%s/%s", dir, names.item[i]);
		if (fb_text_ends(path, ".service"))
			add_if_autologin(view, path, &paths);
		if (!fb_text_ends(path, ".service.d"))
			continue;
		(void)fb_view_list(view, path, &inner);		/* as above */
		for (size_t k = 0; k < inner.n; k++)
			if (fb_text_ends(inner.item[k], ".conf"))
				add_if_autologin(view, fb_format(view->arena, "%s/%s", path, inner.item[k]), &paths);
	}
	return paths;
}

/* Armbian's questions at the first login, and its host keys made behind a running sshd: all of that is done by us. */
static void plan_first_login(struct fb_plan *plan)
{
	static const char profile_dir[] = "/etc/profile.d", firstrun[] = "/etc/default/armbian-firstrun";
	struct fb_view *view = plan->view;
	struct fb_strs names;
	struct fb_stat st;
	(void)fb_want_absent(plan, marker, "the first login asks nothing");
	(void)fb_view_list(view, profile_dir, &names);	/* absent: nothing in it */
	for (size_t i = 0; i < names.n; i++)
		if (fb_text_starts(names.item[i], "armbian-check-first-"))
			(void)fb_want_absent(plan, fb_format(view->arena, "%s/%s", profile_dir, names.item[i]),
					     "the first login asks nothing");
	/* The file itself stays: armbian-firstrun.service does not start without it. */
	bool is_file = fb_view_stat(view, firstrun, &st) && st.type == FB_IS_FILE;
	const char *text = is_file ? fb_view_text(view, firstrun) : NULL;
	if (text)
		(void)fb_want_owned_file(plan, firstrun,
					 fb_text_set_var(view->arena, text, "OPENSSHD_REGENERATE_HOST_KEYS", "false"),
					 st.mode, st.uid, st.gid, "the host keys are made before sshd starts, once");
}

/* Armbian's image has the greeting switched off until the first login: switched on once, then it is the owner's. */
static void plan_motd(struct fb_plan *plan)
{
	static const char dir[] = "/etc/update-motd.d";
	struct fb_strs names;
	(void)fb_view_list(plan->view, dir, &names);	/* absent: nothing in it */
	for (size_t i = 0; i < names.n; i++)
		(void)fb_want_mode(plan, fb_format(plan->view->arena, "%s/%s", dir, names.item[i]), 0755,
				   "the greeting at a login, as the first login would have left it");
}

/*
 * A FAT boot partition that is damaged, or late, must not stop the boot: without nofail systemd waits for it and ends in
 * its emergency shell, which a box without a password cannot leave. FAT knows no owners, so the mask keeps others out.
 */
static void plan_boot_mount(struct fb_plan *plan)
{
	static const char path[] = "/etc/fstab", options[] = "defaults,nofail,umask=0077,x-systemd.device-timeout=10s";
	struct fb_view *view = plan->view;
	struct fb_buf buf = { .arena = view->arena };
	const char *line, *text;
	struct fb_stat st;
	size_t len;
	bool is_fat = false;
	if (!fb_view_stat(view, path, &st) || st.type != FB_IS_FILE || !(text = fb_view_text(view, path)))
		return;
	for (const char *at = text; fb_text_next_line(&at, &line, &len);) {
		const char *word[6], *words = fb_strndup(view->arena, line, len);
		size_t n = 0;
		while (n < FB_ARRAY_LEN(word) && (word[n] = fb_text_next_word(view->arena, &words)))
			n++;
		bool is_ours = n >= 4 && !strcmp(word[1], "/boot") && !strcmp(word[2], "vfat") && *word[0] != '#' &&
			       !strstr(word[3], "nofail");
		is_fat |= is_ours;
		if (is_ours)
			fb_buf_add(&buf, "%s /boot vfat %s %s %s\n", word[0], options, n > 4 ? word[4] : "0", n > 5 ? word[5] : "0");
		else
			fb_buf_add(&buf, "%.*s\n", (int)len, line);
	}
	if (is_fat)
		(void)fb_want_owned_file(plan, path, fb_buf_text(&buf), st.mode, st.uid, st.gid,
					 "a damaged boot partition must not stop the boot, and nobody but root reads it");
}

static void plan_closure(struct fb_plan *plan, const struct fb_conf *conf)
{
	struct fb_strs paths = autologin_files(plan->view);
	for (size_t i = 0; i < paths.n; i++)
		(void)fb_want_absent(plan, paths.item[i], "a console must not log anybody in by itself");
	if (!conf && !plan->view->facts->is_provisioned)
		plan_password(plan);
	plan_first_login(plan);
	plan_boot_mount(plan);
	if (!plan->view->facts->is_provisioned)
		plan_motd(plan);
	if (!conf)
		return;
	(void)fb_want_dir(plan, "/etc/r4s", 0755, 0, 0, "home of the built-in provision.conf");
	(void)fb_want_secret(plan, "/etc/r4s/provision.conf", conf->text, 0600, 0, 0,
			     "the box keeps what it runs, also without the boot partition");
}

static void probe_password(struct fb_report *report, const struct fb_conf *conf)
{
	struct fb_view *view = report->view;
	const char *text = fb_view_text(view, "/etc/shadow");
	const char *hash = text ? fb_passwd_get(view->arena, text, "root", FB_SP_HASH) : NULL;
	const char *wanted = conf->value.login.root_password_hash;
	bool is_known = hash && *hash && !strcmp(hash, wanted);		/* the owner's own choice needs no trial */
	const char *measured = "none";
	if (hash && !is_known && is_default(view->arena, hash))
		measured = *hash ? default_password : "root needs no password";
	fb_report_compare(report, "default password", "none", measured);
}

/* What systemd has loaded counts too: a drop-in that was removed after it was read is still in force. */
static void probe_autologin(struct fb_report *report)
{
	static const char *const argv[] = {
		"/usr/bin/systemctl", "show", "--property=ExecStart", "getty@*.service", "serial-getty@*.service",
		"console-getty.service", NULL
	};
	struct fb_view *view = report->view;
	struct fb_strs paths = autologin_files(view);
	const char *why, *loaded = fb_view_ask(view, argv, &why);
	if (!paths.n && !loaded)
		fb_report_add(report, "console autologin", FB_UNMEASURED, "none", why);
	else if (!paths.n && has_autologin(loaded))
		fb_report_compare(report, "console autologin", "none", "in force until the next boot");
	else
		fb_report_compare(report, "console autologin", "none",
				  paths.n ? fb_text_join(view->arena, &paths, ", ") : "none");
}

static void probe_closure(struct fb_report *report, const struct fb_conf *conf)
{
	static const char *const rows[] = { "default password", "console autologin", "first-login marker" };
	if (!report->view->facts->is_live) {
		for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
			fb_report_add(report, rows[i], FB_UNMEASURED, "none", "not a running system");
		return;
	}
	probe_password(report, conf);
	probe_autologin(report);
	fb_report_compare(report, "first-login marker", "none", fb_view_exists(report->view, marker) ? marker : "none");
}

const struct fb_step fb_step_closure = {
	.name = "closure",
	.summary = "no default password, no open console, no first-login prompt",
	.plan = plan_closure,
	.probe = probe_closure,
};
