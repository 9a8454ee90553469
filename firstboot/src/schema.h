/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key tables as text: schema, example, the KEYS part of the man page. */
#ifndef FB_SCHEMA_H
#define FB_SCHEMA_H

#include <jansson.h>

#include "step.h"

const char *fb_schema_text(struct fb_arena *arena);
json_t *fb_schema_json(struct fb_arena *arena);
const char *fb_schema_man(struct fb_arena *arena);
const char *fb_example_text(struct fb_arena *arena);

#endif
