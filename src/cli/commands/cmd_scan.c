/* SPDX-License-Identifier: Apache-2.0 */
/* urivet scan: finds URIs in text, in one pass and with bounded memory, or in HTML, and
 * judges them. */
#include "cli/commands/base_uri.h"
#include "cli/commands/html.h"
#include "cli/commands/judge.h"
#include "cli/commands/link_text.h"
#include "cli/commands/targets.h"
#include "cli/show/paint.h"
#include "loader/finding_set.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The longest match; a longer one is `url-too-long` whatever the policy allows. */
#define MATCH_MOST (1u << 20)
/* More than the library looks at after the place where a match begins. */
#define AHEAD 32768u
/* Octets of text in memory at once. */
#define WINDOW (MATCH_MOST + 4 * AHEAD)
/* Octets of the longest scheme that is guessed. */
#define GUESS 8u

struct scanner {
	struct options options;
	struct worker worker;
	uint8_t *window;
	uint8_t *text; /* of a match */
	size_t capacity;
	bool refused;
	bool trouble;
};

/* A place in a file, counted from 1. */
struct position {
	uint64_t line;
	uint64_t column;
};

/* Moves a position over text. */
static void advance(struct position *position, struct text over)
{
	const uint8_t *at = over.data;
	const uint8_t *end = over.length > 0 ? at + over.length : at;

	while (at < end) {
		const uint8_t *feed = memchr(at, '\n', (size_t)(end - at));

		if (feed == NULL) {
			position->column += (uint64_t)(end - at);
			return;
		}
		position->line++;
		position->column = 1;
		at = feed + 1;
	}
}

/* ---- Showing a match ---------------------------------------------------------------- */

static void write_remark(struct output *out, const char *remark)
{
	output_spaces(out, 4);
	paint(out, STYLE_NOTE);
	output_string(out, remark);
	paint(out, STYLE_PLAIN);
	output_octet(out, '\n');
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
	if (place->shown.data != NULL) {
		output_string(out, "    the link reads: ");
		paint(out, STYLE_USERINFO);
		output_escaped(out, place->shown);
		paint(out, STYLE_PLAIN);
		output_octet(out, '\n');
	}
}

/* "notes.txt:3:8: reject  http://example.com" and why. */
static void human_write_match(struct output *out, const struct item *item)
{
	bool accepted = item->report->verdict == URIVET_ACCEPT;

	paint(out, STYLE_HEAD);
	output_escaped(out, text_of(item->place->file));
	output_octet(out, ':');
	output_number(out, item->place->line);
	output_octet(out, ':');
	output_number(out, item->place->column);
	output_string(out, ": ");
	paint(out, accepted ? STYLE_ACCEPT : STYLE_REJECT);
	output_string(out, accepted ? "accept" : "reject");
	paint(out, STYLE_PLAIN);
	output_string(out, "  ");
	output_escaped(out, item->text);
	output_string(out, item->too_long ? "...\n" : "\n");
	write_remarks(out, item->place);
	human_write_findings(out, item);
	human_write_parameters(out, item, false);
	human_write_spelling(out, item);
}

/* Adds the finding about the text of a link, if the policy has that rule and the text names another
 * host; else the place keeps no text. False if it refuses: then no other spelling helps. */
static bool judge_shown(struct worker *worker, const struct item *item, struct place *place)
{
	const struct options *options = worker->options;
	struct urivet_report *report = &worker->report;

	if (place->shown.data == NULL || !options->judges_links ||
	    !link_text_misleads(options->suffixes, item, place->shown)) {
		place->shown = (struct text){0};
		return true;
	}
	(void)urivet_add_finding(report, URIVET_F_LINK_TEXT_MISMATCH, URIVET_HOST,
				 report->uri.part[URIVET_HOST], &options->policy);
	return in_set(&options->policy.waived, URIVET_F_LINK_TEXT_MISMATCH);
}

/* Is another spelling of what was found shown? */
static bool shows_spelling(const struct options *options)
{
	return !options->quiet && options->format != FORMAT_TSV;
}

static void show_match(struct scanner *scanner, struct item *item, struct place *place)
{
	struct worker *worker = &scanner->worker;

	if (item->too_long && place->text.length > INPUT_HEAD)
		place->text.length = INPUT_HEAD;
	item->place = place;
	if (worker->report.verdict != URIVET_ACCEPT)
		scanner->refused = true;
	if (worker->options->format != FORMAT_HUMAN)
		judge_show(worker, item);
	else if (!worker->options->quiet)
		human_write_match(&worker->out, item);
}

/* Judges a match, of which `text` may be only what is in the window, and shows it. */
static void judge_match(struct scanner *scanner, struct text text, struct place *place)
{
	struct worker *worker = &scanner->worker;
	struct record record = {.text = text, .length = text.length};
	struct item item = judge_uri(worker, &record);
	bool mendable = judge_shown(worker, &item, place);

	if (mendable && shows_spelling(worker->options))
		item.suggestion = judge_uri_suggestion(worker, &item);
	show_match(scanner, &item, place);
}

/* The same of a request target. Nobody knows of which host it was asked for. */
static void judge_found_target(struct scanner *scanner, struct text target, struct text method,
			       struct place *place)
{
	struct worker *worker = &scanner->worker;
	struct record record = {.text = target, .length = target.length};
	struct urivet_request request = worker->options->request;
	enum urivet_target_form form;
	struct item item;

	request.method = to_library(method);
	item = judge_request(worker, &record, &request, &form);
	if (form == URIVET_TARGET_ABSOLUTE && shows_spelling(worker->options))
		item.suggestion = judge_suggestion(worker, &item);
	show_match(scanner, &item, place);
}

/* ---- Text ------------------------------------------------------------------------------ */

/* Counts lines up to places in the window, one after the other. */
struct counter {
	size_t counted; /* the offset that `position` is for */
	struct position position;
};

/* The search for request targets, which goes on beside that for URIs: one that is longer than what URIs
 * are looked for in advance is found later. */
struct hunt {
	bool on;
	bool sought;  /* `next` is known, */
	bool is_next; /* ... and there is one in the window */
	size_t from;  /* all before is done */
	struct found_target next;
	size_t last; /* where the last one begins, in this window; SIZE_MAX: nowhere */
	struct counter counter;
};

/* A file that is searched in a window, which moves on as parts of it are done. */
struct pane {
	struct scanner *scanner;
	const char *file;
	int fd;
	int error;
	bool at_end;
	bool in_long; /* the rest of an over-long match is to be skipped */
	size_t used;  /* octets in the window */
	size_t start; /* where the search begins; at least one octet before it is kept */
	struct counter counter;
	struct hunt hunt;
};

static void fill(struct pane *pane)
{
	while (!pane->at_end && pane->error == 0 && pane->used < WINDOW) {
		ssize_t got =
		    read(pane->fd, pane->scanner->window + pane->used, WINDOW - pane->used);

		if (got > 0)
			pane->used += (size_t)got;
		else if (got == 0)
			pane->at_end = true;
		else if (errno != EINTR)
			pane->error = errno;
	}
}

static void count_to(const struct pane *pane, struct counter *counter, size_t offset)
{
	if (offset <= counter->counted)
		return;
	advance(&counter->position,
		(struct text){pane->scanner->window + counter->counted, offset - counter->counted});
	counter->counted = offset;
}

static struct text window_of(const struct pane *pane)
{
	return (struct text){pane->scanner->window, pane->used};
}

/* What the search for targets still needs of the window: nothing before that offset. */
static size_t hunt_needs(struct hunt *hunt, struct text window)
{
	size_t unfinished = hunt->from;

	if (hunt->is_next)
		unfinished = hunt->next.method;
	else if (hunt->sought)
		unfinished = targets_unfinished(window, MATCH_MOST);
	if (unfinished > hunt->from)
		hunt->from = unfinished;
	return hunt->from;
}

/* Moves the window; nothing before `settled` is searched for URIs again. */
static void move_on(struct pane *pane, size_t settled)
{
	struct hunt *hunt = &pane->hunt;
	uint8_t *window = pane->scanner->window;
	size_t kept = settled > 0 ? settled - 1 : 0;

	count_to(pane, &pane->counter, settled);
	if (hunt->on && hunt_needs(hunt, window_of(pane)) < kept)
		kept = hunt->from;
	if (hunt->on)
		count_to(pane, &hunt->counter, kept);
	memmove(window, window + kept, pane->used - kept);
	pane->used -= kept;
	pane->start = settled - kept;
	pane->counter.counted -= kept;
	hunt->counter.counted -= hunt->on ? kept : 0;
	hunt->from -= hunt->on ? kept : 0;
	hunt->sought = hunt->is_next = false;
	hunt->last = SIZE_MAX;
}

static bool is_gap(uint8_t octet)
{
	return octet == ' ' || octet == '\n' || octet == '\t' || octet == '\r';
}

/* The last white space before `sure` from which a new search finds the same: the first of a
 * run, and not after a colon. */
static size_t last_gap(const struct pane *pane, size_t sure)
{
	const uint8_t *window = pane->scanner->window;

	for (size_t at = sure; at > pane->start; at--) {
		if (is_gap(window[at]) && !is_gap(window[at - 1]) && window[at - 1] != ':')
			return at;
	}
	return sure;
}

static void show_found(struct pane *pane, const struct urivet_found *found, size_t length)
{
	struct scanner *scanner = pane->scanner;
	bool abbreviated = found->kind == URIVET_FOUND_ABBREVIATED;
	struct place place = {.file = pane->file,
			      .text = {scanner->window + found->offset, found->length},
			      .kind = abbreviated ? "abbreviated" : "uri",
			      .broken = found->broken,
			      .hyphen_at_break = found->hyphen_at_break};

	count_to(pane, &pane->counter, found->offset);
	place.line = pane->counter.position.line;
	place.column = pane->counter.position.column;
	judge_match(scanner, (struct text){scanner->text, length}, &place);
}

static void show_target(struct pane *pane, const struct found_target *found)
{
	struct scanner *scanner = pane->scanner;
	struct counter *counter = &pane->hunt.counter;
	const struct text target = {scanner->window + found->begin, found->end - found->begin};
	const struct text method = {scanner->window + found->method, found->method_length};
	struct place place = {.file = pane->file, .text = target, .kind = "target"};

	count_to(pane, counter, found->begin);
	place.line = counter->position.line;
	place.column = counter->position.column;
	judge_found_target(scanner, target, method, &place);
}

/* Is there another target in the window? It is looked for once. */
static bool is_next_target(struct pane *pane)
{
	struct hunt *hunt = &pane->hunt;

	if (!hunt->sought)
		hunt->is_next = targets_find(window_of(pane), hunt->from, &hunt->next);
	hunt->sought = true;
	return hunt->is_next;
}

/* Shows the targets in the window that begin before `until`. */
static void show_targets(struct pane *pane, size_t until)
{
	struct hunt *hunt = &pane->hunt;

	while (hunt->on && pane->scanner->worker.out.error == 0 && is_next_target(pane) &&
	       hunt->next.begin < until) {
		show_target(pane, &hunt->next);
		hunt->from = hunt->next.end;
		hunt->last = hunt->next.begin;
		hunt->sought = hunt->is_next = false;
	}
}

/* Shows a URI after the targets before it. One that is a target, or begins as one, was shown. */
static void show_in_order(struct pane *pane, const struct urivet_found *found, size_t length)
{
	show_targets(pane, found->offset + 1);
	if (pane->hunt.last != found->offset)
		show_found(pane, found, length);
}

/* Shows what is found in the window, and returns where the search must go on. */
static size_t scan_window(struct pane *pane)
{
	struct scanner *scanner = pane->scanner;
	size_t sure = pane->at_end ? pane->used : pane->used - AHEAD;
	struct urivet_scan scan = {scanner->window, pane->used, pane->start};
	struct urivet_found found;
	size_t settled = pane->start;
	size_t gap;
	size_t length;

	while (scanner->worker.out.error == 0 &&
	       urivet_scan_next(&scan, &found, (char *)scanner->text, scanner->capacity, &length)) {
		bool incomplete = !pane->at_end && found.offset + found.length == pane->used;

		if (found.offset >= sure)
			break;
		if (incomplete && found.offset > pane->start)
			return found.offset;
		show_in_order(pane, &found, length);
		settled = scan.position;
		pane->in_long = incomplete;
	}
	if (pane->at_end)
		return pane->used;
	gap = last_gap(pane, sure);
	return gap > settled ? gap : settled;
}

/* Skips the rest of a match that was too long for the window. */
static void skip_long(struct pane *pane)
{
	const uint8_t *window = pane->scanner->window;
	size_t at = pane->start;

	while (at < pane->used && window[at] > ' ' && window[at] != 0x7F &&
	       strchr("<>\"", window[at]) == NULL)
		at++;
	pane->in_long = at == pane->used && !pane->at_end;
	pane->hunt.from = at;
	move_on(pane, at);
}

static void scan_and_move(struct pane *pane)
{
	const size_t settled = scan_window(pane);

	show_targets(pane, settled);
	move_on(pane, settled);
}

static void scan_text(struct scanner *scanner, int fd, const char *file)
{
	struct pane pane = {
	    .scanner = scanner, .file = file, .fd = fd, .counter = {.position = {1, 1}}};

	pane.hunt = (struct hunt){.on = parameters_asked(&scanner->options.parameters),
				  .last = SIZE_MAX,
				  .counter = pane.counter};
	do {
		fill(&pane);
		if (pane.error != 0)
			pane.at_end = true;
		if (pane.in_long)
			skip_long(&pane);
		else
			scan_and_move(&pane);
	} while (scanner->worker.out.error == 0 && (!pane.at_end || pane.used > pane.start));
	if (pane.error != 0) {
		complain("cannot read '%s': %s", file, strerror(pane.error));
		scanner->trouble = true;
	}
}

static void scan_text_file(struct scanner *scanner, const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		complain("cannot open '%s': %s", name, strerror(errno));
		scanner->trouble = true;
		return;
	}
	if (!scanner->options.quiet && is_same_file(fd, STDOUT_FILENO)) {
		complain("'%s' is both input and output", name);
		scanner->trouble = true;
	} else {
		scan_text(scanner, fd, name);
	}
	if (!standard)
		(void)close(fd);
}

/* ---- HTML -------------------------------------------------------------------------------- */

/* The reference resolved against the base; the reference itself if it has a scheme, if there is
 * no base, or if it cannot be read. */
static struct text resolve(struct base_uri *target, const struct base_uri *base,
			   const struct html_link *link)
{
	struct urivet_uri uri;

	if (base->length == 0 || !urivet_parse(&uri, link->text.data, link->text.length, NULL) ||
	    urivet_has(&uri, URIVET_SCHEME) || !base_uri_resolve(target, base, link->text))
		return link->text;
	return (struct text){target->data, target->length};
}

/* The base of the document, and the outer one, against which its <base> is resolved. */
struct bases {
	struct base_uri outer;
	struct base_uri own;
};

static void show_links(struct scanner *scanner, const struct html *html, struct text document,
		       const struct bases *bases, const char *file)
{
	struct position position = {1, 1};
	struct base_uri target = {0};
	size_t counted = 0;

	for (size_t i = 0; i < html->links && scanner->worker.out.error == 0; i++) {
		const struct html_link *link = &html->link[i];
		struct place place = {
		    .file = file, .text = link->text, .kind = "uri", .shown = link->shown};

		advance(&position, (struct text){document.data + counted, link->offset - counted});
		counted = link->offset;
		place.line = position.line;
		place.column = position.column;
		judge_match(scanner,
			    resolve(&target, link->of_base ? &bases->outer : &bases->own, link),
			    &place);
	}
	base_uri_free(&target);
}

/* If the document's own base cannot be read there is none, so that no relative reference is
 * resolved by a guess, and accepted. */
static void set_bases(struct bases *bases, const char *outer, const char *own)
{
	if (outer != NULL) {
		(void)base_uri_set(&bases->outer, text_of(outer), false);
		(void)base_uri_set(&bases->own, text_of(outer), false);
	}
	if (own != NULL)
		(void)base_uri_set(&bases->own, html_trim(text_of(own)), true);
}

static void scan_html_file(struct scanner *scanner, const char *name)
{
	struct text document;
	struct bases bases = {0};
	struct html html;

	if (!html_load(&document, name)) {
		scanner->trouble = true;
		return;
	}
	if (!html_read(&html, document, name)) {
		scanner->trouble = true;
	} else {
		set_bases(&bases, scanner->options.base, html.base);
		show_links(scanner, &html, document, &bases, name);
		html_free(&html);
	}
	base_uri_free(&bases.outer);
	base_uri_free(&bases.own);
	free((void *)(uintptr_t)document.data);
}

/* ---- The command --------------------------------------------------------------------------- */

static bool check_options(const struct options *options)
{
	struct base_uri base = {0};
	bool good = true;

	if (options->html && !html_is_built())
		return false;
	if (options->base != NULL) {
		good = base_uri_set(&base, text_of(options->base), false);
		if (!good)
			complain("--base: '%s' cannot be read as a base URI", options->base);
		base_uri_free(&base);
	}
	return good;
}

static bool open_scanner(struct scanner *scanner, const struct options *options)
{
	scanner->options = *options;
	if (options->limit > MATCH_MOST) {
		scanner->options.limit = MATCH_MOST;
		scanner->options.policy.max_length = MATCH_MOST;
	}
	scanner->worker.options = &scanner->options;
	scanner->capacity = WINDOW + GUESS;
	scanner->window = malloc(WINDOW);
	scanner->text = malloc(scanner->capacity);
	if (scanner->window == NULL || scanner->text == NULL) {
		complain("%s", strerror(ENOMEM));
		return false;
	}
	return paint_open(&scanner->worker.out, options->colour);
}

static void close_scanner(struct scanner *scanner)
{
	free(scanner->window);
	free(scanner->text);
	free(scanner->worker.scratch);
	free(scanner->worker.room.data);
}

static enum status finish(struct scanner *scanner)
{
	bool good = output_finish(&scanner->worker.out) && !scanner->trouble;

	close_scanner(scanner);
	if (!good)
		return STATUS_TROUBLE;
	return scanner->refused ? refused_status(scanner->worker.options) : STATUS_ACCEPTED;
}

enum status run_scan(const struct options *options)
{
	static const char *const standard = "-";
	const char *const *file = options->operands > 0 ? options->operand : &standard;
	size_t files = options->operands > 0 ? options->operands : 1;
	struct scanner scanner = {0};

	if (!check_options(options) || !open_scanner(&scanner, options)) {
		close_scanner(&scanner);
		return STATUS_TROUBLE;
	}
	for (size_t i = 0; i < files && scanner.worker.out.error == 0; i++) {
		if (options->html)
			scan_html_file(&scanner, file[i]);
		else
			scan_text_file(&scanner, file[i]);
	}
	return finish(&scanner);
}
