/* SPDX-License-Identifier: Apache-2.0 */
/* Converts spans to octets for callers of the library, never outside the text. */
#include "uri/uri.h"

/* Returns the octets of a span, or data NULL if it exceeds the text. */
/*@ assigns \nothing; */
static struct urivet_text octets_in(struct urivet_text t, struct urivet_span where)
{
	struct urivet_text octets = {NULL, 0};
	const size_t length = t.data != NULL ? t.length : 0; /* a NULL text is empty */
	if (where.offset > length || where.length > length - where.offset)
		return octets;
	octets.data = t.data != NULL ? (const char *)t.data + where.offset : "";
	octets.length = where.length;
	return octets;
}

/* Returns true for the components that are stored in the same text as the authority. */
/*@ assigns \nothing; */
static bool is_of_authority(unsigned component)
{
	return component >= URIVET_AUTHORITY && component <= URIVET_PORT;
}

uint8_t urivet_source_of(const struct urivet_uri *uri, unsigned component)
{
	return is_of_authority(component) ? uri->authority_in : URIVET_IN_INPUT;
}

/*@ requires \valid_read(uri);
    assigns \nothing; */
struct urivet_text urivet_part(const struct urivet_uri *uri, enum urivet_component component,
			       struct urivet_text input, struct urivet_text host)
{
	const struct urivet_text none = {NULL, 0};
	if ((unsigned)component >= URIVET_COMPONENTS || !urivet_has(uri, component))
		return none;
	return octets_in(urivet_source_of(uri, component) == URIVET_IN_INPUT ? input : host,
			 uri->part[component]);
}

/*@ requires \valid_read(finding);
    assigns \nothing; */
struct urivet_text urivet_fault(const struct urivet_finding *finding, struct urivet_text input,
				struct urivet_text host)
{
	return octets_in(finding->in == URIVET_IN_INPUT ? input : host, finding->span);
}
