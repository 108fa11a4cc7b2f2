/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What UTS 46, UAX 15, RFC 5892 and RFC 5893 ask of a code point, by Unicode 15.0. The
 * tables are made by tests/names/uts46.py, and belong to the reader `browser` alone.
 */
#ifndef URIVET_UTS46_TABLES_H
#define URIVET_UTS46_TABLES_H

#include <stdint.h>

/* made: */
#define UTS46_CLASSES 0x54u
#define UTS46_BITS    5
#define UTS46_END     0x323c0u
#define UTS46_SELECTORS      0xe0100u
#define UTS46_SELECTORS_LAST 0xe01efu
#define UTS46_SECOND  0x5480u
#define UTS46_POOL    0x2e91u
#define COMPOSITES    0x3adu
/* :made */

/* UTS 46, section 5, with UseSTD3ASCIIRules false and Transitional_Processing false. */
enum uts46_status { UTS46_DISALLOWED, UTS46_IGNORED, UTS46_MAPPED, UTS46_VALID };

/* Bidi_Class, as far as RFC 5893 names it. */
enum uts46_bidi_class {
	BC_L,
	BC_R,
	BC_AL,
	BC_AN,
	BC_EN,
	BC_ES,
	BC_CS,
	BC_ET,
	BC_ON,
	BC_BN,
	BC_NSM,
	BC_OTHER
};

/* Joining_Type, as far as RFC 5892, A.1 names it. */
enum uts46_joining_type { JT_NONE, JT_L, JT_R, JT_D, JT_T };

/* Of a code point that is not valid only the status is told. */
struct uts46_class {
	uint8_t status;
	uint8_t ccc; /* Canonical_Combining_Class */
	uint8_t bidi;
	uint8_t joining;
	uint8_t mark; /* General_Category Mn, Mc or Me */
};

/*
 * Two stages: block c >> UTS46_BITS of `first` is a block of `second`. A value there is
 * a row of `classes`; from UTS46_CLASSES on, a place in `pool`. There stand, in one unit,
 * the number n of units that follow (5 bits) and the row of classes; then n units of UTF-16:
 * what the code point is mapped to, in its canonical decomposition (without that of
 * Hangul syllables). From UTS46_END on, all are disallowed but the variation selectors from
 * UTS46_SELECTORS to UTS46_SELECTORS_LAST, which are ignored. Row 0 of classes is that of what is
 * disallowed, row 1 that of what is ignored.
 */
extern const struct uts46_class urivet_uts46_classes[UTS46_CLASSES];
extern const uint16_t urivet_uts46_first[UTS46_END >> UTS46_BITS];
extern const uint16_t urivet_uts46_second[UTS46_SECOND];
extern const uint16_t urivet_uts46_pool[UTS46_POOL];

/* The primary composites (UAX 15), sorted by first and second; U+11000-11FFF stand as
 * U+E000-EFFF, none of which composes. */
struct composite {
	uint16_t first, second, whole;
};
extern const struct composite urivet_composites[COMPOSITES];

#endif
