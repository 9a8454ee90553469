/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which provision.conf counts, and what becomes of the copy on the boot partition. */
#include "choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "step.h"

static const char told[] = "/boot/provision-error.txt";

/* A file named on the command line lies outside the root. */
static int read_outside(struct fb_arena *arena, const char *file, char **ret_text, size_t *ret_len, struct fb_error *err)
{
	FB_CLEANUP(fb_fs_close) struct fb_fs host = { .root_fd = -1 };
	char *full = realpath(file, NULL);
	if (!full)
		return fb_fail(err, errno == ENOENT ? EINVAL : errno, "%s: cannot be read: %s", file, strerror(errno));
	const char *path = fb_strdup(arena, full);
	free(full);
	int rc = fb_fs_open(&host, "/", err);
	return rc < 0 ? rc : fb_fs_read(&host, arena, path, FB_CONF_MAX_BYTES, ret_text, ret_len, err);
}

/* FAT loses power badly: a file of zeros, or of nothing on a box that holds its own, is as good as none. */
static bool is_lost(const char *text, size_t len)
{
	size_t zeros = 0;
	while (zeros < len && !text[zeros])
		zeros++;
	return zeros == len && len > 0;
}

static int read_in(struct fb_fs *fs, struct fb_arena *arena, const char *path, char **ret_text, size_t *ret_len,
		   struct fb_error *err)
{
	int rc = fb_fs_read(fs, arena, path, FB_CONF_MAX_BYTES, ret_text, ret_len, err);
	return rc == 0 && is_lost(*ret_text, *ret_len) ? -ENOENT : rc;
}

static void judge(struct fb_conf *conf, struct fb_arena *arena, const char *name, const char *text, size_t len)
{
	struct fb_keys *table;
	size_t n = fb_step_keys(arena, &table);
	fb_conf_parse(conf, arena, name, text, len, table, n, &conf->value);
	for (size_t i = 0; conf->is_read && i < fb_n_steps; i++)
		if (fb_steps[i]->check)
			fb_steps[i]->check(conf);
}

static struct fb_conf *held_conf(struct fb_fs *fs, struct fb_arena *arena)
{
	struct fb_error ignored;	/* what cannot be read is not held; whoever needs it is told that it is missing */
	char *text;
	size_t len;
	if (read_in(fs, arena, FB_CONF_HELD, &text, &len, &ignored) < 0)
		return NULL;
	struct fb_conf *held = fb_alloc(arena, sizeof(*held));
	judge(held, arena, FB_CONF_HELD, text, len);
	return held;
}

/* Judge a text whose secrets may say "kept". */
static void judge_kept(struct fb_conf *conf, struct fb_arena *arena, const char *name, const char *text, size_t len,
		       const struct fb_conf *held, bool is_alone)
{
	struct fb_keys *table;
	size_t n = fb_step_keys(arena, &table);
	judge(conf, arena, name, text, len);
	if (!conf->n_kept || (is_alone && !held))
		return;
	const char *whole = fb_kept_restore(arena, conf, held, table, n);
	judge(conf, arena, name, whole, strlen(whole));
	fb_conf_refuse_kept(conf);
}

int fb_conf_load(struct fb_fs *fs, struct fb_arena *arena, const char *file, bool is_alone, struct fb_conf *ret_conf,
		 struct fb_error *err)
{
	static const char *const usual[] = { FB_CONF_BOOT, FB_CONF_HELD };
	char *text;
	size_t len;
	const char *name = file;
	int rc = file ? read_outside(arena, file, &text, &len, err) : -ENOENT;
	for (size_t i = 0; !file && rc == -ENOENT && i < FB_ARRAY_LEN(usual); i++) {
		name = usual[i];
		rc = read_in(fs, arena, name, &text, &len, err);
	}
	if (rc < 0)
		return rc;
	judge_kept(ret_conf, arena, name, text, len, held_conf(fs, arena), is_alone);
	return 0;
}

static struct fb_conf *unreadable(struct fb_arena *arena, const char *name, const char *why)
{
	struct fb_conf *conf = fb_alloc(arena, sizeof(*conf));
	*conf = (struct fb_conf){ .arena = arena, .name = name, .n_complaints = 1 };
	conf->complaint = fb_alloc(arena, sizeof(*conf->complaint));
	conf->complaint->text = fb_strdup(arena, why);
	return conf;
}

/* Whether the text on the boot partition is what the box holds, with or without its secrets. */
static bool is_held(struct fb_arena *arena, const char *text, size_t len, const struct fb_conf *held)
{
	struct fb_keys *table;
	size_t n = fb_step_keys(arena, &table);
	if (len == held->len && !memcmp(text, held->text, len))
		return true;
	return held->is_read && !strcmp(text, fb_kept_hide(arena, held, table, n));
}

void fb_choose(struct fb_fs *fs, struct fb_arena *arena, const char *file, struct fb_choice *ret_choice)
{
	struct fb_error err;
	struct fb_conf *held = held_conf(fs, arena), *conf = fb_alloc(arena, sizeof(*conf));
	char *text;
	size_t len;
	bool is_good = held && !held->n_complaints;
	int rc = file ? read_outside(arena, file, &text, &len, &err) : read_in(fs, arena, FB_CONF_BOOT, &text, &len, &err);
	*ret_choice = (struct fb_choice){ .conf = is_good ? held : NULL };
	if (rc < 0 && rc != -ENOENT) {
		ret_choice->refused = unreadable(arena, file ? file : FB_CONF_BOOT, err.text);
		return;
	}
	if (rc == -ENOENT || (held && is_held(arena, text, len, held))) {
		ret_choice->refused = held && !is_good ? held : NULL;	/* a newer program may refuse what an older one took */
		return;
	}
	judge_kept(conf, arena, file ? file : FB_CONF_BOOT, text, len, held, false);
	if (conf->n_complaints) {
		ret_choice->refused = conf;
		return;
	}
	ret_choice->conf = conf;
	ret_choice->is_changed = !held || conf->len != held->len || memcmp(conf->text, held->text, conf->len);
}

int fb_boot_keep(struct fb_fs *fs, struct fb_arena *arena, struct fb_error *err)
{
	const struct fb_conf *held = held_conf(fs, arena);
	struct fb_stat st;
	struct fb_keys *table;
	char *text;
	size_t n = fb_step_keys(arena, &table);
	int rc = fb_fs_stat(fs, FB_CONF_BOOT, &st, err);
	if (rc < 0 || !held || !held->is_read)
		return rc == -ENOENT ? 0 : rc;
	const char *kept = fb_kept_hide(arena, held, table, n);
	struct fb_file copy = { .path = FB_CONF_BOOT, .text = kept, .len = strlen(kept), .mode = FB_FS_ANY_MODE };
	rc = fb_fs_read(fs, arena, FB_CONF_BOOT, FB_CONF_MAX_BYTES, &text, NULL, err);
	return rc < 0 || !strcmp(text, kept) ? rc : fb_fs_replace_secret(fs, &copy, err);
}

int fb_boot_tell(struct fb_fs *fs, struct fb_arena *arena, const struct fb_conf *refused, struct fb_error *err)
{
	struct fb_buf buf = { .arena = arena };
	struct fb_stat st;
	char *old;
	if (!refused)
		return fb_fs_stat(fs, told, &st, err) == 0 ? fb_fs_remove(fs, told, err) : 0;
	fb_buf_add(&buf, "provision.conf was refused. The box goes on with what it had. Mend these lines and power it on again:\n\n");
	for (size_t i = 0; i < refused->n_complaints; i++)
		fb_buf_add(&buf, "%s\n", fb_conf_message(refused, &refused->complaint[i]));
	struct fb_file file = { .path = told, .text = fb_buf_text(&buf), .len = buf.len, .mode = FB_FS_ANY_MODE };
	if (fb_fs_read(fs, arena, told, FB_CONF_MAX_BYTES, &old, NULL, err) == 0 && !strcmp(old, file.text))
		return 0;
	return fb_fs_replace(fs, &file, 1, err);
}
