/* SPDX-License-Identifier: Apache-2.0 */
/* State that a function call in a query keeps between rows. Include after postgres.h, fmgr.h. */
#ifndef POSTGRES_SITE_H
#define POSTGRES_SITE_H

#include "access/tupdesc.h"

#include <urivet.h>

/* The first argument of every function is the release that the caller was made for. */
#define RELEASE_ARGUMENT 0
#define URL_ARGUMENT     1
#define POLICY_ARGUMENT  2

/* The release of this module as a number: 10203 is 1.2.3. Tests define another one to have two
 * releases. */
#ifndef URIVET_RELEASE
#define URIVET_RELEASE                                                                             \
	(URIVET_VERSION_MAJOR * 10000 + URIVET_VERSION_MINOR * 100 + URIVET_VERSION_PATCH)
#endif

/* Raises an error unless the caller was made for this release. Verdicts may differ between
 * releases, so a query from another machine must not be answered by other rules. */
void see_to_release(FunctionCallInfo fcinfo);

/* Returns the compiled policy in an argument. Returns NULL, which means strict, if the function has
 * no such argument. The policy is verified again only if it differs from that of the previous row.
 * Raises an error if it is NULL, invalid, or cannot be applied in a database. */
const struct urivet_policy *policy_argument(FunctionCallInfo fcinfo, int argument);

/* Returns the maximum length in octets of a URL by the policy (NULL: strict). */
uint32 most_octets(const struct urivet_policy *policy);

/* Reads the policy and the URL of a call. Returns false if the URL, and so the result, is NULL. */
bool asked(FunctionCallInfo fcinfo, const struct urivet_policy **policy, struct urivet_text *url);

/* Returns a row of the function's result type. */
Datum returned_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

#endif
