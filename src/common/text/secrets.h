/* SPDX-License-Identifier: Apache-2.0 */
/* Masks passwords and tokens in output. */
#ifndef COMMON_SECRETS_H
#define COMMON_SECRETS_H

#include "common/text/octets.h"

/* Replaces each octet of a secret in a URI by "*", so that offsets do not change. Secrets are the
 * userinfo after its first colon, or the whole userinfo if it has no colon and does not look like a
 * host, and the values of parameters that usually contain secrets. The URI may be malformed. */
void mask_secrets(uint8_t *data, size_t length);

/* Does the same for the URI that a reader made of `input`, with its path at `path`. The path of
 * this reader may be userinfo for other readers. */
void mask_secrets_read(uint8_t *data, size_t length, size_t path, struct octets input);

#endif
