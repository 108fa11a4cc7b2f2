/* SPDX-License-Identifier: Apache-2.0 */
/* What the library does for an input, and inputs of a shape. */
#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/scan.h>
#include <urivet/spelling.h>

#include "../../built_in.h"

static void check(struct input *in)
{
	struct urivet_report report;
	urivet_check(&report, in->data, in->length, &in->policy);
}

/* By the policy that NULL stands for. */
static void strict(struct input *in)
{
	struct urivet_report report;
	urivet_check(&report, in->data, in->length, NULL);
}

static void ok(struct input *in)
{
	urivet_ok(in->data, in->length);
}

static void parse(struct input *in)
{
	struct urivet_uri uri;
	urivet_parse(&uri, in->data, in->length, NULL);
}

static void normalise(struct input *in)
{
	urivet_normalise(in->out, in->capacity, in->data, in->length, URIVET_LEVEL_SCHEME,
			 URIVET_READER_RFC3986, NULL);
}

static void resolve(struct input *in)
{
	urivet_resolve(in->out, in->capacity, URIVET_READER_RFC3986, urivet_text_of(in->data, in->length), urivet_text_of("../x/./y?z", 10), false, NULL);
	urivet_resolve(in->out, in->capacity, URIVET_READER_RFC3986, urivet_text_of("http://h/a/b/c", 14), urivet_text_of(in->data, in->length), false, NULL);
}

static void compare(struct input *in)
{
	urivet_compare(urivet_text_of(in->data, in->length), urivet_text_of(in->other, in->length), false, NULL, 0);
}

static void scan(struct input *in)
{
	struct urivet_scan s = {in->data, in->length, 0};
	struct urivet_found found;
	size_t length;
	while (urivet_scan_next(&s, SIZE_MAX, &found, in->out, in->capacity, &length))
		continue;
}

static void browser(struct input *in)
{
	struct urivet_reading reading;
	urivet_read_as(&reading, URIVET_READER_BROWSER, in->data, in->length, in->out,
		       in->capacity);
}

static void resolver(struct input *in)
{
	struct urivet_reading reading;
	urivet_read_as(&reading, URIVET_READER_RESOLVER, in->data, in->length, in->out,
		       in->capacity);
}

static void suggest(struct input *in)
{
	urivet_suggest(in->out, in->capacity, in->data, in->length, &in->policy);
}

/* Each pair, decoded; and all parameters that look like a URL, twice decoded. */
static void parameters(struct input *in)
{
	struct urivet_parameter_scan s = {.data = in->data, .length = in->length};
	struct urivet_parameter p;
	struct urivet_parameter_rules rules;
	struct urivet_report r, inner;
	const struct urivet_parameter_input input = {urivet_text_of(in->data, in->length), NULL, in->out, in->capacity};
	while (urivet_parameter_next(&s, &p))
		urivet_decode(in->out, in->capacity, urivet_text_of(in->data + p.value.offset, p.value.length),
			      URIVET_CODING_FORM, NULL, NULL);
	urivet_check(&r, in->data, in->length, &in->policy);
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.times = 2;
	rules.same_origin = true;
	rules.policy = &in->policy;
	urivet_check_parameters(&r, &inner, &input, &rules, &in->policy);
}

/* The control: looks at every octet again for every 64 of them. */
static void quadratic(struct input *in)
{
	volatile size_t equal = 0;
	for (size_t end = 0; end < in->length; end += 64)
		for (size_t k = 0; k < end; k++)
			equal += in->data[k] == in->data[end];
}

const struct operation operations[] = {
    {"check", check},       {"strict", strict},     {"ok", ok},           {"parse", parse},
    {"normalise", normalise}, {"resolve", resolve}, {"compare", compare}, {"scan", scan},
    {"browser", browser},   {"resolver", resolver}, {"suggest", suggest}, {"parameters", parameters},
    {"quadratic", quadratic}};
const size_t operation_count = sizeof operations / sizeof operations[0];

static void *room(size_t size)
{
	void *p = malloc(size);
	if (p == NULL) {
		perror("operations");
		exit(2);
	}
	return p;
}

struct input made(const struct shape *s, size_t length)
{
	struct input in = {.capacity = URIVET_READING_CAPACITY(length)};
	size_t at = s->head_length;
	in.data = room(length);
	in.other = room(length);
	in.out = room(in.capacity);
	memcpy(in.data, s->head, s->head_length);
	for (; s->unit_length > 0 && at + s->unit_length + s->tail_length <= length;
	     at += s->unit_length)
		memcpy(in.data + at, s->unit, s->unit_length);
	memcpy(in.data + at, s->tail, s->tail_length);
	in.length = at + s->tail_length;
	memcpy(in.other, in.data, in.length);
	/* another case of the scheme compares equal, and so to the end */
	if (in.length > 0 && in.other[0] >= 'a' && in.other[0] <= 'z')
		in.other[0] = (char)(in.other[0] - 'a' + 'A');
	else if (in.length > 0)
		in.other[0] = in.other[0] == '!' ? '$' : '!';
	in.policy = built_in(URIVET_ANY);
	in.policy.max_length = URIVET_MAX_LENGTH;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		urivet_policy_raise(&in.policy, id);
	return in;
}

void unmade(struct input *in)
{
	free(in->data);
	free(in->other);
	free(in->out);
}
