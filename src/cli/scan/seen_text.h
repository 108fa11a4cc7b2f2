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

/* Writes the text as it is seen in a paragraph of that direction, if it looks like ASCII: in the order
 * in which it is displayed, without direction controls, and with ASCII for letters, digits, dots,
 * slashes and colons that look like it. Returns the length; 0 if it does not look like ASCII. */
size_t seen_text(uint8_t out[SEEN_TEXT_MOST], struct octets text, bool right_to_left);

/* Writes the text without direction controls. Returns the length. */
size_t text_without_controls(uint8_t out[SEEN_TEXT_MOST], struct octets text);

#endif
