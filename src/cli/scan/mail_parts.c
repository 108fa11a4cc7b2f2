/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a message part by part, and the messages in it. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_parts.h"
#include "cli/scan/flowed.h"
#include "cli/scan/mail_decode.h"
#include "cli/scan/mail_fields.h"
#include "cli/scan/mail_kinds.h"
#include "cli/scan/mail_read.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* The number of a part, as "1.2"; the deepest has MAIL_DEPTH_MOST numbers. */
#define MAIL_NUMBER_ROOM 2048u

/* ---- Leaves ---------------------------------------------------------------------------------- */

/* A parameter of the media type in any letter case. */
static bool parameter_is(const struct mailbox *mailbox, GMimeObject *part, const char *name,
			 const char *wanted)
{
	const char *value = mailbox->lib->g_mime_object_get_content_type_parameter(part, name);

	return value != NULL && strcasecmp(value, wanted) == 0;
}

static void judge_part(struct mailbox *mailbox, GMimeObject *part, GMimeStream *stream,
		       const struct place *place, enum mail_kind kind)
{
	char name[4096];
	struct octets text;

	mail_add_charset(mailbox, stream, part, place->part);
	if (!mail_read_decoded(mailbox, stream, &text, place->part))
		return;
	if (kind == MAIL_KIND_HTML) {
		(void)snprintf(name, sizeof name, "%s: message %llu, part %s", mailbox->name,
			       (unsigned long long)mailbox->number,
			       place->part != NULL ? place->part : "1");
		(void)scan_html(mailbox->scanner, text, place, name);
	} else {
		if (parameter_is(mailbox, part, "format", "flowed"))
			text.length = flowed_join((uint8_t *)(uintptr_t)text.data, text.length,
						  parameter_is(mailbox, part, "delsp", "yes"));
		mailbox_judge_text(mailbox, text, place, false);
	}
	free((void *)(uintptr_t)text.data);
}

/* A message in an encoding that messages may not have is decoded to a file, and read from there. */
static void judge_encoded_message(struct mailbox *mailbox, GMimeStream *stream,
				  const struct place *place, unsigned depth)
{
	struct mailbox inner = {.scanner = mailbox->scanner,
				.lib = mailbox->lib,
				.name = mailbox->name,
				.budget = mailbox->budget,
				.around = place,
				.depth = depth,
				.readings = mailbox->readings,
				.position = {1, 1}};
	struct octets text;
	FILE *file;

	if (!mail_read_decoded(mailbox, stream, &text, place->part))
		return;
	file = tmpfile();
	if (file == NULL || fwrite(text.data, 1, text.length, file) != text.length ||
	    fflush(file) != 0) {
		mailbox_warn(mailbox, place->part, "it cannot be read: ", strerror(errno));
	} else {
		inner.fd = fileno(file);
		mail_read_single(&inner);
		mailbox->unread += inner.unread;
	}
	if (file != NULL)
		(void)fclose(file);
	free((void *)(uintptr_t)text.data);
}

static void read_leaf(struct mailbox *mailbox, GMimeObject *part, const char *number,
		      unsigned depth)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeDataWrapper *wrapper = lib->g_mime_part_get_content((GMimePart *)part);
	GMimeStream *content =
	    wrapper != NULL ? lib->g_mime_data_wrapper_get_stream(wrapper) : NULL;
	enum mail_kind kind = mail_kind_of(mailbox, part);
	GMimeStream *stream;
	struct place place;

	if (content == NULL)
		return;
	mailbox_read_rest(mailbox, (uint64_t)content->bound_start);
	place = mailbox_place(mailbox, (uint64_t)content->bound_start, number, NULL);
	if ((uint64_t)content->bound_end > mailbox->settled)
		mailbox->settled = (uint64_t)content->bound_end;
	if (kind == MAIL_KIND_UNREAD) {
		mailbox->unread++;
		return;
	}
	if (kind == MAIL_KIND_PIECE)
		mailbox_warn(mailbox, number, "it is a piece of a message that is not whole here",
			     "");
	(void)lib->g_mime_stream_reset(content);
	stream = mail_decoded(mailbox, part, content, number);
	if (kind == MAIL_KIND_MESSAGE)
		judge_encoded_message(mailbox, stream, &place, depth + 1);
	else
		judge_part(mailbox, part, stream, &place, kind);
	lib->g_object_unref(stream);
}

/* ---- The tree of parts ------------------------------------------------------------------------- */

static bool is_a(const struct mailbox *mailbox, void *object, GType type)
{
	return mailbox->lib->g_type_check_instance_is_a(object, type);
}

/* Numbers of parts are those of IMAP (RFC 9051, 6.4.5.1): the parts of a message that has but one are
 * numbered "1" inside of it, those of a multipart from "1" on. */
static void number_child(char child[MAIL_NUMBER_ROOM], const char *number, int index)
{
	(void)snprintf(child, MAIL_NUMBER_ROOM, "%s%s%d", number, number[0] != '\0' ? "." : "",
		       index);
}

static void read_object(struct mailbox *mailbox, GMimeObject *object, const char *number,
			unsigned depth);

static void read_multipart(struct mailbox *mailbox, GMimeMultipart *multipart, const char *number,
			   unsigned depth)
{
	const struct mail_library *lib = mailbox->lib;
	const char *encoding =
	    lib->g_mime_object_get_header((GMimeObject *)multipart, "Content-Transfer-Encoding");

	if (encoding != NULL &&
	    (strcasecmp(encoding, "base64") == 0 || strcasecmp(encoding, "quoted-printable") == 0))
		mailbox_warn(mailbox, number, "a multipart may not be encoded in ", encoding);
	if (lib->g_mime_multipart_get_count(multipart) == 0)
		mailbox_warn(mailbox, number, "a multipart without parts; readers differ", "");
	for (int i = 0;
	     i < lib->g_mime_multipart_get_count(multipart) && !mailbox_is_unclear(mailbox); i++) {
		GMimeObject *child = lib->g_mime_multipart_get_part(multipart, i);
		char child_number[MAIL_NUMBER_ROOM];

		number_child(child_number, number, i + 1);
		if (!mail_read_fields(mailbox, child, NULL, child_number))
			return;
		read_object(mailbox, child, child_number, depth + 1);
	}
}

/* The message of which the header is that of its content, too. */
void mail_read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
		       unsigned depth)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeObject *content = lib->g_mime_message_get_mime_part(message);
	char content_number[MAIL_NUMBER_ROOM];

	if (!mail_read_fields(mailbox, message, content, number) || content == NULL)
		return;
	(void)snprintf(content_number, sizeof content_number, "%s", number);
	if (!is_a(mailbox, content, lib->g_mime_multipart_get_type()))
		number_child(content_number, number, 1);
	read_object(mailbox, content, content_number, depth);
}

static void read_object(struct mailbox *mailbox, GMimeObject *object, const char *number,
			unsigned depth)
{
	const struct mail_library *lib = mailbox->lib;

	if (depth > MAIL_DEPTH_MOST) {
		mailbox_warn(mailbox, number, "it is read as mere text: it is nested too deeply",
			     "");
	} else if (is_a(mailbox, object, lib->g_mime_multipart_get_type())) {
		read_multipart(mailbox, (GMimeMultipart *)object, number, depth);
	} else if (is_a(mailbox, object, lib->g_mime_message_part_get_type())) {
		GMimeMessage *message =
		    lib->g_mime_message_part_get_message((GMimeMessagePart *)object);

		if (message != NULL)
			mail_read_message(mailbox, message, number, depth + 1);
	} else if (is_a(mailbox, object, lib->g_mime_part_get_type())) {
		read_leaf(mailbox, object, number, depth);
	}
}

#else
extern const char mail_parts_is_missing;
#endif
