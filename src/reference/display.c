/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A URL as people may read it (RFC 3987, 3.2; UTS 36, 2): characters in place of A-labels and
 * triplets, but only of those that nobody takes for anything else.
 */
#include "names/label.h"
#include "names/looks.h"
#include "policy/protected.h"
#include "policy/tlds.h"
#include "readers/browser_text.h"
#include "report/report.h"
#include "text/out.h"
#include "uri/host.h"
#include "uri/uri.h"

/* A URL on its way. */
struct display {
	struct text t;
	struct out o;
	const struct urivet_policy *policy;
	bool html;
	bool isolates;       /* right-to-left text may be shown, for it is kept apart */
	uint32_t base;       /* the character before */
	bool is_letter;      /* a mark may stand on it */
	bool right_to_left;  /* a label of the host is, as far as they were read */
};

/* ---- Single characters ---------------------------------------------------------- */

static void put_utf8(struct out *o, uint32_t c)
{
	if (c < 0x80) {
		put(o, c);
		return;
	}
	if (c < 0x800) {
		put(o, 0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			put(o, 0xe0 | c >> 12);
		} else {
			put(o, 0xf0 | c >> 18);
			put(o, 0x80 | (c >> 12 & 0x3f));
		}
		put(o, 0x80 | (c >> 6 & 0x3f));
	}
	put(o, 0x80 | (c & 0x3f));
}

/* Octets that mean something in HTML. */
static void put_markup(struct out *o, unsigned octet)
{
	static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
	static const char octets[] = "&<>\"'";
	for (unsigned k = 0; k < sizeof references / sizeof references[0]; k++)
		if ((unsigned char)octets[k] == octet) {
			put_octets(o, references[k], 6);
			return;
		}
	put(o, octet);
}

static void put_shown_ascii(struct display *d, unsigned octet)
{
	if (octet <= 0x20 || octet >= 0x7f)
		urivet_percent_encode(&d->o, octet);
	else if (d->html)
		put_markup(&d->o, octet);
	else
		put(&d->o, octet);
	d->base = octet;
	d->is_letter = octet < 0x80 && (urivet_kinds[octet] & ALNUM) != 0;
}

/* Around what is written from right to left: FSI and PDI (UAX 9). */
static void put_isolate(struct display *d, bool begins)
{
	if (d->html)
		put_octets(&d->o, begins ? "&#x2068;" : "&#x2069;", 9);
	else
		put_utf8(&d->o, begins ? 0x2068 : 0x2069);
}

/* ---- What may be shown ---------------------------------------------------------- */

/* Letters, digits and marks of names, and capital letters. All else is mapped to something, shows
 * nothing, or is a symbol, of which some look like delimiters. */
#define SHOWN_KINDS                                                                                \
	(KIND_BIT(CHARACTER_AGREED) | KIND_BIT(CHARACTER_RECENT) | KIND_BIT(CHARACTER_BEYOND) |    \
	 KIND_BIT(CHARACTER_VOWEL) | KIND_BIT(CHARACTER_CONTEXT) | KIND_BIT(CHARACTER_FOLDED) |    \
	 KIND_BIT(CHARACTER_UPPERCASE) | KIND_BIT(CHARACTER_DEVIATION))

static bool is_written_leftwards(unsigned bidi)
{
	return bidi == BIDI_R || bidi == BIDI_AL || bidi == BIDI_AN;
}

/* Would the character be read as what it is, after the one before? */
static bool is_clear(const struct display *d, uint32_t point)
{
	const struct traits c = urivet_traits(point);
	const struct look look = urivet_look(point);
	if ((KIND_BIT(c.kind % 32u) & SHOWN_KINDS) == 0)
		return false;
	if ((c.flags & MARK) != 0 && (!d->is_letter || point == d->base))
		return false;
	if (urivet_composes(d->base, point)) /* and would be encoded as another */
		return false;
	if ((look.flags & (LOOKS_SLASH | LOOKS_STROKE)) != 0 && d->base < 0x80)
		return false;
	return d->isolates || !is_written_leftwards(c.bidi);
}

/* A character beyond ASCII, raw or as triplets. */
static void put_shown_character(struct display *d, uint32_t at, const struct utf8 *u)
{
	if (u->form == UTF8_VALID && is_clear(d, u->code_point)) {
		put_utf8(&d->o, u->code_point);
		d->base = u->code_point;
		d->is_letter = true;
		return;
	}
	for (; at < u->next; at = decode(d->t, at).next)
		urivet_percent_encode(&d->o, decode(d->t, at).value);
	d->base = 0;
	d->is_letter = false;
}

/* ---- Pieces --------------------------------------------------------------------- */

/* Is a character from `at` up to `end` shown that is written from right to left? */
static bool has_right_to_left(const struct display *d, uint32_t at, uint32_t end)
{
	const struct text t = until(d->t, end);
	while (at < end) {
		struct utf8 u;
		urivet_label_unit(t, at, &u);
		if (u.form == UTF8_VALID && is_written_leftwards(urivet_traits(u.code_point).bidi))
			return true;
		at = u.next;
	}
	return false;
}

/* An octet of ASCII as it is written. On a triplet no mark can stand. */
static void put_unit(struct display *d, uint32_t at, struct unit unit)
{
	for (; at < unit.next; at++)
		put_shown_ascii(d, octet(d->t, at));
	if (unit.escaped)
		d->is_letter = false;
}

/* What stands between delimiters: a triplet of ASCII stays as it is. */
static void put_shown_piece(struct display *d, uint32_t at, uint32_t end)
{
	const struct text t = until(d->t, end);
	const bool apart = d->isolates && has_right_to_left(d, at, end);
	if (apart)
		put_isolate(d, true);
	while (at < end) {
		struct utf8 u;
		const struct unit unit = decode(t, at);
		if (unit.value < 0x80) {
			put_unit(d, at, unit);
			at = unit.next;
			continue;
		}
		urivet_label_unit(t, at, &u);
		put_shown_character(d, at, &u);
		at = u.next;
	}
	if (apart)
		put_isolate(d, false);
}

/* Segments, and pairs of queries: each is a piece. */
static void put_shown_pieces(struct display *d, uint32_t at, uint32_t end)
{
	const uint32_t delimiters = SLASH | QUESTION | HASH | AMPERSAND | EQUALS | SEMICOLON;
	while (at < end) {
		const uint32_t to = find(until(d->t, end), at, delimiters);
		d->base = 0;
		d->is_letter = false;
		put_shown_piece(d, at, to);
		if (to < end)
			put_shown_ascii(d, octet(d->t, to));
		at = to + 1;
	}
}

/* ---- The host ------------------------------------------------------------------- */

/* Do all readers agree on the label, and does it look like nothing but itself? */
static bool is_showable(struct display *d, const struct looked *l, struct home home,
			bool last)
{
	const struct text t = until(l->name, l->end);
	struct code_points points;
	struct label label;
	const bool ascii = !urivet_alabel_points(t, l->at, &points);
	if (d->policy != NULL && has_protected(d->policy) && !last &&
	    protected_label(d->policy, l, ascii, &points).imitated != NULL)
		return false;
	if (ascii)
		return find(t, l->at, HIGH | PERCENT) == l->end;
	urivet_read_label(&points, &label);
	d->right_to_left = d->right_to_left || label.right_to_left;
	return is_agreed(&label) && (d->isolates || !label.right_to_left) &&
	       (last || urivet_label_looks(&points, home) == 0);
}

/* All labels or none, so that a name is never half of one form and half of the other. */
static bool is_showable_host(struct display *d, struct text t, uint32_t at)
{
	const uint32_t begin = at, end = at < t.end && octet(t, t.end - 1) == '.' ? t.end - 1 : t.end;
	const uint32_t last = urivet_last_label(until(t, end), at);
	const struct home home = urivet_home_of(until(t, end), last);
	while (at < t.end) {
		const struct looked l = {t, at, label_end(t, at)};
		if (!is_showable(d, &l, home, at == last && last > begin))
			return false;
		at = l.end + 1;
	}
	return true;
}

/* As it is written. */
static void put_host_octets(struct display *d, uint32_t at, uint32_t end)
{
	for (; at < end; at++)
		put_shown_ascii(d, octet(d->t, at));
}

/* A label, as what it stands for. */
static void put_label(struct display *d, uint32_t at, uint32_t end)
{
	struct code_points points;
	if (!urivet_alabel_points(until(d->t, end), at, &points)) {
		put_host_octets(d, at, end);
		return;
	}
	for (uint32_t k = 0; k < points.count; k++)
		put_utf8(&d->o, points.point[k]);
}

static void put_display_host(struct display *d, struct urivet_span host)
{
	const struct text t = within(d->t, host);
	if (!is_showable_host(d, t, host.offset)) {
		put_host_octets(d, host.offset, t.end);
		return;
	}
	if (d->right_to_left)
		put_isolate(d, true);
	for (uint32_t at = host.offset; at < t.end;) {
		const uint32_t end = label_end(t, at);
		put_label(d, at, end);
		if (end < t.end)
			put_shown_ascii(d, '.');
		at = end + 1;
	}
	if (d->right_to_left)
		put_isolate(d, false);
}

/* ---- The whole of it ------------------------------------------------------------ */

static void put_display(struct display *d)
{
	struct urivet_uri uri;
	struct kinds_seen seen;
	struct urivet_span host;
	urivet_split(d->t, SPLIT_REFERENCE, &uri, &seen);
	host = uri.part[URIVET_HOST];
	if (!urivet_has(&uri, URIVET_HOST)) {
		put_shown_pieces(d, 0, d->t.end);
		return;
	}
	put_shown_pieces(d, 0, host.offset);
	put_display_host(d, host);
	put_shown_pieces(d, span_end(host), d->t.end);
}

size_t urivet_display(char *out, size_t capacity, const void *data, size_t length,
		      const struct urivet_policy *policy, unsigned flags)
{
	struct display d = {.o = {out, capacity, 0}, .policy = policy};
	if (capacity > 0)
		out[0] = '\0';
	if (data == NULL || length > URIVET_DISPLAY_MOST)
		return 0;
	d.t = text_of(data, (uint32_t)length);
	d.html = (flags & URIVET_DISPLAY_HTML) != 0;
	d.isolates = d.html || (flags & URIVET_DISPLAY_ISOLATES) != 0;
	put_display(&d);
	return put_end(&d.o);
}
