/* SPDX-License-Identifier: Apache-2.0 */
/* The directives of nginx.conf, and how levels inherit them. */
#include "common/nearest.h"
#include "gateway/nginx/module.h"

struct named_policy {
	ngx_str_t name;
	struct gate_policy gate;
};

/* ---- Policies ------------------------------------------------------------------------------ */

/* Logs a problem of a policy as an nginx configuration error, which adds file and line of the
 * directive. */
static void log_message(void *context, const struct urivet_message *message)
{
	char text[1024];
	(void)urivet_format_message(text, sizeof text, message);
	ngx_conf_log_error(NGX_LOG_EMERG, (ngx_conf_t *)context, 0, "%s", text);
}

static void release_policy(void *loaded)
{
	urivet_loaded_release(loaded);
}

/* Loads a built-in policy by name, or a file. Relative paths start at the nginx configuration
 * directory, as for certificates. */
static struct urivet_loaded *load_policy(ngx_conf_t *cf, ngx_str_t name)
{
	const int base = urivet_policy_named((const char *)name.data, name.len);
	if (base >= 0)
		return urivet_load_built_in(base);
	if (ngx_conf_full_name(cf->cycle, &name, 1) != NGX_OK)
		return NULL;
	return urivet_load((const char *)name.data, log_message, cf);
}

/* Returns the policy of this name, which is loaded only once. Returns NULL after logging an
 * error. */
static struct gate_policy *policy_named(ngx_conf_t *cf, ngx_str_t name)
{
	struct site *const site = ngx_http_conf_get_module_main_conf(cf, ngx_http_urivet_module);
	struct named_policy **known = site->policies->elts;
	ngx_pool_cleanup_t *const cleanup = ngx_pool_cleanup_add(cf->pool, 0);
	struct named_policy *policy;
	for (ngx_uint_t i = 0; i < site->policies->nelts; i++)
		if (known[i]->name.len == name.len &&
		    ngx_memcmp(known[i]->name.data, name.data, name.len) == 0)
			return &known[i]->gate;
	policy = ngx_pcalloc(cf->pool, sizeof *policy);
	known = policy != NULL ? ngx_array_push(site->policies) : NULL;
	if (cleanup != NULL)
		cleanup->data = known != NULL ? load_policy(cf, name) : NULL;
	if (cleanup == NULL || cleanup->data == NULL) {
		ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "urivet has no policy \"%V\"", &name);
		return NULL;
	}
	cleanup->handler = release_policy;
	*known = policy;
	policy->name = name;
	policy->gate = gate_policy_from(cleanup->data);
	return &policy->gate;
}

/* Rules of a directive, the line where they begin, and whether any level uses them. */
struct rule_list {
	const void *rules;
	ngx_str_t file;
	ngx_uint_t line;
	bool is_policy;
	bool judges;
};

static void warn(ngx_conf_t *cf, const char *format, const ngx_str_t *name)
{
	ngx_conf_log_error(NGX_LOG_WARN, cf, 0, format, name);
}

/* Notes where the rules stand. Returns false if out of memory. */
static bool note_rules(ngx_conf_t *cf, const void *rules, bool is_policy)
{
	struct site *const site = ngx_http_conf_get_module_main_conf(cf, ngx_http_urivet_module);
	struct rule_list *const list = rules != NULL ? ngx_array_push(site->rule_lists) : NULL;
	if (list == NULL)
		return false;
	*list = (struct rule_list){rules, cf->conf_file->file.name, cf->conf_file->line, is_policy,
				   false};
	return true;
}

static char *set_policy(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
	struct level *const level = conf;
	ngx_str_t *const words = cf->args->elts;
	const struct gate_policy *const named =
	    level->policy == NULL ? policy_named(cf, words[1]) : NULL;
	(void)command;
	if (level->policy != NULL)
		return "is duplicate";
	if (named == NULL)
		return NGX_CONF_ERROR;
	level->policy = ngx_palloc(cf->pool, sizeof *level->policy);
	if (!note_rules(cf, level->policy, true))
		return NGX_CONF_ERROR;
	*level->policy = *named; /* of this directive alone */
	if (urivet_policy_named((const char *)words[1].data, words[1].len) >= 0 &&
	    ngx_strcmp(words[1].data, "gateway") != 0)
		warn(cf, "urivet_policy \"%V\" is for whole URLs and not stricter: it "
			 "accepts /;x/admin; use gateway, or a file based on it", &words[1]);
	return NGX_CONF_OK;
}

/* ---- Origin ---------------------------------------------------------------------------------- */

static char *set_origin(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
	struct level *const level = conf;
	ngx_str_t *const words = cf->args->elts;
	(void)command;
	if (level->origin != NULL)
		return "is duplicate";
	level->origin = ngx_palloc(cf->pool, sizeof *level->origin);
	if (level->origin == NULL)
		return NGX_CONF_ERROR;
	if (!gate_read_origin(&level->origin->scheme, &level->origin->port,
			      urivet_text_of(words[1].data, words[1].len)))
		return "takes a scheme, a host and perhaps a port, as in https://shop.example:8443";
	return NGX_CONF_OK;
}

/* ---- Parameters and headers ------------------------------------------------------------------- */

/* Returns true if `word` is the option `name` ("NAME="), and sets `value` to the rest. */
static bool is_option(ngx_str_t word, const char *name, ngx_str_t *value)
{
	const size_t length = ngx_strlen(name);
	if (word.len < length || ngx_memcmp(word.data, name, length) != 0)
		return false;
	value->data = word.data + length;
	value->len = word.len - length;
	return true;
}

static bool is_word(ngx_str_t word, const char *text)
{
	return word.len == ngx_strlen(text) && ngx_memcmp(word.data, text, word.len) == 0;
}

/* Returns the policy of the option "policy=", or `public` without that option. Returns NULL after
 * logging an error, such as that there are two. */
static const struct gate_policy *inner_policy(ngx_conf_t *cf)
{
	ngx_str_t *const words = cf->args->elts;
	ngx_str_t name = ngx_string("public");
	ngx_uint_t found = 0;
	const struct gate_policy *policy = NULL;
	for (ngx_uint_t i = 1; i < cf->args->nelts; i++)
		found += is_option(words[i], "policy=", &name);
	if (found > 1)
		ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has policy= twice", &words[0]);
	else
		policy = policy_named(cf, name);
	if (policy == NULL || gate_takes_values(policy->loaded))
		return policy;
	ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
			   "the policy \"%V\" has \"parameters\", which a policy for values cannot "
			   "have: remove them, or judge requests by it with urivet_policy",
			   &name);
	return NULL;
}

/* Adds a rule of `size` octets to the list of a level, and creates the list if needed. */
static void *push(ngx_conf_t *cf, ngx_array_t **array, size_t size)
{
	if (*array == NULL) {
		*array = ngx_array_create(cf->pool, 2, size);
		if (!note_rules(cf, *array, false))
			return NULL;
	}
	return ngx_array_push(*array);
}

/* Returns true if the word equals the option apart from separators, case, and at most one letter. */
static bool resembles(ngx_str_t word, const char *option)
{
	char letters[16];
	size_t length = 0;
	struct nearest nearest = {.word = letters, .distance = 2};
	for (size_t i = 0; i < word.len && length + 1 < sizeof letters; i++)
		if (word.data[i] != '-' && word.data[i] != '_')
			letters[length++] = (char)ngx_tolower(word.data[i]);
	letters[length] = '\0';
	urivet_loader_nearest_try(&nearest, option);
	return nearest.best != NULL;
}

/* Returns the option that a word among the parameter names probably means, or NULL if it is a name.
 * Names that look like options are written as name=... */
static const char *meant_by(ngx_str_t word)
{
	static const char *const options[] = {"same_origin", "absolute", "policy=public",
					      "decode=2", "semicolons"};
	static const char *const spelled[] = {"sameorigin", "absolute", "policy", "decode",
					      "semicolons"};
	for (unsigned k = 0; k < sizeof options / sizeof options[0]; k++)
		if (resembles(word, spelled[k]))
			return options[k];
	if (word.len > 0 && word.data[0] == '-')
		return "an option without the dashes";
	for (size_t i = 0; i < word.len; i++)
		if (word.data[i] == ',' || word.data[i] <= ' ')
			return "names with spaces between";
	if (word.len > 0 && word.data[0] == '$')
		return "the name of the parameter or field, without $ and arg_ or http_";
	return NULL;
}

/* Logs why a word is neither an option nor a name, and returns NGX_CONF_ERROR. */
static char *refuse_word(ngx_conf_t *cf, ngx_str_t word)
{
	const char *const meant = meant_by(word);
	ngx_str_t *const words = cf->args->elts;
	if (meant != NULL)
		ngx_conf_log_error(
		    NGX_LOG_EMERG, cf, 0,
		    "\"%V\" is no name of \"%V\"; did you mean %s? A name that looks so "
		    "is written as \"name=%V\"",
		    &word, &words[0], meant, &word);
	else
		ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "unknown option \"%V\" of \"%V\"", &word,
				   &words[0]);
	return NGX_CONF_ERROR;
}

/* Reads one word after `urivet_param`. Returns false if it is neither an option nor a name. */
static bool read_parameter_word(struct urivet_parameter_rules *rules, struct urivet_text *names,
				ngx_str_t word)
{
	ngx_str_t value;
	if (is_option(word, "policy=", &value) || (is_word(word, "decode=1") && rules->times == 1))
		return true;
	if (is_word(word, "same_origin"))
		rules->same_origin = true;
	else if (is_word(word, "absolute"))
		rules->absolute = true;
	else if (is_word(word, "semicolons"))
		rules->semicolons = true;
	else if (is_word(word, "decode=2"))
		rules->times = 2;
	else if (is_option(word, "name=", &value) && value.len > 0)
		names[rules->count++] = urivet_text_of(value.data, value.len);
	else if (word.len == 0 || ngx_strlchr(word.data, word.data + word.len, '=') != NULL ||
		 meant_by(word) != NULL)
		return false;
	else
		names[rules->count++] = urivet_text_of(word.data, word.len);
	return true;
}

static char *add_parameters(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
	struct level *const level = conf;
	ngx_str_t *const words = cf->args->elts;
	struct urivet_text *const names = ngx_pcalloc(cf->pool, cf->args->nelts * sizeof *names);
	struct gate_parameters *const asked = push(cf, &level->parameters, sizeof *asked);
	(void)command;
	if (names == NULL || asked == NULL)
		return NGX_CONF_ERROR;
	(void)urivet_parameter_rules_init(&asked->rules, sizeof asked->rules);
	for (ngx_uint_t i = 1; i < cf->args->nelts; i++)
		if (!read_parameter_word(&asked->rules, names, words[i]))
			return refuse_word(cf, words[i]);
	if (asked->rules.count == 0)
		return "needs the name of a parameter, or *";
	for (ngx_uint_t i = 1; i < cf->args->nelts; i++)
		if (is_word(words[i], "*") && asked->rules.count > 1)
			return "takes * alone, for all parameters: did you mean \"*\" without "
			       "names?";
	asked->rules.any_case = true; /* like $arg_url, which reads url, URL and Url */
	asked->policy = inner_policy(cf);
	if (asked->policy == NULL)
		return NGX_CONF_ERROR;
	asked->rules.policy = asked->policy->policy;
	asked->rules.names = names;
	if (asked->rules.count == 1 && names[0].length == 1 && *(const char *)names[0].data == '*')
		asked->rules.count = 0; /* all parameters that look like a URL or a path */
	return urivet_parameter_rules_valid(&asked->rules) ? NGX_CONF_OK
							   : "has rules that mean nothing";
}

/* Returns true if the word is a token. Field names and methods have the same syntax (RFC 9110, 5.1
 * and 9.1). */
static bool is_token(ngx_str_t word)
{
	struct urivet_request request;
	(void)urivet_request_init(&request, sizeof request);
	request.method = urivet_text_of(word.data, word.len);
	return urivet_request_valid(&request);
}

/* Returns true if a word after `urivet_header` may be meant for an option or for several names. */
static bool is_odd(ngx_str_t word)
{
	return meant_by(word) != NULL || is_word(word, "*");
}

/* Reads one word after `urivet_header`. Returns false if it is not an option. */
static bool read_header_option(struct header_rules *rules, ngx_str_t word)
{
	ngx_str_t value;
	if (is_option(word, "policy=", &value))
		return true;
	if (is_word(word, "list"))
		rules->is_list = true;
	else if (is_word(word, "paths"))
		rules->takes_paths = true;
	else if (is_word(word, "same_origin"))
		rules->takes_paths = rules->reference.rules.same_origin = true;
	else
		return false;
	return true;
}

static char *add_headers(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
	struct level *const level = conf;
	ngx_str_t *const words = cf->args->elts;
	struct header_rules all = {.policy = inner_policy(cf)};
	ngx_uint_t names = 0;
	(void)command;
	if (all.policy == NULL)
		return NGX_CONF_ERROR;
	(void)urivet_parameter_rules_init(&all.reference.rules, sizeof all.reference.rules);
	all.reference.rules.policy = all.policy->policy;
	all.reference.policy = all.policy;
	for (ngx_uint_t i = 1; i < cf->args->nelts; i++)
		(void)read_header_option(&all, words[i]);
	for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
		struct header_rules *rules;
		if (read_header_option(&all, words[i]))
			continue;
		if ((!is_option(words[i], "name=", &words[i]) && is_odd(words[i])) ||
		    !is_token(words[i])) {
			ngx_conf_log_error(
			    NGX_LOG_EMERG, cf, 0,
			    is_odd(words[i])
				? "\"%V\" is no name of \"urivet_header\", whose options "
				  "are policy=NAME, same_origin, paths and list: names "
				  "stand with spaces between, and one that looks like an "
				  "option as \"name=%V\""
				: "\"%V\" is no name of a header",
			    &words[i], &words[i]);
			return NGX_CONF_ERROR;
		}
		rules = push(cf, &level->headers, sizeof *rules);
		if (rules == NULL)
			return NGX_CONF_ERROR;
		*rules = all;
		rules->name = words[i];
		names++;
	}
	return names > 0 ? NGX_CONF_OK : "needs the name of a header";
}

/* ---- The status page ---- */

static char *set_status(ngx_conf_t *cf, ngx_command_t *command, void *conf)
{
	struct site *const site = ngx_http_conf_get_module_main_conf(cf, ngx_http_urivet_module);
	ngx_http_core_loc_conf_t *const location =
	    ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
	(void)command;
	(void)conf;
	location->handler = urivet_show_status;
	site->used = 1;
	return NGX_CONF_OK;
}

/* ---- Levels -------------------------------------------------------------------------------------- */

static void *create_site(ngx_conf_t *cf)
{
	struct site *const site = ngx_pcalloc(cf->pool, sizeof *site);
	if (site == NULL)
		return NULL;
	site->policies = ngx_array_create(cf->pool, 4, sizeof(struct named_policy *));
	site->rule_lists = ngx_array_create(cf->pool, 4, sizeof(struct rule_list));
	site->labels = ngx_array_create(cf->pool, 4, sizeof(const char *));
	return site->policies != NULL && site->rule_lists != NULL && site->labels != NULL ? site
											  : NULL;
}

static void *create_level(ngx_conf_t *cf)
{
	struct level *const level = ngx_pcalloc(cf->pool, sizeof *level);
	if (level != NULL)
		level->mode = NGX_CONF_UNSET_UINT;
	return level;
}

/* Gives the level target rules of its own, if it cannot share those of the level above. */
static bool make_target_rules(ngx_conf_t *cf, struct level *level)
{
	ngx_str_t gateway = ngx_string("gateway");
	if (level->policy == NULL)
		level->policy = policy_named(cf, gateway);
	level->target = ngx_pcalloc(cf->pool, sizeof *level->target);
	if (level->policy == NULL || level->target == NULL)
		return false;
	level->target->policy = level->policy;
	if (level->origin != NULL)
		level->target->origin = *level->origin;
	return true;
}

/* Returns true if a level would judge by a policy that observes. */
static bool has_observing_rules(const struct level *level)
{
	const struct gate_parameters *const asked =
	    level->parameters != NULL ? level->parameters->elts : NULL;
	const struct header_rules *fields = level->headers != NULL ? level->headers->elts : NULL;
	bool found = level->policy != NULL && level->policy->observes;
	for (ngx_uint_t i = 0; asked != NULL && i < level->parameters->nelts; i++)
		found |= asked[i].policy->observes;
	for (ngx_uint_t i = 0; fields != NULL && i < level->headers->nelts; i++)
		found |= fields[i].policy->observes;
	return found;
}

/* Warns of a location that seems to take back what the level above refuses. `mode` and `policy` are
 * those set in the level itself. */
static void warn_of_level(ngx_conf_t *cf, const struct level *from, ngx_uint_t mode,
			  const struct gate_policy *policy, bool is_server)
{
	const ngx_http_core_loc_conf_t *const location =
	    ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
	if (from->mode == MODE_OFF || from->mode == NGX_CONF_UNSET_UINT)
		return;
	if (mode == MODE_OFF && location->named)
		warn(cf, "\"urivet off\" in the named location \"%V\": refused requests pass if "
			 "an error_page leads here", &location->name);
	else if (mode == MODE_OFF || (mode == MODE_OBSERVE && from->mode > mode && !is_server))
		warn(cf, "\"urivet off\" or \"observe\" below a level that judges: a server so "
			 "refuses nothing, and a location (\"%V\") takes nothing back, as its "
			 "server judges before it is chosen", &location->name);
	if (policy != NULL && !is_server)
		warn(cf, "\"urivet_policy\" in \"%V\", below a level that judges: it refuses "
			 "more, takes nothing back; waive by paths of that above", &location->name);
}

/* Marks the rules that a level uses, or that it keeps while it says `urivet off`. */
static void mark_rules(struct site *site, const struct level *level)
{
	struct rule_list *const lists = site->rule_lists->elts;
	for (ngx_uint_t i = 0; i < site->rule_lists->nelts; i++)
		lists[i].judges |= lists[i].rules == level->policy ||
				   (level->mode != MODE_OFF &&
				    (lists[i].rules == level->parameters ||
				     lists[i].rules == level->headers));
}

/* Reports all rules that no level uses. Returns false if there is a policy among them. */
static bool report_rules(ngx_conf_t *cf, const struct site *site)
{
	const struct rule_list *const lists = site->rule_lists->elts;
	bool good = true;
	for (ngx_uint_t i = 0; i < site->rule_lists->nelts; i++) {
		if (lists[i].judges)
			continue;
		good &= !lists[i].is_policy;
		ngx_conf_log_error(lists[i].is_policy ? NGX_LOG_EMERG : NGX_LOG_WARN, cf, 0,
				   "%s judge nothing in %V:%ui: there is no \"urivet observe\" or "
				   "\"urivet enforce\" where they hold",
				   lists[i].is_policy ? "rules of \"urivet_policy\""
						      : "\"urivet_param\" and \"urivet_header\"",
				   &lists[i].file, lists[i].line);
	}
	return good;
}

static void *create_server(ngx_conf_t *cf)
{
	return ngx_pcalloc(cf->pool, sizeof(struct server_view));
}

static void view_location(ngx_conf_t *cf, const struct level *level)
{
	struct server_view *const view =
	    ngx_http_conf_get_module_srv_conf(cf, ngx_http_urivet_module);
	if (level->mode != MODE_OFF)
		view->judging = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
	else
		view->has_open |= !level->says;
}

static const struct level *level_of(const ngx_http_core_srv_conf_t *server)
{
	return server->ctx->loc_conf[ngx_http_urivet_module.ctx_index];
}

static struct server_view *view_of(const ngx_http_core_srv_conf_t *server)
{
	return server->ctx->srv_conf[ngx_http_urivet_module.ctx_index];
}

/* Warns of servers without a guard that clients reach by another Host field. */
static void warn_of_listener(ngx_conf_t *cf, const ngx_http_conf_addr_t *address)
{
	ngx_http_core_srv_conf_t **const servers = address->servers.elts;
	bool judges = false;
	for (ngx_uint_t i = 0; i < address->servers.nelts; i++)
		judges |= level_of(servers[i])->mode != MODE_OFF;
	for (ngx_uint_t i = 0; judges && i < address->servers.nelts; i++)
		if (!level_of(servers[i])->says && view_of(servers[i])->judging == NULL)
			warn(cf, "the server \"%V\" has no guard, another of its listener has: "
				 "set \"urivet\" in http, or off", &servers[i]->server_name);
}

/* Warns of servers that clients can use to go round a guard. */
static void warn_of_servers(ngx_conf_t *cf)
{
	const ngx_http_core_main_conf_t *const core =
	    ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
	ngx_http_core_srv_conf_t **const servers = core->servers.elts;
	const ngx_http_conf_port_t *const ports = core->ports != NULL ? core->ports->elts : NULL;
	for (ngx_uint_t i = 0; i < core->servers.nelts; i++)
		if (view_of(servers[i])->judging != NULL && !level_of(servers[i])->says &&
		    view_of(servers[i])->has_open)
			warn(cf, "\"urivet\" is in the location \"%V\" and not in others of its "
				 "server, which clients choose by spelling: set it in http or all",
			     &view_of(servers[i])->judging->name);
	for (ngx_uint_t i = 0; ports != NULL && i < core->ports->nelts; i++) {
		const ngx_http_conf_addr_t *const addresses = ports[i].addrs.elts;
		for (ngx_uint_t k = 0; k < ports[i].addrs.nelts; k++)
			warn_of_listener(cf, &addresses[k]);
	}
}

static char *merge_levels(ngx_conf_t *cf, void *above, void *below)
{
	const struct level *const from = above;
	struct level *const level = below;
	struct site *const site = ngx_http_conf_get_module_main_conf(cf, ngx_http_urivet_module);
	const bool inherits = !level->policy && !level->origin && from->target != NULL;
	const bool is_server =
	    level_of(ngx_http_conf_get_module_srv_conf(cf, ngx_http_core_module)) == level;
	const ngx_uint_t mode = level->mode;
	level->is_off = mode == MODE_OFF;
	level->says = mode != NGX_CONF_UNSET_UINT || from->says ||
		      (is_server && from->mode != NGX_CONF_UNSET_UINT);
	ngx_conf_merge_uint_value(level->mode, from->mode, MODE_OFF);
	warn_of_level(cf, from, mode, level->policy, is_server);
	if (level->policy == NULL)
		level->policy = from->policy;
	if (level->origin == NULL)
		level->origin = from->origin;
	if (level->parameters == NULL)
		level->parameters = from->parameters;
	if (level->headers == NULL)
		level->headers = from->headers;
	if (level->mode >= MODE_ENFORCE && has_observing_rules(level)) {
		ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
				   "\"urivet enforce\" or \"redirect\" refuses nothing by a policy "
				   "with \"mode: observe\": say \"observe\", or remove the mode");
		return NGX_CONF_ERROR;
	}
	if (!is_server)
		view_location(cf, level);
	site->used |= level->mode != MODE_OFF;
	if (level->says)
		mark_rules(site, level);
	if (inherits)
		level->target = from->target;
	else if (level->mode != MODE_OFF && !make_target_rules(cf, level))
		return NGX_CONF_ERROR;
	return NGX_CONF_OK;
}

/* Gives each name of a server a label for its counters. Returns false if out of memory. */
static bool name_servers(ngx_conf_t *cf, const struct site *site)
{
	const ngx_http_core_main_conf_t *const core =
	    ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
	ngx_http_core_srv_conf_t **const servers = core->servers.elts;
	for (ngx_uint_t i = 0; i < core->servers.nelts; i++) {
		const ngx_str_t name = servers[i]->server_name;
		const char *const *const labels = site->labels->elts;
		char *const text = ngx_pnalloc(cf->pool, 256 + sizeof ",server=\"\"");
		size_t label = 0;
		u_char *end;
		if (text == NULL)
			return false;
		end = ngx_sprintf((u_char *)text, ",server=\"%*s\"%Z",
				  name.len < 255 ? name.len : 255, name.data);
		for (u_char *c = (u_char *)text + 9; c < end - 2; c++)
			if (*c == '"' || *c == '\\' || *c < ' ')
				*c = '_';
		while (label < site->labels->nelts && ngx_strcmp(labels[label], text) != 0)
			label++;
		view_of(servers[i])->label = label;
		if (label < site->labels->nelts)
			continue;
		if (ngx_array_push(site->labels) == NULL)
			return false;
		((const char **)site->labels->elts)[label] = text;
	}
	return true;
}

static ngx_int_t add_handler(ngx_conf_t *cf, ngx_http_phases phase, ngx_http_handler_pt handler)
{
	ngx_http_core_main_conf_t *const core =
	    ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
	ngx_http_handler_pt *const place = ngx_array_push(&core->phases[phase].handlers);
	if (place == NULL)
		return NGX_ERROR;
	*place = handler;
	return NGX_OK;
}

/* Registers the handlers after the configuration was read. Handlers of a phase run in reverse order
 * of registration and dynamic modules register last, so ours run before `return` and `rewrite`. */
static ngx_int_t finish(ngx_conf_t *cf)
{
	struct site *const site = ngx_http_conf_get_module_main_conf(cf, ngx_http_urivet_module);
	if (!report_rules(cf, site))
		return NGX_ERROR;
	warn_of_servers(cf);
	if (!site->used)
		return NGX_OK;
	if (!name_servers(cf, site) || urivet_share_counters(cf, site) != NGX_OK ||
	    add_handler(cf, NGX_HTTP_SERVER_REWRITE_PHASE, urivet_guard_server) != NGX_OK ||
	    add_handler(cf, NGX_HTTP_REWRITE_PHASE, urivet_guard_location) != NGX_OK ||
	    add_handler(cf, NGX_HTTP_PREACCESS_PHASE, urivet_guard_location) != NGX_OK ||
	    add_handler(cf, NGX_HTTP_PRECONTENT_PHASE, urivet_guard_location) != NGX_OK)
		return NGX_ERROR;
	return NGX_OK;
}

/* ---- The module ---------------------------------------------------------------------------------- */

#define ANYWHERE (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF)

static ngx_conf_enum_t modes[] = {
    {ngx_string("off"), MODE_OFF},
    {ngx_string("observe"), MODE_OBSERVE},
    {ngx_string("enforce"), MODE_ENFORCE},
    {ngx_string("redirect"), MODE_REDIRECT},
    {ngx_null_string, 0},
};

static ngx_command_t directives[] = {
    {ngx_string("urivet"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_enum_slot,
     NGX_HTTP_LOC_CONF_OFFSET, offsetof(struct level, mode), modes},
    {ngx_string("urivet_policy"), ANYWHERE | NGX_CONF_TAKE1, set_policy, NGX_HTTP_LOC_CONF_OFFSET,
     0, NULL},
    {ngx_string("urivet_param"), ANYWHERE | NGX_CONF_1MORE, add_parameters,
     NGX_HTTP_LOC_CONF_OFFSET, 0, NULL},
    {ngx_string("urivet_header"), ANYWHERE | NGX_CONF_1MORE, add_headers, NGX_HTTP_LOC_CONF_OFFSET,
     0, NULL},
    {ngx_string("urivet_origin"), ANYWHERE | NGX_CONF_TAKE1, set_origin, NGX_HTTP_LOC_CONF_OFFSET,
     0, NULL},
    {ngx_string("urivet_status"), NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS, set_status,
     NGX_HTTP_LOC_CONF_OFFSET, 0, NULL},
    ngx_null_command,
};

static ngx_http_module_t context = {
    .preconfiguration = urivet_add_variables,
    .postconfiguration = finish,
    .create_main_conf = create_site,
    .create_srv_conf = create_server,
    .create_loc_conf = create_level,
    .merge_loc_conf = merge_levels,
};

ngx_module_t ngx_http_urivet_module = {
    NGX_MODULE_V1,
    .ctx = &context,
    .commands = directives,
    .type = NGX_HTTP_MODULE,
};
