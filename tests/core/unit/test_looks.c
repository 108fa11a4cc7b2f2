/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the appearance of labels, by UTS 39 and the published display rules of browsers.
 * tests/core/names/looks.py makes the tables, and tests/core/names/scripts.py compares mixed scripts with
 * ICU. */
#include "support.h"

#include "names/label.h"
#include "names/looks.h"

TestSuite(looks, .timeout = 10);

static struct code_points points_of(const char *label)
{
	struct code_points points;
	const struct text t = text_of(label, (uint32_t)strlen(label));
	urivet_label_points(t, 0, t.end, &points);
	return points;
}

static uint32_t looks_of(const char *label, const char *tld)
{
	const struct code_points points = points_of(label);
	const struct text t = text_of(tld, (uint32_t)strlen(tld));
	return urivet_label_looks(&points, urivet_home_of(t, 0));
}

struct look_row {
	const char *label, *tld;
	uint32_t looks;
};

static void expect_looks(const struct look_row *rows, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const uint32_t got = looks_of(rows[k].label, rows[k].tld);
		cr_expect(got == rows[k].looks, "%s.%s: %x, not %x", rows[k].label, rows[k].tld, (unsigned)got,
			  (unsigned)rows[k].looks);
	}
}

#define EXPECT_LOOKS(rows) expect_looks(rows, sizeof rows / sizeof rows[0])

/* UTS 39, 5.2: single script, or Latin with Han and Hiragana and Katakana, or Bopomofo, or Hangul. */
Test(looks, mixed)
{
	static const struct look_row rows[] = {
	    {"apple", "com", 0}, {"müller", "de", 0}, {"москва", "com", 0},
	    {"pаypal", "com", LOOK_MIXED}, {"paypαl", "com", LOOK_MIXED}, {"bսs", "com", LOOK_MIXED},
	    {"お茶カフェtea", "jp", 0}, {"漢字hanzi", "tw", 0}, {"注音bopoㄅㄆ", "tw", 0}, {"한국han韓", "kr", 0},
	    {"한국ひら", "kr", LOOK_MIXED}, {"ㄅㄆカタ", "tw", LOOK_MIXED}, {"ㄅㄆ주음", "tw", LOOK_MIXED},
	    {"héllo中国", "cn", LOOK_MIXED}, /* beside another script, only the Latin letters of ASCII are allowed */
	    {"caféカフェ", "jp", LOOK_MIXED}, {"हिन्दीab", "in", LOOK_MIXED}, {"कক", "in", LOOK_MIXED},
	    {"हिन्दी-123", "in", 0}, {"ภาษาไทย-123", "th", 0}, {"12-3", "com", 0},
	    {"שלוםabc", "il", LOOK_MIXED},
	    /* scripts in little or no use today; rare letters of a script in use */
	    {"ᚠᚢ", "com", LOOK_MIXED}, {"ⵜⵉⴼ", "ma", LOOK_MIXED}, {"ɡɡ", "com", LOOK_MIXED},
	    {"hardᴡare", "com", LOOK_MIXED},
	    {"a‐b", "com", LOOK_MIXED}, /* U+2010, which IDNA 2008 does not allow */
	    {"ab\xe2\x99\xa5", "com", LOOK_MIXED}, {"", "com", 0},
	};
	EXPECT_LOOKS(rows);
}

/* UTS 39, 4.2: labels of a single script that look Latin; allowed where the script is in use. */
Test(looks, whole)
{
	static const struct look_row rows[] = {
	    {"аррӏе", "com", LOOK_WHOLE}, {"аррӏе", "ru", 0}, {"аррӏе", "RU", 0},
	    {"аррӏе", "xn--p1ai", 0}, {"аррӏе", "xn--3e0b707e", LOOK_WHOLE},
	    {"ѕсоре123", "com", LOOK_WHOLE}, {"ѕсоре-рау", "com", LOOK_WHOLE},
	    {"музей", "com", 0}, {"ѕсореб", "com", 0}, {"ικα", "com", LOOK_WHOLE},
	    {"ικα", "gr", 0}, {"ικα", "cy", 0}, {"ικά", "com", 0}, {"ոսօ", "com", LOOK_WHOLE},
	    {"ոսօ", "am", 0}, {"ჽჿხ", "com", LOOK_WHOLE}, {"ჽჿხ", "ge", 0},
	    {"חסד", "com", LOOK_WHOLE}, {"חסד", "il", 0}, {"ሠዐዐፐ", "com", LOOK_WHOLE},
	    {"ሠዐዐፐ", "et", 0}, {"ሠዐዐፐ", "er", 0}, {"င၀ဂခဂ", "com", LOOK_WHOLE},
	    {"င၀ဂခဂ", "mm", 0}, {"พบเ", "com", LOOK_WHOLE}, {"พบเ", "th", 0},
	    {"ພຣບ", "com", LOOK_WHOLE}, {"ພຣບ", "la", 0}, {"ऽॱ", "com", LOOK_WHOLE},
	    {"ऽॱ", "np", 0}, {"ৰ০", "com", 0}, {"12", "com", 0}, {"-", "com", 0},
	};
	static const char *const cyrillic[] = {"bg", "by", "kg", "kz", "mk", "mn", "rs", "su", "tj", "ua", "uz"};
	EXPECT_LOOKS(rows);
	for (size_t k = 0; k < sizeof cyrillic / sizeof cyrillic[0]; k++)
		cr_expect(looks_of("аррӏе", cyrillic[k]) == 0, "%s", cyrillic[k]);
	cr_expect(looks_of("аррӏе", "r") == LOOK_WHOLE);
	cr_expect(looks_of("аррӏе", "rux") == LOOK_WHOLE);
	cr_expect(looks_of("аррӏе", "") == LOOK_WHOLE);
	cr_expect(looks_of("аррӏе", "рф") == 0, "a top-level domain that is not written as A-label");
}

Test(looks, digits)
{
	static const struct look_row rows[] = {
	    {"1շ", "com", LOOK_DIGITS}, {"1շ", "am", 0}, {"1৪", "com", LOOK_DIGITS}, {"1৪", "bd", 0},
	    {"16კ", "com", LOOK_DIGITS}, {"3б0", "com", LOOK_DIGITS}, {"3б0", "ru", 0},
	    {"3бa", "com", LOOK_MIXED},
	    {"б-0", "com", 0}, {"б9", "com", LOOK_DIGITS}, {"б:0", "com", 0}, {"120", "com", 0},
	    {"торты-123", "ru", 0}, {"৪੨", "com", LOOK_MIXED | LOOK_DIGITS}, {"丩3", "com", LOOK_DIGITS},
	    {"丩三", "com", 0},
	};
	EXPECT_LOOKS(rows);
}

Test(looks, patterns)
{
	static const struct look_row rows[] = {
	    /* CJK strokes beside letters, hyphens and digits of Latin words */
	    {"ip一address", "com", LOOK_PATTERN}, {"google一", "com", LOOK_PATTERN},
	    {"一google", "com", LOOK_PATTERN}, {"d12一", "cn", LOOK_PATTERN}, {"一生gamer", "com", 0},
	    {"gamer生一", "com", 0}, {"gamer生一ㄅ", "tw", 0}, {"一123", "com", 0}, {"一", "com", 0},
	    {"comノevil", "jp", LOOK_PATTERN},
	    {"ビタミンb1", "com", 0}, /* it follows kana */
	    {"丶乀丿", "com", 0}, {"a丿b", "com", LOOK_PATTERN}, {"a丿", "com", 0},
	    /* kana marks */
	    {"カー野球", "jp", 0}, {"かー野球", "jp", 0}, {"日本ー野球", "jp", LOOK_PATTERN},
	    {"ー日本", "jp", LOOK_PATTERN}, {"abcーdef", "jp", LOOK_PATTERN}, {"カヽ", "jp", 0},
	    {"かヽ", "jp", LOOK_PATTERN}, {"カヾ", "jp", 0}, {"一ヾ", "jp", LOOK_PATTERN}, {"日本・野球", "jp", 0},
	    {"abc・日", "jp", LOOK_PATTERN}, {"日・abc", "jp", LOOK_PATTERN},
	    {"日・z", "jp", LOOK_PATTERN}, {"a・日", "jp", LOOK_PATTERN}, {"z・日", "jp", LOOK_PATTERN},
	    {"日・a", "jp", LOOK_PATTERN}, {"日・{", "jp", 0}, {"{・日", "jp", 0}, /* beside a to z */
	    {"1・1日", "jp", 0}, {"1・a日", "jp", LOOK_PATTERN}, {"ト\xe3\x82\x9a", "jp", LOOK_PATTERN},
	    {"ト\xe3\x82\x99", "jp", LOOK_PATTERN},
	    /* letters of one kana that look like those of the other */
	    {"モヒートへブン", "com", LOOK_PATTERN}, {"モヒートヘブン", "com", 0}, {"ひらヘらべ", "com", LOOK_PATTERN},
	    {"ひらへらべ", "com", 0}, {"ひらペら", "com", LOOK_PATTERN}, {"カぺカ", "com", LOOK_PATTERN},
	    {"モヒートへ", "com", 0}, {"へカ", "com", 0}, {"ヘひ", "com", 0}, {"ひヘカ", "com", 0},
	    {"カぷカ", "com", 0}, {"カほカ", "com", 0}, {"カのカ", "com", 0}, /* other letters */
	    {"らプら", "com", 0}, {"らホら", "com", 0}, {"らマら", "com", 0},
	    /* marks that are invisible, or look like slashes */
	    {"pi\xcc\x87xel", "com", LOOK_PATTERN}, {"j\xcc\x87", "com", LOOK_PATTERN},
	    {"l\xcc\x87", "com", LOOK_PATTERN},
	    {"k\xcc\x87", "com", 0}, {"i\xcc\x81", "com", 0}, {"l\xcc\x81x", "com", 0},
	    {"p\xc4\xb1\xcc\x80xel", "com", LOOK_PATTERN},
	    {"\xc8\xb7\xcc\x81", "com", LOOK_PATTERN | LOOK_MIXED}, {"altın", "com", 0},
	    {"漢\xcc\x87字", "com", LOOK_PATTERN}, {"漢\xcc\xb9字", "com", LOOK_PATTERN}, {"漢\xcc\xba字", "com", LOOK_MIXED},
	    {"а\xcc\x81б", "ru", 0}, {"ω\xcc\xb1", "gr", 0}, {"1\xcc\x81", "com", LOOK_PATTERN},
	    {"รี\xe0\xb9\x88\xe0\xb9\x88", "th", LOOK_PATTERN}, {"รี\xe0\xb9\x88", "th", 0},
	    {"x\xcc\xb5y", "com", LOOK_PATTERN}, {"com\xcc\xb8" "abc", "com", LOOK_PATTERN},
	    {"x\xcc\xb4y", "com", LOOK_MIXED}, {"x\xcc\xb9y", "com", 0},
	    /* the middle dot */
	    {"google·com", "com", LOOK_PATTERN | LOOK_SPECIFIC}, {"l·l", "com", LOOK_SPECIFIC},
	    {"l·l", "cat", 0}, {"l·a", "cat", LOOK_PATTERN}, {"a·l", "cat", LOOK_PATTERN},
	    {"·l", "cat", LOOK_PATTERN}, {"l·", "cat", LOOK_PATTERN},
	};
	EXPECT_LOOKS(rows);
}

/* Letters that are mistaken for others outside their languages. */
Test(looks, specific)
{
	static const struct look_row rows[] = {
	    {"þór", "com", LOOK_SPECIFIC}, {"þór", "is", 0}, {"þór", "fo", 0},
	    {"fríða", "com", LOOK_SPECIFIC}, {"fríða", "fo", 0}, {"əpple", "com", LOOK_SPECIFIC},
	    {"əpple", "az", 0}, {"əpple", "is", LOOK_SPECIFIC}, {"þór", "az", LOOK_SPECIFIC},
	    {"ə", "com", 0}, {"əb", "com", LOOK_SPECIFIC}, {"öpple", "com", 0},
	};
	EXPECT_LOOKS(rows);
}

/* Letters of one country are not accepted in another one that has letters or a script of its
 * own. */
Test(looks, homes)
{
	static const char *const others[] = {"am", "bd", "bg", "by", "cat", "cy", "er", "et", "fo", "ge", "gr", "il",
					     "is", "kg", "kz", "la", "mk", "mm", "mn", "np", "rs", "ru", "su", "th", "tj", "ua", "uz", "com"};
	for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
		const bool nordic = strcmp(others[k], "fo") == 0 || strcmp(others[k], "is") == 0;
		cr_expect(looks_of("þór", others[k]) == (nordic ? 0 : LOOK_SPECIFIC), "%s", others[k]);
		cr_expect(looks_of("əpple", others[k]) == LOOK_SPECIFIC, "%s", others[k]);
		cr_expect(looks_of("l·l", others[k]) == (strcmp(others[k], "cat") == 0 ? 0 : LOOK_SPECIFIC), "%s", others[k]);
	}
}

/* The appearance of a host is checked in any spelling. */
Test(looks, spellings)
{
	static const char *const hosts[] = {"g\xd0\xbe\xd0\xbegle.com", "g%D0%BE%D0%BEgle.com", "xn--ggle-55da.com"};
	const struct urivet_policy p = built_in(URIVET_PUBLIC);
	for (size_t k = 0; k < sizeof hosts / sizeof hosts[0]; k++) {
		struct urivet_report r;
		judge_host(&r, hosts[k], &p);
		cr_expect(finding_in(&r, URIVET_F_IDN_MIXED_SCRIPT) != NULL, "%s: %s", hosts[k], ids_of(&r));
	}
}

static struct look_sums sums_of(const char *label)
{
	const struct code_points points = points_of(label);
	struct look_sums sums = {0, 0};
	cr_expect(urivet_look_sums(&points, 0, points.count, &sums), "%s", label);
	return sums;
}

Test(looks, sums)
{
	static const struct {
		const char *a, *b;
		bool look, letters;
	} rows[] = {
	    {"paypal", "рауpаӏ", true, true},
	    {"paypal", "páypåł", true, true},
	    {"paypal", "paypa1", true, true},
	    {"paypal", "paypai", true, false},
	    {"google", "g00g1e", true, true},
	    {"microsoft", "rnicrosoft", true, true},
	    {"windows", "vvindovvs", true, true},
	    {"rnrn", "mm", true, true},
	    {"vvv", "wv", true, true},
	    {"rvn", "rwn", false, false},
	    {"nr", "m", false, false},
	    {"v-v", "w", false, false}, {"va", "w", false, false},
	    {"aether", "æther", true, true},
	    {"ab", "a\xcc\x88" "b", true, true},
	    {"ab", "ba", false, false},
	    {"ab", "abb", false, false},
	    {"a-b", "ab", false, false},
	    {"ssl", "ss1", true, true},
	    {"5", "s", false, false},
	};
	struct code_points points = points_of("例え");
	struct look_sums sums;
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct look_sums a = sums_of(rows[k].a), b = sums_of(rows[k].b);
		cr_expect((a.look == b.look) == rows[k].look, "%s %s", rows[k].a, rows[k].b);
		cr_expect((a.letters == b.letters) == rows[k].letters, "%s %s", rows[k].a, rows[k].b);
	}
	cr_expect(!urivet_look_sums(&points, 0, points.count, &sums), "nothing of ASCII");
	cr_expect(urivet_look_sums(&points, 0, 0, &sums) && sums.look == sums_of("").look);
}

/* ASCII looks the same only if the octets are equal, without letter case. */
Test(looks, sums_of_ascii)
{
	static const char *const labels[] = {"paypal", "vvindovvs", "rnicr0s0ft-1", "", "r", "a-b"};
	struct look_sums sums;
	for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
		const struct look_sums want = sums_of(labels[k]);
		cr_expect(urivet_look_sums_of_ascii(text_of(labels[k], (uint32_t)strlen(labels[k])), 0, &sums));
		cr_expect(sums.look == want.look && sums.letters == want.letters, "%s", labels[k]);
	}
	cr_expect(urivet_look_sums_of_ascii(text_of("x.PayPal", 8), 2, &sums) && sums.look == sums_of("paypal").look);
	cr_expect(!urivet_look_sums_of_ascii(text_of("a_b", 3), 0, &sums));
	cr_expect(!urivet_look_sums_of_ascii(text_of("m\xc3\xbc", 3), 0, &sums));
}

Test(looks, beyond_the_last_code_point)
{
	cr_expect(urivet_look(0x110000).scripts == urivet_look(0).scripts);
	cr_expect(urivet_look(UINT32_MAX).letter[0] == 0);
	cr_expect(urivet_look(0x10ffff).scripts == 0);
	cr_expect(urivet_look('a').scripts == (SCRIPT_LATN | SCRIPT_ASCII) && urivet_look('a').letter[0] == 'a');
	cr_expect(urivet_look('5').scripts == ANY_SCRIPT);
}
