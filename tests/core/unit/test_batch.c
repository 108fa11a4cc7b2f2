/* SPDX-License-Identifier: Apache-2.0 */
/* Tests verdicts without reports: of one input by any policy, and of columns in Arrow's layout,
 * also with wrong offsets. fuzz_check and tests/core/endpoint compare the verdicts with those of
 * urivet_check() for many inputs. */
#include "support.h"

#include <stdlib.h>

TestSuite(batch, .timeout = 30);

/* ---- One input --------------------------------------------------------------------- */

/* judge() compares the functions: for each finding as it is, waived, and raised. */
Test(batch, verdicts_of_the_catalogue)
{
	struct urivet_policy unsound = built_in(URIVET_STRICT), zeroed, waiving, raised;
	unsound.size = 1;
	memset(&zeroed, 0, sizeof zeroed);
	const struct urivet_policy *const policies[] = {NULL,	     BY_STRICT, BY_PUBLIC, BY_ANY, BY_GATEWAY,
							&unsound, &zeroed,	 &waiving,	&raised};
	unsigned accepted = 0;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		if (urivet_finding_info(id) == NULL)
			continue;
		const struct example one = example_of(id);
		waiving = raised = built_in(URIVET_STRICT);
		(void)urivet_policy_waive(&waiving, id);
		(void)urivet_policy_raise(&raised, id);
		for (unsigned k = 0; k < 18; k++) {
			const struct urivet_text t = k % 2 ? one.misses : one.fires;
			struct urivet_report r;
			accepted += judge(&r, t.data, t.length, policies[k / 2]) == URIVET_ACCEPT;
		}
	}
	cr_expect(accepted > 100, "%u", accepted);
	for (unsigned k = 0; k < 7; k++)
		cr_expect(urivet_verdict_of(NULL, 100, policies[k], NULL) == URIVET_REJECT);
}

/* Reasons that keep a URL off the fast path: a length, a list, a rule about its scheme or its empty path, an octet that
 * only the policy makes legal, another scheme. */
Test(batch, verdicts_by_policies)
{
	struct urivet_policy brief = built_in(URIVET_STRICT), raised = brief, empty = brief, opaque = brief, ftp = brief;
	static const struct urivet_host_rule denied = {{"example.com"}, 11, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0};
	static uint64_t index[URIVET_INDEX_WORDS(1)];
	struct urivet_policy listed = with_hosts(URIVET_STRICT, &denied, 1, true, false);
	const struct urivet_policy waiving = with_waiver(URIVET_STRICT, URIVET_F_FORBIDDEN_CHAR);
	brief.max_length = strlen("http://example.com/a");
	opaque.opaque_query = true;
	ftp.schemes = 1u << URIVET_SCHEME_FTP;
	cr_assert(urivet_policy_finish(&listed, index, URIVET_INDEX_WORDS(1)) && urivet_policy_raise(&raised, URIVET_F_SCHEME_PLAINTEXT) && urivet_policy_raise(&empty, URIVET_F_PATH_EMPTY));
	expect_all(NULL, URIVET_ACCEPT, "http://example.com/ab http://example.com https://example.com");
	expect_all(NULL, URIVET_REJECT, "http://h.example/?%C0%AF http://h.example/a|b ftp://h.example/a");
	expect_all(&brief, URIVET_REJECT, "http://example.com/ab");
	expect_all(&brief, URIVET_ACCEPT, "http://example.com/a");
	expect_all(&raised, URIVET_REJECT, "http://example.com/ab");
	expect_all(&raised, URIVET_ACCEPT, "https://example.com/ab");
	expect_all(&empty, URIVET_REJECT, "http://example.com https://example.com");
	expect_all(&empty, URIVET_ACCEPT, "http://example.com/ https://example.com/");
	expect_all(&listed, URIVET_REJECT, "http://example.com/ab https://example.com/ab");
	expect_all(&listed, URIVET_ACCEPT, "http://xample.com/ab https://xample.com/ab");
	listed.hosts.only = true; /* the index has not the name, which is refused for that */
	expect_all(&listed, URIVET_REJECT, "http://xample.com/ab https://xample.com/ab");
	expect_all(&opaque, URIVET_REJECT, "http://h.example/%C0%AF http://h.example:8080/a|b");
	expect_all(&opaque, URIVET_ACCEPT, "http://h.example/?%C0%AF http://h.example:80/?a|b");
	expect_all(&waiving, URIVET_ACCEPT, "http://h.example/a|b http://h.example:80/a|b");
	expect_all(&ftp, URIVET_ACCEPT, "ftp://h.example/a");
}

/* ---- Columns ----------------------------------------------------------------------- */

/* Four consecutive rows: good, bad, empty, good. */
static const char column[] = "http://h/"
			     "http://u@h/"
			     ""
			     "https://example.com/a";
static const int32_t ends[] = {0, 9, 20, 20, 41};

/* Rules about whole URLs, for plain URLs and others. */
Test(batch, verdicts_by_rules_about_urls)
{
	static const char *const uris[] = {
	    "https://app.example.com/cb",  "https://app.example.com/cbx", "https://app.example.com/cb?x=%41",
	    "https://app.example.com:8/cb", "https://www.example.org/",    "http://127.0.0.1:6000/cb",
	};
	struct urivet_url_rule rules[2];
	cr_assert(urivet_url_rule_from(&rules[0], LITERAL("https://app.example.com/cb")));
	cr_assert(urivet_url_rule_from(&rules[1], LITERAL("http://127.0.0.1:*/cb")));
	for (int base = 0; base < URIVET_BASES; base++) {
		struct urivet_policy p = built_in(base);
		unsigned accepted = 0;
		p.urls = rules;
		p.url_count = sizeof rules / sizeof rules[0];
		for (size_t k = 0; k < sizeof uris / sizeof uris[0]; k++) {
			struct urivet_report r;
			accepted += judge(&r, uris[k], strlen(uris[k]), &p) == URIVET_ACCEPT;
		}
		cr_expect(accepted >= 2 && accepted < sizeof uris / sizeof uris[0], "%d: %u", base, accepted);
	}
}

Test(batch, rows)
{
	static const int64_t large[] = {0, 9, 20, 20, 41};
	uint8_t bitmap[3] = {0x5a, 0x5a, 0x5a};
	const struct urivet_text data = urivet_text_of(at_edge(LITERAL(column)), sizeof column - 1);
	cr_expect(urivet_check_batch(data.data, data.length, ends, NULL, 4, NULL, bitmap + 1, NULL) == 2);
	cr_expect(bitmap[0] == 0x5a && bitmap[1] == 0x09 && bitmap[2] == 0x5a);
	bitmap[1] = 0xff;
	cr_expect(urivet_check_batch(data.data, data.length, NULL, large, 4, BY_STRICT, bitmap + 1, NULL) == 2);
	cr_expect(bitmap[0] == 0x5a && bitmap[1] == 0x09 && bitmap[2] == 0x5a);
	cr_expect(urivet_check_batch(data.data, data.length, ends, NULL, 4, NULL, NULL, NULL) == 2);
	cr_expect(urivet_check_batch(data.data, data.length, NULL, large, 4, NULL, NULL, NULL) == 2);
	/* a column that begins at a later row */
	bitmap[1] = 0xff;
	cr_expect(urivet_check_batch(data.data, data.length, ends + 2, NULL, 2, NULL, bitmap + 1, NULL) == 1);
	cr_expect(bitmap[1] == 0x02);
	/* refused by the policy */
	cr_expect(urivet_check_batch(data.data, data.length, ends, NULL, 4, BY_PUBLIC, bitmap + 1, NULL) == 1 && bitmap[1] == 0x08);
}

Test(batch, no_rows)
{
	uint8_t bitmap[1] = {0x5a};
	cr_expect(urivet_check_batch(LITERAL(column), NULL, NULL, 0, NULL, bitmap, NULL) == 0 && bitmap[0] == 0x5a);
	cr_expect(urivet_check_batch(LITERAL(column), NULL, NULL, 0, NULL, NULL, NULL) == 0);
	cr_expect(urivet_check_batch(NULL, 50, ends, NULL, 4, NULL, bitmap, NULL) == 0);
	cr_expect(bitmap[0] == 0);
}

/* No row is accepted if it is not clear which offsets count. */
Test(batch, offsets_of_both_widths)
{
	static const int64_t large[] = {0, 9, 20, 20, 41};
	uint8_t bitmap[3] = {0x5a, 0x5a, 0x5a};
	cr_expect(urivet_check_batch(LITERAL(column), ends, large, 4, NULL, bitmap, NULL) == 0 && bitmap[0] == 0);
	bitmap[0] = 0x5a;
	cr_expect(urivet_check_batch(LITERAL(column), NULL, NULL, 12, NULL, bitmap, NULL) == 0 && bitmap[0] == 0 && bitmap[1] == 0 && bitmap[2] == 0x5a);
}

/* For every number of rows up to eight octets of the bitmap and two rows: exactly the needed
 * octets are written, and the bits after the last row are 0. */
Test(batch, bitmap)
{
	enum { MOST = 66, LENGTH = 9 };
	static char many[MOST * LENGTH + 1];
	int32_t offsets[MOST + 1] = {0};
	int64_t large[MOST + 1] = {0};
	for (unsigned k = 0; k < MOST; k++) {
		memcpy(many + (size_t)k * LENGTH, k % 3 == 1 ? "http:///h" : "http://h/", LENGTH);
		large[k + 1] = offsets[k + 1] = (int32_t)((k + 1) * LENGTH);
	}
	for (unsigned rows = 0; rows <= MOST; rows++) {
		const size_t octets = (rows + 7) / 8;
		uint8_t *const bitmap = malloc(octets > 0 ? octets : 1), want[MOST / 8 + 1] = {0};
		size_t count = 0;
		for (unsigned k = 0; k < rows; k++)
			if (k % 3 != 1) {
				want[k / 8] = (uint8_t)(want[k / 8] | 1u << k % 8);
				count++;
			}
		memset(bitmap, 0xff, octets);
		cr_expect(urivet_check_batch(LITERAL(many), offsets, NULL, rows, NULL, bitmap, NULL) == count, "%u", rows);
		cr_expect(memcmp(bitmap, want, octets) == 0, "%u", rows);
		memset(bitmap, 0xff, octets);
		cr_expect(urivet_check_batch(LITERAL(many), NULL, large, rows, NULL, bitmap, NULL) == count);
		cr_expect(memcmp(bitmap, want, octets) == 0, "%u", rows);
		free(bitmap);
	}
}

/* Consecutive rows of all lengths, with many starts and counts: each verdict equals that of the
 * row alone. */
Test(batch, rows_among_others)
{
	static const char *const texts[] = {
	    "https://www.example.org/packages/some-thing/", "http://h/", "", "x", "http://example.com",
	    "https://www.example-1.org/a/b.c", "http://u@example.com/a/path/that/is/so/long",
	    "http://example.com/a//b/c/d", "http://www.example.org/~user/a-path/of/sixty-four-octets/and-some",
	    "https://www.example.org/packages/some-thing/index.html?a=b&c=d", "http://127.0.0.1/index.html",
	    "https://www.example.org/packages/some-thing/.", "http://www.example.org/%41/index.html",
	};
	enum { TEXTS = sizeof texts / sizeof texts[0], ROWS = 300 };
	static char column_of_all[ROWS * 100];
	static int32_t offsets[ROWS + 1];
	static int64_t large[ROWS + 1];
	uint32_t state = 1;
	for (unsigned k = 0; k < ROWS; k++) {
		const char *const text = texts[(state = state * 1103515245 + 12345) / 65536 % TEXTS];
		memcpy(column_of_all + offsets[k], text, strlen(text));
		large[k + 1] = offsets[k + 1] = offsets[k] + (int32_t)strlen(text);
	}
	const struct urivet_text data = urivet_text_of(at_edge(column_of_all, (size_t)offsets[ROWS]),
						       (size_t)offsets[ROWS]);
	for (unsigned from = 0; from < 70; from++)
		for (unsigned rows = 0; rows <= ROWS - from; rows += rows < 130 ? 1 : 41) {
			uint8_t bitmap[ROWS / 8 + 1] = {0}, by_large[ROWS / 8 + 1] = {0};
			size_t accepted = 0;
			cr_assert(urivet_check_batch(data.data, data.length, offsets + from, NULL, rows, NULL, bitmap, NULL) ==
				  urivet_check_batch(data.data, data.length, NULL, large + from, rows, NULL, by_large, NULL));
			for (unsigned k = 0; k < rows; k++) {
				const int32_t *const at = &offsets[from + k];
				const bool want = urivet_ok(column_of_all + at[0], (size_t)(at[1] - at[0]));
				cr_assert((bitmap[k / 8] >> k % 8 & 1) == want, "%u of %u", k, rows);
				accepted += want;
			}
			cr_assert(memcmp(bitmap, by_large, sizeof bitmap) == 0);
			cr_assert(urivet_check_batch(data.data, data.length, offsets + from, NULL, rows, NULL, NULL, NULL) == accepted);
		}
}

/* Rows with offsets outside the data are refused, and the others are judged all the same. */
Test(batch, wrong_offsets)
{
	static const struct {
		int64_t offsets[4];
		unsigned want; /* wanted bits of three rows */
	} rows[] = {
	    {{0, 9, 20, 41}, 5},
	    {{0, 9, 9, 9}, 1},
	    {{9, 0, 9, 9}, 2},
	    {{-9, 0, 9, 20}, 2},
	    {{0, -1, 0, 9}, 4},
	    {{0, 9, 8, 0}, 1},
	    {{0, 9, 42, 9}, 1},
	    {{41, 50, 0, 9}, 4},
	    {{0, 9, INT32_MAX, 41}, 1},
	    {{INT32_MIN, INT32_MAX, 0, 9}, 4},
	    {{INT32_MAX, INT32_MIN, -1, 9}, 0},
	};
	const struct urivet_text data = urivet_text_of(at_edge(LITERAL(column)), sizeof column - 1);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		int32_t offsets[4];
		uint8_t bitmap = 0xff, large = 0xff;
		for (unsigned i = 0; i < 4; i++)
			offsets[i] = (int32_t)rows[k].offsets[i];
		cr_expect(urivet_check_batch(data.data, data.length, offsets, NULL, 3, NULL, &bitmap, NULL) ==
			  (size_t)__builtin_popcount(rows[k].want));
		cr_expect(bitmap == rows[k].want, "%u: %x", k, bitmap);
		urivet_check_batch(data.data, data.length, NULL, rows[k].offsets, 3, NULL, &large, NULL);
		cr_expect(large == rows[k].want, "%u: %x", k, large);
	}
	static const int64_t far[] = {INT64_MIN, INT64_MAX, 0, 9, INT64_MAX, 9};
	uint8_t bitmap = 0xff;
	cr_expect(urivet_check_batch(data.data, data.length, NULL, far, 5, NULL, &bitmap, NULL) == 1 && bitmap == 4);
	/* text before the data, which would be accepted */
	static const int32_t before[] = {-9, 0, 9};
	static const char both[] = "http://h/https:/ab";
	cr_expect(urivet_check_batch(&both[9], 9, before, NULL, 2, NULL, &bitmap, NULL) == 0);
	/* the data ends within a row */
	cr_expect(urivet_check_batch(column, 40, ends, NULL, 4, NULL, &bitmap, NULL) == 1);
	cr_expect(bitmap == 1);
}
