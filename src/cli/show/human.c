/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics for people: the position, the octets with a caret under the fault, and the reason.
 * All input is escaped. */
#include "cli/show/catalogue.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"
#include "common/utf8.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INDENT     4u
#define DOTS       "..."
#define GUESS_MOST 200u /* maximum octets of a URL that is repeated */

/* ---- Line wrapping ------------------------------------------------------------------ */

void human_write_wrapped(struct output *out, const char *text, size_t indent, enum style style)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		if (column > 0 && column + 1 + length > out->width) {
			emit(out, in_style(STYLE_PLAIN), "\n");
			column = 0;
		}
		output_spaces(out, column == 0 ? indent : 1);
		if (column == 0)
			paint(out, style);
		column += length + (column == 0 ? indent : 1);
		output_text(out, text_at(text, length));
		text += length;
		text += strspn(text, " ");
	}
	emit(out, in_style(STYLE_PLAIN), "\n");
}

void human_write_next(struct output *out, unsigned id, size_t indent)
{
	if (strstr(urivet_finding_info(id)->text, example_of(id).next) == NULL)
		human_write_wrapped(out, example_of(id).next, indent, STYLE_PLAIN);
}

/* ---- The octets and the caret -------------------------------------------------------- */

/* The part of a text that is shown, if it is longer than a line. */
struct window {
	size_t begin;
	size_t end;
	size_t columns;
};

/* Widens the window to the left, or to the right up to `end`, as columns allow. */
static void widen(struct window *window, struct octets text, bool left, size_t end, size_t columns)
{
	while (left ? window->begin > 0 : window->end < end) {
		size_t width = escaped_width(text.data[left ? window->begin - 1 : window->end]);

		if (window->columns + width > columns)
			return;
		window->columns += width;
		window->begin -= left;
		window->end += !left;
	}
}

/* Returns all of the text if it fits into `columns`, otherwise the part around the fault. */
static struct window choose_window(struct octets text, size_t offset, size_t length, size_t columns)
{
	struct window window = {0};
	size_t room = columns - 2 * strlen(DOTS);

	widen(&window, text, false, text.length, columns);
	if (window.end == text.length)
		return window;
	window = (struct window){.begin = offset, .end = offset};
	widen(&window, text, false, offset + length, room / 2);
	widen(&window, text, true, 0, window.columns + (room - window.columns) / 2);
	widen(&window, text, false, text.length, room);
	widen(&window, text, true, 0, room);
	return window;
}

static size_t columns_of(struct octets text, size_t begin, size_t end)
{
	return begin < end ? escaped_columns(text_at(text.data + begin, end - begin)) : 0;
}

/* A text to show, and the octets that the caret points at. */
struct excerpt {
	const char *label; /* printed before the text */
	struct octets text;
	bool goes_on;        /* the input continues after `text` */
	struct octets fault; /* inside the text, or at its end */
};

/* Returns `length` octets from `offset`, limited to the text in memory. */
static struct octets held_from(struct octets text, size_t offset, size_t length)
{
	size_t start = offset < text.length ? offset : text.length;
	size_t rest = text.length - start;

	return text_at(text.data != NULL ? text.data + start : NULL, length < rest ? length : rest);
}

static void write_excerpt(struct output *out, const struct excerpt *excerpt)
{
	struct octets text = excerpt->text;
	struct octets fault = excerpt->fault;
	size_t offset = fault.data != NULL ? (size_t)(fault.data - text.data) : 0;
	size_t left = INDENT + strlen(excerpt->label);
	size_t tail = excerpt->goes_on ? strlen(DOTS) : 0;
	struct window window = choose_window(text, offset, fault.length, out->width - left - tail);
	bool cut = window.begin > 0;
	bool goes_on = window.end < text.length || excerpt->goes_on;
	size_t end = offset + fault.length < window.end ? offset + fault.length : window.end;

	emit(out, spaces(INDENT), excerpt->label, cut ? DOTS : "",
	     text_at(text.data + window.begin, window.end - window.begin),
	     goes_on ? DOTS "\n" : "\n",
	     spaces(left + (cut ? strlen(DOTS) : 0) + columns_of(text, window.begin, offset)),
	     in_style(STYLE_CARET), "^");
	for (size_t i = columns_of(text, offset, end); i > 1; i--)
		output_octet(out, '~');
	emit(out, in_style(STYLE_PLAIN), "\n");
}

/* ---- Findings ------------------------------------------------------------------------ */

enum effect { EFFECT_REFUSES = 0, EFFECT_WAIVED, EFFECT_NOTE };

static const struct {
	const char *word;
	enum style style;
} effect_shown[] = {
    [EFFECT_REFUSES] = {"refused", STYLE_REJECT},
    [EFFECT_WAIVED] = {"allowed", STYLE_NOTE},
    [EFFECT_NOTE] = {"note", STYLE_NOTE},
};

static enum effect effect_of(const struct urivet_report *report,
			     const struct urivet_finding *finding,
			     const struct urivet_policy *policy)
{
	if (urivet_finding_refuses(report, finding, policy))
		return EFFECT_REFUSES;
	return in_set(&policy->waived, finding->id) ? EFFECT_WAIVED : EFFECT_NOTE;
}

/* Writes "urls.txt:3:8: ". */
static void write_place(struct output *out, const struct item *item, size_t offset)
{
	paint(out, STYLE_HEAD);
	if (item->source != NULL)
		emit(out, text_of(item->source), ":");
	if (item->number != 0)
		emit(out, item->number, ":");
	emit(out, offset + 1, ": ", in_style(STYLE_PLAIN));
}

/* Writes "refused: ambiguous: userinfo-present (2 times)". */
static void write_head(struct output *out, const struct urivet_finding *finding, enum effect effect)
{
	emit(out, in_style(effect_shown[effect].style), effect_shown[effect].word, ": ");
	if (effect != EFFECT_NOTE)
		emit(out, urivet_class_name(finding->class_), ": ");
	emit(out, in_style(effect == EFFECT_REFUSES ? STYLE_HEAD : STYLE_NOTE),
	     urivet_finding_info(finding->id)->name);
	if (finding->count > 1)
		emit(out, " (", finding->count, " times)");
	emit(out, in_style(STYLE_PLAIN), "\n");
}

static void write_reason(struct output *out, const struct urivet_finding_row *info,
			 enum effect effect)
{
	const enum style style = effect == EFFECT_REFUSES ? STYLE_PLAIN : STYLE_NOTE;

	human_write_wrapped(out, info->text, INDENT, style);
	emit(out, spaces(INDENT), in_style(style), "[", info->reference, "]", in_style(STYLE_PLAIN),
	     "\n");
}

/* Returns the octets at fault. Only the head of an over-long input is in memory, so they may be cut
 * there. */
static struct octets fault_of(const struct item *item, const struct urivet_finding *finding)
{
	if (item->too_long && finding->in == URIVET_IN_INPUT)
		return held_from(item->text, finding->span.offset, finding->span.length);
	return from_library(urivet_fault(finding, to_library(item->text), to_library(item->host)));
}

/* For a host without a scheme, writes the URL that may be meant. Its scheme is unknown, so this is
 * not a suggestion. */
static void write_guess(struct output *out, const struct item *item)
{
	const struct octets t = item->text;
	size_t end = 0;

	while (end < t.length && strchr("/?#", t.data[end]) == NULL)
		end++;
	emit(out, spaces(INDENT), "write: https://", text_at(t.data, end),
	     end < t.length && t.data[end] == '/' ? "" : "/", text_after(t, end),
	     " (or http://)\n");
}

/* Writes the character that the fault begins with, raw or percent-encoded, if it is not ASCII. */
static void write_character(struct output *out, struct octets fault)
{
	char text[5];
	uint32_t character;
	const size_t length =
	    urivet_decode(text, sizeof text, to_library(fault), URIVET_CODING_PERCENT, NULL, NULL);

	if (length == 0 || urivet_loader_utf8((uint8_t *)text, length, &character) < 2)
		return;
	emit(out, spaces(INDENT), "the character is ");
	output_code_point(out, character);
	output_octet(out, '\n');
}

/* Writes a finding. `first`: it is the reason, of which human_write_verdict() has the next step. */
static void write_finding(struct output *out, const struct item *item,
			  const struct urivet_finding *finding, bool first)
{
	enum effect effect = effect_of(item->report, finding, item->policy);
	bool in_host = finding->in == URIVET_IN_HOST_FIELD;
	struct octets source = item_source(item, finding);
	struct excerpt excerpt = {.label = in_host ? "Host: " : "",
				  .text = source,
				  .goes_on = !in_host && item->length > source.length,
				  .fault = fault_of(item, finding)};

	write_place(out, item, finding->span.offset);
	write_head(out, finding, effect);
	write_excerpt(out, &excerpt);
	write_reason(out, urivet_finding_info(finding->id), effect);
	write_character(out, excerpt.fault);
	if (effect == EFFECT_REFUSES && !first && item->suggestion.data == NULL)
		human_write_next(out, finding->id, INDENT);
	human_write_decision(out, item, finding->id);
	if (finding->id == URIVET_F_SCHEME_GUESS && item->text.length <= GUESS_MOST)
		write_guess(out, item);
}

void human_write_findings(struct output *out, const struct item *item)
{
	const struct urivet_report *report = item->report;
	uint8_t order[URIVET_MAX_FINDINGS];

	(void)sort_findings(order, item);
	for (uint32_t i = 0; i < report->count; i++)
		write_finding(out, item, &report->finding[order[i]], i == 0);
	if (report->dropped > 0)
		emit(out, spaces(INDENT), "and ", report->dropped, " more that are not listed\n");
}

void human_write_spelling(struct output *out, const struct item *item)
{
	struct octets spelling = item->suggestion;
	bool accepted = item->report->verdict == URIVET_ACCEPT;

	if (spelling.data == NULL || text_equals(spelling, item->text))
		return;
	emit(out, spaces(INDENT),
	     accepted ? "canonical: " : "write instead: ", painted_text(STYLE_ACCEPT, spelling),
	     "\n");
}

void human_write_verdict(struct output *out, const struct item *item)
{
	const bool accepted = item->report->verdict == URIVET_ACCEPT;

	emit(out, painted(accepted ? STYLE_ACCEPT : STYLE_REJECT, accepted ? "accept" : "reject"),
	     "  ");
	human_write_uri(out, item);
	output_string(out, item->too_long ? "...\n" : "\n");
}

void human_write_reason(struct output *out, const struct item *item)
{
	const bool accepted = item->report->verdict == URIVET_ACCEPT;
	uint8_t order[URIVET_MAX_FINDINGS];
	const struct urivet_finding *reason = sort_findings(order, item);

	emit(out, accepted ? "accepted" : "refused", " by ", prose(item->policy->name));
	if (reason != NULL)
		emit(out, ": ", painted(STYLE_HEAD, urivet_finding_info(reason->id)->name));
	if (reason != NULL && item->suggestion.data != NULL)
		emit(out, "; write ", painted_text(STYLE_ACCEPT, item->suggestion));
	else if (reason != NULL)
		emit(out, ". ", example_of(reason->id).next);
	output_octet(out, '\n');
}

/* ---- Components ------------------------------------------------------------------------ */

#define NAME_COLUMNS 11u

/* Writes the kind of a host, and the address that it stands for in any spelling. */
static void write_address(struct output *out, const struct urivet_uri *uri)
{
	static const char *const kind[] = {
	    [URIVET_HOST_NONE] = "none",           [URIVET_HOST_NAME] = "name",
	    [URIVET_HOST_IPV4] = "IPv4",           [URIVET_HOST_IPV6] = "IPv6",
	    [URIVET_HOST_IPVFUTURE] = "IPvFuture", [URIVET_HOST_REGISTRY] = "registry",
	};
	char address[64];

	emit(out, in_style(STYLE_NOTE), "  (", kind[uri->host_kind], in_style(STYLE_PLAIN));
	if (urivet_format_address(address, sizeof address, uri) != 0)
		emit(out, in_style(STYLE_NOTE), ", address ", address, in_style(STYLE_PLAIN));
	emit(out, painted(STYLE_NOTE, ")"));
}

void human_write_part(struct output *out, const struct item *item, enum urivet_component component)
{
	if (component == URIVET_HOST) {
		human_write_host(out, item);
		return;
	}
	emit(out, painted_text(style_of_component(component), item_part(item, component)));
}

/* Writes the registrable domain. People read a host from the left, but its right end determines the
 * owner. */
static void write_registrable(struct output *out, const struct item *item)
{
	const struct octets domain = item_registrable(item);

	if (domain.data == NULL)
		return;
	emit(out, "  domain     ", painted_text(STYLE_HOST, domain),
	     painted(STYLE_NOTE, "  (registrable: its owner decides where the host leads)"), "\n");
}

static void write_component(struct output *out, const struct item *item,
			    enum urivet_component component)
{
	const struct urivet_uri *uri = &item->report->uri;
	const char *name = urivet_component_name(component);
	struct octets part = item_part(item, component);

	emit(out, spaces(2), name, spaces(NAME_COLUMNS - strlen(name)));
	if (part.length == 0)
		emit(out, painted(STYLE_NOTE, "(empty)"));
	human_write_part(out, item, component);
	if (component == URIVET_HOST)
		write_address(out, uri);
	output_octet(out, '\n');
	if (component == URIVET_HOST)
		write_registrable(out, item);
}

void human_write_components(struct output *out, const struct item *item)
{
	const struct urivet_uri *uri = &item->report->uri;

	for (size_t i = 0; i < SHOWN_COMPONENTS; i++) {
		enum urivet_component component = shown_component(i);

		if (urivet_has(uri, component))
			write_component(out, item, component);
		else if (component == URIVET_PORT && uri->port != URIVET_NO_PORT &&
			 urivet_has(uri, URIVET_HOST))
			emit(out, "  port       ", in_style(STYLE_PORT), uri->port,
			     in_style(STYLE_PLAIN), painted(STYLE_NOTE, "  (by default)"), "\n");
	}
}

void human_write_display(struct output *out, const struct item *item)
{
	const struct octets text = item->text;
	const size_t size = urivet_display(NULL, 0, text.data, text.length, item->policy, 0);
	char *shown = size > 0 ? malloc(size + 1) : NULL;

	if (size > 0 && shown == NULL)
		out->error = ENOMEM;
	if (shown == NULL)
		return;
	(void)urivet_display(shown, size + 1, text.data, text.length, item->policy, 0);
	if (size != text.length || memcmp(shown, text.data, size) != 0)
		emit(out, "  shown as   ", raw_text(text_at(shown, size)), "\n");
	free(shown);
}

static void write_parsed(struct output *out, const struct item *item)
{
	struct excerpt excerpt = {.label = "",
				  .text = item->text,
				  .goes_on = item->length > item->text.length,
				  .fault = held_from(item->text, item->misfit, 1)};

	if (item->report->parsed) {
		emit(out, painted_text(STYLE_HEAD, item->text), "\n");
		human_write_components(out, item);
		return;
	}
	write_place(out, item, item->misfit);
	emit(out, painted(STYLE_REJECT, "not read: "));
	if (item->reader != NULL && !item->too_long) {
		emit(out, item->reader, " does not take ", item->text, "\n");
		return;
	}
	output_string(out, item->too_long                ? "this is too long\n"
			   : item->misfit < item->length ? "this fits nowhere in a URI reference\n"
							 : "something is missing at the end\n");
	write_excerpt(out, &excerpt);
}

void human_write(struct output *out, const struct item *item)
{
	if (item->policy == NULL) {
		write_parsed(out, item);
		return;
	}
	human_write_verdict(out, item);
	if (item->report->verdict != URIVET_ACCEPT)
		human_write_reason(out, item);
	human_write_findings(out, item);
	human_write_parameters(out, item, false);
	human_write_spelling(out, item);
	if (item->readings != NULL) {
		output_octet(out, '\n');
		human_write_readings(out, item->readings);
		output_octet(out, '\n');
	}
}

/* Returns the length of the host before its registrable domain: all of the host if it has none, or
 * is written with escapes. */
static size_t before_registrable(const struct item *item, struct octets host)
{
	const struct octets domain = item_registrable(item);
	size_t end = host.length;

	if (end > 0 && host.data[end - 1] == '.')
		end--;
	if (domain.data == NULL || domain.length > end ||
	    !text_equals_in_any_case(text_at(host.data + end - domain.length, domain.length),
				     domain))
		return host.length;
	return end - domain.length;
}

void human_write_host(struct output *out, const struct item *item)
{
	struct octets host = item_part(item, URIVET_HOST);
	size_t before = before_registrable(item, host);

	if (before == host.length)
		before = 0;
	if (before > 0)
		emit(out, painted_text(STYLE_HOST_BELOW, text_at(host.data, before)));
	emit(out, painted_text(STYLE_HOST, text_after(host, before)));
}
