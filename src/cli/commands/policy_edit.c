/* SPDX-License-Identifier: Apache-2.0 */
/* Edits policy files line by line, and writes the edits as a unified diff. */
#include "cli/commands/policy_edit.h"
#include "cli/show/emit.h"
#include "common/grow.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- Lines ------------------------------------------------------------------------------ */

/* Returns memory for a line of `length` octets, which belongs to the edit. */
static char *new_text(struct edit *edit, size_t length)
{
	char *text = malloc(length + 1);

	if (text == NULL || !grow(&edit->text, &edit->text_capacity, edit->texts + 1, sizeof text)) {
		free(text);
		edit->no_memory = true;
		return NULL;
	}
	edit->text[edit->texts++] = text;
	text[length] = '\0';
	return text;
}

/* Returns a line made of three parts. */
static char *joined(struct edit *edit, struct octets before, const char *middle, const char *after)
{
	const size_t length = before.length + strlen(middle) + strlen(after);
	char *text = new_text(edit, length);

	if (text != NULL)
		(void)snprintf(text, length + 1, "%.*s%s%s", (int)before.length,
			       (const char *)before.data, middle, after);
	return text;
}

/* Inserts a line before the one at the index. */
static bool insert(struct edit *edit, size_t index, char *text)
{
	if (text == NULL ||
	    !grow(&edit->line, &edit->capacity, edit->count + 1, sizeof *edit->line)) {
		edit->no_memory = true;
		return false;
	}
	memmove(&edit->line[index + 1], &edit->line[index],
		(edit->count++ - index) * sizeof *edit->line);
	edit->line[index] = (struct edit_line){.text = text};
	return true;
}

/* Replaces a line: the old one stays as dropped, for the diff. */
static bool replace(struct edit *edit, size_t index, char *text)
{
	if (text == NULL)
		return false;
	if (edit->line[index].number == 0) {
		edit->line[index].text = text;
		return true;
	}
	if (!insert(edit, index + 1, text))
		return false;
	edit->line[index].dropped = true;
	return true;
}

bool edit_open(struct edit *edit, const char *file, const char *text, size_t length)
{
	*edit = (struct edit){.file = file};
	for (uint32_t number = 1; length > 0; number++) {
		const char *end = memchr(text, '\n', length);
		const size_t line = end != NULL ? (size_t)(end - text) : length;
		char *copy = new_text(edit, line);

		if (copy == NULL || !insert(edit, edit->count, copy))
			return false;
		memcpy(copy, text, line);
		edit->line[edit->count - 1].number = number;
		length -= line + (end != NULL);
		text += line + (end != NULL);
	}
	return true;
}

void edit_close(struct edit *edit)
{
	for (size_t i = 0; i < edit->texts; i++)
		free(edit->text[i]);
	free(edit->text);
	free(edit->line);
	*edit = (struct edit){0};
}

struct edit_line *edit_save(const struct edit *edit)
{
	struct edit_line *saved = calloc(edit->count + 1, sizeof *saved);

	if (saved != NULL && edit->count > 0)
		memcpy(saved, edit->line, edit->count * sizeof *saved);
	return saved;
}

void edit_restore(struct edit *edit, const struct edit_line *saved, size_t count)
{
	if (count > 0)
		memcpy(edit->line, saved, count * sizeof *saved);
	edit->count = count;
}

char *edit_text(const struct edit *edit, size_t *length)
{
	size_t size = 0;
	char *text;

	for (size_t i = 0; i < edit->count; i++)
		size += strlen(edit->line[i].text) + 1;
	text = malloc(size + 1);
	if (text == NULL)
		return NULL;
	*length = 0;
	for (size_t i = 0; i < edit->count; i++) {
		const size_t line = strlen(edit->line[i].text);

		if (edit->line[i].dropped)
			continue;
		memcpy(text + *length, edit->line[i].text, line);
		text[*length + line] = '\n';
		*length += line + 1;
	}
	return text;
}

/* ---- Reading YAML by lines ------------------------------------------------------------------ */

static size_t indent_of(const char *text)
{
	return strspn(text, " ");
}

/* Returns true for a line without content. */
static bool is_blank(const struct edit_line *line)
{
	const char *text = line->text + indent_of(line->text);

	return line->dropped || *text == '\0' || *text == '#';
}

/* Returns the text after "KEY:" if the line is that key, else NULL. */
static const char *after_key(const char *line, const char *key)
{
	const size_t length = strlen(key);
	const char *text = line + indent_of(line);

	return strncmp(text, key, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

/* Returns the index of the line with the key, from `at` on, among the lines that are indented by
 * `indent`. Returns edit->count if there is none before a line that is indented less. */
static size_t find_key(const struct edit *edit, size_t at, size_t indent, const char *key)
{
	for (; at < edit->count; at++) {
		const char *text = edit->line[at].text;

		if (is_blank(&edit->line[at]))
			continue;
		if (indent_of(text) < indent)
			break;
		if (indent_of(text) == indent && after_key(text, key) != NULL)
			return at;
	}
	return edit->count;
}

/* Returns the index of the first line with content from `at` on. */
static size_t next_line(const struct edit *edit, size_t at)
{
	while (at < edit->count && is_blank(&edit->line[at]))
		at++;
	return at;
}

/* Returns the position of the bracket that ends the flow list or group after `open`, or NULL. */
static const char *closing(const char *open)
{
	int depth = 0;
	char quote = '\0';

	for (const char *at = open; *at != '\0'; at++) {
		if (quote != '\0')
			quote = (char)(*at == quote ? '\0' : quote);
		else if (*at == '\'' || *at == '"')
			quote = *at;
		else if (*at == '[' || *at == '{')
			depth++;
		else if ((*at == ']' || *at == '}') && --depth == 0)
			return at;
	}
	return NULL;
}

/* ---- Adding ----------------------------------------------------------------------------- */

/* Returns the value in quotes if it needs them. */
static char *quoted(struct edit *edit, const char *value)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789._/-";
	const bool web = strncmp(value, "https://", 8) == 0 || strncmp(value, "http://", 7) == 0;
	const char *rest = web ? strchr(value, '/') : value;

	if (rest[strspn(rest, safe)] == '\0' && value[0] != '-' && value[0] != '\0')
		return joined(edit, text_of(value), "", "");
	return joined(edit, text_of("'"), value, "'");
}

/* Adds a value to the list whose brackets begin at `open` in the line. */
static bool add_to_flow(struct edit *edit, size_t index, const char *open, const char *value)
{
	const char *line = edit->line[index].text;
	const char *end = closing(open);
	char *added = end != NULL ? joined(edit, text_of(", "), value, "") : NULL;

	return added != NULL &&
	       replace(edit, index, joined(edit, text_at(line, (size_t)(end - line)), added, end));
}

/* Adds a value to the list below the key in the line: in brackets after it, or in lines of their
 * own. */
static bool add_to_list(struct edit *edit, size_t index, const char *key, const char *value)
{
	const char *after = after_key(edit->line[index].text, key);
	const char *open = after + strspn(after, " ");
	size_t first;

	if (*open == '[')
		return add_to_flow(edit, index, open, value);
	first = next_line(edit, index + 1);
	if (first == edit->count)
		return false;
	return insert(edit, first,
		      joined(edit,
			     text_at(edit->line[first].text, indent_of(edit->line[first].text)),
			     "- ", value));
}

/* Inserts "KEY: VALUE" as a member of the group in the line, in braces or in lines of its own. */
static bool add_member(struct edit *edit, size_t index, const char *group, char *member)
{
	const char *line = edit->line[index].text;
	const char *after = after_key(line, group);
	const char *open = after + strspn(after, " ");
	size_t first;

	if (*open == '{') {
		char *added = member != NULL ? joined(edit, text_of(member), ", ", "") : NULL;

		return added != NULL &&
		       replace(edit, index,
			       joined(edit, text_at(line, (size_t)(open - line) + 1), added,
				      open + 1));
	}
	first = next_line(edit, index + 1);
	if (first == edit->count || member == NULL)
		return false;
	return insert(edit, index + 1,
		      joined(edit,
			     text_at(edit->line[first].text, indent_of(edit->line[first].text)),
			     member, ""));
}

/* Appends a member at the end of the file, in a group of its own unless `group` is "". */
static bool append(struct edit *edit, const char *group, const char *member)
{
	if (member == NULL)
		return false;
	if (group[0] == '\0')
		return insert(edit, edit->count, joined(edit, text_of(member), "", ""));
	return insert(edit, edit->count, joined(edit, text_of(group), ":", "")) &&
	       insert(edit, edit->count, joined(edit, text_of("  "), member, ""));
}

/* Returns the place of "KEY:" inside the braces of the line, or NULL. */
static const char *key_in_braces(const char *line, const char *key)
{
	const size_t length = strlen(key);

	for (const char *at = strchr(line, '{'); at != NULL; at = strpbrk(at + 1, "{,")) {
		const char *word = at + 1 + strspn(at + 1, " ");

		if (strncmp(word, key, length) == 0 && word[length] == ':')
			return word + length + 1;
	}
	return NULL;
}

/* Adds to a list of a group that the file has. */
static bool add_in_group(struct edit *edit, size_t index, const char *group, const char *key,
			 const char *value)
{
	const char *line = edit->line[index].text;
	const char *inside = key_in_braces(line, key);
	const size_t first = next_line(edit, index + 1);
	size_t member;

	if (strchr(line, '{') != NULL && inside != NULL) {
		inside += strspn(inside, " ");
		return *inside == '[' && add_to_flow(edit, index, inside, value);
	}
	member = strchr(line, '{') == NULL && first < edit->count
		     ? find_key(edit, first, indent_of(edit->line[first].text), key)
		     : edit->count;
	if (member < edit->count && indent_of(edit->line[member].text) > 0)
		return add_to_list(edit, member, key, value);
	value = joined(edit, text_of(": ["), value, "]");
	return value != NULL &&
	       add_member(edit, index, group, joined(edit, text_of(key), value, ""));
}

bool edit_has(const struct edit *edit, const char *key)
{
	return find_key(edit, 0, 0, key) < edit->count;
}

bool edit_add(struct edit *edit, const char *group, const char *key, const char *value)
{
	const size_t index = find_key(edit, 0, 0, group[0] != '\0' ? group : key);
	char *text = quoted(edit, value);
	char *list;

	if (text == NULL)
		return false;
	if (index < edit->count && group[0] != '\0')
		return add_in_group(edit, index, group, key, text);
	if (index < edit->count)
		return add_to_list(edit, index, key, text);
	list = joined(edit, text_of(": ["), text, "]");
	return list != NULL && append(edit, group, joined(edit, text_of(key), list, ""));
}

/* Returns the index of a new line about the prefix, edit->count if there is none. */
static size_t find_new_path(const struct edit *edit, const char *line)
{
	size_t index = 0;

	while (index < edit->count &&
	       (edit->line[index].dropped || edit->line[index].number > 0 ||
		strstr(edit->line[index].text, line) == NULL))
		index++;
	return index;
}

bool edit_add_path(struct edit *edit, const char *prefix, const char *finding)
{
	const size_t key = find_key(edit, 0, 0, "paths");
	char *value = quoted(edit, prefix);
	char *begin, *rule;
	size_t index;

	if (value == NULL)
		return false;
	value = joined(edit, text_of("{prefix: "), value, ", allow: [");
	if (value == NULL)
		return false;
	index = find_new_path(edit, value);
	if (index < edit->count)
		return add_to_flow(edit, index, strrchr(edit->line[index].text, '['), finding);
	begin = joined(edit, text_of("- "), value, finding);
	rule = begin != NULL ? joined(edit, text_of(begin), "]}", "") : NULL;
	if (rule == NULL)
		return false;
	if (key == edit->count)
		return insert(edit, edit->count, joined(edit, text_of("paths:"), "", "")) &&
		       insert(edit, edit->count, joined(edit, text_of("  "), rule, ""));
	index = next_line(edit, key + 1);
	return index < edit->count && strcmp(edit->line[key].text, "paths:") == 0 &&
	       insert(edit, index,
		      joined(edit,
			     text_at(edit->line[index].text, indent_of(edit->line[index].text)),
			     rule, ""));
}

bool edit_add_parameter(struct edit *edit, const char *name, const char *finding)
{
	const size_t key = find_key(edit, 0, 0, "parameters");
	char *member = quoted(edit, name);

	if (member != NULL)
		member = joined(edit, text_of(member), ": {allow: [", finding);
	if (member != NULL)
		member = joined(edit, text_of(member), "]}", "");
	return key < edit->count ? add_member(edit, key, "parameters", member)
				 : append(edit, "parameters", member);
}

bool edit_set(struct edit *edit, const char *group, const char *key, const char *value)
{
	const size_t index = find_key(edit, 0, 0, group);
	const char *line = index < edit->count ? edit->line[index].text : "";
	const char *number = index < edit->count ? key_in_braces(line, key) : NULL;
	const size_t first = next_line(edit, index + 1);
	size_t member = edit->count;
	char *set = joined(edit, text_of(key), ": ", value);

	if (set == NULL)
		return false;
	if (index < edit->count && number == NULL && strchr(line, '{') == NULL &&
	    first < edit->count)
		member = find_key(edit, first, indent_of(edit->line[first].text), key);
	if (member < edit->count) {
		line = edit->line[member].text;
		number = after_key(line, key);
	}
	if (number != NULL) {
		const char *digits = number + strspn(number, " ");

		return replace(edit, member < edit->count ? member : index,
			       joined(edit, text_at(line, (size_t)(digits - line)), value,
				      digits + strspn(digits, "0123456789")));
	}
	if (index < edit->count)
		return add_member(edit, index, group, set);
	return append(edit, group, set);
}

/* ---- Removing --------------------------------------------------------------------------- */

/* Drops the keys above the line that have no value any more, after a line of a block was dropped. */
static void drop_empty_keys(struct edit *edit, size_t index)
{
	while (index-- > 0) {
		const struct edit_line *line = &edit->line[index];
		const size_t length = strlen(line->text);
		const size_t next = next_line(edit, index + 1);
		const size_t indent = indent_of(line->text);

		if (is_blank(line))
			continue;
		/* a list may be indented like its key */
		if (length == 0 || line->text[length - 1] != ':' ||
		    (next < edit->count && (indent_of(edit->line[next].text) > indent ||
					    edit->line[next].text[indent] == '-')))
			return;
		edit->line[index].dropped = true;
	}
}

/* Returns the end of the element at the place: after its quotes, or before "," or "]". */
static const char *element_end(const char *at)
{
	const char *end;

	if (*at == '\'' || *at == '"') {
		end = strchr(at + 1, *at);
		return end != NULL ? end + 1 : NULL;
	}
	end = at + strcspn(at, ",]");
	return *end != '\0' ? end : NULL;
}

/* Removes the element at the place from a list in brackets, with the comma beside it. */
static bool drop_from_flow(struct edit *edit, size_t index, const char *at)
{
	const char *line = edit->line[index].text;
	const char *end = element_end(at);

	if (end == NULL)
		return false;
	end += strspn(end, " ");
	if (*end == ',') {
		end += 1 + strspn(end + 1, " ");
	} else {
		while (at > line && at[-1] == ' ')
			at--;
		if (at > line && at[-1] == ',')
			at--;
		else if (at > line && at[-1] == '[' && *end == ']' && end[1] == '\0') {
			/* the only one: the key goes as well */
			edit->line[index].dropped = true;
			drop_empty_keys(edit, index);
			return true;
		}
	}
	return replace(edit, index, joined(edit, text_at(line, (size_t)(at - line)), "", end));
}

bool edit_drop(struct edit *edit, uint32_t number, uint32_t column)
{
	for (size_t i = 0; i < edit->count; i++) {
		const struct edit_line *line = &edit->line[i];
		const char *text = line->text + indent_of(line->text);

		/* the file may have changed since the policy was compiled */
		if (line->number != number || line->dropped || column > strlen(line->text) ||
		    column <= indent_of(line->text))
			continue;
		/* an element in a line of its own may be a group with a list in it */
		if (*text != '-' ||
		    memchr(text, '[', (size_t)(line->text + column - 1 - text)) != NULL)
			return drop_from_flow(edit, i, line->text + column - 1);
		edit->line[i].dropped = true;
		drop_empty_keys(edit, i);
		return true;
	}
	return false;
}

bool edit_drop_key(struct edit *edit, uint32_t number, uint32_t column)
{
	size_t i = 0;

	while (i < edit->count && (edit->line[i].number != number || edit->line[i].dropped))
		i++;
	if (i == edit->count || indent_of(edit->line[i].text) + 1 != column)
		return false;
	edit->line[i].dropped = true;
	for (size_t k = i + 1; k < edit->count && (is_blank(&edit->line[k]) ||
						   indent_of(edit->line[k].text) >= column);
	     k++)
		edit->line[k].dropped = true;
	drop_empty_keys(edit, i);
	return true;
}

/* Returns the word in the line, not as a part of another word nor in a comment, or NULL. */
static const char *find_word(const char *line, const char *word)
{
	static const char of_words[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const char *comment = strchr(line, '#');
	const char *at = strstr(line, word);

	for (; at != NULL; at = strstr(at + 1, word)) {
		const char after = at[strlen(word)];

		if (comment != NULL && comment < at)
			return NULL;
		if ((at == line || strchr(of_words, at[-1]) == NULL) &&
		    (after == '\0' || strchr(of_words, after) == NULL))
			return at;
	}
	return NULL;
}

bool edit_drop_word(struct edit *edit, const char *key, const char *word)
{
	const size_t first = find_key(edit, 0, 0, key);

	for (size_t index = first; index < edit->count; index++) {
		const struct edit_line *line = &edit->line[index];
		const char *at = is_blank(line) ? NULL : find_word(line->text, word);

		if (index > first && !is_blank(line) && line->text[0] != ' ' && line->text[0] != '-')
			return false;
		if (at != NULL && line->number > 0)
			return edit_drop(edit, line->number, (uint32_t)(at - line->text) + 1);
	}
	return false;
}

/* ---- Diffs ------------------------------------------------------------------------------ */

#define DIFF_CONTEXT 3u

static bool is_change(const struct edit_line *line)
{
	return line->dropped || line->number == 0;
}

/* A hunk: lines from..to-1 of the array. */
struct hunk {
	size_t from;
	size_t to;
};

/* Returns the next hunk from `at` on; from == to if there are no more changes. */
static struct hunk next_hunk(const struct edit *edit, size_t at)
{
	struct hunk hunk = {at, at};
	size_t quiet = 0;

	while (hunk.from < edit->count && !is_change(&edit->line[hunk.from]))
		hunk.from++;
	hunk.to = hunk.from;
	for (size_t i = hunk.from; i < edit->count && quiet <= 2 * DIFF_CONTEXT; i++) {
		quiet = is_change(&edit->line[i]) ? 0 : quiet + 1;
		if (quiet == 0)
			hunk.to = i + 1;
	}
	if (hunk.from == hunk.to)
		return hunk;
	hunk.from = hunk.from - at > DIFF_CONTEXT ? hunk.from - DIFF_CONTEXT : at;
	hunk.to = edit->count - hunk.to > DIFF_CONTEXT ? hunk.to + DIFF_CONTEXT : edit->count;
	return hunk;
}

static void write_hunk(struct output *out, const struct edit *edit, struct hunk hunk)
{
	size_t before[2] = {0}, lines[2] = {0};

	for (size_t i = 0; i < hunk.to; i++) {
		size_t *sum = i < hunk.from ? before : lines;

		sum[0] += edit->line[i].number > 0;
		sum[1] += !edit->line[i].dropped;
	}
	emit(out, in_style(STYLE_NOTE), "@@ -", (uint64_t)(before[0] + (lines[0] > 0)), ",",
	     (uint64_t)lines[0], " +", (uint64_t)(before[1] + (lines[1] > 0)), ",",
	     (uint64_t)lines[1], " @@", in_style(STYLE_PLAIN), "\n");
	for (size_t i = hunk.from; i < hunk.to; i++) {
		const struct edit_line *line = &edit->line[i];

		if (line->dropped && line->number == 0)
			continue;
		if (is_change(line))
			paint(out, line->dropped ? STYLE_REJECT : STYLE_ACCEPT);
		emit(out, line->dropped ? "-" : line->number == 0 ? "+" : " ", raw_text(text_of(line->text)));
		paint(out, STYLE_PLAIN);
		output_octet(out, '\n');
	}
}

void edit_write(struct output *out, const struct edit *edit)
{
	struct hunk hunk = {0, 0};

	emit(out, "--- ", prose(edit->file), "\n+++ ", prose(edit->file), "\n");
	for (hunk = next_hunk(edit, 0); hunk.from < hunk.to; hunk = next_hunk(edit, hunk.to))
		write_hunk(out, edit, hunk);
}
