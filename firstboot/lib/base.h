/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, errors, strings and cleanup shared by the three programs. */
#ifndef FB_BASE_H
#define FB_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FB_CLEANUP(fn) __attribute__((cleanup(fn)))
#define FB_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define FB_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

void fb_close_fd(int *fd);
#define FB_CLOSE FB_CLEANUP(fb_close_fd)

/* One message for the person who has to act on it. */
struct fb_error {
	char text[1024];
};

/* Fill err and return -code. Formats before it writes: err->text may be an argument. */
int fb_fail(struct fb_error *err, int code, const char *fmt, ...) FB_PRINTF(3, 4);

/* All memory of a run. It is wiped when freed. Running out of memory ends the program with exit 71. */
struct fb_arena;
struct fb_arena *fb_arena_new(void);
void fb_arena_free(struct fb_arena *arena);
void *fb_alloc(struct fb_arena *arena, size_t size);		/* zeroed */
char *fb_strdup(struct fb_arena *arena, const char *text);
char *fb_strndup(struct fb_arena *arena, const char *text, size_t len);
char *fb_format(struct fb_arena *arena, const char *fmt, ...) FB_PRINTF(2, 3);
char *fb_vformat(struct fb_arena *arena, const char *fmt, va_list args) FB_PRINTF(2, 0);

/* A growing list of strings; the strings are not copied. */
struct fb_strs {
	const char **item;
	size_t n;
};
void fb_strs_add(struct fb_arena *arena, struct fb_strs *strs, const char *text);
bool fb_strs_has(const struct fb_strs *strs, const char *text);

/* A growing text. text is always terminated once something was added. */
struct fb_buf {
	struct fb_arena *arena;
	char *text;
	size_t len, cap;
};
void fb_buf_add(struct fb_buf *buf, const char *fmt, ...) FB_PRINTF(2, 3);
void fb_buf_mem(struct fb_buf *buf, const char *text, size_t len);
const char *fb_buf_text(const struct fb_buf *buf);		/* "" when nothing was added */

#endif
