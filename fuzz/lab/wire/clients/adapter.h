/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common code of the C and C++ clients: reads URLs, each ended by NUL, and writes a line with the
 * status or the error.
 *
 * A client defines client_version() and fetch(), which returns the status, or refused("why"). It
 * runs in a process of its own, which is killed and restarted if it dies or is silent for too long:
 * libraries do both.
 */
#ifndef WIRE_ADAPTER_H
#define WIRE_ADAPTER_H

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PATIENCE = 3, /* seconds; the timeout given to a client */
	LIMIT = 3500, /* ms; the line is written by then in any case */
	LONGEST = 300 /* octets of an answer */
};

const char *client_version(void);
int fetch(const char *url);

static char refusal[LONGEST];

/* Stores why a URL was not fetched, on one line. Returns 0, the status of a refusal. */
static inline int refused(const char *message)
{
	snprintf(refusal, sizeof refusal, "%s", message != NULL ? message : "refused");
	for (char *c = refusal; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = ' ';
	return 0;
}

/* The process that fetches: its pid, and its pipes for URLs and answers. */
struct worker {
	pid_t pid;
	FILE *urls;
	int answers;
};

static inline void work(FILE *urls, int answers)
{
	char *url = NULL;
	size_t size = 0;

	setlocale(LC_ALL, ""); /* as programs do: libcurl reads IDNs by the locale */
	while (getdelim(&url, &size, '\0', urls) > 0) {
		char line[LONGEST + 8];
		int status;

		refused("no status");
		status = fetch(url);
		if (status > 0)
			snprintf(line, sizeof line, "%d\n", status);
		else
			snprintf(line, sizeof line, "! %s\n", refusal);
		if (write(answers, line, strlen(line)) < 0)
			break;
	}
	free(url);
}

static inline void start(struct worker *worker)
{
	int urls[2], answers[2];

	if (pipe(urls) != 0 || pipe(answers) != 0 || (worker->pid = fork()) < 0) {
		perror("adapter");
		exit(2);
	}
	if (worker->pid == 0) {
		close(urls[1]);
		close(answers[0]);
		close(STDIN_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO); /* output of a library is no answer */
		work(fdopen(urls[0], "r"), answers[1]);
		_exit(0);
	}
	close(urls[0]);
	close(answers[1]);
	worker->urls = fdopen(urls[1], "w");
	worker->answers = answers[0];
}

static inline void stop(struct worker *worker)
{
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
	fclose(worker->urls);
	close(worker->answers);
	worker->pid = 0;
}

/* Prints the worker's answer about a URL. Stops the worker if it does not answer. */
static inline void ask(struct worker *worker, const char *url, size_t length)
{
	char line[LONGEST + 8];
	struct pollfd answered;
	ssize_t got;
	int ready;

	if (worker->pid == 0)
		start(worker);
	fwrite(url, 1, length, worker->urls);
	fflush(worker->urls);
	answered.fd = worker->answers;
	answered.events = POLLIN;
	do
		ready = poll(&answered, 1, LIMIT);
	while (ready < 0 && errno == EINTR);
	got = ready > 0 ? read(worker->answers, line, sizeof line) : 0;
	if (got > 0) {
		fwrite(line, 1, (size_t)got, stdout);
	} else {
		puts(ready > 0 ? "! the client died" : "! timeout");
		stop(worker);
	}
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct worker worker = {0, NULL, -1};
	char *url = NULL;
	size_t size = 0;
	ssize_t length;

	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		puts(client_version());
		return 0;
	}
	signal(SIGPIPE, SIG_IGN);
	while ((length = getdelim(&url, &size, '\0', stdin)) > 0)
		ask(&worker, url, (size_t)length);
	free(url);
	if (worker.pid != 0)
		stop(&worker);
	return 0;
}

#endif
