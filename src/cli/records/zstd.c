/* SPDX-License-Identifier: Apache-2.0 */
/* Reads zstd files (RFC 8878) of any number of frames with libzstd, which rejects frames that need
 * a window above 128 MiB. */
#include "cli/records/unpack.h"

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
