/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages: what is missing is installed once, all is upgraded once; kernel and boot loader only when asked for. */
#include <string.h>

#include "apt-run.h"
#include "apt.h"
#include "dpkg.h"
#include "text.h"

enum { WORK_LIMIT_S = 3600, MARK_LIMIT_S = 300, MIB = 1 << 20 };
#define RESTART "restart-after-upgrade"

static const struct fb_key keys[] = {
	{ .path = "apt.packages",
	  .type = FB_LIST,
	  .offset = offsetof(struct fb_config, apt.packages),
	  .preset = "{ \"iputils-ping\", \"net-tools\", \"dnsutils\", \"cron\", \"iptables\", \"ipset\", \"nload\", "
		    "\"iftop\", \"screen\", \"jq\", \"vim\", \"armbian-config\" }",
	  .valid = fb_valid_package,
	  .range = "names of packages",
	  .doc = "Packages that the box has to have; what is missing is installed once, without recommended ones. armbian-config is taken only where a source has it." },
	{ .path = "apt.upgrade",
	  .type = FB_BOOL,
	  .offset = offsetof(struct fb_config, apt.upgrade),
	  .preset = "true",
	  .range = "true or false",
	  .doc = "Upgrade all packages once, at the first provisioning. Nothing is removed, and files that were changed by hand are kept." },
	{ .path = "apt.kernel-upgrade",
	  .type = FB_BOOL,
	  .offset = offsetof(struct fb_config, apt.kernel_upgrade),
	  .preset = "false",
	  .range = "true or false",
	  .doc = "Whether that upgrade includes kernel, device trees, boot loader, firmware and board support. If false they are held while it runs. If true the box may restart once." },
};

static void check_packages(struct fb_conf *conf)
{
	const struct fb_strs *list = &conf->value.apt.packages;
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(list->item[k], list->item[i]))
				fb_conf_complain(conf, "apt.packages", NULL, i, "\"%s\" is there twice", list->item[i]);
	if (conf->value.apt.kernel_upgrade && !conf->value.apt.upgrade)
		fb_conf_complain(conf, "apt.kernel-upgrade", NULL, 0, "is true, but apt.upgrade is false, so it has no effect");
}

void fb_apt_due(struct fb_view *view, const struct fb_apt *apt, struct fb_apt_due *ret_due)
{
	const struct fb_strs *once = &view->facts->once;
	const char *status = fb_view_text(view, FB_DPKG_STATUS);
	*ret_due = (struct fb_apt_due){ 0 };
	for (size_t i = 0; i < apt->packages.n; i++)
		fb_strs_add(view->arena, &ret_due->wanted, apt->packages.item[i]);
	if (apt->unattended_upgrades && !fb_strs_has(&apt->packages, "unattended-upgrades"))
		fb_strs_add(view->arena, &ret_due->wanted, "unattended-upgrades");
	for (size_t i = 0; i < ret_due->wanted.n; i++)
		if (!fb_dpkg_has(view->arena, status ? status : "", ret_due->wanted.item[i]))
			fb_strs_add(view->arena, &ret_due->missing, ret_due->wanted.item[i]);
	const char *packages = fb_format(view->arena, "packages: %s", fb_text_join(view->arena, &ret_due->wanted, " "));
	if (ret_due->wanted.n && !fb_strs_has(once, packages))
		ret_due->packages_token = packages;
	if (apt->upgrade && !fb_strs_has(once, FB_APT_KERNEL_UPGRADE) &&
	    (apt->kernel_upgrade || !fb_strs_has(once, FB_APT_UPGRADE)))
		ret_due->upgrade_token = apt->kernel_upgrade ? FB_APT_KERNEL_UPGRADE : FB_APT_UPGRADE;
}

static const void *measure_packages(struct fb_view *view, const struct fb_conf *conf)
{
	struct fb_apt_due due;
	fb_apt_due(view, &conf->value.apt, &due);
	if (!due.packages_token && !due.upgrade_token)
		return NULL;
	struct fb_apt_asked *asked = fb_apt_ask(view, &due);
	fb_apt_in_use(view, &conf->value.apt, asked->uri);
	return asked;
}

static struct fb_change *plan_tool(struct fb_plan *plan, const char *name, const char *const *tool, unsigned limit_s,
				   const char *why)
{
	struct fb_change *change = fb_plan_exec(plan, FB_ONLINE, name, fb_apt_argv(plan->view->arena, FB_APT_SYSTEM, limit_s, tool),
						fb_apt_wait_ms(limit_s), why);
	change->is_retryable = true;
	return change;
}

/* In words why the work has to wait; NULL: it need not. */
static const char *reason_to_wait(struct fb_arena *arena, const struct fb_apt_asked *asked)
{
	if (asked->need_bytes > asked->free_bytes)
		return fb_format(arena, "the disk is too full: packages need %lld MiB, %lld MiB are free; make room, then run: r4s-firstboot apply",
				 (long long)asked->need_bytes / MIB, (long long)asked->free_bytes / MIB);
	if (*asked->broken_why)
		return fb_format(arena, "apt cannot install %s: %s", fb_text_join(arena, &asked->found, " "), asked->broken_why);
	return NULL;
}

/* What a cut left, on the disk: packages half done, or dpkg's journal. */
static bool is_half_done(struct fb_view *view)
{
	const char *status = fb_view_text(view, FB_DPKG_STATUS);
	struct fb_strs journal;
	(void)fb_view_list(view, "/var/lib/dpkg/updates", &journal);	/* no directory, no journal */
	return journal.n || (status && fb_dpkg_is_interrupted(view->arena, status));
}

static void plan_repair(struct fb_plan *plan, const struct fb_apt_asked *asked)
{
	static const char *const configure[] = { "/usr/bin/dpkg", "--force-confdef", "--force-confold", "--configure", "-a", NULL };
	static const char *const fix[] = { "--fix-broken", "install", NULL };
	static const char why[] = "an earlier installation was cut";
	if (!asked->is_interrupted || !is_half_done(plan->view))
		return;
	(void)plan_tool(plan, "configure packages", configure, WORK_LIMIT_S, why);
	(void)plan_tool(plan, "repair packages", fb_apt_get(plan->view->arena, fix, NULL), WORK_LIMIT_S, why);
}

static void plan_install(struct fb_plan *plan, const struct fb_apt_due *due, const struct fb_apt_asked *asked)
{
	static const char *const install[] = { "install", NULL };
	struct fb_arena *arena = plan->view->arena;
	struct fb_strs now = { 0 }, mark = { 0 };
	bool is_whole = true;
	for (size_t i = 0; i < due->missing.n; i++) {
		const char *name = due->missing.item[i];
		bool is_unknown = asked && fb_strs_has(&asked->unknown, name);
		if (!is_unknown)
			fb_strs_add(arena, &now, name);
		else if (strcmp(name, FB_APT_OPTIONAL) != 0 || *asked->update_why) {
			is_whole = false;
			if (!*asked->update_why)
				fb_plan_note(plan, "apt.packages: no source has \"%s\"", name);
		}
	}
	if (now.n)
		(void)plan_tool(plan, "install packages", fb_apt_get(arena, install, &now), WORK_LIMIT_S, fb_text_join(arena, &now, " "));
	if (!is_whole)
		return;
	/* So that "apt autoremove" leaves them; and it is the end of the story of this list of packages. */
	fb_strs_add(arena, &mark, "/usr/bin/apt-mark");
	fb_strs_add(arena, &mark, "manual");
	for (size_t i = 0; i < due->wanted.n; i++)
		if (!asked || !fb_strs_has(&asked->unknown, due->wanted.item[i]))
			fb_strs_add(arena, &mark, due->wanted.item[i]);
	fb_strs_add(arena, &mark, NULL);
	plan_tool(plan, "mark packages as wanted", mark.item, MARK_LIMIT_S, "they are done, and autoremove leaves them")->once =
		due->packages_token;
}

/*
 * Holds of one run, beside what the owner prefers and holds: with no version allowed, apt leaves the package as it is.
 * apt-mark hold would last, and after a power cut nobody could tell ours from the owner's.
 */
static const char *preferences(struct fb_view *view)
{
	const char *own = fb_view_text(view, "/etc/apt/preferences");
	return fb_format(view->arena,
			 "Package: linux-image-* linux-dtb-* linux-headers-* linux-u-boot-* armbian-bsp-* armbian-firmware*\n"
			 "Pin: release *\n"
			 "Pin-Priority: -1\n"
			 "%s%s",
			 own ? "\n" : "", own ? own : "");
}

static void plan_upgrade(struct fb_plan *plan, const struct fb_apt_due *due)
{
	struct fb_view *view = plan->view;
	bool has_kernel = !strcmp(due->upgrade_token, FB_APT_KERNEL_UPGRADE);
	if (!has_kernel && view->facts->is_live &&
	    fb_want_file(plan, FB_APT_PREFERENCES, preferences(view), 0644, "kernel and boot loader are held while the upgrade runs"))
		plan->change[plan->n - 1].when = FB_ONLINE;
	plan_tool(plan, "upgrade packages", fb_apt_get(view->arena, fb_apt_upgrade_words(due->upgrade_token), NULL), WORK_LIMIT_S,
		  has_kernel ? "all of them, once" : "all but kernel and boot loader, once")->once = due->upgrade_token;
}

/* The running kernel has lost its modules: a package of the same name brought another one. */
static bool has_lost_modules(struct fb_view *view)
{
	const char *text = fb_view_text(view, "/proc/sys/kernel/osrelease");
	const char *release = text ? fb_strndup(view->arena, text, strcspn(text, "\n")) : "";
	return *release && !fb_view_exists(view, "/run/systemd/container") && fb_view_exists(view, "/lib/modules") &&
	       !fb_view_exists(view, fb_format(view->arena, "/lib/modules/%s", release));
}

/* After the upgrade of this very run, and once: what the owner installs later is the owner's to restart for. */
static void plan_restart(struct fb_plan *plan, const struct fb_apt_asked *asked)
{
	static const char *const sync[] = { "/usr/bin/sync", NULL };
	struct fb_view *view = plan->view;
	const struct fb_strs *once = &view->facts->once;
	if (!asked->due.upgrade_token || !fb_strs_has(once, asked->due.upgrade_token))
		return;
	const char *token = fb_format(view->arena, RESTART ": %s", asked->due.upgrade_token);
	bool has_kernel = !strcmp(asked->due.upgrade_token, FB_APT_KERNEL_UPGRADE);
	bool is_needed = fb_view_exists(view, "/run/reboot-required") || (has_kernel && has_lost_modules(view));
	if (!is_needed || fb_strs_has(once, token))
		return;
	fb_plan_exec(plan, FB_ONLINE, "write back", sync, 60000, "the box is about to restart")->once = token;
	fb_follow_up(plan, NULL, FB_RESTART, FB_REBOOT, "the upgrade asks for a restart");
}

static void plan_packages(struct fb_plan *plan, const struct fb_conf *conf)
{
	const struct fb_apt_asked *asked = plan->view->measured;
	struct fb_apt_due due;
	if (!conf || !plan->view->facts->is_live)
		return;		/* an image keeps the packages it has: they come at the first boot with a network */
	fb_apt_due(plan->view, &conf->value.apt, &due);
	if (asked) {		/* a package may write the sources anew while it is upgraded */
		struct fb_sources sources;
		fb_sources_read(plan->view, &sources);
		fb_apt_plan_sources(plan, &sources, asked->uri);
	}
	const char *wait = asked ? reason_to_wait(plan->view->arena, asked) : NULL;
	if (asked)
		plan_restart(plan, asked);
	if (!due.packages_token && !due.upgrade_token)
		return;
	if (asked && *asked->update_why)
		fb_plan_later(plan, "apt-get update: %s", asked->update_why);
	if (wait) {
		fb_plan_later(plan, "%s", wait);
		return;
	}
	if (asked)
		plan_repair(plan, asked);
	if (due.packages_token)
		plan_install(plan, &due, asked);
	if (due.upgrade_token && (!asked || !*asked->update_why))	/* once and whole: not while a source is silent */
		plan_upgrade(plan, &due);
}

static void probe_list(struct fb_report *report, const struct fb_apt *apt)
{
	static const char *const policy[] = { "/usr/bin/apt-cache", "policy", FB_APT_OPTIONAL, NULL };
	struct fb_view *view = report->view;
	struct fb_apt_due due;
	struct fb_strs missing = { 0 };
	const char *wanted = apt->packages.n ? fb_text_join(view->arena, &apt->packages, ", ") : "none", *ignored;
	if (!view->facts->is_live) {
		fb_report_add(report, "apt.packages", FB_UNMEASURED, wanted, "not a running system");
		return;
	}
	fb_apt_due(view, apt, &due);
	for (size_t i = 0; i < due.missing.n; i++) {
		const char *said = strcmp(due.missing.item[i], FB_APT_OPTIONAL) ? NULL : fb_view_ask(view, policy, &ignored);
		const char *candidate = said ? strstr(said, "Candidate: ") : NULL;
		bool is_nowhere = said && (!candidate || strstr(candidate, "(none)"));
		if (!is_nowhere)
			fb_strs_add(view->arena, &missing, due.missing.item[i]);
	}
	if (missing.n)
		fb_report_add(report, "apt.packages", FB_DIFFERS, wanted,
			      fb_format(view->arena, "missing: %s", fb_text_join(view->arena, &missing, ", ")));
	else
		fb_report_add(report, "apt.packages", FB_HELD, wanted, due.missing.n ? "all that a source has" : "all installed");
}

static void probe_packages(struct fb_report *report, const struct fb_conf *conf)
{
	const struct fb_apt *apt = &conf->value.apt;
	const struct fb_facts *facts = report->view->facts;
	const struct {
		const char *key;
		bool is_wanted, is_done;
	} rows[] = {
		{ "apt.upgrade", apt->upgrade,
		  fb_strs_has(&facts->once, FB_APT_UPGRADE) || fb_strs_has(&facts->once, FB_APT_KERNEL_UPGRADE) },
		{ "apt.kernel-upgrade", apt->kernel_upgrade, fb_strs_has(&facts->once, FB_APT_KERNEL_UPGRADE) },
	};
	probe_list(report, apt);
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const char *wanted = rows[i].is_wanted ? "true" : "false";
		bool is_held = !rows[i].is_wanted || rows[i].is_done;
		const char *measured = rows[i].is_done ? "done" : rows[i].is_wanted ? "not yet" : "not done";
		if (!facts->is_live)
			fb_report_add(report, rows[i].key, FB_UNMEASURED, wanted, "not a running system");
		else
			fb_report_add(report, rows[i].key, is_held ? FB_HELD : FB_DIFFERS, wanted, measured);
	}
}

const struct fb_step fb_step_packages = {
	.name = "packages",
	.summary = "packages, and the upgrade of the first provisioning",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = check_packages,
	.measure = measure_packages,
	.plan = plan_packages,
	.probe = probe_packages,
};
