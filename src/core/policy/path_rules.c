/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for paths below a prefix. */
#include "policy/path_rules.h"

#include "text/words.h"
#include "uri/uri.h"

/* ---- Parsing ------------------------------------------------------------------------ */

/* The octets of a prefix, and those that its triplets may encode, which are compared as received:
 * none that has another spelling, and no semicolon, as servers cut a path there. */
#define PREFIX                                                                                     \
	(UNRESERVED | PLAINSUB | APOSTROPHE | AMPERSAND | PLUS | EQUALS | COLON | AT | SLASH)
#define ENCODED                                                                                    \
	(~(uint32_t)(UNRESERVED | SEMICOLON | QUESTION | HASH | PERCENT | BACKSLASH | TAB | CRLF | \
		     CONTROL))

/* Returns the offset after a list of methods and the space that ends it, 0 if the text begins with
 * its path. Returns t.end for anything else. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= t.end; */
static uint32_t end_of_methods(struct text t)
{
	uint32_t at = 0;
	if (octet(t, 0) == '/')
		return 0;
	/*@ loop invariant at <= t.end;
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = skip(t, at, ALNUM | HYPHEN);
		if (end == at)
			return t.end;
		if (octet(t, end) == ' ')
			return end + 1;
		if (octet(t, end) != ',')
			return t.end;
		at = end + 1;
	}
	return t.end;
}

/* Returns true if the text from `at` on, where its first slash is, may be a prefix: no segment is
 * empty but the last, or ends in a dot or space, also for readers that decode. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing; */
static bool is_prefix(struct text t, uint32_t at)
{
	unsigned last = '/';
	at++;
	/*@ loop invariant at <= t.end;
	    loop assigns at, last;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit u = decode(t, at);
		if ((urivet_kinds[u.value] & (u.escaped ? ENCODED : PREFIX)) == 0 ||
		    (u.value == '*' && !u.escaped) ||
		    (u.value == '/' && (last == '/' || last == '.' || last == ' ')))
			return false;
		last = u.value;
		at = u.next;
	}
	return last != '.' && last != ' ';
}

bool urivet_read_path_rule(struct text t, struct urivet_path_rule *rule)
{
	static const struct urivet_path_rule none;
	const uint32_t at = end_of_methods(t);
	const uint32_t last = t.end > at && octet(t, t.end - 1) == '$' ? t.end - 1 : t.end;
	*rule = none;
	rule->length = t.end;
	rule->path = at;
	rule->path_length = last - at;
	rule->exact = last < t.end;
	return octet(until(t, last), at) == '/' && is_prefix(until(t, last), at);
}

/*@ requires \valid(rule);
    assigns *rule; */
bool urivet_path_rule_from(struct urivet_path_rule *rule, const char *text, size_t length)
{
	struct urivet_path_rule r;
	if (text == NULL || length > URIVET_PATH_RULE_MOST ||
	    !urivet_read_path_rule(text_of(text, (uint32_t)length), &r))
		return false;
	r.text = text;
	*rule = r;
	return true;
}

/* ---- Validity of the rules ------------------------------------------------------------ */

/* Returns true if a path rule can waive the finding. */
/*@ assigns \nothing; */
static bool path_rule_may_waive(unsigned id)
{
	const uint64_t host = urivet_below_bit(URIVET_F_HOST_EMPTY) |
			      urivet_below_bit(URIVET_F_HOST_NOT_ALLOWED);
	return (urivet_below_bit(id) & ~host) != 0;
}

/*@ requires \valid_read(r);
    assigns \nothing; */
static bool waives_for_paths(const struct urivet_path_rule *r)
{
	/*@ loop invariant id <= URIVET_FINDING_LIMIT;
	    loop assigns id;
	    loop variant URIVET_FINDING_LIMIT - id; */
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (in_set(&r->waived, id) && !path_rule_may_waive(id))
			return false;
	return true;
}

/* Returns true if the rule says the same as what was read from its text. */
/*@ requires \valid_read(r) && \valid_read(read);
    assigns \nothing; */
static bool is_same_path_rule(const struct urivet_path_rule *r, const struct urivet_path_rule *read)
{
	return r->length == read->length && r->path == read->path &&
	       r->path_length == read->path_length && r->exact == read->exact &&
	       (r->scope & ~URIVET_SCOPE_RELATIVE) == 0 && r->strips <= 1 &&
	       (r->reserved[0] | r->reserved[1] | r->reserved[2] | r->reserved[3] |
	        r->reserved[4]) == 0;
}

bool urivet_paths_mean(const struct urivet_policy *policy, bool compiled)
{
	if (!has_path_rules(policy))
		return true;
	/*@ loop invariant k <= policy->path_count;
	    loop assigns k;
	    loop variant policy->path_count - k; */
	for (uint32_t k = 0; k < policy->path_count; k++) {
		const struct urivet_path_rule *r = path_rule_at(policy, k);
		struct urivet_path_rule read;
		if (!is_text_known(r->scope, compiled) ||
		    !urivet_read_path_rule(path_rule_text(r), &read) ||
		    !is_same_path_rule(r, &read) || !waives_for_paths(r))
			return false;
	}
	return true;
}

/* ---- Which rules cover a path --------------------------------------------------------- */

/* Returns the offset after the prefix if the path begins with these octets, else 0. */
/*@ requires readable(p.t) && p.start <= p.t.end && \valid_read(rule);
    assigns \nothing;
    ensures \result == 0 || p.start < \result <= p.t.end; */
static uint32_t after_prefix(const struct urivet_path_rule *rule, struct path_asked p)
{
	const struct text text = path_rule_text(rule);
	uint32_t k = 0;
	if (rule->path > text.end || rule->path_length > text.end - rule->path ||
	    rule->path_length == 0 || rule->path_length > p.t.end - p.start)
		return 0;
	/*@ loop invariant k <= rule->path_length;
	    loop assigns k;
	    loop variant rule->path_length - k; */
	while (k < rule->path_length && octet(p.t, p.start + k) == octet(text, rule->path + k))
		k++;
	return k == rule->path_length ? p.start + k : 0;
}

uint32_t urivet_path_rule_covers(const struct urivet_path_rule *rule, struct path_asked p)
{
	const uint32_t after = after_prefix(rule, p);
	if (after == 0 || (rule->exact == 1 && (after < p.t.end || !p.ends)))
		return 0;
	return after == p.t.end || octet(p.t, after - 1) == '/' || octet(p.t, after) == '/' ? after
											     : 0;
}

uint32_t urivet_path_rule_strips(const struct urivet_path_rule *rule, struct path_asked p)
{
	return after_prefix(rule, p);
}

/* Returns true if the rule has no methods, or the request's among them. */
/*@ requires \valid_read(rule) && readable(method);
    assigns \nothing; */
static bool has_method(const struct urivet_path_rule *rule, struct text method)
{
	const struct text text = until(path_rule_text(rule), rule->path);
	uint32_t at = 0;
	if (text.end == 0)
		return true;
	if (method.end == 0)
		return false;
	/*@ loop invariant at <= text.end + 1;
	    loop assigns at;
	    loop variant text.end + 1 - at; */
	while (at < text.end) {
		const uint32_t stop = skip(text, at, ALNUM | HYPHEN);
		uint32_t k = 0;
		/*@ loop invariant k <= method.end;
		    loop assigns k;
		    loop variant method.end - k; */
		while (k < method.end && octet(until(text, stop), at + k) == octet(method, k))
			k++;
		if (k == method.end && at + k == stop)
			return true;
		at = stop + 1;
	}
	return false;
}

/* ---- Paths that lead out of a prefix ---------------------------------------------------- */

/* Reads the unit at `at`, decoded as often as possible. Its value is AT_END where readers that
 * decode more than once may differ about it. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing;
    ensures at < \result.next <= t.end; */
static struct unit decoded_fully(struct text t, uint32_t at)
{
	struct unit u = {.value = octet(t, at), .next = at + 1};
	uint32_t k = at + 1;
	if (u.value != '%')
		return u;
	/*@ loop invariant at < k <= t.end;
	    loop assigns k;
	    loop variant t.end - k; */
	while (octet(t, k) == '2' && octet(t, k + 1) == '5')
		k += 2;
	if (is(t, k, HEXDIG) && is(t, k + 1, HEXDIG)) {
		u.value = hex_value(octet(t, k)) * 16 + hex_value(octet(t, k + 1));
		u.next = k + 2;
		return u;
	}
	if (k == at + 1 || is(t, k, PERCENT) || (is(t, k, HEXDIG) && is(t, k + 1, PERCENT)))
		u.value = AT_END;
	u.next = k;
	return u;
}

bool urivet_leads_out(struct text t, uint32_t at)
{
	bool dots = false, other = false, named = false;
	/*@ loop invariant at <= t.end;
	    loop assigns at, dots, other, named;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit u = decoded_fully(t, at);
		if (u.value == AT_END)
			return true;
		at = u.next;
		if (u.value == '/' || u.value == '\\') {
			if (dots && !other)
				return true;
			dots = false;
			other = false;
			named = false;
		} else if (u.value == ';' || u.value == '?' || u.value == '#' ||
			   u.value == 0) {
			named = true;
		} else if (!named && u.value == '.') {
			dots = true;
		} else if (!named && u.value > ' ' && u.value != 0x7F) {
			other = true;
		}
	}
	return dots && !other;
}

/* ---- Waivers ------------------------------------------------------------------------ */

/* Returns true if the rule waives anything for the path. */
/*@ requires readable(p.t) && p.start <= p.t.end && readable(p.method) && \valid_read(rule);
    assigns \nothing; */
static bool applies_to(const struct urivet_path_rule *rule, struct path_asked p)
{
	const uint32_t after = rule->strips == 0 ? urivet_path_rule_covers(rule, p) : 0;
	return after > 0 && has_method(rule, p.method) && !urivet_leads_out(p.t, after);
}

const struct urivet_path_rule *urivet_path_rule_for(const struct urivet_policy *policy,
						    struct path_asked p, uint64_t *waived)
{
	const struct urivet_path_rule *best = NULL;
	/*@ loop invariant k <= policy->path_count;
	    loop invariant best == \null || \valid_read(best);
	    loop assigns k, best, *waived;
	    loop variant policy->path_count - k; */
	for (uint32_t k = 0; k < policy->path_count; k++) {
		const struct urivet_path_rule *rule = path_rule_at(policy, k);
		if (!applies_to(rule, p))
			continue;
		*waived |= urivet_below_bits(&rule->waived);
		if (best == NULL || rule->path_length > best->path_length)
			best = rule;
	}
	return best;
}
