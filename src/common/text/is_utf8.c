/* SPDX-License-Identifier: Apache-2.0 */
/* Validates UTF-8. */
#include "common/text/is_utf8.h"

#if OCTETS_BY_16
#define STRIDE 16u

static bool is_ascii_stride(const uint8_t *from)
{
	return _mm_movemask_epi8(octets_16(from)) == 0;
}
#else
#define HIGHS  0x8080808080808080u
#define STRIDE 8u

static bool is_ascii_stride(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof word);
	return (word & HIGHS) == 0;
}
#endif

/* Returns the number of leading ASCII octets, in whole strides. The last stride may overlap the one
 * before. */
static size_t ascii_strides(struct octets text)
{
	size_t at = 0;

	while (text.length - at >= STRIDE && is_ascii_stride(text.data + at))
		at += STRIDE;
	return at > 0 && text.length - at < STRIDE &&
		       is_ascii_stride(text.data + text.length - STRIDE)
		   ? text.length
		   : at;
}

bool is_utf8(struct octets text)
{
	size_t at = ascii_strides(text);
	uint32_t code_point;

	while (at < text.length) {
		size_t taken = urivet_loader_utf8(text.data + at, text.length - at, &code_point);

		if (taken == 0)
			return false;
		at += taken;
	}
	return true;
}
