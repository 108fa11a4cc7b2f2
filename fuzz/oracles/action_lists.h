/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oracles for policies that the command makes: from requests (`policy learn`), whose needs are known,
 * and from lists of other programs (`policy import`), whose names are. Included by fuzz_actions.c.
 */
#ifndef ACTION_LISTS_H
#define ACTION_LISTS_H

/* ---- learn -------------------------------------------------------------------------------- */

#define REQUESTS_MOST 48u
#define PREFIXES_MOST 512u

/* A request whose need is known: what each of its spellings needs below its prefix. */
struct asked {
	char path[96];
	size_t prefix;     /* octets of the path up to the segment with the fault */
	uint32_t needs;    /* bits of `waivers` */
	bool learnable, accepted, failed, broken;
};

/* A finding that is to be waived below a prefix. */
struct waived_below {
	char prefix[96];
	uint32_t waiver, targets, requests;
	uint32_t in[REQUESTS_MOST]; /* the requests that are counted here */
	bool rule, useful, learned;
};

static struct waived_below places[PREFIXES_MOST];
static uint32_t place_count;

static struct waived_below *place_at(const char *path, size_t length, uint32_t waiver)
{
	for (uint32_t k = 0; k < place_count; k++)
		if (places[k].waiver == waiver && strlen(places[k].prefix) == length &&
		    memcmp(places[k].prefix, path, length) == 0)
			return &places[k];
	struct waived_below *const p = &places[place_count];
	oracle(place_count + 1 < PREFIXES_MOST, "there are so many prefixes");
	place_count++;
	memset(p, 0, sizeof *p);
	memcpy(p->prefix, path, length);
	p->waiver = waiver;
	return p;
}

/* Returns the length of the prefix above, 1 for the root. */
static size_t above(const char *prefix, size_t length)
{
	while (length > 1 && prefix[--length - 1] != '/')
		continue;
	return length;
}

/* Finds the rules by counting, from the longest prefixes to the root: three targets and the share make a rule,
 * fewer go to the prefix above; four rules below a prefix become one, and any below one that has a rule. */
static void learn_naively(const struct asked *asked, uint32_t count, uint64_t all, uint32_t share)
{
	place_count = 0;
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t w = 0; w < COUNT(waivers) && asked[k].learnable; w++) {
			struct waived_below *p;
			bool again = false;
			if ((asked[k].needs >> w & 1) == 0)
				continue;
			p = place_at(asked[k].path, asked[k].prefix, w);
			p->requests++;
			for (uint32_t i = 0; i < p->targets; i++)
				again = again || strcmp(asked[p->in[i]].path, asked[k].path) == 0;
			if (!again)
				p->in[p->targets++] = k;
		}
	for (size_t length = sizeof asked->path; length > 0; length--) {
		const uint64_t least = length > 1 ? all * share : all * (share * 10 < 10000 ? share * 10 : 10000);
		for (uint32_t k = 0; k < place_count; k++)
			if (strlen(places[k].prefix) == length)
				places[k].rule = places[k].targets >= 3 && places[k].requests * UINT64_C(10000) >= least;
		for (uint32_t k = 0; k < place_count; k++) { /* with those below */
			const struct waived_below one = places[k];
			uint32_t below_it = 0;
			bool there = false;
			if (!one.rule || strlen(one.prefix) < length || one.prefix[length - 1] != '/')
				continue;
			for (uint32_t i = 0; i < place_count; i++) {
				const bool alike = places[i].rule && places[i].waiver == one.waiver &&
						   memcmp(places[i].prefix, one.prefix, length) == 0;
				below_it += alike && strlen(places[i].prefix) > length;
				there = there || (alike && strlen(places[i].prefix) == length);
			}
			if (!there && (length == 1 || below_it < 4))
				continue;
			for (uint32_t i = 0; i < place_count; i++)
				if (places[i].waiver == one.waiver && strlen(places[i].prefix) > length &&
				    memcmp(places[i].prefix, one.prefix, length) == 0)
					places[i].rule = false;
			place_at(one.prefix, length, one.waiver)->rule = true;
		}
		for (uint32_t k = 0; k < place_count; k++) {
			struct waived_below *const p = &places[k];
			if (strlen(p->prefix) != length || p->rule || length == 1)
				continue;
			struct waived_below *const up = place_at(p->prefix, above(p->prefix, length), p->waiver);
			for (uint32_t i = 0; i < p->targets; i++)
				up->in[up->targets++] = p->in[i];
			up->requests += p->requests;
			p->targets = p->requests = 0;
		}
	}
}

/* Returns the rule of a place that is about a request, or NULL. */
static struct waived_below *rule_about(const struct asked *a, uint32_t waiver)
{
	for (uint32_t k = 0; k < place_count; k++)
		if (places[k].rule && places[k].waiver == waiver && strncmp(a->path, places[k].prefix, strlen(places[k].prefix)) == 0)
			return &places[k];
	return NULL;
}

/* Marks the rules that requests need which all their rules together accept. Returns their number. */
static uint32_t mark_useful(const struct asked *asked, uint32_t count)
{
	uint32_t useful = 0;
	for (uint32_t k = 0; k < count; k++) {
		bool all = asked[k].learnable;
		for (uint32_t w = 0; w < COUNT(waivers); w++)
			all = all && ((asked[k].needs >> w & 1) == 0 || rule_about(&asked[k], w) != NULL);
		for (uint32_t w = 0; w < COUNT(waivers) && all; w++)
			if ((asked[k].needs >> w & 1) != 0) {
				useful += !rule_about(&asked[k], w)->useful;
				rule_about(&asked[k], w)->useful = true;
			}
	}
	return useful;
}

static void ask(struct asked *a, struct dice *d, const struct urivet_loaded *base, uint32_t mostly)
{
	static const char *const hostile[] = {"k%00", "k%0d%0aX", "k%2Fk%0A"};
	const uint32_t depth = below(d, 4), drawn = below(d, 8), spread = 1 + below(d, 5);
	const uint32_t kind = drawn >= 2 && mostly >= 2 ? mostly : drawn;
	struct urivet_report r;
	size_t used = (size_t)snprintf(a->path, sizeof a->path, "/");
	for (uint32_t k = 0; k < depth; k++)
		used += (size_t)snprintf(a->path + used, sizeof a->path - used, "%c%u/", 'a' + (char)k, below(d, spread));
	a->prefix = used;
	a->needs = 0;
	used += (size_t)snprintf(a->path + used, sizeof a->path - used, "f%u", below(d, 6));
	for (uint32_t k = 0; k < COUNT(waivers) && kind >= 2; k++)
		if (k == (kind - 2) % COUNT(waivers) || (k < 2 && below(d, 8) == 0)) {
			used += (size_t)snprintf(a->path + used, sizeof a->path - used, "%s", waivers[k].path);
			a->needs |= waivers[k].id == URIVET_F_LATIN1_ESCAPE ? 3u << k : 1u << k; /* Latin-1 is no UTF-8 either */
		}
	if (kind == 1)
		snprintf(a->path + used, sizeof a->path - used, "%s", ONE_OF(d, hostile));
	a->accepted = verdict_by(base, a->path, &r) == URIVET_ACCEPT;
	a->learnable = kind >= 2;
	a->failed = below(d, 16) == 0;
	a->broken = !a->failed && below(d, 16) == 0;
}

static size_t write_asked(char *text, size_t room, const struct asked *a, uint32_t form)
{
	static const char *const forms[] = {
	    "@\n", "GET @ HTTP/1.1\n", "127.0.0.1 - - [28/Nov/2026:00:00:00 +0000] \"GET @ HTTP/1.1\" 200 12 \"-\" \"x\"\n",
	    "h - - [x] \"POST @ HTTP/2.0\" 302 0\n"};
	if (a->broken)
		return (size_t)snprintf(text, room, "%s", form == 0 ? "none\n" : "x - \"-\" 400 0\n");
	if (a->failed)
		return (size_t)snprintf(text, room, "h - - [x] \"GET %s HTTP/1.1\" %s 0\n", a->path,
					form == 0 ? "404" : "500");
	if (form < COUNT(forms))
		return put_form(text, room, forms[form], a->path);
	char escaped[3 * sizeof a->path]; /* as servers write octets that are no text */
	size_t used = 0;
	for (const char *at = a->path; *at != '\0'; at++)
		used += (size_t)snprintf(escaped + used, sizeof escaped - used, *at == '%' ? "\\x25" : "%c", *at);
	return put_form(text, room, forms[2], escaped);
}

/* Returns the number in the line that has the text after it, 0 if there is none. */
static uint32_t number_before(struct octets text, const char *what)
{
	struct octets line;
	while (take_line(&text, &line)) {
		const uint8_t *const at = memmem(line.data, line.length, what, strlen(what));
		const char *from = (const char *)at;
		if (at == NULL)
			continue;
		while (from > (const char *)line.data && from[-1] >= '0' && from[-1] <= '9')
			from--;
		return number_at(&from);
	}
	return 0;
}

/* Marks the rules that the policy has. Returns their number. */
static uint32_t take_rules(void)
{
	struct octets rest = done.out, line, prefix = {NULL, 0};
	uint32_t count = 0;
	for (uint32_t k = 0; k < place_count; k++)
		places[k].learned = false;
	while (take_line(&rest, &line)) {
		if (begins_with(line, "  - prefix: '"))
			prefix = (struct octets){line.data + 13, line.length - 14};
		if (!begins_with(line, "    allow: ["))
			continue;
		line = (struct octets){line.data + 12, line.length - 13};
		while (line.length > 0) {
			const uint8_t *const comma = memchr(line.data, ',', line.length);
			const struct octets name = {line.data, comma != NULL ? (size_t)(comma - line.data) : line.length};
			struct waived_below *found = NULL;
			line = text_after(line, comma != NULL ? name.length + 2 : name.length);
			for (uint32_t k = 0; k < place_count; k++)
				if (says(prefix, places[k].prefix) &&
				    says(name, urivet_finding_info(waivers[places[k].waiver].id)->name))
					found = &places[k];
			expect(found != NULL && found->useful, "a rule that is learned has three targets, and the share");
			expect(!found->learned, "a rule is learned once");
			found->learned = true;
			count++;
		}
	}
	return count;
}

static void expect_learned(struct dice *d)
{
	static const char *const shares[] = {"--min-share=0", "--min-share=5", "--min-share=20%", "--min-share=1"};
	static const uint32_t hundredths[] = {0, 500, 2000, 100};
	static struct asked asked[REQUESTS_MOST];
	static char input[REQUESTS_MOST * 256];
	const uint32_t count = 1 + below(d, REQUESTS_MOST), form = below(d, 5), share = below(d, COUNT(shares)), mostly = below(d, 8);
	struct urivet_loaded *base = urivet_load_built_in((int)below(d, URIVET_BASES)), *loaded;
	uint32_t all = 0, accepted = 0, hostile = 0, failed = 0, broken = 0, by_policy = 0, rules, said;
	struct urivet_report r;
	char option[64];
	size_t length = 0;
	for (uint32_t k = 0; k < count; k++) {
		ask(&asked[k], d, base, mostly);
		length += write_asked(input + length, sizeof input - length, &asked[k], form);
		failed += asked[k].failed;
		broken += asked[k].broken;
		asked[k].learnable = asked[k].learnable && !asked[k].failed && !asked[k].broken;
		if (asked[k].failed || asked[k].broken)
			continue;
		accepted += asked[k].accepted;
		all += asked[k].accepted || asked[k].learnable;
		hostile += !asked[k].accepted && !asked[k].learnable;
		oracle(!asked[k].accepted || asked[k].needs == 0, "every base refuses what is to be learned");
	}
	if (form >= 2 && hostile > 0 && hostile >= accepted) /* of one client, which attacks */
		for (uint32_t k = 0; k < count; k++)
			asked[k].learnable = false;
	learn_naively(asked, count, all, hundredths[share]);
	rules = mark_useful(asked, count);
	snprintf(option, sizeof option, "--base=%s", urivet_policy_name((unsigned)urivet_loaded_base(base)));
	const char *const words[] = {"learn", "--input=-", "--min-clients=0", shares[share], option, NULL};
	act(words, text_at("", 0), text_at(input, length));
	if (broken == count) {
		expect(done.status == STATUS_TROUBLE, "no requests are an error");
		urivet_loaded_release(base);
		return;
	}
	expect(done.status == STATUS_ACCEPTED, "requests are learned from");
	expect(number_before(done.out, " requests. ") == all + hostile, "requests are counted");
	expect(number_before(done.out, " of them (") == accepted, "requests that the base accepts are counted");
	expect(number_before(done.out, " others were answered") == failed, "requests with an error are not learned from");
	expect(number_before(done.out, " records are no requests") == broken, "records without a request are counted");
	expect(take_rules() == rules, "each rule that is needed is learned");
	const struct octets text = copy_of_output();
	const char *from = strstr((const char *)text.data, "this policy ");
	expect(from != NULL, "the policy says what it accepts");
	from += strlen("this policy ");
	said = number_at(&from);
	loaded = urivet_load_text(text.data, text.length, "learned", show_fault, NULL);
	expect(loaded != NULL && urivet_loaded_base(loaded) == urivet_loaded_base(base), "what is learned is a policy");
	for (uint32_t k = 0; k < count; k++) {
		const bool good = verdict_by(loaded, asked[k].path, &r) == URIVET_ACCEPT;
		if (asked[k].failed || asked[k].broken)
			continue;
		by_policy += good;
		expect(!good || asked[k].accepted || asked[k].needs != 0, "no attack is accepted");
	}
	expect(by_policy == said, "what a policy is said to accept, it accepts");
	urivet_loaded_release(loaded);
	urivet_loaded_release(base);
	free_copy(text);
}

/* ---- import ------------------------------------------------------------------------------- */

enum list { LIST_HOSTS, LIST_DENIED, LIST_ALLOWED, LIST_CSP, LISTS };

/* Writes a list of names, and checks which names the policy that is made of it refuses. */
static void expect_imported(struct dice *d)
{
	static const char *const from[] = {"--from=hosts", "--from=smokescreen", "--from=smokescreen",
					   "--from=csp"};
	static const char *const forms[LISTS] = {"0.0.0.0 @ # m.n12.example.com\n", "- @\n", "- @\n", " @"};
	static const char *const scopes[] = {"", ".", "*."};
	static const char *const noise[LISTS][4] = {
	    {"# a b\n", "127.0.0.1 localhost\n", "10.1.2.3 there.example.com\n", "\n"},
	    {"# - x.example.com\n", "other:\n- n12.example.com\nglobal_deny_list:\n", "\n", "- 10.0.0.0/8\n"},
	    {"# - x.example.com\n", "other:\n- n12.example.com\nallowed_domains:\n", "\n", "\n"},
	    {" 'self'", " https:", " x:* ", " 'unsafe-inline'"}};
	const enum list list = (enum list)below(d, LISTS);
	const uint32_t count = 1 + below(d, 10);
	const bool allows = list >= LIST_ALLOWED;
	struct urivet_loaded *loaded;
	struct {
		char text[64], name[64];
		const char *scope;
	} entry[10];
	static char input[4096];
	size_t length = (size_t)snprintf(input, sizeof input, "%s",
					 list == LIST_DENIED	? "global_deny_list:\n"
					 : list == LIST_ALLOWED ? "allowed_domains:\n"
					 : list == LIST_CSP	? "connect-src"
								: "");
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t number = below(d, 12);
		entry[k].scope = list == LIST_HOSTS ? "" : list == LIST_CSP ? scopes[2 * below(d, 2)] : ONE_OF(d, scopes);
		snprintf(entry[k].name, sizeof entry[k].name, "%sn%u.example.com", below(d, 4) == 0 ? "m." : "", number);
		snprintf(entry[k].text, sizeof entry[k].text, "%s%s", entry[k].scope, entry[k].name);
		if (below(d, 4) == 0)
			length += (size_t)snprintf(input + length, sizeof input - length, "%s", noise[list][below(d, 4)]);
		length += put_form(input + length, sizeof input - length, forms[list], entry[k].text);
	}
	length += (size_t)snprintf(input + length, sizeof input - length, "\n");
	const char *const words[] = {"import", from[list], "-", NULL};
	act(words, text_at("", 0), text_at(input, length));
	expect(done.status == STATUS_ACCEPTED, "a list is imported");
	const struct octets text = copy_of_output();
	loaded = urivet_load_text(text.data, text.length, "imported", show_fault, NULL);
	expect(loaded != NULL, "what is imported is a policy");
	for (uint32_t k = 0; k < 26; k++) {
		char name[96], url[128];
		struct urivet_report r;
		bool listed = false;
		snprintf(name, sizeof name, "%s%sn%u.example.com", k >= 13 && below(d, 2) == 0 ? "x." : "",
			 below(d, 3) == 0 ? "m." : "", k % 13);
		for (uint32_t i = 0; i < count; i++) {
			const size_t size = strlen(entry[i].name), whole = strlen(name);
			const bool same_name = strcmp(name, entry[i].name) == 0,
				   inside = whole > size && strcmp(name + whole - size, entry[i].name) == 0 &&
					    name[whole - size - 1] == '.';
			listed = listed || (same_name && entry[i].scope[0] != '*') || (inside && entry[i].scope[0] != '\0');
		}
		snprintf(url, sizeof url, "https://%s/", name);
		expect((urivet_check(&r, url, strlen(url), urivet_loaded_policy(loaded)) == URIVET_ACCEPT) == (listed == allows),
		       "an imported policy refuses what the list denies, or does not allow");
	}
	urivet_loaded_release(loaded);
	free_copy(text);
}

#endif
