/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and MAC addresses of the ports: .link files, matched by hardware path, put in force at boot. */
#include <string.h>

#include "mac.h"
#include "step.h"

enum { SEED_AT = 16, SEED_STEP = 8 };	/* bytes of the seed; the machine-id takes the first 16 */

#define MAC_KEY(role, where, which) \
	{ .path = where, .type = FB_STR, .offset = offsetof(struct fb_config, port[role].mac), .preset = "random", \
	  .valid = fb_valid_mac_choice, .range = "random, board, keep or an address such as 02:00:00:00:00:01", \
	  .doc = "MAC address of the " which " port. random: drawn once on this box and kept for ever. board: from the " \
		 "EEPROM, else from the number of the SoC. keep: as the kernel found it." }
static const struct fb_key keys[FB_N_PORTS] = {
	[FB_WAN] = MAC_KEY(FB_WAN, "network.wan.mac", "WAN"),
	[FB_LAN] = MAC_KEY(FB_LAN, "network.lan.mac", "LAN"),
};

/* Where an address came from. It stands in the .link file, so that a later run knows what it may keep. */
enum source { FROM_NOWHERE, FROM_CONFIG, FROM_RANDOM, FROM_EEPROM, FROM_CPUID, FROM_FALLBACK, FROM_KERNEL };
static const char *const source_line[] = {
	[FROM_NOWHERE] = "# MACAddress: to be set at the first boot",
	[FROM_CONFIG] = "# MACAddress: given in provision.conf",
	[FROM_RANDOM] = "# MACAddress: random, drawn once on this box",
	[FROM_EEPROM] = "# MACAddress: from the EEPROM of the board",
	[FROM_CPUID] = "# MACAddress: from the number of the SoC",
	[FROM_FALLBACK] = "# MACAddress: random, because neither EEPROM nor number of the SoC could be read",
	[FROM_KERNEL] = "# MACAddress: as the kernel found it",
};

struct identity {
	enum source source;
	bool has_mac;
	unsigned char mac[FB_MAC_LEN];
};

static const char *link_path(struct fb_view *view, enum fb_port_role role)
{
	return fb_format(view->arena, "/etc/systemd/network/05-%s.link", fb_port_name[role]);
}

/* What our .link file says now. */
static struct identity recorded(struct fb_view *view, enum fb_port_role role)
{
	static const char key[] = "\nMACAddress=";
	struct identity id = { .source = FROM_NOWHERE };
	const char *text = fb_view_text(view, link_path(view, role));
	if (!text)
		return id;
	for (size_t i = 0; i < FB_ARRAY_LEN(source_line); i++)
		if (strstr(text, source_line[i]))
			id.source = (enum source)i;
	const char *value = strstr(text, key);
	if (value) {
		value += strlen(key);
		id.has_mac = fb_mac_parse(fb_strndup(view->arena, value, strcspn(value, "\n")), id.mac);
	}
	return id;
}

static bool from_board(struct fb_view *view, enum fb_port_role role, struct identity *ret_id)
{
	const struct fb_board *board = view->board;
	struct fb_error ignored;	/* a chip that does not answer is the same as none: the next source is asked */
	char *data;
	size_t len;
	if (*board->eeprom && fb_fs_read(view->fs, view->arena, board->eeprom, FB_FS_READ_MAX, &data, &len, &ignored) == 0 &&
	    fb_mac_from_eeprom((const unsigned char *)data, len, board->eeprom_offset, role, ret_id->mac)) {
		ret_id->source = FROM_EEPROM;
		ret_id->has_mac = true;
		return true;
	}
	if (*board->cpuid && fb_fs_read(view->fs, view->arena, board->cpuid, FB_FS_READ_MAX, &data, &len, &ignored) == 0 &&
	    fb_mac_from_cpuid((const unsigned char *)data, len, board->cpuid_offset, board->cpuid_len, role, ret_id->mac)) {
		ret_id->source = FROM_CPUID;
		ret_id->has_mac = true;
		return true;
	}
	return false;
}

static struct identity draw(struct fb_view *view, enum fb_port_role role, enum source source)
{
	struct identity id = { .source = FROM_NOWHERE };
	if (!view->facts->has_seed)
		return id;		/* an image: the box draws its own */
	id.source = source;
	id.has_mac = true;
	memcpy(id.mac, view->facts->seed + SEED_AT + SEED_STEP * role, FB_MAC_LEN);
	fb_mac_make_local(id.mac);
	return id;
}

/* Whether a recorded address may stay. taken: the other port's, or NULL. */
static bool may_stay(const struct identity *id, const unsigned char *taken)
{
	return id->has_mac && fb_mac_is_unicast(id->mac) && (!taken || !fb_mac_is_equal(id->mac, taken));
}

static struct identity decide(struct fb_view *view, const char *choice, enum fb_port_role role, const unsigned char *taken)
{
	struct identity id = { .source = FROM_CONFIG, .has_mac = true }, old = recorded(view, role);
	bool is_kept = may_stay(&old, taken);
	if (!strcmp(choice, "keep"))
		return (struct identity){ .source = FROM_KERNEL };
	if (!strcmp(choice, "random") && is_kept && fb_mac_is_local(old.mac)) {
		id = old;
		id.source = FROM_RANDOM;
	} else if (!strcmp(choice, "random")) {
		id = draw(view, role, FROM_RANDOM);
	} else if (!strcmp(choice, "board")) {
		if (is_kept && (old.source == FROM_EEPROM || old.source == FROM_CPUID))
			id = old;	/* kept although the card may be in another board now: an address does not change */
		else if (!view->facts->is_live || !from_board(view, role, &id))
			id = is_kept && old.source == FROM_FALLBACK ? old : draw(view, role, FROM_FALLBACK);
	} else {
		(void)fb_mac_parse(choice, id.mac);	/* fb_valid_mac_choice() has let it pass */
		return id;
	}
	if (id.has_mac && taken && fb_mac_is_equal(id.mac, taken))
		id.mac[FB_MAC_LEN - 1] ^= 0x01;
	return id;
}

/* An address in the file belongs to its port whatever the other one would like, so it is looked at first. */
static void decide_all(struct fb_view *view, const struct fb_config *config, struct identity ret_id[FB_N_PORTS])
{
	unsigned char lan[FB_MAC_LEN];
	bool is_lan_given = fb_mac_parse(config->port[FB_LAN].mac, lan);
	ret_id[FB_WAN] = decide(view, config->port[FB_WAN].mac, FB_WAN, is_lan_given ? lan : NULL);
	ret_id[FB_LAN] = decide(view, config->port[FB_LAN].mac, FB_LAN, ret_id[FB_WAN].has_mac ? ret_id[FB_WAN].mac : NULL);
}

static bool want_link(struct fb_plan *plan, enum fb_port_role role, const struct identity *id)
{
	struct fb_view *view = plan->view;
	const char *id_path = view->board->port[role].id_path, *name = fb_port_name[role];
	struct fb_buf buf = { .arena = view->arena };
	fb_buf_add(&buf, "# Written by r4s-firstboot from provision.conf; edit that file instead.\n%s\n", source_line[id->source]);
	fb_buf_add(&buf, "[Match]\n%s=%s\n\n", *id_path ? "Path" : "OriginalName", *id_path ? id_path : name);
	fb_buf_add(&buf, "[Link]\nName=%s\nMACAddressPolicy=none\n", name);
	if (id->has_mac)
		fb_buf_add(&buf, "MACAddress=%s\n", fb_mac_text(view->arena, id->mac));
	return fb_want_file(plan, link_path(view, role), fb_buf_text(&buf), 0644, "name and MAC of the port");
}

/* The link of a port, whatever it is called now. NULL: not in this box. */
static const struct fb_link *find(const struct fb_view *view, enum fb_port_role role)
{
	const char *id_path = view->board->port[role].id_path;
	for (size_t i = 0; i < view->facts->n_links; i++) {
		const struct fb_link *link = &view->facts->link[i];
		if (*id_path ? !strcmp(link->id_path, id_path) : !strcmp(link->name, fb_port_name[role]))
			return link;
	}
	return NULL;
}

static bool is_in_force(const struct fb_link *link, enum fb_port_role role, const struct identity *id)
{
	return !strcmp(link->name, fb_port_name[role]) && (!id->has_mac || fb_mac_is_equal(link->mac, id->mac));
}

/* A tool that runs only at boot. Its command line ends with NULL. */
static void run(struct fb_plan *plan, const char *name, const char *why, ...)
{
	struct fb_strs argv = { 0 };
	const char *word;
	va_list words;
	va_start(words, why);
	do {
		word = va_arg(words, const char *);
		fb_strs_add(plan->view->arena, &argv, word);
	} while (word);
	va_end(words);
	(void)fb_plan_exec(plan, FB_AT_BOOT, name, argv.item, 15000, why);
}

/*
 * Before the first packet. udev applies name and MAC only to a link that is down and only on an "add" event; it reads a
 * changed .link by itself, but not at once. Where there is no udev (a container), the port bears its name already.
 */
static void put_in_force(struct fb_plan *plan, const struct identity id[FB_N_PORTS], bool is_changed)
{
	struct fb_view *view = plan->view;
	const struct fb_link *by_udev[FB_N_PORTS];
	size_t n = 0;
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++) {
		const struct fb_link *link = find(view, role);
		if (!link || is_in_force(link, role, &id[role]))
			continue;
		if (*view->board->port[role].id_path)
			by_udev[n++] = link;
		else
			run(plan, "set MAC", "the port has another MAC", "/usr/bin/ip", "link", "set", "dev", link->name,
			    "address", fb_mac_text(view->arena, id[role].mac), NULL);
	}
	for (size_t i = 0; i < n; i++)
		if (by_udev[i]->is_up)
			run(plan, "link down", "a link that is up keeps its name", "/usr/bin/ip", "link", "set", "dev",
			    by_udev[i]->name, "down", NULL);
	if (n || (is_changed && fb_view_exists(view, "/run/udev/control")))
		run(plan, "reload udev", "udev has to read the .link files", "/usr/bin/udevadm", "control", "--reload", NULL);
	for (size_t i = 0; i < n; i++)
		run(plan, "rename port", "the port has another name or MAC", "/usr/bin/udevadm", "trigger", "--action=add",
		    fb_format(view->arena, "/sys/class/net/%s", by_udev[i]->name), NULL);
	if (n)
		run(plan, "wait for udev", "the new names are used next", "/usr/bin/udevadm", "settle", "--timeout=10", NULL);
}

static void plan_ports(struct fb_plan *plan, const struct fb_conf *conf)
{
	struct fb_view *view = plan->view;
	if (!conf || !view->board)
		return;			/* nobody knows better: the ports stay as they are */
	const struct fb_facts *facts = view->facts;
	struct identity id[FB_N_PORTS];
	bool is_changed = false, is_due = false;
	decide_all(view, &conf->value, id);
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++) {
		const struct fb_link *link = find(view, role);
		bool differs = want_link(plan, role, &id[role]);
		is_changed |= differs;
		is_due |= differs && link && !is_in_force(link, role, &id[role]);
		if (id[role].source == FROM_FALLBACK)
			fb_plan_note(plan, "%s.mac: neither an EEPROM nor the number of the SoC can be read; the MAC is random "
				     "and is kept", fb_port_key[role]);
	}
	if (facts->is_live && facts->stage == FB_STAGE_EARLY)
		put_in_force(plan, id, is_changed);
	else if (facts->is_live && is_due)
		fb_follow_up(plan, NULL, FB_RESTART, FB_REBOOT, "the name or MAC of a port changes at the next boot");
}

static void check_ports(struct fb_conf *conf)
{
	unsigned char wan[FB_MAC_LEN], lan[FB_MAC_LEN];
	if (fb_mac_parse(conf->value.port[FB_WAN].mac, wan) && fb_mac_parse(conf->value.port[FB_LAN].mac, lan) &&
	    fb_mac_is_equal(wan, lan))
		fb_conf_complain(conf, "network.lan.mac", NULL, 0, "\"%s\" is the MAC of the WAN port too; give each its own",
				 conf->value.port[FB_LAN].mac);
}

static void probe_port(struct fb_report *report, const char *choice, enum fb_port_role role, const struct identity *id)
{
	struct fb_view *view = report->view;
	const struct fb_link *link = find(view, role);
	struct identity old = recorded(view, role);
	bool is_settled = old.source == id->source && old.has_mac == id->has_mac &&
			  (!id->has_mac || fb_mac_is_equal(old.mac, id->mac));
	const char *key = fb_format(view->arena, "%s.mac", fb_port_key[role]), *name = fb_port_name[role];
	const char *wanted = is_settled && id->has_mac && id->source != FROM_CONFIG ?
		fb_format(view->arena, "%s (%s), on %s", fb_mac_text(view->arena, id->mac), choice, name) :
		fb_format(view->arena, "%s, on %s", choice, name);
	if (!view->facts->is_live) {
		fb_report_add(report, key, FB_UNMEASURED, wanted, "not a running system");
		return;
	}
	if (!link) {
		fb_report_add(report, key, FB_DIFFERS, wanted, "there is no such port in this box");
		return;
	}
	bool is_held = is_settled && id->source != FROM_FALLBACK && is_in_force(link, role, id);
	fb_report_add(report, key, is_held ? FB_HELD : FB_DIFFERS, wanted,
		      fb_format(view->arena, "%s, on %s%s", fb_mac_text(view->arena, link->mac), link->name,
				id->source == FROM_FALLBACK ? ": random, as the board's own cannot be read" : ""));
}

static void probe_ports(struct fb_report *report, const struct fb_conf *conf)
{
	struct identity id[FB_N_PORTS];
	if (!report->view->board)
		return;			/* the engine reports the missing board data */
	decide_all(report->view, &conf->value, id);
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++)
		probe_port(report, conf->value.port[role].mac, role, &id[role]);
}

const struct fb_step fb_step_ports = {
	.name = "ports", .summary = "port names and MAC addresses", .keys = keys, .n_keys = FB_ARRAY_LEN(keys),
	.check = check_ports, .plan = plan_ports, .probe = probe_ports,
};
