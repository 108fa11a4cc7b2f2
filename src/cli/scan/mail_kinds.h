/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of parts. */
#ifndef CLI_MAIL_KINDS_H
#define CLI_MAIL_KINDS_H

#include "cli/scan/mailbox.h"

enum mail_kind {
	MAIL_KIND_UNREAD,
	MAIL_KIND_TEXT,
	MAIL_KIND_HTML,
	MAIL_KIND_MESSAGE,
	MAIL_KIND_PIECE /* a fragment of a partial message */
};

/* Returns the kind of a part by its media type, or else by its file name. */
enum mail_kind mail_kind_of(const struct mailbox *mailbox, GMimeObject *part);

#endif
