/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is what the library takes what the ABNF says, and are the components where it
 * says? Automata made from the ABNF (tables.py) give the strings and the answers:
 *
 *   conform LANGUAGE FILE EXTRA LENGTH     one line: states, classes, tests, differences
 *   conform --control FILE                 do the suites find faults in a copy of the table?
 *
 * The suites: the Wp-method for EXTRA states beyond those of the acceptor; the
 * same for the transducer that marks components, without extra states; each state
 * with each of the 256 octets after it; all strings of LENGTH octets that stand
 * for their classes, after each head, not followed where nothing can be taken any
 * more. Every string ends at an unreadable page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <urivet/readers.h>

#include "readers/edition.h"

#define MARKS        16
#define HERE         255
#define LONGEST      256
#define MAX_EXAMPLES 10

/* ---- Tables ------------------------------------------------------------------ */

struct word {
	const int *octet;
	unsigned length;
};

struct machine {
	unsigned states, classes, start, words;
	const int *class_of, *octet_of, *output, *next;
	struct word *access, *word;
	const int **of_state; /* the number of its words, then the words */
};

struct transducer {
	const int **list; /* of sources: its length first */
	const int *edge;  /* the list of the beginning, then those of the edges */
	const int *final;
};

static struct machine acceptor, marker;
static struct transducer registers;

static const int *read_words(const int *p, unsigned count, struct word **words)
{
	*words = calloc(count + 1, sizeof **words);
	for (unsigned k = 0; k < count; k++) {
		(*words)[k].length = (unsigned)*p++;
		(*words)[k].octet = p;
		p += (*words)[k].length;
	}
	return p;
}

static const int *read_lists(const int *p, unsigned count, const int ***lists)
{
	*lists = calloc(count + 1, sizeof **lists);
	for (unsigned k = 0; k < count; k++) {
		(*lists)[k] = p;
		p += 1 + *p;
	}
	return p;
}

/* Reads a machine as machine() of tables.py wrote it; returns the start of the next table. */
static const int *read_machine(const int *p, struct machine *m)
{
	m->states = (unsigned)*p++;
	m->classes = (unsigned)*p++;
	m->start = (unsigned)*p++;
	m->class_of = p;
	m->octet_of = p + 256;
	m->output = m->octet_of + m->classes;
	m->next = m->output + m->states;
	p = read_words(m->next + m->states * m->classes, m->states, &m->access);
	m->words = (unsigned)*p++;
	p = read_words(p, m->words, &m->word);
	return read_lists(p, m->states, &m->of_state);
}

static void read_tables(const char *name)
{
	FILE *file = fopen(name, "rb");
	long size;
	int *data;
	const int *p;
	if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0) {
		perror(name);
		exit(2);
	}
	rewind(file);
	data = malloc((size_t)size);
	if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
		perror(name);
		exit(2);
	}
	fclose(file);
	p = read_machine(read_machine(data, &acceptor), &marker);
	registers.edge = read_lists(p + 1, (unsigned)*p, &registers.list);
	registers.final = registers.edge + 1 + marker.states * marker.classes;
}

/* ---- Languages --------------------------------------------------------------- */

struct language {
	const char *name;
	bool (*takes)(struct urivet_uri *uri, const void *data, size_t length);
	enum urivet_reader reader;
	const char *heads[8];
};

static const struct language *language;

/* Reads as an edition; for RFC 3986 by the function that reports where the grammar fails. */
static bool edition(struct urivet_uri *uri, const void *data, size_t length)
{
	struct urivet_reading r;
	bool reads;
	if (language->reader == URIVET_READER_RFC3986)
		return urivet_parse(uri, data, length, NULL);
	reads = urivet_read_as(&r, language->reader, data, length, NULL, 0);
	*uri = r.uri;
	return reads;
}

/*
 * The gate's regular part: strict with the findings of the other rules waived.
 * These rules only add findings, so strict takes what both let through. (The
 * limits of names and labels are lifted too.)
 */
static const char *const not_regular[] = {"host-label-too-long",
					  "host-too-long",
					  /* G2 */ "idn-invalid-alabel",
					  /* G5 */ "invalid-utf8-escape",
					  "overlong-utf8",
					  "latin1-escape",
					  /* G6, G7, G8 */ "escape-after-astral",
					  "escaped-bidi",
					  "escape-mixed-iri",
					  /* G17 */ "escaped-compatibility",
					  /* D1 */ "port-nondefault",
					  "port-blocked",
					  /* D2 */ "escaped-crlf",
					  "escaped-nul",
					  "escaped-control",
					  /* D3 */ "double-escape",
					  "double-escape-crlf",
					  /* D4, D5 */ "escaped-slash-dot",
					  "path-param-dot-segment",
					  "host-trailing-dot"};

static struct urivet_policy gate_policy;

static void make_gate_policy(void)
{
	(void)urivet_policy_init(&gate_policy, sizeof gate_policy, URIVET_STRICT);
	for (unsigned k = 0; k < sizeof not_regular / sizeof not_regular[0]; k++) {
		const char *name = not_regular[k];
		const int id = urivet_finding_named(name, strlen(name));
		if (id < 0 || !urivet_policy_waive(&gate_policy, (unsigned)id)) {
			fprintf(stderr, "no finding to waive: %s\n", name);
			exit(2);
		}
	}
}

static bool gate(struct urivet_uri *uri, const void *data, size_t length)
{
	struct urivet_report report;
	const bool accepted = urivet_check(&report, data, length, &gate_policy) == URIVET_ACCEPT;
	*uri = report.uri;
	return accepted;
}

/* Judges request targets in origin-form by the policy gateway, without a Host field. */
static bool gateway(struct urivet_uri *uri, const void *data, size_t length)
{
	struct urivet_policy policy;
	struct urivet_request request;
	struct urivet_report report;
	enum urivet_target_form form;
	bool accepted;
	(void)urivet_policy_init(&policy, sizeof policy, URIVET_GATEWAY);
	(void)urivet_request_init(&request, sizeof request);
	request.host_unknown = true;
	accepted = urivet_check_request(&report, data, length, &request, &policy,
					&form) == URIVET_ACCEPT;
	*uri = report.uri;
	return accepted && form == URIVET_TARGET_ORIGIN;
}

/* The gate, targets of a gateway, and the editions of readers.def. */
static const struct language languages[] = {
    {"gate",
     gate,
     URIVET_READER_RFC3986,
     {"", "http://", "http://a", "http://h/", "https://h/.a", "http://1.2.3.",
      "http://[2::", "http://h/#%"}},
    {"gateway",
     gateway,
     URIVET_READER_RFC3986,
     {"", "/", "/a", "/%E2%8", "/%e2%81%a", "/a/.", "/a?", "/?%0"}},
#define EDITION(constant, number, name, follows, grammar, extra, length, ...)                      \
	{name, edition, URIVET_READER_##constant, {__VA_ARGS__}},
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
};

/* Returns true if the edition treats an empty component as absent. */
static bool empty_is_none(void)
{
	return urivet_edition(language->reader)->empty_is_undefined;
}

/* ---- One test ------------------------------------------------------------------ */

/* The states of both machines after a text. */
struct place {
	unsigned state, marked;
	int mark[MARKS];
	unsigned length;
};

static unsigned char *edge; /* the unreadable page */
static unsigned char text[LONGEST];
static unsigned long tests, taken, differences;
static const struct machine *faulty; /* a control: tested instead of the library */

static void take_sources(struct place *p, int list)
{
	const int *source = registers.list[list];
	int mark[MARKS];
	for (int k = 1; k <= source[0]; k++)
		mark[k - 1] = source[k] == HERE ? (int)p->length : p->mark[source[k]];
	memcpy(p->mark, mark, sizeof mark);
}

static struct place at_start(void)
{
	struct place p = {acceptor.start, marker.start, {0}, 0};
	take_sources(&p, registers.edge[0]);
	return p;
}

static void step(struct place *p, int octet)
{
	const unsigned edge_of = p->marked * marker.classes + (unsigned)marker.class_of[octet];
	text[p->length++] = (unsigned char)octet;
	p->state =
	    (unsigned)
		acceptor.next[p->state * acceptor.classes + (unsigned)acceptor.class_of[octet]];
	take_sources(p, registers.edge[1 + edge_of]);
	p->marked = (unsigned)marker.next[edge_of];
}

static void follow(struct place *p, const struct word *w)
{
	for (unsigned k = 0; k < w->length; k++)
		step(p, w->octet[k]);
}

static void differ(const char *what, unsigned length)
{
	if (differences++ < MAX_EXAMPLES && faulty == NULL) {
		printf("%s: %s: ", language->name, what);
		for (unsigned k = 0; k < length; k++)
			printf(text[k] > 32 && text[k] < 127 ? "%c" : "\\x%02x", text[k]);
		printf("\n");
	}
}

/* Returns true if the component lies where the marks say. The library shows a literal without
 * its brackets, and has an empty host and path where the grammar has none. */
static bool same_component(const struct urivet_uri *uri, unsigned c, const int mark[2])
{
	const struct urivet_span s = uri->part[c];
	const bool present = urivet_has(uri, c) && !(empty_is_none() && s.length == 0);
	unsigned begin, end;
	if (mark[0] < 0 || (empty_is_none() && mark[0] == mark[1]))
		return !present || ((c == URIVET_HOST || c == URIVET_PATH) && s.length == 0);
	begin = (unsigned)mark[0];
	end = (unsigned)mark[1];
	if (c == URIVET_HOST && end > begin && text[begin] == '[') {
		begin++;
		end--;
	}
	return present && s.offset == begin && s.length == end - begin;
}

static void compare_components(const struct urivet_uri *uri, const struct place *p)
{
	static const unsigned components[] = {URIVET_SCHEME, URIVET_AUTHORITY, URIVET_USERINFO,
					      URIVET_HOST,   URIVET_PORT,      URIVET_PATH,
					      URIVET_QUERY,  URIVET_FRAGMENT};
	const int *final = registers.final + MARKS * p->marked;
	for (unsigned k = 0; k < 8; k++) {
		const int mark[2] = {final[2 * k] < 0 ? -1 : p->mark[final[2 * k]],
				     final[2 * k + 1] < 0 ? -1 : p->mark[final[2 * k + 1]]};
		if (!same_component(uri, components[k], mark)) {
			differ("a component lies elsewhere", p->length);
			return;
		}
	}
}

/* Compares the library and the machines on the text at p. */
static void test(const struct place *p)
{
	const bool expected = acceptor.output[p->state] != 0;
	struct urivet_uri uri;
	bool got;
	tests++;
	memcpy(edge - p->length, text, p->length);
	got = language->takes(&uri, edge - p->length, p->length);
	if (got != expected || expected != (marker.output[p->marked] != 0)) {
		differ(expected ? "refused" : "taken", p->length);
	} else if (expected && faulty == NULL) {
		taken++;
		compare_components(&uri, p);
	}
}

/* ---- Suites ---------------------------------------------------------------------- */

static void test_after(const struct place *p, const struct word *w)
{
	struct place q = *p;
	follow(&q, w);
	test(&q);
}

static unsigned state_of(const struct machine *m, const struct place *p)
{
	return m == &acceptor ? p->state : p->marked;
}

/* Wp: after up to `depth` octets, tests all words; after one more, those of the state. */
static void descend(const struct machine *m, const struct place *p, int depth)
{
	if (depth < 0) {
		const int *numbers = m->of_state[state_of(m, p)];
		for (int k = 1; k <= numbers[0]; k++)
			test_after(p, &m->word[numbers[k]]);
		return;
	}
	for (unsigned k = 0; k < m->words; k++)
		test_after(p, &m->word[k]);
	for (unsigned c = 0; c < m->classes; c++) {
		struct place q = *p;
		step(&q, m->octet_of[c]);
		descend(m, &q, depth - 1);
	}
}

static void wp_suite(const struct machine *m, int extra)
{
	for (unsigned s = 0; s < m->states; s++) {
		struct place p = at_start();
		follow(&p, &m->access[s]);
		descend(m, &p, extra);
	}
}

/* Tests each octet after each state, without assumptions about classes. */
static void octet_suite(void)
{
	for (unsigned s = 0; s < acceptor.states; s++) {
		struct place p = at_start();
		follow(&p, &acceptor.access[s]);
		for (int c = 0; c < 256; c++) {
			struct place q = p;
			step(&q, c);
			descend(&acceptor, &q, -1);
		}
	}
}

/* Returns true for a state that accepts nothing and is never left. */
static bool dead(const struct machine *m, unsigned state)
{
	if (m->output[state])
		return false;
	for (unsigned c = 0; c < m->classes; c++)
		if ((unsigned)m->next[state * m->classes + c] != state)
			return false;
	return true;
}

static void all_strings(const struct place *p, unsigned length)
{
	test(p);
	if (length == 0 || dead(&acceptor, p->state))
		return;
	for (unsigned c = 0; c < marker.classes; c++) {
		struct place q = *p;
		step(&q, marker.octet_of[c]);
		all_strings(&q, length - 1);
	}
}

static void string_suite(unsigned length)
{
	for (unsigned k = 0; k < 8 && language->heads[k] != NULL; k++) {
		struct place p = at_start();
		for (const char *c = language->heads[k]; *c != '\0'; c++)
			step(&p, (unsigned char)*c);
		all_strings(&p, length);
	}
}

/* ---- Control ------------------------------------------------------------------------ */

/* Accepts by the faulty table instead of the library; it has no components. */
static bool takes_faulty(struct urivet_uri *uri, const void *data, size_t length)
{
	const unsigned char *octet = data;
	unsigned state = faulty->start;
	(void)uri;
	for (size_t k = 0; k < length; k++)
		state = (unsigned)faulty
			    ->next[state * faulty->classes + (unsigned)faulty->class_of[octet[k]]];
	return faulty->output[state] != 0;
}

static bool is_found(const struct machine *m)
{
	static const struct language control = {
	    "control", takes_faulty, URIVET_READER_RFC3986, {""}};
	language = &control;
	faulty = m;
	differences = 0;
	for (unsigned s = 0; s < acceptor.states && differences == 0; s++) {
		struct place p = at_start();
		follow(&p, &acceptor.access[s]);
		descend(&acceptor, &p, 0);
	}
	return differences > 0;
}

/* Redirects every edge to a neighbouring state, and inverts every output, one at a time. */
static int control(void)
{
	struct machine m = acceptor;
	int *next = malloc(sizeof *next * m.states * m.classes);
	int *output = malloc(sizeof *output * m.states);
	unsigned long faults = 0, found = 0;
	memcpy(next, m.next, sizeof *next * m.states * m.classes);
	memcpy(output, m.output, sizeof *output * m.states);
	m.next = next;
	m.output = output;
	for (unsigned k = 0; k < m.states * m.classes; k++) {
		const int right = next[k];
		next[k] = (int)(((unsigned)right + 1) % m.states);
		faults++;
		found += is_found(&m);
		next[k] = right;
	}
	for (unsigned k = 0; k < m.states; k++) {
		output[k] = !output[k];
		faults++;
		found += is_found(&m);
		output[k] = !output[k];
	}
	printf("control: %lu faults in the table, %lu found; without a fault %s\n", faults, found,
	       is_found(&acceptor) ? "differences" : "none");
	return found != faults || is_found(&acceptor);
}

/* ---- Main -------------------------------------------------------------------------- */

static void make_edge(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *pages =
	    mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0) {
		perror("mmap");
		exit(2);
	}
	edge = pages + page;
}

static int conform(const char *name, int extra, unsigned length)
{
	for (unsigned k = 0; k < sizeof languages / sizeof languages[0]; k++)
		if (strcmp(languages[k].name, name) == 0)
			language = &languages[k];
	if (language == NULL)
		return 2;
	wp_suite(&acceptor, extra);
	wp_suite(&marker, 0);
	octet_suite();
	string_suite(length);
	printf("%-8s %4u states %2u classes, components %4u states %2u classes, n+%d, length %u:"
	       " %10lu tests, %9lu taken, %lu differences\n",
	       name, acceptor.states, acceptor.classes, marker.states, marker.classes, extra,
	       length, tests, taken, differences);
	return differences > 0;
}

int main(int argc, char **argv)
{
	make_edge();
	make_gate_policy();
	if (argc == 3 && strcmp(argv[1], "--control") == 0) {
		read_tables(argv[2]);
		return control();
	}
	if (argc != 5) {
		fprintf(stderr, "usage: conform LANGUAGE FILE EXTRA LENGTH\n"
				"       conform --control FILE\n");
		return 2;
	}
	read_tables(argv[2]);
	return conform(argv[1], atoi(argv[3]), (unsigned)atoi(argv[4]));
}
