/* SPDX-License-Identifier: Apache-2.0 */
/* The table of character kinds. */
#include "text/chars.h"

#define EACH4(f, c)  f(c) f((c) + 1) f((c) + 2) f((c) + 3)
#define EACH8(f, c)  EACH4(f, c) EACH4(f, (c) + 4)
#define EACH32(f, c) EACH8(f, c) EACH8(f, (c) + 8) EACH8(f, (c) + 16) EACH8(f, (c) + 24)

#define IS_CONTROL(c)   [c] = CONTROL,
#define IS_DIGIT(c)     [c] = DIGIT,
#define IS_HIGH(c)      [c] = HIGH,
#define IS_LETTER(u, l) [u] = UPPER, [l] = LOWER,
#define IS_HEX(u, l)    [u] = UPPER | HEXALPHA, [l] = LOWER | HEXALPHA,

/* clang-format off */
const uint32_t urivet_kinds[257] = {
	IS_CONTROL(0x00) IS_CONTROL(0x01) IS_CONTROL(0x02) IS_CONTROL(0x03)
	IS_CONTROL(0x04) IS_CONTROL(0x05) IS_CONTROL(0x06) IS_CONTROL(0x07)
	IS_CONTROL(0x08) ['\t'] = TAB, ['\n'] = CRLF, IS_CONTROL(0x0b)
	IS_CONTROL(0x0c) ['\r'] = CRLF, IS_CONTROL(0x0e) IS_CONTROL(0x0f)
	EACH8(IS_CONTROL, 0x10) EACH8(IS_CONTROL, 0x18)
	[' '] = SPACE,
	['!'] = OTHERSUB, ['$'] = OTHERSUB, ['('] = LPAREN,
	[')'] = OTHERSUB, ['*'] = OTHERSUB, [','] = OTHERSUB,
	['\''] = APOSTROPHE, ['&'] = AMPERSAND, ['+'] = PLUS,
	[';'] = SEMICOLON, ['='] = EQUALS,
	['"'] = MARKUP, ['<'] = MARKUP, ['>'] = MARKUP,
	['^'] = OTHERASCII, ['`'] = OTHERASCII, ['|'] = OTHERASCII,
	['{'] = BRACE, ['}'] = BRACE, ['\\'] = BACKSLASH,
	['#'] = HASH, ['%'] = PERCENT, ['/'] = SLASH, [':'] = COLON,
	['?'] = QUESTION, ['@'] = AT, ['['] = LBRACKET, [']'] = RBRACKET,
	['-'] = HYPHEN, ['.'] = DOT, ['_'] = UNDERSCORE, ['~'] = TILDE,
	EACH8(IS_DIGIT, '0') ['8'] = DIGIT, ['9'] = DIGIT,
	IS_HEX('A', 'a') IS_HEX('B', 'b') IS_HEX('C', 'c')
	IS_HEX('D', 'd') IS_HEX('E', 'e') IS_HEX('F', 'f')
	IS_LETTER('G', 'g') IS_LETTER('H', 'h') IS_LETTER('I', 'i') IS_LETTER('J', 'j')
	IS_LETTER('K', 'k') IS_LETTER('L', 'l') IS_LETTER('M', 'm') IS_LETTER('N', 'n')
	IS_LETTER('O', 'o') IS_LETTER('P', 'p') IS_LETTER('Q', 'q') IS_LETTER('R', 'r')
	IS_LETTER('S', 's') IS_LETTER('T', 't') IS_LETTER('U', 'u') IS_LETTER('V', 'v')
	IS_LETTER('W', 'w') IS_LETTER('X', 'x') IS_LETTER('Y', 'y') IS_LETTER('Z', 'z')
	[0x7f] = CONTROL,
	EACH32(IS_HIGH, 0x80) EACH32(IS_HIGH, 0xa0) EACH32(IS_HIGH, 0xc0) EACH32(IS_HIGH, 0xe0)
	[256] = 0,
};

#define NONE16(c)       EACH8(IS_NO_DIGIT, c) EACH8(IS_NO_DIGIT, (c) + 8)
#define IS_NO_DIGIT(c)  [c] = NO_DIGIT,
const uint8_t urivet_digits[257] = {
	NONE16(0x00) NONE16(0x10) NONE16(0x20)
	['0'] = 0, ['1'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4,
	['5'] = 5, ['6'] = 6, ['7'] = 7, ['8'] = 8, ['9'] = 9,
	[':'] = NO_DIGIT, [';'] = NO_DIGIT, ['<'] = NO_DIGIT,
	['='] = NO_DIGIT, ['>'] = NO_DIGIT, ['?'] = NO_DIGIT, ['@'] = NO_DIGIT,
	['A'] = 10, ['B'] = 11, ['C'] = 12, ['D'] = 13, ['E'] = 14, ['F'] = 15,
	['G'] = NO_DIGIT, EACH8(IS_NO_DIGIT, 0x48) NONE16(0x50) ['`'] = NO_DIGIT,
	['a'] = LOWER_DIGIT | 10, ['b'] = LOWER_DIGIT | 11, ['c'] = LOWER_DIGIT | 12,
	['d'] = LOWER_DIGIT | 13, ['e'] = LOWER_DIGIT | 14, ['f'] = LOWER_DIGIT | 15,
	['g'] = NO_DIGIT, EACH8(IS_NO_DIGIT, 0x68) NONE16(0x70)
	NONE16(0x80) NONE16(0x90) NONE16(0xa0) NONE16(0xb0)
	NONE16(0xc0) NONE16(0xd0) NONE16(0xe0) NONE16(0xf0)
	[256] = NO_DIGIT,
};
/* clang-format on */
