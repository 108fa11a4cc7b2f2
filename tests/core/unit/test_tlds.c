/* SPDX-License-Identifier: Apache-2.0 */
/* Tests top-level domains, and the finding about names without one. */
#include "support.h"

#include <stdlib.h>

#include "policy/tlds.h"

TestSuite(tlds, .timeout = 60);

static bool is_tld(const char *label)
{
	const size_t length = strlen(label);
	return urivet_has_tld(
	    (struct text){at_edge(label, length), (uint32_t)length}, 0);
}

/* tests/core/model/tlds.py writes both, from the npm package and from the Public Suffix List: the
 * number of names of two and three letters, the number of all names, and a hash of each. */
static const struct sum {
	uint32_t count, hash;
} expected[] = {{464, 0x640cb976}, {1437, 0xeaeaeb54}};

static void add(struct sum *sum, const char *label)
{
	sum->count++;
	for (; *label != '\0'; label++)
		sum->hash = (sum->hash ^ (unsigned char)*label) * 16777619;
	sum->hash = (sum->hash ^ '.') * 16777619;
}

static void expect_sum(struct sum sum, struct sum want)
{
	cr_expect(sum.count == want.count && sum.hash == want.hash, "%u, %08x", (unsigned)sum.count,
	          (unsigned)sum.hash);
}

Test(tlds, all_of_two_and_three_octets)
{
	static const char octets[] = "-0123456789abcdefghijklmnopqrstuvwxyz";
	struct sum sum = {0, 0};
	for (size_t length = 1; length <= 3; length++)
		for (size_t k = 0; k < 37 * 37 * 37 && (length == 3 || k < (length == 2 ? 37 * 37 : 37)); k++) {
			const char label[] = {octets[k / (length == 3 ? 37 * 37 : length == 2 ? 37 : 1)],
			                      length < 2 ? '\0' : octets[k / (length == 3 ? 37 : 1) % 37],
			                      length < 3 ? '\0' : octets[k % 37], '\0'};
			if (urivet_has_tld((struct text){(const uint8_t *)label, (uint32_t)length}, 0))
				add(&sum, label);
		}
	expect_sum(sum, expected[0]);
}

/* Every label of tlds.def, in order. */
static const struct {
	size_t length;
	const char *labels;
} rows[] = {
#define LABELS(n, octets) {n, octets},
#include "policy/tlds.def"
#undef LABELS
};

#define EACH_LABEL(row, at, label)                                                                 \
	for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)                            \
		for (size_t at = 0; at < strlen(rows[row].labels) && label_at(label, row, at);     \
		     at += rows[row].length)

static bool label_at(char *label, size_t row, size_t at)
{
	memcpy(label, rows[row].labels + at, rows[row].length);
	label[rows[row].length] = '\0';
	return true;
}

Test(tlds, each_is_found)
{
	struct sum sum = {0, 0};
	char label[64], before[64] = "";
	EACH_LABEL(row, at, label)
	{
		cr_expect(strlen(label) == rows[row].length, "%s", label);
		cr_expect(strlen(before) < strlen(label) || strcmp(before, label) < 0,
		          "%s stands before %s", before, label);
		cr_expect(is_tld(label), "%s", label);
		add(&sum, label);
		memcpy(before, label, sizeof before);
		for (char *c = label; *c != '\0'; c++)
			*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
		cr_expect(is_tld(label), "%s", label);
	}
	expect_sum(sum, expected[1]);
}

static bool is_listed(const char *label)
{
	char other[64];
	EACH_LABEL(row, at, other)
		if (strcmp(other, label) == 0)
			return true;
	return false;
}

/* A label with one octet more, less or changed is found only if it is in the list itself. */
Test(tlds, what_stands_beside_is_not)
{
	char label[64], near[66];
	EACH_LABEL(row, at, label)
	{
		const size_t length = strlen(label), middle = length / 2;
		snprintf(near, sizeof near, "%sx", label);
		cr_expect(is_tld(near) == is_listed(near), "%s", near);
		snprintf(near, sizeof near, "x%s", label);
		cr_expect(is_tld(near) == is_listed(near), "%s", near);
		snprintf(near, sizeof near, "%s.", label);
		cr_expect(!is_tld(near), "%s", near);
		snprintf(near, sizeof near, ".%s", label);
		cr_expect(is_tld(near), "%s", near);
		snprintf(near, sizeof near, "%.*s", (int)length - 1, label);
		cr_expect(is_tld(near) == is_listed(near), "%s", near);
		cr_expect(is_tld(label + 1) == is_listed(label + 1), "%s", label + 1);
		for (int step = -1; step <= 1; step += 2) {
			memcpy(near, label, sizeof label);
			near[middle] = (char)(near[middle] + step);
			cr_expect(is_tld(near) == is_listed(near), "%s", near);
			near[middle] = label[middle];
			near[length - 1] = (char)(near[length - 1] + step);
			cr_expect(is_tld(near) == is_listed(near), "%s", near);
		}
	}
}

Test(tlds, no_labels_at_all)
{
	static const char *const none[] = {"", ".", "-", "a", "z", "1", "c m", "co", "xn--", "%63om",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\xff\xff\xff", "a\x80"};
	for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
		cr_expect(is_tld(none[k]) == (strcmp(none[k], "co") == 0), "%s", none[k]);
	cr_expect(!urivet_has_tld((struct text){(const uint8_t *)"com\0", 4}, 0));
	cr_expect(urivet_has_tld((struct text){(const uint8_t *)"x.comx", 5}, 0));
}

/* ---- The finding ------------------------------------------------------------------------- */

/* The part of the URL that has the finding; NULL without it. */
static const struct {
	int base; /* enum urivet_base */
	struct {
		const char *uri, *unknown;
	} of[31];
} urls[] = {
	{URIVET_PUBLIC, {{"http://kubernetes.default/", "default"}, {"http://api.kube-system/", "kube-system"}, {"http://db.prod/", "prod"},
	  {"http://db.prod", "prod"}, {"http://db.prod:80/a?b#c", "prod"},
	  {"https://a-service-with-a-name.of-a-namespace/some/path?and=query", "of-a-namespace"}, {"http://DB.PROD/", "PROD"}, {"http://db.prod./", "prod"},
	  {"http://db.prod../", ""}, {"http://example.com../", ""}, {"http://com.prod/", "prod"}, {"http://com/", NULL}, {"http://prod/", "prod"},
	  {"http://db.pro/", NULL}, {"http://prod.com/", NULL}, {"http://kubernetes.default.com/", NULL}, {"http://EXAMPLE.COM/", NULL},
	  {"http://example.com./", NULL}, {"http://xn--j6w193g.xn--j6w193g/", NULL}, /* of Hong Kong */
	  {"http://XN--J6W193G.XN--J6W193G/", NULL}, {"http://a.xn--j6w193h/", "xn--j6w193h"}, {"http://a.vermgensberatung/", "vermgensberatung"},
	  {"http://a.xn--vermgensberatung-pwb/", NULL}, {"http://a_b.pro/", NULL}, {"http://a.pr_o/", "pr_o"}, {"http://example.c%6Fm/", "c%6Fm"},
	  {"http://db%2Eprod/", "db%2Eprod"}, {"http://example.123/", "123"}, {"http://printer.local/", "local"}, {"http://a.home.arpa/", NULL}}},
	{URIVET_STRICT, {{"http://db.prod/", "prod"}}},
	{URIVET_GATEWAY, {{"http://db.prod/", "prod"}}},
	/* no names */
	{URIVET_PUBLIC, {{"http://8.8.8.8/", NULL}, {"http://8.8.8.8./", NULL}, {"http://0x8.8/", NULL}, {"http://[2600::1]/", NULL}, {"http:///", NULL},
	  {"http://./", NULL}, {"http:a.prod", NULL}}},
	/* in every scheme with a host */
	{URIVET_ANY, {{"ws://db.prod/", "prod"}, {"ssh://db.prod/", "prod"}, {"ssh://db.pro/", NULL}, {"x:///a.prod", NULL}, {"mailto:a@db.prod", NULL},
	  {"urn:x:db.prod", NULL}}},
};

static void expect_unknown(int base, const char *uri, const char *unknown)
{
	struct urivet_policy policy = built_in(base);
	struct urivet_report r;
	judge(&r, uri, strlen(uri), &policy);
	cr_expect(finding_in(&r, URIVET_F_HOST_UNKNOWN_TLD) == NULL, "%s: quiet until raised", uri);
	cr_expect(urivet_policy_raise(&policy, URIVET_F_HOST_UNKNOWN_TLD));
	judge(&r, uri, strlen(uri), &policy);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_HOST_UNKNOWN_TLD);
	cr_expect((f != NULL) == (unknown != NULL), "%s: %s", uri, ids_of(&r));
	if (f == NULL || unknown == NULL)
		return;
	cr_expect(r.verdict == URIVET_REJECT && f->count == 1 && f->component == URIVET_HOST, "%s", uri);
	cr_expect(f->span.length == strlen(unknown) &&
	              memcmp(uri + f->span.offset, unknown, f->span.length) == 0,
	          "%s: %u+%u", uri, f->span.offset, f->span.length);
}

Test(tlds, in_urls)
{
	for (size_t k = 0; k < sizeof urls / sizeof urls[0]; k++)
		for (size_t i = 0; urls[k].of[i].uri != NULL; i++)
			expect_unknown(urls[k].base, urls[k].of[i].uri, urls[k].of[i].unknown);
}

/* A waiver of it leaves a note, and so do other waivers. */
Test(tlds, waived)
{
	struct urivet_policy policy = with_waiver(URIVET_PUBLIC, URIVET_F_HOST_UNKNOWN_TLD);
	struct urivet_report r;
	cr_expect(judge(&r, LITERAL("http://db.prod/"), &policy) == URIVET_ACCEPT);
	cr_expect(strcmp(ids_of(&r), "host-unknown-tld") == 0, "%s", ids_of(&r));
	cr_expect(judge(&r, LITERAL("http://db.pro/"), &policy) == URIVET_ACCEPT);
	cr_expect(r.count == 0, "%s", ids_of(&r));
}

/* A name that a rule allows needs no top-level domain; a name that is denied or has no rule
 * does. */
Test(tlds, names_of_the_list)
{
	struct urivet_host_rule rule = host_rule_of(".prod", URIVET_ALLOW);
	struct urivet_policy policy = built_in(URIVET_PUBLIC);
	struct urivet_report r;
	policy.hosts.rule = &rule;
	policy.hosts.count = 1;
	cr_expect(urivet_policy_raise(&policy, URIVET_F_HOST_UNKNOWN_TLD));
	cr_expect(judge(&r, LITERAL("http://db.prod/"), &policy) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(judge(&r, LITERAL("http://db.staging/"), &policy) == URIVET_REJECT);
	cr_expect(strcmp(ids_of(&r), "host-unknown-tld") == 0, "%s", ids_of(&r));
	cr_expect(judge(&r, LITERAL("http://db.pro/"), &policy) == URIVET_ACCEPT);
}

/* The other rules about names report the same without it, below top-level domains too. */
Test(tlds, beside_other_rules)
{
	static const char *const uris[] = {"http://localtest.me/", "http://a.lvh.me/", "https://metadata.goog/",
		"http://metadata.packet.net/a/path", "http://cafe.nip.io/", "http://a.1u.ms/", "http://com/",
		"http://a.home.arpa/", "http://10-0-0-1.example.com/", "http://example.com/", "http://8.8.8.8/"};
	struct urivet_policy policy = built_in(URIVET_PUBLIC);
	cr_expect(urivet_policy_raise(&policy, URIVET_F_HOST_UNKNOWN_TLD));
	for (size_t k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		struct urivet_report r;
		char without[256];
		const enum urivet_verdict verdict = judge(&r, uris[k], strlen(uris[k]), BY_PUBLIC);
		snprintf(without, sizeof without, "%s", ids_of(&r));
		cr_expect(judge(&r, uris[k], strlen(uris[k]), &policy) == verdict, "%s", uris[k]);
		cr_expect(strcmp(ids_of(&r), without) == 0, "%s: %s, %s", uris[k], ids_of(&r), without);
	}
}

/* Where empty labels are waived, a name is judged as readers that drop the label read it too: if that name ends in no
 * top-level domain, it may lead inside. */
Test(tlds, names_without_their_empty_labels)
{
	struct urivet_policy policy = with_waiver(URIVET_PUBLIC, URIVET_F_HOST_EMPTY_LABEL);
	struct urivet_report r;
	cr_expect(judge(&r, LITERAL("http://db..prod/"), &policy) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(urivet_policy_raise(&policy, URIVET_F_HOST_UNKNOWN_TLD));
	cr_expect(judge(&r, LITERAL("http://db..prod/"), &policy) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_ADDR_UNCLASSIFIED) != NULL, "%s", ids_of(&r));
	cr_expect(judge(&r, LITERAL("http://db..pro/"), &policy) == URIVET_ACCEPT, "%s", ids_of(&r));
}

/* The Host field of a request contains a host as well. */
Test(tlds, of_a_request)
{
	struct urivet_policy policy = built_in(URIVET_GATEWAY);
	struct urivet_report r;
	cr_expect(urivet_policy_raise(&policy, URIVET_F_HOST_UNKNOWN_TLD));
	check_target(&r, TEXT("/a"), TEXT("db.prod"), &policy, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_UNKNOWN_TLD) != NULL);
	check_target(&r, TEXT("/a"), TEXT("db.pro"), &policy, NULL);
	cr_expect(r.verdict == URIVET_ACCEPT, "%s", ids_of(&r));
}
