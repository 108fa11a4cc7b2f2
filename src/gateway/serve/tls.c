/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway/serve/tls.h"

#include "common/text/library.h"
#include "common/text/output.h"

#if defined HAVE_LIBEVENT && defined HAVE_LIBSSL

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

/* The functions of libevent_openssl, libssl and libcrypto; the first needs the others. */
#define TLS_FUNCTIONS(X)                                                                           \
	X(bufferevent_openssl_socket_new)                                                          \
	X(ERR_clear_error)                                                                         \
	X(ERR_get_error)                                                                           \
	X(ERR_reason_error_string)                                                                 \
	X(SSL_CTX_check_private_key)                                                               \
	X(SSL_CTX_ctrl)                                                                            \
	X(SSL_CTX_free)                                                                            \
	X(SSL_CTX_load_verify_file)                                                                \
	X(SSL_CTX_new)                                                                             \
	X(SSL_CTX_set_alpn_select_cb)                                                              \
	X(SSL_CTX_set_client_CA_list)                                                              \
	X(SSL_CTX_set_default_passwd_cb)                                                           \
	X(SSL_CTX_set_num_tickets)                                                                 \
	X(SSL_CTX_set_options)                                                                     \
	X(SSL_CTX_set_verify)                                                                      \
	X(SSL_CTX_use_PrivateKey_file)                                                             \
	X(SSL_CTX_use_certificate_chain_file)                                                      \
	X(SSL_load_client_CA_file)                                                                 \
	X(SSL_new)                                                                                 \
	X(SSL_select_next_proto)                                                                   \
	X(TLS_server_method)

static struct {
	TLS_FUNCTIONS(LIBRARY_POINTER)
} library;

static struct library opened = {
    .use = "serve: --tls-cert",
    .name = "libevent_openssl-2.1.so.7",
    .package = "libevent-openssl-2.1-7",
    .release = "OpenSSL 3",
    .functions = (const char *const[]){TLS_FUNCTIONS(LIBRARY_NAME) NULL},
};

struct tls {
	SSL_CTX *context;
};

/* Complains of a file with the reason that OpenSSL gives. Returns false. */
static bool fail(const char *option, const char *file)
{
	const unsigned long code = library.ERR_get_error();
	const char *const why = ERR_SYSTEM_ERROR(code) ? strerror(ERR_GET_REASON(code))
						       : library.ERR_reason_error_string(code);
	return complain("serve: %s: %s: %s", option, file, why != NULL ? why : "cannot be used");
}

/* Agrees on HTTP/1.1 with a client that names protocols, or on none: a client of HTTP/2 alone is
 * told so. */
static int choose_protocol(SSL *unused, const unsigned char **out, unsigned char *length,
			   const unsigned char *in, unsigned in_length, void *context)
{
	static const unsigned char own[] = "\x08http/1.1";
	unsigned char *chosen = NULL;
	(void)unused;
	(void)context;
	if (library.SSL_select_next_proto(&chosen, length, own, sizeof own - 1, in, in_length) !=
	    OPENSSL_NPN_NEGOTIATED)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	*out = chosen;
	return SSL_TLSEXT_ERR_OK;
}

static bool need_clients_certificate(SSL_CTX *context, const char *authorities)
{
	STACK_OF(X509_NAME) *const names = library.SSL_load_client_CA_file(authorities);
	if (names == NULL || library.SSL_CTX_load_verify_file(context, authorities) != 1)
		return fail("--tls-client-ca", authorities);
	library.SSL_CTX_set_client_CA_list(context, names);
	library.SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
				   NULL);
	return true;
}

/* Fails for a key with a passphrase, which OpenSSL would ask for at the terminal, and wait. */
static int have_no_passphrase(char *out, int size, int writes, void *context)
{
	(void)writes;
	(void)context;
	if (size > 0)
		out[0] = '\0';
	complain("serve: a key with a passphrase is not read: openssl pkey removes it");
	return -1;
}

/* Without resumption: gateways keep their connections, and a worker keeps no state of others. */
static void settle(SSL_CTX *context)
{
	(void)library.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
	(void)library.SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
	(void)library.SSL_CTX_ctrl(context, SSL_CTRL_MODE, SSL_MODE_RELEASE_BUFFERS, NULL);
	(void)library.SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION |
						       SSL_OP_CIPHER_SERVER_PREFERENCE);
	(void)library.SSL_CTX_set_num_tickets(context, 0);
	library.SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
	library.SSL_CTX_set_default_passwd_cb(context, have_no_passphrase);
}

static bool load_files(SSL_CTX *context, const struct network *network)
{
	library.ERR_clear_error();
	if (library.SSL_CTX_use_certificate_chain_file(context, network->certificate) != 1)
		return fail("--tls-cert", network->certificate);
	if (library.SSL_CTX_use_PrivateKey_file(context, network->key, SSL_FILETYPE_PEM) != 1 ||
	    library.SSL_CTX_check_private_key(context) != 1)
		return fail("--tls-key", network->key);
	return network->client_ca == NULL || need_clients_certificate(context, network->client_ca);
}

struct tls *tls_load(const struct network *network)
{
	struct tls *tls;
	if (!library_open(&opened, &library))
		return NULL;
	tls = calloc(1, sizeof *tls);
	if (tls != NULL)
		tls->context = library.SSL_CTX_new(library.TLS_server_method());
	if (tls == NULL || tls->context == NULL) {
		complain("serve: --tls-cert: no memory");
		free(tls);
		return NULL;
	}
	settle(tls->context);
	if (load_files(tls->context, network))
		return tls;
	tls_free(tls);
	return NULL;
}

void tls_free(struct tls *tls)
{
	if (tls != NULL)
		library.SSL_CTX_free(tls->context);
	free(tls);
}

struct bufferevent *tls_accept(struct tls *tls, struct event_base *base, int socket)
{
	SSL *const ssl = library.SSL_new(tls->context);
	return ssl != NULL ? library.bufferevent_openssl_socket_new(base, socket, ssl,
								    BUFFEREVENT_SSL_ACCEPTING,
								    BEV_OPT_CLOSE_ON_FREE)
			   : NULL;
}

#else

struct tls *tls_load(const struct network *network)
{
	(void)network;
	complain(
	    "serve: --tls-cert: this build has no TLS: install the Debian package libssl-dev and "
	    "build again");
	return NULL;
}

void tls_free(struct tls *tls)
{
	(void)tls;
}

struct bufferevent *tls_accept(struct tls *tls, struct event_base *base, int socket)
{
	(void)tls;
	(void)base;
	(void)socket;
	return NULL;
}

#endif
