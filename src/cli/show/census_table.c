/* SPDX-License-Identifier: Apache-2.0 */
/* Writes counts as a table: descending, equal counts sorted by key. */
#include "cli/show/census_table.h"
#include "cli/show/emit.h"
#include "cli/show/is_utf8.h"
#include <errno.h>
#include <stdlib.h>

/* ---- Human ---------------------------------------------------------------------------- */

static void human_count(struct output *out, uint64_t count)
{
	size_t digits = 1;

	for (uint64_t rest = count; rest > 9; rest /= 10)
		digits++;
	emit(out, spaces(digits < 12 ? 12 - digits : 0), count, "  ");
}

static void human_row(struct output *out, const struct census *counts,
		      const struct counted_key *row, const char *what)
{
	(void)what;
	human_count(out, row->counted->count);
	if (row->key.length > 0)
		output_escaped(out, row->key);
	else
		output_string(out, "(none)");
	output_octet(out, '\n');
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next) {
		emit(out, spaces(18), census_example(counts, at), "\n");
	}
}

static void human_others(struct output *out, const struct census *counts, const char *what)
{
	(void)what;
	human_count(out, counts->others);
	output_string(out, "(others)\n");
}

/* ---- TSV: key, count, and a column for each requested example ------------------------------- */

static void tsv_row(struct output *out, const struct census *counts, const struct counted_key *row,
		    const char *what)
{
	(void)what;
	if (row->key.length > 0)
		output_escaped(out, row->key);
	else
		output_string(out, "\\N");
	emit(out, "\t", row->counted->count);
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next) {
		emit(out, "\t", census_example(counts, at));
	}
	for (uint32_t i = row->counted->examples; i < counts->samples; i++)
		output_string(out, "\t\\N");
	output_octet(out, '\n');
}

static void tsv_others(struct output *out, const struct census *counts, const char *what)
{
	(void)what;
	emit(out, "\\*\t", counts->others);
	for (uint32_t i = 0; i < counts->samples; i++)
		output_string(out, "\t\\N");
	output_octet(out, '\n');
}

/* ---- JSON ------------------------------------------------------------------------------ */

static void json_row(struct output *out, const struct census *counts, const struct counted_key *row,
		     const char *what)
{
	emit(out, "{\"", what, "\":");
	output_json_string(out, row->key.length > 0 ? row->key : (struct text){0},
			   !is_utf8(row->key));
	emit(out, ",\"count\":", row->counted->count);
	if (counts->samples > 0)
		output_string(out, ",\"examples\":[");
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next) {
		output_string(out, at != row->counted->first ? "," : "");
		output_json_string(out, census_example(counts, at),
				   !is_utf8(census_example(counts, at)));
	}
	output_string(out, counts->samples > 0 ? "]}\n" : "}\n");
}

static void json_others(struct output *out, const struct census *counts, const char *what)
{
	emit(out, "{\"", what, "\":null,\"count\":", counts->others, ",\"others\":true}\n");
}

/* ---- The table ------------------------------------------------------------------------- */

static const struct {
	void (*row)(struct output *, const struct census *, const struct counted_key *,
		    const char *);
	void (*others)(struct output *, const struct census *, const char *);
} writers[] = {[FORMAT_HUMAN] = {human_row, human_others},
	       [FORMAT_TSV] = {tsv_row, tsv_others},
	       [FORMAT_JSON] = {json_row, json_others}};

static void write_rows(struct output *out, const struct census *counts,
		       const struct counted_key *rows, const struct options *options)
{
	const char *what = count_names[options->count_by];
	const size_t shown =
	    options->top > 0 && options->top < counts->entries ? options->top : counts->entries;

	for (size_t i = 0; i < shown; i++)
		writers[options->format].row(out, counts, &rows[i], what);
	if (counts->others > 0)
		writers[options->format].others(out, counts, what);
}

static void say_bounds(const struct census *counts, const struct options *options)
{
	if (counts->others > 0)
		complain(
		    "%s: more than %zu keys: %llu counts of those that came later stand together",
		    options->command->name, counts->entries, (unsigned long long)counts->others);
	if (counts->examples_full)
		complain("%s: not all examples were kept", options->command->name);
}

bool census_write(const struct census *counts, const struct options *options)
{
	struct counted_key *rows = census_sorted(counts, false);
	struct output out;
	bool good = rows != NULL && paint_open(&out, COLOUR_NEVER);

	if (rows == NULL)
		complain("%s", strerror(ENOMEM));
	if (good) {
		write_rows(&out, counts, rows, options);
		good = output_finish(&out);
	}
	say_bounds(counts, options);
	free(rows);
	return good;
}
