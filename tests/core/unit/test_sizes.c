/* SPDX-License-Identifier: Apache-2.0 */
/* Tests structures whose size the program passes: too small, too large, invalid; and unusable
 * policies. Expectations follow the conventions of urivet.h. */
#include "support.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <urivet/reference.h>
#include <urivet/scan.h>
#include <urivet/spelling.h>

#include "text/sized.h"
#include "uri/uri.h"

TestSuite(sizes, .timeout = 30);

#define NEWER 64 /* additional octets of a later version's structure */

static const char uri[] = "http://www.example.com/a";

static bool is_all(const void *data, size_t from, size_t to, unsigned char octet)
{
	const unsigned char *at = data;
	while (from < to && at[from] == octet)
		from++;
	return from >= to;
}

/* Checks that an unusable policy gives its single finding. */
static void expect_invalid(const struct urivet_policy *policy, const char *what)
{
	static const char *const inputs[] = {uri, "", "http://u@h/", "http://10.0.0.1/"};
	struct urivet_report r;
	cr_expect(!is_valid(policy), "%s", what);
	for (unsigned k = 0; k < 4; k++) {
		memset(&r, 0xff, sizeof r);
		cr_expect(urivet_check(&r, inputs[k], strlen(inputs[k]), policy) == URIVET_REJECT);
		cr_expect(r.verdict == URIVET_REJECT && !r.parsed && r.count == 1 &&
			      r.finding[0].id == URIVET_F_POLICY_INVALID && r.uri.present == 0 &&
			      r.finding[0].span.offset == 0 && r.finding[0].span.length == 0,
			  "%s: %s", what, ids_of(&r));
	}
	cr_expect(check_target(&r, TEXT("/"), TEXT("h"), policy, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL, "%s", what);
	const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = 0x08080808};
	cr_expect(urivet_check_peer(&r, (const struct sockaddr *)&in, sizeof in, policy) ==
		  URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL, "%s", what);
	/* adding a finding with such a policy turns the acceptance by strict into a refusal */
	char out[64];
	urivet_check(&r, LITERAL(uri), NULL);
	cr_expect(urivet_add_finding(&r, URIVET_F_FRAGMENT_PRESENT, URIVET_PATH,
				     (struct urivet_span){0, 0}, policy) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL, "%s", what);
	cr_expect(urivet_reason(&r, policy) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(urivet_suggest(out, sizeof out, LITERAL(uri), policy) == 0);
}

/* Sizes of no version: no octet beyond is read or written. */
Test(sizes, policies_of_any_size)
{
	for (size_t size = 0; size < sizeof(struct urivet_policy); size++) {
		unsigned char *room = malloc(size + 1); /* exact size, for ASan */
		memset(room, 0x5a, size + 1);
		cr_expect(!urivet_policy_init((struct urivet_policy *)room, size, URIVET_STRICT));
		cr_expect(is_all(room, 0, size, 0) && room[size] == 0x5a, "%zu", size);
		free(room);
		struct urivet_policy p = built_in(URIVET_ANY);
		p.size = size;
		expect_invalid(&p, "a smaller size");
		cr_expect(!urivet_policy_waive(&p, URIVET_F_DOT_SEGMENT));
		cr_expect(!urivet_policy_raise(&p, URIVET_F_SCHEME_PLAINTEXT));
	}
	struct urivet_policy p = built_in(URIVET_ANY);
	p.size = SIZE_MAX;
	expect_invalid(&p, "the largest size");
	cr_expect(!urivet_policy_finish(&p, NULL, 0) && p.seal == 0);
	p = (struct urivet_policy){0};
	expect_invalid(&p, "zeroed");
	cr_expect(!urivet_policy_init(NULL, sizeof p, URIVET_STRICT));
	cr_expect(!urivet_policy_init(NULL, SIZE_MAX, URIVET_STRICT));
	static const size_t sizes[] = {65537, UINT32_MAX, SIZE_MAX};
	for (unsigned k = 0; k < 3; k++) { /* an earlier policy becomes invalid, and is zeroed */
		p = built_in(URIVET_ANY);
		cr_expect(!urivet_policy_init(&p, sizes[k], URIVET_STRICT));
		cr_expect(is_all(&p, 0, sizeof p, 0));
		expect_invalid(&p, "begun with a size that no version has");
	}
}

/* A program built with a later version may use unknown settings: it is refused, and no octet
 * beyond the known members is read. */
Test(sizes, newer_policies)
{
	for (size_t more = 1; more <= NEWER; more++) {
		const size_t size = sizeof(struct urivet_policy) + more;
		unsigned char *room = malloc(size + 1);
		struct urivet_policy *p = (struct urivet_policy *)(void *)room;
		memset(room, 0x5a, size + 1);
		cr_expect(!urivet_policy_init(p, size, URIVET_PUBLIC));
		cr_expect(is_all(room, 0, size, 0) && room[size] == 0x5a);
		free(room);
		room = malloc(sizeof *p); /* for ASan */
		p = (struct urivet_policy *)(void *)room;
		*p = built_in(URIVET_ANY);
		p->size = size;
		expect_invalid(p, "a larger size");
		cr_expect(!urivet_policy_waive(p, URIVET_F_DOT_SEGMENT));
		cr_expect(!urivet_policy_raise(p, URIVET_F_SCHEME_PLAINTEXT));
		free(room);
	}
}

Test(sizes, bases)
{
	struct urivet_policy p;
	static const int none[] = {-1, URIVET_BASES, 1000, -1000};
	for (unsigned k = 0; k < 4; k++) {
		memset(&p, 0x5a, sizeof p);
		cr_expect(!urivet_policy_init(&p, sizeof p, none[k]));
		cr_expect(is_all(&p, 0, sizeof p, 0));
		expect_invalid(&p, "no base");
	}
	for (int base = 0; base < URIVET_BASES; base++) {
		cr_expect(urivet_policy_init(&p, sizeof p, base) && is_valid(&p));
		cr_expect_str_eq(p.name, urivet_policy_name((unsigned)base));
		cr_expect(p.size == sizeof p);
	}
}

/* Waivers and raised findings that the two functions would not have produced. */
Test(sizes, sets_that_contradict_themselves)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		struct urivet_policy p = built_in(URIVET_STRICT), q = p;
		const uint64_t bit = UINT64_C(1) << id % 64;
		const bool can = urivet_policy_waive(&q, id);
		p.waived.bits[id / 64] |= bit;
		cr_expect(is_valid(&p) == can, "%u", id);
		if (!is_valid(&p) && id % 16 == 0)
			expect_invalid(&p, "waived though it must not be");
		p.raised.bits[id / 64] |= bit;
		cr_expect(!is_valid(&p), "%u is waived and raised", id);
		p.waived.bits[id / 64] = 0;
		/* this one needs a table */
		cr_expect(is_valid(&p) == (id != URIVET_F_HOST_PUBLIC_SUFFIX), "%u", id);
	}
}

Test(sizes, lists_without_rules)
{
	for (unsigned k = 0; k < 8; k++) {
		struct urivet_policy p = built_in(URIVET_PUBLIC);
		p.suffix_count = k == 7;
		p.parameter_count = k == 6;
		p.path_count = k == 5;
		p.url_count = k == 4;
		p.hosts.count = k == 0;
		p.addresses.count = k == 1;
		p.port_count = k == 2;
		p.nat64_count = k == 3;
		cr_expect(!urivet_policy_finish(&p, NULL, 0) && p.seal == 0);
		expect_invalid(&p, "a count and no rules");
	}
}

/* Returns true if nothing was written beyond the report of this version, and what follows it is
 * zero. `size`: of the report, followed by one octet. */
static bool is_fitted(const unsigned char *room, size_t size)
{
	const size_t least = URIVET_REPORT_OCTETS, known = sizeof(struct urivet_report);
	if (size < least)
		return is_all(room, 0, size, 0) && room[size] == 0x5a;
	return is_all(room, least, size < known ? size : known, 0x5a) && is_all(room, known, size, 0) &&
	       room[size] == 0x5a && ((const struct urivet_report *)(const void *)room)->size == size;
}

/* Reports of any size: without all their members, without their room, and of a later version. */
Test(sizes, reports_of_any_size)
{
	const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = 0x08080808};
	char out[64];
	for (size_t size = 0; size < sizeof(struct urivet_report) + NEWER; size++) {
		if (size == URIVET_REPORT_OCTETS + NEWER)
			size = sizeof(struct urivet_report) - NEWER;
		unsigned char *room = malloc(size + 1);
		struct urivet_report *r = (struct urivet_report *)(void *)room;
		const enum urivet_verdict verdict =
		    size >= URIVET_REPORT_OCTETS ? URIVET_ACCEPT : URIVET_REJECT;
		memset(room, 0x5a, size + 1);
		cr_expect(urivet_check_sized(r, size, LITERAL(uri), NULL) == verdict);
		cr_expect(is_fitted(room, size), "%zu", size);
		memset(room, 0x5a, size + 1);
		cr_expect(check_target_sized(r, size, TEXT("/"), TEXT("h"), NULL, NULL) == verdict);
		cr_expect(is_fitted(room, size), "%zu", size);
		memset(room, 0x5a, size + 1);
		cr_expect(urivet_check_peer_sized(r, size, (const struct sockaddr *)&in, sizeof in, NULL) ==
			  verdict);
		cr_expect(is_fitted(room, size), "%zu", size);
		memset(room, 0x5a, size + 1);
		cr_expect(urivet_check_address_sized(r, size, (const uint8_t *)"\10\10\10\10", 4, 80, NULL) == verdict);
		cr_expect(is_fitted(room, size), "%zu", size);
		memset(room, 0x5a, size + 1);
		cr_expect(urivet_check_reference_sized(r, size, out, sizeof out, TEXT("http://h/"),
						       TEXT("?y"), 0, NULL) == verdict);
		cr_expect(is_fitted(room, size), "%zu", size);
		free(room);
	}
	struct urivet_report r;
	enum urivet_target_form form = URIVET_TARGET_ORIGIN;
	const size_t none[] = {0, 1, SIZE_MAX, SIZE_MAX / 2 + 1};
	memset(&r, 0x5a, sizeof r);
	for (unsigned k = 0; k < 4; k++) {
		struct urivet_report *given = k == 1 ? NULL : &r;
		const size_t size = k == 1 ? sizeof r : none[k];
		cr_expect(urivet_check_sized(given, size, LITERAL(uri), NULL) == URIVET_REJECT);
		cr_expect(check_target_sized(given, size, TEXT("/"), TEXT("h"), NULL, &form) ==
			  URIVET_REJECT);
		cr_expect(form == URIVET_TARGET_NONE);
		cr_expect(urivet_check_peer_sized(given, size, (const struct sockaddr *)&in,
						  sizeof in, NULL) == URIVET_REJECT);
		cr_expect(urivet_check_reference_sized(given, size, out, sizeof out, TEXT("http://h/"),
						       TEXT("?y"), 0, NULL) == URIVET_REJECT);
		cr_expect(is_all(&r, 0, sizeof r, 0x5a));
	}
}

/* A report that was never filled, and one that is reused. */
Test(sizes, reports_never_filled)
{
	struct urivet_report r = {0};
	char buffer[2 * URIVET_READING_CAPACITY(64)];
	const struct urivet_span none = {0, 0};
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, none, NULL) ==
		  URIVET_REJECT);
	cr_expect(urivet_add_finding(NULL, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, none, NULL) ==
		  URIVET_REJECT);
	cr_expect(!urivet_readers_disagree(TEXT("http://a\\@b/"), buffer, sizeof buffer, NULL, &r, NULL));
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(urivet_reason(NULL, NULL) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(is_all(&r, 0, sizeof r, 0));
	r.verdict = URIVET_ACCEPT; /* as set by a program that forgot the call */
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, none, NULL) ==
		  URIVET_REJECT);
	for (unsigned k = 0; k < 3; k++) { /* reused: nothing of the previous result is left */
		cr_expect(urivet_check(&r, LITERAL(uri), NULL) == URIVET_ACCEPT && r.count == 0);
		cr_expect(urivet_check(&r, LITERAL("http://u@h/"), NULL) == URIVET_REJECT);
	}
}

/* An invalid size of a report, or more findings than it holds: no finding is read. */
Test(sizes, reports_of_chance)
{
	static const struct {
		uint32_t size, count;
	} rows[] = {
	    {0, 0}, {1, 0}, {URIVET_REPORT_OCTETS - 1, 0},  {UINT32_MAX, 0}, {65537, 0},
	    {sizeof(struct urivet_report), URIVET_MAX_FINDINGS + 1}, {0x5a5a5a5a, 0x5a5a5a5a},
	};
	/* readers disagree about the first, and agree about the second */
	static const char *const inputs[] = {"http://a\\@b/", uri};
	const struct urivet_span none = {0, 0};
	char buffer[2 * URIVET_READING_CAPACITY(64)];
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report *r = malloc(sizeof *r), before; /* exact size, for ASan */
		cr_assert(r != NULL);
		memset(r, 0, sizeof *r);
		urivet_check(r, LITERAL(uri), NULL);
		r->size = rows[k].size;
		r->count = rows[k].count;
		memcpy(&before, r, sizeof before);
		for (unsigned n = 0; n < 2; n++)
			cr_expect(!urivet_readers_disagree(text_of_string(inputs[n]), buffer,
							   sizeof buffer, NULL, r, NULL),
				  "%u: %s", k, inputs[n]);
		cr_expect(urivet_add_finding(r, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, none, NULL) ==
			  URIVET_REJECT);
		cr_expect(urivet_add_finding(r, URIVET_F_NONE, URIVET_PATH, none, NULL) == URIVET_REJECT);
		cr_expect(urivet_reason(r, NULL) == URIVET_REASON_NOT_ALLOWED, "%u", k);
		cr_expect(memcmp(r, &before, sizeof before) == 0, "%u", k);
		free(r);
	}
}

Test(sizes, readings_of_any_size)
{
	for (size_t size = 0; size < sizeof(struct urivet_reading) + NEWER; size++) {
		unsigned char *room = malloc(size + 1);
		struct urivet_reading *reading = (struct urivet_reading *)(void *)room;
		const bool enough = size >= sizeof *reading;
		memset(room, 0x5a, size + 1);
		cr_expect(urivet_read_as_sized(reading, size, URIVET_READER_RFC3986, LITERAL(uri), NULL,
					       0) == enough);
		cr_expect(room[size] == 0x5a && is_all(room, enough ? sizeof *reading : 0, size, 0));
		cr_expect(!enough || reading->size == size);
		free(room);
	}
	cr_expect(!urivet_read_as_sized(NULL, 400, URIVET_READER_RFC3986, LITERAL(uri), NULL, 0));
}

/* text/sized.h: what is shorter than the least size is zeroed, and what is after the known one. */
Test(sizes, from_the_least_on)
{
	for (size_t size = 0; size <= 24; size++) {
		const size_t kept = size < 8 ? 0 : size < 16 ? size : 16;
		uint8_t room[32];
		memset(room, 0x5a, sizeof room);
		cr_expect(urivet_fit(room, size, 8, 16) == (size >= 8), "%zu", size);
		cr_expect(is_all(room, 0, kept, 0x5a) && is_all(room, kept, size, 0) && room[size] == 0x5a, "%zu", size);
	}
}

/* text/sized.h: no structure is larger than 65536 octets, in any version. */
Test(sizes, the_largest_structure)
{
	const size_t largest = 65536;
	unsigned char *room = malloc(largest + 1);
	struct urivet_policy *p = (struct urivet_policy *)(void *)room;
	struct urivet_report *r = (struct urivet_report *)(void *)room;
	const struct urivet_span none = {0, 0};
	cr_assert(room != NULL);
	memset(room, 0x5a, largest + 1);
	cr_expect(!urivet_policy_init(p, largest, URIVET_STRICT)); /* of a later version: zeroed */
	cr_expect(is_all(room, 0, largest, 0) && room[largest] == 0x5a);
	memset(room, 0x5a, largest + 1);
	cr_expect(!urivet_policy_init(p, largest + 1, URIVET_STRICT)); /* of no version: only the known members are set */
	cr_expect(is_all(room, 0, sizeof *p, 0) && is_all(room, sizeof *p, largest + 1, 0x5a));
	memset(room, 0x5a, largest + 1);
	cr_expect(urivet_check_sized(r, largest, LITERAL(uri), NULL) == URIVET_ACCEPT);
	cr_expect(r->size == largest && is_all(room, sizeof *r, largest, 0));
	cr_expect(urivet_reason(r, NULL) == URIVET_REASON_ACCEPTED);
	cr_expect(urivet_add_finding(r, URIVET_F_PATH_EMPTY, URIVET_PATH, none, NULL) == URIVET_ACCEPT);
	cr_expect(r->count == 1);
	cr_expect(urivet_check_sized(r, largest + 1, LITERAL("http://u@h/"), NULL) == URIVET_REJECT);
	cr_expect(r->verdict == URIVET_ACCEPT && r->count == 1); /* is left unchanged */
	free(room);
	/* nor is a capacity larger than a size: the greatest one that is exact, and the next */
	cr_expect(urivet_size_of(URIVET_CAPACITY_IRI, SIZE_MAX / 8 - 2) == SIZE_MAX - 7 && urivet_size_of(URIVET_CAPACITY_IRI, SIZE_MAX / 8 - 1) == SIZE_MAX);
}

/* As many findings as a report holds, and more, which still count. */
Test(sizes, full_reports)
{
	const struct urivet_span none = {0, 0};
	struct urivet_policy all = built_in(URIVET_STRICT);
	struct urivet_report r;
	unsigned added = 0;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		(void)urivet_policy_waive(&all, id);
	urivet_check(&r, LITERAL(uri), NULL);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT && added < URIVET_MAX_FINDINGS; id++)
		if (urivet_finding_info(id) != NULL && all.waived.bits[id / 64] >> id % 64 & 1) {
			added++;
			cr_expect(urivet_add_finding(&r, id, URIVET_PATH, none, &all) == URIVET_ACCEPT);
			cr_expect(r.count == added && r.dropped == 0);
		}
	cr_assert(added == URIVET_MAX_FINDINGS);
	cr_expect(urivet_reason(&r, &all) == URIVET_REASON_ACCEPTED);
	cr_expect(urivet_add_finding(&r, URIVET_F_URL_TOO_LONG, URIVET_PATH, none, &all) == URIVET_REJECT);
	cr_expect(r.count == URIVET_MAX_FINDINGS && r.dropped == 1);
	/* counts stop at the largest number */
	r.dropped = r.finding[0].count = UINT32_MAX - 1;
	for (unsigned k = 0; k < 3; k++) {
		urivet_add_finding(&r, r.finding[0].id, URIVET_PATH, (struct urivet_span){9, 0}, &all);
		urivet_add_finding(&r, URIVET_F_URL_TOO_LONG, URIVET_PATH, none, &all);
		cr_expect(r.dropped == UINT32_MAX && r.finding[0].count == UINT32_MAX);
	}
}

/* The sets of an unusable policy are ignored. */
Test(sizes, findings_added_by_an_unsound_policy)
{
	const struct urivet_span where = {7, 3};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	const struct urivet_finding *f;
	p.size = 0;
	memset(&p.waived, 0xff, sizeof p.waived);
	urivet_check(&r, LITERAL(uri), NULL);
	cr_expect(urivet_reason(&r, &p) == URIVET_REASON_NOT_ALLOWED);
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_EMPTY, URIVET_PATH, where, &p) == URIVET_REJECT);
	f = finding_in(&r, URIVET_F_POLICY_INVALID);
	cr_assert(f != NULL);
	cr_expect(f->component == URIVET_WHOLE && f->span.offset == 0 && f->span.length == 0);
	f = finding_in(&r, URIVET_F_PATH_EMPTY);
	cr_expect(f != NULL && f->component == URIVET_PATH && f->span.offset == 7);
}

/* Returns true if the rest of the array of findings is unchanged, as urivet.h promises. */
static bool is_rest_kept(const struct urivet_report *r)
{
	const size_t from = (size_t)((const char *)&r->finding[r->count] - (const char *)r);
	return r->count < URIVET_MAX_FINDINGS && is_all(r, from, offsetof(struct urivet_report, url_rule), 0x5a) &&
	       r->url_rule == NULL;
}

Test(sizes, findings_that_are_not_there_are_not_written)
{
	static const char *const inputs[] = {uri, "https://a.b", "http://u@h/", "", "http://10.0.0.1/%"};
	const struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = 0x08080808};
	struct urivet_report r;
	char out[64];
	for (unsigned k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
		const struct urivet_text t = text_of_string(inputs[k]);
		memset(&r, 0x5a, sizeof r);
		urivet_check(&r, t.data, t.length, NULL);
		cr_expect(is_rest_kept(&r), "%s", inputs[k]);
		memset(&r, 0x5a, sizeof r);
		check_target(&r, t, TEXT("h"), NULL, NULL);
		cr_expect(is_rest_kept(&r), "%s", inputs[k]);
		memset(&r, 0x5a, sizeof r);
		urivet_check_reference(&r, out, sizeof out, TEXT("http://h/"), t, 0, NULL);
		cr_expect(is_rest_kept(&r), "%s", inputs[k]);
	}
	memset(&r, 0x5a, sizeof r);
	urivet_check_peer(&r, (const struct sockaddr *)&in, sizeof in, NULL);
	cr_expect(is_rest_kept(&r));
	cr_expect(r.uri.present == 0 && is_all(r.uri.part, 0, sizeof r.uri.part, 0)); /* no components */
	cr_expect(r.uri.scheme == URIVET_SCHEME_NONE && r.uri.authority_in == URIVET_IN_INPUT);
	memset(&r, 0x5a, sizeof r);
	urivet_check_peer(&r, NULL, 0, NULL);
	cr_expect(r.count == 1 && is_rest_kept(&r));
}

Test(sizes, no_policy_to_change)
{
	cr_expect(!urivet_policy_waive(NULL, URIVET_F_DOT_SEGMENT));
	cr_expect(!urivet_policy_raise(NULL, URIVET_F_DOT_SEGMENT));
	cr_expect(!urivet_policy_finish(NULL, NULL, 0));
}

/* Lengths above all limits: no octet is read. */
Test(sizes, readings_of_any_length)
{
	static const unsigned numbers[] = {URIVET_READERS, URIVET_READERS + 1, 255, 1u << 30};
	struct urivet_reading reading;
	char out[64];
	for (unsigned reader = 0; reader < URIVET_READERS; reader++) {
		memset(&reading, 0x5a, sizeof reading);
		cr_expect(!urivet_read_as(&reading, reader, uri, (size_t)URIVET_MAX_LENGTH + 1, out,
					  SIZE_MAX), "%u", reader);
		cr_expect(!reading.reads && reading.size == sizeof reading && reading.written == 0);
		cr_expect(!urivet_read_as(&reading, reader, uri, SIZE_MAX, out, SIZE_MAX), "%u", reader);
	}
	/* these readers may write more than they read: 9 octets for each, plus 64 */
	cr_expect(!urivet_read_as(&reading, URIVET_READER_BROWSER, uri, UINT32_MAX / 16 + 1, out, SIZE_MAX));
	cr_expect(!urivet_read_as(&reading, URIVET_READER_RESOLVER, uri, UINT32_MAX / 16 + 1, out, SIZE_MAX));
	for (unsigned k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
		memset(&reading, 0x5a, sizeof reading);
		cr_expect(!urivet_read_as(&reading, numbers[k], LITERAL(uri), out, sizeof out));
		cr_expect(!reading.reads && reading.uri.present == 0, "%u", numbers[k]);
	}
}

/* A text without data has no octets, whatever its length. */
Test(sizes, no_data)
{
	const struct urivet_text none = {NULL, 5000}, base = TEXT("http://h/a?b");
	char out[512], buffer[2 * URIVET_READING_CAPACITY(16)];
	struct urivet_policy any = built_in(URIVET_ANY);
	struct urivet_reading reading;
	struct urivet_report r;
	struct urivet_uri uri_;
	struct urivet_found found;
	struct urivet_scan scan = {.data = NULL, .length = 5000};
	enum urivet_resolved how;
	bool readable;
	size_t misfit = 7;
	static const size_t lengths[] = {0, 1, 16, 20, 63, 64, 99, 5000, 8192, 8193, SIZE_MAX};
	for (size_t k = 0; k < 2 * sizeof lengths / sizeof lengths[0]; k++) {
		cr_expect(!urivet_ok(NULL, lengths[k / 2]));
		cr_expect(urivet_check(&r, NULL, lengths[k / 2], k % 2 ? &any : NULL) == URIVET_REJECT);
		cr_expect(r.parsed && finding_in(&r, URIVET_F_NOT_ABSOLUTE) && r.uri.part[URIVET_WHOLE].length == 0);
	}
	cr_expect(urivet_parse(&uri_, NULL, 5000, &misfit) && misfit == 0);
	cr_expect(uri_.part[URIVET_WHOLE].length == 0 && uri_.port == URIVET_NO_PORT && uri_.host_kind == URIVET_HOST_NONE);
	cr_expect(check_target(&r, none, TEXT("h"), NULL, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_TARGET_MALFORMED) != NULL);
	cr_expect(check_target(&r, TEXT("/"), none, NULL, NULL) == URIVET_ACCEPT);
	for (unsigned reader = 0; reader < URIVET_READERS; reader++)
		(void)urivet_read_as(&reading, reader, NULL, 3, buffer, sizeof buffer);
	cr_expect(urivet_read_as(&reading, URIVET_READER_RFC3986, NULL, 5000, NULL, 0));
	cr_expect(urivet_suggest(out, sizeof out, NULL, 5000, NULL) == 0);
	cr_expect(urivet_resolve(out, sizeof out, URIVET_READER_RFC3986, base, none, false, &how) ==
		  base.length);
	cr_expect_str_eq(out, "http://h/a?b");
	cr_expect(urivet_resolve(out, sizeof out, URIVET_READER_RFC3986, none, base, false, &how) ==
		  base.length);
	cr_expect(urivet_check_reference(&r, out, sizeof out, none, none, 0, NULL) == URIVET_REJECT);
	cr_expect(urivet_normalise(out, sizeof out, NULL, 5000, URIVET_LEVEL_SCHEME,
				   URIVET_READER_RFC3986, &readable) == 0 &&
		  readable);
	cr_expect(urivet_compare(none, base, true, NULL, 0) == URIVET_DIFFERENT);
	cr_expect(urivet_compare(none, urivet_text_of("", 0), false, NULL, 0) == URIVET_IDENTICAL);
	cr_expect(!urivet_scan_next(&scan, SIZE_MAX, &found, out, sizeof out, &misfit));
}

/* ---- Spans and their texts ------------------------------------------------------- */

static bool is_text(struct urivet_text t, const char *want)
{
	if (want == NULL || t.data == NULL)
		return want == NULL && t.data == NULL && t.length == 0;
	return t.length == strlen(want) && memcmp(t.data, want, t.length) == 0;
}

Test(sizes, parts_lie_in_their_text)
{
	static const char target[] = "/a?b", host[] = "example.com:80";
	const struct urivet_text none = {NULL, 0}, t = TEXT(target), h = TEXT(host);
	struct urivet_report r;
	check_target(&r, t, h, NULL, NULL);
	cr_expect(r.uri.authority_in == URIVET_IN_HOST_FIELD);
	cr_expect(is_text(urivet_part(&r.uri, URIVET_AUTHORITY, t, h), "example.com:80"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_HOST, t, h), "example.com"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_PORT, t, h), "80"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_USERINFO, t, h), NULL));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_SCHEME, t, h), NULL));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_PATH, t, h), "/a"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_QUERY, t, h), "b"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_WHOLE, t, h), "/a?b"));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_COMPONENTS, t, h), NULL));
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
		cr_expect(urivet_source_of(&r.uri, c) == (c >= URIVET_AUTHORITY && c <= URIVET_PORT ? URIVET_IN_HOST_FIELD : URIVET_IN_INPUT));
	/* a text other than the judged one: nothing beyond it is returned */
	cr_expect(is_text(urivet_part(&r.uri, URIVET_HOST, t, none), NULL));
	/* a text without data has no octets, whatever its length */
	cr_expect(is_text(urivet_part(&r.uri, URIVET_HOST, t, urivet_text_of(NULL, 100)), NULL));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_PATH, urivet_text_of(NULL, 100), h), NULL));
	cr_expect(is_text(urivet_fault(&(struct urivet_finding){.span = {0, 1}}, urivet_text_of(NULL, 100), h),
			  NULL));
	cr_expect(is_text(urivet_fault(&(struct urivet_finding){.span = {0, 0}}, urivet_text_of(NULL, 100), h),
			  ""));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_HOST, h, TEXT("short")), NULL));
	cr_expect(is_text(urivet_part(&r.uri, URIVET_QUERY, TEXT("/a?"), h), NULL));
	/* an empty input is a text too: its path is present and empty */
	struct urivet_uri uri_;
	cr_expect(urivet_parse(&uri_, NULL, 0, NULL));
	cr_expect(is_text(urivet_part(&uri_, URIVET_PATH, none, none), ""));
	cr_expect(is_text(urivet_part(&uri_, URIVET_QUERY, none, none), NULL));
}

/* A former bug: a target in none of the forms beside a Host field. */
Test(sizes, spans_of_a_malformed_target)
{
	static const char *const targets[] = {"x", "", "x/y", "*x", "a?b", "#", "x y", "\xff"};
	static char host[200];
	memset(host, 'a', sizeof host);
	for (size_t k = 0; k < sizeof host; k += 2)
		host[k + 1] = '.';
	host[198] = 'b';
	for (unsigned k = 0; k < sizeof targets / sizeof targets[0]; k++) {
		const struct urivet_text t = text_of_string(targets[k]),
					 h = urivet_text_of(host, 199);
		struct urivet_report r;
		cr_expect(check_target(&r, t, h, NULL, NULL) == URIVET_REJECT);
		cr_expect(r.uri.authority_in == URIVET_IN_HOST_FIELD);
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++) {
			const struct urivet_text part = urivet_part(&r.uri, c, t, h);
			const bool in_host = c >= URIVET_AUTHORITY && c <= URIVET_PORT;
			const struct urivet_text source = in_host ? h : t;
			cr_expect((part.data != NULL) == urivet_has(&r.uri, c), "%s: %u", targets[k], c);
			cr_expect(part.data == NULL ||
				  ((const char *)part.data >= (const char *)source.data &&
				   (const char *)part.data + part.length <=
				       (const char *)source.data + source.length));
		}
	}
}

/* Each finding lies in the text that it names, whichever component it is counted for. */
Test(sizes, faults_lie_in_their_text)
{
	static const struct {
		const char *target, *host;
		unsigned id;
		bool in_host;
		const char *fault;
	} rows[] = {
	    {"/x", "a/b<%zz", URIVET_F_FORBIDDEN_CHAR, true, "<"},
	    {"/x", "a/b<%zz", URIVET_F_BAD_ESCAPE, true, "%zz"},
	    {"/x", "a/b<%zz", URIVET_F_TARGET_MALFORMED, true, "/b<%zz"},
	    {"/x", " a", URIVET_F_LEADING_TRAILING_SPACE, true, " "},
	    {"/x%zz", "a", URIVET_F_BAD_ESCAPE, false, "%zz"},
	    {"x", "a", URIVET_F_TARGET_MALFORMED, false, "x"},
	    {"/x", "u@h", URIVET_F_USERINFO_PRESENT, true, "u@"},
	    {"/../x", "u@h", URIVET_F_DOT_SEGMENT, false, ".."},
	    {"http://u@h/", "h", URIVET_F_USERINFO_PRESENT, false, "u@"},
	    {"h:80#f", "h", URIVET_F_FRAGMENT_IN_TARGET, false, "f"},
	    /* in both texts: the finding at the lower offset is shown */
	    {"/<", "aaaaaa/>", URIVET_F_FORBIDDEN_CHAR, false, "<"},
	    {"/aaaaaa<", "a/>", URIVET_F_FORBIDDEN_CHAR, true, ">"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_text t = text_of_string(rows[k].target),
					 h = text_of_string(rows[k].host);
		struct urivet_report r;
		check_target(&r, t, h, NULL, NULL);
		const struct urivet_finding *f = finding_in(&r, rows[k].id);
		cr_assert(f != NULL, "%u: %s", k, ids_of(&r));
		cr_expect(f->in == (rows[k].in_host ? URIVET_IN_HOST_FIELD : URIVET_IN_INPUT), "%u", k);
		cr_expect(is_text(urivet_fault(f, t, h), rows[k].fault), "%u: %u+%u", k,
			  f->span.offset, f->span.length);
	}
	struct urivet_report r; /* the Host field is too long, or both texts */
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.max_length = 8;
	check_target(&r, TEXT("/x"), TEXT("abcdefghijklmnop"), &p, NULL);
	cr_expect(r.count == 1 && r.finding[0].in == URIVET_IN_HOST_FIELD);
	cr_expect(is_text(urivet_fault(&r.finding[0], TEXT("/x"), TEXT("abcdefghijklmnop")),
			  "ijklmnop"));
	check_target(&r, TEXT("/23456789"), TEXT("abcdefghijklmnop"), &p, NULL);
	cr_expect(r.count == 1 && r.finding[0].in == URIVET_IN_INPUT && r.finding[0].span.length == 1);
	/* an unread target has no form */
	enum urivet_target_form form = URIVET_TARGET_ORIGIN;
	check_target(&r, TEXT("/x"), TEXT("abcdefghijklmnop"), &p, &form);
	cr_expect(form == URIVET_TARGET_NONE);
	form = URIVET_TARGET_ORIGIN;
	check_target(&r, TEXT("/23456789"), TEXT("h"), &p, &form);
	cr_expect(form == URIVET_TARGET_NONE);
	/* a finding that a higher layer adds lies in its component */
	check_target(&r, TEXT("/"), TEXT("co.uk"), NULL, NULL);
	urivet_add_finding(&r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, r.uri.part[URIVET_HOST], NULL);
	cr_expect(is_text(urivet_fault(&r.finding[0], TEXT("/"), TEXT("co.uk")), "co.uk"));
	urivet_add_finding(&r, URIVET_F_PATH_DOUBLE_SLASH, 77, (struct urivet_span){UINT32_MAX, 9}, NULL);
	cr_expect(r.finding[1].component == URIVET_WHOLE);
	cr_expect(is_text(urivet_fault(&r.finding[1], TEXT("/"), TEXT("co.uk")), NULL));
	urivet_check(&r, LITERAL(uri), NULL);
	urivet_add_finding(&r, URIVET_F_PATH_DOUBLE_SLASH, URIVET_COMPONENTS, (struct urivet_span){0, 1},
			   NULL);
	cr_expect(r.count == 1 && r.finding[0].component == URIVET_WHOLE);
}

/* A value that is no component has no octets, whatever bits are set. */
Test(sizes, no_such_part)
{
	static char text[2048];
	const struct urivet_text t = urivet_text_of(text, sizeof text);
	struct urivet_report r;
	urivet_check(&r, LITERAL(uri), NULL);
	r.uri.present |= 1u << URIVET_COMPONENTS;
	cr_expect(is_text(urivet_part(&r.uri, URIVET_COMPONENTS, t, t), NULL));
	size_t octets = 9;
	r.parsed = false;
	cr_expect(urivet_component_at(&r, URIVET_HOST, text, sizeof text, &octets) == NULL && octets == 0);
}
