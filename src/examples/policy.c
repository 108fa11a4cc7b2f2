/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a URL by a policy file, and names the rule that decided: policy FILE URL */
#include <stdio.h>
#include <string.h>
#include <urivet/policy.h>

static void print_message(void *file, const struct urivet_message *message)
{
	char text[1024];
	urivet_format_message(text, sizeof text, message);
	(void)fprintf(file, "%s\n", text);
}

int main(int count, char **argument)
{
	struct urivet_loaded *loaded = count == 3 ? urivet_load(argument[1], print_message, stderr) : NULL;
	const struct urivet_policy *policy = urivet_loaded_policy(loaded); /* NULL: rejects everything */
	struct urivet_message place;
	struct urivet_report report;
	char ids[1024];
	int status = 2;
	if (loaded != NULL) {
		status = urivet_check(&report, argument[2], strlen(argument[2]), policy) != URIVET_ACCEPT;
		urivet_format_ids(ids, sizeof ids, &report, policy);
		printf("%s%s\n", status ? "refused: " : "accepted", ids);
		if (report.host_rule != NULL && urivet_loaded_place(loaded, report.host_rule->tag, &place))
			printf("%s:%u decided\n", place.file, (unsigned)place.line);
	}
	urivet_loaded_release(loaded);
	return status;
}
