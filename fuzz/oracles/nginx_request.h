/* SPDX-License-Identifier: Apache-2.0 */
/* A request as nginx hands it to the module, and what the module makes of it. */
#ifndef NGINX_REQUEST_H
#define NGINX_REQUEST_H

#include "gateway/gate.h"

enum { NGINX_FIELDS = 4, NGINX_PHASES = 3 };

/* A header field of a request. */
struct nginx_field {
	struct urivet_text name, value;
};

/* The rules of a server or location. */
struct nginx_level {
	const struct gate_policy *policy;         /* NULL: `urivet off` */
	bool observes;                            /* `urivet observe` */
	bool redirects;                           /* `urivet redirect` */
	const struct gate_parameters *parameters; /* NULL: none */
	const struct gate_policy *field_policy;   /* of the field X-Target; NULL: it is not judged */
	const struct gate_parameters *reference;  /* the field may have paths; NULL: only URLs */
	bool is_list;                             /* the field is a list */
};

struct nginx_asked {
	struct urivet_text method, target;
	struct nginx_field fields[NGINX_FIELDS];
	size_t count;
	bool secure; /* the listener is at port 8443 with `urivet_origin https://...` in front */
	uint32_t scheme, port;
	struct nginx_level server, location;
	struct urivet_text path, query;         /* of the target, decoded as nginx does it */
	struct urivet_text new_path, new_query; /* after a rewrite; data NULL: unchanged */
	unsigned rewritten_at;                  /* the phase before which it happens */
};

/* What became of it. */
struct nginx_answer {
	enum { NGINX_PASSED, NGINX_REFUSED, NGINX_REDIRECTED, NGINX_FAILED } status;
	struct gate_outcome outcome;
	char location[8192]; /* of a redirect */
	char log[16384];    /* the lines of the log */
};

/* Runs the three phases in which the module judges, as nginx does, up to a refusal. */
void nginx_judge(struct nginx_answer *answer, const struct nginx_asked *asked);

#endif
