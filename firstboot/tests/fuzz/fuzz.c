/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry that libFuzzer calls. FUZZ_TARGET in the environment names the target. */
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	const char *name = getenv("FUZZ_TARGET");
	target = name ? fuzz_find(name) : NULL;
	if (!target) {
		(void)fprintf(stderr, "FUZZ_TARGET is to be one of:");
		for (size_t i = 0; i < fuzz_n_targets; i++)
			(void)fprintf(stderr, " %s", fuzz_targets[i].name);
		(void)fprintf(stderr, "\n");
		exit(64);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	target->run(data, len);
	return 0;
}
