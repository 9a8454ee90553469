/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that chrony reads and the lines that chronyc prints, as texts. */
#include "chrony.h"

#include <string.h>
#include <strings.h>

#include "text.h"

#define MARK "#r4s# "
#define SOURCES_DIR "/etc/chrony/sources.d"

bool fb_chrony_is_nict(const char *host)
{
	static const char *const domains[] = { "nict.jp", "nict.go.jp" };
	size_t len = strlen(host);
	for (size_t i = 0; i < FB_ARRAY_LEN(domains); i++) {
		size_t tail = strlen(domains[i]);
		if (len >= tail && !strcasecmp(host + len - tail, domains[i]) &&
		    (len == tail || host[len - tail - 1] == '.'))
			return true;
	}
	return false;
}

const char *fb_chrony_sources(struct fb_arena *arena, const struct fb_time *time)
{
	/*
	 * NICT (https://www.nict.go.jp/en/sts/ntp_faq.html): 20 queries an hour or 480 a day on
	 * average. chrony 4.3: iburst is IBURST_TOTAL_SAMPLES (8) queries at most (ntp_core.c), a
	 * pool begins with twice maxsources (ntp_sources.c).
	 */
	static const char nict[] = "iburst minpoll 9 maxpoll 10";
	struct fb_buf buf = { .arena = arena };
	fb_buf_add(
		&buf,
		"# Written by r4s-firstboot from provision.conf; edit that file instead.\n"
		"# NICT wants at most 20 queries an hour. As one server it is asked at most 8 times at the start (iburst)\n"
		"# and then each 512 s (minpoll 9): 15 in the first hour, 7 later. A pool would ask two servers at first.\n"
		"# Other pools give two servers; chrony asks those each 64 s, and up to 1024 s once the clock is steady.\n");
	for (size_t i = 0; i < time->ntp_pools.n; i++) {
		const char *host = time->ntp_pools.item[i];
		if (fb_chrony_is_nict(host))
			fb_buf_add(&buf, "server %s %s\n", host, nict);
		else
			fb_buf_add(&buf, "pool %s iburst maxsources 2\n", host);
	}
	for (size_t i = 0; i < time->ntp_servers.n; i++) {
		const char *host = time->ntp_servers.item[i];
		fb_buf_add(&buf, "server %s %s\n", host, fb_chrony_is_nict(host) ? nict : "iburst");
	}
	return fb_buf_text(&buf);
}

/* Directives that name a source, which only provision.conf may. */
static bool is_source(const char *directive, const char *value)
{
	static const char *const names[] = { "pool", "server", "peer", "initstepslew" };
	for (size_t i = 0; i < FB_ARRAY_LEN(names); i++)
		if (!strcasecmp(directive, names[i]))
			return true;
	return !strcasecmp(directive, "sourcedir") && !strcmp(value, "/run/chrony-dhcp");
}

const char *fb_chrony_conf(struct fb_arena *arena, const char *old)
{
	struct fb_buf buf = { .arena = arena };
	bool has_sources = false, has_makestep = false, has_rtcsync = false;
	const char *line;
	size_t len;
	for (const char *at = old; fb_text_next_line(&at, &line, &len);) {
		const char *rest = fb_strndup(arena, line, len);
		const char *directive = fb_text_next_word(arena, &rest);
		const char *value = fb_text_next_word(arena, &rest);
		directive = directive ? directive : "";
		value = value ? value : "";
		if (is_source(directive, value))
			fb_buf_add(&buf, MARK);
		has_sources |= !strcasecmp(directive, "sourcedir") && !strcmp(value, SOURCES_DIR);
		has_makestep |= !strcasecmp(directive, "makestep");
		has_rtcsync |= !strcasecmp(directive, "rtcsync");
		fb_buf_mem(&buf, line, line[len] ? len + 1 : len);
	}
	if (buf.len && buf.text[buf.len - 1] != '\n' && !(has_sources && has_makestep && has_rtcsync))
		fb_buf_add(&buf, "\n");
	if (!has_sources)
		fb_buf_add(&buf,
			   "# r4s-firstboot: the time servers that provision.conf names.\n"
			   "sourcedir " SOURCES_DIR "\n");
	if (!has_makestep)
		fb_buf_add(&buf, "# r4s-firstboot: the box starts in the past; step the clock at its first three updates.\n"
				 "makestep 1 3\n");
	if (!has_rtcsync)
		fb_buf_add(&buf, "# r4s-firstboot: without this chrony does not tell the kernel that the clock is right.\n"
				 "rtcsync\n");
	return fb_buf_text(&buf);
}

/* The n-th field of a CSV line. */
static const char *field(struct fb_arena *arena, const char *line, size_t len, size_t n)
{
	const char *end = line + len;
	for (; n && line < end; line++)
		n -= *line == ',';
	size_t field_len = strcspn(line, ",\n");
	return line < end ? fb_strndup(arena, line, field_len) : "";
}

const char *fb_chrony_judge(struct fb_arena *arena, const struct fb_strs *names,
			    const char *sources, bool *ret_is_held)
{
	struct fb_buf buf = { .arena = arena };
	bool is_followed = false, do_all_answer = true;
	const char *line;
	size_t len;
	for (size_t i = 0; i < names->n; i++) {
		bool has_address = false, does_answer = false;
		for (const char *at = sources; fb_text_next_line(&at, &line, &len);) {
			/* mode, state, name, stratum, poll, reach (octal), … */
			is_followed |= !strcmp(field(arena, line, len, 1), "*");
			if (strcasecmp(field(arena, line, len, 2), names->item[i]))
				continue;
			has_address = true;
			does_answer |= strcmp(field(arena, line, len, 5), "0") != 0;
		}
		do_all_answer &= does_answer;
		fb_buf_add(&buf, "%s%s%s", i ? ", " : "", names->item[i],
			   does_answer	 ? ""
			   : has_address ? " (no answer yet)"
					 : " (no address yet)");
	}
	if (names->n && !is_followed)
		fb_buf_add(&buf, "; the clock follows no source yet");
	*ret_is_held = !names->n || (is_followed && do_all_answer);
	return names->n ? fb_buf_text(&buf) : "none";
}
