/* SPDX-License-Identifier: Apache-2.0 */
/* Validates UTF-8. */
#include "common/text/is_utf8.h"

#define HIGHS 0x8080808080808080u

bool is_utf8(struct octets text)
{
	size_t at = 0;
	uint32_t code_point;

	/* fast path: ASCII, which most texts are */
	for (uint64_t word = 0; text.length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, text.data + at, sizeof word);
		if ((word & HIGHS) != 0)
			break;
	}
	while (at < text.length) {
		size_t taken = urivet_loader_utf8(text.data + at, text.length - at, &code_point);

		if (taken == 0)
			return false;
		at += taken;
	}
	return true;
}
