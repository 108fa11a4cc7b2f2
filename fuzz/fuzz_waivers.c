/* SPDX-License-Identifier: Apache-2.0 */
/* Waivers permit only what they name. With all of them, no reader takes an accepted URL to a
 * host or address that a list denies, or to one outside the allowed hosts. */
#include <strings.h>
#include <urivet/readers.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"

static const char tree[] = "example.com";

/* Returns a policy that waives everything that can be waived, except the lists. */
static struct urivet_policy waiving(int base)
{
	struct urivet_policy policy = built_in(base);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_HOST_DENIED && id != URIVET_F_HOST_NOT_ALLOWED &&
		    id != URIVET_F_ADDR_DENIED)
			(void)urivet_policy_waive(&policy, id);
	return policy;
}

/* Returns true if the name ends in the listed name, compared by whole labels. Final dots are
 * ignored. */
static bool is_listed(const char *name, size_t length)
{
	const size_t n = sizeof tree - 1;
	while (length > 0 && name[length - 1] == '.')
		length--;
	return length >= n && strncasecmp(name + length - n, tree, n) == 0 &&
	       (length == n || name[length - n - 1] == '.');
}

static void expect_host(const struct urivet_reading *reading, const char *text, bool only)
{
	const struct urivet_uri *uri = &reading->uri;
	const struct urivet_span host = uri->part[URIVET_HOST];
	const bool name = uri->host_kind == URIVET_HOST_NAME && !uri->has_ipv4;
	const bool listed = name && is_listed(text + host.offset, host.length);
	if (!urivet_has(uri, URIVET_HOST) || host.length == 0)
		return;
	oracle(only || !listed, "no reader finds a denied name");
	oracle(!only || listed, "every reader finds an allowed name");
	oracle(!uri->has_ipv4 || (uri->address[0] != 10 && uri->address[0] != 127),
	       "no reader finds a denied address");
}

static void read_as(enum urivet_reader how, const uint8_t *data, size_t length, bool only)
{
	const size_t capacity = URIVET_READING_CAPACITY(length);
	char *const out = room_for(capacity);
	struct urivet_reading reading;
	if (urivet_read_as(&reading, how, data, length, out, capacity) &&
	    reading.uri.scheme >= URIVET_SCHEME_HTTP)
		expect_host(&reading, reading.written > 0 ? out : (const char *)data, only);
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static const enum urivet_reader readers[] = {
	    URIVET_READER_RFC3986, URIVET_READER_BROWSER, URIVET_READER_RESOLVER};
	struct urivet_host_rule host = {{tree}, sizeof tree - 1, URIVET_SCOPE_TREE, URIVET_DENY, 0};
	static const struct urivet_address_rule addresses[] = {
	    {{{10}, 4, 8}, URIVET_DENY, 0}, {{{127}, 4, 8}, URIVET_DENY, 0}};
	for (unsigned only = 0; only < 2; only++) {
		struct urivet_policy policy = waiving(length % 2 ? URIVET_STRICT : URIVET_ANY);
		struct urivet_report r;
		host.action = only ? URIVET_ALLOW : URIVET_DENY;
		policy.hosts = (struct urivet_host_list){&host, 1, false, only == 1};
		policy.addresses = (struct urivet_address_list){addresses, 2, false};
		if (urivet_check(&r, data, length, &policy) == URIVET_REJECT)
			continue;
		expect_sound(&r, length, &policy);
		for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++)
			read_as(readers[k], data, length, only == 1);
	}
	return 0;
}
