/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network: one manager for the ports, one resolver, and nothing left of those before them. */
#include <string.h>

#include "network.h"
#include "text.h"

#define UNIT_DIR "/etc/systemd/system/"

static const char *unit_file(struct fb_view *view, const char *unit)
{
	static const char *const dirs[] = { "/usr/lib/systemd/system", "/lib/systemd/system" };
	for (size_t i = 0; i < FB_ARRAY_LEN(dirs); i++) {
		const char *path = fb_format(view->arena, "%s/%s", dirs[i], unit);
		if (fb_view_exists(view, path))
			return path;
	}
	return NULL;
}

/* As systemctl enable does it; a link to another place that is there already is fine. */
static void plan_enabled(struct fb_plan *plan, const char *unit, const char *const targets[2])
{
	struct fb_view *view = plan->view;
	const char *file = unit_file(view, unit);
	const char *mask = fb_format(view->arena, UNIT_DIR "%s", unit);
	const char *old = fb_view_link(view, mask), *link[2];
	if (!file)
		return;
	if (old && !strcmp(old, "/dev/null"))
		fb_want_absent(plan, mask, "it is needed, but was masked");
	for (size_t i = 0; i < 2; i++) {
		link[i] = fb_format(view->arena, UNIT_DIR "%s.wants/%s", targets[i], unit);
		if (fb_view_exists(view, link[i]))
			return;
	}
	fb_want_link(plan, link[0], file, "it is needed, but was not enabled");
	if (fb_text_ends(unit, ".service"))
		fb_follow_up(plan, unit, FB_START, FB_LINK_DROP, "it was not enabled before");
}

/*
 * What must be on the disk before the boot that uses it, and so in the image: a unit that is
 * enabled or changed during the early stage is not started or changed in that boot. netplan enables
 * networkd only while its own files exist.
 */
void fb_network_plan_units(struct fb_plan *plan)
{
	static const struct {
		const char *unit, *targets[2];
	} table[] = {
		{ "systemd-networkd.service", { "multi-user.target", "multi-user.target" } },
		{ "systemd-networkd.socket", { "sockets.target", "sockets.target" } },
		/* Until systemd 253, and since. */
		{ "systemd-resolved.service", { "multi-user.target", "sysinit.target" } },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(table); i++)
		plan_enabled(plan, table[i].unit, table[i].targets);
	/* The .network files say which port counts (RequiredForOnline=). "-": no cable is no failure. */
	fb_want_file(plan, UNIT_DIR "systemd-networkd-wait-online.service.d/r4s.conf",
		     "# Written by r4s-firstboot: an unplugged port holds up what waits for the network for 10 s at most.\n"
		     "[Service]\n"
		     "ExecStart=\n"
		     "ExecStart=-/usr/lib/systemd/systemd-networkd-wait-online --any --timeout=10\n",
		     0644, "an unplugged port must not hold up the boot");
}

/* What Armbian's images and its first login configure the ports with. */
bool fb_network_plan_netplan(struct fb_plan *plan)
{
	static const char *const names[] = {
		"00-default-use-network-manager.yaml",
		"10-dhcp-all-interfaces.yaml",
		"20-eth-fixed-mac.yaml",
		"30-ethernets-static.yaml",
	};
	struct fb_view *view = plan->view;
	struct fb_strs kept, made;
	size_t n_ours = 0;
	bool is_changed = false;
	fb_view_list(view, "/etc/netplan", &kept);
	for (size_t i = 0; i < FB_ARRAY_LEN(names); i++) {
		n_ours += fb_strs_has(&kept, names[i]);
		fb_want_absent(plan, fb_format(view->arena, "/etc/netplan/%s", names[i]),
			       "it would configure the ports a second time");
	}
	/* What netplan made of them when this boot began. A file of somebody else keeps its share. */
	if (!view->facts->is_live || kept.n > n_ours ||
	    !fb_view_list(view, "/run/systemd/network", &made))
		return false;
	for (size_t i = 0; i < made.n; i++)
		if (fb_text_starts(made.item[i], "10-netplan-"))
			is_changed |= fb_want_absent(
				plan, fb_format(view->arena, "/run/systemd/network/%s", made.item[i]),
				"what netplan made in this boot goes with its source");
	return is_changed;
}

void fb_network_plan_managers(struct fb_plan *plan)
{
	static const struct {
		const char *unit;
		bool is_stopped;	/* not what would take the ports down */
	} table[] = {
		{ "NetworkManager.service", true }, { "NetworkManager-wait-online.service", false },
		{ "connman.service", true },	    { "dhcpcd.service", true },
		{ "networking.service", false },    { "ifup@.service", false },
	};
	for (size_t i = 0; i < FB_ARRAY_LEN(table); i++)
		if (unit_file(plan->view, table[i].unit) &&
		    fb_want_link(plan, fb_format(plan->view->arena, UNIT_DIR "%s", table[i].unit),
				 "/dev/null", "two managers of one port undo each other's work") &&
		    table[i].is_stopped)
			fb_follow_up(plan, table[i].unit, FB_STOP, FB_LINK_DROP,
				     "systemd-networkd has taken over");
}

static bool has_resolved(struct fb_view *view)
{
	return fb_view_exists(view, "/usr/lib/systemd/systemd-resolved") ||
	       fb_view_exists(view, "/lib/systemd/systemd-resolved");
}

void fb_network_plan_resolver(struct fb_plan *plan, const struct fb_port *port)
{
	struct fb_buf buf = { .arena = plan->view->arena };
	size_t n = 0;
	if (has_resolved(plan->view)) {
		fb_want_link(plan, "/etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf",
			     "systemd-resolved looks names up");
		return;
	}
	fb_buf_add(&buf, FB_NETWORK_HEAD);
	if (*port[FB_LAN].domain)
		fb_buf_add(&buf, "search %s\n", port[FB_LAN].domain);
	for (size_t role = 0; role < FB_N_PORTS; role++)
		for (size_t i = 0; i < port[role].dns.n; i++, n++)
			fb_buf_add(&buf, "nameserver %s\n", port[role].dns.item[i]);
	if (n)
		fb_want_file(plan, "/etc/resolv.conf", fb_buf_text(&buf), 0644,
			     "the name servers of provision.conf");
	else
		fb_plan_note(
			plan,
			"systemd-resolved is not installed, so the name servers that DHCP offers are not used; install it or set network.wan.dns");
}
