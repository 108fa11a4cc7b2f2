/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects, one a line and in ASCII, by the few writers below. */
#include "cli/show/is_utf8.h"
#include "cli/show/item.h"

static const struct {
	const char *name;
	enum urivet_component component;
} members[] = {
    {"scheme", URIVET_SCHEME},     {"userinfo", URIVET_USERINFO}, {"host", URIVET_HOST},
    {"port", URIVET_PORT},         {"path", URIVET_PATH},         {"query", URIVET_QUERY},
    {"fragment", URIVET_FRAGMENT},
};

static const char *const host_kind[] = {
    [URIVET_HOST_NONE] = "none",           [URIVET_HOST_NAME] = "name",
    [URIVET_HOST_IPV4] = "ipv4",           [URIVET_HOST_IPV6] = "ipv6",
    [URIVET_HOST_IPVFUTURE] = "ipvfuture", [URIVET_HOST_REGISTRY] = "registry",
};

/* ---- Values ---------------------------------------------------------------------- */

static void write_text(struct output *out, struct text text, bool raw)
{
	output_octet(out, '"');
	output_json_escaped(out, text, raw);
	output_octet(out, '"');
}

static void write_string(struct output *out, const char *string)
{
	write_text(out, text_of(string), false);
}

/* The key of the next member, after a comma or a brace. */
static void write_key(struct output *out, char before, const char *key)
{
	output_octet(out, before);
	write_string(out, key);
	output_octet(out, ':');
}

static void write_member(struct output *out, char before, const char *key, const char *value)
{
	write_key(out, before, key);
	write_string(out, value);
}

static void write_count(struct output *out, char before, const char *key, uint64_t number)
{
	write_key(out, before, key);
	output_number(out, number);
}

/* ---- Objects ---------------------------------------------------------------------- */

static bool all_utf8(const struct readings *readings)
{
	bool all = true;

	for (unsigned i = 0; all && readings != NULL && i < URIVET_READERS; i++)
		all = is_utf8(readings->source[i]);
	return all;
}

/* The Host field, where components lie in it. */
static struct text shown_host(const struct item *item)
{
	return item->report->uri.authority_in == URIVET_IN_HOST_FIELD ? item->host
								       : (struct text){0};
}

/* True if strings stand for octets, not for text. */
static bool is_raw(const struct item *item)
{
	const struct place *place = item->place;

	if (place != NULL && !(is_utf8(place->text) && is_utf8(text_of(place->file))))
		return true;
	return !item->too_long &&
	       !(is_utf8(item->text) && is_utf8(shown_host(item)) &&
		 is_utf8(item->written) && all_utf8(item->readings));
}

/* The input: "uri", and "length" or "raw" where they apply. */
static void write_input(struct output *out, const struct item *item, bool raw)
{
	write_key(out, '{', "uri");
	if (item->too_long) {
		output_string(out, "null");
		write_count(out, ',', "length", item->length);
	} else {
		write_text(out, item->text, raw);
	}
	if (raw)
		output_string(out, ",\"raw\":true");
}

/* The components of a URI; null if `uri` is NULL. */
static void write_components(struct output *out, const struct urivet_uri *uri,
			     const struct text part[], bool raw)
{
	write_key(out, ',', "components");
	if (uri == NULL) {
		output_string(out, "null");
		return;
	}
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		write_key(out, i == 0 ? '{' : ',', members[i].name);
		if (part[members[i].component].data != NULL)
			write_text(out, part[members[i].component], raw);
		else
			output_string(out, "null");
	}
	output_octet(out, '}');
}

static void write_host(struct output *out, const struct urivet_uri *uri)
{
	unsigned kind = uri != NULL ? uri->host_kind : URIVET_HOST_NONE;
	char address[64];

	write_key(out, ',', "host");
	write_member(out, '{', "kind", host_kind[kind]);
	write_key(out, ',', "address");
	if ((kind == URIVET_HOST_IPV4 || kind == URIVET_HOST_IPV6) &&
	    urivet_format_address(address, sizeof address, uri) != 0)
		write_string(out, address);
	else
		output_string(out, "null");
	output_octet(out, '}');
}

static void write_port(struct output *out, const struct urivet_uri *uri)
{
	write_key(out, ',', "port");
	if (uri != NULL && uri->port != URIVET_NO_PORT)
		output_number(out, uri->port);
	else
		output_string(out, "null");
}

/* The members that tell what was read. */
static void write_read(struct output *out, const struct item *item, bool raw)
{
	const struct urivet_uri *uri = item->report->parsed ? &item->report->uri : NULL;
	struct text part[URIVET_COMPONENTS] = {0};

	for (unsigned i = 0; uri != NULL && i < URIVET_COMPONENTS; i++)
		part[i] = item_part(item, (enum urivet_component)i);
	write_components(out, uri, part, raw);
	write_host(out, uri);
	write_port(out, uri);
}

static void write_finding(struct output *out, const struct urivet_finding *finding)
{
	const struct urivet_finding_row *info = urivet_finding_info(finding->id);

	write_member(out, '{', "id", info->name);
	write_count(out, ',', "number", finding->id);
	write_member(out, ',', "class", urivet_class_name(finding->class_));
	write_member(out, ',', "component", urivet_component_name(finding->component));
	write_count(out, ',', "offset", finding->span.offset);
	write_count(out, ',', "length", finding->span.length);
	write_count(out, ',', "count", finding->count);
	write_member(out, ',', "reference", info->reference);
	write_member(out, ',', "text", info->text);
	output_octet(out, '}');
}

static void write_findings(struct output *out, const struct urivet_report *report)
{
	write_key(out, ',', "findings");
	output_octet(out, '[');
	for (uint32_t i = 0; i < report->count; i++) {
		if (i > 0)
			output_octet(out, ',');
		write_finding(out, &report->finding[i]);
	}
	output_octet(out, ']');
}

static void write_reading(struct output *out, const struct readings *readings, unsigned reader,
			  bool raw)
{
	const struct urivet_reading *reading = &readings->reading[reader];
	const struct urivet_uri *uri = reading->reads ? &reading->uri : NULL;
	struct text part[URIVET_COMPONENTS] = {0};

	for (unsigned i = 0; uri != NULL && i < URIVET_COMPONENTS; i++)
		part[i] = part_of(uri, i, readings->source[reader]);
	write_member(out, '{', "reader", urivet_reader_name(reader));
	write_key(out, ',', "reads");
	output_string(out, reading->reads ? "true" : "false");
	write_components(out, uri, part, raw);
	write_host(out, uri);
	write_port(out, uri);
	output_octet(out, '}');
}

static void write_readings(struct output *out, const struct readings *readings, bool raw)
{
	write_key(out, ',', "readings");
	if (readings == NULL) {
		output_string(out, "null");
		return;
	}
	for (unsigned i = 0; i < URIVET_READERS; i++) {
		output_octet(out, i == 0 ? '[' : ',');
		write_reading(out, readings, i, raw);
	}
	output_octet(out, ']');
}

/* Where a find stands. */
static void write_place(struct output *out, const struct place *place, bool raw)
{
	write_key(out, ',', "file");
	write_text(out, text_of(place->file), raw);
	write_count(out, ',', "line", place->line);
	write_count(out, ',', "column", place->column);
	write_key(out, ',', "text");
	write_text(out, place->text, raw);
	write_member(out, ',', "kind", place->kind);
	if (place->hyphen_at_break)
		output_string(out, ",\"hyphen_at_break\":true");
}

static void write_suggestion(struct output *out, const char *key, const struct item *item, bool raw)
{
	write_key(out, ',', key);
	if (item->suggestion.data != NULL)
		write_text(out, item->suggestion, raw);
	else
		output_string(out, "null");
}

static const char *verdict_name(bool accepted)
{
	return accepted ? "accept" : "reject";
}

void json_write(struct output *out, const struct item *item)
{
	bool raw = is_raw(item);

	write_input(out, item, raw);
	write_member(out, ',', "verdict", verdict_name(item->report->verdict == URIVET_ACCEPT));
	write_key(out, ',', "policy");
	if (item->policy != NULL)
		write_text(out, text_of(item->policy->name), raw);
	else
		output_string(out, "null");
	write_read(out, item, raw);
	write_findings(out, item->report);
	write_readings(out, item->readings, raw);
	write_suggestion(out, "suggestion", item, raw);
	if (item->place != NULL)
		write_place(out, item->place, raw);
	if (item->loaded != NULL && urivet_loaded_observes(item->loaded))
		output_string(out, ",\"enforced\":false");
	output_string(out, "}\n");
}

void json_write_result(struct output *out, const struct item *item)
{
	bool raw = is_raw(item);

	write_input(out, item, raw);
	write_member(out, ',', "verdict", verdict_name(item->suggestion.data != NULL));
	write_suggestion(out, "result", item, raw);
	output_string(out, "}\n");
}

void json_write_finding(struct output *out, const struct urivet_finding_row *info)
{
	write_member(out, '{', "id", info->name);
	write_count(out, ',', "number", info->id);
	write_member(out, ',', "class", urivet_class_name(info->class_));
	write_member(out, ',', "component", urivet_component_name(info->component));
	write_member(out, ',', "reference", info->reference);
	write_member(out, ',', "text", info->text);
	output_string(out, "}\n");
}
