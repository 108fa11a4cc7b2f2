/* SPDX-License-Identifier: Apache-2.0 */
/* Tests character classes: their members, and by the count that there are no others. */
#include "support.h"

#include <ctype.h>

#include "text/chars.h"

TestSuite(chars, .timeout = 10);

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

/* RFC 3986, appendix A, except for classes such as CONTROL. */
static const struct {
	const char *name;
	uint32_t kinds;
	const char *members;
} classes[] = {
	{"ALPHA", ALPHA, LETTERS},
	{"DIGIT", DIGIT, DIGITS},
	{"ALNUM", ALNUM, LETTERS DIGITS},
	{"HEXDIG", HEXDIG, DIGITS "ABCDEFabcdef"},
	{"unreserved", UNRESERVED, LETTERS DIGITS "-._~"},
	{"sub-delims", SUBDELIMS, "!$&'()*+,;="},
	{"gen-delims", COLON | SLASH | QUESTION | HASH | LBRACKET | RBRACKET | AT, ":/?#[]@"},
	{"pchar", PCHAR, LETTERS DIGITS "-._~!$&'()*+,;=:@"},
	{"scheme", SCHEMECHAR, LETTERS DIGITS "+-."},
	{"userinfo", USERCHAR, LETTERS DIGITS "-._~!$&'()*+,;=:"},
	{"reg-name", NAMECHAR, LETTERS DIGITS "-._~!$&'()*+,;="},
	{"query", QUERYCHAR, LETTERS DIGITS "-._~!$&'()*+,;=:@/?"},
	{"forbidden", FORBIDDEN, "\"<>\\^`{|}"},
	{"upper", UPPER, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	{"lower", LOWER, "abcdefghijklmnopqrstuvwxyz"},
};

Test(chars, classes_hold_their_members_and_no_others)
{
	for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) {
		size_t members = 0;
		for (unsigned c = 0; c < 256; c++)
			members += (urivet_kinds[c] & classes[k].kinds) != 0;
		cr_expect(members == strlen(classes[k].members), "%s: %zu", classes[k].name,
		          members);
		for (const char *m = classes[k].members; *m != '\0'; m++)
			cr_expect(urivet_kinds[(unsigned char)*m] & classes[k].kinds, "%s: %c",
			          classes[k].name, *m);
	}
}

/* Every octet has one kind, except the letters that are hexadecimal digits too; the end of input
 * has no kind. */
Test(chars, every_octet_has_its_kind)
{
	for (unsigned c = 0; c < 256; c++) {
		const uint32_t kind = urivet_kinds[c] & ~HEXALPHA;
		cr_expect(kind != 0 && (kind & (kind - 1)) == 0, "%02x", c);
		cr_expect((kind == HIGH) == (c >= 0x80), "%02x", c);
		cr_expect(((kind & BLANK) != 0) == (c <= 0x20 || c == 0x7f), "%02x", c);
		cr_expect((kind == TAB) == (c == '\t') && (kind == SPACE) == (c == ' '));
		cr_expect((kind == CRLF) == (c == '\r' || c == '\n'), "%02x", c);
		cr_expect((urivet_kinds[c] & HEXALPHA) == 0 || (kind & (UPPER | LOWER)) != 0);
	}
	cr_expect(urivet_kinds[256] == 0);
}

/* HEXDIG of RFC 5234, B.1, in either letter case. */
Test(chars, values_of_hexadecimal_digits)
{
	for (unsigned c = 0; c <= 256; c++) {
		const char *const digits = "0123456789abcdef";
		const char *const at = c > 0 && c < 128 ? strchr(digits, tolower((int)c)) : NULL;
		const unsigned value = at != NULL ? (unsigned)(at - digits) : NO_DIGIT;
		cr_assert_eq(urivet_digits[c], value | (at != NULL && c >= 'a' ? LOWER_DIGIT : 0), "%u", c);
	}
}
