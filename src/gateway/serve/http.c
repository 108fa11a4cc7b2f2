/* SPDX-License-Identifier: Apache-2.0 */
/* Connections and heads of requests, with libevent. One process, one thread. */
#include "gateway/serve/http.h"

#ifdef HAVE_LIBEVENT

#include "gateway/serve/clients.h"
#include "gateway/serve/tls.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Maximum octets of a head. */
#define HEAD_SIZE 65536
/* Maximum octets of a method. */
#define METHOD_MOST 32
/* Octets of unsent answers after which no further request of the connection is read. */
#define ANSWERS_MOST 65536
/* The octets of a token (RFC 9110, 5.6.2). */
#define TOKEN "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

struct connection {
	struct connection *next;
	struct connection **link; /* what points to it */
	struct web *web;
	struct bufferevent *io;
	struct client *client; /* NULL: not limited */
	uint64_t since;        /* of the first octet of a request, else of the answer before */
	size_t searched;       /* octets of a request that have no end of a head */
	bool open;             /* TLS is agreed on */
	bool asking;           /* a request has begun */
	bool ending;           /* nothing more is read */
};

struct web {
	struct web_settings settings;
	struct event_base *base;
	struct evconnlistener *listener;
	struct event *again; /* accepts again */
	struct event *sweep; /* closes what takes too long */
	struct clients *clients;
	struct connection *first;
	uint32_t count;
	uint64_t end; /* 0: it goes on */
};

uint64_t web_now(void)
{
	struct timespec time;
	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void count(const struct web *web, enum connection_count which)
{
	if (web->settings.counts != NULL)
		counts_add_connection(web->settings.counts, which);
}

bool web_is(struct urivet_text text, const char *word)
{
	return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

/* ---- Heads ---- */

static bool is_word(struct urivet_text text, const char *word)
{
	return gate_is_field(text, urivet_text_of(word, strlen(word)));
}

/* Takes a line without its end. Returns false if readers could see its end elsewhere. */
static bool take_line(struct urivet_text *line, const char **at, const char *end)
{
	const char *const begin = *at;
	const char *const stop = memchr(begin, '\n', (size_t)(end - begin));
	const size_t length = stop != NULL ? (size_t)(stop - begin) : 0;
	if (length == 0 || memchr(begin, '\r', length) != stop - 1 ||
	    memchr(begin, '\0', length) != NULL)
		return false;
	*line = urivet_text_of(begin, length - 1);
	*at = stop + 1;
	return true;
}

static bool read_request_line(struct web_request *request, struct urivet_text line)
{
	static const char versions[2][10] = {" HTTP/1.1", " HTTP/1.0"};
	const char *const from = line.data;
	const size_t version = sizeof versions[0] - 1;
	const size_t method = strspn(from, TOKEN); /* the end of the line is none of them */
	const char *end;
	if (method == 0 || method > METHOD_MOST || line.length < method + 2 + version ||
	    from[method] != ' ')
		return false;
	end = from + line.length - version;
	if (memcmp(end, versions[0], version) != 0 && memcmp(end, versions[1], version) != 0)
		return false;
	request->ends = end[version - 1] == '0';
	request->question.method = urivet_text_of(from, method);
	request->question.target =
	    urivet_text_of(from + method + 1, (size_t)(end - from) - method - 1);
	return true;
}

static struct urivet_text trim(const char *from, size_t length)
{
	while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
		length--;
	while (length > 0 && (*from == ' ' || *from == '\t')) {
		from++;
		length--;
	}
	return urivet_text_of(from, length);
}

/* Refuses a request. Where its end is uncertain, what follows might be taken for another one, so its
 * connection ends. */
static void refuse(struct web_request *request, const char *why, bool ends)
{
	if (request->refused == NULL)
		request->refused = why;
	request->ends |= ends;
}

/* Returns false if the line is a continuation, or no field at all. */
static bool read_field(struct web_request *request, struct urivet_text line)
{
	const char *const from = line.data;
	const char *const colon = memchr(from, ':', line.length);
	const size_t length = strspn(from, TOKEN);
	struct field field;
	if (colon == NULL || from[0] == ' ' || from[0] == '\t')
		return false;
	field.name = urivet_text_of(from, length);
	field.value = trim(colon + 1, line.length - (size_t)(colon + 1 - from));
	if (length == 0 || from + length != colon || is_word(field.name, "transfer-encoding"))
		refuse(request, "a field that a question may not have", true);
	else if (is_word(field.name, "content-length") && !is_word(field.value, "0"))
		refuse(request, "a body, which a question may not have", true);
	else if (request->question.count == HTTP_FIELDS)
		refuse(request, "too many fields", false);
	else
		request->fields[request->question.count++] = field;
	if (is_word(field.name, "connection") && !is_word(field.value, "keep-alive"))
		request->ends = true; /* lists, which may have "close", need not be read */
	return true;
}

/* Reads a head with its empty line. Returns false if no two readers need agree on it. */
static bool read_head(struct web_request *request, const char *at, size_t length)
{
	const char *const end = at + length;
	struct urivet_text line;
	request->question = (struct question){.fields = request->fields};
	request->refused = NULL;
	request->limited = false;
	if (!take_line(&line, &at, end) || !read_request_line(request, line))
		return false;
	while (take_line(&line, &at, end)) {
		if (line.length == 0)
			return at == end;
		if (!read_field(request, line))
			return false;
	}
	return false;
}

/* ---- Answers ---- */

/* Returns the time as the field Date has it (RFC 9110, 5.6.7). */
static const char *date(void)
{
	static char text[32];
	static time_t made;
	const time_t now = time(NULL);
	struct tm parts;
	if (now != made && gmtime_r(&now, &parts) != NULL &&
	    strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts) > 0)
		made = now;
	return text;
}

void web_answer(struct web_request *request, const struct web_answer *answer)
{
	if (evbuffer_add_printf(request->out,
				"HTTP/1.1 %s\r\nDate: %s\r\nContent-Type: %s\r\nContent-Length: "
				"%zu\r\nCache-Control: no-store\r\n%s%s\r\n",
				answer->status, date(), answer->type, answer->length,
				answer->fields != NULL ? answer->fields : "",
				request->ends ? "Connection: close\r\n" : "") < 0 ||
	    /* "head" is another method */
	    (!web_is(request->question.method, "HEAD") &&
	     evbuffer_add(request->out, answer->text, answer->length) != 0))
		request->ends = true; /* there is no memory: the rest is missing */
}

/* ---- Connections ---- */

static void close_connection(struct connection *c)
{
	struct web *const web = c->web;
	if (c->next != NULL)
		c->next->link = c->link;
	*c->link = c->next;
	bufferevent_free(c->io);
	if (c->client != NULL)
		clients_leave(c->client);
	free(c);
	web->count--;
	if (web->end != 0 && web->count == 0)
		(void)event_base_loopbreak(web->base);
	else if (web->end == 0 && web->count + 1 == web->settings.connections)
		(void)evconnlistener_enable(web->listener);
	if (web->count == 0 && web->end == 0)
		(void)event_del(web->sweep);
}

/* Reads no more, and closes the connection once its answers are sent. */
static void end_connection(struct connection *c)
{
	c->ending = true;
	c->asking = false;
	(void)bufferevent_disable(c->io, EV_READ);
	if (evbuffer_get_length(bufferevent_get_output(c->io)) == 0)
		close_connection(c);
}

/* Returns the length of the first head of the input; 0: it is not all there. */
static size_t find_head(struct connection *c, struct evbuffer *input)
{
	const size_t held = evbuffer_get_length(input);
	struct evbuffer_ptr from;
	if (evbuffer_ptr_set(input, &from, c->searched, EVBUFFER_PTR_SET) != 0)
		return 0;
	from = evbuffer_search(input, "\r\n\r\n", 4, &from);
	if (from.pos >= 0)
		return (size_t)from.pos + 4;
	c->searched = held > 3 ? held - 3 : 0;
	return 0;
}

/* Answers the first request of the input. Returns false if it cannot be read, or is incomplete and
 * will not fit. */
static bool answer_first(struct connection *c, struct evbuffer *input, bool *complete)
{
	struct web *const web = c->web;
	struct web_request request;
	const size_t length = find_head(c, input);
	const unsigned char *head;
	*complete = length > 0;
	if (length == 0)
		return evbuffer_get_length(input) < HEAD_SIZE;
	head = evbuffer_pullup(input, (ev_ssize_t)length);
	if (length > HEAD_SIZE || head == NULL || !read_head(&request, (const char *)head, length))
		return false;
	request.out = bufferevent_get_output(c->io);
	request.ends |= web->end != 0;
	c->since = web_now();
	if (c->client != NULL && !clients_may_ask(web->clients, c->client, c->since)) {
		count(web, CONNECTION_RATE);
		request.limited = true;
	}
	web->settings.take(&request, web->settings.context);
	(void)evbuffer_drain(input, length);
	c->asking = false;
	c->ending = request.ends;
	return true;
}

static void take_input(struct bufferevent *io, void *context)
{
	struct connection *const c = context;
	struct evbuffer *const input = bufferevent_get_input(io);
	struct evbuffer *const output = bufferevent_get_output(io);
	bool complete = true;
	while (complete && !c->ending && evbuffer_get_length(input) > 0 &&
	       evbuffer_get_length(output) < ANSWERS_MOST) {
		if (!c->asking) {
			char first = '\0';
			(void)evbuffer_copyout(input, &first, 1);
			c->asking = true;
			c->since = web_now();
			c->searched = 0;
			complete = first != '\0' && strchr(TOKEN, first) != NULL;
		}
		if (!complete || !answer_first(c, input, &complete)) {
			count(c->web, CONNECTION_MALFORMED);
			end_connection(c);
			return;
		}
	}
	if (c->ending || ((bufferevent_get_enabled(io) & EV_READ) == 0 &&
			  evbuffer_get_length(output) < ANSWERS_MOST))
		end_connection(c);
}

static void take_room(struct bufferevent *io, void *context)
{
	struct connection *const c = context;
	if (!c->ending)
		take_input(io, c);
	else if (evbuffer_get_length(bufferevent_get_output(io)) == 0) /* TLS calls this late */
		close_connection(c);
}

static void take_event(struct bufferevent *io, short what, void *context)
{
	struct connection *const c = context;
	if ((what & BEV_EVENT_CONNECTED) != 0) {
		c->open = true;
		return;
	}
	if (!c->open || c->asking)
		count(c->web, c->open ? CONNECTION_MALFORMED : CONNECTION_TLS);
	/* the client ended its side, and waits for answers; nothing more is read */
	if ((what & BEV_EVENT_EOF) != 0 && c->web->settings.tls == NULL &&
	    evbuffer_get_length(bufferevent_get_output(io)) > 0)
		take_input(io, c);
	else
		close_connection(c);
}

static struct bufferevent *make_stream(const struct web *web, int socket)
{
	return web->settings.tls != NULL
		   ? tls_accept(web->settings.tls, web->base, socket)
		   : bufferevent_socket_new(web->base, socket, BEV_OPT_CLOSE_ON_FREE);
}

static void watch_time(struct web *web)
{
	static const struct timeval often = {0, 250000};
	if (event_pending(web->sweep, EV_TIMEOUT, NULL) == 0)
		(void)event_add(web->sweep, &often);
}

/* Returns the connection. If it returns NULL, the socket is closed. */
static struct connection *make_connection(struct web *web, int socket, struct client *client)
{
	struct connection *const c = calloc(1, sizeof *c);
	struct bufferevent *const io = c != NULL ? make_stream(web, socket) : NULL;
	if (io == NULL) {
		(void)close(socket);
		free(c);
		return NULL;
	}
	*c = (struct connection){.next = web->first,
				 .link = &web->first,
				 .web = web,
				 .io = io,
				 .client = client,
				 .since = web_now(),
				 .open = web->settings.tls == NULL};
	if (c->next != NULL)
		c->next->link = &c->next;
	web->first = c;
	return c;
}

static void take_connection(struct evconnlistener *listener, evutil_socket_t socket,
			    struct sockaddr *address, int length, void *context)
{
	struct web *const web = context;
	struct client *client = NULL;
	struct connection *c;
	(void)length;
	count(web, CONNECTION_ACCEPTED);
	if (web->clients != NULL) {
		client = clients_enter(web->clients, address, web_now());
		if (client == NULL) {
			count(web, CONNECTION_LIMIT);
			(void)close(socket);
			return;
		}
	}
	c = make_connection(web, socket, client);
	if (c == NULL) {
		if (client != NULL)
			clients_leave(client);
		return;
	}
	if (++web->count == web->settings.connections)
		(void)evconnlistener_disable(listener);
	watch_time(web);
	bufferevent_setcb(c->io, take_input, take_room, take_event, c);
	bufferevent_setwatermark(c->io, EV_READ, 0, HEAD_SIZE);
	(void)bufferevent_enable(c->io, EV_READ | EV_WRITE);
}

/* Stops accepting for a moment, if there is no file left. */
static void pause_accepting(struct evconnlistener *listener, void *context)
{
	static const struct timeval moment = {0, 50000};
	struct web *const web = context;
	if (event_add(web->again, &moment) == 0)
		(void)evconnlistener_disable(listener);
}

static void accept_again(evutil_socket_t unused, short events, void *context)
{
	struct web *const web = context;
	(void)unused;
	(void)events;
	if (web->end == 0 && web->count < web->settings.connections)
		(void)evconnlistener_enable(web->listener);
}

/* Closes the connections that take too long, and ends the loop when its time is over. */
static void sweep(evutil_socket_t unused, short events, void *context)
{
	struct web *const web = context;
	const uint64_t now = web_now();
	struct connection *next;
	(void)unused;
	(void)events;
	for (struct connection *c = web->first; c != NULL; c = next) {
		next = c->next;
		if (now - c->since <= web->settings.seconds * UINT64_C(1000000000))
			continue;
		if (c->asking || !c->open || evbuffer_get_length(bufferevent_get_output(c->io)) > 0)
			count(web, CONNECTION_SLOW);
		close_connection(c);
	}
	if (web->end != 0 && now >= web->end)
		(void)event_base_loopbreak(web->base);
}

/* ---- The server ---- */

struct web *web_new(struct event_base *base, int socket, const struct web_settings *settings)
{
	struct web *const web = calloc(1, sizeof *web);
	const struct network *const limits = settings->limits;
	if (web == NULL)
		return NULL;
	web->settings = *settings;
	web->base = base;
	web->again = evtimer_new(base, accept_again, web);
	web->sweep = event_new(base, -1, EV_PERSIST, sweep, web);
	if (limits != NULL)
		web->clients = clients_new(settings->connections, limits->per_client, limits->rate);
	if (web->again != NULL && web->sweep != NULL && (limits == NULL || web->clients != NULL))
		web->listener = evconnlistener_new(base, take_connection, web,
						   LEV_OPT_CLOSE_ON_FREE, 0, socket);
	if (web->listener == NULL) {
		web_free(web);
		return NULL;
	}
	evconnlistener_set_error_cb(web->listener, pause_accepting);
	return web;
}

void web_end(struct web *web, uint32_t seconds)
{
	if (web->end != 0)
		return;
	web->end = web_now() + seconds * UINT64_C(1000000000) + 1;
	/* the last process that closes it has clients refused */
	evconnlistener_free(web->listener);
	web->listener = NULL;
	if (web->count == 0)
		(void)event_base_loopbreak(web->base);
	watch_time(web);
}

void web_free(struct web *web)
{
	if (web == NULL)
		return;
	web->end = web->end != 0 ? web->end : 1;
	for (struct connection *c = web->first, *next; c != NULL; c = next) {
		next = c->next;
		close_connection(c);
	}
	if (web->listener != NULL)
		evconnlistener_free(web->listener);
	if (web->again != NULL)
		event_free(web->again);
	if (web->sweep != NULL)
		event_free(web->sweep);
	clients_free(web->clients);
	free(web);
}

struct run {
	struct web *web;
	uint32_t drain;
};

static void take_signal(evutil_socket_t number, short events, void *context)
{
	const struct run *const run = context;
	(void)events;
	web_end(run->web, number == SIGTERM ? run->drain : 2);
}

int web_run(int socket, const struct web_settings *settings, uint32_t drain)
{
	static const int numbers[2] = {SIGTERM, SIGUSR1};
	struct event_base *const base = event_base_new();
	struct run run = {base != NULL ? web_new(base, socket, settings) : NULL, drain};
	struct event *signals[2] = {NULL, NULL};
	bool good = run.web != NULL;
	for (int i = 0; i < 2 && good; i++) {
		signals[i] = evsignal_new(base, numbers[i], take_signal, &run);
		good = signals[i] != NULL && event_add(signals[i], NULL) == 0;
	}
	good = good && event_base_dispatch(base) >= 0;
	for (int i = 0; i < 2; i++)
		if (signals[i] != NULL)
			event_free(signals[i]);
	web_free(run.web);
	if (base != NULL)
		event_base_free(base);
	return good ? 0 : 2;
}

#endif
