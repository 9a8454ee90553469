/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the system knows about a path: device, MTU, WireGuard peer, speed of the port below, governor. */
#include "path.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "job.h"
#include "sock.h"
#include "spawn.h"
#include "text.h"

enum { WG_TIMEOUT_MS = 3000 };

static bool ask(const char *dev, unsigned long request, struct ifreq *ret)
{
	FB_CLOSE int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	(void)snprintf(ret->ifr_name, sizeof(ret->ifr_name), "%s", dev);
	return fd >= 0 && ioctl(fd, request, ret) == 0;
}

bool bench_path_is_up(const struct bench_path *path)
{
	struct ifreq ifr = { 0 };
	if (!*path->dev)
		return true;		/* nothing is known of it */
	int home = *path->from ? bench_netns_save() : -1;
	bool is_up = bench_netns_enter(path->from) == 0 && ask(path->dev, SIOCGIFFLAGS, &ifr) &&
		     (ifr.ifr_flags & IFF_UP) && (ifr.ifr_flags & IFF_RUNNING);
	bench_netns_back(home);
	return is_up;
}

/* Mbit/s of the port, NAN if it does not say. */
static double port_speed(const char *dev)
{
	struct ethtool_cmd cmd = { .cmd = ETHTOOL_GSET };
	struct ifreq ifr = { .ifr_data = (char *)&cmd };
	if (!ask(dev, SIOCETHTOOL, &ifr))
		return NAN;
	uint32_t speed = ethtool_cmd_speed(&cmd);
	return speed && speed != (uint32_t)SPEED_UNKNOWN ? speed : NAN;
}

/* The address that we would use towards peer; ret_dev is the device that has it. */
static const char *route_to(struct fb_arena *arena, const char *peer, const char **ret_dev)
{
	struct bench_sockaddr to, own = { .len = sizeof(own.any) };
	struct ifaddrs *all;
	char text[INET6_ADDRSTRLEN];
	if (!bench_sockaddr(peer, 9, &to))
		return "";
	FB_CLOSE int fd = socket(to.any.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to.any, to.len) < 0 ||
	    getsockname(fd, (struct sockaddr *)&own.any, &own.len) < 0 || getifaddrs(&all) < 0)
		return "";
	bench_sockaddr_text(&own, text);
	for (struct ifaddrs *i = all; i && ret_dev; i = i->ifa_next) {
		struct bench_sockaddr one = { 0 };
		char other[INET6_ADDRSTRLEN];
		if (!i->ifa_addr || i->ifa_addr->sa_family != own.any.ss_family)
			continue;
		memcpy(&one.any, i->ifa_addr, own.len);
		bench_sockaddr_text(&one, other);
		if (!strcmp(other, text))
			*ret_dev = fb_strdup(arena, i->ifa_name);
	}
	freeifaddrs(all);
	return fb_strdup(arena, text);
}

/* Bits that a and the network text ("10.0.0.0/8") have in common as the network asks, -1 if a is outside. */
static int match_bits(const char *network, const unsigned char *a, int family)
{
	unsigned char net[16];
	char text[INET6_ADDRSTRLEN + 4];
	(void)snprintf(text, sizeof(text), "%s", network);
	char *slash = strchr(text, '/');
	if (!slash)
		return -1;
	*slash = '\0';
	int bits = atoi(slash + 1);
	if (inet_pton(family, text, net) != 1 || bits < 0 || bits > (family == AF_INET ? 32 : 128))
		return -1;
	for (int i = 0; i < bits; i++)
		if ((a[i / 8] ^ net[i / 8]) & (0x80 >> (i % 8)))
			return -1;
	return bits;
}

/* The line of "wg show DEV WHAT" that begins with key: its second word. */
static const char *wg_word(struct fb_arena *arena, const char *dev, const char *what, const char *key)
{
	const char *const argv[] = { "/usr/bin/wg", "show", dev, what, NULL };
	struct fb_error err;
	char *text;
	const char *begin;
	size_t len;
	if (fb_spawn(arena, argv, WG_TIMEOUT_MS, &text, &err) < 0)
		return "";
	for (const char *at = text; fb_text_next_line(&at, &begin, &len);) {
		const char *line = fb_strndup(arena, begin, len), *word = fb_text_next_word(arena, &line);
		if (word && !strcmp(word, key)) {
			word = fb_text_next_word(arena, &line);
			return word ? word : "";
		}
	}
	return "";
}

/* The public key whose allowed-ips lead to peer, by the longest prefix; "" if dev is no WireGuard device. */
static const char *wg_key(struct fb_arena *arena, const char *dev, const char *peer)
{
	const char *const argv[] = { "/usr/bin/wg", "show", dev, "allowed-ips", NULL };
	int family = strchr(peer, ':') ? AF_INET6 : AF_INET, best = -1;
	unsigned char bytes[16];
	struct fb_error err;
	char *text;
	const char *found = "", *begin;
	size_t len;
	if (inet_pton(family, peer, bytes) != 1 || fb_spawn(arena, argv, WG_TIMEOUT_MS, &text, &err) < 0)
		return "";
	for (const char *at = text; fb_text_next_line(&at, &begin, &len);) {
		const char *line = fb_strndup(arena, begin, len), *key = fb_text_next_word(arena, &line), *word;
		while (key && (word = fb_text_next_word(arena, &line))) {
			int bits = match_bits(word, bytes, family);
			if (bits > best) {
				best = bits;
				found = key;
			}
		}
	}
	return found;
}

static void look_at_tunnel(struct fb_arena *arena, struct bench_path *path, const char *peer)
{
	const char *key = wg_key(arena, path->dev, peer);
	if (!*key)
		return;
	path->via_wireguard = true;
	const char *endpoint = wg_word(arena, path->dev, "endpoints", key);
	double shaken_s = strtod(wg_word(arena, path->dev, "latest-handshakes", key), NULL);
	path->outer_family = *endpoint == '[' ? 6 : 4;
	path->tunnel_peer = fb_format(arena, "%.8s... %s", key, endpoint);
	path->handshake_age_s = shaken_s > 0 ? bench_now_s() - shaken_s : NAN;
	/* The port below, by the route to the endpoint without its port and brackets. */
	const char *dev = "", *from = endpoint + (*endpoint == '['), *colon = strrchr(from, ':');
	size_t len = colon ? (size_t)(colon - from) - (*endpoint == '[') : 0;
	(void)route_to(arena, fb_strndup(arena, from, len), &dev);
	path->link_mbps = port_speed(dev);
}

static const char *governors(struct fb_arena *arena, struct fb_fs *fs)
{
	static const char base[] = "/sys/devices/system/cpu/cpufreq";
	struct fb_strs names = { 0 }, seen = { 0 };
	struct fb_error err;
	(void)fb_fs_list(fs, arena, base, &names, &err);	/* no cpufreq: no governor */
	for (size_t i = 0; i < names.n; i++) {
		char *text;
		const char *path = fb_format(arena, "%s/%s/scaling_governor", base, names.item[i]);
		if (fb_fs_read(fs, arena, path, 64, &text, NULL, &err) < 0)
			continue;
		text[strcspn(text, "\n")] = '\0';
		if (!fb_strs_has(&seen, text))
			fb_strs_add(arena, &seen, text);
	}
	return fb_text_join(arena, &seen, "+");
}

void bench_path_look(struct fb_arena *arena, struct fb_fs *fs, struct bench_path *path, int family)
{
	const char *peer = family == 6 ? path->peer6 : path->peer4;
	struct ifreq ifr = { 0 };
	path->governor = governors(arena, fs);
	int home = bench_netns_save();
	if (bench_netns_enter(path->from) == 0) {
		(void)route_to(arena, peer, &path->dev);
		if (*path->dev && ask(path->dev, SIOCGIFMTU, &ifr))
			path->mtu = (unsigned)ifr.ifr_mtu;
		path->link_mbps = *path->dev ? port_speed(path->dev) : NAN;
		if (*path->dev)
			look_at_tunnel(arena, path, peer);
	}
	bench_netns_back(home);
}

const char *bench_path_own_address(struct fb_arena *arena, const struct bench_path *path, int family)
{
	int home = bench_netns_save();
	const char *own = "";
	if (bench_netns_enter(path->from) == 0)
		own = route_to(arena, family == 6 ? path->peer6 : path->peer4, NULL);
	bench_netns_back(home);
	return own;
}
