/* SPDX-License-Identifier: Apache-2.0 */
/* Converts an IRI to ASCII (RFC 3987, 3.1) if all readers agree on the result. */
#include <urivet/spelling.h>

#include "check/check.h"
#include "names/label.h"
#include "readers/browser_text.h"
#include "check/suggest.h"
#include "uri/host.h"

/* State of a conversion. */
struct translation {
	struct text t;
	struct out o;
	struct urivet_iri *iri;
	bool named;               /* a label became an A-label */
	bool right_to_left;       /* a label is right-to-left, so RFC 5893 applies to all labels */
	struct urivet_span loose; /* the first label that violates RFC 5893 then; empty: none */
};

/* Records why there is no ASCII spelling, and returns false. */
static bool stop(struct translation *x, enum urivet_iri_outcome outcome, unsigned id,
		 struct urivet_span where)
{
	struct utf8 u;
	urivet_label_unit(x->t, where.offset, &u);
	x->iri->outcome = outcome;
	x->iri->id = id;
	x->iri->span = where;
	x->iri->code_point = u.code_point;
	return false;
}

/* Returns the offset of the first raw octet that does not begin a valid UTF-8 character, or whose
 * character continues with triplets; the end if there is none. */
static uint32_t utf8_ends(struct text t)
{
	uint32_t at = find(t, 0, HIGH);
	while (at < t.end) {
		struct utf8 u;
		urivet_utf8(t, at, false, &u);
		if (u.form != UTF8_VALID || u.next - at != u.octets)
			return at;
		at = find(t, u.next, HIGH);
	}
	return at;
}

/* ---- The host -------------------------------------------------------------------- */

/* Records the direction of a label, for the rule of RFC 5893. */
static void note_direction(struct translation *x, const struct label *label, struct urivet_span s)
{
	x->right_to_left = x->right_to_left || label->right_to_left;
	if (!label->right_to_left && !label->left_to_right && x->loose.length == 0)
		x->loose = s;
}

/* Writes an ASCII label unchanged. */
static void put_ascii_label(struct translation *x, uint32_t at, uint32_t end)
{
	struct code_points points;
	struct label label;
	put_copy(&x->o, x->t.data + at, end - at);
	if (!urivet_alabel_points(until(x->t, end), at, &points))
		urivet_label_points(x->t, at, end, &points);
	if (points.count == 0)
		return;
	urivet_read_label(&points, &label);
	note_direction(x, &label, span(at, end));
}

/* Writes a label with characters above 0x7F as an A-label. */
static bool put_alabel(struct translation *x, uint32_t at, uint32_t end)
{
	const struct text t = until(x->t, end);
	const size_t begin = x->o.length;
	struct code_points points;
	struct label label;
	if (find(t, at, PERCENT) < end)
		return stop(x, URIVET_IRI_UNMAPPABLE, URIVET_F_HOST_PERCENT_ENCODED,
			    span(find(t, at, PERCENT), end));
	urivet_label_points(t, at, end, &points);
	if (points.count >= PUNYCODE_POINTS)
		return stop(x, URIVET_IRI_UNMAPPABLE, URIVET_F_IDN_TOOLONG_AFTER_MAPPING,
			    span(at, end));
	urivet_read_label(&points, &label);
	if (!is_agreed(&label))
		return stop(x, URIVET_IRI_DISAGREE, urivet_label_reason(&points, &label),
			    label.first < points.count ? urivet_label_character(t, at, label.first)
						       : span(at, end));
	put_string(&x->o, "xn--");
	urivet_punycode_encode(&x->o, &points);
	if (x->o.length - begin > LONGEST_ALABEL)
		return stop(x, URIVET_IRI_UNMAPPABLE, URIVET_F_IDN_TOOLONG_AFTER_MAPPING,
			    span(at, end));
	note_direction(x, &label, span(at, end));
	x->named = true;
	return true;
}

static bool put_iri_host(struct translation *x, struct urivet_span host)
{
	const struct text t = until(x->t, span_end(host));
	for (uint32_t at = host.offset; at < t.end;) {
		const uint32_t end = label_end(t, at);
		if (find(until(t, end), at, HIGH) == end)
			put_ascii_label(x, at, end);
		else if (!put_alabel(x, at, end))
			return false;
		if (end < t.end)
			put(&x->o, '.');
		at = end + 1;
	}
	if (x->right_to_left && x->loose.length > 0)
		return stop(x, URIVET_IRI_DISAGREE, URIVET_F_IDN_BIDI_RULE, x->loose);
	return true;
}

/* ---- Other components --------------------------------------------------------------- */

/* Writes the text from `at` to `end`, with octets above 0x7F percent-encoded. */
static bool put_iri_text(struct translation *x, uint32_t at, uint32_t end)
{
	const struct text t = until(x->t, end);
	const uint32_t unclear = urivet_find_unclear(t, at);
	if (unclear < end) {
		stop(x, URIVET_IRI_DISAGREE, URIVET_F_IDN_NOT_NFC,
		     urivet_label_character(t, unclear, 0));
		if ((urivet_traits(x->iri->code_point).flags & INVISIBLE) != 0)
			x->iri->id = URIVET_F_NON_ASCII;
		return false;
	}
	for (; at < end; at++) {
		if (is(t, at, HIGH))
			urivet_percent_encode(&x->o, octet(t, at));
		else
			put(&x->o, octet(t, at));
	}
	return true;
}

static bool put_iri(struct translation *x)
{
	struct urivet_uri uri;
	struct kinds_seen seen;
	const uint32_t bad = utf8_ends(x->t);
	if (bad < x->t.end)
		return stop(x, URIVET_IRI_UNMAPPABLE, URIVET_F_NON_ASCII, span(bad, bad + 1));
	urivet_split(x->t, SPLIT_REFERENCE, &uri, &seen);
	if (!urivet_has(&uri, URIVET_HOST))
		return put_iri_text(x, 0, x->t.end);
	return put_iri_text(x, 0, uri.part[URIVET_HOST].offset) &&
	       put_iri_host(x, uri.part[URIVET_HOST]) &&
	       put_iri_text(x, span_end(uri.part[URIVET_HOST]), x->t.end);
}

/* Converts t, or copies it if it is ASCII. Returns the length in octets, which is valid if
 * iri->outcome is OFFERED or ASCII. Sets *named if a label became an A-label. */
static COLD uint32_t translate(struct urivet_iri *iri, char *out, size_t capacity,
			       struct text t, bool *named)
{
	struct translation x = {.t = t, .o = {out, capacity, 0}, .iri = iri};
	if (find(t, 0, HIGH) < t.end) {
		if (put_iri(&x))
			iri->outcome = URIVET_IRI_OFFERED;
	} else {
		put_copy(&x.o, t.data, t.end);
		iri->outcome = URIVET_IRI_ASCII;
	}
	*named = x.named;
	return (uint32_t)x.o.length;
}

/* ---- Suggested spelling -------------------------------------------------------------- */

/* Sets iri->id to the first finding that refuses the conversion or is not a note. */
static COLD void keep_back(struct urivet_iri *iri, struct text t,
			   const struct urivet_policy *policy)
{
	struct short_report memory;
	struct urivet_report *const report = urivet_report_in(&memory);
	if (policy == NULL)
		policy = &urivet_strict;
	urivet_check_by_rules(report, t.data, t.end, policy);
	for (uint32_t k = 0; k < report->count && iri->id == 0; k++)
		if (!urivet_is_note_in(policy, report->finding[k].id,
				       report->finding[k].component) ||
		    urivet_refuses(policy, report->finding[k].id, report->finding[k].component))
			iri->id = report->finding[k].id;
	if (iri->outcome == URIVET_IRI_OFFERED)
		iri->outcome = URIVET_IRI_UNMAPPABLE;
}

/* Returns the finding by which the policy `public` refuses the host as a look-alike, or 0. */
static COLD uint32_t look_alike(struct text t)
{
	static const uint16_t ids[] = {URIVET_F_IDN_MIXED_SCRIPT,
				       URIVET_F_IDN_WHOLE_SCRIPT_CONFUSABLE,
				       URIVET_F_IDN_DIGIT_LOOKALIKE, URIVET_F_IDN_DANGEROUS_PATTERN};
	struct short_report memory;
	struct urivet_report *const report = urivet_report_in(&memory);
	urivet_check_by_rules(report, t.data, t.end, &urivet_public);
	for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++)
		if (is_found(report, ids[k]))
			return ids[k];
	return 0;
}

/* Writes the conversion to the second half of the buffer, and its suggested spelling to the first.
 * Names that look like others are never converted, whatever the policy says; A-labels in the input
 * are kept. */
static size_t spell(struct urivet_iri *iri, char *out, size_t half, struct text t,
		    const struct urivet_policy *policy)
{
	bool named;
	const uint32_t end = translate(iri, out + half, half, t, &named);
	size_t written;
	if (iri->outcome != URIVET_IRI_OFFERED && iri->outcome != URIVET_IRI_ASCII)
		return 0;
	written = urivet_suggest(out, half, out + half, end, policy);
	if (written == 0)
		keep_back(iri, text_of(out + half, end), policy);
	if (written == 0 || !named)
		return written;
	iri->id = look_alike(text_of(out, (uint32_t)written));
	if (iri->id == 0)
		return written;
	iri->outcome = URIVET_IRI_UNMAPPABLE;
	out[0] = '\0';
	return 0;
}

size_t urivet_suggest_iri(struct urivet_iri *iri, char *out, size_t capacity, const void *data,
			  size_t length, const struct urivet_policy *policy)
{
	*iri = (struct urivet_iri){URIVET_IRI_UNMAPPABLE, 0, 0, {0, 0}};
	if (data == NULL)
		length = 0;
	if (capacity > 0)
		out[0] = '\0';
	if (length > URIVET_MAX_LENGTH) {
		iri->id = URIVET_F_URL_TOO_LONG;
		return 0;
	}
	if (capacity < 16 || (capacity - 16) / 8 < length) /* URIVET_CAPACITY_IRI */
		return urivet_size_of(URIVET_CAPACITY_IRI, length);
	return spell(iri, out, 4 * length + 8, text_of(data, (uint32_t)length), policy);
}
