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

/* Returns the row, with data NULL if it is not inside the data. */
/*@ assigns \nothing; */
static inline struct urivet_text row_at(struct urivet_text data, int64_t from, int64_t to)
{
	const char *const begin = data.data;
	struct urivet_text row = {NULL, 0};
	if (is_row(data, from, to)) {
		row.data = begin + from;
		row.length = (size_t)(to - from);
	}
	return row;
}

/* Returns true if the row is accepted by the policy. */
/*@ requires \valid_read(policy) && (work == \null || given(work, policy));
    assigns *work; */
static inline bool is_row_accepted(struct urivet_text row, const struct urivet_policy *policy,
				   struct urivet_report *work, size_t size)
{
	if (row.data == NULL)
		return false;
	if (has_parameter_rules(policy) && work != NULL)
		return urivet_check_fitted(work, size, row.data, row.length, policy) ==
		       URIVET_ACCEPT;
	return urivet_verdict_by(row.data, row.length, policy) == URIVET_ACCEPT;
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

/* Returns an offset of 32 bits, or of 64 if there are none of 32. */
/*@ requires offsets != \null ==> \valid_read(offsets + k);
    requires offsets == \null ==> \valid_read(large + k);
    assigns \nothing; */
static inline int64_t offset_at(const int32_t *offsets, const int64_t *large, size_t k)
{
	return offsets != NULL ? offsets[k] : large[k];
}

/* Clears the bits of all rows. */
/*@ requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX;
    assigns bitmap[0 .. (row_count - 1) / 8]; */
static COLD void reject_rows(uint8_t *bitmap, size_t row_count)
{
	/*@ loop invariant k <= row_count;
	    loop assigns k, bitmap[0 .. (row_count - 1) / 8];
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++)
		set_row(bitmap, k, false);
}

/* Returns the text data[0..length), or an empty text if data is NULL. */
/*@ assigns \nothing; */
static inline struct urivet_text some_text(const void *data, size_t length)
{
	const struct urivet_text text = {data, length}, none = {"", 0};
	return data != NULL ? text : none;
}

/*@ requires policy == \null || \valid_read(policy);
    requires row_count > 0 && offsets != \null ==> \valid_read(offsets + (0 .. row_count));
    requires row_count > 0 && large != \null ==> \valid_read(large + (0 .. row_count));
    requires bitmap == \null || row_count == 0 || \valid(bitmap + (0 .. (row_count - 1) / 8));
    requires row_count < SIZE_MAX && (work == \null || given(work, policy));
    requires \separated(work, &urivet_strict, bitmap + (0 .. (row_count - 1) / 8));
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
	size_t accepted = 0;
	if (policy == NULL)
		policy = &urivet_strict;
	if ((offsets == NULL) == (large == NULL)) {
		reject_rows(bitmap, row_count);
		return 0;
	}
	/*@ loop invariant k <= row_count && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (row_count - 1) / 8], *work;
	    loop variant row_count - k; */
	for (size_t k = 0; k < row_count; k++) {
		const struct urivet_text row = row_at(t, offset_at(offsets, large, k),
						      offset_at(offsets, large, k + 1));
		const bool good = is_row_accepted(row, policy, work, size);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}
