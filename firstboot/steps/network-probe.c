/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network: what is really on the links, from the kernel, networkd and resolved. */
#include <stdlib.h>
#include <string.h>

#include "inet.h"
#include "network.h"
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
	add_row(on, name, is_held,
		wanted->n     ? fb_text_join(arena, wanted, ", ")
		: on->is_dhcp ? "from DHCP"
			      : "none",
		found->n  ? fb_text_join(arena, found, ", ")
		: is_held ? "none"
			  : lack(on));
}

/* What networkd says it does with the link. It has no other word on this than its own state file. */
static void probe_method(const struct measured *on)
{
	static const char key[] = "NETWORK_FILE=";
	struct fb_arena *arena = on->view->arena;
	const char *name = fb_port_name[on->role], *file = NULL, *line;
	const char *index =
		fb_view_text(on->view, fb_format(arena, "/sys/class/net/%s/ifindex", name));
	const char *state =
		index ? fb_view_text(on->view, fb_format(arena, "/run/systemd/netif/links/%ld",
							 strtol(index, NULL, 10)))
		      : NULL;
	size_t len;
	for (const char *at = state ? state : ""; fb_text_next_line(&at, &line, &len);)
		if (fb_text_starts(line, key))
			file = fb_strndup(arena, line + strlen(key), len - strlen(key));
	bool is_ours = file && !strcmp(file, fb_network_path(arena, on->role));
	add_row(on, "method", is_ours, on->port->method,
		is_ours	    ? on->port->method
		: !on->link ? lack(on)
		: file	    ? fb_format(arena, "%s is in force", file)
			    : "systemd-networkd does not manage the port");
}

/* A lease in the network of LAN makes both unreachable, and only the running box can see it. */
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

static void probe_address(const struct measured *on)
{
	static const struct fb_strs none;
	const char *overlap = on->role == FB_LAN && !on->is_dhcp ? clash(on) : NULL;
	if (overlap)
		add_row(on, "address", false,
			fb_text_join(on->view->arena, &on->port->address, ", "), overlap);
	else /* the default of LAN's addresses is there with DHCP, too, and not meant then */
		compare(on, "address", on->is_dhcp ? &none : &on->port->address,
			on->link ? &on->link->address : &none, false);
}

static struct fb_strs words_of(struct fb_arena *arena, const char *line)
{
	struct fb_strs words = { 0 };
	for (const char *word; (word = fb_text_next_word(arena, &line));)
		fb_strs_add(arena, &words, word);
	return words;
}

static void add_once(struct fb_arena *arena, struct fb_strs *strs, const char *text)
{
	if (!fb_strs_has(strs, text))
		fb_strs_add(arena, strs, text);
}

struct fb_strs fb_network_gateways(struct fb_arena *arena, const char *link, const char *route,
				   const char *ipv6_route)
{
	static const char any6[] = "00000000000000000000000000000000";
	struct fb_strs found = { 0 };
	const char *line;
	size_t len;
	for (const char *at = route ? route : ""; fb_text_next_line(&at, &line, &len);) {
		/* Iface Destination Gateway Flags RefCnt Use Metric Mask …; numbers as the CPU has them in memory */
		struct fb_strs word = words_of(arena, fb_strndup(arena, line, len));
		struct fb_inet gateway = { .bits = 32 };
		if (word.n < 8 || strcmp(word.item[0], link) || strcmp(word.item[1], "00000000") ||
		    strcmp(word.item[7], "00000000") || !strcmp(word.item[2], "00000000"))
			continue;
		uint32_t bits = (uint32_t)strtoul(word.item[2], NULL, 16);
		memcpy(gateway.byte, &bits, sizeof(bits));
		add_once(arena, &found, fb_inet_format(arena, &gateway));
	}
	for (const char *at = ipv6_route ? ipv6_route : ""; fb_text_next_line(&at, &line, &len);) {
		/* destination length source length next-hop metric refcnt use flags iface */
		struct fb_strs word = words_of(arena, fb_strndup(arena, line, len));
		struct fb_inet gateway = { .bits = 128 };
		if (word.n < 10 || strcmp(word.item[9], link) || strcmp(word.item[0], any6) ||
		    strcmp(word.item[1], "00") || strlen(word.item[4]) != strlen(any6) ||
		    !strcmp(word.item[4], any6))
			continue;
		for (size_t i = 0; i < sizeof(gateway.byte); i++)
			gateway.byte[i] = (unsigned char)strtoul(
				fb_strndup(arena, word.item[4] + 2 * i, 2), NULL, 16);
		add_once(arena, &found, fb_inet_format(arena, &gateway));
	}
	return found;
}

static void probe_gateway(const struct measured *on)
{
	struct fb_strs found = fb_network_gateways(on->view->arena, fb_port_name[on->role],
						   fb_view_text(on->view, "/proc/net/route"),
						   fb_view_text(on->view, "/proc/net/ipv6_route"));
	/* A management port needs a lease, but no way out. */
	compare(on, "gateway", &on->port->gateway, &found,
		on->role == FB_LAN && on->link && on->link->address.n);
}

/* What the resolver knows: resolved for one link ("Link 2 (wan0): 192.168.1.1"), a plain file for all of them. */
static bool ask_resolver(const struct measured *on, const char *verb, const char *keyword,
			 struct fb_strs *ret_words, const char **ret_why)
{
	struct fb_arena *arena = on->view->arena;
	const char *target = fb_view_link(on->view, "/etc/resolv.conf"), *line;
	struct fb_strs words = { 0 };
	size_t len;
	if (target && fb_text_ends(target, "/systemd/resolve/stub-resolv.conf")) {
		const char *argv[] = { "/usr/bin/resolvectl", verb, fb_port_name[on->role], NULL };
		const char *out = fb_view_ask(on->view, argv, ret_why);
		if (!out)
			return false;
		const char *start = strstr(out, "): ");
		char *text = fb_strdup(arena, start ? start + 3 : "");
		for (char *c = text; *c; c++)
			if (*c == '\n')
				*c = ' ';
		*ret_words = words_of(arena, text);
		return true;
	}
	const char *text = fb_view_text(on->view, "/etc/resolv.conf");
	for (const char *at = text ? text : ""; fb_text_next_line(&at, &line, &len);) {
		struct fb_strs word = words_of(arena, fb_strndup(arena, line, len));
		for (size_t i = 1; i < word.n && !strcmp(word.item[0], keyword); i++)
			fb_strs_add(arena, &words, word.item[i]);
	}
	*ret_words = words;
	return true;
}

static void probe_resolver(const struct measured *on, const char *name,
			   const struct fb_strs *wanted, const char *verb, const char *keyword)
{
	struct fb_strs found = { 0 };
	const char *why;
	/* Advertisements may name servers on WAN beside what is static; a management port may get none. */
	bool is_free = on->is_dhcp == (on->role == FB_LAN);
	if (on->link && on->view->facts->is_live && !ask_resolver(on, verb, keyword, &found, &why))
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
		probe_resolver(&on, "domain", &domain, "domain", "search");
	}
}
