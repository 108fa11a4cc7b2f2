/* SPDX-License-Identifier: Apache-2.0 */
/* ada, of which ADA is the folder with ada.h and ada.cpp; LABEL says how it was built. */
#include "ada.cpp"

#include "bench.h"

static bool can_parse(const char *url, size_t length)
{
	return ada::can_parse(std::string_view(url, length));
}

static bool parse(const char *url, size_t length)
{
	return ada::parse<ada::url_aggregator>(std::string_view(url, length)).has_value();
}

extern "C" const struct contestant contestants[] = {
	{"ada::can_parse, " LABEL, can_parse}, {"ada::parse, " LABEL, parse}, {nullptr, nullptr}};
