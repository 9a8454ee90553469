/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU per core over the time of a measurement, with what else the box said about itself meanwhile.
 */
#include "svg.h"

#include <math.h>

enum {
	DRAWING_HEIGHT = 56,
	POINTS_MAX = 120
}; /* more points than a phone has pixels to tell them apart */

/* The core that was busiest, NULL if nothing is known of any. */
static const struct bench_core *busiest(const struct bench_telemetry *telemetry)
{
	const struct bench_core *found = NULL;
	for (size_t i = 0; telemetry && i < telemetry->n_cores; i++)
		if (!isnan(telemetry->core[i].busy_percent) &&
		    (!found || telemetry->core[i].busy_percent > found->busy_percent))
			found = &telemetry->core[i];
	return found;
}

/* y positions of at most POINTS_MAX steps, each the mean of the figures that fall into it. */
static size_t thin_out(const struct bench_core *core, double *y)
{
	size_t n = core->n_busy < POINTS_MAX ? core->n_busy : POINTS_MAX;
	for (size_t i = 0; i < n; i++) {
		size_t from = i * core->n_busy / n, to = (i + 1) * core->n_busy / n, known = 0;
		double sum = 0;
		for (size_t k = from; k < to; k++)
			if (!isnan(core->busy[k])) {
				sum += fmax(0, fmin(100, core->busy[k]));
				known++;
			}
		y[i] = known ? DRAWING_HEIGHT * (1 - sum / (double)known / 100) : NAN;
	}
	return n;
}

static void draw_core(struct bench_page *page, const struct bench_core *core, double step_s)
{
	double y[POINTS_MAX];
	size_t n = thin_out(core, y);
	const char *name = fb_format(page->out.arena, bench_page_word(page, W_CORE), core->core);
	PAGE_ADD(page, "<div class=\"core\"><div class=\"figures\"><b>%s</b><span>", name);
	PAGE_ADD(page, bench_page_word(page, W_CORE_FIGURES),
		 bench_page_number(page, core->busy_percent, 0),
		 bench_page_number(page, core->softirq_percent, 0));
	if (!isnan(core->max_khz))
		PAGE_ADD(page, ", %.0f MHz", core->max_khz / 1000);
	PAGE_ADD(page, "</span></div>\n");
	if (!n) {
		PAGE_ADD(page, "<p class=\"failed\">%s</p></div>\n",
			 bench_page_word(page, W_CORE_UNKNOWN));
		return;
	}
	PAGE_ADD(
		page,
		"<div class=\"plot\"><div class=\"scale\" aria-hidden=\"true\"><span>100 %%</span><span>0 %%</span></div>");
	bench_svg_open(page, "cpu", DRAWING_HEIGHT,
		       fb_format(page->out.arena, "%s: %s %%", name,
				 bench_page_number(page, core->busy_percent, 0)));
	bench_svg_bar(page, "track", 100, 0, DRAWING_HEIGHT);
	bench_svg_area(page, "area", y, n, DRAWING_HEIGHT);
	struct bench_scale percent = { 100, 50 };
	bench_svg_grid_y(page, &percent, DRAWING_HEIGHT);
	if (!isnan(core->softirq_percent)) {
		double at = DRAWING_HEIGHT * (1 - fmin(100, core->softirq_percent) / 100);
		PAGE_ADD(
			page,
			"<line class=\"softirq\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
			at, at);
	}
	bench_svg_close(page);
	PAGE_ADD(
		page,
		"<div class=\"ends\" aria-hidden=\"true\"><span>0 s</span><span>%s s</span></div></div></div>\n",
		bench_page_number(page, step_s * (double)core->n_busy, 0));
}

static void draw_row(struct bench_page *page, const struct bench_row *row, bool is_open)
{
	const struct bench_telemetry *telemetry = row->telemetry;
	const struct bench_core *most = busiest(telemetry);
	struct bench_cell cell = bench_cell_of(row);
	PAGE_ADD(page, "<details%s><summary><b>%s</b> · %s", is_open ? " open=\"open\"" : "",
		 bench_page_cut(page, bench_page_series(page, row), 30),
		 bench_page_cell(page, &cell));
	if (most) {
		PAGE_ADD(page, " <span class=\"most\">· ");
		PAGE_ADD(page, bench_page_word(page, W_CORE), most->core);
		PAGE_ADD(page, " %.0f %%</span>", most->busy_percent);
	}
	PAGE_ADD(page, "</summary>\n");
	if (!telemetry) {
		PAGE_ADD(page, "<p class=\"failed\">%s</p></details>\n",
			 bench_page_word(page, W_NO_TELEMETRY));
		return;
	}
	PAGE_ADD(page, "<div class=\"cores\">\n");
	for (size_t i = 0; i < telemetry->n_cores; i++)
		draw_core(page, &telemetry->core[i], telemetry->step_s);
	PAGE_ADD(page, "</div>\n");
	bench_draw_facts(page, telemetry);
	PAGE_ADD(page, "</details>\n");
}

void bench_draw_cpu(struct bench_page *page)
{
	const struct bench_run *run = page->run;
	const struct bench_core *most = NULL;
	size_t open = run->n_rows;
	for (size_t i = 0; i < run->n_rows; i++) {
		const struct bench_core *here = busiest(run->row[i].telemetry);
		if (here && (!most || here->busy_percent > most->busy_percent)) {
			most = here;
			open = i;
		}
	}
	bench_page_section(page, "cpu", W_CPU, W_CPU_NOTE);
	PAGE_ADD(page,
		 "<ul class=\"legend\"><li><svg width=\"30\" height=\"20\" aria-hidden=\"true\">"
		 "<path class=\"softirq\" d=\"M0 10H30\"/></svg> %s</li></ul>\n",
		 bench_page_word(page, W_SOFTIRQ_MEAN));
	PAGE_ADD(page, "<div class=\"measurements\">\n");
	if (open < run->n_rows)
		draw_row(page, &run->row[open], true);
	for (size_t c = 0; c < page->n_cells; c++)
		for (size_t i = 0; i < run->n_rows; i++)
			if (i != open && bench_cell_has(&page->cell[c], &run->row[i]))
				draw_row(page, &run->row[i], false);
	PAGE_ADD(page, "</div>\n");
	if (!run->n_rows)
		PAGE_ADD(page, "<p class=\"failed\">%s</p>\n", bench_page_word(page, W_NO_ROWS));
	bench_page_end(page);
}
