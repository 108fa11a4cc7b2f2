/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all readers, and groups equivalent readings. */
#include "cli/judge/readings.h"
#include "common/hex.h"
#include "common/text/secrets.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- Reading ------------------------------------------------------------------------ */

size_t readings_room(enum urivet_reader reader, size_t length)
{
	bool writes = reader == URIVET_READER_BROWSER || reader == URIVET_READER_RESOLVER;

	return writes ? URIVET_READING_CAPACITY(length) : 0;
}

static void ask_all(struct readings *readings, struct octets text)
{
	uint8_t *room = readings->room;

	for (unsigned i = 0; i < URIVET_READERS; i++) {
		struct urivet_reading *reading = &readings->reading[i];
		size_t capacity = readings_room((enum urivet_reader)i, text.length);

		readings->source[i] = text;
		if (!urivet_read_as(reading, (enum urivet_reader)i, text.data, text.length,
				    (char *)room, capacity)) {
			*reading = (struct urivet_reading){.uri.port = URIVET_NO_PORT};
			readings->refused++;
		} else if (reading->written > 0) {
			readings->source[i] = text_at(room, reading->written);
		}
		room += capacity;
	}
}

/* ---- Columns ------------------------------------------------------------------------- */

static const uint8_t component_of[READING_COLUMNS] = {
    [COLUMN_SCHEME] = URIVET_SCHEME,     [COLUMN_USERINFO] = URIVET_USERINFO,
    [COLUMN_HOST] = URIVET_HOST,         [COLUMN_PORT] = URIVET_PORT,
    [COLUMN_PATH] = URIVET_PATH,         [COLUMN_QUERY] = URIVET_QUERY,
    [COLUMN_FRAGMENT] = URIVET_FRAGMENT,
};

void readings_cut(struct row *row, const struct readings *readings, unsigned reader)
{
	const struct urivet_reading *reading = &readings->reading[reader];
	const struct urivet_uri *uri = &reading->uri;

	memset(row, 0, sizeof *row);
	if (!reading->reads)
		return;
	for (unsigned i = 0; i < READING_COLUMNS; i++) {
		if (i != COLUMN_ADDRESS)
			row->cell[i] = part_of(uri, component_of[i], readings->source[reader]);
	}
	if (row->cell[COLUMN_PORT].length == 0 && uri->port != URIVET_NO_PORT) {
		(void)snprintf(row->port, sizeof row->port, "%lu", (unsigned long)uri->port);
		row->cell[COLUMN_PORT] = text_of(row->port);
	}
	if (urivet_format_address(row->address, sizeof row->address, uri) != 0)
		row->cell[COLUMN_ADDRESS] = text_of(row->address);
}

/* ---- Comparing ------------------------------------------------------------------------- */

static bool is_same_word(struct octets a, struct octets b)
{
	return (a.data == NULL) == (b.data == NULL) && text_equals_in_any_case(a, b);
}

uint8_t next_octet(struct octets *text)
{
	uint8_t octet = text->data[0];
	size_t length = 1;

	if (octet == '%' && text->length > 2 && hex_value(text->data[1]) < 16 &&
	    hex_value(text->data[2]) < 16) {
		octet = (uint8_t)(hex_value(text->data[1]) << 4 | hex_value(text->data[2]));
		length = 3;
	}
	*text = text_after(*text, length);
	return octet;
}

static bool is_same_data(struct octets a, struct octets b)
{
	if ((a.data == NULL) != (b.data == NULL))
		return false;
	while (a.length > 0 && b.length > 0) {
		if (next_octet(&a) != next_octet(&b))
			return false;
	}
	return a.length == b.length;
}

static bool is_root(struct octets path)
{
	return path.length == 0 || (path.length == 1 && path.data[0] == '/');
}

/* Returns true if two readings are equivalent in this column. Ignores letter case of scheme and
 * host, leading zeros of the port, escapes, and the difference between an empty path and "/" after
 * an authority. */
static bool means_same(const struct readings *readings, const struct row row[], unsigned a,
		       unsigned b, unsigned column)
{
	const struct urivet_uri *one = &readings->reading[a].uri;
	const struct urivet_uri *other = &readings->reading[b].uri;
	struct octets x = row[a].cell[column];
	struct octets y = row[b].cell[column];

	if (column == COLUMN_PORT && one->port != URIVET_NO_PORT)
		return one->port == other->port;
	if (column == COLUMN_PATH && urivet_has(one, URIVET_HOST) &&
	    urivet_has(other, URIVET_HOST) && is_root(x) && is_root(y))
		return true;
	if (column == COLUMN_SCHEME || column == COLUMN_HOST || column == COLUMN_ADDRESS)
		return is_same_word(x, y);
	return is_same_data(x, y);
}

/* Records the columns in which two readings differ. Returns true if there are none. */
static bool compare(struct readings *readings, const struct row row[], unsigned a, unsigned b)
{
	bool same = true;

	for (unsigned i = 0; i < READING_COLUMNS; i++) {
		if (!means_same(readings, row, a, b, i)) {
			readings->differs[i] = true;
			same = false;
		}
	}
	return same;
}

static void group_all(struct readings *readings)
{
	struct row row[URIVET_READERS];

	for (unsigned i = 0; i < URIVET_READERS; i++) {
		unsigned like = 0;

		readings_cut(&row[i], readings, i);
		if (!readings->reading[i].reads)
			continue;
		while (like < i &&
		       !(readings->reading[like].reads && compare(readings, row, like, i)))
			like++;
		readings->group[i] = like < i ? readings->group[like] : readings->groups++;
	}
}

/* ---- Entry points ---------------------------------------------------------------------- */

bool readings_take(struct readings *readings, struct octets text, struct urivet_report *report,
		   const struct urivet_policy *policy)
{
	size_t capacity = 2 * URIVET_READING_CAPACITY(text.length);

	memset(readings, 0, sizeof *readings);
	readings->room = malloc(capacity);
	if (readings->room == NULL)
		return false;
	readings->disagree = urivet_readers_disagree(to_library(text), (char *)readings->room,
						     capacity, readings->pair, report, policy);
	ask_all(readings, text);
	group_all(readings);
	return true;
}

void readings_mask(struct readings *readings, struct octets masked)
{
	uint8_t *room = readings->room;

	for (unsigned i = 0; i < URIVET_READERS; i++) {
		if (readings->reading[i].written == 0)
			readings->source[i] = masked;
		else
			mask_secrets_read(
			    room + (readings->source[i].data - room), readings->source[i].length,
			    readings->reading[i].uri.part[URIVET_PATH].offset, masked);
	}
}

void readings_free(struct readings *readings)
{
	free(readings->room);
	readings->room = NULL;
}
