/* SPDX-License-Identifier: Apache-2.0 */
/* urivet compare: writes the strictest comparison by which two URIs are equal. */
#include "cli/commands/options.h"
#include "cli/commands/redirects.h"

static enum urivet_rung compare(const struct options *options, const struct redirects *redirects)
{
	struct octets a = text_of(options->reading.operand[0]);
	struct octets b = text_of(options->reading.operand[1]);

	return urivet_compare(to_library(a), to_library(b), options->compare.no_fragment,
			      redirects->pair, redirects->count);
}

static bool write_rung(const struct options *options, enum urivet_rung rung)
{
	static const char *const name[] = {
	    [URIVET_DIFFERENT] = "different\n",    [URIVET_EQUAL_BY_PROTOCOL] = "protocol\n",
	    [URIVET_EQUAL_BY_SCHEME] = "scheme\n", [URIVET_EQUAL_BY_SYNTAX] = "syntax\n",
	    [URIVET_IDENTICAL] = "identical\n",
	};
	struct output out;

	if (options->showing.quiet)
		return true;
	if (!paint_open(&out, options->showing.colour))
		return false;
	output_string(&out, name[rung]);
	return output_finish(&out);
}

enum status run_compare(const struct options *options)
{
	struct redirects redirects = {.count = 0};
	enum urivet_rung rung;

	if (options->compare.redirects != NULL &&
	    !redirects_read(&redirects, options->compare.redirects)) {
		redirects_free(&redirects);
		return STATUS_TROUBLE;
	}
	rung = compare(options, &redirects);
	redirects_free(&redirects);
	if (!write_rung(options, rung))
		return STATUS_TROUBLE;
	return rung == URIVET_DIFFERENT ? STATUS_REFUSED : STATUS_ACCEPTED;
}
