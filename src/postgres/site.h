/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a place in a query that calls a function of ours keeps from row to row. Include after
 * postgres.h, fmgr.h.
 */
#ifndef POSTGRES_SITE_H
#define POSTGRES_SITE_H

#include "access/tupdesc.h"

#include <urivet.h>

/* The first argument of every function says which release the caller was made for. */
#define RELEASE_ARGUMENT 0
#define URL_ARGUMENT     1
#define POLICY_ARGUMENT  2

/* The release of this module, as a number: 10203 is 1.2.3. A build may stand for another one, so
 * that the tests have two releases. */
#ifndef URIVET_RELEASE
#define URIVET_RELEASE                                                                             \
	(URIVET_VERSION_MAJOR * 10000 + URIVET_VERSION_MINOR * 100 + URIVET_VERSION_PATCH)
#endif

/* Raises an error unless the caller was made for this release: verdicts may differ from release to
 * release, and one that another machine asked for must not be answered by other rules. */
void see_to_release(FunctionCallInfo fcinfo);

/*
 * The policy of an argument, a compiled one: NULL, which is strict, if the function has no such
 * argument. It is verified once, and again when it is another one than in the row before. Raises an
 * error for NULL and for what is no policy, or one that cannot be judged by here.
 */
const struct urivet_policy *policy_argument(FunctionCallInfo fcinfo, int argument);

/* Octets of a URL that are read by the policy (NULL: strict). */
uint32 most_octets(const struct urivet_policy *policy);

/* The row type that the function returns. */
TupleDesc returned_row(FunctionCallInfo fcinfo);

#endif
