/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy learn: writes a policy with the waivers, each below a prefix of the path, that the
 * observed requests need. */
#include "cli/commands/policy_actions.h"
#include "cli/commands/policy_learned.h"
#include "cli/judge/batch.h"
#include "cli/scan/targets.h"
#include "common/hex.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

/* What a rule needs: clients, and hundredths of a percent. */
#define CLIENTS_DEFAULT 3u
#define SHARE_DEFAULT   100u

/* ---- Records ------------------------------------------------------------------------------ */

/* Copies a text of an access log, in which servers write \xHH, \" and \\ for octets. Returns its
 * length. */
static size_t unescape(uint8_t *to, struct octets text)
{
	size_t length = 0;

	for (size_t i = 0; i < text.length; i++) {
		const bool escape = text.data[i] == '\\' && i + 1 < text.length;
		const bool hex = escape && text.data[i + 1] == 'x' && i + 3 < text.length &&
				 hex_value(text.data[i + 2]) < 16 &&
				 hex_value(text.data[i + 3]) < 16;

		if (hex)
			to[length++] = (uint8_t)(hex_value(text.data[i + 2]) << 4 |
						 hex_value(text.data[i + 3]));
		else
			to[length++] = text.data[escape ? i + 1 : i];
		i += hex ? 3 : escape ? 1 : 0;
	}
	return length;
}

/* Returns true if the line of a log says after the request line that it was answered with an error. */
static bool has_failed(struct octets line, size_t end)
{
	const uint8_t *const quote = memchr(line.data + end, '"', line.length - end);

	return quote != NULL && line.data + line.length - quote > 2 && quote[1] == ' ' &&
	       (quote[2] == '4' || quote[2] == '5');
}

/* Returns the first field of a line of a log, which names the client. Of an IPv6 address only the
 * network of 64 bits is taken, which is one client's; `room` has 16 octets. */
static struct octets client_of(struct octets line, uint8_t *room)
{
	const uint8_t *const space = memchr(line.data, ' ', line.length);
	const size_t length =
	    space != NULL && line.data[0] != '"' ? (size_t)(space - line.data) : 0;
	char name[INET6_ADDRSTRLEN];

	if (length >= sizeof name)
		return text_at(line.data, length);
	memcpy(name, line.data, length);
	name[length] = '\0';
	return inet_pton(AF_INET6, name, room) == 1 ? text_at(room, 8) : text_at(line.data, length);
}

/* Returns true for a path, and for what may be a URL. */
static bool is_request(struct octets text)
{
	size_t colon = 0;

	while (colon < text.length && is_one_of(text.data[colon], SCHEME_CHARS))
		colon++;
	return (text.length > 0 && text.data[0] == '/') ||
	       (colon > 0 && text.length - colon >= 3 && memcmp(text.data + colon, "://", 3) == 0);
}

/* Judges a record by the base, and remembers what it needs. */
static bool learn_record(struct worker *worker, const struct record *record)
{
	struct learned *learned = worker->task->context;
	struct octets client = text_at("", 0), text = record->text;
	const bool whole = text.length == record->length && !record_is_unreadable(record);
	struct found_target found;
	uint8_t network[16];
	bool failed = false;

	if (whole && text.length > 0 && text.data[0] != '/' && targets_find(text, 0, &found)) {
		uint8_t *copy = worker_scratch(worker, text.length + 1);
		const struct octets target =
		    text_at(text.data + found.begin, found.end - found.begin);

		if (copy == NULL)
			return false;
		client = found.method > 0 ? client_of(text, network) : client;
		failed = has_failed(text, found.end);
		text = text_at(copy, unescape(copy, target));
	}
	if (!whole || !is_request(text)) {
		if (learned->broken++ == 0) {
			learned->first_broken = record->number - worker->before_file;
			learned->broken_in = worker->source;
		}
	} else if (failed) {
		learned->failed++;
	} else if (!learned_add(learned, text, client)) {
		worker->out.error = ENOMEM;
	}
	return true;
}

/* ---- The command ------------------------------------------------------------------------ */

/* Reads "2.5" or "2.5%" as hundredths of a percent. */
static bool read_share(const char *text, unsigned *share)
{
	char *rest;
	const double number = strtod(text, &rest);

	if (rest == text || (*rest != '\0' && strcmp(rest, "%") != 0) ||
	    !(number >= 0 && number <= 100))
		return complain("policy learn: --min-share takes a share such as 2.5, not '%s'",
				text);
	*share = (unsigned)(number * 100 + 0.5);
	return true;
}

/* Returns true if the records are of a kind to learn from. Otherwise reports the error. */
static bool is_fit(const struct learned *learned, const struct options *options)
{
	const bool rows = options->reading.table.kind != TABLE_NONE;

	if (learned->broken > 0 && learned->failed + learned->judged == 0)
		return complain(
		    "%s:%s%llu%s: this is no request, or too long, as are all others; give "
		    "--json-field=NAME or --csv --column=NAME if requests are in a table",
		    learned->broken_in, rows ? " row " : "",
		    (unsigned long long)learned->first_broken, rows ? "" : ":1");
	if (learned->clients > 0 && learned->nameless > 0)
		return complain(
		    "policy learn: %llu records that would be learned from name no client, as "
		    "lines of an access log do; give --min-clients=0 to learn from them",
		    (unsigned long long)learned->nameless);
	return true;
}

enum status policy_learn(const struct options *options)
{
	static struct learned learned;
	const char *name = options->base != NULL ? options->base : "gateway";
	const struct task task = {.record = learn_record, .numbers = true, .context = &learned};
	struct options records = *options;
	enum status status;

	memset(&learned, 0, sizeof learned);
	learned.base = urivet_policy_named(name, strlen(name));
	learned.share = SHARE_DEFAULT;
	learned.clients =
	    options->action.clients != UINT32_MAX ? options->action.clients : CLIENTS_DEFAULT;
	if (learned.base < 0)
		return trouble(
		    "policy learn: --base takes strict, public, any or gateway, not '%s'", name);
	if (options->action.share != NULL && !read_share(options->action.share, &learned.share))
		return STATUS_TROUBLE;
	learned.root_share = learned.share < 1000 ? 10 * learned.share : 10000;
	if (!learned_open(&learned))
		return STATUS_TROUBLE;
	records.reading.operands = 0;
	records.reading.jobs = 1; /* all records are added to one table */
	records.reading.limit = learned.policy.max_length + 2048; /* a line of a log has more */
	status = batch_run(run_by(&records), &task);
	if (status != STATUS_TROUBLE)
		status = is_fit(&learned, options) && learned_write(&learned, options)
			     ? STATUS_ACCEPTED
			     : STATUS_TROUBLE;
	learned_close(&learned);
	return status;
}
