/* SPDX-License-Identifier: Apache-2.0 */
/* Tests names: facts about labels, and UTF-8. */
#include "support.h"

#include "uri/host.h"
#include "text/utf8.h"

TestSuite(host, .timeout = 30);

Test(host, labels)
{
	static const struct {
		const char *name;
		uint32_t length, labels;
		const char *last;
		bool final_dot, empty, hyphen, alabel;
	} rows[] = {
		{"example.com", 11, 2, "com", false, false, false, false},
		{"example.com.", 11, 2, "com", true, false, false, false},
		{"com", 3, 1, "com", false, false, false, false}, {".", 0, 1, "", true, true, false, false},
		{"", 0, 1, "", false, true, false, false}, {"..", 1, 2, "", true, true, false, false},
		{"a..b", 4, 3, "b", false, true, false, false}, {".a", 2, 2, "a", false, true, false, false},
		{"-a.b", 4, 2, "b", false, false, true, false}, {"a-.b", 4, 2, "b", false, false, true, false},
		{"a.-", 3, 2, "-", false, false, true, false}, {"xn--a.b", 7, 2, "b", false, false, false, true},
		{"a.XN--b", 7, 2, "XN--b", false, false, false, true},
		{"xn-.b", 5, 2, "b", false, false, true, false}, {"xn--", 4, 1, "xn--", false, false, true, true},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct name_facts f = {.last = {99, 99}};
		urivet_name_facts(EDGE(rows[k].name), 0, 63, &f);
		cr_expect(f.length == rows[k].length && f.labels == rows[k].labels, "%s", rows[k].name);
		cr_expect(f.last.length == strlen(rows[k].last) && f.last.offset <= f.length, "%s", rows[k].name);
		cr_expect(f.final_dot == rows[k].final_dot && f.empty_label == rows[k].empty &&
		              f.bad_hyphen == rows[k].hyphen && f.alabel == rows[k].alabel,
		          "%s", rows[k].name);
	}
	struct name_facts f;
	urivet_name_facts(EDGE("."), 1, 63, &f); /* begins after the end of the text */
	cr_expect(f.length == 0 && f.labels == 1 && f.empty_label && !f.final_dot);
}

/* Returns true for well-formed UTF-8, by the table of RFC 3629, 4; called for all relevant
 * sequences of up to four octets. */
static bool well_formed(const uint8_t *o, unsigned n)
{
	if (n == 2)
		return o[0] >= 0xc2 && o[0] <= 0xdf && (o[1] & 0xc0) == 0x80;
	if (n == 3)
		return (o[0] & 0xf0) == 0xe0 && (o[1] & 0xc0) == 0x80 && (o[2] & 0xc0) == 0x80 &&
		       !(o[0] == 0xe0 && o[1] < 0xa0) && !(o[0] == 0xed && o[1] > 0x9f);
	return o[0] >= 0xf0 && o[0] <= 0xf4 && (o[1] & 0xc0) == 0x80 && (o[2] & 0xc0) == 0x80 &&
	       (o[3] & 0xc0) == 0x80 && !(o[0] == 0xf0 && o[1] < 0x90) &&
	       !(o[0] == 0xf4 && o[1] > 0x8f);
}

static struct utf8 utf8_at(struct text t, uint32_t at, bool escaped)
{
	struct utf8 u;
	urivet_utf8(t, at, escaped, &u);
	return u;
}

Test(host, utf8_triplets)
{
	static const uint8_t tail[] = {0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
	const unsigned m = sizeof tail;
	for (unsigned first = 0x80; first < 0x100; first++)
		for (unsigned k = 0; k < m * m * m; k++) {
			const uint8_t o[4] = {(uint8_t)first, tail[k % m], tail[k / m % m],
			                      tail[k / m / m]};
			char s[16];
			struct utf8 u;
			unsigned n = 0;
			sprintf(s, "%%%02X%%%02x%%%02X%%%02X", o[0], o[1], o[2], o[3]);
			u = utf8_at(EDGE(s), 0, true);
			for (unsigned j = 2; j <= 4 && n == 0; j++)
				n = well_formed(o, j) ? j : 0;
			cr_assert((u.form == UTF8_VALID) == (n > 0), "%s", s);
			cr_assert(u.next == (n > 0 ? 3 * n : 3) && (n == 0 || u.octets == n), "%s", s);
		}
}

/* Joins the bits of a sequence of n octets without checks: RFC 3629, 3. */
static uint32_t bits_of(const uint8_t *o, unsigned n)
{
	uint32_t value = o[0] & (0x7fu >> n);
	for (unsigned k = 1; k < n; k++)
		value = value << 6 | (o[k] & 0x3f);
	return value;
}

/* Returns true if two octets show that the sequence is overlong. */
static bool overlong(const uint8_t *o)
{
	const unsigned n = o[0] < 0xe0 ? 2 : o[0] < 0xf0 ? 3 : 4;
	const uint8_t most[4] = {o[0], o[1], 0xbf, 0xbf};
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	return o[0] >= 0xc0 && o[0] <= 0xf7 && (o[1] & 0xc0) == 0x80 &&
	       bits_of(most, n) < least[n];
}

Test(host, utf8_code_points)
{
	static const uint8_t tail[] = {0x7f, 0x80, 0xbf, 0xc0};
	for (unsigned k = 0; k < 256 * 256 * 16; k++) {
		const uint8_t o[4] = {(uint8_t)(k >> 12), (uint8_t)(k >> 4), tail[k >> 2 & 3],
		                      tail[k & 3]};
		const struct text t = {o, 4};
		unsigned n = 0;
		if (o[0] < 0xe0 && k % 16 != 0) /* two octets are enough */
			continue;
		for (unsigned j = 2; j <= 4 && n == 0; j++)
			n = well_formed(o, j) ? j : 0;
		const struct utf8 u = utf8_at(t, 0, false);
		cr_assert(u.form == (n > 0         ? UTF8_VALID
		                     : overlong(o) ? UTF8_OVERLONG
		                                   : UTF8_INVALID),
		          "%06x", k);
		cr_assert(u.next == (n > 0 ? n : 1) && u.octets == (n > 0 ? n : 1), "%06x", k);
		cr_assert(n == 0 || u.code_point == bits_of(o, n), "%06x", k);
	}
}

/* A sequence that is cut off is invalid at any octet; raw octets are not triplets. */
Test(host, utf8_parts)
{
	static const struct {
		const char *text;
		bool raw, escaped; /* expected validity if raw octets are allowed, and if only triplets are */
	} rows[] = {
	    {"\xc3\xa9", true, false}, {"%C3%A9", true, true}, {"%C3\xa9", true, false},
	    {"\xc3%A9", true, true}, /* the caller checks the first octet */
	    {"%E2%82%AC", true, true}, {"%E2%82\xac", true, false}, {"%E2\x82%AC", true, false},
	    {"%F0%9F%92%A9", true, true}, {"%F0%9F%92\xa9", true, false}, {"%C3", false, false},
	    {"\xc3", false, false}, {"%E2%82", false, false}, {"\xf0\x9f\x92", false, false},
	    {"%C3%4", false, false}, {"a", false, false}, {"", false, false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct text t = EDGE(rows[k].text);
		cr_expect((utf8_at(t, 0, false).form == UTF8_VALID) == rows[k].raw, "%s",
		          shown(rows[k].text, t.end));
		cr_expect((utf8_at(t, 0, true).form == UTF8_VALID) == rows[k].escaped, "%s",
		          shown(rows[k].text, t.end));
		cr_expect(!rows[k].raw || utf8_at(t, 0, false).next == t.end);
	}
	for (unsigned c = 0; c < 0xc2; c++)
		cr_expect(urivet_utf8_lead(c) == NULL);
	for (unsigned c = 0xf5; c <= AT_END; c++)
		cr_expect(urivet_utf8_lead(c) == NULL);
	for (unsigned c = 0xc2; c < 0xf5; c++) { /* RFC 3629, section 4 */
		const struct utf8_lead *const lead = urivet_utf8_lead(c);
		cr_assert(lead != NULL, "%x", c);
		cr_expect(lead->more == (c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3) && lead->bits == 0x3f >> lead->more &&
			  lead->low == (c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80) &&
			  lead->high == (c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf), "%x", c);
	}
	cr_expect(utf8_at(EDGE("%E1\x85\x80"), 0, true).form == UTF8_INVALID); /* raw, and not overlong */
	cr_expect(utf8_at(EDGE("%E0\xa0\x80"), 0, true).form == UTF8_INVALID && utf8_at(EDGE("%F0\x90\x80\x80"), 0, true).form == UTF8_INVALID);
}
