/* SPDX-License-Identifier: Apache-2.0 */
/* URIs in text: finds lie in the text and in order; an accepted URI in angle brackets is found. */
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
	if (urivet_ok(data, length))
		expect_found(data, length);
	free(out);
	return 0;
}
