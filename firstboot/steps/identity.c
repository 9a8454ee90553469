/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the box is: its name, its machine-id, and the number that the board carries. */
#include <ctype.h>
#include <string.h>

#include "hosts.h"
#include "step.h"
#include "valid.h"

static const char machine_id[] = "/etc/machine-id", dbus_id[] = "/var/lib/dbus/machine-id";
static const char kernel_hostname[] = "/proc/sys/kernel/hostname";
enum { ID_DIGITS = 32, ID_BYTES = 16 };

static const struct fb_key keys[] = {
	{ .path = "hostname", .type = FB_STR, .preset = "r4s-router",
	  .offset = offsetof(struct fb_config, hostname), .valid = fb_valid_hostname,
	  .range = "a host name of letters, digits, '-' and dots, at most 64 characters",
	  .doc = "The name of the box. It goes to /etc/hostname and /etc/hosts." },
};

static bool is_machine_id(const char *text)
{
	size_t n = 0, zeros = 0;
	for (; isxdigit((unsigned char)text[n]); n++)
		zeros += text[n] == '0';
	return n == ID_DIGITS && zeros < ID_DIGITS && (!text[n] || !strcmp(text + n, "\n"));
}

/* Random bytes as a version 4 UUID, which is what systemd writes. */
static const char *fresh_machine_id(struct fb_arena *arena, const unsigned char seed[ID_BYTES])
{
	struct fb_buf buf = { .arena = arena };
	for (size_t i = 0; i < ID_BYTES; i++) {
		unsigned byte = seed[i];
		if (i == 6)
			byte = (byte & 0x0f) | 0x40;
		if (i == 8)
			byte = (byte & 0x3f) | 0x80;
		fb_buf_add(&buf, "%02x", byte);
	}
	fb_buf_add(&buf, "\n");
	return fb_buf_text(&buf);
}

/*
 * While the root was read-only, PID 1 put the id on a tmpfs mount over the file. We run after
 * systemd-machine-id-commit.service has written it to the disk; where that failed, the id of this
 * boot is lost with the power.
 */
static bool is_in_memory(struct fb_view *view)
{
	const char *mounts = fb_view_text(view, "/proc/self/mountinfo");
	const char *mount = mounts ? strstr(mounts, " /etc/machine-id ") : NULL;
	const char *type = mount ? strstr(mount, " - tmpfs ") : NULL;
	return type && type < mount + strcspn(mount, "\n");
}

static void plan_machine_id(struct fb_plan *plan)
{
	static const char why[] = "an image must not carry a machine-id: each box makes its own";
	struct fb_view *view = plan->view;
	const struct fb_facts *facts = view->facts;
	struct fb_stat st;
	if (!facts->is_live) {
		if (facts->is_provisioned)
			return;		/* the card of a box, not an image to be copied */
		(void)fb_want_file(plan, machine_id, "", 0444, why);
		/* systemd takes a new id from here if it can; a link leads back to the above. */
		if (fb_view_stat(view, dbus_id, &st) && st.type == FB_IS_FILE)
			(void)fb_want_absent(plan, dbus_id, why);
		return;
	}
	const char *id = fb_view_text(view, machine_id);
	if (!id || !is_machine_id(id))
		(void)fb_want_file(plan, machine_id, fresh_machine_id(view->arena, facts->seed),
				   0444, "the box has no valid machine-id");
	else if (is_in_memory(view))
		fb_plan_note(plan, "the machine-id will be lost with the power, as "
			     "systemd-machine-id-commit.service has not written it to the disk");
}

/*
 * Where the device tree does not know the EEPROM, its driver is bound by hand; here, because the
 * next step reads the file. An absent chip leaves a device without a file, so this is tried once a
 * boot.
 */
static void plan_eeprom(struct fb_plan *plan, const struct fb_config *config)
{
	static const char *const settle[] = { "/usr/bin/udevadm", "settle", "--timeout=10", NULL };
	struct fb_view *view = plan->view;
	const struct fb_board *board = view->board;
	const char *slash = board ? strrchr(board->eeprom, '/') : NULL;
	bool is_wanted = !strcmp(config->port[FB_WAN].mac, "board") ||
			 !strcmp(config->port[FB_LAN].mac, "board");
	if (!is_wanted || !slash || !*board->eeprom_bind || !view->facts->is_live)
		return;
	size_t len = (size_t)(slash - board->eeprom);
	const char *device = fb_strndup(view->arena, board->eeprom, len);
	if (fb_view_exists(view, device) || !fb_view_exists(view, board->eeprom_bind))
		return;
	(void)fb_want_attr(plan, FB_LIVE, board->eeprom_bind, board->eeprom_bind_text,
			   "the EEPROM may hold the MAC");
	(void)fb_plan_exec(plan, FB_LIVE, "wait for the EEPROM", settle, 15000,
			   "udev loads the driver of the EEPROM");
}

static void plan_identity(struct fb_plan *plan, const struct fb_conf *conf)
{
	struct fb_view *view = plan->view;
	plan_machine_id(plan);
	if (!conf)
		return;
	const char *name = conf->value.hostname;
	const char *line = fb_format(view->arena, "%s\n", name);
	const char *hosts = fb_hosts_text(view->arena, fb_view_text(view, "/etc/hosts"), name);
	(void)fb_want_file(plan, "/etc/hostname", line, 0644, "hostname");
	(void)fb_want_file(plan, "/etc/hosts", hosts, 0644,
			   "the box finds its own name without DNS");
	if (view->facts->is_live)
		(void)fb_want_attr(plan, FB_LIVE, kernel_hostname, name, "hostname");
	plan_eeprom(plan, &conf->value);
}

static void probe_identity(struct fb_report *report, const struct fb_conf *conf)
{
	static const char id_key[] = "machine-id", id_wanted[] = "of this box alone, on disk";
	struct fb_view *view = report->view;
	const char *wanted = conf->value.hostname;
	if (!view->facts->is_live) {
		fb_report_add(report, "hostname", FB_UNMEASURED, wanted, "not a running system");
		fb_report_add(report, id_key, FB_UNMEASURED, id_wanted, "not a running system");
		return;
	}
	const char *name = fb_view_text(view, kernel_hostname);
	const char *id = fb_view_text(view, machine_id);
	fb_report_compare(report, "hostname", wanted,
			  name ? fb_strndup(view->arena, name, strcspn(name, "\n")) : "none");
	const char *measured = is_in_memory(view) ? "in memory only" : id_wanted;
	if (!id || !is_machine_id(id))
		measured = "none";
	fb_report_compare(report, id_key, id_wanted, measured);
}

const struct fb_step fb_step_identity = {
	.name = "identity", .summary = "host name and machine-id",
	.keys = keys, .n_keys = FB_ARRAY_LEN(keys),
	.plan = plan_identity, .probe = probe_identity,
};
