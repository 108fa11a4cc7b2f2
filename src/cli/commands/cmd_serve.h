/* SPDX-License-Identifier: Apache-2.0 */
/* The options of urivet serve. */
#ifndef CLI_CMD_SERVE_H
#define CLI_CMD_SERVE_H

#include <stdbool.h>
#include <stdint.h>

struct serve_options {
	int from;               /* enum front; -1: not given */
	int speaker;            /* enum speaker, the line protocol; 0: not given */
	const char *listen;     /* the address to listen on */
	const char *metrics;    /* the address for metrics; NULL: none */
	bool send_findings;     /* send findings to the gateway */
	bool check;             /* show question and answer for one URL */
	const char *log;        /* file for refusals; "-": standard output; NULL: none */
	uint32_t origin_scheme; /* the server's public scheme; NONE: not given */
	uint32_t origin_port;
	uint32_t connections; /* maximum of a process; 0: not given */
	uint32_t timeout;     /* in seconds; 0: not given */
};

#endif
