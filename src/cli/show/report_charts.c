/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the bars and charts of a report, columns over time and by length, as SVG. It stretches to the
 * width of the page, so text is outside of it. The same figures stand in a table. */
#include "cli/records/moment.h"
#include "cli/show/html_page.h"
#include "cli/show/report_sections.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP   10u  /* width of a column, of which a tenth on each side is empty */
#define HEIGHT 100u /* of a chart */

/* ---- Bars ------------------------------------------------------------------------------ */

static void open_bar(struct output *out)
{
	html(out, "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
		  "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"10\"/>");
}

/* Writes a segment of a bar. A segment that is not empty has a visible minimum width. */
static void write_piece(struct output *out, const char *class_, uint64_t from, uint64_t part,
			uint64_t most)
{
	if (part == 0)
		return;
	html_emit(out, M("<rect class=\""), class_, M("\" x=\""), length(from, most, 99.2),
		  M("\" width=\""), length(part * 125 < most ? most : part * 125, most * 125, 99.2),
		  M("\" height=\"10\"/>"));
}

void bar_split(struct output *out, struct split split, uint64_t most)
{
	open_bar(out);
	write_piece(out, "accept", 0, split.accepted, most);
	write_piece(out, "reject", split.accepted, split.refused, most);
	html(out, "</svg>");
}

void bar_class(struct output *out, uint64_t part, uint64_t most, unsigned class_)
{
	open_bar(out);
	write_piece(out, urivet_class_name(class_), 0, part, most);
	html(out, "</svg>");
}

/* ---- Columns ----------------------------------------------------------------------------- */

#define PLOT_COLUMNS 128u /* maximum */

struct plot_column {
	char label[64]; /* in the table, and as a tooltip */
	char tick[24];  /* below the chart */
	struct split split;
};

struct plot {
	const char *id;     /* unique in the page; from the source, not from input */
	const char *what;   /* title, as "Records over time" */
	const char *column; /* heading of the first column of the table */
	bool every_tick;    /* otherwise only the first, middle and last ticks are shown */
	struct plot_column columns[PLOT_COLUMNS];
	unsigned count;
};

/* One of the two charts of a plot: accepted or refused records. */
struct panel {
	const char *name;
	bool refused;
	uint64_t most;
	const struct plot_column *highest;
};

static uint64_t count_in(const struct plot_column *column, const struct panel *panel)
{
	return panel->refused ? column->split.refused : column->split.accepted;
}

static void find_most(struct panel *panel, const struct plot *plot)
{
	for (unsigned i = 0; i < plot->count; i++) {
		const uint64_t count = count_in(&plot->columns[i], panel);

		if (count > panel->most) {
			panel->most = count;
			panel->highest = &plot->columns[i];
		}
	}
}

static void write_id(struct output *out, const struct plot *plot, const struct panel *panel,
		     const char *part)
{
	html_emit(out, plot->id, M("-"), panel->name, part);
}

/* Writes a description of the chart for screen readers. */
static void write_described(struct output *out, const struct plot *plot, const struct panel *panel)
{
	html(out, "<title id=\"");
	write_id(out, plot, panel, "-title");
	html_emit(out, M("\">"), plot->what, panel->refused ? M(": refused") : M(": accepted"),
		  M("</title><desc id=\""));
	write_id(out, plot, panel, "-desc");
	html_emit(out, M("\">"), counted(plot->count, "column"), M(" from "),
		  plot->columns[0].label, M(" to "), plot->columns[plot->count - 1].label,
		  M("; the highest has "), counted(panel->most, "record"), M(", at "),
		  panel->highest->label, M(". The figures are in the table below.</desc>"));
}

static void write_column(struct output *out, const struct plot_column *column, unsigned at,
			 const struct panel *panel)
{
	const uint64_t count = count_in(column, panel);
	/* a count above 0 has a visible minimum height */
	const uint64_t shown = count > 0 && count * 60 < panel->most ? panel->most : count * 60;

	html_emit(out, M("<g><title>"), column->label, M(": "), count,
		  panel->refused ? M(" refused") : M(" accepted"), M("</title>"));
	emit(out, "<rect class=\"hit\" x=\"", at * STEP, "\" width=\"10\" height=\"100\"/>");
	if (count > 0) {
		emit(out, "<rect class=\"", panel->refused ? "reject" : "accept", "\" x=\"",
		     at * STEP + 1);
		html_emit(out, M("\" y=\""),
			  length(panel->most * 60 - shown, panel->most * 60, HEIGHT),
			  M("\" width=\"8\" height=\""), length(shown, panel->most * 60, HEIGHT),
			  M("\"/>"));
	}
	html(out, "</g>");
}

static void write_panel(struct output *out, const struct plot *plot, const char *name, bool refused)
{
	struct panel panel = {.name = name, .refused = refused};
	const unsigned width = plot->count * STEP;

	find_most(&panel, plot);
	if (panel.most == 0)
		return;
	html_emit(out,
		  refused ? M("<p class=\"name\"><b class=\"reject\">")
			  : M("<p class=\"name\"><b class=\"accept\">"),
		  name, M("</b><span class=\"soft\">at most "), panel.most,
		  M("</span></p>\n<svg role=\"img\" aria-labelledby=\""));
	write_id(out, plot, &panel, "-title");
	output_octet(out, ' ');
	write_id(out, plot, &panel, "-desc");
	emit(out, "\" viewBox=\"0 0 ", width, " 100\" preserveAspectRatio=\"none\">");
	write_described(out, plot, &panel);
	emit(out, "<path class=\"grid\" d=\"M0 0H", width, "M0 50H", width, "M0 100H", width,
	     "\"/>\n");
	for (unsigned i = 0; i < plot->count; i++)
		write_column(out, &plot->columns[i], i, &panel);
	html(out, "</svg>\n");
}

static void write_ticks(struct output *out, const struct plot *plot)
{
	const struct plot_column *const columns = plot->columns;

	html_emit(out, plot->every_tick ? M("<div class=\"ticks each\" aria-hidden=\"true\">")
					: M("<div class=\"ticks\" aria-hidden=\"true\">"));
	for (unsigned i = 0; i < plot->count; i++) {
		const bool is_end = i == 0 || i + 1 == plot->count;

		if (plot->every_tick || is_end || i == plot->count / 2)
			html_emit(out,
				  plot->every_tick || is_end ? M("<span>")
							     : M("<span class=\"mid\">"),
				  columns[i].tick, M("</span>"));
	}
	html(out, "</div>\n");
}

static void write_table(struct output *out, const struct plot *plot)
{
	html_emit(out,
		  M("<details><summary>The figures as a table</summary><div class=\"scroll\">"
		    "<table><thead><tr><th scope=\"col\">"),
		  plot->column,
		  M("</th><th scope=\"col\" class=\"n\">accepted</th>"
		    "<th scope=\"col\" class=\"n\">refused</th></tr></thead><tbody>\n"));
	for (unsigned i = 0; i < plot->count; i++) {
		const struct plot_column *column = &plot->columns[i];

		html_emit(out, M("<tr><th scope=\"row\">"), column->label,
			  M("</th><td class=\"n\">"), column->split.accepted,
			  M("</td><td class=\"n\">"), column->split.refused, M("</td></tr>\n"));
	}
	html(out, "</tbody></table></div></details>\n");
}

static void write_plot(struct output *out, const struct plot *plot)
{
	html(out, "<figure class=\"plot\">\n");
	write_panel(out, plot, "refused", true);
	write_panel(out, plot, "accepted", false);
	write_ticks(out, plot);
	write_table(out, plot);
	html(out, "</figure>\n");
}

/* ---- Lengths ------------------------------------------------------------------------------ */

/* Writes a size as 128, 4 Ki or 1 Mi. */
static void write_size(char *out, size_t size, uint64_t octets)
{
	static const char *const unit[] = {"", " Ki", " Mi", " Gi"};
	unsigned at = 0;

	for (; octets >= 1024 && at < 3; at++)
		octets /= 1024;
	(void)snprintf(out, size, "%llu%s", (unsigned long long)octets, unit[at]);
}

/* Makes a plot of the lengths of records, from the shortest to the longest class that occurs. */
static void plot_lengths(struct plot *plot, const struct figures *figures)
{
	unsigned first = 0, last = FIGURES_LENGTHS;

	*plot = (struct plot){.id = "length",
			      .what = "Records by their length",
			      .column = "octets",
			      .every_tick = true};
	while (first < last && split_total(figures->lengths[first]) == 0)
		first++;
	while (last > first && split_total(figures->lengths[last - 1]) == 0)
		last--;
	for (unsigned i = first; i < last; i++) {
		struct plot_column *column = &plot->columns[plot->count++];

		column->split = figures->lengths[i];
		write_size(column->tick, sizeof column->tick, figures_length_from(i));
		(void)snprintf(column->label, sizeof column->label, "%llu to %llu octets",
			       (unsigned long long)figures_length_from(i),
			       (unsigned long long)figures_length_from(i + 1) - 1);
	}
}

/* ---- Times -------------------------------------------------------------------------------- */

#define DAY       1440
#define DRAWN     96   /* maximum columns for a width */
#define NEGLECTED 1000 /* one in this many records may be left out on each side */

struct minute {
	int64_t minute;
	struct split split;
};

/* Possible widths of columns, in minutes. Days start at 0:00, weeks on Monday. */
static const struct {
	int64_t minutes;
	const char *words;
} widths[] = {{1, "a minute"},
	      {5, "5 minutes"},
	      {15, "15 minutes"},
	      {60, "an hour"},
	      {180, "3 hours"},
	      {360, "6 hours"},
	      {720, "12 hours"},
	      {DAY, "a day"},
	      {7 * DAY, "a week"},
	      {28 * DAY, "four weeks"},
	      {364 * DAY, "52 weeks"},
	      {3640 * DAY, "520 weeks"},
	      {38500 * DAY, "5500 weeks"}};

#define WIDTHS (sizeof widths / sizeof widths[0])

/* Returns the index of the column with this minute. The weeks are aligned to 1970-01-05, a
 * Monday. */
static int64_t column_of(int64_t minute, size_t width)
{
	const int64_t minutes = widths[width].minutes;
	const int64_t from = minutes >= 7 * DAY ? minute - 4 * DAY : minute;

	return from / minutes - (from % minutes < 0 ? 1 : 0);
}

static int64_t column_start(int64_t column, size_t width)
{
	const int64_t minutes = widths[width].minutes;

	return column * minutes + (minutes >= 7 * DAY ? 4 * DAY : 0);
}

static size_t width_for(int64_t first, int64_t last)
{
	size_t width = 0;

	while (width < WIDTHS - 1 && column_of(last, width) - column_of(first, width) >= DRAWN)
		width++;
	return width;
}

static int by_time(const void *a, const void *b)
{
	const struct minute *one = a, *other = b;

	return (one->minute > other->minute) - (one->minute < other->minute);
}

static struct minute *sorted_minutes(const struct census *counts)
{
	struct minute *made = calloc(counts->entries + 1, sizeof *made);

	for (size_t i = 0; made != NULL && i < counts->entries; i++) {
		const struct counted *counted = &counts->entry[i];

		memcpy(&made[i].minute, census_key(counts, counted).data, sizeof made[i].minute);
		made[i].split = (struct split){counted->count - counted->refused, counted->refused};
	}
	if (made != NULL)
		qsort(made, counts->entries, sizeof *made, by_time);
	return made;
}

/* The minutes that are drawn: all of them, or those in the middle if that makes the columns
 * narrower. */
struct range {
	size_t first;
	size_t end;
};

static struct range choose_range(const struct minute *minutes, size_t count)
{
	struct range all = {0, count}, most = all;
	uint64_t total = 0, left = 0, right = 0, few;

	for (size_t i = 0; i < count; i++)
		total += split_total(minutes[i].split);
	few = total / NEGLECTED > 0 ? total / NEGLECTED : total >= 20;
	while (most.first + 1 < most.end && left + split_total(minutes[most.first].split) <= few)
		left += split_total(minutes[most.first++].split);
	while (most.first + 1 < most.end && right + split_total(minutes[most.end - 1].split) <= few)
		right += split_total(minutes[--most.end].split);
	return width_for(minutes[most.first].minute, minutes[most.end - 1].minute) + 1 <
		       width_for(minutes[0].minute, minutes[count - 1].minute)
		   ? most
		   : all;
}

/* A plot over time. A few records far before or after the others are not drawn. */
struct timeline {
	struct plot plot;
	struct split before;
	struct split after;
	int64_t first; /* time of the first column, in seconds since 1970 */
	int64_t last;
	const char *width; /* duration of a column, in words */
};

static void label_column(struct plot_column *column, int64_t start, size_t width)
{
	const unsigned parts = widths[width].minutes < DAY ? 5 : 3;
	char moment[MOMENT_CAPACITY];

	moment_write(moment, start * FIGURES_MINUTE, parts);
	(void)snprintf(column->label, sizeof column->label, "%s", moment);
	(void)snprintf(column->tick, sizeof column->tick, "%.23s", moment);
}

static void fill_columns(struct timeline *timeline, const struct minute *minutes,
			 struct range drawn, size_t width)
{
	struct plot *plot = &timeline->plot;
	const int64_t first = column_of(minutes[drawn.first].minute, width);
	const int64_t last = column_of(minutes[drawn.end - 1].minute, width);

	for (int64_t at = first; at <= last && plot->count < PLOT_COLUMNS; at++)
		label_column(&plot->columns[plot->count++], column_start(at, width), width);
	for (size_t i = drawn.first; i < drawn.end; i++) {
		const int64_t at = column_of(minutes[i].minute, width) - first;

		if (at < (int64_t)plot->count)
			split_sum(&plot->columns[at].split, minutes[i].split);
	}
}

/* Makes a plot over time. Returns false if no record has a time, or there is no memory. */
static bool plot_timeline(struct timeline *timeline, const struct figures *figures)
{
	const size_t count = figures->minutes.entries;
	struct minute *minutes = count > 0 ? sorted_minutes(&figures->minutes) : NULL;
	struct range drawn;
	size_t width;

	*timeline = (struct timeline){
	    .plot = {.id = "time", .what = "Records over time", .column = "from (UTC)"}};
	if (minutes == NULL)
		return false;
	drawn = choose_range(minutes, count);
	for (size_t i = 0; i < drawn.first; i++)
		split_sum(&timeline->before, minutes[i].split);
	for (size_t i = drawn.end; i < count; i++)
		split_sum(&timeline->after, minutes[i].split);
	timeline->first = minutes[drawn.first].minute * FIGURES_MINUTE;
	timeline->last = minutes[drawn.end - 1].minute * FIGURES_MINUTE;
	width = width_for(minutes[drawn.first].minute, minutes[drawn.end - 1].minute);
	timeline->width = widths[width].words;
	fill_columns(timeline, minutes, drawn, width);
	free(minutes);
	return true;
}

/* ---- Sections ---------------------------------------------------------------------------- */

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
	write_plot(out, &timeline.plot);
	html(out, "</div>\n</section>\n");
}

void report_lengths_write(struct output *out, const struct figures *figures)
{
	struct plot plot;

	plot_lengths(&plot, figures);
	html_emit(
	    out, M("<section id=\"lengths\">\n<h2>Lengths</h2>\n<p class=\"soft\">In octets: "),
	    figures->octets / split_total(figures->records), M(" on average, "), figures->longest,
	    M(" at most. Below each column stands where it begins.</p>\n"
	      "<div class=\"card\">\n"));
	write_plot(out, &plot);
	html(out, "</div>\n</section>\n");
}
