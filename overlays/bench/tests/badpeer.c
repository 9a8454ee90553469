/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer that is no iperf3, for the lab: badpeer PORT close|silent|garbage|old. Serves until it is killed. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void garbage(int fd)
{
	static const char words[] = "SSH-2.0-OpenSSH_9.2\r\nHTTP/1.1 400 Bad Request\r\n\r\n";
	if (write(fd, words, sizeof(words) - 1) < 0)
		perror("badpeer");
	(void)sleep(1);
}

/* Answers the parameters' exchange as a later version may: with a state that is not known yet. */
static void old(int fd)
{
	char cookie[37];
	if (recv(fd, cookie, sizeof(cookie), MSG_WAITALL) > 0 && write(fd, "\x55", 1) < 0)
		perror("badpeer");
	(void)sleep(1);
}

int main(int argc, char **argv)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = in6addr_any };
	if (argc != 3)
		return 64;
	address.sin6_port = htons((uint16_t)atoi(argv[1]));
	int one = 1, fd = socket(AF_INET6, SOCK_STREAM, 0);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 8) < 0) {
		perror("badpeer");
		return 71;
	}
	for (;;) {
		int client = accept(fd, NULL, NULL);
		if (client < 0)
			return 71;
		if (!strcmp(argv[2], "garbage"))
			garbage(client);
		else if (!strcmp(argv[2], "old"))
			old(client);
		else if (!strcmp(argv[2], "silent"))
			continue;	/* the connection stays open, and nothing is said */
		(void)close(client);
	}
}
