/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the transfer encoding and the charset off a part. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_decode.h"
#include "cli/scan/mail_read.h"
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

/* Takes over the filter. */
static void add_filter(const struct mail_library *lib, GMimeStream *stream, GMimeFilter *filter)
{
	(void)lib->g_mime_stream_filter_add((GMimeStreamFilter *)stream, filter);
	lib->g_object_unref(filter);
}

static bool is_utf8_charset(const char *charset)
{
	static const char *const names[] = {"utf-8", "utf8", "us-ascii", "ascii"};

	for (size_t i = 0; charset != NULL && i < sizeof names / sizeof names[0]; i++) {
		if (strcasecmp(charset, names[i]) == 0)
			return true;
	}
	return charset == NULL || charset[0] == '\0';
}

void mail_add_charset(struct mailbox *mailbox, GMimeStream *stream, GMimeObject *part,
		      const char *number)
{
	const char *charset =
	    mailbox->lib->g_mime_object_get_content_type_parameter(part, "charset");
	GMimeFilter *filter;

	if (is_utf8_charset(charset))
		return;
	filter = mailbox->lib->g_mime_filter_charset_new(charset, "utf-8");
	if (filter == NULL)
		mailbox_warn(mailbox, number,
			     "it is judged octet by octet: no such charset: ", charset);
	else
		add_filter(mailbox->lib, stream, filter);
}

/* Does base64 go on after its end? Some readers stop there, others do not. */
static bool goes_on_after_end(struct mailbox *mailbox, const GMimeStream *content)
{
	struct mail_range range = {mailbox->fd, (uint64_t)content->bound_start,
				   (uint64_t)content->bound_end};
	uint8_t block[MAIL_BLOCK];
	bool ended = false;
	ssize_t got;

	while ((got = mail_range_read(&range, block, sizeof block)) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (block[i] == '=')
				ended = true;
			else if (ended && block[i] > ' ')
				return true;
		}
	}
	return false;
}

/* The content without its encoding, as a stream to read. */
GMimeStream *mail_decoded(struct mailbox *mailbox, GMimeObject *part, GMimeStream *content,
			  const char *number)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeContentEncoding encoding =
	    lib->g_mime_data_wrapper_get_encoding(lib->g_mime_part_get_content((GMimePart *)part));
	const char *named = lib->g_mime_object_get_header(part, "Content-Transfer-Encoding");
	GMimeStream *stream = lib->g_mime_stream_filter_new(content);

	if (encoding == GMIME_CONTENT_ENCODING_DEFAULT && named != NULL && named[0] != '\0')
		mailbox_warn(mailbox, number,
			     "it is judged as it is: no such transfer encoding: ", named);
	if (encoding == GMIME_CONTENT_ENCODING_BASE64 && goes_on_after_end(mailbox, content))
		mailbox_warn(mailbox, number, "base64 goes on after its end; readers differ", "");
	add_filter(lib, stream, lib->g_mime_filter_basic_new(encoding, FALSE));
	return stream;
}

/* Reads all of a stream into memory that the caller must free(); false after reporting why not. */
bool mail_read_decoded(struct mailbox *mailbox, GMimeStream *stream, struct octets *text,
		       const char *number)
{
	size_t capacity = MAIL_BLOCK;
	size_t length = 0;
	const bool spent = mailbox->budget->decoded > MAIL_BUDGET_DECODED;
	uint8_t *data = spent ? NULL : malloc(capacity);
	ssize_t got = 1;

	while (data != NULL && got > 0 && length <= MAIL_PART_MOST) {
		if (length == capacity) {
			uint8_t *grown = realloc(data, 2 * capacity);

			if (grown == NULL)
				break;
			data = grown;
			capacity *= 2;
		}
		got = mailbox->lib->g_mime_stream_read(stream, (char *)data + length,
						       capacity - length);
		if (got > 0)
			length += (size_t)got;
	}
	mailbox->budget->decoded += length;
	if (data != NULL && got == 0 && length <= MAIL_PART_MOST) {
		uint8_t *trimmed = realloc(data, length > 0 ? length : 1);

		*text = (struct octets){trimmed != NULL ? trimmed : data, length};
		return true;
	}
	if (spent)
		mailbox_warn(mailbox, number,
			     "it is not read: the parts of its message are longer than 1 GiB", "");
	else if (length > MAIL_PART_MOST)
		mailbox_warn(mailbox, number, "it is not read: it is longer than 64 MiB", "");
	else
		mailbox_warn(mailbox, number,
			     "it cannot be read: ", strerror(got < 0 ? errno : ENOMEM));
	free(data);
	return false;
}

#else
extern const char mail_decode_is_missing;
#endif
