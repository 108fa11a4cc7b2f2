/* SPDX-License-Identifier: Apache-2.0 */
#include <boost/url.hpp>

#include "bench.h"

static bool judge(const char *url, size_t length)
{
	return boost::urls::parse_uri(boost::urls::string_view(url, length)).has_value();
}

extern "C" const struct contestant contestants[] = {{"Boost.URL parse_uri", judge}, {nullptr, nullptr}};
