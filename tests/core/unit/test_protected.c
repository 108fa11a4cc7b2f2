/* SPDX-License-Identifier: Apache-2.0 */
/* Tests protected names and their imitations. */
#include "support.h"

#include <stdlib.h>
#include <urivet/compiled.h>

TestSuite(protected_names, .timeout = 20);

#define NAMES 9
static struct urivet_protected names[NAMES];

static struct urivet_policy protecting(void)
{
	static const char *const texts[NAMES] = {"paypal.com", "apple.com", "bbc.co.uk", "wind.example",
						 "xn--mller-kva.de", "xn--r8jz45g.jp", "modern-mail.example.",
						 "best-of-all-mail.example", "the-old-bank.example"};
	struct urivet_policy p = built_in(URIVET_STRICT);
	for (uint32_t k = 0; k < NAMES; k++) {
		cr_assert(urivet_protected_from(&names[k], texts[k], strlen(texts[k])), "%s", texts[k]);
		names[k].name.tag = k;
	}
	qsort(names, NAMES, sizeof names[0], urivet_order(URIVET_LIST_PROTECTED));
	p.protect = names;
	p.protect_count = NAMES;
	return p;
}

static bool imitates(const char *host, const struct urivet_policy *policy, struct urivet_report *r)
{
	judge_host(r, host, policy);
	return finding_in(r, URIVET_F_IDN_BRAND_CONFUSABLE) != NULL;
}

Test(protected_names, imitations)
{
	static const struct {
		const char *host;
		bool imitates;
	} rows[] = {
	    {"paypal.com", false},
	    {"PayPal.com", false},
	    {"paypal.com.", false},
	    {"www.paypal.com", false},
	    {"xn--pypal-4ve.paypal.com", false}, /* below the protected name itself */
	    {"paypa1.paypal.com", false},
	    {"paypal.net", false}, /* the same word below another domain is not an imitation */
	    {"paypal", false},
	    /* ASCII look-alikes with the same suffix */
	    {"paypa1.com", true},
	    {"paypa1.com.", true},
	    {"PAYPA1.COM", true},
	    {"paypai.com", true}, /* a link to PayPaI.com leads there */
	    {"www.paypa1.com", true},
	    {"appie.com", false}, /* i replaces l only in longer words */
	    {"app1e.com", true},
	    {"vvind.example", true},
	    {"wlnd.example", false},
	    {"w1nd.example", false}, /* 1 replaces l, not i */
	    {"rnodern-mail.example", true},
	    {"modern-mall.example", true},
	    {"modemmail.example", false},
	    /* below another suffix: only longer words, and not i for l */
	    {"paypa1.net", true},
	    {"paypai.net", false},
	    {"app1e.net", false},
	    {"paypa1", true},
	    {"a.paypa1", false}, /* a top-level domain cannot be chosen freely */
	    /* other characters, in any label */
	    {"xn--pypal-4ve.com", true},
	    {"xn--pypal-4ve.net", true},
	    {"xn--pypal-4ve.a.b.c.net", true},
	    {"xn--pypal-4ve", true},
	    {"a.xn--pypal-4ve", false},
	    {"xn--80ak6aa92e.com", true},
	    {"xn--pple-koa.org", true},           /* äpple */
	    {"xn--pple-paj-zza.org", true},       /* äpple-paj: contains it */
	    {"xn--pple-b-9ta3m.org", true}, {"xn--paj-pple-3za.org", true}, /* äpple-öb, paj-äpple */
	    {"paj-xn--pple-koa.org", false},
	    {"xn--blbr-apple-s5ak.org", false},
	    {"xn--pples-fra.org", false},         /* äpples */
	    {"paj.xn--pple-koa.org", true},
	    /* first labels of fewer than four letters */
	    {"bbc.co.uk", false},
	    {"xn--bb-5ia.co.uk", false},
	    {"xn--pypal-4ve.bbc.co.uk", false}, /* but labels below them are checked */
	    /* looks like no ASCII name, and is no A-label */
	    {"a_b.example", false},
	    {"例え.example", false},
	    /* protected names that are international themselves */
	    {"xn--mller-kva.de", false},
	    {"muller.de", true},
	    {"muller.com", true},
	    {"xn--mller-eva.de", true}, /* mûller */
	    {"xn--r8jz45g.jp", false},
	    {"xn--pypal-4ve.xn--r8jz45g.jp", false},
	    {"xn--r8jz45g.com", false},
	};
	const struct urivet_policy p = protecting();
	struct urivet_policy sealed = p;
	cr_assert(is_valid(&p) && urivet_policy_finish(&sealed, NULL, 0));
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		cr_expect(imitates(rows[k].host, &p, &r) == rows[k].imitates, "%s: %s", rows[k].host, ids_of(&r));
		cr_expect(imitates(rows[k].host, &sealed, &r) == rows[k].imitates, "%s, sealed", rows[k].host);
		cr_expect((r.host_rule != NULL) == rows[k].imitates, "%s: which", rows[k].host);
		/* an unreadable page follows the list */
		char url[100];
		const size_t length = (size_t)sprintf(url, "http://%s/", rows[k].host);
		for (uint32_t count = 1; count <= NAMES; count++) {
			sealed.protect = at_edge(names, count * sizeof names[0]);
			sealed.protect_count = count;
			urivet_check(&r, url, length, &sealed);
			cr_expect(urivet_verdict_of(url, length, &sealed, NULL) == r.verdict, "%s", url);
		}
		cr_expect((finding_in(&r, URIVET_F_IDN_BRAND_CONFUSABLE) != NULL) == rows[k].imitates, "%s", url);
		sealed.protect = names;
	}
}

/* The first label of a protected name in a host of another owner. */
Test(protected_names, brands)
{
	static const struct {
		const char *host;
		uint32_t offset; /* offset of the label; 0: no note */
	} rows[] = {
	    {"paypal.com.evil.example", 7},
	    {"PayPal.evil.example", 7},
	    {"login.paypal.evil.example", 13},
	    {"a.paypal-login.example", 9},
	    {"secure-paypal.example", 7},
	    {"my-PAYPAL-login.example", 7},
	    {"paypal.example", 7}, /* only paypal.com is protected */
	    {"paypal", 7},
	    {"wind.evil.example", 7}, {"wind-login.example", 7}, {"modern-mail.net", 7},
	    {"the-modern-mail-login.net", 7}, {"my-the-old-bank-login.net", 7},
	    {"best-of-all-mail.net", 7}, /* a whole label has any number of parts */
	    {"xn--mller-kva.com", 7},
	    {"xn--pypal-4ve.apple.evil.example", 21}, /* beside an imitation */
	    {"paypal.com", 0},
	    {"paypal.com.", 0},
	    {"www.paypal.com", 0},
	    {"paypal-login.paypal.com", 0},
	    {"apple.paypal.com", 0},
	    {"xn--mller-kva.de", 0},
	    {"paypalace.example", 0},
	    {"mypaypal-login.example", 0},
	    {"pay-pal.example", 0},
	    {"modern.mail.net", 0},
	    {"modern-mailer.net", 0},
	    {"the-best-of-all-mail.net", 0}, /* more than BRAND_PIECES parts */
	    {"paypa1.com", 0},
	    {"a.paypal", 0},     /* a top-level domain cannot be chosen freely */
	    {"bbc.example", 0}, /* fewer than four letters */
	    {"the-bbc-news.example", 0},
	};
	struct urivet_policy p = protecting();
	struct urivet_policy raised = p;
	cr_assert(urivet_policy_raise(&raised, URIVET_F_BRAND_AS_LABEL));
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		const bool refused = imitates(rows[k].host, &p, &r);
		const struct urivet_finding *const found = finding_in(&r, URIVET_F_BRAND_AS_LABEL);
		cr_expect((found == NULL ? 0 : found->span.offset) == rows[k].offset, "%s: %s", rows[k].host, ids_of(&r));
		cr_expect(found == NULL || refused || r.verdict == URIVET_ACCEPT, "%s", rows[k].host);
		(void)imitates(rows[k].host, &raised, &r);
		cr_expect(found == NULL || r.verdict == URIVET_REJECT, "%s, raised", rows[k].host);
	}
}

/* The report contains the imitated name; the span is the label. */
Test(protected_names, which)
{
	struct urivet_policy p = protecting();
	struct urivet_report r;
	cr_assert(imitates("a.paypa1.com", &p, &r));
	cr_expect(finding_in(&r, URIVET_F_IDN_BRAND_CONFUSABLE)->span.offset == 9);
	cr_expect(finding_in(&r, URIVET_F_IDN_BRAND_CONFUSABLE)->span.length == 6);
	cr_assert(r.host_rule != NULL);
	cr_expect(urivet_host_rule_name(r.host_rule).length == 10 && r.host_rule->tag == 0);
	cr_assert(urivet_policy_waive(&p, URIVET_F_IDN_BRAND_CONFUSABLE));
	cr_assert(imitates("a.paypa1.com", &p, &r));
	expect_all(NULL, URIVET_ACCEPT, "http://a.paypa1.com/");
	expect_all(&p, URIVET_ACCEPT, "http://a.paypa1.com/");
	p = protecting();
	expect_all(&p, URIVET_REJECT, "http://a.paypa1.com/ http://a.paypa1.com/?a=b");
	expect_all(&p, URIVET_ACCEPT, "http://a.paypal.com/?a=b");
	/* each of several names that look alike is its own, and a brand; an empty label is like none */
	static const char *const alike[] = {"paypa1.com", "paypal.com", "paypal.net", "my_brand.com"};
	for (p.protect_count = 0; p.protect_count < 4; p.protect_count++)
		cr_assert(urivet_protected_from(&names[p.protect_count], alike[p.protect_count], strlen(alike[p.protect_count])));
	qsort(names, 4, sizeof names[0], urivet_order(URIVET_LIST_PROTECTED));
	cr_expect(!imitates("www.paypal.net", &p, &r) && r.count == 0, "%s", ids_of(&r));
	cr_expect(!imitates("secure-paypal.example", &p, &r) && finding_in(&r, URIVET_F_BRAND_AS_LABEL) != NULL, "%s", ids_of(&r));
	cr_expect(!imitates("x..com", &p, &r), "%s", ids_of(&r));
}

/* A host that a rule allows is no imitation; other rules decide as usual. */
Test(protected_names, beside_lists)
{
	struct urivet_policy p = protecting();
	struct urivet_host_rule rule = host_rule_of("paypa1.com", URIVET_ALLOW);
	struct urivet_report r;
	p.hosts = (struct urivet_host_list){&rule, 1, false, false};
	cr_expect(!imitates("paypa1.com", &p, &r) && r.verdict == URIVET_ACCEPT);
	cr_expect(imitates("www.paypa1.com", &p, &r));
	rule.action = URIVET_DENY;
	cr_expect(imitates("paypa1.com", &p, &r) && finding_in(&r, URIVET_F_HOST_DENIED) != NULL);
	cr_expect(r.host_rule == &rule);
	p.hosts.count = 0; /* the name is that of a Host field, and stays beside that of the target */
	cr_expect(check_target(&r, TEXT("http://EXAMPLE.com/"), TEXT("paypa1.com"), &p, NULL) == URIVET_REJECT && r.host_rule != NULL, "%s", ids_of(&r));
}

/* A policy with an unsorted list, which could miss names, is invalid. */
Test(protected_names, order)
{
	struct urivet_policy p = protecting();
	struct urivet_report r;
	const struct urivet_protected first = names[0];
	cr_expect(urivet_order(URIVET_LIST_PROTECTED)(&names[0], &names[1]) < 0 && urivet_order(URIVET_LIST_PROTECTED)(&names[1], &names[0]) > 0);
	cr_expect(urivet_order(URIVET_LIST_PROTECTED)(&names[0], &first) == 0 && urivet_order((enum urivet_list)(URIVET_LIST_PROTECTED + 1)) == NULL);
	struct urivet_protected alike;
	cr_assert(urivet_protected_from(&alike, LITERAL("paypa1.com")) && urivet_protected_from(&names[1], LITERAL("paypal.com")));
	cr_expect(alike.look == names[1].look && urivet_order(URIVET_LIST_PROTECTED)(&alike, &names[1]) < 0);
	(void)protecting();
	names[0] = names[1];
	names[1] = first;
	cr_expect(!is_valid(&p));
	cr_expect(urivet_check(&r, LITERAL("http://a.example/"), &p) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL);
	cr_expect(!urivet_policy_finish(&p, NULL, 0));
	p.protect = NULL;
	cr_expect(urivet_check(&r, LITERAL("http://a.example/"), &p) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL);
}

/* A sealed list is not checked again, but another list is. */
Test(protected_names, seal)
{
	struct urivet_policy p = protecting();
	static struct urivet_protected others[NAMES];
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	for (size_t k = 0; k < NAMES; k++)
		others[k] = names[NAMES - 1 - k];
	p.protect = others;
	cr_expect(urivet_verdict_of(LITERAL("http://a.example/"), &p, NULL) == URIVET_REJECT);
	p.protect = names;
	cr_expect(urivet_verdict_of(LITERAL("http://a.example/"), &p, NULL) == URIVET_ACCEPT);
	p.protect_count--;
	cr_expect(urivet_verdict_of(LITERAL("http://a.example/"), &p, NULL) == URIVET_ACCEPT, "still in order");
}

/* Setting the list keeps the seal of a sealed policy; an invalid list changes nothing. */
Test(protected_names, exchanged)
{
	static _Alignas(8) uint8_t octets[4096];
	static struct urivet_protected mine[2], disorder[2];
	struct urivet_policy p = built_in(URIVET_STRICT), opened;
	struct urivet_host_rule host = host_rule_of("evil.example", URIVET_DENY);
	p.hosts = (struct urivet_host_list){&host, 1, true, false};
	cr_assert(urivet_protected_from(&mine[0], LITERAL("paypal.com")) && urivet_protected_from(&mine[1], LITERAL("apple.com")));
	qsort(mine, 2, sizeof mine[0], urivet_order(URIVET_LIST_PROTECTED));
	disorder[0] = mine[1];
	disorder[1] = mine[0];
	const size_t length = urivet_compiled_write(octets, sizeof octets, &p, urivet_text_of(NULL, 0));
	cr_assert(urivet_compiled_open(&opened, sizeof opened, octets, length, NULL) == URIVET_COMPILED_GOOD);
	cr_expect(urivet_policy_protect(&opened, mine, 2) && is_valid(&opened));
	cr_expect(urivet_verdict_of(LITERAL("http://paypa1.com/"), &opened, NULL) == URIVET_REJECT);
	cr_expect(urivet_verdict_of(LITERAL("http://evil.example/"), &opened, NULL) == URIVET_REJECT);
	cr_expect(urivet_verdict_of(LITERAL("http://paypal.com/"), &opened, NULL) == URIVET_ACCEPT);
	cr_expect(!urivet_policy_protect(&opened, disorder, 2) && opened.protect == mine);
	cr_expect(!urivet_policy_protect(&opened, NULL, 1) && opened.protect == mine);
	mine[0].look++;
	cr_expect(!urivet_policy_protect(&opened, mine, 2));
	mine[0].look--;
	cr_expect(urivet_policy_protect(&opened, mine, 2) && urivet_policy_protect(&opened, NULL, 0) && is_valid(&opened));
	cr_expect(urivet_verdict_of(LITERAL("http://paypa1.com/"), &opened, NULL) == URIVET_ACCEPT);
	cr_expect(!urivet_policy_protect(NULL, mine, 2));
	opened.size--;
	cr_expect(!urivet_policy_protect(&opened, mine, 2));
	cr_expect(urivet_policy_protect(&p, mine, 2) && p.seal == 0);
}

Test(protected_names, meaningless)
{
	static const char *const texts[] = {"", ".example.com", "*.example.com", "10.0.0.1", "a..b", "ex ample.com"};
	struct urivet_protected kept, name;
	struct urivet_policy p = protecting();
	struct urivet_protected *const mine = names;
	char odd[32] = "";
	memset(&kept, 7, sizeof kept);
	memcpy(&name, &kept, sizeof name);
	for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
		cr_expect(!urivet_protected_from(&name, texts[k], strlen(texts[k])), "%s", texts[k]);
		cr_expect(memcmp(&name, &kept, sizeof name) == 0, "%s: changed", texts[k]);
	}
	kept = mine[2];
	memcpy(odd, kept.name.name, kept.name.length - 1); /* the same first label, and a last one that is none */
	odd[kept.name.length - 1] = '-';
#define SPOILED(change)                                                                                               \
	do {                                                                                                          \
		mine[2] = kept;                                                                                       \
		cr_expect(is_valid(&p));                                                                   \
		change;                                                                                               \
		cr_expect(!is_valid(&p), #change);                                                         \
	} while (0)
	SPOILED(mine[2].letters++);
	SPOILED(mine[2].name.scope = URIVET_SCOPE_TREE);
	SPOILED(mine[2].name.scope = URIVET_SCOPE_HOST | URIVET_SCOPE_RELATIVE);
	SPOILED(mine[2].name.action = URIVET_ALLOW);
	SPOILED(mine[2].name.above = 3);
	SPOILED(mine[2].name.length = 0);
	SPOILED(mine[2].name.name = odd);
	SPOILED(mine[2].look++);
#undef SPOILED
}

/* The compiled list gives the same results, and a changed one is refused. */
Test(protected_names, compiled)
{
	static _Alignas(8) uint8_t octets[8192], broken[8192];
	static const char *const hosts[] = {"paypal.com", "paypa1.com", "xn--80ak6aa92e.com", "a.bbc.co.uk"};
	const struct urivet_policy p = protecting();
	struct urivet_policy opened;
	const size_t length = urivet_compiled_write(octets, sizeof octets, &p, urivet_text_of("x", 1));
	cr_assert(length > 0 && length <= sizeof octets);
	cr_assert(urivet_compiled_open(&opened, sizeof opened, octets, length, NULL) == URIVET_COMPILED_GOOD);
	struct urivet_policy other = built_in(URIVET_STRICT);
	cr_expect(opened.protect_count == NAMES && !urivet_policy_protect(&other, opened.protect, NAMES));
	for (size_t k = 0; k < sizeof hosts / sizeof hosts[0]; k++) {
		struct urivet_report r, s;
		cr_expect(imitates(hosts[k], &p, &r) == imitates(hosts[k], &opened, &s));
		cr_expect((r.host_rule == NULL) == (s.host_rule == NULL));
		if (r.host_rule != NULL)
			cr_expect(urivet_host_rule_name(r.host_rule).length == urivet_host_rule_name(s.host_rule).length);
	}
	cr_expect(urivet_compiled_write(broken, sizeof broken, &opened, urivet_text_of("x", 1)) == length);
	cr_expect(memcmp(octets, broken, length) == 0, "written again, the same");
}

/* Many names, of which some look alike. */
Test(protected_names, many)
{
	enum { COUNT = 20000 };
	struct urivet_protected *many = calloc(COUNT, sizeof *many);
	char(*texts)[24] = calloc(COUNT, sizeof *texts);
	struct urivet_policy p = built_in(URIVET_STRICT);
	cr_assert(many != NULL && texts != NULL);
	for (unsigned k = 0; k < COUNT; k++) {
		snprintf(texts[k], sizeof texts[k], "name%uz.example", k % (COUNT - 500));
		cr_assert(urivet_protected_from(&many[k], texts[k], strlen(texts[k])));
	}
	qsort(many, COUNT, sizeof *many, urivet_order(URIVET_LIST_PROTECTED));
	p.protect = many;
	p.protect_count = COUNT;
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	for (unsigned k = 0; k < COUNT; k += 7) {
		char host[64];
		struct urivet_report r;
		snprintf(host, sizeof host, "http://narne%uz.example/", k % (COUNT - 500));
		cr_expect(urivet_check(&r, host, strlen(host), &p) == URIVET_REJECT, "%s", host);
		snprintf(host, sizeof host, "http://name%uz.example/", k % (COUNT - 500));
		cr_expect(urivet_check(&r, host, strlen(host), &p) == URIVET_ACCEPT, "%s: %s", host, ids_of(&r));
	}
	free(many);
	free(texts);
}
