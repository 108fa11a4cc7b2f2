/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of international names: do all readers make the same name of one? */
#ifndef URIVET_LABEL_H
#define URIVET_LABEL_H

#include "names/characters.h"
#include "text/utf8.h"
#include "uri/punycode.h"

/* What keeps readers from agreeing on a label, beside the kinds of its characters; flags. */
#define FAULT_MARK_FIRST 0x01u /* RFC 5891, 4.2.3.2 */
#define FAULT_NOT_NFC    0x02u /* RFC 5891, 5.3: some normalise it, some do not */
#define FAULT_COMPOSES   0x04u /* some compose marks that stand apart, as NFC mostly does not */
#define FAULT_RECOMPOSES 0x08u /* and some a mark after what was composed */
#define FAULT_HYPHENS    0x10u /* at an edge, or the third and fourth: RFC 5891, 4.2.3.1 */
#define FAULT_BIDI       0x20u /* RFC 5893, 2 */
#define FAULT_BIDI_2003  0x40u /* RFC 3454, 6, alone: a digit or a mark is last */

struct label {
	uint32_t kinds;     /* of its characters, a bit for each of enum character_kind */
	uint32_t faults;    /* FAULT_... */
	uint32_t first;     /* its first character that readers disagree on; if none, their count */
	bool right_to_left; /* some character of it is: RFC 5893 holds for all labels of the host */
	bool left_to_right; /* it satisfies the rule for labels beside such a one */
};

/* The character that is raw or percent-encoded at `at`; of an octet that begins none, U+FFFD. */
/*@ requires readable(t) && at < t.end && \valid(u) && \separated(u, t.data + (0 .. t.end - 1));
    assigns *u;
    ensures at < u->next <= t.end; */
void urivet_label_unit(struct text t, uint32_t at, struct utf8 *u);

/* Reads the characters of a label in UTF-8 that stands from `at` up to `end`, octets raw or
 * percent-encoded, as far as there is room. */
/*@ requires readable(t) && at <= end <= t.end && \valid(points);
    assigns *points;
    ensures points->count <= PUNYCODE_POINTS; */
void urivet_label_points(struct text t, uint32_t at, uint32_t end, struct code_points *points);

/* Decodes a label that is an A-label, at `at` to the end of t: false if it is none, or not
 * Punycode. */
/*@ requires readable(t) && at <= t.end && \valid(points);
    assigns *points;
    ensures points->count <= PUNYCODE_POINTS; */
bool urivet_alabel_points(struct text t, uint32_t at, struct code_points *points);

/* The octets of its character k. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result.offset && \result.offset + \result.length <= t.end; */
struct urivet_span urivet_label_character(struct text t, uint32_t at, uint32_t k);

/* Reads a label; linear in the count of its characters. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \valid(label) && \separated(label, points);
    assigns *label;
    ensures label->first <= points->count; */
void urivet_read_label(const struct code_points *points, struct label *label);

/* What keeps readers from agreeing on the label, as the most telling finding: enum urivet_id. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS && \valid_read(label);
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
unsigned urivet_label_reason(const struct code_points *points, const struct label *label);

/* The finding about a character of the kind in a host; 0: none. */
/*@ assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
unsigned urivet_found_of_kind(unsigned kind);

/* The first character from `at` up to the end of t that no text in the normal form C holds there,
 * or that is invisible; the end of t if there is none. Linear; t must be UTF-8. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
uint32_t urivet_find_unclear(struct text t, uint32_t at);

/* The bit of a kind, below 32. */
#define KIND_BIT(kind) (UINT32_C(0x80000000) >> (31 - (kind)))

/* Do all readers make the same name of it, whatever the labels beside it? */
/*@ requires \valid_read(label);
    assigns \nothing; */
static inline bool is_agreed(const struct label *label)
{
	return label->kinds == KIND_BIT(CHARACTER_AGREED) && label->faults == 0;
}

#endif
