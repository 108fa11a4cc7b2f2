/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of tables: found as by a reader that reads one octet at a time, and written with an
 * appended column that can be removed again. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create(2) */
#endif
#include "cli/records/input.h"
#include "cli/records/moment.h"
#include "cli/records/packing.h"
#include "cli/show/appended.h"

#include "../tests/built_in.h"
#include "built.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LONGEST 4096

/* ---- A naive reader of CSV and TSV ----------------------------------------------------------- */

/* The expected content of a row. */
struct meant {
	size_t length, whole, fields;
	uint8_t *field; /* the selected field, decoded */
	size_t field_length;
	bool has_field, broken;
};

/* Reads one field from its first octet. Returns where it ends. */
static size_t read_field(struct meant *row, const struct csv_form *form, const uint8_t *data,
			 size_t at, size_t end)
{
	const bool wanted = ++row->fields == form->field;
	bool inside = form->quotes && at < end && data[at] == '"', was_quoted = inside;
	if (wanted) {
		row->has_field = true;
		row->field_length = 0;
	}
	at += inside;
	for (; at < end; at++) {
		if (inside && data[at] == '"' && at + 1 < end && data[at + 1] == '"') {
			at++;
		} else if (inside && data[at] == '"') {
			inside = false;
			continue;
		} else if (!inside && (data[at] == form->separator || data[at] == '\n' ||
				       (form->crlf && data[at] == '\r' && at + 1 < end &&
					data[at + 1] == '\n'))) {
			break;
		} else if (!inside) {
			row->broken |=
			    was_quoted || (form->quotes && (data[at] == '"' || data[at] == '\r'));
		}
		row->broken |= data[at] == 0;
		if (wanted)
			row->field[row->field_length++] = data[at];
	}
	row->broken |= inside;
	return at;
}

static void read_row(struct meant *row, const struct csv_form *form, const uint8_t *data,
		     size_t end)
{
	size_t at = 0;
	*row = (struct meant){.field = row->field};
	for (;; at++) {
		at = read_field(row, form, data, at, end);
		if (at == end || data[at] != form->separator)
			break;
	}
	row->length = at;
	if (at < end)
		at += data[at] == '\r' ? 2 : 1;
	row->whole = at;
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

/* Checks that removing what was appended gives the row and its line end again. */
static void expect_appended(const struct table *table, const struct table_row *row,
			    struct octets field)
{
	static struct output out;
	struct urivet_report report;
	struct item item = {.text = field, .length = field.length, .report = &report, .number = 7};
	const size_t end = row->whole - row->insert;
	if (out.buffer == NULL && !output_open(&out, -1, 1u << 20))
		abort();
	urivet_check(&report, field.data, field.length, by_built_in(URIVET_ANY));
	out.used = 0;
	appended_write(&out, table, row, &item);
	oracle(out.used > row->whole && memcmp(out.buffer, row->text.data, row->insert) == 0 &&
		   memcmp(out.buffer + out.used - end, row->text.data + row->insert, end) == 0,
	       "a row keeps its octets");
	if (table->kind == TABLE_JSON) {
		struct json_row json;
		const size_t line_end = row->whole - row->text.length;
		json_row_read(&json, &table->path,
			      (struct octets){out.buffer, out.used - line_end});
		oracle(json.fault != NULL && strstr(json.fault, "urivet_") != NULL &&
			   json.fault_at == row->insert + row->members,
		       "what is appended to JSON is JSON, and known");
	} else {
		const struct csv_form form = table_form(table, 0);
		const struct octets written = {out.buffer, out.used};
		struct csv_row before, after;
		(void)csv_next(&before, &form, (struct octets){row->text.data, row->whole});
		oracle(csv_next(&after, &form, written) && after.fault == CSV_GOOD &&
			   after.whole == out.used &&
			   after.fields == before.fields + 2 + table->withs,
		       "a row has so many columns more");
	}
}

static void read_columns(const struct table *table, const uint8_t *data, size_t length)
{
	struct octets rest = {data, length};
	struct table_head head = {.column = table->number};
	struct field_room room = {0};
	struct csv_row first;
	struct table_row row;
	struct meant meant = {.field = room_for(length)};
	const struct csv_form form = table_form(table, table->number);
	uint64_t count = 0;
	if (length > 0 && table_head_read(&head, &first, table, rest) == NULL) {
		while (table_next(&row, table, &head, &rest, &room)) {
			read_row(&meant, &form, row.text.data,
				 (size_t)(data + length - row.text.data));
			oracle(meant.whole == row.whole && meant.length == row.text.length,
			       "a row ends where a naive reader ends it");
			meant.broken |= meant.fields != head.fields;
			oracle(meant.broken == (row.fault != NULL),
			       "a row is broken if a naive reader finds it so");
			if (!meant.broken) {
				oracle(same(row.field.data, row.field.length, meant.field,
					    meant.field_length),
				       "a field is what a naive reader decodes");
				expect_appended(table, &row, row.field);
			}
			count++;
		}
		oracle(count == table_count(table, (struct octets){data, length}),
		       "rows are counted as they are read");
	}
	free(meant.field);
	field_room_free(&room);
}

/* Checks that rows end at the same places wherever the input is cut. */
static void cut(const uint8_t *data, size_t length, size_t at)
{
	struct csv_place whole = {0}, parts = {0}, one = {0};
	const uint8_t *last = csv_row_end(&whole, (struct octets){data, length}, false), *first;
	const uint8_t *left = csv_row_end(&parts, (struct octets){data, at}, false);
	const uint8_t *right = csv_row_end(&parts, (struct octets){data + at, length - at}, false);
	oracle(last == (right != NULL ? right : left) && whole.at == parts.at,
	       "rows end alike wherever they are cut");
	first = csv_row_end(&one, (struct octets){data, length}, true);
	oracle((first != NULL) == (last != NULL) && (first == NULL || first <= last),
	       "there is a first row where there is a last one");
}

static unsigned unit_at(struct octets t, size_t at)
{
	unsigned unit = 0;
	if (t.length < 6 || at > t.length - 6 || t.data[at] != '\\' || t.data[at + 1] != 'u')
		return 0;
	for (size_t k = at + 2; k < at + 6; k++)
		unit = unit * 16 +
		       (t.data[k] <= '9' ? t.data[k] - 0x30u : (t.data[k] | 0x20u) - 0x57u);
	return unit;
}

/* Returns true if a string has an unpaired surrogate escape. Readers differ on these. */
static bool has_half_a_pair(struct octets t)
{
	for (size_t at = 0; at < t.length; at += t.data[at] == '\\' ? 2 : 1) {
		const unsigned first = unit_at(t, at) & 0xfc00u;
		const unsigned second = unit_at(t, at + 6) & 0xfc00u;
		if (first == 0xdc00 || (first == 0xd800 && second != 0xdc00))
			return true;
		if (first == 0xd800)
			at += 10;
	}
	return false;
}

static void expect_pairs(const struct table *table, const struct table_row *row)
{
	struct json_row json;
	json_row_read(&json, &table->path, row->text);
	oracle(row->unreadable || json.field.data == NULL || !has_half_a_pair(json.field),
	       "half a pair makes no character");
}

/* ---- Files in blocks --------------------------------------------------------------------------- */

/* Fills a file in memory, and returns its name. */
static const char *file_of(unsigned k, struct octets text)
{
	static int fd[2];
	static char name[2][32];
	if (fd[k] == 0) {
		fd[k] = memfd_create("fuzz_tables", MFD_CLOEXEC);
		snprintf(name[k], sizeof name[k], "/dev/fd/%d", fd[k]);
	}
	if (fd[k] < 0 || ftruncate(fd[k], 0) != 0 || pwrite(fd[k], text.data, text.length, 0) != (ssize_t)text.length)
		abort();
	return name[k];
}

/* Two files read in blocks of a few octets are the files, with the line end that the first may lack
 * (its last CR is data). Records above the limit come in parts, without their line ends. */
static void expect_blocks(struct octets text, struct dice *d)
{
	const size_t cut = below(d, (uint32_t)text.length + 1);
	const struct octets first = {text.data, cut}, second = {text.data + cut, text.length - cut};
	const char *const names[] = {file_of(0, first), file_of(1, second)};
	static struct input input;
	struct builder got = {room_for(text.length + 2), 0};
	const bool lacks = cut > 0 && text.data[cut - 1] != '\n';
	size_t more = lacks; /* octets that no file has */
	enum input_event event;
	struct octets piece;
	if (packing_of_file(first, true) != NULL || packing_of_file(second, true) != NULL) {
		free(got.text);
		return;
	}
	input = (struct input){.source = {.file = names, .files = 2, .nul_ends = true, .fd = -1},
			       .terminator = '\n',
			       .crlf = below(d, 2) == 0,
			       .limit = 1 + below(d, 40),
			       .block = 1 + below(d, 64)};
	more += lacks && input.crlf && text.data[cut - 1] == '\r';
	oracle(input_open(&input), "a file can be opened");
	while ((event = input_next(&input, &piece)) != INPUT_END) {
		const size_t begin = got.length;
		oracle(piece.length <= text.length + more - got.length, "no octet comes twice");
		add(&got, piece.data, piece.length);
		if (event == INPUT_RECORDS)
			continue;
		while (input_rest(&input, &piece))
			add(&got, piece.data, piece.length);
		oracle(got.length - begin > input.limit, "a long record is longer than the limit");
		oracle(!input.crlf || input.ending.length != 1 || got.text[got.length - 1] != '\r' || got.length == cut,
		       "a CR before a line end is of it");
		more = got.length == cut ? lacks : more;
		add(&got, input.ending.data, input.ending.length);
	}
	oracle(got.length == text.length + more && memcmp(got.text, text.data, cut) == 0 &&
		   memcmp(got.text + cut, &"\r\n"[2 - more], more) == 0 &&
		   memcmp(got.text + cut + more, second.data, second.length) == 0,
	       "files in blocks are the files");
	source_close(&input.source);
	free(input.buffer.data);
	free(got.text);
}

/* ---- When something happened ---------------------------------------------------------------------- */

/* Returns how a time with such a zone is read. */
static int64_t moment_in(const char *written, const char *zone)
{
	char text[2 * MOMENT_CAPACITY];
	const int length = snprintf(text, sizeof text, "%s%s", written, zone);
	int64_t seconds = 0;
	oracle(moment_read(&seconds, (struct octets){(const uint8_t *)text, (size_t)length}) ==
		   (size_t)length,
	       "a time that is written is read");
	return seconds;
}

/* Checks the zones: east of Greenwich, local time is ahead of UTC at the same moment. */
static void expect_moment(struct octets text)
{
	static const struct {
		const char *zone;
		int64_t later;
	} zones[] = {{"", 0}, {"Z", 0}, {"+02:00", 7200}, {"-0930", -34200}, {"+00:00", 0}};
	const int64_t year_1 = -62135596800, year_9999 = 253370764800;
	char written[MOMENT_CAPACITY];
	int64_t seconds;
	if (moment_read(&seconds, text) == 0 || seconds < year_1 || seconds > year_9999)
		return;
	moment_write(written, seconds, 6);
	for (size_t k = 0; k < sizeof zones / sizeof zones[0]; k++)
		oracle(moment_in(written, zones[k].zone) == seconds - zones[k].later,
		       "a time is as much earlier in UTC as its zone is east");
}

/* A date that the calendar of the C library has is read as its moment, and no other one. With a time_t of
 * 32 bits, that calendar ends in 2038. */
static void expect_date(struct dice *d)
{
	if (sizeof(time_t) < sizeof(int64_t))
		return;
	static const int years[] = {1900, 1970, 2000, 2023, 2024, 2038, 2100, 2400, 1600, 1, 9999};
	const int year = years[below(d, COUNT(years))], month = 1 + (int)below(d, 12), day = 28 + (int)below(d, 4);
	struct tm date = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day}, again;
	const time_t moment = timegm(&date);
	char text[32];
	const int length = snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
	int64_t seconds = 0;
	const bool is = moment_read(&seconds, (struct octets){(const uint8_t *)text, (size_t)length}) == (size_t)length,
		   there = gmtime_r(&moment, &again) != NULL && again.tm_mday == day;
	if (is != there)
		fprintf(stderr, "%s\n", text);
	oracle(is == there && (!is || seconds == moment), "a date is one of the calendar");
	expect_moment((struct octets){(const uint8_t *)text, (size_t)length});
}

static void read_lines(const struct table *table, const uint8_t *data, size_t length)
{
	struct octets rest = {data, length};
	struct table_head head = {0};
	struct field_room room = {0};
	struct table_row row;
	while (table_next(&row, table, &head, &rest, &room)) {
		if (row.fault == NULL) {
			expect_appended(table, &row, row.field);
			expect_pairs(table, &row);
		}
		oracle(row.fault != NULL || row.unreadable || row.field.length <= row.text.length,
		       "a field is no longer than its row");
		oracle(row.unreadable || row.field.length == 0 ||
			   memchr(row.field.data, 0, row.field.length) == NULL,
		       "a field of JSON has no NUL");
	}
	field_room_free(&room);
}

/* ---- Objects whose field is known ------------------------------------------------------------- */

#define ROW_MOST 4096

/* Writes members that have nothing to do with the path a.url, though their names and depths are those
 * of it. */
static void put_others(struct builder *b, struct dice *d, bool first, const char *forbidden)
{
	static const char *const others[] = {"\"b\":{\"url\":\"no\"}",
					     "\"b\":{\"a\":{\"url\":\"no\"}}",
					     "\"b\":[{\"url\":\"no\"}]",
					     "\"c\":[{\"a\":{\"url\":1}}]",
					     "\"a.url\":\"no\"",
					     "\"b\":\"a\"",
					     "\"url\":\"no\"",
					     "\"ur\":{\"l\":[]}",
					     "\"b\":{}",
					     "\"d\":[[],{},-1.5e3,null]"};
	for (uint32_t count = below(d, 4); count > 0; count--) {
		const char *const other = others[below(d, sizeof others / sizeof others[0])];
		if (strncmp(other, forbidden, strlen(forbidden)) == 0)
			continue;
		add_word(b, first ? "" : ",");
		add_word(b, other);
		add_word(b, first ? "," : "");
	}
}

/* Members of an object that readers take for what is appended, or for the field, and others do not. */
static void expect_doubtful_row(const struct table *table, struct dice *d)
{
	static const char *const members[] = {"\"urivet_verdict\":1", "\"URIVET_verdict\":1", "\"uRiVeT_\":{}",
					      "\"urivet\\u005fx\":1",	"\"\\u0055rivet_a\":[]"};
	static const char *const alike[] = {"URL", "uRl", "url\\u0000", "url\\u0000x", "url", "\\u0055rl"};
	const bool nested = table->path.names == 2, reserves = below(d, 2) == 0;
	char text[ROW_MOST];
	struct builder b = {text, 0};
	struct json_row row;
	add_word(&b, "{");
	put_others(&b, d, true, nested ? "\"a\"" : "\"url\"");
	add_word(&b, nested ? "\"a\":{" : "");
	add_word(&b, "\"url\":\"y\"");
	if (!reserves) {
		add_word(&b, ",\"");
		add_word(&b, alike[below(d, sizeof alike / sizeof alike[0])]);
		add_word(&b, "\":\"n\"");
	}
	add_word(&b, nested ? "}" : "");
	if (reserves) {
		add_word(&b, ",");
		add_word(&b, members[below(d, sizeof members / sizeof members[0])]);
	}
	add_word(&b, "}");
	json_row_read(&row, &table->path, (struct octets){(const uint8_t *)text, b.length});
	if (reserves ? row.fault == NULL : row.fault == NULL && !row.ambiguous)
		fprintf(stderr, "%.*s\n", (int)b.length, text);
	oracle(!reserves || row.fault != NULL, "a name that is appended is in no row before");
	oracle(reserves || row.fault != NULL || row.ambiguous, "a field that another name looks like is ambiguous");
}

/* The field is the string at its path, whatever other members have names of the path. */
static void expect_built_row(const struct table *table, struct dice *d)
{
	static const char *const values[] = {"yes", "", "y\\u0065s", "\\\"a\\\":{\\\"url\\\":"};
	const char *const value = values[below(d, sizeof values / sizeof values[0])];
	const bool nested = table->path.names == 2, there = below(d, 4) > 0;
	char text[ROW_MOST];
	struct builder b = {text, 0};
	struct json_row row;
	add_word(&b, below(d, 2) == 0 ? "{" : " { ");
	put_others(&b, d, true, nested ? "\"a\"" : "\"url\"");
	add_word(&b, nested ? "\"a\":{" : "");
	if (nested)
		put_others(&b, d, true, "\"url\"");
	add_word(&b, there ? "\"url\": \"" : "\"x\":\"");
	add_word(&b, value);
	add_word(&b, "\"");
	if (nested)
		put_others(&b, d, false, "\"url\"");
	add_word(&b, nested ? "}" : "");
	put_others(&b, d, false, nested ? "\"a\"" : "\"url\"");
	add_word(&b, "}");
	json_row_read(&row, &table->path, (struct octets){(const uint8_t *)text, b.length});
	if (row.fault != NULL || row.ambiguous || (row.field.data != NULL) != there)
		fprintf(stderr, "%.*s\n", (int)b.length, text);
	oracle(row.fault == NULL && !row.ambiguous, "an object without a fault is read");
	oracle((row.field.data != NULL) == there, "a field is the one at its path, or none");
	oracle(!there || same(row.field.data, row.field.length, value, strlen(value)),
	       "a field is the one at its path, or none");
}

/* A value is the octets that its escapes were made of (RFC 8259, 7). */
static void expect_decoded(struct dice *d)
{
	static const struct {
		const char *escape, *octets;
	} all[] = {{"\\t", "\t"}, {"\\n", "\n"}, {"\\f", "\f"}, {"\\r", "\r"}, {"\\b", "\b"}, {"\\/", "/"}, {"\\\\", "\\"}, {"\\\"", "\""},
		   {"\\u000C", "\f"}, {"\\u007f", "\x7f"}, {"\\u0080", "\xc2\x80"}, {"\\u07FF", "\xdf\xbf"}, {"\\u0800", "\xe0\xa0\x80"},
		   {"\\uFfFf", "\xef\xbf\xbf"}, {"\\ud800\\uDC00", "\xf0\x90\x80\x80"}, {"\\uDBFF\\udfff", "\xf4\x8f\xbf\xbf"}, {"a", "a"}};
	char text[256], octets[256], got[256];
	struct builder from = {text, 0}, to = {octets, 0};
	size_t length = 0;
	for (uint32_t count = below(d, 12); count > 0; count--) {
		const uint32_t k = below(d, sizeof all / sizeof all[0]);
		add_word(&from, all[k].escape);
		add_word(&to, all[k].octets);
	}
	oracle(json_decode((uint8_t *)got, &length, (struct octets){(const uint8_t *)text, from.length}) &&
		   same(got, length, octets, to.length),
	       "escapes of JSON are the octets that they stand for");
}

/* The first octet chooses the kind of table and the column. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct table table = {.record_most = LONGEST, .withs = WITHS - 1};
	struct dice d = dice_of(data, length);
	uint8_t *copy;
	if (length == 0 || length > LONGEST)
		return -1;
	for (uint8_t k = 0; k < table.withs; k++)
		table.with[k] = k;
	table.kind = (enum table_kind)(TABLE_CSV + data[0] % 3);
	table.number = 1 + data[0] / 3u % 4;
	table.crlf = data[0] >= 0x80;
	if (!json_path_read(&table.path, data[0] >= 0x80 ? "a.url" : "url"))
		abort();
	copy = room_for(length - 1);
	memcpy(copy, data + 1, length - 1);
	expect_moment((struct octets){copy, length - 1});
	expect_date(&d);
	expect_blocks((struct octets){copy, length - 1}, &d);
	if (table.kind == TABLE_JSON) {
		expect_decoded(&d);
		expect_built_row(&table, &d);
		expect_doubtful_row(&table, &d);
		read_lines(&table, copy, length - 1);
	} else {
		read_columns(&table, copy, length - 1);
		cut(copy, length - 1, (length - 1) / 2);
	}
	free(copy);
	return 0;
}
