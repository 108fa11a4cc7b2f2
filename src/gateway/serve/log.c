/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines: JSON objects in ASCII, with secrets masked. */
#include "gateway/serve/processes.h"

#include "common/hex.h"
#include "common/text/output.h"
#include "common/text/secrets.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Maximum number of octets logged of a text, so that hostile requests do not fill the disk. */
#define SHOWN 512
/* Buffer size for three texts with each octet written as \u00XX, and the other members. */
#define LINE (3 * 6 * SHOWN + 6 * GATE_EXPLAINED + GATE_FINDINGS_CAPACITY + 512)

static size_t put(char *out, size_t at, const char *string)
{
	for (; *string != '\0'; string++)
		out[at++] = *string;
	return at;
}

/* Writes a JSON string. Octets that are not printable ASCII become the code point of the same
 * number. */
static size_t put_text(char *out, size_t at, const uint8_t *data, size_t length)
{
	out[at++] = '"';
	for (size_t i = 0; i < length; i++) {
		const uint8_t c = data[i];
		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
			out[at++] = (char)c;
		else
			at += hex_escape(out + at, "\\u00", c, true);
	}
	out[at++] = '"';
	return at;
}

/* Masks the whole text before it is cut, since the end of a secret may be what shows it. */
static size_t put_masked(char *out, size_t at, struct urivet_text text)
{
	uint8_t *const copy = malloc(text.length + 1);
	if (copy == NULL)
		return put(out, at, "null");
	memcpy(copy, text.data, text.length);
	mask_secrets(copy, text.length);
	at = put_text(out, at, copy, text.length < SHOWN ? text.length : SHOWN);
	free(copy);
	return at;
}

static size_t put_member(char *out, size_t at, const char *name, struct urivet_text text)
{
	at = put(out, at, name);
	return text.data != NULL ? put_masked(out, at, text) : put(out, at, "null");
}

static size_t put_findings(char *out, size_t at, const struct gate_outcome *outcome)
{
	char names[GATE_FINDINGS_CAPACITY];
	(void)gate_format_findings(names, sizeof names, outcome);
	at = put(out, at, ",\"findings\":[\"");
	for (const char *c = names; *c != '\0'; c++)
		if (*c == ',')
			at = put(out, at, "\",\"");
		else
			out[at++] = *c;
	return put(out, at, "\"]");
}

/* Writes the place and possible waivers, without the leading semicolon and space. */
static size_t put_explained(char *out, size_t at, const struct gate_outcome *outcome)
{
	char text[GATE_EXPLAINED];
	const size_t begin = gate_explain(text, sizeof text, outcome) > 2 ? 2 : 0;
	at = put(out, at, ",\"explained\":");
	return put_text(out, at, (const uint8_t *)text + begin, strlen(text + begin));
}

static size_t put_time(char *out, size_t at)
{
	const time_t now = time(NULL);
	struct tm parts;
	char text[32];
	if (gmtime_r(&now, &parts) == NULL ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		text[0] = '\0';
	at = put(out, at, "{\"time\":\"");
	return put(out, at, text);
}

static size_t put_why(char *out, size_t at, const struct why *why)
{
	at = put(out, at, ",\"unreadable\":\"");
	if (why->field != NULL)
		at = put(out, put(out, at, why->field), " ");
	return put(out, put(out, at, why->what), "\"");
}

void serve_log(int log, const struct gate_request *request, const struct gate_outcome *outcome,
	       const struct why *why)
{
	char *const line = malloc(LINE + (URIVET_FINDING_LIMIT * 2));
	size_t at = 0;
	if (line == NULL)
		return;
	at = put_time(line, at);
	at = put(line, at,
		 outcome->refused ? "\",\"verdict\":\"reject\"" : "\",\"verdict\":\"observed\"");
	at = put_findings(line, at, outcome);
	at = put_explained(line, at, outcome);
	at = put(line, at, ",\"reason\":\"");
	at = put(line, at, urivet_reason_name(gate_reason(outcome)));
	at = put_member(line, at, "\",\"method\":", request->request.method);
	at = put_member(line, at, ",\"host\":", request->request.host);
	at = put_member(line, at, ",\"target\":", request->target);
	if (why != NULL)
		at = put_why(line, at, why);
	at = put(line, at, "}\n");
	if (write(log, line, at) != (ssize_t)at)
		complain("serve: a line of the log was lost");
	free(line);
}
