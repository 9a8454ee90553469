/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast files come from the network: libcurl, all at once, with limits. */
#include "env.h"

#include <string.h>

#include <curl/curl.h>

enum { CONNECT_LIMIT_MS = 5000, REDIRECTS_MAX = 3, WAIT_MS = 200 };

struct transfer {
	struct fb_env *env;
	struct fb_url_probe *probe;
	CURL *easy;
	char words[CURL_ERROR_SIZE];
	size_t len;
	uint64_t start_us, first_us, last_us;
};

static size_t take(char *text, size_t size, size_t n, void *userdata)
{
	struct transfer *transfer = userdata;
	size_t len = size * n;
	(void)text;		/* apt has judged what stands there; here only the time counts */
	transfer->last_us = transfer->env->now_us(transfer->env);
	if (!transfer->len)
		transfer->first_us = transfer->last_us;
	transfer->len += len;
	return transfer->len > transfer->probe->max_bytes ? 0 : len;	/* 0 ends it */
}

/* apt itself refuses to be led from https to http. */
static void set_protocols(CURL *easy, bool is_secret)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, is_secret ? "https" : "http,https");
#else
	long https = CURLPROTO_HTTPS, both = CURLPROTO_HTTP | CURLPROTO_HTTPS;
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS, both);
	curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, is_secret ? https : both);
#endif
}

static bool begin(CURLM *multi, struct transfer *transfer, unsigned timeout_ms)
{
	CURL *easy = transfer->easy = curl_easy_init();
	if (!easy)
		return false;
	curl_easy_setopt(easy, CURLOPT_URL, transfer->probe->url);
	set_protocols(easy, !strncmp(transfer->probe->url, "https:", strlen("https:")));
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(easy, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX);
	curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_LIMIT_MS);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "r4s-firstboot");
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->words);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, (void *)transfer);
	transfer->start_us = transfer->env->now_us(transfer->env);
	return curl_multi_add_handle(multi, easy) == CURLM_OK;
}

static void end(struct fb_arena *arena, struct transfer *transfer, CURLcode code)
{
	struct fb_url_probe *probe = transfer->probe;
	curl_off_t size = -1;
	bool is_enough = transfer->len > probe->max_bytes || (code == CURLE_OPERATION_TIMEDOUT && transfer->len);
	(void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &probe->status);	/* stays 0 */
	(void)curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);	/* stays -1 */
	probe->size_bytes = size;
	if (code != CURLE_OK && !is_enough) {
		probe->why = fb_strdup(arena, *transfer->words ? transfer->words : curl_easy_strerror(code));
		return;
	}
	uint64_t us = transfer->last_us - transfer->first_us + 1;
	probe->why = "";
	probe->first_byte_us = transfer->first_us - transfer->start_us;
	probe->rate_bps = transfer->len * 8 * 1000000 / us;
}

static void run(CURLM *multi, struct fb_arena *arena)
{
	int n_running = 0;
	do {		/* each transfer has its own time limit, so this ends */
		if (curl_multi_perform(multi, &n_running) != CURLM_OK ||
		    curl_multi_poll(multi, NULL, 0, WAIT_MS, NULL) != CURLM_OK)
			return;
		int n_left;
		for (CURLMsg *message; (message = curl_multi_info_read(multi, &n_left));) {
			struct transfer *transfer = NULL;
			if (message->msg == CURLMSG_DONE &&
			    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer) == CURLE_OK)
				end(arena, transfer, message->data.result);
		}
	} while (n_running);
}

void fb_env_probe_urls(struct fb_env *env, struct fb_arena *arena, struct fb_url_probe *probe, size_t n,
		       unsigned timeout_ms)
{
	struct transfer *transfer = fb_alloc(arena, n * sizeof(*transfer) + 1);
	for (size_t i = 0; i < n; i++)
		probe[i].why = "libcurl could not start";
	CURLM *multi = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_multi_init() : NULL;
	if (!multi)
		return;
	for (size_t i = 0; i < n; i++) {
		transfer[i].env = env;
		transfer[i].probe = &probe[i];
		(void)begin(multi, &transfer[i], timeout_ms);	/* one that did not start keeps its reason */
	}
	run(multi, arena);
	for (size_t i = 0; i < n; i++) {
		(void)curl_multi_remove_handle(multi, transfer[i].easy);	/* NULL is refused, harmlessly */
		curl_easy_cleanup(transfer[i].easy);
	}
	(void)curl_multi_cleanup(multi);	/* nothing is left in it */
	curl_global_cleanup();
}
