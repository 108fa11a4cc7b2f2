/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches a URL from an untrusted user with libcurl, and connects only where the policy allows.
 * Copy guard(), prepare() and the loop in fetch().
 *
 *   fetch [--allow=NETWORK] [--port=N] [--resolve=HOST:PORT:ADDRESS]... URL
 *
 * Standard output has one word for the sender of the URL: accepted, unclear or not-allowed.
 * Standard error has the reasons, for the operator: do not pass them on, because they reveal
 * internal names, addresses and ports. Response times reveal them as well; if that matters, answer
 * after a fixed time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <curl/curl.h>
#include <urivet.h>
#include <urivet/reference.h>
#include <urivet/rules.h>

#define MOST_REDIRECTS 5
#define MOST_OCTETS    (1u << 20)
#define MOST_SECONDS   20L
#define MOST_URL       8192u

struct job {
	struct urivet_policy policy;
	struct curl_slist *resolve; /* for tests: answers used instead of DNS */
	size_t length;              /* octets of body */
	char body[MOST_OCTETS];
};

/* Logs all reasons. No octet of the URL is written, because it could forge log lines. */
static void explain(const char *what, const struct urivet_report *r)
{
	char address[64];
	(void)fprintf(stderr, "%s: %s", what, r->verdict == URIVET_ACCEPT ? "accepted" : "refused");
	if (r->parsed && urivet_format_address(address, sizeof address, &r->uri) > 0)
		(void)fprintf(stderr, ", address %s", address);
	for (uint32_t k = 0; k < r->count; k++)
		(void)fprintf(stderr, ", %s at %u+%u", urivet_finding_info(r->finding[k].id)->name,
			      r->finding[k].span.offset, r->finding[k].span.length);
	if (r->address_rule != NULL) /* host_rule and port_rule can be used in the same way */
		(void)fprintf(stderr, ", address rule %u", r->address_rule->tag);
	if (r->address_row != NULL)
		(void)fprintf(stderr, ", %s (%s)", r->address_row->name, r->address_row->reference);
	(void)fputc('\n', stderr);
}

#ifndef WITHOUT_GUARD /* defined only by a test that demonstrates the holes */
/*
 * Called for every address that curl is about to connect to, with that very address. A name that
 * was harmless when it was checked may lead anywhere by now. If this refuses one of several
 * addresses, curl tries the next (both families at nearly the same time); each is checked here.
 */
static curl_socket_t guard(void *data, curlsocktype purpose, struct curl_sockaddr *peer)
{
	const struct job *job = data;
	struct urivet_report report;
	urivet_check_peer(&report, &peer->addr, peer->addrlen, &job->policy);
	explain("peer", &report);
	if (purpose != CURLSOCKTYPE_IPCXN || report.verdict != URIVET_ACCEPT)
		return CURL_SOCKET_BAD;
	return socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}
#endif

static size_t keep(char *data, size_t size, size_t count, void *where)
{
	struct job *job = where;
	if (size * count > MOST_OCTETS - job->length)
		return 0; /* curl gives up */
	memcpy(job->body + job->length, data, size * count);
	job->length += size * count;
	return size * count;
}

/*
 * Prepares a new handle for each hop, without state of the previous one: no cookies, credentials,
 * Alt-Svc or HSTS, and no reused connection. A reused connection would have been checked when it
 * was opened. That is sufficient only if all requests that share it have the same policy.
 */
static bool prepare(CURL *curl, struct job *job, const struct urivet_endpoint *place)
{
	bool good = true;
#define SET(option, value) good = curl_easy_setopt(curl, CURLOPT_##option, value) == 0 && good
	SET(URL, place->url); /* composed of the checked components: no userinfo, no fragment */
	SET(PATH_AS_IS, 1L);
	SET(PROTOCOLS_STR, "http,https");
	SET(REDIR_PROTOCOLS_STR, "http,https");
	SET(FOLLOWLOCATION, 0L); /* curl would follow redirects without urivet's check */
	SET(NETRC, (long)CURL_NETRC_IGNORED);
	SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS); /* TCP only */
	SET(FRESH_CONNECT, 1L);
	SET(FORBID_REUSE, 1L);
#ifndef WITHOUT_GUARD
	SET(PROXY, ""); /* not even from the environment: a proxy would connect instead */
	SET(NOPROXY, "*");
	SET(OPENSOCKETFUNCTION, guard);
	SET(OPENSOCKETDATA, job);
#endif
	SET(RESOLVE, job->resolve);
	SET(WRITEFUNCTION, keep);
	SET(WRITEDATA, job);
	SET(MAXFILESIZE_LARGE, (curl_off_t)MOST_OCTETS);
	SET(TIMEOUT, MOST_SECONDS); /* CURLOPT_ACCEPT_ENCODING stays off: no compressed bombs */
	SET(CONNECTTIMEOUT, MOST_SECONDS / 2);
	SET(NOSIGNAL, 1L);
#undef SET
	return good; /* false if this libcurl lacks an option: all are required */
}

/* Makes one request. Returns true if there was an answer, and writes its redirect target to
 * location, "" if there is none. */
static bool request(struct job *job, const struct urivet_endpoint *place, char *location,
		    size_t capacity)
{
	CURL *curl = curl_easy_init();
	struct curl_header *header;
	long status = 0;
	bool good;
	job->length = 0;
	location[0] = '\0';
	good = curl != NULL && prepare(curl, job, place) && curl_easy_perform(curl) == CURLE_OK;
	if (good)
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	if (status / 100 == 3 &&
	    curl_easy_header(curl, "Location", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
		good = header->amount == 1 &&
		       snprintf(location, capacity, "%s", header->value) < (int)capacity;
	curl_easy_cleanup(curl);
	return good;
}

/* After the first check, every failure is "not-allowed": a failed connection must look like a
 * refused one, and so must a redirect to a badly spelled URL. */
static enum urivet_reason fetch(struct job *job, const char *first)
{
	static char url[2][2 * MOST_URL + 16], location[MOST_URL];
	static char texts[URIVET_ENDPOINT_CAPACITY(MOST_URL)]; /* the texts of `place` */
	struct urivet_endpoint place;
	struct urivet_report report;
	job->policy.max_length = MOST_URL; /* so that a resolved URL fits into the buffer */
	urivet_check(&report, first, strlen(first), &job->policy);
	explain("url", &report);
	if (report.verdict != URIVET_ACCEPT)
		return urivet_reason(&report, &job->policy);
	(void)snprintf(url[0], sizeof url[0], "%s", first);
	for (unsigned hop = 0; hop <= MOST_REDIRECTS; hop++) {
		const char *here = url[hop % 2];
		char *next = url[(hop + 1) % 2];
		if (urivet_endpoint(&place, texts, sizeof texts, &report,
				    here, strlen(here)) == 0 ||
		    !request(job, &place, location, sizeof location))
			return URIVET_REASON_NOT_ALLOWED;
		if (location[0] == '\0')
			return URIVET_REASON_ACCEPTED;
		urivet_check_reference(&report, next, sizeof url[0],
				       urivet_text_of(here, strlen(here)),
				       urivet_text_of(location, strlen(location)), 0, &job->policy);
		explain("redirect", &report);
		if (report.verdict != URIVET_ACCEPT)
			break;
	}
	return URIVET_REASON_NOT_ALLOWED; /* refused, or too many */
}

int main(int argc, char **argv)
{
	static struct job job; /* the policy is a copy, but its rules must live as long */
	static struct urivet_address_rule allow = {.action = URIVET_ALLOW, .tag = 1};
	static struct urivet_port_rule port = {.schemes = 1u << URIVET_SCHEME_HTTP, .tag = 1};
	const char *url = NULL;
	enum urivet_reason reason;
	bool good = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
	good = urivet_policy_init(&job.policy, sizeof job.policy, URIVET_PUBLIC) && good;
	/* the search list of resolv.conf would resolve db.staging or kubernetes.default
	 * internally */
	good = urivet_policy_raise(&job.policy, URIVET_F_HOST_UNKNOWN_TLD) && good;
	job.policy.addresses.rule = &allow;
	job.policy.ports = &port;
	for (int k = 1; k < argc; k++) {
		const char *value = strchr(argv[k], '=') != NULL ? strchr(argv[k], '=') + 1 : "";
		if (strncmp(argv[k], "--allow=", 8) == 0) {
			good = urivet_network_from(&allow.network, value, strlen(value)) && good;
			job.policy.addresses.count = 1;
		} else if (strncmp(argv[k], "--port=", 7) == 0) {
			port.first = port.last = (uint16_t)strtoul(value, NULL, 10);
			job.policy.port_count = 1;
		} else if (strncmp(argv[k], "--resolve=", 10) == 0) {
			job.resolve = curl_slist_append(job.resolve, value);
		} else {
			good = url == NULL && good;
			url = argv[k];
		}
	}
	if (!good || url == NULL) {
		(void)fputs("usage: fetch [OPTION]... URL\n", stderr);
		return 2;
	}
	reason = fetch(&job, url); /* if accepted, the answer is in job.body */
	puts(urivet_reason_name(reason));
	curl_slist_free_all(job.resolve);
	curl_global_cleanup();
	return reason == URIVET_REASON_ACCEPTED ? 0 : 1;
}
