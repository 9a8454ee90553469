/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one line of /etc/hosts that is ours. */
#include "hosts.h"

#include <string.h>

static const char own_address[] = "127.0.1.1";
static const char fresh[] =
	"127.0.0.1\tlocalhost\n"
	"::1\tlocalhost ip6-localhost ip6-loopback\n"
	"ff02::1\tip6-allnodes\n"
	"ff02::2\tip6-allrouters\n";

static bool is_own(const char *line)
{
	line += strspn(line, " \t");
	size_t len = strlen(own_address);
	/* strchr() finds the end of the text as well. */
	return !strncmp(line, own_address, len) && strchr(" \t\r\n", line[len]);
}

const char *fb_hosts_text(struct fb_arena *arena, const char *old, const char *hostname)
{
	size_t label = strcspn(hostname, ".");
	bool has_domain = hostname[label];
	const char *own = fb_format(arena, "%s\t%s%s%.*s\n", own_address, hostname,
				    has_domain ? " " : "", has_domain ? (int)label : 0, hostname);
	struct fb_buf buf = { .arena = arena };
	bool is_done = false;
	if (!old)
		old = fresh;
	for (const char *line = old; *line;) {
		size_t len = strcspn(line, "\n");
		len += line[len] == '\n';
		if (is_own(line) && !is_done) {
			fb_buf_add(&buf, "%s", own);
			is_done = true;
		} else {
			fb_buf_mem(&buf, line, len);
		}
		line += len;
	}
	if (!is_done)
		fb_buf_add(&buf, "%s%s", buf.len && buf.text[buf.len - 1] != '\n' ? "\n" : "", own);
	return fb_buf_text(&buf);
}
