/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the summary of a report: the numbers of records and verdicts. */
#include "cli/show/html_page.h"
#include "cli/show/report_sections.h"

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

	pieces[0] = (struct piece){"accept", "accepted, nothing to say",
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

void report_summary_write(struct output *out, const struct figures *figures)
{
	write_tiles(out, figures);
	write_whole(out, figures);
}
