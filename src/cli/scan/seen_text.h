/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a text looks: the octets that a person would type who reads it, and what is hidden in it. */
#ifndef CLI_SEEN_TEXT_H
#define CLI_SEEN_TEXT_H

#include "common/text/octets.h"

/* Maximum octets of a text. */
#define SEEN_TEXT_MOST 2048u

/* Returns true for the controls of the bidirectional algorithm (UAX 9, 2.7). */
bool is_direction_control(uint32_t point);

/* Returns false for these controls and for other characters that are not seen. */
bool is_displayed(uint32_t point);

/* Puts the code points into the order in which they are seen from left to right, in a paragraph of
 * that direction, and leaves out what is not seen (UAX 9, without pairs of brackets and without
 * mirroring). What is seen has to look like ASCII: see seen_text.c. Returns false after reporting, the
 * first time, that FriBidi is missing. */
bool display_order(uint32_t point[SEEN_TEXT_MOST], size_t *count, bool right_to_left);

/* Writes the text as it is seen in a paragraph of that direction, if it looks like ASCII: in the order
 * in which it is displayed, without direction controls, and with ASCII for letters, digits, dots,
 * slashes and colons that look like it. Its length is 0 if it does not look like ASCII. Returns false
 * if the order is unknown, as display_order() does. */
bool seen_text(uint8_t out[SEEN_TEXT_MOST], size_t *length, struct octets text, bool right_to_left);

/* Writes the text without direction controls. Returns the length. */
size_t text_without_controls(uint8_t out[SEEN_TEXT_MOST], struct octets text);

/* The number of octets before and after a URL that are searched, in its line. */
#define HIDDEN_TEXT_NEAR 128u

/* Finds the first of these characters in the URL at [begin, end) or near it: a tag character, except
 * in flags; two invisible characters in a row; a control that turns text around. Returns false if
 * there is none. */
bool hidden_text_find(struct octets text, size_t begin, size_t end, size_t *offset);

#endif
