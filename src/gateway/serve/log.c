/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines: JSON objects in ASCII, with secrets masked. */
#include "gateway/serve/processes.h"

#include "common/hex.h"
#include "common/text/output.h"
#include "common/text/secrets.h"
#include "gateway/line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Maximum number of octets logged of a text, so that hostile requests do not fill the disk. */
#define SHOWN 512
/* Buffer size for five texts with each octet written as \u00XX, and the other members. */
#define LINE                                                                                       \
	(5 * 6 * SHOWN + 6 * GATE_EXPLAINED + GATE_FINDINGS_CAPACITY + 2 * URIVET_FINDING_LIMIT +  \
	 1024)

/* Writes a member with a JSON string. Octets that are not printable ASCII become the code point of
 * the same number. */
static void put_text(struct line *line, const char *name, const uint8_t *data, size_t length)
{
	put(line, ",\"%s\":\"", name);
	for (size_t i = 0; i < length && line->length + 6 < line->capacity; i++) {
		const uint8_t c = data[i];
		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
			line->out[line->length++] = (char)c;
		else
			line->length += hex_escape(line->out + line->length, "\\u00", c, true);
	}
	put(line, "\"");
}

/* Masks the whole text before it is cut, since the end of a secret may be what shows it. */
static void put_masked(struct line *line, const char *name, struct urivet_text text)
{
	uint8_t *const copy = text.data != NULL ? malloc(text.length + 1) : NULL;
	if (copy == NULL) {
		put(line, ",\"%s\":null", name);
		return;
	}
	memcpy(copy, text.data, text.length);
	mask_secrets(copy, text.length);
	put_text(line, name, copy, text.length < SHOWN ? text.length : SHOWN);
	free(copy);
}

static void put_findings(struct line *line, const struct gate_outcome *outcome)
{
	char names[GATE_FINDINGS_CAPACITY], *rest = names;
	(void)gate_format_findings(names, sizeof names, outcome);
	put(line, ",\"findings\":[\"%s", strsep(&rest, ","));
	while (rest != NULL)
		put(line, "\",\"%s", strsep(&rest, ","));
	put(line, "\"]");
}

/* Writes the place and possible waivers, without the leading semicolon and space. */
static void put_explained(struct line *line, const struct gate_outcome *outcome)
{
	char text[GATE_EXPLAINED];
	const size_t begin = gate_explain(text, sizeof text, outcome) > 2 ? 2 : 0;
	put_text(line, "explained", (const uint8_t *)text + begin, strlen(text + begin));
}

static void put_time(struct line *line)
{
	const time_t now = time(NULL);
	struct tm parts;
	char text[32] = "";
	if (gmtime_r(&now, &parts) != NULL)
		(void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
	put(line, "{\"time\":\"%s\"", text);
}

int serve_log_open(const char *path)
{
	/* O_NONBLOCK: a pipe whose reader stalls loses lines instead of stopping the answers */
	static const int mode = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
	const int log = strcmp(path, "-") == 0 ? STDOUT_FILENO : open(path, mode, 0640);
	if (log < 0)
		complain("%s: %s", path, strerror(errno));
	else if (!isatty(log))
		(void)fcntl(log, F_SETFL, fcntl(log, F_GETFL) | O_NONBLOCK);
	return log;
}

bool serve_log(int log, const struct logged *logged, const struct gate_outcome *outcome)
{
	static bool torn; /* the last line was cut, as on a full disk: the next begins anew */
	const struct gate_request *const request = logged->request;
	struct line line = {malloc(LINE), LINE, 0};
	ssize_t written;
	if (line.out == NULL)
		return false;
	if (torn)
		put(&line, "\n");
	put_time(&line);
	put(&line, ",\"verdict\":\"%s\"", outcome->refused ? "reject" : "observed");
	put_findings(&line, outcome);
	put_explained(&line, outcome);
	put(&line, ",\"reason\":\"%s\"", urivet_reason_name(gate_reason(outcome)));
	put_masked(&line, "client", logged->client);
	put_masked(&line, "id", logged->id);
	put_masked(&line, "method", request->request.method);
	put_masked(&line, "host", request->request.host);
	put_masked(&line, "target", request->target);
	if (logged->why.what != NULL)
		put(&line, ",\"unreadable\":\"%s%s%s\"",
		    logged->why.field != NULL ? logged->why.field : "",
		    logged->why.field != NULL ? " " : "", logged->why.what);
	put(&line, "}\n");
	written = write(log, line.out, line.length);
	if (written >= 0)
		torn = written < (ssize_t)line.length;
	free(line.out);
	return written >= 0 && !torn;
}
