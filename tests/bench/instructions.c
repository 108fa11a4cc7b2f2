/* SPDX-License-Identifier: Apache-2.0 */
/* Judges one URL a thousand times: instructions WHAT URL. What it costs beyond a run
 * with WHAT "none" is what guard.sh records. */
#include <stdio.h>
#include <string.h>

#include <urivet.h>

#define TIMES 1000

int main(int argc, char **argv)
{
	struct urivet_report report;
	unsigned accepted = 0;
	size_t length;
	if (argc != 3)
		return 2;
	length = strlen(argv[2]);
	for (unsigned k = 0; k < TIMES; k++) {
		if (strcmp(argv[1], "ok") == 0)
			accepted += urivet_ok(argv[2], length);
		else if (strcmp(argv[1], "check") == 0)
			accepted += urivet_check(&report, argv[2], length, NULL);
		else if (strcmp(argv[1], "public") == 0)
			accepted += urivet_check(&report, argv[2], length, &urivet_policy_public);
		else if (strcmp(argv[1], "parse") == 0)
			accepted += urivet_parse(&report.uri, argv[2], length, NULL);
	}
	return accepted == 0 || accepted == TIMES ? 0 : 1;
}
