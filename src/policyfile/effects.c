/* SPDX-License-Identifier: Apache-2.0 */
/* Finds settings without effect: what changes no verdict on the base of the policy. */
#include "common/finding_set.h"
#include "common/rules.h"
#include "policyfile/reader.h"
#include <stdio.h>
#include <string.h>

/* Checks the findings of `allow` or `refuse`. Notes and most rules of class policy refuse only where
 * they are raised; in an opaque query all others, too. */
static void check_findings(const struct reader *reader, const struct urivet_policy *base,
			   bool allow)
{
	for (EACH_IN_SET(id, allow ? &reader->allowed : &reader->refused)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		const bool by_list = id == URIVET_F_SCHEME_NOT_ALLOWED ||
				     id == URIVET_F_CROSS_ORIGIN ||
				     id == URIVET_F_LINK_TEXT_MISMATCH;
		const unsigned in = row->component;
		const bool refuses = row->class_ >= URIVET_POLICY ? in_set(&base->raised, id)
								  : !in_set(&base->waived, id);

		if (refuses != allow && !by_list &&
		    (allow || (in != URIVET_QUERY && in != URIVET_WHOLE)))
			urivet_loader_problem(reader->problems,
					      reader->loaded->place[reader->finding_tag[id]],
					      "\"%s: [%s]\" has no effect: \"%s\" %s",
					      allow ? "allow" : "refuse", row->name, base->name,
					      allow ? "refuses nothing by it; to allow what a list "
						      "refuses, change the list"
						    : "refuses it anyway");
	}
}

/* Checks addresses that are allowed though nothing refuses them; networks, where no address is
 * refused. */
static void check_addresses(const struct reader *reader, const struct urivet_policy *base)
{
	const struct urivet_loaded *loaded = reader->loaded;

	for (uint32_t i = 0; i < loaded->policy.addresses.count; i++) {
		const struct urivet_address_rule *rule = &loaded->address[i];
		char text[POLICY_RULE_TEXT], uri[POLICY_RULE_TEXT + 16];
		struct urivet_report report;
		bool vain = !in_set(&base->raised, URIVET_F_ADDR_PRIVATE);

		urivet_loader_write_network(text, &rule->network);
		(void)snprintf(uri, sizeof uri,
			       rule->network.octets == 4 ? "https://%s/" : "https://[%s]/", text);
		if (rule->network.length == 8 * rule->network.octets)
			vain = urivet_check(&report, uri, strlen(uri), base) == URIVET_ACCEPT;
		if (rule->action == URIVET_ALLOW && vain)
			urivet_loader_problem(reader->problems, loaded->place[rule->tag],
					      "allow \"%s\" has no effect: nothing refuses it; add "
					      "\"hosts.allow\" to refuse other addresses",
					      text);
	}
}

void urivet_loader_check_effects(struct reader *reader)
{
	const struct place urls = *urivet_loader_seen(reader, "urls.allow");
	struct urivet_policy base;

	(void)urivet_policy_init(&base, sizeof base, reader->loaded->base);
	check_findings(reader, &base, true);
	check_findings(reader, &base, false);
	if (urls.line != 0 && reader->loaded->base == URIVET_GATEWAY)
		urivet_loader_problem(reader->problems, urls,
				      "\"urls.allow\" refuses every request: a target is no URL; "
				      "use \"hosts.allow\"");
	base.raised = reader->loaded->policy.raised;
	base.waived = reader->loaded->policy.waived;
	if (urivet_loader_seen(reader, "hosts.allow")->line == 0 &&
	    urivet_policy_finish(&base, NULL, 0))
		check_addresses(reader, &base);
}
