/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numeric addresses of both families. */
#ifndef BENCH_SOCK_H
#define BENCH_SOCK_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

struct bench_sockaddr {
	struct sockaddr_storage any;
	socklen_t len;
};

/* False if text is no numeric address. */
static inline bool bench_sockaddr(const char *text, unsigned port, struct bench_sockaddr *ret)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
	memset(ret, 0, sizeof(*ret));
	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
		memcpy(&ret->any, &v4, sizeof(v4));
		ret->len = sizeof(v4);
	} else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
		memcpy(&ret->any, &v6, sizeof(v6));
		ret->len = sizeof(v6);
	}
	return ret->len > 0;
}

static inline void bench_sockaddr_text(const struct bench_sockaddr *address, char text[INET6_ADDRSTRLEN])
{
	const void *at = address->any.ss_family == AF_INET
		? (const void *)&((const struct sockaddr_in *)(const void *)&address->any)->sin_addr
		: (const void *)&((const struct sockaddr_in6 *)(const void *)&address->any)->sin6_addr;
	if (!inet_ntop(address->any.ss_family, at, text, INET6_ADDRSTRLEN))
		text[0] = '\0';
}

#endif
