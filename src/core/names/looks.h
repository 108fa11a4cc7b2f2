/* SPDX-License-Identifier: Apache-2.0 */
/* The appearance of names: the scripts they mix, and the names people may mistake them for. */
#ifndef URIVET_LOOKS_H
#define URIVET_LOOKS_H

#include "text/text.h"
#include "uri/punycode.h"

/* Bits of the scripts that UAX 31 recommends for identifiers, named as in ISO 15924. ASCII letters
 * have a bit of their own: other Latin letters do not mix with other scripts. */
#define SCRIPT_LATN  0x00000001u
#define SCRIPT_ARAB  0x00000002u
#define SCRIPT_ARMN  0x00000004u
#define SCRIPT_BENG  0x00000008u
#define SCRIPT_BOPO  0x00000010u
#define SCRIPT_CYRL  0x00000020u
#define SCRIPT_DEVA  0x00000040u
#define SCRIPT_ETHI  0x00000080u
#define SCRIPT_GEOR  0x00000100u
#define SCRIPT_GREK  0x00000200u
#define SCRIPT_GUJR  0x00000400u
#define SCRIPT_GURU  0x00000800u
#define SCRIPT_HANG  0x00001000u
#define SCRIPT_HANI  0x00002000u
#define SCRIPT_HEBR  0x00004000u
#define SCRIPT_HIRA  0x00008000u
#define SCRIPT_KANA  0x00010000u
#define SCRIPT_KHMR  0x00020000u
#define SCRIPT_KNDA  0x00040000u
#define SCRIPT_LAOO  0x00080000u
#define SCRIPT_MLYM  0x00100000u
#define SCRIPT_MYMR  0x00200000u
#define SCRIPT_ORYA  0x00400000u
#define SCRIPT_SINH  0x00800000u
#define SCRIPT_TAML  0x01000000u
#define SCRIPT_TELU  0x02000000u
#define SCRIPT_THAA  0x04000000u
#define SCRIPT_THAI  0x08000000u
#define SCRIPT_TIBT  0x10000000u
#define SCRIPT_ASCII 0x20000000u
#define ANY_SCRIPT   0x3fffffffu /* digits, hyphens, marks that go with any letter */

/* Flags of a character. */
#define LOOKS_LATIN   0x01u /* looks Latin in a word of its script made only of such letters */
#define LOOKS_DIGIT   0x02u /* looks like a digit next to digits */
#define LOOKS_STROKE  0x04u /* looks like a letter or hyphen next to letters other than CJK */
#define LOOKS_SLASH   0x08u /* looks like a slash between such letters */
#define LOOKS_NOTHING 0x10u /* a mark that is ignored on a letter of any script */

/* The appearance of a character. */
struct look {
	uint32_t scripts;  /* possible scripts; 0: no script in use, or an unusual letter */
	uint8_t letter[2]; /* the ASCII characters that it looks like; 0: none */
	uint8_t flags;
};

/* Returns the appearance of a code point in constant time. Invalid ones do not look like
 * anything. */
/*@ assigns \nothing; */
struct look urivet_look(uint32_t code_point);

/* ---- Single labels --------------------------------------------------------------------- */

/* Letters that are usual only below a few top-level domains; flags. */
#define HOME_ICELANDIC 0x01u /* thorn and eth */
#define HOME_AZERI     0x02u /* schwa */
#define HOME_CATALAN   0x04u /* the middle dot */

/* The scripts and letters that are usual below a top-level domain. A word in its own script is not
 * treated as an imitation of Latin. */
struct home {
	uint32_t scripts;
	uint32_t letters;
};

/* Returns what is usual below the top-level domain that fills t from `at` on, in ASCII or as an
 * A-label. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
struct home urivet_home_of(struct text t, uint32_t at);

/* Ways in which a label may deceive; flags. */
#define LOOK_MIXED    0x01u /* not highly restrictive (UTS 39, 5.2) */
#define LOOK_WHOLE    0x02u /* one script, and each letter looks Latin (UTS 39, 4.2) */
#define LOOK_DIGITS   0x04u /* digits, and letters that look like digits */
#define LOOK_PATTERN  0x08u /* characters that are misread in their context */
#define LOOK_SPECIFIC 0x10u /* a letter that is usual only below other top-level domains */

/* Returns the LOOK_ flags of a label. Linear in the number of characters. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
uint32_t urivet_label_looks(const struct code_points *points, struct home home);

/* Returns true if a character from index `from` up to `to`, exclusive, is beyond ASCII. */
/*@ requires \valid_read(points) && from <= to <= points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static inline bool has_beyond_ascii(const struct code_points *points, uint32_t from, uint32_t to)
{
	/*@ loop invariant \at(from, Pre) <= from <= to;
	    loop assigns from;
	    loop variant to - from; */
	for (; from < to; from++)
		if (points->point[from] >= 0x80)
			return true;
	return false;
}

/* ---- Lookalikes ------------------------------------------------------------------------ */

/* Hashes of the appearance of a label, ignoring marks on letters: two labels with the same hash
 * look alike. Equal are rn and m, vv and w, 0 and o, 1 and l. */
struct look_sums {
	uint64_t look;    /* also i and l are equal */
	uint64_t letters; /* i and l differ */
};

/* Hashes the characters from index `from` up to `to`, exclusive. Returns false if one of them does
 * not look like an ASCII letter, digit or hyphen. */
/*@ requires \valid_read(points) && from <= to <= points->count <= PUNYCODE_POINTS;
    requires \valid(sums) && \separated(sums, points);
    assigns *sums; */
bool urivet_look_sums(const struct code_points *points, uint32_t from, uint32_t to,
		      struct look_sums *sums);

/* Hashes an ASCII label that fills t from `at` on. Returns false if it has other octets than
 * letters, digits and hyphens. */
/*@ requires readable(t) && \valid(sums) && \separated(sums, t.data + (0 .. t.end - 1));
    assigns *sums; */
bool urivet_look_sums_of_ascii(struct text t, uint32_t at, struct look_sums *sums);

#endif
