/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares endpoints of many URLs with the readers of the library:
 *
 *   endpoints < RECORDS
 *
 * Records on standard input, each ended by NUL, are judged by strict, public, any, gateway and two
 * policies that waive, each without userinfo and fragment as well. Where there is an endpoint, the
 * readers rfc3986 and browser must find its scheme, host, port and target in its URL, octet for
 * octet, but for octets of the query that the URL Standard has browsers encode; and the URL must have
 * the same endpoint by the same policy. Beside that, verdicts without a report must be those with one,
 * row by row of a column too.
 *
 * Standard output has a line an endpoint, which endpoint.py holds against other software: policy,
 * scheme, host, octets, address, port, 1 for TLS, Host field, name for TLS, target, URL and the
 * record, with tabs between. Exit status 1 at the first difference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>
#include <urivet/readers.h>

#include "../../built_in.h"

static const char *const names[] = {"strict", "public", "any", "gateway", "lenient", "gateway-lenient"};
#define POLICIES (sizeof names / sizeof names[0])
static struct urivet_policy policies[POLICIES];

static void make_policies(void)
{
	for (int k = 0; k < (int)POLICIES; k++) {
		policies[k] = built_in(k < URIVET_BASES ? k : k == URIVET_BASES ? URIVET_ANY : URIVET_GATEWAY);
		for (unsigned id = 0; k >= URIVET_BASES && id < URIVET_FINDING_LIMIT; id++)
			(void)urivet_policy_waive(&policies[k], id);
	}
}

static void fail(const char *what, const char *record, const struct urivet_endpoint *e)
{
	fflush(stdout);
	fprintf(stderr, "endpoints: %s: %s", what, record);
	if (e != NULL && e->url != NULL)
		fprintf(stderr, " -> %s", e->url);
	fputc('\n', stderr);
	exit(1);
}

static void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
}

/* ---- Readers ----------------------------------------------------------------------- */

/* Returns true if the octet is percent-encoded in a special URL's query: URL Standard, 1.3. */
static bool is_encoded(unsigned char c)
{
	return c < 0x21 || c > 0x7e || strchr("\"#<>'", c) != NULL;
}

/* Returns true if the text is the target; `encoded`: as a browser encodes it. */
static bool is_target(const char *target, const char *text, size_t length, bool encoded)
{
	const char *const query = strchr(target, '?');
	for (const char *at = target; *at != '\0'; at++) {
		char unit[4] = {*at};
		if (encoded && (unsigned char)*at > 0x7e)
			return true; /* accepted by a waiver: invalid UTF-8 is replaced */
		if (encoded && query != NULL && at > query && is_encoded((unsigned char)*at))
			(void)snprintf(unit, sizeof unit, "%%%02X", (unsigned char)*at);
		if (length < strlen(unit) || memcmp(text, unit, strlen(unit)) != 0)
			return false;
		text += strlen(unit);
		length -= strlen(unit);
	}
	return length == 0;
}

/* Returns true if the query follows RFC 3986; a policy may accept others. */
static bool is_grammatical(const char *query)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?";
	static const char digits[] = "0123456789ABCDEFabcdef";
	for (; query != NULL && *query != '\0'; query++)
		if (strchr(allowed, *query) == NULL &&
		    (*query != '%' || query[1] == '\0' || query[2] == '\0' ||
		     strchr(digits, query[1]) == NULL || strchr(digits, query[2]) == NULL))
			return false;
	return true;
}

static bool is_part(const struct urivet_uri *uri, enum urivet_component c, const char *text, const char *want)
{
	return uri->part[c].length == strlen(want) &&
	       memcmp(text + uri->part[c].offset, want, strlen(want)) == 0;
}

static void expect_read(const struct urivet_endpoint *e, enum urivet_reader how, const char *record)
{
	const size_t length = strlen(e->url), capacity = URIVET_READING_CAPACITY(length);
	char *const out = room_for(capacity);
	struct urivet_reading reading;
	if (!urivet_read_as(&reading, how, e->url, length, out, capacity))
		fail("a reader does not read the URL", record, e);
	const struct urivet_uri *const uri = &reading.uri;
	const char *const text = reading.written > 0 ? out : e->url;
	const struct urivet_span path = uri->part[URIVET_PATH], query = uri->part[URIVET_QUERY];
	const size_t end = urivet_has(uri, URIVET_QUERY) ? query.offset + query.length : path.offset + path.length;
	if (!is_part(uri, URIVET_SCHEME, text, e->scheme_name) || uri->scheme != e->scheme)
		fail("a reader finds another scheme", record, e);
	if (uri->part[URIVET_USERINFO].length > 0 || urivet_has(uri, URIVET_FRAGMENT))
		fail("a reader finds a userinfo or a fragment", record, e);
	if (e->octets == 0 && (!is_part(uri, URIVET_HOST, text, e->host) || uri->has_ipv4))
		fail("a reader finds another host", record, e);
	if (e->octets == 4 && (!is_part(uri, URIVET_HOST, text, e->host) || !uri->has_ipv4 ||
			       memcmp(uri->address, e->address, 4) != 0))
		fail("a reader finds another IPv4 address", record, e);
	if (e->octets == 16 && (uri->host_kind != URIVET_HOST_IPV6 || memcmp(uri->address, e->address, 16) != 0))
		fail("a reader finds another IPv6 address", record, e);
	if (uri->port != e->port)
		fail("a reader finds another port", record, e);
	if (!is_target(e->target, text + path.offset, end - path.offset, how == URIVET_READER_BROWSER))
		fail("a reader finds another target", record, e);
	free(out);
}

/* ---- Endpoints ---------------------------------------------------------------------- */

/* Checks that the URL has the same endpoint by the same policy. */
static void expect_fixed(const struct urivet_endpoint *e, const struct urivet_policy *policy, const char *record)
{
	const struct urivet_text url = urivet_text_of(e->url, strlen(e->url));
	struct urivet_report *const report = room_for(sizeof *report);
	struct urivet_endpoint again;
	if (urivet_check(report, url.data, url.length, policy) != URIVET_ACCEPT)
		fail("the URL is refused", record, e);
	const size_t need = urivet_endpoint(&again, NULL, 0, report, url.data, url.length);
	char *const out = room_for(need);
	if (need == 0 || urivet_endpoint(&again, out, need, report, url.data, url.length) != need)
		fail("the URL has no endpoint", record, e);
	if (strcmp(again.url, e->url) != 0 || strcmp(again.host, e->host) != 0 || again.port != e->port ||
	    strcmp(again.target, e->target) != 0 || strcmp(again.host_field, e->host_field) != 0 ||
	    strcmp(again.tls_name, e->tls_name) != 0)
		fail("the URL has another endpoint", record, e);
	free(out);
	free(report);
}

static void show(const struct urivet_endpoint *e, size_t policy, const char *record)
{
	printf("%s\t%s\t%s\t%u\t", names[policy], e->scheme_name, e->host, e->octets);
	for (unsigned k = 0; k < e->octets; k++)
		printf("%02x", e->address[k]);
	printf("\t%u\t%d\t%s\t%s\t%s\t%s\t", e->port, e->tls, e->host_field, e->tls_name, e->target, e->url);
	for (; *record != '\0'; record++) /* accepted text has no controls unless they are waived */
		putchar(*record == '\n' || *record == '\t' ? ' ' : *record);
	putchar('\n');
}

static void judge(const char *record, size_t length, size_t policy)
{
	const struct urivet_text input = urivet_text_of(record, length);
	struct urivet_endpoint e;
	struct urivet_report report;
	const enum urivet_verdict verdict = urivet_check(&report, record, length, &policies[policy]);
	if (urivet_verdict_of(record, length, &policies[policy], NULL) != verdict)
		fail("the verdict alone is another", record, NULL);
	const size_t need = urivet_endpoint(&e, NULL, 0, &report, input.data, input.length);
	if (need > 0 && verdict != URIVET_ACCEPT)
		fail("what is refused has an endpoint", record, NULL);
	if (need == 0)
		return;
	if (need > urivet_size_of(URIVET_CAPACITY_ENDPOINT, length))
		fail("the bound is passed", record, NULL);
	char *const out = room_for(need);
	if (urivet_endpoint(&e, out, need, &report, input.data, input.length) != need || e.url + strlen(e.url) + 1 != out + need)
		fail("the texts do not fit", record, NULL);
	if (is_grammatical(strchr(e.target, '?')))
		expect_read(&e, URIVET_READER_RFC3986, record);
	expect_read(&e, URIVET_READER_BROWSER, record);
	if (policy < URIVET_BASES)
		expect_fixed(&e, &policies[policy], record);
	show(&e, policy, record);
	free(out);
}

/* Judges the record as it is, and without userinfo and fragment, with which few records would be
 * accepted. */
static void judge_all(const char *record)
{
	for (size_t k = 0; k < POLICIES; k++)
		judge(record, strlen(record), k);
}

/* ---- Columns ------------------------------------------------------------------------- */

static void expect_column(const char *data, size_t length, size_t records)
{
	int32_t *const offsets = room_for((records + 1) * sizeof *offsets);
	uint8_t *const bitmap = room_for((records + 7) / 8);
	offsets[0] = 0;
	for (size_t k = 0; k < records; k++) /* with their NULs: cut off below */
		offsets[k + 1] = offsets[k] + (int32_t)strlen(data + offsets[k] + k);
	char *const column = room_for(length);
	for (size_t k = 0, at = 0; k < records; k++) {
		memcpy(column + offsets[k], data + at, (size_t)(offsets[k + 1] - offsets[k]));
		at += (size_t)(offsets[k + 1] - offsets[k]) + 1;
	}
	for (size_t p = 0; p < POLICIES; p++) {
		const struct urivet_text text = urivet_text_of(column, (size_t)offsets[records]);
		size_t count = urivet_check_batch(text.data, text.length, offsets, NULL, records, &policies[p], bitmap, NULL);
		for (size_t k = 0; k < records; k++) {
			struct urivet_report report;
			const bool good = urivet_check(&report, column + offsets[k], (size_t)(offsets[k + 1] - offsets[k]),
						       &policies[p]) == URIVET_ACCEPT;
			if (good != (bitmap[k / 8] >> k % 8 & 1))
				fail("a row of a column has another verdict", data, NULL);
			count -= good;
		}
		if (count != 0)
			fail("a column is counted wrongly", names[p], NULL);
	}
	free(column);
	free(bitmap);
	free(offsets);
}

int main(void)
{
	size_t length = 0, capacity = 1 << 16, records = 0, got;
	char *data = room_for(capacity);
	while ((got = fread(data + length, 1, capacity - length - 1, stdin)) > 0) {
		length += got;
		if (capacity - length < 2) {
			char *const more = room_for(2 * capacity);
			memcpy(more, data, length);
			free(data);
			data = more;
			capacity *= 2;
		}
	}
	data[length] = '\0';
	make_policies();
	for (size_t at = 0; at < length; at += strlen(data + at) + 1, records++)
		judge_all(data + at);
	expect_column(data, length, records);
	free(data);
	return 0;
}
