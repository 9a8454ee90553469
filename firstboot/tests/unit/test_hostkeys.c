/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which host keys stay and which are made anew. */
#include "box.h"
#include "samples.h"

extern const struct fb_step fb_step_hostkeys;

static void put(struct box *box, const char *name, const char *private, const char *public)
{
	box_put_bytes(box, fb_format(box->arena, "/etc/ssh/ssh_host_%s_key", name), private, strlen(private), 0600);
	box_put(box, fb_format(box->arena, "/etc/ssh/ssh_host_%s_key.pub", name), public);
}

/* A box whose keys are whole and bear the tag of another box, or its own. */
static void keys_open(struct box *box, const char *tag)
{
	box_open(box);
	box->facts.box_tag = tag;
	put(box, "ed25519", sample_ed25519, sample_ed25519_pub);
	put(box, "rsa", sample_rsa, sample_rsa_pub);
	put(box, "ecdsa", sample_ecdsa, sample_ecdsa_pub);
}

static const char *keygen(struct box *box, const char *type)
{
	return fb_format(box->arena, "run /usr/bin/ssh-keygen -q -t %s -N '' -C r4s-firstboot@%s -f @work@/ssh_host_%s_key%s\n",
			 type, box->facts.box_tag, type, strcmp(type, "rsa") ? "" : " -b 3072");
}

TEST(own_whole_keys_stay)
{
	struct box box;
	keys_open(&box, SAMPLE_TAG);
	CHECK_STR(box_plan_as(&box, &fb_step_hostkeys, NULL), "");
	CHECK_STR(box_probe(&box, &fb_step_hostkeys),
		  "held ssh host keys: whole, of this box alone | ed25519: whole, rsa: whole, ecdsa: whole\n");
	box_close(&box);
}

TEST(keys_of_the_image_are_replaced_and_sshd_told)
{
	struct box box;
	keys_open(&box, "fedcba9876543210");
	const char *plan = box_plan_as(&box, &fb_step_hostkeys, NULL);
	CHECK_STR(plan, fb_format(box.arena, "%s%s%sthen ssh.service\n", keygen(&box, "ed25519"), keygen(&box, "rsa"),
				  keygen(&box, "ecdsa")));
	const struct fb_change *change = &box.plan.change[1];
	CHECK_INT(change->when, FB_LIVE);
	CHECK_INT(change->n_products, 2);
	CHECK_STR(change->product[0].name, "ssh_host_rsa_key.pub");
	CHECK_STR(change->product[0].path, "/etc/ssh/ssh_host_rsa_key.pub");
	CHECK(change->product[0].mode == 0644 && !change->product[0].is_secret);
	CHECK_STR(change->product[1].name, "ssh_host_rsa_key");
	CHECK_STR(change->product[1].path, "/etc/ssh/ssh_host_rsa_key");
	CHECK(change->product[1].mode == 0600 && change->product[1].is_secret);
	CHECK(strstr(box_probe(&box, &fb_step_hostkeys), "differs ssh host keys:"));
	box_close(&box);
}

TEST(an_owner_may_bring_whole_keys_to_a_provisioned_box)
{
	struct box box;
	keys_open(&box, "fedcba9876543210");
	box.facts.is_provisioned = true;
	put(&box, "rsa", sample_pem, "");		/* of an old tool; sshd does not read the public file */
	CHECK_STR(box_plan(&box, &fb_step_hostkeys), "");
	CHECK_STR(box_probe(&box, &fb_step_hostkeys), "held ssh host keys: whole, of this box alone | "
		  "ed25519: not made here, rsa: not made here, ecdsa: not made here\n");
	box_close(&box);
}

TEST(a_broken_key_is_healed_whoever_made_it)
{
	static const struct {
		const char *name, *private, *public;
		bool is_provisioned;
	} rows[] = {
		{ "empty", "", "", false },
		{ "empty, provisioned", "", sample_ed25519_pub, true },
		{ "cut, provisioned", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn", sample_ed25519_pub, true },
		{ "another key's public part", sample_ed25519, sample_rsa_pub, false },
		{ "no public part", sample_ed25519, "", false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct box box;
		keys_open(&box, SAMPLE_TAG);
		box.facts.is_provisioned = rows[i].is_provisioned;
		put(&box, "ed25519", rows[i].private, rows[i].public);
		CHECK_STR(box_plan_as(&box, &fb_step_hostkeys, NULL),
			  fb_format(box.arena, "%sthen ssh.service\n", keygen(&box, "ed25519")));
		box_close(&box);
	}
}

TEST(zeroes_behind_a_whole_key_count_as_broken)
{
	struct box box;
	keys_open(&box, SAMPLE_TAG);
	box_put_bytes(&box, "/etc/ssh/ssh_host_ed25519_key", sample_ed25519, sizeof(sample_ed25519), 0600);
	CHECK_STR(box_plan(&box, &fb_step_hostkeys), fb_format(box.arena, "%sthen ssh.service\n", keygen(&box, "ed25519")));
	box_close(&box);
}

TEST(absent_keys_are_made)
{
	struct box box;
	box_open(&box);
	box.facts.box_tag = SAMPLE_TAG;
	(void)box_plan(&box, &fb_step_hostkeys);
	CHECK_INT(box.plan.n, 3);
	box_close(&box);
}

TEST(root_alone_may_read_a_key)
{
	struct box box;
	keys_open(&box, SAMPLE_TAG);
	box_put_bytes(&box, "/etc/ssh/ssh_host_rsa_key", sample_rsa, strlen(sample_rsa), 0640);
	(void)box_plan(&box, &fb_step_hostkeys);
	CHECK_INT(box.plan.n, 1);
	const struct fb_change *change = &box.plan.change[0];
	CHECK_STR(change->path, "/etc/ssh/ssh_host_rsa_key");
	CHECK(change->kind == FB_MODE && change->mode == 0600 && change->uid == 0 && change->gid == 0);
	box_close(&box);
}

TEST(without_a_machine_id_no_key_is_made)
{
	struct box box;
	box_open(&box);
	CHECK_STR(box_plan(&box, &fb_step_hostkeys),
		  "note no SSH host keys: there is no machine-id to mark them with\n");
	box_close(&box);
}

TEST(an_image_carries_no_host_keys)
{
	struct box box;
	keys_open(&box, SAMPLE_TAG);
	box_put(&box, "/etc/ssh/ssh_host_dsa_key", "old");
	box_put(&box, "/etc/ssh/sshd_config", "");
	box.facts = (struct fb_facts){ .box_tag = "" };
	CHECK_STR(box_plan_as(&box, &fb_step_hostkeys, NULL),
		  "remove /etc/ssh/ssh_host_dsa_key\n"
		  "remove /etc/ssh/ssh_host_ecdsa_key\nremove /etc/ssh/ssh_host_ecdsa_key.pub\n"
		  "remove /etc/ssh/ssh_host_ed25519_key\nremove /etc/ssh/ssh_host_ed25519_key.pub\n"
		  "remove /etc/ssh/ssh_host_rsa_key\nremove /etc/ssh/ssh_host_rsa_key.pub\n");
	box_act(&box);
	CHECK_STR(box_plan(&box, &fb_step_hostkeys), "");
	box_close(&box);
}

TEST(the_card_of_a_box_keeps_its_host_keys)
{
	struct box box;
	keys_open(&box, SAMPLE_TAG);
	box.facts = (struct fb_facts){ .box_tag = "", .is_provisioned = true };
	CHECK_STR(box_plan(&box, &fb_step_hostkeys), "");
	CHECK_STR(box_probe(&box, &fb_step_hostkeys),
		  "unmeasured ssh host keys: whole, of this box alone | not a running system\n");
	box_close(&box);
}

TEST_MAIN()
