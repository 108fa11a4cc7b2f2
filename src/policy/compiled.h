/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled policies: one run of octets, which the library judges by where it lies.
 *
 *   head
 *   rules of hosts, of addresses, of URLs, names that are protected, rules of ports, prefixes of
 *   translators                                                                (arrays)
 *   texts: the policy's name, names of hosts, texts of URLs, protected names, each with a NUL after
 *   it
 *   zeros up to a multiple of 8
 *   what the library does not read
 *   zeros up to a multiple of 8
 *
 * Nothing says where a part begins: the counts and lengths of the head do, and each text begins
 * where the one before it ends. So parts cannot overlap, every octet means something, and one
 * policy has one form. Rows are those of urivet.h, in this machine's byte order; the text of a row
 * is said by its distance from the row.
 */
#ifndef URIVET_COMPILED_H
#define URIVET_COMPILED_H

#include "policy/policy.h"

#define COMPILED_VERSION 2
#define COMPILED_ORDER   UINT32_C(0x01020304)

enum { COMPILED_ONLY = 1, COMPILED_OPAQUE = 2 }; /* flags of the head */

struct compiled_head {
	uint8_t magic[8];
	uint32_t order;
	uint32_t version;
	uint64_t length; /* of all */
	uint64_t sum;    /* of all, with zero here */
	uint8_t sizes[8]; /* of the head and of the rows, as below */
	uint32_t max_length, max_host, max_label, schemes;
	char scheme_names[URIVET_SCHEME_NAMES];
	uint64_t waived[URIVET_FINDING_LIMIT / 64], raised[URIVET_FINDING_LIMIT / 64];
	uint32_t hosts, addresses, urls, ports, nat64, protect; /* rows */
	uint32_t flags;
	uint32_t name_length;
	uint32_t texts_length; /* with the name, and the NULs */
	uint32_t reserved;     /* 0 */
	uint64_t extra_length;
};

/* Where the parts begin. */
struct compiled_places {
	uint64_t hosts, addresses, urls, protect, ports, nat64, texts, extra, end;
};

/*@ requires \valid_read(head) && head->extra_length <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures 0 < \result.hosts <= \result.addresses <= \result.urls <= \result.protect;
    ensures \result.protect <= \result.ports <= \result.nat64 <= \result.texts;
    ensures \result.texts <= \result.extra <= \result.end; */
struct compiled_places urivet_compiled_places(const struct compiled_head *head);

/* What stands in each head of this version. */
/*@ requires \valid(head);
    assigns *head; */
void urivet_compiled_begin(struct compiled_head *head);

/* Which octets of a row no member has, before `tag` and after it: zero in what is written. */
struct compiled_row {
	size_t after_action, tag, after_tag, next; /* `next`: the member after those, or the end */
	size_t size;
};

extern const struct compiled_row urivet_compiled_host, urivet_compiled_address,
    urivet_compiled_protected;

/* Are the sorted lists in the one order that they are written in? It has a place for each of two
 * rules about the same, too. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_compiled_in_order(const struct urivet_policy *policy);

/* The sum of `length` octets, a multiple of 8, as if the head had none. It finds accidents. */
uint64_t urivet_compiled_sum(const uint8_t *octets, size_t length);

#endif
