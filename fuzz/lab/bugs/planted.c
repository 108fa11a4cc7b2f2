/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the planted bug and records its canaries, in the file that URIVET_CANARIES names, so they
 * survive the end of the program and are those of all processes of a fuzzer. A canary is the number
 * of the first execution that did it. The linker puts the functions below in the place of others
 * (--wrap), so the program works under any fuzzer.
 *
 * URIVET_STOP=triggered ends the program after an execution that triggered the bug. URIVET_MOST
 * executions are recorded. URIVET_BATCH names a file of items instead (number of the bug, length,
 * input): its answers, an octet each, are appended to that name with .out.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <urivet.h>
#include <urivet/readers.h>
#include <urivet/scan.h>

#include "planted.h"

struct canaries {
	uint64_t executions, reached, triggered, propagated, detected, stopped;
};

/* Numbers of items that are no bugs. The answer to the first has an octet for each bug. */
enum { EVERY_BUG = -2, NO_BUG = -1 };

int planted_bug = NO_BUG, planted_survey;

static struct canaries unseen, *canaries = &unseen;
static uint64_t most = UINT64_MAX, execution, output;
static uint8_t seen[PLANTED_MOST];
static int stops_at_trigger, runs, ticks;
static FILE *answers; /* of a batch */
static const char *batch;
static jmp_buf next_item;

static void first(uint64_t *canary)
{
	if (*canary == 0 && execution <= most)
		*canary = execution;
}

void planted_record(int number, int differs)
{
	seen[number] |= (uint8_t)(1 + 2 * differs);
	if (planted_survey)
		return;
	first(&canaries->reached);
	if (differs)
		first(&canaries->triggered);
}

static int has_triggered(void)
{
	return planted_bug >= 0 && (seen[planted_bug] & 2) != 0;
}

static void answer(int propagated, int detected)
{
	const int canary = planted_bug >= 0 ? seen[planted_bug] : 0;
	if (planted_survey)
		(void)fwrite(seen, 1, sizeof seen, answers);
	else
		(void)putc(canary | 4 * propagated | 8 * detected, answers);
	(void)fflush(answers);
}

/* An oracle or a sanitizer stops, or an execution takes too long. */
static void detect(void)
{
	if (!runs)
		return;
	runs = 0;
	first(&canaries->detected);
	if (has_triggered())
		first(&canaries->propagated);
	first(&canaries->stopped);
	if (answers != NULL)
		answer(has_triggered(), 1);
}

_Noreturn void __real_abort(void) __attribute__((weak));
_Noreturn void __wrap_abort(void);
_Noreturn void __wrap_abort(void)
{
	const int ran = runs;
	detect();
	if (ran && answers != NULL)
		longjmp(next_item, 1);
	__real_abort();
}

void __asan_on_error(void);
void __asan_on_error(void)
{
	detect();
}

void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
	detect();
}

/* Ends an execution of 20 s of the processor. */
static void tick(int number)
{
	static const char why[] = "libFuzzer: timeout\n";
	(void)number;
	if (!runs || ++ticks < 4)
		return;
	detect();
	_exit(write(2, why, sizeof why - 1) < 0 ? 71 : 70);
}

/* ---- the public output ----------------------------------------------------------------------- */

static void note(const void *data, size_t length)
{
	const uint8_t *const octets = data;
	for (size_t k = 0; k < length; k++)
		output = (output ^ octets[k]) * 0x100000001b3u;
	output = (output ^ length) * 0x100000001b3u;
}

typedef uint64_t word;
#define WORDS             word a, word b, word c, word d, word e, word f, word g, word h, word i, word j
#define GIVEN             a, b, c, d, e, f, g, h, i, j
#define POINTER(type, at) ((type *)(uintptr_t)(at))

static void note_report(const struct urivet_report *r)
{
	if (r == NULL || r->count > URIVET_MAX_FINDINGS)
		return; /* it was not filled in */
	note(&r->verdict, sizeof r->verdict);
	note(&r->dropped, sizeof r->dropped);
	if (r->parsed)
		note(&r->uri, sizeof r->uri);
	note(r->finding, r->count * sizeof r->finding[0]);
}

static void note_text(word text, word length, word capacity)
{
	if (text != 0 && length <= capacity)
		note(POINTER(char, text), length);
}

static void note_reading(word reading, word result)
{
	if (result)
		note(&POINTER(struct urivet_reading, reading)->uri, sizeof(struct urivet_uri));
}

static void note_find(word found, word text, word length, word result)
{
	if (!result)
		return;
	note(POINTER(void, found), 2 * sizeof(size_t));
	note(POINTER(void, text), *POINTER(size_t, length));
}

/*
 * A public function, the octets of its result, and how its output is noted. Arguments are passed on as
 * words, which fits the calling conventions of x86-64 and AArch64: none of these functions takes
 * a floating-point number or a large struct, or has more than ten words.
 */
#define OUTPUT(name, octets, noted)                                                                \
	word __real_##name(WORDS) __attribute__((weak));                                           \
	word __wrap_##name(WORDS);                                                                 \
	word __wrap_##name(WORDS)                                                                  \
	{                                                                                          \
		const word result = __real_##name(GIVEN) & (~(word)0 >> (64 - 8 * (octets)));      \
		if (runs) {                                                                        \
			note(&result, sizeof result);                                              \
			noted;                                                                     \
		}                                                                                  \
		return result;                                                                     \
	}
#define REPORT(at)         note_report(POINTER(const struct urivet_report, at))
#define TEXT(at, capacity) note_text(at, result, capacity)

OUTPUT(urivet_check_sized, 4, REPORT(a))
OUTPUT(urivet_verdict_of_sized, 4, )
OUTPUT(urivet_check_batch_sized, 8, )
OUTPUT(urivet_check_request_sized, 4, REPORT(a))
OUTPUT(urivet_check_peer_sized, 4, REPORT(a))
OUTPUT(urivet_check_address_sized, 4, REPORT(a))
OUTPUT(urivet_check_reference_sized, 4, REPORT(a))
OUTPUT(urivet_check_parameter_sized, 4, REPORT(a))
OUTPUT(urivet_check_parameters_sized, 4, REPORT(a))
OUTPUT(urivet_finding_refuses, 1, )
OUTPUT(urivet_reason, 4, )
OUTPUT(urivet_parse, 1, if (result) note(POINTER(void, a), sizeof(struct urivet_uri)))
OUTPUT(urivet_endpoint_sized, 8, TEXT(c, d))
OUTPUT(urivet_format_ids, 8, TEXT(a, b))
OUTPUT(urivet_format_address, 8, TEXT(a, b))
OUTPUT(urivet_format_report, 8, TEXT(a, b))
OUTPUT(urivet_json_next, 8, TEXT(b, c))
OUTPUT(urivet_decode, 8, TEXT(a, b))
OUTPUT(urivet_resolve, 8, TEXT(a, b))
OUTPUT(urivet_normalise, 8, TEXT(a, b))
OUTPUT(urivet_suggest, 8, TEXT(a, b))
OUTPUT(urivet_suggest_iri, 8, TEXT(b, c))
OUTPUT(urivet_display, 8, TEXT(a, b))
OUTPUT(urivet_compare, 4, )
OUTPUT(urivet_readers_disagree, 1, REPORT(f))
OUTPUT(urivet_read_as_sized, 1, note_reading(a, result))
OUTPUT(urivet_scan_next, 1, note_find(c, d, f, result))
OUTPUT(urivet_parameter_next, 1, )
OUTPUT(urivet_policy_finish, 1, )
OUTPUT(urivet_policy_waive, 1, )
OUTPUT(urivet_policy_raise, 1, )
OUTPUT(urivet_request_valid, 1, )
OUTPUT(urivet_host_rule_from, 1, )
OUTPUT(urivet_url_rule_from, 1, )
OUTPUT(urivet_path_rule_from, 1, )
OUTPUT(urivet_network_from, 1, )
OUTPUT(urivet_protected_from, 1, )
OUTPUT(urivet_compiled_write, 8, TEXT(a, b))
OUTPUT(urivet_compiled_open, 4, )
OUTPUT(urivet_loaded_compile, 8, )
OUTPUT(urivet_loaded_format, 8, TEXT(a, b))
OUTPUT(urivet_loaded_differences, 8, )
OUTPUT(urivet_suffixes_registrable, 8, TEXT(a, b))
OUTPUT(urivet_format_message, 8, TEXT(a, b))
OUTPUT(gate_format_findings, 8, TEXT(a, b))
OUTPUT(gate_explain, 8, TEXT(a, b))
OUTPUT(gate_reason, 4, )
OUTPUT(gate_is_field, 1, )
OUTPUT(write, 8, note(POINTER(void, b), c)) /* all that the command prints */

/* ---- executions ------------------------------------------------------------------------------ */

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) __attribute__((weak));
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* Returns the digest of the output of one execution. */
static uint64_t run(const uint8_t *data, size_t length, int bug, int *status)
{
	const int planted = planted_bug;
	planted_bug = bug;
	output = 0xcbf29ce484222325u;
	ticks = 0;
	runs = 1;
	*status = __real_LLVMFuzzerTestOneInput(data, length);
	runs = 0;
	planted_bug = planted;
	return output;
}

/* Returns true if the output with the bug, whose digest is given, is not that without it. An output that
 * differs from itself shows nothing. */
static int differs(const uint8_t *data, size_t length, uint64_t with)
{
	int status;
	const uint64_t without = run(data, length, NO_BUG, &status);
	return with != without && run(data, length, planted_bug, &status) == with &&
	       run(data, length, NO_BUG, &status) == without;
}

static void run_item(const uint8_t *data, size_t length)
{
	uint64_t with;
	int status;
	memset(seen, 0, sizeof seen);
	if (setjmp(next_item) != 0)
		return;
	with = run(data, length, planted_bug, &status);
	answer(has_triggered() && differs(data, length, with), 0);
}

static void run_batch(void)
{
	char name[4096];
	int32_t head[2];
	FILE *const items = fopen(batch, "rb");
	(void)snprintf(name, sizeof name, "%s.out", batch);
	answers = fopen(name, "ab");
	if (items == NULL || answers == NULL)
		abort();
	while (fread(head, sizeof head, 1, items) == 1) {
		uint8_t *const data = malloc(head[1] > 0 ? (size_t)head[1] : 1);
		if (data == NULL || fread(data, 1, (size_t)head[1], items) != (size_t)head[1])
			abort();
		planted_survey = head[0] == EVERY_BUG;
		planted_bug = planted_survey ? NO_BUG : head[0];
		run_item(data, (size_t)head[1]);
		free(data);
	}
	(void)fclose(answers);
	_exit(0);
}

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	uint64_t with;
	int status;
	if (batch != NULL)
		run_batch();
	execution = __atomic_add_fetch(&canaries->executions, 1, __ATOMIC_RELAXED);
	memset(seen, 0, sizeof seen);
	with = run(data, length, planted_bug, &status);
	if (has_triggered() && canaries->propagated == 0 && differs(data, length, with))
		first(&canaries->propagated);
	if (has_triggered() && stops_at_trigger) {
		first(&canaries->stopped);
		fprintf(stderr, "triggered: URIVET_STOP ends this program\n");
		abort();
	}
	return status;
}

static void open_canaries(const char *path)
{
	const int file = open(path, O_RDWR | O_CREAT, 0600);
	void *shared = MAP_FAILED;
	if (file >= 0 && ftruncate(file, sizeof unseen) == 0)
		shared = mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (shared == MAP_FAILED)
		abort();
	(void)close(file);
	canaries = shared;
}

__attribute__((constructor)) static void begin(void)
{
	static const struct itimerval every = {{5, 0}, {5, 0}};
	const char *bug = getenv("URIVET_BUG"), *path = getenv("URIVET_CANARIES"),
		   *stop = getenv("URIVET_STOP"), *limit = getenv("URIVET_MOST");
	if (bug != NULL)
		planted_bug = atoi(bug);
	if (limit != NULL)
		most = strtoull(limit, NULL, 10);
	stops_at_trigger = stop != NULL && strcmp(stop, "triggered") == 0;
	batch = getenv("URIVET_BATCH");
	if (path == NULL && batch == NULL)
		return;
	if (path != NULL)
		open_canaries(path);
	(void)signal(SIGVTALRM, tick);
	(void)setitimer(ITIMER_VIRTUAL, &every, NULL);
}
