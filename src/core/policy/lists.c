/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's lists of hosts, addresses and ports: parsing rules and looking them up. */
#include "policy/lists.h"

#include "policy/index.h"
#include "policy/parameter_rules.h"
#include "policy/path_rules.h"
#include "policy/protected.h"
#include "policy/suffixes.h"
#include "policy/url_rules.h"
#include "uri/host.h"
#include "uri/ip.h"

/* ---- Hosts ---------------------------------------------------------------------- */

/* Returns the octet in lower case plus 1, or 0 after the end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= AT_END + 1; */
static unsigned octet_or_0(struct text t, uint32_t at)
{
	return at < t.end ? lower(octet(t, at)) + 1 : 0;
}

/* Compares the name with the text from `at` on, ignoring letter case. Returns a value less than,
 * equal to or greater than 0. */
/*@ requires readable(name) && readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static int order_name(struct text name, struct text t, uint32_t at)
{
	uint32_t k = 0;
	/*@ loop invariant k <= name.end;
	    loop assigns k;
	    loop variant name.end - k; */
	while (k < name.end && octet_or_0(name, k) == octet_or_0(t, at + k))
		k++;
	return (int)octet_or_0(name, k) - (int)octet_or_0(t, at + k);
}

int urivet_order_names(struct text a, struct text b)
{
	return order_name(a, b, 0);
}

int urivet_order_hosts(const void *a, const void *b)
{
	const struct urivet_host_rule *x = a, *y = b;
	return order_name(rule_name(x), rule_name(y), 0);
}

/* Returns the rule that wins: a rule that denies beats one that allows; otherwise the first
 * wins. */
/*@ requires (best == \null || \valid_read(best)) && \valid_read(r);
    assigns \nothing;
    ensures \valid_read(\result); */
static const struct urivet_host_rule *stronger_host(const struct urivet_host_rule *best,
						    const struct urivet_host_rule *r)
{
	return best == NULL || (best->action == URIVET_ALLOW && r->action != URIVET_ALLOW) ? r
											   : best;
}

/* Returns the index of the first rule in a sorted list whose name does not sort before the text. */
/*@ requires \valid_read(list) && readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures \result <= list->count; */
static uint32_t first_host(const struct urivet_host_list *list, struct text t, uint32_t at)
{
	uint32_t low = 0, high = list->count;
	/*@ loop invariant low <= high <= list->count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (order_name(rule_name(host_rule(list, middle)), t, at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the bit for the number of labels in the last `length` octets of the text; 0 for 64 and
 * more. */
/*@ requires readable(t);
    assigns \nothing; */
static COLD uint64_t bit_of_labels(struct text t, uint32_t length)
{
	const uint64_t most = UINT64_C(1) << 63;
	uint64_t bit = 1;
	/*@ loop assigns length, bit;
	    loop variant length; */
	for (; length > 0; length--)
		if (length <= t.end && octet(t, t.end - length) == '.')
			bit = bit % most * 2;
	return bit;
}

/* Returns true if the denial is one that exceptions lift. */
/*@ requires \valid_read(r) && readable(t) && at <= t.end;
    assigns \nothing; */
static inline bool is_lifted(const struct urivet_host_rule *r, struct text t, uint32_t at,
			     uint64_t lifted)
{
	return lifted != 0 && r->action == URIVET_DENY &&
	       (bit_of_labels(t, t.end - at) & lifted) != 0;
}

/* Rules with longer names come first, so exceptions come before the denials that they lift. */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_policy *policy,
						    struct text t, uint32_t at)
{
	const struct urivet_host_list *const list = &policy->hosts;
	const struct urivet_host_rule *best = NULL;
	uint64_t lifted = 0; /* denials, by the number of labels in their names */
	unsigned labels = 0; /* before `at`, at most 2 */
	if (has_index(policy) && !urivet_index_has_name(policy, t, at))
		return NULL;
	/*@ loop invariant (best == \null || \valid_read(best)) && labels <= 2;
	    loop assigns at, best, labels, lifted;
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t first = list->sorted ? first_host(list, t, at) : 0;
		/*@ loop invariant best == \null || \valid_read(best);
		    loop invariant k <= list->count;
		    loop assigns k, best, lifted;
		    loop variant list->count - k; */
		for (uint32_t k = first; k < list->count; k++) {
			const struct urivet_host_rule *r = host_rule(list, k);
			if (order_name(rule_name(r), t, at) != 0) {
				if (list->sorted)
					break;
			} else if (scope_holds(r->scope, labels)) {
				if (r->action == URIVET_EXCEPT)
					lifted |= bit_of_labels(t, r->above);
				else if (!is_lifted(r, t, at, lifted))
					best = stronger_host(best, r);
			}
		}
		at = label_end(t, at) + 1;
		labels += labels < 2;
	}
	return best;
}

bool urivet_is_domain(struct text t, uint32_t at)
{
	struct name_facts f;
	if (t.end - at > 253 || skip(t, at, ALNUM | HYPHEN | UNDERSCORE | DOT) < t.end)
		return false;
	urivet_name_facts(t, at, 63, &f);
	return !f.empty_label && !f.long_label && !f.final_dot && !f.bad_hyphen &&
	       urivet_number(t, f.last.offset).base == BASE_NONE;
}

/* Stores the number of octets that say the scope. */
/*@ requires readable(t) && at <= t.end && \valid(length);
    assigns *length;
    ensures \result <= URIVET_SCOPE_LABEL && *length <= t.end - at; */
static uint8_t read_scope(struct text t, uint32_t at, uint32_t *length)
{
	const unsigned first = octet(t, at);
	*length = first == '.' ? 1 : 0;
	if (first == '.')
		return URIVET_SCOPE_TREE;
	if (octet(t, at + 1) != '.' || (first != '*' && first != '+'))
		return URIVET_SCOPE_HOST;
	*length = 2;
	return first == '*' ? URIVET_SCOPE_BELOW : URIVET_SCOPE_LABEL;
}

uint8_t urivet_scope_at(struct text t, uint32_t at)
{
	uint32_t length;
	return read_scope(t, at, &length);
}

uint32_t urivet_scope_length(struct text t, uint32_t at)
{
	uint32_t length;
	(void)read_scope(t, at, &length);
	return length;
}

bool urivet_host_rule_from(struct urivet_host_rule *rule, const char *text, size_t length,
			   enum urivet_action action)
{
	const struct text t = text_of(text, length < 1024 ? (uint32_t)length : 1024);
	const uint32_t at = urivet_scope_length(t, 0);
	const uint32_t end = t.end > 0 && octet(t, t.end - 1) == '.' ? t.end - 1 : t.end;
	if (length > t.end || at >= end || !urivet_is_domain(until(t, end), at))
		return false;
	rule->name = text + at;
	rule->length = end - at;
	rule->scope = urivet_scope_at(t, 0);
	rule->action = (uint8_t)action;
	rule->above = 0;
	rule->tag = 0;
	return true;
}

/* ---- Addresses ------------------------------------------------------------------- */

/* Compares the first `length` bits of a and b as numbers. */
/*@ requires has_bits(a, length) && has_bits(b, length) && length <= 128;
    assigns \nothing; */
static int order_bits(const uint8_t *a, const uint8_t *b, unsigned length)
{
	/*@ loop invariant k <= (length + 7) / 8;
	    loop assigns k;
	    loop variant (length + 7) / 8 - k; */
	for (unsigned k = 0; k < (length + 7) / 8; k++) {
		const unsigned bits = length - 8 * k < 8 ? length - 8 * k : 8;
		const uint8_t x = (uint8_t)(a[k] >> (8 - bits)), y = (uint8_t)(b[k] >> (8 - bits));
		if (x != y)
			return x - y;
	}
	return 0;
}

/* Orders a sorted list by family, prefix length, then prefix. A lookup tries one prefix length
 * after the other. */
/*@ requires \valid_read(n) && octets <= 255 && length <= 255;
    requires has_bits(address, \min(length, 128));
    assigns \nothing; */
static int order_network(const struct urivet_network *n, const uint8_t *address, unsigned octets,
			 unsigned length)
{
	const unsigned bits = length < 128 ? length : 128;
	if (n->octets != octets)
		return (int)n->octets - (int)octets;
	if (n->length != length)
		return (int)n->length - (int)length;
	return order_bits(n->address, address, bits);
}

int urivet_order_addresses(const void *a, const void *b)
{
	const struct urivet_address_rule *x = a, *y = b;
	return order_network(&x->network, y->network.address, y->network.octets, y->network.length);
}

/*@ requires (best == \null || \valid_read(best)) && \valid_read(r);
    assigns \nothing;
    ensures \valid_read(\result); */
static const struct urivet_address_rule *stronger_address(const struct urivet_address_rule *best,
							  const struct urivet_address_rule *r)
{
	return best == NULL || (best->action == URIVET_ALLOW && r->action != URIVET_ALLOW) ? r
											   : best;
}

/* Returns the index of the first rule in a sorted list that does not sort before the address's
 * block of that length. */
/*@ requires \valid_read(list) && address_of(address, octets) && length <= 8 * octets;
    assigns \nothing;
    ensures \result <= list->count; */
static uint32_t first_address(const struct urivet_address_list *list, const uint8_t *address,
			      unsigned octets, unsigned length)
{
	uint32_t low = 0, high = list->count;
	/*@ loop invariant low <= high <= list->count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct urivet_network *const n = &address_rule(list, middle)->network;
		if (order_network(n, address, octets, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Looks the address up under each prefix length in the list. */
/*@ requires \valid_read(list) && address_of(address, octets);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
static COLD const struct urivet_address_rule *
sorted_rule_for(const struct urivet_address_list *list, const uint8_t *address, unsigned octets)
{
	const struct urivet_address_rule *best = NULL;
	unsigned length = 0, next;
	/*@ loop invariant best == \null || \valid_read(best);
	    loop assigns length, next, best;
	    loop variant 8 * octets - length; */
	while (length <= 8 * octets) {
		uint32_t k = first_address(list, address, octets, length);
		/*@ loop invariant best == \null || \valid_read(best);
		    loop invariant k <= list->count;
		    loop assigns k, best;
		    loop variant list->count - k; */
		while (k < list->count &&
		       order_network(&address_rule(list, k)->network, address, octets, length) == 0)
			best = stronger_address(best, address_rule(list, k++));
		if (k == list->count || address_rule(list, k)->network.octets != octets)
			break;
		next = address_rule(list, k)->network.length;
		length = next > length ? next : length + 1;
	}
	return best;
}

/* Looks the address up by checking every rule. */
/*@ requires \valid_read(list) && address_of(address, octets);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
static COLD const struct urivet_address_rule *
unsorted_rule_for(const struct urivet_address_list *list, const uint8_t *address, unsigned octets)
{
	const struct urivet_address_rule *best = NULL;
	/*@ loop invariant best == \null || \valid_read(best);
	    loop invariant k <= list->count;
	    loop assigns k, best;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++)
		if (urivet_network_holds(&address_rule(list, k)->network, address, octets))
			best = stronger_address(best, address_rule(list, k));
	return best;
}

const struct urivet_address_rule *urivet_address_rule_for(const struct urivet_policy *policy,
							  const uint8_t *address, unsigned octets)
{
	const struct urivet_address_list *const list = &policy->addresses;
	if (has_index(policy) && !urivet_index_has_address(policy, address, octets))
		return NULL;
	return list->sorted ? sorted_rule_for(list, address, octets)
			    : unsorted_rule_for(list, address, octets);
}

/* Parses 1*3DIGIT without leading zeros up to the end of the text. Returns false if it is not such
 * a number, or is greater than `most`. */
/*@ requires readable(t) && at <= t.end && \valid(length);
    assigns *length;
    ensures *length == \old(*length) || *length <= most; */
static bool prefix_length(struct text t, uint32_t at, unsigned most, uint8_t *length)
{
	uint8_t value = 0;
	if (urivet_dec_octet(t, at, &value) != t.end || at == t.end || value > most)
		return false;
	*length = value;
	return true;
}

/* Returns true if all bits after the prefix are zero. */
/*@ requires \valid_read(n) && n->octets <= 16;
    assigns \nothing; */
static bool no_bits_after(const struct urivet_network *n)
{
	/*@ loop invariant n->length <= bit;
	    loop assigns bit;
	    loop variant 8 * n->octets - bit; */
	for (unsigned bit = n->length; bit < 8u * n->octets; bit++)
		if (n->address[bit / 8] >> (7 - bit % 8) & 1)
			return false;
	return true;
}

/*@ requires \valid(network);
    assigns *network; */
bool urivet_network_from(struct urivet_network *network, const char *text, size_t length)
{
	const struct text t = text_of(text, length < 64 ? (uint32_t)length : 64);
	const uint32_t slash = find(t, 0, SLASH);
	struct urivet_network n = {{0}, 16, 128};
	bool dotted;
	if (length > t.end)
		return false;
	if (urivet_ipv4_address(until(t, slash), 0, n.address)) {
		n.octets = 4;
		n.length = 32;
	} else if (!urivet_ipv6_address(until(t, slash), 0, n.address, &dotted)) {
		return false;
	}
	if (slash < t.end && !prefix_length(t, slash + 1, n.length, &n.length))
		return false;
	if (!no_bits_after(&n))
		return false;
	*network = n;
	return true;
}

/* ---- Order of the lists ---------------------------------------------------------------- */

/*@ assigns \nothing; */
urivet_comparison *urivet_order(enum urivet_list list)
{
	switch ((unsigned)list) {
	case URIVET_LIST_HOSTS:
		return urivet_order_hosts;
	case URIVET_LIST_ADDRESSES:
		return urivet_order_addresses;
	case URIVET_LIST_PROTECTED:
		return urivet_order_protected;
	default:
		return NULL;
	}
}

/*@ requires \valid_read(list);
    assigns \nothing; */
static bool hosts_in_order(const struct urivet_host_list *list)
{
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 1; k < list->count; k++) {
		const struct text before = rule_name(host_rule(list, k - 1));
		if (order_name(before, rule_name(host_rule(list, k)), 0) > 0)
			return false;
	}
	return true;
}

/*@ requires \valid_read(list);
    assigns \nothing; */
static bool addresses_in_order(const struct urivet_address_list *list)
{
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 1; k < list->count; k++) {
		const struct urivet_network *const n = &address_rule(list, k)->network;
		if (order_network(&address_rule(list, k - 1)->network, n->address, n->octets,
				  n->length) > 0)
			return false;
	}
	return true;
}

bool urivet_lists_in_order(const struct urivet_policy *policy)
{
	return (!policy->hosts.sorted || hosts_in_order(&policy->hosts)) &&
	       (!policy->addresses.sorted || addresses_in_order(&policy->addresses));
}

/* ---- Validity of the rules ----------------------------------------------------------------- */

/* Returns true if the rule has a valid action, and lies below the name of its denial if it is an
 * exception. */
/*@ requires \valid_read(r) && readable(name);
    assigns \nothing; */
static bool has_valid_action(const struct urivet_host_rule *r, struct text name)
{
	if (r->action != URIVET_EXCEPT)
		return r->action <= URIVET_ALLOW && r->above == 0;
	return r->above > 0 && r->above < name.end &&
	       octet(name, name.end - r->above - 1) == '.';
}

/*@ requires \valid_read(list);
    assigns \nothing; */
static bool hosts_mean(const struct urivet_host_list *list, bool compiled)
{
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++) {
		const struct urivet_host_rule *r = host_rule(list, k);
		if (!is_text_known(r->scope, compiled) ||
		    !has_valid_action(r, rule_name(r)) || !urivet_is_domain(rule_name(r), 0))
			return false;
	}
	return true;
}

/* Returns true if urivet_network_from() can produce this network. */
/*@ requires \valid_read(n);
    assigns \nothing; */
static bool is_block(const struct urivet_network *n)
{
	return (n->octets == 4 || n->octets == 16) && n->length <= 8u * n->octets &&
	       no_bits_after(n);
}

/*@ requires \valid_read(list);
    assigns \nothing; */
static bool addresses_mean(const struct urivet_address_list *list)
{
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++) {
		const struct urivet_address_rule *r = address_rule(list, k);
		if (!is_block(&r->network) || r->action > URIVET_ALLOW)
			return false;
	}
	return true;
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool ports_mean(const struct urivet_policy *policy)
{
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant policy->port_count - k; */
	for (uint32_t k = 0; k < policy->port_count; k++)
		if (port_rule(policy, k)->first > port_rule(policy, k)->last)
			return false;
	return true;
}

/* Returns true for the prefix lengths of NAT64: RFC 6052, 2.2. */
/*@ assigns \nothing; */
static bool is_nat64_length(unsigned length)
{
	return length == 96 || (length >= 32 && length <= 64 && length % 8 == 0);
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool nat64_means(const struct urivet_policy *policy)
{
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant policy->nat64_count - k; */
	for (uint32_t k = 0; k < policy->nat64_count; k++) {
		const struct urivet_network *n = nat64_prefix(policy, k);
		if (!is_block(n) || n->octets != 16 || !is_nat64_length(n->length))
			return false;
	}
	return true;
}

bool urivet_rules_mean(const struct urivet_policy *policy, bool compiled)
{
	return hosts_mean(&policy->hosts, compiled) && addresses_mean(&policy->addresses) &&
	       ports_mean(policy) && nat64_means(policy) && urivet_urls_mean(policy, compiled) &&
	       urivet_protected_mean(policy, compiled) && urivet_paths_mean(policy, compiled) &&
	       urivet_parameters_mean(policy, compiled) && urivet_suffixes_mean(policy, compiled);
}

/* ---- Ports ------------------------------------------------------------------------ */

const struct urivet_port_rule *urivet_port_rule_for(const struct urivet_policy *policy,
						    uint32_t schemes, uint32_t port)
{
	const struct urivet_port_rule *best = NULL;
	/*@ loop invariant best == \null || \valid_read(best);
	    loop invariant k <= policy->port_count;
	    loop assigns k, best;
	    loop variant policy->port_count - k; */
	for (uint32_t k = 0; k < policy->port_count; k++) {
		const struct urivet_port_rule *r = port_rule(policy, k);
		if ((r->schemes & schemes) == 0 || port < r->first || port > r->last)
			continue;
		if (r->first == r->last)
			return r;
		best = best == NULL ? r : best;
	}
	return best;
}
