/* SPDX-License-Identifier: Apache-2.0 */
/* The short way for plain URLs. */
#ifndef URIVET_PLAIN_H
#define URIVET_PLAIN_H

#include "report.h"

/*
 * Recognises a URL of http or https in which no rule can find anything, and
 * sets s->report->uri and parsed as urivet_judge() would. False: the long way
 * decides, and nothing of the report counts yet. One pass; what it takes is a
 * part of what the long way accepts without a finding, and can be left out.
 */
bool urivet_is_plain(struct subject *s);

#endif
