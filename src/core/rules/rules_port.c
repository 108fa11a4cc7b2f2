/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the port. */
#include "policy/lists.h"
#include "policy/policy.h"
#include "policy/url_rules.h"
#include "rules/rules.h"

/* Ports of services that web requests have been abused to reach: the bad ports of WHATWG Fetch,
 * 2.9, and further servers. Ascending. */
static const uint16_t blocked_ports[] = {
    0,    1,    7,    9,    11,   13,   15,   17,    19,    20,    21,    22,    23,    25,
    37,   42,   43,   53,   69,   77,   79,   87,    95,    101,   102,   103,   104,   109,
    110,  111,  113,  115,  117,  119,  123,  135,   137,   139,   143,   161,   179,   389,
    427,  465,  512,  513,  514,  515,  526,  530,   531,   532,   540,   548,   554,   556,
    563,  587,  601,  636,  989,  990,  993,  995,   1719,  1720,  1723,  2049,  2375,  2376,
    2379, 2380, 3306, 3389, 3659, 4045, 4190, 4444,  5000,  5060,  5061,  5432,  5672,  5900,
    5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667,  6668,  6669,  6679,  6697,  7001,  8009,
    8086, 8500, 9000, 9042, 9092, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 27017, 50070,
};

#define BLOCKED (sizeof(blocked_ports) / sizeof(blocked_ports[0]))

/*@ assigns \nothing; */
static bool is_blocked(uint32_t port)
{
	/*@ loop invariant 0 <= k <= BLOCKED;
	    loop assigns k;
	    loop variant BLOCKED - k; */
	for (unsigned k = 0; k < BLOCKED; k++)
		if (blocked_ports[k] == port)
			return true;
	return false;
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_FINDINGS(s); */
static void add_port(struct subject *s, enum urivet_id id)
{
	const struct urivet_span p = s->report->uri.part[URIVET_PORT];
	urivet_add(s, id, URIVET_PORT, p.offset, span_end(p));
}

/* Checks a port that is not its scheme's default. The policy must list it. A blocked port needs a
 * rule for that port alone, not a range. */
/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
static void listed_port(struct subject *s, uint32_t schemes, uint32_t port)
{
	const struct urivet_port_rule *rule = urivet_port_rule_for(s->policy, schemes, port);
	s->report->port_rule = rule;
	if (is_covered(s))
		return;
	if (rule == NULL)
		add_port(s, URIVET_F_PORT_NONDEFAULT);
	if (is_blocked(port) && (rule == NULL || rule->first != rule->last))
		add_port(s, URIVET_F_PORT_BLOCKED);
}

/* Returns the scheme whose default port applies. A request target usually has no scheme; then it is
 * the listener's. */
/*@ requires judging(s);
    assigns \nothing; */
static unsigned scheme_meant(const struct subject *s)
{
	const uint8_t written = s->report->uri.scheme;
	return written != URIVET_SCHEME_NONE ? written : s->listener.scheme;
}

/* D1: checks the port of a scheme that has a default port, or of a reference without a scheme. */
/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
static void web_port(struct subject *s, uint32_t port)
{
	const unsigned scheme = scheme_meant(s);
	const uint32_t usual = urivet_default_port(scheme);
	if (port == usual)
		add_port(s, URIVET_F_PORT_DEFAULT);
	else if (port == s->listener.port ||
		 (usual == URIVET_NO_PORT && (port == 80 || port == 443)))
		return; /* the listener's own, or a default port of some scheme */
	else
		listed_port(s, usual != URIVET_NO_PORT ? bit(scheme) : UINT32_MAX, port);
}

/* Reports a port that no list can name. Readers may use any port for it, so if a waiver allows it,
 * it counts as non-default and blocked. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures judging(s); */
static void unlistable_port(struct subject *s, enum urivet_id id)
{
	add_port(s, id);
	if (!s->web || !in_set(&s->policy->waived, id))
		return;
	add_port(s, URIVET_F_PORT_NONDEFAULT);
	add_port(s, URIVET_F_PORT_BLOCKED);
}

/*@ requires judging(s);
    assigns \nothing; */
static bool is_loopback(const struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const unsigned octets = uri->host_kind == URIVET_HOST_IPV6 ? 16 : 4;
	const unsigned id = urivet_address_info(uri->address, octets)->finding;
	return id == URIVET_F_ADDR_LOOPBACK || id == URIVET_F_ADDR6_LOOPBACK;
}

/* Returns true if the host of the rule is this machine, by name or address. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static bool is_own_machine(const struct urivet_url_rule *r)
{
	const struct text t = url_rule_text(r);
	uint8_t before = 0;
	if (r->kind == URIVET_URL_IPV4)
		return r->address[0] == 127;
	if (r->kind != URIVET_URL_IPV6)
		return has_its_pieces(r, t.end) &&
		       is_word(until(t, r->host + r->host_length), r->host, "localhost");
	/*@ loop invariant k <= 15;
	    loop assigns k, before;
	    loop variant 15 - k; */
	for (unsigned k = 0; k < 15; k++)
		before |= r->address[k];
	return before == 0 && r->address[15] == 1;
}

bool urivet_has_port(const struct urivet_url_rule *r, uint32_t port)
{
	return r->port <= port && port <= r->last_port &&
	       (r->port == r->last_port || !is_blocked(port) || is_own_machine(r));
}

/* Returns true if a URL rule has the port of the peer. Several ports of this machine count only for
 * loopback peers. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_port_of_url(const struct subject *s, uint32_t port)
{
	const struct urivet_policy *const policy = s->policy;
	if (!has_url_rules(policy))
		return false;
	/*@ loop invariant k <= policy->url_count;
	    loop assigns k;
	    loop variant policy->url_count - k; */
	for (uint32_t k = 0; k < policy->url_count; k++) {
		const struct urivet_url_rule *r = url_rule_at(policy, k);
		if (urivet_has_port(r, port) &&
		    (r->port == r->last_port || !is_own_machine(r) || is_loopback(s)))
			return true;
	}
	return false;
}

void urivet_rules_peer_port(struct subject *s)
{
	const uint32_t allowed = s->policy->schemes, port = s->report->uri.port;
	if (port == 0 || (allowed >> URIVET_SCHEME_OTHER & 1) != 0)
		return;
	/*@ loop invariant URIVET_SCHEME_HTTP <= k <= URIVET_SCHEME_FTP + 1;
	    loop assigns k;
	    loop variant URIVET_SCHEME_FTP - k; */
	for (unsigned k = URIVET_SCHEME_HTTP; k <= URIVET_SCHEME_FTP; k++)
		if ((allowed >> k & 1) != 0 && urivet_default_port(k) == port)
			return;
	if (!is_port_of_url(s, port))
		listed_port(s, allowed, port);
}

void urivet_rules_port(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span p = uri->part[URIVET_PORT];
	const struct text t = within(s->t, p);
	if (!urivet_has(uri, URIVET_PORT))
		return;
	if (p.length == 0) {
		urivet_add(s, URIVET_F_PORT_EMPTY, URIVET_PORT, span_end(s->host), p.offset);
		return;
	}
	if (skip(t, p.offset, DIGIT) < t.end) {
		add_port(s, URIVET_F_PORT_INVALID);
		return;
	}
	if (octet(t, p.offset) == '0' && p.length > 1)
		add_port(s, URIVET_F_PORT_LEADING_ZERO);
	/* only digits: their value is known unless it is above 65535 */
	if (uri->port == URIVET_NO_PORT)
		unlistable_port(s, URIVET_F_PORT_OVERFLOW);
	else if (uri->port == 0)
		unlistable_port(s, URIVET_F_PORT_ZERO);
	else if (s->web)
		web_port(s, uri->port);
}
