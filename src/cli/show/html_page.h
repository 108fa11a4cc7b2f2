/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for writing HTML pages. All text that is not part of the source goes through html_emit(),
 * between tags and never in attributes, so input cannot become markup. The output is ASCII, and valid
 * as XML and HTML.
 */
#ifndef CLI_HTML_PAGE_H
#define CLI_HTML_PAGE_H

#include "cli/text/emit.h"

/* Writes markup, which must be a string literal. */
#define html(out, markup) output_string(out, "" markup)

/* Returns the character reference for an octet that would be markup, else NULL. */
const char *html_reference(uint8_t octet);

/* Writes several values with one call, each by its type: input as output_escaped() does, with
 * & < > " ' as character references; a name or words from the source, which keep their spaces; a
 * number in groups of three digits; and the values below. */
#define html_emit(out, ...) (EACH(HTML_EMIT, out, __VA_ARGS__))

/* Markup, which must be a string literal. */
#define M(literal) ((struct html_markup){"" literal})

struct html_markup {
	const char *markup;
};
struct html_sentence {
	const char *sentence;
};
struct html_counted {
	uint64_t number;
	const char *noun;
};
struct html_part {
	uint64_t part, whole;
	double size;
};

/* Returns a sentence of the catalogue, which keeps backslashes, too. */
static inline struct html_sentence own(const char *sentence)
{
	return (struct html_sentence){sentence};
}

/* Returns a number and its noun: "1 record", "2 records". */
static inline struct html_counted counted(uint64_t number, const char *noun)
{
	return (struct html_counted){number, noun};
}

/* Returns a fraction as a rounded percentage: "12.0 %", "1.2 %", "under 0.1 %". */
static inline struct html_part share(uint64_t part, uint64_t whole)
{
	return (struct html_part){part, whole, 0};
}

/* Returns a length for a drawing: part / whole * size with two decimals; 0 if `whole` is 0. */
static inline struct html_part length(uint64_t part, uint64_t whole, double size)
{
	return (struct html_part){part, whole, size};
}

void html_emit_octets(struct output *out, struct octets text);
void html_emit_prose(struct output *out, const char *prose);
void html_emit_number(struct output *out, uint64_t number);
void html_emit_markup(struct output *out, struct html_markup markup);
void html_emit_own(struct output *out, struct html_sentence own);
void html_emit_count(struct output *out, struct html_counted counted);
void html_emit_part(struct output *out, struct html_part part);

/* clang-format off */
#define HTML_EMIT(out, value) \
	_Generic((value), const char *: html_emit_prose, char *: html_emit_prose, \
		 unsigned: html_emit_number, unsigned long: html_emit_number, \
		 unsigned long long: html_emit_number, struct octets: html_emit_octets, \
		 struct html_markup: html_emit_markup, struct html_sentence: html_emit_own, \
		 struct html_counted: html_emit_count, struct html_part: html_emit_part)(out, value)
/* clang-format on */

/* Writes " 3 records" and what they are, or nothing if there are none. */
void html_remainder(struct output *out, uint64_t count, const char *what);

#endif
