/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the fast copies of plain URLs equal the composed results: RFC 3986, 5.4, 6.2.2 and
 * 6.2.3, and inputs that cannot be copied. */
#include "support.h"

#include "reference/forward.h"

TestSuite(forward, .timeout = 60);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns true if the output is the wanted text, or if nothing was written and `want` is NULL. */
static bool is_wanted(bool put, const struct out *o, const char *want)
{
	if (want == NULL)
		return !put && o->length == 0;
	return put && o->length == strlen(want) && memcmp(o->data, want, o->length) == 0;
}

/* ---- Normal forms ------------------------------------------------------------------- */

static const struct {
	const char *uri, *syntax, *scheme; /* NULL: not copied */
} forms[] = {
    {"http://a/", "http://a/", "http://a/"},
    {"http://example.com", "http://example.com", "http://example.com/"}, /* 6.2.3 */
    {"https://example.com", "https://example.com", "https://example.com/"},
    {"https://www.example.com/a/b.c/", "https://www.example.com/a/b.c/",
     "https://www.example.com/a/b.c/"},
    {"https://www.example.com/~a?b=/../c#d", "https://www.example.com/~a?b=/../c#d",
     "https://www.example.com/~a?b=/../c#d"},
    /* cannot be copied */
    {"", NULL, NULL}, {"HTTP://www.example.com/", NULL, NULL},
    {"hTtps://www.example.com/", NULL, NULL}, {"http://www.Example.com/", NULL, NULL},
    {"http://www.example.com:80/", NULL, NULL}, {"http://www.example.com:/", NULL, NULL},
    {"http://www.example.com/%7Ea", NULL, NULL}, {"http://www.example.com/a?%41", NULL, NULL},
    {"http://www.example.com/a#%41", NULL, NULL}, {"http://www.example.com/a/./b", NULL, NULL},
    {"http://www.example.com/a/../b", NULL, NULL}, {"http://www.example.com/a/..", NULL, NULL},
    {"http://www.example.com/a/.", NULL, NULL}, {"http://www.example.com/..?a", NULL, NULL},
    {"http://[2001:DB8:0::1]/", NULL, NULL}, {"http://www.example.com/a b", NULL, NULL},
    {"ftp://www.example.com/", NULL, NULL}, {"//www.example.com/a/b/c", NULL, NULL},
    {"/a/b/c/d/e/f/g/h/i/j", NULL, NULL},
};

static void expect_form(const char *uri, enum urivet_level level, const char *want)
{
	char data[128];
	struct out o = {data, sizeof data, 0};
	const bool put = urivet_put_plain_form(&o, EDGE(uri), level);
	cr_expect(is_wanted(put, &o, want), "%s: %.*s", uri, (int)o.length, data);
}

Test(forward, forms)
{
	for (size_t k = 0; k < COUNT(forms); k++) {
		expect_form(forms[k].uri, URIVET_LEVEL_SYNTAX, forms[k].syntax);
		expect_form(forms[k].uri, URIVET_LEVEL_SCHEME, forms[k].scheme);
	}
}

/* Normal forms that are not copied are composed, and copies are made for RFC 3986 only. */
Test(forward, forms_by_all_ways)
{
	static const struct {
		enum urivet_reader edition;
		const char *uri, *want;
	} rows[] = {
	    {URIVET_READER_RFC3986, "http://www.Example.com:80", "http://www.example.com/"},
	    {URIVET_READER_RFC3986, "http://www.example.com?a", "http://www.example.com/?a"},
	    {URIVET_READER_RFC3986, "http://www.example.com#a", "http://www.example.com/#a"},
	    {URIVET_READER_URL_1996, "http://www.example.com/a", "http://www.example.com/a"},
	    {URIVET_READER_URL_1996, "http://www.example.com/~a", ""}, /* 4: "~" is a national character */
	};
	for (size_t k = 0; k < COUNT(rows); k++) {
		char out[128];
		bool readable;
		urivet_normalise(out, sizeof out, rows[k].uri, strlen(rows[k].uri),
				 URIVET_LEVEL_SCHEME, rows[k].edition, &readable);
		cr_expect_str_eq(out, rows[k].want, "%s: %s", rows[k].uri, out);
		cr_expect_eq(readable, *rows[k].want != '\0');
	}
}

/* ---- Targets ------------------------------------------------------------------------ */

#define BASE "http://a/b/c/d?q"

/* RFC 3986, 5.4, with "d" instead of "d;p" as the last segment of the base, because that is not
 * plain. NULL: not copied. */
static const struct {
	const char *base;
	struct {
		const char *reference, *target;
	} of[34];
} targets[] = {
    {BASE, {{"g", "http://a/b/c/g"}, {"./g", "http://a/b/c/g"}, {"g/", "http://a/b/c/g/"}, {"/g", "http://a/g"}, {"?y", "http://a/b/c/d?y"},
      {"g?y", "http://a/b/c/g?y"}, {"#s", "http://a/b/c/d?q#s"}, {"g#s", "http://a/b/c/g#s"}, {"g?y#s", "http://a/b/c/g?y#s"}, {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"}, {"g;x?y#s", "http://a/b/c/g;x?y#s"}, {"", "http://a/b/c/d?q"}, {".", "http://a/b/c/"}, {"./", "http://a/b/c/"},
      {"..", "http://a/b/"}, {"../", "http://a/b/"}, {"../g", "http://a/b/g"}, {"../..", "http://a/"}, {"../../", "http://a/"}, {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"}, {"../../../../g", "http://a/g"}, {"g.", "http://a/b/c/g."}, {".g", "http://a/b/c/.g"}, {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"}, {"...", "http://a/b/c/..."}, {"./../g", "http://a/b/g"}, {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g?y/../x", "http://a/b/c/g?y/../x"}, {"g#s/./x", "http://a/b/c/g#s/./x"}, {"g#s/../x", "http://a/b/c/g#s/../x"}}},
    /* other copies */
    {BASE "#f", {{"", BASE}, {"#", BASE "#"}, {"?", "http://a/b/c/d?"}}},
    {BASE, {{"?y:z?#s:t?", "http://a/b/c/d?y:z?#s:t?"}, {"..?y", "http://a/b/?y"}, {".#s", "http://a/b/c/#s"}, {"./x:y", "http://a/b/c/x:y"},
      {"g/x:y", "http://a/b/c/g/x:y"}, {"/x:y", "http://a/x:y"}, {"..//g", "http://a/b//g"}, {"%2e%2E/g", "http://a/b/c/%2e%2E/g"}, {"/", "http://a/"}}},
    {"http://a/b/c/", {{"g", "http://a/b/c/g"}, {"..", "http://a/b/"}}},
    {"http://a/", {{"../g", "http://a/g"}}},
    {"http://a", {{"g", "http://a/g"}, {"../g", "http://a/g"}, {"..", "http://a/"}, {"?y", "http://a?y"}, {"", "http://a"}}},
    {"https://www.example.org/b/c/d?q#f", {{"../g", "https://www.example.org/b/g"}}},
    {BASE, {{"https://www.example.org/b?q#f", "https://www.example.org/b?q#f"}, {"https://www.example.org", "https://www.example.org"}}},
    /* cannot be copied */
    {BASE, {{"g:h", NULL}, {"http:g", NULL}, {"//g", NULL}, {"//", NULL}, {"/./g", NULL}, {"/../g", NULL}, {"/..", NULL}, {"./g/.", NULL},
      {"./g/..?y", NULL}, {"g/./h", NULL}, {"g/../h", NULL}, {"..//../h", NULL}, {"g h", NULL}, {"g%4", NULL}, {"g?[", NULL}, {"#a#b", NULL},
      {"x:y/z", NULL}, {"https://www.example.org/a/../b", NULL}}},
    {"http://a/b/c/d;p?q", {{"g", NULL}}},
    {"http://a/b/../c", {{"g", NULL}}},
    {"http://A/b/c/d", {{"g", NULL}}},
    {"http://a/ b/c/d", {{"g", NULL}}},
    {"//www.example.org/a/b", {{"g", NULL}}},
    {"", {{"g", NULL}, {"http://a/", NULL}}},
};

static void expect_target(const char *base, const char *uri, const char *target)
{
	char data[128], reference[64];
	struct out o = {data, sizeof data, 0};
	const size_t n = strlen(uri);
	bool put;
	memcpy(reference, uri, n);
	put = urivet_put_plain_target(&o, EDGE(base),
				      text_of(reference, (uint32_t)n));
	cr_expect(is_wanted(put, &o, target), "%s + %s: %.*s", base,
		  uri, (int)o.length, data);
	o.length = 0;
	memcpy(reference, base, strlen(base));
	put = urivet_put_plain_target(&o,
				      text_of(reference, (uint32_t)strlen(base)),
				      EDGE(uri));
	cr_expect(is_wanted(put, &o, target));
}

Test(forward, targets)
{
	for (size_t k = 0; k < COUNT(targets); k++)
		for (size_t i = 0; targets[k].of[i].reference != NULL; i++)
			expect_target(targets[k].base, targets[k].of[i].reference, targets[k].of[i].target);
}

/* For every capacity nothing is written beyond it, and the full length is returned. */
static void expect_capacity(const char *base, const char *reference, const char *want, size_t capacity)
{
	const size_t n = strlen(want), kept = capacity <= n ? capacity - 1 : n;
	char out[80];
	memset(out, 'X', sizeof out);
	cr_assert(
	    urivet_resolve(capacity > 0 ? out : NULL, capacity,
			   URIVET_READER_RFC3986, text_of_string(base),
			   text_of_string(reference), false, NULL) == n);
	cr_assert(capacity == 0 ||
		  (memcmp(out, want, kept) == 0 && out[kept] == '\0'));
	for (size_t i = capacity; i < sizeof out; i++)
		cr_assert(out[i] == 'X');
}

Test(forward, every_capacity)
{
	for (size_t k = 0; k < COUNT(targets); k++)
		for (size_t i = 0; targets[k].of[i].reference != NULL; i++)
			for (size_t capacity = 0; capacity < 64 && targets[k].of[i].target != NULL; capacity++)
				expect_capacity(targets[k].base, targets[k].of[i].reference, targets[k].of[i].target, capacity);
}

/* Bases and references that are too long are neither read nor copied. */
Test(forward, too_long)
{
	const size_t much = (size_t)URIVET_MAX_LENGTH + 1;
	enum urivet_resolved how = URIVET_RESOLVED;
	bool readable = true;
	char out[8];
	cr_expect(urivet_normalise(out, 8, "a", much, URIVET_LEVEL_SYNTAX, URIVET_READER_RFC3986,
				   &readable) == 0);
	cr_expect(!readable);
	cr_expect(urivet_resolve(out, 8, URIVET_READER_RFC3986, urivet_text_of(BASE, much),
				 TEXT("g"), false, &how) == 0);
	cr_expect(how == URIVET_UNRESOLVED);
	how = URIVET_RESOLVED;
	cr_expect(urivet_resolve(out, 8, URIVET_READER_RFC3986, TEXT(BASE),
				 urivet_text_of("g", much), false, &how) == 0);
	cr_expect(how == URIVET_UNRESOLVED);
}
