/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ask systemd for a unit over D-Bus. */
#include "bus.h"

#include <errno.h>
#include <string.h>
#include <systemd/sd-bus.h>

enum {
	JOB_LIMIT_US = 30000000,	/* a service that needs longer to restart is stuck */
	CALL_LIMIT_US = 90000000,	/* systemd itself may be busy: a reload took 47 s on an emulated board */
};

struct job {
	const char *path;
	bool is_done;
	char result[32];
};

static const struct {
	const char *method;
	bool is_awaited;
} calls[] = {
	[FB_RELOAD] = { "ReloadOrTryRestartUnit", true },
	[FB_RESTART] = { "TryRestartUnit", true },
	[FB_START] = { "StartUnit", false },
	[FB_STOP] = { "StopUnit", false },
};

static int on_removed(sd_bus_message *message, void *userdata, sd_bus_error *ret_error)
{
	(void)ret_error;
	struct job *job = userdata;
	const char *path, *unit, *result;
	uint32_t id;
	if (job->path && sd_bus_message_read(message, "uoss", &id, &path, &unit, &result) >= 0 && !strcmp(path, job->path)) {
		job->is_done = true;
		strncpy(job->result, result, sizeof(job->result) - 1);
	}
	return 0;
}

static void free_bus(sd_bus **bus)
{
	(void)sd_bus_flush_close_unref(*bus);		/* returns NULL */
}

static int await(sd_bus *bus, struct job *job)
{
	for (uint64_t left_us = JOB_LIMIT_US; !job->is_done;) {
		int rc = sd_bus_process(bus, NULL);
		if (rc < 0)
			return rc;
		if (rc > 0)
			continue;
		uint64_t slice_us = 100000;
		rc = sd_bus_wait(bus, slice_us);
		if (rc < 0)
			return rc;
		if (rc == 0 && (left_us -= slice_us) == 0)
			return -ETIME;
	}
	return strcmp(job->result, "done") && strcmp(job->result, "skipped") ? -EPROTO : 0;
}

int fb_bus_unit(const char *unit, enum fb_verb verb, struct fb_error *err)
{
	static const char dest[] = "org.freedesktop.systemd1", object[] = "/org/freedesktop/systemd1",
			  manager[] = "org.freedesktop.systemd1.Manager";
	FB_CLEANUP(free_bus) sd_bus *bus = NULL;
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus_message *reply = NULL;
	struct job job = { 0 };
	int rc = sd_bus_open_system(&bus);
	if (rc >= 0)
		rc = sd_bus_set_method_call_timeout(bus, CALL_LIMIT_US);
	if (rc >= 0 && calls[verb].is_awaited)
		rc = sd_bus_match_signal(bus, NULL, dest, object, manager, "JobRemoved", on_removed, &job);
	if (rc >= 0 && calls[verb].is_awaited)
		rc = sd_bus_call_method(bus, dest, object, manager, "Subscribe", NULL, NULL, "");
	if (rc >= 0)
		rc = sd_bus_call_method(bus, dest, object, manager, calls[verb].method, &error, &reply, "ss", unit, "replace");
	if (rc >= 0)
		rc = sd_bus_message_read(reply, "o", &job.path);
	if (rc >= 0 && calls[verb].is_awaited)
		rc = await(bus, &job);
	if (sd_bus_error_has_name(&error, "org.freedesktop.systemd1.NoSuchUnit"))
		rc = 0;
	if (rc < 0)
		rc = fb_fail(err, -rc, "%s %s: %s", fb_verb_name(verb), unit,
			     error.message ? error.message : rc == -EPROTO ? job.result : strerror(-rc));
	sd_bus_error_free(&error);
	sd_bus_message_unref(reply);
	return rc < 0 ? rc : 0;
}
