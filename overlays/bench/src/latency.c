/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips to the peer before and while a line is loaded, by ICMP echo. */
#include "latency.h"

#include <errno.h>
#include <math.h>
#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "sock.h"
#include "stats.h"

enum { IDLE_N = 20, IDLE_EVERY_MS = 50, SAMPLES_MAX = 20000, PENDING = 1024 };

struct bench_pinger {
	struct fb_arena *arena;
	int fd, family;
	struct bench_sockaddr to;
	uint16_t id, sequence;
	double sent_s[PENDING];		/* by sequence number; 0: answered or never sent */
	bool is_loaded, was_loaded[PENDING];
	unsigned n_sent;
	double *rtt_ms[2];		/* idle, loaded */
	size_t n[2];
};

struct echo { uint8_t type, code; uint16_t checksum, id, sequence; double sent_s; };

struct bench_pinger *bench_pinger_new(struct fb_arena *arena, const char *address, const char *from, struct fb_error *err)
{
	static uint16_t count;
	struct bench_pinger *pinger = fb_alloc(arena, sizeof(*pinger));
	if (!bench_sockaddr(address, 0, &pinger->to))
		return NULL;
	pinger->arena = arena;
	pinger->family = pinger->to.any.ss_family;
	pinger->id = (uint16_t)((unsigned)getpid() * 31u + count++);
	int home = bench_netns_save();
	if (bench_netns_enter(from) < 0)
		(void)fb_fail(err, errno, "network namespace %s: %s", from, strerror(errno));
	pinger->fd = socket(pinger->family, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			    pinger->family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6);
	if (pinger->fd < 0)
		(void)fb_fail(err, errno, "latency: %s", strerror(errno));
	bench_netns_back(home);
	if (pinger->fd < 0)
		return NULL;
	for (int i = 0; i < 2; i++)
		pinger->rtt_ms[i] = fb_alloc(arena, (i ? SAMPLES_MAX : IDLE_N) * sizeof(double));
	return pinger;
}

void bench_pinger_close(struct bench_pinger *pinger)
{
	if (pinger)
		fb_close_fd(&pinger->fd);
}

int bench_pinger_fd(const struct bench_pinger *pinger)
{
	return pinger ? pinger->fd : -1;
}

static uint16_t checksum(const void *data, size_t len)
{
	const uint8_t *bytes = data;
	uint32_t sum = 0;
	for (size_t i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static void send_one(struct bench_pinger *pinger)
{
	struct echo echo = { .id = htons(pinger->id), .sequence = htons(pinger->sequence), .sent_s = bench_clock_s() };
	echo.type = pinger->family == AF_INET ? ICMP_ECHO : ICMP6_ECHO_REQUEST;
	if (pinger->family == AF_INET)		/* ICMPv6's is the kernel's affair */
		echo.checksum = checksum(&echo, sizeof(echo));
	if (sendto(pinger->fd, &echo, sizeof(echo), 0, (struct sockaddr *)&pinger->to.any, pinger->to.len) < 0)
		return;			/* a full queue or a dead link: one sample less */
	pinger->sent_s[pinger->sequence % PENDING] = echo.sent_s;
	pinger->was_loaded[pinger->sequence++ % PENDING] = pinger->is_loaded;
	pinger->n_sent++;
}

static void take(struct bench_pinger *pinger, const uint8_t *packet, size_t len)
{
	struct echo echo;
	size_t skip = pinger->family == AF_INET && len ? (size_t)(packet[0] & 15) * 4 : 0;
	if (len < skip + sizeof(echo))
		return;
	memcpy(&echo, packet + skip, sizeof(echo));
	uint8_t wanted = pinger->family == AF_INET ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY;
	size_t slot = ntohs(echo.sequence) % PENDING;
	if (echo.type != wanted || ntohs(echo.id) != pinger->id || pinger->sent_s[slot] <= 0)
		return;
	int loaded = pinger->was_loaded[slot];
	size_t max = loaded ? SAMPLES_MAX : IDLE_N;
	if (pinger->n[loaded] < max)
		pinger->rtt_ms[loaded][pinger->n[loaded]++] = (bench_clock_s() - pinger->sent_s[slot]) * 1000;
	pinger->sent_s[slot] = 0;
}

static void take_all(struct bench_pinger *pinger)
{
	uint8_t packet[2048];
	ssize_t n;
	while ((n = recv(pinger->fd, packet, sizeof(packet), 0)) > 0)
		take(pinger, packet, (size_t)n);
}

void bench_pinger_idle(struct bench_pinger *pinger)
{
	struct pollfd fd = { .fd = pinger->fd, .events = POLLIN };
	double next_s = bench_clock_s(), end_s = next_s + IDLE_N * IDLE_EVERY_MS / 1000.0;
	pinger->is_loaded = false;
	for (double now_s; (now_s = bench_clock_s()) < end_s;) {
		if (now_s >= next_s) {
			send_one(pinger);
			next_s += IDLE_EVERY_MS / 1000.0;
		}
		(void)poll(&fd, 1, (int)((next_s - now_s) * 1000) + 1);
		take_all(pinger);
	}
}

void bench_pinger_tick(struct bench_pinger *pinger, bool may_send)
{
	take_all(pinger);
	pinger->is_loaded = true;
	if (may_send)
		send_one(pinger);
}

struct bench_latency *bench_pinger_result(const struct bench_pinger *pinger)
{
	size_t n = pinger->n[0] + pinger->n[1];
	if (!n)
		return NULL;
	struct bench_latency *latency = fb_alloc(pinger->arena, sizeof(*latency));
	const double *loaded = pinger->rtt_ms[1];
	double max = NAN;
	for (size_t i = 0; i < pinger->n[1]; i++)
		max = fmax(max, loaded[i]);
	*latency = (struct bench_latency){
		.n_idle = (unsigned)pinger->n[0], .n_loaded = (unsigned)pinger->n[1],
		.n_lost = pinger->n_sent > n ? pinger->n_sent - (unsigned)n : 0,
		.idle_median_ms = bench_median(pinger->rtt_ms[0], pinger->n[0]),
		.idle_p95_ms = bench_percentile(pinger->rtt_ms[0], pinger->n[0], 95),
		.loaded_median_ms = bench_median(loaded, pinger->n[1]),
		.loaded_p95_ms = bench_percentile(loaded, pinger->n[1], 95),
		.loaded_max_ms = max,
	};
	return latency;
}
