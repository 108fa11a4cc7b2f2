/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the URLs in style sheets. */
#include "cli/scan/css.h"
#include "common/hex.h"
#include "common/utf8.h"

static bool css_space(uint8_t octet)
{
	return octet == ' ' || (octet >= '\t' && octet <= '\r' && octet != '\v');
}

/* Returns the offset of the quote that ends a string, or of the end of the text. */
static size_t string_end(struct octets css, size_t at, uint8_t quote)
{
	while (at < css.length && css.data[at] != quote)
		at += css.data[at] == '\\' ? 2 : 1;
	return at < css.length ? at : css.length;
}

static size_t comment_end(struct octets css, size_t at)
{
	for (at += 2; at + 1 < css.length; at++) {
		if (css.data[at] == '*' && css.data[at + 1] == '/')
			return at + 2;
	}
	return css.length;
}

/* Reads the URL after "url(" or "@import"; `*at` is moved behind it. */
static bool read_url(struct octets css, size_t *at, bool has_bracket, struct octets *url)
{
	size_t end;

	while (*at < css.length &&
	       (css_space(css.data[*at]) || (!has_bracket && text_has_at(css, *at, "/*"))))
		*at = css_space(css.data[*at]) ? *at + 1 : comment_end(css, *at);
	if (*at == css.length)
		return false;
	if (css.data[*at] == '"' || css.data[*at] == '\'') {
		end = string_end(css, *at + 1, css.data[*at]);
		*url = text_at(css.data + *at + 1, end - *at - 1);
	} else if (has_bracket) {
		end = string_end(css, *at, ')');
		*url = text_at(css.data + *at, end - *at);
		while (url->length > 0 && css_space(url->data[url->length - 1]))
			url->length--;
	} else {
		return false;
	}
	*at = end < css.length ? end + 1 : end;
	return true;
}

bool css_find(struct octets css, size_t *at, struct octets *url)
{
	while (*at < css.length) {
		const uint8_t octet = css.data[*at];
		const bool has_bracket = text_has_at(css, *at, "url(");

		if (octet == '/' && *at + 1 < css.length && css.data[*at + 1] == '*') {
			*at = comment_end(css, *at);
		} else if (octet == '"' || octet == '\'') {
			*at = string_end(css, *at + 1, octet);
			*at += *at < css.length;
		} else if (has_bracket || text_has_at(css, *at, "@import")) {
			*at += has_bracket ? 4 : 7;
			if (read_url(css, at, has_bracket, url))
				return true;
		} else {
			*at += octet == '\\' && *at + 1 < css.length ? 2 : 1;
		}
	}
	return false;
}

/* Decodes the escape after the "\" at *at, and moves *at behind it. Returns the octets written. */
static size_t decode_escape(uint8_t *out, struct octets raw, size_t *at)
{
	uint32_t point = 0;
	size_t digits = 0;

	for (++*at; digits < 6 && *at < raw.length && hex_value(raw.data[*at]) < 16; ++*at) {
		point = point * 16 + hex_value(raw.data[*at]);
		digits++;
	}
	if (digits > 0) {
		*at += *at < raw.length && css_space(raw.data[*at]);
		return urivet_loader_put_utf8(out, point == 0 || point > 0x10FFFF ? 0xFFFD : point);
	}
	if (*at == raw.length)
		return 0;
	if (raw.data[*at] != '\n')
		*out = raw.data[*at];
	return raw.data[(*at)++] != '\n';
}

size_t css_decode(uint8_t *out, struct octets raw)
{
	size_t length = 0;

	for (size_t at = 0; at < raw.length;) {
		if (raw.data[at] == '\\')
			length += decode_escape(out + length, raw, &at);
		else
			out[length++] = raw.data[at++];
	}
	return length;
}
