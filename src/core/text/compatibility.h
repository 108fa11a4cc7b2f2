/* SPDX-License-Identifier: Apache-2.0 */
/* Characters whose Unicode compatibility form (NFKC, UAX #15) contains ASCII that routes. */
#ifndef URIVET_COMPATIBILITY_H
#define URIVET_COMPATIBILITY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if the code point is above ASCII and its NFKC contains an ASCII letter or digit, a
 * semicolon, slash, backslash, percent sign or dot. U+FF0E FULLWIDTH FULL STOP becomes ".". Returns
 * false for U+2026: three dots are no dot segment. */
/*@ assigns \nothing;
    ensures \result ==> code_point > 0x7f; */
bool urivet_becomes_routed(uint32_t code_point);

#endif
