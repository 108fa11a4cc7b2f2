/* SPDX-License-Identifier: Apache-2.0 */
/* Writes counts as a table: descending, equal counts sorted by key. */
#include "cli/show/census_table.h"
#include "cli/text/emit.h"
#include "common/text/is_utf8.h"
#include <errno.h>
#include <stdlib.h>

/* A row: a key with its count, or all keys that stand together. */
struct census_row {
	const struct census *counts;
	const char *what;  /* the property that is counted */
	struct octets key; /* length 0: the records have none */
	const struct counted *counted;
	bool others;
};

static void human_row(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;

	emit(out, in_columns(row->counted->count, 12), "  ", row->key,
	     row->others            ? "(others)"
	     : row->key.length == 0 ? "(none)"
				    : "",
	     "\n");
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next)
		emit(out, spaces(18), census_example(counts, at), "\n");
}

/* Writes key, count, and a column for each requested example. */
static void tsv_row(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;

	emit(out, row->key,
	     row->others            ? "\\*"
	     : row->key.length == 0 ? "\\N"
				    : "",
	     "\t", row->counted->count);
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next)
		emit(out, "\t", census_example(counts, at));
	for (uint32_t i = row->counted->examples; i < counts->samples; i++)
		output_string(out, "\t\\N");
	output_octet(out, '\n');
}

static void json_row(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;
	const bool examples = counts->samples > 0 && !row->others;

	emit(out, "{\"", row->what, "\":",
	     json_text(row->key.length > 0 ? row->key : (struct octets){0}, !is_utf8(row->key)),
	     ",\"count\":", row->counted->count, examples ? ",\"examples\":[" : "");
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next) {
		const struct octets example = census_example(counts, at);

		emit(out, at != row->counted->first ? "," : "",
		     json_text(example, !is_utf8(example)));
	}
	emit(out, examples ? "]" : "", row->others ? ",\"others\":true}\n" : "}\n");
}

const char *const count_names[] = {[COUNT_FINDING] = "finding",
				   [COUNT_HOST] = "host",
				   [COUNT_REGISTRABLE] = "registrable",
				   [COUNT_CLASS] = "class",
				   [COUNT_VERDICT] = "verdict",
				   [COUNT_SCHEME] = "scheme",
				   NULL};

static void write_rows(struct output *out, const struct census *counts,
		       const struct counted_key *rows, const struct count_options *options,
		       enum format format)
{
	static void (*const write[])(struct output *, const struct census_row *) = {
	    [FORMAT_HUMAN] = human_row, [FORMAT_TSV] = tsv_row, [FORMAT_JSON] = json_row};
	const size_t shown =
	    options->top > 0 && options->top < counts->entries ? options->top : counts->entries;
	const struct counted others = {.count = counts->others};
	struct census_row row = {.counts = counts, .what = count_names[options->by]};

	for (size_t i = 0; i < shown; i++) {
		row.key = rows[i].key;
		row.counted = rows[i].counted;
		write[format](out, &row);
	}
	row.key = (struct octets){0};
	row.counted = &others;
	row.others = true;
	if (counts->others > 0)
		write[format](out, &row);
}

static void say_bounds(const struct census *counts)
{
	if (counts->others > 0)
		complain("check: more than %zu keys: %llu counts of those that came later stand "
			 "together",
			 counts->entries, (unsigned long long)counts->others);
	if (counts->examples_full)
		complain("check: not all examples were kept");
}

bool census_write(const struct census *counts, const struct count_options *options,
		  enum format format)
{
	struct counted_key *rows = census_sorted(counts, false);
	struct output out;
	bool good = rows != NULL && paint_open(&out, COLOUR_NEVER);

	if (rows == NULL)
		complain("%s", strerror(ENOMEM));
	if (good) {
		write_rows(&out, counts, rows, options, format);
		good = output_finish(&out);
	}
	say_bounds(counts);
	free(rows);
	return good;
}
