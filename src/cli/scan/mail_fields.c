/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the header fields of messages and parts, with their encoded words. */
#ifdef HAVE_GMIME
#include "cli/scan/mail_fields.h"
#include <ctype.h>
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

/* ---- Fields and parameters that contradict each other --------------------------------------- */

/* A field's octets, or those of a piece of its value. */
struct piece {
	const char *data;
	size_t length;
};

/* The next parameter of a value, after a semicolon outside quotes: *at is moved behind it. */
static bool next_parameter(const char **at, struct piece *parameter)
{
	bool quoted = false;
	const char *begin = strchr(*at, ';');

	if (begin == NULL)
		return false;
	*at = begin + 1;
	while (**at != '\0' && (quoted || **at != ';')) {
		if (**at == '\\' && quoted && (*at)[1] != '\0')
			++*at;
		quoted ^= **at == '"';
		++*at;
	}
	*parameter = (struct piece){begin, (size_t)(*at - begin)};
	while (strchr(" \t\r\n", begin[parameter->length - 1]) != NULL)
		parameter->length--; /* the line end is that of the field */
	return true;
}

/* The name of a parameter, which begins with a semicolon. */
static struct piece name_of(struct piece parameter)
{
	const size_t skipped = 1 + strspn(parameter.data + 1, " \t\r\n");

	return (struct piece){parameter.data + skipped,
			      strcspn(parameter.data + skipped, "= \t\r\n;")};
}

/* Finds two parameters of one name in a raw value, which stands at the offset. */
static bool find_twice(struct conflict *conflict, const char *raw, uint64_t offset)
{
	const char *at = raw;
	struct piece one;

	while (next_parameter(&at, &one)) {
		const char *after = at;
		const struct piece name = name_of(one);
		struct piece other;

		while (name.length > 0 && next_parameter(&after, &other)) {
			if (name_of(other).length != name.length ||
			    strncasecmp(name_of(other).data, name.data, name.length) != 0)
				continue;
			conflict->one.begin = offset + (uint64_t)(one.data - raw);
			conflict->one.end = conflict->one.begin + one.length;
			conflict->other.begin = offset + (uint64_t)(other.data - raw);
			conflict->other.end = conflict->other.begin + other.length;
			return true;
		}
	}
	return false;
}

/* Does the field tell how a part is read? */
static bool tells_reading(const char *name)
{
	return name != NULL && (strcasecmp(name, "Content-Type") == 0 ||
				strcasecmp(name, "Content-Transfer-Encoding") == 0 ||
				strcasecmp(name, "Content-Disposition") == 0);
}

static uint64_t end_of(const struct mail_library *lib, const struct field *field)
{
	return field->offset + strlen(lib->g_mime_header_get_raw_name(field->header)) + 1 +
	       strlen(lib->g_mime_header_get_raw_value(field->header));
}

static bool contradicts(const struct mail_library *lib, const struct field *one,
			const struct field *other)
{
	const char *name = lib->g_mime_header_get_raw_name(other->header);
	const char *a = lib->g_mime_header_get_raw_value(one->header);
	const char *b = lib->g_mime_header_get_raw_value(other->header);

	return name != NULL && a != NULL && b != NULL && strcmp(a, b) != 0 &&
	       strcasecmp(lib->g_mime_header_get_raw_name(one->header), name) == 0;
}

/* Finds what readers settle in different ways. Returns the later field of the two, or the one with two
 * parameters; NULL if there is none. */
static const struct field *find_conflict(const struct mail_library *lib, struct conflict *conflict,
				 const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = lib->g_mime_header_get_raw_name(fields[i].header);
		const char *raw = lib->g_mime_header_get_raw_value(fields[i].header);

		if (!tells_reading(name) || raw == NULL)
			continue;
		if (find_twice(conflict, raw, fields[i].offset + strlen(name) + 1))
			return &fields[i];
		for (size_t k = i + 1; k < count; k++) {
			if (!contradicts(lib, &fields[i], &fields[k]))
				continue;
			conflict->one.begin = fields[i].offset;
			conflict->one.end = end_of(lib, &fields[i]);
			conflict->other.begin = fields[k].offset;
			conflict->other.end = end_of(lib, &fields[k]);
			return &fields[k];
		}
	}
	return NULL;
}

/* Writes a row that refuses the field: no URL of the message has one reading. */
static void refuse_field(struct mailbox *mailbox, const struct field *field, const char *part,
			 const char *name)
{
	const char *raw = mailbox->lib->g_mime_header_get_raw_value(field->header);
	struct place place = mailbox_place(mailbox, field->offset, part, name);

	place.kind = "field";
	place.text = text_of(raw != NULL ? raw + strspn(raw, " \t") : "");
	while (place.text.length > 0 && isspace(place.text.data[place.text.length - 1]))
		place.text.length--;
	scan_refuse(mailbox->scanner, &place);
}

/* True: the message is judged in another way, by each of two fields. */
static bool has_conflict(struct mailbox *mailbox, const struct field *fields, size_t count,
			 const char *part)
{
	struct conflict conflict = {0};
	const struct field *field = find_conflict(mailbox->lib, &conflict, fields, count);
	const char *name;

	if (field == NULL || mailbox->conflict.one.end > 0)
		return false;
	name = mailbox->lib->g_mime_header_get_raw_name(field->header);
	refuse_field(mailbox, field, part, name);
	if (mailbox->readings == MAIL_READINGS_MOST) {
		mailbox_tell(mailbox, part, "one of its readings is judged: it has many by ", name);
		return false;
	}
	mailbox_tell(mailbox, part,
		     "it is judged in two ways, as readers differ: there are two of ", name);
	mailbox->conflict = conflict;
	return true;
}

/* ---- Reading -------------------------------------------------------------------------------- */

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
	if (end_of(lib, field) > mailbox->settled)
		mailbox->settled = end_of(lib, field);
}

/* Reads the fields of one header, which a message and its content share. */
bool mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part)
{
	bool is_clear;

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
		return true;
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
	is_clear = !has_conflict(mailbox, fields, count, part);
	for (size_t i = 0; is_clear && i < count; i++)
		read_field(mailbox, &fields[i], part);
	free(fields);
	return is_clear;
}

#else
extern const char mail_fields_is_missing;
#endif
