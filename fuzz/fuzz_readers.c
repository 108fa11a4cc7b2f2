/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: spans lie in their text, no reader disagrees on what `strict` accepts, and readers
 * that connect to different places are reported as disagreeing. No waiver leads one to a host that
 * a list denies. */
#include <strings.h>
#include <urivet/readers.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"

/* Returns true if the reading has an IPv4 address and a port: it needs no name lookup. */
static bool is_place(const struct urivet_reading *r)
{
	return r->reads && r->uri.has_ipv4;
}

static bool is_other_place(const struct urivet_uri *a, const struct urivet_uri *b)
{
	return memcmp(a->address, b->address, 4) != 0 || a->port != b->port;
}

/* Overwrites `out`, because addresses and ports are stored in the readings themselves. */
static void expect_disagreement(const uint8_t *data, size_t length, char *out, size_t room,
				bool disagree)
{
	static const enum urivet_reader readers[] = {URIVET_READER_RFC3986, URIVET_READER_BROWSER,
						     URIVET_READER_RESOLVER};
	struct urivet_reading seen[3];
	for (unsigned k = 0; k < 3; k++)
		urivet_read_as(&seen[k], readers[k], data, length, out, room);
	for (unsigned k = 0; k < 3; k++) {
		const struct urivet_reading *a = &seen[k], *b = &seen[(k + 1) % 3];
		oracle(disagree || !is_place(a) || !is_place(b) ||
			   !is_other_place(&a->uri, &b->uri),
		       "who connects to other places disagrees");
	}
}

/* ---- Waivers --------------------------------------------------------------------------- */

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

/* Waivers permit only what they name. With all of them, no reader takes an accepted URL to a host or
 * address that a list denies, or to one outside the allowed hosts. */
static void expect_waived(const uint8_t *data, size_t length)
{
	static const enum urivet_reader readers[] = {
	    URIVET_READER_RFC3986, URIVET_READER_BROWSER, URIVET_READER_RESOLVER};
	struct urivet_host_rule host = {{tree}, sizeof tree - 1, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0};
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = room_for(2 * room);
	const bool accepted = urivet_ok(data, length);
	const bool disagree =
	    urivet_readers_disagree(urivet_text_of(data, length), out, 2 * room, NULL, NULL, NULL);
	for (unsigned k = 0; k < URIVET_READERS; k++) {
		struct urivet_reading r;
		const bool reads = urivet_read_as(&r, k, data, length, out, room);
		oracle(reads || !accepted || k != URIVET_READER_RFC3986,
		       "RFC 3986 reads what strict accepts");
		if (!reads)
			continue;
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
			oracle(within(r.uri.part[c], r.written > 0 ? r.written : length),
			       "a component lies in the text that was read");
	}
	oracle(!accepted || !disagree, "readers agree on what strict accepts");
	expect_disagreement(data, length, out, room, disagree);
	free(out);
	expect_waived(data, length);
	return 0;
}
