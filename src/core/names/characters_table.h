/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of characters, which tests/core/names/tables.py writes. */
#ifndef URIVET_CHARACTERS_TABLE_H
#define URIVET_CHARACTERS_TABLE_H

#include "names/characters.h"

#define CHARACTER_BLOCK  16u /* code points in a block */
#define CHARACTER_GROUP  32u /* blocks in a group */
#define CHARACTER_TOP    2176u /* entries for all code points; groups are shared */
#define CHARACTER_GROUPS 109u
#define CHARACTER_BLOCKS 815u
#define CHARACTER_ROWS   205u
#define COMPOSITIONS     1542u

struct composition {
	uint32_t first, second;
};

/* Three stages: the group of each 512 code points, the blocks of each group, the rows of each
 * block. */
extern const uint8_t urivet_character_groups[CHARACTER_TOP];
extern const uint16_t urivet_character_blocks[CHARACTER_GROUPS * CHARACTER_GROUP];
extern const uint8_t urivet_character_rows[CHARACTER_BLOCKS * CHARACTER_BLOCK];
extern const struct traits urivet_characters[CHARACTER_ROWS];

/* Sorted. Hangul pairs are not included. */
extern const struct composition urivet_compositions[COMPOSITIONS];

#endif
