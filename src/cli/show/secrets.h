/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps passwords and tokens off the screen. */
#ifndef CLI_SECRETS_H
#define CLI_SECRETS_H

#include "cli/records/octets.h"

/* Replaces each octet of a secret in a URI by "*", so that offsets stay the same. Secrets are
 * the userinfo after its first colon, or all of it if it has no colon and does not look like a
 * host, and the values of parameters that are known to hold secrets. The URI may be
 * malformed. */
void mask_secrets(uint8_t *data, size_t length);

/* The same for the URI that a reader made of `input`, with its path at `path`: what this reader
 * takes for the path may be userinfo to others. */
void mask_secrets_read(uint8_t *data, size_t length, size_t path, struct text input);

#endif
