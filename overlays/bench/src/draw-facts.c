/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the box said about itself during one measurement, as a list. */
#include "page.h"

#include <math.h>
#include <string.h>

static void open_fact(struct bench_page *page, enum bench_word word)
{
	PAGE_ADD(page, "<dt>%s</dt><dd>", bench_page_word(page, word));
}

/* Per policy, greatest share first as the file has it: "policy4: 1800 MHz 97 %, 1608 MHz 3 %". */
static void draw_frequencies(struct bench_page *page, const struct bench_telemetry *telemetry)
{
	if (!telemetry->n_residencies)
		return;
	open_fact(page, W_FREQUENCY);
	const char *policy = NULL;
	for (size_t i = 0; i < telemetry->n_residencies; i++) {
		const struct bench_residency *residency = &telemetry->residency[i];
		if (isnan(residency->percent) || residency->percent < 0.5)
			continue; /* rounds to nothing */
		bool is_new = !policy || strcmp(policy, residency->policy);
		if (is_new)
			PAGE_ADD(page, "%s%s: ", policy ? "<br/>" : "",
				 bench_page_escape(page, residency->policy));
		PAGE_ADD(page, "%s%.0f MHz %.0f %%", is_new ? "" : ", ", residency->khz / 1000,
			 residency->percent);
		policy = residency->policy;
	}
	PAGE_ADD(page, "</dd>\n");
}

static void draw_heat(struct bench_page *page, const struct bench_telemetry *telemetry)
{
	if (telemetry->n_temperatures) {
		open_fact(page, W_TEMPERATURE);
		for (size_t i = 0; i < telemetry->n_temperatures; i++) {
			const struct bench_temperature *zone = &telemetry->temperature[i];
			PAGE_ADD(page, "%s%s %s → %s °C", i ? "<br/>" : "",
				 bench_page_escape(page, zone->zone),
				 bench_page_number(page, zone->start_c, 1),
				 bench_page_number(page, zone->max_c, 1));
		}
		PAGE_ADD(page, "</dd>\n");
	}
	if (isnan(telemetry->throttled_count))
		return;
	PAGE_ADD(page, "<dt>%s</dt><dd>", bench_page_word(page, W_THROTTLED));
	if (telemetry->throttled_count > 0)
		PAGE_ADD(page, "<b class=\"warn\">%.0f</b></dd>\n", telemetry->throttled_count);
	else
		PAGE_ADD(page, "%s</dd>\n", bench_page_word(page, W_THROTTLED_NO));
}

static void draw_irqs(struct bench_page *page, const struct bench_telemetry *telemetry)
{
	size_t n = 0;
	for (size_t i = 0; i < telemetry->n_irqs; i++) {
		const struct bench_irq *irq = &telemetry->irq[i];
		if (!(irq->per_s >= 1)) /* too rare to matter, and there are many of them */
			continue;
		if (!n++)
			open_fact(page, W_IRQS);
		PAGE_ADD(page, "%s%s: ", n > 1 ? "<br/>" : "", bench_page_escape(page, irq->name));
		PAGE_ADD(page, bench_page_word(page, W_CORE), irq->core);
		PAGE_ADD(page, ", %.0f/s", irq->per_s);
	}
	if (n)
		PAGE_ADD(page, "</dd>\n");
}

static void draw_counters(struct bench_page *page, const struct bench_telemetry *telemetry)
{
	if (!telemetry->n_ifaces)
		return;
	open_fact(page, W_COUNTERS);
	for (size_t i = 0; i < telemetry->n_ifaces; i++) {
		const struct bench_iface *iface = &telemetry->iface[i];
		double dropped = iface->rx_dropped + iface->tx_dropped;
		PAGE_ADD(page, "%s%s: ", i ? "<br/>" : "", bench_page_escape(page, iface->dev));
		PAGE_ADD(page, bench_page_word(page, W_COUNTER_LINE),
			 bench_page_number(page, iface->rx_bytes / 1e6, 1),
			 bench_page_number(page, iface->tx_bytes / 1e6, 1),
			 bench_page_number(page, dropped, 0),
			 bench_page_number(page, iface->errors, 0));
	}
	PAGE_ADD(page, "</dd>\n");
}

void bench_draw_facts(struct bench_page *page, const struct bench_telemetry *telemetry)
{
	PAGE_ADD(page, "<dl>\n");
	draw_frequencies(page, telemetry);
	draw_heat(page, telemetry);
	draw_irqs(page, telemetry);
	draw_counters(page, telemetry);
	if (!isnan(telemetry->softnet_dropped) || !isnan(telemetry->softnet_squeezed)) {
		open_fact(page, W_DROPS);
		PAGE_ADD(page, "%s / %s</dd>\n",
			 bench_page_number(page, telemetry->softnet_dropped, 0),
			 bench_page_number(page, telemetry->softnet_squeezed, 0));
	}
	if (!isnan(telemetry->own_cpu_percent)) {
		open_fact(page, W_OWN_CPU);
		PAGE_ADD(page, "%.1f %%</dd>\n", telemetry->own_cpu_percent);
	}
	PAGE_ADD(page, "</dl>\n");
}
