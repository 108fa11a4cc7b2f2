/* SPDX-License-Identifier: Apache-2.0 */
/* Judges URLs by a policy through every public function that judges, one line each: the name of the
 * function, and accept or reject. For one_judge.py.
 *   one_judge POLICY URL...
 */
#include <stdio.h>
#include <string.h>

#include <urivet/compiled.h>
#include <urivet/parameters.h>
#include <urivet/policy.h>
#include <urivet/reference.h>
#include <urivet/spelling.h>

static struct urivet_report report, work;

static void tell(const char *form, const char *function, enum urivet_verdict verdict)
{
	printf("%s %s %s\n", form, function, verdict == URIVET_ACCEPT ? "accept" : "reject");
}

/* Judges the URL as the value of a parameter, which is percent-encoded for that. */
static enum urivet_verdict as_value(const char *url, const struct urivet_policy *policy)
{
	static char outer[4096], buffer[65536];
	static struct urivet_report inner;
	const struct urivet_text name = {"u", 1};
	struct urivet_parameter_rules rules;
	char *at = outer + sprintf(outer, "https://outer.example/?u=");
	for (; *url != '\0'; url++)
		at += sprintf(at, strchr(":/?#[]&=;%|\\", *url) != NULL ? "%%%02X" : "%c", (unsigned)(unsigned char)*url);
	const struct urivet_parameter_input input = {{outer, (size_t)(at - outer)}, NULL, buffer, sizeof buffer};
	(void)urivet_parameter_rules_init(&rules, sizeof rules);
	rules.names = &name;
	rules.count = 1;
	rules.absolute = true;
	rules.policy = policy;
	(void)urivet_check(&report, outer, (size_t)(at - outer), NULL);
	return urivet_check_parameters(&report, &inner, &input, &rules, NULL);
}

static void judge(const char *form, const char *url, const struct urivet_policy *policy)
{
	const size_t length = strlen(url);
	const int32_t small[] = {0, (int32_t)length};
	const int64_t large[] = {0, (int64_t)length};
	struct urivet_request request;
	char out[4096];
	uint8_t bit;
	tell(form, "urivet_check", urivet_check(&report, url, length, policy));
	tell(form, "urivet_verdict_of", urivet_verdict_of(url, length, policy, &work));
	tell(form, "urivet_verdict_of-alone", urivet_verdict_of(url, length, policy, NULL));
	tell(form, "urivet_check-without-room", urivet_check_sized(&work, URIVET_REPORT_OCTETS, url, length, policy));
	tell(form, "urivet_check_batch", (enum urivet_verdict)urivet_check_batch(url, length, small, NULL, 1, policy, &bit, &work));
	tell(form, "urivet_check_batch-large", (enum urivet_verdict)urivet_check_batch(url, length, NULL, large, 1, policy, &bit, &work));
	tell(form, "urivet_check_reference", urivet_check_reference(&work, out, sizeof out, urivet_text_of("https://base.example/", 21), urivet_text_of(url, length), 0, policy));
	(void)urivet_request_init(&request, sizeof request);
	request.host_unknown = true;
	tell(form, "urivet_check_request", urivet_check_request(&work, url, length, &request, policy, NULL));
	tell(form, "urivet_suggest", urivet_suggest(out, sizeof out, url, length, policy) > 0 && strcmp(out, url) == 0 ? URIVET_ACCEPT : URIVET_REJECT);
	tell(form, "urivet_check_parameters", as_value(url, policy));
}

int main(int count, char **argument)
{
	static uint64_t octets[1 << 17];
	struct urivet_loaded *loaded = urivet_load(argument[1], NULL, NULL);
	const size_t length = loaded != NULL ? urivet_loaded_compile(octets, sizeof octets, loaded) : 0;
	struct urivet_policy opened;
	if (length == 0 || length > sizeof octets ||
	    urivet_compiled_open(&opened, sizeof opened, octets, length, NULL) != URIVET_COMPILED_GOOD) {
		puts("no policy");
		return 1;
	}
	for (int k = 2; k < count; k++) {
		judge("loaded", argument[k], urivet_loaded_policy(loaded));
		judge("compiled", argument[k], &opened);
		printf("null urivet_check %s\n", urivet_check(&report, argument[k], strlen(argument[k]), urivet_loaded_policy(NULL)) == URIVET_ACCEPT ? "accept" : "reject");
	}
	urivet_loaded_release(loaded);
	return 0;
}
