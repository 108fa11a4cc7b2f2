/* SPDX-License-Identifier: Apache-2.0 */
/* Finds URIs in text, in one pass and with bounded memory. */
#include "cli/commands/scan.h"
#include <errno.h>
#include <unistd.h>

void position_advance(struct position *position, struct text over)
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

/* Text that is searched in a window, which moves on as parts of it are done. */
struct pane {
	struct scanner *scanner;
	const struct scan_source *source;
	int error;
	bool at_end;
	bool in_long;   /* the rest of an over-long match is to be skipped */
	size_t used;    /* octets in the window */
	size_t start;   /* where the search begins; one octet before it is kept */
	size_t counted; /* the offset that `position` is for */
	struct position position;
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
}

static void count_to(struct pane *pane, size_t offset)
{
	position_advance(&pane->position, (struct text){pane->scanner->window + pane->counted,
							offset - pane->counted});
	pane->counted = offset;
}

/* Moves the window; nothing before `settled` is searched again. */
static void move_on(struct pane *pane, size_t settled)
{
	uint8_t *window = pane->scanner->window;
	size_t kept = settled > 0 ? settled - 1 : 0;

	count_to(pane, settled);
	memmove(window, window + kept, pane->used - kept);
	pane->used -= kept;
	pane->start = settled - kept;
	pane->counted = settled - kept;
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
	struct place place = {.file = pane->source->file};

	if (abbreviated && pane->source->whole_only)
		return;
	if (pane->source->place != NULL) {
		place = *pane->source->place;
	} else {
		count_to(pane, found->offset);
		place.line = pane->position.line;
		place.column = pane->position.column;
	}
	place.text = (struct text){scanner->window + found->offset, found->length};
	place.kind = abbreviated ? "abbreviated" : "uri";
	place.broken = found->broken;
	place.hyphen_at_break = found->hyphen_at_break;
	scan_judge(scanner, (struct text){scanner->text, length}, &place);
}

/* Shows what is found in the window, and returns where the search must go on. */
static size_t scan_window(struct pane *pane)
{
	struct scanner *scanner = pane->scanner;
	size_t sure = pane->at_end ? pane->used : pane->used - SCAN_AHEAD;
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
		show_found(pane, &found, length);
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
	move_on(pane, at);
}

void scan_text(struct scanner *scanner, const struct scan_source *source)
{
	struct pane pane = {.scanner = scanner, .source = source, .position = {1, 1}};

	do {
		fill(&pane);
		if (pane.error != 0)
			pane.at_end = true;
		if (pane.in_long)
			skip_long(&pane);
		else
			move_on(&pane, scan_window(&pane));
	} while (scanner->worker.out.error == 0 && (!pane.at_end || pane.used > pane.start));
	if (pane.error != 0) {
		complain("cannot read '%s': %s", source->file, strerror(pane.error));
		scanner->trouble = true;
	}
}

static ssize_t read_file(void *context, uint8_t *to, size_t size)
{
	return read(*(const int *)context, to, size);
}

void scan_text_file(struct scanner *scanner, const char *name)
{
	int fd = scan_open(scanner, name);

	if (fd < 0)
		return;
	scan_text(scanner, &(struct scan_source){.read = read_file, .context = &fd, .file = name});
	scan_close(fd);
}
