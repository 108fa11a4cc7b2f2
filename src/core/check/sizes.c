/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, limits and capacities as a function, for bindings without the C header. */
#include <urivet/parameters.h>
#include <urivet/readers.h>

#include "text/text.h"

/* Returns times * length + more, or SIZE_MAX if that overflows. */
/*@ requires 1 <= times <= 10 && more <= 192;
    assigns \nothing;
    ensures \result == \min(times * length + more, SIZE_MAX); */
static size_t capacity_for(size_t times, size_t length, size_t more)
{
	return length <= (SIZE_MAX - more) / times ? times * length + more : SIZE_MAX;
}

/*@ assigns \nothing; */
size_t urivet_size_of(enum urivet_sized what, size_t length)
{
	static const size_t sizes[] = {
	    [URIVET_SIZE_POLICY] = sizeof(struct urivet_policy),
	    [URIVET_SIZE_REQUEST] = sizeof(struct urivet_request),
	    [URIVET_SIZE_REPORT] = sizeof(struct urivet_report),
	    [URIVET_SIZE_READING] = sizeof(struct urivet_reading),
	    [URIVET_SIZE_ENDPOINT] = sizeof(struct urivet_endpoint),
	    [URIVET_SIZE_PARAMETER_RULES] = sizeof(struct urivet_parameter_rules),
	    [URIVET_LIMIT_LENGTH] = URIVET_MAX_LENGTH,
	    [URIVET_LIMIT_FINDINGS] = URIVET_FINDING_LIMIT,
	};
	if ((unsigned)what < URIVET_CAPACITY_SUGGEST)
		return sizes[what];
	switch (what) {
	case URIVET_CAPACITY_SUGGEST:
		/* A spelling is at most two octets longer than the input; one more for the NUL. */
		return capacity_for(1, length, 3);
	case URIVET_CAPACITY_IRI:
		/* Room for the mapped text and for the spelling of that. In a host each octet
		 * becomes at most four, as in "\xc3\xbc." and "xn--tda.", elsewhere three. */
		return capacity_for(8, length, 16);
	case URIVET_CAPACITY_READING:
		return capacity_for(10, length, URIVET_READING_CAPACITY(0));
	case URIVET_CAPACITY_ENDPOINT:
		return capacity_for(3, length, URIVET_ENDPOINT_CAPACITY(0));
	case URIVET_CAPACITY_PARAMETERS:
		return capacity_for(5, length, URIVET_PARAMETERS_CAPACITY(0));
	default:
		return 0;
	}
}
