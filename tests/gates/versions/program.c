/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a user, built against one version of the header and run with another version of
 * the library. Its structures end where a page begins that cannot be touched.
 *   program works|strict|refuses
 * "strict": the library does not know what the program's policies may ask for; "refuses": it does
 * not know its reports either. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <urivet.h>
#include <urivet/readers.h>
#include <urivet/rules.h>

static int failures;

static void expect(bool holds, const char *what)
{
	if (!holds) {
		printf("not so: %s\n", what);
		failures++;
	}
}

/* Room whose last octet touches a page that cannot be touched. */
static void *at_edge(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
	char *area = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED || mprotect(area + room, page, PROT_NONE) != 0)
		abort();
	memset(area, 0x5a, room);
	return area + room - size;
}

static enum urivet_verdict check(struct urivet_report *report, const char *uri,
                                 const struct urivet_policy *policy)
{
	return urivet_check(report, uri, strlen(uri), policy);
}

static bool has(const struct urivet_report *report, unsigned id)
{
	for (uint32_t k = 0; k < report->count; k++)
		if (report->finding[k].id == id)
			return true;
	return false;
}

/* Where an accepted URL leads to. */
static size_t endpoint_of(struct urivet_endpoint *endpoint, const char *uri, char out[128])
{
	struct urivet_report *report = at_edge(sizeof *report);
	(void)check(report, uri, NULL);
	return urivet_endpoint(endpoint, out, 128, report, uri, strlen(uri));
}

/* Judges the target of a request that is begun in `request`. */
static enum urivet_verdict check_target(struct urivet_report *report, struct urivet_request *request)
{
	return urivet_check_request(report, "/a", 2, request, NULL, NULL);
}

static void expect_works(struct urivet_report *report, struct urivet_policy *policy,
                         struct urivet_reading *reading, struct urivet_request *request,
                         struct urivet_endpoint *endpoint)
{
	struct urivet_host_rule rule, two[2];
	char out[128];
	static const char uri[] = "https://www.example.com/a";
	expect(urivet_policy_init(policy, sizeof *policy, URIVET_PUBLIC), "a policy begins");
	expect(urivet_host_rule_from(&rule, "www.example.com", 15, URIVET_DENY), "a rule is made");
	expect(check(report, uri, NULL) == URIVET_ACCEPT, "strict accepts");
	expect(check(report, "https://u@h/", NULL) == URIVET_REJECT, "strict refuses");
	expect(has(report, URIVET_F_USERINFO_PRESENT), "the report has userinfo-present");
	expect(check(report, uri, policy) == URIVET_ACCEPT, "public accepts");
	expect(check(report, "https://10.0.0.1/", policy) == URIVET_REJECT, "public refuses");
	expect(has(report, URIVET_F_ADDR_PRIVATE), "the report has addr-private");
	expect(urivet_policy_waive(policy, URIVET_F_DOT_SEGMENT), "a finding is waived");
	expect(check(report, "https://example.com/a/../b", policy) == URIVET_ACCEPT, "public accepts what was waived");
	policy->hosts.rule = &rule;
	policy->hosts.count = 1;
	expect(check(report, uri, policy) == URIVET_REJECT, "a list denies");
	expect(has(report, URIVET_F_HOST_DENIED) && report->host_rule == &rule, "the report has the rule that denies");
	expect(urivet_reason(report, policy) == URIVET_REASON_NOT_ALLOWED, "the reason is the rule");
	two[0] = rule;
	expect(urivet_host_rule_from(&two[1], "a.example.com", 13, URIVET_DENY), "another rule is made");
	policy->hosts.rule = two;
	policy->hosts.count = 2;
	policy->hosts.sorted = true;
	expect(check(report, "https://b.example.net/", policy) == URIVET_REJECT, "a list out of order refuses");
	expect(has(report, URIVET_F_POLICY_INVALID) && !urivet_policy_finish(policy, NULL, 0), "a list out of order is reported");
	qsort(two, 2, sizeof two[0], urivet_order(URIVET_LIST_HOSTS));
	expect(check(report, "https://b.example.net/", policy) == URIVET_ACCEPT, "a list in order accepts");
	expect(urivet_policy_finish(policy, NULL, 0), "a list in order is finished");
#ifndef WITHOUT_SEAL
	expect(policy->seal != 0, "the finished policy has a seal");
#endif
	expect(check(report, uri, policy) == URIVET_REJECT, "the finished list denies");
	expect(has(report, URIVET_F_HOST_DENIED) && report->host_rule == &two[1], "the report has the second rule");
	expect(urivet_read_as(reading, URIVET_READER_RFC3986, uri, sizeof uri - 1, NULL, 0),
	       "a reader reads");
	expect(reading->uri.port == 443, "the reader finds the port");
	expect(urivet_request_init(request, sizeof *request), "a request begins");
	expect(check_target(report, request) == URIVET_REJECT, "a target without a Host field is refused");
	expect(has(report, URIVET_F_HOST_MISSING), "the report has host-missing");
	request->host = urivet_text_of("h", 1);
	expect(check_target(report, request) == URIVET_ACCEPT, "a target with a Host field is accepted");
	expect(endpoint_of(endpoint, uri, out) > 0, "there is an endpoint");
	expect(strcmp(endpoint->host, "www.example.com") == 0 && endpoint->port == 443, "the endpoint is that of the URL");
}

/* A newer program begins no policy, but strict judges for it; what it knows and the library does not
 * is zeroed. */
static void expect_strict_only(struct urivet_report *report, struct urivet_policy *policy,
                               struct urivet_reading *reading, struct urivet_request *request,
                               struct urivet_endpoint *endpoint)
{
	char out[128];
	static const char uri[] = "https://www.example.com/a";
	expect(!urivet_policy_init(policy, sizeof *policy, URIVET_ANY), "no policy begins");
	policy->size = sizeof *policy;
	policy->max_length = policy->max_host = policy->max_label = 8000;
	policy->schemes = UINT32_MAX;
	expect(!urivet_policy_finish(policy, NULL, 0), "the policy of another version is not finished");
	expect(check(report, uri, policy) == URIVET_REJECT, "the policy of another version refuses");
	expect(has(report, URIVET_F_POLICY_INVALID), "the report has policy-invalid");
	expect(check(report, uri, NULL) == URIVET_ACCEPT, "strict accepts");
	expect(check(report, "https://u@h/", NULL) == URIVET_REJECT, "strict refuses");
	expect(urivet_read_as(reading, URIVET_READER_RFC3986, uri, sizeof uri - 1, NULL, 0),
	       "a reader reads");
	expect(!urivet_request_init(request, sizeof *request), "no request begins");
	request->size = sizeof *request;
	request->host = urivet_text_of("h", 1);
	request->port = URIVET_NO_PORT;
	expect(check_target(report, request) == URIVET_REJECT, "a request of another version is refused");
	expect(has(report, URIVET_F_POLICY_INVALID), "the report has policy-invalid");
	expect(endpoint_of(endpoint, uri, out) > 0 && endpoint->port == 443, "there is an endpoint");
#ifdef HAS_ADDED
	expect(endpoint->added[2] == 0, "unknown members of the endpoint are zeroed");
	expect(report->added[2] == 0 && reading->added[2] == 0, "unknown members of the report and the reading are zeroed");
#endif
}

static void expect_refuses(struct urivet_report *report, struct urivet_policy *policy,
                           struct urivet_reading *reading, struct urivet_request *request,
                         struct urivet_endpoint *endpoint)
{
	char out[128];
	struct urivet_report none;
	expect(!urivet_policy_init(policy, sizeof *policy, URIVET_ANY), "no policy begins");
	policy->size = sizeof *policy;
	policy->max_length = policy->max_host = policy->max_label = 8000;
	policy->schemes = UINT32_MAX;
	memset(&none, 0, sizeof none);
	expect(!urivet_policy_finish(policy, NULL, 0), "the policy of another version is not finished");
	expect(!urivet_policy_waive(policy, URIVET_F_DOT_SEGMENT), "the policy of another version is not changed");
	expect(check(report, "https://www.example.com/", NULL) == URIVET_REJECT, "strict refuses");
	expect(memcmp(report, &none, sizeof none) == 0, "the report is zeroed");
	expect(check(report, "https://www.example.com/", policy) == URIVET_REJECT, "the policy of another version refuses");
	expect(!urivet_read_as(reading, URIVET_READER_RFC3986, "http://h/", 9, NULL, 0), "no reader reads");
	expect(!urivet_request_init(request, sizeof *request), "no request begins");
	request->size = sizeof *request;
	expect(!urivet_request_valid(request), "the request of another version is not valid");
	expect(check_target(report, request) == URIVET_REJECT, "the request of another version is refused");
	expect(endpoint_of(endpoint, "http://h/", out) == 0, "there is no endpoint");
}

int main(int count, char **argument)
{
	if (count != 2)
		return 2;
	(strcmp(argument[1], "works") == 0    ? expect_works
	 : strcmp(argument[1], "strict") == 0 ? expect_strict_only
	                                      : expect_refuses)(
	    at_edge(sizeof(struct urivet_report)), at_edge(sizeof(struct urivet_policy)),
	    at_edge(sizeof(struct urivet_reading)), at_edge(sizeof(struct urivet_request)),
	    at_edge(sizeof(struct urivet_endpoint)));
	return failures != 0;
}
