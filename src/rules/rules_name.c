/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names that depend on the policy: its list of hosts, and names that are known
 * to lead into a private network or to this machine. */
#include "policy/lists.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "uri/host.h"
#include "uri/ip.h"

/* ---- Known names --------------------------------------------------------------- */

struct known_name {
	char name[29];
	uint16_t id;   /* enum urivet_id */
	uint8_t scope; /* enum urivet_scope */
	uint8_t length;
};

/* clang-format off */
#define NAME(scope, finding, name) \
	{name, URIVET_F_##finding, URIVET_SCOPE_##scope, sizeof name - 1}

static const struct known_name ends_in_a[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "home.arpa"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "service.arpa"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "resolver.arpa"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "ipv4only.arpa"),
	NAME(HOST, HOST_METADATA_NAME, "metadata"),
	NAME(HOST, HOST_METADATA_NAME, "instance-data"),
	NAME(HOST, HOST_METADATA_NAME, "rancher-metadata"),
};
static const struct known_name ends_in_c[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "svc"),
	NAME(TREE, HOST_METADATA_NAME, "kubernetes.default.svc"),
};
static const struct known_name ends_in_d[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "invalid"),
};
static const struct known_name ends_in_e[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "private"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "home"),
	NAME(TREE, HOST_KNOWN_LOOPBACK_NAME, "localtest.me"),
	NAME(TREE, HOST_KNOWN_LOOPBACK_NAME, "lvh.me"),
	NAME(TREE, HOST_KNOWN_LOOPBACK_NAME, "vcap.me"),
};
static const struct known_name ends_in_g[] = {
	NAME(TREE, HOST_METADATA_NAME, "metadata.goog"),
};
static const struct known_name ends_in_k[] = {
	NAME(HOST, HOST_LOCALHOST_NAME, "ip6-loopback"),
};
static const struct known_name ends_in_l[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "local"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "internal"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "mail"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "consul"),
	NAME(TREE, HOST_METADATA_NAME, "metadata.google.internal"),
	NAME(TREE, HOST_METADATA_NAME, "instance-data.ec2.internal"),
};
static const struct known_name ends_in_m[] = {
	NAME(TREE, HOST_METADATA_NAME, "metadata.tencentyun.com"),
	NAME(TREE, HOST_METADATA_NAME, "metadata.platformequinix.com"),
	NAME(TREE, HOST_KNOWN_LOOPBACK_NAME, "lacolhost.com"),
};
static const struct known_name ends_in_n[] = {
	NAME(TREE, HOST_LOCALHOST_NAME, "localhost.localdomain"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "localdomain"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "lan"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "onion"),
};
static const struct known_name ends_in_o[] = {
	/* names below these spell an address; one that cannot be read cannot be judged */
	NAME(BELOW, ADDR_UNCLASSIFIED, "nip.io"),
	NAME(BELOW, ADDR_UNCLASSIFIED, "sslip.io"),
	NAME(BELOW, ADDR_UNCLASSIFIED, "xip.io"),
};
static const struct known_name ends_in_p[] = {
	NAME(TREE, HOST_INTERNAL_SUFFIX, "corp"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "i2p"),
};
static const struct known_name ends_in_s[] = {
	NAME(BELOW, ADDR_UNCLASSIFIED, "1u.ms"),
	NAME(BELOW, ADDR_UNCLASSIFIED, "rbndr.us"),
};
static const struct known_name ends_in_t[] = {
	NAME(TREE, HOST_LOCALHOST_NAME, "localhost"),
	NAME(HOST, HOST_LOCALHOST_NAME, "ip6-localhost"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "intranet"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "alt"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "test"),
	NAME(TREE, HOST_METADATA_NAME, "metadata.packet.net"),
};
static const struct known_name ends_in_digit[] = {
	NAME(TREE, HOST_LOCALHOST_NAME, "localhost6.localdomain6"),
	NAME(HOST, HOST_LOCALHOST_NAME, "localhost4"),
	NAME(HOST, HOST_LOCALHOST_NAME, "localhost6"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "localdomain4"),
	NAME(TREE, HOST_INTERNAL_SUFFIX, "localdomain6"),
};

/* By the last letter, so that one octet rules out most of them. */
#define BUCKET(names) {names, sizeof names / sizeof names[0]}
static const struct bucket {
	const struct known_name *name;
	unsigned count;
} by_last_letter[26] = {
	['a' - 'a'] = BUCKET(ends_in_a),
	['c' - 'a'] = BUCKET(ends_in_c),
	['d' - 'a'] = BUCKET(ends_in_d),
	['e' - 'a'] = BUCKET(ends_in_e),
	['g' - 'a'] = BUCKET(ends_in_g),
	['k' - 'a'] = BUCKET(ends_in_k),
	['l' - 'a'] = BUCKET(ends_in_l),
	['m' - 'a'] = BUCKET(ends_in_m),
	['n' - 'a'] = BUCKET(ends_in_n),
	['o' - 'a'] = BUCKET(ends_in_o),
	['p' - 'a'] = BUCKET(ends_in_p),
	['s' - 'a'] = BUCKET(ends_in_s),
	['t' - 'a'] = BUCKET(ends_in_t),
};
static const struct bucket by_digit = BUCKET(ends_in_digit);
/* clang-format on */

/*@ assigns \nothing;
    ensures \valid_read(\result.name + (0 .. \result.count - 1)); */
static struct bucket bucket_of(unsigned last)
{
	return last >= 'a' && last <= 'z' ? by_last_letter[last - 'a'] : by_digit;
}

/* Whole labels are compared: "notlocalhost" does not match "localhost". */
/*@ requires readable(t) && at < t.end && \valid_read(known);
    assigns \nothing; */
static bool name_matches(struct text t, uint32_t at, const struct known_name *known)
{
	const uint32_t length = known->length;
	if (t.end - at < length || !is_word(t, t.end - length, known->name))
		return false;
	if (t.end - at == length)
		return known->scope != URIVET_SCOPE_BELOW;
	return known->scope != URIVET_SCOPE_HOST && octet(t, t.end - (length + 1)) == '.';
}

/* ---- Addresses spelled in a name ---------------------------------------------------- */

/*@ assigns \nothing;
    ensures \result != 0 <==> c == '.' || c == '-'; */
static bool is_separator(unsigned c)
{
	return c == '.' || c == '-';
}

/* Reads four numbers below 256, each separated from the next by a dot or hyphen: where they
 * end, or 0. */
/*@ requires readable(t) && at < t.end && \valid(ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3];
    ensures \result == 0 || at < \result <= t.end; */
static uint32_t read_decimal_ipv4(struct text t, uint32_t at, uint8_t ipv4[4])
{
	/*@ loop invariant k <= 4 && \at(at, Pre) <= at <= t.end;
	    loop invariant k > 0 ==> \at(at, Pre) < at;
	    loop assigns k, at, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++) {
		const uint32_t end = skip(t, at, DIGIT);
		if (urivet_dec_octet(until(t, end), at, &ipv4[k]) == at)
			return 0;
		if (k < 3 && !is_separator(octet(t, end)))
			return 0;
		at = k < 3 ? end + 1 : end;
	}
	return at;
}

/* Reads eight hexadecimal digits up to a dot, a hyphen or the end: where they end, or 0. */
/*@ requires readable(t) && at < t.end && \valid(ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3];
    ensures \result == 0 || at < \result <= t.end; */
static uint32_t read_hex_ipv4(struct text t, uint32_t at, uint8_t ipv4[4])
{
	const uint32_t end = skip(t, at, HEXDIG);
	if (end != at + 8 || (end < t.end && !is_separator(octet(t, end))))
		return 0;
	/*@ loop invariant k <= 4;
	    loop assigns k, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (uint32_t k = 0; k < 4; k++)
		ipv4[k] = (uint8_t)(hex_value(octet(t, at + 2 * k)) * 16 +
				    hex_value(octet(t, at + 2 * k + 1)));
	return end;
}

/* Is an IPv4 address spelled at `at`? Then a note is added, and the address is judged unless the
 * name is `allowed` by a list. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end; JUDGES_HOST(s); */
static bool judge_spelled_at(struct subject *s, struct text t, uint32_t at, bool hex, bool allowed)
{
	uint8_t ipv4[4];
	const uint32_t end = hex ? read_hex_ipv4(t, at, ipv4) : read_decimal_ipv4(t, at, ipv4);
	if (end == 0)
		return false;
	add_in_host(s, URIVET_F_HOST_EMBEDS_IP, at, end);
	if (!allowed)
		urivet_rules_spelled_ipv4(s, ipv4, span(at, end));
	return true;
}

/* The same for every address in the name, also those that overlap: is there one? */
/*@ requires readable(t) && t.end <= s->t.end; JUDGES_HOST(s); */
static bool judge_spelled(struct subject *s, struct text t, uint32_t at, bool hex, bool allowed)
{
	const uint32_t digits = hex ? HEXDIG : DIGIT;
	bool any = false;
	at = find(t, at, digits);
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at < t.end ==> stands(t, at, digits);
	    loop assigns at, any, FOUND_IN(s, \at(s->report, Pre));
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = skip(t, at, digits);
		any = judge_spelled_at(s, t, at, hex, allowed) || any;
		at = find(t, end, digits);
	}
	return any;
}

/* ---- What the policy says ----------------------------------------------------------- */

/* Judges the name by the list of hosts: true if a rule allows it. */
/*@ requires readable(t) && at <= t.end; JUDGES_HOST(s); */
static bool listed_name(struct subject *s, struct text t, uint32_t at)
{
	const struct urivet_host_list *hosts = &s->policy->hosts;
	const struct urivet_host_rule *rule = urivet_host_rule_for(hosts, t, at);
	const bool allowed = rule != NULL && rule->action == URIVET_ALLOW;
	const bool only = hosts->only;
	s->report->host_rule = rule;
	if (rule != NULL && !allowed)
		add_in_host(s, URIVET_F_HOST_DENIED, at, t.end);
	if (only && !allowed)
		add_in_host(s, URIVET_F_HOST_NOT_ALLOWED, at, t.end);
	return allowed;
}

/* Adds the finding of a known name. `has_address`: whether an address is spelled in the name;
 * what is returned takes hexadecimal spellings into account. */
/*@ requires readable(t) && t.end <= s->t.end && id < URIVET_FINDING_LIMIT; JUDGES_HOST(s); */
static bool known_name(struct subject *s, struct text t, uint32_t at, unsigned id, bool has_address)
{
	if (id == URIVET_F_ADDR_UNCLASSIFIED) {
		has_address = judge_spelled(s, t, at, true, false) || has_address;
		if (has_address)
			return true;
	}
	add_in_host(s, (enum urivet_id)id, at, t.end);
	return has_address;
}

/* Looks for known names that match. `has_address`: whether an address is spelled in the name, in
 * decimal digits. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end; JUDGES_HOST(s); */
static void known_names(struct subject *s, struct text t, uint32_t at, bool has_address)
{
	const struct bucket b = bucket_of(lower(octet(t, t.end - 1)));
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre) && k <= b.count;
	    loop assigns k, has_address, FOUND_IN(s, \at(s->report, Pre));
	    loop variant b.count - k; */
	for (unsigned k = 0; k < b.count; k++) {
		const unsigned id = b.name[k].id % URIVET_FINDING_LIMIT;
		if (name_matches(t, at, &b.name[k]) && is_on(s->policy, id))
			has_address = known_name(s, t, at, id, has_address);
	}
}

/* Reads from the end, because most last labels have two or three letters. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_single_label(struct text t, uint32_t at)
{
	uint32_t i = t.end;
	if (t.end - at > 4 && (octet(t, i - 4) == '.' || octet(t, i - 3) == '.'))
		return false;
	/*@ loop invariant at <= i <= t.end;
	    loop assigns i;
	    loop variant i; */
	while (i > at && octet(t, i - 1) != '.')
		i--;
	return i == at;
}

/* Is it sure that the name is only a name? Some reader may decode others or take them for an
 * address; an empty one, or one with a second final dot, may be this machine. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_plain_name(struct text t, uint32_t at, uint32_t seen)
{
	uint32_t last = at;
	if (at == t.end || octet(t, t.end - 1) == '.')
		return false;
	if (seen & ~(uint32_t)(ALNUM | HYPHEN | DOT | UNDERSCORE))
		return false;
	if ((seen & DIGIT) == 0)
		return true;
	/*@ loop invariant at <= last <= t.end && last <= end;
	    loop assigns last, end;
	    loop variant t.end - last; */
	for (uint32_t end = label_end(t, last); end < t.end; end = label_end(t, last))
		last = end + 1;
	return urivet_number(t, last).base == BASE_NONE;
}

/* The words of a set of findings that hold those of this file: most policies have no bit set
 * in them. */
#define WORD_OF_NAMES     (URIVET_F_HOST_LOCALHOST_NAME / 64)
#define WORD_OF_ADDRESSES (URIVET_F_ADDR_UNCLASSIFIED / 64)

/*@ requires \valid_read(p);
    assigns \nothing; */
static bool has_name_rules(const struct urivet_policy *p)
{
	return (p->raised.bits[WORD_OF_NAMES] | p->waived.bits[WORD_OF_NAMES] |
		p->raised.bits[WORD_OF_ADDRESSES] | p->waived.bits[WORD_OF_ADDRESSES]) != 0;
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool lists_names(const struct urivet_policy *policy)
{
	return policy->hosts.count > 0 || policy->hosts.only;
}

bool urivet_judges_names(const struct urivet_policy *policy)
{
	return lists_names(policy) || has_name_rules(policy);
}

/* Is the name surely none of the known names? The octet at which one would begin rules out nearly
 * all of them. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing; */
static bool is_common_name(struct text t, uint32_t at)
{
	const struct bucket b = bucket_of(octet(t, t.end - 1));
	const uint32_t length = t.end - at;
	/*@ loop invariant k <= b.count;
	    loop assigns k;
	    loop variant b.count - k; */
	for (unsigned k = 0; k < b.count; k++) {
		const uint32_t end = b.name[k].length;
		if (length >= end && octet(t, t.end - end) == (unsigned char)b.name[k].name[0])
			return false;
	}
	return !is_single_label(t, at);
}

bool urivet_is_quiet_name(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	return !lists_names(policy) && (!has_name_rules(policy) || is_common_name(t, at));
}

/* The rules other than lists, for the name that fills t from `at` on. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static void by_known_rules(struct subject *s, struct text t, uint32_t at, uint32_t seen,
			   bool has_address)
{
	if (at < t.end)
		known_names(s, t, at, has_address);
	if (at < t.end && is_on(s->policy, URIVET_F_HOST_SINGLE_LABEL) && is_single_label(t, at))
		add_in_host(s, URIVET_F_HOST_SINGLE_LABEL, at, t.end);
	if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED) && !is_plain_name(t, at, seen))
		add_in_host(s, URIVET_F_ADDR_UNCLASSIFIED, at, t.end);
}

/* Judges a name that no rule of the list allows. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static void judge_unlisted(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const struct urivet_policy *policy = s->policy;
	const bool has_address = (seen & DIGIT) && judge_spelled(s, t, at, false, false);
	if (has_name_rules(policy))
		by_known_rules(s, t, at, seen, has_address);
}

void urivet_rules_known_name(struct subject *s, struct text t, uint32_t at, uint32_t seen,
			     bool allowed)
{
	if (!allowed)
		judge_unlisted(s, t, at, seen);
	else if (seen & DIGIT)
		(void)judge_spelled(s, t, at, false, true);
}

/* Must the name be read in other ways too? Not if nothing was found so far: then it has no octets
 * and labels but those that every reader has alike, or A-labels, which are looked at later. And not
 * if nothing that was found can be waived. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool may_be_read_otherwise(const struct subject *s)
{
	return has_waivers(s->policy) &&
	       (s->report->count > 0 ||
		in_set(&s->policy->waived, URIVET_F_IDN_INVALID_ALABEL)) &&
	       (urivet_judges_names(s->policy) || s->policy->addresses.count > 0);
}

void urivet_rules_name(struct subject *s, struct urivet_span name, uint32_t seen)
{
	const struct text t = within(s->t, name);
	if (may_be_read_otherwise(s))
		urivet_rules_odd_name(s, t, name.offset, seen);
	else
		urivet_rules_known_name(s, t, name.offset, seen,
					lists_names(s->policy) && listed_name(s, t, name.offset));
}
