/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: URIs in plain text. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_SCAN_H
#define URIVET_API_SCAN_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- URIs in text ----------------------------------------------------------- */

/* The state of a scan. Set data and length, zero the rest. */
struct urivet_scan {
	const void *data;
	size_t length;
	size_t position; /* where the next call starts */
};

enum urivet_found_kind {
	URIVET_FOUND_URI = 0,
	URIVET_FOUND_ABBREVIATED /* no scheme (RFC 3986, 4.5): the text is guessed, with http:// */
};

/* One URI found: `length` octets of the input from `offset`, without delimiters. */
struct urivet_found {
	size_t offset;
	size_t length;
	enum urivet_found_kind kind;
	bool delimited;        /* by angle brackets or double quotes */
	bool broken;           /* inner white space was removed from the text */
	bool hyphen_at_break;  /* a hyphen is before a line break and may not belong to the URI */
};

/* The number of octets before a position that can change what is found from there on. */
#define URIVET_SCAN_BEFORE 8

/*
 * Finds the next URI in plain text by RFC 3986, appendix C: in angle brackets (at most 16384
 * octets), in double quotes (with inner white space only at line breaks), after "URL:", or
 * undelimited, without trailing punctuation and unbalanced brackets. Writes it to out, without
 * white space, and its length to *text_length. Returns false at the end of the text, without
 * changing *found. Linear in total.
 *
 * If `most` is SIZE_MAX, the text ends after `length` octets. Otherwise more octets may follow,
 * and a URI is found only once no later octet can change it. If there is none, false is returned;
 * from scan->position on, later octets decide. Keep these octets and the URIVET_SCAN_BEFORE before
 * them, append the next ones, set length and position, and call again. The finds are those in the
 * whole text. Each call is linear in the octets from scan->position on.
 *
 * At most `most` octets are held back, no more than URIVET_MAX_LENGTH. If it takes more to decide
 * where a URI ends, the find reaches the end of the octets, as no other find does: it has more than
 * `most` octets, so a policy whose max_length is not above `most` refuses it as `url-too-long`.
 * The search then continues after what was found of it, inside the find if need be.
 */
URIVET_API bool urivet_scan_next(struct urivet_scan *scan, size_t most, struct urivet_found *found,
                                 char *out, size_t capacity, size_t *text_length);

#ifdef __cplusplus
}
#endif

#endif
