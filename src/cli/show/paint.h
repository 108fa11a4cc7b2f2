/* SPDX-License-Identifier: Apache-2.0 */
/* Colours on terminals: callers say what a piece of output is, not how it looks. */
#ifndef CLI_PAINT_H
#define CLI_PAINT_H

#include "cli/show/output.h"

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
	STYLE_HOST_BELOW, /* what stands before the registrable domain */
	STYLE_PORT,
	STYLE_PATH,
	STYLE_QUERY,
	STYLE_FRAGMENT,
	STYLE_DIFFERS, /* added to another style */
	STYLES
};

enum colour { COLOUR_AUTO = 0, COLOUR_ALWAYS, COLOUR_NEVER };

/* What follows has this style; without colours nothing happens. */
void paint(struct output *out, enum style style);

/* The style that a component is shown in. */
enum style style_of_component(unsigned component);

/* Decides on colours and on the width for the stream that `out` writes to. */
void paint_setup(struct output *out, enum colour colour);

/* Opens standard output, with colours and width decided; false after saying that there is no
 * memory. */
bool paint_open(struct output *out, enum colour colour);

#endif
