/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running box: links, tools, systemd. The only file that talks to the world. */
#include "env.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#include "bus.h"
#include "clock.h"
#include "spawn.h"

enum { LINKS_MAX = 64 };

/* Ours alone: the tag of a box must not give its machine-id away. Drawn once with systemd-id128 new. */
#define APP_ID SD_ID128_MAKE(8d, 3c, 51, 7e, 0b, 94, 4f, 0a, 9e, 2d, 6a, 51, c0, 7f, 38, e6)

static const char *id_path_of(struct fb_fs *fs, struct fb_arena *arena, const char *name)
{
	static const char key[] = "\nE:ID_PATH=";
	struct fb_error ignored;
	char *text;
	const char *path = fb_format(arena, "/run/udev/data/n%u", if_nametoindex(name));
	if (fb_fs_read(fs, arena, path, FB_FS_READ_MAX, &text, NULL, &ignored) < 0)
		return "";		/* no udev, or the link is not processed yet */
	const char *start = strstr(text, key);
	if (!start)
		return "";
	start += strlen(key);
	return fb_strndup(arena, start, strcspn(start, "\n"));
}

static struct fb_link *link_named(struct fb_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n_links; i++)
		if (!strcmp(facts->link[i].name, name))
			return &facts->link[i];
	if (facts->n_links == LINKS_MAX)
		return NULL;
	struct fb_link *link = &facts->link[facts->n_links++];
	(void)snprintf(link->name, sizeof(link->name), "%s", name);	/* IFNAMSIZ on both sides */
	return link;
}

static unsigned bits_in(const unsigned char *mask, size_t len)
{
	unsigned bits = 0;
	for (size_t i = 0; i < len; i++)
		bits += (unsigned)__builtin_popcount(mask[i]);
	return bits;
}

static void add_address(struct fb_arena *arena, struct fb_link *link, const struct ifaddrs *entry)
{
	char text[INET6_ADDRSTRLEN];
	int family = entry->ifa_addr->sa_family;
	const void *address, *mask;
	size_t len;
	if (family == AF_INET) {
		address = &((const struct sockaddr_in *)(const void *)entry->ifa_addr)->sin_addr;
		mask = entry->ifa_netmask ? &((const struct sockaddr_in *)(const void *)entry->ifa_netmask)->sin_addr : NULL;
		len = 4;
	} else {
		const struct in6_addr *in6 = &((const struct sockaddr_in6 *)(const void *)entry->ifa_addr)->sin6_addr;
		if (IN6_IS_ADDR_LINKLOCAL(in6))
			return;
		address = in6;
		mask = entry->ifa_netmask ? &((const struct sockaddr_in6 *)(const void *)entry->ifa_netmask)->sin6_addr : NULL;
		len = 16;
	}
	if (inet_ntop(family, address, text, sizeof(text)))
		fb_strs_add(arena, &link->address, fb_format(arena, "%s/%u", text, mask ? bits_in(mask, len) : (unsigned)len * 8));
}

static int gather_links(struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *facts, struct fb_error *err)
{
	struct ifaddrs *all;
	if (getifaddrs(&all) < 0)
		return fb_fail(err, errno, "list the network links: %s", strerror(errno));
	facts->link = fb_alloc(arena, LINKS_MAX * sizeof(*facts->link));
	for (const struct ifaddrs *entry = all; entry; entry = entry->ifa_next) {
		struct fb_link *link = entry->ifa_addr ? link_named(facts, entry->ifa_name) : NULL;
		if (!link)
			continue;
		if (entry->ifa_addr->sa_family == AF_PACKET) {
			const struct sockaddr_ll *ll = (const struct sockaddr_ll *)(const void *)entry->ifa_addr;
			if (ll->sll_halen == sizeof(link->mac))
				memcpy(link->mac, ll->sll_addr, sizeof(link->mac));
			link->is_up = entry->ifa_flags & IFF_UP;
			link->has_carrier = entry->ifa_flags & IFF_RUNNING;
		} else if (entry->ifa_addr->sa_family == AF_INET || entry->ifa_addr->sa_family == AF_INET6) {
			add_address(arena, link, entry);
		}
	}
	freeifaddrs(all);
	for (size_t i = 0; i < facts->n_links; i++)
		facts->link[i].id_path = id_path_of(fs, arena, facts->link[i].name);
	return 0;
}

static bool is_clock_good(struct fb_fs *fs)
{
	struct fb_stat st;
	struct fb_error ignored;	/* a sandbox that may not ask, such as the early stage, takes no harm from "no" */
	time_t now;
	bool is_synced;
	if (fb_fs_stat(fs, "/run/systemd/container", &st, &ignored) == 0)
		return true;		/* the clock is the host's */
	return fb_clock_kernel.read(&fb_clock_kernel, &now, &is_synced, &ignored) == 0 && is_synced;
}

static int gather(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *ret_facts,
		  struct fb_error *err)
{
	(void)env;
	struct fb_facts facts = { .is_live = true, .now = time(NULL), .is_clock_good = is_clock_good(fs), .box_tag = "" };
	int rc = gather_links(fs, arena, &facts, err);
	if (rc < 0)
		return rc;
	if (getrandom(facts.seed, sizeof(facts.seed), 0) != (ssize_t)sizeof(facts.seed))
		return fb_fail(err, EIO, "draw random numbers: %s", strerror(errno));
	facts.has_seed = true;
	sd_id128_t tag;
	if (sd_id128_get_machine_app_specific(APP_ID, &tag) >= 0) {
		char text[SD_ID128_STRING_MAX];
		facts.box_tag = fb_strndup(arena, sd_id128_to_string(tag, text), 16);
	}
	*ret_facts = facts;
	return 0;
}

static int exec_tool(struct fb_env *env, struct fb_arena *arena, const char *const *argv, unsigned timeout_ms,
		     char **ret_out, struct fb_error *err)
{
	(void)env;
	return fb_spawn(arena, argv, timeout_ms, ret_out, err);
}

static int unit(struct fb_env *env, const char *name, enum fb_verb verb, struct fb_error *err)
{
	(void)env;
	return fb_bus_unit(name, verb, err);
}

static void notify(struct fb_env *env, const char *status)
{
	(void)env;
	(void)sd_notifyf(0, "STATUS=%s", status);	/* nobody listens when run by hand */
}

static void log_line(struct fb_env *env, int priority, const char *stage, const char *step, const char *text)
{
	(void)env;
	if (getenv("JOURNAL_STREAM") &&
	    sd_journal_send("PRIORITY=%d", priority, "R4S_STAGE=%s", stage, "R4S_STEP=%s", step ? step : "",
			    "SYSLOG_IDENTIFIER=r4s-firstboot", "MESSAGE=%s%s%s", step ? step : "", step ? ": " : "", text, NULL) >= 0)
		return;
	(void)fprintf(stderr, "r4s-firstboot: %s%s%s\n", step ? step : "", step ? ": " : "", text);	/* nowhere else to tell */
}

static void wait_for_change(struct fb_env *env, unsigned timeout_ms)
{
	(void)env;
	FB_CLOSE int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct sockaddr_nl groups = {
		.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE,
	};
	if (fd >= 0 && bind(fd, (const struct sockaddr *)&groups, sizeof(groups)) < 0)
		fb_close_fd(&fd), fd = -1;
	struct pollfd event = { .fd = fd, .events = POLLIN };
	(void)poll(&event, 1, (int)timeout_ms);		/* a signal or an error ends the wait early: the caller looks again */
}

static uint64_t now_us(struct fb_env *env)
{
	(void)env;
	struct timespec now;
	if (clock_gettime(CLOCK_BOOTTIME, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

struct fb_env fb_env_live = {
	.is_live = true, .gather = gather, .exec = exec_tool, .unit = unit, .notify = notify, .log = log_line,
	.probe_urls = fb_env_probe_urls, .wait = wait_for_change, .now_us = now_us,
};
