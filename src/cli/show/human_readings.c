/* SPDX-License-Identifier: Apache-2.0 */
/* Writes for people how different readers parse one input, where it leads, and what only looks like
 * the host. */
#include "cli/show/writers.h"
#include "cli/text/emit.h"

#define DOTS "..."

/* ---- The input in colours ----------------------------------------------------------- */

void human_write_uri(struct output *out, const struct item *item)
{
	const struct urivet_uri *uri = &item->report->uri;
	struct octets text = item->text;
	size_t at = 0;

	for (size_t i = 0; item->report->parsed && i < SHOWN_COMPONENTS; i++) {
		const enum urivet_component component = shown_component(i);
		struct octets part = part_of(uri, component, text);
		size_t start = uri->part[component].offset;

		if (part.length == 0)
			continue;
		output_escaped(out, text_at(text.data + at, start - at));
		human_write_part(out, item, component);
		at = start + part.length;
	}
	if (at < text.length)
		output_escaped(out, text_after(text, at));
}

/* ---- Misleading userinfo -------------------------------------------------------------------- */

static const char lure_label[] = "what a person reads";
static const char host_label[] = "what a client visits";

static bool ends_lure(uint8_t octet)
{
	return octet == '\0' || strchr("&%;=:", octet) != NULL;
}

/* Returns the part of the userinfo that looks like a host: up to its first delimiter, if that has a
 * dot. Data is NULL if there is none. */
static struct octets find_lure(const struct item *item)
{
	struct octets lure = item_part(item, URIVET_USERINFO);
	size_t length = 0;

	if (!item->report->parsed || !item_has_finding(item, URIVET_F_USERINFO_MISLEADING))
		return (struct octets){0};
	while (length < lure.length && !ends_lure(lure.data[length]))
		length++;
	lure.length = length;
	return length > 0 && memchr(lure.data, '.', length) != NULL ? lure : (struct octets){0};
}

static void write_mark(struct output *out, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		output_octet(out, i == 0 ? '^' : '~');
}

/* Writes a line with marks under the false and the real host, and a line that explains the
 * marks. */
static void write_marks(struct output *out, struct octets lure, struct octets host, size_t left,
			size_t gap)
{
	size_t lure_columns = escaped_columns(lure);

	emit(out, spaces(left), in_style(STYLE_REJECT));
	write_mark(out, lure_columns);
	emit(out, in_style(STYLE_PLAIN), spaces(gap - lure_columns), in_style(STYLE_HOST));
	write_mark(out, escaped_columns(host));
	emit(out, in_style(STYLE_PLAIN), "\n", spaces(left), painted(STYLE_REJECT, lure_label),
	     spaces(gap - strlen(lure_label)), painted(STYLE_HOST, host_label), "\n\n");
}

static void write_labelled(struct output *out, const char *label, struct octets text,
			   enum style style)
{
	emit(out, spaces(2), label, spaces(sizeof host_label + 1 - strlen(label)),
	     painted_text(style, text), "\n");
}

void human_write_lure(struct output *out, const struct item *item)
{
	struct octets lure = find_lure(item);
	struct octets host = item_part(item, URIVET_HOST);
	size_t left = 2;
	size_t gap;

	if (lure.data == NULL || host.length == 0)
		return;
	left += escaped_columns(text_at(item->text.data, (size_t)(lure.data - item->text.data)));
	gap = escaped_columns(text_at(lure.data, (size_t)(host.data - lure.data)));
	if (gap >= sizeof lure_label + 1 && left + gap + strlen(host_label) <= out->width &&
	    left + gap + escaped_columns(host) <= out->width) {
		output_spaces(out, 2);
		human_write_uri(out, item);
		output_octet(out, '\n');
		write_marks(out, lure, host, left, gap);
		return;
	}
	write_labelled(out, lure_label, lure, STYLE_USERINFO);
	write_labelled(out, host_label, host, STYLE_HOST);
	output_octet(out, '\n');
}

/* ---- The table: content ------------------------------------------------------------ */

#define READER_COLUMNS 10u
#define GAP            2u
/* The minimum width to which a column is cut. */
#define NARROW 12u

static const struct {
	const char *head;
	uint8_t component; /* the component whose colour it has */
} column[READING_COLUMNS] = {
    [COLUMN_SCHEME] = {"scheme", URIVET_SCHEME},
    [COLUMN_USERINFO] = {"userinfo", URIVET_USERINFO},
    [COLUMN_HOST] = {"host", URIVET_HOST},
    [COLUMN_PORT] = {"port", URIVET_PORT},
    [COLUMN_ADDRESS] = {"connects to", URIVET_HOST},
    [COLUMN_PATH] = {"path", URIVET_PATH},
    [COLUMN_QUERY] = {"query", URIVET_QUERY},
    [COLUMN_FRAGMENT] = {"fragment", URIVET_FRAGMENT},
};

struct table {
	const struct readings *readings;
	struct row row[URIVET_READERS];
	size_t width[READING_COLUMNS]; /* 0: the column is empty for all readers */
};

/* Returns the words to show instead of a cell's text, or NULL to show the text, if any. */
static const char *instead_of(const struct table *table, unsigned reader, unsigned col)
{
	static const char *const address[URIVET_HOST_REGISTRY + 1] = {
	    [URIVET_HOST_NAME] = "by name",
	    [URIVET_HOST_IPVFUTURE] = "nowhere",
	    [URIVET_HOST_REGISTRY] = "nowhere",
	};
	struct octets cell = table->row[reader].cell[col];

	if (col == COLUMN_ADDRESS && cell.data == NULL)
		return address[table->readings->reading[reader].uri.host_kind];
	return cell.data != NULL && cell.length == 0 ? "(empty)" : NULL;
}

static size_t cell_width(const struct table *table, unsigned reader, unsigned col)
{
	const char *words = instead_of(table, reader, col);

	return words != NULL ? strlen(words) : escaped_columns(table->row[reader].cell[col]);
}

static size_t head_width(const struct table *table, unsigned col)
{
	return strlen(column[col].head) + table->readings->differs[col];
}

static void measure(struct table *table, size_t most)
{
	for (unsigned col = 0; col < READING_COLUMNS; col++) {
		size_t widest = 0;

		for (unsigned i = 0; i < URIVET_READERS; i++) {
			size_t width =
			    table->readings->reading[i].reads ? cell_width(table, i, col) : 0;

			widest = width > widest ? width : widest;
		}
		if (widest > 0 && widest < head_width(table, col))
			widest = head_width(table, col);
		table->width[col] = widest < most ? widest : most;
	}
}

/* Returns the width before the reader's name. Several groups are marked with letters. */
static size_t indent_of(const struct table *table)
{
	return table->readings->groups > 1 ? 4 : 2;
}

static size_t total_width(const struct table *table)
{
	size_t total = indent_of(table) + READER_COLUMNS;

	for (unsigned col = 0; col < READING_COLUMNS; col++)
		total += table->width[col] > 0 ? table->width[col] + GAP : 0;
	/* The last column has no gap after it. */
	return total - GAP;
}

/* Returns the widest column that may be cut: one of host, address and port if `last_resort`, else
 * one of the others. READING_COLUMNS: none. */
static unsigned widest_column(const struct table *table, bool last_resort)
{
	unsigned widest = READING_COLUMNS;

	for (unsigned col = 0; col < READING_COLUMNS; col++) {
		bool leads = col == COLUMN_HOST || col == COLUMN_ADDRESS || col == COLUMN_PORT;

		if (leads == last_resort && table->width[col] > NARROW &&
		    (widest == READING_COLUMNS || table->width[col] > table->width[widest]))
			widest = col;
	}
	return widest;
}

static void fit(struct table *table, size_t width)
{
	while (total_width(table) > width) {
		unsigned col = widest_column(table, false);

		if (col == READING_COLUMNS)
			col = widest_column(table, true);
		if (col == READING_COLUMNS)
			return;
		table->width[col]--;
	}
}

/* ---- The table: output ------------------------------------------------------------- */

/* Writes what fits of a text, of a host its end, which shows its owner. Returns its columns. */
static size_t write_cut(struct output *out, struct octets text, size_t width, bool keep_end)
{
	size_t room = width - strlen(DOTS);
	size_t used = 0, length = 0;

	for (; length < text.length; length++) {
		size_t at = keep_end ? text.length - 1 - length : length;

		used += escaped_width(text.data[at]);
		if (used > room)
			break;
	}
	if (keep_end)
		text.data += text.length - length;
	text.length = length;
	emit(out, keep_end ? DOTS : "", text, keep_end ? "" : DOTS);
	return escaped_columns(text) + strlen(DOTS);
}

/* Pads a cell of `used` columns, unless it is in the last column. */
static void pad(struct output *out, const struct table *table, unsigned col, size_t used)
{
	size_t width = table->width[col] + GAP;

	while (++col < READING_COLUMNS && table->width[col] == 0)
		;
	if (col < READING_COLUMNS && used < width)
		output_spaces(out, width - used);
}

static void write_cell(struct output *out, const struct table *table, unsigned reader, unsigned col)
{
	const char *words = instead_of(table, reader, col);
	struct octets cell = table->row[reader].cell[col];
	size_t width = cell_width(table, reader, col);

	paint(out, words != NULL ? STYLE_NOTE : style_of_component(column[col].component));
	if (table->readings->differs[col] && width > 0)
		paint(out, STYLE_DIFFERS);
	if (words != NULL)
		output_string(out, words);
	else if (width <= table->width[col])
		output_escaped(out, cell);
	else
		width = write_cut(out, cell, table->width[col], col == COLUMN_HOST);
	paint(out, STYLE_PLAIN);
	pad(out, table, col, width);
}

static void write_heads(struct output *out, const struct table *table)
{
	const struct readings *readings = table->readings;

	emit(out, spaces(indent_of(table)), in_style(STYLE_HEAD), "reader",
	     spaces(READER_COLUMNS - strlen("reader")));
	for (unsigned col = 0; col < READING_COLUMNS; col++) {
		if (table->width[col] == 0)
			continue;
		emit(out, column[col].head, readings->differs[col] ? "*" : "");
		pad(out, table, col, head_width(table, col));
	}
	emit(out, in_style(STYLE_PLAIN), "\n");
}

static void write_row(struct output *out, const struct table *table, unsigned reader)
{
	const struct readings *readings = table->readings;
	const char *name = urivet_reader_name(reader);

	output_spaces(out, 2);
	if (readings->groups > 1) {
		output_octet(out, (char)('A' + readings->group[reader]));
		output_octet(out, ' ');
	}
	emit(out, name, spaces(READER_COLUMNS - strlen(name)));
	for (unsigned col = 0; col < READING_COLUMNS; col++) {
		if (table->width[col] > 0)
			write_cell(out, table, reader, col);
	}
	output_octet(out, '\n');
}

static void write_refusals(struct output *out, const struct readings *readings)
{
	const char *before = "refused by ";

	emit(out, spaces(readings->groups > 1 ? 4 : 2), in_style(STYLE_NOTE));
	for (unsigned i = 0; i < URIVET_READERS; i++) {
		if (readings->reading[i].reads)
			continue;
		emit(out, before, urivet_reader_name(i));
		before = ", ";
	}
	emit(out, in_style(STYLE_PLAIN), "\n");
}

/* ---- Text around the table --------------------------------------------------------- */

/* Returns true if the readers that accept the input read it octet for octet alike. Readings of one
 * group may still differ in spelling: see readings.c. */
static bool are_spelled_alike(const struct table *table)
{
	const struct row *first = NULL;

	for (unsigned i = 0; i < URIVET_READERS; i++) {
		const struct row *row = &table->row[i];

		if (!table->readings->reading[i].reads)
			continue;
		first = first == NULL ? row : first;
		for (unsigned col = 0; col < READING_COLUMNS; col++) {
			if (!text_equals(first->cell[col], row->cell[col]))
				return false;
		}
	}
	return true;
}

static void write_caption(struct output *out, const struct table *table)
{
	const struct readings *readings = table->readings;

	emit(out, "What each reader reads: ", in_style(STYLE_HEAD));
	if (readings->groups > 1) {
		emit(out, readings->groups, " readings, which differ where * stands");
	} else if (readings->groups == 0) {
		output_string(out, "nothing, for all refuse it");
	} else {
		output_string(out, are_spelled_alike(table) ? "all of them the same"
							    : "the same, spelled differently");
		output_string(out, readings->refused > 0 ? ", or they refuse it" : "");
	}
	emit(out, in_style(STYLE_PLAIN), "\n\n");
}

static void write_field(struct output *out, const char *before, const struct row *row, unsigned col)
{
	if (row->cell[col].data == NULL)
		return;
	emit(out, before, painted_text(style_of_component(column[col].component), row->cell[col]));
}

/* Writes "  browser   visits example.net, port 80", and further differences from the other
 * reader. */
static void write_visit(struct output *out, const struct table *table, unsigned reader,
			unsigned other)
{
	const struct row *row = &table->row[reader];
	const struct octets *against = table->row[other].cell;
	struct octets host = row->cell[COLUMN_HOST];
	struct octets address = row->cell[COLUMN_ADDRESS];

	emit(out, spaces(2), urivet_reader_name(reader),
	     spaces(READER_COLUMNS - strlen(urivet_reader_name(reader))),
	     host.length > 0 ? "visits" : "visits no host");
	write_field(out, " ", row, COLUMN_HOST);
	if (!text_equals(address, host))
		write_field(out, ", address ", row, COLUMN_ADDRESS);
	write_field(out, ", port ", row, COLUMN_PORT);
	if (!text_equals(row->cell[COLUMN_SCHEME], against[COLUMN_SCHEME]))
		write_field(out, ", scheme ", row, COLUMN_SCHEME);
	if (!text_equals(row->cell[COLUMN_USERINFO], against[COLUMN_USERINFO]))
		write_field(out, ", with the userinfo ", row, COLUMN_USERINFO);
	output_octet(out, '\n');
}

static void write_disagreement(struct output *out, const struct table *table)
{
	const enum urivet_reader *pair = table->readings->pair;

	emit(out, "\n", in_style(STYLE_REJECT), urivet_reader_name(pair[0]), " and ",
	     urivet_reader_name(pair[1]), " disagree:", in_style(STYLE_PLAIN), "\n");
	write_visit(out, table, pair[0], pair[1]);
	write_visit(out, table, pair[1], pair[0]);
}

void human_write_readings(struct output *out, const struct readings *readings)
{
	struct table table = {.readings = readings};

	for (unsigned i = 0; i < URIVET_READERS; i++)
		readings_cut(&table.row[i], readings, i);
	measure(&table, out->width);
	fit(&table, out->width);
	write_caption(out, &table);
	if (readings->groups > 0)
		write_heads(out, &table);
	/* the readers that accept the input, group by group */
	for (unsigned i = 0; i < readings->groups * URIVET_READERS; i++) {
		const unsigned reader = i % URIVET_READERS;

		if (readings->reading[reader].reads &&
		    readings->group[reader] == i / URIVET_READERS)
			write_row(out, &table, reader);
	}
	if (readings->refused > 0)
		write_refusals(out, readings);
	if (readings->disagree)
		write_disagreement(out, &table);
}
