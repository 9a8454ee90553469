/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time: the zone, and chrony asking the servers of provision.conf and no other. */
#include <string.h>

#include "chrony.h"
#include "step.h"
#include "text.h"
#include "valid.h"

#define ZONES "/usr/share/zoneinfo/"
#define CHRONY_CONF "/etc/chrony/chrony.conf"

/* Area/City or UTC: not tzdata's folders "posix" and "right", nor the old names of one word. */
static const char *valid_timezone(struct fb_arena *arena, const char *value)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-";
	const char *part = value;
	size_t n = 0;
	(void)arena; /* the message is fixed */
	if (!strcmp(value, "UTC"))
		return NULL;
	for (;; part++, n++) {
		size_t len = strspn(part, letters);
		if (*part < 'A' || *part > 'Z' || (part[len] && part[len] != '/'))
			break;
		part += len;
		if (!*part && n)
			return NULL;
		if (!*part)
			break;
	}
	return "is not a time zone; write Area/City as in " ZONES ", such as Asia/Tokyo, or UTC";
}

static const struct fb_key keys[] = {
	{ .path = "time.timezone",
	  .type = FB_STR,
	  .offset = offsetof(struct fb_config, time.timezone),
	  .preset = "Asia/Tokyo",
	  .valid = valid_timezone,
	  .range = "Area/City as in " ZONES ", or UTC",
	  .doc = "Time zone of the box." },
	{ .path = "time.ntp-pools",
	  .type = FB_LIST,
	  .offset = offsetof(struct fb_config, time.ntp_pools),
	  .preset = "{ \"ntp.nict.jp\", \"ntp.jst.mfeed.ad.jp\" }",
	  .valid = fb_valid_domain,
	  .range = "DNS names",
	  .doc = "Names behind which several time servers stand; at most two of each are asked. ntp.nict.jp is asked at most 15 times an hour: NICT wants 20 at most." },
	{ .path = "time.ntp-servers",
	  .type = FB_LIST,
	  .offset = offsetof(struct fb_config, time.ntp_servers),
	  .valid = fb_valid_host,
	  .range = "DNS names or addresses",
	  .example = "{ \"192.168.1.1\" }",
	  .doc = "Single time servers, asked beside the pools." },
};

static void check_time(struct fb_conf *conf)
{
	static const char *const paths[] = { "time.ntp-pools", "time.ntp-servers" };
	const struct fb_strs *const lists[] = { &conf->value.time.ntp_pools,
						&conf->value.time.ntp_servers };
	const char *nict = NULL;
	struct fb_strs seen = { 0 };
	for (size_t l = 0; l < FB_ARRAY_LEN(lists); l++)
		for (size_t i = 0; i < lists[l]->n; i++) {
			const char *host = lists[l]->item[i];
			if (fb_strs_has(&seen, host))
				fb_conf_complain(conf, paths[l], NULL, i, "\"%s\" is there twice",
						 host);
			else if (fb_chrony_is_nict(host) && nict)
				fb_conf_complain(
					conf, paths[l], NULL, i,
					"\"%s\" is NICT once more, beside \"%s\"; NICT wants at most 20 queries an hour, so name it once",
					host, nict);
			if (fb_chrony_is_nict(host))
				nict = host;
			fb_strs_add(conf->arena, &seen, host);
		}
	if (!seen.n)
		fb_conf_complain(
			conf, paths[0], NULL, 0,
			"is empty, and so is time.ntp-servers; the box has no clock of its own that runs without power, so name one time server at least");
}

static void plan_zone(struct fb_plan *plan, const char *zone)
{
	struct fb_stat st;
	struct fb_arena *arena = plan->view->arena;
	if (!fb_view_stat(plan->view, fb_format(arena, ZONES "%s", zone), &st) || st.type == FB_IS_DIR) {
		fb_plan_note(plan, "time.timezone: " ZONES "%s is not there; the zone stays as it was",
			     zone);
		return;
	}
	fb_want_link(plan, "/etc/localtime", fb_format(arena, ".." ZONES "%s", zone), "time zone");
	fb_want_file(plan, "/etc/timezone", fb_format(arena, "%s\n", zone), 0644,
		     "time zone, for programs that read its name");
}

static void plan_chrony(struct fb_plan *plan, const struct fb_time *time)
{
	struct fb_view *view = plan->view;
	struct fb_stat st;
	bool is_changed;
	if (!fb_view_exists(view, "/usr/sbin/chronyd")) {
		fb_plan_note(
			plan,
			"chrony is not installed: time.ntp-pools and time.ntp-servers have no effect");
		return;
	}
	is_changed = fb_want_file(plan, "/etc/chrony/sources.d/r4s.sources",
				  fb_chrony_sources(view->arena, time), 0644,
				  "the time servers of provision.conf");
	const char *old = fb_view_text(view, CHRONY_CONF);
	if (old && fb_view_stat(view, CHRONY_CONF, &st))
		is_changed |= fb_want_owned_file(plan, CHRONY_CONF, fb_chrony_conf(view->arena, old),
						 st.mode, st.uid, st.gid,
						 "no time server that provision.conf does not name");
	else
		fb_plan_note(
			plan, CHRONY_CONF
			" is missing, so chrony does not start; reinstall the package chrony with --force-confmiss");
	if (is_changed)
		fb_follow_up(plan, "chrony.service", FB_RESTART, FB_QUIET,
			     "it reads its files when it starts");
}

static void plan_time(struct fb_plan *plan, const struct fb_conf *conf)
{
	if (!conf)
		return;		/* the image keeps the clock of its distribution */
	plan_zone(plan, conf->value.time.timezone);
	plan_chrony(plan, &conf->value.time);
}

static void probe_zone(struct fb_report *report, const char *wanted)
{
	const char *target = fb_view_link(report->view, "/etc/localtime");
	const char *zone = target ? strstr(target, "/zoneinfo/") : NULL;
	if (!report->view->facts->is_live)
		fb_report_add(report, "time.timezone", FB_UNMEASURED, wanted, "not a running system");
	else
		fb_report_compare(report, "time.timezone", wanted,
				  zone ? zone + strlen("/zoneinfo/") : "UTC");
}

static void probe_time(struct fb_report *report, const struct fb_conf *conf)
{
	static const char *const argv[] = { "/usr/bin/chronyc", "-c", "-N", "sources", NULL };
	struct fb_view *view = report->view;
	const struct {
		const char *key;
		const struct fb_strs *names;
	} rows[] = {
		{ "time.ntp-pools", &conf->value.time.ntp_pools },
		{ "time.ntp-servers", &conf->value.time.ntp_servers },
	};
	bool is_live = view->facts->is_live;
	const char *why = "not a running system";
	const char *sources = is_live ? fb_view_ask(view, argv, &why) : NULL;
	/* systemd skips chrony.service there (ConditionCapability=), and the clock is the host's. */
	bool is_excused = !is_live || (!sources && fb_view_exists(view, "/run/systemd/container"));
	if (is_live && is_excused)
		why = "a container may not set the clock, so chrony does not run in it";
	probe_zone(report, conf->value.time.timezone);
	for (size_t i = 0; i < FB_ARRAY_LEN(rows); i++) {
		const struct fb_strs *names = rows[i].names;
		const char *wanted = names->n ? fb_text_join(view->arena, names, ", ") : "none";
		const char *measured = names->n || !is_live ? why : "none";
		bool is_held = !names->n;
		if (sources)
			measured = fb_chrony_judge(view->arena, names, sources, &is_held);
		bool is_open = !is_live || (is_excused && !is_held);
		enum fb_verdict verdict = is_held ? FB_HELD : FB_DIFFERS;
		fb_report_add(report, rows[i].key, is_open ? FB_UNMEASURED : verdict, wanted,
			      measured);
	}
}

const struct fb_step fb_step_time = {
	.name = "time",
	.summary = "time zone and time servers",
	.keys = keys,
	.n_keys = FB_ARRAY_LEN(keys),
	.check = check_time,
	.plan = plan_time,
	.probe = probe_time,
};
