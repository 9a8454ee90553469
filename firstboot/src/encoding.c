/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 text and nothing else: what other programs save, and files that are no text, get a message of their own. */
#include "encoding.h"

#include <string.h>

#include "scan.h"

/* How many bytes of valid UTF-8 start here; 0 if none do. */
static size_t utf8_len(const unsigned char *s)
{
	if (s[0] < 0x80)
		return 1;
	size_t n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
	if (s[0] >= 0xf5)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

bool fb_encoding_check(struct fb_conf *conf)
{
	const unsigned char *s = (const unsigned char *)conf->text;
	if (conf->len >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff))) {
		fb_complain_at(conf, 0, "saved as UTF-16 (\"Unicode\"); save it as UTF-8");
		return false;
	}
	unsigned line = 1;
	for (size_t i = 0; i < conf->len;) {
		size_t n = utf8_len(s + i);
		if (n == 0 || n > conf->len - i) {
			fb_complain_at(conf, line, "byte 0x%02x is not UTF-8 text; is this the right file?", s[i]);
			return false;
		}
		if ((s[i] < ' ' && !strchr("\t\r\n", s[i])) || s[i] == 0 || s[i] == 0x7f) {
			fb_complain_at(conf, line, "control character 0x%02x; is this the right file?", s[i]);
			return false;
		}
		if (s[i] == '\n')
			line++;
		i += n;
	}
	return true;
}
