/* SPDX-License-Identifier: Apache-2.0 */
/* What was judged, as variables for logs and error pages, and as a page of counts. */
#include "gateway/nginx/module.h"

/* ---- Variables ----------------------------------------------------------------------------- */

enum variable { VERDICT, FINDINGS, REASON };

static ngx_int_t set_text(ngx_http_variable_value_t *value, const char *text, size_t length)
{
	value->len = (unsigned)length;
	value->valid = 1;
	value->no_cacheable = 1; /* more may be judged yet */
	value->not_found = 0;
	value->data = (u_char *)(uintptr_t)text;
	return NGX_OK;
}

static ngx_int_t set_findings(ngx_http_request_t *r, ngx_http_variable_value_t *value,
			      const struct gate_outcome *outcome)
{
	const size_t length = gate_format_findings(NULL, 0, outcome);
	char *const text = ngx_pnalloc(r->pool, length + 1);
	if (text == NULL)
		return NGX_ERROR;
	(void)gate_format_findings(text, length + 1, outcome);
	return set_text(value, text, length);
}

static ngx_int_t get_variable(ngx_http_request_t *r, ngx_http_variable_value_t *value,
			      uintptr_t which)
{
	const struct state *const state = urivet_state(r, false);
	const struct gate_outcome *outcome;
	const char *name;
	if (state == NULL || !state->outcome.judged) {
		value->not_found = 1;
		return NGX_OK;
	}
	outcome = &state->outcome;
	if (which == FINDINGS)
		return set_findings(r, value, outcome);
	if (which == VERDICT)
		name = outcome->refused || outcome->observed ? "reject" : "accept";
	else
		name = urivet_reason_name(gate_reason(outcome));
	return set_text(value, name, ngx_strlen(name));
}

ngx_int_t urivet_add_variables(ngx_conf_t *cf)
{
	static ngx_str_t names[] = {
	    [VERDICT] = ngx_string("urivet_verdict"),
	    [FINDINGS] = ngx_string("urivet_findings"),
	    [REASON] = ngx_string("urivet_reason"),
	};
	for (uintptr_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ngx_http_variable_t *const variable =
		    ngx_http_add_variable(cf, &names[i], NGX_HTTP_VAR_NOCACHEABLE);
		if (variable == NULL)
			return NGX_ERROR;
		variable->get_handler = get_variable;
		variable->data = i;
	}
	return NGX_OK;
}

/* ---- Counters ------------------------------------------------------------------------------ */

static ngx_int_t begin_counters(ngx_shm_zone_t *zone, void *before)
{
	ngx_slab_pool_t *const pool = (ngx_slab_pool_t *)zone->shm.addr;
	if (before != NULL) { /* a reload: go on counting */
		zone->data = before;
		return NGX_OK;
	}
	if (zone->shm.exists) {
		zone->data = pool->data;
		return NGX_OK;
	}
	zone->data = ngx_slab_calloc(pool, sizeof(struct counters));
	pool->data = zone->data;
	return zone->data != NULL ? NGX_OK : NGX_ERROR;
}

ngx_int_t urivet_share_counters(ngx_conf_t *cf, struct site *site)
{
	static ngx_str_t name = ngx_string("urivet");
	site->zone = ngx_shared_memory_add(cf, &name, 16 * ngx_pagesize, &ngx_http_urivet_module);
	if (site->zone == NULL)
		return NGX_ERROR;
	site->zone->init = begin_counters;
	return NGX_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

#define TEXT(value)  #value
#define VALUE(macro) TEXT(macro)
#define HEAD                                                                                       \
	"# HELP urivet_build_info The version of urivet.\n"                                        \
	"# TYPE urivet_build_info gauge\n"                                                         \
	"urivet_build_info{version=\"" VALUE(URIVET_VERSION_MAJOR) "." VALUE(                      \
	    URIVET_VERSION_MINOR) "." VALUE(URIVET_VERSION_PATCH) "\"} 1\n"                        \
								  "# HELP urivet_requests_total "  \
								  "Requests that were judged; "    \
								  "observed: refused, and let go " \
								  "on.\n"                          \
								  "# TYPE urivet_requests_total "  \
								  "counter\n"
#define FINDINGS_HEAD                                                                              \
	"# HELP urivet_findings_total Requests in which the finding refused.\n"                    \
	"# TYPE urivet_findings_total counter\n"
#define REQUESTS_LINE "urivet_requests_total{verdict=\"%s\"} %uA\n"
#define FINDING_LINE  "urivet_findings_total{finding=\"%s\"} %uA\n"
/* of each: the line, the longest name and the longest number */
#define LINE_CAPACITY 128

static u_char *write_findings(u_char *at, const u_char *end, const struct counters *c)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *const row = urivet_finding_info(id);
		if (row != NULL && c->findings[id] != 0)
			at = ngx_slprintf(at, (u_char *)(uintptr_t)end, FINDING_LINE, row->name,
					  c->findings[id]);
	}
	return at;
}

static u_char *write_page(u_char *at, u_char *end, const struct counters *c)
{
	at = ngx_slprintf(at, end, HEAD);
	at = ngx_slprintf(at, end, REQUESTS_LINE, "accept", c->accepted);
	at = ngx_slprintf(at, end, REQUESTS_LINE, "reject", c->rejected);
	at = ngx_slprintf(at, end, REQUESTS_LINE, "observed", c->observed);
	at = ngx_slprintf(at, end, FINDINGS_HEAD);
	return write_findings(at, end, c);
}

ngx_int_t urivet_show_status(ngx_http_request_t *r)
{
	static const size_t capacity =
	    sizeof HEAD + sizeof FINDINGS_HEAD + (URIVET_FINDING_LIMIT + 3) * LINE_CAPACITY;
	const struct site *const site = ngx_http_get_module_main_conf(r, ngx_http_urivet_module);
	ngx_buf_t *buffer;
	ngx_chain_t out;
	ngx_int_t rc;
	if (!(r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)))
		return NGX_HTTP_NOT_ALLOWED;
	rc = ngx_http_discard_request_body(r);
	if (rc != NGX_OK)
		return rc;
	buffer = ngx_create_temp_buf(r->pool, capacity);
	if (buffer == NULL)
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	buffer->last = write_page(buffer->pos, buffer->end, site->zone->data);
	buffer->last_buf = r == r->main;
	buffer->last_in_chain = 1;
	out.buf = buffer;
	out.next = NULL;
	ngx_str_set(&r->headers_out.content_type, "text/plain; version=0.0.4");
	r->headers_out.content_type_len = r->headers_out.content_type.len;
	r->headers_out.status = NGX_HTTP_OK;
	r->headers_out.content_length_n = buffer->last - buffer->pos;
	rc = ngx_http_send_header(r);
	if (rc == NGX_ERROR || rc > NGX_OK || r->header_only)
		return rc;
	return ngx_http_output_filter(r, &out);
}
