/* SPDX-License-Identifier: Apache-2.0 */
/* Tests domain to ASCII by UTS 46, UAX 15, RFC 3492, RFC 5892 and RFC 5893. The encoded forms
 * are those of Node's URL and Python's Punycode codec. */
#include "readers/browser.h"
#include "readers/ulabel_punycode.h"
#include "readers/ulabel_valid.h"
#include "readers/uts46.h"
#include "support.h"
#include "uri/punycode.h"


TestSuite(uts46, .timeout = 60);

struct domain_row {
	const char *in;
	const char *want; /* NULL: failure */
};

static char out_text[1 << 17];

/* Returns the host that a browser sees, or NULL; writes into a buffer of exactly the documented
 * size. */
static const char *host_of(const char *host, size_t length)
{
	static char url[1 << 14], seen[1 << 17];
	struct urivet_reading r;
	struct out o = {out_text, URIVET_READING_CAPACITY(length + 5), 0};
	cr_assert(length + 5 <= sizeof url && o.capacity + 64 <= sizeof out_text);
	memcpy(url, "http:", 5);
	memcpy(url + 5, host, length);
	memset(out_text + o.capacity, '#', 64);
	const struct text t = {at_edge(url, length + 5), (uint32_t)length + 5};
	const bool reads = urivet_read_as_browser(&r, t, &o);
	for (size_t k = 0; k < 64; k++)
		cr_assert(out_text[o.capacity + k] == '#', "%s: writes too much",
			  shown(host, length));
	if (!reads)
		return NULL;
	const struct urivet_span s = r.uri.part[URIVET_HOST];
	memcpy(seen, out_text + s.offset, s.length);
	seen[s.length] = '\0';
	return seen;
}

static void expect_domains(const struct domain_row *rows, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const char *const in = rows[k].in, *const got = host_of(in, strlen(in));
		const char *const name = shown(in, strlen(in));
		if (rows[k].want == NULL)
			cr_expect(got == NULL, "%s: %s", name, got);
		else
			cr_expect(got != NULL && strcmp(got, rows[k].want) == 0, "%s: %s", name,
				  got == NULL ? "(none)" : got);
	}
}

#define DOMAINS(rows) expect_domains(rows, sizeof rows / sizeof rows[0])

/* UTS 46, section 4, step 1 */
Test(uts46, mapping)
{
	static const struct domain_row rows[] = {
	    {"B\u00dcCHER.de", "xn--bcher-kva.de"}, {"\xef\xbc\xa1\xef\xbc\x91", "a1"},
	    {"\xef\xac\x83", "ffi"}, {"\xe2\x84\xab", "xn--5ca"}, {"\xc4\xb0", "xn--i-9bb"},
	    {"\xe3\x8e\xaf", "xn--rads2-4d6b"}, {"\xe3\x8c\x96", "xn--nckucudvbh5g"},
	    {"\xe1\xba\x9e", "ss"},        /* U+1E9E, before Unicode 15.1 */
	    {"\xc3\x9f.de", "xn--zca.de"}, /* a deviation, with nontransitional processing */
	    {"\xcf\x82", "xn--3xa"}, {"\xf0\x90\x90\x80", "xn--hj8c"},
	    {"\xf0\x9d\x9f\x8e\xf0\x9f\x84\x80", NULL}, {"\xf0\xaf\xa0\x80", "xn--viq"},
	    {"\xf0\xaf\xa0\x83", "xn--te1i"}, {"a\u00adb", "ab"},
	    {"\U000e0100a", "a"}, /* U+E0100 to U+E01EF are ignored */
	    {"a\xf3\xa0\x87\xaf", "a"}, {"a\xf3\xa0\x83\xbf", NULL}, {"a\xf3\xa0\x87\xb0", NULL},
	    {"\xc2\xad", NULL},          /* empty after mapping */
	    {"x\xf0\xaf\xa1\xa8", NULL}, /* U+2F868, which is disallowed */
	    {"\xef\xb7\x90", NULL}, {"\xf4\x8f\xbf\xbf", NULL},
	    {"\xe2\x92\x88", NULL},         /* U+2488, "1." */
	    {"\xe2\x98\x95", "xn--53h"},    /* not in IDNA 2008, but valid */
	    {"a\xe2\x89\xa0", "xn--a-ufo"}, /* U+2260: UseSTD3ASCIIRules is false */
	    {"\xc3\xa4_*", "xn--_*-uia"},
	    {"\xc2\xa8", NULL},             /* mapped to a space and a mark */
	    {"\xef\xb7\xba", NULL},         /* U+FDFA, 18 code points with spaces */
	    {"\xef\xbc\x8f", NULL},         /* mapped to a slash */
	    {"\xef\xbc\x85\x34\x31", NULL}, /* mapped to a percent sign, which does not begin an escape */
	};
	DOMAINS(rows);
}

/* UAX 15 */
Test(uts46, normalisation)
{
	static const struct domain_row rows[] = {
	    {"a\xcc\x88", "xn--4ca"},
	    {"a\xcc\xa3\xcc\x81", "xn--lsa752l"}, /* marks of two classes */
	    {"a\xcc\x81\xcc\xa3", "xn--lsa752l"}, {"\xc3\xa1\xcc\xa3", "xn--lsa752l"},
	    {"\xe1\xba\x9b\xcc\xa3", "xn--1ig"}, /* U+1E9B U+0323, of the standard's figures */
	    {"\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "xn--p39a"}, /* Hangul: L V T */
	    {"\xea\xb0\x80\xe1\x86\xa8", "xn--p39a"},             /* LV T */
	    {"\xea\xb0\x81", "xn--p39a"}, {"\xe1\x84\x80\x61", "xn--a-n5g"},
	    {"\xea\xb0\x80\xea\xb0\x80", "xn--o39aa"}, {"\xea\xb0\x81\xe1\x86\xa8", "xn--rud9310f"},
	    {"\xe1\x84\x80\xe1\x86\xa8", "xn--ypd05a"},
	    {"\xea\xb0\x80\xe1\x86\xa7", "xn--qud9310f"},
	    {"\xea\xb0\x80\xe1\x87\x83", "xn--jvd3800f"}, {"\xea\xb0\x80\xe1\x87\x82", "xn--g49a"},
	    {"\xe1\x84\x92\xe1\x85\xb5", "xn--268b"}, {"\xe1\x84\x93\xe1\x85\xa1", "xn--iqd0n"},
	    {"\xe1\x84\x80\xe1\x85\xb6", "xn--ypd0v"},
	    {"\xe1\x84\x89\xe1\x85\xb5\xe1\x87\x82", "xn--nw4b"}, {"\xf0\x91\x82\x9a", "xn--i40d"},
	    {"\xed\x9e\xa3\xe1\x86\xa8", "xn--rud9742h"},
	    {"\xe0\xa5\x98", "xn--11b2f"},                         /* a composition exclusion */
	    {"\xf0\x91\x82\x99\xf0\x91\x82\xba", "xn--i40d"},      /* U+11099 U+110BA */
	    {"\xe0\xa6\x95\xe0\xa7\x87\xe0\xa6\xbe", "xn--p5b2i"}, /* two starters that compose */
	    {"\xe1\xbe\x88", "xn--uxa970l"},
	    {"a<\xcc\xb8", "xn--a-ngo"}, /* U+226E, although < is forbidden before composition */
	    {">\xcc\xb8", "xn--hdh"}, {"=\xcc\xb8", "xn--1ch"},
	    {"<\xcc\xa3\xcc\xb8", "xn--kta531n"}, /* U+0338 is reordered before U+0323 */
	    {"<\xcc\x81", NULL}, {"<\xc3\xa4", NULL},
	};
	DOMAINS(rows);
}

/* Step 3, and what the ASCII form may hold */
Test(uts46, labels)
{
	static const struct domain_row rows[] = {
	    {"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x80\x82\xef\xbc\xaa\xef\xbc\xb0",
	     "xn--wgv71a119e.jp"},
	    {"a\uff0eb\uff61c", "a.b.c"}, {"\xe3\x80\x82", "."}, {"..\xc3\xa4", "..xn--4ca"},
	    {"\xc3\xa4..b.", "xn--4ca..b."},
	    {"-\xc3\xa4-", "xn-----via"}, /* CheckHyphens is false */
	    {"ab--\xc3\xa4", "xn--ab---ooa"}, {"ab--c.\xc3\xa4", "ab--c.xn--4ca"},
	    {"\u0308a", NULL}, /* a mark first */
	    {"a.\xcc\x88", NULL},
	    {"\xe0\xa7\x87\xe0\xa6\xbe", NULL}, /* a spacing one */
	    {"\xf0\x9d\x9f\xb6.1", "0.0.0.1"},
	};
	DOMAINS(rows);
}

/* Step 4, for labels that begin with "xn--" */
Test(uts46, encoded_labels)
{
	static const struct domain_row rows[] = {
	    {"xn--bcher-kva", "xn--bcher-kva"}, {"XN--BCHER-KVA.\xc3\xa4", "xn--bcher-kva.xn--4ca"},
	    {"\xef\xbd\x98n--bcher-kva", "xn--bcher-kva"},
	    {"xn\xc2\xad--bcher-kva", "xn--bcher-kva"}, {"xn--n3h", "xn--n3h"},
	    {"xn--zca", "xn--zca"}, {"xn--1ch", "xn--1ch"}, {"xn--11b2f", "xn--11b2f"},
	    {"xn--lsa752l", "xn--lsa752l"},
	    {"xn--q-xbb6h", NULL}, /* q U+0301 U+0323, in the wrong order */
	    {"xn--q-xbb5h", "xn--q-xbb5h"}, {"xn--", NULL}, {"xn---", NULL},
	    {"xn--a-", NULL},       /* nothing but ASCII */
	    {"xn--xn---epa", NULL}, /* the prefix inside */
	    {"xn--a", NULL},        /* invalid Punycode: U+0080 is disallowed */
	    {"xn--0", NULL},        /* a delta that does not end */
	    {"xn--a\xc3\xa4", NULL}, {"xn--a=", NULL}, {"xn--a-b=", NULL}, {"xn--9999z", NULL},
	    {"xn--a_", NULL}, {"xn--___a", NULL}, {"\xe5\x89\xaa\xe5\x91\x9e", "xn--fer80c"},
	    {"xn--a{", NULL},
	    {"xn--99999999", NULL},            /* above U+10FFFF */
	    {"xn--999999999999999999b", NULL}, /* a delta too large for any integer */
	    {"xn---0z1a", NULL},               /* a delimiter with nothing before it is not a digit */
	    {"xn--kba", NULL},                 /* U+00AD: invalid, although it is ignored raw */
	    {"xn--a-ubb", NULL},               /* U+0300 a: a mark first */
	    {"xn--a-xbb", NULL},               /* a U+0301: not in Normalization Form C */
	    {"xn--a-vbb.b", NULL},
	    {"xn--22g", NULL},   /* U+2126, which is mapped */
	    {"xn--a-6da", NULL}, /* a U+00C4, which is mapped */
	    {"xn--pokxncvks", NULL},
	};
	DOMAINS(rows);
}

/* RFC 5892, appendix A.1 and A.2 */
Test(uts46, joiners)
{
	static const struct domain_row rows[] = {
	    {"\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8c\xe0\xa4\xb7", "xn--11b2ezcs70k"},
	    {"\xe0\xb4\x95\xe0\xb5\x8d\xe2\x80\x8d\xe0\xb4\xb7", "xn--bwc2ezc497h"},
	    {"\xe0\xb4\x95\xe2\x80\x8d\xe0\xb4\xb7", NULL},
	    {"\xd8\xa8\xe2\x80\x8c\xd8\xa8", "xn--ngba799q"},
	    {"\xd8\xa8\xcc\x80\xe2\x80\x8c\xcc\x80\xd8\xa8", "xn--ksaa63vca2524a"},
	    {"\xd8\xa8\xe2\x80\x8d\xd8\xa8", NULL}, /* ZWJ needs a virama */
	    {"\xd8\xa8\xe2\x80\x8c", NULL}, {"\xe2\x80\x8c\xd8\xa8", NULL},
	    {"\xd8\xa7\xe2\x80\x8c\xd8\xa8", NULL}, /* alef joins to the right only */
	    {"\xd8\xa8\xe2\x80\x8c\xd8\xa7", "xn--mgbb899q"},
	    {"\xd8\xa8\xe2\x80\x8c\xcc\x80", NULL}, {"a\u200cb", NULL},
	    {"\xcc\x80\xe2\x80\x8c\xd8\xa8", NULL},
	    {"\xe0\xa5\x8d\xe2\x80\x8d", NULL}, /* ZWJ after a virama, but a mark comes first */
	    {"\xea\xa1\xb2\xe2\x80\x8c\xea\xa1\x80",
	     "xn--0ug4674ciea"}, /* joins to the left only */
	    {"\xea\xa1\x80\xe2\x80\x8c\x61", NULL}, {"\xea\xa1\x80\xe2\x80\x8c\xea\xa1\xb2", NULL},
	    {"\xe2\x80\x8d", NULL},
	};
	DOMAINS(rows);
}

/* RFC 5893, section 2 */
Test(uts46, bidi)
{
	static const struct domain_row rows[] = {
	    {"\xd7\x90", "xn--4db"}, {"\xd7\x90.b", "xn--4db.b"}, {"\xd7\x90..b", "xn--4db..b"},
	    {"1.\xd7\x90.b", NULL},          /* 1: begins with a digit */
	    {"1.\xc3\xa4.b", "1.xn--4ca.b"}, /* no Bidi domain name */
	    {"1\xd7\x90", NULL},
	    {"\xd9\xa1", NULL}, /* 1: AN */
	    {"\u05d0a\u05d0", NULL}, /* 2 */
	    {"\u05d01", "xn--1-zhc"},
	    {"\xd7\x90-", NULL}, /* 3: ends with ES */
	    {"\xd7\x90-\xd7\x90", "xn----zhcb"},
	    {"\xd7\x90\xd6\xb0", "xn--7cb7d"}, /* 3: and marks */
	    {"\u06281\u0661", NULL}, /* 4: EN and AN */
	    {"\xd7\x90\xd9\xa1", "xn--4db40a"},
	    {"a\xd7\x90", NULL}, /* 5 */
	    {"a\xd9\xa1.\xd7\x90", NULL},
	    {"a-.\xd7\x90", NULL}, /* 6 */
	    {"a1.\xd7\x90", "a1.xn--4db"}, {"a1\xcc\x88.\xd7\x90", "xn--a1-vub.xn--4db"},
	    {"xn--4db.1a", NULL},
	    {"a-,$!*1.xn--4db", "a-,$!*1.xn--4db"}, /* ES, CS, ET, ON, EN */
	    {"xn--4db-,$!*1", NULL},                /* its deltas are invalid */
	    {"\xe0\xb4\x95\xe0\xb5\x8d\xe2\x80\x8d\xe0\xb4\xb7.\xd7\x90",
	     "xn--bwc2ezc497h.xn--4db"}, /* BN */
	    {"\xd7\x90-,$!*1\xd7\x90", "xn---,$!*1-90hg"}, {"xn--a-0hc", NULL},
	};
	DOMAINS(rows);
}

static const char *host_expanded(const char *pattern)
{
	size_t length;
	const char *const in = expand(pattern, strlen(pattern), &length);
	return host_of(in, length);
}

/* The limits are those of ICU: 1000 UTF-16 units are encoded, 2000 octets decoded. */
Test(uts46, lengths)
{
	static const struct {
		const char *pattern;
		size_t length; /* length of the host; 0: failure */
	} rows[] = {
	    {"{\xc3\xa4*63}", 69},
	    {"{\xc3\xa4*64}", 70}, /* VerifyDnsLength is false */
	    {"{\xc3\xa4*1000}", 1006}, {"{\xc3\xa4*1001}", 0}, {"{\xf0\x9f\x92\xa9*500}", 507},
	    {"{\xf0\x9f\x92\xa9*500}a", 0}, {"{a*999}\xc3\xa4", 1008}, {"{a*1000}\xc3\xa4", 0},
	    {"{a*1200}.{\xc3\xa4*63}", 1270}, {"xn--{a*1995}-4t8n", 2004}, {"xn--{a*1996}-0w8n", 0},
	    {"{\xe3\x8c\x96*166}", 0 + 1}, {"{\xe3\x8c\x96*167}", 0},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const char *const got = host_expanded(rows[k].pattern);
		if (rows[k].length == 0)
			cr_expect(got == NULL, "%s", rows[k].pattern);
		else
			cr_expect(got != NULL &&
				      (rows[k].length == 1 || strlen(got) == rows[k].length),
				  "%s: %zu", rows[k].pattern, got == NULL ? 0 : strlen(got));
	}
}

/* An encoded label decodes to the same label. */
Test(uts46, again)
{
	uint32_t state = 7;
	unsigned read = 0;
	for (unsigned k = 0; k < 12000; k++) {
		char in[64], first[256];
		size_t length = 0;
		const char *got;
		for (unsigned n = 1 + k % 20; n > 0; n--) {
			state = state * 1664525 + 1013904223;
			in[length++] = (char)(0xc4 + (state >> 24) % 3);
			state = state * 1664525 + 1013904223;
			in[length++] = (char)(0x80 + (state >> 24) % 64);
		}
		got = host_of(in, length);
		if (got == NULL)
			continue;
		read++;
		strcpy(first, got);
		got = host_of(first, strlen(first));
		cr_expect(got != NULL && strcmp(first, got) == 0, "%s", first);
	}
	cr_expect(read > 6000, "%u", read);
}

/* ---- The functions alone ------------------------------------------------------------------- */

/* Converts without the URL parser, which treats ASCII differently; `capacity` is that of the
 * output. */
static const char *ascii_within(const char *in, size_t capacity)
{
	const size_t length = strlen(in);
	struct out o = {out_text, capacity, 0};
	cr_assert(capacity + 64 <= sizeof out_text);
	memset(out_text, '#', capacity + 64);
	if (!urivet_uts46_to_ascii(&o, text_of(at_edge(in, length), (uint32_t)length), 0))
		return NULL;
	put_end(&o);
	return out_text;
}

Test(uts46, alone)
{
	static const struct domain_row rows[] = {
	    {"an--a", "an--a"}, /* not the prefix */
	    {"xa--bcher-kva", "xa--bcher-kva"}, {"xna-bcher-kva", "xna-bcher-kva"},
	    {"xn-abcher-kva", "xn-abcher-kva"}, {"x", "x"},
	    {"xn--bcher-kva.xn-", "xn--bcher-kva.xn-"}, {"abc-.xn-", "abc-.xn-"},
	    {"<\xef\xbc\x8e", NULL}, {"<.a", NULL},
	    {"a\xe2\x80\xa6", NULL}, /* U+2026, mapped to three full stops, disallowed */
	    {"a\x7f", NULL},
	    {"a\xcc\xbd\xcc\x81", "xn--a-xbb3p"}, /* the mark before it has the same class */
	    {"a\xcc\x81\xcc\xbd\xcc\x81", "xn--1ca20ief"}, {"a\xcc\xb4\xcc\x81", "xn--1ca40j"},
	    {"q\xcc\x81\xcc\xa3\xcc\xb4", "xn--q-xbb5hxc"}, /* three classes */
	    {"q\xcc\x81\xcc\xa3\xcc\xb4\xcc\x81", "xn--q-xbba8kmd"},
	    {"q\xcc\xa7\xcc\x81\xcc\xa3\xcc\xb4\xcd\x9c\xcc\x95\xcc\x81", "xn--q-xbba4f1cxa4gzp"},
	    {"q\xcc\xb4\xcc\x81\xcc\xa3\xcc\xb0", "xn--q-xbb5h4bs"},
	    {"\xea\xb0\x80\xcc\x80\xe1\x86\xa8", "xn--ksa816eyw0j"}, /* a mark separates LV from T */
	    {"\xf0\x91\x84\x83\xf0\x91\x84\xb1\xf0\x91\x84\xa7", "xn--i70d0c"},
	    {"\xf0\x91\xa4\x80\xf0\x91\xa4\xb5\xf0\x91\xa4\xb0", "xn--xv2dwd"},
	    {"1.\xd8\xa8", NULL}, /* AL makes it a Bidi domain name */
	    {"1.\xd7\x90", NULL},
	    {"1a\xd9\xa1", NULL}, /* and AN */
	    {"a\xd9\xa1", NULL}, {"a\u0661a.\u05d0", NULL},
	    {"\xf0\x9e\xa5\x8b\xe2\x80\x8c\xd8\xa8", NULL}, /* U+1E94B joins with the letter before it */
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const char *const got =
		    ascii_within(rows[k].in, URIVET_READING_CAPACITY(strlen(rows[k].in)));
		if (rows[k].want == NULL)
			cr_expect(got == NULL, "%zu: %s", k, got);
		else
			cr_expect(got != NULL && strcmp(got, rows[k].want) == 0, "%zu: %s", k,
				  got == NULL ? "(none)" : got);
	}
}

/* An A-label of nothing but marks takes three times its size while its normal form is checked;
 * the text written before it must stay. Node's URL gives the same result. */
Test(uts46, marks_in_a_long_alabel)
{
	char in[1100] = "xn--a-0fa617";
	for (size_t n = 100; n < sizeof in - 20; n += 97) {
		memset(in + 12, 'a', n);
		in[12 + n] = '\0';
		const char *const got = ascii_within(in, URIVET_READING_CAPACITY(strlen(in)));
		cr_expect(got != NULL && strcmp(got, in) == 0, "%zu: %s", n, got == NULL ? "(none)" : got);
	}
}

/* The whole buffer is used: this many octets hold the code points and the text written from
 * them. */
Test(uts46, room)
{
	static const struct {
		const char *in, *want;
		size_t capacity;
	} rows[] = {
	    {"\xc3\xa4", "xn--4ca", 9}, /* the prefix, and a number with its place */
	    {"xn--4caaaaaaaaaa", "xn--4caaaaaaaaaa", 83}, /* ten more, and a mark twice */
	    {"q\xcc\x81\xcc\xa3", "xn--q-xbb5h", 17},     /* five code points, two of them copies */
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const char *const got = ascii_within(rows[k].in, rows[k].capacity);
		cr_expect(got != NULL && strcmp(got, rows[k].want) == 0, "%s: %s", rows[k].want,
			  got == NULL ? "(none)" : got);
	}
}

/* The URL Standard: forbidden domain code points */
Test(uts46, forbidden)
{
	static const char others[] = "#/:<>?@[\\]^|%\x7f";
	for (uint32_t c = 0; c < 0x300; c++)
		cr_expect_eq(urivet_is_forbidden(c),
			     c <= ' ' || (c < 0x80 && strchr(others, (int)c) != NULL), "%x", c);
}

#define POINTS_MOST 2000

/* Writes a label of these code points, unchanged. */
static struct ulabel label_of(struct out *o, const uint32_t *points, uint32_t count)
{
	static char room[1 << 15];
	const struct out in = {room, sizeof room, 0};
	struct ulabel l = ulabel_in(&in, sizeof room - 1);
	*o = in;
	for (uint32_t i = 0; i < count; i++)
		ulabel_set_point(&l, i, points[i]);
	l.count = count;
	return l;
}

Test(uts46, joiners_end)
{
	static const uint32_t marks_last[] = {0x628, 0x200c, 0x300, 0x628};
	static const uint32_t first[] = {0x200c, 0x628, 0x200c, 0x628};
	static const uint32_t none_before[] = {0x1e94b, 0x200c, 0x628};
	struct out o;
	struct ulabel l = label_of(&o, marks_last, 4);
	cr_expect(urivet_ulabel_is_valid(&l));
	l.count = 3;
	cr_expect(!urivet_ulabel_is_valid(&l));
	l = label_of(&o, first, 4);
	cr_expect(!urivet_ulabel_is_valid(&l));
	l = label_of(&o, none_before, 3);
	cr_expect(!urivet_ulabel_is_valid(&l));
}

/* ---- Punycode by RFC 3492, on a list ------------------------------------------------------- */

/* 6.1 */
static uint64_t model_adapt(uint64_t delta, uint64_t numpoints, bool firsttime)
{
	uint64_t k = 0;
	delta = firsttime ? delta / 700 : delta / 2;
	delta += delta / numpoints;
	while (delta > ((36 - 1) * 26) / 2) {
		delta /= 36 - 1;
		k += 36;
	}
	return k + ((36 - 1 + 1) * delta) / (delta + 38);
}

static uint64_t model_threshold(uint64_t k, uint64_t bias)
{
	return k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
}

static char *model_put_delta(char *to, uint64_t q, uint64_t bias)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	for (uint64_t k = 36;; k += 36) {
		const uint64_t t = model_threshold(k, bias);
		if (q < t)
			break;
		*to++ = digits[t + (q - t) % (36 - t)];
		q = (q - t) / (36 - t);
	}
	*to++ = digits[q];
	return to;
}

/* 6.3 */
static void model_encode(char *to, const uint32_t *points, uint32_t count)
{
	uint64_t n = 128, delta = 0, bias = 72, h = 0, b;
	for (uint32_t i = 0; i < count; i++)
		if (points[i] < 128)
			to[h++] = (char)points[i];
	b = h;
	to += h;
	if (b > 0)
		*to++ = '-';
	while (h < count) {
		uint64_t m = UINT64_MAX;
		for (uint32_t i = 0; i < count; i++)
			if (points[i] >= n && points[i] < m)
				m = points[i];
		delta += (m - n) * (h + 1);
		n = m;
		for (uint32_t i = 0; i < count; i++) {
			if (points[i] < n)
				delta++;
			if (points[i] != n)
				continue;
			to = model_put_delta(to, delta, bias);
			bias = model_adapt(delta, h + 1, h == b);
			delta = 0;
			h++;
		}
		delta++;
		n++;
	}
	*to = '\0';
}

/* Checks the codec for labels of the DNS, which has room for few code points. */
static void expect_short_as_model(const uint32_t *points, uint32_t count, const char *want)
{
	struct code_points given = {count, {0}}, back;
	uint8_t places[PUNYCODE_POINTS];
	char buffer[1024];
	struct out o = {buffer, sizeof buffer, 0};
	memcpy(given.point, points, count * sizeof *points);
	urivet_punycode_encode(&o, &given);
	put_end(&o);
	cr_expect_str_eq(buffer, want, "%s: %s", want, buffer);
	cr_expect(urivet_punycode_decode(EDGE(want), 0, &back, places), "%s", want);
	urivet_punycode_order(&back, places);
	cr_expect(back.count == count && memcmp(back.point, points, count * sizeof *points) == 0, "%s", want);
}

/* Checks that the label is encoded as by the model, and decodes to itself. */
static void expect_as_model(const uint32_t *points, uint32_t count)
{
	static char want[1 << 14];
	struct out o;
	struct ulabel l = label_of(&o, points, count);
	uint32_t differ = 0;
	model_encode(want, points, count);
	cr_expect(urivet_ulabel_encode(&l, &o), "%s", want);
	put_end(&o);
	cr_expect(strcmp(o.data, want) == 0, "%s: %s", want, o.data);
	if (count <= PUNYCODE_POINTS)
		expect_short_as_model(points, count, want);
	if (strlen(want) > 2000)
		return;
	l = label_of(&o, points, 0);
	cr_expect(urivet_ulabel_decode(&l, text_of(want, (uint32_t)strlen(want)), 0), "%s", want);
	cr_expect_eq(l.count, count);
	for (uint32_t i = 0; i < count; i++)
		differ += ulabel_point(&l, i) != points[i];
	cr_expect_eq(differ, 0, "%s", want);
}

static uint32_t punycode_state = 11;

static uint32_t any_below(uint32_t bound)
{
	punycode_state = punycode_state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)punycode_state * bound >> 32);
}

/* Returns a random label of few or many code points, near each other or not, with ASCII or
 * without. */
static uint32_t any_label(uint32_t *points, uint32_t most)
{
	static const uint32_t spans[] = {2, 40, 0x400, 0x10000, 0x10ff80};
	const uint32_t count = 1 + any_below(most), span = spans[any_below(5)];
	const uint32_t from = 128 + any_below(0x10ff80 - span + 1), ascii = any_below(4);
	for (uint32_t i = 0; i < count; i++)
		points[i] = any_below(4) < ascii ? 'a' + any_below(26) : from + any_below(span);
	points[any_below(count)] = from;
	return count;
}

Test(uts46, punycode_short)
{
	uint32_t points[POINTS_MOST];
	for (unsigned k = 0; k < 2000; k++) {
		const uint32_t count = any_label(points, 24);
		expect_as_model(points, count);
	}
}

Test(uts46, punycode_long)
{
	uint32_t points[POINTS_MOST];
	for (unsigned k = 0; k < 30; k++) {
		const uint32_t count = any_label(points, 500);
		expect_as_model(points, count);
	}
}

/* Returns true if this many code points are encoded, false if they are too long. */
static bool encodes(uint32_t c, uint32_t count)
{
	uint32_t points[POINTS_MOST];
	struct out o;
	struct ulabel l;
	for (uint32_t i = 0; i < count; i++)
		points[i] = c;
	l = label_of(&o, points, count);
	return urivet_ulabel_encode(&l, &o);
}

static bool decodes(const char *in, size_t length)
{
	struct out o;
	struct ulabel l = label_of(&o, NULL, 0);
	return urivet_ulabel_decode(&l, text_of(at_edge(in, length), (uint32_t)length), 0);
}

/* 1000 UTF-16 units; no code point above U+10FFFF, no delta beyond 32 bits. */
Test(uts46, punycode_limits)
{
	static const uint32_t above = 0x110000;
	static const char *const bad[] = {"{a",
					  "`a",
					  "/a",
					  ":a",
					  "=a",
					  "-a",
					  "a{",
					  "aa{",
					  "z",
					  "\200a"};
	char octets[64];
	cr_expect(encodes(0xffff, 1000) && !encodes(0xffff, 1001));
	cr_expect(encodes(0x10000, 500) && !encodes(0x10000, 501));
	cr_expect(decodes("za", 2) && decodes("9a", 2) && decodes("0a", 2) && decodes("aa", 2));
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
		cr_expect(!decodes(bad[k], strlen(bad[k])), "%s", bad[k]);
	model_encode(octets, &above, 1);
	cr_expect(!decodes(octets, strlen(octets)));
	for (uint64_t delta = 0xfffff000u; delta < 0x100000000u + 0x10ff00u; delta += 255)
		cr_expect(!decodes(octets, (size_t)(model_put_delta(octets, delta, 72) - octets)),
			  "%llx", (unsigned long long)delta);
}

/* The last code points of Unicode, and the greatest stored places. */
Test(uts46, punycode_ends)
{
	static const uint32_t ends[] = {0x10ffff, 0x80, 'a', 0x10ffff, 0x80, '-', 0xffff, 0x10000};
	/* the first delta becomes 455 (364 + 364 / 4), at which 6.1 does not divide */
	static const uint32_t border[] = {'a', 'b', 'c', 0xf954, 0xf9ff};
	uint32_t points[POINTS_MOST];
	for (uint32_t from = 0; from < 8; from++)
		for (uint32_t count = 1; from + count <= 8; count++)
			expect_as_model(ends + from, count);
	expect_as_model(border, 5);
	for (uint32_t i = 0; i < 1000; i++)
		points[i] = i % 2 ? 'b' : 0x4e00;
	expect_as_model(points, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		points[i] = i == 999 ? 0xe4 : 'b';
	expect_as_model(points, 1000);
	for (uint32_t i = 0; i < 500; i++)
		points[i] = 0x10ffff - i;
	expect_as_model(points, 500);
}
