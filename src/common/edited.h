/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a policy as it would be after an edit of one of its files. */
#ifndef COMMON_EDITED_H
#define COMMON_EDITED_H

#include <urivet/policy.h>

/* As urivet_load() of `path`, with the octets in place of the content of `file`: that of the policy
 * or one that it includes, named as in messages. It is part of liburivet-policy. */
struct urivet_loaded *urivet_loader_edited(const char *path, const char *file, const void *data,
					   size_t length, urivet_tell *tell, void *context);

#endif
