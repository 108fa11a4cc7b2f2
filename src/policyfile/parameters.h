/* SPDX-License-Identifier: Apache-2.0 */
/* Completes and checks the rules for parameters of a policy. */
#ifndef LOADER_PARAMETERS_H
#define LOADER_PARAMETERS_H

#include "common/parameter_rule.h"
#include "policyfile/loaded.h"

/* Maximum number of rules for parameters. */
#define PARAMETER_RULES_MOST 100u

/* Returns true if a rule for a parameter can allow the finding. */
bool urivet_loader_parameter_may_allow(unsigned id);

/* Returns true if a name can be compared as it is written in a query, which `allow` requires. */
bool urivet_loader_parameter_is_plain(const char *name);

/* Sets what rules contain twice: pointers, and policies with waivers. The rules must not move
 * afterwards. Returns false if a rule contradicts itself or its policy is missing. */
bool urivet_loader_settle_parameters(struct urivet_loaded *loaded);

#endif
