/* SPDX-License-Identifier: Apache-2.0 */
/*
 * liburivet-policy: policies from files, for programs that judge by them with <urivet.h>.
 * urivet-policy(5) says what a policy file may hold.
 *
 * The conventions of <urivet.h> hold, but for these
 * -------------------------------------------------
 *   Loading allocates memory by malloc(3), reads files, and says what is wrong with them in
 *   words, by a function of the caller's. Nothing else here says anything, and nothing writes
 *   to standard error, ends the program or changes errno for good.
 *   A policy that was loaded belongs to the library. It never changes, so any number of threads
 *   may judge by it at once. It has a count of references: who wants to go on using it keeps
 *   it, and releases it afterwards; the last release frees it.
 *   Nothing recurses deeper than files include one another (10), and memory and time are
 *   bounded, whatever a file holds: linear in its octets, but for sorting its rules.
 */
#ifndef URIVET_POLICY_FILES_H
#define URIVET_POLICY_FILES_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is wrong, and where ----------------------------------------------- */

/* What is wrong with a policy, and where; also the place of a rule. It lives as long as the call
 * that hands it out; a place as long as the policy. */
struct urivet_message {
	const char *file; /* as it was opened, or the name that the program gave; never NULL */
	uint32_t line;    /* from 1; 0: no line */
	uint32_t column;  /* octets from 1; 0: no column */
	const char *text; /* one sentence in UTF-8, without controls; NULL for a place */
};

/* Writes it as compilers do, by snprintf's contract: "proxy.yaml:7:3: no such finding ...", a place
 * "proxy.yaml:7:3"; without file, line or column where there is none, as of a file that cannot be
 * opened, which the text names itself. */
URIVET_API size_t urivet_format_message(char *out, size_t capacity,
                                        const struct urivet_message *message);

/* Called once for each thing that is wrong, in the order of the files, their lines and columns:
 * at most 100 times, and then once more to say how many were left out. It must not load or
 * release policies. */
typedef void urivet_tell(void *context, const struct urivet_message *message);

/* ---- Loading ---------------------------------------------------------------- */

/* A policy that was loaded. */
struct urivet_loaded;

/*
 * Loads a file, with all that it includes: YAML, or a compiled policy, which the first octets
 * tell apart. "-" is standard input. NULL if anything is wrong, after telling what; `tell` may
 * be NULL. A build without libyaml loads compiled policies alone, and says so.
 */
URIVET_API struct urivet_loaded *urivet_load(const char *path, urivet_tell *tell, void *context);

/* The same from memory, which is not kept; `name` stands for the file in messages. A text must not
 * include anything. */
URIVET_API struct urivet_loaded *urivet_load_text(const void *data, size_t length, const char *name,
                                                  urivet_tell *tell, void *context);

/* A built-in policy (enum urivet_base), as if a file had set nothing but its base. NULL for an
 * unknown number, and if there is no memory. */
URIVET_API struct urivet_loaded *urivet_load_built_in(int base);

/* Adds a reference, and returns the policy. NULL for NULL. */
URIVET_API struct urivet_loaded *urivet_loaded_keep(struct urivet_loaded *loaded);

/* Takes a reference back; nothing happens for NULL. */
URIVET_API void urivet_loaded_release(struct urivet_loaded *loaded);

/* ---- What was loaded ---------------------------------------------------------- */

/* The policy to judge by, sealed; it lives as long as `loaded`. Names of rules are read by
 * urivet_host_rule_name() and the like: rules of a compiled policy hold no pointers. The core
 * knows nothing of public suffixes: see urivet_loaded_check(). */
URIVET_API const struct urivet_policy *urivet_loaded_policy(const struct urivet_loaded *loaded);

/* The built-in policy that it begins with: enum urivet_base. */
URIVET_API int urivet_loaded_base(const struct urivet_loaded *loaded);

/* `mode: observe`: refusals are to be told, not enforced. */
URIVET_API bool urivet_loaded_observes(const struct urivet_loaded *loaded);

/* The names of `protect`, from 0; NULL after the last. */
URIVET_API const char *urivet_loaded_protected(const struct urivet_loaded *loaded, size_t index);

/* Tags of what is no rule: the lists after which nothing else is allowed. */
#define URIVET_TAG_HOSTS_ALLOW UINT32_MAX
#define URIVET_TAG_URLS_ALLOW  (UINT32_MAX - 1)

/* Where the rule with this tag stands: report->host_rule->tag and the like, or one of the tags
 * above. False, and nothing changes, for an unknown one. */
URIVET_API bool urivet_loaded_place(const struct urivet_loaded *loaded, uint32_t tag,
                                    struct urivet_message *place);

/* ---- Judging ------------------------------------------------------------------ */

/* urivet_check() by the policy, with `host-public-suffix` where the policy raises it, which the
 * core does not know. (NULL: nothing is accepted.) */
static inline enum urivet_verdict urivet_loaded_check(struct urivet_report *report,
                                                      const void *data, size_t length,
                                                      const struct urivet_loaded *loaded);

/* The same for bindings: `size` is how large the program's report is. */
URIVET_API enum urivet_verdict urivet_loaded_check_sized(struct urivet_report *report, size_t size,
                                                         const void *data, size_t length,
                                                         const struct urivet_loaded *loaded);

/* The list of public suffixes, for programs that make policies of their own. */
struct urivet_suffixes;

/* Opens the list inside libpsl or that of the system, whichever is newer. Any number of threads
 * may use it. NULL after telling why not; `tell` may be NULL. */
URIVET_API struct urivet_suffixes *urivet_suffixes_open(urivet_tell *tell, void *context);
URIVET_API void urivet_suffixes_close(struct urivet_suffixes *suffixes);

/* Adds `host-public-suffix` to a report of any function of <urivet.h>, by the policy that it was
 * judged by, if the host is a public suffix and no rule of hosts or URLs allows it; returns the verdict.
 * `input` and `host` are the texts that were judged, as for urivet_part(). Nothing is added for
 * suffixes of NULL. */
URIVET_API enum urivet_verdict urivet_suffixes_judge(const struct urivet_suffixes *suffixes,
                                                     struct urivet_report *report,
                                                     struct urivet_text input,
                                                     struct urivet_text host,
                                                     const struct urivet_policy *policy);

/* Room for any registrable domain and the NUL after it. */
#define URIVET_REGISTRABLE_CAPACITY 254

/* The registrable domain of a host's name, by which people tell whose it is: the longest public
 * suffix and the label before it, `example.co.uk` of `WWW.Example.co.uk.`, in lower case, without a
 * final dot, escapes decoded. Returns its length, and writes it with a NUL, or an empty string where
 * capacity does not suffice (nothing for a capacity of 0). 0, and an empty string: there is none, for
 * a public suffix, a single label, a last label that begins with a digit (to many readers an
 * address), empty labels, octets that no name has, and suffixes of NULL. Suffixes of the list's
 * private section count (`alice.github.io`), and so does a last label that is not in the list
 * (`evil.example`). */
URIVET_API size_t urivet_suffixes_registrable(char *out, size_t capacity,
                                              const struct urivet_suffixes *suffixes,
                                              struct urivet_text name);

/* ---- Writing and comparing ------------------------------------------------------ */

/* Writes it compiled, and returns how many octets that takes: they are written if capacity suffices
 * and out is aligned to 8 octets, as malloc(3) does; no NUL is added. urivet_load() takes that, and
 * the core alone by urivet_compiled_open(). 0: no memory. */
URIVET_API size_t urivet_loaded_compile(void *out, size_t capacity,
                                        const struct urivet_loaded *loaded);

/* Writes it as a policy file, by snprintf's contract. Loaded again it is the same policy. */
URIVET_API size_t urivet_loaded_format(char *out, size_t capacity,
                                       const struct urivet_loaded *loaded);

/* Tells each setting and rule that only one of the two has: the text begins with "- " (only in a)
 * or "+ " (only in b), then comes the key, ": " and the value; file and line are the rule's, or
 * line is 0. Names are in lower case. What follows from another base is told by the base alone.
 * Returns how many there are, SIZE_MAX if there is no memory; `tell` may be NULL. */
URIVET_API size_t urivet_loaded_differences(const struct urivet_loaded *a,
                                            const struct urivet_loaded *b, urivet_tell *tell,
                                            void *context);

/* ---- Exchanging ------------------------------------------------------------------ */

/* A place from which threads take the policy of the moment while another exchanges it. */
struct urivet_slot;

/* A new one, which keeps the policy (NULL: none yet). NULL: no memory. */
URIVET_API struct urivet_slot *urivet_slot_new(struct urivet_loaded *loaded);

/* The policy of the moment, kept for the caller, who releases it. NULL if there is none. Any
 * number of threads may take and put: a lock is held for a few instructions, while nobody judges
 * and nothing is freed. */
URIVET_API struct urivet_loaded *urivet_slot_take(struct urivet_slot *slot);

/* Keeps the policy, and releases the one before. */
URIVET_API void urivet_slot_put(struct urivet_slot *slot, struct urivet_loaded *loaded);

/* Releases the policy. No thread may use the slot any more. Nothing happens for NULL. */
URIVET_API void urivet_slot_free(struct urivet_slot *slot);

/* ---- Of the header ---------------------------------------------------------------- */

static inline enum urivet_verdict urivet_loaded_check(struct urivet_report *report,
                                                      const void *data, size_t length,
                                                      const struct urivet_loaded *loaded)
{
	return urivet_loaded_check_sized(report, sizeof *report, data, length, loaded);
}

#ifdef __cplusplus
}
#endif
#endif
