/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a run to the box, and the way back. The file has a line a step: "attr PATH VALUE" or "run WORD...". */
#include "undo.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "spawn.h"
#include "text.h"

enum { COMMAND_TIMEOUT_MS = 20000, FILE_MAX_BYTES = 64 << 10 };
static const char cpufreq[] = "/sys/devices/system/cpu/cpufreq";

/* The steps that stand in the file, and these more. */
static int write_down(struct bench_undo *undo, const char *lines, struct fb_error *err)
{
	struct fb_fs real;
	char *old = NULL;
	int rc = fb_fs_open(&real, "/", err);
	if (rc < 0)
		return rc;
	rc = fb_fs_read(&real, undo->arena, undo->file, FILE_MAX_BYTES, &old, NULL, err);
	fb_fs_close(&real);
	if (rc < 0 && rc != -ENOENT)
		return rc;
	if (old && strstr(old, lines))
		return 0;	/* turned off and on again: one way back is enough */
	return bench_write_file(undo->file, fb_format(undo->arena, "%s%s", old ? old : "", lines), err);
}

static const char *read_word(struct bench_undo *undo, const char *path)
{
	struct fb_error err;
	char *text;
	if (fb_fs_read(undo->fs, undo->arena, path, 4096, &text, NULL, &err) < 0)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

struct fb_strs bench_governors(struct fb_arena *arena, struct fb_fs *fs)
{
	struct bench_undo undo = { arena, fs, "" };
	struct fb_strs policies = { 0 }, governors = { 0 };
	struct fb_error err;
	(void)fb_fs_list(fs, arena, cpufreq, &policies, &err);	/* no cpufreq: no governor */
	if (!policies.n)
		return governors;
	const char *at = read_word(&undo, fb_format(arena, "%s/%s/scaling_available_governors", cpufreq, policies.item[0]));
	for (const char *word; at && (word = fb_text_next_word(arena, &at));)
		fb_strs_add(arena, &governors, word);
	return governors;
}

int bench_undo_governor(struct bench_undo *undo, const char *governor, struct fb_error *err)
{
	struct fb_strs policies = { 0 }, has = bench_governors(undo->arena, undo->fs);
	struct fb_buf lines = { .arena = undo->arena };
	if (!has.n)
		return fb_fail(err, ENOENT, "governor %s: this machine has no CPU frequency control", governor);
	if (!fb_strs_has(&has, governor))
		return fb_fail(err, EINVAL, "governor %s: the kernel has only: %s", governor,
			       fb_text_join(undo->arena, &has, " "));
	int rc = fb_fs_list(undo->fs, undo->arena, cpufreq, &policies, err);
	for (size_t i = 0; rc == 0 && i < policies.n; i++) {
		const char *path = fb_format(undo->arena, "%s/%s/scaling_governor", cpufreq, policies.item[i]);
		const char *old = read_word(undo, path);
		if (old)
			fb_buf_add(&lines, "attr %s %s\n", path, old);
	}
	if (rc == 0)
		rc = write_down(undo, fb_buf_text(&lines), err);
	for (size_t i = 0; rc == 0 && i < policies.n; i++) {
		const char *path = fb_format(undo->arena, "%s/%s/scaling_governor", cpufreq, policies.item[i]);
		if (read_word(undo, path))
			rc = fb_fs_write_attr(undo->fs, path, governor, err);
	}
	return rc;
}

int bench_undo_run(struct bench_undo *undo, const struct fb_strs *words, struct fb_error *err)
{
	struct fb_strs argv = { 0 };
	for (size_t i = 0; i < words->n; i++)
		fb_strs_add(undo->arena, &argv, words->item[i]);
	fb_strs_add(undo->arena, &argv, NULL);
	return fb_spawn(undo->arena, argv.item, COMMAND_TIMEOUT_MS, NULL, err);
}

int bench_undo_command(struct bench_undo *undo, const struct fb_strs *off, const struct fb_strs *on,
		       struct fb_error *err)
{
	if (!off->n || !on->n)
		return fb_fail(err, ENOENT, "the configuration does not say how to turn the fast path off and on (fastpath-off, fastpath-on)");
	int rc = write_down(undo, fb_format(undo->arena, "run %s\n", fb_text_join(undo->arena, on, " ")), err);
	return rc < 0 ? rc : bench_undo_run(undo, off, err);
}

static int step_back(struct bench_undo *undo, const char *line, struct fb_error *err)
{
	struct fb_strs words = { 0 };
	const char *kind = fb_text_next_word(undo->arena, &line);
	for (const char *word; (word = fb_text_next_word(undo->arena, &line));)
		fb_strs_add(undo->arena, &words, word);
	if (kind && !strcmp(kind, "attr") && words.n == 2)
		return fb_fs_write_attr(undo->fs, words.item[0], words.item[1], err);
	if (kind && !strcmp(kind, "run") && words.n)
		return bench_undo_run(undo, &words, err);
	return fb_fail(err, EINVAL, "%s: not a way back: %s", undo->file, kind ? kind : "empty line");
}

int bench_undo_restore(struct bench_undo *undo, struct fb_error *err)
{
	struct fb_fs real;
	struct fb_strs lines = { 0 };
	char *text;
	const char *line;
	size_t len;
	int rc = fb_fs_open(&real, "/", err), failed = 0;
	if (rc < 0)
		return rc;
	rc = fb_fs_read(&real, undo->arena, undo->file, FILE_MAX_BYTES, &text, NULL, err);
	for (const char *at = text; rc == 0 && fb_text_next_line(&at, &line, &len);)
		fb_strs_add(undo->arena, &lines, fb_strndup(undo->arena, line, len));
	/* One step that fails (its device is gone) must not keep the others from being taken. */
	for (size_t i = lines.n; i-- > 0;) {
		int step = step_back(undo, lines.item[i], err);
		failed = step < 0 ? step : failed;
	}
	if (rc == 0)
		rc = fb_fs_remove(&real, undo->file, err);
	fb_fs_close(&real);
	return failed < 0 ? failed : rc == -ENOENT ? 0 : rc;
}
