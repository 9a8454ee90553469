/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one target over every file of a directory, without a fuzzer: replay TARGET DIR. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

static int run_file(const struct fuzz_target *target, const char *path)
{
	static uint8_t data[1 << 20];
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		return 1;
	}
	size_t len = fread(data, 1, sizeof(data), f);
	(void)fclose(f);		/* only read from */
	/* Each in a process of its own: one that aborts must not hide the others. */
	pid_t pid = fork();
	int status = -1;
	if (pid == 0) {
		uint8_t *exact = malloc(len ? len : 1);
		if (!exact)
			_exit(1);
		memcpy(exact, data, len);	/* the sanitizer sees a read beyond the end */
		target->run(exact, len);
		free(exact);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		perror("fork");
	return status;
}

int main(int argc, char **argv)
{
	const struct fuzz_target *target = argc == 3 ? fuzz_find(argv[1]) : NULL;
	struct dirent **entry;
	int n = target ? scandir(argv[2], &entry, NULL, alphasort) : -1, failed = 0;
	if (n < 0) {
		(void)fprintf(stderr, "usage: replay TARGET DIR\n");
		return 64;
	}
	for (int i = 0; i < n; i++) {
		char path[4096];
		(void)snprintf(path, sizeof(path), "%s/%s", argv[2], entry[i]->d_name);
		if (*entry[i]->d_name != '.') {
			int status = run_file(target, path);
			failed |= status != 0;
			(void)printf(status ? "not ok %s %s - see standard error\n" : "ok %s %s\n", target->name, entry[i]->d_name);
			(void)fflush(stdout);
		}
		free(entry[i]);
	}
	free(entry);
	return failed;
}
