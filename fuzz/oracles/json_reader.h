/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON reader, strictly by RFC 8259, for the command's output. */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "common/text/octets.h"

#include "oracles.h"

#define MEMBERS_MOST 24
#define DEPTH_MOST   8

/* The text that is not read yet. */
struct json {
	const uint8_t *at, *end;
	bool raw; /* each character of a string is one octet */
};

/* An object split into members: keys as written, values as text. */
struct object {
	struct octets key[MEMBERS_MOST], value[MEMBERS_MOST];
	unsigned count;
};

static bool json_next(struct json *j, const char *word)
{
	const size_t n = strlen(word);
	if ((size_t)(j->end - j->at) < n || memcmp(j->at, word, n) != 0)
		return false;
	j->at += n;
	return true;
}

static unsigned json_hex(struct json *j)
{
	unsigned value = 0;
	for (unsigned k = 0; k < 4; k++) {
		const uint8_t d = j->at < j->end ? *j->at++ : 0;
		oracle((d >= '0' && d <= '9') || (d >= 'A' && d <= 'F') || (d >= 'a' && d <= 'f'),
		       "JSON escapes have four hexadecimal digits");
		value = value * 16 + (d <= '9' ? d - 0x30u : (d | 0x20u) - 0x57u);
	}
	return value;
}

static void json_put(struct builder *b, unsigned value, bool raw)
{
	const uint8_t two[] = {(uint8_t)(0xC0 | value >> 6), (uint8_t)(0x80 | (value & 63))};
	const uint8_t three[] = {(uint8_t)(0xE0 | value >> 12), (uint8_t)(0x80 | (value >> 6 & 63)),
				 (uint8_t)(0x80 | (value & 63))};
	const uint8_t four[] = {(uint8_t)(0xF0 | value >> 18), (uint8_t)(0x80 | (value >> 12 & 63)),
				(uint8_t)(0x80 | (value >> 6 & 63)),
				(uint8_t)(0x80 | (value & 63))};
	const uint8_t one = (uint8_t)value;
	if (raw || value < 0x80) {
		oracle(value < 0x100, "in a raw object a character is an octet");
		add(b, &one, 1);
	} else if (value < 0x800) {
		add(b, two, 2);
	} else if (value < 0x10000) {
		add(b, three, 3);
	} else {
		add(b, four, 4);
	}
}

static void json_escape(struct json *j, struct builder *b)
{
	static const char known[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *is = j->at < j->end && *j->at != '\0' ? strchr(known, *j->at) : NULL;
	unsigned value;
	if (is != NULL) {
		j->at++;
		json_put(b, (unsigned char)meant[is - known], j->raw);
		return;
	}
	oracle(json_next(j, "u"), "JSON escapes are those of RFC 8259");
	value = json_hex(j);
	oracle(value < 0xDC00 || value > 0xDFFF, "a surrogate has another half");
	if (value >= 0xD800 && value < 0xDC00) {
		unsigned low = json_next(j, "\\u") ? json_hex(j) : 0;
		oracle(low >= 0xDC00 && low < 0xE000, "a surrogate has another half");
		value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF);
	}
	json_put(b, value, j->raw);
}

/* Reads a string after its opening quote. Writes its content to `b` unless that is NULL. */
static void json_string(struct json *j, struct builder *b)
{
	uint8_t scrap_room[16];
	struct builder scrap = {(char *)scrap_room, 0};
	while (j->at < j->end && *j->at != '"') {
		const uint8_t c = *j->at++;
		scrap.length = 0;
		oracle(c >= 0x20 && c <= 0x7E, "JSON is ASCII without controls");
		if (c == '\\')
			json_escape(j, b != NULL ? b : &scrap);
		else
			add(b != NULL ? b : &scrap, &c, 1);
	}
	oracle(json_next(j, "\""), "JSON strings end");
}

/* Reads a number without a fraction; the command writes no other. */
static void json_number(struct json *j)
{
	const uint8_t *digits = j->at;
	while (j->at < j->end && *j->at >= '0' && *j->at <= '9')
		j->at++;
	oracle(j->at > digits && (*digits != '0' || j->at == digits + 1),
	       "JSON values are those of RFC 8259");
}

static void json_value(struct json *j, unsigned depth);

/* Reads members or elements after the opening bracket. Stores members in `object` unless it is
 * NULL. */
static void json_list(struct json *j, const char *close, unsigned depth, struct object *object)
{
	bool more = !json_next(j, close);
	while (more) {
		const uint8_t *start = j->at + 1;
		struct octets key = {start, 0};
		if (close[0] == '}') {
			oracle(json_next(j, "\""), "JSON members have a key");
			json_string(j, NULL);
			key.length = (size_t)(j->at - start) - 1;
			oracle(json_next(j, ":"), "JSON keys have a value");
		}
		start = j->at;
		json_value(j, depth + 1);
		if (object != NULL && object->count < MEMBERS_MOST) {
			object->key[object->count] = key;
			object->value[object->count++] =
			    (struct octets){start, (size_t)(j->at - start)};
		}
		more = json_next(j, ",");
		oracle(more || json_next(j, close), "JSON values have commas between");
	}
}

static void json_value(struct json *j, unsigned depth)
{
	oracle(depth < DEPTH_MOST && j->at < j->end, "JSON ends where it should");
	if (json_next(j, "{"))
		json_list(j, "}", depth, NULL);
	else if (json_next(j, "["))
		json_list(j, "]", depth, NULL);
	else if (json_next(j, "\""))
		json_string(j, NULL);
	else if (!json_next(j, "null") && !json_next(j, "true") && !json_next(j, "false"))
		json_number(j);
}

/* Splits an object or array, which must be the whole text. */
static void json_open(struct object *object, struct octets text, bool raw)
{
	struct json j = {text.data, text.data + text.length, raw};
	const bool array = text.length > 0 && text.data[0] == '[';
	object->count = 0;
	oracle(json_next(&j, array ? "[" : "{"), "a line of JSON is an object");
	json_list(&j, array ? "]" : "}", 0, object);
	oracle(j.at == j.end, "a line of JSON is an object");
}

/* Returns the value of a key; its data is NULL if there is none. */
static struct octets json_member(const struct object *object, const char *key)
{
	for (unsigned k = 0; k < object->count; k++)
		if (same(object->key[k].data, object->key[k].length, key, strlen(key)))
			return object->value[k];
	return (struct octets){NULL, 0};
}

static bool json_is(struct octets value, const char *word)
{
	return same(value.data, value.length, word, strlen(word));
}

/* Decodes a string into `room`, which has as many octets. Returns data NULL for null. */
static struct octets text_of_json(struct octets value, bool raw, char *room)
{
	struct builder b = {room, 0};
	struct json j = {value.data, value.data + value.length, raw};
	if (value.length == 0 || !json_next(&j, "\""))
		return (struct octets){NULL, 0};
	json_string(&j, &b);
	return (struct octets){(const uint8_t *)room, b.length};
}

static uint64_t json_count(struct octets value)
{
	uint64_t n = 0;
	for (size_t k = 0; k < value.length; k++)
		n = n * 10 + (value.data[k] - 0x30u);
	return n;
}

/* Returns true if the object has these keys in this order. A key with a question mark is
 * optional. */
static bool json_keys(const struct object *object, const char *const *keys)
{
	unsigned k = 0;
	for (; *keys != NULL; keys++) {
		const bool optional = (*keys)[0] == '?';
		const char *key = *keys + optional;
		if (k < object->count &&
		    same(object->key[k].data, object->key[k].length, key, strlen(key)))
			k++;
		else if (!optional)
			return false;
	}
	return k == object->count;
}

#endif
