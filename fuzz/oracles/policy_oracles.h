/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oracles for policies that were built from items: what a file means is what its items mean, however
 * it is written, compiled or shown; and one fault is reported at its place. What each rule decides is
 * compared with tests/policyfile/model.py.
 */
#ifndef POLICY_ORACLES_H
#define POLICY_ORACLES_H

#include <urivet/policy.h>

#include "built_policy.h"

#define PROBES_MOST 40u
#define URL_MOST    9100u

/* ---- Probes ----------------------------------------------------------------------------- */

enum probe_kind { PROBE_URL, PROBE_REQUEST, PROBE_PEER, PROBE_PARAMETER };

/* What a policy says about a probe. The rules are numbers of items, -1 for none. */
struct outcome {
	enum urivet_verdict verdict;
	uint32_t count;
	uint16_t id[URIVET_MAX_FINDINGS];
	bool refuses[URIVET_MAX_FINDINGS];
	int host, address, port, url, path;
};

/* An input made for an item of a slot. */
struct probe {
	enum probe_kind kind;
	uint32_t slot;
	char text[URL_MOST];
	const char *method;
	uint8_t address[16];
	unsigned octets;
	uint32_t port;
	/* a parameter: whether it is refused, the only item that refuses it or -1, and the verdict,
	 * if that is known */
	bool refused, accepted, forbidden;
	int by;
	struct outcome expected; /* by the model */
};

/* Returns the item of a rule: of a model by its tag, else by the place where it was written. */
static int item_of(const struct model *m, const struct urivet_loaded *loaded, const void *rule,
		   uint32_t tag)
{
	struct urivet_message place;
	if (rule == NULL)
		return -1;
	if (loaded == NULL)
		return (int)tag;
	oracle(urivet_loaded_place(loaded, tag, &place), "a rule that decides has a place");
	for (uint32_t k = 0; k < m->items; k++)
		if (m->item[k].line == place.line && m->item[k].column == place.column)
			return (int)k;
	oracle(false, "the place of a rule is that where it was written");
	return -1;
}

/* Judges by the policy, whose rules are found by their places in `loaded`, by their tags if that is
 * NULL. `alone`: the verdict is found alone, too. */
static void judge_by(struct outcome *o, const struct probe *p, const struct model *m,
		     const struct urivet_policy *policy, const struct urivet_loaded *loaded, bool alone)
{
	const struct urivet_text text = urivet_text_of(p->text, strlen(p->text));
	struct urivet_request request;
	struct urivet_report r;
	memset(o, 0, sizeof *o);
	if (p->kind == PROBE_URL) {
		urivet_check(&r, text.data, text.length, policy);
		oracle(!alone || r.verdict == urivet_verdict_of(text.data, text.length, policy, NULL),
		       "a verdict alone is that of the report");
	} else if (p->kind == PROBE_PEER) {
		urivet_check_address(&r, p->address, p->octets, p->port, policy);
	} else {
		oracle(urivet_request_init(&request, sizeof request), "a request begins");
		request.host = urivet_text_of("www.iana.org", 12);
		if (p->method != NULL)
			request.method = urivet_text_of(p->method, strlen(p->method));
		urivet_check_request(&r, text.data, text.length, &request, policy, NULL);
	}
	o->verdict = r.verdict;
	o->count = r.count;
	for (uint32_t k = 0; k < r.count; k++) {
		o->id[k] = r.finding[k].id;
		o->refuses[k] = urivet_finding_refuses(&r, &r.finding[k], policy);
	}
	o->host = item_of(m, loaded, r.host_rule, r.host_rule != NULL ? r.host_rule->tag : 0);
	o->address =
	    item_of(m, loaded, r.address_rule, r.address_rule != NULL ? r.address_rule->tag : 0);
	o->port = item_of(m, loaded, r.port_rule, r.port_rule != NULL ? r.port_rule->tag : 0);
	if (p->kind == PROBE_PEER && o->port >= 0) /* the port may be that of several schemes */
		o->port = 0;
	o->url = item_of(m, loaded, r.url_rule, r.url_rule != NULL ? r.url_rule->tag : 0);
	o->path = item_of(m, loaded, r.path_rule, r.path_rule != NULL ? r.path_rule->tag : 0);
}

/* Judges by the model. */
static void judge_probe(struct outcome *o, const struct probe *p, const struct model *m)
{
	judge_by(o, p, m, &m->policy, NULL, true);
}

static void show_outcome(const struct outcome *o)
{
	fprintf(stderr,
		"%s, items %d %d %d %d %d:", o->verdict == URIVET_ACCEPT ? "accept" : "reject",
		o->host, o->address, o->port, o->url, o->path);
	for (uint32_t k = 0; k < o->count; k++)
		fprintf(stderr, " %s", urivet_finding_info(o->id[k])->name);
	fputc('\n', stderr);
}

static bool finds(const struct outcome *o, unsigned id)
{
	for (uint32_t k = 0; k < o->count; k++)
		if (o->id[k] == id)
			return true;
	return false;
}

/* ---- Making probes ------------------------------------------------------------------------ */

struct probes {
	struct probe probe[PROBES_MOST];
	uint32_t count;
};

static struct probe *add_probe(struct probes *all, enum probe_kind kind, uint32_t slot,
			       const char *text)
{
	struct probe *p = &all->probe[all->count];
	if (all->count + 1 < PROBES_MOST)
		all->count++;
	p->kind = kind;
	p->slot = slot;
	p->method = NULL;
	p->refused = p->accepted = p->forbidden = false;
	p->by = -1;
	snprintf(p->text, sizeof p->text, "%s", text);
	return p;
}

/* The file that was written last, shown where an oracle breaks. */
static struct page page;

/* Shows the file and the input if it does not hold. */
static void expect_of(bool holds, const struct probe *p, const char *what)
{
	if (!holds)
		fprintf(stderr, "%.*s\n", (int)page.length, page.text);
	if (!holds && p->kind == PROBE_PEER)
		fprintf(stderr, "peer %u.%u.%u.%u... port %u: ", p->address[0], p->address[1],
			p->address[2], p->address[3], p->port);
	else if (!holds)
		fprintf(stderr, "%s %s: ", p->method != NULL ? p->method : "", p->text);
	oracle(holds, what);
}

static void probe_name(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	static const char *const fronts[] = {"", "x.", "z.x.", "zz-.", "not", "z.", "y.z."};
	const char *const bare = bare_name(m->item[k].text);
	const size_t whole = strlen(bare);
	char name[2 * TEXT_MOST], url[2 * TEXT_MOST + 16];
	snprintf(name, sizeof name, "%s%.*s", ONE_OF(d, fronts),
		 (int)(whole - (bare[whole - 1] == '.')), bare);
	snprintf(url, sizeof url, "https://%s/", name);
	add_probe(all, PROBE_URL, m->item[k].slot, url);
}

/* Adds `step` to the address. */
static void step_address(uint8_t *address, unsigned octets, int step)
{
	for (unsigned k = octets; k > 0 && step != 0; k--) {
		const int sum = address[k - 1] + step;
		address[k - 1] = (uint8_t)(sum & 0xff);
		step = sum < 0 ? -1 : sum > 255 ? 1 : 0;
	}
}

static const struct item *nat64_of(const struct model *m)
{
	for (uint32_t k = 0; k < m->items; k++)
		if (m->item[k].key == KEY_NAT64)
			return &m->item[k];
	return NULL;
}

static void probe_address(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	const struct urivet_network *const n = &m->item[k].network;
	const unsigned octets = n->octets, kind = below(d, 5);
	struct urivet_uri uri = {.host_kind = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6,
				 .has_ipv4 = octets == 4};
	char text[64], url[128];
	struct probe *p;
	uint8_t a[16];
	memcpy(a, n->address, sizeof a);
	for (unsigned bit = n->length; bit < 8 * octets && kind != 0 && kind != 3; bit++)
		a[bit / 8] |= (uint8_t)((kind == 1 ? below(d, 2) : 1u) << (7 - bit % 8));
	if (kind >= 3) /* beside the network */
		step_address(a, octets, kind == 3 ? -1 : 1);
	if (m->item[k].key == KEY_NAT64 && n->length < 96)
		a[8] = 0;
	memcpy(uri.address, a, sizeof a);
	urivet_format_address(text, sizeof text, &uri);
	snprintf(url, sizeof url, octets == 4 ? "https://%s/" : "https://[%s]/", text);
	add_probe(all, PROBE_URL, NO_SLOT, url);
	p = add_probe(all, PROBE_PEER, NO_SLOT, "");
	memcpy(p->address, a, sizeof a);
	p->octets = octets;
	p->port = 443;
	snprintf(url, sizeof url, "https://%u-%u-%u-%u.sslip.io/", a[0], a[1], a[2], a[3]);
	for (unsigned i = 0, used = 8; i < 8 && octets == 16; i++)
		used +=
		    (unsigned)snprintf(url + used, sizeof url - used, "%x%s",
				       a[2 * i] * 256u + a[2 * i + 1], i < 7 ? "-" : ".sslip.io/");
	add_probe(all, PROBE_URL, NO_SLOT, url);
}

/* An address behind the translator that leads to the network of an item, or beside it. */
static void probe_translated(struct probes *all, const struct model *m, struct dice *d,
			     const struct item *prefix)
{
	struct urivet_network n = prefix->network;
	static struct model changed_model;
	struct model *const changed = &changed_model;
	const struct item *to = &m->item[below(d, m->items)];
	unsigned at = n.length / 8;
	for (unsigned k = 0; k < 4; k++) {
		at += at == 8 && n.length < 96;
		n.address[at++] =
		    to->network.octets == 4 ? to->network.address[k] : (uint8_t)below(d, 256);
	}
	*changed = *m;
	changed->item[0].network = n;
	changed->item[0].network.length = 128;
	changed->item[0].key = m->item[0].key;
	probe_address(all, changed, d, 0);
}

static void probe_port(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	static const uint32_t usual[] = {80, 443, 80, 443, 21};
	static const uint32_t others[] = {21, 80, 443, 6000, 8443, 65535};
	const struct item *const item = &m->item[k];
	const unsigned scheme = item->key - KEY_PORTS_HTTP;
	const uint32_t around[] = {item->first, item->last, item->first - 1u, item->last + 1u};
	const uint32_t port = around[below(d, 4)];
	char url[64];
	struct probe *p;
	if (port > 0 && port <= 65535 && port != usual[scheme]) {
		snprintf(url, sizeof url, "%s://www.iana.org:%u/", keys[item->key].name, port);
		add_probe(all, PROBE_URL, NO_SLOT, url);
	}
	p = add_probe(all, PROBE_PEER, NO_SLOT, "");
	memcpy(p->address, "\x08\x08\x08\x08", 4);
	p->octets = 4;
	p->port = below(d, 2) == 0 ? others[below(d, COUNT(others))] : port;
	if (p->port == 0 || p->port > 65535)
		p->port = 80;
}

/* A URL that the rule covers, or one that is beside it. */
static void probe_url(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	const char *text = m->item[k].text, *const star = strstr(text, ":*/");
	const char *const slashes = strstr(text, "://"),
			  *rest = slashes != NULL ? slashes + 3 : text;
	const bool below_name =
	    slashes != NULL && (rest[0] == '*' || rest[0] == '+' || (rest[0] == '.' && below(d, 2) == 0));
	const bool exact = text[strlen(text) - 1] == '$';
	static const char *const queries[] = {"?code=1&a=2", "?a=2&code=1", "?a=2;code", "?a&Code%5Bx%5D=1", "?a&+code=", "?codes=1&a=code&xcode"};
	const unsigned kind = below(d, 4), query = below(d, COUNT(queries));
	char url[2 * TEXT_MOST];
	size_t used = (size_t)snprintf(url, sizeof url, "%.*s%s", (int)(rest - text), text,
				       below_name ? "x." : "");
	bool covered = true;
	struct outcome o;
	struct probe *p;
	if (slashes != NULL)
		rest = bare_name(rest);
	if (star != NULL)
		used += (size_t)snprintf(url + used, sizeof url - used, "%.*s:3000%s",
					 (int)(star - rest), rest, star + 2);
	else
		used += (size_t)snprintf(url + used, sizeof url - used, "%s", rest);
	if (exact)
		url[--used] = '\0';
	if (slashes != NULL && strchr(url + (slashes - text) + 3, '/') == NULL)
		used += (size_t)snprintf(url + used, sizeof url - used, "/");
	if (kind == 1 && url[used - 1] != '/') { /* another segment */
		snprintf(url + used, sizeof url - used, "x");
		covered = false;
	} else if (kind == 2) {
		snprintf(url + used, sizeof url - used, url[used - 1] == '/' ? "k" : "/k");
		covered = !exact;
	} else if (kind == 3) {
		snprintf(url + used, sizeof url - used, "%s", queries[query]);
		covered = !exact;
	}
	p = add_probe(all, PROBE_URL, m->item[k].slot, url);
	judge_probe(&o, p, m);
	if (m->narrow)
		return;
	expect_of(o.url == (covered ? (int)k : -1), p, "a rule for URLs covers what it says");
	expect_of(
	    finds(&o, URIVET_F_URL_NOT_ALLOWED) ==
		(!covered && !m->policy.urls_also && (!m->policy.hosts.only || slashes == NULL)),
	    p, "URLs that no rule covers are not allowed");
	if (kind == 3)
		expect_of(finds(&o, URIVET_F_PARAM_REFUSED) ==
			      (strncmp(m->policy.forbidden_parameters, "code ", 5) == 0 && query + 1 < COUNT(queries)),
			  p, "parameters that are forbidden are refused");
}

static void probe_path(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	static const char *const methods[] = {"GET", "POST", "PROPFIND", "X-A", "GE",
					      "ET",  "GETS", "X",        NULL};
	static const char *const between[] = {"/", "/", "/sub/", "/subx/", "x/"};
	/* a segment of dots, as some reader sees it: the path leads out of its prefix */
	static const char *const out[] = {"/../", "/x;a/../", "/..;a/", "/x;a/y;b/.;c/",
					  "/%2e%2e/", "/%252e%252E%252f", "/x%5c..%5C", "/x\\..\\"};
	const bool leads_out = below(d, 4) == 0;
	const struct item *const item = &m->item[k];
	const size_t length = strlen(item->text);
	char target[2 * TEXT_MOST], url[2 * TEXT_MOST + 32];
	struct outcome o;
	struct probe *p;
	unsigned waiver = 0;
	while (waivers[waiver].id != item->waives[0])
		waiver++;
	snprintf(target, sizeof target, "%.*s%s%s", (int)(length - (strchr("/$", item->text[length - 1]) != NULL)),
		 item->text, leads_out ? ONE_OF(d, out) : ONE_OF(d, between), waivers[waiver].path);
	snprintf(url, sizeof url, "https://www.iana.org%s", target);
	for (unsigned kind = 0; kind < 2; kind++) {
		p = add_probe(all, kind == 0 ? PROBE_URL : PROBE_REQUEST, item->slot,
			      kind == 0 ? url : target);
		p->method = kind == 0 ? NULL : ONE_OF(d, methods);
		judge_probe(&o, p, m);
		expect_of(kind > 0 || m->narrow || m->policy.url_count == 0 || m->policy.urls_also || m->policy.hosts.only ||
			      finds(&o, URIVET_F_URL_NOT_ALLOWED), p, "what a path waives leaves the list of URLs");
	}
}

/* A URL, a name and a label of the longest length, and an octet longer. */
static void probe_limits(struct probes *all, const struct model *m, struct dice *d)
{
	const uint32_t more = below(d, 2), length = m->policy.max_length + more,
		       host = m->policy.max_host + more, label = m->policy.max_label + more;
	char url[URL_MOST];
	struct outcome o;
	struct probe *p;
	size_t used = (size_t)snprintf(url, sizeof url, "https://");
	if (length > 40 && length < sizeof url) {
		memset(url + used, 'k', sizeof url - used);
		memcpy(url + used, "www.iana.org/", 13);
		url[length] = '\0';
		p = add_probe(all, PROBE_URL, NO_SLOT, url);
		judge_probe(&o, p, m);
		expect_of(finds(&o, URIVET_F_URL_TOO_LONG) == (more > 0), p,
			  "the limit of a URL is exact");
	}
	if (host > 12 && host + 9 <= m->policy.max_length && m->policy.max_label >= 9) {
		memset(url + used, 'k', host);
		for (uint32_t k = 9; k + 8 < host; k += 9)
			url[used + k] = '.';
		memcpy(url + used + host - 4, ".com/", 6);
		p = add_probe(all, PROBE_URL, NO_SLOT, url);
		judge_probe(&o, p, m);
		expect_of(finds(&o, URIVET_F_HOST_TOO_LONG) == (more > 0), p,
			  "the limit of a name is exact");
	}
	if (label > 4 && label + 13 <= m->policy.max_length && label + 4 <= m->policy.max_host) {
		memset(url + used, 'k', label);
		memcpy(url + used + label, ".com/", 6);
		p = add_probe(all, PROBE_URL, NO_SLOT, url);
		judge_probe(&o, p, m);
		expect_of(finds(&o, URIVET_F_HOST_LABEL_TOO_LONG) == (more > 0), p,
			  "the limit of a label is exact");
	}
}

static void probe_schemes(struct probes *all, const struct model *m, struct dice *d)
{
	static const struct {
		const char *name, *url;
		unsigned scheme;
	} inputs[] = {{"http ", "http://www.iana.org/", URIVET_SCHEME_HTTP},
		      {"https ", "https://www.iana.org/", URIVET_SCHEME_HTTPS},
		      {"ws ", "ws://www.iana.org/", URIVET_SCHEME_WS},
		      {"wss ", "wss://www.iana.org/", URIVET_SCHEME_WSS},
		      {"ftp ", "ftp://www.iana.org/", URIVET_SCHEME_FTP},
		      {"mail ", "mail:k", URIVET_SCHEME_OTHER},
		      {"mailto ", "mailto:k@iana.org", URIVET_SCHEME_OTHER},
		      {"tel ", "tel:+15", URIVET_SCHEME_OTHER},
		      {"telx ", "telx:k", URIVET_SCHEME_OTHER}};
	const unsigned k = below(d, COUNT(inputs));
	char names[URIVET_SCHEME_NAMES + 1], name[16];
	struct outcome o;
	struct probe *const p = add_probe(all, PROBE_URL, NO_SLOT, inputs[k].url);
	snprintf(names, sizeof names, " %s", m->policy.scheme_names);
	snprintf(name, sizeof name, " %s", inputs[k].name);
	judge_probe(&o, p, m);
	if (!m->narrow)
		expect_of(finds(&o, URIVET_F_SCHEME_NOT_ALLOWED) ==
			      ((m->policy.schemes >> inputs[k].scheme & 1) == 0 &&
			       strstr(names, name) == NULL),
			  p, "schemes that are not listed are not allowed");
}

static void probe_others(struct probes *all, const struct model *m, struct dice *d)
{
	static const char *const urls[] = {"https://www.iana.org/a?b=[&b={&c=%",
					   "https://www.iana.org/a;b//c?d#e",
					   "https://localhost/",
					   "https://u:p@www.iana.org./%2e%2e/",
					   "https://169.254.169.254/a.b.c.d",
					   "https://branda.com/",
					   "https://www.iana.org/strip/x/../..",
					   "https://xn--80ak6aa92e.com/"};
	struct outcome o;
	struct probe *p = add_probe(all, PROBE_URL, NO_SLOT, ONE_OF(d, urls));
	for (uint32_t k = 0; k < m->items; k++) {
		char url[2 * TEXT_MOST];
		if (m->item[k].key == KEY_PROTECT) {
			snprintf(url, sizeof url, "https://%.*s-login.net/",
				 (int)strcspn(m->item[k].text, "."), m->item[k].text);
			p = add_probe(all, PROBE_URL, m->item[k].slot, url);
			judge_probe(&o, p, m);
			expect_of(m->narrow || finds(&o, URIVET_F_BRAND_AS_LABEL), p,
				  "a protected name inside of another is noted");
		} else if (m->item[k].key == KEY_STRIP) {
			p = add_probe(all, PROBE_URL, m->item[k].slot,
				      "https://www.iana.org/strip//evil.example/");
			judge_probe(&o, p, m);
			expect_of(m->narrow || finds(&o, URIVET_F_PATH_LEADING_DOUBLE_SLASH), p,
				  "what remains of a path is a path");
		}
	}
}

/* ---- Parameters --------------------------------------------------------------------------- */

/* Values for a parameter of https://www.iana.org/. */
static const struct value {
	const char *text;
	bool own, rooted, absolute, internal;
} values[] = {
    {"https://www.iana.org/k", true, false, true, false}, {"https://www.w3.org/k", false, false, true, false},
    {"/k", true, true, false, false},                     {"k", true, false, false, false},
    {"http://localhost/", false, false, true, true},      {"https://10.0.0.1/k", false, false, true, true},
};

enum spelled { AS_GIVEN, IN_CAPITALS, AFTER_SEMICOLON, LONGER, SPELLINGS };

/* Returns true if the rule refuses a parameter that has the name of item `k`, spelled in some way. */
static bool refuses_value(const struct item *item, const struct item *named, enum spelled how, const struct value *v)
{
	const bool all = item->text[0] == '*';
	if (!judges_value(item) || (!all && (item != named || how == LONGER)) || (all && !v->rooted && !v->absolute) ||
	    (how == AFTER_SEMICOLON && !has_option(item, SEMICOLONS)) ||
	    (how == IN_CAPITALS && !all && !has_option(item, ANY_CASE)))
		return false;
	return (has_option(item, SAME_ORIGIN) && !v->own) || (has_option(item, ROOTED) && !v->rooted) ||
	       (has_option(item, ABSOLUTE) && !v->absolute) ||
	       (v->internal && (item->policy == NULL || strcmp(item->policy, "strict") != 0));
}

/* Writes "&name=value". What is decoded twice may be escaped twice. */
static void put_pair(char url[TEXT_MOST], const struct item *named, enum spelled how, const char *value, bool twice)
{
	size_t used = strlen(url);
	used += (size_t)snprintf(url + used, TEXT_MOST - used, how == AFTER_SEMICOLON ? ";" : "&");
	for (const char *at = named->text[0] == '*' ? "any" : named->text; *at != '\0'; at++)
		url[used++] = how == IN_CAPITALS ? (char)(*at & ~0x20) : *at;
	used += (size_t)snprintf(url + used, TEXT_MOST - used, how == LONGER ? "x=" : "=");
	for (; *value != '\0'; value++)
		used += (size_t)snprintf(url + used, TEXT_MOST - used, twice && strchr(":/", *value) != NULL ? "%%25%02X" : "%c", *value);
}

/* One parameter or two with the names of rules, which may not accept their values. */
static void probe_values(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	const bool two = below(d, 2) == 0;
	char url[TEXT_MOST] = "https://www.iana.org/p?b=1";
	unsigned pairs = 0, refusals = 0;
	int by = -1;
	struct probe *p;
	for (uint32_t i = k; i < m->items && pairs < 1u + two; i++) {
		const struct value *const v = &values[below(d, COUNT(values))];
		enum spelled how = below(d, 2) * below(d, SPELLINGS);
		bool any = false, twice = has_option(&m->item[i], TWICE) && below(d, 2) == 0, later = false;
		if (m->item[i].key != KEY_PARAMETERS)
			continue;
		if (how == AFTER_SEMICOLON && pairs > 0) /* it would be of the value before it */
			how = AS_GIVEN;
		for (uint32_t other = 0; other < m->items; other++)
			twice = twice && m->item[other].text[0] != '*';
		if (twice && how != AS_GIVEN) /* another rule may decode it once */
			continue;
		put_pair(url, &m->item[i], how, v->text, twice);
		pairs++;
		for (uint32_t other = 0; other < m->items; other++) {
			const struct item *const item = &m->item[other];
			if (item->key != KEY_PARAMETERS || !refuses_value(item, &m->item[i], how, v))
				continue;
			/* rules with semicolons come later */
			later = later || any || has_option(item, SEMICOLONS) || (by >= 0 && has_option(&m->item[by], SEMICOLONS));
			by = refusals == 0 ? (int)other : later ? -1 : by;
			any = true;
			refusals++;
		}
	}
	p = add_probe(all, PROBE_PARAMETER, NO_SLOT, url);
	p->refused = refusals > 0;
	p->by = by;
}

/* Values with findings, of which each rule allows one. */
static void probe_allowances(struct probes *all, const struct model *m, struct dice *d, uint32_t k)
{
	static const char *const rest[] = {"", "", "", "k", ";k"};
	char url[TEXT_MOST] = "https://www.iana.org/p?b=1";
	const uint32_t most = 1 + below(d, 2);
	bool allowed = true;
	struct probe *p = add_probe(all, PROBE_PARAMETER, NO_SLOT, url);
	struct urivet_report r;
	if (urivet_check(&r, url, strlen(url), &m->policy) == URIVET_REJECT)
		return;
	for (uint32_t i = k, pairs = 0; i < m->items && pairs < most; i++) {
		const struct item *const item = &m->item[i];
		const unsigned which = below(d, COUNT(allowances));
		const char *const end = ONE_OF(d, rest);
		const enum spelled how = below(d, 4) == 0 ? IN_CAPITALS : AS_GIVEN;
		char value[32], alone[TEXT_MOST] = "https://www.iana.org/p?b=1";
		if (item->key != KEY_PARAMETERS || judges_value(item))
			continue;
		snprintf(value, sizeof value, "%s%s", allowances[which].value, end);
		put_pair(url, item, how, value, false);
		put_pair(alone, item, how, value, false);
		if (item->waives[0] != allowances[which].id || end[0] == ';' || how != AS_GIVEN) /* an opaque query may have it */
			allowed = allowed && urivet_verdict_of(alone, strlen(alone), &m->policy, NULL) == URIVET_ACCEPT;
		pairs++;
	}
	snprintf(p->text, sizeof p->text, "%s", url);
	p->accepted = allowed;
	p->forbidden = !allowed;
}

/* Checks what the rules for parameters of a file make of a probe. */
static void expect_parameter(const struct probe *p, const struct model *m, const struct urivet_loaded *loaded, bool places)
{
	const struct urivet_text text = urivet_text_of(p->text, strlen(p->text));
	struct urivet_report r;
	bool found;
	urivet_check(&r, text.data, text.length, urivet_loaded_policy(loaded));
	const uint32_t tag = r.parameter_rule != NULL ? r.parameter_rule->tag : URIVET_TAG_NONE;
	found = report_finding(&r, URIVET_F_PARAM_REFUSED) != NULL;
	if (m->narrow || r.dropped > 0)
		return;
	expect_of(found == p->refused, p, "a parameter is refused if a rule for it refuses its value");
	expect_of((tag != URIVET_TAG_NONE) == found, p, "a rule is reported for a parameter that is refused");
	expect_of(!places || p->by < 0 || item_of(m, loaded, &r, tag) == p->by, p, "the rule for a parameter is the one that refuses it");
	expect_of(!p->accepted || r.verdict == URIVET_ACCEPT, p, "a value may have what its rule allows");
	expect_of(!p->forbidden || r.verdict == URIVET_REJECT, p, "no other value may have what a rule allows");
}

/* Makes inputs of the items, and checks what the model says about them. */
static void make_probes(struct probes *all, const struct model *m, struct dice *d)
{
	all->count = 0;
	probe_limits(all, m, d);
	probe_schemes(all, m, d);
	probe_others(all, m, d);
	if (nat64_of(m) != NULL)
		probe_translated(all, m, d, nat64_of(m));
	for (uint32_t tries = 0; tries < 12 && m->items > 0; tries++) {
		const uint32_t k = below(d, m->items);
		const unsigned key = m->item[k].key;
		if (key >= KEY_PORTS_HTTP && key <= KEY_PORTS_FTP)
			probe_port(all, m, d, k);
		else if (key == KEY_HOSTS_ALLOW || key == KEY_HOSTS_DENY)
			probe_name(all, m, d, k);
		else if (key == KEY_URLS_ALLOW || key == KEY_URLS_ALSO)
			probe_url(all, m, d, k);
		else if (key >= KEY_ADDRESSES_ALLOW && key <= KEY_NAT64)
			probe_address(all, m, d, k);
		else if (key == KEY_PATHS)
			probe_path(all, m, d, k);
		else if (key == KEY_PARAMETERS && judges_value(&m->item[k]))
			probe_values(all, m, d, k);
		else if (key == KEY_PARAMETERS)
			probe_allowances(all, m, d, k);
	}
	for (uint32_t k = 0; k < all->count; k++) /* once for all files of the model */
		if (all->probe[k].kind != PROBE_PARAMETER)
			judge_probe(&all->probe[k].expected, &all->probe[k], m);
}

/* ---- Files ------------------------------------------------------------------------------------ */

/* What was reported about a file: the number of faults, and the first one. */
struct first_problem {
	unsigned count;
	uint32_t line, column;
	char text[1024];
};

static void keep_first(void *context, const struct urivet_message *message)
{
	struct first_problem *first = context;
	if (first->count++ > 0)
		return;
	first->line = message->line;
	first->column = message->column;
	snprintf(first->text, sizeof first->text, "%s", message->text);
}

/* Shows the file, and its first problem, if it does not hold. */
static void expect_file(bool holds, const struct first_problem *first, const char *what)
{
	if (!holds)
		fprintf(stderr, "%.*s\n%u:%u: %s (%u in all)\n", (int)page.length, page.text,
			first->line, first->column, first->text, first->count);
	oracle(holds, what);
}

static struct urivet_loaded *load_page(struct first_problem *first)
{
	memset(first, 0, sizeof *first);
	return urivet_load_text(page.text, page.length, "built.yaml", keep_first, first);
}

static bool is_like(const struct outcome *a, const struct outcome *b, bool places)
{
	return a->verdict == b->verdict && a->count == b->count &&
	       memcmp(a->id, b->id, sizeof a->id) == 0 && memcmp(a->refuses, b->refuses, sizeof a->refuses) == 0 &&
	       (!places || (a->host == b->host && a->address == b->address && a->port == b->port &&
			    a->url == b->url && a->path == b->path));
}

/* Checks that the policy judges as the model does; of the slot that was left out nothing is judged. */
static void expect_as_model(const struct probes *all, const struct model *m,
			    const struct urivet_loaded *loaded, uint32_t left_out, bool places,
			    bool alone, const char *what)
{
	for (uint32_t k = 0; k < all->count; k++) {
		const struct probe *const p = &all->probe[k];
		struct outcome of_file;
		bool alike;
		if (p->kind == PROBE_PARAMETER && left_out == NOTHING)
			expect_parameter(p, m, loaded, places);
		if (p->kind == PROBE_PARAMETER)
			continue;
		if (left_out != NOTHING && (p->slot == left_out || p->slot == NO_SLOT))
			continue;
		judge_by(&of_file, p, m, urivet_loaded_policy(loaded), places ? loaded : NULL, alone);
		alike = is_like(&p->expected, &of_file, places);
		if (!alike) {
			show_outcome(&p->expected);
			show_outcome(&of_file);
		}
		expect_of(alike, p, what);
	}
}

static void expect_settings(const struct model *m, const struct urivet_loaded *loaded)
{
	static const struct first_problem nothing;
	const struct urivet_policy *const a = &m->policy, *const b = urivet_loaded_policy(loaded);
	expect_file(urivet_loaded_base(loaded) == m->base &&
			urivet_loaded_observes(loaded) == m->observes &&
			strcmp(a->name, b->name) == 0,
		    &nothing, "base, mode and name are those of the file");
	expect_file(a->max_length == b->max_length && a->max_host == b->max_host &&
			a->max_label == b->max_label && a->schemes == b->schemes &&
			a->opaque_query == b->opaque_query && a->urls_also == b->urls_also &&
			a->hosts.only == b->hosts.only,
		    &nothing, "settings are those of the file");
	expect_file(a->hosts.count == b->hosts.count && a->addresses.count == b->addresses.count &&
			a->port_count == b->port_count && a->url_count == b->url_count &&
			a->path_count == b->path_count && a->nat64_count == b->nat64_count &&
			a->protect_count == b->protect_count,
		    &nothing, "lists have the rules of the file");
	for (uint32_t k = 0, count = 0; k < m->items; k++) {
		count += m->item[k].key == KEY_PARAMETERS;
		expect_file(k + 1 < m->items || (urivet_loaded_parameter(loaded, count) == NULL &&
						 (count == 0 || urivet_loaded_parameter(loaded, count - 1) != NULL)),
			    &nothing, "each parameter has its rule");
	}
	expect_file(memcmp(&a->waived, &b->waived, sizeof a->waived) == 0 &&
			memcmp(&a->raised, &b->raised, sizeof a->raised) == 0,
		    &nothing, "findings are waived and raised as the file says");
}

static size_t put_copy(void *copy, size_t capacity, const struct urivet_loaded *loaded, bool compiled)
{
	return compiled ? urivet_loaded_compile(copy, capacity, loaded)
			: urivet_loaded_format(copy, capacity, loaded);
}

/* Compiled, or written and loaded again, a policy is the same. */
static void expect_copy(const struct probes *all, const struct model *m,
			const struct urivet_loaded *loaded, bool compiled)
{
	const size_t size = put_copy(NULL, 0, loaded, compiled);
	char *const text = room_for(size + !compiled);
	struct urivet_loaded *copy;
	oracle(put_copy(text, size + !compiled, loaded, compiled) == size, "a policy can be compiled and written");
	copy = urivet_load_text(text, size, compiled ? "compiled" : "shown.yaml", NULL, NULL);
	oracle(copy != NULL, "a policy that was compiled or written is loaded");
	expect_settings(m, copy);
	expect_as_model(all, m, copy, NOTHING, compiled, compiled,
			compiled ? "a compiled policy judges as its items do"
				 : "a policy that was written judges as its items do");
	urivet_loaded_release(copy);
	free(text);
}

/* Returns true if the file is one without the items of the slot: no list that decides becomes empty. */
static bool can_leave_out(const struct model *m, uint32_t slot)
{
	bool left[KEYS] = {false}, gone[KEYS] = {false};
	for (uint32_t k = 0; k < m->items; k++)
		(m->item[k].slot == slot ? gone : left)[m->item[k].key] = true;
	for (unsigned key = 0; key < KEYS; key++)
		if (gone[key] && !left[key] && key >= KEY_HOSTS_ALLOW && key <= KEY_FORBIDDEN &&
		    key != KEY_HOSTS_DENY)
			return false;
	return true;
}

/* ---- Files with a fault --------------------------------------------------------------------- */

enum fault_how {
	AS_TEXT,   /* an element or value, written as other texts */
	AS_IT_IS,  /* "^" is where the fault is, if not at the front */
	AS_AGAIN,  /* a member of the file after all others, whose key is there already */
	AS_MEMBER, /* a member of the file whose key, or group, is not there */
};

static const struct policy_fault {
	uint8_t key, how;
	const char *text;
} policy_faults[] = {
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.1/8"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/64"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/264"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/4294967304"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/-8"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/8/8"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "10.0.0.0/8 "},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "128.0.0.0/0"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "10.128.0.0/8"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "10.0.0.1/31"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "010.0.0.0/8"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "10.0.0"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "256.0.0.0"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, "167772160"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "2001:db8:8000::/32"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "2001:db8::1/127"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "2001:db8::/288"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "::ffff:0:0/96"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "1::2::3"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "1:2:3:4:5:6:7:8:9"},
    {KEY_ADDRESSES_DENY, AS_TEXT, "12345::"},
    {KEY_ADDRESSES_ALLOW, AS_TEXT, ""},
    {KEY_NAT64, AS_TEXT, "64:ff9b::/95"},
    {KEY_NAT64, AS_TEXT, "64:ff9b::/128"},
    {KEY_NAT64, AS_TEXT, "64:ff9b::/72"},
    {KEY_NAT64, AS_TEXT, "64::/24"},
    {KEY_NAT64, AS_TEXT, "64:ff9b::1/96"},
    {KEY_NAT64, AS_TEXT, "64:ff9b:1::/32"},
    {KEY_NAT64, AS_TEXT, "10.0.0.0/32"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "0"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "-1"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "443"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "65536"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "65979"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "73616"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "2147483648"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "2147491728"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "4294967296"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "4294975376"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "18446744073709551616"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "18446744073709559696"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "-18446744073709543536"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "+8000"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "08000"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "0x1f40"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "8_000"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "8e3"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "8000.0"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "\"8000\""},
    {KEY_PORTS_HTTPS, AS_IT_IS, "0-18"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-6999"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-7000"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-65536"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-72636"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "72536-7100"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-4294974396"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "4294974296-7100"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-18446744073709558716"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-07100"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-+7100"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-7100-7200"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "\"7000 - 7100\""},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-"},
    {KEY_PORTS_HTTPS, AS_IT_IS, "7000-x"},
    {KEY_SCHEMES, AS_TEXT, "httpz"},
    {KEY_SCHEMES, AS_TEXT, "HTTPS"},
    {KEY_SCHEMES, AS_TEXT, "1a"},
    {KEY_SCHEMES, AS_TEXT, ""},
    {KEY_HOSTS_DENY, AS_TEXT, "a..example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "..example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a.example.com.."},
    {KEY_HOSTS_DENY, AS_TEXT, "**.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a.*.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "*example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "-a.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a-.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a.example.123"},
    {KEY_HOSTS_DENY, AS_TEXT, "a.example.0x1"},
    {KEY_HOSTS_DENY, AS_TEXT, "a.example.com:443"},
    {KEY_HOSTS_DENY, AS_TEXT, "u@a.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a%2eexample.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "a b.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, "\xc3\xa9.example.com"},
    {KEY_HOSTS_DENY, AS_TEXT, ""},
    {KEY_HOSTS_DENY, AS_TEXT,
     "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk.com"},
    {KEY_HOSTS_ALLOW, AS_TEXT, "*.Org."},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{name: ^.net}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{name: ^.net, shared: false}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{name: again.com, ^name: other.com}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{shared: true, name: .net, ^shared: true}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{name: .net, ^share: true}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "{name: .net, shared: ^yes}"},
    {KEY_HOSTS_ALLOW, AS_IT_IS, "^{shared: true}"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/../x"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/x/%2e"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/x//y"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/x?y*"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/x#y"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com/*"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:0/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:65536/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:65979/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:4294967739/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:0443/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://.a.example.com:*/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com:/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://128.0.0.1:9-8/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://[::2]:1-65536/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a..example.com/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://a.example.com./"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://u@a.example.com/"},
    {KEY_URLS_ALLOW, AS_TEXT, "HTTPS://a.example.com/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https://.com/"},
    {KEY_URLS_ALLOW, AS_TEXT, "https:/a.example.com/"},
    {KEY_URLS_ALLOW, AS_TEXT, "a.example.com/x"},
    {KEY_URLS_ALLOW, AS_TEXT, "javascript:/x"},
    {KEY_URLS_ALLOW, AS_TEXT, "file:///x"},
    {KEY_URLS_ALLOW, AS_TEXT, ""},
    {KEY_FORBIDDEN, AS_TEXT, "a%41"},
    {KEY_FORBIDDEN, AS_TEXT, "a&b"},
    {KEY_FORBIDDEN, AS_TEXT, ""},
    {KEY_ALLOW, AS_TEXT, "no-such-finding"},
    {KEY_ALLOW, AS_TEXT, "control-char"},
    {KEY_ALLOW, AS_TEXT, "raw-space"},
    {KEY_ALLOW, AS_TEXT, ""},
    {KEY_REFUSE, AS_TEXT, "no-such-finding"},
    {KEY_REFUSE, AS_TEXT, "Path-Semicolon"},
    {KEY_LENGTH, AS_IT_IS, "0"},
    {KEY_LENGTH, AS_IT_IS, "1073741825"},
    {KEY_LENGTH, AS_IT_IS, "2147483648"},
    {KEY_LENGTH, AS_IT_IS, "4294967295"},
    {KEY_LENGTH, AS_IT_IS, "4294967297"},
    {KEY_LENGTH, AS_IT_IS, "9223372036854775809"},
    {KEY_LENGTH, AS_IT_IS, "18446744073709551617"},
    {KEY_LENGTH, AS_IT_IS, "18446744073709559808"},
    {KEY_LENGTH, AS_IT_IS, "-8192"},
    {KEY_LENGTH, AS_IT_IS, "+8192"},
    {KEY_LENGTH, AS_IT_IS, "08192"},
    {KEY_LENGTH, AS_IT_IS, "8_192"},
    {KEY_LENGTH, AS_IT_IS, "0x2000"},
    {KEY_LENGTH, AS_IT_IS, "8e3"},
    {KEY_LENGTH, AS_IT_IS, "8192.0"},
    {KEY_LENGTH, AS_IT_IS, "\"8192\""},
    {KEY_LENGTH, AS_IT_IS, "much"},
    {KEY_HOST, AS_IT_IS, "254"},
    {KEY_HOST, AS_IT_IS, "0"},
    {KEY_HOST, AS_IT_IS, "4294967306"},
    {KEY_LABEL, AS_IT_IS, "64"},
    {KEY_LABEL, AS_IT_IS, "0"},
    {KEY_LABEL, AS_IT_IS, "319"},
    {KEY_OPAQUE_QUERY, AS_IT_IS, "yes"},
    {KEY_OPAQUE_QUERY, AS_IT_IS, "True"},
    {KEY_OPAQUE_QUERY, AS_IT_IS, "1"},
    {KEY_OPAQUE_QUERY, AS_IT_IS, "\"true\""},
    {KEY_MODE, AS_TEXT, "observing"},
    {KEY_MODE, AS_TEXT, "Enforce"},
    {KEY_NAME, AS_TEXT, ""},
    {KEY_NAME, AS_IT_IS, "\"\\x07\""},
    {KEY_NAME, AS_IT_IS, "\"\\u0085\""},
    {KEY_PROTECT, AS_TEXT, ".bank.com"},
    {KEY_PROTECT, AS_TEXT, "*.bank.com"},
    {KEY_PROTECT, AS_TEXT, "a..bank.com"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"api\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a//b\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a/./b\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a/../b\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a/..\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a.\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a;b\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a%2\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/%61\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a*\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a?b\", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"/a$b$c \", allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^\"\", allow: [escaped-slash]}"},
    {KEY_STRIP, AS_TEXT, "/a$"},
    {KEY_STRIP, AS_TEXT, "/a//b"},
    {KEY_STRIP, AS_TEXT, "GET /a"},
    {KEY_PATHS, AS_IT_IS, "^{allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: ^/a}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, ^prefix: /b, allow: [escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [escaped-slash, ^escaped-slash]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [^dot-segment]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [^host-denied]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [escaped-slash, ^host-empty]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [^no-such-finding]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [escaped-slash], methods: [^get]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [escaped-slash], methods: [GET, ^GET]}"},
    {KEY_PATHS, AS_IT_IS, "{prefix: /a, allow: [escaped-slash], ^method: [GET]}"},
    {KEY_PARAMETERS, AS_IT_IS, "^z: {}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: ^true"},
    {KEY_PARAMETERS, AS_IT_IS, "z: ^[public]"},
    {KEY_PARAMETERS, AS_IT_IS, "^'': {policy: public}"},
    {KEY_PARAMETERS, AS_IT_IS, "^z: {rooted: true, absolute: true}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {rooted: ^yes}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {same_origin: ^\"true\"}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {same_origin: ^[true]}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {rooted: true, ^rooted: true}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {policy: public, ^same_orign: true}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {decode: ^0}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {decode: ^3}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {decode: ^4294967297}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {decode: ^\"2\"}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {policy: ^publik}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {policy: ^./x.yaml}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {policy: ^{}}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {policy: public, ^allow: []}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: ^escaped-crlf}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: [escaped-crlf, ^escaped-crlf]}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: [escaped-crlf, ^dot-segment]}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: [escaped-crlf, ^host-denied]}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: [escaped-crlf, ^host-missing]}"},
    {KEY_PARAMETERS, AS_IT_IS, "z: {allow: [escaped-crlf, ^no-such-finding]}"},
    {KEY_PARAMETERS, AS_IT_IS, "^z: {allow: [path-semicolon]}"},
    {KEY_PARAMETERS, AS_IT_IS, "^z: {allow: [escaped-crlf], any_case: true}"},
    {KEY_PARAMETERS, AS_IT_IS, "^z: {allow: [escaped-crlf], semicolons: true}"},
    {KEY_PARAMETERS, AS_IT_IS, "^'z z': {allow: [escaped-crlf]}"},
    {KEYS, AS_AGAIN, "no_such_key: x"},
    {KEYS, AS_AGAIN, "Base: strict"},
    {KEYS, AS_AGAIN, "host: {deny: [x.example.com]}"},
    {KEYS, AS_AGAIN, "\"hosts.deny\": [x.example.com]"},
    {KEY_NAME, AS_AGAIN, "name: again"},
    {KEY_HOSTS_DENY, AS_AGAIN, "hosts: {deny: [again.example.com]}"},
    {KEY_ADDRESSES_DENY, AS_AGAIN, "addresses: {deny: [203.0.114.7]}"},
    {KEY_ALLOW, AS_AGAIN, "allow: [path-double-slash]"},
    {KEY_PATHS, AS_AGAIN, "paths: [{prefix: /again, allow: [escaped-slash]}]"},
    {KEY_LENGTH, AS_AGAIN, "limits: {length: 8192}"},
    {KEY_PARAMETERS, AS_AGAIN, "parameters: {y: {policy: public}}"},
    {KEY_PARAMETERS, AS_MEMBER, "parameters: {}"},
    {KEY_PARAMETERS, AS_MEMBER, "parameters: ^[z]"},
    {KEY_STRIP, AS_MEMBER, "strip_prefix: []"},
    {KEY_STRIP, AS_MEMBER, "strip_prefix: ^/a"},
    {KEY_STRIP, AS_MEMBER, "strip_prefix: [^[/a]]"},
    {KEY_PROTECT, AS_MEMBER, "protect: ~"},
    {KEY_PROTECT, AS_MEMBER, "protect: [bank.com, ^~]"},
    {KEY_PROTECT, AS_MEMBER, "protect: [bank.com, ^Bank.com]"},
    {KEY_ALLOW, AS_MEMBER, "allow: [path-double-slash, ^path-double-slash]"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {^allow: []}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {deny: [a.com], ^deny: [b.com]}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {deny: [.a.com, ^b.a.com]}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {allow: [h.a.com], deny: [^'*.h.a.com']}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {allow: ['*.h.a.com', .b.com], deny: [^h.a.com]}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {allow: [.b.com], deny: [^x.c.com]}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {deny: [a.com, ^A.com.]}"},
    {KEY_HOSTS_ALLOW, AS_MEMBER, "hosts: {allow: [^b.a.com, .c.com], deny: [.a.com]}"},
    {KEY_ADDRESSES_ALLOW, AS_MEMBER, "addresses: {allow: [^10.1.0.0/16], deny: [10.0.0.0/8]}"},
    {KEY_ADDRESSES_ALLOW, AS_MEMBER, "addresses: {deny: [10.0.0.0/8, ^10.255.255.255]}"},
    {KEY_PORTS_WSS, AS_MEMBER, "ports: {https: ^8443}"},
    {KEY_PORTS_WSS, AS_MEMBER, "ports: {https: [7000-7100, ^7100-7200]}"},
    {KEY_PORTS_WSS, AS_MEMBER, "ports: {https: [7000-7100, ^7050]}"},
    {KEY_PORTS_WSS, AS_MEMBER, "ports: {^gopher: [8443]}"},
    {KEY_PORTS_WSS, AS_MEMBER, "ports: {^other: [8443]}"},
    {KEY_URLS_ALLOW, AS_MEMBER, "urls: {^forbid_parameters: [code]}"},
    {KEY_URLS_ALLOW, AS_MEMBER, "urls: {allow: ['https://o.a.com/'], ^also: ['https://p.a.com/']}"},
    {KEY_URLS_ALLOW, AS_MEMBER, "urls: {also: ['https://o.a.com/a'], forbid_parameters: [a, ^a]}"},
    {KEY_URLS_ALLOW, AS_MEMBER, "urls: {also: ['https://o.a.com/a', ^'https://o.a.com/a/b']}"},
};

/* Returns true if a key of the same group is there. */
static bool has_group_of(const struct model *m, enum key key)
{
	for (unsigned k = 0; k < KEYS; k++)
		if (m->present[k] && (k == key || (keys[key].group[0] != '\0' &&
						   strcmp(keys[k].group, keys[key].group) == 0)))
			return true;
	return false;
}

/* Returns true if the fault can be the only one of a file of this model. */
static bool takes_fault(const struct model *m, const struct policy_fault *f)
{
	for (uint32_t k = 0; k < m->items; k++) /* a finding that is listed already */
		if ((m->item[k].key == KEY_ALLOW || m->item[k].key == KEY_REFUSE) &&
		    strstr(f->text, m->item[k].text) != NULL)
			return false;
	if (f->how == AS_AGAIN)
		return f->key == KEYS || m->present[f->key];
	if (f->how == AS_MEMBER) /* beside URLs, a denial may be about one of them */
		return !has_group_of(m, f->key) && (f->key != KEY_HOSTS_ALLOW || m->policy.url_count == 0);
	if (f->key == KEY_FORBIDDEN)
		return m->policy.url_count > 0;
	return (f->key != KEY_SCHEMES && f->key != KEY_HOSTS_ALLOW) || m->present[f->key];
}

/* Adds the fault to the model's items. Returns its item. */
static struct item *add_fault(struct model *m, const struct policy_fault *f)
{
	const enum key key =
	    f->key == KEY_URLS_ALLOW && m->present[KEY_URLS_ALSO] ? KEY_URLS_ALSO : f->key;
	struct item *item = NULL;
	for (uint32_t k = 0; k < m->items && !keys[key].list; k++)
		if (m->item[k].key == key)
			item = &m->item[k];
	if (item == NULL)
		item = add_item(m, key, NO_SLOT, "");
	snprintf(item->text, sizeof item->text, "%s", f->text);
	item->raw = f->how == AS_IT_IS;
	return item;
}

/* Removes the mark from the text. Returns the number of octets before it. */
static uint32_t take_mark(char *text)
{
	char *const mark = strchr(text, '^');
	if (mark == NULL)
		return 0;
	memmove(mark, mark + 1, strlen(mark));
	return (uint32_t)(mark - text);
}

static void expect_refused(struct model *m, struct dice *d, const struct item *item,
			   const struct item *other)
{
	struct first_problem first;
	struct urivet_loaded *loaded;
	uint32_t mark = 0, line, column;
	char member[TEXT_MOST];
	if (page.twice != NULL) {
		snprintf(member, sizeof member, "%s", page.twice);
		mark = take_mark(member);
		page.twice = member;
	} else if (item->raw) {
		mark = take_mark(m->item[item - m->item].text);
	}
	write_policy(&page, d, m);
	line = item != NULL ? item->line : page.twice_line;
	column = (item != NULL ? item->column : page.twice_column) + mark;
	if (other != NULL &&
	    (other->line > line || (other->line == line && other->column > column))) {
		line = other->line;
		column = other->column;
	}
	loaded = load_page(&first);
	expect_file(loaded == NULL, &first, "a file with a fault is refused");
	expect_file(first.line == line && first.column == column, &first,
		    "a fault is reported where it stands");
	expect_file(first.count == 1, &first, "one fault is reported once");
}

/* An element that is there twice is reported where it stands for the second time. */
static void expect_no_second(struct model *m, struct dice *d)
{
	const uint32_t k = below(d, m->items);
	struct item *again;
	if (!keys[m->item[k].key].list)
		return;
	again = add_item(m, m->item[k].key, m->item[k].slot, m->item[k].text);
	*again = m->item[k];
	expect_refused(m, d, again, &m->item[k]);
}

/* An allowance that lies in a denial has no effect, and is reported. */
static void expect_no_void(struct model *m, struct dice *d)
{
	const uint32_t k = below(d, m->items);
	struct urivet_network inner = m->item[k].network;
	if (m->item[k].key != KEY_ADDRESSES_DENY || inner.length == 8 * inner.octets)
		return;
	inner.length = (uint8_t)(inner.length + 1 + below(d, 8u * inner.octets - inner.length));
	add_network(m, KEY_ADDRESSES_ALLOW, inner);
	expect_refused(m, d, &m->item[m->items - 1], NULL);
}

/* What is allowed below a prefix or in a parameter limits nothing where it is allowed everywhere. */
static void expect_not_everywhere(struct model *m, struct dice *d)
{
	const uint32_t k = below(d, m->items);
	const unsigned id = m->item[k].waives[0];
	uint32_t alike = 0;
	for (uint32_t i = 0; i < m->items; i++)
		alike += m->item[i].waives[0] == id && (m->item[i].key == KEY_PATHS || !judges_value(&m->item[i]));
	if (id == 0 || alike != 1 || (m->item[k].key == KEY_PARAMETERS && judges_value(&m->item[k])) ||
	    urivet_finding_info(id)->class_ == URIVET_MALFORMED || (m->policy.raised.bits[id / 64] >> id % 64 & 1) != 0)
		return;
	add_item(m, KEY_ALLOW, NO_SLOT, urivet_finding_info(id)->name);
	expect_refused(m, d, &m->item[k], NULL);
}

/* A file with one fault is refused, and the fault is reported where it stands, alone. */
static void expect_fault_in(struct model *m, struct dice *d)
{
	const struct policy_fault *f = &policy_faults[below(d, COUNT(policy_faults))];
	const uint32_t kind = below(d, 5);
	for (unsigned k = 0; k < 4 && !takes_fault(m, f); k++)
		f = &policy_faults[below(d, COUNT(policy_faults))];
	const bool member = f->how == AS_AGAIN || f->how == AS_MEMBER;
	page.left_out = NOTHING;
	page.twice = NULL;
	if (kind == 0)
		expect_no_second(m, d);
	else if (kind == 1)
		expect_no_void(m, d);
	else if (kind == 2)
		expect_not_everywhere(m, d);
	else if (takes_fault(m, f)) {
		page.twice = member ? f->text : NULL;
		expect_refused(m, d, member ? NULL : add_fault(m, f), NULL);
	}
}

/* ---- All of them ------------------------------------------------------------------------------ */

/* What a policy is compared with, besides its file: one of these for each input, as each of them takes as
 * long as all else. */
enum compared { COMPILED, SHOWN, REORDERED, WITHOUT_SLOT, COMPARISONS };

/* Writes the file without a slot, loads it, and compares it with the model. */
static struct urivet_loaded *expect_written(struct model *m, struct dice *d, const struct probes *all,
					    uint32_t left_out, bool alone, const char *what)
{
	struct urivet_loaded *loaded;
	struct first_problem first;
	page.left_out = left_out;
	write_policy(&page, d, m);
	loaded = load_page(&first);
	expect_file(loaded != NULL, &first, "a file without a fault is loaded");
	if (left_out == NOTHING)
		expect_settings(m, loaded);
	expect_as_model(all, m, loaded, left_out, true, alone, what);
	return loaded;
}

static void expect_built(const uint8_t *data, size_t length)
{
	static struct model m;
	static struct probes all;
	struct dice d = dice_of(data, length);
	struct urivet_loaded *loaded;
	enum compared compared;
	uint32_t slot;
	page.twice = NULL;
	page.length = 0;
	build_policy(&m, &d);
	if (below(&d, 2) == 0) {
		expect_fault_in(&m, &d);
		return;
	}
	make_probes(&all, &m, &d);
	loaded = expect_written(&m, &d, &all, NOTHING, true, "a file means what its items mean");
	compared = below(&d, COMPARISONS);
	slot = m.slots > 0 ? below(&d, m.slots) : 0;
	if (compared <= SHOWN)
		expect_copy(&all, &m, loaded, compared == COMPILED);
	urivet_loaded_release(loaded);
	if (compared == WITHOUT_SLOT && m.slots > 0 && !m.narrow && can_leave_out(&m, slot))
		urivet_loaded_release(expect_written(&m, &d, &all, slot, false,
						     "a rule about something else changes nothing"));
	else if (compared >= REORDERED)
		urivet_loaded_release(expect_written(&m, &d, &all, NOTHING, false, "order and style change nothing"));
}

#endif
