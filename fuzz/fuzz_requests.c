/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request is equal to the URL that it asks for (RFC 9112, 3.3). A target in origin form with a
 * Host field is accepted if and only if `strict` accepts the URL built from them. A target in
 * absolute form is accepted if that URL is and it names the host; CONNECT is accepted if host and
 * port are.
 */
#include "../tests/built_in.h"
#include "oracles.h"

/* Longer ones reach the length limit joined, but not apart. */
#define LONGEST 4000

static struct urivet_request request_to(struct urivet_text host, const char *method)
{
	struct urivet_request r;
	oracle(urivet_request_init(&r, sizeof r), "a request begins");
	r.method = urivet_text_of(method, strlen(method));
	r.host = host;
	r.scheme = URIVET_SCHEME_HTTP;
	r.port = 80;
	return r;
}

static bool takes(struct urivet_text target, struct urivet_text host, const char *method,
		  const struct urivet_policy *policy, enum urivet_target_form *form)
{
	const struct urivet_request request = request_to(host, method);
	struct urivet_report r;
	oracle(urivet_request_valid(&request), "a request of these can be judged by");
	return urivet_check_request(&r, target.data, target.length, &request, policy, form) == URIVET_ACCEPT;
}

/* Checks the request with a listener of unknown scheme and port. */
static bool takes_anywhere(struct urivet_text target, struct urivet_text host,
			   const struct urivet_policy *policy)
{
	struct urivet_request request = request_to(host, "GET");
	struct urivet_report r;
	request.scheme = URIVET_SCHEME_NONE;
	request.port = URIVET_NO_PORT;
	return urivet_check_request(&r, target.data, target.length, &request, policy, NULL) == URIVET_ACCEPT;
}

/* Checks that a listener has a port: no other number is one of its lower 16 bits. */
static void expect_no_other_port(struct urivet_text target, struct urivet_text host,
				 const struct urivet_policy *policy)
{
	static const uint32_t ports[] = {0, 65536, 65536 + 80, 65536 * 3 + 443, UINT32_MAX - 1};
	struct urivet_request request = request_to(host, "GET");
	struct urivet_report r;
	for (size_t k = 0; k < sizeof ports / sizeof ports[0]; k++) {
		request.port = ports[k];
		oracle(
		    request.port == URIVET_NO_PORT ||
			(!urivet_request_valid(&request) &&
			 urivet_check_request(&r, target.data, target.length, &request, policy, NULL) == URIVET_REJECT),
		    "a listener has a port up to 65535");
	}
}

static bool has_any(struct urivet_text text, const char *octets)
{
	for (; *octets != '\0'; octets++)
		if (text.length > 0 && memchr(text.data, *octets, text.length) != NULL)
			return true;
	return false;
}

static bool accepts_joined(const char *front, struct urivet_text host, struct urivet_text target,
			   const struct urivet_policy *policy)
{
	struct builder b = {room_for(strlen(front) + host.length + target.length), 0};
	struct urivet_report r;
	bool accepts;
	add_word(&b, front);
	add(&b, host.data, host.length);
	add(&b, target.data, target.length);
	accepts = urivet_check(&r, b.text, b.length, policy) == URIVET_ACCEPT;
	free(b.text);
	return accepts;
}

/* Returns true if a finding can occur only in the joined URL: the target looks like a port after
 * a host that has none. */
static bool is_about_ports(struct urivet_text host, struct urivet_text target)
{
	const uint8_t *at = target.data;
	return !has_any(host, ":")
		   ? has_any(target, ":")
		   : has_any(host, "[") && target.length > 1 &&
			 ((at[1] >= '0' && at[1] <= '9') || at[1] == '+' || at[1] == '-');
}

static void origin_form(struct urivet_text target, struct urivet_text host,
			const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	const bool taken = takes(target, host, "GET", policy, &form);
	const bool sound = !has_any(target, "#") && !has_any(host, "/?#@\\") && host.length > 0;
	const bool as_url = accepts_joined("http://", host, target, policy);
	oracle(!taken || sound, "a request has a Host field, and no fragment");
	if (!sound || target.length == 0 || *(const char *)target.data != '/')
		return;
	oracle(!taken || form == URIVET_TARGET_ORIGIN, "a path is in origin form");
	oracle(!taken || as_url || is_about_ports(host, target),
	       "the URL of an accepted request is accepted");
	oracle(taken || !as_url, "the request of an accepted URL is accepted");
}

/* Checks that the URL is refused if its Host field is another one, is longer or shorter, or has
 * another port. */
static void beside_other_hosts(struct urivet_text url, struct urivet_text host,
			       const struct urivet_policy *policy)
{
	static const char *const after[] = {"x", ".x", ":81", ":443", "0"};
	struct builder b = {room_for(host.length + 8), 0};
	struct urivet_text known = host;
	const struct urivet_text bare = has_any(host, "[") ? host : up_to(&known, ':');
	for (size_t k = 0; k < sizeof after / sizeof after[0]; k++) {
		b.length = 0;
		add(&b, bare.data, bare.length);
		add_word(&b, after[k]);
		oracle(!takes(url, urivet_text_of(b.text, b.length), "GET", policy, NULL),
		       "a URL is refused beside another host");
	}
	b.length = bare.length;
	add_word(&b, ":443");
	oracle(!takes_anywhere(url, urivet_text_of(b.text, b.length), policy),
	       "a URL is refused beside another port");
	oracle(!takes(url, urivet_text_of(bare.data, bare.length - 1), "GET", policy, NULL),
	       "a URL is refused beside a part of its host");
	free(b.text);
}

/* Checks a URL as a target in absolute form, with its own host as the Host field. */
static void absolute_form(struct urivet_text url, const struct urivet_policy *policy)
{
	const struct urivet_text none = {NULL, 0};
	struct urivet_report r;
	enum urivet_target_form form;
	struct urivet_text host;
	if (urivet_check(&r, url.data, url.length, policy) != URIVET_ACCEPT ||
	    r.uri.scheme != URIVET_SCHEME_HTTP || urivet_has(&r.uri, URIVET_FRAGMENT))
		return;
	host = urivet_part(&r.uri, URIVET_AUTHORITY, url, none);
	oracle(takes(url, host, "GET", policy, &form) && form == URIVET_TARGET_ABSOLUTE,
	       "an accepted URL is a target beside its own host");
	beside_other_hosts(url, host, policy);
	oracle(!takes(url, urivet_text_of(NULL, 0), "GET", policy, NULL),
	       "a request without a Host field is refused");
	oracle(!takes(url, host, "CONNECT", policy, NULL), "a URL is no target of CONNECT");
	oracle(takes_anywhere(url, host, policy), "and whatever the listener is");
}

/* Checks that host:port for CONNECT equals a URL with that host and port, for any port. */
static void authority_form(struct urivet_text target, const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	const bool taken = takes(target, target, "CONNECT", policy, &form);
	oracle(!taken || form == URIVET_TARGET_AUTHORITY, "the form of CONNECT is the authority's");
	oracle(!taken || has_any(target, ":"), "CONNECT names a port");
	oracle(!takes(target, target, "CONNECTED", policy, &form) ||
		   form != URIVET_TARGET_AUTHORITY,
	       "a method is compared to its end");
	oracle(!takes(target, target, "connect", policy, &form) || form != URIVET_TARGET_AUTHORITY,
	       "a method is compared octet by octet");
	oracle(!taken || !has_any(target, "/?#@ "), "CONNECT names nothing but host and port");
	oracle(!taken || accepts_joined("http://", target, urivet_text_of("/", 1), policy) ||
		   accepts_joined("https://", target, urivet_text_of("/", 1), policy),
	       "what CONNECT names is host and port of a URL");
}

static void asterisk_form(struct urivet_text host, const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	const struct urivet_text star = urivet_text_of("*", 1);
	const bool taken = takes(star, host, "OPTIONS", policy, &form);
	oracle(!takes(star, host, "GET", policy, NULL) &&
		   !takes(star, host, "OPTION", policy, NULL) &&
		   !takes(star, host, "OPTIONSX", policy, NULL),
	       "the asterisk is for OPTIONS");
	oracle(!taken || form == URIVET_TARGET_ASTERISK, "the asterisk has its form");
	oracle(has_any(host, "/?#@\\") ||
		   taken == (host.length > 0 &&
			     accepts_joined("http://", host, urivet_text_of("/", 1), policy)),
	       "OPTIONS asks where a URL may");
}

/* The first line is the target, the second the Host field. If there is one line, both are cut
 * from that URL. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static const int bases[] = {URIVET_STRICT, URIVET_PUBLIC, URIVET_GATEWAY};
	struct urivet_text whole = urivet_text_of(data, length), rest = whole;
	struct urivet_text target = up_to(&rest, '\n'), host = rest;
	struct urivet_uri uri;
	if (length > LONGEST)
		return 0;
	if (host.length == 0 && urivet_parse(&uri, data, length, NULL) &&
	    urivet_has(&uri, URIVET_AUTHORITY)) {
		const struct urivet_span path = uri.part[URIVET_PATH],
					 query = uri.part[URIVET_QUERY];
		host = urivet_part(&uri, URIVET_AUTHORITY, whole, rest);
		target = urivet_text_of(data + path.offset, (urivet_has(&uri, URIVET_QUERY)
								 ? query.offset + query.length
								 : path.offset + path.length) -
								path.offset);
	}
	for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
		expect_no_other_port(target, host, by_built_in(bases[k]));
		origin_form(target, host, by_built_in(bases[k]));
		absolute_form(whole, by_built_in(bases[k]));
		authority_form(whole, by_built_in(bases[k]));
		asterisk_form(host, by_built_in(bases[k]));
	}
	return 0;
}
