/* SPDX-License-Identifier: Apache-2.0 */
/* How results are written, and colours on terminals: callers give the kind of output, not its look. */
#ifndef CLI_PAINT_H
#define CLI_PAINT_H

#include "common/text/output.h"

enum style {
	STYLE_PLAIN = 0,
	STYLE_ACCEPT,
	STYLE_REJECT,
	STYLE_HEAD,
	STYLE_NOTE,
	STYLE_CARET,
	STYLE_SCHEME,
	STYLE_USERINFO,
	STYLE_HOST,
	STYLE_HOST_BELOW, /* labels before the registrable domain */
	STYLE_PORT,
	STYLE_PATH,
	STYLE_QUERY,
	STYLE_FRAGMENT,
	STYLE_DIFFERS, /* added to another style */
	STYLES
};

enum colour { COLOUR_AUTO = 0, COLOUR_ALWAYS, COLOUR_NEVER };

enum format { FORMAT_DEFAULT = 0, FORMAT_HUMAN, FORMAT_TSV, FORMAT_JSON, FORMAT_SARIF };

struct show_options {
	enum format format;
	enum colour colour;
	bool quiet;
};

/* Sets the style of the following output. Does nothing without colours. */
void paint(struct output *out, enum style style);

/* Returns the style of a component. */
enum style style_of_component(unsigned component);

/* Chooses colours and width for the stream of `out`. */
void paint_setup(struct output *out, enum colour colour);

/* Opens standard output with colours and width chosen. Returns false after reporting that there is
 * no memory. */
bool paint_open(struct output *out, enum colour colour);

/* Writes a text to standard output. Returns false after reporting an error. */
bool paint_text(struct octets text);

#endif
