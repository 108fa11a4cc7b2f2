/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a text looks: the octets that a person would type who reads it. */
#ifndef CLI_SEEN_TEXT_H
#define CLI_SEEN_TEXT_H

#include "common/text/octets.h"

/* Maximum octets of a text. */
#define SEEN_TEXT_MOST 2048u

/* Returned for an octet that begins no character. */
#define NO_CODE_POINT 0xFFFFFFFFu

/* Reads a character of UTF-8 at *at and moves *at behind it. */
uint32_t text_next_point(struct octets text, size_t *at);

/* Returns true for the controls of the bidirectional algorithm (UAX 9, 2.7). */
bool is_direction_control(uint32_t point);

/* Returns false for these controls and for other characters that are not seen. */
bool is_displayed(uint32_t point);

/* Puts the code points into the order in which they are seen from left to right, in a paragraph of
 * that direction, and leaves out what is not seen (UAX 9, without pairs of brackets and without
 * mirroring). Returns their number. What is seen has to look like ASCII: see seen_text.c. */
size_t display_order(uint32_t point[SEEN_TEXT_MOST], size_t count, bool right_to_left);

/* Writes the text as it is seen in a paragraph of that direction, if it looks like ASCII: in the order
 * in which it is displayed, without direction controls, and with ASCII for letters, digits, dots,
 * slashes and colons that look like it. Returns the length; 0 if it does not look like ASCII. */
size_t seen_text(uint8_t out[SEEN_TEXT_MOST], struct octets text, bool right_to_left);

/* Writes the text without direction controls. Returns the length. */
size_t text_without_controls(uint8_t out[SEEN_TEXT_MOST], struct octets text);

#endif
