/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the characters whose Unicode compatibility form holds ASCII that routes. */
#include "support.h"

#include "text/compatibility.h"
#include "text/utf8.h"

TestSuite(compatibility, .timeout = 30);

/* Examples: a, a semicolon, K, 0 and other ASCII in disguise; letters and marks that stay beyond it. */
Test(compatibility, characters_that_become_what_routes)
{
	static const uint32_t routed[] = {0xaa, 0xbd, 0x37e, 0x2025, 0x212a, 0x24ea, 0xa7f1, 0xfe19, 0xff05, 0xff0e,
					  0xff0f, 0xff1b, 0xff3c, 0x1ccd6, 0x1d54f, 0x1fbf9};
	static const uint32_t others[] = {'.', 0x7f, 0x80, 0x9f, 0xa0, 0xa1, 0xb5, 0xe9, 0x130, 0x2026, 0x2027, 0x212b,
					  0x2260, 0x24eb, 0x30a2, 0xff00, 0xff01, 0xff08, 0xff1a, 0xff1c, 0xff3d, 0xff61,
					  0x1fbfa, 0x10ffff, 0x110000, UINT32_MAX};
	for (size_t k = 0; k < sizeof routed / sizeof routed[0]; k++)
		cr_expect(urivet_becomes_routed(routed[k]), "U+%04X", (unsigned)routed[k]);
	for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
		cr_expect(!urivet_becomes_routed(others[k]), "U+%04X", (unsigned)others[k]);
}

/* tests/core/model/compatibility.py --table prints the same count and hash, from Python's
 * unicodedata. */
Test(compatibility, all_code_points)
{
	uint32_t count = 0, hash = 0;
	for (uint32_t c = 0; c <= 0x120000; c++)
		if (urivet_becomes_routed(c)) {
			count++;
			hash = (hash ^ c) * 16777619;
		}
	cr_expect(count == 1462 && hash == 0xe003e689, "%u, %08x", (unsigned)count, (unsigned)hash);
}

/* Returns the end of the octets of a character of Unicode's plane 0 in UTF-8, raw or as triplets. */
static char *put(char *at, uint32_t c, const char *form)
{
	const uint8_t octets[] = {(uint8_t)(0xe0 | c >> 12), (uint8_t)(0x80 | (c >> 6 & 63)), (uint8_t)(0x80 | (c & 63)),
				  (uint8_t)(0xc0 | c >> 6)};
	const int first = c < 0x800 ? octets[3] : octets[0];
	at += sprintf(at, form, (unsigned)first);
	if (c >= 0x800)
		at += sprintf(at, form, (unsigned)octets[1]);
	return at + sprintf(at, form, (unsigned)octets[2]);
}

/* Returns which findings a character has, whatever its spelling. */
static unsigned findings_of(const char *url, const struct urivet_policy *policy)
{
	static const enum urivet_id ids[] = {URIVET_F_ESCAPED_CONTROL, URIVET_F_ESCAPED_BIDI, URIVET_F_ESCAPED_INVISIBLE,
					     URIVET_F_ESCAPED_UNICODE_TRUNCATION, URIVET_F_ESCAPED_COMPATIBILITY};
	struct urivet_report report;
	unsigned all = 0;
	urivet_check(&report, url, strlen(url), policy);
	for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++)
		all |= (unsigned)(finding_in(&report, ids[k]) != NULL) << k;
	return all;
}

/* Raw characters are all looked at; of escaped ones those that are quiet are passed over, behind others at
 * whatever offset. */
Test(compatibility, quiet_characters_have_no_findings)
{
	struct urivet_policy policy = built_in(URIVET_STRICT);
	urivet_policy_waive(&policy, URIVET_F_NON_ASCII);
	for (uint32_t c = 0x80; c <= 0xffff; c = c == 0xd7ff ? 0xe000 : c + 1) {
		char raw[1024] = "http://h/", escaped[1024] = "http://h/", *end = escaped + 9;
		put(raw + 9, c, "%c");
		for (uint32_t k = c % 47; k > 0; k--)
			end = put(end, k % 2 ? 0xe9 : 0x4e2d, "%%%02X");
		end = put(end, c, "%%%02X");
		put(end, 0xe9, "%%%02X");
		cr_assert(findings_of(raw, &policy) == findings_of(escaped, &policy), "U+%04X", (unsigned)c);
	}
}

/* A window of quiet escapes is passed over, up to the end of the path too. */
Test(compatibility, escapes_between_quiet_ones)
{
	char url[2048], *at = url + sprintf(url, "http://h/%%41");
	const struct urivet_finding *found;
	struct urivet_report report;
	for (unsigned k = 0; k < 200; k++)
		at += sprintf(at, k == 100 ? "%%20?" : "%%20a");
	sprintf(at, "%%41#%%E4$B8%%AD");
	urivet_check(&report, url, strlen(url), BY_STRICT);
	found = finding_in(&report, URIVET_F_ESCAPED_UNRESERVED);
	cr_assert(found != NULL && found->count == 2 && found->span.offset == 9, "%s", ids_of(&report));
	cr_expect(finding_in(&report, URIVET_F_INVALID_UTF8_ESCAPE) != NULL);
}

/* A "%" begins a quiet character with all its triplets, another triplet, or nothing. */
Test(compatibility, what_percent_signs_begin)
{
	static const struct {
		const char *text;
		uint32_t next, kinds;
	} rows[] = {
	    {"%C3%A9x", 6, HIGH}, {"%C3%80", 6, HIGH}, {"%DF%BF", 6, HIGH}, {"%E4%B8%AD", 9, HIGH}, {"%E0%A0%81", 9, HIGH},
	    {"%EF%A4%81", 9, HIGH}, {"%c3%A9", 3, HIGH | LOUD}, {"%C3%a9", 3, HIGH | LOUD}, {"%E4%B8%aD", 3, HIGH | LOUD},
	    {"%C3", 3, HIGH | LOUD}, {"%C3\xa9%A9", 3, HIGH | LOUD}, {"%E4%B8", 3, HIGH | LOUD}, {"%E4%B8x%AD", 3, HIGH | LOUD},
	    {"%C3%29", 3, HIGH | LOUD}, {"%C3%C9", 3, HIGH | LOUD}, {"%E4%B8%2D", 3, HIGH | LOUD}, {"%E4%38%AD", 3, HIGH | LOUD},
	    {"%C1%A9", 3, HIGH | LOUD}, {"%E0%80%A9", 3, HIGH | LOUD}, {"%E0%9F%A9", 3, HIGH | LOUD}, {"%F1%B8%AD%AD", 3, HIGH | LOUD},
	    {"%ED%A0%81", 3, HIGH | LOUD}, {"%C2%9F", 3, HIGH | LOUD}, {"%C4%8A", 3, HIGH | LOUD}, {"%C4%8B", 6, HIGH}, {"%C4%8D", 3, HIGH | LOUD},
	    {"%C4%80", 3, HIGH | LOUD}, {"%E2%80%8E", 3, HIGH | LOUD}, {"%80", 3, HIGH | LOUD}, {"%FF", 3, HIGH | LOUD}, {"%", 1, PERCENT | LOUD},
	    {"%zz", 1, PERCENT | LOUD}, {"%4", 1, PERCENT | LOUD}, {"%25", 3, PERCENT}, {"%2F", 3, SLASH}, {"%2f", 3, SLASH | LOUD},
	    {"%3C", 3, 0}, {"%7B", 3, 0}, {"%7C", 3, 0}, {"%5B", 3, 0}, {"%5D", 3, 0}, {"%40", 3, 0}, {"%20a", 3, SPACE}, {"%20.", 3, SPACE},
	    {"%ED%B0%81", 3, HIGH | LOUD}, {"%ED%BF%BF", 3, HIGH | LOUD}, {"%C3xAa", 3, HIGH | LOUD}, {"%E0%9F%BF", 3, HIGH | LOUD},
	    {"%F0%A0%81%81", 3, HIGH | LOUD}, {"%7F", 3, CONTROL}, {"%EF%BF%81", 9, HIGH}, {"%D0%90", 6, HIGH}, {"%E1%80%81", 9, HIGH}, {"%E1%B0%81", 9, HIGH},
	    {"%E2%90%81", 9, HIGH}, {"%E2%B0%81", 9, HIGH}, {"%E3%80%81", 9, HIGH}, {"%EA%90%81", 9, HIGH}, {"%EF%A0%81", 9, HIGH}, {"%EF%B0%81", 9, HIGH},
	    {"%20", 3, SPACE | SPACE_END}, {"%20/", 3, SPACE | SPACE_END}, {"%20?", 3, SPACE | SPACE_END}, {"%20#", 3, SPACE | SPACE_END},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct escape e = urivet_escape(EDGE(rows[k].text), 0);
		cr_expect(e.next == rows[k].next && e.kinds == rows[k].kinds, "%s: %x to %u", rows[k].text, (unsigned)e.kinds, (unsigned)e.next);
	}
	/* offsets inside a quiet character are moved to its end */
	cr_expect(urivet_after_character(EDGE("%E4%B8%AD"), 8) == 9);
	const struct text t = EDGE("%41%2E%41%E4%B8%ADx%C3%A9%41%E4%b8%AD");
	for (uint32_t at = 8; at < t.end; at++)
		cr_expect(urivet_after_character(t, at) == (at > 9 && at < 18 ? 18 : at > 19 && at < 25 ? 25 : at), "%u", (unsigned)at);
}

/* A window has the kinds of all escapes that begin in it, and ends after the last one. */
Test(compatibility, escapes_of_windows)
{
	static const char *const pieces[] = {"%E4%B8%AD", "%C3%A9", "%D0%B8", "%20", "%3C", "a", "/", "%41", "%2f", "%e4", "%", "%4", "bcdefghijk"};
	uint32_t after = 0; /* 64 signs, of which the last begins a triplet */
	cr_expect((urivet_window_kinds(EDGE("%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%2F"), 0, &after) & SLASH) && after == 66);
	for (unsigned k = 0; k < 1000; k++) {
		char text[300] = "";
		while (strlen(text) < 200)
			strcat(text, pieces[random_below(k % 13 + 1)]);
		const struct text t = EDGE(text);
		for (uint32_t from = k % 80; from < t.end; from += 37) {
			const uint32_t base = from - from % WINDOW;
			uint32_t at = from, end = from, kinds = 0;
			for (uint32_t i = from; i < t.end && i < base + WINDOW;) {
				const struct escape e = octet(t, i) == '%' ? urivet_escape(t, i) : (struct escape){0, i + 1};
				end = octet(t, i) == '%' ? e.next : end;
				kinds |= e.kinds;
				i = e.next;
			}
			const uint32_t got = urivet_window_kinds(t, base, &at);
			cr_assert(got == kinds && at == end, "%s from %u: %x to %u", text, (unsigned)from, (unsigned)got, (unsigned)at);
			/* all windows together: the kinds, and those in which an escape is not quiet */
			struct windows loud = {{0, 0}}, want = {{0, 0}};
			kinds = 0;
			for (uint32_t i = from; i < t.end; i++)
				if (octet(t, i) == '%') {
					const struct escape e = urivet_escape(t, i);
					see_window(&want, i, e.kinds);
					kinds |= e.kinds;
					i = e.next - 1;
				}
			cr_assert(urivet_escaped_kinds(t, from, &loud) == kinds && memcmp(&loud, &want, sizeof want) == 0, "%s from %u", text, (unsigned)from);
		}
	}
}
