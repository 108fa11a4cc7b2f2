/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Character classes as sets. Each octet belongs to one kind (letters a-f to two), a kind is a
 * bit, and a class of a grammar is a union of kinds.
 */
#ifndef URIVET_CHARS_H
#define URIVET_CHARS_H

#include <stdint.h>

/* Returns bit n % 32. Shifting right cannot overflow. */
/*@ assigns \nothing; */
static inline uint32_t bit(unsigned n)
{
	return UINT32_C(0x80000000) >> (31 - n % 32);
}

/* Kinds. */
#define LOWER      (1u << 0) /* a-z */
#define UPPER      (1u << 1) /* A-Z */
#define DIGIT      (1u << 2) /* 0-9 */
#define HEXALPHA   (1u << 3) /* A-F a-f, beside UPPER or LOWER */
#define HYPHEN     (1u << 4)
#define DOT        (1u << 5)
#define UNDERSCORE (1u << 6)
#define TILDE      (1u << 7)
#define OTHERSUB   (1u << 8) /* ! $ ) * , */
#define APOSTROPHE (1u << 9)
#define AMPERSAND  (1u << 10)
#define PLUS       (1u << 11)
#define SEMICOLON  (1u << 12)
#define EQUALS     (1u << 13)
#define COLON      (1u << 14)
#define AT         (1u << 15)
#define SLASH      (1u << 16)
#define QUESTION   (1u << 17)
#define HASH       (1u << 18)
#define LBRACKET   (1u << 19)
#define RBRACKET   (1u << 20)
#define PERCENT    (1u << 21)
#define BACKSLASH  (1u << 22)
#define BRACE      (1u << 23) /* { } */
#define OTHERASCII (1u << 24) /* ^ ` | */
#define SPACE      (1u << 25)
#define TAB        (1u << 26)
#define CRLF       (1u << 27)
#define CONTROL    (1u << 28) /* the other octets below 0x20, and 0x7F */
#define HIGH       (1u << 29) /* 0x80-0xFF */
#define MARKUP     (1u << 30) /* " < > */
#define LPAREN     (1u << 31) /* ( */

/* Classes of RFC 3986, appendix A. They do not include the percent sign: a triplet is more than one
 * octet and is matched separately. */
#define ALPHA      (LOWER | UPPER | HEXALPHA)
#define ALNUM      (ALPHA | DIGIT)
#define HEXDIG     (DIGIT | HEXALPHA)
#define UNRESERVED (ALNUM | HYPHEN | DOT | UNDERSCORE | TILDE)
#define PLAINSUB   (OTHERSUB | LPAREN)
#define SUBDELIMS  (PLAINSUB | APOSTROPHE | AMPERSAND | PLUS | SEMICOLON | EQUALS)
#define PCHAR      (UNRESERVED | SUBDELIMS | COLON | AT)
#define SCHEMECHAR (ALNUM | PLUS | HYPHEN | DOT)
#define USERCHAR   (UNRESERVED | SUBDELIMS | COLON)
#define NAMECHAR   (UNRESERVED | SUBDELIMS)
#define QUERYCHAR  (PCHAR | SLASH | QUESTION)

/* What is said about escapes beside the kinds of the octets they encode, by kinds of which no rule
 * asks there. Both are set too often rather than too seldom: a rule then looks at the escapes. */
#define LOUD      HEXALPHA /* no quiet character, lower-case digits, or a "%" without two digits */
#define SPACE_END BRACE    /* a space before a slash, or where a component may end */

/* Octets that are illegal in URIs: 0x00-0x20 and 0x7F. */
#define BLANK (SPACE | TAB | CRLF | CONTROL)
/* Printable ASCII that is illegal in every URI component. */
#define FORBIDDEN (MARKUP | OTHERASCII | BACKSLASH | BRACE)

/* The kinds of each octet. Index 256 is the end of the text and has no kind. */
extern const uint32_t urivet_kinds[257];

/* The value of each octet as a hexadecimal digit, with LOWER_DIGIT for a-f; NO_DIGIT if it is not
 * one. */
extern const uint8_t urivet_digits[257];
enum { LOWER_DIGIT = 0x40, NO_DIGIT = 0xf0 };

#endif
