/* SPDX-License-Identifier: Apache-2.0 */
/* Fast path for most requests: plain components are joined and judged as URLs, by verdict alone.
 * True means that the slow path in gate.c would accept as well; false means that the slow path must
 * decide. fuzz_gate compares both paths. */
#ifndef URIVET_GATEWAY_SHORT_WAY_H
#define URIVET_GATEWAY_SHORT_WAY_H

#include "gateway/gate.h"

bool gate_target_passes(const struct gate_request *request);
bool gate_parameters_pass(const struct gate_request *request, const struct gate_parameters *asked);
bool gate_field_passes(struct urivet_text value, const struct gate_policy *policy);

#endif
