/* SPDX-License-Identifier: Apache-2.0 */
/* Writes several values with one call, each by its type: a string as it is, a number in decimal, a
 * text with escapes, and the values below. Another type is an error of the compiler. */
#ifndef CLI_EMIT_H
#define CLI_EMIT_H

#include "cli/text/paint.h"

/* A sentence of the source or a name: written by output_prose(). */
struct emit_prose {
	const char *string;
};

/* A string, or a text with escapes, in a colour. */
struct emit_word {
	enum style style;
	const char *string;
};
struct emit_part {
	enum style style;
	struct octets text;
};

/* The style of what follows. */
struct emit_style {
	enum style style;
};

struct emit_raw {
	struct octets text;
};

struct emit_number {
	uint64_t number;
	size_t columns;
};

struct emit_json {
	struct octets text;
	bool raw;
};

struct emit_spaces {
	size_t count;
};

static inline struct emit_prose prose(const char *string)
{
	return (struct emit_prose){string};
}

static inline struct emit_word painted(enum style style, const char *string)
{
	return (struct emit_word){style, string};
}

static inline struct emit_part painted_text(enum style style, struct octets text)
{
	return (struct emit_part){style, text};
}

static inline struct emit_style in_style(enum style style)
{
	return (struct emit_style){style};
}

/* Returns a text that is written as it is. */
static inline struct emit_raw raw_text(struct octets text)
{
	return (struct emit_raw){text};
}

/* Returns a number that is written with spaces before it, to take so many columns. */
static inline struct emit_number in_columns(uint64_t number, size_t columns)
{
	return (struct emit_number){number, columns};
}

/* Returns a text that is written as a JSON string; see output_json_string(). */
static inline struct emit_json json_text(struct octets text, bool raw)
{
	return (struct emit_json){text, raw};
}

static inline struct emit_spaces spaces(size_t count)
{
	return (struct emit_spaces){count};
}

static inline void emit_prose(struct output *out, struct emit_prose prose)
{
	output_prose(out, prose.string);
}

static inline void emit_word(struct output *out, struct emit_word word)
{
	paint(out, word.style);
	output_string(out, word.string);
	paint(out, STYLE_PLAIN);
}

static inline void emit_part(struct output *out, struct emit_part part)
{
	paint(out, part.style);
	output_escaped(out, part.text);
	paint(out, STYLE_PLAIN);
}

static inline void emit_style(struct output *out, struct emit_style style)
{
	paint(out, style.style);
}

static inline void emit_raw(struct output *out, struct emit_raw raw)
{
	output_text(out, raw.text);
}

static inline void emit_number(struct output *out, struct emit_number value)
{
	size_t digits = 1;

	for (uint64_t rest = value.number; rest > 9; rest /= 10)
		digits++;
	output_spaces(out, digits < value.columns ? value.columns - digits : 0);
	output_number(out, value.number);
}

static inline void emit_json(struct output *out, struct emit_json json)
{
	output_json_string(out, json.text, json.raw);
}

static inline void emit_spaces(struct output *out, struct emit_spaces spaces)
{
	output_spaces(out, spaces.count);
}

/* clang-format off */
#define EMIT(out, value) \
	_Generic((value), const char *: output_string, char *: output_string, \
		 unsigned short: output_number, unsigned: output_number, unsigned long: output_number, \
		 unsigned long long: output_number, struct octets: output_escaped, \
		 struct emit_prose: emit_prose, struct emit_word: emit_word, \
		 struct emit_part: emit_part, struct emit_style: emit_style, \
		 struct emit_raw: emit_raw, struct emit_json: emit_json, \
		 struct emit_number: emit_number, struct emit_spaces: emit_spaces)(out, value)

/* Applies a macro to each of up to 16 values. */
#define EACH_1(f, out, x) f(out, x)
#define EACH_2(f, out, x, ...) f(out, x), EACH_1(f, out, __VA_ARGS__)
#define EACH_3(f, out, x, ...) f(out, x), EACH_2(f, out, __VA_ARGS__)
#define EACH_4(f, out, x, ...) f(out, x), EACH_3(f, out, __VA_ARGS__)
#define EACH_5(f, out, x, ...) f(out, x), EACH_4(f, out, __VA_ARGS__)
#define EACH_6(f, out, x, ...) f(out, x), EACH_5(f, out, __VA_ARGS__)
#define EACH_7(f, out, x, ...) f(out, x), EACH_6(f, out, __VA_ARGS__)
#define EACH_8(f, out, x, ...) f(out, x), EACH_7(f, out, __VA_ARGS__)
#define EACH_9(f, out, x, ...) f(out, x), EACH_8(f, out, __VA_ARGS__)
#define EACH_10(f, out, x, ...) f(out, x), EACH_9(f, out, __VA_ARGS__)
#define EACH_11(f, out, x, ...) f(out, x), EACH_10(f, out, __VA_ARGS__)
#define EACH_12(f, out, x, ...) f(out, x), EACH_11(f, out, __VA_ARGS__)
#define EACH_13(f, out, x, ...) f(out, x), EACH_12(f, out, __VA_ARGS__)
#define EACH_14(f, out, x, ...) f(out, x), EACH_13(f, out, __VA_ARGS__)
#define EACH_15(f, out, x, ...) f(out, x), EACH_14(f, out, __VA_ARGS__)
#define EACH_16(f, out, x, ...) f(out, x), EACH_15(f, out, __VA_ARGS__)
#define EACH_CHOSEN(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, each, ...) each
#define EACH(f, out, ...) \
	EACH_CHOSEN(__VA_ARGS__, EACH_16, EACH_15, EACH_14, EACH_13, EACH_12, EACH_11, EACH_10, \
		    EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, \
		    0)(f, out, __VA_ARGS__)
/* clang-format on */

#define emit(out, ...) (EACH(EMIT, out, __VA_ARGS__))

#endif
