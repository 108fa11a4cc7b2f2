/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages: every octet of a file is a header field, the content of a part, or else read as
 * text, so that nothing is left out. */
#ifndef CLI_MAIL_READ_H
#define CLI_MAIL_READ_H

#include "cli/scan/scan.h"

/* Parts in parts, and messages in messages. */
#define MAIL_DEPTH_MOST 100u
/* Octets of a decoded part. */
#define MAIL_PART_MOST ((size_t)64 << 20)

/* Judges what is in a message or mailbox, an open regular file. */
void mail_read(struct scanner *scanner, int fd, const char *name);

struct mailbox;

/* The same of a file that is one message, and of which the rest is known. */
void mail_read_single(struct mailbox *mailbox);

#endif
