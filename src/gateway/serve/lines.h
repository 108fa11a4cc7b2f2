/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that ask by lines: a program that they started reads questions and writes answers, one each. */
#ifndef URIVET_GATEWAY_LINES_H
#define URIVET_GATEWAY_LINES_H

#include "gateway/serve/rules.h"

/*
 * Who asks, and so how a question is written.
 *
 * SPEAKER_SQUID: `[ID] [METHOD] URL [-]`, the URL percent-encoded once: a helper of external ACLs,
 * `external_acl_type urivet concurrency=100 %>rm %#>ru`.
 * SPEAKER_APACHE: `SCHEME HOST METHOD TARGET VERSION`, nothing of it encoded: a RewriteMap that is
 * asked for `%{REQUEST_SCHEME} %{HTTP_HOST} %{THE_REQUEST}`.
 */
enum speaker { SPEAKER_SQUID = 0, SPEAKER_APACHE, SPEAKERS };

/* The longest line, without its end: a URL of 8192 octets, each escaped, with a method and a number. */
#define LINE_MOST 32768

/* Room for an answer. */
#define LINE_ANSWER (GATE_FINDINGS_CAPACITY + 256)

/*
 * Answers one line, without its end. Writes "[ID ]OK" or "[ID ]ERR log=... message=..." and a line end, and returns
 * the length; *outcome says what came of it. A line of another form is refused.
 */
size_t line_answer(char *out, size_t capacity, struct urivet_text line, enum speaker speaker,
		   const struct rules *rules, struct gate_outcome *outcome);

/* Answers each line of a file until it ends, those that came together at once; false if reading or
 * writing failed. A line that is longer than LINE_MOST is refused unread. */
bool lines_run(int in, int out, enum speaker speaker, const struct rules *rules);

#endif
