/* SPDX-License-Identifier: Apache-2.0 */
/* urivet base: finds the base URI of a document and the source that determines it. */
#include "cli/commands/options.h"
#include "cli/records/file.h"
#include "cli/records/packing.h"
#include "cli/scan/base_uri.h"
#include "cli/scan/html.h"
#include "cli/text/emit.h"
#include <errno.h>
#include <stdlib.h>

/* The sources of a base URI, outermost first; a later one takes precedence. Sources in the content
 * may be relative, except Content-Base (draft-fielding-url-syntax, "base-header"). */
enum base_source {
	SOURCE_DEFAULT = 0,
	SOURCE_RETRIEVED,
	SOURCE_ENCLOSING,
	SOURCE_LOCATION,
	SOURCE_BASE,
	SOURCE_HTML,
	SOURCES
};

static const struct {
	const char *name;
	const char *reference;
	bool may_be_relative;
} sources[SOURCES] = {
    [SOURCE_DEFAULT] = {"default", "RFC 3986, 5.1.4", false},
    [SOURCE_RETRIEVED] = {"retrieved", "RFC 3986, 5.1.3", false},
    [SOURCE_ENCLOSING] = {"enclosing entity", "RFC 3986, 5.1.2", false},
    [SOURCE_LOCATION] = {"content: Content-Location", "RFC 3986, 5.1.1", true},
    [SOURCE_BASE] = {"content: Content-Base", "RFC 3986, 5.1.1", false},
    [SOURCE_HTML] = {"content: base href", "RFC 3986, 5.1.1", true},
};

struct finder {
	struct octets layer[SOURCES]; /* data is NULL if the source is absent */
	bool relative[SOURCES];       /* it was resolved against the previous source */
	struct base_uri base;
	int source; /* the deciding source; -1: none */
	bool refused;
};

/* Copies the value of a header field to `room` without white space, which line folding may insert
 * anywhere. */
static struct octets unfold(const char *value, char *room)
{
	size_t length = 0;

	if (value == NULL)
		return (struct octets){0};
	for (; *value != '\0'; value++) {
		if (strchr(" \t\r\n", *value) == NULL)
			room[length++] = *value;
	}
	return text_at(room, length);
}

static bool is_relative(struct octets text)
{
	struct urivet_uri uri;

	return urivet_parse(&uri, text.data, text.length, NULL) && !urivet_has(&uri, URIVET_SCHEME);
}

/* Applies the sources from the outermost to the innermost. An unreadable source removes the base,
 * since an outer source must not replace it; a later absolute URI sets it again. */
static void find_base(struct finder *finder)
{
	finder->source = -1;
	for (int source = 0; source < SOURCES; source++) {
		struct octets layer = finder->layer[source];

		if (layer.data == NULL)
			continue;
		finder->relative[source] = sources[source].may_be_relative && is_relative(layer);
		finder->source = source;
		finder->refused =
		    !base_uri_set(&finder->base, layer, sources[source].may_be_relative);
	}
}

/* ---- Output --------------------------------------------------------------------------- */

/* Writes "content: base href, relative to: retrieved". */
static void write_reason(struct output *out, const struct finder *finder)
{
	int source = finder->source;

	if (source < 0) {
		output_string(out, "no layer has one");
		return;
	}
	output_string(out, sources[source].name);
	if (finder->refused) {
		output_string(out, ", which cannot be read as a base URI");
		return;
	}
	while (finder->relative[source]) {
		do
			source--;
		while (finder->layer[source].data == NULL);
		emit(out, ", relative to ", sources[source].name);
	}
}

static void human_write_base(struct output *out, const struct finder *finder)
{
	if (finder->base.length > 0)
		emit(out, text_at(finder->base.data, finder->base.length), "\n");
	paint(out, STYLE_NOTE);
	write_reason(out, finder);
	if (finder->source >= 0)
		emit(out, " [", sources[finder->source].reference, "]");
	emit(out, in_style(STYLE_PLAIN), "\n");
}

static void tsv_write_base(struct output *out, const struct finder *finder)
{
	if (finder->base.length > 0)
		output_escaped(out, text_at(finder->base.data, finder->base.length));
	else
		output_string(out, "\\N");
	output_octet(out, '\t');
	write_reason(out, finder);
	output_octet(out, '\n');
}

/* A base URI is ASCII, so it needs no check for UTF-8. */
static void json_write_base(struct output *out, const struct finder *finder)
{
	const uint8_t *data = finder->base.length > 0 ? finder->base.data : NULL;

	emit(out, "{\"base\":", json_text(text_at(data, finder->base.length), false),
	     ",\"reason\":\"");
	write_reason(out, finder);
	output_string(out, "\"}\n");
}

static enum status show(const struct options *options, const struct finder *finder)
{
	static void (*const write[])(struct output *,
				     const struct finder *) = {[FORMAT_HUMAN] = human_write_base,
							       [FORMAT_TSV] = tsv_write_base,
							       [FORMAT_JSON] = json_write_base};
	struct output out;

	if (!paint_open(&out, options->showing.colour))
		return STATUS_TROUBLE;
	if (!options->showing.quiet)
		write[options->showing.format](&out, finder);
	if (!output_finish(&out))
		return STATUS_TROUBLE;
	return finder->base.length > 0 ? STATUS_ACCEPTED : STATUS_REFUSED;
}

/* ---- The command ------------------------------------------------------------------------ */

static enum status find_and_show(const struct options *options, struct finder *finder)
{
	enum status status = STATUS_TROUBLE;
	const char *const *header = options->layers.header;
	size_t base = header[HEADER_CONTENT_BASE] != NULL ? strlen(header[HEADER_CONTENT_BASE]) : 0;
	size_t place =
	    header[HEADER_CONTENT_LOCATION] != NULL ? strlen(header[HEADER_CONTENT_LOCATION]) : 0;
	char *room = malloc(base + place + 1);

	if (room == NULL)
		return trouble("%s", strerror(ENOMEM));
	finder->layer[SOURCE_DEFAULT] = text_or_none(options->layers.otherwise);
	finder->layer[SOURCE_RETRIEVED] = text_or_none(options->layers.retrieved);
	finder->layer[SOURCE_ENCLOSING] = text_or_none(options->layers.enclosing);
	finder->layer[SOURCE_LOCATION] = unfold(header[HEADER_CONTENT_LOCATION], room);
	finder->layer[SOURCE_BASE] = unfold(header[HEADER_CONTENT_BASE], room + place);
	find_base(finder);
	if (finder->base.no_memory)
		complain("%s", strerror(ENOMEM));
	else
		status = show(options, finder);
	base_uri_free(&finder->base);
	free(room);
	return status;
}

enum status run_base(const struct options *options)
{
	struct finder finder = {0};
	struct octets document = {0};
	struct html html = {0};
	struct html_budget budget = {0};
	enum status status = STATUS_TROUBLE;

	if (options->layers.content == NULL)
		return find_and_show(options, &finder);
	if (!html_is_built() || !file_load(&document, options->layers.content, HTML_MOST))
		return STATUS_TROUBLE;
	if (is_unpacked(options->layers.content, packing_of_file(document, false)) &&
	    html_read(&html, document, &budget, options->layers.content)) {
		if (html.base != NULL)
			finder.layer[SOURCE_HTML] = html_trim(text_of(html.base));
		status = find_and_show(options, &finder);
		html_free(&html);
	}
	free((void *)(uintptr_t)document.data);
	return status;
}
