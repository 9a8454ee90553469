/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A box in a directory. It plays only what the steps rely on. */
#include "sim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mac.h"

static struct sim *powered;		/* the hook of fb_fs carries no pointer of ours */

static _Noreturn void broken(const char *what, const char *path)
{
	(void)fprintf(stderr, "cut: the simulated box is broken: %s %s: %s\n", what, path, strerror(errno));
	exit(70);
}

static const char *in(const struct sim *sim, const char *path)
{
	static char full[4][PATH_MAX];
	static unsigned turn;
	turn = (turn + 1) % 4;
	(void)snprintf(full[turn], PATH_MAX, "%s%s", sim->root, path);
	return full[turn];
}

/* Empty if it is not there. */
static void slurp(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	text[n] = '\0';
	if (f)
		(void)fclose(f);	/* only read from */
}

static void spit(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		broken("write", path);
}

static void mutation(struct sim *sim, const char *what, const char *object)
{
	if (sim->n == 0)
		(void)snprintf(sim->first, sizeof(sim->first), "%s %s", what, object);
	if (++sim->n == sim->cut)
		_exit(SIM_CUT);
}

void sim_before(struct fb_fs *fs, const char *what, const char *path)
{
	(void)fs;
	if (strncmp(path, "/run/", 5))		/* what is in /run does not outlive a cut */
		mutation(powered, what, path);
}

/* What udev does with a link that is added: the first .link file whose Path= fits gives name and MAC. */
static void udev_add(struct sim *sim, struct fb_link *link)
{
	static const char *const files[] = { "/etc/systemd/network/05-wan0.link", "/etc/systemd/network/05-lan0.link" };
	for (size_t i = 0; i < FB_ARRAY_LEN(files); i++) {
		char text[4096], path[256] = "", name[16] = "", mac[18] = "";
		slurp(in(sim, files[i]), text, sizeof(text));
		for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			(void)sscanf(line, "Path=%255s", path);
			(void)sscanf(line, "Name=%15s", name);
			(void)sscanf(line, "MACAddress=%17s", mac);
		}
		if (strcmp(path, link->id_path))
			continue;
		(void)snprintf(link->name, sizeof(link->name), "%s", name);
		(void)fb_mac_parse(mac, link->mac);	/* without one it keeps its own */
		return;
	}
}

static int gather(struct fb_env *env, struct fb_fs *fs, struct fb_arena *arena, struct fb_facts *ret_facts,
		  struct fb_error *err)
{
	struct sim *sim = (struct sim *)env;
	char id[64];
	(void)fs;
	(void)err;
	slurp(in(sim, "/etc/machine-id"), id, sizeof(id));
	*ret_facts = (struct fb_facts){
		.is_live = true, .has_seed = true, .now = 1767225600, .is_clock_good = true,	/* 2026-01-01 */
		.link = sim->link, .n_links = 2,
		.box_tag = strlen(id) >= 32 ? fb_strndup(arena, id, 16) : "",
	};
	for (size_t i = 0; i < sizeof(ret_facts->seed); i++)
		ret_facts->seed[i] = (unsigned char)(7 * i + 3);	/* the same at each run, so that ends can be compared */
	return 0;
}

/* The private key first, as the real one; a cut may come between, and leave half. */
static int keygen(struct sim *sim, const char *const *argv, struct fb_error *err)
{
	const char *type = NULL, *comment = NULL, *file = NULL;
	char text[8192], public[PATH_MAX], *space;
	for (size_t i = 1; argv[i]; i++) {
		type = !strcmp(argv[i], "-t") ? argv[i + 1] : type;
		comment = !strcmp(argv[i], "-C") ? argv[i + 1] : comment;
		file = !strcmp(argv[i], "-f") ? argv[i + 1] : file;
	}
	if (!type || !comment || !file)
		return fb_fail(err, EINVAL, "ssh-keygen: type, comment or file is missing");
	(void)snprintf(public, sizeof(public), "%s/%s", sim->keys, type);
	slurp(public, text, sizeof(text));
	char whole = text[strlen(text) / 2];
	text[strlen(text) / 2] = '\0';
	spit(file, text);
	mutation(sim, "write half of", file);
	text[strlen(text)] = whole;
	spit(file, text);
	mutation(sim, "write all of", file);
	(void)snprintf(public, sizeof(public), "%s/%s.pub", sim->keys, type);
	slurp(public, text, sizeof(text));
	space = strchr(text, ' ');
	space = space ? strchr(space + 1, ' ') : NULL;
	if (!space)
		broken("read", public);
	(void)snprintf(space, sizeof(text) - (size_t)(space - text), " %s\n", comment);
	(void)snprintf(public, sizeof(public), "%s.pub", file);
	spit(public, text);
	return 0;
}

static struct fb_link *named(struct sim *sim, const char *name)
{
	for (size_t i = 0; i < 2; i++)
		if (!strcmp(sim->link[i].name, name))
			return &sim->link[i];
	return NULL;
}

static int udev_trigger(struct sim *sim, const char *const *argv, struct fb_error *err)
{
	for (size_t i = 2; argv[i]; i++) {
		const char *slash = strrchr(argv[i], '/');
		struct fb_link *link = slash ? named(sim, slash + 1) : NULL;
		if (slash && !link)
			return fb_fail(err, ENODEV, "udevadm trigger: no %s", argv[i]);
		if (link && !link->is_up)
			udev_add(sim, link);
	}
	return 0;
}

static int ip_link_set(struct sim *sim, const char *const *argv, struct fb_error *err)
{
	struct fb_link *link = NULL;
	for (size_t i = 1; argv[i]; i++)
		link = link ? link : named(sim, argv[i]);
	if (!link)
		return fb_fail(err, ENODEV, "ip link: no such link");
	for (size_t i = 1; argv[i]; i++)
		link->is_up &= strcmp(argv[i], "down") != 0;
	return 0;
}

static void append(const struct sim *sim, const char *path, const char *text)
{
	FILE *f = fopen(in(sim, path), "a");
	if (!f || fputs(text, f) < 0 || fclose(f))
		broken("append to", path);
}

/* dpkg's records of what a transaction does, and no packages. A look at the network finds none, and changes nothing. */
static int package_tool(struct sim *sim, const char *const *argv, struct fb_error *err)
{
	bool is_install = false, is_add = false;
	char text[1024];
	size_t i = 0;
	while (argv[i] && strcmp(argv[i], "--"))
		i++;
	const char *const *tool = argv[i] ? argv + i + 1 : argv + i;
	for (i = 0; tool[i]; i++) {
		if (!strcmp(tool[i], "update"))
			return fb_fail(err, EIO, "apt-get update: this box has no network");
		if (!strcmp(tool[i], "check"))
			return 0;
	}
	if (*tool)
		mutation(sim, "run", *tool);
	for (i = 1; *tool && tool[i]; i++) {
		if (is_install && *tool[i] != '-') {
			(void)snprintf(text, sizeof(text), "Package: %s\nStatus: install ok installed\n\n", tool[i]);
			append(sim, "/var/lib/dpkg/status", text);
			mutation(sim, "install", tool[i]);
		}
		is_install |= !strcmp(*tool, "/usr/bin/apt-get") && !strcmp(tool[i], "install");
		is_add |= !strcmp(tool[i], "--add");
	}
	if (is_add && !strcmp(*tool, "/usr/bin/dpkg-divert")) {
		(void)snprintf(text, sizeof(text), "%s\n%s.r4s\n:\n", tool[i - 1], tool[i - 1]);
		append(sim, "/var/lib/dpkg/diversions", text);
	}
	return 0;
}

static int exec_tool(struct fb_env *env, struct fb_arena *arena, const char *const *argv, unsigned timeout_ms,
		     char **ret_out, struct fb_error *err)
{
	struct sim *sim = (struct sim *)env;
	(void)arena;
	(void)timeout_ms;
	if (ret_out)			/* asked by a probe: this box has no such tool */
		return fb_fail(err, ENOENT, "run %s: No such file or directory", argv[0]);
	if (!strcmp(argv[0], "/usr/bin/systemd-run"))
		return package_tool(sim, argv, err);
	mutation(sim, "run", argv[0]);
	if (!strcmp(argv[0], "/usr/bin/systemctl") || !strcmp(argv[0], "/usr/bin/sync"))
		return 0;
	if (!strcmp(argv[0], "/usr/bin/ssh-keygen"))
		return keygen(sim, argv, err);
	if (!strcmp(argv[0], "/usr/bin/udevadm"))
		return !strcmp(argv[1], "trigger") ? udev_trigger(sim, argv, err) : 0;
	if (!strcmp(argv[0], "/usr/bin/ip"))
		return ip_link_set(sim, argv, err);
	if (!strcmp(argv[0], "/usr/bin/systemctl") && !strcmp(argv[1], "daemon-reload"))
		return 0;
	return fb_fail(err, ENOENT, "run %s: this box has no such tool", argv[0]);
}

static int unit(struct fb_env *env, const char *name, enum fb_verb verb, struct fb_error *err)
{
	struct sim *sim = (struct sim *)env;
	char call[512];
	(void)err;
	mutation(sim, fb_verb_name(verb), name);
	int len = snprintf(call, sizeof(call), "%s %s\n", fb_verb_name(verb), name);
	(void)strncat(sim->calls, call, sizeof(sim->calls) - strlen(sim->calls) - 1);
	if (sim->calls_fd >= 0 && write(sim->calls_fd, call, (size_t)len) != len)
		broken("write down", call);
	return 0;
}

static void notify(struct fb_env *env, const char *status)
{
	(void)env;
	(void)status;
}

static void log_errors(struct fb_env *env, int priority, const char *stage, const char *step, const char *text)
{
	(void)env;
	if (priority <= 3)		/* LOG_ERR */
		(void)fprintf(stderr, "%s: %s: %s\n", stage, step ? step : "-", text);
}

static void wait_long(struct fb_env *env, unsigned timeout_ms)
{
	((struct sim *)env)->us += (uint64_t)timeout_ms * 100000;	/* nothing will change: time flies */
}

static uint64_t now_us(struct fb_env *env)
{
	return ((struct sim *)env)->us += 1000;
}

void sim_start(struct sim *sim, const char *root, const char *keys)
{
	static const char *const id_path[] = {
		"platform-4010000000.pcie-pci-0000:00:02.0", "platform-4010000000.pcie-pci-0000:00:03.0",
	};
	*sim = (struct sim){
		.env = { .is_live = true, .gather = gather, .exec = exec_tool, .unit = unit, .notify = notify,
			 .log = log_errors, .wait = wait_long, .now_us = now_us },
		.root = root, .keys = keys, .calls_fd = -1,
	};
	for (size_t i = 0; i < 2; i++) {
		sim->link[i].id_path = id_path[i];
		memcpy(sim->burnt_in[i], (unsigned char[6]){ 0x52, 0x54, 0, 0, 0, (unsigned char)i }, 6);
	}
	powered = sim;
}

static void empty(const char *path)
{
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char inner[PATH_MAX];
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		(void)snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
		if (unlink(inner) < 0) {
			empty(inner);
			if (rmdir(inner) < 0)
				broken("remove", inner);
		}
	}
	if (dir)
		(void)closedir(dir);	/* only read from */
}

void sim_power_on(struct sim *sim)
{
	char hostname[256];
	empty(in(sim, "/run"));
	if (mkdir(in(sim, "/run/udev"), 0755) < 0)
		broken("make", "/run/udev");
	spit(in(sim, "/run/udev/control"), "");
	(void)mkdir(in(sim, "/proc/sys"), 0755);	/* they may be there; else the write below fails */
	(void)mkdir(in(sim, "/proc/sys/kernel"), 0755);
	slurp(in(sim, "/etc/hostname"), hostname, sizeof(hostname));
	spit(in(sim, "/proc/sys/kernel/hostname"), hostname);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(sim->link[i].name, sizeof(sim->link[i].name), "enp0s%zu", i + 2);
		memcpy(sim->link[i].mac, sim->burnt_in[i], 6);
		sim->link[i].is_up = false;
		udev_add(sim, &sim->link[i]);
		sim->link[i].is_up = i == 1;	/* as if the initrd had used one of them */
	}
}
