/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the header fields of messages and parts, with their encoded words. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_fields.h"
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

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
	mailbox_read_rest(mailbox, field->offset);
	place = mailbox_place(mailbox, field->offset, part, name);
	mailbox_judge_text(mailbox, text_of(value), &place, !is_shown(name));
	if (field->offset + strlen(name) + 1 + strlen(raw) > mailbox->settled)
		mailbox->settled = field->offset + strlen(name) + 1 + strlen(raw);
}

/* Reads the fields of one header, which a message and its content share. */
void mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part)
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
		mailbox_tell(mailbox, part, strerror(ENOMEM), "");
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

#else
extern const char mail_fields_is_missing;
#endif
