/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages. Every octet of a file is part of a header field or of a part's content, or is
 * read as text, so that nothing is skipped. */
#ifndef CLI_MAIL_READ_H
#define CLI_MAIL_READ_H

#include "cli/scan/scan.h"

/* Maximum nesting depth of parts and messages. */
#define MAIL_DEPTH_MOST 100u
/* Maximum octets of a decoded part. */
#define MAIL_PART_MOST ((size_t)64 << 20)

/* Judges a message or a mailbox. `fd` is an open regular file. */
void mail_read(struct scanner *scanner, int fd, const char *name);

struct mailbox;

/* Judges a file that is a single message. The other members of `mailbox` are set. */
void mail_read_single(struct mailbox *mailbox);

#endif
