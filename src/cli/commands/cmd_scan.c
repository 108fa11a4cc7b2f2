/* SPDX-License-Identifier: Apache-2.0 */
/* urivet scan: finds URIs in text, HTML or mail, and judges them. */
#include "cli/commands/base_uri.h"
#include "cli/scan/html.h"
#include "cli/scan/scan.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Octets of the longest scheme that is guessed. */
#define GUESS 8u

static bool check_options(const struct options *options)
{
	struct base_uri base = {0};
	bool good = true;

	if (options->html && options->mail) {
		complain("scan: --html and --mail exclude each other");
		return false;
	}
	if (options->mail && !scan_mail_is_built())
		return false;
	if ((options->html || options->mail) && !html_is_built())
		return false;
	if (options->base != NULL) {
		good = base_uri_set(&base, text_of(options->base), false);
		if (!good)
			complain("--base: '%s' cannot be read as a base URI", options->base);
		base_uri_free(&base);
	}
	return good;
}

int scan_open(struct scanner *scanner, const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		complain("cannot open '%s': %s", name, strerror(errno));
		scanner->trouble = true;
		return -1;
	}
	if (!scanner->options.quiet && is_same_file(fd, STDOUT_FILENO)) {
		complain("'%s' is both input and output", name);
		scanner->trouble = true;
		scan_close(fd);
		return -1;
	}
	return fd;
}

void scan_close(int fd)
{
	if (fd != STDIN_FILENO)
		(void)close(fd);
}

static bool open_scanner(struct scanner *scanner, const struct options *options)
{
	scanner->options = *options;
	if (options->limit > SCAN_MATCH_MOST) {
		scanner->options.limit = SCAN_MATCH_MOST;
		scanner->options.policy.max_length = SCAN_MATCH_MOST;
	}
	scanner->worker.options = &scanner->options;
	scanner->capacity = SCAN_WINDOW + GUESS;
	scanner->window = malloc(SCAN_WINDOW);
	scanner->text = malloc(scanner->capacity);
	if (scanner->window == NULL || scanner->text == NULL) {
		complain("%s", strerror(ENOMEM));
		return false;
	}
	return paint_open(&scanner->worker.out, options->colour);
}

static void close_scanner(struct scanner *scanner)
{
	free(scanner->window);
	free(scanner->text);
	free(scanner->worker.scratch);
	free(scanner->worker.room.data);
}

static enum status finish(struct scanner *scanner)
{
	bool good = output_finish(&scanner->worker.out) && !scanner->trouble;

	close_scanner(scanner);
	if (!good)
		return STATUS_TROUBLE;
	return scanner->refused ? refused_status(scanner->worker.options) : STATUS_ACCEPTED;
}

static void (*scan_of(const struct options *options))(struct scanner *, const char *)
{
	if (options->html)
		return scan_html_file;
	return options->mail ? scan_mail_file : scan_text_file;
}

enum status run_scan(const struct options *options)
{
	static const char *const standard = "-";
	const char *const *file = options->operands > 0 ? options->operand : &standard;
	size_t files = options->operands > 0 ? options->operands : 1;
	void (*scan_file)(struct scanner *, const char *) = scan_of(options);
	struct scanner scanner = {0};

	if (!check_options(options) || !open_scanner(&scanner, options)) {
		close_scanner(&scanner);
		return STATUS_TROUBLE;
	}
	for (size_t i = 0; i < files && scanner.worker.out.error == 0; i++) {
		scan_file(&scanner, file[i]);
	}
	return finish(&scanner);
}
