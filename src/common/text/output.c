/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered output, and the escapes that keep hostile octets inside their field. */
#include "common/text/output.h"
#include "common/hex.h"
#include "common/text/is_utf8.h"
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Which octets are escaped --------------------------------------------- */

enum {
	IN_TSV = 1,  /* outside 0x21-0x7E, and the backslash */
	IN_JSON = 2, /* outside 0x20-0x7E, the quote, the backslash */
	IN_PROSE = 4 /* like IN_TSV, but without the space */
};

#define C      (IN_TSV | IN_PROSE | IN_JSON)
#define S      IN_TSV
#define Q      IN_JSON
#define ROW(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x

/* clang-format off */
static const uint8_t escaped_in[256] = {
	ROW(C), ROW(C),
	S, 0, Q, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* SP ! " */
	ROW(0), ROW(0),
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, C, 0, 0, 0, /* \ */
	ROW(0),
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, C, /* DEL */
	ROW(C), ROW(C), ROW(C), ROW(C), ROW(C), ROW(C), ROW(C), ROW(C)
};
/* clang-format on */

#undef C
#undef S
#undef Q
#undef ROW

#define ONES  0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Returns true if none of eight octets is escaped in any format. Each term sets the high bit of an
 * octet below 0x80 that must be escaped. A borrow or carry from a lower octet occurs only if that
 * one was already detected. */
static inline bool word_is_plain(uint64_t word)
{
	uint64_t below_0x21 = word - ONES * 0x21, delete = word + ONES;
	uint64_t quote = (word ^ ONES * '"') - ONES, backslash = (word ^ ONES * '\\') - ONES;

	return ((word | below_0x21 | quote | backslash | delete) & HIGHS) == 0;
}

#if OCTETS_BY_16
/* Returns true if none of sixteen octets is escaped in any format. */
static inline bool is_plain_16(const uint8_t *from)
{
	__m128i octets = octets_16(from);
	/* octets above 0x7F are negative as signed numbers */
	__m128i above_space = _mm_cmpgt_epi8(octets, _mm_set1_epi8(' '));
	__m128i special = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(octets, _mm_set1_epi8('\\')),
						    _mm_cmpeq_epi8(octets, _mm_set1_epi8('"'))),
				       _mm_cmpeq_epi8(octets, _mm_set1_epi8(0x7F)));

	return _mm_movemask_epi8(_mm_andnot_si128(special, above_space)) == 0xFFFF;
}

#define STRIDE           16u
#define IS_PLAIN(octets) is_plain_16(octets)
#else
static inline bool is_plain_8(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof word);
	return word_is_plain(word);
}

#define STRIDE           8u
#define IS_PLAIN(octets) is_plain_8(octets)
#endif

/* Copies whole strides while no octet is escaped. Returns the number of octets copied. */
static inline size_t copy_plain(uint8_t *to, const uint8_t *from, size_t length)
{
	size_t done = 0;

	for (; length - done >= STRIDE && IS_PLAIN(from + done); done += STRIDE)
		memcpy(to + done, from + done, STRIDE);
	return done;
}

/* Copies fewer octets than two words. Returns false if one of them needs an escape; then the copy
 * is invalid. */
static bool copy_short(uint8_t *to, const uint8_t *from, size_t length)
{
	unsigned escaped = 0;

	if (length >= 8) {
		uint64_t first, last;

		memcpy(&first, from, sizeof first);
		memcpy(&last, from + length - sizeof last, sizeof last);
		memcpy(to, &first, sizeof first);
		memcpy(to + length - sizeof last, &last, sizeof last);
		return word_is_plain(first) && word_is_plain(last);
	}
	if (length >= 4) {
		uint32_t first, last;

		memcpy(&first, from, sizeof first);
		memcpy(&last, from + length - sizeof last, sizeof last);
		memcpy(to, &first, sizeof first);
		memcpy(to + length - sizeof last, &last, sizeof last);
		return word_is_plain((uint64_t)first << 32 | last);
	}
	for (size_t i = 0; i < length; i++) {
		to[i] = from[i];
		escaped |= escaped_in[from[i]];
	}
	return escaped == 0;
}

/* Copies a text. Returns false if an octet needs an escape; then the copy is invalid. */
static inline bool copy_all(uint8_t *to, struct octets text)
{
	size_t last;

	if (text.length < STRIDE)
		return copy_short(to, text.data, text.length);
	if (text.length - copy_plain(to, text.data, text.length) >= STRIDE)
		return false;
	/* the last stride overlaps the one before */
	last = text.length - STRIDE;
	memcpy(to + last, text.data + last, STRIDE);
	return IS_PLAIN(text.data + last);
}

bool output_is_plain(struct octets text)
{
	const uint8_t *at = text.data;
	unsigned escaped = 0;

	if (text.length < STRIDE) {
		for (size_t i = 0; i < text.length; i++)
			escaped |= escaped_in[at[i]];
		return (escaped & IN_TSV) == 0;
	}
	for (size_t rest = text.length; rest > STRIDE; rest -= STRIDE, at += STRIDE) {
		if (!IS_PLAIN(at))
			return false;
	}
	/* the last stride overlaps the one before */
	return IS_PLAIN(text.data + text.length - STRIDE);
}

void output_hex(struct output *out, const char *prefix, uint8_t octet)
{
	out->used += hex_escape(output_room(out, 4), prefix, octet, false);
}

/* The format for escapes. */
struct manner {
	unsigned where;
	bool utf8; /* JSON: decode the text as UTF-8 */
};

/* Writes the JSON escape of a character: two escapes above U+FFFF. */
static size_t write_json_escape(uint8_t *to, uint32_t character)
{
	if (character == '"' || character == '\\') {
		to[0] = '\\';
		to[1] = (uint8_t)character;
		return 2;
	}
	return urivet_loader_json_escape((char *)to, character);
}

/* Writes the first character or octet of a text as an escape. Returns the number of octets read. */
static size_t write_escape(uint8_t **to, struct octets text, struct manner manner)
{
	uint32_t character = text.data[0];
	size_t taken = manner.utf8 ? urivet_loader_utf8(text.data, text.length, &character) : 1;

	if (taken == 0) {
		character = text.data[0];
		taken = 1;
	}
	*to += (manner.where & IN_JSON) != 0 ? write_json_escape(*to, character)
					     : hex_escape(*to, "\\x", text.data[0], false);
	return taken;
}

/* The longest escape of an octet is \u00HH; a character of four octets takes two such escapes,
 * which is less per octet. PIECE octets fit into OUTPUT_ROOM even if all are escaped. */
#define LONGEST_ESCAPE 6u
#define PIECE          (OUTPUT_ROOM / LONGEST_ESCAPE)

/* Writes at most PIECE octets. */
static void output_piece(struct output *out, struct octets text, struct manner manner)
{
	uint8_t *start = output_room(out, text.length * LONGEST_ESCAPE);
	uint8_t *to = start;
	size_t i = 0;

	while (i < text.length) {
		size_t plain = copy_plain(to, text.data + i, text.length - i);
		size_t stop = text.length - i - plain < STRIDE ? text.length : i + plain + STRIDE;

		to += plain;
		i += plain;
		while (i < stop) {
			if ((escaped_in[text.data[i]] & manner.where) == 0)
				*to++ = text.data[i++];
			else
				i += write_escape(&to, text_after(text, i), manner);
		}
	}
	out->used += (size_t)(to - start);
}

/* Returns the length of the next part of a long text, which ends between characters. */
static size_t piece_length(struct octets text)
{
	size_t length = PIECE;

	while (length > PIECE - 3 && (text.data[length] & 0xC0) == 0x80)
		length--;
	return length;
}

static void output_pieces(struct output *out, struct octets text, struct manner manner)
{
	while (text.length > PIECE) {
		size_t length = piece_length(text);

		output_piece(out, text_at(text.data, length), manner);
		text = text_after(text, length);
	}
	output_piece(out, text, manner);
}

/* Fast path: nearly all texts are short and need no escapes in any format. */
static inline bool output_plain(struct output *out, struct octets text)
{
	if (text.length > OUTPUT_ROOM || !copy_all(output_room(out, text.length), text))
		return false;
	out->used += text.length;
	return true;
}

void output_escaped(struct output *out, struct octets text)
{
	if (!output_plain(out, text))
		output_pieces(out, text, (struct manner){.where = IN_TSV});
}

void output_prose(struct output *out, const char *prose)
{
	output_pieces(out, text_of(prose), (struct manner){.where = IN_PROSE});
}

unsigned escaped_width(uint8_t octet)
{
	return (escaped_in[octet] & IN_TSV) != 0 ? 4 : 1;
}

size_t escaped_columns(struct octets text)
{
	size_t columns = 0;

	for (size_t i = 0; i < text.length; i++)
		columns += escaped_width(text.data[i]);
	return columns;
}

void output_json_escaped(struct output *out, struct octets text, bool raw)
{
	if (!output_plain(out, text))
		output_pieces(out, text, (struct manner){.where = IN_JSON, .utf8 = !raw});
}

void output_json_string(struct output *out, struct octets text, bool raw)
{
	if (text.data == NULL) {
		output_text(out, text_at("null", 4));
		return;
	}
	output_octet(out, '"');
	output_json_escaped(out, text, raw);
	output_octet(out, '"');
}

/* ---- Writing ----------------------------------------------------------------- */

bool output_open(struct output *out, int fd, size_t capacity)
{
	*out = (struct output){.fd = fd, .capacity = capacity, .width = 100};
	out->buffer = malloc(capacity);
	return out->buffer != NULL;
}

int output_now(int fd, const void *data, size_t length)
{
	const uint8_t *at = data;

	while (length > 0) {
		ssize_t done = write(fd, at, length);

		if (done >= 0) {
			at += done;
			length -= (size_t)done;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};

			(void)poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

static void write_part(struct output *out, const uint8_t *data, size_t length)
{
	if (out->error == 0)
		out->error = output_now(out->fd, data, length);
}

void output_flush(struct output *out)
{
	size_t done = 0;

	if (out->used == 0 && out->borrowed_count == 0)
		return;
	if (out->before_write != NULL)
		out->before_write(out->context);
	for (unsigned i = 0; i < out->borrowed_count; i++) {
		const struct borrowed *borrowed = &out->borrowed[i];

		write_part(out, out->buffer + done, borrowed->at - done);
		write_part(out, borrowed->text.data, borrowed->text.length);
		done = borrowed->at;
	}
	write_part(out, out->buffer + done, out->used - done);
	out->used = 0;
	out->borrowed_count = 0;
}

int output_close(struct output *out)
{
	output_flush(out);
	free(out->buffer);
	out->buffer = NULL;
	return out->error;
}

bool output_finish(struct output *out)
{
	int error = output_close(out);

	if (error != 0)
		complain("cannot write standard output: %s", strerror(error));
	return error == 0;
}

void output_long_text(struct output *out, struct octets text)
{
	while (text.length > 0) {
		size_t piece = text.length < OUTPUT_ROOM ? text.length : OUTPUT_ROOM;

		memcpy(output_room(out, piece), text.data, piece);
		out->used += piece;
		text = text_after(text, piece);
	}
}

/* A shorter text is cheaper to copy than to write separately. */
#define BORROWED_LEAST 16384u

void output_borrow(struct output *out, struct octets text)
{
	if (text.length < BORROWED_LEAST) {
		output_text(out, text);
		return;
	}
	if (out->borrowed_count == OUTPUT_BORROWED_MOST)
		output_flush(out);
	out->borrowed[out->borrowed_count++] = (struct borrowed){out->used, text};
}

void output_number(struct output *out, uint64_t number)
{
	/* 20: the digits of UINT64_MAX */
	uint8_t *start = output_room(out, 20);
	size_t length = 1;

	for (uint64_t rest = number; rest > 9; rest /= 10)
		length++;
	for (size_t at = length; at > 0; number /= 10)
		start[--at] = (uint8_t)('0' + number % 10);
	out->used += length;
}

void output_code_point(struct output *out, uint32_t code_point)
{
	unsigned shift = code_point > 0xffff ? 24 : 16;

	output_string(out, "U+");
	if (code_point > 0xffff && code_point < 0x100000)
		shift = 20;
	for (; shift > 0; shift -= 4)
		output_octet(out, hex_digit(code_point >> (shift - 4)));
}

void output_spaces(struct output *out, size_t count)
{
	for (; count > 0; count--)
		output_octet(out, ' ');
}

/* ---- Messages ------------------------------------------------------------------ */

bool complain(const char *format, ...)
{
	char message[2048];
	uint8_t shown[sizeof message * 4 + 16];
	size_t used = 0;
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	memcpy(shown, "urivet: ", 8);
	used += 8;
	for (size_t i = 0; message[i] != '\0'; i++) {
		uint8_t octet = (uint8_t)message[i];

		if (octet >= 0x20 && octet < 0x7F)
			shown[used++] = octet;
		else
			used += hex_escape(shown + used, "\\x", octet, false);
	}
	shown[used++] = '\n';
	/* an error of standard error cannot be reported */
	(void)output_now(STDERR_FILENO, shown, used);
	return false;
}
