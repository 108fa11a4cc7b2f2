/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled policies, as the core opens them and as liburivet-policy loads them. Any octets are a
 * policy or refused; one that opens can be used, and is the same after compiling it again. Rules given
 * as lines give the same verdicts, compiled or not. */
#include <urivet/compiled.h>
#include <urivet/policy.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"
#include "policyfile/compiled.h"

/* an internal header has a function of the same name */
#define within text_within
#include "policy/compiled.h"
#undef within

#define LENGTH_MOST 65536u

#define MOST 12u
#define HEAD 616u /* octets before the first rule */

static const char *const inputs[] = {
    "http://example.com/",     "https://a.example.com:8443/cb/x?y", "com.example.app:/cb",
    "http://127.0.0.1:3000/a", "http://[::1]:6000/",                "http://10.1.2.3/",
    "http://b.example./",      "ftp://u@192.0.2.66/../x",           "http://a%41/",
    "http://[2001:db8:64::1]/", "http://127.0.0.1:999/cb",           "http://example.com/?next=x&b=%0A",
};

static bool alike(const struct urivet_report *a, const struct urivet_report *b)
{
	if (a->verdict != b->verdict || a->count != b->count || a->dropped != b->dropped)
		return false;
	for (uint32_t k = 0; k < a->count; k++)
		if (a->finding[k].id != b->finding[k].id || a->finding[k].count != b->finding[k].count)
			return false;
	return (a->host_rule == NULL) == (b->host_rule == NULL) &&
	       (a->address_rule == NULL) == (b->address_rule == NULL) &&
	       (a->url_rule == NULL ? b->url_rule == NULL
				    : b->url_rule != NULL && a->url_rule->tag == b->url_rule->tag);
}

/* Opens octets in memory of their exact size, so that sanitizers detect reads beyond it. */
static void open_octets(const uint8_t *data, size_t length, const uint8_t *url, size_t url_length)
{
	struct urivet_policy policy;
	struct urivet_text extra;
	struct urivet_report r;
	uint8_t *room = room_for(length), *again;
	if (length > 0)
		memcpy(room, data, length);
	if (urivet_compiled_open(&policy, sizeof policy, room, length, &extra) !=
	    URIVET_COMPILED_GOOD) {
		oracle(!is_valid(&policy), "what is refused is no policy");
		free(room);
		return;
	}
	oracle(is_valid(&policy), "what opens is valid");
	again = room_for(length);
	oracle(urivet_compiled_write(again, length, &policy, extra) == length &&
		   memcmp(room, again, length) == 0,
	       "what opens is written again as it is");
	free(again);
	for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
		urivet_check(&r, inputs[k], strlen(inputs[k]), &policy);
	urivet_check(&r, url, url_length, &policy);
	free(room);
}

/* ---- As liburivet-policy loads them ---------------------------------------------------- */

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
	oracle(write(text, *length + 1, loaded) == *length, "the length is that which was reported");
	return text;
}

static void judge_loaded(const struct urivet_loaded *a, const struct urivet_loaded *b)
{
	for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
		struct urivet_report x, y;

		urivet_check(&x, inputs[k], strlen(inputs[k]), urivet_loaded_policy(a));
		urivet_check(&y, inputs[k], strlen(inputs[k]), urivet_loaded_policy(b));
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
	judge_loaded(loaded, again);
	urivet_loaded_release(again);
	free(octets);
}

static void load_octets(const void *data, size_t length)
{
	size_t reported = 0;
	struct urivet_loaded *loaded;

	if (!urivet_loader_is_compiled(data, length))
		return;
	loaded = urivet_load_text(data, length, "fuzzed", expect_whole, &reported);
	oracle((loaded == NULL) == (reported > 0), "what is refused has a reason");
	if (loaded != NULL)
		expect_lasting(loaded);
	urivet_loaded_release(loaded);
}

/* Loads the octets as the section that the core stores but does not read. */
static void load_section(const uint8_t *data, size_t length)
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
	load_octets(octets, size);
	free(octets);
}

/* ---- Both ------------------------------------------------------------------------------ */

/* Opens the octets as a compiled policy, after setting the header fields to their valid values
 * where these are known. */
static void open_mended(const uint8_t *data, size_t length)
{
	static uint64_t usual[HEAD / 8 + 8];
	uint64_t sum, *words;
	length -= length % 8;
	if (length < HEAD)
		return;
	oracle(urivet_compiled_write(usual, sizeof usual, NULL, urivet_text_of(NULL, 0)) <= sizeof usual,
	       "strict is short");
	words = room_for(length);
	memcpy(words, data, length);
	memcpy(words, usual, 40); /* everything that does not depend on the policy */
	words[2] = sum = length;
	words[3] = 0;
	for (size_t k = 0; k < length / 8; k++) {
		sum = (sum ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	words[3] = sum;
	open_octets((const uint8_t *)words, length, data, length);
	load_octets(words, length);
	free(words);
}

/* Rules made from lines: a digit and a name, a network, a URL. */
struct given {
	struct urivet_host_rule hosts[MOST];
	struct urivet_address_rule addresses[MOST];
	struct urivet_url_rule urls[MOST];
	struct urivet_policy policy;
};

static void add_line(struct given *g, const char *line, size_t length)
{
	struct urivet_policy *p = &g->policy;
	const uint8_t action = length > 0 ? (uint8_t)line[0] % 2 : 0;
	if (p->url_count < MOST && urivet_url_rule_from(&g->urls[p->url_count], line, length)) {
		g->urls[p->url_count].tag = p->url_count;
		p->url_count++;
	}
	if (p->hosts.count < MOST && length > 0 &&
	    urivet_host_rule_from(&g->hosts[p->hosts.count], line + 1, length - 1, action))
		p->hosts.count++;
	if (p->addresses.count < MOST && length > 0 &&
	    urivet_network_from(&g->addresses[p->addresses.count].network, line + 1, length - 1))
		g->addresses[p->addresses.count++].action = action;
}

/* Checks whole segments: "/a" covers /a and all below it, but not /ab. */
static void expect_whole_segments(const struct urivet_report *r, const uint8_t *url)
{
	const struct urivet_span path = r->uri.part[URIVET_PATH];
	const size_t length = r->url_rule != NULL ? r->url_rule->path_length : 0;
	oracle(length <= path.length || length <= 1,
	       "a URL is no shorter than the rule that covers it");
	oracle(length <= 1 || length == path.length || url[path.offset + length] == '/' ||
		   url[path.offset + length - 1] == '/',
	       "a rule covers whole segments of paths");
}

/* Judges the last line by the policy and by its compiled form. */
static void judge_compiled(const struct given *g, const uint8_t *url, size_t length)
{
	const size_t size = urivet_compiled_write(NULL, 0, &g->policy, urivet_text_of(url, length));
	uint8_t *room = room_for(size);
	static uint64_t words[URIVET_INDEX_WORDS(2 * MOST)];
	struct urivet_policy opened;
	struct urivet_report r, s;
	oracle(urivet_compiled_write(room, size, &g->policy, urivet_text_of(url, length)) == size,
	       "a valid policy can be written");
	oracle(urivet_compiled_open(&opened, sizeof opened, room, size, NULL) ==
		   URIVET_COMPILED_GOOD,
	       "what was written can be opened");
	oracle(urivet_policy_finish(&opened, words, URIVET_INDEX_WORDS(2 * MOST)) && is_valid(&opened),
	       "a compiled policy has a valid index");
	urivet_check(&r, url, length, &g->policy);
	expect_whole_segments(&r, url);
	urivet_check(&s, url, length, &opened);
	oracle(alike(&r, &s), "a compiled policy judges as the one it was");
	for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
		urivet_check(&r, inputs[k], strlen(inputs[k]), &g->policy);
		urivet_check(&s, inputs[k], strlen(inputs[k]), &opened);
		oracle(alike(&r, &s), "a compiled policy judges as the one it was");
	}
	if (size > HEAD && length > 0) { /* with one octet changed */
		room[HEAD + url[0] * 7u % (size - HEAD)] ^= (uint8_t)(1u << url[0] % 8);
		open_mended(room, size);
	}
	free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct given g = {.policy = built_in(URIVET_ANY)};
	const uint8_t *const end = data + length, *line;
	if (length > LENGTH_MOST)
		return 0;
	load_octets(data, length);
	load_section(data, length);
	open_octets(data, length, data, length);
	open_mended(data, length);
	g.policy.hosts.rule = g.hosts;
	g.policy.hosts.only = length % 2 != 0;
	g.policy.addresses.rule = g.addresses;
	g.policy.urls = g.urls;
	while (length > 0 && (line = memchr(data, '\n', (size_t)(end - data))) != NULL) {
		add_line(&g, (const char *)data, (size_t)(line - data));
		data = line + 1;
	}
	judge_compiled(&g, data, (size_t)(end - data));
	return 0;
}
