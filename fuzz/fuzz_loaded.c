/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled policies as liburivet-policy loads them: any octets, octets with a valid header and
 * checksum, and octets in the section that only this library reads. A policy that loads is
 * sound, and is the same after compiling and loading it again. */
#include <urivet/policy.h>
#include <urivet/compiled.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "policyfile/compiled.h"
#include "oracles.h"

/* an internal header has a function of the same name */
#define within text_within
#include "policy/compiled.h"
#undef within

#define LENGTH_MOST 65536u

/* Libraries that are not instrumented are left out of MemorySanitizer runs. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define ALONE 1
#endif
#endif
#ifndef ALONE
#define ALONE 0
#endif

static const char *const uris[] = {
    "http://example.com/?next=x&b=%0A", "https://www.example.com:8443/cb?x", "http://10.1.2.3/",
    "http://127.0.0.1:999/cb", "http://[2001:db8:64::1]/",          "com.example.app:/cb",
};

static void expect_whole(void *context, const struct urivet_message *message)
{
	oracle(strlen(message->file) + strlen(message->text) < SIZE_MAX, "a message is of strings");
	++*(size_t *)context;
}

static void expect_places(const struct urivet_loaded *loaded)
{
	struct urivet_message place;
	const uint32_t tags[] = {0, 1, 2, 1000, UINT32_MAX - 1, UINT32_MAX};

	for (unsigned i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (urivet_loaded_place(loaded, tags[i], &place))
			oracle(place.line > 0 && strlen(place.file) < SIZE_MAX,
			       "a place has a line");
	for (size_t i = 0; urivet_loaded_protected(loaded, i) != NULL; i++)
		oracle(urivet_loaded_protected(loaded, i)[0] != '\0', "a protected name is one");
}

/* Returns the output of a library function in a block of its exact size. */
static char *written(const struct urivet_loaded *loaded, size_t *length,
		     size_t (*write)(char *, size_t, const struct urivet_loaded *))
{
	char *text;

	*length = write(NULL, 0, loaded);
	text = room_for(*length + 1);
	oracle(write(text, *length + 1, loaded) == *length, "the length is that which was told");
	return text;
}

static void judge(const struct urivet_loaded *a, const struct urivet_loaded *b)
{
	for (unsigned k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		struct urivet_report x, y;

		urivet_loaded_check(&x, uris[k], strlen(uris[k]), a);
		urivet_loaded_check(&y, uris[k], strlen(uris[k]), b);
		oracle(x.verdict == y.verdict && x.count == y.count, "both judge alike");
	}
}

static void expect_lasting(struct urivet_loaded *loaded)
{
	size_t length, differences = 0;
	char *text = written(loaded, &length, urivet_loaded_format);
	void *octets;
	struct urivet_loaded *again;

	free(text);
	expect_places(loaded);
	oracle(is_valid(urivet_loaded_policy(loaded)), "what is loaded is valid");
	length = urivet_loaded_compile(NULL, 0, loaded);
	octets = room_for(length);
	oracle(urivet_loaded_compile(octets, length, loaded) == length, "it is compiled");
	again = urivet_load_text(octets, length, "again", NULL, NULL);
	oracle(again != NULL, "what is compiled is loaded");
	oracle(urivet_loaded_differences(loaded, again, expect_whole, &differences) == 0 &&
		   differences == 0,
	       "it has no differences from itself");
	oracle(urivet_loaded_observes(loaded) == urivet_loaded_observes(again) &&
		   urivet_loaded_base(loaded) == urivet_loaded_base(again),
	       "mode and base are kept");
	judge(loaded, again);
	urivet_loaded_release(again);
	free(octets);
}

/* Sets or removes the mark of rules for parameters, which the core would ignore. */
static void mark(void *octets, bool marked)
{
	struct compiled_head head;

	memcpy(&head, octets, sizeof head);
	head.version = marked ? head.version | COMPILED_LIBRARY : head.version & ~COMPILED_LIBRARY;
	memcpy(octets, &head, sizeof head);
}

static void take(const void *data, size_t length)
{
	size_t told = 0;
	struct urivet_policy policy;
	struct urivet_loaded *loaded;
	uint64_t *aligned;

	if (!urivet_loader_is_compiled(data, length))
		return;
	aligned = room_for(length);
	memcpy(aligned, data, length);
	if (ALONE && length >= sizeof(struct compiled_head))
		mark(aligned, false);
	if (ALONE &&
	    urivet_compiled_open(&policy, sizeof policy, aligned, length, NULL) ==
		URIVET_COMPILED_GOOD &&
	    ((policy.raised.bits[URIVET_F_HOST_PUBLIC_SUFFIX / 64] |
	      policy.waived.bits[URIVET_F_HOST_PUBLIC_SUFFIX / 64]) >>
		 (URIVET_F_HOST_PUBLIC_SUFFIX % 64) &
	     1) != 0) {
		free(aligned);
		return;
	}
	free(aligned);
	loaded = urivet_load_text(data, length, "fuzzed", expect_whole, &told);
	oracle((loaded == NULL) == (told > 0), "what is refused has a reason");
	if (loaded != NULL)
		expect_lasting(loaded);
	urivet_loaded_release(loaded);
}

/* Loads the octets as a compiled policy with a header of this version and the right checksum. */
static void expect_mended(const uint8_t *data, size_t length)
{
	const size_t whole = length / 8 * 8;
	struct compiled_head begun, head;
	uint8_t *octets;

	if (whole < sizeof head)
		return;
	octets = room_for(whole);
	memcpy(octets, data, whole);
	memcpy(&head, octets, sizeof head);
	memset(&begun, 0, sizeof begun);
	urivet_compiled_begin(&begun);
	memcpy(head.magic, begun.magic, sizeof head.magic);
	memcpy(head.sizes, begun.sizes, sizeof head.sizes);
	head.order = begun.order;
	head.version = begun.version;
	head.length = whole;
	head.sum = 0;
	memcpy(octets, &head, sizeof head);
	head.sum = urivet_compiled_sum(octets, whole);
	memcpy(octets, &head, sizeof head);
	take(octets, whole);
	mark(octets, true);
	take(octets, whole);
	free(octets);
}

/* Loads the octets as the section that the core stores but does not read. */
static void expect_extra(const uint8_t *data, size_t length)
{
	struct urivet_policy policy;
	struct urivet_host_rule host;
	struct urivet_url_rule url;
	struct urivet_address_rule address = {.action = URIVET_DENY};
	static const struct urivet_port_rule port = {1u << URIVET_SCHEME_HTTPS, 8443, 8443, 1};
	size_t size;
	void *octets;

	oracle(urivet_policy_init(&policy, sizeof policy, URIVET_PUBLIC) &&
		   urivet_host_rule_from(&host, ".example.com", 12, URIVET_DENY) &&
		   urivet_url_rule_from(&url, "com.example.app:/cb", 19) &&
		   urivet_network_from(&address.network, "10.0.0.0/8", 10),
	       "rules are made");
	policy.hosts = (struct urivet_host_list){&host, 1, true, false};
	policy.addresses = (struct urivet_address_list){&address, 1, true};
	policy.ports = &port;
	policy.port_count = 1;
	policy.urls = &url;
	policy.url_count = 1;
	size = urivet_compiled_write(NULL, 0, &policy, urivet_text_of(data, length));
	octets = room_for(size);
	oracle(urivet_compiled_write(octets, size, &policy, urivet_text_of(data, length)) == size,
	       "a policy is written");
	take(octets, size);
	mark(octets, true);
	take(octets, size);
	free(octets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	if (length > LENGTH_MOST)
		return 0;
	take(data, length);
	expect_mended(data, length);
	expect_extra(data, length);
	return 0;
}
