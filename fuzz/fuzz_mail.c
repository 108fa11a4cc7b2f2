/* SPDX-License-Identifier: Apache-2.0 */
/* Mail: the first header field is read for any content after it, the output is lines of TSV, and
 * an incomplete scan is reported. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create(2), memmem(3) */
#endif

#include "built.h"
#include "cli/scan/flowed.h"
#include "command_run.h"

/* Longer messages find the same errors, only later. */
#define LENGTH_MOST 16384u

#define FIRST "X-First: http://first.example/\n"

static void expect_lines(struct octets out)
{
	oracle(out.length == 0 || out.data[out.length - 1] == '\n', "the last line ends");
	for (size_t i = 0; i < out.length; i++)
		oracle(out.data[i] == '\n' || out.data[i] == '\t' ||
			   (out.data[i] > ' ' && out.data[i] < 0x7F),
		       "nothing is written raw");
}

/* ---- Text in format=flowed --------------------------------------------------------------------- */

#define FLOWED_MOST 4096

/* Writes lines of paragraphs (RFC 3676, 4), and beside it what they are joined. A paragraph goes on in
 * a line of the same depth; one of another depth begins anew, even after a space. */
static void expect_flowed(struct dice *d)
{
	static const char *const words[] = {"http://a.example/", "b", "from", "x y", "/c?d", "="};
	static char lines[FLOWED_MOST], joined[FLOWED_MOST];
	struct builder in = {lines, 0}, out = {joined, 0};
	const bool deletes = below(d, 2) == 0;
	const char *const end = below(d, 2) == 0 ? "\n" : "\r\n";
	uint32_t depth = 0, before = 0;
	bool soft = false;
	for (uint32_t count = 2 + below(d, 12); count > 0; count--) {
		const char *const word = words[below(d, sizeof words / sizeof words[0])];
		depth = below(d, 3) == 0 ? below(d, 3) : depth;
		if (out.length > 0 && (!soft || depth != before))
			add_word(&out, "\n");
		for (uint32_t k = 0; k < depth; k++)
			add_word(&in, ">");
		add_word(&in, depth > 0 || below(d, 2) == 0 ? " " : ""); /* stuffed */
		add_word(&in, word);
		add_word(&out, word);
		soft = below(d, 2) == 0;
		add_word(&in, soft ? " " : "");
		add_word(&out, soft && !deletes ? " " : "");
		add_word(&in, end);
		before = depth;
	}
	const size_t length = flowed_join((uint8_t *)lines, in.length, deletes);
	if (!same(lines, length, joined, out.length))
		fprintf(stderr, "%.*s\n--- is not\n%.*s\n", (int)length, lines, (int)out.length,
			joined);
	oracle(same(lines, length, joined, out.length),
	       "flowed lines are joined within their depth");
}

#define MULTIPART "Content-Type: multipart/mixed; boundary=b\n\n"

/* Checks that a multipart without parts is reported. The body of a multipart has at least one
 * line that begins with two hyphens (RFC 2046, 5.1.1). */
static void expect_no_parts(const uint8_t *data, size_t length, char **words)
{
	static const char before[] = FIRST MULTIPART;
	const size_t front = sizeof before - 1;
	struct run run;
	uint8_t *mail;
	if (memmem(data, length, "\n--", 3) != NULL || (length >= 2 && memcmp(data, "--", 2) == 0))
		return;
	mail = room_for(front + length);
	memcpy(mail, before, front);
	memcpy(mail + front, data, length);
	fill_file(FILE_IN, (struct octets){mail, front + length});
	run_command(&run, 4, words);
	oracle(run.status == 2 && run.err.length > 0, "a multipart without parts is reported");
	free(mail);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static char *words[] = {(char *)(uintptr_t) "urivet", (char *)(uintptr_t) "scan",
				(char *)(uintptr_t) "--mail", (char *)(uintptr_t) "--format=tsv",
				NULL};
	const size_t first = sizeof FIRST - 1;
	struct run run;
	uint8_t *mail;
	struct dice d = dice_of(data, length);
	expect_flowed(&d);
	/* one line is no message, but most inputs shared by the harnesses have one line */
	if (length > LENGTH_MOST || length == 0 || memchr(data, '\n', length) == NULL)
		return -1;
	open_files();
	mail = room_for(first + length);
	memcpy(mail, FIRST, first);
	memcpy(mail + first, data, length);
	fill_file(FILE_IN, (struct octets){mail, first + length});
	run_command(&run, 4, words);
	oracle(run.status >= 0 && run.status <= 2, "there is a status");
	oracle(run.status != 2 || run.err.length > 0, "a run without an answer has a message");
	oracle(memmem(run.out.data, run.out.length, "first.example", 13) != NULL,
	       "the first field is read");
	expect_lines(run.out);
	/* as a mailbox, or any other format */
	fill_file(FILE_IN, (struct octets){data, length});
	run_command(&run, 4, words);
	oracle(run.status != 2 || run.err.length > 0, "a run without an answer has a message");
	expect_lines(run.out);
	expect_no_parts(data, length, words);
	free(mail);
	return 0;
}
