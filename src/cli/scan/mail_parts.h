/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of a message. */
#ifndef CLI_MAIL_PARTS_H
#define CLI_MAIL_PARTS_H

#include "cli/scan/mailbox.h"

/* Reads a message, whose header is also that of its content. `number` is its part number, "" for
 * the outermost message; `depth` is its nesting depth. */
void mail_read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
		       unsigned depth);

#endif
