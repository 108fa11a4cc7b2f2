/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the nginx module without nginx: its types are those of nginx's headers, and the few functions
 * that the module calls are written here. */
#pragma GCC diagnostic ignored "-Wundef" /* nginx's macros */
#pragma GCC diagnostic ignored "-Wcast-qual"
#include "gateway/nginx/guard.c"

#include "nginx_request.h"

#include <stdio.h>
#include <stdlib.h>

ngx_module_t ngx_http_core_module = {.ctx_index = 0};
ngx_module_t ngx_http_urivet_module = {.ctx_index = 1};

/* ---- Functions of nginx ---------------------------------------------------------------- */

enum { BLOCKS_MOST = 256 };
static void *blocks[BLOCKS_MOST];
static size_t block_count;
static char *log_end, *log_stop;

void *ngx_alloc(size_t size, ngx_log_t *log)
{
	(void)log;
	return malloc(size > 0 ? size : 1);
}

/* A block of its own for each call, so that a sanitizer sees one octet too many. */
void *ngx_palloc(ngx_pool_t *pool, size_t size)
{
	(void)pool;
	if (block_count == BLOCKS_MOST)
		abort();
	blocks[block_count] = ngx_alloc(size, NULL);
	return blocks[block_count++];
}

void *ngx_pnalloc(ngx_pool_t *pool, size_t size)
{
	return ngx_palloc(pool, size);
}

void *ngx_pcalloc(ngx_pool_t *pool, size_t size)
{
	return memset(ngx_palloc(pool, size), 0, size);
}

ngx_pool_cleanup_t *ngx_pool_cleanup_add(ngx_pool_t *pool, size_t size)
{
	ngx_pool_cleanup_t *const added = ngx_palloc(pool, sizeof *added);
	*added = (ngx_pool_cleanup_t){NULL, ngx_palloc(pool, size), pool->cleanup};
	pool->cleanup = added;
	return added;
}

void *ngx_list_push(ngx_list_t *list)
{
	return ngx_pcalloc(NULL, list->size);
}

ngx_int_t ngx_connection_local_sockaddr(ngx_connection_t *c, ngx_str_t *s, ngx_uint_t port)
{
	(void)c;
	(void)s;
	(void)port;
	return NGX_OK;
}

in_port_t ngx_inet_get_port(struct sockaddr *address)
{
	return ntohs(((const struct sockaddr_in *)(const void *)address)->sin_port);
}

/* Escapes what no path contains, as nginx does for a path that it passes on. */
uintptr_t ngx_escape_uri(u_char *out, u_char *in, size_t size, ngx_uint_t type)
{
	static const char digits[] = "0123456789ABCDEF";
	uintptr_t escaped = 0;
	(void)type;
	for (size_t k = 0; k < size; k++) {
		const bool escapes = in[k] <= ' ' || in[k] >= 0x7f || in[k] == '#' || in[k] == '%' || in[k] == '?';
		escaped += escapes;
		if (out != NULL && escapes) {
			*out++ = '%';
			*out++ = (u_char)digits[in[k] >> 4];
			*out++ = (u_char)digits[in[k] & 15];
		} else if (out != NULL) {
			*out++ = in[k];
		}
	}
	return out != NULL ? (uintptr_t)out : escaped;
}

__attribute__((format(printf, 4, 5))) void ngx_log_error_core(ngx_uint_t level, ngx_log_t *log, ngx_err_t error, const char *format, ...)
{
	va_list words;
	int length;
	(void)level;
	(void)log;
	(void)error;
	va_start(words, format);
	length = vsnprintf(log_end, (size_t)(log_stop - log_end), format, words);
	va_end(words);
	if (length < 0 || length >= log_stop - log_end)
		abort();
	log_end += length;
}

/* ---- The request -------------------------------------------------------------------------- */

static ngx_str_t string_of(struct urivet_text text)
{
	return (ngx_str_t){text.length, (u_char *)(uintptr_t)text.data};
}

/* The configuration of a level, and what it points to. */
struct configured {
	struct level level;
	struct target_rules target;
	ngx_array_t parameters, headers;
	struct header_rules header;
};

static void configure(struct configured *c, const struct nginx_level *from, const struct nginx_asked *asked)
{
	memset(c, 0, sizeof *c);
	c->level.mode = from->policy == NULL ? MODE_OFF
			: from->observes     ? MODE_OBSERVE
			: from->redirects    ? MODE_REDIRECT
					     : MODE_ENFORCE;
	c->target.policy = from->policy;
	if (asked->secure)
		c->target.origin = (struct origin){asked->scheme, asked->port};
	c->level.target = &c->target;
	if (from->parameters != NULL) {
		c->parameters = (ngx_array_t){.elts = (void *)(uintptr_t)from->parameters, .nelts = 1};
		c->level.parameters = &c->parameters;
	}
	if (from->field_policy != NULL) {
		c->header = (struct header_rules){.name = ngx_string("X-Target"),
						  .policy = from->field_policy,
						  .is_list = from->is_list};
		c->header.takes_paths = from->reference != NULL;
		if (from->reference != NULL)
			c->header.reference = *from->reference;
		c->headers = (ngx_array_t){.elts = &c->header, .nelts = 1};
		c->level.headers = &c->headers;
	}
}

static ngx_str_t request_line(const struct nginx_asked *asked)
{
	const size_t length = asked->method.length + asked->target.length + 10;
	u_char *const line = ngx_palloc(NULL, length);
	memcpy(line, asked->method.data, asked->method.length);
	line[asked->method.length] = ' ';
	memcpy(line + asked->method.length + 1, asked->target.data, asked->target.length);
	memcpy(line + length - 9, " HTTP/1.1", 9);
	return (ngx_str_t){length, line};
}

/* Replaces path and query as `rewrite` and `set $args` do. */
static void rewrite(ngx_http_request_t *r, const struct nginx_asked *asked)
{
	if (asked->new_path.data != NULL) {
		r->uri = string_of(asked->new_path);
		r->valid_unparsed_uri = 0;
	}
	if (asked->new_query.data != NULL)
		r->args = string_of(asked->new_query);
}

static void run_phases(struct nginx_answer *answer, ngx_http_request_t *r, const struct nginx_asked *asked)
{
	static const ngx_http_handler_pt phases[NGINX_PHASES] = {urivet_guard_server, urivet_guard_location, urivet_guard_location};
	ngx_int_t rc = NGX_DECLINED;
	for (size_t k = 0; k < NGINX_PHASES && rc == NGX_DECLINED; k++) {
		if (k == asked->rewritten_at)
			rewrite(r, asked);
		rc = phases[k](r);
	}
	answer->status = rc == NGX_DECLINED		      ? NGINX_PASSED
			 : rc == NGX_HTTP_BAD_REQUEST	      ? NGINX_REFUSED
			 : rc == NGX_HTTP_PERMANENT_REDIRECT ? NGINX_REDIRECTED
							      : NGINX_FAILED;
	answer->outcome = urivet_state(r, true)->outcome;
}

void nginx_judge(struct nginx_answer *answer, const struct nginx_asked *asked)
{
	struct configured server, location;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(asked->secure ? 8443 : (uint16_t)asked->port)};
	struct site site = {.zone = NULL};
	struct server_view view = {.label = 0};
	void *main_conf[2] = {NULL, &site}, *srv_conf[2] = {NULL, &view}, *server_loc[2] = {NULL, &server.level},
	     *loc_conf[2] = {NULL, asked->location.policy != NULL ? &location.level : &server.level}, *ctx[2] = {NULL};
	ngx_http_conf_ctx_t server_ctx = {.main_conf = main_conf, .srv_conf = srv_conf, .loc_conf = server_loc};
	ngx_http_core_srv_conf_t core = {.ctx = &server_ctx};
	ngx_log_t log = {.log_level = NGX_LOG_ERR};
	ngx_pool_t pool = {.cleanup = NULL};
	ngx_connection_t connection = {.log = &log, .local_sockaddr = (struct sockaddr *)(void *)&address};
	ngx_table_elt_t fields[NGINX_FIELDS];
	ngx_http_request_t r = {.main_conf = main_conf, .srv_conf = srv_conf, .loc_conf = loc_conf, .ctx = ctx};
	configure(&server, &asked->server, asked);
	configure(&location, &asked->location, asked);
	srv_conf[0] = &core;
	memset(answer, 0, sizeof *answer);
	memset(fields, 0, sizeof fields);
	log_end = answer->log;
	log_stop = answer->log + sizeof answer->log;
	for (size_t k = 0; k < asked->count; k++) {
		fields[k].key = string_of(asked->fields[k].name);
		fields[k].value = string_of(asked->fields[k].value);
	}
	r.main = &r;
	r.pool = &pool;
	r.connection = &connection;
	r.method = NGX_HTTP_GET;
	r.http_version = NGX_HTTP_VERSION_11;
	r.method_name = string_of(asked->method);
	r.request_line = request_line(asked);
	r.unparsed_uri = string_of(asked->target);
	r.headers_in.headers.part = (ngx_list_part_t){fields, asked->count, NULL};
	r.headers_out.headers.size = sizeof(ngx_table_elt_t);
	r.uri = string_of(asked->path);
	r.args = string_of(asked->query);
	r.valid_unparsed_uri = 1;
	run_phases(answer, &r, asked);
	if (answer->status == NGINX_REDIRECTED)
		snprintf(answer->location, sizeof answer->location, "%.*s", (int)r.headers_out.location->value.len,
			 r.headers_out.location->value.data);
	for (const ngx_pool_cleanup_t *c = pool.cleanup; c != NULL; c = c->next)
		if (c->handler != NULL)
			c->handler(c->data);
	while (block_count > 0)
		free(blocks[--block_count]);
}
