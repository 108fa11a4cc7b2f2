/* SPDX-License-Identifier: Apache-2.0 */
/* Line protocols: the server starts a helper program that reads one request per line and writes one
 * answer per line. */
#ifndef URIVET_GATEWAY_LINES_H
#define URIVET_GATEWAY_LINES_H

#include "gateway/serve.h"

/* Maximum length of a line without its end: a URL of 8192 octets, each escaped, a method and an
 * ID. */
#define LINE_MOST 32768

/* Buffer size for an answer. */
#define LINE_ANSWER (GATE_FINDINGS_CAPACITY + 256)

/* Answers one line, given without its end. Writes "[ID ]OK" or "[ID ]ERR log=... message=..." and a
 * newline, and returns the length. Stores the outcome in *outcome. A malformed line is refused. */
size_t line_answer(char *out, size_t capacity, struct urivet_text line, enum speaker speaker,
		   const struct rules *rules, struct gate_outcome *outcome);

#endif
