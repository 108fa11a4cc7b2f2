/* SPDX-License-Identifier: Apache-2.0 */
/* Tests resolution by each edition: its examples, traps, and a comparison with RFC 3986, 5.2.4
 * implemented on a string buffer. */
#include <stdlib.h>
#include <urivet/reference.h>

#include "support.h"

TestSuite(resolve, .timeout = 60);

#define BASE "http://a/b/c/d;p?q"

static const enum urivet_reader RFC = URIVET_READER_RFC3986, Y2003 = URIVET_READER_URI_2003,
				U1997 = URIVET_READER_URI_1997, L1997 = URIVET_READER_URL_1997,
				Y1996 = URIVET_READER_URL_1996;

/* Columns: the target by edition. "=" repeats the column before it, "current" precedes a
 * reference to the current document, NULL is unresolved. */
struct row {
	const char *reference, *rfc3986, *uri_2003, *uri_1997, *url_1996;
};

static const char current[] = "(current document)";

/* RFC 3986, 5.4; 2003 and 1997, appendix C; 1996, 13, whose lost results are taken from RFC
 * 1808, 5. */
static const struct row examples[] = {
    /* normal */
    {"g:h", "g:h", "=", "=", "="},
    {"g", "http://a/b/c/g", "=", "=", "="},
    {"./g", "http://a/b/c/g", "=", "=", "="},
    {"g/", "http://a/b/c/g/", "=", "=", "="},
    {"/g", "http://a/g", "=", "=", "="},
    {"//g", "http://g", "=", "=", "="},
    {"?y", "http://a/b/c/d;p?y", "=", "http://a/b/c/?y", "http://a/b/c/d;p?y"},
    {"g?y", "http://a/b/c/g?y", "=", "=", "="},
    {"#s", "http://a/b/c/d;p?q#s", "(current document)#s", "=", "http://a/b/c/d;p?q#s"},
    {"g#s", "http://a/b/c/g#s", "=", "=", "="},
    {"g?y#s", "http://a/b/c/g?y#s", "=", "=", "="},
    {";x", "http://a/b/c/;x", "=", "=", "http://a/b/c/d;x"},
    {"g;x", "http://a/b/c/g;x", "=", "=", "="},
    {"g;x?y#s", "http://a/b/c/g;x?y#s", "=", "=", "="},
    {"", "http://a/b/c/d;p?q", current, "=", "http://a/b/c/d;p?q"},
    {".", "http://a/b/c/", "=", "=", "="},
    {"./", "http://a/b/c/", "=", "=", "="},
    {"..", "http://a/b/", "=", "=", "="},
    {"../", "http://a/b/", "=", "=", "="},
    {"../g", "http://a/b/g", "=", "=", "="},
    {"../..", "http://a/", "=", "=", "="},
    {"../../", "http://a/", "=", "=", "="},
    {"../../g", "http://a/g", "=", "=", "="},
    /* abnormal */
    {"../../../g", "http://a/g", "http://a/../g", "=", "="},
    {"../../../../g", "http://a/g", "http://a/../../g", "=", "="},
    {"/./g", "http://a/g", "http://a/./g", "=", "="},
    {"/../g", "http://a/g", "http://a/../g", "=", "="},
    {"g.", "http://a/b/c/g.", "=", "=", "="},
    {".g", "http://a/b/c/.g", "=", "=", "="},
    {"g..", "http://a/b/c/g..", "=", "=", "="},
    {"..g", "http://a/b/c/..g", "=", "=", "="},
    {"./../g", "http://a/b/g", "=", "=", "="},
    {"./g/.", "http://a/b/c/g/", "=", "=", "="},
    {"g/./h", "http://a/b/c/g/h", "=", "=", "="},
    {"g/../h", "http://a/b/c/h", "=", "=", "="},
    /* only in 1996 parameters are not part of the path */
    {"g;x=1/./y", "http://a/b/c/g;x=1/y", "=", "=", "http://a/b/c/g;x=1/./y"},
    {"g;x=1/../y", "http://a/b/c/y", "=", "=", "http://a/b/c/g;x=1/../y"},
    /* 1997, C.2, lists http://a/b/c/g?y/x and http://a/b/c/x for these, which contradicts its
     * 5.2: an erratum, corrected in 2003 */
    {"g?y/./x", "http://a/b/c/g?y/./x", "=", "=", "="},
    {"g?y/../x", "http://a/b/c/g?y/../x", "=", "=", "="},
    {"g#s/./x", "http://a/b/c/g#s/./x", "=", "=", "="},
    {"g#s/../x", "http://a/b/c/g#s/../x", "=", "=", "="},
    /* 2003 allows either; here it is a validating parser */
    {"http:g", "http:g", "=", "=", "="},
    {"http:", "http:", "=", "=", "="},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the result in the notation of the tables. */
static const char *resolved(enum urivet_reader edition, const char *base, const void *reference,
			    size_t length, bool new_request)
{
	static char out[512];
	enum urivet_resolved how = 99;
	const size_t n = urivet_resolve(out, 480, edition, urivet_text_of(base, strlen(base)), urivet_text_of(reference, length), new_request, &how);
	cr_assert(n < 480 && strlen(out) == n);
	if (how == URIVET_UNRESOLVED) {
		cr_expect(n == 0);
		return NULL;
	}
	if (how == URIVET_SAME_DOCUMENT) {
		memmove(out + sizeof current - 1, out, n + 1);
		memcpy(out, current, sizeof current - 1);
	}
	return out;
}

static void expect(enum urivet_reader edition, const char *base, const char *reference,
		   const char *want)
{
	const size_t length = strlen(reference);
	const char *got = resolved(edition, base, at_edge(reference, length), length, false);
	cr_expect(want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0,
		  "%s: %s + %s: %s, not %s", urivet_reader_name(edition), base, reference,
		  got != NULL ? got : "unresolved", want != NULL ? want : "unresolved");
}

static const char *column(const char *value, const char *before)
{
	return value != NULL && strcmp(value, "=") == 0 ? before : value;
}

static void expect_row(const char *base, const struct row *row)
{
	const char *y2003 = column(row->uri_2003, row->rfc3986);
	const char *y1997 = column(row->uri_1997, y2003);
	expect(RFC, base, row->reference, row->rfc3986);
	expect(Y2003, base, row->reference, y2003);
	expect(U1997, base, row->reference, y1997);
	expect(L1997, base, row->reference, y1997);
	expect(Y1996, base, row->reference, column(row->url_1996, y1997));
}

Test(resolve, examples_of_every_edition)
{
	for (size_t k = 0; k < COUNT(examples); k++)
		expect_row(BASE, &examples[k]);
}

static const struct {
	const char *base;
	struct row row;
} others[] = {
    /* a base without path */
    {"http://a", {"g", "http://a/g", "=", "http://ag", "http://a/g"}},
    {"http://a", {"../g", "http://a/g", "http://a/../g", "http://a../g", "http://a/../g"}},
    {"http://a", {"?y", "http://a?y", "=", "=", "http://a/?y"}},
    {"http://a", {";x", "http://a/;x", "=", "http://a;x", "http://a/;x"}},
    {"http://a", {"#s", "http://a#s", "(current document)#s", "=", "http://a#s"}},
    {"http://a/", {";x", "http://a/;x", "=", "=", "="}},
    {"x:/a", {";x", "x:/;x", "=", "=", "x:/a;x"}},
    {"http://a", {"/g", "http://a/g", "=", "=", "="}},
    {"http://a", {"", "http://a", current, "=", "http://a"}},
    {"http://a?q", {"g", "http://a/g", "=", "http://ag", "http://a?q/g"}},
    /* in 1996 an empty reference inherits the whole base, including its fragment */
    {BASE "#f", {"", BASE, current, "=", BASE "#f"}},
    {BASE "#f", {"#s", BASE "#s", "(current document)#s", "=", BASE "#s"}},
    {BASE "#f", {"g", "http://a/b/c/g", "=", "=", "="}},
    /* in 1996 undefined and empty are the same */
    {BASE, {"?", "http://a/b/c/d;p?", "=", "http://a/b/c/?", BASE}},
    {BASE, {"g?", "http://a/b/c/g?", "=", "=", "http://a/b/c/g"}},
    {BASE, {"g#", "http://a/b/c/g#", "=", "=", "http://a/b/c/g"}},
    {BASE, {"#", BASE "#", "(current document)#", "=", BASE}},
    {BASE, {";", "http://a/b/c/;", "=", "=", BASE}},
    {BASE, {"g;", "http://a/b/c/g;", "=", "=", "http://a/b/c/g"}},
    {BASE, {"///g", "http:///g", "=", "=", "http://a/g"}},
    {BASE, {"//g?y", "http://g?y", "=", "=", "="}},
    {"file:///a/b", {"c", "file:///a/c", "=", "=", "="}},
    /* without an authority, two slashes must not create one */
    {"x:/a/b", {"..//c", "x:/.//c", "x://c", "=", "="}},
    {"x:/a/b", {"/.//c", "x:/.//c", "=", "=", "="}},
    {"x:/a/b", {"/..//c", "x:/.//c", "x:/..//c", "=", "="}},
    {"x://h/a/b", {"/.//c", "x://h//c", "x://h/.//c", "=", "="}},
    {"x:/", {"y:..//c", "y:/c", "y:..//c", "=", "="}},
    {"x:/", {"y:..///c", "y:/.//c", "y:..///c", "=", "="}},
    {"x:/", {"y:/.//c", "y:/.//c", "=", "=", "="}},
    {"x:/", {"y:a/../b", "y:/b", "y:a/../b", "=", "="}},
    {"x:/", {"y:./a", "y:a", "y:./a", "=", "="}},
    {"x:/", {"y:..", "y:", "y:..", "=", "="}},
    {"x:/a/b", {"../../..", "x:/", "x:/../..", "=", "="}},
    {"x:/a/b", {"./c:d", "x:/a/c:d", "=", "=", "="}},
    /* there is no empty segment before the first slash, but there is after it */
    {"x://h/a//b", {"../c", "x://h/a/c", "=", "=", "="}},
    {"x://h//b", {"../../c", "x://h/c", "x://h/../c", "=", "="}},
    /* the dot segments of the base are removed in a merge, not if its path is inherited */
    {"x://h/a/../b", {"c", "x://h/c", "=", "=", "="}},
    {"x://h/a/../b", {"?c", "x://h/a/../b?c", "=", "x://h/?c", "x://h/a/../b?c"}},
    {"x://h/..", {"c", "x://h/c", "=", "=", "="}},
    {"x://h/../a", {"c", "x://h/c", "x://h/../c", "=", "="}},
    /* in the drafts a final ".." with nothing before it gets no slash */
    {"x://h/a", {"..", "x://h/", "x://h/..", "=", "="}},
    {"x://h/a", {"../.", "x://h/", "x://h/../", "=", "="}},
    {"x://h/a", {"../b/..", "x://h/", "x://h/../", "=", "="}},
    {"x://h/a", {"b/../..", "x://h/", "x://h/..", "=", "="}},
    /* triplets stay encoded, and are no dots */
    {"x://h/a/b", {"%2e%2E/c", "x://h/a/%2e%2E/c", "=", "=", "="}},
    {"HTTP://U@H:80/%7e", {"%7e", "HTTP://U@H:80/%7e", "=", "=", "="}},
    /* schemes that begin with a digit */
    {BASE, {"4g:h", NULL, NULL, "4g:h", "="}},
    /* inputs that are no base, with references that need one */
    {"", {"g", NULL, NULL, NULL, NULL}},
    {"", {"g:h", "g:h", "=", "=", "="}},
    {"//h/a", {"g", NULL, NULL, NULL, NULL}},
    {"a", {"g", NULL, NULL, NULL, NULL}},
    {"urn:a", {"g", NULL, NULL, NULL, NULL}},
    {"x:", {"g", NULL, NULL, NULL, NULL}},
    {"urn:a/b", {"g", NULL, NULL, NULL, NULL}},
    {"urn:a", {"", NULL, NULL, NULL, NULL}},
    {"urn:a", {"g:h", "g:h", "=", "=", "="}},
    {"mailto:/a", {"g", NULL, NULL, NULL, NULL}},
    {"NEWS:/a", {"g", NULL, NULL, NULL, NULL}},
    {"telnet://h/a", {"g", NULL, NULL, NULL, NULL}},
    {"telnet://h/a", {"g:h", "g:h", "=", "=", "="}},
    {"telnets://h/a", {"g", "telnets://h/g", "=", "=", "="}},
    /* unreadable inputs */
    {"http://a/ b", {"g", NULL, NULL, NULL, NULL}},
    {"http://a/ b", {"g:h", NULL, NULL, NULL, NULL}},
    {BASE, {"g h", NULL, NULL, NULL, NULL}},
    {BASE, {"%4", NULL, NULL, NULL, NULL}},
    {BASE, {"//[::1]/g", "http://[::1]/g", "=", NULL, NULL}},
    {BASE, {"//[v1.x]/g", "http://[v1.x]/g", NULL, NULL, NULL}},
};

Test(resolve, other_references)
{
	for (size_t k = 0; k < COUNT(others); k++)
		expect_row(others[k].base, &others[k].row);
}

/* RFC 3986, 4.4; 1997, 3: a context that always makes a new request. */
Test(resolve, new_request)
{
	static const struct {
		const char *base, *reference, *target, *url_1996;
	} rows[] = {
	    {BASE "#f", "", BASE, BASE "#f"},
	    {BASE "#f", "#s", BASE "#s", BASE "#s"},
	    {"http://a", "", "http://a", "http://a"},
	    {BASE, "g", "http://a/b/c/g", "http://a/b/c/g"},
	    {"mailto:a", "", NULL, NULL},
	};
	for (size_t k = 0; k < COUNT(rows); k++)
		for (unsigned edition = RFC; edition <= Y1996; edition++) {
			const char *want = edition == Y1996 ? rows[k].url_1996 : rows[k].target;
			const char *got = resolved(edition, rows[k].base, rows[k].reference,
						   strlen(rows[k].reference), true);
			cr_expect(want == NULL ? got == NULL : got != NULL && !strcmp(got, want),
				  "%s + %s: %s", rows[k].base, rows[k].reference, got);
		}
}

Test(resolve, readers_that_are_no_editions)
{
	for (unsigned how = URIVET_READER_REGEX; how < URIVET_READERS + 2; how++)
		cr_expect(resolved(how, BASE, "g", 1, false) == NULL);
}

/* The base ends at the unreadable page. */
Test(resolve, every_octet_of_the_base)
{
	static const char base[] = "http://u@a:80/b/../c/%7e/d;p?q#f";
	for (unsigned edition = RFC; edition <= Y1996; edition++)
		for (size_t n = 0; n < sizeof base; n++) {
			static const char *const references[] = {"",   "g/../..", "?y",
								 ";x", "#s",      "//h"};
			const void *edge = at_edge(base, n);
			for (size_t k = 0; k < COUNT(references); k++) {
				char out[128];
				urivet_resolve(out, sizeof out, edition, urivet_text_of(edge, n), urivet_text_of(references[k], strlen(references[k])), false, NULL);
			}
		}
	cr_expect(urivet_resolve(NULL, 0, RFC, urivet_text_of(NULL, 0), urivet_text_of(NULL, 0), false, NULL) == 0);
}

/* Capacities follow snprintf: the exact length, never an octet beyond. */
Test(resolve, every_capacity)
{
	for (size_t k = 0; k < COUNT(examples); k++)
		for (unsigned edition = RFC; edition <= Y1996; edition++) {
			char want[128], out[128];
			const char *reference = examples[k].reference;
			const size_t n = urivet_resolve(want, sizeof want, edition, TEXT(BASE),
							text_of_string(reference), false, NULL);
			for (size_t capacity = 0; capacity < n + 3; capacity++) {
				memset(out, 'X', sizeof out);
				cr_expect(urivet_resolve(out, capacity, edition, TEXT(BASE),
							 text_of_string(reference), false, NULL) == n);
				for (size_t i = capacity; i < sizeof out; i++)
					cr_assert(out[i] == 'X', "capacity %zu, octet %zu",
						  capacity, i);
				if (capacity > 0) {
					const size_t kept = capacity <= n ? capacity - 1 : n;
					cr_expect(memcmp(out, want, kept) == 0 &&
						  out[kept] == '\0');
				}
			}
		}
}

/* ---- RFC 3986, 5.2.4, literally -------------------------------------------------------- */

static bool begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void remove_last_segment(char *out)
{
	char *slash = strrchr(out, '/');
	*(slash != NULL ? slash : out) = '\0';
}

static void remove_dot_segments(char *out, const char *input)
{
	char in[64];
	strcpy(in, input);
	*out = '\0';
	while (*in != '\0') {
		if (begins(in, "../")) {
			memmove(in, in + 3, strlen(in + 3) + 1);
		} else if (begins(in, "./")) {
			memmove(in, in + 2, strlen(in + 2) + 1);
		} else if (begins(in, "/./")) {
			memmove(in, in + 2, strlen(in + 2) + 1);
		} else if (strcmp(in, "/.") == 0) {
			strcpy(in, "/");
		} else if (begins(in, "/../")) {
			memmove(in, in + 3, strlen(in + 3) + 1);
			remove_last_segment(out);
		} else if (strcmp(in, "/..") == 0) {
			strcpy(in, "/");
			remove_last_segment(out);
		} else if (strcmp(in, ".") == 0 || strcmp(in, "..") == 0) {
			*in = '\0';
		} else {
			const size_t n = strcspn(in + 1, "/") + 1;
			strncat(out, in, n);
			memmove(in, in + n, strlen(in + n) + 1);
		}
	}
}

/* Advances to the next string over the alphabet, shortest first; returns false after the last of
 * the greatest length. */
static bool next_string(char *s, const char *alphabet, size_t longest)
{
	const size_t n = strlen(s);
	for (size_t k = n; k-- > 0;) {
		const char *next = strchr(alphabet, s[k]) + 1;
		s[k] = *next != '\0' ? *next : alphabet[0];
		if (*next != '\0')
			return true;
	}
	memset(s, alphabet[0], n + 1);
	s[n + 1] = '\0';
	return n < longest;
}

static void expect_removed(const char *prefix, const char *path)
{
	char want[96], in[96], out[96];
	const size_t n = strlen(prefix);
	strcpy(want, prefix);
	remove_dot_segments(want + n, path);
	if (strcmp(prefix, "x:") == 0 && begins(want + n, "//")) { /* 5.3 would give an ambiguous result */
		memmove(want + n + 2, want + n, strlen(want + n) + 1);
		memcpy(want + n, "/.", 2);
	}
	strcpy(in, prefix);
	strcat(in, path);
	urivet_resolve(out, sizeof out, RFC, TEXT(BASE), text_of_string(in), false, NULL);
	cr_assert_str_eq(out, want, "%s: %s, not %s", in, out, want);
}

Test(resolve, absolute_paths_by_a_string_buffer)
{
	static const struct {
		const char *prefix, *alphabet;
		size_t longest;
	} sets[] = {{"x:", "./a", 10}, {"x://h", "./a", 10}, {"x:", "./ab:", 7}};
	for (size_t k = 0; k < COUNT(sets); k++) {
		char path[32] = "";
		do {
			const bool authority = strcmp(sets[k].prefix, "x:") != 0;
			if (authority ? *path == '/' || *path == '\0' : !begins(path, "//"))
				expect_removed(sets[k].prefix, path);
		} while (next_string(path, sets[k].alphabet, sets[k].longest));
	}
}

/* ---- Step 6 of the drafts, literally -------------------------------------------------- */

/* 1997, 5.2, 6c to 6f: pattern replacements in a buffer. The slash that begins the path does not
 * end a segment. */
static void draft_dots(char *path)
{
	char *s = path + (*path == '/'), *p;
	bool found = true;
	for (p = s; *p != '\0';) { /* c */
		if (begins(p, "./") && (p == s || p[-1] == '/'))
			memmove(p, p + 2, strlen(p + 2) + 1);
		else
			p++;
	}
	p = s + strlen(s); /* d */
	if (p > s && p[-1] == '.' && (p == s + 1 || p[-2] == '/'))
		p[-1] = '\0';
	while (found) { /* e: the leftmost, repeatedly */
		found = false;
		for (p = s; !found && strchr(p, '/') != NULL; p = strchr(p, '/') + 1) {
			char *slash = strchr(p, '/');
			if (begins(slash, "/../") && !(slash == p + 2 && begins(p, ".."))) {
				memmove(p, slash + 4, strlen(slash + 4) + 1);
				found = true;
				break;
			}
		}
	}
	p = s + strlen(s); /* f */
	if (p >= s + 3 && strcmp(p - 3, "/..") == 0) {
		char *segment = p - 3;
		while (segment > s && segment[-1] != '/')
			segment--;
		if (!(segment + 2 == p - 3 && begins(segment, "..")))
			*segment = '\0';
	}
}

/* 5.2.2 to 5.2.4 of RFC 3986, and step 6 of the drafts if the base has a path: relative paths, with
 * generated bases and references. */
Test(resolve, merged_paths_by_a_string_buffer_and_by_the_steps_of_the_drafts)
{
	char base[16] = "";
	do {
		char reference[16] = "";
		if (*base != '/' && *base != '\0')
			continue;
		do {
			char in_base[32] = "x://h", merged[64] = "/", want[96] = "x://h", out[96];
			if (*reference == '/' || *reference == '\0')
				continue;
			strcat(in_base, base);
			if (*base == '/')
				memcpy(merged, base, (size_t)(strrchr(base, '/') - base + 1));
			strcat(merged, reference);
			remove_dot_segments(want + 5, merged);
			const unsigned last = *base == '/' ? Y1996 : RFC;
			for (unsigned edition = RFC; edition <= last; edition++) {
				urivet_resolve(out, sizeof out, edition, text_of_string(in_base),
					       text_of_string(reference), false, NULL);
				cr_assert_str_eq(out, want, "%s: %s + %s", urivet_reader_name(edition), in_base,
						 reference);
				strcpy(want + 5, merged);
				draft_dots(want + 5);
			}
		} while (next_string(reference, "./a", 6));
	} while (next_string(base, "./a", 5));
}

/* Linear time: a million ".." after a million segments. */
Test(resolve, long_paths)
{
	const size_t N = 1000000 / sample();
	char *base = malloc(2 * N + 16), *reference = malloc(3 * N + 16), *out = malloc(64);
	size_t n = 7;
	memcpy(base, "x://h/a", 7);
	for (size_t k = 0; k < N; k++, n += 2)
		memcpy(base + n, "/a", 2);
	for (size_t k = 0; k < N; k++)
		memcpy(reference + 3 * k, "../", 3);
	for (unsigned edition = RFC; edition <= Y1996; edition++) {
		cr_expect(
		    urivet_resolve(out, 64, edition, urivet_text_of(base, n), urivet_text_of(reference, 3 * N), false, NULL) == 6);
		cr_expect_str_eq(out, "x://h/");
	}
	free(base);
	free(reference);
	free(out);
}
