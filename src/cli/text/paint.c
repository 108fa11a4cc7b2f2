/* SPDX-License-Identifier: Apache-2.0 */
/* Writes colours as ECMA-48 escape sequences, and decides when to use them. */
#include "cli/text/paint.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40u
#define WIDEST    200u

/* Userinfo is the most conspicuous, since attackers use it to imitate a host. */
static const char *const sequence[STYLES] = {
    [STYLE_PLAIN] = "\033[0m",       [STYLE_ACCEPT] = "\033[1;32m",
    [STYLE_REJECT] = "\033[1;31m",   [STYLE_HEAD] = "\033[1m",
    [STYLE_NOTE] = "\033[2m",        [STYLE_CARET] = "\033[1;32m",
    [STYLE_SCHEME] = "\033[36m",     [STYLE_USERINFO] = "\033[1;97;41m",
    [STYLE_HOST] = "\033[1;32m",     [STYLE_PORT] = "\033[35m",
    [STYLE_PATH] = "\033[34m",       [STYLE_QUERY] = "\033[33m",
    [STYLE_FRAGMENT] = "\033[2;33m", [STYLE_DIFFERS] = "\033[1;4m",
    [STYLE_HOST_BELOW] = "\033[32m",
};

static const uint8_t component_style[URIVET_COMPONENTS] = {
    [URIVET_SCHEME] = STYLE_SCHEME,     [URIVET_USERINFO] = STYLE_USERINFO,
    [URIVET_HOST] = STYLE_HOST,         [URIVET_PORT] = STYLE_PORT,
    [URIVET_PATH] = STYLE_PATH,         [URIVET_QUERY] = STYLE_QUERY,
    [URIVET_FRAGMENT] = STYLE_FRAGMENT,
};

void paint(struct output *out, enum style style)
{
	if (!out->colour || (style == STYLE_PLAIN && !out->painted))
		return;
	out->painted = style != STYLE_PLAIN;
	output_string(out, sequence[style]);
}

enum style style_of_component(unsigned component)
{
	return (enum style)component_style[component];
}

/* Returns true if NO_COLOR is set and not empty (no-color.org), or TERM is "dumb". */
static bool colours_are_unwanted(void)
{
	const char *unwanted = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return (unwanted != NULL && unwanted[0] != '\0') ||
	       (terminal != NULL && strcmp(terminal, "dumb") == 0);
}

static unsigned terminal_width(int fd, unsigned otherwise)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return otherwise;
	if (size.ws_col < NARROWEST)
		return NARROWEST;
	return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

void paint_setup(struct output *out, enum colour colour)
{
	bool terminal = isatty(out->fd) == 1;

	out->colour = colour == COLOUR_ALWAYS ||
		      (colour == COLOUR_AUTO && terminal && !colours_are_unwanted());
	if (terminal)
		out->width = terminal_width(out->fd, out->width);
}

bool paint_open(struct output *out, enum colour colour)
{
	if (!output_open(out, STDOUT_FILENO, 2 * OUTPUT_ROOM))
		return complain("%s", strerror(ENOMEM));
	paint_setup(out, colour);
	return true;
}

bool paint_text(struct octets text)
{
	struct output out;

	if (!paint_open(&out, COLOUR_NEVER))
		return false;
	output_text(&out, text);
	return output_finish(&out);
}
