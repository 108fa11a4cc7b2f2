/* SPDX-License-Identifier: Apache-2.0 */
/* Tests characters of hosts that mapping changes, at the borders of their ranges, by
 * NFKC_Casefold of the Unicode Character Database (letter case alone is a separate finding); and
 * labels. */
#include "support.h"

TestSuite(idn, .timeout = 10);

enum said { NOTHING, IGNORED, DEVIATION, DOT, COMPAT, BOTH /* both DEVIATION and IGNORED */ };

static const struct {
	unsigned first, last; /* each of them */
	enum said said;
} ranges[] = {
    {0xa1, 0xa7, NOTHING}, {0xa8, 0xa8, COMPAT}, {0xa9, 0xa9, NOTHING}, {0xaa, 0xaa, COMPAT},
    {0xab, 0xac, NOTHING}, {0xad, 0xad, IGNORED}, {0xae, 0xae, NOTHING}, {0xaf, 0xaf, COMPAT},
    {0xb0, 0xb1, NOTHING}, {0xb2, 0xb5, COMPAT}, {0xb6, 0xb7, NOTHING}, {0xb8, 0xba, COMPAT},
    {0xbb, 0xbb, NOTHING}, {0xbc, 0xbe, COMPAT}, {0xbf, 0xde, NOTHING}, {0xdf, 0xdf, DEVIATION},
    {0xe0, 0xff, NOTHING}, {0x1c4, 0x1cc, COMPAT}, {0x340, 0x341, COMPAT},
    {0x342, 0x342, NOTHING}, {0x343, 0x344, COMPAT}, {0x34e, 0x34e, NOTHING},
    {0x34f, 0x34f, IGNORED}, {0x350, 0x350, NOTHING}, {0x3c1, 0x3c1, NOTHING},
    {0x3c2, 0x3c2, DEVIATION}, {0x3c3, 0x3c3, NOTHING}, {0x958, 0x95f, COMPAT},
    {0x960, 0x960, NOTHING}, {0x1805, 0x1805, NOTHING}, {0x1806, 0x1806, IGNORED},
    {0x1807, 0x1807, NOTHING}, {0x180a, 0x180a, NOTHING}, {0x180b, 0x180e, IGNORED},
    {0x200a, 0x200a, COMPAT}, {0x200b, 0x200b, IGNORED}, {0x200c, 0x200d, BOTH},
    {0x200e, 0x200e, IGNORED}, {0x2023, 0x2023, NOTHING}, {0x2024, 0x2026, COMPAT},
    {0x2027, 0x2027, NOTHING}, {0x2046, 0x2046, NOTHING}, {0x2047, 0x2049, COMPAT},
    {0x204a, 0x204a, NOTHING}, {0x205f, 0x205f, COMPAT}, {0x2060, 0x2061, IGNORED},
    {0x20ff, 0x20ff, NOTHING}, {0x2100, 0x2103, COMPAT}, {0x2104, 0x2104, NOTHING},
    {0x2105, 0x2107, COMPAT}, {0x245f, 0x245f, NOTHING}, {0x2460, 0x24ea, COMPAT},
    {0x24eb, 0x24eb, NOTHING}, {0x2a73, 0x2a73, NOTHING}, {0x2a74, 0x2a76, COMPAT},
    {0x2a77, 0x2a77, NOTHING}, {0x3001, 0x3001, NOTHING}, {0x3002, 0x3002, DOT},
    {0x3003, 0x3003, NOTHING}, {0xfdff, 0xfdff, NOTHING}, {0xfe00, 0xfe0f, IGNORED},
    {0xfe10, 0xfe19, COMPAT}, {0xfe1a, 0xfe1a, NOTHING}, {0xfe4f, 0xfe52, COMPAT},
    {0xfe53, 0xfe53, NOTHING}, {0xfe54, 0xfe66, COMPAT}, {0xfe67, 0xfe67, NOTHING},
    {0xfe68, 0xfe6b, COMPAT}, {0xfe6c, 0xfe6c, NOTHING}, {0xfefe, 0xfefe, NOTHING},
    {0xfeff, 0xfeff, IGNORED}, {0xff00, 0xff00, NOTHING}, {0xff01, 0xff0d, COMPAT},
    {0xff0f, 0xff60, COMPAT}, {0xff61, 0xff61, DOT}, {0xff62, 0xff62, COMPAT},
};

Test(idn, characters_that_are_mapped)
{
	static const unsigned ids[] = {URIVET_F_IDN_IGNORED_CHAR, URIVET_F_IDN_DEVIATION_CHAR,
	                               URIVET_F_IDN_DOT_VARIANT, URIVET_F_IDN_COMPAT_MAPPING};
	for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
		for (unsigned c = ranges[k].first; c <= ranges[k].last; c++) {
			const enum said said = ranges[k].said;
			const bool want[] = {said == IGNORED || said == BOTH, said == DEVIATION || said == BOTH,
			                     said == DOT, said == COMPAT};
			struct urivet_report r;
			char host[32];
			snprintf(host, sizeof host, "a%sb.org", utf8_of(c));
			judge_host(&r, host, NULL);
			for (unsigned n = 0; n < 4; n++)
				cr_expect((finding_in(&r, ids[n]) != NULL) == want[n], "%x: %s", c, ids_of(&r));
		}
}

/* RFC 3492: U+00E9 alone is xn--9ca, seven octets; the label limit of a policy must allow them. */
Test(idn, labels_of_narrow_policies)
{
	static const struct {
		const char *host;
		uint32_t max_label, offset, length; /* 0: it fits */
	} rows[] = {
	    {"\xc3\xa9", 7, 0, 0},        {"\xc3\xa9", 6, 7, 2},  {".\xc3\xa9", 6, 8, 2},
	    {"a.\xc3\xa9.b", 6, 9, 2},    {"%c3%A9", 6, 7, 6},    {"\xc3", 6, 0, 0},
	    {"\xdb;", 6, 0, 0},           {"\xe2\x81\xa6\"", 6, 7, 4}, {"%c", 1, 0, 0},
	    {"a.b", 1, 0, 0},             {"\xe3\x80\x82.1", 6, 7, 3},
	    /* invalid UTF-8 has no A-label, and neither has pure ASCII, with DEL or without */
	    {"\xc3\xa9\x80", 6, 0, 0},    {"\x7f\xc3\xa9", 6, 7, 3}, {"\x7f.%5D", 5, 0, 0},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy policy = built_in(URIVET_STRICT);
		struct urivet_report r;
		char uri[64];
		const size_t n = (size_t)snprintf(uri, sizeof uri, "http://%s/", rows[k].host);
		policy.max_label = rows[k].max_label;
		judge(&r, uri, n, &policy);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_IDN_TOOLONG_AFTER_MAPPING);
		cr_expect((f != NULL) == (rows[k].length > 0), "%s, %u: %s", shown(uri, n),
		          (unsigned)rows[k].max_label, ids_of(&r));
		if (f != NULL)
			cr_expect(f->span.offset == rows[k].offset && f->span.length == rows[k].length &&
			          f->count == 1, "%s: %u, %u", shown(uri, n), (unsigned)f->span.offset,
			          (unsigned)f->span.length);
	}
}

/* RFC 5890, 2.3.1: an A-label has 63 octets at most, also if a policy allows longer labels. By
 * another program's Punycode, 57 times U+00E9 and 55 letters with one U+00E9 give that length. */
Test(idn, labels_longer_than_any)
{
	static const struct {
		const char *pattern;
		unsigned id;
		uint32_t length; /* 0: it fits */
	} rows[] = {
	    {"http://{\xc3\xa9*57}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 0},
	    {"http://{\xc3\xa9*58}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 116},
	    {"http://{\xc3\xa9*63}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 126},
	    {"http://{\xc3\xa9*64}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 128},
	    {"http://{\xc3\xa9*65}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 130},
	    {"http://{\xc3\xa9*126}/", URIVET_F_IDN_TOOLONG_AFTER_MAPPING, 252},
	    {"http://xn--{a*55}-u3e/", URIVET_F_IDN_INVALID_ALABEL, 0},
	    {"http://xn--{a*56}-v6e/", URIVET_F_IDN_INVALID_ALABEL, 64},
	    {"http://xn--{a*57}-w9e/", URIVET_F_IDN_INVALID_ALABEL, 65},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy policy = built_in(URIVET_STRICT);
		struct urivet_report r;
		size_t n;
		const char *uri = expand(rows[k].pattern, strlen(rows[k].pattern), &n);
		policy.max_label = 255;
		judge(&r, uri, n, &policy);
		const struct urivet_finding *f = finding_in(&r, rows[k].id);
		cr_expect((f != NULL) == (rows[k].length > 0), "%s: %s", uri, ids_of(&r));
		if (f != NULL)
			cr_expect(f->span.offset == 7 && f->span.length == rows[k].length &&
			          f->count == 1, "%s: %u", uri, (unsigned)f->span.length);
	}
}

/* A name that is refused for its length is judged up to the limit, unless that is waived. */
Test(idn, names_longer_than_the_limit)
{
	static const struct {
		const char *pattern;
		bool found, found_if_waived;
		enum urivet_id id;
	} rows[] = {
	    {"http://1.2.3.4.{a.*130}/", true, true, URIVET_F_HOST_EMBEDS_IP},
	    {"http://{a.*130}1.2.3.4.aa/", false, true, URIVET_F_HOST_EMBEDS_IP},
	    {"http://{a.*120}xn--a.{b*7}/", true, true, URIVET_F_IDN_INVALID_ALABEL}, /* 253 octets */
	    {"http://{a.*120}xn--a.{b*7}./", true, true, URIVET_F_IDN_INVALID_ALABEL},
	    {"http://xn--a.{a.*130}/", true, true, URIVET_F_IDN_INVALID_ALABEL},      {"http://{a.*124}xn--a/", true, true, URIVET_F_IDN_INVALID_ALABEL},
	    {"http://{a.*127}xn--a/", false, true, URIVET_F_IDN_INVALID_ALABEL},      {"http://{a.*4000}xn--a/", false, true, URIVET_F_IDN_INVALID_ALABEL},
	    {"http://{a.*127}aa/", false, false, URIVET_F_IDN_INVALID_ALABEL},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy policy = built_in(URIVET_STRICT);
		struct urivet_report r;
		size_t n;
		const char *uri = expand(rows[k].pattern, strlen(rows[k].pattern), &n);
		judge(&r, uri, n, &policy);
		cr_expect((finding_in(&r, rows[k].id) != NULL) == rows[k].found, "%s: %s", uri, ids_of(&r));
		urivet_policy_waive(&policy, URIVET_F_HOST_TOO_LONG);
		cr_expect(judge(&r, uri, n, &policy) == URIVET_REJECT || !rows[k].found_if_waived || rows[k].id == URIVET_F_HOST_EMBEDS_IP, "%s", uri);
		cr_expect((finding_in(&r, rows[k].id) != NULL) == rows[k].found_if_waived, "%s: %s", uri, ids_of(&r));
	}
}
