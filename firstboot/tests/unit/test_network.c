/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The network step: which sets of addresses are refused and how, the files, the plan, and what the probe reads. */
#include "../../steps/network.h"

#include "box.h"

extern const struct fb_step fb_step_network;

/* Parse, judge each value, then all together; the messages, one a line. */
static const char *judged(struct fb_arena *arena, const char *text, struct fb_conf *conf)
{
	const struct fb_keys table = { fb_step_network.keys, fb_step_network.n_keys };
	struct fb_buf buf = { .arena = arena };
	fb_conf_parse(conf, arena, "p", text, strlen(text), &table, 1, &conf->value);
	fb_step_network.check(conf);
	for (size_t i = 0; i < conf->n_complaints; i++)
		fb_buf_add(&buf, "%s\n", fb_conf_message(conf, &conf->complaint[i]));
	return fb_buf_text(&buf);
}

#define WAN(rest) "network { wan {\nmethod = \"static\"\n" rest "\n} }\n"
#define LAN(rest) "network { lan {\n" rest "\n} }\n"

TEST(good_sets_pass)
{
	static const char *const texts[] = {
		"network { }\n",
		WAN("address = { \"192.168.1.50/24\" } gateway = { \"192.168.1.1\" } dns = { \"192.168.1.1\" }"),
		WAN("address = { \"192.168.1.50/24\", \"fd77:1::5/64\" } gateway = { \"192.168.1.1\", \"fd77:1::1\" } dns = { \"1.1.1.1\" }"),
		WAN("address = { \"192.0.2.2/31\" } gateway = { \"192.0.2.3\" } dns = { \"1.1.1.1\" }"),
		WAN("address = { \"fd77:1::5/64\" } gateway = { \"fe80::1\" } dns = { \"fd77:1::1\" }"),
		WAN("address = { \"192.168.1.50/24\", \"192.168.1.51/24\" } gateway = { \"192.168.1.1\" } dns = { \"1.1.1.1\" }"),
		"network { wan { method = \"dhcp\" dns = { \"1.1.1.1\", \"2001:db8::1\" } } }\n",
		LAN("method = \"dhcp\""),
		LAN("address = { \"10.0.0.1/8\", \"fd77::1/64\" } dns = { \"10.0.0.2\" } domain = \"home.arpa\""),
		LAN("gateway = { \"192.168.77.254\" }"),
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(texts); i++) {
		struct fb_conf conf;
		CHECK_STR(judged(arena, texts[i], &conf), "");
	}
	fb_arena_free(arena);
}

TEST(bad_values_are_named)
{
	static const struct {
		const char *key, *value, *want;
	} rows[] = {
		{ "method", "auto", "is not one of dhcp, static" },
		{ "address", "192.168.1.500/24", "is not ADDRESS/PREFIX, such as 192.168.1.50/24 or fd77::1/64" },
		{ "address", "192.168.1.50", "has no prefix length; write ADDRESS/PREFIX, such as 192.168.1.50/24" },
		{ "address", "192.168.1.0/24", "is the network address of its network; take one inside it, such as 192.168.1.1/24" },
		{ "address", "192.168.1.255/24", "is the broadcast address of its network; take one inside it, such as 192.168.1.254/24" },
		{ "address", "fd77::/64", "is the network address of its network; take one inside it, such as fd77::1/64" },
		{ "address", "127.0.0.2/8", "is a loopback address; allowed are ordinary (unicast) ones" },
		{ "address", "0.0.0.1/8", "is an unspecified address; allowed are ordinary (unicast) ones" },
		{ "address", "224.0.0.5/24", "is a multicast address; allowed are ordinary (unicast) ones" },
		{ "address", "fe80::1/64", "is a link-local address; allowed are ordinary (unicast) ones" },
		{ "address", "250.0.0.1/24", "is a reserved address; allowed are ordinary (unicast) ones" },
		{ "address", "10.0.0.1/0", "has prefix length 0, which is the whole Internet and not the network of one port" },
		{ "gateway", "192.168.1.1/24", "has a prefix length; write the address alone, such as 192.168.1.1" },
		{ "gateway", "router", "is not an IPv4 or IPv6 address, such as 192.168.1.1 or 2001:db8::1" },
		{ "gateway", "169.254.0.1", "is a link-local address; allowed are ordinary (unicast) ones" },
		{ "gateway", "::1", "is a loopback address; allowed are ordinary (unicast) ones" },
		{ "dns", "dns.google", "is not an IPv4 or IPv6 address, such as 192.168.1.1 or 2001:db8::1" },
		{ "dns", "127.0.0.53", "is a loopback address; allowed are ordinary (unicast) ones" },
		{ "dns", "fe80::1", "is a link-local address; allowed are ordinary (unicast) ones" },
		{ "domain", "home;reboot", "is not a domain name; allowed are letters, digits, '-', and dots between parts, such as home.arpa" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		bool is_list = strcmp(rows[i].key, "method") && strcmp(rows[i].key, "domain");
		struct fb_conf conf;
		const char *text = fb_format(arena, "network { lan {\n%s = %s\"%s\"%s\n} }\n", rows[i].key, is_list ? "{ " : "",
					     rows[i].value, is_list ? " }" : "");
		const char *got = judged(arena, text, &conf);
		CHECK_STR(fb_strndup(arena, got, strcspn(got, "\n")),	/* others may come of it */
			  fb_format(arena, "p:2: network.lan.%s: \"%s\" %s", rows[i].key, rows[i].value, rows[i].want));
	}
	fb_arena_free(arena);
}

TEST(incomplete_sets_are_refused)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ WAN(""),
		  "p:2: network.wan.method: \"static\" needs an address: write address = { \"192.168.1.50/24\" } with your own\n"
		  "p:2: network.wan.method: \"static\" needs a gateway, the router that leads on: write gateway = { \"192.168.1.1\" } with your own\n"
		  "p:2: network.wan.method: \"static\" needs a name server: write dns = { \"192.168.1.1\" } with your own\n" },
		{ WAN("address = { \"192.168.1.50/24\" } gateway = { \"192.168.1.1\" }"),
		  "p:2: network.wan.method: \"static\" needs a name server: write dns = { \"192.168.1.1\" } with your own\n" },
		{ WAN("address = { \"192.168.1.50/24\" }\ngateway = { }\ndns = { \"1.1.1.1\" }"),
		  "p:4: network.wan.gateway: \"static\" needs a gateway, the router that leads on: write gateway = { \"192.168.1.1\" } with your own\n" },
		{ LAN("address = { }"),
		  "p:2: network.lan.address: \"static\" needs an address: write address = { \"192.168.77.1/24\" } with your own\n" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_conf conf;
		CHECK_STR(judged(arena, rows[i].text, &conf), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(name_servers_may_come_from_lan)
{
	struct fb_arena *arena = fb_arena_new();
	struct fb_conf conf;
	CHECK_STR(judged(arena, "network { wan { method = \"static\" address = { \"192.168.1.5/24\" } gateway = { \"192.168.1.1\" } }\n"
				"lan { dns = { \"192.168.77.2\" } } }\n", &conf), "");
	CHECK_STR(judged(arena, "network { wan { method = \"static\" address = { \"192.168.1.5/24\" } gateway = { \"192.168.1.1\" } }\n"
				"lan { method = \"dhcp\" } }\n", &conf), "");
	fb_arena_free(arena);
}

TEST(contradictions_are_refused)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "network { wan {\naddress = { \"192.168.1.50/24\" }\ngateway = { \"192.168.1.1\" }\n} }\n",
		  "p:2: network.wan.address: contradicts method = \"dhcp\", which asks the network for it; take this line out or write method = \"static\"\n"
		  "p:3: network.wan.gateway: contradicts method = \"dhcp\", which asks the network for it; take this line out or write method = \"static\"\n" },
		{ LAN("method = \"dhcp\"\naddress = { \"192.168.77.1/24\" }"),
		  "p:3: network.lan.address: contradicts method = \"dhcp\", which asks the network for it; take this line out or write method = \"static\"\n" },
		{ LAN("address = { \"10.0.0.1/24\", \"fd77::1/64\",\n\"FD77:0::1/48\" }\ndns = { \"10.0.0.2\", \"10.0.0.2\" }"),
		  "p:3: network.lan.address: \"FD77:0::1/48\" is there twice\n"
		  "p:4: network.lan.dns: \"10.0.0.2\" is there twice\n" },
		{ "network { wan { method = \"static\" dns = { \"1.1.1.1\" } address = { \"192.168.1.50/24\" }\n"
		  "gateway = { \"192.168.1.1\",\n\"192.168.1.2\" } } }\n",
		  "p:3: network.wan.gateway: \"192.168.1.2\" is a second IPv4 gateway; a port has one for each family\n" },
		{ "network { wan { method = \"static\" dns = { \"1.1.1.1\" } address = { \"192.168.1.50/24\" } gateway = { \"192.168.1.1\" } }\n"
		  "lan { gateway = { \"192.168.77.254\" } } }\n",
		  "p:2: network.lan.gateway: \"192.168.77.254\" is a second IPv4 gateway beside network.wan.gateway; name one of them\n" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_conf conf;
		CHECK_STR(judged(arena, rows[i].text, &conf), rows[i].want);
	}
	fb_arena_free(arena);
}

TEST(a_gateway_is_a_neighbour)
{
	static const struct {
		const char *addresses, *gateway, *want;
	} rows[] = {
		{ "\"192.168.1.50/24\"", "192.168.2.1", "\"192.168.2.1\" is outside the network of 192.168.1.50/24; a gateway is a neighbour" },
		{ "\"192.168.1.50/24\", \"10.0.0.5/8\"", "172.16.0.1",
		  "\"172.16.0.1\" is outside the network of 192.168.1.50/24, 10.0.0.5/8; a gateway is a neighbour" },
		{ "\"192.168.1.50/24\"", "192.168.1.50", "\"192.168.1.50\" is the address of wan0 itself" },
		{ "\"192.168.1.50/24\"", "192.168.1.0", "\"192.168.1.0\" is the network address of the network of 192.168.1.50/24" },
		{ "\"192.168.1.50/24\"", "192.168.1.255", "\"192.168.1.255\" is the broadcast address of the network of 192.168.1.50/24" },
		{ "\"192.168.1.50/24\"", "fd77::1", "\"fd77::1\" is an IPv6 gateway, but the port has no IPv6 address" },
		{ "\"192.168.1.50/24\"", "fe80::1", "\"fe80::1\" is an IPv6 gateway, but the port has no IPv6 address" },
		{ "\"fd77::5/64\"", "192.168.1.1", "\"192.168.1.1\" is an IPv4 gateway, but the port has no IPv4 address" },
		{ "\"fd77::5/64\"", "fd78::1", "\"fd78::1\" is outside the network of fd77::5/64; a gateway is a neighbour" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		struct fb_conf conf;
		const char *text = fb_format(arena, WAN("dns = { \"1.1.1.1\" } address = { %s }\ngateway = { \"%s\" }"),
					     rows[i].addresses, rows[i].gateway);
		CHECK_STR(judged(arena, text, &conf), fb_format(arena, "p:4: network.wan.gateway: %s\n", rows[i].want));
	}
	fb_arena_free(arena);
}

TEST(ports_do_not_share_a_network)
{
	static const char wan[] = "network { wan { method = \"static\" dns = { \"1.1.1.1\" } gateway = { \"192.168.77.2\" }\n"
				  "address = { \"192.168.77.50/24\" } }\n%s }\n";
	struct fb_arena *arena = fb_arena_new();
	struct fb_conf conf;
	CHECK_STR(judged(arena, fb_format(arena, wan, ""), &conf),
		  "p:2: network.wan.address: \"192.168.77.50/24\" overlaps network.lan.address \"192.168.77.1/24\"; each port needs a network of its own\n");
	CHECK_STR(judged(arena, fb_format(arena, wan, "lan { address = { \"10.0.0.1/24\",\n\"192.168.1.1/16\" } }"), &conf),
		  "p:4: network.lan.address: \"192.168.1.1/16\" overlaps network.wan.address \"192.168.77.50/24\"; each port needs a network of its own\n");
	CHECK_STR(judged(arena, fb_format(arena, wan, "lan { address = { \"10.0.0.1/24\" } }"), &conf), "");
	CHECK_STR(judged(arena, fb_format(arena, wan, "lan { method = \"dhcp\" }"), &conf), "");
	fb_arena_free(arena);
}

static const char *file_of(struct fb_arena *arena, enum fb_port_role role, const char *text)
{
	struct fb_conf conf;
	CHECK_STR(judged(arena, text, &conf), "");
	return fb_network_text(arena, role, &conf.value.port[role]);
}

TEST(files_for_networkd)
{
	static const char head[] = "# Written by r4s-firstboot from provision.conf; edit that file instead.\n[Match]\n";
	static const struct {
		enum fb_port_role role;
		const char *text, *want;
	} rows[] = {
		{ FB_WAN, "network { }\n",
		  "Name=wan0\n\n[Link]\nRequiredForOnline=routable\n\n"
		  "[Network]\nLLMNR=no\nDHCP=yes\nIPv6AcceptRA=yes\n\n[DHCPv4]\nClientIdentifier=mac\nUseHostname=no\n" },
		{ FB_WAN, "network { wan { dns = { \"1.1.1.1\", \"2001:db8::1\" } } }\n",
		  "Name=wan0\n\n[Link]\nRequiredForOnline=routable\n\n"
		  "[Network]\nLLMNR=no\nDNS=1.1.1.1\nDNS=2001:db8::1\nDHCP=yes\nIPv6AcceptRA=yes\n\n"
		  "[DHCPv4]\nClientIdentifier=mac\nUseHostname=no\nUseDNS=no\n\n[DHCPv6]\nUseDNS=no\n\n[IPv6AcceptRA]\nUseDNS=no\n" },
		{ FB_WAN, WAN("address = { \"192.168.1.50/24\" } gateway = { \"192.168.1.1\" } dns = { \"192.168.1.1\" }"),
		  "Name=wan0\n\n[Link]\nRequiredForOnline=routable\n\n"
		  "[Network]\nLLMNR=no\nDNS=192.168.1.1\nAddress=192.168.1.50/24\nGateway=192.168.1.1\nIPv6AcceptRA=yes\n\n"
		  "[DHCPv6]\nUseDNS=no\n\n[IPv6AcceptRA]\nUseDNS=no\n" },
		{ FB_WAN, WAN("address = { \"192.168.1.50/24\", \"fd77:1::5/64\" } gateway = { \"192.168.1.1\", \"fe80::1\" } dns = { \"1.1.1.1\" }"),
		  "Name=wan0\n\n[Link]\nRequiredForOnline=routable\n\n"
		  "[Network]\nLLMNR=no\nDNS=1.1.1.1\nAddress=192.168.1.50/24\nAddress=fd77:1::5/64\nGateway=192.168.1.1\n"
		  "Gateway=fe80::1\nIPv6AcceptRA=no\n" },
		{ FB_LAN, "network { }\n",
		  "Name=lan0\n\n[Link]\nRequiredForOnline=no\n\n"
		  "[Network]\nAddress=192.168.77.1/24\nIPv6AcceptRA=no\nLinkLocalAddressing=ipv6\nConfigureWithoutCarrier=yes\n" },
		{ FB_LAN, LAN("address = { \"10.0.0.1/24\", \"fd77::1/64\" } gateway = { \"10.0.0.2\" } dns = { \"10.0.0.3\" } domain = \"home.arpa\""),
		  "Name=lan0\n\n[Link]\nRequiredForOnline=no\n\n"
		  "[Network]\nDNS=10.0.0.3\nDomains=home.arpa\nAddress=10.0.0.1/24\nAddress=fd77::1/64\nIPv6AcceptRA=no\n"
		  "LinkLocalAddressing=ipv6\nConfigureWithoutCarrier=yes\n\n[Route]\nGateway=10.0.0.2\nMetric=4096\n" },
		{ FB_LAN, LAN("method = \"dhcp\""),
		  "Name=lan0\n\n[Link]\nRequiredForOnline=routable\n\n"
		  "[Network]\nDHCP=yes\nIPv6AcceptRA=yes\n\n[DHCPv4]\nClientIdentifier=mac\nUseHostname=no\nRouteMetric=4096\n\n"
		  "[IPv6AcceptRA]\nRouteMetric=4096\n" },
	};
	struct fb_arena *arena = fb_arena_new();
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++)
		CHECK_STR(file_of(arena, rows[i].role, rows[i].text), fb_format(arena, "%s%s", head, rows[i].want));
	fb_arena_free(arena);
}

/* box_act() for files and links both. */
static void act(struct box *box)
{
	struct fb_error err;
	box_act(box);
	for (size_t i = 0; i < box->plan.n; i++)
		if (box->plan.change[i].kind == FB_LINK)
			CHECK_INT(fb_fs_symlink(&box->room->fs, box->plan.change[i].path, box->plan.change[i].target, &err), 0);
}

static void link_to(struct box *box, const char *path, const char *target)
{
	struct fb_error err;
	CHECK_INT(fb_fs_symlink(&box->room->fs, path, target, &err), 0);
}

#define ENABLE									\
	"link /etc/systemd/system/multi-user.target.wants/systemd-networkd.service\n"	\
	"link /etc/systemd/system/sockets.target.wants/systemd-networkd.socket\n"
#define WAIT "file /etc/systemd/system/systemd-networkd-wait-online.service.d/r4s.conf\n"
#define PORTS "file /etc/systemd/network/05-wan0.network\nfile /etc/systemd/network/05-lan0.network\n"
#define START "then systemd-networkd.service\n"
#define RELOAD START

static void box_armbian(struct box *box)
{
	static const char *const files[] = {
		"/usr/lib/systemd/system/systemd-networkd.service", "/usr/lib/systemd/system/systemd-networkd.socket",
		"/usr/lib/systemd/system/systemd-resolved.service", "/usr/lib/systemd/systemd-resolved",
		"/etc/netplan/10-dhcp-all-interfaces.yaml", "/run/systemd/network/10-netplan-all-eth-interfaces.network",
		"/run/systemd/network/10-netplan-all-lan-interfaces.network", "/run/systemd/network/70-vm.network",
	};
	box_open(box);
	for (size_t i = 0; i < FB_ARRAY_LEN(files); i++)
		box_put(box, files[i], "x");
	link_to(box, "/etc/systemd/system/sysinit.target.wants/systemd-resolved.service", "/usr/lib/systemd/system/systemd-resolved.service");
	link_to(box, "/etc/resolv.conf", "/run/systemd/resolve/resolv.conf");
}

TEST(new_files_come_before_old_ones_go)
{
	struct box box;
	box_armbian(&box);
	CHECK_STR(box_plan(&box, &fb_step_network),
		  ENABLE WAIT PORTS "link /etc/resolv.conf\n"
		  "remove /etc/netplan/10-dhcp-all-interfaces.yaml\n"
		  "remove /run/systemd/network/10-netplan-all-eth-interfaces.network\n"
		  "remove /run/systemd/network/10-netplan-all-lan-interfaces.network\n"
		  START RELOAD);
	CHECK(box.plan.change[3].group && box.plan.change[3].group == box.plan.change[4].group);
	CHECK(!box.plan.change[2].group && !box.plan.change[5].group);
	CHECK_STR(box.plan.change[5].target, "../run/systemd/resolve/stub-resolv.conf");
	CHECK_INT(box.plan.follow[0].verb, FB_START);
	CHECK_INT(box.plan.follow[1].verb, FB_RELOAD);
	act(&box);
	CHECK_STR(box_plan(&box, &fb_step_network), "");
	box_close(&box);
}

TEST(without_a_config_only_units_are_prepared)
{
	struct box box;
	box_armbian(&box);
	box.facts.is_live = false;
	CHECK_STR(box_plan_as(&box, &fb_step_network, NULL), ENABLE WAIT START);
	act(&box);
	CHECK_STR(box_plan_as(&box, &fb_step_network, NULL), "");
	box_close(&box);
}

TEST(an_image_keeps_its_run_directory)
{
	struct box box;
	box_armbian(&box);
	box.facts.is_live = false;
	CHECK_STR(box_plan(&box, &fb_step_network),
		  ENABLE WAIT PORTS "link /etc/resolv.conf\nremove /etc/netplan/10-dhcp-all-interfaces.yaml\n" START RELOAD);
	box_close(&box);
}

TEST(a_file_of_somebody_else_stays_in_force)
{
	struct box box;
	box_armbian(&box);
	box_put(&box, "/etc/netplan/50-usb.yaml", "x");
	CHECK_STR(box_plan(&box, &fb_step_network),
		  ENABLE WAIT PORTS "link /etc/resolv.conf\nremove /etc/netplan/10-dhcp-all-interfaces.yaml\n" START RELOAD);
	box_close(&box);
}

TEST(other_managers_are_masked_and_stopped)
{
	struct box box;
	box_armbian(&box);
	CHECK_STR(box_plan(&box, &fb_step_network) ? "" : NULL, "");
	act(&box);
	box_put(&box, "/usr/lib/systemd/system/NetworkManager.service", "x");
	box_put(&box, "/usr/lib/systemd/system/networking.service", "x");
	CHECK_STR(box_plan(&box, &fb_step_network),
		  "link /etc/systemd/system/NetworkManager.service\nlink /etc/systemd/system/networking.service\n"
		  "then NetworkManager.service\n");
	CHECK_STR(box.plan.change[0].target, "/dev/null");
	CHECK_INT(box.plan.follow[0].verb, FB_STOP);
	act(&box);
	CHECK_STR(box_plan(&box, &fb_step_network), "");
	box_close(&box);
}

TEST(a_masked_networkd_is_unmasked)
{
	struct box box;
	box_armbian(&box);
	CHECK_STR(box_plan(&box, &fb_step_network) ? "" : NULL, "");
	act(&box);
	link_to(&box, "/etc/systemd/system/systemd-networkd.service", "/dev/null");
	CHECK_STR(box_plan(&box, &fb_step_network), "remove /etc/systemd/system/systemd-networkd.service\n");
	box_close(&box);
}

TEST(a_plain_resolv_conf_where_there_is_no_resolved)
{
	static const char *items[] = { "192.168.1.1", "2001:db8::1" };
	struct box box;
	box_open(&box);
	CHECK_STR(box_plan(&box, &fb_step_network), WAIT PORTS RELOAD
		  "note systemd-resolved is not installed, so the name servers that DHCP offers are not used; install it or set network.wan.dns\n");
	box.conf.value.port[FB_WAN].dns = (struct fb_strs){ items, 2 };
	box.conf.value.port[FB_LAN].domain = "home.arpa";
	CHECK_STR(box_plan(&box, &fb_step_network), WAIT PORTS "file /etc/resolv.conf\n" RELOAD);
	act(&box);
	CHECK_STR(box_get(&box, "/etc/resolv.conf"),
		  "# Written by r4s-firstboot from provision.conf; edit that file instead.\n"
		  "search home.arpa\nnameserver 192.168.1.1\nnameserver 2001:db8::1\n");
	CHECK_STR(box_plan(&box, &fb_step_network), "");
	box_close(&box);
}

static void box_ports(struct box *box)
{
	static const char *wan[] = { "192.168.1.23/24", "2001:db8::23/64" }, *lan[] = { "192.168.77.1/24" };
	static const char *wanted[] = { "192.168.77.1/24" };
	box_open(box);
	box->facts.stage = FB_STAGE_HANDOFF;
	box->facts.n_links = 2;
	box->link[0] = (struct fb_link){ .name = "wan0", .has_carrier = true, .address = { wan, 2 } };
	box->link[1] = (struct fb_link){ .name = "lan0", .has_carrier = true, .address = { lan, 1 } };
	box->conf.value.port[FB_LAN].method = "static";
	box->conf.value.port[FB_LAN].address = (struct fb_strs){ wanted, 1 };
	box_put(box, "/run/systemd/netif/links/3", "ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/05-wan0.network\n");
	box_put(box, "/run/systemd/netif/links/2", "# private\nNETWORK_FILE=/etc/systemd/network/05-lan0.network\nDNS=\n");
	box_put(box, "/etc/resolv.conf", "# by hand\nnameserver 192.168.1.1\n");
	box_put(box, "/proc/net/route", "wan0\t00000000\t0101A8C0\t0003\t0\t0\t1024\t00000000\t0\t0\t0\n");
}

TEST(a_box_as_wanted_holds)
{
	static const char *dns[] = { "192.168.1.1" };
	struct box box;
	box_ports(&box);
	box_put(&box, "/etc/resolv.conf", "nameserver 192.168.1.1\nsearch home.arpa\n");
	box.conf.value.port[FB_LAN].domain = "home.arpa";
	box.conf.value.port[FB_LAN].dns = (struct fb_strs){ dns, 1 };
	CHECK_STR(box_probe(&box, &fb_step_network),
		  "held network.wan.method: dhcp | dhcp\n"
		  "held network.wan.address: from DHCP | 192.168.1.23/24, 2001:db8::23/64\n"
		  "held network.wan.gateway: from DHCP | 192.168.1.1\n"
		  "held network.wan.dns: from DHCP | 192.168.1.1\n"
		  "held network.lan.method: static | static\n"
		  "held network.lan.address: 192.168.77.1/24 | 192.168.77.1/24\n"
		  "held network.lan.gateway: none | none\n"
		  "held network.lan.dns: 192.168.1.1 | 192.168.1.1\n"
		  "held network.lan.domain: home.arpa | home.arpa\n");
	box_close(&box);
}

TEST(what_is_missing_has_a_reason)
{
	struct box box;
	box_ports(&box);
	box.link[0].has_carrier = false;
	box.link[0].address.n = 0;
	box.link[1].address.n = 0;
	box_put(&box, "/run/systemd/netif/links/3", "# private\nNETWORK_FILE=/run/systemd/network/10-netplan-all-wan-interfaces.network\n");
	box_put(&box, "/run/systemd/netif/links/2", "ADMIN_STATE=unmanaged\n");
	box_put(&box, "/proc/net/route", "");
	box_put(&box, "/etc/resolv.conf", "");
	CHECK_STR(box_probe(&box, &fb_step_network),
		  "differs network.wan.method: dhcp | systemd-networkd does not use our file for the port\n"
		  "differs network.wan.address: from DHCP | no cable\n"
		  "differs network.wan.gateway: from DHCP | no cable\n"
		  "differs network.wan.dns: from DHCP | no cable\n"
		  "differs network.lan.method: static | systemd-networkd does not use our file for the port\n"
		  "differs network.lan.address: 192.168.77.1/24 | none\n"
		  "held network.lan.gateway: none | none\n"
		  "held network.lan.dns: none | none\n"
		  "held network.lan.domain: none | none\n");
	box.link[0].has_carrier = true;
	box.facts.n_links = 1;
	CHECK_STR(strstr(box_probe(&box, &fb_step_network), "differs network.wan.address"),
		  "differs network.wan.address: from DHCP | no lease yet\n"
		  "differs network.wan.gateway: from DHCP | no lease yet\n"
		  "differs network.wan.dns: from DHCP | no lease yet\n"
		  "differs network.lan.method: static | no such port\n"
		  "differs network.lan.address: 192.168.77.1/24 | no such port\n"
		  "held network.lan.gateway: none | none\n"
		  "held network.lan.dns: none | none\n"
		  "held network.lan.domain: none | none\n");
	box_close(&box);
}

TEST(a_pulled_cable_is_told)
{
	static const char *dns[] = { "1.1.1.1" };
	struct box box;
	box_ports(&box);
	box.link[0].has_carrier = false;
	box.conf.value.port[FB_WAN].dns = (struct fb_strs){ dns, 1 };
	CHECK(strstr(box_probe(&box, &fb_step_network), "differs network.wan.dns: 1.1.1.1 | 192.168.1.1 (no cable)\n"));
	box_close(&box);
}

TEST(a_management_port_needs_only_a_lease)
{
	struct box box;
	box_ports(&box);
	box_put(&box, "/etc/resolv.conf", "");
	box.conf.value.port[FB_LAN].method = "dhcp";
	CHECK_STR(strstr(box_probe(&box, &fb_step_network), "held network.lan.method"),
		  "held network.lan.method: dhcp | dhcp\n"
		  "held network.lan.address: from DHCP | 192.168.77.1/24\n"
		  "held network.lan.gateway: from DHCP | none\n"
		  "held network.lan.dns: from DHCP | none\n"
		  "held network.lan.domain: none | none\n");
	box_close(&box);
}

TEST(a_lease_inside_lan_is_told)
{
	static const char *lease[] = { "192.168.77.40/24" };
	struct box box;
	box_ports(&box);
	box.link[0].address = (struct fb_strs){ lease, 1 };
	CHECK(strstr(box_probe(&box, &fb_step_network),
		     "differs network.lan.address: 192.168.77.1/24 | overlaps 192.168.77.40/24 on wan0; choose another network for LAN\n"));
	box_close(&box);
}

TEST(an_address_too_many_is_told)
{
	static const char *static_wan[] = { "192.168.1.23/24", "2001:DB8::23/64" };
	static const char *both[] = { "10.0.0.1/24", "192.168.77.1/24" };
	static const char *advertised[] = { "192.168.1.23/24", "2001:db8::23/64", "2001:db8::5054:ff:fe00:1/64" };
	struct box box;
	box_ports(&box);
	box.conf.value.port[FB_WAN].method = "static";
	box.conf.value.port[FB_WAN].address = (struct fb_strs){ static_wan, 2 };
	box.link[0].address = (struct fb_strs){ advertised, 3 };
	box.link[1].address = (struct fb_strs){ both, 2 };
	const char *got = box_probe(&box, &fb_step_network);
	CHECK(strstr(got, "differs network.lan.address: 192.168.77.1/24 | 10.0.0.1/24 is there as well\n"));
	CHECK(strstr(got, "held network.wan.address: 192.168.1.23/24, 2001:DB8::23/64 | "));
	box.link[0].address = (struct fb_strs){ both, 1 };
	CHECK(strstr(box_probe(&box, &fb_step_network),
		     "differs network.wan.address: 192.168.1.23/24, 2001:DB8::23/64 | 10.0.0.1/24 is there as well\n"));
	box_close(&box);
}

TEST(nothing_is_measured_off_line)
{
	struct box box;
	box_ports(&box);
	box.facts = (struct fb_facts){ .box_tag = "" };
	const char *got = box_probe(&box, &fb_step_network);
	size_t n = 0;
	for (const char *at = got; *at; at = strchr(at, '\n') + 1, n++)
		CHECK(!strncmp(at, "unmeasured network.", 19));
	CHECK_INT(n, fb_step_network.n_keys);
	box_close(&box);
}

TEST_MAIN()
