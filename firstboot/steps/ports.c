/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and MAC addresses of the ports: .link files by hardware path, put in force at a boot. */
#include "ports.h"

#include <string.h>

enum { TOOL_LIMIT_MS = 15000 };		/* above the 10 s that settle gives itself */

#define MAC_KEY(role, where, which)								\
	{ .path = where, .type = FB_STR, .preset = "random", .valid = fb_valid_mac_choice,	\
	  .offset = offsetof(struct fb_config, port[role].mac),					\
	  .range = "random, board, keep or an address such as 02:00:00:00:00:01",		\
	  .doc = "MAC address of the " which " port. random: drawn once on this box and kept "	\
		 "for ever. board: from the EEPROM, else from the number of the SoC. keep: as "	\
		 "the kernel found it." }
static const struct fb_key keys[FB_N_PORTS] = {
	[FB_WAN] = MAC_KEY(FB_WAN, "network.wan.mac", "WAN"),
	[FB_LAN] = MAC_KEY(FB_LAN, "network.lan.mac", "LAN"),
};

static const char head[] =
	"# Written by r4s-firstboot from provision.conf; edit that file instead.\n";

static bool want_link_file(struct fb_plan *plan, enum fb_port_role role,
			   const struct fb_port_mac *mac)
{
	struct fb_view *view = plan->view;
	const char *id_path = view->board->port[role].id_path, *name = fb_port_name[role];
	struct fb_buf buf = { .arena = view->arena };
	fb_buf_add(&buf, "%s%s\n[Match]\n", head, fb_mac_source_line[mac->source]);
	fb_buf_add(&buf, *id_path ? "Path=%s\n" : "OriginalName=%s\n", *id_path ? id_path : name);
	fb_buf_add(&buf, "\n[Link]\nName=%s\nMACAddressPolicy=none\n", name);
	if (mac->has_mac)
		fb_buf_add(&buf, "MACAddress=%s\n", fb_mac_text(view->arena, mac->mac));
	return fb_want_file(plan, fb_ports_path(view, role), fb_buf_text(&buf), 0644,
			    "name and MAC of the port");
}

/* The link of a port, whatever it is called now. NULL: not in this box. */
static const struct fb_link *find(const struct fb_view *view, enum fb_port_role role)
{
	const char *id_path = view->board->port[role].id_path, *name = fb_port_name[role];
	for (size_t i = 0; i < view->facts->n_links; i++) {
		const struct fb_link *link = &view->facts->link[i];
		if (*id_path ? !strcmp(link->id_path, id_path) : !strcmp(link->name, name))
			return link;
	}
	return NULL;
}

static bool is_in_force(const struct fb_link *link, enum fb_port_role role,
			const struct fb_port_mac *mac)
{
	return !strcmp(link->name, fb_port_name[role]) &&
	       (!mac->has_mac || fb_mac_is_equal(link->mac, mac->mac));
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
	(void)fb_plan_exec(plan, FB_AT_BOOT, name, argv.item, TOOL_LIMIT_MS, why);
}

/*
 * Before the first packet. udev applies name and MAC only to a link that is down and only on an
 * "add" event; it reads a changed .link by itself, but not at once. Where there is no udev (a
 * container), the port bears its name already.
 */
static void put_in_force(struct fb_plan *plan, const struct fb_port_mac mac[FB_N_PORTS],
			 bool is_changed)
{
	static const char ip[] = "/usr/bin/ip", udevadm[] = "/usr/bin/udevadm";
	struct fb_view *view = plan->view;
	const char *by_udev[FB_N_PORTS];
	size_t n = 0;
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++) {
		const struct fb_link *link = find(view, role);
		if (!link || is_in_force(link, role, &mac[role]))
			continue;
		if (!*view->board->port[role].id_path) {
			run(plan, "set MAC", "the port has another MAC", ip, "link", "set", "dev",
			    link->name, "address", fb_mac_text(view->arena, mac[role].mac), NULL);
			continue;
		}
		by_udev[n++] = fb_format(view->arena, "/sys/class/net/%s", link->name);
		if (link->is_up)
			run(plan, "link down", "a link that is up keeps its name", ip, "link",
			    "set", "dev", link->name, "down", NULL);
	}
	if (n || (is_changed && fb_view_exists(view, "/run/udev/control")))
		run(plan, "reload udev", "udev has to read the .link files", udevadm, "control",
		    "--reload", NULL);
	for (size_t i = 0; i < n; i++)
		run(plan, "rename port", "the port has another name or MAC", udevadm, "trigger",
		    "--action=add", by_udev[i], NULL);
	if (n)
		run(plan, "wait for udev", "the new names are used next", udevadm, "settle",
		    "--timeout=10", NULL);
}

static void plan_ports(struct fb_plan *plan, const struct fb_conf *conf)
{
	struct fb_view *view = plan->view;
	if (!conf || !view->board)
		return;			/* nobody knows better: the ports stay as they are */
	const struct fb_facts *facts = view->facts;
	struct fb_port_mac mac[FB_N_PORTS];
	bool is_changed = false, is_due = false;
	fb_ports_decide(view, &conf->value, mac);
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++) {
		const struct fb_link *link = find(view, role);
		bool differs = want_link_file(plan, role, &mac[role]);
		is_changed |= differs;
		is_due |= differs && link && !is_in_force(link, role, &mac[role]);
		if (mac[role].source == FB_MAC_FALLBACK)
			fb_plan_note(plan, "%s.mac: neither EEPROM nor SoC number can be read; "
				     "the MAC is random and is kept", fb_port_key[role]);
	}
	if (facts->is_live && facts->stage == FB_STAGE_EARLY)
		put_in_force(plan, mac, is_changed);
	else if (facts->is_live && is_due)
		fb_follow_up(plan, NULL, FB_RESTART, FB_REBOOT,
			     "the name or MAC of a port changes at the next boot");
}

static void check_ports(struct fb_conf *conf)
{
	const char *lan = conf->value.port[FB_LAN].mac;
	unsigned char mac[FB_N_PORTS][FB_MAC_LEN];
	if (fb_mac_parse(conf->value.port[FB_WAN].mac, mac[FB_WAN]) &&
	    fb_mac_parse(lan, mac[FB_LAN]) && fb_mac_is_equal(mac[FB_WAN], mac[FB_LAN]))
		fb_conf_complain(conf, "network.lan.mac", NULL, 0,
				 "\"%s\" is the MAC of the WAN port too; give each its own", lan);
}

static void probe_port(struct fb_report *report, const char *choice, enum fb_port_role role,
		       const struct fb_port_mac *mac)
{
	struct fb_view *view = report->view;
	const struct fb_link *link = find(view, role);
	const char *key = fb_format(view->arena, "%s.mac", fb_port_key[role]);
	const char *wanted = fb_format(view->arena, "%s, on %s", choice, fb_port_name[role]);
	if (!view->facts->is_live) {
		fb_report_add(report, key, FB_UNMEASURED, wanted, "not a running system");
		return;
	}
	if (!link) {
		fb_report_add(report, key, FB_DIFFERS, wanted, "there is no such port in this box");
		return;
	}
	struct fb_port_mac old = fb_ports_recorded(view, role);
	bool is_settled = old.source == mac->source && old.has_mac == mac->has_mac &&
			  (!mac->has_mac || fb_mac_is_equal(old.mac, mac->mac));
	bool is_fallback = mac->source == FB_MAC_FALLBACK;
	if (is_settled && mac->has_mac && !is_fallback && mac->source != FB_MAC_GIVEN)
		wanted = fb_format(view->arena, "%s (%s), on %s",
				   fb_mac_text(view->arena, mac->mac), choice, fb_port_name[role]);
	bool is_held = is_settled && !is_fallback && is_in_force(link, role, mac);
	fb_report_add(report, key, is_held ? FB_HELD : FB_DIFFERS, wanted,
		      fb_format(view->arena, "%s, on %s%s", fb_mac_text(view->arena, link->mac),
				link->name,
				is_fallback ? ": random, as the board's own cannot be read" : ""));
}

static void probe_ports(struct fb_report *report, const struct fb_conf *conf)
{
	struct fb_port_mac mac[FB_N_PORTS];
	if (!report->view->board)
		return;			/* the engine reports the missing board data */
	fb_ports_decide(report->view, &conf->value, mac);
	for (enum fb_port_role role = 0; role < FB_N_PORTS; role++)
		probe_port(report, conf->value.port[role].mac, role, &mac[role]);
}

const struct fb_step fb_step_ports = {
	.name = "ports", .each_boot = true, .summary = "port names and MAC addresses",
	.keys = keys, .n_keys = FB_ARRAY_LEN(keys),
	.check = check_ports, .plan = plan_ports, .probe = probe_ports,
};
