/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The targets: what comes from a user, or from files that others wrote, and the promises that hold for any of it. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrony.h"
#include "dpkg.h"
#include "hostkey.h"
#include "hosts.h"
#include "passwd.h"
#include "release.h"
#include "sources.h"
#include "sshkey.h"
#include "step.h"
#include "text.h"

/* A promise that must also hold in a build without assertions. */
#define PROMISE(cond)								\
	do {									\
		if (!(cond)) {							\
			(void)fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #cond);	\
			abort();						\
		}								\
	} while (0)

static unsigned count_lines(const char *text, size_t len)
{
	unsigned n = 1;
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

/* Either a complaint on a line that exists, or values that no tool can trip over. */
static void conf(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_keys *table;
	struct fb_conf parsed = { 0 };
	const char *text = fb_strndup(arena, (const char *)data, len);
	size_t n = fb_step_keys(arena, &table);
	fb_conf_parse(&parsed, arena, "fuzz.conf", text, len, table, n, &parsed.value);
	for (size_t i = 0; parsed.n_complaints == 0 && i < fb_n_steps; i++)
		if (fb_steps[i]->check)
			fb_steps[i]->check(&parsed);
	for (size_t i = 0; i < parsed.n_complaints; i++) {
		PROMISE(parsed.complaint[i].line <= count_lines(text, len));
		PROMISE(i == 0 || parsed.complaint[i - 1].line <= parsed.complaint[i].line);
		PROMISE(*fb_conf_message(&parsed, &parsed.complaint[i]));
	}
	if (parsed.n_complaints == 0) {
		const struct fb_config *value = &parsed.value;
		const struct fb_user *user = value->login.users.item;
		PROMISE(len && !memchr(text, '\0', len));
		PROMISE(is_plain(value->hostname) && strlen(value->hostname) <= 64);
		PROMISE(value->login.root_keys.n || *value->login.root_password_hash || value->login.users.n);
		for (size_t i = 0; i < value->login.users.n; i++)
			PROMISE(is_plain(user[i].head.title) && !strchr(user[i].head.title, ':') &&
				!strchr(user[i].head.title, '/') && strcmp(user[i].head.title, "root"));
		for (size_t i = 0; i < FB_N_PORTS; i++)
			for (size_t k = 0; k < value->port[i].address.n; k++)
				PROMISE(fb_text_is_made_of(value->port[i].address.item[k], "0123456789abcdefABCDEF.:/"));
		for (size_t i = 0; i < value->time.ntp_servers.n; i++)
			PROMISE(!strpbrk(value->time.ntp_servers.item[i], " \t;#"));
	}
	fb_arena_free(arena);
}

/* Editing twice is editing once, and other people's lines stay. */
static void passwd(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_strdup(arena, fb_strndup(arena, (const char *)data, len));
	const char *groups[] = { "sudo", "video" };
	const struct fb_user user = {
		.head = { "taro" }, .password_hash = "$6$x$y", .shell = "/bin/bash", .groups = { groups, 2 },
	};
	struct fb_passwd_files files = { text, text, text, text }, again;
	uid_t uid, uid_again;
	gid_t gid, gid_again;
	if (!fb_passwd_put_user(arena, &files, &user, &uid, &gid)) {
		again = files;
		PROMISE(!fb_passwd_put_user(arena, &again, &user, &uid_again, &gid_again));
		PROMISE(uid == uid_again && gid == gid_again && uid >= 1000);
		PROMISE(!strcmp(files.passwd, again.passwd) && !strcmp(files.shadow, again.shadow));
		PROMISE(!strcmp(files.group, again.group) && !strcmp(files.gshadow, again.gshadow));
		PROMISE(!strcmp(fb_passwd_get(arena, files.shadow, "taro", FB_SP_HASH), "$6$x$y"));
	}
	const char *locked = fb_passwd_set(arena, text, "root", FB_SP_HASH, "*");
	const char *hash = fb_passwd_get(arena, locked, "root", FB_SP_HASH);
	PROMISE(!hash || !strcmp(hash, "*"));
	PROMISE(count_lines(locked, strlen(locked)) == count_lines(text, strlen(text)));
	PROMISE(!strcmp(fb_passwd_set(arena, locked, "root", FB_SP_HASH, "*"), locked));
	fb_arena_free(arena);
}

static void editors(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_strdup(arena, fb_strndup(arena, (const char *)data, len));
	const char *once = fb_hosts_text(arena, text, "box.home.arpa");
	PROMISE(strstr(once, "127.0.1.1\tbox.home.arpa box\n"));
	PROMISE(!strcmp(fb_hosts_text(arena, once, "box.home.arpa"), once));
	once = fb_chrony_conf(arena, text);
	PROMISE(!strcmp(fb_chrony_conf(arena, once), once));
	once = fb_text_set_var(arena, text, "KEY", "value");
	PROMISE(!strcmp(fb_text_set_var(arena, once, "KEY", "value"), once));
	PROMISE(strstr(once, "KEY=value"));
	fb_arena_free(arena);
}

/* What passes as a key is one line that sshd reads as one key. */
static void keys(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_strdup(arena, fb_strndup(arena, (const char *)data, len));
	if (!fb_sshkey_check(arena, text)) {
		PROMISE(!strchr(text, '\n') && fb_sshkey_is_same(arena, text, text));
		PROMISE(!strncmp(text, "ssh-", 4) || !strncmp(text, "ecdsa-", 6) || !strncmp(text, "sk-", 3));
	}
	for (size_t i = 0; i < fb_hostkey_n_types; i++) {
		struct fb_hostkey private, public;
		bool is_private = fb_hostkey_private(arena, &fb_hostkey_types[i], text, &private);
		bool is_public = fb_hostkey_public(arena, &fb_hostkey_types[i], text, &public);
		PROMISE(!(is_private && is_public));
	}
	unsigned char *bytes;
	size_t n;
	if (fb_base64_decode(arena, text, strlen(text), &bytes, &n) == 0)
		PROMISE(n <= strlen(text) / 4 * 3);
	fb_arena_free(arena);
}

/* The output of chronyc, which comes from names that others chose. */
static void sources(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_strdup(arena, fb_strndup(arena, (const char *)data, len));
	const char *names[] = { "ntp.nict.jp", "ntp.jst.mfeed.ad.jp" };
	const struct fb_strs wanted = { names, 2 };
	bool is_held = false;
	PROMISE(*fb_chrony_judge(arena, &wanted, text, &is_held));
	PROMISE(!is_held || (strcasestr(text, names[0]) && strcasestr(text, names[1])));
	fb_arena_free(arena);
}

/* Every address stands where the parser says; an edit leaves one in its place, and a second edit has nothing to do. */
static void apt_file(struct fb_arena *arena, const char *text, bool is_deb822)
{
	static const char *const to[FB_N_REPOS] = { [FB_REPO_DISTRO] = "https://m.example/debian" };
	const char *before = text;
	for (int round = 0; round < 2; round++) {
		struct fb_sources all = { 0 };
		(is_deb822 ? fb_sources_parse_deb822 : fb_sources_parse_list)(arena, &all, "f", text);
		for (size_t i = 0, at = 0; i < all.n; i++) {
			all.source[i].repo = FB_REPO_DISTRO;
			for (size_t k = 0; k < all.source[i].n_uris; k++) {
				const struct fb_uri *uri = &all.source[i].uri[k];
				PROMISE(uri->len && uri->at >= at && uri->at + uri->len <= strlen(text));
				PROMISE(!strncmp(text + uri->at, uri->text, uri->len) && strlen(uri->text) == uri->len);
				PROMISE(*fb_uri_list_name(arena, uri->text) != '/');
				at = uri->at + uri->len;
			}
		}
		before = text;
		text = all.n ? fb_sources_edit(arena, &all, "f", to) : text;
	}
	PROMISE(!strcmp(text, before));
}

/* What apt and dpkg write, and what a mirror sends. */
static void apt(const uint8_t *data, size_t len)
{
	struct fb_arena *arena = fb_arena_new();
	const char *text = fb_strdup(arena, fb_strndup(arena, (const char *)data, len));
	int64_t size = 0;
	apt_file(arena, text, true);
	apt_file(arena, text, false);
	(void)fb_release_date(arena, text);
	PROMISE(!fb_release_index(arena, text, "main", "arm64", &size) || size > 0);
	(void)fb_dpkg_is_interrupted(arena, text);
	PROMISE(!fb_dpkg_has(arena, text, "vim") || strstr(text, "vim"));
	PROMISE(!fb_dpkg_is_diverted(text, "/a", "/b") || strstr(text, "/a\n/b\n"));
	fb_arena_free(arena);
}

const struct fuzz_target fuzz_targets[] = {
	{ "conf", conf }, { "passwd", passwd }, { "editors", editors }, { "keys", keys }, { "sources", sources },
	{ "apt", apt },
};
const size_t fuzz_n_targets = FB_ARRAY_LEN(fuzz_targets);

const struct fuzz_target *fuzz_find(const char *name)
{
	for (size_t i = 0; i < fuzz_n_targets; i++)
		if (!strcmp(fuzz_targets[i].name, name))
			return &fuzz_targets[i];
	return NULL;
}
