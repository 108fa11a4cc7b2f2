/* SPDX-License-Identifier: Apache-2.0 */
/* Shared helpers of the suites: inputs that end at an unreadable page, and shorthands. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <urivet.h>
#include <urivet/readers.h>
#include <urivet/rules.h>

#include "../../built_in.h"

/* Copies data[0..length) so that the last octet touches an unreadable page. Valid until the next
 * call; never NULL. */
const void *at_edge(const void *data, size_t length);

/* Expands {text*n} to n times text; returns a separate buffer, valid until the next call, and
 * sets *length. */
const void *expand(const char *pattern, size_t pattern_length, size_t *length);

/* Returns octets as printable text with \xHH; the last few results stay valid. */
const char *shown(const void *data, size_t length);

/* Returns the UTF-8 of a code point; the last two results stay valid. */
const char *utf8_of(uint32_t c);

/* Returns the finding of that number in the report, or NULL. */
const struct urivet_finding *finding_in(const struct urivet_report *report, unsigned id);

/* Returns the ids of the report's findings, joined by commas, or "-" if there are none. */
const char *ids_of(const struct urivet_report *report);

/* Judges a string at the edge of a page and fills the report. Checks that urivet_verdict_of() agrees,
 * unless the policy has rules about parameters, which need a report, and urivet_ok() with strict. */
enum urivet_verdict judge(struct urivet_report *report, const char *uri, size_t length,
                          const struct urivet_policy *policy);

/* The same of a pattern for expand(), and of http://HOST/. */
enum urivet_verdict judge_pattern(struct urivet_report *report, const char *pattern,
                                  const struct urivet_policy *policy);
enum urivet_verdict judge_host(struct urivet_report *report, const char *host,
                               const struct urivet_policy *policy);

/* Expects that the policy refuses each of these URLs with the finding. */
void expect_all_refused(const char *const *uris, size_t count, const struct urivet_policy *policy,
                    unsigned finding);

/* Expects this verdict for each of these URLs, which have spaces between them. */
void expect_all(const struct urivet_policy *policy, enum urivet_verdict verdict, const char *uris);

/* Return the rule or network that the text stands for. */
struct urivet_host_rule host_rule_of(const char *text, enum urivet_action action);
struct urivet_network network(const char *text);
struct urivet_address_rule address_rule_of(const char *text, enum urivet_action action);

/* Return a built-in policy with a finding waived, or with one list. */
struct urivet_policy with_waiver(int base, unsigned id);
struct urivet_policy with_hosts(int base, const struct urivet_host_rule *rules, uint32_t count,
				bool sorted, bool only);
struct urivet_policy with_addresses(int base, const struct urivet_address_rule *rules,
				    uint32_t count, bool sorted);

/* Returns a random number, the same ones in every run; one below n. */
uint32_t random_number(void);

static inline uint32_t random_below(uint32_t n)
{
	return random_number() % n;
}

/* Returns true if the reader is an edition, by readers.def. */
bool follows_edition(unsigned reader);

/* Returns the divisor of long loops: the number in the environment variable URIVET_SAMPLE, or 1.
 * Sanitizers make loops slow, and need fewer rounds to find their bugs. */
unsigned sample(void);

/* Compares the readings of the input of a finished report. Returns the verdict after that. */
enum urivet_verdict add_disagreement(struct urivet_report *report, struct urivet_text input,
                                     char *buffer, size_t capacity,
                                     const struct urivet_policy *policy,
                                     enum urivet_reader pair[2]);

/* A string as a text of the core, at the edge of a page. */
#define EDGE(s) text_of(at_edge(s, strlen(s)), (uint32_t)strlen(s))

#define LITERAL(s) s, sizeof(s) - 1

/* A string literal as a text. */
#define TEXT(s) urivet_text_of(LITERAL(s))

static inline struct urivet_text text_of_string(const char *string)
{
	return urivet_text_of(string, strlen(string));
}

/* The example inputs of each row of the catalogue. */
struct example {
	const char *policy; /* the policy that judges them: see findings.def */
	struct urivet_text fires;
	struct urivet_text misses;
	unsigned rank;
	const char *next;
};

struct example example_of(unsigned id);

#endif
