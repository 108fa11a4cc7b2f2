/* SPDX-License-Identifier: Apache-2.0 */
/* What scan does with text, with HTML and with mail: all finds are judged and shown in one way. */
#ifndef CLI_SCAN_H
#define CLI_SCAN_H

#include "cli/commands/judge.h"
#include "cli/records/packing.h"
#include "cli/records/source.h"
#include <sys/types.h>

/* The longest match; a longer one is `url-too-long` whatever the policy allows. */
#define SCAN_MATCH_MOST (1u << 20)
/* More than the library looks at after the place where a match begins. */
#define SCAN_AHEAD 32768u
/* Octets of text in memory at once. */
#define SCAN_WINDOW (SCAN_MATCH_MOST + 4 * SCAN_AHEAD)

struct scanner {
	struct options options;
	struct worker worker;
	uint8_t *window;
	uint8_t *text; /* of a match */
	size_t capacity;
	bool refused;
	bool trouble;         /* something could not be read, so that not all was judged */
	struct source source; /* the file that is scanned */
	uint8_t first
	    [PACKING_MOST]; /* its first octets, if it is standard input that is read as it is */
	size_t firsts;
};

/* A place in a file, counted from 1. */
struct position {
	uint64_t line;
	uint64_t column;
};

/* Moves a position over text. */
void position_advance(struct position *position, struct text over);

/* Judges a match, of which `text` may be only what is in the window, and shows it. */
void scan_judge(struct scanner *scanner, struct text text, struct place *place);

/* The same of a request target. Nobody knows of which host it was asked for. */
void scan_judge_target(struct scanner *scanner, struct text target, struct text method,
		       struct place *place);

/* Shows the text of a place as a record that cannot be judged (`field-unreadable`). */
void scan_refuse(struct scanner *scanner, struct place *place);

/* Text, however it is read: like read(2), -1 with errno on an error. */
struct scan_source {
	ssize_t (*read)(void *context, uint8_t *to, size_t size);
	void *context;
	const struct place *place; /* of every find; NULL: it is counted, in `file` */
	const char *file;
	bool whole_only; /* abbreviated references are not looked for */
};

/* Judges what is found in text. */
void scan_text(struct scanner *scanner, const struct scan_source *source);

/* Judges the links of an HTML document. Finds have this place, or, if it has no line, their own in
 * its file. `name` is what messages call the document. False, and trouble, if it cannot be read. */
bool scan_html(struct scanner *scanner, struct text document, const struct place *place,
	       const char *name);

/* A file of each kind; "-": standard input. */
void scan_text_file(struct scanner *scanner, const char *name);
void scan_html_file(struct scanner *scanner, const char *name);

/* A message, a mailbox, or the folder of a Maildir. */
void scan_mail_file(struct scanner *scanner, const char *name);

/* Can mail be read here? If not, it says why. */
bool scan_mail_is_built(void);

/* Opens a file to be scanned ("-": standard input), if it is not what is written to as well. -1, and
 * trouble, after saying why that failed. */
int scan_open(struct scanner *scanner, const char *name);

/* Would scan_read() give the octets of what scan_open() opened as they stand? It has to be a file that can be
 * read at any place. */
bool scan_is_text(struct scanner *scanner, int fd);

/* Begins to read what scan_open() opened: octets come from scan_read(), of a file that gzip or zstd has
 * compressed those that it holds. */
void scan_begin(struct scanner *scanner, int fd, const char *name);

/* Like read(2); `context` is the scanner. What is wrong with the file is told, and then it ends. */
ssize_t scan_read(void *context, uint8_t *to, size_t size);

/* All of the file, at most one octet more than `most`, in memory that the caller must free(): false after
 * saying that there is none. */
bool scan_load(struct scanner *scanner, struct text *content, size_t most);

/* Closes the file; trouble if scan_read() could not read some of it. */
void scan_end(struct scanner *scanner);

#endif
