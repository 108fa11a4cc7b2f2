/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: reports as JSON, at once or in pieces. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_JSON_H
#define URIVET_API_JSON_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reports as JSON ---------------------------------------------------------- */

/*
 * Writes a report as one JSON object in ASCII, without a line end, in the format of the
 * command (see urivet-output(5)), with the members `uri`, `verdict`, `policy`, `components`,
 * `host`, `port` and `findings`. data[0..length) is the judged text, `host` the Host field (NULL:
 * there was none), `policy` is the policy that judged them (NULL: strict). If a shown
 * text is not UTF-8, each octet is written as the character with that number, and a member
 * `raw` says so. If the input is too long to be read, `uri` is null and `length` is its
 * length. A report that is NULL or was never filled is written as a rejection without
 * findings. Linear.
 */
URIVET_API size_t urivet_format_report(char *out, size_t capacity,
                                       const struct urivet_report *report, const void *data,
                                       size_t length, const struct urivet_text *host,
                                       const struct urivet_policy *policy);

/*
 * As urivet_format_report(), in several calls, for inputs of any size and for programs that
 * add members. Zero it, then set what is to be written. `position` and `offset` are for the
 * library.
 */
struct urivet_json {
	const struct urivet_report *report; /* NULL: write only `components`, `host` and `port`
	                                     * of `uri` */
	const struct urivet_uri *uri;       /* the parsed components; NULL: none */
	struct urivet_text input;
	struct urivet_text read;            /* the text that the spans of `uri` refer to, usually
	                                     * the input */
	struct urivet_text host;            /* the Host field */
	const char *policy;                 /* its name; NULL: none */
	const struct urivet_policy *rules;  /* decides which findings `refuses`; NULL: strict */
	bool unread;                        /* the input is too long: write only its length */
	bool raw;                           /* strings stand for octets, because a text is not
	                                     * UTF-8 */
	uint32_t position;
	uint32_t offset;
};

/* The minimum capacity for urivet_json_next(). */
#define URIVET_JSON_CAPACITY 64

/*
 * Writes the next octets of the object to out[0..capacity), without a NUL, and returns their
 * number; 0 at the end, and if capacity is below URIVET_JSON_CAPACITY. The closing brace is
 * omitted, so that the program can add members. If only `uri` is written, the opening brace is
 * omitted too, and a comma comes first. The texts and the report must not change until the
 * end.
 */
URIVET_API size_t urivet_json_next(struct urivet_json *json, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
