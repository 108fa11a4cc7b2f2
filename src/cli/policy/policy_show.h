/* SPDX-License-Identifier: Apache-2.0 */
/* What a policy comes to, written out. */
#ifndef CLI_POLICY_SHOW_H
#define CLI_POLICY_SHOW_H

#include "cli/show/output.h"
#include "cli/policy/policy_file.h"

/* As a policy file, with comments, of which the policy can be read again. A built-in policy
 * is a file of its name with nothing beside its base. False if there is no memory. */
bool policy_show(struct output *out, const struct policy_file *file);

/* As one JSON object. */
bool policy_show_json(struct output *out, const struct policy_file *file);

#endif
