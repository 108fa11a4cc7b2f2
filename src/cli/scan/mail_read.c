/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages by GMime. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_read.h"
#include "cli/scan/flowed.h"
#include "cli/scan/mail_library.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* The number of a part, as "1.2"; the deepest has MAIL_DEPTH_MOST numbers. */
#define NUMBER_ROOM 2048u
#define BLOCK       65536u
#define NOWHERE     UINT64_MAX /* an offset that no file has */

/* A file with a message, or with many. */
struct mailbox {
	struct scanner *scanner;
	const struct mail_library *lib;
	const char *name;
	int fd;
	const struct place *around; /* of the part that was decoded to this; NULL: it is a file */
	unsigned depth;             /* of that part */
	uint64_t number;            /* of the message, from 1 */
	uint64_t settled;           /* all before this offset is judged, or told */
	uint64_t counted;           /* the offset of which the line is known */
	struct position position;
	uint64_t unread; /* parts of other types */
	uint32_t told;   /* warnings of the message: bits by GMimeParserWarning */
};

static void read_single(struct mailbox *mailbox);

/* ---- Messages for people ------------------------------------------------------------------ */

/* "'inbox': message 2, part 1.2: it is ...". Not all was judged, or readers may read it in another
 * way than was judged. */
static void tell(struct mailbox *mailbox, const char *part, const char *what, const char *which)
{
	bool has_part = part != NULL && part[0] != '\0';

	complain("'%s': message %llu%s%s: %s%s", mailbox->name, (unsigned long long)mailbox->number,
		 has_part ? ", part " : "", has_part ? part : "", what, which);
	mailbox->scanner->trouble = true;
}

/* What of GMime's warnings means that others may read the message in another way. */
static const struct {
	GMimeParserWarning warning;
	const char *what;
} ambiguities[] = {
    {GMIME_CRIT_INVALID_HEADER_NAME, "a line among the header fields is none"},
    {GMIME_CRIT_CONFLICTING_HEADER, "a header field contradicts an earlier one"},
    {GMIME_CRIT_CONFLICTING_PARAMETER, "a parameter of a header field contradicts an earlier one"},
    {GMIME_CRIT_NESTING_OVERFLOW, "parts are nested too deeply to be read"},
};

static void hear(gint64 offset, GMimeParserWarning warning, const gchar *item, gpointer context)
{
	struct mailbox *mailbox = context;
	uint32_t bit = (uint32_t)1 << (warning % 32);

	(void)offset;
	(void)item;
	for (size_t i = 0; i < sizeof ambiguities / sizeof ambiguities[0]; i++) {
		if (ambiguities[i].warning == warning && !(mailbox->told & bit)) {
			mailbox->told |= bit;
			tell(mailbox, NULL, ambiguities[i].what, "; readers differ");
		}
	}
}

/* ---- The file ----------------------------------------------------------------------------- */

/* Octets of the file. */
struct range {
	int fd;
	uint64_t at;
	uint64_t end;
};

static ssize_t read_range(void *context, uint8_t *to, size_t size)
{
	struct range *range = context;
	uint64_t left = range->end - range->at;
	ssize_t got = pread(range->fd, to, left < size ? (size_t)left : size, (off_t)range->at);

	if (got > 0)
		range->at += (uint64_t)got;
	return got;
}

/* The line of the file that the offset is in. */
static uint64_t line_at(struct mailbox *mailbox, uint64_t offset)
{
	struct range range = {mailbox->fd, mailbox->counted, offset};
	uint8_t block[BLOCK];
	ssize_t got;

	if (mailbox->around != NULL)
		return mailbox->around->line;
	if (offset < mailbox->counted) {
		range.at = 0;
		mailbox->position = (struct position){1, 1};
	}
	while ((got = read_range(&range, block, sizeof block)) > 0)
		position_advance(&mailbox->position, (struct text){block, (size_t)got});
	mailbox->counted = offset;
	return mailbox->position.line;
}

static struct place place_at(struct mailbox *mailbox, uint64_t offset, const char *part,
			     const char *field)
{
	return (struct place){.file = mailbox->name,
			      .line = line_at(mailbox, offset),
			      .column = 1,
			      .message = mailbox->number,
			      .part = part != NULL && part[0] != '\0' ? part : NULL,
			      .field = field};
}

/* Judges what stands between what was read and `end` as text: boundaries, what comes before and after
 * them, and what the parser left out. */
static void read_rest(struct mailbox *mailbox, uint64_t end)
{
	struct range range = {mailbox->fd, mailbox->settled, end};
	struct place place;

	if (end <= mailbox->settled)
		return;
	place = place_at(mailbox, mailbox->settled, NULL, NULL);
	scan_text(mailbox->scanner, &(struct scan_source){.read = read_range,
							  .context = &range,
							  .place = &place,
							  .file = mailbox->name,
							  .whole_only = true});
	mailbox->settled = end;
}

/* ---- Text in memory ----------------------------------------------------------------------- */

static ssize_t read_memory(void *context, uint8_t *to, size_t size)
{
	struct text *text = context;
	size_t taken = text->length < size ? text->length : size;

	if (taken > 0)
		memcpy(to, text->data, taken);
	text->data += taken;
	text->length -= taken;
	return (ssize_t)taken;
}

static void judge_text(struct mailbox *mailbox, struct text text, const struct place *place,
		       bool whole_only)
{
	scan_text(mailbox->scanner, &(struct scan_source){.read = read_memory,
							  .context = &text,
							  .place = place,
							  .file = mailbox->name,
							  .whole_only = whole_only});
}

/* ---- Header fields ------------------------------------------------------------------------ */

/* Fields that people are shown. In others names of hosts are no references. */
static bool is_shown(const char *field)
{
	static const char *const names[] = {"Subject",
					    "From",
					    "Sender",
					    "Reply-To",
					    "To",
					    "Cc",
					    "Bcc",
					    "Comments",
					    "Keywords",
					    "Organization",
					    "List-Unsubscribe",
					    "Content-Description"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcasecmp(field, names[i]) == 0)
			return true;
	}
	return false;
}

/* A field as it was read, and where. */
struct field {
	uint64_t offset;
	GMimeHeader *header;
};

static int compare_fields(const void *one, const void *other)
{
	const struct field *a = one;
	const struct field *b = other;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void read_field(struct mailbox *mailbox, const struct field *field, const char *part)
{
	const struct mail_library *lib = mailbox->lib;
	const char *name = lib->g_mime_header_get_raw_name(field->header);
	const char *raw = lib->g_mime_header_get_raw_value(field->header);
	const char *value = lib->g_mime_header_get_value(field->header);
	struct place place;

	if (name == NULL || raw == NULL || value == NULL)
		return; /* then it is read with the rest */
	read_rest(mailbox, field->offset);
	place = place_at(mailbox, field->offset, part, name);
	judge_text(mailbox, text_of(value), &place, !is_shown(name));
	if (field->offset + strlen(name) + 1 + strlen(raw) > mailbox->settled)
		mailbox->settled = field->offset + strlen(name) + 1 + strlen(raw);
}

/* Reads the fields of one header, which a message and its content share. */
static void read_fields(struct mailbox *mailbox, void *one, void *other, const char *part)
{
	const struct mail_library *lib = mailbox->lib;
	void *const objects[] = {one, other};
	struct field *fields;
	size_t room = 0;
	size_t count = 0;

	for (unsigned i = 0; i < 2 && objects[i] != NULL; i++)
		room += (size_t)lib->g_mime_header_list_get_count(
		    lib->g_mime_object_get_header_list(objects[i]));
	fields = calloc(room + 1, sizeof *fields);
	if (fields == NULL) {
		tell(mailbox, part, strerror(ENOMEM), "");
		return;
	}
	for (unsigned i = 0; i < 2 && objects[i] != NULL; i++) {
		GMimeHeaderList *list = lib->g_mime_object_get_header_list(objects[i]);

		for (int k = 0; k < lib->g_mime_header_list_get_count(list); k++) {
			GMimeHeader *header = lib->g_mime_header_list_get_header_at(list, k);
			gint64 offset = lib->g_mime_header_get_offset(header);

			/* one that stands in no file was made by the library */
			if (offset >= 0 && count < room)
				fields[count++] = (struct field){(uint64_t)offset, header};
		}
	}
	qsort(fields, count, sizeof *fields, compare_fields);
	for (size_t i = 0; i < count; i++)
		read_field(mailbox, &fields[i], part);
	free(fields);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

enum kind { KIND_UNREAD, KIND_TEXT, KIND_HTML, KIND_MESSAGE, KIND_PIECE };

/* How a part is read, by its media type; the first that fits counts. */
static const struct {
	const char *type;
	const char *subtype; /* NULL: any */
	enum kind kind;
} kinds[] = {
    {"text", "html", KIND_HTML},
    {"text", NULL, KIND_TEXT}, /* calendars as well */
    {"application", "xhtml+xml", KIND_HTML},
    {"image", "svg+xml", KIND_HTML},
    {"application", "xml", KIND_TEXT},
    {"application", "json", KIND_TEXT},
    {"application", "ics", KIND_TEXT},
    {"message", "rfc822", KIND_MESSAGE},
    {"message", "global", KIND_MESSAGE},
    {"message", "news", KIND_MESSAGE},
    {"message", "partial", KIND_PIECE},
    {"message", NULL, KIND_TEXT}, /* reports, and what lies elsewhere */
};

/* ... else by the end of its name, by which programs open it. */
static const struct {
	const char *ending;
	enum kind kind;
} endings[] = {
    {".html", KIND_HTML}, {".htm", KIND_HTML},    {".xhtml", KIND_HTML}, {".shtml", KIND_HTML},
    {".xht", KIND_HTML},  {".svg", KIND_HTML},    {".txt", KIND_TEXT},   {".ics", KIND_TEXT},
    {".url", KIND_TEXT},  {".eml", KIND_MESSAGE},
};

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name);

	return length >= strlen(ending) && strcasecmp(name + length - strlen(ending), ending) == 0;
}

static enum kind kind_of(const struct mailbox *mailbox, GMimeObject *part)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeContentType *type = lib->g_mime_object_get_content_type(part);
	const char *name = lib->g_mime_part_get_filename((GMimePart *)part);

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcasecmp(lib->g_mime_content_type_get_media_type(type), kinds[i].type) == 0 &&
		    (kinds[i].subtype == NULL ||
		     strcasecmp(lib->g_mime_content_type_get_media_subtype(type),
				kinds[i].subtype) == 0))
			return kinds[i].kind;
	}
	for (size_t i = 0; name != NULL && i < sizeof endings / sizeof endings[0]; i++) {
		if (ends_in(name, endings[i].ending))
			return endings[i].kind;
	}
	return KIND_UNREAD;
}

/* A parameter of the media type in any letter case. */
static bool parameter_is(const struct mailbox *mailbox, GMimeObject *part, const char *name,
			 const char *wanted)
{
	const char *value = mailbox->lib->g_mime_object_get_content_type_parameter(part, name);

	return value != NULL && strcasecmp(value, wanted) == 0;
}

/* ---- Decoding --------------------------------------------------------------------------------- */

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

static void add_charset(struct mailbox *mailbox, GMimeStream *stream, GMimeObject *part,
			const char *number)
{
	const char *charset =
	    mailbox->lib->g_mime_object_get_content_type_parameter(part, "charset");
	GMimeFilter *filter;

	if (is_utf8_charset(charset))
		return;
	filter = mailbox->lib->g_mime_filter_charset_new(charset, "utf-8");
	if (filter == NULL)
		tell(mailbox, number, "it is judged octet by octet: no such charset: ", charset);
	else
		add_filter(mailbox->lib, stream, filter);
}

/* Does base64 go on after its end? Some readers stop there, others do not. */
static bool goes_on_after_end(struct mailbox *mailbox, const GMimeStream *content)
{
	struct range range = {mailbox->fd, (uint64_t)content->bound_start,
			      (uint64_t)content->bound_end};
	uint8_t block[BLOCK];
	bool ended = false;
	ssize_t got;

	while ((got = read_range(&range, block, sizeof block)) > 0) {
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
static GMimeStream *decoded(struct mailbox *mailbox, GMimeObject *part, GMimeStream *content,
			    const char *number)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeContentEncoding encoding =
	    lib->g_mime_data_wrapper_get_encoding(lib->g_mime_part_get_content((GMimePart *)part));
	const char *named = lib->g_mime_object_get_header(part, "Content-Transfer-Encoding");
	GMimeStream *stream = lib->g_mime_stream_filter_new(content);

	if (encoding == GMIME_CONTENT_ENCODING_DEFAULT && named != NULL && named[0] != '\0')
		tell(mailbox, number, "it is judged as it is: no such transfer encoding: ", named);
	if (encoding == GMIME_CONTENT_ENCODING_BASE64 && goes_on_after_end(mailbox, content))
		tell(mailbox, number, "base64 goes on after its end; readers differ", "");
	add_filter(lib, stream, lib->g_mime_filter_basic_new(encoding, FALSE));
	return stream;
}

/* Reads all of a stream into memory that the caller must free(); false after telling why not. */
static bool read_all(struct mailbox *mailbox, GMimeStream *stream, struct text *text,
		     const char *number)
{
	size_t capacity = BLOCK;
	size_t length = 0;
	uint8_t *data = malloc(capacity);
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
	*text = (struct text){data, length};
	if (data != NULL && got == 0 && length <= MAIL_PART_MOST)
		return true;
	if (length > MAIL_PART_MOST)
		tell(mailbox, number, "it is not read: it is longer than 64 MiB", "");
	else
		tell(mailbox, number, "it cannot be read: ", strerror(got < 0 ? errno : ENOMEM));
	free(data);
	return false;
}

static void judge_part(struct mailbox *mailbox, GMimeObject *part, GMimeStream *stream,
		       const struct place *place, enum kind kind)
{
	char name[4096];
	struct text text;

	add_charset(mailbox, stream, part, place->part);
	if (!read_all(mailbox, stream, &text, place->part))
		return;
	if (kind == KIND_HTML) {
		(void)snprintf(name, sizeof name, "%s: message %llu, part %s", mailbox->name,
			       (unsigned long long)mailbox->number,
			       place->part != NULL ? place->part : "1");
		(void)scan_html(mailbox->scanner, text, place, name);
	} else {
		if (parameter_is(mailbox, part, "format", "flowed"))
			text.length = flowed_join((uint8_t *)(uintptr_t)text.data, text.length,
						  parameter_is(mailbox, part, "delsp", "yes"));
		judge_text(mailbox, text, place, false);
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
				.around = place,
				.depth = depth,
				.position = {1, 1}};
	struct text text;
	FILE *file;

	if (!read_all(mailbox, stream, &text, place->part))
		return;
	file = tmpfile();
	if (file == NULL || fwrite(text.data, 1, text.length, file) != text.length ||
	    fflush(file) != 0) {
		tell(mailbox, place->part, "it cannot be read: ", strerror(errno));
	} else {
		inner.fd = fileno(file);
		read_single(&inner);
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
	enum kind kind = kind_of(mailbox, part);
	GMimeStream *stream;
	struct place place;

	if (content == NULL)
		return;
	read_rest(mailbox, (uint64_t)content->bound_start);
	place = place_at(mailbox, (uint64_t)content->bound_start, number, NULL);
	if ((uint64_t)content->bound_end > mailbox->settled)
		mailbox->settled = (uint64_t)content->bound_end;
	if (kind == KIND_UNREAD) {
		mailbox->unread++;
		return;
	}
	if (kind == KIND_PIECE)
		tell(mailbox, number, "it is a piece of a message that is not whole here", "");
	(void)lib->g_mime_stream_reset(content);
	stream = decoded(mailbox, part, content, number);
	if (kind == KIND_MESSAGE)
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
static void number_child(char child[NUMBER_ROOM], const char *number, int index)
{
	(void)snprintf(child, NUMBER_ROOM, "%s%s%d", number, number[0] != '\0' ? "." : "", index);
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
		tell(mailbox, number, "a multipart may not be encoded in ", encoding);
	if (lib->g_mime_multipart_get_count(multipart) == 0)
		tell(mailbox, number, "a multipart without parts; readers differ", "");
	for (int i = 0; i < lib->g_mime_multipart_get_count(multipart); i++) {
		GMimeObject *child = lib->g_mime_multipart_get_part(multipart, i);
		char child_number[NUMBER_ROOM];

		number_child(child_number, number, i + 1);
		read_fields(mailbox, child, NULL, child_number);
		read_object(mailbox, child, child_number, depth + 1);
	}
}

/* The message of which the header is that of its content, too. */
static void read_message(struct mailbox *mailbox, GMimeMessage *message, const char *number,
			 unsigned depth)
{
	const struct mail_library *lib = mailbox->lib;
	GMimeObject *content = lib->g_mime_message_get_mime_part(message);
	char content_number[NUMBER_ROOM];

	read_fields(mailbox, message, content, number);
	if (content == NULL)
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
		tell(mailbox, number, "it is read as mere text: it is nested too deeply", "");
	} else if (is_a(mailbox, object, lib->g_mime_multipart_get_type())) {
		read_multipart(mailbox, (GMimeMultipart *)object, number, depth);
	} else if (is_a(mailbox, object, lib->g_mime_message_part_get_type())) {
		GMimeMessage *message =
		    lib->g_mime_message_part_get_message((GMimeMessagePart *)object);

		if (message != NULL)
			read_message(mailbox, message, number, depth + 1);
	} else if (is_a(mailbox, object, lib->g_mime_part_get_type())) {
		read_leaf(mailbox, object, number, depth);
	}
}

/* ---- Mailboxes ------------------------------------------------------------------------------------ */

/* Each message of a mailbox begins with a line that begins so. */
static const char mark[] = "From ";
#define MARK_LENGTH (sizeof mark - 1)
#define NO_MARK     (MARK_LENGTH + 1) /* the line begins otherwise */

static bool is_mbox(const struct mailbox *mailbox)
{
	uint8_t head[MARK_LENGTH];

	return pread(mailbox->fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
	       memcmp(head, mark, sizeof head) == 0;
}

static uint64_t size_of(const struct mailbox *mailbox)
{
	off_t end = lseek(mailbox->fd, 0, SEEK_END);

	return end > 0 ? (uint64_t)end : 0;
}

/* Finds the messages of a mailbox. */
struct search {
	struct range range;
	uint8_t block[BLOCK];
	size_t length;  /* of what is in the block */
	size_t at;      /* ... and was searched */
	size_t matched; /* octets of the line that are those of the mark */
};

/* Searches the block; false: it holds no further mark's end. */
static bool search_block(struct search *search)
{
	while (search->at < search->length) {
		const uint8_t octet = search->block[search->at++];

		if (octet == '\n')
			search->matched = 0;
		else if (search->matched < MARK_LENGTH && octet == mark[search->matched])
			search->matched++;
		else
			search->matched = NO_MARK;
		if (search->matched == MARK_LENGTH)
			return true;
	}
	return false;
}

/* Where the next one begins; NOWHERE: there is none. */
static uint64_t find_message(struct mailbox *mailbox, struct search *search)
{
	while (!search_block(search)) {
		ssize_t got = read_range(&search->range, search->block, sizeof search->block);

		if (got < 0)
			tell(mailbox, NULL, "messages after it are not found: ", strerror(errno));
		if (got <= 0)
			return NOWHERE;
		search->length = (size_t)got;
		search->at = 0;
	}
	return search->range.at - (search->length - search->at) - MARK_LENGTH;
}

/* Reads the message that the parser's stream holds. */
static void read_parsed(struct mailbox *mailbox, GMimeParser *parser, GMimeParserOptions *options,
			const struct mail_guard *guard, uint64_t end)
{
	const struct mail_library *lib = mailbox->lib;
	const char *part = mailbox->around != NULL ? mailbox->around->part : NULL;
	GMimeMessage *message = lib->g_mime_parser_construct_message(parser, options);

	if (message != NULL) {
		read_message(mailbox, message, part != NULL ? part : "", mailbox->depth);
		lib->g_object_unref(message);
	} else if (guard->breach == NULL && mailbox->settled < end) {
		tell(mailbox, part, "it has no header, and is read as mere text", "");
	}
}

/* Reads the message from `begin` to `end`, NOWHERE for the end of the file. The parser sees no octet
 * of the next one, so that nothing in a message decides where that begins. */
static void read_one(struct mailbox *mailbox, uint64_t begin, uint64_t end, GMimeFormat format)
{
	const struct mail_library *lib = mailbox->lib;
	struct mail_guard guard = {.breach = NULL};
	GMimeStream *stream = mail_stream(mailbox->fd, begin, end, &guard);
	GMimeParser *parser = lib->g_mime_parser_new_with_stream(stream);
	GMimeParserOptions *options = lib->g_mime_parser_options_new();
	uint64_t limit = end != NOWHERE ? end : size_of(mailbox);

	mailbox->told = 0;
	lib->g_mime_parser_options_set_warning_callback(options, hear, mailbox);
	lib->g_mime_parser_set_format(parser, format);
	mail_count_fields(parser, &guard);
	read_parsed(mailbox, parser, options, &guard, limit);
	if (guard.breach == NULL) {
		read_rest(mailbox, limit);
	} else {
		tell(mailbox, NULL, "nothing more of it is read: it ", guard.breach);
		mailbox->settled = limit;
	}
	lib->g_mime_parser_options_free(options);
	lib->g_object_unref(parser);
	lib->g_object_unref(stream);
}

static void read_many(struct mailbox *mailbox)
{
	struct search search = {.range = {mailbox->fd, 0, NOWHERE}};
	uint64_t begin = find_message(mailbox, &search);

	while (begin != NOWHERE && mailbox->scanner->worker.out.error == 0) {
		uint64_t end;

		mailbox->number++;
		end = find_message(mailbox, &search);
		read_one(mailbox, begin, end, GMIME_FORMAT_MBOX);
		begin = end;
	}
}

static void read_single(struct mailbox *mailbox)
{
	mailbox->number = mailbox->around != NULL ? mailbox->around->message : 1;
	read_one(mailbox, 0, NOWHERE, GMIME_FORMAT_MESSAGE);
}

void mail_read(struct scanner *scanner, int fd, const char *name)
{
	struct mailbox mailbox = {
	    .scanner = scanner, .lib = mail_library(), .name = name, .fd = fd, .position = {1, 1}};

	if (mailbox.lib == NULL) {
		scanner->trouble = true;
		return;
	}
	if (is_mbox(&mailbox))
		read_many(&mailbox);
	else
		read_single(&mailbox);
	if (mailbox.unread > 0)
		complain("'%s': %llu attachments that are no text were not read", name,
			 (unsigned long long)mailbox.unread);
}

#else
extern const char mail_read_is_missing;
#endif
