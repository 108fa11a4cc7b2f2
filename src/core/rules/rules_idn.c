/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about internationalised names. */
#include "names/label.h"
#include "rules/rules.h"
#include "text/compatibility.h"
#include "text/utf8.h"
#include "text/words.h"
#include "uri/host.h"
#include "uri/punycode.h"

/* ---- A-labels -------------------------------------------------------------- */

/* Returns true if Qt 5 changes a label with this code point. It keeps only the low 16 bits: it
 * reads http://xn--a-w10i.org/ (a, U+10030) as a0.org. If the low bits are a private-use code
 * point, as with most emoji, it keeps the label as written. Above U+FE46 it looks up no name. */
/*@ assigns \nothing; */
static bool is_cut_to_16_bits(uint32_t c)
{
	const uint32_t low = c & 0xffff;
	return c > 0xffff && (low < 0xe000 || (low > 0xf8ff && low <= 0xfe46));
}

/* Returns true if the Punycode has the hyphen that ends the ASCII characters, but no ASCII
 * characters. An encoder omits that hyphen. Any other decodable text is in canonical form: the
 * decoder enforces the order of code points, and each number has only one spelling. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool has_needless_hyphen(struct text t, uint32_t at)
{
	return octet(t, at) == '-' && find_octet(t, at + 1, '-') >= t.end;
}

/* Returns true if there is a character beyond ASCII, and Qt 5 changes none of the code points. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool are_beyond_ascii(const struct code_points *points)
{
	bool beyond_ascii = false;
	/*@ loop invariant k <= points->count;
	    loop assigns k, beyond_ascii;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++) {
		beyond_ascii = beyond_ascii || points->point[k] > 0x7f;
		if (is_cut_to_16_bits(points->point[k]))
			return false;
	}
	return beyond_ascii;
}

/* ---- Characters that mapping changes ----------------------------------------- */

/* Returns an additional finding for the character, or 0. Joiners are also ignored characters. The
 * full-width full stop also maps to ASCII. */
/*@ assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
static unsigned found_beside(uint32_t code_point, struct traits c)
{
	if (c.kind == CHARACTER_JOINER)
		return URIVET_F_IDN_IGNORED_CHAR;
	if (c.kind == CHARACTER_DOT && urivet_becomes_routed(code_point))
		return URIVET_F_IDN_COMPAT_MAPPING;
	return 0;
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_HOST_FINDINGS(s); */
static void add_mapped(struct subject *s, unsigned id, uint32_t at, uint32_t end)
{
	if (id != 0)
		add_in_host(s, (enum urivet_id)id, at, end);
}

/*@ ADDS_HOST_FINDINGS(s); */
static void mapped_char(struct subject *s, uint32_t code_point, uint32_t at, uint32_t end)
{
	const struct traits c = urivet_traits(code_point);
	if (c.kind != CHARACTER_UPPERCASE) /* reported once for each label */
		add_mapped(s, urivet_found_of_kind(c.kind), at, end);
	add_mapped(s, found_beside(code_point, c), at, end);
}

/* Returns true for digits and dots that UTS 46 maps to ASCII. */
/*@ assigns \nothing; */
static bool is_alt_digit_or_dot(uint32_t c)
{
	return (c >= 0xff10 && c <= 0xff19) || (c >= 0x0660 && c <= 0x0669) ||
	       (c >= 0x06f0 && c <= 0x06f9) || (c >= 0x2460 && c <= 0x2468) || c == 0x24ea ||
	       c == 0x3002 || c == 0xff0e || c == 0xff61;
}

/* Facts about the host and about the current label, as far as they have been read. */
struct host_marks {
	bool only;   /* the host: only digits and dots, in ASCII or mapped to it */
	bool mapped; /* the host: some of them are mapped */
	bool right_to_left; /* the host: some label is right to left */
	bool valid;  /* the label: it is valid UTF-8 */
	bool beyond_ascii;
};

/* Checks a character beyond ASCII. */
/*@ requires \valid(d) && \separated(d, s, s->report, s->policy);
    requires judging_host(s);
    assigns FOUND(s), *d;
    ensures judging_host(s); */
static void host_character(struct subject *s, uint32_t code_point, uint32_t at, uint32_t end,
			   struct host_marks *d)
{
	const bool digit = is_alt_digit_or_dot(code_point);
	d->mapped = d->mapped || digit;
	d->only = d->only && digit;
	mapped_char(s, code_point, at, end);
}

/* ---- U-labels ---------------------------------------------------------------- */

/* Checks the characters beyond ASCII of the label at `at`, and returns its end. */
/*@ requires readable(t) && at <= t.end && \valid(d) && judging_host(s);
    requires \separated(d, s, s->report, s->policy);
    assigns *d, FOUND(s);
    ensures at <= \result <= t.end && judging_host(s); */
static uint32_t label_characters(struct subject *s, struct text t, uint32_t at,
				 struct host_marks *d)
{
	d->valid = true;
	d->beyond_ascii = false;
	/*@ loop invariant \at(at, Pre) <= at <= t.end && judging_host(s);
	    loop assigns at, *d, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != '.') {
		struct utf8 u;
		urivet_label_unit(t, at, &u);
		if (u.form != UTF8_VALID) {
			d->valid = d->only = false;
		} else if (u.code_point >= 0x80) {
			d->beyond_ascii = true;
			host_character(s, u.code_point, at, u.next, d);
		} else {
			d->only = d->only && (urivet_kinds[u.code_point % 0x80] & (DIGIT | DOT)) != 0;
		}
		at = u.next;
	}
	return at;
}

/* Returns true if "xn--" plus the label's Punycode is short enough for a label, which it never is
 * for PUNYCODE_POINTS code points. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool fits_a_label(const struct code_points *points, uint32_t max_label)
{
	struct out o = {NULL, 0, 0};
	urivet_punycode_encode(&o, points);
	return o.length + 4 <= max_label;
}

/* Maps the faults of a label to findings. */
static const struct {
	uint32_t fault;
	uint16_t id; /* enum urivet_id */
} found_of_fault[] = {
    {FAULT_MARK_FIRST, URIVET_F_IDN_MARK_FIRST},
    {FAULT_NOT_NFC, URIVET_F_IDN_NOT_NFC},
    {FAULT_BIDI, URIVET_F_IDN_BIDI_RULE},
};

#define FAULTS_FOUND (sizeof(found_of_fault) / sizeof(found_of_fault[0]))

/*@ requires \valid_read(label) && \separated(label, s, s->report); ADDS_HOST_FINDINGS(s); */
static void add_faults(struct subject *s, const struct label *label, uint32_t at, uint32_t end)
{
	/*@ loop invariant k <= FAULTS_FOUND && judging_host(s);
	    loop assigns k, FOUND(s);
	    loop variant FAULTS_FOUND - k; */
	for (unsigned k = 0; k < FAULTS_FOUND; k++)
		if ((label->faults & found_of_fault[k].fault) != 0)
			add_mapped(s, found_of_fault[k].id % URIVET_FINDING_LIMIT, at, end);
}

/* Checks the label from `at` up to `end` as an A-label would represent it; of one that is too long,
 * the first PUNYCODE_POINTS code points. Returns true if it is right to left. */
/*@ requires readable(t) && at <= end <= t.end; ADDS_HOST_FINDINGS(s); */
static COLD bool judge_ulabel(struct subject *s, struct text t, uint32_t at, uint32_t end)
{
	const uint32_t limit = s->policy->max_label;
	struct code_points points;
	struct label label;
	urivet_label_points(t, at, end, &points);
	if (!fits_a_label(&points, limit < LONGEST_ALABEL ? limit : LONGEST_ALABEL))
		add_in_host(s, URIVET_F_IDN_TOOLONG_AFTER_MAPPING, at, end);
	urivet_read_label(&points, &label);
	if ((label.kinds & KIND_BIT(CHARACTER_UPPERCASE)) != 0)
		add_in_host(s, URIVET_F_IDN_UPPERCASE, at, end);
	add_faults(s, &label, at, end);
	if (!is_agreed(&label)) {
		const struct urivet_span first = urivet_label_character(t, at, label.first);
		add_in_host(s, URIVET_F_IDN_READERS_DISAGREE, first.offset, span_end(first));
	}
	return label.right_to_left;
}

/* Checks the label at `at`, which has octets beyond ASCII or triplets, and returns its end. A label
 * that is not UTF-8 has no A-label. */
/*@ requires readable(t) && at <= t.end && \valid(d) && judging_host(s);
    requires \separated(d, s, s->report, s->policy);
    assigns *d, FOUND(s);
    ensures at <= \result <= t.end && judging_host(s); */
static uint32_t ulabel(struct subject *s, struct text t, uint32_t at, struct host_marks *d)
{
	const uint32_t end = label_characters(s, t, at, d);
	if (d->valid && d->beyond_ascii && judge_ulabel(s, t, at, end))
		d->right_to_left = true;
	return end;
}

/* Checks every label and every character beyond ASCII, raw or escaped. Returns true if some label
 * is right to left. */
/*@ ADDS_HOST_FINDINGS(s); */
static bool ulabels(struct subject *s)
{
	const struct text t = until(s->t, urivet_judged_end(s));
	struct host_marks d = {.only = true};
	uint32_t at = s->host.offset;
	/*@ loop invariant judging_host(s);
	    loop assigns at, d, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		uint32_t end = find(t, at, DOT | HIGH | PERCENT);
		if (is(t, end, HIGH | PERCENT))
			end = ulabel(s, t, at, &d);
		else
			d.only = d.only && skip(t, at, DIGIT) == end;
		at = end + 1;
	}
	if (d.only && d.mapped)
		urivet_add(s, URIVET_F_IPV4_ALT_DIGITS, URIVET_HOST, s->host.offset, t.end);
	return d.right_to_left;
}

/* ---- A-labels, decoded --------------------------------------------------------- */

/* INVALID_KINDS: characters that no label may contain. REWRITTEN_KINDS: characters that change when
 * a reader decodes the label and encodes it again. */
#define INVALID_KINDS (KIND_BIT(CHARACTER_DISALLOWED) | KIND_BIT(CHARACTER_DOT))
#define REWRITTEN_KINDS                                                                            \
	(KIND_BIT(CHARACTER_UPPERCASE) | KIND_BIT(CHARACTER_COMPATIBLE) |                          \
	 KIND_BIT(CHARACTER_IGNORED) | KIND_BIT(CHARACTER_JOINER) | KIND_BIT(CHARACTER_FOLDED))
#define RECENT_KINDS (KIND_BIT(CHARACTER_RECENT) | KIND_BIT(CHARACTER_BEYOND))

/* Maps the kinds of characters in a label to findings. */
static const struct {
	uint32_t kinds;
	uint16_t id; /* enum urivet_id */
} found_of_kinds[] = {
    {REWRITTEN_KINDS, URIVET_F_IDN_READERS_DISAGREE},
    {KIND_BIT(CHARACTER_UPPERCASE), URIVET_F_IDN_UPPERCASE},
    {KIND_BIT(CHARACTER_COMPATIBLE), URIVET_F_IDN_COMPAT_MAPPING},
    {KIND_BIT(CHARACTER_IGNORED) | KIND_BIT(CHARACTER_JOINER), URIVET_F_IDN_IGNORED_CHAR},
    {KIND_BIT(CHARACTER_JOINER), URIVET_F_IDN_DEVIATION_CHAR},
    {RECENT_KINDS, URIVET_F_IDN_RECENT_CHAR},
    {KIND_BIT(CHARACTER_SYMBOL) | KIND_BIT(CHARACTER_VOWEL) | KIND_BIT(CHARACTER_CONTEXT) |
	 KIND_BIT(CHARACTER_DEVIATION),
     URIVET_F_IDN_NOT_EVERYWHERE},
};

#define DECODED_FOUND (sizeof(found_of_kinds) / sizeof(found_of_kinds[0]))

/* Adds the findings for the text that an A-label decodes to. */
/*@ requires \valid_read(label) && \separated(label, s, s->report); ADDS_HOST_FINDINGS(s); */
static void add_decoded(struct subject *s, const struct label *label, uint32_t at, uint32_t end)
{
	/*@ loop invariant k <= DECODED_FOUND && judging_host(s);
	    loop assigns k, FOUND(s);
	    loop variant DECODED_FOUND - k; */
	for (unsigned k = 0; k < DECODED_FOUND; k++)
		if ((label->kinds & found_of_kinds[k].kinds) != 0)
			add_mapped(s, found_of_kinds[k].id % URIVET_FINDING_LIMIT, at, end);
	add_faults(s, label, at, end);
	if ((label->faults & FAULT_COMPOSES) != 0)
		add_in_host(s, URIVET_F_IDN_READERS_DISAGREE, at, end);
	if ((label->faults & (FAULT_RECOMPOSES | FAULT_HYPHENS | FAULT_BIDI_2003)) != 0)
		add_in_host(s, URIVET_F_IDN_NOT_EVERYWHERE, at, end);
}

/* Decodes the text after "xn--" up to the end of t. Returns false if it is not a valid label. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(label);
    assigns *label; */
static COLD bool read_alabel(struct text t, uint32_t at, struct label *label)
{
	struct code_points points;
	uint8_t places[PUNYCODE_POINTS];
	if (has_needless_hyphen(t, at) || !urivet_punycode_decode(t, at, &points, places) ||
	    !are_beyond_ascii(&points))
		return false;
	urivet_punycode_order(&points, places);
	urivet_read_label(&points, label);
	return (label->kinds & INVALID_KINDS) == 0;
}

/* Checks the text that fills t from `at` on, if it is an A-label. Returns true if it is right to
 * left. */
/*@ requires readable(t) && at <= t.end; ADDS_HOST_FINDINGS(s); */
static bool judge_alabel(struct subject *s, struct text t, uint32_t at)
{
	const uint32_t encoded = after_word(t, at, "xn--");
	struct label label;
	if (encoded == NO_WORD || t.end - at > s->policy->max_label)
		return false;
	if (t.end - at > LONGEST_ALABEL || !read_alabel(t, encoded, &label)) {
		add_in_host(s, URIVET_F_IDN_INVALID_ALABEL, at, t.end);
		return false;
	}
	add_decoded(s, &label, at, t.end);
	return label.right_to_left;
}

/* Checks all A-labels of the host. Returns true if some label is right to left. */
/*@ ADDS_HOST_FINDINGS(s); */
static bool judge_alabels(struct subject *s)
{
	const struct text t = until(s->t, urivet_judged_end(s));
	bool right_to_left = false;
	/*@ loop invariant judging_host(s);
	    loop assigns at, right_to_left, FOUND(s);
	    loop variant t.end - at; */
	for (uint32_t at = s->host.offset; at < t.end;) {
		const uint32_t end = label_end(t, at);
		if (judge_alabel(s, until(t, end), at))
			right_to_left = true;
		at = end + 1;
	}
	return right_to_left;
}

/* ---- Labels next to right-to-left labels -------------------------------------------- */

/* Returns true if the label that fills t from `at` on is empty, is right to left, or satisfies RFC
 * 5893 as a left-to-right label. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static COLD bool keeps_its_place(struct text t, uint32_t at)
{
	struct code_points points;
	struct label label;
	if (!urivet_alabel_points(t, at, &points))
		urivet_label_points(t, at, t.end, &points);
	urivet_read_label(&points, &label);
	return points.count == 0 || label.right_to_left || label.left_to_right;
}

/*@ ADDS_HOST_FINDINGS(s); */
static COLD void judge_neighbours(struct subject *s)
{
	const uint32_t stop = urivet_judged_end(s);
	/*@ loop invariant judging_host(s);
	    loop assigns at, FOUND(s);
	    loop variant stop - at; */
	for (uint32_t at = s->host.offset; at < stop;) {
		const uint32_t end = label_end(until(s->t, stop), at);
		if (!keeps_its_place(until(s->t, end), at))
			add_in_host(s, URIVET_F_IDN_BIDI_RULE, at, end);
		at = end + 1;
	}
}

void urivet_rules_idn(struct subject *s, bool alabels)
{
	bool right_to_left = alabels && judge_alabels(s);
	if ((s->seen.in[URIVET_HOST] & (HIGH | PERCENT)) != 0 && ulabels(s))
		right_to_left = true;
	if (right_to_left)
		judge_neighbours(s);
}
