/* SPDX-License-Identifier: Apache-2.0 */
/* Reads gzip files (RFC 1952) of any number of members with zlib, and zstd files (RFC 8878) of any
 * number of frames with libzstd, which rejects frames that need a window above 128 MiB. */
#include "cli/records/unpack.h"

#ifdef HAVE_ZLIB
#include <stdlib.h>
#include <zlib.h>

/* The maximum window, plus 16 to require a gzip header: raw deflate and zlib's own format are
 * rejected. */
#define GZIP_WINDOW (15 + 16)

static bool is_zero(struct octets rest)
{
	for (size_t i = 0; i < rest.length; i++) {
		if (rest.data[i] != 0)
			return false;
	}
	return true;
}

/* Starts the next member. Zeros after a member are padding, as on tapes. */
static bool begin_member(struct unpacker *unpacker, struct octets *in)
{
	if (in->data[0] == 0 && is_zero(*in)) {
		in->length = 0;
		return false;
	}
	if (in->data[0] != 0x1F)
		unpacker->why = "octets follow the end that gzip did not write";
	else if (inflateReset(unpacker->state) != Z_OK)
		unpacker->why = "zlib cannot go on";
	unpacker->complete = false;
	return unpacker->why == NULL;
}

static size_t run_gzip(struct unpacker *unpacker, struct octets *in, uint8_t *to, size_t room)
{
	z_stream *stream = unpacker->state;
	const uInt most = room < 1u << 30 ? (uInt)room : 1u << 30;
	int result;

	if (unpacker->complete && (in->length == 0 || !begin_member(unpacker, in)))
		return 0;
	stream->next_in = (Bytef *)(uintptr_t)in->data;
	stream->avail_in = (uInt)in->length; /* fits: `in` has at most SOURCE_RAW octets */
	stream->next_out = to;
	stream->avail_out = most;
	result = inflate(stream, Z_NO_FLUSH);
	*in = text_at(stream->next_in, stream->avail_in);
	unpacker->complete = result == Z_STREAM_END;
	unpacker->holds = !unpacker->complete && stream->avail_out == 0;
	if (result == Z_MEM_ERROR)
		unpacker->why = "zlib has no memory";
	else if (result == Z_NEED_DICT || (result < 0 && result != Z_BUF_ERROR))
		unpacker->why = "it is damaged, or no gzip";
	return most - stream->avail_out;
}

static void close_gzip(struct unpacker *unpacker)
{
	(void)inflateEnd(unpacker->state);
	free(unpacker->state);
}

bool unpack_gzip(struct unpacker *unpacker)
{
	z_stream *stream = calloc(1, sizeof *stream);

	*unpacker = (struct unpacker){.run = run_gzip, .close = close_gzip, .state = stream};
	if (stream == NULL || inflateInit2(stream, GZIP_WINDOW) != Z_OK) {
		free(stream);
		unpacker->why = "there is no memory for zlib";
		return false;
	}
	return true;
}
#else
bool unpack_gzip(struct unpacker *unpacker)
{
	*unpacker = (struct unpacker){
	    .why =
		"it is compressed by gzip, and this build lacks zlib (Debian package zlib1g-dev); "
		"'gzip -dc' makes text of it"};
	return false;
}
#endif

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#include <zstd_errors.h>

static const char *describe(size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_prefix_unknown:
		return "octets follow the end that zstd did not write";
	case ZSTD_error_frameParameter_windowTooLarge:
		return "its window is above 128 MiB; 'zstd -dc --long=31' makes text of it";
	case ZSTD_error_memory_allocation:
		return "libzstd has no memory";
	default:
		return "it is damaged";
	}
}

static size_t run_zstd(struct unpacker *unpacker, struct octets *in, uint8_t *to, size_t room)
{
	ZSTD_inBuffer from = {in->data, in->length, 0};
	ZSTD_outBuffer put = {to, room, 0};
	size_t left;

	if (in->length == 0 && !unpacker->holds)
		return 0;
	left = ZSTD_decompressStream(unpacker->state, &put, &from);
	*in = text_at(in->data + from.pos, in->length - from.pos);
	if (ZSTD_isError(left) != 0)
		unpacker->why = describe(left);
	unpacker->complete = left == 0;
	unpacker->holds = left != 0 && put.pos == put.size;
	return put.pos;
}

static void close_zstd(struct unpacker *unpacker)
{
	(void)ZSTD_freeDStream(unpacker->state);
}

bool unpack_zstd(struct unpacker *unpacker)
{
	*unpacker =
	    (struct unpacker){.run = run_zstd, .close = close_zstd, .state = ZSTD_createDStream()};
	if (unpacker->state == NULL)
		unpacker->why = "there is no memory for libzstd";
	return unpacker->state != NULL;
}
#else
bool unpack_zstd(struct unpacker *unpacker)
{
	*unpacker = (struct unpacker){
	    .why = "it is compressed by zstd, and this build lacks libzstd (Debian package "
		   "libzstd-dev); 'zstd -dc' makes text of it"};
	return false;
}
#endif
