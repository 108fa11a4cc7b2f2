/* SPDX-License-Identifier: Apache-2.0 */
/* The fields in which each gateway describes a request. */
#include "gateway/fronts.h"
#include "common/lower.h"

#include <string.h>

const char *const front_names[FRONTS + 1] = {"nginx", "haproxy", "traefik", "caddy",
					     "envoy", "path",    NULL};

/* The properties of a request. */
enum said { METHOD = 0, SCHEME, HOST, TARGET, SERVER, CLIENT, ID, SAID };

#define QUESTION ""
static const struct {
	/* Where the gateway puts each property: the name of a field; QUESTION: in the auth request
	 * itself or its Host field; NULL: nowhere. */
	const char *place[SAID];
	/* Fields in which other gateways send the target, and which this one never sends. If one is
	 * present, --from names the wrong gateway, and the wrong target would be judged. Gateways
	 * that copy all client fields have no entries here; only their own fields are read. */
	const char *foreign[2];
} gateways[FRONTS] = {
    [FRONT_NGINX] = {{"X-Original-Method", "X-Original-Scheme", "X-Original-Host", "X-Original-URI",
		      "X-Original-Server", "X-Original-Client", "X-Original-Request-ID"},
		     {"X-Forwarded-Uri"}},
    [FRONT_HAPROXY] = {{"X-Original-Method", "X-Original-Scheme", "X-Original-Host",
			"X-Original-URI", NULL, "X-Original-Client", "X-Original-Request-ID"},
		       {"X-Forwarded-Uri", "X-Original-Server"}},
    [FRONT_TRAEFIK] = {{"X-Forwarded-Method", "X-Forwarded-Proto", "X-Forwarded-Host",
			"X-Forwarded-Uri", NULL, "X-Forwarded-For", "X-Request-Id"},
		       {NULL}},
    [FRONT_CADDY] = {{"X-Forwarded-Method", "X-Forwarded-Proto", "X-Forwarded-Host",
		      "X-Forwarded-Uri", NULL, "X-Original-Client", "X-Original-Request-ID"},
		     {NULL}},
    [FRONT_ENVOY] = {{QUESTION, "X-Forwarded-Proto", QUESTION, QUESTION, NULL, "X-Forwarded-For",
		      "X-Request-Id"},
		     {"X-Original-URI", "X-Forwarded-Uri"}},
    [FRONT_PATH] = {{QUESTION, NULL, QUESTION, QUESTION, NULL, "X-Forwarded-For", "X-Request-Id"},
		    {"X-Original-URI", "X-Forwarded-Uri"}},
};

/* The registered methods (IANA, November 2026) without CONNECT and PRI, each with a space after it. */
static const char registered[] =
    "ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY DELETE GET HEAD LABEL LINK LOCK MERGE "
    "MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST "
    "PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK "
    "UPDATE UPDATEREDIRECTREF VERSION-CONTROL ";

const char front_is_another[] = "belongs to another gateway: see --from";

static struct urivet_text text_of(const char *string)
{
	return urivet_text_of(string, strlen(string));
}

/* Finds the value of a field that must be present exactly once. */
static bool find_field(struct urivet_text *value, const struct question *question, const char *name,
		       struct why *why)
{
	unsigned found = 0;
	for (size_t i = 0; i < question->count; i++)
		if (gate_is_field(question->fields[i].name, text_of(name))) {
			*value = question->fields[i].value;
			found++;
		}
	if (found == 1)
		return true;
	*why = (struct why){name, found == 0 ? "is missing" : "stands twice"};
	return false;
}

static bool find_said(struct urivet_text *value, enum front front, enum said said,
		      const struct question *question, struct why *why)
{
	const char *const place = gateways[front].place[said];
	if (strcmp(place, QUESTION) != 0)
		return find_field(value, question, place, why);
	if (said == HOST)
		return find_field(value, question, "Host", why);
	*value = said == METHOD ? question->method : question->target;
	return true;
}

static bool is_word(struct urivet_text text, const char *word)
{
	return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

static bool is_registered(struct urivet_text method)
{
	size_t length;
	for (const char *at = registered; *at != '\0'; at += length + 1) {
		length = strcspn(at, " ");
		if (length == method.length && memcmp(at, method.data, length) == 0)
			return true;
	}
	return false;
}

bool front_may_hand_on(struct urivet_text method)
{
	return !gate_is_field(method, text_of("CONNECT"));
}

bool front_read_scheme(uint32_t *scheme, struct urivet_text text)
{
	if (is_word(text, "https"))
		*scheme = URIVET_SCHEME_HTTPS;
	else if (is_word(text, "http"))
		*scheme = URIVET_SCHEME_HTTP;
	else
		return false;
	return true;
}

/* Returns true if `server` is the host of the Host field without port, in lower case, as nginx
 * reports it. They differ if the target has an authority of its own. */
static bool is_of_host(struct urivet_text server, struct urivet_text host)
{
	const unsigned char *const a = server.data;
	const unsigned char *const b = host.data;
	if (server.length > host.length)
		return false;
	for (size_t i = 0; i < server.length; i++)
		if (a[i] != lower_case(b[i]))
			return false;
	return host.length == server.length || b[server.length] == ':';
}

static struct urivet_text server_of(char *room, struct urivet_text host)
{
	const unsigned char *const from = host.data;
	size_t length = host.length;
	while (length > 0 && from[length - 1] >= '0' && from[length - 1] <= '9')
		length--;
	length = length > 0 && from[length - 1] == ':' ? length - 1 : host.length;
	for (size_t i = 0; i < length; i++)
		room[i] = (char)lower_case(from[i]);
	return urivet_text_of(room, length);
}

void front_ask(struct question *question, struct field *fields, char *server, enum front front,
	       const struct gate_request *request)
{
	const bool tls = request->request.scheme == URIVET_SCHEME_HTTPS;
	const struct urivet_text said[SAID] = {
	    [METHOD] = request->request.method,
	    [SCHEME] = text_of(tls ? "https" : "http"),
	    [HOST] = request->request.host,
	    [TARGET] = request->target,
	    [SERVER] = server_of(server, request->request.host),
	};
	*question = (struct question){text_of("GET"), text_of("/"), fields, 0, false};
	for (enum said s = METHOD; s <= SERVER; s++) {
		const char *const place = gateways[front].place[s];
		if (place == NULL)
			continue;
		if (strcmp(place, QUESTION) != 0)
			fields[question->count++] = (struct field){text_of(place), said[s]};
		else if (s == HOST)
			fields[question->count++] = (struct field){text_of("Host"), said[s]};
		else if (s == METHOD)
			question->method = said[s];
		else
			question->target = said[s];
	}
}

static bool is_from(enum front front, const struct question *question, struct why *why)
{
	for (size_t k = 0; k < 2 && gateways[front].foreign[k] != NULL; k++) {
		const char *const foreign = gateways[front].foreign[k];
		for (size_t i = 0; i < question->count; i++)
			if (gate_is_field(question->fields[i].name, text_of(foreign))) {
				*why = (struct why){foreign, front_is_another};
				return false;
			}
	}
	return true;
}

void front_origin(struct urivet_text *client, struct urivet_text *id, enum front front,
		  const struct question *question)
{
	struct urivet_text *const values[] = {client, id};
	struct why why;
	for (size_t k = 0; k < 2; k++) {
		const char *const place = gateways[front].place[CLIENT + k];
		if (place == NULL || !find_field(values[k], question, place, &why))
			*values[k] = urivet_text_of(NULL, 0);
	}
}

bool front_read(struct gate_request *request, enum front front, const struct question *question,
		struct why *why)
{
	struct urivet_text text;
	if (!is_from(front, question, why) ||
	    !find_said(&request->request.method, front, METHOD, question, why) ||
	    !find_said(&request->request.host, front, HOST, question, why) ||
	    !find_said(&request->target, front, TARGET, question, why))
		return false;
	*why = (struct why){NULL, "CONNECT: what goes through a tunnel is not judged"};
	if (!front_may_hand_on(request->request.method))
		return false;
	*why = (struct why){NULL, "a method that is not registered: see --methods"};
	if (strcmp(gateways[front].place[METHOD], QUESTION) == 0 && !question->any_method &&
	    !is_registered(request->request.method))
		return false;
	if (gateways[front].place[SCHEME] != NULL) {
		if (!find_said(&text, front, SCHEME, question, why))
			return false;
		*why = (struct why){gateways[front].place[SCHEME], "is neither http nor https"};
		if (!front_read_scheme(&request->request.scheme, text))
			return false;
	}
	if (gateways[front].place[SERVER] == NULL)
		return true;
	if (!find_said(&text, front, SERVER, question, why))
		return false;
	*why = (struct why){gateways[front].place[SERVER], "is another host than that of the Host field"};
	return is_of_host(text, request->request.host);
}
