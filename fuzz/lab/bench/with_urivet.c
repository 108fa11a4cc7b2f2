/* SPDX-License-Identifier: Apache-2.0 */
/* urivet itself; LABEL names the build. */
#include <urivet.h>
#include <urivet/reference.h>
#include <urivet/spelling.h>

#include "../../../tests/built_in.h"

#include "bench.h"

#ifndef LABEL
#define LABEL "urivet"
#endif

enum { SLICE = 4096 }; /* rows of a batch */

static struct urivet_report report;

static bool ok(const char *url, size_t length)
{
	return urivet_ok(url, length);
}

static bool check(const char *url, size_t length)
{
	return urivet_check(&report, url, length, NULL) == URIVET_ACCEPT;
}

/* Nothing refused for its length */
static bool check_long(const char *url, size_t length)
{
	static struct urivet_policy policy;
	if (policy.size == 0) {
		policy = built_in(URIVET_STRICT);
		policy.max_length = URIVET_MAX_LENGTH;
	}
	return urivet_check(&report, url, length, &policy) == URIVET_ACCEPT;
}

static bool check_public(const char *url, size_t length)
{
	return urivet_check(&report, url, length, BY_PUBLIC) == URIVET_ACCEPT;
}

#ifndef VERDICTS_ONLY
static char text[URIVET_READING_CAPACITY(65536)];

static bool parse(const char *url, size_t length)
{
	return urivet_parse(&report.uri, url, length, NULL);
}

static bool normalise(const char *url, size_t length)
{
	bool readable;
	urivet_normalise(text, sizeof text, url, length, URIVET_LEVEL_SYNTAX, URIVET_READER_RFC3986,
			 &readable);
	return readable;
}

static bool resolve(const char *url, size_t length)
{
	static const char reference[] = "../a/b?c";
	enum urivet_resolved how;
	urivet_resolve(text, sizeof text, URIVET_READER_RFC3986, urivet_text_of(url, length),
		       urivet_text_of(reference, sizeof reference - 1), false, &how);
	return how != URIVET_UNRESOLVED;
}

static bool suggest(const char *url, size_t length)
{
	return urivet_suggest(text, sizeof text, url, length, NULL) > 0;
}
#endif

static size_t batch(const char *data, size_t length, const int32_t *offsets, size_t rows)
{
	static uint8_t bitmap[SLICE / 8];
	const struct urivet_text column = urivet_text_of(data, length);
	size_t accepted = 0;
	for (; rows > SLICE; rows -= SLICE, offsets += SLICE)
		accepted += urivet_check_batch(column.data, column.length, offsets, NULL, SLICE, NULL, bitmap, NULL);
	return accepted + urivet_check_batch(column.data, column.length, offsets, NULL, rows, NULL, bitmap, NULL);
}

const struct contestant contestants[] = {
    {LABEL " ok", ok},
    {LABEL " check strict", check},
    {LABEL " check public", check_public},
    {LABEL " check any length", check_long},
#ifndef VERDICTS_ONLY
    {LABEL " parse", parse},
    {LABEL " normalise", normalise},
    {LABEL " resolve ../a/b?c", resolve},
    {LABEL " suggest", suggest},
#endif
    {NULL, NULL},
};
const struct batch batches[] = {{LABEL " batch", batch}, {NULL, NULL}};
