/* SPDX-License-Identifier: Apache-2.0 */
/* The components match the expression of RFC 3986, appendix B, as regexec(3) applies it. */
#include <regex.h>
#include <urivet/readers.h>

#include "oracles.h"

static const regex_t *expression(void)
{
	static regex_t regex;
	static bool ready;
	if (!ready && regcomp(&regex, "^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?",
			      REG_EXTENDED) != 0)
		abort();
	ready = true;
	return &regex;
}

static void compare(const struct urivet_uri *uri, const regmatch_t *match)
{
	static const struct {
		enum urivet_component component;
		int group;
	} rows[] = {{URIVET_SCHEME, 2},
		    {URIVET_AUTHORITY, 4},
		    {URIVET_PATH, 5},
		    {URIVET_QUERY, 7},
		    {URIVET_FRAGMENT, 9}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const regmatch_t m = match[rows[k].group];
		const struct urivet_span s = uri->part[rows[k].component];
		/* not ">= 0": gcc 12.2 -O1 compiles that wrongly beside the other test */
		const bool defined = m.rm_so != -1;
		oracle(urivet_has(uri, rows[k].component) == defined,
		       "a component is present where the expression has it");
		oracle(!defined || (s.offset == (uint32_t)m.rm_so &&
				    s.length == (uint32_t)(m.rm_eo - m.rm_so)),
		       "a component stands where the expression has it");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	regmatch_t match[10];
	struct urivet_reading reading;
	struct urivet_uri uri;
	char *string;
	if (length > 4096 || memchr(data, '\0', length) != NULL)
		return -1; /* not a string */
	string = room_for(length + 1);
	memcpy(string, data, length);
	string[length] = '\0';
	oracle(regexec(expression(), string, 10, match, 0) == 0, "the expression matches");
	if (urivet_read_as(&reading, URIVET_READER_REGEX, data, length, NULL, 0))
		compare(&reading.uri, match);
	if (urivet_parse(&uri, data, length, NULL))
		compare(&uri, match);
	free(string);
	return 0;
}
