/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short way of most requests: what is plain is put together and judged as URLs, by verdicts alone.
 * True is an acceptance, as the long way of gate.c would have it; false says nothing. fuzz_gate
 * holds the one against the other.
 */
#ifndef URIVET_GATEWAY_SHORT_WAY_H
#define URIVET_GATEWAY_SHORT_WAY_H

#include "gateway/gate.h"

bool gate_target_passes(const struct gate_request *request);
bool gate_parameters_pass(const struct gate_request *request, const struct gate_parameters *asked);
bool gate_field_passes(struct urivet_text value, const struct gate_policy *policy);

#endif
