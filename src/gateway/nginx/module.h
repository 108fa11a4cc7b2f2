/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of the nginx module. */
#ifndef URIVET_GATEWAY_NGINX_MODULE_H
#define URIVET_GATEWAY_NGINX_MODULE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "gateway/counts.h"

extern ngx_module_t ngx_http_urivet_module;

enum mode { MODE_OFF = 0, MODE_OBSERVE, MODE_ENFORCE, MODE_REDIRECT };

/* `urivet_origin`: the scheme and port that clients use, if the listener has others. */
struct origin {
	uint32_t scheme; /* URIVET_SCHEME_NONE: use the listener's */
	uint32_t port;
};

/* The rules for targets. */
struct target_rules {
	const struct gate_policy *policy;
	struct origin origin;
};

/* `urivet_header`: a field name, and the rules for its values. */
struct header_rules {
	ngx_str_t name;
	const struct gate_policy *policy;
	bool is_list;                      /* each item of a comma-separated list is judged */
	bool takes_paths;                  /* values may be paths and are judged by `reference` */
	struct gate_parameters reference;
};

/* The configuration of a server or location. Unset members share the pointer of the level above, so
 * equal pointers mean that the rules were applied already. */
struct level {
	ngx_uint_t mode;
	bool is_off; /* the level itself says `urivet off` */
	bool says;   /* it or a level above has the directive `urivet` */
	struct gate_policy *policy;
	struct origin *origin;
	struct target_rules *target;
	ngx_array_t *parameters; /* of struct gate_parameters */
	ngx_array_t *headers;    /* of struct header_rules */
};

/* What the locations of a server do. */
struct server_view {
	const ngx_http_core_loc_conf_t *judging; /* the last that judges */
	bool has_open;                           /* another location says nothing */
	size_t label;                            /* of its counters */
};

/* The configuration of the whole http block. */
struct site {
	ngx_array_t *policies; /* of struct named_policy *; each file is read once */
	ngx_array_t *labels;   /* of const char *: `,server="shop.example"`, one for each name */
	ngx_shm_zone_t *zone;
	ngx_array_t *rule_lists; /* of struct rule_list, for urivet_param and urivet_header */
	ngx_flag_t used;         /* some level judges requests or shows the counters */
};

/* A stored outcome: which rules were applied, at which level's origin, and to which rewritten target
 * or query (empty: as received). */
struct judged {
	const void *rules;
	const struct target_rules *target;
	ngx_str_t text;
	struct gate_outcome outcome;
	struct judged *next;
};

/* A refused request or subrequest, and the path and query that it had. */
struct refused {
	const ngx_http_request_t *request;
	ngx_str_t path, args;
	struct refused *next;
};

/* State of a client request. nginx clears module contexts on internal redirects, so the state is
 * also found through the clean-up handlers of the request pool. */
struct state {
	struct counts *counts;
	size_t server; /* that counts the request */
	struct gate_outcome outcome;
	struct judged *judged;
	struct refused *refused;
	/* the last accepted check: the level of a location or server, with path and query */
	const struct level *passed;
	ngx_str_t passed_path, passed_args;
	bool read; /* the members below are set */
	unsigned hosts;
	struct gate_request received; /* as received, with the policy of the current level */
	struct urivet_text query;
};

/* Returns the state of the request that `r` belongs to, or NULL if it has none. If `make` is true,
 * the state is created, and NULL means out of memory. */
struct state *urivet_state(ngx_http_request_t *r, bool make);

/* Phase handlers. */
ngx_int_t urivet_guard_server(ngx_http_request_t *r);
ngx_int_t urivet_guard_location(ngx_http_request_t *r);

/* The variables, and the content handler of `urivet_status`. */
ngx_int_t urivet_add_variables(ngx_conf_t *cf);
ngx_int_t urivet_show_status(ngx_http_request_t *r);

/* Shares the counters among the workers and across reloads. */
ngx_int_t urivet_share_counters(ngx_conf_t *cf, struct site *site);

#endif
