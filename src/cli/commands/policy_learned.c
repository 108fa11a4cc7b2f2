/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes rules for paths from requests that a policy refuses.
 *
 * A request is learned from if all that refuses it can be allowed below a prefix, none of it is of
 * class dangerous, and no URL in its path is refused by `public`. Each finding of it belongs to the
 * longest prefix of the path, in whole segments, before the first finding. A prefix gets a rule if
 * three different targets below it, enough clients, and enough of all clients and requests below it
 * need one; otherwise the prefix above counts them, too. Where four prefixes below another one need
 * the same, it takes their place. The whole server needs ten times the share.
 */
#include "cli/commands/policy_learned.h"
#include "cli/judge/judge.h"
#include "cli/judge/readings.h"
#include "cli/records/keyed.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/text/secrets.h"
#include <errno.h>
#include <stdlib.h>
#include <urivet/rules.h>

#define RULES_MOST    256u
#define TARGETS_LEAST 3u
#define SIBLINGS      4u
#define LEFT_MOST     20u  /* prefixes without a rule that are listed */
#define PREFIX_MOST   256u /* octets of a prefix that is learned */
#define LEVELS_MOST   32u  /* segments of it */
/* Bits of a set of needs: of learnable findings, and of targets that are not learned from. */
#define NEEDS_BITS  63u
#define NOT_LEARNED (UINT64_C(1) << 63)

/* What follows the text of a target, or the prefix of a use, in a census. */
struct tail {
	uint64_t needs;
	uint64_t client;       /* of a use: a hash, 0: it has no name */
	uint32_t path, prefix; /* of a target: the offset of the path, the length of its prefix */
};

/* A target, or the use of a prefix by a client. */
struct learned_item {
	struct octets text; /* of the target; data is NULL: it is a use */
	struct octets prefix;
	uint64_t needs;
	uint64_t left; /* findings that are to be learned and have no rule */
	uint64_t client;
	uint64_t count;
	uint32_t number; /* of the client, from 1; 0: it has no name */
	uint32_t rule;   /* that begins here, from 1; 0: none */
	uint8_t depth;   /* segments of the prefix */
	uint8_t shared;  /* ... that it has in common with the item before */
	bool accepted;
};

/* A finding that is allowed below a prefix, which all items from `from` to `to` share. */
struct learned_rule {
	size_t from, to; /* equal: the rule was dropped */
	struct octets prefix;
	unsigned bit;
	struct support support;
	uint64_t count; /* requests that are accepted and need it */
	const struct learned_item *example;
};

/* ---- Opening ------------------------------------------------------------------------------ */

bool can_learn(unsigned id)
{
	const struct urivet_finding_row *finding = urivet_finding_info(id);

	return finding != NULL && finding->class_ != URIVET_DANGEROUS &&
	       can_waive_by_path_rule(id) && id != URIVET_F_HOST_MISSING &&
	       id != URIVET_F_PATH_BACKSLASH_ESCAPED && id != URIVET_F_ENCODED_PATH_REWRITE;
}

bool learned_open(struct learned *learned)
{
	unsigned bit = 0;
	bool good = urivet_policy_init(&learned->policy, sizeof learned->policy, learned->base) &&
		    urivet_policy_init(&learned->open, sizeof learned->open, learned->base) &&
		    urivet_policy_init(&learned->inner, sizeof learned->inner, URIVET_PUBLIC);

	for (unsigned id = 1; id < URIVET_FINDING_LIMIT && bit < NEEDS_BITS; id++)
		if (can_learn(id)) {
			good = good && urivet_policy_waive(&learned->open, id);
			learned->bit[id] = (uint8_t)bit;
			learned->finding[bit++] = (uint16_t)id;
		}
	census_open(&learned->targets, 0);
	census_open(&learned->uses, 0);
	learned->targets.most = learned->uses.most = LEARNED_MOST;
	keyed_seed(learned->seed);
	learned->room = malloc(learned->policy.max_length + sizeof(struct tail));
	return (good && learned->room != NULL) || complain("%s", strerror(ENOMEM));
}

void learned_close(struct learned *learned)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		free(learned->refused[id].example);
	census_free(&learned->targets);
	census_free(&learned->uses);
	free(learned->room);
	free(learned->item);
	free(learned->rule);
	free(learned->seen);
}

/* ---- Collecting --------------------------------------------------------------------------- */

/* Returns true if `public` refuses the URL of which the colon is at this offset. Servers that merge
 * slashes leave one of two, so http:/host counts as a URL. Sets *next to what follows. */
static bool is_refused_url(uint8_t *text, size_t length, size_t colon, size_t *next,
			   const struct urivet_policy *policy)
{
	size_t scheme = colon, rest = colon + 1;
	bool web;

	while (scheme > 0 && is_one_of(text[scheme - 1], SCHEME_CHARS))
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

bool has_refused_url(const struct urivet_policy *public, uint8_t *text, struct octets path)
{
	size_t length = 0;
	bool refused = false;

	while (path.length > 0)
		text[length++] = next_octet(&path);
	for (size_t i = 1, next; i + 1 < length && !refused; i = next) {
		next = i + 1;
		if (text[i] == ':' && text[i + 1] == '/')
			refused = is_refused_url(text, length, i, &next, public);
	}
	return refused;
}

uint32_t prefix_before(const char *path, uint32_t end)
{
	struct urivet_path_rule rule;
	uint32_t length = 1, levels = 0;

	for (uint32_t i = 1; i < end && i < PREFIX_MOST && levels < LEVELS_MOST; i++) {
		if (path[i] != '/')
			continue;
		/* each segment with both slashes is a prefix if the whole is one */
		if (!urivet_path_rule_from(&rule, path + length - 1, i + 2 - length))
			break;
		length = i + 1;
		levels++;
	}
	return length;
}

/* Returns the findings of a report that the base refuses. Lowers *end to the first one in the path. */
static uint64_t needs_of(const struct learned *learned, const struct urivet_report *report,
			 const struct urivet_span *path, uint32_t *end, bool *in_query)
{
	uint64_t needs = 0;

	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];
		/* of "//", the first is before it */
		const uint32_t at = finding->span.offset - path->offset +
				    (finding->id == URIVET_F_PATH_DOUBLE_SLASH);

		if (!urivet_finding_refuses(report, finding, &learned->policy))
			continue;
		needs |= UINT64_C(1) << learned->bit[finding->id];
		*in_query |= finding->component >= URIVET_QUERY; /* or behind it */
		needs |= finding->component == URIVET_FRAGMENT ? NOT_LEARNED : 0;
		if (finding->component != URIVET_QUERY && finding->span.offset >= path->offset &&
		    at < *end)
			*end = at;
	}
	return needs;
}

/* Remembers that a finding was not learned. Only paths are shown, as queries have secrets. */
static bool refuse(struct learned *learned, unsigned id, struct octets path)
{
	struct refused_finding *refused = &learned->refused[id % URIVET_FINDING_LIMIT];

	if (refused->count++ > 0)
		return true;
	refused->example = copy_text(path);
	if (refused->example != NULL)
		mask_secrets((uint8_t *)refused->example, path.length);
	return refused->example != NULL;
}

/* Counts a text with what follows it. */
static bool count(struct learned *learned, struct census *census, struct octets text,
		  struct tail tail)
{
	memcpy(learned->room, text.data, text.length);
	memcpy(learned->room + text.length, &tail, sizeof tail);
	return census_add(census, text_at(learned->room, text.length + sizeof tail),
			  (struct octets){0});
}

bool learned_add(struct learned *learned, struct octets text, struct octets client)
{
	struct urivet_report by_base, opened;
	const struct urivet_report *report = &by_base;
	const struct urivet_finding *other;
	struct octets path;
	struct tail tail = {0};
	bool in_query = false, has_url, accepted;
	uint32_t end;

	judge_url_or_path(&by_base, text, &learned->policy);
	accepted = by_base.verdict == URIVET_ACCEPT;
	learned->judged++;
	learned->accepted += accepted;
	if (!accepted) {
		judge_url_or_path(&opened, text, &learned->open);
		report = &opened;
	}
	other = judge_refusal(report, &learned->open, 0);
	path = part_of(&report->uri, URIVET_PATH, text);
	end = (uint32_t)path.length;
	tail.client = client.length > 0 ? keyed_hash(learned->seed, client) | 1 : 0;
	if (!accepted && (other != NULL || path.length == 0 || path.data[0] != '/')) {
		tail.needs = NOT_LEARNED;
		return refuse(learned, other != NULL ? other->id : URIVET_F_NONE,
			      path.length > 0 ? path : text_of("")) &&
		       count(learned, &learned->uses, text_of("/"), tail);
	}
	if (!accepted) {
		const struct urivet_span *const at = &opened.uri.part[URIVET_PATH];
		tail.needs = needs_of(learned, &by_base, at, &end, &in_query) |
			     needs_of(learned, &opened, at, &end, &in_query);
		has_url = has_refused_url(&learned->inner, learned->room, path);
		tail.needs |= opened.dropped > 0 || has_url ? NOT_LEARNED : 0;
		if ((tail.needs & NOT_LEARNED) != 0 &&
		    !refuse(learned, has_url ? URIVET_F_URL_IN_PATH : URIVET_F_NONE, path))
			return false;
	}
	tail.path = report->uri.part[URIVET_PATH].offset;
	if (path.length == 0 || path.data[0] != '/')
		path = text_of("/");
	tail.prefix = prefix_before((const char *)path.data, end);
	if (!in_query)
		text.length = tail.path + path.length;
	if (!accepted && !count(learned, &learned->targets, text,
				(struct tail){tail.needs, 0, tail.path, tail.prefix}))
		return false;
	learned->nameless += !accepted && client.length == 0;
	return count(learned, &learned->uses, text_at(path.data, tail.prefix),
		     (struct tail){tail.needs, tail.client, 0, 0});
}

/* ---- Items -------------------------------------------------------------------------------- */

/* Returns the first segments of the prefix of an item, with the slash after them. */
static struct octets prefix_of(const struct learned_item *item, unsigned depth)
{
	size_t length = 1;

	for (; depth > 0; length++)
		depth -= item->prefix.data[length] == '/';
	return text_at(item->prefix.data, length);
}

static int order_clients(const void *a, const void *b)
{
	const struct learned_item *x = a, *y = b;

	return x->client != y->client ? (x->client < y->client ? -1 : 1) : 0;
}

/* Prefixes with those below them, in each what needs the same, of these the targets last. */
static int order_items(const void *a, const void *b)
{
	const struct learned_item *x = a, *y = b;
	const int order = text_order(x->prefix, y->prefix);

	if (order != 0 || x->needs != y->needs)
		return order != 0 ? order : x->needs < y->needs ? -1 : 1;
	return text_order(x->text, y->text);
}

static void take_items(struct learned *learned, const struct census *census)
{
	const bool is_target = census == &learned->targets;

	for (size_t i = 0; i < census->entries; i++) {
		struct learned_item *item = &learned->item[learned->items++];
		struct octets key = census_key(census, &census->entry[i]);
		struct tail tail;

		key.length -= sizeof tail;
		memcpy(&tail, key.data + key.length, sizeof tail);
		*item = (struct learned_item){
		    .text = is_target ? key : (struct octets){0},
		    .prefix = is_target ? text_at(key.data + tail.path, tail.prefix) : key,
		    .needs = tail.needs,
		    .left = tail.needs & ~NOT_LEARNED,
		    .client = tail.client,
		    .count = census->entry[i].count};
		for (size_t k = 1; k < item->prefix.length; k++)
			item->depth = (uint8_t)(item->depth + (item->prefix.data[k] == '/'));
	}
}

/* Numbers the client of items. One that sends attacks, and no more else that the base accepts, is not
 * learned from. Returns the number of its last item plus 1. */
static size_t number_client(struct learned *learned, size_t from)
{
	struct learned_item *item = learned->item;
	uint64_t attacks = 0, accepted = 0;
	size_t to = from;

	for (; to < learned->items && item[to].client == item[from].client; to++) {
		attacks += (item[to].needs & NOT_LEARNED) != 0 ? item[to].count : 0;
		accepted += item[to].needs == 0 ? item[to].count : 0;
	}
	const bool is_bad = item[from].client != 0 && attacks > 0 && attacks >= accepted;

	learned->known += item[from].client != 0;
	learned->distrusted += is_bad;
	for (size_t i = from; i < to; i++) {
		item[i].number = item[i].client != 0 ? (uint32_t)learned->known : 0;
		item[i].needs |= is_bad ? NOT_LEARNED : 0;
	}
	return to;
}

/* Makes the array of items from what was counted. Returns false if memory is short. */
static bool make_items(struct learned *learned)
{
	struct learned_item *item;

	learned->item = calloc(learned->targets.entries + learned->uses.entries + 1, sizeof *item);
	if (learned->item == NULL)
		return false;
	take_items(learned, &learned->targets);
	take_items(learned, &learned->uses);
	item = learned->item;
	qsort(item, learned->items, sizeof *item, order_clients);
	for (size_t i = 0, end; i < learned->items; i = end)
		end = number_client(learned, i);
	learned->seen = calloc(learned->known + 1, sizeof *learned->seen);
	qsort(item, learned->items, sizeof *item, order_items);
	for (size_t i = 1; i < learned->items; i++) {
		const struct octets a = item[i - 1].prefix, b = item[i].prefix;

		for (size_t k = 1; k < a.length && k < b.length && a.data[k] == b.data[k]; k++)
			item[i].shared = (uint8_t)(item[i].shared + (a.data[k] == '/'));
	}
	return learned->seen != NULL;
}

/* Returns what the items of a run that need one of these findings have in common; 0: all items.
 * `left`: only items for which there is no rule yet. */
static struct support support_of(struct learned *learned, size_t from, size_t to, uint64_t needs,
				 bool left)
{
	struct support sum = {0};

	learned->now++;
	for (const struct learned_item *item = &learned->item[from]; item < &learned->item[to];
	     item++) {
		sum.rules += item->rule != 0;
		if ((item->needs & NOT_LEARNED) != 0) {
			sum.attacks += item->text.data != NULL && (item->left & ~needs) == 0;
			continue;
		}
		if (needs != 0 && ((left ? item->left : item->needs) & needs) == 0)
			continue;
		if (item->text.data != NULL) {
			sum.targets++;
			continue;
		}
		sum.requests += item->count;
		sum.clients += item->number != 0 && learned->seen[item->number] != learned->now;
		learned->seen[item->number] = learned->now;
	}
	return sum;
}

/* Returns the end of the items that share the first segments of the prefix of an item. */
static size_t end_of_run(const struct learned *learned, size_t from, unsigned depth)
{
	size_t end = from + 1;

	while (end < learned->items && learned->item[end].shared >= depth)
		end++;
	return end;
}

/* ---- Rules ---------------------------------------------------------------------------------- */

/* Makes a rule for a finding in all items of a run, in place of those below its prefix. */
static bool add_rule(struct learned *learned, struct learned_rule rule)
{
	const uint64_t need = UINT64_C(1) << rule.bit;

	if (!grow(&learned->rule, &learned->capacity, learned->rules + 1, sizeof rule))
		return false;
	for (struct learned_item *item = &learned->item[rule.from]; item < &learned->item[rule.to];
	     item++) {
		item->left &= ~need;
		if (item->rule != 0)
			learned->rule[item->rule - 1].to = learned->rule[item->rule - 1].from;
		item->rule = 0;
	}
	learned->rule[learned->rules++] = rule;
	learned->item[rule.from].rule = (uint32_t)learned->rules;
	return true;
}

/* Makes a rule for a finding in a run of items if enough of them need one. */
static bool settle_run(struct learned *learned, struct learned_rule rule)
{
	const uint64_t need = UINT64_C(1) << rule.bit;
	const unsigned share = rule.prefix.length == 1 ? learned->root_share : learned->share;
	const struct support left = support_of(learned, rule.from, rule.to, need, true);
	const bool is_needed =
	    left.targets >= TARGETS_LEAST && left.requests >= TARGETS_LEAST &&
	    left.clients >= learned->clients &&
	    left.requests * 10000 >= learned->all.requests * share &&
	    left.clients * 10000 >=
		support_of(learned, rule.from, rule.to, 0, false).clients * share;

	if (left.attacks > 0 || (!is_needed && (rule.prefix.length == 1 || left.rules < SIBLINGS)))
		return true;
	rule.support = support_of(learned, rule.from, rule.to, need, false);
	return add_rule(learned, rule);
}

/* Makes the rules about a finding, the longest prefixes first. */
static bool make_rules_of(struct learned *learned, unsigned bit)
{
	for (unsigned depth = LEVELS_MOST + 1; depth-- > 0;)
		for (size_t i = 0, end; i < learned->items; i = end) {
			struct learned_rule rule = {.from = i, .bit = bit};

			end = i + 1;
			if (learned->item[i].depth < depth)
				continue;
			end = rule.to = end_of_run(learned, i, depth);
			rule.prefix = prefix_of(&learned->item[i], depth);
			if (!settle_run(learned, rule))
				return false;
		}
	for (size_t i = 0; i < learned->items; i++)
		learned->item[i].rule = 0;
	return true;
}

static int order_rules(const void *a, const void *b)
{
	const struct learned_rule *x = a, *y = b;
	const int order = text_order(x->prefix, y->prefix);

	return order != 0 ? order : (int)x->bit - (int)y->bit;
}

/* Takes a rule away from its items. */
static void put_back(struct learned *learned, const struct learned_rule *rule)
{
	for (size_t i = rule->from; i < rule->to; i++)
		learned->item[i].left |= learned->item[i].needs & UINT64_C(1) << rule->bit;
}

/* Makes all rules, at most RULES_MOST. Returns false if memory is short. */
static bool make_rules(struct learned *learned)
{
	uint64_t needs = 0;
	size_t kept = 0;

	learned->all = support_of(learned, 0, learned->items, 0, false);
	for (size_t i = 0; i < learned->items; i++)
		needs |= learned->item[i].left;
	for (unsigned bit = 0; bit < NEEDS_BITS; bit++)
		if ((needs >> bit & 1) != 0 && !make_rules_of(learned, bit))
			return false;
	for (size_t i = 0; i < learned->rules; i++) {
		const struct learned_rule rule = learned->rule[i];

		if (kept < RULES_MOST && rule.from < rule.to)
			learned->rule[kept++] = rule;
		else
			put_back(learned, &rule);
	}
	learned->rules = kept;
	if (kept > 0)
		qsort(learned->rule, kept, sizeof *learned->rule, order_rules);
	return true;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Writes a prefix and findings as an entry of `paths`, with a text before each line. */
static void write_entry(struct output *out, const struct learned *learned, const char *before,
			struct octets prefix, uint64_t needs)
{
	const char *comma = "";

	emit(out, before, "  - prefix: '");
	for (size_t i = 0; i < prefix.length; i++) {
		if (prefix.data[i] == '\'')
			output_octet(out, '\'');
		output_octet(out, (char)prefix.data[i]);
	}
	emit(out, "'\n", before, "    allow: [");
	for (unsigned bit = 0; bit < NEEDS_BITS; bit++)
		if ((needs >> bit & 1) != 0) {
			emit(out, comma, urivet_finding_info(learned->finding[bit])->name);
			comma = ", ";
		}
	output_string(out, "]\n");
}

/* Writes the path of a target, without secrets. */
static void write_example(struct output *out, const struct learned_item *item)
{
	struct octets path = text_after(item->text, (size_t)(item->prefix.data - item->text.data));
	const uint8_t *query = memchr(path.data, '?', path.length);

	path.length = query != NULL ? (size_t)(query - path.data) : path.length;
	mask_secrets((uint8_t *)(uintptr_t)path.data, path.length);
	emit(out, ", such as ", path, "\n");
}

/* Writes a part of a whole in percent, with two digits after the point. */
static void write_share(struct output *out, uint64_t part, uint64_t all)
{
	const uint64_t share = all > 0 ? part * 10000 / all : 0;

	emit(out, share / 100, share % 100 < 10 ? ".0" : ".", share % 100, " %");
}

/* Writes what requests need a rule, and what it opens. */
static void write_reason(struct output *out, const struct learned *learned,
			 const struct learned_rule *rule)
{
	const struct urivet_finding_row *info = urivet_finding_info(learned->finding[rule->bit]);

	emit(out, "  # ", rule->count, " requests of ", rule->support.clients, " clients, ");
	write_share(out, rule->support.requests, learned->all.requests);
	output_string(out, " of all");
	write_example(out, rule->example);
	emit(out, "  # ", info->name, ": ", prose(info->text),
	     info->id == URIVET_F_PATH_SEMICOLON ? " /admin;x passes rules for /admin/.\n" : "\n");
}

/* Writes the base and the rules, as a policy file. */
static void write_policy(struct output *out, const struct learned *learned)
{
	const struct learned_rule *rule = learned->rule;

	emit(out, "base: ", urivet_policy_name((unsigned)learned->base), "\n");
	if (learned->rules > 0)
		emit(out, "\npaths:\n");
	for (size_t i = 0, end; i < learned->rules; i = end) {
		uint64_t needs = 0;

		for (end = i; end < learned->rules && text_equals(rule[end].prefix, rule[i].prefix);
		     end++) {
			needs |= UINT64_C(1) << rule[end].bit;
			write_reason(out, learned, &rule[end]);
		}
		write_entry(out, learned, "", rule[i].prefix, needs);
	}
}

/* Makes rules of the policy that is written. Returns their number. */
static uint32_t path_rules_of(const struct learned *learned, struct urivet_path_rule made[RULES_MOST])
{
	const struct learned_rule *rule = learned->rule;
	uint32_t count = 0;
	bool good = false;

	for (size_t i = 0; i < learned->rules; i++) {
		const struct octets prefix = rule[i].prefix;

		if (i == 0 || !text_equals(prefix, rule[i - 1].prefix)) {
			good = urivet_path_rule_from(&made[count], (const char *)prefix.data,
						     prefix.length);
			count += good;
		}
		if (good)
			put_in_set(&made[count - 1].waived, learned->finding[rule[i].bit]);
	}
	return count;
}

/* Judges the refused targets by the policy that is written, and counts what it accepts. Returns false
 * if memory is short. */
static bool judge_again(struct learned *learned)
{
	struct urivet_path_rule *made = calloc(RULES_MOST, sizeof *made);
	struct urivet_policy policy = learned->policy;
	struct urivet_report report;

	policy.paths = made;
	policy.path_count = made != NULL ? path_rules_of(learned, made) : 0;
	(void)urivet_policy_finish(&policy, NULL, 0);
	for (size_t i = 0; i < learned->items && made != NULL; i++) {
		struct learned_item *const item = &learned->item[i];

		if (item->text.data == NULL)
			continue;
		judge_url_or_path(&report, item->text, &policy);
		item->accepted = report.verdict == URIVET_ACCEPT;
		learned->by_policy += item->accepted ? item->count : 0;
	}
	free(made);
	return made != NULL;
}

/* Drops the rules that no accepted request needs. */
static void drop_rules(struct learned *learned)
{
	size_t kept = 0;

	for (size_t i = 0; i < learned->rules; i++) {
		struct learned_rule rule = learned->rule[i];

		for (size_t k = rule.from; k < rule.to; k++) {
			const struct learned_item *const item = &learned->item[k];

			if (!item->accepted || (item->needs >> rule.bit & 1) == 0)
				continue;
			rule.example = rule.example != NULL ? rule.example : item;
			rule.count += item->count;
		}
		if (rule.count > 0)
			learned->rule[kept++] = rule;
		else
			put_back(learned, &rule);
	}
	learned->rules = kept;
}

/* ---- What was left out -------------------------------------------------------------------- */

/* Refused targets with the same prefix. */
struct left {
	size_t from;
	const struct learned_item *example;
	uint64_t count;
	uint64_t needs;   /* findings that clients need that are learned from */
	uint64_t missing; /* ... that any client needs */
	struct support support;
};

static int order_left(const void *a, const void *b)
{
	const struct left *x = a, *y = b;

	return x->count != y->count ? (x->count > y->count ? -1 : 1) : x->from < y->from ? -1 : 1;
}

/* Collects what was left out, by prefixes. Returns false if memory is short. */
static bool collect_left(struct learned *learned, struct left **all, size_t *count)
{
	const struct learned_item *const item = learned->item;
	size_t room = 0;

	for (size_t i = 0, end; i < learned->items; i = end) {
		struct left left = {.from = i};

		for (end = i; end < learned->items && text_equals(item[end].prefix, item[i].prefix);
		     end++) {
			if ((item[end].needs & NOT_LEARNED) != 0 || item[end].accepted)
				continue;
			if (item[end].text.data == NULL) {
				left.needs |= item[end].left;
				continue;
			}
			left.example = left.count > 0 ? left.example : &item[end];
			left.count += item[end].count;
			left.missing |= item[end].left;
		}
		if (left.count == 0)
			continue;
		left.support = support_of(learned, i, end, left.missing, true);
		if (!grow(all, &room, *count + 1, sizeof left))
			return false;
		(*all)[(*count)++] = left;
	}
	if (*count > 0)
		qsort(*all, *count, sizeof **all, order_left);
	return true;
}

/* Writes the refused targets with a prefix, why there is no rule, and the rule to add after *head. */
static void write_left(struct output *out, struct learned *learned, const struct left *left,
		       const char **head)
{
	const struct octets prefix = learned->item[left->from].prefix;
	const size_t end = end_of_run(learned, left->from, learned->item[left->from].depth);
	const bool attacks = support_of(learned, left->from, end, left->needs, true).attacks > 0;

	emit(out, "#\n# ", left->count, " requests, ", left->support.targets, " different, of ",
	     left->support.clients, " clients: ",
	     left->missing == 0                         ? "the path leads out of its prefix"
	     : left->needs == 0                         ? "attackers alone"
	     : attacks                                  ? "a rule would accept attacks"
	     : left->support.targets < TARGETS_LEAST    ? "few different requests"
	     : left->support.clients < learned->clients ? "few clients"
							: "a small share");
	write_example(out, left->example);
	if (left->needs == 0 || attacks)
		return;
	for (size_t i = 0; i < learned->rules; i++)
		if (text_equals(learned->rule[i].prefix, prefix)) {
			output_string(out, "# Add this to the rule above:\n");
			break;
		}
	emit(out, prefix.length == 1 ? "# This is for the whole server:\n" : "", *head);
	*head = "";
	write_entry(out, learned, "#", prefix, left->needs);
}

/* Writes what no rule was made for. Returns false if memory is short. */
static bool write_all_left(struct output *out, struct learned *learned)
{
	const char *head = learned->rules > 0 ? "" : "#paths:\n";
	struct left *left = NULL;
	size_t count = 0;
	uint64_t rest = 0;
	const bool good = collect_left(learned, &left, &count);

	if (count > 0)
		output_string(
		    out, "\n# Not learned. Remove the # of a rule to allow what it is about:\n");
	for (size_t i = 0; i < count; i++)
		if (i < LEFT_MOST)
			write_left(out, learned, &left[i], &head);
		else
			rest += left[i].count;
	if (rest > 0)
		emit(out, "#\n# ", rest, " requests below ", count - LEFT_MOST,
		     " more prefixes.\n");
	free(left);
	return good;
}

/* Writes what is never learned. */
static void write_never(struct output *out, const struct learned *learned)
{
	const char *head = "\n# Never learned, and no rule is proposed:\n";

	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (learned->refused[id].count == 0)
			continue;
		emit(out, head, "# ", learned->refused[id].count,
		     " requests: ", info != NULL ? info->name : "other faults", " (",
		     info != NULL ? urivet_class_name(info->class_) : "several", "), such as ",
		     text_of(learned->refused[id].example), "\n");
		head = "";
	}
}

/* Writes "# 12 ..." unless the number is 0. */
static void write_number(struct output *out, uint64_t number, const char *what)
{
	if (number > 0)
		emit(out, "# ", number, " ", what, "\n");
}

/* Writes what was read, what is accepted of it, and what a rule needs. */
static void write_head(struct output *out, const struct learned *learned)
{
	const uint64_t all = learned->judged, accepted = learned->accepted + learned->by_policy;

	emit(out, "# Learned from ", all, " requests. ",
	     urivet_policy_name((unsigned)learned->base), " accepts ", learned->accepted,
	     " of them (");
	write_share(out, learned->accepted, all);
	emit(out, "), this policy ", accepted, " (");
	write_share(out, accepted, all);
	emit(out, ").\n# A rule is needed by ", TARGETS_LEAST, " different requests, by ",
	     learned->clients, " clients (--min-clients), and by ");
	write_share(out, learned->share, 10000);
	output_string(out, "\n# of all requests and of the clients below its prefix (--min-share); "
			   "for the whole server by ");
	write_share(out, learned->root_share, 10000);
	output_string(out, ".\n");
	write_number(out, learned->failed,
		     "others were answered with an error, and not looked at.");
	write_number(out, learned->broken, "records are no requests, or too long.");
	write_number(out, learned->distrusted,
		     "clients are not learned from: they sent more attacks than plain requests.");
	write_number(out, learned->uses.others, "requests were too many to learn from.");
	write_number(out, learned->targets.others,
		     "requests were too many to judge again, and count as refused.");
}

bool learned_write(struct learned *learned, const struct options *options)
{
	struct output out;
	bool good;

	if (!make_items(learned) || !make_rules(learned) || !judge_again(learned))
		return complain("%s", strerror(ENOMEM));
	drop_rules(learned);
	if (options->showing.quiet)
		return true;
	if (!paint_open(&out, COLOUR_NEVER))
		return false;
	write_head(&out, learned);
	write_policy(&out, learned);
	good = write_all_left(&out, learned);
	write_never(&out, learned);
	if (!good)
		out.error = ENOMEM;
	return output_finish(&out) && good;
}
