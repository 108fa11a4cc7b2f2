/* SPDX-License-Identifier: Apache-2.0 */
/* What a large policy costs: policy_speed FILE URL... times loading the file, as YAML or compiled,
 * and judging the URLs by it, and prints milliseconds and nanoseconds of processor time, the least
 * of several. For people: no test asks. */
#include <urivet/policy.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOADS  5u
#define ROUNDS 20u
#define TIMES  2000u

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void tell(void *context, const struct urivet_message *message)
{
	fprintf(context, "%s:%lu: %s\n", message->file, (unsigned long)message->line,
		message->text);
}

int main(int argc, char **argv)
{
	struct urivet_loaded *loaded = NULL;
	double least = 0;

	if (argc < 3)
		return 2;
	for (unsigned i = 0; i < LOADS; i++) {
		const double start = now();

		urivet_loaded_release(loaded);
		loaded = urivet_load(argv[1], tell, stderr);
		if (loaded == NULL)
			return 2;
		least = i == 0 || now() - start < least ? now() - start : least;
	}
	printf("%s: loaded in %.1f ms\n", argv[1], least / 1e6);
	for (int k = 2; k < argc; k++) {
		const size_t length = strlen(argv[k]);
		struct urivet_report report = {0};

		for (unsigned round = 0; round < ROUNDS; round++) {
			const double start = now();

			for (unsigned i = 0; i < TIMES; i++)
				(void)urivet_check(&report, argv[k], length, urivet_loaded_policy(loaded));
			least = round == 0 || now() - start < least ? now() - start : least;
		}
		printf("%s: %s in %.0f ns\n", argv[k],
		       report.verdict == URIVET_ACCEPT ? "accepted" : "refused", least / TIMES);
	}
	urivet_loaded_release(loaded);
	return 0;
}
