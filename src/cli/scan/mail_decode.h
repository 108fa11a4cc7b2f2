/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the transfer encoding and the charset off a part. */
#ifndef CLI_MAIL_DECODE_H
#define CLI_MAIL_DECODE_H

#include "cli/scan/mailbox.h"

/* The content without its transfer encoding, as a stream to read, the caller's to unref. */
GMimeStream *mail_decoded(struct mailbox *mailbox, GMimeObject *part, GMimeStream *content,
			  const char *number);

/* Lets the stream give UTF-8, if the charset of the part is known. */
void mail_add_charset(struct mailbox *mailbox, GMimeStream *stream, GMimeObject *part,
		      const char *number);

/* Reads all of a stream into memory that the caller must free(); false after telling why not. */
bool mail_read_decoded(struct mailbox *mailbox, GMimeStream *stream, struct text *text,
		       const char *number);

#endif
