/* SPDX-License-Identifier: Apache-2.0 */
/* Serves auth requests over HTTP with libevent: 200 for a request that may be forwarded; 403 for
 * one that may not, or that cannot be read reliably. One process, one thread. */
#include "gateway/serve/processes.h"

#include "common/text/output.h"

#ifndef HAVE_LIBEVENT

bool serve_is_built(void)
{
	return complain(
	    "serve: this build answers nothing over HTTP: install the Debian package libevent-dev "
	    "and build again");
}

int serve_questions(const struct serve *serve, const struct rules *rules, struct counts *counts,
		    int socket)
{
	(void)serve;
	(void)rules;
	(void)counts;
	(void)socket;
	return 2;
}

#else

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
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

/* Limits of an auth request: octets of all fields, and number of fields. */
#define FIELDS_SIZE  65536
#define FIELDS_COUNT 100
/* Maximum octets of a body; auth requests have none. */
#define BODY_SIZE    0
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

/* ---- Checks that libevent does not make ------------------------------------------------------ */

/* Closes a connection on input that libevent would parse differently from other readers: NUL, which
 * ends a line for libevent, and continuation lines, which it joins. A line is a continuation if it
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
	if (added == 0 || added > length)
		return;
	if (evbuffer_ptr_set(buffer, &at, length - added - before, EVBUFFER_PTR_SET) != 0)
		return;
	for (size_t left = added + before; left > 0;) {
		if (evbuffer_peek(buffer, (ev_ssize_t)left, &at, &piece, 1) < 1)
			return;
		for (size_t i = 0; i < piece.iov_len && i < left; i++) {
			const unsigned char c = ((const unsigned char *)piece.iov_base)[i];
			if (c == '\0' || (last == '\n' && (c == ' ' || c == '\t'))) {
				(void)shutdown(bufferevent_getfd(connection), SHUT_RDWR);
				(void)evbuffer_drain(buffer, length);
				return;
			}
			last = c;
		}
		if (piece.iov_len >= left)
			return;
		left -= piece.iov_len;
		if (evbuffer_ptr_set(buffer, &at, piece.iov_len, EVBUFFER_PTR_ADD) != 0)
			return;
	}
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

static const char *method_name(enum evhttp_cmd_type type)
{
	static const struct {
		enum evhttp_cmd_type type;
		const char *name;
	} methods[] = {
	    {EVHTTP_REQ_GET, "GET"},       {EVHTTP_REQ_POST, "POST"},
	    {EVHTTP_REQ_HEAD, "HEAD"},     {EVHTTP_REQ_PUT, "PUT"},
	    {EVHTTP_REQ_DELETE, "DELETE"}, {EVHTTP_REQ_OPTIONS, "OPTIONS"},
	    {EVHTTP_REQ_TRACE, "TRACE"},   {EVHTTP_REQ_CONNECT, "CONNECT"},
	    {EVHTTP_REQ_PATCH, "PATCH"},
	};
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		if (methods[i].type == type)
			return methods[i].name;
	return ""; /* unknown method: refused */
}

static struct urivet_text text_from(const char *string)
{
	return urivet_text_of(string, string != NULL ? strlen(string) : 0);
}

/* Returns true if `name` is a valid field name other than Transfer-Encoding, which could change
 * where the request ends. A space before the colon would be part of the name for libevent only. */
static bool is_name(const char *name)
{
	static const char letters[] =
	    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	return name[0] != '\0' && name[strspn(name, letters)] == '\0' &&
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

/* Judges the request that an auth request describes. why->what is NULL if it could be read. */
static struct gate_outcome judge(const struct server *server, struct evhttp_request *question,
				 struct gate_request *request, struct why *why)
{
	struct field fields[FIELDS_COUNT];
	struct question q = {text_from(method_name(evhttp_request_get_command(question))),
			     text_from(evhttp_request_get_uri(question)), fields, 0};
	*why = (struct why){NULL, take_fields(fields, &q.count, question)};
	if (why->what == NULL)
		return rules_answer(server->rules, server->serve->front, &q, request, why);
	*request = rules_request(server->rules);
	return rules_refuse();
}

static void answer(struct server *server, struct evhttp_request *question,
		   const struct gate_outcome *outcome, const char *unreadable)
{
	struct evkeyvalq *const fields = evhttp_request_get_output_headers(question);
	struct evbuffer *const body = evbuffer_new();
	char findings[GATE_FINDINGS_CAPACITY];
	(void)evhttp_add_header(fields, "Content-Type", "text/plain");
	(void)evhttp_add_header(fields, "Cache-Control", "no-store");
	if (server->ending || unreadable == unsure_field || unreadable == has_body)
		(void)evhttp_add_header(fields, "Connection", "close");
	if (server->serve->sends_findings && (outcome->refused || outcome->observed)) {
		(void)gate_format_findings(findings, sizeof findings, outcome);
		(void)evhttp_add_header(fields, "X-Urivet-Findings", findings);
	}
	if (outcome->refused && body != NULL)
		(void)evbuffer_add_printf(body, "%s\n", urivet_reason_name(gate_reason(outcome)));
	if (outcome->refused)
		evhttp_send_reply(question, 403, "Forbidden", body);
	else
		evhttp_send_reply(question, 200, "OK", NULL);
	if (body != NULL)
		evbuffer_free(body);
}

static void take_question(struct evhttp_request *question, void *context)
{
	struct server *const server = context;
	struct gate_request request;
	struct why why;
	const uint64_t begin = now();
	const struct gate_outcome outcome = judge(server, question, &request, &why);
	counts_add_time(server->counts, now() - begin);
	counts_add(server->counts, &outcome);
	if (why.what == front_is_another && !server->has_reported) {
		server->has_reported = true;
		complain("serve: a question has the field %s, which --from=%s does not send: such "
			 "questions are refused; is --from right?",
			 why.field, front_names[server->serve->front]);
	}
	if (server->serve->log >= 0 && (outcome.refused || outcome.observed))
		serve_log(server->serve->log, &request, &outcome, why.what != NULL ? &why : NULL);
	answer(server, question, &outcome, why.what);
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

bool serve_is_built(void)
{
	return true;
}

#endif
