/* SPDX-License-Identifier: Apache-2.0 */
/* Tests plain URLs with vectors: at every length, alignment and octet the result equals the
 * reference, and no octet outside the text is read. */
#include "support.h"

#include "../../all_rules.h"
#include "plain/components.h"
#include "plain/vector.h"

#if URIVET_VECTORS >= 1
#include "../../same_parts.h"

TestSuite(vector, .timeout = 60);

/* Every implementation that this machine has. */
static const struct way {
	const char *name;
	bool (*plain)(struct text t, struct plain *p);
	uint32_t (*brief)(struct text t);
	struct tail (*tail)(struct text t, uint32_t at);
} ways[] = {
#if URIVET_VECTORS >= 2
    {"avx2", urivet_plain_by_avx2, urivet_brief_by_avx2, urivet_tail_by_avx2},
#endif
    {"baseline", BASELINE(urivet_plain_by), BASELINE(urivet_brief_by), BASELINE(urivet_tail_by)},
    {"chosen", urivet_plain_by_vector, urivet_brief_by_vector, urivet_tail_by_vector},
};

static bool here(const struct way *way)
{
#if URIVET_VECTORS >= 2
	/* queried once: in a virtual machine the answer takes a microsecond and more */
	static int avx2 = -1;
	if (avx2 < 0)
		avx2 = urivet_has_avx2();
	if (way->plain == urivet_plain_by_avx2)
		return avx2 > 0;
#endif
	return way->plain != NULL;
}

static unsigned long texts, plain_texts, brief_texts;

static bool is_mark(uint8_t octet)
{
	return octet == '-' || octet == '.' || octet == '/';
}

/* Returns true for plain texts on the fastest path: without query and fragment, digit in the
 * name, two adjacent marks, hyphen at the end, or octets other than unreserved and "/". */
static bool is_brief(struct text t)
{
	struct plain p;
	if (!urivet_plain_by_octet(t, &p) || p.tail.path_end < t.end || t.data[t.end - 1] == '-')
		return false;
	for (uint32_t k = p.host; k < t.end; k++)
		if ((is_mark(t.data[k - 1]) && is_mark(t.data[k])) ||
		    !is(t, k, UNRESERVED | SLASH) ||
		    (k < p.path && t.data[k] >= '0' && t.data[k] <= '9'))
			return false;
	return true;
}

/* Checks that the components by the fast path equal those of the parser byte for byte. */
static void expect_same_components(const void *data, size_t length)
{
	static struct urivet_uri quick, full;
	size_t quick_misfit = 1, full_misfit = 2;
	memset(&quick, 0x5a, sizeof quick);
	memset(&full, 0x5a, sizeof full);
	cr_assert(urivet_parse(&quick, data, length, &quick_misfit) ==
		  urivet_split_and_match(&full, data, length, &full_misfit));
	cr_assert(quick_misfit == full_misfit && memcmp(&quick, &full, sizeof quick) == 0, "%s",
		  shown(data, length));
}

/* Checks the tail that begins with the slash at `at`. */
static void expect_same_tail(const struct way *way, struct text t, uint32_t at)
{
	cr_assert(same_tail(t, at, way->tail(t, at), urivet_tail_by_octet(t, at)), "%s, tail at %u: %s", way->name, (unsigned)at, shown(t.data, t.end));
}

/* Checks the tails that begin with the first slashes of the text. */
static void expect_same_tails(const struct way *way, struct text t)
{
	unsigned slashes = 0;
	for (uint32_t at = 0; at < t.end && slashes < 4; at++)
		if (t.data[at] == '/') {
			expect_same_tail(way, t, at);
			slashes++;
		}
}

/* Checks that every implementation agrees with the octet-by-octet one, and that exactly the
 * brief texts take the fastest path. */
static void expect_agreement(const void *data, size_t length)
{
	const struct text t = {data, (uint32_t)length};
	struct plain p;
	texts++;
	plain_texts += urivet_plain_by_octet(t, &p);
	expect_same_components(data, length);
	cr_assert(same_parts(t, urivet_plain),
		  "plain.c reads it otherwise than vectors (masks.h): %s",
		  shown(data, length));
	for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
		uint32_t path = 0;
		if (!here(&ways[k]) || length < VECTOR_LEAST)
			continue;
		cr_assert(same_parts(t, ways[k].plain), "%s: %s", ways[k].name, shown(data, length));
		expect_same_tails(&ways[k], t);
		if (length < VECTOR_BRIEF) {
			path = ways[k].brief(t);
			cr_assert(path == (is_brief(t) ? p.path : 0), "%s, brief: %s",
				  ways[k].name, shown(data, length));
		}
		brief_texts += path > 0;
	}
}

/* Checks that the report by the fast path equals that of the rules byte for byte. */
static void expect_same_report(const void *data, size_t length, const struct urivet_policy *policy)
{
	static struct urivet_report quick, full;
	report_both_ways(&quick, &full, data, length, policy);
	cr_assert(quick.url_rule == NULL); /* set at the start of every call */
	cr_assert(memcmp(&quick, &full, offsetof(struct urivet_report, url_rule)) == 0,
		  "skipping rules hides findings of %s; all rules find %s: see what wakes them in rules.h",
		  shown(data, length), ids_of(&full));
}

static const char *const seeds[] = {
    "http://example.org/",
    "https://www.example-1.org/a/b.c",
    "http://a.bc/xyz?q=1&r#f",
    "https://example.org",
    "https://www.ab-cd.example.org/some/longer/path/to/index.html",
    "http://www.example.org/~user/path_of/63-octets/file.tar.gz?x#yy",
    "HTTPS://user@1.2.3.4:443/%C3%A9",
    "http://[2001:db8::1]:80/?a[]=b",
    "http://www1.example-2b.c3.org/a/long/path/that/does/not/fit/into/one/window/of/64/octets.html",
    ("https://subdomain.of-a.long-name.with.many.labels.example.com/and/a/path/too/that/is/"
     "long.html"),
};

/* All octets at all positions. */
Test(vector, every_octet_everywhere)
{
	for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
		const size_t length = strlen(seeds[k]);
		char text[128];
		memcpy(text, seeds[k], length);
		for (size_t at = 0; at < length; at++) {
			for (unsigned c = 0; c < 256; c++) {
				text[at] = (char)c;
				expect_agreement(text, length);
				expect_same_report(text, length, NULL);
				expect_same_report(text, length, BY_PUBLIC);
			}
			text[at] = seeds[k][at];
		}
	}
}

/* Every length, ending at an unreadable page, and beginning after one. */
Test(vector, no_octet_outside_is_read)
{
	static const char *const units[] = {"a", "/a", "a.", "abcdefg/", "?", "x-"};
	for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
		for (size_t length = 0; length <= 260; length++) {
			char text[300];
			size_t n =
			    (size_t)sprintf(text, k % 2 == 0 ? "http://h.org/" : "https://h.org/");
			for (; n < length; n++)
				text[n] = units[k][n % strlen(units[k])];
			expect_agreement(at_edge(text, length), length);
			if (length <= 64)
				continue;
			memset(text + 64, '{', length - 64); /* the second window has nothing of a path */
			expect_agreement(at_edge(text, length), length);
		}
}

/* Two octets that have a meaning when adjacent, at every border of windows. */
Test(vector, pairs_everywhere)
{
	static const char *const pairs[] = {"//", "/.", "./", "..", ".-", "-.", "-/", "/-", "/?",
					    "?#", "%4", "a/", "/a"};
	for (unsigned https = 0; https < 2; https++)
		for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
			for (size_t at = 0; at <= 200; at++)
				for (size_t after = 0; after <= 70; after += 5) {
					char text[400];
					size_t n = (size_t)sprintf(text, "http%s://h.org/",
								   https ? "s" : "");
					memset(text + n, 'a', at + after + 2);
					memcpy(text + n + at, pairs[k], 2);
					n += at + after + 2;
					expect_agreement(text, n);
				}
}

Test(vector, every_alignment)
{
	static _Alignas(64) char room[512];
	for (size_t offset = 0; offset < 64; offset++)
		for (size_t length = 0; length <= 200; length++) {
			const char *seed = "https://www.example.org/path/of-a/file.name.html/";
			for (size_t k = 0; k < length; k++)
				room[offset + k] = seed[k < 24 ? k : 24 + k % 25];
			/* octets after the text must not count */
			memset(room + offset + length, length % 2 == 0 ? 'a' : '%', 64);
			expect_agreement(room + offset, length);
		}
}

/* Names that a policy may know: the name itself, one below it, a longer label, and capitals. */
Test(vector, known_names)
{
#define ENDS_IN(letter, octet, shorter, fourth, fifth, eighth)
#define SPELLS(words, name, source, date)               name,
#define KNOWN(scope, finding, name, source, date)       name,
	static const char *const names[] = {
#include "policy/known_names.def"
	};
#undef KNOWN
#undef SPELLS
#undef ENDS_IN
	static const char *const before[] = {"", "a.", "a-b.c.", "a", "xa."};
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		for (size_t b = 0; b < sizeof before / sizeof before[0]; b++) {
			char text[200];
			size_t length =
			    (size_t)sprintf(text, "https://%s%s/a", before[b], names[k]);
			expect_same_report(text, length, BY_PUBLIC);
			expect_same_report(text, length - 2, BY_PUBLIC);
			text[8] = 'X';
			expect_same_report(text, length, BY_PUBLIC);
		}
}

/* Texts joined from components, sometimes with one octet changed. */
Test(vector, whatever_is_put_together)
{
	static const char *const pieces[] = {
	    "example", ".com", "a", ".", "-", "--", "/", "//", "?", "#", "b.c", "..", "=", "&",
	    ":", "'", "~", "_", "1", "A", "@", "%20", "xn--a", "/a/b", "?q", "#f", "+", ";", ",",
	    "!", "/.", "./", "1.2", "3-4", "9z", "z9", "0", "\xff", "abcdefghijklmnopqrstuvwxyz",
	    "/./", "a.b", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	static const char *const heads[] = {
	    "http://", "https://", "", "http://www.example.org", "https://www.example.org/",
	    "http://ab-c3.de/", "https://10.example.org/", "HTTP://h.org/",
	};
	for (unsigned k = 0; k < 300000 / sample(); k++) {
		char text[2000];
		size_t length = (size_t)sprintf(text, "%s", heads[random_below(8)]);
		for (uint32_t n = random_below(10) + (random_below(20) == 0 ? 40 : 0); n > 0; n--)
			length +=
			    (size_t)sprintf(text + length, "%s",
					    pieces[random_below(sizeof pieces / sizeof *pieces)]);
		if (length > 0 && random_below(4) == 0)
			text[random_below((uint32_t)length)] = (char)random_below(256);
		expect_agreement(at_edge(text, length), length);
		expect_same_report(at_edge(text, length), length, NULL);
	}
	cr_expect(plain_texts > 25000 / sample() && brief_texts > 20000 / sample(), "%lu plain, %lu brief", plain_texts,
		  brief_texts);
}

/* Paths of 255 octets are plain, longer ones are not, whatever follows. */
Test(vector, long_paths)
{
	static const char *const tails[] = {"", "?a=1", "#f"};
	for (unsigned path = 250; path < 262; path++)
		for (unsigned size = 2; size < 6; size++)
			for (unsigned k = 0; k < 3; k++) {
				char text[400];
				struct plain p;
				size_t length = (size_t)sprintf(text, "http://h.org");
				for (unsigned at = 0; at < path; at++)
					text[length++] = at % size == 0 ? '/' : 'a';
				length += (size_t)sprintf(text + length, "%s", tails[k]);
				expect_agreement(at_edge(text, length), length);
				expect_same_report(text, length, NULL);
				cr_expect(urivet_plain_by_octet(text_of(text, (uint32_t)length),
								&p) == (path <= PLAIN_PATH));
			}
}

/* A URL that begins one octet too late is not plain, whatever its length. */
Test(vector, octet_before_the_scheme)
{
	for (size_t length = VECTOR_LEAST; length < 200; length++) {
		char text[200];
		memset(text, '0', sizeof text);
		memcpy(text, "<http://h/", sizeof "<http://h/" - 1);
		expect_agreement(at_edge(text, length), length);
		expect_agreement(at_edge(text + 1, length - 1), length - 1);
		memcpy(text, "//www.h.org/", sizeof "//www.h.org/" - 1); /* nor one without a scheme */
		expect_agreement(at_edge(text, length), length);
	}
}

/* A digit at every place of names that end in the first window or after it, alone and with
 * another one two octets later. */
Test(vector, digits_everywhere)
{
	for (unsigned name = 5; name < 150; name++)
		for (unsigned at = 0; at < name; at++)
			for (unsigned two = 0; two < 2; two++) {
				char text[200];
				size_t length = (size_t)sprintf(text, "https://");
				for (unsigned k = 0; k < name; k++)
					text[length++] = k % 21 == 4 && k + 1 < name ? '.' : 'a';
				text[8 + at] = '7';
				if (two && at + 2 < name)
					text[8 + at + 2] = '7';
				length += (size_t)sprintf(text + length, "%s", "/a");
				expect_agreement(text, length);
			}
}

/* Names up to and above every limit, in texts of every remainder: 253 octets and 63 in a label
 * are plain, one more is not. */
Test(vector, long_names)
{
	for (unsigned label = 1; label < 70; label++)
		for (unsigned name = 1; name < 260; name++)
			for (unsigned path = 0; path < 3; path++) {
				char text[400];
				struct plain p;
				size_t length = (size_t)sprintf(text, "https://");
				for (unsigned k = 1; k <= name; k++)
					text[length++] = k % (label + 1) == 0 ? '.' : 'a';
				length += (size_t)sprintf(text + length, "%.*s", (int)path, "/a");
				expect_agreement(text, length);
				(void)urivet_plain_by_octet(
				    (struct text){(const void *)text, (uint32_t)length}, &p);
				cr_assert((p.host > 0) ==
					  (name <= 253 && (name < label ? name : label) <= 63 &&
					   name % (label + 1) != 0));
			}
}

static unsigned long windows;

/* Checks what escapes are from the beginning on, and those of each window that vectors read alone. */
static void expect_same_escapes(const char *data, size_t length)
{
	uint32_t (*const read[])(struct text t, uint32_t base, uint32_t *at) = {
	    BASELINE(urivet_window_kinds_by),
#if URIVET_VECTORS >= 2
	    here(&ways[0]) ? urivet_window_kinds_by_avx2 : BASELINE(urivet_window_kinds_by),
#endif
	};
	const struct text t = text_of(data, (uint32_t)length);
	const struct tail a = urivet_tail_by_octet(t, 0), b = urivet_tail_by_vector(t, 0);
	cr_assert(a.escaped == b.escaped && a.escaped_path == b.escaped_path &&
		  memcmp(&a.loud, &b.loud, sizeof a.loud) == 0, "%s", shown(data, length));
	for (uint32_t k = 0, from = 0; from + WINDOW_READ + WINDOW <= t.end; from += 7, k++) {
		uint32_t base = from - from % WINDOW, at = from;
		const uint32_t kinds = read[k % (sizeof read / sizeof *read)](t, base, &at);
		windows += kinds != WINDOW_UNREAD;
		at = from;
		cr_assert(kinds == WINDOW_UNREAD || kinds == urivet_window_kinds(t, base, &at), "from %u: %s",
			  (unsigned)from, shown(data, length));
	}
}

/* Returns the end of a character in UTF-8, as triplets. */
static char *put_escaped(char *at, uint32_t c, const char *form)
{
	static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
	const unsigned more = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
	at += sprintf(at, form, (unsigned)(leads[more] | c >> 6 * more));
	for (unsigned k = more; k > 0; k--)
		at += sprintf(at, form, (unsigned)(0x80 | (c >> 6 * (k - 1) & 63)));
	return at;
}

/* Every character, and every octet by digits in both cases, among others. */
Test(vector, escapes)
{
	static const char *const pieces[] = {"%E4%B8%AD", "%C3%A9", "%D0%B8", "%20", "%3C", "a", "/", "%41",
					     "%2F", "%e4%b8%ad", "%E4%B8%8A", "%D1%8D", "%80", "%E3%81%82", "%", "?"};
	for (uint32_t c = 0; c <= 0x10ffff; c += (c < 0x10000 ? 1 : 251) * (c < 256 ? 1 : sample())) {
		char text[1200] = "/";
		size_t length = 1;
		while (length < 300) {
			const char *const format = c < 256 && length % 2 ? "%%%02x" : "%%%02X";
			const uint32_t common = random_below(8) == 0 ? 16 : 6;
			for (uint32_t k = random_below(9); k > 0; k--)
				length += (size_t)sprintf(text + length, "%s", pieces[random_below(common)]);
			length = (size_t)(put_escaped(text + length, c, format) - text);
		}
		expect_same_escapes(at_edge(text, length), length);
	}
	cr_expect(windows > 50000 / sample(), "%lu", windows);
}
#endif
