/* SPDX-License-Identifier: Apache-2.0 */
/* Parses JSON octet by octet, without recursion: a bit for each open container gives its type. */
#include "cli/records/json_row.h"
#include "cli/records/names.h"
#include "common/hex.h"
#include "common/text/is_utf8.h"

static const struct octets reserved = {(const uint8_t *)"urivet_", 7};

bool json_path_read(struct json_path *path, const char *words)
{
	*path = (struct json_path){0};
	for (;;) {
		const size_t length = strcspn(words, ".");

		if (length == 0 || path->names == JSON_PATH_MOST)
			return false;
		path->name[path->names++] = text_at(words, length);
		if (words[length] == '\0')
			return true;
		words += length + 1;
	}
}

/* ---- Strings --------------------------------------------------------------------------------- */

/* Returns the value of the four hex digits at the start of the text, -1 if they are missing. */
static int32_t read_unit(struct octets text)
{
	int32_t unit = 0;

	if (text.length < 4)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		const unsigned digit = hex_value(text.data[i]);

		if (digit > 15)
			return -1;
		unit = unit * 16 + (int32_t)digit;
	}
	return unit;
}

static void skip(struct octets *text, size_t octets)
{
	*text = text_after(*text, octets);
}

/* Returns the character of \uXXXX, or of a surrogate pair, and skips it. Returns 0 if there is
 * none. The text starts after the first u. */
static uint32_t take_units(struct octets *rest)
{
	const uint32_t high = (uint32_t)read_unit(*rest);
	uint32_t low;

	skip(rest, 4);
	if (high < 0xD800 || high > 0xDFFF)
		return high;
	if (high > 0xDBFF || rest->length < 6 || rest->data[0] != '\\' || rest->data[1] != 'u')
		return 0;
	low = (uint32_t)read_unit(text_at(rest->data + 2, rest->length - 2));
	if (low < 0xDC00 || low > 0xDFFF)
		return 0;
	skip(rest, 6);
	return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

/* Decodes and skips one character of a valid string's content. Returns its length in octets, 0 if
 * it is not a character. */
static size_t take_character(struct octets *rest, uint8_t to[4])
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	uint32_t character;

	if (rest->data[0] != '\\') {
		to[0] = rest->data[0];
		skip(rest, 1);
		return 1;
	}
	if (rest->data[1] != 'u') {
		to[0] = (uint8_t)meant[strchr(letters, rest->data[1]) - letters];
		skip(rest, 2);
		return 1;
	}
	skip(rest, 2);
	character = take_units(rest);
	return character != 0 ? urivet_loader_put_utf8(to, character) : 0;
}

bool json_decode(uint8_t *to, size_t *length, struct octets inside)
{
	*length = 0;
	while (inside.length > 0) {
		uint8_t octets[4];
		const size_t taken = take_character(&inside, octets);

		if (taken == 0)
			return false;
		memcpy(to + *length, octets, taken);
		*length += taken;
	}
	return true;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Takes one character of a valid string's content. Returns 0 for NUL and for an unpaired surrogate,
 * where some parsers end the key. */
static uint32_t take_key_point(struct octets *key)
{
	uint8_t octets[4];
	struct octets character;

	if (key->data[0] != '\\')
		return take_point(key);
	character = text_at(octets, take_character(key, octets));
	return character.length > 0 ? take_point(&character) : 0;
}

/* ---- The grammar ----------------------------------------------------------------------------- */

struct reading {
	struct json_row *row;
	const struct json_path *path;
	struct octets text;
	size_t at;
	size_t depth;                          /* number of open objects and arrays */
	uint64_t object[JSON_DEPTH_MOST / 64]; /* bit set: it is an object */
	size_t matched;                        /* number of outermost objects on the path */
	size_t seen[JSON_PATH_MOST];           /* how often each name occurred */
	bool wanted;                           /* the path leads to the next value */
	size_t next_name;                      /* number of names to the next value, or SIZE_MAX */
};

static bool fail(struct reading *reading, const char *fault)
{
	if (reading->row->fault == NULL) {
		reading->row->fault = fault;
		reading->row->fault_at = reading->at;
	}
	return false;
}

/* Returns the next octet, 0 at the end. NUL never occurs in valid JSON. */
static uint8_t peek(const struct reading *reading)
{
	return reading->at < reading->text.length ? reading->text.data[reading->at] : 0;
}

static void skip_space(struct reading *reading)
{
	uint8_t octet = peek(reading);

	while (octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n') {
		reading->at++;
		octet = peek(reading);
	}
}

static bool read_escape(struct reading *reading)
{
	const uint8_t letter =
	    reading->at + 1 < reading->text.length ? reading->text.data[reading->at + 1] : 0;
	const struct octets after = {reading->text.data + reading->at + 2,
				     letter != 0 ? reading->text.length - reading->at - 2 : 0};

	if (letter == 'u' && read_unit(after) >= 0)
		reading->at += 6;
	else if (letter != 0 && letter != 'u' && strchr("\"\\/bfnrt", letter) != NULL)
		reading->at += 2;
	else
		return fail(reading, "an escape that JSON does not know");
	return true;
}

/* Reads a string and stores its content, without the quotes. */
static bool read_string(struct reading *reading, struct octets *inside, bool *escaped)
{
	const size_t from = ++reading->at;

	*escaped = false;
	for (;;) {
		const uint8_t octet = peek(reading);

		if (octet == '"')
			break;
		if (octet < 0x20)
			return fail(reading, reading->at == reading->text.length
						 ? "a string that does not end"
						 : "a control character in a string");
		if (octet != '\\') {
			reading->at++;
			continue;
		}
		*escaped = true;
		if (!read_escape(reading))
			return false;
	}
	*inside = text_at(reading->text.data + from, reading->at - from);
	reading->at++;
	return true;
}

static size_t skip_digits(struct reading *reading)
{
	const size_t from = reading->at;

	while (peek(reading) >= '0' && peek(reading) <= '9')
		reading->at++;
	return reading->at - from;
}

static bool read_number(struct reading *reading)
{
	size_t from;
	bool good;

	reading->at += peek(reading) == '-';
	from = reading->at;
	good = skip_digits(reading) > 0 &&
	       (reading->text.data[from] != '0' || reading->at - from == 1);
	if (good && peek(reading) == '.') {
		reading->at++;
		good = skip_digits(reading) > 0;
	}
	if (good && (peek(reading) == 'e' || peek(reading) == 'E')) {
		reading->at++;
		reading->at += peek(reading) == '+' || peek(reading) == '-';
		good = skip_digits(reading) > 0;
	}
	return good || fail(reading, "a number that is none of JSON");
}

static bool read_word(struct reading *reading)
{
	static const char *const words[] = {"true", "false", "null"};
	const size_t left = reading->text.length - reading->at;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const size_t length = strlen(words[i]);

		if (left < length ||
		    memcmp(reading->text.data + reading->at, words[i], length) != 0)
			continue;
		reading->at += length;
		return true;
	}
	return fail(reading, left == 0 ? "the line ends where JSON does not" : "no value of JSON");
}

static bool in_object(const struct reading *reading)
{
	const size_t top = reading->depth - 1;

	return (reading->object[top / 64] >> (top % 64) & 1) != 0;
}

static bool open_container(struct reading *reading, bool object)
{
	const uint64_t bit = (uint64_t)1 << (reading->depth % 64);

	if (reading->depth == JSON_DEPTH_MOST)
		return fail(reading, "more than 256 objects and arrays within one another");
	reading->object[reading->depth / 64] &= ~bit;
	reading->object[reading->depth / 64] |= object ? bit : 0;
	if (object && reading->next_name == reading->depth && reading->matched == reading->depth)
		reading->matched++;
	reading->depth++;
	reading->at++;
	reading->next_name = SIZE_MAX;
	return true;
}

static void close_container(struct reading *reading)
{
	if (reading->matched == reading->depth)
		reading->matched--;
	reading->depth--;
	reading->at++;
}

/* Compares the key of a member with the path. */
static bool take_name(struct reading *reading, struct octets key)
{
	const size_t level = reading->depth - 1;
	enum likeness likeness;

	reading->next_name = SIZE_MAX;
	reading->wanted = false;
	if (level == 0 && compare_names(key, take_key_point, reserved, false) != OTHER)
		return fail(reading, "a name that begins with urivet_");
	if (reading->matched != reading->depth || level >= reading->path->names)
		return true;
	likeness = compare_names(key, take_key_point, reading->path->name[level], true);
	if (likeness == LIKE || (likeness == SAME && reading->seen[level]++ > 0))
		reading->row->ambiguous = true;
	if (likeness != SAME)
		return true;
	reading->wanted = level + 1 == reading->path->names;
	if (!reading->wanted)
		reading->next_name = reading->depth;
	return true;
}

static bool read_key(struct reading *reading)
{
	struct octets key = {0};
	bool escaped;
	const size_t from = reading->at;

	if (peek(reading) != '"')
		return fail(reading, "no name of a member");
	if (!read_string(reading, &key, &escaped))
		return false;
	skip_space(reading);
	if (peek(reading) != ':')
		return fail(reading, "no colon after a name");
	reading->at++;
	if (reading->depth == 1)
		reading->row->members = true;
	if (take_name(reading, key))
		return true;
	reading->row->fault_at = from;
	return false;
}

/* Reads a scalar value, or only the opening bracket of a container. */
static bool read_value(struct reading *reading)
{
	const bool wanted = reading->wanted;
	const uint8_t octet = peek(reading);
	const size_t from = reading->at;
	struct octets inside;
	bool escaped;

	reading->wanted = false;
	if (octet == '{' || octet == '[')
		return open_container(reading, octet == '{');
	if (octet == '"') {
		if (!read_string(reading, &inside, &escaped))
			return false;
		if (wanted) {
			reading->row->field = inside;
			reading->row->escaped = escaped;
		}
		return true;
	}
	if (octet != '-' && (octet < '0' || octet > '9'))
		return read_word(reading);
	if (!read_number(reading))
		return false;
	if (wanted)
		reading->row->number = text_at(reading->text.data + from, reading->at - from);
	return true;
}

/* Reads on inside a container, after it was opened or after one of its values. */
static bool read_on(struct reading *reading, bool opened)
{
	const bool object = in_object(reading);
	const uint8_t close = object ? '}' : ']';

	if (peek(reading) == close) {
		if (reading->depth == 1)
			reading->row->close = reading->at;
		close_container(reading);
		return true;
	}
	if (!opened) {
		if (peek(reading) != ',')
			return fail(reading, "no comma after a value");
		reading->at++;
		skip_space(reading);
	}
	if (object && !read_key(reading))
		return false;
	skip_space(reading);
	return read_value(reading);
}

static void read_object(struct reading *reading)
{
	size_t before = 0;

	skip_space(reading);
	if (peek(reading) != '{') {
		(void)fail(reading, "no JSON object");
		return;
	}
	(void)open_container(reading, true);
	while (reading->depth > 0) {
		const bool opened = reading->depth > before;

		before = reading->depth;
		skip_space(reading);
		if (!read_on(reading, opened))
			return;
	}
	skip_space(reading);
	if (reading->at < reading->text.length)
		(void)fail(reading, "octets after the object");
}

void json_row_read(struct json_row *row, const struct json_path *path, struct octets text)
{
	struct reading reading = {.row = row, .path = path, .text = text};

	*row = (struct json_row){0};
	if (!is_utf8(text))
		(void)fail(&reading, "octets that are no UTF-8");
	else
		read_object(&reading);
}
