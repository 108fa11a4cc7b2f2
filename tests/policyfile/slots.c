/* SPDX-License-Identifier: Apache-2.0 */
/* Threads judge by the policy of a slot, as often as argument 1 says, while another exchanges it.
 * Built with ThreadSanitizer, and again without the lock of slot.c, which has to show. */
#include <urivet/policy.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JUDGES 4u

static struct urivet_slot *slot;
static atomic_bool done;
static unsigned long rounds;

static void tell(void *context, const struct urivet_message *message)
{
	(void)context;
	fprintf(stderr, "%s:%lu: %s\n", message->file, (unsigned long)message->line, message->text);
}

/* Returns one of two policies, each of which denies what the other allows. */
static struct urivet_loaded *policy(unsigned which)
{
	static const char *const texts[] = {
	    "name: even\nhosts: {allow: [even.example]}\n",
	    "name: odd\nhosts: {allow: [odd.example]}\nmode: observe\n"};
	const char *text = texts[which % 2];
	struct urivet_loaded *loaded = urivet_load_text(text, strlen(text), "slots", tell, NULL);

	if (loaded == NULL)
		exit(2);
	return loaded;
}

static void *judge(void *wrong)
{
	static const char even[] = "https://even.example/", odd[] = "https://odd.example/";

	for (unsigned long i = 0; i < rounds; i++) {
		struct urivet_loaded *loaded = urivet_slot_take(slot);
		const bool observes = urivet_loaded_observes(loaded);
		struct urivet_report report;

		/* each verdict must be entirely by one policy or the other */
		if (urivet_check(&report, even, sizeof even - 1, urivet_loaded_policy(loaded)) !=
			(observes ? URIVET_REJECT : URIVET_ACCEPT) ||
		    urivet_check(&report, odd, sizeof odd - 1, urivet_loaded_policy(loaded)) !=
			(observes ? URIVET_ACCEPT : URIVET_REJECT))
			atomic_fetch_add((atomic_ulong *)wrong, 1);
		urivet_loaded_release(loaded);
	}
	return NULL;
}

static void *exchange(void *swaps)
{
	for (unsigned which = 1; !atomic_load(&done); which++) {
		struct urivet_loaded *loaded = policy(which);

		urivet_slot_put(slot, loaded);
		urivet_loaded_release(loaded);
		atomic_fetch_add((atomic_ulong *)swaps, 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct urivet_loaded *first = policy(0);
	static atomic_ulong wrong, swaps;
	pthread_t judges[JUDGES], exchanger;

	rounds = argc > 1 ? strtoul(argv[1], NULL, 10) / JUDGES : 25000;
	slot = urivet_slot_new(first);
	urivet_loaded_release(first);
	if (slot == NULL || pthread_create(&exchanger, NULL, exchange, &swaps) != 0)
		return 2;
	for (unsigned i = 0; i < JUDGES; i++)
		if (pthread_create(&judges[i], NULL, judge, &wrong) != 0)
			return 2;
	for (unsigned i = 0; i < JUDGES; i++)
		pthread_join(judges[i], NULL);
	atomic_store(&done, true);
	pthread_join(exchanger, NULL);
	urivet_slot_free(slot);
	printf("slots: %lu judgements by %u threads, %lu exchanges, %lu wrong\n", rounds * JUDGES,
	       JUDGES, (unsigned long)swaps, (unsigned long)wrong);
	return wrong > 0 || swaps < 2;
}
