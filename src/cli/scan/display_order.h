/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the characters of a short text are seen. */
#ifndef CLI_DISPLAY_ORDER_H
#define CLI_DISPLAY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of code points. */
#define DISPLAY_MOST 2048u

/* Returns true for the controls of the bidirectional algorithm (UAX 9, 2.7). */
bool is_direction_control(uint32_t point);

/* Returns false for these controls and for other characters that are not seen. */
bool is_displayed(uint32_t point);

/* Puts the code points into the order in which they are seen from left to right, in a paragraph of
 * that direction, and leaves out what is not seen (UAX 9, without pairs of brackets and without
 * mirroring). Returns their number. What is seen has to look like ASCII: see seen_text.c. */
size_t display_order(uint32_t point[DISPLAY_MOST], size_t count, bool right_to_left);

#endif
