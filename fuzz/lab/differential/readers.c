/* SPDX-License-Identifier: Apache-2.0 */
#include "readers.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FRAMES_MOST  24

static struct reader reader_table[READERS_MOST];
static size_t reader_count;
static char out_folder[PATH_MAX];

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "differential: %s: %s\n", what, why);
	exit(2);
}

/* ---- Appending to files ---------------------------------------------------------------- */

/* Appends by a single write, so that records of several processes are not mixed. */
static void append(const char *name, const char *data, size_t length)
{
	char path[PATH_MAX + 64];
	int file;

	if (*out_folder == '\0')
		return;
	snprintf(path, sizeof path, "%s/%s", out_folder, name);
	file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (file < 0 || write(file, data, length) != (ssize_t)length)
		fail(path, strerror(errno));
	close(file);
}

void append_record(const char *name, const char *data, size_t length)
{
	char record[LONGEST_RECORD + 1];

	if (length > LONGEST_RECORD)
		return;
	memcpy(record, data, length);
	record[length] = '\0';
	append(name, record, length + 1);
}

/* ---- The copy before the guard --------------------------------------------------------- */

static char *arena; /* a page without access, pages of the copy, a page without access */
static size_t page_size, arena_size;
static bool guarded = true;

static void make_arena(void)
{
	const char *guard = getenv("DIFFERENTIAL_GUARD");

	guarded = guard == NULL || strcmp(guard, "off") != 0;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	arena_size = (LONGEST_RECORD / page_size + 2) * page_size;
	arena =
	    mmap(NULL, arena_size + 2 * page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED ||
	    mprotect(arena + page_size, arena_size, PROT_READ | PROT_WRITE) != 0)
		fail("memory", strerror(errno));
}

static bool in_guard(const char *address)
{
	const char *copies = arena + page_size;

	return (address >= arena && address < copies) ||
	       (address >= copies + arena_size && address < copies + arena_size + page_size);
}

static char *copy_of(const char *data, size_t length)
{
	char *end = arena + page_size + arena_size - (guarded ? 0 : page_size / 2);
	char *copy = end - length - 1;

	memcpy(copy, data, length);
	copy[length] = '\0';
	return copy;
}

/* ---- The current call ------------------------------------------------------------------- */

static struct {
	const struct reader *volatile reader; /* NULL: no call */
	const char *data;
	size_t length;
	volatile unsigned long number;
	sigjmp_buf back;
	void *frame[FRAMES_MOST]; /* the stack when the call was abandoned */
	int frames;
} call;

/* ---- Incidents -------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Returns false for frames of the C library or of this program, which do not identify the
 * reader. */
static bool of_a_library(const Dl_info *info)
{
	static const char *const others[] = {"libc.so", "libc-", "ld-linux", "libpthread",
					     "libgcc_s"};
	Dl_info own;
	const char *name = base_name(info->dli_fname);

	if (dladdr((void *)(uintptr_t)&read_by, &own) != 0 && own.dli_fbase == info->dli_fbase)
		return false;
	for (size_t i = 0; i < COUNT(others); i++)
		if (strncmp(name, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}

/* Writes the innermost frame of a library, as in "libneon.so+0x1f3a ne_uri_parse", or "-". */
static void write_place(char *out, size_t size, void *const *frame, int frames)
{
	snprintf(out, size, "-");
	for (int i = 0; i < frames; i++) {
		Dl_info info;

		if (dladdr(frame[i], &info) == 0 || info.dli_fname == NULL || !of_a_library(&info))
			continue;
		snprintf(out, size, "%s+0x%zx%s%s", base_name(info.dli_fname),
			 (size_t)((char *)frame[i] - (char *)info.dli_fbase),
			 info.dli_sname != NULL ? " " : "",
			 info.dli_sname != NULL ? info.dli_sname : "");
		return;
	}
}

/* Returns true if an incident is new, or its record is shorter than those already reported. */
static bool worth_telling(const char *place, size_t length)
{
	static struct {
		const struct reader *reader;
		char place[160];
		size_t shortest;
	} told[64];
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (told[i].reader == call.reader && strcmp(told[i].place, place) == 0) {
			if (length >= told[i].shortest)
				return false;
			told[i].shortest = length;
			return true;
		}
	if (count == COUNT(told))
		return false;
	told[count].reader = call.reader;
	snprintf(told[count].place, sizeof told->place, "%s", place);
	told[count++].shortest = length;
	return true;
}

/* Appends a line to incidents.tsv: kind, reader, place, and the record in hexadecimal digits. */
static void tell_incident(const char *kind, void *const *frame, int frames)
{
	static char line[2 * LONGEST_RECORD + 512];
	char place[160];
	size_t n;

	write_place(place, sizeof place, frame, frames);
	if (!worth_telling(place, call.length))
		return;
	n = (size_t)snprintf(line, 400, "%s\t%s\t%s\t", kind, call.reader->name, place);
	for (size_t i = 0; i < call.length; i++)
		n += (size_t)snprintf(line + n, 3, "%02x", (unsigned char)call.data[i]);
	line[n++] = '\n';
	append("incidents.tsv", line, n);
}

/* ---- Signals ---------------------------------------------------------------------------- */

/* Records the incident and ends the process, in whatever state it is. A second failure ends it
 * at once. */
static _Noreturn void stop(const char *kind)
{
	static volatile sig_atomic_t stopping;
	void *frame[FRAMES_MOST];

	if (!stopping) {
		stopping = 1;
		tell_incident(kind, frame, backtrace(frame, FRAMES_MOST));
	} else {
		tell_incident(kind, NULL, 0);
	}
	_exit(STATUS_STOPPED);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (call.reader == NULL) { /* a failure of this program */
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (number != SIGABRT && (number != SIGSEGV || !in_guard(info->si_addr)))
		stop("crash");
	call.frames = backtrace(call.frame, FRAMES_MOST);
	siglongjmp(call.back, number == SIGABRT ? FATE_ABORT : FATE_OVER_READ);
}

static pthread_t main_thread;
static int most_ticks = 10;

/* Called once a second. Detects a reader that hangs: the same call takes too long. */
static void on_tick(int number)
{
	static unsigned long last;
	static int ticks;

	if (!pthread_equal(pthread_self(), main_thread)) {
		pthread_kill(main_thread, number);
		return;
	}
	ticks = call.reader != NULL && call.number == last ? ticks + 1 : 0;
	last = call.number;
	if (ticks >= most_ticks)
		stop("hang");
}

static void catch_signals(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	static char stack[1 << 16];
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
	const struct itimerval second = {{1, 0}, {1, 0}};
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
	const char *seconds = getenv("DIFFERENTIAL_HANG");
	void *frame[2];

	backtrace(frame, 2); /* loads what backtrace() needs, which a signal handler must not do */
	if (seconds != NULL)
		most_ticks = atoi(seconds);
	if (most_ticks < 1 || most_ticks > 3600)
		fail("DIFFERENTIAL_HANG", "1 to 3600 seconds");
	main_thread = pthread_self();
	sigaltstack(&other, NULL);
	action.sa_sigaction = on_fault;
	for (size_t i = 0; i < COUNT(faults); i++)
		sigaction(faults[i], &action, NULL);
	action.sa_flags = SA_RESTART | SA_NODEFER | SA_ONSTACK;
	action.sa_handler = on_tick;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &second, NULL);
}

/* ---- Loading ------------------------------------------------------------------------------ */

static void load(const char *path)
{
	struct reader *made = &reader_table[reader_count];
	char symbol[48];
	const char *name = base_name(path);
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (object == NULL)
		fail(path, dlerror());
	if (reader_count == READERS_MOST)
		fail(path, "too many readers");
	snprintf(made->name, sizeof made->name, "%.*s", (int)strcspn(name, "."), name);
	snprintf(symbol, sizeof symbol, "read_%s", made->name);
	/* POSIX allows void * to be converted to a function pointer, ISO C does not */
	*(void **)&made->read = dlsym(object, symbol);
	*(void **)&made->version = dlsym(object, "reader_version");
	if (made->read == NULL || made->version == NULL)
		fail(path, "no such function");
	reader_count++;
}

static void load_all(void)
{
	const char *given = getenv("DIFFERENTIAL_READERS");
	const char *folder = getenv("DIFFERENTIAL_OUT");
	char *rest = NULL;
	char *paths = strdup(given != NULL ? given : "");

	if (paths == NULL)
		abort();
	if (folder != NULL)
		snprintf(out_folder, sizeof out_folder, "%s", folder);
	for (char *path = strtok_r(paths, " ", &rest); path != NULL;
	     path = strtok_r(NULL, " ", &rest))
		load(path);
	free(paths);
	if (reader_count == 0)
		fail("DIFFERENTIAL_READERS", "names no reader");
	make_arena();
	catch_signals();
}

const struct reader *readers(size_t *count)
{
	if (reader_count == 0)
		load_all();
	*count = reader_count;
	return reader_table;
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* The signal handler jumps back to here, so no value in a register is used afterwards. */
static enum fate guarded_read(const char *copy, use_function *use, void *context)
{
	struct reading reading;

	memset(&reading, 0, sizeof reading);
	switch (sigsetjmp(call.back, 0)) {
	case 0:
		break;
	case FATE_ABORT:
		return FATE_ABORT;
	default:
		return FATE_OVER_READ;
	}
	if (!call.reader->read(copy, call.length, &reading))
		return FATE_REFUSED;
	use(&reading, context);
	return FATE_READ;
}

enum fate read_by(const struct reader *reader, const char *data, size_t length, use_function *use,
		  void *context)
{
	const char *copy = copy_of(data, length);
	enum fate fate;

	call.data = data;
	call.length = length;
	call.number++;
	call.reader = reader;
	fate = guarded_read(copy, use, context);
	if (fate == FATE_OVER_READ || fate == FATE_ABORT)
		tell_incident(fate == FATE_ABORT ? "abort" : "over-read", call.frame, call.frames);
	else if (memcmp(copy, data, length) != 0 || copy[length] != '\0')
		tell_incident("write", NULL, 0);
	call.reader = NULL;
	return fate;
}
