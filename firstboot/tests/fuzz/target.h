/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzzers feed. Each target takes any bytes and aborts when a promise is broken. */
#ifndef FB_FUZZ_TARGET_H
#define FB_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;
	void (*run)(const uint8_t *data, size_t len);
};

extern const struct fuzz_target fuzz_targets[];
extern const size_t fuzz_n_targets;

const struct fuzz_target *fuzz_find(const char *name);	/* NULL: no such target */

#endif
