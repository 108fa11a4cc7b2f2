/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the comparison ladder of RFC 3986, 6.2. */
#include <stdlib.h>
#include <urivet/reference.h>

#include "support.h"

TestSuite(compare, .timeout = 60);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const enum urivet_rung NOT = URIVET_DIFFERENT, PROTOCOL = URIVET_EQUAL_BY_PROTOCOL,
			      SCHEME = URIVET_EQUAL_BY_SCHEME, SYNTAX = URIVET_EQUAL_BY_SYNTAX,
			      IDENTICAL = URIVET_IDENTICAL;

static const char *const names[] = {"different", "protocol", "scheme", "syntax", "identical"};

/* Compares in both orders, with each input once at the edge of a page. */
static enum urivet_rung rung(const char *a, const char *b, bool no_fragment,
			     const struct urivet_redirect *redirects, size_t count)
{
	const size_t na = strlen(a), nb = strlen(b);
	const enum urivet_rung there =
	    urivet_compare(urivet_text_of(at_edge(a, na), na), urivet_text_of(b, nb), no_fragment, redirects, count);
	const enum urivet_rung back =
	    urivet_compare(urivet_text_of(at_edge(b, nb), nb), urivet_text_of(a, na), no_fragment, redirects, count);
	cr_assert(there == back, "%s and %s: %s, %s", a, b, names[there], names[back]);
	return there;
}

static const struct {
	const char *a, *b;
	enum urivet_rung with, without; /* fragments */
} rows[] = {
    {"http://h/", "http://h/", IDENTICAL, IDENTICAL},
    {"", "", IDENTICAL, IDENTICAL},
    {"a b", "a b", IDENTICAL, IDENTICAL},
    {"a b", "a  b", NOT, NOT},
    {"a b", "A b", NOT, NOT},
    /* 2003, 6.2.2, and RFC 3986, 6.2.2 */
    {"example://a/b/c/%7A", "eXAMPLE://a/./b/../b/c/%7a", SYNTAX, SYNTAX},
    {"example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", SYNTAX, SYNTAX},
    {"HTTP://www.EXAMPLE.com/", "http://www.example.com/", SYNTAX, SYNTAX},
    {"http://h/a", "http://h/A", NOT, NOT},
    {"http://h/%2f", "http://h/%2F", SYNTAX, SYNTAX},
    {"http://h/%2f", "http://h//", NOT, NOT},
    {"http://h/~", "http://h/%7E", SYNTAX, SYNTAX},
    /* 6.2.3 */
    {"http://example.com", "http://example.com/", SCHEME, SCHEME},
    {"http://example.com:/", "http://example.com:80/", SCHEME, SCHEME},
    {"http://example.com:80", "http://EXAMPLE.com", SCHEME, SCHEME},
    {"http://example.com:81", "http://example.com", NOT, NOT},
    {"https://example.com:80/", "https://example.com/", NOT, NOT},
    {"http://[::1]/", "http://[0::0:1]/", SCHEME, SCHEME},
    {"x://h", "x://h/", NOT, NOT},
    {"x://h", "x://h:", SCHEME, SCHEME},
    /* 65536 is no valid port, but differs from no port */
    {"x://h", "x://h:65536", NOT, NOT},
    {"x://h:65537", "x://h:65536", NOT, NOT},
    /* an empty component is not absent */
    {"http://h/", "http://h/?", NOT, NOT},
    {"http://u@h/", "http://@h/", NOT, NOT},
    {"http://h/", "http://h/#", NOT, IDENTICAL},
    {"http://h/#a", "http://h/#b", NOT, IDENTICAL},
    {"", "#a", NOT, IDENTICAL},
    {"#b", "#a", NOT, IDENTICAL},
    {"http://h/#a", "HTTP://h/#b", NOT, SYNTAX},
    {"http://h#a", "http://h/#b", NOT, SCHEME},
    {"http://h/#%61", "http://h/#a", SYNTAX, IDENTICAL},
    {"a b#c", "a b#d", NOT, IDENTICAL},
    /* different URIs that a careless comparison might join */
    {"x:/.//h", "x://h", NOT, NOT},
    {"/.//h", "//h", NOT, NOT},
    {"./a:b", "a:b", NOT, NOT},
    {"..", "../", SYNTAX, SYNTAX},
    {"a/..", ".", SYNTAX, SYNTAX},
    {"a", "./a", SYNTAX, SYNTAX},
    {"a", "/a", NOT, NOT},
    {"aa", "a", NOT, NOT},
    {"http://h/aa", "http://h/a", NOT, NOT},
};

Test(compare, rungs)
{
	for (size_t k = 0; k < COUNT(rows); k++) {
		enum urivet_rung got = rung(rows[k].a, rows[k].b, false, NULL, 0);
		cr_expect(got == rows[k].with, "%s and %s: %s", rows[k].a, rows[k].b, names[got]);
		got = rung(rows[k].a, rows[k].b, true, NULL, 0);
		cr_expect(got == rows[k].without, "%s and %s, no fragments: %s", rows[k].a,
			  rows[k].b, names[got]);
	}
}

/* ---- Redirects ------------------------------------------------------------------ */

#define REDIRECT(from, to)                                                                         \
	{                                                                                          \
		{from, sizeof(from) - 1}, {to, sizeof(to) - 1}                                     \
	}

static const struct urivet_redirect redirects[] = {
    REDIRECT("http://example.com/data", "http://example.com/data/"), /* 2003, 6.2.4 */
    REDIRECT("http://c/", "http://d/"),
    REDIRECT("http://a/", "http://b/"),
    REDIRECT("HTTP://C:80", "http://b"),
    REDIRECT("http://e/", "http://e/"),
    REDIRECT("http://f/", "http://a b/"),
    REDIRECT("http://a b/", "http://g/"),
    REDIRECT("http://i/", "http://h/#s"),
    REDIRECT("", "http://k/"),
};

Test(compare, by_redirects)
{
	static const struct {
		const char *a, *b;
		enum urivet_rung with, without;
	} pairs[] = {
	    {"http://example.com/data", "http://example.com/data/", PROTOCOL, PROTOCOL},
	    {"http://example.com/d%61ta", "HTTP://example.com:80/data/", PROTOCOL, PROTOCOL},
	    {"http://example.com/data#s", "http://example.com/data/#s", NOT, PROTOCOL},
	    {"http://a/", "http://b/", PROTOCOL, PROTOCOL},
	    {"http://a/", "http://c/", PROTOCOL, PROTOCOL},
	    {"http://a", "http://d", PROTOCOL, PROTOCOL},
	    {"http://a", "http://e", NOT, NOT},
	    {"http://e/", "http://e", SCHEME, SCHEME},
	    {"http://f/", "http://g/", NOT, NOT},
	    {"http://f/", "http://a b/", NOT, NOT},
	    {"http://i/", "http://h/", NOT, PROTOCOL},
	    {"http://i/", "http://h/#s", PROTOCOL, PROTOCOL},
	    {"", "http://k/", PROTOCOL, PROTOCOL},
	};
	for (size_t k = 0; k < COUNT(pairs); k++) {
		enum urivet_rung got =
		    rung(pairs[k].a, pairs[k].b, false, redirects, COUNT(redirects));
		cr_expect(got == pairs[k].with, "%s and %s: %s", pairs[k].a, pairs[k].b,
			  names[got]);
		got = rung(pairs[k].a, pairs[k].b, true, redirects, COUNT(redirects));
		cr_expect(got == pairs[k].without, "%s and %s, no fragments: %s", pairs[k].a,
			  pairs[k].b, names[got]);
	}
}

/* The classes equal those of sets joined one by one, for any order of the redirects. */
Test(compare, classes_of_any_redirects)
{
	enum { NODES = 14, MOST = 13, ROUNDS = 400 };
	static const char *const names_of[NODES] = {"x:a", "x:b", "x:c", "x:d", "x:e",
						    "x:f", "x:g", "x:h", "x:i", "x:j",
						    "x:k", "x:l", "x:m", "x:n"};
	srand(1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct urivet_redirect made[MOST];
		unsigned set[NODES];
		for (unsigned k = 0; k < NODES; k++)
			set[k] = k;
		for (unsigned k = 0; k < MOST; k++) {
			const unsigned from = (unsigned)rand() % NODES,
				       to = (unsigned)rand() % NODES;
			const unsigned old = set[to];
			made[k] = (struct urivet_redirect){{names_of[from], 3}, {names_of[to], 3}};
			for (unsigned n = 0; n < NODES; n++)
				if (set[n] == old)
					set[n] = set[from];
		}
		for (unsigned n = 1; n < NODES; n++)
			cr_assert(rung(names_of[0], names_of[n], false, made, MOST) ==
				      (set[0] == set[n] ? PROTOCOL : NOT),
				  "round %u: %s", round, names_of[n]);
	}
}

/* A chain in the most expensive order; redirects after the limit are ignored. */
Test(compare, as_many_redirects_as_allowed)
{
	enum { N = URIVET_MAX_REDIRECTS + 1 };
	static char names_of[N + 1][16];
	static struct urivet_redirect chain[N];
	for (unsigned k = 0; k <= N; k++)
		sprintf(names_of[k], "http://h/%u", k);
	for (unsigned k = 0; k < N; k++) {
		const unsigned at = k < N - 1 ? N - 2 - k : k;
		chain[at].from = text_of_string(names_of[k]);
		chain[at].to = text_of_string(names_of[k + 1]);
	}
	cr_expect(rung(names_of[0], names_of[N - 1], false, chain, N) == PROTOCOL);
	cr_expect(rung(names_of[0], names_of[N], false, chain, N) == NOT);
	cr_expect(rung(names_of[N - 1], names_of[N], false, chain, N) == NOT);
}

/* ---- Every level is an equivalence relation ----------------------------------------- */

static const char *const parts[4][6] = {
    {"http:", "HTTP:", "x:", "", NULL},
    {"//h", "//H:80", "//h:", "", NULL},
    {"/", "", "/a", "/%61", "/b/../a", NULL},
    {"", "#", "#%7e", "#~", NULL},
};

static size_t compose_all(char set[][32])
{
	size_t n = 0;
	for (unsigned i = 0; parts[0][i] != NULL; i++)
		for (unsigned j = 0; parts[1][j] != NULL; j++)
			for (unsigned k = 0; parts[2][k] != NULL; k++)
				for (unsigned l = 0; parts[3][l] != NULL; l++, n++)
					sprintf(set[n], "%s%s%s%s", parts[0][i], parts[1][j],
						parts[2][k], parts[3][l]);
	sprintf(set[n++], "http:// h/");
	return n;
}

static const struct urivet_redirect between[] = {
    REDIRECT("http://h/a", "x://h/"), REDIRECT("x:/a", "x://h/"), REDIRECT("//h/a", "/a#~"),
    REDIRECT("http:// h/", "/a"),     REDIRECT("x:", "http://h"),
};

static void expect_equivalence(bool no_fragment, const struct urivet_redirect *r, size_t count)
{
	static char set[512][32];
	static unsigned char rungs[512][512];
	const size_t n = compose_all(set) / (sample() > 1 ? 3 : 1);
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			rungs[a][b] = urivet_compare(urivet_text_of(set[a], strlen(set[a])), urivet_text_of(set[b], strlen(set[b])), no_fragment, r, count);
	for (size_t a = 0; a < n; a++) {
		cr_assert(rungs[a][a] == IDENTICAL);
		for (size_t b = 0; b < n; b++) {
			cr_assert(rungs[a][b] == rungs[b][a], "%s and %s", set[a], set[b]);
			if (rungs[a][b] == NOT)
				continue;
			for (size_t c = 0; c < n; c++) {
				const unsigned least =
				    rungs[a][b] < rungs[b][c] ? rungs[a][b] : rungs[b][c];
				cr_assert(rungs[a][c] >= least, "%s, %s, %s", set[a], set[b],
					  set[c]);
			}
		}
	}
}

Test(compare, equivalence_on_every_rung)
{
	expect_equivalence(false, NULL, 0);
	expect_equivalence(true, NULL, 0);
	expect_equivalence(false, between, COUNT(between));
	expect_equivalence(true, between, COUNT(between));
}

/* Two URIs are equal on a level if and only if their normal forms of that level are equal. */
Test(compare, agrees_with_normal_forms)
{
	static char set[512][32], forms[2][512][40];
	const size_t n = compose_all(set);
	for (size_t k = 0; k < n; k++)
		for (unsigned level = 0; level < 2; level++) {
			bool readable;
			urivet_normalise(forms[level][k], 40, set[k], strlen(set[k]), level,
					 URIVET_READER_RFC3986, &readable);
			if (!readable)
				strcpy(forms[level][k], set[k]);
		}
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++) {
			const enum urivet_rung got = urivet_compare(urivet_text_of(set[a], strlen(set[a])), urivet_text_of(set[b], strlen(set[b])), false, NULL, 0);
			const bool syntax = strcmp(forms[0][a], forms[0][b]) == 0;
			const bool scheme = strcmp(forms[1][a], forms[1][b]) == 0;
			cr_assert((got == IDENTICAL) == (strcmp(set[a], set[b]) == 0));
			cr_assert((got >= SYNTAX) == syntax && (got >= SCHEME) == scheme,
				  "%s and %s", set[a], set[b]);
		}
}

/* Linear time: two megabytes of dot segments, with equal ends and different middles. */
Test(compare, long_paths)
{
	const size_t N = 1000000 / sample();
	char *a = malloc(3 * N + 16), *b = malloc(3 * N + 16);
	memcpy(a, "http://h/", 9);
	for (size_t k = 0; k < N; k++)
		memcpy(a + 9 + 3 * k, k % 2 == 0 ? "xx/" : "../", 3);
	memcpy(b, a, 9 + 3 * N);
	cr_expect(urivet_compare(urivet_text_of(a, 9 + 3 * N), urivet_text_of("HTTP://h", 8), false, NULL, 0) == SCHEME);
	b[9 + 3 * (N / 2)] = 'y';
	cr_expect(urivet_compare(urivet_text_of(a, 9 + 3 * N), urivet_text_of(b, 9 + 3 * N), false, NULL, 0) == SYNTAX);
	memcpy(b + 9 + 3 * (N / 2), "%2f", 3);
	b[9 + 3 * (N - 1)] = 'z';
	cr_expect(urivet_compare(urivet_text_of(a, 9 + 3 * N), urivet_text_of(b, 9 + 3 * N), false, NULL, 0) == NOT);
	free(a);
	free(b);
}

/* An input too long for a URI is not read: the lengths alone decide. */
Test(compare, beyond_the_length)
{
	const size_t longer = (size_t)URIVET_MAX_LENGTH + 1;
	const void *none = at_edge("", 0);
	cr_expect(urivet_compare(urivet_text_of(none, longer), urivet_text_of("http://h/", 9), false, NULL, 0) == NOT);
	cr_expect(urivet_compare(urivet_text_of("http://h/", 9), urivet_text_of(none, longer), false, NULL, 0) == NOT);
	cr_expect(urivet_compare(urivet_text_of(none, longer), urivet_text_of(none, longer + 1), false, NULL, 0) == NOT);
	cr_expect(urivet_compare(urivet_text_of(none, longer), urivet_text_of("http://h/", 9), true, NULL, 0) == NOT);
}
