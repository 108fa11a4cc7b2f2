/* SPDX-License-Identifier: Apache-2.0 */
/* Tests splitting a query into pairs, and decoding. Expectations follow WHATWG URL, 5.1, RFC
 * 3986, 2.1 and RFC 3629; tests/core/parameters compares with other software. */
#include "support.h"

#include <stdlib.h>
#include <urivet/parameters.h>

TestSuite(decode, .timeout = 30);

/* ---- Pairs ------------------------------------------------------------------------ */

struct pairs_row {
	struct urivet_text query;
	const char *pairs; /* name=value, or name alone without "=", separated by | */
};

static const struct pairs_row queries[] = {
	{{LITERAL("")}, ""}, {{LITERAL("&")}, ""}, {{LITERAL("&&&")}, ""}, {{LITERAL("a")}, "a"},
	{{LITERAL("a=")}, "a="}, {{LITERAL("=")}, "="}, {{LITERAL("=a")}, "=a"},
	{{LITERAL("a=b")}, "a=b"}, {{LITERAL("a=b=c")}, "a=b=c"}, {{LITERAL("a==")}, "a=="},
	{{LITERAL("a=1&b=2")}, "a=1|b=2"}, {{LITERAL("&a=1&&b&")}, "a=1|b"},
	{{LITERAL("a=1;b=2&c")}, "a=1;b=2|c"}, {{LITERAL("a%26b=%3D&c%3Dd")}, "a%26b=%3D|c%3Dd"},
	{{LITERAL("?a=1")}, "?a=1"}, {{LITERAL("a\0b=\0&c")}, "a\\x00b=\\x00|c"},
	{{LITERAL("url=good&url=bad")}, "url=good|url=bad"},
};

/* Appends one octet sequence to a list, in the form of shown(). */
static size_t write_text(char *out, size_t at, const char *data, struct urivet_span s)
{
	return at + (size_t)sprintf(out + at, "%s", shown(data + s.offset, s.length));
}

Test(decode, pairs_of_a_query)
{
	for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
		const size_t length = queries[k].query.length;
		const char *data = at_edge(queries[k].query.data, length);
		struct urivet_parameter_scan scan = {.data = data, .length = length};
		struct urivet_parameter p;
		char got[200] = "";
		size_t at = 0;
		while (urivet_parameter_next(&scan, &p)) {
			cr_assert(p.name.offset + p.name.length + p.has_value == p.value.offset);
			cr_assert(p.value.offset + p.value.length == scan.position);
			if (at > 0)
				got[at++] = '|';
			at = write_text(got, at, data, p.name);
			if (p.has_value)
				got[at++] = '=';
			at = write_text(got, at, data, p.value);
			got[at] = '\0';
		}
		cr_expect_str_eq(got, queries[k].pairs, "%s: %s", queries[k].pairs, got);
		cr_expect(scan.position == length);
		cr_expect(!urivet_parameter_next(&scan, &p));
	}
}

/* With semicolons, ";" separates as "&" does. */
Test(decode, pairs_between_semicolons)
{
	static const char query[] = ";a=1;b=2&c;";
	static const char *const names[] = {"a", "b", "c"};
	struct urivet_parameter_scan scan = {
	    .data = query, .length = sizeof query - 1, .semicolons = true};
	struct urivet_parameter p;
	for (size_t k = 0; k < 3; k++) {
		cr_assert(urivet_parameter_next(&scan, &p));
		cr_expect_str_eq(shown(query + p.name.offset, p.name.length), names[k]);
	}
	cr_expect(!urivet_parameter_next(&scan, &p));
}

/* A text without data has no pairs, and *parameter is left unchanged at the end. */
Test(decode, no_pairs)
{
	struct urivet_parameter p = {{1, 2}, {3, 4}, true};
	const struct urivet_parameter_scan none[] = {
	    {NULL, 9, 0, false},      {"a=b", (size_t)URIVET_MAX_LENGTH + 1, 0, false},
	    {"a=b", 3, 3, false},     {"a=b", 3, 4, false},
	    {"a=b", 3, SIZE_MAX, false}, {"&&&", 3, 1, false},
	    {"a", 0, 0, false},       {"&;;", 3, 0, true}};
	for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
		struct urivet_parameter_scan scan = none[k];
		cr_expect(!urivet_parameter_next(&scan, &p), "%zu", k);
		cr_expect(p.name.offset == 1 && p.name.length == 2 && p.value.offset == 3 &&
			  p.value.length == 4 && p.has_value);
	}
}

/* ---- Decoding ---------------------------------------------------------------------- */

struct decode_row {
	struct urivet_text text;
	enum urivet_decoded how;
	size_t fault;
	struct urivet_text form, percent; /* expected results of decoding as a form, and of percent-decoding */
};

#define FULL URIVET_DECODED
#define ESCAPE URIVET_DECODED_BAD_ESCAPE
#define NUL_OCTET URIVET_DECODED_NUL
#define NO_UTF8 URIVET_DECODED_NOT_UTF8
#define SAME(s) {LITERAL(s)}, {LITERAL(s)}
#define NOTHING {NULL, 0}, {NULL, 0}

static const struct decode_row decoded_rows[] = {
	{{LITERAL("")}, FULL, 0, SAME("")}, {{LITERAL("abc")}, FULL, 0, SAME("abc")},
	{{LITERAL("a+b")}, FULL, 0, {LITERAL("a b")}, {LITERAL("a+b")}},
	{{LITERAL("%2B+%2b")}, FULL, 0, {LITERAL("+ +")}, {LITERAL("+++")}},
	{{LITERAL("%41%6a")}, FULL, 0, SAME("Aj")}, {{LITERAL("%2541")}, FULL, 0, SAME("%41")},
	{{LITERAL("\x01\x7f %01%7F")}, FULL, 0, SAME("\x01\x7f \x01\x7f")},
	{{LITERAL("%")}, ESCAPE, 0, NOTHING}, {{LITERAL("a%4")}, ESCAPE, 1, NOTHING},
	{{LITERAL("ab%zz")}, ESCAPE, 2, NOTHING}, {{LITERAL("%4g%41")}, ESCAPE, 0, NOTHING},
	{{LITERAL("%%41")}, ESCAPE, 0, NOTHING}, {{LITERAL("%u0041")}, ESCAPE, 0, NOTHING},
	{{LITERAL("a\0b")}, NUL_OCTET, 1, NOTHING}, {{LITERAL("ab%00")}, NUL_OCTET, 2, NOTHING},
	/* UTF-8: first and last characters of each length */
	{{LITERAL("\xc2\x80%C2%80")}, FULL, 0, SAME("\xc2\x80\xc2\x80")},
	{{LITERAL("%DF%BF%E0%A0%80")}, FULL, 0, SAME("\xdf\xbf\xe0\xa0\x80")},
	{{LITERAL("%ED%9F%BF%EE%80%80")}, FULL, 0, SAME("\xed\x9f\xbf\xee\x80\x80")},
	{{LITERAL("\xef\xbf\xbf%F0%90%80%80")}, FULL, 0, SAME("\xef\xbf\xbf\xf0\x90\x80\x80")},
	{{LITERAL("\xf4\x8f\xbf\xbf%F4%8F%BF%BF")}, FULL, 0, SAME("\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf")},
	{{LITERAL("%EF%BB%BFa")}, FULL, 0, SAME("\xef\xbb\xbf" "a")}, /* a byte order mark stays */
	{{LITERAL("a%80")}, NO_UTF8, 1, NOTHING},
	{{LITERAL("a\x80")}, NO_UTF8, 1, NOTHING},
	{{LITERAL("%C0%AF")}, NO_UTF8, 0, NOTHING},          /* an overlong "/" */
	{{LITERAL("\xc0\xaf")}, NO_UTF8, 0, NOTHING}, {{LITERAL("%C1%BF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%E0%80%AF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%E0%9F%BF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%F0%80%80%AF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%F0%8F%BF%BF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%ED%A0%80")}, NO_UTF8, 0, NOTHING},       /* surrogates */
	{{LITERAL("%ED%BF%BF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%F4%90%80%80")}, NO_UTF8, 0, NOTHING},    /* above U+10FFFF */
	{{LITERAL("%F5%80%80%80")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%FF")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("xy%C3")}, NO_UTF8, 2, NOTHING},           /* cut short */
	{{LITERAL("%E2%82")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%C3+")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%C3%41")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%C3\xa9")}, NO_UTF8, 0, NOTHING},         /* half raw, half escaped */
	{{LITERAL("\xc3%A9")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("\xe2\x82%AC")}, NO_UTF8, 0, NOTHING},
	{{LITERAL("%C3%A9\xc3\xa9%zz")}, ESCAPE, 8, NOTHING},
};

static void expect_decoded(const struct decode_row *row, enum urivet_coding coding,
                           struct urivet_text want)
{
	const size_t length = row->text.length;
	const char *data = at_edge(row->text.data, length);
	for (size_t capacity = 0; capacity <= want.length + 2; capacity++) {
		char *out = malloc(capacity + 1);
		enum urivet_decoded how = (enum urivet_decoded)99;
		size_t fault = 77, n;
		memset(out, 'x', capacity + 1);
		n = urivet_decode(capacity > 0 ? out : NULL, capacity, urivet_text_of(data, length), coding,
		                  &how, &fault);
		cr_expect(n == want.length && how == row->how, "%s: %d, %zu octets",
		          shown(data, length), how, n);
		cr_expect(fault == (row->how == FULL ? 77 : row->fault), "%s: %zu", shown(data, length), fault);
		if (capacity > 0) {
			const size_t written = n < capacity ? n : capacity - 1;
			cr_expect(out[written] == '\0' && (written == 0 || memcmp(out, want.data, written) == 0),
			          "%s: %s", shown(data, length), shown(out, written));
		}
		cr_expect(out[capacity] == 'x');
		free(out);
	}
	cr_expect(urivet_decode(NULL, 0, urivet_text_of(data, length), coding, NULL, NULL) == want.length);
}

Test(decode, texts)
{
	for (size_t k = 0; k < sizeof decoded_rows / sizeof decoded_rows[0]; k++) {
		expect_decoded(&decoded_rows[k], URIVET_CODING_FORM, decoded_rows[k].form);
		expect_decoded(&decoded_rows[k], URIVET_CODING_PERCENT, decoded_rows[k].percent);
	}
}

/* Each octet alone: raw, and percent-encoded in both letter cases. */
Test(decode, every_octet)
{
	for (unsigned octet = 0; octet < 256; octet++) {
		char raw[1] = {(char)octet}, upper[4], lower_[4], out[4];
		enum urivet_decoded how;
		sprintf(upper, "%%%02X", octet);
		sprintf(lower_, "%%%02x", octet);
		const struct urivet_text texts[] = {{raw, 1}, {upper, 3}, {lower_, 3}};
		for (unsigned k = 0; k < 3; k++) {
			const size_t n = urivet_decode(out, sizeof out, texts[k], URIVET_CODING_PERCENT, &how, NULL);
			const enum urivet_decoded want = octet == 0                ? URIVET_DECODED_NUL
			                                 : octet >= 0x80           ? URIVET_DECODED_NOT_UTF8
			                                 : octet == '%' && k == 0 ? URIVET_DECODED_BAD_ESCAPE
			                                                           : URIVET_DECODED;
			cr_expect(how == want, "%u as %u", octet, k);
			cr_expect(n == (want == URIVET_DECODED) && (n == 0 || (unsigned char)out[0] == octet));
		}
	}
}

/* Every code point, and every lead octet with every second octet. */
Test(decode, all_of_unicode)
{
	for (unsigned long c = 1; c < 0x120000; c += c < 0x800 ? 1 : 13) {
		const unsigned octets = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		char raw[4], escaped[13], out[16];
		enum urivet_decoded how;
		for (unsigned k = 0; k < octets; k++) {
			const unsigned lead = octets == 1 ? 0 : 0xf00u >> octets & 0xff;
			const unsigned long six = c >> 6 * (octets - 1 - k);
			raw[k] = (char)(k == 0 ? lead | six : 0x80 | (six & 0x3f));
			sprintf(escaped + 3 * (size_t)k, "%%%02X", (unsigned char)raw[k]);
		}
		const bool good = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
		size_t n = urivet_decode(out, sizeof out, urivet_text_of(escaped, 3 * octets), URIVET_CODING_FORM, &how, NULL);
		cr_assert((how == URIVET_DECODED) == good, "U+%04lX", c);
		cr_assert(n == (good ? octets : 0) && memcmp(out, raw, n) == 0, "U+%04lX", c);
		if (c != '%' && c != '+') {
			n = urivet_decode(out, sizeof out, urivet_text_of(raw, octets), URIVET_CODING_FORM, &how, NULL);
			cr_assert((how == URIVET_DECODED) == good && n == (good ? octets : 0), "U+%04lX", c);
		}
	}
}

Test(decode, what_is_no_text)
{
	enum urivet_decoded how = URIVET_DECODED_NUL;
	size_t fault = 5;
	char out[4] = "xxx";
	cr_expect(urivet_decode(out, 4, urivet_text_of(NULL, 9), URIVET_CODING_FORM, &how, &fault) == 0);
	cr_expect(how == URIVET_DECODED && fault == 5 && out[0] == '\0');
	strcpy(out, "xxx");
	cr_expect(urivet_decode(out, 4, TEXT("ab"), (enum urivet_coding)2, &how, &fault) == 0);
	cr_expect(how == URIVET_UNDECODED && fault == 5 && out[0] == '\0');
	strcpy(out, "xxx");
	cr_expect(urivet_decode(out, 4, urivet_text_of("ab", (size_t)URIVET_MAX_LENGTH + 1),
	                        URIVET_CODING_FORM, &how, &fault) == 0);
	cr_expect(how == URIVET_UNDECODED && fault == 5 && out[0] == '\0');
}
