/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for parameters of a policy. */
#ifndef LOADER_PARAMETERS_H
#define LOADER_PARAMETERS_H

#include "policyfile/loaded.h"

/* Returns true if a rule for a parameter can allow the finding. */
bool urivet_loader_parameter_may_allow(unsigned id);

/* Returns true if a name can be compared as it is written in a query, which `allow` requires. */
bool urivet_loader_parameter_is_plain(const char *name);

/* Makes the rules data of the policy, with the policies that judge values. */
void urivet_loader_settle_parameters(struct urivet_loaded *loaded);

#endif
