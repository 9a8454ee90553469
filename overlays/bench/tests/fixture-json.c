/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes fixture-0.json (newest) … fixture-3.json into the directory given: made-up runs to try
 * report and compare on. */
#include <stdio.h>

#include "fixture.h"

int main(int argc, char **argv)
{
	static const struct {
		unsigned age_days;
		double factor;
	} runs[] = { { 0, 1 }, { 7, 0.98 }, { 21, 0.84 }, { 35, 0.82 } };
	if (argc != 2)
		return 64;
	struct fb_arena *arena = fb_arena_new();
	struct fb_error err;
	for (size_t i = 0; i < FB_ARRAY_LEN(runs); i++) {
		struct bench_run run = fixture_run(arena, runs[i].age_days, runs[i].factor);
		if (bench_write_file(fb_format(arena, "%s/fixture-%zu.json", argv[1], i),
				     bench_run_to_json(arena, &run), &err) < 0) {
			(void)fprintf(stderr, "%s\n", err.text);
			return 74;
		}
	}
	fb_arena_free(arena);
	return 0;
}
