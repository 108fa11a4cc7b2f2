/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a message part by part, and the messages in it. */
#ifdef HAVE_GMIME
#include "cli/records/file.h"
#include "cli/records/packing.h"
#include "cli/scan/flowed.h"
#include "cli/scan/mailbox.h"
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

/* ---- Kinds ---------------------------------------------------------------------------------- */

enum mail_kind {
	MAIL_KIND_UNREAD,
	MAIL_KIND_TEXT,
	MAIL_KIND_HTML,
	MAIL_KIND_MESSAGE,
	MAIL_KIND_PIECE /* a fragment of a partial message */
};

/* How a part is read, by its media type; the first that fits counts. */
static const struct {
	const char *type;
	const char *subtype; /* NULL: any */
	enum mail_kind kind;
} kinds[] = {
    {"text", "html", MAIL_KIND_HTML},
    {"text", NULL, MAIL_KIND_TEXT}, /* calendars as well */
    {"application", "xhtml+xml", MAIL_KIND_HTML},
    {"image", "svg+xml", MAIL_KIND_HTML},
    {"application", "xml", MAIL_KIND_TEXT},
    {"application", "json", MAIL_KIND_TEXT},
    {"application", "ics", MAIL_KIND_TEXT},
    {"message", "rfc822", MAIL_KIND_MESSAGE},
    {"message", "global", MAIL_KIND_MESSAGE},
    {"message", "news", MAIL_KIND_MESSAGE},
    {"message", "partial", MAIL_KIND_PIECE},
    {"message", NULL, MAIL_KIND_TEXT}, /* reports, and what lies elsewhere */
};

/* ... else by the end of its name, by which programs open it. */
static const struct {
	const char *ending;
	enum mail_kind kind;
} endings[] = {
    {".html", MAIL_KIND_HTML},   {".htm", MAIL_KIND_HTML}, {".xhtml", MAIL_KIND_HTML},
    {".shtml", MAIL_KIND_HTML},  {".xht", MAIL_KIND_HTML}, {".svg", MAIL_KIND_HTML},
    {".txt", MAIL_KIND_TEXT},    {".ics", MAIL_KIND_TEXT}, {".url", MAIL_KIND_TEXT},
    {".eml", MAIL_KIND_MESSAGE}, {".xml", MAIL_KIND_TEXT}, {".vcf", MAIL_KIND_TEXT},
    {".hta", MAIL_KIND_HTML},    {".webloc", MAIL_KIND_TEXT}, {".mht", MAIL_KIND_MESSAGE},
    {".mhtml", MAIL_KIND_MESSAGE},
};

/* Returns the kind of a part by its media type, or else by its file name. */
static enum mail_kind mail_kind_of(GMimeObject *part)
{
	GMimeContentType *type = gmime.g_mime_object_get_content_type(part);
	const char *name = gmime.g_mime_part_get_filename((GMimePart *)part);
	const char *said = gmime.g_mime_object_get_header(part, "Content-Type");

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcasecmp(gmime.g_mime_content_type_get_media_type(type), kinds[i].type) ==
			0 &&
		    (kinds[i].subtype == NULL ||
		     strcasecmp(gmime.g_mime_content_type_get_media_subtype(type),
				kinds[i].subtype) == 0))
			return kinds[i].kind;
	}
	if (text_ends_in(text_of(gmime.g_mime_content_type_get_media_subtype(type)), "+xml"))
		return MAIL_KIND_TEXT; /* RFC 7303, 9.6 */
	struct octets opened = text_of(name != NULL ? name : "");
	while (opened.length > 0 && strchr(". ", opened.data[opened.length - 1]) != NULL)
		opened.length--; /* as Windows does */
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		if (text_ends_in(opened, endings[i].ending))
			return endings[i].kind;
	}
	/* one that is broken counts as text/plain (RFC 2045, 5.2) */
	return said != NULL && strchr(said, '/') == NULL ? MAIL_KIND_TEXT : MAIL_KIND_UNREAD;
}

/* ---- Transfer encoding and charset ---------------------------------------------------------- */

/* Takes over the filter. */
static void add_filter(GMimeStream *stream, GMimeFilter *filter)
{
	(void)gmime.g_mime_stream_filter_add((GMimeStreamFilter *)stream, filter);
	gmime.g_object_unref(filter);
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

/* Makes the stream return UTF-8, if the charset of the part is known. */
static void mail_add_charset(struct mailbox *mailbox, GMimeStream *stream, GMimeObject *part,
			     const char *number)
{
	const char *charset = gmime.g_mime_object_get_content_type_parameter(part, "charset");
	GMimeFilter *filter;

	if (is_utf8_charset(charset))
		return;
	filter = gmime.g_mime_filter_charset_new(charset, "utf-8");
	if (filter == NULL)
		mailbox_warn(mailbox, number,
			     "it is judged octet by octet: no such charset: ", charset);
	else
		add_filter(stream, filter);
}

/* Does base64 go on after its end, where some readers stop, or end within four octets, which some drop? */
static bool has_another_end(struct mailbox *mailbox, const GMimeStream *content)
{
	struct mail_range range = {mailbox->fd, (uint64_t)content->bound_start,
				   (uint64_t)content->bound_end};
	uint8_t block[MAIL_BLOCK];
	bool ended = false;
	ssize_t got, octets = 0;

	while ((got = mail_range_read(&range, block, sizeof block)) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			octets += block[i] > ' ';
			ended = ended || block[i] == '=';
			if (ended && block[i] > ' ' && block[i] != '=')
				return true;
		}
	}
	return octets % 4 != 0;
}

/* The content without its encoding, as a stream to read. */
static GMimeStream *mail_decoded(struct mailbox *mailbox, GMimeObject *part, GMimeStream *content,
				 const char *number)
{
	GMimeContentEncoding encoding = gmime.g_mime_data_wrapper_get_encoding(
	    gmime.g_mime_part_get_content((GMimePart *)part));
	const char *named = gmime.g_mime_object_get_header(part, "Content-Transfer-Encoding");
	GMimeStream *stream = gmime.g_mime_stream_filter_new(content);

	if (encoding == GMIME_CONTENT_ENCODING_DEFAULT && named != NULL && named[0] != '\0')
		mailbox_warn(mailbox, number,
			     "it is judged as it is: no such transfer encoding: ", named);
	if (encoding == GMIME_CONTENT_ENCODING_BASE64 && has_another_end(mailbox, content))
		mailbox_warn(mailbox, number, "base64 ends elsewhere to some readers", "");
	add_filter(stream, gmime.g_mime_filter_basic_new(encoding, FALSE));
	return stream;
}

static ssize_t read_stream(void *stream, uint8_t *to, size_t size)
{
	return gmime.g_mime_stream_read(stream, (char *)to, size);
}

/* Reads all of a stream into memory that the caller must free(); false after reporting why not. */
static bool mail_read_decoded(struct mailbox *mailbox, GMimeStream *stream, struct octets *text,
			      const char *number)
{
	const char *why = "it is not read: it is longer than 64 MiB", *error = "";

	*text = (struct octets){0};
	if (mailbox->budget->decoded > MAIL_BUDGET_DECODED) {
		why = "it is not read: the parts of its message are longer than 1 GiB";
	} else if (!load_all(text, read_stream, stream, MAIL_BLOCK, MAIL_PART_MOST)) {
		why = "it cannot be read: ";
		error = strerror(errno);
	} else {
		mailbox->budget->decoded += text->length;
		if (text->length <= MAIL_PART_MOST)
			return true;
	}
	mailbox_warn(mailbox, number, why, error);
	free((void *)(uintptr_t)text->data);
	return false;
}

/* The number of a part, as "1.2"; the deepest has MAIL_DEPTH_MOST numbers. */
#define MAIL_NUMBER_ROOM 2048u

/* ---- Leaves ---------------------------------------------------------------------------------- */

/* A parameter of the media type in any letter case. */
static bool parameter_is(GMimeObject *part, const char *name, const char *wanted)
{
	const char *value = gmime.g_mime_object_get_content_type_parameter(part, name);

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
	const struct packing *const packing = packing_of_file(text, false);
	if (packing != NULL && strcmp(packing->what, "UTF-16") == 0)
		mailbox_warn(mailbox, place->part,
			     "it is judged octet by octet, and no reader shows that: its text is UTF-16",
			     "");
	if (kind == MAIL_KIND_HTML) {
		(void)snprintf(name, sizeof name, "%s: message %llu, part %s", mailbox->name,
			       (unsigned long long)mailbox->number,
			       place->part != NULL ? place->part : "1");
		(void)scan_html(mailbox->scanner, text, place, name);
	} else {
		if (parameter_is(part, "format", "flowed"))
			text.length = flowed_join((uint8_t *)(uintptr_t)text.data, text.length,
						  parameter_is(part, "delsp", "yes"));
		mailbox_judge_text(mailbox, text, place, false);
	}
	free((void *)(uintptr_t)text.data);
}

/* A message in an encoding that messages may not have is decoded to a file, and read from there. */
static void judge_encoded_message(struct mailbox *mailbox, GMimeStream *stream,
				  const struct place *place, unsigned depth)
{
	struct octets text;
	FILE *file;
	bool good;

	if (!mail_read_decoded(mailbox, stream, &text, place->part))
		return;
	file = tmpfile();
	good = file != NULL && fwrite(text.data, 1, text.length, file) == text.length;
	mailbox->unread += mail_read_copy(mailbox, file, good, place, depth, mailbox->readings);
	free((void *)(uintptr_t)text.data);
}

static void read_leaf(struct mailbox *mailbox, GMimeObject *part, const char *number,
		      unsigned depth)
{
	GMimeDataWrapper *wrapper = gmime.g_mime_part_get_content((GMimePart *)part);
	GMimeStream *content =
	    wrapper != NULL ? gmime.g_mime_data_wrapper_get_stream(wrapper) : NULL;
	enum mail_kind kind = mail_kind_of(part);
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
	(void)gmime.g_mime_stream_reset(content);
	stream = mail_decoded(mailbox, part, content, number);
	if (kind == MAIL_KIND_MESSAGE)
		judge_encoded_message(mailbox, stream, &place, depth + 1);
	else
		judge_part(mailbox, part, stream, &place, kind);
	gmime.g_object_unref(stream);
}

/* ---- The tree of parts ------------------------------------------------------------------------- */

static bool is_a(void *object, GType type)
{
	return gmime.g_type_check_instance_is_a(object, type);
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
	const char *encoding =
	    gmime.g_mime_object_get_header((GMimeObject *)multipart, "Content-Transfer-Encoding");

	if (encoding != NULL &&
	    (strcasecmp(encoding, "base64") == 0 || strcasecmp(encoding, "quoted-printable") == 0))
		mailbox_warn(mailbox, number, "a multipart may not be encoded in ", encoding);
	if (gmime.g_mime_multipart_get_count(multipart) == 0)
		mailbox_warn(mailbox, number, "a multipart without parts; readers differ", "");
	for (int i = 0;
	     i < gmime.g_mime_multipart_get_count(multipart) && !mailbox_is_unclear(mailbox); i++) {
		GMimeObject *child = gmime.g_mime_multipart_get_part(multipart, i);
		char child_number[MAIL_NUMBER_ROOM];

		number_child(child_number, number, i + 1);
		if (!mail_read_fields(mailbox, child, NULL, child_number))
			return;
		read_object(mailbox, child, child_number, depth + 1);
	}
}

void mail_read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
		       unsigned depth)
{
	GMimeObject *content = gmime.g_mime_message_get_mime_part(message);
	char content_number[MAIL_NUMBER_ROOM];

	if (!mail_read_fields(mailbox, message, content, number) || content == NULL)
		return;
	(void)snprintf(content_number, sizeof content_number, "%s", number);
	if (!is_a(content, gmime.g_mime_multipart_get_type()))
		number_child(content_number, number, 1);
	read_object(mailbox, content, content_number, depth);
}

static void read_object(struct mailbox *mailbox, GMimeObject *object, const char *number,
			unsigned depth)
{
	if (depth > MAIL_DEPTH_MOST) {
		mailbox_warn(mailbox, number, "it is read as mere text: it is nested too deeply",
			     "");
	} else if (is_a(object, gmime.g_mime_multipart_get_type())) {
		read_multipart(mailbox, (GMimeMultipart *)object, number, depth);
	} else if (is_a(object, gmime.g_mime_message_part_get_type())) {
		GMimeMessage *message =
		    gmime.g_mime_message_part_get_message((GMimeMessagePart *)object);

		if (message != NULL)
			mail_read_message(mailbox, message, number, depth + 1);
	} else if (is_a(object, gmime.g_mime_part_get_type())) {
		read_leaf(mailbox, object, number, depth);
	}
}

#else
extern const char mail_parts_is_missing;
#endif
