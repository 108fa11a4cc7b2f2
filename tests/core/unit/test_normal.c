/* SPDX-License-Identifier: Apache-2.0 */
/* Tests normal forms: RFC 3986, 6.2.2 and 6.2.3, and the differences of the drafts. */
#include <urivet/reference.h>

#include "support.h"

TestSuite(normal, .timeout = 60);

static const enum urivet_level SYNTAX = URIVET_LEVEL_SYNTAX, SCHEME = URIVET_LEVEL_SCHEME;

/* The columns of by_edition, in the order of readers.def. */
enum {
#define EDITION(constant, ...) COLUMN_##constant,
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
	EDITIONS
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Writes the normal form, or "unreadable". */
static const char *normal(char *out, size_t size, const void *data, size_t length,
			  enum urivet_level level, unsigned edition)
{
	bool readable = true;
	const size_t n = urivet_normalise(out, size, data, length, level, edition, &readable);
	cr_assert(n < size && strlen(out) == n);
	return readable ? out : "unreadable";
}

static const struct {
	const char *uri, *syntax, *scheme; /* NULL: the same as the form before */
} rows[] = {
    {"HTTP://EXAMPLE.com", "http://example.com", "http://example.com/"},
    {"eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D", NULL}, /* 6.2.2 */
    {"example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D", NULL},
    {"http://h:80/%41/../b", "http://h:80/b", "http://h/b"},
    {"https://h:0443/", "https://h:0443/", "https://h/"},
    {"http://h:", "http://h:", "http://h/"},
    {"x://H:?q", "x://h:?q", "x://h?q"},
    {"x://h:0", "x://h:0", NULL},
    {"x://h:007", "x://h:007", "x://h:7"},
    {"http://[2001:DB8:0::1]/", "http://[2001:db8:0::1]/", "http://[2001:db8::1]/"},
    {"http://[V1.A%2d]/", "unreadable", NULL},
    {"http://[V1.A]/", "http://[v1.a]/", NULL},
    {"http://U%3a%7E@H%41/", "http://U%3A~@ha/", NULL},
    {"http://h/?%61/../%2f#%62/./%23", "http://h/?a/../%2F#b/./%23", NULL},
    /* dot segments of a rooted path */
    {"/a/../b", "/b", NULL},
    {"/../a/.", "/a/", NULL},
    {"/..", "/", NULL},
    {"//H/a/%2e%2E/./b", "//h/b", NULL},
    /* dot segments of a relative path: leading ".." stay */
    {"a/../b", "b", NULL},
    {"../a/../../b", "../../b", NULL},
    {"%2e%2e/a", "../a", NULL},
    {".", "./", NULL},
    {"..", "../", NULL},
    {"a/..", "./", NULL},
    {"a/../..", "../", NULL},
    {"a/../?q", "./?q", NULL},
    {"", "", NULL},
    {"?q", "?q", NULL},
    {"#", "#", NULL},
    {"a", "a", NULL},
    /* the meaning must not change */
    {"/.//evil", "/.//evil", NULL},
    {"/a/..//evil", "/.//evil", NULL},
    {"/a/..//..//evil", "/.//evil", NULL},
    {"//h/.//a", "//h//a", NULL},
    {"x:/.//evil", "x:/.//evil", NULL},
    {"x:/a/..//evil", "x:/.//evil", NULL},
    {"x:..//evil", "x:..//evil", NULL},
    {"x:..///evil", "x:..///evil", NULL},
    {"x:%2e//evil", "x:%2E//evil", NULL},
    {".//evil", ".//evil", NULL},
    {"a/..//evil", ".//evil", NULL},
    {".///evil", ".///evil", NULL},
    {"./a:b", "./a:b", NULL},
    {"x/../a:b", "./a:b", NULL},
    {"../a:b", "../a:b", NULL},
    {"x/../../a:b", "../a:b", NULL},
    {"a%3ab", "a%3Ab", NULL},
    {"./a/b:c", "a/b:c", NULL},
    {"./a?b:c", "a?b:c", NULL},
    {"data:,a/../b", "data:,a/../b", NULL},
    {"mailto:A%2eB@C", "mailto:A.B@C", NULL},
    /* not URI references */
    {"a b", "unreadable", NULL},
    {"%4", "unreadable", NULL},
    {"1:a", "unreadable", NULL},
};

Test(normal, forms_by_rfc3986)
{
	for (size_t k = 0; k < COUNT(rows); k++) {
		char out[128];
		const size_t n = strlen(rows[k].uri);
		const char *scheme = rows[k].scheme != NULL ? rows[k].scheme : rows[k].syntax;
		const char *got = normal(out, sizeof out, at_edge(rows[k].uri, n), n, SYNTAX,
					 URIVET_READER_RFC3986);
		cr_expect_str_eq(got, rows[k].syntax, "%s: %s", rows[k].uri, got);
		got = normal(out, sizeof out, at_edge(rows[k].uri, n), n, SCHEME,
			     URIVET_READER_RFC3986);
		cr_expect_str_eq(got, scheme, "%s: %s", rows[k].uri, got);
	}
}

static const struct {
	const char *uri;
	enum urivet_level level;
	const char *form[EDITIONS]; /* NULL: the same as in the column before */
} by_edition[] = {
    /* triplets that each edition decodes */
    {"x:%41%7a%30%2d%5f%7e%21",
     SYNTAX,
     {"x:Az0-_~%21", "x:Az0%2D_~%21", "x:Az0%2D%5F%7E%21", "x:Az0-_~!", "x:Az0-_%7E!"}},
    {"http://h/%41%2D%7e%21%24%2c",
     SYNTAX,
     {"http://h/A-~%21%24%2C", "http://h/A%2D~%21%24%2C", "http://h/A%2D%7E%21%24%2C",
      "http://h/A-~!$,", "http://h/A-%7E!$,"}},
    {"http://h/%7e%27%28",
     SCHEME,
     {"http://h/~%27%28", NULL, "http://h/~'(", NULL, "http://h/%7E'("}},
    {"x://h/%3b%2f%26", SYNTAX, {"x://h/%3B%2F%26", NULL, NULL, NULL, NULL}},
    /* a decoded dot must not create a dot segment */
    {"x://h/a/%2e%2e/b%2e",
     SYNTAX,
     {"x://h/b.", "x://h/a/%2E%2E/b%2E", NULL, "x://h/a/%2E%2E/b.", NULL}},
    {"a/.%2e/b", SYNTAX, {"b", "a/.%2E/b", NULL, NULL, NULL}},
    /* dot segments: special in rooted paths since 2003 */
    {"x://h/a/../b/./c", SYNTAX, {"x://h/b/c", NULL, "x://h/a/../b/./c", NULL, NULL}},
    {"x://h/../a", SYNTAX, {"x://h/a", "x://h/../a", NULL, NULL, NULL}},
    {"x://h/..", SYNTAX, {"x://h/", "x://h/..", NULL, NULL, NULL}},
    {"a/../b", SYNTAX, {"b", NULL, NULL, NULL, NULL}},
    {"a/../..", SYNTAX, {"../", "..", NULL, NULL, NULL}},
    {"../a/..", SYNTAX, {"../", NULL, NULL, NULL, NULL}},
    {"a/..;x", SYNTAX, {"a/..;x", NULL, NULL, NULL, "./;x"}},
    {"a;x/../b", SYNTAX, {"b", NULL, NULL, NULL, "a;x/../b"}},
    /* a registry name is one component */
    {"http://A_B:80/", SCHEME, {"http://a_b/", "http://A_B:80/", NULL, NULL, NULL}},
    {"http://U@A%2db:80/", SCHEME, {"http://U@a-b/", "http://U@A%2Db:80/", NULL, NULL, NULL}},
    {"http://U@A-B:80", SCHEME, {"http://U@a-b/", NULL, NULL, NULL, NULL}},
    {"http://H?Q/x", SCHEME, {"http://h/?Q/x", NULL, NULL, NULL, "http://H?Q/x"}},
    /* zeros, ports and empty paths that the scheme level removes */
    {"//:079", SYNTAX, {"//:079", NULL, NULL, NULL, NULL}},
    {"//:079", SCHEME, {"//:79", "//:079", NULL, NULL, NULL}},
    {"//h:000", SCHEME, {"//h:0", NULL, NULL, NULL, NULL}},
    {"x://h:65536", SCHEME, {"x://h:65536", NULL, NULL, NULL, NULL}},
    {"x://h:", SCHEME, {"x://h", NULL, NULL, NULL, "x://h:"}},
    {"http://h:65536/", SCHEME, {"http://h:65536/", NULL, NULL, NULL, NULL}},
    {"x://h/a;", SYNTAX, {"x://h/a;", NULL, NULL, NULL, NULL}},
    /* the longest of each component */
    {"x://u@h:81/a;b?c#d", SCHEME, {"x://u@h:81/a;b?c#d", NULL, NULL, NULL, NULL}},
    {"http://u@h:81?c#d", SCHEME, {"http://u@h:81/?c#d", NULL, NULL, NULL, "http://u@h:81?c/#d"}},
    {"http://[1111:2222:3333:4444:5555:6666:7777:8888]",
     SCHEME,
     {"http://[1111:2222:3333:4444:5555:6666:7777:8888]/", NULL, "unreadable", NULL, NULL}},
    {"ws:", SCHEME, {"ws:", NULL, NULL, NULL, NULL}},
    {"ws://h", SYNTAX, {"ws://h", NULL, NULL, NULL, NULL}},
    {"ws://h", SCHEME, {"ws://h/", NULL, NULL, NULL, NULL}},
    {"%5F", SCHEME, {"_", NULL, "%5F", "_", NULL}},
    {"https://e.c:0443/%7eu/./i",
     SCHEME,
     {"https://e.c/~u/i", NULL, "https://e.c/~u/./i", NULL, "https://e.c/%7Eu/./i"}},
    /* a colon after "#" is not part of the path */
    {"-#:", SYNTAX, {"-#:", NULL, NULL, NULL, NULL}},
    {"//%68/b", SYNTAX, {"//h/b", "//%68/b", NULL, NULL, NULL}},
    /* grammar */
    {"1X:A", SYNTAX, {"unreadable", NULL, "1x:A", NULL, NULL}},
    {"x://[::A]", SYNTAX, {"x://[::a]", NULL, "unreadable", NULL, NULL}},
    {"x://[v1.A]", SYNTAX, {"x://[v1.a]", "unreadable", NULL, NULL, NULL}},
};

Test(normal, forms_by_edition)
{
	for (size_t k = 0; k < COUNT(by_edition); k++) {
		const char *want = "";
		for (unsigned edition = 0, column = 0; edition < URIVET_READERS; edition++) {
			char out[128];
			const size_t n = strlen(by_edition[k].uri);
			const char *got;
			if (!follows_edition(edition))
				continue;
			got = normal(out, sizeof out, at_edge(by_edition[k].uri, n), n,
				     by_edition[k].level, edition);
			if (by_edition[k].form[column] != NULL)
				want = by_edition[k].form[column];
			column++;
			cr_expect_str_eq(
			    got, want, "%s: %s: %s, not %s, which column %u of by_edition says",
			    urivet_reader_name(edition), by_edition[k].uri, got, want, column);
		}
	}
}

Test(normal, no_edition)
{
	bool readable = true;
	char out[8] = "x";
	cr_expect(urivet_normalise(out, 8, "a", 1, SYNTAX, URIVET_READER_BROWSER, &readable) == 0);
	cr_expect(!readable && out[0] == '\0');
	for (unsigned other = 0; other <= URIVET_READERS; other++)
		for (size_t length = 0; length < 2 && !follows_edition(other); length++) {
			readable = true;
			cr_expect(urivet_normalise(out, 8, "a", length, SYNTAX, other, &readable) ==
				  0);
			cr_expect(!readable);
		}
	cr_expect(urivet_normalise(NULL, 0, NULL, 0, SYNTAX, URIVET_READER_RFC3986, &readable) ==
		  0);
	cr_expect(readable);
	cr_expect(urivet_normalise(NULL, 0, " ", 1, SYNTAX, URIVET_READER_RFC3986, NULL) == 0);
}

Test(normal, every_capacity)
{
	static const char uri[] = "x/../HTTP:%2f/.././%7e?%41#b";
	static const char want[] = "~?A#b";
	for (size_t capacity = 0; capacity < sizeof uri + 2; capacity++) {
		char out[64];
		memset(out, 'X', sizeof out);
		cr_expect(urivet_normalise(out, capacity, uri, sizeof uri - 1, SYNTAX, 0, NULL) ==
			  sizeof want - 1);
		for (size_t k = capacity; k < sizeof out; k++)
			cr_expect(out[k] == 'X', "capacity %zu, octet %zu", capacity, k);
		if (capacity > 0) {
			const size_t n = sizeof want - 1, kept = capacity <= n ? capacity - 1 : n;
			cr_expect(memcmp(out, want, kept) == 0 && out[kept] == '\0', "%s", out);
		}
	}
}

/* ---- Generated references ----------------------------------------------------------- */

static const struct alphabet {
	const char *token[16];
	unsigned count, longest;
} alphabets[] = {
    {{"a", "B", ".", "..", "/", "//", ":", "%2e", "%7e", "?", "#", "x:", "@"}, 13, 4},
    {{"a", ".", "..", "/", ":", "%2e"}, 6, 5},
    {{"a", "../", "/", "./", "..", ";"}, 6, 5},
};

/* Advances to the next sequence of tokens; sets *n to its length. */
static bool next_sequence(const struct alphabet *of, unsigned char *at, unsigned *n)
{
	unsigned k = *n;
	while (k > 0 && at[k - 1] + 1u == of->count)
		at[--k] = 0;
	if (k > 0)
		at[k - 1]++;
	else
		at[(*n)++] = 0;
	return *n <= of->longest;
}

static size_t spell(char *out, const struct alphabet *of, const unsigned char *at, unsigned n)
{
	*out = '\0';
	for (unsigned k = 0; k < n; k++)
		strcat(out, of->token[at[k]]);
	return strlen(out);
}

/* Returns the components that are present, without the port, which may be removed. */
static uint32_t written(const char *s)
{
	struct urivet_uri uri;
	return urivet_parse(&uri, s, strlen(s), NULL)
		   ? uri.present & ~(1u << URIVET_PORT | 1u << URIVET_WHOLE)
		   : 0;
}

/* Resolves the reference against a base, and writes the target in normal form. */
static void lead(char *out, const char *base, const char *reference, unsigned edition)
{
	char target[256];
	enum urivet_resolved how;
	const size_t n = urivet_resolve(target, sizeof target, edition, urivet_text_of(base, strlen(base)), urivet_text_of(reference, strlen(reference)), false, &how);
	*out = (char)('0' + how);
	normal(out + 1, 254, target, n, SCHEME, edition);
}

/* Returns true if the target of a draft's algorithm no longer parses into the components that
 * formed it: "s:" and "//a", "http://h" and "g". Such a target has no meaning to preserve. */
static bool is_garbled(const char *target, const char *base, unsigned edition)
{
	const bool is_1997 = edition == URIVET_READER_URI_1997 || edition == URIVET_READER_URL_1997;
	if (strcmp(base, "http://h") == 0)
		return is_1997;
	return edition != URIVET_READER_RFC3986 && strncmp(base, "s:/", 3) == 0 && base[3] != '/' &&
	       strncmp(target + 1, "s://", 4) == 0;
}

/* RFC 3986 equates "%2e" and ".", but 5.2.4 does not process the former: the meaning to preserve
 * is that of the reference with the dot. In a path that is not hierarchical it stays. */
static void expect_dots_undone(const char *input, const char *form)
{
	char plain[128] = "", want[128];
	struct urivet_uri uri;
	const char *p;
	for (p = strstr(input, "%2e"); p != NULL; input = p + 3, p = strstr(input, "%2e")) {
		strncat(plain, input, (size_t)(p - input));
		strcat(plain, ".");
	}
	strcat(plain, input);
	normal(want, sizeof want, plain, strlen(plain), SYNTAX, URIVET_READER_RFC3986);
	cr_assert(urivet_parse(&uri, plain, strlen(plain), NULL));
	if (!urivet_has(&uri, URIVET_SCHEME) || plain[uri.part[URIVET_PATH].offset] == '/')
		cr_assert_str_eq(form, want, "%s: %s", plain, form);
}

/* Checks that the form is idempotent, has the same components, resolves to the same target, is
 * no longer than documented, and that equality by syntax implies equality by scheme. */
static void expect_same_meaning(const char *input, size_t length, unsigned edition)
{
	static const char *const bases[] = {"s://h/p/q/r", "s:/p/q", "http://h", "s:/../p"};
	char form[2][128], again[128], want[256], got[256];
	for (unsigned level = 0; level < 2; level++) {
		const char *f = normal(form[level], 128, input, length, level, edition);
		if (strcmp(f, "unreadable") == 0)
			return;
		cr_assert_str_eq(normal(again, sizeof again, f, strlen(f), level, edition), f,
				 "%s: %s", urivet_reader_name(edition), input);
		cr_assert(strlen(f) <= length + 2, "%s: %s", input, f); /* with "." or "./" before it */
		if (edition == URIVET_READER_RFC3986)
			cr_assert(written(f) == written(input), "%s: %s", input, f);
	}
	normal(again, sizeof again, form[0], strlen(form[0]), SCHEME, edition);
	cr_assert_str_eq(again, form[1]);
	if (edition == URIVET_READER_RFC3986 && strstr(input, "%2e") != NULL) {
		expect_dots_undone(input, form[0]);
		return;
	}
	for (size_t k = 0; k < COUNT(bases); k++) {
		lead(want, bases[k], input, edition);
		lead(got, bases[k], form[0], edition);
		cr_assert(is_garbled(want, bases[k], edition) || strcmp(got, want) == 0,
			  "%s: %s + %s: %s, not %s", urivet_reader_name(edition), bases[k], input,
			  got, want);
	}
}

static void over_sequences(unsigned edition)
{
	for (size_t k = 0; k < COUNT(alphabets); k++) {
		unsigned char at[8] = {0};
		unsigned n = 0, number = 0;
		do {
			char input[64];
			const size_t length = spell(input, &alphabets[k], at, n);
			if (number++ % sample() == 0)
				expect_same_meaning(input, length, edition);
		} while (next_sequence(&alphabets[k], at, &n));
	}
}

#define KEEPS_THE_MEANING(edition, reader)                                                         \
	Test(normal, keeps_the_meaning_##edition)                                                  \
	{                                                                                          \
		over_sequences(reader);                                                            \
	}

KEEPS_THE_MEANING(rfc3986, URIVET_READER_RFC3986)
KEEPS_THE_MEANING(uri_2003, URIVET_READER_URI_2003)
KEEPS_THE_MEANING(uri_1997, URIVET_READER_URI_1997)
KEEPS_THE_MEANING(url_1997, URIVET_READER_URL_1997)
KEEPS_THE_MEANING(url_1996, URIVET_READER_URL_1996)
