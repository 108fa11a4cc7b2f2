/* SPDX-License-Identifier: Apache-2.0 */
/* Tests characters and labels alone: the Unicode Character Database 15.0, UAX 15, RFC 5893, 2,
 * and RFC 3454, 6. */
#include "support.h"

#include "names/label.h"
#include "uri/decoded.h"

TestSuite(names, .timeout = 10);

/* ---- Characters ------------------------------------------------------------------------ */

static const struct {
	uint32_t code_point;
	uint8_t kind, bidi, order, flags;
} characters[] = {
    {'a', CHARACTER_AGREED, BIDI_L, 0, COMPOSES_FIRST},
    {'q', CHARACTER_AGREED, BIDI_L, 0, 0},
    {'Q', CHARACTER_UPPERCASE, BIDI_L, 0, 0},
    {'-', CHARACTER_AGREED, BIDI_ES, 0, 0},
    {'0', CHARACTER_AGREED, BIDI_EN, 0, 0},
    {'_', CHARACTER_SYMBOL, BIDI_ON, 0, 0},
    {0, CHARACTER_DISALLOWED, BIDI_BN, 0, INVISIBLE},
    {0x7f, CHARACTER_DISALLOWED, BIDI_BN, 0, INVISIBLE},
    {0xaa, CHARACTER_COMPATIBLE, BIDI_L, 0, 0},
    {0xad, CHARACTER_IGNORED, BIDI_BN, 0, INVISIBLE},
    {0xdf, CHARACTER_DEVIATION, BIDI_L, 0, 0},
    {0xfc, CHARACTER_AGREED, BIDI_L, 0, COMPOSES_FIRST | DECOMPOSES},
    {0x301, CHARACTER_AGREED, BIDI_NSM, 230, MARK | COMPOSES_SECOND},
    {0x340, CHARACTER_COMPATIBLE, BIDI_NSM, 230, MARK | DECOMPOSES | NEVER_NFC},
    {0x4cf, CHARACTER_RECENT, BIDI_L, 0, 0},
    {0x5d0, CHARACTER_AGREED, BIDI_R, 0, 0},
    {0x627, CHARACTER_AGREED, BIDI_AL, 0, COMPOSES_FIRST},
    {0x660, CHARACTER_CONTEXT, BIDI_AN, 0, 0},
    {0x9cb, CHARACTER_VOWEL, BIDI_L, 0, MARK | DECOMPOSES},
    {0x13a0, CHARACTER_FOLDED, BIDI_L, 0, 0},
    {0x1806, CHARACTER_IGNORED, BIDI_ON, 0, 0},
    {0x200c, CHARACTER_JOINER, BIDI_BN, 0, INVISIBLE},
    {0x3002, CHARACTER_DOT, BIDI_ON, 0, 0},
    {0xac00, CHARACTER_AGREED, BIDI_L, 0, COMPOSES_FIRST | DECOMPOSES},
    {0xac01, CHARACTER_AGREED, BIDI_L, 0, DECOMPOSES},
    {0xd7ff, CHARACTER_DISALLOWED, BIDI_L, 0, INVISIBLE},
    {0x10000, CHARACTER_BEYOND, BIDI_L, 0, 0},
    {0x10ffff, CHARACTER_DISALLOWED, BIDI_BN, 0, INVISIBLE},
    {0x110000, CHARACTER_DISALLOWED, BIDI_BN, 0, INVISIBLE},
    {UINT32_MAX, CHARACTER_DISALLOWED, BIDI_BN, 0, INVISIBLE},
};

Test(names, characters)
{
	for (size_t k = 0; k < sizeof characters / sizeof characters[0]; k++) {
		const struct traits c = urivet_traits(characters[k].code_point);
		cr_expect(c.kind == characters[k].kind && c.bidi == characters[k].bidi &&
			      c.order == characters[k].order && c.flags == characters[k].flags,
			  "U+%04X: %u %u %u %x", (unsigned)characters[k].code_point, c.kind, c.bidi, c.order,
			  c.flags);
	}
}

/* The first and the last of the list, adjacent ones, and Hangul at its borders. */
static const struct {
	uint32_t first, second;
	bool composes;
} pairs[] = {
    {0x3c, 0x338, true},	 {0x3c, 0x337, false},	    {0x3c, 0x339, false},     {0x3b, 0x338, false},
    {0x115b9, 0x115af, true},	 {0x115b9, 0x115b0, false}, {0x115ba, 0x115af, false}, {0x11935, 0x11930, true},
    {0x11935, 0x11931, false},	 {0x11936, 0x11930, false}, {'a', 0x301, true},	      {'a', 0x300, true},
    {'a', 0x305, false},	 {0, 0, false},		    {UINT32_MAX, UINT32_MAX, false},
    {0x1100, 0x1161, true},	 {0x10ff, 0x1161, false},   {0x1112, 0x1175, true},   {0x1113, 0x1161, false},
    {0x1100, 0x1160, false},	 {0x1100, 0x1176, false},   {0x1101, 0x1162, true},   {0x1100, 0x11a8, false},
    {0xac00, 0x11a8, true},	 {0xac00, 0x11a7, false},   {0xac00, 0x11c2, true},   {0xac00, 0x11c3, false},
    {0xac01, 0x11a8, false},	 {0xac1c, 0x11a8, true},    {0xd788, 0x11c2, true},   {0xd7a4, 0x11a8, false},
    {0xabe4, 0x11a8, false},	 {0xac00, 0x1161, false},   {0xabfc, 0x11a8, false},
};

Test(names, pairs)
{
	for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
		cr_expect(urivet_composes(pairs[k].first, pairs[k].second) == pairs[k].composes, "U+%04X U+%04X",
			  (unsigned)pairs[k].first, (unsigned)pairs[k].second);
}

/* ---- Labels ---------------------------------------------------------------------------- */

#define LEFT  1 /* may stand beside right-to-left labels */
#define RIGHT 2 /* is a right-to-left label */

static const struct {
	uint32_t point[6]; /* ends at 0 */
	uint32_t faults, first;
	unsigned direction;
} labels[] = {
    {{0}, 0, 0, 0}, {{'a'}, 0, 1, LEFT}, {{'a', '1'}, 0, 2, LEFT}, {{'1', 'a'}, 0, 2, 0},
    /* marks */
    {{0x308, 'a'}, FAULT_MARK_FIRST, 0, 0},
    {{'a', 0x308}, FAULT_NOT_NFC | FAULT_COMPOSES, 1, LEFT}, {{'q', 0x323, 0x308}, 0, 3, LEFT},
    {{'q', 0x308, 0x323}, FAULT_NOT_NFC, 2, LEFT}, {{'q', 0x308, 0x308}, 0, 3, LEFT},
    {{'q', 0x308, 0x903}, 0, 3, LEFT}, {{'q', 0x308, 0x903, 0x323}, 0, 4, LEFT},
    {{'a', 0x334, 0x301}, FAULT_COMPOSES, 2, LEFT}, {{'q', 0x334, 0x301}, 0, 3, LEFT},
    {{'a', 'q', 0x301}, 0, 3, LEFT}, {{'a', 0x338, 0x338}, 0, 3, LEFT},
    {{0xfc, 0x331}, FAULT_RECOMPOSES, 1, LEFT}, {{0xfc, 'q', 0x331}, 0, 3, LEFT},
    /* U+0CC6 and U+0CC2 compose; U+0CBC does not begin a composition, and is of Unicode 4.0 */
    {{0xc95, 0xcc6, 0xcc2}, FAULT_NOT_NFC, 2, LEFT},
    {{0xc95, 0xcc6, 0xcbc, 0xcc2}, FAULT_COMPOSES, 2, LEFT},
    {{0xc95, 0xcc6, 0xcbc, 0xcbc, 0xcc2}, FAULT_COMPOSES, 2, LEFT},
    {{0xc95, 0xcbc, 0xcbc, 0xcc2}, 0, 1, LEFT}, {{0xc95, 0xcc6, 0xcbc, 'q', 0xcc2}, 0, 2, LEFT},
    {{0xc95, 0xcc6, 'q', 0xcbc, 0xcc2}, 0, 3, LEFT}, {{0xc95, 0xcc6, 0xcbc, 0xcbc}, 0, 2, LEFT},
    /* Hangul composes like marks, but consists of letters */
    {{0x1100, 0x1161}, FAULT_NOT_NFC | FAULT_COMPOSES, 0, LEFT},
    {{'a', 0x1100, 0x1161}, FAULT_NOT_NFC | FAULT_COMPOSES, 1, LEFT}, {{0x1161, 'a'}, 0, 0, LEFT},
    /* hyphens */
    {{'-'}, FAULT_HYPHENS, 1, 0}, {{'-', 'a'}, FAULT_HYPHENS, 2, 0},
    {{'a', '-'}, FAULT_HYPHENS, 2, 0}, {{'a', 'b', '-', '-', 'c'}, FAULT_HYPHENS, 5, LEFT},
    {{'a', 'b', '-', '-'}, FAULT_HYPHENS, 4, 0}, {{'a', '-', '-', 'b'}, 0, 4, LEFT},
    {{'a', 'b', '-', 'c', '-', 'd'}, 0, 6, LEFT}, {{'a', 'b', 'c', '-', 'd'}, 0, 5, LEFT},
    /* right-to-left: the first, the last, and those allowed between */
    {{0x5d0}, 0, 1, RIGHT}, {{0x627}, 0, 1, RIGHT}, {{0x5d0, '-', 0x5d1}, 0, 3, RIGHT},
    {{'1', 0x5d0}, FAULT_BIDI, 2, RIGHT}, {{'a', 0x5d0}, FAULT_BIDI, 2, RIGHT},
    {{0x5d0, 'a', 0x5d0}, FAULT_BIDI, 3, RIGHT}, {{0x5d0, '1'}, FAULT_BIDI_2003, 2, RIGHT},
    {{0x5d0, '1', 0x5d0}, 0, 3, RIGHT}, {{0x5d0, 0x5b0}, FAULT_BIDI_2003, 2, RIGHT},
    {{0x5d0, 0x5b0, 0x5d0}, 0, 3, RIGHT}, {{0x5d0, '-', 0x5b0}, FAULT_BIDI, 3, RIGHT},
    {{0x627, 0x660}, FAULT_BIDI_2003, 1, RIGHT}, {{0x627, 0x660, 0x627}, 0, 1, RIGHT},
    {{0x627, 0x660, '1', 0x627}, FAULT_BIDI, 1, RIGHT}, {{0x660}, FAULT_BIDI, 0, RIGHT},
    {{0x5d0, '#', 0x5d0}, 0, 1, RIGHT}, {{0x5d0, ',', 0x5d0}, 0, 1, RIGHT},
    {{0x5d0, '!', 0x5d0}, 0, 1, RIGHT}, {{0x5d0, '+', 0x5d0}, 0, 1, RIGHT},
    {{0x5d0, 0xad, 0x5d0}, 0, 1, RIGHT}, {{0x5d0, ' ', 0x5d0}, FAULT_BIDI, 1, RIGHT},
    /* beside a right-to-left label */
    {{'a', '#', 'a'}, 0, 1, LEFT}, {{'a', ',', 'a'}, 0, 1, LEFT}, {{'a', '!', 'a'}, 0, 1, LEFT},
    {{'a', 0xad, 'a'}, 0, 1, LEFT}, {{'a', ' ', 'a'}, 0, 1, 0}, {{'a', '#'}, 0, 1, 0},
    {{'#', 'a'}, 0, 0, 0}, {{'q', '1', 0x308}, 0, 3, LEFT},
};

static struct code_points points_of(const uint32_t *point, uint32_t most)
{
	struct code_points points = {0, {0}};
	while (points.count < most && point[points.count] != 0) {
		points.point[points.count] = point[points.count];
		points.count++;
	}
	return points;
}

Test(names, labels)
{
	for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
		const struct code_points points = points_of(labels[k].point, 6);
		struct label label;
		memset(&label, 0x5a, sizeof label);
		urivet_read_label(&points, &label);
		cr_expect(label.faults == labels[k].faults && label.first == labels[k].first, "%zu: %x, %u", k,
			  (unsigned)label.faults, (unsigned)label.first);
		cr_expect(label.right_to_left == (labels[k].direction == RIGHT) &&
			      label.left_to_right == (labels[k].direction == LEFT),
			  "%zu: %d, %d", k, label.right_to_left, label.left_to_right);
	}
}

/* All characters of these kinds, and no others. */
Test(names, kinds)
{
	static const uint32_t point[] = {'a', 0x2603, 0x10ffff, 'b', 0x3002, 0};
	const struct code_points points = points_of(point, 6);
	struct label label;
	urivet_read_label(&points, &label);
	cr_expect(label.kinds == (1u << CHARACTER_AGREED | 1u << CHARACTER_SYMBOL | 1u << CHARACTER_DISALLOWED |
				  1u << CHARACTER_DOT));
	cr_expect(!is_agreed(&label));
	/* not those that a longer label has left after the last one */
	const struct code_points left = {2, {'a', 'b', '-', '-'}}, upper = {1, {'a', 'Q'}};
	urivet_read_label(&left, &label);
	cr_expect(is_agreed(&label));
	label.first = 1;
	label.faults = FAULT_NOT_NFC;
	cr_expect(urivet_label_reason(&upper, &label) == URIVET_F_IDN_NOT_NFC);
}

/* ---- Text ------------------------------------------------------------------------------- */

/* Raw and escaped characters, octets that begin no character, and no more characters than fit. */
Test(names, points_of_text)
{
	static const char text[] = "a%C3%A9\xc3\xa9\xff%2e.b";
	static const uint32_t want[] = {'a', 0xe9, 0xe9, 0xfffd, '.'};
	const struct text t = text_of(text, sizeof text - 1);
	struct code_points points;
	char many[80];
	struct utf8 u;
	urivet_label_points(t, 0, 13, &points);
	cr_expect(points.count == 5 && memcmp(points.point, want, sizeof want) == 0);
	urivet_label_points(t, 3, 3, &points);
	cr_expect(points.count == 0);
	memset(many, 'a', sizeof many);
	for (uint32_t n = 62; n < 80; n++) {
		urivet_label_points(text_of(many, 80), 0, n, &points);
		cr_expect(points.count == (n < PUNYCODE_POINTS ? n : PUNYCODE_POINTS));
	}
	urivet_label_unit(t, 0, &u);
	cr_expect(u.code_point == 'a' && u.next == 1 && u.octets == 1 && u.form == UTF8_VALID);
	urivet_label_unit(t, 9, &u);
	cr_expect(u.code_point == 0xfffd && u.next == 10 && u.form != UTF8_VALID);
	for (uint32_t k = 0; k < 10; k++) {
		static const struct urivet_span spans[] = {{0, 1}, {1, 6}, {7, 2}, {9, 1}, {10, 3}, {13, 1}, {14, 1}};
		const struct urivet_span s = urivet_label_character(t, 0, k);
		const struct urivet_span expected = spans[k < 7 ? k : 6];
		cr_expect(s.offset == expected.offset && s.length == expected.length, "%u", (unsigned)k);
	}
	cr_expect(urivet_label_character(t, 15, 3).offset == 15 && urivet_label_character(t, 15, 3).length == 0);
}

Test(names, points_of_alabels)
{
	static const struct {
		const char *label;
		uint32_t points[6], count;
		bool good;
	} rows[] = {
	    {"xn--caf-dma", {'c', 'a', 'f', 0xe9}, 4, true},
	    {"XN--Mller-Kva", {'m', 0xfc, 'l', 'l', 'e', 'r'}, 6, true},
	    {"xn--9dbne9b", {0x5e9, 0x5dc, 0x5d5, 0x5dd}, 4, true},
	    {"abc", {0}, 0, false},
	    {"xn--9", {0}, 0, false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct code_points points = {9, {0}};
		const bool good =
		    urivet_alabel_points(text_of(rows[k].label, (uint32_t)strlen(rows[k].label)), 0, &points);
		cr_expect(good == rows[k].good && points.count == rows[k].count, "%s", rows[k].label);
		cr_expect(memcmp(points.point, rows[k].points, points.count * sizeof(uint32_t)) == 0, "%s",
			  rows[k].label);
	}
}

/* Characters that no text in NFC contains, and invisible ones. */
Test(names, unclear)
{
	static const struct {
		const char *text;
		uint32_t at;
	} rows[] = {
	    {"", 0},		  {"abc", 3},		    {"\xc3\xa9", 2},
	    {"\xcc\x81", 2}, /* no character before it */
	    {"e\xcc\x81", 1},	  {"q\xcc\x81", 3},	    {"q\xcc\x88\xcc\xa3", 3},
	    {"q\xcc\xa3\xcc\x88", 5},			    {"a\xcc\xb4\xcc\x81", 3},
	    {"\xc3\xbc\xcc\xb1", 4}, /* paths do not require the property `addressable` */
	    {"x\xcd\x80", 1},	  {"ab\xe2\x80\x8b", 2},    {"%E2%80%8Bab", 11},
	    {"e%CC%81x", 1},	  {"\x01", 1},		    {"\xe1\x84\x80\xe1\x85\xa1", 3},
	    {"/\xe2\x98\x83", 4}, {"\xee\x80\x80", 0},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const uint32_t length = (uint32_t)strlen(rows[k].text);
		cr_expect(urivet_find_unclear(text_of(rows[k].text, length), 0) == rows[k].at, "%zu: %u", k,
			  (unsigned)urivet_find_unclear(text_of(rows[k].text, length), 0));
	}
	cr_expect(urivet_find_unclear(text_of("e\xcc\x81", 3), 1) == 3);
}

/* RFC 1035, 2.3.4: the longest name has 253 octets, without empty labels and the final dot. */
Test(names, decoded)
{
	static const char *const none[] = {"", ".", "a~b", "a b", "a%zz", "a\xff", "%2e."};
	uint8_t name[DECODED_MOST + 8];
	char text[600];
	for (int n = 1; n < 260; n++)
		for (int dot = 0; dot < 2; dot++) { /* before the last octet */
			const int length = snprintf(text, sizeof text, "%%2E%0*d%s%%6F..", n, 0, dot ? "..%2e" : "");
			const uint32_t most = (uint32_t)(n + 1 + dot);
			memset(name, 0x5a, sizeof name);
			const uint32_t got = urivet_decode_name(text_of(text, (uint32_t)length), 0, name);
			cr_expect(got == (most <= DECODED_MOST ? most : 0) && name[DECODED_MOST] == 0x5a, "%d: %u", n, (unsigned)got);
		}
	for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
		cr_expect(urivet_decode_name(text_of(none[k], (uint32_t)strlen(none[k])), 0, name) == 0, "%s", none[k]);
	cr_expect(urivet_decode_name(EDGE("x.A-b_%43.9"), 2, name) == 7 && memcmp(name, "a-b_c.9", 7) == 0);
}
