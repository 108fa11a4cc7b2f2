/* SPDX-License-Identifier: Apache-2.0 */
/* The public parser: a fast path for plain URLs; splitting and matching for all others. */
#include "plain/components.h"
#include "plain/vector.h"

void urivet_split(struct text t, enum split_from from, struct urivet_uri *uri,
		  struct kinds_seen *seen)
{
	const uint32_t at = urivet_split_front(t, from, uri, seen);
	const struct tail tail = urivet_tail(t, at);
	urivet_set_tail(t, at, &tail, uri, seen);
}

bool urivet_split_and_match(struct urivet_uri *uri, const void *data, size_t length, size_t *misfit)
{
	static const struct leniency none;
	struct kinds_seen seen;
	uint32_t at = 0;
	bool ok = false;
	if (data == NULL)
		length = 0;
	if (length <= URIVET_MAX_LENGTH) {
		const struct text t = text_of(data, (uint32_t)length);
		urivet_split(t, SPLIT_REFERENCE, uri, &seen);
		ok = urivet_match(t, uri, &seen, &none, &at);
	} else {
		urivet_clear_uri(uri);
		at = URIVET_MAX_LENGTH;
	}
	if (misfit != NULL)
		*misfit = ok ? length : at;
	return ok;
}

/* Sets the components and returns true if scheme and name are plain, and what follows is legal. */
/*@ requires readable(t) && \valid(uri);
    assigns *uri; */
static COLD bool parse_plain(struct urivet_uri *uri, struct text t)
{
	struct kinds_seen seen;
	struct plain p;
	if (!urivet_plain(t, &p)) {
		if (p.host == 0)
			return false;
		set_plain_parts(t, &p, uri, &seen);
		return is_legal_tail(&seen);
	}
	//@ assert plain_in(&p, t);
	plain_components(uri, p.host, p.path, p.tail.path_end);
	//@ assert plain_in(&p, t) && p.host > 0;
	//@ assert parts_in(uri, p.tail.path_end);
	//@ assert p.tail.path_end <= t.end;
	//@ assert parts_in(uri, t.end);
	add_plain_tail(uri, &p, t);
	return true;
}

/* As parse_plain(), for a text that may be brief. */
/*@ requires readable(t) && \valid(uri);
    assigns *uri; */
static inline bool parse_plain_or_brief(struct urivet_uri *uri, struct text t)
{
	const uint32_t path = is_brief_length(t.end) ? urivet_brief(t) : 0;
	if (path == 0)
		return parse_plain(uri, t);
	plain_components(uri, octet(t, 4) == 's' ? 8 : 7, path, t.end);
	return true;
}

/*@ requires \valid(uri) && (misfit == \null || \valid(misfit)) && \separated(uri, misfit);
    assigns *uri, *misfit; */
bool urivet_parse(struct urivet_uri *uri, const void *data, size_t length, size_t *misfit)
{
	if (data == NULL || length > URIVET_MAX_LENGTH ||
	    !parse_plain_or_brief(uri, text_of(data, (uint32_t)length)))
		return urivet_split_and_match(uri, data, length, misfit);
	if (misfit != NULL)
		*misfit = length;
	return true;
}
