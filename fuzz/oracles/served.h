/* SPDX-License-Identifier: Apache-2.0 */
/* Auth requests over HTTP to the helper `urivet serve`: the answer is that of the same fields without
 * HTTP, and what HTTP readers read differently is never passed. Included by fuzz_gateway.c. */
#ifndef SERVED_H
#define SERVED_H

#ifdef HAVE_LIBEVENT

#include "gateway/serve/questions.c"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SERVED_MOST 20000u /* octets of a request; the pieces fit into a socket */

static struct serve served = {.connections = 64, .seconds = 5, .sends_findings = true, .log = -1};
static struct counts *counted;
static struct server helper;
static struct event_base *served_base;
static struct sockaddr_un served_at = {.sun_family = AF_UNIX};
static socklen_t served_length;

/* Starts the helper on a socket without a name in a file system. */
static void start_helper(void)
{
	if (served_base != NULL)
		return;
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	counted = calloc(1, COUNTS_SIZE(1));
	served_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				    (size_t)snprintf(served_at.sun_path + 1, sizeof served_at.sun_path - 1, "urivet-fuzz-%ld",
						     (long)getpid()));
	helper = (struct server){.serve = &served, .counts = counted};
	const struct web_settings settings = settings_of(&helper, NULL);
	served_base = event_base_new();
	if (fd < 0 || counted == NULL || served_base == NULL || signal(SIGPIPE, SIG_IGN) == SIG_ERR || bind(fd, (const struct sockaddr *)&served_at, served_length) != 0 || listen(fd, 8) != 0 || web_new(served_base, fd, &settings) == NULL)
		abort();
}

static void turn(void)
{
	(void)event_base_loop(served_base, EVLOOP_NONBLOCK);
}

/* Sends a request in two pieces, and returns the length of the answer: 0 if the connection is
 * closed without one, or the request is not all there yet. */
static size_t ask_over_http(char *answer, size_t room, const char *text, size_t length, size_t first)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	size_t used = 0;
	bool open = true;
	if (fd < 0 || connect(fd, (const struct sockaddr *)&served_at, served_length) != 0)
		abort();
	for (size_t from = 0, to = first; from < length; from = to, to = length) {
		if (to > from && send(fd, text + from, to - from, MSG_NOSIGNAL) < 0)
			break; /* it was refused already */
		turn();
	}
	for (unsigned turns = 0; turns < 50 && open && memmem(answer, used, "\r\n\r\n", 4) == NULL; turns++) {
		const ssize_t got = recv(fd, answer + used, room - used, 0);
		open = got != 0 && (got > 0 || errno == EAGAIN);
		used += got > 0 ? (size_t)got : 0;
		turn();
	}
	(void)close(fd);
	turn();
	return used;
}

/* Returns true if HTTP can carry the text as it is, as a value of a field or, without blanks, in the
 * first line. */
static bool is_carried(struct urivet_text text, bool blanks)
{
	const uint8_t *const at = text.data;
	for (size_t k = 0; k < text.length; k++)
		if (at[k] < ' ' || at[k] >= 0x7f || (at[k] == ' ' && !blanks))
			return false;
	return text.length == 0 ? blanks : at[0] != ' ' && at[text.length - 1] != ' ';
}

static bool is_method_of_http(struct urivet_text method)
{
	static const char *const known[] = {"GET", "POST", "HEAD", "PROPFIND"};
	for (unsigned k = 0; k < COUNT(known); k++)
		if (same(method.data, method.length, known[k], strlen(known[k])))
			return true;
	return false;
}

/* What no reader of HTTP is sure of, each put in before the end of the fields. */
#define DOUBT(text) {text, sizeof(text) - 1}
static const struct urivet_text doubtful[] = {DOUBT("X-A : b\r\n"), DOUBT("X-A: b\r\n c\r\n"), DOUBT(" X-A: b\r\n"), DOUBT("X-A: b\r\n\tc\r\n"),
					      DOUBT("X A: b\r\n"), DOUBT("Transfer-Encoding: chunked\r\n"), DOUBT(": b\r\n"),
					      DOUBT("X-A: b\x01\0c\r\n"), DOUBT("X(A): b\r\n"), DOUBT("Content-Length: 5\r\n")};

static void expect_served(const struct question *q, enum front front, const struct rules *rules,
			  const struct gate_outcome *outcome, struct dice *d)
{
	static char text[SERVED_MOST + 512], answer[8192];
	struct builder b = {text, 0};
	const uint32_t wrong = below(d, 2 * COUNT(doubtful)),
		       more = below(d, 8) == 0 ? 100 - (uint32_t)q->count + below(d, 2) : 0; /* as many as are read, or one more */
	size_t length = q->method.length + q->target.length + 16;
	bool carried = is_method_of_http(q->method) && is_carried(q->target, false);
	for (size_t k = 0; k < q->count; k++) {
		carried = carried && is_carried(q->fields[k].value, true);
		length += q->fields[k].name.length + q->fields[k].value.length + 4;
	}
	if (!carried || length + 16 * more > SERVED_MOST)
		return;
	start_helper();
	served.front = front;
	helper.rules = rules;
	add(&b, q->method.data, q->method.length);
	add_word(&b, " ");
	add(&b, q->target.data, q->target.length);
	add_word(&b, " HTTP/1.1\r\n");
	for (size_t k = 0; k < q->count; k++) {
		add(&b, q->fields[k].name.data, q->fields[k].name.length);
		add_word(&b, below(d, 2) == 0 ? ": " : ":");
		add(&b, q->fields[k].value.data, q->fields[k].value.length);
		add_word(&b, "\r\n");
	}
	for (uint32_t k = 0; k < more; k++)
		add_word(&b, "X-A: b\r\n");
	if (wrong < COUNT(doubtful))
		add(&b, doubtful[wrong].data, doubtful[wrong].length);
	add_word(&b, "\r\n");
	const uint64_t before[] = {counted->requests[0].accepted, counted->requests[0].rejected, counted->requests[0].observed};
	length = ask_over_http(answer, sizeof answer - 1, text, b.length, below(d, (uint32_t)b.length));
	answer[length] = '\0';
	const bool passed = strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
	const bool expected = wrong >= COUNT(doubtful) && q->count + more <= 100 && !outcome->refused;
	if (passed != expected)
		fprintf(stderr, "%.*s\n---- expected: %s\n%s\n", (int)b.length, text, expected ? "200" : "403", answer);
	oracle(passed == expected, "a question over HTTP is answered as its fields are");
	if (wrong >= COUNT(doubtful) && q->count + more <= 100) {
		static char metrics[COUNTS_CAPACITY];
		char names[GATE_FINDINGS_CAPACITY], line[64];
		oracle(counted->requests[0].rejected == before[1] + outcome->refused &&
			   counted->requests[0].observed == before[2] + (outcome->observed && !outcome->refused) &&
			   counted->requests[0].accepted == before[0] + (!outcome->observed && !outcome->refused),
		       "a question is counted once, as what it is");
		(void)snprintf(line, sizeof line, "{verdict=\"reject\"} %llu\n", counted->requests[0].rejected);
		oracle(counts_format(metrics, sizeof metrics, counted, NULL, 1) < sizeof metrics && strstr(metrics, line) != NULL,
		       "the counters are written as they are");
		(void)gate_format_findings(names, sizeof names, outcome);
		oracle(passed || strncmp(answer, "HTTP/1.1 403 ", 13) == 0, "what is refused is forbidden");
		const char *const at = strstr(answer, "X-Urivet-Findings: ");
		oracle((at != NULL) == (outcome->refused || outcome->observed), "an answer has the findings");
		oracle(at == NULL || strncmp(at + 19, names, strlen(names)) == 0, "an answer has the findings of the fields");
	}
}

#else
#define expect_served(q, front, rules, outcome, d) ((void)(q), (void)(front), (void)(rules), (void)(outcome), (void)(d))
#endif

#endif
