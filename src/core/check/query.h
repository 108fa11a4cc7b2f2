/* SPDX-License-Identifier: Apache-2.0 */
/* The query of an input while values of its parameters are judged. */
#ifndef URIVET_QUERY_H
#define URIVET_QUERY_H

#include <urivet/parameters.h>

#include "text/text.h"

/* State while the parameters of one query are judged. */
struct query {
	struct urivet_text text;
	struct urivet_text base; /* the input without its query; data NULL: unknown */
	const struct urivet_parameter_rules *rules;
	char *room;  /* buffer: decoded texts are stored at its end, resolved targets at its
		      * beginning */
	size_t left; /* free octets at the beginning of the buffer */
	size_t most; /* maximum length of a decoded value */
};

/* Sets the query of an input with a finished report and without rules; its text has data NULL if
 * the report is of another text or there is no query. */
struct query urivet_begin_query(const struct urivet_report *report,
				const struct urivet_parameter_input *input);

/* Finds the base of references: the input before its query. There is no base if RFC 3986 cannot
 * read it. Returns false if the buffer is too small. */
bool urivet_find_base(struct query *q, const struct urivet_uri *uri,
		      const struct urivet_parameter_input *input);

/* Returns true if the rules select the parameter, in any reader's decoding of its name. */
bool urivet_is_selected(const struct query *q, const struct urivet_parameter *p);

/* Decodes a value of a parameter into the buffer. Returns URIVET_PARAMETER_ACCEPTED on success. */
enum urivet_parameter_result urivet_decode_value(struct query *q, const struct urivet_parameter *p,
						 struct urivet_text *value);

/* Judges one selected parameter, and frees the buffer space of its texts. */
enum urivet_parameter_result urivet_judge_parameter(struct urivet_report *inner, size_t size,
						    struct query *q,
						    const struct urivet_parameter *p,
						    struct urivet_parameter_texts *texts);

/* Returns true if every reader takes the value as a path from the root. A second slash or a
 * backslash would begin an authority. Some readers delete blanks and octets above 0x7F before
 * it. */
bool urivet_is_rooted(struct urivet_text value);

#endif
