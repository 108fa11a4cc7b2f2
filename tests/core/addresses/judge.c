/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows the library's table of addresses, and judges addresses under the policy
 * public where translators are at work, for comparison with a model.
 *
 *   judge rows               prefix, yes or no, finding, name and RFC of each row
 *   judge check [PREFIX...]  verdict and findings of each URI of standard input
 *
 * One line each, with tabs between the columns.
 */
#include <stdio.h>
#include <string.h>

#include <urivet.h>
#include <urivet/rules.h>

#include "../../built_in.h"
#include "policy/addr.h"

#define MOST_PREFIXES 16

static void rows(void)
{
	const struct urivet_address_row *row;
	for (size_t k = 0; (row = urivet_address_row_at(k)) != NULL; k++) {
		const struct urivet_finding_row *finding = urivet_finding_info(row->finding);
		struct urivet_uri uri = {.host_kind = URIVET_HOST_IPV6};
		char text[64];
		if (row->network.octets == 4)
			uri = (struct urivet_uri){.host_kind = URIVET_HOST_IPV4, .has_ipv4 = 1};
		memcpy(uri.address, row->network.address, row->network.octets);
		urivet_format_address(text, sizeof text, &uri);
		printf("%s/%u\t%s\t%s\t%s\t%s\n", text, row->network.length,
		       row->reachable ? "yes" : "no", finding == NULL ? "" : finding->name,
		       row->name, row->reference);
	}
}

static void judge(const char *uri, const struct urivet_policy *policy)
{
	struct urivet_report report;
	printf("%s\t", urivet_check(&report, uri, strlen(uri), policy) == URIVET_ACCEPT ? "accept"
											: "reject");
	for (uint32_t k = 0; k < report.count; k++)
		printf("%s%s", k > 0 ? "," : "", urivet_finding_info(report.finding[k].id)->name);
	puts(report.count > 0 ? "" : "-");
}

int main(int argc, char **argv)
{
	struct urivet_network nat64[MOST_PREFIXES];
	struct urivet_policy policy = built_in(URIVET_PUBLIC);
	char line[256];
	if (argc == 2 && strcmp(argv[1], "rows") == 0) {
		rows();
		return 0;
	}
	if (argc < 2 || argc > 2 + MOST_PREFIXES || strcmp(argv[1], "check") != 0) {
		fputs("usage: judge rows | judge check [PREFIX...]\n", stderr);
		return 2;
	}
	for (int k = 2; k < argc; k++)
		if (!urivet_network_from(&nat64[k - 2], argv[k], strlen(argv[k]))) {
			fprintf(stderr, "judge: no prefix: %s\n", argv[k]);
			return 2;
		}
	policy.nat64 = nat64;
	policy.nat64_count = (uint32_t)(argc - 2);
	while (fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		judge(line, &policy);
	}
	return 0;
}
