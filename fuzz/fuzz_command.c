/* SPDX-License-Identifier: Apache-2.0 */
/* The whole command: from arguments and input to output and exit status. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create(2), memmem(3) */
#endif
#include "cli/records/packing.h"
#include "common/text/is_utf8.h"

#include "command_human.h"
#include "command_page.h"

/* Longer inputs find the same errors, only later. */
#define LENGTH_MOST 4096

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Runs the line again as another command, without options that begin with a text, or with a
 * further option. */
static void run_again(struct run *run, const struct line *line, const char *command,
		      const char *without, const char *more)
{
	char *word[WORDS_MOST + 2];
	int words = 0;
	bool is_option = false;
	line_now = line;
	run_now = run;
	for (int k = 0; k < line->words; k++) {
		char *const given = line->owned[k];
		if (k == 2 && more != NULL)
			word[words++] = (char *)(uintptr_t)more;
		is_option = (k == 2 || is_option) && strcmp(given, "--") != 0;
		if (!is_option || (strcmp(given, "-q") != 0 && (without == NULL || strncmp(given, without, strlen(without)) != 0)))
			word[words++] = given;
	}
	if (line->words == 2 && more != NULL)
		word[words++] = (char *)(uintptr_t)more;
	word[1] = command != NULL ? (char *)(uintptr_t)command : word[1];
	word[words] = NULL;
	fill_file(FILE_IN, line->input);
	run_command(run, words, word);
}

static struct octets copy_of(struct octets text)
{
	struct builder b = {room_for(text.length), 0};
	add(&b, text.data, text.length);
	return (struct octets){(const uint8_t *)b.text, b.length};
}

static void free_text(struct octets text)
{
	free((void *)(uintptr_t)text.data);
}

/* ---- filter ---------------------------------------------------------------------------- */

/* Checks a line "reject ... TAB number TAB record": the columns of `check`, and the record's
 * number. */
static void expect_rejected(struct octets *rejects, struct octets said, const struct records *records)
{
	struct octets text = {NULL, 0}, column[COLUMNS_MOST];
	const bool is = take_piece(rejects, '\n', &text);
	char *room = room_for(text.length);
	expect(is && text.length > said.length &&
		   same(text.data, said.length, said.data, said.length) &&
		   text.data[said.length] == '\t',
	       "a rejected record has the columns of check");
	if (is && cut_columns(text, column) == 12) {
		const struct octets record = unescaped(column[11], room);
		expect(json_count(column[10]) == records->number,
		       "a rejected record has its number");
		expect(
		    same(record.data, record.length, records->record.data, records->record.length),
		    "a rejected record is read back");
	} else {
		expect(false, "a rejected record has twelve columns");
	}
	free(room);
}

/* Checks that `filter` passes what `check` accepts, and rejects what `check` refuses. */
static void expect_filtered(const struct line *line, const struct run *first)
{
	struct octets passed = copy_of(first->out), rejects = copy_of(first->rejects);
	struct octets left = passed, turned = rejects, said;
	struct records records = records_of(line);
	struct run checked;
	unsigned refused = 0;
	run_again(&checked, line, "check", "--rejects", "--format=tsv");
	expect_tsv(line, &checked);
	while (next_record(&records) && take_piece(&checked.out, '\n', &said)) {
		const size_t length = records.whole.length;
		if (begins(said, "accept")) {
			expect(left.length >= length &&
				   same(left.data, length, records.whole.data, length),
			       "filter passes whole records that check accepts");
			left = without(left, left.length < length ? left.length : length);
		} else {
			refused++;
			if (has_letter(line, 'x'))
				expect_rejected(&turned, said, &records);
		}
	}
	expect(left.length == 0, "filter passes whole records that check accepts");
	expect(turned.length == 0, "what is accepted and what is rejected are all records");
	expect_status(first, refused);
	free_text(passed);
	free_text(rejects);
}

/* ---- The other commands ------------------------------------------------------------------ */

static void expect_rung(const struct run *run)
{
	static const char *const rungs[] = {"different\n", "protocol\n", "scheme\n", "syntax\n",
					    "identical\n"};
	unsigned rung = 0;
	while (rung < 5 && !is_text(run->out, rungs[rung]))
		rung++;
	expect(rung < 5, "a comparison is one of five words");
	expect_status(run, rung == 0);
}

/* Targets take one line; bases with their reasons take one or two. */
static void expect_lines(const struct run *run, unsigned most)
{
	struct octets left = run->out, text;
	unsigned lines = 0;
	while (take_piece(&left, '\n', &text))
		lines++;
	expect(lines <= most && left.length == 0, "an answer has its lines");
	expect(lines > 0 || run->status != STATUS_ACCEPTED, "what is accepted is answered");
}

/* Returns the sum of the counts of a key's lines. */
static uint64_t count_in(struct octets said, enum format format)
{
	static const char member[] = "\"count\":";
	const uint8_t *at = format == FORMAT_TSV
				? memchr(said.data, '\t', said.length)
				: memmem(said.data, said.length, member, sizeof member - 1);
	uint64_t count = 0;
	if (at == NULL)
		return 0;
	at += format == FORMAT_TSV ? 1 : sizeof member - 1;
	for (; at < said.data + said.length && *at >= '0' && *at <= '9'; at++)
		count = count * 10 + (*at - 0x30u);
	return count;
}

/* Checks the counts: a record counts once for each class, and has one verdict. */
static void expect_counts(const struct line *line, const struct run *run)
{
	struct records records = records_of(line);
	struct octets left = run->out, said;
	uint64_t count = 0, sum = 0;
	while (next_record(&records))
		count++;
	while (take_piece(&left, '\n', &said)) {
		const uint64_t n = count_in(said, line->format);
		const struct octets more = {said.data + said.length, 1 + left.length};
		char key[300];
		snprintf(key, sizeof key, "\n%.*s", (int)said.length, (const char *)said.data);
		char *const end = line->format == FORMAT_TSV ? strchr(key, '\t') : strstr(key, "\"count\"");
		expect(n >= 1 && n <= count, "a key is counted once a record at most");
		expect(end == NULL || !occurs_in((struct octets){(const uint8_t *)key, (size_t)(end + 1 - key)}, more),
		       "a key is counted once");
		sum += n;
	}
	expect(left.length == 0, "the last line ends");
	expect(has_letter(line, 'Y') || has_letter(line, 'N') ? sum == count : sum >= count, "each record is counted");
}

static void expect_judged(const struct line *line, const struct run *run, struct octets out)
{
	const bool result = line->id == COMMAND_SUGGEST || line->id == COMMAND_NORMALISE;
	if (counts_records(line) && line->format != FORMAT_HUMAN)
		expect_counts(line, run);
	else if (counts_records(line))
		return;
	else if (line->id == COMMAND_SCAN && line->format == FORMAT_TSV)
		expect_tsv_finds(line, run);
	else if (line->id == COMMAND_SCAN && line->format == FORMAT_JSON)
		expect_json_finds(line, run);
	else if (line->id == COMMAND_SCAN)
		return;
	else if (line->format == FORMAT_JSON)
		expect_json(line, run);
	else if (line->format == FORMAT_TSV && result)
		expect_tsv_results(line, run);
	else if (line->format == FORMAT_TSV)
		expect_tsv(line, run);
	else if (result)
		expect_human_results(line, run, out);
	else if (line->id == COMMAND_CHECK)
		expect_human(line, run, out);
}

/* Checks the output by command. `out` contains no colours. */
static void expect_answer(const struct line *line, const struct run *run, struct octets out)
{
	switch (line->id) {
	case COMMAND_FILTER:
		expect_filtered(line, run);
		break;
	case COMMAND_EXPLAIN:
		expect(begins(out, run->status == STATUS_ACCEPTED ? "accept  " : "reject  "),
		       "the exit status is what the verdicts say");
		break;
	case COMMAND_COMPARE:
		expect_rung(run);
		break;
	case COMMAND_RESOLVE:
		expect_lines(run, 1);
		break;
	case COMMAND_BASE:
		expect_lines(run, 2);
		break;
	case COMMAND_REPORT:
		expect_page(run);
		break;
	case COMMAND_FINDINGS:
		break;
	default:
		expect_judged(line, run, out);
	}
}

/* Returns true if the output is ASCII. Only the line of `explain` that shows a URL to people may
 * hold more. */
static bool is_clean(const struct line *line, struct octets out)
{
	static const char shown[] = "\n  shown as   ";
	const size_t size = sizeof shown - 1;
	for (size_t at = 0; line->id == COMMAND_EXPLAIN && at + size <= out.length; at++) {
		if (memcmp(out.data + at, shown, size) != 0)
			continue;
		const uint8_t *const end =
		    memchr(out.data + at + size, '\n', out.length - at - size);
		const size_t next = end != NULL ? (size_t)(end - out.data) + 1 : out.length;
		return is_printable((struct octets){out.data, at + 1}, false) &&
		       is_utf8((struct octets){out.data + at + 1, next - at - 1}) &&
		       is_printable((struct octets){out.data + next, out.length - next}, false);
	}
	return is_printable(out, line->format == FORMAT_TSV);
}

static void expect_clean(const struct line *line, const struct run *run, struct octets out)
{
	const bool octets = line->id == COMMAND_FILTER;
	char *room = room_for(run->err.length);
	const struct octets err = has_letter(line, 'C') ? uncoloured(run->err, room) : run->err;
	expect(octets || is_clean(line, out), "what is written is printable");
	expect(is_printable(err, false), "what is said is printable");
	expect(run->status == STATUS_ACCEPTED || run->status == STATUS_REFUSED ||
		   (run->status == STATUS_TROUBLE && begins(err, "urivet: ")),
	       "the exit status is 0, 1, or 2 with a message");
	free(room);
}

/* Returns true if both --allow and --refuse name the same finding. */
static bool contradicts_itself(const struct line *line)
{
	static const char allow[] = "--allow=", refuse[] = "--refuse=";
	for (int a = 0; a < line->words; a++)
		for (int b = 0;
		     b < line->words && strncmp(line->owned[a], allow, sizeof allow - 1) == 0; b++)
			if (strncmp(line->owned[b], refuse, sizeof refuse - 1) == 0 &&
			    strcmp(line->owned[a] + sizeof allow - 1,
				   line->owned[b] + sizeof refuse - 1) == 0)
				return true;
	return false;
}

static void expect_run(const struct line *line, struct run *run)
{
	char *room = room_for(run->out.length);
	const struct octets out = has_letter(line, 'C') ? uncoloured(run->out, room) : run->out;
	line_now = line;
	run_now = run;
	expect_clean(line, run, out);
	expect(!contradicts_itself(line) || run->status == STATUS_TROUBLE,
	       "options that contradict themselves are an error");
	if (run->status != STATUS_TROUBLE)
		expect_answer(line, run, out);
	free(room);
}

/* Checks that a quiet run prints nothing and has the same exit status, and that several threads
 * print the same as one. */
static void expect_same_run(const struct line *line, struct run *run)
{
	const bool quiet = has_letter(line, 'q');
	const struct octets out = copy_of(run->out), rejects = copy_of(run->rejects);
	const int status = run->status;
	expect(!quiet || out.length == 0, "a quiet run writes nothing");
	run_again(run, line, NULL, "--jobs", NULL);
	expect(run->status == status,
	       "the exit status is that of a run with one thread and output");
	expect(quiet || same(out.data, out.length, run->out.data, run->out.length),
	       "several threads write what one writes");
	expect(same(rejects.data, rejects.length, run->rejects.data, run->rejects.length),
	       "several threads reject what one rejects");
	free_text(out);
	free_text(rejects);
}

/* Checks that a policy file that names its base alone is that policy, whatever else is said. The
 * output is then that of the second run. */
static void expect_same_by_file(const struct line *line, struct run *run)
{
	static const char letter[] = "SPAG";
	char text[64];
	const char *base = NULL;
	unsigned count = 0;
	for (unsigned k = 0; k < sizeof letter - 1; k++)
		if (has_letter(line, letter[k])) {
			base = urivet_policy_name(k);
			count++;
		}
	if (WITHOUT_LIBRARIES || count != 1 || has_letter(line, 'F') || has_letter(line, '6') ||
	    has_letter(line, '7') || line->id == COMMAND_EXPLAIN || line->id == COMMAND_REPORT)
		return;
	const struct octets out = copy_of(run->out), rejects = copy_of(run->rejects);
	const int status = run->status;
	snprintf(text, sizeof text, "base: %s\nname: %s\n", base, base);
	fill_file(FILE_ASIDE, text_of(text));
	run_again(run, line, NULL, "--policy=", "--policy-file=/dev/fd/64");
	expect(run->status == status, "a file that names a policy is that policy");
	expect(has_letter(line, 'q') || same(out.data, out.length, run->out.data, run->out.length),
	       "a file that names a policy is that policy");
	expect(same(rejects.data, rejects.length, run->rejects.data, run->rejects.length),
	       "a file that names a policy is that policy");
	free_text(out);
	free_text(rejects);
}

/* Returns true if each record has an answer of its own, and nothing else is written. */
static bool answers_each(const struct line *line, const struct run *run)
{
	return run->status != STATUS_TROUBLE && !counts_records(line) && !has_letter(line, 'w') &&
	       (line->id == COMMAND_CHECK || line->id == COMMAND_FILTER || line->id == COMMAND_SUGGEST ||
		line->id == COMMAND_NORMALISE || line->id == COMMAND_PARSE);
}

/* Checks that a file that is named twice gives its output twice: what is said of records has no more
 * to do with those of another file. */
static void expect_twice(const struct line *line, struct run *run)
{
	const char end = has_letter(line, '0') ? '\0' : '\n';
	const bool lacks = line->input.length > 0 && line->input.data[line->input.length - 1] != end;
	/* a record gets the end that it lacks, where another file follows */
	if (!answers_each(line, run) || !has_letter(line, 'i') ||
	    (lacks && (line->id == COMMAND_FILTER || has_letter(line, 'l'))))
		return;
	const struct octets out = copy_of(run->out); /* the numbers of rejects go on */
	const int status = run->status;
	run_again(run, line, NULL, NULL, "--input=/dev/fd/60");
	expect(run->status == status, "a file that is named twice has its exit status");
	if (!has_letter(line, 'q'))
		expect(run->out.length == 2 * out.length && same(run->out.data, out.length, out.data, out.length) &&
			   same(run->out.data + out.length, out.length, out.data, out.length),
		       "a file that is named twice gives its output twice");
	run_again(run, line, NULL, NULL, NULL);
	free_text(out);
}

/* Checks that the last record gives the line that it gives alone: nothing is kept of those before it. */
static void expect_alone(const struct line *line, struct run *run)
{
	struct records records = records_of(line);
	struct line alone = *line;
	if (!answers_each(line, run) || line->id == COMMAND_FILTER || line->is_operand ||
	    has_letter(line, 'i') || has_letter(line, 'q') || has_letter(line, 'J') ||
	    line->format == FORMAT_HUMAN)
		return;
	const struct octets out = copy_of(run->out);
	struct octets left = out, text = {NULL, 0};
	while (next_record(&records) && take_piece(&left, '\n', &text))
		alone.input = records.whole;
	if (records.number > 2) {
		run_again(run, &alone, NULL, NULL, NULL);
		expect(same(run->out.data, run->out.length, text.data, text.length + 1), "a record is judged as it is alone");
		run_again(run, line, NULL, NULL, NULL);
	}
	free_text(out);
}

/* Checks that another spelling is accepted by the options that suggested it. */
static void expect_suggested(const struct line *line, struct run *run)
{
	struct octets left = run->out, text;
	const bool target = has_letter(line, 'o') || has_letter(line, 'H') || has_letter(line, 'T');
	if (!answers_each(line, run) || (line->id != COMMAND_CHECK && line->id != COMMAND_SUGGEST) ||
	    line->format != FORMAT_JSON || line->is_operand || target || has_letter(line, 'i') ||
	    has_letter(line, 'q'))
		return;
	while (take_piece(&left, '\n', &text)) {
		const bool raw = is_raw_line(text);
		char *room = room_for(text.length);
		struct line again = *line;
		struct object o;
		json_open(&o, text, raw);
		again.input = text_of_json(json_member(&o, line->id == COMMAND_CHECK ? "suggestion" : "result"), raw, room);
		if (again.input.data != NULL) {
			run_again(run, &again, "check", NULL, NULL);
			expect(run->status == STATUS_ACCEPTED, "a suggestion is accepted by the same options");
			run_again(run, line, NULL, NULL, NULL);
			left.length = 0; /* the output was written anew: one of them is checked */
		}
		free(room);
	}
}

/* Checks that `resolve --compatible` does not let a reference choose another scheme below that of the
 * base, as "http:javascript:..." would. */
static void expect_compatible(const uint8_t *data, size_t length)
{
	static const char *const schemes[] = {"", "javascript:", "data:", "x.y+z-1:"};
	char reference[256];
	const char *const words[] = {"urivet", "resolve", "--compatible", "--policy=any", "--", "http://h/a", reference};
	char *word[COUNT_OF(words) + 1];
	struct run run;
	size_t used = (size_t)snprintf(reference, sizeof reference, "http:%s", schemes[length % COUNT_OF(schemes)]);
	for (size_t k = 0; k < length && used + 1 < sizeof reference && data[k] > ' ' && data[k] < 0x7f; k++)
		reference[used++] = (char)data[k];
	reference[used] = '\0';
	for (size_t k = 0; k < COUNT_OF(words); k++)
		word[k] = (char *)(uintptr_t)words[k];
	word[COUNT_OF(words)] = NULL;
	run_command(&run, COUNT_OF(words), word);
	line_now = NULL;
	oracle(run.out.length == 0 || begins(run.out, "http:"), "a compatible reference stays within its scheme");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct line line;
	struct run run;
	if (length > LENGTH_MOST)
		return -1;
	open_files();
	(void)setenv("SOURCE_DATE_EPOCH", "0", 1); /* a report would contain the current time */
	if (length % 8 == 0)
		expect_compatible(data, length);
	make_line(&line, data, length);
	fill_file(FILE_IN, line.input);
	fill_file(FILE_ASIDE, line.aside);
	run_command(&run, line.words, line.word);
	if (!has_letter(&line, 'i') ||
	    packing_of_file(line.input, has_letter(&line, '0')) == NULL) {
		if (has_letter(&line, 'q') || has_letter(&line, 'J'))
			expect_same_run(&line, &run);
		expect_same_by_file(&line, &run);
		expect_twice(&line, &run);
		expect_alone(&line, &run);
		expect_suggested(&line, &run);
		expect_run(&line, &run);
	} /* otherwise records and input differ */
	free_line(&line);
	return 0;
}
