/* SPDX-License-Identifier: Apache-2.0 */
/* The line protocols of Squid and Apache. */
#include "gateway/serve/lines.h"

#include "common/text/output.h"
#include "gateway/fronts.h"
#include "gateway/line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximum number of words that are split; a valid line has fewer. */
#define WORDS 6

static unsigned split(struct urivet_text *words, struct urivet_text line)
{
	const char *const from = line.data;
	unsigned count = 0;
	size_t at = 0;
	while (at < line.length && count < WORDS) {
		const size_t begin = at;
		while (at < line.length && from[at] != ' ')
			at++;
		words[count++] = urivet_text_of(from + begin, at - begin);
		at++; /* two spaces enclose an empty word */
	}
	return count;
}

static bool is_number(struct urivet_text word)
{
	const char *const from = word.data;
	for (size_t i = 0; i < word.length; i++)
		if (from[i] < '0' || from[i] > '9')
			return false;
	return word.length > 0 && word.length <= 20;
}

/* The words of a line, and the ID that its answer repeats. */
struct said {
	struct urivet_text id; /* length 0: none */
	const struct urivet_text *words;
	unsigned count;
};

/* Judges a URL that Squid percent-encoded. The Host field is unknown. */
static struct gate_outcome judge_decoded(struct urivet_text method, struct urivet_text escaped,
					 const struct rules *rules)
{
	char *const room = malloc(escaped.length + 1);
	struct gate_request request = rules_request(rules);
	struct gate_outcome outcome = rules_refuse();
	enum urivet_decoded how = URIVET_UNDECODED;
	size_t length = 0;
	if (room != NULL)
		length = urivet_decode(room, escaped.length + 1, escaped, URIVET_CODING_PERCENT,
				       &how, NULL);
	if (how == URIVET_DECODED) {
		request.target = urivet_text_of(room, length);
		request.request.method = method;
		request.request.host_unknown = true;
		request.request.scheme = URIVET_SCHEME_NONE; /* clients of a proxy use any scheme */
		request.request.port = URIVET_NO_PORT;
		outcome = rules_judge(rules, &request);
	}
	free(room);
	return outcome;
}

/* Judges `[ID] [METHOD] URL [-]`. Squid ends each line with the arguments of the ACL, or a hyphen
 * if there are none. */
static struct gate_outcome judge_squid(struct said *said, const struct rules *rules)
{
	struct urivet_text method = {NULL, 0};
	if (said->count > 1 && is_number(said->words[0])) {
		said->id = *said->words++;
		said->count--;
	}
	if (said->count > 1 && said->words[said->count - 1].length == 1 &&
	    *(const char *)said->words[said->count - 1].data == '-')
		said->count--;
	if (said->count == 2) {
		method = *said->words++;
		said->count--;
	}
	if (said->count != 1 || said->words[0].length == 0)
		return rules_refuse();
	return judge_decoded(method, said->words[0], rules);
}

/* Judges `SCHEME HOST METHOD TARGET VERSION`. */
static struct gate_outcome judge_apache(struct said *said, const struct rules *rules)
{
	struct gate_request request = rules_request(rules);
	if (said->count != 5 || said->words[4].length <= 5 ||
	    memcmp(said->words[4].data, "HTTP/", 5) != 0 || !front_may_hand_on(said->words[2]) ||
	    !front_read_scheme(&request.request.scheme, said->words[0]))
		return rules_refuse();
	request.request.host = said->words[1];
	request.request.method = said->words[2];
	request.target = said->words[3];
	return rules_judge(rules, &request);
}

static size_t format(char *out, size_t capacity, struct urivet_text id,
		     const struct gate_outcome *outcome)
{
	char findings[GATE_FINDINGS_CAPACITY];
	struct line line = {out, capacity, 0};
	put(&line, "%.*s%s%s", (int)id.length, (const char *)id.data, id.length > 0 ? " " : "",
	    outcome->refused ? "ERR" : "OK");
	if (outcome->refused || outcome->observed) {
		(void)gate_format_findings(findings, sizeof findings, outcome);
		put(&line, " log=%s message=%s", findings,
		    urivet_reason_name(gate_reason(outcome)));
	}
	put(&line, "\n");
	return line.length < capacity ? line.length : capacity - 1;
}

size_t line_answer(char *out, size_t capacity, struct urivet_text line, enum speaker speaker,
		   const struct rules *rules, struct gate_outcome *outcome)
{
	static struct gate_outcome (*const judges[SPEAKERS])(struct said *,
							     const struct rules *) = {
	    [SPEAKER_SQUID] = judge_squid,
	    [SPEAKER_APACHE] = judge_apache,
	};
	struct urivet_text words[WORDS];
	struct said said = {.id = {"", 0}, .words = words, .count = split(words, line)};
	*outcome = judges[speaker](&said, rules);
	return format(out, capacity, said.id, outcome);
}

/* ---- Streams ---------------------------------------------------------------------------- */

/* Input lines, of which the last may be incomplete, and answers not yet written. */
struct stream {
	const struct rules *rules;
	enum speaker speaker;
	int out;
	bool skips; /* ignore the rest of an oversized line */
	size_t held;
	size_t waiting;
	char line[2 * LINE_MOST];
	char answers[4 * LINE_ANSWER];
};

static bool write_all(struct stream *s)
{
	for (size_t at = 0; at < s->waiting;) {
		const ssize_t n = write(s->out, s->answers + at, s->waiting - at);
		if (n < 0 && errno != EINTR)
			return complain("cannot write standard output: %s", strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	s->waiting = 0;
	return true;
}

/* Returns a line that is refused in place of one that is too long, with the ID that it begins with. */
static struct urivet_text refused_line(char line[32], struct urivet_text oversized)
{
	const char *const from = oversized.data, *const space = memchr(from, ' ', oversized.length);
	const size_t length = space != NULL && space - from <= 20 ? (size_t)(space - from) : 0;
	/* too many words */
	(void)snprintf(line, 32, "%.*s - - - - -", (int)length, from);
	return urivet_text_of(line, strlen(line));
}

static bool answer_line(struct stream *s, struct urivet_text line)
{
	char refused[32];
	struct gate_outcome outcome;
	if (sizeof s->answers - s->waiting < LINE_ANSWER && !write_all(s))
		return false;
	if (line.length > LINE_MOST)
		line = refused_line(refused, line);
	s->waiting +=
	    line_answer(s->answers + s->waiting, LINE_ANSWER, line, s->speaker, s->rules, &outcome);
	return true;
}

/* Answers the complete lines and keeps the rest. */
static bool answer_lines(struct stream *s)
{
	size_t begin = 0;
	const char *end;
	while ((end = memchr(s->line + begin, '\n', s->held - begin)) != NULL) {
		const size_t length = (size_t)(end - s->line) - begin;
		if (!s->skips && !answer_line(s, urivet_text_of(s->line + begin, length)))
			return false;
		s->skips = false;
		begin += length + 1;
	}
	memmove(s->line, s->line + begin, s->held - begin);
	s->held -= begin;
	if (s->held <= LINE_MOST)
		return true;
	if (!s->skips && !answer_line(s, urivet_text_of(s->line, s->held)))
		return false;
	s->skips = true;
	s->held = 0;
	return true;
}

static bool run(struct stream *s, int in)
{
	for (;;) {
		const ssize_t n = read(in, s->line + s->held, sizeof s->line - s->held);
		if (n < 0 && errno != EINTR)
			return complain("cannot read standard input: %s", strerror(errno));
		if (n == 0)
			return (s->held == 0 || s->skips ||
				answer_line(s, urivet_text_of(s->line, s->held))) &&
			       write_all(s);
		s->held += n > 0 ? (size_t)n : 0;
		if (!answer_lines(s) || !write_all(s))
			return false;
	}
}

bool lines_run(int in, int out, enum speaker speaker, const struct rules *rules)
{
	struct stream *const s = calloc(1, sizeof *s);
	bool good;
	if (s == NULL)
		return false;
	s->rules = rules;
	s->speaker = speaker;
	s->out = out;
	good = run(s, in);
	free(s);
	return good;
}
