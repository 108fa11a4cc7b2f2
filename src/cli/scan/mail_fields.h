/* SPDX-License-Identifier: Apache-2.0 */
/* Header fields. */
#ifndef CLI_MAIL_FIELDS_H
#define CLI_MAIL_FIELDS_H

#include "cli/scan/mailbox.h"

/* Reads the fields of one header, which a message and its content share; `other` may be NULL. False: two
 * of them contradict each other, and the message is to be judged without either, one after the other. */
bool mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part);

#endif
