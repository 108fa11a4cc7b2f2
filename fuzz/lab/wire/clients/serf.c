/* SPDX-License-Identifier: Apache-2.0 */
/* serf, with the URL cut by apr_uri_parse() as serf_get does; Subversion uses it. */
#include "adapter.h"
#include <apr_errno.h>
#include <apr_strings.h>
#include <apr_uri.h>
#include <serf.h>

struct get {
	const apr_uri_t *uri;
	const char *target;
	serf_bucket_alloc_t *allocator;
	int status;
	bool done;
};

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "serf %s", SERF_VERSION_STRING);
	return version;
}

static apr_status_t on_connect(apr_socket_t *socket, serf_bucket_t **read, serf_bucket_t **write,
			       void *user, apr_pool_t *pool)
{
	(void)write;
	(void)pool;
	*read = serf_bucket_socket_create(socket, ((struct get *)user)->allocator);
	return APR_SUCCESS;
}

static void on_closed(serf_connection_t *connection, void *user, apr_status_t why, apr_pool_t *pool)
{
	(void)connection;
	(void)why;
	(void)pool;
	((struct get *)user)->done = true;
}

static serf_bucket_t *accept_response(serf_request_t *request, serf_bucket_t *stream, void *user,
				      apr_pool_t *pool)
{
	serf_bucket_alloc_t *allocator = serf_request_get_alloc(request);

	(void)user;
	(void)pool;
	return serf_bucket_response_create(serf_bucket_barrier_create(stream, allocator), allocator);
}

static apr_status_t on_response(serf_request_t *request, serf_bucket_t *response, void *user,
				apr_pool_t *pool)
{
	struct get *get = user;
	serf_status_line line;
	apr_status_t status;
	const char *data;
	apr_size_t length;

	(void)request;
	(void)pool;
	if (response == NULL) {
		get->done = true;
		return APR_EGENERAL;
	}
	status = serf_bucket_response_status(response, &line);
	if (SERF_BUCKET_READ_ERROR(status) || APR_STATUS_IS_EAGAIN(status))
		return status;
	get->status = line.code;
	do
		status = serf_bucket_read(response, SERF_READ_ALL_AVAIL, &data, &length);
	while (status == APR_SUCCESS);
	get->done = !APR_STATUS_IS_EAGAIN(status);
	return status;
}

static apr_status_t on_request(serf_request_t *request, void *user, serf_bucket_t **made,
			       serf_response_acceptor_t *acceptor, void **acceptor_user,
			       serf_response_handler_t *handler, void **handler_user, apr_pool_t *pool)
{
	struct get *get = user;

	(void)pool;
	*made = serf_request_bucket_request_create(request, "GET", get->target, NULL,
						   serf_request_get_alloc(request));
	*acceptor = accept_response;
	*handler = on_response;
	*acceptor_user = *handler_user = get;
	return APR_SUCCESS;
}

static apr_status_t run(struct get *get, apr_uri_t *uri, apr_pool_t *pool)
{
	serf_context_t *context = serf_context_create(pool);
	serf_connection_t *connection;
	apr_status_t status = serf_connection_create2(&connection, context, *uri, on_connect, get,
						      on_closed, get, pool);

	if (status != APR_SUCCESS)
		return status;
	serf_connection_request_create(connection, on_request, get);
	while (!get->done && (status == APR_SUCCESS || APR_STATUS_IS_EAGAIN(status)))
		status = serf_context_run(context, SERF_DURATION_FOREVER, pool);
	serf_connection_close(connection);
	return status;
}

int fetch(const char *url)
{
	apr_pool_t *pool;
	apr_uri_t uri;
	apr_status_t status;
	struct get get = {0};
	char why[LONGEST];

	apr_initialize();
	apr_pool_create(&pool, NULL);
	if (apr_uri_parse(pool, url, &uri) != APR_SUCCESS || uri.hostname == NULL) {
		apr_pool_destroy(pool);
		return refused("no URL");
	}
	if (uri.port == 0)
		uri.port = apr_uri_port_of_scheme(uri.scheme);
	if (uri.path == NULL)
		uri.path = "/";
	get.target = apr_pstrcat(pool, uri.path, uri.query != NULL ? "?" : "", uri.query, NULL);
	get.allocator = serf_bucket_allocator_create(pool, NULL, NULL);
	status = run(&get, &uri, pool);
	apr_pool_destroy(pool);
	return get.status > 0 ? get.status : refused(apr_strerror(status, why, sizeof why));
}
