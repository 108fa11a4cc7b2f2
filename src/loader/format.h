/* SPDX-License-Identifier: Apache-2.0 */
/* Writes out what a policy comes to. */
#ifndef LOADER_FORMAT_H
#define LOADER_FORMAT_H

#include <urivet/policy.h>

/* As one JSON object in a line, by snprintf's contract. SIZE_MAX: no memory; so does
 * urivet_loaded_format(). */
size_t urivet_loader_format_json(char *out, size_t capacity, const struct urivet_loaded *loaded);

#endif
