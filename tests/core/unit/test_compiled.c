/* SPDX-License-Identifier: Apache-2.0 */
/* Tests compiled policies: writing, opening, judging; and invalid ones. */
#include "support.h"

#include <stdlib.h>
#include <urivet/compiled.h>

#define ROOM 65536
#define HEAD 632 /* size of the header in octets */

TestSuite(compiled, .timeout = 60);

static uint32_t dice_state;

/* Returns a random number below `sides`. */
static uint32_t dice(uint32_t sides)
{
	dice_state = dice_state * 1664525 + 1013904223;
	return (dice_state >> 8) % sides;
}

static const char *const names[] = {"example.com", "a.example.com", "Example.COM", "b.a.example.com", "example.com.", "localhost", "org", "x-1.example.org", "_a.example.org", "b"};
static const char *const networks[] = {"10.0.0.0/8", "10.1.0.0/16", "0.0.0.0/0", "127.0.0.1", "192.0.2.0/24", "::1", "::/0", "2001:db8::/32", "fe80::/10", "192.0.2.66"};
static const char *const url_texts[] = {"https://a.example.com:8443/cb", "https://.example.com/x", "http://127.0.0.1:*/cb$", "http://[::1]:*/", "com.example.app:/cb", "https://+.example.org/oauth/?*$", "http://localhost:3000-3009/?x=1"};
static const char *const inputs[] = {
    "http://example.com/", "https://a.example.com:8443/cb", "https://a.example.com:8443/cbx", "http://b.a.example.com./", "http://localhost:3000/", "http://127.0.0.1:9000/cb", "http://[::1]:1/",
    "http://10.1.2.3/", "http://192.0.2.66/", "com.example.app:/cb", "ftp://x-1.example.org/", "https://x.example.org/oauth/1?a=[]", "http://org/", "http://u@example.com/", "http://example.com:8080/a/../b",
    "http://[2001:db8::1]/", "http://[64:ff9b::a01:203]/", "", "http://0x7f.1/", "https://example.com/x/y", "https://xexample.com/x", "http://examp1e.com/", "http://xn--exmple-cua.org/",
    "http://h.example/?u=%2Fa&next=http%3A%2F%2F10.0.0.1%2F", "http://h.example/a?u=x%0D%0Ay&a[1]=%2F..&v=//b;U=/c", "http://h.example/?u=http%3A%2F%2Fexample.com%2F;u-2=%0D%0A", "http://b.a.example.com/?NEXT=%252F"};

/* The lists that a random policy points to. */
struct lists {
	struct urivet_host_rule hosts[12];
	struct urivet_address_rule addresses[12];
	struct urivet_port_rule ports[4];
	struct urivet_network nat64[2];
	struct urivet_url_rule urls[6];
	struct urivet_protected protect[5];
	struct urivet_path_rule paths[4];
	struct urivet_parameter_rule parameters[6];
	struct urivet_host_rule suffixes[6];
	struct urivet_policy by[2]; /* judge values */
};

/* Fills the protected names in their required order; with few letters, and some names more than
 * once. */
static void protect_some(struct urivet_policy *p, struct lists *l)
{
	p->protect = l->protect;
	p->protect_count = dice(6);
	for (uint32_t k = 0; k < p->protect_count; k++) {
		const char *name = names[dice(10)];
		cr_assert(urivet_protected_from(&l->protect[k], name, strlen(name)));
		l->protect[k].name.tag = UINT32_MAX - k;
	}
	qsort(l->protect, p->protect_count, sizeof l->protect[0], urivet_order(URIVET_LIST_PROTECTED));
}

static void add_path_rules(struct urivet_policy *p, struct lists *l)
{
	static const char *const texts[] = {"/cb", "/a/", "/$", "GET,HEAD /x/y$", "/oauth"};
	p->paths = l->paths;
	p->path_count = dice(5);
	for (uint32_t k = 0; k < p->path_count; k++) {
		const char *text = texts[dice(5)];
		cr_assert(urivet_path_rule_from(&l->paths[k], text, strlen(text)));
		l->paths[k].tag = k;
		l->paths[k].strips = (uint8_t)dice(2);
		l->paths[k].waived.bits[URIVET_F_PATH_SEMICOLON / 64] |= (uint64_t)dice(2) << URIVET_F_PATH_SEMICOLON % 64;
		l->paths[k].waived.bits[URIVET_F_QUERY_EMPTY / 64] |= (uint64_t)dice(2) << URIVET_F_QUERY_EMPTY % 64;
	}
}

/* Adds rules for parameters, of which some share a policy. */
static void add_parameter_rules(struct urivet_policy *p, struct lists *l)
{
	static const char *const asked[] = {"u", "next", "*", "a[*]", "u-2"};
	for (unsigned k = 0; k < 2; k++) {
		l->by[k] = built_in((int)dice(URIVET_BASES));
		l->by[k].hosts = (struct urivet_host_list){l->hosts, p->hosts.count, p->hosts.sorted, false};
		cr_assert(urivet_policy_finish(&l->by[k], NULL, 0));
	}
	p->parameters = l->parameters;
	p->parameter_count = dice(7);
	for (uint32_t k = 0; k < p->parameter_count; k++) {
		const unsigned named = dice(5), judged = dice(3);
		struct urivet_parameter_rule rule = {.name = asked[named], .length = (uint32_t)strlen(asked[named]), .tag = k, .times = (uint8_t)(1 + dice(2)), .judges = true, .same_origin = dice(2), .rooted = dice(2), .any_case = dice(2), .semicolons = dice(2)};
		rule.absolute = !rule.rooted && dice(2);
		rule.required = named != 2 && dice(4) == 0;
		rule.values = "/a\n\n//b\n";
		rule.values_length = named != 2 && dice(4) == 0 ? 8 : 0;
		rule.policy = judged < 2 ? &l->by[judged] : NULL;
		rule.allowed.bits[URIVET_F_ESCAPED_CRLF / 64] |= (uint64_t)(named != 2 && dice(2)) << URIVET_F_ESCAPED_CRLF % 64;
		l->parameters[k] = rule;
	}
}

static void add_suffixes(struct urivet_policy *p, struct lists *l)
{
	p->suffixes = l->suffixes;
	p->suffix_count = dice(7);
	for (uint32_t k = 0; k < p->suffix_count; k++) {
		const char *name = names[dice(10)];
		l->suffixes[k].name = name;
		l->suffixes[k].length = (uint32_t)strlen(name);
		l->suffixes[k].scope = dice(2) ? URIVET_SCOPE_HOST : URIVET_SCOPE_BELOW;
		l->suffixes[k].action = dice(4) == 0 ? URIVET_ALLOW : URIVET_DENY;
		l->suffixes[k].tag = k;
		l->suffixes[k].above = 0;
	}
	qsort(l->suffixes, p->suffix_count, sizeof l->suffixes[0], urivet_order(URIVET_LIST_HOSTS));
	if (p->suffix_count > 0 && dice(2))
		cr_assert(urivet_policy_raise(p, URIVET_F_HOST_PUBLIC_SUFFIX));
	if (p->suffix_count == 0)
		cr_assert(urivet_policy_waive(p, URIVET_F_HOST_PUBLIC_SUFFIX));
}

static struct urivet_policy random_policy(struct lists *l)
{
	struct urivet_policy p = built_in((int)dice(URIVET_BASES));
	memset(l, 0x5a, sizeof *l); /* including padding */
	p.hosts = (struct urivet_host_list){l->hosts, dice(12), false, dice(2)};
	p.addresses = (struct urivet_address_list){l->addresses, dice(12), false};
	p.ports = l->ports;
	p.port_count = dice(4);
	p.nat64 = l->nat64;
	p.nat64_count = dice(3);
	p.urls = l->urls;
	p.url_count = dice(6);
	for (uint32_t k = 0; k < p.hosts.count; k++) {
		const char *name = names[dice(10)];
		l->hosts[k].name = name;
		l->hosts[k].length = (uint32_t)strlen(name);
		l->hosts[k].scope = (uint8_t)dice(4);
		l->hosts[k].action = (uint8_t)dice(2);
		l->hosts[k].tag = k / 2; /* some rules stand there twice */
		l->hosts[k].above = 0;
		if (strncmp(name, "a.example.com", 13) == 0 && dice(2)) {
			l->hosts[k].action = URIVET_EXCEPT;
			l->hosts[k].above = dice(2) ? 11 : 3;
		}
	}
	for (uint32_t k = 0; k < p.addresses.count; k++) {
		const char *network = networks[dice(10)];
		cr_assert(urivet_network_from(&l->addresses[k].network, network, strlen(network)));
		l->addresses[k].action = (uint8_t)dice(2);
		l->addresses[k].tag = k / 2;
	}
	for (uint32_t k = 0; k < p.port_count; k++)
		l->ports[k] = (struct urivet_port_rule){UINT32_MAX, 1000, (uint16_t)(1000 + dice(9000)), k};
	for (uint32_t k = 0; k < p.nat64_count; k++)
		cr_assert(urivet_network_from(&l->nat64[k], "64:ff9b::/96", 12));
	for (uint32_t k = 0; k < p.url_count; k++) {
		const char *text = url_texts[dice(7)];
		cr_assert(urivet_url_rule_from(&l->urls[k], text, strlen(text)));
		l->urls[k].tag = k;
	}
	protect_some(&p, l);
	add_path_rules(&p, l);
	if (dice(2) && p.hosts.count > 0) {
		qsort(l->hosts, p.hosts.count, sizeof l->hosts[0], urivet_order(URIVET_LIST_HOSTS));
		p.hosts.sorted = true;
	}
	p.opaque_query = dice(2);
	p.urls_also = dice(2);
	if (dice(2) && p.url_count > 0)
		memcpy(p.forbidden_parameters, "a state ", 8);
	p.schemes = dice(128);
	p.max_length = 20 + dice(100);
	p.name = (const char *const[]){"@", "@ name", NULL}[dice(3)];
	(void)urivet_policy_raise(&p, dice(URIVET_FINDING_LIMIT));
	(void)urivet_policy_waive(&p, dice(URIVET_FINDING_LIMIT));
	add_suffixes(&p, l);
	add_parameter_rules(&p, l);
	cr_assert(is_valid(&p));
	return p;
}

/* Checks that both reports are equal, except for which one of several rules decided. */
static void expect_same(const struct urivet_policy *a, const struct urivet_policy *b, const char *input)
{
	struct urivet_report x, y;
	memset(&x, 0x5a, sizeof x); /* also the room in it, which may hold anything */
	memset(&y, 0x5a, sizeof y);
	judge(&x, input, strlen(input), a);
	judge(&y, input, strlen(input), b);
	cr_expect((x.host_rule == NULL) == (y.host_rule == NULL) && (x.address_rule == NULL) == (y.address_rule == NULL), "%s", input);
	cr_expect((x.port_rule == NULL) == (y.port_rule == NULL) && (x.url_rule == NULL) == (y.url_rule == NULL), "%s", input);
	if (x.host_rule != NULL && y.host_rule != NULL)
		cr_expect(x.host_rule->action == y.host_rule->action, "%s", input);
	if (x.url_rule != NULL && y.url_rule != NULL) {
		const struct urivet_text s = urivet_url_rule_text(x.url_rule), t = urivet_url_rule_text(y.url_rule);
		cr_expect(x.url_rule->tag == y.url_rule->tag && s.length == t.length && memcmp(s.data, t.data, s.length) == 0);
	}
	y.host_rule = x.host_rule;
	y.address_rule = x.address_rule;
	y.port_rule = x.port_rule;
	y.url_rule = x.url_rule;
	cr_expect((x.path_rule == NULL) == (y.path_rule == NULL), "%s", input);
	y.path_rule = x.path_rule;
	cr_expect((x.parameter_rule == NULL) == (y.parameter_rule == NULL), "%s", input);
	if (x.parameter_rule != NULL && y.parameter_rule != NULL) {
		const struct urivet_text s = urivet_parameter_rule_name(x.parameter_rule), t = urivet_parameter_rule_name(y.parameter_rule);
		cr_expect(x.parameter_rule->tag == y.parameter_rule->tag && s.length == t.length && memcmp(s.data, t.data, s.length) == 0);
	}
	y.parameter_rule = x.parameter_rule;
	cr_expect(memcmp(&x, &y, URIVET_REPORT_OCTETS) == 0, "%s: %s, %s", input, ids_of(&x), ids_of(&y));
}

static uint64_t blob_words[ROOM / 8], again_words[ROOM / 8];
static uint8_t *const blob = (uint8_t *)blob_words, *const again = (uint8_t *)again_words;

/* Corrects the checksum after a change. */
static void mend(uint8_t *octets, size_t length)
{
	uint64_t sum = length, zero = 0;
	memcpy(octets + 24, &zero, 8);
	for (size_t at = 0; at + 8 <= length; at += 8) {
		uint64_t word;
		memcpy(&word, octets + at, 8);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	memcpy(octets + 24, &sum, 8);
}

Test(compiled, means_what_was_written)
{
	struct lists l;
	for (uint32_t n = 0; n < 2000; n++) {
		dice_state = n;
		const struct urivet_policy p = random_policy(&l);
		const struct urivet_text extra = urivet_text_of("extra octets\0", dice(14));
		memset(blob, 0x5a, ROOM);
		const size_t length = urivet_compiled_write(blob, ROOM, &p, extra);
		cr_assert(length > 0 && length <= ROOM && length % 8 == 0);
		cr_expect(blob[length] == 0x5a);
		struct urivet_policy q;
		struct urivet_text back;
		memset(&q, 0x5a, sizeof q);
		const enum urivet_compiled_fault fault = urivet_compiled_open(&q, sizeof q, blob, length, &back);
		cr_assert(fault == URIVET_COMPILED_GOOD, "%u: %s", n, urivet_compiled_fault_text(fault));
		cr_expect(back.length == extra.length && memcmp(back.data, extra.data, back.length) == 0);
		cr_expect_str_eq(q.name, p.name != NULL ? p.name : "");
		cr_expect(is_valid(&q) && q.seal != 0 && q.size == sizeof q && q.hosts.sorted && q.addresses.sorted);
		for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
			expect_same(&p, &q, inputs[k]);
		for (uint32_t k = 0; k < q.hosts.count; k++) {
			const struct urivet_host_rule *rule = &q.hosts.rule[k];
			const struct urivet_text name = urivet_host_rule_name(rule);
			cr_expect(name.length == rule->length && ((const char *)name.data)[name.length] == '\0');
		}
		/* written again, in whatever order, the octets are the same */
		memset(again, 0xa5, ROOM);
		cr_expect(urivet_compiled_write(again, ROOM, &q, back) == length && memcmp(blob, again, length) == 0, "%u", n);
		const struct urivet_policy copy = q;
		cr_expect(is_valid(&copy));
		for (uint32_t k = 0; k < p.protect_count; k++) { /* what stands between members does not count */
			cr_expect(q.protect[k].name.tag == p.protect[k].name.tag);
			memset((char *)&l.protect[k] + offsetof(struct urivet_host_rule, action) + 1, (int)k, 2);
			memset((char *)&l.protect[k] + offsetof(struct urivet_host_rule, above) + 1, (int)k, 3);
		}
		for (uint32_t k = p.hosts.sorted ? 0 : p.hosts.count; k > 1; k--) {
			const struct urivet_host_rule rule = l.hosts[k - 1];
			const uint32_t other = dice(k);
			l.hosts[k - 1] = l.hosts[other];
			l.hosts[other] = rule;
		}
		for (uint32_t k = p.addresses.count; k > 1; k--) {
			const struct urivet_address_rule rule = l.addresses[k - 1];
			const uint32_t other = dice(k);
			l.addresses[k - 1] = l.addresses[other];
			l.addresses[other] = rule;
		}
		cr_expect(urivet_compiled_write(again, ROOM, &p, extra) == length && memcmp(blob, again, length) == 0, "%u", n);
	}
}

/* The header of each file of this version: it contains the sizes that differ in programs of
 * another layout. */
Test(compiled, head)
{
	static const uint8_t magic[8] = {0x89, 'u', 'r', 'i', 'v', 'e', 't', '\n'};
	const uint8_t sizes[8] = {HEAD / 8, sizeof(struct urivet_host_rule), sizeof(struct urivet_address_rule), sizeof(struct urivet_url_rule), sizeof(struct urivet_port_rule), sizeof(struct urivet_network), offsetof(struct urivet_host_rule, tag), sizeof(struct urivet_protected)};
	const uint32_t order = 0x01020304, version = 5;
	const size_t length = urivet_compiled_write(blob, ROOM, NULL, urivet_text_of(NULL, 0));
	const uint64_t whole = length;
	cr_expect(length == HEAD + 8); /* "strict" with its NUL, and padding of one zero */
	cr_expect(memcmp(blob, magic, 8) == 0 && memcmp(blob + 8, &order, 4) == 0 && memcmp(blob + 12, &version, 4) == 0);
	cr_expect(memcmp(blob + 16, &whole, 8) == 0 && memcmp(blob + 32, sizes, 8) == 0);
	cr_expect(memcmp(blob + HEAD, "strict\0", 8) == 0);
	for (size_t bit = 8 * 32; bit < 8 * HEAD; bit++) { /* what opens is valid */
		struct urivet_policy q;
		blob[bit / 8] ^= (uint8_t)(1u << bit % 8);
		mend(blob, length);
		cr_expect(urivet_compiled_open(&q, sizeof q, blob, length, NULL) != URIVET_COMPILED_GOOD || is_valid(&q), "%zu", bit);
		blob[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	/* the head alone: its name would be what it begins with, and its extra data are longer than all of it */
	memcpy(blob + 16, (uint64_t[]){HEAD}, 8);
	memcpy(blob + 596, (uint32_t[9]){13, 14, [7] = HEAD + 8}, 36);
	mend(blob, HEAD);
	cr_expect(urivet_compiled_open(&(struct urivet_policy){0}, sizeof(struct urivet_policy), blob, HEAD, NULL) == URIVET_COMPILED_CONTENT);
}

/* Capacities follow snprintf, but without a NUL; nothing is written that does not fit. */
Test(compiled, capacities)
{
	struct lists l;
	dice_state = 77;
	const struct urivet_policy p = random_policy(&l);
	const size_t length = urivet_compiled_write(NULL, 0, &p, urivet_text_of("x", 1));
	cr_assert(length > 0 && length < ROOM);
	for (size_t capacity = 0; capacity < length; capacity += capacity + 9 < length ? 9 : 1) {
		memset(blob, 0x5a, ROOM);
		cr_expect(urivet_compiled_write(blob, capacity, &p, urivet_text_of("x", 1)) == length);
		for (size_t k = 0; k <= length; k++)
			cr_assert(blob[k] == 0x5a);
	}
	cr_expect(urivet_compiled_write(blob, length, &p, urivet_text_of("x", 1)) == length);
	for (unsigned k = 1; k < 8; k++)
		cr_expect(urivet_compiled_write(blob + k, ROOM - 8, &p, urivet_text_of("x", 1)) == 0);
	/* a policy of NULL means strict; extra without data has no octets */
	cr_expect(urivet_compiled_write(blob, ROOM, NULL, urivet_text_of(NULL, 5)) > 0);
	struct urivet_policy q;
	cr_expect(urivet_compiled_open(&q, sizeof q, blob, urivet_compiled_write(NULL, ROOM, NULL, urivet_text_of(NULL, 5)), NULL) == URIVET_COMPILED_GOOD);
	cr_expect_str_eq(q.name, "strict");
	struct urivet_policy bad = built_in(URIVET_STRICT);
	bad.hosts.count = 1;
	cr_expect(urivet_compiled_write(blob, ROOM, &bad, urivet_text_of(NULL, 0)) == 0);
	/* a gibibyte at most, including header, texts and padding; "strict" takes 7 octets */
	cr_expect(urivet_compiled_write(blob, ROOM, NULL, urivet_text_of("x", URIVET_MAX_LENGTH - HEAD - 8)) == URIVET_MAX_LENGTH);
	for (size_t k = URIVET_MAX_LENGTH - HEAD - 8 + 1; k < URIVET_MAX_LENGTH + 100; k++)
		cr_assert(urivet_compiled_write(blob, ROOM, NULL, urivet_text_of("x", k)) == 0);
	cr_expect(urivet_compiled_write(blob, ROOM, NULL, urivet_text_of("x", SIZE_MAX)) == 0);
}

static void expect_fault(unsigned fault, const void *data, size_t length)
{
	struct urivet_policy q;
	struct urivet_text extra = urivet_text_of("x", 1);
	memset(&q, 0x5a, sizeof q);
	const unsigned found = urivet_compiled_open(&q, sizeof q, data, length, &extra);
	cr_expect(found == fault, "%s, not %s", urivet_compiled_fault_text(found), urivet_compiled_fault_text(fault));
	for (size_t k = 0; k < sizeof q; k++)
		cr_assert(((const uint8_t *)&q)[k] == 0);
	cr_expect(extra.data == NULL && extra.length == 0);
	struct urivet_report r;
	cr_expect(urivet_check(&r, LITERAL("http://example.com/"), &q) == URIVET_REJECT);
}

Test(compiled, faults)
{
	struct lists l;
	dice_state = 5;
	const struct urivet_policy p = random_policy(&l);
	const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of("extra", 5));
	for (size_t k = 0; k < HEAD; k += 8)
		expect_fault(URIVET_COMPILED_TOO_SHORT, blob, k);
	for (size_t k = HEAD; k < length; k++)
		expect_fault(URIVET_COMPILED_LENGTH, blob, k);
	expect_fault(URIVET_COMPILED_LENGTH, blob, length + 8);
	expect_fault(URIVET_COMPILED_TOO_SHORT, NULL, length);
	for (unsigned k = 1; k < 8; k++)
		expect_fault(URIVET_COMPILED_NOT_ALIGNED, blob + k, length - k);
	/* if the length is too great, no octet after the header is read */
	const uint64_t beyond = (uint64_t)URIVET_MAX_LENGTH + 8;
	memcpy(again, blob, HEAD);
	memcpy(again + 16, &beyond, 8);
	expect_fault(URIVET_COMPILED_LENGTH, again, beyond);
	/* `extra_length`: counts and lengths must add up to the whole, and the padding is zero;
	 * here three octets of it */
	for (uint64_t extra = 0; extra < length + 16; extra++) {
		memcpy(again, blob, length);
		memcpy(again + HEAD - 8, &extra, 8);
		mend(again, length);
		if (extra < 5 || extra > 8)
			expect_fault(URIVET_COMPILED_CONTENT, again, length);
	}
	static const struct {
		unsigned at, fault;
	} heads[] = {{0, URIVET_COMPILED_MAGIC}, {7, URIVET_COMPILED_MAGIC}, {8, URIVET_COMPILED_BYTE_ORDER}, {12, URIVET_COMPILED_VERSION}, {16, URIVET_COMPILED_LENGTH}, {24, URIVET_COMPILED_CHECKSUM}, {32, URIVET_COMPILED_LAYOUT}, {39, URIVET_COMPILED_LAYOUT}, {40, URIVET_COMPILED_CHECKSUM}, {HEAD + 7, URIVET_COMPILED_CHECKSUM}};
	for (unsigned k = 0; k < sizeof heads / sizeof heads[0]; k++) {
		blob[heads[k].at] ^= 1;
		expect_fault(heads[k].fault, blob, length);
		blob[heads[k].at] ^= 1;
	}
	struct urivet_policy q;
	cr_expect(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
	cr_expect(urivet_compiled_open(NULL, sizeof q, blob, length, NULL) == URIVET_COMPILED_STRUCTURE && urivet_compiled_open(NULL, sizeof q + 1, blob, length, NULL) == URIVET_COMPILED_STRUCTURE);
	for (size_t size = 0; size < sizeof q + 64; size++) {
		unsigned char *room = malloc(size + 1);
		if (size == sizeof q)
			size++;
		memset(room, 0x5a, size);
		cr_expect(urivet_compiled_open((struct urivet_policy *)(void *)room, size < sizeof q ? size : SIZE_MAX, blob, length, NULL) == URIVET_COMPILED_STRUCTURE || size > sizeof q);
		cr_expect(size < sizeof q || (room[0] == 0 && memcmp(room, room + 1, sizeof q - 1) == 0)); /* rejects everything */
		free(room);
		if (size > sizeof q)
			break;
	}
	/* the structure of a later version: zeroed, too */
	unsigned char *const larger = malloc(sizeof q + 8);
	memset(larger, 0x5a, sizeof q + 8);
	cr_expect(urivet_compiled_open((struct urivet_policy *)(void *)larger, sizeof q + 8, blob, length, NULL) == URIVET_COMPILED_STRUCTURE);
	for (size_t k = 0; k < sizeof q + 8; k++)
		cr_expect(larger[k] == 0, "%zu", k);
	free(larger);
	/* names of schemes: as many as fit, and the end mark */
	struct urivet_policy named = built_in(URIVET_STRICT);
	memset(named.scheme_names, 'a', sizeof named.scheme_names - 2);
	named.scheme_names[sizeof named.scheme_names - 2] = ' ';
	const size_t size = urivet_compiled_write(blob, ROOM, &named, urivet_text_of(NULL, 0));
	cr_expect(urivet_compiled_open(&q, sizeof q, blob, size, NULL) == URIVET_COMPILED_GOOD);
	cr_expect(memcmp(q.scheme_names, named.scheme_names, sizeof q.scheme_names) == 0);
	memset(named.scheme_names, 'a', sizeof named.scheme_names);
	expect_fault(URIVET_COMPILED_CONTENT, blob, urivet_compiled_write(blob, ROOM, &named, urivet_text_of(NULL, 0)));
	named = built_in(URIVET_STRICT);
	named.forbidden_parameters[1] = 'a'; /* after its end */
	expect_fault(URIVET_COMPILED_CONTENT, blob, urivet_compiled_write(blob, ROOM, &named, urivet_text_of(NULL, 0)));
	for (unsigned k = 0; k < URIVET_COMPILED_FAULTS; k++)
		cr_expect(urivet_compiled_fault_text(k) != NULL);
	cr_expect(urivet_compiled_fault_text(URIVET_COMPILED_FAULTS) == NULL && urivet_compiled_fault_text(UINT32_MAX) == NULL);
}

/* Flips each single bit and corrects the checksum: the file is refused, or it is another policy
 * that judges and is written again unchanged. */
Test(compiled, every_bit)
{
	struct lists l;
	unsigned refused = 0, opened = 0;
	for (uint32_t n = 0; n < 4; n++) {
		dice_state = 1000 + n;
		const struct urivet_policy p = random_policy(&l);
		const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of("ab", 2));
		for (size_t bit = 0; bit < 8 * length; bit++) {
			memcpy(again, blob, length);
			again[bit / 8] ^= (uint8_t)(1u << bit % 8);
			if (bit / 8 < 24 || bit / 8 >= 32)
				mend(again, length);
			struct urivet_policy q;
			struct urivet_text extra;
			uint64_t *exact = malloc(length); /* exact size, for ASan */
			memcpy(exact, again, length);
			if (urivet_compiled_open(&q, sizeof q, exact, length, &extra) != URIVET_COMPILED_GOOD) {
				refused++;
				free(exact);
				continue;
			}
			opened++;
			cr_expect(is_valid(&q));
			uint64_t *written = malloc(length);
			cr_expect(urivet_compiled_write(written, length, &q, extra) == length && memcmp(written, exact, length) == 0, "bit %zu", bit);
			free(written);
			struct urivet_report r;
			for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k += 3)
				judge(&r, inputs[k], strlen(inputs[k]), &q);
			free(exact);
		}
	}
	cr_expect(refused > 1000 && opened > 100, "%u, %u", refused, opened);
}

/* Rules of a compiled policy are void elsewhere, and harmless as long as they are not copied; so
 * is their mark in a rule that a program made. */
Test(compiled, rules_that_are_relative)
{
	struct urivet_host_rule rule = host_rule_of("a.example", URIVET_DENY);
	struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, true, false);
	rule.scope |= URIVET_SCOPE_RELATIVE;
	cr_expect(!is_valid(&p) && !urivet_policy_finish(&p, NULL, 0));
	cr_expect(urivet_host_rule_name(&rule).length == 0);
	struct urivet_report r;
	cr_expect(judge(&r, LITERAL("http://a.example/"), &p) == URIVET_ACCEPT);
	rule.scope = URIVET_SCOPE_HOST;
	const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	struct urivet_policy q;
	cr_assert(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
	cr_expect(judge(&r, LITERAL("http://a.example/"), &q) == URIVET_REJECT && r.host_rule == q.hosts.rule);
	cr_expect(is_valid(&q) && urivet_policy_finish(&q, NULL, 0));
	struct lists l, other;
	for (uint32_t n = 0; n < 100; n++) {
		dice_state = n;
		p = random_policy(&l);
		dice_state = n;
		struct urivet_policy twin = random_policy(&other), sealed = p;
		cr_assert(urivet_policy_finish(&sealed, NULL, 0));
		const size_t size = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
		cr_assert(urivet_compiled_open(&q, sizeof q, blob, size, NULL) == URIVET_COMPILED_GOOD && is_valid(&q));
		const uint32_t counts[] = {p.url_count, p.protect_count, p.parameter_count, p.suffix_count, p.path_count, p.hosts.count};
		for (const struct urivet_policy *from = &q; from != NULL; from = from == &q ? &twin : NULL) {
			struct urivet_policy mixed[6] = {p, p, p, p, p, p}; /* not opened from octets */
			mixed[0].urls = from->urls;
			mixed[1].protect = from->protect;
			mixed[2].parameters = from->parameters;
			mixed[3].suffixes = from->suffixes;
			mixed[4].paths = from->paths;
			mixed[5].hosts.rule = from->hosts.rule;
			for (unsigned k = 0; k < 6; k++)
				cr_expect(urivet_policy_finish(&mixed[k], NULL, 0) == (from == &twin || counts[k] == 0), "%u, %u", n, k);
			for (unsigned k = 0; k < 4; k++) /* equal rules elsewhere have another seal */
				cr_expect(counts[k] == 0 || mixed[k].seal != sealed.seal, "%u, %u", n, k);
		}
	}
}

/* Of names that differ only in letter case and a final dot, the same spelling comes first, for
 * any order of input. */
Test(compiled, spellings_in_any_order)
{
	static const char *const spellings[] = {"example.com", "example.com.", "EXAMPLE.com", "Example.com", "examplE.com.", "a.example", "xample.com"};
	enum { COUNT = sizeof spellings / sizeof spellings[0] };
	struct urivet_host_rule rules[COUNT];
	struct urivet_policy p = built_in(URIVET_STRICT), q;
	size_t length = 0;
	p.hosts = (struct urivet_host_list){rules, COUNT, false, false};
	for (unsigned n = 0; n < 500; n++) {
		memset(rules, 0, sizeof rules);
		for (unsigned k = 0; k < COUNT; k++)
			rules[k] = (struct urivet_host_rule){.name = spellings[k], .length = (uint32_t)strlen(spellings[k]), .scope = URIVET_SCOPE_HOST};
		dice_state = n;
		for (uint32_t k = COUNT; k > 1; k--) {
			const uint32_t other = n == 0 ? k - 1 : dice(k);
			const struct urivet_host_rule rule = rules[other];
			rules[other] = rules[k - 1];
			rules[k - 1] = rule;
		}
		uint8_t *const out = n == 0 ? blob : again;
		length = urivet_compiled_write(out, ROOM, &p, urivet_text_of(NULL, 0));
		cr_expect(length > 0 && memcmp(blob, out, length) == 0, "%u", n);
	}
	cr_assert(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
	cr_expect(q.hosts.count == COUNT);
}

/* Policies of values in a compiled policy: changed octets are refused, one after the other. */
Test(compiled, policies_of_values)
{
	struct urivet_policy p = built_in(URIVET_STRICT), by = built_in(URIVET_PUBLIC), q;
	struct urivet_parameter_rule rules[3] = {
	    {.name = "a", .length = 1, .times = 1, .judges = true, .policy = &by},
	    {.name = "b", .length = 1, .times = 1, .judges = true},
	    {.name = "c", .length = 1, .times = 1, .judges = true, .policy = &by}};
	const size_t rows = HEAD, row = sizeof rules[0];
	const size_t inner = HEAD + 3 * row + 16; /* texts: strict, a, b, c, each with a NUL */
	p.parameters = rules;
	p.parameter_count = 3;
	const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	cr_assert(length == inner + HEAD + 8);
	cr_assert(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
	for (size_t k = 2 * rows; k < 2 * length; k++) {
		const size_t at = k / 2;
		const uint8_t flips = k % 2 ? 0x10 : 2;
		const size_t in_row = at < rows + 3 * row ? (at - rows) % row : 0;
		const bool is_text = at >= rows + 3 * row && at < inner; /* or padding after it */
		const bool is_free = in_row >= 32 && in_row < 100; /* the findings allowed, and the tag */
		blob[at] ^= flips;
		mend(blob, length);
		const enum urivet_compiled_fault fault = urivet_compiled_open(&q, sizeof q, blob, length, NULL);
		cr_expect(fault == URIVET_COMPILED_CONTENT || ((is_text || is_free) && fault == URIVET_COMPILED_GOOD), "%zu: %u", at, fault);
		blob[at] ^= flips;
	}
	/* a policy of values with rules of its own; one that begins elsewhere, or is too short or odd */
	struct urivet_policy outer = built_in(URIVET_STRICT);
	struct urivet_parameter_rule one = rules[0];
	one.policy = &p;
	outer.parameters = &one;
	outer.parameter_count = 1;
	cr_expect(urivet_compiled_write(blob, ROOM, &outer, urivet_text_of(NULL, 0)) == 0 && !is_valid(&outer));
	static const uint64_t lengths[] = {0, 1, 4, 12, HEAD + 7, UINT64_MAX, UINT64_MAX - 7};
	for (unsigned k = 0; k < 2 * (sizeof lengths / sizeof lengths[0]); k++) {
		cr_assert(urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0)) == length);
		memcpy(blob + (k % 2 ? inner + 16 : HEAD - 16), &lengths[k / 2], 8); /* of one, or of all such policies */
		mend(blob, length);
		cr_expect(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_CONTENT);
	}
	/* a relative rule outside of a compiled policy */
	struct urivet_report r;
	cr_assert(urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0)) == length);
	cr_assert(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
	memcpy(rules, q.parameters, sizeof rules);
	for (unsigned k = 0; k < 3; k++)
		rules[k].at = rules[k].policy_at = 5;
	cr_expect(!is_valid(&p) && urivet_parameter_rule_name(&rules[0]).length == 0);
	cr_expect(urivet_check(&r, LITERAL("http://h/?a=/"), &p) == URIVET_ACCEPT);
	rules[0].scope = 0;
	rules[0].name = "a";
	rules[0].scope = URIVET_SCOPE_RELATIVE;
	cr_expect(!urivet_policy_finish(&p, NULL, 0));
	/* one whose policy was overwritten after it was opened rejects every value */
	cr_expect(urivet_check(&r, LITERAL("http://h/?a=/"), &q) == URIVET_ACCEPT);
	blob[inner + 12]++;
	cr_expect(urivet_check(&r, LITERAL("http://h/?a=/"), &q) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "param-refused");
	cr_expect(urivet_check(&r, LITERAL("http://h/?b=/"), &q) == URIVET_ACCEPT);
}

/* Octets of policies of values that were overwritten after the policy around them was opened: every
 * value that they judge is rejected. */
Test(compiled, overwritten_policies_of_values)
{
	const struct urivet_policy by = built_in(URIVET_PUBLIC);
	const struct urivet_parameter_rule rule = {.name = "a", .length = 1, .times = 1, .judges = true, .policy = &by};
	struct urivet_policy p = built_in(URIVET_STRICT), q;
	struct urivet_report r;
	p.parameters = &rule;
	p.parameter_count = 1;
	const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	const size_t inner = length - HEAD - 8, row = HEAD;
	const uint64_t one = 1;
	const size_t top = *(const uint8_t *)&one == 1 ? 7 : 0; /* the most significant octet of a length */
	const struct {
		size_t at;
		uint8_t flips;
	} changes[] = {{0, 0}, {inner + 8, 1}, {inner + 12, 1}, {inner + HEAD - 8 + top, 0x40}, {inner + HEAD - 16 + top, 0x40}, {row + 8, 4}, {row + 15, 1}};
	for (unsigned k = 0; k < sizeof changes / sizeof changes[0]; k++) {
		cr_assert(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == URIVET_COMPILED_GOOD);
		blob[changes[k].at] ^= changes[k].flips;
		cr_expect((urivet_check(&r, LITERAL("http://h/?a=/"), &q) == URIVET_ACCEPT) == (k == 0), "%u", k);
		cr_expect_str_eq(ids_of(&r), k == 0 ? "-" : "param-refused");
		blob[changes[k].at] ^= changes[k].flips;
	}
}

/* Policies of values that are not written: one with a rule that means nothing. Forged ones that are
 * not opened: one with rules of its own, and a section that is too short for any. */
Test(compiled, policies_of_values_that_are_none)
{
	struct urivet_policy p = built_in(URIVET_STRICT), by = p, second = p, q;
	struct urivet_host_rule host = {.name = "a b", .length = 3, .scope = URIVET_SCOPE_HOST};
	struct urivet_parameter_rule rules[3] = {
	    {.name = "a", .length = 1, .times = 1, .judges = true, .policy = &by},
	    {.name = "b", .length = 1, .times = 1, .judges = true, .policy = &second},
	    {.name = "c", .length = 1, .times = 1, .judges = true, .policy = &second}};
	uint64_t size;
	p.parameters = rules;
	for (p.parameter_count = 1; p.parameter_count <= 3; p.parameter_count++) {
		by.hosts = (struct urivet_host_list){&host, 1, false, false};
		cr_expect(urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0)) == 0);
		by.hosts.count = 0;
		size = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	}
	cr_assert(size == HEAD + 3 * sizeof rules[0] + 16 + 2 * (HEAD + 8)); /* one for both b and c, which is opened, too */
	blob[size - 1] = 1;
	mend(blob, size);
	expect_fault(URIVET_COMPILED_CONTENT, blob, size);
	p.parameter_count = 1;
	cr_expect(urivet_compiled_write(NULL, 0, &p, urivet_text_of("x", (size_t)URIVET_MAX_LENGTH + 1)) == 0);
	const size_t length = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	const size_t inner = length - HEAD - 8;
	/* the end of the section becomes extra data */
	for (unsigned k = 0; k < 3; k++) {
		static const uint64_t lengths[3][2] = {{HEAD + 8, 0}, {HEAD - 8, 16}, {HEAD, 8}};
		memcpy(blob + HEAD - 16, lengths[k], 16);
		mend(blob, length);
		cr_expect(urivet_compiled_open(&q, sizeof q, blob, length, NULL) == (k == 0 ? URIVET_COMPILED_GOOD : URIVET_COMPILED_CONTENT), "%u", k);
	}
	memcpy(blob + inner + 16, (uint64_t[]){HEAD}, 8); /* and the policy of values says that it has 2^64 - 8 octets of them */
	memcpy(blob + inner + HEAD - 8, (uint64_t[]){UINT64_MAX - 7}, 8);
	mend(blob + inner, HEAD);
	mend(blob, length);
	expect_fault(URIVET_COMPILED_CONTENT, blob, length);
	host.name = "a.b"; /* its rule becomes one of no action; and no suffixes are none, wherever they are */
	by.hosts.count = 1;
	size = urivet_compiled_write(blob, ROOM, &p, urivet_text_of(NULL, 0));
	cr_expect(urivet_compiled_open(&q, sizeof q, blob, size, NULL) == URIVET_COMPILED_GOOD && (q.suffixes = NULL, urivet_policy_finish(&q, NULL, 0)));
	blob[size - 16 - sizeof host + offsetof(struct urivet_host_rule, action)] = 9;
	mend(blob + size - 16 - sizeof host - HEAD, HEAD + sizeof host + 16), mend(blob, size);
	cr_expect(urivet_compiled_open(&q, sizeof q, blob, size, NULL) == URIVET_COMPILED_CONTENT);
	/* the policy of values becomes one with rules */
	struct urivet_policy nested = built_in(URIVET_STRICT);
	nested.parameters = &rules[1];
	for (nested.parameter_count = 0; nested.parameter_count < 2; nested.parameter_count++) {
		size = urivet_compiled_write(blob + inner, ROOM - inner, &nested, urivet_text_of(NULL, 0));
		cr_assert(size > 0);
		memcpy(blob + HEAD - 16, (uint64_t[]){size, 0}, 16);
		size += inner;
		memcpy(blob + 16, &size, 8);
		mend(blob, size);
		cr_expect(urivet_compiled_open(&q, sizeof q, blob, size, NULL) == (nested.parameter_count == 0 ? URIVET_COMPILED_GOOD : URIVET_COMPILED_CONTENT));
	}
}
