/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the header fields of messages and parts, with their encoded words. */
#ifdef HAVE_GMIME
#include "cli/scan/mailbox.h"
#include "common/grow.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#define WHITE " \t\r\n"

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
	const struct field *a = one, *b = other;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* ---- Fields and parameters that contradict each other --------------------------------------- */

/* The next parameter of a value, after a semicolon outside quotes: *at is moved behind it. */
static bool next_parameter(const char **at, struct octets *parameter)
{
	bool quoted = false;
	const char *begin = strchr(*at, ';');

	if (begin == NULL)
		return false;
	*at = begin + 1;
	while (**at != '\0' && (quoted || **at != ';')) {
		quoted ^= **at == '"';
		*at += **at == '\\' && quoted && (*at)[1] != '\0' ? 2 : 1;
	}
	/* the line end is that of the field */
	*parameter = text_trim(text_at(begin, (size_t)(*at - begin)), "", WHITE);
	return true;
}

/* The name of a parameter, which begins with a semicolon. */
static struct octets name_of(struct octets parameter)
{
	struct octets name = text_trim(text_after(parameter, 1), WHITE, "");
	size_t length = 0;

	while (length < name.length && !is_one_of(name.data[length], "=;" WHITE))
		length++;
	return text_at(name.data, length);
}

static int compare_names(const void *one, const void *other)
{
	const struct octets *a = one, *b = other;
	const struct octets x = name_of(*a), y = name_of(*b);
	const int order = strncasecmp((const char *)x.data, (const char *)y.data,
				      x.length < y.length ? x.length : y.length);

	if (order != 0 || x.length != y.length)
		return order != 0 ? order : x.length < y.length ? -1 : 1;
	return a->data < b->data ? -1 : a->data > b->data;
}

/* Returns the first parameter of which the name occurs again, and stores the next one of that name.
 * The parameters are sorted. Data is NULL if there is none. */
static struct octets find_equal(const struct octets *parameter, size_t count, struct octets *other)
{
	struct octets first = {.data = NULL};

	for (size_t i = 0; i + 1 < count; i++) {
		const struct octets name = name_of(parameter[i]), next = name_of(parameter[i + 1]);

		if (name.length == 0 || !text_equals_in_any_case(name, next) ||
		    (first.data != NULL && first.data < parameter[i].data))
			continue;
		first = parameter[i];
		*other = parameter[i + 1];
	}
	return first;
}

/* Finds two parameters of one name in a raw value, which stands at the offset. */
static bool find_twice(struct mailbox *mailbox, struct conflict *conflict, const char *raw,
		       uint64_t offset)
{
	const char *at = raw;
	struct octets *parameter = NULL, one, other = {.data = NULL};
	size_t capacity = 0, count = 0;

	while (next_parameter(&at, &one)) {
		if (!grow(&parameter, &capacity, count + 1, sizeof one)) {
			mailbox_warn(mailbox, NULL, strerror(ENOMEM), "");
			break;
		}
		parameter[count++] = one;
	}
	if (count > 1)
		qsort(parameter, count, sizeof *parameter, compare_names);
	one = find_equal(parameter, count, &other);
	free(parameter);
	if (one.data == NULL)
		return false;
	conflict->one.begin = offset + (uint64_t)(one.data - (const uint8_t *)raw);
	conflict->one.end = conflict->one.begin + one.length;
	conflict->other.begin = offset + (uint64_t)(other.data - (const uint8_t *)raw);
	conflict->other.end = conflict->other.begin + other.length;
	return true;
}

/* The fields by which a part is read. */
static const char *const reading_names[] = {"Content-Type", "Content-Transfer-Encoding",
					    "Content-Disposition"};
#define READING_NAMES (sizeof reading_names / sizeof reading_names[0])

/* Returns the number of a name, or READING_NAMES. */
static size_t reading_name(const char *name)
{
	size_t i = 0;

	while (name != NULL && i < READING_NAMES && strcasecmp(name, reading_names[i]) != 0)
		i++;
	return name != NULL ? i : READING_NAMES;
}

static uint64_t end_of(const struct field *field)
{
	return field->offset + strlen(gmime.g_mime_header_get_raw_name(field->header)) + 1 +
	       strlen(gmime.g_mime_header_get_raw_value(field->header));
}

/* The first field of a name, and the first one after it with another value. */
struct rivals {
	const struct field *first;
	const struct field *other;
};

static void find_rivals(struct rivals rivals[READING_NAMES], const struct field *fields,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const size_t name =
		    reading_name(gmime.g_mime_header_get_raw_name(fields[i].header));
		const char *raw = gmime.g_mime_header_get_raw_value(fields[i].header);

		if (name == READING_NAMES || raw == NULL || rivals[name].other != NULL)
			continue;
		if (rivals[name].first == NULL)
			rivals[name].first = &fields[i];
		else if (strcmp(raw,
				gmime.g_mime_header_get_raw_value(rivals[name].first->header)) != 0)
			rivals[name].other = &fields[i];
	}
}

/* Finds what readers settle in different ways. Returns the later field of the two, or the one with two
 * parameters; NULL if there is none. */
static const struct field *find_conflict(struct mailbox *mailbox, struct conflict *conflict,
					 const struct field *fields, size_t count)
{
	struct rivals rivals[READING_NAMES] = {{NULL, NULL}};

	find_rivals(rivals, fields, count);
	for (size_t i = 0; i < count; i++) {
		const char *name = gmime.g_mime_header_get_raw_name(fields[i].header);
		const size_t which = reading_name(name);
		const char *raw = gmime.g_mime_header_get_raw_value(fields[i].header);
		const struct field *other;

		if (which == READING_NAMES || raw == NULL)
			continue;
		if (find_twice(mailbox, conflict, raw, fields[i].offset + strlen(name) + 1))
			return &fields[i];
		other = rivals[which].other;
		if (rivals[which].first != &fields[i] || other == NULL)
			continue;
		conflict->one.begin = fields[i].offset;
		conflict->one.end = end_of(&fields[i]);
		conflict->other.begin = other->offset;
		conflict->other.end = end_of(other);
		return other;
	}
	return NULL;
}

/* Writes a row that refuses the field: no URL of the message has one reading. */
static void refuse_field(struct mailbox *mailbox, const struct field *field, const char *part,
			 const char *name)
{
	const char *raw = gmime.g_mime_header_get_raw_value(field->header);
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
	const struct field *field = find_conflict(mailbox, &conflict, fields, count);
	const char *name;

	if (field == NULL || mailbox->conflict.one.end > 0)
		return false;
	name = gmime.g_mime_header_get_raw_name(field->header);
	refuse_field(mailbox, field, part, name);
	if (mailbox->readings == MAIL_READINGS_MOST ||
	    mailbox->budget->readings + 2 > MAIL_BUDGET_READINGS) {
		mailbox_warn(mailbox, part, "one of its readings is judged: it has many by ", name);
		return false;
	}
	mailbox_warn(mailbox, part,
		     "it is judged in two ways, as readers differ: there are two of ", name);
	mailbox->budget->readings += 2;
	mailbox->conflict = conflict;
	return true;
}

/* ---- Reading -------------------------------------------------------------------------------- */

static void read_field(struct mailbox *mailbox, const struct field *field, const char *part)
{
	const char *name = gmime.g_mime_header_get_raw_name(field->header);
	const char *raw = gmime.g_mime_header_get_raw_value(field->header);
	const char *value = gmime.g_mime_header_get_value(field->header);
	struct place place;

	if (name == NULL || raw == NULL || value == NULL)
		return; /* then it is read with the rest */
	mailbox_read_rest(mailbox, field->offset);
	place = mailbox_place(mailbox, field->offset, part, name);
	mailbox_judge_text(mailbox, text_of(value), &place, !is_shown(name));
	if (end_of(field) > mailbox->settled)
		mailbox->settled = end_of(field);
}

bool mail_read_fields(struct mailbox *mailbox, void *one, void *other, const char *part)
{
	void *const objects[] = {one, other};
	struct field *fields = NULL;
	size_t capacity = 0, count = 0;
	bool is_clear, good = true;

	for (unsigned i = 0; i < 2 && objects[i] != NULL; i++) {
		GMimeHeaderList *list = gmime.g_mime_object_get_header_list(objects[i]);

		for (int k = 0; good && k < gmime.g_mime_header_list_get_count(list); k++) {
			GMimeHeader *header = gmime.g_mime_header_list_get_header_at(list, k);
			const gint64 offset = gmime.g_mime_header_get_offset(header);

			if (offset < 0) /* it stands in no file: the library made it */
				continue;
			good = grow(&fields, &capacity, count + 1, sizeof *fields);
			if (good)
				fields[count++] = (struct field){(uint64_t)offset, header};
		}
	}
	if (!good)
		mailbox_warn(mailbox, part, strerror(ENOMEM), "");
	if (!good || count == 0) {
		free(fields);
		return true;
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
