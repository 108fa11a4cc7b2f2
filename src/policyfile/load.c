/* SPDX-License-Identifier: Apache-2.0 */
/* Loads policies from files, including the files they name, or from memory. */
#include "common/addition.h"
#include "policyfile/compiled.h"
#include "policyfile/overlaps.h"
#include "policyfile/parameters.h"
#include "policyfile/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of loading a policy. */
struct loading {
	struct reader reader;
	struct problems problems;
	size_t left; /* octets that may still be read */
	struct identity reading[READER_DEEP_MOST + 1];
	size_t depth; /* of nested inclusions */
	bool compiled; /* a compiled policy was loaded, which is complete */
	const void *addition; /* read as one more included file; NULL: none */
	size_t addition_length;
};

static bool no_memory(struct loading *loading)
{
	loading->problems.no_memory = true;
	return false;
}

/* ---- One text ----------------------------------------------------------------------- */

/* Adds a file name, and sets the number of the current file. */
static bool name_file(struct loading *loading, const char *name)
{
	struct urivet_loaded *loaded = loading->reader.loaded;

	if (!urivet_loader_room(&loading->reader, &loaded->file, loaded->files,
				sizeof *loaded->file))
		return false;
	loaded->file[loaded->files] = urivet_loader_keep_text(&loading->reader, name);
	if (loaded->file[loaded->files] == NULL)
		return false;
	loading->reader.file = loaded->files++;
	return true;
}

/* Reads the content of a policy file. Returns false if the rest was not read. */
static bool read_content(struct loading *loading, const void *data, size_t length)
{
	struct source source = {.data = data, .length = length, .file = loading->reader.file};

	return urivet_loader_read_keys(&loading->reader, &source);
}

/* Replaces the policy being loaded by a compiled one. */
static bool read_compiled(struct loading *loading, const void *data, size_t length,
			  const char *name)
{
	struct urivet_loaded *made = urivet_loader_compiled(data, length, name, &loading->problems);

	if (made == NULL)
		return false;
	urivet_loaded_release(loading->reader.loaded);
	loading->reader.loaded = made;
	loading->compiled = true;
	return true;
}

/* ---- Files --------------------------------------------------------------------------- */

/* Returns false, after reporting it, if the file includes itself, or exceeds the limit of depth or
 * number. */
static bool enter_file(struct loading *loading, const char *path, struct place at)
{
	const struct identity self = urivet_loader_identity(path);

	for (size_t i = 0; i < loading->depth; i++) {
		const struct identity *other = &loading->reading[i];

		if (self.known && other->known && other->device == self.device &&
		    other->number == self.number)
			return urivet_loader_problem(&loading->problems, at, "'%.900s' includes itself",
					      path);
	}
	if (loading->depth > READER_DEEP_MOST)
		return urivet_loader_problem(&loading->problems, at,
				      "files include each other more than %u deep",
				      READER_DEEP_MOST);
	if (loading->reader.loaded->files == READER_FILES_MOST)
		return urivet_loader_problem(&loading->problems, at, "more than %u files are included",
				      READER_FILES_MOST - 1);
	loading->reading[loading->depth++] = self;
	return true;
}

const char *urivet_loader_path(struct strings **strings, const char *including, const char *path)
{
	const char *slash = path[0] != '/' ? strrchr(including, '/') : NULL;
	const size_t prefix = slash != NULL ? (size_t)(slash - including) + 1 : 0;
	char *whole = urivet_loader_keep(strings, NULL, prefix + strlen(path));

	if (whole != NULL) {
		memcpy(whole, including, prefix);
		memcpy(whole + prefix, path, strlen(path) + 1);
	}
	return whole;
}

static bool read_file(struct loading *loading, const char *path, struct place at,
		      enum source_kind kind);

/* Reads the files that the last file includes. Recursion is limited by READER_DEEP_MOST. */
static bool read_inclusions(struct loading *loading, const char *including)
{
	struct reader *reader = &loading->reader;
	struct named *list = reader->inclusion;
	const size_t count = reader->inclusions;
	bool good = true;

	reader->inclusion = NULL;
	reader->inclusions = 0;
	for (size_t i = 0; good && i < count; i++) {
		const char *path =
		    list[i].text != NULL
			? urivet_loader_path(reader->strings, including, list[i].text)
			: NULL;

		good = path != NULL ? read_file(loading, path, list[i].at, SOURCE_INCLUDED)
				    : no_memory(loading);
	}
	free(list);
	return good;
}

/* Reads YAML or a compiled policy. A compiled policy is complete and cannot be included. */
static bool read_octets(struct loading *loading, const char *path, struct place at,
			enum source_kind kind, const uint8_t *data, size_t length)
{
	const char *const name = strcmp(path, "-") == 0 ? "<stdin>" : path;

	if (!urivet_loader_is_compiled(data, length)) {
		if (length > loading->left)
			return urivet_loader_problem(&loading->problems, at,
						     "the policy has more than %u octets",
						     SOURCE_MOST);
		loading->left -= length;
		return name_file(loading, name) && read_content(loading, data, length);
	}
	if (kind != SOURCE_INCLUDED)
		return read_compiled(loading, data, length, name);
	return urivet_loader_problem(&loading->problems, at,
			      "'%.900s' is a compiled policy, which cannot be included: "
			      "name its policy file",
			      path);
}

/* Reads a file. Problems of the file itself are reported at the place that names it. */
static bool read_file(struct loading *loading, const char *path, struct place at,
		      enum source_kind kind)
{
	uint8_t *data;
	size_t length;
	char why[1024];
	bool good;

	if (!enter_file(loading, path, at))
		return false;
	if (!urivet_loader_read(&data, &length, path, kind, loading->left, why, sizeof why)) {
		if (errno != EFBIG || loading->left == SOURCE_MOST)
			urivet_loader_problem(&loading->problems, at, "%s", why);
		else
			urivet_loader_problem(&loading->problems, at,
					      "with '%.900s' the policy has more than %u octets",
					      path, SOURCE_MOST);
		return false;
	}
	good = read_octets(loading, path, at, kind, data, length);
	free(data);
	good = good && read_inclusions(loading, strcmp(path, "-") == 0 ? "" : path);
	loading->depth--;
	return good;
}

/* ---- Policies for values of parameters -------------------------------------------------- */

/* Where problems of another policy file go. */
struct passing {
	struct loading *loading;
	struct place at; /* names the file */
};

/* Returns the number of a file in the messages of the policy; that of `at` if memory is short. */
static uint32_t file_of(struct loading *loading, const char *name, struct place at)
{
	const struct urivet_loaded *loaded = loading->reader.loaded;

	for (uint32_t i = 0; i < loaded->files; i++)
		if (strcmp(loaded->file[i], name) == 0)
			return i;
	return name_file(loading, name) ? loading->reader.file : at.file;
}

static void pass_on(void *context, const struct urivet_message *message)
{
	const struct passing *passing = context;
	struct place at = passing->at;

	if (message->line != 0)
		at = (struct place){.file = file_of(passing->loading, message->file, at),
				    .line = message->line,
				    .column = message->column};
	urivet_loader_problem(&passing->loading->problems, at, "%s", message->text);
}

static struct urivet_loaded *load_file(struct loading *loading, const char *path,
				       urivet_on_message *on_message, void *context);

/* Loads the policy that a rule names. Recursion ends here, as such a policy has no parameters. */
static struct urivet_loaded *load_value_policy(struct loading *loading, const char *path,
					       struct place at)
{
	struct passing passing = {loading, at};
	struct loading inner = {.left = loading->left,
				.reader.for_values = true};
	struct urivet_loaded *loaded = load_file(&inner, path, pass_on, &passing);

	loading->left = inner.left;
	if (loaded != NULL && (loaded->parameters > 0 || loaded->observes)) {
		urivet_loader_problem(&loading->problems, at,
				      loaded->observes
					  ? "'%.900s' sets \"mode: observe\", which is for the "
					    "policy file alone"
					  : "'%.900s' has \"parameters\", which a policy for values "
					    "cannot have",
				      path);
		urivet_loaded_release(loaded);
		loaded = NULL;
	}
	return loaded;
}

/* Loads the policies that rules for parameters name, each file once. */
static void load_value_policies(struct loading *loading)
{
	const struct reader *reader = &loading->reader;
	struct urivet_loaded *loaded = reader->loaded;

	for (uint32_t i = 0; i < loaded->parameters && loading->problems.count == 0; i++) {
		const struct named *file = &reader->value_policy[i];
		struct value_policy *value = &loaded->value[i];

		if (file->text == NULL)
			continue;
		value->name = urivet_loader_path(&loaded->strings, loaded->file[file->at.file],
						 file->text);
		for (uint32_t k = 0; k < i && value->name != NULL && value->by == NULL; k++)
			if (loaded->value[k].name != NULL &&
			    strcmp(loaded->value[k].name, value->name) == 0)
				value->by = urivet_loaded_keep(loaded->value[k].by);
		if (value->name == NULL)
			(void)no_memory(loading);
		else if (value->by == NULL)
			value->by = load_value_policy(loading, value->name, file->at);
	}
}

/* ---- Result ---------------------------------------------------------------------------- */

/* Names a policy after its file if it has no name. If the path is not valid text, other octets than
 * visible ASCII are escaped. */
static void name_policy(struct loading *loading)
{
	struct urivet_loaded *loaded = loading->reader.loaded;
	const char *path = loaded->file[0];
	char *name = urivet_loader_keep(&loaded->strings, NULL, 4 * strlen(path));
	const bool text = urivet_loader_is_text(path);
	size_t used = 0;

	if (name == NULL) {
		(void)no_memory(loading);
		return;
	}
	for (size_t i = 0; path[i] != '\0'; i++) {
		const uint8_t octet = (uint8_t)path[i];

		if (text || (octet >= 0x20 && octet < 0x7F))
			name[used++] = (char)octet;
		else
			used += (size_t)sprintf(name + used, "\\x%02X", octet);
	}
	name[used] = '\0';
	loaded->policy.name = name;
}

/* Finishes the policy, so that checks need not verify its lists again. */
static void finish_policy(struct loading *loading)
{
	bool valid;

	if (loading->problems.count > 0 || loading->problems.no_memory)
		return;
	urivet_loader_settle_parameters(loading->reader.loaded);
	if (!urivet_loader_finish(loading->reader.loaded, &valid) && valid)
		(void)no_memory(loading);
	else if (!valid)
		urivet_loader_problem(&loading->problems, (struct place){0},
				      "internal error: what was made of the policy file is no "
				      "valid policy");
}

/* Completes the policy. Reports problems and returns NULL if there are any. */
static struct urivet_loaded *finish(struct loading *loading, bool good, const char *name,
				    urivet_on_message *on_message, void *context)
{
	struct urivet_loaded *loaded = loading->reader.loaded;

	free(loading->reader.inclusion);
	free(loading->reader.text);
	if (good && !loading->compiled && !loading->problems.no_memory)
		load_value_policies(loading);
	free(loading->reader.value_policy);
	if (good && !loading->compiled && !loading->problems.no_memory) {
		if (loaded->policy.name == NULL)
			name_policy(loading);
		urivet_loader_settle(&loading->reader);
		if (!loading->problems.no_memory)
			urivet_loader_check_rules(loaded, &loading->problems);
		if (loading->problems.count == 0 && !loading->problems.no_memory)
			urivet_loader_check_effects(&loading->reader);
		finish_policy(loading);
	}
	if (loading->problems.count > 0 || loading->problems.no_memory) {
		urivet_loader_report_all(&loading->problems, loaded->file, name, on_message,
					 context);
		urivet_loaded_release(loaded);
		loaded = NULL;
	}
	urivet_loader_free_problems(&loading->problems);
	return loaded;
}

static bool begin(struct loading *loading, const char *name, urivet_on_message *on_message,
		  void *context)
{
	loading->reader.problems = &loading->problems;
	loading->reader.loaded = urivet_load_built_in(URIVET_STRICT);
	if (loading->reader.loaded == NULL) {
		urivet_loader_report_one(name, strerror(ENOMEM), on_message, context);
		return false;
	}
	loading->reader.loaded->policy.name = NULL;
	loading->reader.strings = &loading->reader.loaded->strings;
	return true;
}

static struct urivet_loaded *load_file(struct loading *loading, const char *path,
				       urivet_on_message *on_message, void *context)
{
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	bool good;

	if (!begin(loading, name, on_message, context))
		return NULL;
	good = read_file(loading, path, (struct place){0},
			 loading->reader.for_values ? SOURCE_OF_VALUES : SOURCE_FIRST);
	if (good && loading->addition != NULL)
		good = loading->compiled
			   ? urivet_loader_problem(&loading->problems, (struct place){0},
						   "nothing can be added to a compiled policy")
			   : name_file(loading, "addition") &&
				 read_content(loading, loading->addition, loading->addition_length);
	return finish(loading, good, name, on_message, context);
}

struct urivet_loaded *urivet_loader_with(const char *path, const void *addition, size_t length,
					 urivet_on_message *on_message, void *context)
{
	struct loading loading = {
	    .left = SOURCE_MOST, .addition = addition, .addition_length = length};

	return load_file(&loading, path, on_message, context);
}

struct urivet_loaded *urivet_load(const char *path, urivet_on_message *on_message, void *context)
{
	return urivet_loader_with(path, NULL, 0, on_message, context);
}

struct urivet_loaded *urivet_loader_text(const void *data, size_t length, const char *name,
					 bool all, urivet_on_message *on_message, void *context)
{
	struct loading loading = {
	    .left = SOURCE_MOST, .problems.all = all, .reader.in_memory = true};
	bool good;

	if (!begin(&loading, name, on_message, context))
		return NULL;
	length = data != NULL ? length : 0;
	if (urivet_loader_is_compiled(data, length))
		return finish(&loading, read_compiled(&loading, data, length, name), name,
			      on_message, context);
	good = name_file(&loading, name);
	if (good && length > SOURCE_MOST)
		good = urivet_loader_problem(&loading.problems,
					     (struct place){.line = 1, .column = 1},
					     "the policy has more than %u octets", SOURCE_MOST);
	good = good && read_content(&loading, data != NULL ? data : "", length);
	return finish(&loading, good, name, on_message, context);
}

struct urivet_loaded *urivet_load_text(const void *data, size_t length, const char *name,
				       urivet_on_message *on_message, void *context)
{
	return urivet_loader_text(data, length, name, false, on_message, context);
}
