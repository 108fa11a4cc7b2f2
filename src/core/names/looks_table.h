/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what characters look like, which tests/core/names/looks.py writes. */
#ifndef URIVET_LOOKS_TABLE_H
#define URIVET_LOOKS_TABLE_H

#include "names/looks.h"

#define LOOK_BLOCK  16u /* code points in a block */
#define LOOK_GROUP  32u /* blocks in a group */
#define LOOK_TOP    2176u /* entries for all code points; groups are shared */
#define LOOK_GROUPS 57u
#define LOOK_BLOCKS 411u
#define LOOK_ROWS   355u

/* Three stages: the group of each 512 code points, the blocks of each group, the rows of each
 * block. */
extern const uint8_t urivet_look_groups[LOOK_TOP];
extern const uint16_t urivet_look_blocks[LOOK_GROUPS * LOOK_GROUP];
extern const uint16_t urivet_look_rows[LOOK_BLOCKS * LOOK_BLOCK];
extern const struct look urivet_looks[LOOK_ROWS];

#endif
