/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of characters in international names, from Unicode and from how readers treat them. */
#ifndef URIVET_CHARACTERS_H
#define URIVET_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The kind of a character in a host. PVALID and the like are those of RFC 5892; mapped and ignored
 * are those of UTS 46.
 */
enum character_kind {
	CHARACTER_DISALLOWED, /* refused by most: controls, unassigned, ASCII that is not LDH */
	CHARACTER_AGREED,     /* PVALID, of Unicode 3.2, and in the Basic Multilingual Plane */
	CHARACTER_RECENT,     /* PVALID, but newer than Unicode 3.2: refused by IDNA 2003 readers */
	CHARACTER_BEYOND,     /* PVALID, but beyond that plane: Qt 5 cuts it to 16 bits */
	CHARACTER_SYMBOL,     /* disallowed by IDNA 2008, kept by UTS 46 */
	CHARACTER_VOWEL,      /* vowel of two parts: Erlang's idna recomposes it */
	CHARACTER_CONTEXT,    /* valid in some contexts (RFC 5892, appendix A) */
	CHARACTER_FOLDED,     /* Cherokee, whose case mapping changed later */
	CHARACTER_UPPERCASE,  /* mapped to lower case */
	CHARACTER_COMPATIBLE, /* mapped to a compatible or canonical equivalent */
	CHARACTER_IGNORED,    /* mapped to nothing */
	CHARACTER_DEVIATION,  /* mapped by IDNA 2003, kept by IDNA 2008: sharp s and final sigma */
	CHARACTER_JOINER,     /* ignored by IDNA 2003, kept by IDNA 2008 in some contexts */
	CHARACTER_DOT,        /* treated as a dot */
	CHARACTER_KINDS
};

/* Bidi_Class, as far as RFC 5893 distinguishes them. */
enum bidi_class {
	BIDI_OTHER,
	BIDI_L,
	BIDI_R,
	BIDI_AL,
	BIDI_AN,
	BIDI_EN,
	BIDI_ES,
	BIDI_ET,
	BIDI_CS,
	BIDI_NSM,
	BIDI_BN,
	BIDI_ON
};

/* Flags. */
#define MARK            0x01u /* General_Category M */
#define COMPOSES_FIRST  0x02u /* composes in NFC with some following character */
#define COMPOSES_SECOND 0x04u /* composes in NFC with some preceding character */
#define DECOMPOSES      0x08u /* has a canonical decomposition */
#define NEVER_NFC       0x10u /* never occurs in NFC text */
#define INVISIBLE       0x20u /* invisible, changes its neighbours, or is unassigned */

/* The properties of a character. */
struct traits {
	uint8_t kind;  /* enum character_kind */
	uint8_t bidi;  /* enum bidi_class */
	uint8_t order; /* Canonical_Combining_Class */
	uint8_t flags;
};

/* Returns the properties of a code point in constant time. Invalid code points are disallowed. */
/*@ assigns \nothing; */
struct traits urivet_traits(uint32_t code_point);

/* Returns true if NFC changes these two adjacent characters (UAX 15): it composes them, or the
 * second with what the first decomposes to. */
/*@ assigns \nothing; */
bool urivet_composes(uint32_t first, uint32_t second);

#endif
