/* SPDX-License-Identifier: Apache-2.0 */
/* State that a function call in a query keeps between rows. */
#include <urivet/compiled.h>

#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/primnodes.h"
#include "utils/memutils.h"

#include "site.h"
#include "text.h"

struct site {
	struct urivet_policy policy;
	void *octets; /* of the compiled policy, suitably aligned; NULL: none was opened */
	size_t length;
	bool constant; /* the policy is a constant in the query */
	TupleDesc row; /* NULL: not yet determined */
};

static struct site *site_of(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra =
		    MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(struct site));
	return fcinfo->flinfo->fn_extra;
}

void see_to_release(FunctionCallInfo fcinfo)
{
	if (likely(!PG_ARGISNULL(RELEASE_ARGUMENT) &&
		   PG_GETARG_INT32(RELEASE_ARGUMENT) == URIVET_RELEASE))
		return;
	ereport(
	    ERROR,
	    (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
	     errmsg("urivet %d.%d.%d answers here, and another release was asked",
		    URIVET_RELEASE / 10000, URIVET_RELEASE / 100 % 100, URIVET_RELEASE % 100),
	     errhint("Install one release on all machines, run ALTER EXTENSION urivet UPDATE in "
		     "each database, and begin new sessions.")));
}

static void forget(struct site *site)
{
	void *octets = site->octets;

	site->octets = NULL;
	if (octets != NULL)
		pfree(octets);
}

/* Copies and verifies a policy. If it raises an error, the site has no policy. */
static void open_policy(struct site *site, MemoryContext context, const void *data, size_t length)
{
	void *octets;
	enum urivet_compiled_fault fault;

	forget(site);
	octets = MemoryContextAlloc(context, Max(length, 1));
	memcpy(octets, data, length);
	fault = urivet_compiled_open(&site->policy, sizeof site->policy, octets, length, NULL);
	if (fault != URIVET_COMPILED_GOOD) {
		pfree(octets);
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("this is no compiled policy: %s",
				       urivet_compiled_fault_text(fault)),
				errhint("\"urivet policy compile\" of the same release writes one; "
					"urivet_policy() hands out those that are kept by name.")));
	}
	site->octets = octets;
	site->length = length;
}

/* Returns true if the argument is a constant in the query, and so never changes. A parameter may
 * change, as PL/pgSQL keeps the call between executions. */
static bool is_written(FunctionCallInfo fcinfo, int argument)
{
	const Node *call = fcinfo->flinfo->fn_expr;

	return call != NULL && IsA(call, FuncExpr) &&
	       argument < list_length(((const FuncExpr *)call)->args) &&
	       IsA(list_nth(((const FuncExpr *)call)->args, argument), Const);
}

const struct urivet_policy *policy_argument(FunctionCallInfo fcinfo, int argument)
{
	struct site *site;
	bytea *value;

	if (PG_NARGS() <= argument)
		return NULL;
	if (PG_ARGISNULL(argument))
		ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the policy is NULL"),
			 errdetail(
			     "By no policy nothing can be accepted, and NULL would pass as true in "
			     "a CHECK constraint.")));
	site = site_of(fcinfo);
	if (site->octets != NULL && site->constant)
		return &site->policy;
	value = PG_GETARG_BYTEA_PP(argument);
	if (site->octets == NULL || site->length != VARSIZE_ANY_EXHDR(value) ||
	    memcmp(site->octets, VARDATA_ANY(value), site->length) != 0)
		open_policy(site, fcinfo->flinfo->fn_mcxt, VARDATA_ANY(value),
			    VARSIZE_ANY_EXHDR(value));
	site->constant = is_written(fcinfo, argument);
	PG_FREE_IF_COPY(value, argument);
	return &site->policy;
}

uint32 most_octets(const struct urivet_policy *policy)
{
	static uint32 strict = 0;
	struct urivet_policy built_in;

	if (policy != NULL)
		return Min(policy->max_length, URIVET_MAX_LENGTH);
	if (strict == 0 && urivet_policy_init(&built_in, sizeof built_in, URIVET_STRICT))
		strict = built_in.max_length;
	return strict;
}

bool asked(FunctionCallInfo fcinfo, const struct urivet_policy **policy, struct urivet_text *url)
{
	see_to_release(fcinfo);
	*policy = policy_argument(fcinfo, POLICY_ARGUMENT);
	if (PG_ARGISNULL(URL_ARGUMENT))
		return false;
	*url = argument_text(fcinfo, URL_ARGUMENT, most_octets(*policy));
	return true;
}

Datum returned_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	struct site *site = site_of(fcinfo);
	TupleDesc row;
	MemoryContext before;

	if (site->row == NULL) {
		if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "the function was declared with another type than it returns");
		before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		site->row = BlessTupleDesc(CreateTupleDescCopy(row));
		MemoryContextSwitchTo(before);
	}
	return HeapTupleGetDatum(heap_form_tuple(site->row, values, nulls));
}
