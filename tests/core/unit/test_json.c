/* SPDX-License-Identifier: Apache-2.0 */
/* Tests reports as text: objects as the command writes them (tests/cli/test_json.py parses
 * those), in buffers and segments of every size; ids with commas. */
#include <limits.h>

#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <urivet/json.h>
#include <urivet/parameters.h>

TestSuite(json, .timeout = 60);

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the whole object of an input by a policy, in a static buffer. */
static const char *object_of(struct urivet_text input, const struct urivet_policy *policy)
{
	static char out[65536];
	struct urivet_report r;
	urivet_check(&r, input.data, input.length, policy);
	cr_assert(urivet_format_report(out, sizeof out, &r, input.data, input.length, NULL, policy) <
		  sizeof out);
	return out;
}

Test(json, accepted)
{
	cr_expect_str_eq(object_of(TEXT("https://u.example:443/a?b#c"), NULL),
			 "{\"uri\":\"https://u.example:443/a?b#c\",\"verdict\":\"accept\",\"policy\":\"strict\","
			 "\"components\":{\"scheme\":\"https\",\"userinfo\":null,\"host\":\"u.example\","
			 "\"port\":\"443\",\"path\":\"/a\",\"query\":\"b\",\"fragment\":\"c\"},"
			 "\"host\":{\"kind\":\"name\",\"address\":null},\"port\":443,\"findings\":["
			 "{\"id\":\"port-default\",\"number\":147,\"class\":\"note\",\"component\":\"port\","
			 "\"offset\":18,\"length\":3,\"count\":1,\"reference\":\"RFC 3986, 6.2.3\",\"text\":"
			 "\"The default port spelled out. Canonical is without.\",\"refuses\":false}]}");
	cr_expect_str_eq(object_of(TEXT("http://[2001:db8::1]/"), BY_ANY),
			 "{\"uri\":\"http://[2001:db8::1]/\",\"verdict\":\"accept\",\"policy\":\"any\","
			 "\"components\":{\"scheme\":\"http\",\"userinfo\":null,\"host\":\"2001:db8::1\","
			 "\"port\":null,\"path\":\"/\",\"query\":null,\"fragment\":null},"
			 "\"host\":{\"kind\":\"ipv6\",\"address\":\"2001:db8::1\"},\"port\":80,\"findings\":[]}");
}

Test(json, not_read)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	static const char unread[] = "{\"uri\":null,\"length\":21,\"verdict\":\"reject\",";
	const char *const rest = "\"components\":null,\"host\":{\"kind\":\"none\",\"address\":null},"
				 "\"port\":null,\"findings\":[{\"id\":\"url-too-long\",";
	p.max_length = 20;
	const char *const object = object_of(TEXT("http://example.com/ab"), &p);
	cr_expect(strncmp(object, unread, sizeof unread - 1) == 0, "%s", object);
	cr_expect(strstr(object, rest) != NULL, "%s", object);
	cr_expect(strncmp(object_of(TEXT("http://example.com/a"), &p), "{\"uri\":\"h", 9) == 0);
	cr_expect(strncmp(object_of(TEXT("http://h h"), NULL), "{\"uri\":\"http://h h\",\"verdict\":\"reject\"",
			  38) == 0);
	/* an input that is not shown, and is invalid UTF-8 */
	cr_expect(begins(object_of(TEXT("http://example.com/a\xff"), &p), unread));
	const struct urivet_policy waived = with_waiver(URIVET_STRICT, URIVET_F_USERINFO_PRESENT);
	cr_expect(strstr(object_of(TEXT("http://u@h/"), &waived), "\"refuses\":false}]}") != NULL);
	p.name = NULL; /* a policy without a name */
	cr_expect(strstr(object_of(TEXT("http://h/"), &p), "\"policy\":null,") != NULL);
	p.name = "m\xc3\xbcll \"x\"";
	cr_expect(strstr(object_of(TEXT("http://h/"), &p), "\"policy\":\"m\\u00FCll \\\"x\\\"\",") != NULL);
	p.name = "m\xfcll"; /* invalid UTF-8: strings become octet strings, that of the input too */
	cr_expect(begins(object_of(TEXT("h\xc3\xbc"), &p), "{\"uri\":\"h\\u00C3\\u00BC\",\"raw\":true,"));
	cr_expect(strstr(object_of(TEXT("http://h/"), &p), "\"policy\":\"m\\u00FCll\",") != NULL);
}

/* Characters by RFC 8259, 7; octets for invalid UTF-8 (RFC 3629, 4). */
Test(json, escapes)
{
	static const struct {
		const char *input, *uri;
		size_t length;
	} rows[] = {
#define ROW(input, uri) {input, uri, sizeof(input) - 1}
	    ROW("", "\"\""),
	    ROW("a\"b\\c~", "\"a\\\"b\\\\c~\""),
	    ROW("\x01\x1f\x7f\n\0z", "\"\\u0001\\u001F\\u007F\\u000A\\u0000z\""),
	    ROW("\xc3\xa9\xe2\x82\xac", "\"\\u00E9\\u20AC\""),
	    ROW("\xf0\x9f\x98\x80!", "\"\\uD83D\\uDE00!\""),
	    ROW("\xf4\x8f\xbf\xbf", "\"\\uDBFF\\uDFFF\""),
	    ROW("\xed\x9f\xbf\xee\x80\x80", "\"\\uD7FF\\uE000\""),
	    ROW("\xe9", "\"\\u00E9\",\"raw\":true"),
	    ROW("\xc3\xa9\xff", "\"\\u00C3\\u00A9\\u00FF\",\"raw\":true"),
	    ROW("\xc3", "\"\\u00C3\",\"raw\":true"),
	    ROW("\xc0\x80", "\"\\u00C0\\u0080\",\"raw\":true"),
	    ROW("\xe0\x9f\xbf", "\"\\u00E0\\u009F\\u00BF\",\"raw\":true"),
	    ROW("\xed\xa0\x80", "\"\\u00ED\\u00A0\\u0080\",\"raw\":true"),
	    ROW("\xf0\x8f\xbf\xbf", "\"\\u00F0\\u008F\\u00BF\\u00BF\",\"raw\":true"),
	    ROW("\xf4\x90\x80\x80", "\"\\u00F4\\u0090\\u0080\\u0080\",\"raw\":true"),
	    ROW("\xe2\x82", "\"\\u00E2\\u0082\",\"raw\":true"),
	    ROW("\xf0\x9f\x98 ", "\"\\u00F0\\u009F\\u0098 \",\"raw\":true"),
	    ROW("\x80", "\"\\u0080\",\"raw\":true"),
	    ROW("\xef\xbf\xbf", "\"\\uFFFF\""),
	    ROW("\xf0\x90\x80\x80", "\"\\uD800\\uDC00\""),
	    ROW("a\xe2\x82", "\"a\\u00E2\\u0082\",\"raw\":true"),
	    ROW("\xe2\x82\x7f", "\"\\u00E2\\u0082\\u007F\",\"raw\":true"),
	    ROW("\xe2\x82\xc0", "\"\\u00E2\\u0082\\u00C0\",\"raw\":true"),
#undef ROW
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char want[256];
		const void *const data = at_edge(rows[k].input, rows[k].length);
		const char *const object = object_of(urivet_text_of(data, rows[k].length), NULL);
		snprintf(want, sizeof want, "{\"uri\":%s,\"verdict\":\"reject\",", rows[k].uri);
		cr_expect(strncmp(object, want, strlen(want)) == 0, "%u: %s", k, object);
	}
}

/* Each octet at each of sixteen places, some also of fewer: eight octets written at once equal single ones. */
Test(json, every_octet_at_every_place)
{
	for (unsigned octet = 0; octet < 256; octet++)
		for (unsigned length = memchr("\0\x1f \"\\~\x7f", (int)octet, 7) != NULL ? 1 : 16; length <= 16; length++)
			for (unsigned at = 0; at < length; at++) {
				char input[16], want[64], escape[8];
				memset(input, '2', sizeof input);
				input[at] = (char)octet;
				snprintf(escape, sizeof escape, octet == '"' || octet == '\\' ? "\\%c"
								: octet < 0x20 || octet > 0x7e	? "\\u%04X"
												: "%c",
					 octet);
				snprintf(want, sizeof want, "{\"uri\":\"%.*s%s%.*s\",", (int)at, "2222222222222222", escape,
					 (int)(length - 1 - at), "2222222222222222");
				const char *object = object_of(urivet_text_of(input, length), NULL);
				cr_expect(begins(object, want), "%u at %u: %s", octet, at, object);
			}
}

/* The Host field: its components; invalid UTF-8 in it matters only where it is shown. */
Test(json, targets)
{
	static char out[65536];
	struct urivet_report r;
	check_target(&r, TEXT("/a"), TEXT("H.example:80"), NULL, NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("/a"), &(struct urivet_text){LITERAL("H.example:80")}, NULL);
	cr_expect(strstr(out, "\"components\":{\"scheme\":null,\"userinfo\":null,\"host\":\"H.example\","
			      "\"port\":\"80\",\"path\":\"/a\",") != NULL, "%s", out);
	check_target(&r, TEXT("/a"), TEXT("h\xff"), NULL, NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("/a"), &(struct urivet_text){LITERAL("h\xff")}, NULL);
	cr_expect(strncmp(out, "{\"uri\":\"/a\",\"raw\":true,", 23) == 0, "%s", out);
	check_target(&r, TEXT("http://h/a"), TEXT("h\xff"), NULL, NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("http://h/a"), &(struct urivet_text){LITERAL("h\xff")}, NULL);
	cr_expect(strncmp(out, "{\"uri\":\"http://h/a\",\"verdict\"", 29) == 0, "%s", out);
	/* texts other than the judged ones */
	check_target(&r, TEXT("/a?b"), TEXT("h.example"), NULL, NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("/"), NULL, NULL);
	cr_expect(strstr(out, "\"host\":null,\"port\":null,\"path\":null,\"query\":null") != NULL, "%s", out);
}

Test(json, no_report)
{
	static const char want[] =
	    "{\"uri\":\"x\",\"verdict\":\"reject\",\"policy\":\"strict\",\"components\":null,"
	    "\"host\":{\"kind\":\"none\",\"address\":null},\"port\":null,\"findings\":[]}";
	struct urivet_report r;
	char out[512];
	memset(&r, 0, sizeof r);
	cr_expect(urivet_format_report(out, sizeof out, NULL, LITERAL("x"), NULL, NULL) == sizeof want - 1);
	cr_expect_str_eq(out, want);
	urivet_format_report(out, sizeof out, &r, LITERAL("x"), NULL, NULL);
	cr_expect_str_eq(out, want);
	cr_expect(urivet_format_ids(out, sizeof out, NULL, NULL) == 0 && out[0] == '\0');
	cr_expect(urivet_format_ids(out, sizeof out, &r, NULL) == 0 && out[0] == '\0');
	urivet_format_report(out, sizeof out, NULL, NULL, 9, NULL, NULL);
	cr_expect(strncmp(out, "{\"uri\":\"\",", 10) == 0, "%s", out);
	urivet_format_report(out, sizeof out, NULL, NULL, SIZE_MAX, NULL, NULL);
	cr_expect(strncmp(out, "{\"uri\":\"\",", 10) == 0, "%s", out);
	urivet_format_report(out, sizeof out, NULL, want, (size_t)URIVET_MAX_LENGTH + 1, NULL,
			     NULL);
	cr_expect(strncmp(out, "{\"uri\":null,\"length\":1073741825,", 31) == 0, "%s", out);
}

/* Capacities follow snprintf(3): every capacity is tried, and the octets after it are checked. */
Test(json, every_capacity)
{
	static const char input[] = "http://u:p@\xc3\xa9.example:80/a\"\\\xf0\x9f\x98\x80/../?#";
	static char whole[16384], room[16384];
	struct urivet_report r;
	urivet_check(&r, LITERAL(input), NULL);
	const size_t n = urivet_format_report(whole, sizeof whole, &r, LITERAL(input), &(struct urivet_text){LITERAL("")}, NULL);
	cr_assert(n > 1000 && n < sizeof whole && strlen(whole) == n);
	cr_expect(urivet_format_report(NULL, 0, &r, LITERAL(input), &(struct urivet_text){LITERAL("")}, NULL) == n);
	for (size_t capacity = 1; capacity <= n + 1; capacity++) {
		memset(room, 0x5a, n + 4);
		cr_assert(urivet_format_report(room, capacity, &r, LITERAL(input), &(struct urivet_text){LITERAL("")}, NULL) == n);
		cr_assert(memcmp(room, whole, capacity - 1) == 0 && room[capacity - 1] == '\0');
		cr_assert(room[capacity] == 0x5a && room[capacity + 1] == 0x5a, "%zu", capacity);
	}
}

/* In segments of any size, the octets are the same: each step, and each escape, which needs
 * ESCAPE_MOST octets of room, ends a segment once. */
Test(json, pieces)
{
	static const char input[] = "http://u:p@\xc3\xa9.example:80/a\"\\\xf0\x9f\x98\x80/../?#\x7f\x7f\x7f";
	static char whole[16384], joined[16384];
	struct urivet_report r;
	urivet_check(&r, LITERAL(input), NULL);
	const size_t n = urivet_format_report(whole, sizeof whole, &r, LITERAL(input), &(struct urivet_text){LITERAL("")}, NULL);
	for (size_t size = URIVET_JSON_CAPACITY; size < 700; size += size < 120 ? 1 : 37) {
		struct urivet_json json = {.report = &r, .uri = r.parsed ? &r.uri : NULL,
					   .input = TEXT(input), .read = TEXT(input), .policy = "strict"};
		size_t length = 0, got;
		char *const room = malloc(size);
		while ((got = urivet_json_next(&json, room, size)) > 0) {
			cr_assert(got <= size && length + got < sizeof joined);
			memcpy(joined + length, room, got);
			length += got;
		}
		free(room);
		cr_expect(length == n - 1 && memcmp(joined, whole, length) == 0, "%zu", size);
		cr_expect(urivet_json_next(&json, joined, sizeof joined) == 0); /* finished */
	}
	struct urivet_json json = {.report = &r, .policy = "strict"};
	cr_expect(urivet_json_next(&json, whole, URIVET_JSON_CAPACITY - 1) == 0);
	cr_expect(json.position == 0 && json.offset == 0);
}

/* Octet strings in segments of the least size: inputs of each length, so that each later step
 * once finds no room left. */
Test(json, raw_in_pieces)
{
	static char input[200], whole[4096], joined[4096];
	memset(input, '\xfc', sizeof input);
	for (size_t n = 0; n <= sizeof input; n++) {
		struct urivet_report r;
		urivet_check(&r, input, n, NULL);
		struct urivet_json json = {.report = &r, .input = urivet_text_of(input, n), .policy = "strict", .raw = true};
		struct urivet_json again = json;
		const size_t length = urivet_json_next(&json, whole, sizeof whole);
		size_t done = 0, got;
		cr_assert(urivet_json_next(&json, whole, sizeof whole) == 0);
		while ((got = urivet_json_next(&again, joined + done, URIVET_JSON_CAPACITY)) > 0)
			done += got;
		cr_expect(done == length && memcmp(joined, whole, length) == 0, "%zu", n);
	}
}

/* Input that a reader parsed without judging. */
Test(json, uri_alone)
{
	const struct urivet_text input = TEXT("x://127.0.0.1/");
	struct urivet_json json;
	struct urivet_uri uri;
	char out[512];
	cr_assert(urivet_parse(&uri, input.data, input.length, NULL));
	json = (struct urivet_json){.uri = &uri, .read = input};
	out[urivet_json_next(&json, out, sizeof out)] = '\0';
	cr_expect_str_eq(out, ",\"components\":{\"scheme\":\"x\",\"userinfo\":null,\"host\":\"127.0.0.1\",\"port\":null,"
			      "\"path\":\"/\",\"query\":null,\"fragment\":null},\"host\":{\"kind\":\"ipv4\","
			      "\"address\":\"127.0.0.1\"},\"port\":null");
	json = (struct urivet_json){.uri = NULL};
	out[urivet_json_next(&json, out, sizeof out)] = '\0';
	cr_expect_str_eq(out, ",\"components\":null,\"host\":{\"kind\":\"none\",\"address\":null},\"port\":null");
}

/* Returns the object of a writer, written in the smallest segments. */
static const char *object_by(struct urivet_json json)
{
	static char out[32768];
	size_t length = 0, got;
	while ((got = urivet_json_next(&json, out + length, URIVET_JSON_CAPACITY)) > 0)
		cr_assert((length += got) < sizeof out - URIVET_JSON_CAPACITY);
	out[length] = '\0';
	return out;
}

/* Invalid arguments give null or no output, and never invalid JSON. */
Test(json, writers_that_cannot_be)
{
	const struct urivet_text input = TEXT("http://999.1.1.1/");
	struct urivet_reading reading;
	struct urivet_report r;
	/* an edition with addresses of any numbers finds no address in these */
	cr_assert(urivet_read_as(&reading, URIVET_READER_URI_1997, input.data, input.length, NULL, 0));
	cr_expect_str_eq(object_by((struct urivet_json){.uri = &reading.uri, .read = input}),
			 ",\"components\":{\"scheme\":\"http\",\"userinfo\":null,\"host\":\"999.1.1.1\","
			 "\"port\":null,\"path\":\"/\",\"query\":null,\"fragment\":null},"
			 "\"host\":{\"kind\":\"ipv4\",\"address\":null},\"port\":80");
	/* a kind of host, and a finding, that a newer version may define */
	urivet_check(&r, LITERAL("http://u@h/"), NULL);
	r.uri.host_kind = 99;
	r.finding[0].id = URIVET_FINDING_LIMIT - 1;
	cr_expect_str_eq(object_by((struct urivet_json){.report = &r, .uri = &r.uri, .input = TEXT("http://u@h/"),
							.read = TEXT("http://u@h/")}),
			 "{\"uri\":\"http://u@h/\",\"verdict\":\"reject\",\"policy\":null,"
			 "\"components\":{\"scheme\":\"http\",\"userinfo\":\"u\",\"host\":\"h\",\"port\":null,"
			 "\"path\":\"/\",\"query\":null,\"fragment\":null},\"host\":{\"kind\":null,"
			 "\"address\":null},\"port\":80,\"findings\":[{\"id\":null,\"number\":511,"
			 "\"class\":\"ambiguous\",\"component\":\"userinfo\",\"offset\":7,\"length\":2,"
			 "\"count\":1,\"reference\":null,\"text\":null,\"refuses\":true}]");
	static const char *const kinds[] = {"\"none\"", "\"name\"", "\"ipv4\"", "\"ipv6\"", "\"ipvfuture\"", "\"registry\"", "null"};
	static const uint32_t numbers[] = {0, 8, 9, 10, 89, 90, 99, 100, 999, 1000, UINT32_MAX};
	char want[64];
	for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		r.uri.host_kind = (uint8_t)k;
		snprintf(want, sizeof want, "\"host\":{\"kind\":%s,", kinds[k]);
		cr_expect(strstr(object_by((struct urivet_json){.report = &r, .uri = &r.uri}), want) != NULL, "%s", want);
	}
	for (unsigned k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
		r.finding[0].count = numbers[k];
		snprintf(want, sizeof want, ",\"count\":%" PRIu32 ",", numbers[k]);
		cr_expect(strstr(object_by((struct urivet_json){.report = &r}), want) != NULL, "%s", want);
	}
	for (r.uri.port = 1; r.uri.port < 500; r.uri.port++) {
		snprintf(want, sizeof want, "},\"port\":%d,\"findings\"", (int)r.uri.port);
		cr_expect(strstr(object_by((struct urivet_json){.report = &r, .uri = &r.uri}), want) != NULL, "%s", want);
	}
	/* invalid UTF-8 of which `raw` is not set; and a length above any text's */
	const char *object = object_by((struct urivet_json){.report = &r, .input = TEXT("a\xff\xc3\xa9\xe2\x82x\xc3")});
	cr_expect(begins(object, "{\"uri\":\"a\\u00FF\\u00E9\\u00E2\\u0082x\\u00C3\",\"verdict\""), "%s", object);
	object = object_by((struct urivet_json){.report = &r, .input = {"a", (size_t)URIVET_MAX_LENGTH + 1}});
	cr_expect(begins(object, "{\"uri\":null,\"verdict\""), "%s", object);
}

/* A Host field that is too long is not shown, but the target is; also with a length above any
 * text's. */
Test(json, long_host_fields)
{
	static char out[65536];
	const struct urivet_text host = TEXT("www.long.example.com"), far = {"h", SIZE_MAX};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	p.max_length = 10;
	check_target(&r, TEXT("/a"), host, &p, NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("/a"), &host, &p);
	cr_expect(begins(out, "{\"uri\":\"/a\",\"verdict\":\"reject\","), "%s", out);
	cr_expect(strstr(out, "\"components\":null,") != NULL, "%s", out);
	cr_expect(strstr(out, "[{\"id\":\"url-too-long\",") != NULL, "%s", out);
	cr_assert(check_target(&r, TEXT("/a"), TEXT("h"), NULL, NULL) == URIVET_ACCEPT);
	urivet_format_report(out, sizeof out, &r, LITERAL("/a"), &far, NULL);
	cr_expect(begins(out, "{\"uri\":\"/a\",\"verdict\":\"accept\","), "%s", out);
	cr_expect(strstr(out, "\"host\":\"h\",") != NULL, "%s", out);
	urivet_format_report(out, sizeof out, &r, LITERAL("/a"), &(struct urivet_text){NULL, 100}, NULL);
	cr_expect(strstr(out, "\"host\":null,") != NULL, "%s", out);
	/* findings after the last one are ignored */
	urivet_check(&r, LITERAL("http://example.com/"), &p);
	urivet_format_report(out, sizeof out, &r, LITERAL("http://example.com/"), &far, &p);
	cr_expect(begins(out, "{\"uri\":null,\"length\":19,"), "%s", out);
	r.count = 0;
	urivet_format_report(out, sizeof out, &r, LITERAL("http://example.com/"), &far, &p);
	cr_expect(begins(out, "{\"uri\":\"http://example.com/\",\"verdict\":\"reject\","), "%s", out);
	/* a finding that a caller adds to a report of parsed input leaves the input parsed */
	urivet_check(&r, LITERAL("http://h/"), NULL);
	urivet_add_finding(&r, URIVET_F_URL_TOO_LONG, URIVET_WHOLE, r.uri.part[URIVET_WHOLE], NULL);
	urivet_format_report(out, sizeof out, &r, LITERAL("http://h/"), &far, NULL);
	cr_expect(begins(out, "{\"uri\":\"http://h/\",\"verdict\":\"reject\","), "%s", out);
}

/* As many findings as a report can hold. */
Test(json, full_report)
{
	static char out[65536];
	struct urivet_report r;
	unsigned added = 0;
	urivet_check(&r, LITERAL("http://h/"), NULL);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT && added < URIVET_MAX_FINDINGS; id++)
		if (urivet_finding_info(id) != NULL) {
			urivet_add_finding(&r, id, URIVET_PATH, (struct urivet_span){8, 1}, NULL);
			added++;
		}
	cr_assert(r.count == URIVET_MAX_FINDINGS);
	const size_t n =
	    urivet_format_report(out, sizeof out, &r, LITERAL("http://h/"), NULL, NULL);
	cr_assert(n < sizeof out && strcmp(out + n - 7, "true}]}") == 0);
	added = 0;
	for (const char *at = out; (at = strstr(at, "{\"id\":")) != NULL; at++)
		added++;
	cr_expect(added == URIVET_MAX_FINDINGS);
	/* an impossible count does no harm */
	r.count = UINT32_MAX;
	urivet_format_report(out, sizeof out, &r, LITERAL("http://h/"), NULL, NULL);
	cr_expect(strstr(out, "\"findings\":[]}") != NULL);
	cr_expect(urivet_format_ids(out, sizeof out, &r, NULL) == 0);
	added = 0;
	for (const char *at = object_by((struct urivet_json){.report = &r}); (at = strstr(at, "{\"id\":")) != NULL; at++)
		added++;
	cr_expect(added == URIVET_MAX_FINDINGS); /* a writer works whether or not the report is full */
}

/* ---- Ids --------------------------------------------------------------------------- */

Test(json, ids)
{
	static const char want[] = "userinfo-present,dot-segment";
	struct urivet_report r;
	char out[64];
	urivet_check(&r, LITERAL("http://h/"), NULL);
	cr_expect(urivet_format_ids(out, sizeof out, &r, NULL) == 0 && out[0] == '\0');
	urivet_check(&r, LITERAL("http://u@h/a/../b"), NULL);
	for (size_t capacity = 0; capacity <= sizeof want + 1; capacity++) {
		memset(out, 0x5a, sizeof out);
		cr_expect(urivet_format_ids(capacity > 0 ? out : NULL, capacity, &r, NULL) == sizeof want - 1);
		cr_expect(out[capacity] == 0x5a && out[capacity + 1] == 0x5a);
		if (capacity == 0)
			continue;
		const size_t written = capacity < sizeof want ? capacity - 1 : sizeof want - 1;
		cr_expect(memcmp(out, want, written) == 0 && out[written] == '\0', "%zu: %s", capacity, out);
	}
	const struct urivet_report whole = r;
	r.finding[1].id = URIVET_FINDING_LIMIT - 1; /* a number without a finding */
	urivet_format_ids(out, sizeof out, &r, NULL);
	cr_expect_str_eq(out, "userinfo-present");
	r = whole;
	r.finding[0].id = URIVET_FINDING_LIMIT - 1;
	urivet_format_ids(out, sizeof out, &r, NULL);
	cr_expect_str_eq(out, "dot-segment");
	r = whole;
	r.count = 1; /* findings after the count are ignored */
	urivet_format_ids(out, sizeof out, &r, NULL);
	cr_expect_str_eq(out, "userinfo-present");
	r.size = 8; /* a report of invalid size */
	cr_expect(urivet_format_ids(out, sizeof out, &r, NULL) == 0);
}

/* ---- Sizes and limits -------------------------------------------------------------- */

Test(json, sizes_and_limits)
{
	cr_expect(urivet_size_of(URIVET_SIZE_POLICY, 0) == sizeof(struct urivet_policy));
	cr_expect(urivet_size_of(URIVET_SIZE_REQUEST, 0) == sizeof(struct urivet_request));
	cr_expect(urivet_size_of(URIVET_SIZE_REPORT, 0) == sizeof(struct urivet_report));
	cr_expect(urivet_size_of(URIVET_SIZE_READING, 0) == sizeof(struct urivet_reading));
	cr_expect(urivet_size_of(URIVET_SIZE_ENDPOINT, 0) == sizeof(struct urivet_endpoint));
	cr_expect(urivet_size_of(URIVET_SIZE_PARAMETER_RULES, 0) == sizeof(struct urivet_parameter_rules));
	cr_expect(urivet_size_of(URIVET_LIMIT_LENGTH, 0) == URIVET_MAX_LENGTH);
	cr_expect(urivet_size_of(URIVET_LIMIT_FINDINGS, 0) == URIVET_FINDING_LIMIT);
	cr_expect(urivet_size_of(URIVET_CAPACITY_SUGGEST, 0) == 3 && urivet_size_of(URIVET_CAPACITY_SUGGEST, 100) == 103);
	cr_expect(urivet_size_of(URIVET_CAPACITY_READING, 0) == URIVET_READING_CAPACITY(0));
	cr_expect(urivet_size_of(URIVET_CAPACITY_READING, 100) == URIVET_READING_CAPACITY(100));
	cr_expect(urivet_size_of(URIVET_CAPACITY_ENDPOINT, 100) == URIVET_ENDPOINT_CAPACITY(100));
	cr_expect(urivet_size_of(URIVET_CAPACITY_SUGGEST, SIZE_MAX - 3) == SIZE_MAX);
	cr_expect(urivet_size_of(URIVET_CAPACITY_SUGGEST, SIZE_MAX - 4) == SIZE_MAX - 1);
	cr_expect(urivet_size_of(URIVET_CAPACITY_SUGGEST, SIZE_MAX) == SIZE_MAX);
	cr_expect(urivet_size_of(URIVET_CAPACITY_READING, (SIZE_MAX - 64) / 9 + 1) == SIZE_MAX);
	cr_expect(urivet_size_of(URIVET_CAPACITY_READING, (SIZE_MAX - 64) / 9) > SIZE_MAX - 9);
	cr_expect(urivet_size_of(URIVET_CAPACITY_ENDPOINT, (SIZE_MAX - 192) / 3) > SIZE_MAX - 3);
	cr_expect(urivet_size_of(URIVET_CAPACITY_ENDPOINT, (SIZE_MAX - 192) / 3 + 1) == SIZE_MAX);
	cr_expect(urivet_size_of(URIVET_CAPACITY_ENDPOINT, SIZE_MAX) == SIZE_MAX);
	cr_expect(urivet_size_of(URIVET_CAPACITY_PARAMETERS, 100) == URIVET_PARAMETERS_CAPACITY(100));
	cr_expect(urivet_size_of(URIVET_CAPACITY_PARAMETERS, (SIZE_MAX - 64) / 5) > SIZE_MAX - 5);
	cr_expect(urivet_size_of(URIVET_CAPACITY_PARAMETERS, (SIZE_MAX - 64) / 5 + 1) == SIZE_MAX);
	cr_expect(urivet_size_of((enum urivet_sized)(URIVET_CAPACITY_PARAMETERS + 1), 1) == 0);
	cr_expect(urivet_size_of((enum urivet_sized)UINT_MAX, 1) == 0);
}

/* Findings and components without knowing a struct. */
Test(json, accessors)
{
	static const char url[] = "http://u@h/a?";
	struct urivet_report r;
	size_t offset = 7, length = 7;
	char out[64];
	urivet_check(&r, LITERAL(url), NULL);
	cr_expect(urivet_finding_at(&r, 0, &offset, &length) == URIVET_F_USERINFO_PRESENT && offset == 7 && length == 2);
	cr_expect(urivet_finding_at(&r, 1, NULL, NULL) == URIVET_F_QUERY_EMPTY);
	cr_expect(urivet_finding_at(&r, 2, &offset, &length) == 0 && offset == 7 && length == 2);
	cr_expect(urivet_finding_at(NULL, 0, &offset, &length) == 0);
	cr_expect_str_eq(urivet_finding_name(URIVET_F_QUERY_EMPTY), "query-empty");
	cr_expect(urivet_finding_name(0) == NULL && urivet_finding_name(UINT32_MAX) == NULL);
	/* the note is no reason */
	urivet_format_ids(out, sizeof out, &r, NULL);
	cr_expect_str_eq(out, "userinfo-present");
	cr_expect(urivet_component_at(&r, URIVET_HOST, LITERAL(url), &length) == url + 9 && length == 1);
	cr_expect(urivet_component_at(&r, URIVET_QUERY, LITERAL(url), &length) == url + 13 && length == 0);
	cr_expect(urivet_component_at(&r, URIVET_PORT, LITERAL(url), &length) == NULL && length == 0);
	cr_expect(urivet_component_at(&r, (enum urivet_component)99, LITERAL(url), &length) == NULL);
	cr_expect(urivet_component_at(&r, URIVET_PATH, "http", 4, &length) == NULL && length == 0);
	cr_expect(urivet_component_at(NULL, URIVET_PATH, LITERAL(url), &length) == NULL);
	check_target(&r, TEXT("/p"), TEXT("h.example"), NULL, NULL);
	cr_expect(urivet_component_at(&r, URIVET_HOST, "/p", 2, &length) == NULL);
	urivet_check(&r, LITERAL("http://h /"), NULL);
	cr_expect(!r.parsed && urivet_component_at(&r, URIVET_SCHEME, LITERAL("http://h /"), &length) == NULL);
	memset(&r, 0, sizeof r);
	cr_expect(urivet_component_at(&r, URIVET_PATH, LITERAL(url), &length) == NULL);
}
