/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topology: a lane a path, from who sends to who answers, with what lies between. */
#include "svg.h"

#include <math.h>
#include <string.h>

enum {
	LANE_HEIGHT = 66,
	BOX_TOP = 8,
	BOX_HEIGHT = 50,
	LINE_Y = BOX_TOP + BOX_HEIGHT / 2,
	NODES_MAX = 3
};

struct node {
	const char *role, *device; /* device "" if unknown */
	bool is_us;
};

/* A router in the middle if the client sits in a network of its own, else just both ends. */
static size_t nodes_of(struct bench_page *page, const struct bench_path *path, struct node *node)
{
	size_t n = 0;
	if (*path->from) {
		node[n++] = (struct node){ bench_page_word(page, W_CLIENT), path->from, false };
		node[n++] = (struct node){ bench_page_word(page, W_THIS_BOX), "", true };
	} else {
		node[n++] = (struct node){ bench_page_word(page, W_THIS_BOX), path->dev, true };
		if (path->kind == BENCH_ROUTED || path->kind == BENCH_FASTPATH_OFF)
			node[n++] = (struct node){ bench_page_word(page, W_NODE_OTHER), "", false };
	}
	node[n++] = (struct node){ bench_page_word(page, W_PEER), "", false };
	return n;
}

static void draw_box(struct bench_page *page, const struct node *node, double left, double width)
{
	PAGE_ADD(
		page,
		"<rect class=\"node%s\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\" rx=\"6\"/>",
		node->is_us ? " us" : "", left, BOX_TOP, width, BOX_HEIGHT);
	double middle = left + width / 2;
	bool has_device = *node->device != '\0';
	PAGE_ADD(page, "<text class=\"role\" x=\"%.2f%%\" y=\"%d\">%s</text>", middle,
		 has_device ? LINE_Y - 4 : LINE_Y + 5, bench_page_cut(page, node->role, 12));
	if (has_device)
		PAGE_ADD(page, "<text class=\"device\" x=\"%.2f%%\" y=\"%d\">%s</text>", middle,
			 LINE_Y + 15, bench_page_cut(page, node->device, 11));
	PAGE_ADD(page, "\n");
}

static void draw_link(struct bench_page *page, const struct bench_path *path, double from,
		      double to)
{
	const char *kind = bench_kind_names[path->kind];
	if (path->via_wireguard) { /* a pipe around the line */
		PAGE_ADD(page,
			 "<line class=\"pipe\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
			 from, to, LINE_Y, LINE_Y);
		PAGE_ADD(
			page,
			"<line class=\"pipe inner\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
			from, to, LINE_Y, LINE_Y);
	}
	PAGE_ADD(page,
		 "<line class=\"line %s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>\n",
		 kind, from, to, LINE_Y, LINE_Y);
	if (path->via_wireguard)
		PAGE_ADD(page, "<text class=\"device\" x=\"%.2f%%\" y=\"%d\">WireGuard</text>\n",
			 (from + to) / 2, LINE_Y - 13);
}

/* What is known of the path, in words that wrap. */
static void draw_details(struct bench_page *page, const struct bench_path *path)
{
	struct fb_arena *arena = page->out.arena;
	struct fb_strs facts = { 0 };
	if (*path->dev)
		fb_strs_add(arena, &facts, bench_page_escape(page, path->dev));
	if (path->mtu)
		fb_strs_add(arena, &facts,
			    fb_format(arena, bench_page_word(page, W_MTU), path->mtu));
	if (!isnan(path->link_mbps))
		fb_strs_add(arena, &facts,
			    fb_format(arena, bench_page_word(page, W_LINK), path->link_mbps));
	if (path->via_wireguard)
		fb_strs_add(arena, &facts,
			    path->outer_family == 0
				    ? "WireGuard"
				    : fb_format(arena, bench_page_word(page, W_OUTER),
						path->outer_family));
	if (*path->tunnel_peer)
		fb_strs_add(arena, &facts, bench_page_escape(page, path->tunnel_peer));
	if (!isnan(path->handshake_age_s))
		fb_strs_add(arena, &facts,
			    fb_format(arena, bench_page_word(page, W_HANDSHAKE),
				      path->handshake_age_s));
	if (path->kind == BENCH_FASTPATH_OFF)
		fb_strs_add(arena, &facts, bench_page_word(page, W_NO_FAST_PATH));
	if (*path->governor)
		fb_strs_add(arena, &facts,
			    fb_format(arena, "%s %s", bench_page_word(page, W_GOVERNOR),
				      bench_page_escape(page, path->governor)));
	const char *const peers[] = { path->peer4, path->peer6 };
	for (size_t i = 0; i < FB_ARRAY_LEN(peers); i++)
		if (*peers[i])
			fb_strs_add(arena, &facts,
				    fb_format(arena, "%s %s", bench_page_word(page, W_PEER),
					      bench_page_escape(page, peers[i])));
	PAGE_ADD(page, "<p class=\"facts\">");
	for (size_t i = 0; i < facts.n; i++)
		PAGE_ADD(page, "<span>%s</span> ", facts.item[i]);
	PAGE_ADD(page, "</p>\n");
}

static void draw_lane(struct bench_page *page, const struct bench_path *path)
{
	struct node node[NODES_MAX];
	size_t n = nodes_of(page, path, node);
	double width = n == 2 ? 32 : 27, gap = (100 - width * (double)n) / (double)(n - 1);
	const char *name = bench_page_cut(page, path->name, 30);
	const char *kind = bench_kind_word(page->lang, path->kind);
	PAGE_ADD(
		page,
		"<div class=\"panel\"><h3><i class=\"swatch %s\"></i>%s <span class=\"kind\">%s</span></h3>\n",
		bench_kind_names[path->kind], name, strcmp(kind, path->name) ? kind : "");
	bench_svg_open(page, "topology", LANE_HEIGHT, name);
	for (size_t i = 0; i + 1 < n; i++) {
		double from = (double)i * (width + gap) + width;
		draw_link(page, path, from, from + gap);
	}
	for (size_t i = 0; i < n; i++)
		draw_box(page, &node[i], (double)i * (width + gap), width);
	bench_svg_close(page);
	draw_details(page, path);
	PAGE_ADD(page, "</div>\n");
}

void bench_draw_topology(struct bench_page *page)
{
	if (!page->run->n_paths)
		return;
	bench_page_section(page, "topology", W_TOPOLOGY, W_TOPOLOGY_NOTE);
	PAGE_ADD(page, "<div class=\"panels\">\n");
	for (size_t i = 0; i < page->run->n_paths; i++)
		draw_lane(page, &page->run->path[i]);
	PAGE_ADD(page, "</div>\n");
	bench_page_end(page);
}
