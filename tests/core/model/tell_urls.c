/* SPDX-License-Identifier: Apache-2.0 */
/* For urls.py: reads lines of a rule, a tab and a URL, and writes for each "none" if the rule is no
 * rule, else "covered" or "not", and the verdict of strict with that rule alone. */
#include <stdio.h>
#include <string.h>

#include <urivet.h>
#include <urivet/rules.h>

int main(void)
{
	static char line[65536];
	while (fgets(line, sizeof line, stdin) != NULL) {
		struct urivet_policy policy;
		struct urivet_url_rule rule;
		struct urivet_report report;
		char *url = strchr(line, '\t');
		line[strcspn(line, "\n")] = '\0';
		if (url == NULL || !urivet_policy_init(&policy, sizeof policy, URIVET_STRICT))
			return 2;
		*url++ = '\0';
		if (!urivet_url_rule_from(&rule, line, strlen(line))) {
			puts("none");
			continue;
		}
		policy.urls = &rule;
		policy.url_count = 1;
		(void)urivet_check(&report, url, strlen(url), &policy);
		printf("%s %s\n", report.url_rule != NULL ? "covered" : "not",
		       report.verdict == URIVET_ACCEPT ? "accept" : "reject");
	}
	return 0;
}
