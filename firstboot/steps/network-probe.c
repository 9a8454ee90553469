/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network: what is really on the links, from the kernel, networkd and resolved. */
#include <string.h>

#include "inet.h"
#include "network.h"
#include "route.h"
#include "text.h"

/* One port while it is measured. */
struct measured {
	struct fb_report *report;
	struct fb_view *view;
	enum fb_port_role role;
	const struct fb_port *port;
	const struct fb_link *link; /* NULL: there is no such port */
	bool is_dhcp;
};

static const struct fb_link *link_named(const struct fb_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n_links; i++)
		if (!strcmp(facts->link[i].name, name))
			return &facts->link[i];
	return NULL;
}

static void add_row(const struct measured *on, const char *name, bool is_held, const char *wanted,
		    const char *found)
{
	const char *key = fb_format(on->view->arena, "%s.%s", fb_port_key[on->role], name);
	if (!on->view->facts->is_live)
		fb_report_add(on->report, key, FB_UNMEASURED, wanted, "not a running system");
	else
		fb_report_add(on->report, key, is_held ? FB_HELD : FB_DIFFERS, wanted, found);
}

/* Why something is absent. */
static const char *lack(const struct measured *on)
{
	if (!on->link)
		return "no such port";
	if (!on->link->has_carrier)
		return "no cable";
	return on->is_dhcp && !on->link->address.n ? "no lease yet" : "none";
}

static const char *canonical(struct fb_arena *arena, const char *text)
{
	struct fb_inet inet;
	if (fb_inet_parse_prefix(text, &inet))
		return fb_inet_format_prefix(arena, &inet);
	return fb_inet_parse(text, &inet) ? fb_inet_format(arena, &inet) : text;
}

/*
 * Held when all that is wanted is there. With nothing wanted, DHCP has to bring something and
 * static nothing, unless either is fine (is_free).
 */
static void compare(const struct measured *on, const char *name, const struct fb_strs *wanted,
		    const struct fb_strs *found, bool is_free)
{
	struct fb_arena *arena = on->view->arena;
	struct fb_strs there = { 0 };
	bool is_held = wanted->n || is_free || on->is_dhcp == (found->n > 0);
	for (size_t i = 0; i < found->n; i++)
		fb_strs_add(arena, &there, canonical(arena, found->item[i]));
	for (size_t i = 0; i < wanted->n; i++)
		is_held &= fb_strs_has(&there, canonical(arena, wanted->item[i]));
	const char *measured = is_held ? "none" : lack(on);
	if (found->n)
		measured = fb_text_join(arena, found, ", ");
	if (!is_held && found->n && on->link && !on->link->has_carrier)
		measured = fb_format(arena, "%s (no cable)", measured);
	const char *open = on->is_dhcp ? "from DHCP" : "none";
	add_row(on, name, is_held, wanted->n ? fb_text_join(arena, wanted, ", ") : open, measured);
}

/*
 * Whether networkd has a link on our file: its state files, one a link, are its only word on this.
 * The file names its port, so it cannot be the wrong link.
 */
static bool is_in_force(const struct measured *on)
{
	static const char dir[] = "/run/systemd/netif/links";
	struct fb_arena *arena = on->view->arena;
	const char *ours =
		fb_format(arena, "\nNETWORK_FILE=%s\n", fb_network_path(arena, on->role));
	struct fb_strs names;
	fb_view_list(on->view, dir, &names);
	for (size_t i = 0; i < names.n; i++) {
		const char *state =
			fb_view_text(on->view, fb_format(arena, "%s/%s", dir, names.item[i]));
		if (state && strstr(state, ours))
			return true;
	}
	return false;
}

static void probe_method(const struct measured *on)
{
	bool is_held = is_in_force(on);
	const char *wrong = !on->link ? lack(on) : "systemd-networkd does not use our file for the port";
	add_row(on, "method", is_held, on->port->method, is_held ? on->port->method : wrong);
}

/* A lease in the network of LAN makes both unreachable; only the running box can see it. */
static const char *clash(const struct measured *on)
{
	const struct fb_link *wan = link_named(on->view->facts, fb_port_name[FB_WAN]);
	struct fb_inet in, out;
	for (size_t i = 0; wan && i < wan->address.n; i++)
		for (size_t k = 0; k < on->port->address.n; k++)
			if (fb_inet_parse_prefix(wan->address.item[i], &out) &&
			    fb_inet_parse_prefix(on->port->address.item[k], &in) &&
			    fb_inet_overlaps(&in, &out))
				return fb_format(on->view->arena,
						 "overlaps %s on %s; choose another network for LAN",
						 wan->address.item[i], fb_port_name[FB_WAN]);
	return NULL;
}

/* An address that provision.conf does not name. IPv6 ones on WAN may come of advertisements. */
static const char *stranger(const struct measured *on)
{
	struct fb_arena *arena = on->view->arena;
	struct fb_strs wanted = { 0 };
	for (size_t i = 0; i < on->port->address.n; i++)
		fb_strs_add(arena, &wanted, canonical(arena, on->port->address.item[i]));
	for (size_t i = 0; on->link && i < on->link->address.n; i++) {
		const char *found = canonical(arena, on->link->address.item[i]);
		if (!fb_strs_has(&wanted, found) && (on->role == FB_LAN || !strchr(found, ':')))
			return fb_format(arena, "%s is there as well", found);
	}
	return NULL;
}

static void probe_address(const struct measured *on)
{
	static const struct fb_strs none;
	const char *wrong = on->role == FB_LAN && !on->is_dhcp ? clash(on) : NULL;
	if (!wrong && !on->is_dhcp)
		wrong = stranger(on);
	if (wrong)
		add_row(on, "address", false,
			fb_text_join(on->view->arena, &on->port->address, ", "), wrong);
	else /* the default of LAN's addresses is there with DHCP, too, and not meant then */
		compare(on, "address", on->is_dhcp ? &none : &on->port->address,
			on->link ? &on->link->address : &none, false);
}

static void probe_gateway(const struct measured *on)
{
	struct fb_strs found = fb_route_gateways(on->view->arena, fb_port_name[on->role],
						   fb_view_text(on->view, "/proc/net/route"),
						   fb_view_text(on->view, "/proc/net/ipv6_route"));
	/* A management port needs a lease, but no way out. */
	compare(on, "gateway", &on->port->gateway, &found,
		on->role == FB_LAN && on->link && on->link->address.n);
}

static void add_words(struct fb_arena *arena, struct fb_strs *words, const char *text)
{
	for (const char *word; (word = fb_text_next_word(arena, &text));)
		fb_strs_add(arena, words, word);
}

/* Of one link, from resolved: "Link 2 (wan0): 192.168.1.1". */
static bool ask_resolved(const struct measured *on, const char *verb, struct fb_strs *ret_words,
			 const char **ret_why)
{
	const char *argv[] = { "/usr/bin/resolvectl", verb, fb_port_name[on->role], NULL };
	const char *out = fb_view_ask(on->view, argv, ret_why);
	const char *start = out ? strstr(out, "): ") : NULL;
	char *text = fb_strdup(on->view->arena, start ? start + 3 : "");
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	add_words(on->view->arena, ret_words, text);
	return out != NULL;
}

/* Of all links, where the resolver has only a file. */
static void read_resolv_conf(const struct measured *on, const char *keyword, struct fb_strs *ret_words)
{
	struct fb_arena *arena = on->view->arena;
	const char *text = fb_view_text(on->view, "/etc/resolv.conf"), *line;
	size_t len;
	for (const char *at = text ? text : ""; fb_text_next_line(&at, &line, &len);) {
		const char *rest = fb_strndup(arena, line, len);
		const char *first = fb_text_next_word(arena, &rest);
		if (first && !strcmp(first, keyword))
			add_words(arena, ret_words, rest);
	}
}

static void probe_resolver(const struct measured *on, const char *name,
			   const struct fb_strs *wanted, const char *verb, const char *keyword)
{
	struct fb_strs found = { 0 };
	const char *target = fb_view_link(on->view, "/etc/resolv.conf"), *why;
	bool has_resolved = target && fb_text_ends(target, "/systemd/resolve/stub-resolv.conf");
	/* Advertisements may name servers on WAN beside static ones; a management port may get none. */
	bool is_free = on->is_dhcp == (on->role == FB_LAN);
	if (!has_resolved)
		read_resolv_conf(on, keyword, &found);
	if (has_resolved && on->link && on->view->facts->is_live &&
	    !ask_resolved(on, verb, &found, &why))
		add_row(on, name, false,
			wanted->n ? fb_text_join(on->view->arena, wanted, ", ") : "an answer", why);
	else
		compare(on, name, wanted, &found, is_free);
}

void fb_network_probe(struct fb_report *report, const struct fb_conf *conf)
{
	struct fb_arena *arena = report->view->arena;
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		const struct fb_port *port = &conf->value.port[i];
		struct fb_strs domain = { 0 };
		struct measured on = {
			.report = report,
			.view = report->view,
			.role = (enum fb_port_role)i,
			.port = port,
			.link = link_named(report->view->facts, fb_port_name[i]),
			.is_dhcp = fb_network_method(port) == FB_METHOD_DHCP,
		};
		probe_method(&on);
		probe_address(&on);
		probe_gateway(&on);
		probe_resolver(&on, "dns", &port->dns, "dns", "nameserver");
		if (on.role != FB_LAN)
			continue;
		if (*port->domain)
			fb_strs_add(arena, &domain, port->domain);
		on.is_dhcp = false; /* no domain is taken from DHCP */
		probe_resolver(&on, "domain", &domain, "domain", "search");
	}
}
