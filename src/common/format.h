/* SPDX-License-Identifier: Apache-2.0 */
/* Formats policies as JSON. */
#ifndef COMMON_FORMAT_H
#define COMMON_FORMAT_H

#include <urivet/policy.h>

/* Writes the policy as one JSON object in a line, and returns the length as snprintf does. Returns
 * SIZE_MAX if memory is short, like urivet_loaded_format(). */
size_t urivet_loader_format_json(char *out, size_t capacity, const struct urivet_loaded *loaded);

#endif
