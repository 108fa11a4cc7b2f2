/* SPDX-License-Identifier: Apache-2.0 */
/* What a part is read as. */
#ifndef CLI_MAIL_KINDS_H
#define CLI_MAIL_KINDS_H

#include "cli/scan/mailbox.h"

enum mail_kind {
	MAIL_KIND_UNREAD,
	MAIL_KIND_TEXT,
	MAIL_KIND_HTML,
	MAIL_KIND_MESSAGE,
	MAIL_KIND_PIECE /* of a message that is not whole */
};

/* By the media type of the part, else by the name by which programs open it. */
enum mail_kind mail_kind_of(const struct mailbox *mailbox, GMimeObject *part);

#endif
