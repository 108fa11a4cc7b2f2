/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts without reports: of one input by any policy, and of a column of inputs. */
#include "check/check.h"

#include "plain/vector.h"

/* Declared with the contract that is proved in check.c. */
/*@ assigns \nothing; */
bool urivet_ok(const void *data, size_t length);

/* Returns the verdict of the caller's policy, or of strict for NULL. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static inline enum urivet_verdict verdict_by(const void *data, size_t length,
					     const struct urivet_policy *policy)
{
	int verdict;
	if (policy == NULL)
		return urivet_ok(data, length) ? URIVET_ACCEPT : URIVET_REJECT;
	if (!can_be_judged_by(policy))
		return URIVET_REJECT;
	verdict = urivet_plain_verdict(data, length, policy);
	return verdict != NOT_PLAIN ? (enum urivet_verdict)verdict
				    : urivet_verdict_by_rules(data, length, policy);
}

/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
enum urivet_verdict urivet_verdict_of(const void *data, size_t length,
				      const struct urivet_policy *policy)
{
	return verdict_by(data, data != NULL ? length : 0, policy);
}

/* Returns true if the row data[from..to) is inside the data. Other rows are never read. */
/*@ assigns \nothing;
    ensures \result ==> 0 <= from <= to <= data.length; */
static inline bool is_row(struct urivet_text data, int64_t from, int64_t to)
{
	return from >= 0 && to >= from && (uint64_t)to <= data.length;
}

/* Returns true if the row is accepted by the policy. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static bool is_row_accepted(struct urivet_text data, int64_t from, int64_t to,
			    const struct urivet_policy *policy)
{
	return is_row(data, from, to) &&
	       verdict_by((const char *)data.data + from, (size_t)(to - from), policy) ==
		   URIVET_ACCEPT;
}

/* Returns true if the row is accepted by strict. For rows that are not brief plain URLs. */
/*@ assigns \nothing; */
static bool is_row_ok(struct urivet_text data, int64_t from, int64_t to)
{
	return is_row(data, from, to) &&
	       urivet_ok_at_length((const char *)data.data + from, (size_t)(to - from));
}

/* Sets bit `row` of the bitmap, after clearing the octet if this is its first bit. */
/*@ requires bitmap == \null || \valid(bitmap + (0 .. row / 8));
    assigns bitmap[row / 8]; */
static inline void set_row(uint8_t *bitmap, size_t row, bool accepted)
{
	static const uint8_t one_bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
	if (bitmap == NULL)
		return;
	if (row % 8 == 0)
		bitmap[row / 8] = 0;
	if (accepted)
		bitmap[row / 8] |= one_bit[row % 8];
}

/* Returns the data, or an empty text if it is NULL. */
/*@ assigns \nothing; */
static inline struct urivet_text some_text(struct urivet_text data)
{
	const struct urivet_text none = {"", 0};
	return data.data != NULL ? data : none;
}

/* Rows are processed in blocks of 64: a word has a bit for each, the lowest for the first. */
#define AT_ONCE  64
#define LAST_ROW UINT64_C(0x8000000000000000)

/* Returns the rows that strict accepts. All rows are first checked together for brief plain URLs,
 * then the others one by one. 32-bit offsets cannot exceed the first 2 GiB. */
/*@ requires 0 < taken <= AT_ONCE && \valid_read(offsets + (0 .. taken));
    assigns \nothing; */
static uint64_t strict_rows(struct urivet_text data, const int32_t *offsets, uint32_t taken)
{
	const uint32_t most = INT32_MAX;
	const struct text t = {data.data, data.length < most ? (uint32_t)data.length : most};
	uint64_t good = urivet_brief_rows(t, offsets, taken);
	/*@ loop invariant k <= taken;
	    loop assigns k, good;
	    loop variant taken - k; */
	for (uint32_t k = 0; k < taken; k++)
		if ((good >> k) % 2 == 0 && is_row_ok(data, offsets[k], offsets[k + 1]))
			good |= LAST_ROW >> (AT_ONCE - 1 - k);
	return good;
}

/* Writes the octets of the bitmap from bit `first` on. */
/*@ requires 0 < taken <= AT_ONCE && first + taken <= SIZE_MAX;
    requires bitmap == \null || \valid(bitmap + (0 .. (first + taken - 1) / 8));
    assigns bitmap[0 .. (first + taken - 1) / 8]; */
static void set_rows(uint8_t *bitmap, size_t first, uint32_t taken, uint64_t good)
{
	if (bitmap == NULL)
		return;
	/*@ loop invariant k <= taken + 7;
	    loop assigns k, bitmap[0 .. (first + taken - 1) / 8];
	    loop variant taken + 7 - k; */
	for (uint32_t k = 0; k < taken; k += 8)
		bitmap[(first + k) / 8] = (uint8_t)((good >> k) % 256);
}

/* Returns the number of accepted rows. Nearly all are accepted, so the others are counted. */
/*@ requires taken <= AT_ONCE;
    assigns \nothing;
    ensures \result <= taken; */
static uint32_t count_rows(uint64_t good, uint32_t taken)
{
	uint64_t bad = ~good;
	uint32_t count = taken;
	/*@ loop invariant k <= taken && taken - k <= count <= taken;
	    loop assigns k, bad, count;
	    loop variant taken - k; */
	for (uint32_t k = 0; k < taken && bad != 0; k++) {
		count -= (uint32_t)(bad % 2);
		bad /= 2;
	}
	return count;
}

/* Checks the rows by strict. Returns the number of accepted rows. */
/*@ requires row_count > 0 ==> \valid_read(offsets + (0 .. row_count));
    requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX;
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), offsets + (0 .. row_count));
    assigns bitmap[0 .. (row_count - 1) / 8];
    ensures \result <= row_count; */
static size_t check_by_strict(struct urivet_text t, const int32_t *offsets, size_t row_count,
			      uint8_t *bitmap)
{
	size_t accepted = 0, k = 0;
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8];
	    loop variant row_count - k; */
	while (k < row_count) {
		const size_t rest = row_count - k;
		const uint32_t taken = rest < AT_ONCE ? (uint32_t)rest : AT_ONCE;
		const uint64_t good = strict_rows(t, offsets + k, taken);
		set_rows(bitmap, k, taken, good);
		accepted += count_rows(good, taken);
		k += taken;
	}
	return accepted;
}

/*@ requires policy == \null || \valid_read(policy);
    requires row_count > 0 ==> \valid_read(offsets + (0 .. row_count));
    requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX;
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), offsets + (0 .. row_count), policy);
    assigns bitmap[0 .. (row_count - 1) / 8];
    ensures \result <= row_count; */
size_t urivet_check_batch(struct urivet_text data, const int32_t *offsets, size_t row_count,
			  const struct urivet_policy *policy, uint8_t *bitmap)
{
	const struct urivet_text t = some_text(data);
	size_t accepted = 0;
	if (policy == NULL)
		return check_by_strict(t, offsets, row_count, bitmap);
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8];
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++) {
		const bool good = is_row_accepted(t, offsets[k], offsets[k + 1], policy);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}

/*@ requires policy == \null || \valid_read(policy);
    requires row_count > 0 ==> \valid_read(offsets + (0 .. row_count));
    requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX;
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), offsets + (0 .. row_count), policy);
    assigns bitmap[0 .. (row_count - 1) / 8];
    ensures \result <= row_count; */
size_t urivet_check_batch_large(struct urivet_text data, const int64_t *offsets, size_t row_count,
				const struct urivet_policy *policy, uint8_t *bitmap)
{
	const struct urivet_text t = some_text(data);
	size_t accepted = 0;
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8];
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++) {
		const bool good = is_row_accepted(t, offsets[k], offsets[k + 1], policy);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}
