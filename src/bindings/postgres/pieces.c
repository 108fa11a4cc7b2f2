/* SPDX-License-Identifier: Apache-2.0 */
/* Components of URLs, their endpoints and spellings. */
#include <urivet/reference.h>

#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/inet.h"

#include "site.h"
#include "text.h"

/* ---- Endpoints of accepted URLs ---- */

/* Sets the endpoint of the URL argument. Returns false if the URL is NULL or refused, or has no
 * endpoint. */
static bool endpoint_asked(FunctionCallInfo fcinfo, struct urivet_endpoint *endpoint)
{
	const struct urivet_policy *policy;
	struct urivet_report report;
	struct urivet_text url;
	size_t capacity;

	if (!asked(fcinfo, &policy, &url))
		return false;
	if (urivet_check(&report, url.data, url.length, policy) != URIVET_ACCEPT)
		return false;
	capacity = URIVET_ENDPOINT_CAPACITY(url.length);
	return urivet_endpoint(endpoint, palloc_extended(capacity, MCXT_ALLOC_HUGE), capacity,
			       &report, url.data, url.length) > 0 &&
	       endpoint->host != NULL;
}

PG_FUNCTION_INFO_V1(pg_urivet_host);
Datum pg_urivet_host(PG_FUNCTION_ARGS)
{
	struct urivet_endpoint to;

	if (!endpoint_asked(fcinfo, &to))
		PG_RETURN_NULL();
	return string_datum(to.host);
}

PG_FUNCTION_INFO_V1(pg_urivet_port);
Datum pg_urivet_port(PG_FUNCTION_ARGS)
{
	struct urivet_endpoint to;

	if (!endpoint_asked(fcinfo, &to))
		PG_RETURN_NULL();
	PG_RETURN_INT32((int32)to.port);
}

PG_FUNCTION_INFO_V1(pg_urivet_endpoint);
Datum pg_urivet_endpoint(PG_FUNCTION_ARGS)
{
	struct urivet_endpoint to;
	Datum values[9];
	bool nulls[9] = {false};

	if (!endpoint_asked(fcinfo, &to))
		PG_RETURN_NULL();
	values[0] = string_datum(to.scheme_name);
	values[1] = string_datum(to.host);
	nulls[2] = to.octets == 0;
	values[2] = nulls[2] ? (Datum)0 : DirectFunctionCall1(inet_in, CStringGetDatum(to.host));
	values[3] = Int32GetDatum((int32)to.port);
	values[4] = BoolGetDatum(to.tls);
	values[5] = string_datum(to.host_field);
	values[6] = string_datum(to.tls_name);
	values[7] = string_datum(to.target);
	values[8] = string_datum(to.url);
	return returned_row(fcinfo, values, nulls);
}

/* ---- Components of any URI reference, by RFC 3986 ---- */

/* Returns the component of this name. Raises an error if there is none. */
static enum urivet_component component_named(struct urivet_text name)
{
	for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++) {
		const char *candidate = urivet_component_name(c);

		if (strlen(candidate) == name.length &&
		    memcmp(candidate, name.data, name.length) == 0)
			return (enum urivet_component)c;
	}
	ereport(ERROR,
		(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a URL has no such component"),
		 errhint("scheme, authority, userinfo, host, port, path, query, fragment")));
	return URIVET_WHOLE;
}

PG_FUNCTION_INFO_V1(pg_urivet_part);
Datum pg_urivet_part(PG_FUNCTION_ARGS)
{
	enum urivet_component component;
	struct urivet_text url;
	struct urivet_text part;
	struct urivet_uri uri;

	see_to_release(fcinfo);
	component = component_named(argument_text(fcinfo, 2, NAMEDATALEN));
	url = argument_text(fcinfo, URL_ARGUMENT, PIECES_MOST);
	if (url.length > PIECES_MOST || !urivet_parse(&uri, url.data, url.length, NULL))
		PG_RETURN_NULL();
	part = urivet_part(&uri, component, url, urivet_text_of(NULL, 0));
	if (part.data == NULL)
		PG_RETURN_NULL();
	return text_datum(part);
}

/* ---- Spellings ---- */

PG_FUNCTION_INFO_V1(pg_urivet_normalise);
Datum pg_urivet_normalise(PG_FUNCTION_ARGS)
{
	struct urivet_text url;
	size_t length;
	bool readable;
	char *out;

	see_to_release(fcinfo);
	url = argument_text(fcinfo, URL_ARGUMENT, PIECES_MOST);
	if (url.length > PIECES_MOST)
		PG_RETURN_NULL();
	length = urivet_normalise(NULL, 0, url.data, url.length, URIVET_LEVEL_SYNTAX,
				  URIVET_READER_RFC3986, &readable);
	if (!readable)
		PG_RETURN_NULL();
	out = palloc(length + 1);
	urivet_normalise(out, length + 1, url.data, url.length, URIVET_LEVEL_SYNTAX,
			 URIVET_READER_RFC3986, NULL);
	return text_datum(urivet_text_of(out, length));
}

#define REFERENCE_ARGUMENT        2
#define REFERENCE_POLICY_ARGUMENT 3

PG_FUNCTION_INFO_V1(pg_urivet_resolve);
Datum pg_urivet_resolve(PG_FUNCTION_ARGS)
{
	const struct urivet_policy *policy;
	struct urivet_text base, reference;
	struct urivet_report report;
	enum urivet_resolved how;
	size_t capacity, length;
	char *out;

	see_to_release(fcinfo);
	policy = policy_argument(fcinfo, REFERENCE_POLICY_ARGUMENT);
	if (PG_ARGISNULL(URL_ARGUMENT) || PG_ARGISNULL(REFERENCE_ARGUMENT))
		PG_RETURN_NULL();
	base = argument_text(fcinfo, URL_ARGUMENT, PIECES_MOST);
	reference = argument_text(fcinfo, REFERENCE_ARGUMENT, PIECES_MOST);
	if (base.length > PIECES_MOST || reference.length > PIECES_MOST)
		PG_RETURN_NULL();
	capacity = base.length + reference.length + 8;
	out = palloc(capacity);
	length = urivet_resolve(out, capacity, URIVET_READER_RFC3986, base, reference, false, &how);
	if (how == URIVET_UNRESOLVED || length >= capacity ||
	    (policy != NULL && urivet_check_reference(&report, out, capacity, base, reference, 0,
						      policy) != URIVET_ACCEPT))
		PG_RETURN_NULL();
	return text_datum(urivet_text_of(out, length));
}
