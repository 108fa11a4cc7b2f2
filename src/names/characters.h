/* SPDX-License-Identifier: Apache-2.0 */
/* What readers of international names make of a character, and what Unicode says of it. */
#ifndef URIVET_CHARACTERS_H
#define URIVET_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Of a character in a host, by its code point: PVALID and the like are those of RFC 5892, mapped
 * and ignored those of UTS 46.
 */
enum character_kind {
	CHARACTER_DISALLOWED, /* refused by most: controls, unassigned, ASCII that is not LDH */
	CHARACTER_AGREED,     /* PVALID, of Unicode 3.2, and in the Basic Multilingual Plane */
	CHARACTER_RECENT,     /* PVALID, but younger: refused where IDNA 2003 is in use */
	CHARACTER_BEYOND,     /* PVALID, but beyond that plane: Qt 5 cuts it to 16 bits */
	CHARACTER_SYMBOL,     /* IDNA 2008 disallows what UTS 46 takes as it is */
	CHARACTER_VOWEL,      /* of two parts: Erlang's idna composes it anew */
	CHARACTER_CONTEXT,    /* valid in some contexts (RFC 5892, appendix A) */
	CHARACTER_FOLDED,     /* Cherokee, of which the letter case changed later */
	CHARACTER_UPPERCASE,  /* mapped to small letters */
	CHARACTER_COMPATIBLE, /* mapped to what is compatible or canonical */
	CHARACTER_IGNORED,    /* mapped to nothing */
	CHARACTER_DEVIATION,  /* mapped by IDNA 2003, kept by IDNA 2008: sharp s and final sigma */
	CHARACTER_JOINER,     /* ignored by IDNA 2003, kept by IDNA 2008 in some contexts */
	CHARACTER_DOT,        /* taken for a dot */
	CHARACTER_KINDS
};

/* Bidi_Class, as far as RFC 5893 tells them apart. */
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
#define COMPOSES_FIRST  0x02u /* NFC makes one of it and some character after it */
#define COMPOSES_SECOND 0x04u /* and some character before it */
#define DECOMPOSES      0x08u /* it has a canonical decomposition */
#define NEVER_NFC       0x10u /* and no text in NFC holds it */
#define INVISIBLE       0x20u /* shows nothing, turns what is beside it, or is not assigned */

/* What is known of a character. */
struct traits {
	uint8_t kind;  /* enum character_kind */
	uint8_t bidi;  /* enum bidi_class */
	uint8_t order; /* Canonical_Combining_Class */
	uint8_t flags;
};

/* Takes constant time. What is no code point is disallowed. */
/*@ assigns \nothing; */
struct traits urivet_traits(uint32_t code_point);

/* Does the normal form C make one character of two that stand side by side (UAX 15)? */
/*@ assigns \nothing; */
bool urivet_composes(uint32_t first, uint32_t second);

#endif
