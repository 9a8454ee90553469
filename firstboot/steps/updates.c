/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Upgrades that nobody asked for: off so that they stay off, also after the packages that bring them come again. */
#include <string.h>

#include "apt-run.h"
#include "dpkg.h"
#include "step.h"
#include "text.h"

#define PERIODIC "/etc/apt/apt.conf.d/zz-r4s-periodic"	/* the last name counts; 20auto-upgrades comes and goes */
#define CRON "/etc/cron.d/armbian-updates"
#define CRON_AWAY CRON ".r4s"		/* cron reads no name with a dot */

static const struct fb_key keys[] = {
	{ .path = "apt.unattended-upgrades",
	  .type = FB_BOOL,
	  .offset = offsetof(struct fb_config, apt.unattended_upgrades),
	  .preset = "false",
	  .range = "true or false",
	  .doc = "Whether the box looks for upgrades by itself and installs them. If false nothing does so: no timer, no service, no job of cron." },
};

/* Names of apt.systemd.daily. */
static const char *const periods[] = {
	"Enable", "Update-Package-Lists", "Download-Upgradeable-Packages", "Unattended-Upgrade", "AutocleanInterval",
	"CleanInterval", "BackupArchiveInterval",
};
static const char *const on[] = { "Enable", "Update-Package-Lists", "Unattended-Upgrade" };

static const char *const units[] = {
	"apt-daily.timer", "apt-daily-upgrade.timer", "apt-daily.service", "apt-daily-upgrade.service",
	"unattended-upgrades.service",
};

static const char *periodic(struct fb_arena *arena, bool is_on)
{
	struct fb_buf buf = { .arena = arena };
	fb_buf_add(&buf, "// Written by r4s-firstboot from provision.conf; edit that file instead.\n#clear APT::Periodic;\n");
	for (size_t i = 0; i < FB_ARRAY_LEN(periods); i++) {
		bool is_one = false;
		for (size_t k = 0; k < FB_ARRAY_LEN(on) && is_on; k++)
			is_one |= !strcmp(periods[i], on[k]);
		fb_buf_add(&buf, "APT::Periodic::%s \"%d\";\n", periods[i], is_one);
	}
	return fb_buf_text(&buf);
}

static void plan_units(struct fb_plan *plan, bool is_on)
{
	static const char *const reload[] = { "/usr/bin/systemctl", "daemon-reload", NULL };
	size_t n_before = plan->n;
	for (size_t i = 0; i < FB_ARRAY_LEN(units); i++) {
		const char *path = fb_format(plan->view->arena, "/etc/systemd/system/%s", units[i]);
		const char *target = fb_view_link(plan->view, path);
		bool is_masked = target && !strcmp(target, "/dev/null");
		if (!is_on && fb_want_link(plan, path, "/dev/null", "no upgrades by themselves"))
			fb_follow_up(plan, units[i], FB_STOP, FB_QUIET, "no upgrades by themselves");
		if (is_on && is_masked && fb_want_absent(plan, path, "upgrades by themselves are wanted") &&
		    fb_text_ends(units[i], ".timer"))
			fb_follow_up(plan, units[i], FB_START, FB_QUIET, "upgrades by themselves are wanted");
	}
	if (plan->n > n_before && plan->view->facts->is_live)
		fb_plan_exec(plan, FB_WITH_BUS, "reload systemd", reload, 30000, "units are masked, or no more");
}

/* dpkg's records are out of reach of our sandbox. */
static void plan_divert(struct fb_plan *plan, const char *name, const char *const *tool, const char *why)
{
	enum { LIMIT_S = 60 };
	fb_plan_exec(plan, FB_WITH_BUS, name, fb_apt_argv(plan->view->arena, FB_APT_SYSTEM, LIMIT_S, tool), fb_apt_wait_ms(LIMIT_S),
		     why)->is_retryable = true;
}

/*
 * Armbian's job asks for upgrades at each start of cron. It is put aside under a name that cron leaves alone, and dpkg is
 * told that the package's file belongs there: installing the package again does not bring the job back.
 */
static void plan_cron(struct fb_plan *plan, bool is_on)
{
	static const char *const away[] = { "/usr/bin/dpkg-divert", "--quiet", "--local", "--no-rename", "--divert", CRON_AWAY,
					    "--add", CRON, NULL };
	static const char *const back[] = { "/usr/bin/dpkg-divert", "--quiet", "--local", "--rename", "--remove", CRON, NULL };
	struct fb_view *view = plan->view;
	const char *diversions = fb_view_text(view, FB_DPKG_DIVERSIONS), *job = fb_view_text(view, CRON);
	bool is_away = diversions && fb_dpkg_is_diverted(diversions, CRON, CRON_AWAY);
	bool is_armbian = job || fb_view_exists(view, CRON_AWAY) || fb_view_exists(view, "/usr/lib/armbian/armbian-apt-updates");
	struct fb_stat st;
	if (is_on && is_away)
		plan_divert(plan, "put back " CRON, back, "upgrades by themselves are wanted");
	if (is_on || !is_armbian)
		return;
	if (job && fb_view_stat(view, CRON, &st)) {
		fb_want_owned_file(plan, CRON_AWAY, job, st.mode, st.uid, st.gid, "Armbian's job, where cron does not read it");
		fb_want_absent(plan, CRON, "no upgrades by themselves");
	}
	if (is_away)
		return;
	if (view->facts->is_live)
		plan_divert(plan, "divert " CRON, away, "the package must not bring it back");
	else
		fb_want_file(plan, FB_DPKG_DIVERSIONS,
			     fb_dpkg_divert(view->arena, diversions ? diversions : "", CRON, CRON_AWAY), 0644,
			     "the package must not bring Armbian's job back");
}

static void plan_updates(struct fb_plan *plan, const struct fb_conf *conf)
{
	/* An image is sealed with them off: a unit that is masked during the boot that would start it fails. */
	if (!conf && plan->view->facts->is_live)
		return;		/* the box keeps what it does */
	bool is_on = conf && conf->value.apt.unattended_upgrades;
	const char *main_file = fb_view_text(plan->view, "/etc/apt/apt.conf");
	if (!fb_view_exists(plan->view, "/usr/bin/apt-get"))
		return;
	fb_want_file(plan, PERIODIC, periodic(plan->view->arena, is_on), 0644,
		     is_on ? "upgrades by themselves are wanted" : "no upgrades by themselves");
	plan_units(plan, is_on);
	plan_cron(plan, is_on);
	if (main_file && strstr(main_file, "APT::Periodic"))
		fb_plan_note(plan, "apt.unattended-upgrades: /etc/apt/apt.conf sets APT::Periodic, and apt reads it last; take it out there");
}

/* What "apt-config dump" shows as not 0; NULL: nothing. */
static const char *running(struct fb_arena *arena, const char *dump)
{
	static const char prefix[] = "APT::Periodic::";
	const char *line;
	size_t len;
	for (const char *at = dump; fb_text_next_line(&at, &line, &len);) {
		bool is_period = false;
		for (size_t i = 0; i < FB_ARRAY_LEN(periods); i++)
			is_period |= fb_text_starts(line, fb_format(arena, "%s%s ", prefix, periods[i]));
		if (is_period && !(len > 4 && !strncmp(line + len - 4, "\"0\";", 4)))
			return fb_strndup(arena, line, len);
	}
	return NULL;
}

static void probe_updates(struct fb_report *report, const struct fb_conf *conf)
{
	static const char *const dump[] = { "/usr/bin/apt-config", "dump", "APT::Periodic", NULL };
	struct fb_view *view = report->view;
	bool is_on = conf->value.apt.unattended_upgrades;
	const char *wanted = is_on ? "true" : "false", *why = "not a running system", *path;
	const char *said = view->facts->is_live ? fb_view_ask(view, dump, &why) : NULL;
	if (!said) {
		fb_report_add(report, "apt.unattended-upgrades", FB_UNMEASURED, wanted, why);
		return;
	}
	const char *active = running(view->arena, said), *unmasked = NULL;
	for (size_t i = 0; i < FB_ARRAY_LEN(units); i++) {
		path = fb_view_link(view, fb_format(view->arena, "/etc/systemd/system/%s", units[i]));
		if (!path || strcmp(path, "/dev/null"))
			unmasked = units[i];
	}
	bool is_off = !active && !unmasked && !fb_view_exists(view, CRON);
	const char *measured = is_off ? "false: nothing looks for upgrades" :
			       active ? fb_format(view->arena, "true: %s", active) :
					fb_format(view->arena, "partly: %s", unmasked ? unmasked : CRON);
	bool is_held = is_on ? active && fb_view_exists(view, "/usr/bin/unattended-upgrade") : is_off;
	fb_report_add(report, "apt.unattended-upgrades", is_held ? FB_HELD : FB_DIFFERS, wanted, measured);
}

const struct fb_step fb_step_updates = {
	.name = "updates",
	.summary = "upgrades that come by themselves",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.plan = plan_updates,
	.probe = probe_updates,
};
