/* SPDX-License-Identifier: Apache-2.0 */
/* The parent process loads policies and starts worker processes. A reload starts a new set of
 * workers, and the old ones serve until the new ones have started, so all workers have the same
 * policy. If a policy cannot be loaded, nothing changes. */
#include "gateway/serve/processes.h"

#include "common/text/output.h"
#include "gateway/serve/tls.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef HAVE_LIBEVENT

bool serve_run(const struct serve *serve)
{
	(void)serve;
	return complain(
	    "serve: this build answers nothing over HTTP: install the Debian package libevent-dev "
	    "and build again");
}

#else

#define WORKERS_MOST 256

struct herd {
	const struct serve *serve;
	struct rules *rules;
	struct tls *tls; /* NULL: none */
	struct counts *counts;
	int socket;
	int metrics;
	uint32_t count; /* of processes */
	/* workers, and after them the monitor, which serves the counters; negative: fork failed */
	pid_t pid[WORKERS_MOST + 1];
};

/* ---- The service manager -------------------------------------------------------------------- */

/* Notifies the service manager like sd_notify(3), without its library. */
static void notify(const char *state)
{
	const char *const path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t length;
	int s;
	if (path == NULL || (path[0] != '/' && path[0] != '@') ||
	    strlen(path) >= sizeof address.sun_path)
		return;
	length = strlen(path);
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s < 0)
		return;
	(void)sendto(s, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	(void)close(s);
}

/* ---- Child processes ---- */

/* Sets up a child process: it ends with its parent and has no blocked signals. */
static void begin_child(pid_t parent)
{
	sigset_t none;
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)sigemptyset(&none);
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	if (getppid() != parent)
		_exit(0);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Starts a worker, or the monitor as the last process. */
static pid_t start_one(const struct herd *herd, uint32_t which)
{
	const bool is_monitor = which == herd->serve->jobs;
	const pid_t parent = getpid();
	const pid_t pid = fork();
	if (pid < 0)
		complain("serve: no process can be started: %s", strerror(errno));
	if (pid != 0)
		return pid;
	begin_child(parent);
	if (is_monitor || herd->metrics >= 0)
		(void)close(is_monitor ? herd->socket : herd->metrics);
	_exit(is_monitor ? serve_counts(herd->serve, herd->counts, herd->metrics)
			 : serve_questions(herd->serve, herd->rules, herd->tls, herd->counts,
					   herd->socket));
}

static void end_all(const pid_t *pids, uint32_t count, int how)
{
	for (uint32_t i = 0; i < count; i++)
		if (pids[i] > 0)
			(void)kill(pids[i], how);
}

/* Starts a set of workers. If one cannot be started, ends the others and returns false. */
static bool start_all(const struct herd *herd, pid_t *pids)
{
	for (uint32_t i = 0; i < herd->serve->jobs; i++) {
		pids[i] = start_one(herd, i);
		if (pids[i] < 0) {
			end_all(pids, i, SIGTERM);
			return false;
		}
	}
	return true;
}

/* ---- Reload and replacement ---- */

/* Loads the policies and the certificate. Returns false after error messages. */
static bool load(struct herd *herd)
{
	const struct serve *const serve = herd->serve;
	const bool with_tls = serve->network.certificate != NULL;
	herd->rules = rules_load(&serve->wanted, serve->on_message, NULL);
	herd->tls = with_tls && herd->rules != NULL ? tls_load(&serve->network) : NULL;
	if (herd->rules != NULL && (!with_tls || herd->tls != NULL))
		return true;
	rules_free(herd->rules);
	return false;
}

static void unload(struct herd *herd)
{
	rules_free(herd->rules);
	tls_free(herd->tls);
}

static void reload(struct herd *herd)
{
	const uint32_t jobs = herd->serve->jobs;
	pid_t pids[WORKERS_MOST];
	struct herd anew = *herd;
	bool good;
	notify("RELOADING=1");
	good = load(&anew);
	if (good && start_all(&anew, pids)) {
		end_all(herd->pid, jobs, SIGUSR1);
		memcpy(anew.pid, pids, jobs * sizeof *pids);
		unload(herd);
		*herd = anew;
		complain("serve: the policy was loaded again");
	} else {
		if (good)
			unload(&anew);
		good = false;
		complain("serve: the policy that was loaded before stays in force");
	}
	atomic_store(&herd->counts->stale, !good);
	notify("READY=1");
}

/* Replaces a process that ended unexpectedly, after a delay that prevents a fast restart loop. */
static void replace(struct herd *herd, pid_t pid)
{
	static const struct timespec moment = {0, 100000000};
	for (uint32_t i = 0; i < herd->count; i++)
		if (herd->pid[i] == pid) {
			complain("serve: a process ended by itself, and is replaced");
			(void)nanosleep(&moment, NULL);
			herd->pid[i] = start_one(herd, i);
		}
}

static void collect(struct herd *herd)
{
	pid_t pid;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		replace(herd, pid);
}

/* Returns the number of running ones among the first processes. */
static uint32_t running(const struct herd *herd, uint32_t count)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < count; i++)
		found += herd->pid[i] > 0;
	return found;
}

/* Retries to start processes whose fork failed. */
static void start_missing(struct herd *herd)
{
	for (uint32_t i = 0; i < herd->count; i++)
		if (herd->pid[i] < 0)
			herd->pid[i] = start_one(herd, i);
}

/* Waits for a signal and returns it. Returns 0 after one second without one if some processes are
 * missing. */
static int next_signal(const struct herd *herd, const sigset_t *signals)
{
	static const struct timespec second = {1, 0};
	const int which = running(herd, herd->count) < herd->count
			      ? sigtimedwait(signals, NULL, &second)
			      : sigwaitinfo(signals, NULL);
	return which > 0 ? which : 0;
}

/* Handles signals until SIGTERM or SIGINT. */
static void attend(struct herd *herd, const sigset_t *signals)
{
	for (;;) {
		const int which = next_signal(herd, signals);
		if (which == SIGTERM || which == SIGINT)
			return;
		if (which == SIGHUP)
			reload(herd);
		else if (which == SIGCHLD)
			collect(herd);
		else
			start_missing(herd);
		atomic_store(&herd->counts->answering, running(herd, herd->serve->jobs));
	}
}

/* Waits until the processes [from, to) have ended, for `seconds` at most. */
static void await(struct herd *herd, uint32_t from, uint32_t to, uint32_t seconds)
{
	static const struct timespec moment = {0, 20000000};
	for (uint32_t i = 0; i < 50 * seconds; i++) {
		uint32_t left = 0;
		pid_t pid;
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			for (uint32_t k = 0; k < herd->count; k++)
				herd->pid[k] = herd->pid[k] == pid ? 0 : herd->pid[k];
		for (uint32_t k = from; k < to; k++)
			left += herd->pid[k] > 0;
		if (left == 0)
			return;
		(void)nanosleep(&moment, NULL);
	}
}

/* Accepts nothing more, ends the workers, whose time is limited, and then the monitor, which says
 * until then that they end. Those still running are killed. */
static void end_herd(struct herd *herd)
{
	const uint32_t jobs = herd->serve->jobs, drain = herd->serve->network.drain;
	atomic_store(&herd->counts->ending, true);
	serve_unlisten(herd->serve->listen, herd->socket);
	herd->socket = -1;
	end_all(herd->pid, jobs, SIGTERM);
	await(herd, 0, jobs, (drain > 0 ? drain : 2) + 3);
	end_all(herd->pid + jobs, herd->count - jobs, SIGTERM);
	await(herd, jobs, herd->count, 1);
	end_all(herd->pid, herd->count, SIGKILL);
}

/* Blocks the signals that attend() waits for, and stores them in *signals. */
static void take_signals(sigset_t *signals)
{
	(void)sigemptyset(signals);
	(void)sigaddset(signals, SIGHUP);
	(void)sigaddset(signals, SIGTERM);
	(void)sigaddset(signals, SIGINT);
	(void)sigaddset(signals, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, signals, NULL);
}

static bool run_herd(struct herd *herd, const sigset_t *signals)
{
	const uint32_t jobs = herd->serve->jobs;
	if (!start_all(herd, herd->pid))
		return false;
	herd->count = jobs + (herd->metrics >= 0);
	if (herd->metrics >= 0)
		herd->pid[jobs] = start_one(herd, jobs);
	atomic_store(&herd->counts->answering, running(herd, jobs));
	notify("READY=1");
	attend(herd, signals);
	notify("STOPPING=1");
	end_herd(herd);
	return true;
}

bool serve_run(const struct serve *serve)
{
	const bool public = serve->network.public;
	struct herd herd = {.serve = serve, .socket = -1, .metrics = -1};
	sigset_t signals;
	bool good = false;
	take_signals(&signals);
	/* shared with the forked processes */
	herd.counts =
	    mmap(NULL, COUNTS_SIZE(1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (herd.counts == MAP_FAILED || !load(&herd))
		return false;
	herd.socket = serve_listen(serve->listen, public);
	if (herd.socket >= 0 && serve->metrics != NULL)
		herd.metrics = serve_listen(serve->metrics, public);
	if (herd.socket >= 0 && (serve->metrics == NULL || herd.metrics >= 0))
		good = run_herd(&herd, &signals);
	if (herd.socket >= 0)
		serve_unlisten(serve->listen, herd.socket);
	if (herd.metrics >= 0)
		serve_unlisten(serve->metrics, herd.metrics);
	unload(&herd);
	return good;
}

#endif
