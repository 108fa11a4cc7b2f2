/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a request beside its target: validation, and the target forms its method
 * allows. */
#include "check/request.h"

#include "text/sized.h"

/* token = 1*tchar: RFC 9110, 5.6.2. "(", ")" and "," are not in tchar. */
#define TCHAR (UNRESERVED | PLAINSUB | APOSTROPHE | AMPERSAND | PLUS | HASH | PERCENT | OTHERASCII)

/*@ requires text.data != \null;
    assigns \nothing;
    ensures \result ==> text.length <= URIVET_MAX_LENGTH; */
static bool is_token(struct urivet_text text)
{
	struct text t;
	uint32_t at = 0;
	if (text.length == 0 || text.length > URIVET_MAX_LENGTH)
		return false;
	t = text_of(text.data, (uint32_t)text.length);
	/*@ loop invariant at <= t.end;
	    loop assigns at;
	    loop variant t.end - at; */
	while (is(t, at, TCHAR) && octet(t, at) != '(' && octet(t, at) != ')' &&
	       octet(t, at) != ',')
		at++;
	return at == t.end;
}

bool urivet_request_init(struct urivet_request *request, size_t size)
{
	if (!urivet_fit(request, size, REQUEST_LEAST, 0) || size > sizeof *request)
		return false;
	request->size = size;
	request->port = URIVET_NO_PORT;
	return true;
}

bool urivet_request_valid(const struct urivet_request *request)
{
	const struct urivet_request *r = request;
	if (r == NULL || r->size < REQUEST_LEAST || r->size > sizeof *r)
		return false;
	return (r->scheme == URIVET_SCHEME_NONE || r->scheme == URIVET_SCHEME_HTTP ||
		r->scheme == URIVET_SCHEME_HTTPS) &&
	       (r->port == URIVET_NO_PORT || (r->port > 0 && r->port <= UINT16_MAX)) &&
	       (r->method.data == NULL || is_token(r->method)) &&
	       (r->host.data == NULL || !r->host_unknown);
}

/* Returns true if the method equals `name`, octet by octet: RFC 9110, 9.1. */
/*@ requires readable(t) && length <= 16 && \valid_read(name + (0 .. length - 1));
    assigns \nothing; */
static bool is_method(struct text t, const char *name, uint32_t length)
{
	uint32_t k = 0;
	/*@ loop invariant k <= length;
	    loop assigns k;
	    loop variant length - k; */
	while (k < length && octet(t, k) == (unsigned char)name[k])
		k++;
	return k == length && t.end == length;
}

bool urivet_method_allows(struct urivet_text method, enum urivet_target_form form)
{
	const struct text t =
	    text_of(method.data, method.data != NULL ? (uint32_t)method.length : 0);
	if (is_method(t, "CONNECT", 7))
		return form == URIVET_TARGET_AUTHORITY;
	return form == URIVET_TARGET_ORIGIN || form == URIVET_TARGET_ABSOLUTE ||
	       (form == URIVET_TARGET_ASTERISK && is_method(t, "OPTIONS", 7));
}
