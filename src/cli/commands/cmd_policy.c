/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy: checks, shows, compiles, compares and tests policies. */
#include "cli/commands/options.h"
#include "cli/commands/policy_actions.h"
#include "cli/records/replacement.h"
#include "cli/text/emit.h"
#include "cli/text/nearest.h"
#include "common/format.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <urivet/compiled.h>

/* Writes ", 1 host rule" or ", 3 host rules". */
static void write_count(struct output *out, const char *before, uint32_t count, const char *what)
{
	emit(out, before, count, " ", what, count == 1 ? "" : "s");
}

/* Writes "proxy.yaml: ok (1 host rule, 0 address rules, 2 port rules)". */
static void write_sum(struct output *out, const struct urivet_loaded *loaded, const char *name)
{
	const struct urivet_policy *policy = urivet_loaded_policy(loaded);
	uint32_t parameters = 0;

	while (urivet_loaded_parameter(loaded, parameters) != NULL)
		parameters++;
	emit(out, prose(strcmp(name, "-") == 0 ? "<stdin>" : name), ": ok (");
	write_count(out, "", policy->hosts.count, "host rule");
	write_count(out, ", ", policy->addresses.count, "address rule");
	write_count(out, ", ", policy->port_count, "port rule");
	if (policy->url_count > 0)
		write_count(out, ", ", policy->url_count, "URL rule");
	if (parameters > 0)
		write_count(out, ", ", parameters, "parameter rule");
	output_string(out, ")\n");
}

/* Writes the text that a library function formats. Returns false if there is no memory. */
static bool write_by(struct output *out, const struct urivet_loaded *loaded,
		     size_t (*format)(char *, size_t, const struct urivet_loaded *))
{
	const size_t length = format(NULL, 0, loaded);
	char *text = length < SIZE_MAX ? malloc(length + 1) : NULL;
	bool good = text != NULL && format(text, length + 1, loaded) == length;

	if (good)
		output_text(out, text_at(text, length));
	free(text);
	return good || complain("%s", strerror(ENOMEM));
}

/* Writes a policy by a function of the library, or only that it is good if `format` is NULL, unless
 * --quiet is given, and releases it. `loaded` may be NULL after an error. */
static enum status tell(const struct options *options, struct urivet_loaded *loaded,
			size_t (*format)(char *, size_t, const struct urivet_loaded *))
{
	bool good = loaded != NULL;
	struct output out;

	if (good && !options->showing.quiet) {
		good = paint_open(&out, options->showing.colour);
		if (good && format != NULL)
			good = write_by(&out, loaded, format);
		else if (good)
			write_sum(&out, loaded, options->reading.operand[1]);
		good = out.buffer != NULL && output_finish(&out) && good;
	}
	urivet_loaded_release(loaded);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

static enum status check(const struct options *options)
{
	return tell(options, urivet_load(options->reading.operand[1], complain_of_policy, NULL),
		    NULL);
}

struct urivet_loaded *policy_open(const char *name)
{
	struct nearest nearest = urivet_loader_nearest(name);

	for (unsigned i = 0; i < URIVET_BASES; i++)
		urivet_loader_nearest_try(&nearest, urivet_policy_name(i));
	if (urivet_policy_named(name, strlen(name)) < 0 && nearest.best != NULL &&
	    access(name, F_OK) != 0) {
		nearest_complain(&nearest, "no such policy or file:");
		return NULL;
	}
	return load_named(name, complain_of_policy);
}

static enum status show(const struct options *options)
{
	return tell(options, policy_open(options->reading.operand[1]),
		    options->showing.format == FORMAT_JSON ? urivet_loader_format_json
							   : urivet_loaded_format);
}

/* A compiled policy in memory. */
struct compiled {
	void *data;
	size_t length;
};

static bool compile(struct compiled *made, const struct urivet_loaded *loaded)
{
	made->length = urivet_loaded_compile(NULL, 0, loaded);
	made->data = made->length > 0 ? malloc(made->length) : NULL;
	if (made->data != NULL &&
	    urivet_loaded_compile(made->data, made->length, loaded) == made->length)
		return true;
	free(made->data);
	made->data = NULL;
	return complain("%s", strerror(ENOMEM));
}

/* Returns true unless the file holds something else than a compiled policy, such as the text of this one. */
static bool is_replaceable(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint64_t head[128] = {0}; /* more than the header */
	struct urivet_policy policy;
	struct stat file;
	const bool reads = fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
			   read(fd, head, sizeof head) > 0;

	if (fd >= 0)
		(void)close(fd);
	return !reads || urivet_compiled_open(&policy, sizeof policy, head, sizeof head, NULL) !=
			     URIVET_COMPILED_MAGIC;
}

/* Replaces the file atomically: programs load the old policy or the new one. */
static bool write_file(const char *path, const struct compiled *made)
{
	struct replacement file;

	if (!is_replaceable(path))
		return complain("policy compile: '%s' is no compiled policy, and is not overwritten",
				path);
	return replacement_open(&file, path) &&
	       replacement_close(&file, output_now(file.fd, made->data, made->length));
}

static enum status run_compile(const struct options *options)
{
	struct urivet_loaded *loaded;
	struct compiled made;
	bool good;

	if (options->output == NULL)
		return trouble(
		    "policy compile: say where to write: -o FILE, or -o - for standard output");
	loaded = policy_open(options->reading.operand[1]);
	if (loaded == NULL)
		return STATUS_TROUBLE;
	good = compile(&made, loaded);
	urivet_loaded_release(loaded);
	if (!good)
		return STATUS_TROUBLE;
	good = strcmp(options->output, "-") == 0 ? paint_text(text_at(made.data, made.length))
						 : write_file(options->output, &made);
	free(made.data);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

/* The formats of a subcommand, besides human output. */
enum formats { NO_FORMAT = 0, JSON_ALONE, EVERY_FORMAT };

static const struct action {
	const char *name;
	const char *operand[2];
	size_t operands;
	enum formats formats;
	enum status (*run)(const struct options *options);
} actions[] = {
    {"check", {"FILE", NULL}, 1, NO_FORMAT, check},
    {"show", {"FILE|NAME", NULL}, 1, JSON_ALONE, show},
    {"compile", {"FILE|NAME", NULL}, 1, NO_FORMAT, run_compile},
    {"diff", {"A", "B"}, 2, EVERY_FORMAT, policy_diff},
    {"test", {"FILE", NULL}, 1, EVERY_FORMAT, policy_test},
    {"explain", {"FILE|NAME", "URL"}, 2, NO_FORMAT, policy_explain},
    {"learn", {NULL, NULL}, 0, NO_FORMAT, policy_learn},
    {"import", {"FILE", NULL}, 1, NO_FORMAT, policy_import},
};

/* Returns true if options for records are used correctly: only policy diff and policy
 * learn read records. */
static bool is_fit_for_records(const struct action *action, const struct options *options)
{
	static const char *const of_records[] = {"--null", "--crlf", "--jobs", "--decompress",
						 "--progress", "--no-progress", NULL};
	const char *option = first_given(options, of_records);
	const bool reads = action->run == policy_diff || action->run == policy_learn;

	if (options->reading.inputs > 0 && !reads)
		complain("policy %s: --input is for policy diff and policy learn", action->name);
	else if (options->reading.inputs == 0 && option != NULL)
		complain("policy %s: %s needs --input, and is for policy diff and policy learn",
			 action->name, option);
	else if (options->reading.inputs == 0 && action->run == policy_learn)
		complain("policy learn: say what to learn from: --input=FILE, or --input=- for "
			 "standard input");
	else if ((options->action.source > 0 || options->action.part != NULL) &&
		 action->run != policy_import)
		complain("policy %s: --from and --part are for policy import", action->name);
	else if (action->run != policy_learn &&
		 (options->base != NULL || options->action.share != NULL ||
		  options->action.clients != UINT32_MAX || options->reading.table.kind != TABLE_NONE))
		complain("policy %s: --base, --min-clients, --min-share and tables are for policy learn",
			 action->name);
	else
		return true;
	return false;
}

/* Returns true if operands and options fit the subcommand. Otherwise reports the error. */
static bool is_fit(const struct action *action, const struct options *options)
{
	const size_t operands = options->reading.operands - 1;

	if (operands < action->operands)
		complain("policy %s: %s is missing", action->name, action->operand[operands]);
	else if (operands > action->operands)
		complain("policy: one argument too many: '%s'",
			 options->reading.operand[action->operands + 1]);
	else if (options->output != NULL && action->run != run_compile)
		complain("policy %s: -o is for policy compile", action->name);
	else if (options->showing.format == FORMAT_TSV && action->formats == JSON_ALONE)
		complain("policy: a policy has no columns: use --format=human or --format=json");
	else if (options->showing.format != FORMAT_HUMAN && action->formats == NO_FORMAT)
		complain("policy %s: --format is for policy show, diff and test", action->name);
	else
		return is_fit_for_records(action, options);
	return false;
}

enum status run_policy(const struct options *options)
{
	struct nearest nearest;

	if (options->reading.operands == 0)
		return trouble("policy: say check FILE, show FILE|NAME, compile FILE|NAME -o OUT, "
			       "diff A B, test FILE, explain FILE|NAME URL, learn --input=FILE, or "
			       "import --from=LIST FILE; see: urivet help policy");
	nearest = urivet_loader_nearest(options->reading.operand[0]);
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
		urivet_loader_nearest_try(&nearest, actions[i].name);
		if (strcmp(actions[i].name, options->reading.operand[0]) == 0)
			return is_fit(&actions[i], options) ? actions[i].run(options)
							    : STATUS_TROUBLE;
	}
	nearest_complain(&nearest, "policy: no such subcommand:");
	return STATUS_TROUBLE;
}
