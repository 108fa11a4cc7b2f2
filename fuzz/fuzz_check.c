/* SPDX-License-Identifier: Apache-2.0 */
/* Checks: reports are sound, and the built-in policies relate to each other as documented. */
#include "../tests/built_in.h"
#include "oracles.h"

/* Returns a policy that waives everything that can be waived. */
static struct urivet_policy lenient(void)
{
	struct urivet_policy policy = built_in(URIVET_ANY);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		(void)urivet_policy_waive(&policy, id);
	return policy;
}

/* Checks where components lie. If the target has no authority of its own, the authority comes
 * from the Host field. */
static void expect_cut(const struct urivet_report *r, size_t target, size_t host)
{
	for (unsigned c = 0; r->parsed && c < URIVET_COMPONENTS; c++) {
		const bool beside = r->uri.authority_in == URIVET_IN_HOST_FIELD &&
				    c >= URIVET_AUTHORITY && c <= URIVET_PORT;
		oracle(!urivet_has(&r->uri, c) || within(r->uri.part[c], beside ? host : target),
		       "a component lies in the target or in the Host field");
	}
	for (uint32_t k = 0; k < r->count; k++)
		oracle(within(r->finding[k].span,
			      r->finding[k].in == URIVET_IN_HOST_FIELD ? host : target),
		       "a finding lies in the target or in the Host field");
}

/* Returns the octet at *at, decoded once, and advances *at. */
static unsigned next_decoded(const uint8_t *path, size_t length, size_t *at)
{
	static const char digits[] = "0123456789abcdef";
	unsigned value = path[*at];
	if (value == '%' && length - *at >= 3) {
		const char *high = strchr(digits, path[*at + 1] | 0x20);
		const char *low = strchr(digits, path[*at + 2] | 0x20);
		if (high != NULL && low != NULL && path[*at + 1] > 0x20 && path[*at + 2] > 0x20) {
			*at += 3;
			return (unsigned)(high - digits) * 16 + (unsigned)(low - digits);
		}
	}
	(*at)++;
	return value;
}

/* Checks that no server can move the segments of a path that `gateway` accepts. Decoded once,
 * the path has no parameters, backslash or dot segment, no empty segment except the last, no
 * further escapes, and no octet that ends a path, line or string. */
static void expect_fixed_path(const uint8_t *path, size_t length)
{
	unsigned before = 0;
	size_t dots = 0, octets = 0; /* of this segment */
	for (size_t at = 0; at < length;) {
		const unsigned c = next_decoded(path, length, &at);
		oracle(c != ';' && c != '\\' && c != '%' && c != '?' && c != '#' && c >= 0x20 &&
			   c != 0x7f,
		       "gateway lets nothing through that moves a path");
		oracle(c != '/' || before != '/', "gateway lets no empty segment through");
		if (c == '/') {
			oracle(octets == 0 || octets != dots || dots > 2,
			       "gateway lets no dot segment through");
			octets = dots = 0;
		} else {
			octets++;
			dots += c == '.';
		}
		before = c;
	}
	oracle(octets == 0 || octets != dots || dots > 2,
	       "gateway lets no final dot segment through");
}

static void expect_routed_alike(const struct urivet_report *r, const uint8_t *data)
{
	const struct urivet_span path = r->uri.part[URIVET_PATH];
	oracle(!urivet_has(&r->uri, URIVET_FRAGMENT), "gateway lets no fragment through");
	expect_fixed_path(data + path.offset, path.length);
}

/* Makes the properties of a request from the octets of an input. */
static struct urivet_request request_of(unsigned sum, struct urivet_text host)
{
	static const char *const methods[] = {NULL, "GET", "OPTIONS", "CONNECT"};
	static const uint32_t ports[] = {URIVET_NO_PORT, 80, 443, 8443};
	static const uint32_t schemes[] = {URIVET_SCHEME_NONE, URIVET_SCHEME_HTTP,
					   URIVET_SCHEME_HTTPS, URIVET_SCHEME_NONE};
	struct urivet_request request;
	const char *method = methods[sum % 4];
	oracle(urivet_request_init(&request, sizeof request), "a request begins");
	request.method = urivet_text_of(method, method != NULL ? strlen(method) : 0);
	request.port = ports[sum / 4 % 4];
	request.scheme = schemes[sum / 16 % 4];
	request.host = host;
	request.host_unknown = host.data == NULL;
	return request;
}

/* Checks an accepted target: the method allows its form, and its host is known. */
static void expect_allowed(const struct urivet_report *r, const struct urivet_request *request,
			   enum urivet_target_form form)
{
	const char *method = request->method.data;
	const bool connect = method != NULL && strcmp(method, "CONNECT") == 0;
	const bool options = method != NULL && strcmp(method, "OPTIONS") == 0;
	oracle((form == URIVET_TARGET_AUTHORITY) == connect, "authority form is for CONNECT");
	oracle(form != URIVET_TARGET_ASTERISK || options, "asterisk form is for OPTIONS");
	oracle(form != URIVET_TARGET_NONE, "an accepted target has a form");
	oracle(request->host_unknown || request->host.length > 0,
	       "an accepted request has a Host field");
	oracle(form != URIVET_TARGET_ABSOLUTE || request->scheme == URIVET_SCHEME_NONE ||
		   request->scheme == r->uri.scheme,
	       "an accepted absolute form has the scheme of the listener");
	oracle(form != URIVET_TARGET_ABSOLUTE || request->port == URIVET_NO_PORT ||
		   request->port == r->uri.port,
	       "an accepted absolute form has the port of the listener");
}

static void judge_target(const uint8_t *data, size_t length, struct urivet_text host, unsigned sum)
{
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_GATEWAY, BY_PUBLIC,
							BY_GATEWAY};
	const struct urivet_policy *const policy = policies[sum / 64 % 4];
	const struct urivet_request request = request_of(sum, host);
	enum urivet_target_form form;
	struct urivet_report r;
	const bool accepted = urivet_check_request(&r, data, length, &request,
						   policy, &form) == URIVET_ACCEPT;
	expect_sound(&r, length > host.length ? length : host.length, policy);
	expect_cut(&r, length, host.length);
	if (!accepted)
		return;
	expect_allowed(&r, &request, form);
	if (policy == BY_GATEWAY && form != URIVET_TARGET_AUTHORITY)
		expect_routed_alike(&r, data);
}

/* Checks the first half as a target with the second half as its Host field. Each has a block of
 * its exact size, so that a read beyond either is detected. Then checks the whole input as a
 * target. */
static void target(const uint8_t *data, size_t length, unsigned sum)
{
	const size_t half = length / 2, rest = length - half;
	struct builder path = {room_for(half), 0}, host = {room_for(rest), 0};
	add(&path, data, half);
	add(&host, data + half, rest);
	judge_target((const uint8_t *)path.text, half, urivet_text_of(host.text, rest), sum);
	free(path.text);
	free(host.text);
	judge_target(data, length, urivet_text_of(NULL, 0), sum);
	judge_target(data, length, urivet_text_of("example.com:443", 15), sum);
}

static bool accepts(const struct urivet_policy *policy, const uint8_t *data, size_t length)
{
	struct urivet_report r;
	return urivet_check(&r, data, length, policy) == URIVET_ACCEPT;
}

/* Compares two reports member by member. */
static bool same_report(const struct urivet_report *a, const struct urivet_report *b)
{
	return a->verdict == b->verdict && a->parsed == b->parsed && a->count == b->count &&
	       a->dropped == b->dropped &&
	       (!a->parsed || memcmp(&a->uri, &b->uri, sizeof a->uri) == 0) &&
	       memcmp(a->finding, b->finding, a->count * sizeof a->finding[0]) == 0;
}

/* Checks that fast path and full rules agree. The fast path requires a policy that allows both
 * http and https. Removing the scheme that this input does not use forces all rules to run. */
static void both_ways(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const bool secure = length > 4 && (data[4] | 0x20) == 's';
	struct urivet_policy asked = *policy;
	struct urivet_report quick, full;
	memset(&quick, 0, sizeof quick); /* padding between members is never written */
	memset(&full, 0, sizeof full);
	asked.schemes &= ~(1u << (secure ? URIVET_SCHEME_HTTP : URIVET_SCHEME_HTTPS));
	urivet_check(&quick, data, length, policy);
	urivet_check(&full, data, length, &asked);
	oracle(full.dropped > 0 || same_report(&quick, &full),
	       "the fast path for plain URLs says what the rules say");
}

static void judge(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	struct urivet_report r;
	struct urivet_uri uri;
	const bool accepted = urivet_check(&r, data, length, policy) == URIVET_ACCEPT;
	expect_sound(&r, length, policy);
	both_ways(data, length, policy);
	if (policy == BY_STRICT) {
		oracle(length > policy->max_length ||
			   r.parsed == urivet_parse(&uri, data, length, NULL),
		       "check and parse agree on the grammar");
		oracle(urivet_ok(data, length) == accepted, "urivet_ok is the verdict of strict");
	}
	if (!accepted)
		return;
	oracle(policy != BY_PUBLIC || accepts(BY_STRICT, data, length),
	       "public accepts nothing that strict refuses");
	oracle(policy != BY_STRICT || accepts(BY_ANY, data, length),
	       "any accepts what strict accepts");
	if (policy == BY_GATEWAY)
		expect_routed_alike(&r, data);
}

/* Checks target and Host field by each policy. The octets of the input choose the other
 * properties of the request. */
static void judge_requests(const uint8_t *data, size_t length)
{
	unsigned sum = 0;
	for (size_t k = 0; k < length; k++)
		sum += data[k];
	for (unsigned policy = 0; policy < 3; policy++)
		target(data, length, sum % 64 + 64 * policy);
}

/* Judges an input by all policies. A corpus file must not depend on which policy its octets
 * happen to choose, so that it can be made smaller and still show the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct urivet_policy all_waived;
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_GATEWAY, BY_PUBLIC, BY_ANY,
							&all_waived};
	if (all_waived.size == 0)
		all_waived = lenient();
	for (size_t k = 0; k < sizeof policies / sizeof policies[0]; k++)
		judge(data, length, policies[k]);
	judge_requests(data, length);
	return 0;
}
