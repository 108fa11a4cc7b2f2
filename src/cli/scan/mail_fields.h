/* SPDX-License-Identifier: Apache-2.0 */
/* Reads header fields. */
#ifndef CLI_MAIL_FIELDS_H
#define CLI_MAIL_FIELDS_H

#include "cli/scan/mailbox.h"

/* Reads the fields of a header that a message and its content share; `other` may be NULL. Returns
 * false if two fields contradict each other. Then the message must be judged twice, each time
 * without one of them. */
bool mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part);

#endif
