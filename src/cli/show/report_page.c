/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a report: head, sections, policy and footer. */
#include "cli/records/moment.h"
#include "cli/show/html_page.h"
#include "cli/show/report_sections.h"
#include "common/finding_set.h"
#include <stdlib.h>
#include <time.h>

/* ---- The head ---------------------------------------------------------------------------- */

/* Returns the time for the page. Reproducible builds set SOURCE_DATE_EPOCH. */
static int64_t now(void)
{
	const char *set = getenv("SOURCE_DATE_EPOCH");
	int64_t seconds;

	return set != NULL && moment_read(&seconds, text_of(set)) > 0 ? seconds : (int64_t)time(NULL);
}

static void write_head(struct output *out)
{
	html(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
	report_sheet_write(out);
	html(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		  "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
		  "<meta name=\"format-detection\" "
		  "content=\"telephone=no, date=no, address=no, email=no, url=no\"/>\n"
		  "<title>urivet report</title>\n</head>\n<body>\n");
}

/* Writes "12 of 3,400 records are refused". */
static void write_headline(struct output *out, const struct figures *figures)
{
	const uint64_t records = split_total(figures->records);
	const uint64_t refused = figures->records.refused;

	html(out, "<header>\n<p class=\"kicker\">urivet report</p>\n<h1>");
	if (records == 0) {
		html(out, "There are no records");
	} else if (refused == 0) {
		output_string(out, records > 1 ? "All " : "The only record is accepted");
		if (records > 1)
			html_emit(out, records, M(" records are accepted"));
	} else {
		html_emit(out, refused, M(" of "), counted(records, "record"),
			  refused > 1 ? M(" are refused") : M(" is refused"));
	}
	html(out, "</h1>\n");
}

static void write_inputs(struct output *out, const struct read_options *options)
{
	if (options->operands == 0)
		html(out, "standard input");
	for (size_t i = 0; i < options->operands && i < 8; i++)
		html_emit(out, i > 0 ? M(", <code>") : M("<code>"), text_of(options->operand[i]),
			  M("</code>"));
	if (options->operands > 8)
		html_emit(out, M(" and "), counted(options->operands - 8, "more input"));
}

static void write_origin(struct output *out, const struct read_options *inputs,
			 const struct urivet_policy *policy)
{
	char moment[MOMENT_CAPACITY];

	moment_write(moment, now(), 5);
	html(out, "<p class=\"soft\">");
	write_inputs(out, inputs);
	html_emit(out, M(", judged by the policy <b>"), policy->name, M("</b> on "), moment,
		  M(" UTC by urivet "), urivet_version(), M("</p>\n"));
}

/* Writes what the reader should do. */
static void write_advice(struct output *out, const struct figures *figures)
{
	html_emit(out,
		  figures->records.refused > 0
		      ? M("<p>Take the findings below from the top: correct each record as its "
			  "example suggests, or drop it; if you need it as it is, "
			  "<code>--allow</code> the finding by name.</p>\n</header>\n")
		      : M("<p>There is nothing to correct.</p>\n</header>\n"));
}

/* ---- The summary ------------------------------------------------------------------------- */

static void write_tile(struct output *out, uint64_t number, const char *class_, const char *what)
{
	html_emit(out, M("<div class=\"tile\"><b class=\""), class_, M("\">"), number,
		  M("</b><span>"), what, M("</span></div>\n"));
}

static unsigned kinds_of_findings(const struct figures *figures)
{
	unsigned kinds = 0;

	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		kinds += figures->finding[id].records > 0;
	return kinds;
}

static void write_tiles(struct output *out, const struct figures *figures)
{
	html(out, "<div class=\"tiles\">\n");
	write_tile(out, split_total(figures->records), "all", "records");
	write_tile(out, figures->records.accepted, "accept", "accepted");
	write_tile(out, figures->records.refused, "reject", "refused");
	write_tile(out, figures->noted, "all", "with notes");
	write_tile(out, kinds_of_findings(figures), "all", "different findings");
	write_tile(out, census_distinct(&figures->hosts), "all",
		   figures->hosts.others > 0 ? "hosts, and more" : "hosts");
	html(out, "</div>\n");
}

/* A segment of the bar for all records. */
struct piece {
	const char *class_; /* of its colour */
	const char *words;
	uint64_t count;
};

#define PIECES (2u + FIGURES_CLASSES)

static void make_pieces(struct piece pieces[PIECES], const struct figures *figures)
{
	static const char *const words[FIGURES_CLASSES] = {
	    [URIVET_MALFORMED] = "refused: malformed, no URI by RFC 3986",
	    [URIVET_AMBIGUOUS] = "refused: ambiguous, readers differ",
	    [URIVET_DANGEROUS] = "refused: dangerous, a tool of attacks",
	    [URIVET_POLICY] = "refused: against a rule of the policy",
	    [URIVET_NOTE] = "refused: for a note that the policy raises"};

	pieces[0] = (struct piece){"accept", "accepted, no notes",
				   figures->records.accepted - figures->noted};
	pieces[1] = (struct piece){"noted", "accepted, with notes", figures->noted};
	for (unsigned i = 0; i < FIGURES_CLASSES; i++)
		pieces[2 + i] =
		    (struct piece){urivet_class_name(i), words[i], figures->refused_by[i]};
}

static void write_key(struct output *out, const struct piece *piece, uint64_t records)
{
	html_emit(out, M("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\""),
		  piece->class_, M("\" width=\"10\" height=\"10\"/></svg><span>"), piece->words,
		  M("</span> <b>"), piece->count, M("</b> <span class=\"soft\">"),
		  share(piece->count, records), M("</span></li>\n"));
}

static void write_whole_bar(struct output *out, const struct piece pieces[PIECES], uint64_t records)
{
	uint64_t before = 0;

	html(out, "<svg class=\"whole\" role=\"img\" aria-labelledby=\"whole-title whole-desc\" "
		  "viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\">"
		  "<title id=\"whole-title\">What became of the records</title>"
		  "<desc id=\"whole-desc\">One bar, whose pieces are listed below with their "
		  "figures.</desc><rect class=\"track\" width=\"1000\" height=\"10\"/>");
	for (unsigned i = 0; i < PIECES; i++) {
		if (pieces[i].count == 0)
			continue;
		html_emit(out, M("<rect class=\""), pieces[i].class_, M("\" x=\""),
			  length(before, records, 1000), M("\" width=\""),
			  length(pieces[i].count, records, 1000), M("\" height=\"10\"/>"));
		before += pieces[i].count;
	}
	html(out, "</svg>\n");
}

static void write_whole(struct output *out, const struct figures *figures)
{
	const uint64_t records = split_total(figures->records);
	struct piece pieces[PIECES];

	if (records == 0)
		return;
	make_pieces(pieces, figures);
	html(out, "<div class=\"card\">\n");
	write_whole_bar(out, pieces, records);
	html(out, "<ul class=\"key\">\n");
	for (unsigned i = 0; i < PIECES; i++) {
		if (pieces[i].count > 0)
			write_key(out, &pieces[i], records);
	}
	html(out, "</ul>\n</div>\n");
}

/* ---- Policy and footer ----------------------------------------------------------------------- */

static void write_set(struct output *out, const struct urivet_finding_set *set)
{
	const char *between = "";

	for (EACH_IN_SET(id, set)) {
		html_emit(out, between, M("<code>"), urivet_finding_info(id)->name, M("</code>"));
		between = ", ";
	}
	output_string(out, between[0] == '\0' ? "nothing" : "");
}

static void write_rules(struct output *out, const struct urivet_policy *policy)
{
	html_emit(out, counted(policy->hosts.count, "rule"), M(" about hosts, "),
		  policy->addresses.count, M(" about addresses, "), policy->port_count,
		  M(" about ports, "), policy->url_count, M(" about URLs"));
	if (policy->protect_count > 0)
		html_emit(out, M("; "), counted(policy->protect_count, "protected name"));
}

static void write_term(struct output *out, const char *term)
{
	html_emit(out, M("</dd>\n<dt>"), term, M("</dt><dd>"));
}

static void write_policy(struct output *out, const struct judge_options *options)
{
	const struct urivet_policy *policy = &options->policy;

	html_emit(out,
		  M("<section id=\"policy\">\n<h2>The policy</h2>\n<div class=\"card\"><dl>"
		    "<dt>Name</dt><dd>"),
		  policy->name);
	if (options->policy_path != NULL) {
		write_term(out, "File");
		html_emit(out, M("<code>"), text_of(options->policy_path), M("</code>"));
	}
	write_term(out, "Inputs are");
	output_string(out, options->target.records ? "a method, a Host field and a request target"
			   : options->target.given ? "request targets"
						   : "URIs");
	write_term(out, "Longest input");
	html_emit(out, counted(policy->max_length, "octet"));
	write_term(out, "Rules");
	write_rules(out, policy);
	write_term(out, "Waives");
	write_set(out, &policy->waived);
	write_term(out, "Refuses beside");
	write_set(out, &policy->raised);
	if (options_observe(options)) {
		write_term(out, "Enforced");
		html(out, "no: refusals are reported only");
	}
	html(out, "</dd></dl></div>\n</section>\n");
}

static void write_end(struct output *out, const struct figures *figures)
{
	html(out, "<footer><p>Octets outside of printable ASCII, the space and the backslash are "
		  "written <code>\\xHH</code>. Passwords and tokens are masked with one * for each "
		  "octet. Nothing here is a link to what was judged, and the page loads nothing.");
	if (figures->dropped > 0) {
		html_emit(out, M(" Not listed: "), counted(figures->dropped, "finding"),
			  M(" of records that have more than "));
		output_number(out, URIVET_MAX_FINDINGS);
		html(out, " kinds of them.");
	}
	html(out, "</p></footer>\n</body>\n</html>\n");
}

void report_page_write(struct output *out, const struct figures *figures,
		       const struct read_options *inputs, const struct judge_options *judging,
		       uint32_t top)
{
	write_head(out);
	write_headline(out, figures);
	write_origin(out, inputs, &judging->policy);
	write_advice(out, figures);
	write_tiles(out, figures);
	write_whole(out, figures);
	html(out, "<main>\n");
	report_timeline_write(out, figures);
	report_findings_write(out, figures, true);
	report_findings_write(out, figures, false);
	if (split_total(figures->records) > 0) {
		report_hosts_write(out, figures, judging->suffixes, top);
		report_schemes_write(out, figures);
		report_lengths_write(out, figures);
	}
	write_policy(out, judging);
	html(out, "</main>\n");
	write_end(out, figures);
}
