/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a query as readers may take them that decode what cannot be decoded. */
#ifndef URIVET_PARAMETER_H
#define URIVET_PARAMETER_H

#include "text/text.h"

/* May some reader take the name that fills t from `at` on, which is encoded as in a form, for
 * `wanted`? True if it decodes to that; and if what can be decoded of it, up to what cannot, is
 * what `wanted` begins with: readers drop the rest, replace it or guess. PHP leaves out spaces
 * before a name, and makes "_" of what a variable cannot have (php_register_variable_ex). */
/*@ requires readable(t) && at <= t.end && readable(wanted);
    assigns \nothing; */
bool urivet_may_be_named(struct text t, uint32_t at, struct text wanted);

/* Does the value that fills t from `at` on, decoded once or `twice`, begin as a path or a URL does:
 * after octets up to 0x20 with a slash, a backslash or a scheme and a colon? Browsers delete tabs,
 * CR and LF inside the scheme. With `guessed` it may also be one for readers that leave out what
 * they cannot decode. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_looks_like_reference(struct text t, uint32_t at, bool twice, bool guessed);

#endif
