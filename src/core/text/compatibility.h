/* SPDX-License-Identifier: Apache-2.0 */
/* Characters whose Unicode compatibility form (NFKC, UAX #15) contains ASCII. */
#ifndef URIVET_COMPATIBILITY_H
#define URIVET_COMPATIBILITY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if the code point is above ASCII and its NFKC contains an ASCII character. U+FF0E
 * FULLWIDTH FULL STOP becomes ".", U+2103 DEGREE CELSIUS a degree sign and "C". */
/*@ assigns \nothing;
    ensures \result ==> code_point > 0x7f; */
bool urivet_becomes_ascii(uint32_t code_point);

#endif
