/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, errors, strings and cleanup shared by the three programs. */
#include "base.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum { CHUNK_BYTES = 16384, ALIGN = sizeof(max_align_t) };

struct chunk {
	struct chunk *next;
	size_t used, size;
	max_align_t data[];
};

struct fb_arena {
	struct chunk *chunk;
};

void fb_close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);	/* nothing was written through it that is not fsynced already */
}

int fb_fail(struct fb_error *err, int code, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);		/* a cut message is still a message */
	va_end(args);
	memcpy(err->text, text, sizeof(text));
	return -code;
}

static void out_of_memory(void)
{
	fputs("r4s: out of memory\n", stderr);
	_exit(EX_OSERR);
}

struct fb_arena *fb_arena_new(void)
{
	struct fb_arena *arena = calloc(1, sizeof(*arena));
	if (!arena)
		out_of_memory();
	return arena;
}

void fb_arena_free(struct fb_arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *chunk = arena->chunk; chunk;) {
		struct chunk *next = chunk->next;
		explicit_bzero(chunk->data, chunk->size);	/* password hashes and keys pass through here */
		free(chunk);
		chunk = next;
	}
	free(arena);
}

void *fb_alloc(struct fb_arena *arena, size_t size)
{
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (!arena->chunk || arena->chunk->size - arena->chunk->used < size) {
		size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
		struct chunk *chunk = calloc(1, sizeof(*chunk) + room);
		if (!chunk)
			out_of_memory();
		chunk->size = room;
		chunk->next = arena->chunk;
		arena->chunk = chunk;
	}
	void *mem = (char *)arena->chunk->data + arena->chunk->used;
	arena->chunk->used += size;
	return mem;
}

char *fb_strndup(struct fb_arena *arena, const char *text, size_t len)
{
	char *copy = fb_alloc(arena, len + 1);
	memcpy(copy, text, len);
	return copy;
}

char *fb_strdup(struct fb_arena *arena, const char *text)
{
	return fb_strndup(arena, text, strlen(text));
}

char *fb_vformat(struct fb_arena *arena, const char *fmt, va_list args)
{
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	assert(len >= 0);
	char *text = fb_alloc(arena, (size_t)len + 1);
	(void)vsnprintf(text, (size_t)len + 1, fmt, args);	/* measured just above */
	return text;
}

char *fb_format(struct fb_arena *arena, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	char *text = fb_vformat(arena, fmt, args);
	va_end(args);
	return text;
}

void fb_strs_add(struct fb_arena *arena, struct fb_strs *strs, const char *text)
{
	if ((strs->n & (strs->n - 1)) == 0) {	/* n is 0 or a power of two: the array is full */
		const char **item = fb_alloc(arena, sizeof(*item) * (strs->n ? strs->n * 2 : 1));
		if (strs->n)
			memcpy(item, strs->item, sizeof(*item) * strs->n);
		strs->item = item;
	}
	strs->item[strs->n++] = text;
}

bool fb_strs_has(const struct fb_strs *strs, const char *text)
{
	for (size_t i = 0; i < strs->n; i++)
		if (!strcmp(strs->item[i], text))
			return true;
	return false;
}

void fb_buf_mem(struct fb_buf *buf, const char *text, size_t len)
{
	if (buf->len + len + 1 > buf->cap) {
		size_t cap = buf->cap ? buf->cap * 2 : 256;
		while (cap < buf->len + len + 1)
			cap *= 2;
		char *bigger = fb_alloc(buf->arena, cap);
		if (buf->len)
			memcpy(bigger, buf->text, buf->len);
		buf->text = bigger;
		buf->cap = cap;
	}
	memcpy(buf->text + buf->len, text, len);
	buf->len += len;
	buf->text[buf->len] = '\0';
}

void fb_buf_add(struct fb_buf *buf, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = fb_vformat(buf->arena, fmt, args);
	va_end(args);
	fb_buf_mem(buf, text, strlen(text));
}

const char *fb_buf_text(const struct fb_buf *buf)
{
	return buf->text ? buf->text : "";
}
