/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a message. */
#ifndef CLI_MAIL_PARTS_H
#define CLI_MAIL_PARTS_H

#include "cli/scan/mailbox.h"

/* Reads a message, of which the header is that of its content, too: as the part of that number, "" for
 * the outermost, in as many others. */
void mail_read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
		       unsigned depth);

#endif
