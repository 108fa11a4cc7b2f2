/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of a column of inputs. */
#include "check/check.h"

/* What rows are judged by, and a report for that, which may be NULL. */
struct judge {
	const struct urivet_policy *policy;
	struct urivet_report *work;
	size_t size;
};

/* Returns true if the row data[from..to) is inside the data. Other rows are never read. */
/*@ assigns \nothing;
    ensures \result ==> 0 <= from <= to <= data.length; */
static inline bool is_row(struct urivet_text data, int64_t from, int64_t to)
{
	return from >= 0 && to >= from && (uint64_t)to <= data.length;
}

/* Returns true if the row is accepted by the policy. */
/*@ requires \valid_read(by) && (by->policy == \null || \valid_read(by->policy));
    requires by->work == \null || \valid(by->work);
    assigns *by->work; */
static bool is_row_accepted(struct urivet_text data, int64_t from, int64_t to,
			    const struct judge *by)
{
	const char *row = data.data;
	if (!is_row(data, from, to))
		return false;
	row += from;
	if (by->policy == NULL)
		return urivet_verdict_by_strict(row, (size_t)(to - from)) == URIVET_ACCEPT;
	return urivet_verdict_by(row, (size_t)(to - from), by->policy, by->work, by->size) ==
	       URIVET_ACCEPT;
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

/* Returns the text data[0..length), or an empty text if data is NULL. */
/*@ assigns \nothing; */
static inline struct urivet_text some_text(const void *data, size_t length)
{
	const struct urivet_text text = {data, length}, none = {"", 0};
	return data != NULL ? text : none;
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
    requires row_count < SIZE_MAX && (work == \null || \valid(work));
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), offsets + (0 .. row_count), policy);
    requires \separated(bitmap + (0 .. (row_count - 1) / 8), large + (0 .. row_count), policy);
    assigns bitmap[0 .. (row_count - 1) / 8], *work;
    ensures \result <= row_count; */
size_t urivet_check_batch_sized(const void *data, size_t length, const int32_t *offsets,
				const int64_t *large, size_t row_count,
				const struct urivet_policy *policy, uint8_t *bitmap,
				struct urivet_report *work, size_t size)
{
	const struct urivet_text t = some_text(data, length);
	const struct judge by = {policy, work, size};
	const bool one = (offsets == NULL) != (large == NULL);
	size_t accepted = 0;
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8], *work;
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++) {
		const bool good =
		    one && is_row_accepted(t, offset_at(offsets, large, k),
					   offset_at(offsets, large, k + 1), &by);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}
