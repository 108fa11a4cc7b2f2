/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds inputs for which a mutant and the original core give different answers.
 *
 *   tell record INPUTS SUMS        what the core at hand makes of each input
 *   tell find INPUTS SUMS ROW...   the first input of which it makes something else
 *
 * INPUTS is what inputs.py wrote; SUMS has one sum of 32 bits for each input and row of
 * `asked`. `find` asks the rows named, all without a name: it prints the number of the
 * input and the name of the row and exits with 1, or prints nothing and exits with 0.
 *
 * This is no test: what the sound core makes of an input is nobody's expectation. It says
 * which survivors deserve one.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/rules.h>
#include <urivet/scan.h>
#include <urivet/spelling.h>

#include "../../built_in.h"
#include "policy/addr.h"

static uint32_t sum;
static char out[1 << 20], other[1 << 20];

static void take(const void *data, size_t length)
{
	const unsigned char *p = data;
	for (size_t k = 0; k < length; k++)
		sum = (sum ^ p[k]) * 16777619u;
}

static void number(uint64_t n)
{
	take(&n, sizeof n);
}

static void text(size_t length, size_t capacity)
{
	number(length);
	if (capacity > 0)
		take(out, length < capacity ? length + 1 : capacity);
}

static void uri(const struct urivet_uri *u)
{
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++) {
		number(u->part[c].offset);
		number(u->part[c].length);
	}
	number(u->present);
	number(u->port);
	number(u->scheme);
	number(u->host_kind);
	number(u->has_ipv4);
	if (u->has_ipv4)
		take(u->address, 4);
	if (u->host_kind == URIVET_HOST_IPV6)
		take(u->address, 16);
}

static void report(const struct urivet_report *r)
{
	number(r->verdict);
	number(r->parsed);
	if (r->parsed)
		uri(&r->uri);
	number(r->count);
	number(r->dropped);
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		number(f->id);
		number(f->class_ * 256u + f->component);
		number(f->span.offset);
		number(f->span.length);
		number(f->count);
	}
	number(r->host_rule != NULL ? r->host_rule->tag : 0);
	number(r->address_rule != NULL ? r->address_rule->tag : 0);
	number(r->port_rule != NULL ? r->port_rule->tag : 0);
	if (r->address_row != NULL)
		take(r->address_row->name, strlen(r->address_row->name));
	number(urivet_reason(r, NULL));
}

/* ---- Policies --------------------------------------------------------------------- */

static struct urivet_policy waiving, raising, listing, sorting, narrow;

/* Many rules, in order. */
static void sort_lists(void)
{
	static const char *const labels[] = {"a", "b", "h", "www", "com", "example", "x-y", "1a"};
	static struct urivet_host_rule hosts[3 * 64];
	static struct urivet_address_rule addresses[2 * 33];
	static char names[64][24];
	uint32_t n = 0;
	for (unsigned k = 0; k < 64; k++) {
		snprintf(names[k], sizeof names[k], "*.%s.%s", labels[k / 8], labels[k % 8]);
		for (unsigned form = 0; form < 3; form++) {
			const char *name = names[k] + (form + 1) % 3;
			if (k % 5 == form || !urivet_host_rule_from(&hosts[n], name, strlen(name), URIVET_ALLOW))
				continue;
			hosts[n].action = (k + form) % 3 == 0 ? URIVET_DENY : URIVET_ALLOW;
			hosts[n++].tag = k * 3 + form;
		}
	}
	sorting = built_in(URIVET_PUBLIC);
	qsort(hosts, n, sizeof hosts[0], urivet_order(URIVET_LIST_HOSTS));
	sorting.hosts = (struct urivet_host_list){hosts, n, true, false};
	n = 0;
	for (unsigned length = 0; length <= 32; length++)
		for (unsigned six = 0; six < 2; six++) {
			struct urivet_network *to = &addresses[n].network;
			to->octets = six ? 16 : 4;
			to->length = (uint8_t)(six ? length * 4 : length);
			for (unsigned bit = 0; bit < to->length; bit++)
				to->address[bit / 8] |= (uint8_t)((bit * bit + length / 3) % 7 % 2 << (7 - bit % 8));
			addresses[n].action = length % 4 == 1 ? URIVET_DENY : URIVET_ALLOW;
			addresses[n++].tag = length * 2 + six;
		}
	qsort(addresses, n, sizeof addresses[0], urivet_order(URIVET_LIST_ADDRESSES));
	sorting.addresses = (struct urivet_address_list){addresses, n, true};
	if (!urivet_policy_finish(&sorting, NULL, 0))
		abort();
}

static void policies(void)
{
	static struct urivet_host_rule hosts[5];
	static struct urivet_address_rule addresses[4];
	static struct urivet_network nat64[2];
	static const struct urivet_port_rule ports[] = {
	    {1u << URIVET_SCHEME_HTTP | 1u << URIVET_SCHEME_HTTPS, 8000, 8100, 7},
	    {1u << URIVET_SCHEME_HTTP, 22, 22, 8}};
	static const char *const names[] = {".example.com", "*.org", "www.example.com", "h", "localhost"};
	static const char *const blocks[] = {"192.0.2.0/24", "192.0.2.66", "10.0.0.0/8", "2001:db8::/32"};
	waiving = built_in(URIVET_ANY);
	raising = built_in(URIVET_STRICT);
	listing = narrow = built_in(URIVET_PUBLIC);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		urivet_policy_waive(&waiving, id);
		urivet_policy_raise(&raising, id);
	}
	for (uint32_t k = 0; k < 5; k++) {
		urivet_host_rule_from(&hosts[k], names[k], strlen(names[k]),
				      k == 2 ? URIVET_DENY : URIVET_ALLOW);
		hosts[k].tag = 100 + k;
	}
	for (uint32_t k = 0; k < 4; k++) {
		urivet_network_from(&addresses[k].network, blocks[k], strlen(blocks[k]));
		addresses[k].action = k == 1 ? URIVET_DENY : URIVET_ALLOW;
		addresses[k].tag = 200 + k;
	}
	urivet_network_from(&nat64[0], "64:ff9b:1::/48", 14);
	urivet_network_from(&nat64[1], "2001:db8::/96", 13);
	listing.hosts = (struct urivet_host_list){hosts, 5, false, true};
	listing.addresses = (struct urivet_address_list){addresses, 4, false};
	listing.ports = ports;
	listing.port_count = 2;
	listing.nat64 = nat64;
	listing.nat64_count = 2;
	sort_lists();
	narrow.max_length = 40;
	narrow.max_host = 12;
	narrow.max_label = 5;
}

/* ---- What is asked ---------------------------------------------------------------- */

static struct urivet_report r;

static void judge(const char *data, size_t length, const struct urivet_policy *policy)
{
	urivet_check(&r, data, length, policy);
	report(&r);
}

static void check(const char *data, size_t length)
{
	judge(data, length, NULL);
	number(urivet_ok(data, length));
	judge(data, length, BY_PUBLIC);
	judge(data, length, BY_ANY);
	judge(data, length, BY_GATEWAY);
}

static void check_more(const char *data, size_t length)
{
	judge(data, length, &waiving);
	judge(data, length, &raising);
	judge(data, length, &listing);
	judge(data, length, &sorting);
	judge(data, length, &narrow);
}

static void parse(const char *data, size_t length)
{
	struct urivet_uri u;
	size_t misfit = 0;
	const bool parses = urivet_parse(&u, data, length, &misfit);
	number(parses);
	if (parses) {
		uri(&u);
		text(urivet_format_address(out, 64, &u), 64);
	} else {
		number(misfit);
	}
}

static void read(const char *data, size_t length)
{
	for (unsigned how = 0; how < URIVET_READERS; how++) {
		const size_t room = how % 2 == 0 || length < 8 ? sizeof out : length + 5;
		struct urivet_reading reading;
		if (!urivet_read_as(&reading, (enum urivet_reader)how, data, length, out, room))
			continue;
		number(how);
		uri(&reading.uri);
		text(reading.written, reading.written > 0 ? sizeof out : 0);
	}
}

static void normalise(const char *data, size_t length)
{
	for (unsigned how = 0; how < URIVET_READERS; how++)
		for (unsigned level = 0; level < 2; level++) {
			bool readable = false;
			text(urivet_normalise(out, sizeof out, data, length, (enum urivet_level)level,
					      (enum urivet_reader)how, &readable),
			     sizeof out);
			number(readable);
		}
}

/* Splits one text into two: at the first space, or in the middle. */
static size_t middle(const char *data, size_t length, size_t *second)
{
	const char *space = length > 0 ? memchr(data, ' ', length) : NULL;
	const size_t first = space != NULL ? (size_t)(space - data) : length / 2;
	*second = first + (space != NULL);
	return first;
}

static void resolve(const char *data, size_t length)
{
	size_t second, n = middle(data, length, &second);
	static const char base[] = "http://a/b/c/d;p?q";
	enum urivet_resolved how;
	for (unsigned edition = 0; edition < URIVET_READERS; edition++) {
		text(urivet_resolve(out, sizeof out, (enum urivet_reader)edition, urivet_text_of(data, n), urivet_text_of(data + second, length - second), false, &how),
		     sizeof out);
		number(how);
		text(urivet_resolve(out, edition % 2 ? 9 : sizeof out, (enum urivet_reader)edition, urivet_text_of(base, sizeof base - 1), urivet_text_of(data, length), true, &how),
		     edition % 2 ? 9 : sizeof out);
		number(how);
	}
	urivet_check_reference(&r, out, length + 8, urivet_text_of(data, n), urivet_text_of(data + second, length - second), 0, NULL);
	report(&r);
	urivet_check_reference(&r, out, sizeof out, urivet_text_of(base, sizeof base - 1), urivet_text_of(data, length), 0, BY_ANY);
	report(&r);
}

static void compare(const char *data, size_t length)
{
	size_t second, n = middle(data, length, &second);
	bool readable;
	const size_t m = urivet_normalise(other, sizeof other, data, length, URIVET_LEVEL_SCHEME,
					  URIVET_READER_RFC3986, &readable);
	const struct urivet_redirect redirect = {{data, n}, {data + second, length - second}};
	number(urivet_compare(urivet_text_of(data, n), urivet_text_of(data + second, length - second), false, NULL, 0));
	number(urivet_compare(urivet_text_of(data, length), urivet_text_of(other, m), length % 2 == 0, NULL, 0));
	number(urivet_compare(urivet_text_of(data, n), urivet_text_of(other, m), true, &redirect, 1));
}

static void suggest(const char *data, size_t length)
{
	const struct urivet_policy *const by[] = {NULL, BY_ANY, BY_GATEWAY, &raising, &listing, &narrow};
	for (unsigned k = 0; k < 6; k++)
		text(urivet_suggest(out, sizeof out, data, length, by[k]), sizeof out);
	text(urivet_suggest(out, length, data, length, NULL), length);
}

/* Judges the input as a URL and as a request target; the first octet selects the rules. */
static void parameters(const char *data, size_t length)
{
	static const struct urivet_text names[] = {{"url", 3}, {"u", 1}};
	const unsigned choice = length > 0 ? (unsigned char)data[0] : 0;
	struct urivet_parameter_scan walk = {.data = data, .length = length};
	struct urivet_parameter p;
	struct urivet_request q;
	struct urivet_parameter_rules rules;
	struct urivet_parameter_input in = {urivet_text_of(data, length), NULL, other, sizeof other};
	struct urivet_report inner;
	size_t fault = 0;
	enum urivet_decoded how;
	while (urivet_parameter_next(&walk, &p)) {
		number(p.name.offset + p.value.offset * 2 + p.value.length * 3 + p.has_value);
		text(urivet_decode(out, sizeof out, urivet_text_of(data + p.value.offset, p.value.length),
				   (enum urivet_coding)(choice % 3), &how, &fault), sizeof out);
		number((unsigned)how + (unsigned)fault);
	}
	number(urivet_parameter_rules_init(&rules, sizeof rules) + urivet_parameter_rules_valid(&rules));
	rules.names = names;
	rules.count = choice % 3;
	rules.times = 1 + choice / 3 % 2;
	rules.same_origin = choice / 6 % 2 == 0;
	rules.absolute = choice / 48 % 2 == 1;
	rules.policy = choice / 12 % 2 == 0 ? BY_PUBLIC : BY_ANY;
	urivet_check(&r, data, length, BY_ANY);
	number(urivet_check_parameters(&r, &inner, &in, &rules, BY_ANY));
	report(&r);
	number(urivet_request_init(&q, sizeof q));
	q.host = urivet_text_of("www.example.com", 15);
	q.scheme = choice / 24 % 2 == 0 ? URIVET_SCHEME_HTTP : URIVET_SCHEME_NONE;
	in.request = &q;
	in.capacity = length * (choice % 7);
	urivet_check_request(&r, in.text.data, in.text.length, &q, BY_GATEWAY, NULL);
	number(urivet_check_parameters(&r, &inner, &in, &rules, BY_GATEWAY));
	report(&r);
}

/* Judges a request; the first octet selects what is known of it, and the method may be the
 * beginning of the data. */
static void request(const char *data, size_t length)
{
	static const uint32_t schemes[] = {URIVET_SCHEME_NONE, URIVET_SCHEME_HTTP, URIVET_SCHEME_HTTPS,
					   URIVET_SCHEME_WS};
	static const uint32_t ports[] = {URIVET_NO_PORT, 443, 8443, 0};
	const unsigned choice = length > 0 ? (unsigned char)data[0] : 0;
	size_t second, n = middle(data, length, &second);
	enum urivet_target_form form;
	struct urivet_request q;
	number(urivet_request_init(&q, sizeof q));
	q.scheme = schemes[choice % 4];
	q.port = ports[choice / 4 % 4];
	q.method = choice % 5 == 0 ? urivet_text_of(data, n)
	                           : urivet_text_of(choice % 5 == 1 ? "CONNECT" : "OPTIONS", 7);
	q.host = choice % 3 == 0 ? urivet_text_of("h:8443", 6)
	                         : urivet_text_of(data + second, length - second);
	q.host_unknown = choice % 11 == 0;
	number(urivet_request_valid(&q));
	urivet_check_request(&r, data, choice % 7 == 0 ? length : n, &q, BY_GATEWAY, &form);
	report(&r);
	number(form);
	for (uint32_t k = 0; k < r.count; k++)
		number(urivet_finding_refuses(&r, &r.finding[k], BY_GATEWAY));
}

static void target(const char *data, size_t length)
{
	size_t second, n = middle(data, length, &second);
	enum urivet_target_form form;
	check_target(&r, urivet_text_of(data, n), urivet_text_of(data + second, length - second), NULL, &form);
	report(&r);
	number(form);
	check_target(&r, urivet_text_of(data, length), urivet_text_of(NULL, 0), BY_ANY, &form);
	report(&r);
	number(form);
	check_target(&r, urivet_text_of(data, length), urivet_text_of("h:80", 4), &listing, &form);
	report(&r);
	request(data, length);
}

static void disagree(const char *data, size_t length)
{
	enum urivet_reader pair[2] = {0, 0};
	number(urivet_readers_disagree(urivet_text_of(data, length), out, sizeof out, pair, NULL, NULL));
	number(pair[0] * 16u + pair[1]);
	urivet_check(&r, data, length, &waiving);
	urivet_readers_disagree(urivet_text_of(data, length), out, 2 * URIVET_READING_CAPACITY(length), NULL, &r, &waiving);
	report(&r);
	number(urivet_readers_disagree(urivet_text_of(data, length), out, length * 2 + 20, NULL, NULL, NULL));
}

static void scan(const char *data, size_t length)
{
	struct urivet_scan s = {data, length, 0};
	struct urivet_found found;
	size_t n = 0;
	while (urivet_scan_next(&s, SIZE_MAX, &found, out, 40, &n)) {
		number(found.offset);
		number(found.length);
		number(found.kind * 8u + found.delimited * 4u + found.broken * 2u + found.hyphen_at_break);
		text(n, 40);
		number(s.position);
	}
}

static void lists(const char *data, size_t length)
{
	struct urivet_host_rule rule = {.tag = 1};
	struct urivet_network network = {.length = 1};
	const struct urivet_address_row *row;
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(80)};
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(443)};
	if (urivet_host_rule_from(&rule, data, length, URIVET_ALLOW))
		number(rule.length * 8u + rule.scope);
	if (urivet_network_from(&network, data, length)) {
		take(network.address, network.octets);
		number(network.length);
		number(urivet_network_holds(&network, (const uint8_t *)"\300\0\2\102", 4));
	}
	if (length >= 16) {
		memcpy(&six.sin6_addr, data, 16);
		memcpy(&four.sin_addr, data, 4);
		six.sin6_scope_id = (uint8_t)data[0] == 0xfe;
		row = urivet_address_info((const uint8_t *)data, 16);
		take(row->name, strlen(row->name));
		row = urivet_address_info((const uint8_t *)data, 4);
		take(row->name, strlen(row->name));
		urivet_check_peer(&r, (struct sockaddr *)&six, sizeof six, &listing);
		report(&r);
		urivet_check_peer(&r, (struct sockaddr *)&six, sizeof six, &sorting);
		report(&r);
		urivet_check_peer(&r, (struct sockaddr *)&four, sizeof four, &sorting);
		report(&r);
		urivet_check_peer(&r, (struct sockaddr *)&six, sizeof six, BY_PUBLIC);
		report(&r);
		urivet_check_peer(&r, (struct sockaddr *)&four, sizeof four, BY_PUBLIC);
		report(&r);
	}
}

static const struct {
	const char *name;
	void (*ask)(const char *data, size_t length);
} asked[] = {{"check", check},       {"more", check_more},     {"parse", parse},   {"read", read},
	     {"normalise", normalise}, {"resolve", resolve},     {"compare", compare}, {"suggest", suggest},
	     {"target", target},     {"disagree", disagree},   {"scan", scan},     {"lists", lists},
	     {"parameters", parameters}};
#define ASKED (sizeof asked / sizeof asked[0])

static uint32_t sum_of(unsigned row, const char *data, size_t length)
{
	char *exact = malloc(length + 1);
	if (exact == NULL)
		exit(2);
	memcpy(exact, data, length);
	sum = 2166136261u;
	asked[row].ask(exact, length);
	free(exact);
	return sum;
}

static char *whole(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	char *data = malloc(1 << 28);
	if (file == NULL || data == NULL)
		exit(2);
	*length = fread(data, 1, 1 << 28, file);
	fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	size_t length, at = 0, sums_length = 0;
	bool wanted[ASKED] = {false};
	char *inputs = whole(argv[2], &length);
	uint32_t *sums = NULL;
	FILE *file = NULL;
	policies();
	if (strcmp(argv[1], "record") == 0)
		file = fopen(argv[3], "wb");
	else
		sums = (uint32_t *)whole(argv[3], &sums_length);
	for (unsigned k = 0; k < ASKED; k++) {
		wanted[k] = argc == 4;
		for (int n = 4; n < argc; n++)
			wanted[k] = wanted[k] || strcmp(argv[n], asked[k].name) == 0;
	}
	for (uint32_t n = 0; at + 2 <= length; n++) {
		const size_t here = (unsigned char)inputs[at] + 256u * (unsigned char)inputs[at + 1];
		for (unsigned k = 0; k < ASKED; k++) {
			if (!wanted[k])
				continue;
			const uint32_t found = sum_of(k, inputs + at + 2, here);
			if (file != NULL) {
				fwrite(&found, sizeof found, 1, file);
			} else if (found != sums[n * ASKED + k]) {
				printf("%u %s\n", n, asked[k].name);
				return 1;
			}
		}
		at += 2 + here;
	}
	return file != NULL && fclose(file) != 0;
}
