/* SPDX-License-Identifier: Apache-2.0 */
/* Reads YAML with the events of libyaml. */
#include "policyfile/yaml.h"
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBYAML
#include "policyfile/syntax.h"

struct yaml {
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
	const struct source *source;
	struct problems *problems;
	size_t *values;
	size_t keys;
	size_t depth;
	/* the last character located, and its octet offset */
	size_t character;
	size_t octet;
	size_t line_start;
};

struct yaml *urivet_loader_yaml_open(const struct source *source, struct problems *problems,
				     size_t *values)
{
	struct yaml *yaml = calloc(1, sizeof *yaml);

	if (yaml == NULL || !yaml_parser_initialize(&yaml->parser)) {
		problems->no_memory = true;
		free(yaml);
		return NULL;
	}
	yaml->source = source;
	yaml->problems = problems;
	yaml->values = values;
	yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&yaml->parser, source->data, source->length);
	return yaml;
}

static void drop_event(struct yaml *yaml)
{
	if (yaml->has_event)
		yaml_event_delete(&yaml->event);
	yaml->has_event = false;
}

void urivet_loader_yaml_close(struct yaml *yaml)
{
	if (yaml == NULL)
		return;
	drop_event(yaml);
	yaml_parser_delete(&yaml->parser);
	free(yaml);
}

/* Returns the place of a mark. libyaml counts characters; if the file is not ASCII, octets are
 * counted from the previous event, as events are in order. It reports the end on a line of its own,
 * which a file without a final line end does not have. */
static struct place place_of(struct yaml *yaml, const yaml_mark_t *mark)
{
	const struct source *source = yaml->source;
	struct place at = {.file = source->file,
			   .line = (uint32_t)mark->line + 1,
			   .column = (uint32_t)mark->column + 1};

	if (source->ascii)
		return mark->index < source->length ? at : source->end;
	if (mark->index < yaml->character)
		yaml->character = yaml->octet = yaml->line_start = 0;
	while (yaml->character < mark->index && yaml->octet < source->length) {
		if (source->data[yaml->octet++] == '\n')
			yaml->line_start = yaml->octet;
		while (yaml->octet < source->length && (source->data[yaml->octet] & 0xC0) == 0x80)
			yaml->octet++;
		yaml->character++;
	}
	at.column = (uint32_t)(yaml->octet - yaml->line_start) + 1;
	return yaml->octet < source->length ? at : source->end;
}

/* Returns the place of a mark with its octet offset. */
static struct spot spot_of(struct yaml *yaml, const yaml_mark_t *mark)
{
	const struct place at = place_of(yaml, mark);

	return (struct spot){at, yaml->source->ascii ? mark->index : yaml->octet};
}

static bool fail(struct yaml *yaml, struct place at, const char *what)
{
	return urivet_loader_problem(yaml->problems, at, "%s", what);
}

static bool report_error(struct yaml *yaml)
{
	const yaml_parser_t *parser = &yaml->parser;
	struct syntax_error error = {.what = parser->problem != NULL ? parser->problem : "",
				     .context = parser->context != NULL ? parser->context : "",
				     .source = yaml->source};

	if (parser->error == YAML_MEMORY_ERROR) {
		yaml->problems->no_memory = true;
		return false;
	}
	error.spot = spot_of(yaml, &parser->problem_mark);
	error.began = error.spot;
	if (parser->context != NULL)
		error.began = spot_of(yaml, &parser->context_mark);
	urivet_loader_report_syntax(yaml->problems, &error);
	return false;
}

static bool next_event(struct yaml *yaml)
{
	drop_event(yaml);
	if (!yaml_parser_parse(&yaml->parser, &yaml->event))
		return report_error(yaml);
	yaml->has_event = true;
	return true;
}

/* ---- Nodes ------------------------------------------------------------------------ */

/* Refuses anchors and tags, with which the data of texts, lists and groups begin alike. */
static bool check_properties(struct yaml *yaml, struct place at)
{
	const bool anchor = yaml->event.data.scalar.anchor != NULL;

	return (!anchor && yaml->event.data.scalar.tag == NULL) ||
	       urivet_loader_problem(yaml->problems, at,
				     "\"%c\" begins %s in YAML, which policy files do not have: "
				     "put the text in quotes",
				     anchor ? '&' : '!', anchor ? "an anchor" : "a tag");
}

static bool take_text(struct yaml *yaml, struct node *node)
{
	const yaml_event_t *event = &yaml->event;

	node->kind = NODE_TEXT;
	node->text = (const char *)event->data.scalar.value;
	node->length = event->data.scalar.length;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (memchr(node->text, '\0', node->length) != NULL)
		return fail(yaml, node->at, "a NUL in a text");
	if (node->length > YAML_TEXT_MOST)
		return urivet_loader_problem(yaml->problems, node->at, "a text of more than %u octets",
				      YAML_TEXT_MOST);
	if (event->start_mark.line != event->end_mark.line && node->length > 0) {
		urivet_loader_report_lines(yaml->problems, yaml->source,
					   spot_of(yaml, &event->start_mark));
		return false;
	}
	return check_properties(yaml, node->at);
}

static bool take_beginning(struct yaml *yaml, struct node *node)
{
	node->kind = yaml->event.type == YAML_SEQUENCE_START_EVENT ? NODE_LIST : NODE_GROUP;
	/* the outermost group does not count */
	if (yaml->depth++ > YAML_DEPTH_MOST)
		return urivet_loader_problem(yaml->problems, node->at,
				      "lists and groups are nested more than %u deep",
				      YAML_DEPTH_MOST);
	return check_properties(yaml, node->at);
}

/* Reads a node of any kind. */
static bool take_node(struct yaml *yaml, struct node *node)
{
	if (!next_event(yaml))
		return false;
	*node = (struct node){.at = place_of(yaml, &yaml->event.start_mark)};
	switch (yaml->event.type) {
	case YAML_SCALAR_EVENT:
		return take_text(yaml, node);
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return take_beginning(yaml, node);
	case YAML_ALIAS_EVENT:
		urivet_loader_report_alias(yaml->problems, yaml->source,
					   spot_of(yaml, &yaml->event.start_mark));
		return false;
	default:
		node->kind = NODE_END;
		yaml->depth--;
		return true;
	}
}

bool urivet_loader_yaml_next(struct yaml *yaml, struct node *node)
{
	if (!take_node(yaml, node))
		return false;
	if (node->kind != NODE_END && (*yaml->values)++ == YAML_VALUES_MOST)
		return urivet_loader_problem(yaml->problems, node->at, "more than %u values",
				      YAML_VALUES_MOST);
	return true;
}

bool urivet_loader_yaml_key(struct yaml *yaml, struct node *node)
{
	if (!take_node(yaml, node))
		return false;
	if (node->kind == NODE_END)
		return true;
	if (node->kind != NODE_TEXT)
		return fail(yaml, node->at,
			    "a key is a word, such as base; text that begins with [ or { needs "
			    "quotes");
	if (node->plain && strcmp(node->text, "<<") == 0)
		return fail(yaml, node->at, "\"<<\" merges groups in YAML, which policy files do not: "
			    "write the keys out, or say include");
	if (yaml->keys++ == YAML_KEYS_MOST)
		return urivet_loader_problem(yaml->problems, node->at, "more than %u keys in a file: move some to another "
				      "one, and name it in \"include\"",
				      YAML_KEYS_MOST);
	return true;
}

bool urivet_loader_yaml_skip(struct yaml *yaml, const struct node *node)
{
	const size_t outside = yaml->depth - 1;
	struct node inner;

	if (node->kind != NODE_LIST && node->kind != NODE_GROUP)
		return true;
	while (yaml->depth > outside) {
		if (!urivet_loader_yaml_next(yaml, &inner))
			return false;
	}
	return true;
}

/* ---- Documents --------------------------------------------------------------------- */

static const char nothing_set[] =
    "nothing is set here; a policy file has at least one key, such as "
    "base: public";

/* Reports a file whose content is not a group. */
static bool report_no_group(struct yaml *yaml, const struct node *node)
{
	const struct place start = {.file = yaml->source->file, .line = 1, .column = 1};

	if (node->kind == NODE_LIST)
		return fail(yaml, node->at,
			    "a list: a policy file has keys with values, such as base: public");
	if (node->plain && node->length == 0)
		return fail(yaml, start, nothing_set);
	urivet_loader_report_word(yaml->problems, yaml->source,
				  spot_of(yaml, &yaml->event.start_mark));
	return false;
}

bool urivet_loader_yaml_begin(struct yaml *yaml)
{
	const struct place start = {.file = yaml->source->file, .line = 1, .column = 1};
	const bool good = next_event(yaml); /* stream start */
	struct node node;

	if (!good || !next_event(yaml)) /* document start */
		return false;
	if (yaml->event.type != YAML_DOCUMENT_START_EVENT)
		return fail(yaml, start, nothing_set);
	if (!urivet_loader_yaml_next(yaml, &node))
		return false;
	if (node.kind == NODE_GROUP)
		return true;
	/* only the first word is explained, unless the rest is not YAML at all */
	return report_no_group(yaml, &node);
}

bool urivet_loader_yaml_end(struct yaml *yaml)
{
	const bool good = next_event(yaml); /* document end */

	if (!good || !next_event(yaml)) /* stream end */
		return false;
	if (yaml->event.type == YAML_STREAM_END_EVENT)
		return true;
	return fail(yaml, place_of(yaml, &yaml->event.start_mark),
		    "a second document begins here: a policy file is one");
}

#else
/* ISO C requires at least one declaration per file */
typedef int urivet_loader_no_yaml;
#endif
