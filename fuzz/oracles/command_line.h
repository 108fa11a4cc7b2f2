/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a command line from an input: option letters, a line end, texts.
 *
 *   ctH LF example.com NUL /path
 *
 * is `check --format=tsv --target=example.com` with /path on standard input. The first letter names
 * the command, each other letter an option; options that the command does not have are skipped. If
 * the option's value is a number or a name, the letter is followed by an octet that chooses it. If
 * the value is a text, it is the next text up to a NUL. The rest is the input; with `g`, the rest
 * is split at NULs into arguments. With `JB` the input is repeated until it fills the blocks of
 * several threads. An input that does not begin with letters and a line end is a URI, and a fixed
 * list of letters is used for it.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <urivet/readers.h>

#include "cli/commands/option_table.h"

#include "oracles.h"

/* No oracle knows what the readers for HTML, policy files and public suffixes do there. */
#ifndef WITHOUT_LIBRARIES
#define WITHOUT_LIBRARIES IS_MSAN
#endif

#define WORDS_MOST    40
#define OPERANDS_MOST 8
#define LETTERS_MOST  24

enum filled {
	FILLED = 0,
	BY_NUMBER,
	BY_WAIVED,
	BY_RAISED,
	BY_READER,
	BY_METHOD,
	BY_PORT,
	BY_TEXT,
	BY_FILE
};

/* The option that a letter stands for. */
struct letter {
	char letter;
	enum filled how;    /* where the value, its end or the file's content comes from */
	const char *option; /* without dashes */
	const char *value;  /* or its beginning; NULL: no value */
};

static const struct letter letters[] = {
    {'t', FILLED, "format", "tsv"},
    {'j', FILLED, "format", "json"},
    {'h', FILLED, "format", "human"},
    {'S', FILLED, "policy", "strict"},
    {'P', FILLED, "policy", "public"},
    {'A', FILLED, "policy", "any"},
    {'G', FILLED, "policy", "gateway"},
    {'0', FILLED, "null", NULL},
    {'l', FILLED, "crlf", NULL},
    {'q', FILLED, "q", NULL},
    {'C', FILLED, "colour", "always"},
    {'J', FILLED, "jobs", "2"},
    {'R', FILLED, "readings", NULL},
    {'s', FILLED, "show-secrets", NULL},
    {'n', FILLED, "new-request", NULL},
    {'c', FILLED, "compatible", NULL},
    {'f', FILLED, "no-fragment", NULL},
    {'v', FILLED, "level", "scheme"},
    {'i', FILLED, "input", "/dev/fd/60"},
    {'x', FILLED, "rejects", "/dev/fd/63"},
    {'w', FILLED, "html", NULL},
    {'o', FILLED, "target", NULL},
    {'H', BY_TEXT, "target", ""},
    {'T', FILLED, "target-records", NULL},
    {'M', BY_METHOD, "method", ""},
    {'p', BY_PORT, "port", ""},
    {'k', FILLED, "scheme", "http"},
    {'K', FILLED, "scheme", "https"},
    {'L', BY_NUMBER, "max-length", ""},
    {'a', BY_WAIVED, "allow", ""},
    {'r', BY_RAISED, "refuse", ""},
    {'d', BY_READER, "reader", ""},
    {'b', BY_TEXT, "base", ""},
    {'1', BY_TEXT, "enclosing", ""},
    {'2', BY_TEXT, "retrieved", ""},
    {'3', BY_TEXT, "default", ""},
    {'4', BY_TEXT, "header", "Content-Base: "},
    {'5', BY_TEXT, "header", "Content-Location: "},
    {'6', BY_FILE, "content", "/dev/fd/64"},
    {'7', BY_FILE, "redirects", "/dev/fd/64"},
    {'F', BY_FILE, "policy-file", "/dev/fd/64"},
    {'u', FILLED, "params", "*"},
    {'U', FILLED, "params", "url,u"},
    {'D', FILLED, "params-decode", "2"},
    {'W', FILLED, "params-policy", "strict"},
    {'O', FILLED, "same-origin", NULL},
    {'Z', FILLED, "time-prefix", NULL},
    {'y', FILLED, "count-by", "class"},
    {'Y', FILLED, "count-by", "verdict"},
    {'N', FILLED, "count-by", "host"},
};

static const char *const methods[] = {"GET", "CONNECT", "OPTIONS", "M-SEARCH", "options"};
static const char *const ports[] = {"80", "443", "8443", "1", "65535"};

/* The letters used for inputs that have none. */
static const char *const chosen[] = {
    "ct",      "cj",       "chi",   "ctH",   "cjH",    "chH",      "cjR",      "chR",    "fx",
    "pt",      "pjd6",     "ptd7",  "eg",    "egs",    "st",       "ntv",      "ctg",    "ato",
    "ajo",     "cjPg",     "chAg",  "ctoH",  "ctGoM0", "cjHGM1p1", "chHM2Kp3", "fGoxM0", "ctG",
    "cjG",     "fHxM0p2k", "cjuWD", "chU",   "fuxWO",  "ajuW",     "atUDO",    "ahu",    "euOg",
    "cjGTuOK", "cjHuWOk",  "oZ",    "cN",    "cjA",    "cAL9t", "fxAL9",  "cGTL9K",   "aSL@t",
    "ctr\x1a", "fxr\x1a" /* scheme-plaintext */};

static const struct {
	char letter;
	enum command_id id;
} named[] = {
    {'c', COMMAND_CHECK},     {'f', COMMAND_FILTER},   {'p', COMMAND_PARSE},
    {'e', COMMAND_EXPLAIN},   {'s', COMMAND_SUGGEST},  {'r', COMMAND_RESOLVE},
    {'n', COMMAND_NORMALISE}, {'m', COMMAND_COMPARE},  {'a', COMMAND_SCAN},
    {'b', COMMAND_BASE},      {'i', COMMAND_FINDINGS}, {'o', COMMAND_REPORT},
};

/* A command line and the inputs of its run. */
struct line {
	enum command_id id;
	char *word[WORDS_MOST + 1];  /* each in a block of its exact size */
	char *owned[WORDS_MOST + 1]; /* the same pointers, for free(): the command reorders words */
	int words;
	bool has[128]; /* letters that were used */
	bool has_host; /* the last --target has a value */
	struct octets host, aside, input;
	struct octets operand[OPERANDS_MOST];
	unsigned operands;
	char *repeated;  /* the memory of an input that was made longer */
	bool is_operand; /* the input comes as arguments */
	enum format format;
	enum urivet_reader reader;
	uint32_t limit; /* the value of --max-length; 0: unknown */
};

static bool has_letter(const struct line *line, char letter)
{
	return line->has[(unsigned char)letter];
}

/* Adds one word, concatenated from three texts. */
static void add_to_line(struct line *line, const char *before, const char *between,
			struct octets text)
{
	struct builder b = {.length = 0};
	if (line->words == WORDS_MOST)
		return;
	b.text = room_for(strlen(before) + strlen(between) + text.length + 1);
	add_word(&b, before);
	add_word(&b, between);
	add(&b, text.data, text.length);
	add(&b, "", 1);
	line->owned[line->words] = b.text;
	line->word[line->words++] = b.text;
	line->word[line->words] = NULL;
}

/* Takes the next text from `rest`, up to a NUL or the end. */
static struct octets take_text(struct octets *rest)
{
	const uint8_t *nul = rest->length > 0 ? memchr(rest->data, '\0', rest->length) : NULL;
	const size_t length = nul != NULL ? (size_t)(nul - rest->data) : rest->length;
	const struct octets taken = {rest->data, length};
	rest->data += length + (nul != NULL);
	rest->length -= length + (nul != NULL);
	return taken;
}

/* Returns the finding that an octet chooses, if it can be waived (or raised); else NULL. */
static const struct urivet_finding_row *finding_of(uint8_t octet, bool waived)
{
	const struct urivet_finding_row *row = NULL;
	unsigned id = octet;
	while (row == NULL && id < URIVET_FINDING_LIMIT)
		row = urivet_finding_info(id++);
	if (row == NULL || row->id == URIVET_F_HOST_PUBLIC_SUFFIX ||
	    (waived && (row->class_ == URIVET_MALFORMED || row->id == URIVET_F_URL_TOO_LONG)))
		return NULL;
	return row;
}

static bool takes_option(enum command_id id, const char *name)
{
	const struct option *option = option_table;
	while (option->name != NULL && strcmp(option->name, name) != 0)
		option++;
	return option->name != NULL && (option->commands >> id & 1u) != 0;
}

/* Writes the value that an octet chooses; an empty value means none. */
static void value_of(char value[64], struct line *line, enum filled how, uint8_t octet)
{
	const struct urivet_finding_row *row = NULL;
	value[0] = '\0';
	if (how == BY_NUMBER) {
		line->limit = octet;
		snprintf(value, 64, "%u", octet);
	} else if (how == BY_METHOD) {
		snprintf(value, 64, "%s", methods[octet % (sizeof methods / sizeof *methods)]);
	} else if (how == BY_PORT) {
		snprintf(value, 64, "%s", ports[octet % (sizeof ports / sizeof *ports)]);
	} else if (how == BY_READER) {
		line->reader = octet % URIVET_READERS;
		snprintf(value, 64, "%s", urivet_reader_name(line->reader));
	} else {
		row = finding_of(octet, how == BY_WAIVED);
		if (row != NULL)
			snprintf(value, 64, "%s", row->name);
	}
}

static void add_option(struct line *line, const struct letter *letter, struct octets value)
{
	const char *dashes = letter->option[1] == '\0' ? "-" : "--";
	char before[64];
	snprintf(before, sizeof before, "%s%s%s", dashes, letter->option,
		 letter->value != NULL ? "=" : "");
	add_to_line(line, before, letter->value != NULL ? letter->value : "", value);
}

/* Returns true if the option needs a library that is not instrumented. */
static bool needs_library(const struct letter *letter)
{
	return letter->letter == 'w' || letter->letter == '6' || letter->letter == 'F';
}

/* Returns true if the output has a line for each counted key, not for each record. */
static bool counts_records(const struct line *line)
{
	return has_letter(line, 'y') || has_letter(line, 'Y') || has_letter(line, 'N');
}

/* Returns true if the option has no effect, given the letters before it. Records of requests
 * have their own method and Host field, and request options need targets. The length limit in a
 * policy file is unknown, and with it the records that are too long to be parsed. */
static bool is_out_of_place(const struct line *line, char letter)
{
	const bool params = has_letter(line, 'u') || has_letter(line, 'U');
	const bool target = has_letter(line, 'o') || has_letter(line, 'H');
	switch (letter) {
	case 'T':
		return target || has_letter(line, 'F') || has_letter(line, 'R');
	case 'o':
	case 'H':
	case 'F':
		return has_letter(line, 'T');
	case 'R':
		return has_letter(line, 'T') || counts_records(line);
	case 'y':
	case 'Y':
	case 'N':
		return has_letter(line, 'R') || counts_records(line);
	case 'M':
		return !target;
	case 'p':
	case 'k':
	case 'K':
		return !target && !has_letter(line, 'T');
	case 'D':
	case 'W':
		return !params;
	case 'O':
		return !params && line->id != COMMAND_RESOLVE;
	default:
		return false;
	}
}

/* Takes one letter and its value. Returns how many octets it used. */
static size_t take_letter(struct line *line, const uint8_t *at, size_t left, struct octets *body)
{
	const struct letter *letter = NULL;
	struct octets text = {NULL, 0};
	char value[64] = "";
	size_t taken = 1;
	for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++)
		if (letters[k].letter == (char)*at)
			letter = &letters[k];
	if (letter == NULL || !takes_option(line->id, letter->option) ||
	    (WITHOUT_LIBRARIES && needs_library(letter)) || has_letter(line, letter->letter) ||
	    is_out_of_place(line, letter->letter)) {
		if (*at == 'g' || *at == 'B')
			line->has[*at] = true;
		return 1;
	}
	if (letter->how >= BY_NUMBER && letter->how <= BY_PORT) {
		if (left < 2)
			return 1;
		value_of(value, line, letter->how, at[1]);
		if (value[0] == '\0')
			return 2;
		text = text_of(value);
		taken = 2;
	} else if (letter->how >= BY_TEXT) {
		text = take_text(body);
	}
	line->has[*at] = true;
	if (strcmp(letter->option, "target") == 0) {
		line->has_host = letter->letter == 'H';
		line->host = text;
	}
	if (strcmp(letter->option, "format") == 0)
		line->format = letter->letter == 't'   ? FORMAT_TSV
			       : letter->letter == 'j' ? FORMAT_JSON
						       : FORMAT_HUMAN;
	line->aside = letter->how == BY_FILE ? text : line->aside;
	add_option(line, letter, letter->how == BY_FILE ? (struct octets){NULL, 0} : text);
	return taken;
}

static void take_operands(struct line *line, struct octets body)
{
	static const size_t most[COMMANDS] = {[COMMAND_EXPLAIN] = 1,
					      [COMMAND_RESOLVE] = 2,
					      [COMMAND_COMPARE] = 2,
					      [COMMAND_FINDINGS] = 1};
	const bool needs = most[line->id] > 0;
	const size_t room = needs ? most[line->id] : OPERANDS_MOST;
	line->is_operand = needs || (has_letter(line, 'g') && !has_letter(line, 'i') &&
				     takes_option(line->id, "null") && line->id != COMMAND_FILTER &&
				     line->id != COMMAND_REPORT);
	line->input = body;
	if (line->id == COMMAND_REPORT) /* its operands would be names of files */
		add_to_line(line, "--output=-", "", (struct octets){NULL, 0});
	if (!line->is_operand)
		return;
	add_to_line(line, "--", "", (struct octets){NULL, 0});
	do {
		line->operand[line->operands] = take_text(&body);
		add_to_line(line, "", "", line->operand[line->operands++]);
	} while (line->operands < room && (body.length > 0 || line->operands < most[line->id]));
}

/* More than the command reads at once, so that several threads get a block each. */
#define LONG_INPUT  300000
#define WORTH_WHILE 64

/* Makes an input long enough for several threads, if the output has one short line a record. */
static void repeat_input(struct line *line)
{
	struct builder b = {.length = 0};
	if (!has_letter(line, 'B') || !has_letter(line, 'J') || line->is_operand ||
	    line->format != FORMAT_TSV || line->input.length < WORTH_WHILE)
		return;
	line->repeated = room_for(LONG_INPUT + line->input.length);
	b.text = line->repeated;
	while (b.length < LONG_INPUT)
		add(&b, line->input.data, line->input.length);
	line->input = (struct octets){(const uint8_t *)b.text, b.length};
}

/* Returns the letters of an input without their line end, or length 0 if there are none. */
static size_t letters_in(const uint8_t *data, size_t length)
{
	const size_t most = length < LETTERS_MOST ? length : LETTERS_MOST;
	const uint8_t *end = most > 0 ? memchr(data, '\n', most) : NULL;
	return end != NULL ? (size_t)(end - data) : 0;
}

static enum command_id command_of(uint8_t letter)
{
	for (size_t k = 0; k < sizeof named / sizeof named[0]; k++)
		if (named[k].letter == (char)letter)
			return named[k].id;
	return COMMAND_CHECK;
}

/* Makes the command line of an input. If the input has no letters, it is a URI: it is used as
 * the value of each text option and as the input of the command. */
static void make_line(struct line *line, const uint8_t *data, size_t length)
{
	size_t count = letters_in(data, length);
	const struct octets whole = {data, length};
	struct octets body = whole;
	const uint8_t *at = data;
	const bool alone = count == 0;
	size_t sum = length;
	memset(line, 0, sizeof *line);
	if (alone) {
		for (size_t k = 0; k < length; k++)
			sum += data[k];
		at = (const uint8_t *)chosen[sum % (sizeof chosen / sizeof chosen[0])];
		count = strlen((const char *)at);
	} else {
		body = (struct octets){data + count + 1, length - count - 1};
	}
	line->id = command_of(at[0]);
	add_to_line(line, "urivet", "", (struct octets){NULL, 0});
	add_to_line(line, commands[line->id].name, "", (struct octets){NULL, 0});
	for (size_t k = 1; k < count;) {
		body = alone ? whole : body;
		k += take_letter(line, at + k, count - k, &body);
	}
	take_operands(line, alone ? whole : body);
	if (line->format == FORMAT_DEFAULT)
		line->format =
		    line->is_operand || !commands[line->id].reads_input ? FORMAT_HUMAN : FORMAT_TSV;
	repeat_input(line);
}

static void free_line(struct line *line)
{
	for (int k = 0; k < line->words; k++)
		free(line->owned[k]);
	free(line->repeated);
}

#endif
