/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unit tests and what the models expect, in one process, against whatever core
 * LD_PRELOAD puts before the sound one:
 *
 *   killer measure        seconds and name of each test, and how many assertions failed
 *   killer trace TEST...  name of each test, and the offsets of the functions it reached
 *   killer run TEST SECONDS...
 *
 * `run` goes through the tests that are named, in that order, and stops at the first that
 * fails, or takes more seconds of processor time than stand behind its name: its name, and
 * status 1. Status 0: all passed.
 *
 * EXPECTED is the folder of what expected.py wrote.
 */
#include <criterion/criterion.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <urivet.h>
#include <urivet/rules.h>

#include "../../built_in.h"

#include "../unit/support.h"
#include "policy/addr.h"

/* ---- What the models expect ---------------------------------------------------- */

TestSuite(model, .timeout = 60);

#define COLUMNS 8

/* Splits a line at its separators; returns the number of columns. */
static unsigned cut(char *line, char separator, char *column[], unsigned most)
{
	unsigned n = 0;
	for (char *p = line; n < most; p++) {
		column[n++] = p;
		p += strcspn(p, (char[]){separator, '\n', '\0'});
		const bool more = *p == separator;
		*p = '\0';
		if (!more)
			break;
	}
	return n;
}

static FILE *expected_file(const char *name)
{
	const char *folder = getenv("EXPECTED");
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : ".", name);
	FILE *file = fopen(path, "r");
	cr_assert(file != NULL, "%s", path);
	return file;
}

/* Returns true if the list contains the name of the finding. */
static bool has_name(const char *list, char separator, unsigned id)
{
	const char *name = urivet_finding_info(id)->name;
	const size_t length = strlen(name);
	for (const char *p = list; p != NULL; p = strchr(p, separator)) {
		p += *p == separator;
		if (strncmp(p, name, length) == 0 && (p[length] == separator || p[length] == '\0'))
			return true;
	}
	return false;
}

/* Returns how many of the report's findings are in the list. */
static unsigned in_list(const struct urivet_report *r, const char *list, char separator)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < r->count; k++)
		n += has_name(list, separator, r->finding[k].id);
	return n;
}

static unsigned names_in(const char *list, char separator)
{
	unsigned n = strcmp(list, "-") != 0;
	for (; *list != '\0'; list++)
		n += *list == separator;
	return n;
}

/* Returns the columns of the command's TSV, separated by spaces. */
static const char *components(const struct urivet_report *r, const unsigned char *data)
{
	static const enum urivet_component order[] = {URIVET_SCHEME,  URIVET_USERINFO, URIVET_HOST,
						      URIVET_PORT,    URIVET_PATH,     URIVET_QUERY,
						      URIVET_FRAGMENT};
	static char out[1 << 16];
	size_t n = 0;
	for (unsigned k = 0; k < 7; k++) {
		const struct urivet_span s = r->uri.part[order[k]];
		if (!r->parsed || !urivet_has(&r->uri, order[k])) {
			n += (size_t)sprintf(out + n, "\\N ");
			continue;
		}
		for (uint32_t i = s.offset; i < s.offset + s.length && n < sizeof out - 16; i++)
			n += (size_t)sprintf(
			    out + n,
			    data[i] > 0x20 && data[i] < 0x7f && data[i] != '\\' ? "%c" : "\\x%02X",
			    data[i]);
		out[n++] = ' ';
	}
	if (!r->parsed || r->uri.port == URIVET_NO_PORT)
		strcpy(out + n, "\\N");
	else
		sprintf(out + n, "%u", (unsigned)r->uri.port);
	return out;
}

static size_t from_hex(const char *hex, unsigned char *data, size_t room)
{
	size_t n = 0;
	unsigned octet;
	for (; n < room && sscanf(hex + 2 * n, "%2x", &octet) == 1; n++)
		data[n] = (unsigned char)octet;
	return n;
}

static void check_row(char *column[], const struct urivet_policy *policy)
{
	static unsigned char data[1 << 16];
	const size_t length = from_hex(column[2], data, sizeof data);
	struct urivet_report r;
	const char *verdict =
	    urivet_check(&r, at_edge(data, length), length, policy) == URIVET_ACCEPT ? "accept"
										     : "reject";
	cr_assert(*column[3] == '-' || strcmp(verdict, column[3]) == 0, "%s", column[2]);
	cr_assert(strcmp(column[0], "strict") != 0 || *column[3] == '-' ||
		      urivet_ok(at_edge(data, length), length) == (*column[3] == 'a'),
		  "%s", column[2]);
	if (*column[4] != '*')
		cr_assert_str_eq(components(&r, data), column[4]);
	if (*column[7] != '*')
		cr_assert(in_list(&r, column[7], ',') == r.count &&
			      r.count == names_in(column[7], ','),
			  "%s: %s", column[2], ids_of(&r));
	if (r.verdict == URIVET_ACCEPT || strcmp(column[3], "reject") != 0 || r.dropped > 0)
		return;
	if (*column[5] != '-')
		cr_assert(in_list(&r, column[5], ',') == names_in(column[5], ','), "%s: %s",
			  column[2], ids_of(&r));
	for (char *choice = column[6], *end; *choice != '-' && *choice != '\0'; choice = end) {
		end = choice + strcspn(choice, ",");
		if (*end == ',')
			*end++ = '\0';
		cr_assert(in_list(&r, choice, '|') > 0, "%s: %s", column[2], ids_of(&r));
	}
}

static void check_rows(const char *name)
{
	static char line[1 << 18];
	FILE *file = expected_file("inputs.tsv");
	struct urivet_network nat64[16];
	unsigned rows = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		char *column[COLUMNS], *prefix[16];
		cr_assert(cut(line, '\t', column, COLUMNS) == COLUMNS);
		if (strcmp(column[0], name) != 0)
			continue;
		struct urivet_policy policy = built_in(urivet_policy_named(column[0], strlen(column[0])));
		if (*column[1] != '-') {
			policy.nat64_count = cut(column[1], ',', prefix, 16);
			for (unsigned k = 0; k < policy.nat64_count; k++)
				cr_assert(
				    urivet_network_from(&nat64[k], prefix[k], strlen(prefix[k])));
			policy.nat64 = nat64;
		}
		check_row(column, &policy);
		rows++;
	}
	fclose(file);
	cr_assert(rows > 1000);
}

Test(model, strict)
{
	check_rows("strict");
}

Test(model, any)
{
	check_rows("any");
}

Test(model, public)
{
	check_rows("public");
}

/* Every row of the registries and of the rows that fill their gaps, and no others. */
Test(model, table_of_addresses)
{
	char line[4096];
	FILE *file = expected_file("rows.tsv");
	unsigned rows = 0, found = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		char *column[5];
		struct urivet_network network;
		const struct urivet_address_row *row;
		cr_assert(cut(line, '\t', column, 5) == 5);
		cr_assert(urivet_network_from(&network, column[0], strlen(column[0])));
		rows++;
		for (size_t k = 0; (row = urivet_address_row_at(k)) != NULL; k++) {
			const struct urivet_network *n = &row->network;
			const struct urivet_finding_row *info = urivet_finding_info(row->finding);
			if (n->octets != network.octets || n->length != network.length ||
			    memcmp(n->address, network.address, n->octets) != 0)
				continue;
			found++;
			cr_assert_str_eq(row->reachable ? "yes" : "no", column[1]);
			cr_assert_str_eq(info != NULL ? info->name : "-", column[2]);
			if (*column[3] != '*')
				cr_assert(strcmp(row->name, column[3]) == 0 &&
					  strstr(row->reference, column[4]) != NULL);
		}
	}
	fclose(file);
	cr_assert(rows > 50 && found == rows && urivet_address_row_at(rows - 1) != NULL &&
		  urivet_address_row_at(rows) == NULL);
}

/* ---- Which functions a test reaches: for a core built with -finstrument-functions -- */

#define MOST_CODE (1u << 22)

static unsigned char reached[MOST_CODE];
static const char *code;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
	const size_t at = (size_t)((const char *)function - code);
	(void)caller;
	if (code != NULL && at < MOST_CODE)
		reached[at] = 1;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
}

/* Returns true for tests that can fail only by taking too long. */
static bool is_of_time(const struct standalone_test *t)
{
	return strcmp(t->suite, "linear") == 0 || strcmp(t->name, "linear") == 0 ||
	       strcmp(t->name, "hostile_is_linear") == 0;
}

static const struct standalone_test *named(const char *name)
{
	for (const struct standalone_test *t = standalone_tests; t != NULL; t = t->next) {
		const size_t length = strlen(t->suite);
		if (strncmp(name, t->suite, length) == 0 && name[length] == '/' &&
		    strcmp(name + length + 1, t->name) == 0)
			return t;
	}
	printf("killer: no test %s\n", name);
	exit(2);
}

static void trace(int count, char **name)
{
	Dl_info info;
	if (dladdr((void *)urivet_check_sized, &info) == 0)
		exit(2);
	code = info.dli_fbase;
	for (int k = 0; k < count; k++) {
		memset(reached, 0, sizeof reached);
		standalone_run(named(name[k]));
		printf("%s", name[k]);
		for (size_t at = 0; at < MOST_CODE; at++)
			if (reached[at])
				printf(" %zx", at);
		putchar('\n');
	}
}

/* ---- Running -------------------------------------------------------------------- */

static const struct standalone_test *now;

static void too_long(int number)
{
	(void)number;
	printf("%s/%s by time\n", now->suite, now->name);
	fflush(stdout);
	_exit(1);
}

static void allow(double seconds)
{
	const struct itimerval most = {
	    {0, 0}, {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
	setitimer(ITIMER_PROF, &most, NULL);
}

static void measure(void)
{
	for (const struct standalone_test *t = standalone_tests; t != NULL; t = t->next) {
		if (is_of_time(t))
			continue;
		const clock_t begin = clock();
		const unsigned long failed = standalone_run(t);
		printf("%s/%s %.4f %lu\n", t->suite, t->name,
		       (double)(clock() - begin) / CLOCKS_PER_SEC, failed);
	}
}

static int run(int count, char **word)
{
	signal(SIGPROF, too_long);
	standalone_stops = standalone_quiet = getenv("VERBOSE") == NULL;
	for (int k = 0; k + 1 < count; k += 2) {
		now = named(word[k]);
		allow(strtod(word[k + 1], NULL));
		if (standalone_run(now) > 0) {
			puts(word[k]);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], "measure") == 0)
		measure();
	else if (argc >= 2 && strcmp(argv[1], "trace") == 0)
		trace(argc - 2, argv + 2);
	else if (argc >= 4 && strcmp(argv[1], "run") == 0)
		return run(argc - 2, argv + 2);
	else
		return 2;
	return 0;
}
