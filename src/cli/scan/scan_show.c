/* SPDX-License-Identifier: Apache-2.0 */
/* Judges and shows the finds of scan. */
#include "cli/scan/link_text.h"
#include "cli/scan/scan.h"
#include "cli/scan/seen_text.h"
#include "cli/show/show.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"

static void write_remark(struct output *out, const char *remark)
{
	emit(out, spaces(4), painted(STYLE_NOTE, remark), "\n");
}

/* Writes "    message 2, part 1.2, field Subject". */
static void write_mail_place(struct output *out, const struct place *place)
{
	emit(out, spaces(4), in_style(STYLE_NOTE), "message ", place->message);
	if (place->part != NULL)
		emit(out, ", part ", place->part);
	if (place->field != NULL)
		emit(out, ", field ", text_of(place->field));
	emit(out, in_style(STYLE_PLAIN), "\n");
}

static void write_remarks(struct output *out, const struct place *place)
{
	if (place->kind[0] == 'a')
		write_remark(out, "abbreviated: the scheme is a guess, the text has none "
				  "[RFC 3986, 4.5]");
	if (place->broken)
		write_remark(out, "white space inside was left out [RFC 3986, C]");
	if (place->hyphen_at_break)
		write_remark(out, "the hyphen at the line break may not belong to it "
				  "[RFC 3986, C]");
	if (place->hidden_line > 0)
		emit(out, spaces(4), in_style(STYLE_NOTE), "invisible characters at ",
		     place->hidden_line, ":", place->hidden_column, in_style(STYLE_PLAIN), "\n");
	if (place->shown.data != NULL)
		emit(out, "    the link reads: ", painted_text(STYLE_USERINFO, place->shown), "\n");
}

/* Writes "notes.txt:3:8: reject  http://example.com" and the findings. */
static void human_write_match(struct output *out, const struct item *item)
{
	bool accepted = item->report->verdict == URIVET_ACCEPT;

	emit(out, in_style(STYLE_HEAD), text_of(item->place->file), ":", item->place->line, ":",
	     item->place->column, ": ",
	     painted(accepted ? STYLE_ACCEPT : STYLE_REJECT, accepted ? "accept" : "reject"), "  ",
	     item->text, item->too_long ? "...\n" : "\n");
	if (item->place->message > 0)
		write_mail_place(out, item->place);
	if (!accepted)
		human_write_reason(out, item);
	write_remarks(out, item->place);
	human_write_findings(out, item);
	human_write_parameters(out, item, false);
	human_write_spelling(out, item);
}

/* Adds the finding about the link text, if the policy has that rule and the text names another
 * host; otherwise clears the text. Returns false if the finding refuses: then no other spelling
 * would be accepted. */
static bool judge_shown(struct scanner *scanner, const struct item *item, struct place *place)
{
	struct worker *worker = &scanner->worker;
	const struct judge_options *options = worker->judging;
	struct urivet_report *report = &worker->report;
	enum urivet_component part;

	if (place->shown.data == NULL || !options->judges_links ||
	    !link_text_misleads(options->suffixes, item, place->shown, &scanner->trouble)) {
		place->shown = (struct octets){0};
		return true;
	}
	part = report->uri.part[URIVET_HOST].length > 0 ? URIVET_HOST : URIVET_PATH;
	(void)urivet_add_finding(report, URIVET_F_LINK_TEXT_MISMATCH, part, report->uri.part[part],
				 &options->policy);
	return in_set(&options->policy.waived, URIVET_F_LINK_TEXT_MISMATCH);
}

void scan_note_hidden(struct octets text, size_t begin, size_t end, struct place *place)
{
	struct position position = {place->line, place->column, 0};
	size_t offset;

	if (!hidden_text_find(text, begin, end, &offset))
		return;
	if (offset < begin)
		position.column -= begin - offset;
	else
		position_advance(&position, (struct octets){text.data + begin, offset - begin}, false);
	place->hidden_line = position.line;
	place->hidden_column = position.column;
}

void scan_judge_found(struct scanner *scanner, struct octets text, const struct urivet_found *found,
		      size_t length, struct place *place)
{
	place->text = text_at(text.data + found->offset, found->length);
	place->kind = found->kind == URIVET_FOUND_ABBREVIATED ? "abbreviated" : "uri";
	place->broken = found->broken;
	place->hyphen_at_break = found->hyphen_at_break;
	scan_note_hidden(text, found->offset, found->offset + found->length, place);
	scan_judge(scanner, text_at(scanner->text, length), place);
}

/* Adds the finding about invisible characters near the match. Returns false if it refuses. */
static bool judge_hidden(struct worker *worker, const struct place *place)
{
	const struct judge_options *options = worker->judging;

	if (place->hidden_line == 0)
		return true;
	(void)urivet_add_finding(&worker->report, URIVET_F_TEXT_HIDDEN, URIVET_WHOLE,
				 (struct urivet_span){0}, &options->policy);
	return !in_set(&options->policy.raised, URIVET_F_TEXT_HIDDEN);
}

static void show_match(struct scanner *scanner, struct item *item, struct place *place)
{
	struct worker *worker = &scanner->worker;

	if (item->too_long && place->text.length > INPUT_HEAD)
		place->text.length = INPUT_HEAD;
	item->place = place;
	if (worker->report.verdict != URIVET_ACCEPT)
		scanner->refused = true;
	if (sarif_is_written(worker->showing))
		sarif_write(&worker->out, &scanner->sarif, item);
	else if (worker->showing->format != FORMAT_HUMAN)
		show_item(worker, item);
	else if (!worker->showing->quiet)
		human_write_match(&worker->out, item);
}

void scan_judge(struct scanner *scanner, struct octets text, struct place *place)
{
	struct worker *worker = &scanner->worker;
	struct record record = {.text = worker_exact(worker, text), .length = text.length};
	struct item item = judge_uri(worker, &record);
	bool mendable = judge_shown(scanner, &item, place);

	mendable = judge_hidden(worker, place) && mendable;
	if (mendable && shows_spelling(worker->showing))
		item.suggestion = judge_uri_suggestion(worker, &item);
	show_match(scanner, &item, place);
}

void scan_refuse(struct scanner *scanner, struct place *place)
{
	const struct table_row row = {.unreadable = true};
	struct record record = {.text = place->text, .length = place->text.length, .row = &row};
	struct item item = judge_uri(&scanner->worker, &record);

	show_match(scanner, &item, place);
}

void scan_judge_target(struct scanner *scanner, struct octets target, struct octets method,
		       struct place *place)
{
	struct worker *worker = &scanner->worker;
	struct record record = {.text = worker_exact(worker, target), .length = target.length};
	struct urivet_request request = worker->judging->target.request;
	enum urivet_target_form form;
	struct item item;

	request.method = to_library(method);
	item = judge_request(worker, &record, &request, &form);
	if (shows_spelling(worker->showing))
		item.suggestion = judge_record_suggestion(worker, &item, form);
	show_match(scanner, &item, place);
}
