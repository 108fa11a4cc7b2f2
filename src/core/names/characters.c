/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of characters in three-stage tables, and of pairs by binary search. */
#include "names/characters.h"

#include "names/characters_table.h"

/* The remainders (%) never change a value: each stage contains valid indexes of the next. */
struct traits urivet_traits(uint32_t code_point)
{
	const uint32_t c = code_point <= 0x10ffff ? code_point : 0;
	const uint32_t block = c / CHARACTER_BLOCK, top = block / CHARACTER_GROUP;
	const uint32_t group = urivet_character_groups[top] % CHARACTER_GROUPS;
	const uint32_t middle = group * CHARACTER_GROUP + block % CHARACTER_GROUP;
	const uint32_t low = urivet_character_blocks[middle] % CHARACTER_BLOCKS;
	const uint32_t row = urivet_character_rows[low * CHARACTER_BLOCK + c % CHARACTER_BLOCK];
	return urivet_characters[row % CHARACTER_ROWS];
}

/* Returns true if two Hangul characters compose (The Unicode Standard, 3.12): a leading consonant
 * and a vowel, or a syllable of these and a trailing consonant. */
/*@ assigns \nothing; */
static bool compose_hangul(uint32_t first, uint32_t second)
{
	if (first >= 0x1100 && first <= 0x1112)
		return second >= 0x1161 && second <= 0x1175;
	return first >= 0xac00 && first <= 0xd7a3 && (first - 0xac00) % 28 == 0 &&
	       second >= 0x11a8 && second <= 0x11c2;
}

/* Returns true if the pair sorts after that of the row. */
/*@ requires \valid_read(row);
    assigns \nothing; */
static bool is_after(const struct composition *row, uint32_t first, uint32_t second)
{
	return first != row->first ? first > row->first : second > row->second;
}

bool urivet_composes(uint32_t first, uint32_t second)
{
	uint32_t low = 0, high = COMPOSITIONS;
	/*@ loop invariant low <= high <= COMPOSITIONS;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (is_after(&urivet_compositions[middle], first, second))
			low = middle + 1;
		else
			high = middle;
	}
	return compose_hangul(first, second) ||
	       (low < COMPOSITIONS && urivet_compositions[low].first == first &&
		urivet_compositions[low].second == second);
}
