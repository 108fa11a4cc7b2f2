/* SPDX-License-Identifier: Apache-2.0 */
/* `urivet serve` as the command starts it: a helper that answers auth requests of gateways over HTTP,
 * or lines of a server on standard input. */
#ifndef URIVET_GATEWAY_SERVE_H
#define URIVET_GATEWAY_SERVE_H

#include "gateway/network.h"
#include "gateway/rules.h"

/* The place that means the socket which the service manager passes. */
#define SERVE_PASSED "systemd"

struct serve {
	enum front front;
	const char *listen;  /* "unix:/path", "127.0.0.1:8080" or SERVE_PASSED */
	const char *metrics; /* the same but SERVE_PASSED, for counters and health; NULL: none */
	struct wanted wanted;
	struct network network;
	uint32_t jobs;        /* number of worker processes */
	uint32_t connections; /* maximum for each process */
	uint32_t seconds;     /* timeout of idle connections and of requests */
	bool sends_findings;  /* in a response field, which the gateway may pass to clients */
	int log;              /* file descriptor of the log; -1: none */
	urivet_on_message *on_message; /* reports problems of policies */
};

/* Opens a log ("-": standard output) so that writing to it does not wait for its readers. Returns -1
 * after an error message. */
int serve_log_open(const char *path);

/* Starts the processes and replaces them on SIGHUP, until SIGTERM or SIGINT. Returns false after an
 * error message. */
bool serve_run(const struct serve *serve);

/* Maximum number of options that a file may set. */
#define CONFIG_OPTIONS_MOST 40

struct config_option {
	const char *name;
	const void *row; /* for set() */
	bool is_flag;    /* true or false; else it takes a text */
	bool is_given;   /* on the command line: it must not be in the file, too */
};

struct config {
	struct config_option options[CONFIG_OPTIONS_MOST];
	size_t count;
	/* The value lives on, and is NULL for a flag. Returns false after reporting an error. */
	bool (*set)(void *context, const void *row, const char *value);
	void *context;
};

/* Sets the options that are keys of a YAML file, which is checked as policy files are. Returns false
 * after error messages. */
bool config_read(struct config *config, const char *path, urivet_on_message *on_message);

/*
 * The line format, by the server that writes it.
 *
 * SPEAKER_SQUID: `[ID] [METHOD] URL [-]` with the URL percent-encoded once, for helpers of external
 * ACLs: `external_acl_type urivet concurrency=100 %>rm %#>ru`.
 * SPEAKER_APACHE: `SCHEME HOST METHOD TARGET VERSION`, not encoded, for a RewriteMap that is called
 * with `%{REQUEST_SCHEME} %{HTTP_HOST} %{THE_REQUEST}`.
 */
enum speaker { SPEAKER_NONE = 0, SPEAKER_SQUID, SPEAKER_APACHE, SPEAKERS };

/* Answers each line of `in` until it ends; lines read together are answered by one write. Returns
 * false if reading or writing fails. Lines longer than LINE_MOST are refused without being
 * parsed. */
bool lines_run(int in, int out, enum speaker speaker, const struct rules *rules);

#endif
