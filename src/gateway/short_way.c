/* SPDX-License-Identifier: Apache-2.0 */
/* Fast path: judges plain requests as URLs. */
#include "gateway/short_way.h"

#include <string.h>
#include <strings.h>

/* Buffer size for the URL of most requests. */
#define CAPACITY 1024

/* ---- Kinds of octets ---------------------------------------------------------------- */

/* Octet classes. IN_HOST: lower-case host names, without delimiters. IN_NAME: parameter names that
 * all readers decode alike. IN_VALUE: octets of values and queries that every decoder leaves
 * unchanged. */
enum { IN_HOST = 1, IN_NAME = 2, IN_VALUE = 4 };

#define L (IN_HOST | IN_NAME | IN_VALUE)
#define N (IN_NAME | IN_VALUE)
#define H (IN_HOST | IN_VALUE)
#define V IN_VALUE
static const uint8_t kinds[256] = {
    ['!'] = V, ['$'] = V, ['\''] = V, ['('] = V, [')'] = V, ['*'] = V, [','] = V, ['-'] = L,
    ['.'] = H, ['/'] = V, ['0'] = L,  ['1'] = L, ['2'] = L, ['3'] = L, ['4'] = L, ['5'] = L,
    ['6'] = L, ['7'] = L, ['8'] = L,  ['9'] = L, [':'] = V, ['='] = V, ['?'] = V, ['@'] = V,
    ['A'] = N, ['B'] = N, ['C'] = N,  ['D'] = N, ['E'] = N, ['F'] = N, ['G'] = N, ['H'] = N,
    ['I'] = N, ['J'] = N, ['K'] = N,  ['L'] = N, ['M'] = N, ['N'] = N, ['O'] = N, ['P'] = N,
    ['Q'] = N, ['R'] = N, ['S'] = N,  ['T'] = N, ['U'] = N, ['V'] = N, ['W'] = N, ['X'] = N,
    ['Y'] = N, ['Z'] = N, ['_'] = N,  ['a'] = L, ['b'] = L, ['c'] = L, ['d'] = L, ['e'] = L,
    ['f'] = L, ['g'] = L, ['h'] = L,  ['i'] = L, ['j'] = L, ['k'] = L, ['l'] = L, ['m'] = L,
    ['n'] = L, ['o'] = L, ['p'] = L,  ['q'] = L, ['r'] = L, ['s'] = L, ['t'] = L, ['u'] = L,
    ['v'] = L, ['w'] = L, ['x'] = L,  ['y'] = L, ['z'] = L, ['~'] = V,
};
#undef L
#undef N
#undef H
#undef V

static bool is_all(const char *from, size_t length, unsigned kind)
{
	for (size_t i = 0; i < length; i++)
		if ((kinds[(unsigned char)from[i]] & kind) == 0)
			return false;
	return true;
}

/* ---- Targets ---------------------------------------------------------------------------- */

/* Returns the length of the target to judge as part of a URL. A plain query is left out if the
 * policy cannot refuse it. */
static size_t judged_length(struct urivet_text target, const struct gate_policy *policy)
{
	const char *const from = target.data;
	const char *const query = policy->leaves_queries ? memchr(from, '?', target.length) : NULL;
	const size_t path = query != NULL ? (size_t)(query - from) : target.length;
	for (size_t i = path; i < target.length; i++)
		if ((kinds[(unsigned char)from[i]] & IN_VALUE) == 0 && from[i] != '&')
			return target.length;
	return path;
}

/* Returns true if the request can be judged as a URL joined from its components. Policies with URL
 * rules are excluded, as the omitted port could matter; so is CONNECT, as its target has another
 * form. */
static bool is_plain(const struct gate_request *r, struct urivet_text host)
{
	const struct urivet_text target = r->target, method = r->request.method;
	const char *const from = target.data;
	return r->policy->suffixes == NULL && r->policy->policy->url_count == 0 &&
	       host.length > 0 && is_all(host.data, host.length, IN_HOST) && method.length == 3 &&
	       memcmp(method.data, "GET", 3) == 0 && target.length > 0 && from[0] == '/' &&
	       memchr(from, '#', target.length) == NULL &&
	       host.length + target.length <= CAPACITY - 8 &&
	       host.length + target.length <= r->policy->policy->max_length;
}

static bool passes(uint32_t scheme, struct urivet_text host, struct urivet_text path,
		   const struct urivet_policy *policy)
{
	char url[CAPACITY];
	const struct urivet_text text = gate_write_url(url, scheme, host, path);
	return urivet_verdict_of(text.data, text.length, policy) == URIVET_ACCEPT;
}

bool gate_target_passes(const struct gate_request *r)
{
	const uint32_t scheme = r->request.scheme;
	const struct urivet_text host = gate_without_own_port(r->request.host, r->request.port);
	if ((scheme != URIVET_SCHEME_HTTPS && scheme != URIVET_SCHEME_HTTP) || !is_plain(r, host))
		return false;
	return passes(scheme, host,
		      urivet_text_of(r->target.data, judged_length(r->target, r->policy)),
		      r->policy->policy);
}

/* ---- Parameters ------------------------------------------------------------------------- */

static bool is_asked(const char *name, size_t length, const struct urivet_parameter_rules *rules)
{
	for (uint32_t k = 0; k < rules->count; k++)
		if (rules->names[k].length == length &&
		    (rules->any_case ? strncasecmp(rules->names[k].data, name, length)
				     : memcmp(rules->names[k].data, name, length)) == 0)
			return true;
	return false;
}

static bool begins_with(const char *text, size_t length, const char *front)
{
	const size_t n = strlen(front);
	return length >= n && memcmp(text, front, n) == 0;
}

/* Returns true if the value is an accepted URL or absolute path. A path is judged after a
 * placeholder host, which any policy without host rules accepts. */
static bool value_passes(const char *value, size_t length, const struct gate_parameters *asked)
{
	static const char host[] = "example.com";
	const struct urivet_text text = urivet_text_of(value, length);
	if (length > CAPACITY - 32 || !is_all(value, length, IN_VALUE))
		return false;
	if (begins_with(value, length, "https://") || begins_with(value, length, "http://"))
		return !asked->rules.same_origin &&
		       urivet_verdict_of(value, length, asked->policy->policy) == URIVET_ACCEPT;
	return length > 1 && value[0] == '/' && value[1] != '/' && !asked->rules.absolute &&
	       memchr(value, '?', length) == NULL &&
	       passes(URIVET_SCHEME_HTTPS, urivet_text_of(host, sizeof host - 1), text,
		      asked->policy->policy);
}

static bool pair_passes(const char *pair, size_t length, const struct gate_parameters *asked)
{
	const char *const equals = memchr(pair, '=', length);
	const size_t name = equals != NULL ? (size_t)(equals - pair) : length;
	if (!is_all(pair, name, IN_NAME))
		return false;
	return !is_asked(pair, name, &asked->rules) ||
	       (equals != NULL && value_passes(equals + 1, length - name - 1, asked));
}

/* Returns the length of the pair at `pair`, up to the next `&` or `end`. */
static size_t pair_length(const char *pair, const char *end)
{
	const char *const next = memchr(pair, '&', (size_t)(end - pair));
	return (size_t)((next != NULL ? next : end) - pair);
}

bool gate_parameters_pass(const struct gate_request *r, const struct gate_parameters *asked)
{
	const char *at, *end;
	unsigned pairs = 0;
	if (asked->policy->suffixes != NULL || asked->rules.count == 0 || r->target.length == 0)
		return false;
	if (asked->rules.semicolons && memchr(r->target.data, ';', r->target.length) != NULL)
		return false;
	at = memchr(r->target.data, '?', r->target.length);
	end = (const char *)r->target.data + r->target.length;
	while (at != NULL && end - at > 1) {
		const size_t length = pair_length(at + 1, end);
		pairs++;
		if (pairs > URIVET_MAX_PARAMETERS ||
		    (length > 0 && !pair_passes(at + 1, length, asked)))
			return false;
		at += length + 1;
	}
	return true;
}

bool gate_field_passes(struct urivet_text value, const struct gate_policy *policy)
{
	return policy->suffixes == NULL &&
	       urivet_verdict_of(value.data, value.length, policy->policy) == URIVET_ACCEPT;
}
