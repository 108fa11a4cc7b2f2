/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for writing HTML pages. All text that is not part of the source goes through
 * html_octets(), html_prose() or html_own(), between tags and never in attributes, so input cannot
 * become markup. The output is ASCII, and valid as XML and HTML.
 */
#ifndef CLI_HTML_PAGE_H
#define CLI_HTML_PAGE_H

#include "cli/show/output.h"

/* Writes markup, which must be a string literal. */
#define html(out, markup) output_string(out, "" markup)

/* Writes input as output_escaped() does, with & < > " ' as character references. */
void html_octets(struct output *out, struct text text);

/* Writes a name or words from the source: like html_octets(), but keeps spaces. */
void html_prose(struct output *out, const char *prose);

/* Writes a sentence of the catalogue: like html_prose(), but keeps backslashes. */
void html_own(struct output *out, const char *sentence);

/* Writes a number in groups of three digits: 1,234,567. */
void html_number(struct output *out, uint64_t number);

/* Writes a number and its noun: "1 record", "2 records". */
void html_count(struct output *out, uint64_t number, const char *noun);

/* Writes a fraction as a rounded percentage: "12.0 %", "1.2 %", "under 0.1 %". */
void html_share(struct output *out, uint64_t part, uint64_t whole);

/* Writes a length for a drawing: part / whole * size with two decimals; 0 if `whole` is 0. */
void html_length(struct output *out, uint64_t part, uint64_t whole, double size);

/* Writes " 3 records" and what they are, or nothing if there are none. */
void html_remainder(struct output *out, uint64_t count, const char *what);

#endif
