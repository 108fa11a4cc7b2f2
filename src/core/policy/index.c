/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a policy's lists: lookup, verification and writing. */
#include "policy/index.h"

#define LOWEST  UINT64_C(1)
#define HIGHEST UINT64_C(0x8000000000000000)

/* Returns word k of the index. The caller of the library must ensure that the index has index_count
 * words. */
/*@ requires \valid_read(policy) && k < policy->index_count;
    assigns \nothing; */
static uint64_t index_word(const struct urivet_policy *policy, uint32_t k)
{
	return policy->index[k];
}

/* ---- Hashes of names and prefixes ----------------------------------------------------- */

/* Sets the lower-case bit in each octet, to ignore letter case. Other octets may become equal too,
 * which only causes false positives. */
#define ANY_CASE EACH_OCTET(0x20)

/* Hashes a name of less than eight octets. */
/*@ requires readable(t);
    assigns \nothing; */
static uint64_t sum_of_octets(struct text t, uint32_t at)
{
	uint64_t sum = 0;
	/*@ loop invariant \at(at, Pre) <= at;
	    loop assigns at, sum;
	    loop variant t.end - at; */
	for (; at < t.end; at++)
		sum = stir(sum, octet(t, at) | 0x20);
	return sum;
}

/* Hashes the name that fills t from `at` on, eight octets at a time. The last word may overlap the
 * one before. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static uint64_t sum_of_name(struct text t, uint32_t at)
{
	const uint32_t length = t.end - at;
	uint64_t sum = length, word = 0;
	if (length < 8)
		return stir(sum, sum_of_octets(t, at));
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop assigns at, sum, word;
	    loop variant t.end - at; */
	while (load_8(t, at, &word)) {
		sum = stir(sum, word | ANY_CASE);
		at += 8;
	}
	return load_8(t, t.end - 8, &word) ? stir(sum, word | ANY_CASE) : sum;
}

/* Hashes the first `length` bits of an address. */
/*@ requires address_of(address, octets) && length <= 8 * octets;
    assigns \nothing; */
static uint64_t sum_of_prefix(const uint8_t *address, unsigned octets, unsigned length)
{
	const unsigned whole = length / 8;
	uint64_t sum = 256 * octets + length;
	/*@ loop invariant k <= whole;
	    loop assigns k, sum;
	    loop variant whole - k; */
	for (unsigned k = 0; k < whole; k++)
		sum = stir(sum, address[k]);
	return length % 8 > 0 ? stir(sum, (uint64_t)address[whole] >> (8 - length % 8)) : sum;
}

/* The position of a hash in the map: the index of a word, and the bits in it. */
struct mark {
	uint32_t word;
	uint64_t bits;
};

/*@ assigns \nothing; */
static inline uint64_t high_bit_over(uint64_t number)
{
	return HIGHEST >> number % 64;
}

/*@ requires count > INDEX_MAP;
    assigns \nothing;
    ensures INDEX_MAP <= \result.word < count; */
static inline struct mark mark_of(uint64_t sum, uint32_t count)
{
	const uint64_t map = count - INDEX_MAP, mixed = stir(stir(sum, map), map);
	const uint64_t upper = mixed / 0x100000000;
	/*@ assert upper * map <= 0xffffffff * map; */
	const struct mark m = {
	    INDEX_MAP + (uint32_t)(upper * map / 0x100000000),
	    high_bit_over(mixed) | high_bit_over(mixed / 64) | high_bit_over(mixed / 4096)};
	return m;
}

/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP;
    assigns \nothing; */
static inline bool is_marked(const struct urivet_policy *policy, uint64_t sum)
{
	const struct mark m = mark_of(sum, policy->index_count);
	return (index_word(policy, m.word) & m.bits) == m.bits;
}

/* ---- Labels and prefix lengths -------------------------------------------------------- */

/* Shifts the set of label counts down by one label. The highest bit, for 64 and more, stays. */
/*@ assigns \nothing; */
static inline uint64_t without_a_label(uint64_t labels)
{
	return labels / 2 | (labels & HIGHEST);
}

/* Returns the bit for the number of labels in the name. */
/*@ requires readable(name);
    assigns \nothing; */
static uint64_t labels_of_name(struct text name)
{
	uint64_t bit = LOWEST;
	/*@ loop assigns at, bit;
	    loop variant name.end - at; */
	for (uint32_t at = find_octet(name, 0, '.'); at < name.end;
	     at = find_octet(name, at + 1, '.'))
		bit = bit < HIGHEST ? bit * 2 : bit;
	return bit;
}

/* Returns the word and bit for that prefix length. */
/*@ requires octets == 4 || octets == 16;
    requires length <= 8 * octets;
    assigns \nothing;
    ensures INDEX_LENGTHS <= \result.word < INDEX_MAP; */
static struct mark mark_of_length(unsigned octets, unsigned length)
{
	const uint32_t first = octets == 4 ? INDEX_LENGTHS : INDEX_LENGTHS + 1;
	const struct mark m = {first + length / 64, high_bit_over(length)};
	return m;
}

/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP;
    requires octets == 4 || octets == 16;
    requires length <= 8 * octets;
    assigns \nothing; */
static bool has_length(const struct urivet_policy *policy, unsigned octets, unsigned length)
{
	const struct mark m = mark_of_length(octets, length);
	return (index_word(policy, m.word) & m.bits) != 0;
}

/* ---- Lookup -------------------------------------------------------------------------- */

bool urivet_index_has_name(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	uint64_t labels;
	if (policy->index_count <= INDEX_MAP)
		return true;
	labels = index_word(policy, INDEX_LABELS);
	/*@ loop invariant k <= t.end;
	    loop assigns k, labels;
	    loop variant k; */
	for (uint32_t k = t.end; k > at; k--)
		if (octet(t, k - 1) == '.') {
			if ((labels & LOWEST) != 0 && is_marked(policy, sum_of_name(t, k)))
				return true;
			labels = without_a_label(labels);
		}
	return at < t.end && (labels & LOWEST) != 0 && is_marked(policy, sum_of_name(t, at));
}

bool urivet_index_has_address(const struct urivet_policy *policy, const uint8_t *address,
			      unsigned octets)
{
	if (policy->index_count <= INDEX_MAP)
		return true;
	/*@ loop invariant length <= 8 * octets + 1;
	    loop assigns length;
	    loop variant 8 * octets + 1 - length; */
	for (unsigned length = 0; length <= 8 * octets; length++)
		if (has_length(policy, octets, length) &&
		    is_marked(policy, sum_of_prefix(address, octets, length)))
			return true;
	return false;
}

/* ---- Verification -------------------------------------------------------------------- */

uint32_t urivet_index_words(const struct urivet_policy *policy)
{
	const uint64_t rules = (uint64_t)policy->hosts.count + policy->addresses.count;
	return rules > 0 ? (uint32_t)(64 + rules / 3) : 0; /* same as URIVET_INDEX_WORDS() */
}

/* Returns true if the index contains the name of a rule. */
/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP && readable(name);
    assigns \nothing; */
static bool has_name(const struct urivet_policy *policy, struct text name)
{
	return (index_word(policy, INDEX_LABELS) & labels_of_name(name)) != 0 &&
	       is_marked(policy, sum_of_name(name, 0));
}

/* Returns true if the index contains the network of a rule. Invalid networks never match an
 * address, so they count as contained. */
/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP && \valid_read(n);
    assigns \nothing; */
static bool has_network(const struct urivet_policy *policy, const struct urivet_network *n)
{
	if ((n->octets != 4 && n->octets != 16) || n->length > 8u * n->octets)
		return true;
	return has_length(policy, n->octets, n->length) &&
	       is_marked(policy, sum_of_prefix(n->address, n->octets, n->length));
}

/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP;
    assigns \nothing; */
static bool has_all_hosts(const struct urivet_policy *policy)
{
	/*@ loop invariant k <= policy->hosts.count;
	    loop assigns k;
	    loop variant policy->hosts.count - k; */
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		if (!has_name(policy, rule_name(host_rule(&policy->hosts, k))))
			return false;
	return true;
}

/*@ requires \valid_read(policy) && policy->index_count > INDEX_MAP;
    assigns \nothing; */
static bool has_all_addresses(const struct urivet_policy *policy)
{
	/*@ loop invariant k <= policy->addresses.count;
	    loop assigns k;
	    loop variant policy->addresses.count - k; */
	for (uint32_t k = 0; k < policy->addresses.count; k++)
		if (!has_network(policy, &address_rule(&policy->addresses, k)->network))
			return false;
	return true;
}

bool urivet_index_holds(const struct urivet_policy *policy)
{
	if (!has_index(policy))
		return true;
	return policy->index_count > INDEX_MAP && policy->index_count == urivet_index_words(policy) &&
	       has_all_hosts(policy) && has_all_addresses(policy);
}

/* ---- Writing -------------------------------------------------------------------------- */

/*@ requires count > INDEX_MAP && \valid(words + (0 .. count - 1)) && \valid_read(n);
    requires n->octets == 4 || n->octets == 16;
    requires n->length <= 8 * n->octets;
    requires \separated(words + (0 .. count - 1), n);
    assigns words[0 .. count - 1]; */
static void mark_network(uint64_t *words, uint32_t count, const struct urivet_network *n)
{
	const struct mark length = mark_of_length(n->octets, n->length);
	const struct mark prefix = mark_of(sum_of_prefix(n->address, n->octets, n->length), count);
	words[length.word] |= length.bits;
	words[prefix.word] |= prefix.bits;
}

/*@ requires count > INDEX_MAP && \valid(words + (0 .. count - 1)) && readable(name);
    assigns words[0 .. count - 1]; */
static void mark_name(uint64_t *words, uint32_t count, struct text name)
{
	const struct mark m = mark_of(sum_of_name(name, 0), count);
	words[INDEX_LABELS] |= labels_of_name(name);
	words[m.word] |= m.bits;
}

void urivet_index_write(uint64_t *words, uint32_t count, const struct urivet_policy *policy)
{
	memset(words, 0, count * sizeof *words);
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		mark_name(words, count, rule_name(host_rule(&policy->hosts, k)));
	for (uint32_t k = 0; k < policy->addresses.count; k++)
		mark_network(words, count, &address_rule(&policy->addresses, k)->network);
}
