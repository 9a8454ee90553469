/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perform the changes of one plan, in order. */
#include "act.h"

#include <errno.h>
#include <string.h>
#include <syslog.h>

static const char work_dir[] = FB_RUN_DIR "/work";
enum { PRODUCT_MAX_BYTES = 1 << 20 };

static struct fb_file file_of(const struct fb_change *change)
{
	return (struct fb_file){ change->path, change->text, change->len, change->mode, change->uid, change->gid };
}

/* The file at i together with all files of its group. */
static int act_files(struct fb_engine *engine, const struct fb_plan *plan, size_t i, struct fb_error *err)
{
	struct fb_file *file = fb_alloc(engine->arena, plan->n * sizeof(*file));
	size_t n = 0;
	for (size_t k = i; k < plan->n; k++)
		if (plan->change[k].kind == FB_FILE &&
		    (k == i || (plan->change[i].group && plan->change[k].group == plan->change[i].group)))
			file[n++] = file_of(&plan->change[k]);
	return fb_fs_replace(&engine->fs, file, n, err);
}

/* Whether an earlier change of the plan has published this file with its group already. */
static bool is_published(const struct fb_plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (plan->change[i].group && plan->change[k].kind == FB_FILE && plan->change[k].group == plan->change[i].group)
			return true;
	return false;
}

static int clean_work(struct fb_engine *engine, struct fb_error *err)
{
	struct fb_strs names;
	int rc = fb_fs_list(&engine->fs, engine->arena, work_dir, &names, err);
	if (rc == -ENOENT)
		return 0;
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = fb_fs_remove(&engine->fs, fb_format(engine->arena, "%s/%s", work_dir, names.item[i]), err);
	return rc < 0 ? rc : fb_fs_remove(&engine->fs, work_dir, err);
}

static int collect(struct fb_engine *engine, const struct fb_change *change, struct fb_error *err)
{
	struct fb_file *file = fb_alloc(engine->arena, change->n_products * sizeof(*file));
	for (size_t i = 0; i < change->n_products; i++) {
		const struct fb_product *product = &change->product[i];
		char *text;
		size_t len;
		const char *path = fb_format(engine->arena, "%s/%s", work_dir, product->name);
		int rc = fb_fs_read(&engine->fs, engine->arena, path, PRODUCT_MAX_BYTES, &text, &len, err);
		if (rc == -ENOENT)
			return fb_fail(err, ENOENT, "%s: %s left no %s", change->path, change->argv[0], product->name);
		if (rc < 0)
			return rc;
		file[i] = (struct fb_file){ product->path, text, len, product->mode, 0, 0 };
	}
	return fb_fs_replace(&engine->fs, file, change->n_products, err);
}

static int act_exec(struct fb_engine *engine, const struct fb_change *change, struct fb_error *err)
{
	static const char token[] = "@work@";
	struct fb_strs argv = { 0 };
	int rc = change->n_products ? clean_work(engine, err) : 0;
	if (rc == 0 && change->n_products)
		rc = fb_fs_mkdir(&engine->fs, work_dir, 0700, 0, 0, err);
	for (const char *const *arg = change->argv; *arg; arg++) {
		bool is_work = !strncmp(*arg, token, strlen(token));
		fb_strs_add(engine->arena, &argv, is_work ? fb_format(engine->arena, "%s%s%s", engine->fs.root, work_dir,
								      *arg + strlen(token)) : *arg);
	}
	fb_strs_add(engine->arena, &argv, NULL);
	if (rc == 0)
		rc = engine->env->exec(engine->env, engine->arena, argv.item, change->timeout_ms, NULL, err);
	if (rc < 0 && change->is_retryable)
		rc = -EAGAIN;
	if (rc == 0 && change->n_products)
		rc = collect(engine, change, err);
	if (change->n_products) {
		struct fb_error clean_err;
		int clean_rc = clean_work(engine, &clean_err);
		if (rc == 0 && clean_rc < 0) {
			*err = clean_err;
			rc = clean_rc;
		}
	}
	return rc;
}

static int act_one(struct fb_engine *engine, const struct fb_plan *plan, size_t i, struct fb_error *err)
{
	const struct fb_change *change = &plan->change[i];
	struct fb_fs *fs = &engine->fs;
	switch (change->kind) {
	case FB_FILE:
		return is_published(plan, i) ? 0 : act_files(engine, plan, i, err);
	case FB_DIR:
		return fb_fs_mkdir(fs, change->path, change->mode, change->uid, change->gid, err);
	case FB_LINK:
		return fb_fs_symlink(fs, change->path, change->target, err);
	case FB_REMOVE:
		return fb_fs_remove(fs, change->path, err);
	case FB_MODE:
		return fb_fs_chmod(fs, change->path, change->mode, change->uid, change->gid, err);
	case FB_ATTR:
		return fb_fs_write_attr(fs, change->path, change->text, err);
	case FB_EXEC:
		return act_exec(engine, change, err);
	case FB_UNIT:
		return engine->env->unit(engine->env, change->path, change->verb, err);
	}
	return 0;
}

int fb_act(struct fb_engine *engine, const struct fb_step *step, const struct fb_plan *plan, const struct fb_facts *facts,
	   unsigned *ret_changes, struct fb_error *err)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct fb_change *change = &plan->change[i];
		if (!fb_change_is_possible(change, facts))
			continue;
		int rc = act_one(engine, plan, i, err);
		if (rc < 0)
			return rc;
		(*ret_changes)++;
		if (change->once) {
			fb_strs_add(engine->arena, &engine->state.once, change->once);
			rc = fb_state_save(&engine->fs, engine->arena, &engine->state, err);
			if (rc < 0)
				return rc;
		}
		engine->env->log(engine->env, LOG_INFO, fb_stage_name(engine->stage), step->name,
				 fb_format(engine->arena, "%s %s: %s", fb_kind_name(change->kind), change->path, change->why));
	}
	return 0;
}
