/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of compiled policies: one block of octets that the library uses in place.
 *
 *   head
 *   host rules, address rules, URL rules, protected names, path rules, rules for parameters, public
 *   suffixes, port rules, NAT64 prefixes
 *   texts: the policy's name, host names, URL rule texts, protected names, path rule texts,
 *   names and values of parameters, public suffixes, each with a final NUL
 *   zeros up to a multiple of 8
 *   the compiled policies that rules for parameters name, each once, in the order of these rules
 *   extra data of the caller, which the library does not read
 *   zeros up to a multiple of 8
 *
 * There are no section offsets: they follow from the counts and lengths in the head. Each text
 * begins where the one before it ends. So sections cannot overlap, no octet is unused, and each
 * policy has exactly one encoding. Rows are the structs of urivet.h in this machine's byte order. A
 * row refers to its text, and a rule for parameters to its policy, by the distance from the row.
 */
#ifndef URIVET_COMPILED_H
#define URIVET_COMPILED_H

#include "policy/policy.h"

#define COMPILED_VERSION 5
#define COMPILED_ORDER   UINT32_C(0x01020304)

enum { COMPILED_ONLY = 1, COMPILED_OPAQUE = 2, COMPILED_ALSO = 4 }; /* flags of the head */

struct compiled_head {
	uint8_t magic[8];
	uint32_t order;
	uint32_t version;
	uint64_t length; /* total length in octets */
	uint64_t sum;    /* checksum of everything, computed with 0 in this field */
	uint8_t sizes[8]; /* sizes of the head and of the rows, set by urivet_compiled_begin() */
	uint32_t max_length, max_host, max_label, schemes;
	char scheme_names[URIVET_SCHEME_NAMES];
	char forbidden_parameters[URIVET_FORBIDDEN_PARAMETERS];
	uint64_t waived[URIVET_FINDING_LIMIT / 64], raised[URIVET_FINDING_LIMIT / 64];
	uint32_t hosts, addresses, urls, ports, nat64, protect; /* row counts */
	uint32_t flags;
	uint32_t name_length;
	uint32_t texts_length; /* including the policy's name and the NULs */
	uint32_t paths, parameters, suffixes; /* row counts */
	uint64_t inner_length; /* of the policies that rules for parameters name */
	uint64_t extra_length;
};

/* The offsets of the sections. */
struct compiled_places {
	uint64_t hosts, addresses, urls, protect, paths, parameters, suffixes, ports, nat64, texts;
	uint64_t inner, extra, end;
};

/*@ requires \valid_read(head) && head->extra_length <= URIVET_MAX_LENGTH;
    requires head->inner_length <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures 0 < \result.hosts <= \result.addresses <= \result.urls <= \result.protect;
    ensures \result.protect <= \result.paths <= \result.parameters <= \result.suffixes;
    ensures \result.suffixes <= \result.ports <= \result.nat64 <= \result.texts;
    ensures \result.texts <= \result.inner <= \result.extra <= \result.end; */
struct compiled_places urivet_compiled_places(const struct compiled_head *head);

/* Initializes a head with the values that are fixed in this version. */
/*@ requires \valid(head);
    assigns *head; */
void urivet_compiled_begin(struct compiled_head *head);

/* The padding of a row, before `tag` and at the end. It is zero in a compiled policy. */
struct compiled_row {
	size_t after_action, tag, last, next; /* `last`: the end of the last member before `next` */
	size_t size;
};

extern const struct compiled_row urivet_compiled_host, urivet_compiled_address,
    urivet_compiled_protected;

/* Returns true if the sorted lists are in the canonical order of compiled policies. It also orders
 * rules about the same host or network. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_compiled_in_order(const struct urivet_policy *policy);

/* Fills a policy from a compiled one that was verified when the policy around it was opened.
 * Returns false if the octets are something else. O(1). */
/*@ requires \valid(policy);
    assigns *policy; */
bool urivet_compiled_view(struct urivet_policy *policy, const uint8_t *octets);

/* Returns the checksum of `length` octets, a multiple of 8, skipping the checksum field. It detects
 * accidental damage only. */
uint64_t urivet_compiled_sum(const uint8_t *octets, size_t length);

#endif
