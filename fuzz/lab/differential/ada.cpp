/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ada, the parser of Node's URL: built where ADA= names the folder of its ada.cpp and ada.h, as each
 * release has them in one file. It writes each part anew, so an empty port is the default one.
 */
#include "ada.h"
#include "../zoo/adapter.h"
#include <string>
#include <string_view>

const char *reader_version(void)
{
	return "ada " ADA_VERSION;
}

static struct slice of(std::string_view text)
{
	return slice_between(text.data(), text.data() + text.size());
}

/* Without the : ? or # that the parser leaves at it; absent if nothing is left. */
static struct slice inner(std::string_view text, size_t before, size_t after)
{
	if (text.size() <= before + after)
		return slice(NULL);
	return of(text.substr(before, text.size() - before - after));
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {};
	auto url = ada::parse<ada::url_aggregator>(std::string_view(text, length));
	std::string user;

	if (!url)
		return;
	reading.part[SCHEME] = inner(url->get_protocol(), 0, 1);
	if (!url->get_username().empty() || !url->get_password().empty()) {
		user = std::string(url->get_username());
		if (!url->get_password().empty())
			user += ":" + std::string(url->get_password());
		reading.part[USERINFO] = of(user);
	}
	reading.part[HOST] = of(url->get_hostname());
	if (!url->get_port().empty())
		reading.part[PORT] = of(url->get_port());
	reading.part[PATH] = of(url->get_pathname());
	reading.part[QUERY] = inner(url->get_search(), 1, 0);
	reading.part[FRAGMENT] = inner(url->get_hash(), 1, 0);
	tell(&reading);
}
