/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets: for this machine only a socket file, a loopback address, or one of these that the
 * service manager passes; for others any address, if that is asked for. */
#include "gateway/serve/processes.h"

#include "common/text/output.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 1024
/* The first descriptor that the service manager passes, as sd_listen_fds(3) says. */
#define PASSED 3

static int fail(int socket, const char *where)
{
	complain("serve: %s: %s", where, strerror(errno));
	if (socket >= 0)
		(void)close(socket);
	return -1;
}

static bool starts_listening(int socket)
{
	const int flags = fcntl(socket, F_GETFL);
	return flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0 &&
	       listen(socket, BACKLOG) == 0;
}

/* Removes a socket file left over from a crashed helper, if no process listens on it. */
static void take_stale_away(const struct sockaddr_un *address)
{
	struct stat file;
	const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (probe >= 0 && lstat(address->sun_path, &file) == 0 && S_ISSOCK(file.st_mode) &&
	    connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
	    errno == ECONNREFUSED)
		(void)unlink(address->sun_path);
	if (probe >= 0)
		(void)close(probe);
}

static int listen_at_file(const char *path, const char *where)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t mask;
	int bound;
	if (strlen(path) >= sizeof address.sun_path) {
		errno = ENAMETOOLONG;
		return fail(s, where);
	}
	memcpy(address.sun_path, path, strlen(path));
	take_stale_away(&address);
	mask = umask(0117);
	bound = s >= 0 ? bind(s, (const struct sockaddr *)&address, sizeof address) : -1;
	(void)umask(mask);
	return bound == 0 && starts_listening(s) ? s : fail(s, where);
}

static bool is_loopback(const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	if (address->sa_family == AF_INET && length == sizeof four) {
		memcpy(&four, address, sizeof four);
		return ntohl(four.sin_addr.s_addr) >> 24 == 127;
	}
	if (address->sa_family != AF_INET6 || length != sizeof six)
		return false;
	memcpy(&six, address, sizeof six);
	return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
}

/* Parses "127.0.0.1:8080" or "[::1]:8080". Returns NULL for any other text. */
static struct addrinfo *address_of(const char *where)
{
	const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				       .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	char host[64], port[6];
	int end = 0;
	if (sscanf(where, where[0] == '[' ? "[%63[^]]]:%5[0-9]%n" : "%63[^:]:%5[0-9]%n", host, port,
		   &end) != 2 ||
	    where[end] != '\0' || strtoul(port, NULL, 10) - 1 > 65534) /* more would be cut */
		return NULL;
	return getaddrinfo(host, port, &hints, &found) == 0 ? found : NULL;
}

static int listen_at_address(const char *where, bool public)
{
	static const int on = 1;
	struct addrinfo *const address = address_of(where);
	int s;
	if (address == NULL || (!public && !is_loopback(address->ai_addr, address->ai_addrlen))) {
		complain("serve: %s: no socket that only this machine reaches: say unix:/path, "
			 "127.0.0.1:PORT, [::1]:PORT, or systemd; %s",
			 where,
			 public ? "or another address as a number"
				: "with --public any address, as in 0.0.0.0:PORT");
		if (address != NULL)
			freeaddrinfo(address);
		return -1;
	}
	s = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
	    bind(s, address->ai_addr, address->ai_addrlen) != 0 || !starts_listening(s))
		s = fail(s, where);
	freeaddrinfo(address);
	return s;
}

static bool has_value(const char *variable, long number)
{
	const char *const value = getenv(variable);
	char digits[24];
	(void)snprintf(digits, sizeof digits, "%ld", number);
	return value != NULL && strcmp(value, digits) == 0;
}

/* Returns true if `socket` listens, and at a socket file or a loopback address if it is not public. */
static bool is_listener(int socket, bool public)
{
	union {
		struct sockaddr any;
		struct sockaddr_storage room;
	} address;
	socklen_t length = sizeof address, size = sizeof(int);
	int listens = 0;
	return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
	       listens != 0 && getsockname(socket, &address.any, &length) == 0 &&
	       (public || address.any.sa_family == AF_UNIX || is_loopback(&address.any, length));
}

/* Takes the one socket that the service manager passes. */
static int take_passed(bool public)
{
	if (!has_value("LISTEN_PID", (long)getpid()) || !has_value("LISTEN_FDS", 1)) {
		complain("serve: --listen=systemd needs one socket from the service manager, as "
			 "urivet-serve.socket passes it");
		return -1;
	}
	if (!is_listener(PASSED, public)) {
		complain("serve: the service manager passes no listening socket that only this "
			 "machine reaches: say ListenStream=/path or 127.0.0.1:PORT, or --public");
		return -1;
	}
	(void)fcntl(PASSED, F_SETFD, FD_CLOEXEC);
	return starts_listening(PASSED) ? PASSED : fail(PASSED, "systemd");
}

const char *network_misuse(const struct network *network, const char *listen)
{
	const bool limits = network->per_client > 0 || network->rate > 0;
	if ((network->certificate != NULL) != (network->key != NULL))
		return "--tls-cert and --tls-key need each other";
	if (network->client_ca != NULL && network->certificate == NULL)
		return "--tls-client-ca needs --tls-cert and --tls-key";
	if (limits && !network->public)
		return "--client-connections and --client-rate need --public: on this machine "
		       "clients have one address";
	if (listen == NULL &&
	    (network->public || network->certificate != NULL || network->drain > 0))
		return "--public, --drain and the options of TLS are for --listen";
	if (network->public && strncmp(listen, "unix:", 5) == 0)
		return "--public is for an address to listen to, not for a socket file";
	return NULL;
}

int serve_listen(const char *where, bool public)
{
	if (strcmp(where, SERVE_PASSED) == 0)
		return take_passed(public);
	/* without a path it would be a socket that has no owner */
	return strncmp(where, "unix:", 5) == 0 && where[5] != '\0'
		   ? listen_at_file(where + 5, where)
		   : listen_at_address(where, public);
}

void serve_unlisten(const char *where, int socket)
{
	if (socket >= 0)
		(void)close(socket);
	if (strncmp(where, "unix:", 5) == 0)
		(void)unlink(where + 5);
}
