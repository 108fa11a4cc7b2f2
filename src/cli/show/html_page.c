/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes text for HTML. All text of pages is escaped here. */
#include "cli/show/html_page.h"
#include <stdio.h>

const char *html_reference(uint8_t octet)
{
	static const char *const references[] = {
	    ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};

	return octet < sizeof references / sizeof references[0] ? references[octet] : NULL;
}

static void write_escaped(struct output *out, struct octets text, const char *kept)
{
	for (size_t i = 0; i < text.length; i++) {
		const uint8_t octet = text.data[i];
		const char *reference = html_reference(octet);

		if (reference != NULL)
			output_string(out, reference);
		else if (octet != '\0' && strchr(kept, octet) != NULL)
			output_octet(out, (char)octet);
		else
			output_escaped(out, text_at(&octet, 1));
	}
}

void html_emit_octets(struct output *out, struct octets text)
{
	write_escaped(out, text, "");
}

void html_emit_prose(struct output *out, const char *prose)
{
	write_escaped(out, text_of(prose), " ");
}

void html_emit_own(struct output *out, struct html_sentence own)
{
	write_escaped(out, text_of(own.sentence), " \\");
}

void html_emit_markup(struct output *out, struct html_markup markup)
{
	output_string(out, markup.markup);
}

void html_emit_number(struct output *out, uint64_t number)
{
	char digits[32];
	const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			output_octet(out, ',');
		output_octet(out, digits[i]);
	}
}

void html_emit_count(struct output *out, struct html_counted counted)
{
	html_emit(out, counted.number, " ", counted.noun, counted.number != 1 ? "s" : "");
}

void html_emit_part(struct output *out, struct html_part part)
{
	const double of_one = part.whole > 0 ? (double)part.part / (double)part.whole : 0;
	const double share = of_one * 100;
	char text[32];

	if (part.size > 0)
		(void)snprintf(text, sizeof text, "%.2f", of_one * part.size);
	else if (part.part == 0 || part.part == part.whole)
		(void)snprintf(text, sizeof text, "%.0f %%", share);
	else if (share < 0.1)
		(void)snprintf(text, sizeof text, "under 0.1 %%");
	else if (share > 99.9)
		(void)snprintf(text, sizeof text, "over 99.9 %%");
	else
		(void)snprintf(text, sizeof text, "%.1f %%", share);
	output_string(out, text);
}

void html_remainder(struct output *out, uint64_t count, const char *what)
{
	if (count > 0)
		html_emit(out, " ", counted(count, "record"), what);
}
