/* SPDX-License-Identifier: Apache-2.0 */
/* Oracles for any input. A harness stops when one fails. */
#ifndef ORACLES_H
#define ORACLES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>

/* MemorySanitizer does not see what libraries write that are not instrumented. */
#define IS_MSAN 0
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#undef IS_MSAN
#define IS_MSAN 1
#endif
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* Stops with a message if an oracle fails. */
static inline void oracle(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "oracle broken: %s\n", what);
	abort();
}

/* Allocates the exact size, so that a sanitizer detects one octet too many. */
static inline void *room_for(size_t size)
{
	void *room = malloc(size > 0 ? size : 1);
	if (room == NULL)
		abort();
	return room;
}

static inline bool same(const void *a, size_t a_length, const void *b, size_t b_length)
{
	return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

static inline bool within(struct urivet_span s, size_t length)
{
	return s.offset <= length && s.length <= length - s.offset;
}

/* Returns the text up to an octet, and moves `rest` behind that octet. */
static inline struct urivet_text up_to(struct urivet_text *rest, uint8_t octet)
{
	const uint8_t *const data = rest->data;
	const uint8_t *const end = rest->length > 0 ? memchr(data, octet, rest->length) : NULL;
	const size_t length = end != NULL ? (size_t)(end - data) : rest->length;
	const size_t step = end != NULL ? length + 1 : length;
	*rest = urivet_text_of(data + step, rest->length - step);
	return urivet_text_of(data, length);
}

/* A text that is being built. */
struct builder {
	char *text;
	size_t length;
};

static inline void add(struct builder *b, const void *data, size_t length)
{
	if (length > 0)
		memcpy(b->text + b->length, data, length);
	b->length += length;
}

static inline void add_word(struct builder *b, const char *word)
{
	add(b, word, strlen(word));
}

static inline void add_part(struct builder *b, const void *data, struct urivet_span part)
{
	add(b, (const char *)data + part.offset, part.length);
}

/* Joins the components by RFC 3986, 5.3. Needs room for length + 4 octets. */
static inline void recompose(struct builder *b, const void *data, const struct urivet_uri *uri)
{
	const bool literal =
	    uri->host_kind == URIVET_HOST_IPV6 || uri->host_kind == URIVET_HOST_IPVFUTURE;
	if (urivet_has(uri, URIVET_SCHEME)) {
		add_part(b, data, uri->part[URIVET_SCHEME]);
		add_word(b, ":");
	}
	if (urivet_has(uri, URIVET_AUTHORITY))
		add_word(b, "//");
	if (urivet_has(uri, URIVET_USERINFO)) {
		add_part(b, data, uri->part[URIVET_USERINFO]);
		add_word(b, "@");
	}
	add_word(b, literal ? "[" : "");
	add_part(b, data, uri->part[URIVET_HOST]);
	add_word(b, literal ? "]" : "");
	if (urivet_has(uri, URIVET_PORT)) {
		add_word(b, ":");
		add_part(b, data, uri->part[URIVET_PORT]);
	}
	add_part(b, data, uri->part[URIVET_PATH]);
	if (urivet_has(uri, URIVET_QUERY)) {
		add_word(b, "?");
		add_part(b, data, uri->part[URIVET_QUERY]);
	}
	if (urivet_has(uri, URIVET_FRAGMENT)) {
		add_word(b, "#");
		add_part(b, data, uri->part[URIVET_FRAGMENT]);
	}
}

/* Returns the finding of this number in a report, or NULL. */
static inline const struct urivet_finding *report_finding(const struct urivet_report *r, unsigned id)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			return &r->finding[k];
	return NULL;
}

/* Checks that a finding has the class of its catalogue row, and occurs at least once. */
static inline void expect_row(const struct urivet_finding *f)
{
	const struct urivet_finding_row *row = urivet_finding_info(f->id);
	oracle(row != NULL && row->class_ == f->class_, "a finding has the class of the catalogue");
	oracle(f->count > 0, "a finding occurs");
	oracle(f->component < URIVET_COMPONENTS && f->in <= URIVET_IN_HOST_FIELD,
	       "a finding lies in a component");
}

/* Checks the reason that may be reported to the sender: it is "accepted" only for an acceptance,
 * and blames the spelling only if a finding about the spelling refuses. */
static inline void expect_reason(const struct urivet_report *r, const struct urivet_policy *policy)
{
	const enum urivet_reason reason = urivet_reason(r, policy);
	bool spelling = false;
	for (uint32_t k = 0; k < r->count; k++)
		spelling = spelling || r->finding[k].id == URIVET_F_URL_TOO_LONG ||
			   (r->finding[k].class_ <= URIVET_AMBIGUOUS &&
			    urivet_finding_refuses(r, &r->finding[k], policy));
	oracle((reason == URIVET_REASON_ACCEPTED) == (r->verdict == URIVET_ACCEPT),
	       "the reason is that of the verdict");
	oracle(reason != URIVET_REASON_UNCLEAR || spelling, "what is unclear is badly spelled");
}

/* Checks that a report is in order, lies inside its input, and has a refusing finding if and
 * only if it refuses. */
static inline void expect_sound(const struct urivet_report *r, size_t length,
				const struct urivet_policy *policy)
{
	bool reason = r->dropped > 0, malformed = r->dropped > 0;
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		oracle(within(f->span, length), "a finding lies in the input");
		oracle(k == 0 || f[-1].span.offset < f->span.offset ||
			   (f[-1].span.offset == f->span.offset && f[-1].id < f->id),
		       "findings are in order");
		expect_row(f);
		reason = reason || urivet_finding_refuses(r, f, policy);
		malformed =
		    malformed || f->class_ == URIVET_MALFORMED || f->id == URIVET_F_URL_TOO_LONG;
	}
	oracle(r->verdict == URIVET_ACCEPT || reason, "a refusal has a reason");
	oracle(r->verdict == URIVET_REJECT || !reason || r->dropped > 0,
	       "nothing that refuses is accepted");
	oracle(r->parsed || malformed, "what does not parse has a malformed finding");
	oracle(r->parsed || r->verdict == URIVET_REJECT, "what does not parse is refused");
	expect_reason(r, policy);
}

#endif
