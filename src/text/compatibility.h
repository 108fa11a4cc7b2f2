/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that the compatibility form of Unicode (NFKC, UAX #15) makes ASCII of. */
#ifndef URIVET_COMPATIBILITY_H
#define URIVET_COMPATIBILITY_H

#include <stdbool.h>
#include <stdint.h>

/* Is the code point above ASCII, and is there an ASCII character in its NFKC? U+FF0E FULLWIDTH
 * FULL STOP becomes ".", U+2103 DEGREE CELSIUS a degree sign and "C". */
/*@ assigns \nothing;
    ensures \result ==> code_point > 0x7f; */
bool urivet_becomes_ascii(uint32_t code_point);

#endif
