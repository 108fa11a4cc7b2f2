/* SPDX-License-Identifier: Apache-2.0 */
/* Domain to ASCII of the URL Standard: UTS 46 with Unicode 15.0. The domain is mapped by code
 * points into a label. Each label is checked and written at the full stop that ends it. */
#include "readers/uts46.h"

#include "readers/browser_text.h"
#include "readers/ulabel.h"
#include "readers/ulabel_punycode.h"
#include "readers/ulabel_valid.h"

bool urivet_is_forbidden(uint32_t c)
{
	const uint32_t kinds =
	    BLANK | HASH | SLASHES | COLON | QUESTION | AT | LBRACKET | RBRACKET | PERCENT;
	if (c > 0x7f)
		return false;
	return (urivet_kinds[c] & kinds) != 0 || c == '^' || c == '|' || c == '<' || c == '>';
}

struct domain {
	struct out *o;
	struct ulabel label; /* the current label */
	bool right_to_left;  /* the domain is a Bidi domain name */
	bool breaks_bidi;    /* a label violates the Bidi Rule */
};

/* ---- Labels ----------------------------------------------------------------------- */

static bool is_all_ascii(const struct ulabel *l)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (ulabel_point(l, i) >> 7 != 0)
			return false;
	return true;
}

static bool has_prefix(const struct ulabel *l)
{
	static const char prefix[] = "xn--";
	for (uint32_t i = 0; i < 4; i++)
		if (i >= l->count || ulabel_point(l, i) != (unsigned char)prefix[i])
			return false;
	return true;
}

static bool holds_forbidden(const struct ulabel *l)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (urivet_is_forbidden(ulabel_point(l, i)))
			return true;
	return false;
}

static void note_bidi(struct domain *d)
{
	const struct bidi b = urivet_ulabel_bidi(&d->label);
	d->right_to_left |= b.right_to_left;
	d->breaks_bidi |= !b.obeys;
}

/* Returns true if the label equals the composition of its canonical decomposition, which is
 * computed in the memory after the label. If the result is shorter, the comparison finds a
 * different code point. */
COLD static bool is_normal(const struct ulabel *l)
{
	struct ulabel again = ulabel_in(&l->room, l->top - (size_t)l->count * 3);
	for (uint32_t i = 0; i < l->count; i++) {
		struct expansion e = urivet_uts46_expand(ulabel_point(l, i));
		uint32_t c;
		while (urivet_next_expanded(&e, &c))
			urivet_ulabel_add(&again, c);
	}
	urivet_ulabel_close(&again);
	for (uint32_t i = 0; i < l->count; i++)
		if (ulabel_point(l, i) != ulabel_point(&again, i))
			return false;
	return true;
}

/* UTS 46, section 4, step 4, for a label that begins with "xn--" and was written since `start`. The
 * decoded label must not have that prefix, nor be all ASCII (since revision 31). */
static bool take_encoded(struct domain *d, size_t start)
{
	struct ulabel *const l = &d->label;
	*l = ulabel_in(d->o, l->top);
	if (!urivet_ulabel_decode(l, put_so_far(d->o), (uint32_t)start + 4) || is_all_ascii(l) ||
	    has_prefix(l) || !urivet_ulabel_is_valid(l) || !is_normal(l))
		return false;
	note_bidi(d);
	return true;
}

static bool put_unencoded(struct domain *d)
{
	const struct ulabel *const l = &d->label;
	const size_t start = d->o->length;
	for (uint32_t i = 0; i < l->count; i++)
		put(d->o, ulabel_point(l, i));
	if (has_prefix(l))
		return take_encoded(d, start);
	note_bidi(d);
	return true;
}

/* Step 4 of section 4, and step 2 of section 4.2, for the completed label. */
static bool end_label(struct domain *d)
{
	struct ulabel *const l = &d->label;
	bool written = true;
	urivet_ulabel_close(l);
	if (holds_forbidden(l))
		return false;
	if (l->count > 0 && is_all_ascii(l)) {
		written = put_unencoded(d);
	} else if (l->count > 0) {
		if (has_prefix(l) || !urivet_ulabel_is_valid(l))
			return false;
		note_bidi(d);
		put_string(d->o, "xn--");
		written = urivet_ulabel_encode(l, d->o);
	}
	*l = ulabel_in(d->o, l->top);
	return written;
}

/* ---- Mapping -------------------------------------------------------------------------- */

static bool take_mapped(struct domain *d, uint32_t c)
{
	if (c != '.') {
		urivet_ulabel_add(&d->label, c);
		return c != ' '; /* mappings to a space may need more memory than there is */
	}
	if (!end_label(d))
		return false;
	put(d->o, '.');
	return true;
}

/* Steps 1 and 2 of section 4, for one code point. */
static bool take_point(struct domain *d, uint32_t c)
{
	const unsigned status = urivet_uts46_class(c)->status;
	struct expansion e = urivet_uts46_expand(c);
	if (status == UTS46_IGNORED || status == UTS46_DISALLOWED)
		return status == UTS46_IGNORED;
	while (urivet_next_expanded(&e, &c))
		if (!take_mapped(d, c))
			return false;
	return true;
}

bool urivet_uts46_to_ascii(struct out *o, struct text t, uint32_t at)
{
	const size_t start = o->length;
	struct domain d = {.o = o, .label = ulabel_in(o, o->capacity - 1)};
	while (at < t.end)
		if (!take_point(&d, urivet_next_point(t, &at)))
			return false;
	if (!end_label(&d) || (d.right_to_left && d.breaks_bidi))
		return false;
	return o->length > start;
}
