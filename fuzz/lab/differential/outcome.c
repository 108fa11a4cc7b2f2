/* SPDX-License-Identifier: Apache-2.0 */
#include "outcome.h"

#define FNV_START 0xcbf29ce484222325u

static uint64_t mixed(uint64_t hash, const void *data, size_t length)
{
	const unsigned char *octet = data;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ octet[i]) * 0x100000001b3u;
	return hash;
}

/* Hashes without regard to letter case, which scheme and host ignore. */
static uint64_t hash_of(struct slice text)
{
	uint64_t hash = FNV_START;

	for (size_t i = 0; i < text.length; i++) {
		const char octet = text.data[i];
		const char lower = octet >= 'A' && octet <= 'Z' ? (char)(octet | 0x20) : octet;

		hash = mixed(hash, &lower, 1);
	}
	return hash;
}

/* ---- Places ------------------------------------------------------------------------------ */

struct places {
	bool known;
	uint64_t at[PLACES];
};

static void note_places(const struct reading *reading, void *context)
{
	const struct slice host = without_brackets(reading->part[HOST]);
	const long port = effective_port(reading);
	struct places *made = context;

	if (reading->part[SCHEME].data == NULL || host.data == NULL || host.length == 0)
		return;
	made->at[PLACE_SCHEME] = hash_of(reading->part[SCHEME]);
	made->at[PLACE_HOST] = hash_of(host);
	made->at[PLACE_PORT] = (uint64_t)port;
	made->known = true;
}

/* Returns the group of the first reader before `number` with the same value, or the next free
 * group. */
static uint8_t group_of(const struct outcome *outcome, const struct places *found, size_t number,
			enum place place)
{
	uint8_t most = 0;

	for (size_t i = 0; i < number; i++) {
		const uint8_t group = outcome->group[place][i];

		if (!found[i].known)
			continue;
		if (found[i].at[place] == found[number].at[place])
			return group;
		most = group > most ? group : most;
	}
	return (uint8_t)(most + 1);
}

static void read_all(struct outcome *outcome, const char *data, size_t length)
{
	struct places found[READERS_MOST];
	size_t count;
	const struct reader *reader = readers(&count);

	memset(found, 0, sizeof found);
	for (size_t i = 0; i < count; i++) {
		const enum fate fate = read_by(&reader[i], data, length, note_places, &found[i]);
		const bool given_up = fate == FATE_OVER_READ || fate == FATE_ABORT;

		outcome->given_up |= given_up;
		found[i].known &= !given_up;
		for (int place = 0; place < PLACES; place++) {
			outcome->group[place][i] =
			    given_up         ? GROUP_GIVEN_UP
			    : found[i].known ? group_of(outcome, found, i, (enum place)place)
					     : GROUP_SILENT;
			outcome->apart |= found[i].known && outcome->group[place][i] > 1;
		}
	}
}

/* ---- Findings of strict ------------------------------------------------------------------- */

static void judge(struct outcome *outcome, const char *data, size_t length)
{
	struct urivet_report report;

	outcome->accepted = urivet_check(&report, data, length, NULL) == URIVET_ACCEPT;
	outcome->web = report.parsed && (report.uri.scheme == URIVET_SCHEME_HTTP ||
					 report.uri.scheme == URIVET_SCHEME_HTTPS);
	for (uint32_t i = 0; i < report.count; i++) {
		const struct urivet_finding *finding = &report.finding[i];

		if (finding->class_ != URIVET_POLICY &&
		    urivet_finding_refuses(&report, finding, NULL)) {
			outcome->finding[finding->id / 64] |= (uint64_t)1 << finding->id % 64;
			outcome->named = true;
		}
	}
}

void outcome_of(struct outcome *outcome, const char *data, size_t length)
{
	memset(outcome, 0, sizeof *outcome);
	judge(outcome, data, length);
	read_all(outcome, data, length);
	outcome->partition = mixed(FNV_START, outcome->group, sizeof outcome->group);
}

uint64_t outcome_key(const struct outcome *outcome)
{
	const uint8_t judged[] = {outcome->accepted, outcome->web, outcome->named};
	const uint64_t key = mixed(outcome->partition, judged, sizeof judged);

	return key != 0 ? key : 1;
}

bool outcome_holds(const struct outcome *before, const struct outcome *after)
{
	for (size_t i = 0; i < FINDING_WORDS; i++)
		if ((after->finding[i] & ~before->finding[i]) != 0)
			return false;
	return after->partition == before->partition && after->web == before->web;
}
