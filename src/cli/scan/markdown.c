/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Markdown with md4c (optional dependency).
 *
 * The parser's time can grow with the square of the length of a paragraph, and it cannot be
 * interrupted. So it runs in a child process whose processor time is limited, and which sends what
 * it finds through a pipe. */
#include "cli/scan/markup.h"
#include "common/load.h"
#include "common/text/output.h"
#include <errno.h>

#ifndef HAVE_MD4C

bool markdown_is_built(void)
{
	return complain(
	    "this build reads no Markdown: install the Debian package libmd4c-dev and build "
	    "again");
}

bool markdown_convert(struct markup_html *markup, const char *name)
{
	(void)markup;
	(void)name;
	return markdown_is_built();
}

#else
#include <md4c.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processor time for parsing, in seconds: ten times what common documents need. */
#define PARSE_TIME_MOST       20u
#define PARSE_TIME_OF(octets) (2u + ((octets) >> 20))

/* A target with escapes is looked for within a number of octets after what was read last. */
#define TARGET_AHEAD          256u

/* GitHub's dialect, but URLs in text are found by the scanner of text. */
#define DIALECT               (MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS)

bool markdown_is_built(void)
{
	return true;
}

/* ---- Callbacks of the parser ------------------------------------------------------------------- */

/* The state of the conversion. */
struct markdown {
	struct markup_html *markup;
	size_t near;     /* the offset of what was read last */
	size_t text_end; /* the end of the text before, if only emphasis came since; else 0 */
	unsigned images; /* open images, whose text is no text of a link */
};

static bool is_in_source(const struct markdown *markdown, const char *at, size_t length)
{
	const uintptr_t start = (uintptr_t)markdown->markup->source.data;
	const uintptr_t where = (uintptr_t)at;

	return where >= start && where <= start + markdown->markup->source.length &&
	       length <= start + markdown->markup->source.length - where;
}

static size_t offset_of(const struct markdown *markdown, const char *at)
{
	return (size_t)((uintptr_t)at - (uintptr_t)markdown->markup->source.data);
}

/* Returns the offset of a target, whose escapes were decoded, soon after what was read last. */
static size_t find_target(const struct markdown *markdown, const MD_ATTRIBUTE *target)
{
	const struct octets source = markdown->markup->source;

	for (size_t at = markdown->near; at - markdown->near < TARGET_AHEAD; at++) {
		size_t i = at, same = 0;

		while (same < target->size && i < source.length &&
		       (source.data[i] == '\\' || source.data[i] == (uint8_t)target->text[same]))
			same += source.data[i++] == (uint8_t)target->text[same];
		if (same == target->size)
			return at;
	}
	return markdown->near;
}

/* Appends a target as the value of an attribute: character references stay as they are. */
static void put_target(struct markdown *markdown, const char *start, const MD_ATTRIBUTE *target)
{
	struct markup_html *markup = markdown->markup;
	const bool is_found =
	    target->size > 0 && is_in_source(markdown, target->text, target->size);
	const size_t offset =
	    is_found ? offset_of(markdown, target->text) : find_target(markdown, target);

	markup_put_string(markup, start);
	markup_put(markup, (struct octets){0}, offset);
	for (unsigned i = 0; target->size > 0 && target->substr_offsets[i] < target->size; i++) {
		const MD_OFFSET from = target->substr_offsets[i];
		const struct octets part = {(const uint8_t *)target->text + from,
					    target->substr_offsets[i + 1] - from};

		if (target->substr_types[i] == MD_TEXT_ENTITY)
			markup_put(markup, part, is_found ? offset + from : offset);
		else
			markup_put_escaped(markup, part, offset);
	}
	markup_put_string(markup, "\">");
	markdown->text_end = 0;
}

static int on_block(MD_BLOCKTYPE type, void *detail, void *context)
{
	struct markdown *markdown = context;

	(void)detail;
	markdown->text_end = 0;
	if (type != MD_BLOCK_HTML && type != MD_BLOCK_DOC && markdown->markup->has_html)
		markup_put_string(markdown->markup, "<p>");
	return markdown->markup->failed;
}

static int on_block_end(MD_BLOCKTYPE type, void *detail, void *context)
{
	struct markdown *markdown = context;

	(void)type;
	(void)detail;
	markdown->text_end = 0;
	return markdown->markup->failed;
}

static int on_span(MD_SPANTYPE type, void *detail, void *context)
{
	struct markdown *markdown = context;

	if (type == MD_SPAN_IMG && markdown->images++ == 0) {
		put_target(markdown, "<img src=\"", &((MD_SPAN_IMG_DETAIL *)detail)->src);
	} else if (type == MD_SPAN_A && markdown->images == 0) {
		put_target(markdown, "<a href=\"", &((MD_SPAN_A_DETAIL *)detail)->href);
		markdown->markup->in_link++;
	}
	return markdown->markup->failed;
}

static int on_span_end(MD_SPANTYPE type, void *detail, void *context)
{
	struct markdown *markdown = context;

	(void)detail;
	if (type == MD_SPAN_IMG)
		markdown->images--;
	else if (type == MD_SPAN_A && markdown->images == 0)
		markup_close_link(markdown->markup);
	if (type == MD_SPAN_IMG || type == MD_SPAN_A)
		markdown->text_end = 0;
	return markdown->markup->failed;
}

/* Returns true if octets of the source are signs of emphasis, or escapes of signs that may be a part
 * of a URL. */
static bool is_emphasis(struct octets source, size_t from, size_t end)
{
	if (source.data[end - 1] == '\\' && strchr("`'\"()[]{}<>|", source.data[end]) != NULL)
		return false;
	while (from < end && source.data[from] != '\0' &&
	       strchr("*_~\\", source.data[from]) != NULL)
		from++;
	return from == end;
}

/* Appends text of the source, and the emphasis before it, which may be a part of a URL. */
static void put_text(struct markdown *markdown, size_t length, bool is_html)
{
	struct markup_html *markup = markdown->markup;
	const size_t from = markdown->text_end;
	const size_t offset = markdown->near;

	if (from > 0 && from < offset && markup->in_link == 0 &&
	    is_emphasis(markup->source, from, offset))
		memcpy(markup->plain + from, markup->source.data + from, offset - from);
	markup_put_text(markup, text_at(markup->source.data + offset, length), is_html);
	markdown->text_end = offset + length;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *at, MD_SIZE length, void *context)
{
	struct markdown *markdown = context;
	struct markup_html *markup = markdown->markup;
	const struct octets octets = {(const uint8_t *)at, length};
	const bool is_found = is_in_source(markdown, at, length);

	if (is_found)
		markdown->near = offset_of(markdown, at);
	if (type == MD_TEXT_HTML) {
		markup->has_html = true;
		markup_put(markup, octets, markdown->near);
	} else if (markdown->images == 0 && is_found &&
		   (type == MD_TEXT_NORMAL || (type == MD_TEXT_ENTITY && markup->in_link == 0))) {
		put_text(markdown, length, type == MD_TEXT_ENTITY);
		return markup->failed;
	} else if (markdown->images == 0 && (markup->in_link > 0 || markup->has_html)) {
		if (type == MD_TEXT_BR)
			markup_put_string(markup, "<br>");
		else if (type == MD_TEXT_ENTITY)
			markup_put(markup, octets, markdown->near);
		else
			markup_put_escaped(markup, octets, markdown->near);
	}
	markdown->text_end = 0;
	return markup->failed;
}

/* ---- The child process --------------------------------------------------------------------------- */

/* What the child sends; the arrays follow. */
struct result {
	size_t length;
	size_t places;
	int failed; /* errno of the conversion */
};

static void limit_process(size_t octets)
{
	const size_t seconds = PARSE_TIME_OF(octets);
	const rlim_t most = seconds < PARSE_TIME_MOST ? seconds : PARSE_TIME_MOST;

	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	(void)setrlimit(RLIMIT_CPU, &(struct rlimit){most, most});
}

static bool read_exactly(int fd, void *data, size_t length)
{
	uint8_t *at = data;

	while (length > 0) {
		const ssize_t got = urivet_loader_descriptor(&fd, at, length);

		if (got <= 0)
			return false;
		at += got;
		length -= (size_t)got;
	}
	return true;
}

/* Puts the source into a buffer with a NUL after it: md4c 0.4.8 reads one octet beyond a text that
 * ends in "](". Returns false if there is no memory. */
static bool end_source(struct markup_html *markup)
{
	const struct octets source = markup->source;
	uint8_t *ended = malloc(source.length + 1);

	if (ended == NULL)
		return false;
	if (source.length > 0)
		memcpy(ended, source.data, source.length);
	ended[source.length] = '\0';
	markup->source.data = ended;
	return true;
}

/* Converts in the child, and sends the result. Never returns. */
static void run_child(struct markup_html *markup, int fd)
{
	struct markdown markdown = {.markup = markup};
	const MD_PARSER parser = {0,           DIALECT, on_block, on_block_end, on_span,
				  on_span_end, on_text, NULL,     NULL};
	struct result result;

	limit_process(markup->source.length);
	if ((!end_source(markup) ||
	     md_parse((const char *)markup->source.data, (MD_SIZE)markup->source.length, &parser,
		      &markdown) != 0) &&
	    markup->failed == 0)
		markup->failed = ENOMEM;
	result = (struct result){markup->length, markup->places, markup->failed};
	if (output_now(fd, &result, sizeof result) != 0 ||
	    (result.failed == 0 &&
	     (output_now(fd, markup->html, markup->length) != 0 ||
	      output_now(fd, markup->place, markup->places * sizeof *markup->place) != 0 ||
	      output_now(fd, markup->plain, markup->source.length) != 0)))
		_exit(1);
	_exit(0);
}

/* Reads what the child sends. Returns false with `failed` set: ETIMEDOUT if it ended early. */
static bool receive(struct markup_html *markup, int fd)
{
	struct result result;

	markup->failed = ETIMEDOUT;
	if (!read_exactly(fd, &result, sizeof result))
		return false;
	markup->failed = result.failed;
	if (result.failed != 0)
		return false;
	markup->html = malloc(result.length + 1);
	markup->place = malloc((result.places + 1) * sizeof *markup->place);
	if (markup->html == NULL || markup->place == NULL) {
		markup->failed = ENOMEM;
		return false;
	}
	markup->length = result.length;
	markup->places = result.places;
	if (read_exactly(fd, markup->html, result.length) &&
	    read_exactly(fd, markup->place, result.places * sizeof *markup->place) &&
	    read_exactly(fd, markup->plain, markup->source.length))
		return true;
	markup->failed = ETIMEDOUT;
	return false;
}

static void complain_of(const struct markup_html *markup, const char *name)
{
	if (markup->failed == ETIMEDOUT)
		complain("'%s' takes too much time to be read as Markdown", name);
	else if (markup->failed == EFBIG)
		complain("'%s' needs too much memory to be read as Markdown", name);
	else
		complain("cannot read '%s' as Markdown: %s", name, strerror(markup->failed));
}

bool markdown_convert(struct markup_html *markup, const char *name)
{
	int ends[2];
	pid_t child;
	bool good;

	if (pipe(ends) != 0)
		return complain("%s", strerror(errno));
	child = fork();
	if (child == 0) {
		(void)close(ends[0]);
		run_child(markup, ends[1]);
	}
	if (child < 0)
		markup->failed = errno;
	(void)close(ends[1]);
	good = child > 0 && receive(markup, ends[0]);
	(void)close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (!good)
		complain_of(markup, name);
	return good;
}

#endif
