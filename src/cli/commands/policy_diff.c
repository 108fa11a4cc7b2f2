/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy diff: shows settings and rules that only one of two policies has. */
#include "cli/commands/policy_actions.h"
#include "cli/records/source.h"
#include "cli/text/emit.h"
#include <errno.h>
#include <stdint.h>

struct telling {
	struct output *out;
	enum format format;
};

/* A parsed difference, for example "- hosts.deny: .example.com". */
struct line {
	bool added;
	struct octets key;
	struct octets value; /* with a NUL behind it */
	const struct urivet_message *at;
};

static struct line line_of(const struct urivet_message *message)
{
	const char *key = message->text + 2;
	const size_t length = (size_t)(strstr(key, ": ") - key);

	return (struct line){message->text[0] == '+',
			     {(const uint8_t *)key, length},
			     text_of(key + length + 2),
			     message};
}

/* Writes "- hosts.deny: .example.com (old.yaml:7)". */
static void write_human(struct output *out, const struct line *line)
{
	emit(out, in_style(line->added ? STYLE_ACCEPT : STYLE_REJECT), line->added ? "+ " : "- ",
	     raw_text(line->key), ": ", prose((const char *)line->value.data),
	     in_style(STYLE_PLAIN));
	if (line->at->line > 0)
		emit(out, " (", prose(line->at->file), ":", line->at->line, ")");
	output_octet(out, '\n');
}

/* Writes sign, key, value, file and line; \N if a setting has no line. */
static void write_tsv(struct output *out, const struct line *line)
{
	emit(out, line->added ? "+\t" : "-\t", raw_text(line->key), "\t", line->value, "\t",
	     text_of(line->at->file), "\t");
	if (line->at->line > 0)
		output_number(out, line->at->line);
	else
		output_string(out, "\\N");
	output_octet(out, '\n');
}

static void write_number(struct output *out, const char *member, uint32_t number)
{
	output_string(out, member);
	if (number > 0)
		output_number(out, number);
	else
		output_string(out, "null");
}

static void write_json(struct output *out, const struct line *line)
{
	emit(out, line->added ? "{\"only\":\"b\",\"key\":" : "{\"only\":\"a\",\"key\":",
	     json_text(line->key, false), ",\"value\":", json_text(line->value, false),
	     ",\"file\":", json_text(text_of(line->at->file), false));
	write_number(out, ",\"line\":", line->at->line);
	write_number(out, ",\"column\":", line->at->column);
	output_string(out, "}\n");
}

static void write_difference(void *context, const struct urivet_message *message)
{
	static void (*const write[])(struct output *, const struct line *) = {
	    [FORMAT_HUMAN] = write_human, [FORMAT_TSV] = write_tsv, [FORMAT_JSON] = write_json};
	const struct telling *telling = context;
	const struct line line = line_of(message);

	write[telling->format](telling->out, &line);
}

/* Writes all differences. Returns their number, SIZE_MAX after reporting an error. */
static size_t write_all(const struct options *options, const struct urivet_loaded *a,
			const struct urivet_loaded *b)
{
	struct output out;
	struct telling telling = {&out, options->showing.format};
	size_t count;

	if (options->showing.quiet)
		return urivet_loaded_differences(a, b, NULL, NULL);
	if (!paint_open(&out, options->showing.format == FORMAT_HUMAN ? options->showing.colour
								      : COLOUR_NEVER))
		return SIZE_MAX;
	count = urivet_loaded_differences(a, b, write_difference, &telling);
	if (count == SIZE_MAX)
		complain("%s", strerror(ENOMEM));
	return output_finish(&out) ? count : SIZE_MAX;
}

/* Shows the differences of the policies, or of their verdicts on records. */
static enum status tell_apart(const struct options *options, const struct urivet_loaded *a,
			      const struct urivet_loaded *b)
{
	size_t count;

	if (options->reading.inputs > 0)
		return policy_diff_records(options, a, b);
	count = write_all(options, a, b);
	return count == SIZE_MAX ? STATUS_TROUBLE : count > 0 ? STATUS_REFUSED : STATUS_ACCEPTED;
}

/* Returns true if standard input is used more than once. */
static bool is_overused(const struct options *options)
{
	size_t uses = options_standard_inputs(options);

	uses += is_standard_input(options->reading.operand[1]);
	uses += is_standard_input(options->reading.operand[2]);
	return uses > 1;
}

enum status policy_diff(const struct options *options)
{
	const char *const *name = options->reading.operand + 1;
	struct urivet_loaded *a, *b;
	enum status status = STATUS_TROUBLE;

	if (is_overused(options))
		return trouble("policy diff: standard input cannot be %s",
			       options->reading.inputs == 0 ? "both policies"
							    : "more than one thing");
	a = policy_open(name[0]);
	b = policy_open(name[1]); /* opened before the check, to report the errors of both */
	if (a != NULL && b != NULL)
		status = tell_apart(options, a, b);
	urivet_loaded_release(a);
	urivet_loaded_release(b);
	return status;
}
