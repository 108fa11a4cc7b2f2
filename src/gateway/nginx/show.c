/* SPDX-License-Identifier: Apache-2.0 */
/* Outcomes as variables for logs and error pages, and the counters as a page. */
#include "gateway/nginx/module.h"

/* ---- Variables ----------------------------------------------------------------------------- */
enum variable { VERDICT, FINDINGS, REASON };

static ngx_int_t set_text(ngx_http_variable_value_t *value, const char *text, size_t length)
{
	value->len = (unsigned)length;
	value->valid = 1;
	value->no_cacheable = 1; /* a later phase may judge more */
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
	name = which != VERDICT ? urivet_reason_name(gate_reason(outcome))
	       : outcome->refused || outcome->observed ? "reject" : "accept";
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

#define TEXT_OF(number)       #number
#define NAME_OF(major, minor) "urivet " TEXT_OF(major) "." TEXT_OF(minor) " %08xD"
#define ZONE_NAME             NAME_OF(URIVET_VERSION_MAJOR, URIVET_VERSION_MINOR)
/* Octets for the three counters of a server, whose name has at most 255. */
#define SERVER_CAPACITY 1024

static ngx_int_t begin_counters(ngx_shm_zone_t *zone, void *before)
{
	ngx_slab_pool_t *const pool = (ngx_slab_pool_t *)zone->shm.addr;
	if (before != NULL) { /* a reload: keep the counters */
		zone->data = before;
		return NGX_OK;
	}
	if (zone->shm.exists) {
		zone->data = pool->data;
		return NGX_OK;
	}
	zone->data = ngx_slab_calloc(pool, COUNTS_SIZE(*(const ngx_uint_t *)zone->data));
	pool->data = zone->data;
	return zone->data != NULL ? NGX_OK : NGX_ERROR;
}

ngx_int_t urivet_share_counters(ngx_conf_t *cf, struct site *site)
{
	/* another version of the module, loaded by a reload, has counters of another size, and
	 * other servers have other counters */
	const char *const *const labels = site->labels->elts;
	u_char text[64];
	ngx_str_t name = {0, text};
	uint32_t hash = 0;
	for (ngx_uint_t i = 0; i < site->labels->nelts; i++)
		ngx_crc32_update(&hash, (u_char *)(uintptr_t)labels[i], ngx_strlen(labels[i]));
	name.len = (size_t)(ngx_sprintf(text, ZONE_NAME, hash) - text);
	name.data = ngx_pstrdup(cf->pool, &name);
	if (name.data == NULL)
		return NGX_ERROR;
	site->zone = ngx_shared_memory_add(cf, &name,
					   16 * ngx_pagesize + 2 * COUNTS_SIZE(site->labels->nelts),
					   &ngx_http_urivet_module);
	if (site->zone == NULL)
		return NGX_ERROR;
	site->zone->data = &site->labels->nelts;
	site->zone->init = begin_counters;
	return NGX_OK;
}

/* ---- The status page ---- */

ngx_int_t urivet_show_status(ngx_http_request_t *r)
{
	const struct site *const site = ngx_http_get_module_main_conf(r, ngx_http_urivet_module);
	ngx_buf_t *buffer;
	ngx_chain_t out;
	ngx_int_t rc;
	size_t length, capacity;
	if (!(r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)))
		return NGX_HTTP_NOT_ALLOWED;
	rc = ngx_http_discard_request_body(r);
	if (rc != NGX_OK)
		return rc;
	capacity = COUNTS_CAPACITY + site->labels->nelts * SERVER_CAPACITY;
	buffer = ngx_create_temp_buf(r->pool, capacity);
	if (buffer == NULL)
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	length = counts_format((char *)buffer->pos, capacity, site->zone->data, site->labels->elts,
			       site->labels->nelts);
	if (length >= capacity)
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	buffer->last = buffer->pos + length;
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
