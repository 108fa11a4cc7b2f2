/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes cases.jsonl: the cases and the library's answers, which every binding must give too.
 * README.md beside it says what the members mean. With an argument, "records", it
 * writes the library's answers for each NUL-terminated record of standard input, to compare builds.
 */
#include <stdlib.h>
#include <urivet/compiled.h>
#include <urivet/json.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/rules.h>
#include <urivet/scan.h>
#include <urivet/spelling.h>

#include "../../built_in.h"
#include "write.h"

enum { ROOM = 1 << 16 };

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])
#define EACH(write, rows)                                                                          \
	for (size_t k = 0; k < COUNT(rows); k++)                                                   \
	write((rows)[k])

static void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
}

/* ---- Policies --------------------------------------------------------------------- */

enum { HOOKS = URIVET_BASES, LISTS, LOOPBACK, POLICIES };
static const char *const policy_name[POLICIES] = {"strict", "public", "any",     "gateway",
						  "hooks",  "lists",  "loopback"};
static struct urivet_policy policies[POLICIES];

static struct urivet_host_rule host_rule(const char *name, enum urivet_action action)
{
	struct urivet_host_rule rule;
	if (!urivet_host_rule_from(&rule, name, strlen(name), action))
		abort();
	return rule;
}

static struct urivet_address_rule address_rule(const char *network, enum urivet_action action)
{
	struct urivet_address_rule rule = {.action = (uint8_t)action};
	if (!urivet_network_from(&rule.network, network, strlen(network)))
		abort();
	return rule;
}

static struct urivet_url_rule url_rule(const char *url)
{
	struct urivet_url_rule rule;
	if (!urivet_url_rule_from(&rule, url, strlen(url)))
		abort();
	return rule;
}

/* Returns the policy for receivers of events, as in src/examples/policies/webhooks.yaml. */
static struct urivet_policy hooks(void)
{
	static struct urivet_url_rule urls[4];
	static struct urivet_host_rule denied[1];
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	urls[0] = url_rule("https://hooks.example.com/");
	urls[1] = url_rule("https://ci.example.com:8443/events");
	urls[2] = url_rule("https://chat.example.net/hook$");
	urls[3] = url_rule("https://*.tenants.example.org/in/");
	denied[0] = host_rule("bad.tenants.example.org", URIVET_DENY);
	p.name = "hooks";
	p.schemes = 1u << URIVET_SCHEME_HTTPS;
	p.urls = urls;
	p.url_count = 4;
	p.hosts.rule = denied;
	p.hosts.count = 1;
	p.max_length = 1024;
	if (!urivet_policy_raise(&p, URIVET_F_QUERY_SECRET))
		abort();
	return p;
}

/* Returns a policy with lists of hosts, addresses and ports, a waived finding and a raised note. */
static struct urivet_policy lists(void)
{
	static struct urivet_host_rule hosts[2];
	static struct urivet_address_rule addresses[2];
	static const struct urivet_port_rule ports[] = {
	    {.schemes = 1u << URIVET_SCHEME_HTTPS, .first = 8443, .last = 8450}};
	struct urivet_policy p = built_in(URIVET_STRICT);
	hosts[0] = host_rule(".example.com", URIVET_ALLOW);
	hosts[1] = host_rule("*.internal.example.com", URIVET_DENY);
	addresses[0] = address_rule("192.0.2.0/24", URIVET_ALLOW);
	addresses[1] = address_rule("192.0.2.66", URIVET_DENY);
	p.name = "lists";
	p.hosts.rule = hosts;
	p.hosts.count = 2;
	p.hosts.only = true;
	p.addresses.rule = addresses;
	p.addresses.count = 2;
	p.ports = ports;
	p.port_count = 1;
	if (!urivet_policy_waive(&p, URIVET_F_USERINFO_PRESENT) ||
	    !urivet_policy_raise(&p, URIVET_F_HOST_CASE))
		abort();
	return p;
}

/* Returns public with an exception for a test server at 127.0.0.1 on a temporary port. */
static struct urivet_policy loopback(void)
{
	static struct urivet_host_rule hosts[1];
	static struct urivet_address_rule addresses[1];
	static const struct urivet_port_rule ports[] = {
	    {.schemes = 1u << URIVET_SCHEME_HTTP | 1u << URIVET_SCHEME_HTTPS,
	     .first = 1024,
	     .last = 65535}};
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	hosts[0] = host_rule(".good.test", URIVET_ALLOW);
	addresses[0] = address_rule("127.0.0.1", URIVET_ALLOW);
	p.name = "loopback";
	p.hosts.rule = hosts;
	p.hosts.count = 1;
	p.addresses.rule = addresses;
	p.addresses.count = 1;
	p.ports = ports;
	p.port_count = 1;
	return p;
}

/* Octets at a multiple of 8, as compiled policies require. */
struct blob {
	unsigned char *data;
	size_t length;
};

static struct blob compiled(const struct urivet_policy *policy)
{
	struct blob blob = {.length =
				urivet_compiled_write(NULL, 0, policy, urivet_text_of(NULL, 0))};
	blob.data = room_for(blob.length);
	if (blob.length == 0 || urivet_compiled_write(blob.data, blob.length, policy,
						      urivet_text_of(NULL, 0)) != blob.length)
		abort();
	return blob;
}

static void write_policy(const char *name, struct blob blob)
{
	struct urivet_policy opened;
	const enum urivet_compiled_fault fault =
	    urivet_compiled_open(&opened, sizeof opened, blob.data, blob.length, NULL);
	begin_case("policy");
	string("name", name);
	truth("opens", fault == URIVET_COMPILED_GOOD);
	string("fault", urivet_compiled_fault_text(fault));
	hex("compiled", blob.data, blob.length);
	end_case();
}

/* Writes the compiled policy with the first changed octet that has this fault, if there is one. */
static void write_fault(struct blob good, enum urivet_compiled_fault fault)
{
	struct urivet_policy opened;
	for (size_t at = 0; at < good.length; at++) {
		good.data[at] ^= 0x40;
		const bool has_fault = urivet_compiled_open(&opened, sizeof opened, good.data,
							    good.length, NULL) == fault;
		if (has_fault)
			write_policy("changed", good);
		good.data[at] ^= 0x40;
		if (has_fault)
			return;
	}
}

/* Writes invalid compiled policies: the same octets with one fault each. */
static void write_faulty(struct blob good)
{
	struct blob bad = {room_for(good.length + 8), good.length};
	for (unsigned fault = URIVET_COMPILED_GOOD + 1; fault < URIVET_COMPILED_FAULTS; fault++)
		write_fault(good, (enum urivet_compiled_fault)fault);
	memcpy(bad.data, good.data, good.length);
	memset(bad.data + good.length, 0, 8);
	bad.length = good.length - 8;
	write_policy("truncated", bad);
	bad.length = good.length + 8;
	write_policy("longer", bad);
	bad.length = 7;
	write_policy("head", bad);
	bad.length = 0;
	write_policy("empty", bad);
	free(bad.data);
}

static struct blob blobs[POLICIES];

/* Compiles the policies and opens them again, as bindings do. */
static void make_policies(void)
{
	for (int k = 0; k < URIVET_BASES; k++)
		policies[k] = built_in(k);
	policies[HOOKS] = hooks();
	policies[LISTS] = lists();
	policies[LOOPBACK] = loopback();
	for (int k = HOOKS; k < POLICIES; k++) {
		blobs[k] = compiled(&policies[k]); /* lives as long as the program */
		if (urivet_compiled_open(&policies[k], sizeof policies[k], blobs[k].data,
					 blobs[k].length, NULL) != URIVET_COMPILED_GOOD)
			abort();
	}
}

static void write_compiled(int policy)
{
	write_policy(policy_name[policy], blobs[policy]);
	if (policy == LISTS)
		write_faulty(blobs[policy]);
}

/* ---- Reports ------------------------------------------------------------------------ */

static void write_findings(const struct urivet_report *r, const struct urivet_policy *policy)
{
	key("findings");
	open_with('[');
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		open_with('{');
		string("id", urivet_finding_info(f->id)->name);
		string("class", urivet_class_name(f->class_));
		string("component", urivet_component_name(f->component));
		string("in", f->in == URIVET_IN_INPUT ? "input" : "host");
		number("offset", f->span.offset);
		number("length", f->span.length);
		number("count", f->count);
		truth("refuses", urivet_finding_refuses(r, f, policy));
		close_with('}');
	}
	close_with(']');
}

static void write_report(const struct urivet_report *r, const struct urivet_policy *policy)
{
	string("verdict", r->verdict == URIVET_ACCEPT ? "accept" : "reject");
	string("reason", urivet_reason_name(urivet_reason(r, policy)));
	truth("parsed", r->parsed);
	if (r->parsed && r->uri.port != URIVET_NO_PORT)
		number("effective_port", r->uri.port);
	else
		string("effective_port", NULL);
	number("dropped", r->dropped);
	write_findings(r, policy);
}

static void write_endpoint(const struct urivet_report *r, struct urivet_text input)
{
	static char texts[ROOM];
	struct urivet_endpoint e;
	key("endpoint");
	if (urivet_endpoint(&e, texts, sizeof texts, r, input.data, input.length) == 0) {
		put_text(urivet_text_of(NULL, 0));
		return;
	}
	open_with('{');
	string("scheme", e.scheme_name);
	string("host", e.host);
	number("port", e.port);
	truth("tls", e.tls);
	hex("address", e.address, e.octets);
	string("host_field", e.host_field);
	string("tls_name", e.tls_name);
	string("target", e.target);
	string("url", e.url);
	close_with('}');
}

static void write_components(const struct urivet_report *r, struct urivet_text input,
			     struct urivet_text host)
{
	key("components");
	open_with('{');
	for (unsigned c = URIVET_SCHEME; r->parsed && c < URIVET_COMPONENTS; c++) {
		const struct urivet_text part =
		    urivet_part(&r->uri, (enum urivet_component)c, input, host);
		if (part.data != NULL)
			text(urivet_component_name(c), part);
	}
	close_with('}');
}

static void begin_judged(const char *kind, int policy)
{
	begin_case(kind);
	string("policy", policy_name[policy]);
}

static void write_check(struct urivet_text input, int policy)
{
	static char spelling[ROOM];
	const struct urivet_policy *p = &policies[policy];
	struct urivet_report r;
	urivet_check(&r, input.data, input.length, p);
	begin_judged("check", policy);
	text("input", input);
	write_report(&r, p);
	write_components(&r, input, urivet_text_of(NULL, 0));
	size_t length =
	    urivet_suggest(spelling, sizeof spelling, input.data, input.length, p);
	struct urivet_iri iri;
	if (length == 0) /* input that is not ASCII may have an ASCII spelling */
		length = urivet_suggest_iri(&iri, spelling, sizeof spelling, input.data,
					    input.length, p);
	text("suggestion", urivet_text_of(length > 0 ? spelling : NULL, length));
	write_endpoint(&r, input);
	end_case();
}

/* Writes the report of urivet_format_report() as a text. */
static void write_json(struct urivet_text input, int policy)
{
	static char json[ROOM];
	struct urivet_report r;
	urivet_check(&r, input.data, input.length, &policies[policy]);
	const size_t length = urivet_format_report(json, sizeof json, &r, input.data, input.length,
						   NULL, &policies[policy]);
	begin_judged("json", policy);
	text("input", input);
	text("json", urivet_text_of(json, length));
	end_case();
}

/* Writes which of all policies accept the input. */
static void write_verdicts(struct urivet_text input)
{
	begin_case("verdicts");
	text("input", input);
	key("accepted_by");
	open_with('[');
	for (int k = 0; k < POLICIES; k++)
		if (urivet_verdict_of(input.data, input.length, &policies[k], NULL) == URIVET_ACCEPT)
			put_text(text_of(policy_name[k]));
	close_with(']');
	end_case();
}

/* ---- The catalogue's own inputs -------------------------------------------------------- */

#define OCTETS(literal)                                                                            \
	{                                                                                          \
		literal, sizeof(literal) - 1                                                       \
	}
/* clang-format off */
#define FINDING_AS(policy, name, number, id, class_, component, reference, fires, misses, ...) \
	OCTETS(fires), OCTETS(misses),
#define FINDING(...) FINDING_AS(strict, __VA_ARGS__)
static const struct urivet_text catalogue[] = {
#include <urivet/findings.def>
};
#undef FINDING
#undef FINDING_AS
/* clang-format on */

static bool stands_before(size_t row)
{
	for (size_t k = 0; k < row; k++)
		if (catalogue[k].length == catalogue[row].length &&
		    memcmp(catalogue[k].data, catalogue[row].data, catalogue[row].length) == 0)
			return true;
	return false;
}

static void write_catalogue(void)
{
	for (size_t k = 0; k < COUNT(catalogue); k++) {
		if (stands_before(k))
			continue;
		write_check(catalogue[k], URIVET_STRICT);
		write_verdicts(catalogue[k]);
	}
}

static void write_numbers(void)
{
	begin_case("catalogue");
	string("version", urivet_version());
	key("findings");
	open_with('{');
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (urivet_finding_info(id) != NULL)
			number(urivet_finding_info(id)->name, id);
	close_with('}');
	end_case();
}

/* ---- Inputs by policy -------------------------------------------------------------------- */

static const struct {
	int policy;
	struct urivet_text of[11];
} judged[] = {
#include "judged.def"
};

static void write_judged(void)
{
	for (size_t k = 0; k < COUNT(judged); k++)
		for (const struct urivet_text *input = judged[k].of; input->data != NULL; input++) {
			write_check(*input, judged[k].policy);
			write_json(*input, judged[k].policy);
		}
}

/* ---- Requests ------------------------------------------------------------------------------ */

static const struct request {
	int policy;
	const char *target, *method, *host, *scheme; /* NULL: not given */
	uint32_t port;                               /* 0: not given */
	bool host_unknown;
} requests[] = {
#include "requests.def"
};

static void write_request(const struct request *asked)
{
	const struct urivet_policy *p = &policies[asked->policy];
	const struct urivet_text target = text_of(asked->target),
				 host = text_of(asked->host);
	struct urivet_request request;
	struct urivet_report r;
	enum urivet_target_form form;
	static const char *const forms[] = {"none", "origin", "absolute", "authority", "asterisk"};
	urivet_request_init(&request, sizeof request);
	request.method = text_of(asked->method);
	request.host = host;
	request.host_unknown = asked->host_unknown;
	if (asked->scheme != NULL)
		request.scheme = strcmp(asked->scheme, "http") == 0 ? URIVET_SCHEME_HTTP
									 : URIVET_SCHEME_HTTPS;
	if (asked->port != 0)
		request.port = asked->port;
	urivet_check_request(&r, target.data, target.length, &request, p, &form);
	begin_judged("request", asked->policy);
	text("target", target);
	text("method", request.method);
	text("host", host);
	truth("host_unknown", request.host_unknown);
	string("scheme", asked->scheme);
	number("port", asked->port);
	write_report(&r, p);
	write_components(&r, target, host);
	string("form", forms[form]);
	end_case();
}

/* ---- References, and what else is made of two texts ------------------------------------------- */

static const struct {
	int policy;
	struct urivet_text base, reference;
	bool same_origin;
} references[] = {
#include "references.def"
};

static void write_reference(size_t k)
{
	static char out[ROOM];
	static const char *const outcomes[] = {"unresolved", "resolved", "same-document"};
	const struct urivet_policy *p = &policies[references[k].policy];
	const struct urivet_text base = references[k].base, reference = references[k].reference;
	struct urivet_report r;
	enum urivet_resolved how;
	size_t length =
	    urivet_resolve(out, sizeof out, URIVET_READER_RFC3986, base, reference, true, &how);
	begin_case("resolve");
	text("base", base);
	text("reference", reference);
	string("outcome", outcomes[how]);
	text("target", urivet_text_of(how == URIVET_UNRESOLVED ? NULL : out, length));
	end_case();
	urivet_check_reference(&r, out, sizeof out, base, reference,
				    references[k].same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0,
				    p);
	begin_judged("reference", references[k].policy);
	text("base", base);
	text("reference", reference);
	truth("same_origin", references[k].same_origin);
	write_report(&r, p);
	text("target", text_of(out));
	write_endpoint(&r, text_of(out));
	end_case();
}

static const struct urivet_text pairs[][2] = {
    {OCTETS("http://a/"), OCTETS("http://a/")},   {OCTETS("http://A/%7e"), OCTETS("http://a/~")},
    {OCTETS("http://a:80"), OCTETS("http://a/")}, {OCTETS("http://a/#x"), OCTETS("http://a/")},
    {OCTETS("http://a/b"), OCTETS("http://a/c")}, {OCTETS("http://a b/"), OCTETS("http://a b/")},
};

static void write_comparison(size_t k, bool no_fragment)
{
	static const char *const rungs[] = {"different", "protocol", "scheme", "syntax",
					    "identical"};
	begin_case("compare");
	text("a", pairs[k][0]);
	text("b", pairs[k][1]);
	truth("no_fragment", no_fragment);
	string("rung", rungs[urivet_compare(pairs[k][0], pairs[k][1], no_fragment, NULL, 0)]);
	end_case();
}

static void write_normal_form(struct urivet_text input, enum urivet_level level)
{
	static char out[ROOM];
	bool readable;
	const size_t length = urivet_normalise(out, sizeof out, input.data, input.length, level,
					       URIVET_READER_RFC3986, &readable);
	begin_case("normalise");
	text("input", input);
	string("level", level == URIVET_LEVEL_SYNTAX ? "syntax" : "scheme");
	text("result", urivet_text_of(readable ? out : NULL, length));
	end_case();
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static const struct {
	const char *url, *names; /* names: with spaces between; "": what looks like a URL */
	uint32_t times;
	bool same_origin, absolute;
} queries[] = {
#include "queries.def"
};

static uint32_t split_names(struct urivet_text names[4], const char *list)
{
	uint32_t count = 0;
	while (*list != '\0') {
		const size_t length = strcspn(list, " ");
		names[count++] = urivet_text_of(list, length);
		list += length + (list[length] == ' ');
	}
	return count;
}

static void write_parameter_results(const struct urivet_report *r,
				    const struct urivet_parameter_input *in,
				    const struct urivet_parameter_rules *rules)
{
	static const char *const results[] = {"refused", "undecoded", "no-room", "accepted",
					      "not-asked"};
	const struct urivet_text query =
	    urivet_part(&r->uri, URIVET_QUERY, in->text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
	struct urivet_parameter pair;
	key("parameters");
	open_with('[');
	while (urivet_parameter_next(&scan, &pair)) {
		struct urivet_report inner;
		struct urivet_parameter_texts texts;
		const char *at = query.data;
		char ids[ROOM];
		const enum urivet_parameter_result result =
		    urivet_check_parameter(&inner, &texts, &pair, r, in, rules);
		open_with('{');
		text("name", urivet_text_of(at + pair.name.offset, pair.name.length));
		text("raw", urivet_text_of(at + pair.value.offset, pair.value.length));
		string("result", results[result]);
		text("value", texts.value);
		text("judged", texts.judged);
		ids[0] = '\0';
		for (uint32_t k = 0; k < inner.count; k++)
			strcat(strcat(ids, k > 0 ? "," : ""), urivet_finding_name(inner.finding[k].id));
		string("ids", ids);
		close_with('}');
	}
	close_with(']');
}

static void write_query(size_t k)
{
	static char buffer[ROOM];
	const bool is_target = queries[k].url[0] == '/';
	struct urivet_text names[4];
	struct urivet_request request;
	struct urivet_parameter_rules rules;
	struct urivet_report r, inner;
	struct urivet_parameter_input in = {
	    .text = text_of(queries[k].url), .buffer = buffer, .capacity = sizeof buffer};
	const struct urivet_policy *p = &policies[is_target ? URIVET_GATEWAY : URIVET_STRICT];
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.count = split_names(names, queries[k].names);
	rules.names = names;
	rules.times = queries[k].times;
	rules.same_origin = queries[k].same_origin;
	rules.absolute = queries[k].absolute;
	rules.policy = &policies[URIVET_PUBLIC];
	urivet_request_init(&request, sizeof request);
	request.method = text_of("GET");
	request.host = text_of("app.example.com");
	request.scheme = URIVET_SCHEME_HTTPS;
	request.port = 443;
	in.request = is_target ? &request : NULL;
	if (is_target)
		urivet_check_request(&r, in.text.data, in.text.length, &request, p, NULL);
	else
		urivet_check(&r, in.text.data, in.text.length, p);
	begin_judged("parameters", is_target ? URIVET_GATEWAY : URIVET_STRICT);
	text("input", in.text);
	truth("is_target", is_target);
	string("parameter_policy", "public");
	key("names");
	open_with('[');
	for (uint32_t n = 0; n < rules.count; n++)
		put_text(names[n]);
	close_with(']');
	number("times", rules.times);
	truth("same_origin", rules.same_origin);
	truth("absolute", rules.absolute);
	write_parameter_results(&r, &in, &rules);
	urivet_check_parameters(&r, &inner, &in, &rules, p);
	write_report(&r, p);
	end_case();
}

/* ---- Addresses, columns, text, international names ------------------------------------------------- */

static const struct {
	int policy;
	uint32_t port;
	struct urivet_text address;
} addresses[] = {
#include "addresses.def"
};

static void write_address(int policy, struct urivet_text address, uint32_t port)
{
	const struct urivet_policy *p = &policies[policy];
	struct urivet_report r;
	urivet_check_address(&r, address.data, address.length, port, p);
	begin_judged("address", policy);
	hex("address", address.data, address.length);
	number("port", port);
	write_report(&r, p);
	end_case();
}

static void write_rows(const char *data, const int32_t *offsets, size_t rows, int policy)
{
	uint8_t bitmap[64];
	const size_t accepted = urivet_check_batch(data, strlen(data), offsets, NULL, rows,
						   &policies[policy], bitmap, NULL);
	begin_judged("batch", policy);
	string("data", data);
	key("offsets");
	open_with('[');
	for (size_t k = 0; k <= rows; k++)
		put_number(offsets[k]);
	close_with(']');
	hex("bitmap", bitmap, (rows + 7) / 8);
	number("accepted", accepted);
	end_case();
}

static void write_batch(int policy)
{
	static const char data[] = "http://example.com/http://127.0.0.1/javascript:xhttps://"
				   "a.example.org/b?chttp://[::1]/";
	static const int32_t offsets[] = {0, 19, 36, 48, 48, 73, 86, 20, 999};
	write_rows(data, offsets, COUNT(offsets) - 1, policy);
}

static void write_scan(struct urivet_text input)
{
	static char out[ROOM];
	struct urivet_scan scan = {.data = input.data, .length = input.length};
	struct urivet_found found;
	size_t length;
	begin_case("scan");
	text("text", input);
	key("found");
	open_with('[');
	while (urivet_scan_next(&scan, SIZE_MAX, &found, out, sizeof out, &length)) {
		open_with('{');
		number("offset", found.offset);
		number("length", found.length);
		string("kind", found.kind == URIVET_FOUND_URI ? "uri" : "abbreviated");
		text("uri", urivet_text_of(out, length));
		close_with('}');
	}
	close_with(']');
	end_case();
}

static void write_iri(struct urivet_text input, int policy)
{
	static char out[ROOM];
	static const char *const outcomes[] = {"unmappable", "offered", "ascii", "disagree"};
	struct urivet_iri iri;
	const size_t length =
	    urivet_suggest_iri(&iri, out, sizeof out, input.data, input.length, &policies[policy]);
	begin_judged("iri", policy);
	text("input", input);
	string("outcome", outcomes[iri.outcome]);
	string("finding", iri.id != 0 ? urivet_finding_info(iri.id)->name : NULL);
	number("code_point", iri.code_point);
	number("offset", iri.span.offset);
	number("length", iri.span.length);
	text("result", urivet_text_of(length > 0 ? out : NULL, length));
	end_case();
}

static void write_display(struct urivet_text input)
{
	static char out[ROOM];
	const size_t length =
	    urivet_display(out, sizeof out, input.data, input.length, NULL, URIVET_DISPLAY_HTML);
	begin_case("display");
	text("input", input);
	text("html", urivet_text_of(out, length));
	end_case();
}

static void write_names(void)
{
	static const struct urivet_text inputs[] = {
#include "names.def"
	};
	for (size_t k = 0; k < COUNT(inputs); k++) {
		write_iri(inputs[k], URIVET_PUBLIC);
		write_display(inputs[k]);
	}
}

/* ---- Borders of numbers --------------------------------------------------------------------- */

/* Writes a request for each port and the next one, against a Host field with the first. */
static void write_port_of_request(uint32_t port)
{
	char host[32];
	(void)snprintf(host, sizeof host, "www.example.com:%u", (unsigned)port);
	for (uint32_t known = port; known <= port + 1 && known <= 65535; known++)
		write_request(&(struct request){URIVET_GATEWAY, "/", "GET", host,
						port % 2 != 0 ? "https" : "http", known, false});
}

/* Writes a URL in which a finding is at `offset` of the path, and occurs so often. */
static void write_place(size_t offset)
{
	static char url[ROOM / 4] = "http://example.com/";
	const size_t start = strlen("http://example.com/");
	memset(url + start, 'a', offset);
	url[start + offset] = '\0';
	for (size_t k = 0; k < offset; k++)
		strcat(url, k % 2 == 0 ? "%2f" : "%2F");
	write_check(text_of(url), URIVET_GATEWAY);
}

/* Writes a URL of `length` octets. */
static void write_length(size_t length)
{
	static char url[ROOM] = "https://hooks.example.com/";
	const size_t start = strlen("https://hooks.example.com/");
	memset(url + start, 'a', length - start);
	write_verdicts(urivet_text_of(url, length));
	if (length <= 1025)
		write_check(urivet_text_of(url, length), HOOKS);
	if (length <= 1024)
		write_iri(urivet_text_of(url, length), HOOKS);
}

/* Writes a URL with a code point of UTF-8 in the host, and one with it in the path. */
static void write_code_point(const char *utf8)
{
	static const char *const before[] = {"https://a", "https://example.com/"};
	for (size_t k = 0; k < COUNT(before); k++) {
		char url[64];
		const struct urivet_text input = {
		    url, (size_t)snprintf(url, sizeof url, "%s%s.example.com/", before[k], utf8)};
		write_iri(input, URIVET_PUBLIC);
		write_display(input);
	}
}

/* Writes a batch of `rows` rows, of which the first and the last are accepted. */
static void write_count(uint32_t rows)
{
	int32_t offsets[130] = {0};
	for (uint32_t k = 1; k <= rows; k++)
		offsets[k] = k < rows || rows == 1 ? 9 : 18;
	write_rows("http://a/http://a/", offsets, rows, URIVET_STRICT);
}

static void write_borders(void)
{
#include "borders.def"
	EACH(write_port_of_request, ports);
	for (size_t k = 0; k < COUNT(address_ports); k++)
		write_address(LOOPBACK, urivet_text_of(loopback_address, 4), address_ports[k]);
	for (size_t k = 0; k < COUNT(octets); k++)
		write_address(LOOPBACK, urivet_text_of(loopback_address, octets[k]), 8080);
	EACH(write_place, places);
	write_check(text_of(many), URIVET_PUBLIC);
	EACH(write_length, lengths);
	EACH(write_code_point, code_points);
	for (size_t k = 0; k < COUNT(odd); k++)
		write_rows("http://a/", odd[k], 2, URIVET_STRICT);
	EACH(write_count, rows);
}

/* ---- Records ---------------------------------------------------------------------------- */

static void write_record(struct urivet_text record)
{
	for (int policy = 0; policy < POLICIES; policy++) {
		write_check(record, policy);
		write_json(record, policy);
	}
	write_verdicts(record);
	write_normal_form(record, URIVET_LEVEL_SCHEME);
	write_scan(record);
	write_iri(record, URIVET_PUBLIC);
	write_display(record);
}

static int write_records(void)
{
	enum { LONGEST = ROOM / 16 }; /* what is made of it fits the buffers */
	static char record[LONGEST];
	size_t length = 0;
	int octet;
	while ((octet = getchar()) != EOF) {
		if (octet != '\0' && length < LONGEST)
			record[length++] = (char)octet;
		if (octet == '\0') {
			write_record(urivet_text_of(record, length));
			length = 0;
		}
	}
	return fflush(stdout) == 0 && !ferror(stdin) ? 0 : 1;
}

int main(int argc, char **argv)
{
	static const struct urivet_text texts[] = {
#include "texts.def"
	};
	make_policies();
	if (argc > 1)
		return strcmp(argv[1], "records") == 0 ? write_records() : 2;
	write_numbers();
	for (int k = HOOKS; k < POLICIES; k++)
		write_compiled(k);
	write_catalogue();
	write_judged();
	for (size_t k = 0; k < COUNT(requests); k++)
		write_request(&requests[k]);
	for (size_t k = 0; k < COUNT(references); k++)
		write_reference(k);
	for (size_t k = 0; k < COUNT(pairs); k++) {
		write_comparison(k, false);
		write_comparison(k, true);
		write_normal_form(pairs[k][0], URIVET_LEVEL_SYNTAX);
		write_normal_form(pairs[k][0], URIVET_LEVEL_SCHEME);
	}
	for (size_t k = 0; k < COUNT(queries); k++)
		write_query(k);
	for (size_t k = 0; k < COUNT(addresses); k++)
		write_address(addresses[k].policy, addresses[k].address, addresses[k].port);
	for (int policy = 0; policy < POLICIES; policy++)
		write_batch(policy);
	EACH(write_scan, texts);
	write_names();
	write_borders();
	return fflush(stdout) == 0 ? 0 : 1;
}
