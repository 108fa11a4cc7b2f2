/* SPDX-License-Identifier: Apache-2.0 */
/*
 * URLs, requests, texts and rules whose answer is known because they are built from parts: without
 * a fault they are accepted with these components, with one fault they are refused for it, at its
 * place. What has nothing to do with the input changes nothing.
 */
#include <urivet/parameters.h>
#include <urivet/readers.h>
#include <urivet/reference.h>
#include <urivet/rules.h>
#include <urivet/scan.h>

#include "../tests/built_in.h"
#include "built.h"

/* Blocks that `public` refuses (IANA special-purpose registry), as first and last address. The
 * addresses beside them are in no block. */
static const struct {
	uint16_t id;
	const char *first, *last, *before, *after;
} blocks[] = {
    {URIVET_F_ADDR_PRIVATE, "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"},
    {URIVET_F_ADDR_PRIVATE, "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"},
    {URIVET_F_ADDR_PRIVATE, "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"},
    {URIVET_F_ADDR_LOOPBACK, "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"},
    {URIVET_F_ADDR_LINK_LOCAL, "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"},
    {URIVET_F_ADDR_SHARED_CGNAT, "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"},
    {URIVET_F_ADDR_BENCHMARKING, "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"},
    {URIVET_F_ADDR_DOCUMENTATION, "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"},
    {URIVET_F_ADDR_THIS_NETWORK, "0.0.0.0", "0.255.255.255", NULL, "1.0.0.0"},
    {URIVET_F_ADDR_MULTICAST, "224.0.0.0", "239.255.255.255", "223.255.255.255", NULL},
    {URIVET_F_ADDR6_UNIQUE_LOCAL, "[fc00::]", "[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]", NULL,
     NULL},
    {URIVET_F_ADDR6_LINK_LOCAL, "[fe80::]", "[febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff]", NULL,
     NULL},
    {URIVET_F_ADDR6_DOCUMENTATION, "[2001:db8::]", "[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]",
     "[2001:db7:ffff:ffff:ffff:ffff:ffff:ffff]", "[2001:db9::]"},
};

static enum urivet_verdict judged(struct urivet_report *r, const struct built *b,
				  const struct urivet_policy *policy)
{
	char *exact = room_for(b->length);
	enum urivet_verdict verdict;
	memcpy(exact, b->text, b->length);
	verdict = urivet_check(r, exact, b->length, policy);
	oracle(verdict == urivet_verdict_of(exact, b->length, policy, NULL),
	       "a verdict alone is that of the report");
	free(exact);
	return verdict;
}

/* Stops as oracle() does, after showing the URL and its fault. */
static void expect(bool holds, const struct built *b, const char *what)
{
	if (!holds && b->fault != NULL && b->fault->id != 0)
		fprintf(stderr, "%s at %u: ", urivet_finding_info(b->fault->id)->name,
			b->faulty.offset);
	for (uint32_t k = 0; k < b->length && !holds; k++)
		fprintf(stderr, b->text[k] > ' ' && b->text[k] < 0x7f ? "%c" : "\\x%02x",
			(unsigned char)b->text[k]);
	if (!holds)
		fprintf(stderr, "\n");
	oracle(holds, what);
}

/* ---- Without a fault ------------------------------------------------------------------------ */

static void expect_components(const struct urivet_report *r, const struct built *b)
{
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
		expect((r->uri.present >> c & 1) == (b->present >> c & 1) &&
			   ((b->present >> c & 1) == 0 ||
			    (r->uri.part[c].offset == b->part[c].offset &&
			     r->uri.part[c].length == b->part[c].length)),
		       b, "components are those of which the URL was built");
	expect(r->uri.port == b->port && r->uri.host_kind == b->host_kind, b,
	       "port and kind of host are those of which the URL was built");
	expect(b->host_kind == URIVET_HOST_NAME ||
		   memcmp(r->uri.address, b->address, b->host_kind == URIVET_HOST_IPV4 ? 4 : 16) ==
		       0,
	       b, "the address is that of which the URL was built");
}

static unsigned small(char digit)
{
	return digit >= 'a' && digit <= 'f';
}

/* Checks that what is found is what was put in: so often, and first where it stands first. */
static void expect_notes(const struct urivet_report *r, const struct built *b)
{
	const struct urivet_span path = b->part[URIVET_PATH], query = b->part[URIVET_QUERY];
	struct {
		unsigned id;
		uint32_t times, first;
	} noted[] = {{URIVET_F_PORT_DEFAULT, b->present >> URIVET_PORT & 1, b->part[URIVET_PORT].offset},
		     {URIVET_F_PATH_EMPTY, path.length == 0, path.offset},
		     {URIVET_F_ESCAPE_CASE, 0, 0},
		     {URIVET_F_PLUS_VS_SPACE, 0, 0},
		     {URIVET_F_TOO_MANY_SEGMENTS, 0, path.offset}};
	uint32_t slashes = 0, count = b->fault != NULL;
	for (uint32_t end = b->length; end > 0; end--) {
		const uint32_t at = end - 1;
		const bool plus = at >= query.offset && at < query.offset + query.length && b->text[at] == '+';
		const bool lower = b->text[at] == '%' && (small(b->text[at + 1]) || small(b->text[at + 2]));
		noted[2].times += lower;
		noted[2].first = lower ? at : noted[2].first;
		noted[3].times += plus;
		noted[3].first = plus ? at : noted[3].first;
		slashes += at >= path.offset && at < path.offset + path.length && b->text[at] == '/';
	}
	noted[4].times = slashes > 256;
	for (size_t k = 0; k < COUNT(noted); k++) {
		const struct urivet_finding *const f = report_finding(r, noted[k].id);
		expect((f != NULL ? f->count : 0) == noted[k].times && (f == NULL || f->span.offset == noted[k].first), b,
		       "what is noted is what was put in, as often and where it stands");
		count += f != NULL;
	}
	expect(r->count == count && r->dropped == 0, b, "nothing else is found");
}

/* Each limit of a policy accepts a URL that has just that size, and not one octet more. */
static void expect_limits(const struct built *b)
{
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	policy.max_length = b->length;
	oracle(judged(&r, b, &policy) == URIVET_ACCEPT, "a URL of the longest length is accepted");
	policy.max_length--;
	expect(judged(&r, b, &policy) == URIVET_REJECT && r.count == 1 &&
		   r.finding[0].id == URIVET_F_URL_TOO_LONG,
	       b, "a URL above the longest length is too long");
	if (b->host_kind != URIVET_HOST_NAME)
		return;
	policy = built_in(URIVET_STRICT);
	policy.max_host = b->part[URIVET_HOST].length;
	oracle(judged(&r, b, &policy) == URIVET_ACCEPT, "a name of the longest length is accepted");
	policy.max_host--;
	expect(judged(&r, b, &policy) == URIVET_REJECT && report_finding(&r, URIVET_F_HOST_TOO_LONG) != NULL,
	       b, "a name above the longest length is too long");
}

static void expect_parameters(const struct built *b)
{
	const struct urivet_span query = b->part[URIVET_QUERY];
	struct urivet_parameter_scan scan = {b->text + query.offset, query.length, 0, false};
	struct urivet_parameter p;
	uint32_t k = 0;
	while (urivet_parameter_next(&scan, &p)) {
		expect(k < b->parameters && p.has_value &&
			   p.name.offset + query.offset == b->name[k].offset &&
			   p.name.length == b->name[k].length &&
			   p.value.offset + query.offset == b->value[k].offset &&
			   p.value.length == b->value[k].length,
		       b, "parameters are those of which the query was built");
		k++;
	}
	oracle(k == b->parameters, "every parameter is found");
}

/* A tunnel is asked for by a host and a port, and not without either. */
static void expect_tunnel(const struct built *b, struct urivet_request *request)
{
	static const char *const ends[] = {":443", "", ":"};
	const struct urivet_span authority = b->part[URIVET_AUTHORITY];
	const uint32_t port = b->present >> URIVET_PORT & 1 ? b->part[URIVET_PORT].length + 1 : 0;
	const size_t host = authority.length - port;
	for (unsigned k = 0; k < COUNT(ends); k++) {
		char text[300];
		const size_t length = (size_t)snprintf(text, sizeof text, "%.*s%s", (int)host,
						       b->text + authority.offset, ends[k]);
		struct urivet_report r;
		request->method = urivet_text_of("CONNECT", 7);
		request->host = urivet_text_of(text, length);
		oracle(length < sizeof text, "a host fits");
		expect((urivet_check_request(&r, text, length, request, BY_GATEWAY, NULL) ==
			URIVET_ACCEPT) == (k == 0),
		       b, "a request for a tunnel has a port");
		oracle(urivet_check_request(&r, ends[k], strlen(ends[k]), request, BY_GATEWAY,
					    NULL) == URIVET_REJECT,
		       "a tunnel leads to a host");
	}
}

/* The request for the URL is accepted as the URL is. */
static void expect_request(const struct built *b)
{
	const struct urivet_text none = {NULL, 0};
	const struct urivet_span host = b->part[URIVET_AUTHORITY], path = b->part[URIVET_PATH],
				 fragment = b->part[URIVET_FRAGMENT];
	const uint32_t end = b->present >> URIVET_FRAGMENT & 1 ? fragment.offset - 1 : b->length;
	const struct urivet_text target = urivet_text_of(b->text + path.offset, end - path.offset);
	struct urivet_request request;
	struct urivet_report r;
	enum urivet_target_form form;
	if (path.length == 0 || !urivet_request_init(&request, sizeof request))
		return;
	request.method = urivet_text_of("GET", 3);
	request.host = urivet_text_of(b->text + host.offset, host.length);
	request.scheme = b->port == 443 ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	request.port = b->port;
	expect(urivet_check_request(&r, target.data, target.length, &request, BY_GATEWAY, &form) == URIVET_ACCEPT &&
		   form == URIVET_TARGET_ORIGIN,
	       b, "a request for an accepted URL is accepted");
	expect(r.uri.part[URIVET_PATH].offset == 0 &&
		   r.uri.part[URIVET_PATH].length == path.length &&
		   r.uri.part[URIVET_HOST].offset == b->part[URIVET_HOST].offset - host.offset &&
		   r.uri.part[URIVET_HOST].length == b->part[URIVET_HOST].length,
	       b, "a request has the components of its URL");
	request.host = none;
	expect(urivet_check_request(&r, target.data, target.length, &request, BY_GATEWAY, NULL) == URIVET_REJECT &&
		   report_finding(&r, URIVET_F_HOST_MISSING) != NULL,
	       b, "a request without a Host field is refused");
	expect_tunnel(b, &request);
}

/* Another spelling, or another URL, is known for it in both orders. */
static void expect_compared(const struct built *b, struct dice *d)
{
	const struct urivet_span host = b->part[URIVET_HOST], authority = b->part[URIVET_AUTHORITY];
	const char upper[] = {(char)(b->text[host.offset] & ~0x20), '\0'};
	const bool name = b->host_kind == URIVET_HOST_NAME, port = (b->present >> URIVET_PORT & 1) != 0;
	const struct {
		uint32_t at, gone;
		const char *word;
		enum urivet_rung rung;
	} all[] = {{0, 4, "HTTP", URIVET_EQUAL_BY_SYNTAX},
		   {host.offset, name, name ? upper : "", name ? URIVET_EQUAL_BY_SYNTAX : URIVET_IDENTICAL},
		   {authority.offset + authority.length, 0, port ? "" : b->port == 80 ? ":80" : ":443",
		    port ? URIVET_IDENTICAL : URIVET_EQUAL_BY_SCHEME},
		   {b->length, 0, "k", URIVET_DIFFERENT}}, *const to = &all[below(d, COUNT(all))];
	static char other[BUILT_MOST + 80];
	const int length = snprintf(other, sizeof other, "%.*s%s%.*s", (int)to->at, b->text, to->word,
				    (int)(b->length - to->at - to->gone), b->text + to->at + to->gone);
	const struct urivet_text x = urivet_text_of(b->text, b->length), y = urivet_text_of(other, (size_t)length);
	expect(urivet_compare(x, y, false, NULL, 0) == to->rung && urivet_compare(y, x, false, NULL, 0) == to->rung, b,
	       "spellings are compared as what they are, in both orders");
}

/* The URL is found in a text, where it stands. */
static void expect_scanned(const struct built *b, struct dice *d)
{
	static const char *const before[] = {"see ", "<", "(", "\xe3\x80\x8c", "a, ", "'"};
	static const char *const after[] = {" b", "> b", ") b", "\xe3\x80\x8d", ", b", "' b"};
	const uint32_t k = below(d, COUNT(before)), front = border(d, 300);
	const size_t start = front + strlen(before[k]), room = start + b->length + 16;
	struct builder text = {room_for(room), 0};
	struct urivet_scan scan;
	struct urivet_found f;
	char *out = room_for(room + 64);
	size_t length;
	memset(text.text, ' ', front);
	text.length = front;
	add_word(&text, before[k]);
	add(&text, b->text, b->length);
	add_word(&text, after[k]);
	scan = (struct urivet_scan){text.text, text.length, 0};
	expect(urivet_scan_next(&scan, SIZE_MAX, &f, out, room + 64, &length) && f.offset == start &&
		   f.length == b->length && same(out, length, b->text, b->length),
	       b, "a URL is found where it stands in a text");
	oracle(!urivet_scan_next(&scan, SIZE_MAX, &f, out, room + 64, &length),
	       "nothing else is found there");
	free(text.text);
	free(out);
}

/* ---- Rules ------------------------------------------------------------------------------------ */

/* A rule about the name or its last labels, by the number of labels that are left out. */
static bool rule_about(struct urivet_host_rule *rule, const struct built *b, uint32_t out,
		       enum urivet_scope scope, enum urivet_action action)
{
	static const char *const marks[] = {".", "", "*.", "+."};
	static char text[3][264];
	static unsigned next;
	const struct urivet_span host = b->part[URIVET_HOST];
	const char *name = b->text + host.offset;
	const char *const end = name + host.length;
	char *to = text[next++ % 3];
	for (; out > 0; out--) {
		name = memchr(name, '.', (size_t)(end - name));
		if (name == NULL)
			return false;
		name++;
	}
	return memchr(name, '.', (size_t)(end - name)) != NULL &&
	       urivet_host_rule_from(
		   rule, to,
		   (size_t)snprintf(to, 264, "%s%.*s", marks[scope], (int)(end - name), name),
		   action);
}

static void expect_host_rules(const struct built *b, struct dice *d)
{
	const uint32_t out = below(d, 4);
	const enum urivet_scope scope =
	    out == 0 ? URIVET_SCOPE_HOST : (enum urivet_scope)below(d, 4);
	const bool covers =
	    out == 0 || (scope == URIVET_SCOPE_LABEL ? out == 1 : scope != URIVET_SCOPE_HOST);
	struct urivet_host_rule rules[3];
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r, without;
	if (b->host_kind != URIVET_HOST_NAME || !rule_about(&rules[0], b, out, scope, URIVET_ALLOW))
		return;
	judged(&without, b, &policy);
	policy.hosts = (struct urivet_host_list){rules, 1, false, true};
	expect((judged(&r, b, &policy) == URIVET_ACCEPT) == covers &&
		   r.host_rule == (covers ? &rules[0] : NULL),
	       b, "a rule allows the names that it covers, and no others");
	oracle(urivet_host_rule_from(&rules[1], ".unrelated.example", 18, URIVET_DENY), "a rule");
	rules[2] = rules[1];
	policy.hosts.count = 2;
	expect((judged(&r, b, &policy) == URIVET_ACCEPT) == covers &&
		   r.host_rule == (covers ? &rules[0] : NULL),
	       b, "a rule about another name changes nothing");
	oracle(rule_about(&rules[2], b, 0, URIVET_SCOPE_HOST, URIVET_DENY), "a rule about a name");
	policy.hosts.count = 3;
	expect(judged(&r, b, &policy) == URIVET_REJECT && r.host_rule == &rules[2] &&
		   report_finding(&r, URIVET_F_HOST_DENIED) != NULL,
	       b, "a denial wins, and is the rule that decided");
	policy.hosts = (struct urivet_host_list){&rules[1], 1, false, false};
	expect(judged(&r, b, &policy) == URIVET_ACCEPT && r.count == without.count &&
		   r.host_rule == NULL,
	       b, "a denial of another name changes nothing");
}

/* Of denials that cover the name, one with the longest name decides. */
static void expect_longest(const struct built *b, struct dice *d)
{
	struct urivet_host_rule rules[3];
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	uint32_t longest = 0;
	for (unsigned k = 0; k < COUNT(rules); k++) {
		const uint32_t out = below(d, 4), scope = below(d, 4);
		if (b->host_kind != URIVET_HOST_NAME ||
		    !rule_about(&rules[k], b, out, (enum urivet_scope)scope, URIVET_DENY))
			return;
		const bool covers = scope == URIVET_SCOPE_TREE || (scope == URIVET_SCOPE_HOST && out == 0) ||
				    (scope == URIVET_SCOPE_BELOW && out > 0) || (scope == URIVET_SCOPE_LABEL && out == 1);
		longest = covers && rules[k].length > longest ? rules[k].length : longest;
	}
	policy.hosts = (struct urivet_host_list){rules, COUNT(rules), false, false};
	expect((judged(&r, b, &policy) == URIVET_REJECT) == (longest > 0) &&
		   (r.host_rule != NULL ? r.host_rule->length : 0) == longest,
	       b, "the denial with the longest name decides");
}

/* Makes a label like `brand` with other letters that look alike (UTS 39, confusables.txt). Returns true if
 * urivet_protected_from() has it as an imitation: `same_rest` if the labels after it are equal. */
static bool imitation(struct built *label, const char *brand, bool same_rest, struct dice *d)
{
	static const struct {
		char letter;
		const char *like;
	} alike[] = {{'m', "rn"},     {'w', "vv"},     {'o', "0"},      {'l', "1"}, {'l', "i"},
		     {'a', "\u00e1"}, {'e', "\u00e9"}, {'c', "\u00e7"}, {'m', "m"}};
	const size_t length = strlen(brand);
	bool changed = false, beyond = false, has_i = false;
	label->length = 0;
	for (const char *letter = brand; *letter != '\0'; letter++) {
		const uint32_t k = below(d, COUNT(alike));
		if (alike[k].letter != *letter) {
			put(label, letter, 1);
			continue;
		}
		put_word(label, alike[k].like);
		changed = changed || alike[k].like[0] != *letter;
		beyond = beyond || (uint8_t)alike[k].like[0] >= 0x80;
		has_i = has_i || alike[k].like[0] == 'i';
	}
	return changed && length >= 4 &&
	       (beyond || (same_rest && length >= 6) || (!has_i && (same_rest || length >= 6)));
}

/* A name that looks like a protected one is refused, by a denial of it if there is one. One with a letter
 * more, and one below the protected name, is not; the same label elsewhere is noted. */
static void expect_imitation(struct dice *d)
{
	static struct built b, label;
	char brand[16], name[32], raw[128];
	const char *const rest = below(d, 4) == 0 ? name : below(d, 2) == 0 ? "com" : "net";
	const bool longer = below(d, 4) == 0;
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_protected protected[2];
	struct urivet_host_rule rule;
	struct urivet_reading read;
	struct urivet_report r;
	const uint32_t length = 2 + below(d, 10);
	for (uint32_t k = 0; k < length; k++)
		brand[k] = "amolwecpsd"[below(d, 10)];
	brand[length] = '\0';
	snprintf(name, sizeof name, "%s.com", brand);
	const bool is = imitation(&label, brand, *rest == 'c', d) && !longer && rest != name;
	const bool named =
	    length >= 4 && !longer && *rest == 'n' && same(label.text, label.length, brand, length);
	oracle(urivet_protected_from(&protected[0], name, strlen(name)) &&
		   urivet_protected_from(&protected[1], "other.example", 13) &&
		   urivet_policy_protect(&policy, protected, 1),
	       "a name can be protected");
	const bool first = urivet_order(URIVET_LIST_PROTECTED)(&protected[0], &protected[1]) < 0;
	const struct urivet_protected reversed[2] = {protected[first], protected[!first]};
	oracle(!urivet_policy_protect(&policy, reversed, 2),
	       "names in another order change nothing");
	const int size =
	    snprintf(raw, sizeof raw, "http://%s%.*s%s.%s/", below(d, 2) == 0 ? "" : "www.",
		     (int)label.length, label.text, longer ? "z" : "", rest);
	oracle(
	    urivet_read_as(&read, URIVET_READER_BROWSER, raw, (size_t)size, b.text, sizeof b.text),
	    "a name is read");
	b.length = (uint32_t)read.written;
	const bool refused = judged(&r, &b, &policy) == URIVET_REJECT;
	expect((report_finding(&r, URIVET_F_IDN_BRAND_CONFUSABLE) != NULL) == is &&
		   (refused || !is) && r.host_rule == (is ? &protected[0].name : NULL) &&
		   (!named || report_finding(&r, URIVET_F_BRAND_AS_LABEL) != NULL),
	       &b, "a name that looks like a protected one is refused for it");
	oracle(urivet_host_rule_from(&rule, b.text + r.uri.part[URIVET_HOST].offset,
				     r.uri.part[URIVET_HOST].length, URIVET_DENY),
	       "a rule");
	policy.hosts = (struct urivet_host_list){&rule, 1, false, false};
	expect(judged(&r, &b, &policy) == URIVET_REJECT && r.host_rule == &rule &&
		   (report_finding(&r, URIVET_F_IDN_BRAND_CONFUSABLE) != NULL) == is,
	       &b, "of a denial and a name that is imitated the denial decides");
}

/* Two names that are allowed, one of them in the userinfo: the rule for the host decides. A name in
 * the userinfo that is denied is refused, as some readers take it for the host. */
static void expect_userinfo(const struct built *b)
{
	static const char name[] = "www.example.com@";
	const uint32_t host = b->part[URIVET_HOST].offset, front = sizeof name - 1;
	struct urivet_host_rule rules[2];
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	char *text;
	if (b->host_kind != URIVET_HOST_NAME ||
	    !rule_about(&rules[1], b, 0, URIVET_SCOPE_HOST, URIVET_ALLOW))
		return;
	oracle(urivet_host_rule_from(&rules[0], name, front - 1, URIVET_ALLOW), "a rule");
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_HOST_DENIED && id != URIVET_F_HOST_NOT_ALLOWED)
			(void)urivet_policy_waive(&policy, id);
	policy.hosts = (struct urivet_host_list){rules, 2, false, true};
	text = room_for(b->length + front);
	memcpy(text, b->text, host);
	memcpy(text + host, name, front);
	memcpy(text + host + front, b->text + host, b->length - host);
	expect(urivet_check(&r, text, b->length + front, &policy) == URIVET_ACCEPT &&
		   r.host_rule == &rules[1],
	       b, "the rule for the host decides, not that for a name in the userinfo");
	rules[0].action = URIVET_DENY;
	expect(urivet_check(&r, text, b->length + front, &policy) == URIVET_REJECT &&
		   r.host_rule == &rules[0],
	       b, "a denied name in the userinfo decides");
	free(text);
}

/* A URL rule made of the URL's own origin and of the beginning of its path, or of another. */
static void expect_url_rules(const struct built *b, struct dice *d)
{
	static char text[BUILT_MOST];
	const struct urivet_span path = b->part[URIVET_PATH];
	const struct urivet_span authority = b->part[URIVET_AUTHORITY];
	const char *const slash =
	    path.length > 1 ? memchr(b->text + path.offset + 1, '/', path.length - 1) : NULL;
	const uint32_t whole = slash != NULL ? (uint32_t)(slash - b->text) : b->length;
	const bool other = below(d, 2) == 1;
	struct urivet_url_rule rule;
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	size_t length;
	if (b->present >> URIVET_PORT & 1 || slash == NULL || b->host_kind != URIVET_HOST_NAME)
		return;
	length =
	    (size_t)snprintf(text, sizeof text, "%.*s%s", (int)whole, b->text, other ? "x" : "");
	if (length > URIVET_URL_RULE_MOST ||
	    memchr(text + authority.offset, '%', length - authority.offset))
		return;
	oracle(urivet_url_rule_from(&rule, text, length), "the beginning of a URL is a rule");
	policy.urls = &rule;
	policy.url_count = 1;
	expect((judged(&r, b, &policy) == URIVET_ACCEPT) == !other &&
		   r.url_rule == (other ? NULL : &rule),
	       b, "a URL rule covers whole segments");
	policy.urls_also = true;
	oracle(judged(&r, b, &policy) == URIVET_ACCEPT, "a rule that only adds refuses nothing");
}

/* A rule with the whole path says which queries and fragments it covers (urivet/rules.h). */
static void expect_url_ends(const struct built *b, struct dice *d)
{
	static char text[2 * BUILT_MOST];
	const struct urivet_span path = b->part[URIVET_PATH], query = b->part[URIVET_QUERY];
	const bool asks = query.length > 0, cut = b->present >> URIVET_FRAGMENT & 1;
	const bool none = (b->present >> URIVET_QUERY & 1) == 0 && !cut;
	const char *const of = asks ? b->text + query.offset : "x=1";
	const int size = asks ? (int)query.length : 3;
	const struct {
		const char *mark;
		int query;
		const char *after;
		bool covers;
	} ends[] = {{"", 0, "", true},       {"?*", 0, "", true},           {"", 0, "$", none},
		    {"?*", 0, "$", !cut},    {"", 0, "x", false},           {"?", size, "", asks},
		    {"?", size, "x", false}, {"?", size, "$", asks && !cut}};
	const uint32_t k = below(d, COUNT(ends));
	struct urivet_url_rule rule;
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	size_t length = path.offset + path.length;
	if (b->present >> URIVET_PORT & 1 || path.length < 2 || b->text[length - 1] == '/' ||
	    b->host_kind != URIVET_HOST_NAME || memchr(b->text, '*', b->length))
		return;
	memcpy(text, b->text, length);
	length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s%s", ends[k].mark,
				   ends[k].query, of, ends[k].after);
	if (length > URIVET_URL_RULE_MOST)
		return;
	oracle(urivet_url_rule_from(&rule, text, length), "a URL and an end are a rule");
	policy.urls = &rule;
	policy.url_count = 1;
	expect((judged(&r, b, &policy) == URIVET_ACCEPT) == ends[k].covers &&
		   r.url_rule == (ends[k].covers ? &rule : NULL),
	       b, "the end of a rule says which queries and fragments it covers");
}

/* ---- With a fault ----------------------------------------------------------------------------- */

static bool overlaps(struct urivet_span a, struct urivet_span b)
{
	return a.offset <= b.offset + b.length && b.offset <= a.offset + a.length;
}

/* Returns true if a segment of two dots leaves the root (RFC 3986, 5.2.4). */
static bool leaves_root(const struct built *b)
{
	const char *at = b->text + b->part[URIVET_PATH].offset + 1;
	const char *const end = at - 1 + b->part[URIVET_PATH].length;
	int depth = 0;
	while (at <= end) {
		const char *const slash = at < end ? memchr(at, '/', (size_t)(end - at)) : NULL;
		const char *const stop = slash != NULL ? slash : end;
		uint32_t dots = 0;
		const char *dot = at;
		for (; dot < stop; dots++) {
			const bool escaped = stop - dot > 2 && dot[0] == '%' && dot[1] == '2' && (dot[2] | 0x20) == 'e';
			if (!escaped && *dot != '.')
				break;
			dot += escaped ? 3 : 1;
		}
		if (dot < stop || dots == 0 || dots > 2)
			depth++;
		else if (dots == 2 && depth-- == 0)
			return true;
		at = stop + 1;
	}
	return false;
}

static void expect_fault(const struct built *b)
{
	static const int bases[] = {URIVET_STRICT, URIVET_PUBLIC};
	for (size_t k = 0; k < COUNT(bases); k++) {
		struct urivet_report r;
		const struct urivet_finding *f;
		const bool refused = judged(&r, b, by_built_in(bases[k])) == URIVET_REJECT;
		expect(refused, b, "a URL with a fault is refused");
		f = report_finding(&r, b->fault->id);
		expect(f != NULL && urivet_finding_refuses(&r, f, by_built_in(bases[k])), b,
		       "the fault is found");
		expect(overlaps(f->span, b->faulty), b, "the fault is found where it was put");
		expect_sound(&r, b->length, by_built_in(bases[k]));
		expect((b->fault->id != URIVET_F_DOT_SEGMENT && b->fault->id != URIVET_F_ESCAPED_DOT_SEGMENT) ||
			   (report_finding(&r, URIVET_F_DOT_SEGMENT_ABOVE_ROOT) != NULL) == leaves_root(b),
		       b, "a path leaves the root if its segments say so");
	}
	oracle(!urivet_ok(b->text, b->length), "a URL with a fault is not in order");
}

/* Line ends in a mail (RFC 6068, 5): a pair in the body, and nowhere else. */
static void expect_mail(struct dice *d)
{
	static const char *const names[] = {"body", "Body", "subject", "bodyx", "x-body", "bod"};
	static const char *const values[] = {"k", "%20", "%0D%0A", "%0d%0a", "%0D", "%0A", "%0D%0D%0A"};
	char text[1024] = "mailto:k@iana.org";
	size_t used = strlen(text);
	bool bad = false;
	struct urivet_report r;
	for (uint32_t fields = 1 + below(d, 4), k = 0; k < fields; k++) {
		const uint32_t name = below(d, COUNT(names));
		bool cr = false;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=", k == 0 ? "?" : "&", names[name]);
		for (uint32_t units = below(d, 4); units > 0; units--) {
			const char *const value = values[below(d, COUNT(values))];
			for (const char *at = value; *at != '\0'; at += *at == '%' ? 3 : 1) {
				const bool is_cr = (strncmp(at, "%0", 2) == 0 && (at[2] | 0x20) == 'd'),
					   is_lf = (strncmp(at, "%0", 2) == 0 && (at[2] | 0x20) == 'a');
				bad = bad || cr != is_lf || (name > 1 && is_cr);
				cr = is_cr;
			}
			used += (size_t)snprintf(text + used, sizeof text - used, "%s", value);
		}
		bad = bad || cr;
	}
	urivet_check(&r, text, used, by_built_in(URIVET_ANY));
	if ((report_finding(&r, URIVET_F_ESCAPED_CRLF) != NULL) != bad)
		fprintf(stderr, "%s\n", text);
	oracle((report_finding(&r, URIVET_F_ESCAPED_CRLF) != NULL) == bad && (r.verdict == URIVET_REJECT) == bad,
	       "lines of a mail end in its body");
}

static void expect_block(struct dice *d)
{
	const uint32_t k = below(d, COUNT(blocks));
	const char *const inside = below(d, 2) == 0 ? blocks[k].first : blocks[k].last;
	const char *const beside = below(d, 2) == 0 ? blocks[k].before : blocks[k].after;
	struct built b;
	struct urivet_report r;
	const struct fault at = {blocks[k].id, AS_HOST, inside, strlen(inside)};
	build(&b, d, &at);
	expect(judged(&r, &b, BY_PUBLIC) == URIVET_REJECT && report_finding(&r, blocks[k].id) != NULL, &b,
	       "an address at the end of a block is in it");
	if (beside != NULL) {
		const struct fault near = {0, AS_HOST, beside, strlen(beside)};
		build(&b, d, &near);
		expect(judged(&r, &b, BY_PUBLIC) == URIVET_ACCEPT, &b,
		       "an address beside a block is not in it");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct built b;
	struct dice d = dice_of(data, length);
	struct urivet_report r;
	const uint32_t what = below(&d, 8);
	if (what < 2) {
		build(&b, &d, &faults[below(&d, COUNT(faults))]);
		if (b.length <= BY_STRICT->max_length)
			expect_fault(&b);
		return 0;
	}
	if (what == 2) {
		expect_block(&d);
		return 0;
	}
	if (what == 3) {
		expect_mail(&d);
		for (unsigned k = 0; k < 8; k++)
			expect_imitation(&d);
		return 0;
	}
	if (what == 4) {
		build(&b, &d, &notes[below(&d, COUNT(notes))]);
		if (b.length > BY_STRICT->max_length)
			return 0;
		expect(judged(&r, &b, BY_STRICT) == URIVET_ACCEPT && report_finding(&r, b.fault->id) != NULL &&
			   overlaps(report_finding(&r, b.fault->id)->span, b.faulty),
		       &b, "what is noted is accepted, and found where it was put");
		expect_notes(&r, &b);
		return 0;
	}
	build(&b, &d, NULL);
	if (b.length > BY_STRICT->max_length)
		return 0;
	expect(judged(&r, &b, BY_STRICT) == URIVET_ACCEPT && urivet_ok(b.text, b.length), &b,
	       "a URL without a fault is accepted");
	expect_components(&r, &b);
	expect_notes(&r, &b);
	expect(judged(&r, &b, BY_PUBLIC) == URIVET_ACCEPT, &b,
	       "a URL that leads outside is public");
	expect_limits(&b);
	expect_parameters(&b);
	expect_request(&b);
	expect_host_rules(&b, &d);
	expect_longest(&b, &d);
	expect_compared(&b, &d);
	expect_url_rules(&b, &d);
	expect_url_ends(&b, &d);
	if (b.length + 16 <= BY_STRICT->max_length)
		expect_userinfo(&b);
	if (b.part[URIVET_PATH].length > 0)
		expect_scanned(&b, &d);
	return 0;
}
