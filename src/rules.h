/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules: facts in, findings out, nothing else. Each group looks at one
 * piece of the subject, asks the kinds of octets seen there first, and only
 * then reads. Their order changes neither findings nor verdict.
 */
#ifndef URIVET_RULES_H
#define URIVET_RULES_H

#include "host.h"
#include "report.h"

void urivet_rules_octets(struct subject *s);
void urivet_rules_scheme(struct subject *s);
void urivet_rules_userinfo(struct subject *s);
void urivet_rules_host(struct subject *s);
void urivet_rules_host_policy(struct subject *s, const struct name_facts *f);
void urivet_rules_literal(struct subject *s);
void urivet_rules_idn(struct subject *s);
void urivet_rules_port(struct subject *s);
void urivet_rules_escapes(struct subject *s);
void urivet_rules_path(struct subject *s);
void urivet_rules_query(struct subject *s);
void urivet_rules_tail(struct subject *s);

#endif
