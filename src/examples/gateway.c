/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a request as a gateway receives it: gateway METHOD TARGET HOST */
#include <stdio.h>
#include <string.h>
#include <urivet.h>

int main(int count, char **argument)
{
	struct urivet_policy policy;
	struct urivet_request request;
	struct urivet_report report;
	char ids[1024];
	if (count != 4)
		return 2;
	urivet_policy_init(&policy, sizeof policy, URIVET_GATEWAY);
	urivet_request_init(&request, sizeof request);
	request.method = urivet_text_of(argument[1], strlen(argument[1]));
	request.host = urivet_text_of(argument[3], strlen(argument[3]));
	if (urivet_check_request(&report, argument[2], strlen(argument[2]), &request, &policy, NULL) == URIVET_ACCEPT)
		return 0;
	urivet_format_ids(ids, sizeof ids, &report, &policy);
	printf("400 Bad Request (log: %s)\n", ids);
	return 1;
}
