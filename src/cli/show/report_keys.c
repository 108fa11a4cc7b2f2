/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tables of a report: hosts, domains, schemes and ports. */
#include "cli/show/html_page.h"
#include "cli/show/report_sections.h"
#include <errno.h>
#include <stdlib.h>

#define TOP       50u /* default number of hosts and domains */
#define TOP_SMALL 12u /* number of schemes and ports */

static struct split split_of(const struct counted *counted)
{
	return (struct split){counted->count - counted->refused, counted->refused};
}

/* A table of keys, with its headings. */
struct key_table {
	const struct census *counts;
	const char *head; /* heading of the column of keys */
	const char *none; /* shown for the empty key */
	size_t top;
	bool by_refused; /* sort by refused records, and omit keys without any */
};

/* Writes the cells of a row before its bar. Shows `words` instead of the key, if they are not
 * NULL. */
static void begin_key_row(struct output *out, struct octets key, const char *words,
			  struct split split)
{
	html(out, "<tr><th scope=\"row\">");
	if (words != NULL)
		html_emit(out, M("<span class=\"soft\">"), words, M("</span>"));
	else
		html_emit(out, M("<code>"), key, M("</code>"));
	html_emit(out, M("</th><td class=\"n\">"), split_total(split),
		  split.refused > 0 ? M("</td><td class=\"n reject\">")
				    : M("</td><td class=\"n soft\">"),
		  split.refused, M("</td><td class=\"b\">"));
}

static void write_key_row(struct output *out, struct octets key, const char *words,
			  struct split split, uint64_t most)
{
	begin_key_row(out, key, words, split);
	bar_split(out, split, most);
	html(out, "</td></tr>\n");
}

/* Sums up the keys after the first `shown`, and those beyond the census limit. */
static struct split sum_of_rest(const struct census *counts, const struct counted_key *keys,
				size_t shown)
{
	struct split rest = {counts->others - counts->others_refused, counts->others_refused};

	for (size_t i = shown; i < counts->entries; i++)
		split_sum(&rest, split_of(keys[i].counted));
	return rest;
}

/* Writes the row for all other keys. A bar longer than the scale would look like the longest one,
 * so its relative length is written as text. */
static void write_rest(struct output *out, struct split rest, uint64_t most)
{
	const uint64_t total = split_total(rest);

	if (total == 0)
		return;
	begin_key_row(out, (struct octets){0}, "all others together", rest);
	if (total <= most) {
		bar_split(out, rest, most);
	} else {
		html(out, "<span class=\"soft small\">");
		if (most > 0)
			html_emit(out, (total + most / 2) / most, M(" times the longest bar"));
		html(out, "</span>");
	}
	html(out, "</td></tr>\n");
}

/* Returns the number of rows in the table. */
static size_t rows_of(const struct key_table *table, const struct counted_key *keys)
{
	size_t rows = table->counts->entries < table->top ? table->counts->entries : table->top;

	while (table->by_refused && rows > 0 && keys[rows - 1].count == 0)
		rows--;
	return rows;
}

static uint64_t most_of(const struct counted_key *keys, size_t shown)
{
	uint64_t most = 0;

	for (size_t i = 0; i < shown; i++)
		most = keys[i].counted->count > most ? keys[i].counted->count : most;
	return most;
}

static void write_keys(struct output *out, const struct key_table *table)
{
	const struct census *counts = table->counts;
	struct counted_key *keys = census_sorted(counts, table->by_refused);
	const size_t shown = keys != NULL ? rows_of(table, keys) : 0;
	const uint64_t most = most_of(keys, shown);

	if (keys == NULL) {
		out->error = ENOMEM;
		return;
	}
	html_emit(out, M("<div class=\"card scroll\">\n<table><thead><tr><th scope=\"col\">"),
		  table->head,
		  M("</th><th scope=\"col\" class=\"n\">records</th>"
		    "<th scope=\"col\" class=\"n\">refused</th><th scope=\"col\"></th></tr></thead>"
		    "<tbody>\n"));
	for (size_t i = 0; i < shown; i++)
		write_key_row(out, keys[i].key, keys[i].key.length > 0 ? NULL : table->none,
			      split_of(keys[i].counted), most);
	write_rest(out, sum_of_rest(counts, keys, shown), most);
	html(out, "</tbody></table>\n</div>\n");
	free(keys);
}

/* Sums up hosts by registrable domain. Returns false if there is no memory. */
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
	domains->others += hosts->others;
	domains->others_refused += hosts->others_refused;
	return good;
}

static void write_domains(struct output *out, const struct figures *figures,
			  const struct urivet_suffixes *suffixes, size_t top)
{
	struct census domains;

	if (suffixes == NULL)
		return;
	census_open(&domains, 0);
	html(out, "<h2>Domains</h2>\n<p class=\"soft\">Hosts by the part that somebody registered, "
		  "by the list of public suffixes: its owner decides where the host "
		  "leads.</p>\n");
	if (sum_domains(&domains, &figures->hosts, suffixes))
		write_keys(out, &(struct key_table){
				    &domains, "domain",
				    "no domain: an address, a single label, no host", top, false});
	else
		out->error = ENOMEM;
	census_free(&domains);
}

void report_hosts_write(struct output *out, const struct figures *figures,
			const struct urivet_suffixes *suffixes, size_t top)
{
	struct key_table hosts = {.counts = &figures->hosts,
				  .head = "host",
				  .none = "no host, or no URI at all",
				  .top = top > 0 ? top : TOP};

	html_emit(out, M("<section id=\"hosts\">\n<h2>Hosts</h2>\n<p class=\"soft\">"),
		  counted(census_distinct(&figures->hosts), "host"),
		  M(", in lower case; <span class=\"accept\">accepted</span> and "
		    "<span class=\"reject\">refused</span> records of each."));
	html_remainder(out, figures->hosts.others, " of hosts that memory has no room for.");
	html(out, "</p>\n");
	write_keys(out, &hosts);
	if (figures->records.refused > 0) {
		hosts.by_refused = true;
		html(out, "<h2>Hosts by refusals</h2>\n");
		write_keys(out, &hosts);
	}
	write_domains(out, figures, suffixes, hosts.top);
	html(out, "</section>\n");
}

void report_schemes_write(struct output *out, const struct figures *figures)
{
	html(out, "<div class=\"two\">\n<section id=\"schemes\">\n<h2>Schemes</h2>\n");
	write_keys(out, &(struct key_table){&figures->schemes, "scheme",
					    "no scheme, or no URI at all", TOP_SMALL, false});
	html(out, "</section>\n<section id=\"ports\">\n<h2>Ports</h2>\n");
	write_keys(
	    out, &(struct key_table){&figures->ports, "effective port", "none", TOP_SMALL, false});
	html(out, "</section>\n</div>\n");
}
