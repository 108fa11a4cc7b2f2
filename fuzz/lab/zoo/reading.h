/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reading of a record, and the ten columns in which it is written. Used by the adapters and by
 * programs that run several of them in one process (fuzz/lab/differential).
 */
#ifndef ZOO_READING_H
#define ZOO_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum part { SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, PARTS };

/* A component; its data is NULL if it is absent. */
struct slice {
	const char *data;
	size_t length;
};

struct reading {
	struct slice part[PARTS];
	char digits[24]; /* room for a port that the reader gives as a number */
};

/* The columns of a record that is not read. */
#define REFUSAL "reject\t-\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N"

static inline struct slice slice(const char *string)
{
	struct slice made = {string, string != NULL ? strlen(string) : 0};

	return made;
}

static inline struct slice slice_between(const char *first, const char *end)
{
	struct slice made = {first, first != NULL ? (size_t)(end - first) : 0};

	return made;
}

static inline void write_slice(FILE *out, struct slice text)
{
	if (text.data == NULL) {
		fputs("\\N", out);
		return;
	}
	for (size_t i = 0; i < text.length; i++) {
		unsigned char octet = (unsigned char)text.data[i];

		if (octet > 0x20 && octet < 0x7f && octet != '\\')
			putc(octet, out);
		else
			fprintf(out, "\\x%02X", octet);
	}
}

static inline struct slice without_brackets(struct slice host)
{
	if (host.length >= 2 && host.data[0] == '[' && host.data[host.length - 1] == ']')
		return slice_between(host.data + 1, host.data + host.length - 1);
	return host;
}

static inline long default_port(struct slice scheme)
{
	static const struct {
		const char *name;
		long port;
	} known[] = {{"http", 80}, {"ws", 80}, {"https", 443}, {"wss", 443}, {"ftp", 21}};

	for (size_t i = 0; scheme.data != NULL && i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].name) == scheme.length &&
		    strncasecmp(known[i].name, scheme.data, scheme.length) == 0)
			return known[i].port;
	return -1;
}

/* Returns the port to connect to, or a negative number. */
static inline long effective_port(const struct reading *reading)
{
	struct slice port = reading->part[PORT];
	long number = 0;

	if (port.length == 0)
		return default_port(reading->part[SCHEME]);
	for (size_t i = 0; i < port.length; i++) {
		if (port.data[i] < '0' || port.data[i] > '9')
			return -1;
		number = number * 10 + (port.data[i] - '0');
		if (number > 65535)
			return -1;
	}
	return number;
}

/* Writes the columns, without an end of line. */
static inline void write_reading(FILE *out, const struct reading *reading)
{
	long port = effective_port(reading);

	fputs("accept\t-", out);
	for (int i = SCHEME; i < PARTS; i++) {
		putc('\t', out);
		write_slice(out, i == HOST ? without_brackets(reading->part[i]) : reading->part[i]);
	}
	if (port < 0)
		fputs("\t\\N", out);
	else
		fprintf(out, "\t%ld", port);
}

#endif
