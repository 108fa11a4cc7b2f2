/* SPDX-License-Identifier: Apache-2.0 */
/* A file of mail: finds its messages, has GMime read them, and judges as text what is none. */
#ifdef HAVE_GMIME
#include "cli/scan/mailbox.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define NOWHERE UINT64_MAX /* an offset that no file has */

/* ---- Warnings ---------------------------------------------------------------------------------- */

void mailbox_warn(struct mailbox *mailbox, const char *part, const char *what, const char *which)
{
	bool has_part = part != NULL && part[0] != '\0';

	complain("'%s': message %llu%s%s: %s%s", mailbox->name, (unsigned long long)mailbox->number,
		 has_part ? ", part " : "", has_part ? part : "", what, which);
	mailbox->scanner->trouble = true;
}

/* What of GMime's warnings means that others may read the message in another way. */
static const struct {
	GMimeParserWarning warning;
	const char *what;
} ambiguities[] = {
    {GMIME_CRIT_INVALID_HEADER_NAME, "a line among the header fields is none"},
    {GMIME_CRIT_CONFLICTING_HEADER, "a header field contradicts an earlier one"},
    {GMIME_CRIT_CONFLICTING_PARAMETER, "a parameter of a header field contradicts an earlier one"},
    {GMIME_CRIT_NESTING_OVERFLOW, "parts are nested too deeply to be read"},
};

static void hear(gint64 offset, GMimeParserWarning warning, const gchar *item, gpointer context)
{
	struct mailbox *mailbox = context;
	uint32_t bit = (uint32_t)1 << (warning % 32);

	(void)offset;
	(void)item;
	for (size_t i = 0; i < sizeof ambiguities / sizeof ambiguities[0]; i++) {
		if (ambiguities[i].warning == warning && !(mailbox->told & bit)) {
			mailbox->told |= bit;
			mailbox_warn(mailbox, NULL, ambiguities[i].what, "; readers differ");
		}
	}
}

/* ---- Places and text ------------------------------------------------------------------------- */

ssize_t mail_range_read(void *context, uint8_t *to, size_t size)
{
	struct mail_range *range = context;
	uint64_t left = range->end - range->at;
	ssize_t got = pread(range->fd, to, left < size ? (size_t)left : size, (off_t)range->at);

	if (got > 0)
		range->at += (uint64_t)got;
	return got;
}

/* The line of the file that the offset is in. */
static uint64_t line_at(struct mailbox *mailbox, uint64_t offset)
{
	struct mail_range range = {mailbox->fd, mailbox->counted, offset};
	uint8_t block[MAIL_BLOCK];
	ssize_t got;

	if (mailbox->around != NULL)
		return mailbox->around->line;
	if (offset < mailbox->counted) {
		range.at = 0;
		mailbox->position = (struct position){1, 1, 0};
	}
	while ((got = mail_range_read(&range, block, sizeof block)) > 0)
		position_advance(&mailbox->position, (struct octets){block, (size_t)got}, false);
	mailbox->counted = offset;
	return mailbox->position.line;
}

struct place mailbox_place(struct mailbox *mailbox, uint64_t offset, const char *part,
			   const char *field)
{
	return (struct place){.file = mailbox->name,
			      .line = line_at(mailbox, offset),
			      .column = 1,
			      .message = mailbox->number,
			      .part = part != NULL && part[0] != '\0' ? part : NULL,
			      .field = field};
}

void mailbox_read_rest(struct mailbox *mailbox, uint64_t end)
{
	struct mail_range range = {mailbox->fd, mailbox->settled, end};
	struct place place;

	if (end <= mailbox->settled)
		return;
	place = mailbox_place(mailbox, mailbox->settled, NULL, NULL);
	scan_text(mailbox->scanner, &(struct scan_source){.read = mail_range_read,
							  .context = &range,
							  .place = &place,
							  .file = mailbox->name,
							  .whole_only = true});
	mailbox->settled = end;
}

static ssize_t read_memory(void *context, uint8_t *to, size_t size)
{
	struct octets *text = context;
	size_t taken = text->length < size ? text->length : size;

	if (taken > 0)
		memcpy(to, text->data, taken);
	text->data += taken;
	text->length -= taken;
	return (ssize_t)taken;
}

void mailbox_judge_text(struct mailbox *mailbox, struct octets text, const struct place *place,
			bool whole_only)
{
	scan_text(mailbox->scanner, &(struct scan_source){.read = read_memory,
							  .context = &text,
							  .place = place,
							  .file = mailbox->name,
							  .whole_only = whole_only});
}

/* ---- Mailboxes ------------------------------------------------------------------------------------ */

/* Each message of a mailbox begins with a line that begins so. */
static const uint8_t mark[] = {'F', 'r', 'o', 'm', ' '};
#define MARK_LENGTH sizeof mark
#define NO_MARK     (MARK_LENGTH + 1) /* the line begins otherwise */

static bool is_mbox(int fd)
{
	uint8_t head[MARK_LENGTH];

	return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
	       memcmp(head, mark, sizeof head) == 0;
}

static uint64_t size_of(const struct mailbox *mailbox)
{
	off_t end = lseek(mailbox->fd, 0, SEEK_END);

	return end > 0 ? (uint64_t)end : 0;
}

/* Finds the messages of a mailbox. */
struct search {
	struct mail_range range;
	uint8_t block[MAIL_BLOCK];
	size_t length;  /* of what is in the block */
	size_t at;      /* ... and was searched */
	size_t matched; /* octets of the line that are those of the mark */
};

/* Searches the block; false: it holds no further mark's end. */
static bool search_block(struct search *search)
{
	while (search->at < search->length) {
		const uint8_t octet = search->block[search->at++];

		if (octet == '\n')
			search->matched = 0;
		else if (search->matched < MARK_LENGTH && octet == mark[search->matched])
			search->matched++;
		else
			search->matched = NO_MARK;
		if (search->matched == MARK_LENGTH)
			return true;
	}
	return false;
}

/* Where the next one begins; NOWHERE: there is none. */
static uint64_t find_message(struct mailbox *mailbox, struct search *search)
{
	while (!search_block(search)) {
		ssize_t got = mail_range_read(&search->range, search->block, sizeof search->block);

		if (got < 0)
			mailbox_warn(mailbox, NULL,
				     "messages after it are not found: ", strerror(errno));
		if (got <= 0)
			return NOWHERE;
		search->length = (size_t)got;
		search->at = 0;
	}
	return search->range.at - (search->length - search->at) - MARK_LENGTH;
}

/* Reads the message that the parser's stream holds. */
static void read_parsed(struct mailbox *mailbox, GMimeParser *parser, GMimeParserOptions *options,
			const struct mail_guard *guard, uint64_t end)
{
	const char *part = mailbox->around != NULL ? mailbox->around->part : NULL;
	GMimeMessage *message = gmime.g_mime_parser_construct_message(parser, options);

	if (message != NULL) {
		mail_read_message(mailbox, message, part != NULL ? part : "", mailbox->depth);
		gmime.g_object_unref(message);
	} else if (guard->breach == NULL && mailbox->settled < end) {
		mailbox_warn(mailbox, part, "it has no header, and is read as mere text", "");
	}
}

/* Copies octets of the mailbox to a file. */
static bool copy_range(const struct mailbox *mailbox, uint64_t begin, uint64_t end, FILE *to)
{
	struct mail_range range = {mailbox->fd, begin, end};
	uint8_t block[MAIL_BLOCK];
	ssize_t got;

	while ((got = mail_range_read(&range, block, sizeof block)) > 0) {
		if (fwrite(block, 1, (size_t)got, to) != (size_t)got)
			return false;
	}
	return got == 0;
}

/* Judges the message from `first` to `limit` without one field of it. */
static void read_without(struct mailbox *mailbox, const struct octet_range *field, uint64_t first,
			 uint64_t limit)
{
	const struct place place = mailbox_place(
	    mailbox, first, mailbox->around != NULL ? mailbox->around->part : NULL, NULL);
	FILE *file = tmpfile();
	const bool good = file != NULL && copy_range(mailbox, first, field->begin, file) &&
			  copy_range(mailbox, field->end, limit, file);

	(void)mail_read_copy(mailbox, file, good, &place, mailbox->depth, mailbox->readings + 1);
}

/* Judges a message that has two readings in each of them. */
static void read_both(struct mailbox *mailbox, uint64_t first, uint64_t limit)
{
	const struct conflict conflict = mailbox->conflict;

	mailbox->conflict = (struct conflict){0};
	mailbox_read_rest(mailbox, first);
	read_without(mailbox, &conflict.one, first, limit);
	read_without(mailbox, &conflict.other, first, limit);
	mailbox->settled = limit;
}

/* The offset after the line that parts messages of a mailbox. */
static uint64_t after_line(const struct mailbox *mailbox, uint64_t begin, uint64_t limit)
{
	struct mail_range range = {mailbox->fd, begin, limit};
	uint8_t block[1024];
	const ssize_t got = mail_range_read(&range, block, sizeof block);
	const uint8_t *feed = got > 0 ? memchr(block, '\n', (size_t)got) : NULL;

	return feed != NULL ? begin + (uint64_t)(feed - block) + 1 : begin;
}

/* Reads the message from `begin` to `end`, NOWHERE for the end of the file. The parser sees no octet
 * of the next one, so that nothing in a message decides where that begins. */
static void read_one(struct mailbox *mailbox, uint64_t begin, uint64_t end, GMimeFormat format)
{
	struct mail_guard guard = {.breach = NULL};
	GMimeStream *stream = mail_stream(mailbox->fd, begin, end, &guard);
	GMimeParser *parser = gmime.g_mime_parser_new_with_stream(stream);
	GMimeParserOptions *options = gmime.g_mime_parser_options_new();
	uint64_t limit = end != NOWHERE ? end : size_of(mailbox);

	mailbox->told = 0;
	gmime.g_mime_parser_options_set_warning_callback(options, hear, mailbox);
	gmime.g_mime_parser_set_format(parser, format);
	mail_count_fields(parser, &guard);
	read_parsed(mailbox, parser, options, &guard, limit);
	if (mailbox_is_unclear(mailbox)) {
		read_both(mailbox,
			  format == GMIME_FORMAT_MBOX ? after_line(mailbox, begin, limit) : begin,
			  limit);
	} else if (guard.breach == NULL) {
		mailbox_read_rest(mailbox, limit);
	} else {
		mailbox_warn(mailbox, NULL, "nothing more of it is read: it ", guard.breach);
		mailbox->settled = limit;
	}
	gmime.g_mime_parser_options_free(options);
	gmime.g_object_unref(parser);
	gmime.g_object_unref(stream);
}

uint64_t mail_read_copy(struct mailbox *mailbox, FILE *file, bool good, const struct place *around,
			unsigned depth, unsigned readings)
{
	struct mailbox inner = {.scanner = mailbox->scanner,
				.name = mailbox->name,
				.budget = mailbox->budget,
				.around = around,
				.number = around->message,
				.depth = depth,
				.readings = readings,
				.position = {1, 1, 0}};

	if (!good || fflush(file) != 0) {
		mailbox_warn(mailbox, around->part, "it cannot be read: ", strerror(errno));
	} else {
		inner.fd = fileno(file);
		read_one(&inner, 0, NOWHERE, GMIME_FORMAT_MESSAGE);
	}
	if (file != NULL)
		(void)fclose(file);
	return inner.unread;
}

static void read_many(struct mailbox *mailbox)
{
	struct search search = {.range = {mailbox->fd, 0, NOWHERE}};
	uint64_t begin = find_message(mailbox, &search);

	while (begin != NOWHERE && mailbox->scanner->worker.out.error == 0) {
		uint64_t end;

		mailbox->number++;
		*mailbox->budget = (struct mail_budget){0};
		end = find_message(mailbox, &search);
		read_one(mailbox, begin, end, GMIME_FORMAT_MBOX);
		begin = end;
	}
}

void mail_read(struct scanner *scanner, int fd, const char *name)
{
	struct mail_budget budget = {0};
	struct mailbox mailbox = {.scanner = scanner,
				  .name = name,
				  .fd = fd,
				  .budget = &budget,
				  .number = is_mbox(fd) ? 0 : 1,
				  .position = {1, 1, 0}};

	if (!mail_library_open()) {
		scanner->trouble = true;
		return;
	}
	if (mailbox.number == 0)
		read_many(&mailbox);
	else
		read_one(&mailbox, 0, NOWHERE, GMIME_FORMAT_MESSAGE);
	if (mailbox.unread > 0)
		complain("'%s': %llu attachments that are no text were not read", name,
			 (unsigned long long)mailbox.unread);
}

#else
extern const char mail_read_is_missing;
#endif
