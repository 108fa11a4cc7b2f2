/* SPDX-License-Identifier: Apache-2.0 */
/* Finds URIs in text in one pass with bounded memory. */
#include "cli/scan/scan.h"
#include "cli/scan/targets.h"
#include "common/exact.h"
#include <errno.h>

void position_advance(struct position *position, struct octets over, bool further)
{
	const uint8_t *at = over.data, *end, *feed;

	if (over.length == 0)
		return;
	end = at + over.length;
	for (; (feed = memchr(at, '\n', (size_t)(end - at))) != NULL; at = feed + 1)
		*position = (struct position){position->line + 1, 1, 0};
	position->column += (uint64_t)(end - at);
	if (further)
		position->further += sarif_further(at, (size_t)(end - at));
}

/* Counts lines and columns up to increasing offsets in the window. */
struct counter {
	size_t counted; /* the offset of `position` */
	struct position position;
};

/* The search for request targets, in parallel to that for URIs. A target longer than the lookahead
 * for URIs is found later. */
struct hunt {
	bool on;
	bool sought;  /* `next` is up to date, */
	bool is_next; /* ... and is a target in the window */
	size_t from;  /* everything before this offset is done */
	struct found_target next;
	size_t last; /* start of the last target in this window; SIZE_MAX: none */
	struct counter counter;
};

/* A text that is searched through a moving window. */
struct pane {
	struct scanner *scanner;
	const struct scan_source *source;
	const uint8_t *window; /* that of the scanner, or its copy in `exact` */
	void *exact;
	int error;
	bool at_end;
	bool in_long; /* skip the rest of an over-long match */
	size_t used;  /* octets in the window */
	size_t start; /* where the search starts; up to SCAN_BEFORE octets before it are kept */
	struct counter counter;
	struct hunt hunt;
};

static void fill(struct pane *pane)
{
	const struct scan_source *source = pane->source;

	while (!pane->at_end && pane->error == 0 && pane->used < SCAN_WINDOW) {
		ssize_t got = source->read(source->context, pane->scanner->window + pane->used,
					   SCAN_WINDOW - pane->used);

		if (got > 0)
			pane->used += (size_t)got;
		else if (got == 0)
			pane->at_end = true;
		else if (errno != EINTR)
			pane->error = errno;
	}
	pane->window = exact_copy(&pane->exact, pane->scanner->window, pane->used, "window");
}

static void count_to(const struct pane *pane, struct counter *counter, size_t offset)
{
	if (offset <= counter->counted)
		return;
	position_advance(
	    &counter->position,
	    (struct octets){pane->window + counter->counted, offset - counter->counted},
	    sarif_is_written(pane->scanner->worker.showing));
	counter->counted = offset;
}

static struct octets window_of(const struct pane *pane)
{
	return (struct octets){pane->window, pane->used};
}

/* Returns the offset from which the search for targets still needs the window. */
static size_t hunt_needs(struct hunt *hunt, struct octets window)
{
	size_t unfinished = hunt->from;

	if (hunt->is_next)
		unfinished = hunt->next.method;
	else if (hunt->sought)
		unfinished = targets_unfinished(window, SCAN_MATCH_MOST);
	if (unfinished > hunt->from)
		hunt->from = unfinished;
	return hunt->from;
}

/* Moves the window. Nothing before `settled` is searched for URIs again. */
static void move_on(struct pane *pane, size_t settled)
{
	struct hunt *hunt = &pane->hunt;
	uint8_t *window = pane->scanner->window;
	size_t kept = settled > SCAN_BEFORE ? settled - SCAN_BEFORE : 0;

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

/* Returns the position of a find at an offset. */
static struct place place_at(struct pane *pane, struct counter *counter, size_t offset)
{
	struct place place = {.file = pane->source->file};

	if (pane->source->place != NULL)
		return *pane->source->place;
	count_to(pane, counter, offset);
	place.line = counter->position.line;
	place.column = counter->position.column;
	place.further = counter->position.further;
	return place;
}

static void show_found(struct pane *pane, const struct urivet_found *found, size_t length)
{
	struct place place;

	if (found->kind == URIVET_FOUND_ABBREVIATED && pane->source->whole_only)
		return;
	place = place_at(pane, &pane->counter, found->offset);
	place.is_verbatim = pane->source->place == NULL;
	scan_judge_found(pane->scanner, window_of(pane), found, length, &place);
}

static void show_target(struct pane *pane, const struct found_target *found)
{
	struct scanner *scanner = pane->scanner;
	const struct octets target = {pane->window + found->begin, found->end - found->begin};
	const struct octets method = {pane->window + found->method, found->method_length};
	struct place place = place_at(pane, &pane->hunt.counter, found->begin);

	place.text = target;
	place.kind = "target";
	scan_judge_target(scanner, target, method, &place);
}

/* Returns true if the window has another target. The search is done once. */
static bool is_next_target(struct pane *pane)
{
	struct hunt *hunt = &pane->hunt;

	if (!hunt->sought)
		hunt->is_next = targets_find(window_of(pane), hunt->from, &hunt->next);
	hunt->sought = true;
	return hunt->is_next;
}

/* Shows the targets in the window that start before `until`. */
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

/* Shows a URI after the targets before it. Skips a URI that starts where a target was shown. */
static void show_in_order(struct pane *pane, const struct urivet_found *found, size_t length)
{
	show_targets(pane, found->offset + 1);
	if (pane->hunt.last != found->offset)
		show_found(pane, found, length);
}

/* Shows the finds in the window, except in its last octets, which are searched for invisible
 * characters. Returns where the search must continue. A match that reaches the end of what is
 * searched, where more may follow, is too long. */
static size_t scan_window(struct pane *pane)
{
	const size_t end = pane->at_end ? pane->used : pane->used - SCAN_BEFORE;
	struct urivet_scan scan = {pane->window, end, pane->start};
	struct urivet_found found;
	size_t length;

	while (!pane->in_long && pane->scanner->worker.out.error == 0 &&
	       urivet_scan_next(&scan, pane->at_end ? SIZE_MAX : SCAN_MATCH_MOST, &found,
				(char *)pane->scanner->text, pane->scanner->capacity, &length)) {
		show_in_order(pane, &found, length);
		pane->in_long = !pane->at_end && found.offset + found.length == end;
	}
	return scan.position;
}

/* Skips the rest of a match that is too long. */
static void skip_long(struct pane *pane)
{
	const uint8_t *window = pane->window;
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

void scan_text(struct scanner *scanner, const struct scan_source *source)
{
	struct pane pane = {
	    .scanner = scanner, .source = source, .counter = {.position = {1, 1, 0}}};

	pane.hunt = (struct hunt){.on = parameters_asked(&scanner->judging.parameters),
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
	free(pane.exact);
	if (pane.error != 0)
		scanner->trouble =
		    !complain("cannot read '%s': %s", source->file, strerror(pane.error));
}

void scan_text_file(struct scanner *scanner, const char *name)
{
	int fd = scan_open(scanner, name);

	if (fd < 0)
		return;
	scan_begin(scanner, fd, name);
	scan_text(scanner,
		  &(struct scan_source){.read = scan_read, .context = scanner, .file = name});
	scan_end(scanner);
}
