/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts without reports: of one input by any policy, and of a column of them. */
#include "judge/check.h"

/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
enum urivet_verdict urivet_verdict_of(const void *data, size_t length,
				      const struct urivet_policy *policy)
{
	struct urivet_report report;
	if (policy == NULL)
		return urivet_ok(data, length) ? URIVET_ACCEPT : URIVET_REJECT;
	return urivet_check_sized(&report, sizeof report, data, length, policy);
}

/* Is the row data[from..to) accepted? It is read only if it lies in the data. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static bool is_row_accepted(struct urivet_text data, int64_t from, int64_t to,
			    const struct urivet_policy *policy)
{
	if (from < 0 || to < from || (uint64_t)to > data.length)
		return false;
	return urivet_verdict_of((const char *)data.data + from, (size_t)(to - from), policy) ==
	       URIVET_ACCEPT;
}

/* Sets bit `row` of the map, and first clears the octet that it begins. */
/*@ requires bitmap == \null || \valid(bitmap + (0 .. row / 8));
    assigns bitmap[row / 8]; */
static inline void set_row(uint8_t *bitmap, size_t row, bool accepted)
{
	if (bitmap == NULL)
		return;
	if (row % 8 == 0)
		bitmap[row / 8] = 0;
	if (accepted)
		bitmap[row / 8] |= (uint8_t)(1u << row % 8);
}

/* No data is a text of no octets. */
/*@ assigns \nothing; */
static inline struct urivet_text some_text(struct urivet_text data)
{
	return data.data != NULL ? data : urivet_text_of("", 0);
}

/*@ requires policy == \null || \valid_read(policy);
    requires rows > 0 ==> \valid_read(offsets + (0 .. rows));
    requires bitmap == \null || rows == 0 || \valid(bitmap + (0 .. (rows - 1) / 8));
    requires rows < SIZE_MAX;
    requires \separated(bitmap + (0 .. (rows - 1) / 8), offsets + (0 .. rows), policy);
    assigns bitmap[0 .. (rows - 1) / 8];
    ensures \result <= rows; */
size_t urivet_check_batch(struct urivet_text data, const int32_t *offsets, size_t rows,
			  const struct urivet_policy *policy, uint8_t *bitmap)
{
	const struct urivet_text t = some_text(data);
	size_t accepted = 0;
	/*@ loop invariant k <= rows && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (rows - 1) / 8];
	    loop variant rows - k; */
	for (size_t k = 0; k < rows; k++) {
		const bool good = is_row_accepted(t, offsets[k], offsets[k + 1], policy);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}

/*@ requires policy == \null || \valid_read(policy);
    requires rows > 0 ==> \valid_read(offsets + (0 .. rows));
    requires bitmap == \null || rows == 0 || \valid(bitmap + (0 .. (rows - 1) / 8));
    requires rows < SIZE_MAX;
    requires \separated(bitmap + (0 .. (rows - 1) / 8), offsets + (0 .. rows), policy);
    assigns bitmap[0 .. (rows - 1) / 8];
    ensures \result <= rows; */
size_t urivet_check_batch_large(struct urivet_text data, const int64_t *offsets, size_t rows,
				const struct urivet_policy *policy, uint8_t *bitmap)
{
	const struct urivet_text t = some_text(data);
	size_t accepted = 0;
	/*@ loop invariant k <= rows && accepted <= k;
	    loop assigns k, accepted, bitmap[0 .. (rows - 1) / 8];
	    loop variant rows - k; */
	for (size_t k = 0; k < rows; k++) {
		const bool good = is_row_accepted(t, offsets[k], offsets[k + 1], policy);
		set_row(bitmap, k, good);
		accepted += good;
	}
	return accepted;
}
