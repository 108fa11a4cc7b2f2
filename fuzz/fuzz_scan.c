/* SPDX-License-Identifier: Apache-2.0 */
/* URIs in text: found URIs lie in the text and in order, and an accepted URI in angle brackets
 * is found. */
#include <urivet/scan.h>

#include "oracles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void expect_found(const uint8_t *uri, size_t length)
{
	char *text = malloc(length + 2), *out = malloc(length + 64);
	struct urivet_scan scan = {text, length + 2, 0};
	struct urivet_found found;
	size_t n;
	text[0] = '<';
	memcpy(text + 1, uri, length);
	text[length + 1] = '>';
	oracle(urivet_scan_next(&scan, SIZE_MAX, &found, out, length + 64, &n) && n == length &&
		   memcmp(out, uri, length) == 0,
	       "an accepted URI in angle brackets is found");
	free(text);
	free(out);
}

/* Checks that a URL in a sentence ends before the punctuation of the sentence. */
static void expect_in_sentence(const uint8_t *uri, size_t length)
{
	static const struct {
		const char *before, *after;
	} sentences[] = {{"see ", ". Then"},   {"(", ") and"},
			 {"is it ", "?"},      {"\"", "\","},
			 {"a, ", ", b"},       {"[", "]"},
			 {"'", "','http://h"}, {"see ", ",http://h"},
			 {"**", "**b"},        {"x ", "\xEF\xBC\x8C\xE8\xAF\xA6"},
			 {"[b]", "[/b]"},      {"(see ", ")?"}};
	for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++) {
		const size_t front = strlen(sentences[k].before),
			     whole = front + length + strlen(sentences[k].after);
		struct builder text = {room_for(whole), 0};
		struct urivet_scan scan = {text.text, whole, 0};
		struct urivet_found found;
		char *out = room_for(whole + 64);
		size_t n;
		add_word(&text, sentences[k].before);
		add(&text, uri, length);
		add_word(&text, sentences[k].after);
		oracle(urivet_scan_next(&scan, SIZE_MAX, &found, out, whole + 64, &n) &&
			   found.offset >= front - 1 && same(out, n, uri, length),
		       "a URL in a sentence ends before its marks");
		free(text.text);
		free(out);
	}
}

/* Returns true if the URI has slashes after its scheme, no octet that could end it in a sentence,
 * and no open bracket. */
static bool is_wordy(const uint8_t *uri, size_t length)
{
	size_t slashes = 0;
	for (size_t k = 0; k < length; k++) {
		if (memchr("()[]{}'`\"*~!$,;|^", uri[k], 18) != NULL)
			return false;
		slashes += k > 0 && memcmp(uri + k - 1, "//", 2) == 0;
	}
	return slashes > 0 &&
	       memchr("/-0123456789abcdefghijklmnopqrstuvwxyz", uri[length - 1], 38) != NULL;
}

/* The next find in a text that comes in pieces, in memory of its own. */
struct pieces {
	const uint8_t *data;
	size_t length, fed; /* of the text */
	size_t gone;        /* octets that were dropped */
	size_t position;
	size_t step;
};

/* Feeds pieces until there is a find. The offsets of a find are those in the whole text. */
static bool next_in_pieces(struct pieces *p, struct urivet_found *found, char *out, size_t room,
			   size_t *n)
{
	for (;;) {
		const size_t length = p->fed - p->gone;
		uint8_t *kept = room_for(length);
		struct urivet_scan scan = {kept, length, p->position};
		const bool last = p->fed == p->length;
		bool any;
		memcpy(kept, p->data + p->gone, length);
		any = urivet_scan_next(&scan, last ? SIZE_MAX : 1u << 20, found, out, room, n);
		free(kept);
		found->offset += any ? p->gone : 0;
		p->position = scan.position;
		if (any || last)
			return any;
		if (scan.position > URIVET_SCAN_BEFORE) {
			p->gone += scan.position - URIVET_SCAN_BEFORE;
			p->position = URIVET_SCAN_BEFORE;
		}
		p->fed += p->step < p->length - p->fed ? p->step : p->length - p->fed;
	}
}

/* Checks that pieces of one size give the finds of the whole text. */
static void expect_same_in_pieces(const uint8_t *data, size_t length)
{
	char *whole = room_for(length + 64), *part = room_for(length + 64);
	struct urivet_scan scan = {data, length, 0};
	struct pieces pieces = {.data = data, .length = length, .step = 1};
	struct urivet_found a = {0}, b = {0};
	size_t n, m;
	bool any = true;
	if (length > 0)
		pieces.step += data[length - 1] % 16u;
	while (any) {
		any = urivet_scan_next(&scan, SIZE_MAX, &a, whole, length + 64, &n);
		oracle(any == next_in_pieces(&pieces, &b, part, length + 64, &m) &&
			   (!any || (a.offset == b.offset && a.length == b.length)) &&
			   same(whole, n, part, m),
		       "pieces of a text give its finds");
	}
	free(whole);
	free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *out = malloc(length + 64);
	struct urivet_scan scan = {data, length, 0};
	struct urivet_found found;
	size_t n, last = 0, finds = 0;
	while (urivet_scan_next(&scan, SIZE_MAX, &found, out, length + 64, &n)) {
		oracle(found.offset <= length && found.length <= length - found.offset,
		       "a find lies in the text");
		oracle(found.offset >= last, "finds are in order");
		oracle(++finds <= length, "a scan ends");
		last = found.offset;
	}
	if (length <= 2048)
		expect_same_in_pieces(data, length);
	if (urivet_ok(data, length)) {
		expect_found(data, length);
		if (is_wordy(data, length))
			expect_in_sentence(data, length);
	}
	free(out);
	return 0;
}
