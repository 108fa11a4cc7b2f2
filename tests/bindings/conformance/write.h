/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of JSON on standard output. A text is a run of octets: each is written as the character of its
 * number (ISO 8859-1), as \u00XX if it is none of printable ASCII, so that every language reads it back.
 */
#ifndef CONFORMANCE_WRITE_H
#define CONFORMANCE_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <urivet.h>

/* true before the first member or item of an object or array */
static bool is_first = true;

static inline void comma(void)
{
	if (!is_first)
		putchar(',');
	is_first = false;
}

static inline void open_with(char bracket)
{
	comma();
	putchar(bracket);
	is_first = true;
}

static inline void close_with(char bracket)
{
	putchar(bracket);
	is_first = false;
}

static inline void quoted(struct urivet_text text)
{
	const unsigned char *octet = text.data;
	putchar('"');
	for (size_t k = 0; octet != NULL && k < text.length; k++) {
		if (octet[k] < 0x20 || octet[k] > 0x7e)
			printf("\\u%04x", octet[k]);
		else if (octet[k] == '"' || octet[k] == '\\')
			printf("\\%c", octet[k]);
		else
			putchar(octet[k]);
	}
	putchar('"');
}

static inline struct urivet_text text_of(const char *string)
{
	return urivet_text_of(string, string != NULL ? strlen(string) : 0);
}

/* Writes the name of a member; its value comes next. */
static inline void key(const char *name)
{
	comma();
	printf("\"%s\":", name);
	is_first = true;
}

/* Writes a text, or null for data of NULL. */
static inline void put_text(struct urivet_text text)
{
	comma();
	if (text.data == NULL)
		fputs("null", stdout);
	else
		quoted(text);
}

static inline void text(const char *name, struct urivet_text value)
{
	key(name);
	put_text(value);
}

static inline void string(const char *name, const char *value)
{
	text(name, text_of(value));
}

static inline void put_number(int64_t value)
{
	comma();
	printf("%lld", (long long)value);
}

static inline void number(const char *name, size_t value)
{
	key(name);
	put_number((int64_t)value);
}

static inline void truth(const char *name, bool value)
{
	key(name);
	comma();
	fputs(value ? "true" : "false", stdout);
}

/* Writes binary data as two hexadecimal digits an octet. */
static inline void hex(const char *name, const void *data, size_t length)
{
	key(name);
	comma();
	putchar('"');
	for (size_t k = 0; k < length; k++)
		printf("%02x", ((const unsigned char *)data)[k]);
	putchar('"');
}

static inline void begin_case(const char *kind)
{
	is_first = true;
	open_with('{');
	string("kind", kind);
}

static inline void end_case(void)
{
	close_with('}');
	putchar('\n');
}

#endif
