/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the scanners for text, HTML and mail: judges and shows all finds in the same way. */
#ifndef CLI_SCAN_H
#define CLI_SCAN_H

#include "cli/judge/judge.h"
#include "cli/records/packing.h"
#include "cli/records/source.h"
#include "cli/scan/html.h"
#include "cli/scan/markup.h"
#include "cli/show/sarif.h"
#include <sys/types.h>
#include <urivet/scan.h>

/* The maximum length of a match in octets. A longer one is `url-too-long`, whatever the policy
 * allows. */
#define SCAN_MATCH_MOST (1u << 20)
/* The number of octets that are read at least before what was held back is searched again. */
#define SCAN_AHEAD 131072u
/* The number of octets before a match that can change where it ends, or, before and after it, are
 * searched for invisible characters. */
#define SCAN_BEFORE 256u
/* Size of the text window in memory, in octets. */
#define SCAN_WINDOW (SCAN_MATCH_MOST + SCAN_AHEAD)

struct scanner {
	struct scan_options scan;
	struct read_options reading;
	struct judge_options judging;
	const char *base; /* base of the documents; NULL: none */
	struct worker worker;
	uint8_t *window;
	uint8_t *text; /* the text of a match */
	size_t capacity;
	bool refused;
	struct sarif sarif;   /* what was written in that format */
	bool trouble;         /* something could not be read, so some input was not judged */
	struct source source; /* the file being scanned */
	struct html_budget html_budget; /* ... and what its documents used */
	uint8_t first[PACKING_MOST]; /* first octets of standard input that is not decompressed */
	size_t firsts;
};

/* A position in a file, from 1. */
struct position {
	uint64_t line;
	uint64_t column;  /* in octets */
	uint64_t further; /* of these, octets of UTF-8 that begin no character */
};

/* Advances a position over text; `further` is counted on demand. */
void position_advance(struct position *position, struct octets over, bool further);

/* Judges a match and shows it. `text` may end with the window. */
void scan_judge(struct scanner *scanner, struct octets text, struct place *place);

/* Notes invisible characters near the match at [begin, end) of a text. Its place is known. */
void scan_note_hidden(struct octets text, size_t begin, size_t end, struct place *place);

/* Judges a URL that was found in a text, and shows it. Its place has the position. */
void scan_judge_found(struct scanner *scanner, struct octets text, const struct urivet_found *found,
		      size_t length, struct place *place);

/* Judges a request target and shows it. Its host is unknown. */
void scan_judge_target(struct scanner *scanner, struct octets target, struct octets method,
		       struct place *place);

/* Shows the text of a place as a record that cannot be judged (`field-unreadable`). */
void scan_refuse(struct scanner *scanner, struct place *place);

/* A source of text. read() is like read(2): -1 and errno on errors. */
struct scan_source {
	ssize_t (*read)(void *context, uint8_t *to, size_t size);
	void *context;
	const struct place *place; /* position of all finds; NULL: counted in `file` */
	const char *file;
	bool whole_only; /* ignore abbreviated references */
};

/* Judges all finds in a text. */
void scan_text(struct scanner *scanner, const struct scan_source *source);

/* Judges the links of an HTML document. Finds have the given position, or, if its line is 0, their
 * own position in the file. `name` is used in messages. Returns false and sets `trouble` if the
 * document cannot be read. */
bool scan_html(struct scanner *scanner, struct octets document, const struct place *place,
	       const char *name);

/* Scan a file of each kind; "-": standard input. */
void scan_text_file(struct scanner *scanner, const char *name);
void scan_markup_file(struct scanner *scanner, const char *name);

/* Scans a message, a mailbox, or a Maildir folder. */
void scan_mail_file(struct scanner *scanner, const char *name);

/* Returns true if the build can read mail. Otherwise reports why not. */
bool scan_mail_is_built(void);

/* Opens a file to scan ("-": standard input), unless it is also the output. Returns -1 and sets
 * `trouble` after reporting an error. */
int scan_open(struct scanner *scanner, const char *name);

/* Returns true if scan_read() would return the octets of the open file unchanged: it is not
 * compressed. The file must be seekable. */
bool scan_is_text(struct scanner *scanner, int fd);

/* Starts reading a file from scan_open(). scan_read() then returns its octets, decompressed if
 * needed. */
void scan_begin(struct scanner *scanner, int fd, const char *name);

/* Reads like read(2); `context` is the scanner. Errors are reported, and end the file. */
ssize_t scan_read(void *context, uint8_t *to, size_t size);

/* Reads the whole file, but at most `most` + 1 octets. The caller frees the memory. Returns false
 * after reporting that there is no memory. */
bool scan_load(struct scanner *scanner, struct octets *content, size_t most);

/* Closes the file. Sets `trouble` if there were read errors. */
void scan_end(struct scanner *scanner);

#endif
