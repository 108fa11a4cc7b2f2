/* SPDX-License-Identifier: Apache-2.0 */
/* Writes out the effective policy. */
#ifndef CLI_POLICY_SHOW_H
#define CLI_POLICY_SHOW_H

#include "cli/policy/policy_file.h"
#include "cli/show/output.h"

/* As a policy file with comments, from which the policy can be read again. A built-in policy is
 * shown as a file that sets nothing but its base. False if there is no memory. */
bool policy_show(struct output *out, const struct policy_file *file);

/* As one JSON object. */
bool policy_show_json(struct output *out, const struct policy_file *file);

#endif
