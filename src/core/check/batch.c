/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of a column of inputs. */
#include "check/check.h"

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
	const char *row = data.data;
	if (!is_row(data, from, to))
		return false;
	row += from;
	if (policy == NULL)
		return urivet_verdict_by_strict(row, (size_t)(to - from)) == URIVET_ACCEPT;
	return urivet_verdict_by(row, (size_t)(to - from), policy) == URIVET_ACCEPT;
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

/* Returns an offset of 32 bits, or of 64 if there are none of 32. */
/*@ requires offsets != \null ==> \valid_read(offsets + k);
    requires offsets == \null ==> \valid_read(large + k);
    assigns \nothing; */
static inline int64_t offset_at(const int32_t *offsets, const int64_t *large, size_t k)
{
	return offsets != NULL ? offsets[k] : large[k];
}

/*@ requires policy == \null || \valid_read(policy);
    requires row_count > 0 && offsets != \null ==> \valid_read(offsets + (0 .. row_count));
    requires row_count > 0 && large != \null ==> \valid_read(large + (0 .. row_count));
    requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX;
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), offsets + (0 .. row_count), policy);
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), large + (0 .. row_count), policy);
    assigns bitmap[0 .. (row_count - 1) / 8];
    ensures \result <= row_count; */
size_t urivet_check_batch(struct urivet_text data, const int32_t *offsets, const int64_t *large,
			  size_t row_count, const struct urivet_policy *policy, uint8_t *bitmap)
{
	const struct urivet_text t = some_text(data);
	const bool one = (offsets == NULL) != (large == NULL);
	size_t accepted = 0;
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8];
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++) {
		const bool good =
		    one && is_row_accepted(t, offset_at(offsets, large, k),
					   offset_at(offsets, large, k + 1), policy);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}
