/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: the components are the input, cut at its delimiters and nothing else. */
#include "oracles.h"

static bool is_of(unsigned char c, const char *set)
{
	return c != 0 && strchr(set, c) != NULL;
}

/* Some component holds a delimiter that would have ended it (RFC 3986, appendix B). */
static bool cut_too_late(const uint8_t *data, const struct urivet_uri *uri)
{
	static const struct {
		enum urivet_component component;
		const char *ends;
	} rows[] = {{URIVET_SCHEME, ":/?#"}, {URIVET_AUTHORITY, "/?#"}, {URIVET_USERINFO, "/?#@"},
		    {URIVET_HOST, "/?#@[]"}, {URIVET_PORT, "/?#@:[]"},  {URIVET_PATH, "?#"},
		    {URIVET_QUERY, "#"}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_span s = uri->part[rows[k].component];
		for (uint32_t i = 0; i < s.length; i++)
			if (is_of(data[s.offset + i], rows[k].ends))
				return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct builder b = {room_for(length + 8), 0};
	struct urivet_reading reading;
	struct urivet_uri uri;
	size_t misfit;
	const bool parsed = urivet_parse(&uri, data, length, &misfit);
	oracle(misfit <= length && (misfit == length || !parsed), "a misfit lies in the input");
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
		oracle(within(uri.part[c], length), "a component lies in the input");
	if (parsed) {
		recompose(&b, data, &uri);
		oracle(same(b.text, b.length, data, length), "the components joined are the input");
		oracle(!cut_too_late(data, &uri), "a component ends at its delimiter");
	}
	oracle(urivet_read_as(&reading, URIVET_READER_RFC3986, data, length, NULL, 0) == parsed,
	       "the reader rfc3986 reads what parses");
	free(b.text);
	return 0;
}
