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
