/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the findings of a report with examples, the gravest class first. */
#include "cli/show/catalogue.h"
#include "cli/show/html_page.h"
#include "cli/show/report_sections.h"
#include "common/order.h"
#include <stdlib.h>

/* Findings in the order of the page. Those that list the same records stand together. */
struct ranking {
	const struct figures *figures;
	unsigned id[URIVET_FINDING_LIMIT];
	unsigned count;
	uint64_t most; /* records with the most frequent finding */
};

struct ranked {
	uint64_t records;
	unsigned place; /* weight_of() */
	unsigned id;
};

static int by_place(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	return order_lists((uint64_t[]){one->place, other->records, one->id},
			   (uint64_t[]){other->place, one->records, other->id}, 3);
}

/* Returns true if two examples show the same octets of the same record, with the same mark. */
static bool is_same_example(const struct figures_example *a, const struct figures_example *b)
{
	return a->hash == b->hash && a->number == b->number && a->source == b->source &&
	       a->in_host == b->in_host && a->fault == b->fault &&
	       a->fault_length == b->fault_length && a->length == b->length &&
	       memcmp(a->octets, b->octets, a->length) == 0;
}

/* Returns true if two findings are in the same records, and are shown by the same examples. */
static bool lists_same_records(const struct figures_finding *a, const struct figures_finding *b)
{
	const struct figures_example *one = a->first, *other = b->first;

	if (a->records != b->records || a->hash != b->hash)
		return false;
	while (one != NULL && other != NULL && is_same_example(one, other)) {
		one = one->next;
		other = other->next;
	}
	return one == NULL && other == NULL;
}

static bool is_joined(const struct ranking *ranking, unsigned i)
{
	const struct figures_finding *finding = ranking->figures->finding;

	return i > 0 && i < ranking->count &&
	       lists_same_records(&finding[ranking->id[i]], &finding[ranking->id[i - 1]]);
}

/* Appends a finding, and those after it that list the same records. */
static void append_alike(struct ranking *ranking, struct ranked ranked[], unsigned count)
{
	const struct figures_finding *finding = ranking->figures->finding;
	const unsigned first = ranked[0].id;

	for (unsigned i = 0; i < count; i++) {
		if (ranked[i].records == 0 ||
		    !lists_same_records(&finding[first], &finding[ranked[i].id]))
			continue;
		ranking->id[ranking->count++] = ranked[i].id;
		ranked[i].records = 0;
	}
}

/* Selects the findings that refused a record, or those that never did, and sorts them. */
static void rank(struct ranking *ranking, const struct figures *figures, bool refusing)
{
	struct ranked ranked[URIVET_FINDING_LIMIT];
	unsigned count = 0;

	*ranking = (struct ranking){.figures = figures};
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct figures_finding *finding = &figures->finding[id];

		if (finding->records == 0 || urivet_finding_info(id) == NULL ||
		    refusing != (finding->refusing > 0))
			continue;
		ranked[count++] = (struct ranked){finding->records, weight_of(id, refusing), id};
		if (finding->records > ranking->most)
			ranking->most = finding->records;
	}
	qsort(ranked, count, sizeof *ranked, by_place);
	for (unsigned i = 0; i < count; i++) {
		if (ranked[i].records > 0)
			append_alike(ranking, ranked + i, count - i);
	}
}

static void write_tag(struct output *out, unsigned class_)
{
	html_emit(out, M("<span class=\"tag "), urivet_class_name(class_), M("\">"),
		  urivet_class_name(class_), M("</span>"));
}

static void write_ranked_row(struct output *out, const struct ranking *ranking, unsigned id)
{
	const struct urivet_finding_row *info = urivet_finding_info(id);
	const struct figures_finding *finding = &ranking->figures->finding[id];

	html_emit(out, M("<tr><th scope=\"row\"><a href=\"#f-"), info->name, M("\"><code>"),
		  info->name, M("</code></a></th><td>"));
	write_tag(out, info->class_);
	html_emit(out, M("</td><td class=\"n\">"), finding->records,
		  M("</td><td class=\"n soft wide\">"),
		  share(finding->records, split_total(ranking->figures->records)),
		  M("</td><td class=\"b wide\">"));
	bar_class(out, finding->records, ranking->most, info->class_);
	html(out, "</td></tr>\n");
}

static void write_ranking(struct output *out, const struct ranking *ranking)
{
	html(out,
	     "<div class=\"card scroll ranking\">\n<table><thead><tr><th scope=\"col\">finding</th>"
	     "<th scope=\"col\">class</th><th scope=\"col\" class=\"n\">records</th>"
	     "<th scope=\"col\" class=\"n wide\">of all</th><th scope=\"col\" "
	     "class=\"wide\"></th></tr></thead>"
	     "<tbody>\n");
	for (unsigned i = 0; i < ranking->count; i++)
		write_ranked_row(out, ranking, ranking->id[i]);
	html(out, "</tbody></table>\n</div>\n");
}

static void write_cut(struct output *out, bool cut)
{
	if (cut)
		html(out, "<span class=\"cut\">...</span>");
}

/* Writes the octets of an example with the fault marked. The mark is empty if something is
 * missing. */
static void write_marked(struct output *out, const struct figures_example *example)
{
	const uint8_t *fault = example->octets + example->fault;
	const uint8_t *after = fault + example->fault_length;

	html(out, "<code class=\"uri\">");
	if (example->in_host)
		html(out, "<span class=\"cut\">Host: </span>");
	write_cut(out, example->cut_before);
	html_emit(out, text_at(example->octets, example->fault), M("<mark>"),
		  text_at(fault, example->fault_length), M("</mark>"),
		  text_at(after, example->length - example->fault - example->fault_length));
	write_cut(out, example->cut_after);
	html(out, "</code>");
}

static void write_example(struct output *out, const struct figures_example *example)
{
	html(out, "<li>");
	write_marked(out, example);
	html(out, "<p class=\"under\"><span>");
	if (example->source != NULL)
		html_emit(out, text_of(example->source), M(", "));
	html_emit(out, M("record "), example->number,
		  example->refused ? M(", refused") : M(", accepted"), M("</span>"));
	if (example->suggestion > 0)
		html_emit(out,
			  example->refused ? M("<span>write instead <code>")
					   : M("<span>canonical <code>"),
			  text_at(example->octets + example->length, example->suggestion),
			  M("</code></span>"));
	html(out, "</p></li>\n");
}

static void write_examples(struct output *out, const struct figures_finding *finding)
{
	if (finding->first == NULL)
		return;
	html(out, "<ul class=\"examples\">\n");
	for (const struct figures_example *at = finding->first; at != NULL; at = at->next)
		write_example(out, at);
	html(out, "</ul>\n");
}

/* Writes "RFC 3986, 3.2.1; found 12 times; it refused 3 of these records". */
static void write_details(struct output *out, const struct urivet_finding_row *info,
			  const struct figures_finding *finding)
{
	html_emit(out, M("<p class=\"soft small\">"), info->reference);
	if (finding->occurrences > finding->records)
		html_emit(out, M("; found "), counted(finding->occurrences, "time"));
	if (finding->refusing > 0 && finding->refusing < finding->records)
		html_emit(out, M("; it refused "), finding->refusing, M(" of these records"));
	html(out, "</p>\n");
}

static void write_finding(struct output *out, const struct ranking *ranking, unsigned id)
{
	const struct urivet_finding_row *info = urivet_finding_info(id);
	const struct figures_finding *finding = &ranking->figures->finding[id];

	html_emit(out, M("<header id=\"f-"), info->name, M("\"><h3><code>"), info->name,
		  M("</code></h3>"));
	write_tag(out, info->class_);
	html_emit(out, M("<p><b>"), finding->records,
		  finding->records == 1 ? M("</b> record, ") : M("</b> records, "),
		  share(finding->records, split_total(ranking->figures->records)),
		  M("</p></header>\n"));
	bar_class(out, finding->records, split_total(ranking->figures->records), info->class_);
	html_emit(out, M("\n<p>"), own(info->text), M("</p>\n"));
	write_details(out, info, finding);
}

/* Writes the findings one by one; those that list the same records share a card and its
 * examples. */
static void write_cards(struct output *out, const struct ranking *ranking)
{
	for (unsigned i = 0; i < ranking->count; i++) {
		if (!is_joined(ranking, i))
			html(out, "<article class=\"card finding\">\n");
		write_finding(out, ranking, ranking->id[i]);
		if (is_joined(ranking, i + 1))
			continue;
		write_examples(out, &ranking->figures->finding[ranking->id[i]]);
		html(out, "</article>\n");
	}
}

void report_findings_write(struct output *out, const struct figures *figures, bool refusing)
{
	struct ranking ranking;

	rank(&ranking, figures, refusing);
	if (ranking.count == 0)
		return;
	html_emit(out,
		  refusing ? M("<section id=\"refused\">\n<h2>Why records are refused</h2>\n")
			   : M("<section id=\"noted\">\n<h2>Worth knowing</h2>\n"),
		  refusing ? M("<p class=\"soft\">A record counts once for each of its findings, "
			       "so that these are more than the records that are refused.</p>\n")
			   : M("<p class=\"soft\">These findings refused nothing here: they are "
			       "notes, or the policy lets them stand.</p>\n"));
	write_ranking(out, &ranking);
	write_cards(out, &ranking);
	html(out, "</section>\n");
}
