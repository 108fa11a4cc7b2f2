/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the transfer encoding and the charset of a part. */
#ifndef CLI_MAIL_DECODE_H
#define CLI_MAIL_DECODE_H

#include "cli/scan/mailbox.h"

/* Returns a stream of the content without its transfer encoding. The caller unrefs it. */
GMimeStream *mail_decoded(struct mailbox *mailbox, GMimeObject *part, GMimeStream *content,
			  const char *number);

/* Makes the stream return UTF-8, if the charset of the part is known. */
void mail_add_charset(struct mailbox *mailbox, GMimeStream *stream, GMimeObject *part,
		      const char *number);

/* Reads a whole stream. The caller frees the memory. Returns false after reporting an error. */
bool mail_read_decoded(struct mailbox *mailbox, GMimeStream *stream, struct octets *text,
		       const char *number);

#endif
