/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what the library makes of each record of standard input, for comparison with other
 * software. Records have their length before them, four octets, the first the highest.
 *
 *   parameters pairs      a record is a query. One line: the record decoded by percent, and then
 *                         each pair, decoded as a form: name=value. Octets are written as two
 *                         hexadecimal digits; "!" stands for what cannot be decoded.
 *   parameters origins    a record is a base, a NUL and a reference. One line: "strict", "any" and
 *                         "parameter", each if the reference is accepted so and keeps the origin,
 *                         or "-"; "waived" and "waived-parameter" by any with all waived that can be;
 *                         and the target in hexadecimal digits.
 *
 * Input and output lie in memory of their exact size. Exit status 3: a promise of the header is broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>

#include "../../built_in.h"

static void fail(const char *why)
{
	fprintf(stderr, "parameters: %s\n", why);
	exit(3);
}

static void *room(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);
	if (p == NULL)
		fail("out of memory");
	return p;
}

static void print_hex(const char *data, size_t length)
{
	for (size_t k = 0; k < length; k++)
		printf("%02x", (unsigned char)data[k]);
}

/* ---- Pairs --------------------------------------------------------------------------- */

static void print_decoded(const char *data, size_t length, enum urivet_coding coding)
{
	enum urivet_decoded how;
	size_t fault = length;
	const struct urivet_text text = urivet_text_of(data, length);
	const size_t n = urivet_decode(NULL, 0, text, coding, &how, &fault);
	char *out = room(n + 1);
	if (n > length || urivet_decode(out, n + 1, text, coding, NULL, NULL) != n || out[n] != '\0')
		fail("decoding twice differs");
	if ((how == URIVET_DECODED) != (fault == length))
		fail("a fault without an offset, or an offset without a fault");
	if (how == URIVET_DECODED)
		print_hex(out, n);
	else
		putchar('!');
	free(out);
}

static void print_pairs(const char *query, size_t length)
{
	struct urivet_parameter_scan scan = {.data = query, .length = length};
	struct urivet_parameter p;
	print_decoded(query, length, URIVET_CODING_PERCENT);
	while (urivet_parameter_next(&scan, &p)) {
		putchar(' ');
		print_decoded(query + p.name.offset, p.name.length, URIVET_CODING_FORM);
		putchar('=');
		print_decoded(query + p.value.offset, p.value.length, URIVET_CODING_FORM);
	}
	putchar('\n');
}

/* ---- Origins ------------------------------------------------------------------------- */

/* Returns true if the reader browser finds the same scheme, host and port in both. */
static bool browser_agrees(struct urivet_text base, const char *target, size_t length)
{
	const size_t one = URIVET_READING_CAPACITY(base.length), other = URIVET_READING_CAPACITY(length);
	char *const a = room(one), *const b = room(other);
	struct urivet_reading x, y;
	const bool reads = urivet_read_as(&x, URIVET_READER_BROWSER, base.data, base.length, a, one) &&
			   urivet_read_as(&y, URIVET_READER_BROWSER, target, length, b, other);
	const struct urivet_span *const h = x.uri.part, *const i = y.uri.part;
	const bool same = reads && x.uri.scheme == y.uri.scheme && x.uri.port == y.uri.port &&
			  h[URIVET_HOST].length == i[URIVET_HOST].length &&
			  memcmp(a + h[URIVET_HOST].offset, b + i[URIVET_HOST].offset, h[URIVET_HOST].length) == 0;
	free(a);
	free(b);
	return same;
}

static bool keeps_origin(struct urivet_text base, struct urivet_text reference, const struct urivet_policy *policy,
			 char *out, size_t capacity)
{
	struct urivet_report r;
	urivet_check_reference(&r, out, capacity, base, reference, URIVET_REFERENCE_SAME_ORIGIN, policy);
	if (r.verdict == URIVET_ACCEPT && !browser_agrees(base, out, strlen(out)))
		fail("the reader browser sees another origin");
	return r.verdict == URIVET_ACCEPT;
}

/* Judges the reference as the value of a parameter of the base. */
static bool is_accepted_parameter(struct urivet_text base, struct urivet_text reference,
				  const struct urivet_policy *policy)
{
	static const struct urivet_text name = {"next", 4};
	const size_t length = base.length + 6 + 3 * reference.length;
	const size_t capacity = URIVET_PARAMETERS_CAPACITY(length);
	char *const input = room(length + 1), *const buffer = room(capacity);
	const struct urivet_parameter_input in = {urivet_text_of(input, length), NULL, buffer, capacity};
	struct urivet_policy outer = built_in(URIVET_ANY);
	struct urivet_parameter_rules rules;
	struct urivet_report r, spare;
	bool accepted;
	memcpy(input, base.data, base.length);
	memcpy(input + base.length, "?next=", 6);
	for (size_t k = 0; k < reference.length; k++)
		sprintf(input + base.length + 6 + 3 * k, "%%%02X", ((const unsigned char *)reference.data)[k]);
	urivet_policy_waive(&outer, URIVET_F_ESCAPED_CONTROL);
	urivet_policy_waive(&outer, URIVET_F_ESCAPED_CRLF);
	urivet_policy_waive(&outer, URIVET_F_ESCAPED_NUL);
	urivet_policy_waive(&outer, URIVET_F_PORT_NONDEFAULT);
	outer.opaque_query = true;
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.names = &name;
	rules.count = 1;
	rules.same_origin = true;
	rules.policy = policy;
	if (urivet_check(&r, input, length, &outer) != URIVET_ACCEPT)
		fail("the outer URL is refused");
	accepted = urivet_check_parameters(&r, &spare, &in, &rules, &outer) == URIVET_ACCEPT;
	free(input);
	free(buffer);
	return accepted;
}

/* Returns the policy any with all waivers except that of the finding itself. */
static struct urivet_policy loose(void)
{
	struct urivet_policy policy = built_in(URIVET_ANY);
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_CROSS_ORIGIN)
			urivet_policy_waive(&policy, id);
	return policy;
}

static void print_origin(const char *record, size_t length)
{
	const char *const end = memchr(record, 0, length);
	const struct urivet_text base = urivet_text_of(record, end != NULL ? (size_t)(end - record) : 0);
	const struct urivet_text reference = urivet_text_of(end + 1, length - base.length - 1);
	const size_t capacity = length + 9;
	char *const out = room(capacity);
	const struct urivet_policy waived = loose();
	enum urivet_resolved how;
	if (end == NULL)
		fail("no NUL in a record");
	printf("%s ", keeps_origin(base, reference, BY_STRICT, out, capacity) ? "strict" : "-");
	printf("%s ", keeps_origin(base, reference, BY_ANY, out, capacity) ? "any" : "-");
	printf("%s ", is_accepted_parameter(base, reference, NULL) ? "parameter" : "-");
	printf("%s ", keeps_origin(base, reference, &waived, out, capacity) ? "waived" : "-");
	printf("%s ", is_accepted_parameter(base, reference, &waived) ? "waived-parameter" : "-");
	print_hex(out, urivet_resolve(out, capacity, URIVET_READER_RFC3986, base, reference, false, &how));
	putchar('\n');
	free(out);
}

/* ---- Records ------------------------------------------------------------------------- */

static size_t read_length(void)
{
	size_t length = 0;
	for (unsigned k = 0; k < 4; k++) {
		const int c = getchar();
		if (c == EOF && k > 0)
			fail("a record is cut short");
		if (c == EOF)
			return SIZE_MAX;
		length = length << 8 | (unsigned char)c;
	}
	return length;
}

int main(int argc, char **argv)
{
	const bool origins = argc == 2 && strcmp(argv[1], "origins") == 0;
	size_t length;
	if (!origins && (argc != 2 || strcmp(argv[1], "pairs") != 0)) {
		fputs("usage: parameters pairs|origins\n", stderr);
		return 2;
	}
	while ((length = read_length()) != SIZE_MAX) {
		char *const record = room(length + (length == 0));
		if (length > 0 && fread(record, 1, length, stdin) != length)
			fail("a record is cut short");
		if (origins)
			print_origin(record, length);
		else
			print_pairs(record, length);
		free(record);
	}
	return fflush(stdout) == 0 ? 0 : 2;
}
