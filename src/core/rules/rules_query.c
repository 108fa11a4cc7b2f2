/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the query with its keys and values, and about the fragment. */
#include "policy/policy.h"
#include "rules/rules.h"
#include "text/words.h"
#include "uri/unescape.h"

#define MAX_KEYS   32
#define LONG_VALUE 100

#define SECRET(word) {sizeof(word) - 1, false, word}
#define SHARED(word) {sizeof(word) - 1, true, word}

/* Query keys that carry credentials, sorted by first letter and length. `shared` keys are
 * signatures, invitations and the like: part of a link that is meant to be passed on. */
static const struct {
	uint8_t length;
	bool shared;
	char name[21];
} secret_keys[] = {
    SECRET("auth"),
    SECRET("apikey"),
    SECRET("api-key"),
    SECRET("api_key"),
    SECRET("api_token"),
    SECRET("access_key"),
    SECRET("auth_token"),
    SECRET("access_token"),
    SECRET("client_secret"),
    SHARED("invite"),
    SECRET("id_token"),
    SHARED("invitation"),
    SECRET("jwt"),
    SECRET("jsessionid"),
    SHARED("pwd"),
    SECRET("passwd"),
    SECRET("password"),
    SECRET("phpsessid"),
    SECRET("private_token"),
    SECRET("refresh_token"),
    SECRET("sid"),
    SHARED("sig"),
    SECRET("secret"),
    SECRET("session"),
    SECRET("sessionid"),
    SHARED("signature"),
    SECRET("secret_key"),
    SECRET("session_id"),
    SECRET("session_token"),
    SECRET("token"),
    SECRET("x-api-key"),
    SHARED("x-amz-signature"),
    SHARED("x-amz-credential"),
    SHARED("x-goog-signature"),
    SHARED("x-goog-credential"),
    SHARED("x-amz-security-token"),
};

#define SECRET_KEYS (sizeof(secret_keys) / sizeof(secret_keys[0]))

/* The length of the shortest of them. Decoding makes keys shorter only. */
#define SHORTEST_SECRET 3

/* Returns the index of the first key that begins with the octet, or SECRET_KEYS. This alone rules
 * out most keys. */
/*@ assigns \nothing;
    ensures \result <= SECRET_KEYS; */
static unsigned first_secret_key(unsigned c)
{
	switch (c) {
	case 'a':
		return 0;
	case 'c':
		return 8;
	case 'i':
		return 9;
	case 'j':
		return 12;
	case 'p':
		return 14;
	case 'r':
		return 19;
	case 's':
		return 20;
	case 't':
		return 29;
	case 'x':
		return 30;
	default:
		return SECRET_KEYS;
	}
}

/* Same as is_word(), but decodes the text. */
/*@ requires readable(t) && \valid_read(word + (0 .. size - 1)) && size <= 128;
    assigns \nothing; */
static bool is_decoded_word(struct text t, uint32_t at, const char *word, uint32_t size)
{
	/*@ loop invariant i <= size;
	    loop assigns i, at;
	    loop variant size - i; */
	for (uint32_t i = 0; i < size && word[i] != '\0'; i++) {
		const struct unit u = decode(t, at);
		if (lower(u.value) != (unsigned char)word[i])
			return false;
		at = u.next;
	}
	return at >= t.end;
}

/* Returns true if the key, all of t from `at` on, is that of the row. `decodes`: compare the
 * decoded key, as programs that parse forms do. */
/*@ requires readable(t) && at <= t.end && row < SECRET_KEYS;
    assigns \nothing; */
static bool is_secret_of_row(struct text t, uint32_t at, bool decodes, unsigned row)
{
	if (decodes)
		return is_decoded_word(t, at, secret_keys[row].name, sizeof secret_keys[row].name);
	return t.end - at == secret_keys[row].length && is_word(t, at, secret_keys[row].name);
}

/* Returns the row of the key that is the whole of t from `at` on, or SECRET_KEYS. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result <= SECRET_KEYS; */
static unsigned row_of_key(struct text t, uint32_t at, bool decodes)
{
	const unsigned first = lower(decodes ? decode(t, at).value : octet(t, at));
	/*@ loop invariant 0 <= k <= SECRET_KEYS;
	    loop assigns k;
	    loop variant SECRET_KEYS - k; */
	for (unsigned k = first_secret_key(first);
	     k < SECRET_KEYS && first == (unsigned char)secret_keys[k].name[0] &&
	     secret_keys[k].length <= t.end - at;
	     k++)
		if (is_secret_of_row(t, at, decodes, k))
			return k;
	return SECRET_KEYS;
}

/* Returns true if the value begins with LONG_VALUE or more letters and digits once decoded. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH + 1;
    assigns \nothing; */
static bool is_long_value(struct text t, uint32_t at)
{
	uint32_t count = 0;
	/*@ loop invariant count <= LONG_VALUE;
	    loop assigns count, at;
	    loop variant LONG_VALUE - count; */
	while (count < LONG_VALUE) {
		const struct unit u = decode(t, at);
		if (u.value == AT_END ||
		    (urivet_kinds[u.value] & (ALNUM | HYPHEN | UNDERSCORE | PLUS)) == 0)
			return false;
		at = u.next;
		count++;
	}
	return true;
}

/* Checks one pair: key [ "=" value ]. Pairs are separated by "&". The pair is t from `at` on; its
 * key ends at `equals`. */
/*@ requires readable(pair) && at <= equals <= URIVET_MAX_LENGTH && 0 <= c < URIVET_COMPONENTS;
    ADDS_FINDINGS(s); */
static void pair_rules(struct subject *s, enum urivet_component c, struct text pair, uint32_t at,
		       uint32_t equals)
{
	const unsigned row = equals < pair.end && equals - at >= SHORTEST_SECRET
				 ? row_of_key(until(pair, equals), at, has_triplets(s, c))
				 : SECRET_KEYS;
	if (row < SECRET_KEYS && c != URIVET_QUERY)
		urivet_add(s, URIVET_F_FRAGMENT_SECRET, c, at, pair.end);
	else if (row < SECRET_KEYS)
		urivet_add(s,
			   secret_keys[row].shared ? URIVET_F_QUERY_SHARED_TOKEN
						   : URIVET_F_QUERY_SECRET,
			   c, at, pair.end);
	if (c == URIVET_QUERY && is_on(s->policy, URIVET_F_QUERY_EXFILTRATION) &&
	    is_long_value(pair, equals + 1))
		urivet_add(s, URIVET_F_QUERY_EXFILTRATION, c, at, pair.end);
}

/*@ requires readable(t) && inside(a, URIVET_MAX_LENGTH) && inside(b, URIVET_MAX_LENGTH);
    assigns \nothing; */
static bool same_octets(struct text t, struct urivet_span a, struct urivet_span b)
{
	uint32_t k = 0;
	if (a.length != b.length)
		return false;
	/*@ loop invariant 0 <= k <= a.length;
	    loop assigns k;
	    loop variant a.length - k; */
	while (k < a.length && octet(t, a.offset + k) == octet(t, b.offset + k))
		k++;
	return k == a.length;
}

/* Returns true if the two are the same once decoded. */
/*@ requires readable(t) && inside(a, URIVET_MAX_LENGTH) && inside(b, URIVET_MAX_LENGTH);
    assigns \nothing; */
static bool same_decoded(struct text t, struct urivet_span a, struct urivet_span b)
{
	const struct text x = within(t, a), y = within(t, b);
	uint32_t at = a.offset, other = b.offset;
	struct unit u = decode(x, at), v = decode(y, other);
	/*@ loop invariant u.value <= AT_END && v.value <= AT_END;
	    loop invariant decoded(x, at, u) && decoded(y, other, v);
	    loop assigns at, other, u, v;
	    loop variant x.end - at; */
	while (u.value < AT_END && u.value == v.value) {
		at = u.next;
		other = v.next;
		u = decode(x, at);
		v = decode(y, other);
	}
	return u.value == v.value;
}

/* The first keys of a query. Others are not compared, so that time stays linear. */
struct keys {
	struct urivet_span key[MAX_KEYS];
	uint32_t count;
};

/* Returns true if a key before this one equals it. */
/*@ requires inside(key, URIVET_MAX_LENGTH) && \valid_read(keys) && judging(s);
    requires \forall integer k; 0 <= k < keys->count ==> inside(keys->key[k], URIVET_MAX_LENGTH);
    requires keys->count <= MAX_KEYS;
    assigns \nothing; */
static inline bool is_second_key(const struct subject *s, const struct keys *keys,
				 struct urivet_span key)
{
	const bool decodes = has_triplets(s, URIVET_QUERY);
	/*@ loop invariant 0 <= k <= keys->count;
	    loop assigns k;
	    loop variant keys->count - k; */
	for (uint32_t k = 0; k < keys->count && key.length > 0; k++)
		if (decodes ? same_decoded(s->t, key, keys->key[k])
			    : same_octets(s->t, key, keys->key[k]))
			return true;
	return false;
}

/*@ requires inside(key, URIVET_MAX_LENGTH) && \valid(keys) && keys->count < MAX_KEYS;
    requires \forall integer k; 0 <= k < keys->count ==> inside(keys->key[k], URIVET_MAX_LENGTH);
    assigns *keys;
    ensures keys->count == \old(keys->count) + 1;
    ensures \forall integer k; 0 <= k < keys->count ==> inside(keys->key[k], URIVET_MAX_LENGTH); */
static inline void remember_key(struct keys *keys, struct urivet_span key)
{
	keys->key[keys->count++] = key;
}

/* Reports a key that one of the keys before it equals, and remembers it. */
/*@ requires inside(key, URIVET_MAX_LENGTH) && \valid(keys) && keys->count < MAX_KEYS;
    requires \separated(keys, s, s->report, s->policy) && judging(s);
    requires \forall integer k; 0 <= k < keys->count ==> inside(keys->key[k], URIVET_MAX_LENGTH);
    assigns *keys, FOUND(s);
    ensures judging(s) && keys->count == \old(keys->count) + 1;
    ensures \forall integer k; 0 <= k < keys->count ==> inside(keys->key[k], URIVET_MAX_LENGTH); */
static inline void compare_key(struct subject *s, struct keys *keys, struct urivet_span key)
{
	if (is_second_key(s, keys, key))
		urivet_add(s, URIVET_F_QUERY_DUPLICATE_KEY, URIVET_QUERY, key.offset,
			   span_end(key));
	remember_key(keys, key);
}

/* Checks the pairs of a query or fragment. Reports duplicate keys of a query. */
/*@ requires 0 <= c < URIVET_COMPONENTS; ADDS_FINDINGS(s); */
static COLD void several_pairs(struct subject *s, enum urivet_component c)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	struct keys keys;
	uint32_t at = where.offset;
	keys.count = 0;
	/*@ loop invariant judging(s) && at <= URIVET_MAX_LENGTH + 1 && keys.count <= MAX_KEYS;
	    loop invariant \forall integer k; 0 <= k < keys.count ==>
	      inside(keys.key[k], URIVET_MAX_LENGTH);
	    loop assigns at, keys, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t equals = find_either(t, at, '=', '&');
		const struct text pair = until(t, find_octet(t, equals, '&'));
		pair_rules(s, c, pair, at, equals);
		if (c == URIVET_QUERY && keys.count < MAX_KEYS)
			compare_key(s, &keys, span(at, equals));
		at = pair.end + 1;
	}
}

/*@ requires 0 <= c < URIVET_COMPONENTS; ADDS_FINDINGS(s); */
static void pairs(struct subject *s, enum urivet_component c)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	if (s->seen.in[c] & AMPERSAND)
		several_pairs(s, c);
	else
		pair_rules(s, c, t, where.offset, find_octet(t, where.offset, '='));
}

/* Reports "//" right after "=": the value is a network-path reference. */
/*@ requires readable(t); ADDS_FINDINGS(s); */
static void network_path_values(struct subject *s, struct text t, uint32_t at)
{
	/*@ loop invariant judging(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (at = find_octet(t, at, '='); at < t.end; at = find_octet(t, at + 1, '=')) {
		const struct unit first = decode(t, at + 1), second = decode(t, first.next);
		if (first.value == '/' && second.value == '/')
			urivet_add(s, URIVET_F_QUERY_NESTED_URL, URIVET_QUERY, at + 1, t.end);
	}
}

/* Returns the offset of the first "://" from `at` on, raw or percent-encoded, or the end. `mark`:
 * see first_of_colon(). */
/*@ requires readable(t) && mark < AT_END;
    assigns \nothing;
    ensures \result <= t.end; */
static uint32_t find_nested_url(struct text t, uint32_t at, unsigned mark)
{
	/*@ loop assigns at;
	    loop variant t.end - at; */
	for (at = find_either(t, at, ':', mark); at < t.end; at = find_either(t, at, ':', mark)) {
		const struct unit colon = decode(t, at), first = decode(t, colon.next);
		if (colon.value == ':' && first.value == '/' && decode(t, first.next).value == '/')
			return at;
		at = colon.next;
	}
	return t.end;
}

/*@ requires id < URIVET_FINDING_LIMIT && 0 <= c < URIVET_COMPONENTS; ADDS_FINDINGS(s); */
static void nested_url(struct subject *s, enum urivet_id id, enum urivet_component c)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	uint32_t at = where.offset;
	if (is_verdict_only(s) || !may_decode_to(s, c, COLON))
		return; /* the finding is only a note */
	at = find_nested_url(t, at, first_of_colon(s, c));
	if (at < t.end)
		urivet_add(s, id, c, at, at + 1);
}

/* Returns true if the name that a parameter's key, which fills t from `at` on, has in forms is the
 * one at names[k], which a space ends. It ends at a "[". */
/*@ requires readable(t) && readable(names);
    assigns \nothing; */
static bool is_listed_name(struct text t, uint32_t at, struct text names, uint32_t k)
{
	struct unit u = form_unit(t, at);
	/*@ loop invariant decoded(t, at, u);
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (u.value <= ' ') { /* some readers trim a name */
		at = u.next;
		u = form_unit(t, at);
	}
	/*@ loop invariant decoded(t, at, u);
	    loop assigns at, u, k;
	    loop variant t.end - at; */
	while (u.value != AT_END && u.value != '[' && octet(names, k) != ' ' &&
	       lower(u.value) == lower(octet(names, k))) {
		at = u.next;
		u = form_unit(t, at);
		k++;
	}
	return (u.value == AT_END || u.value == '[') && octet(names, k) == ' ';
}

/* Returns true if the policy forbids a parameter with the key that fills t from `at` on. */
/*@ requires readable(t) && \valid_read(policy);
    assigns \nothing; */
static bool is_forbidden(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	const struct text names =
	    text_of(policy->forbidden_parameters, URIVET_FORBIDDEN_PARAMETERS);
	uint32_t k = 0;
	/*@ loop invariant k <= names.end + 1;
	    loop assigns k;
	    loop variant names.end + 1 - k; */
	while (k < names.end && octet(names, k) != 0) {
		if (is_listed_name(t, at, names, k))
			return true;
		k = find_octet(names, k, ' ') + 1;
	}
	return false;
}

/* Reports parameters that the policy forbids. Some readers also separate by semicolons. */
/*@ ADDS_FINDINGS(s); */
static void forbidden_parameters(struct subject *s)
{
	const struct urivet_span where = s->report->uri.part[URIVET_QUERY];
	const struct text t = within(s->t, where);
	uint32_t at = where.offset;
	/*@ loop invariant judging(s) && where.offset <= at;
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = find(t, at, AMPERSAND | SEMICOLON);
		const uint32_t key = find_octet(until(t, end), at, '=');
		if (is_forbidden(s->policy, until(t, key), at))
			urivet_add(s, URIVET_F_PARAM_REFUSED, URIVET_QUERY, at, key);
		at = end + 1;
	}
}

/*@ ADDS_FINDINGS(s); */
static void query_rules(struct subject *s)
{
	const struct urivet_span where = s->report->uri.part[URIVET_QUERY];
	const uint32_t mark = span_end(s->report->uri.part[URIVET_PATH]);
	const uint32_t seen = seen_in(s, URIVET_QUERY, ~(uint32_t)BACKSLASH);
	if (where.length == 0)
		urivet_add(s, URIVET_F_QUERY_EMPTY, URIVET_QUERY, mark, mark + 1);
	if (seen & SEMICOLON)
		urivet_add_runs(s, URIVET_F_QUERY_SEPARATOR, URIVET_QUERY, SEMICOLON);
	if (seen & PLUS)
		urivet_add_runs(s, URIVET_F_PLUS_VS_SPACE, URIVET_QUERY, PLUS);
	if ((seen & BACKSLASH) && !is_query_opaque(s->policy))
		urivet_add_runs(s, URIVET_F_BACKSLASH_PATH, URIVET_QUERY, BACKSLASH);
	if (seen & (AMPERSAND | EQUALS))
		pairs(s, URIVET_QUERY);
	if ((seen & EQUALS) && may_decode_to(s, URIVET_QUERY, SLASH))
		network_path_values(s, within(s->t, where), where.offset);
	nested_url(s, URIVET_F_QUERY_NESTED_URL, URIVET_QUERY);
	if (has_forbidden_parameters(s->policy))
		forbidden_parameters(s);
}

/* Reports a "#" at the end of the URL. It comes after the query, or after the path if there is no
 * query. */
/*@ ADDS_FINDINGS(s); */
static void empty_fragment(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const enum urivet_component before =
	    urivet_has(uri, URIVET_QUERY) ? URIVET_QUERY : URIVET_PATH;
	const uint32_t mark = span_end(uri->part[before]);
	urivet_add(s, URIVET_F_FRAGMENT_EMPTY, URIVET_FRAGMENT, mark, mark + 1);
}

/* G15: reports "!" at the beginning, raw or as a triplet. */
/*@ requires readable(t) && start <= URIVET_MAX_LENGTH; ADDS_FINDINGS(s); */
static void hashbang(struct subject *s, struct text t, uint32_t start)
{
	const struct unit first = decode(t, start);
	if (first.value == '!')
		urivet_add(s, URIVET_F_FRAGMENT_HASHBANG, URIVET_FRAGMENT, start, first.next);
}

/* Returns true if the unit separates segments of the fragment. Slashes do for clients that send the
 * fragment with the path, and a "?" begins a query there. */
/*@ assigns \nothing; */
static bool separates(struct unit u)
{
	return u.value == '/' || u.value == '?' || (u.escaped && u.value == '\\');
}

/* Returns the offset of the separator after the fragment segment at `at`, or the end. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t fragment_piece_end(struct text t, uint32_t at)
{
	struct unit u = decode(t, at);
	/*@ loop invariant \at(at, Pre) <= at <= t.end && decoded(t, at, u);
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && !separates(u)) {
		at = u.next;
		u = decode(t, at);
	}
	return at;
}

/* Returns true if the text from `at` on is "." or "..", with or without parameters after a ";". */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_dot_segment(struct text t, uint32_t at)
{
	const struct unit first = decode(t, at), second = decode(t, first.next);
	const unsigned after = second.value == '.' ? decode(t, second.next).value : second.value;
	return first.value == '.' && (after == ';' || after == AT_END);
}

/* G15: applies G4 and D4 to the fragment as to a path. */
/*@ requires readable(t) && start <= URIVET_MAX_LENGTH; ADDS_FINDINGS(s); */
static void fragment_dot_segments(struct subject *s, struct text t, uint32_t start)
{
	uint32_t at = start;
	/*@ loop invariant judging(s) && start <= at && (at == start || at <= t.end + 3);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	while (at <= t.end && !is_settled(s)) {
		const uint32_t end = fragment_piece_end(t, at);
		if (is_dot_segment(until(t, end), at))
			urivet_add(s, URIVET_F_FRAGMENT_DOT_SEGMENT, URIVET_FRAGMENT, at, end);
		at = end < t.end ? decode(t, end).next : end + 1;
	}
}

/* Reports ":~:" and all that follows. */
/*@ requires readable(t) && start <= URIVET_MAX_LENGTH; ADDS_FINDINGS(s); */
static void text_directives(struct subject *s, struct text t, uint32_t start)
{
	/*@ loop invariant judging(s) && start <= at;
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (uint32_t at = find(t, start, TILDE); at < t.end; at = find(t, at + 1, TILDE))
		if (at > start && has_word(t, at - 1, ":~:"))
			urivet_add(s, URIVET_F_FRAGMENT_TEXT_DIRECTIVE, URIVET_FRAGMENT, at - 1,
				   t.end);
}

/*@ ADDS_FINDINGS(s); */
static void fragment_rules(struct subject *s)
{
	const struct urivet_span where = s->report->uri.part[URIVET_FRAGMENT];
	const struct text t = within(s->t, where);
	const uint32_t seen = seen_in(s, URIVET_FRAGMENT, QUESTION | EQUALS | TILDE);
	if (where.length == 0)
		empty_fragment(s);
	if (is_on(s->policy, URIVET_F_FRAGMENT_PRESENT))
		urivet_add(s, URIVET_F_FRAGMENT_PRESENT, URIVET_FRAGMENT, where.offset, t.end);
	if (s->web)
		hashbang(s, t, where.offset);
	if (s->web && may_decode_to(s, URIVET_FRAGMENT, DOT))
		fragment_dot_segments(s, t, where.offset);
	if (seen & QUESTION)
		urivet_add_runs(s, URIVET_F_FRAGMENT_QUESTION, URIVET_FRAGMENT, QUESTION);
	if (seen & BACKSLASH)
		urivet_add_runs(s, URIVET_F_BACKSLASH_PATH, URIVET_FRAGMENT, BACKSLASH);
	if (seen & EQUALS)
		pairs(s, URIVET_FRAGMENT);
	if (seen & TILDE)
		text_directives(s, t, where.offset);
}

void urivet_rules_query(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	nested_url(s, URIVET_F_URL_IN_PATH, URIVET_PATH);
	if (urivet_has(uri, URIVET_QUERY))
		query_rules(s);
	if (urivet_has(uri, URIVET_FRAGMENT))
		fragment_rules(s);
}
