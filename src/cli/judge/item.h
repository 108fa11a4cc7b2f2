/* SPDX-License-Identifier: Apache-2.0 */
/* A judged or parsed input. */
#ifndef CLI_ITEM_H
#define CLI_ITEM_H

#include "cli/judge/parameters.h"
#include "cli/judge/readings.h"
#include "common/text/output.h"
#include <urivet/policy.h>
#include <urivet/spelling.h>

/* The position of a find of scan, and its text. */
struct place {
	const char *file; /* "-": standard input */
	uint64_t line;    /* from 1, as is the column, which counts octets */
	uint64_t column;
	uint64_t further; /* octets of the column that begin no character */
	struct octets text; /* as found; only the head if it is over-long */
	const char *kind; /* "uri", "image", "abbreviated", "target" or "field" */
	bool broken;      /* white space inside was removed */
	bool hyphen_at_break;
	bool is_verbatim; /* the file has the octets of `text` at this position */
	uint64_t message;  /* mail: number of the message, from 1; 0: no mail */
	const char *part;  /* ... number of the part, as "1.2"; NULL: no part */
	const char *field; /* ... name of the header field; NULL: no field */
	uint64_t hidden_line; /* position of invisible characters near it; 0: there are none */
	uint64_t hidden_column;
	struct octets shown; /* link text that names another host; data is NULL if there is none */
};

struct item {
	struct octets text; /* only the head of an over-long input */
	size_t length;    /* of the input, in octets */
	bool too_long;
	uint64_t number;    /* number of the record or argument, from 1; 0: the only one */
	const char *source; /* name of the input in messages; NULL: arguments */
	/* The policy; NULL: only parsed. */
	const struct urivet_policy *policy;
	const struct urivet_loaded *loaded; /* ... and the file of its rules; NULL: none */
	bool observed;                      /* a refusal is reported, not enforced */
	const struct urivet_report *report;
	size_t misfit; /* where parsing stopped, if it was only parsed and failed */
	/* The Host field of a request; data is NULL if there is none. */
	struct octets host;
	/* The URI that a reader other than rfc3986 wrote, which contains the components. Data is
	 * NULL if `text` contains them. */
	struct octets written;
	/* The reader that rejected the text; NULL: rfc3986, which sets `misfit`. */
	const char *reader;
	const struct readings *readings;     /* of all readers; NULL: not requested */
	const struct parameters *parameters; /* of the query; NULL: not judged */
	/* The list for the registrable domain; NULL: the domain is not shown. */
	const struct urivet_suffixes *suffixes;
	struct host_cache *hosts; /* their domains by that list; not NULL if there is one */
	/* The suggested spelling; data is NULL if there is none. */
	struct octets suggestion;
	struct urivet_iri iri; /* the result for non-ASCII characters, if requested */
	bool shows_outcome;    /* ... is shown with the suggestion */
	const struct place *place; /* NULL: it is not a find of scan */
};

/* Returns a component, from the text that contains it. Data is NULL if it is absent. */
static inline struct octets item_part(const struct item *item, enum urivet_component component)
{
	struct octets text = item->written.data != NULL ? item->written : item->text;

	return from_library(
	    urivet_part(&item->report->uri, component, to_library(text), to_library(item->host)));
}

/* Returns an empty cache of the registrable domains of hosts, of one thread and one list, which the
 * caller must free(); NULL if there is no memory. */
struct host_cache *host_cache_new(void);

/* Returns the registrable domain of the host; data is NULL if it has none or there is no list. The
 * text is valid until the next call with the same cache, and as long as that of the item. */
struct octets item_registrable(const struct item *item);

/* Returns an item for human output of a text that is not a record. Only the start of an over-long
 * text is shown. */
static inline struct item item_of(struct octets text, const struct urivet_report *report,
				  const struct urivet_policy *policy,
				  const struct urivet_loaded *loaded)
{
	const uint32_t shown = policy->max_length < 64 ? policy->max_length : 64;
	const bool too_long = text.length > policy->max_length;

	return (struct item){.text = text_at(text.data, too_long ? shown : text.length),
			     .length = text.length,
			     .too_long = too_long,
			     .policy = policy,
			     .loaded = loaded,
			     .report = report};
}

/* Returns the text that a finding is in. */
static inline struct octets item_source(const struct item *item, const struct urivet_finding *finding)
{
	return finding->in == URIVET_IN_HOST_FIELD ? item->host : item->text;
}

/* Returns true if the report contains the finding. */
static inline bool item_has_finding(const struct item *item, unsigned id)
{
	for (uint32_t i = 0; i < item->report->count; i++) {
		if (item->report->finding[i].id == id)
			return true;
	}
	return false;
}

/* Returns the word for an outcome of urivet_suggest_iri(). */
static inline const char *item_outcome(const struct urivet_iri *iri)
{
	static const char *const names[] = {[URIVET_IRI_UNMAPPABLE] = "unmappable",
					    [URIVET_IRI_OFFERED] = "offered",
					    [URIVET_IRI_ASCII] = "ascii",
					    [URIVET_IRI_DISAGREE] = "disagree"};

	return names[iri->outcome];
}

#endif
