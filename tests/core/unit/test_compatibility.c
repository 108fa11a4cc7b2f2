/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the characters whose Unicode compatibility form holds ASCII that routes. */
#include "support.h"

#include "text/compatibility.h"

TestSuite(compatibility, .timeout = 30);

static const struct {
	uint32_t code_point;
	bool becomes_routed;
} examples[] = {
	{'.', false},
	{0x7f, false},
	{0x80, false},
	{0x9f, false},
	{0xa0, false}, /* no-break space: a space */
	{0xaa, true}, /* feminine ordinal: a */
	{0xa1, false},
	{0xb5, false}, /* micro sign: a Greek letter */
	{0xbd, true}, /* one half: 1, a slash that is not ASCII, 2 */
	{0xe9, false}, /* e with acute: recomposed */
	{0x130, false},
	{0x37e, true}, /* Greek question mark: a semicolon */
	{0x2025, true}, /* two dot leader */
	{0x2026, false}, /* three dots are no segment */
	{0x2027, false},
	{0x212a, true}, /* Kelvin sign */
	{0x212b, false}, /* not equal to: recomposed */
	{0x2260, false}, /* not equal to: composed again */
	{0x24ea, true}, /* circled zero */
	{0x24eb, false},
	{0x30a2, false}, /* katakana a */
	{0xa7f1, true}, /* since Unicode 17 */
	{0xfe19, true}, /* vertical three dots */
	{0xff00, false},
	{0xff01, false}, /* full-width exclamation mark */
	{0xff05, true}, /* full-width percent sign */
	{0xff08, false}, /* full-width parenthesis */
	{0xff0e, true}, /* full-width full stop */
	{0xff0f, true}, /* full-width solidus */
	{0xff1a, false}, /* full-width colon */
	{0xff1b, true}, /* full-width semicolon */
	{0xff1c, false},
	{0xff3c, true}, /* full-width backslash */
	{0xff3d, false},
	{0xff61, false}, /* half-width ideographic full stop */
	{0x1ccd6, true}, /* outlined A, since Unicode 16 */
	{0x1d54f, true}, /* double-struck X */
	{0x1fbf9, true}, /* segmented nine */
	{0x1fbfa, false},
	{0x10ffff, false},
	{0x110000, false},
	{UINT32_MAX, false},
};

Test(compatibility, characters_that_become_what_routes)
{
	for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
		cr_expect(urivet_becomes_routed(examples[k].code_point) == examples[k].becomes_routed,
		          "U+%04X", (unsigned)examples[k].code_point);
}

/* tests/core/model/compatibility.py --table prints the same count and hash, from Python's
 * unicodedata. */
Test(compatibility, all_code_points)
{
	uint32_t count = 0, hash = 0;
	for (uint32_t c = 0; c <= 0x10ffff; c++)
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

/* A chunk of quiet escapes is passed over, up to the end of the path too. */
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
