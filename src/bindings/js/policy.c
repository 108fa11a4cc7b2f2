/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler of policies for urivet/policy: src/policyfile over values that lib/policy.js writes, in
 * place of YAML. A module compiles one policy and is thrown away, so that memory is only taken,
 * never given back.
 *
 * A value is an octet for its kind: '{' and '[' begin a group or a list, ']' ends one, 't' and 'n'
 * are a text and a number, which go on up to a NUL. Keys are texts. A place is the number of a
 * value, as a line.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/hex.h"
#include "common/rules.h"
#include "policyfile/compiled.h"
#include "policyfile/reader.h"
#include "policyfile/suffix.h"

#define JS(name) __attribute__((export_name(#name), visibility("default"))) name

/* ---- What the loader takes from a C library ------------------------------------------ */

extern unsigned char __heap_base;
static size_t top; /* of memory that was taken */

void *malloc(size_t size)
{
	const size_t at = (top == 0 ? (size_t)&__heap_base : top) + 31 & ~(size_t)15;
	const size_t end = at + size, pages = __builtin_wasm_memory_size(0);
	if (end < at)
		return NULL;
	if (end > pages << 16 &&
	    __builtin_wasm_memory_grow(0, (end - (pages << 16) + 65535) >> 16) == (size_t)-1)
		return NULL;
	*(size_t *)(at - sizeof(size_t)) = size; /* for realloc() */
	top = end;
	return (void *)at;
}

void free(void *memory)
{
}

void *calloc(size_t count, size_t size)
{
	void *memory = size == 0 || count <= SIZE_MAX / size ? malloc(count * size) : NULL;
	return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *memory, size_t size)
{
	const size_t before = memory != NULL ? ((size_t *)memory)[-1] : 0;
	void *grown = malloc(size);
	if (grown != NULL && before > 0)
		memcpy(grown, memory, before < size ? before : size);
	return grown;
}

void *memchr(const void *data, int octet, size_t length)
{
	const unsigned char *x = data;
	for (size_t k = 0; k < length; k++)
		if (x[k] == (unsigned char)octet)
			return (void *)(x + k);
	return NULL;
}

static int small(char octet)
{
	return octet >= 'A' && octet <= 'Z' ? octet + 32 : octet;
}

int strcasecmp(const char *a, const char *b)
{
	while (*a != '\0' && small(*a) == small(*b)) {
		a++;
		b++;
	}
	return small(*a) - small(*b);
}

char *strchr(const char *string, int octet)
{
	return memchr(string, octet, strlen(string) + 1);
}

char *stpcpy(char *to, const char *from)
{
	const size_t length = strlen(from);
	return (char *)memcpy(to, from, length + 1) + length;
}

char *strdup(const char *string)
{
	const size_t size = strlen(string) + 1;
	char *const copy = malloc(size);
	return copy != NULL ? memcpy(copy, string, size) : NULL;
}

char *strrchr(const char *string, int octet)
{
	const char *last = NULL;
	for (; *string != '\0'; string++)
		last = *string == (char)octet ? string : last;
	return (char *)last;
}

static size_t span_of(const char *string, const char *set, bool is_in)
{
	size_t length = 0;
	while (string[length] != '\0' && (strchr(set, string[length]) != NULL) == is_in)
		length++;
	return length;
}

size_t strspn(const char *string, const char *set)
{
	return span_of(string, set, true);
}

size_t strcspn(const char *string, const char *set)
{
	return span_of(string, set, false);
}

char *strpbrk(const char *string, const char *set)
{
	string += strcspn(string, set);
	return *string != '\0' ? (char *)string : NULL;
}

/* Decimal digits: the loader asks for nothing else of what lib/policy.js writes. */
long long strtoll(const char *text, char **end, int base)
{
	long long value = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (*text - '0');
	if (end != NULL)
		*end = (char *)text;
	return value;
}

/* Merges halves: stable, O(n log n). */
static void sort(char *data, char *room, size_t count, size_t size,
		 int (*order)(const void *, const void *))
{
	const size_t half = count / 2;
	char *left = data, *right = data + half * size, *to = room;
	if (count < 2)
		return;
	sort(data, room, half, size, order);
	sort(right, room, count - half, size, order);
	for (; to < room + count * size; to += size) {
		const bool from_left = right == data + count * size ||
				       (left < data + half * size && order(left, right) <= 0);
		memcpy(to, from_left ? left : right, size);
		left += from_left ? size : 0;
		right += from_left ? 0 : size;
	}
	memcpy(data, room, count * size);
}

void qsort(void *data, size_t count, size_t size, int (*order)(const void *, const void *))
{
	char *room = calloc(count, size);
	if (room == NULL)
		__builtin_trap(); /* no policy comes of it */
	sort(data, room, count, size, order);
}

/* ---- Messages ------------------------------------------------------------------------ */

struct sink {
	char *data;
	size_t size, length;
};

static void put_char(struct sink *s, char octet)
{
	if (s->length + 1 < s->size)
		s->data[s->length] = octet;
	s->length++;
}

static void put_unsigned(struct sink *s, unsigned long long value, unsigned base, size_t least)
{
	char digits[24];
	size_t count = 0;
	do {
		digits[count++] = hex_digit((unsigned)(value % base));
		value /= base;
	} while (value > 0 || count < least);
	while (count > 0)
		put_char(s, digits[--count]);
}

static void put_signed(struct sink *s, long long value)
{
	if (value < 0)
		put_char(s, '-');
	put_unsigned(s, value < 0 ? 0ull - value : value, 10, 1);
}

static void put_text(struct sink *s, const char *text, size_t most)
{
	for (size_t k = 0; k < most && text[k] != '\0'; k++)
		put_char(s, text[k]);
}

/* What the loader's formats have: %s %.*s %.100s %d %u %lu %zu %lld %02X. */
static const char *put_one(struct sink *s, const char *format, va_list *values)
{
	size_t most = SIZE_MAX, longs = 0;
	if (format[0] == '.' && format[1] == '*') {
		most = (size_t)va_arg(*values, int);
		format += 2;
	} else if (format[0] == '.') {
		most = (size_t)strtoll(format + 1, (char **)&format, 10);
	}
	format += format[0] == '0' ? 2 : 0;
	for (; *format == 'l' || *format == 'z'; format++)
		longs++;
	if (*format == 's')
		put_text(s, va_arg(*values, const char *), most);
	else if (*format == 'd' && longs == 2)
		put_signed(s, va_arg(*values, long long));
	else if (*format == 'd')
		put_signed(s, va_arg(*values, int));
	else if (*format == 'u')
		put_unsigned(s, va_arg(*values, unsigned), 10, 1);
	else if (*format == 'X')
		put_unsigned(s, va_arg(*values, unsigned), 16, 2);
	return format + 1;
}

int vsnprintf(char *out, size_t size, const char *format, va_list values)
{
	struct sink s = {out, size, 0};
	va_list left;
	va_copy(left, values);
	while (*format != '\0') {
		if (*format == '%' && format[1] != '%') {
			format = put_one(&s, format + 1, &left);
			continue;
		}
		format += *format == '%';
		put_char(&s, *format++);
	}
	va_end(left);
	if (size > 0)
		out[s.length < size ? s.length : size - 1] = '\0';
	return (int)s.length;
}

int snprintf(char *out, size_t size, const char *format, ...)
{
	va_list values;
	int length;
	va_start(values, format);
	length = vsnprintf(out, size, format, values);
	va_end(values);
	return length;
}

/* ---- Values in place of YAML --------------------------------------------------------- */

struct yaml {
	const uint8_t *at, *end;
	struct problems *problems;
	size_t *values;
	uint32_t file, line;
	size_t depth;
};

bool urivet_loader_has_yaml(void)
{
	return true;
}

bool urivet_loader_check_octets(struct source *source, struct problems *problems)
{
	return true; /* lib/policy.js did */
}

struct yaml *urivet_loader_yaml_open(const struct source *source, struct problems *problems,
				     size_t *values)
{
	struct yaml *yaml = calloc(1, sizeof *yaml);
	if (yaml == NULL)
		return NULL;
	yaml->at = source->data;
	yaml->end = source->data + source->length;
	yaml->problems = problems;
	yaml->values = values;
	yaml->file = source->file;
	return yaml;
}

void urivet_loader_yaml_close(struct yaml *yaml)
{
}

/* The bounds and words of yaml.c. */
static bool too_many(struct yaml *yaml, struct place at, const char *what, unsigned most,
		     const char *unit)
{
	urivet_loader_problem(yaml->problems, at, "%s more than %u %s", what, most, unit);
	return false;
}

/* Reads a text or a number. */
static bool take_text(struct yaml *yaml, struct node *node)
{
	node->text = (const char *)yaml->at;
	node->length = strlen(node->text);
	yaml->at += node->length + 1;
	if (node->length > YAML_TEXT_MOST)
		return too_many(yaml, node->at, "a text of", YAML_TEXT_MOST, "octets");
	return true;
}

bool urivet_loader_yaml_next(struct yaml *yaml, struct node *node)
{
	const uint8_t kind = yaml->at < yaml->end ? *yaml->at++ : ']';
	memset(node, 0, sizeof *node);
	node->at.file = yaml->file;
	node->at.line = ++yaml->line;
	node->at.column = 1;
	node->plain = kind == 'n';
	if (kind == ']') {
		node->kind = NODE_END;
		yaml->line--;
		yaml->depth--;
		return true;
	}
	if ((*yaml->values)++ == YAML_VALUES_MOST)
		return too_many(yaml, node->at, "it has", YAML_VALUES_MOST, "values");
	if (kind == 't' || kind == 'n')
		return take_text(yaml, node);
	node->kind = kind == '{' ? NODE_GROUP : NODE_LIST;
	if (yaml->depth++ > YAML_DEPTH_MOST)
		return too_many(yaml, node->at, "lists and groups are nested", YAML_DEPTH_MOST, "deep");
	return true;
}

bool urivet_loader_yaml_key(struct yaml *yaml, struct node *node)
{
	return urivet_loader_yaml_next(yaml, node);
}

bool urivet_loader_yaml_skip(struct yaml *yaml, const struct node *node)
{
	const size_t outside = yaml->depth - 1;
	struct node inner;
	if (node->kind != NODE_LIST && node->kind != NODE_GROUP)
		return true;
	while (yaml->depth > outside)
		if (!urivet_loader_yaml_next(yaml, &inner))
			return false;
	return true;
}

bool urivet_loader_yaml_begin(struct yaml *yaml)
{
	struct node node;
	return urivet_loader_yaml_next(yaml, &node) && node.kind == NODE_GROUP;
}

bool urivet_loader_yaml_end(struct yaml *yaml)
{
	return yaml->at == yaml->end;
}

/* ---- What is not here: files, and the list of public suffixes ------------------------ */

bool urivet_loader_read(uint8_t **data, size_t *length, const char *path, enum source_kind kind,
			size_t most, char *why, size_t size)
{
	(void)snprintf(why, size, "%s", "there are no files here");
	return false;
}

struct identity urivet_loader_identity(const char *path)
{
	return (struct identity){0};
}

struct urivet_suffixes *urivet_suffixes_open(urivet_on_message *on_message, void *context)
{
	return NULL;
}

size_t urivet_loader_ascii_name(char out[POLICY_RULE_TEXT], const char *name, size_t length)
{
	out[0] = '\0';
	return 0;
}

void urivet_suffixes_close(struct urivet_suffixes *suffixes)
{
}

void urivet_suffixes_set(const struct urivet_suffixes *suffixes, struct urivet_policy *policy)
{
}

bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name)
{
	return true;
}

/* ---- Compiled policies: none are read here --------------------------------------------- */

bool urivet_loader_is_compiled(const void *data, size_t length)
{
	return false;
}

struct urivet_loaded *urivet_loader_compiled(const void *data, size_t length, const char *name,
					     struct problems *problems)
{
	return NULL;
}

/* ---- What JavaScript calls ----------------------------------------------------------- */

/* Place and length of the policy, or of messages: a line each, of number, TAB and text. */
static uint32_t words[2];

uint32_t *JS(js_result)(void)
{
	return words;
}

void *JS(js_room)(size_t size)
{
	return malloc(size);
}

static struct sink reported;

static void on_message(void *context, const struct urivet_message *message)
{
	put_unsigned(&reported, message->line, 10, 1);
	put_char(&reported, '\t');
	put_text(&reported, message->text, SIZE_MAX);
	put_char(&reported, '\n');
}

/* Returns true if a policy came of it. */
uint32_t JS(js_compile)(const void *data, size_t length)
{
	static char messages[49152]; /* of 100 problems, which quote 100 octets each */
	struct urivet_loaded *loaded;
	size_t size;
	void *out;
	reported = (struct sink){messages, sizeof messages, 0};
	loaded = urivet_load_text(data, length, "policy", on_message, NULL);
	size = loaded != NULL ? urivet_loaded_compile(NULL, 0, loaded) : 0;
	out = size > 0 ? malloc(size) : NULL;
	if (out == NULL || urivet_loaded_compile(out, size, loaded) != size) {
		words[0] = (uint32_t)(size_t)messages;
		words[1] =
		    reported.length < sizeof messages ? reported.length : sizeof messages - 1;
		return false;
	}
	words[0] = (uint32_t)(size_t)out;
	words[1] = size;
	return true;
}
