/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of international names: checks whether all readers map a label to the same name. */
#ifndef URIVET_LABEL_H
#define URIVET_LABEL_H

#include "names/characters.h"
#include "text/utf8.h"
#include "uri/punycode.h"

/* Faults that make readers disagree on a label, besides the kinds of its characters; flags. */
#define FAULT_MARK_FIRST 0x01u /* RFC 5891, 4.2.3.2 */
#define FAULT_NOT_NFC    0x02u /* RFC 5891, 5.3: some readers normalise it, some do not */
#define FAULT_COMPOSES   0x04u /* some compose marks that are apart, which NFC rarely does */
#define FAULT_RECOMPOSES 0x08u /* some readers recompose a mark with a composed letter */
#define FAULT_HYPHENS    0x10u /* at either end, or in third and fourth place: RFC 5891, 4.2.3.1 */
#define FAULT_BIDI       0x20u /* RFC 5893, 2 */
#define FAULT_BIDI_2003  0x40u /* only RFC 3454, 6: the last character is a digit or a mark */

struct label {
	uint32_t kinds;     /* the kinds of its characters, KIND_BIT() of enum character_kind */
	uint32_t faults;    /* FAULT_... */
	uint32_t first;     /* first character readers disagree on; if none, the count */
	bool right_to_left; /* some character is right to left: RFC 5893 applies to the host */
	bool left_to_right; /* it satisfies the rule for labels next to such a label */
};

/* Decodes the character at `at`, raw or percent-encoded. An octet that begins none yields
 * U+FFFD. */
/*@ requires readable(t) && at < t.end && \valid(u) && \separated(u, t.data + (0 .. t.end - 1));
    assigns *u;
    ensures at < u->next <= t.end; */
void urivet_label_unit(struct text t, uint32_t at, struct utf8 *u);

/* Decodes the UTF-8 label from `at` up to `end`, octets raw or percent-encoded. Stops after
 * PUNYCODE_POINTS characters. */
/*@ requires readable(t) && at <= end <= t.end && \valid(points);
    assigns *points;
    ensures points->count <= PUNYCODE_POINTS; */
void urivet_label_points(struct text t, uint32_t at, uint32_t end, struct code_points *points);

/* Decodes an A-label from `at` to the end of t. Returns false if it is not an A-label or not valid
 * Punycode. */
/*@ requires readable(t) && at <= t.end && \valid(points);
    assigns *points;
    ensures points->count <= PUNYCODE_POINTS; */
bool urivet_alabel_points(struct text t, uint32_t at, struct code_points *points);

/* Returns the range of character k in t. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result.offset && \result.offset + \result.length <= t.end; */
struct urivet_span urivet_label_character(struct text t, uint32_t at, uint32_t k);

/* Classifies a label. Linear in the number of characters. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \valid(label) && \separated(label, points);
    assigns *label;
    ensures label->first <= points->count; */
void urivet_read_label(const struct code_points *points, struct label *label);

/* Returns the most specific finding (enum urivet_id) about why readers disagree on the label. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS && \valid_read(label);
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
unsigned urivet_label_reason(const struct code_points *points, const struct label *label);

/* Returns the finding about a character of this kind in a host, or 0. */
/*@ assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
unsigned urivet_found_of_kind(unsigned kind);

/* Returns the offset of the first character from `at` on that NFC text cannot contain there or that
 * is invisible. Returns the end of t if there is none. Linear; t must be UTF-8. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
uint32_t urivet_find_unclear(struct text t, uint32_t at);

/* Returns the bit of a kind, which must be below 32. */
#define KIND_BIT(kind) (UINT32_C(0x80000000) >> (31 - (kind)))

/* Returns true if all readers map it to the same name, whatever its neighbours are. */
/*@ requires \valid_read(label);
    assigns \nothing; */
static inline bool is_agreed(const struct label *label)
{
	return label->kinds == KIND_BIT(CHARACTER_AGREED) && label->faults == 0;
}

#endif
