/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for compiled policies: built-in ones, and verification. */
#include <urivet/compiled.h>

#include "postgres.h"

#include "fmgr.h"

#include "site.h"
#include "text.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(pg_urivet_built_in);
Datum pg_urivet_built_in(PG_FUNCTION_ARGS)
{
	struct urivet_policy policy;
	struct urivet_text name;
	size_t length;
	bytea *compiled;
	char *out;

	see_to_release(fcinfo);
	name = argument_text(fcinfo, 1, NAMEDATALEN);
	if (!urivet_policy_init(&policy, sizeof policy,
				urivet_policy_named(name.data, name.length)))
		PG_RETURN_NULL();
	length = urivet_compiled_write(NULL, 0, &policy, urivet_text_of(NULL, 0));
	out = palloc(length);
	if (length == 0 ||
	    urivet_compiled_write(out, length, &policy, urivet_text_of(NULL, 0)) != length)
		elog(ERROR, "a policy that is built in cannot be written");
	compiled = palloc(VARHDRSZ + length);
	SET_VARSIZE(compiled, VARHDRSZ + length);
	memcpy(VARDATA(compiled), out, length);
	PG_RETURN_BYTEA_P(compiled);
}

PG_FUNCTION_INFO_V1(pg_urivet_require_policy);
Datum pg_urivet_require_policy(PG_FUNCTION_ARGS)
{
	see_to_release(fcinfo);
	(void)policy_argument(fcinfo, 1);
	PG_RETURN_BOOL(true);
}
