/* SPDX-License-Identifier: Apache-2.0 */
/* Explains YAML errors and how to correct them. */
#ifndef LOADER_SYNTAX_H
#define LOADER_SYNTAX_H

#include "policyfile/source.h"
#include <yaml.h>

/* A place in the text with its octet offset. */
struct spot {
	struct place at;
	size_t octet;
};

/* An error of libyaml. */
struct syntax_error {
	const char *what;
	const char *context; /* the construct being parsed; "" if unknown */
	struct spot spot;
	struct spot began; /* start of the context */
	const struct source *source;
};

void urivet_loader_report_syntax(struct problems *problems, const struct syntax_error *error);

/* Reports "*word", a YAML alias. */
void urivet_loader_report_alias(struct problems *problems, const struct source *source,
				struct spot spot);

/* Reports a word where a key and a value are expected. */
void urivet_loader_report_word(struct problems *problems, const struct source *source,
			       struct spot spot);

/* Reports a text of more than one line. */
void urivet_loader_report_lines(struct problems *problems, const struct source *source,
				struct spot spot);

#endif
