/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the endpoints of many URLs, which endpoint.py compares with other software:
 *
 *   endpoints < RECORDS
 *
 * Records on standard input, each ended by NUL, are judged by strict, public, any, gateway and two
 * policies that waive. Standard output has a line an endpoint, with tabs between: policy, scheme,
 * host, octets, address, port, 1 for TLS, Host field, name for TLS, target, URL and the record.
 * The readers of the library are compared with endpoints by fuzz_endpoint.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>

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

static void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
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
	urivet_check(&report, record, length, &policies[policy]);
	const size_t need = urivet_endpoint(&e, NULL, 0, &report, input.data, input.length);
	if (need == 0)
		return;
	char *const out = room_for(need);
	urivet_endpoint(&e, out, need, &report, input.data, input.length);
	show(&e, policy, record);
	free(out);
}

int main(void)
{
	size_t length = 0, capacity = 1 << 16, got;
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
	for (size_t at = 0; at < length; at += strlen(data + at) + 1)
		for (size_t k = 0; k < POLICIES; k++)
			judge(data + at, strlen(data + at), k);
	free(data);
	return 0;
}
