/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts without reports: of one input by any policy, and of a column of them. */
#include "judge/check.h"

/* What check.c promises of it. */
/*@ assigns \nothing; */
bool urivet_ok(const void *data, size_t length);

/* The verdict of a policy that can be judged by, by its rules. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static COLD enum urivet_verdict verdict_by_rules(const void *data, size_t length,
						 const struct urivet_policy *policy)
{
	struct urivet_report report;
	struct subject s;
	if (!urivet_begin(&s, &report, data, length, policy))
		return URIVET_REJECT;
	if (has_url_rules(policy))
		urivet_judge_by_urls(&s);
	else
		urivet_judge(&s);
	//@ assert s.report == &report;
	urivet_close(&s);
	return report.verdict;
}

/* The verdict of a policy of the caller's, or of strict. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static inline enum urivet_verdict verdict_by(const void *data, size_t length,
					     const struct urivet_policy *policy)
{
	if (policy == NULL)
		return urivet_ok(data, length) ? URIVET_ACCEPT : URIVET_REJECT;
	if (!can_be_judged_by(policy))
		return URIVET_REJECT;
	return urivet_passes_plainly(data, length, policy) ? URIVET_ACCEPT
							   : verdict_by_rules(data, length, policy);
}

/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
enum urivet_verdict urivet_verdict_of(const void *data, size_t length,
				      const struct urivet_policy *policy)
{
	return verdict_by(data, data != NULL ? length : 0, policy);
}

/* Is the row data[from..to) accepted? It is read only if it lies in the data. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static bool is_row_accepted(struct urivet_text data, int64_t from, int64_t to,
			    const struct urivet_policy *policy)
{
	if (from < 0 || to < from || (uint64_t)to > data.length)
		return false;
	return verdict_by((const char *)data.data + from, (size_t)(to - from), policy) ==
	       URIVET_ACCEPT;
}

/* Sets bit `row` of the map, and first clears the octet that it begins. */
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

/* No data is a text of no octets. */
/*@ assigns \nothing; */
static inline struct urivet_text some_text(struct urivet_text data)
{
	const struct urivet_text none = {"", 0};
	return data.data != NULL ? data : none;
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
