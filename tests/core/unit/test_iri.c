/* SPDX-License-Identifier: Apache-2.0 */
/* Tests international URLs and their one ASCII spelling, and A-labels by their decoded form.
 * Expected spellings are those of RFC 3492 as written by Python's idna and ICU; tests/core/names
 * compares many more. */
#include <urivet/spelling.h>

#include "support.h"

TestSuite(iri, .timeout = 10);

#define U_UMLAUT "\xc3\xbc"

struct iri_row {
	const char *input;
	uint32_t outcome;
	const char *spelling; /* if one is offered */
	unsigned id;
	uint32_t code_point, offset, length;
};

static void expect_iri(const struct iri_row *row, const struct urivet_policy *policy)
{
	static char out[8192];
	struct urivet_iri iri;
	const size_t length = strlen(row->input);
	const char *const want = row->spelling != NULL ? row->spelling : "";
	const size_t n = urivet_suggest_iri(&iri, out, urivet_size_of(URIVET_CAPACITY_IRI, length), row->input, length, policy);
	cr_expect(n == strlen(want) && strcmp(out, want) == 0, "%s: %s", row->input, out);
	cr_expect(iri.outcome == row->outcome && iri.id == row->id, "%s: %u, %s", row->input, (unsigned)iri.outcome,
		  iri.id == 0 ? "-" : urivet_finding_info(iri.id)->name);
	cr_expect(iri.code_point == row->code_point && iri.span.offset == row->offset && iri.span.length == row->length,
		  "%s: U+%04X at %u, %u", row->input, (unsigned)iri.code_point, (unsigned)iri.span.offset,
		  (unsigned)iri.span.length);
}

#define OFFERED(input, spelling)	   {input, URIVET_IRI_OFFERED, spelling, 0, 0, 0, 0}
#define DISAGREE(input, id, c, offset, n)  {input, URIVET_IRI_DISAGREE, NULL, URIVET_F_##id, c, offset, n}
#define UNMAPPABLE(input, id, c, offset, n) {input, URIVET_IRI_UNMAPPABLE, NULL, URIVET_F_##id, c, offset, n}

static const struct iri_row rows[] = {
    OFFERED("https://m" U_UMLAUT "ller.de/stra\xc3\x9f" "e?q=gr\xc3\xb6\xc3\x9f" "e",
	    "https://xn--mller-kva.de/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe"),
    OFFERED("https://WWW.m" U_UMLAUT "ller.de:443", "https://www.xn--mller-kva.de/"),
    OFFERED("https://h.de/a#\xc3\xa9", "https://h.de/a#%C3%A9"),
    OFFERED("http://\xe4\xbe\x8b\xe3\x81\x88.jp/x/../y", "http://xn--r8jz45g.jp/y"),
    OFFERED("http://xn--mller-kva.\xe0\xa6\xac\xe0\xa6\xbe\xe0\xa6\x82\xe0\xa6\xb2\xe0\xa6\xbe/",
	    "http://xn--mller-kva.xn--54b7fta0cc/"),
    /* a look-alike that is already an A-label is not a changed spelling (xn--e28h: a symbol) */
    OFFERED("https://xn--e28h.example/" U_UMLAUT, "https://xn--e28h.example/%C3%BC"),
    OFFERED("http://a.\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d.il/1", "http://a.xn--9dbne9b.il/1"),
    /* already ASCII */
    {"http://h/%41", URIVET_IRI_ASCII, "http://h/A", 0, 0, 0, 0},
    {"http://h h/", URIVET_IRI_ASCII, NULL, URIVET_F_RAW_SPACE, 0, 0, 0},
    {"", URIVET_IRI_ASCII, NULL, URIVET_F_NOT_ABSOLUTE, 0, 0, 0},
    /* mapped differently by readers */
    DISAGREE("https://Stra\xc3\x9f" "e.de/", IDN_UPPERCASE, 'S', 8, 1),
    DISAGREE("https://stra\xc3\x9f" "e.de/", IDN_DEVIATION_CHAR, 0xdf, 12, 2),
    DISAGREE("https://m\xc3\x9c.de/", IDN_UPPERCASE, 0xdc, 9, 2),
    DISAGREE("https://\xef\xbd\x81.de/", IDN_COMPAT_MAPPING, 0xff41, 8, 3),
    DISAGREE("https://a\xc2\xad.de/", IDN_IGNORED_CHAR, 0xad, 9, 2),
    DISAGREE("https://a\xe2\x80\x8d.de/", IDN_DEVIATION_CHAR, 0x200d, 9, 3),
    DISAGREE("https://a\xe3\x80\x82" "de/", IDN_DOT_VARIANT, 0x3002, 9, 3),
    DISAGREE("https://\xe1\x8f\xa3.de/", IDN_READERS_DISAGREE, 0x13e3, 8, 3),
    DISAGREE("https://\xe2\x98\x83.de/", IDN_READERS_DISAGREE, 0x2603, 8, 3),
    DISAGREE("https://\xe0\xa6\x95\xe0\xa7\x8b.de/", IDN_READERS_DISAGREE, 0x9cb, 11, 3),
    /* marks */
    DISAGREE("https://mu\xcc\x88.de/", IDN_NOT_NFC, 0x308, 10, 2),
    DISAGREE("https://b\xcc\x82\xcc\xa3.de/", IDN_NOT_NFC, 0x323, 11, 2),
    DISAGREE("https://\xc3\xa9\xcc\xa3.de/", IDN_NOT_NFC, 0x323, 10, 2),
    DISAGREE("https://\xcc\x88" "a.de/", IDN_MARK_FIRST, 0x308, 8, 2),
    DISAGREE("https://" U_UMLAUT "\xcc\xb1.de/", IDN_READERS_DISAGREE, 0x331, 10, 2),
    DISAGREE("https://a\xcc\xb4\xcc\x81.de/", IDN_READERS_DISAGREE, 0x301, 11, 2),
    /* hyphens, directions */
    DISAGREE("https://-" U_UMLAUT ".de/", IDN_READERS_DISAGREE, '-', 8, 3),
    DISAGREE("https://" U_UMLAUT "-.de/", IDN_READERS_DISAGREE, 0xfc, 8, 3),
    DISAGREE("https://a" U_UMLAUT "--b.de/", IDN_READERS_DISAGREE, 'a', 8, 6),
    OFFERED("https://a" U_UMLAUT "-b.de/", "https://xn--a-b-hoa.de/"),
    DISAGREE("https://a\xd7\x90.de/", IDN_BIDI_RULE, 'a', 8, 3),
    DISAGREE("https://\xd7\x90" "1.de/", IDN_BIDI_RULE, 0x5d0, 8, 3),
    DISAGREE("https://1a.\xd7\x90.de/", IDN_BIDI_RULE, '1', 8, 2),
    DISAGREE("https://\xd7\x90\xe2\x98\x83" "a.de/", IDN_READERS_DISAGREE, 0x2603, 10, 3),
    DISAGREE("https://\xc3\xa9.1.xn--4db/", IDN_BIDI_RULE, '1', 11, 1),
    DISAGREE("https://\xc3\xa9.1.2.xn--4db/", IDN_BIDI_RULE, '1', 11, 1),
    /* outside the host */
    DISAGREE("https://h/e\xcc\x81", IDN_NOT_NFC, 0x301, 11, 2),
    DISAGREE("https://h/e\xcc\xb4\xcc\x81", IDN_NOT_NFC, 0x301, 13, 2),
    DISAGREE("https://h/\xcd\x80", IDN_NOT_NFC, 0x340, 10, 2),
    DISAGREE("https://h/\xe2\x80\x8b", NON_ASCII, 0x200b, 10, 3),
    DISAGREE("https://h/?\xe2\x80\xae", NON_ASCII, 0x202e, 11, 3),
    DISAGREE("https://h/#\xee\x80\x80", NON_ASCII, 0xe000, 11, 3),
    DISAGREE("\xe2\x80\x8b", NON_ASCII, 0x200b, 0, 3),
    /* invalid UTF-8, spellings that grow too long, and spellings that are refused all the same */
    UNMAPPABLE("https://h/\xff", NON_ASCII, 0xfffd, 10, 1),
    /* no policy offers a name that public refuses as a look-alike */
    UNMAPPABLE("https://\xd0\xbf" "aypal.com/", IDN_MIXED_SCRIPT, 0, 0, 0),
    UNMAPPABLE("https://h/\xc3", NON_ASCII, 0xfffd, 10, 1),
    UNMAPPABLE("https://h/\xc3%A9", NON_ASCII, 0xe9, 10, 1),
    UNMAPPABLE("https://h/\xed\xa0\x80", NON_ASCII, 0xfffd, 10, 1),
    UNMAPPABLE("https://h/\xc0\xaf", NON_ASCII, 0xfffd, 10, 1),
    UNMAPPABLE("https://" U_UMLAUT "%41.de/", HOST_PERCENT_ENCODED, 'A', 10, 3),
    UNMAPPABLE("https://u@" U_UMLAUT ".de/", USERINFO_PRESENT, 0, 0, 0),
    UNMAPPABLE("\xc3\xa9", NOT_ABSOLUTE, 0, 0, 0),
    UNMAPPABLE("http://a..\xc3\xa9.de/", HOST_EMPTY_LABEL, 0, 0, 0),
    UNMAPPABLE("http://\xc3\xa9.b:80//x", PATH_LEADING_DOUBLE_SLASH, 0, 0, 0), /* refused after a note */
    UNMAPPABLE("http://h/\x7f\xc3\xa9", CONTROL_CHAR, 0, 0, 0),
    OFFERED("http://h/\xc3\x80", "http://h/%C3%80"),
};

Test(iri, rows)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		if (rows[k].outcome != URIVET_IRI_OFFERED || rows[k].spelling != NULL)
			expect_iri(&rows[k], NULL);
}

/* Writes "http://", this many letters, U+00E9, and ".b/". */
static struct iri_row letters(char input[400], unsigned count)
{
	strcpy(input, "http://");
	memset(input + 7, 'a', count);
	strcpy(input + 7 + count, "\xc3\xa9.b/");
	return (struct iri_row)UNMAPPABLE(input, IDN_TOOLONG_AFTER_MAPPING, 'a', 7, count + 2);
}

/* Punycode of 55 letters and U+00E9 is the letters, a hyphen and "u3e": with "xn--" 63 octets. */
Test(iri, long_labels)
{
	char input[400], want[400] = "http://xn--";
	struct iri_row row = letters(input, 55);
	memset(want + 11, 'a', 55);
	strcpy(want + 66, "-u3e.b/");
	row = (struct iri_row)OFFERED(input, want);
	expect_iri(&row, NULL);
	for (unsigned count = 56; count < 70; count++) {
		row = letters(input, count);
		expect_iri(&row, NULL);
	}
}

/* With less room than needed nothing is written. */
Test(iri, room)
{
	static const char input[] = "http://\xc3\xa9.b/\xc3\xa9";
	const size_t length = sizeof input - 1, capacity = urivet_size_of(URIVET_CAPACITY_IRI, length);
	struct urivet_iri iri;
	char out[256];
	memset(out, 'x', sizeof out);
	cr_expect(urivet_suggest_iri(&iri, out, capacity - 1, input, length, NULL) == capacity && out[0] == '\0');
	cr_expect(out[1] == 'x' && iri.outcome == URIVET_IRI_UNMAPPABLE && iri.id == 0);
	cr_expect(urivet_suggest_iri(&iri, NULL, 0, input, length, NULL) == capacity);
	cr_expect(urivet_suggest_iri(&iri, out, capacity, input, length, NULL) == 23);
	cr_expect_str_eq(out, "http://xn--9ca.b/%C3%A9");
	cr_expect(urivet_suggest_iri(&iri, out, sizeof out, NULL, 7, NULL) == 0 && iri.outcome == URIVET_IRI_ASCII);
	cr_expect(urivet_suggest_iri(&iri, out, sizeof out, input, (size_t)URIVET_MAX_LENGTH + 1, NULL) == 0);
	cr_expect(iri.outcome == URIVET_IRI_UNMAPPABLE && iri.id == URIVET_F_URL_TOO_LONG);
	cr_expect(urivet_size_of(URIVET_CAPACITY_IRI, 10) == 96 && urivet_size_of(URIVET_CAPACITY_IRI, SIZE_MAX / 8) == SIZE_MAX);
}

/* A policy that accepts more, and one that accepts less. */
Test(iri, policies)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_USERINFO_PRESENT);
	struct iri_row row = UNMAPPABLE("http://u@\xc3\xa9.b/", USERINFO_PRESENT, 0, 0, 0);
	expect_iri(&row, &p);
	p = built_in(URIVET_STRICT);
	cr_assert(urivet_policy_raise(&p, URIVET_F_IDN_RECENT_CHAR));
	row = (struct iri_row)UNMAPPABLE("http://\xc3\xa9.xn--80ak6aa92e.b/", IDN_RECENT_CHAR, 0, 0, 0);
	expect_iri(&row, &p);
	p = built_in(URIVET_PUBLIC);
	row = (struct iri_row)UNMAPPABLE("http://\xc3\xa9/", HOST_SINGLE_LABEL, 0, 0, 0);
	expect_iri(&row, &p);
	p = built_in(URIVET_STRICT);
	p.max_length = 12;
	row = (struct iri_row)UNMAPPABLE("http://\xc3\xa9.b/", URL_TOO_LONG, 0, 0, 0);
	expect_iri(&row, &p);
}

/* ---- A-labels ----------------------------------------------------------------------- */

/* A-labels and the findings of their decoded form. */
static const struct {
	const char *host, *ids;
} alabels[] = {
    {"xn--mller-kva.de", ""},
    {"xn--strae-oqa.de", "idn-not-everywhere"}, /* U+00DF */
    {"xn--n3h.net", "idn-not-everywhere"},      /* U+2603 */
    {"xn--80ak6aa92e.com", "idn-recent-char"},  /* U+04CF, of Unicode 5.0 */
    {"xn--dca.org", "idn-readers-disagree,idn-uppercase"},
    {"xn--ab-wda.org", "idn-compat-mapping,idn-readers-disagree"}, /* U+00AA */
    {"xn--ab-5da.org", "idn-ignored-char,idn-readers-disagree"},   /* U+00AD */
    {"xn--ab-j1t.org", "idn-ignored-char,idn-deviation-char,idn-readers-disagree"}, /* U+200C */
    {"xn--ab-r13a.org", "idn-invalid-alabel"},                     /* U+3002 */
    {"xn--ab-y8l.org", "idn-readers-disagree"},                    /* U+13A0 */
    {"xn--ab-uub.org", "idn-readers-disagree,idn-not-nfc"},        /* a, U+0308 */
    {"xn--9ca45i.org", "idn-readers-disagree,idn-not-nfc,idn-not-everywhere"}, /* U+00E9, U+0323: U+1EB9, U+0301 */
    {"xn--9ca82ieb.org", "idn-readers-disagree,idn-not-everywhere"}, /* U+00E9, U+0316, U+0323 */
    {"xn--1ca00j.org", "idn-not-everywhere"}, /* U+00E1, U+0332 is NFC */
    {"xn--a-xbb6m.org", "idn-readers-disagree"},                   /* a, U+0334, U+0301 */
    {"xn--abc-fdc.jp", "idn-mark-first"},
    {"xn--caf-dma.fr", ""},
    {"xn--a-yoc.com", "idn-bidi-rule"},
    {"xn--9dbne9b.il", ""},
    {"1a.xn--9dbne9b.il", "idn-bidi-rule"},
    {"a..xn--9dbne9b.il", "host-empty-label"},
    {"a1.xn--9dbne9b.il", ""},
    {"xn--1-0hc.org", "idn-bidi-rule"}, /* 1, U+05D0 */
};

Test(iri, alabels)
{
	for (size_t k = 0; k < sizeof alabels / sizeof alabels[0]; k++) {
		struct urivet_report r;
		judge_host(&r, alabels[k].host, NULL);
		cr_expect_str_eq(ids_of(&r), alabels[k].ids[0] != '\0' ? alabels[k].ids : "-", "%s: %s", alabels[k].host, ids_of(&r));
	}
}
