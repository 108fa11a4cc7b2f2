/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report, from its first look at everything down to the policy that judged. */
#include "cli/show/report_page.h"
#include "cli/records/moment.h"
#include "cli/show/html_page.h"
#include "cli/show/report_plot.h"
#include "cli/show/report_sheet.h"
#include "loader/finding_set.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define TOP       50u /* hosts and domains, where nothing else is said */
#define TOP_SMALL 12u /* schemes and ports */

/* ---- The head ---------------------------------------------------------------------------- */

/* When the page is written; what builds things that can be built again sets it. */
static int64_t now(void)
{
	const char *set = getenv("SOURCE_DATE_EPOCH");
	int64_t seconds;

	if (set != NULL && set[0] != '\0' && moment_read(&seconds, text_of(set)) == strlen(set))
		return seconds;
	return (int64_t)time(NULL);
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

/* "12 of 3,400 records are refused" */
static void write_headline(struct output *out, const struct figures *figures)
{
	const uint64_t records = split_total(figures->records);
	const uint64_t refused = figures->records.refused;

	html(out, "<header>\n<p class=\"kicker\">urivet report</p>\n<h1>");
	if (records == 0) {
		html(out, "There are no records");
	} else if (refused == 0) {
		output_string(out, records > 1 ? "All " : "The only record is accepted");
		if (records > 1) {
			html_number(out, records);
			html(out, " records are accepted");
		}
	} else {
		html_number(out, refused);
		html(out, " of ");
		html_count(out, records, "record");
		output_string(out, refused > 1 ? " are refused" : " is refused");
	}
	html(out, "</h1>\n");
}

static void write_inputs(struct output *out, const struct options *options)
{
	if (options->operands == 0)
		html(out, "standard input");
	for (size_t i = 0; i < options->operands && i < 8; i++) {
		output_string(out, i > 0 ? ", <code>" : "<code>");
		html_octets(out, text_of(options->operand[i]));
		html(out, "</code>");
	}
	if (options->operands > 8) {
		html(out, " and ");
		html_count(out, options->operands - 8, "more input");
	}
}

static void write_origin(struct output *out, const struct options *options)
{
	char moment[MOMENT_CAPACITY];

	moment_write(moment, now(), 5);
	html(out, "<p class=\"soft\">");
	write_inputs(out, options);
	html(out, ", judged by the policy <b>");
	html_prose(out, options->policy.name);
	html(out, "</b> on ");
	html_prose(out, moment);
	html(out, " UTC by urivet ");
	html_prose(out, urivet_version());
	html(out, "</p>\n</header>\n");
}

/* ---- The first look ---------------------------------------------------------------------- */

static void write_tile(struct output *out, uint64_t number, const char *class_, const char *what)
{
	html(out, "<div class=\"tile\"><b class=\"");
	output_string(out, class_);
	html(out, "\">");
	html_number(out, number);
	html(out, "</b><span>");
	html_prose(out, what);
	html(out, "</span></div>\n");
}

static unsigned kinds_of_findings(const struct figures *figures)
{
	unsigned kinds = 0;

	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		kinds += figures->finding[id].records > 0;
	return kinds;
}

/* Distinct keys but the empty one. */
static uint64_t distinct(const struct census *counts)
{
	uint64_t keys = counts->entries;

	for (size_t i = 0; i < counts->entries; i++)
		keys -= counts->entry[i].length == 0;
	return keys;
}

static void write_tiles(struct output *out, const struct figures *figures)
{
	html(out, "<div class=\"tiles\">\n");
	write_tile(out, split_total(figures->records), "all", "records");
	write_tile(out, figures->records.accepted, "t-accepted", "accepted");
	write_tile(out, figures->records.refused, "t-refused", "refused");
	write_tile(out, figures->noted, "all", "with notes");
	write_tile(out, kinds_of_findings(figures), "all", "different findings");
	write_tile(out, distinct(&figures->hosts), "all",
		   figures->hosts.others > 0 ? "hosts, and more" : "hosts");
	html(out, "</div>\n");
}

/* A piece of the bar that stands for all records. */
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

	pieces[0] = (struct piece){"accepted", "accepted, nothing to say",
				   figures->records.accepted - figures->noted};
	pieces[1] = (struct piece){"noted", "accepted, with notes", figures->noted};
	for (unsigned i = 0; i < FIGURES_CLASSES; i++)
		pieces[2 + i] =
		    (struct piece){urivet_class_name(i), words[i], figures->refused_by[i]};
}

static void write_key(struct output *out, const struct piece *piece, uint64_t records)
{
	html(out, "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"");
	output_string(out, piece->class_);
	html(out, "\" width=\"10\" height=\"10\"/></svg><span>");
	html_prose(out, piece->words);
	html(out, "</span> <b>");
	html_number(out, piece->count);
	html(out, "</b> <span class=\"soft\">");
	html_share(out, piece->count, records);
	html(out, "</span></li>\n");
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
		html(out, "<rect class=\"");
		output_string(out, pieces[i].class_);
		html(out, "\" x=\"");
		html_length(out, before, records, 1000);
		html(out, "\" width=\"");
		html_length(out, pieces[i].count, records, 1000);
		html(out, "\" height=\"10\"/>");
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

/* ---- Over time --------------------------------------------------------------------------- */

static void write_outside(struct output *out, struct split split, const char *where)
{
	if (split_total(split) == 0)
		return;
	html(out, " ");
	html_count(out, split_total(split), "record");
	html(out, " far ");
	html_prose(out, where);
	html(out, " (");
	html_number(out, split.refused);
	html(out, " refused) not drawn.");
}

static void write_remainder(struct output *out, uint64_t count, const char *what)
{
	if (count == 0)
		return;
	html(out, " ");
	html_count(out, count, "record");
	html_prose(out, what);
}

static void write_timeline(struct output *out, const struct figures *figures)
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
	html(out, "<section id=\"time\">\n<h2>Over time</h2>\n<p class=\"soft\">From ");
	html_prose(out, first);
	html(out, " to ");
	html_prose(out, last);
	html(out, " UTC; a column is ");
	html_prose(out, timeline.width);
	html(out, ".");
	write_outside(out, timeline.before, "before");
	write_outside(out, timeline.after, "after");
	write_remainder(out, figures->timeless, " without a time stamp.");
	write_remainder(out, figures->minutes.others, " in minutes that memory has no room for.");
	html(out, "</p>\n<div class=\"card\">\n");
	plot_write(out, &timeline.plot);
	html(out, "</div>\n</section>\n");
}

/* ---- Findings ------------------------------------------------------------------------------ */

/* The findings of a kind, the most frequent first. */
struct ranking {
	const struct figures *figures;
	unsigned id[URIVET_FINDING_LIMIT];
	unsigned count;
	uint64_t most; /* records of the first */
};

struct ranked {
	uint64_t records;
	unsigned id;
};

static int by_records(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->records != other->records)
		return one->records > other->records ? -1 : 1;
	return (one->id > other->id) - (one->id < other->id);
}

/* Those that refused a record, or those that never did. */
static void rank(struct ranking *ranking, const struct figures *figures, bool refusing)
{
	struct ranked ranked[URIVET_FINDING_LIMIT];

	*ranking = (struct ranking){.figures = figures};
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct figures_finding *finding = &figures->finding[id];

		if (finding->records > 0 && urivet_finding_info(id) != NULL &&
		    refusing == (finding->refusing > 0))
			ranked[ranking->count++] = (struct ranked){finding->records, id};
	}
	qsort(ranked, ranking->count, sizeof *ranked, by_records);
	for (unsigned i = 0; i < ranking->count; i++)
		ranking->id[i] = ranked[i].id;
	ranking->most = ranking->count > 0 ? ranked[0].records : 0;
}

static void write_tag(struct output *out, unsigned class_)
{
	html(out, "<span class=\"tag ");
	output_string(out, urivet_class_name(class_));
	html(out, "\">");
	output_string(out, urivet_class_name(class_));
	html(out, "</span>");
}

static void write_ranked_row(struct output *out, const struct ranking *ranking, unsigned id)
{
	const struct urivet_finding_row *info = urivet_finding_info(id);
	const struct figures_finding *finding = &ranking->figures->finding[id];

	html(out, "<tr><th scope=\"row\"><a href=\"#f-");
	output_string(out, info->name);
	html(out, "\"><code>");
	output_string(out, info->name);
	html(out, "</code></a></th><td>");
	write_tag(out, info->class_);
	html(out, "</td><td class=\"n\">");
	html_number(out, finding->records);
	html(out, "</td><td class=\"n soft wide\">");
	html_share(out, finding->records, split_total(ranking->figures->records));
	html(out, "</td><td class=\"b wide\">");
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

/* The octets, those at fault marked; where something is absent, an empty mark. */
static void write_marked(struct output *out, const struct figures_example *example)
{
	const uint8_t *fault = example->octets + example->fault;
	const uint8_t *after = fault + example->fault_length;

	html(out, "<code class=\"uri\">");
	if (example->in_host)
		html(out, "<span class=\"cut\">Host: </span>");
	write_cut(out, example->cut_before);
	html_octets(out, (struct text){example->octets, example->fault});
	html(out, "<mark>");
	html_octets(out, (struct text){fault, example->fault_length});
	html(out, "</mark>");
	html_octets(out,
		    (struct text){after, example->length - example->fault - example->fault_length});
	write_cut(out, example->cut_after);
	html(out, "</code>");
}

static void write_example(struct output *out, const struct figures_example *example)
{
	html(out, "<li>");
	write_marked(out, example);
	html(out, "<p class=\"under\"><span>");
	if (example->source != NULL) {
		html_octets(out, text_of(example->source));
		html(out, ", ");
	}
	html(out, "record ");
	html_number(out, example->number);
	output_string(out, example->refused ? ", refused" : ", accepted");
	html(out, "</span>");
	if (example->suggestion > 0) {
		output_string(out, example->refused ? "<span>write instead <code>"
						    : "<span>canonical <code>");
		html_octets(out,
			    (struct text){example->octets + example->length, example->suggestion});
		html(out, "</code></span>");
	}
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

/* "RFC 3986, 3.2.1 - found 12 times - refused 3 of its 10 records" */
static void write_details(struct output *out, const struct urivet_finding_row *info,
			  const struct figures_finding *finding)
{
	html(out, "<p class=\"soft small\">");
	html_prose(out, info->reference);
	if (finding->occurrences > finding->records) {
		html(out, "; found ");
		html_count(out, finding->occurrences, "time");
	}
	if (finding->refusing > 0 && finding->refusing < finding->records) {
		html(out, "; it refused ");
		html_number(out, finding->refusing);
		html(out, " of these records");
	}
	html(out, "</p>\n");
}

static void write_finding(struct output *out, const struct ranking *ranking, unsigned id)
{
	const struct urivet_finding_row *info = urivet_finding_info(id);
	const struct figures_finding *finding = &ranking->figures->finding[id];

	html(out, "<article class=\"card finding\" id=\"f-");
	output_string(out, info->name);
	html(out, "\">\n<header><h3><code>");
	output_string(out, info->name);
	html(out, "</code></h3>");
	write_tag(out, info->class_);
	html(out, "<p><b>");
	html_number(out, finding->records);
	output_string(out, finding->records == 1 ? "</b> record, " : "</b> records, ");
	html_share(out, finding->records, split_total(ranking->figures->records));
	html(out, "</p></header>\n");
	bar_class(out, finding->records, split_total(ranking->figures->records), info->class_);
	html(out, "\n<p>");
	html_own(out, info->text);
	html(out, "</p>\n");
	write_details(out, info, finding);
	write_examples(out, finding);
	html(out, "</article>\n");
}

static void write_kind(struct output *out, const struct figures *figures, bool refusing)
{
	struct ranking ranking;

	rank(&ranking, figures, refusing);
	if (ranking.count == 0)
		return;
	output_string(out, refusing ? "<section id=\"refused\">\n<h2>Why records are refused</h2>\n"
				    : "<section id=\"noted\">\n<h2>Worth knowing</h2>\n");
	output_string(out, refusing
			       ? "<p class=\"soft\">A record counts once for each of its findings, "
				 "so that these are more than the records that are refused.</p>\n"
			       : "<p class=\"soft\">These findings refused nothing here: they are "
				 "notes, or the policy lets them stand.</p>\n");
	write_ranking(out, &ranking);
	for (unsigned i = 0; i < ranking.count; i++)
		write_finding(out, &ranking, ranking.id[i]);
	html(out, "</section>\n");
}

/* ---- Hosts and other keys ------------------------------------------------------------------ */

static struct split split_of(const struct counted *counted)
{
	return (struct split){counted->count - counted->refused, counted->refused};
}

/* A table of keys, and what its words are. */
struct key_table {
	const struct census *counts;
	const char *head; /* of the column of keys */
	const char *none; /* stands for the empty key */
	size_t top;
};

/* A key, or words that stand for one; no words: the key. */
static void write_key_row(struct output *out, struct text key, const char *words,
			  struct split split, uint64_t most)
{
	html(out, "<tr><th scope=\"row\">");
	if (words != NULL) {
		html(out, "<span class=\"soft\">");
		html_prose(out, words);
		html(out, "</span>");
	} else {
		html(out, "<code>");
		html_octets(out, key);
		html(out, "</code>");
	}
	html(out, "</th><td class=\"n\">");
	html_number(out, split_total(split));
	output_string(out, split.refused > 0 ? "</td><td class=\"n t-refused\">"
					     : "</td><td class=\"n soft\">");
	html_number(out, split.refused);
	html(out, "</td><td class=\"b\">");
	bar_split(out, split, most);
	html(out, "</td></tr>\n");
}

/* What stands together: keys below the first, and those that came when there was no room left. */
static struct split sum_of_rest(const struct census *counts, const struct counted_key *keys,
				size_t shown)
{
	struct split rest = {counts->others - counts->others_refused, counts->others_refused};

	for (size_t i = shown; i < counts->entries; i++)
		split_sum(&rest, split_of(keys[i].counted));
	return rest;
}

static void write_rest(struct output *out, struct split rest, uint64_t most)
{
	const uint64_t total = split_total(rest);

	if (total > 0)
		write_key_row(out, (struct text){0}, "all others together", rest,
			      most < total ? total : most);
}

static void write_keys(struct output *out, const struct key_table *table)
{
	const struct census *counts = table->counts;
	struct counted_key *keys = census_sorted(counts);
	const size_t shown = counts->entries < table->top ? counts->entries : table->top;
	uint64_t most;

	if (keys == NULL) {
		out->error = ENOMEM;
		return;
	}
	most = shown > 0 ? keys[0].counted->count : 0;
	html(out, "<div class=\"card scroll\">\n<table><thead><tr><th scope=\"col\">");
	html_prose(out, table->head);
	html(out, "</th><th scope=\"col\" class=\"n\">records</th>"
		  "<th scope=\"col\" class=\"n\">refused</th><th scope=\"col\"></th></tr></thead>"
		  "<tbody>\n");
	for (size_t i = 0; i < shown; i++)
		write_key_row(out, keys[i].key, keys[i].key.length > 0 ? NULL : table->none,
			      split_of(keys[i].counted), most);
	write_rest(out, sum_of_rest(counts, keys, shown), most);
	html(out, "</tbody></table>\n</div>\n");
	free(keys);
}

/* Sums up hosts by the domain that somebody registered; false: no memory. */
static bool sum_domains(struct census *domains, const struct census *hosts,
			const struct urivet_suffixes *suffixes)
{
	bool good = true;

	for (size_t i = 0; good && i < hosts->entries; i++) {
		const struct counted *host = &hosts->entry[i];
		char domain[URIVET_REGISTRABLE_CAPACITY];

		(void)urivet_suffixes_registrable(domain, sizeof domain, suffixes,
						  to_library(census_key(hosts, host)));
		good = census_add_counts(domains, text_of(domain), host->count, host->refused);
	}
	good = census_settle(domains) && good;
	domains->others += hosts->others;
	domains->others_refused += hosts->others_refused;
	return good;
}

static void write_domains(struct output *out, const struct figures *figures,
			  const struct options *options, size_t top)
{
	struct census domains;

	if (options->suffixes == NULL)
		return;
	census_open(&domains, 0);
	html(out, "<h2>Domains</h2>\n<p class=\"soft\">Hosts by the part that somebody registered, "
		  "by the list of public suffixes: whoever holds it decides where the host "
		  "leads.</p>\n");
	if (sum_domains(&domains, &figures->hosts, options->suffixes))
		write_keys(out, &(struct key_table){
				    &domains, "domain",
				    "no domain: an address, a single label, no host", top});
	else
		out->error = ENOMEM;
	census_free(&domains);
}

static void write_hosts(struct output *out, const struct figures *figures,
			const struct options *options)
{
	const size_t top = options->top > 0 ? options->top : TOP;

	html(out, "<section id=\"hosts\">\n<h2>Hosts</h2>\n<p class=\"soft\">");
	html_count(out, distinct(&figures->hosts), "host");
	html(out, ", in lower case; <span class=\"t-accepted\">accepted</span> and "
		  "<span class=\"t-refused\">refused</span> records of each.");
	write_remainder(out, figures->hosts.others, " of hosts that memory has no room for.");
	html(out, "</p>\n");
	write_keys(out,
		   &(struct key_table){&figures->hosts, "host", "no host, or no URI at all", top});
	write_domains(out, figures, options, top);
	html(out, "</section>\n");
}

static void write_schemes(struct output *out, const struct figures *figures)
{
	html(out, "<div class=\"two\">\n<section id=\"schemes\">\n<h2>Schemes</h2>\n");
	write_keys(out, &(struct key_table){&figures->schemes, "scheme",
					    "no scheme, or no URI at all", TOP_SMALL});
	html(out, "</section>\n<section id=\"ports\">\n<h2>Ports</h2>\n");
	write_keys(out, &(struct key_table){&figures->ports, "effective port", "none", TOP_SMALL});
	html(out, "</section>\n</div>\n");
}

static void write_lengths(struct output *out, const struct figures *figures)
{
	struct plot plot;

	plot_lengths(&plot, figures);
	html(out, "<section id=\"lengths\">\n<h2>Lengths</h2>\n<p class=\"soft\">In octets: ");
	html_number(out, figures->octets / split_total(figures->records));
	html(out, " in the mean, ");
	html_number(out, figures->longest);
	html(out, " at most. Below each column stands where it begins.</p>\n"
		  "<div class=\"card\">\n");
	plot_write(out, &plot);
	html(out, "</div>\n</section>\n");
}

/* ---- The policy, and the end ------------------------------------------------------------------ */

static void write_set(struct output *out, const struct urivet_finding_set *set)
{
	const char *between = "";

	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info == NULL || !in_set(set, id))
			continue;
		output_string(out, between);
		html(out, "<code>");
		output_string(out, info->name);
		html(out, "</code>");
		between = ", ";
	}
	output_string(out, between[0] == '\0' ? "nothing" : "");
}

static void write_rules(struct output *out, const struct urivet_policy *policy)
{
	html_count(out, policy->hosts.count, "rule");
	html(out, " about hosts, ");
	html_number(out, policy->addresses.count);
	html(out, " about addresses, ");
	html_number(out, policy->port_count);
	html(out, " about ports, ");
	html_number(out, policy->url_count);
	html(out, " about URLs");
	if (policy->protect_count > 0) {
		html(out, "; ");
		html_count(out, policy->protect_count, "protected name");
	}
}

static void write_term(struct output *out, const char *term)
{
	html(out, "</dd>\n<dt>");
	html_prose(out, term);
	html(out, "</dt><dd>");
}

static void write_policy(struct output *out, const struct options *options)
{
	const struct urivet_policy *policy = &options->policy;

	html(out, "<section id=\"policy\">\n<h2>The policy</h2>\n<div class=\"card\"><dl>"
		  "<dt>Name</dt><dd>");
	html_prose(out, policy->name);
	if (options->policy_path != NULL) {
		write_term(out, "File");
		html(out, "<code>");
		html_octets(out, text_of(options->policy_path));
		html(out, "</code>");
	}
	write_term(out, "Inputs are");
	output_string(out, options->target_records ? "a method, a Host field and a request target"
			   : options->target       ? "request targets"
						   : "URIs");
	write_term(out, "Longest input");
	html_count(out, policy->max_length, "octet");
	write_term(out, "Rules");
	write_rules(out, policy);
	write_term(out, "Lets stand");
	write_set(out, &policy->waived);
	write_term(out, "Refuses beside");
	write_set(out, &policy->raised);
	if (options_observe(options)) {
		write_term(out, "Enforced");
		html(out, "no: refusals are told alone");
	}
	html(out, "</dd></dl></div>\n</section>\n");
}

static void write_end(struct output *out, const struct figures *figures)
{
	html(out, "<footer><p>Octets outside of printable ASCII, the space and the backslash are "
		  "written <code>\\xHH</code>. Passwords and tokens are masked with one * for each "
		  "octet. Nothing here is a link to what was judged, and the page loads nothing.");
	if (figures->dropped > 0) {
		html(out, " ");
		html_count(out, figures->dropped, "finding");
		html(out, " of records that have more than ");
		output_number(out, URIVET_MAX_FINDINGS);
		html(out, " kinds of them are not listed.");
	}
	html(out, "</p></footer>\n</body>\n</html>\n");
}

void report_page_write(struct output *out, const struct figures *figures,
		       const struct options *options)
{
	write_head(out);
	write_headline(out, figures);
	write_origin(out, options);
	write_tiles(out, figures);
	write_whole(out, figures);
	html(out, "<main>\n");
	write_timeline(out, figures);
	write_kind(out, figures, true);
	write_kind(out, figures, false);
	if (split_total(figures->records) > 0) {
		write_hosts(out, figures, options);
		write_schemes(out, figures);
		write_lengths(out, figures);
	}
	write_policy(out, options);
	html(out, "</main>\n");
	write_end(out, figures);
}
