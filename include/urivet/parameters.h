/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: the parameters of a query, and URLs in them. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_PARAMETERS_H
#define URIVET_API_PARAMETERS_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parameters in a query ------------------------------------------------------ */

/* The state of an iteration over a query. Set data and length, zero the rest. */
struct urivet_parameter_scan {
	const void *data;
	size_t length;
	size_t position; /* where the next call starts */
	bool semicolons; /* ";" separates parameters as well as "&", as in HTML 4.01, B.2.2 */
};

/* A parameter of a query, as offsets in the text of the iteration. */
struct urivet_parameter {
	struct urivet_span name;  /* up to the first "=" */
	struct urivet_span value; /* what follows the "="; without one, empty and at the end */
	bool has_value;           /* true if there is a "=" */
};

/*
 * Finds the next parameter of a query in application/x-www-form-urlencoded. Parameters are
 * separated by "&", and empty ones are skipped (WHATWG URL, 5.1). Nothing is decoded. Returns
 * false at the end of the query, without changing *parameter; a text longer than
 * URIVET_MAX_LENGTH has no parameters. Linear in total.
 */
URIVET_API bool urivet_parameter_next(struct urivet_parameter_scan *scan,
                                      struct urivet_parameter *parameter);

enum urivet_coding {
	URIVET_CODING_FORM = 0, /* application/x-www-form-urlencoded: "+" is a space */
	URIVET_CODING_PERCENT   /* RFC 3986, 2.1 */
};

/* The result of decoding. */
enum urivet_decoded {
	URIVET_UNDECODED = 0, /* not tried: an unknown coding, or a text longer than
	                       * URIVET_MAX_LENGTH */
	URIVET_DECODED,
	URIVET_DECODED_BAD_ESCAPE, /* a "%" without two hexadecimal digits */
	URIVET_DECODED_NUL,        /* the octet NUL, raw or escaped */
	URIVET_DECODED_NOT_UTF8    /* invalid UTF-8 (RFC 3629), or a character with some octets
	                            * raw and some escaped, which readers decode differently */
};

/*
 * Decodes a text once and writes the result, which is UTF-8 without NUL and never longer than
 * the text; out and text must not overlap. Returns the length. If the text cannot be decoded,
 * an empty text is written; `how`, if not NULL, is set to the reason, and `fault`, if not
 * NULL, to the offset of the octet at fault: the "%", or the first octet of a character. On
 * success `fault` is unchanged. Linear.
 */
URIVET_API size_t urivet_decode(char *out, size_t capacity, struct urivet_text text,
                                enum urivet_coding coding, enum urivet_decoded *how,
                                size_t *fault);

/* The maximum number of parameters of a query that are judged; further ones are rejected unread. */
#define URIVET_MAX_PARAMETERS 256

/* Which parameters are judged, and how. Fill it with urivet_parameter_rules_init(), then set
 * members. */
struct urivet_parameter_rules {
	size_t size;                     /* sizeof the program's struct; set by
	                                  * urivet_parameter_rules_init() */
	const struct urivet_text *names; /* decoded, and compared with letter case unless
	                                  * `any_case` is set. Spellings that PHP treats as such
	                                  * a name match too: with leading spaces, or with a dot,
	                                  * a space or "[" for "_". "name[*]": all names that
	                                  * begin with "name[" */
	uint32_t count;                  /* of names; 0: judge every value that looks like a URL
	                                  * or a path: after octets up to 0x20 it begins with
	                                  * "/", a backslash, or a scheme and ":" */
	uint32_t times;                  /* how often the value is decoded: 1 or 2, each time as
	                                  * a form */
	bool same_origin;                /* the value must stay on the input's origin; a path
	                                  * from the root may also have a path and query that
	                                  * `gateway` accepts, with a fragment that `policy`
	                                  * accepts */
	bool absolute;                   /* the value must be a URL with a scheme, else it is
	                                  * rejected (`not-absolute`): for programs that fetch it
	                                  * unchanged, where "10.0.0.1" gets a scheme and
	                                  * "/etc/passwd" is a file */
	bool any_case;                   /* ignore the letter case of names, as nginx's $arg_
	                                  * does */
	bool semicolons;                 /* ";" separates parameters too, as it did for CGI and
	                                  * does for Perl's CGI and Ruby's old Rack; else it is
	                                  * part of the value */
	const struct urivet_policy *policy; /* values are judged by it (NULL: strict) */
};

/*
 * Initialises *rules to judge by strict every value that looks like a URL or a path, decoded
 * once. `size` is sizeof *rules as the program was compiled; nothing is written beyond it.
 * Returns false for a size that matches no known version of the struct; the rules are then
 * zeroed and reject every input. Returns false for NULL.
 */
URIVET_API bool urivet_parameter_rules_init(struct urivet_parameter_rules *rules, size_t size);

/* Returns true if parameters can be judged by the rules. Returns false if their size matches no
 * known version of the struct, `times` is neither 1 nor 2, there is a count but no names, or the
 * policy is unusable or has rules for parameters itself. O(1), but for sorted lists of a policy
 * that is not sealed. */
URIVET_API bool urivet_parameter_rules_valid(const struct urivet_parameter_rules *rules);

/* The input whose parameters are judged, and a buffer for the work. */
struct urivet_parameter_input {
	struct urivet_text text; /* the judged URL or request target */
	const struct urivet_request *request; /* the request it was judged with; NULL: it is a
	                                       * URL, or nothing is known of the request */
	char *buffer;
	size_t capacity; /* URIVET_PARAMETERS_CAPACITY() suffices */
};

/* The capacity for judging the parameters of an input; `length` is that of the input and of its
 * Host field together. */
#define URIVET_PARAMETERS_CAPACITY(length) ((size_t)5 * (length) + 64)

/* The result for one parameter. */
enum urivet_parameter_result {
	URIVET_PARAMETER_REFUSED = 0,
	URIVET_PARAMETER_UNDECODED, /* rejected: the value cannot be decoded, or neither can a
	                             * name that some reader may take for a listed one */
	URIVET_PARAMETER_NO_ROOM,   /* rejected: the buffer is too small */
	URIVET_PARAMETER_ACCEPTED,
	URIVET_PARAMETER_NOT_ASKED  /* the rules do not select it */
};

/* Texts in the buffer; data is NULL if there is none. */
struct urivet_parameter_texts {
	struct urivet_text value;  /* as decoded */
	struct urivet_text judged; /* the text that the report is about and its spans refer to: a
	                            * URL, or for a value on the same origin a path, query and
	                            * fragment */
};

/*
 * Judges one parameter, the next in the query of input->text. `report` is the finished report of
 * that text. The value is decoded and judged as a reference against the input:
 *   A value with a scheme or "//" is resolved and judged as a whole, by the policy of the rules.
 *   Any other value stays on the input's origin, whose scheme, host and port are not judged again:
 *   only path, query and fragment of the target are. An empty value is the input's own path.
 *   Only the path of the input is the base, not its query.
 * The input's origin is unknown if a request target has none and the request has no scheme or Host
 * field. Then a value without scheme and "//" is judged unresolved, one with "//" is rejected
 * (`not-absolute`), and no URL is of the same origin.
 *
 * *inner is the report of the value; it is zeroed unless the result is accepted or refused.
 * `texts` may be NULL. Returns URIVET_PARAMETER_REFUSED if the report is NULL, was never filled or
 * is for another input, and if the rules are not valid. Linear in input, value and names.
 */
URIVET_API enum urivet_parameter_result urivet_check_parameter_sized(
    struct urivet_report *inner, size_t size, struct urivet_parameter_texts *texts,
    const struct urivet_parameter *parameter, const struct urivet_report *report,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules);
static inline enum urivet_parameter_result urivet_check_parameter(
    struct urivet_report *inner, struct urivet_parameter_texts *texts,
    const struct urivet_parameter *parameter, const struct urivet_report *report,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules)
{
	return urivet_check_parameter_sized(inner, sizeof *inner, texts, parameter, report, input,
	                                    rules);
}

/*
 * Judges every parameter that the rules select, as urivet_check_parameter() does. For each
 * rejected one, adds `param-refused` to the finished report of the input, by the policy that
 * judged the input (NULL: strict); the span is that of the value. *inner is room for the
 * report of one parameter, and means nothing afterwards.
 *
 * Adds `policy-invalid` if the rules are unusable, the request is not valid, the text does not
 * belong to the report, or there is no room for a report. Judges no parameters if the input
 * was not parsed. Returns the report's new verdict. Linear, but each judged value takes a pass
 * over the input's path, and each parameter one over the names.
 */
URIVET_API enum urivet_verdict urivet_check_parameters_sized(
    struct urivet_report *report, struct urivet_report *inner, size_t size,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules,
    const struct urivet_policy *policy);
static inline enum urivet_verdict urivet_check_parameters(
    struct urivet_report *report, struct urivet_report *inner,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules,
    const struct urivet_policy *policy)
{
	return urivet_check_parameters_sized(report, inner, sizeof *inner, input, rules, policy);
}

#ifdef __cplusplus
}
#endif

#endif
