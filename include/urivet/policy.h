/* SPDX-License-Identifier: Apache-2.0 */
/*
 * liburivet-policy: loads policies from files, for programs that use them with <urivet.h>.
 * urivet-policy(5) describes policy files.
 *
 * The conventions of <urivet.h> apply, with these exceptions
 * ----------------------------------------------------------
 *   Loading allocates memory by malloc(3), reads files, and reports errors in words through a
 *   callback. No other function reports anything, and none writes to standard error, ends the
 *   program or changes errno permanently.
 *   A loaded policy belongs to the library. It never changes, so any number of threads may judge
 *   by it at once. It is reference-counted: call urivet_loaded_keep() to go on using it and
 *   urivet_loaded_release() afterwards; the last release frees it.
 *   Recursion is no deeper than the nesting of included files (10). Memory and time are linear in
 *   the octets of the files, except for sorting the rules.
 */
#ifndef URIVET_POLICY_FILES_H
#define URIVET_POLICY_FILES_H

#include <urivet/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors and their places ------------------------------------------------ */

/* An error in a policy and its place, or the place of a rule. An error lives only during the call
 * that passes it, a place as long as the policy. */
struct urivet_message {
	const char *file; /* as it was opened, or the name given by the program; never NULL */
	uint32_t line;    /* from 1; 0: no line */
	uint32_t column;  /* octets from 1; 0: no column */
	const char *text; /* one sentence in UTF-8, without control characters; NULL for a place */
};

/* Writes a message as compilers do, with the return value of snprintf: "proxy.yaml:7:3: no such
 * finding ...", or for a place "proxy.yaml:7:3". Missing file, line or column are omitted; for
 * example, the message for a file that cannot be opened names the file in its text. */
URIVET_API size_t urivet_format_message(char *out, size_t capacity,
                                        const struct urivet_message *message);

/* A callback for each error, in the order of files, lines and columns. It is called at most 100
 * times, and then once more with the number of omitted errors. It must not load or release
 * policies. */
typedef void urivet_on_message(void *context, const struct urivet_message *message);

/* ---- Loading ---------------------------------------------------------------- */

/* A loaded policy. */
struct urivet_loaded;

/*
 * Loads a file and all files it includes. The first octets show whether it is YAML or a
 * compiled policy. "-" is standard input. Returns NULL on errors, after reporting them;
 * `on_message` may be NULL. A build without libyaml loads only compiled policies, and reports that
 * for YAML.
 */
URIVET_API struct urivet_loaded *urivet_load(const char *path, urivet_on_message *on_message,
					     void *context);

/* As urivet_load(), from memory, which is not kept. `name` replaces the file name in messages. A
 * YAML text must not include other files. */
URIVET_API struct urivet_loaded *urivet_load_text(const void *data, size_t length, const char *name,
						  urivet_on_message *on_message, void *context);

/* Returns a built-in policy (enum urivet_base), as if loaded from a file that sets only its base.
 * NULL for an unknown number, and if there is no memory. */
URIVET_API struct urivet_loaded *urivet_load_built_in(int base);

/* Adds a reference and returns the policy. Returns NULL for NULL. */
URIVET_API struct urivet_loaded *urivet_loaded_keep(struct urivet_loaded *loaded);

/* Drops a reference. A no-op for NULL. */
URIVET_API void urivet_loaded_release(struct urivet_loaded *loaded);

/* ---- Properties of a loaded policy --------------------------------------------- */

/* Returns the policy to judge by, for every function of <urivet.h>. It is sealed and lives as long
 * as `loaded`. Read names of rules with urivet_host_rule_name() and the like, because rules of a
 * compiled policy contain no pointers. For NULL, as urivet_load() returns it on errors, the policy
 * rejects every input. */
URIVET_API const struct urivet_policy *urivet_loaded_policy(const struct urivet_loaded *loaded);

/* Returns the built-in policy that this one is based on: enum urivet_base. */
URIVET_API int urivet_loaded_base(const struct urivet_loaded *loaded);

/* Returns true for `mode: observe`: report rejections, but do not enforce them. */
URIVET_API bool urivet_loaded_observes(const struct urivet_loaded *loaded);

/* Returns the name of `protect` at the index, which starts at 0; NULL after the last. */
URIVET_API const char *urivet_loaded_protected(const struct urivet_loaded *loaded, size_t index);

/* Returns the name of the rule of `parameters` at the index, which starts at 0; NULL after the
 * last. */
URIVET_API const char *urivet_loaded_parameter(const struct urivet_loaded *loaded, size_t index);

/* Tags that do not belong to a rule, but to a list that rejects everything it does not allow. */
#define URIVET_TAG_HOSTS_ALLOW UINT32_MAX
#define URIVET_TAG_URLS_ALLOW  (UINT32_MAX - 1)
/* The tag of no rule. */
#define URIVET_TAG_NONE        (UINT32_MAX - 2)

/* Sets *place to the place of the rule with this tag: report->host_rule->tag and the like, or one
 * of the tags above. Returns false and changes nothing for an unknown tag. */
URIVET_API bool urivet_loaded_place(const struct urivet_loaded *loaded, uint32_t tag,
                                    struct urivet_message *place);

/* ---- Public suffixes ---------------------------------------------------------- */

/* A list of public suffixes, for programs that build their own policies. */
struct urivet_suffixes;

/* Opens the list of the system, which Debian's package publicsuffix installs. Any number of threads
 * may use it. Returns NULL with errno on errors, after reporting them; `on_message` may be NULL. */
URIVET_API struct urivet_suffixes *urivet_suffixes_open(urivet_on_message *on_message,
							void *context);
URIVET_API void urivet_suffixes_close(struct urivet_suffixes *suffixes);

/* Makes the list the public suffixes of the policy, which needs them to raise `host-public-suffix`.
 * Call it before urivet_policy_finish(). The list must live as long as the policy and its copies.
 * If suffixes is NULL, the policy has none afterwards. */
URIVET_API void urivet_suffixes_set(const struct urivet_suffixes *suffixes,
                                    struct urivet_policy *policy);

/* The capacity for any registrable domain with its NUL. */
#define URIVET_REGISTRABLE_CAPACITY 254

/* Writes the registrable domain of a host name with a NUL: the longest public suffix and the label
 * before it, `example.co.uk` for `WWW.Example.co.uk.`, in lower case, without a final dot, escapes
 * decoded. It shows users who owns the name. Returns its length. If capacity is too small, an empty
 * string is written (nothing for a capacity of 0).
 *
 * Returns 0 and writes an empty string if there is none: for a public suffix, a single label, a
 * last label that begins with a digit (which many readers take for an address), empty labels,
 * octets that are not valid in names, and if suffixes is NULL. Suffixes of the list's private
 * section count (`alice.github.io`), and so does a last label that is not in the list
 * (`evil.example`). */
URIVET_API size_t urivet_suffixes_registrable(char *out, size_t capacity,
                                              const struct urivet_suffixes *suffixes,
                                              struct urivet_text name);

/* ---- Writing and comparing ------------------------------------------------------ */

/* Writes the compiled policy, and returns the number of octets it needs. They are written if
 * capacity suffices and out is aligned to 8 octets, as malloc(3) does; no NUL is added. Load it
 * with urivet_load(), or with urivet_compiled_open() without this library. Returns 0 if there is no
 * memory. */
URIVET_API size_t urivet_loaded_compile(void *out, size_t capacity,
                                        const struct urivet_loaded *loaded);

/* Writes the policy as a policy file, with the return value of snprintf. Loading it gives the same
 * policy; files whose policies judge values of parameters are named, not included. */
URIVET_API size_t urivet_loaded_format(char *out, size_t capacity,
                                       const struct urivet_loaded *loaded);

/* Reports each setting and rule that only one of the two policies has. The text begins with "- "
 * (only in a) or "+ " (only in b), followed by the key, ": " and the value; file and line are the
 * rule's, or line is 0. Names are in lower case. If the bases differ, settings that follow from the
 * base are not reported separately. Returns the number of differences, SIZE_MAX if there is no
 * memory; `on_message` may be NULL. */
URIVET_API size_t urivet_loaded_differences(const struct urivet_loaded *a,
					    const struct urivet_loaded *b,
					    urivet_on_message *on_message, void *context);

/* ---- Replacing a policy at run time ------------------------------------------------ */

/* A slot with the current policy: threads take it while another thread replaces it. */
struct urivet_slot;

/* Returns a new slot, which adds a reference to the policy (NULL: none yet). Returns NULL if there
 * is no memory. */
URIVET_API struct urivet_slot *urivet_slot_new(struct urivet_loaded *loaded);

/* Returns the current policy with a reference added, which the caller must release; NULL if there
 * is none. Any number of threads may take and put. The lock is held for a few instructions, never
 * while judging or freeing memory. */
URIVET_API struct urivet_loaded *urivet_slot_take(struct urivet_slot *slot);

/* Replaces the policy: adds a reference to the new one and releases the previous one. */
URIVET_API void urivet_slot_put(struct urivet_slot *slot, struct urivet_loaded *loaded);

/* Releases the policy and frees the slot. No thread may use the slot any more. A no-op for NULL. */
URIVET_API void urivet_slot_free(struct urivet_slot *slot);

#ifdef __cplusplus
}
#endif
#endif
