/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines of systemd-run(1) around apt's tools. */
#include "apt-run.h"

#include <string.h>

#include "text.h"

static const char *const common[] = {
	"/usr/bin/systemd-run", "--quiet", "--collect", "--pipe", "--wait", "--setenv=LC_ALL=C",
	"--setenv=PATH=/usr/sbin:/usr/bin:/sbin:/bin",
};

/* needrestart and apt-listchanges ask questions of their own. */
static const char *const system_room[] = {
	"--unit=r4s-apt", "--description=Packages, for r4s-firstboot", "--setenv=DEBIAN_FRONTEND=noninteractive",
	"--setenv=DEBCONF_NONINTERACTIVE_SEEN=true", "--setenv=APT_LISTCHANGES_FRONTEND=none",
	"--setenv=NEEDRESTART_SUSPEND=1", "--property=Nice=5",
};

static const char *const judge_room[] = {
	"--description=Look at a mirror, for r4s-firstboot", "--property=User=_apt", "--property=NoNewPrivileges=yes",
	"--property=CapabilityBoundingSet=", "--property=ProtectSystem=strict", "--property=ReadWritePaths=/run/r4s/mirror",
	"--property=ProtectHome=yes", "--property=PrivateTmp=yes", "--property=PrivateDevices=yes",
	"--property=RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "--property=MemoryMax=256M",
};

const char *const *fb_apt_argv(struct fb_arena *arena, enum fb_apt_room room, unsigned limit_s, const char *const *tool)
{
	struct fb_strs argv = { 0 };
	const char *const *own = room == FB_APT_SYSTEM ? system_room : judge_room;
	size_t n_own = room == FB_APT_SYSTEM ? FB_ARRAY_LEN(system_room) : FB_ARRAY_LEN(judge_room);
	for (size_t i = 0; i < FB_ARRAY_LEN(common); i++)
		fb_strs_add(arena, &argv, common[i]);
	for (size_t i = 0; i < n_own; i++)
		fb_strs_add(arena, &argv, own[i]);
	fb_strs_add(arena, &argv, fb_format(arena, "--property=RuntimeMaxSec=%u", limit_s));
	fb_strs_add(arena, &argv, "--");
	for (; *tool; tool++)
		fb_strs_add(arena, &argv, *tool);
	fb_strs_add(arena, &argv, NULL);
	return argv.item;
}

unsigned fb_apt_wait_ms(unsigned limit_s)
{
	enum { MORE_S = 30 };		/* for systemd to end it, and to say so */
	return (limit_s + MORE_S) * 1000;
}

const char *fb_apt_reason(struct fb_arena *arena, const char *message)
{
	static const char status[] = "exit status ";
	const char *at = strstr(message, status), *colon = at ? strchr(at, ':') : NULL;
	if (strstr(message, "did not end within"))
		return "it did not end within its time limit";
	if (colon)
		return fb_strdup(arena, colon + 1 + strspn(colon + 1, " "));
	if (at && !strcmp(at, "exit status 1"))		/* what systemd-run(1) ends with after RuntimeMaxSec= */
		return "it took too long and was stopped";
	return at ? fb_format(arena, "it ended with %s", at) : message;
}
