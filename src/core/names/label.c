/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classifies a label, character by character. A label counts as agreed only if IDNA 2003, IDNA 2008
 * and UTS 46 all leave it unchanged. Some labels that NFC leaves unchanged are excluded too, since
 * some readers compose their characters. This is based on tests with real readers
 * (tests/core/names).
 */
#include "names/label.h"

#include "text/words.h"
#include "uri/uri.h"

/* The state while a label is read. */
struct characters {
	struct traits base; /* the last character that is not a mark */
	uint32_t base_point;
	uint32_t before;  /* the previous code point */
	uint8_t order;    /* its combining class */
	bool opens;       /* it is a mark that begins compositions */
	bool opened;      /* a mark between the base and it begins compositions */
	uint32_t classes; /* bits of the bidi classes (RFC 5893) */
	uint8_t first_class, last_class, last_but_marks;
};

/* ---- Marks ----------------------------------------------------------------------- */

/* Returns true if NFC text can contain the mark here. Marks must be in the order of their
 * classes. */
/*@ requires \valid_read(d);
    assigns \nothing; */
static bool keeps_nfc(const struct characters *d, uint32_t point, struct traits c)
{
	return (c.order == 0 || d->order <= c.order) && !urivet_composes(d->before, point);
}

/* Returns true if some reader composes the mark across intervening marks. libidn does; Erlang's
 * idna does across marks of class 0. */
/*@ requires \valid_read(d);
    assigns \nothing; */
static bool composes_across(const struct characters *d, uint32_t point, struct traits c)
{
	return (c.flags & COMPOSES_SECOND) != 0 &&
	       (d->opened || urivet_composes(d->base_point, point));
}

/* Returns the faults of character k, if it is a mark or composes as marks do. */
/*@ requires \valid_read(d);
    assigns \nothing; */
static uint32_t mark_faults(const struct characters *d, uint32_t k, uint32_t point,
			    struct traits c)
{
	uint32_t faults = 0;
	if ((c.flags & (MARK | COMPOSES_SECOND)) == 0)
		return 0;
	if (k == 0)
		return (c.flags & MARK) != 0 ? FAULT_MARK_FIRST : 0;
	if (!keeps_nfc(d, point, c))
		faults |= FAULT_NOT_NFC;
	if (composes_across(d, point, c))
		faults |= FAULT_COMPOSES;
	if ((d->base.flags & DECOMPOSES) != 0) /* Ruby's addressable recomposes */
		faults |= FAULT_RECOMPOSES;
	return faults;
}

/* ---- Directions ------------------------------------------------------------------ */

#define CLASS_BIT(class) (UINT32_C(0x80000000) >> (31 - (class)))
#define RIGHT_OR_LETTER  (CLASS_BIT(BIDI_R) | CLASS_BIT(BIDI_AL))
#define RIGHT_TO_LEFT    (RIGHT_OR_LETTER | CLASS_BIT(BIDI_AN))
#define NEUTRAL                                                                                    \
	(CLASS_BIT(BIDI_ES) | CLASS_BIT(BIDI_CS) | CLASS_BIT(BIDI_ET) | CLASS_BIT(BIDI_ON) |       \
	 CLASS_BIT(BIDI_BN) | CLASS_BIT(BIDI_NSM))
#define EITHER_NUMBER (CLASS_BIT(BIDI_EN) | CLASS_BIT(BIDI_AN))

/* Returns true if a right-to-left label satisfies RFC 5893, 2, rules 1 to 4. */
/*@ requires \valid_read(d);
    assigns \nothing; */
static bool is_right_to_left_label(const struct characters *d)
{
	return (CLASS_BIT(d->first_class % 32u) & RIGHT_OR_LETTER) != 0 &&
	       (CLASS_BIT(d->last_but_marks % 32u) &
		(RIGHT_TO_LEFT | CLASS_BIT(BIDI_EN))) != 0 &&
	       (d->classes & ~(RIGHT_TO_LEFT | CLASS_BIT(BIDI_EN) | NEUTRAL)) == 0 &&
	       (d->classes & EITHER_NUMBER) != EITHER_NUMBER;
}

/* Returns true if a left-to-right label satisfies RFC 5893, 2, rules 1, 5 and 6. */
/*@ requires \valid_read(d);
    assigns \nothing; */
static bool is_left_to_right_label(const struct characters *d)
{
	return d->first_class == BIDI_L &&
	       (d->last_but_marks == BIDI_L || d->last_but_marks == BIDI_EN) &&
	       (d->classes & ~(CLASS_BIT(BIDI_L) | CLASS_BIT(BIDI_EN) | NEUTRAL)) == 0;
}

/* Sets the direction flags and bidi faults of the label. */
/*@ requires \valid_read(d) && \valid(label) && \separated(d, label);
    assigns label->right_to_left, label->left_to_right, label->faults; */
static void judge_directions(const struct characters *d, struct label *label)
{
	label->right_to_left = (d->classes & RIGHT_TO_LEFT) != 0;
	label->left_to_right = is_left_to_right_label(d);
	if (!label->right_to_left)
		return;
	if (!is_right_to_left_label(d))
		label->faults |= FAULT_BIDI;
	else if ((CLASS_BIT(d->last_class % 32u) & RIGHT_OR_LETTER) == 0)
		label->faults |= FAULT_BIDI_2003;
}

/* ---- Characters ------------------------------------------------------------------ */

/*@ requires \valid(d);
    assigns *d; */
static void next_character(struct characters *d, uint32_t k, uint32_t point, struct traits c)
{
	const bool is_mark = (c.flags & MARK) != 0;
	d->opened = is_mark && (d->opened || d->opens);
	d->opens = is_mark && (c.flags & COMPOSES_FIRST) != 0;
	if (!is_mark) {
		d->base = c;
		d->base_point = point;
	}
	d->before = point;
	d->order = c.order;
	d->classes |= CLASS_BIT(c.bidi % 32u);
	if (k == 0)
		d->first_class = c.bidi;
	d->last_class = c.bidi;
	if (c.bidi != BIDI_NSM)
		d->last_but_marks = c.bidi;
}

/* Returns true for hyphens at either end, or in third and fourth place as in "xn--" (RFC 5891,
 * 4.2.3.1). */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool has_bad_hyphens(const struct code_points *points)
{
	const uint32_t n = points->count;
	return (n > 0 && (points->point[0] == '-' || points->point[n - 1] == '-')) ||
	       (n >= 4 && points->point[2] == '-' && points->point[3] == '-');
}

/* ---- Text ------------------------------------------------------------------------ */

void urivet_label_unit(struct text t, uint32_t at, struct utf8 *u)
{
	const struct unit first = decode(t, at);
	if (first.value >= 0x80) {
		urivet_utf8(t, at, false, u);
		if (u->form != UTF8_VALID)
			u->code_point = 0xfffd;
		return;
	}
	u->code_point = first.value;
	u->next = first.next;
	u->octets = 1;
	u->form = UTF8_VALID;
}

void urivet_label_points(struct text t, uint32_t at, uint32_t end, struct code_points *points)
{
	points->count = 0;
	/*@ loop invariant at <= t.end && points->count <= PUNYCODE_POINTS;
	    loop assigns at, *points;
	    loop variant t.end - at; */
	while (at < end && points->count < PUNYCODE_POINTS) {
		struct utf8 u;
		urivet_label_unit(t, at, &u);
		points->point[points->count++] = u.code_point;
		at = u.next;
	}
}

bool urivet_alabel_points(struct text t, uint32_t at, struct code_points *points)
{
	const uint32_t encoded = after_word(t, at, "xn--");
	uint8_t places[PUNYCODE_POINTS];
	points->count = 0;
	if (encoded == NO_WORD || !urivet_punycode_decode(t, encoded, points, places))
		return false;
	urivet_punycode_order(points, places);
	return true;
}

struct urivet_span urivet_label_character(struct text t, uint32_t at, uint32_t k)
{
	struct urivet_span s = {at, 0};
	/*@ loop invariant \at(at, Pre) <= s.offset <= at <= t.end;
	    loop invariant s.offset + s.length <= t.end;
	    loop assigns k, at, s;
	    loop variant t.end - at; */
	for (; at < t.end; k--) {
		struct utf8 u;
		urivet_label_unit(t, at, &u);
		s = span(at, u.next);
		at = u.next;
		if (k == 0)
			break;
	}
	return s;
}

/* ---- Whole labels ------------------------------------------------------------------- */

void urivet_read_label(const struct code_points *points, struct label *label)
{
	struct characters d = {.classes = 0};
	label->kinds = label->faults = 0;
	label->first = points->count;
	/*@ loop invariant k <= points->count && label->first <= points->count;
	    loop assigns k, d, *label;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++) {
		const uint32_t point = points->point[k];
		const struct traits c = urivet_traits(point);
		const uint32_t faults = mark_faults(&d, k, point, c);
		label->faults |= faults;
		label->kinds |= KIND_BIT(c.kind % 32u);
		if (label->first == points->count && (faults != 0 || c.kind != CHARACTER_AGREED))
			label->first = k;
		next_character(&d, k, point, c);
	}
	if (has_bad_hyphens(points))
		label->faults |= FAULT_HYPHENS;
	judge_directions(&d, label);
}

/* ---- Findings ----------------------------------------------------------------------- */

unsigned urivet_found_of_kind(unsigned kind)
{
	static const uint16_t found[CHARACTER_KINDS] = {
	    [CHARACTER_UPPERCASE] = URIVET_F_IDN_UPPERCASE,
	    [CHARACTER_COMPATIBLE] = URIVET_F_IDN_COMPAT_MAPPING,
	    [CHARACTER_IGNORED] = URIVET_F_IDN_IGNORED_CHAR,
	    [CHARACTER_DEVIATION] = URIVET_F_IDN_DEVIATION_CHAR,
	    [CHARACTER_JOINER] = URIVET_F_IDN_DEVIATION_CHAR,
	    [CHARACTER_DOT] = URIVET_F_IDN_DOT_VARIANT,
	};
	return found[kind % CHARACTER_KINDS] % URIVET_FINDING_LIMIT;
}

unsigned urivet_label_reason(const struct code_points *points, const struct label *label)
{
	unsigned found = 0;
	if (label->first < points->count)
		found = urivet_found_of_kind(urivet_traits(points->point[label->first]).kind);
	if (found != 0)
		return found;
	if ((label->faults & FAULT_MARK_FIRST) != 0)
		return URIVET_F_IDN_MARK_FIRST;
	if ((label->faults & FAULT_NOT_NFC) != 0)
		return URIVET_F_IDN_NOT_NFC;
	if ((label->faults & (FAULT_BIDI | FAULT_BIDI_2003)) != 0 && label->first >= points->count)
		return URIVET_F_IDN_BIDI_RULE;
	return URIVET_F_IDN_READERS_DISAGREE;
}

uint32_t urivet_find_unclear(struct text t, uint32_t at)
{
	struct characters d = {.classes = 0};
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop assigns at, d;
	    loop variant t.end - at; */
	while (at < t.end) {
		struct utf8 u;
		urivet_label_unit(t, at, &u);
		const struct traits c = urivet_traits(u.code_point);
		const uint32_t faults = mark_faults(&d, 1, u.code_point, c);
		if ((faults & (FAULT_NOT_NFC | FAULT_COMPOSES)) != 0 ||
		    (octet(t, at) >= 0x80 && (c.flags & (NEVER_NFC | INVISIBLE)) != 0))
			return at;
		next_character(&d, 1, u.code_point, c);
		at = u.next;
	}
	return at;
}
