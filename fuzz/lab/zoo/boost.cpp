/* SPDX-License-Identifier: Apache-2.0 */
/* Boost.URL's parse_uri_reference(). */
#include "adapter.h"
#include <boost/url/parse.hpp>
#include <boost/url/src.hpp>
#include <boost/url/url_view.hpp>
#include <boost/version.hpp>

const char *reader_version(void)
{
	return "Boost.URL " BOOST_LIB_VERSION;
}

static struct slice of(boost::core::string_view text)
{
	return slice_between(text.data(), text.data() + text.size());
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {};
	auto parsed = boost::urls::parse_uri_reference(boost::core::string_view(text, length));

	if (!parsed)
		return;
	const boost::urls::url_view &url = *parsed;
	if (url.has_scheme())
		reading.part[SCHEME] = of(url.scheme());
	if (url.has_userinfo())
		reading.part[USERINFO] = of(url.encoded_userinfo());
	if (url.has_authority())
		reading.part[HOST] = of(url.encoded_host());
	if (url.has_port())
		reading.part[PORT] = of(url.port());
	reading.part[PATH] = of(url.encoded_path());
	if (url.has_query())
		reading.part[QUERY] = of(url.encoded_query());
	if (url.has_fragment())
		reading.part[FRAGMENT] = of(url.encoded_fragment());
	tell(&reading);
}
