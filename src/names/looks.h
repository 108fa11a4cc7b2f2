/* SPDX-License-Identifier: Apache-2.0 */
/* What names look like to people: which scripts they mix, and what they could be taken for. */
#ifndef URIVET_LOOKS_H
#define URIVET_LOOKS_H

#include "text/text.h"
#include "uri/punycode.h"

/* The scripts that UAX 31 recommends for identifiers, a bit each, as ISO 15924 names them; letters
 * of ASCII have one more, since no other Latin letters go with those of another script. */
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
#define LOOKS_LATIN   0x01u /* a word of its script that has nothing but such looks Latin */
#define LOOKS_DIGIT   0x02u /* beside digits it is taken for one */
#define LOOKS_STROKE  0x04u /* beside letters that are not CJK it is taken for a letter or hyphen */
#define LOOKS_SLASH   0x08u /* between such it is taken for a slash */
#define LOOKS_NOTHING 0x10u /* a mark on a letter of any script */

/* What is known of a character. */
struct look {
	uint32_t scripts;  /* it may be of any of these; none: of no script in use, or an odd letter */
	uint8_t letter[2]; /* of ASCII that it looks like; 0: none */
	uint8_t flags;
};

/* Takes constant time; what is no code point looks like nothing. */
/*@ assigns \nothing; */
struct look urivet_look(uint32_t code_point);

/* ---- A label by itself ------------------------------------------------------------------ */

/* Letters that are at home below a few top-level domains; flags. */
#define HOME_ICELANDIC 0x01u /* thorn and eth */
#define HOME_AZERI     0x02u /* schwa */
#define HOME_CATALAN   0x04u /* the middle dot */

/* What a top-level domain is at home with: a word in its own script is no imitation of Latin. */
struct home {
	uint32_t scripts;
	uint32_t letters;
};

/* Of the top-level domain that fills t from `at` on, in ASCII or as an A-label. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
struct home urivet_home_of(struct text t, uint32_t at);

/* What may deceive in a label; flags. */
#define LOOK_MIXED    0x01u /* not highly restrictive (UTS 39, 5.2) */
#define LOOK_WHOLE    0x02u /* of one script, and each letter looks Latin (UTS 39, 4.2) */
#define LOOK_DIGITS   0x04u /* of digits, and of letters that are taken for digits */
#define LOOK_PATTERN  0x08u /* characters that are misread where they stand */
#define LOOK_SPECIFIC 0x10u /* a letter that is at home elsewhere */

/* Linear in the count of its characters. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
uint32_t urivet_label_looks(const struct code_points *points, struct home home);

/* Is one of the characters from the `from`-th to before the `to`-th beyond ASCII? */
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

/* ---- What it could be taken for --------------------------------------------------------- */

/* What a label looks like, as sums of its letters without marks: two labels with the same sum look
 * alike. rn is m, vv is w, 0 is o, and 1 is l. */
struct look_sums {
	uint64_t look;    /* i is l, too */
	uint64_t letters; /* it is not */
};

/* The sums of the characters from the `from`-th to before the `to`-th: false if one of them looks
 * like no letter, digit or hyphen of ASCII. */
/*@ requires \valid_read(points) && from <= to <= points->count <= PUNYCODE_POINTS;
    requires \valid(sums) && \separated(sums, points);
    assigns *sums; */
bool urivet_look_sums(const struct code_points *points, uint32_t from, uint32_t to,
		      struct look_sums *sums);

/* The same of a label of ASCII that fills t from `at` on. */
/*@ requires readable(t) && \valid(sums) && \separated(sums, t.data + (0 .. t.end - 1));
    assigns *sums; */
bool urivet_look_sums_of_ascii(struct text t, uint32_t at, struct look_sums *sums);

#endif
