/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that time is linear in the length: repeated parts of the input must not be scanned again
 * and again. Linear work on all of this takes a few seconds; a single pattern that takes
 * quadratic time exceeds the timeout. */
#include "support.h"

TestSuite(linear, .timeout = 60);

#ifdef __SANITIZE_ADDRESS__
#define LENGTH ((size_t)1 << 17)
#else
#define LENGTH ((size_t)1 << 19)
#endif

static const char *const heads[] = {"",          "http://",   "http://h/", "http://h/?",
                                    "http://h/#", "http://h?", "http://u@", "http://[",
                                    "x:",        "x://",      "http://h:", "http://xn--"};

static const char *const units[] = {
	"a", "[", "[a", ".", "..", "/", "//", "/.", "/../", "%", "%2", "%25", "%2525", "%41", "%80",
	"%C3%A9", "%F0%9F%92%A9", "%2F", "@", "a@", ":", "a:", "1.", "0x1.", "-", "a-", "-.", "&",
	"a=1&", "=", "=//", "://", " ", "\x80", "\xc3\xa4", "\xc3\xa4.", "{", "[1-2]", "\\", "#", "?",
	";", "..;", "'", "xn--a.", "1.2.3.4.", "1-2-3-4-", "x.y.z:80/", "x.y.", ":~:", "~", "+", "::",
	"::$", "(S(a)", "..a/", "con/", "_", "a|", "%20.", "\r\n", "%e2%80%ae", "1_0.", "0o1.", "%EF%BC%91", "9", "]", "]["};

/* Returns a policy that enables every rule. */
static struct urivet_policy talkative(void)
{
	struct urivet_policy p = built_in(URIVET_ANY);
	p.max_length = URIVET_MAX_LENGTH;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		urivet_policy_raise(&p, id);
	return p;
}

static void check_all(const char *head, const char *const *unit, size_t count)
{
	static char input[LENGTH];
	const struct urivet_policy policy = talkative();
	struct urivet_report r;
	for (size_t k = 0; k < count; k++) {
		const size_t limit = LENGTH / sample();
		size_t length = strlen(head);
		memcpy(input, head, length);
		for (; length + strlen(unit[k]) <= limit; length += strlen(unit[k]))
			memcpy(input + length, unit[k], strlen(unit[k]));
		urivet_check(&r, input, length, &policy);
		cr_expect(r.count > 0 || r.verdict == URIVET_ACCEPT, "%s%s", head, unit[k]);
	}
}

/* One test for each head, so that each has the whole timeout. */
#define HEAD(k)                                                                                    \
	Test(linear, head_##k)                                                                     \
	{                                                                                          \
		check_all(heads[k], units, sizeof units / sizeof units[0]);                        \
	}
HEAD(0)
HEAD(1)
HEAD(2)
HEAD(3)
HEAD(4)
HEAD(5)
HEAD(6)
HEAD(7)
HEAD(8)
HEAD(9)
HEAD(10)
HEAD(11)
