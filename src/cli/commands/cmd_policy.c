/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy: checks a policy file, or shows the effective policy. */
#include "cli/options/nearest.h"
#include "cli/options/options.h"
#include "cli/policy/policy_show.h"
#include <errno.h>
#include <unistd.h>

/* "1 host rule, ", "3 host rules, " */
static void write_count(struct output *out, uint32_t count, const char *what, const char *after)
{
	output_number(out, count);
	output_octet(out, ' ');
	output_string(out, what);
	output_string(out, count == 1 ? "" : "s");
	output_string(out, after);
}

/* "proxy.conf: ok (1 host rule, 0 address rules, 2 port rules)" */
static bool write_sum(struct output *out, const struct policy_file *file)
{
	output_prose(out, file->file[0]);
	output_string(out, ": ok (");
	write_count(out, file->policy.hosts.count, "host rule", ", ");
	write_count(out, file->policy.addresses.count, "address rule", ", ");
	write_count(out, file->policy.port_count, "port rule", ")\n");
	return true;
}

/* Writes something about a policy, unless nothing is to be written, and frees the policy. `write`
 * returns false if there is no memory. */
static enum status tell(const struct options *options, struct policy_file *file,
			bool (*write)(struct output *, const struct policy_file *))
{
	enum status status = options->quiet ? STATUS_ACCEPTED : STATUS_TROUBLE;
	struct output out;

	if (!options->quiet && paint_open(&out, options->colour)) {
		bool good = write(&out, file);

		if (!good)
			complain("%s", strerror(ENOMEM));
		if (output_finish(&out) && good)
			status = STATUS_ACCEPTED;
	}
	policy_file_free(file);
	return status;
}

static enum status check(const struct options *options)
{
	struct policy_file file;

	if (options->format == FORMAT_JSON) {
		complain("policy check: --format is for policy show");
		return STATUS_TROUBLE;
	}
	if (!policy_file_load(&file, options->operand[1]))
		return STATUS_TROUBLE;
	return tell(options, &file, write_sum);
}

/* Opens a file, or a built-in policy as if it were a file that sets only its base. */
static bool open_policy(struct policy_file *file, const char *name)
{
	struct urivet_policy base;
	bool built_in =
	    urivet_policy_init(&base, sizeof base, urivet_policy_named(name, strlen(name)));
	struct nearest nearest = nearest_to(name);

	for (unsigned i = 0; i < URIVET_BASES; i++)
		nearest_try(&nearest, urivet_policy_name(i));
	if (!built_in && nearest.best != NULL && access(name, F_OK) != 0) {
		nearest_complain(&nearest, "no such policy or file:");
		return false;
	}
	if (!built_in)
		return policy_file_load(file, name);
	*file = (struct policy_file){.policy = base, .base = base};
	return true;
}

static enum status show(const struct options *options)
{
	struct policy_file file;

	if (!open_policy(&file, options->operand[1]))
		return STATUS_TROUBLE;
	return tell(options, &file,
		    options->format == FORMAT_JSON ? policy_show_json : policy_show);
}

static const struct {
	const char *name;
	const char *operand;
	enum status (*run)(const struct options *options);
} actions[] = {{"check", "FILE", check}, {"show", "FILE|NAME", show}};

enum status run_policy(const struct options *options)
{
	struct nearest nearest;

	if (options->format == FORMAT_TSV) {
		complain("policy: a policy has no columns: use --format=human or --format=json");
		return STATUS_TROUBLE;
	}
	if (options->operands == 0) {
		complain("policy: say check FILE or show FILE|NAME; see: urivet help policy");
		return STATUS_TROUBLE;
	}
	nearest = nearest_to(options->operand[0]);
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
		nearest_try(&nearest, actions[i].name);
		if (strcmp(actions[i].name, options->operand[0]) != 0)
			continue;
		if (options->operands == 2)
			return actions[i].run(options);
		complain("policy %s: %s is missing", actions[i].name, actions[i].operand);
		return STATUS_TROUBLE;
	}
	nearest_complain(&nearest, "policy: no such subcommand:");
	return STATUS_TROUBLE;
}
