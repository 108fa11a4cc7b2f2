/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on reports after the check, and tests that need whole inputs: added findings,
 * comparison of readers, references judged by their target, names of findings, columns of both
 * widths, and exact length limits.
 */
#include <urivet/reference.h>

#include "../tests/built_in.h"
#include "oracles.h"

#define LONGEST 12000

static bool holds_finding(const struct urivet_report *r, unsigned id)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			return true;
	return false;
}

static uint64_t occurrences(const struct urivet_report *r)
{
	uint64_t sum = r->dropped;
	for (uint32_t k = 0; k < r->count; k++)
		sum += r->finding[k].count;
	return sum;
}

/* ---- Findings added ------------------------------------------------------------------------- */

/* Returns true if adding the finding refuses the input: it is raised, or it is neither a note
 * nor waived. */
static bool refuses_when_added(unsigned id, const struct urivet_policy *policy)
{
	const bool raised = (policy->raised.bits[id / 64] >> id % 64 & 1) != 0;
	const bool waived = (policy->waived.bits[id / 64] >> id % 64 & 1) != 0;
	/* G8 refuses in the fragment only */
	const bool note = urivet_finding_info(id)->class_ == URIVET_NOTE || id == URIVET_F_ESCAPE_MIXED_IRI;
	return raised || (!note && !waived);
}

static void add_one(const uint8_t *data, size_t length, unsigned id,
		    const struct urivet_policy *policy)
{
	const struct urivet_span where = {0, length < 3 ? (uint32_t)length : 3};
	struct urivet_report r, before;
	const bool known = urivet_finding_info(id) != NULL;
	urivet_check(&r, data, length, policy);
	before = r;
	/* only a URI has a path that a finding can lie in */
	const enum urivet_verdict verdict =
	    urivet_add_finding(&r, id, r.parsed ? URIVET_PATH : URIVET_WHOLE, where, policy);
	oracle(verdict == r.verdict, "the new verdict is that of the report");
	oracle(occurrences(&r) == occurrences(&before) + known,
	       "a finding is added once, an unknown one not at all");
	oracle(!known || holds_finding(&r, id) || r.dropped > before.dropped,
	       "a finding that is added is there");
	oracle(!known || id == URIVET_F_POLICY_INVALID ||
		   r.verdict == (refuses_when_added(id, policy) ? URIVET_REJECT : before.verdict),
	       "a finding that is added counts");
	oracle(before.verdict == URIVET_ACCEPT || r.verdict == URIVET_REJECT,
	       "nothing that is added accepts");
	expect_sound(&r, length, policy);
}

/* Returns a policy that waives everything that can be waived. */
static const struct urivet_policy *waiving(void)
{
	static struct urivet_policy policy;
	if (policy.size == 0) {
		policy = built_in(URIVET_ANY);
		for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
			(void)urivet_policy_waive(&policy, id);
	}
	return &policy;
}

/* Returns `strict` with an opaque query. */
static const struct urivet_policy *opaque(void)
{
	static struct urivet_policy policy;
	if (policy.size == 0) {
		policy = built_in(URIVET_STRICT);
		policy.opaque_query = true;
	}
	return &policy;
}

/* Checks that a raised note refuses, and accepts again once it is waived. */
static void raise_one(const uint8_t *data, size_t length, unsigned id)
{
	struct urivet_policy policy = built_in(URIVET_ANY);
	struct urivet_report plain, raised, back;
	const struct urivet_finding_row *row = urivet_finding_info(id);
	if (row == NULL || row->class_ != URIVET_NOTE || !urivet_policy_raise(&policy, id))
		return;
	urivet_check(&plain, data, length, BY_ANY);
	urivet_check(&raised, data, length, &policy);
	oracle(raised.verdict == (holds_finding(&plain, id) ? URIVET_REJECT : plain.verdict) ||
		   plain.dropped > 0,
	       "a note that is raised refuses");
	expect_sound(&raised, length, &policy);
	oracle(urivet_policy_waive(&policy, id), "what was raised can be waived");
	urivet_check(&back, data, length, &policy);
	oracle(back.verdict == plain.verdict || plain.dropped > 0,
	       "a note that is waived refuses no more");
}

/* ---- Readers and references -------------------------------------------------------------------- */

static void expect_disagreement(const uint8_t *data, size_t length)
{
	const size_t room = 2 * URIVET_READING_CAPACITY(length);
	char *buffer = room_for(room);
	enum urivet_reader a[2] = {URIVET_READERS, URIVET_READERS},
			   b[2] = {URIVET_READERS, URIVET_READERS};
	struct urivet_report r, before;
	const struct urivet_text input = urivet_text_of(data, length);
	const bool disagree = urivet_readers_disagree(input, buffer, room, a, NULL, NULL);
	urivet_check(&r, data, length, BY_ANY);
	before = r;
	urivet_readers_disagree(input, buffer, room, b, &r, BY_ANY);
	oracle(length > 8192 || holds_finding(&r, URIVET_F_READERS_DISAGREE) == disagree ||
		   r.dropped > 0,
	       "who disagrees is reported in the report");
	oracle(!disagree || (a[0] != a[1] && memcmp(a, b, sizeof a) == 0), "two readers disagree");
	oracle(!disagree || r.verdict == URIVET_REJECT, "what readers disagree on is refused");
	oracle(disagree || r.verdict == before.verdict, "what they agree on is judged as before");
	free(buffer);
}

static const char base[] = "https://www.example.com/a/b?c";

/* Checks that a reference is judged as its resolved target. */
static void expect_target(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = sizeof base + length + 16;
	char *out = room_for(room), *target = room_for(room);
	const struct urivet_text at = urivet_text_of(base, sizeof base - 1),
				 reference = urivet_text_of(data, length);
	enum urivet_resolved how;
	struct urivet_report r, whole;
	const bool accepted =
	    urivet_check_reference(&r, out, room, at, reference, 0, policy) == URIVET_ACCEPT;
	const size_t n =
	    urivet_resolve(target, room, URIVET_READER_RFC3986, at, reference, true, &how);
	oracle(!accepted || how == URIVET_RESOLVED, "an accepted reference leads somewhere");
	if (how == URIVET_RESOLVED && n < 8192) {
		target[n] = '\0';
		oracle(strcmp(out, target) == 0, "a reference leads where it resolves to");
		oracle(!accepted || urivet_check(&whole, target, n, policy) == URIVET_ACCEPT,
		       "what an accepted reference leads to is accepted");
	}
	oracle(urivet_check_reference(&r, out, room, at, at, 0, policy) ==
		   urivet_verdict_of(base, sizeof base - 1, policy, NULL),
	       "a URL refers to itself");
	free(out);
	free(target);
}

/* ---- Limits ----------------------------------------------------------------------------------- */

/* Lengthens the path of an accepted URL with meaningless text: accepted up to the limit. */
static void expect_limit(const uint8_t *data, size_t length)
{
	const size_t limit = 8192;
	struct urivet_report r;
	char *text;
	if (length < 2 || length > limit - 8 ||
	    urivet_check(&r, data, length, NULL) != URIVET_ACCEPT ||
	    r.uri.part[URIVET_PATH].length == 0 || urivet_has(&r.uri, URIVET_QUERY) ||
	    urivet_has(&r.uri, URIVET_FRAGMENT))
		return;
	text = room_for(limit + 1);
	memset(text, '_', limit + 1);
	memcpy(text, data, length);
	oracle(urivet_check(&r, text, limit, NULL) == URIVET_ACCEPT && urivet_ok(text, limit),
	       "a URL of the longest length is accepted");
	urivet_check(&r, text, limit + 1, NULL);
	oracle(r.verdict == URIVET_REJECT && r.count == 1 &&
		   r.finding[0].id == URIVET_F_URL_TOO_LONG && !urivet_ok(text, limit + 1) &&
		   !r.parsed,
	       "a URL that is an octet longer is too long, and nothing else");
	oracle(urivet_verdict_of(text, limit + 1, BY_ANY, NULL) == URIVET_REJECT &&
		   urivet_verdict_of(text, limit + 1, BY_PUBLIC, NULL) == URIVET_REJECT &&
		   urivet_verdict_of(text, limit + 1, BY_GATEWAY, NULL) == URIVET_REJECT,
	       "no policy that is built in takes longer ones");
	free(text);
}

/* ---- Names, and columns of both widths --------------------------------------------------------- */

static void expect_names(const struct urivet_report *r)
{
	char *names = room_for(64 * URIVET_MAX_FINDINGS),
	     *wanted = room_for(64 * URIVET_MAX_FINDINGS);
	struct builder b = {wanted, 0};
	const size_t n = urivet_format_ids(names, 64 * URIVET_MAX_FINDINGS, r, NULL);
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding_row *row = urivet_finding_info(r->finding[k].id);
		if (urivet_finding_refuses(r, &r->finding[k], NULL)) {
			add_word(&b, b.length > 0 ? "," : "");
			add_word(&b, row->name);
		}
		oracle(row->id == r->finding[k].id &&
			   urivet_finding_named(row->name, strlen(row->name)) == row->id,
		       "a finding is found by its name");
	}
	oracle(same(names, n, b.text, b.length), "findings that refuse are named in order");
	free(names);
	free(wanted);
}

/* Makes rows of any size: the first octets choose their lengths. */
static void expect_columns(const uint8_t *data, size_t length)
{
	enum { ROWS = 9 };
	int32_t small[ROWS + 1] = {0};
	int64_t large[ROWS + 1] = {0};
	uint8_t a[2] = {0xff, 0xff}, b[2] = {0xff, 0xff};
	for (unsigned k = 1; k <= ROWS; k++) {
		const int32_t step = k < length ? data[k] : 0;
		large[k] = small[k] = small[k - 1] + (step == 255 ? -1 : step);
	}
	const size_t count = urivet_check_batch(data, length, small, NULL, ROWS, NULL, a, NULL);
	oracle(urivet_check_batch(data, length, NULL, large, ROWS, NULL, b, NULL) ==
		       count &&
		   memcmp(a, b, sizeof a) == 0,
	       "columns of both widths have the same verdicts");
	large[ROWS] = INT64_C(0x100000000) + small[ROWS];
	(void)urivet_check_batch(data, length, NULL, large, ROWS, NULL, b, NULL);
	oracle((b[1] & 1) == 0, "a row that ends beyond four gibibytes is not in the column");
}

/* The octets of the input choose the findings to add. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_report r;
	unsigned sum = 0;
	if (length > LONGEST)
		return 0;
	for (size_t k = 0; k < length; k++)
		sum = (sum * 31 + data[k]) % 65521;
	add_one(data, length, sum % URIVET_FINDING_LIMIT, BY_STRICT);
	add_one(data, length, sum / 7 % URIVET_FINDING_LIMIT, BY_PUBLIC);
	add_one(data, length, sum / 7 % URIVET_FINDING_LIMIT, waiving());
	add_one(data, length, URIVET_F_HOST_DENIED, waiving());
	add_one(data, length, sum / 11 % URIVET_FINDING_LIMIT, opaque());
	urivet_check(&r, data, length, BY_ANY);
	expect_names(&r);
	for (uint32_t k = 0; k < r.count; k++)
		raise_one(data, length, r.finding[k].id);
	raise_one(data, length, sum % URIVET_FINDING_LIMIT);
	expect_disagreement(data, length);
	expect_target(data, length, BY_STRICT);
	expect_target(data, length, BY_PUBLIC);
	expect_limit(data, length);
	expect_columns(data, length);
	return 0;
}
