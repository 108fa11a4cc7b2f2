/* SPDX-License-Identifier: Apache-2.0 */
/* Phase handlers that judge requests. Server rules run before nginx selects a location, since the
 * normalised path that selects it is under the client's control. Location rules run before the
 * location's `return` and `rewrite`, and again afterwards and before content if path or query were
 * changed, as by a script. Rules already applied to the same text are not applied again. */
#include "common/exact.h"
#include "gateway/nginx/module.h"

/* ---- The state of a request --------------------------------------------------------- */

/* Counts the request when its pool is destroyed. */
static void end_state(void *data)
{
	const struct state *const state = data;
	if (state->counts != NULL && state->outcome.judged)
		counts_add(state->counts, state->server, &state->outcome);
}

static struct state *find_state(const ngx_http_request_t *main)
{
	for (ngx_pool_cleanup_t *c = main->pool->cleanup; c != NULL; c = c->next)
		if (c->handler == end_state)
			return c->data;
	return NULL;
}

static struct state *make_state(const ngx_http_request_t *main)
{
	const struct server_view *view = ngx_http_get_module_srv_conf(main, ngx_http_urivet_module);
	const struct site *site = ngx_http_get_module_main_conf(main, ngx_http_urivet_module);
	ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(main->pool, sizeof(struct state));
	struct state *state;
	if (cleanup == NULL)
		return NULL;
	state = cleanup->data;
	ngx_memzero(state, sizeof *state);
	state->counts = site->zone != NULL ? site->zone->data : NULL;
	state->server = view->label;
	cleanup->handler = end_state;
	return state;
}

struct state *urivet_state(ngx_http_request_t *r, bool make)
{
	ngx_http_request_t *const main = r->main;
	struct state *state = ngx_http_get_module_ctx(main, ngx_http_urivet_module);
	if (state != NULL)
		return state;
	state = find_state(main);
	if (state == NULL && make)
		state = make_state(main);
	if (state != NULL)
		ngx_http_set_ctx(main, state, ngx_http_urivet_module);
	return state;
}

/* ---- The received request ------------------------------------------------------------ */

static struct urivet_text text_of(ngx_str_t string)
{
	return urivet_text_of(string.data, string.len);
}

/* Returns the text of a request in a block of its size in builds with AddressSanitizer, which then
 * notices a read beyond it; elsewhere the text itself. */
static struct urivet_text exact_text(const ngx_http_request_t *r, struct urivet_text text)
{
	ngx_pool_cleanup_t *const cleanup = EXACT_BUFFERS ? ngx_pool_cleanup_add(r->pool, 0) : NULL;
	if (cleanup == NULL)
		return text;
	cleanup->data = NULL;
	text.data = exact_copy(&cleanup->data, text.data, text.length, "nginx");
	cleanup->handler = free;
	return text;
}

static struct urivet_text query_of(struct urivet_text target)
{
	const char *const from = target.data;
	const char *const end = from + target.length;
	const char *const question = target.length > 0 ? memchr(from, '?', target.length) : NULL;
	return question != NULL ? urivet_text_of(question + 1, (size_t)(end - question - 1))
				: urivet_text_of("", 0);
}

/* Returns the target as received. For HTTP/1 it is taken from the request line, as nginx removes
 * scheme and authority from the URI it stores. HTTP/2 has no such form. */
static struct urivet_text received_target(const ngx_http_request_t *main)
{
	if (main->unparsed_uri.len == 0)
		return urivet_text_of(NULL, 0); /* not parsed: nginx refuses the request itself */
	return exact_text(main, main->http_version < NGX_HTTP_VERSION_20
				    ? gate_target_of_line(text_of(main->request_line))
				    : text_of(main->unparsed_uri));
}

/* Calls `take` for each header field of the client request. */
static void each_field(const ngx_http_request_t *main, void take(const ngx_table_elt_t *, void *),
		       void *context)
{
	for (const ngx_list_part_t *part = &main->headers_in.headers.part; part != NULL;
	     part = part->next) {
		const ngx_table_elt_t *const fields = part->elts;
		for (ngx_uint_t i = 0; i < part->nelts; i++)
			take(&fields[i], context);
	}
}

static void take_host(const ngx_table_elt_t *field, void *context)
{
	struct state *const state = context;
	if (!gate_is_field(text_of(field->key), urivet_text_of("host", 4)))
		return;
	state->received.request.host = text_of(field->value);
	if (state->received.request.host.data == NULL)
		state->received.request.host.data = "";
	state->hosts++;
}

static uint32_t listener_port(const ngx_http_request_t *main)
{
	ngx_connection_t *const c = main->connection;
	in_port_t port;
	if (ngx_connection_local_sockaddr(c, NULL, 0) != NGX_OK)
		return URIVET_NO_PORT;
	port = ngx_inet_get_port(c->local_sockaddr);
	return port != 0 ? port : URIVET_NO_PORT;
}

static bool is_tls(const ngx_http_request_t *main)
{
#if (NGX_HTTP_SSL)
	return main->connection->ssl != NULL;
#else
	(void)main;
	return false;
#endif
}

/* Sets state->received: the request as received, the origin of the listener, and the policy of a
 * level. */
static void receive(struct state *state, const ngx_http_request_t *main,
		    const struct target_rules *rules)
{
	struct gate_request *const received = &state->received;
	struct urivet_request *const request = &received->request;
	if (!state->read) {
		(void)urivet_request_init(request, sizeof *request);
		request->method = text_of(main->method_name);
		received->target = received_target(main);
		state->query = query_of(received->target);
		each_field(main, take_host, state);
		state->read = true;
	}
	received->policy = rules->policy;
	received->explains = main->connection->log->log_level >= NGX_LOG_ERR;
	if (rules->origin.scheme != URIVET_SCHEME_NONE) {
		request->scheme = rules->origin.scheme;
		request->port = rules->origin.port;
	} else {
		request->scheme = is_tls(main) ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
		request->port = listener_port(main);
	}
}

/* Returns true if both have the same octets; an empty text may have no data. */
static bool is_same_text(ngx_str_t a, struct urivet_text b)
{
	return a.len == b.length && (a.len == 0 || ngx_memcmp(a.data, b.data, a.len) == 0);
}

/* ---- Stored outcomes ------------------------------------------------------------------- */

/* Returns the stored outcome of these rules for this text (a rewritten target or query; empty: as
 * received) at the level's origin. Creates it if it is missing, and sets *is_new accordingly.
 * Returns NULL if out of memory. */
static struct judged *judged_by(struct state *state, ngx_http_request_t *r,
				const struct level *level, const void *rules, ngx_str_t text,
				bool *is_new)
{
	struct judged *j;
	*is_new = false;
	for (j = state->judged; j != NULL; j = j->next)
		if (j->rules == rules && j->target == level->target &&
		    is_same_text(j->text, text_of(text)))
			return j;
	j = ngx_pcalloc(r->main->pool, sizeof *j);
	if (j == NULL)
		return NULL;
	j->rules = rules;
	j->target = level->target;
	j->text = text;
	j->next = state->judged;
	state->judged = j;
	*is_new = true;
	return j;
}

/* Returns the last refusal of this request or of one that it is a part of, or NULL. */
static const struct refused *find_refusal(const struct state *state, const ngx_http_request_t *r)
{
	for (; r != NULL; r = r->parent)
		for (const struct refused *f = state->refused; f != NULL; f = f->next)
			if (f->request == r)
				return f;
	return NULL;
}

/* ---- Judging --------------------------------------------------------------------------- */

static const ngx_str_t AS_RECEIVED = ngx_null_string;

static ngx_int_t judge_parameters(struct state *state, ngx_http_request_t *r,
				  const struct level *level, struct gate_request *request,
				  ngx_str_t args, struct gate_outcome *outcome)
{
	bool is_new;
	struct judged *j;
	if (level->parameters == NULL)
		return NGX_OK;
	j = judged_by(state, r, level, level->parameters, args, &is_new);
	if (j == NULL)
		return NGX_ERROR;
	if (is_new) {
		const struct gate_parameters *asked = level->parameters->elts;
		const size_t capacity = gate_buffer_capacity(request);
		char *const buffer = ngx_alloc(capacity, r->connection->log);
		if (buffer == NULL)
			return NGX_ERROR;
		for (ngx_uint_t i = 0; i < level->parameters->nelts; i++)
			gate_judge_parameters(&j->outcome, request, &asked[i], buffer, capacity);
		ngx_free(buffer);
	}
	gate_add(outcome, &j->outcome);
	return NGX_OK;
}

static ngx_int_t judge_target(struct state *state, ngx_http_request_t *r, const struct level *level,
			      struct gate_outcome *outcome)
{
	bool is_new;
	struct judged *const j = judged_by(state, r, level, level->target, AS_RECEIVED, &is_new);
	if (j == NULL)
		return NGX_ERROR;
	if (is_new) {
		gate_judge_target(&j->outcome, &state->received);
		if (state->hosts > 1)
			gate_refuse(&j->outcome, URIVET_F_HOST_HEADER_MISMATCH,
				    level->target->policy->observes);
	}
	gate_add(outcome, &j->outcome);
	return NGX_OK;
}

/* Returns true if a rewrite, an internal redirect or a subrequest replaced the received path or
 * query. nginx then passes on its decoded path, escaped again, and its query. */
static bool is_rewritten(const struct state *state, const ngx_http_request_t *r)
{
	return !r->valid_unparsed_uri || !is_same_text(r->args, state->query);
}

/* Writes the target that nginx passes on: the path as escaped by ngx_escape_uri(), and the query.
 * Returns false if out of memory. */
static bool write_target(ngx_http_request_t *r, ngx_str_t *target)
{
	const uintptr_t escaped = 2 * ngx_escape_uri(NULL, r->uri.data, r->uri.len, NGX_ESCAPE_URI);
	u_char *const text = ngx_pnalloc(r->main->pool, r->uri.len + escaped + 1 + r->args.len);
	u_char *end;
	if (text == NULL)
		return false;
	end = (u_char *)ngx_escape_uri(text, r->uri.data, r->uri.len, NGX_ESCAPE_URI);
	if (escaped == 0)
		end = ngx_cpymem(text, r->uri.data, r->uri.len);
	if (r->args.len > 0) {
		*end++ = '?';
		end = ngx_cpymem(end, r->args.data, r->args.len);
	}
	target->data = text;
	target->len = (size_t)(end - text);
	return true;
}

/* Judges the target that is passed on, which differs from the received one. Parameters depend only
 * on the query, so they are judged again only if the query changed. */
static ngx_int_t judge_rewritten(struct state *state, ngx_http_request_t *r,
				 const struct level *level, struct gate_outcome *outcome)
{
	struct gate_request written;
	ngx_str_t target;
	struct judged *j;
	bool is_new;
	if (!write_target(r, &target))
		return NGX_ERROR;
	written = state->received;
	written.target = text_of(target);
	j = judged_by(state, r, level, level->target, target, &is_new);
	if (j == NULL)
		return NGX_ERROR;
	if (is_new)
		gate_judge_target(&j->outcome, &written);
	gate_add(outcome, &j->outcome);
	if (r->args.len == 0 || is_same_text(r->args, state->query))
		return NGX_OK;
	return judge_parameters(state, r, level, &written, r->args, outcome);
}

struct asked_headers {
	const struct level *level;
	const struct gate_request *received;
	ngx_log_t *log;
	struct gate_outcome *outcome;
};

static void judge_value(const struct asked_headers *asked, const struct header_rules *rules,
			struct urivet_text value)
{
	const size_t capacity = gate_field_capacity(asked->received, value);
	char *buffer;
	if (!rules->takes_paths || value.length == 0) { /* an empty value is not a path */
		gate_judge_field(asked->outcome, value, rules->policy);
		return;
	}
	buffer = ngx_alloc(capacity, asked->log); /* a waiting request would keep the pool's */
	gate_judge_reference(asked->outcome, asked->received, value, &rules->reference, buffer,
			     buffer != NULL ? capacity : 0);
	ngx_free(buffer);
}

static bool is_blank(u_char c)
{
	return c == ' ' || c == '\t';
}

/* Judges each item of a list (RFC 9110, 5.6.1) without surrounding blanks. Empty items are refused.
 * So is the text after a comma inside a URL, unless it is a URL itself, and a list with more items
 * than a query may have parameters. */
static void judge_items(const struct asked_headers *asked, const struct header_rules *rules,
			ngx_str_t list)
{
	u_char *at = list.data, *const end = list.data + list.len;
	for (unsigned items = 0; items < URIVET_MAX_PARAMETERS; items++) {
		u_char *const comma = ngx_strlchr(at, end, ',');
		u_char *last = comma != NULL ? comma : end;
		while (at < last && is_blank(*at))
			at++;
		while (at < last && is_blank(last[-1]))
			last--;
		judge_value(asked, rules, urivet_text_of(at, (size_t)(last - at)));
		if (comma == NULL)
			return;
		at = comma + 1;
	}
	gate_refuse(asked->outcome, URIVET_F_PARAM_REFUSED, rules->policy->observes);
}

static void judge_field(const ngx_table_elt_t *field, void *context)
{
	const struct asked_headers *const all = context;
	const struct header_rules *const rules = all->level->headers->elts;
	struct gate_outcome found = {.judged = false};
	const struct asked_headers asked = {all->level, all->received, all->log, &found};
	for (ngx_uint_t i = 0; i < all->level->headers->nelts; i++) {
		if (!gate_is_field(text_of(field->key), text_of(rules[i].name)))
			continue;
		if (rules[i].is_list)
			judge_items(&asked, &rules[i], field->value);
		else
			judge_value(&asked, &rules[i], text_of(field->value));
	}
	found.place = (struct gate_place){"field", text_of(field->key)};
	gate_add(all->outcome, &found);
}

static ngx_int_t judge_headers(struct state *state, ngx_http_request_t *r,
			       const struct level *level, struct gate_outcome *outcome)
{
	bool is_new;
	struct judged *j;
	if (level->headers == NULL)
		return NGX_OK;
	j = judged_by(state, r, level, level->headers, AS_RECEIVED, &is_new);
	if (j == NULL)
		return NGX_ERROR;
	if (is_new) {
		struct asked_headers asked = {level, &state->received, r->connection->log,
					      &j->outcome};
		each_field(r->main, judge_field, &asked);
	}
	gate_add(outcome, &j->outcome);
	return NGX_OK;
}

/* ---- Refusing -------------------------------------------------------------------------- */

/* Logs a refusal at the level of nginx's "access forbidden by rule", which the default log level
 * shows. */
static void log_refusal(ngx_http_request_t *r, const char *what, const struct gate_outcome *outcome)
{
	char names[512], more[GATE_EXPLAINED];
	if (r->connection->log->log_level < NGX_LOG_ERR)
		return;
	(void)gate_format_findings(names, sizeof names, outcome);
	(void)gate_explain(more, sizeof more, outcome);
	ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "urivet %s the request: %s%s", what,
		      names, more);
}

/* Prepares a redirect to the accepted spelling of the target: 308, which keeps the method and is
 * cacheable. Returns false if there is no such spelling, or if more than the target is refused. */
static bool redirect(struct state *state, ngx_http_request_t *r, const struct gate_outcome *rest)
{
	const size_t capacity = gate_suggest_capacity(&state->received);
	struct urivet_text target;
	char *buffer;
	if (rest->refused || state->hosts != 1 || r != r->main || r->internal ||
	    (r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD)) == 0 || is_rewritten(state, r))
		return false;
	buffer = ngx_pnalloc(r->pool, capacity);
	if (buffer == NULL)
		return false;
	target = gate_suggest(&state->received, buffer, capacity);
	if (target.data == NULL)
		return false;
	ngx_http_clear_location(r);
	r->headers_out.location = ngx_list_push(&r->headers_out.headers);
	if (r->headers_out.location == NULL)
		return false;
	r->headers_out.location->hash = 1;
#if nginx_version >= 1023000
	r->headers_out.location->next = NULL;
#endif
	ngx_str_set(&r->headers_out.location->key, "Location");
	r->headers_out.location->value.data = (u_char *)(uintptr_t)target.data;
	r->headers_out.location->value.len = target.length;
	return true;
}

static ngx_int_t refuse(struct state *state, ngx_http_request_t *r)
{
	struct refused *const refused = ngx_palloc(r->main->pool, sizeof *refused);
	if (refused == NULL)
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	refused->request = r;
	refused->path = r->uri;
	refused->args = r->args;
	refused->next = state->refused;
	state->refused = refused;
	return NGX_HTTP_BAD_REQUEST;
}

/* Judges the request by the rules of one level. */
static ngx_int_t guard_by(struct state *state, ngx_http_request_t *r, const struct level *level)
{
	struct gate_outcome found = {.judged = false}, rest = found;
	const struct judged *const before = state->judged;
	const char *what;
	bool redirects = false;
	if (level->mode == MODE_OFF)
		return NGX_DECLINED;
	receive(state, r->main, level->target);
	if (judge_target(state, r, level, &found) != NGX_OK ||
	    judge_parameters(state, r, level, &state->received, AS_RECEIVED, &rest) != NGX_OK ||
	    (is_rewritten(state, r) && judge_rewritten(state, r, level, &rest) != NGX_OK) ||
	    judge_headers(state, r, level, &rest) != NGX_OK)
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	if (level->mode == MODE_REDIRECT && found.refused)
		redirects = redirect(state, r, &rest);
	gate_add(&found, &rest);
	if (level->mode == MODE_OBSERVE && found.refused) {
		found.refused = false;
		found.observed = true;
	}
	gate_add(&state->outcome, &found);
	what = redirects ? "redirected" : found.refused ? "refused" : "would refuse";
	if ((found.refused || found.observed) && (found.refused || state->judged != before))
		log_refusal(r, what, &found);
	return !found.refused ? NGX_DECLINED
	       : redirects    ? NGX_HTTP_PERMANENT_REDIRECT : refuse(state, r);
}

static const struct level *server_level(ngx_http_request_t *r)
{
	ngx_http_core_srv_conf_t *server = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
	return server->ctx->loc_conf[ngx_http_urivet_module.ctx_index];
}

static bool is_same_place(ngx_str_t a, ngx_str_t b)
{
	return a.data == b.data && a.len == b.len;
}

/* Returns true if the written target is refused for its path or query. Its Host field is that of
 * the refused request. */
static bool is_refused_page(const struct gate_request *written)
{
	const struct urivet_report *const report = &written->report;
	bool refused = report->verdict != URIVET_ACCEPT && (!report->parsed || report->dropped > 0);
	for (uint32_t i = 0; i < report->count && !refused; i++)
		refused = (report->finding[i].component == URIVET_WHOLE ||
			   report->finding[i].component >= URIVET_PATH) &&
			  urivet_finding_refuses(report, &report->finding[i],
						 written->policy->policy);
	return refused && !written->policy->observes;
}

/* Judges what an error page or a subrequest of a refused request passes on. */
static ngx_int_t guard_page(struct state *state, ngx_http_request_t *r, const struct level *level)
{
	struct gate_outcome found = {.judged = false}, target = found;
	struct gate_request written;
	ngx_str_t text;
	if (level->mode < MODE_ENFORCE)
		return NGX_DECLINED;
	receive(state, r->main, level->target);
	written = state->received;
	if (!write_target(r, &text))
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	written.target = text_of(text);
	gate_judge_target(&target, &written);
	if (r->args.len > 0 && judge_parameters(state, r, level, &written, r->args, &found))
		return NGX_HTTP_INTERNAL_SERVER_ERROR;
	return found.refused || is_refused_page(&written) ? refuse(state, r) : NGX_DECLINED;
}

/* Judges a request that was refused before. What was refused is refused again, as in a named
 * location to which an error page leads, unless that location itself says `urivet off`. */
static ngx_int_t guard_refused(struct state *state, ngx_http_request_t *r,
			       const struct refused *refusal, const struct level *server,
			       const struct level *level)
{
	ngx_int_t rc;
	if (is_same_place(refusal->path, r->uri) && is_same_place(refusal->args, r->args))
		return level->is_off ? NGX_DECLINED : refuse(state, r);
	rc = guard_page(state, r, server);
	return rc == NGX_DECLINED && level != server ? guard_page(state, r, level) : rc;
}

/* Returns true if an earlier phase accepted the same path and query by the same rules. */
static bool has_passed(const struct state *state, const ngx_http_request_t *r,
		       const struct level *level)
{
	return state->passed == level && is_same_place(state->passed_args, r->args) &&
	       is_same_place(state->passed_path, r->uri);
}

/* Judges by the server's rules, then by the location's if `level` is a location. */
static ngx_int_t guard(ngx_http_request_t *r, const struct level *server, const struct level *level)
{
	const bool judges = server->mode != MODE_OFF || level->mode != MODE_OFF;
	const struct refused *refusal;
	struct state *state;
	ngx_int_t rc;
	if (!judges && !r->internal)
		return NGX_DECLINED;
	state = urivet_state(r, judges);
	if (state == NULL)
		return judges ? NGX_HTTP_INTERNAL_SERVER_ERROR : NGX_DECLINED;
	refusal = find_refusal(state, r);
	if (refusal != NULL)
		return guard_refused(state, r, refusal, server, level);
	if (!judges || has_passed(state, r, level))
		return NGX_DECLINED;
	rc = guard_by(state, r, server);
	if (rc == NGX_DECLINED && level != server)
		rc = guard_by(state, r, level);
	if (rc == NGX_DECLINED) {
		state->passed = level;
		state->passed_args = r->args;
		state->passed_path = r->uri;
	}
	return rc;
}

ngx_int_t urivet_guard_server(ngx_http_request_t *r)
{
	const struct level *const server = server_level(r);
	return guard(r, server, server);
}

ngx_int_t urivet_guard_location(ngx_http_request_t *r)
{
	return guard(r, server_level(r), ngx_http_get_module_loc_conf(r, ngx_http_urivet_module));
}
