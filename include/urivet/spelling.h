/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: other spellings of a URI: one that is accepted, one in ASCII, and one for people to read.
 * The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_SPELLING_H
#define URIVET_API_SPELLING_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Spelling ----------------------------------------------------------- */

/*
 * Writes the equivalent spelling (RFC 3986, 6.2.2 and 6.2.3) that the policy accepts with
 * notes at most, and returns its length in octets; 0 if there is none. For an accepted input
 * that is its canonical spelling, or the input itself if the canonical one would be rejected.
 * Nothing is guessed: only letter case, percent-encoding, dot segments, an empty path, an
 * empty, default or zero-padded port and the text of an IPv6 address may differ.
 *
 * If the input is rejected because of them, spaces, visible octets that are not legal in URIs,
 * and each "%" that does not begin a triplet are percent-encoded in path, query and fragment.
 * No spelling is longer than 3 * length + 2 octets, so a capacity of 3 * length + 3 always
 * gives the final result. With a smaller capacity, a result at or above capacity is the length
 * of a spelling that could not be judged for lack of room. The text is ASCII unless the policy
 * waives `non-ascii`.
 */
URIVET_API size_t urivet_suggest(char *out, size_t capacity, const void *data, size_t length,
                                 const struct urivet_policy *policy);

/* ---- International names and text -------------------------------------------------- */

/* The result of mapping a text with non-ASCII characters (an IRI, RFC 3987). */
enum urivet_iri_outcome {
	URIVET_IRI_UNMAPPABLE = 0, /* no accepted spelling: not UTF-8, too long, or rejected
	                            * because of `id` */
	URIVET_IRI_OFFERED,        /* a spelling that all readers agree on */
	URIVET_IRI_ASCII,          /* it is ASCII already */
	URIVET_IRI_DISAGREE        /* readers derive different names from it, or people cannot
	                            * recognise what they see */
};

struct urivet_iri {
	uint32_t outcome;        /* enum urivet_iri_outcome */
	uint32_t id;             /* enum urivet_id: the most significant finding; 0: none */
	uint32_t code_point;     /* the character that prevents a spelling, if `span` is not
	                          * empty */
	struct urivet_span span; /* its octets, or those of the label */
};

/*
 * Writes the ASCII spelling of a URI with non-ASCII characters in UTF-8, if all widely used
 * readers derive that same spelling and the policy accepts it with notes at most. Returns its
 * length in octets; 0 if there is none. *iri is set to the outcome.
 *
 * Labels become A-labels (RFC 5890, 2.3.2.1) if IDNA 2003, IDNA 2008 and UTS 46 leave their
 * characters unchanged. Nothing is mapped, so capital letters and sharp s get no spelling.
 * Outside the host, the octets of each character are percent-encoded (RFC 3987, 3.1) if the
 * text is in normal form C and contains no bidirectional controls and no invisible characters.
 * For an ASCII input the result is that of urivet_suggest().
 *
 * Agreement of readers does not mean that people recognise the name correctly. A capacity of
 * urivet_size_of(URIVET_CAPACITY_IRI, length) always suffices; with less, only a NUL is written,
 * and the result is that capacity. Linear in the length.
 */
URIVET_API size_t urivet_suggest_iri(struct urivet_iri *iri, char *out, size_t capacity,
				     const void *data, size_t length,
				     const struct urivet_policy *policy);

/* The maximum length of the input of urivet_display() in octets. */
#define URIVET_DISPLAY_MOST 1048576

/* Flags of urivet_display(). */
#define URIVET_DISPLAY_ISOLATES 0x01u /* isolates right-to-left text by U+2068 and U+2069 (UAX
                                       * 9); without this flag its characters stay encoded */
#define URIVET_DISPLAY_HTML     0x02u /* the same by character references, and escapes markup:
                                       * for the text of an element or a quoted attribute value */

/*
 * Writes a URL for display to people, in UTF-8, and returns the number of octets needed. As
 * snprintf() does, it writes what fits, followed by a NUL. The text is for reading only: use
 * the URL itself in links.
 *
 * A-labels are decoded if all readers agree on every label of the host, no label may deceive
 * (`idn-mixed-script`, `idn-whole-script-confusable`, `idn-digit-lookalike`,
 * `idn-dangerous-pattern`, `idn-tld-specific`), and no label imitates a name that `policy`
 * protects; otherwise all of them stay A-labels.
 *
 * Outside the host, triplets that encode letters, digits and marks are decoded. Triplets stay
 * encoded where decoding could deceive: ASCII, controls and spaces, invisible characters,
 * characters that change the text direction, symbols, marks without a letter, and characters
 * that would be encoded differently. All other octets that are not printable ASCII are
 * percent-encoded.
 *
 * `policy` may be NULL. For NULL and for more than URIVET_DISPLAY_MOST octets, returns 0 and
 * writes only a NUL. Linear, plus O(log count) a label for protected names.
 */
URIVET_API size_t urivet_display(char *out, size_t capacity, const void *data, size_t length,
				 const struct urivet_policy *policy, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
