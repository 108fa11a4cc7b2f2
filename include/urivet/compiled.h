/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: policies as octets that many processes map and judge by, without parsing or allocation.
 * The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_COMPILED_H
#define URIVET_API_COMPILED_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Compiled policies ------------------------------------------------------ */

/* The reasons why octets are not a compiled policy. */
enum urivet_compiled_fault {
	URIVET_COMPILED_GOOD = 0,
	URIVET_COMPILED_STRUCTURE,  /* the program's struct has not the size of this version */
	URIVET_COMPILED_NOT_ALIGNED,
	URIVET_COMPILED_TOO_SHORT,  /* shorter than the header */
	URIVET_COMPILED_MAGIC,      /* not a compiled policy */
	URIVET_COMPILED_BYTE_ORDER,
	URIVET_COMPILED_VERSION,
	URIVET_COMPILED_LAYOUT,     /* written by a compiler with another struct layout */
	URIVET_COMPILED_LENGTH,     /* truncated, or longer than the header says */
	URIVET_COMPILED_CHECKSUM,
	URIVET_COMPILED_CONTENT,    /* inconsistent, or contains a rule without effect */

	URIVET_COMPILED_FAULTS
};

/*
 * Writes a policy as octets without pointers that can be stored anywhere: limits, schemes,
 * waived and raised findings, name, lists with their names and texts, the policies that rules for
 * parameters name, and `extra`, octets that the library stores but does not read. The host and
 * address lists are written sorted.
 *
 * Returns the number of octets needed. They are written if capacity suffices and out is
 * aligned to 8 octets; no NUL is added. Returns 0 for a policy that is not valid (NULL:
 * strict, which is valid), for more than URIVET_MAX_LENGTH octets, and if out is not aligned.
 * The octets depend only on the policy, the byte order and the format version, so that they
 * can be compared. Linear, but O(count * log count) for lists that are not sorted.
 */
URIVET_API size_t urivet_compiled_write(void *out, size_t capacity,
                                        const struct urivet_policy *policy,
                                        struct urivet_text extra);

/*
 * Opens the compiled policy data[0..length). Nothing is copied: the octets must stay unchanged
 * as long as the policy is used, and start at a multiple of 8. All of it is verified once;
 * then the policy is valid and sealed.
 *
 * Any octets may be given. If they are not a complete, consistent policy, the reason is
 * returned and *policy is zeroed, which rejects everything. The checksum detects accidents
 * only; write access to the octets allows writing any policy.
 *
 * `size` is sizeof *policy. If `extra` is not NULL, it is set to the extra octets given to
 * urivet_compiled_write(), or to NULL and 0 if the policy is zeroed. The policy may be copied.
 * Its rules are read in place and must not be copied out. Linear.
 */
URIVET_API enum urivet_compiled_fault urivet_compiled_open(struct urivet_policy *policy,
                                                           size_t size, const void *data,
                                                           size_t length,
                                                           struct urivet_text *extra);

/* Returns a sentence about the fault, such as "the checksum is wrong"; NULL for an unknown
 * number. */
URIVET_API const char *urivet_compiled_fault_text(unsigned fault);

#ifdef __cplusplus
}
#endif

#endif
