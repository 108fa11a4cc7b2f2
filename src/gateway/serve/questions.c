/* SPDX-License-Identifier: Apache-2.0 */
/* Serves auth requests over HTTP with libevent: 200 for a request that may be forwarded; 403 for
 * one that may not, or that cannot be read reliably. One process, one thread. */
#include "gateway/serve/processes.h"

#include "common/text/output.h"

#ifdef HAVE_LIBEVENT

#include <sys/queue.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

/* Limits of an auth request: octets of all fields, and number of fields. */
#define FIELDS_SIZE  65536
#define FIELDS_COUNT 100
/* Maximum octets of a body; auth requests have none. */
#define BODY_SIZE    0
/* Maximum octets of a method that libevent does not know. */
#define METHOD_MOST 32
/* Ends such a method in front of the target. A question with this octet is not read. */
#define MARK '\1'
/* The octets of a token (RFC 9110, 5.6.2). */
#define TOKEN "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
/* Maximum number of files that a process has open besides its connections. */
#define FILES_BESIDE 32u

struct server {
	const struct serve *serve;
	const struct rules *rules;
	struct counts *counts;
	struct event_base *base;
	struct evhttp *http;
	struct evhttp_bound_socket *bound;
	struct event *pause;
	struct event *drain;
	unsigned files; /* number of open files without connections */
	bool ending;
	bool has_reported; /* a request of another gateway was reported */
};

/* ---- Methods ---- */

static struct urivet_text text_from(const char *string)
{
	return urivet_text_of(string, string != NULL ? strlen(string) : 0);
}

static const struct {
	enum evhttp_cmd_type type;
	const char *name;
} methods[] = {
    {EVHTTP_REQ_GET, "GET"},     {EVHTTP_REQ_POST, "POST"},       {EVHTTP_REQ_HEAD, "HEAD"},
    {EVHTTP_REQ_PUT, "PUT"},     {EVHTTP_REQ_DELETE, "DELETE"},   {EVHTTP_REQ_OPTIONS, "OPTIONS"},
    {EVHTTP_REQ_TRACE, "TRACE"}, {EVHTTP_REQ_CONNECT, "CONNECT"}, {EVHTTP_REQ_PATCH, "PATCH"},
};
#define METHODS (sizeof methods / sizeof methods[0])

/* Makes a question with a method that libevent does not know one of GET, whose target begins with a
 * slash, the method and MARK. The first octet of the target is among those just added. */
static void mark_method(struct evbuffer *buffer, size_t added)
{
	char line[5 + METHOD_MOST + 3] = "GET /", *const method = line + 5;
	const size_t before = evbuffer_get_length(buffer) - added;
	const ev_ssize_t copied = evbuffer_copyout(buffer, method, METHOD_MOST + 2);
	const size_t length = strspn(method, TOKEN);
	if (length == 0 || length > METHOD_MOST || copied <= (ev_ssize_t)length + 1 ||
	    method[length] != ' ' || length + 1 < before)
		return;
	method[length] = '\0';
	for (size_t i = 0; i < METHODS; i++)
		if (strcmp(methods[i].name, method) == 0)
			return;
	method[length] = MARK;
	if (evbuffer_drain(buffer, length + 1) == 0)
		(void)evbuffer_prepend(buffer, line, 5 + length + 1);
}

/* Sets method and target of a question. */
static void take_line(struct question *q, struct evhttp_request *question)
{
	const enum evhttp_cmd_type type = evhttp_request_get_command(question);
	const char *const target = evhttp_request_get_uri(question);
	const char *const mark = strchr(target, MARK);
	q->target = text_from(mark != NULL ? mark + 1 : target);
	q->method = urivet_text_of(target + 1, mark != NULL ? (size_t)(mark - target) - 1 : 0);
	for (size_t i = 0; i < METHODS && mark == NULL; i++)
		if (methods[i].type == type)
			q->method = text_from(methods[i].name);
}

/* ---- Checks that libevent does not make ------------------------------------------------------ */

/* Closes a connection on input that libevent would parse differently from other readers: NUL, which
 * ends a line for libevent, continuation lines, which it joins, and MARK. A line is a continuation if it
 * begins with a space or tab, even if libevent has already removed the lines before it from the
 * buffer. */
static void watch(struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *connection)
{
	const size_t length = evbuffer_get_length(buffer);
	const size_t added = info->n_added;
	const size_t before = length - added < 1 ? length - added : 1;
	unsigned char last = before == 0 ? '\n' : '\0'; /* none: that octet was looked at before */
	struct evbuffer_ptr at;
	struct evbuffer_iovec piece;
	static bool marking;
	if (marking || added == 0 || added > length)
		return;
	if (evbuffer_ptr_set(buffer, &at, length - added - before, EVBUFFER_PTR_SET) != 0)
		return;
	for (size_t left = added + before; left > 0;) {
		if (evbuffer_peek(buffer, (ev_ssize_t)left, &at, &piece, 1) < 1)
			return;
		for (size_t i = 0; i < piece.iov_len && i < left; i++) {
			const unsigned char c = ((const unsigned char *)piece.iov_base)[i];
			if (c == '\0' || c == MARK || (last == '\n' && (c == ' ' || c == '\t'))) {
				(void)shutdown(bufferevent_getfd(connection), SHUT_RDWR);
				(void)evbuffer_drain(buffer, length);
				return;
			}
			last = c;
		}
		if (piece.iov_len >= left)
			break;
		left -= piece.iov_len;
		if (evbuffer_ptr_set(buffer, &at, piece.iov_len, EVBUFFER_PTR_ADD) != 0)
			return;
	}
	marking = true;
	mark_method(buffer, added);
	marking = false;
}

static struct bufferevent *make_connection(struct event_base *base, void *unused)
{
	struct bufferevent *const connection =
	    bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	(void)unused;
	if (connection != NULL)
		(void)evbuffer_add_cb(bufferevent_get_input(connection), watch, connection);
	return connection;
}

/* ---- Auth requests ---- */

/* Returns true if `name` is a valid field name other than Transfer-Encoding, which could change
 * where the request ends. A space before the colon would be part of the name for libevent only. */
static bool is_name(const char *name)
{
	return name[0] != '\0' && name[strspn(name, TOKEN)] == '\0' &&
	       !gate_is_field(text_from(name), text_from("transfer-encoding"));
}

/* Why a question is refused whose end is uncertain. What follows it might be taken for another
 * question, so its connection is closed. */
static const char unsure_field[] = "a field that a question may not have";
static const char has_body[] = "a body, which a question may not have";

/* Copies all fields, including duplicates. Returns NULL, or why the request is refused. */
static const char *take_fields(struct field *fields, size_t *count, struct evhttp_request *question)
{
	const struct evkeyval *kv;
	*count = 0;
	for (kv = TAILQ_FIRST(evhttp_request_get_input_headers(question)); kv != NULL;
	     kv = TAILQ_NEXT(kv, next)) {
		if (*count == FIELDS_COUNT)
			return "too many fields";
		if (!is_name(kv->key))
			return unsure_field;
		/* libevent would leave the body of a HEAD unread */
		if (gate_is_field(text_from(kv->key), text_from("content-length")) &&
		    strcmp(kv->value, "0") != 0)
			return has_body;
		fields[*count].name = text_from(kv->key);
		fields[(*count)++].value = text_from(kv->value);
	}
	return NULL;
}

static uint64_t now(void)
{
	struct timespec time;
	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void answer(struct server *server, struct evhttp_request *question,
		   const struct gate_outcome *outcome, const char *unreadable)
{
	struct evkeyvalq *const fields = evhttp_request_get_output_headers(question);
	char text[GATE_FINDINGS_CAPACITY] = "";
	if (server->ending || unreadable == unsure_field || unreadable == has_body)
		(void)evhttp_add_header(fields, "Connection", "close");
	if (server->serve->sends_findings && (outcome->refused || outcome->observed)) {
		(void)gate_format_findings(text, sizeof text, outcome);
		(void)evhttp_add_header(fields, "X-Urivet-Findings", text);
	}
	(void)snprintf(text, sizeof text, "%s\n", urivet_reason_name(gate_reason(outcome)));
	if (outcome->refused)
		serve_answer(question, 403, "Forbidden", "text/plain", text, strlen(text));
	else
		serve_answer(question, 200, "OK", "text/plain", "", 0);
}

/* Judges the request that an auth request describes, and counts, logs and answers it. */
static void take_question(struct evhttp_request *question, void *context)
{
	struct server *const server = context;
	const struct serve *const serve = server->serve;
	struct field fields[FIELDS_COUNT];
	struct question q = {.fields = fields, .any_method = serve->wanted.any_method};
	struct gate_request request = rules_request(server->rules);
	struct logged logged = {.request = &request};
	struct gate_outcome outcome = rules_refuse();
	const uint64_t begin = now();
	take_line(&q, question);
	logged.why.what = take_fields(fields, &q.count, question);
	if (logged.why.what == NULL)
		outcome = rules_answer(server->rules, serve->front, &q, &request, &logged.why);
	counts_add_time(server->counts, now() - begin);
	counts_add(server->counts, 0, &outcome);
	if (logged.why.what == front_is_another && !server->has_reported) {
		server->has_reported = true;
		complain("serve: a question has the field %s, which --from=%s does not send: such "
			 "questions are refused; is --from right?",
			 logged.why.field, front_names[serve->front]);
	}
	front_origin(&logged.client, &logged.id, serve->front, &q);
	if (serve->log >= 0 && (outcome.refused || outcome.observed) &&
	    !serve_log(serve->log, &logged, &outcome)) {
		(void)atomic_fetch_add(&server->counts->lost, 1);
		complain("serve: a line of the log was lost");
	}
	answer(server, question, &outcome, logged.why.what);
}

/* ---- The process --------------------------------------------------------------------------------- */

/* The only server of the process. A listener's error callback gets no context of ours. */
static struct server *only_server;

/* Stops accepting connections for a moment after too many were opened. */
static void pause_accepting(struct evconnlistener *listener, void *of_evhttp)
{
	static const struct timeval moment = {0, 50000};
	(void)of_evhttp;
	if (event_add(only_server->pause, &moment) == 0)
		(void)evconnlistener_disable(listener);
}

static void accept_again(evutil_socket_t unused, short events, void *context)
{
	struct server *const server = context;
	(void)unused;
	(void)events;
	if (!server->ending)
		(void)evconnlistener_enable(evhttp_bound_socket_get_listener(server->bound));
}

/* Returns the number of open files. */
static unsigned open_files(const struct serve *serve)
{
	unsigned count = 0;
	for (int file = 0; file < (int)(serve->connections + FILES_BESIDE); file++)
		count += fcntl(file, F_GETFD) >= 0;
	return count;
}

/* Ends the event loop as soon as all connections are closed. */
static void look_for_end(evutil_socket_t unused, short events, void *context)
{
	struct server *const server = context;
	(void)unused;
	(void)events;
	if (open_files(server->serve) <= server->files)
		(void)event_base_loopbreak(server->base);
}

/* Stops accepting connections and ends within two seconds. Pending requests are answered with
 * "Connection: close". */
static void begin_end(evutil_socket_t unused, short events, void *context)
{
	static const struct timeval most = {2, 0};
	static const struct timeval moment = {0, 20000};
	struct server *const server = context;
	(void)unused;
	(void)events;
	if (server->ending)
		return;
	server->ending = true;
	(void)evconnlistener_disable(evhttp_bound_socket_get_listener(server->bound));
	(void)event_base_loopexit(server->base, &most);
	(void)event_add(server->drain, &moment);
	look_for_end(-1, 0, server);
}

static bool set_up(struct server *server, int socket)
{
	struct evconnlistener *listener;
	evhttp_set_bevcb(server->http, make_connection, NULL);
	evhttp_set_gencb(server->http, take_question, server);
	evhttp_set_allowed_methods(server->http, UINT16_MAX);
	evhttp_set_max_headers_size(server->http, FIELDS_SIZE);
	evhttp_set_max_body_size(server->http, BODY_SIZE);
	evhttp_set_timeout(server->http, (int)server->serve->seconds);
	server->bound = evhttp_accept_socket_with_handle(server->http, socket);
	server->pause = evtimer_new(server->base, accept_again, server);
	server->drain = event_new(server->base, -1, EV_PERSIST, look_for_end, server);
	if (server->bound == NULL || server->pause == NULL || server->drain == NULL)
		return false;
	only_server = server;
	listener = evhttp_bound_socket_get_listener(server->bound);
	evconnlistener_set_error_cb(listener, pause_accepting);
	return true;
}

/* Limits the number of connections by the limit of open files. */
static void limit_files(uint32_t connections)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	if (limit.rlim_cur > connections + FILES_BESIDE)
		limit.rlim_cur = connections + FILES_BESIDE;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

int serve_questions(const struct serve *serve, const struct rules *rules, struct counts *counts,
		    int socket)
{
	struct server server = {.serve = serve, .rules = rules, .counts = counts};
	struct event *term = NULL;
	int status = 2;
	limit_files(serve->connections);
	server.base = event_base_new();
	server.http = server.base != NULL ? evhttp_new(server.base) : NULL;
	term = server.base != NULL ? evsignal_new(server.base, SIGTERM, begin_end, &server) : NULL;
	if (server.http != NULL && term != NULL && set_up(&server, socket) &&
	    event_add(term, NULL) == 0) {
		server.files = open_files(serve);
		status = event_base_dispatch(server.base) >= 0 ? 0 : 2;
	}
	only_server = NULL;
	if (term != NULL)
		event_free(term);
	if (server.pause != NULL)
		event_free(server.pause);
	if (server.drain != NULL)
		event_free(server.drain);
	if (server.http != NULL)
		evhttp_free(server.http);
	if (server.base != NULL)
		event_base_free(server.base);
	return status;
}

#endif
