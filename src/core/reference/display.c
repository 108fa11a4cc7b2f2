/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a URL for people to read (RFC 3987, 3.2; UTS 36, 2). A-labels and triplets are replaced
 * by characters that cannot be mistaken for others. */
#include <urivet/spelling.h>

#include "names/label.h"
#include "names/looks.h"
#include "policy/protected.h"
#include "policy/tlds.h"
#include "readers/browser_text.h"
#include "report/report.h"
#include "text/out.h"
#include "uri/host.h"
#include "uri/uri.h"

/* State of the formatter. */
struct display {
	struct text t;
	struct out o;
	const struct urivet_policy *policy;
	bool html;
	bool isolates;       /* right-to-left text may be shown, since it is isolated */
	uint32_t base;       /* the previous character */
	bool is_letter;      /* `base` can carry a combining mark */
	bool right_to_left;  /* a label of the host read so far is right-to-left */
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

/* Writes an octet, or a character reference if it has a meaning in HTML. */
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

/* Writes FSI before or PDI after right-to-left text (UAX 9). */
static void put_isolate(struct display *d, bool begins)
{
	if (d->html)
		put_octets(&d->o, begins ? "&#x2068;" : "&#x2069;", 9);
	else
		put_utf8(&d->o, begins ? 0x2068 : 0x2069);
}

/* ---- Which characters may be shown --------------------------------------------- */

/* Letters, digits and marks of names, and capital letters. Other characters are mapped, are
 * invisible, or are symbols, which may look like delimiters. */
#define SHOWN_KINDS                                                                                \
	(KIND_BIT(CHARACTER_AGREED) | KIND_BIT(CHARACTER_RECENT) | KIND_BIT(CHARACTER_BEYOND) |    \
	 KIND_BIT(CHARACTER_VOWEL) | KIND_BIT(CHARACTER_CONTEXT) | KIND_BIT(CHARACTER_FOLDED) |    \
	 KIND_BIT(CHARACTER_UPPERCASE) | KIND_BIT(CHARACTER_DEVIATION))

static bool is_written_leftwards(unsigned bidi)
{
	return bidi == BIDI_R || bidi == BIDI_AL || bidi == BIDI_AN;
}

/* Returns true if the character cannot be misread after the one before it. */
static bool is_clear(const struct display *d, uint32_t point)
{
	const struct traits c = urivet_traits(point);
	const struct look look = urivet_look(point);
	if ((KIND_BIT(c.kind % 32u) & SHOWN_KINDS) == 0)
		return false;
	if ((c.flags & MARK) != 0 && (!d->is_letter || point == d->base))
		return false;
	if (urivet_composes(d->base, point)) /* it would be encoded as another character */
		return false;
	if ((look.flags & (LOOKS_SLASH | LOOKS_STROKE)) != 0 && d->base < 0x80)
		return false;
	return d->isolates || !is_written_leftwards(c.bidi);
}

/* Writes a character above 0x7F, given raw or as triplets; as triplets unless it is clear. */
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

/* ---- Segments ------------------------------------------------------------------ */

/* Returns true if the text from `at` to `end` has a right-to-left character. */
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

/* Writes an ASCII octet or triplet unchanged. A triplet cannot carry a combining mark. */
static void put_unit(struct display *d, uint32_t at, struct unit unit)
{
	for (; at < unit.next; at++)
		put_shown_ascii(d, octet(d->t, at));
	if (unit.escaped)
		d->is_letter = false;
}

/* Writes the text between two delimiters. Triplets of ASCII octets stay unchanged. */
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

/* Writes path segments and query pairs, each formatted separately. */
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

/* Returns true if all readers agree on the label and it does not look like another one. */
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

/* Returns true if all labels may be shown. Otherwise none are, so that a name is never shown in
 * mixed form. */
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

/* Writes the host unchanged. */
static void put_host_octets(struct display *d, uint32_t at, uint32_t end)
{
	for (; at < end; at++)
		put_shown_ascii(d, octet(d->t, at));
}

/* Writes a label, decoded if it is an A-label. */
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

/* ---- The whole URL -------------------------------------------------------------- */

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
