/* SPDX-License-Identifier: Apache-2.0 */
/* Mail. Every octet of a file is part of a header field or of a part's content, or is read as text, so
 * that nothing is skipped: it is judged, or reported as not judged. */
#ifndef CLI_MAILBOX_H
#define CLI_MAILBOX_H

#include "cli/scan/mail_library.h"
#include "cli/scan/scan.h"
#include <stdio.h>

#define MAIL_BLOCK 65536u

/* Maximum nesting depth of parts and messages. */
#define MAIL_DEPTH_MOST 100u
/* Maximum octets of a decoded part. */
#define MAIL_PART_MOST ((size_t)64 << 20)

/* Maximum conflicts in one message that are judged both ways, which gives up to 2 ** 4 readings. */
#define MAIL_READINGS_MOST 4u

/* The limits of a message in the file and of all messages in it, however deep they are encoded. */
#define MAIL_BUDGET_READINGS 30u                 /* that is 2 + 4 + 8 + 16 */
#define MAIL_BUDGET_DECODED  ((uint64_t)1 << 30) /* octets */
struct mail_budget {
	unsigned readings; /* without one of two contradictory fields, so far */
	uint64_t decoded;  /* octets that were decoded */
};

/* Two contradictory fields, or parameters of a field, of which some readers use the one and some
 * the other. The ranges are octets in the file; `end` 0: none. */
struct conflict {
	struct octet_range {
		uint64_t begin, end;
	} one, other;
};

/* A file with one or more messages. */
struct mailbox {
	struct scanner *scanner;
	const char *name;
	int fd;
	struct mail_budget *budget; /* of the message in the file */
	const struct place *around; /* the part decoded into this file; NULL: a real file */
	unsigned depth;             /* nesting depth of that part */
	uint64_t number;            /* of the current message, from 1 */
	uint64_t settled;           /* all octets before this offset are judged or reported */
	uint64_t counted;           /* the offset of `position` */
	struct position position;
	uint64_t unread;          /* number of parts of other types */
	struct conflict conflict; /* of the message; none yet: judge it unchanged */
	unsigned readings;        /* conflicts already resolved in this reading */
	uint32_t told;            /* reported warnings of the message: bits by GMimeParserWarning */
};

/* Reports "'inbox': message 2, part 1.2: it is ...". `part` may be NULL or "". Sets `trouble`,
 * since something was not judged, or readers may parse it differently. */
void mailbox_warn(struct mailbox *mailbox, const char *part, const char *what, const char *which);

static inline bool mailbox_is_unclear(const struct mailbox *mailbox)
{
	return mailbox->conflict.one.end > 0;
}

/* A range of octets in the file. */
struct mail_range {
	int fd;
	uint64_t at;
	uint64_t end;
};

/* Reads like read(2). */
ssize_t mail_range_read(void *context, uint8_t *to, size_t size);

/* Returns the position of an offset, in a part or a field; NULL: none. */
struct place mailbox_place(struct mailbox *mailbox, uint64_t offset, const char *part,
			   const char *field);

/* Judges the octets from the last position to `end` as text: boundaries, text around them, and what
 * the parser skipped. */
void mailbox_read_rest(struct mailbox *mailbox, uint64_t end);

/* Judges text in memory. */
void mailbox_judge_text(struct mailbox *mailbox, struct octets text, const struct place *place,
			bool whole_only);

/* Reads the fields of a header that a message and its content share; `other` may be NULL. Returns
 * false if two fields contradict each other. Then the message must be judged twice, each time
 * without one of them. */
bool mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part);

/* Reads a message, whose header is also that of its content. `number` is its part number, "" for
 * the outermost message; `depth` is its nesting depth. */
void mail_read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
		       unsigned depth);

/* Judges a message or a mailbox. `fd` is an open regular file. */
void mail_read(struct scanner *scanner, int fd, const char *name);

/* Judges a copy of a message, which is at a place in the mailbox, and closes its file. `good`: it was
 * written; otherwise that is reported. Returns the number of parts in it that were not read. */
uint64_t mail_read_copy(struct mailbox *mailbox, FILE *file, bool good, const struct place *around,
			unsigned depth, unsigned readings);

#endif
