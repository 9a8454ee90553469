/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network: systemd-networkd for both ports, and nothing else.
 *
 * networkd has no way to try a configuration out. What stands in for it: every value is judged
 * before anything is planned, the files are made from fixed lines that systemd 249 and later know,
 * both are staged before either is published, and what configured the ports before is taken away
 * only after that. An unaccepted provision.conf plans nothing here but the units below, so the old
 * network stays.
 */
#include "network.h"

#include <string.h>

#include "valid.h"

/* LAN is the spare way out: systemd.network(5) gives the routes of WAN 2048 at most. */
#define LAN_METRIC "4096"

static const char *const methods[] = { [FB_METHOD_DHCP] = "dhcp", [FB_METHOD_STATIC] = "static" };

enum fb_method fb_network_method(const struct fb_port *port)
{
	for (size_t i = FB_METHOD_DHCP; i < FB_ARRAY_LEN(methods); i++)
		if (port->method && !strcmp(port->method, methods[i]))
			return (enum fb_method)i;
	return FB_METHOD_NONE;
}

static const char *valid_method(struct fb_arena *arena, const char *value)
{
	return fb_valid_choice(arena, value, methods + FB_METHOD_DHCP,
			       FB_ARRAY_LEN(methods) - FB_METHOD_DHCP);
}

#define AT(role, field) offsetof(struct fb_config, port[role].field)
static const struct fb_key keys[] = {
	{ .path = "network.wan.method",
	  .type = FB_STR,
	  .offset = AT(FB_WAN, method),
	  .preset = "dhcp",
	  .valid = valid_method,
	  .range = "dhcp or static",
	  .doc = "How the WAN port gets its addresses: dhcp asks the network (IPv6 comes by router advertisement as well), static uses those written here." },
	{ .path = "network.wan.address",
	  .type = FB_LIST,
	  .offset = AT(FB_WAN, address),
	  .valid = fb_network_valid_address,
	  .range = "ADDRESS/PREFIX, IPv4 and IPv6",
	  .example = "{ \"192.168.1.50/24\" }",
	  .doc = "Addresses of the WAN port, only with method = \"static\"." },
	{ .path = "network.wan.gateway",
	  .type = FB_LIST,
	  .offset = AT(FB_WAN, gateway),
	  .valid = fb_network_valid_gateway,
	  .range = "addresses, one for each of IPv4 and IPv6",
	  .example = "{ \"192.168.1.1\" }",
	  .doc = "The router that leads to the Internet, only with method = \"static\". Without an IPv6 gateway the port still takes IPv6 from router advertisements." },
	{ .path = "network.wan.dns",
	  .type = FB_LIST,
	  .offset = AT(FB_WAN, dns),
	  .valid = fb_network_valid_dns,
	  .range = "addresses, IPv4 and IPv6",
	  .example = "{ \"192.168.1.1\" }",
	  .doc = "Name servers that this box asks. With method = \"dhcp\" they replace those that the network offers." },
	{ .path = "network.lan.method",
	  .type = FB_STR,
	  .offset = AT(FB_LAN, method),
	  .preset = "static",
	  .valid = valid_method,
	  .range = "dhcp or static",
	  .doc = "static makes the LAN port the router of its own network. dhcp makes it a management port in the network of somebody else; WAN stays the preferred way out." },
	{ .path = "network.lan.address",
	  .type = FB_LIST,
	  .offset = AT(FB_LAN, address),
	  .preset = "{ \"192.168.77.1/24\" }",
	  .valid = fb_network_valid_address,
	  .range = "ADDRESS/PREFIX, IPv4 and IPv6",
	  .doc = "Addresses of the LAN port, only with method = \"static\". They stay without a cable." },
	{ .path = "network.lan.gateway",
	  .type = FB_LIST,
	  .offset = AT(FB_LAN, gateway),
	  .valid = fb_network_valid_gateway,
	  .range = "addresses, one for each of IPv4 and IPv6",
	  .example = "{ \"192.168.77.254\" }",
	  .doc = "A spare way out over LAN, used while WAN has none. A router needs none here." },
	{ .path = "network.lan.dns",
	  .type = FB_LIST,
	  .offset = AT(FB_LAN, dns),
	  .valid = fb_network_valid_dns,
	  .range = "addresses, IPv4 and IPv6",
	  .example = "{ \"192.168.77.2\" }",
	  .doc = "Name servers in the LAN that this box asks beside those of WAN." },
	{ .path = "network.lan.domain",
	  .type = FB_STR,
	  .offset = AT(FB_LAN, domain),
	  .valid = fb_valid_domain,
	  .range = "a domain name",
	  .example = "home.arpa",
	  .doc = "Domain of the LAN, completed behind short names. home.arpa is reserved for homes (RFC 8375)." },
};

const char *fb_network_path(struct fb_arena *arena, enum fb_port_role role)
{
	return fb_format(arena, "/etc/systemd/network/05-%s.network", fb_port_name[role]);
}

static void add_each(struct fb_buf *buf, const char *name, const struct fb_strs *values)
{
	for (size_t i = 0; i < values->n; i++)
		fb_buf_add(buf, "%s=%s\n", name, values->item[i]);
}

static bool has_ipv6(const struct fb_strs *addresses)
{
	for (size_t i = 0; i < addresses->n; i++)
		if (strchr(addresses->item[i], ':'))
			return true;
	return false;
}

static void add_static(struct fb_buf *buf, enum fb_port_role role, const struct fb_port *port,
		       bool has_ra)
{
	add_each(buf, "Address", &port->address);
	if (role == FB_WAN)
		add_each(buf, "Gateway", &port->gateway);
	fb_buf_add(buf, "IPv6AcceptRA=%s\n", has_ra ? "yes" : "no");
	if (role == FB_LAN)
		fb_buf_add(buf, "LinkLocalAddressing=ipv6\nConfigureWithoutCarrier=yes\n");
	for (size_t i = 0; role == FB_LAN && i < port->gateway.n; i++)
		fb_buf_add(buf, "\n[Route]\nGateway=%s\nMetric=" LAN_METRIC "\n",
			   port->gateway.item[i]);
}

const char *fb_network_text(struct fb_arena *arena, enum fb_port_role role,
			    const struct fb_port *port)
{
	struct fb_buf buf = { .arena = arena };
	bool is_dhcp = fb_network_method(port) == FB_METHOD_DHCP;
	bool is_router = role == FB_LAN && !is_dhcp;
	/* Whoever names the IPv6 router of WAN has left no question to advertisements. */
	bool has_ra = is_dhcp || (role == FB_WAN && !has_ipv6(&port->gateway));
	const char *use_dns = port->dns.n ? "UseDNS=no\n" : "";
	const char *metric = role == FB_LAN ? "RouteMetric=" LAN_METRIC "\n" : "";
	fb_buf_add(&buf, FB_NETWORK_HEAD "[Match]\nName=%s\n\n", fb_port_name[role]);
	fb_buf_add(&buf, "[Link]\nRequiredForOnline=%s\n\n", is_router ? "no" : "routable");
	fb_buf_add(&buf, "[Network]\n");
	if (role == FB_WAN)
		fb_buf_add(&buf, "LLMNR=no\n"); /* host names are no business of the outside */
	add_each(&buf, "DNS", &port->dns);
	if (port->domain && *port->domain)
		fb_buf_add(&buf, "Domains=%s\n", port->domain);
	if (is_dhcp)
		fb_buf_add(&buf, "DHCP=yes\nIPv6AcceptRA=yes\n");
	else
		add_static(&buf, role, port, has_ra);
	/*
	 * The MAC lasts and is what people reserve addresses by; a DUID would change with every new
	 * image. The host name is that of provision.conf, whatever the network suggests.
	 */
	if (is_dhcp)
		fb_buf_add(&buf, "\n[DHCPv4]\nClientIdentifier=mac\nUseHostname=no\n%s%s", use_dns,
			   metric);
	if (has_ra && port->dns.n)
		fb_buf_add(&buf, "\n[DHCPv6]\n%s", use_dns);
	if (has_ra && (port->dns.n || *metric))
		fb_buf_add(&buf, "\n[IPv6AcceptRA]\n%s%s", use_dns, metric);
	return fb_buf_text(&buf);
}

static void plan_network(struct fb_plan *plan, const struct fb_conf *conf)
{
	bool is_changed = false;
	fb_network_plan_units(plan);
	if (!conf)
		return;
	fb_group_begin(plan);
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		enum fb_port_role role = (enum fb_port_role)i;
		is_changed |= fb_want_file(
			plan, fb_network_path(plan->view->arena, role),
			fb_network_text(plan->view->arena, role, &conf->value.port[i]), 0644,
			fb_format(plan->view->arena, "%s as provision.conf wants it", fb_port_name[i]));
	}
	fb_group_end(plan);
	fb_network_plan_resolver(plan, conf->value.port);
	is_changed |= fb_network_plan_netplan(plan);
	fb_network_plan_managers(plan);
	/* Not a restart: that leaves the old addresses beside the new ones (seen with systemd 252). */
	if (is_changed)
		fb_follow_up(plan, "systemd-networkd.service", FB_RELOAD, FB_LINK_DROP,
			     "the ports change to their new files");
}

const struct fb_step fb_step_network = {
	.name = "network",
	.summary = "addresses, routes and name servers of both ports",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = fb_network_check,
	.plan = plan_network,
	.probe = fb_network_probe,
};
