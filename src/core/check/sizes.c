/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, limits and capacities as functions, for bindings without the C header. */
#include "text/text.h"

/*@ assigns \nothing; */
size_t urivet_policy_size(void)
{
	return sizeof(struct urivet_policy);
}

/*@ assigns \nothing; */
size_t urivet_request_size(void)
{
	return sizeof(struct urivet_request);
}

/*@ assigns \nothing; */
size_t urivet_report_size(void)
{
	return sizeof(struct urivet_report);
}

/*@ assigns \nothing; */
size_t urivet_reading_size(void)
{
	return sizeof(struct urivet_reading);
}

/*@ assigns \nothing; */
size_t urivet_endpoint_size(void)
{
	return sizeof(struct urivet_endpoint);
}

/*@ assigns \nothing; */
size_t urivet_parameter_rules_size(void)
{
	return sizeof(struct urivet_parameter_rules);
}

/*@ assigns \nothing; */
size_t urivet_max_length(void)
{
	return URIVET_MAX_LENGTH;
}

/*@ assigns \nothing; */
size_t urivet_finding_limit(void)
{
	return URIVET_FINDING_LIMIT;
}

/* Returns times * length + more, or SIZE_MAX if that overflows. */
/*@ requires 1 <= times <= 10 && more <= 192;
    assigns \nothing;
    ensures \result == \min(times * length + more, SIZE_MAX); */
static size_t capacity_for(size_t times, size_t length, size_t more)
{
	return length <= (SIZE_MAX - more) / times ? times * length + more : SIZE_MAX;
}

/* A spelling is at most two octets longer than the input; one more for the NUL. */
/*@ assigns \nothing; */
size_t urivet_suggest_capacity(size_t length)
{
	return capacity_for(1, length, 3);
}

/* Room for the mapped text and for the spelling of that. In a host each octet becomes at most four,
 * as in "\xc3\xbc." and "xn--tda.", elsewhere three. */
/*@ assigns \nothing; */
size_t urivet_iri_capacity(size_t length)
{
	return capacity_for(8, length, 16);
}

/*@ assigns \nothing; */
size_t urivet_reading_capacity(size_t length)
{
	return capacity_for(10, length, URIVET_READING_CAPACITY(0));
}

/*@ assigns \nothing; */
size_t urivet_endpoint_capacity(size_t length)
{
	return capacity_for(3, length, URIVET_ENDPOINT_CAPACITY(0));
}

/*@ assigns \nothing; */
size_t urivet_parameters_capacity(size_t length)
{
	return capacity_for(5, length, URIVET_PARAMETERS_CAPACITY(0));
}
