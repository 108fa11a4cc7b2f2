/* SPDX-License-Identifier: Apache-2.0 */
/* A file of mail: its warnings, the places of its parts, and the parts that are scanned as text. */
#ifdef HAVE_GMIME
#include "cli/scan/mailbox.h"
#include <unistd.h>

void mailbox_warn(struct mailbox *mailbox, const char *part, const char *what, const char *which)
{
	bool has_part = part != NULL && part[0] != '\0';

	complain("'%s': message %llu%s%s: %s%s", mailbox->name, (unsigned long long)mailbox->number,
		 has_part ? ", part " : "", has_part ? part : "", what, which);
	mailbox->scanner->trouble = true;
}

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
		mailbox->position = (struct position){1, 1};
	}
	while ((got = mail_range_read(&range, block, sizeof block)) > 0)
		position_advance(&mailbox->position, (struct octets){block, (size_t)got});
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

/* Judges what stands between what was read and `end` as text: boundaries, what comes before and after
 * them, and what the parser left out. */
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

/* ---- Text in memory ----------------------------------------------------------------------- */

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

#else
extern const char mailbox_is_missing;
#endif
