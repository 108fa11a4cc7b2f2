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
	['!'] = PLAINSUB, ['$'] = PLAINSUB, ['('] = PLAINSUB,
	[')'] = PLAINSUB, ['*'] = PLAINSUB, [','] = PLAINSUB,
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
/* clang-format on */
