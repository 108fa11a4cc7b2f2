/* SPDX-License-Identifier: Apache-2.0 */
/* urivet scan: finds URIs in text, markup or mail, and judges them. */
#include "cli/commands/options.h"
#include "cli/scan/base_uri.h"
#include "cli/scan/html.h"
#include "cli/scan/markup.h"
#include "cli/scan/scan.h"
#include <errno.h>
#include <stdlib.h>

/* The length of the longest scheme that is guessed. */
#define GUESS 8u

static bool check_options(const struct options *options)
{
	struct base_uri base = {0};
	bool good = true;

	if (options->scan.html + options->scan.mail + (options->scan.markup != MARKUP_NONE) > 1)
		return complain("scan: --html, --mail and --markup exclude each other");
	if (!markup_is_built(options->scan.markup) ||
	    (options->scan.mail && !scan_mail_is_built()) ||
	    ((options->scan.html || options->scan.mail) && !html_is_built()))
		return false;
	if (options->base != NULL) {
		good = base_uri_set(&base, text_of(options->base), false) ||
		       complain("--base: '%s' cannot be read as a base URI", options->base);
		base_uri_free(&base);
	}
	return good;
}

static bool open_scanner(struct scanner *scanner, const struct options *options)
{
	scanner->scan = options->scan;
	scanner->reading = options->reading;
	scanner->judging = options->judging;
	scanner->base = options->base;
	if (options->reading.limit > SCAN_MATCH_MOST) {
		scanner->reading.limit = SCAN_MATCH_MOST;
		scanner->judging.policy.max_length = SCAN_MATCH_MOST;
	}
	scanner->worker.reading = &scanner->reading;
	scanner->worker.judging = &scanner->judging;
	scanner->worker.showing = &options->showing;
	scanner->source.fd = -1;
	scanner->source.looks = options->reading.decompress;
	scanner->capacity = SCAN_WINDOW + GUESS;
	scanner->window = malloc(SCAN_WINDOW);
	scanner->text = malloc(scanner->capacity);
	if (scanner->window == NULL || scanner->text == NULL)
		return complain("%s", strerror(ENOMEM));
	return paint_open(&scanner->worker.out, options->showing.colour);
}

static void close_scanner(struct scanner *scanner)
{
	free(scanner->window);
	free(scanner->text);
	free(scanner->worker.scratch);
	free(scanner->worker.exact);
	free(scanner->worker.hosts);
	free(scanner->worker.room.data);
}

static enum status finish(struct scanner *scanner)
{
	bool good;

	if (sarif_is_written(scanner->worker.showing))
		sarif_end(&scanner->worker.out, &scanner->sarif);
	good = output_finish(&scanner->worker.out) && !scanner->trouble;
	close_scanner(scanner);
	if (!good)
		return STATUS_TROUBLE;
	return scanner->refused ? refused_status(scanner->worker.judging) : STATUS_ACCEPTED;
}

static void (*scan_of(const struct options *options))(struct scanner *, const char *)
{
	if (options->scan.html || options->scan.markup != MARKUP_NONE)
		return scan_markup_file;
	return options->scan.mail ? scan_mail_file : scan_text_file;
}

enum status run_scan(const struct options *options)
{
	static const char *const standard = "-";
	const char *const *file =
	    options->reading.operands > 0 ? options->reading.operand : &standard;
	size_t files = options->reading.operands > 0 ? options->reading.operands : 1;
	void (*scan_file)(struct scanner *, const char *) = scan_of(options);
	struct scanner scanner = {0};

	if (!check_options(options) || !open_scanner(&scanner, options)) {
		close_scanner(&scanner);
		return STATUS_TROUBLE;
	}
	if (sarif_is_written(&options->showing))
		sarif_begin(&scanner.worker.out);
	for (size_t i = 0; i < files && scanner.worker.out.error == 0; i++)
		scan_file(&scanner, file[i]);
	return finish(&scanner);
}
