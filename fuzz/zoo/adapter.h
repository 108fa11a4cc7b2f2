/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C and C++ readers of the zoo share: records in, one line of columns out.
 *
 * A reader defines reader_version() and read_record(). The latter calls tell() once
 * if it reads the record, and does not if it refuses it; whatever it does, main()
 * answers with one line. Records end in NUL, so each is a C string as well.
 */
#ifndef ZOO_ADAPTER_H
#define ZOO_ADAPTER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum part { SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT, PARTS };

/* A part of which the data is NULL is absent. */
struct slice {
	const char *data;
	size_t length;
};

struct reading {
	struct slice part[PARTS];
	char digits[24]; /* room for a port that the reader gives as a number */
};

const char *reader_version(void);
void read_record(const char *text, size_t length);

static bool told;

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

/* For a reader that gives the port as a number; below zero there is none. */
static inline void set_port(struct reading *reading, long number)
{
	if (number < 0)
		return;
	snprintf(reading->digits, sizeof reading->digits, "%ld", number);
	reading->part[PORT] = slice(reading->digits);
}

/* Cuts a request target into path, query and fragment, for a reader that leaves it whole. */
static inline void set_target(struct reading *reading, const char *target)
{
	size_t path = strcspn(target, "?#");
	size_t hash = strcspn(target, "#");

	reading->part[PATH] = slice_between(target, target + path);
	if (target[path] == '?')
		reading->part[QUERY] = slice_between(target + path + 1, target + hash);
	if (target[hash] == '#')
		reading->part[FRAGMENT] = slice(target + hash + 1);
}

static inline void write_slice(struct slice text)
{
	if (text.data == NULL) {
		fputs("\\N", stdout);
		return;
	}
	for (size_t i = 0; i < text.length; i++) {
		unsigned char octet = (unsigned char)text.data[i];

		if (octet > 0x20 && octet < 0x7f && octet != '\\')
			putchar(octet);
		else
			printf("\\x%02X", octet);
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

/* The port to connect to, or a number below zero. */
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

static inline void tell(const struct reading *reading)
{
	long port = effective_port(reading);

	if (told)
		return;
	told = true;
	fputs("accept\t-", stdout);
	for (int i = SCHEME; i < PARTS; i++) {
		putchar('\t');
		write_slice(i == HOST ? without_brackets(reading->part[i]) : reading->part[i]);
	}
	if (port < 0)
		puts("\t\\N");
	else
		printf("\t%ld\n", port);
}

/* The next record, NUL included in what getdelim() writes; false at the end. */
static inline bool next_record(char **text, size_t *size, size_t *length)
{
	ssize_t got = getdelim(text, size, '\0', stdin);

	if (got < 0)
		return false;
	*length = (size_t)got;
	if ((*text)[*length - 1] == '\0' && *length > 0)
		--*length;
	return true;
}

int main(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	size_t length;

	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		puts(reader_version());
		return 0;
	}
	while (next_record(&text, &size, &length)) {
		told = false;
		read_record(text, length);
		if (!told)
			puts("reject\t-\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N");
	}
	free(text);
	return fflush(stdout) != 0;
}

#endif
