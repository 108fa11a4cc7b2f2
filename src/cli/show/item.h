/* SPDX-License-Identifier: Apache-2.0 */
/* One judged or parsed input, ready to be shown, and the three ways to show it. */
#ifndef CLI_ITEM_H
#define CLI_ITEM_H

#include "cli/show/output.h"
#include "cli/show/parameters.h"
#include "cli/show/readings.h"
#include <urivet/policy.h>

/* Where a find of scan stands, and what stands there. */
struct place {
	const char *file; /* "-": standard input */
	uint64_t line;    /* from 1, as is the column, in octets */
	uint64_t column;
	struct text text; /* as found; of an over-long one only the head */
	const char *kind; /* "uri", "abbreviated", "target" or "field" */
	bool broken;      /* white space inside was left out */
	bool hyphen_at_break;
	uint64_t message;  /* of mail, from 1; 0: it is none */
	const char *part;  /* ... its number, as "1.2"; NULL: it is of no part */
	const char *field; /* ... the name of the header field; NULL: it is of none */
	struct text shown; /* the link's text, which names another host; no data: it does not */
};

struct item {
	struct text text; /* of an over-long input only the head */
	size_t length;    /* of the input, in octets */
	bool too_long;
	uint64_t number;    /* of the record or argument from 1; 0: the only one */
	const char *source; /* the input's name for people; NULL: arguments */
	/* What it was judged by; NULL: it was only read. */
	const struct urivet_policy *policy;
	const struct urivet_loaded *loaded; /* ... and where its rules stand; NULL: nowhere */
	bool observed; /* a refusal is told, not enforced */
	const struct urivet_report *report;
	size_t misfit; /* where reading stopped, if it was only read and did not parse */
	/* The Host field beside a request target; no data: none. */
	struct text host;
	/* The URI that a reader other than rfc3986 wrote, in which the components lie; no data: they
	 * lie in the text. */
	struct text written;
	/* The reader that did not take it; NULL: rfc3986, which tells where it stopped. */
	const char *reader;
	const struct readings *readings; /* of all readers; NULL: they were not asked for */
	const struct parameters *parameters; /* of its query; NULL: they were not judged */
	/* The list by which the registrable domain is shown; NULL: it is not. */
	const struct urivet_suffixes *suffixes;
	/* The spelling to write instead; no data: none. */
	struct text suggestion;
	struct urivet_iri iri; /* what became of characters beyond ASCII in it, if that was asked */
	const struct place *place; /* NULL: it was not found in a text */
};

/* A component, in whichever text it lies. No data: there is none. */
static inline struct text item_part(const struct item *item, enum urivet_component component)
{
	struct text text = item->written.data != NULL ? item->written : item->text;

	return from_library(
	    urivet_part(&item->report->uri, component, to_library(text), to_library(item->host)));
}

/* The registrable domain of its host, and a NUL; returns the length. 0, and an empty string: its
 * host has none, or no list tells. */
size_t item_registrable(char domain[URIVET_REGISTRABLE_CAPACITY], const struct item *item);

/* The text that a finding lies in. */
static inline struct text item_source(const struct item *item, const struct urivet_finding *finding)
{
	return finding->in == URIVET_IN_HOST_FIELD ? item->host : item->text;
}

/* Is the finding in its report? */
static inline bool item_has_finding(const struct item *item, unsigned id)
{
	for (uint32_t i = 0; i < item->report->count; i++) {
		if (item->report->finding[i].id == id)
			return true;
	}
	return false;
}

/* The names of the findings with commas between; "-": there are none. */
void output_findings(struct output *out, const struct urivet_report *report);

/* The ten columns; and the whole line, with the columns of a find and the line's end. */
void tsv_columns(struct output *out, const struct item *item);
void tsv_write(struct output *out, const struct item *item);

/* accept or reject, "-", and the suggestion. */
void tsv_write_result(struct output *out, const struct item *item);

/* The same after urivet_suggest_iri(), of which the outcome is the second column. */
void tsv_write_iri(struct output *out, const struct item *item);

/* The word for an outcome of urivet_suggest_iri(). */
static inline const char *item_outcome(const struct urivet_iri *iri)
{
	static const char *const names[] = {[URIVET_IRI_UNMAPPABLE] = "unmappable",
					    [URIVET_IRI_OFFERED] = "offered",
					    [URIVET_IRI_ASCII] = "ascii",
					    [URIVET_IRI_DISAGREE] = "disagree"};

	return names[iri->outcome];
}

/* One object. */
void json_write(struct output *out, const struct item *item);
void json_write_result(struct output *out, const struct item *item);
void json_write_iri(struct output *out, const struct item *item);
void json_write_finding(struct output *out, const struct urivet_finding_row *info);

/* Diagnostics in the manner of a compiler. */
void human_write(struct output *out, const struct item *item);

/* The components, one a line. */
void human_write_components(struct output *out, const struct item *item);

/* As people may read it, in UTF-8, where that is another text: urivet_display(). */
void human_write_display(struct output *out, const struct item *item);

/* All findings of an item, each under its place in the input. */
void human_write_findings(struct output *out, const struct item *item);

/* The rule, or the block of addresses, that decided about a finding; nothing where there is
 * none. */
void human_write_decision(struct output *out, const struct item *item, unsigned finding);

/* The rules that let through what the policy would refuse otherwise, or might have. */
void human_write_allowances(struct output *out, const struct item *item);

/* The parameters that are refused, or all that were judged, each with what is found in it. */
void human_write_parameters(struct output *out, const struct item *item, bool all);

/* The spelling to write instead, if it differs from the input. */
void human_write_spelling(struct output *out, const struct item *item);

/* The input, its components in their colours. */
void human_write_uri(struct output *out, const struct item *item);

/* A component in its colour. */
void human_write_part(struct output *out, const struct item *item, enum urivet_component component);

/* Its host, the registrable domain in it brighter than what stands before. */
void human_write_host(struct output *out, const struct item *item);

/* Under an input that begins `left` columns from the left: the userinfo that is meant to
 * be read as the host, and the host. Nothing where there is no such lure. */
void human_write_lure(struct output *out, const struct item *item, size_t left);

/* A table of what each reader reads, and who disagrees. */
void human_write_readings(struct output *out, const struct readings *readings);

/* Words of `text` in lines of the output's width, each after `indent` spaces. */
void human_write_wrapped(struct output *out, const char *text, size_t indent);

/* What was parsed and not judged. */
void human_write_parsed(struct output *out, const struct item *item);

#endif
