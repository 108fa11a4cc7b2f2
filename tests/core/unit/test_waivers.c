/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that a waiver allows what it names and nothing else. Each row spells something that a
 * rule of a policy refuses, in a way that only one finding reports; with that finding waived the
 * rule must still refuse. Every finding that can be waived is in a row, or is listed with the
 * reason why no rule depends on it. */
#include "support.h"

#include <ctype.h>

TestSuite(waivers, .timeout = 60);

#define ROOM 600

/* Writes the target in a spelling: {} unchanged, {e} with its second octet as a triplet, {a}
 * with all octets as triplets, {d} with the dots as triplets, {w} with ideographic full stops as
 * dots. Other braces stay. */
static void spell(char *out, const char *pattern, const char *target)
{
	const char *const end = out + ROOM - 16;
	while (*pattern != '\0' && out < end) {
		const char how = pattern[0] == '{' && pattern[1] == '}' ? '}' : pattern[1];
		if (*pattern != '{' || strchr("}eadw", how) == NULL) {
			*out++ = *pattern++;
			continue;
		}
		for (const char *c = target; *c != '\0' && out < end; c++) {
			const bool dot = *c == '.';
			if (how == 'a' || (how == 'e' && c == target + 1) || (how == 'd' && dot))
				out += sprintf(out, "%%%02X", (unsigned)(unsigned char)*c);
			else if (how == 'w' && dot)
				out += sprintf(out, "%%E3%%80%%82");
			else
				*out++ = *c;
		}
		pattern += how == '}' ? 2 : 3;
	}
	*out = '\0';
}

static unsigned number_of(const char *name, size_t length)
{
	const int id = urivet_finding_named(name, length);
	cr_assert(id > 0, "no finding %.*s", (int)length, name);
	return (unsigned)id;
}

/* Waives each finding of a list "a,b". */
static void waive(struct urivet_policy *policy, const char *names)
{
	while (*names != '\0') {
		const size_t n = strcspn(names, ",");
		cr_assert(urivet_policy_waive(policy, number_of(names, n)), "%s", names);
		names += n + (names[n] == ',');
	}
}

static void raise_finding(struct urivet_policy *policy, const char *name)
{
	cr_assert(urivet_policy_raise(policy, number_of(name, strlen(name))), "%s", name);
}

static enum urivet_verdict judge_text(struct urivet_report *r, const char *uri,
				      const struct urivet_policy *policy)
{
	return judge(r, uri, strlen(uri), policy);
}

/* ---- Spellings of a host ------------------------------------------------------------- */

struct row {
	const char *waived;
	bool any; /* by the policy any, which has other schemes */
	const char *spellings[8];
};

/* Spellings of a name, and of an address as text. */
static const struct row of_hosts[] = {
    {"host-percent-encoded,escaped-unreserved", false, {"http://{e}/", "http://{a}/", "http://{d}/"}},
    {"host-percent-encoded,escaped-unreserved,host-trailing-dot", false, {"http://{e}./"}},
    {"host-percent-encoded,escaped-unreserved,host-empty-label", false, {"http://.{e}/"}},
    {"host-percent-encoded,escaped-unreserved", false, {"http://{}%2E/", "http://%2E{}/"}},
    {"host-percent-encoded", false, {"http://{}%20/"}},
    {"host-percent-encoded,host-encoded-delimiter,double-escape", false, {"http://{}%2576/"}},
    {"host-percent-encoded,host-encoded-delimiter", false, {"http://{}%2F/", "http://{}%2F.good.com/", "http://{}%3F.good.com/", "http://{}%23.good.com/",
      "http://{}%3A80.good.com/", "http://{}%5C.good.com/", "http://x%40{}/"}},
    {"host-percent-encoded,host-encoded-delimiter,escaped-nul", false, {"http://{}%00.good.com/"}},
    {"host-percent-encoded,escaped-crlf", false, {"http://{}%0A.good.com/"}},
    {"host-percent-encoded,escaped-control", false, {"http://{}%09.good.com/"}},
    {"host-percent-encoded,idn-ignored-char,idn-readers-disagree", false, {"http://{}%C2%AD/", "http://%E2%80%8B{}/"}},
    {"host-percent-encoded,idn-dot-variant,ipv4-alt-digits,idn-readers-disagree", false, {"http://{w}/"}},
    {"host-percent-encoded,idn-dot-variant,idn-compat-mapping,ipv4-alt-digits," "idn-readers-disagree", false, {"http://{}%EF%BC%8E/"}},
    {"host-percent-encoded,idn-deviation-char,idn-readers-disagree", false, {"http://%C3%9F.{}/"}},
    {"host-percent-encoded,idn-uppercase,idn-readers-disagree", false, {"http://%C3%9C.{}/"}},
    {"host-percent-encoded,idn-not-nfc,idn-readers-disagree", false, {"http://e%CC%88.{}/"}},
    {"host-percent-encoded,idn-mark-first,idn-readers-disagree", false, {"http://%CC%88a.{}/"}},
    {"host-percent-encoded,idn-bidi-rule,idn-readers-disagree", false, {"http://a%D7%90.{}/"}},
    {"host-percent-encoded,idn-compat-mapping,idn-readers-disagree", false, {"http://{}%EF%BC%8F.good.com/"}},
    {"host-percent-encoded,host-label-too-long,host-too-long,idn-toolong-after-mapping", false, {"http://%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4" "%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4" "%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4" "%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4.{}/"}},
    {"host-percent-encoded,escaped-bidi,idn-ignored-char,idn-readers-disagree", false, {"http://{}%E2%80%AE/"}},
    {"host-empty-label", false, {"http://.{}/"}},
    {"host-empty-label,ipv4-empty-part,host-numeric-tld", false, {"http://..{}/"}},
    {"host-empty-label,host-trailing-dot,ipv4-empty-part,host-numeric-tld,ipv4-trailing-dot", false, {"http://{}../"}},
    {"host-trailing-dot,ipv4-trailing-dot", false, {"http://{}./"}},
    {"host-subdelim,path-rootless", false, {"http://{};x/"}},
    {"host-subdelim", false, {"http://{},good.com/", "http://{}!/"}},
    {"host-nonldh", false, {"http://{}~/"}},
    {"host-empty,scheme-slash-excess", false, {"http:///{}/"}},
    {"host-empty,scheme-slash-excess,path-leading-double-slash", false, {"http:////{}/"}},
    {"scheme-slash-missing", false, {"http:/{}/"}},
    {"scheme-slash-missing,path-rootless", false, {"http:{}/"}},
    {"scheme-case", false, {"HTTP://{}/"}}, {"port-empty", false, {"http://{}:/"}},
    {"port-leading-zero", false, {"http://{}:080/"}},
    {"port-zero,port-nondefault,port-blocked", false, {"http://{}:0/"}},
    {"port-overflow,port-nondefault,port-blocked", false, {"http://{}:65616/"}},
    {"port-nondefault", false, {"http://{}:8080/"}},
    {"port-nondefault,port-blocked", false, {"http://{}:25/"}},
    {"userinfo-present", false, {"http://u@{}/"}},
    {"userinfo-present,userinfo-misleading,path-rootless", false, {"http://good.com@{}/", "http://{}@good.com/"}},
    {"userinfo-present,userinfo-misleading", false, {"http://{}!x@good.com/"}},
    {"userinfo-present,userinfo-misleading,escaped-unreserved", false, {"http://{e}@good.com/"}},
    {"userinfo-present,userinfo-misleading", false, {"http://{}%C3%A9@good.com/"}},
    {"userinfo-present,userinfo-misleading,userinfo-encoded-delimiter", false, {"http://{}%2F@good.com/"}},
    {"userinfo-present,userinfo-misleading,userinfo-delimiter", false, {"http://{};x@good.com/"}},
    {"userinfo-present,userinfo-misleading,authority-empty-port-at", false, {"http://{}:@good.com/"}},
    {"query-after-empty-path", false, {"http://good.com?,{}", "http://good.com?.{}"}},
    {"fragment-after-empty-path", false, {"http://good.com#,{}"}},
    {"query-after-empty-path,userinfo-delimiter,fragment-authority-confusion", false, {"http://good.com?@{}"}},
    {"scheme-guess", true, {"{}:80/"}},
    {"scheme-malformed,port-empty,path-leading-double-slash", false, {"http://http://{}/"}},
    {"scheme-dot", true, {"{}://x/"}},
    {"scheme-prefix-wrapper", true, {"view-source:http://{}/"}}, {"scheme-archive-wrapper,scheme-prefix-wrapper", true, {"jar:http://{}!/"}}, {"scheme-archive-wrapper", true, {"ssh2:{}/x"}},
    {"scheme-not-allowed,quoting-wrapper", false, {"hxxp://{}/"}},
};

/* Returns true if the row can spell the target: some need a name with a dot, which an address or
 * a single label is not. */
static bool can_spell(const struct row *row, const char *target)
{
	if (isdigit((unsigned char)target[0]))
		return strcmp(row->waived, "scheme-guess") != 0 &&
		       strcmp(row->waived, "scheme-dot") != 0;
	return strchr(target, '.') != NULL || (strstr(row->waived, "misleading") == NULL &&
					       strcmp(row->waived, "scheme-guess") != 0 &&
					       strcmp(row->waived, "scheme-dot") != 0);
}

static struct urivet_policy based_on(const struct row *row)
{
	return built_in(row->any ? URIVET_ANY : URIVET_STRICT);
}

/* Checks that the URI is refused with one of the findings, given as "a|b". */
static void expect_refused(const char *uri, const struct urivet_policy *policy, const char *ids)
{
	struct urivet_report r;
	bool found = false;
	cr_expect(judge_text(&r, uri, policy) == URIVET_REJECT, "%s: accepted: %s", uri, ids_of(&r));
	while (*ids != '\0') {
		const size_t n = strcspn(ids, "|");
		found = found || finding_in(&r, number_of(ids, n)) != NULL;
		ids += n + (ids[n] == '|');
	}
	cr_expect(found, "%s: not for that reason: %s", uri, ids_of(&r));
}

static void expect_rows(const struct row *rows, size_t count, const char *target,
			const struct urivet_policy *rules, const char *ids)
{
	for (size_t k = 0; k < count; k++) {
		struct urivet_policy p = based_on(&rows[k]);
		char uri[ROOM];
		if (!can_spell(&rows[k], target))
			continue;
		p.hosts = rules->hosts;
		p.addresses = rules->addresses;
		for (unsigned w = 0; w < URIVET_FINDING_LIMIT / 64; w++)
			p.raised.bits[w] |= rules->raised.bits[w];
		waive(&p, rows[k].waived);
		for (size_t i = 0; rows[k].spellings[i] != NULL; i++) {
			spell(uri, rows[k].spellings[i], target);
			expect_refused(uri, &p, ids);
		}
	}
}

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

/* ---- Lists of hosts -------------------------------------------------------------------- */

/* Only the spelling refuses: with its waivers and without a rule it is accepted, and so is
 * another name if a list denies this one and readers agree about the other. */
Test(waivers, rows_are_about_their_waivers)
{
	static const char *const targets[] = {"evil.com", "10.1.2.3"};
	for (size_t t = 0; t < COUNT(targets); t++) {
		for (size_t k = 0; k < COUNT(of_hosts); k++) {
			struct urivet_policy p = based_on(&of_hosts[k]), strict = p;
			struct urivet_report r;
			char uri[ROOM];
			if (!can_spell(&of_hosts[k], targets[t]))
				continue;
			waive(&p, of_hosts[k].waived);
			waive(&p, "ipv4-empty-part,ipv4-trailing-dot,host-numeric-tld,host-ipv4-prefix,"
				  "host-tld-digit,ipv4-too-many-parts,ipv4-signed,ipv4-other-prefix");
			for (size_t i = 0; of_hosts[k].spellings[i] != NULL; i++) {
				spell(uri, of_hosts[k].spellings[i], targets[t]);
				cr_expect(judge_text(&r, uri, &p) == URIVET_ACCEPT, "%s: %s", uri, ids_of(&r));
				cr_expect(judge_text(&r, uri, &strict) == URIVET_REJECT, "%s", uri);
			}
		}
	}
}

Test(waivers, lists_of_hosts)
{
	static const struct {
		const char *rule;
		bool only;
		const char *ids;
	} lists[] = {
	    {"evil.com", false, "host-denied"}, {".evil.com", false, "host-denied"},
	    {".com", false, "host-denied"}, {"*.com", false, "host-denied"},
	    {"evil.com", true, "host-not-allowed"},
	};
	for (size_t k = 0; k < COUNT(lists); k++) {
		const struct urivet_host_rule rule = lists[k].only
							 ? host_rule_of(".good.com", URIVET_ALLOW)
							 : host_rule_of(lists[k].rule, URIVET_DENY);
		struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, false, lists[k].only);
		expect_rows(of_hosts, COUNT(of_hosts), "evil.com", &p, lists[k].ids);
	}
}

/* Below an allowed tree, a name that is denied, or that may be another name. */
Test(waivers, allowances_need_both_forms)
{
	static const struct {
		const char *waived, *uri;
		bool accepted;
	} rows[] = {
	    {"host-percent-encoded,escaped-unreserved", "http://%65vil.good.com/", false},
	    {"host-percent-encoded,escaped-unreserved", "http://%66ine.good.com/", true},
	    {"host-percent-encoded,escaped-unreserved", "http://a%2Egood.com/", false},
	    {"host-percent-encoded,escaped-unreserved", "http://g%6Fod.com/", false},
	    {"host-percent-encoded,host-encoded-delimiter", "http://b%2Fa.good.com/", false},
	    {"host-empty-label", "http://evil..good.com/", false},
	    {"host-empty-label", "http://fine..good.com/", true},
	    {"host-empty-label", "http://.good.com/", true},
	    {"host-subdelim", "http://a,b.good.com/", false},
	    {"host-nonldh", "http://a~b.good.com/", false},
	    {"host-underscore", "http://a_b.good.com/", true}, {"host-percent-encoded,escaped-unreserved", "http://%66-ine.good.com/", true},
	    {"host-percent-encoded,escaped-unreserved,host-underscore", "http://%66_ine.good.com/", true},
	    {"host-bad-hyphen", "http://-a.good.com/", true},
	    {"host-trailing-dot", "http://fine.good.com./", true},
	    {"idn-invalid-alabel,host-bad-hyphen", "http://xn--evil-.good.com/", false},
	    {"idn-invalid-alabel", "http://xn--bcher-kva.good.com/", true},
	    {"idn-invalid-alabel", "http://xn--a.good.com/", false},
	    {"host-label-too-long", "http://{a*64}.good.com/", false},
	    {"host-too-long", "http://{a.*126}good.com/", false},
	    {"host-ipv4-prefix", "http://10.1.2.3.good.com/", false},
	    {"host-ipv4-prefix", "http://10.1.2.345.good.com/", false},
	    {"host-ipv4-prefix", "http://8.8.8.8.good.com/", true},
	    {"query-after-empty-path", "http://fine.good.com?a=1", true},
	    {"query-after-empty-path", "http://fine.good.com?a=1.5", false},
	    {"userinfo-present", "http://john@fine.good.com/", true},
	    {"userinfo-present,userinfo-misleading,path-rootless", "http://a.good.com@fine.good.com/", true},
	    {"userinfo-present,userinfo-misleading,path-rootless", "http://evil.com@fine.good.com/", false},
	    {"userinfo-present,userinfo-misleading,path-rootless", "http://evil.good.com@fine.good.com/", false},
	    {"userinfo-present,userinfo-misleading,path-rootless", "http://a.fine.org@fine.good.com/", true},
	    {"userinfo-present,userinfo-delimiter", "http://evil;x@fine.good.com/", false},
	    {"userinfo-present,userinfo-encoded-delimiter", "http://evil%2F@fine.good.com/", false},
	    {"userinfo-present,authority-empty-port-at", "http://evil:@fine.good.com/", false},
	    {"query-after-empty-path", "http://fine.good.com:80/?a=1.5", true}, {"query-after-empty-path,host-trailing-dot", "http://fine.good.com./?a=,5", true},
	    {"query-after-empty-path", "http://fine.good.com?a=%C3%A9", false},
	    {"fragment-after-empty-path", "http://fine.good.com#a=1.5", false},
	    {"host-trailing-dot", "http://xn--bcher-kva.good.com./", true},
	    {"host-subdelim", "x://a,b.good.com/", false},
	    {"query-after-empty-path", "x://fine.good.com?a=1.5", true},
	};
	const struct urivet_host_rule rules[] = {host_rule_of(".good.com", URIVET_ALLOW),
						 host_rule_of("evil.good.com", URIVET_DENY), host_rule_of(".fine.org", URIVET_ALLOW)};
	const struct urivet_address_rule address = address_rule_of("8.8.8.0/24", URIVET_ALLOW), denied = address_rule_of("192.0.2.1", URIVET_DENY);
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_policy p = with_hosts(URIVET_STRICT, rules, 3, false, true);
		struct urivet_report r;
		p.addresses = (struct urivet_address_list){&address, 1, false};
		p.schemes |= 1u << URIVET_SCHEME_OTHER;
		waive(&p, rows[k].waived);
		cr_expect((judge_pattern(&r, rows[k].uri, &p) == URIVET_ACCEPT) == rows[k].accepted,
			  "%s: %s", rows[k].uri, ids_of(&r));
		cr_expect(rows[k].accepted || finding_in(&r, URIVET_F_HOST_NOT_ALLOWED) != NULL ||
			      finding_in(&r, URIVET_F_HOST_DENIED) != NULL,
			  "%s: %s", rows[k].uri, ids_of(&r));
		/* the report names the rule that denies, else that of the real host */
		const bool evil = strstr(rows[k].uri, "vil.good") != NULL || strstr(rows[k].uri, "evil..good") != NULL;
		cr_expect(!(evil || rows[k].accepted || strstr(rows[k].uri, "//evil.com@") != NULL) || r.host_rule == &rules[evil], "%s", rows[k].uri);
	}
	/* what refuses by itself makes no list speak */
	static const char *const others[] = {"http://good.com?,evil.com", "http://good.com#,evil.com", "http://evil.com!x@good.com/", "http://evil.com%2F@good.com/",
					     "http://evil.com;x@good.com/", "http://evil.com:@good.com/", "http:/evil.com/", "http://http://evil.com/", "http://good.com?@evil.com"};
	struct urivet_policy p = with_hosts(URIVET_STRICT, rules, 3, false, false);
	struct urivet_report r;
	waive(&p, "scheme-case,host-subdelim");
	for (size_t k = 0; k < COUNT(others); k++) {
		cr_expect(judge_text(&r, others[k], &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_DENIED) == NULL, "%s: %s", others[k], ids_of(&r));
	}
	/* what may be any name is denied by any rule, but not for other schemes */
	p.addresses = (struct urivet_address_list){&denied, 1, false};
	expect_refused("http://a,b.com/", &p, "host-denied");
	p.schemes |= 1u << URIVET_SCHEME_OTHER;
	waive(&p, "host-percent-encoded,host-encoded-delimiter,userinfo-delimiter");
	expect_all(&p, URIVET_ACCEPT, "x://a,b.com/ x://a%2Fb.com/");
	cr_expect(judge_text(&r, "http://good.com?@evil.com", &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_DENIED) == NULL, "%s", ids_of(&r));
	/* one form that is denied is enough, and one that is allowed denies nothing */
	const struct urivet_host_rule tree[] = {host_rule_of("+.good.com", URIVET_DENY), host_rule_of("fine.org", URIVET_ALLOW)};
	p = with_hosts(URIVET_STRICT, tree, 2, false, false);
	waive(&p, "host-percent-encoded,escaped-unreserved");
	p.addresses = (struct urivet_address_list){&denied, 1, false};
	expect_refused("http://x%2Ey.good.com/", &p, "host-denied");
	/* an A-label or a long name that is only spelled by escapes, in other schemes too, and near misses */
	const struct urivet_host_rule escaped[] = {host_rule_of("xn--bcher-kva.com", URIVET_DENY), host_rule_of(".evil.com", URIVET_DENY)};
	struct urivet_policy others_too = with_hosts(URIVET_STRICT, escaped, 2, false, false);
	others_too.schemes |= 1u << URIVET_SCHEME_OTHER;
	others_too.max_host = 20;
	waive(&others_too, "host-percent-encoded,escaped-unreserved");
	expect_refused("x://%78n--bcher-kva.com/", &others_too, "host-denied");
	expect_refused("x://a-longer-name.%65vil.com/", &others_too, "host-denied");
	expect_all(&others_too, URIVET_ACCEPT, "x://%78n--bcher-kva.org/ x://%77ww.evil.org/");
	expect_all(&p, URIVET_ACCEPT, "http://x.y.good.com/ http://%61/");
	p.hosts = (struct urivet_host_list){&tree[1], 1, false, false};
	expect_all(&p, URIVET_ACCEPT, "http://%66ine.org/");
	/* an allowed name of the longest length, and one that is allowed though it is known */
	p = with_hosts(URIVET_PUBLIC, &tree[1], 1, false, true);
	p.max_host = strlen("fine.org");
	waive(&p, "host-trailing-dot");
	expect_all(&p, URIVET_ACCEPT, "http://fine.org./");
	const struct urivet_host_rule corp = host_rule_of("db.corp", URIVET_ALLOW);
	p.hosts.rule = &corp;
	expect_all(&p, URIVET_ACCEPT, "http://db.corp./");
}

/* With escaped dots waived, a segment that ends in one ends in a dot. */
Test(waivers, dots_at_the_end_of_segments)
{
	static const char *const rows[] = {"http://h.example/a%2E/b", "http://h.example/a%2e%2E/b", "http://h.example/ab%2E./b", "http://h.example/a.%2E/b", "http://h.example/a%2D/b",
					   "http://h.example/a%2E%2D/b", "http://h.example/%2Ea/b", "http://h.example/a2E/.b"};
	struct urivet_policy strict = built_in(URIVET_STRICT), p = strict;
	waive(&p, "escaped-unreserved,escape-case");
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_report r;
		(void)judge_text(&r, rows[k], &p);
		cr_expect((finding_in(&r, URIVET_F_ENCODED_PATH_REWRITE) != NULL) == (k < 4), "%s: %s", rows[k], ids_of(&r));
	}
	struct urivet_report r;
	cr_expect(judge_text(&r, rows[0], &strict) == URIVET_REJECT && finding_in(&r, URIVET_F_ENCODED_PATH_REWRITE) == NULL, "%s", ids_of(&r));
	/* readers that drop a "%" that begins no triplet keep one that is a triplet */
	waive(&strict, "bad-escape");
	expect_all(&strict, URIVET_ACCEPT, "http://h.example/%25./a");
	expect_all(&strict, URIVET_REJECT, "http://h.example/%.;x");
}

/* Readers that take leading zeros for decimal digits find this address, and none beside it. */
Test(waivers, decimal_readings)
{
	static const struct {
		const char *host, *address;
	} rows[] = {
	    {"010.1.2.3", "10.1.2.3"}, {"8.010.2.3", "8.10.2.3"}, {"8.8.010.3", "8.8.10.3"}, {"8.8.8.010", "8.8.8.10"},
	    {"010.1.515", "10.1.2.3"}, {"010.1.515.", "10.1.2.3"}, {"010.66051", "10.1.2.3"}, {"0167772161", "10.0.0.1"},
	    {"10.1.2.255.good.com", "10.1.2.255"}, {"10.1.2.256.good.com", "10.1.2.25"}, {"10.1.2.2550.good.com", "10.1.2.255"}, {"0377.1.2.3", "121.1.2.3"}, {"01.02.3.4", "1.2.3.4"},
	    {"8.8.8.0377", "8.8.8.121"}, {"8.8.0177777", "8.8.182.113"}, {"010720641025", "127.0.0.1"}, {"8.077777777", "8.162.203.113"},
	};
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_address_rule rule = address_rule_of(rows[k].address, URIVET_DENY);
		struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, false);
		struct urivet_report r;
		waive(&p, "ipv4-octal,ipv4-short,ipv4-decimal,ipv4-overflow,ipv4-mixed,ipv4-trailing-dot,host-trailing-dot,host-ipv4-prefix");
		cr_expect(judge_host(&r, rows[k].host, &p) == URIVET_REJECT && r.address_rule == &rule, "%s: %s", rows[k].host, ids_of(&r));
		cr_expect(strstr(rows[k].host, "good") != NULL || finding_in(&r, URIVET_F_ADDR_DENIED)->count == 1, "%s", rows[k].host);
		rule.network.address[3] ^= 1;
		cr_expect(judge_host(&r, rows[k].host, &p) == URIVET_ACCEPT, "%s: %s", rows[k].host, ids_of(&r));
		rule = address_rule_of("10.1.2.0", URIVET_DENY); /* 256 does not wrap around there */
		cr_expect(judge_host(&r, rows[k].host, &p) == URIVET_ACCEPT, "%s: %s", rows[k].host, ids_of(&r));
	}
}

/* A waiver of labels that are too long waives nothing else of them. */
Test(waivers, long_labels)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	waive(&p, "host-percent-encoded,host-label-too-long,idn-toolong-after-mapping");
	for (unsigned more = 0; more < 2; more++)
		cr_expect(judge_pattern(&r, more ? "http://%F0%9F%98%80{a*63}.com/" : "http://%F0%9F%98%80{a*62}.com/", &p) == URIVET_REJECT, "%u", more);
}

/* The longest name after decoding is compared; with one more octet it is too long for any name. */
Test(waivers, longest_decoded_name)
{
	const struct urivet_host_rule rule = host_rule_of(".good.com", URIVET_ALLOW);
	struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, false, true);
	p.max_host = 1000;
	waive(&p, "host-percent-encoded,escaped-unreserved,host-empty-label");
	for (unsigned more = 0; more < 2; more++) {
		static const char *const names[] = {"http://%61.{a.*120}bb.good.com/",
						    "http://%61.{a.*120}bbb.good.com/"};
		static const char *const gaps[] = {"http://a..{a.*120}bb.good.com/",
						   "http://a..{a.*120}bbb.good.com/"};
		struct urivet_report r;
		cr_expect((judge_pattern(&r, names[more], &p) == URIVET_ACCEPT) == (more == 0), "%u: %s",
			  more, ids_of(&r));
		cr_expect((judge_pattern(&r, gaps[more], &p) == URIVET_ACCEPT) == (more == 0), "%u: %s",
			  more, ids_of(&r));
		/* one that is too long may be any name */
		const struct urivet_host_rule evil = host_rule_of("evil.com", URIVET_DENY);
		struct urivet_policy denying = p;
		denying.hosts = (struct urivet_host_list){&evil, 1, false, false};
		cr_expect((judge_pattern(&r, names[more], &denying) == URIVET_ACCEPT) == (more == 0), "%u: %s", more, ids_of(&r));
	}
}

/* ---- Addresses --------------------------------------------------------------------------- */

/* Spellings of 10.1.2.3, in addition to those of any host. */
static const struct row of_addresses[] = {
    {"ipv4-octal", false, {"http://012.1.2.3/", "http://010.1.2.3/", /* 8.1.2.3 or 10.1.2.3 */
      "http://10.01.2.3/", "http://0010.1.2.03/"}},
    {"ipv4-octal,ipv4-short", false, {"http://010.66051/"}},
    {"ipv4-octal,ipv4-overflow", false, {"http://0266.1.2.3/"}}, /* 182 or 266 */
    {"ipv4-octal,host-numeric-tld", false, {"http://10.1.2.08/"}},
    {"ipv4-hex,ipv4-mixed", false, {"http://0xa.1.2.3/"}},
    {"ipv4-hex,ipv4-octal,ipv4-mixed", false, {"http://0x0a.1.02.3/"}},
    {"ipv4-hex", false, {"http://0x0a010203/"}}, {"ipv4-decimal", false, {"http://167838211/"}},
    {"ipv4-short", false, {"http://10.66051/", "http://10.1.515/"}},
    {"ipv4-overflow,host-numeric-tld", false, {"http://266.1.2.3/"}},
    {"ipv4-overflow,ipv4-decimal,host-numeric-tld", false, {"http://4462805507/"}},
    {"ipv4-too-many-parts,host-numeric-tld", false, {"http://10.1.2.3.4/", "http://x.10.1.2.3/", "http://x.0xa.1.2.3/"}},
    {"ipv4-empty-part,host-empty-label,host-numeric-tld", false, {"http://10..1.2.3/"}},
    {"ipv4-empty-part,host-empty-label,host-numeric-tld,ipv4-short", false, {"http://10..66051/"}},
    {"ipv4-trailing-dot,host-trailing-dot", false, {"http://10.1.2.3./"}},
    {"ipv4-signed,host-subdelim", false, {"http://+10.1.2.3/"}},
    {"ipv4-signed,host-bad-hyphen", false, {"http://10.1.2.-253/"}},
    {"ipv4-other-prefix,host-numeric-tld", false, {"http://0o12.1.2.3/"}},
    {"ipv4-other-prefix,host-tld-digit", false, {"http://10.1.2.0o3/"}},
    {"ipv4-other-prefix,host-tld-digit,host-underscore", false, {"http://10.1.2.0_3/"}},
    {"host-numeric-tld", false, {"http://x.2.3/"}},
    {"host-ipv4-prefix", false, {"http://10.1.2.3.good.com/", "http://10.1.2.345.good.com/"}},
    {"host-ipv4-prefix,host-tld-digit", false, {"http://10.1.2.3x/"}},
    {"host-percent-encoded,ipv4-alt-digits", false, {"http://%EF%BC%91%EF%BC%90.1.2.3/"}},
    {"ipvfuture", false, {"http://[v1.10.1.2.3]/"}},
    {"ipv4-mapped-ipv6", false, {"http://[::ffff:a01:203]/"}},
    {"ipv4-mapped-ipv6,ipv6-noncanonical", false, {"http://[::ffff:10.1.2.3]/"}},
    {"ipv6-noncanonical,ipv4-mapped-ipv6", false, {"http://[0:0::ffff:a01:203]/"}},
    {"ipv4-compatible-ipv6", false, {"http://[::a01:203]/"}},
    {"ipv4-translated-ipv6", false, {"http://[::ffff:0:a01:203]/"}},
    {"isatap-embedded-ipv4", false, {"http://[2600::5efe:a01:203]/"}},
    {"nat64-local-use", false, {"http://[64:ff9b:1::a01:203]/", "http://[64:ff9b:1:a01:2:300::]/", "http://[64:ff9b:1:a01:2:300::1]/",
      "http://[64:ff9b:1:a:1:203::]/", "http://[64:ff9b:1:8:a:102:300:0]/"}},
    {"nat64-embedded-ipv4", false, {"http://[64:ff9b::a01:203]/"}},
    {"6to4-embedded-ipv4", false, {"http://[2002:a01:203::1]/"}},
    {"teredo-embedded-ipv4", false, {"http://[2001:0:808:808::f5fe:fdfc]/"}},
};

Test(waivers, lists_of_addresses)
{
	struct urivet_address_rule rule = {.action = URIVET_DENY};
	struct urivet_policy p = built_in(URIVET_STRICT);
	static const char *const networks[] = {"10.1.2.3", "10.0.0.0/8", "0.0.0.0/0"};
	for (size_t k = 0; k < COUNT(networks); k++) {
		cr_assert(urivet_network_from(&rule.network, networks[k], strlen(networks[k])));
		p.addresses = (struct urivet_address_list){&rule, 1, false};
		expect_rows(of_hosts, COUNT(of_hosts), "10.1.2.3", &p, "addr-denied");
		if (k > 0) /* some may mean another address of the block */
			expect_rows(of_addresses, COUNT(of_addresses), "", &p, "addr-denied");
	}
}

/* A policy that raises only one block, and public. */
Test(waivers, blocks_of_addresses)
{
	const struct urivet_policy open = built_in(URIVET_PUBLIC);
	struct urivet_policy one = built_in(URIVET_STRICT);
	const char *const ids = "addr-private|addr-unclassified";
	raise_finding(&one, "addr-private");
	expect_rows(of_hosts, COUNT(of_hosts), "10.1.2.3", &one, ids);
	expect_rows(of_addresses, COUNT(of_addresses), "", &one, ids);
	expect_rows(of_hosts, COUNT(of_hosts), "10.1.2.3", &open, ids);
	expect_rows(of_addresses, COUNT(of_addresses), "", &open, ids);
}

/* No rule allows the host that the spelling may mean. */
Test(waivers, only_listed_addresses)
{
	const struct urivet_address_rule rules[] = {address_rule_of("8.0.0.0/8", URIVET_ALLOW),
						    address_rule_of("9.0.0.0/8", URIVET_ALLOW)};
	struct urivet_report r;
	struct urivet_policy p = with_addresses(URIVET_STRICT, rules, 2, false);
	p.hosts.only = true;
	expect_rows(of_hosts, COUNT(of_hosts), "10.1.2.3", &p, "host-not-allowed");
	expect_rows(of_addresses, COUNT(of_addresses), "", &p, "host-not-allowed");
	waive(&p, "ipv4-octal,ipv4-hex,ipv4-mixed");
	cr_expect(judge_text(&r, "http://010.8.8.8/", &p) == URIVET_REJECT); /* 8 or 10 */
	cr_expect(judge_text(&r, "http://011.8.8.8/", &p) == URIVET_REJECT); /* 9 or 11 */
	cr_expect(judge_text(&r, "http://020.8.8.8/", &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_NOT_ALLOWED)->count == 1);
	cr_expect(judge_text(&r, "http://8.08.8.8/", &p) == URIVET_REJECT);
	cr_expect(judge_text(&r, "http://8.010.8.8/", &p) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(judge_text(&r, "http://0x8.8.8.8/", &p) == URIVET_ACCEPT);
}

/* The layouts of RFC 6052 that an address of 64:ff9b:1::/48 can have, and the address embedded
 * by each. */
Test(waivers, layouts_of_local_translators)
{
	static const struct {
		const char *host, *denied;
		bool found;
	} rows[] = {
	    {"[64:ff9b:1::a01:203]", "10.1.2.3", true},
	    {"[64:ff9b:1:a01:2:300::]", "10.1.2.3", true},
	    {"[64:ff9b:1:a01:2:300:0:1]", "10.1.2.3", true},
	    {"[64:ff9b:1:ff0a:1:203::]", "10.1.2.3", true},
	    {"[64:ff9b:1:ffff:a:102:300:0]", "10.1.2.3", true},
	    {"[64:ff9b:1::808:808]", "0.0.0.0/8", false}, /* no other layout is possible */
	    {"[64:ff9b:1:808:8:800::]", "0.0.0.0/8", false}, {"[64:ff9b:1::]", "0.0.0.0", true},
	    {"[64:ff9b:1:a01:102:300::]", "10.1.2.3", false}, /* bits 64-71 are not zero */
	    {"[64:ff9b:1:a01:102:300::]", "0.0.0.0", true},
	    {"[64:ff9b:2:a01:2:300::]", "10.1.2.3", false},
	};
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_address_rule rule = address_rule_of(rows[k].denied, URIVET_DENY);
		struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, false);
		const struct urivet_network translator = network("64:ff9b:1::/48");
		struct urivet_report r;
		char uri[100];
		snprintf(uri, sizeof uri, "http://%s/", rows[k].host);
		judge_text(&r, uri, &p);
		cr_expect((finding_in(&r, URIVET_F_ADDR_DENIED) != NULL) == rows[k].found, "%s %s: %s",
			  uri, rows[k].denied, ids_of(&r));
		cr_expect(!rows[k].found || rows[k].denied[0] == '0' || finding_in(&r, URIVET_F_ADDR_DENIED)->count == 1, "%s", uri);
		/* with a translator that the policy names, the layout is certain */
		p.nat64 = &translator;
		p.nat64_count = 1;
		judge_text(&r, "http://[64:ff9b:1:808:8:a01:200::]/", &p);
		cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) == NULL, "%s", ids_of(&r));
	}
}

/* ---- Known names -------------------------------------------------------------------------- */

Test(waivers, known_names)
{
	static const struct {
		const char *name, *ids;
	} names[] = {
	    {"localhost", "host-localhost-name|addr-unclassified"},
	    {"ip6-localhost", "host-localhost-name|addr-unclassified"},
	    {"a.localhost", "host-localhost-name|addr-unclassified"},
	    {"metadata.google.internal", "host-metadata-name|addr-unclassified"},
	    {"instance-data", "host-metadata-name|addr-unclassified"},
	    {"db.corp", "host-internal-suffix|addr-unclassified"},
	    {"lvh.me", "host-known-loopback-name|addr-unclassified"},
	    {"wpad", "host-single-label|addr-unclassified"},
	    {"10-1-2-3.sslip.io", "addr-private|addr-unclassified"},
	    {"0a010203.nip.io", "addr-unclassified|addr-private"},
	    {"www.nip.io", "addr-unclassified"},
	};
	static const char *const raised[] = {
	    "host-localhost-name", "host-metadata-name",       "host-internal-suffix",
	    "host-single-label",   "host-known-loopback-name", "addr-private",
	};
	const struct urivet_policy open = built_in(URIVET_PUBLIC);
	for (size_t k = 0; k < COUNT(names); k++) {
		expect_rows(of_hosts, COUNT(of_hosts), names[k].name, &open, names[k].ids);
		for (size_t i = 0; i < COUNT(raised); i++) {
			struct urivet_policy p = built_in(URIVET_STRICT);
			if (strncmp(names[k].ids, raised[i], strlen(raised[i])) != 0)
				continue;
			raise_finding(&p, raised[i]);
			expect_rows(of_hosts, COUNT(of_hosts), names[k].name, &p, names[k].ids);
		}
	}
}

/* Nothing else is refused: the waiver does allow what it names. */
Test(waivers, open_what_they_name)
{
	static const struct {
		const char *waived, *uri;
	} rows[] = {
	    {"host-percent-encoded,escaped-unreserved", "http://g%6Fod.com/"},
	    {"host-percent-encoded,escaped-unreserved", "http://good%2Ecom/"},
	    {"host-empty-label", "http://good..com/"}, {"host-empty-label", "http://.good.com/"},
	    {"host-underscore", "http://a_b.good.com/"}, {"host-trailing-dot", "http://good.com./"},
	    {"ipv4-octal,ipv4-mixed", "http://8.010.8.8/"}, {"ipv4-hex", "http://0x08080808/"},
	    {"ipv4-decimal", "http://134744072/"}, {"ipv4-short", "http://8.8.2056/"},
	    {"ipv4-trailing-dot,host-trailing-dot", "http://8.8.8.8./"},
	    {"host-ipv4-prefix", "http://8.8.8.8.good.com/"}, {"host-tld-digit", "http://good.1a/"},
	    {"userinfo-present", "http://john@good.com/"},
	    {"userinfo-present,userinfo-misleading,path-rootless", "http://www.good.com@good.com/"},
	    {"port-leading-zero", "http://good.com:080/"}, {"port-empty", "http://good.com:/"},
	    {"port-nondefault", "http://good.com:8080/"},
	    {"query-after-empty-path", "http://good.com?a=1"},
	    {"idn-invalid-alabel", "http://xn--bcher-kva.com/"},
	    {"scheme-case", "HTTP://good.com/"},
	};
	struct urivet_address_rule address = address_rule_of("10.0.0.0/8", URIVET_DENY);
	struct urivet_host_rule host = host_rule_of(".evil.com", URIVET_DENY);
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		struct urivet_report r;
		raise_finding(&p, "addr-private");
		p.hosts = (struct urivet_host_list){&host, 1, false, false};
		p.addresses = (struct urivet_address_list){&address, 1, false};
		waive(&p, rows[k].waived);
		cr_expect(judge_text(&r, rows[k].uri, &p) == URIVET_ACCEPT, "%s: %s", rows[k].uri,
			  ids_of(&r));
	}
}

/* ---- Ports, userinfo, schemes, paths, queries ---------------------------------------------- */

struct other {
	const char *uri, *refused;
	const char *raised; /* if the refusing finding is a note */
};

static const struct {
	const char *waived;
	struct other of[12];
} others[] = {
    {"port-leading-zero", {{"http://h:025/", "port-blocked", NULL}, {"http://h:08080/", "port-nondefault", NULL}}},
    {"port-overflow", {{"http://h:65561/", "port-blocked", NULL}}},
    {"port-overflow,port-nondefault", {{"http://h:65561/", "port-blocked", NULL}}},
    {"port-overflow,port-blocked", {{"http://h:73616/", "port-nondefault", NULL}}},
    {"port-overflow", {{"http://h:4294967321/", "port-blocked", NULL}, {"http://h:18446744073709551641/", "port-blocked", NULL}}},
    {"port-zero", {{"http://h:0/", "port-blocked", NULL}}},
    {"port-zero,port-leading-zero", {{"http://h:00/", "port-nondefault", NULL}}},
    {"port-nondefault", {{"http://h:25/", "port-blocked", NULL}}},
    {"port-blocked", {{"http://h:25/", "port-nondefault", NULL}}},
    {"userinfo-present", {{"http://www.paypal.com!x@h/", "userinfo-misleading", NULL}, {"http://good.com,x@h/", "userinfo-misleading", NULL},
      {"http://www.paypal.com+x@h/", "userinfo-misleading", NULL}, {"http://www.paypal.com~@h/", "userinfo-misleading", NULL},
      {"http://www.paypal.com$@h/", "userinfo-misleading", NULL}, {"http://www.paypal.com%20@h/", "userinfo-misleading", NULL},
      {"http://%20www.paypal.com@h/", "userinfo-misleading", NULL}, {"http://(www.paypal.com)@h/", "userinfo-misleading", NULL},
      {"http://.www.paypal.com@h/", "userinfo-misleading", NULL}, {"http://my_shop.paypal.com@h/", "userinfo-misleading", NULL},
      {"http://b%C3%BCcher.example@h/", "userinfo-misleading", NULL}}},
    {"userinfo-present,escaped-unreserved", {{"http://www%2epaypal%2ecom@h/", "userinfo-misleading", NULL},
      {"http://%77ww.paypal.com@h/", "userinfo-misleading", NULL}}},
    {"userinfo-present,userinfo-encoded-delimiter", {{"http://a.example%40@h/", "userinfo-misleading", NULL}}},
    {"userinfo-present,userinfo-delimiter", {{"http://a.example;@h/", "userinfo-misleading", NULL}}},
    {"userinfo-present,authority-empty-port-at", {{"http://a.example:@h/", "userinfo-misleading", NULL}}},
    {"userinfo-present,userinfo-misleading,path-rootless", {{"http://a.example%2F@h/", "userinfo-encoded-delimiter", NULL}}},
    {"userinfo-misleading,path-rootless", {{"http://a.example@h/", "userinfo-present", NULL}}},
    {"scheme-case", {{"JAVASCRIPT://h/", "scheme-not-allowed", NULL}}},
    {"scheme-case,scheme-not-allowed", {{"JAVASCRIPT://h/", "scheme-script", NULL}, {"DATA:x", "scheme-data", NULL}, {"FILE:///x", "scheme-file", NULL},
      {"GOPHER://h/", "scheme-text-protocol", NULL}, {"LDAP://h/", "scheme-ldap-jndi", NULL}, {"PHAR://h/", "scheme-archive-wrapper", NULL},
      {"MS-MSDT:/id", "scheme-app-handler", NULL}, {"VIEW-SOURCE:x", "scheme-prefix-wrapper", NULL}}},
    {"scheme-case", {{"HTTP://h/", "scheme-plaintext", "scheme-plaintext"}, {"FTP://h/", "scheme-not-allowed", NULL}}},
    {"scheme-not-allowed", {{"gopher://h/", "scheme-text-protocol", NULL}}},
    {"scheme-plaintext", {{"ftp://h/", "scheme-not-allowed", NULL}}},
    {"dot-segment", {{"http://h/a/../../b", "dot-segment-above-root", NULL}, {"http://h/a/%2e%2e/b", "escaped-dot-segment", NULL},
      {"http://h/a/..;/b", "path-param-dot-segment", NULL}, {"http://h/a/..%2fb", "escaped-slash-dot", NULL}}},
    {"dot-segment-above-root", {{"http://h/a/../../b", "dot-segment", NULL}}},
    {"escaped-unreserved", {{"http://h/a/%2e%2e/b", "escaped-dot-segment", NULL}, {"http://h/a/.%2e/b", "escaped-dot-segment", NULL}}},
    {"escaped-unreserved,escaped-dot-segment", {{"http://h/%2e%2e/b", "dot-segment-above-root", NULL}}},
    {"escaped-unreserved", {{"http://h/a/%2e%2e;x/b", "path-param-dot-segment", NULL}}},
    {"escaped-unreserved,escaped-slash", {{"http://h/a/%2e%2e%2fb", "escaped-slash-dot", NULL}}},
    {"escaped-unreserved", {{"http://h/a#/%2e%2e/b", "fragment-dot-segment", NULL}, {"http://h/s%2e%2e/x", "encoded-path-rewrite", "encoded-path-rewrite"},
      {"http://h/s.%2e/x", "encoded-path-rewrite", "encoded-path-rewrite"}, {"http://h/s.asp%2e", "path-trailing-dot-space", "path-trailing-dot-space"},
      {"http://h/?%61ccess_token=x", "query-secret", "query-secret"}, {"http://h/?access%5Ftoken=x", "query-secret", "query-secret"},
      {"http://h/#access%5Ftoken=x", "fragment-secret", "fragment-secret"}, {"http://h/?a=1&%61=2", "query-duplicate-key", "query-duplicate-key"},
      {"http://h/?d={%41*100}", "query-exfiltration", "query-exfiltration"}}},
    {"escaped-slash", {{"http://h/..%2fa", "escaped-slash-dot", NULL}, {"http://h/%2fevil.com", "path-leading-double-slash", NULL},
      {"http://h/a/%2fb", "path-double-slash", "path-double-slash"}, {"http://h/a%2f/b", "path-double-slash", "path-double-slash"},
      {"http://h/a%2f%2fb", "path-double-slash", "path-double-slash"}}},
    {"escaped-slash-dot", {{"http://h/..%2fa", "escaped-slash", NULL}}},
    {"escaped-slash,escaped-slash-dot", {{"http://h/a/..;%2fb", "path-param-dot-segment", NULL}}},
    {"path-param-dot-segment", {{"http://h/..;%2fb", "escaped-slash-dot", NULL}}},
    {"path-final-semicolon", {{"http://h/..;", "path-param-dot-segment", NULL}}},
    {"path-param-dot-segment", {{"http://h/..;", "path-final-semicolon", NULL}}},
    {"double-escape", {{"http://h/%250d", "double-escape-crlf", NULL}}},
    {"double-escape-crlf", {{"http://h/%250d", "double-escape", NULL}}},
    {"double-escape", {{"http://h/%25%32%65", "escaped-unreserved", NULL}}},
    {"bad-escape", {{"http://h/%%32%65", "double-escape", NULL}, {"http://h/a/.%./b", "dot-segment", NULL}, {"http://h/a/%../b", "dot-segment", NULL},
      {"http://h/a/.%.;x/b", "path-param-dot-segment", NULL}, {"http://h/%0d%", "escaped-crlf", NULL}, {"http://h/a/../%", "dot-segment", NULL}}},
    {"escaped-crlf", {{"http://h/%0d%00", "escaped-nul", NULL}}},
    {"escaped-nul", {{"http://h/%00%01", "escaped-control", NULL}}},
    {"escaped-control", {{"http://h/%01%0a", "escaped-crlf", NULL}}},
    {"non-ascii", {{"http://h/\xc0\xae\xc0\xae/", "overlong-utf8", NULL}, {"http://h/\xc0%ae", "overlong-utf8", NULL},
      {"http://h/%c0\xae", "overlong-utf8", NULL}, {"http://h/?\xc0\xae", "overlong-utf8", NULL}, {"http://h/\xe2\x80\xae", "escaped-bidi", NULL},
      {"http://h/\xef\xbc\x8e\xef\xbc\x8e/a", "escaped-compatibility", NULL}, {"http://h/\xf0\x9f\x92\xa9%25", "escape-after-astral", NULL}}},
    {"path-removed-segment", {{"http://h/(S(x))%2E", "escaped-unreserved", NULL}}},
    {"path-dots-before-name", {{"http://h/..x%2E", "escaped-unreserved", NULL}}},
    {"non-ascii", {{"http://h/\xc3\xa9#%3A", "escape-mixed-iri", NULL}, {"http://h/\xc2\x9b", "escaped-control", NULL},
      {"http://h/\xe5\x98\x8a", "escaped-unicode-truncation", "escaped-unicode-truncation"}, {"http://h/\xc3\xa9/../", "dot-segment", NULL}}},
    {"overlong-utf8", {{"http://h/%c0%ae", "invalid-utf8-escape", NULL}}},
    {"invalid-utf8-escape,latin1-escape", {{"http://h/%c0%ae", "overlong-utf8", NULL}}},
    {"invalid-utf8-escape", {{"http://h/%e9", "latin1-escape", NULL}}},
    {"latin1-escape", {{"http://h/%e9", "invalid-utf8-escape", NULL}}},
    {"escape-after-astral", {{"http://h/#%F0%9F%92%A9%3A", "escape-mixed-iri", NULL}}},
    {"escape-mixed-iri", {{"http://h/#%F0%9F%92%A9%3A", "escape-after-astral", NULL}}},
    {"escaped-compatibility", {{"http://h/%EF%BC%8E%2E", "escaped-unreserved", NULL}}},
    {"escaped-bidi", {{"http://h/%E2%80%AE%00", "escaped-nul", NULL}}},
    {"forbidden-char", {{"http://h/{a,b}", "template-or-glob", NULL}, {"http://h/a[1-3]", "template-or-glob", NULL},
      {"http://h/a\\b", "backslash-path", NULL}, {"http://h/a|/../", "dot-segment", NULL}, {"http://h/#a#/../", "fragment-dot-segment", NULL}}},
    {"query-nested-brackets", {{"http://h/?a[1-3]=b", "template-or-glob", NULL}}},
    {"template-or-glob", {{"http://h/{a,b}", "forbidden-char", NULL}}},
    {"fragment-hashbang", {{"http://h/#!/../", "fragment-dot-segment", NULL}}},
    {"fragment-dot-segment", {{"http://h/#!/../", "fragment-hashbang", NULL}}},
    {"query-after-empty-path", {{"http://h?@x/", "userinfo-delimiter", NULL}, {"http://h?/x.example:80", "colon-port-in-tail", NULL}}},
    {"colon-port-in-tail", {{"http://h?/x.example:80", "query-after-empty-path", NULL}}},
    {"ipv6-path-digit", {{"http://[2600::1]/1/../", "dot-segment", NULL}}},
    {"path-leading-double-slash", {{"http://h//../", "dot-segment", NULL}}},
    {"host-too-long", {{"http://{a*64}.{b.*120}c/", "host-label-too-long", NULL}}},
    {"host-label-too-long", {{"http://{a*64}.{b.*120}c/", "host-too-long", NULL}}},
    {"resolution-ambiguous,readers-disagree", {{"http://u@h/", "userinfo-present", NULL}}},
    {"host-header-mismatch,target-form", {{"http://u@h/", "userinfo-present", NULL}}},
};

static void expect_other(const char *waived, const struct other *other)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	size_t n;
	const char *const uri = expand(other->uri, strlen(other->uri), &n);
	waive(&p, waived);
	if (other->raised != NULL)
		raise_finding(&p, other->raised);
	const enum urivet_verdict verdict = urivet_check(&r, uri, n, &p);
	const struct urivet_finding *const f =
	    finding_in(&r, number_of(other->refused, strlen(other->refused)));
	cr_expect(verdict == URIVET_REJECT && f != NULL &&
		      urivet_finding_refuses(&r, f, &p),
		  "%s with %s waived: %s", other->uri, waived, ids_of(&r));
}

Test(waivers, never_silence_another_finding)
{
	for (size_t k = 0; k < COUNT(others); k++)
		for (const struct other *other = others[k].of; other->uri != NULL; other++)
			expect_other(others[k].waived, other);
}

/* An allowlist does not override rules that deny addresses; a decoded name with A-labels, a
 * second reading that differs in its last octet, and a translator that the policy names. */
Test(waivers, of_what_lists_allow)
{
	static const struct {
		const char *waived, *uri;
		enum urivet_verdict verdict;
		bool only;
	} rows[] = {
	    {"host-percent-encoded,escaped-unreserved", "http://%61.b.good.com/", URIVET_ACCEPT, true},
	    {"host-percent-encoded,escaped-unreserved", "http://%61.1.good.com/", URIVET_REJECT, true},
	    {"host-percent-encoded,escaped-unreserved", "http://%78n--bcher-kva.good.com/", URIVET_REJECT, true},
	    {"ipv4-octal,ipv4-mixed", "http://8.8.8.010/", URIVET_REJECT, false}, /* 8.8.8.8 or 8.8.8.10 */
	    {"ipv4-octal,ipv4-mixed", "http://8.8.8.011/", URIVET_ACCEPT, false},
	    {"nat64-embedded-ipv4", "http://[64:ff9b:1::909:909]/", URIVET_ACCEPT, true},
	    {"nat64-embedded-ipv4", "http://[64:ff9b:1::909:90a]/", URIVET_REJECT, true},
	};
	struct urivet_host_rule host = host_rule_of(".good.com", URIVET_ALLOW);
	struct urivet_network nat64 = network("64:ff9b:1::/96");
	const struct urivet_address_rule addresses[] = {address_rule_of("8.8.8.10", URIVET_DENY),
							address_rule_of("9.9.9.9", URIVET_ALLOW)};
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct urivet_policy p = with_hosts(URIVET_STRICT, &host, 1, false, rows[k].only);
		struct urivet_report r;
		p.addresses = (struct urivet_address_list){addresses, 2, false};
		p.nat64 = &nat64;
		p.nat64_count = 1;
		waive(&p, rows[k].waived);
		cr_expect(judge_text(&r, rows[k].uri, &p) == rows[k].verdict, "%s: %s", rows[k].uri,
			  ids_of(&r));
	}
}

/* An allowlist of names is checked for each reading of an address, if there is no list of
 * addresses. */
Test(waivers, second_reading_without_addresses)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	waive(&p, "ipv4-octal,ipv4-mixed");
	cr_expect(judge_text(&r, "http://8.8.8.010/", &p) == URIVET_ACCEPT, "%s", ids_of(&r));
	p.hosts.only = true;
	cr_expect(judge_text(&r, "http://8.8.8.010/", &p) == URIVET_REJECT, "%s", ids_of(&r));
}

/* Rules about http alone do not hold for other schemes. */
Test(waivers, of_other_schemes)
{
	struct urivet_policy p = built_in(URIVET_ANY);
	struct urivet_report r;
	waive(&p, "escaped-slash,non-ascii");
	cr_expect(judge_text(&r, "foo://h/%2Fx", &p) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(judge_text(&r, "foo://h/\xf0\x9f\x92\xa9%2C", &p) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(judge_text(&r, "http://h/\xf0\x9f\x92\xa9%C3%A9", &p) == URIVET_ACCEPT, "%s", ids_of(&r));
}

/* A finding that did not fit the report may be any: denylists then deny. */
Test(waivers, findings_without_room)
{
	static const char many[] =
	    "HTTP://a.b;%2F:@1.2.3.4-A_-.10-0-0-1.127-0-0-1.169-254-169-254.100-64-0-1.0-0-0-1."
	    "192-0-0-8.192-88-99-1.198-18-0-1.224-0-0-1.240-0-0-1.255-255-255-255.198-51-100-1."
	    "%61..localhost.1x./{a[1-2]\xc3\xa9?[";
	static const char few[] = "http://1.2.3.4-a_-.10-0-0-1.a.localhost.1x./";
	struct urivet_host_rule host = host_rule_of(".evil.com", URIVET_DENY);
	struct urivet_address_rule address = address_rule_of("203.0.113.9", URIVET_DENY);
	for (unsigned k = 0; k < 3; k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		struct urivet_report r;
		for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
			if (id != URIVET_F_HOST_DENIED && id != URIVET_F_ADDR_DENIED)
				(void)urivet_policy_waive(&p, id);
		p.hosts = (struct urivet_host_list){&host, k == 1, false, false};
		p.addresses = (struct urivet_address_list){&address, k == 2, false};
		cr_expect(judge_text(&r, few, &p) == URIVET_ACCEPT, "%s", ids_of(&r));
		cr_expect((judge_text(&r, many, &p) == URIVET_ACCEPT) == (k == 0), "%s", ids_of(&r));
		cr_expect(r.dropped > 0, "%u", (unsigned)r.count);
	}
}

/* Returns strict with everything waived that can be, but rules of a policy and what may hide a host. */
static struct urivet_policy all_waived(bool schemes)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *const row = urivet_finding_info(id);
		if (row != NULL && row->class_ != URIVET_POLICY && id != URIVET_F_FRAGMENT_AUTHORITY_CONFUSION && (schemes || strncmp(row->name, "scheme", 6) != 0))
			(void)urivet_policy_waive(&p, id);
	}
	return p;
}

/* Paths of any length before that, so that each finding is the first without room once. */
Test(waivers, first_finding_without_room)
{
	static const char *const hosts[] = {"//xn--a.x/", "//x.2.3/", "//0o1/", "/"};
	static const char path[] = "../%2e/a..%2f.;/..;/a;b//c%5cd/%5c/x%3fy%23/%2523/{%22%0a%01%250a%e9%c0%ae%e2%80%ae%21%zz%c4%80%f0%9f%92%a9%26/%c2%ad%00\xc3\xa9;";
	const struct urivet_host_rule host = host_rule_of(".evil.com", URIVET_DENY);
	const struct urivet_address_rule address = address_rule_of("203.0.113.9", URIVET_DENY);
	const struct urivet_policy waived[] = {all_waived(false), all_waived(true)};
	for (size_t n = 0; n < 12 * sizeof path; n++) {
		const size_t lists = n / 4 % 3;
		struct urivet_policy p = waived[n % 4 == 3];
		struct urivet_report r;
		char uri[sizeof path + 20];
		const int length = snprintf(uri, sizeof uri, "http:%s%.*s", hosts[n % 4], (int)n / 12, path);
		p.hosts = (struct urivet_host_list){&host, lists == 1, false, false};
		p.addresses = (struct urivet_address_list){&address, lists == 2, false};
		if (lists != 1 || n % 4 % 3 == 0) /* no list of names is about numbers */
			cr_expect((judge(&r, uri, (size_t)length, &p) == URIVET_ACCEPT) == (lists == 0), "%s: %s", uri, ids_of(&r));
	}
}

/* Waivers of another kind only: the name is refused as written, and reported as denied. */
Test(waivers, denials_are_reported_beside)
{
	struct urivet_host_rule rule = host_rule_of("evil.com", URIVET_DENY);
	struct urivet_report r;
	struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, false, false);
	judge_text(&r, "http://e%76il.com/", &p);
	cr_expect(strstr(ids_of(&r), "host-denied") == NULL, "%s", ids_of(&r));
	waive(&p, "escaped-unreserved");
	cr_expect(judge_text(&r, "http://e%76il.com/", &p) == URIVET_REJECT);
	cr_expect(strstr(ids_of(&r), "host-denied") != NULL, "%s", ids_of(&r));
	/* once, whatever else in the URL may be any host */
	struct urivet_address_rule address = address_rule_of("10.0.0.3", URIVET_DENY);
	static const unsigned ids[] = {URIVET_F_HOST_DENIED, URIVET_F_ADDR_DENIED, URIVET_F_ADDR_UNCLASSIFIED};
	p.addresses = (struct urivet_address_list){&address, 1, false};
	waive(&p, "host-subdelim,userinfo-delimiter");
	raise_finding(&p, "addr-private");
	judge_text(&r, "http://;@a,b.com/", &p);
	for (size_t k = 0; k < 3; k++)
		cr_expect(finding_in(&r, ids[k]) != NULL && finding_in(&r, ids[k])->count == 1, "%s", ids_of(&r));
	/* no host, and none that the policy lets through */
	judge_text(&r, "http://[]/", &p);
	cr_expect_str_eq(ids_of(&r), "ipv6-malformed");
	address = address_rule_of("0.1.1.3", URIVET_DENY);
	p = with_addresses(URIVET_STRICT, &address, 1, false);
	judge_text(&r, "http://256.1.1.3/", &p);
	cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) == NULL, "%s", ids_of(&r));
}

/* A rule allows one form of a name, and no rule is about the other: not allowed, but not denied. */
Test(waivers, one_form_allowed)
{
	struct urivet_host_rule rule = host_rule_of("*.evil.com", URIVET_ALLOW);
	struct urivet_report r;
	struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, false, false);
	waive(&p, "host-empty-label");
	judge_text(&r, "http://.evil.com/", &p);
	cr_expect(strstr(ids_of(&r), "host-denied") == NULL, "%s", ids_of(&r));
	p.hosts.only = true;
	cr_expect(judge_text(&r, "http://.evil.com/", &p) == URIVET_REJECT);
	cr_expect(strstr(ids_of(&r), "host-not-allowed") != NULL, "%s", ids_of(&r));
	cr_expect(strstr(ids_of(&r), "host-denied") == NULL, "%s", ids_of(&r));
}

/* Each address that some reader finds at the beginning of the name, and no other. */
Test(waivers, last_number_of_a_prefix)
{
	static const char *const networks[] = {"192.0.2.1", "192.0.2.12", "192.0.2.123"};
	for (size_t k = 0; k < 4; k++) {
		const char *const text = k < 3 ? networks[k] : "192.0.1.0/24";
		const struct urivet_address_rule rule = address_rule_of(text, URIVET_DENY);
		struct urivet_report r;
		struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, false);
		waive(&p, "host-ipv4-prefix");
		judge_text(&r, "http://192.0.2.123ip.org/", &p);
		cr_expect((strstr(ids_of(&r), "addr-denied") != NULL) == (k < 3), "%s: %s", text, ids_of(&r));
	}
}

/* ---- All waivers are covered
 * ------------------------------------------------------------------ */

static bool names(const char *list, const char *id)
{
	const size_t n = strlen(id);
	for (const char *at = list; (at = strstr(at, id)) != NULL; at += n)
		if ((at == list || at[-1] == ',') && (at[n] == '\0' || at[n] == ','))
			return true;
	return false;
}

static bool is_in_a_row(const char *id)
{
	for (size_t k = 0; k < COUNT(of_hosts); k++)
		if (names(of_hosts[k].waived, id))
			return true;
	for (size_t k = 0; k < COUNT(of_addresses); k++)
		if (names(of_addresses[k].waived, id))
			return true;
	for (size_t k = 0; k < COUNT(others); k++)
		if (names(others[k].waived, id))
			return true;
	return false;
}

Test(waivers, each_is_tried)
{
	static const char *const elsewhere[] = {
	    /* allowances_need_both_forms */
	    "host-underscore", "host-bad-hyphen", "idn-invalid-alabel",
	    /* no other rule reads anything below a dangerous scheme */
	    "scheme-script", "scheme-data", "scheme-file", "scheme-text-protocol",
	    "scheme-ldap-jndi", "scheme-app-handler",
	};
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *const row = urivet_finding_info(id);
		struct urivet_policy p = built_in(URIVET_STRICT);
		bool found = false;
		if (row == NULL || !urivet_policy_waive(&p, id))
			continue;
		/* a note refuses nothing, and waiving a rule of a policy disables it */
		found = row->class_ == URIVET_NOTE || row->class_ == URIVET_POLICY;
		for (size_t k = 0; k < COUNT(elsewhere); k++)
			found = found || strcmp(elsewhere[k], row->name) == 0;
		cr_expect(found || is_in_a_row(row->name), "%s is in no row", row->name);
	}
}
