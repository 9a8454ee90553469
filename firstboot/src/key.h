/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row describes one key of provision.conf. The tables of all steps together make the parser, the schema, the man page
 * and the example. Rows of a section may come from several steps.
 */
#ifndef FB_KEY_H
#define FB_KEY_H

#include "config.h"

enum fb_type {
	FB_BOOL,	/* bool */
	FB_INT,		/* long */
	FB_STR,		/* const char * */
	FB_LIST,	/* struct fb_strs */
	FB_SECTIONS,	/* struct fb_array: a titled section that may be repeated under other titles */
};

/*
 * Judge one value. NULL: good. Else what is wrong with it and what is allowed, as one clause that can follow the quoted
 * value and a colon.
 */
typedef const char *fb_valid_fn(struct fb_arena *arena, const char *value);

struct fb_key {
	const char *path;	/* dotted, such as "network.wan.mac"; keys of a titled section carry no title: "login.user.keys" */
	enum fb_type type;
	size_t offset;		/* in struct fb_config, or in the element of the titled section that path lies in */
	const char *preset;	/* the default as it stands in the file: "dhcp", "true", "{ \"a\", \"b\" }"; NULL: none */
	fb_valid_fn *valid;	/* FB_STR (unless "" and preset NULL) and each item of FB_LIST; title of FB_SECTIONS */
	const char *range;	/* what is allowed, in words */
	const char *doc;	/* one or two sentences for the man page */
	const char *example;	/* the value shown in the example, as it stands in the file; NULL: the preset */
	size_t size;		/* FB_SECTIONS: bytes of one element */
	long min, max;		/* FB_INT */
	bool is_secret;		/* never quoted in a message, plan or log */
};

#endif
