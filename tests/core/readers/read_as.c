/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what a reader makes of each record of standard input, for comparison
 * with the software that the reader is a model of.
 *
 *   read_as [--counted] READER
 *
 * Records end in NUL; with --counted each has its length before it instead, four
 * octets, the first the highest. One line a record: "-" if it is not read, else
 * scheme, userinfo, host, port, path, query and fragment with tabs between, an
 * absent one as \N. Octets outside 0x21-0x7E, and backslashes, are written \xHH.
 *
 * Input and output lie in memory of their exact size, and what was written must
 * be its components put together again: exit status 3 if it is not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>
#include <urivet/readers.h>

static void fail(const char *why)
{
	fprintf(stderr, "read_as: %s\n", why);
	exit(3);
}

static void *room(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);
	if (p == NULL)
		fail("out of memory");
	return p;
}

static void print_component(const struct urivet_uri *uri, enum urivet_component c, const char *in)
{
	if (!urivet_has(uri, c)) {
		fputs("\\N", stdout);
		return;
	}
	for (uint32_t k = 0; k < uri->part[c].length; k++) {
		const unsigned char octet = (unsigned char)in[uri->part[c].offset + k];
		if (octet > 0x20 && octet < 0x7f && octet != '\\')
			putchar(octet);
		else
			printf("\\x%02X", octet);
	}
}

/* ---- Recomposition (RFC 3986, 5.3) ------------------------------------------------ */

struct recomposed {
	char *text;
	size_t length;
};

static void add(struct recomposed *r, const char *s, size_t length)
{
	memcpy(r->text + r->length, s, length);
	r->length += length;
}

static void add_component(struct recomposed *r, const struct urivet_uri *uri,
			  enum urivet_component c, const char *in, const char *before,
			  const char *after)
{
	if (!urivet_has(uri, c))
		return;
	add(r, before, strlen(before));
	add(r, in + uri->part[c].offset, uri->part[c].length);
	add(r, after, strlen(after));
}

static void check_written(const struct urivet_reading *reading, const char *in)
{
	const struct urivet_uri *const uri = &reading->uri;
	const bool literal = uri->host_kind == URIVET_HOST_IPV6;
	struct recomposed r = {room(reading->written + 64), 0};
	for (size_t k = 0; k < reading->written; k++)
		if (in[k] <= 0x20 || in[k] >= 0x7f)
			fail("not printable");
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
		if ((size_t)uri->part[c].offset + uri->part[c].length > reading->written)
			fail("a span beyond what was written");
	add_component(&r, uri, URIVET_SCHEME, in, "", "://");
	add_component(&r, uri, URIVET_USERINFO, in, "", "@");
	add_component(&r, uri, URIVET_HOST, in, literal ? "[" : "", literal ? "]" : "");
	add_component(&r, uri, URIVET_PORT, in, ":", "");
	add_component(&r, uri, URIVET_PATH, in, "", "");
	add_component(&r, uri, URIVET_QUERY, in, "?", "");
	add_component(&r, uri, URIVET_FRAGMENT, in, "#", "");
	if (r.length != reading->written || memcmp(r.text, in, r.length) != 0)
		fail("not its components put together again");
	free(r.text);
}

/* ---- Records ------------------------------------------------------------------------ */

static void read_one(enum urivet_reader reader, const char *record, size_t length)
{
	static const enum urivet_component columns[] = {
	    URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,    URIVET_PORT,
	    URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT};
	const size_t capacity = URIVET_READING_CAPACITY(length);
	char *const data = room(length), *const out = room(capacity);
	struct urivet_reading reading;
	memcpy(data, record, length);
	if (urivet_read_as(&reading, reader, data, length, out, capacity) != reading.reads)
		fail("result and reading differ");
	if (reading.reads) {
		const char *const in = reading.written > 0 ? out : data;
		if (reading.written > 0)
			check_written(&reading, in);
		for (unsigned k = 0; k < sizeof columns / sizeof columns[0]; k++) {
			print_component(&reading.uri, columns[k], in);
			putchar(k + 1 < sizeof columns / sizeof columns[0] ? '\t' : '\n');
		}
	} else {
		puts("-");
	}
	free(data);
	free(out);
}

static char *read_all(size_t *length)
{
	size_t size = 1 << 20, got;
	char *data = room(size);
	*length = 0;
	while ((got = fread(data + *length, 1, size - *length, stdin)) > 0) {
		*length += got;
		if (*length == size) {
			char *const more = realloc(data, size * 2);
			if (more == NULL)
				fail("out of memory");
			data = more;
			size *= 2;
		}
	}
	return data;
}

/* The record at data[*at], and *at moved after it. */
static const char *next_record(const char *data, size_t all, size_t *at, bool counted,
			       size_t *length)
{
	const char *const first = data + *at;
	const char *end;
	if (counted) {
		*length = 0;
		for (unsigned k = 0; k < 4 && *at + k < all; k++)
			*length = *length << 8 | (unsigned char)first[k];
		if (all - *at < 4 || *length > all - *at - 4)
			fail("a record is cut short");
		*at += 4 + *length;
		return first + 4;
	}
	end = memchr(first, 0, all - *at);
	*length = end == NULL ? all - *at : (size_t)(end - first);
	*at += *length + (end != NULL);
	return first;
}

int main(int argc, char **argv)
{
	const bool counted = argc > 2 && strcmp(argv[1], "--counted") == 0;
	const int reader = argc == 2 + counted ? urivet_reader_named(argv[argc - 1], strlen(argv[argc - 1])) : -1;
	size_t all, at = 0;
	char *data;
	if (reader < 0) {
		fputs("usage: read_as [--counted] READER\n", stderr);
		return 2;
	}
	data = read_all(&all);
	while (at < all) {
		size_t length;
		const char *const record = next_record(data, all, &at, counted, &length);
		read_one((enum urivet_reader)reader, record, length);
	}
	free(data);
	return fflush(stdout) == 0 ? 0 : 2;
}
