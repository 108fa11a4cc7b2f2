/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a policy as it would be with more keys, or with all its faults. */
#ifndef COMMON_ADDITION_H
#define COMMON_ADDITION_H

#include <urivet/policy.h>

/* As urivet_load() of `path`, as if the policy file included one with these octets, too. Compiled
 * policies take no addition. It is part of liburivet-policy. */
struct urivet_loaded *urivet_loader_with(const char *path, const void *addition, size_t length,
					 urivet_on_message *on_message, void *context);

/* As urivet_load_text(), or with a message for each fault, however many there are. */
struct urivet_loaded *urivet_loader_text(const void *data, size_t length, const char *name,
					 bool all, urivet_on_message *on_message, void *context);

#endif
