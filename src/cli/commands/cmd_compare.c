/* SPDX-License-Identifier: Apache-2.0 */
/* urivet compare: writes the strictest comparison by which two URIs are equal. */
#include "cli/commands/options.h"
#include "cli/records/cursor.h"
#include "cli/records/file.h"
#include <stdlib.h>

/* The texts of `pair` point into `content`. */
struct redirects {
	struct urivet_redirect pair[URIVET_MAX_REDIRECTS];
	size_t count;
	uint8_t *content;
};

#define MOST_SHOW 200

/* ---- Lines and words --------------------------------------------------------------------- */

/* A position in the file, for messages. */
struct place {
	const char *file;
	size_t line; /* from 1 */
	const uint8_t *start;
};

static bool complain_at(const struct place *place, struct octets word, const char *what)
{
	return complain("%s:%lu:%lu: '%.*s' %s", place->file, (unsigned long)place->line,
			(unsigned long)(word.data - place->start) + 1,
			(int)(word.length < MOST_SHOW ? word.length : MOST_SHOW),
			(const char *)word.data, what);
}

#define WHITE " \t\r\f\v"

/* Takes the next word off the line. Data is NULL at the end of the line or at a comment. */
static struct octets next_word(struct octets *line)
{
	struct octets word;
	size_t length = 0;

	*line = text_trim(*line, WHITE, "");
	while (length < line->length && !is_one_of(line->data[length], WHITE))
		length++;
	word = text_at(line->data, length);
	*line = text_after(*line, length);
	return length > 0 && word.data[0] != '#' ? word : (struct octets){0};
}

static bool is_uri(struct octets word)
{
	struct urivet_uri uri;

	return urivet_parse(&uri, word.data, word.length, NULL) && urivet_has(&uri, URIVET_SCHEME);
}

/* Adds the pair on a line, if any. Returns false after reporting an error. */
static bool add_line(struct redirects *redirects, const struct place *place, struct octets line)
{
	struct octets from = next_word(&line);
	struct octets to = from.data != NULL ? next_word(&line) : from;
	struct octets more = to.data != NULL ? next_word(&line) : to;

	if (from.data == NULL)
		return true;
	if (!is_uri(from))
		return complain_at(place, from, "is no URI");
	if (to.data == NULL)
		return complain_at(place, from, "stands alone: a line has two URIs");
	if (!is_uri(to))
		return complain_at(place, to, "is no URI");
	if (more.data != NULL)
		return complain_at(place, more, "is too much: a line has two URIs");
	/* further redirects must not be ignored silently */
	if (redirects->count == URIVET_MAX_REDIRECTS)
		return complain_at(place, from, "is one redirect more than can be followed");
	redirects->pair[redirects->count++] =
	    (struct urivet_redirect){to_library(from), to_library(to)};
	return true;
}

static bool add_lines(struct redirects *redirects, const char *name, struct octets content)
{
	struct cursor cursor = cursor_over(content, '\n', false);
	struct place place = {.file = name};
	struct octets line;

	while (cursor_next(&cursor, &line)) {
		place.line++;
		place.start = line.data;
		if (!add_line(redirects, &place, line))
			return false;
	}
	return true;
}

/* Reads a file ("-": standard input) with two URIs on each line, separated by white space. A word
 * that starts with "#" starts a comment; empty lines are ignored. More than URIVET_MAX_REDIRECTS
 * redirects are an error. Returns false after reporting an error. */
static bool redirects_read(struct redirects *redirects, const char *name)
{
	struct octets content;

	if (!file_load(&content, name, SIZE_MAX - 1))
		return false;
	redirects->content = (uint8_t *)(uintptr_t)content.data;
	return add_lines(redirects, name, content);
}

/* ---- The command ---------------------------------------------------------------------- */

static enum urivet_rung compare(const struct options *options, const struct redirects *redirects)
{
	struct octets a = text_of(options->reading.operand[0]);
	struct octets b = text_of(options->reading.operand[1]);

	return urivet_compare(to_library(a), to_library(b), options->compare.no_fragment,
			      redirects->pair, redirects->count);
}

static bool write_rung(const struct options *options, enum urivet_rung rung)
{
	static const char *const name[] = {
	    [URIVET_DIFFERENT] = "different\n",    [URIVET_EQUAL_BY_PROTOCOL] = "protocol\n",
	    [URIVET_EQUAL_BY_SCHEME] = "scheme\n", [URIVET_EQUAL_BY_SYNTAX] = "syntax\n",
	    [URIVET_IDENTICAL] = "identical\n",
	};
	struct output out;

	if (options->showing.quiet)
		return true;
	if (!paint_open(&out, options->showing.colour))
		return false;
	output_string(&out, name[rung]);
	return output_finish(&out);
}

enum status run_compare(const struct options *options)
{
	struct redirects redirects = {.count = 0};
	enum urivet_rung rung;

	if (options->compare.redirects != NULL &&
	    !redirects_read(&redirects, options->compare.redirects)) {
		free(redirects.content);
		return STATUS_TROUBLE;
	}
	rung = compare(options, &redirects);
	free(redirects.content);
	if (!write_rung(options, rung))
		return STATUS_TROUBLE;
	return rung == URIVET_DIFFERENT ? STATUS_REFUSED : STATUS_ACCEPTED;
}
