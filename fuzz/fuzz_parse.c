/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: the components are the input, cut at its delimiters and nowhere else, as by the expression
 * of RFC 3986, appendix B, with regexec(3). */
#include <regex.h>
#include <urivet/readers.h>

#include "oracles.h"

static bool is_of(unsigned char c, const char *set)
{
	return c != 0 && strchr(set, c) != NULL;
}

/* Returns true if a component contains a delimiter that should have ended it (RFC 3986, appendix
 * B). */
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

static bool is_hex(uint8_t c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Returns true if every octet may occur in a URI (RFC 3986, 2) and every "%" is followed by two
 * hex digits. */
static bool all_uri_characters(const uint8_t *data, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const uint8_t c = data[i];
		const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
		if (c == '%' && !(i + 2 < length && is_hex(data[i + 1]) && is_hex(data[i + 2])))
			return false;
		if (c != '%' && !letter && !is_of(c, "0123456789-._~:/?#[]@!$&'()*+,;="))
			return false;
	}
	return true;
}

/* Returns the number that strtoul(3) reads from the digits. */
static uint32_t port_of(const uint8_t *data, struct urivet_span port)
{
	char digits[24];
	unsigned long value;
	while (port.length > 1 && data[port.offset] == '0') {
		port.offset++;
		port.length--;
	}
	if (port.length > 5)
		return URIVET_NO_PORT;
	memcpy(digits, data + port.offset, port.length);
	digits[port.length] = '\0';
	value = strtoul(digits, NULL, 10);
	return value > 65535 ? URIVET_NO_PORT : (uint32_t)value;
}

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

/* Compares the components with those of the expression, which takes strings only. */
static void expect_expression(const uint8_t *data, size_t length)
{
	regmatch_t match[10];
	struct urivet_reading reading;
	struct urivet_uri uri;
	char *string;
	if (length > 4096 || memchr(data, '\0', length) != NULL)
		return;
	string = room_for(length + 1);
	memcpy(string, data, length);
	string[length] = '\0';
	oracle(regexec(expression(), string, 10, match, 0) == 0, "the expression matches");
	if (urivet_read_as(&reading, URIVET_READER_REGEX, data, length, NULL, 0))
		compare(&reading.uri, match);
	if (urivet_parse(&uri, data, length, NULL))
		compare(&uri, match);
	free(string);
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
		oracle(all_uri_characters(data, length), "what parses has URI characters only");
		oracle(uri.part[URIVET_PORT].length == 0 ||
			   uri.port == port_of(data, uri.part[URIVET_PORT]),
		       "a port is the number of its digits");
	}
	oracle(urivet_read_as(&reading, URIVET_READER_RFC3986, data, length, NULL, 0) == parsed,
	       "the reader rfc3986 reads what parses");
	free(b.text);
	expect_expression(data, length);
	return 0;
}
