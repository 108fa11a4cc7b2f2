/* SPDX-License-Identifier: Apache-2.0 */
/* Opens GMime, and bounds what it reads. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_library.h"

struct mail_library gmime;

static struct library library = {
    .use = "reading mail",
    .name = "libgmime-3.0.so.0",
    .package = "libgmime-3.0-0",
    .release = "GMime 3.2",
    .functions = (const char *const[]){MAIL_FUNCTIONS(LIBRARY_NAME) NULL},
};

bool mail_library_open(void)
{
	if (library_open(&library, &gmime))
		gmime.g_mime_init();
	return library.is_usable;
}

/* ---- The stream ----------------------------------------------------------------------- */

struct guarded {
	GMimeStreamFs file;
	struct mail_guard *guard;
};

static const GMimeStreamClass *parent;

/* The first octet of a line. */
static void begin_line(struct mail_guard *guard, char octet)
{
	guard->begun = octet == '-';
	if (octet == ' ' || octet == '\t') {
		guard->line = guard->is_field ? MAIL_LINE_FIELD : MAIL_LINE_OTHER;
		return;
	}
	guard->line = (unsigned char)octet > ' ' && octet != ':' ? MAIL_LINE_NAME : MAIL_LINE_OTHER;
	guard->field = 0;
	guard->is_field = false;
}

/* An octet after it. */
static void continue_line(struct mail_guard *guard, char octet)
{
	guard->dashes += guard->begun == 1 && octet == '-';
	guard->begun = 0;
	if (guard->line != MAIL_LINE_NAME && guard->line != MAIL_LINE_BLANK)
		return;
	if (octet == ':') {
		guard->line = MAIL_LINE_FIELD;
		guard->is_field = true;
	} else if (octet == ' ' || octet == '\t') {
		guard->line = MAIL_LINE_BLANK;
	} else if (guard->line == MAIL_LINE_BLANK || (unsigned char)octet < ' ') {
		guard->line = MAIL_LINE_OTHER;
	}
}

/* Counts, before the parser reads it. */
static void watch(struct mail_guard *guard, const char *read, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (read[i] == '\n')
			guard->line = MAIL_LINE_BEGINS;
		else if (guard->line == MAIL_LINE_BEGINS)
			begin_line(guard, read[i]);
		else
			continue_line(guard, read[i]);
		guard->field++;
		if (guard->is_field && guard->field > MAIL_FIELD_MOST)
			guard->breach =
			    "has a header field, or a line like one, longer than 32 KiB";
	}
	guard->octets += length;
}

static const char *breach_of(const struct mail_guard *guard)
{
	if (guard->octets > MAIL_MOST)
		return "is longer than 128 MiB";
	if (guard->header > MAIL_HEADER_MOST)
		return "has header fields longer than 4 MiB together";
	if (guard->dashes > MAIL_DASHES_MOST)
		return "has more than 100000 boundaries";
	return guard->fields > MAIL_FIELDS_MOST ? "has more than 100000 header fields" : NULL;
}

static ssize_t guarded_read(GMimeStream *stream, char *to, size_t size)
{
	struct mail_guard *guard = ((struct guarded *)stream)->guard;
	ssize_t got;

	if (guard->breach == NULL)
		guard->breach = breach_of(guard);
	if (guard->breach != NULL ||
	    (stream->bound_end >= 0 && stream->position >= stream->bound_end)) {
		((GMimeStreamFs *)stream)->eos = TRUE;
		return 0;
	}
	got = parent->read(stream, to, size);
	if (got < 0)
		guard->breach = "could not be read to its end"; /* to a parser this is the end */
	if (got > 0)
		watch(guard, to, (size_t)got);
	return got;
}

static void init_class(gpointer class, gpointer data)
{
	(void)data;
	parent = gmime.g_type_class_peek_parent(class);
	((GMimeStreamClass *)class)->read = guarded_read;
}

GMimeStream *mail_stream(int fd, uint64_t begin, uint64_t end, struct mail_guard *guard)
{
	static GType type;
	struct guarded *stream;

	if (type == 0)
		type = gmime.g_type_register_static_simple(
		    gmime.g_mime_stream_fs_get_type(), "UrivetGuardedStream",
		    sizeof(GMimeStreamFsClass), init_class, sizeof *stream, NULL, (GTypeFlags)0);
	stream = gmime.g_object_new(type, NULL);
	stream->guard = guard;
	stream->file.owner = FALSE;
	stream->file.eos = FALSE;
	stream->file.fd = fd;
	gmime.g_mime_stream_construct((GMimeStream *)stream, (gint64)begin,
				      end > INT64_MAX ? -1 : (gint64)end);
	return (GMimeStream *)stream;
}

static void count_field(GMimeParser *parser, const char *name, const char *value, gint64 offset,
			gpointer guard)
{
	(void)parser;
	(void)offset;
	((struct mail_guard *)guard)->fields++;
	((struct mail_guard *)guard)->header += strlen(name) + strlen(value);
}

void mail_count_fields(GMimeParser *parser, struct mail_guard *guard)
{
	gmime.g_mime_parser_set_header_regex(parser, "", count_field, guard);
}

#else
/* ISO C asks for something in every file */
extern const char mail_library_is_missing;
#endif
