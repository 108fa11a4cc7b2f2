/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: references, normal forms and comparison of URIs. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_REFERENCE_H
#define URIVET_API_REFERENCE_H

#include <urivet/readers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- References, normal forms, comparison --------------------------------- */

enum urivet_resolved {
	URIVET_UNRESOLVED = 0, /* base or reference cannot be parsed, or the base is not usable
	                        * as one */
	URIVET_RESOLVED,
	URIVET_SAME_DOCUMENT   /* the current document plus what is written: "" or "#fragment" */
};

/*
 * Resolves a reference against a base by the algorithm of an edition (RFC 3986, 5.2 for
 * URIVET_READER_RFC3986) and writes the target. A reader that is not an edition resolves
 * nothing. `new_request` means that the context always makes a new request, so an empty
 * reference is the base URI (RFC 3986, 4.4). Returns the length of the target; how, if not
 * NULL, is set to the kind of result. Linear.
 */
URIVET_API size_t urivet_resolve(char *out, size_t capacity, enum urivet_reader edition,
                                 struct urivet_text base, struct urivet_text reference,
                                 bool new_request, enum urivet_resolved *how);

/* Additional requirements for a reference, combined by `|`. */
enum urivet_reference_option {
	/* The target must have the base's scheme, host (ignoring letter case) and effective port,
	 * else it gets the finding `cross-origin`. A policy that raises that finding has the same
	 * effect. Browsers resolve an accepted reference against the same base to the same origin.
	 * Two URIs without a host never have the same origin. */
	URIVET_REFERENCE_SAME_ORIGIN = 1
};

/*
 * Resolves a reference by RFC 3986 into out and judges the target by a policy (NULL: strict).
 * `options` are 0 or some of enum urivet_reference_option; unknown ones: `policy-invalid`. The
 * report is that of the target, and its spans refer to out. Adds `resolution-ambiguous` if
 * editions resolve the reference differently. A reference that cannot be resolved is judged as
 * an empty URI, which is rejected. A target that exceeds capacity is judged as too long;
 * base.length + reference.length + 8 always suffices. Returns the report's verdict. Linear.
 */
URIVET_API enum urivet_verdict urivet_check_reference_sized(struct urivet_report *report,
                                                            size_t size, char *out, size_t capacity,
                                                            struct urivet_text base,
                                                            struct urivet_text reference,
                                                            uint32_t options,
                                                            const struct urivet_policy *policy);
static inline enum urivet_verdict urivet_check_reference(struct urivet_report *report, char *out,
                                                         size_t capacity, struct urivet_text base,
                                                         struct urivet_text reference,
                                                         uint32_t options,
                                                         const struct urivet_policy *policy)
{
	return urivet_check_reference_sized(report, sizeof *report, out, capacity, base, reference,
	                                    options, policy);
}

/* RFC 3986, 6.2.2: letter case, triplets, dot segments; 6.2.3: also default port and empty path. */
enum urivet_level { URIVET_LEVEL_SYNTAX = 0, URIVET_LEVEL_SCHEME };

/*
 * Writes the normal form of a URI reference by an edition. It always means the same as the
 * input, and normalising it again does not change it. Returns its length. Returns 0 if the
 * edition cannot parse the input (or the reader is not an edition), or if the normal form is
 * empty because the input is: *readable, if not NULL, is false in the first case and true in
 * the second.
 */
URIVET_API size_t urivet_normalise(char *out, size_t capacity, const void *data, size_t length,
                                   enum urivet_level level, enum urivet_reader edition,
                                   bool *readable);

/* The comparison ladder of RFC 3986, 6.2, lowest rung first. */
enum urivet_rung {
	URIVET_DIFFERENT = 0,
	URIVET_EQUAL_BY_PROTOCOL, /* a known redirect leads from one to the other */
	URIVET_EQUAL_BY_SCHEME,
	URIVET_EQUAL_BY_SYNTAX,
	URIVET_IDENTICAL
};

/* A URI that is known to redirect to another. */
struct urivet_redirect {
	struct urivet_text from;
	struct urivet_text to;
};

/* The maximum number of redirects in a comparison; further ones are ignored. */
#define URIVET_MAX_REDIRECTS 1024

/*
 * Returns the comparison of least effort by which two URIs are equal. Fragments count unless
 * `no_fragment` is set (for comparing network requests). URIs that cannot be parsed are equal
 * only if identical. `redirects` has `count` entries, and may be NULL if that is 0; they are
 * followed in both directions and transitively. The result is the same for (b, a), and each
 * rung is transitive for the same redirects. Linear in the URIs; each redirect that is
 * followed takes one pass over all redirects.
 */
URIVET_API enum urivet_rung urivet_compare(struct urivet_text a, struct urivet_text b,
                                           bool no_fragment,
                                           const struct urivet_redirect *redirects, size_t count);

#ifdef __cplusplus
}
#endif

#endif
