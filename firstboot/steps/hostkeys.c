/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SSH host keys: whole, and of this box alone, before sshd first accepts. */
#include <string.h>

#include "hostkey.h"
#include "step.h"
#include "text.h"

static const char dir[] = "/etc/ssh";
static const char key_prefix[] = "ssh_host_";
enum { KEYGEN_LIMIT_MS = 120000 };	/* RSA searches for primes: long on a slow, emulated core */

/*
 * OWNERS: sshd can use it, but it does not bear the tag that we give to the keys of this box. It
 * was baked into the image and is known to all who have that image, or, on a box that is
 * provisioned, its owner put it there.
 */
enum state { BROKEN, OWNERS, OURS };

static const char *private_path(struct fb_view *view, const struct fb_hostkey_type *type)
{
	return fb_format(view->arena, "%s/%s%s_key", dir, key_prefix, type->name);
}

static const char *public_path(struct fb_view *view, const struct fb_hostkey_type *type)
{
	return fb_format(view->arena, "%s.pub", private_path(view, type));
}

static const char *tag(struct fb_view *view)
{
	return fb_format(view->arena, "r4s-firstboot@%s", view->facts->box_tag);
}

static enum state judge(struct fb_view *view, const struct fb_hostkey_type *type)
{
	struct fb_stat st;
	struct fb_hostkey private, public;
	const char *path = private_path(view, type);
	if (!fb_view_stat(view, path, &st) || st.type != FB_IS_FILE)
		return BROKEN;
	const char *text = fb_view_text(view, path);
	if (!text || strlen(text) != (size_t)st.size_bytes ||
	    !fb_hostkey_private(view->arena, type, text, &private))
		return BROKEN;
	text = fb_view_text(view, public_path(view, type));
	if (!text || !fb_hostkey_public(view->arena, type, text, &public) ||
	    !fb_hostkey_is_pair(&private, &public))
		return OWNERS;		/* sshd never reads the public file */
	return *view->facts->box_tag && !strcmp(public.comment, tag(view)) ? OURS : OWNERS;
}

static bool may_stay(const struct fb_view *view, enum state state)
{
	return state == OURS || (state == OWNERS && view->facts->is_provisioned);
}

static void plan_new_key(struct fb_plan *plan, const struct fb_hostkey_type *type, const char *why)
{
	struct fb_arena *arena = plan->view->arena;
	const char *name = fb_format(arena, "%s%s_key", key_prefix, type->name);
	const char *const words[] = {
		"/usr/bin/ssh-keygen", "-q", "-t", type->name, "-N", "", "-C", tag(plan->view), "-f",
		fb_format(arena, "@work@/%s", name), type->bits ? "-b" : NULL, type->bits, NULL,
	};
	const char **argv = fb_alloc(arena, sizeof(words));
	memcpy(argv, words, sizeof(words));
	const struct fb_product products[] = {
		{ .name = fb_format(arena, "%s.pub", name), .path = public_path(plan->view, type),
		  .mode = 0644 },
		/* Last: after a cut between the two, the old one still has both made again. */
		{ .name = name, .path = private_path(plan->view, type), .mode = 0600,
		  .is_secret = true },
	};
	struct fb_product *product = fb_alloc(arena, sizeof(products));
	memcpy(product, products, sizeof(products));
	const char *what = fb_format(arena, "make SSH host key %s", type->name);
	struct fb_change *change = fb_plan_exec(plan, FB_LIVE, what, argv, KEYGEN_LIMIT_MS, why);
	change->product = product;
	change->n_products = FB_ARRAY_LEN(products);
}

static void plan_image(struct fb_plan *plan)
{
	static const char why[] = "an image must not carry host keys: each box makes its own";
	struct fb_strs names;
	(void)fb_view_list(plan->view, dir, &names);		/* no such directory: no keys */
	for (size_t i = 0; i < names.n; i++) {
		const char *path = fb_format(plan->view->arena, "%s/%s", dir, names.item[i]);
		if (fb_text_starts(names.item[i], key_prefix))
			(void)fb_want_absent(plan, path, why);
	}
}

static void plan_hostkeys(struct fb_plan *plan, const struct fb_conf *conf)
{
	(void)conf;			/* no key of its own: every box of ours has host keys */
	struct fb_view *view = plan->view;
	const struct fb_facts *facts = view->facts;
	if (!facts->is_live) {
		if (!facts->is_provisioned)
			plan_image(plan);	/* else it is the card of a box: it keeps them */
		return;
	}
	if (!*facts->box_tag) {
		fb_plan_note(plan, "no SSH host keys: there is no machine-id to mark them with");
		return;
	}
	bool is_new = false;
	for (size_t i = 0; i < fb_hostkey_n_types; i++) {
		const struct fb_hostkey_type *type = &fb_hostkey_types[i];
		enum state state = judge(view, type);
		if (may_stay(view, state)) {
			const char *path = private_path(view, type), *text = fb_view_text(view, path);
			if (text)	/* as it is; only owner and mode can differ */
				(void)fb_want_secret(plan, path, text, 0600, 0, 0,
						     "root alone may read a host key");
			continue;
		}
		plan_new_key(plan, type, state == BROKEN ? "there is no whole one" :
				     "the one that came with the image is no secret");
		is_new = true;
	}
	if (is_new)
		fb_follow_up(plan, "ssh.service", FB_RESTART, FB_QUIET,
			     "sshd reads its host keys at start");
}

static void probe_hostkeys(struct fb_report *report, const struct fb_conf *conf)
{
	(void)conf;			/* see plan_hostkeys() */
	static const char wanted[] = "whole, of this box alone";
	struct fb_view *view = report->view;
	struct fb_buf measured = { .arena = view->arena };
	bool is_held = true;
	if (!view->facts->is_live) {
		fb_report_add(report, "ssh host keys", FB_UNMEASURED, wanted,
			      "not a running system");
		return;
	}
	static const char *const words[] = {
		[BROKEN] = "broken", [OWNERS] = "not made here", [OURS] = "whole",
	};
	for (size_t i = 0; i < fb_hostkey_n_types; i++) {
		enum state state = judge(view, &fb_hostkey_types[i]);
		is_held &= may_stay(view, state);
		fb_buf_add(&measured, "%s%s: %s", i ? ", " : "", fb_hostkey_types[i].name,
			   words[state]);
	}
	fb_report_add(report, "ssh host keys", is_held ? FB_HELD : FB_DIFFERS, wanted,
		      fb_buf_text(&measured));
}

const struct fb_step fb_step_hostkeys = {
	.name = "hostkeys", .summary = "SSH host keys",
	.plan = plan_hostkeys, .probe = probe_hostkeys,
};
