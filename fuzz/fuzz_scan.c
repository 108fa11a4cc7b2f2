/* SPDX-License-Identifier: Apache-2.0 */
/* URIs in text: found URIs lie in the text and in order, and an accepted URI in angle brackets
 * is found. */
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
	oracle(urivet_scan_next(&scan, &found, out, length + 64, &n) && n == length &&
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
		oracle(urivet_scan_next(&scan, &found, out, whole + 64, &n) &&
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *out = malloc(length + 64);
	struct urivet_scan scan = {data, length, 0};
	struct urivet_found found;
	size_t n, last = 0, finds = 0;
	while (urivet_scan_next(&scan, &found, out, length + 64, &n)) {
		oracle(found.offset <= length && found.length <= length - found.offset,
		       "a find lies in the text");
		oracle(found.offset >= last, "finds are in order");
		oracle(++finds <= length, "a scan ends");
		last = found.offset;
	}
	if (urivet_ok(data, length)) {
		expect_found(data, length);
		if (is_wordy(data, length))
			expect_in_sentence(data, length);
	}
	free(out);
	return 0;
}
