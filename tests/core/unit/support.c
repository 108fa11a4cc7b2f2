/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned sample(void)
{
	static unsigned divisor;
	if (divisor == 0) {
		const char *set = getenv("URIVET_SAMPLE");
		const unsigned long value = set != NULL ? strtoul(set, NULL, 10) : 1;
		divisor = value >= 1 && value <= 1000 ? (unsigned)value : 1;
	}
	return divisor;
}

const void *at_edge(const void *data, size_t length)
{
	static unsigned char *area;
	static size_t size;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t needed = (length / page + 1) * page;
	if (needed > size) {
		if (area != NULL)
			munmap(area, size + page);
		size = needed;
		area = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		            -1, 0);
		cr_assert(area != MAP_FAILED);
		cr_assert(mprotect(area + size, page, PROT_NONE) == 0);
	}
	if (length > 0)
		memcpy(area + size - length, data, length);
	return area + size - length;
}

/* Parses "{text*n}" at p; returns the length of the text and sets the number, or returns 0. */
static size_t repetition(const char *p, const char *end, unsigned long *times)
{
	const char *close = memchr(p, '}', (size_t)(end - p));
	const char *star = close != NULL ? memrchr(p, '*', (size_t)(close - p)) : NULL;
	char *stop;
	if (*p != '{' || star == NULL || star == p + 1 || star[1] < '0' || star[1] > '9')
		return 0;
	*times = strtoul(star + 1, &stop, 10);
	return stop == close ? (size_t)(star - p - 1) : 0;
}

const void *expand(const char *pattern, size_t pattern_length, size_t *length)
{
	static char buffer[1 << 20];
	const char *end = pattern + pattern_length;
	size_t n = 0;
	while (pattern < end) {
		unsigned long times = 0;
		const size_t text = repetition(pattern, end, &times);
		if (text == 0) {
			buffer[n++] = *pattern++;
			continue;
		}
		cr_assert(n + times * text < sizeof buffer);
		for (unsigned long k = 0; k < times; k++, n += text)
			memcpy(buffer + n, pattern + 1, text);
		pattern = (const char *)memchr(pattern, '}', (size_t)(end - pattern)) + 1;
	}
	*length = n;
	return buffer;
}

bool follows_edition(unsigned reader)
{
	static const bool editions[URIVET_READERS] = {
#define EDITION(constant, number, ...) [number] = true,
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
	};
	return reader < URIVET_READERS && editions[reader];
}

const char *shown(const void *data, size_t length)
{
	static char buffers[4][4096];
	static unsigned next;
	char *out = buffers[next++ % 4];
	const unsigned char *p = data;
	size_t n = 0;
	for (size_t k = 0; k < length && n < sizeof buffers[0] - 8; k++)
		n += (size_t)sprintf(out + n, p[k] > 0x20 && p[k] < 0x7f ? "%c" : "\\x%02X", p[k]);
	out[n] = '\0';
	return out;
}

const char *utf8_of(uint32_t c)
{
	static char buffers[2][5];
	static unsigned next;
	char *out = buffers[next++ % 2];
	const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	for (unsigned k = 0; k <= more; k++)
		out[k] = (char)(0x80 | (c >> 6 * (more - k) & 0x3f));
	out[0] = (char)(more == 0 ? c : (0xf00u >> (more + 1) & 0xff) | c >> 6 * more);
	out[more + 1] = '\0';
	return out;
}

struct example example_of(unsigned id)
{
#define INPUT(string) {string, sizeof(string) - 1}
#define FINDING_AS(policy, name, number, id, class_, component, reference, fires, misses, text,    \
                   rank, next)                                                                     \
	[number] = {#policy, INPUT(fires), INPUT(misses), rank, next},
#define FINDING(...) FINDING_AS(strict, __VA_ARGS__)
	static const struct example examples[URIVET_FINDING_LIMIT] = {
#include <urivet/findings.def>
	};
#undef FINDING
#undef FINDING_AS
#undef INPUT
	return examples[id];
}

const struct urivet_finding *finding_in(const struct urivet_report *report, unsigned id)
{
	for (uint32_t k = 0; k < report->count; k++)
		if (report->finding[k].id == id)
			return &report->finding[k];
	return NULL;
}

const char *ids_of(const struct urivet_report *report)
{
	static char buffers[4][4096];
	static unsigned next;
	char *out = buffers[next++ % 4];
	size_t n = (size_t)sprintf(out, "%s", report->count == 0 ? "-" : "");
	for (uint32_t k = 0; k < report->count; k++)
		n += (size_t)sprintf(out + n, "%s%s", k > 0 ? "," : "",
		                     urivet_finding_info(report->finding[k].id)->name);
	return out;
}

enum urivet_verdict judge(struct urivet_report *report, const char *uri, size_t length,
                          const struct urivet_policy *policy)
{
	const void *edge = at_edge(uri, length);
	const enum urivet_verdict verdict = urivet_check(report, edge, length, policy);
	cr_expect(verdict == report->verdict, "%s", shown(uri, length));
	if (policy == NULL || policy->parameter_count == 0)
		cr_expect(urivet_verdict_of(edge, length, policy, NULL) == verdict, "of %s", shown(uri, length));
	if (policy == NULL || memcmp(policy, BY_STRICT, sizeof *policy) == 0)
		cr_expect(urivet_ok(edge, length) == (verdict == URIVET_ACCEPT), "ok %s", shown(uri, length));
	return verdict;
}

enum urivet_verdict judge_pattern(struct urivet_report *report, const char *pattern,
                                  const struct urivet_policy *policy)
{
	size_t length;
	const char *uri = expand(pattern, strlen(pattern), &length);
	return judge(report, uri, length, policy);
}

enum urivet_verdict judge_host(struct urivet_report *report, const char *host,
                               const struct urivet_policy *policy)
{
	char uri[512];
	return judge(report, uri, (size_t)snprintf(uri, sizeof uri, "http://%s/", host), policy);
}

void expect_all_refused(const char *const *uris, size_t count, const struct urivet_policy *policy,
                    unsigned finding)
{
	for (size_t k = 0; k < count; k++) {
		struct urivet_report r;
		cr_expect(judge(&r, uris[k], strlen(uris[k]), policy) == URIVET_REJECT && finding_in(&r, finding) != NULL,
		          "%s: %s", uris[k], ids_of(&r));
	}
}

uint32_t random_number(void)
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

enum urivet_verdict add_disagreement(struct urivet_report *report, struct urivet_text input,
                                     char *buffer, size_t capacity,
                                     const struct urivet_policy *policy,
                                     enum urivet_reader pair[2])
{
	const bool was_found = finding_in(report, URIVET_F_READERS_DISAGREE) != NULL;
	const bool disagree = urivet_readers_disagree(input, buffer, capacity, pair, report, policy);
	const bool is_found = finding_in(report, URIVET_F_READERS_DISAGREE) != NULL;
	cr_expect(is_found == (was_found || disagree) || report->dropped > 0);
	return report->verdict;
}

struct urivet_host_rule host_rule_of(const char *text, enum urivet_action action)
{
	struct urivet_host_rule rule;
	cr_assert(urivet_host_rule_from(&rule, text, strlen(text), action), "%s", text);
	return rule;
}

struct urivet_network network(const char *text)
{
	struct urivet_network made;
	cr_assert(urivet_network_from(&made, text, strlen(text)), "%s", text);
	return made;
}

struct urivet_address_rule address_rule_of(const char *text, enum urivet_action action)
{
	return (struct urivet_address_rule){network(text), (uint8_t)action, 0};
}

void expect_all(const struct urivet_policy *p, enum urivet_verdict verdict, const char *uris)
{
	for (size_t n; *uris != '\0'; uris += n + (uris[n] == ' ')) {
		struct urivet_report r;
		n = strcspn(uris, " ");
		cr_expect(judge(&r, uris, n, p) == verdict, "%.*s: %s", (int)n, uris, ids_of(&r));
	}
}

struct urivet_policy with_waiver(int base, unsigned id)
{
	struct urivet_policy p = built_in(base);
	cr_assert(urivet_policy_waive(&p, id));
	return p;
}

struct urivet_policy with_hosts(int base, const struct urivet_host_rule *rules, uint32_t count,
				bool sorted, bool only)
{
	struct urivet_policy p = built_in(base);
	p.hosts = (struct urivet_host_list){rules, count, sorted, only};
	return p;
}

struct urivet_policy with_addresses(int base, const struct urivet_address_rule *rules,
				    uint32_t count, bool sorted)
{
	struct urivet_policy p = built_in(base);
	p.addresses = (struct urivet_address_list){rules, count, sorted};
	return p;
}
