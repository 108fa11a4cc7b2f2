/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded answers: the cases of the bindings, which were reviewed when they were recorded, and the
 * table of verdicts and readings of the corpus. The first input checks all of them, every later
 * input checks the row that its octets choose.
 */
#include <stdio.h>
#include <urivet/readers.h>

#include "oracles.h"

/* The output of the program that writes the cases, in memory. */
static FILE *told;
static int write_all_cases(int argc, char **argv);
#undef stdout
#undef putchar
#undef printf /* some libraries define macros of these names */
#define stdout      told
#define putchar(c)  putc(c, told)
#define printf(...) fprintf(told, __VA_ARGS__)
#define main        write_all_cases
#define room_for    room_for_case
#include "../tests/bindings/conformance/cases.c"
#undef main
#undef room_for
#undef printf
#undef putchar

/* Embeds a file of the repository, with its path from the top folder. */
#define EMBEDDED(name, path)                                                                       \
	__asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n"); \
	extern const char name[]

EMBEDDED(recorded_cases, "tests/bindings/conformance/cases.jsonl");
EMBEDDED(recorded_verdicts, "corpus/verdicts.tsv");

/* ---- Cases --------------------------------------------------------------------------- */

/* Returns false if this machine cannot give the recorded answer: a compiled policy was recorded on
 * a little-endian machine, and its numbers have the byte order of the machine that wrote it. */
static bool is_of_this_machine(const char *line, size_t length)
{
	const char *compiled = strstr(line, "\"compiled\":");
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || compiled == NULL ||
	       compiled >= line + length;
}

static void expect_case(const char *recorded, const char *answered)
{
	const size_t length = strcspn(recorded, "\n"), other = strcspn(answered, "\n");
	const bool good = !is_of_this_machine(recorded, length) ||
			  (length == other && memcmp(recorded, answered, length) == 0);
	if (!good)
		fprintf(stderr, "recorded: %.*s\nanswered: %.*s\n", (int)length, recorded,
			(int)other, answered);
	oracle(good, "a recorded case is answered as it was");
}

static void expect_cases(void)
{
	char *text = NULL;
	size_t length = 0;
	const char *recorded = recorded_cases, *answered;
	told = open_memstream(&text, &length);
	if (told == NULL || write_all_cases(1, NULL) != 0 || fclose(told) != 0)
		abort();
	for (answered = text; *recorded != '\0' && *answered != '\0';
	     recorded = strchr(recorded, '\n') + 1, answered = strchr(answered, '\n') + 1)
		expect_case(recorded, answered);
	oracle(*recorded == '\0' && *answered == '\0', "as many cases are answered as were recorded");
	free(text);
}

/* ---- Verdicts and readings ------------------------------------------------------------- */

#define FIELD_MOST 16384

struct row {
	const char *at, *end; /* a column, up to its tab */
};

static bool next_column(struct row *row)
{
	if (*row->end != '\t')
		return false;
	row->at = row->end + 1;
	row->end = row->at + strcspn(row->at, "\t\n");
	return true;
}

static unsigned digit_of(char c)
{
	return c <= '9' ? (unsigned)c - '0' : (unsigned)c - 'A' + 10;
}

static size_t unescaped(struct row row, char *out)
{
	size_t n = 0;
	for (const char *at = row.at; at < row.end; at++) {
		if (*at == '\\' && at[1] == 'x') {
			out[n++] = (char)(digit_of(at[2]) * 16 + digit_of(at[3]));
			at += 3;
		} else {
			out[n++] = *at;
		}
	}
	return n;
}

static void add_escaped(struct builder *b, const char *data, struct urivet_span s)
{
	for (uint32_t k = 0; k < s.length; k++) {
		const unsigned char c = (unsigned char)data[s.offset + k];
		if (c > 0x20 && c < 0x7f && c != '\\')
			add(b, &c, 1);
		else
			b->length += (size_t)sprintf(b->text + b->length, "\\x%02X", c);
	}
}

/* Adds a reading as the eight fields of the table. */
static void add_reading(struct builder *b, const struct urivet_uri *uri, const char *data)
{
	static const enum urivet_component shown[] = {URIVET_SCHEME,  URIVET_USERINFO, URIVET_HOST,
						      URIVET_PORT,    URIVET_PATH,     URIVET_QUERY,
						      URIVET_FRAGMENT};
	for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
		if (urivet_has(uri, shown[k]))
			add_escaped(b, data, uri->part[shown[k]]);
		else
			add_word(b, "\\N");
		add_word(b, " ");
	}
	if (uri->port == URIVET_NO_PORT)
		add_word(b, "\\N");
	else
		b->length += (size_t)sprintf(b->text + b->length, "%u", uri->port);
}

static void expect_reading(struct row row, unsigned reader, const char *input, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = room_for(room), *line = room_for(4 * room + 64);
	struct builder b = {line, 0};
	struct urivet_reading r;
	if (urivet_read_as(&r, reader, input, length, out, room))
		add_reading(&b, &r.uri, r.written > 0 ? out : input);
	else
		add_word(&b, "-");
	oracle(same(b.text, b.length, row.at, (size_t)(row.end - row.at)),
	       "a recorded reading is read as it was");
	free(out);
	free(line);
}

static void expect_findings(struct row row, const char *input, size_t length)
{
	char names[8192];
	struct urivet_report r;
	urivet_check(&r, input, length, NULL);
	size_t n = 0;
	for (uint32_t k = 0; k < r.count; k++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k > 0 ? "," : "",
				      urivet_finding_name(r.finding[k].id));
	oracle(n > 0 ? same(names, n, row.at, (size_t)(row.end - row.at)) : *row.at == '-',
	       "a recorded input has the findings that it had");
}

static void expect_recorded(const char *line)
{
	static const int by[] = {URIVET_STRICT, URIVET_PUBLIC, URIVET_ANY, URIVET_GATEWAY};
	char input[FIELD_MOST];
	struct row row = {line, line + strcspn(line, "\t\n")};
	if (row.end - row.at > FIELD_MOST)
		abort();
	const size_t length = unescaped(row, input);
	for (size_t k = 0; k < sizeof by / sizeof by[0] && next_column(&row); k++)
		oracle((urivet_verdict_of(input, length, by_built_in(by[k]), NULL) == URIVET_ACCEPT) ==
			   (*row.at == 'a'),
		       "a recorded input has the verdict that it had");
	if (next_column(&row))
		expect_findings(row, input, length);
	for (unsigned reader = 0; reader < URIVET_READERS && next_column(&row); reader++)
		expect_reading(row, reader, input, length);
	oracle(*row.end == '\n', "a row has all columns");
}

#define ROWS_MOST 4096

/* Returns the number of rows, without the headings. */
static size_t rows(const char **line)
{
	size_t count = 0;
	for (const char *at = recorded_verdicts; (at = strchr(at, '\n')) != NULL && *++at != '\0';)
		if (count < ROWS_MOST)
			line[count++] = at;
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static const char *line[ROWS_MOST];
	static size_t count;
	size_t sum = 0;
	if (count == 0) {
		expect_cases();
		count = rows(line);
		for (size_t k = 0; k < count; k++)
			expect_recorded(line[k]);
	}
	for (size_t k = 0; k < length; k++)
		sum = (sum * 31 + data[k]) % count;
	expect_recorded(line[sum]);
	return 0;
}
