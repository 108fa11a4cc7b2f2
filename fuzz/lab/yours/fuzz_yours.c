/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes your reader. If strict accepts an input, the reader must read it as written, up to the
 * spellings of fuzz/lab/zoo/allowed.tsv. Other readings are kept, the shortest of each kind, in the
 * folder that YOURS_FOUND names; with -DABORT the fuzzer stops at the first. The input is a copy of
 * its exact size, so that a sanitizer detects one octet too many.
 */
#include <urivet.h>

#ifndef URIVET_YOURS
#define URIVET_YOURS
#endif
#include "yours.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static const char *const part_name[PARTS] = {"scheme", "userinfo", "host",    "port",
					     "path",   "query",    "fragment"};
/* Octets that may be raw or their own triplets, as in allowed.tsv. */
static const char *const either_way[PARTS] = {
    [PATH] = "!$&'()*+,;=:@", [QUERY] = "!$'()*,:@/?", [FRAGMENT] = "'"};

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_triplet(struct slice text)
{
	return text.length >= 3 && text.data[0] == '%' && digit_of(text.data[1]) >= 0 &&
	       digit_of(text.data[2]) >= 0;
}

/* Takes an octet or a triplet off the text. Returns its value, plus 256 if the two spellings
 * differ in meaning. */
static int next_unit(struct slice *text, enum part part)
{
	const bool triplet = is_triplet(*text);
	const size_t size = triplet ? 3 : 1;
	int value = triplet ? digit_of(text->data[1]) * 16 + digit_of(text->data[2])
			    : (unsigned char)text->data[0];
	const char *either = either_way[part];

	*text = slice_between(text->data + size, text->data + text->length);
	if (part <= HOST && value >= 'A' && value <= 'Z')
		value += 'a' - 'A';
	if (triplet && (value == 0 || either == NULL || strchr(either, value) == NULL))
		value += 256;
	return value;
}

static bool same_text(struct slice a, struct slice b, enum part part)
{
	while (a.length > 0 && b.length > 0)
		if (next_unit(&a, part) != next_unit(&b, part))
			return false;
	return a.length == b.length;
}

/* Returns a component as it is compared: an absent path is the root, other absent components are
 * empty. */
static struct slice counted(const struct reading *reading, enum part part)
{
	struct slice text = reading->part[part];

	if (part == HOST)
		text = without_brackets(text);
	if (part == PATH && (text.data == NULL || text.length == 0))
		return slice("/");
	return text.data != NULL ? text : slice("");
}

static bool same_part(const struct reading *mine, const struct reading *written, enum part part)
{
	if (part == PORT)
		return effective_port(mine) == effective_port(written);
	return same_text(counted(mine, part), counted(written, part), part);
}

/* Returns the components as written, as the library splits them. */
static struct reading as_written(const char *data, size_t length, const struct urivet_uri *uri)
{
	static const enum urivet_component component[PARTS] = {
	    URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,    URIVET_PORT,
	    URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT};
	struct reading reading = {0};

	for (int i = 0; i < PARTS; i++) {
		const struct urivet_text text = urivet_part(
		    uri, component[i], urivet_text_of(data, length), urivet_text_of(NULL, 0));

		if (text.data != NULL)
			reading.part[i] = slice_between((const char *)text.data,
							(const char *)text.data + text.length);
	}
	return reading;
}

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static bool is_shorter(const char *path, size_t length)
{
	FILE *file = fopen(path, "rb");
	long size;

	if (file == NULL)
		return true;
	size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	fclose(file);
	return size < 0 || length < (size_t)size;
}

/* Returns a bit set of features of the input. It names the kind, and so limits the number of
 * files. */
static unsigned marks_of(const char *data, size_t length)
{
	static const char marks[] = "@:[%?#;+.";
	unsigned found = 0;

	for (size_t i = 0; i < length; i++) {
		const char *mark = data[i] != '\0' ? strchr(marks, data[i]) : NULL;

		if (mark != NULL)
			found |= 1U << (mark - marks);
	}
	return found;
}

static void keep(const char *what, const char *data, size_t length)
{
	const char *folder = getenv("YOURS_FOUND");
	char path[4096];
	FILE *file;

#ifdef ABORT
	fprintf(stderr, "read otherwise than written: %s: %.*s\n", what, (int)length, data);
	abort();
#endif
	if (folder == NULL)
		return;
	snprintf(path, sizeof path, "%s/%s-%x", folder, what, marks_of(data, length));
	if (!is_shorter(path, length))
		return;
	file = fopen(path, "wb");
	if (file == NULL || fwrite(data, 1, length, file) != length || fclose(file) != 0)
		fail(path);
}

static void compare(const char *data, size_t length, const struct reading *mine)
{
	struct urivet_uri uri;
	struct reading written;

	if (!urivet_parse(&uri, data, length, NULL))
		return;
	if (mine == NULL) {
		keep("refused", data, length);
		return;
	}
	written = as_written(data, length, &uri);
	for (int i = 0; i < PARTS; i++)
		if (!same_part(mine, &written, (enum part)i)) {
			keep(part_name[i], data, length);
			return;
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
#ifdef WITHOUT_NUL
	const size_t room = length;
#else
	const size_t room = length + 1;
#endif
	char *copy = malloc(room > 0 ? room : 1);
	struct reading reading = {0};
	bool reads;

	if (copy == NULL)
		fail("memory");
	if (length > 0)
		memcpy(copy, data, length);
	if (room > length)
		copy[length] = '\0';
	reads = read_mine(copy, length, &reading);
	if (urivet_ok(copy, length))
		compare(copy, length, reads ? &reading : NULL);
	free(copy);
	return 0;
}
