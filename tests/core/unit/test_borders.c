/* SPDX-License-Identifier: Apache-2.0 */
/* Tests limits, one octet on either side of each: the inputs follow the constant or the policy.
 * For constants that the core does not export, tests/limits.tsv lists the value copied here. */
#include <stdlib.h>

#include "plain/plain.h"
#include "policy/policy.h"
#include "support.h"
#include "text/sized.h"

TestSuite(borders, .timeout = 60);

enum { MAX_AUTHORITY = 260, MAX_KEYS = 32, LONG_VALUE = 100 };

static char uri[2 * STRICT_LENGTH];

/* Writes a name of this many octets: labels of the given length, and a shorter last one if
 * needed. */
static void put_name(char *at, size_t octets, size_t label)
{
	memset(at, 'a', octets);
	at[octets] = '\0';
	for (size_t k = label; k + 1 < octets; k += label + 1)
		at[k] = '.';
}

/* Returns true if the policy has the finding, on the fast path and the slow path alike. */
static bool finds(enum urivet_id id, const struct urivet_policy *policy)
{
	struct urivet_report r;
	const size_t length = strlen(uri);
	bool found;
	judge(&r, uri, length, policy);
	found = finding_in(&r, id) != NULL;
	cr_expect(r.verdict == (found ? URIVET_REJECT : URIVET_ACCEPT), "%s: %s", uri, ids_of(&r));
	return found;
}

static void expect_at(enum urivet_id id, const struct urivet_policy *policy, bool found,
		      size_t limit)
{
	cr_expect(finds(id, policy) == found, "%s at %zu: %zu octets",
		  urivet_finding_info(id)->name, limit, strlen(uri));
}

/* Returns the built-in policy, unchanged or with one limit changed. */
static struct urivet_policy policy_of(unsigned k)
{
	struct urivet_policy policy;
	cr_assert(urivet_policy_init(&policy, sizeof policy, (int)(k % URIVET_BASES)));
	return policy;
}

Test(borders, labels_and_names)
{
	for (unsigned k = 0; k < 9; k++) {
		struct urivet_policy p = policy_of(k), q = p;
		if (k >= 3) {
			p.max_label = k < 6 ? PLAIN_LABEL - 1 : 5;
			q.max_host = k < 6 ? PLAIN_NAME - 1 : 20;
		}
		for (unsigned more = 0; more < 2; more++)
			for (unsigned longer = 0; longer < 2; longer++) {
				char name[512];
				put_name(name, p.max_label + more, 255);
				snprintf(uri, sizeof uri, "http://%s.org/%s", name,
					 longer ? "%20" : "");
				expect_at(URIVET_F_HOST_LABEL_TOO_LONG, &p, more > 0, p.max_label);
				put_name(name, q.max_host + more, 7);
				snprintf(uri, sizeof uri, "http://%s/%s", name,
					 longer ? "%20" : "");
				expect_at(URIVET_F_HOST_TOO_LONG, &q, more > 0, q.max_host);
			}
	}
}

Test(borders, lengths)
{
	static const size_t lengths[] = {STRICT_LENGTH, STRICT_LENGTH - 1, 20, 63, 64, 65};
	for (unsigned k = 0; k < 18; k++)
		for (size_t more = 0; more < 2; more++) {
			struct urivet_policy p = policy_of(k);
			const size_t begun = (size_t)sprintf(uri, "http://h.org/");
			if (k >= 3)
				p.max_length = lengths[k / 3];
			cr_assert(p.max_length == lengths[k / 3], "%s is limited to %u",
				  urivet_policy_name(k % URIVET_BASES), p.max_length);
			memset(uri + begun, 'a', p.max_length + more - begun);
			uri[p.max_length + more] = '\0';
			expect_at(URIVET_F_URL_TOO_LONG, &p, more > 0, p.max_length);
		}
}

/* The fast refusal looks at a limited number of octets of the authority: around that limit
 * strict gives the same answer. */
Test(borders, authorities)
{
	for (size_t length = MAX_AUTHORITY - 20; length < MAX_AUTHORITY + 20; length++)
		for (unsigned kind = 0; kind < 4; kind++) {
			struct urivet_report r;
			const size_t name = length - (kind == 1 ? 3 : kind == 2 ? 2 : 0);
			put_name(uri + sprintf(uri, "http://%s", kind == 2 ? "u@" : ""), name, 9);
			strcat(uri, kind == 1 ? ":80" : "");
			strcat(uri, kind == 3 ? "/%20" : "/");
			judge(&r, uri, strlen(uri), NULL);
			cr_expect(r.verdict == (kind != 2 && name <= PLAIN_NAME ? URIVET_ACCEPT
										: URIVET_REJECT),
				  "%s: %s", uri, ids_of(&r));
		}
}

/* RFC 3986, 3.3: a path of n slashes has n segments, and one more before the first slash. A note. */
Test(borders, segments)
{
	static const struct {
		const char *pattern;
		bool many;
	} paths[] = {{"http://h{/a*256}", false},    {"http://h{/a*257}", true},
		     {"http://h{/a*256}%20", false}, {"http://h{/a*257}%20", true},
		     {"http://h{/*256}", false},     {"http://h{/*257}", true},
		     {"http://h/%25{a%2F*300}", false}, {"http://h{/a*255}/", false},
		     {"http://h{/a*256}/", true},     {"a{/a*255}", false}, {"a{/a*256}", true}};
	for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
		struct urivet_report r;
		judge_pattern(&r, paths[k].pattern, NULL);
		cr_expect((finding_in(&r, URIVET_F_TOO_MANY_SEGMENTS) != NULL) == paths[k].many,
			  "%s: %s", paths[k].pattern, ids_of(&r));
	}
	for (unsigned k = 0; k < 32; k++) { /* wherever in words of eight octets they begin and end */
		struct urivet_report r;
		snprintf(uri, sizeof uri, "http://h/%.*s{/%s*%u}", (int)k / 4, "0000000",
			 k % 4 < 2 ? "0" : "", 255 + k % 2);
		judge_pattern(&r, uri, NULL);
		cr_expect((finding_in(&r, URIVET_F_TOO_MANY_SEGMENTS) != NULL) == (k % 2 == 1), "%s", uri);
	}
}

/* RFC 3629, 3: an octet right after a character is no letter of Latin 1, wherever a window of octets ends. */
Test(borders, characters)
{
	for (unsigned k = 0; k < 130; k++) {
		struct urivet_report r;
		snprintf(uri, sizeof uri, "http://h/{a*%u}%%C3%%A9%%E9", k);
		judge_pattern(&r, uri, NULL);
		cr_expect(finding_in(&r, URIVET_F_INVALID_UTF8_ESCAPE) != NULL && finding_in(&r, URIVET_F_LATIN1_ESCAPE) == NULL, "%s", uri);
	}
}

/* Only a limited number of keys is checked. */
Test(borders, keys)
{
	for (unsigned keys = MAX_KEYS - 2; keys < MAX_KEYS + 3; keys++) {
		struct urivet_report r;
		size_t length = (size_t)sprintf(uri, "http://h.org/?");
		for (unsigned k = 1; k <= keys; k++)
			length += (size_t)sprintf(uri + length, "k%u&", k);
		sprintf(uri + length, "k%u", keys);
		judge(&r, uri, strlen(uri), NULL);
		cr_expect((finding_in(&r, URIVET_F_QUERY_DUPLICATE_KEY) != NULL) ==
			      (keys < MAX_KEYS),
			  "%u keys: %s", keys, ids_of(&r));
	}
}

/* A value of this many octets of encoded data. */
Test(borders, values)
{
	struct urivet_policy p = policy_of(0);
	cr_assert(urivet_policy_raise(&p, URIVET_F_QUERY_EXFILTRATION));
	for (size_t octets = LONG_VALUE - 1; octets < LONG_VALUE + 2; octets++) {
		struct urivet_report r;
		const size_t begun = (size_t)sprintf(uri, "https://h.org/?d=");
		for (size_t k = 0; k < octets; k++)
			uri[begun + k] = "Aa0"[k % 3];
		uri[begun + octets] = '\0';
		judge(&r, uri, begun + octets, &p);
		cr_expect((finding_in(&r, URIVET_F_QUERY_EXFILTRATION) != NULL) ==
			      (octets >= LONG_VALUE),
			  "%zu octets: %s", octets, ids_of(&r));
	}
}

/* Structures of newer programs may be larger, up to a limit. */
Test(borders, structures)
{
	static union {
		struct urivet_report report;
		char octets[MAX_STRUCTURE + 1];
	} room;
	for (size_t size = MAX_STRUCTURE - 1; size < MAX_STRUCTURE + 2; size++)
		cr_expect((urivet_check_sized(&room.report, size, LITERAL("http://h.org/"), NULL) ==
			   URIVET_ACCEPT) == (size <= MAX_STRUCTURE),
			  "%zu octets", size);
}
