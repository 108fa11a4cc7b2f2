/* SPDX-License-Identifier: Apache-2.0 */
/* A file of mail, of which every octet is judged, or told. */
#ifndef CLI_MAILBOX_H
#define CLI_MAILBOX_H

#include "cli/scan/mail_library.h"
#include "cli/scan/scan.h"

#define MAIL_BLOCK 65536u

/* Conflicts in one message that are judged in both ways, which are up to 2 ** 4 readings. */
#define MAIL_READINGS_MOST 4u

/* Two fields, or parameters of a field, that contradict each other: some readers take the one, some the
 * other. Their octets in the file; `end` 0: there are none. */
struct conflict {
	struct octet_range {
		uint64_t begin, end;
	} one, other;
};

/* A file with a message, or with many. */
struct mailbox {
	struct scanner *scanner;
	const struct mail_library *lib;
	const char *name;
	int fd;
	const struct place *around; /* of the part that was decoded to this; NULL: it is a file */
	unsigned depth;             /* of that part */
	uint64_t number;            /* of the message, from 1 */
	uint64_t settled;           /* all before this offset is judged, or told */
	uint64_t counted;           /* the offset of which the line is known */
	struct position position;
	uint64_t unread;          /* parts of other types */
	struct conflict conflict; /* of the message; none yet: judge it as it is */
	unsigned readings;        /* conflicts that were settled before it is read in this way */
	uint32_t told;            /* warnings of the message: bits by GMimeParserWarning */
};

/* "'inbox': message 2, part 1.2: it is ..."; a part of NULL or "" is none. Not all was judged, or readers
 * may read it in another way than was judged. */
void mailbox_tell(struct mailbox *mailbox, const char *part, const char *what, const char *which);

static inline bool mailbox_is_unclear(const struct mailbox *mailbox)
{
	return mailbox->conflict.one.end > 0;
}

/* Octets of the file. */
struct mail_range {
	int fd;
	uint64_t at;
	uint64_t end;
};

/* Like read(2). */
ssize_t mail_range_read(void *context, uint8_t *to, size_t size);

/* The place of what stands at the offset, in a part or a field; NULL: in none. */
struct place mailbox_place(struct mailbox *mailbox, uint64_t offset, const char *part,
			   const char *field);

/* Judges what stands between what was read and `end` as text: boundaries, what comes before and after
 * them, and what the parser left out. */
void mailbox_read_rest(struct mailbox *mailbox, uint64_t end);

/* Judges text in memory. */
void mailbox_judge_text(struct mailbox *mailbox, struct text text, const struct place *place,
			bool whole_only);

#endif
