/* SPDX-License-Identifier: Apache-2.0 */
/* Tests Punycode alone: RFC 3492. */
#include "uri/punycode.h"

#include "support.h"

TestSuite(punycode, .timeout = 10);

/* RFC 3492, 7.1: samples (A) to (S) that fit a label, in lower case; and labels of few code points by
 * another program, Python's codec "punycode". test_uts46.c compares with a model. */
static const struct {
	const char *ascii;
	const uint32_t *points; /* up to a 0 */
} labels[] = {
    {"egbpdaj6bu4bxfgehfvwxn", U"\u0644\u064a\u0647\u0645\u0627\u0628\u062a\u0643\u0644\u0645\u0648"
			       U"\u0634\u0639\u0631\u0628\u064a\u061f"},
    {"ihqwcrb4cv8a8dqg056pqjye", U"他们为什么不说中文"},
    {"ihqwctvzc91f659drss3x8bo0yb", U"他們爲什麽不說中文"},
    {"proprostnemluvesky-uyb24dma41a", U"pročprostěnemluvíčesky"},
    {"4dbcagdahymbxekheh6e0a7fei0b",
     U"\u05dc\u05de\u05d4\u05d4\u05dd\u05e4\u05e9\u05d5\u05d8\u05dc\u05d0"
     U"\u05de\u05d3\u05d1\u05e8\u05d9\u05dd\u05e2\u05d1\u05e8\u05d9\u05ea"},
    {"n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa", U"なぜみんな日本語を話してくれないのか"},
    {"b1abfaaepdrnnbgefbadotcwatmq2g4l", U"почемужеонинеговорятпорусски"},
    {"3b-ww4c5e180e575a65lsy2b", U"3年b組金八先生"},
    {"majikoi5-783gue6qz075azm5e", U"majiでkoiする5秒前"},
    {"d9juau41awczczp", U"そのスピードで"}, {"-> $1.00 <--", U"-> $1.00 <-"}, {"a", U"\x80"},
    {"dn32g", U"\U0010ffff"}, {"a-h023p", U"a\U0010ffff"}, {"a97093t", U"\U0010ffff\x80"},
    {"a08093ta", U"\x80\U0010ffff\U0010ffff"}, {"bcher-kva", U"bücher"}, {"maana-pta", U"mañana"},
    {"---xka", U"-ü-"}, {"--dha", U"ü-"}, {"a-b--3ra", U"a-b-ü"}, {"bm-ca70cb", U"übüm\x80"},
    {"ab-wr5a0k", U"㋀㌀ab"},
};

Test(punycode, both_ways)
{
	for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
		struct code_points points;
		char buffer[80];
		struct out o = {buffer, sizeof buffer, 0};
		uint8_t places[PUNYCODE_POINTS];
		cr_expect(urivet_punycode_decode(EDGE(labels[k].ascii), 0, &points, places), "%s",
			  labels[k].ascii);
		urivet_punycode_order(&points, places);
		cr_expect(memcmp(points.point, labels[k].points, 4 * points.count) == 0 &&
			      labels[k].points[points.count] == 0,
			  "%s", labels[k].ascii);
		urivet_punycode_encode(&o, &points);
		put_end(&o);
		cr_expect_str_eq(buffer, labels[k].ascii, "%s: %s", labels[k].ascii, buffer);
	}
	/* basic code points only */
	struct code_points points;
	uint8_t places[PUNYCODE_POINTS];
	cr_expect(urivet_punycode_decode(EDGE("abc-"), 0, &points, places) && points.count == 3);
	cr_expect(urivet_punycode_decode(EDGE(""), 0, &points, places) && points.count == 0);
	cr_expect(urivet_punycode_decode(EDGE("-g6h"), 0, &points, places) && points.count == 1 && points.point[0] == 0x2665); /* as that codec */
}

/* Code points that no decoder produces are left out, and end the encoding. */
Test(punycode, beyond_unicode)
{
	static const struct code_points points = {3, {'a', 0x110000, 0xe4}};
	char buffer[80];
	struct out o = {buffer, sizeof buffer, 0};
	urivet_punycode_encode(&o, &points);
	put_end(&o);
	cr_expect_str_eq(buffer, "a-0fa");
}

/* Invalid encodings: invalid digits, a number that does not end or overflows, code points above
 * U+10FFFF. */
Test(punycode, what_is_no_punycode)
{
	static const char *const bad[] = {"a-{",
					  "a-`", "a-/", "a-:", "a-@", "a-[", "a-!", "{", "a-9",
					  "9", "99999", "a-0", "a-zzzz", "a-999999b", "99999999a",
					  "0000000000a", "a-{a", "a-`a", "a-/a", "a-:a", "a-;a",
					  "\xc3-a", "a\x80-a", "\xc3\xa4", "a!b", "a-99999999999",
					  "-_", "a b", "a-%41", "99999999", "a-b!",
					  "a-9999999999", "!", "aaaaaaaaaaaaaaaaaaaa9",
					  "zzzzzzzzzzzzzz"};
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct code_points points;
		uint8_t places[PUNYCODE_POINTS];
		cr_expect(!urivet_punycode_decode(EDGE(bad[k]), 0, &points, places), "%s", bad[k]);
	}
}

/* RFC 3492 by another program, up to the last code point that fits. Nothing is written after it. */
Test(punycode, as_many_code_points_as_there_is_room_for)
{
	static const char many[] =
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	static const struct {
		int letters;
		const char *rest;
		bool fits;
		uint32_t first, last; /* range of the code points */
	} rows[] = {
	    {63, "-k83139c", true, 0x61, 0x10ffff},
	    {64, "", true, 0x80, 0x80},
	    {65, "", false, 0, 0},
	    {80, "", false, 0, 0},
	    {64, "-a", false, 0, 0},
	    {65, "-a", false, 0, 0},
	    {80, "-a", false, 0, 0},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct {
			struct code_points points;
			uint32_t after[32];
			uint8_t places[PUNYCODE_POINTS];
			uint8_t behind[32];
		} room;
		char label[100];
		const int length =
		    snprintf(label, sizeof label, "%.*s%s", rows[k].letters, many, rows[k].rest);
		memset(&room, 0xff, sizeof room);
		cr_expect(urivet_punycode_decode(text_of(label, (uint32_t)length), 0, &room.points,
						 room.places) == rows[k].fits,
			  "%s", label);
		urivet_punycode_order(&room.points, room.places);
		if (rows[k].fits)
			cr_expect(room.points.count == PUNYCODE_POINTS &&
				      room.points.point[0] == rows[k].first &&
				      room.points.point[PUNYCODE_POINTS - 1] == rows[k].last,
				  "%s", label);
		for (size_t j = 0; j < sizeof room.after / sizeof room.after[0]; j++)
			cr_expect(room.after[j] == UINT32_MAX && room.behind[j] == UINT8_MAX, "%s",
				  label);
	}
}
