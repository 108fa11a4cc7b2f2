/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a URL from an untrusted user, and says where an accepted one leads: check URL */
#include <stdio.h>
#include <string.h>
#include <urivet.h>

int main(int count, char **argument)
{
	const char *url = count > 1 ? argument[1] : "";
	char texts[URIVET_ENDPOINT_CAPACITY(8192)], ids[1024];
	struct urivet_policy policy;
	struct urivet_report report;
	struct urivet_endpoint to;
	urivet_policy_init(&policy, sizeof policy, URIVET_PUBLIC);
	if (urivet_check(&report, url, strlen(url), &policy) != URIVET_ACCEPT) {
		urivet_format_ids(ids, sizeof ids, &report, &policy);
		printf("refused: %s\n", ids);
		return 1;
	}
	if (urivet_endpoint(&to, texts, sizeof texts, &report, url, strlen(url)) == 0)
		return 1;
	printf("connect to %s, port %u; request %s\n", to.host, (unsigned)to.port, to.target);
	return 0;
}
