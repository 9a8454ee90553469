/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command and prints what it cost: microseconds of CPU, then KiB of peak memory. Its exit code is the command's. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	if (argc < 2) {
		(void)fprintf(stderr, "usage: usage COMMAND [ARG...]\n");
		return 64;
	}
	pid_t pid = vfork();
	if (pid == 0) {
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);	/* our line is to stand alone */
		(void)execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status)) {
		perror(argv[1]);
		return 71;
	}
	(void)printf("%lld %ld\n", (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
				   usage.ru_utime.tv_usec + usage.ru_stime.tv_usec, usage.ru_maxrss);
	return WEXITSTATUS(status);
}
