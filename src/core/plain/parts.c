/* SPDX-License-Identifier: Apache-2.0 */
/* The public parser: a fast path for plain URLs; splitting and matching for all others. */
#include "plain/components.h"
#include "plain/vector.h"

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

/* Sets the components. Returns true if the text matches the grammar; else *misfit is where it does
 * not. */
/*@ requires readable(t) && \valid(uri) && \valid(misfit) && \separated(uri, misfit);
    assigns *uri, *misfit; */
static COLD bool parse(struct urivet_uri *uri, struct text t, uint32_t *misfit)
{
	static const struct leniency none;
	struct kinds_seen seen;
	struct plain p;
	if (urivet_plain(t, &p)) {
		//@ assert plain_in(&p, t);
		plain_components(uri, p.host, p.path, p.tail.path_end);
		//@ assert plain_in(&p, t) && p.host > 0;
		//@ assert parts_in(uri, p.tail.path_end);
		//@ assert p.tail.path_end <= t.end;
		//@ assert parts_in(uri, t.end);
		add_plain_tail(uri, &p, t);
		return true;
	}
	if (p.host > 0) {
		set_plain_parts(t, &p, uri, &seen);
		if (is_legal_tail(&seen))
			return true;
	} else {
		urivet_split(t, SPLIT_REFERENCE, uri, &seen);
	}
	return urivet_match(t, uri, &seen, &none, misfit);
}

/*@ requires \valid(uri) && (misfit == \null || \valid(misfit)) && \separated(uri, misfit);
    assigns *uri, *misfit; */
bool urivet_parse(struct urivet_uri *uri, const void *data, size_t length, size_t *misfit)
{
	uint32_t path = 0, at;
	struct text t;
	if (data == NULL || length > URIVET_MAX_LENGTH)
		return urivet_split_and_match(uri, data, length, misfit);
	t = text_of(data, (uint32_t)length);
	if (is_brief_length(length))
		path = urivet_brief(t);
	if (path > 0) {
		plain_components(uri, octet(t, 4) == 's' ? 8 : 7, path, t.end);
	} else if (!parse(uri, t, &at)) {
		if (misfit != NULL)
			*misfit = at;
		return false;
	}
	if (misfit != NULL)
		*misfit = length;
	return true;
}
