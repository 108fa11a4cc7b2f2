/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A naive model of policies: lists are searched from first rule to last, names are compared label
 * by label from the right, addresses bit by bit, and a denial wins. The octets of the input make
 * the rules, and the questions: plain URLs, names of the rules and similar names. The library must
 * agree with the model on lists, ports, schemes, lengths, waivers and raised findings.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <strings.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"

enum { MOST = 6, NAME_ROOM = 64, URL_ROOM = 256, QUESTIONS = 12 };

/* The octets that make choices; 0 after the last one. */
struct chooser {
	const uint8_t *at, *end;
};

static unsigned choose(struct chooser *c, unsigned among)
{
	return c->at < c->end ? *c->at++ % among : 0;
}

/* ---- A policy and its questions ------------------------------------------------------------ */

static const unsigned listed_findings[] = {
    URIVET_F_HOST_DENIED,     URIVET_F_HOST_NOT_ALLOWED, URIVET_F_ADDR_DENIED,
    URIVET_F_PORT_NONDEFAULT, URIVET_F_PORT_BLOCKED,     URIVET_F_SCHEME_NOT_ALLOWED,
    URIVET_F_HOST_IS_ADDRESS, URIVET_F_HOST_CASE,        URIVET_F_PATH_EMPTY};
enum { LISTED = sizeof listed_findings / sizeof listed_findings[0] };

struct plan {
	struct urivet_policy policy;
	char name[MOST][NAME_ROOM];
	struct urivet_host_rule hosts[MOST];
	struct urivet_address_rule addresses[MOST];
	struct urivet_port_rule ports[MOST];
	bool waived[LISTED], raised[LISTED];
};

/* The components of a URL. */
struct question {
	unsigned scheme; /* an index into `web` */
	char host[NAME_ROOM + 8];
	uint8_t address[16];
	unsigned octets; /* length of the address; 0: a name */
	uint32_t port;   /* 0: no port is written */
	bool path;
};

static const struct {
	const char *front;
	enum urivet_scheme scheme;
	uint32_t port;
} web[] = {{"http://", URIVET_SCHEME_HTTP, 80},
	   {"https://", URIVET_SCHEME_HTTPS, 443},
	   {"ws://", URIVET_SCHEME_WS, 80},
	   {"wss://", URIVET_SCHEME_WSS, 443},
	   {"ftp://", URIVET_SCHEME_FTP, 21}};
enum { WEB = sizeof web / sizeof web[0] };

/* ---- The naive model ----------------------------------------------------------------------- */

/* Returns the label that ends before text[length], and stores where it begins. */
static size_t label_before(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] != '.')
		length--;
	return length;
}

/* Returns how many labels precede the rule's labels in the name, or -1 if the name does not end
 * with all of them. */
static int labels_beside(const char *name, const char *rule)
{
	size_t n = strlen(name), m = strlen(rule);
	int left = 0;
	for (;;) {
		const size_t a = label_before(name, n), b = label_before(rule, m);
		if (n - a != m - b || strncasecmp(name + a, rule + b, n - a) != 0)
			return -1;
		n = a;
		m = b;
		if (m == 0)
			break;
		if (n == 0)
			return -1;
		n--;
		m--;
	}
	for (; n > 0; left++)
		n = label_before(name, n - 1);
	return left;
}

static bool speaks_of(const struct urivet_host_rule *rule, const char *rule_name, const char *name)
{
	const int left = labels_beside(name, rule_name);
	return left >= 0 && (rule->scope == URIVET_SCOPE_TREE ||
			     (rule->scope == URIVET_SCOPE_HOST) == (left == 0));
}

static bool holds(const struct urivet_network *network, const uint8_t *address, unsigned octets)
{
	if (network->octets != octets)
		return false;
	for (unsigned bit = 0; bit < network->length; bit++)
		if (((network->address[bit / 8] ^ address[bit / 8]) >> (7 - bit % 8) & 1) != 0)
			return false;
	return true;
}

/* The answer of a list: none, or an action. A denial wins. */
enum said { NOTHING, DENIES, ALLOWS };

static enum said after(enum said before, uint8_t action)
{
	return before == DENIES || action != URIVET_ALLOW ? DENIES : ALLOWS;
}

static enum said said_of_name(const struct plan *p, const char *name)
{
	enum said said = NOTHING;
	for (uint32_t k = 0; k < p->policy.hosts.count; k++)
		if (speaks_of(&p->hosts[k], p->name[k], name))
			said = after(said, p->hosts[k].action);
	return said;
}

static enum said said_of_address(const struct plan *p, const uint8_t *address, unsigned octets)
{
	enum said said = NOTHING;
	for (uint32_t k = 0; k < p->policy.addresses.count; k++)
		if (holds(&p->addresses[k].network, address, octets))
			said = after(said, p->addresses[k].action);
	return said;
}

/* The only tested port that browsers never connect to, unless a rule names it. */
#define MAIL 25

static bool has_port(const struct plan *p, const struct question *q, bool alone)
{
	for (uint32_t k = 0; k < p->policy.port_count; k++)
		if ((p->ports[k].schemes >> web[q->scheme].scheme & 1) != 0 &&
		    p->ports[k].first <= q->port && q->port <= p->ports[k].last &&
		    (!alone || p->ports[k].first == p->ports[k].last))
			return true;
	return false;
}

static bool is_expected(const struct plan *p, const struct question *q, unsigned id)
{
	const enum said said =
	    q->octets == 0 ? said_of_name(p, q->host) : said_of_address(p, q->address, q->octets);
	const bool odd = q->port != 0 && q->port != web[q->scheme].port;
	switch (id) {
	case URIVET_F_HOST_DENIED:
		return q->octets == 0 && said == DENIES;
	case URIVET_F_HOST_NOT_ALLOWED:
		return p->policy.hosts.only && said != ALLOWS;
	case URIVET_F_ADDR_DENIED:
		return q->octets != 0 && said == DENIES;
	case URIVET_F_PORT_NONDEFAULT:
		return odd && !has_port(p, q, false);
	case URIVET_F_PORT_BLOCKED:
		return odd && q->port == MAIL && !has_port(p, q, true);
	case URIVET_F_SCHEME_NOT_ALLOWED:
		return (p->policy.schemes >> web[q->scheme].scheme & 1) == 0;
	case URIVET_F_HOST_IS_ADDRESS:
		return q->octets != 0;
	case URIVET_F_HOST_CASE:
		return q->octets == 0 && strpbrk(q->host, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
	default:
		return !q->path; /* URIVET_F_PATH_EMPTY */
	}
}

/* ---- Comparing with the library ------------------------------------------------------------ */

static bool reports(const struct urivet_report *r, unsigned id)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			return true;
	return false;
}

static size_t write_url(char url[URL_ROOM], const struct question *q)
{
	char port[12] = "";
	if (q->port != 0)
		snprintf(port, sizeof port, ":%u", q->port);
	return (size_t)snprintf(url, URL_ROOM, "%s%s%s%s%s%s", web[q->scheme].front,
				q->octets == 16 ? "[" : "", q->host, q->octets == 16 ? "]" : "",
				port, q->path ? "/p" : "");
}

static bool is_a_note(unsigned id)
{
	return id == URIVET_F_HOST_CASE || id == URIVET_F_PATH_EMPTY ||
	       id == URIVET_F_HOST_IS_ADDRESS;
}

/* Returns true if a note about the spelling is raised. Then a refusal may be reported as a
 * spelling one. */
static bool spelling_refuses(const struct plan *p)
{
	for (unsigned k = 0; k < LISTED; k++)
		if (p->raised[k] && listed_findings[k] != URIVET_F_HOST_IS_ADDRESS)
			return true;
	return false;
}

static void expect_short_enough(const struct plan *p, const struct urivet_report *r)
{
	oracle(r->verdict == URIVET_REJECT && r->count == 1 &&
		   r->finding[0].id == URIVET_F_URL_TOO_LONG,
	       "what is too long has that finding alone");
	oracle(urivet_reason(r, &p->policy) == URIVET_REASON_UNCLEAR,
	       "what is too long is unclear");
}

static void ask(const struct plan *p, const struct question *q)
{
	char url[URL_ROOM];
	const size_t length = write_url(url, q);
	struct urivet_report r;
	bool refuses = false;
	urivet_check(&r, url, length, &p->policy);
	expect_sound(&r, length, &p->policy);
	if (length > p->policy.max_length) {
		expect_short_enough(p, &r);
		return;
	}
	for (unsigned k = 0; k < LISTED; k++) {
		const unsigned id = listed_findings[k];
		const bool expected = is_expected(p, q, id);
		/* a policy finding that is not raised is not reported; notes always are */
		if (id != URIVET_F_HOST_IS_ADDRESS || p->raised[k])
			oracle(reports(&r, id) == expected,
			       "lists, ports and schemes say what their rules say");
		refuses =
		    refuses || (expected && !p->waived[k] && (p->raised[k] || !is_a_note(id)));
	}
	oracle((r.verdict == URIVET_REJECT) == refuses,
	       "a policy refuses what its rules refuse, and nothing else");
	oracle(urivet_verdict_of(url, length, &p->policy, NULL) == r.verdict,
	       "the verdict alone is that of the report");
	oracle(spelling_refuses(p) ||
		   urivet_reason(&r, &p->policy) ==
		       (refuses ? URIVET_REASON_NOT_ALLOWED : URIVET_REASON_ACCEPTED),
	       "what the policy refuses is not allowed, what it accepts is accepted");
	oracle(r.host_rule == NULL || q->octets == 0, "a rule about names decides of a name");
	oracle(r.address_rule == NULL || (r.address_rule->action != URIVET_ALLOW) ==
					     (said_of_address(p, q->address, q->octets) == DENIES),
	       "the rule that is told decided");
}

/* ---- Making policies and questions ---------------------------------------------------------- */

static const char *const labels[] = {"a", "b", "ab", "com", "example", "xa", "a-b", "a1"};

static void make_name(struct chooser *c, char *name)
{
	const unsigned count = 1 + choose(c, 4);
	name[0] = '\0';
	for (unsigned k = 0; k < count; k++) {
		strcat(name, labels[choose(c, sizeof labels / sizeof labels[0])]);
		strcat(name, k + 1 < count ? "." : "");
	}
}

static void make_address(struct chooser *c, uint8_t address[16], unsigned octets)
{
	static const uint8_t usual[] = {10, 192, 0, 1, 2, 255, 128, 169};
	memset(address, 0, 16);
	if (octets == 16)
		memcpy(address, "\x20\x01\x0d\xb8", 4);
	for (unsigned k = octets == 16 ? 12 : 0; k < octets; k++)
		address[k] = usual[choose(c, sizeof usual)];
}

static void make_network(struct chooser *c, struct urivet_network *network)
{
	memset(network, 0, sizeof *network);
	network->octets = choose(c, 2) ? 16 : 4;
	make_address(c, network->address, network->octets);
	network->length = (uint8_t)(8u * network->octets - choose(c, 25));
	for (unsigned bit = network->length; bit < 8u * network->octets; bit++)
		network->address[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
}

static const uint32_t port_numbers[] = {80, 443, 8080, 8443, 65535, MAIL};
enum { PORTS = sizeof port_numbers / sizeof port_numbers[0] };

static void make_lists(struct chooser *c, struct plan *p)
{
	struct urivet_policy *policy = &p->policy;
	policy->hosts.count = choose(c, MOST + 1);
	for (uint32_t k = 0; k < policy->hosts.count; k++) {
		make_name(c, p->name[k]);
		p->hosts[k] = (struct urivet_host_rule){.name = p->name[k],
							.length = (uint32_t)strlen(p->name[k]),
							.scope = (uint8_t)choose(c, 3),
							.action = choose(c, 3) > 0,
							.tag = k};
	}
	policy->addresses.count = choose(c, MOST + 1);
	for (uint32_t k = 0; k < policy->addresses.count; k++) {
		make_network(c, &p->addresses[k].network);
		p->addresses[k].action = choose(c, 3) > 0;
		p->addresses[k].tag = k;
	}
	policy->port_count = choose(c, MOST);
	for (uint32_t k = 0; k < policy->port_count; k++) {
		const uint32_t a = port_numbers[choose(c, PORTS)],
			       b = choose(c, 2) ? a : port_numbers[choose(c, PORTS)];
		p->ports[k] = (struct urivet_port_rule){1u << web[choose(c, WEB)].scheme,
							(uint16_t)(a < b ? a : b),
							(uint16_t)(a < b ? b : a), k};
	}
	policy->hosts.rule = p->hosts;
	policy->addresses.rule = p->addresses;
	policy->ports = p->ports;
}

static void make_plan(struct chooser *c, struct plan *p)
{
	p->policy = built_in(choose(c, 2) ? URIVET_STRICT : URIVET_ANY);
	make_lists(c, p);
	p->policy.hosts.only = choose(c, 3) == 2;
	if (choose(c, 4) == 3)
		p->policy.schemes =
		    1u << web[choose(c, WEB)].scheme | 1u << web[choose(c, WEB)].scheme;
	if (choose(c, 8) == 7)
		p->policy.max_length = 12 + choose(c, 40);
	for (unsigned k = 0; k < LISTED; k++) {
		const unsigned how = choose(c, 8);
		p->raised[k] = how == 7 && is_a_note(listed_findings[k]);
		p->waived[k] = how == 6;
		if (p->raised[k])
			oracle(urivet_policy_raise(&p->policy, listed_findings[k]),
			       "a note can be raised");
		if (p->waived[k])
			oracle(urivet_policy_waive(&p->policy, listed_findings[k]),
			       "what is no grammar can be waived");
	}
	oracle(is_valid(&p->policy), "a policy of rules that mean something is valid");
}

/* Sorts the rules, and makes an index of them. */
static void put_in_order(struct plan *p)
{
	static uint64_t words[URIVET_INDEX_WORDS(2 * MOST)];
	qsort(p->hosts, p->policy.hosts.count, sizeof p->hosts[0], urivet_order(URIVET_LIST_HOSTS));
	qsort(p->addresses, p->policy.addresses.count, sizeof p->addresses[0],
	      urivet_order(URIVET_LIST_ADDRESSES));
	p->policy.hosts.sorted = p->policy.addresses.sorted = true;
	oracle(urivet_policy_finish(&p->policy, words, URIVET_INDEX_WORDS(2 * MOST)),
	       "a policy in order gets an index");
	oracle(is_valid(&p->policy), "a policy with an index is valid");
}

/* Compares the sorted rules. They are reordered, but names stay in place and the rules point to
 * them. */
static void ask_both_ways(struct plan *p, const struct question *q)
{
	struct plan ordered = *p;
	ask(p, q);
	for (uint32_t k = 0; k < ordered.policy.hosts.count; k++)
		ordered.hosts[k].name = p->name[k];
	ordered.policy.hosts.rule = ordered.hosts;
	ordered.policy.addresses.rule = ordered.addresses;
	ordered.policy.ports = ordered.ports;
	put_in_order(&ordered);
	for (uint32_t k = 0; k < ordered.policy.hosts.count; k++)
		snprintf(ordered.name[k], NAME_ROOM, "%s", ordered.hosts[k].name);
	ask(&ordered, q);
}

static void make_question(struct chooser *c, const struct plan *p, struct question *q)
{
	const unsigned how = choose(c, 8), host = choose(c, MOST);
	memset(q, 0, sizeof *q);
	q->scheme = choose(c, p->policy.schemes == 0 ? WEB : 8) % WEB;
	q->port = choose(c, 2) ? port_numbers[choose(c, PORTS)] : 0;
	q->path = choose(c, 4) > 0;
	if (how < 2) {
		q->octets = how == 0 ? 4 : 16;
		make_address(c, q->address, q->octets);
		inet_ntop(how == 0 ? AF_INET : AF_INET6, q->address, q->host, sizeof q->host);
	} else if (how < 4 || host >= p->policy.hosts.count) {
		make_name(c, q->host);
	} else { /* the name of a rule, a name below it, or one that merely ends in it */
		snprintf(q->host, sizeof q->host, "%s%s",
			 how == 4   ? ""
			 : how == 5 ? "x."
			 : how == 6 ? "x"
				    : "x.y.",
			 p->name[host]);
	}
	if (q->octets == 0 && choose(c, 8) == 7)
		q->host[0] = (char)toupper((unsigned char)q->host[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct plan plan;
	struct chooser c = {data, data + length};
	memset(&plan, 0, sizeof plan);
	make_plan(&c, &plan);
	for (unsigned k = 0; k < QUESTIONS; k++) {
		struct question q;
		make_question(&c, &plan, &q);
		ask_both_ways(&plan, &q);
	}
	return 0;
}
