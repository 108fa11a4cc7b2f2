/* SPDX-License-Identifier: Apache-2.0 */
/* Lines as Squid's helpers of external ACLs get and answer them. */
#ifndef URIVET_GATEWAY_SQUID_H
#define URIVET_GATEWAY_SQUID_H

#include "gateway/serve/rules.h"

/* The longest line, without its end: a URL of 8192 octets, each escaped, with a method and a number. */
#define SQUID_LINE 32768

/* Room for an answer. */
#define SQUID_ANSWER (GATE_FINDINGS_CAPACITY + 256)

/*
 * Answers one line, without its end: `[ID] [METHOD] URL`, the URL percent-encoded once as by `%#>ru`. Writes "[ID ]OK" or
 * "[ID ]ERR log=... message=..." and a line end, and returns the length; *outcome says what came of it.
 */
size_t squid_answer(char *out, size_t capacity, struct urivet_text line, const struct rules *rules,
		    struct gate_outcome *outcome);

/* Answers each line of a file until it ends, those that came together at once; false if reading or
 * writing failed. A line that is longer than SQUID_LINE is refused unread. */
bool squid_run(int in, int out, const struct rules *rules);

#endif
