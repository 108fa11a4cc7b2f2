/* SPDX-License-Identifier: Apache-2.0 */
/* Says what is wrong with YAML, and what to write instead. */
#ifndef LOADER_SYNTAX_H
#define LOADER_SYNTAX_H

#include "loader/source.h"
#include <yaml.h>

/* A place in the text: its octet, too. */
struct spot {
	struct place at;
	size_t octet;
};

/* An error of libyaml. */
struct syntax_error {
	const char *what;
	const char *context; /* in the middle of what; "": of nothing */
	struct spot spot;
	struct spot began; /* what is in the context */
	const struct source *source;
};

void urivet_loader_tell_syntax(struct problems *problems, const struct syntax_error *error);

/* "*word", which is no text. */
void urivet_loader_tell_alias(struct problems *problems, const struct source *source,
			      struct spot spot);

/* A word where a key and a value are due. */
void urivet_loader_tell_word(struct problems *problems, const struct source *source,
			     struct spot spot);

/* A text of more than one line. */
void urivet_loader_tell_lines(struct problems *problems, const struct source *source,
			      struct spot spot);

#endif
