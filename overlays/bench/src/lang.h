/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the HTML report in English and Japanese. */
#ifndef BENCH_LANG_H
#define BENCH_LANG_H

#include "base.h"

enum bench_lang { BENCH_EN, BENCH_JA, BENCH_N_LANGS };
extern const char *const bench_lang_names[BENCH_N_LANGS];	/* "en", "ja": also the page's lang */

/* A word, with its texts in lang.c. The ones with % are formats; both languages take the same arguments. */
enum bench_word {
	W_TITLE, W_LEAD, W_AT, W_TOOK, W_MINUTES, W_SECONDS, W_BOARD, W_KERNEL, W_COMMAND,
	W_FAILED_ROWS, W_NO_ROWS, W_THROUGHPUT, W_THROUGHPUT_NOTE, W_LEGEND_BAR, W_LEGEND_RANGE,
	W_LEGEND_CEILING, W_MBPS_AXIS, W_OF_CEILING, W_TILE_CEILING, W_NO_FIGURE, W_LATENCY, W_LATENCY_NOTE,
	W_LEGEND_IDLE, W_LEGEND_LOADED, W_LEGEND_P95, W_MS_AXIS, W_MS_CHANGE, W_LOST, W_CPU,
	W_CPU_NOTE, W_CORE, W_CORE_FIGURES, W_CORE_UNKNOWN, W_SOFTIRQ_MEAN, W_NO_TELEMETRY,
	W_FREQUENCY, W_TEMPERATURE, W_THROTTLED, W_THROTTLED_NO, W_IRQS, W_COUNTERS,
	W_COUNTER_LINE, W_DROPS, W_OWN_CPU, W_HISTORY, W_HISTORY_NOTE, W_HISTORY_ONE, W_TOPOLOGY,
	W_TOPOLOGY_NOTE, W_THIS_BOX, W_PEER, W_CLIENT, W_NODE_OTHER, W_NO_FAST_PATH, W_MTU,
	W_LINK, W_HANDSHAKE, W_OUTER, W_GOVERNOR, W_TABLE, W_TABLE_NOTE, W_COL_PATH, W_COL_CELL,
	W_COL_MBPS, W_COL_RANGE, W_COL_CI, W_COL_PERCENT, W_COL_TRIALS,
	W_COL_METHOD, W_SEARCH_LINE, W_SEARCH_OPEN, W_REMEASURED, W_REORDERING, W_HOW, W_HOW_CEILING,
	W_HOW_METHODS, W_STREAMS, W_SWAPPED, W_COLON, W_MADE_BY,
	W_N_WORDS
};

const char *bench_word(enum bench_lang lang, enum bench_word word);

/* Words for the names of the file: path kinds, directions, statuses, methods. An unknown method is returned as it is. */
const char *bench_kind_word(enum bench_lang lang, unsigned kind);
const char *bench_direction_word(enum bench_lang lang, unsigned direction);
const char *bench_status_word(enum bench_lang lang, unsigned status);
const char *bench_method_word(struct fb_arena *arena, enum bench_lang lang, const char *method);

#endif
