/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a query as readers may take them that decode what cannot be decoded. */
#ifndef URIVET_PARAMETER_H
#define URIVET_PARAMETER_H

#include "text/text.h"

/* Like urivet_parameter_next(); with `semicolons` pairs are parted by ";" as well as by "&". */
/*@ requires \valid(scan) && \valid(parameter) && \separated(scan, parameter);
    assigns scan->position, *parameter;
    ensures \result ==> \old(scan->position) < scan->position <= scan->length;
    ensures \result ==> inside(parameter->name, scan->length);
    ensures \result ==> inside(parameter->value, scan->length); */
bool urivet_parted_next(struct urivet_parameter_scan *scan, struct urivet_parameter *parameter,
			bool semicolons);

/* May some reader take the name that fills t from `at` on, which is encoded as in a form, for
 * `wanted`? True if it decodes to that; and if what can be decoded of it, up to what cannot, is
 * what `wanted` begins with: readers drop the rest, replace it or guess. PHP leaves out spaces
 * before a name, and makes "_" of what a variable cannot have (php_register_variable_ex). */
/*@ requires readable(t) && at <= t.end && readable(wanted);
    assigns \nothing; */
bool urivet_may_be_named(struct text t, uint32_t at, struct text wanted, bool any_case);

/* What a value begins with. */
enum value_start {
	VALUE_IS_TEXT,     /* nothing that a reader takes for a reference */
	VALUE_IS_PATH,     /* a slash, a backslash, "../", "..\\", or a drive such as "C:\\" */
	VALUE_HAS_SLASHES, /* a scheme, a colon and two slashes or backslashes */
	VALUE_HAS_SCHEME,  /* a scheme and a colon, which no space follows */
	VALUE_HAS_SPACE    /* a scheme or word, a colon and a space */
};

/* The longest scheme that has a row of its own has fewer octets. */
#define VALUE_SCHEME_MOST 16

/* Returns what the value begins with that fills t from `at` on, decoded once or `twice`, after
 * octets up to 0x20. Browsers delete tabs, CR and LF inside the scheme. With `guessed` it is read
 * as by readers that leave out what they cannot decode. The scheme is written to `scheme`, its
 * length to *length; a longer one is cut. */
/*@ requires readable(t) && at <= t.end;
    requires \valid(scheme + (0 .. VALUE_SCHEME_MOST - 1)) && \valid(length);
    requires \separated(scheme + (0 .. VALUE_SCHEME_MOST - 1), length, t.data + (0 .. t.end - 1));
    assigns scheme[0 .. VALUE_SCHEME_MOST - 1], *length;
    ensures *length <= VALUE_SCHEME_MOST; */
enum value_start urivet_value_start(struct text t, uint32_t at, bool twice, bool guessed,
				    uint8_t scheme[VALUE_SCHEME_MOST], uint32_t *length);

#endif
