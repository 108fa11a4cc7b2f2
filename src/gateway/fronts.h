/* SPDX-License-Identifier: Apache-2.0 */
/* Gateways that send an auth request before they forward a request, and the fields in which each
 * describes the request it received. The set of fields is fixed per gateway, so a field that a
 * client sent in the name of another gateway is never read. */
#ifndef URIVET_GATEWAY_FRONTS_H
#define URIVET_GATEWAY_FRONTS_H

#include "gateway/gate.h"

enum front {
	FRONT_NGINX = 0,
	FRONT_HAPROXY,
	FRONT_TRAEFIK,
	FRONT_CADDY,
	FRONT_ENVOY,
	FRONT_PATH,
	FRONTS
};

/* "nginx", ...; terminated by NULL. */
extern const char *const front_names[FRONTS + 1];

/* A header field of an auth request. */
struct field {
	struct urivet_text name;
	struct urivet_text value;
};

/* An auth request as received. */
struct question {
	struct urivet_text method;
	struct urivet_text target;
	const struct field *fields;
	size_t count;
	bool any_method; /* its method need not be a registered one */
};

/* Why an auth request is unreadable: "X-Original-URI stands twice". */
struct why {
	const char *field; /* NULL: the reason concerns no single field */
	const char *what;
};

/* The reason if an auth request has fields of another gateway, which is a configuration error. */
extern const char front_is_another[];

/* Reads the gateway's description of the request it received. Returns false and sets *why if
 * something is missing, duplicated or contradictory; the request is undefined then. Scheme and port
 * are kept, but the scheme is set if the gateway reports it. Takes time linear in the number of
 * fields. */
bool front_read(struct gate_request *request, enum front front, const struct question *question,
		struct why *why);

/* Reads the client's address and the request's id, for logs. Data is NULL for what the gateway does
 * not say once. */
void front_origin(struct urivet_text *client, struct urivet_text *id, enum front front,
		  const struct question *question);

/* Maximum number of fields that front_ask() writes. */
#define FRONT_FIELDS 5

/* Builds the auth request that a gateway would send for `request`. `fields` has room for
 * FRONT_FIELDS. `server` has room for the host and receives it as nginx writes it, in lower case
 * and without port. */
void front_ask(struct question *question, struct field *fields, char *server, enum front front,
	       const struct gate_request *request);

/* Returns true if a gateway may forward a request with this method. CONNECT in any letter case is
 * refused, as it opens a tunnel whose requests are not judged. */
bool front_may_hand_on(struct urivet_text method);

/* Reads "http" or "https". Returns false and changes nothing for any other text. */
bool front_read_scheme(uint32_t *scheme, struct urivet_text text);

#endif
