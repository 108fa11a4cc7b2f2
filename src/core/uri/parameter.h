/* SPDX-License-Identifier: Apache-2.0 */
/* Query parameters as read by other programs, which accept what cannot be decoded. */
#ifndef URIVET_PARAMETER_H
#define URIVET_PARAMETER_H

#include "text/text.h"

/* Returns true if some reader may take the form-encoded name from `at` to the end of t for
 * `wanted`: if it decodes to `wanted`, or if it cannot be decoded completely and the part before
 * that is a prefix of `wanted`, because readers drop the rest, replace it or guess. PHP skips
 * spaces before a name, and replaces octets that are invalid in variable names by "_"
 * (php_register_variable_ex). */
/*@ requires readable(t) && at <= t.end && readable(wanted);
    assigns \nothing; */
bool urivet_may_be_named(struct text t, uint32_t at, struct text wanted, bool any_case);

/* The beginning of a value. */
enum value_start {
	VALUE_IS_TEXT,     /* not a reference for any reader */
	VALUE_IS_PATH,     /* a slash, a backslash, "../", "..\\", or a drive such as "C:\\" */
	VALUE_HAS_SLASHES, /* a scheme, a colon and two slashes or backslashes */
	VALUE_HAS_SCHEME,  /* a scheme and a colon, not followed by a space */
	VALUE_HAS_SPACE    /* a scheme or word, a colon and a space */
};

/* More octets than the longest scheme with its own row. */
#define VALUE_SCHEME_MOST 16

/* Returns what the value from `at` to the end of t begins with, decoded once or `twice`, skipping
 * octets up to 0x20. Tabs, CR and LF inside the scheme are ignored, as in browsers. With `guessed`,
 * octets are ignored as by readers that drop what they cannot decode. The scheme is written to
 * `scheme`, truncated if too long, and its length to *length. */
/*@ requires readable(t) && at <= t.end;
    requires \valid(scheme + (0 .. VALUE_SCHEME_MOST - 1)) && \valid(length);
    requires \separated(scheme + (0 .. VALUE_SCHEME_MOST - 1), length, t.data + (0 .. t.end - 1));
    assigns scheme[0 .. VALUE_SCHEME_MOST - 1], *length;
    ensures *length <= VALUE_SCHEME_MOST; */
enum value_start urivet_value_start(struct text t, uint32_t at, bool twice, bool guessed,
				    uint8_t scheme[VALUE_SCHEME_MOST], uint32_t *length);

#endif
