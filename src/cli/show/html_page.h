/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces that pages are made of. Whatever is not written in the source goes through html_octets(),
 * html_prose() or html_own(), and stands between tags only, never in an attribute: so no input is markup. What is
 * written is ASCII, and XML as well as HTML.
 */
#ifndef CLI_HTML_PAGE_H
#define CLI_HTML_PAGE_H

#include "cli/show/output.h"

/* Markup that is written in the source. */
#define html(out, markup) output_string(out, "" markup)

/* Octets of input: as output_escaped() writes them, with & < > " ' as references. */
void html_octets(struct output *out, struct text text);

/* A name that somebody chose, or words of the source: the same, but spaces are kept. */
void html_prose(struct output *out, const char *prose);

/* A sentence of the catalogue, which may speak of the backslash: it is kept too. */
void html_own(struct output *out, const char *sentence);

/* A number in groups of three digits: 1,234,567. */
void html_number(struct output *out, uint64_t number);

/* A number and its noun: "1 record", "2 records". */
void html_count(struct output *out, uint64_t number, const char *noun);

/* A part of a whole in percent, as people read it: "12 %", "1.2 %", "under 0.1 %". */
void html_share(struct output *out, uint64_t part, uint64_t whole);

/* A length for a drawing: part / whole * size, with two decimals; 0 if there is no whole. */
void html_length(struct output *out, uint64_t part, uint64_t whole, double size);

/* " 3 records", and what they are; nothing if there are none. */
void html_remainder(struct output *out, uint64_t count, const char *what);

#endif
