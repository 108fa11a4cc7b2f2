/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the charts of a report: columns over time and by length. */
#include "cli/records/moment.h"
#include "cli/show/html_page.h"
#include "cli/show/report_plot.h"
#include "cli/show/report_sections.h"
#include <errno.h>

static void write_outside(struct output *out, struct split split, const char *where)
{
	if (split_total(split) == 0)
		return;
	html_emit(out, M(" "), counted(split_total(split), "record"), M(" far "), where, M(" ("),
		  split.refused, M(" refused) not drawn."));
}

void report_timeline_write(struct output *out, const struct figures *figures)
{
	struct timeline timeline;
	char first[MOMENT_CAPACITY], last[MOMENT_CAPACITY];

	if (!plot_timeline(&timeline, figures)) {
		if (figures->minutes.entries > 0)
			out->error = ENOMEM;
		return;
	}
	moment_write(first, timeline.first, 5);
	moment_write(last, timeline.last, 5);
	html_emit(out, M("<section id=\"time\">\n<h2>Over time</h2>\n<p class=\"soft\">From "),
		  first, M(" to "), last, M(" UTC; a column is "), timeline.width, M("."));
	write_outside(out, timeline.before, "before");
	write_outside(out, timeline.after, "after");
	html_remainder(out, figures->timeless, " without a time stamp.");
	html_remainder(out, figures->minutes.others, " in minutes that memory has no room for.");
	html(out, "</p>\n<div class=\"card\">\n");
	plot_write(out, &timeline.plot);
	html(out, "</div>\n</section>\n");
}

void report_lengths_write(struct output *out, const struct figures *figures)
{
	struct plot plot;

	plot_lengths(&plot, figures);
	html_emit(
	    out, M("<section id=\"lengths\">\n<h2>Lengths</h2>\n<p class=\"soft\">In octets: "),
	    figures->octets / split_total(figures->records), M(" in the mean, "), figures->longest,
	    M(" at most. Below each column stands where it begins.</p>\n"
	      "<div class=\"card\">\n"));
	plot_write(out, &plot);
	html(out, "</div>\n</section>\n");
}
