/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the HTML report in English and Japanese. */
#include "lang.h"

#include <string.h>

#include "result.h"
#include "text.h"

const char *const bench_lang_names[] = { "en", "ja" };

static const char *const words[W_N_WORDS][BENCH_N_LANGS] = {
	[W_TITLE] = { "Throughput of %s", "%s のスループット" },
	[W_LEAD] = {
		"Measured by r4s-bench on the box itself. Rates are Mbit/s of payload (10⁶ bits); each comes with its method, its spread and the physical ceiling of its path.",
		"この機器自身が r4s-bench で測った結果です。速度はペイロードの Mbit/s（10⁶ ビット）で、測定法、ばらつき、経路の物理的な上限を添えています。",
	},
	[W_AT] = { "Measured", "測定日時" },
	[W_TOOK] = { "Took", "所要時間" },
	[W_MINUTES] = { "%.0f min", "%.0f 分" },
	[W_SECONDS] = { "%.0f s", "%.0f 秒" },
	[W_BOARD] = { "Board", "機種" },
	[W_KERNEL] = { "Kernel", "カーネル" },
	[W_COMMAND] = { "Command", "コマンド" },
	[W_FAILED_ROWS] = {
		"%zu of %zu measurements gave no figure",
		"%2$zu 件の測定のうち %1$zu 件は値が得られませんでした",
	},
	[W_NO_ROWS] = { "This run has no measurement.", "この実行には測定がありません。" },
	[W_THROUGHPUT] = { "Throughput", "スループット" },
	[W_THROUGHPUT_NOTE] = {
		"One panel for each measurement, one bar for each path: the difference between bars is what a path costs. All panels have the same scale.",
		"枠ごとに一つの測定、棒ごとに一つの経路です。棒の差が、その経路で失われる速度です。目盛はすべて共通です。",
	},
	[W_LEGEND_BAR] = { "figure of the method", "測定法による値" },
	[W_LEGEND_RANGE] = { "lowest to highest trial", "試行の最小から最大" },
	[W_LEGEND_CEILING] = { "computed ceiling", "計算上の上限" },
	[W_MBPS_AXIS] = { "Mbit/s", "Mbit/s" },
	[W_OF_CEILING] = { "ceiling %s Mbit/s", "上限 %s Mbit/s" },
	[W_TILE_CEILING] = { "%.1f %% of %s Mbit/s", "上限 %2$s Mbit/s の %1$.1f %%" },
	[W_NO_FIGURE] = { "no figure", "値なし" },
	[W_LATENCY] = { "Latency under load", "負荷時の遅延" },
	[W_LATENCY_NOTE] = {
		"Round trips to the peer before and during the transfer. A long stroke means that a queue fills up on the way.",
		"転送前と転送中の往復時間です。線が長いほど、途中の待ち行列にデータが溜まっています。",
	},
	[W_LEGEND_IDLE] = { "idle, median", "無負荷、中央値" },
	[W_LEGEND_LOADED] = { "loaded, median", "負荷時、中央値" },
	[W_LEGEND_P95] = {
		"to the 95th percentile, loaded",
		"負荷時の 95 パーセンタイルまで",
	},
	[W_MS_AXIS] = { "ms", "ミリ秒 (ms)" },
	[W_MS_CHANGE] = { "%s → %s ms", "%s → %s ms" },
	[W_LOST] = { "%u of %u lost", "%2$u 個中 %1$u 個損失" },
	[W_CPU] = { "CPU per core over time", "コアごとの CPU 使用率の推移" },
	[W_CPU_NOTE] = {
		"Open a measurement to see each core while it ran. The one with the busiest core is open.",
		"測定を開くと、その間の各コアの様子が見えます。最も忙しいコアのある測定が開いています。",
	},
	[W_CORE] = { "CPU %u", "CPU %u" },
	[W_CORE_FIGURES] = {
		"%s %%, softirq %s %%",
		"%s %%、softirq %s %%",
	},
	[W_CORE_UNKNOWN] = { "no readings over time", "推移の記録なし" },
	[W_SOFTIRQ_MEAN] = {
		"softirq, mean of the run (receiving and forwarding packets)",
		"softirq の平均（パケットの受信と転送）",
	},
	[W_NO_TELEMETRY] = {
		"No telemetry was taken for this measurement.",
		"この測定ではテレメトリを取っていません。",
	},
	[W_FREQUENCY] = { "Clock", "動作周波数" },
	[W_TEMPERATURE] = { "Temperature, start → greatest", "温度（開始時 → 最高）" },
	[W_THROTTLED] = { "Throttled", "温度による減速" },
	[W_THROTTLED_NO] = { "no", "なし" },
	[W_IRQS] = { "Interrupts", "割り込み" },
	[W_COUNTERS] = { "Interface counters", "インターフェースの計数" },
	[W_COUNTER_LINE] = {
		"%s MB in, %s MB out, %s dropped, %s errors",
		"受信 %s MB、送信 %s MB、破棄 %s、エラー %s",
	},
	[W_DROPS] = { "Backlog dropped / squeezed", "バックログの破棄 / 持ち越し" },
	[W_OWN_CPU] = {
		"r4s-bench itself, of one core",
		"r4s-bench 自身（1 コアあたり）",
	},
	[W_HISTORY] = { "History", "履歴" },
	[W_HISTORY_NOTE] = {
		"The same measurement in every file that was given. The percentage is the change from the first to the last. × is a measurement without a figure.",
		"指定したすべてのファイルの同じ測定です。百分率は最初から最後への変化です。× は値が得られなかった測定です。",
	},
	[W_HISTORY_ONE] = {
		"One run so far. Give several files (r4s-bench report OLD.json … NEW.json) to see how figures move.",
		"まだ 1 回分です。複数のファイルを指定すると（r4s-bench report OLD.json … NEW.json）、値の推移が見えます。",
	},
	[W_TOPOLOGY] = { "Paths", "経路" },
	[W_TOPOLOGY_NOTE] = {
		"Who sends to whom, and what lies between.",
		"どこからどこへ、何を通って送ったかを示します。",
	},
	[W_THIS_BOX] = { "this box", "この機器" },
	[W_PEER] = { "peer", "相手" },
	[W_CLIENT] = { "client", "端末" },
	[W_NODE_OTHER] = { "router", "ルーター" },
	[W_NO_FAST_PATH] = { "fast path off", "ファストパスなし" },
	[W_MTU] = { "MTU %u", "MTU %u" },
	[W_LINK] = { "link %.0f Mbit/s", "リンク %.0f Mbit/s" },
	[W_HANDSHAKE] = { "handshake %.0f s ago", "ハンドシェイクから %.0f 秒" },
	[W_OUTER] = { "WireGuard over IPv%d", "IPv%d 上の WireGuard" },
	[W_GOVERNOR] = { "governor", "ガバナー" },
	[W_TABLE] = { "All figures", "すべての値" },
	[W_TABLE_NOTE] = {
		"Mbit/s of payload. The 95 % interval is that of the mean of the trials.",
		"ペイロードの Mbit/s。95 % 区間は試行の平均に対するものです。",
	},
	[W_COL_PATH] = { "Path", "経路" },
	[W_COL_CELL] = { "Measurement", "測定" },
	[W_COL_MBPS] = { "Mbit/s", "Mbit/s" },
	[W_COL_RANGE] = { "Lowest – highest", "最小 – 最大" },
	[W_COL_CI] = { "95 %", "95 %" },
	[W_COL_PERCENT] = { "Of ceiling / Mbit/s", "上限比 / Mbit/s" },
	[W_COL_TRIALS] = { "Trials", "試行数" },
	[W_COL_METHOD] = { "Method", "測定法" },
	[W_SEARCH_LINE] = {
		" · loss ≤ %g %%: between %s and %s Mbit/s offered, %u trials, %.0f s",
		" · 損失 ≤ %g %%：送出 %s から %s Mbit/s の間、試行 %u 回、%.0f 秒",
	},
	[W_SEARCH_OPEN] = {
		" · loss ≤ %g %% even at %s Mbit/s offered, the greatest tried, %u trials, %.0f s",
		" · 最大の送出 %2$s Mbit/s でも損失 ≤ %1$g %%、試行 %3$u 回、%4$.0f 秒",
	},
	[W_REORDERING] = { " · out of order at every rate, so loss alone decided", " · どの速度でも順序が乱れるため、損失だけで判定" },
	[W_REMEASURED] = {
		" · measured again %u times for reordering",
		" · 順序の乱れにより %u 回再測定",
	},
	[W_HOW] = { "Methods", "測定法" },
	[W_HOW_CEILING] = { "Where the ceilings come from", "上限の根拠" },
	[W_HOW_METHODS] = {
		"<ul><li><b>best-of-N</b>: the highest of N trials.</li><li><b>trimmed-mean-of-N</b>: of N trials the highest and the lowest are dropped; mean of the rest, three significant digits.</li><li><b>mean</b>: mean of the trials.</li><li><b>until-confident</b>: repeated until the 95 % interval is narrow enough.</li><li><b>UDP</b>: the greatest rate that arrives while loss stays within the limit.</li></ul>",
		"<ul><li><b>best-of-N</b>：N 回の試行の最大値。</li><li><b>trimmed-mean-of-N</b>：N 回の試行から最大と最小を除いた平均（有効数字 3 桁）。</li><li><b>mean</b>：試行の平均。</li><li><b>until-confident</b>：95 % 区間が十分に狭くなるまで繰り返します。</li><li><b>UDP</b>：損失が限度内に収まる最大の速度。</li></ul>",
	},
	[W_STREAMS] = { "%u streams", "%u ストリーム" },
	[W_SWAPPED] = { "roles swapped", "役割を交換" },
	[W_COLON] = { ": ", "：" },
	[W_MADE_BY] = {
		"Made by %s. This file needs no network and runs no script.",
		"%s が作成しました。このファイルはネットワークもスクリプトも使いません。",
	},
};

static const char *const kinds[BENCH_N_KINDS][BENCH_N_LANGS] = {
	[BENCH_DIRECT] = { "direct", "直結" },
	[BENCH_ROUTED] = { "routed", "ルーター経由" },
	[BENCH_FASTPATH_OFF] = { "fast path off", "ファストパスなし" },
	[BENCH_TUNNEL] = { "tunnel", "トンネル" },
};

static const char *const directions[BENCH_N_DIRECTIONS][BENCH_N_LANGS] = {
	[BENCH_SEND] = { "send", "送信" },
	[BENCH_RECEIVE] = { "receive", "受信" },
	[BENCH_BOTH] = { "both ways", "双方向" },
};

static const char *const statuses[BENCH_N_STATUSES][BENCH_N_LANGS] = {
	[BENCH_OK] = { "ok", "正常" },
	[BENCH_BUSY] = { "server busy", "サーバー使用中" },
	[BENCH_REFUSED] = { "refused", "接続拒否" },
	[BENCH_UNREACHABLE] = { "unreachable", "到達不能" },
	[BENCH_GONE] = { "peer gone", "相手が途中で切断" },
	[BENCH_TIMEOUT] = { "timeout", "時間切れ" },
	[BENCH_LINK_DOWN] = { "link down", "リンク断" },
	[BENCH_VERSION] = { "version mismatch", "版の不一致" },
	[BENCH_NO_FAMILY] = { "no address of this family", "この種のアドレスなし" },
	[BENCH_SKIPPED] = { "skipped", "省略" },
	[BENCH_CUT] = { "cut short", "中断" },
	[BENCH_QUOTA] = { "daily limit reached", "1 日の上限に到達" },
	[BENCH_FAILED] = { "failed", "失敗" },
};

/* The rest of a method's name, after its prefix, goes into the format. */
static const struct method {
	const char *prefix, *ja;
} methods[] = {
	{ "best-of-", "%s 回の最大" },
	{ "trimmed-mean-of-", "%s 回の刈込み平均" },
	{ "mean-of-", "%s 回の平均" },
	{ "mean", "平均%s" },
	{ "until-confident:", "95 %% 区間が ±%s %% になるまで反復" },
	{ "until-confident", "95 %% 区間が狭くなるまで反復%s" },
};

const char *bench_word(enum bench_lang lang, enum bench_word word)
{
	return words[word][lang];
}

const char *bench_kind_word(enum bench_lang lang, unsigned kind)
{
	return kinds[kind][lang];
}

const char *bench_direction_word(enum bench_lang lang, unsigned direction)
{
	return directions[direction][lang];
}

const char *bench_status_word(enum bench_lang lang, unsigned status)
{
	return statuses[status][lang];
}

const char *bench_method_word(struct fb_arena *arena, enum bench_lang lang, const char *method)
{
	for (size_t i = 0; lang == BENCH_JA && i < FB_ARRAY_LEN(methods); i++)
		if (fb_text_starts(method, methods[i].prefix))
			return fb_format(arena, methods[i].ja, method + strlen(methods[i].prefix));
	return method;
}
