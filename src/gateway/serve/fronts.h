/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proxies that ask before they hand a request on, and the fields in which each says what it received.
 * The set of fields is fixed for each of them: a field that a client might have sent in another's
 * name is never read.
 */
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

/* "nginx", ...; ends in NULL. */
extern const char *const front_names[FRONTS + 1];

/* A field of the question. */
struct field {
	struct urivet_text name;
	struct urivet_text value;
};

/* A question as it came. */
struct question {
	struct urivet_text method;
	struct urivet_text target;
	const struct field *fields;
	size_t count;
};

/* Why a question cannot be read: "X-Original-URI stands twice". */
struct why {
	const char *field; /* NULL: it is about the whole */
	const char *what;
};

/* Why a question is not read that has fields of another front: the configuration is wrong. */
extern const char front_is_another[];

/*
 * Reads what the front says of the request that it received. False after saying what is missing, said
 * twice, or contradicts itself: nothing is known then. Scheme and port of the request are left alone
 * but where the front tells the scheme. Linear in fields.
 */
bool front_read(struct gate_request *request, enum front front, const struct question *question,
		struct why *why);

/* How many fields a front puts into a question at most. */
#define FRONT_FIELDS 5

/* Makes the question that a front asks of a request, with fields[FRONT_FIELDS]. `server` has room for the
 * host, and gets it as nginx writes it, in lower case and without a port. */
void front_ask(struct question *question, struct field *fields, char *server, enum front front,
	       const struct gate_request *request);

/* May a server before others hand on a request of this method? Not CONNECT, in any case of letters: what
 * follows it is a tunnel, in which nobody is asked. */
bool front_may_hand_on(struct urivet_text method);

/* Reads http or https, as all of them write it; false, and nothing changes, for anything else. */
bool front_read_scheme(uint32_t *scheme, struct urivet_text text);

#endif
