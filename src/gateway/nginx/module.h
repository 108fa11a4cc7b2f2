/* SPDX-License-Identifier: Apache-2.0 */
/* The nginx module: what its files know of one another. */
#ifndef URIVET_GATEWAY_NGINX_MODULE_H
#define URIVET_GATEWAY_NGINX_MODULE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "gateway/counts.h"

extern ngx_module_t ngx_http_urivet_module;

enum mode { MODE_OFF = 0, MODE_OBSERVE, MODE_ENFORCE, MODE_REDIRECT };

/* `urivet_origin`: what clients call the server, where that is not what it listens on. */
struct origin {
	uint32_t scheme; /* URIVET_SCHEME_NONE: the listener's */
	uint32_t port;
};

/* By what targets are judged. */
struct target_rules {
	const struct gate_policy *policy;
	struct origin origin;
};

/* `urivet_header`: a field, and by what its values are judged. */
struct header_rules {
	ngx_str_t name;
	const struct gate_policy *policy;
	bool is_list;                      /* each item of a comma-separated list is a value */
	bool takes_paths;                  /* a value may be a path, and is judged by `reference` */
	struct gate_parameters reference;
};

/* A server's or a location's part of the configuration. What a level does not set it shares with
 * the one above, so that a pointer tells what was judged by it already. */
struct level {
	ngx_uint_t mode;
	struct gate_policy *policy;
	struct origin *origin;
	struct target_rules *target;
	ngx_array_t *parameters; /* of struct gate_parameters */
	ngx_array_t *headers;    /* of struct header_rules */
};

/* The whole configuration. */
struct site {
	ngx_array_t *policies; /* of struct named_policy *: each is read once */
	struct urivet_suffixes *suffixes;
	ngx_shm_zone_t *zone;
	ngx_array_t *rule_lists; /* of struct rule_list: those of urivet_param and urivet_header */
	ngx_flag_t used;         /* some level judges, or shows what was counted */
};

/* An outcome: by which rules, and of which rewritten target or query (empty: the received one). */
struct judged {
	const void *rules;
	ngx_str_t text;
	struct gate_outcome outcome;
	struct judged *next;
};

/* A request that was refused, or one of its subrequests. */
struct refused {
	const ngx_http_request_t *request;
	struct refused *next;
};

/* What is known of a request from the client; nginx forgets the contexts of modules where it
 * redirects within, so this is found in the clean-up of its pool. */
struct state {
	struct counts *counts;
	struct gate_outcome outcome;
	struct judged *judged;
	struct refused *refused;
	/* what was judged last and accepted: by a location's rules (or the server's), path and query */
	const struct level *passed;
	ngx_str_t passed_path, passed_args;
	bool read; /* what follows is set */
	unsigned hosts;
	struct gate_request received; /* as it came; its policy is that of the level at work */
	struct urivet_text query;
};

/* The state of the request that `r` belongs to; NULL if it has none, and there is to be none
 * (`make`: and there is no memory). */
struct state *urivet_state(ngx_http_request_t *r, bool make);

/* The handlers of the phases. */
ngx_int_t urivet_guard_server(ngx_http_request_t *r);
ngx_int_t urivet_guard_location(ngx_http_request_t *r);

/* The variables, and the page of `urivet_status`. */
ngx_int_t urivet_add_variables(ngx_conf_t *cf);
ngx_int_t urivet_show_status(ngx_http_request_t *r);

/* Shares the counters among the workers, and over reloads. */
ngx_int_t urivet_share_counters(ngx_conf_t *cf, struct site *site);

#endif
