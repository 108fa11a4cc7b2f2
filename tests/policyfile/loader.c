/* SPDX-License-Identifier: Apache-2.0 */
/* Tests liburivet-policy as programs use it: loading, messages, references, places, writing, and
 * failing allocations. Prints the expectations that do not hold. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <urivet/compiled.h>
#include <urivet/parameters.h>
#include <urivet/policy.h>
#include <urivet/rules.h>

#include "../built_in.h"

static unsigned expectations, broken;

#define expect(condition)                                                                          \
	do {                                                                                       \
		expectations++;                                                                    \
		if (!(condition)) {                                                                \
			broken++;                                                                  \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
		}                                                                                  \
	} while (0)

/* ---- Failing allocations: the linker redirects the library's calls here ----------------- */

static unsigned long left_to_give = ~0ul;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool give(void)
{
	if (left_to_give == 0)
		return false;
	left_to_give--;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return give() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return give() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
	return give() ? __real_realloc(memory, size) : NULL;
}

/* ---- Messages ------------------------------------------------------------------------- */

struct heard {
	unsigned count;
	char all[65536]; /* "file:line:column: text\n" for each */
};

static void hear(void *context, const struct urivet_message *message)
{
	struct heard *heard = context;
	const size_t used = strlen(heard->all);

	heard->count++;
	snprintf(heard->all + used, sizeof heard->all - used, "%s:%u:%u: %s\n", message->file,
		 (unsigned)message->line, (unsigned)message->column, message->text);
}

static struct urivet_loaded *load(const char *text, struct heard *heard)
{
	*heard = (struct heard){0};
	return urivet_load_text(text, strlen(text), "test.yaml", hear, heard);
}

static const char everything[] = "base: public\n"
				 "name: \"caf\\u00e9 \\\"x\\\" \\U0001F4A9\"\n"
				 "mode: observe\n"
				 "schemes: [https, http, other]\n"
				 "ports: {https: [8443, 9000-9100], http: [8080]}\n"
				 "hosts: {allow: [.example.com, \"*.example.net\", a.example],\n"
				 "  deny: [admin.example.com]}\n"
				 "urls: {allow: [https://b.example:8443/x, 'com.example.app:/cb']}\n"
				 "addresses: {allow: [10.0.0.0/8], deny: [10.1.0.0/16, '::1'],\n"
				 "  nat64: [2001:db8::/96]}\n"
				 "allow: [host-trailing-dot]\n"
				 "refuse: [scheme-plaintext]\n"
				 "limits: {length: 2000, host: 200, label: 60}\n"
				 "opaque_query: true\n"
				 "protect: [example.com, bank.example.]\n"
				 "parameters: {next: {same_origin: true, rooted: true},\n"
				 "  'url[*]': {policy: public, decode: 2, any_case: true},\n"
				 "  q: {allow: [double-escape]}, '*': {absolute: true}}\n";

static void test_messages(void)
{
	static const struct {
		const char *text;
		const char *told;
	} rows[] = {
	    {"bse: x\n", "test.yaml:1:1: unknown key \"bse\"; did you mean \"base\"?\n"},
	    {"hosts:\n  deny:\n    - b c\n",
	     "test.yaml:3:7: \"b c\" is no host name: labels of letters, digits, hyphens and "
	     "underscores, at most 63 octets each and 253 in all, the last one no number\n"},
	    {"name: \"\\x1b\\n\"\n", "test.yaml:1:7: \"name\" takes text without controls, and at least "
				     "one character\n"},
	    {"base: \"a\\x1b\\u009b\"\n",
	     "test.yaml:1:7: no such policy to begin with: \"a\\x1B\\xC2\\x9B\"\n"},
	    {"include: [x]\n", "test.yaml:1:11: there are no files here to include\n"},
	    {"parameters: {u: {policy: ./x.yaml}}\n",
	     "test.yaml:1:26: there are no files here: name a built-in policy\n"},
	    {"limits: {host: 0}\nmode: x\n",
	     "test.yaml:1:16: \"limits.host\" takes a number from 1 to 253, not 0\n"
	     "test.yaml:2:7: no such mode: \"x\"; write enforce or observe\n"},
	    {"", "test.yaml:1:1: nothing is set here; a policy file has at least one key, such as "
		 "base: public\n"},
	};
	struct heard heard;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		expect(load(rows[i].text, &heard) == NULL);
		expect(strcmp(heard.all, rows[i].told) == 0);
		if (strcmp(heard.all, rows[i].told) != 0)
			printf("%s", heard.all);
		expect(urivet_load_text(rows[i].text, strlen(rows[i].text), "x", NULL, NULL) == NULL);
	}
	/* arbitrary octets, no octets, and a missing file */
	expect(urivet_load_text(NULL, 5, "x", NULL, NULL) == NULL);
	expect(urivet_load_text("\0\0", 2, "x", NULL, NULL) == NULL);
	heard = (struct heard){0};
	expect(urivet_load("/nowhere/at/all.yaml", hear, &heard) == NULL);
	expect(strcmp(heard.all, "/nowhere/at/all.yaml:0:0: cannot open '/nowhere/at/all.yaml': No such "
				 "file or directory\n") == 0);
	expect(urivet_load("/nowhere/at/all.yaml", NULL, NULL) == NULL);
}

static void test_formatted_messages(void)
{
	static const struct {
		struct urivet_message message;
		const char *text;
	} rows[] = {
	    {{"a.yaml", 7, 3, "no such finding"}, "a.yaml:7:3: no such finding"},
	    {{"a.yaml", 7, 0, "no such finding"}, "a.yaml:7: no such finding"},
	    {{"a.yaml", 0, 0, "cannot open 'a.yaml'"}, "cannot open 'a.yaml'"},
	    {{"a.yaml", 4294967295u, 1, NULL}, "a.yaml:4294967295:1"},
	    {{"a.yaml", 7, 0, NULL}, "a.yaml:7"},
	    {{"a.yaml", 0, 0, NULL}, "a.yaml"},
	};
	char text[64];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t length = strlen(rows[i].text);

		expect(urivet_format_message(NULL, 0, &rows[i].message) == length);
		for (size_t capacity = 1; capacity <= length + 1; capacity++) {
			memset(text, 'x', sizeof text);
			expect(urivet_format_message(text, capacity, &rows[i].message) == length);
			expect(memcmp(text, rows[i].text, capacity - 1) == 0);
			expect(text[capacity - 1] == '\0' && text[capacity] == 'x');
		}
	}
}

/* ---- What was loaded ------------------------------------------------------------------ */

static void test_everything(void)
{
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard);
	const struct urivet_policy *policy;

	expect(loaded != NULL && heard.count == 0);
	if (loaded == NULL) {
		printf("%s", heard.all);
		return;
	}
	policy = urivet_loaded_policy(loaded);
	expect(is_valid(policy) && policy->seal != 0);
	expect(policy->index != NULL && policy->index_count == URIVET_INDEX_WORDS(4 + 3));
	expect(urivet_loaded_base(loaded) == URIVET_PUBLIC && urivet_loaded_observes(loaded));
	expect(strcmp(policy->name, "caf\xc3\xa9 \"x\" \xf0\x9f\x92\xa9") == 0);
	expect(policy->hosts.count == 4 && policy->hosts.only && policy->hosts.sorted);
	expect(policy->addresses.count == 3 && policy->nat64_count == 1);
	expect(policy->port_count == 3 && policy->url_count == 2);
	expect(policy->max_length == 2000 && policy->max_host == 200 && policy->max_label == 60);
	expect(policy->opaque_query);
	expect(strcmp(urivet_loaded_protected(loaded, 0), "example.com") == 0);
	expect(strcmp(urivet_loaded_protected(loaded, 1), "bank.example") == 0);
	expect(urivet_loaded_protected(loaded, 2) == NULL);
	expect(urivet_loaded_protected(loaded, (size_t)-1) == NULL);
	urivet_loaded_release(loaded);
}

/* A policy loaded from a compiled one has an index as well. */
static void test_compiled(void)
{
	static uint64_t octets[4096];
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard), *again;
	const size_t length = urivet_loaded_compile(octets, sizeof octets, loaded);
	const struct urivet_policy *policy;

	expect(length > 0 && length <= sizeof octets);
	again = urivet_load_text(octets, length, "test.compiled", hear, &heard);
	expect(again != NULL && heard.count == 0);
	if (again != NULL) {
		policy = urivet_loaded_policy(again);
		expect(is_valid(policy) && policy->seal != 0);
		expect(policy->index != NULL && policy->index_count == URIVET_INDEX_WORDS(4 + 3));
	}
	urivet_loaded_release(loaded);
	urivet_loaded_release(again);
}

/* Numbers and strings of `extra` that contradict each other: see compiled_format.h. */
static void test_extra(void)
{
	static const char none[] = "no places and names", other[] = "another version", broken_[] = "contradict";
	static const struct {
		unsigned from, number, more; /* the octets from here on are this number; so many more follow, 999: there are none at all, 1000: 27 alone */
		const char *told;
	} rows[] = {{0, 1, 0, other}, {0, 3, 0, other}, {4, URIVET_BASES, 0, other}, {8, 2, 0, other}, {12, 18, 0, other}, {16, 2, 0, other},
		    {20, 0, 0, broken_}, {20, 2, 0, broken_}, {24, 9, 0, other}, {28, 1, 0, broken_}, {40, 1, 0, broken_}, {52, 1, 0, broken_},
		    {64, 0x80000001, 0, broken_}, {0, 2, 1, other}, {0, 2, 999, none}, {0, 2, 1000, other}, {4, 0, 0, NULL}, {8, 1, 0, NULL},
		    {52, 0x80000000, 0, NULL}, {28, 0x80000000, 0, NULL}};
	static uint64_t octets[4096], made[4096];
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard);
	struct urivet_policy policy;
	struct urivet_text extra;
	uint8_t copy[4096] = {0};

	(void)urivet_compiled_open(&policy, sizeof policy, octets, urivet_loaded_compile(octets, sizeof octets, loaded), &extra);
	urivet_loaded_release(loaded);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t more = rows[i].more, length = more == 999 ? 0 : more == 1000 ? 27 : extra.length + more;

		memcpy(copy, extra.data, extra.length);
		for (unsigned k = 0; k < 4; k++)
			copy[rows[i].from + k] = (uint8_t)(rows[i].number >> 8 * k);
		heard = (struct heard){0};
		loaded = urivet_load_text(made, urivet_compiled_write(made, sizeof made, &policy, urivet_text_of(copy, length)), "x", hear, &heard);
		expect(rows[i].told == NULL ? loaded != NULL : loaded == NULL && strstr(heard.all, rows[i].told) != NULL);
		urivet_loaded_release(loaded);
	}
}

static void test_places(void)
{
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard);
	struct urivet_message place = {"unchanged", 7, 7, "x"};
	struct urivet_report report;

	(void)urivet_check(&report, "https://admin.example.com/", 26, urivet_loaded_policy(loaded));
	expect(report.host_rule != NULL && report.host_rule->action == URIVET_DENY);
	expect(urivet_loaded_place(loaded, report.host_rule->tag, &place));
	expect(strcmp(place.file, "test.yaml") == 0 && place.text == NULL);
	expect(place.line == 7 && place.column == 10);
	(void)urivet_check(&report, "https://b.example:8443/x/y", 26, urivet_loaded_policy(loaded));
	expect(report.verdict == URIVET_ACCEPT && report.url_rule != NULL);
	expect(urivet_loaded_place(loaded, report.url_rule->tag, &place) && place.line == 8);
	expect(urivet_loaded_place(loaded, URIVET_TAG_HOSTS_ALLOW, &place) && place.line == 6);
	expect(urivet_loaded_place(loaded, URIVET_TAG_URLS_ALLOW, &place) && place.column == 8);
	place.line = 7;
	expect(!urivet_loaded_place(loaded, 1000, &place) && place.line == 7);
	urivet_loaded_release(loaded);
	loaded = load("base: any", &heard);
	expect(!urivet_loaded_place(loaded, URIVET_TAG_HOSTS_ALLOW, &place));
	expect(!urivet_loaded_place(loaded, 0, &place));
	urivet_loaded_release(loaded);
}

static void test_references(void)
{
	struct heard heard;
	struct urivet_loaded *loaded = load("base: any", &heard);
	struct urivet_report report;

	expect(urivet_loaded_keep(loaded) == loaded && urivet_loaded_keep(loaded) == loaded);
	urivet_loaded_release(loaded);
	urivet_loaded_release(loaded);
	expect(urivet_check(&report, "ftp://h/", 8, urivet_loaded_policy(loaded)) == URIVET_ACCEPT);
	urivet_loaded_release(loaded);
	expect(urivet_loaded_keep(NULL) == NULL);
	urivet_loaded_release(NULL);
	expect(urivet_check(&report, "http://h/", 9, urivet_loaded_policy(NULL)) == URIVET_REJECT);
}

static void *keep_and_judge(void *context)
{
	struct urivet_loaded *loaded = context;
	struct urivet_report report;

	for (unsigned i = 0; i < 20000; i++) {
		(void)urivet_loaded_keep(loaded);
		if (urivet_check(&report, "https://a.example/", 18, urivet_loaded_policy(loaded)) != URIVET_ACCEPT)
			broken++;
		urivet_loaded_release(loaded);
	}
	urivet_loaded_release(loaded);
	return NULL;
}

/* Threads share one policy, and the last one frees it. */
static void test_threads(void)
{
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard);
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		expect(pthread_create(&threads[i], NULL, keep_and_judge,
				      urivet_loaded_keep(loaded)) == 0);
	urivet_loaded_release(loaded);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* ---- Writing -------------------------------------------------------------------------- */

static void test_format(void)
{
	struct heard heard;
	struct urivet_loaded *loaded = load(everything, &heard);
	const size_t length = urivet_loaded_format(NULL, 0, loaded);
	char *text = malloc(length + 1), *again = malloc(length + 2);

	expect(urivet_loaded_format(text, length + 1, loaded) == length && strlen(text) == length);
	for (size_t capacity = 1; capacity <= length; capacity += 37) {
		memset(again, 'x', length + 2);
		expect(urivet_loaded_format(again, capacity, loaded) == length);
		expect(memcmp(again, text, capacity - 1) == 0 && again[capacity - 1] == '\0');
		expect(again[capacity] == 'x');
	}
	urivet_loaded_release(loaded);
	loaded = load(text, &heard);
	expect(loaded != NULL && heard.count == 0);
	expect(urivet_loaded_format(again, length + 1, loaded) == length);
	expect(strcmp(again, text) == 0);
	urivet_loaded_release(loaded);
	free(text);
	free(again);
}

static void test_built_in(void)
{
	for (int base = 0; base < URIVET_BASES; base++) {
		struct urivet_loaded *built_in = urivet_load_built_in(base);
		char one[4096], other[4096];
		struct urivet_loaded *read;

		expect(built_in != NULL && urivet_loaded_base(built_in) == base);
		expect(urivet_loaded_format(one, sizeof one, built_in) < sizeof one);
		read = urivet_load_text(one, strlen(one), "x", NULL, NULL);
		expect(read != NULL);
		expect(urivet_loaded_format(other, sizeof other, read) < sizeof other);
		expect(strcmp(one, other) == 0);
		urivet_loaded_release(read);
		urivet_loaded_release(built_in);
	}
	expect(urivet_load_built_in(-1) == NULL && urivet_load_built_in(URIVET_BASES) == NULL);
}

/* ---- Parameters ------------------------------------------------------------------------- */

static const char parameters[] = "parameters:\n"
				 "  next: {rooted: true, policy: strict}\n"
				 "  body: {allow: [escaped-crlf, double-escape]}\n"
				 "  text: {allow: [escaped-crlf]}\n"
				 "  \"m[*]\": {allow: [escaped-crlf]}\n"
				 "  url: {semicolons: true}\n"
				 "  URL: {any_case: true, same_origin: true}\n"
				 "  to: {allow: [double-escape], policy: public}\n";

/* The line of the rule that refuses a value; 0: the URL is accepted, 1: without such a rule. */
static const struct {
	const char *query;
	unsigned line;
} queries[] = {
    {"next=/account", 0},
    {"next=/", 0},
    {"next=", 2},
    {"next=account", 2},
    {"next=.evil.example", 2},
    {"next=@evil.example", 2},
    {"next=//evil.example", 2},
    {"next=/%5Cevil.example", 2},
    {"next=/%09/evil.example", 2},
    {"next=/%C3%BC", 2},
    {"next=https://h.example/", 2},
    {"next=%", 1},
    {"n%65xt=account", 1},
    {"body=a%0D%0Ab", 0},
    {"body=a%2541", 0},
    {"body=a%2541%0D%0A&body=%0A", 0},
    {"text=a%0D%0Ab", 0},
    {"text=a%2541", 1},
    {"body=%2541&text=%0A", 0},
    {"body=%0A&text=%2541", 1},
    {"x=1&body=%0A&next=/", 0},
    {"x=%0A&body=%0A", 1},
    {"body=%0A&next=a", 2},
    {"body=%0A;x=1", 1},
    {"body=%0A%00", 1},
    {"Body=%0A", 1},
    {"b%6Fdy=%0A", 1},
    {"body%5B%5D=%0A", 1},
    {"xbody=%0A", 1},
    {"body", 0},
    {"=%0A", 1},
    {"m%5B%5D=%0A", 0},
    {"m%5b1%5d=%0A", 0},
    {"m%5B%5D%5Bx%5D=%0A", 0},
    {"m%5B=%0A", 1},
    {"m=%0A", 1},
    {"m%5Bx=%0A", 1},
    {"url=http://127.0.0.1/", 7},
    {"url=https://github.com/", 7},
    {"a;url=http://127.0.0.1/", 6},
    {"a;next=x", 0},
    {"uRl=https://github.com/", 7},
    {"url=/x", 0},
    {"to=https%3A%2F%2Fgithub.com%2Fa%252541", 0},
    {"to=https%3A%2F%2F127.0.0.1%2Fa%252541", 8},
    {"to=%2Fa%250D%250A", 1},
};

static bool refuses_parameters(const struct urivet_report *report)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->finding[i].id == URIVET_F_PARAM_REFUSED)
			return true;
	return false;
}

/* Judges URLs and requests, by the policy and by its compiled form. */
static void expect_lines(const struct urivet_loaded *loaded)
{
	const struct urivet_policy *policy = urivet_loaded_policy(loaded);
	struct urivet_request request;
	char text[256];

	(void)urivet_request_init(&request, sizeof request);
	request.host = urivet_text_of("h.example", 9);
	for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
		const int length = snprintf(text, sizeof text, "https://h.example/?%s#%%0A",
					    queries[k].query) - 4;
		const struct urivet_text url = urivet_text_of(text, (size_t)length);
		const struct urivet_text target = urivet_text_of(text + 17, url.length - 17);
		const bool accepted = queries[k].line == 0;
		struct urivet_report report;
		struct urivet_message place = {.line = 1};

		expect((urivet_check(&report, text, url.length, policy) == URIVET_ACCEPT) == accepted);
		expect((report.parameter_rule == NULL) == !refuses_parameters(&report));
		if (report.parameter_rule != NULL)
			expect(urivet_loaded_place(loaded, report.parameter_rule->tag, &place));
		expect(accepted ? report.parameter_rule == NULL
				: queries[k].line == 1 || place.line == queries[k].line);
		expect(report.size == sizeof report && report.uri.part[URIVET_WHOLE].length == url.length);
		expect(!accepted || report.count < 2);
		expect((urivet_check_request(&report, target.data, target.length, &request, policy, NULL) ==
			URIVET_ACCEPT) == accepted);
		if (broken > 0)
			printf("%s\n", text);
	}
}

static void test_parameters(void)
{
	static uint64_t octets[4096];
	struct heard heard;
	struct urivet_loaded *loaded = load(parameters, &heard), *again;
	const size_t length = urivet_loaded_compile(octets, sizeof octets, loaded);
	struct urivet_policy alone;
	struct urivet_report report;

	expect(heard.count == 0);
	expect(strcmp(urivet_loaded_parameter(loaded, 0), "next") == 0);
	expect(strcmp(urivet_loaded_parameter(loaded, 6), "to") == 0);
	expect(urivet_loaded_parameter(loaded, 7) == NULL);
	expect_lines(loaded);
	again = urivet_load_text(octets, length, "again", hear, &heard);
	expect(again != NULL && urivet_loaded_differences(loaded, again, NULL, NULL) == 0);
	expect_lines(again);
	urivet_loaded_release(again);
	/* the core alone judges by them, too */
	expect(urivet_compiled_open(&alone, sizeof alone, octets, length, NULL) == URIVET_COMPILED_GOOD);
	expect(alone.parameter_count == 7);
	expect(urivet_check(&report, "https://h.example/?next=//i.example/", 36, &alone) == URIVET_REJECT);
	expect(refuses_parameters(&report));
	urivet_loaded_release(loaded);
}

/* Long inputs, many parameters, waivers of the program's policy, and too little memory. */
static void test_more_parameters(void)
{
	static char text[60000];
	struct heard heard;
	struct urivet_loaded *loaded =
	    load("limits: {length: 60000}\nparameters: {u: {policy: any}, b: {allow: [escaped-crlf]}}",
		 &heard);
	struct urivet_policy policy = *urivet_loaded_policy(loaded);
	struct urivet_report report;
	char *at;

	for (unsigned count = 255; count < 258; count++) {
		at = text + sprintf(text, "https://h.example/?b=%%0A");
		for (unsigned i = 0; i < count; i++)
			at += sprintf(at, "&u=/%u&v=x", i);
		expect((urivet_check(&report, text, (size_t)(at - text), urivet_loaded_policy(loaded)) ==
			URIVET_ACCEPT) == (count <= URIVET_MAX_PARAMETERS));
	}
	at = text + sprintf(text, "https://h.example/?u=/");
	memset(at, 'a', URIVET_PARAMETER_VALUE_MOST);
	at += URIVET_PARAMETER_VALUE_MOST;
	expect(urivet_check(&report, text, (size_t)(at - text), &policy) == URIVET_REJECT);
	expect(refuses_parameters(&report) && report.parameter_rule == &policy.parameters[0]);
	expect(urivet_check(&report, text, (size_t)(at - text) - 1, &policy) == URIVET_ACCEPT);
	expect(urivet_check(&report, text, 60001, &policy) == URIVET_REJECT);
	/* changes of a copy count */
	at = text + sprintf(text, "https://h.example/?u=%%00");
	for (unsigned k = 0; k < 2; k++) {
		(void)urivet_check(&report, text, (size_t)(at - text), &policy);
		expect(refuses_parameters(&report) && (report.verdict == URIVET_ACCEPT) == (k == 1));
		(void)urivet_policy_waive(&policy, URIVET_F_PARAM_REFUSED);
		(void)urivet_policy_waive(&policy, URIVET_F_ESCAPED_NUL);
	}
	at = text + sprintf(text, "https://h.example/?b=%%0A");
	expect(urivet_check(&report, text, (size_t)(at - text), &policy) == URIVET_ACCEPT);
	expect(report.parameter_allowed);
	urivet_loaded_release(loaded);
}

/* ---- Public suffixes -------------------------------------------------------------------- */

static void test_suffixes(void)
{
	static const char text[] = "refuse: [host-public-suffix]\nhosts: {deny: [x.example]}\n";
	struct urivet_suffixes *suffixes = urivet_suffixes_open(NULL, NULL);
	struct urivet_policy policy;
	struct urivet_report report;
	struct heard heard;
	struct urivet_loaded *loaded = load(text, &heard);

	expect((suffixes == NULL) == (loaded == NULL));
	if (suffixes == NULL) {
		expect(strstr(heard.all, "publicsuffix") != NULL);
		return;
	}
	expect(urivet_check(&report, "http://co.uk/", 13, urivet_loaded_policy(loaded)) == URIVET_REJECT);
	expect(report.count == 1 && report.finding[0].id == URIVET_F_HOST_PUBLIC_SUFFIX);
	expect(urivet_check(&report, "http://a.co.uk/", 15, urivet_loaded_policy(loaded)) == URIVET_ACCEPT);
	expect(urivet_check(&report, "http://co.uk/", 13, NULL) == URIVET_ACCEPT);
	expect(urivet_check(&report, "http://xn--55qx5d.cn/", 21, urivet_loaded_policy(loaded)) == URIVET_REJECT);
	(void)urivet_policy_init(&policy, sizeof policy, URIVET_STRICT);
	(void)urivet_policy_raise(&policy, URIVET_F_HOST_PUBLIC_SUFFIX);
	expect(urivet_check(&report, "http://a.co.uk/", 15, &policy) == URIVET_REJECT);
	urivet_suffixes_set(suffixes, &policy);
	expect(urivet_check(&report, "http://a.co.uk/", 15, &policy) == URIVET_ACCEPT);
	expect(urivet_check(&report, "http://co.uk/", 13, &policy) == URIVET_REJECT);
	urivet_suffixes_set(NULL, &policy);
	expect(urivet_check(&report, "http://a.co.uk/", 15, &policy) == URIVET_REJECT);
	urivet_suffixes_close(suffixes);
	urivet_suffixes_close(NULL);
	urivet_loaded_release(loaded);
}

/* The registrable domain of each name by publicsuffix.org, "-" for none; names from its test
 * data and spellings of them. */
static void test_registrable(void)
{
	static const char *const rows[][2] = {
	    {"example.com", "example.com"},
	    {"WwW.Example.COM.", "example.com"},
	    {"a.b.example.co.uk", "example.co.uk"},
	    {"paypal.com.evil.example", "evil.example"},
	    {"a.test.kyoto.jp", "test.kyoto.jp"},
	    {"www.ck", "www.ck"},
	    {"b.c.kobe.jp", "b.c.kobe.jp"},
	    {"www.city.kobe.jp", "city.kobe.jp"},
	    {"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
	    {"x.alice.github.io", "alice.github.io"},
	    {"_dmarc.example.com", "example.com"},
	    {"www.%65xample%2Ecom", "example.com"},
	    {"0x7f.1.com", "1.com"},
	    {"com", "-"},
	    {"co.uk", "-"},
	    {"c.kobe.jp", "-"},
	    {"github.io", "-"},
	    {"xn--55qx5d.cn", "-"},
	    {"localhost", "-"},
	    {"", "-"},
	    {".", "-"},
	    {".example.com", "-"},
	    {"a..example.com", "-"},
	    {"example.com..", "-"},
	    {"127.0.0.1", "-"},
	    {"0x7f.1", "-"},
	    {"a.0x7f", "-"},
	    {"a!b.example.com", "-"},
	    {"m\xc3\xbcller.de", "-"},
	    {"a.%zz.com", "-"},
	};
	struct urivet_suffixes *suffixes = urivet_suffixes_open(NULL, NULL);
	char name[512];
	char out[URIVET_REGISTRABLE_CAPACITY];

	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const char *expected = suffixes != NULL && rows[k][1][0] != '-' ? rows[k][1] : "";
		size_t length = urivet_suffixes_registrable(
		    out, sizeof out, suffixes, urivet_text_of(rows[k][0], strlen(rows[k][0])));

		expect(length == strlen(expected));
		expect(strcmp(out, expected) == 0);
	}
	expect(urivet_suffixes_registrable(out, sizeof out, NULL, urivet_text_of("a.com", 5)) == 0);
	expect(out[0] == '\0');
	expect(urivet_suffixes_registrable(out, sizeof out, suffixes, urivet_text_of(NULL, 0)) == 0);
	if (suffixes == NULL)
		return;
	/* nothing is written if it does not fit, or without room */
	memset(out, '#', sizeof out);
	expect(urivet_suffixes_registrable(out, 5, suffixes, urivet_text_of("a.com", 5)) == 5);
	expect(out[0] == '\0' && out[1] == '#');
	expect(urivet_suffixes_registrable(out, 6, suffixes, urivet_text_of("a.com", 5)) == 5);
	expect(strcmp(out, "a.com") == 0 && out[6] == '#');
	expect(urivet_suffixes_registrable(NULL, 0, suffixes, urivet_text_of("a.com", 5)) == 5);
	/* 253 octets are the longest name; a final dot does not count */
	memset(name, 'a', sizeof name);
	memcpy(name + 249, ".com.", 5);
	expect(urivet_suffixes_registrable(out, sizeof out, suffixes, urivet_text_of(name, 254)) == 253);
	expect(strlen(out) == 253);
	memcpy(name + 250, ".com", 4);
	expect(urivet_suffixes_registrable(out, sizeof out, suffixes, urivet_text_of(name, 254)) == 0);
	urivet_suffixes_close(suffixes);
}

/* ---- No memory ---------------------------------------------------------------------------- */

/* If any allocation fails, nothing is loaded and the failure is reported, until there is enough
 * memory. */
static void test_no_memory(void)
{
	static const char *const texts[] = {everything,
					    "hosts: {deny: [a b, c.example, c.example]}\nx: 1\n"};
	struct heard heard;

	for (size_t k = 0; k < 2; k++) {
		bool enough = false;

		for (unsigned long n = 0; n < 500 && !enough; n++) {
			struct urivet_loaded *loaded;

			left_to_give = n;
			loaded = load(texts[k], &heard);
			enough = left_to_give > 0;
			left_to_give = ~0ul;
			expect(loaded != NULL || heard.count > 0);
			/* faults of the second text are reported as well */
			if (!enough && loaded == NULL && k == 0)
				expect(strstr(heard.all, "Cannot allocate memory") != NULL);
			urivet_loaded_release(loaded);
		}
		expect(enough);
	}
}

int main(void)
{
	test_built_in();
	test_messages();
	test_formatted_messages();
	test_everything();
	test_compiled();
	test_extra();
	test_places();
	test_references();
	test_threads();
	test_format();
	test_parameters();
	test_more_parameters();
	test_suffixes();
	test_registrable();
	test_no_memory();
	printf("loader: %u expectations, %u broken\n", expectations, broken);
	return broken > 0;
}
