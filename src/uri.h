/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a URI reference in two steps: cutting it into pieces, which always
 * succeeds (RFC 3986, appendix B), and matching the pieces with the grammar
 * (appendix A). For whatever the grammar takes, the cut is the parse.
 */
#ifndef URIVET_URI_H
#define URIVET_URI_H

#include "text.h"

/* Kinds of octets met in each component: what tells the rules that they have
 * nothing to look for. */
struct kinds_seen {
	uint32_t in[URIVET_COMPONENTS]; /* in[URIVET_WHOLE] is the union */
	uint32_t before_slash;          /* last octets of the path's segments */
	uint32_t after_slash;           /* first octets of those behind a slash */
};

/* Where a text begins. */
enum cut_from {
	CUT_REFERENCE, /* a URI or relative reference */
	CUT_AUTHORITY, /* an authority, as in a Host field */
	CUT_PATH       /* a path that no authority precedes, whatever it begins with */
};

/*
 * Cuts t at the delimiters of appendix B; the authority into userinfo up to
 * the last "@" and port behind the last ":" outside brackets. Sets every field
 * of *uri, with no host kind and no address yet; the host span includes the
 * brackets of a literal.
 */
void urivet_cut(struct text t, enum cut_from from, struct urivet_uri *uri, struct kinds_seen *seen);

/* Octets that a policy makes legal beside the grammar, by component. */
struct leniency {
	uint32_t tail;     /* kinds legal in path, query and fragment */
	uint32_t query;    /* and in the query only */
	bool lone_percent; /* a % that begins no triplet, in path, query and fragment */
};

/*
 * Matches the pieces of a cut with RFC 3986, appendix A. True: a URI reference;
 * sets host kind and address and takes the brackets off the host's span.
 * False: *misfit is the offset of the first octet that fits nowhere.
 */
bool urivet_match(struct text t, struct urivet_uri *uri, const struct kinds_seen *seen,
		  const struct leniency *lenient, uint32_t *misfit);

/* *( kinds / pct-encoded ) over the span: its end, or the first misfit. */
uint32_t urivet_match_kinds(struct text t, struct urivet_span s, uint32_t kinds, bool lone_percent);

/* The number of the scheme that is t up to `end`. */
uint8_t urivet_scheme_number(struct text t, uint32_t end);

/* The port as a number: what is written, else what the scheme implies. */
uint32_t urivet_effective_port(struct text t, const struct urivet_uri *uri);

/* IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) */
bool urivet_is_ipvfuture(struct text t, uint32_t at);

/* The component that the octet at `offset` lies in or that it delimits. */
enum urivet_component urivet_component_at(const struct urivet_uri *uri, uint32_t offset);

/* The port that a known scheme implies, or URIVET_NO_PORT. */
uint32_t urivet_default_port(unsigned scheme);

static inline struct urivet_span span(uint32_t offset, uint32_t end)
{
	struct urivet_span s = {offset, end - offset};
	return s;
}

static inline uint32_t span_end(struct urivet_span s)
{
	return s.offset + s.length;
}

/* Notes the IPv4 address that the host stands for, however it is spelled. */
static inline void urivet_set_ipv4(struct urivet_uri *uri, uint32_t value)
{
	for (unsigned k = 0; k < 4; k++)
		uri->address[k] = (uint8_t)(value >> (24 - 8 * k) & 255);
	uri->has_ipv4 = 1;
}

#endif
