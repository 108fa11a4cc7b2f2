/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about internationalised names that need no Unicode tables. */
#include "rules/rules.h"
#include "text/utf8.h"
#include "uri/host.h"
#include "uri/punycode.h"

/* The limit of the DNS, whatever length a policy allows (RFC 5890, 2.3.1). */
#define LONGEST_ALABEL 63

/* ---- A-labels -------------------------------------------------------------- */

/* Code points that must not be in an A-label: controls, surrogates, noncharacters, the full
 * stops that some readers take for a dot, and the byte order mark, which Qt drops. */
/*@ assigns \nothing; */
static bool is_hidden_trouble(uint32_t c)
{
	return c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0xd800 && c <= 0xdfff) ||
	       (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe || c == 0x3002 ||
	       c == 0xff0e || c == 0xff61 || c == 0xfeff;
}

/* Does Qt 5 make another name of a label with this code point? It keeps the low 16 bits:
 * http://xn--a-w10i.org/ (a, U+10030) is a0.org to it. If these are a code point for
 * private use, as with most emoji, it keeps the label as written; above U+FE46 it looks
 * up no name. */
/*@ assigns \nothing; */
static bool is_cut_to_16_bits(uint32_t c)
{
	const uint32_t low = c & 0xffff;
	return c > 0xffff && (low < 0xe000 || (low > 0xf8ff && low <= 0xfe46));
}

/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_good_alabel(struct text t, uint32_t at)
{
	struct code_points points;
	char buffer[80];
	struct out o = {buffer, sizeof buffer, 0};
	bool beyond_ascii = false;
	if (!urivet_punycode_decode(t, at, &points))
		return false;
	/*@ loop invariant k <= points.count;
	    loop assigns k, beyond_ascii;
	    loop variant points.count - k; */
	for (uint32_t k = 0; k < points.count; k++) {
		beyond_ascii = beyond_ascii || points.point[k] > 0x7f;
		if (is_hidden_trouble(points.point[k]) || is_cut_to_16_bits(points.point[k]))
			return false;
	}
	urivet_punycode_encode(&o, &points);
	put_end(&o);
	return beyond_ascii && is_word(t, at, buffer); /* the buffer is longer than any label */
}

/* ---- Characters that mapping changes ----------------------------------------- */

/* Ranges of code points, and the finding for one in a host. */
static const struct {
	uint32_t first, last;
	enum urivet_id id;
} mapped[] = {
    {0x00ad, 0x00ad, URIVET_F_IDN_IGNORED_CHAR},   /* soft hyphen */
    {0x034f, 0x034f, URIVET_F_IDN_IGNORED_CHAR},   /* combining grapheme joiner */
    {0x180b, 0x180d, URIVET_F_IDN_IGNORED_CHAR},   /* variation selectors */
    {0x200b, 0x200d, URIVET_F_IDN_IGNORED_CHAR},   /* zero width */
    {0x2060, 0x2060, URIVET_F_IDN_IGNORED_CHAR},   /* word joiner */
    {0xfe00, 0xfe0f, URIVET_F_IDN_IGNORED_CHAR},   /* variation selectors */
    {0xfeff, 0xfeff, URIVET_F_IDN_IGNORED_CHAR},   /* zero width no-break space */
    {0x00df, 0x00df, URIVET_F_IDN_DEVIATION_CHAR}, /* sharp s */
    {0x03c2, 0x03c2, URIVET_F_IDN_DEVIATION_CHAR}, /* final sigma */
    {0x200c, 0x200d, URIVET_F_IDN_DEVIATION_CHAR}, /* joiners */
    {0x3002, 0x3002, URIVET_F_IDN_DOT_VARIANT},    /* ideographic full stop */
    {0xff0e, 0xff0e, URIVET_F_IDN_DOT_VARIANT},    /* full-width full stop */
    {0xff61, 0xff61, URIVET_F_IDN_DOT_VARIANT},    /* half-width ideographic full stop */
    {0x2024, 0x2026, URIVET_F_IDN_COMPAT_MAPPING}, /* one to three dots */
    {0x2047, 0x2049, URIVET_F_IDN_COMPAT_MAPPING}, /* question and exclamation marks */
    {0x2100, 0x2101, URIVET_F_IDN_COMPAT_MAPPING}, /* a/c, a/s */
    {0x2105, 0x2106, URIVET_F_IDN_COMPAT_MAPPING}, /* c/o, c/u */
    {0x2460, 0x24ea, URIVET_F_IDN_COMPAT_MAPPING}, /* circled, parenthesised, with full stop */
    {0x2a74, 0x2a76, URIVET_F_IDN_COMPAT_MAPPING}, /* ::=, ==, === */
    {0xfe13, 0xfe19, URIVET_F_IDN_COMPAT_MAPPING}, /* vertical forms of : ; ! ? ... */
    {0xfe50, 0xfe6b, URIVET_F_IDN_COMPAT_MAPPING}, /* small forms of . : ? # \ % @ */
    {0xff01, 0xff5e, URIVET_F_IDN_COMPAT_MAPPING}, /* full-width ASCII */
};

#define MAPPED (sizeof(mapped) / sizeof(mapped[0]))

/*@ ADDS_HOST_FINDINGS(s); */
static void mapped_char(struct subject *s, uint32_t code_point, uint32_t at, uint32_t end)
{
	/*@ loop invariant judging_host(s) && 0 <= k <= MAPPED;
	    loop assigns k, FOUND(s);
	    loop variant MAPPED - k; */
	for (unsigned k = 0; k < MAPPED; k++)
		if (code_point >= mapped[k].first && code_point <= mapped[k].last)
			urivet_add(s, (enum urivet_id)(mapped[k].id % URIVET_FINDING_LIMIT),
				   URIVET_HOST, at, end);
}

/* Digits and dots that UTS 46 maps to ASCII. */
/*@ assigns \nothing; */
static bool is_alt_digit_or_dot(uint32_t c)
{
	return (c >= 0xff10 && c <= 0xff19) || (c >= 0x0660 && c <= 0x0669) ||
	       (c >= 0x06f0 && c <= 0x06f9) || (c >= 0x2460 && c <= 0x2468) || c == 0x24ea ||
	       c == 0x3002 || c == 0xff0e || c == 0xff61;
}

/* Every character of the host beyond ASCII, raw or escaped. */
/*@ ADDS_HOST_FINDINGS(s); */
static void host_characters(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	bool numeric = true, alt = false;
	uint32_t at = s->host.offset;
	/*@ loop invariant judging_host(s);
	    loop assigns at, numeric, alt, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit first = decode(t, at);
		struct utf8 u = {first.value, first.next, 1, UTF8_VALID};
		if (first.value >= 0x80)
			u = urivet_utf8(t, at, false);
		if (u.form == UTF8_VALID && u.code_point >= 0x80) {
			mapped_char(s, u.code_point, at, u.next);
			alt = alt || is_alt_digit_or_dot(u.code_point);
			numeric = numeric && is_alt_digit_or_dot(u.code_point);
		} else {
			numeric = numeric && (first.value == '.' ||
					      (first.value >= '0' && first.value <= '9'));
		}
		at = u.next;
	}
	if (numeric && alt)
		urivet_add(s, URIVET_F_IPV4_ALT_DIGITS, URIVET_HOST, s->host.offset, t.end);
}

/* ---- U-labels ---------------------------------------------------------------- */

/* Reads the label's code points, raw or escaped, and returns its end. The count is 0 if all
 * are ASCII or some are not UTF-8, PUNYCODE_POINTS if there are that many or more. */
/*@ requires readable(t) && at <= t.end && \valid(points);
    assigns *points;
    ensures at <= \result <= t.end && points->count <= PUNYCODE_POINTS; */
static uint32_t read_ulabel(struct text t, uint32_t at, struct code_points *points)
{
	bool beyond_ascii = false, valid = true;
	points->count = 0;
	/*@ loop invariant \at(at, Pre) <= at <= t.end && points->count <= PUNYCODE_POINTS;
	    loop assigns at, beyond_ascii, valid, *points;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != '.') {
		const struct unit first = decode(t, at);
		struct utf8 u = {lower(first.value), first.next, 1, UTF8_VALID};
		if (first.value >= 0x80)
			u = urivet_utf8(t, at, false);
		valid = valid && u.form == UTF8_VALID;
		beyond_ascii = beyond_ascii || first.value >= 0x80;
		if (points->count < PUNYCODE_POINTS)
			points->point[points->count++] = u.code_point;
		at = u.next;
	}
	if (!beyond_ascii || !valid)
		points->count = 0;
	return at;
}

/* Is "xn--" with the label's Punycode short enough for a label? */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool fits_a_label(const struct code_points *points, uint32_t max_label)
{
	struct out o = {NULL, 0, 0};
	if (points->count >= PUNYCODE_POINTS)
		return false;
	urivet_punycode_encode(&o, points);
	return o.length + 4 <= max_label;
}

/* The end of the label; *fits is false if it is beyond ASCII and too long as an A-label. */
/*@ requires readable(t) && at <= t.end && \valid(fits);
    assigns *fits;
    ensures at <= \result <= t.end; */
static uint32_t ulabel_fits(struct text t, uint32_t at, uint32_t max_label, bool *fits)
{
	struct code_points points;
	const uint32_t end = read_ulabel(t, at, &points);
	*fits = points.count == 0 || fits_a_label(&points, max_label);
	return end;
}

/*@ ADDS_HOST_FINDINGS(s); */
static void ulabels(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	const uint32_t most =
	    s->policy->max_label < LONGEST_ALABEL ? s->policy->max_label : LONGEST_ALABEL;
	uint32_t at = s->host.offset;
	/*@ loop invariant judging_host(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		bool fits;
		const uint32_t end = ulabel_fits(t, at, most, &fits);
		if (!fits)
			urivet_add(s, URIVET_F_IDN_TOOLONG_AFTER_MAPPING, URIVET_HOST, at, end);
		at = end + 1;
	}
}

/* The label that fills t from `at` on, if it is an A-label. */
/*@ requires readable(t) && at <= t.end; ADDS_HOST_FINDINGS(s); */
static void judge_alabel(struct subject *s, struct text t, uint32_t at)
{
	const uint32_t encoded = after_word(t, at, "xn--");
	if (encoded != NO_WORD && t.end - at <= s->policy->max_label &&
	    (t.end - at > LONGEST_ALABEL || !is_good_alabel(t, encoded)))
		urivet_add(s, URIVET_F_IDN_INVALID_ALABEL, URIVET_HOST, at, t.end);
}

void urivet_rules_idn(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	/*@ loop invariant judging_host(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (uint32_t at = s->host.offset; at < t.end;) {
		const uint32_t end = label_end(t, at);
		judge_alabel(s, until(t, end), at);
		at = end + 1;
	}
	if (s->seen.in[URIVET_HOST] & (HIGH | PERCENT)) {
		host_characters(s);
		ulabels(s);
	}
}
