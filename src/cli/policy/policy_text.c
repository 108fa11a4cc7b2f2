/* SPDX-License-Identifier: Apache-2.0 */
/* Splits policy files into tokens, in time linear in their length. */
#include "cli/policy/policy_text.h"
#include "cli/records/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#define LARGEST_NUMBER 2147483647u

enum token {
	TOKEN_NONE = 0, /* before the first one */
	TOKEN_KEY,
	TOKEN_ASSIGN, /* "=" or ":" */
	TOKEN_VALUE,  /* also the end of a list or group */
	TOKEN_COMMA,
	TOKEN_SEMICOLON,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKENS
};

/* A bracket that is not closed yet. */
struct bracket {
	uint8_t end;
	struct policy_source at;
};

/* A file that is being read, by device and inode, which are the same under any name. */
struct identity {
	dev_t device;
	ino_t number;
	bool known;
};

struct lexer {
	struct policy_text *text;
	struct problems *problems;
	const char *directory; /* of the policy file, `prefix` octets with the slash */
	size_t prefix;
	bool in_memory; /* there are no files to include */
	size_t left;    /* octets that may still be read */
	struct identity reading[POLICY_INCLUDES_DEEP + 1];
	size_t depth; /* of files */

	/* the file that is being read */
	const uint8_t *data;
	size_t length;
	size_t i;
	struct policy_source at;
	bool line_start; /* there is only white space in this line so far */

	struct bracket open[POLICY_NESTING_MOST];
	size_t nesting;
	enum token last;
	size_t comma; /* the offset of the last comma in the text */
};

static bool fail(struct lexer *x, const char *what)
{
	problem_add(x->problems, x->at, "%s", what);
	return false;
}

static bool no_memory(struct lexer *x)
{
	x->problems->no_memory = true;
	return false;
}

/* ---- Writing -------------------------------------------------------------------- */

static bool emit(struct lexer *x, const uint8_t *data, size_t length)
{
	struct policy_text *text = x->text;

	if (text->capacity - text->length <= length) {
		size_t capacity = text->capacity * 2 + length + 256;
		char *grown = realloc(text->data, capacity);

		if (grown == NULL)
			return no_memory(x);
		text->data = grown;
		text->capacity = capacity;
	}
	memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
	return true;
}

static bool emit_octet(struct lexer *x, uint8_t octet)
{
	return emit(x, &octet, 1);
}

static bool emit_line_end(struct lexer *x)
{
	x->text->lines++;
	return emit_octet(x, '\n');
}

static bool remember(struct lexer *x, struct policy_sources *sources)
{
	if (sources->count == sources->capacity) {
		size_t capacity = sources->capacity * 2 + 64;
		struct policy_source *grown = realloc(sources->at, capacity * sizeof *grown);

		if (grown == NULL)
			return no_memory(x);
		sources->at = grown;
		sources->capacity = capacity;
	}
	sources->at[sources->count++] = x->at;
	return true;
}

/* Notes that what is written from now on comes from the current place. */
static bool begin_piece(struct lexer *x)
{
	struct policy_text *text = x->text;

	if (text->pieces == text->piece_capacity) {
		size_t capacity = text->piece_capacity * 2 + 8;
		struct policy_piece *grown = realloc(text->piece, capacity * sizeof *grown);

		if (grown == NULL)
			return no_memory(x);
		text->piece = grown;
		text->piece_capacity = capacity;
	}
	text->piece[text->pieces++] = (struct policy_piece){text->lines + 1, x->at};
	return true;
}

struct policy_source policy_text_source(const struct policy_text *text, uint32_t line)
{
	size_t low = 0;
	size_t high = text->pieces;
	struct policy_source at = {0, 1};

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (text->piece[middle].line <= line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return at;
	at = text->piece[low - 1].at;
	at.line += line - text->piece[low - 1].line;
	return at;
}

/* ---- What may follow what --------------------------------------------------------- */

#define BIT(token) (1u << TOKEN_##token)

/* Which tokens may follow each token, in groups and in lists, and how to say so. */
static const struct due {
	unsigned tokens;
	const char *what;
} due_after[2][TOKENS] = {
    {
	[TOKEN_NONE] = {BIT(KEY), "a key is due"},
	[TOKEN_KEY] = {BIT(ASSIGN), "\"=\" is due behind a key"},
	[TOKEN_ASSIGN] = {BIT(VALUE) | BIT(OPEN), "a value is due behind \"=\"; text needs quotes"},
	[TOKEN_VALUE] = {BIT(KEY) | BIT(COMMA) | BIT(SEMICOLON) | BIT(CLOSE),
			 "\";\" and a key are due behind a value"},
	[TOKEN_COMMA] = {BIT(KEY) | BIT(CLOSE), "a key is due"},
	[TOKEN_SEMICOLON] = {BIT(KEY) | BIT(CLOSE), "a key is due"},
	[TOKEN_OPEN] = {BIT(KEY) | BIT(CLOSE), "a key is due"},
    },
    {
	[TOKEN_VALUE] = {BIT(COMMA) | BIT(CLOSE), "a comma is due behind a value of a list"},
	[TOKEN_COMMA] = {BIT(VALUE) | BIT(OPEN) | BIT(CLOSE),
			 "a value is due in a list; text needs quotes"},
	[TOKEN_OPEN] = {BIT(VALUE) | BIT(OPEN) | BIT(CLOSE),
			"a value is due in a list; text needs quotes"},
    },
};

static const struct due *due_now(const struct lexer *x)
{
	bool in_list = x->nesting > 0 && x->open[x->nesting - 1].end != '}';

	return &due_after[in_list][x->last];
}

static bool note_token(struct lexer *x, enum token token)
{
	const struct due *due = due_now(x);

	if ((due->tokens >> token & 1u) == 0)
		return fail(x, due->what);
	x->last = token;
	x->line_start = false;
	return true;
}

/* ---- Tokens --------------------------------------------------------------------- */

static uint8_t peek(const struct lexer *x, size_t ahead)
{
	return ahead < x->length - x->i ? x->data[x->i + ahead] : 0;
}

static bool take_line_end(struct lexer *x)
{
	x->i++;
	x->at.line++;
	x->line_start = true;
	return emit_line_end(x);
}

static bool take_space(struct lexer *x)
{
	const struct policy_text *text = x->text;
	bool apart = text->length == 0 || text->data[text->length - 1] == ' ' ||
		     text->data[text->length - 1] == '\n';

	x->i++;
	return apart || emit_octet(x, ' ');
}

static bool skip_line_comment(struct lexer *x)
{
	const uint8_t *start = x->data + x->i;
	const uint8_t *end = memchr(start, '\n', x->length - x->i);

	x->i = end != NULL ? x->i + (size_t)(end - start) : x->length;
	return true;
}

static bool skip_comment(struct lexer *x)
{
	struct policy_source start = x->at;

	x->i += 2;
	while (x->i < x->length && !(peek(x, 0) == '*' && peek(x, 1) == '/')) {
		if (peek(x, 0) != '\n')
			x->i++;
		else if (!take_line_end(x))
			return false;
	}
	if (x->i == x->length) {
		problem_add(x->problems, start, "a comment that does not end");
		return false;
	}
	x->i += 2;
	/* a space in its place keeps the tokens before and after it apart */
	return emit_octet(x, ' ');
}

static bool take_slash(struct lexer *x)
{
	if (peek(x, 1) == '/')
		return skip_line_comment(x);
	return peek(x, 1) == '*' ? skip_comment(x) : fail(x, "'/' outside of a string");
}

static bool note_value(struct lexer *x)
{
	if (x->text->values.count == POLICY_VALUES_MOST) {
		problem_add(x->problems, x->at, "more than %u values", POLICY_VALUES_MOST);
		return false;
	}
	return note_token(x, TOKEN_VALUE) && remember(x, &x->text->values);
}

static bool note_key(struct lexer *x)
{
	if (x->text->keys.count == POLICY_KEYS_MOST) {
		problem_add(x->problems, x->at, "more than %u keys", POLICY_KEYS_MOST);
		return false;
	}
	return note_token(x, TOKEN_KEY) && remember(x, &x->text->keys);
}

/* The length of the string that begins here, with its quotes; 0 if it has no end. */
static size_t string_length(const struct lexer *x)
{
	for (size_t n = 1; n < x->length - x->i; n++) {
		uint8_t octet = peek(x, n);

		if (octet == '"')
			return n + 1;
		if (octet == '\\')
			octet = peek(x, ++n);
		if (octet == '\n')
			break;
	}
	return 0;
}

/* Does an escape in the string stand for NUL? */
static bool holds_nul(const uint8_t *data, size_t length)
{
	for (size_t n = 0; n + 3 < length; n++) {
		if (data[n] != '\\')
			continue;
		n++;
		if ((data[n] == 'x' || data[n] == 'X') && data[n + 1] == '0' && data[n + 2] == '0')
			return true;
	}
	return false;
}

static bool take_string(struct lexer *x)
{
	const uint8_t *start = x->data + x->i;
	size_t length = string_length(x);

	if (length == 0)
		return fail(x, "a string that does not end in its line");
	if (length > POLICY_TOKEN_MOST) {
		problem_add(x->problems, x->at, "a string of more than %u octets",
			    POLICY_TOKEN_MOST - 2);
		return false;
	}
	if (holds_nul(start, length))
		return fail(x, "a NUL in a string");
	x->i += length;
	return note_value(x) && emit(x, start, length);
}

/* ---- Words: keys, booleans, numbers --------------------------------------------- */

static bool is_digit(uint8_t octet)
{
	return octet >= '0' && octet <= '9';
}

static bool is_letter(uint8_t octet)
{
	octet |= 0x20;
	return octet >= 'a' && octet <= 'z';
}

static bool is_of_word(uint8_t octet)
{
	return is_digit(octet) || is_letter(octet) ||
	       (octet != '\0' && strchr("-+_*.", octet) != NULL);
}

static uint32_t digit_value(uint8_t octet)
{
	return is_digit(octet) ? octet - (uint32_t)'0' : (octet | 0x20u) - 'a' + 10;
}

/* What a word that begins like a number turns out to be. */
enum number { NUMBER_GOOD = 0, NUMBER_TOO_LARGE, NUMBER_NONE };

static enum number number_of(const uint8_t *word, size_t length)
{
	size_t n = word[0] == '-' || word[0] == '+';
	bool hex = n == 0 && length > 2 && word[0] == '0' && (word[1] | 0x20) == 'x';
	uint32_t base = hex ? 16 : 10;
	uint64_t value = 0;
	size_t digits = 0;

	for (n = hex ? 2 : n; n < length; n++, digits++) {
		if (!(is_digit(word[n]) || is_letter(word[n])) || digit_value(word[n]) >= base)
			break;
		value = value * base + digit_value(word[n]);
		if (value > LARGEST_NUMBER)
			return NUMBER_TOO_LARGE;
	}
	return digits > 0 && n == length ? NUMBER_GOOD : NUMBER_NONE;
}

static bool take_number(struct lexer *x, const uint8_t *word, size_t length)
{
	switch (number_of(word, length)) {
	case NUMBER_GOOD:
		x->i += length;
		return note_value(x) && emit(x, word, length);
	case NUMBER_TOO_LARGE:
		problem_add(x->problems, x->at, "the number '%.*s' is too large",
			    length < 40 ? (int)length : 40, (const char *)word);
		return false;
	default:
		problem_add(x->problems, x->at, "'%.*s' is no whole number; text needs quotes",
			    length < 40 ? (int)length : 40, (const char *)word);
		return false;
	}
}

static bool is_boolean(const uint8_t *word, size_t length)
{
	return (length == 4 && strncasecmp((const char *)word, "true", 4) == 0) ||
	       (length == 5 && strncasecmp((const char *)word, "false", 5) == 0);
}

static bool take_word(struct lexer *x)
{
	const uint8_t *word = x->data + x->i;
	size_t length = 0;

	while (length < x->length - x->i && is_of_word(word[length]))
		length++;
	if (length > POLICY_TOKEN_MOST)
		return fail(x, "a very long word");
	if (is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.')
		return take_number(x, word, length);
	if (memchr(word, '.', length) != NULL || memchr(word, '+', length) != NULL ||
	    word[0] == '_') {
		problem_add(x->problems, x->at, "'%.*s' is no key; text needs quotes",
			    length < 80 ? (int)length : 80, (const char *)word);
		return false;
	}
	x->i += length;
	return (is_boolean(word, length) ? note_value(x) : note_key(x)) && emit(x, word, length);
}

/* ---- Brackets and separators ---------------------------------------------------- */

static bool take_opening(struct lexer *x, uint8_t octet)
{
	if (x->nesting == POLICY_NESTING_MOST) {
		problem_add(x->problems, x->at, "brackets are nested more than %u deep",
			    POLICY_NESTING_MOST);
		return false;
	}
	if (!note_token(x, TOKEN_OPEN))
		return false;
	x->open[x->nesting++] =
	    (struct bracket){octet == '{' ? '}' : (octet == '[' ? ']' : ')'), x->at};
	x->i++;
	/* a list may hold all that an array may, and values of different types */
	return emit_octet(x, octet == '[' ? '(' : octet);
}

static bool take_closing(struct lexer *x, uint8_t octet)
{
	if (x->nesting == 0) {
		problem_add(x->problems, x->at, "'%c' closes nothing", octet);
		return false;
	}
	if (x->open[x->nesting - 1].end != octet) {
		problem_add(x->problems, x->at, "'%c' where '%c' is due", octet,
			    x->open[x->nesting - 1].end);
		return false;
	}
	if (x->last == TOKEN_COMMA)
		x->text->data[x->comma] = ' ';
	if (!note_token(x, TOKEN_CLOSE))
		return false;
	x->i++;
	x->nesting--;
	x->last = TOKEN_VALUE;
	return emit_octet(x, octet == ']' ? ')' : octet);
}

static bool take_mark(struct lexer *x, uint8_t octet)
{
	enum token token = octet == ',' ? TOKEN_COMMA : TOKEN_ASSIGN;

	if (octet == ';')
		token = TOKEN_SEMICOLON;
	if (octet == ',')
		x->comma = x->text->length;
	x->i++;
	return note_token(x, token) && emit_octet(x, octet);
}

/* ---- Files ---------------------------------------------------------------------- */

static bool take_file(struct lexer *x, const char *path);

/* The path that an @include names, without escapes, in the directory of the policy file. The
 * caller must free it. NULL after saying what is wrong. */
static char *included_path(struct lexer *x, const uint8_t *string, size_t length)
{
	bool absolute = length > 2 && string[1] == '/';
	size_t used = absolute ? 0 : x->prefix;
	char *path = malloc(x->prefix + length + 1);

	if (path == NULL) {
		(void)no_memory(x);
		return NULL;
	}
	memcpy(path, x->directory, used);
	for (size_t n = 1; n + 1 < length; n++) {
		if (string[n] == '\\' && (string[n + 1] == '\\' || string[n + 1] == '"'))
			n++;
		path[used++] = (char)string[n];
	}
	path[used] = '\0';
	if (strcmp(path, "-") != 0)
		return path;
	(void)fail(x, "standard input cannot be included");
	free(path);
	return NULL;
}

/* Reads the file, then continues in the current one. */
static bool include_file(struct lexer *x, const char *path)
{
	struct lexer saved = *x;
	bool good = take_file(x, path);

	x->data = saved.data;
	x->length = saved.length;
	x->i = saved.i;
	x->at = saved.at;
	x->line_start = false;
	return good && emit_line_end(x) && begin_piece(x);
}

static bool take_include(struct lexer *x)
{
	static const char word[] = "@include";
	size_t n = sizeof word - 1;
	size_t length;
	char *path;
	bool good;

	if (x->length - x->i < n || memcmp(x->data + x->i, word, n) != 0)
		return fail(x, "'@' outside of a string");
	while (peek(x, n) == ' ' || peek(x, n) == '\t')
		n++;
	if (!x->line_start || n == sizeof word - 1 || peek(x, n) != '"')
		return fail(x, "an @include is a line of its own: @include \"FILE\"");
	if (x->in_memory)
		return fail(x, "there are no files here to include");
	x->i += n;
	length = string_length(x);
	if (length <= 2 || length > POLICY_TOKEN_MOST)
		return fail(x, "an @include is a line of its own: @include \"FILE\"");
	path = included_path(x, x->data + x->i, length);
	x->i += length;
	good = path != NULL && include_file(x, path);
	free(path);
	return good;
}

static bool name_file(struct lexer *x, const char *path)
{
	struct policy_text *text = x->text;
	char **grown = realloc(text->file, (text->files + 1) * sizeof *grown);
	size_t size = strlen(path) + 1;

	if (grown == NULL)
		return no_memory(x);
	text->file = grown;
	text->file[text->files] = malloc(size);
	if (text->file[text->files] == NULL)
		return no_memory(x);
	memcpy(text->file[text->files], path, size);
	x->at = (struct policy_source){(uint32_t)text->files++, 1};
	return true;
}

static bool take_token(struct lexer *x)
{
	uint8_t octet = x->data[x->i];

	switch (octet) {
	case '\n':
		return take_line_end(x);
	case ' ':
	case '\t':
	case '\r':
	case '\f':
		return take_space(x);
	case '#':
		return skip_line_comment(x);
	case '/':
		return take_slash(x);
	case '"':
		return take_string(x);
	case '@':
		return take_include(x);
	case '(':
	case '[':
	case '{':
		return take_opening(x, octet);
	case ')':
	case ']':
	case '}':
		return take_closing(x, octet);
	case ',':
	case ';':
	case '=':
	case ':':
		return take_mark(x, octet);
	default:
		if (is_of_word(octet))
			return take_word(x);
		problem_add(x->problems, x->at, "octet 0x%02X outside of a string", octet);
		return false;
	}
}

static uint32_t lines_before(struct text text, const uint8_t *end)
{
	uint32_t lines = 0;

	for (const uint8_t *at = text.data; at < end; at++)
		lines += *at == '\n';
	return lines;
}

/* Reads the tokens of a file's content; `x->at` is the place of its first line. */
static bool take_content(struct lexer *x, struct text content)
{
	const uint8_t *nul = content.length > 0 ? memchr(content.data, '\0', content.length) : NULL;

	if (nul != NULL) {
		x->at.line += lines_before(content, nul);
		return fail(x, "a NUL: this is no text");
	}
	x->data = content.data;
	x->length = content.length;
	x->i = 0;
	x->line_start = true;
	if (!begin_piece(x))
		return false;
	while (x->i < x->length) {
		if (!take_token(x))
			return false;
	}
	return true;
}

/* False, after reporting it, if the file is being read already. */
static bool enter_file(struct lexer *x, const char *path)
{
	struct identity self = {0};
	struct stat state;

	if (strcmp(path, "-") != 0 && stat(path, &state) == 0)
		self = (struct identity){state.st_dev, state.st_ino, true};
	for (size_t i = 0; i < x->depth; i++) {
		if (self.known && x->reading[i].known && x->reading[i].device == self.device &&
		    x->reading[i].number == self.number) {
			problem_add(x->problems, x->at, "'%s' includes itself", path);
			return false;
		}
	}
	if (x->depth > POLICY_INCLUDES_DEEP) {
		problem_add(x->problems, x->at, "files include each other more than %u deep",
			    POLICY_INCLUDES_DEEP);
		return false;
	}
	if (x->text->files == POLICY_FILES_MOST) {
		problem_add(x->problems, x->at, "more than %u files are included",
			    POLICY_FILES_MOST - 1);
		return false;
	}
	x->reading[x->depth++] = self;
	return true;
}

/* Reads the tokens of a file. Problems of the file itself are reported where it is named. */
static bool take_file(struct lexer *x, const char *path)
{
	struct text content;
	char why[1024];
	bool good;

	if (!enter_file(x, path))
		return false;
	if (!file_load(&content, path, x->left, why, sizeof why)) {
		if (errno != EFBIG || x->text->files == 0)
			return fail(x, why);
		problem_add(x->problems, x->at, "with '%s' the policy has more than %u octets",
			    path, POLICY_OCTETS_MOST);
		return false;
	}
	x->left -= content.length;
	good = name_file(x, strcmp(path, "-") == 0 ? "<stdin>" : path) && take_content(x, content);
	x->depth--;
	free((void *)(uintptr_t)content.data);
	return good;
}

/* ---- All of it ------------------------------------------------------------------ */

static bool finish(struct lexer *x)
{
	if (x->nesting > 0) {
		const struct bracket *open = &x->open[x->nesting - 1];

		problem_add(x->problems, open->at,
			    "'%c' is missing for the bracket that opens here", open->end);
		return false;
	}
	if (x->last == TOKEN_KEY || x->last == TOKEN_ASSIGN)
		return fail(x, due_now(x)->what);
	if (x->text->keys.count == 0) {
		x->at = (struct policy_source){0, 1};
		return fail(x, "nothing is set here; a policy file has at least one key, such as "
			       "base = \"public\";");
	}
	return emit_line_end(x);
}

bool policy_text_load(struct policy_text *text, const char *path, struct problems *problems)
{
	const char *slash = strrchr(path, '/');
	struct lexer x = {.text = text,
			  .problems = problems,
			  .directory = path,
			  .prefix = slash != NULL ? (size_t)(slash - path) + 1 : 0,
			  .left = POLICY_OCTETS_MOST};

	*text = (struct policy_text){0};
	return take_file(&x, path) && finish(&x);
}

bool policy_text_take(struct policy_text *text, struct text content, const char *name,
		      struct problems *problems)
{
	struct lexer x = {
	    .text = text, .problems = problems, .in_memory = true, .directory = "", .left = 0};

	*text = (struct policy_text){0};
	return name_file(&x, name) && take_content(&x, content) && finish(&x);
}

void policy_text_free(struct policy_text *text)
{
	for (size_t i = 0; i < text->files; i++)
		free(text->file[i]);
	free(text->file);
	free(text->data);
	free(text->piece);
	free(text->keys.at);
	free(text->values.at);
	*text = (struct policy_text){0};
}
