/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints: reported for accepted URLs only, within their buffer, read alike by all readers,
 * and stable when checked again. Also checks the other answers without a report: verdicts,
 * columns, JSON. */
#include <urivet/json.h>
#include <urivet/readers.h>

#include "../tests/built_in.h"
#include "oracles.h"

/* ---- Readers ----------------------------------------------------------------------- */

static bool is_part(const struct urivet_uri *uri, enum urivet_component c, const char *text,
		    const char *want)
{
	return same(text + uri->part[c].offset, uri->part[c].length, want, strlen(want));
}

static bool is_host(const struct urivet_endpoint *e, const struct urivet_uri *uri, const char *text)
{
	if (e->octets == 16)
		return uri->host_kind == URIVET_HOST_IPV6 && memcmp(uri->address, e->address, 16) == 0;
	return is_part(uri, URIVET_HOST, text, e->host) && uri->has_ipv4 == (e->octets == 4) &&
	       memcmp(uri->address, e->address, e->octets) == 0;
}

/* Returns true if `text` begins with the target, up to where readers rewrite it: browsers encode
 * some octets of the query. */
static bool is_target(const char *target, const char *text, size_t length)
{
	const size_t plain = strcspn(target, "?");
	return length >= plain && memcmp(text, target, plain) == 0 &&
	       (length > plain) == (target[plain] == '?');
}

static void read_as(const struct urivet_endpoint *e, enum urivet_reader how)
{
	const size_t length = strlen(e->url), capacity = URIVET_READING_CAPACITY(length);
	char *const out = room_for(capacity);
	struct urivet_reading reading;
	const struct urivet_uri *const uri = &reading.uri;
	const bool reads = urivet_read_as(&reading, how, e->url, length, out, capacity);
	const char *const text = reading.written > 0 ? out : e->url;
	/* the policy may accept A-labels that UTS 46 rejects */
	oracle(reads || how == URIVET_READER_RFC3986 || strstr(e->url, "xn--") != NULL,
	       "a browser reads the URL of an endpoint");
	/* queries that only a policy permits are not valid by the standard */
	oracle(reads || how == URIVET_READER_BROWSER || strchr(e->target, '?') != NULL,
	       "the standard reads the URL of an endpoint");
	if (reads) {
		const struct urivet_span path = uri->part[URIVET_PATH], query = uri->part[URIVET_QUERY];
		const uint32_t end = urivet_has(uri, URIVET_QUERY) ? query.offset + query.length
								   : path.offset + path.length;
		oracle(is_part(uri, URIVET_SCHEME, text, e->scheme_name), "readers find the scheme");
		oracle(is_host(e, uri, text), "readers find the host");
		oracle(uri->port == e->port, "readers find the port");
		oracle(is_target(e->target, text + path.offset, end - path.offset),
		       "readers find the target");
		oracle(uri->part[URIVET_USERINFO].length == 0 && !urivet_has(uri, URIVET_FRAGMENT),
		       "a URL to connect to has no userinfo and no fragment");
	}
	free(out);
}

/* ---- Endpoints --------------------------------------------------------------------- */

static void expect_same(const struct urivet_endpoint *a, const struct urivet_endpoint *b)
{
	oracle(a->scheme == b->scheme && a->port == b->port && a->octets == b->octets &&
		   a->tls == b->tls && memcmp(a->address, b->address, 16) == 0 &&
		   strcmp(a->host, b->host) == 0 && strcmp(a->host_field, b->host_field) == 0 &&
		   strcmp(a->tls_name, b->tls_name) == 0 && strcmp(a->target, b->target) == 0 &&
		   strcmp(a->url, b->url) == 0,
	       "the URL of an endpoint leads to the same");
}

/* Checks that the URL of an endpoint is accepted by the policy again. */
static void again(const struct urivet_endpoint *e, const struct urivet_policy *policy)
{
	const struct urivet_text url = urivet_text_of(e->url, strlen(e->url));
	struct urivet_report r;
	struct urivet_endpoint second;
	const bool accepted = urivet_check(&r, url.data, url.length, policy) == URIVET_ACCEPT;
	const size_t need = urivet_endpoint(&second, NULL, 0, &r, url.data, url.length);
	char *const out = room_for(need);
	oracle(accepted, "the URL of an endpoint is accepted");
	oracle(need > 0 && urivet_endpoint(&second, out, need, &r, url.data, url.length) == need,
	       "the URL of an endpoint has one");
	expect_same(e, &second);
	free(out);
}

/* Checks that what is requested of an endpoint is a path and a query: RFC 9112, 3.2.1. */
static void request(const struct urivet_endpoint *e, const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	struct urivet_request asked;
	struct urivet_report r;
	oracle(urivet_request_init(&asked, sizeof asked), "a request begins");
	asked.method = urivet_text_of("GET", 3);
	asked.host = urivet_text_of(e->host_field, strlen(e->host_field));
	urivet_check_request(&r, e->target, strlen(e->target), &asked, policy, &form);
	oracle(form == URIVET_TARGET_ORIGIN, "the target of an endpoint is in origin form");
}

/* Checks that only the needed size is reported if the texts do not fit. */
static void too_small(const struct urivet_report *r, struct urivet_text input, size_t need)
{
	char *const out = room_for(need - 1);
	struct urivet_endpoint e;
	memset(out, 0x5a, need - 1);
	oracle(urivet_endpoint(&e, out, need - 1, r, input.data, input.length) == need, "an endpoint says what it needs");
	oracle(e.url == NULL && e.host == NULL && e.port == 0, "nothing is written that does not fit");
	for (size_t k = 0; k + 1 < need; k++)
		oracle(out[k] == 0x5a, "nothing is written that does not fit");
	free(out);
}

static void endpoint(const uint8_t *data, size_t length, const struct urivet_policy *policy, bool built_in_one)
{
	const struct urivet_text input = urivet_text_of(data, length);
	struct urivet_report r;
	struct urivet_endpoint e;
	const enum urivet_verdict verdict = urivet_check(&r, data, length, policy);
	const size_t need = urivet_endpoint(&e, NULL, 0, &r, input.data, input.length);
	char *out;
	oracle(urivet_verdict_of(data, length, policy, NULL) == verdict, "the verdict alone is that of the report");
	oracle(need == 0 || verdict == URIVET_ACCEPT, "what is refused has no endpoint");
	oracle(need <= URIVET_ENDPOINT_CAPACITY(length), "an endpoint needs no more than its bound");
	if (need == 0)
		return;
	too_small(&r, input, need);
	out = room_for(need);
	oracle(urivet_endpoint(&e, out, need, &r, input.data, input.length) == need, "an endpoint is reported where it fits");
	read_as(&e, URIVET_READER_RFC3986);
	read_as(&e, URIVET_READER_BROWSER);
	if (built_in_one)
		again(&e, policy);
	request(&e, policy);
	free(out);
}

/* Uses the report of one text with another text of any length. */
static void another_text(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t half = length / 2;
	uint8_t *const shorter = room_for(half);
	struct urivet_report r;
	struct urivet_endpoint e;
	char out[256];
	if (half > 0)
		memcpy(shorter, data + length - half, half);
	urivet_check(&r, data, length, policy);
	(void)urivet_endpoint(&e, out, sizeof out, &r, shorter, half);
	for (const char *at = e.url; at != NULL && *at != '\0'; at++)
		oracle((unsigned char)*at > 0x20 && *at != 0x7f, "no URL to connect to has a blank");
	free(shorter);
}

/* ---- Columns and JSON --------------------------------------------------------------- */

/* Uses any offsets, with as many rows as the input has octets for. */
static void column(const uint8_t *data, size_t length)
{
	const size_t rows = length < 64 ? length / 2 : 32;
	int32_t *const offsets = room_for((rows + 1) * sizeof *offsets);
	uint8_t *const bitmap = room_for((rows + 7) / 8);
	size_t count = 0;
	for (size_t k = 0; k <= rows; k++)
		offsets[k] = (int32_t)(k < length ? data[k] * 2u : 0) - 9;
	const size_t accepted =
	    urivet_check_batch(data, length, offsets, NULL, rows, BY_ANY, bitmap, NULL);
	for (size_t k = 0; k < rows; k++) {
		const int32_t from = offsets[k], to = offsets[k + 1];
		const bool inside = from >= 0 && from <= to && (size_t)to <= length;
		const bool want = inside && urivet_verdict_of(data + from, (size_t)(to - from), BY_ANY, NULL) == URIVET_ACCEPT;
		oracle((bitmap[k / 8] >> k % 8 & 1) == want, "each row has its own verdict");
		count += want;
	}
	oracle(rows % 8 == 0 || bitmap[rows / 8] >> rows % 8 == 0, "bits after the last row are 0");
	oracle(count == accepted, "the rows are counted");
	free(bitmap);
	free(offsets);
}

/* Checks that JSON is the same written at once or in parts, and all ASCII. */
static void json(const uint8_t *data, size_t length)
{
	const struct urivet_text input = urivet_text_of(data, length);
	struct urivet_report r;
	urivet_check(&r, data, length, NULL);
	const size_t whole = urivet_format_report(NULL, 0, &r, input.data, input.length, NULL, NULL);
	const size_t piece = URIVET_JSON_CAPACITY + (length > 0 ? data[0] : 0);
	char *const out = room_for(whole + 1), *const room = room_for(piece);
	oracle(urivet_format_report(out, whole + 1, &r, input.data, input.length, NULL, NULL) == whole, "a length is kept to");
	struct urivet_json pieces = {.report = &r, .uri = r.parsed ? &r.uri : NULL, .input = input,
				     .read = input, .policy = "strict",
				     .unread = strncmp(out, "{\"uri\":null", 11) == 0};
	/* "raw" follows the input, or the length of an input that is left out */
	pieces.raw = strstr(out, ",\"raw\":true,\"verdict\"") != NULL;
	size_t at = 0, got;
	while ((got = urivet_json_next(&pieces, room, piece)) > 0) {
		oracle(got <= piece && at + got < whole && memcmp(out + at, room, got) == 0,
		       "pieces are those of the whole");
		at += got;
	}
	oracle(at + 1 == whole && out[at] == '}', "pieces end where the whole does");
	for (size_t k = 0; k < whole; k++)
		oracle(out[k] >= 0x20 && out[k] < 0x7f, "JSON is printable ASCII");
	free(out);
	free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct urivet_policy lenient;
	if (lenient.size == 0) {
		lenient = built_in(URIVET_ANY);
		for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
			(void)urivet_policy_waive(&lenient, id);
	}
	endpoint(data, length, NULL, true);
	endpoint(data, length, BY_PUBLIC, true);
	endpoint(data, length, BY_ANY, true);
	endpoint(data, length, BY_GATEWAY, true);
	endpoint(data, length, &lenient, false);
	another_text(data, length, BY_ANY);
	another_text(data, length, &lenient);
	column(data, length);
	json(data, length);
	return 0;
}
