/* SPDX-License-Identifier: Apache-2.0 */
/* Top-level domains, looked up by length and then by binary search. The list is in tlds.def. */
#include "policy/tlds.h"

#define LABELS(n, octets) static const char tlds_of_##n[] = octets;
#include "policy/tlds.def"
#undef LABELS

/* All labels of one length, concatenated in sorted order. */
struct tlds {
	const char *labels;
	uint32_t count;
};

/*@ assigns \nothing;
    ensures \result.count <= 1000 && (\result.count > 0 ==> length <= 63);
    ensures \valid_read(\result.labels + (0 .. length * \result.count - 1)); */
static struct tlds tlds_of(uint32_t length)
{
	struct tlds found = {"", 0};
	switch (length) {
#define LABELS(n, octets)                                                                          \
	case n:                                                                                    \
		found.labels = tlds_of_##n;                                                        \
		found.count = (sizeof tlds_of_##n - 1) / (n);                                      \
		break;
#include "policy/tlds.def"
#undef LABELS
	default:
		break;
	}
	return found;
}

/* Compares the label that fills t from `at` on with `tld`: returns a value below, equal to or above
 * 0. */
/*@ requires readable(t) && at <= t.end && t.end - at == length;
    requires \valid_read(tld + (0 .. length - 1));
    assigns \nothing; */
static inline int tld_order(struct text t, uint32_t at, const char *tld, uint32_t length)
{
	/*@ loop invariant i <= length;
	    loop assigns i;
	    loop variant length - i; */
	for (uint32_t i = 0; i < length; i++) {
		const int order = (int)lower(octet(t, at + i)) - (unsigned char)tld[i];
		if (order != 0)
			return order;
	}
	return 0;
}

/* Returns true if the label that fills t from `at` on is a top-level domain. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_tld(struct text t, uint32_t at)
{
	const uint32_t length = t.end - at;
	const struct tlds all = tlds_of(length);
	uint32_t low = 0, high = all.count;
	/*@ loop invariant low <= high <= all.count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		const int order = tld_order(t, at, all.labels + middle * length, length);
		if (order > 0)
			low = middle + 1;
		else if (order < 0)
			high = middle;
		else
			return true;
	}
	return false;
}

uint32_t urivet_last_label(struct text t, uint32_t at)
{
	uint32_t i = t.end;
	/*@ loop invariant at <= i <= t.end;
	    loop assigns i;
	    loop variant i; */
	while (i > at && octet(t, i - 1) != '.')
		i--;
	return i;
}

bool urivet_has_tld(struct text t, uint32_t at)
{
	return is_tld(t, urivet_last_label(t, at));
}
