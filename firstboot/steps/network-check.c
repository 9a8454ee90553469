/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network: what makes a set of addresses impossible, found before anything is touched. */
#include <string.h>

#include "inet.h"
#include "network.h"
#include "valid.h"

static const char *const family_names[] = { "IPv4", "IPv6" };

static bool is_ipv6(const struct fb_inet *inet)
{
	return inet->bits == 128;
}

static const char *family_of(const struct fb_inet *inet)
{
	return family_names[is_ipv6(inet)];
}

/* What kind of address can never be a neighbour, a name server or our own; NULL if it can. */
static const char *odd_kind(struct fb_arena *arena, const struct fb_inet *inet)
{
	static const char *const names[] = {
		[FB_INET_UNSPECIFIED] = "an unspecified", [FB_INET_LOOPBACK] = "a loopback",
		[FB_INET_LINK_LOCAL] = "a link-local",	  [FB_INET_MULTICAST] = "a multicast",
		[FB_INET_RESERVED] = "a reserved",
	};
	enum fb_inet_kind kind = fb_inet_kind(inet);
	if (kind == FB_INET_UNICAST)
		return NULL;
	return fb_format(arena, "is %s address; allowed are ordinary (unicast) ones", names[kind]);
}

const char *fb_network_valid_address(struct fb_arena *arena, const char *value)
{
	struct fb_inet inet;
	const char *wrong = fb_valid_cidr(arena, value);
	if (wrong || !fb_inet_parse_prefix(value, &inet))
		return wrong;
	if (inet.prefix == 0)
		return "has prefix length 0, which is the whole Internet and not the network of one port";
	wrong = odd_kind(arena, &inet);
	if (wrong)
		return wrong;
	bool is_first = fb_inet_is_network(&inet);
	if (!is_first && !fb_inet_is_broadcast(&inet))
		return NULL;
	inet.byte[inet.bits / 8 - 1] ^= 1; /* the next address inside */
	return fb_format(arena, "is the %s address of its network; take one inside it, such as %s",
			 is_first ? "network" : "broadcast", fb_inet_format_prefix(arena, &inet));
}

const char *fb_network_valid_gateway(struct fb_arena *arena, const char *value)
{
	struct fb_inet inet;
	const char *wrong = fb_valid_address(arena, value);
	if (wrong || !fb_inet_parse(value, &inet))
		return wrong;
	if (is_ipv6(&inet) && fb_inet_kind(&inet) == FB_INET_LINK_LOCAL)
		return NULL; /* the usual way to name an IPv6 router */
	return odd_kind(arena, &inet);
}

const char *fb_network_valid_dns(struct fb_arena *arena, const char *value)
{
	struct fb_inet inet;
	const char *wrong = fb_valid_address(arena, value);
	if (wrong || !fb_inet_parse(value, &inet))
		return wrong;
	return odd_kind(arena, &inet);
}

/* One port while it is judged. */
struct judged {
	struct fb_conf *conf;
	enum fb_port_role role;
	const struct fb_port *port;
};

static const char *path_of(const struct judged *on, const char *name)
{
	return fb_format(on->conf->arena, "%s.%s", fb_port_key[on->role], name);
}

static bool parse_any(const char *text, struct fb_inet *ret_inet)
{
	return fb_inet_parse(text, ret_inet) || fb_inet_parse_prefix(text, ret_inet);
}

static void twice(const struct judged *on, const char *name, const struct fb_strs *values)
{
	struct fb_inet a, b;
	for (size_t i = 1; i < values->n; i++)
		for (size_t k = 0; k < i; k++)
			if (parse_any(values->item[i], &a) && parse_any(values->item[k], &b) &&
			    fb_inet_is_same(&a, &b)) {
				fb_conf_complain(on->conf, path_of(on, name), NULL, i,
						 "\"%s\" is there twice", values->item[i]);
				break;
			}
}

/* What static needs is missed at the word "static" itself, or at the list that was given empty. */
static void missing(const struct judged *on, const char *name, const char *what,
		    const char *example)
{
	const char *path = path_of(on, name);
	if (!fb_conf_is_set(on->conf, path, NULL))
		path = path_of(on, "method");
	fb_conf_complain(on->conf, path, NULL, 0,
			 "\"static\" needs %s: write %s = { \"%s\" } with your own", what, name,
			 example);
}

static void contradicts(const struct judged *on, const char *name, const struct fb_strs *values)
{
	const char *path = path_of(on, name);
	if (values->n && fb_conf_is_set(on->conf, path, NULL))
		fb_conf_complain(
			on->conf, path, NULL, 0,
			"contradicts method = \"dhcp\", which asks the network for it; take this line out or write method = \"static\"");
}

/* A gateway has to be a neighbour: somebody else in one of the port's own networks. */
static void neighbour(const struct judged *on, size_t index, const struct fb_inet *gateway)
{
	const struct fb_strs *addresses = &on->port->address;
	const char *path = path_of(on, "gateway"), *text = on->port->gateway.item[index];
	struct fb_buf networks = { .arena = on->conf->arena };
	bool is_inside = false;
	for (size_t i = 0; i < addresses->n; i++) {
		struct fb_inet own;
		if (!fb_inet_parse_prefix(addresses->item[i], &own) || own.bits != gateway->bits)
			continue;
		fb_buf_add(&networks, "%s%s", networks.len ? ", " : "", addresses->item[i]);
		if (fb_inet_is_same(&own, gateway)) {
			fb_conf_complain(on->conf, path, NULL, index,
					 "\"%s\" is the address of %s itself", text,
					 fb_port_name[on->role]);
			return;
		}
		struct fb_inet there = *gateway;
		there.prefix = own.prefix;
		if (fb_inet_contains(&own, gateway) &&
		    (fb_inet_is_network(&there) || fb_inet_is_broadcast(&there))) {
			fb_conf_complain(on->conf, path, NULL, index,
					 "\"%s\" is the %s address of the network of %s", text,
					 fb_inet_is_network(&there) ? "network" : "broadcast",
					 addresses->item[i]);
			return;
		}
		is_inside |= fb_inet_contains(&own, gateway) ||
			     fb_inet_kind(gateway) == FB_INET_LINK_LOCAL;
	}
	if (!networks.len)
		fb_conf_complain(on->conf, path, NULL, index,
				 "\"%s\" is an %s gateway, but the port has no %s address", text,
				 family_of(gateway), family_of(gateway));
	else if (!is_inside)
		fb_conf_complain(on->conf, path, NULL, index,
				 "\"%s\" is outside the network of %s; a gateway is a neighbour",
				 text, fb_buf_text(&networks));
}

static void check_gateways(const struct judged *on)
{
	const struct fb_strs *gateways = &on->port->gateway;
	bool has[2] = { false, false };
	for (size_t i = 0; i < gateways->n; i++) {
		struct fb_inet gateway;
		if (!fb_inet_parse(gateways->item[i], &gateway))
			continue;
		if (has[is_ipv6(&gateway)])
			fb_conf_complain(on->conf, path_of(on, "gateway"), NULL, i,
					 "\"%s\" is a second %s gateway; a port has one for each family",
					 gateways->item[i], family_of(&gateway));
		else
			neighbour(on, i, &gateway);
		has[is_ipv6(&gateway)] = true;
	}
}

static void check_port(const struct judged *on)
{
	enum fb_method method = fb_network_method(on->port);
	twice(on, "dns", &on->port->dns);
	if (method == FB_METHOD_DHCP) {
		contradicts(on, "address", &on->port->address);
		contradicts(on, "gateway", &on->port->gateway);
	}
	if (method != FB_METHOD_STATIC)
		return;
	twice(on, "address", &on->port->address);
	if (!on->port->address.n)
		missing(on, "address", "an address",
			on->role == FB_WAN ? "192.168.1.50/24" : "192.168.77.1/24");
	else
		check_gateways(on);
	if (on->role == FB_WAN && !on->port->gateway.n)
		missing(on, "gateway", "a gateway, the router that leads on", "192.168.1.1");
}

/* Two ports in one network, or two ways out of the same family. */
static void check_both(struct fb_conf *conf)
{
	const struct fb_port *wan = &conf->value.port[FB_WAN], *lan = &conf->value.port[FB_LAN];
	bool is_set = fb_conf_is_set(conf, "network.lan.address", NULL);
	struct fb_inet a, b;
	for (size_t w = 0; w < wan->address.n; w++)
		for (size_t l = 0; l < lan->address.n; l++) {
			const char *out = wan->address.item[w], *in = lan->address.item[l];
			if (!fb_inet_parse_prefix(out, &a) || !fb_inet_parse_prefix(in, &b) ||
			    !fb_inet_overlaps(&a, &b))
				continue;
			/* The default of LAN stands on no line: point at the other one. */
			fb_conf_complain(
				conf, is_set ? "network.lan.address" : "network.wan.address", NULL,
				is_set ? l : w,
				"\"%s\" overlaps network.%s.address \"%s\"; each port needs a network of its own",
				is_set ? in : out, is_set ? "wan" : "lan", is_set ? out : in);
		}
	for (size_t w = 0; w < wan->gateway.n; w++)
		for (size_t l = 0; l < lan->gateway.n; l++)
			if (fb_inet_parse(wan->gateway.item[w], &a) &&
			    fb_inet_parse(lan->gateway.item[l], &b) && a.bits == b.bits)
				fb_conf_complain(
					conf, "network.lan.gateway", NULL, l,
					"\"%s\" is a second %s gateway beside network.wan.gateway; name one of them",
					lan->gateway.item[l], family_of(&b));
}

void fb_network_check(struct fb_conf *conf)
{
	struct judged on[FB_N_PORTS];
	for (size_t i = 0; i < FB_N_PORTS; i++) {
		on[i] = (struct judged){ conf, (enum fb_port_role)i, &conf->value.port[i] };
		check_port(&on[i]);
	}
	const struct fb_port *wan = on[FB_WAN].port, *lan = on[FB_LAN].port;
	bool is_wan_static = fb_network_method(wan) == FB_METHOD_STATIC;
	bool is_lan_static = fb_network_method(lan) == FB_METHOD_STATIC;
	if (is_wan_static && is_lan_static)
		check_both(conf);
	if (is_wan_static && is_lan_static && !wan->dns.n && !lan->dns.n)
		missing(&on[FB_WAN], "dns", "a name server", "192.168.1.1");
}
