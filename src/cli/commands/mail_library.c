/* SPDX-License-Identifier: Apache-2.0 */
/* Opens GMime, and bounds what it reads. */
#ifdef HAVE_GMIME
#include "cli/commands/mail_library.h"
#include "cli/show/output.h"
#include <dlfcn.h>

#define SONAME "libgmime-3.0.so.0"

static struct mail_library library;

/* ISO C has no cast from an object's pointer to that of a function; dlsym(3) asks for it. */
static bool find(void *handle, void *pointer, const char *name)
{
	void *found = dlsym(handle, name);

	memcpy(pointer, &found, sizeof found);
	return found != NULL;
}

const struct mail_library *mail_library(void)
{
	static bool is_open;
	bool good = true;
	void *handle;

	if (is_open)
		return &library;
	handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL) {
		complain("reading mail needs %s: install the Debian package libgmime-3.0-0",
			 SONAME);
		return NULL;
	}
#define FIND(name) good = find(handle, &library.name, #name) && good;
	MAIL_FUNCTIONS(FIND)
#undef FIND
	if (!good) {
		complain("%s lacks functions of GMime 3.2", SONAME);
		return NULL;
	}
	library.g_mime_init();
	is_open = true;
	return &library;
}

/* ---- The stream ----------------------------------------------------------------------- */

struct guarded {
	GMimeStreamFs file;
	struct mail_guard *guard;
};

static const GMimeStreamClass *parent;

void mail_guard_reset(struct mail_guard *guard)
{
	*guard = (struct mail_guard){.breach = guard->breach};
}

/* Counts the lines that begin with "--". */
static void count_dashes(struct mail_guard *guard, const char *read, size_t length)
{
	static const char wanted[] = "\n--";

	for (size_t i = 0; i < length; i++) {
		if (read[i] == wanted[guard->begun])
			guard->begun++;
		else
			guard->begun = read[i] == '\n';
		if (guard->begun == sizeof wanted - 1) {
			guard->begun = 0;
			guard->dashes++;
		}
	}
}

static const char *breach_of(const struct mail_guard *guard)
{
	if (guard->octets > MAIL_MOST)
		return "is longer than 128 MiB";
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
	if (guard->breach != NULL) {
		((GMimeStreamFs *)stream)->eos = TRUE;
		return 0;
	}
	got = parent->read(stream, to, size);
	if (got > 0) {
		guard->octets += (uint64_t)got;
		count_dashes(guard, to, (size_t)got);
	}
	return got;
}

static void init_class(gpointer class, gpointer data)
{
	(void)data;
	parent = library.g_type_class_peek_parent(class);
	((GMimeStreamClass *)class)->read = guarded_read;
}

GMimeStream *mail_stream(int fd, struct mail_guard *guard)
{
	static GType type;
	struct guarded *stream;

	if (type == 0)
		type = library.g_type_register_static_simple(
		    library.g_mime_stream_fs_get_type(), "UrivetGuardedStream",
		    sizeof(GMimeStreamFsClass), init_class, sizeof *stream, NULL, (GTypeFlags)0);
	stream = library.g_object_new(type, NULL);
	stream->guard = guard;
	stream->file.owner = FALSE;
	stream->file.eos = FALSE;
	stream->file.fd = fd;
	library.g_mime_stream_construct((GMimeStream *)stream, 0, -1);
	return (GMimeStream *)stream;
}

static void count_field(GMimeParser *parser, const char *name, const char *value, gint64 offset,
			gpointer guard)
{
	(void)parser;
	(void)name;
	(void)value;
	(void)offset;
	((struct mail_guard *)guard)->fields++;
}

void mail_count_fields(GMimeParser *parser, struct mail_guard *guard)
{
	library.g_mime_parser_set_header_regex(parser, "", count_field, guard);
}

#else
/* ISO C asks for something in every file */
extern const char mail_library_is_missing;
#endif
