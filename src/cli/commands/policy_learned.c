/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes rules for paths from requests that a policy refuses.
 *
 * A request is learned from if all that refuses it can be allowed below a prefix, none of it is of
 * class dangerous, and no URL in its path is refused by `public`. Each finding of it belongs to the
 * longest prefix of the path, in whole segments, before the first finding. A prefix with fewer than
 * three different targets, or with too few clients, gives them to the prefix above; what arrives at
 * "/" is not learned, since that is the whole server. Where four prefixes below another one need the
 * same, or that one needs it too, it takes their place.
 */
#include "cli/commands/policy_learned.h"
#include "cli/judge/judge.h"
#include "cli/judge/readings.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/text/secrets.h"
#include <errno.h>
#include <stdlib.h>
#include <urivet/rules.h>

#define NO_RULE       UINT16_MAX
#define RULES_MOST    4096u
#define TARGETS_LEAST 3u
#define SIBLINGS      4u
#define PREFIX_MOST   256u /* octets of a prefix that is learned */
#define SCHEME_CHARS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."

bool learned_open(struct learned *learned)
{
	learned->rule = calloc(RULES_MOST, sizeof *learned->rule);
	if (learned->rule == NULL ||
	    !urivet_policy_init(&learned->policy, sizeof learned->policy, learned->base) ||
	    !urivet_policy_init(&learned->inner, sizeof learned->inner, URIVET_PUBLIC))
		return complain("%s", strerror(ENOMEM));
	keyed_seed(learned->seed);
	return true;
}

void learned_close(struct learned *learned)
{
	for (size_t i = 0; i < learned->needs; i++)
		free(learned->need[i].path);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		free(learned->refused[id].example);
	free(learned->need);
	for (unsigned i = 0; i < sizeof learned->table / sizeof learned->table[0]; i++)
		keyed_free(&learned->table[i]);
	free(learned->rule);
}

/* ---- Collecting --------------------------------------------------------------------------- */

/* Returns true if the finding may be allowed because requests need it. */
static bool is_learnable(const struct urivet_finding *finding)
{
	return finding->class_ != URIVET_DANGEROUS && can_waive_by_path_rule(finding->id) &&
	       finding->id != URIVET_F_HOST_MISSING &&
	       finding->id != URIVET_F_PATH_BACKSLASH_ESCAPED &&
	       finding->id != URIVET_F_ENCODED_PATH_REWRITE;
}

/* Returns true if `public` refuses the URL of which the colon is at this offset. Servers that merge
 * slashes leave one of two, so http:/host counts as a URL. Sets *next to what follows. */
static bool is_refused_url(uint8_t *text, size_t length, size_t colon, size_t *next,
			   const struct urivet_policy *policy)
{
	size_t scheme = colon, rest = colon + 1;
	bool web;

	while (scheme > 0 && strchr(SCHEME_CHARS, text[scheme - 1]) != NULL)
		scheme--;
	while (rest < length && text[rest] == '/')
		rest++;
	*next = rest;
	web = text_equals_in_any_case(text_at(text + scheme, colon - scheme), text_of("http")) ||
	      text_equals_in_any_case(text_at(text + scheme, colon - scheme), text_of("https"));
	if (scheme == 0 || scheme == colon || rest - colon < (web ? 2u : 3u))
		return false;
	/* the scheme, and two slashes, directly before the rest */
	memmove(text + rest - 3 - (colon - scheme), text + scheme, colon - scheme);
	text[rest - 3] = ':';
	text[rest - 2] = text[rest - 1] = '/';
	scheme = rest - 3 - (colon - scheme);
	return urivet_verdict_of(text + scheme, length - scheme, policy, NULL) == URIVET_REJECT;
}

/* Returns true if the path has a URL that `public` refuses, raw or percent-encoded once: a server
 * may fetch it. */
static bool has_refused_url(struct learned *learned, struct octets path)
{
	uint8_t *const text = malloc(path.length + 1);
	size_t length = 0;
	bool refused = text == NULL;

	learned->starved = learned->starved || text == NULL;
	while (text != NULL && path.length > 0)
		text[length++] = next_octet(&path);
	for (size_t i = 1, next; i + 1 < length && !refused; i = next) {
		next = i + 1;
		if (text[i] == ':' && text[i + 1] == '/')
			refused = is_refused_url(text, length, i, &next, &learned->inner);
	}
	free(text);
	return refused;
}

uint32_t prefix_before(const char *path, uint32_t end)
{
	struct urivet_path_rule rule;
	uint32_t length = 1;

	for (uint32_t i = 1; i < end && i < PREFIX_MOST; i++) {
		if (path[i] != '/')
			continue;
		if (!urivet_path_rule_from(&rule, path, i + 1))
			break;
		length = i + 1;
	}
	return length;
}

/* Fills a need from a report. Returns the first finding that is not learned, or NULL. */
static const struct urivet_finding *need_of(const struct learned *learned, struct need *need,
					    const struct urivet_report *report)
{
	const struct urivet_span *path = &report->uri.part[URIVET_PATH];
	uint32_t first = path->length;

	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];

		if (!urivet_finding_refuses(report, finding, &learned->policy))
			continue;
		if (!is_learnable(finding) || need->ids == NEEDS_MOST)
			return finding;
		need->id[need->ids++] = finding->id;
		if (finding->component == URIVET_QUERY)
			need->query = true;
		else if (finding->span.offset >= path->offset &&
			 finding->span.offset - path->offset < first) /* of "//", the first is before it */
			first = finding->span.offset - path->offset +
				(finding->id == URIVET_F_PATH_DOUBLE_SLASH);
	}
	need->prefix = first;
	return NULL;
}

/* Remembers that a finding was not learned. Only paths are shown, as queries have secrets. */
static bool refuse(struct learned *learned, unsigned id, struct octets path)
{
	struct refused_finding *refused = &learned->refused[id % URIVET_FINDING_LIMIT];

	learned->hostile++;
	if (refused->count++ > 0)
		return true;
	refused->example = copy_text(path);
	if (refused->example != NULL)
		mask_secrets((uint8_t *)refused->example, path.length);
	return refused->example != NULL;
}

static bool is_need(const void *context, struct octets path, size_t number)
{
	const struct learned *learned = context;

	return number < learned->needs && text_equals(text_of(learned->need[number].path), path);
}

/* Remembers that a client needs this, unless enough of them are known. */
static void keep_client(struct learned *learned, struct need *need, struct octets client)
{
	const uint64_t hash = keyed_hash(learned->seed, client);

	learned->nameless += client.length == 0;
	for (uint32_t i = 0; i < need->clients; i++)
		if (need->client[i] == hash)
			return;
	if (client.length > 0 && need->clients < CLIENTS_MOST)
		need->client[need->clients++] = hash;
}

/* Adds a need, or counts it if it is known. */
static bool keep_need(struct learned *learned, struct need *need, struct octets path,
		      struct octets client)
{
	struct keyed *table = &learned->table[need->query];
	const bool full = learned->needs == LEARNED_MOST;
	const size_t number =
	    keyed_find(table, path, full ? KEYED_FAILED : learned->needs, is_need, learned);

	if (number < learned->needs) {
		learned->need[number].count++;
		keep_client(learned, &learned->need[number], client);
		return true;
	}
	learned->forgotten += full;
	if (full || number == KEYED_FAILED)
		return full;
	if (!grow(&learned->need, &learned->capacity, learned->needs + 1, sizeof *need))
		return false;
	need->path = copy_text(path);
	if (need->path == NULL)
		return false;
	need->prefix = prefix_before(need->path, need->prefix);
	need->count = 1;
	keep_client(learned, need, client);
	learned->need[learned->needs++] = *need;
	return true;
}

bool learned_add(struct learned *learned, struct octets text, struct octets client)
{
	struct urivet_report report;
	struct need need = {0};
	const struct urivet_finding *other;
	struct octets path;

	judge_url_or_path(&report, text, &learned->policy);
	if (report.verdict == URIVET_ACCEPT) {
		learned->accepted++;
		return true;
	}
	path = text_at(text.data + report.uri.part[URIVET_PATH].offset,
		       report.uri.part[URIVET_PATH].length);
	if (!urivet_has(&report.uri, URIVET_PATH) || memchr(path.data, 0, path.length) != NULL)
		path = text_at("", 0);
	other = need_of(learned, &need, &report);
	if (other != NULL || report.dropped > 0 || need.ids == 0 || path.length == 0 ||
	    path.data[0] != '/')
		return refuse(learned, other != NULL ? other->id : URIVET_F_NONE, path);
	if (has_refused_url(learned, path))
		return refuse(learned, URIVET_F_URL_IN_PATH, path);
	return keep_need(learned, &need, path, client);
}

/* ---- Rules ---------------------------------------------------------------------------------- */

/* A need of one finding, while its rule is found. */
struct wanted {
	struct need *need;
	uint32_t which;  /* of its findings */
	uint32_t length; /* of the prefix that it belongs to now */
};

static int order_wanted(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	const uint32_t least = x->length < y->length ? x->length : y->length;
	const int order = memcmp(x->need->path, y->need->path, least);

	return order != 0 ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* Returns the length of the prefix above, which also ends in a slash. */
static uint32_t prefix_above(const char *path, uint32_t length)
{
	if (length <= 1)
		return 1;
	length--;
	while (length > 1 && path[length - 1] != '/')
		length--;
	return length;
}

static int order_hashes(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns true if as many clients have these needs as a rule must have. */
static bool has_clients(struct learned *learned, const struct wanted *wanted, size_t count)
{
	uint64_t *hash;
	size_t hashes = 0, clients = 0;

	if (learned->clients == 0)
		return true;
	hash = calloc(count, sizeof wanted->need->client);
	learned->starved = learned->starved || hash == NULL;
	for (size_t i = 0; i < count && hash != NULL; i++)
		for (uint32_t k = 0; k < wanted[i].need->clients; k++)
			hash[hashes++] = wanted[i].need->client[k];
	if (hashes > 0)
		qsort(hash, hashes, sizeof *hash, order_hashes);
	for (size_t i = 0; i < hashes; i++)
		clients += i == 0 || hash[i] != hash[i - 1];
	free(hash);
	return clients >= learned->clients;
}

/* Adds a rule for the needs, and assigns them to it. */
static void add_rule(struct learned *learned, struct wanted *wanted, size_t count, uint16_t id)
{
	struct learned_rule *rule = &learned->rule[learned->rules];

	if (learned->rules == RULES_MOST)
		return;
	*rule = (struct learned_rule){.path = wanted->need->path,
				      .length = wanted->length,
				      .id = id,
				      .merged = NO_RULE,
				      .example = wanted->need->path,
				      .kept = true};
	for (size_t i = 0; i < count; i++) {
		rule->count += wanted[i].need->count;
		wanted[i].need->rule[wanted[i].which] = (uint16_t)learned->rules;
	}
	learned->rules++;
}

/* Gives needs of the longest prefixes to a rule, or to the prefix above. Returns the number of needs
 * that are left, which are moved to the front. */
static size_t settle_longest(struct learned *learned, struct wanted *wanted, size_t count,
			     uint16_t id)
{
	uint32_t longest = 0;
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		longest = wanted[i].length > longest ? wanted[i].length : longest;
	qsort(wanted, count, sizeof *wanted, order_wanted);
	for (size_t i = 0, end; i < count; i = end) {
		const bool is_one = wanted[i].length == longest && longest > 1;

		for (end = i + 1; end < count && order_wanted(&wanted[i], &wanted[end]) == 0; end++)
			continue;
		if (is_one && end - i >= TARGETS_LEAST && has_clients(learned, &wanted[i], end - i)) {
			add_rule(learned, &wanted[i], end - i, id);
			continue;
		}
		for (size_t k = i; k < end; k++) {
			if (is_one)
				wanted[k].length = prefix_above(wanted[k].need->path, longest);
			wanted[left++] = wanted[k];
		}
	}
	return longest <= 1 ? 0 : left;
}

/* Makes the rules about one finding. */
static bool make_rules_of(struct learned *learned, uint16_t id)
{
	struct wanted *wanted = calloc(learned->needs + 1, sizeof *wanted);
	size_t count = 0;

	if (wanted == NULL)
		return false;
	for (size_t i = 0; i < learned->needs; i++)
		for (uint32_t k = 0; k < learned->need[i].ids; k++)
			if (learned->need[i].id[k] == id)
				wanted[count++] =
				    (struct wanted){&learned->need[i], k, learned->need[i].prefix};
	while (count > 0)
		count = settle_longest(learned, wanted, count, id);
	free(wanted);
	return true;
}

/* Returns true if a rule that was not merged yet is about the finding of another, and about the first
 * `above` octets of its prefix or what is below. */
static bool is_below(const struct learned_rule *rule, const struct learned_rule *other,
		     uint32_t above)
{
	return rule->merged == NO_RULE && rule->id == other->id && rule->length >= above &&
	       memcmp(rule->path, other->path, above) == 0;
}

/* Replaces the rules for a prefix and below it by one for that prefix. */
static void merge_below(struct learned *learned, size_t first, uint32_t above)
{
	const struct learned_rule model = learned->rule[first];
	struct learned_rule *rule = &learned->rule[learned->rules];

	*rule = model;
	rule->length = above;
	rule->count = 0;
	for (size_t i = 0; i < learned->rules; i++) {
		if (!is_below(&learned->rule[i], &model, above))
			continue;
		rule->count += learned->rule[i].count;
		learned->rule[i].merged = (uint16_t)learned->rules;
	}
	learned->rules++;
}

/* Merges a rule with those below the first `above` octets of its prefix, if there are enough of them
 * or there is one for that prefix. */
static void merge_rule(struct learned *learned, size_t first, uint32_t above)
{
	const struct learned_rule *rule = &learned->rule[first];
	size_t count = 0;

	if (rule->merged != NO_RULE || rule->length <= above || rule->path[above - 1] != '/' ||
	    learned->rules == RULES_MOST)
		return;
	for (size_t i = 0; i < learned->rules; i++)
		if (is_below(&learned->rule[i], rule, above))
			count += learned->rule[i].length == above ? SIBLINGS : 1;
	if (count >= SIBLINGS)
		merge_below(learned, first, above);
}

static struct learned_rule *rule_of(struct learned *learned, uint16_t index)
{
	while (learned->rule[index].merged != NO_RULE)
		index = learned->rule[index].merged;
	return &learned->rule[index];
}

/* Returns the requests that the base and the kept rules accept. */
static uint64_t covered(struct learned *learned)
{
	uint64_t sum = learned->accepted;

	for (size_t i = 0; i < learned->needs; i++) {
		bool all = true;

		for (uint32_t k = 0; k < learned->need[i].ids; k++)
			all = all && learned->need[i].rule[k] != NO_RULE &&
			      rule_of(learned, learned->need[i].rule[k])->kept;
		sum += all ? learned->need[i].count : 0;
	}
	return sum;
}

/* Returns all requests that could be learned from. */
static uint64_t learnable(const struct learned *learned)
{
	uint64_t sum = learned->accepted + learned->forgotten;

	for (size_t i = 0; i < learned->needs; i++)
		sum += learned->need[i].count;
	return sum;
}

static int order_counts(const void *a, const void *b)
{
	const struct learned_rule *x = *(struct learned_rule *const *)a;
	const struct learned_rule *y = *(struct learned_rule *const *)b;

	return x->count != y->count ? (x->count < y->count ? -1 : 1) : x < y ? -1 : x > y;
}

/* Drops the rules that fewest requests need, as long as the share is accepted. */
static bool drop_rules(struct learned *learned, unsigned share)
{
	struct learned_rule **rule = calloc(learned->rules + 1, sizeof *rule);
	const uint64_t all = learnable(learned);
	size_t count = 0;

	if (rule == NULL)
		return false;
	for (size_t i = 0; i < learned->rules; i++)
		if (learned->rule[i].merged == NO_RULE)
			rule[count++] = &learned->rule[i];
	qsort(rule, count, sizeof *rule, order_counts);
	for (size_t i = 0; i < count; i++) {
		rule[i]->kept = false;
		if (covered(learned) * 10000 < all * share) {
			rule[i]->kept = true;
			break;
		}
	}
	free(rule);
	return true;
}

static bool make_rules(struct learned *learned, unsigned share)
{
	for (size_t i = 0; i < learned->needs; i++)
		for (uint32_t k = 0; k < NEEDS_MOST; k++)
			learned->need[i].rule[k] = NO_RULE;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (can_waive_by_path_rule(id) && !make_rules_of(learned, (uint16_t)id))
			return false;
	for (uint32_t above = PREFIX_MOST; above > 1; above--) /* the narrowest first */
		for (size_t i = 0; i < learned->rules; i++)
			merge_rule(learned, i, above);
	return drop_rules(learned, share);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static int order_rules(const void *a, const void *b)
{
	const struct learned_rule *x = *(struct learned_rule *const *)a;
	const struct learned_rule *y = *(struct learned_rule *const *)b;
	const struct octets one = text_at(x->path, x->length), two = text_at(y->path, y->length);
	const int order = text_order(one, two);

	return order != 0 ? order : (int)x->id - (int)y->id;
}

static bool same_prefix(const struct learned_rule *a, const struct learned_rule *b)
{
	return a->length == b->length && memcmp(a->path, b->path, a->length) == 0;
}

/* Writes a text in single quotes. */
static void write_quoted(struct output *out, struct octets text)
{
	output_octet(out, '\'');
	for (size_t i = 0; i < text.length; i++) {
		if (text.data[i] == '\'')
			output_octet(out, '\'');
		output_octet(out, (char)text.data[i]);
	}
	output_octet(out, '\'');
}

/* Writes the first sentence of the catalogue about a finding. */
static void write_sentence(struct output *out, unsigned id)
{
	const char *text = urivet_finding_info(id)->text;
	const char *end = strstr(text, ". ");

	while (end != NULL && end > text && end[-1] == ' ') /* the character, not the end */
		end = strstr(end + 1, ". ");
	emit(out, "  # ", urivet_finding_info(id)->name, ": ",
	     raw_text(text_at(text, end != NULL ? (size_t)(end - text) + 1 : strlen(text))), "\n");
}

/* Writes a group of `paths` from rules with the same prefix. */
static void write_group(struct output *out, struct learned_rule *const *rule, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		emit(out, "  # ", (uint64_t)rule[i]->count, " requests, such as ",
		     text_of(rule[i]->example), "\n");
		write_sentence(out, rule[i]->id);
	}
	output_string(out, "  - prefix: ");
	write_quoted(out, text_at(rule[0]->path, rule[0]->length));
	output_string(out, "\n    allow: [");
	for (size_t i = 0; i < count; i++)
		emit(out, i > 0 ? ", " : "", urivet_finding_info(rule[i]->id)->name);
	output_string(out, "]\n");
}

static bool write_rules(struct output *out, struct learned *learned)
{
	struct learned_rule **rule = calloc(learned->rules + 1, sizeof *rule);
	size_t count = 0, end;

	if (rule == NULL)
		return false;
	for (size_t i = 0; i < learned->rules; i++)
		if (learned->rule[i].merged == NO_RULE && learned->rule[i].kept)
			rule[count++] = &learned->rule[i];
	qsort(rule, count, sizeof *rule, order_rules);
	if (count > 0)
		output_string(out, "\npaths:\n");
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && same_prefix(rule[i], rule[end]); end++)
			continue;
		write_group(out, &rule[i], end - i);
	}
	free(rule);
	return true;
}

/* Writes "# 12 requests ..." unless the number is 0. */
static void write_number(struct output *out, uint64_t number, const char *what)
{
	if (number > 0)
		emit(out, "# ", number, " ", what, "\n");
}

/* Writes the rule by which a finding would be allowed, if an application needs it. */
static void write_proposal(struct output *out, unsigned id, const char *path)
{
	const uint32_t length = prefix_before(path, (uint32_t)strlen(path));

	if (path[0] != '/' || length == 1)
		return;
	output_string(out, "#     if an application needs it: - {prefix: ");
	write_quoted(out, text_at(path, length));
	emit(out, ", allow: [", urivet_finding_info(id)->name, "]}\n");
}

/* Writes what was not learned, and why. */
static void write_refused(struct output *out, const struct learned *learned)
{
	bool any = false;

	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct refused_finding *refused = &learned->refused[id];
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (refused->count == 0)
			continue;
		if (!any)
			output_string(out, "\n# Not learned, because it is an attack, or leads out "
					   "of every prefix:\n");
		any = true;
		emit(out, "#   ", info != NULL ? info->name : "no path", " (",
		     info != NULL ? urivet_class_name(info->class_) : "malformed",
		     "): ", refused->count, " requests, such as ", text_of(refused->example), "\n");
		if (can_waive_by_path_rule(id) && id != URIVET_F_URL_IN_PATH)
			write_proposal(out, id, refused->example);
	}
}

/* Writes targets that need something that too few others need, or everywhere. */
static void write_left(struct output *out, struct learned *learned)
{
	size_t shown = 0;

	for (size_t i = 0; i < learned->needs && shown < 10; i++) {
		const struct need *need = &learned->need[i];

		for (uint32_t k = 0; k < need->ids; k++) {
			if (need->rule[k] != NO_RULE && rule_of(learned, need->rule[k])->kept)
				continue;
			if (shown++ == 0)
				output_string(out,
					      "\n# Not learned, because few requests or clients need "
					      "it, or requests all over the server:\n");
			emit(out, "#   ", urivet_finding_info(need->id[k])->name, ": ",
			     text_of(need->path), "\n");
			break;
		}
	}
}

bool learned_write(struct learned *learned, const struct options *options, unsigned share)
{
	const uint64_t all = learnable(learned);
	struct output out;
	bool good;

	if (!make_rules(learned, share) || learned->starved)
		return complain("%s", strerror(ENOMEM));
	if (options->showing.quiet)
		return true;
	if (!paint_open(&out, COLOUR_NEVER))
		return false;
	if (learned->clients > 0)
		emit(&out, "# Each rule is needed by at least ", (uint64_t)learned->clients,
		     " clients (--min-clients).\n");
	emit(&out, "# Learned from ", all, " requests. By ",
	     urivet_policy_name((unsigned)learned->base), " alone ", learned->accepted,
	     " are accepted, by this policy ", covered(learned), ".\n");
	write_number(&out, learned->hostile, "others were not learned from: see below.");
	write_number(&out, learned->failed,
		     "others were answered with an error, and not looked at.");
	write_number(&out, learned->broken, "records are no requests.");
	write_number(&out, learned->forgotten, "requests were too many to remember.");
	emit(&out, "base: ", urivet_policy_name((unsigned)learned->base), "\n");
	good = write_rules(&out, learned);
	write_left(&out, learned);
	write_refused(&out, learned);
	if (!good)
		out.error = ENOMEM;
	return output_finish(&out) && good;
}
